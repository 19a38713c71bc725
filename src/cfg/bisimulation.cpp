// SPDX-License-Identifier: MIT
// One copy of duplicated code; see analysis.h.
//
// Positions (instructions, and blocks without any) are put into classes that no run can tell apart: the same instruction
// under the same handler, with successors of the same classes (Moore's partition refinement). Each class then becomes
// one position. A test and its opposite are one, with their successors exchanged. What lies on the stack must have been
// put there by the same kind of operation, so that each entry keeps its role (NULL, iterator, context manager ...).
#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "cfg/analysis.h"

namespace depyf {

namespace {

constexpr std::uint32_t kNowhere = 0xFFFFFFFF;
constexpr int kRounds = 1000;

struct Position {
  BlockId block;
  std::uint32_t index = 0;                         // in the block; of an empty block: 0
  std::uint32_t next = kNowhere, jump = kNowhere;  // positions; of a test: where it holds, where it does not
  std::uint32_t handler = kNowhere, phantom = kNowhere;
  std::uint32_t depth = 0, roles = 0;  // of the stack
};

using Roles = std::vector<std::uint32_t>;  // of entries, upwards: what pushed them; 0: an ordinary value
constexpr std::uint32_t kSeveral = 0xFFFFFFFF;

// Whether an operation pushes ordinary values, which all have the same role.
bool pushes_values(Op op) {
  return !is_one_of<Op::PUSH_NULL, Op::LOAD_METHOD, Op::LOAD_SUPER_METHOD, Op::LOAD_BUILD_CLASS, Op::LOAD_CLOSURE,
                    Op::LOAD_FAST_AND_CLEAR, Op::MAKE_FUNCTION, Op::SET_FUNCTION_ATTRIBUTE, Op::IMPORT_NAME,
                    Op::IMPORT_FROM, Op::GET_ITER, Op::GET_AITER, Op::GET_ANEXT, Op::FOR_ITER, Op::UNPACK_SEQUENCE,
                    Op::UNPACK_EX, Op::BEFORE_WITH, Op::BEFORE_ASYNC_WITH, Op::SETUP_WITH, Op::LOAD_SPECIAL,
                    Op::WITH_EXCEPT_START, Op::PUSH_EXC_INFO, Op::CHECK_EXC_MATCH, Op::CHECK_EG_MATCH, Op::EXC_MATCH>(
      op);
}

std::uint32_t role(Op op, std::uint32_t which) { return 1 + which * 256 + static_cast<std::uint32_t>(op); }

// Turns the stack before an instruction into the one after it.
void carry_out(const Instruction& insn, Version version, bool jumps, Roles& stack) {
  const auto size = stack.size();
  const auto below = [&](std::uint32_t n) -> std::uint32_t& { return stack[size - std::min<std::size_t>(n, size)]; };
  switch (insn.op) {
    case Op::SWAP:
      if (size > 0) std::swap(below(insn.arg), stack.back());
      return;
    case Op::COPY:
      if (size > 0) stack.push_back(below(insn.arg));
      return;
    case Op::JUMP_IF_FALSE_OR_POP:
    case Op::JUMP_IF_TRUE_OR_POP:
      if (!jumps && size > 0) stack.pop_back();
      return;
    case Op::FOR_ITER:
      if (!jumps || (insn.flags & kIterKept) != 0)
        stack.push_back(role(insn.op, 0));
      else if (size > 0)
        stack.pop_back();
      return;
    default: break;
  }
  Effect e = effect(version, insn, jumps);
  if (e.pops > 1 && e.pushes > 1) {  // what is read and left where it is
    const auto kept = std::min(e.pops, e.pushes);
    e.pops -= kept;
    e.pushes -= kept;
  }
  stack.resize(size - std::min<std::size_t>(static_cast<std::size_t>(e.pops), size));
  for (std::int32_t i = 0; i < e.pushes; ++i)
    stack.push_back(pushes_values(insn.op) ? 0 : role(insn.op, static_cast<std::uint32_t>(i)));
}

bool opposite(Op op) { return op == Op::POP_JUMP_IF_TRUE || op == Op::POP_JUMP_IF_NOT_NONE; }

Op plain(Op op) {
  if (op == Op::POP_JUMP_IF_TRUE) return Op::POP_JUMP_IF_FALSE;
  return op == Op::POP_JUMP_IF_NOT_NONE ? Op::POP_JUMP_IF_NONE : op;
}

class Merger {
 public:
  Merger(const Cfg& cfg, const CodeTree& tree, CodeId code)
      : cfg_(cfg), names_lie_above_(dialect_of(tree.version).qualname_operand) {
    for (const ConstId c : tree.codes[code].consts)
      makes_functions_.push_back(std::holds_alternative<ConstCode>(tree.consts[c]));
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
        if (!b.code.empty() && opposite(b.code.back().op)) std::swap(x.next, x.jump);
      }
    }
    find_roles(tree.version);
  }

  std::optional<Cfg> run() {
    if (!refine()) return std::nullopt;
    std::vector<std::uint32_t> representative(classes_, kNowhere);  // the position that represents each class
    for (std::uint32_t p = 0; p < at_.size(); ++p)
      if (representative[class_[p]] == kNowhere) representative[class_[p]] = p;
    const auto chosen = [&](std::uint32_t p) { return p == kNowhere ? kNowhere : representative[class_[p]]; };
    for (auto& x : at_)
      for (auto* to : {&x.next, &x.jump, &x.handler, &x.phantom}) *to = chosen(*to);
    return rebuilt(chosen(0));
  }

 private:
  // What lies on the stack at each position.
  void find_roles(Version version) {
    std::vector<Roles> entry(cfg_.blocks.size());
    std::vector<bool> seen(cfg_.blocks.size(), false);
    std::vector<BlockId> todo{BlockId{0}};
    seen[0] = true;
    const auto meet = [&](BlockId to, const Roles& stack) {
      if (!to.valid()) return;
      Roles now = stack;
      if (seen[to.n])
        for (std::size_t d = 0; d < std::min(now.size(), entry[to.n].size()); ++d)
          if (now[d] != entry[to.n][d]) now[d] = kSeveral;
      if (seen[to.n] && now == entry[to.n]) return;
      seen[to.n] = true;
      entry[to.n] = std::move(now);
      todo.push_back(to);
    };
    std::map<Roles, std::uint32_t> known;
    while (!todo.empty()) {
      const BlockId id = todo.back();
      todo.pop_back();
      const auto& b = cfg_.blocks[id];
      Roles stack = entry[id.n];
      if (b.handler.block.valid()) {
        Roles raised(stack.begin(), stack.begin() + std::min<std::ptrdiff_t>(b.handler.depth, std::ssize(stack)));
        raised.resize(cfg_.blocks[b.handler.block].entry_depth, role(Op::PUSH_EXC_INFO, 0));
        meet(b.handler.block, raised);
      }
      for (std::uint32_t i = 0; i < std::max<std::size_t>(1, b.code.size()); ++i) {
        auto& x = at_[first_[id.n] + i];
        x.depth = static_cast<std::uint32_t>(stack.size());
        x.roles = known.try_emplace(stack, static_cast<std::uint32_t>(known.size())).first->second;
        if (i + 1 < b.code.size()) carry(b.code[i], version, false, stack);
      }
      Roles jumped = stack;
      if (!b.code.empty()) {
        carry(b.code.back(), version, false, stack);
        carry(b.code.back(), version, true, jumped);
      }
      meet(b.fall, stack);
      meet(b.jump, jumped);
      meet(b.phantom,
           Roles(stack.begin(),
                 stack.begin() + std::min<std::ptrdiff_t>(b.phantom.valid() ? cfg_.blocks[b.phantom].entry_depth : 0,
                                                          std::ssize(stack))));
    }
  }

  // What code a function is made of is known before it is made, and with it what attributes it gets.
  void carry(const Instruction& insn, Version version, bool jumps, Roles& stack) const {
    const auto size = stack.size();
    std::uint32_t function = 0;
    if (insn.op == Op::LOAD_CONST && insn.arg < makes_functions_.size() && makes_functions_[insn.arg])
      function = role(insn.op, insn.arg);
    const bool named = insn.op == Op::MAKE_FUNCTION && names_lie_above_;
    if (insn.op == Op::SET_FUNCTION_ATTRIBUTE || (insn.op == Op::MAKE_FUNCTION && !named))
      function = size > 0 ? stack.back() : 0;
    if (named) function = size > 1 ? stack[size - 2] : 0;
    carry_out(insn, version, jumps, stack);
    if (function != 0) stack.back() = function;
  }

  const Instruction* instruction(const Position& x) const {
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
      const int op = insn != nullptr ? static_cast<int>(plain(insn->op)) : -1;
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

  Cfg rebuilt(std::uint32_t entry) const {
    std::vector<std::uint32_t> entered(at_.size(), 0);
    std::vector<bool> leads(at_.size(), false), seen(at_.size(), false);
    std::vector<std::uint32_t> todo{entry};
    leads[entry] = seen[entry] = true;
    const auto reach = [&](std::uint32_t p, bool starts) {
      if (p == kNowhere) return;
      if (starts || ++entered[p] > 1) leads[p] = true;
      if (!seen[p]) {
        seen[p] = true;
        todo.push_back(p);
      }
    };
    while (!todo.empty()) {
      const auto p = todo.back();
      todo.pop_back();
      const auto& x = at_[p];
      const bool splits = x.jump != kNowhere || instruction(x) == nullptr;
      const bool same = x.next != kNowhere && at_[x.next].handler == x.handler && handler(x) == handler(at_[x.next]);
      reach(x.next, splits || !same || instruction(at_[x.next]) == nullptr);
      reach(x.jump, true);
      reach(x.handler, true);
      reach(x.phantom, true);
    }
    std::map<std::uint32_t, BlockId> made;  // by the position that a block starts at
    Cfg out;
    out.keeps_phantoms = cfg_.keeps_phantoms;
    out.some_unreached = cfg_.some_unreached;
    for (std::uint32_t p = 0; p < at_.size(); ++p) {
      if (!seen[p] || !leads[p]) continue;
      const auto& from = cfg_.blocks[at_[p].block];
      BasicBlock b;
      b.entry_depth = at_[p].depth;
      b.handler = from.handler;
      b.is_handler = at_[p].index == 0 && from.is_handler;
      b.entered = at_[p].index == 0 ? from.entered : 0;
      made[p] = out.blocks.add(std::move(b));
    }
    const auto block = [&](std::uint32_t p) { return p == kNowhere ? BlockId{} : made.at(p); };
    for (const auto& [p, id] : made) {
      auto& b = out.blocks[id];
      auto x = p;
      for (;; x = at_[x].next) {
        if (const auto* insn = instruction(at_[x])) b.code.push_back(*insn);
        if (at_[x].next == kNowhere || leads[at_[x].next] || at_[x].jump != kNowhere) break;
      }
      const auto& last = at_[x];
      const bool swapped = !b.code.empty() && last.jump != kNowhere && opposite(b.code.back().op);
      b.fall = block(swapped ? last.jump : last.next);
      b.jump = block(swapped ? last.next : last.jump);
      b.phantom = block(last.phantom);
      b.handler.block = block(last.handler);
      b.has_phantom = last.index + 1 >= cfg_.blocks[last.block].code.size() && cfg_.blocks[last.block].has_phantom;
    }
    return out;
  }

  [[nodiscard]] std::pair<std::uint32_t, bool> handler(const Position& x) const {
    const auto& h = cfg_.blocks[x.block].handler;
    return {h.depth, h.lasti};
  }

  const Cfg& cfg_;
  std::vector<std::uint32_t> first_;  // by block: its first position
  std::vector<Position> at_;
  std::vector<bool> makes_functions_;  // by constant: it is code
  bool names_lie_above_;               // a function's name, above its code
  std::vector<std::uint32_t> class_;
  std::uint32_t classes_ = 0;
};

}  // namespace

std::optional<Cfg> bisimulation_quotient(const Cfg& cfg, const CodeTree& tree, CodeId code) {
  return Merger(cfg, tree, code).run();
}

}  // namespace depyf
