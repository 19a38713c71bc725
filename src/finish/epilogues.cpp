// SPDX-License-Identifier: MIT
// Ends of modules and class bodies; see epilogues.h.
//
// Small exit blocks are duplicated at the jumps to them (inline_small_or_no_lineno_blocks in Python/flowgraph.c), so a
// branch may end in `__static_attributes__ = ...; return None` although the source just falls through. A return is
// dropped where nothing but such an end can follow, and is a `break` in a loop that nothing else follows.
#include "finish/epilogues.h"

#include <algorithm>

#include "ast/constants.h"
#include "ast/walk.h"

namespace depyf::finish {

namespace {

using ast::ExprId;
using ast::ExprIds;

// The mark of a cell, which a class body leaves to type.__new__ (Lifter::as_expr).
bool is_cell(const lift::Unit& unit, ExprId e) {
  const auto* n = std::get_if<ast::Name>(&unit.ast.exprs[e].node);
  return n != nullptr && unit.ast.text(n->id) == "__cell__";
}

class Ends {
 public:
  Ends(lift::Unit& unit, CodeId code) : unit_(unit), co_(unit.code.codes[code]), code_(code) {}

  bool run(ast::Block& block) {
    if (!visit(block, Leave::kFall, 0)) return false;
    if (said_ && !co_.parent.valid()) block.push_back(*said_);  // of a body taken alone it is a statement like others
    return true;
  }

 private:
  // What a return at the end of a block may be replaced with.
  enum class Leave : std::uint8_t { kNever, kFall, kBreak };

  ast::StmtId stmt(ast::StmtNode n) { return unit_.ast.stmt(std::move(n), {code_, 0}); }

  // return None; return __class__'s cell, which a class body leaves to type.__new__
  bool returns(ast::StmtId s) const {
    const auto* r = std::get_if<ast::Return>(&unit_.ast.stmts[s].node);
    if (r == nullptr) return false;
    if (r->value.valid() && is_cell(unit_, r->value)) return is_class_body(co_);
    return !r->value.valid() || ast::is_none(unit_.ast, unit_.code, r->value);
  }

  bool is_epilogue_store(ast::StmtId s) {
    const auto* a = std::get_if<ast::Assign>(&unit_.ast.stmts[s].node);
    if (!is_class_body(co_) || a == nullptr) return false;
    const bool ends = std::all_of(a->targets.begin(), a->targets.end(), [&](ExprId t) {
      const auto* n = std::get_if<ast::Name>(&unit_.ast.exprs[t].node);
      return n != nullptr && is_class_epilogue(unit_.ast.text(n->id));
    });
    if (ends && !is_cell(unit_, a->value)) said_ = s;
    return ends;
  }

  bool visit(ast::Block& block, Leave leave, int depth) {
    if (depth > 100) return false;
    // what follows statement i in this block is an end
    std::size_t end = block.size();
    const bool breaks = end > 0 && std::holds_alternative<ast::Break>(unit_.ast.stmts[block.back()].node);
    if (breaks && leave == Leave::kBreak) --end;
    while (end > 0 && (returns(block[end - 1]) || is_epilogue_store(block[end - 1]))) --end;
    for (std::size_t i = 0; i < end; ++i) {
      if (std::holds_alternative<ast::Return>(unit_.ast.stmts[block[i]].node)) return false;
      if (ast::Block* orelse = leave == Leave::kFall && i + 1 != end ? else_after_return(block[i]) : nullptr) {
        const auto rest = block.begin() + static_cast<std::ptrdiff_t>(i) + 1;
        const auto last = block.begin() + static_cast<std::ptrdiff_t>(end);
        orelse->assign(rest, last);
        block.erase(rest, last);
        end = i + 1;
      }
      const Leave inner = leave == Leave::kFall && i + 1 != end ? Leave::kNever : leave;
      if (!nested(block[i], inner, depth + 1)) return false;
    }
    if (end == block.size()) return true;
    if (leave != Leave::kFall && !breaks && !returns(block.back())) return true;
    if (leave == Leave::kNever) return false;
    block.resize(end);
    if (leave == Leave::kBreak) block.push_back(stmt(ast::Break{}));
    return true;
  }

  // The else, still empty, of an `if` whose body returns at its end, or of a loop that returns: without a `break` of its
  // own, that was a `break` past the else.
  ast::Block* else_after_return(ast::StmtId s) {
    auto& node = unit_.ast.stmts[s].node;
    if (auto* i = std::get_if<ast::If>(&node))
      return i->orelse.empty() && !i->body.empty() && returns(i->body.back()) ? &i->orelse : nullptr;
    auto* f = std::get_if<ast::For>(&node);
    auto* w = std::get_if<ast::While>(&node);
    if (f == nullptr && w == nullptr) return nullptr;
    auto& orelse = f != nullptr ? f->orelse : w->orelse;
    bool found = false, breaks = !orelse.empty();
    ast::walk(unit_.ast, f != nullptr ? f->body : w->body, [&](ast::StmtId x) {
      const auto& inner = unit_.ast.stmts[x].node;
      found = found || ast::is<ast::Return>(inner);
      breaks = breaks || ast::is<ast::Break>(inner);
      return !ast::is_scope(inner);
    });
    return found && !breaks ? &orelse : nullptr;
  }

  bool nested(ast::StmtId s, Leave leave, int depth) {
    auto node = unit_.ast.stmts[s].node;
    const Leave loop = leave == Leave::kFall ? Leave::kBreak : Leave::kNever;
    bool good = true;
    const auto in = [&](ast::Block& b, Leave how) {
      const bool empty = b.empty();
      good = good && visit(b, how, depth);
      if (!empty && b.empty()) b.push_back(stmt(ast::Pass{}));
    };
    if (auto* i = std::get_if<ast::If>(&node)) {
      in(i->body, leave);
      in(i->orelse, leave);
      if (ast::is_pass(unit_.ast, i->orelse)) i->orelse.clear();
    } else if (auto* f = std::get_if<ast::For>(&node)) {
      in(f->body, loop);
      in(f->orelse, leave);
    } else if (auto* w = std::get_if<ast::While>(&node)) {
      in(w->body, loop);
      in(w->orelse, leave);
    } else if (auto* x = std::get_if<ast::With>(&node)) {
      in(x->body, leave);
    } else if (auto* m = std::get_if<ast::Match>(&node)) {
      for (auto& c : m->cases) in(c.body, leave);
    } else if (auto* t = std::get_if<ast::Try>(&node)) {
      in(t->body, t->orelse.empty() || leave == Leave::kBreak ? leave : Leave::kNever);
      for (auto& h : t->handlers) in(h.body, leave);
      in(t->orelse, leave);
      in(t->finalbody, Leave::kNever);
    } else {
      return true;
    }
    unit_.ast.stmts[s].node = std::move(node);
    return good;
  }

  lift::Unit& unit_;
  const CodeObject& co_;
  CodeId code_;
  std::optional<ast::StmtId> said_;  // what ends a class body and is no cell
};

constexpr int kDeepest = 200;  // arms within each other that may be one value

}  // namespace

ExprId returned_value(lift::Unit& unit, CodeId code, const ast::Block& b, int depth) {
  // What follows a statement is written once for each of its arms that comes to its end: many within each other are no value.
  constexpr int kMostNested = 8;
  if (b.empty() || depth > kDeepest) return {};
  if (const auto* r = std::get_if<ast::Return>(&unit.ast.stmts[b[0]].node)) return r->value;
  const ast::Block rest(b.begin() + 1, b.end());
  if (ast::is<ast::Pass>(unit.ast.stmts[b[0]].node)) return returned_value(unit, code, rest, depth);
  const auto* i = std::get_if<ast::If>(&unit.ast.stmts[b[0]].node);
  if (i == nullptr) return {};
  const auto way = [&](ast::Block arm) {
    const bool more = !arm.empty() && !rest.empty() && !ast::is<ast::Return>(unit.ast.stmts[arm.back()].node);
    arm.insert(arm.end(), rest.begin(), rest.end());
    return returned_value(unit, code, arm, depth + (more ? kDeepest / kMostNested : 1));
  };
  const ast::If branch = *i;
  const ExprId x = way(branch.body), y = way(branch.orelse);
  return x.valid() && y.valid() ? unit.ast.expr(ast::IfExp{branch.test, x, y}, {code, 0}) : ExprId{};
}

bool gives_value(const lift::Unit& unit, CodeId code, const ast::Block& block) {
  const auto& co = unit.code.codes[code];
  if (co.parent.valid() || (co.flags & kCoOptimized) != 0) return false;
  bool found = false;
  ast::walk(unit.ast, block, [&](ast::StmtId s) {
    const auto& node = unit.ast.stmts[s].node;
    if (const auto* r = std::get_if<ast::Return>(&node); r != nullptr && r->value.valid())  // a cell: of a class body
      found = found || !(ast::is_none(unit.ast, unit.code, r->value) || is_cell(unit, r->value));
    return !found && !ast::is_scope(node);
  });
  return found;
}

bool become_value(lift::Unit& unit, CodeId code, ast::Block& block) {
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

bool drop_returns(lift::Unit& unit, CodeId code, ast::Block& block) { return Ends(unit, code).run(block); }

}  // namespace depyf::finish
