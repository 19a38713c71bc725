// SPDX-License-Identifier: MIT
// Implements the rules of meaning.def: translates CPython's instructions to canonical ones, and checks operands.
//
// Invariant: the canonical instructions do, in order, exactly what CPython's instruction does (Python/ceval.c up to
// 3.11, Python/bytecodes.c from 3.12 on). The unused results of 3.12+ intrinsics (PRINT, IMPORT_STAR) are None: they
// are followed by LOAD_COMMON_CONSTANT, for the POP_TOP that comes next in compiled code.
#include "bytecode/translate.h"

#include <limits>
#include <string>

#include "code/fast_locals.h"

namespace depyf {
namespace {

struct Range {
  std::size_t least = 0;
  std::size_t most = static_cast<std::size_t>(-1);
};

// Returns the counts that are valid for an operation.
Range legal_range(Op op) {
  switch (op) {
    case Op::LIST_APPEND:
    case Op::SET_ADD:
    case Op::MAP_ADD:
    case Op::LIST_EXTEND:
    case Op::SET_UPDATE:
    case Op::DICT_UPDATE:
    case Op::DICT_MERGE:
    case Op::COPY: return {.least = 1};
    case Op::SWAP: return {.least = 2};
    case Op::BUILD_SLICE: return {.least = 2, .most = 3};
    case Op::CONVERT_VALUE: return {.least = 1, .most = 3};
    case Op::RAISE_VARARGS:
    case Op::GET_AWAITABLE: return {.most = 2};
    case Op::GET_YIELD_FROM_ITER: return {.most = 3};
    default:  // any count is legal
      return {};
  }
}

}  // namespace

Translator::Translator(Version version, const InstructionSet& set, const CodeObject& code, const Limits& limits,
                       std::vector<Instruction>& out)
    : version_(version), set_(set), code_(code), limits_(limits), out_(out) {
  bounds_.fill(std::numeric_limits<std::size_t>::max());
  const auto bound = [this](ArgKind kind) -> std::size_t& { return bounds_[static_cast<std::size_t>(kind)]; };
  bound(ArgKind::Const) = code.consts.size();
  bound(ArgKind::Name) = bound(ArgKind::SuperName) = code.names.size();
  bound(ArgKind::Local) = local_names(code).size();
  bound(ArgKind::Deref) = bound(ArgKind::Count) = bound(ArgKind::UnpackEx) = 0;
}

bool Translator::fail(Errc code, std::string message) {
  if (!error_) error_ = Error{code, raw_->offset, std::move(message)};
  return false;
}

bool Translator::malformed(const char* message) {
  return fail(Errc::kMalformed, std::string(raw_name(raw_->raw)) + ": " + message);
}

// Checks an operand that is a number of stack entries. The limit keeps stack effects within 32 bits.
bool Translator::is_legal_count(Op op, std::uint32_t arg) {
  if (op == Op::LOAD_SMALL_INT || op == Op::RESUME || op == Op::GEN_START) return true;
  if (arg > limits_.max_stack) return fail(Errc::kLimitExceeded, "count passes the stack limit");
  const Range legal = legal_range(op);
  return (arg >= legal.least && arg <= legal.most) || malformed("argument out of range");
}

bool Translator::is_legal(Op op, std::uint32_t arg) {
  const bool plus = version_.minor >= 11;
  switch (arg_kind(op)) {
    case ArgKind::Const: return arg < code_.consts.size() || malformed("no such constant");
    case ArgKind::Name:
    case ArgKind::SuperName: return arg < code_.names.size() || malformed("no such name");
    case ArgKind::Local: return arg < local_names(code_).size() || malformed("no such local variable");
    case ArgKind::Deref:
      if (!plus) return arg < code_.cellvars.size() + code_.freevars.size() || malformed("no such cell variable");
      if (arg >= code_.localsplus.size() || arg >= code_.localspluskinds.size()) return malformed("no such variable");
      return is_of_kind(code_, arg, kFastCell | kFastFree) || malformed("not a cell variable");
    case ArgKind::Count: return is_legal_count(op, arg);
    case ArgKind::UnpackEx: return (arg >> 8U) <= limits_.max_stack || fail(Errc::kLimitExceeded, "too many targets");
    case ArgKind::None:
    case ArgKind::Flags:
    case ArgKind::Jump:
    case ArgKind::Distance:
    case ArgKind::Common:
    case ArgKind::Special:
    case ArgKind::BinaryOp:
    case ArgKind::CompareOp:
    case ArgKind::FormatFlags:
    case ArgKind::Intrinsic1:
    case ArgKind::Intrinsic2: return true;
  }
  return true;
}

// From 3.11 on cells are among the fast locals, and LOAD_FAST of one loads the cell (3.13+ has no LOAD_CLOSURE).
bool Translator::emit_load_fast(std::uint32_t index) {
  const bool cell = is_of_kind(code_, index, kFastCell | kFastFree);
  return emit(cell ? Op::LOAD_CLOSURE : Op::LOAD_FAST, index);
}

// ROT_x moves the top below count - 1 other entries: SWAP count, SWAP count - 1, ..., SWAP 2.
bool Translator::emit_rotate(std::uint32_t count) {
  // Up to ROT_FOUR may occur in unreachable code, for which co_stacksize does not provide.
  constexpr std::uint32_t kMostUncounted = 4;
  if (count > kMostUncounted && count > code_.stacksize) return malformed("rotates more than the stack holds");
  if (count < 2) return emit(Op::NOP);
  for (std::uint32_t n = count; n >= 2; --n) emit(Op::SWAP, n);
  return true;
}

// Splits a superinstruction. Its operand has two indices of four bits, the first one in the upper bits.
bool Translator::emit_pair(Op first, std::uint32_t pair, bool then_load) {
  const std::uint32_t a = pair >> 4U;
  const std::uint32_t b = pair & 15U;
  first == Op::LOAD_FAST ? emit_load_fast(a) : emit(first, a);
  return then_load ? emit_load_fast(b) : emit(first, b);
}

// 3.12+: the lowest bit requests the two slots of a method call.
bool Translator::emit_attribute(std::uint32_t arg) {
  if (version_.minor < 12) return emit(Op::LOAD_ATTR, arg);
  return emit((arg & 1U) != 0 ? Op::LOAD_METHOD : Op::LOAD_ATTR, arg >> 1U);
}

// 3.11+: if the lowest bit is set, NULL is pushed as well, below the value (3.11-3.12) or above it (3.13+).
bool Translator::emit_global(std::uint32_t arg) {
  if (version_.minor < 11) return emit(Op::LOAD_GLOBAL, arg);
  const bool null = (arg & 1U) != 0;
  if (null && version_.minor <= 12) emit(Op::PUSH_NULL);
  emit(Op::LOAD_GLOBAL, arg >> 1U);
  if (null && version_.minor >= 13) return emit(Op::PUSH_NULL);
  return true;
}

bool Translator::emit_super(std::uint32_t arg) {
  const std::uint32_t flags = (arg & 2U) != 0 ? kTwoArgSuper : 0;
  return emit((arg & 1U) != 0 ? Op::LOAD_SUPER_METHOD : Op::LOAD_SUPER_ATTR, arg >> 2U, flags);
}

bool Translator::emit_binary(std::uint32_t arg) {
  if (arg >= set_.operator_count) return malformed("no such operator");
  const RawOperator& op = set_.operators[arg];
  if (op.subscript) return emit(Op::BINARY_SUBSCR);
  return emit(Op::BINARY_OP, static_cast<std::uint32_t>(op.op), op.in_place ? kInPlace : 0);
}

// 3.8 also has operators for `in`, `is` and exceptions (PyCmp_IN and later in Include/opcode.h). The bits below the
// operator are hints for specialization, except for the bit that converts the result to bool (3.13+).
bool Translator::emit_compare(std::uint32_t arg) {
  constexpr std::uint32_t kIn = 6, kIs = 8, kExcMatch = 10, kBoolBit = 16;
  const std::uint32_t op = arg >> set_.compare_shift;
  if (op < kIn) return emit(Op::COMPARE_OP, op, version_.minor >= 13 && (arg & kBoolBit) != 0 ? kMakesBool : 0);
  if (version_.minor > 8 || op > kExcMatch) return malformed("no such comparison");
  if (op == kExcMatch) return emit(Op::EXC_MATCH);
  return op < kIs ? emit(Op::CONTAINS_OP, op - kIn) : emit(Op::IS_OP, op - kIs);
}

bool Translator::emit_call(std::uint32_t arg) {
  if (!keywords_pending_) return emit(Op::CALL, arg);
  keywords_pending_ = false;
  emit(Op::LOAD_CONST, keywords_);
  return emit(Op::CALL_KW, arg);
}

// Up to 3.10 there is no NULL slot. 3.11-3.13 have one, and a flag for kwargs. 3.14+ always have both; kwargs may be
// NULL.
bool Translator::emit_call_ex(std::uint32_t arg) {
  constexpr std::uint32_t kKwargs = 1, kNullSlot = 2;
  if (version_.minor >= 14) return emit(Op::CALL_FUNCTION_EX, kKwargs | kNullSlot);
  return emit(Op::CALL_FUNCTION_EX, (arg & kKwargs) | (version_.minor >= 11 ? kNullSlot : 0));
}

bool Translator::emit_intrinsic1(std::uint32_t arg) {
  if (arg >= set_.intrinsic1_count) return malformed("no such intrinsic");
  const Intrinsic1 which = set_.intrinsics1[arg];
  switch (which) {
    case Intrinsic1::INTRINSIC_1_INVALID: return malformed("the invalid intrinsic");
    case Intrinsic1::INTRINSIC_PRINT:
      emit(Op::PRINT_EXPR);
      return emit(Op::LOAD_COMMON_CONSTANT, static_cast<std::uint32_t>(CommonConstant::kNone));
    case Intrinsic1::INTRINSIC_IMPORT_STAR:
      emit(Op::IMPORT_STAR);
      return emit(Op::LOAD_COMMON_CONSTANT, static_cast<std::uint32_t>(CommonConstant::kNone));
    case Intrinsic1::INTRINSIC_STOPITERATION_ERROR: return emit(Op::STOPITERATION_ERROR);
    case Intrinsic1::INTRINSIC_ASYNC_GEN_WRAP: return emit(Op::ASYNC_GEN_WRAP);
    case Intrinsic1::INTRINSIC_UNARY_POSITIVE: return emit(Op::UNARY_POSITIVE);
    case Intrinsic1::INTRINSIC_LIST_TO_TUPLE: return emit(Op::LIST_TO_TUPLE);
    case Intrinsic1::INTRINSIC_TYPEVAR:
    case Intrinsic1::INTRINSIC_PARAMSPEC:
    case Intrinsic1::INTRINSIC_TYPEVARTUPLE:
    case Intrinsic1::INTRINSIC_SUBSCRIPT_GENERIC:
    case Intrinsic1::INTRINSIC_TYPEALIAS: return emit(Op::CALL_INTRINSIC_1, static_cast<std::uint32_t>(which));
  }
  return malformed("no such intrinsic");
}

bool Translator::emit_intrinsic2(std::uint32_t arg) {
  if (arg >= set_.intrinsic2_count) return malformed("no such intrinsic");
  const Intrinsic2 which = set_.intrinsics2[arg];
  if (which == Intrinsic2::INTRINSIC_2_INVALID) return malformed("the invalid intrinsic");
  if (which == Intrinsic2::INTRINSIC_PREP_RERAISE_STAR) return emit(Op::PREP_RERAISE_STAR);
  return emit(Op::CALL_INTRINSIC_2, static_cast<std::uint32_t>(which));
}

// 3.15 has an index or a NULL above each iterator, and GET_ITER with a nonzero operand is GET_YIELD_FROM_ITER.
bool Translator::emit_get_iter(std::uint32_t arg) {
  if (version_.minor < 15) return emit(Op::GET_ITER);
  arg == 0 ? emit(Op::GET_ITER) : emit(Op::GET_YIELD_FROM_ITER, arg);
  return emit(Op::PUSH_NULL);
}

bool Translator::translate(const RawInstruction& raw, const Meaning& meaning) {
  const std::uint32_t iterator_flags = version_.minor >= 15 ? kIterNull : 0;
  switch (meaning.rule) {
    case Rule::kSame: break;  // add() handles it
    case Rule::kFixed: return emit(meaning.op, meaning.arg, meaning.flags);
    case Rule::kDrop: return true;
    case Rule::kNever: return malformed("never in compiled code");
    case Rule::kSwap: return raw.arg == 1 ? emit(Op::NOP) : emit(Op::SWAP, raw.arg);
    case Rule::kRotate: return emit_rotate(meaning.arg);
    case Rule::kRotateN: return emit_rotate(raw.arg);
    case Rule::kDupTwo: emit(Op::COPY, 2); return emit(Op::COPY, 2);
    case Rule::kCommonConstant:
      if (raw.arg >= set_.constant_count) return malformed("no such constant");
      return emit(meaning.op, static_cast<std::uint32_t>(set_.constants[raw.arg]));
    case Rule::kReturnConst: emit(Op::LOAD_CONST, raw.arg); return emit(Op::RETURN_VALUE);
    case Rule::kLoadFast: return emit_load_fast(raw.arg);
    case Rule::kPair: return emit_pair(meaning.op, raw.arg, meaning.arg != 0);
    case Rule::kLoadGlobal: return emit_global(raw.arg);
    case Rule::kLoadAttr: return emit_attribute(raw.arg);
    case Rule::kLoadSuperAttr: return emit_super(raw.arg);
    case Rule::kSpecial:
      if (raw.arg >= set_.special_count) return malformed("no such special method");
      return emit(meaning.op, static_cast<std::uint32_t>(set_.specials[raw.arg]));
    case Rule::kBinaryOp: return emit_binary(raw.arg);
    case Rule::kCompareOp: return emit_compare(raw.arg);
    case Rule::kCallEx: return emit_call_ex(raw.arg);
    case Rule::kKwNames:
      if (keywords_pending_) return malformed("another KW_NAMES waits for its CALL");
      if (!is_legal(Op::LOAD_CONST, raw.arg)) return false;
      keywords_pending_ = true;
      keywords_ = raw.arg;
      return true;
    case Rule::kCall: return emit_call(raw.arg);
    case Rule::kIntrinsic1: return emit_intrinsic1(raw.arg);
    case Rule::kIntrinsic2: return emit_intrinsic2(raw.arg);
    case Rule::kImportName:
      if (version_.minor < 15) return emit(meaning.op, raw.arg);
      return emit(meaning.op, raw.arg >> 2U, raw.arg & (kLazyImport | kEagerImport));
    case Rule::kGetIter: return emit_get_iter(raw.arg);
    case Rule::kForIter: return emit(meaning.op, 0, iterator_flags | (version_.minor >= 12 ? kIterKept : 0));
    case Rule::kIterUser: return emit(meaning.op, 0, iterator_flags);
    case Rule::kExcMatchJump: emit(Op::EXC_MATCH); return emit(meaning.op);
  }
  return malformed("no rule");
}

bool Translator::finish() { return !keywords_pending_ || malformed("KW_NAMES without a CALL"); }

}  // namespace depyf
