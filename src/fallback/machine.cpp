// SPDX-License-Identifier: MIT
// Translates one arm: straight lines by the lifter, and between them instructions by the functions of families.h.
#include <algorithm>
#include <iterator>

#include "fallback/families.h"

namespace depyf::fallback {

namespace {

// Describes the operand that an operation needs and only the interpreter or compiler makes (an exception, a function):
// without it the code is malformed. Returns "" for an operation that takes any operand.
std::string_view needed_object(Op op) {
  if (op == Op::MAKE_FUNCTION) return "a code object";
  if (op == Op::BUILD_CONST_KEY_MAP) return "a tuple of as many keys";
  if (op >= Op::LIST_APPEND && op <= Op::DICT_MERGE) return "a container";
  if (op == Op::IMPORT_STAR) return "an import";
  if (op == Op::CALL_INTRINSIC_1) return "a tuple of name, parameters and evaluator";  // of an alias
  const bool needs = op == Op::PUSH_EXC_INFO || op == Op::CLEANUP_THROW || op == Op::SET_FUNCTION_ATTRIBUTE;
  return needs ? "what it works on" : "";
}

// Returns whether the instruction is a call one of whose operands is NULL though it may not be. NULL may stand for one
// of the two entries of the callable, and for the keywords of CALL_FUNCTION_EX.
bool calls_null(const std::vector<Entry>& stack, const Instruction& insn, std::size_t pops) {
  const bool unpacks = insn.op == Op::CALL_FUNCTION_EX;
  const bool in_two = insn.op == Op::CALL || insn.op == Op::CALL_KW || (unpacks && (insn.arg & 2U) != 0);
  if (!in_two && !unpacks && insn.op != Op::CALL_FUNCTION && insn.op != Op::CALL_FUNCTION_KW) return false;
  const auto is_null = [](const Entry& e) { return e.kind == Kind::kNull; };
  const auto first = stack.end() - static_cast<std::ptrdiff_t>(pops);
  const auto nulls = std::count_if(first, stack.end() - (unpacks && (insn.arg & 1U) != 0 ? 1 : 0), is_null);
  return nulls > (in_two && (is_null(first[0]) || is_null(first[1])) ? 1 : 0);
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
    DEPYF_TRY(has_lifted, lift_line(*this));
    if (has_lifted && at >= last) break;
    const Instruction& insn = block.code[at];
    origin = {code, insn.offset};
    const Effect e = effect(unit.dialect.version, insn, false);
    if (size() < static_cast<std::size_t>(e.pops)) return Error{Errc::kMalformed, insn.offset, "stack underflow"};
    if (calls_null(state.stack, insn, static_cast<std::size_t>(e.pops)))
      return Error{Errc::kMalformed, insn.offset, "a call of NULL"};
    bool done = false;
    for (auto family = std::begin(kFamilies); !done && family != std::end(kFamilies); ++family)
      done = (*family)(*this, insn);
    if (!done) {
      DEPYF_TRY(as_values, lift_with_variables(*this, static_cast<std::size_t>(e.pops)));
      done = as_values;
    }
    if (const auto needed = needed_object(insn.op); !done && !needed.empty())
      return Error{Errc::kMalformed, insn.offset, std::string(op_name(insn.op)) + " without " + std::string(needed)};
    if (!done) return Error{Errc::kInternal, insn.offset, "no translation of " + std::string(op_name(insn.op))};
  }
  if (!ended) {
    materialise_all(*this);
    result.edges = {Edge{false, state, {}, {}}};
  }
  result.end = std::min(at, last);
  if (result.statements.empty()) result.statements = std::move(out);
  return std::move(result);
}

}  // namespace depyf::fallback
