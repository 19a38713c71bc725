// SPDX-License-Identifier: MIT
// Sets of nodes whose cost is in proportion to their members, not to the graph.
//
// Invariant: a destroyed set clears its marks and hands them to the next set.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "support/small_vector.h"

namespace depyf::structure {

struct SpareMarks {
  std::size_t size = 0;  // number of nodes of the graph
  std::vector<std::vector<bool>> marks;
};

class NodeSet {
 public:
  explicit NodeSet(SpareMarks& spare) : spare_(&spare) {
    if (spare.marks.empty()) {
      marks_.assign(spare.size, false);
    } else {
      marks_ = std::move(spare.marks.back());
      spare.marks.pop_back();
    }
  }
  NodeSet(NodeSet&& other) noexcept
      : spare_(std::exchange(other.spare_, nullptr)),
        marks_(std::move(other.marks_)),
        nodes_(std::move(other.nodes_)) {}
  NodeSet(const NodeSet&) = delete;
  NodeSet& operator=(const NodeSet&) = delete;
  NodeSet& operator=(NodeSet&&) = delete;
  ~NodeSet() {
    if (spare_ == nullptr) return;
    for (const auto n : nodes_) marks_[n] = false;
    spare_->marks.push_back(std::move(marks_));
  }

  bool add(std::uint32_t n) {  // returns whether it is new
    if (marks_[n]) return false;
    marks_[n] = true;
    nodes_.push_back(n);
    return true;
  }
  bool operator[](std::uint32_t n) const { return marks_[n]; }
  // Calls `visit` with every node, including those that `visit` adds.
  template <class Visit>
  void grow(const Visit& visit) {
    for (std::size_t k = 0; k < nodes_.size(); ++k) visit(nodes_[k]);
  }
  // In order of addition.
  [[nodiscard]] std::span<const std::uint32_t> nodes() const { return {nodes_.begin(), nodes_.end()}; }

 private:
  SpareMarks* spare_;
  std::vector<bool> marks_;
  SmallVector<std::uint32_t, 16> nodes_;
};

}  // namespace depyf::structure
