// SPDX-License-Identifier: MIT
// Moves lazy imports out of `try` statements, where the compiler rejects them (codegen_import in Python/codegen.c).
//
// A dispatch loop puts statements into a `try` that were in none. `exec("lazy import m")` compiles the import as a
// statement of a module, and exec() uses the namespace of the module that calls it.
#include <algorithm>
#include <optional>
#include <string>

#include "ast/walk.h"
#include "finish/body_context.h"

namespace depyf::finish {

namespace {

std::string alias_list(const BodyContext& ctx, const std::vector<ast::Alias>& names) {
  std::string out;
  for (const auto& alias : names) {
    out += (out.empty() ? "" : ", ") + alias.name;
    if (alias.asname.valid()) out += " as " + std::string(ctx.unit.ast.text(alias.asname));
  }
  return out;
}

// Returns the source of a lazy import; nullopt for any other statement.
std::optional<std::string> lazy_import(const BodyContext& ctx, const ast::StmtNode& node) {
  if (const auto* n = std::get_if<ast::Import>(&node); n != nullptr && n->is_lazy)
    return "lazy import " + alias_list(ctx, n->names);
  if (const auto* n = std::get_if<ast::ImportFrom>(&node); n != nullptr && n->is_lazy)
    return "lazy from " + std::string(n->level, '.') + n->module + " import " + alias_list(ctx, n->names);
  return std::nullopt;
}

}  // namespace

void execute_lazy_imports(BodyContext& ctx, const ast::Block& b) {
  const auto is_lazy = [](const Instruction& i) { return i.op == Op::IMPORT_NAME && (i.flags & kLazyImport) != 0; };
  if (std::ranges::none_of(ctx.bytecode.code, is_lazy)) return;
  ast::ExprId exec;
  const auto execute = [&](ast::StmtId s) {
    auto text = lazy_import(ctx, ctx.node(s));
    if (!text) return !ast::is_scope(ctx.node(s));
    if (!exec.valid()) {
      exec = ctx.expr(ast::Name{ctx.unit.ast.intern("exec")});
      if (lift::is_name_used(ctx.unit.code, "exec")) {
        const auto import = ctx.expr(ast::Name{ctx.unit.ast.intern("__import__")});
        const auto module = ctx.expr(ast::Call{import, {ctx.expr(ast::StrLiteral{"builtins"})}, {}});
        exec = ctx.expr(ast::Attribute{module, ctx.unit.ast.intern("exec")});
      }
    }
    const auto call = ctx.expr(ast::Call{exec, {ctx.expr(ast::StrLiteral{std::move(*text)})}, {}});
    ctx.unit.ast.stmts[s].node = ast::ExprStmt{call};
    return true;
  };
  ast::walk(ctx.unit.ast, b, [&](ast::StmtId s) {
    if (!std::holds_alternative<ast::Try>(ctx.node(s))) return !ast::is_scope(ctx.node(s));
    ast::walk(ctx.unit.ast, ast::Block{s}, execute);
    return false;
  });
}

}  // namespace depyf::finish
