// SPDX-License-Identifier: MIT
// Bodies that are one word; see words.h.
#include "idiom/words.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "ast/constants.h"
#include "ast/walk.h"
#include "idiom/arms.h"

namespace depyf::idiom {

void Words::write(ast::Block& body, End end) {
  find(body, end, /*sees_lines=*/false);
  if (parts_.empty()) return;
  find(body, end, /*sees_lines=*/true);
  written();
  for (const Part& part : parts_) {
    const auto length = length_between(part.between);
    const bool is_pass = length == kPassWord;
    if (length != kEllipsisWord && !is_pass && (length != kContinueWord || part.end != End::kContinue)) continue;
    const ast::Block& old = block_of(tree_, body, part.owner, part.number);
    const auto origin = old.empty() ? ast::Origin{} : tree_.stmts[old[0]].origin;
    const auto word = length == kContinueWord ? tree_.stmt(ast::Continue{}, origin)
                      : is_pass ? tree_.stmt(ast::Pass{}, origin)
                                : tree_.stmt(ast::ExprStmt{tree_.expr(ast::EllipsisLiteral{}, origin)}, origin);
    block_of(tree_, body, part.owner, part.number) = {word};
  }
}

const std::vector<SourcePosition>& Words::written() {
  if (!std::exchange(is_read_, true)) written_ = positions_.words();
  return written_;
}

std::int32_t Words::last_between(Lines lines, std::initializer_list<std::int32_t> lengths) {
  if (lines.first < 0 || lines.last - lines.first < 2) return -1;
  const auto& words = written();
  auto word = std::ranges::lower_bound(words, lines.last, {}, &SourcePosition::line);
  while (word != words.begin() && std::prev(word)->line > lines.first) {
    --word;
    if (std::ranges::any_of(lengths, [&](std::int32_t length) { return depyf::is_word(*word, length); }))
      return word->line;
  }
  return -1;
}

std::int32_t Words::line_of_empty_arm(Lines between) { return last_between(between, {kPassWord, kEllipsisWord}); }

std::int32_t Words::length_at(std::int32_t line, Column column) {
  const auto& words = written();
  for (auto p = std::ranges::lower_bound(words, line, {}, &SourcePosition::line); p != words.end() && p->line == line;
       ++p)
    if (p->column == column) return p->end_column - p->column;
  return 0;
}

std::int32_t Words::line_of_continue(Lines between) { return last_between(between, {kContinueWord}); }

bool Words::is_word(ast::StmtId s, End end) const {
  const auto& n = tree_.stmts[s].node;
  const auto* r = std::get_if<ast::Return>(&n);
  if (r != nullptr)
    return end == End::kReturn && !r->is_observable && exits_.is_return_of_none(s) && !columns_.written_return(s);
  return ast::is<ast::Pass>(n) || (end == End::kContinue && ast::is<ast::Continue>(n));
}

void Words::find(ast::Block& body, End end, bool sees_lines) {
  parts_.clear();
  std::size_t ended = 0;  // of these parts, those of which it is known what follows
  std::int32_t line = 0;
  std::vector<Step> todo{{{}, {}, {{}, 0, end}}};
  while (!todo.empty()) {
    const Step step = todo.back();
    todo.pop_back();
    if (step.lines.first >= 0) {
      for (; ended < parts_.size(); ++ended) parts_[ended].between.last = step.lines.first;
      line = step.lines.last;
    }
    if (step.statement.valid()) {
      list_parts(step, sees_lines, todo);
      continue;
    }
    if (step.lines.first >= 0) continue;
    const ast::Block& inner = block_of(tree_, body, step.part.owner, step.part.number);
    if (inner.empty() ? !step.part.owner.valid() : inner.size() == 1 && is_word(inner[0], step.part.end)) {
      parts_.push_back(step.part);
      parts_.back().between = {line, std::numeric_limits<std::int32_t>::max()};
      continue;
    }
    for (auto k = inner.size(); k-- > 0;) {
      if (!sees_lines && !ast::has_blocks(tree_.stmts[inner[k]].node)) continue;
      const End at_end = k + 1 == inner.size() ? step.part.end : End::kOther;
      todo.push_back({{}, inner[k], {{}, 0, at_end}});
    }
  }
}

void Words::list_parts(const Step& step, bool sees_lines, std::vector<Step>& todo) const {
  const auto& n = tree_.stmts[step.statement].node;
  const auto see = [&](ast::AnyId node) {
    if (!sees_lines) return;
    const Lines lines = columns_.lines_of({node});
    if (lines.first >= 0) todo.push_back({lines, {}, {}});
  };
  if (!ast::has_blocks(n)) return see(step.statement);
  const auto begin = static_cast<std::ptrdiff_t>(todo.size());
  std::size_t number = 0;
  const auto see_part = [&](const ast::Block& b) {
    const End end = exits_.end_of(n, number, b, step.part.end);
    if (!ast::is_scope(n) && !b.empty()) todo.push_back({{}, {}, {step.statement, number, end}});
    ++number;
  };
  ast::for_each_child(n, see, see, see_part);
  std::reverse(todo.begin() + begin, todo.end());
}

std::int32_t Words::length_between(Lines lines) const {
  std::int32_t length = 0;
  for (auto p = std::ranges::lower_bound(written_, lines.first, {}, &SourcePosition::line);
       p != written_.end() && p->line < lines.last; ++p) {
    const bool is_below = lines.first > 0 && p->line > lines.first;  // else the word may follow a colon
    if (is_below && (p->column == 0 || p->column % kIndent != 0)) continue;
    const auto own = p->end_column - p->column;
    if (length != 0 && length != own) return 0;
    length = own;
  }
  return length;
}

}  // namespace depyf::idiom
