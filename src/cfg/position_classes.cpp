// SPDX-License-Identifier: MIT
// Value numbering of positions; see position_classes.h.
#include "cfg/position_classes.h"

#include <bit>
#include <numeric>
#include <utility>

#include "cfg/analysis.h"

namespace depyf {

namespace {

struct Key {
  std::uint32_t operation = 0, arg = 0, next = 0, jump = 0, handler = 0, depth = 0, phantom = 0;
  friend bool operator==(const Key&, const Key&) = default;
};

// Returns the key that determines the class of an instruction. `fall` and `jump` are the classes of its successors.
Key key_of(const BasicBlock& b, std::size_t i, std::uint32_t fall, std::uint32_t jump) {
  const auto& insn = b.code[i];
  const auto op = either_polarity(insn.op);
  if (op != insn.op) std::swap(fall, jump);
  const bool last = i + 1 == b.code.size();
  return {static_cast<std::uint32_t>(op) * 256 + insn.flags,
          is_jump(op) ? 0 : insn.arg,
          fall,
          jump,
          b.handler.block.n,
          b.handler.depth * 2 + (b.handler.lasti ? 1 : 0),
          (last && b.has_phantom ? 1 + b.phantom.n : 0) * 4 + (i == 0 ? b.entered : 0U)};
}

// A hash table of classes by their keys, with open addressing.
class ClassTable {
 public:
  struct Class {
    Key key;
    BlockId block;  // of its representative, whose position is the class's id
    std::uint32_t position = 0, index = 0;
  };

  explicit ClassTable(std::size_t blocks) : slots_(std::bit_ceil(4 * blocks + 1)) { classes_.reserve(blocks); }

  // Returns the class with the key of `candidate`, which it adds if there is none.
  Class find_or_add(const Class& candidate) {
    if (2 * classes_.size() >= slots_.size()) grow();
    const auto i = slot_of(candidate.key);
    if (slots_[i] != 0) return classes_[slots_[i] - 1];
    classes_.push_back(candidate);
    slots_[i] = static_cast<std::uint32_t>(classes_.size());
    return candidate;
  }

 private:
  static std::size_t hash(const Key& k) {
    std::uint64_t h = 0;
    for (const auto part : {k.operation, k.arg, k.next, k.jump, k.handler, k.depth, k.phantom})
      h = ((h ^ part) * 0x9E3779B97F4A7C15U) ^ (h >> 29U);
    return static_cast<std::size_t>(h ^ (h >> 32U));
  }
  [[nodiscard]] std::size_t slot_of(const Key& key) const {
    const auto mask = slots_.size() - 1;
    auto i = hash(key) & mask;
    while (slots_[i] != 0 && !(classes_[slots_[i] - 1].key == key)) i = (i + 1) & mask;
    return i;
  }
  void grow() {
    slots_.assign(2 * slots_.size(), 0);
    for (std::uint32_t c = 0; c < classes_.size(); ++c) slots_[slot_of(classes_[c].key)] = c + 1;
  }

  SmallVector<Class, 32> classes_;
  SmallVector<std::uint32_t, 128> slots_;  // 1 + index of a class; 0: free
};

}  // namespace

// Processes each block from its end and stops at the first instruction in a class of its own: the instructions before
// it are in classes of their own, too, and are entered into the table only once a second member of their successor's
// class appears. The id of a class is one of its positions; ids of loop headers follow those of all positions.
PositionClasses::PositionClasses(const Cfg& cfg) {
  std::uint32_t size = 0;
  first_.reserve(cfg.blocks.size());
  for (std::uint32_t i = 0; i < cfg.blocks.size(); ++i) {
    first_.push_back(size);
    size += static_cast<std::uint32_t>(cfg.blocks[BlockId{i}].code.size()) + 1;
  }
  classes_.assign(size, kNoClass);
  multiplicity_.assign(size + cfg.blocks.size(), 1);
  const Order order = reverse_postorder(cfg, EdgeKinds::kAll);
  SmallVector<bool, 64> is_header(cfg.blocks.size(), false);
  for (const BlockId from : order.blocks)
    for (const BlockId to : successors(cfg, from, EdgeKinds::kNormal))
      if (order.position[to.n] <= order.position[from.n]) is_header[to.n] = true;
  ClassTable table(order.blocks.size());
  for (auto it = order.blocks.rbegin(); it != order.blocks.rend(); ++it) {
    const BlockId id = *it;
    const auto& b = cfg.blocks[id];
    const auto first = first_[id.n], count = static_cast<std::uint32_t>(b.code.size());
    const auto start = [&](BlockId to) {
      if (!to.valid()) return kNoClass;
      return is_header[to.n] ? size + to.n : at(to, 0);
    };
    std::iota(classes_.begin() + first, classes_.begin() + first + count + 1, first);
    auto fall = start(b.fall), jump = start(b.jump);
    if (count > 0 || !(b.jump.valid() || b.has_phantom))  // a test without instructions has a class of its own
      classes_[first + count] = b.jump.valid() ? kNoClass : fall;
    for (auto i = count; i-- > 0; jump = kNoClass) {
      const auto of = table.find_or_add({key_of(b, i, fall, jump), id, first + i, i});
      if (of.position == first + i) break;
      fall = classes_[first + i] = of.position;
      const auto& other = cfg.blocks[of.block];
      if (++multiplicity_[of.position] == 2 && of.index > 0)
        (void)table.find_or_add(
            {key_of(other, of.index - 1, of.position, kNoClass), of.block, of.position - 1, of.index - 1});
    }
  }
}

}  // namespace depyf
