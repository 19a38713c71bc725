// SPDX-License-Identifier: MIT
// Definitions of code objects that are used as values; see code_values.h.
#include "driver/code_values.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace depyf::driver {

namespace {

// Each level of nesting doubles the backslashes of string literals, so this also limits the length of the text.
constexpr std::uint32_t kMaxDepth = 8;

// A code object and its children as a tree of their own.
struct Subtree {
  CodeTree tree;
  std::vector<CodeId> codes;  // by CodeId: the id in the original tree
};

class Copier {
 public:
  explicit Copier(const CodeTree& from) : from_(from) { out_.tree.version = from.version; }

  Subtree copy(CodeId root) && {
    add(root, {});
    for (std::uint32_t i = 0; i < out_.codes.size(); ++i)
      for (const ConstId constant_id : from_.codes[out_.codes[i]].consts) {
        const ConstId copy = constant(constant_id, CodeId{i});
        out_.tree.codes[CodeId{i}].consts.push_back(copy);
      }
    return std::move(out_);
  }

 private:
  CodeId add(CodeId old, CodeId parent) {
    const auto [it, is_new] = codes_.emplace(old.n, out_.codes.size());
    if (!is_new) return CodeId{it->second};
    CodeObject code = from_.codes[old];
    code.parent = parent;
    code.consts.clear();
    out_.codes.push_back(old);
    return out_.tree.codes.add(std::move(code));
  }
  // Copies a constant; its items are copied before it.
  ConstId constant(ConstId root, CodeId holder) {
    std::vector<ConstId> todo{root};
    while (!todo.empty()) {
      const ConstId at = todo.back();
      Constant value = from_.consts[at];
      bool is_ready = true;
      for_each_item(value, [&](ConstId& item) {
        const auto copied = consts_.find(item.n);
        if (copied != consts_.end()) {
          item = ConstId{copied->second};
        } else {
          todo.push_back(item);
          is_ready = false;
        }
      });
      if (!is_ready) continue;
      todo.pop_back();
      if (consts_.contains(at.n)) continue;
      if (auto* code = std::get_if<ConstCode>(&value)) code->code = add(code->code, holder);
      consts_.emplace(at.n, out_.tree.consts.add(std::move(value)).n);
    }
    return ConstId{consts_.at(root.n)};
  }

  const CodeTree& from_;
  Subtree out_;
  std::unordered_map<std::uint32_t, std::uint32_t> codes_, consts_;
};

// Builds `compile(…)` and the expression that finds the code object in the result.
class CompileExpression {
 public:
  CompileExpression(ast::Tree& tree, const ast::Origin& at) : tree_(tree), at_(at) {}

  ast::ExprId make(const CodeObject& co, const Rooted& rooted, std::uint32_t outer_flags) {
    ast::Call compiled{name("compile"), {string(rooted.full_text), string(co.filename), string(rooted.mode)}, {}};
    const std::uint32_t flags = rooted.root_depth > 0 ? co.flags & kCoFutureFlags : 0;
    if (flags != 0) compiled.keywords.push_back(keyword("flags", expr(ast::IntLiteral{flags})));
    if (flags != 0 || outer_flags != 0) compiled.keywords.push_back(keyword("dont_inherit", expr(ast::IntLiteral{1})));
    ast::ExprId value = expr(std::move(compiled));
    for (std::uint32_t i = 0; i < rooted.root_depth; ++i) value = child(value);
    ast::Keywords replacements;
    const std::string compiled_name = rooted.root_depth > 0 ? rooted.root_name : "<module>";
    const std::string qualname_prefix = rooted.root_depth > 1 ? "__outer__.<locals>." : "";
    if (compiled_name != co.name) replacements.push_back(keyword("co_name", string(co.name)));
    if (!co.qualname.empty() && qualname_prefix + compiled_name != co.qualname)
      replacements.push_back(keyword("co_qualname", string(co.qualname)));
    if (replacements.empty()) return value;
    return expr(ast::Call{expr(ast::Attribute{value, tree_.intern("replace")}), {}, std::move(replacements)});
  }

 private:
  ast::ExprId expr(ast::ExprNode node) { return tree_.expr(std::move(node), at_); }
  ast::ExprId name(std::string_view text) { return expr(ast::Name{tree_.intern(text)}); }
  ast::ExprId string(std::string_view text) { return expr(ast::StrLiteral{std::string(text)}); }
  ast::Keyword keyword(std::string_view text, ast::ExprId value) { return {tree_.intern(text), value}; }
  // Returns `next(code for code in ….co_consts if hasattr(code, 'co_code'))`: the only code object in co_consts
  ast::ExprId child(ast::ExprId by) {
    const ast::ExprId consts = expr(ast::Attribute{by, tree_.intern("co_consts")});
    const ast::ExprId test = expr(ast::Call{name("hasattr"), {name("code"), string("co_code")}, {}});
    const ast::ExprId all = expr(ast::Comprehension{
        ast::ComprehensionKind::kGenerator, name("code"), {}, {{name("code"), consts, {test}, false}}});
    return expr(ast::Call{name("next"), {all}, {}});
  }

  ast::Tree& tree_;
  ast::Origin at_;
};

}  // namespace

Result<ast::Block> code_definitions(Work& w, const std::set<CodeId>& used, const std::vector<std::string>& names,
                                    const Embedding& embedding) {
  ast::Block out;
  DecompileOptions options = w.options;
  options.function_name.clear();
  options.code_names.clear();
  options.recompiler_surrounds = false;
  for (const CodeId code : used) {
    const ast::Origin at{w.tree.root(), 0};
    const Subtree part = Copier(w.tree).copy(code);
    Embedding inner{embedding.depth + 1, {}};  // other names, since both texts may have the same globals
    for (const CodeId original : part.codes)
      inner.numbers.push_back(embedding.numbers.empty() ? original.n : embedding.numbers[original.n]);
    auto rooted = embedding.depth < kMaxDepth
                      ? decompile_root(part.tree, options, inner)
                      : Result<Rooted>(Error{Errc::kLimitExceeded, kNowhere, "code objects as values nest too deeply"});
    if (!rooted) {
      if (rooted.error().code == Errc::kInterrupted) return rooted.error();
      out.push_back(w.ast.stmt(ast::Comment{names[code.n] + ": not decompiled: " + rooted.error().what}, at));
      continue;
    }
    for (Verdict& verdict : rooted->out.verdicts) {
      verdict.code = part.codes[verdict.code.n];
      w.value_verdicts.push_back(std::move(verdict));
    }
    const auto outer_flags = w.tree.codes[w.tree.root()].flags & kCoFutureFlags;
    const ast::ExprId value = CompileExpression(w.ast, at).make(w.tree.codes[code], *rooted, outer_flags);
    const ast::ExprId target = w.ast.expr(ast::Name{w.ast.intern(names[code.n])}, at);
    out.push_back(w.ast.stmt(ast::Assign{{target}, value}, at));
  }
  return out;
}

}  // namespace depyf::driver
