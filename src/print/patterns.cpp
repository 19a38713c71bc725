// SPDX-License-Identifier: MIT
// Prints the patterns of `match` (3.10+).
//
// Invariant: sequence patterns have brackets; parentheses only appear where `as` or `|` need them. Like those for
// expressions, these functions only push parts. That no name is bound twice is not checked.
#include "print/nodes.h"

namespace depyf {
namespace {

using namespace ast;

std::string_view name_or_wildcard(Printer& p, NameId name) { return name.valid() ? p.out.name(name) : "_"; }

void node(Printer& p, const MatchValue& n) { Parts(p).expr(n.value, Level::kSum); }

void node(Printer& p, const MatchSingleton& n) { Parts(p).expr(n.value, Level::kAtom); }

void node(Printer& p, const MatchSequence& n) {
  Parts parts(p);
  parts.open("[");
  bool first = true;
  for (const PatternId id : n.patterns) parts.comma(first).pattern(id, PatternLevel::kAs);
  parts.close("]");
}

void node(Printer& p, const MatchMapping& n) {
  Parts parts(p);
  parts.open("{");
  bool first = true;
  for (std::size_t i = 0; i < n.keys.size() && i < n.patterns.size(); ++i) {
    parts.comma(first).expr(n.keys[i], Level::kSum).text(": ").pattern(n.patterns[i], PatternLevel::kAs);
  }
  if (n.rest.valid()) parts.comma(first).text("**").name(n.rest);
  parts.close("}");
}

void node(Printer& p, const MatchClass& n) {
  Parts parts(p);
  parts.expr(n.cls, Level::kAtom).open("(");
  bool first = true;
  for (const PatternId id : n.patterns) parts.comma(first).pattern(id, PatternLevel::kAs);
  for (std::size_t i = 0; i < n.kwd_attrs.size() && i < n.kwd_patterns.size(); ++i) {
    parts.comma(first).name(n.kwd_attrs[i]).text("=").pattern(n.kwd_patterns[i], PatternLevel::kAs);
  }
  parts.close(")");
}

void node(Printer& p, const MatchStar& n) { Parts(p).text("*").text(name_or_wildcard(p, n.name)); }

void node(Printer& p, const MatchAs& n) {
  if (!n.pattern.valid()) return p.out.put(name_or_wildcard(p, n.name));
  Parts(p).pattern(n.pattern, PatternLevel::kOr).text(" as ").name(n.name);
}

void node(Printer& p, const MatchOr& n) {
  Parts parts(p);
  for (std::size_t i = 0; i < n.patterns.size(); ++i) {
    if (i != 0) parts.text(" | ");
    parts.pattern(n.patterns[i], PatternLevel::kClosed);
  }
}

}  // namespace

void print_pattern(Printer& p, PatternId id, PatternLevel place) {
  if (!id.valid() || id.n >= p.in.tree.patterns.size()) return p.out.fail(Errc::kInternal, "a pattern is missing");
  const Pattern& pattern = p.in.tree.patterns[id];
  PatternLevel level = PatternLevel::kClosed;
  if (const auto* as = std::get_if<MatchAs>(&pattern.node); as != nullptr && as->pattern.valid())
    level = PatternLevel::kAs;
  if (std::holds_alternative<MatchOr>(pattern.node)) level = PatternLevel::kOr;
  const bool in_parentheses = level < place;
  const std::uint32_t mark = p.begin_node(pattern.origin, in_parentheses);
  match(pattern.node, [&](const auto& n) { node(p, n); });
  p.end_node(mark, in_parentheses);
}

}  // namespace depyf
