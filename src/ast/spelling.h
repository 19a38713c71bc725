// SPDX-License-Identifier: MIT
// How the source spells values that have several spellings: raw or triple-quoted strings, tuples in parentheses.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "ast/ast.h"

namespace depyf::ast {

enum class Spelling : std::uint8_t { kPlain, kRaw, kTriple, kInParentheses };

// By expression id; expressions without an entry are plain.
using Spellings = std::unordered_map<std::uint32_t, Spelling>;

[[nodiscard]] inline Spelling spelling_of(const Spellings* spellings, ExprId e) {
  const auto it = spellings != nullptr ? spellings->find(e.n) : Spellings::const_iterator{};
  return spellings != nullptr && it != spellings->end() ? it->second : Spelling::kPlain;
}

}  // namespace depyf::ast
