// SPDX-License-Identifier: MIT
// Undoes the duplication of exits that leave a protected range or end a handler (duplicate_exits_without_lineno, then
// inline_small_or_no_lineno_blocks in Python/flowgraph.c). The code that leaves a range has no line of its own, so the
// compiler copies it to each jump there.
//
// Two exits of one bisimulation class are copies of one
//   - if both reraise the exception with which the same handler was entered: a finally body ends once. The statements
//     before the RERAISE are merged, too, if they have one source position;
//   - if both are code after the same range or handler. A return of a constant is not merged: it may be a `return`
//     inside the range, which leaves the range before it loads the constant (codegen_return);
//   - if both are ends of one except clause, and have the source position of the instruction before them.
// The last one in code order is kept. The implicit returns at the end of a function are merged, too, and so is the code
// that the compiler adds at the end of a class body (codegen_class_body in Python/codegen.c).
#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "cfg/analysis.h"
#include "cfg/cut.h"
#include "cfg/shapes.h"
#include "deopt/deopt.h"
#include "deopt/merged_positions.h"
#include "deopt/operands.h"

namespace depyf::deopt {

namespace {

class ExitDuplication {
 public:
  ExitDuplication(const CodeTree& tree, CodeId code, Cfg& cfg, const Dialect& dialect, SourcePositions& positions,
                  PositionFacts& facts)
      : tree_(tree),
        co_(tree.codes[code]),
        cfg_(cfg),
        version_(dialect.version),
        folds_late_(dialect.folds_arithmetic_after_tests),
        moves_handlers_(dialect.inlines_comprehensions),
        facts_(facts),
        merged_(cfg, dialect.version),
        positions_(positions) {}

  void run() {
    bool protects = false;  // without a protected range, nothing leaves one
    for (std::uint32_t i = 0; i < cfg_.blocks.size(); ++i)
      protects = protects || block(BlockId{i}).handler.block.valid();
    for (std::uint32_t i = 0; i < cfg_.blocks.size() && protects; ++i) {
      const BlockId id{i};
      const auto& b = block(id);
      if (!b.is_handler && !b.code.empty() && b.code.back().op == Op::RERAISE) register_reraise(id);
      for (const BlockId to : {b.fall, b.jump})
        if (to.valid() && leaves_range(b.handler, block(to).handler)) register_exit({to, 0});
      if (!b.jump.valid()) register_clean_ups(id);
    }
    join_implicit_returns();
    if ((co_.flags & kCoOptimized) == 0 && co_.parent.valid()) join_class_epilogues();
    if (merged_.apply()) facts_.forget();
  }

 private:
  // MAX_COPY_SIZE in Python/flowgraph.c is 4; a CPython instruction may be two canonical ones.
  static constexpr std::size_t kMostCode = 8;

  [[nodiscard]] const BasicBlock& block(BlockId b) const { return cfg_.blocks[b]; }

  [[nodiscard]] OperandStack stack_at(Position p) const {
    auto stack = facts_.operands().entry(p.block);
    for (std::uint32_t i = 0; i < p.at; ++i) facts_.operands().carry_out({p.block, i}, false, stack);
    return stack;
  }

  // Returns whether an edge leaves a protected range: it leads to code with the handler that is around the range's
  // handler, or around the clean-up code of that handler (3.11+).
  [[nodiscard]] bool leaves_range(const Handler& from, const Handler& to) const {
    if (!from.block.valid() || from == to) return false;
    const Handler& outer = block(from.block).handler;
    return outer == to || (outer.block.valid() && block(outer.block).handler == to);
  }

  // Returns the handler of the code in an except clause if the clause ends at `p` by itself, not with a `return` of a
  // value; else an invalid id. The columns decide: the exit has no position of its own, but that of the code before it.
  [[nodiscard]] BlockId ends_clause_handler(Position p) {
    const auto* position = positions_.at(block(p.block).code[p.at].offset);
    if (position == nullptr || position->column < 0 || block(p.block).code.back().op == Op::RERAISE) return {};
    const auto stack = stack_at(p);
    if (std::ranges::any_of(stack, is_operand) || !has_preceding_position(p)) return {};
    if (p.at > 0) return block(p.block).handler.block;
    const auto& before = predecessors_->normal[p.block.n];
    return before.empty() ? BlockId{} : block(before[0]).handler.block;
  }
  // Returns whether the instruction has the source position of all instructions before it, so none of its own.
  [[nodiscard]] bool has_preceding_position(Position p) {
    const auto at = [&](BlockId b, std::size_t i) { return positions_.at(block(b).code[i].offset); };
    const auto* position = at(p.block, p.at);
    const auto is_same = [&](const auto* before) {
      return before != nullptr && position != nullptr && *before == *position;
    };
    if (p.at > 0) return is_same(at(p.block, p.at - 1));
    if (!predecessors_) predecessors_ = predecessors(cfg_);
    return std::ranges::all_of(predecessors_->normal[p.block.n], [&](BlockId b) {
      return !block(b).code.empty() && is_same(at(b, block(b).code.size() - 1));
    });
  }

  // Finds the code after the exits of except clauses and of with statements in a block, and registers it.
  void register_clean_ups(BlockId id) {
    const std::span<const Instruction> code = block(id).code;
    for (std::uint32_t i = 0; i < code.size(); ++i) {
      auto end = i + 1;
      if (code[i].op == Op::POP_EXCEPT) {
        const auto clause = facts_.is_single({id, i}) ? BlockId{} : ends_clause_handler({id, i});
        if (clause.valid()) merge_with_equal({id, i}, clause.n);
        if (clears_name(code, end)) end += 3;
        // The result of __exit__ and the context manager, on the path where the exception is suppressed.
        while (end < code.size() && code[end].op == Op::POP_TOP) ++end;
      } else if (calls_exit(tree_, co_, code, i)) {
        // An asynchronous exit is awaited between CALL and POP_TOP.
        const auto limit = std::min(code.size(), i + std::size_t{kMostCode});
        while (end < limit && code[end - 1].op != Op::POP_TOP) ++end;
        if (end < code.size() && code[end - 1].op != Op::POP_TOP) continue;
      } else {
        continue;
      }
      if (end < code.size())
        register_exit({id, end}, block(id).handler.block);
      else if (block(id).fall.valid())
        register_exit({block(id).fall, 0}, block(id).handler.block);
    }
  }

  // Returns the position of the load in a block that returns a constant and does nothing else, or that leaves a handler
  // directly before the load.
  [[nodiscard]] std::optional<Position> returned_constant(BlockId id) const {
    const auto& b = block(id).code;
    const auto n = b.size();
    const bool returns = n >= 2 && loads_constant(b[n - 2]) && b[n - 1].op == Op::RETURN_VALUE;
    return returns && (n == 2 || b[n - 3].op == Op::POP_EXCEPT)
               ? std::optional(Position{id, static_cast<std::uint32_t>(n - 2)})
               : std::nullopt;
  }

  // Returns whether two returns of equal constants may be one in the source: they have one source position, or both are
  // implicit returns of None, which have no position of their own.
  [[nodiscard]] bool may_be_same_return(Position a, Position b) {
    const auto load = [&](Position p) -> const Instruction& { return block(p.block).code[p.at]; };
    const auto *x = positions_.at(load(a).offset), *y = positions_.at(load(b).offset);
    if (x == nullptr || y == nullptr || *x == *y) return true;
    const auto has_return_position = [&](const Instruction& i) {
      return positions_.written_return(i.offset).has_value();
    };
    return loads_none(tree_, co_, load(a)) && !has_return_position(load(a)) && !has_return_position(load(b));
  }

  // Merges the copies of the implicit return at the end of a function: the run of equal returns at the end of the code
  // (without the handlers, if push_cold_blocks_to_end has moved them), and adjacent ones whose source positions tell
  // that an arm ends there. The first is kept.
  void join_implicit_returns() {
    std::size_t returns = 0;
    for (std::uint32_t i = 0; i < cfg_.blocks.size(); ++i) returns += returned_constant(BlockId{i}) ? 1 : 0;
    if (returns < 2) return;
    std::vector<BlockId> code;
    const auto order = reverse_postorder(cfg_, moves_handlers_ ? EdgeKinds::kNormal : EdgeKinds::kAll);
    for (std::uint32_t i = 0; i < cfg_.blocks.size(); ++i)
      if (order.position[i] != kNoTarget) code.push_back(BlockId{i});
    std::sort(code.begin(), code.end(), [&](auto a, auto b) { return block(a).first_index < block(b).first_index; });
    bool at_end = true;  // whether all returns from index k on are equal
    for (auto k = code.size(); k-- > 1;) {
      const auto last = returned_constant(code[k]), before = returned_constant(code[k - 1]);
      const bool equal = last && before && facts_.class_of(*last) == facts_.class_of(*before) &&
                         depth_at(cfg_, version_, *last) == depth_at(cfg_, version_, *before) &&
                         may_be_same_return(*last, *before);
      at_end = at_end && equal;
      if (at_end || (equal && has_preceding_position(*last) && has_preceding_position(*before)))
        merged_.join(*before, *last, Kept::kFirst);
    }
  }

  // Merges the copies of the code that the compiler adds at the end of a class body, one for each jump to it. The last
  // is kept.
  void join_class_epilogues() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, Position> last;  // by class and depth
    for (auto i = static_cast<std::uint32_t>(cfg_.blocks.size()); i-- > 0;) {
      const auto& b = block(BlockId{i}).code;
      const auto store = std::ranges::find_if(b, [&](const Instruction& insn) {
        return insn.op == Op::STORE_NAME && co_.names[insn.arg] == "__static_attributes__";
      });
      if (store == b.end() || store == b.begin()) continue;
      const Position from{BlockId{i}, static_cast<std::uint32_t>(store - b.begin() - 1)};
      const auto [kept, is_new] = last.try_emplace({facts_.class_of(from), depth_at(cfg_, version_, from)}, from);
      if (!is_new) merged_.join(from, kept->second, Kept::kLast);
    }
  }

  // Returns whether the constant was folded only after the code was generated (3.14+): codegen_return computes such a
  // value before it leaves ranges, so code that loads it after them is not a `return` inside a range.
  [[nodiscard]] bool folds_late(const Instruction& load) const {
    if (!folds_late_) return false;
    if (load.op == Op::LOAD_COMMON_CONSTANT) return static_cast<CommonConstant>(load.arg) == CommonConstant::kMinusOne;
    return load.op == Op::LOAD_CONST && is_folded_late(tree_.consts[co_.consts[load.arg]]);
  }

  // Registers the exit at `p`, after a range or a handler. The code may first leave the `with` statement of the handler
  // `around`.
  void register_exit(Position p, BlockId around = {}) {
    const auto& b = block(p.block);
    const auto code = std::span<const Instruction>(b.code).subspan(p.at);
    if (b.fall.valid() || b.jump.valid() || (b.is_handler && p.at == 0) || code.size() > kMostCode || code.empty())
      return;
    const bool leaves_outer_with =
        around.valid() && code.size() > 5 && calls_exit(tree_, co_, code, 3) && code[4].op == Op::POP_TOP;
    const auto rest = code.subspan(leaves_outer_with ? 5 : 0);
    if (code.back().op == Op::RERAISE || (rest.size() == 2 && loads_constant(rest[0]) && !folds_late(rest[0]))) return;
    std::int64_t depth = leaves_outer_with ? effect(version_, code[3], false).pops - 3 : 0;
    for (const Instruction& insn : code) {
      const Effect e = effect(version_, insn, false);
      if (depth < e.pops || insn.op == Op::POP_EXCEPT) return;
      depth += e.pushes - e.pops;
    }
    const auto load = std::ranges::find_if(rest, [&](const Instruction& insn) {
      const Effect e = effect(version_, insn, false);
      return e.pops == 0 && e.pushes > 0 && insn.op != Op::COPY;
    });
    merge_with_equal(p, leaves_outer_with ? around.n : 0, load == rest.end() ? nullptr : positions_.at(load->offset));
  }

  // Registers the end of a finally body: its RERAISE, and the statements before it.
  void register_reraise(BlockId id) {
    const auto& code = block(id).code;
    const auto last = static_cast<std::uint32_t>(code.size()) - 1;
    if (last > kMostCode || facts_.is_single({id, last})) return;
    const auto end = stack_at({id, last});
    if (end.empty()) return;
    auto stack = facts_.operands().entry(id);
    for (std::uint32_t i = 0; i <= last; ++i) {
      const auto* written = i == last ? nullptr : positions_.at(code[i].offset);
      if (std::ranges::equal(stack, end) && (i == last || written != nullptr))
        merge_with_equal({id, i}, end.back(), written);
      facts_.operands().carry_out({id, i}, false, stack);
    }
  }

  // Merges the exit at `p` with an equal one that was registered before. `exception` identifies the exception or the
  // handler; `written` is the source position of the statement, null for an exit without a position of its own.
  void merge_with_equal(Position p, std::uint32_t exception, const SourcePosition* written = nullptr) {
    if (facts_.is_single(p)) return;
    const auto stack = stack_at(p);
    const auto iterator = std::find_if(stack.rbegin(), stack.rend(), is_iterator);
    const Exit exit{facts_.class_of(p), depth_at(cfg_, version_, p), exception,
                    iterator == stack.rend() ? 0 : *iterator,
                    written == nullptr ? std::pair(-1, -1) : std::pair(written->line, written->column)};
    const auto [known, is_new] = registered_.try_emplace(exit, p);
    if (!is_new) merged_.join(known->second, p, Kept::kLast);
  }

  const CodeTree& tree_;
  const CodeObject& co_;
  Cfg& cfg_;
  Version version_;
  bool folds_late_;
  bool moves_handlers_;  // push_cold_blocks_to_end moves them to the end of the code
  PositionFacts& facts_;
  MergedPositions merged_;
  SourcePositions& positions_;
  std::optional<Predecessors> predecessors_;
  // The key of copies of one exit: class, depth, exception or handler, iterator of the innermost loop, source position.
  using Exit = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::pair<int, int>>;
  std::map<Exit, Position> registered_;
};

}  // namespace

void merge_range_exits(const CodeTree& tree, CodeId code, Cfg& cfg, const Dialect& dialect, SourcePositions& positions,
                       PositionFacts& facts) {
  if (!dialect.call_finally && cfg.blocks.size() > 2) ExitDuplication(tree, code, cfg, dialect, positions, facts).run();
}

}  // namespace depyf::deopt
