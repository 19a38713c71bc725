// SPDX-License-Identifier: MIT
// Drops unused constants; see compact.h.
#include "pyc/compact.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace depyf {
namespace {

constexpr std::uint32_t kUnused = 0xFFFFFFFF;

// Returns the new id of each constant, or kUnused.
std::vector<std::uint32_t> new_ids(CodeTree& tree) {
  std::vector<std::uint32_t> number(tree.consts.size(), kUnused);
  for (std::uint32_t c = 0; c < tree.codes.size(); ++c) {
    for (const ConstId id : tree.codes[CodeId{c}].consts) number[id.n] = 0;
  }
  for (std::size_t i = number.size(); i-- > 0;) {
    if (number[i] == kUnused) continue;
    for_each_item(tree.consts[ConstId{static_cast<std::uint32_t>(i)}], [&](ConstId& item) { number[item.n] = 0; });
  }
  std::uint32_t next = 0;
  for (std::uint32_t& n : number) {
    if (n != kUnused) n = next++;
  }
  return number;
}

}  // namespace

CodeTree without_unused_constants(CodeTree tree) {
  const std::vector<std::uint32_t> number = new_ids(tree);
  const auto renumber = [&](ConstId& id) { id.n = number[id.n]; };
  Arena<ConstTag, Constant> kept;
  kept.reserve(number.size() - static_cast<std::size_t>(std::count(number.begin(), number.end(), kUnused)));
  for (std::uint32_t i = 0; i < number.size(); ++i) {
    if (number[i] == kUnused) continue;
    Constant value = std::move(tree.consts[ConstId{i}]);
    for_each_item(value, renumber);
    kept.add(std::move(value));
  }
  for (std::uint32_t c = 0; c < tree.codes.size(); ++c) {
    for (ConstId& id : tree.codes[CodeId{c}].consts) renumber(id);
  }
  tree.consts = std::move(kept);
  return tree;
}

}  // namespace depyf
