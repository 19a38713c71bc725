// SPDX-License-Identifier: MIT
// See private_names.h. Statements are visited in the order in which the compiler visits them.
#include "idiom/private_names.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "ast/walk.h"
#include "idiom/attribute_calls.h"

namespace depyf::idiom {

namespace {

using ast::Block;
using ast::ExprId;
using ast::NameId;
using ast::StmtId;

std::string mangled(std::string_view cls, std::string_view name) {
  const auto first = std::min(cls.find_first_not_of('_'), cls.size());
  cls.remove_prefix(first);
  return cls.empty() ? std::string(name) : "_" + std::string(cls) + std::string(name);
}

class Visit {
 public:
  Visit(ast::Tree& tree, const std::vector<std::string>& class_names, NameId nameless)
      : tree_(tree), class_names_(class_names), nameless_(nameless) {}

  void run(const Block& top) {
    push(top);
    while (!todo_.empty()) {
      const Task task = std::move(todo_.back());
      todo_.pop_back();
      if (task.stmt.valid())
        statement(task.stmt);
      else
        in_force_ = task.in_force;
    }
  }

 private:
  struct Task {  // a statement; none: from here on another class's name is in force
    StmtId stmt;
    std::string in_force;
  };

  void push(const Block& block) {
    for (auto s = block.rbegin(); s != block.rend(); ++s) todo_.push_back({*s, {}});
  }
  void push(std::string in_force) { todo_.push_back({StmtId{}, std::move(in_force)}); }

  [[nodiscard]] static bool is_private(std::string_view name) {
    return name.starts_with("__") && !name.ends_with("__") && name.find('.') == std::string_view::npos;
  }
  // What the name is in the original, where the text's would be another.
  [[nodiscard]] std::optional<std::string> otherwise(const ast::Attribute& a, const ast::Origin& at) const {
    const auto name = tree_.text(a.attr);
    if (!is_private(name) || !at.code.valid() || at.code.n >= class_names_.size()) return std::nullopt;
    std::string original = mangled(class_names_[at.code.n], name);
    return original != mangled(in_force_, name) ? std::optional(std::move(original)) : std::nullopt;
  }
  // Whether it is said by its name now.
  bool renamed(ExprId e, const std::string& original) {
    if (is_private(original)) return false;
    std::get<ast::Attribute>(tree_.exprs[e].node).attr = tree_.intern(original);
    return true;
  }

  void expression(ExprId e) {
    const auto* a = std::get_if<ast::Attribute>(&tree_.exprs[e].node);
    const auto at = tree_.exprs[e].origin;
    const auto original = a != nullptr ? otherwise(*a, at) : std::nullopt;
    if (!original || renamed(e, *original) || targets_.contains(e.n)) return;
    tree_.exprs[e].node = attribute_read(tree_, ast::Attribute{std::get<ast::Attribute>(tree_.exprs[e].node)}, at);
  }

  // All expressions of a statement but those in its blocks. What is stored to is not read.
  void expressions(StmtId s) {
    std::vector<ExprId> all;
    const auto add = [&](ExprId e) { return all.push_back(e), true; };
    ast::for_each_child(
        tree_.stmts[s].node, [&](ExprId e) { ast::walk(tree_, e, add); },
        [&](ast::PatternId p) { ast::walk(tree_, ast::AnyIds{ast::AnyId{p}}, add); }, [](const Block&) {});
    for (const ExprId e : all) expression(e);
  }

  void target(ExprId top) {
    std::vector<ExprId> todo{top};
    while (!todo.empty()) {
      const ExprId e = todo.back();
      todo.pop_back();
      targets_.insert(e.n);
      const auto& node = tree_.exprs[e].node;
      if (const auto* t = std::get_if<ast::Tuple>(&node)) todo.insert(todo.end(), t->elts.begin(), t->elts.end());
      if (const auto* l = std::get_if<ast::List>(&node)) todo.insert(todo.end(), l->elts.begin(), l->elts.end());
      if (const auto* x = std::get_if<ast::Starred>(&node)) todo.push_back(x->value);
    }
  }

  // A statement that stores or deletes one attribute becomes a call.
  void stored(StmtId s) {
    const auto at = tree_.stmts[s].origin;
    const auto attribute = [&](const ast::ExprIds& targets) -> std::optional<ast::Attribute> {
      if (targets.size() != 1) return std::nullopt;
      const auto* a = std::get_if<ast::Attribute>(&tree_.exprs[targets[0]].node);
      const auto original = a != nullptr ? otherwise(*a, tree_.exprs[targets[0]].origin) : std::nullopt;
      return original && is_private(*original) ? std::optional(*a) : std::nullopt;
    };
    if (const auto* assign = std::get_if<ast::Assign>(&tree_.stmts[s].node)) {
      for (const ExprId t : assign->targets) target(t);
      const ExprId value = assign->value;
      if (const auto a = attribute(assign->targets)) tree_.stmts[s].node = attribute_stored(tree_, *a, value, at);
    } else if (const auto* gone = std::get_if<ast::Delete>(&tree_.stmts[s].node)) {
      for (const ExprId t : gone->targets) target(t);
      if (const auto a = attribute(gone->targets)) tree_.stmts[s].node = attribute_deleted(tree_, *a, at);
    } else if (const auto* aug = std::get_if<ast::AugAssign>(&tree_.stmts[s].node)) {
      target(aug->target);
    } else if (const auto* loop = std::get_if<ast::For>(&tree_.stmts[s].node)) {
      target(loop->target);
    } else if (const auto* with = std::get_if<ast::With>(&tree_.stmts[s].node)) {
      for (const auto& item : with->items)
        if (item.vars.valid()) target(item.vars);
    }
  }

  // Whether a target of the statement is mangled by a class around or before it, and must not be.
  [[nodiscard]] bool stores_otherwise(StmtId s) const {
    bool found = false;
    const auto look = [&](ExprId e) {
      const auto* a = std::get_if<ast::Attribute>(&tree_.exprs[e].node);
      const auto original =
          a != nullptr && targets_.contains(e.n) ? otherwise(*a, tree_.exprs[e].origin) : std::nullopt;
      found = found || (original && is_private(*original));
      return !found;
    };
    ast::for_each_child_expr(tree_.stmts[s].node, [&](ExprId e) { ast::walk(tree_, e, look); });
    return found;
  }

  // if 0: a class without a name to mangle by; else: the statement.
  StmtId unmangled(StmtId s) {
    const auto at = tree_.stmts[s].origin;
    ast::ClassDef none;
    none.name = nameless_;
    none.type_params.push_back({ast::TypeParam::Kind::kTypeVar, tree_.intern("T"), {}, {}});
    none.body = {tree_.stmt(ast::Pass{}, at)};
    const StmtId cls = tree_.stmt(std::move(none), at), inner = tree_.stmt(ast::StmtNode(tree_.stmts[s].node), at);
    const ExprId never = tree_.expr(ast::IntLiteral{0}, at);
    tree_.stmts[s].node = ast::If{never, {cls}, {inner}};
    in_force_ = tree_.text(nameless_);
    return inner;
  }

  void statement(StmtId s) {
    stored(s);
    if (stores_otherwise(s)) s = unmangled(s);
    expressions(s);
    const auto& node = tree_.stmts[s].node;
    if (const auto* f = std::get_if<ast::FunctionDef>(&node)) {
      push(in_force_);
      push(f->body);
    } else if (const auto* c = std::get_if<ast::ClassDef>(&node)) {
      const std::string name(tree_.text(c->name));
      push(c->type_params.empty() ? in_force_ : name);
      push(c->body);
      push(name);
    } else if (const auto* t = std::get_if<ast::Try>(&node)) {
      push(t->finalbody);
      if (t->is_star) push(t->orelse);
      for (auto h = t->handlers.rbegin(); h != t->handlers.rend(); ++h) push(h->body);
      if (!t->is_star) push(t->orelse);
      push(t->body);
    } else {
      std::vector<const Block*> blocks;
      ast::for_each_child_block(node, [&](const Block& b) { blocks.push_back(&b); });
      for (auto b = blocks.rbegin(); b != blocks.rend(); ++b) push(**b);
    }
  }

  ast::Tree& tree_;
  const std::vector<std::string>& class_names_;
  NameId nameless_;
  std::vector<Task> todo_;
  std::set<std::uint32_t> targets_;  // expressions that are stored to or deleted
  std::string in_force_;
};

}  // namespace

void spell_private_names(ast::Tree& tree, const Block& top, const std::vector<std::string>& class_names,
                         ast::NameId nameless) {
  Visit(tree, class_names, nameless).run(top);
}

}  // namespace depyf::idiom
