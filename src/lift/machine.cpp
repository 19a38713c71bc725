// SPDX-License-Identifier: MIT
// The symbolic machine: its stack, emitting statements, and the loop that dispatches each instruction of a line to the
// function of its family (families.h).
#include "lift/machine.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>
#include <string>

#include "lift/families.h"

namespace depyf::lift {

namespace {

constexpr std::uint32_t kMaxHeight = 24;  // literal mode: of pending expressions; CPython limits nested parentheses

using Family = void (*)(Machine&, const Instruction&);

// By Op; null for operations that lines never contain, because the graph or structure/match has replaced them.
constexpr auto kFamilies = [] {
  std::array<Family, std::size(kOpFacts)> of{};
  const auto add = [&](Family family, std::initializer_list<Op> ops) {
    for (const Op op : ops) of[static_cast<std::size_t>(op)] = family;
  };
  add(stack_op, {Op::NOP, Op::RESUME, Op::MAKE_CELL, Op::COPY_FREE_VARS, Op::GEN_START, Op::SETUP_ANNOTATIONS,
                 Op::POP_BLOCK, Op::PUSH_NULL, Op::SWAP, Op::COPY, Op::POP_TOP});
  add(name_op, {Op::LOAD_CONST, Op::LOAD_SMALL_INT, Op::LOAD_COMMON_CONSTANT, Op::LOAD_FAST, Op::LOAD_NAME,
                Op::LOAD_GLOBAL, Op::LOAD_DEREF, Op::LOAD_CLASSDEREF, Op::LOAD_FROM_DICT_OR_DEREF,
                Op::LOAD_FROM_DICT_OR_GLOBALS, Op::LOAD_LOCALS, Op::LOAD_CLOSURE, Op::LOAD_FAST_AND_CLEAR});
  add(store_op, {Op::STORE_FAST, Op::STORE_NAME, Op::STORE_GLOBAL, Op::STORE_DEREF, Op::STORE_ATTR, Op::STORE_SUBSCR,
                 Op::STORE_SLICE, Op::DELETE_FAST, Op::DELETE_NAME, Op::DELETE_GLOBAL, Op::DELETE_DEREF,
                 Op::DELETE_ATTR, Op::DELETE_SUBSCR, Op::UNPACK_SEQUENCE, Op::UNPACK_EX});
  add(operator_op, {Op::UNARY_POSITIVE, Op::UNARY_NEGATIVE, Op::UNARY_NOT, Op::UNARY_INVERT, Op::TO_BOOL, Op::BINARY_OP,
                    Op::COMPARE_OP, Op::IS_OP, Op::CONTAINS_OP});
  add(item_op, {Op::LOAD_ATTR, Op::LOAD_METHOD, Op::LOAD_SUPER_ATTR, Op::LOAD_SUPER_METHOD, Op::BINARY_SUBSCR,
                Op::BINARY_SLICE, Op::BUILD_SLICE});
  add(display_op,
      {Op::BUILD_TUPLE, Op::BUILD_LIST, Op::BUILD_SET, Op::BUILD_MAP, Op::BUILD_CONST_KEY_MAP, Op::LIST_TO_TUPLE});
  add(unpack_op, {Op::BUILD_LIST_UNPACK, Op::BUILD_TUPLE_UNPACK, Op::BUILD_TUPLE_UNPACK_WITH_CALL, Op::BUILD_SET_UNPACK,
                  Op::BUILD_MAP_UNPACK, Op::BUILD_MAP_UNPACK_WITH_CALL});
  add(grow_op,
      {Op::LIST_APPEND, Op::SET_ADD, Op::MAP_ADD, Op::LIST_EXTEND, Op::SET_UPDATE, Op::DICT_UPDATE, Op::DICT_MERGE});
  add(text_op, {Op::BUILD_STRING, Op::FORMAT_VALUE, Op::CONVERT_VALUE, Op::FORMAT_SIMPLE, Op::FORMAT_WITH_SPEC,
                Op::BUILD_INTERPOLATION, Op::BUILD_TEMPLATE});
  add(call_op, {Op::CALL_FUNCTION, Op::CALL, Op::CALL_FUNCTION_KW, Op::CALL_KW, Op::CALL_FUNCTION_EX,
                Op::LOAD_BUILD_CLASS, Op::MAKE_FUNCTION, Op::SET_FUNCTION_ATTRIBUTE});
  add(type_op, {Op::CALL_INTRINSIC_1, Op::CALL_INTRINSIC_2});
  add(flow_op, {Op::JUMP, Op::POP_JUMP_IF_FALSE, Op::POP_JUMP_IF_TRUE, Op::POP_JUMP_IF_NONE, Op::POP_JUMP_IF_NOT_NONE,
                Op::JUMP_IF_FALSE_OR_POP, Op::JUMP_IF_TRUE_OR_POP, Op::RETURN_VALUE, Op::RAISE_VARARGS, Op::RERAISE});
  add(iterate_op, {Op::FOR_ITER, Op::GET_ITER, Op::GET_AITER, Op::GET_ANEXT, Op::END_FOR, Op::POP_ITER});
  add(generator_op, {Op::GET_YIELD_FROM_ITER, Op::GET_AWAITABLE, Op::YIELD_FROM, Op::ASYNC_GEN_WRAP,
                     Op::STOPITERATION_ERROR, Op::YIELD_VALUE, Op::RETURN_GENERATOR});
  add(context_op, {Op::BEFORE_WITH, Op::SETUP_WITH, Op::BEFORE_ASYNC_WITH, Op::SETUP_FINALLY, Op::SETUP_ASYNC_WITH,
                   Op::LOAD_SPECIAL, Op::WITH_EXCEPT_START, Op::PUSH_EXC_INFO, Op::CHECK_EXC_MATCH, Op::EXC_MATCH,
                   Op::POP_EXCEPT, Op::PRINT_EXPR});
  add(import_op, {Op::IMPORT_NAME, Op::IMPORT_FROM, Op::IMPORT_STAR});
  return of;
}();

}  // namespace

NameId Machine::fresh_temp() {
  if (literal == nullptr) return unit.fresh_temp();
  for (;; ++next_temp)
    if (const NameId id = unit.ast.intern(unit.options.temp_prefix + "t" + std::to_string(next_temp));
        literal->used_names.insert(id.n).second)
      return id;
}

Value Machine::pop() {
  Value v = state.stack.back();
  state.stack.pop_back();
  state.low = std::min(state.low, static_cast<std::uint32_t>(state.stack.size()));
  return v;
}

ExprId Machine::pop_expr() {
  Value v = pop();
  embed(v);
  return as_expr(*this, v);
}

bool Machine::insn_starts_before(ExprId e) {
  const SourcePosition *all = unit.positions.at(insn->offset),
                       *own = unit.positions.at(unit.ast.exprs[e].origin.offset);
  return all != nullptr && own != nullptr && all->column >= 0 && own->column >= 0 &&
         std::pair(all->line, all->column) < std::pair(own->line, own->column);
}

void Machine::emit(LStmt s) {
  s.offset = insn->offset;
  check_deferred(*this);
  spill_pending(*this);
  state.stmts.push_back(s);
}

void Machine::push_stmt(StmtId id) { state.stmts.push_back({.stmt = id, .offset = insn->offset}); }

// ---------------------------------------------------------------- dispatch
Status Machine::run(std::size_t first, std::size_t end) {
  last = end;
  for (at = first; at < last; ++at) {
    insn = &stream[at];
    origin = {code, insn->offset};
    effect = depyf::effect(unit.dialect.version, *insn, false);
    const auto operation = [&] { return std::string(op_name(insn->op)); };
    if (!has(static_cast<std::uint32_t>(effect.pops)))
      return Error{Errc::kMalformed, insn->offset, "stack underflow at " + operation()};
    if (effect.pops >= 2 || state.disordered) spill_misordered(*this, *insn);
    const Family family = kFamilies[static_cast<std::size_t>(insn->op)];
    if (family == nullptr) return Error{Errc::kInternal, insn->offset, "no meaning for " + operation()};
    family(*this, *insn);
    if (failure) return *failure;
    // This check must come before any walk of the tree: walking shared nodes takes exponential time.
    if (!shared.copies.empty() && has(1) && top().kind == ValueKind::kExpr &&
        unit.sizes.of(unit.ast, top().expr) > unit.max_nodes) {
      lifter.outgrown = true;
      return Error{Errc::kLimitExceeded, insn->offset, "a value that is used several times"};
    }
    if (literal == nullptr) continue;
    if (!state.refusal.empty()) {
      state.plain_end = at;
      return depyf::Unit{};
    }
    spill_function(*this);
    if (has(1) && top().kind == ValueKind::kExpr && unit.sizes.height(unit.ast, top().expr) > kMaxHeight)
      spill_pending(*this);
    if (has_plain_stack(*this)) state.plain_end = at + 1;
  }
  if (literal != nullptr) {
    if (state.plain_end < last) finish_line(*this);
    if (has_plain_stack(*this)) state.plain_end = last;
    return depyf::Unit{};
  }
  if (last == stream.size() && state.stack.begin() != state.stack.end())
    to_lambda_expr(*this, top());  // the line may be an arm of a conditional expression
  return depyf::Unit{};
}

}  // namespace depyf::lift
