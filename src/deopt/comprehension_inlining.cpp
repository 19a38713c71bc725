// SPDX-License-Identifier: MIT
// Undoing what compilers inline (3.12+): handlers of inlined comprehensions, tests for `any(... for ...)` and its like.
//
// An exception inside an inlined comprehension (PEP 709, inline_comprehension in Python/symtable.c) only restores the saved locals and propagates, so its handler
// is no position of the program: what it covers gets the handler around it. A call of any, all, tuple, list or set with
// a generator expression (codegen_maybe_optimize_function_call in Python/codegen.c) is compiled twice, inlined and as a
// call, after a test of the callable; only the call is kept. Only the compiler's exact shapes are undone.
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

// SWAP 2; POP_TOP; SWAP n + 1; STORE_FAST (n times); RERAISE
bool restores_locals(const BasicBlock& b) {
  if (!b.is_handler || b.code.size() < 4 || b.jump.valid() || b.code.back().op != Op::RERAISE) return false;
  std::size_t at = 0, stores = 0;
  while (at + 1 < b.code.size() && (b.code[at].op == Op::SWAP || b.code[at].op == Op::POP_TOP)) ++at;
  if (at == 0 || b.code[0].op != Op::SWAP) return false;
  for (; at + 1 < b.code.size(); ++at, ++stores)
    if (b.code[at].op != Op::STORE_FAST) return false;
  return stores > 0;
}

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

// f; COPY 1; LOAD_COMMON_CONSTANT any; IS_OP; POP_JUMP_IF_FALSE call
bool tests_builtin(const BasicBlock& b) {
  const auto n = b.code.size();
  if (n < 4 || b.code[n - 1].op != Op::POP_JUMP_IF_FALSE || b.code[n - 2].op != Op::IS_OP || b.code[n - 2].arg != 0)
    return false;
  const auto &constant = b.code[n - 3], &copy = b.code[n - 4];
  if (constant.op != Op::LOAD_COMMON_CONSTANT || copy.op != Op::COPY || copy.arg != 1) return false;
  return is_one_of<CommonConstant::kTuple, CommonConstant::kAll, CommonConstant::kAny, CommonConstant::kList,
                   CommonConstant::kSet>(static_cast<CommonConstant>(constant.arg));
}

// Whether the two arms of a test of a builtin do the same (codegen_maybe_optimize_function_call):
//   POP_TOP; (BUILD_LIST 0 or BUILD_SET 0;) generator; H: FOR_ITER X; then for
//     any, all             TO_BOOL; POP_JUMP_IF_x H; POP_ITER; LOAD x; JUMP end;  X: END_FOR; POP_ITER; LOAD not x
//     tuple, list, set     LIST_APPEND 2 or SET_ADD 2; JUMP H;  X: END_FOR; POP_ITER; (LIST_TO_TUPLE)
//   PUSH_NULL; generator; CALL 1
class BuiltinCall {
 public:
  BuiltinCall(const CodeTree& tree, CodeId code, const Cfg& cfg) : tree_(tree), co_(tree.codes[code]), cfg_(cfg) {}

  bool appears_twice(const BasicBlock& test) {
    which_ = static_cast<CommonConstant>(test.code[test.code.size() - 3].arg);
    Position fast{test.fall, 0}, slow{test.jump, 0};
    if (!takes(fast, Op::POP_TOP) || !takes(slow, Op::PUSH_NULL)) return false;
    const Op build = which_ == CommonConstant::kSet ? Op::BUILD_SET : Op::BUILD_LIST;
    if (collects() && (at(fast) == nullptr || at(fast)->arg != 0 || !takes(fast, build))) return false;
    return same_argument(fast, slow) && same_loop();
  }

 private:
  [[nodiscard]] bool collects() const { return which_ != CommonConstant::kAny && which_ != CommonConstant::kAll; }
  [[nodiscard]] const BasicBlock& block(BlockId b) const { return cfg_.blocks[b]; }
  [[nodiscard]] const Instruction* at(const Position& p) const {
    return p.block.valid() && p.at < block(p.block).code.size() ? &block(p.block).code[p.at] : nullptr;
  }
  bool takes(Position& p, Op op) const {
    const auto* i = at(p);
    if (i == nullptr || i->op != op) return false;
    ++p.at;
    return true;
  }
  [[nodiscard]] Position settled(Position p) const { return past_ends(cfg_, p); }
  [[nodiscard]] bool same(const Position& x, const Position& y) const {
    const auto *i = at(x), *j = at(y);
    return i != nullptr && j != nullptr && same_operation(*i, *j) && block(x.block).handler == block(y.block).handler;
  }

  // The generator is made of the same instructions, up to FOR_ITER here and CALL 1 there.
  bool same_argument(Position fast, Position slow) {
    loop_ = BlockId{};
    std::set<std::pair<Position, Position>> seen;
    std::vector<std::pair<Position, Position>> todo{{fast, slow}};
    while (!todo.empty()) {
      const auto x = settled(todo.back().first), y = settled(todo.back().second);
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
      if (!same(x, y) || is_terminator(i->op)) return false;
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

  bool same_loop() const {
    const auto& head = block(loop_);
    if (head.code.size() != 1 || !head.fall.valid() || !head.jump.valid()) return false;
    const auto& body = block(head.fall);
    const auto& code = body.code;
    if (collects()) {
      const Op add = which_ == CommonConstant::kSet ? Op::SET_ADD : Op::LIST_APPEND;
      if (code.size() != 1 || code[0].op != add || code[0].arg != 2 || body.jump.valid() || body.fall != loop_)
        return false;
    } else {
      if (code.size() != 2 || code[0].op != Op::TO_BOOL || !body.jump.valid()) return false;
      const bool jumps_if = code[1].op == Op::POP_JUMP_IF_TRUE;
      if (!jumps_if && code[1].op != Op::POP_JUMP_IF_FALSE) return false;
      const bool found = which_ == CommonConstant::kAny;  // what ends the loop early
      if ((jumps_if == found ? body.fall : body.jump) != loop_) return false;
      Position early{jumps_if == found ? body.jump : body.fall, 0};
      Position after = after_;
      if (!takes(early, Op::POP_ITER) || !gives(early, found, after) || !same_tail(early, after)) return false;
    }
    Position out{head.jump, 0};
    if (!takes(out, Op::END_FOR) || !takes(out, Op::POP_ITER)) return false;
    if (which_ == CommonConstant::kTuple && !takes(out, Op::LIST_TO_TUPLE)) return false;
    Position after = after_;
    if (!collects() && !gives(out, which_ == CommonConstant::kAll, after)) return false;
    return same_tail(out, after);
  }

  // The loop's outcome, or what the compiler made of it and of constants after the call, which `after` then passes: nothing,
  // where the outcome is dropped.
  bool gives(Position& p, bool value, Position& after) const {
    p = settled(p);
    const auto* i = at(p);
    if (i == nullptr) return false;
    std::int64_t v = value ? 1 : 0;
    bool is_bool = true;
    for (Position rest = after; !loads(*i, v, is_bool); after = rest) {
      rest = settled(rest);
      const auto* j = at(rest);
      if (j != nullptr && j->op == Op::TO_BOOL) j = at({rest.block, ++rest.at});
      if (j == nullptr) return false;
      ++rest.at;
      if (j->op == Op::POP_TOP) {
        after = rest;
        return true;
      }
      if (j->op == Op::UNARY_NOT && is_bool) {
        v = 1 - v;
      } else if (const auto* sum = at(rest); j->op == Op::LOAD_SMALL_INT && sum != nullptr &&
                                             sum->op == Op::BINARY_OP &&
                                             static_cast<BinaryOperator>(sum->arg) == BinaryOperator::kAdd) {
        v += j->arg;
        is_bool = false;
        ++rest.at;
      } else {
        return false;
      }
    }
    ++p.at;
    return true;
  }
  [[nodiscard]] bool loads(const Instruction& i, std::int64_t v, bool is_bool) const {
    if (i.op == Op::LOAD_SMALL_INT) return !is_bool && v == i.arg;
    if (i.op == Op::LOAD_COMMON_CONSTANT)
      return is_bool && static_cast<CommonConstant>(i.arg) == (v != 0 ? CommonConstant::kTrue : CommonConstant::kFalse);
    if (i.op != Op::LOAD_CONST || i.arg >= co_.consts.size()) return false;
    const auto* c = std::get_if<ConstBool>(&tree_.consts[co_.consts[i.arg]]);
    return is_bool && c != nullptr && c->value == (v != 0);
  }

  // One place, or copies of a straight end of the function.
  bool same_tail(Position x, Position y) const {
    for (int n = 0; n < 64; ++n) {
      x = settled(x);
      y = settled(y);
      if (x == y) return true;
      if (!same(x, y) || is_jump(at(x)->op)) return false;
      if (is_terminator(at(x)->op)) return true;
      ++x.at;
      ++y.at;
    }
    return false;
  }

  const CodeTree& tree_;
  const CodeObject& co_;
  const Cfg& cfg_;
  CommonConstant which_{};
  BlockId loop_;    // FOR_ITER
  Position after_;  // after CALL 1
};

void keep_calls(const CodeTree& tree, CodeId code, Cfg& cfg) {
  for (std::uint32_t i = 0; i < cfg.blocks.size(); ++i) {
    auto& b = cfg.blocks[BlockId{i}];
    if (!tests_builtin(b) || !BuiltinCall(tree, code, cfg).appears_twice(b)) continue;
    b.code.resize(b.code.size() - 4);
    b.fall = b.jump;
    b.jump = BlockId{};
  }
}

}  // namespace

void undo_inlining(const CodeTree& tree, CodeId code, Cfg& cfg, const Dialect& dialect) {
  if (!dialect.inlines_comprehensions && !dialect.inlines_any_all) return;
  drop_restoring_handlers(cfg);
  keep_calls(tree, code, cfg);
  unlink_unreachable(cfg);
}

}  // namespace depyf::deopt
