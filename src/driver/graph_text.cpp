// SPDX-License-Identifier: MIT
// Prints the lifted graph, one paragraph per node, in code order.
//
// The first line has the number, * for an exception handler, its handler's node, and the kinds of stack entries at the
// start. The statements follow, then the successors. Nothing parses this text.
#include "driver/graph_text.h"

#include <algorithm>
#include <vector>

#include "print/print.h"

namespace depyf {

namespace {

std::string_view role_name(lift::LKind kind) {
  switch (kind) {
    case lift::LKind::kStmt: return "";
    case lift::LKind::kWithEnter: return "<with enter>";
    case lift::LKind::kWithStore: return "<with target>";
    case lift::LKind::kWithExit: return "<with exit>";
    case lift::LKind::kForStore: return "<for target>";
    case lift::LKind::kLoopExit: return "<leave loop>";
    case lift::LKind::kFinallyExit: return "<finally>";
    case lift::LKind::kExcStore: return "<exception target>";
    case lift::LKind::kPopExcept: return "<leave except>";
    case lift::LKind::kReraise: return "<reraise>";
    case lift::LKind::kAppend: return "<append>";
    case lift::LKind::kRestore: return "<restore>";
  }
  return "";
}

char stack_letter(lift::ValueKind kind) {
  switch (kind) {
    case lift::ValueKind::kExc: return 'E';
    case lift::ValueKind::kIter: return 'I';
    case lift::ValueKind::kForItem: return 'F';
    case lift::ValueKind::kWithExit: return 'W';
    case lift::ValueKind::kWithValue: return 'V';
    default: return '.';
  }
}

std::string expr_text(const lift::Unit& unit, ast::ExprId expr) {
  if (!expr.valid()) return "";
  auto text = print_expr(unit.code, unit.ast, expr, unit.dialect);
  return text ? *text : "?";
}

std::string stmt_text(const lift::Unit& unit, const lift::LStmt& s) {
  if (s.kind != lift::LKind::kStmt)
    return "    " + std::string(role_name(s.kind)) + " " + expr_text(unit, s.expr) + "\n";
  auto printed = print(unit.code, unit.ast, {s.stmt}, unit.dialect, PrintOptions{});
  std::string out, text = printed ? printed->text : "?\n";
  for (std::size_t at = 0; at < text.size();) {
    auto end = text.find('\n', at);
    end = end == std::string::npos ? text.size() : end;
    if (end > at) out += "    " + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return out;
}

std::string end_text(const lift::Unit& unit, const structure::Node& n) {
  const auto to = [](std::uint32_t s) { return s == structure::kNone ? std::string("-") : std::to_string(s); };
  const auto targets = " -> " + to(n.t) + " else " + to(n.f);
  switch (n.state.end) {
    case lift::EndKind::kFall: return "-> " + to(n.t);
    case lift::EndKind::kBranch: return "if " + expr_text(unit, n.state.cond) + targets;
    case lift::EndKind::kExcBranch: return "except " + expr_text(unit, n.state.cond) + targets;
    case lift::EndKind::kFor: return "for" + targets;
    case lift::EndKind::kCase: return "case of " + expr_text(unit, n.state.cond) + targets;
    case lift::EndKind::kReturn: return "end";
  }
  return "";
}

}  // namespace

std::string graph_text(const lift::Unit& unit, const structure::Graph& graph) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i)
    if (graph.nodes[i].alive) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return graph.nodes[a].order < graph.nodes[b].order; });
  std::string out;
  for (auto i : order) {
    const auto& n = graph.nodes[i];
    out += std::to_string(i) + (n.is_handler ? "*" : "");
    if (n.handler.block.valid()) out += " in " + std::to_string(graph.of_block[n.handler.block.n]);
    out += " [";
    for (std::size_t d = 0; d < n.entry.size(); ++d) out += stack_letter(n.entry[d].kind);
    out += "]\n";
    for (const auto& s : n.state.stmts) out += stmt_text(unit, s);
    out += "  " + end_text(unit, n) + "\n";
  }
  return out;
}

}  // namespace depyf
