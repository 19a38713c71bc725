// SPDX-License-Identifier: MIT
// The generated tables of src/bytecode/tables as constants, one InstructionSet for each version.
//
// Invariant, checked by static_assert: each opcode of each table has a meaning in meaning.def, and that is a jump if
// and only if the opcode is a jump in CPython. This file contains no facts itself.
#include <algorithm>

#include "bytecode/meaning.h"
#include "bytecode/raw.h"

namespace depyf {
namespace {

constexpr std::array kRawNames = {
#define DEPYF_RAW(name, rule, op, arg, flags) std::string_view(#name),
#include "bytecode/meaning.def"
#undef DEPYF_RAW
};

constexpr bool has_meaning(std::string_view name) {
  return std::find(kRawNames.begin(), kRawNames.end(), name) != kRawNames.end();
}

constexpr bool op_jumps(Op op) {
  switch (op) {
#define DEPYF_OP(name, argument, pops, pushes) \
  case Op::name: return ArgKind::argument == ArgKind::Jump;
#include "bytecode/ops.def"
#undef DEPYF_OP
  }
  return false;
}

constexpr bool same_jump_kind(std::string_view name, JumpKind kind) {
  for (std::size_t i = 0; i < kRawNames.size(); ++i) {
    if (kRawNames[i] == name) return op_jumps(kMeanings[i].op) == (kind != JumpKind::kNone);
  }
  return false;
}

// EXTENDED_ARG has the rule kNever, too, as the reader folds it.
constexpr bool is_instruction(Raw raw) { return kMeanings[static_cast<std::size_t>(raw)].rule != Rule::kNever; }

// CPython's names of binary operators (Include/opcode.h), as the tables spell them.
constexpr RawOperator NB_ADD{BinaryOperator::kAdd};
constexpr RawOperator NB_AND{BinaryOperator::kAnd};
constexpr RawOperator NB_FLOOR_DIVIDE{BinaryOperator::kFloorDivide};
constexpr RawOperator NB_LSHIFT{BinaryOperator::kLshift};
constexpr RawOperator NB_MATRIX_MULTIPLY{BinaryOperator::kMatrixMultiply};
constexpr RawOperator NB_MULTIPLY{BinaryOperator::kMultiply};
constexpr RawOperator NB_REMAINDER{BinaryOperator::kRemainder};
constexpr RawOperator NB_OR{BinaryOperator::kOr};
constexpr RawOperator NB_POWER{BinaryOperator::kPower};
constexpr RawOperator NB_RSHIFT{BinaryOperator::kRshift};
constexpr RawOperator NB_SUBTRACT{BinaryOperator::kSubtract};
constexpr RawOperator NB_TRUE_DIVIDE{BinaryOperator::kTrueDivide};
constexpr RawOperator NB_XOR{BinaryOperator::kXor};
constexpr RawOperator NB_INPLACE_ADD{BinaryOperator::kAdd, true};
constexpr RawOperator NB_INPLACE_AND{BinaryOperator::kAnd, true};
constexpr RawOperator NB_INPLACE_FLOOR_DIVIDE{BinaryOperator::kFloorDivide, true};
constexpr RawOperator NB_INPLACE_LSHIFT{BinaryOperator::kLshift, true};
constexpr RawOperator NB_INPLACE_MATRIX_MULTIPLY{BinaryOperator::kMatrixMultiply, true};
constexpr RawOperator NB_INPLACE_MULTIPLY{BinaryOperator::kMultiply, true};
constexpr RawOperator NB_INPLACE_REMAINDER{BinaryOperator::kRemainder, true};
constexpr RawOperator NB_INPLACE_OR{BinaryOperator::kOr, true};
constexpr RawOperator NB_INPLACE_POWER{BinaryOperator::kPower, true};
constexpr RawOperator NB_INPLACE_RSHIFT{BinaryOperator::kRshift, true};
constexpr RawOperator NB_INPLACE_SUBTRACT{BinaryOperator::kSubtract, true};
constexpr RawOperator NB_INPLACE_TRUE_DIVIDE{BinaryOperator::kTrueDivide, true};
constexpr RawOperator NB_INPLACE_XOR{BinaryOperator::kXor, true};
constexpr RawOperator NB_SUBSCR{BinaryOperator::kAdd, false, true};

#define DEPYF_FACTS(unit, shift) \
  set.jump_unit = unit;          \
  set.compare_shift = shift;
#define DEPYF_OPCODE(number, name, has_arg, caches, jump)                                                      \
  static_assert(has_meaning(#name), "opcode " #name " of a table has no meaning in meaning.def");              \
  static_assert(same_jump_kind(#name, JumpKind::jump), "opcode " #name " jumps in its table or meaning only"); \
  set.opcodes[number] = {true, is_instruction(Raw::name), Raw::name, has_arg, caches, JumpKind::jump};
#define DEPYF_NB_OP(number, name) \
  set.operators[number] = name;   \
  set.operator_count = number + 1;
#define DEPYF_INTRINSIC_1(number, name)       \
  set.intrinsics1[number] = Intrinsic1::name; \
  set.intrinsic1_count = number + 1;
#define DEPYF_INTRINSIC_2(number, name)       \
  set.intrinsics2[number] = Intrinsic2::name; \
  set.intrinsic2_count = number + 1;
#define DEPYF_COMMON_CONSTANT(number, name)     \
  set.constants[number] = CommonConstant::name; \
  set.constant_count = number + 1;
#define DEPYF_SPECIAL_METHOD(number, name)    \
  set.specials[number] = SpecialMethod::name; \
  set.special_count = number + 1;

constexpr InstructionSet set_308() {
  InstructionSet set{};
#include "bytecode/tables/py308.inc"
  return set;
}
constexpr InstructionSet set_309() {
  InstructionSet set{};
#include "bytecode/tables/py309.inc"
  return set;
}
constexpr InstructionSet set_310() {
  InstructionSet set{};
#include "bytecode/tables/py310.inc"
  return set;
}
constexpr InstructionSet set_311() {
  InstructionSet set{};
#include "bytecode/tables/py311.inc"
  return set;
}
constexpr InstructionSet set_312() {
  InstructionSet set{};
#include "bytecode/tables/py312.inc"
  return set;
}
constexpr InstructionSet set_313() {
  InstructionSet set{};
#include "bytecode/tables/py313.inc"
  return set;
}
constexpr InstructionSet set_314() {
  InstructionSet set{};
#include "bytecode/tables/py314.inc"
  return set;
}
constexpr InstructionSet set_315() {
  InstructionSet set{};
#include "bytecode/tables/py315.inc"
  return set;
}

constexpr std::array<InstructionSet, 8> kSets = {set_308(), set_309(), set_310(), set_311(),
                                                 set_312(), set_313(), set_314(), set_315()};
static_assert(kSets.size() == kLastVersion.minor - kFirstVersion.minor + 1);

}  // namespace

const InstructionSet* instruction_set(Version version) {
  if (version < kFirstVersion || version > kLastVersion) return nullptr;
  return &kSets[static_cast<std::size_t>(version.minor - kFirstVersion.minor)];
}

std::string_view raw_name(Raw raw) { return kRawNames[static_cast<std::size_t>(raw)]; }

}  // namespace depyf
