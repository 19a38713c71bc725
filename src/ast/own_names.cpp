// SPDX-License-Identifier: MIT
// Collects the names of a scope; see own_names.h.
#include "ast/own_names.h"

#include "ast/targets.h"
#include "ast/walk.h"

namespace depyf::ast {

namespace {

class Collector {
 public:
  explicit Collector(Tree& tree) : tree_(tree) {}

  OwnNames run(const Block& block) {
    walk(tree_, block, *this);
    while (!pending_.empty()) {
      const ExprId e = pending_.back();
      pending_.pop_back();
      walk(tree_, e, *this);
    }
    return std::move(names_);
  }

  bool operator()(StmtId s) { return statement(tree_.stmts[s].node); }
  bool operator()(ExprId e) { return expression(tree_.exprs[e].node); }
  bool operator()(PatternId p) { return pattern(tree_.patterns[p].node); }

 private:
  void bind(NameId name) {
    if (name.valid()) names_.bound.insert(name);
  }

  auto binder() {
    return [this](ExprId e) {
      if (const auto* n = std::get_if<Name>(&tree_.exprs[e].node)) bind(n->id);
    };
  }

  bool statement(const StmtNode& node) {
    if (const auto* f = std::get_if<FunctionDef>(&node)) bind(f->name);
    if (const auto* c = std::get_if<ClassDef>(&node)) bind(c->name);
    if (is_scope(node)) {  // decorators, defaults, annotations, bases and keywords are evaluated in this scope
      for_each_child_expr(node, [&](ExprId e) { pending_.push_back(e); });
      return false;
    }
    for_each_target(tree_, node, binder());
    if (const auto* t = std::get_if<Try>(&node))
      for (const auto& handler : t->handlers) bind(handler.name);
    if (const auto* t = std::get_if<TypeAlias>(&node)) bind(t->name);
    if (const auto* i = std::get_if<Import>(&node)) bind_imports(i->names);
    if (const auto* i = std::get_if<ImportFrom>(&node)) bind_imports(i->names);
    return true;
  }

  void bind_imports(const std::vector<Alias>& names) {
    for (const auto& alias : names) {
      bind(alias.asname);
      if (!alias.asname.valid()) bind(tree_.intern(alias.name.substr(0, alias.name.find('.'))));
    }
  }

  bool expression(const ExprNode& node) {
    if (const auto* n = std::get_if<Name>(&node)) names_.mentioned.insert(n->id);
    if (const auto* w = std::get_if<NamedExpr>(&node)) for_each_target(tree_, w->target, binder());
    if (const auto* l = std::get_if<Lambda>(&node)) {
      for_each_child_expr(node, [&](ExprId e) {
        if (e != l->body) pending_.push_back(e);
      });
      return false;
    }
    const auto* c = std::get_if<Comprehension>(&node);
    if (c == nullptr) return true;
    if (!c->generators.empty()) pending_.push_back(c->generators[0].iter);
    bind_walrus_targets(*c);
    return false;
  }

  void bind_walrus_targets(const Comprehension& c) {
    const auto visit = [this](ExprId e) {
      const auto& node = tree_.exprs[e].node;
      if (const auto* w = std::get_if<NamedExpr>(&node)) for_each_target(tree_, w->target, binder());
      return !std::holds_alternative<Lambda>(node);
    };
    for_each_child_expr(c, [&](const ExprId& e) { walk(tree_, e, visit); });
  }

  bool pattern(const PatternNode& node) {
    if (const auto* a = std::get_if<MatchAs>(&node)) bind(a->name);
    if (const auto* s = std::get_if<MatchStar>(&node)) bind(s->name);
    if (const auto* m = std::get_if<MatchMapping>(&node)) bind(m->rest);
    return true;
  }

  Tree& tree_;
  ExprIds pending_;
  OwnNames names_;
};

}  // namespace

OwnNames own_names(Tree& tree, const Block& block) { return Collector(tree).run(block); }

}  // namespace depyf::ast
