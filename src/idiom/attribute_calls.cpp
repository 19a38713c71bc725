// SPDX-License-Identifier: MIT
// See attribute_calls.h.
#include "idiom/attribute_calls.h"

#include <string>
#include <utility>

namespace depyf::idiom {

namespace {

ast::ExprId named(ast::Tree& tree, std::string_view text, const ast::Origin& at) {
  return tree.expr(ast::Name{tree.intern(text)}, at);
}

ast::ExprId text(ast::Tree& tree, ast::NameId id, const ast::Origin& at) {
  return tree.expr(ast::StrLiteral{std::string(tree.text(id))}, at);
}

}  // namespace

ast::ExprId builtin_call(ast::Tree& tree, std::string_view function, ast::ExprIds args, const ast::Origin& at) {
  const ast::ExprId callee = named(tree, function, at);
  return tree.expr(ast::Call{callee, std::move(args), {}}, at);
}

ast::ExprNode attribute_read(ast::Tree& tree, const ast::Attribute& attribute, const ast::Origin& at) {
  const ast::ExprId object = attribute.value, callee = named(tree, "getattr", at);
  return ast::Call{callee, {object, text(tree, attribute.attr, at)}, {}};
}

// The value is evaluated before the object: `(lambda value, object: setattr(object, 'name', value))(value, object)`.
ast::StmtNode attribute_stored(ast::Tree& tree, const ast::Attribute& attribute, ast::ExprId value,
                               const ast::Origin& at) {
  const ast::ExprId object = attribute.value, attr = text(tree, attribute.attr, at);
  const ast::NameId v = tree.intern("value"), o = tree.intern("object");
  const ast::ExprId body =
      builtin_call(tree, "setattr", {named(tree, "object", at), attr, named(tree, "value", at)}, at);
  ast::Lambda setter{{}, body};
  setter.args->args = {{v, {}, {}}, {o, {}, {}}};
  const ast::ExprId function = tree.expr(std::move(setter), at);
  return ast::ExprStmt{tree.expr(ast::Call{function, {value, object}, {}}, at)};
}

ast::StmtNode attribute_deleted(ast::Tree& tree, const ast::Attribute& attribute, const ast::Origin& at) {
  const ast::ExprId object = attribute.value;
  return ast::ExprStmt{builtin_call(tree, "delattr", {object, text(tree, attribute.attr, at)}, at)};
}

}  // namespace depyf::idiom
