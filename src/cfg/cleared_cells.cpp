// SPDX-License-Identifier: MIT
// Follows saved slots along the edges of the graph; see cleared_cells.h. A saved slot is recorded with the depth of the
// stack after the save; the STORE_FAST of the slot that pops below this depth restores it.
#include "cfg/cleared_cells.h"

#include <algorithm>
#include <map>
#include <set>

#include "code/fast_locals.h"

namespace depyf {

namespace {

struct SavedSlot {
  std::int64_t depth;  // of the stack, including the saved value
  bool holds_cell;     // the slot contains a new cell
};
using SavedSlots = std::map<std::uint32_t, std::vector<SavedSlot>>;  // by slot, innermost last

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
        with_new_cell_.insert(all[i - 1].offset);
  }

  void run() {
    enter(BlockId{0}, {});
    while (!todo_.empty()) {
      const BlockId at = todo_.back();
      todo_.pop_back();
      visit(at);
    }
  }
  [[nodiscard]] SlotUses uses() && { return std::move(uses_); }

 private:
  [[nodiscard]] bool is_cell(std::uint32_t slot) const { return is_of_kind(code_, slot, kFastCell); }

  // All edges to a block have the same state, so the first one determines it.
  void enter(BlockId to, const SavedSlots& state) {
    if (!to.valid() || seen_[to.n]) return;
    seen_[to.n] = true;
    entry_[to.n] = state;
    todo_.push_back(to);
  }

  void visit(BlockId at) {
    BasicBlock& b = cfg_.blocks[at];
    SavedSlots state = entry_[at.n], in_handler;
    const auto save_for_handler = [&] {
      for (const auto& [slot, all] : state) {
        auto& kept = in_handler[slot];
        kept.clear();
        for (const SavedSlot& saved : all)
          if (saved.depth <= static_cast<std::int64_t>(b.handler.depth)) kept.push_back(saved);
      }
    };
    save_for_handler();
    auto depth = static_cast<std::int64_t>(b.entry_depth);
    for (Instruction& insn : b.code) {
      const Effect e = effect(dialect_.version, insn, false);
      depth += e.pushes - e.pops;
      if (insn.op == Op::LOAD_FAST_AND_CLEAR) {
        if (with_new_cell_.contains(insn.offset)) insn.flags |= kMakesCell;
        state[insn.arg].push_back({depth, with_new_cell_.contains(insn.offset)});
        save_for_handler();
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
    enter(b.fall, state);
    enter(b.jump, state);
    if (b.handler.block.valid()) enter(b.handler.block, in_handler);
  }

  Cfg& cfg_;
  const CodeObject& code_;
  const Dialect& dialect_;
  std::set<std::uint32_t> with_new_cell_;  // offsets of LOAD_FAST_AND_CLEAR before a MAKE_CELL
  std::vector<SavedSlots> entry_;
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
