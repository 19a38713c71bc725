// SPDX-License-Identifier: MIT
// Abstract interpretation of the code that a resume function jumps over; see resume_arguments.h.
#include "dynamo/resume_arguments.h"

#include <algorithm>
#include <optional>

#include "cfg/cfg.h"
#include "dynamo/names.h"

namespace depyf::dynamo {
namespace {

// A value on the stack: what it is, and the parameter that it was loaded from.
struct Slot {
  ResumeArgument kind = ResumeArgument::kUnknown;
  std::optional<std::uint32_t> parameter;
  bool operator==(const Slot&) const = default;
};
using Stack = std::vector<Slot>;

// Adds what lies on top to a container that stays where it is.
bool grows(Op op) {
  return is_one_of<Op::LIST_APPEND, Op::LIST_EXTEND, Op::SET_ADD, Op::SET_UPDATE, Op::MAP_ADD, Op::DICT_UPDATE,
                   Op::DICT_MERGE>(op);
}

Slot made_by(const CodeTree& tree, const CodeObject& object, const Instruction& insn) {
  switch (insn.op) {
    case Op::BUILD_LIST: return {ResumeArgument::kList, {}};
    case Op::BUILD_MAP:
    case Op::BUILD_CONST_KEY_MAP: return {ResumeArgument::kDict, {}};
    case Op::BUILD_SET: return {ResumeArgument::kSet, {}};
    case Op::BUILD_STRING:
    case Op::CONVERT_VALUE:
    case Op::FORMAT_VALUE:
    case Op::FORMAT_SIMPLE:
    case Op::FORMAT_WITH_SPEC: return {ResumeArgument::kText, {}};
    case Op::LOAD_CONST: {
      const bool text = std::holds_alternative<ConstStr>(tree.consts[object.consts[insn.arg]]);
      return {text ? ResumeArgument::kText : ResumeArgument::kUnknown, {}};
    }
    case Op::LOAD_FAST: return {{}, insn.arg < parameter_count(object) ? std::optional(insn.arg) : std::nullopt};
    default: return {};
  }
}

void step(const CodeTree& tree, const CodeObject& object, const Instruction& insn, Stack& stack, bool jump) {
  if (insn.op == Op::COPY || insn.op == Op::SWAP) {
    if (insn.arg == 0 || insn.arg > stack.size()) return stack.clear();
    Slot& other = stack[stack.size() - insn.arg];
    if (insn.op == Op::SWAP) return std::swap(stack.back(), other);
    if (other.kind != ResumeArgument::kText) other.kind = ResumeArgument::kUnknown;  // two hold it
    return stack.push_back(Slot{other});
  }
  const Effect e = grows(insn.op) ? Effect{insn.op == Op::MAP_ADD ? 2 : 1, 0} : effect(tree.version, insn, jump);
  stack.resize(stack.size() - std::min(stack.size(), static_cast<std::size_t>(e.pops)));
  stack.resize(stack.size() + static_cast<std::size_t>(e.pushes));
  if (e.pushes == 1) stack.back() = made_by(tree, object, insn);
}

struct Prologue {
  std::uint32_t jump = 0;  // index of the jump that ends it
  Stack stack;             // what it leaves there
};

// What runs in front of the jump: parameters are loaded, managers entered, nothing else decided.
std::optional<Prologue> prologue_of(const CodeTree& tree, const CodeObject& object, const Bytecode& bytecode) {
  Prologue out;
  for (; out.jump < bytecode.code.size(); ++out.jump) {
    const Instruction& insn = bytecode.code[out.jump];
    if (insn.op == Op::JUMP) return out;
    const bool sets_up = insn.op == Op::SETUP_FINALLY || insn.op == Op::SETUP_WITH || insn.op == Op::SETUP_ASYNC_WITH;
    if ((is_jump(insn.op) && !sets_up) || is_terminator(insn.op)) return std::nullopt;
    step(tree, object, insn, out.stack, false);
  }
  return std::nullopt;
}

// The code as if it had no prologue.
Bytecode without(const Prologue& prologue, const Bytecode& bytecode) {
  Bytecode out = bytecode;
  for (std::uint32_t i = 0; i <= prologue.jump; ++i) {
    Instruction nop;
    nop.offset = out.code[i].offset;
    nop.op = Op::NOP;
    out.code[i] = nop;
  }
  std::erase_if(out.handlers, [&](ExceptionEntry& row) {
    row.start = std::max(row.start, prologue.jump + 1);
    return row.start >= row.end;
  });
  return out;
}

class Skipped {
 public:
  Skipped(const CodeTree& tree, CodeId code, const Cfg& cfg)
      : tree_(tree), object_(tree.codes[code]), cfg_(cfg), entries_(cfg.blocks.size()) {}

  // What lies on the stack in front of the instruction at an offset; none if it is not reached.
  std::optional<Stack> before(std::uint32_t offset) {
    offset_ = offset;
    reach(BlockId{0}, {});
    while (!todo_.empty()) {
      const BlockId b{todo_.back()};
      todo_.pop_back();
      walk(cfg_.blocks[b], *entries_[b.n]);
    }
    return found_;
  }

 private:
  // Slots only lose what is known of them: each block is walked as often as it has entries, at most, and once more.
  static bool join(std::optional<Stack>& into, const Stack& by) {
    if (!into) {
      into = by;
      return true;
    }
    bool changed = into->size() != by.size();
    into->resize(std::min(into->size(), by.size()));
    for (std::size_t i = 0; i < into->size(); ++i) {
      if ((*into)[i] == by[i] || (*into)[i] == Slot{}) continue;
      (*into)[i] = {};
      changed = true;
    }
    return changed;
  }

  void reach(BlockId block, Stack stack) {
    if (!block.valid()) return;
    stack.resize(cfg_.blocks[block].entry_depth);
    if (join(entries_[block.n], stack)) todo_.push_back(block.n);
  }

  void walk(const BasicBlock& block, Stack stack) {
    Stack jumped = stack;
    std::optional<std::uint32_t> last;  // several instructions may have one offset
    for (const Instruction& insn : block.code) {
      if (insn.offset == offset_ && last != offset_) join(found_, stack);
      last = insn.offset;
      if (block.handler.block.valid()) {
        Stack kept = stack;
        kept.resize(block.handler.depth);
        reach(block.handler.block, std::move(kept));
      }
      jumped = stack;
      step(tree_, object_, insn, stack, false);
      if (is_jump(insn.op)) step(tree_, object_, insn, jumped, true);
    }
    reach(block.jump, std::move(jumped));
    reach(block.fall, std::move(stack));
  }

  const CodeTree& tree_;
  const CodeObject& object_;
  const Cfg& cfg_;
  std::uint32_t offset_ = 0;
  std::vector<std::optional<Stack>> entries_;  // of blocks
  std::vector<std::uint32_t> todo_;
  std::optional<Stack> found_;
};

// How often the code that runs names each local variable.
std::vector<std::uint32_t> uses(const Cfg& cfg, std::size_t locals) {
  std::vector<std::uint32_t> out(locals, 0);
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b)
    for (const Instruction& insn : cfg.blocks[BlockId{b}].code)
      if (arg_kind(insn.op) == ArgKind::Local && insn.arg < locals) ++out[insn.arg];
  return out;
}

}  // namespace

std::vector<ResumeArgument> resume_arguments(const CodeTree& tree, CodeId code, const Bytecode& bytecode,
                                             const Dialect& dialect, const Limits& limits) {
  const CodeObject& object = tree.codes[code];
  if (!resumes_by_dynamo(object)) return {};
  const auto prologue = prologue_of(tree, object, bytecode);
  if (!prologue) return {};
  const Instruction& landing = bytecode.code[bytecode.code[prologue->jump].target];
  const auto running = build_cfg(tree, code, bytecode, dialect, limits);
  const auto skipped = build_cfg(tree, code, without(*prologue, bytecode), dialect, limits);
  if (!running || !skipped) return {};
  const auto stack = Skipped(tree, code, *skipped).before(landing.offset);
  if (!stack || stack->size() != prologue->stack.size()) return {};
  const auto used = uses(*running, local_names(object).size());
  std::vector<ResumeArgument> out(local_names(object).size(), ResumeArgument::kUnknown);
  for (std::size_t i = 0; i < stack->size(); ++i) {
    const auto parameter = prologue->stack[i].parameter;
    if (parameter && used[*parameter] == 1) out[*parameter] = (*stack)[i].kind;
  }
  return out;
}

}  // namespace depyf::dynamo
