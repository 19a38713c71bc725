// SPDX-License-Identifier: MIT
// Names that no source can spell; see odd_names.h.
#include "idiom/odd_names.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ast/walk.h"
#include "support/unicode.h"

namespace depyf::idiom {

namespace {

using ast::Block;
using ast::ExprId;
using ast::ExprIds;
using ast::NameId;
using ast::StmtId;

// Expressions that say in other words what a name cannot, all of one origin.
class Words {
 public:
  Words(ast::Tree& tree, const ast::Origin& at) : tree_(tree), at_(at) {}

  ExprId expr(ast::ExprNode node) { return tree_.expr(std::move(node), at_); }
  ExprId string(std::string_view text) { return expr(ast::StrLiteral{std::string(text)}); }
  ExprId text(NameId id) { return string(std::string(tree_.text(id))); }
  ExprId named(std::string_view name) { return expr(ast::Name{tree_.intern(name)}); }
  ExprId call(ExprId callee, ExprIds args) { return expr(ast::Call{callee, std::move(args), {}}); }
  ExprId call(std::string_view builtin, ExprIds args) { return call(named(builtin), std::move(args)); }
  ExprId lambda(std::initializer_list<std::string_view> parameters, ExprId body) {
    ast::Lambda made{{}, body};
    for (const auto p : parameters) made.args->args.push_back({tree_.intern(p), {}, {}});
    return expr(std::move(made));
  }

  // The value is evaluated before the object: `(lambda value, object: setattr(object, 'name', value))(value, object)`.
  ExprId attribute_stored(const ast::Attribute& a, ExprId value) {
    const ExprId setter = call("setattr", {named("object"), text(a.attr), named("value")});
    return call(lambda({"value", "object"}, setter), {value, a.value});
  }
  // What has the attribute of an object as its item, which can be a target anywhere: `access[object] = value`.
  ExprId access(ExprId name) {
    const ExprId object = named("object"), value = named("value");
    ast::Dict methods;
    const auto add = [&](std::string_view method, std::initializer_list<std::string_view> parameters, ExprId body) {
      methods.keys.push_back(string(method));
      methods.values.push_back(lambda(parameters, body));
    };
    add("__getitem__", {"self", "object"}, call("getattr", {object, name}));
    add("__setitem__", {"self", "object", "value"}, call("setattr", {object, name, value}));
    add("__delitem__", {"self", "object"}, call("delattr", {object, name}));
    return call(call("type", {string("access"), expr(ast::Tuple{}), expr(std::move(methods))}), {});
  }
  // A variable in a dict of them, as an expression that has its value.
  ExprId variable_stored(ExprId names, NameId id, ExprId value) {
    const ExprId setter = expr(ast::Attribute{named("names"), tree_.intern("__setitem__")});
    const ExprId set = call(setter, {named("name"), named("value")});
    const ExprId both = expr(ast::Tuple{{set, named("value")}});
    const ExprId given = expr(ast::Subscript{both, expr(ast::IntLiteral{1})});
    return call(lambda({"names", "name", "value"}, given), {names, text(id), value});
  }

 private:
  ast::Tree& tree_;
  ast::Origin at_;
};

// The qualified name of what a statement makes.
std::string qualname(const CodeTree& code, const ast::Origin& at, std::string name) {
  for (CodeId p = at.code; p.valid() && code.codes[p].parent.valid(); p = code.codes[p].parent) {
    const auto& around = code.codes[p];
    const std::string_view inner = (around.flags & kCoOptimized) != 0 ? ".<locals>." : ".";
    name.insert(0, (around.qualname.empty() ? around.name : around.qualname) + std::string(inner));
    if (!around.qualname.empty()) break;
  }
  return name;
}

// Whether an instruction is one of a class body.
bool in_class(const CodeTree& code, const ast::Origin& at) {
  return at.code.valid() && (code.codes[at.code].flags & kCoOptimized) == 0 && code.codes[at.code].parent.valid();
}

// Whether a name is a variable of the function that an instruction belongs to.
bool is_local(const CodeTree& code, const ast::Tree& tree, const ast::Origin& at, NameId id) {
  if (!at.code.valid()) return false;
  const auto& c = code.codes[at.code];
  const std::string text(tree.text(id));
  for (const auto* names : {&c.varnames, &c.cellvars, &c.freevars})
    if (std::find(names->begin(), names->end(), text) != names->end()) return true;
  return false;
}

class Speller {
 public:
  Speller(const CodeTree& code, ast::Tree& tree, const ClassesInDoubt& in_doubt,
          const std::function<bool(std::string_view)>& spelt, bool any_decorator, std::set<std::string>& taken)
      : code_(code), tree_(tree), in_doubt_(in_doubt), spelt_(spelt), any_decorator_(any_decorator), taken_(taken) {}

  void run(Block& top) {
    collect(top);
    for (std::size_t i = 0, count = stmts_.size(); i < count && !in_doubt_.empty(); ++i) settle(stmts_[i]);
    if (!any_ && before_.empty()) return;
    for (std::size_t i = 0, count = stmts_.size(); i < count; ++i) replace_import(stmts_[i]);
    for (const StmtId s : stmts_) stores(s);
    for (const ExprId e : exprs_) {
      if (const auto* named = std::get_if<ast::NamedExpr>(&tree_.exprs[e].node)) stored(named->target);
      if (const auto* c = std::get_if<ast::Comprehension>(&tree_.exprs[e].node))
        for (const auto& g : c->generators) stored(g.target);
    }
    for (const StmtId s : stmts_) statement(s);
    for (const ExprId e : exprs_) expression(e);
    for (const StmtId s : stmts_) each_block(s);
    for (const StmtId s : guarded_) each_block(s);
    extend(top);
  }

 private:
  void collect(const Block& top) {
    auto sink = [&](const auto& field) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, NameId>) any_ = any_ || odd(field);
    };
    auto bind = [&](const auto& field) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, NameId>) bound_.insert(field.n);
    };
    const auto is_odd_alias = [&](const ast::Alias& a) { return is_odd_path(a.name); };
    const auto add_stmt = [&](StmtId s) {
      stmts_.push_back(s);
      const auto& node = tree_.stmts[s].node;
      ast::for_each_node_leaf(node, sink);
      ast::for_each_node_leaf(node, bind);
      if (const auto* i = std::get_if<ast::Import>(&node)) any_ = any_ || std::ranges::any_of(i->names, is_odd_alias);
      if (const auto* from = std::get_if<ast::ImportFrom>(&node)) any_ = any_ || is_odd_import(*from);
      return true;
    };
    const auto add_expr = [&](ExprId e) {
      exprs_.push_back(e);
      ast::for_each_node_leaf(std::as_const(tree_.exprs[e].node), sink);
      return true;
    };
    ast::walk(tree_, top, Overloaded{add_stmt, add_expr});
  }

  [[nodiscard]] bool odd(NameId id) {
    if (!id.valid()) return false;
    if (id.n >= known_.size()) known_.resize(std::size_t{id.n} + 1, Known::kNot);
    Known& known = known_[id.n];
    if (known == Known::kNot) known = spelt_(tree_.text(id)) ? Known::kSpelt : Known::kOdd;
    return known == Known::kOdd;
  }
  [[nodiscard]] bool is_in_doubt(const ast::Attribute& a, const ast::Origin& at) const {
    const auto& name = tree_.text(a.attr);
    return in_doubt_.contains(at.code) && name.starts_with("__") && !name.ends_with("__");
  }
  // An attribute that is in doubt is written as its name is mangled. Outside of classes it stays private, and a class
  // statement that never runs comes before its statement: what follows a class whose name is `_`s alone is not mangled
  // (_Py_Mangle()).
  void settle(StmtId s) {
    bool unmangled = false;
    const auto look = [&](ExprId e) {
      auto* a = std::get_if<ast::Attribute>(&tree_.exprs[e].node);
      const auto at = tree_.exprs[e].origin;
      if (a == nullptr || !is_in_doubt(*a, at)) return true;
      const auto& cls = in_doubt_.at(at.code);
      unmangled = unmangled || cls.empty();
      if (!cls.empty()) a->attr = tree_.intern("_" + cls + std::string(tree_.text(a->attr)));
      return true;
    };
    ast::for_each_child(
        std::as_const(tree_.stmts[s].node), [&](ExprId e) { ast::walk(tree_, e, look); },
        [&](ast::PatternId p) { ast::walk(tree_, ast::AnyIds{ast::AnyId{p}}, look); }, [](const Block&) {});
    if (!unmangled) return;
    const auto at = tree_.stmts[s].origin;
    std::string name = "__";
    while (taken_.contains(name)) name += '_';
    ast::ClassDef none;
    none.name = tree_.intern(name);
    none.type_params.push_back({ast::TypeParam::Kind::kTypeVar, tree_.intern("T"), {}, {}});
    none.body = {tree_.stmt(ast::Pass{}, at)};
    const ExprId never = tree_.expr(ast::IntLiteral{0}, at);
    before_[s.n] = tree_.stmt(ast::If{never, {tree_.stmt(std::move(none), at)}, {}}, at);
  }
  // Whether a part of a module's dotted name is one that source cannot say.
  [[nodiscard]] bool is_odd_path(std::string_view path) const {
    for (std::size_t end = 0; end != std::string_view::npos; path.remove_prefix(std::min(end + 1, path.size()))) {
      end = path.find('.');
      if (!spelt_(path.substr(0, end))) return true;
    }
    return false;
  }
  // The module of a relative import may have no name, and what it gives has one without dots.
  [[nodiscard]] bool is_odd_import(const ast::ImportFrom& from) const {
    const bool is_relative = from.module.empty() && from.level > 0;
    return (!is_relative && is_odd_path(from.module)) || from.level > ast::ImportFrom::kMostDots ||
           std::ranges::any_of(from.names, [&](const ast::Alias& a) { return a.name != "*" && !spelt_(a.name); });
  }

  // The identifier that represents a name: its letters, and a number where that is taken.
  NameId fresh(NameId id) {
    const auto known = fresh_.find(id.n);
    if (known != fresh_.end()) return known->second;
    std::string text;
    for (const char c : tree_.text(id))
      if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_') text += c;
    if (text.empty() || (text[0] >= '0' && text[0] <= '9') || !spelt_(text)) text.insert(0, "name_");
    std::string name = text;
    for (int n = 1; !taken_.insert(name).second; ++n) name = text + "_" + std::to_string(n);
    return fresh_[id.n] = tree_.intern(name);
  }
  void rename_in(auto& node) {
    const auto leaf = [&](auto&& field) {
      if constexpr (std::is_same_v<decltype(field), NameId&>)
        if (odd(field)) field = fresh(field);
    };
    ast::for_each_node_leaf(node, leaf);
  }

  void rename(ast::Keywords& keywords, const ast::Origin& at) {
    for (auto& k : keywords)
      if (odd(k.name)) {
        const ExprId key = Words(tree_, at).text(k.name);
        k = {{}, tree_.expr(ast::Dict{{key}, {k.value}}, at)};
      }
  }

  // `globals()['name']`; in a class body, whose names are its own first, `locals()['name']`.
  ast::Subscript item(NameId id, const ast::Origin& at) {
    const bool own = in_class(code_, at) && class_names_.contains({at.code.n, id.n});
    Words words(tree_, at);
    const ExprId space = words.call(own ? "locals" : "globals", {});
    return {space, words.text(id)};
  }

  // A variable with an odd name that is read. `__debug__`, None, True and False are in `builtins` too, whose value counts as
  // long as nothing is stored under the name.
  ast::ExprNode read(NameId id, const ast::Origin& at) {
    if (!is_constant_name(tree_.text(id))) return item(id, at);
    if (!bound_.contains(id.n)) return ast::Name{id};
    Words words(tree_, at);
    const auto get = [&](std::string_view space, ExprId otherwise) {
      const ExprId getter = words.expr(ast::Attribute{words.call(space, {}), tree_.intern("get")});
      return words.call(getter, {words.text(id), otherwise});
    };
    const ExprId global = get("globals", words.expr(ast::Name{id}));
    const bool own = in_class(code_, at) && class_names_.contains({at.code.n, id.n});
    return tree_.exprs[own ? get("locals", global) : global].node;
  }

  // What is stored, and which names class bodies store.
  void stored(ExprId target) {
    ExprIds todo{target};
    while (!todo.empty()) {
      const ExprId e = todo.back();
      todo.pop_back();
      const auto& expr = tree_.exprs[e];
      targets_.insert(e.n);
      if (const auto* n = std::get_if<ast::Name>(&expr.node)) {
        bound_.insert(n->id.n);
        if (in_class(code_, expr.origin)) class_names_.insert({expr.origin.code.n, n->id.n});
      } else if (const auto* t = std::get_if<ast::Tuple>(&expr.node)) {
        todo.insert(todo.end(), t->elts.begin(), t->elts.end());
      } else if (const auto* l = std::get_if<ast::List>(&expr.node)) {
        todo.insert(todo.end(), l->elts.begin(), l->elts.end());
      } else if (const auto* s = std::get_if<ast::Starred>(&expr.node)) {
        todo.push_back(s->value);
      }
    }
  }
  void stores(StmtId s) {
    const auto& node = tree_.stmts[s].node;
    if (const auto* a = std::get_if<ast::Assign>(&node))
      for (const ExprId t : a->targets) stored(t);
    if (const auto* a = std::get_if<ast::AugAssign>(&node)) stored(a->target);
    if (const auto* a = std::get_if<ast::AnnAssign>(&node)) stored(a->target);
    if (const auto* f = std::get_if<ast::For>(&node)) stored(f->target);
    if (const auto* d = std::get_if<ast::Delete>(&node))
      for (const ExprId t : d->targets) stored(t);
    if (const auto* w = std::get_if<ast::With>(&node))
      for (const auto& i : w->items)
        if (i.vars.valid()) stored(i.vars);
  }

  // What imports by a name that source cannot say, with one statement for each name that it stores.
  void replace_import(StmtId s) {
    const ast::StmtNode node = tree_.stmts[s].node;
    const ast::Origin at = tree_.stmts[s].origin;
    Words words(tree_, at);
    const auto expr = [&](ast::ExprNode n) {
      exprs_.push_back(tree_.expr(std::move(n), at));
      return exprs_.back();
    };
    const auto add = [&](ast::StmtNode n) {
      replaced_[s.n].push_back(stmts_.emplace_back(tree_.stmt(std::move(n), at)));
    };
    const auto member = [&](ExprId of, std::string_view name) { return expr(ast::Attribute{of, tree_.intern(name)}); };
    if (const auto* import = std::get_if<ast::Import>(&node)) {
      if (std::ranges::none_of(import->names, [&](const auto& a) { return is_odd_path(a.name); })) return;
      for (const auto& a : import->names) {
        ExprId module = words.call("__import__", {words.string(a.name)});
        const auto dot = std::min(a.name.find('.'), a.name.size());
        for (auto i = dot; a.asname.valid() && i < a.name.size();) {
          const auto end = std::min(a.name.find('.', i + 1), a.name.size());
          module = member(module, std::string_view(a.name).substr(i + 1, end - i - 1));
          i = end;
        }
        add(ast::Assign{{expr(ast::Name{a.asname.valid() ? a.asname : tree_.intern(a.name.substr(0, dot))})}, module});
      }
    } else if (const auto* from = std::get_if<ast::ImportFrom>(&node); from != nullptr && is_odd_import(*from)) {
      for (const auto& a : from->names) {
        const ExprId list = tree_.expr(ast::Tuple{{words.string(a.name)}}, at),
                     level = tree_.expr(ast::IntLiteral{from->level}, at);
        const ExprId module = words.call("__import__", {words.string(from->module), words.call("globals", {}),
                                                        words.call("locals", {}), list, level});
        const auto name = a.asname.valid() ? a.asname : tree_.intern(a.name);
        if (a.name == "*")
          add(ast::Raise{words.call("SystemError", {words.string("from " + from->module + " import *")}), {}});
        else
          add(ast::Assign{{expr(ast::Name{name})}, member(module, a.name)});
      }
    }
  }

  // A statement that stores a name: under the new name; where that is no variable, it is then put in its place.
  void binds(StmtId s, NameId& id, bool is_named_so = false) {
    if (!odd(id)) return;
    const auto at = tree_.stmts[s].origin;
    if (is_named_so) named_[s.n] = id;
    if (!is_local(code_, tree_, at, id)) after_[s.n].push_back(id);
    id = fresh(id);
  }

  void statement(StmtId s) {
    const auto at = tree_.stmts[s].origin;
    Words words(tree_, at);
    auto& node = tree_.stmts[s].node;
    if (auto* f = std::get_if<ast::FunctionDef>(&node)) {
      binds(s, f->name, f->decorators.empty());
    } else if (auto* c = std::get_if<ast::ClassDef>(&node)) {
      binds(s, c->name, c->decorators.empty());
      rename(c->keywords, at);
    } else if (auto* alias = std::get_if<ast::TypeAlias>(&node)) {
      binds(s, alias->name);
    } else if (auto* i = std::get_if<ast::Import>(&node)) {
      for (auto& a : i->names) binds(s, a.asname);
    } else if (auto* from = std::get_if<ast::ImportFrom>(&node)) {
      for (auto& a : from->names) binds(s, a.asname);
    } else if (auto* g = std::get_if<ast::Global>(&node)) {
      std::erase_if(g->names, [&](NameId id) { return odd(id); });
      if (g->names.empty()) node = ast::Pass{};
    } else if (auto* t = std::get_if<ast::Try>(&node)) {
      for (auto& h : t->handlers)
        if (odd(h.name) && !is_local(code_, tree_, at, h.name)) h.body = bound_within(std::move(h.body), h.name, at);
    } else if (auto* a = std::get_if<ast::Assign>(&node)) {
      if (const auto target = odd_target(a->targets)) node = ast::ExprStmt{words.attribute_stored(*target, a->value)};
    } else if (auto* d = std::get_if<ast::Delete>(&node)) {
      if (const auto gone = odd_target(d->targets))
        node = ast::ExprStmt{words.call("delattr", {gone->value, words.text(gone->attr)})};
    }
    rename_in(node);  // variables, parameters and type parameters
  }

  // The body of a handler that binds a name under another one, which is not the variable's: that is gone afterwards.
  Block bound_within(Block body, NameId id, const ast::Origin& at) {
    const auto stmt = [&](ast::StmtNode node) { return tree_.stmt(std::move(node), at); };
    const auto place = [&] { return tree_.expr(item(id, at), at); };
    if (in_class(code_, at)) class_names_.insert({at.code.n, id.n});
    const StmtId binds = stmt(ast::Assign{{place()}, tree_.expr(ast::Name{fresh(id)}, at)});
    const StmtId unbinds = stmt(ast::Assign{{place()}, tree_.expr(ast::NoneLiteral{}, at)});
    ast::Try guarded;
    guarded.body = std::move(body);
    guarded.finalbody = {unbinds, stmt(ast::Delete{{place()}})};
    guarded_.push_back(stmt(std::move(guarded)));
    return {binds, guarded_.back()};
  }

  // The attribute that is the only target, where its name is odd.
  [[nodiscard]] std::optional<ast::Attribute> odd_target(const ExprIds& targets) {
    const auto* a = targets.size() == 1 ? std::get_if<ast::Attribute>(&tree_.exprs[targets[0]].node) : nullptr;
    return a != nullptr && odd(a->attr) ? std::optional(*a) : std::nullopt;
  }
  void expression(ExprId e) {
    const auto at = tree_.exprs[e].origin;
    Words words(tree_, at);
    auto& node = tree_.exprs[e].node;
    if (auto* n = std::get_if<ast::Name>(&node)) {
      if (!odd(n->id) || is_local(code_, tree_, at, n->id)) return rename_in(node);
      const NameId id = n->id;
      if (targets_.contains(e.n))
        node = item(id, at);
      else
        node = read(id, at);
      return;
    } else if (auto* a = std::get_if<ast::Attribute>(&node)) {
      if (!odd(a->attr)) return;
      const ExprId object = a->value, name = words.text(a->attr), callee = words.named("getattr");
      if (targets_.contains(e.n))
        node = ast::Subscript{words.access(name), object};
      else
        node = ast::Call{callee, {object, name}, {}};
    } else if (const auto* walrus = std::get_if<ast::NamedExpr>(&node)) {
      const auto* target = std::get_if<ast::Name>(&tree_.exprs[walrus->target].node);
      const NameId id = target != nullptr ? target->id : NameId{};
      if (!odd(id) || is_local(code_, tree_, at, id)) return;
      const ExprId stored = words.variable_stored(item(id, at).value, id, walrus->value);
      node = tree_.exprs[stored].node;
    } else if (auto* c = std::get_if<ast::Call>(&node)) {
      rename(c->keywords, at);
    }
    rename_in(node);
  }

  void each_block(StmtId s) {
    ast::for_each_child_block(tree_.stmts[s].node, [&](Block& b) { extend(b); });
  }
  // Decorators that are no dotted names (up to 3.8) get names before their statement, which are deleted after it.
  Block hoist_decorators(StmtId s, Block& out) {
    const auto at = tree_.stmts[s].origin;
    auto& node = tree_.stmts[s].node;
    auto* f = std::get_if<ast::FunctionDef>(&node);
    auto* c = std::get_if<ast::ClassDef>(&node);
    ExprIds decorators = f != nullptr ? f->decorators : c != nullptr ? c->decorators : ExprIds{};
    const auto is_simple = [&](ExprId e) {
      if (const auto* call = std::get_if<ast::Call>(&tree_.exprs[e].node)) e = call->func;
      while (const auto* a = std::get_if<ast::Attribute>(&tree_.exprs[e].node)) e = a->value;
      return std::holds_alternative<ast::Name>(tree_.exprs[e].node);
    };
    if (std::ranges::all_of(decorators, is_simple)) return {};
    ast::Delete gone;
    for (ExprId& decorator : decorators) {
      std::string text = "decorator";
      for (int n = 1; !taken_.insert(text).second; ++n) text = "decorator_" + std::to_string(n);
      const auto name = [&] { return tree_.expr(ast::Name{tree_.intern(text)}, at); };
      out.push_back(tree_.stmt(ast::Assign{{name()}, decorator}, at));
      decorator = name();
      gone.targets.push_back(name());
    }
    (f != nullptr ? f->decorators : c->decorators) = decorators;
    return {tree_.stmt(std::move(gone), at)};
  }
  // `globals()['name'] = fresh; del fresh` after each statement that stored one.
  void extend(Block& block) {
    Block out;
    for (const StmtId s : block) {
      if (const auto instead = replaced_.find(s.n); instead != replaced_.end()) {
        out.insert(out.end(), instead->second.begin(), instead->second.end());
        continue;
      }
      if (const auto first = before_.find(s.n); first != before_.end()) out.push_back(first->second);
      const auto at = tree_.stmts[s].origin;
      const Block gone = any_decorator_ ? Block{} : hoist_decorators(s, out);
      out.push_back(s);
      out.insert(out.end(), gone.begin(), gone.end());
      if (const auto named = named_.find(s.n); named != named_.end()) {
        const std::string name(tree_.text(named->second));
        for (const auto& [attribute, text] :
             {std::pair{"__name__", name}, {"__qualname__", qualname(code_, at, name)}}) {
          const ExprId object = tree_.expr(ast::Name{fresh(named->second)}, at);
          const ExprId target = tree_.expr(ast::Attribute{object, tree_.intern(attribute)}, at);
          out.push_back(tree_.stmt(ast::Assign{{target}, tree_.expr(ast::StrLiteral{text}, at)}, at));
        }
      }
      const auto found = after_.find(s.n);
      if (found == after_.end()) continue;
      for (const NameId id : found->second) {
        if (in_class(code_, at)) class_names_.insert({at.code.n, id.n});
        const ExprId place = tree_.expr(item(id, at), at), value = tree_.expr(ast::Name{fresh(id)}, at);
        out.push_back(tree_.stmt(ast::Assign{{place}, value}, at));
        out.push_back(tree_.stmt(ast::Delete{{tree_.expr(ast::Name{fresh(id)}, at)}}, at));
      }
    }
    block = std::move(out);
  }

  const CodeTree& code_;
  ast::Tree& tree_;
  const ClassesInDoubt& in_doubt_;
  const std::function<bool(std::string_view)>& spelt_;
  const bool any_decorator_;
  std::set<std::string>& taken_;
  enum class Known : std::uint8_t { kNot, kSpelt, kOdd };
  std::vector<Known> known_;  // by NameId
  bool any_ = false;          // some name of the text is odd
  std::vector<StmtId> stmts_;
  ExprIds exprs_;
  std::set<std::uint32_t> targets_;                                // expressions that are stored to or deleted
  std::set<std::uint32_t> bound_;                                  // names
  std::set<std::pair<std::uint32_t, std::uint32_t>> class_names_;  // code, name
  std::map<std::uint32_t, NameId> fresh_;
  std::vector<StmtId> guarded_;             // made around bodies of handlers
  std::map<std::uint32_t, NameId> named_;   // by statement: what the function or class that it makes is called
  std::map<std::uint32_t, StmtId> before_;  // by statement
  std::map<std::uint32_t, std::vector<NameId>> after_;     // by statement
  std::map<std::uint32_t, std::vector<StmtId>> replaced_;  // by statement
};

}  // namespace

void spell_odd_names(const CodeTree& code, ast::Tree& tree, Block& top, const ClassesInDoubt& in_doubt,
                     const std::function<bool(std::string_view)>& spelt, bool any_decorator,
                     std::set<std::string>& taken) {
  Speller(code, tree, in_doubt, spelt, any_decorator, taken).run(top);
}

}  // namespace depyf::idiom
