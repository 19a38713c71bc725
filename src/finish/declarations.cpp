// SPDX-License-Identifier: MIT
// Decides which names a body declares `global` or `nonlocal`; see body_context.h.
//
// STORE_GLOBAL in a function needs `global x`, STORE_DEREF of a free variable needs `nonlocal x`. Reads need a
// declaration only where the name alone would mean another variable. Free variables that no reachable code uses are
// mentioned, so that the recompiled code has them too.
#include "finish/body_context.h"

#include <algorithm>
#include <utility>

#include "ast/own_names.h"
#include "ast/walk.h"
#include "cfg/lenient.h"
#include "code/nested_codes.h"
#include "lift/annotations.h"

namespace depyf::finish {

bool is_comprehension(std::string_view name) {
  return name == "<listcomp>" || name == "<setcomp>" || name == "<dictcomp>" || name == "<genexpr>";
}

bool uses_free_variable(const BodyContext& ctx, std::size_t k) {
  const auto index =
      ctx.co.localsplus.empty() ? ctx.co.cellvars.size() + k : ctx.co.localsplus.size() - ctx.co.freevars.size() + k;
  return std::ranges::any_of(accesses_of(ctx.accesses, index), [&](const Instruction& i) {
    return arg_kind(i.op) == ArgKind::Deref || !ctx.co.localsplus.empty();
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

std::ptrdiff_t prologue_length(const BodyContext& ctx, const ast::Block& b) {
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

// Returns the names of slots that function `code` has only for its inlined comprehensions. For other scopes inside it
// they are no variables (inline_comprehension in Python/symtable.c).
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

bool enclosing_function_has(const BodyContext& ctx, CodeId code, const std::string& name) {
  for (CodeId p = ctx.unit.code.codes[code].parent; p.valid(); p = ctx.unit.code.codes[p].parent) {
    const auto& c = ctx.unit.code.codes[p];
    if ((c.flags & kCoOptimized) == 0) continue;
    for (const auto* list : {&c.varnames, &c.cellvars, &c.freevars})
      if (std::find(list->begin(), list->end(), name) != list->end() && !comprehension_names(ctx, p).contains(name))
        return true;
  }
  return false;
}

namespace {

struct StoredName {
  std::string name;
  bool global = false;  // else a cell or free variable
};

// Returns the name of the variable that a STORE_DEREF or DELETE_DEREF with this argument accesses.
const std::string& name_of_cell(const CodeObject& co, std::uint32_t slot) {
  if (!co.localsplus.empty()) return co.localsplus[slot];
  return slot < co.cellvars.size() ? co.cellvars[slot] : co.freevars[slot - co.cellvars.size()];
}

void collect_stores(const BodyContext& ctx, CodeId code, std::vector<StoredName>& out) {
  const auto& co = ctx.unit.code.codes[code];
  const auto read = decode(ctx.unit.code, code, ctx.unit.options.limits);
  if (!read) return;
  for (const auto& i : read->code) {
    if (i.op == Op::STORE_GLOBAL) out.push_back({co.names[i.arg], true});
    if (i.op == Op::STORE_DEREF) out.push_back({name_of_cell(co, i.arg), false});
  }
}

// Returns the code objects of comprehensions in the body, which can contain no declarations. With `all`, also those of
// lambdas, type parameters and annotations, and all of these in classes of the body: declarations of a class do not
// apply to the scopes in it.
std::vector<CodeId> nested_expression_code(const BodyContext& ctx, bool all) {
  return nested_codes(ctx.unit.code, ctx.code, [&](CodeId code) {
    const auto& co = ctx.unit.code.codes[code];
    const bool is_scope = co.name == "<lambda>" || (co.flags & kCoOptimized) == 0 || co.name.starts_with("<generic ") ||
                          lift::is_annotate(ctx.unit, code);
    return is_comprehension(co.name) || (all && is_scope);
  });
}

// Returns what the comprehensions of a function store. The target of a walrus belongs to the function: the
// comprehension stores it as global or nonlocal if the function declares it so (symtable_extend_namedexpr_scope in
// Python/symtable.c).
std::vector<StoredName> stores_of_comprehensions(const BodyContext& ctx) {
  std::vector<StoredName> out;
  for (const CodeId code : nested_expression_code(ctx, false)) collect_stores(ctx, code, out);
  return out;
}

// Returns the names that the code reads with LOAD_GLOBAL. In a module this means that a `global` statement somewhere
// makes the name explicitly global (symtable_add_def_helper in Python/symtable.c); without it, LOAD_NAME would also
// look in the namespace that exec() is given.
std::vector<std::string> loaded_globals(const BodyContext& ctx) {
  std::vector<std::string> out;
  for (const auto& i : ctx.accesses.globals)
    if (!(ctx.unit.dialect.assert_loads_global && ctx.co.names[i.arg] == "AssertionError"))
      out.push_back(ctx.co.names[i.arg]);
  return out;
}

// Returns the names that a body mentions itself, outside of comprehensions.
ast::NameSet mentioned_names(const BodyContext& ctx, const ast::Block& b) {
  ast::NameSet out;
  ast::AnyIds todo(b.rbegin(), b.rend()), iterables;
  const auto mention = [&](ast::ExprId e) {
    if (const auto* n = std::get_if<ast::Name>(&ctx.node(e)))
      if (ctx.unit.ast.exprs[e].origin.code == ctx.code) out.insert(n->id);
    const auto* c = std::get_if<ast::Comprehension>(&ctx.node(e));
    if (c != nullptr) iterables.push_back(ast::AnyId{c->generators[0].iter});  // the body evaluates the first iterable
    return c == nullptr;
  };
  for (; !todo.empty(); todo = std::exchange(iterables, {})) ast::walk(ctx.unit.ast, std::move(todo), mention);
  return out;
}

// Adds the names that the annotation scopes of a class read as globals: annotations, type parameters, their bounds and
// defaults, and values of type aliases. They look into the class's namespace first, unless the class has a `global`
// statement for the name (analyze_name in Python/symtable.c). `seen`: the scopes that were searched.
void add_globals_of_annotation_scopes(const BodyContext& ctx, CodeId in, std::set<CodeId>& seen,
                                      std::vector<std::string>& out) {
  for (const ConstId k : ctx.unit.code.codes[in].consts) {
    const auto* child = std::get_if<ConstCode>(&ctx.unit.code.consts[k]);
    if (child == nullptr || !seen.insert(child->code).second) continue;
    const auto& co = ctx.unit.code.codes[child->code];
    const bool is_generic = co.name.starts_with("<generic ");
    if (is_generic) add_globals_of_annotation_scopes(ctx, child->code, seen, out);
    if (!is_generic && !ctx.unit.bodies[child->code.n].is_evaluator && !lift::is_annotate(ctx.unit, child->code))
      continue;
    if (const auto bytecode = decode(ctx.unit.code, child->code, ctx.unit.options.limits))
      for (const auto& i : bytecode->code)
        if (i.op == Op::LOAD_GLOBAL) out.push_back(co.names[i.arg]);
  }
}

// Returns the names that a class body reads with LOAD_GLOBAL. Without a `global` statement it would look into its
// namespace first, which a metaclass may have filled. Inlined comprehensions need no statement for their globals.
std::vector<std::string> globals_read_in_class(const BodyContext& ctx, const ast::Block& b) {
  std::vector<std::string> out = loaded_globals(ctx);
  if (!out.empty() && ctx.has(Op::LOAD_FAST_AND_CLEAR)) {
    const auto all = mentioned_names(ctx, b);
    std::erase_if(out, [&](const std::string& name) { return !all.contains(ctx.unmangled(name)); });
  }
  std::set<CodeId> seen;
  if (ctx.unit.dialect.type_parameters) add_globals_of_annotation_scopes(ctx, ctx.code, seen, out);
  return out;
}

// Returns the globals that a body, or a lambda or comprehension in it, reads although an enclosing function binds the
// name.
std::vector<std::string> shadowed_globals(const BodyContext& ctx) {
  std::vector<std::string> out;
  const auto read = [&](const CodeObject& co, const Bytecode& bytecode) {
    std::vector<bool> is_known(co.names.size());
    for (const auto& i : bytecode.code) {
      if (i.op != Op::LOAD_GLOBAL || is_known[i.arg]) continue;
      is_known[i.arg] = true;
      if (enclosing_function_has(ctx, ctx.code, co.names[i.arg])) out.push_back(co.names[i.arg]);
    }
  };
  read(ctx.co, ctx.bytecode);
  const auto is_class = [](const CodeObject& co) { return (co.flags & kCoOptimized) == 0; };
  if (is_class(ctx.co)) return out;
  for (const CodeId code : nested_expression_code(ctx, true)) {
    const auto& co = ctx.unit.code.codes[code];
    if (is_class(co)) continue;  // a class declares its globals itself
    if (std::ranges::none_of(co.names, [&](const auto& name) { return enclosing_function_has(ctx, ctx.code, name); }))
      continue;
    if (const auto bytecode = decode(ctx.unit.code, code, ctx.unit.options.limits)) read(co, *bytecode);
  }
  return out;
}

// Returns whether the code names `super`, which alone makes __class__ free (symtable_visit_expr in Python/symtable.c).
bool names_super(const BodyContext& ctx) {
  return std::ranges::any_of(ctx.accesses.globals,
                             [&](const Instruction& i) { return ctx.co.names[i.arg] == "super"; });
}

bool is_bound_by_enclosing_function(const BodyContext& ctx, const std::string& name) {
  for (CodeId p = ctx.co.parent; p.valid(); p = ctx.unit.code.codes[p].parent) {
    const auto& outer = ctx.unit.code.codes[p];
    // For a function decompiled alone, the recompile context contains the function that binds its free variables.
    if (!outer.parent.valid() && (outer.flags & kCoOptimized) != 0 &&
        std::find(outer.freevars.begin(), outer.freevars.end(), name) != outer.freevars.end())
      return name != "__class__" || !names_super(ctx);
    const auto it = std::find(outer.cellvars.begin(), outer.cellvars.end(), name);
    if (it == outer.cellvars.end()) continue;
    if (name == "__class__" && (outer.flags & kCoOptimized) == 0) return !names_super(ctx);
    if ((outer.flags & kCoOptimized) == 0) continue;
    if (outer.name.starts_with('<')) return false;
    const auto arguments = std::min<std::size_t>(outer.argcount + outer.kwonlyargcount, outer.varnames.size());
    for (std::size_t i = 0; i < arguments; ++i)
      if (outer.varnames[i] == name) return true;
    const auto slot = std::find(outer.localsplus.begin(), outer.localsplus.end(), name);
    const auto index = outer.localsplus.empty() ? it - outer.cellvars.begin() : slot - outer.localsplus.begin();
    const auto code = decode(ctx.unit.code, p, ctx.unit.options.limits);
    return code && std::any_of(code->code.begin(), code->code.end(), [&](const Instruction& i) {
             return i.op == Op::STORE_DEREF && static_cast<std::ptrdiff_t>(i.arg) == index;
           });
  }
  return false;
}

// Returns the free variables of a function that no reachable code uses; the source has only `nonlocal x`. Leaves out
// those that no enclosing function visibly binds, since the text must compile.
std::vector<std::string> unused_nonlocals(const BodyContext& ctx) {
  std::vector<std::string> out;
  if ((ctx.co.flags & kCoOptimized) == 0 || ctx.co.name.starts_with('<')) return out;
  for (std::size_t k = 0; k < ctx.co.freevars.size(); ++k) {
    const auto& name = ctx.co.freevars[k];
    if (name.starts_with('.') || (name.starts_with("__") && name.ends_with("__") && name != "__class__")) continue;
    if (!uses_free_variable(ctx, k) && is_bound_by_enclosing_function(ctx, name)) out.push_back(name);
  }
  return out;
}

// Returns whether the name is a type parameter. The variable of an inlined comprehension hides it, although the
// function has it as a free variable.
bool is_type_parameter(const BodyContext& ctx, std::string_view name) {
  const auto& codes = ctx.unit.code.codes;
  const auto is_scope = [&](CodeId p) { return codes[p].name.starts_with("<generic parameters of "); };
  CodeId scope = ctx.co.parent;
  while (scope.valid() && !is_scope(scope)) scope = codes[scope].parent;
  if (!scope.valid()) return false;
  for (CodeId p = ctx.co.parent; p.valid(); p = codes[p].parent)
    if (std::ranges::find(codes[p].cellvars, name) != codes[p].cellvars.end()) return is_scope(p);
  return false;
}

// Returns whether a class body accesses the name in its own namespace; then it cannot be declared global.
bool uses_namespace(const BodyContext& ctx, std::string_view name) {
  if ((ctx.co.flags & kCoOptimized) != 0) return false;
  return std::any_of(ctx.bytecode.code.begin(), ctx.bytecode.code.end(), [&](const Instruction& i) {
    const bool by_name = i.op == Op::LOAD_NAME || i.op == Op::STORE_NAME || i.op == Op::DELETE_NAME;
    return by_name && ctx.co.names[i.arg] == name;
  });
}

// Returns dead statements that mention free variables which no reachable code uses and `nonlocal` cannot name: those of
// classes, where a name of the namespace may hide them, and type parameters. They come from unreachable code, or from
// annotations of locals and attributes, which up to 3.13 are not compiled.
ast::Block mention_unused_free(const BodyContext& ctx) {
  ast::Block out;
  const bool is_class = (ctx.co.flags & kCoOptimized) == 0;
  if (ctx.co.name.starts_with('<') || (!is_class && !ctx.unit.dialect.type_parameters)) return out;
  for (std::size_t k = 0; k < ctx.co.freevars.size(); ++k) {
    const auto& name = ctx.co.freevars[k];
    if (name.starts_with('.') || uses_free_variable(ctx, k) || (!is_class && !is_type_parameter(ctx, name)) ||
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

class Names {
 public:
  void add(ast::NameId name) {
    if (known_.insert(name)) names_.push_back(name);
  }
  void erase_if(const auto& test) { std::erase_if(names_, test); }
  [[nodiscard]] const std::vector<ast::NameId>& list() const { return names_; }  // in the order in which they came

 private:
  std::vector<ast::NameId> names_;
  ast::NameSet known_;
};

struct Declarations {
  Names globals, nonlocals;
};

// Declares the names that the body stores or deletes as globals or free variables.
void declare_stores(const BodyContext& ctx, Declarations& out) {
  if (!ctx.has(Op::STORE_GLOBAL, Op::DELETE_GLOBAL, Op::STORE_DEREF, Op::DELETE_DEREF)) return;
  const auto is_free = [&](std::uint32_t slot) {
    return ctx.co.localsplus.empty() ? slot >= ctx.co.cellvars.size() : is_of_kind(ctx.co, slot, kFastFree);
  };
  for (const auto& i : ctx.bytecode.code) {
    if (i.op == Op::STORE_GLOBAL || i.op == Op::DELETE_GLOBAL) out.globals.add(ctx.unmangled(ctx.co.names[i.arg]));
    if ((i.op == Op::STORE_DEREF || i.op == Op::DELETE_DEREF) && is_free(i.arg))
      out.nonlocals.add(ctx.unmangled(name_of_cell(ctx.co, i.arg)));
  }
}

// Declares the globals that the body reads although their name alone would mean another variable.
void declare_reads(const BodyContext& ctx, const ast::Block& b, Declarations& out) {
  const bool has_namespace = (ctx.co.flags & kCoOptimized) == 0;
  const bool is_module = !ctx.co.parent.valid() && has_namespace;
  const bool reads_by_name = is_module && ctx.has(Op::LOAD_FAST_AND_CLEAR);  // around inlined comprehensions
  const auto add = [&](const std::vector<std::string>& names) {
    for (const auto& name : names)
      if (reads_by_name || !uses_namespace(ctx, name)) out.globals.add(ctx.unmangled(name));
  };
  if (has_namespace) add(is_module ? loaded_globals(ctx) : globals_read_in_class(ctx, b));
  if (is_enclosed(ctx)) add(shadowed_globals(ctx));
}

// Removes the globals of a module that declarations in its functions and classes make explicit already.
void remove_declared(const BodyContext& ctx, const ast::Block& b, Names& globals) {
  if (globals.list().empty()) return;
  ast::NameSet declared;
  ast::walk(ctx.unit.ast, b, [&](ast::StmtId s) {
    if (const auto* declaration = std::get_if<ast::Global>(&ctx.node(s)))
      for (const auto name : declaration->names) declared.insert(name);
    return true;
  });
  globals.erase_if([&](ast::NameId name) { return declared.contains(name); });
}

}  // namespace

void add_declarations(BodyContext& ctx, ast::Block& b) {
  const bool is_module = !ctx.co.parent.valid() && (ctx.co.flags & kCoOptimized) == 0;
  Declarations out;
  declare_stores(ctx, out);
  declare_reads(ctx, b, out);
  if ((ctx.co.flags & kCoOptimized) != 0)
    for (const auto& [name, is_global] : stores_of_comprehensions(ctx))
      if (is_global || ctx.has_free_variable(name)) (is_global ? out.globals : out.nonlocals).add(ctx.unmangled(name));
  for (const auto& name : unused_nonlocals(ctx)) out.nonlocals.add(ctx.unmangled(name));
  out.nonlocals.erase_if([&](ast::NameId n) { return is_type_parameter(ctx, ctx.unit.ast.text(n)); });
  if (is_module) remove_declared(ctx, b, out.globals);
  ast::Block head;
  if (!out.globals.list().empty()) head.push_back(ctx.stmt(ast::Global{out.globals.list()}));
  if (!out.nonlocals.list().empty()) head.push_back(ctx.stmt(ast::Nonlocal{out.nonlocals.list()}));
  if (auto unused = mention_unused_free(ctx); !unused.empty()) head.push_back(ctx.if_false(std::move(unused)));
  b.insert(b.begin() + (is_module ? prologue_length(ctx, b) : 0), head.begin(), head.end());
}

}  // namespace depyf::finish
