// SPDX-License-Identifier: MIT
// Finishing one code object; see body.h.
#include "ast/constants.h"
#include "ast/walk.h"
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

void arguments(BodyContext& ctx) {
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

// `assert False` compiles to no test (codegen_assert in Python/codegen.c), but to its own way to say AssertionError.
void assert_always(BodyContext& ctx, const ast::Block& block) {
  const auto loads = [](const Instruction& i) { return i.op == Op::LOAD_COMMON_CONSTANT && i.arg == 0; };
  if (!ctx.has(Op::LOAD_COMMON_CONSTANT) || std::ranges::none_of(ctx.bytecode.code, loads)) return;
  std::vector<ast::StmtId> raises;  // a statement that is written twice is listed twice
  ast::walk(ctx.unit.ast, block, [&](ast::StmtId s) {
    if (ast::is<ast::Raise>(ctx.node(s))) raises.push_back(s);
    return !ast::is_scope(ctx.node(s));
  });
  for (const ast::StmtId s : raises) {
    const auto message = ctx.unit.asserted(ctx.node(s));
    if (!message) continue;
    auto& [node, origin] = ctx.unit.ast.stmts[s];
    origin = ast::Origin(ctx.unit.ast.exprs[std::get<ast::Raise>(node).exc].origin);  // of the whole assertion
    node = ast::Assert{ctx.unit.ast.expr(ast::Verbatim{"False"}, origin), *message};
  }
}

bool is_none(const BodyContext& ctx, ExprId e) { return !e.valid() || ast::is_none(ctx.unit.ast, ctx.unit.code, e); }

// Removes `return None` from the end of a function's body, and of what ends there, but where the source has it.
void trim_return(BodyContext& ctx, ast::Block& body) {
  const ast::StmtId pass = ctx.stmt(ast::Pass{});  // made first: a new statement would move those of the list
  const auto is_unwritten = [&](ast::StmtId s, bool is_nested) {
    const auto* r = std::get_if<ast::Return>(&ctx.node(s));
    return r != nullptr && is_none(ctx, r->value) && !(is_nested && r->is_observable) &&
           !ctx.unit.positions.written_return(ctx.unit.ast.stmts[s].origin.offset);
  };
  const bool at_ends = !ctx.unit.dialect.call_finally;  // of a with statement and a clause with a name it shows
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
    } else if (auto* w = std::get_if<ast::With>(&last); w != nullptr && at_ends) {
      todo.push_back({&w->body, false});
    } else if (auto* m = std::get_if<ast::Match>(&last)) {
      for (auto& c : m->cases) todo.push_back({&c.body, false});
    } else if (auto* t = std::get_if<ast::Try>(&last); t != nullptr && t->finalbody.empty()) {
      todo.push_back({t->orelse.empty() ? &t->body : &t->orelse, !t->orelse.empty()});
      for (auto& h : t->handlers)
        if (at_ends || !h.name.valid()) todo.push_back({&h.body, false});
    }
  }
}

// Whether it may be a function that gives the value of a bound, a default or an alias; who makes it knows.
bool evaluates(const BodyContext& ctx) {
  if (!ctx.unit.dialect.type_parameters || ctx.co.argcount > 1) return false;
  return ctx.co.argcount == 0 || (ctx.co.posonlyargcount == 1 && ctx.co.varnames[0] == ".format");
}

// 3.14+: if .format > 2: raise NotImplementedError; return value
ExprId evaluated(const BodyContext& ctx, const ast::Block& b) {
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

// One statement, and what it makes is returned.
std::optional<lift::FunctionValue> made(const BodyContext& ctx, const ast::Block& b) {
  const auto it = b.size() == 2 ? ctx.unit.generics.find(b[0].n) : ctx.unit.generics.end();
  if (it == ctx.unit.generics.end() || !std::holds_alternative<ast::Return>(ctx.node(b[1]))) return std::nullopt;
  return it->second;
}

// Whether the code does that with a slot.
bool does(const BodyContext& ctx, std::size_t slot, std::initializer_list<Op> ops) {
  return std::ranges::any_of(ctx.accesses.code, [&](const Instruction& i) {
    return i.arg == slot && std::ranges::find(ops, i.op) != ops.end();
  });
}

// Expressions of the free variables that nothing uses, and of the cells that no function gets.
ExprIds unused_shared(BodyContext& ctx) {
  ExprIds out;
  const auto named = [&](const std::string& name) { return ctx.expr(ast::Name{ctx.unmangled(name)}); };
  for (std::size_t k = 0; k < ctx.co.freevars.size(); ++k)
    if (!uses_free(ctx, k) && ctx.co.freevars[k] != "__classdict__") out.push_back(named(ctx.co.freevars[k]));
  const bool plus = !ctx.co.localsplus.empty();
  const auto& names = plus ? ctx.co.localsplus : ctx.co.cellvars;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const bool is_cell = !plus || (ctx.co.localspluskinds[k] & 0x40U) != 0;
    if (is_cell && !does(ctx, k, {Op::LOAD_CLOSURE, Op::LOAD_FAST_AND_CLEAR}))
      out.push_back(ctx.expr(ast::Lambda{{}, named(names[k])}));
  }
  return out;
}

ExprId tuple_of(BodyContext& ctx, ExprIds items) {
  return items.size() == 1 ? items[0] : ctx.expr(ast::Tuple{std::move(items)});
}

// The value, and beside it, never evaluated, what only code that cannot be reached shares.
ExprId with_unused_shared(BodyContext& ctx, ExprId value) {
  auto unused = value.valid() ? unused_shared(ctx) : ExprIds{};
  return unused.empty() ? value : ctx.expr(ast::IfExp{ctx.literal(1), value, tuple_of(ctx, std::move(unused))});
}

// A clause that is never run, for variables that are read or shared and that only code that cannot be reached stores.
void add_targets(BodyContext& ctx, ast::Comprehension& c) {
  const bool plus = !ctx.co.localsplus.empty();
  const auto outside = outside_comprehensions(ctx, ctx.code);  // what inlined ones save and store is theirs
  ExprIds targets;
  const auto is_kind = [&](std::size_t k, unsigned kind) { return plus && (ctx.co.localspluskinds[k] & kind) != 0; };
  const auto stores = [&](std::size_t k, std::initializer_list<Op> ops) {
    return outside ? outside->stored[k] : does(ctx, k, ops);
  };
  const auto& names = local_names(ctx.co);
  for (std::size_t k = parameter_count(ctx.co); k < names.size(); ++k) {
    const bool reads = outside ? outside->used[k] : does(ctx, k, {Op::LOAD_FAST});
    if (!is_kind(k, 0xC0U) && reads && !stores(k, {Op::STORE_FAST, Op::DELETE_FAST}))
      targets.push_back(ctx.expr(ast::Name{ctx.local(k)}));
  }
  const auto& cells = plus ? ctx.co.localsplus : ctx.co.cellvars;
  const auto is_inlined = [&](std::size_t k) {
    return outside && !outside->used[k] && std::ranges::any_of(ctx.accesses.code, [&](const Instruction& i) {
             return i.op == Op::LOAD_FAST_AND_CLEAR && i.arg == k && (i.flags & kMakesCell) != 0;
           });
  };
  for (std::size_t k = 0; k < cells.size(); ++k)
    if ((!plus || is_kind(k, 0x40U)) && !stores(k, {Op::STORE_DEREF, plus ? Op::STORE_FAST : Op::STORE_DEREF}) &&
        !is_inlined(k))
      targets.push_back(ctx.expr(ast::Name{ctx.unmangled(cells[k])}));
  if (!targets.empty()) c.generators.push_back({tuple_of(ctx, targets), ctx.expr(ast::Tuple{}), {}, false});
}

// Whether a generator expression without an element says `async for`, or `await` outside what it iterates over first.
bool is_asynchronous(const BodyContext& ctx, const ast::Comprehension& c) {
  bool found = false;
  const auto look = Overloaded{[](ast::StmtId) { return true; }, [](ast::PatternId) { return true; },
                               [&](ExprId e) {
                                 found = found || ast::is<ast::Await>(ctx.node(e));
                                 return !ast::is<ast::Lambda>(ctx.node(e));
                               }};
  for (std::size_t i = 0; i < c.generators.size(); ++i) {
    found = found || c.generators[i].is_async;
    if (i > 0) ast::walk(ctx.unit.ast, c.generators[i].iter, look);
    for (const ExprId test : c.generators[i].ifs) ast::walk(ctx.unit.ast, test, look);
  }
  return found;
}

// What the function of a comprehension was folded to, with what only code that cannot be reached uses.
void finish_comprehension(BodyContext& ctx) {
  auto& c = ctx.out.comprehension;
  if (!ctx.unit.refusal.empty()) c.reset();  // the body is a dispatch loop
  if (!c) return;
  const bool is_dict = c->kind == ast::ComprehensionKind::kDict;
  if (!c->elt.valid() && !c->value.valid()) {
    auto unused = unused_shared(ctx);
    c->elt = unused.empty() ? ctx.literal(0) : tuple_of(ctx, std::move(unused));
    if (is_dict) c->value = ctx.literal(0);
    add_targets(ctx, *c);
    if ((ctx.co.flags & kCoAsyncGenerator) != 0 && !is_asynchronous(ctx, *c))
      c->generators.push_back({ctx.expr(ast::Tuple{}), ctx.expr(ast::Tuple{}), {}, true});
  } else if (c->elt.valid() && !std::holds_alternative<ast::Starred>(ctx.node(c->elt))) {
    c->elt = with_unused_shared(ctx, c->elt);
  }
}

std::string_view assigned_name(const BodyContext& ctx, ast::StmtId s) {
  const auto* n = ast::sole_target<ast::Name>(ctx.unit.ast, s);
  return n != nullptr ? ctx.unit.ast.text(n->id) : std::string_view{};
}

// What the compiler adds at the end of a class body, each name once.
void trim_class_epilogue(BodyContext& ctx, ast::Block& b, std::size_t first) {
  std::vector<std::string_view> seen;
  while (b.size() > first) {
    const auto name = assigned_name(ctx, b.back());
    if (!is_class_epilogue(name) || std::find(seen.begin(), seen.end(), name) != seen.end()) break;
    seen.push_back(name);
    b.pop_back();
  }
}

// `pass` on lines after an expression with jumps that ends a module: how many there are decides whether the end is copied to
// these jumps (inline_small_or_no_lineno_blocks in Python/flowgraph.c).
void last_passes(const BodyContext& ctx, ast::Block& b) {
  const auto* last = b.empty() ? nullptr : std::get_if<ast::ExprStmt>(&ctx.node(b.back()));
  if (last == nullptr || !ast::is<ast::Compare, ast::IfExp, ast::BoolOp>(ctx.node(last->value))) return;
  const auto& code = ctx.bytecode.code;
  std::size_t end = code.size();
  while (end > 0 && code[end - 1].op != Op::RETURN_VALUE) --end;  // handlers
  if (end < 2) return;
  std::size_t first = end - 2;
  while (first > 0 && code[first - 1].op == Op::NOP) --first;
  if (first == end - 2 || first == 0 || code[first - 1].op != Op::POP_TOP) return;
  for (std::size_t i = first; i < end - 1; ++i) b.push_back(ctx.stmt(ast::Pass{}));
}

// The statements that the compiler adds to a class body, and a module's or class's docstring.
void class_or_module(BodyContext& ctx, ast::Block& b) {
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
    const bool is_empty = ast::is<ast::StrLiteral>(ctx.node(value));  // 3.15+: it is no constant of the code object
    const auto* text = ast::constant_of<ConstStr>(ctx.unit.ast, ctx.unit.code, value);
    // what has indentation to strip was assigned to __doc__
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
  if (!ctx.co.parent.valid()) last_passes(ctx, b);
}

// Where no `return` gives a value, none says None but one that ends the body as the only one; in an asynchronous
// generator none may.
void bare_returns(BodyContext& ctx, const ast::Block& b) {
  std::size_t returns = 0, values = 0;  // told from the instructions first, since most functions need no walk
  for (std::size_t i = 1; i < ctx.bytecode.code.size(); ++i) {
    if (ctx.bytecode.code[i].op != Op::RETURN_VALUE) continue;
    const Instruction& before = ctx.bytecode.code[i - 1];
    ++returns;
    const bool none =
        before.op == Op::LOAD_CONST
            ? std::holds_alternative<ConstNone>(ctx.unit.code.consts[ctx.co.consts[before.arg]])
            : before.op == Op::LOAD_COMMON_CONSTANT && before.arg == static_cast<std::uint32_t>(CommonConstant::kNone);
    if (!none) ++values;
  }
  const bool must = (ctx.co.flags & kCoAsyncGenerator) != 0;
  const bool is_only = returns < 2 && (b.empty() || !ast::has_blocks(ctx.node(b.back())));
  if (!must && (is_only || values > 0)) return;
  std::vector<ast::StmtId> found;
  bool gives = false;
  ast::walk(ctx.unit.ast, b, [&](ast::StmtId s) {
    if (const auto* r = std::get_if<ast::Return>(&ctx.node(s))) {
      if (is_none(ctx, r->value)) found.push_back(s);
      gives = gives || !is_none(ctx, r->value);
    }
    return !ast::is_scope(ctx.node(s));
  });
  if (gives && !must) return;
  for (const ast::StmtId s : found) {
    const bool is_observable = std::get<ast::Return>(ctx.unit.ast.stmts[s].node).is_observable;
    ctx.unit.ast.stmts[s].node = ast::Return{{}, is_observable};
  }
}

}  // namespace

VariableAccesses variable_accesses(const Cfg& cfg) {
  VariableAccesses out;
  out.some_unreached = cfg.some_unreached;
  std::size_t most = 0;
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) most += cfg.blocks[BlockId{b}].code.size();
  out.code.reserve(most);
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b)
    for (const auto& i : cfg.blocks[BlockId{b}].code)
      if (const auto kind = arg_kind(i.op); kind == ArgKind::Local || kind == ArgKind::Deref || i.op == Op::LOAD_GLOBAL)
        out.code.push_back(i);
  return out;
}

void finish_body(lift::Unit& unit, CodeId code, const Bytecode& bytecode, const VariableAccesses& accesses,
                 ast::Block block) {
  BodyContext ctx(unit, code, bytecode, accesses);
  const bool function = (ctx.co.flags & kCoOptimized) != 0;
  ctx.out.is_async = (ctx.co.flags & (kCoCoroutine | kCoAsyncGenerator)) != 0;
  arguments(ctx);
  assert_always(ctx, block);
  const bool comprehension = is_comprehension(ctx.co.name);
  if (function && comprehension) finish_comprehension(ctx);
  if (function && ctx.co.name == "<lambda>")
    ctx.out.expr = with_unused_shared(ctx, returned_value(ctx.unit, ctx.code, block));
  else if (function && evaluates(ctx))
    ctx.out.expr = with_unused_shared(ctx, evaluated(ctx, block));
  if (function && ctx.co.name.starts_with("<generic parameters of ")) ctx.out.generic = made(ctx, block);
  if (function) trim_return(ctx, block);
  if (!function)
    class_or_module(ctx, block);
  else if (docstring(unit.code, ctx.co, unit.dialect.docstring_flag) != nullptr)
    ctx.out.docstring = ctx.co.consts[0];
  scopes(ctx, block);
  if (function && block.empty() && !ctx.out.docstring && (ctx.co.flags & (kCoGenerator | kCoAsyncGenerator)) == 0) {
    const auto end = std::ranges::find(bytecode.code, Op::RETURN_VALUE, &Instruction::op);
    const auto* place = end == bytecode.code.end() ? nullptr : unit.positions.at(end->offset);
    ctx.out.is_on_first_line = place != nullptr && place->line == ctx.co.firstlineno && place->column <= 0;
    block.push_back(ctx.stmt(ast::Pass{}));
  }
  generator_stub(ctx, block);
  if (function) bare_returns(ctx, block);
  if (!function && ctx.co.parent.valid()) {
    class_stub(ctx, block);
    namespace_stub(ctx, block);
  }
  if (!function) cells_stub(ctx, block);
  if (!function) annotations_stub(ctx, block);
  if (!function) delete_temporaries(ctx, block);
  if (!function && !ctx.co.parent.valid()) execute_lazy_imports(ctx, block);
  if (function && !comprehension && ctx.co.name != "<lambda>") local_stub(ctx, block);
  ctx.out.block = std::move(block);
  ctx.out.ready = true;
}

}  // namespace depyf::finish
