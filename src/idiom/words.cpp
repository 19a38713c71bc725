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

void Words::restore_single_words(ast::Block& body, End end) {
  find_empty_blocks(body, end, /*with_lines=*/false);
  if (empty_blocks_.empty()) return;
  find_empty_blocks(body, end, /*with_lines=*/true);
  source_words();
  for (const EmptyBlock& empty : empty_blocks_) {
    const auto length = length_between(empty.between);
    const bool is_pass = length == kPassWord;
    if (length != kEllipsisWord && !is_pass && (length != kContinueWord || empty.end != End::kContinue)) continue;
    const ast::Block& block = block_of(tree_, body, empty.owner, empty.number);
    const auto origin = block.empty() ? ast::Origin{} : tree_.stmts[block[0]].origin;
    const auto word = length == kContinueWord ? tree_.stmt(ast::Continue{}, origin)
                      : is_pass ? tree_.stmt(ast::Pass{}, origin)
                                : tree_.stmt(ast::ExprStmt{tree_.expr(ast::EllipsisLiteral{}, origin)}, origin);
    block_of(tree_, body, empty.owner, empty.number) = {word};
  }
}

bool Words::is_nested_test(ast::Block& body, const InnerBlock& inner) const {
  const auto is_if = [&](ast::StmtId s) { return s.valid() && ast::is<ast::If>(tree_.stmts[s].node); };
  if (!is_if(inner.owner) || inner.number != 0) return false;
  const auto& block = block_of(tree_, body, inner.owner, inner.number);
  return block.size() == 1 && is_if(block[0]);
}

// Returns the column of the block at index `block`. A block without a known column has that of its parent plus one level
// of indentation, a `case` plus two.
Column Words::column_of(ast::Block& body, std::vector<InnerBlock>& blocks, std::size_t block) const {
  for (std::vector<std::size_t> todo{block}; !todo.empty();) {
    InnerBlock& inner = blocks[todo.back()];
    if (!inner.column) inner.column = columns_.column_of_block(block_of(tree_, body, inner.owner, inner.number));
    const auto& outer = blocks[inner.parent].column;
    const bool needs_parent = *inner.column == kUnknown && todo.back() != 0;
    if (needs_parent && !outer) {
      todo.push_back(inner.parent);
      continue;
    }
    if (needs_parent && *outer != kUnknown)
      inner.column = *outer + (ast::is<ast::Match>(tree_.stmts[inner.owner].node) ? 2 : 1) * kIndent;
    todo.pop_back();
  }
  return *blocks[block].column;
}

// Returns whether the word can be in the gap. Before the first statement of a block and after the last one, it must be
// on the next line: further away, it may belong to another statement, of which there is no code.
bool Words::can_contain(ast::Block& body, std::vector<InnerBlock>& blocks, const Gap& gap,
                        const SourcePosition& word) const {
  const InnerBlock& inner = blocks[gap.block];
  if (gap.is_at_exit || is_nested_test(body, inner) || word.column != column_of(body, blocks, gap.block)) return false;
  if (inner.is_pass) return true;
  const bool is_end = inner.owner.valid() && gap.before == gap.size;
  if (is_end && word.line != gap.between.first + 1) return false;
  return gap.before != 0 || word.line + 1 == gap.between.last;
}

void Words::restore_passes(ast::Block& body) {
  std::vector<SourcePosition> passes;
  for (const SourcePosition& word : source_words())
    if (depyf::is_word(word, kPassWord)) passes.push_back(word);
  if (passes.empty()) return;
  std::vector<InnerBlock> blocks;
  auto all_gaps = gaps(body, blocks);
  std::vector<std::size_t> gaps_with_pass;
  std::size_t first = 0;
  for (const SourcePosition& word : passes) {
    while (first < all_gaps.size() && all_gaps[first].between.last <= word.line) ++first;
    for (auto k = first; k < all_gaps.size() && all_gaps[k].between.first < word.line; ++k) {
      if (!can_contain(body, blocks, all_gaps[k], word)) continue;
      all_gaps[k].between.first = word.line;
      if (!blocks[all_gaps[k].block].is_pass) gaps_with_pass.push_back(k);
      first = k;
      break;
    }
  }
  for (auto k = gaps_with_pass.rbegin(); k != gaps_with_pass.rend(); ++k) {
    const InnerBlock& inner = blocks[all_gaps[*k].block];
    auto& block = block_of(tree_, body, inner.owner, inner.number);
    block.insert(block.begin() + static_cast<std::ptrdiff_t>(all_gaps[*k].before), tree_.stmt(ast::Pass{}, {}));
  }
}

std::vector<Words::Gap> Words::gaps(ast::Block& body, std::vector<InnerBlock>& blocks) const {
  std::vector<Gap> all_gaps;
  std::size_t ended = 0;  // number of gaps whose following line is known
  std::int32_t line = 0;
  std::vector<Event> todo;
  push_block({}, body, blocks, todo);
  while (!todo.empty()) {
    const Event event = todo.back();
    todo.pop_back();
    if (event.lines.first >= 0) {
      for (; ended < all_gaps.size(); ++ended) all_gaps[ended].between.last = event.lines.first;
      line = std::max(line, event.lines.last);
      continue;
    }
    if (!event.statement.valid()) {
      all_gaps.push_back(event.gap);
      all_gaps.back().between = {line, std::numeric_limits<std::int32_t>::max()};
      continue;
    }
    std::vector<Event> parts;  // in source order
    const auto add_lines = [&](ast::AnyId node) {
      if (const Lines lines = columns_.lines_of({node}); lines.first >= 0) parts.push_back({lines, {}, {}});
    };
    const auto& n = tree_.stmts[event.statement].node;
    const bool is_scope = ast::is_scope(n);
    if (const auto own = columns_.line_of(event.statement); is_scope && own >= 0) parts.push_back({{own, own}, {}, {}});
    if (!ast::has_blocks(n)) add_lines(event.statement);
    std::size_t number = 0;
    const auto add_block = [&](const ast::Block& b) {
      if (!is_scope && !b.empty()) {
        std::vector<Event> inner;
        push_block({event.statement, number, event.gap.block, false, {}}, b, blocks, inner);
        parts.insert(parts.end(), inner.rbegin(), inner.rend());
      }
      ++number;
    };
    if (ast::has_blocks(n)) ast::for_each_child(n, add_lines, add_lines, add_block);
    todo.insert(todo.end(), parts.rbegin(), parts.rend());
  }
  return all_gaps;
}

// Pushes the statements and gaps of a block in reverse order. An `elif` is not a block of its own.
void Words::push_block(const InnerBlock& inner, const ast::Block& block, std::vector<InnerBlock>& blocks,
                       std::vector<Event>& todo) const {
  const auto is_if = [&](ast::StmtId s) { return s.valid() && ast::is<ast::If>(tree_.stmts[s].node); };
  if (is_if(inner.owner) && inner.number == 1 && block.size() == 1 && is_if(block[0]))
    return todo.push_back({{}, block[0], {inner.parent, 0, 0, false, {}}});
  const auto own = blocks.size();
  blocks.push_back(inner);
  const auto may_be_pass = [&](ast::StmtId s) {  // in the source
    const auto* r = std::get_if<ast::Return>(&tree_.stmts[s].node);
    if (r != nullptr) return !r->value.valid() || exits_.is_return_of_none(s);
    return ast::is<ast::Pass, ast::Continue, ast::Break>(tree_.stmts[s].node);
  };
  blocks.back().is_pass = block.size() == 1 && may_be_pass(block[0]);
  const auto is_after_exit = [&](std::size_t k) {
    return k > 0 && !ast::has_blocks(tree_.stmts[block[k - 1]].node) && is_exit(tree_, block[k - 1]);
  };
  const auto is_before_pass = [&](std::size_t k) { return k < block.size() && may_be_pass(block[k]); };
  for (std::size_t k = block.size() + 1; k-- > 0;) {
    if (k < block.size()) todo.push_back({{}, block[k], {own, k, 0, false, {}}});
    todo.push_back(
        {{}, {}, {own, k, block.size(), !blocks.back().is_pass && (is_after_exit(k) || is_before_pass(k)), {}}});
  }
}

const std::vector<SourcePosition>& Words::source_words() {
  if (!std::exchange(is_read_, true)) source_words_ = positions_.words();
  return source_words_;
}

std::int32_t Words::last_between(Lines lines, std::initializer_list<std::int32_t> lengths) {
  if (lines.first < 0 || lines.last - lines.first < 2) return -1;
  const auto& words = source_words();
  auto word = std::ranges::lower_bound(words, lines.last, {}, &SourcePosition::line);
  while (word != words.begin() && std::prev(word)->line > lines.first) {
    --word;
    if (std::ranges::any_of(lengths, [&](std::int32_t length) { return depyf::is_word(*word, length); }))
      return word->line;
  }
  return -1;
}

std::int32_t Words::line_of_placeholder(Lines between) { return last_between(between, {kPassWord, kEllipsisWord}); }

std::int32_t Words::length_at(std::int32_t line, Column column) {
  const auto& words = source_words();
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

void Words::find_empty_blocks(ast::Block& body, End end, bool with_lines) {
  empty_blocks_.clear();
  std::size_t ended = 0;  // number of blocks whose following line is known
  std::int32_t line = 0;
  std::vector<Step> todo{{{}, {}, {{}, 0, end}}};
  while (!todo.empty()) {
    const Step step = todo.back();
    todo.pop_back();
    if (step.lines.first >= 0) {
      for (; ended < empty_blocks_.size(); ++ended) empty_blocks_[ended].between.last = step.lines.first;
      line = step.lines.last;
    }
    if (step.statement.valid()) {
      push_children(step, with_lines, todo);
      continue;
    }
    if (step.lines.first >= 0) continue;
    const ast::Block& inner = block_of(tree_, body, step.block.owner, step.block.number);
    if (inner.empty() ? !step.block.owner.valid() : inner.size() == 1 && is_word(inner[0], step.block.end)) {
      empty_blocks_.push_back(step.block);
      empty_blocks_.back().between = {line, std::numeric_limits<std::int32_t>::max()};
      continue;
    }
    for (auto k = inner.size(); k-- > 0;) {
      if (!with_lines && !ast::has_blocks(tree_.stmts[inner[k]].node)) continue;
      const End at_end = k + 1 == inner.size() ? step.block.end : End::kOther;
      todo.push_back({{}, inner[k], {{}, 0, at_end}});
    }
  }
}

void Words::push_children(const Step& step, bool with_lines, std::vector<Step>& todo) const {
  const auto& n = tree_.stmts[step.statement].node;
  const auto add_lines = [&](ast::AnyId node) {
    if (!with_lines) return;
    const Lines lines = columns_.lines_of({node});
    if (lines.first >= 0) todo.push_back({lines, {}, {}});
  };
  if (!ast::has_blocks(n)) return add_lines(step.statement);
  const auto begin = static_cast<std::ptrdiff_t>(todo.size());
  std::size_t number = 0;
  const auto add_block = [&](const ast::Block& b) {
    const End end = exits_.end_of(n, number, b, step.block.end);
    if (!ast::is_scope(n) && !b.empty()) todo.push_back({{}, {}, {step.statement, number, end}});
    ++number;
  };
  ast::for_each_child(n, add_lines, add_lines, add_block);
  std::reverse(todo.begin() + begin, todo.end());
}

std::int32_t Words::length_between(Lines lines) const {
  std::int32_t length = 0;
  for (auto p = std::ranges::lower_bound(source_words_, lines.first, {}, &SourcePosition::line);
       p != source_words_.end() && p->line < lines.last; ++p) {
    const bool is_below = lines.first > 0 && p->line > lines.first;  // on the same line, the word may follow a colon
    if (is_below && (p->column == 0 || p->column % kIndent != 0)) continue;
    const auto own = p->end_column - p->column;
    if (length != 0 && length != own) return 0;
    length = own;
  }
  return length;
}

}  // namespace depyf::idiom
