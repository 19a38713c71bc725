// SPDX-License-Identifier: MIT
// Finishes one code object; see body.h. The parts about scopes are in declarations.cpp and stubs.cpp.
#include "ast/constants.h"
#include "ast/walk.h"
#include "cfg/shapes.h"
#include "code/docstring.h"
#include "finish/annotations.h"
#include "finish/body_context.h"
#include "finish/epilogues.h"
#include "support/docstring.h"
#include "support/small_vector.h"

#include <algorithm>

namespace depyf::finish {

using ast::ExprId;
using ast::ExprIds;

namespace {

void add_parameters(BodyContext& ctx) {
  auto& a = ctx.out.args;
  std::size_t i = 0;
  a.posonly.reserve(ctx.co.posonlyargcount);
  a.args.reserve(ctx.co.argcount - ctx.co.posonlyargcount);
  a.kwonly.reserve(ctx.co.kwonlyargcount);
  for (; i < ctx.co.posonlyargcount; ++i) a.posonly.push_back({ctx.local(i), {}, {}});
  for (; i < ctx.co.argcount; ++i) a.args.push_back({ctx.local(i), {}, {}});
  for (std::size_t k = 0; k < ctx.co.kwonlyargcount; ++k, ++i) a.kwonly.push_back({ctx.local(i), {}, {}});
  if ((ctx.co.flags & kCoVarArgs) != 0) a.vararg = ast::Parameter{ctx.local(i++), {}, {}};
  if ((ctx.co.flags & kCoVarKeywords) != 0) a.kwarg = ast::Parameter{ctx.local(i++), {}, {}};
}

// Turns `raise AssertionError` back into `assert False`: the compiler folds the test (codegen_assert in
// Python/codegen.c), but loads the exception with LOAD_COMMON_CONSTANT, which a `raise` does not.
void restore_assert_false(BodyContext& ctx, const ast::Block& block) {
  const auto loads = [](const Instruction& i) { return i.op == Op::LOAD_COMMON_CONSTANT && i.arg == 0; };
  if (!ctx.has(Op::LOAD_COMMON_CONSTANT) || std::ranges::none_of(ctx.bytecode.code, loads)) return;
  std::vector<ast::StmtId> raises;  // a statement that is in the tree twice is listed twice
  ast::walk(ctx.unit.ast, block, [&](ast::StmtId s) {
    if (ast::is<ast::Raise>(ctx.node(s))) raises.push_back(s);
    return !ast::is_scope(ctx.node(s));
  });
  for (const ast::StmtId s : raises) {
    const auto message = ctx.unit.assert_message(ctx.node(s));
    if (!message) continue;
    auto& [node, origin] = ctx.unit.ast.stmts[s];
    origin = ast::Origin(ctx.unit.ast.exprs[std::get<ast::Raise>(node).exc].origin);  // of the whole statement
    node = ast::Assert{ctx.unit.ast.expr(ast::Verbatim{"False"}, origin), *message};
  }
}

bool is_none(const BodyContext& ctx, ExprId e) { return !e.valid() || ast::is_none(ctx.unit.ast, ctx.unit.code, e); }

// Removes each `return None` at the end of a function's body, and of the blocks that end it, unless the source has it.
void trim_return(BodyContext& ctx, ast::Block& body) {
  const ast::StmtId pass = ctx.stmt(ast::Pass{});  // created first, since it may move other statements
  const auto is_unwritten = [&](ast::StmtId s, bool is_nested) {
    const auto* r = std::get_if<ast::Return>(&ctx.node(s));
    return r != nullptr && is_none(ctx, r->value) && !(is_nested && r->is_observable) &&
           !ctx.unit.positions.written_return(ctx.unit.ast.stmts[s].origin.offset);
  };
  const bool trims_in_blocks = !ctx.unit.dialect.call_finally;  // 3.8: a return there is visible in the code
  struct Part {
    ast::Block* block;
    bool may_be_empty;
  };
  SmallVector<Part, 16> todo{{&body, true}};
  while (!todo.empty()) {
    const auto [block, may_be_empty] = todo.back();
    todo.pop_back();
    while (!block->empty() && is_unwritten(block->back(), block != &body)) block->pop_back();
    if (block->empty() && !may_be_empty) block->push_back(pass);
    if (block->empty()) continue;
    auto& last = ctx.unit.ast.stmts[block->back()].node;
    if (auto* i = std::get_if<ast::If>(&last)) {
      todo.push_back({&i->body, false});
      todo.push_back({&i->orelse, true});
    } else if (auto* w = std::get_if<ast::With>(&last); w != nullptr && trims_in_blocks) {
      todo.push_back({&w->body, false});
    } else if (auto* m = std::get_if<ast::Match>(&last)) {
      for (auto& c : m->cases) todo.push_back({&c.body, false});
    } else if (auto* t = std::get_if<ast::Try>(&last); t != nullptr && t->finalbody.empty()) {
      todo.push_back({t->orelse.empty() ? &t->body : &t->orelse, !t->orelse.empty()});
      for (auto& h : t->handlers)
        if (trims_in_blocks || !h.name.valid()) todo.push_back({&h.body, false});
    }
  }
}

// Returns whether this may evaluate a bound, a default or a type alias. The function that creates it knows for sure.
bool may_be_evaluator(const BodyContext& ctx) {
  if (!ctx.unit.dialect.type_parameters || ctx.co.argcount > 1) return false;
  return ctx.co.argcount == 0 || (ctx.co.posonlyargcount == 1 && ctx.co.varnames[0] == ".format");
}

// Returns an evaluator's value. From 3.14 on the body starts with `if .format > 2: raise NotImplementedError`.
ExprId evaluator_value(const BodyContext& ctx, const ast::Block& b) {
  if (ctx.co.argcount == 0) return returned_value(ctx.unit, ctx.code, b);
  const auto* i = b.empty() ? nullptr : std::get_if<ast::If>(&ctx.node(b[0]));
  const auto* test = i != nullptr ? std::get_if<ast::Compare>(&ctx.node(i->test)) : nullptr;
  const auto* name = test != nullptr ? std::get_if<ast::Name>(&ctx.node(test->left)) : nullptr;
  if (name == nullptr || name->id != ctx.local(0) || test->ops[0] != ast::CompareOperator::kGt || i->body.size() != 1 ||
      !std::holds_alternative<ast::Raise>(ctx.node(i->body[0])))
    return {};
  const ast::Block rest = i->orelse.empty() ? ast::Block(b.begin() + 1, b.end()) : i->orelse;
  return i->orelse.empty() || b.size() == 1 ? returned_value(ctx.unit, ctx.code, rest) : ExprId{};
}

// Returns the generic function or class if a scope of type parameters only defines and returns one.
std::optional<lift::FunctionValue> generic_definition(const BodyContext& ctx, const ast::Block& b) {
  const auto it = b.size() == 2 ? ctx.unit.generics.find(b[0].n) : ctx.unit.generics.end();
  if (it == ctx.unit.generics.end() || !std::holds_alternative<ast::Return>(ctx.node(b[1]))) return std::nullopt;
  return it->second;
}

// Returns whether one of the operations accesses the slot.
bool accesses_slot(const BodyContext& ctx, std::size_t slot, std::initializer_list<Op> ops) {
  return std::ranges::any_of(accesses_of(ctx.accesses, slot),
                             [&](const Instruction& i) { return std::ranges::find(ops, i.op) != ops.end(); });
}

// Returns expressions for the free variables that no reachable code uses, and lambdas for the cells that no reachable
// function captures. Only unreachable code made the compiler create them.
ExprIds unused_variables(BodyContext& ctx) {
  ExprIds out;
  const auto named = [&](const std::string& name) { return ctx.expr(ast::Name{ctx.unmangled(name)}); };
  for (std::size_t k = 0; k < ctx.co.freevars.size(); ++k)
    if (!uses_free_variable(ctx, k) && ctx.co.freevars[k] != "__classdict__") out.push_back(named(ctx.co.freevars[k]));
  const auto& cells = ctx.cell_slots();
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const auto explains = [&](const Instruction& i) {
      if (i.op != Op::LOAD_FAST_AND_CLEAR) return i.op == Op::LOAD_CLOSURE;
      // The cell of a free variable may belong to an inlined comprehension.
      return (i.flags & kMakesCell) != 0 || ctx.has_free_variable(cells[k]);
    };
    if (ctx.is_cell(k) && std::ranges::none_of(accesses_of(ctx.accesses, k), explains))
      out.push_back(ctx.expr(ast::Lambda{{}, named(cells[k])}));
  }
  return out;
}

ExprId tuple_of(BodyContext& ctx, ExprIds items) {
  return items.size() == 1 ? items[0] : ctx.expr(ast::Tuple{std::move(items)});
}

// Mentions the unused variables in code that never runs: `value if 1 else (unused, …)`.
ExprId mention_unused_variables(BodyContext& ctx, ExprId value) {
  auto unused = value.valid() ? unused_variables(ctx) : ExprIds{};
  return unused.empty() ? value : ctx.expr(ast::IfExp{ctx.literal(1), value, tuple_of(ctx, std::move(unused))});
}

// Adds a dead `for targets in ()` for variables that reachable code reads or shares but does not store.
void add_dead_generator(BodyContext& ctx, ast::Comprehension& c) {
  const bool has_localsplus = !ctx.co.localsplus.empty();
  const auto outside = outside_comprehensions(ctx, ctx.code);  // excludes what inlined comprehensions save and store
  ExprIds targets;
  const auto stores = [&](std::size_t k, std::initializer_list<Op> ops) {
    return outside ? outside->stored[k] : accesses_slot(ctx, k, ops);
  };
  const auto& names = local_names(ctx.co);
  for (std::size_t k = parameter_count(ctx.co); k < names.size(); ++k) {
    const bool reads = outside ? outside->used[k] : accesses_slot(ctx, k, {Op::LOAD_FAST});
    if (!is_of_kind(ctx.co, k, kFastCell | kFastFree) && reads && !stores(k, {Op::STORE_FAST, Op::DELETE_FAST}))
      targets.push_back(ctx.expr(ast::Name{ctx.local(k)}));
  }
  const auto& cells = ctx.cell_slots();
  const auto is_inlined = [&](std::size_t k) {
    return outside && !outside->used[k] && std::ranges::any_of(accesses_of(ctx.accesses, k), [&](const Instruction& i) {
             return i.op == Op::LOAD_FAST_AND_CLEAR && (i.flags & kMakesCell) != 0;
           });
  };
  for (std::size_t k = 0; k < cells.size(); ++k)
    if (ctx.is_cell(k) && !stores(k, {Op::STORE_DEREF, has_localsplus ? Op::STORE_FAST : Op::STORE_DEREF}) &&
        !is_inlined(k))
      targets.push_back(ctx.expr(ast::Name{ctx.unmangled(cells[k])}));
  if (!targets.empty()) c.generators.push_back({tuple_of(ctx, targets), ctx.expr(ast::Tuple{}), {}, false});
}

// Returns whether the generators of a comprehension have `async for`, or `await` outside the first iterable. Only these
// make a generator expression asynchronous.
bool is_asynchronous(const BodyContext& ctx, const ast::Comprehension& c) {
  bool has_await = false;
  const auto visit = Overloaded{[](ast::StmtId) { return true; }, [](ast::PatternId) { return true; },
                                [&](ExprId e) {
                                  has_await = has_await || ast::is<ast::Await>(ctx.node(e));
                                  return !ast::is<ast::Lambda>(ctx.node(e));
                                }};
  for (std::size_t i = 0; i < c.generators.size(); ++i) {
    has_await = has_await || c.generators[i].is_async;
    if (i > 0) ast::walk(ctx.unit.ast, c.generators[i].iter, visit);
    for (const ExprId test : c.generators[i].ifs) ast::walk(ctx.unit.ast, test, visit);
  }
  return has_await;
}

// Completes the comprehension of the code. An unreachable element is replaced by one with the unused variables.
void finish_comprehension(BodyContext& ctx) {
  auto& c = ctx.out.comprehension;
  if (!ctx.unit.refusal.empty()) c.reset();  // the body is a dispatch loop
  if (!c) return;
  const bool is_dict = c->kind == ast::ComprehensionKind::kDict;
  if (!c->elt.valid() && !c->value.valid()) {
    auto unused = unused_variables(ctx);
    c->elt = unused.empty() ? ctx.literal(0) : tuple_of(ctx, std::move(unused));
    if (is_dict) c->value = ctx.literal(0);
    add_dead_generator(ctx, *c);
    if ((ctx.co.flags & kCoAsyncGenerator) != 0 && !is_asynchronous(ctx, *c))
      c->generators.push_back({ctx.expr(ast::Tuple{}), ctx.expr(ast::Tuple{}), {}, true});
  } else if (c->elt.valid() && !std::holds_alternative<ast::Starred>(ctx.node(c->elt))) {
    c->elt = mention_unused_variables(ctx, c->elt);
  }
}

std::string_view assigned_name(const BodyContext& ctx, ast::StmtId s) {
  const auto* n = ast::sole_target<ast::Name>(ctx.unit.ast, s);
  return n != nullptr ? ctx.unit.ast.text(n->id) : std::string_view{};
}

// Removes the stores that the compiler adds at the end of a class body, each name once.
void trim_class_epilogue(BodyContext& ctx, ast::Block& b, std::size_t first) {
  std::vector<std::string_view> seen;
  while (b.size() > first) {
    const auto name = assigned_name(ctx, b.back());
    if (!is_class_epilogue(name) || std::find(seen.begin(), seen.end(), name) != seen.end()) break;
    seen.push_back(name);
    b.pop_back();
  }
}

// Appends a `pass` for each NOP before the return of a module that ends with a conditional expression statement. The
// number of these lines decides whether the compiler copies the exit to the jumps (inline_small_or_no_lineno_blocks in
// Python/flowgraph.c).
void restore_final_passes(const BodyContext& ctx, ast::Block& b) {
  const auto* last = b.empty() ? nullptr : std::get_if<ast::ExprStmt>(&ctx.node(b.back()));
  if (last == nullptr || !ast::is<ast::Compare, ast::IfExp, ast::BoolOp>(ctx.node(last->value))) return;
  const auto& code = ctx.bytecode.code;
  std::size_t end = code.size();
  while (end > 0 && code[end - 1].op != Op::RETURN_VALUE) --end;  // skip the handlers at the end
  if (end < 2) return;
  std::size_t first = end - 2;
  while (first > 0 && code[first - 1].op == Op::NOP) --first;
  if (first == end - 2 || first == 0 || code[first - 1].op != Op::POP_TOP) return;
  for (std::size_t i = first; i < end - 1; ++i) b.push_back(ctx.stmt(ast::Pass{}));
}

// Removes the statements that the compiler adds to a class body; finds the docstring of a module or class.
void finish_namespace_body(BodyContext& ctx, ast::Block& b) {
  place_annotations(ctx.unit, ctx.code, b);
  std::size_t at = 0;
  if (ctx.co.parent.valid()) {
    for (std::string_view name : {"__module__", "__qualname__", "__firstlineno__", "__type_params__"})
      if (at < b.size() && assigned_name(ctx, b[at]) == name) ++at;
    trim_class_epilogue(ctx, b, at);
  }
  b.erase(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(at));
  if (!b.empty() && assigned_name(ctx, b[0]) == "__doc__") {
    const ExprId value = std::get<ast::Assign>(ctx.node(b[0])).value;
    const auto* constant = std::get_if<ast::ConstantExpr>(&ctx.node(value));
    const bool is_empty = ast::is<ast::StrLiteral>(ctx.node(value));  // 3.15+: the empty string is not in co_consts
    const auto* text = ast::constant_of<ConstStr>(ctx.unit.ast, ctx.unit.code, value);
    // the compiler strips a docstring's indentation: a text that has some was assigned to __doc__
    const bool is_docstring =
        text != nullptr && (!ctx.unit.dialect.docstring_cleaned || docstring_indent(text->text).value_or(0) == 0);
    if (is_empty || is_docstring) {
      if (ctx.co.parent.valid() && constant != nullptr) {
        ctx.out.docstring = constant->value;
        b.erase(b.begin());
      } else {
        b[0] = ctx.stmt(ast::ExprStmt{value});
      }
    }
  }
  if (ctx.co.parent.valid() && b.empty() && !ctx.out.docstring) b.push_back(ctx.stmt(ast::Pass{}));
  if (!ctx.co.parent.valid()) restore_final_passes(ctx, b);
}

// Turns `return None` into `return` in functions that return no value, unless it is the only return and ends the body.
// In an asynchronous generator `return` must have no value.
void remove_none_from_returns(BodyContext& ctx, const ast::Block& b) {
  std::size_t returns = 0, values = 0;  // counted in the instructions first, since most functions need no walk
  for (std::size_t i = 1; i < ctx.bytecode.code.size(); ++i) {
    if (ctx.bytecode.code[i].op != Op::RETURN_VALUE) continue;
    ++returns;
    if (!loads_none(ctx.unit.code, ctx.co, ctx.bytecode.code[i - 1])) ++values;
  }
  const bool must_be_bare = (ctx.co.flags & kCoAsyncGenerator) != 0;
  const bool is_only = returns < 2 && (b.empty() || !ast::has_blocks(ctx.node(b.back())));
  if (!must_be_bare && (is_only || values > 0)) return;
  std::vector<ast::StmtId> none_returns;
  bool returns_value = false;
  ast::walk(ctx.unit.ast, b, [&](ast::StmtId s) {
    if (const auto* r = std::get_if<ast::Return>(&ctx.node(s))) {
      if (is_none(ctx, r->value)) none_returns.push_back(s);
      returns_value = returns_value || !is_none(ctx, r->value);
    }
    return !ast::is_scope(ctx.node(s));
  });
  if (returns_value && !must_be_bare) return;
  for (const ast::StmtId s : none_returns) {
    const bool is_observable = std::get<ast::Return>(ctx.unit.ast.stmts[s].node).is_observable;
    ctx.unit.ast.stmts[s].node = ast::Return{{}, is_observable};
  }
}

}  // namespace

VariableAccesses variable_accesses(const Cfg& cfg) {
  VariableAccesses out;
  out.some_unreached = cfg.some_unreached;
  SmallVector<bool, 64> has_global;
  SmallVector<std::uint32_t, 64> latest;    // by slot: one more than the index of the last access found, or 0
  SmallVector<std::uint32_t, 64> previous;  // by access: the same for the access of its slot that was found before it
  const auto is_new = [&](const Instruction& i) {
    while (latest.size() <= i.arg) latest.push_back(0);
    for (auto k = latest[i.arg]; k != 0; k = previous[k - 1])
      if (out.variables[k - 1].op == i.op && out.variables[k - 1].flags == i.flags) return false;
    previous.push_back(latest[i.arg]);
    latest[i.arg] = static_cast<std::uint32_t>(previous.size());
    return true;
  };
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b)
    for (const auto& i : cfg.blocks[BlockId{b}].code) {
      const auto kind = arg_kind(i.op);
      if ((kind == ArgKind::Local || kind == ArgKind::Deref) && is_new(i)) out.variables.push_back(i);
      if (i.op != Op::LOAD_GLOBAL) continue;
      while (has_global.size() <= i.arg) has_global.push_back(false);
      if (!std::exchange(has_global[i.arg], true)) out.globals.push_back(i);
    }
  std::ranges::sort(out.variables, {}, [](const Instruction& i) { return std::tuple(i.arg, i.op, i.flags); });
  return out;
}

namespace {

// Finishes what a function's code is other than the body of a `def`: a comprehension, a lambda, an expression that is
// evaluated lazily, or a scope of type parameters. Then finishes it as the body of a `def`.
void finish_function(BodyContext& ctx, ast::Block& block) {
  if (is_comprehension(ctx.co.name)) finish_comprehension(ctx);
  if (ctx.co.name == "<lambda>")
    ctx.out.expr = mention_unused_variables(ctx, returned_value(ctx.unit, ctx.code, block));
  else if (may_be_evaluator(ctx))
    ctx.out.expr = mention_unused_variables(ctx, evaluator_value(ctx, block));
  if (ctx.co.name.starts_with("<generic parameters of ")) ctx.out.generic = generic_definition(ctx, block);
  trim_return(ctx, block);
  if (docstring(ctx.unit.code, ctx.co, ctx.unit.dialect.docstring_flag) != nullptr)
    ctx.out.docstring = ctx.co.consts[0];
}

// Returns whether the text needs `pass` for a body without statements.
bool needs_pass(const BodyContext& ctx, const ast::Block& block) {
  return block.empty() && !ctx.out.docstring && (ctx.co.flags & (kCoGenerator | kCoAsyncGenerator)) == 0;
}

// Adds `pass`. Records whether it is on the line of the `def`, as the line of the return tells.
void add_pass(BodyContext& ctx, ast::Block& block) {
  const auto& code = ctx.bytecode.code;
  const auto end = std::ranges::find(code, Op::RETURN_VALUE, &Instruction::op);
  const auto* position = end == code.end() ? nullptr : ctx.unit.positions.at(end->offset);
  ctx.out.is_on_first_line = position != nullptr && position->line == ctx.co.firstlineno && position->column <= 0;
  block.push_back(ctx.stmt(ast::Pass{}));
}

}  // namespace

void finish_body(lift::Unit& unit, CodeId code, const Bytecode& bytecode, const VariableAccesses& accesses,
                 ast::Block block) {
  BodyContext ctx(unit, code, bytecode, accesses);
  const bool is_function = (ctx.co.flags & kCoOptimized) != 0;
  const bool is_class = !is_function && ctx.co.parent.valid();
  ctx.out.is_async = (ctx.co.flags & (kCoCoroutine | kCoAsyncGenerator)) != 0;
  add_parameters(ctx);
  restore_assert_false(ctx, block);
  if (is_function)
    finish_function(ctx, block);
  else
    finish_namespace_body(ctx, block);
  add_declarations(ctx, block);
  if (is_function && needs_pass(ctx, block)) add_pass(ctx, block);
  add_generator_stub(ctx, block);
  if (is_class) {
    add_class_stub(ctx, block);
    add_namespace_stub(ctx, block);
  }
  if (is_function) {
    remove_none_from_returns(ctx, block);
    if (!is_comprehension(ctx.co.name) && ctx.co.name != "<lambda>") add_local_stub(ctx, block);
  } else {
    add_cells_stub(ctx, block);
    add_annotations_stub(ctx, block);
    delete_temporaries(ctx, block);
    if (!is_class) execute_lazy_imports(ctx, block);
  }
  ctx.out.block = std::move(block);
  ctx.out.ready = true;
}

}  // namespace depyf::finish
