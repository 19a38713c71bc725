// SPDX-License-Identifier: MIT
// Undoes tail duplication within expressions (inline_small_or_no_lineno_blocks in Python/flowgraph.c,
// inline_small_exit_blocks before 3.12): the arms of `a or b`, `a < b < c` or `x if c else y` join in one position
// again.
//
// The compiler generates the code of an expression once. So two positions of one bisimulation class are copies of one
//   - if the same operand is below a value on the stack at both: one instruction pushed it, so one expression uses it;
//   - if a test that keeps its value jumps to one, and the other is reached from the test's other operand with one
//     value at the same depth: `a or b` and a chained comparison have one value;
//   - if both follow an arm of one test, with a value that no statement would compute: see value_of_expression();
//   - if each is one exit of a test within an expression, and both tests have the same other exit:
//     `x if (a if b else c) else y` has two tests that lead to one y, so both lead to one x;
//   - if each is one exit of a test, leaves the function at one source position, and both tests have the same other
//     exit: `if x if a else y: return`;
//   - if both raise AssertionError at one source position after different tests: the tests of one `assert`.
// Edges are redirected to the last copy in code order. Every path executes the same code as before.
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

// Returns whether a test keeps the tested value on the stack on one of its edges.
bool keeps_value(std::span<const Instruction> code) {
  const auto last = code.back().op;
  return last == Op::JUMP_IF_FALSE_OR_POP || last == Op::JUMP_IF_TRUE_OR_POP || test_of_copy(code) < code.size();
}

// Returns whether the code ends with a test of a chained comparison: COPY 2 or, up to 3.10, COPY 1; SWAP 3; SWAP 2;
// then a comparison and a jump.
bool is_chained_comparison(std::span<const Instruction> code) {
  auto n = std::min(test_of_copy(code), code.size() - 1);
  if (n > 0 && code[n - 1].op == Op::TO_BOOL) --n;
  const auto is = [&](std::size_t back, Op op, std::uint32_t arg) {
    return n >= back && code[n - back].op == op && code[n - back].arg == arg;
  };
  if (n < 2 || (code[n - 1].op != Op::COMPARE_OP && code[n - 1].op != Op::IS_OP && code[n - 1].op != Op::CONTAINS_OP))
    return false;
  return is(2, Op::COPY, 2) || (is(2, Op::SWAP, 2) && is(3, Op::SWAP, 3) && is(4, Op::COPY, 1));
}

constexpr std::size_t kMostBlocks = 64;  // of one operand

// Returns the first arm of the conditional expression that a block begins, or the block itself.
BlockId first_arm(const Cfg& cfg, BlockId id) {
  for (std::size_t k = 0; k < kMostBlocks && cfg.blocks[id].jump.valid() && cfg.blocks[id].fall.valid(); ++k)
    id = cfg.blocks[id].fall;
  return id;
}

// Returns the index of the first instruction of the expression that a block tests, or 0 if that begins in an earlier
// block.
std::uint32_t start_of_test(const Dialect& dialect, const BasicBlock& b) {
  auto at = static_cast<std::uint32_t>(b.code.size()) - 1;
  for (std::int64_t missing = effect(dialect.version, b.code[at], false).pops; missing > 0 && at > 0;) {
    const Effect e = effect(dialect.version, b.code[--at], false);
    missing += e.pops - e.pushes;
  }
  return at;
}

// Merges the failures of an `assert` with several tests. The AssertionError has the source position of the statement.
// The code after it may have copies, too (duplicate_exits_without_lineno).
class Assertions {
 public:
  Assertions(const Cfg& cfg, const Dialect& dialect, SourcePositions& positions, PositionFacts& facts,
             MergedPositions& merged)
      : cfg_(cfg), dialect_(dialect), positions_(positions), facts_(facts), merged_(merged) {}

  // Merges the targets of a test with those of earlier tests of the same assertion.
  void join_failures(BlockId id) {
    const auto& test = cfg_.blocks[id];
    if (!test.jump.valid() || !test.fall.valid() || test.code.back().op == Op::FOR_ITER || keeps_value(test.code))
      return;
    for (const auto& [raise, holds] : {std::pair(test.fall, test.jump), std::pair(test.jump, test.fall)}) {
      if (!is_failure(cfg_.blocks[raise]) || cfg_.blocks[holds].is_handler) continue;
      const auto* position = positions_.at(cfg_.blocks[raise].code[0].offset);
      // If the test itself has copies, so has the whole statement: it is in the body of a `finally`.
      if (position == nullptr || !facts_.is_single({id, start_of_test(dialect_, test)})) return;
      const auto [met, is_new] = failures_.try_emplace(
          {facts_.class_of({raise, 0}), facts_.class_of({holds, 0}), position->line, position->column},
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
  // Classes of failure and success, line, column.
  using Failure = std::tuple<std::uint32_t, std::uint32_t, std::int32_t, std::int32_t>;
  std::map<Failure, std::pair<BlockId, BlockId>> failures_;
};

// Returns whether the instruction is a PUSH_NULL that the decoder has split off a LOAD_GLOBAL. From 3.13 on, NULL comes
// after the callable, and one LOAD_GLOBAL (with the lowest bit of its argument set) loads a called global with NULL.
bool is_null_of_global(const BasicBlock& b, std::uint32_t i) {
  return i > 0 && b.code[i].op == Op::PUSH_NULL && b.code[i - 1].offset == b.code[i].offset;
}

// Returns whether the instruction is a PUSH_NULL that is no part of another instruction.
bool pushes_null_alone(const BasicBlock& b, std::uint32_t i) {
  return b.code[i].op == Op::PUSH_NULL && !is_null_of_global(b, i) && i + 1 < b.code.size() &&
         b.code[i + 1].offset != b.code[i].offset;
}

// Returns whether the instruction loads a constant of one of the types.
template <typename... Types>
bool loads(const CodeTree& tree, const CodeObject& co, const Instruction& load) {
  return load.op == Op::LOAD_CONST && (std::holds_alternative<Types>(tree.consts[co.consts[load.arg]]) || ...);
}

// Returns whether an instruction loads a constant that is not a code object.
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
    for (std::uint32_t i = 0; i < count; ++i) join_with_operand_below(BlockId{i});
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

  // Joins two positions. If both are arms of one expression and return, the return is recorded as one of the source.
  void join(Position a, Position b, bool of_two_arms) {
    merged_.join(a, b, Kept::kLast);
    if (!of_two_arms || a.block == b.block) return;
    const auto returns_here = [&](Position p) {
      const auto& code = block(p.block).code;
      return !code.empty() && code.back().op == Op::RETURN_VALUE;
    };
    if (returns_here(a) && returns_here(b)) returns_.push_back(a);
    if (const auto x = returns(a), y = returns(b); x && y && !returns_here(a) && !returns_here(b))
      own_returns_.insert({x->n, y->n});
  }
  // ---- a test that keeps its value
  // Joins the copies of the position to which test b jumps with its value, or with the outcome of a chained comparison.
  void join_kept_value(BlockId b) {
    const auto& test = block(b);
    if (!test.jump.valid() || !test.fall.valid() || test.jump == test.fall || block(test.jump).is_handler) return;
    const auto& code = block(test.jump).code;
    const auto has = [&](std::size_t at, Op op) { return at < code.size() && code[at].op == op; };
    const bool is_kept = keeps_value(test.code);
    Position join_position{test.jump, 0};
    if (is_chained_comparison(test.code)) {  // the middle operand is dropped, from below the outcome if that is a value
      if (has(0, Op::POP_TOP)) join_position.at = 1;
      if (has(0, Op::SWAP) && has(1, Op::POP_TOP)) join_position.at = 2;
      if (join_position.at == 0) return;
    } else if (!is_kept) {
      return;
    }
    auto depth = static_cast<std::int64_t>(block(test.jump).entry_depth);
    if (join_position.at > 0) --depth;
    find_copies(test.fall, join_position, depth, depth - (is_kept ? 1 : 0));
  }

  // Joins `join_position`, where the stack has `depth` entries, with the first position of its class on each path from
  // `from` on which the stack keeps at least `least` entries.
  void find_copies(BlockId from, Position join_position, std::int64_t depth, std::int64_t least) {
    const auto wanted_class = facts_.class_of(join_position);
    if (facts_.is_single(join_position)) return;
    std::vector<BlockId> todo{from};
    for (std::size_t k = 0; k < todo.size() && k < kMostBlocks; ++k) {
      const BlockId id = todo[k];
      const auto& b = block(id);
      if (id == join_position.block && join_position.at == 0) continue;
      std::int64_t depth_here = b.entry_depth;
      bool ends = false;
      if (least == depth && depth_here == depth) {  // a failed comparison, or a statement begins
        if (facts_.class_of({id, 0}) == wanted_class) join(join_position, {id, 0}, join_position.at > 1);
        continue;
      }
      for (std::uint32_t i = 0; i < b.code.size() && !ends; ++i) {
        if (depth_here == depth && facts_.class_of({id, i}) == wanted_class) {
          join(join_position, {id, i}, join_position.at > 1);
          ends = true;
          break;
        }
        const Effect e = effect(dialect_.version, b.code[i], false);
        depth_here += e.pushes - e.pops;
        ends = depth_here < least;
      }
      if (ends) continue;
      for (const BlockId to : {b.fall, b.jump})
        if (to.valid() && block(to).entry_depth >= least && std::find(todo.begin(), todo.end(), to) == todo.end())
          todo.push_back(to);
    }
  }

  // ---- an operand below a value
  struct Waiting {
    Position position;
    std::uint32_t value;  // top of the stack
  };

  // Returns whether the block has copies. If any of its positions has one, so does the last.
  [[nodiscard]] bool has_copies(BlockId id) const {
    const auto count = static_cast<std::uint32_t>(block(id).code.size());
    return count > 0 && !facts_.is_single({id, count - 1});
  }

  // Returns whether the rest of the block is short enough to have been copied, if it is an exit that begins with a
  // load, which has a line (duplicate_exits_without_lineno copies exits without a line, of any size). Canonical
  // instructions with one offset are one of CPython's (RETURN_CONST, LOAD_GLOBAL with NULL).
  [[nodiscard]] bool may_be_copied(Position from) const {
    constexpr int kMaxCopySize = 4;  // MAX_COPY_SIZE in Python/flowgraph.c
    const auto& b = block(from.block);
    if (b.fall.valid() || b.jump.valid() || effect(dialect_.version, b.code[from.at], false).pops > 0) return true;
    int count = 1;
    for (auto i = from.at + 1; i < b.code.size(); ++i) count += b.code[i].offset != b.code[i - 1].offset ? 1 : 0;
    return count <= kMaxCopySize;
  }

  // Joins the first position of the block that has a copy with the same entries below one value, an operand among them.
  void join_with_operand_below(BlockId id) {
    const auto& b = block(id);
    if (b.is_handler || b.entry_depth == 0 || !has_copies(id)) return;
    auto stack = facts_.operands().entry(id);
    const auto operand = std::find_if(stack.begin(), stack.end(), is_operand);
    if (operand == stack.end()) return;
    const auto least = static_cast<std::size_t>(operand - stack.begin()) + 1;
    const auto& code = b.code;
    for (std::uint32_t i = 0; i < code.size() && stack.size() >= least; ++i) {
      const auto position_class = facts_.class_of({id, i});
      // An inlined comprehension ends with the stores that restore the saved locals.
      const bool saves =
          std::count(stack.begin() + static_cast<std::ptrdiff_t>(std::min(least, stack.size())), stack.end(), 0U) > 0;
      if (stack.size() > least && !saves && is_value(stack.back()) && code[i].op != Op::POP_TOP &&
          !is_null_of_global(b, i) && !facts_.is_single({id, i}) && may_be_copied({id, i}) &&
          is_used({id, i}, std::ssize(stack) - static_cast<std::int64_t>(least) + 1)) {
        const auto [met, is_new] = waiting_.try_emplace({position_class, std::vector(stack.begin(), stack.end() - 1)},
                                                        Waiting{{id, i}, stack.back()});
        if (!is_new && met->second.value != stack.back()) join(met->second.position, {id, i}, true);
      }
      const Effect e = effect(dialect_.version, code[i], false);
      if (static_cast<std::int64_t>(stack.size()) - e.pops < static_cast<std::int64_t>(least) - 1) break;
      facts_.operands().carry_out({id, i}, false, stack);
    }
  }

  // Returns the operation in the rest of the block that pops an entry, or NOP if none does. `depth` counts the entries
  // from that one up.
  [[nodiscard]] Op consumer(Position from, std::int64_t depth) const {
    const auto& code = block(from.block).code;
    for (auto i = from.at; i < code.size(); ++i) {
      const Effect e = effect(dialect_.version, code[i], false);
      if (depth - e.pops < 1) return code[i].op;
      depth += e.pushes - e.pops;
    }
    return Op::NOP;
  }
  // Returns whether an expression uses the lowest operand in this block. If it is still on the stack at the end of the
  // block, the paths join later; the subject of a match statement is dropped by each case, or unpacked. The entry on
  // top must be a whole value, not a part of an f-string.
  [[nodiscard]] bool is_used(Position from, std::int64_t depth) const {
    const Op use = consumer(from, depth);
    return use != Op::NOP && use != Op::POP_TOP && use != Op::UNPACK_SEQUENCE && use != Op::UNPACK_EX &&
           consumer(from, 1) != Op::BUILD_STRING;
  }

  // ---- a value that no statement would compute
  // Joins the values of two arms of one test if one of them cannot belong to a statement.
  void join_arms(BlockId id) {
    const auto& test = block(id);
    if (!test.jump.valid() || !test.fall.valid() || test.jump == test.fall) return;
    if (!(block(test.fall).handler == block(test.jump).handler)) return;  // one of them begins a statement
    for (const auto& [arm, other] : {std::pair(test.fall, test.jump), std::pair(test.jump, test.fall)}) {
      const auto value = value_of_expression(arm);
      if (!value || facts_.is_single(*value)) continue;
      // A conditional expression may be the other operand of the one that computes with a constant.
      const auto first = computes_constant(block(arm)) ? first_arm(cfg_, other) : other;
      const auto copy = find_value(first, facts_.class_of(*value));
      if (facts_.class_of(copy) != facts_.class_of(*value)) continue;
      join(*value, copy, true);
      return;
    }
  }

  // ---- a condition of several tests
  // Joins the exits of two tests of one condition.
  void join_exits_of_condition(BlockId id) {
    const auto& test = block(id);
    if (!test.jump.valid() || !test.fall.valid() || test.code.back().op == Op::FOR_ITER) return;
    if (keeps_value(test.code)) return;  // the value of the arms is tested once
    for (const auto& [exit, common] : {std::pair(test.fall, test.jump), std::pair(test.jump, test.fall)}) {
      if (block(exit).is_handler || !has_copies(exit)) continue;
      const bool in_expression = may_be_in_expression(exit) && is_in_expression(exit);
      const auto* position = in_expression ? nullptr : position_of_exit(id, exit);
      if (!in_expression && position == nullptr) continue;
      const auto [line, column] = position != nullptr ? std::pair(position->line, position->column) : std::pair(-1, -1);
      const auto [met, is_new] = exits_.try_emplace({common.n, facts_.class_of({exit, 0}), line, column}, exit);
      if (!is_new && met->second != exit) join({met->second, 0}, {exit, 0}, true);
    }
  }
  // Returns the source position of the statement with which `exit` leaves the function, if `test` has no copies.
  // Otherwise both may be in the body of a `finally`, where the statement was written once but has copies.
  [[nodiscard]] const SourcePosition* position_of_exit(BlockId test, BlockId exit) const {
    const auto& code = block(exit).code;
    if (code.back().op != Op::RETURN_VALUE && code.back().op != Op::RAISE_VARARGS) return nullptr;
    return facts_.is_single({test, start_of_test(dialect_, block(test))}) ? positions_.at(code[0].offset) : nullptr;
  }
  [[nodiscard]] bool is_expression() const { return co_.name == "<lambda>"; }
  // A quick check, without the roles of the entries on the stack.
  [[nodiscard]] bool may_be_in_expression(BlockId id) const { return is_expression() || block(id).entry_depth > 0; }
  // Returns whether the block begins within an expression: an operand is on the stack, or the code is that of an
  // expression.
  [[nodiscard]] bool is_in_expression(BlockId id) const {
    if (is_expression()) return true;
    const auto& stack = facts_.operands().entry(id);
    return std::any_of(stack.begin(), stack.end(), is_operand);
  }

  // Returns the position after the value of an arm if that must be an operand. A statement does not load a constant to
  // drop it. In statements, `return None` leaves ranges and loops before it loads the constant (codegen_return), and
  // `a.b()` and `f()` load a method or a callable with NULL.
  [[nodiscard]] std::optional<Position> value_of_expression(BlockId arm) const {
    const auto& b = block(arm);
    if (b.is_handler || b.jump.valid() || b.code.empty()) return std::nullopt;
    if (loads_value(tree_, co_, b.code[0]) && b.code.size() > 1 && b.code[1].op == Op::POP_TOP) return Position{arm, 1};
    if (is_constant(b.code[0]) && (b.code.size() > 2 || b.handler.block.valid()) && returns(after({arm, 1})))
      return after({arm, 1});
    if (loads_value(tree_, co_, b.code[0]) && computes_constant(b)) return Position{arm, 1};
    std::int64_t depth = 0;
    for (std::uint32_t i = 0; i + 1 < b.code.size(); ++i) {
      const Effect e = effect(dialect_.version, b.code[i], false);
      depth += e.pushes - e.pops;
      if (depth < 1) return std::nullopt;  // a statement ends, or the block uses entries of earlier blocks
      if (depth == 1 && b.code[i].op == Op::LOAD_ATTR && is_called(b, {arm, i + 1})) return Position{arm, i + 1};
      if (depth == 1 && b.code[i].op == Op::LOAD_GLOBAL && pushes_null_alone(b, i + 1)) return Position{arm, i + 1};
    }
    return std::nullopt;
  }
  // Returns whether an attribute is called as a plain function, unless it may belong to a module: since 3.12, a call of
  // an attribute of an imported name loads no method (is_import_originated in Python/compile.c).
  [[nodiscard]] bool is_called(const BasicBlock& b, Position after) const {
    const Op use = consumer(after, 1);
    return use == Op::CALL_FUNCTION ||
           ((use == Op::CALL || use == Op::CALL_KW) && after.at > 1 && !may_be_module(b.code[after.at - 2]));
  }
  [[nodiscard]] bool may_be_module(const Instruction& load) const {
    if (load.op == Op::LOAD_FAST) {
      const auto& names = local_names(co_);  // has no variables that scalar replacement added
      return load.arg < names.size() && std::ranges::count(tree_.codes[tree_.root()].names, names[load.arg]) > 0;
    }
    return load.op == Op::LOAD_GLOBAL || load.op == Op::LOAD_NAME || load.op == Op::LOAD_DEREF;
  }
  // Moves a position at the end of a block that falls through to the next block.
  [[nodiscard]] Position after(Position p) const {
    const auto& b = block(p.block);
    return p.at == b.code.size() && b.fall.valid() ? Position{b.fall, 0} : p;
  }
  // Returns whether a block that returns computes with constants what the compiler would have folded in a statement: it
  // folds operations on constants and displays of them in the syntax tree (Python/ast_opt.c, starunpack_helper in
  // Python/compile.c).
  [[nodiscard]] bool computes_constant(const BasicBlock& b) const {
    if (b.code.back().op != Op::RETURN_VALUE) return false;
    const auto after = std::ranges::find_if_not(b.code, [&](auto& i) { return loads_value(tree_, co_, i); });
    if (after->op == Op::BUILD_TUPLE) return after->arg == after - b.code.begin();
    const auto use = std::ranges::find_if_not(b.code, [&](auto& i) { return is_constant(i); });
    const auto constants = use - b.code.begin();
    switch (use->op) {
      case Op::BUILD_LIST:
      case Op::BUILD_SET: return use->arg == constants && constants > 2;
      case Op::UNARY_INVERT:
        return constants == 1 && loads<ConstInt>(tree_, co_, b.code[0]);  // that of a bool is deprecated
      case Op::UNARY_NEGATIVE:
        return constants == 1 && loads<ConstInt, ConstFloat, ConstComplex, ConstBool>(tree_, co_, b.code[0]);
      case Op::TO_BOOL:
      case Op::UNARY_NOT: return constants == 1;
      case Op::BINARY_OP:
      case Op::BINARY_SUBSCR: return constants == 2;
      default: return false;
    }
  }
  // If the top of the stack is returned, with only clean-up code before that, returns the block with the RETURN_VALUE.
  [[nodiscard]] std::optional<BlockId> returns(Position p) const {
    for (std::size_t k = 0; k < kMostBlocks; ++k) {
      const auto& b = block(p.block);
      for (; p.at < b.code.size(); ++p.at) {
        const Op op = b.code[p.at].op;
        if (op == Op::RETURN_VALUE) return p.block;
        if (op != Op::SWAP && op != Op::POP_TOP && op != Op::POP_EXCEPT && op != Op::POP_ITER) return std::nullopt;
      }
      if (b.jump.valid() || !b.fall.valid()) return std::nullopt;
      p = {b.fall, 0};  // other handlers protect it
    }
    return std::nullopt;
  }
  // Returns whether a constant was one already in the syntax tree. If the compiler folds arithmetic later, other
  // constants may be folded ones.
  [[nodiscard]] bool is_constant(const Instruction& load) const {
    if (!loads_value(tree_, co_, load) || load.op == Op::LOAD_SMALL_INT) return false;
    if (load.op == Op::LOAD_COMMON_CONSTANT || !dialect_.folds_arithmetic_after_tests) return true;
    const auto& value = tree_.consts[co_.consts[load.arg]];
    return std::holds_alternative<ConstNone>(value) || std::holds_alternative<ConstBool>(value) ||
           std::holds_alternative<ConstStr>(value);
  }

  // Returns the first position of an arm in class `of` at which the arm has pushed one value; the arm's beginning if
  // none.
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
  std::vector<Position> returns_;  // joined positions of returns
  OwnReturns own_returns_;
  std::map<std::pair<std::uint32_t, std::vector<std::uint32_t>>, Waiting> waiting_;
  // By other exit of the test, class, line and column.
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
