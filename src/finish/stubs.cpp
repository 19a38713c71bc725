// SPDX-License-Identifier: MIT
// Adds statements that never run, for what the compiler decided by unreachable code; see body_context.h.
//
// Example: `def f(): return x; x = 1` makes x a local, so the text of f gets `if 0: x = None`. Each stub is added only
// if the rest of the text does not already have the same effect on the symbol table.
#include "finish/body_context.h"

#include "ast/own_names.h"
#include "ast/walk.h"
#include "code/nested_codes.h"
#include "lift/annotations.h"

#include <algorithm>
#include <optional>

namespace depyf::finish {

using ast::ExprId;

namespace {

struct Cell {
  ast::NameId name;
  bool is_stored = false;     // by reachable code, or a parameter
  bool is_shared = false;     // captured by an inner function
  bool is_cleared = false;    // an inlined comprehension has a variable of this name
  bool is_recreated = false;  // … which is a cell
};

// Returns the names that functions, classes, lambdas and comprehensions in the block mention.
ast::NameSet mentioned_inside(const BodyContext& ctx, const ast::Block& b) {
  ast::NameSet out;
  const Overloaded names{[&](ExprId e) {
                           if (const auto* n = std::get_if<ast::Name>(&ctx.node(e))) out.insert(n->id);
                           return true;
                         },
                         [&](ast::StmtId s) {
                           if (const auto* n = std::get_if<ast::Nonlocal>(&ctx.node(s)))
                             for (const auto name : n->names) out.insert(name);
                           return true;
                         }};
  const Overloaded scopes{[&](ast::StmtId s) {
                            const auto* f = std::get_if<ast::FunctionDef>(&ctx.node(s));
                            const auto* c = std::get_if<ast::ClassDef>(&ctx.node(s));
                            if (f != nullptr) ast::walk(ctx.unit.ast, f->body, names);
                            if (c != nullptr) ast::walk(ctx.unit.ast, c->body, names);
                            return true;
                          },
                          [&](ExprId e) {
                            const bool scope = ast::is<ast::Lambda, ast::Comprehension>(ctx.node(e));
                            if (scope) ast::walk(ctx.unit.ast, e, names);
                            return !scope;
                          }};
  ast::walk(ctx.unit.ast, b, scopes);
  return out;
}

// Returns whether the code accesses a global of that name.
bool is_global(const BodyContext& ctx, const std::string& name) {
  return std::ranges::any_of(ctx.bytecode.code, [&](const Instruction& i) {
    const bool global = i.op == Op::LOAD_GLOBAL || i.op == Op::STORE_GLOBAL || i.op == Op::DELETE_GLOBAL;
    return global && ctx.co.names[i.arg] == name;
  });
}

// Returns whether only comprehensions can bind variables here: annotations bind none, so a variable of their code
// belongs to an inlined comprehension (inline_comprehension in Python/symtable.c).
bool binds_by_comprehensions(const BodyContext& ctx) { return lift::is_annotate(ctx.unit, ctx.code); }

// Returns by slot how the reachable code uses the cells.
std::vector<Cell> cell_uses(const BodyContext& ctx) {
  std::vector<Cell> cells(ctx.cell_slots().size());
  const bool has_localsplus = !ctx.co.localsplus.empty();
  for (const auto& i : ctx.accesses.variables) {
    if (i.arg >= cells.size()) continue;
    Cell& cell = cells[i.arg];
    if (i.op == Op::STORE_DEREF || i.op == Op::DELETE_DEREF || (has_localsplus && i.op == Op::STORE_FAST))
      cell.is_stored = true;
    if (i.op == Op::LOAD_CLOSURE) cell.is_shared = true;
    if (i.op != Op::LOAD_FAST_AND_CLEAR || !ctx.is_cell(i.arg)) continue;
    cell.is_cleared = true;
    cell.is_recreated = cell.is_recreated || (i.flags & kMakesCell) != 0;
  }
  return cells;
}

// Leaves only the uses outside of inlined comprehensions, which replace the function's cell by one of their own until
// STORE_FAST restores it. A cell that only a comprehension uses needs no stub.
void discount_comprehensions(const BodyContext& ctx, std::vector<Cell>& cells) {
  if (binds_by_comprehensions(ctx) || std::ranges::none_of(cells, &Cell::is_cleared)) return;
  const auto outside = outside_comprehensions(ctx, ctx.code);
  if (!outside) return;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    Cell& cell = cells[k];
    if (!cell.is_cleared) continue;
    if (!outside->used[k])
      cell.is_stored = cell.is_stored || cell.is_recreated, cell.is_shared = cell.is_shared || cell.is_recreated;
    else if (!is_global(ctx, ctx.cell_slots()[k]))
      cell.is_stored = outside->stored[k];
  }
}

// Returns the cells that the text does not store or does not share with an inner function.
std::vector<Cell> unexplained_cells(BodyContext& ctx, const ast::Block& b) {
  if (ctx.co.name.starts_with('<') || ctx.co.cellvars.empty()) return {};
  auto cells = cell_uses(ctx);
  discount_comprehensions(ctx, cells);
  // The text may lack some reachable code, and this code lacks walrus targets in lambdas and the like: ask the text.
  const bool asks_text = ctx.accesses.some_unreached;
  std::optional<ast::OwnNames> own;
  const ast::NameSet inside = asks_text ? mentioned_inside(ctx, b) : ast::NameSet{};
  const auto end_of_parameters = ctx.co.varnames.begin() + static_cast<std::ptrdiff_t>(parameter_count(ctx.co));
  std::vector<Cell> out;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const auto& name = ctx.cell_slots()[k];
    if (!ctx.is_cell(k) || name.starts_with('.')) continue;
    Cell& cell = cells[k];
    cell.name = ctx.unmangled(name);
    if (asks_text || !cell.is_stored) {
      if (!own) own = ast::own_names(ctx.unit.ast, b);
      cell.is_stored = own->bound.contains(cell.name);
    }
    if (asks_text) cell.is_shared = cell.is_shared && inside.contains(cell.name);
    cell.is_stored = cell.is_stored || std::find(ctx.co.varnames.begin(), end_of_parameters, name) != end_of_parameters;
    if (!cell.is_stored || !cell.is_shared) out.push_back(cell);
  }
  return out;
}

// Returns `name = None`.
ast::StmtId store_of_none(const BodyContext& ctx, ast::NameId name) {
  return ctx.stmt(ast::Assign{{ctx.expr(ast::Name{name})}, ctx.expr(ast::NoneLiteral{})});
}

// Returns a comprehension that has a variable of that name as a cell. The cell belongs to the code around an inlined
// comprehension, where the name may also be that of a global or free variable.
ast::StmtId comprehension_with_cell(const BodyContext& ctx, std::string_view name) {
  const std::string text(name);
  return ctx.stmt(ast::ExprStmt{ctx.expr(ast::Verbatim{"[lambda: " + text + " for " + text + " in ()]"})});
}

// By slot of LOAD_FAST: how the text uses the local variables. Parameters are always stored.
struct LocalUses {
  SmallVector<bool, 64> stored, read;
};

LocalUses local_uses(BodyContext& ctx, const ast::Block& b) {
  const auto& names = local_names(ctx.co);
  const auto parameters = parameter_count(ctx.co);
  LocalUses uses{SmallVector<bool, 64>(names.size()), SmallVector<bool, 64>(names.size())};
  auto& [stored, read] = uses;
  SmallVector<bool, 64> cleared(names.size());
  for (const auto& i : ctx.accesses.variables) {
    if (i.arg >= names.size()) continue;
    if (i.op == Op::STORE_FAST || i.op == Op::DELETE_FAST || i.op == Op::LOAD_FAST_AND_CLEAR) stored[i.arg] = true;
    if (i.op == Op::LOAD_FAST) read[i.arg] = true;
    if (i.op == Op::LOAD_FAST_AND_CLEAR) cleared[i.arg] = true;
  }
  const auto has = [](const auto& slots) { return std::find(slots.begin(), slots.end(), true) != slots.end(); };
  const bool has_comprehensions = !binds_by_comprehensions(ctx) && has(cleared);
  if (!has_comprehensions && !(ctx.accesses.some_unreached && has(read))) return uses;
  const auto own = ast::own_names(ctx.unit.ast, b);  // in the text, inlined comprehensions have scopes of their own
  std::optional<SlotUses> outside;                   // tells a local from a name in the scope of an annotation or class
  for (std::size_t k = parameters; k < names.size(); ++k) {
    const auto name = ctx.local(k);
    if (has_comprehensions && cleared[k]) {
      stored[k] = own.bound.contains(name);
      read[k] = !stored[k] && own.mentioned.contains(name) && !is_global(ctx, names[k]);
      if (read[k] && !outside) outside = outside_comprehensions(ctx, ctx.code);
      read[k] = read[k] && outside && outside->used[k];
    }
    if (ctx.accesses.some_unreached && read[k]) stored[k] = stored[k] && own.bound.contains(name);
  }
  return uses;
}

}  // namespace

void add_local_stub(BodyContext& ctx, ast::Block& b) {
  const auto& names = local_names(ctx.co);
  const auto uses = local_uses(ctx, b);
  ast::Block dead;
  for (std::size_t k = parameter_count(ctx.co); k < names.size(); ++k) {
    // A local of the name of a free variable belongs to an inlined comprehension.
    if (uses.read[k] && !uses.stored[k] && !is_of_kind(ctx.co, k, kFastCell) && !ctx.has_free_variable(names[k]))
      dead.push_back(store_of_none(ctx, ctx.local(k)));
  }
  for (const auto& cell : unexplained_cells(ctx, b)) {
    const std::string text{ctx.unit.ast.text(cell.name)};
    if (ctx.unit.dialect.inlines_comprehensions && (ctx.has_free_variable(text) || is_global(ctx, text))) {
      dead.push_back(comprehension_with_cell(ctx, text));
      continue;
    }
    if (!cell.is_stored) dead.push_back(store_of_none(ctx, cell.name));
    if (!cell.is_shared)
      dead.push_back(ctx.stmt(ast::ExprStmt{ctx.expr(ast::Lambda{{}, ctx.expr(ast::Name{cell.name})})}));
  }
  if (!dead.empty()) b.insert(b.begin(), ctx.if_false(dead));
}

void add_cells_stub(BodyContext& ctx, ast::Block& b) {
  if (!ctx.unit.dialect.inlines_comprehensions || ctx.co.cellvars.empty()) return;
  ast::Block dead;
  for (std::size_t k = 0; k < ctx.co.localsplus.size(); ++k) {
    const std::string_view name = ctx.co.localsplus[k];
    if (!ctx.is_cell(k) || name.starts_with("__class") || name == "__conditional_annotations__") continue;
    const auto explains = [&](const Instruction& i) {
      const bool makes_again = i.op == Op::LOAD_FAST_AND_CLEAR && (i.flags & kMakesCell) != 0;
      return makes_again || arg_kind(i.op) == ArgKind::Deref;
    };
    if (std::ranges::any_of(accesses_of(ctx.accesses, k), explains)) continue;
    dead.push_back(comprehension_with_cell(ctx, ctx.unit.ast.text(ctx.unmangled(name))));
  }
  if (!dead.empty()) b.push_back(ctx.if_false(dead));
}

namespace {

// Returns whether a class has a cell that no function captures, and which its body at most stores in the namespace as
// `stored_as`. A body that always raises does not get to store it.
bool has_lone_cell(const BodyContext& ctx, std::string_view cell, std::string_view stored_as) {
  if (std::ranges::find(ctx.co.cellvars, cell) == ctx.co.cellvars.end()) return false;
  const auto& names = ctx.cell_slots();
  const auto k = static_cast<std::uint32_t>(std::ranges::find(names, cell) - names.begin());
  const auto& code = ctx.bytecode.code;
  bool is_stored = false;
  for (std::size_t i = 0; i + 2 < code.size(); ++i) {
    if (code[i].op != Op::LOAD_CLOSURE || code[i].arg != k) continue;
    const auto& use = code[i + 1].op == Op::COPY ? code[i + 2] : code[i + 1];
    is_stored = use.op == Op::STORE_NAME && ctx.co.names[use.arg] == stored_as;
    if (!is_stored) return false;
  }
  return is_stored || !ctx.has(Op::RETURN_VALUE);
}

// Returns the code objects within a class that look up names in its namespace (3.12+): those with its `__classdict__`.
std::vector<CodeId> readers_of_namespace(const BodyContext& ctx) {
  return nested_codes(ctx.unit.code, ctx.code, [&](CodeId code) {
    const auto& free = ctx.unit.code.codes[code].freevars;
    return std::ranges::find(free, "__classdict__") != free.end();
  });
}

}  // namespace

void add_namespace_stub(BodyContext& ctx, ast::Block& b) {
  if (has_lone_cell(ctx, "__class__", "__classcell__"))
    b.push_back(
        ctx.if_false({ctx.stmt(ast::ExprStmt{ctx.expr(ast::Lambda{{}, ctx.expr(ast::Verbatim{"__class__"})})})}));
  if (!has_lone_cell(ctx, "__classdict__", "__classdictcell__")) return;
  bool is_explained = false;
  const auto check = [&](ast::StmtId s) {
    const auto& n = ctx.node(s);
    const auto* f = std::get_if<ast::FunctionDef>(&n);
    const auto* c = std::get_if<ast::ClassDef>(&n);
    if (f != nullptr) is_explained = is_explained || ctx.unit.dialect.deferred_annotations || !f->type_params.empty();
    if (c != nullptr) is_explained = is_explained || !c->type_params.empty();
    is_explained = is_explained || ast::is<ast::TypeAlias>(n) ||
                   (ctx.unit.dialect.deferred_annotations && ast::is<ast::AnnAssign>(n));
    return !is_explained && !ast::is_scope(n);
  };
  ast::walk(ctx.unit.ast, b, check);
  if (is_explained) return;
  const auto name = ctx.unit.ast.intern(ctx.has_free_variable("_") ? "_0" : "_");
  b.push_back(ctx.if_false({ctx.stmt(ast::TypeAlias{name, {}, ctx.literal(0)})}));
}

void add_annotations_stub(BodyContext& ctx, ast::Block& b) {
  if (!ctx.has(Op::SETUP_ANNOTATIONS) || !ctx.unit.dialect.evaluates_annotations(ctx.co.flags)) return;
  bool is_explained = false;
  const auto check = [&](ast::StmtId s) {
    if (ast::is_scope(ctx.node(s))) return false;  // they have bodies of their own
    // find_ann in Python/compile.c visits match statements from 3.11 on, as does the exception table
    if (ast::is<ast::Match>(ctx.node(s)) && !ctx.unit.dialect.exception_table) return false;
    return !(is_explained = is_explained || ast::is<ast::AnnAssign>(ctx.node(s)));
  };
  ast::walk(ctx.unit.ast, b, check);
  if (is_explained) return;
  const auto none = ctx.expr(ast::NoneLiteral{});
  const auto name = ctx.expr(ast::Name{ctx.unit.ast.intern("_")});
  const auto at = ctx.co.parent.valid() ? b.begin() : b.begin() + prologue_length(ctx, b);
  b.insert(at, ctx.if_false({ctx.stmt(ast::AnnAssign{name, none, {}, true})}));
}

void add_generator_stub(BodyContext& ctx, ast::Block& b) {
  if ((ctx.co.flags & (kCoGenerator | kCoAsyncGenerator)) == 0 || ctx.out.comprehension) return;
  bool yields = false;
  ast::ExprIds todo;  // decorators, defaults and the like, which are evaluated outside of the scopes they belong to
  const Overloaded visit{[&](ast::StmtId s) {
                           const bool scope = ast::is_scope(ctx.node(s));
                           if (scope) ast::for_each_child_expr(ctx.node(s), [&](ExprId e) { todo.push_back(e); });
                           return !scope;
                         },
                         [&](ExprId e) {
                           yields = yields || ast::is<ast::Yield, ast::YieldFrom>(ctx.node(e));
                           const auto* lambda = std::get_if<ast::Lambda>(&ctx.node(e));
                           if (lambda == nullptr) return !yields;
                           ast::for_each_child_expr(ctx.node(e), [&](ExprId child) {
                             if (child != lambda->body) todo.push_back(child);
                           });
                           return false;
                         }};
  ast::walk(ctx.unit.ast, b, visit);
  for (; !yields && !todo.empty();) {
    const ExprId e = todo.back();
    todo.pop_back();
    ast::walk(ctx.unit.ast, e, visit);
  }
  if (yields) return;
  if (ctx.out.expr.valid() && ctx.co.name == "<lambda>")
    ctx.out.expr = ctx.expr(ast::IfExp{ctx.literal(1), ctx.out.expr, ctx.expr(ast::Yield{})});
  const auto y = ctx.stmt(ast::ExprStmt{ctx.expr(ast::Yield{})});
  b.push_back(ctx.if_false({y}));
}

void add_class_stub(BodyContext& ctx, ast::Block& b) {
  std::vector<ast::NameId> read;
  const auto collect = [&](CodeId code, const Bytecode& bytecode, Op load) {
    const auto& names = ctx.unit.code.codes[code].names;
    for (const auto& i : bytecode.code) {
      if (i.op != load || !enclosing_function_has(ctx, code, names[i.arg])) continue;
      const ast::NameId name = ctx.unmangled(names[i.arg]);
      if (std::find(read.begin(), read.end(), name) == read.end()) read.push_back(name);
    }
  };
  collect(ctx.code, ctx.bytecode, Op::LOAD_NAME);
  for (const CodeId code : readers_of_namespace(ctx)) {
    const auto& names = ctx.unit.code.codes[code].names;
    if (std::ranges::none_of(names, [&](const auto& name) { return enclosing_function_has(ctx, code, name); }))
      continue;
    if (const auto bytecode = decode(ctx.unit.code, code, ctx.unit.options.limits))
      collect(code, *bytecode, Op::LOAD_FROM_DICT_OR_GLOBALS);
  }
  if (read.empty()) return;
  const auto own = ast::own_names(ctx.unit.ast, b);
  std::erase_if(read, [&](ast::NameId name) { return own.bound.contains(name); });
  if (read.empty()) return;
  ast::Block dead;
  for (const auto name : read) dead.push_back(store_of_none(ctx, name));
  b.insert(b.begin(), ctx.if_false(dead));
}

void delete_temporaries(BodyContext& ctx, ast::Block& b) {
  auto bound = ast::own_names(ctx.unit.ast, b).bound.names();
  std::erase_if(bound, [&](auto id) { return !ctx.unit.ast.text(id).starts_with(ctx.unit.options.temp_prefix); });
  if (bound.empty()) return;
  ast::NameSet deleted_names;
  ast::Block end = b;
  if (const auto* t = b.empty() ? nullptr : std::get_if<ast::Try>(&ctx.node(b.back()))) end = t->finalbody;
  if (const auto* last = end.empty() ? nullptr : std::get_if<ast::Delete>(&ctx.node(end.back())))
    for (const ExprId e : last->targets)
      if (const auto* n = std::get_if<ast::Name>(&ctx.node(e))) deleted_names.insert(n->id);
  ast::walk(ctx.unit.ast, b, [&](ast::StmtId s) {
    if (const auto* t = std::get_if<ast::Try>(&ctx.node(s)))
      for (const auto& h : t->handlers)
        if (h.name.valid()) deleted_names.insert(h.name);  // deleted at the handler's end
    return !ast::is_scope(ctx.node(s));
  });
  ast::ExprIds stored, deleted;
  for (const auto id : bound) {
    if (deleted_names.contains(id)) continue;
    stored.push_back(ctx.expr(ast::Name{id}));
    deleted.push_back(ctx.expr(ast::Name{id}));
  }
  if (stored.empty()) return;
  b.push_back(ctx.stmt(ast::Assign{std::move(stored), ctx.expr(ast::NoneLiteral{})}));
  b.push_back(ctx.stmt(ast::Delete{std::move(deleted)}));
}

}  // namespace depyf::finish
