// SPDX-License-Identifier: MIT
// Finishing one code object; see body.h.
#include "structure/body.h"

#include "ast/own_names.h"
#include "ast/walk.h"
#include "structure/annotations.h"
#include "structure/ends.h"

#include <algorithm>

namespace depyf::structure {

namespace {

using ast::ExprId;
using ast::ExprIds;

class Finisher {
 public:
  Finisher(lift::Unit& unit, CodeId code, const Bytecode& bytecode, const std::vector<Instruction>& accesses)
      : unit_(unit),
        code_(code),
        co_(unit.code.codes[code]),
        bytecode_(bytecode),
        accesses_(accesses),
        out_(unit.bodies[code.n]) {}

  void run(ast::Block block) {
    const bool function = (co_.flags & kCoOptimized) != 0;
    out_.is_async = (co_.flags & (kCoCoroutine | kCoAsyncGenerator)) != 0;
    arguments();
    assert_always(block);
    const bool comprehension = is_comprehension(co_.name);
    if (function && comprehension) make_comprehension(block);
    if (function && co_.name == "<lambda>") out_.expr = returned_value(unit_, code_, block);
    if (function && evaluates()) out_.expr = evaluated(block);
    if (function && co_.name.starts_with("<generic parameters of ")) out_.generic = made(block);
    trim_return(block, function);
    if (!function)
      class_or_module(block);
    else
      docstring();
    scopes(block);
    if (function && block.empty() && !out_.docstring && (co_.flags & (kCoGenerator | kCoAsyncGenerator)) == 0)
      block.push_back(stmt(ast::Pass{}));
    generator_stub(block);
    if ((co_.flags & kCoAsyncGenerator) != 0) bare_returns(block);
    if (!function) annotations_stub(block);
    if (function && !comprehension && co_.name != "<lambda>") local_stub(block);
    out_.block = std::move(block);
    out_.ready = true;
  }

 private:
  ast::StmtId stmt(ast::StmtNode n) { return unit_.ast.stmt(std::move(n), {code_, 0}); }
  const ast::StmtNode& node(ast::StmtId s) const { return unit_.ast.stmts[s].node; }
  const ast::ExprNode& node(ExprId e) const { return unit_.ast.exprs[e].node; }

  ast::NameId local(std::size_t i) const {
    const auto& names = local_names(co_);
    std::string_view text = i < names.size() ? std::string_view(names[i]) : std::string_view("arg");
    const auto& cls = unit_.class_names[code_.n];
    if (!cls.empty() && text.starts_with("_" + cls + "__") && !text.ends_with("__")) text = text.substr(cls.size() + 1);
    if (text.starts_with('.')) return unit_.ast.intern(unit_.options.temp_prefix + "arg" + std::string(text.substr(1)));
    return unit_.ast.intern(text);
  }

  void arguments() {
    auto& a = out_.args;
    std::size_t i = 0;
    for (; i < co_.posonlyargcount; ++i) a.posonly.push_back({local(i), {}, {}});
    for (; i < co_.argcount; ++i) a.args.push_back({local(i), {}, {}});
    for (std::size_t k = 0; k < co_.kwonlyargcount; ++k, ++i) a.kwonly.push_back({local(i), {}, {}});
    if ((co_.flags & kCoVarArgs) != 0) a.vararg = ast::Parameter{local(i++), {}, {}};
    if ((co_.flags & kCoVarKeywords) != 0) a.kwarg = ast::Parameter{local(i++), {}, {}};
  }

  // `assert False` leaves no test behind (codegen_assert in Python/codegen.c), but its own way to say AssertionError.
  void assert_always(const ast::Block& block) {
    const auto loads = [](const Instruction& i) { return i.op == Op::LOAD_COMMON_CONSTANT && i.arg == 0; };
    if (std::none_of(bytecode_.code.begin(), bytecode_.code.end(), loads)) return;
    std::vector<ast::StmtId> raises;  // a statement that is written twice stands here twice
    ast::Visitor visitor;
    visitor.expr = [](ExprId) { return false; };
    visitor.stmt = [&](ast::StmtId s) {
      if (std::holds_alternative<ast::Raise>(node(s))) raises.push_back(s);
      return !std::holds_alternative<ast::FunctionDef>(node(s)) && !std::holds_alternative<ast::ClassDef>(node(s));
    };
    ast::walk(unit_.ast, block, visitor);
    for (const ast::StmtId s : raises) {
      const auto* raise = std::get_if<ast::Raise>(&node(s));
      if (raise == nullptr || !raise->exc.valid() || raise->cause.valid()) continue;
      ExprId message{};
      if (!unit_.assertion_errors.contains(raise->exc.n)) {
        const auto* c = std::get_if<ast::Call>(&node(raise->exc));
        if (c == nullptr || !unit_.assertion_errors.contains(c->func.n) || c->args.size() != 1 || !c->keywords.empty())
          continue;
        message = c->args[0];
      }
      const auto never = unit_.ast.expr(ast::Verbatim{"False"}, unit_.ast.stmts[s].origin);
      unit_.ast.stmts[s].node = ast::Assert{never, message};
    }
  }

  bool is_none(ExprId e) const {
    if (!e.valid()) return true;
    if (std::holds_alternative<ast::NoneLiteral>(node(e))) return true;
    const auto* c = std::get_if<ast::ConstantExpr>(&node(e));
    return c != nullptr && std::holds_alternative<ConstNone>(unit_.code.consts[c->value]);
  }

  // Removes `return None` wherever falling off the end does the same.
  void trim_return(ast::Block& b, bool function) {
    if (b.empty()) return;
    auto& last = unit_.ast.stmts[b.back()].node;
    if (const auto* r = std::get_if<ast::Return>(&last)) {
      if (is_none(r->value) || !function) {
        b.pop_back();
        trim_return(b, function);
      }
      return;
    }
    const auto fill = [&](ast::Block& x) {
      if (x.empty()) x.push_back(stmt(ast::Pass{}));
    };
    if (auto* i = std::get_if<ast::If>(&last)) {
      auto body = i->body, orelse = i->orelse;
      trim_return(body, function);
      trim_return(orelse, function);
      fill(body);
      auto& fresh = std::get<ast::If>(unit_.ast.stmts[b.back()].node);
      fresh.body = std::move(body);
      fresh.orelse = std::move(orelse);
    } else if (auto* w = std::get_if<ast::With>(&last);
               w != nullptr && !unit_.dialect.call_finally) {  // there it shows
      auto body = w->body;
      trim_return(body, function);
      fill(body);
      std::get<ast::With>(unit_.ast.stmts[b.back()].node).body = std::move(body);
    } else if (const auto* m = std::get_if<ast::Match>(&last)) {
      ast::Match copy = *m;
      for (auto& c : copy.cases) {
        trim_return(c.body, function);
        fill(c.body);
      }
      unit_.ast.stmts[b.back()].node = std::move(copy);
    } else if (auto* t = std::get_if<ast::Try>(&last); t != nullptr && t->finalbody.empty()) {
      ast::Try copy = *t;
      if (copy.orelse.empty())
        trim_return(copy.body, function);
      else
        trim_return(copy.orelse, function);
      fill(copy.body);
      for (auto& h : copy.handlers) {
        if (!unit_.dialect.call_finally || !h.name.valid()) trim_return(h.body, function);  // else it shows
        fill(h.body);
      }
      unit_.ast.stmts[b.back()].node = std::move(copy);
    }
  }

  // Whether it may be a function that gives the value of a bound, a default or an alias; who makes it knows.
  bool evaluates() const {
    if (!unit_.dialect.type_parameters || co_.argcount > 1) return false;
    return co_.argcount == 0 || (co_.posonlyargcount == 1 && co_.varnames[0] == ".format");
  }

  // 3.14+: if .format > 2: raise NotImplementedError; return value
  ExprId evaluated(const ast::Block& b) const {
    if (co_.argcount == 0) return returned_value(unit_, code_, b);
    const auto* i = b.empty() ? nullptr : std::get_if<ast::If>(&node(b[0]));
    const auto* test = i != nullptr ? std::get_if<ast::Compare>(&node(i->test)) : nullptr;
    const auto* name = test != nullptr ? std::get_if<ast::Name>(&node(test->left)) : nullptr;
    if (name == nullptr || name->id != local(0) || test->ops[0] != ast::CompareOperator::kGt || i->body.size() != 1 ||
        !std::holds_alternative<ast::Raise>(node(i->body[0])))
      return {};
    const ast::Block rest = i->orelse.empty() ? ast::Block(b.begin() + 1, b.end()) : i->orelse;
    return i->orelse.empty() || b.size() == 1 ? returned_value(unit_, code_, rest) : ExprId{};
  }

  // One statement, and what it makes is returned.
  std::optional<lift::FunctionValue> made(const ast::Block& b) const {
    const auto it = b.size() == 2 ? unit_.generics.find(b[0].n) : unit_.generics.end();
    if (it == unit_.generics.end() || !std::holds_alternative<ast::Return>(node(b[1]))) return std::nullopt;
    return it->second;
  }

  bool is_pass(const ast::Block& b) const { return b.size() == 1 && std::holds_alternative<ast::Pass>(node(b[0])); }
  ExprId literal(std::int64_t value) { return unit_.ast.expr(ast::IntLiteral{value}, {code_, 0}); }

  // An expression of the free variables that nothing uses.
  ExprId unused_free() {
    ExprIds names;
    for (std::size_t k = 0; k < co_.freevars.size(); ++k)
      if (!uses_free(k)) names.push_back(unit_.ast.expr(ast::Name{unmangled(co_.freevars[k])}, {code_, 0}));
    if (names.empty()) return literal(0);
    return names.size() == 1 ? names[0] : unit_.ast.expr(ast::Tuple{std::move(names)}, {code_, 0});
  }

  void make_comprehension(ast::Block block) {
    if (!block.empty())  // the result under construction, in its stack slot
      if (const auto* a = std::get_if<ast::Assign>(&node(block[0]))) {
        const auto& v = node(a->value);
        const auto* l = std::get_if<ast::List>(&v);
        const auto* x = std::get_if<ast::Set>(&v);
        const auto* d = std::get_if<ast::Dict>(&v);
        if ((l != nullptr && l->elts.empty()) || (x != nullptr && x->elts.empty()) ||
            (d != nullptr && d->values.empty()))
          block.erase(block.begin());
      }
    if (block.empty()) return;
    ast::Comprehension c;
    c.kind = co_.name == "<listcomp>"   ? ast::ComprehensionKind::kList
             : co_.name == "<setcomp>"  ? ast::ComprehensionKind::kSet
             : co_.name == "<dictcomp>" ? ast::ComprehensionKind::kDict
                                        : ast::ComprehensionKind::kGenerator;
    std::size_t at = 0;
    ast::Block b = block;
    for (std::size_t depth = 0; depth < 200; ++depth) {
      // `for y in [e]` is an assignment (3.9+: codegen_comprehension_generator in Python/codegen.c)
      if (depth > 0 && b.size() >= 2)
        if (const auto* a = std::get_if<ast::Assign>(&node(b[0])); a != nullptr && a->targets.size() == 1) {
          const auto target = a->targets[0], value = a->value;
          c.generators.push_back({target, unit_.ast.expr(ast::List{{value}}, {code_, 0}), {}, false});
          b.erase(b.begin());
          continue;
        }
      if (const auto* i = b.empty() ? nullptr : std::get_if<ast::If>(&node(b[0]));
          depth > 0 && b.size() > 1 && i != nullptr && i->orelse.empty() && is_pass(i->body)) {
        // `if x or 1`: the test of x leads nowhere else
        c.generators.back().ifs.push_back(
            unit_.ast.expr(ast::BoolOp{ast::BoolOperator::kOr, {i->test, literal(1)}}, {code_, 0}));
        b.erase(b.begin());
        continue;
      }
      if (depth > 0 && is_pass(b)) {  // `if 0`: nothing is left of the element either, but what it had free
        c.generators.back().ifs.push_back(literal(0));
        c.elt = unused_free();
        if (c.kind == ast::ComprehensionKind::kDict) c.value = literal(0);
        break;
      }
      if (b.empty() || (depth > 0 && b.size() != 1)) return;
      const auto& n = node(b[at]);
      if (const auto* f = std::get_if<ast::For>(&n); f != nullptr && f->orelse.empty()) {
        c.generators.push_back({f->target, f->iter, {}, f->is_async});
        b = ast::Block(f->body);
      } else if (const auto* i = std::get_if<ast::If>(&n); i != nullptr && i->orelse.empty() && !c.generators.empty()) {
        c.generators.back().ifs.push_back(i->test);
        b = ast::Block(i->body);
      } else if (const auto* e = std::get_if<ast::ExprStmt>(&n); e != nullptr && !c.generators.empty()) {
        const auto* y = std::get_if<ast::Yield>(&node(e->value));
        if (y == nullptr) return;
        c.elt = y->value.valid() ? y->value : unit_.ast.expr(ast::NoneLiteral{}, {code_, 0});
        const auto it = unit_.appends.find(b[at].n);
        if (c.kind != ast::ComprehensionKind::kGenerator && it == unit_.appends.end()) return;
        if (c.kind == ast::ComprehensionKind::kDict) {
          c.value = c.elt;
          c.elt = it->second.key;
        }
        break;
      } else {
        return;
      }
      at = 0;
    }
    if (!c.elt.valid()) return;
    if (const auto* item = std::get_if<ast::Name>(&node(c.elt)); item != nullptr && item->id == unit_.item_name()) {
      // (*x for ... in ...) yields from x in a loop of its own
      const auto inner = c.generators.back();
      const auto* target = std::get_if<ast::Name>(&node(inner.target));
      if (c.generators.size() < 2 || target == nullptr || target->id != item->id || !inner.ifs.empty()) return;
      c.elt = unit_.ast.expr(ast::Starred{inner.iter}, unit_.ast.exprs[inner.iter].origin);
      c.generators.pop_back();
    }
    const auto* first = std::get_if<ast::Name>(&node(c.generators[0].iter));
    if (first == nullptr || first->id != unit_.argument_name()) return;
    if (block.size() > 2 || (block.size() == 2 && !std::holds_alternative<ast::Return>(node(block[1])))) return;
    out_.comprehension = std::move(c);
  }

  void docstring() {
    if (co_.name.starts_with("<") || co_.consts.empty()) return;
    if (unit_.dialect.docstring_flag && (co_.flags & kCoHasDocstring) == 0) return;
    if (std::holds_alternative<ConstStr>(unit_.code.consts[co_.consts[0]])) out_.docstring = co_.consts[0];
  }

  std::string_view assigned_name(ast::StmtId s, ExprId& value) const {
    const auto* a = std::get_if<ast::Assign>(&node(s));
    if (a == nullptr || a->targets.size() != 1) return {};
    const auto* n = std::get_if<ast::Name>(&node(a->targets[0]));
    if (n == nullptr) return {};
    value = a->value;
    return unit_.ast.text(n->id);
  }

  // What the compiler adds at the end of a class body, each name once.
  void trim_class_end(ast::Block& b, std::size_t first) {
    ExprId value{};
    std::vector<std::string_view> seen;
    while (b.size() > first) {
      const auto name = assigned_name(b.back(), value);
      if (!is_class_end(name) || std::find(seen.begin(), seen.end(), name) != seen.end()) break;
      seen.push_back(name);
      b.pop_back();
    }
  }

  // The statements that the compiler adds to a class body, and a module's or class's docstring.
  void class_or_module(ast::Block& b) {
    place_annotations(unit_, code_, b);
    std::size_t at = 0;
    ExprId value{};
    if (co_.parent.valid()) {
      for (std::string_view name : {"__module__", "__qualname__", "__firstlineno__", "__type_params__"})
        if (at < b.size() && assigned_name(b[at], value) == name) ++at;
      trim_class_end(b, at);
    }
    b.erase(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(at));
    if (!b.empty() && assigned_name(b[0], value) == "__doc__") {
      const auto* c = std::get_if<ast::ConstantExpr>(&node(value));
      if (c != nullptr && std::holds_alternative<ConstStr>(unit_.code.consts[c->value])) {
        if (co_.parent.valid()) {
          out_.docstring = c->value;
          b.erase(b.begin());
        } else {
          b[0] = stmt(ast::ExprStmt{value});
        }
      }
    }
    if (co_.parent.valid() && b.empty() && !out_.docstring) b.push_back(stmt(ast::Pass{}));
  }

  ast::NameId unmangled(std::string_view text) {
    const auto& cls = unit_.class_names[code_.n];
    if (!cls.empty() && text.starts_with("_" + cls + "__") && !text.ends_with("__")) text = text.substr(cls.size() + 1);
    return unit_.ast.intern(text);
  }

  // `global x` anywhere makes x explicitly global in the module too (analyze_name in Python/symtable.c): there the
  // statement is wanted only if none of what the module holds has it.
  void scopes(ast::Block& b) {
    std::vector<ast::NameId> globals, nonlocals;
    const auto add = [](std::vector<ast::NameId>& v, ast::NameId n) {
      if (std::find(v.begin(), v.end(), n) == v.end()) v.push_back(n);
    };
    const auto cells = co_.localsplus.empty() ? co_.cellvars.size() : 0;
    for (const auto& i : bytecode_.code) {
      if (i.op == Op::STORE_GLOBAL || i.op == Op::DELETE_GLOBAL) add(globals, unmangled(co_.names[i.arg]));
      if (i.op == Op::STORE_DEREF || i.op == Op::DELETE_DEREF) {
        if (co_.localsplus.empty() && !unit_.dialect.exception_table) {
          if (i.arg >= cells) add(nonlocals, unmangled(co_.freevars[i.arg - cells]));
        } else if ((co_.localspluskinds[i.arg] & 0x80U) != 0) {
          add(nonlocals, unmangled(co_.localsplus[i.arg]));
        }
      }
      // a global read where an enclosing function has a local of that name
      if (i.op == Op::LOAD_GLOBAL && enclosing_has(co_.names[i.arg])) add(globals, unmangled(co_.names[i.arg]));
    }
    if ((co_.flags & kCoOptimized) != 0)
      stored_by_comprehensions(code_, [&](const std::string& name, bool global) {
        const auto& free = co_.freevars;
        if (global)
          add(globals, unmangled(name));
        else if (std::find(free.begin(), free.end(), name) != free.end())
          add(nonlocals, unmangled(name));
      });
    for (const auto& name : unused_nonlocals()) add(nonlocals, unmangled(name));
    std::erase_if(nonlocals, [&](ast::NameId n) { return is_type_parameter(unit_.ast.text(n)); });
    if (!co_.parent.valid() && (co_.flags & kCoOptimized) == 0)
      std::erase_if(globals, [&](ast::NameId n) { return unit_.declared_globals.contains(n.n); });
    for (const auto n : globals) unit_.declared_globals.insert(n.n);
    ast::Block head;
    if (!globals.empty()) head.push_back(stmt(ast::Global{globals}));
    if (!nonlocals.empty()) head.push_back(stmt(ast::Nonlocal{nonlocals}));
    const auto at = co_.parent.valid() || (co_.flags & kCoOptimized) != 0 ? b.begin() : b.begin() + opening(b);
    b.insert(at, head.begin(), head.end());
  }

  // The target of a walrus in a comprehension belongs to the function around it: what that one is told to be global or
  // nonlocal, the comprehension stores so (symtable_extend_namedexpr_scope in Python/symtable.c).
  template <class Take>
  void stored_by_comprehensions(CodeId code, const Take& take) const {
    std::vector<CodeId> todo{code};
    while (!todo.empty()) {
      const CodeId at = todo.back();
      todo.pop_back();
      for (const ConstId k : unit_.code.codes[at].consts) {
        const auto* child = std::get_if<ConstCode>(&unit_.code.consts[k]);
        if (child == nullptr || !is_comprehension(unit_.code.codes[child->code].name)) continue;
        todo.push_back(child->code);
        stored_by(child->code, take);
      }
    }
  }

  template <class Take>
  void stored_by(CodeId code, const Take& take) const {
    const auto& co = unit_.code.codes[code];
    const auto read = decode(unit_.code, code, unit_.options.limits);
    if (!read) return;
    for (const auto& i : read->code) {
      if (i.op == Op::STORE_GLOBAL) take(co.names[i.arg], true);
      if (i.op != Op::STORE_DEREF) continue;
      if (!co.localsplus.empty())
        take(co.localsplus[i.arg], false);
      else
        take(i.arg < co.cellvars.size() ? co.cellvars[i.arg] : co.freevars[i.arg - co.cellvars.size()], false);
    }
  }

  static bool is_comprehension(std::string_view name) {
    return name == "<listcomp>" || name == "<setcomp>" || name == "<dictcomp>" || name == "<genexpr>";
  }

  // Free variables of a function that nothing reached in it uses: `nonlocal x` and no more. Only those that a function
  // around it is seen to bind, as the text must compile.
  std::vector<std::string> unused_nonlocals() const {
    std::vector<std::string> out;
    if ((co_.flags & kCoOptimized) == 0 || co_.name.starts_with('<')) return out;
    for (std::size_t k = 0; k < co_.freevars.size(); ++k) {
      const auto& name = co_.freevars[k];
      if (name.starts_with('.') || (name.starts_with("__") && name.ends_with("__") && name != "__class__")) continue;
      if (!uses_free(k) && bound_outside(name)) out.push_back(name);
    }
    return out;
  }

  bool uses_free(std::size_t k) const {
    const auto index =
        co_.localsplus.empty() ? co_.cellvars.size() + k : co_.localsplus.size() - co_.freevars.size() + k;
    return std::any_of(accesses_.begin(), accesses_.end(), [&](const Instruction& i) {
      return i.arg == index && i.op != Op::LOAD_GLOBAL && (arg_kind(i.op) == ArgKind::Deref || !co_.localsplus.empty());
    });
  }

  // The name alone makes __class__ free (symtable_visit_expr in Python/symtable.c).
  bool reads_super() const {
    return std::any_of(accesses_.begin(), accesses_.end(),
                       [&](const Instruction& i) { return i.op == Op::LOAD_GLOBAL && co_.names[i.arg] == "super"; });
  }

  // What an inlined comprehension stores may be free in the function around it: the parameter that it hides.
  bool is_type_parameter(std::string_view name) const {
    for (CodeId p = co_.parent; p.valid(); p = unit_.code.codes[p].parent) {
      const auto& outer = unit_.code.codes[p];
      if (std::find(outer.cellvars.begin(), outer.cellvars.end(), name) != outer.cellvars.end())
        return outer.name.starts_with("<generic parameters of ");
    }
    return false;
  }

  bool bound_outside(const std::string& name) const {
    for (CodeId p = co_.parent; p.valid(); p = unit_.code.codes[p].parent) {
      const auto& outer = unit_.code.codes[p];
      // a function decompiled alone: what holds its free variables is part of the recompile context
      if (!outer.parent.valid() && (outer.flags & kCoOptimized) != 0 &&
          std::find(outer.freevars.begin(), outer.freevars.end(), name) != outer.freevars.end())
        return name != "__class__" || !reads_super();
      const auto it = std::find(outer.cellvars.begin(), outer.cellvars.end(), name);
      if ((outer.flags & kCoOptimized) == 0 || it == outer.cellvars.end()) continue;
      if (outer.name.starts_with('<')) return false;
      const auto arguments = std::min<std::size_t>(outer.argcount + outer.kwonlyargcount, outer.varnames.size());
      for (std::size_t i = 0; i < arguments; ++i)
        if (outer.varnames[i] == name) return true;
      const auto plus = std::find(outer.localsplus.begin(), outer.localsplus.end(), name);
      const auto index = outer.localsplus.empty() ? it - outer.cellvars.begin() : plus - outer.localsplus.begin();
      const auto code = decode(unit_.code, p, unit_.options.limits);
      return code && std::any_of(code->code.begin(), code->code.end(), [&](const Instruction& i) {
               return i.op == Op::STORE_DEREF && static_cast<std::ptrdiff_t>(i.arg) == index;
             });
    }
    return false;
  }

  // A module's docstring and its imports from __future__ must stay first.
  std::ptrdiff_t opening(const ast::Block& b) const {
    std::ptrdiff_t n = 0;
    for (; n < static_cast<std::ptrdiff_t>(b.size()); ++n) {
      const auto& s = node(b[static_cast<std::size_t>(n)]);
      const auto* from = std::get_if<ast::ImportFrom>(&s);
      const auto* e = std::get_if<ast::ExprStmt>(&s);
      const bool text = e != nullptr && std::holds_alternative<ast::ConstantExpr>(node(e->value));
      if (!text && (from == nullptr || from->module != "__future__")) break;
    }
    return n;
  }

  bool enclosing_has(const std::string& name) const {
    for (CodeId p = co_.parent; p.valid(); p = unit_.code.codes[p].parent) {
      const auto& c = unit_.code.codes[p];
      if ((c.flags & kCoOptimized) == 0) continue;
      for (const auto* list : {&c.varnames, &c.cellvars, &c.freevars})
        if (std::find(list->begin(), list->end(), name) != list->end()) return true;
    }
    return false;
  }

  struct Cell {
    ast::NameId name;
    bool stored = false;  // somewhere, or given as an argument
    bool shared = false;  // an inner function gets it
  };

  // Variables that inner functions share, of which the code that is left does not tell.
  std::vector<Cell> cells_in_doubt(std::size_t arguments) {
    if (co_.name.starts_with('<') || co_.cellvars.empty()) return {};
    const bool plus = !co_.localsplus.empty();
    const auto& names = plus ? co_.localsplus : co_.cellvars;
    std::vector<Cell> all(names.size());
    for (const auto& i : accesses_) {
      if (i.arg >= names.size()) continue;
      if (i.op == Op::STORE_DEREF || i.op == Op::DELETE_DEREF) all[i.arg].stored = true;
      if (i.op == Op::LOAD_CLOSURE) all[i.arg].shared = true;
      if (plus && i.op == Op::STORE_FAST) all[i.arg].stored = true;
    }
    const auto end = co_.varnames.begin() + static_cast<std::ptrdiff_t>(std::min(arguments, co_.varnames.size()));
    std::vector<Cell> out;
    for (std::size_t k = 0; k < names.size(); ++k) {
      const bool cell = !plus || (k < co_.localspluskinds.size() && (co_.localspluskinds[k] & 0x40U) != 0);
      if (!cell || names[k].starts_with('.')) continue;
      all[k].name = unmangled(names[k]);
      all[k].stored = all[k].stored || (plus ? k < arguments : std::find(co_.varnames.begin(), end, names[k]) != end);
      if (!all[k].stored || !all[k].shared) out.push_back(all[k]);
    }
    return out;
  }

  // Whether the code reads or stores a global of that name.
  bool is_global(const std::string& name) const {
    return std::any_of(bytecode_.code.begin(), bytecode_.code.end(), [&](const Instruction& i) {
      const bool global = i.op == Op::LOAD_GLOBAL || i.op == Op::STORE_GLOBAL || i.op == Op::DELETE_GLOBAL;
      return global && co_.names[i.arg] == name;
    });
  }

  // A local that only unreachable code stores is local all the same, and so is a cell: reading it is an UnboundLocalError.
  void local_stub(ast::Block& b) {
    const auto& names = local_names(co_);
    std::vector<bool> stored(names.size(), false), read(names.size(), false), cleared(names.size(), false);
    const std::size_t arguments = parameter_count(co_);
    for (const auto& i : accesses_) {
      if (i.arg >= names.size()) continue;
      if (i.op == Op::STORE_FAST || i.op == Op::DELETE_FAST || i.op == Op::LOAD_FAST_AND_CLEAR) stored[i.arg] = true;
      if (i.op == Op::LOAD_FAST) read[i.arg] = true;
      if (i.op == Op::LOAD_FAST_AND_CLEAR) cleared[i.arg] = true;
    }
    if (std::find(cleared.begin(), cleared.end(), true) != cleared.end()) {
      const auto own = ast::own_names(unit_.ast, b);  // what inlined comprehensions store is theirs in the text
      for (std::size_t k = arguments; k < names.size(); ++k) {
        if (!cleared[k]) continue;
        const auto id = local(k).n;
        read[k] = own.mentioned.contains(id) && !is_global(names[k]);
        stored[k] = own.bound.contains(id);
      }
    }
    ast::Block dead;
    const auto named = [&](ast::NameId name) { return unit_.ast.expr(ast::Name{name}, {code_, 0}); };
    const auto assign = [&](ast::NameId name) {
      dead.push_back(stmt(ast::Assign{{named(name)}, unit_.ast.expr(ast::NoneLiteral{}, {code_, 0})}));
    };
    for (std::size_t k = arguments; k < names.size(); ++k) {
      const bool free = !co_.localspluskinds.empty() && (co_.localspluskinds[k] & 0xC0U) != 0;
      if (read[k] && !stored[k] && !free) assign(local(k));
    }
    for (const auto& cell : cells_in_doubt(arguments)) {
      if (!cell.stored) assign(cell.name);
      if (!cell.shared)
        dead.push_back(stmt(ast::ExprStmt{unit_.ast.expr(ast::Lambda{{}, named(cell.name)}, {code_, 0})}));
    }
    if (!dead.empty()) b.insert(b.begin(), stmt(ast::If{unit_.ast.expr(ast::IntLiteral{0}, {code_, 0}), dead, {}}));
  }

  // A module or class whose every annotation was unreachable has its dict of them all the same.
  void annotations_stub(ast::Block& b) {
    const bool setup = std::any_of(bytecode_.code.begin(), bytecode_.code.end(),
                                   [](const Instruction& i) { return i.op == Op::SETUP_ANNOTATIONS; });
    if (!setup) return;
    bool said = false;
    ast::Visitor visitor;
    visitor.stmt = [&](ast::StmtId s) {
      if (std::holds_alternative<ast::ClassDef>(node(s)) || std::holds_alternative<ast::FunctionDef>(node(s)))
        return false;  // bodies of their own
      return !(said = said || std::holds_alternative<ast::AnnAssign>(node(s)));
    };
    visitor.expr = [&](ExprId e) {
      const auto* n = std::get_if<ast::Name>(&node(e));
      return !(said = said || (n != nullptr && unit_.ast.text(n->id) == "__annotations__"));
    };
    ast::walk(unit_.ast, b, visitor);
    if (said) return;
    const auto none = unit_.ast.expr(ast::NoneLiteral{}, {code_, 0}),
               zero = unit_.ast.expr(ast::IntLiteral{0}, {code_, 0});
    const auto name = unit_.ast.expr(ast::Name{unit_.ast.intern("_")}, {code_, 0});
    const auto at = co_.parent.valid() ? b.begin() : b.begin() + opening(b);
    b.insert(at, stmt(ast::If{zero, {stmt(ast::AnnAssign{name, none, {}, true})}, {}}));
  }

  // An asynchronous generator may return, but no value, and `None` is one in its source.
  void bare_returns(const ast::Block& b) {
    std::vector<ast::StmtId> found;
    ast::Visitor visitor;
    visitor.stmt = [&](ast::StmtId s) {
      if (const auto* r = std::get_if<ast::Return>(&node(s)); r != nullptr && is_none(r->value)) found.push_back(s);
      return !std::holds_alternative<ast::ClassDef>(node(s)) && !std::holds_alternative<ast::FunctionDef>(node(s));
    };
    visitor.expr = [](ExprId) { return false; };
    ast::walk(unit_.ast, b, visitor);
    for (const ast::StmtId s : found) unit_.ast.stmts[s].node = ast::Return{};
  }

  // A generator whose every yield was unreachable is one all the same.
  void generator_stub(ast::Block& b) {
    if ((co_.flags & (kCoGenerator | kCoAsyncGenerator)) == 0 || out_.comprehension || co_.name == "<lambda>") return;
    bool yields = false;
    ast::Visitor visitor;
    visitor.stmt = [&](ast::StmtId s) {
      return !std::holds_alternative<ast::ClassDef>(node(s)) && !std::holds_alternative<ast::FunctionDef>(node(s));
    };
    visitor.expr = [&](ExprId e) {
      yields = yields || std::holds_alternative<ast::Yield>(node(e)) || std::holds_alternative<ast::YieldFrom>(node(e));
      return !yields && !std::holds_alternative<ast::Lambda>(node(e));
    };
    ast::walk(unit_.ast, b, visitor);
    if (yields) return;
    const auto y = stmt(ast::ExprStmt{unit_.ast.expr(ast::Yield{}, {code_, 0})});
    const auto zero = unit_.ast.expr(ast::IntLiteral{0}, {code_, 0});
    b.push_back(stmt(ast::If{zero, {y}, {}}));
  }

  lift::Unit& unit_;
  CodeId code_;
  const CodeObject& co_;
  const Bytecode& bytecode_;
  const std::vector<Instruction>& accesses_;  // see variable_accesses()
  lift::Body& out_;
};

}  // namespace

std::vector<Instruction> variable_accesses(const Cfg& cfg) {
  std::vector<Instruction> out;
  std::size_t most = 0;
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) most += cfg.blocks[BlockId{b}].code.size();
  out.reserve(most);
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b)
    for (const auto& i : cfg.blocks[BlockId{b}].code)
      if (const auto kind = arg_kind(i.op); kind == ArgKind::Local || kind == ArgKind::Deref || i.op == Op::LOAD_GLOBAL)
        out.push_back(i);
  return out;
}

void finish_body(lift::Unit& unit, CodeId code, const Bytecode& bytecode, const std::vector<Instruction>& accesses,
                 ast::Block block) {
  Finisher(unit, code, bytecode, accesses).run(std::move(block));
}

}  // namespace depyf::structure
