// SPDX-License-Identifier: MIT
#include "deopt/merged_positions.h"

#include <iterator>

#include "cfg/cut.h"
#include "cfg/tidy.h"

namespace depyf::deopt {

namespace {

void continue_at(BasicBlock& b, BlockId next) {
  b.fall = next;
  b.jump = b.phantom = BlockId{};
  b.has_phantom = false;
  b.inverted = JumpInversion::kUnknown;
}

}  // namespace

std::size_t MergedPositions::number(Position p) {
  const auto [it, is_new] = numbers_.try_emplace({p.block.n, p.at}, positions_.size());
  if (is_new) {
    sets_.push_back(positions_.size());
    positions_.push_back(p);
  }
  return it->second;
}

std::size_t MergedPositions::set_of(std::size_t i) {
  while (sets_[i] != i) i = sets_[i] = sets_[sets_[i]];
  return i;
}

void MergedPositions::join(Position a, Position b, Kept kept) {
  a = past_ends(cfg_, a);
  b = past_ends(cfg_, b);
  if (a.block == b.block) return;
  const auto x = set_of(number(a)), y = set_of(number(b));
  const auto order = [&](std::size_t i) {
    const auto& p = positions_[i];
    return std::tuple(cfg_.blocks[p.block].first_index + p.at, p.block.n, p.at);
  };
  const bool keeps_x = (order(x) < order(y)) == (kept == Kept::kFirst);
  sets_[keeps_x ? y : x] = keeps_x ? x : y;
}

BlockId MergedPositions::split(BlockId b, std::uint32_t at) {
  BasicBlock tail = tail_at(cfg_, version_, {b, at});
  tail.entered = 0;
  const BlockId tail_block = cfg_.blocks.add(std::move(tail));
  auto& head = cfg_.blocks[b];
  head.code.resize(at);
  continue_at(head, tail_block);
  return tail_block;
}

BlockId MergedPositions::kept(Position p) {
  const Position to = positions_[set_of(number(p))];
  return kept_blocks_.at(to.block.n).at(to.at);
}

bool MergedPositions::apply() {
  if (positions_.empty()) return false;
  // Split the blocks at the kept positions, from the last one of each block on.
  for (std::size_t i = 0; i < positions_.size(); ++i)
    if (set_of(i) == i) kept_blocks_[positions_[i].block.n][positions_[i].at] = {};
  for (auto& [b, starts] : kept_blocks_)
    for (auto it = starts.rbegin(); it != starts.rend(); ++it)
      it->second = it->first == 0 ? BlockId{b} : split(BlockId{b}, it->first);
  using Part = std::pair<std::uint32_t, BlockId>;  // index of its first instruction in the original block, block
  // By part: the first of its positions that is not kept; the code from there on is removed.
  std::map<Part, std::size_t> redirected;
  for (std::size_t i = 0; i < positions_.size(); ++i) {
    if (set_of(i) == i) continue;
    const Position p = positions_[i];
    Part part{0, p.block};
    if (const auto starts = kept_blocks_.find(p.block.n); starts != kept_blocks_.end())
      if (const auto after = starts->second.upper_bound(p.at); after != starts->second.begin())
        part = *std::prev(after);
    const auto [it, is_new] = redirected.try_emplace(part, i);
    if (!is_new && p.at < positions_[it->second].at) it->second = i;
  }
  // By block: the block that replaces it as a jump target and handler, because the whole block is a copy.
  std::map<std::uint32_t, BlockId> replacement;
  for (const auto& [part, i] : redirected) {
    const Position from = positions_[i], to = positions_[set_of(i)];
    const BlockId next = kept_blocks_.at(to.block.n).at(to.at);
    auto& b = cfg_.blocks[part.second];
    if (from.at == 0 && (!b.is_handler || cfg_.blocks[next].is_handler) && from.block.n != 0)
      replacement[from.block.n] = next;
    b.code.resize(from.at - part.first);
    continue_at(b, next);
  }
  for (std::uint32_t i = 0; i < cfg_.blocks.size(); ++i) {
    auto& b = cfg_.blocks[BlockId{i}];
    for (auto it = replacement.find(b.handler.block.n); it != replacement.end();
         it = replacement.find(b.handler.block.n))
      b.handler.block = it->second;
    for (BlockId* to : {&b.fall, &b.jump})
      for (auto it = replacement.find(to->n); it != replacement.end(); it = replacement.find(to->n)) {
        const bool was_forward = cfg_.blocks[*to].first_index > b.first_index;
        *to = it->second;
        if (was_forward && cfg_.blocks[*to].first_index <= b.first_index) b.inverted = JumpInversion::kUnknown;
      }
  }
  unlink_unreachable(cfg_);
  return true;
}

}  // namespace depyf::deopt
