// SPDX-License-Identifier: MIT
// One arm of the dispatch: straight lines, and between them the operations that end lines; see machine.h.
#include <algorithm>
#include <iterator>

#include "fallback/families.h"

namespace depyf::fallback {

namespace {

// What operations work on that the interpreter alone makes (an exception that was raised, a code object, a function under
// construction), or nothing: where that is missing, no compiler has written the code.
std::string_view needed_object(Op op) {
  if (op == Op::MAKE_FUNCTION) return "a code object";
  if (op == Op::BUILD_CONST_KEY_MAP) return "a tuple of as many keys";
  if (op >= Op::LIST_APPEND && op <= Op::DICT_MERGE) return "a container";
  if (op == Op::CALL_INTRINSIC_1) return "a tuple of name, parameters and evaluator";  // of an alias
  const bool needs = op == Op::PUSH_EXC_INFO || op == Op::CLEANUP_THROW || op == Op::SET_FUNCTION_ATTRIBUTE;
  return needs ? "what it works on" : "";
}

// A call of NULL: a callable, or a method and its object, is never two of them.
bool calls_null(const std::vector<Entry>& stack, const Instruction& insn) {
  if (insn.op != Op::CALL && insn.op != Op::CALL_KW) return false;
  const std::size_t used = std::size_t{insn.arg} + (insn.op == Op::CALL_KW ? 3 : 2);
  if (stack.size() < used) return false;
  const auto* callee = &stack[stack.size() - used];
  return callee[0].kind == Kind::kNull && callee[1].kind == Kind::kNull;
}

constexpr bool (*kFamilies[])(Machine&, const Instruction&) = {real_with_op, value_op,     load_op,    store_op,
                                                               function_op,  iterate_op,   branch_op,  leave_op,
                                                               context_op,   exception_op, pattern_op, intrinsic_op};

}  // namespace

Result<Translated> Machine::run(const BasicBlock& block, const Arm& arm, State entry) {
  state = std::move(entry);
  for (auto& e : state.stack)
    if (e.kind == Kind::kConstant) e = {.form = Form::kConstant, .expr = constant(ConstId{e.a})};
  out.clear();
  result = {};
  ended = group_matched = false;
  stream = block.code;
  last = arm.last;
  refused = false;
  for (at = arm.first; at < last && !ended; ++at) {
    DEPYF_TRY(done_so_far, lift_line(*this));
    if (done_so_far && at >= last) break;
    const Instruction& insn = block.code[at];
    origin = {code, insn.offset};
    const Effect e = effect(unit.dialect.version, insn, false);
    if (size() < static_cast<std::size_t>(e.pops)) return Error{Errc::kMalformed, insn.offset, "stack underflow"};
    if (calls_null(state.stack, insn)) return Error{Errc::kMalformed, insn.offset, "a call of NULL"};
    bool done = false;
    for (auto family = std::begin(kFamilies); !done && family != std::end(kFamilies); ++family)
      done = (*family)(*this, insn);
    if (!done) {
      DEPYF_TRY(as_values, lift_plainly(*this, static_cast<std::size_t>(e.pops)));
      done = as_values;
    }
    if (const auto needed = needed_object(insn.op); !done && !needed.empty())
      return Error{Errc::kMalformed, insn.offset, std::string(op_name(insn.op)) + " without " + std::string(needed)};
    if (!done) return Error{Errc::kInternal, insn.offset, "no translation of " + std::string(op_name(insn.op))};
  }
  if (!ended) {
    settle_all(*this);
    result.edges = {Edge{false, state, {}, {}}};
  }
  result.end = std::min(at, last);
  if (result.statements.empty()) result.statements = std::move(out);
  return std::move(result);
}

}  // namespace depyf::fallback
