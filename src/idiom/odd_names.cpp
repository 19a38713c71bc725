// SPDX-License-Identifier: MIT
// Replaces names that are no identifiers; see odd_names.h.
#include "idiom/odd_names.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ast/targets.h"
#include "ast/walk.h"
#include "idiom/fresh_names.h"
#include "support/unicode.h"

namespace depyf::idiom {

namespace {

using ast::Block;
using ast::ExprId;
using ast::ExprIds;
using ast::NameId;
using ast::StmtId;

class ExprBuilder {
 public:
  ExprBuilder(ast::Tree& tree, const ast::Origin& origin) : tree_(tree), origin_(origin) {}

  ExprId expr(ast::ExprNode node) { return tree_.expr(std::move(node), origin_); }
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

  // Stores an attribute. The value must be evaluated before the object, so this is
  // `(lambda value, object: setattr(object, 'name', value))(value, object)`.
  ExprId attribute_store(const ast::Attribute& a, ExprId value) {
    const ExprId setter = call("setattr", {named("object"), text(a.attr), named("value")});
    return call(lambda({"value", "object"}, setter), {value, a.value});
  }
  // Returns an object that maps an object to its attribute, so that `access[object]` can be a target in any statement.
  ExprId attribute_map(ExprId name) {
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
  // Stores a variable in a dict `names`. The expression has the stored value.
  ExprId variable_store(ExprId names, NameId id, ExprId value) {
    const ExprId setter = expr(ast::Attribute{named("names"), tree_.intern("__setitem__")});
    const ExprId set = call(setter, {named("name"), named("value")});
    const ExprId pair = expr(ast::Tuple{{set, named("value")}});
    const ExprId result = expr(ast::Subscript{pair, expr(ast::IntLiteral{1})});
    return call(lambda({"names", "name", "value"}, result), {names, text(id), value});
  }

 private:
  ast::Tree& tree_;
  ast::Origin origin_;
};

// Returns the qualified name of a function or class that is defined at `origin`.
std::string qualname(const CodeTree& code, const ast::Origin& origin, std::string name) {
  for (CodeId p = origin.code; p.valid() && code.codes[p].parent.valid(); p = code.codes[p].parent) {
    const auto& enclosing = code.codes[p];
    const std::string_view inner = (enclosing.flags & kCoOptimized) != 0 ? ".<locals>." : ".";
    name.insert(0, (enclosing.qualname.empty() ? enclosing.name : enclosing.qualname) + std::string(inner));
    if (!enclosing.qualname.empty()) break;
  }
  return name;
}

// Returns whether the origin is in a class body.
bool in_class(const CodeTree& code, const ast::Origin& origin) {
  return origin.code.valid() && (code.codes[origin.code].flags & kCoOptimized) == 0 &&
         code.codes[origin.code].parent.valid();
}

// Returns whether a name is a local, cell or free variable of the code object of the origin.
bool is_local(const CodeTree& code, const ast::Tree& tree, const ast::Origin& origin, NameId id) {
  if (!origin.code.valid()) return false;
  const auto& c = code.codes[origin.code];
  const std::string text(tree.text(id));
  for (const auto* names : {&c.varnames, &c.cellvars, &c.freevars})
    if (std::find(names->begin(), names->end(), text) != names->end()) return true;
  return false;
}

class Speller {
 public:
  Speller(const CodeTree& code, ast::Tree& tree, const ClassesInDoubt& mangling_classes,
          const std::function<bool(std::string_view)>& is_spellable, bool any_decorator, std::set<std::string>& taken)
      : code_(code),
        tree_(tree),
        mangling_classes_(mangling_classes),
        is_spellable_(is_spellable),
        any_decorator_(any_decorator),
        taken_(taken) {}

  void run(Block& top) {
    collect(top);
    for (std::size_t i = 0, count = stmts_.size(); i < count && !mangling_classes_.empty(); ++i)
      fix_mangling(stmts_[i]);
    if (!any_odd_ && before_.empty()) return;
    for (std::size_t i = 0, count = stmts_.size(); i < count; ++i) replace_import(stmts_[i]);
    for (const StmtId s : stmts_) collect_targets(tree_.stmts[s].node);
    for (const ExprId e : exprs_) {
      if (const auto* named = std::get_if<ast::NamedExpr>(&tree_.exprs[e].node)) collect_targets(named->target);
      if (const auto* c = std::get_if<ast::Comprehension>(&tree_.exprs[e].node))
        for (const auto& g : c->generators) collect_targets(g.target);
    }
    for (const StmtId s : stmts_) rewrite(s);
    for (const ExprId e : exprs_) rewrite(e);
    for (const StmtId s : stmts_) rebuild_blocks(s);
    for (const StmtId s : guarded_) rebuild_blocks(s);
    rebuild(top);
  }

 private:
  void collect(const Block& top) {
    auto sink = [&](const auto& field) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, NameId>) any_odd_ = any_odd_ || is_odd(field);
    };
    auto bind = [&](const auto& field) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, NameId>) stored_names_.insert(field.n);
    };
    const auto is_odd_alias = [&](const ast::Alias& a) { return is_odd_path(a.name); };
    const auto add_stmt = [&](StmtId s) {
      stmts_.push_back(s);
      const auto& node = tree_.stmts[s].node;
      ast::for_each_node_leaf(node, sink);
      ast::for_each_node_leaf(node, bind);
      if (const auto* i = std::get_if<ast::Import>(&node))
        any_odd_ = any_odd_ || std::ranges::any_of(i->names, is_odd_alias);
      if (const auto* from = std::get_if<ast::ImportFrom>(&node)) any_odd_ = any_odd_ || is_odd_import(*from);
      return true;
    };
    const auto add_expr = [&](ExprId e) {
      exprs_.push_back(e);
      ast::for_each_node_leaf(std::as_const(tree_.exprs[e].node), sink);
      return true;
    };
    ast::walk(tree_, top, Overloaded{add_stmt, add_expr});
  }

  [[nodiscard]] bool is_odd(NameId id) {
    if (!id.valid()) return false;
    if (id.n >= kinds_.size()) kinds_.resize(std::size_t{id.n} + 1, Kind::kUnknown);
    Kind& kind = kinds_[id.n];
    if (kind == Kind::kUnknown) kind = is_spellable_(tree_.text(id)) ? Kind::kSpellable : Kind::kOdd;
    return kind == Kind::kOdd;
  }
  [[nodiscard]] bool has_uncertain_mangling(const ast::Attribute& a, const ast::Origin& origin) const {
    const auto& name = tree_.text(a.attr);
    return mangling_classes_.contains(origin.code) && name.starts_with("__") && !name.ends_with("__");
  }
  // Writes the mangled names of private attributes in a statement whose mangling is uncertain. Names that are not
  // mangled are kept, and a class that is never created is inserted before the statement: after a class whose name
  // consists of underscores, nothing is mangled (_Py_Mangle()).
  void fix_mangling(StmtId s) {
    bool has_unmangled = false;
    const auto look = [&](ExprId e) {
      auto* a = std::get_if<ast::Attribute>(&tree_.exprs[e].node);
      const auto origin = tree_.exprs[e].origin;
      if (a == nullptr || !has_uncertain_mangling(*a, origin)) return true;
      const auto& cls = mangling_classes_.at(origin.code);
      has_unmangled = has_unmangled || cls.empty();
      if (!cls.empty()) a->attr = tree_.intern("_" + cls + std::string(tree_.text(a->attr)));
      return true;
    };
    ast::for_each_child(
        std::as_const(tree_.stmts[s].node), [&](ExprId e) { ast::walk(tree_, e, look); },
        [&](ast::PatternId p) { ast::walk(tree_, ast::AnyIds{ast::AnyId{p}}, look); }, [](const Block&) {});
    if (!has_unmangled) return;
    const auto origin = tree_.stmts[s].origin;
    std::string name = "__";
    while (taken_.contains(name)) name += '_';
    ast::ClassDef dead_class;
    dead_class.name = tree_.intern(name);
    dead_class.type_params.push_back({ast::TypeParam::Kind::kTypeVar, tree_.intern("T"), {}, {}});
    dead_class.body = {tree_.stmt(ast::Pass{}, origin)};
    const ExprId zero = tree_.expr(ast::IntLiteral{0}, origin);
    before_[s.n] = tree_.stmt(ast::If{zero, {tree_.stmt(std::move(dead_class), origin)}, {}}, origin);
  }
  // Returns whether a part of a dotted module name is odd.
  [[nodiscard]] bool is_odd_path(std::string_view path) const {
    for (std::size_t end = 0; end != std::string_view::npos; path.remove_prefix(std::min(end + 1, path.size()))) {
      end = path.find('.');
      if (!is_spellable_(path.substr(0, end))) return true;
    }
    return false;
  }
  // Returns whether an import needs other code: it has an odd name, or too many dots.
  [[nodiscard]] bool is_odd_import(const ast::ImportFrom& from) const {
    const bool is_relative = from.module.empty() && from.level > 0;
    return (!is_relative && is_odd_path(from.module)) || from.level > ast::ImportFrom::kMostDots ||
           std::ranges::any_of(from.names,
                               [&](const ast::Alias& a) { return a.name != "*" && !is_spellable_(a.name); });
  }

  // Returns the identifier that replaces an odd name: its letters and digits, with a number if that is in use.
  NameId renamed(NameId id) {
    const auto known = renamed_.find(id.n);
    if (known != renamed_.end()) return known->second;
    std::string text;
    for (const char c : tree_.text(id))
      if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_') text += c;
    if (text.empty() || (text[0] >= '0' && text[0] <= '9') || !is_spellable_(text)) text.insert(0, "name_");
    return renamed_[id.n] = tree_.intern(fresh_name(taken_, text, 1));
  }
  void rename_in(auto& node) {
    const auto leaf = [&](auto&& field) {
      if constexpr (std::is_same_v<decltype(field), NameId&>)
        if (is_odd(field)) field = renamed(field);
    };
    ast::for_each_node_leaf(node, leaf);
  }

  // Passes keyword arguments with odd names as `**{'name': value}`.
  void unpack_odd_keywords(ast::Keywords& keywords, const ast::Origin& origin) {
    for (auto& k : keywords)
      if (is_odd(k.name)) {
        const ExprId key = ExprBuilder(tree_, origin).text(k.name);
        k = {{}, tree_.expr(ast::Dict{{key}, {k.value}}, origin)};
      }
  }

  // Returns `globals()['name']`, or `locals()['name']` for a name that a class body stores.
  ast::Subscript namespace_item(NameId id, const ast::Origin& origin) {
    const bool is_class_name = in_class(code_, origin) && class_names_.contains({origin.code.n, id.n});
    ExprBuilder build(tree_, origin);
    const ExprId space = build.call(is_class_name ? "locals" : "globals", {});
    return {space, build.text(id)};
  }

  // Returns an expression that reads an odd name. `__debug__`, None, True and False are constants of the language, too:
  // a namespace is asked first, if the code stores the name.
  ast::ExprNode read_variable(NameId id, const ast::Origin& origin) {
    if (!is_constant_name(tree_.text(id))) return namespace_item(id, origin);
    if (!stored_names_.contains(id.n)) return ast::Name{id};
    ExprBuilder build(tree_, origin);
    const auto get = [&](std::string_view space, ExprId otherwise) {
      const ExprId getter = build.expr(ast::Attribute{build.call(space, {}), tree_.intern("get")});
      return build.call(getter, {build.text(id), otherwise});
    };
    const ExprId global = get("globals", build.expr(ast::Name{id}));
    const bool is_class_name = in_class(code_, origin) && class_names_.contains({origin.code.n, id.n});
    return tree_.exprs[is_class_name ? get("locals", global) : global].node;
  }

  // Collects the targets within a target, the names that are stored, and the names that class bodies store.
  void collect_targets(const auto& of) {
    ast::for_each_target(tree_, of, [&](ExprId e) {
      const auto& expr = tree_.exprs[e];
      targets_.insert(e.n);
      const auto* n = std::get_if<ast::Name>(&expr.node);
      if (n == nullptr) return;
      stored_names_.insert(n->id.n);
      if (in_class(code_, expr.origin)) class_names_.insert({expr.origin.code.n, n->id.n});
    });
  }

  // Replaces an import with odd names by calls of __import__(), with one statement for each name that it stores.
  void replace_import(StmtId s) {
    const ast::StmtNode node = tree_.stmts[s].node;
    const ast::Origin origin = tree_.stmts[s].origin;
    ExprBuilder build(tree_, origin);
    const auto expr = [&](ast::ExprNode n) {
      exprs_.push_back(tree_.expr(std::move(n), origin));
      return exprs_.back();
    };
    const auto add = [&](ast::StmtNode n) {
      replaced_[s.n].push_back(stmts_.emplace_back(tree_.stmt(std::move(n), origin)));
    };
    const auto member = [&](ExprId of, std::string_view name) { return expr(ast::Attribute{of, tree_.intern(name)}); };
    if (const auto* import = std::get_if<ast::Import>(&node)) {
      if (std::ranges::none_of(import->names, [&](const auto& a) { return is_odd_path(a.name); })) return;
      for (const auto& a : import->names) {
        ExprId module = build.call("__import__", {build.string(a.name)});
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
        const ExprId list = tree_.expr(ast::Tuple{{build.string(a.name)}}, origin),
                     level = tree_.expr(ast::IntLiteral{from->level}, origin);
        const ExprId module = build.call("__import__", {build.string(from->module), build.call("globals", {}),
                                                        build.call("locals", {}), list, level});
        const auto name = a.asname.valid() ? a.asname : tree_.intern(a.name);
        if (a.name == "*")
          add(ast::Raise{build.call("SystemError", {build.string("from " + from->module + " import *")}), {}});
        else
          add(ast::Assign{{expr(ast::Name{name})}, member(module, a.name)});
      }
    }
  }

  // Renames the name that a statement stores. If it is no local variable, the value is stored under the odd name after
  // the statement. `sets_name`: the function or class that it creates needs the odd name as its `__name__`.
  void rename_stored(StmtId s, NameId& id, bool sets_name = false) {
    if (!is_odd(id)) return;
    const auto origin = tree_.stmts[s].origin;
    if (sets_name) named_[s.n] = id;
    if (!is_local(code_, tree_, origin, id)) after_[s.n].push_back(id);
    id = renamed(id);
  }

  void rewrite(StmtId s) {
    const auto origin = tree_.stmts[s].origin;
    ExprBuilder build(tree_, origin);
    auto& node = tree_.stmts[s].node;
    if (auto* f = std::get_if<ast::FunctionDef>(&node)) {
      rename_stored(s, f->name, f->decorators.empty());
    } else if (auto* c = std::get_if<ast::ClassDef>(&node)) {
      rename_stored(s, c->name, c->decorators.empty());
      unpack_odd_keywords(c->keywords, origin);
    } else if (auto* alias = std::get_if<ast::TypeAlias>(&node)) {
      rename_stored(s, alias->name);
    } else if (auto* i = std::get_if<ast::Import>(&node)) {
      for (auto& a : i->names) rename_stored(s, a.asname);
    } else if (auto* from = std::get_if<ast::ImportFrom>(&node)) {
      for (auto& a : from->names) rename_stored(s, a.asname);
    } else if (auto* g = std::get_if<ast::Global>(&node)) {
      std::erase_if(g->names, [&](NameId id) { return is_odd(id); });
      if (g->names.empty()) node = ast::Pass{};
    } else if (auto* t = std::get_if<ast::Try>(&node)) {
      for (auto& h : t->handlers)
        if (is_odd(h.name) && !is_local(code_, tree_, origin, h.name))
          h.body = with_exception_stored(std::move(h.body), h.name, origin);
    } else if (auto* a = std::get_if<ast::Assign>(&node)) {
      if (const auto target = odd_target(a->targets)) node = ast::ExprStmt{build.attribute_store(*target, a->value)};
    } else if (auto* d = std::get_if<ast::Delete>(&node)) {
      if (const auto target = odd_target(d->targets))
        node = ast::ExprStmt{build.call("delattr", {target->value, build.text(target->attr)})};
    }
    rename_in(node);  // local variables, parameters and type parameters
  }

  // Returns the body of an `except` clause that binds an odd name, which is no local variable: the exception is stored
  // under the odd name, which is deleted at the end.
  Block with_exception_stored(Block body, NameId id, const ast::Origin& origin) {
    const auto stmt = [&](ast::StmtNode node) { return tree_.stmt(std::move(node), origin); };
    const auto target = [&] { return tree_.expr(namespace_item(id, origin), origin); };
    if (in_class(code_, origin)) class_names_.insert({origin.code.n, id.n});
    const StmtId store = stmt(ast::Assign{{target()}, tree_.expr(ast::Name{renamed(id)}, origin)});
    const StmtId clear = stmt(ast::Assign{{target()}, tree_.expr(ast::NoneLiteral{}, origin)});
    ast::Try guarded;
    guarded.body = std::move(body);
    guarded.finalbody = {clear, stmt(ast::Delete{{target()}})};
    guarded_.push_back(stmt(std::move(guarded)));
    return {store, guarded_.back()};
  }

  // Returns the only target if it is an attribute with an odd name, else nullopt.
  [[nodiscard]] std::optional<ast::Attribute> odd_target(const ExprIds& targets) {
    const auto* a = targets.size() == 1 ? std::get_if<ast::Attribute>(&tree_.exprs[targets[0]].node) : nullptr;
    return a != nullptr && is_odd(a->attr) ? std::optional(*a) : std::nullopt;
  }
  void rewrite(ExprId e) {
    const auto origin = tree_.exprs[e].origin;
    ExprBuilder build(tree_, origin);
    auto& node = tree_.exprs[e].node;
    if (auto* n = std::get_if<ast::Name>(&node)) {
      if (!is_odd(n->id) || is_local(code_, tree_, origin, n->id)) return rename_in(node);
      const NameId id = n->id;
      if (targets_.contains(e.n))
        node = namespace_item(id, origin);
      else
        node = read_variable(id, origin);
      return;
    } else if (auto* a = std::get_if<ast::Attribute>(&node)) {
      if (!is_odd(a->attr)) return;
      const ExprId object = a->value, name = build.text(a->attr), callee = build.named("getattr");
      if (targets_.contains(e.n))
        node = ast::Subscript{build.attribute_map(name), object};
      else
        node = ast::Call{callee, {object, name}, {}};
    } else if (const auto* walrus = std::get_if<ast::NamedExpr>(&node)) {
      const auto* target = std::get_if<ast::Name>(&tree_.exprs[walrus->target].node);
      const NameId id = target != nullptr ? target->id : NameId{};
      if (!is_odd(id) || is_local(code_, tree_, origin, id)) return;
      const ExprId store = build.variable_store(namespace_item(id, origin).value, id, walrus->value);
      node = tree_.exprs[store].node;
    } else if (auto* c = std::get_if<ast::Call>(&node)) {
      unpack_odd_keywords(c->keywords, origin);
    }
    rename_in(node);
  }

  void rebuild_blocks(StmtId s) {
    ast::for_each_child_block(tree_.stmts[s].node, [&](Block& b) { rebuild(b); });
  }
  // Assigns decorators that are no dotted names (up to 3.8) to variables before the statement. Returns the statement
  // that deletes these after it.
  Block hoist_decorators(StmtId s, Block& out) {
    const auto origin = tree_.stmts[s].origin;
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
    ast::Delete deletion;
    for (ExprId& decorator : decorators) {
      const std::string text = fresh_name(taken_, "decorator", 1);
      const auto name = [&] { return tree_.expr(ast::Name{tree_.intern(text)}, origin); };
      out.push_back(tree_.stmt(ast::Assign{{name()}, decorator}, origin));
      decorator = name();
      deletion.targets.push_back(name());
    }
    (f != nullptr ? f->decorators : c->decorators) = decorators;
    return {tree_.stmt(std::move(deletion), origin)};
  }
  // Inserts and replaces statements of a block, for example `globals()['name'] = renamed; del renamed` after each
  // statement that stores an odd name.
  void rebuild(Block& block) {
    Block out;
    for (const StmtId s : block) {
      if (const auto replacement = replaced_.find(s.n); replacement != replaced_.end()) {
        out.insert(out.end(), replacement->second.begin(), replacement->second.end());
        continue;
      }
      if (const auto first = before_.find(s.n); first != before_.end()) out.push_back(first->second);
      const auto origin = tree_.stmts[s].origin;
      const Block deletions = any_decorator_ ? Block{} : hoist_decorators(s, out);
      out.push_back(s);
      out.insert(out.end(), deletions.begin(), deletions.end());
      if (const auto named = named_.find(s.n); named != named_.end()) {
        const std::string name(tree_.text(named->second));
        for (const auto& [attribute, text] :
             {std::pair{"__name__", name}, {"__qualname__", qualname(code_, origin, name)}}) {
          const ExprId object = tree_.expr(ast::Name{renamed(named->second)}, origin);
          const ExprId target = tree_.expr(ast::Attribute{object, tree_.intern(attribute)}, origin);
          out.push_back(tree_.stmt(ast::Assign{{target}, tree_.expr(ast::StrLiteral{text}, origin)}, origin));
        }
      }
      const auto stored_names = after_.find(s.n);
      if (stored_names == after_.end()) continue;
      for (const NameId id : stored_names->second) {
        if (in_class(code_, origin)) class_names_.insert({origin.code.n, id.n});
        const ExprId target = tree_.expr(namespace_item(id, origin), origin),
                     value = tree_.expr(ast::Name{renamed(id)}, origin);
        out.push_back(tree_.stmt(ast::Assign{{target}, value}, origin));
        out.push_back(tree_.stmt(ast::Delete{{tree_.expr(ast::Name{renamed(id)}, origin)}}, origin));
      }
    }
    block = std::move(out);
  }

  const CodeTree& code_;
  ast::Tree& tree_;
  const ClassesInDoubt& mangling_classes_;
  const std::function<bool(std::string_view)>& is_spellable_;
  const bool any_decorator_;
  std::set<std::string>& taken_;
  enum class Kind : std::uint8_t { kUnknown, kSpellable, kOdd };
  std::vector<Kind> kinds_;  // by NameId
  bool any_odd_ = false;     // some name of the text is odd
  std::vector<StmtId> stmts_;
  ExprIds exprs_;
  std::set<std::uint32_t> targets_;                                // expressions that are stored to or deleted
  std::set<std::uint32_t> stored_names_;                           // names that are stored
  std::set<std::pair<std::uint32_t, std::uint32_t>> class_names_;  // code, name
  std::map<std::uint32_t, NameId> renamed_;
  // The keys of the maps are statements.
  std::vector<StmtId> guarded_;                            // `try` statements around the bodies of `except` clauses
  std::map<std::uint32_t, NameId> named_;                  // the `__name__` of the function or class that it creates
  std::map<std::uint32_t, StmtId> before_;                 // a statement to insert before it
  std::map<std::uint32_t, std::vector<NameId>> after_;     // odd names to store after it
  std::map<std::uint32_t, std::vector<StmtId>> replaced_;  // statements that replace it
};

}  // namespace

void spell_odd_names(const CodeTree& code, ast::Tree& tree, Block& top, const ClassesInDoubt& mangling_classes,
                     const std::function<bool(std::string_view)>& is_spellable, bool any_decorator,
                     std::set<std::string>& taken) {
  Speller(code, tree, mangling_classes, is_spellable, any_decorator, taken).run(top);
}

}  // namespace depyf::idiom
