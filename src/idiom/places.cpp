// SPDX-License-Identifier: MIT
// Source positions of nodes; see places.h.
#include "idiom/places.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "ast/negation.h"
#include "support/small_vector.h"

namespace depyf::idiom {

namespace {

// Returns the line table's entry for an instruction; null for another code object and for nodes without instruction.
const SourcePosition* line_table_entry(SourcePositions& positions, CodeId code, ast::Origin origin) {
  return origin.code == code && origin.offset != 0 ? positions.at(origin.offset) : nullptr;
}

}  // namespace

const SourcePosition* NodePositions::position_of(ast::StmtId s) const {
  return line_table_entry(positions_, code_, tree_.stmts[s].origin);
}

const SourcePosition* NodePositions::position_of(ast::Origin origin) const {
  const auto* p = line_table_entry(positions_, code_, origin);
  return p != nullptr && p->column >= 0 ? p : nullptr;
}

std::int32_t NodePositions::line_of(ast::StmtId s) const {
  const auto* p = line_table_entry(positions_, code_, tree_.stmts[s].origin);
  return p != nullptr ? p->line : -1;
}

std::int32_t NodePositions::line_at(std::uint32_t offset) const {
  const auto* p = positions_.at(offset);
  return p != nullptr ? p->line : -1;
}

std::int32_t NodePositions::line_of_exit_after(ast::StmtId s) const {
  const auto& [n, origin] = tree_.stmts[s];
  return ast::has_blocks(n) || origin.code != code_ ? -1 : positions_.line_of_exit_after(origin.offset);
}

const Instruction* NodePositions::fallthrough_of_test(ast::ExprId test, bool holds) const {
  bool outcome = holds;  // of `e`, the operand that is evaluated last
  for (auto e = test;;) {
    const auto& [n, origin] = tree_.exprs[e];
    if (const auto operand = ast::without_not(tree_, e); operand.valid()) {
      e = operand, outcome = !outcome;
    } else if (const auto* operation = std::get_if<ast::BoolOp>(&n)) {
      e = ast::operands(tree_, *operation).back();
    } else {
      const auto* next = origin.code == code_ ? positions_.after_test(origin.offset) : nullptr;
      return next != nullptr && (std::prev(next)->op == Op::POP_JUMP_IF_FALSE) == outcome ? next : nullptr;
    }
  }
}

std::optional<WrittenReturn> NodePositions::written_return(ast::StmtId s) const {
  const auto& [n, origin] = tree_.stmts[s];
  const bool returns = std::holds_alternative<ast::Return>(n) && position_of(origin) != nullptr;
  return returns ? positions_.written_return(origin.offset) : std::nullopt;
}

Start NodePositions::start_of(ast::ExprId e) const {
  Start start;
  include_in_start(e, start);
  return start;
}

std::optional<SourcePosition> NodePositions::extent(ast::ExprId of, Extents* known) const {
  std::optional<SourcePosition> out;
  const auto include = [&](const SourcePosition& p) {
    if (!out) out = p;
    if (std::pair(p.line, p.column) < std::pair(out->line, out->column)) {
      out->line = p.line;
      out->column = p.column;
    }
    if (std::pair(p.end_line, p.end_column) > std::pair(out->end_line, out->end_column)) {
      out->end_line = p.end_line;
      out->end_column = p.end_column;
    }
  };
  ast::walk(tree_, of, [&](ast::ExprId e) {
    if (known != nullptr)
      if (const auto inner = known->find(e.n); inner != known->end()) {
        if (inner->second) include(*inner->second);
        return false;
      }
    if (const auto* p = position_of(tree_.exprs[e].origin); p != nullptr) include(*p);
    return true;
  });
  if (known != nullptr) known->emplace(of.n, out);
  return out;
}

Start NodePositions::statement_start(ast::StmtId s) const {
  const auto& [n, origin] = tree_.stmts[s];
  Start start;
  if (const auto written = written_return(s)) return {position_of(origin)->line, written->column};
  const auto start_with_keyword = [&](ast::ExprId first, Column keyword) {
    start = start_of(first);
    if (start.known()) start.column -= keyword;
  };
  if (const auto* loop = std::get_if<ast::For>(&n); loop != nullptr && !loop->is_async)
    start_with_keyword(loop->target, 4);
  if (const auto* with = std::get_if<ast::With>(&n); with != nullptr && !with->is_async)
    start_with_keyword(with->items[0].context, 5);
  if (const auto* deletion = std::get_if<ast::Delete>(&n)) start_with_keyword(deletion->targets[0], 4);
  if (ast::is<ast::Assign, ast::AugAssign, ast::Assert, ast::ExprStmt, ast::Raise, ast::Import, ast::ImportFrom>(n)) {
    include_in_start(tree_.stmts[s].origin, start);
    ast::for_each_child_expr(n, [&](ast::ExprId e) { include_in_start(e, start); });
  }
  if (const auto* r = std::get_if<ast::Return>(&n); r != nullptr && r->value.valid()) {
    if (const auto* value = origin.code == code_ ? positions_.place_of_returned_constant(origin.offset) : nullptr) {
      start = {value->line, value->column - (kReturnWord + 1)};
      return is_aligned(start) ? start : Start{};
    }
    include_in_start(tree_.stmts[s].origin, start);
    Start value;
    include_in_start(tree_.exprs[r->value].origin, value);
    // The position of the `return` is that of a constant value, of the `with` statement that it leaves, or of the end
    // of the `finally` clause that it leaves. Then the position of the value is used.
    const auto* own = position_of(origin);
    const bool ends_before = own != nullptr && value.known() && own->end_line >= 0 && own->end_line < value.line;
    if (value.known() && (!is_aligned(start) || value.is_before(start) || ends_before)) start_with_keyword(r->value, 7);
  }
  return is_aligned(start) ? start : Start{};
}

Lines NodePositions::lines_of(ast::AnyIds nodes) const {
  Lines lines;
  const auto include = [&](ast::Origin origin) {
    const auto* p = line_table_entry(positions_, code_, origin);
    if (p == nullptr) return true;
    lines.first = lines.first < 0 ? p->line : std::min(lines.first, p->line);
    lines.last = std::max(lines.last, p->end_line);
    return true;
  };
  Overloaded visit{[&](ast::ExprId e) { return include(tree_.exprs[e].origin); },
                   [&](ast::StmtId s) { return include(tree_.stmts[s].origin); }};
  ast::walk(tree_, std::move(nodes), visit);
  return lines;
}

std::int32_t NodePositions::last_line_with_exit(const ast::Block& block) const {
  if (block.size() < 2 || !ast::is<ast::Break, ast::Continue>(tree_.stmts[block.back()].node))
    return last_line(block.back());
  const auto before = block[block.size() - 2];
  return std::max(last_line(before), line_of_exit_after(before));
}

std::int32_t NodePositions::first_line(ast::StmtId s) const {
  const auto& n = tree_.stmts[s].node;
  const auto* test = std::get_if<ast::If>(&n);
  const auto* with = std::get_if<ast::With>(&n);
  const auto* r = std::get_if<ast::Return>(&n);
  const auto line = test != nullptr                    ? lines_of({ast::AnyId{test->test}}).first
                    : with != nullptr                  ? lines_of({ast::AnyId{with->items[0].context}}).first
                    : r != nullptr && r->value.valid() ? lines_of({ast::AnyId{r->value}}).first
                                                       : -1;
  return line >= 0 ? line : lines_of({ast::AnyId{s}}).first;
}

bool NodePositions::is_right_below(ast::ExprId test, ast::StmtId s) const {
  const auto last = lines_of({ast::AnyId{test}}).last;
  return last >= 0 && first_line(s) - (ast::is<ast::Try>(tree_.stmts[s].node) ? 1 : 0) == last + 1;
}

void NodePositions::include_in_start(ast::Origin origin, Start& start) const {
  if (origin.code != code_ || origin.offset == 0) return;
  const auto* p = positions_.at(origin.offset);
  if (p == nullptr || p->column < 0) return;
  if (const Start here{p->line, p->column}; !start.known() || here.is_before(start)) start = here;
}

void NodePositions::include_in_start(ast::ExprId e, Start& start) const {
  for (SmallVector<ast::ExprId, 32> todo{e}; !todo.empty();) {
    const auto& [n, origin] = tree_.exprs[todo.back()];
    todo.pop_back();
    include_in_start(origin, start);
    // The literal parts of an f-string that was a `%` operation have other positions.
    if (!ast::is<ast::Lambda, ast::Comprehension, ast::JoinedStr>(n))
      ast::for_each_child_expr(n, [&](ast::ExprId child) { todo.push_back(child); });
  }
}

std::int32_t NodePositions::last_line(const ast::ExceptHandler& clause) const {
  const auto& body = clause.body;
  if (!ast::is<ast::Continue>(tree_.stmts[body.back()].node)) return last_line(body.back());
  if (body.size() > 1) return last_line(body[body.size() - 2]);
  return clause.type.valid() ? lines_of({ast::AnyId{clause.type}}).last : -1;
}

}  // namespace depyf::idiom
