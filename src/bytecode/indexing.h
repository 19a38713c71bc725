// SPDX-License-Identifier: MIT
// What constant indices and slices of a list mean.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "depyf/code.h"

namespace depyf {

// An int that fits; nothing for every other constant, bool included.
[[nodiscard]] inline std::optional<std::int64_t> integer_of(const Constant& constant) {
  const auto* i = std::get_if<ConstInt>(&constant);
  if (i == nullptr || i->digits.size() > 1) return std::nullopt;
  const std::int64_t n = i->digits.empty() ? 0 : i->digits[0];
  return i->negative ? -n : n;
}

// The position that an index means in a sequence of `size` items, if it is one.
[[nodiscard]] inline std::optional<std::size_t> position_of(std::optional<std::int64_t> index, std::size_t size) {
  const auto n = static_cast<std::int64_t>(size);
  if (!index || *index < -n || *index >= n) return std::nullopt;
  return static_cast<std::size_t>(*index < 0 ? *index + n : *index);
}

// The range [first, second) that bounds mean; none is the end of the sequence on that side.
using SliceBound = std::optional<std::int64_t>;
[[nodiscard]] inline std::pair<std::size_t, std::size_t> range_of(SliceBound start, SliceBound stop, std::size_t size) {
  const auto n = static_cast<std::int64_t>(size);
  const auto clamped = [&](std::int64_t i) { return std::clamp<std::int64_t>(i < 0 ? i + n : i, 0, n); };
  const auto a = start ? clamped(*start) : 0, b = stop ? clamped(*stop) : n;
  return {static_cast<std::size_t>(a), static_cast<std::size_t>(std::max(a, b))};
}

}  // namespace depyf
