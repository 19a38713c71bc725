// SPDX-License-Identifier: MIT
// How the source spells values that it may spell otherwise: strings with a prefix or on several lines, tuples.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "ast/ast.h"

namespace depyf::ast {

enum class Spelling : std::uint8_t { kPlain, kRaw, kTriple, kInParentheses };

// By the number of the expression; what is not there is plain.
using Spellings = std::unordered_map<std::uint32_t, Spelling>;

[[nodiscard]] inline Spelling spelling_of(const Spellings* known, ExprId e) {
  const auto it = known != nullptr ? known->find(e.n) : Spellings::const_iterator{};
  return known != nullptr && it != known->end() ? it->second : Spelling::kPlain;
}

}  // namespace depyf::ast
