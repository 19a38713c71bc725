// SPDX-License-Identifier: MIT
// Removes the returns of module and class bodies; see epilogues.h.
//
// The compiler duplicates small exit blocks at the jumps to them (inline_small_or_no_lineno_blocks in
// Python/flowgraph.c), so a branch may end in `__static_attributes__ = ...; return None` although the source just falls
// through. A return is dropped where only such an epilogue can follow. In a loop with nothing after it, it becomes a
// `break`.
#include "finish/epilogues.h"

#include <algorithm>

#include "ast/constants.h"
#include "ast/walk.h"
#include "support/small_vector.h"

namespace depyf::finish {

namespace {

using ast::ExprId;
using ast::ExprIds;

// Returns whether this is the placeholder of a cell, which a class body returns to type.__new__ (Lifter::as_expr).
bool is_cell(const lift::Unit& unit, ExprId e) {
  const auto* n = std::get_if<ast::Name>(&unit.ast.exprs[e].node);
  return n != nullptr && unit.ast.text(n->id) == "__cell__";
}

class EpilogueRemover {
 public:
  EpilogueRemover(lift::Unit& unit, CodeId code)
      : unit_(unit),
        co_(unit.code.codes[code]),
        pass_(unit.ast.stmt(ast::Pass{}, {code, 0})),
        break_(unit.ast.stmt(ast::Break{}, {code, 0})) {}

  bool run(ast::Block& block) {
    if (!trim(block, Exit::kFall)) return false;
    while (!todo_.empty()) {
      const auto [inner, exit, is_else] = todo_.back();
      todo_.pop_back();
      const bool was_empty = inner->empty();
      if (!trim(*inner, exit)) return false;
      if (inner->empty() && !was_empty && !is_else) inner->push_back(pass_);
      if (is_else && ast::is_pass(unit_.ast, *inner)) inner->clear();
    }
    if (epilogue_store_ && !co_.parent.valid()) block.push_back(*epilogue_store_);  // a statement like others
    return true;
  }

 private:
  // What may replace a return at the end of a block: nothing, falling through, or `break`.
  enum class Exit : std::uint8_t { kNever, kFall, kBreak };

  struct Part {
    ast::Block* block;
    Exit exit;
    bool is_else = false;  // the else of an `if`, which may be empty
  };

  // Returns whether the statement returns None or, at the end of a class body, the cell of __class__.
  bool returns(ast::StmtId s) const {
    const auto* r = std::get_if<ast::Return>(&unit_.ast.stmts[s].node);
    if (r == nullptr) return false;
    if (r->value.valid() && is_cell(unit_, r->value)) return is_class_body(co_);
    return !r->value.valid() || ast::is_none(unit_.ast, unit_.code, r->value);
  }

  bool is_epilogue_store(ast::StmtId s) {
    const auto* a = std::get_if<ast::Assign>(&unit_.ast.stmts[s].node);
    if (!is_class_body(co_) || a == nullptr) return false;
    const bool is_epilogue = std::all_of(a->targets.begin(), a->targets.end(), [&](ExprId t) {
      const auto* n = std::get_if<ast::Name>(&unit_.ast.exprs[t].node);
      return n != nullptr && is_class_epilogue(unit_.ast.text(n->id));
    });
    if (is_epilogue && !is_cell(unit_, a->value)) epilogue_store_ = s;
    return is_epilogue;
  }

  bool trim(ast::Block& block, Exit exit) {
    // statements from `end` on are an epilogue
    std::size_t end = block.size();
    const bool breaks = end > 0 && std::holds_alternative<ast::Break>(unit_.ast.stmts[block.back()].node);
    if (breaks && exit == Exit::kBreak) --end;
    while (end > 0 && (returns(block[end - 1]) || is_epilogue_store(block[end - 1]))) --end;
    for (std::size_t i = 0; i < end; ++i) {
      if (std::holds_alternative<ast::Return>(unit_.ast.stmts[block[i]].node)) return false;
      if (ast::Block* orelse = exit == Exit::kFall && i + 1 != end ? else_after_return(block[i]) : nullptr) {
        const auto rest = block.begin() + static_cast<std::ptrdiff_t>(i) + 1;
        const auto last = block.begin() + static_cast<std::ptrdiff_t>(end);
        orelse->assign(rest, last);
        block.erase(rest, last);
        end = i + 1;
      }
      push_parts(block[i], exit == Exit::kFall && i + 1 != end ? Exit::kNever : exit);
    }
    if (end == block.size()) return true;
    if (exit != Exit::kFall && !breaks && !returns(block.back())) return true;
    if (exit == Exit::kNever) return false;
    block.resize(end);
    if (exit == Exit::kBreak) block.push_back(break_);
    return true;
  }

  // Returns the empty `else` of an `if` whose body ends in a return, or of a loop that contains a return and no
  // `break`: there the return becomes a `break`, which skips the else. Returns nullptr for other statements.
  ast::Block* else_after_return(ast::StmtId s) {
    auto& node = unit_.ast.stmts[s].node;
    if (auto* i = std::get_if<ast::If>(&node))
      return i->orelse.empty() && !i->body.empty() && returns(i->body.back()) ? &i->orelse : nullptr;
    auto* f = std::get_if<ast::For>(&node);
    auto* w = std::get_if<ast::While>(&node);
    if (f == nullptr && w == nullptr) return nullptr;
    auto& orelse = f != nullptr ? f->orelse : w->orelse;
    bool has_return = false, breaks = !orelse.empty();
    ast::walk(unit_.ast, f != nullptr ? f->body : w->body, [&](ast::StmtId x) {
      const auto& inner = unit_.ast.stmts[x].node;
      has_return = has_return || ast::is<ast::Return>(inner);
      breaks = breaks || ast::is<ast::Break>(inner);
      return !ast::is_scope(inner);
    });
    return has_return && !breaks ? &orelse : nullptr;
  }

  void push_parts(ast::StmtId s, Exit exit) {
    auto& node = unit_.ast.stmts[s].node;
    const Exit loop = exit == Exit::kFall ? Exit::kBreak : Exit::kNever;
    if (auto* i = std::get_if<ast::If>(&node)) {
      todo_.push_back({&i->body, exit});
      todo_.push_back({&i->orelse, exit, true});
    } else if (auto* f = std::get_if<ast::For>(&node)) {
      todo_.push_back({&f->body, loop});
      todo_.push_back({&f->orelse, exit});
    } else if (auto* w = std::get_if<ast::While>(&node)) {
      todo_.push_back({&w->body, loop});
      todo_.push_back({&w->orelse, exit});
    } else if (auto* x = std::get_if<ast::With>(&node)) {
      todo_.push_back({&x->body, exit});
    } else if (auto* m = std::get_if<ast::Match>(&node)) {
      for (auto& c : m->cases) todo_.push_back({&c.body, exit});
    } else if (auto* t = std::get_if<ast::Try>(&node)) {
      const bool is_last = t->orelse.empty() || exit == Exit::kBreak;
      todo_.push_back({&t->body, is_last ? exit : Exit::kNever});
      for (auto& h : t->handlers) todo_.push_back({&h.body, exit});
      todo_.push_back({&t->orelse, exit});
      todo_.push_back({&t->finalbody, Exit::kNever});
    }
  }

  lift::Unit& unit_;
  const CodeObject& co_;
  // Created before the walk: a new statement may move the statements that todo_ points into.
  ast::StmtId pass_, break_;
  SmallVector<Part, 16> todo_;
  std::optional<ast::StmtId> epilogue_store_;  // the last epilogue store of a class body that is no cell
};

constexpr int kMaxDepth = 200;  // greatest nesting of arms that become one expression

}  // namespace

ExprId returned_value(lift::Unit& unit, CodeId code, const ast::Block& body, int depth) {
  // The statements after an `if` are copied to each arm that falls through, so the nesting of such arms is limited.
  constexpr int kMaxNestedCopies = 8;
  struct Arm {
    ExprId test, value;
  };
  std::vector<Arm> arms;  // of an if-elif chain, which may be long
  ExprId value;
  ast::Block block = body;
  for (std::size_t at = 0; depth <= kMaxDepth && at < block.size();) {
    const auto& node = unit.ast.stmts[block[at]].node;
    const auto* end = std::get_if<ast::Return>(&node);
    if (end != nullptr) value = end->value;
    if (end != nullptr) break;
    ++at;
    if (ast::is<ast::Pass>(node)) continue;
    const auto* branch = std::get_if<ast::If>(&node);
    if (branch == nullptr) return {};
    const auto cost = [&](const ast::Block& arm) {
      const bool continues =
          at < block.size() && !arm.empty() && !ast::is<ast::Return>(unit.ast.stmts[arm.back()].node);
      return continues ? kMaxDepth / kMaxNestedCopies : 0;
    };
    const auto with_rest = [&](ast::Block arm) {
      arm.insert(arm.end(), block.begin() + static_cast<std::ptrdiff_t>(at), block.end());
      return arm;
    };
    arms.push_back({branch->test, returned_value(unit, code, with_rest(branch->body), depth + 1 + cost(branch->body))});
    if (!arms.back().value.valid()) return {};
    if (branch->orelse.empty()) continue;
    depth += cost(branch->orelse);
    block = with_rest(branch->orelse);
    at = 0;
  }
  for (; value.valid() && !arms.empty(); arms.pop_back()) {
    const auto [test, chosen] = arms.back();
    const auto item = ast::conditional_item(unit.ast, unit.code, test, chosen, value);
    value = item.valid() ? item : unit.ast.expr(ast::IfExp{test, chosen, value}, {code, 0});
  }
  return value;
}

bool is_eval_mode(const lift::Unit& unit, CodeId code, const ast::Block& block) {
  const auto& co = unit.code.codes[code];
  if (co.parent.valid() || (co.flags & kCoOptimized) != 0) return false;
  bool has_value = false;
  ast::walk(unit.ast, block, [&](ast::StmtId s) {
    const auto& node = unit.ast.stmts[s].node;
    if (const auto* r = std::get_if<ast::Return>(&node); r != nullptr && r->value.valid())  // or a class's cell
      has_value = has_value || !(ast::is_none(unit.ast, unit.code, r->value) || is_cell(unit, r->value));
    return !has_value && !ast::is_scope(node);
  });
  return has_value;
}

bool convert_to_expression(lift::Unit& unit, CodeId code, ast::Block& block) {
  const ExprId value = returned_value(unit, code, block);
  if (value.valid()) block = {unit.ast.stmt(ast::ExprStmt{value}, {code, 0})};
  return value.valid();
}

bool is_class_body(const CodeObject& co) {
  return (co.flags & kCoOptimized) == 0 && (co.parent.valid() || !co.name.starts_with('<'));
}

bool is_class_epilogue(std::string_view name) {
  return name == "__classcell__" || name == "__static_attributes__" || name == "__classdictcell__";
}

bool drop_returns(lift::Unit& unit, CodeId code, ast::Block& block) { return EpilogueRemover(unit, code).run(block); }

}  // namespace depyf::finish
