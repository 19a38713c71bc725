// SPDX-License-Identifier: MIT
// Bodies that are one word; see words.h.
#include "idiom/words.h"

#include <algorithm>
#include <limits>
#include <optional>
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

bool Words::is_arm_of_one_test(ast::Block& body, const InnerBlock& inner) const {
  const auto is_if = [&](ast::StmtId s) { return s.valid() && ast::is<ast::If>(tree_.stmts[s].node); };
  if (!is_if(inner.owner) || inner.number != 0) return false;
  const auto& block = block_of(tree_, body, inner.owner, inner.number);
  return block.size() == 1 && is_if(block[0]);
}

void Words::write_passes(ast::Block& body) {
  std::vector<SourcePosition> passes;
  for (const SourcePosition& word : written())
    if (depyf::is_word(word, kPassWord)) passes.push_back(word);
  if (passes.empty()) return;
  std::vector<InnerBlock> blocks;
  auto found = gaps(body, blocks);
  std::vector<std::optional<Column>> columns(blocks.size());
  const auto column_of = [&](std::size_t block) {
    for (std::vector<std::size_t> todo{block}; !todo.empty();) {
      const auto& [owner, number, around, is_pass] = blocks[todo.back()];
      auto& column = columns[todo.back()];
      if (!column) column = columns_.column_of_block(block_of(tree_, body, owner, number));
      const bool is_known = *column != kUnknown || todo.back() == 0;
      const bool is_case = !is_known && ast::is<ast::Match>(tree_.stmts[owner].node);
      if (!is_known && columns[around] && *columns[around] != kUnknown)
        column = *columns[around] + (is_case ? 2 : 1) * kIndent;
      const bool asks = !is_known && *column == kUnknown && !columns[around];
      asks ? todo.push_back(around) : todo.pop_back();
    }
    return *columns[block];
  };
  // Before the first statement and after the last one on the next line: the word may stand in a part of another statement,
  // of which nothing is left.
  const auto may_stand_in = [&](Gap& gap, const SourcePosition& word) {
    const InnerBlock& inner = blocks[gap.block];
    if (is_arm_of_one_test(body, inner)) return false;
    const bool is_end = inner.owner.valid() && !inner.is_pass && gap.before == gap.size;
    if (gap.is_at_exit || word.column != column_of(gap.block)) return false;
    if (is_end && word.line != gap.between.first + 1) return false;
    if (gap.before == 0 && !inner.is_pass && word.line + 1 != gap.between.last) return false;
    gap.between.first = word.line;
    return true;
  };
  std::vector<std::size_t> written_before;  // gaps
  std::size_t first = 0;
  for (const SourcePosition& word : passes) {
    while (first < found.size() && found[first].between.last <= word.line) ++first;
    for (auto k = first; k < found.size() && found[k].between.first < word.line; ++k) {
      if (!may_stand_in(found[k], word)) continue;
      if (!blocks[found[k].block].is_pass) written_before.push_back(k);
      first = k;
      break;
    }
  }
  for (auto k = written_before.rbegin(); k != written_before.rend(); ++k) {
    const InnerBlock& inner = blocks[found[*k].block];
    auto& block = block_of(tree_, body, inner.owner, inner.number);
    block.insert(block.begin() + static_cast<std::ptrdiff_t>(found[*k].before), tree_.stmt(ast::Pass{}, {}));
  }
}

std::vector<Words::Gap> Words::gaps(ast::Block& body, std::vector<InnerBlock>& blocks) const {
  std::vector<Gap> found;
  std::size_t ended = 0;  // of these, those of which it is known what follows
  std::int32_t line = 0;
  std::vector<Event> todo;
  list_block({}, body, blocks, todo);
  while (!todo.empty()) {
    const Event event = todo.back();
    todo.pop_back();
    if (event.lines.first >= 0) {
      for (; ended < found.size(); ++ended) found[ended].between.last = event.lines.first;
      line = std::max(line, event.lines.last);
      continue;
    }
    if (!event.statement.valid()) {
      found.push_back(event.gap);
      found.back().between = {line, std::numeric_limits<std::int32_t>::max()};
      continue;
    }
    std::vector<Event> parts;  // in the order of the text
    const auto see = [&](ast::AnyId node) {
      if (const Lines lines = columns_.lines_of({node}); lines.first >= 0) parts.push_back({lines, {}, {}});
    };
    const auto& n = tree_.stmts[event.statement].node;
    const bool is_scope = ast::is_scope(n);
    if (const auto own = columns_.line_of(event.statement); is_scope && own >= 0) parts.push_back({{own, own}, {}, {}});
    if (!ast::has_blocks(n)) see(event.statement);
    std::size_t number = 0;
    const auto see_block = [&](const ast::Block& b) {
      if (!is_scope && !b.empty()) {
        std::vector<Event> inner;
        list_block({event.statement, number, event.gap.block}, b, blocks, inner);
        parts.insert(parts.end(), inner.rbegin(), inner.rend());
      }
      ++number;
    };
    if (ast::has_blocks(n)) ast::for_each_child(n, see, see, see_block);
    todo.insert(todo.end(), parts.rbegin(), parts.rend());
  }
  return found;
}

// The last comes first. An `elif` is no block of its own.
void Words::list_block(const InnerBlock& inner, const ast::Block& block, std::vector<InnerBlock>& blocks,
                       std::vector<Event>& todo) const {
  const auto is_if = [&](ast::StmtId s) { return s.valid() && ast::is<ast::If>(tree_.stmts[s].node); };
  if (is_if(inner.owner) && inner.number == 1 && block.size() == 1 && is_if(block[0]))
    return todo.push_back({{}, block[0], {inner.around, 0, 0, false, {}}});
  const auto own = blocks.size();
  blocks.push_back(inner);
  const auto may_be_pass = [&](ast::StmtId s) {  // as the source has it
    const auto* r = std::get_if<ast::Return>(&tree_.stmts[s].node);
    if (r != nullptr) return !r->value.valid() || exits_.is_return_of_none(s);
    return ast::is<ast::Pass, ast::Continue, ast::Break>(tree_.stmts[s].node);
  };
  blocks.back().is_pass = block.size() == 1 && may_be_pass(block[0]);
  const auto leaves = [&](std::size_t k) {
    return k > 0 && !ast::has_blocks(tree_.stmts[block[k - 1]].node) && is_exit(tree_, block[k - 1]);
  };
  const auto is_silent = [&](std::size_t k) { return k < block.size() && may_be_pass(block[k]); };
  for (std::size_t k = block.size() + 1; k-- > 0;) {
    if (k < block.size()) todo.push_back({{}, block[k], {own, k, 0, false, {}}});
    todo.push_back({{}, {}, {own, k, block.size(), !blocks.back().is_pass && (leaves(k) || is_silent(k)), {}}});
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
