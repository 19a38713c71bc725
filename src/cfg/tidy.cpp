// SPDX-License-Identifier: MIT
// tidy(): threads empty blocks, removes unreachable ones, merges straight lines, and sorts by code order.
//
// Invariant: behaviour is unchanged. Time is linear, except for the sort.
#include "cfg/tidy.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "cfg/shapes.h"
#include "support/small_vector.h"

namespace depyf {

namespace {

class Tidier {
 public:
  Tidier(Cfg& cfg, CodeOrder code_order)
      : cfg_(cfg), code_order_(code_order), count_(static_cast<std::uint32_t>(cfg.blocks.size())) {}
  void run();

 private:
  void thread();
  void mark_reachable();
  void merge();
  [[nodiscard]] bool is_in_order();
  void renumber();
  [[nodiscard]] BasicBlock& block(std::uint32_t b) { return cfg_.blocks[BlockId{b}]; }
  [[nodiscard]] bool skips_exit(std::uint32_t b, std::uint32_t next);
  [[nodiscard]] bool skips_handler(std::uint32_t b, std::uint32_t next);
  [[nodiscard]] bool may_merge(std::uint32_t b);
  [[nodiscard]] bool ends_clause(std::uint32_t b);
  [[nodiscard]] bool is_reraise(std::uint32_t b, std::uint32_t next);

  Cfg& cfg_;
  const CodeOrder code_order_;
  struct Facts {
    std::uint32_t edges_in = 0;  // number of normal edges from reachable blocks
    bool is_reachable = false, is_handler = false, is_phantom = false;
    bool absorbs_next = false;  // is merged with its fall-through successor
    bool is_absorbed = false;   // is merged into its only predecessor
  };

  std::uint32_t count_;
  std::uint32_t entry_ = 0;
  SmallVector<Facts, 32> facts_;             // by block
  SmallVector<std::uint32_t, 64> order_;     // the reachable blocks in code order
  SmallVector<std::uint32_t, 16> handlers_;  // first_index of each handler, sorted
};

void Tidier::thread() {
  const auto is_empty = [this](std::uint32_t b) { return block(b).code.empty() && block(b).fall; };
  std::uint32_t first = 0;
  while (first < count_ && !is_empty(first)) ++first;
  if (first == count_) return;
  std::vector<std::uint32_t> to(count_);
  std::vector<std::uint8_t> state(count_, 0);  // 0 new, 1 on the path, 2 known
  std::vector<std::uint32_t> path;
  for (std::uint32_t start = 0; start < count_; ++start) {
    path.clear();
    std::uint32_t b = start;
    while (state[b] == 0 && is_empty(b)) {
      state[b] = 1;
      path.push_back(b);
      b = block(b).fall.n;
    }
    const std::uint32_t end = state[b] == 2 ? to[b] : b;
    state[b] = 2;
    to[b] = end;
    for (const std::uint32_t skipped : path) {
      state[skipped] = 2;
      to[skipped] = end;
    }
  }
  const auto redirect = [&to](BlockId& id) {
    if (id) id.n = to[id.n];
  };
  for (std::uint32_t b = 0; b < count_; ++b) {
    redirect(block(b).fall);
    redirect(block(b).jump);
    redirect(block(b).handler.block);
    redirect(block(b).phantom);
  }
  entry_ = to[0];
}

void Tidier::mark_reachable() {
  facts_.assign(count_, {});
  SmallVector<std::uint32_t, 64> work;
  const auto reach = [&](BlockId id) {
    if (!id || facts_[id.n].is_reachable) return;
    facts_[id.n].is_reachable = true;
    work.push_back(id.n);
  };
  reach(BlockId{entry_});
  while (!work.empty()) {
    const BasicBlock& b = block(work.back());
    work.pop_back();
    for (const BlockId next : {b.fall, b.jump}) {
      if (next) ++facts_[next.n].edges_in;
      reach(next);
    }
    if (b.handler.block) facts_[b.handler.block.n].is_handler = true;
    reach(b.handler.block);
    reach(b.phantom);
  }
  for (std::uint32_t b = 0; b < count_; ++b)
    if (facts_[b].is_reachable && block(b).phantom) facts_[block(b).phantom.n].is_phantom = true;
}

// Returns whether a block ends an `except` clause: with POP_EXCEPT, or with the `e = None; del e` after it.
bool Tidier::ends_clause(std::uint32_t b) {
  const auto& code = block(b).code;
  if (code.empty()) return false;
  if (code.back().op == Op::POP_EXCEPT) return true;
  return code.size() >= 3 && rebinds_and_deletes(code[code.size() - 2], code.back());
}

// Returns whether a block that exits lies between b and its successor in code order, as the `else` arm in `if x: a`
// with `else: raise`: then the successor is not part of the arm b but follows the statement. An exit that also leaves
// enclosing statements continues at a lower stack depth.
bool Tidier::skips_exit(std::uint32_t b, std::uint32_t next) {
  auto position = std::lower_bound(order_.begin(), order_.end(), block(next).first_index,
                                   [&](auto o, auto index) { return block(o).first_index < index; });
  if (position == order_.begin() || facts_[*--position].is_handler) return false;
  const BasicBlock& exit = block(*position);
  const std::uint32_t depth = block(next).entry_depth;
  const auto continues_elsewhere = [&] {  // or jumps back to a loop header
    const BasicBlock& to = block(exit.fall.n);
    return (to.entry_depth < depth && !ends_clause(*position)) ||
           (to.entry_depth == depth && to.first_index <= block(b).first_index);
  };
  const bool is_exit = exit.fall ? continues_elsewhere() : !exit.code.empty() && exit.code.back().op != Op::RERAISE;
  if (!is_exit || exit.jump) return false;
  while (block(*position).entry_depth < depth && position != order_.begin() &&
         block(*(position - 1)).fall.n == *position)
    --position;  // it leaves several statements, in one block for each
  return block(*position).entry_depth >= depth && block(b).first_index < block(*position).first_index;
}

// Returns whether a handler lies between b and its successor in code order: then b ends a `try` statement or its `else`
// clause, which precede the handlers, and the successor follows the statement. If all handlers raise, b is its only
// predecessor.
bool Tidier::skips_handler(std::uint32_t b, std::uint32_t next) {
  if (facts_[b].is_handler) return false;
  const auto handler = std::upper_bound(handlers_.begin(), handlers_.end(), block(b).first_index);
  return handler != handlers_.end() && *handler < block(next).first_index;
}

// Returns whether the two blocks are COPY 3; POP_EXCEPT; RERAISE 1, the code with which an exception leaves a handler.
bool Tidier::is_reraise(std::uint32_t b, std::uint32_t next) {
  const auto &code = block(b).code, &end = block(next).code;
  return !code.empty() && code.back().op == Op::POP_EXCEPT && end.size() == 1 && end[0].op == Op::RERAISE &&
         end[0].arg == 1;
}

// Returns whether a block may be merged with its fall-through successor. With CodeOrder::kFromCompiler they stay
// apart if the successor is the first block after a statement that ends in b, as later stages use it to find the
// statement's end. In 3.8, the code to which a finally body returns may be before it in code order; that stays apart, too.
bool Tidier::may_merge(std::uint32_t b) {
  const BlockId next = block(b).fall;
  if (!next || block(b).jump || next.n == b || next.n == entry_) return false;
  const Facts& facts = facts_[next.n];
  if (facts.edges_in != 1 || facts.is_handler || facts.is_phantom || !(block(b).handler == block(next.n).handler))
    return false;
  return code_order_ == CodeOrder::kArbitrary || block(next.n).entered != 0 || is_reraise(b, next.n) ||
         (!(cfg_.keeps_phantoms && block(next.n).first_index < block(b).first_index) && !ends_clause(b) &&
          !skips_handler(b, next.n) && !skips_exit(b, next.n));
}

// Appends the code of a block. A NOP marks a loop header and is kept only at the start or the end of the merged block.
void append(std::vector<Instruction>& code, const std::vector<Instruction>& more) {
  if (code.size() > 1 && code.back().op == Op::NOP && !more.empty()) code.pop_back();
  const bool drops_nop = !code.empty() && more.size() > 1 && more[0].op == Op::NOP;
  code.insert(code.end(), more.begin() + (drops_nop ? 1 : 0), more.end());
}

void Tidier::merge() {
  for (std::uint32_t b = 0; b < count_; ++b)
    if (facts_[b].is_reachable && facts_[b].is_handler) handlers_.push_back(block(b).first_index);
  std::sort(handlers_.begin(), handlers_.end());
  for (std::uint32_t b = 0; b < count_; ++b)
    if (facts_[b].is_reachable) order_.push_back(b);
  const auto before = [&](auto a, auto b) { return block(a).first_index < block(b).first_index; };
  if (!std::is_sorted(order_.begin(), order_.end(), before)) std::stable_sort(order_.begin(), order_.end(), before);
  for (std::uint32_t b = 0; b < count_; ++b) {
    if (!facts_[b].is_reachable || !may_merge(b)) continue;
    facts_[b].absorbs_next = facts_[block(b).fall.n].is_absorbed = true;
  }
  for (std::uint32_t b = 0; b < count_; ++b) {
    if (!facts_[b].is_reachable || facts_[b].is_absorbed) continue;
    for (auto last = b; facts_[last].absorbs_next;) {
      BasicBlock& head = block(b);
      last = head.fall.n;
      BasicBlock& tail = block(last);
      facts_[last].is_reachable = false;
      append(head.code, tail.code);
      head.jump = tail.jump;
      head.inverted = tail.inverted;
      head.has_phantom = tail.has_phantom;
      head.phantom = tail.phantom;
      head.fall = tail.fall;
    }
  }
}

// Returns whether every block is reachable and in code order, so that renumbering is not necessary, as in most graphs.
bool Tidier::is_in_order() {
  if (entry_ != 0) return false;
  for (std::uint32_t b = 0; b < count_; ++b) {
    if (!facts_[b].is_reachable) return false;
    if (b > 1 && block(b).first_index < block(b - 1).first_index) return false;
  }
  return true;
}

void Tidier::renumber() {
  if (is_in_order()) {
    for (std::uint32_t b = 0; b < count_; ++b) block(b).is_handler = facts_[b].is_handler;
    return;
  }
  std::vector<std::uint32_t> order;
  order.reserve(count_);
  for (std::uint32_t b = 0; b < count_; ++b) {
    if (facts_[b].is_reachable) order.push_back(b);
  }
  const auto before = [this](std::uint32_t x, std::uint32_t y) {
    if (x == entry_ || y == entry_) return x == entry_ && y != entry_;
    return block(x).first_index < block(y).first_index;
  };
  if (!std::is_sorted(order.begin(), order.end(), before)) std::stable_sort(order.begin(), order.end(), before);
  std::vector<BlockId> id(count_);
  for (std::uint32_t i = 0; i < order.size(); ++i) id[order[i]] = BlockId{i};
  Arena<BlockTag, BasicBlock> sorted;
  sorted.reserve(order.size());
  for (const std::uint32_t old : order) {
    BasicBlock b = std::move(block(old));
    if (b.fall) b.fall = id[b.fall.n];
    if (b.jump) b.jump = id[b.jump.n];
    if (b.handler.block) b.handler.block = id[b.handler.block.n];
    if (b.phantom) b.phantom = facts_[b.phantom.n].is_reachable ? id[b.phantom.n] : BlockId{};
    b.is_handler = facts_[old].is_handler;
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

void tidy(Cfg& cfg, CodeOrder order) { Tidier(cfg, order).run(); }

void unlink_unreachable(Cfg& cfg) {
  SmallVector<std::uint8_t, 256> seen(cfg.blocks.size());
  SmallVector<std::uint32_t, 64> todo{0};
  const auto reach = [&](BlockId b) {
    if (!b.valid() || seen[b.n] != 0) return;
    seen[b.n] = 1;
    todo.push_back(b.n);
  };
  seen[0] = 1;
  while (!todo.empty()) {
    const auto& b = cfg.blocks[BlockId{todo.back()}];
    todo.pop_back();
    reach(b.fall);
    reach(b.jump);
    reach(b.handler.block);
    reach(b.phantom);
  }
  for (std::uint32_t i = 0; i < seen.size(); ++i) {
    if (seen[i] != 0) continue;
    auto& b = cfg.blocks[BlockId{i}];
    b.fall = b.jump = BlockId{};
    b.handler = Handler{};
    b.is_handler = false;
  }
}

}  // namespace depyf
