// SPDX-License-Identifier: MIT
// One copy of all code that no run can tell apart.
//
// Positions (instructions, and blocks without any) are put into classes: the same instruction under the same handler,
// with successors of the same classes (Moore's partition refinement). Each class then becomes one position. A test and
// its opposite are of one class, with their successors exchanged. What lies on the stack must have been put there by the
// same kind of operation, so that each entry keeps its role (NULL, iterator, context manager ...).
#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "cfg/tidy.h"
#include "deopt/deopt.h"
#include "deopt/stack_flow.h"

namespace depyf::deopt {

namespace {

constexpr std::uint32_t kNowhere = 0xFFFFFFFF;
constexpr int kRounds = 1000;

struct Place {
  BlockId block;
  std::uint32_t index = 0;                         // in the block; of an empty block: 0
  std::uint32_t next = kNowhere, jump = kNowhere;  // positions; of a test: where it holds, where it does not
  std::uint32_t handler = kNowhere, phantom = kNowhere;
  std::uint32_t roles = 0;  // the stack before it, as a number
};

// Whether an operation pushes ordinary values, which all have the same role.
bool pushes_values(Op op) {
  return !is_one_of<Op::PUSH_NULL, Op::LOAD_METHOD, Op::LOAD_SUPER_METHOD, Op::LOAD_BUILD_CLASS, Op::LOAD_CLOSURE,
                    Op::LOAD_FAST_AND_CLEAR, Op::MAKE_FUNCTION, Op::SET_FUNCTION_ATTRIBUTE, Op::IMPORT_NAME,
                    Op::IMPORT_FROM, Op::GET_ITER, Op::GET_AITER, Op::GET_ANEXT, Op::FOR_ITER, Op::UNPACK_SEQUENCE,
                    Op::UNPACK_EX, Op::BEFORE_WITH, Op::BEFORE_ASYNC_WITH, Op::SETUP_WITH, Op::LOAD_SPECIAL,
                    Op::WITH_EXCEPT_START, Op::PUSH_EXC_INFO, Op::CHECK_EXC_MATCH, Op::CHECK_EG_MATCH, Op::EXC_MATCH>(
      op);
}

// What pushed an entry of the stack; 0: an ordinary value.
class Roles {
 public:
  Roles(const Cfg& cfg, const CodeTree& tree, CodeId code)
      : cfg_(cfg), names_lie_above_(dialect_of(tree.version).qualname_operand) {
    for (const ConstId c : tree.codes[code].consts)
      makes_functions_.push_back(std::holds_alternative<ConstCode>(tree.consts[c]));
  }
  [[nodiscard]] static std::uint32_t raised(BlockId) { return role(Op::PUSH_EXC_INFO, 0); }
  [[nodiscard]] static std::uint32_t met(BlockId) { return 0xFFFFFFFF; }
  // What code a function is made of is known before it is made, and with it what attributes it gets.
  [[nodiscard]] std::uint32_t pushed(Position at, std::uint32_t nth, const AbstractStack& before) const {
    const Instruction& insn = cfg_.blocks[at.block].code[at.at];
    if (insn.op == Op::LOAD_CONST && insn.arg < makes_functions_.size() && makes_functions_[insn.arg])
      return role(insn.op, insn.arg);
    if (insn.op == Op::FOR_ITER && nth == 0 && !before.empty()) return before.back();  // the iterator stays
    const std::size_t below = insn.op == Op::MAKE_FUNCTION && names_lie_above_ ? 2 : 1;
    if ((insn.op == Op::MAKE_FUNCTION || insn.op == Op::SET_FUNCTION_ATTRIBUTE) && before.size() >= below &&
        before[before.size() - below] != 0)
      return before[before.size() - below];
    return pushes_values(insn.op) ? 0 : role(insn.op, nth);
  }

 private:
  static std::uint32_t role(Op op, std::uint32_t which) { return 1 + which * 256 + static_cast<std::uint32_t>(op); }

  const Cfg& cfg_;
  std::vector<bool> makes_functions_;  // by constant: it is code
  bool names_lie_above_;               // a function's name, above its code
};

class Refinement {
 public:
  Refinement(const Cfg& cfg, const CodeTree& tree, CodeId code) : cfg_(cfg) {
    for (std::uint32_t i = 0; i < cfg.blocks.size(); ++i) {
      first_.push_back(static_cast<std::uint32_t>(at_.size()));
      const auto size = std::max<std::size_t>(1, cfg.blocks[BlockId{i}].code.size());
      for (std::uint32_t k = 0; k < size; ++k) at_.push_back({BlockId{i}, k});
    }
    const auto start = [&](BlockId b) { return b.valid() ? first_[b.n] : kNowhere; };
    for (std::uint32_t p = 0; p < at_.size(); ++p) {
      auto& x = at_[p];
      const auto& b = cfg.blocks[x.block];
      x.handler = start(b.handler.block);
      if (x.index + 1 < b.code.size()) {
        x.next = p + 1;
      } else {
        x.next = start(b.fall);
        x.jump = start(b.jump);
        x.phantom = start(b.phantom);
        if (!b.code.empty() && either_polarity(b.code.back().op) != b.code.back().op) std::swap(x.next, x.jump);
      }
    }
    find_roles(tree, code);
  }

  // The graph with one position for each class; nothing if there are as many classes as positions.
  std::optional<Cfg> quotient(Version version) {
    if (!refine()) return std::nullopt;
    Cfg out = cfg_;
    MergedPositions merged(out, version);
    std::vector<std::uint32_t> first(classes_, kNowhere);  // position of each class
    for (std::uint32_t p = 0; p < at_.size(); ++p) {
      auto& kept = first[class_[p]];
      if (kept == kNowhere) kept = p;
      if (kept != p) merged.join({at_[kept].block, at_[kept].index}, {at_[p].block, at_[p].index}, Kept::kFirst);
    }
    (void)merged.apply();
    tidy(out, CodeOrder::kSaysNothing);
    return out;
  }

 private:
  // What lies on the stack at each position.
  void find_roles(const CodeTree& tree, CodeId code) {
    const StackFlow<Roles> flow(cfg_, tree.version, Roles(cfg_, tree, code));
    std::map<std::vector<std::uint32_t>, std::uint32_t> known;
    AbstractStack stack;
    for (auto& x : at_) {
      if (x.index == 0) stack = flow.entry(x.block);
      x.roles = known.try_emplace({stack.begin(), stack.end()}, static_cast<std::uint32_t>(known.size())).first->second;
      if (x.index < cfg_.blocks[x.block].code.size()) flow.carry_out({x.block, x.index}, false, stack);
    }
  }

  const Instruction* instruction(const Place& x) const {
    const auto& code = cfg_.blocks[x.block].code;
    return code.empty() ? nullptr : &code[x.index];
  }

  // False: the classes are still too few.
  bool refine() {
    using Local = std::tuple<int, std::uint32_t, int, std::uint32_t, std::uint32_t, bool, bool, bool, int>;
    std::map<Local, std::uint32_t> local;
    class_.resize(at_.size());
    for (std::uint32_t p = 0; p < at_.size(); ++p) {
      const auto& x = at_[p];
      const auto& b = cfg_.blocks[x.block];
      const auto* insn = instruction(x);
      const int op = insn != nullptr ? static_cast<int>(either_polarity(insn->op)) : -1;
      const bool first = x.index == 0, last = x.index + 1 >= b.code.size();
      const Local key{op,
                      insn != nullptr && arg_kind(insn->op) != ArgKind::Jump ? insn->arg : 0,
                      insn != nullptr ? insn->flags : 0,
                      x.roles,
                      b.handler.depth,
                      b.handler.lasti,
                      first && b.is_handler,
                      last && b.has_phantom,
                      first ? b.entered : 0};
      class_[p] = local.try_emplace(key, static_cast<std::uint32_t>(local.size())).first->second;
    }
    classes_ = static_cast<std::uint32_t>(local.size());
    const auto of = [&](std::uint32_t p) { return p == kNowhere ? kNowhere : class_[p]; };
    for (int round = 0; round < kRounds; ++round) {
      std::map<std::array<std::uint32_t, 5>, std::uint32_t> finer;
      std::vector<std::uint32_t> now(at_.size());
      for (std::uint32_t p = 0; p < at_.size(); ++p) {
        const auto& x = at_[p];
        const std::array<std::uint32_t, 5> key{class_[p], of(x.next), of(x.jump), of(x.handler), of(x.phantom)};
        now[p] = finer.try_emplace(key, static_cast<std::uint32_t>(finer.size())).first->second;
      }
      const bool done = finer.size() == classes_;
      classes_ = static_cast<std::uint32_t>(finer.size());
      class_ = std::move(now);
      if (done) return classes_ < at_.size();
    }
    return false;
  }

  const Cfg& cfg_;
  std::vector<std::uint32_t> first_;  // by block: its first position
  std::vector<Place> at_;
  std::vector<std::uint32_t> class_;
  std::uint32_t classes_ = 0;
};

}  // namespace

std::optional<Cfg> bisimulation_quotient(const Cfg& cfg, const CodeTree& tree, CodeId code) {
  return Refinement(cfg, tree, code).quotient(tree.version);
}

}  // namespace depyf::deopt
