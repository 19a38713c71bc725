// SPDX-License-Identifier: MIT
// Undoes the duplication of exits that leave a protected range or end a handler (duplicate_exits_without_lineno, then
// inline_small_or_no_lineno_blocks in Python/flowgraph.c): what leaves a range has no line of its own.
//
// Two exits of one class are copies of one
//   - if both raise the exception again that one handler was entered with: a finally body ends once, with what it does
//     before that at one place of the source;
//   - if both follow a range or a handler that has been left. In the range itself the code would be protected, unless it
//     returns a constant: that is no copy, as it may be a `return` within;
//   - if both are ends of one except clause that have the columns of what precedes them.
// They become the last in code order. Implicit returns at the end of a function are copies of one, too, and so is what the
// compiler adds to a class body (codegen_class_body in Python/codegen.c).
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
    bool protects = false;  // else nothing leaves a range
    for (std::uint32_t i = 0; i < cfg_.blocks.size(); ++i)
      protects = protects || block(BlockId{i}).handler.block.valid();
    for (std::uint32_t i = 0; i < cfg_.blocks.size() && protects; ++i) {
      const BlockId id{i};
      const auto& b = block(id);
      if (!b.is_handler && !b.code.empty() && b.code.back().op == Op::RERAISE) raise_again(id);
      for (const BlockId to : {b.fall, b.jump})
        if (to.valid() && leaves_range(b.handler, block(to).handler)) leave({to, 0});
      if (!b.jump.valid()) find_cleanups(id);
    }
    join_implicit_returns();
    if ((co_.flags & kCoOptimized) == 0 && co_.parent.valid()) join_class_epilogues();
    if (merged_.apply()) facts_.forget();
  }

 private:
  static constexpr std::size_t kMostCode = 8;  // MAX_COPY_SIZE in Python/flowgraph.c is 4, of which one may be two here

  [[nodiscard]] const BasicBlock& block(BlockId b) const { return cfg_.blocks[b]; }

  [[nodiscard]] OperandStack stack_at(Position p) const {
    auto stack = facts_.operands().entry(p.block);
    for (std::uint32_t i = 0; i < p.at; ++i) facts_.operands().carry_out({p.block, i}, false, stack);
    return stack;
  }

  // The edge leads to code with the handler of the range's handler itself, or of the clean-up code around that (3.11+).
  [[nodiscard]] bool leaves_range(const Handler& from, const Handler& to) const {
    if (!from.block.valid() || from == to) return false;
    const Handler& outer = block(from.block).handler;
    return outer == to || (outer.block.valid() && block(outer.block).handler == to);
  }

  // An except clause ends there by itself, not with a value to return, as the columns tell: those of what comes before, for
  // it has none of its own. The handler of what is in the clause.
  [[nodiscard]] BlockId ends_clause(Position p) {
    const auto* own = positions_.at(block(p.block).code[p.at].offset);
    if (own == nullptr || own->column < 0 || block(p.block).code.back().op == Op::RERAISE) return {};
    const auto stack = stack_at(p);
    if (std::ranges::any_of(stack, is_operand) || !has_place_before(p)) return {};
    if (p.at > 0) return block(p.block).handler.block;
    const auto& before = predecessors_->normal[p.block.n];
    return before.empty() ? BlockId{} : block(before[0]).handler.block;
  }
  // Whether the place of an instruction in the source is that of all that precede it: it has none of its own.
  [[nodiscard]] bool has_place_before(Position p) {
    const auto at = [&](BlockId b, std::size_t i) { return positions_.at(block(b).code[i].offset); };
    const auto* own = at(p.block, p.at);
    const auto is_own = [&](const auto* before) { return before != nullptr && own != nullptr && *before == *own; };
    if (p.at > 0) return is_own(at(p.block, p.at - 1));
    if (!predecessors_) predecessors_ = predecessors(cfg_);
    return std::ranges::all_of(predecessors_->normal[p.block.n], [&](BlockId b) {
      return !block(b).code.empty() && is_own(at(b, block(b).code.size() - 1));
    });
  }

  // What follows the exits of except clauses and of with statements in a block.
  void find_cleanups(BlockId id) {
    const std::span<const Instruction> code = block(id).code;
    for (std::uint32_t i = 0; i < code.size(); ++i) {
      auto end = i + 1;
      if (code[i].op == Op::POP_EXCEPT) {
        const auto clause = facts_.is_single({id, i}) ? BlockId{} : ends_clause({id, i});
        if (clause.valid()) meet({id, i}, clause.n);
        if (clears_name(code, end)) end += 3;
        while (end < code.size() && code[end].op == Op::POP_TOP) ++end;  // the context manager, which swallowed it
      } else if (calls_exit(code, i)) {
        const auto most = std::min(code.size(), i + std::size_t{kMostCode});  // the call may be awaited
        while (end < most && code[end - 1].op != Op::POP_TOP) ++end;
        if (end < code.size() && code[end - 1].op != Op::POP_TOP) continue;
      } else {
        continue;
      }
      if (end < code.size())
        leave({id, end}, block(id).handler.block);
      else if (block(id).fall.valid())
        leave({block(id).fall, 0}, block(id).handler.block);
    }
  }

  // Where a constant is loaded that is returned: the whole block, but for what leaves a handler.
  [[nodiscard]] std::optional<Position> returned(BlockId id) const {
    const auto& b = block(id).code;
    const auto n = b.size();
    const bool returns = n >= 2 && loads_constant(b[n - 2]) && b[n - 1].op == Op::RETURN_VALUE;
    return returns && (n == 2 || b[n - 3].op == Op::POP_EXCEPT)
               ? std::optional(Position{id, static_cast<std::uint32_t>(n - 2)})
               : std::nullopt;
  }

  // Whether two returns may be one in the source: both are that which has no place of its own, of None, or they have one
  // place.
  [[nodiscard]] bool may_be_one(Position a, Position b) {
    const auto load = [&](Position p) -> const Instruction& { return block(p.block).code[p.at]; };
    const auto *x = positions_.at(load(a).offset), *y = positions_.at(load(b).offset);
    if (x == nullptr || y == nullptr || *x == *y) return true;
    const auto is_written = [&](const Instruction& i) { return positions_.written_return(i.offset).has_value(); };
    return loads_none(load(a)) && !is_written(load(a)) && !is_written(load(b));
  }
  [[nodiscard]] bool loads_none(const Instruction& load) const {
    if (load.op == Op::LOAD_COMMON_CONSTANT) return static_cast<CommonConstant>(load.arg) == CommonConstant::kNone;
    return load.op == Op::LOAD_CONST && std::holds_alternative<ConstNone>(tree_.consts[co_.consts[load.arg]]);
  }

  // The return at the end of a function, once for each jump to it, comes after all code but that of handlers, if they have
  // been moved (push_cold_blocks_to_end), or where an arm ends, if their places tell. The first represents all.
  void join_implicit_returns() {
    std::size_t returns = 0;
    for (std::uint32_t i = 0; i < cfg_.blocks.size(); ++i) returns += returned(BlockId{i}) ? 1 : 0;
    if (returns < 2) return;
    std::vector<BlockId> code;
    const auto order = reverse_postorder(cfg_, moves_handlers_ ? EdgeKinds::kNormal : EdgeKinds::kAll);
    for (std::uint32_t i = 0; i < cfg_.blocks.size(); ++i)
      if (order.position[i] != kNoTarget) code.push_back(BlockId{i});
    std::sort(code.begin(), code.end(), [&](auto a, auto b) { return block(a).first_index < block(b).first_index; });
    bool ends = true;  // all from there on
    for (auto k = code.size(); k-- > 1;) {
      const auto last = returned(code[k]), before = returned(code[k - 1]);
      const bool equal = last && before && facts_.class_of(*last) == facts_.class_of(*before) &&
                         depth_at(cfg_, version_, *last) == depth_at(cfg_, version_, *before) &&
                         may_be_one(*last, *before);
      ends = ends && equal;
      if (ends || (equal && has_place_before(*last) && has_place_before(*before)))
        merged_.join(*before, *last, Kept::kFirst);
    }
  }

  // What the compiler adds to a class body, once for each jump to it. The last represents all.
  void join_class_epilogues() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, Position> last;  // by class and depth
    for (auto i = static_cast<std::uint32_t>(cfg_.blocks.size()); i-- > 0;) {
      const auto& b = block(BlockId{i}).code;
      const auto store = std::ranges::find_if(b, [&](const Instruction& insn) {
        return insn.op == Op::STORE_NAME && co_.names[insn.arg] == "__static_attributes__";
      });
      if (store == b.end() || store == b.begin()) continue;
      const Position from{BlockId{i}, static_cast<std::uint32_t>(store - b.begin() - 1)};
      const auto [met, is_new] = last.try_emplace({facts_.class_of(from), depth_at(cfg_, version_, from)}, from);
      if (!is_new) merged_.join(from, met->second, Kept::kLast);
    }
  }

  // A `return` of such a constant computes it before it leaves anything (3.14+).
  [[nodiscard]] bool folds_late(const Instruction& load) const {
    if (!folds_late_) return false;
    if (load.op == Op::LOAD_COMMON_CONSTANT) return static_cast<CommonConstant>(load.arg) == CommonConstant::kMinusOne;
    return load.op == Op::LOAD_CONST && is_folded_late(tree_.consts[co_.consts[load.arg]]);
  }

  // Code after a range or a handler, which may leave the with statement of the handler around.
  void leave(Position p, BlockId around = {}) {
    const auto& b = block(p.block);
    const auto code = std::span<const Instruction>(b.code).subspan(p.at);
    if (b.fall.valid() || b.jump.valid() || (b.is_handler && p.at == 0) || code.size() > kMostCode || code.empty())
      return;
    const bool leaves_another = around.valid() && code.size() > 5 && calls_exit(code, 3) && code[4].op == Op::POP_TOP;
    const auto rest = code.subspan(leaves_another ? 5 : 0);
    if (code.back().op == Op::RERAISE || (rest.size() == 2 && loads_constant(rest[0]) && !folds_late(rest[0]))) return;
    std::int64_t depth = leaves_another ? effect(version_, code[3], false).pops - 3 : 0;
    for (const Instruction& insn : code) {
      const Effect e = effect(version_, insn, false);
      if (depth < e.pops || insn.op == Op::POP_EXCEPT) return;
      depth += e.pushes - e.pops;
    }
    const auto load = std::ranges::find_if(rest, [&](const Instruction& insn) {
      const Effect e = effect(version_, insn, false);
      return e.pops == 0 && e.pushes > 0 && insn.op != Op::COPY;
    });
    meet(p, leaves_another ? around.n : 0, load == rest.end() ? nullptr : positions_.at(load->offset));
  }

  // The end of a finally body, with the statements before it.
  void raise_again(BlockId id) {
    const auto& code = block(id).code;
    const auto last = static_cast<std::uint32_t>(code.size()) - 1;
    if (last > kMostCode || facts_.is_single({id, last})) return;
    const auto end = stack_at({id, last});
    if (end.empty()) return;
    auto stack = facts_.operands().entry(id);
    for (std::uint32_t i = 0; i <= last; ++i) {
      const auto* written = i == last ? nullptr : positions_.at(code[i].offset);
      if (std::ranges::equal(stack, end) && (i == last || written != nullptr)) meet({id, i}, end.back(), written);
      facts_.operands().carry_out({id, i}, false, stack);
    }
  }

  // `written`: where the source has the statement, if it is known and no exit without a line of its own.
  void meet(Position p, std::uint32_t exception, const SourcePosition* written = nullptr) {
    if (facts_.is_single(p)) return;
    const auto stack = stack_at(p);
    const auto iterator = std::find_if(stack.rbegin(), stack.rend(), is_iterator);
    const Exit exit{facts_.class_of(p), depth_at(cfg_, version_, p), exception,
                    iterator == stack.rend() ? 0 : *iterator,
                    written == nullptr ? std::pair(-1, -1) : std::pair(written->line, written->column)};
    const auto [met, is_new] = met_.try_emplace(exit, p);
    if (!is_new) merged_.join(met->second, p, Kept::kLast);
  }

  const CodeTree& tree_;
  const CodeObject& co_;
  Cfg& cfg_;
  Version version_;
  bool folds_late_;
  bool moves_handlers_;  // to the end of the code
  PositionFacts& facts_;
  MergedPositions merged_;
  SourcePositions& positions_;
  std::optional<Predecessors> predecessors_;
  // What copies of one have in common: class, depth, exception or handler, the iterator of the loop they are in, and where
  // they are written.
  using Exit = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::pair<int, int>>;
  std::map<Exit, Position> met_;
};

}  // namespace

void merge_range_exits(const CodeTree& tree, CodeId code, Cfg& cfg, const Dialect& dialect, SourcePositions& positions,
                       PositionFacts& facts) {
  if (!dialect.call_finally && cfg.blocks.size() > 2) ExitDuplication(tree, code, cfg, dialect, positions, facts).run();
}

}  // namespace depyf::deopt
