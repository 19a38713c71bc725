// SPDX-License-Identifier: MIT
// meaning.def as a table indexed by Raw: the rule by which translate.cpp translates each of CPython's opcodes. Private
// to src/bytecode.
#pragma once

#include <array>
#include <cstdint>

#include "bytecode/instruction.h"

namespace depyf {

enum class Rule : std::uint8_t {
  kSame,
  kFixed,
  kDrop,
  kNever,
  kSwap,
  kRotate,
  kRotateN,
  kDupTwo,
  kCommonConstant,
  kReturnConst,
  kLoadFast,
  kPair,
  kLoadGlobal,
  kLoadAttr,
  kLoadSuperAttr,
  kSpecial,
  kBinaryOp,
  kCompareOp,
  kCallEx,
  kKwNames,
  kCall,
  kIntrinsic1,
  kIntrinsic2,
  kImportName,
  kForIter,
  kGetIter,
  kIterUser,
  kExcMatchJump,
};

struct Meaning {
  Rule rule = Rule::kNever;
  Op op = Op::NOP;
  std::uint32_t arg = 0;
  std::uint8_t flags = 0;
};

inline constexpr std::array kMeanings = {
#define DEPYF_RAW(name, rule, op, arg, flags) Meaning{Rule::rule, Op::op, static_cast<std::uint32_t>(arg), flags},
#include "bytecode/meaning.def"
#undef DEPYF_RAW
};

}  // namespace depyf
