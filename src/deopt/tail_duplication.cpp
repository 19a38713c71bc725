// SPDX-License-Identifier: MIT
// Undoes tail duplication within expressions (inline_small_or_no_lineno_blocks in Python/flowgraph.c, inline_small_exit_blocks
// before 3.12): where the arms of `a or b`, `a < b < c` or `x if c else y` meet, there is one position again.
//
// The compiler writes the code of an expression once. So two positions of one bisimulation class are copies of one
//   - if the same operand waits on the stack at both: one instruction has pushed it, one expression will use it;
//   - if a test that keeps its value jumps to one of them, and the other is reached from the test's other operand with one
//     value at the same depth: `a or b` and a chained comparison have one value;
//   - if both follow an arm of one test, with a value that no statement would have there: see value_of_expression();
//   - if each is one exit of a test within an expression and the tests have the other exit in common: `x if (a if b else c)
//     else y` has two tests that lead to one y, so that both lead to one x;
//   - if each is one exit of a test, leaves the function at one place of the source, and the tests have the other exit in
//     common: `if x if a else y: return`;
//   - if both raise AssertionError at one place of the source after different tests: those are the tests of one `assert`.
// Edges are redirected to the last of the copies in code order. Every path executes the same code as before.
#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "cfg/shapes.h"
#include "deopt/deopt.h"
#include "deopt/merged_positions.h"
#include "deopt/operands.h"

namespace depyf::deopt {

namespace {

// Whether a test leaves what it tests on the stack of one of its ways.
bool keeps_value(std::span<const Instruction> code) {
  const auto last = code.back().op;
  return last == Op::JUMP_IF_FALSE_OR_POP || last == Op::JUMP_IF_TRUE_OR_POP || test_of_copy(code) < code.size();
}

// COPY 2 or, up to 3.10, COPY 1; SWAP 3; SWAP 2; then a comparison and a jump
bool compares_on(std::span<const Instruction> code) {
  auto n = std::min(test_of_copy(code), code.size() - 1);
  if (n > 0 && code[n - 1].op == Op::TO_BOOL) --n;
  const auto is = [&](std::size_t back, Op op, std::uint32_t arg) {
    return n >= back && code[n - back].op == op && code[n - back].arg == arg;
  };
  if (n < 2 || (code[n - 1].op != Op::COMPARE_OP && code[n - 1].op != Op::IS_OP && code[n - 1].op != Op::CONTAINS_OP))
    return false;
  return is(2, Op::COPY, 2) || (is(2, Op::SWAP, 2) && is(3, Op::SWAP, 3) && is(4, Op::COPY, 1));
}

constexpr std::size_t kMostBlocks = 64;  // of an operand

// The first arm of a conditional that a block begins; the block, if it begins none.
BlockId first_arm(const Cfg& cfg, BlockId id) {
  for (std::size_t k = 0; k < kMostBlocks && cfg.blocks[id].jump.valid() && cfg.blocks[id].fall.valid(); ++k)
    id = cfg.blocks[id].fall;
  return id;
}

// The first instruction of what a block tests, or of the block.
std::uint32_t begin_of_test(const Dialect& dialect, const BasicBlock& b) {
  auto at = static_cast<std::uint32_t>(b.code.size()) - 1;
  for (std::int64_t wanted = effect(dialect.version, b.code[at], false).pops; wanted > 0 && at > 0;) {
    const Effect e = effect(dialect.version, b.code[--at], false);
    wanted += e.pops - e.pushes;
  }
  return at;
}

// An assertion of several tests. AssertionError has the place of the statement; what follows it may have copies too
// (duplicate_exits_without_lineno).
class Assertions {
 public:
  Assertions(const Cfg& cfg, const Dialect& dialect, SourcePositions& positions, PositionFacts& facts,
             MergedPositions& merged)
      : cfg_(cfg), dialect_(dialect), positions_(positions), facts_(facts), merged_(merged) {}

  // Joins what a test leads to with that of the tests seen before which are of the same assertion.
  void join_failures(BlockId id) {
    const auto& test = cfg_.blocks[id];
    if (!test.jump.valid() || !test.fall.valid() || test.code.back().op == Op::FOR_ITER || keeps_value(test.code))
      return;
    for (const auto& [raise, holds] : {std::pair(test.fall, test.jump), std::pair(test.jump, test.fall)}) {
      if (!is_failure(cfg_.blocks[raise]) || cfg_.blocks[holds].is_handler) continue;
      const auto* place = positions_.at(cfg_.blocks[raise].code[0].offset);
      // a test that has copies itself is in a statement that has them: in the body of a `finally`
      if (place == nullptr || !facts_.is_single({id, begin_of_test(dialect_, test)})) return;
      const auto [met, is_new] =
          failures_.try_emplace({facts_.class_of({raise, 0}), facts_.class_of({holds, 0}), place->line, place->column},
                                std::pair(raise, holds));
      if (is_new) return;
      if (met->second.first != raise) merged_.join({met->second.first, 0}, {raise, 0}, Kept::kLast);
      if (met->second.second != holds) merged_.join({met->second.second, 0}, {holds, 0}, Kept::kLast);
      return;
    }
  }

 private:
  [[nodiscard]] static bool is_failure(const BasicBlock& b) {
    return !b.is_handler && b.code.size() > 1 && b.code[0].op == Op::LOAD_COMMON_CONSTANT &&
           static_cast<CommonConstant>(b.code[0].arg) == CommonConstant::kAssertionError &&
           b.code.back().op == Op::RAISE_VARARGS;
  }
  const Cfg& cfg_;
  const Dialect& dialect_;
  SourcePositions& positions_;
  PositionFacts& facts_;
  MergedPositions& merged_;
  using Failure = std::tuple<std::uint32_t, std::uint32_t, std::int32_t, std::int32_t>;  // classes, line and column
  std::map<Failure, std::pair<BlockId, BlockId>> failures_;
};

// 3.13+: NULL follows what is called, and to load a global that is called is one instruction (LOAD_GLOBAL with the lowest
// bit of its argument set).
bool pushes_null_alone(const BasicBlock& b, std::uint32_t i) {
  const auto offset = b.code[i].offset;
  return b.code[i].op == Op::PUSH_NULL && b.code[i - 1].offset != offset && i + 1 < b.code.size() &&
         b.code[i + 1].offset != offset;
}

// Whether an instruction loads a constant that is no code object.
bool loads_value(const CodeTree& tree, const CodeObject& co, const Instruction& load) {
  if (load.op == Op::LOAD_COMMON_CONSTANT || load.op == Op::LOAD_SMALL_INT) return true;
  return load.op == Op::LOAD_CONST && !std::holds_alternative<ConstCode>(tree.consts[co.consts[load.arg]]);
}

class TailDuplication {
 public:
  TailDuplication(const CodeTree& tree, CodeId code, Cfg& cfg, const Dialect& dialect, SourcePositions& positions,
                  PositionFacts& facts)
      : cfg_(cfg),
        tree_(tree),
        co_(tree.codes[code]),
        dialect_(dialect),
        positions_(positions),
        facts_(facts),
        merged_(cfg, dialect.version) {}

  OwnReturns run() {
    const auto count = static_cast<std::uint32_t>(cfg_.blocks.size());
    for (std::uint32_t i = 0; i < count; ++i) join_kept_value(BlockId{i});
    for (std::uint32_t i = 0; i < count; ++i) join_waiting(BlockId{i});
    for (std::uint32_t i = count; i-- > 0;) join_arms(BlockId{i});
    for (std::uint32_t i = 0; i < count; ++i) join_exits_of_condition(BlockId{i});
    Assertions assertions(cfg_, dialect_, positions_, facts_, merged_);
    for (std::uint32_t i = 0; i < count; ++i) assertions.join_failures(BlockId{i});
    if (merged_.apply()) facts_.forget();
    for (const Position p : returns_) own_returns_.insert(merged_.kept(p).n);
    return std::move(own_returns_);
  }

 private:
  [[nodiscard]] const BasicBlock& block(BlockId b) const { return cfg_.blocks[b]; }

  void join(Position a, Position b, bool of_two_arms) {
    merged_.join(a, b, Kept::kLast);
    if (!of_two_arms || a.block == b.block) return;
    const auto ends = [&](Position p) {
      const auto& code = block(p.block).code;
      return !code.empty() && code.back().op == Op::RETURN_VALUE;
    };
    if (ends(a) && ends(b)) returns_.push_back(a);
    if (const auto x = returns(a), y = returns(b); x && y && !ends(a) && !ends(b)) own_returns_.insert({x->n, y->n});
  }
  // ---- a test that keeps its value
  void join_kept_value(BlockId b) {
    const auto& test = block(b);
    if (!test.jump.valid() || !test.fall.valid() || test.jump == test.fall || block(test.jump).is_handler) return;
    const auto& code = block(test.jump).code;
    const auto begins = [&](std::size_t at, Op op) { return at < code.size() && code[at].op == op; };
    const bool keeps = keeps_value(test.code);
    Position meet{test.jump, 0};
    if (compares_on(test.code)) {  // the middle operand is dropped, under the outcome if that is a value
      if (begins(0, Op::POP_TOP)) meet.at = 1;
      if (begins(0, Op::SWAP) && begins(1, Op::POP_TOP)) meet.at = 2;
      if (meet.at == 0) return;
    } else if (!keeps) {
      return;
    }
    auto depth = static_cast<std::int64_t>(block(test.jump).entry_depth);
    if (meet.at > 0) --depth;
    find_copies(test.fall, meet, depth, depth - (keeps ? 1 : 0));
  }

  // Joins with `meet`, which lies at `depth`, the first position of its class on each path from `from` that keeps more
  // than `least` entries on the stack, or as many.
  void find_copies(BlockId from, Position meet, std::int64_t depth, std::int64_t least) {
    const auto wanted = facts_.class_of(meet);
    if (facts_.is_single(meet)) return;
    std::vector<BlockId> todo{from};
    for (std::size_t k = 0; k < todo.size() && k < kMostBlocks; ++k) {
      const BlockId id = todo[k];
      const auto& b = block(id);
      if (id == meet.block && meet.at == 0) continue;
      std::int64_t now = b.entry_depth;
      bool ends = false;
      if (least == depth && now == depth) {  // where a test has failed, or a statement begins
        if (facts_.class_of({id, 0}) == wanted) join(meet, {id, 0}, meet.at > 1);
        continue;
      }
      for (std::uint32_t i = 0; i < b.code.size() && !ends; ++i) {
        if (now == depth && facts_.class_of({id, i}) == wanted) {
          join(meet, {id, i}, meet.at > 1);
          ends = true;
          break;
        }
        const Effect e = effect(dialect_.version, b.code[i], false);
        now += e.pushes - e.pops;
        ends = now < least;
      }
      if (ends) continue;
      for (const BlockId to : {b.fall, b.jump})
        if (to.valid() && block(to).entry_depth >= least && std::find(todo.begin(), todo.end(), to) == todo.end())
          todo.push_back(to);
    }
  }

  // ---- an operand that waits
  struct Met {
    Position place;
    std::uint32_t value;  // on top of the stack
  };

  // Of some position: then of the last one, too.
  [[nodiscard]] bool has_copies(BlockId id) const {
    const auto count = static_cast<std::uint32_t>(block(id).code.size());
    return count > 0 && !facts_.is_single({id, count - 1});
  }

  // Whether what is left of the block is short enough to have been copied, if it is an exit and begins with a load, which
  // has a line (duplicate_exits_without_lineno copies exits of any size that have none). One instruction may be several
  // here, of one offset: RETURN_CONST, LOAD_GLOBAL with a NULL.
  [[nodiscard]] bool may_be_copied(Position from) const {
    constexpr int kMaxCopySize = 4;  // MAX_COPY_SIZE in Python/flowgraph.c
    const auto& b = block(from.block);
    if (b.fall.valid() || b.jump.valid() || effect(dialect_.version, b.code[from.at], false).pops > 0) return true;
    int count = 1;
    for (auto i = from.at + 1; i < b.code.size(); ++i) count += b.code[i].offset != b.code[i - 1].offset ? 1 : 0;
    return count <= kMaxCopySize;
  }

  // The first position of the block that has been met before with the same entries below one value, an operand among them.
  void join_waiting(BlockId id) {
    const auto& b = block(id);
    if (b.is_handler || b.entry_depth == 0 || !has_copies(id)) return;
    auto stack = facts_.operands().entry(id);
    const auto waits = std::find_if(stack.begin(), stack.end(), is_operand);
    if (waits == stack.end()) return;
    const auto least = static_cast<std::size_t>(waits - stack.begin()) + 1;
    const auto& code = b.code;
    for (std::uint32_t i = 0; i < code.size() && stack.size() >= least; ++i) {
      const auto cls = facts_.class_of({id, i});
      if (stack.size() > least && is_value(stack.back()) && code[i].op != Op::POP_TOP && !facts_.is_single({id, i}) &&
          may_be_copied({id, i}) && is_used({id, i}, std::ssize(stack) - static_cast<std::int64_t>(least) + 1)) {
        const auto [met, is_new] =
            met_.try_emplace({cls, std::vector(stack.begin(), stack.end() - 1)}, Met{{id, i}, stack.back()});
        if (!is_new && met->second.value != stack.back()) join(met->second.place, {id, i}, true);
      }
      const Effect e = effect(dialect_.version, code[i], false);
      if (static_cast<std::int64_t>(stack.size()) - e.pops < static_cast<std::int64_t>(least) - 1) break;
      facts_.operands().carry_out({id, i}, false, stack);
    }
  }

  // The operation in the rest of the block that takes an entry off the stack; NOP: none does. `depth` counts the entries
  // from that one on.
  [[nodiscard]] Op consumer(Position from, std::int64_t depth) const {
    const auto& code = block(from.block).code;
    for (auto i = from.at; i < code.size(); ++i) {
      const Effect e = effect(dialect_.version, code[i], false);
      if (depth - e.pops < 1) return code[i].op;
      depth += e.pushes - e.pops;
    }
    return Op::NOP;
  }
  // Whether an expression uses the lowest operand there: where that still waits at the end of the block, the paths meet
  // further on; the subject of a match statement is dropped, by each case, or unpacked. What lies above is one value, not
  // part of an f-string.
  [[nodiscard]] bool is_used(Position from, std::int64_t depth) const {
    const Op use = consumer(from, depth);
    return use != Op::NOP && use != Op::POP_TOP && use != Op::UNPACK_SEQUENCE && use != Op::UNPACK_EX &&
           consumer(from, 1) != Op::BUILD_STRING;
  }

  // ---- a value that no statement would have
  void join_arms(BlockId id) {
    const auto& test = block(id);
    if (!test.jump.valid() || !test.fall.valid() || test.jump == test.fall) return;
    if (!(block(test.fall).handler == block(test.jump).handler)) return;  // a statement begins with one of them
    for (const auto& [arm, other] : {std::pair(test.fall, test.jump), std::pair(test.jump, test.fall)}) {
      const auto value = value_of_expression(arm);
      if (!value || facts_.is_single(*value)) continue;
      // a conditional may be the other value of one that a constant is computed with
      const auto first = computes_constant(block(arm)) ? first_arm(cfg_, other) : other;
      const auto copy = find_value(first, facts_.class_of(*value));
      if (facts_.class_of(copy) != facts_.class_of(*value)) continue;
      join(*value, copy, true);
      return;
    }
  }

  // ---- a condition of several tests
  void join_exits_of_condition(BlockId id) {
    const auto& test = block(id);
    if (!test.jump.valid() || !test.fall.valid() || test.code.back().op == Op::FOR_ITER) return;
    if (keeps_value(test.code)) return;  // what arms give is tested once
    for (const auto& [exit, common] : {std::pair(test.fall, test.jump), std::pair(test.jump, test.fall)}) {
      if (block(exit).is_handler || !has_copies(exit)) continue;
      const bool within = may_be_in_expression(exit) && is_in_expression(exit);
      const auto* place = within ? nullptr : place_of_exit(id, exit);
      if (!within && place == nullptr) continue;
      const auto [line, column] = place != nullptr ? std::pair(place->line, place->column) : std::pair(-1, -1);
      const auto [met, is_new] = exits_.try_emplace({common.n, facts_.class_of({exit, 0}), line, column}, exit);
      if (!is_new && met->second != exit) join({met->second, 0}, {exit, 0}, true);
    }
  }
  // Where the statement is that leaves a function as one exit of a test, if that test has no copies itself as those in the
  // body of a `finally` do: a statement whose copies all lie there was written once.
  [[nodiscard]] const SourcePosition* place_of_exit(BlockId test, BlockId exit) const {
    const auto& code = block(exit).code;
    if (code.back().op != Op::RETURN_VALUE && code.back().op != Op::RAISE_VARARGS) return nullptr;
    return facts_.is_single({test, begin_of_test(dialect_, block(test))}) ? positions_.at(code[0].offset) : nullptr;
  }
  [[nodiscard]] bool is_expression() const { return co_.name == "<lambda>" || (co_.flags & kCoOptimized) == 0; }
  // As far as can be told without knowing what waits on the stack.
  [[nodiscard]] bool may_be_in_expression(BlockId id) const { return is_expression() || block(id).entry_depth > 0; }
  // Whether what begins there is part of an expression: an operand waits for it, or the code has no statements but one.
  [[nodiscard]] bool is_in_expression(BlockId id) const {
    if (is_expression()) return true;
    const auto& stack = facts_.operands().entry(id);
    return std::any_of(stack.begin(), stack.end(), is_operand);
  }

  // The position after the value of an arm, if that shows to be an operand: `return None` would leave ranges and loops
  // before it loads the constant (codegen_return), `a.b()` would look a method up, and so would `f()` a function to call.
  [[nodiscard]] std::optional<Position> value_of_expression(BlockId arm) const {
    const auto& b = block(arm);
    if (b.is_handler || b.jump.valid() || b.code.empty()) return std::nullopt;
    if (is_constant(b.code[0]) && (b.code.size() > 2 || b.handler.block.valid()) && returns(after({arm, 1})))
      return after({arm, 1});
    if (loads_value(tree_, co_, b.code[0]) && computes_constant(b)) return Position{arm, 1};
    std::int64_t depth = 0;
    for (std::uint32_t i = 0; i + 1 < b.code.size(); ++i) {
      const Effect e = effect(dialect_.version, b.code[i], false);
      depth += e.pushes - e.pops;
      if (depth < 1) return std::nullopt;  // a statement ends, or the block takes what others have left
      if (depth == 1 && b.code[i].op == Op::LOAD_ATTR && is_called(b, {arm, i + 1})) return Position{arm, i + 1};
      if (depth == 1 && b.code[i].op == Op::LOAD_GLOBAL && pushes_null_alone(b, i + 1)) return Position{arm, i + 1};
    }
    return std::nullopt;
  }
  // An attribute is called as a function is, where it is no module's: from 3.12 on no method is looked up in a variable of
  // a name that the module imports (is_import_originated in Python/compile.c).
  [[nodiscard]] bool is_called(const BasicBlock& b, Position after) const {
    const Op use = consumer(after, 1);
    return use == Op::CALL_FUNCTION ||
           ((use == Op::CALL || use == Op::CALL_KW) && after.at > 1 && !may_be_module(b.code[after.at - 2]));
  }
  [[nodiscard]] bool may_be_module(const Instruction& load) const {
    if (load.op == Op::LOAD_FAST) {
      const auto& names = local_names(co_);  // which variables that scalar replacement has added are not among
      return load.arg < names.size() && std::ranges::count(tree_.codes[tree_.root()].names, names[load.arg]) > 0;
    }
    return load.op == Op::LOAD_GLOBAL || load.op == Op::LOAD_NAME || load.op == Op::LOAD_DEREF;
  }
  // A position at the end of a block that falls through is the next block's.
  [[nodiscard]] Position after(Position p) const {
    const auto& b = block(p.block);
    return p.at == b.code.size() && b.fall.valid() ? Position{b.fall, 0} : p;
  }
  // Whether a block that returns computes with constants what a statement would have as one: operations on constants and
  // displays of them are folded when the syntax tree is compiled (Python/ast_opt.c, starunpack_helper of Python/compile.c).
  [[nodiscard]] bool computes_constant(const BasicBlock& b) const {
    if (b.code.back().op != Op::RETURN_VALUE) return false;
    const auto after = std::ranges::find_if_not(b.code, [&](auto& i) { return loads_value(tree_, co_, i); });
    if (after->op == Op::BUILD_TUPLE) return after->arg == after - b.code.begin();
    const auto use = std::ranges::find_if_not(b.code, [&](auto& i) { return is_constant(i); });
    const auto constants = use - b.code.begin();
    switch (use->op) {
      case Op::BUILD_LIST:
      case Op::BUILD_SET: return use->arg == constants && constants > 2;
      case Op::TO_BOOL:
      case Op::UNARY_NEGATIVE:
      case Op::UNARY_INVERT:
      case Op::UNARY_NOT: return constants == 1;
      case Op::BINARY_OP:
      case Op::BINARY_SUBSCR: return constants == 2;
      default: return false;
    }
  }
  // Whether what is on the stack is returned, all else being left before; the block that does so.
  [[nodiscard]] std::optional<BlockId> returns(Position p) const {
    for (std::size_t k = 0; k < kMostBlocks; ++k) {
      const auto& b = block(p.block);
      for (; p.at < b.code.size(); ++p.at) {
        const Op op = b.code[p.at].op;
        if (op == Op::RETURN_VALUE) return p.block;
        if (op != Op::SWAP && op != Op::POP_TOP && op != Op::POP_EXCEPT && op != Op::POP_ITER) return std::nullopt;
      }
      if (b.jump.valid() || !b.fall.valid()) return std::nullopt;
      p = {b.fall, 0};  // which other handlers protect
    }
    return std::nullopt;
  }
  // No others where they may be folded: what is folded later is no constant yet where the statement is compiled.
  [[nodiscard]] bool is_constant(const Instruction& load) const {
    if (!loads_value(tree_, co_, load) || load.op == Op::LOAD_SMALL_INT) return false;
    if (load.op == Op::LOAD_COMMON_CONSTANT || !dialect_.folds_arithmetic_after_tests) return true;
    const auto& value = tree_.consts[co_.consts[load.arg]];
    return std::holds_alternative<ConstNone>(value) || std::holds_alternative<ConstBool>(value) ||
           std::holds_alternative<ConstStr>(value);
  }

  // The first position of an arm in a class at which it has one value on the stack; else where it begins.
  [[nodiscard]] Position find_value(BlockId arm, std::uint32_t of) const {
    const auto& code = block(arm).code;
    std::int64_t depth = 0;
    for (std::uint32_t i = 0; i <= code.size() && !block(arm).jump.valid(); ++i) {
      if (depth == 1 && facts_.class_of({arm, i}) == of) return after({arm, i});
      if (i == code.size()) break;
      const Effect e = effect(dialect_.version, code[i], false);
      depth += e.pushes - e.pops;
    }
    return {arm, 0};
  }

  Cfg& cfg_;
  const CodeTree& tree_;
  const CodeObject& co_;
  const Dialect& dialect_;
  SourcePositions& positions_;
  PositionFacts& facts_;
  MergedPositions merged_;
  std::vector<Position> returns_;  // joined ones
  OwnReturns own_returns_;
  std::map<std::pair<std::uint32_t, std::vector<std::uint32_t>>, Met> met_;
  // By the other exit of a test, class, line and column.
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::int32_t, std::int32_t>, BlockId> exits_;
};

}  // namespace

OwnReturns merge_duplicated_tails(const CodeTree& tree, CodeId code, Cfg& cfg, const Dialect& dialect,
                                  SourcePositions& positions, PositionFacts& facts) {
  for (std::uint32_t i = 0; i < cfg.blocks.size(); ++i)
    if (cfg.blocks[BlockId{i}].jump.valid()) return TailDuplication(tree, code, cfg, dialect, positions, facts).run();
  return {};
}

}  // namespace depyf::deopt
