// SPDX-License-Identifier: MIT
// Merges all code that no execution can distinguish: computes the coarsest bisimulation of the graph's positions and
// keeps one position of each class.
//
// A position is an instruction or an empty block. Two positions start in one class if they have the same instruction
// under the same kind of handler, and the same roles on the operand stack: each entry (NULL, iterator, context manager,
// ordinary value ...) was pushed by the same kind of operation. Moore's partition refinement then splits classes until
// their members have successors in equal classes. A conditional jump and its inverse are in one class, with their
// successors exchanged.
#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "cfg/stack_flow.h"
#include "cfg/tidy.h"
#include "deopt/deopt.h"
#include "deopt/merged_positions.h"

namespace depyf::deopt {

namespace {

constexpr std::uint32_t kNowhere = 0xFFFFFFFF;
constexpr int kRounds = 1000;

// Returns whether the operation pushes only ordinary values, which all have one role.
bool pushes_ordinary_values(Op op) {
  return !is_one_of<Op::PUSH_NULL, Op::LOAD_METHOD, Op::LOAD_SUPER_METHOD, Op::LOAD_BUILD_CLASS, Op::LOAD_CLOSURE,
                    Op::LOAD_FAST_AND_CLEAR, Op::MAKE_FUNCTION, Op::SET_FUNCTION_ATTRIBUTE, Op::IMPORT_NAME,
                    Op::IMPORT_FROM, Op::GET_ITER, Op::GET_AITER, Op::GET_ANEXT, Op::FOR_ITER, Op::UNPACK_SEQUENCE,
                    Op::UNPACK_EX, Op::BEFORE_WITH, Op::BEFORE_ASYNC_WITH, Op::SETUP_WITH, Op::LOAD_SPECIAL,
                    Op::WITH_EXCEPT_START, Op::PUSH_EXC_INFO, Op::CHECK_EXC_MATCH, Op::CHECK_EG_MATCH, Op::EXC_MATCH>(
      op);
}

// The domain of StackFlow: the role of a stack entry, by the operation that pushed it; 0 for an ordinary value.
class Roles {
 public:
  Roles(const Cfg& cfg, const CodeTree& tree, CodeId code)
      : cfg_(cfg), name_above_code_(dialect_of(tree.version).qualname_operand) {
    for (const ConstId c : tree.codes[code].consts)
      has_role_.push_back(std::holds_alternative<ConstCode>(tree.consts[c]) ||
                          std::holds_alternative<ConstTuple>(tree.consts[c]));
  }
  [[nodiscard]] static std::uint32_t raised(BlockId, std::uint32_t) { return role(Op::PUSH_EXC_INFO, 0); }
  [[nodiscard]] static std::uint32_t met(BlockId) { return 0xFFFFFFFF; }
  // The code constant of a function gives its entry a role of its own, which MAKE_FUNCTION and SET_FUNCTION_ATTRIBUTE
  // pass on: which attributes the function gets depends on the code. So does the tuple that may name the keywords of a
  // call: text names them only if the tuple is known.
  [[nodiscard]] std::uint32_t pushed(Position at, std::uint32_t nth, const AbstractStack& before) const {
    const Instruction& insn = cfg_.blocks[at.block].code[at.at];
    if (insn.op == Op::LOAD_CONST && insn.arg < has_role_.size() && has_role_[insn.arg]) return role(insn.op, insn.arg);
    // FOR_ITER leaves the iterator in place.
    if (insn.op == Op::FOR_ITER && nth == 0 && !before.empty()) return before.back();
    if ((insn.flags & kInPlace) != 0) return role(insn.op, insn.arg);  // only the augmented assignment can store it
    const std::size_t below = insn.op == Op::MAKE_FUNCTION && name_above_code_ ? 2 : 1;
    if ((insn.op == Op::MAKE_FUNCTION || insn.op == Op::SET_FUNCTION_ATTRIBUTE) && before.size() >= below &&
        before[before.size() - below] != 0)
      return before[before.size() - below];
    return pushes_ordinary_values(insn.op) ? 0 : role(insn.op, nth);
  }

 private:
  static std::uint32_t role(Op op, std::uint32_t which) { return 1 + which * 256 + static_cast<std::uint32_t>(op); }

  const Cfg& cfg_;
  std::vector<bool> has_role_;  // by index in co_consts: whether it is a code object or a tuple
  bool name_above_code_;        // the qualified name is above the code of MAKE_FUNCTION
};

// Returns the number of a key; a new key gets the next number.
template <class Numbers>
std::uint32_t number_of(Numbers& known, const typename Numbers::key_type& key) {
  return known.try_emplace(key, static_cast<std::uint32_t>(known.size())).first->second;
}

// Numbers abstract stacks so that equal stacks have equal numbers, as in hash consing: a stack is an entry above a
// stack that already has a number.
class StackNumbers {
 public:
  // Returns the number of `stack`, whose first `kept` entries are those of the stack in the call before.
  std::uint32_t of(const AbstractStack& stack, std::size_t kept) {
    below_.resize(kept);
    for (std::size_t i = kept; i < stack.size(); ++i)
      below_.push_back(1 + number_of(known_, {below_.empty() ? 0 : below_.back(), stack[i]}));
    return below_.empty() ? 0 : below_.back();
  }

 private:
  std::map<std::array<std::uint32_t, 2>, std::uint32_t> known_;  // (number of the stack below, entry) to number
  std::vector<std::uint32_t> below_;                             // by depth: the number of the stack up to that entry
};

using Successors = std::array<std::uint32_t, 4>;  // fall-through, jump (exchanged for a negated test), handler, phantom

// Splits classes until all members of a class have successors in equal classes. `count` is the number of classes at the
// start; returns the number at the end, or nullopt after too many rounds.
std::optional<std::size_t> refine(const std::vector<Successors>& successors, std::vector<std::uint32_t>& classes,
                                  std::size_t count) {
  for (int round = 0; round < kRounds; ++round) {
    std::map<std::array<std::uint32_t, 5>, std::uint32_t> finer;
    std::vector<std::uint32_t> new_classes;
    for (std::size_t p = 0; p < classes.size(); ++p) {
      std::array<std::uint32_t, 5> key{classes[p]};
      std::ranges::transform(successors[p], key.begin() + 1, [&](auto s) { return s == kNowhere ? s : classes[s]; });
      new_classes.push_back(number_of(finer, key));
    }
    classes = std::move(new_classes);
    if (std::exchange(count, finer.size()) == finer.size()) return count;
  }
  return std::nullopt;
}

// Returns the graph with one position for each class. `at` lists the positions, `classes` their classes, and `within`
// tells those that stay apart unless code that begins before them is merged.
Cfg quotient(Cfg cfg, Version version, const std::vector<Position>& at, const std::vector<std::uint32_t>& classes,
             const std::vector<bool>& within) {
  MergedPositions merged(cfg, version);
  std::map<std::uint32_t, Position> firsts;  // by class
  for (std::size_t p = 0; p < at.size(); ++p) {
    if (within[p]) continue;
    if (const auto [it, is_first] = firsts.try_emplace(classes[p], at[p]); !is_first)
      merged.join(it->second, at[p], Kept::kFirst);
  }
  (void)merged.apply();
  tidy(cfg, CodeOrder::kArbitrary);
  return cfg;
}

}  // namespace

std::optional<Cfg> bisimulation_quotient(const Cfg& cfg, const CodeTree& tree, CodeId code, Merged which) {
  std::vector<Position> at;
  std::vector<std::uint32_t> firsts;  // by block: the number of its first position
  for (std::uint32_t i = 0; i < cfg.blocks.size(); ++i) {
    firsts.push_back(static_cast<std::uint32_t>(at.size()));
    const auto size = std::max<std::size_t>(1, cfg.blocks[BlockId{i}].code.size());
    for (std::uint32_t k = 0; k < size; ++k) at.push_back({BlockId{i}, k});
  }
  const auto start = [&](BlockId b) { return b.valid() ? firsts[b.n] : kNowhere; };
  const StackFlow<Roles> flow(cfg, tree.version, Roles(cfg, tree, code));
  AbstractStack stack;
  StackNumbers stacks;
  std::size_t kept = 0;
  std::map<std::array<std::uint32_t, 10>, std::uint32_t>
      initial;  // the initial classes, by stack, instruction and handler
  std::vector<Successors> successors;
  std::vector<std::uint32_t> classes;
  std::vector<bool> within;  // by position: a statement that began in the same block, if merging starts at statements
  for (const auto [block, k] : at) {
    const auto& b = cfg.blocks[block];
    const bool is_empty = b.code.empty(), is_first = k == 0, is_last = k + 1 >= b.code.size();
    const auto insn = is_empty ? Instruction{} : b.code[k];
    const auto op = either_polarity(insn.op);
    if (is_first) stack = flow.entry(block);
    within.push_back(which == Merged::kStatements && !is_first && std::ranges::find(stack, 0U) != stack.end());
    const std::uint32_t before = stacks.of(stack, is_first ? 0 : kept);
    classes.push_back(number_of(
        initial,
        {before, std::uint32_t{is_empty}, static_cast<std::uint32_t>(op), arg_kind(op) != ArgKind::Jump ? insn.arg : 0,
         std::uint32_t{insn.flags}, static_cast<std::uint32_t>(b.handler.depth), std::uint32_t{b.handler.lasti},
         std::uint32_t{is_first && b.is_handler}, std::uint32_t{is_last && b.has_phantom},
         is_first ? std::uint32_t{b.entered} : 0}));
    if (!is_empty) kept = flow.carry_out({block, k}, false, stack);
    auto next = is_last ? start(b.fall) : firsts[block.n] + k + 1, jump = is_last ? start(b.jump) : kNowhere;
    if (op != insn.op) std::swap(next, jump);
    successors.push_back({next, jump, start(b.handler.block), is_last ? start(b.phantom) : kNowhere});
  }
  const auto count = refine(successors, classes, initial.size());
  if (!count || *count == at.size()) return std::nullopt;
  return quotient(cfg, tree.version, at, classes, within);
}

}  // namespace depyf::deopt
