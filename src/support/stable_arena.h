// SPDX-License-Identifier: MIT
// An arena whose nodes never move: references to them are valid as long as the arena.
//
// Invariant: all chunks but the last are full, and no chunk exceeds its reserved capacity. Nodes are never removed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "depyf/ids.h"

namespace depyf {

template <class Tag, class T>
class StableArena {
 public:
  template <class... Parts>
  Id<Tag> add(Parts&&... parts) {
    if (size_ % kChunk == 0) chunks_.emplace_back().reserve(kChunk);
    chunks_.back().emplace_back(std::forward<Parts>(parts)...);
    return Id<Tag>{size_++};
  }
  T& operator[](Id<Tag> id) { return chunks_[id.n / kChunk][id.n % kChunk]; }
  const T& operator[](Id<Tag> id) const { return chunks_[id.n / kChunk][id.n % kChunk]; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  static constexpr std::uint32_t kChunk = 256;  // nodes per chunk: a few pages of memory
  std::vector<std::vector<T>> chunks_;
  std::uint32_t size_ = 0;
};

}  // namespace depyf
