// SPDX-License-Identifier: MIT
// Preserves names that only dead code in an inlined comprehension uses; see dead_names.h.
//
// An inlined comprehension saves each variable that it binds, and those that comprehensions within it bind and it does
// not mention (inline_comprehension in Python/symtable.c, codegen_push_inlined_comprehension_locals in
// Python/codegen.c). Of the code after a constant test, the compiler leaves nothing but these saved variables. So a
// clause that never runs is added to bind such variables, and an operand that is never evaluated to share or mention
// them.
#include "structure/expr/dead_names.h"

#include <algorithm>

#include "ast/own_names.h"
#include "ast/targets.h"
#include "ast/walk.h"

namespace depyf::structure {

namespace {

using ast::NameId;
using ast::NameSet;

// How a comprehension's text uses names, except in the iterable of its first clause, which is evaluated outside.
class Names {
 public:
  Names(const ast::Tree& tree, const ast::Comprehension& made) : tree_(tree) {
    visit_clauses(made, kOwn);
    while (!todo_.empty()) {
      const auto [e, scope] = todo_.back();
      todo_.pop_back();
      visit(e, scope);
    }
  }

  NameSet bound, mentioned;
  NameSet inner;      // bound by an inlined comprehension within it
  NameSet shared;     // mentioned by a function within it
  ExprIds free_uses;  // names that no inlined comprehension within it binds

 private:
  using ScopeId = std::size_t;
  static constexpr ScopeId kOwn = 0;  // the scope of the comprehension itself

  void visit_clauses(const ast::Comprehension& c, ScopeId scope) {
    for (std::size_t i = 0; i < c.generators.size(); ++i) {
      const auto& g = c.generators[i];
      bind(g.target, scope == kOwn ? bound : inner);
      if (scope != kOwn) bind(g.target, scopes_[scope].bound);
      todo_.push_back({g.target, scope});
      if (i > 0) todo_.push_back({g.iter, scope});
      for (const ExprId test : g.ifs) todo_.push_back({test, scope});
    }
    todo_.push_back({c.elt, scope});
    todo_.push_back({c.value, scope});
  }
  void bind(ExprId target, NameSet& names) const {
    ast::for_each_target(tree_, target, [&](ExprId e) {
      if (const auto* n = std::get_if<ast::Name>(&tree_.exprs[e].node)) names.insert(n->id);
    });
  }
  void visit(ExprId e, ScopeId scope) {
    if (!e.valid()) return;
    const auto& node = tree_.exprs[e].node;
    if (const auto* n = std::get_if<ast::Name>(&node)) {
      if (scope == kOwn) mentioned.insert(n->id);
      if (is_free(n->id, scope)) free_uses.push_back(e);
    }
    if (const auto* w = std::get_if<ast::NamedExpr>(&node)) bind(w->target, scope == kOwn ? bound : inner);
    const auto* c = std::get_if<ast::Comprehension>(&node);
    const bool is_generator = c != nullptr && c->kind == ast::ComprehensionKind::kGenerator;
    if (is_generator || ast::is<ast::Lambda>(node)) add_shared(e);
    if (c != nullptr) {
      todo_.push_back({c->generators[0].iter, scope});
      if (is_generator) return;
      scopes_.push_back({scope, {}});
      visit_clauses(*c, scopes_.size() - 1);
    } else if (!ast::is<ast::Lambda>(node)) {
      ast::for_each_child_expr(node, [&](ExprId child) { todo_.push_back({child, scope}); });
    }
  }
  bool is_free(NameId name, ScopeId scope) const {
    for (; scope != kOwn; scope = scopes_[scope].parent)
      if (scopes_[scope].bound.contains(name)) return false;
    return true;
  }
  // Adds the names that a lambda or generator expression shares: those that it mentions but does not bind, without the
  // iterable with which a generator is called.
  void add_shared(ExprId e) {
    NameSet mentioned_inside, own;
    const auto* generator = std::get_if<ast::Comprehension>(&tree_.exprs[e].node);
    const ExprId argument = generator != nullptr ? generator->generators[0].iter : ExprId{};
    const auto parameters = [&](const ast::Arguments& of) {
      for (const auto* list : {&of.posonly, &of.args, &of.kwonly})
        for (const auto& p : *list) own.insert(p.name);
      for (const auto* p : {&of.vararg, &of.kwarg})
        if (*p) own.insert((*p)->name);
    };
    ast::walk(tree_, e,
              Overloaded{[](ast::StmtId) { return true; }, [](ast::PatternId) { return true; },
                         [&](ExprId x) {
                           if (x == argument) return false;
                           const auto& node = tree_.exprs[x].node;
                           if (const auto* n = std::get_if<ast::Name>(&node)) mentioned_inside.insert(n->id);
                           if (const auto* c = std::get_if<ast::Comprehension>(&node))
                             for (const auto& g : c->generators) bind(g.target, own);
                           if (const auto* l = std::get_if<ast::Lambda>(&node)) parameters(*l->args);
                           return true;
                         }});
    for (const NameId name : mentioned_inside.names())
      if (!own.contains(name)) shared.insert(name);
  }

  struct Part {
    ExprId expr;
    ScopeId scope;
  };
  struct Scope {  // of an inlined comprehension within it
    ScopeId parent;
    NameSet bound;
  };
  const ast::Tree& tree_;
  std::vector<Part> todo_;
  std::vector<Scope> scopes_{{kOwn, {}}};
};

class Keeper {
 public:
  Keeper(lift::Unit& unit, const lift::Lifter& lifter, const Graph& graph, ast::Comprehension& made)
      : ast_(unit.ast), lifter_(lifter), g_(graph), comprehension_(made), names_(unit.ast, made) {}

  void add_saved(const Value& value) {
    saved_.insert(value.name);
    if (value.name == lifter_.argument) return;
    if (!names_.bound.contains(value.name)) {
      // Names bound by a comprehension within this one are saved unless this one mentions them.
      const bool reads = reads_variable(value.name);
      const bool is_implied =
          names_.mentioned.contains(value.name) ? is_class() : names_.inner.contains(value.name) && !reads;
      // A function within this one shares another variable of that name, so a comprehension within it must bind this
      // one.
      const bool is_inner = value.b == 0 && names_.shared.contains(value.name);
      if (!is_implied && is_inner)
        dead_.push_back(binding_comprehension(value.name));
      else if (!is_implied)
        bindings_.push_back({value.name, value.b == 0 && !reads && is_global(value.name)});
    }
    if (value.b != 0 && !names_.shared.contains(value.name))
      dead_.push_back(ast_.expr(ast::Lambda{{}, name_expr(value.name)}, {}));
  }

  void finish() {
    for (const NameId name : names_.inner.names())
      if (!is_class() && !saved_.contains(name) && !names_.mentioned.contains(name)) dead_.push_back(name_expr(name));
    const bool is_dead = !comprehension_.elt.valid() && !comprehension_.value.valid();
    auto clauses = bind(is_dead);
    if (is_dead)
      comprehension_.generators.insert(comprehension_.generators.end(), clauses.begin(), clauses.end());
    else if (!clauses.empty())
      dead_ = {ast_.expr(
          ast::Comprehension{ast::ComprehensionKind::kList, tuple_of(std::move(dead_)), {}, std::move(clauses)}, {})};
    if (is_dead) {
      comprehension_.elt = tuple_of(std::move(dead_));
      if (comprehension_.kind == ast::ComprehensionKind::kDict) comprehension_.value = number(0);
    } else if (!dead_.empty() && comprehension_.elt.valid() &&
               !ast::is<ast::Starred>(ast_.exprs[comprehension_.elt].node)) {
      comprehension_.elt = ast_.expr(ast::IfExp{number(1), comprehension_.elt, tuple_of(std::move(dead_))}, {});
    }
  }

 private:
  // Returns clauses that bind the names in `bindings_`, in their order if they belong to the comprehension itself. A
  // `:=` after all of them becomes an operand.
  std::vector<ast::Generator> bind(bool is_dead) {
    std::vector<ast::Generator> out;
    ExprIds targets, operands;
    const auto close = [&] {
      if (!targets.empty()) out.push_back({tuple_of(std::move(targets)), ast_.expr(ast::Tuple{}, {}), {}, false});
      targets.clear();
    };
    for (const auto& [name, is_walrus] : bindings_) {
      if (is_walrus) {
        if (is_dead) close();
        operands.push_back(ast_.expr(ast::NamedExpr{name_expr(name), number(0)}, {}));
        continue;
      }
      if (is_dead && !operands.empty()) {
        auto& ifs = out.empty() ? comprehension_.generators.back().ifs : out.back().ifs;
        ifs.insert(ifs.end(), operands.begin(), operands.end());
        operands.clear();
      }
      targets.push_back(name_expr(name));
    }
    close();
    dead_.insert(dead_.begin(), operands.begin(), operands.end());
    return out;
  }
  // Returns whether code in a module's comprehension reads the name as a local variable, which then belongs to the
  // comprehension.
  [[nodiscard]] bool reads_variable(NameId name) const {
    if (is_optimized() || is_class()) return false;
    return std::ranges::any_of(names_.free_uses, [&](ExprId e) {
      const auto& use = ast_.exprs[e];
      return std::get<ast::Name>(use.node).id == name && loads_variable(use.origin.offset, name);
    });
  }
  [[nodiscard]] bool loads_variable(std::uint32_t offset, NameId name) const {
    for (const auto& line : g_.code)
      for (const auto& i : line)
        if (i.offset == offset && i.op == Op::LOAD_FAST && lifter_.locals[i.arg] == name) return true;
    return false;
  }
  [[nodiscard]] bool is_optimized() const { return (lifter_.co.flags & kCoOptimized) != 0; }
  // In a class body, a comprehension saves all names that it mentions.
  [[nodiscard]] bool is_class() const { return !is_optimized() && lifter_.co.parent.valid(); }
  // Returns whether the name is a global: a module's comprehension saves a name that it binds by `:=` although it is a
  // global.
  [[nodiscard]] bool is_global(NameId name) const {
    if (is_optimized() || is_class()) return false;
    for (const auto& line : g_.code)
      for (const auto& i : line)
        if (is_one_of<Op::LOAD_GLOBAL, Op::STORE_GLOBAL, Op::DELETE_GLOBAL>(i.op) && lifter_.names[i.arg] == name)
          return true;
    return false;
  }
  ExprId binding_comprehension(NameId name) {
    ast::Comprehension made{ast::ComprehensionKind::kList, number(0), {}, {}};
    made.generators.push_back({name_expr(name), ast_.expr(ast::Tuple{}, {}), {}, false});
    return ast_.expr(std::move(made), {});
  }
  [[nodiscard]] ExprId number(std::int64_t value) { return ast_.expr(ast::IntLiteral{value}, {}); }
  [[nodiscard]] ExprId name_expr(NameId name) { return ast_.expr(ast::Name{name}, {}); }
  ExprId tuple_of(ExprIds items) {
    if (items.empty()) return number(0);
    return items.size() == 1 ? items[0] : ast_.expr(ast::Tuple{std::move(items)}, {});
  }

  ast::Tree& ast_;
  const lift::Lifter& lifter_;
  const Graph& g_;
  ast::Comprehension& comprehension_;
  const Names names_;
  NameSet saved_;
  struct Binding {
    NameId name;
    bool is_walrus;
  };
  std::vector<Binding> bindings_;  // names that the text does not imply
  ExprIds dead_;                   // operands that are never evaluated
};

}  // namespace

void keep_dead_names(lift::Unit& unit, const lift::Lifter& lifter, const Graph& graph, const lift::Stack& stack,
                     ast::Comprehension& made) {
  const std::size_t end = stack.size() - 2;
  std::size_t first = end;
  while (first > 0 && stack[first - 1].kind == ValueKind::kCleared) --first;
  Keeper keeper(unit, lifter, graph, made);
  // SWAP has exchanged the last saved entry with the iterator.
  for (std::size_t i = first + 1; i < end; ++i) keeper.add_saved(stack[i]);
  if (first < end) keeper.add_saved(stack[first]);
  keeper.finish();
}

}  // namespace depyf::structure
