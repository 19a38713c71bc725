// SPDX-License-Identifier: MIT
// See cleared_cells.h. A slot is followed along the edges with the depth of the stack once its cell lies there: the
// STORE_FAST that takes the cell from below is the one that puts it back.
#include "cfg/cleared_cells.h"

#include <algorithm>
#include <map>

namespace depyf {

namespace {

using Cleared = std::map<std::uint32_t, std::int64_t>;  // by slot: entries of the stack, the cell put away included

class Follower {
 public:
  Follower(Cfg& cfg, const CodeObject& code, const Dialect& dialect)
      : cfg_(cfg), code_(code), dialect_(dialect), entry_(cfg.blocks.size()), seen_(cfg.blocks.size(), false) {}

  void run() {
    flow(BlockId{0}, {});
    while (!todo_.empty()) {
      const BlockId at = todo_.back();
      todo_.pop_back();
      block(at);
    }
  }

 private:
  [[nodiscard]] bool is_cell(std::uint32_t slot) const {
    constexpr std::uint8_t kCell = 0x40;
    return slot < code_.localspluskinds.size() && (code_.localspluskinds[slot] & kCell) != 0;
  }

  // Each block is entered with one state by all edges; what is first says it.
  void flow(BlockId to, const Cleared& state) {
    if (!to.valid() || seen_[to.n]) return;
    seen_[to.n] = true;
    entry_[to.n] = state;
    todo_.push_back(to);
  }

  void block(BlockId at) {
    BasicBlock& b = cfg_.blocks[at];
    Cleared state = entry_[at.n], in_handler;
    const auto keep = [&] {
      for (const auto& [slot, depth] : state)
        if (depth <= static_cast<std::int64_t>(b.handler.depth)) in_handler[slot] = depth;
    };
    keep();
    auto depth = static_cast<std::int64_t>(b.entry_depth);
    for (Instruction& insn : b.code) {
      const Effect e = effect(dialect_.version, insn, false);
      depth += e.pushes - e.pops;
      if (insn.op == Op::LOAD_FAST_AND_CLEAR && is_cell(insn.arg)) {
        state[insn.arg] = depth;
        keep();
      } else if (insn.op == Op::MAKE_CELL) {
        state.erase(insn.arg);
      } else if (const auto it = state.find(insn.arg); it != state.end()) {
        if (insn.op == Op::STORE_FAST && depth < it->second) state.erase(it);
        if (insn.op == Op::LOAD_CLOSURE) insn.op = Op::LOAD_FAST;
      }
    }
    flow(b.fall, state);
    flow(b.jump, state);
    if (b.handler.block.valid()) flow(b.handler.block, in_handler);
  }

  Cfg& cfg_;
  const CodeObject& code_;
  const Dialect& dialect_;
  std::vector<Cleared> entry_;
  std::vector<bool> seen_;
  std::vector<BlockId> todo_;
};

}  // namespace

void load_cleared_cells(Cfg& cfg, const CodeObject& code, const Dialect& dialect) {
  if (!dialect.inlines_comprehensions || code.cellvars.empty()) return;
  const auto clears = [](const Instruction& i) { return i.op == Op::LOAD_FAST_AND_CLEAR; };
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b)
    if (std::ranges::any_of(cfg.blocks[BlockId{b}].code, clears)) return Follower(cfg, code, dialect).run();
}

}  // namespace depyf
