// SPDX-License-Identifier: MIT
#include "cfg/position_classes.h"

#include <bit>
#include <utility>

#include "cfg/analysis.h"

namespace depyf {

namespace {

struct Key {
  std::uint32_t operation = 0, arg = 0, next = 0, jump = 0, handler = 0, depth = 0, phantom = 0;
  friend bool operator==(const Key&, const Key&) = default;
};

// The classes of keys, by open addressing: at most `most` keys.
class Known {
 public:
  explicit Known(std::size_t most) : slots_(std::bit_ceil(2 * most + 1)) { keys_.reserve(most); }

  // The class of a key, which becomes `next` if there is none yet.
  std::uint32_t find_or_add(const Key& key, std::uint32_t next) {
    const auto mask = slots_.size() - 1;
    auto i = hash(key) & mask;
    for (; slots_[i] != 0; i = (i + 1) & mask)
      if (const auto& [known, number] = keys_[slots_[i] - 1]; known == key) return number;
    keys_.emplace_back(key, next);
    slots_[i] = static_cast<std::uint32_t>(keys_.size());
    return next;
  }

 private:
  static std::size_t hash(const Key& k) {
    std::uint64_t h = 0;
    for (const auto part : {k.operation, k.arg, k.next, k.jump, k.handler, k.depth, k.phantom})
      h = ((h ^ part) * 0x9E3779B97F4A7C15U) ^ (h >> 29U);
    return static_cast<std::size_t>(h ^ (h >> 32U));
  }
  std::vector<std::pair<Key, std::uint32_t>> keys_;  // with their classes
  std::vector<std::uint32_t> slots_;                 // 1 + index of a key; 0: free
};

// A test and its opposite are one operation, with their successors exchanged.
Op either_polarity(Op op) {
  if (op == Op::POP_JUMP_IF_TRUE) return Op::POP_JUMP_IF_FALSE;
  return op == Op::POP_JUMP_IF_NOT_NONE ? Op::POP_JUMP_IF_NONE : op;
}

}  // namespace

PositionClasses::PositionClasses(const Cfg& cfg) {
  std::uint32_t size = 0;
  first_.reserve(cfg.blocks.size());
  for (std::uint32_t i = 0; i < cfg.blocks.size(); ++i) {
    first_.push_back(size);
    size += static_cast<std::uint32_t>(cfg.blocks[BlockId{i}].code.size()) + 1;
  }
  classes_.assign(size, kNoClass);
  multiplicity_.reserve(size);
  const Order order = reverse_postorder(cfg, EdgeKinds::kAll);
  const auto number = [&] {
    multiplicity_.push_back(0);
    return static_cast<std::uint32_t>(multiplicity_.size() - 1);
  };
  std::vector<std::uint32_t> headers(cfg.blocks.size(), kNoClass);
  for (const BlockId from : order.blocks)
    for (const BlockId to : successors(cfg, from, EdgeKinds::kNormal))
      if (order.position[to.n] <= order.position[from.n] && headers[to.n] == kNoClass) headers[to.n] = number();
  Known known(size);
  for (auto it = order.blocks.rbegin(); it != order.blocks.rend(); ++it) {
    const auto& b = cfg.blocks[*it];
    const auto first = first_[it->n];
    const auto start = [&](BlockId to) {
      if (!to.valid()) return kNoClass;
      return headers[to.n] != kNoClass ? headers[to.n] : at(to, 0);
    };
    const auto handler = b.handler.block.n;
    const auto depth = b.handler.depth * 2 + (b.handler.lasti ? 1 : 0);
    std::uint32_t fall = start(b.fall), jump = start(b.jump);
    const auto phantom = b.has_phantom ? 1 + b.phantom.n : 0;
    if (b.code.empty()) {  // a test without instructions is like no other
      classes_[first] = b.jump.valid() || phantom != 0 ? number() : fall;
      continue;
    }
    classes_[first + b.code.size()] = b.jump.valid() ? kNoClass : fall;
    if (either_polarity(b.code.back().op) != b.code.back().op) std::swap(fall, jump);
    for (auto i = b.code.size(); i-- > 0;) {
      const auto& insn = b.code[i];
      const bool last = i + 1 == b.code.size();
      const Key key{static_cast<std::uint32_t>(either_polarity(insn.op)) * 256 + insn.flags,
                    is_jump(insn.op) ? 0 : insn.arg,
                    last ? fall : classes_[first + i + 1],
                    last ? jump : kNoClass,
                    handler,
                    depth,
                    (last ? phantom : 0) * 4 + (i == 0 ? b.entered : 0U)};
      const auto next = static_cast<std::uint32_t>(multiplicity_.size());
      const auto of = known.find_or_add(key, next);
      if (of == next) multiplicity_.push_back(0);
      classes_[first + i] = of;
      ++multiplicity_[of];
    }
  }
}

}  // namespace depyf
