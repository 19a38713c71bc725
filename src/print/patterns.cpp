// SPDX-License-Identifier: MIT
// Patterns of `match` (3.10+).
//
// Invariant: sequences are written with brackets, parentheses only where `as` or `|` need them. Like expressions, a
// method here only pushes parts. Whether a name is bound twice is not checked.
#include "print/printer.h"

namespace depyf {

using namespace ast;

void Printer::pattern(PatternId id) { Parts(*this).pattern(id, PatternLevel::kAs); }

void Printer::visit_pattern(PatternId id, PatternLevel place) {
  if (!id.valid() || id.n >= tree_.patterns.size()) return fail(Errc::kInternal, "a pattern is missing");
  const Pattern& p = tree_.patterns[id];
  PatternLevel level = PatternLevel::kClosed;
  if (const auto* as = std::get_if<MatchAs>(&p.node); as != nullptr && as->pattern.valid()) level = PatternLevel::kAs;
  if (std::holds_alternative<MatchOr>(p.node)) level = PatternLevel::kOr;
  const bool in_parentheses = level < place;
  const std::uint32_t mark = begin_nested(p.origin, in_parentheses);
  match(
      p.node, [&](const MatchValue& n) { node(n); }, [&](const MatchSingleton& n) { node(n); },
      [&](const MatchSequence& n) { node(n); }, [&](const MatchMapping& n) { node(n); },
      [&](const MatchClass& n) { node(n); }, [&](const MatchStar& n) { node(n); }, [&](const MatchAs& n) { node(n); },
      [&](const MatchOr& n) { node(n); });
  end_nested(mark, in_parentheses);
}

void Printer::node(const MatchValue& n) { Parts(*this).expr(n.value, Level::kSum); }

void Printer::node(const MatchSingleton& n) { Parts(*this).expr(n.value, Level::kAtom); }

void Printer::node(const MatchSequence& n) {
  Parts parts(*this);
  parts.open("[");
  bool first = true;
  for (const PatternId id : n.patterns) parts.comma(first).pattern(id, PatternLevel::kAs);
  parts.close("]");
}

void Printer::node(const MatchMapping& n) {
  Parts parts(*this);
  parts.open("{");
  bool first = true;
  for (std::size_t i = 0; i < n.keys.size() && i < n.patterns.size(); ++i) {
    parts.comma(first).expr(n.keys[i], Level::kSum).text(": ").pattern(n.patterns[i], PatternLevel::kAs);
  }
  if (n.rest.valid()) parts.comma(first).text("**").text(name(n.rest));
  parts.close("}");
}

void Printer::node(const MatchClass& n) {
  Parts parts(*this);
  parts.expr(n.cls, Level::kAtom).open("(");
  bool first = true;
  for (const PatternId id : n.patterns) parts.comma(first).pattern(id, PatternLevel::kAs);
  for (std::size_t i = 0; i < n.kwd_attrs.size() && i < n.kwd_patterns.size(); ++i) {
    parts.comma(first).text(name(n.kwd_attrs[i])).text("=").pattern(n.kwd_patterns[i], PatternLevel::kAs);
  }
  parts.close(")");
}

void Printer::node(const MatchStar& n) { Parts(*this).text("*").text(n.name.valid() ? name(n.name) : "_"); }

void Printer::node(const MatchAs& n) {
  if (!n.pattern.valid()) return put(n.name.valid() ? name(n.name) : "_");
  Parts(*this).pattern(n.pattern, PatternLevel::kOr).text(" as ").text(name(n.name));
}

void Printer::node(const MatchOr& n) {
  Parts parts(*this);
  for (std::size_t i = 0; i < n.patterns.size(); ++i) {
    if (i != 0) parts.text(" | ");
    parts.pattern(n.patterns[i], PatternLevel::kClosed);
  }
}

}  // namespace depyf
