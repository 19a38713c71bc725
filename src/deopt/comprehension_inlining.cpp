// SPDX-License-Identifier: MIT
// Undoes inlining by the compiler (3.12+): removes the handlers of inlined comprehensions and the inlined copies of
// calls such as `any(... for ...)`.
//
// An exception inside an inlined comprehension (PEP 709, inline_comprehension in Python/symtable.c) only restores the
// saved locals and propagates. Source code cannot express this handler, so the blocks it protects get the handler
// around it. A call of any, all, tuple, list or set with a generator expression (codegen_maybe_optimize_function_call
// in Python/codegen.c) is compiled twice after a test of the callable, as a loop and as a call; only the call is kept.
// Only the compiler's exact shapes are undone.
#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "cfg/cut.h"
#include "cfg/shapes.h"
#include "cfg/tidy.h"
#include "deopt/deopt.h"
#include "support/small_vector.h"

namespace depyf::deopt {

namespace {

// Returns whether the block is such a handler: SWAP 2; POP_TOP; SWAP n + 1; STORE_FAST (n times); RERAISE
bool restores_locals(const BasicBlock& b) {
  if (!b.is_handler || b.code.size() < 4 || b.jump.valid() || b.code.back().op != Op::RERAISE) return false;
  std::size_t at = 0, stores = 0;
  while (at + 1 < b.code.size() && (b.code[at].op == Op::SWAP || b.code[at].op == Op::POP_TOP)) ++at;
  if (at == 0 || b.code[0].op != Op::SWAP) return false;
  for (; at + 1 < b.code.size(); ++at, ++stores)
    if (b.code[at].op != Op::STORE_FAST) return false;
  return stores > 0;
}

// Replaces each such handler by the handler around it.
void drop_restoring_handlers(Cfg& cfg) {
  const auto n = static_cast<std::uint32_t>(cfg.blocks.size());
  SmallVector<bool, 64> restores(n, false);
  for (std::uint32_t i = 0; i < n; ++i) restores[i] = restores_locals(cfg.blocks[BlockId{i}]);
  for (std::uint32_t i = 0; i < n; ++i) {
    auto& handler = cfg.blocks[BlockId{i}].handler;
    for (std::uint32_t step = 0; handler.block.valid() && restores[handler.block.n] && step < n; ++step) {
      const Handler outer = cfg.blocks[handler.block].handler;
      handler = outer;
    }
  }
}

// Returns whether the block ends with the test of a builtin: COPY 1; LOAD_COMMON_CONSTANT any; IS_OP; POP_JUMP_IF_FALSE
bool tests_builtin(const BasicBlock& b) {
  const auto n = b.code.size();
  if (n < 4 || b.code[n - 1].op != Op::POP_JUMP_IF_FALSE || b.code[n - 2].op != Op::IS_OP || b.code[n - 2].arg != 0)
    return false;
  const auto &constant = b.code[n - 3], &copy = b.code[n - 4];
  if (constant.op != Op::LOAD_COMMON_CONSTANT || copy.op != Op::COPY || copy.arg != 1) return false;
  return is_one_of<CommonConstant::kTuple, CommonConstant::kAll, CommonConstant::kAny, CommonConstant::kList,
                   CommonConstant::kSet>(static_cast<CommonConstant>(constant.arg));
}

// Checks that the two arms of a test of a builtin do the same (codegen_maybe_optimize_function_call). The inlined arm:
//   POP_TOP; (BUILD_LIST 0 or BUILD_SET 0;) generator; H: FOR_ITER X; then for
//     any, all             TO_BOOL; POP_JUMP_IF_x H; POP_ITER; LOAD x; JUMP end;  X: END_FOR; POP_ITER; LOAD not x
//     tuple, list, set     LIST_APPEND 2 or SET_ADD 2; JUMP H;  X: END_FOR; POP_ITER; (LIST_TO_TUPLE)
// The call is PUSH_NULL; generator; CALL 1.
class BuiltinCall {
 public:
  BuiltinCall(const CodeTree& tree, CodeId code, const Cfg& cfg) : tree_(tree), co_(tree.codes[code]), cfg_(cfg) {}

  bool has_equal_arms(const BasicBlock& test) {
    builtin_ = static_cast<CommonConstant>(test.code[test.code.size() - 3].arg);
    Position inlined{test.fall, 0}, call{test.jump, 0};
    if (!consume(inlined, Op::POP_TOP) || !consume(call, Op::PUSH_NULL)) return false;
    const Op build = builtin_ == CommonConstant::kSet ? Op::BUILD_SET : Op::BUILD_LIST;
    if (collects() && (at(inlined) == nullptr || at(inlined)->arg != 0 || !consume(inlined, build))) return false;
    return same_argument(inlined, call) && same_loop();
  }

 private:
  [[nodiscard]] bool collects() const { return builtin_ != CommonConstant::kAny && builtin_ != CommonConstant::kAll; }
  [[nodiscard]] const BasicBlock& block(BlockId b) const { return cfg_.blocks[b]; }
  [[nodiscard]] const Instruction* at(const Position& p) const {
    return p.block.valid() && p.at < block(p.block).code.size() ? &block(p.block).code[p.at] : nullptr;
  }
  bool consume(Position& p, Op op) const {
    const auto* i = at(p);
    if (i == nullptr || i->op != op) return false;
    ++p.at;
    return true;
  }
  [[nodiscard]] Position resolved(Position p) const { return past_ends(cfg_, p); }
  [[nodiscard]] bool same_instruction(const Position& x, const Position& y) const {
    const auto *i = at(x), *j = at(y);
    return i != nullptr && j != nullptr && same_operation(*i, *j) && block(x.block).handler == block(y.block).handler;
  }

  // Returns whether both arms create the generator with the same instructions, up to FOR_ITER in the inlined arm and
  // CALL 1 in the other. Sets `loop_` and `after_`.
  bool same_argument(Position inlined, Position call) {
    loop_ = BlockId{};
    std::set<std::pair<Position, Position>> seen;
    std::vector<std::pair<Position, Position>> todo{{inlined, call}};
    while (!todo.empty()) {
      const auto x = resolved(todo.back().first), y = resolved(todo.back().second);
      todo.pop_back();
      if (!seen.insert({x, y}).second) continue;
      const auto *i = at(x), *j = at(y);
      if (i == nullptr || j == nullptr || seen.size() > 20000) return false;
      if (i->op == Op::FOR_ITER && x.at == 0 && j->op == Op::CALL && j->arg == 1) {
        if (loop_.valid() && (loop_ != x.block || !(after_ == Position{y.block, y.at + 1}))) return false;
        if (!(block(x.block).handler == block(y.block).handler)) return false;
        loop_ = x.block;
        after_ = {y.block, y.at + 1};
        continue;
      }
      if (!same_instruction(x, y) || is_terminator(i->op)) return false;
      const bool jumps = x.at + 1 == block(x.block).code.size() && block(x.block).jump.valid();
      if (jumps != (y.at + 1 == block(y.block).code.size() && block(y.block).jump.valid())) return false;
      if (jumps) todo.push_back({{block(x.block).jump, 0}, {block(y.block).jump, 0}});
      if (jumps)
        todo.push_back({{block(x.block).fall, 0}, {block(y.block).fall, 0}});
      else
        todo.push_back({{x.block, x.at + 1}, {y.block, y.at + 1}});
    }
    return loop_.valid();
  }

  // Returns whether the loop only appends each item, as `tuple`, `list` and `set` do.
  bool collects_items(const BasicBlock& body) const {
    const Op add = builtin_ == CommonConstant::kSet ? Op::SET_ADD : Op::LIST_APPEND;
    return body.code.size() == 1 && body.code[0].op == add && body.code[0].arg == 2 && !body.jump.valid() &&
           body.fall == loop_;
  }

  // Returns whether the loop only ends early at the first item that decides the outcome of `any` or `all`, and then
  // continues like the code after the call.
  bool stops_at_item(const BasicBlock& body) const {
    const auto& code = body.code;
    if (code.size() != 2 || code[0].op != Op::TO_BOOL || !body.jump.valid()) return false;
    const bool jumps_if = code[1].op == Op::POP_JUMP_IF_TRUE;
    if (!jumps_if && code[1].op != Op::POP_JUMP_IF_FALSE) return false;
    const bool stops_on = builtin_ == CommonConstant::kAny;  // the outcome that ends the loop early
    if ((jumps_if == stops_on ? body.fall : body.jump) != loop_) return false;
    Position early_exit{jumps_if == stops_on ? body.jump : body.fall, 0};
    Position after = after_;
    return consume(early_exit, Op::POP_ITER) && consumes_outcome(early_exit, stops_on, after) &&
           same_tail(early_exit, after);
  }

  // Returns whether the inlined loop computes what the builtin does, and continues like the code after the call.
  bool same_loop() const {
    const auto& head = block(loop_);
    if (head.code.size() != 1 || !head.fall.valid() || !head.jump.valid()) return false;
    if (collects() ? !collects_items(block(head.fall)) : !stops_at_item(block(head.fall))) return false;
    Position loop_exit{head.jump, 0};
    if (!consume(loop_exit, Op::END_FOR) || !consume(loop_exit, Op::POP_ITER)) return false;
    if (builtin_ == CommonConstant::kTuple && !consume(loop_exit, Op::LIST_TO_TUPLE)) return false;
    Position after = after_;
    if (!collects() && !consumes_outcome(loop_exit, builtin_ == CommonConstant::kAll, after)) return false;
    return same_tail(loop_exit, after);
  }

  // Returns whether the code at `p` loads the outcome of the loop, and steps over that. The compiler may have folded
  // the outcome with the code after the call (`not`, `+ n`, or POP_TOP, which leaves nothing to load); then `after`
  // steps over this code.
  bool consumes_outcome(Position& p, bool value, Position& after) const {
    p = resolved(p);
    const auto* i = at(p);
    if (i == nullptr) return false;
    std::int64_t outcome = value ? 1 : 0;
    bool is_bool = true;
    for (Position rest = after; !loads(*i, outcome, is_bool); after = rest) {
      rest = resolved(rest);
      const auto* j = at(rest);
      if (j != nullptr && j->op == Op::TO_BOOL) j = at({rest.block, ++rest.at});
      if (j == nullptr) return false;
      ++rest.at;
      if (j->op == Op::POP_TOP) {
        after = rest;
        return true;
      }
      if (j->op == Op::UNARY_NOT && is_bool) {
        outcome = 1 - outcome;
      } else if (const auto* sum = at(rest); j->op == Op::LOAD_SMALL_INT && sum != nullptr &&
                                             sum->op == Op::BINARY_OP &&
                                             static_cast<BinaryOperator>(sum->arg) == BinaryOperator::kAdd) {
        outcome += j->arg;
        is_bool = false;
        ++rest.at;
      } else {
        return false;
      }
    }
    ++p.at;
    return true;
  }
  [[nodiscard]] bool loads(const Instruction& i, std::int64_t outcome, bool is_bool) const {
    if (i.op == Op::LOAD_SMALL_INT) return !is_bool && outcome == i.arg;
    if (i.op == Op::LOAD_COMMON_CONSTANT)
      return is_bool &&
             static_cast<CommonConstant>(i.arg) == (outcome != 0 ? CommonConstant::kTrue : CommonConstant::kFalse);
    if (i.op != Op::LOAD_CONST || i.arg >= co_.consts.size()) return false;
    const auto* c = std::get_if<ConstBool>(&tree_.consts[co_.consts[i.arg]]);
    return is_bool && c != nullptr && c->value == (outcome != 0);
  }

  // Returns whether both positions are one, or begin equal straight lines to the end of the function.
  bool same_tail(Position x, Position y) const {
    for (int n = 0; n < 64; ++n) {
      x = resolved(x);
      y = resolved(y);
      if (x == y) return true;
      if (!same_instruction(x, y) || is_jump(at(x)->op)) return false;
      if (is_terminator(at(x)->op)) return true;
      ++x.at;
      ++y.at;
    }
    return false;
  }

  const CodeTree& tree_;
  const CodeObject& co_;
  const Cfg& cfg_;
  CommonConstant builtin_{};
  BlockId loop_;    // the block of FOR_ITER
  Position after_;  // the position after CALL 1
};

void remove_inlined_calls(const CodeTree& tree, CodeId code, Cfg& cfg) {
  for (std::uint32_t i = 0; i < cfg.blocks.size(); ++i) {
    auto& b = cfg.blocks[BlockId{i}];
    if (!tests_builtin(b) || !BuiltinCall(tree, code, cfg).has_equal_arms(b)) continue;
    b.code.resize(b.code.size() - 4);
    b.fall = b.jump;
    b.jump = BlockId{};
  }
}

}  // namespace

void undo_inlining(const CodeTree& tree, CodeId code, Cfg& cfg, const Dialect& dialect) {
  if (!dialect.inlines_comprehensions && !dialect.inlines_any_all) return;
  drop_restoring_handlers(cfg);
  remove_inlined_calls(tree, code, cfg);
  unlink_unreachable(cfg);
}

}  // namespace depyf::deopt
