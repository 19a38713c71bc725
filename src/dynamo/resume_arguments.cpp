// SPDX-License-Identifier: MIT
// Abstract interpretation of the code that a resume function's prologue skips; see resume_arguments.h.
#include "dynamo/resume_arguments.h"

#include <algorithm>
#include <optional>

#include "cfg/stack_flow.h"
#include "dynamo/names.h"

namespace depyf::dynamo {
namespace {

// An abstract stack entry is a ResumeArgument, or kParameter | index for the value of a parameter.
constexpr std::uint32_t kParameter = 0x80000000;  // flag bit
constexpr auto kUnknown = static_cast<std::uint32_t>(ResumeArgument::kUnknown);

// Returns whether the operation adds the top of the stack to a container below it, which stays on the stack.
bool adds_to_container(Op op) {
  return is_one_of<Op::LIST_APPEND, Op::LIST_EXTEND, Op::SET_ADD, Op::SET_UPDATE, Op::MAP_ADD, Op::DICT_UPDATE,
                   Op::DICT_MERGE>(op);
}

ResumeArgument result_type(const CodeTree& tree, const CodeObject& object, const Instruction& insn) {
  switch (insn.op) {
    case Op::BUILD_LIST: return ResumeArgument::kList;
    case Op::BUILD_MAP:
    case Op::BUILD_CONST_KEY_MAP: return ResumeArgument::kDict;
    case Op::BUILD_SET: return ResumeArgument::kSet;
    case Op::BUILD_STRING:
    case Op::CONVERT_VALUE:
    case Op::FORMAT_VALUE:
    case Op::FORMAT_SIMPLE:
    case Op::FORMAT_WITH_SPEC: return ResumeArgument::kText;
    case Op::LOAD_CONST: {
      const bool text = std::holds_alternative<ConstStr>(tree.consts[object.consts[insn.arg]]);
      return text ? ResumeArgument::kText : ResumeArgument::kUnknown;
    }
    default: return ResumeArgument::kUnknown;
  }
}

// The abstract domain for StackFlow.
struct Arguments {
  const CodeTree& tree;
  const CodeObject& object;
  const Cfg& cfg;

  [[nodiscard]] std::uint32_t pushed(Position at, std::uint32_t, const AbstractStack& before) const {
    const Instruction& insn = cfg.blocks[at.block].code[at.at];
    const auto pops = static_cast<std::size_t>(effect(tree.version, insn, false).pops);
    if (adds_to_container(insn.op)) return pops <= before.size() ? before[before.size() - pops] : kUnknown;
    if (insn.op == Op::LOAD_FAST) return insn.arg < parameter_count(object) ? kParameter | insn.arg : kUnknown;
    return static_cast<std::uint32_t>(result_type(tree, object, insn));
  }
  [[nodiscard]] static std::uint32_t raised(BlockId, std::uint32_t) { return kUnknown; }
  [[nodiscard]] static std::uint32_t met(BlockId) { return kUnknown; }
  // After a COPY two stack entries refer to the container, so it is no longer the only reference.
  [[nodiscard]] static std::uint32_t copied(std::uint32_t entry) {
    const bool same = (entry & kParameter) != 0 || entry == static_cast<std::uint32_t>(ResumeArgument::kText);
    return same ? entry : kUnknown;
  }
};

enum class Side : bool { kBefore, kAfter };

// Returns the abstract stack before or after the instruction at byte offset `offset`, joined over all blocks that
// contain it. Returns nullopt if no block does, or if the depths differ.
std::optional<AbstractStack> stack_at(const CodeTree& tree, CodeId code, const Cfg& cfg, std::uint32_t offset,
                                      Side side) {
  const StackFlow<Arguments> flow(cfg, tree.version, {tree, tree.codes[code], cfg});
  std::optional<AbstractStack> joined;
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    const auto& insns = cfg.blocks[BlockId{b}].code;
    const auto at = std::ranges::find(insns, offset, &Instruction::offset);
    if (at == insns.end()) continue;
    AbstractStack stack = flow.entry(BlockId{b});
    auto end = at;
    while (side == Side::kAfter && end != insns.end() && end->offset == offset) ++end;
    for (std::uint32_t i = 0; insns.begin() + i != end; ++i) flow.carry_out({BlockId{b}, i}, false, stack);
    if (!joined) joined = stack;
    if (joined->size() != stack.size()) return std::nullopt;
    for (std::size_t i = 0; i < stack.size(); ++i)
      if ((*joined)[i] != stack[i]) (*joined)[i] = kUnknown;
  }
  return joined;
}

// Returns the index of the jump that ends the prologue. The prologue loads parameters and enters context managers;
// returns nullopt if any other jump or a terminator comes first.
std::optional<std::uint32_t> end_of_prologue(const Bytecode& bytecode) {
  for (std::uint32_t i = 0; i < bytecode.code.size(); ++i) {
    const Op op = bytecode.code[i].op;
    if (op == Op::JUMP) return i;
    const bool sets_up = op == Op::SETUP_FINALLY || op == Op::SETUP_WITH || op == Op::SETUP_ASYNC_WITH;
    if ((is_jump(op) && !sets_up) || is_terminator(op)) return std::nullopt;
  }
  return std::nullopt;
}

// Returns the code with instructions 0..end replaced by NOPs, which is the original function's code.
Bytecode without_prologue(std::uint32_t end, const Bytecode& bytecode) {
  Bytecode out = bytecode;
  for (std::uint32_t i = 0; i <= end; ++i) {
    Instruction nop;
    nop.offset = out.code[i].offset;
    nop.op = Op::NOP;
    out.code[i] = nop;
  }
  std::erase_if(out.handlers, [&](ExceptionEntry& row) {
    row.start = std::max(row.start, end + 1);
    return row.start >= row.end;
  });
  return out;
}

// Counts, for each local variable, the instructions of the reachable code that refer to it.
std::vector<std::uint32_t> count_uses(const Cfg& cfg, std::size_t locals) {
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
  const auto end = end_of_prologue(bytecode);
  if (!end) return {};
  const Instruction& landing = bytecode.code[bytecode.code[*end].target];
  const auto running = build_cfg(tree, code, bytecode, dialect, limits);
  const auto skipped = build_cfg(tree, code, without_prologue(*end, bytecode), dialect, limits);
  if (!running || !skipped) return {};
  std::optional<AbstractStack> pushed_stack;  // before the jump: other paths may join at its target
  for (auto i = *end; i-- > 0 && !pushed_stack;)
    pushed_stack = stack_at(tree, code, *running, bytecode.code[i].offset, Side::kAfter);
  const auto original_stack = stack_at(tree, code, *skipped, landing.offset, Side::kBefore);
  if (!pushed_stack || !original_stack || pushed_stack->size() != original_stack->size()) return {};
  const auto use_counts = count_uses(*running, local_names(object).size());
  std::vector<ResumeArgument> out(local_names(object).size(), ResumeArgument::kUnknown);
  for (std::size_t i = 0; i < original_stack->size(); ++i) {
    const auto parameter = (*pushed_stack)[i] & ~kParameter;
    const bool is_known = (*pushed_stack)[i] != parameter && (*original_stack)[i] < kParameter;
    if (is_known && use_counts[parameter] == 1) out[parameter] = static_cast<ResumeArgument>((*original_stack)[i]);
  }
  return out;
}

}  // namespace depyf::dynamo
