// SPDX-License-Identifier: MIT
// See cleared_cells.h. A slot is followed along the edges with the depth of the stack once its cell lies there: the
// STORE_FAST that takes the cell from below is the one that puts it back.
#include "cfg/cleared_cells.h"

#include <algorithm>
#include <map>
#include <set>

namespace depyf {

namespace {

struct Away {
  std::int64_t depth;  // entries of the stack, what was put away included
  bool holds_cell;     // what the slot holds since
};
using Cleared = std::map<std::uint32_t, std::vector<Away>>;  // by slot, innermost last

class Follower {
 public:
  Follower(Cfg& cfg, const CodeObject& code, const Bytecode& bytecode, const Dialect& dialect)
      : cfg_(cfg),
        code_(code),
        dialect_(dialect),
        entry_(cfg.blocks.size()),
        seen_(cfg.blocks.size(), false),
        uses_{std::vector<bool>(code.localsplus.size()), std::vector<bool>(code.localsplus.size())} {
    const auto& all = bytecode.code;
    for (std::size_t i = 1; i < all.size(); ++i)
      if (all[i].op == Op::MAKE_CELL && all[i - 1].op == Op::LOAD_FAST_AND_CLEAR && all[i - 1].arg == all[i].arg)
        made_again_.insert(all[i - 1].offset);
  }

  void run() {
    flow(BlockId{0}, {});
    while (!todo_.empty()) {
      const BlockId at = todo_.back();
      todo_.pop_back();
      block(at);
    }
  }
  [[nodiscard]] SlotUses uses() && { return std::move(uses_); }

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
      for (const auto& [slot, all] : state) {
        auto& kept = in_handler[slot];
        kept.clear();
        for (const Away& away : all)
          if (away.depth <= static_cast<std::int64_t>(b.handler.depth)) kept.push_back(away);
      }
    };
    keep();
    auto depth = static_cast<std::int64_t>(b.entry_depth);
    for (Instruction& insn : b.code) {
      const Effect e = effect(dialect_.version, insn, false);
      depth += e.pushes - e.pops;
      if (insn.op == Op::LOAD_FAST_AND_CLEAR) {
        if (made_again_.contains(insn.offset)) insn.flags |= kMakesCell;
        state[insn.arg].push_back({depth, made_again_.contains(insn.offset)});
        keep();
      } else if (const auto it = state.find(insn.arg); it != state.end() && !it->second.empty()) {
        if (insn.op == Op::LOAD_CLOSURE && is_cell(insn.arg) && !it->second.back().holds_cell) insn.op = Op::LOAD_FAST;
        if (insn.op == Op::STORE_FAST && depth < it->second.back().depth) it->second.pop_back();
      } else if (insn.arg < uses_.used.size() &&
                 (arg_kind(insn.op) == ArgKind::Local || arg_kind(insn.op) == ArgKind::Deref)) {
        uses_.used[insn.arg] = true;
        if (insn.op == Op::STORE_FAST || insn.op == Op::STORE_DEREF || insn.op == Op::DELETE_DEREF)
          uses_.stored[insn.arg] = true;
      }
    }
    flow(b.fall, state);
    flow(b.jump, state);
    if (b.handler.block.valid()) flow(b.handler.block, in_handler);
  }

  Cfg& cfg_;
  const CodeObject& code_;
  const Dialect& dialect_;
  std::set<std::uint32_t> made_again_;  // offsets of LOAD_FAST_AND_CLEAR
  std::vector<Cleared> entry_;
  std::vector<bool> seen_;
  SlotUses uses_;
  std::vector<BlockId> todo_;
};

}  // namespace

void load_cleared_cells(Cfg& cfg, const CodeObject& code, const Bytecode& bytecode, const Dialect& dialect) {
  if (!dialect.inlines_comprehensions || (code.cellvars.empty() && code.freevars.empty())) return;
  const auto clears = [](const Instruction& i) { return i.op == Op::LOAD_FAST_AND_CLEAR; };
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b)
    if (std::ranges::any_of(cfg.blocks[BlockId{b}].code, clears)) return Follower(cfg, code, bytecode, dialect).run();
}

SlotUses uses_outside_comprehensions(Cfg& cfg, const CodeObject& code, const Bytecode& bytecode,
                                     const Dialect& dialect) {
  Follower follower(cfg, code, bytecode, dialect);
  follower.run();
  return std::move(follower).uses();
}

}  // namespace depyf
