// SPDX-License-Identifier: MIT
// Evaluates constant indices and slices of sequences.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "depyf/code.h"

namespace depyf {

// Returns the value of an int constant of one digit (32 bits), and nullopt for all other constants, bool included.
[[nodiscard]] inline std::optional<std::int64_t> integer_of(const Constant& constant) {
  const auto* i = std::get_if<ConstInt>(&constant);
  if (i == nullptr || i->digits.size() > 1) return std::nullopt;
  const std::int64_t n = i->digits.empty() ? 0 : i->digits[0];
  return i->negative ? -n : n;
}

// Returns the position that an index selects in a sequence of `size` items, or nullopt if it is out of range.
[[nodiscard]] inline std::optional<std::size_t> position_of(std::optional<std::int64_t> index, std::size_t size) {
  const auto n = static_cast<std::int64_t>(size);
  if (!index || *index < -n || *index >= n) return std::nullopt;
  return static_cast<std::size_t>(*index < 0 ? *index + n : *index);
}

// Returns the range [first, second) that slice bounds select; a missing bound means that end of the sequence.
using SliceBound = std::optional<std::int64_t>;
[[nodiscard]] inline std::pair<std::size_t, std::size_t> range_of(SliceBound start, SliceBound stop, std::size_t size) {
  const auto n = static_cast<std::int64_t>(size);
  const auto clamped = [&](std::int64_t i) { return std::clamp<std::int64_t>(i < 0 ? i + n : i, 0, n); };
  const auto a = start ? clamped(*start) : 0, b = stop ? clamped(*stop) : n;
  return {static_cast<std::size_t>(a), static_cast<std::size_t>(std::max(a, b))};
}

}  // namespace depyf
