// SPDX-License-Identifier: MIT
// Predicates on single nodes: how they leave constructs, and whether they do more than that.
#include "structure/region/predicates.h"

#include <algorithm>
#include <set>

#include "ast/constants.h"
#include "cfg/shapes.h"

namespace depyf::structure {

ast::NameId dropped_name(const lift::Unit& unit, const Stmts& s, std::size_t at) {
  if (at + 1 >= s.size() || s[at].kind != LKind::kStmt || s[at + 1].kind != LKind::kStmt) return {};
  const auto* assign = std::get_if<ast::Assign>(&unit.ast.stmts[s[at].stmt].node);
  const auto* del = std::get_if<ast::Delete>(&unit.ast.stmts[s[at + 1].stmt].node);
  if (assign == nullptr || del == nullptr || assign->targets.size() != 1 || del->targets.size() != 1 ||
      !ast::is_none(unit.ast, unit.code, assign->value))
    return {};
  const auto* x = std::get_if<ast::Name>(&unit.ast.exprs[assign->targets[0]].node);
  const auto* y = std::get_if<ast::Name>(&unit.ast.exprs[del->targets[0]].node);
  return x != nullptr && y != nullptr && x->id == y->id ? x->id : ast::NameId{};
}

bool is_short_exit(const Node& n) { return n.state.end == EndKind::kReturn && n.state.stmts.size() <= 2; }

bool is_cleanup_only(const LiftedCode& code, std::uint32_t n) {
  const auto& node = code.node(n);
  if (node.state.end != EndKind::kFall || node.is_handler) return false;
  const auto& s = node.state.stmts;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (!leaves_construct(s[i].kind)) return false;
    if (s[i].kind == LKind::kPopExcept && dropped_name(code.unit, s, i + 1).valid()) i += 2;
  }
  return !s.empty();
}

std::uint32_t skip_cleanup(const LiftedCode& code, std::uint32_t n, const Loop* loop) {
  const auto stops = [&] { return loop != nullptr && loop->has_edge_to(n); };
  for (std::size_t i = 0; n != kNone && !stops() && is_cleanup_only(code, n) && i < code.graph.nodes.size(); ++i)
    n = code.node(n).t;
  return n;
}

bool exits_handler(const LiftedCode& code, std::uint32_t n) {
  const auto& s = code.node(n).state.stmts;
  return is_cleanup_only(code, n) &&
         std::any_of(s.begin(), s.end(), [](const LStmt& x) { return x.kind == LKind::kPopExcept; });
}

bool is_constant_return(const LiftedCode& code, std::uint32_t n) {
  if (n == kNone) return false;
  const auto& s = code.node(n).state.stmts;
  if (code.node(n).state.end != EndKind::kReturn || s.empty()) return false;
  if (!std::all_of(s.begin(), s.end() - 1, [](const LStmt& x) { return leaves_construct(x.kind); })) return false;
  const auto& last = s.back();
  if (last.kind == LKind::kReraise) return true;
  const auto* r = return_of(code.unit, last);
  if (r == nullptr) return false;
  return !r->value.valid() || ast::is_constant(code.unit.ast, r->value) ||
         (code.duplication == TailDuplication::kAll && code.unit.is_temp(r->value));  // a slot that contains it
}

bool may_return_inside(const LiftedCode& code, std::uint32_t n) {
  if (!is_constant_return(code, n)) return false;
  const auto& last = code.node(n).state.stmts.back();
  if (!code.unit.dialect.folds_arithmetic_after_tests || last.kind != LKind::kStmt) return true;
  const auto value = std::get<ast::Return>(code.unit.ast.stmts[last.stmt].node).value;
  const auto* number = value.valid() ? std::get_if<ast::IntLiteral>(&code.unit.ast.exprs[value].node) : nullptr;
  if (number != nullptr) return number->value >= 0;
  const Constant* constant = value.valid() ? ast::constant_of(code.unit.ast, code.unit.code, value) : nullptr;
  return constant == nullptr || !is_folded_late(*constant);
}

bool returns_none(const LiftedCode& code, std::uint32_t n) {
  if (!is_constant_return(code, n) || code.node(n).state.stmts.back().kind != LKind::kStmt) return false;
  const auto& r = std::get<ast::Return>(code.unit.ast.stmts[code.node(n).state.stmts.back().stmt].node);
  return !r.value.valid() || ast::is_none(code.unit.ast, code.unit.code, r.value);
}

bool ends_finally(const Node& n) {
  const auto& s = n.state;
  return s.end == EndKind::kReturn && !s.stmts.empty() && s.stmts.back().kind == LKind::kReraise;
}

bool only_reraises(const Node& n) { return ends_finally(n) && n.state.stmts.size() == 1; }

bool is_end_of_finally(const LiftedCode& code, std::uint32_t follow) {
  return follow == kNone || only_reraises(code.node(follow));
}

bool exits_finally(const LiftedCode& code, std::uint32_t n, std::uint32_t follow) {
  std::vector<std::uint32_t> todo{n};
  std::set<std::uint32_t> seen{follow};
  while (!todo.empty()) {
    const auto x = todo.back();
    todo.pop_back();
    if (x == kNone || !seen.insert(x).second) continue;
    if (ends_finally(code.node(x))) return true;
    todo.push_back(code.node(x).t);
    todo.push_back(code.node(x).f);
  }
  return false;
}

bool has_single_entry(const Node& body, LKind kind) {
  return body.preds == 1 || body.state.stmts.empty() || body.state.stmts[0].kind != kind;
}

std::optional<ExprId> raised_assertion(const LiftedCode& code, std::uint32_t m) {
  const auto& s = code.node(m).state;
  if (s.end != EndKind::kReturn || s.stmts.size() != 1 || s.stmts[0].kind != LKind::kStmt) return std::nullopt;
  return code.unit.assert_message(code.unit.ast.stmts[s.stmts[0].stmt].node);
}

// 3.8 unbinds x and then leaves the handler if the clause reaches its end; for return, break and continue, the order is
// the other. A finally body is entered by BEGIN_FINALLY or CALL_FINALLY; the exit of a with statement ends with
// END_FINALLY or POP_FINALLY (compiler_try_except, compiler_unwind_fblock).
ExitKind exit_kind(const LiftedCode& code, std::uint32_t n) {
  const auto& s = code.node(n).state.stmts;
  if (code.unit.dialect.call_finally && s.size() > 1 && s[s.size() - 2].kind == LKind::kFinallyExit &&
      s[s.size() - 2].exit_flag == kEndlessExit)
    return ExitKind::kAbrupt;
  if (code.node(n).state.end != EndKind::kFall || s.empty()) return ExitKind::kUnknown;
  const bool has_name = s.size() >= 3 && dropped_name(code.unit, s, s.size() - 2).valid();
  const auto& last = s[has_name ? s.size() - 3 : s.size() - 1];
  if (!leaves_construct(last.kind) || last.kind == LKind::kLoopExit) return ExitKind::kUnknown;
  if (last.exit_flag == kFallThroughExit) return ExitKind::kFallThrough;
  return last.exit_flag == kAbruptExit || (has_name && code.unit.dialect.call_finally) ? ExitKind::kAbrupt
                                                                                       : ExitKind::kUnknown;
}

}  // namespace depyf::structure
