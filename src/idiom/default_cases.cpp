// SPDX-License-Identifier: MIT
// Restores `case _`; see default_cases.h.
#include "idiom/default_cases.h"

#include <algorithm>
#include <utility>

#include "ast/walk.h"
#include "idiom/arms.h"

namespace depyf::idiom {

void DefaultCases::restore(ast::Block& block, std::size_t i) {
  const auto* match = std::get_if<ast::Match>(&tree_.stmts[block[i]].node);
  const SourcePosition* position = match != nullptr ? wildcard_after(match->cases.back()) : nullptr;
  if (position == nullptr) return;
  const auto begin = block.begin() + static_cast<std::ptrdiff_t>(i) + 1;
  const Column inner = position->column - kAfterCase + kIndent;
  auto end = begin;
  if (std::ranges::all_of(match->cases, [&](const auto& c) { return always_exits(tree_, c.body); }))
    for (auto s = begin; s != block.end(); ++s) {
      const Column column = columns_.first_line(*s) == position->line ? inner : columns_.column_of(*s, inner);
      if (column == kUnknown) continue;
      if (column < inner) break;
      end = s + 1;
    }
  ast::MatchCase added{tree_.pattern(ast::MatchAs{}), {}, {begin, end}};
  if (begin == end) added.body = {tree_.stmt(ast::Pass{}, tree_.stmts[block[i]].origin)};
  std::get<ast::Match>(tree_.stmts[block[i]].node).cases.push_back(std::move(added));
  block.erase(begin, end);
}

const SourcePosition* DefaultCases::wildcard_after(const ast::MatchCase& last) {
  if (!last.guard.valid() && is_irrefutable(last.pattern)) return nullptr;
  if (!wildcards_) wildcards_ = positions_.wildcards();
  const Start pattern = wildcards_->empty() ? Start{} : start_of(last.pattern);
  if (!pattern.known()) return nullptr;
  const auto lines = columns_.lines_of({last.body.begin(), last.body.end()});
  const auto above = std::max(lines.last, pattern.line);
  for (auto w = std::ranges::upper_bound(*wildcards_, above, {}, [](const auto& each) { return each.place.line; });
       w != wildcards_->end() && w->line_above <= above; ++w)
    if (w->place.column == pattern.column) return &w->place;
  return nullptr;
}

bool DefaultCases::is_irrefutable(ast::PatternId pattern) const {
  const auto& n = tree_.patterns[pattern].node;
  if (const auto* any = std::get_if<ast::MatchOr>(&n)) return is_irrefutable(any->patterns.back());
  const auto* as = std::get_if<ast::MatchAs>(&n);
  return as != nullptr && (!as->pattern.valid() || is_irrefutable(as->pattern));
}

Start DefaultCases::start_of(ast::PatternId pattern) const {
  Start start;
  const auto include = [&](ast::Origin origin) {
    const auto* p = columns_.position_of(origin);
    if (p != nullptr && (!start.known() || Start{p->line, p->column}.is_before(start))) start = {p->line, p->column};
    return true;
  };
  Overloaded visit{[&](ast::PatternId p) { return include(tree_.patterns[p].origin); },
                   [&](ast::ExprId e) { return include(tree_.exprs[e].origin); }};
  ast::walk(tree_, ast::AnyIds{ast::AnyId{pattern}}, visit);
  return start;
}

}  // namespace depyf::idiom
