// SPDX-License-Identifier: MIT
// tidy(): threads empty blocks, drops what is unreachable, merges straight lines, sorts by code order.
//
// Invariant: linear but for the sort; behaviour is unchanged.
#include "cfg/tidy.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace depyf {

namespace {

class Tidier {
 public:
  explicit Tidier(Cfg& cfg) : cfg_(cfg), count_(static_cast<std::uint32_t>(cfg.blocks.size())) {}
  void run();

 private:
  void thread();
  void mark_reachable();
  void merge();
  void renumber();
  [[nodiscard]] BasicBlock& block(std::uint32_t b) { return cfg_.blocks[BlockId{b}]; }
  [[nodiscard]] bool may_merge(std::uint32_t b);

  Cfg& cfg_;
  std::uint32_t count_;
  std::uint32_t entry_ = 0;
  std::vector<bool> is_reachable_, is_handler_, is_behind_;
  std::vector<std::uint32_t> edges_in_;  // normal ones, from reachable blocks
};

void Tidier::thread() {
  std::vector<std::uint32_t> to(count_);
  std::vector<std::uint8_t> state(count_, 0);  // 0 new, 1 on the path, 2 known
  std::vector<std::uint32_t> path;
  for (std::uint32_t start = 0; start < count_; ++start) {
    path.clear();
    std::uint32_t b = start;
    while (state[b] == 0 && block(b).code.empty() && block(b).fall) {
      state[b] = 1;
      path.push_back(b);
      b = block(b).fall.n;
    }
    const std::uint32_t end = state[b] == 2 ? to[b] : b;
    state[b] = 2;
    to[b] = end;
    for (const std::uint32_t passed : path) {
      state[passed] = 2;
      to[passed] = end;
    }
  }
  const auto redirect = [&to](BlockId& id) {
    if (id) id.n = to[id.n];
  };
  for (std::uint32_t b = 0; b < count_; ++b) {
    redirect(block(b).fall);
    redirect(block(b).jump);
    redirect(block(b).handler.block);
    redirect(block(b).behind);
  }
  entry_ = to[0];
}

void Tidier::mark_reachable() {
  is_reachable_.assign(count_, false);
  is_handler_.assign(count_, false);
  is_behind_.assign(count_, false);
  edges_in_.assign(count_, 0);
  std::vector<std::uint32_t> work{entry_};
  is_reachable_[entry_] = true;
  const auto reach = [&](BlockId id) {
    if (!id || is_reachable_[id.n]) return;
    is_reachable_[id.n] = true;
    work.push_back(id.n);
  };
  while (!work.empty()) {
    const BasicBlock& b = block(work.back());
    work.pop_back();
    for (const BlockId next : {b.fall, b.jump}) {
      if (next) ++edges_in_[next.n];
      reach(next);
    }
    if (b.handler.block) is_handler_[b.handler.block.n] = true;
    reach(b.handler.block);
  }
  for (std::uint32_t b = 0; b < count_; ++b)
    if (is_reachable_[b] && block(b).behind) is_behind_[block(b).behind.n] = true;
}

bool Tidier::may_merge(std::uint32_t b) {
  const BlockId next = block(b).fall;
  return next && !block(b).jump && next.n != b && next.n != entry_ && edges_in_[next.n] == 1 && !is_handler_[next.n] &&
         !is_behind_[next.n] && block(b).handler == block(next.n).handler;
}

void Tidier::merge() {
  std::vector<bool> is_inner(count_, false);  // has a predecessor that takes it in
  for (std::uint32_t b = 0; b < count_; ++b) {
    if (is_reachable_[b] && may_merge(b)) is_inner[block(b).fall.n] = true;
  }
  for (std::uint32_t b = 0; b < count_; ++b) {
    if (!is_reachable_[b] || is_inner[b]) continue;
    while (may_merge(b)) {
      BasicBlock& head = block(b);
      BasicBlock& tail = block(head.fall.n);
      is_reachable_[head.fall.n] = false;
      head.code.insert(head.code.end(), tail.code.begin(), tail.code.end());
      head.index.insert(head.index.end(), tail.index.begin(), tail.index.end());
      head.jump = tail.jump;
      head.turned = tail.turned;
      head.shows_behind = tail.shows_behind;
      head.behind = tail.behind;
      head.fall = tail.fall;
    }
  }
}

void Tidier::renumber() {
  std::vector<std::uint32_t> order;
  for (std::uint32_t b = 0; b < count_; ++b) {
    if (is_reachable_[b]) order.push_back(b);
  }
  std::stable_sort(order.begin(), order.end(), [this](std::uint32_t x, std::uint32_t y) {
    if (x == entry_ || y == entry_) return x == entry_ && y != entry_;
    return block(x).first_index < block(y).first_index;
  });
  std::vector<BlockId> id(count_);
  for (std::uint32_t i = 0; i < order.size(); ++i) id[order[i]] = BlockId{i};
  Arena<BlockTag, BasicBlock> sorted;
  for (const std::uint32_t old : order) {
    BasicBlock b = std::move(block(old));
    if (b.fall) b.fall = id[b.fall.n];
    if (b.jump) b.jump = id[b.jump.n];
    if (b.handler.block) b.handler.block = id[b.handler.block.n];
    if (b.behind) b.behind = is_reachable_[b.behind.n] ? id[b.behind.n] : BlockId{};
    b.is_handler = is_handler_[old];
    sorted.add(std::move(b));
  }
  cfg_.blocks = std::move(sorted);
}

void Tidier::run() {
  thread();
  mark_reachable();
  merge();
  renumber();
}

}  // namespace

void tidy(Cfg& cfg) { Tidier(cfg).run(); }

}  // namespace depyf
