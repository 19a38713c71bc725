// SPDX-License-Identifier: MIT
// drop_neutral_stack_code(): removes stack operations that together leave the operand stack as it was, and constants
// that are popped at the start of the next block.
//
// No operation that is removed can raise or has an effect but on the stack. Compilers emit no SWAP before the POP_TOP
// or UNPACK_SEQUENCE that ends such a run, and no BUILD_TUPLE 1 before UNPACK_SEQUENCE 1 (optimize_basic_block in
// Python/flowgraph.c); edited code has them. Other runs can be source: the values of `case [_] as x as y` are copied
// and exchanged, `(x,) = [y]` builds a list and unpacks it, `([0],)` builds a tuple that is popped, and an f-string
// without fields is a constant that is popped. Dynamo ends the code that re-enters a `with` statement with a None that
// is popped (create_with in torch/_dynamo/resume_execution.py).
#include <algorithm>
#include <array>
#include <numeric>
#include <span>

#include "cfg/analysis.h"
#include "cfg/shapes.h"

namespace depyf {
namespace {

constexpr std::uint8_t kLongestRun = 16;  // so that the cost is linear
constexpr std::uint8_t kBelow = 2 * kLongestRun;

// The operand stack during a run of stack operations: distinct numbers for distinct values.
class RunStack {
 public:
  RunStack() { std::iota(values_.begin(), values_.end(), std::uint8_t{0}); }

  // Executes an instruction. Returns false if it is none that only moves, copies, makes or pops values.
  bool execute(const Instruction& insn) {
    switch (insn.op) {
      case Op::LOAD_CONST:
      case Op::LOAD_COMMON_CONSTANT:
      case Op::LOAD_SMALL_INT: values_[size_++] = next_++; return true;
      case Op::POP_TOP: --size_; return true;
      case Op::COPY:
      case Op::SWAP:
        if (insn.arg == 0 || insn.arg > kLongestRun) return false;
        if (insn.op == Op::SWAP)
          std::swap(top(), values_[size_ - insn.arg]);
        else
          values_[size_] = values_[size_ - insn.arg], ++size_;
        return true;
      case Op::BUILD_LIST:
      case Op::BUILD_TUPLE:
        if (insn.arg != 1) return false;
        item_of_[next_] = top();
        top() = next_++;
        return true;
      case Op::UNPACK_SEQUENCE:
        if (insn.arg != 1 || item_of_[top()] == 0) return false;
        top() = item_of_[top()];
        return true;
      default: return false;
    }
  }
  friend bool operator==(const RunStack& a, const RunStack& b) {
    return std::equal(a.values_.begin(), a.values_.begin() + a.size_, b.values_.begin(), b.values_.begin() + b.size_);
  }

 private:
  std::uint8_t& top() { return values_[size_ - 1U]; }

  std::array<std::uint8_t, kBelow + kLongestRun> values_{};   // as many below as a run can reach, and what it pushes
  std::array<std::uint8_t, kBelow + kLongestRun> item_of_{};  // the item of a list or tuple; 0 for other values
  std::uint8_t size_ = kBelow, next_ = kBelow;
};

bool makes_tuple_of_one(const Instruction& insn) { return insn.op == Op::BUILD_TUPLE && insn.arg == 1; }

bool may_be_edited(const Instruction& insn) { return insn.op == Op::SWAP || makes_tuple_of_one(insn); }

// Returns whether compilers do not emit the last instruction in a run without effect.
bool shows_edit(std::span<const Instruction> run) {
  const Instruction& last = run.back();
  const bool unpacks = last.op == Op::UNPACK_SEQUENCE && last.arg == 1;
  return last.op == Op::SWAP || (unpacks && run.size() > 1 && makes_tuple_of_one(run[run.size() - 2]));
}

// Removes the parts of a block after which the stack is as before.
void drop_neutral_parts(std::vector<Instruction>& code, NeutralCode which) {
  std::vector<RunStack> states{RunStack()};  // before each instruction of the run, and now
  std::size_t length = 0, kept = 0;          // length: of the run, with what was removed
  std::size_t edited = 0;  // after the last instruction that shows an edit, or after where it was; 0: none does
  for (const Instruction& insn : code) {
    code[kept++] = insn;
    if (shows_edit({code.data(), kept})) edited = kept;
    RunStack now = states.back();
    if (++length == kLongestRun || !now.execute(insn)) {
      states.resize(1);
      length = 0;
      continue;
    }
    const auto same = std::find(states.begin(), states.end(), now);
    const auto from = kept - static_cast<std::size_t>(states.end() - same);
    const bool drops = insn.op == Op::POP_TOP || insn.op == Op::UNPACK_SEQUENCE;
    if (same != states.end() && (which == NeutralCode::kAll || (drops && edited > from))) {
      edited = std::min(edited, from + 1);
      kept = from;
      states.erase(same + 1, states.end());
    } else {
      states.push_back(now);
    }
  }
  code.resize(kept);
}

// Removes constants that are popped at the start of the next block.
void drop_constants_between_blocks(Cfg& cfg) {
  const auto count = cfg.blocks.size();
  std::vector<std::vector<std::uint32_t>> preds(count);
  std::vector<bool> has_other_entry(count, false);  // by block: entered by a jump or an exception
  has_other_entry[0] = true;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto& b = cfg.blocks[BlockId{i}];
    if (b.fall.valid()) preds[b.fall.n].push_back(i);
    if (b.jump.valid()) has_other_entry[b.jump.n] = true;
    if (b.handler.block.valid()) has_other_entry[b.handler.block.n] = true;
  }
  const auto leaves_constant = [&](std::uint32_t p) {
    const auto& b = cfg.blocks[BlockId{p}];
    return !b.jump.valid() && !b.code.empty() && loads_constant(b.code.back());
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    auto& b = cfg.blocks[BlockId{i}];
    const auto first = std::find_if(b.code.begin(), b.code.end(), [](const auto& x) { return x.op != Op::NOP; });
    if (has_other_entry[i] || b.is_handler || first == b.code.end() || first->op != Op::POP_TOP || preds[i].empty())
      continue;
    if (!std::all_of(preds[i].begin(), preds[i].end(), leaves_constant)) continue;
    for (const auto p : preds[i]) cfg.blocks[BlockId{p}].code.pop_back();
    b.code.erase(first);
    --b.entry_depth;
  }
}

}  // namespace

void drop_neutral_stack_code(Cfg& cfg, NeutralCode which) {
  if (which == NeutralCode::kAll) drop_constants_between_blocks(cfg);
  for (std::uint32_t i = 0; i < cfg.blocks.size(); ++i) {
    auto& code = cfg.blocks[BlockId{i}].code;
    if (which == NeutralCode::kAll || std::any_of(code.begin(), code.end(), may_be_edited))
      drop_neutral_parts(code, which);
  }
}

}  // namespace depyf
