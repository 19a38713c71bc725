// SPDX-License-Identifier: MIT
// Which names a body declares global or nonlocal; see body_context.h.
#include "finish/body_context.h"

#include <algorithm>
#include <utility>

#include "ast/own_names.h"
#include "ast/walk.h"
#include "cfg/lenient.h"
#include "lift/annotations.h"
#include "support/small_vector.h"

namespace depyf::finish {

bool is_comprehension(std::string_view name) {
  return name == "<listcomp>" || name == "<setcomp>" || name == "<dictcomp>" || name == "<genexpr>";
}

bool uses_free(const BodyContext& ctx, std::size_t k) {
  const auto index =
      ctx.co.localsplus.empty() ? ctx.co.cellvars.size() + k : ctx.co.localsplus.size() - ctx.co.freevars.size() + k;
  return std::any_of(ctx.accesses.code.begin(), ctx.accesses.code.end(), [&](const Instruction& i) {
    return i.arg == index && i.op != Op::LOAD_GLOBAL &&
           (arg_kind(i.op) == ArgKind::Deref || !ctx.co.localsplus.empty());
  });
}

std::optional<SlotUses> outside_comprehensions(const BodyContext& ctx, CodeId code) {
  const auto& limits = ctx.unit.options.limits;
  const auto bytecode = decode(ctx.unit.code, code, limits);
  const auto clears = [](const Instruction& i) { return i.op == Op::LOAD_FAST_AND_CLEAR; };
  if (!bytecode || std::ranges::none_of(bytecode->code, clears)) return std::nullopt;
  auto cfg = build_lenient_cfg(ctx.unit.code, code, *bytecode, ctx.unit.dialect, limits, PhantomSuccessors::kKept);
  if (!cfg) return std::nullopt;
  return uses_outside_comprehensions(*cfg, ctx.unit.code.codes[code], *bytecode, ctx.unit.dialect);
}

std::ptrdiff_t opening(const BodyContext& ctx, const ast::Block& b) {
  std::ptrdiff_t n = 0;
  for (; n < static_cast<std::ptrdiff_t>(b.size()); ++n) {
    const auto& s = ctx.node(b[static_cast<std::size_t>(n)]);
    const auto* from = std::get_if<ast::ImportFrom>(&s);
    const auto* e = std::get_if<ast::ExprStmt>(&s);
    const bool text = e != nullptr && std::holds_alternative<ast::ConstantExpr>(ctx.node(e->value));
    if (!text && (from == nullptr || from->module != "__future__")) break;
  }
  return n;
}

namespace {

// Names of slots that a function around the body has for its inlined comprehensions alone: to what else it holds they are
// no variables (inline_comprehension in Python/symtable.c).
const std::set<std::string>& comprehension_names(const BodyContext& ctx, CodeId code) {
  const auto [it, is_new] = ctx.unit.comprehension_names.try_emplace(code.n);
  if (!is_new || !ctx.unit.dialect.inlines_comprehensions) return it->second;
  const auto& co = ctx.unit.code.codes[code];
  const auto uses = outside_comprehensions(ctx, code);
  if (!uses) return it->second;
  const auto& used = uses->used;
  for (std::size_t k = parameter_count(co); k < used.size(); ++k)
    if (!used[k] && std::ranges::find(co.freevars, co.localsplus[k]) == co.freevars.end())
      it->second.insert(co.localsplus[k]);
  return it->second;
}

}  // namespace

bool enclosing_has(const BodyContext& ctx, const std::string& name) {
  for (CodeId p = ctx.co.parent; p.valid(); p = ctx.unit.code.codes[p].parent) {
    const auto& c = ctx.unit.code.codes[p];
    if ((c.flags & kCoOptimized) == 0) continue;
    for (const auto* list : {&c.varnames, &c.cellvars, &c.freevars})
      if (std::find(list->begin(), list->end(), name) != list->end() && !comprehension_names(ctx, p).contains(name))
        return true;
  }
  return false;
}

namespace {

struct Stored {
  std::string name;
  bool global = false;  // else a cell's
};

void stored_by(const BodyContext& ctx, CodeId code, std::vector<Stored>& out) {
  const auto& co = ctx.unit.code.codes[code];
  const auto read = decode(ctx.unit.code, code, ctx.unit.options.limits);
  if (!read) return;
  for (const auto& i : read->code) {
    if (i.op == Op::STORE_GLOBAL) out.push_back({co.names[i.arg], true});
    if (i.op != Op::STORE_DEREF) continue;
    if (!co.localsplus.empty())
      out.push_back({co.localsplus[i.arg], false});
    else
      out.push_back({i.arg < co.cellvars.size() ? co.cellvars[i.arg] : co.freevars[i.arg - co.cellvars.size()], false});
  }
}

// The code of the expressions in a body that have one of their own and can declare nothing; `all`: of lambdas, too, and
// of what classes in the body hold, as no declaration of theirs is one for that.
SmallVector<CodeId, 8> within(const BodyContext& ctx, bool all) {
  SmallVector<CodeId, 8> out{ctx.code};
  for (std::size_t i = 0; i < out.size(); ++i)
    for (const ConstId k : ctx.unit.code.codes[out[i]].consts) {
      const auto* child = std::get_if<ConstCode>(&ctx.unit.code.consts[k]);
      if (child == nullptr) continue;
      const auto& co = ctx.unit.code.codes[child->code];
      const bool is_scope = co.name == "<lambda>" || (co.flags & kCoOptimized) == 0 ||
                            co.name.starts_with("<generic ") || lift::is_annotate(ctx.unit, child->code);
      if (is_comprehension(co.name) || (all && is_scope)) out.push_back(child->code);
    }
  out.erase(out.begin());
  return out;
}

// The target of a walrus in a comprehension belongs to the function around it: what that one is told to be global or
// nonlocal, the comprehension stores so (symtable_extend_namedexpr_scope in Python/symtable.c).
std::vector<Stored> stored_by_comprehensions(const BodyContext& ctx) {
  std::vector<Stored> out;
  for (const CodeId code : within(ctx, false)) stored_by(ctx, code, out);
  return out;
}

// What a module reads as a global: a `global` statement anywhere in a text makes the name one of the module's own, too
// (symtable_add_def_helper in Python/symtable.c), and that is not looked for in a namespace that exec() is given.
std::vector<std::string> globals_of_module(const BodyContext& ctx) {
  std::vector<std::string> out;
  for (const auto& i : ctx.accesses.code)
    if (i.op == Op::LOAD_GLOBAL && !(ctx.unit.dialect.assert_loads_global && ctx.co.names[i.arg] == "AssertionError"))
      out.push_back(ctx.co.names[i.arg]);
  return out;
}

// The names that a body mentions itself, outside of comprehensions.
ast::NameSet mentioned(const BodyContext& ctx, const ast::Block& b) {
  ast::NameSet out;
  ast::AnyIds todo(b.rbegin(), b.rend()), iterables;
  const auto mention = [&](ast::ExprId e) {
    if (const auto* n = std::get_if<ast::Name>(&ctx.node(e)))
      if (ctx.unit.ast.exprs[e].origin.code == ctx.code) out.insert(n->id);
    const auto* c = std::get_if<ast::Comprehension>(&ctx.node(e));
    if (c != nullptr) iterables.push_back(ast::AnyId{c->generators[0].iter});  // which the body evaluates
    return c == nullptr;
  };
  for (; !todo.empty(); todo = std::exchange(iterables, {})) ast::walk(ctx.unit.ast, std::move(todo), mention);
  return out;
}

// What the annotation scopes in a class read as a global: annotations, type parameters, their bounds and defaults, and the
// values of type aliases. They look in the class's namespace, but for its `global` statements (analyze_name in
// Python/symtable.c).
void read_by_annotation_scopes(const BodyContext& ctx, CodeId in, std::vector<std::string>& out) {
  for (const ConstId k : ctx.unit.code.codes[in].consts) {
    const auto* child = std::get_if<ConstCode>(&ctx.unit.code.consts[k]);
    if (child == nullptr) continue;
    const auto& co = ctx.unit.code.codes[child->code];
    const bool is_generic = co.name.starts_with("<generic ");
    if (is_generic) read_by_annotation_scopes(ctx, child->code, out);
    if (!is_generic && !ctx.unit.bodies[child->code.n].is_evaluator && !lift::is_annotate(ctx.unit, child->code))
      continue;
    if (const auto bytecode = decode(ctx.unit.code, child->code, ctx.unit.options.limits))
      for (const auto& i : bytecode->code)
        if (i.op == Op::LOAD_GLOBAL) out.push_back(co.names[i.arg]);
  }
}

// What a class body reads as a global: it would look in its own namespace first, which a metaclass may have filled, but
// for a `global` statement. An inlined comprehension reads its globals so without one.
std::vector<std::string> globals_of_class(const BodyContext& ctx, const ast::Block& b) {
  std::vector<std::string> out = globals_of_module(ctx);
  if (!out.empty() && ctx.has(Op::LOAD_FAST_AND_CLEAR)) {
    const auto all = mentioned(ctx, b);
    std::erase_if(out, [&](const std::string& name) { return !all.contains(ctx.unmangled(name)); });
  }
  if (ctx.unit.dialect.type_parameters) read_by_annotation_scopes(ctx, ctx.code, out);
  return out;
}

// What a body reads as a global, or a lambda or a comprehension in it, where an enclosing function has a local of that name.
std::vector<std::string> shadowed_globals(const BodyContext& ctx) {
  std::vector<std::string> out;
  const auto read = [&](const CodeObject& co, const Bytecode& bytecode) {
    std::vector<bool> is_known(co.names.size());
    for (const auto& i : bytecode.code) {
      if (i.op != Op::LOAD_GLOBAL || is_known[i.arg]) continue;
      is_known[i.arg] = true;
      if (enclosing_has(ctx, co.names[i.arg])) out.push_back(co.names[i.arg]);
    }
  };
  read(ctx.co, ctx.bytecode);
  const auto is_class = [](const CodeObject& co) { return (co.flags & kCoOptimized) == 0; };
  if (is_class(ctx.co)) return out;
  for (const CodeId code : within(ctx, true)) {
    const auto& co = ctx.unit.code.codes[code];
    if (is_class(co)) continue;  // it declares what it reads itself
    if (std::ranges::none_of(co.names, [&](const auto& name) { return enclosing_has(ctx, name); })) continue;
    if (const auto bytecode = decode(ctx.unit.code, code, ctx.unit.options.limits)) read(co, *bytecode);
  }
  return out;
}

// The name alone makes __class__ free (symtable_visit_expr in Python/symtable.c).
bool reads_super(const BodyContext& ctx) {
  return std::ranges::any_of(ctx.accesses.code, [&](const Instruction& i) {
    return i.op == Op::LOAD_GLOBAL && ctx.co.names[i.arg] == "super";
  });
}

bool bound_outside(const BodyContext& ctx, const std::string& name) {
  for (CodeId p = ctx.co.parent; p.valid(); p = ctx.unit.code.codes[p].parent) {
    const auto& outer = ctx.unit.code.codes[p];
    // a function decompiled alone: what holds its free variables is part of the recompile context
    if (!outer.parent.valid() && (outer.flags & kCoOptimized) != 0 &&
        std::find(outer.freevars.begin(), outer.freevars.end(), name) != outer.freevars.end())
      return name != "__class__" || !reads_super(ctx);
    const auto it = std::find(outer.cellvars.begin(), outer.cellvars.end(), name);
    if (it == outer.cellvars.end()) continue;
    if (name == "__class__" && (outer.flags & kCoOptimized) == 0) return !reads_super(ctx);
    if ((outer.flags & kCoOptimized) == 0) continue;
    if (outer.name.starts_with('<')) return false;
    const auto arguments = std::min<std::size_t>(outer.argcount + outer.kwonlyargcount, outer.varnames.size());
    for (std::size_t i = 0; i < arguments; ++i)
      if (outer.varnames[i] == name) return true;
    const auto plus = std::find(outer.localsplus.begin(), outer.localsplus.end(), name);
    const auto index = outer.localsplus.empty() ? it - outer.cellvars.begin() : plus - outer.localsplus.begin();
    const auto code = decode(ctx.unit.code, p, ctx.unit.options.limits);
    return code && std::any_of(code->code.begin(), code->code.end(), [&](const Instruction& i) {
             return i.op == Op::STORE_DEREF && static_cast<std::ptrdiff_t>(i.arg) == index;
           });
  }
  return false;
}

// Free variables of a function that nothing reached in it uses: `nonlocal x` and no more. Only those that a function
// around it is seen to bind, as the text must compile.
std::vector<std::string> unused_nonlocals(const BodyContext& ctx) {
  std::vector<std::string> out;
  if ((ctx.co.flags & kCoOptimized) == 0 || ctx.co.name.starts_with('<')) return out;
  for (std::size_t k = 0; k < ctx.co.freevars.size(); ++k) {
    const auto& name = ctx.co.freevars[k];
    if (name.starts_with('.') || (name.starts_with("__") && name.ends_with("__") && name != "__class__")) continue;
    if (!uses_free(ctx, k) && bound_outside(ctx, name)) out.push_back(name);
  }
  return out;
}

// What an inlined comprehension stores may be free in the function around it: the parameter that it hides.
bool is_type_parameter(const BodyContext& ctx, std::string_view name) {
  for (CodeId p = ctx.co.parent; p.valid(); p = ctx.unit.code.codes[p].parent) {
    const auto& outer = ctx.unit.code.codes[p];
    if (std::find(outer.cellvars.begin(), outer.cellvars.end(), name) != outer.cellvars.end())
      return outer.name.starts_with("<generic parameters of ");
  }
  return false;
}

// Whether a class body has the name in its own namespace, which no name that it declares global is in.
bool uses_namespace(const BodyContext& ctx, std::string_view name) {
  if ((ctx.co.flags & kCoOptimized) != 0) return false;
  return std::any_of(ctx.bytecode.code.begin(), ctx.bytecode.code.end(), [&](const Instruction& i) {
    const bool own = i.op == Op::LOAD_NAME || i.op == Op::STORE_NAME || i.op == Op::DELETE_NAME;
    return own && ctx.co.names[i.arg] == name;
  });
}

// Free variables that nothing reached uses, of which a statement tells that is never run: those of classes, which a name of
// their own may hide, and type parameters, which no `nonlocal` may name: unreachable code has them, or annotations of local
// variables and of attributes, which up to 3.13 are not compiled.
ast::Block unused_free(const BodyContext& ctx) {
  ast::Block out;
  const bool is_class = (ctx.co.flags & kCoOptimized) == 0;
  if (ctx.co.name.starts_with('<') || (!is_class && !ctx.unit.dialect.type_parameters)) return out;
  for (std::size_t k = 0; k < ctx.co.freevars.size(); ++k) {
    const auto& name = ctx.co.freevars[k];
    if (name.starts_with('.') || uses_free(ctx, k) || (!is_class && !is_type_parameter(ctx, name)) ||
        name == "__classdict__")
      continue;
    const auto mention = ctx.expr(ast::Name{ctx.unmangled(name)});
    out.push_back(ctx.stmt(ast::ExprStmt{uses_namespace(ctx, name) ? ctx.expr(ast::Lambda{{}, mention}) : mention}));
  }
  return out;
}

bool is_enclosed(const BodyContext& ctx) {
  CodeId p = ctx.co.parent;
  while (p.valid() && (ctx.unit.code.codes[p].flags & kCoOptimized) == 0) p = ctx.unit.code.codes[p].parent;
  return p.valid();
}

}  // namespace

void scopes(BodyContext& ctx, ast::Block& b) {
  std::vector<ast::NameId> globals, nonlocals;
  const auto add = [](std::vector<ast::NameId>& v, ast::NameId n) {
    if (std::find(v.begin(), v.end(), n) == v.end()) v.push_back(n);
  };
  const auto cells = ctx.co.localsplus.empty() ? ctx.co.cellvars.size() : 0;
  const auto add_free = [&](std::uint32_t variable) {
    if (ctx.co.localsplus.empty() && !ctx.unit.dialect.exception_table) {
      if (variable >= cells) add(nonlocals, ctx.unmangled(ctx.co.freevars[variable - cells]));
    } else if ((ctx.co.localspluskinds[variable] & 0x80U) != 0) {
      add(nonlocals, ctx.unmangled(ctx.co.localsplus[variable]));
    }
  };
  if (ctx.has(Op::STORE_GLOBAL, Op::DELETE_GLOBAL, Op::STORE_DEREF, Op::DELETE_DEREF))
    for (const auto& i : ctx.bytecode.code) {
      if (i.op == Op::STORE_GLOBAL || i.op == Op::DELETE_GLOBAL) add(globals, ctx.unmangled(ctx.co.names[i.arg]));
      if (i.op == Op::STORE_DEREF || i.op == Op::DELETE_DEREF) add_free(i.arg);
    }
  const bool has_namespace = (ctx.co.flags & kCoOptimized) == 0;
  const bool is_module = !ctx.co.parent.valid() && has_namespace;
  const bool inlines = is_module && ctx.has(Op::LOAD_FAST_AND_CLEAR);  // there a global of the module is a name
  const auto add_read = [&](const std::vector<std::string>& names) {
    for (const auto& name : names)
      if (inlines || !uses_namespace(ctx, name)) add(globals, ctx.unmangled(name));
  };
  if (has_namespace) add_read(is_module ? globals_of_module(ctx) : globals_of_class(ctx, b));
  if (!is_module && is_enclosed(ctx)) add_read(shadowed_globals(ctx));
  if ((ctx.co.flags & kCoOptimized) != 0)
    for (const auto& [name, global] : stored_by_comprehensions(ctx)) {
      const auto& free = ctx.co.freevars;
      if (global)
        add(globals, ctx.unmangled(name));
      else if (std::find(free.begin(), free.end(), name) != free.end())
        add(nonlocals, ctx.unmangled(name));
    }
  for (const auto& name : unused_nonlocals(ctx)) add(nonlocals, ctx.unmangled(name));
  std::erase_if(nonlocals, [&](ast::NameId n) { return is_type_parameter(ctx, ctx.unit.ast.text(n)); });
  if (is_module && !globals.empty())
    ast::walk(ctx.unit.ast, b, [&](ast::StmtId s) {
      if (const auto* said = std::get_if<ast::Global>(&ctx.node(s)))
        for (const auto name : said->names) std::erase(globals, name);
      return true;
    });
  ast::Block head;
  if (!globals.empty()) head.push_back(ctx.stmt(ast::Global{globals}));
  if (!nonlocals.empty()) head.push_back(ctx.stmt(ast::Nonlocal{nonlocals}));
  if (auto unused = unused_free(ctx); !unused.empty()) head.push_back(ctx.never(std::move(unused)));
  const auto at = ctx.co.parent.valid() || (ctx.co.flags & kCoOptimized) != 0 ? b.begin() : b.begin() + opening(ctx, b);
  b.insert(at, head.begin(), head.end());
}

}  // namespace depyf::finish
