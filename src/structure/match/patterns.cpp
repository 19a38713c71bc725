// SPDX-License-Identifier: MIT
// Symbolic execution of a pattern's tests; see patterns.h.
//
// The stack holds what CPython's holds, each entry saying which part of the pattern it represents; rotations need no
// meaning of their own. An or-pattern is recognised by where the first test of its first alternative fails to: another
// copy of the same value. Its alternatives end where they meet, or in equal copies of a small exit block.
#include "structure/match/patterns.h"

#include <algorithm>

namespace depyf::structure {

PatternReader::PatternReader(lift::Unit& unit, lift::Lifter& lifter, Cfg& cfg)
    : unit_(unit), lifter_(lifter), cfg_(cfg) {
  count_edges();
}

void PatternReader::count_edges() {
  edges_in_.assign(cfg_.blocks.size(), 0);
  is_reached_.assign(cfg_.blocks.size(), false);
  std::vector<std::uint32_t> todo{0};
  is_reached_[0] = true;
  const auto reach = [&](BlockId b) {
    if (!b.valid() || is_reached_[b.n]) return;
    is_reached_[b.n] = true;
    todo.push_back(b.n);
  };
  while (!todo.empty()) {
    const auto& b = block(todo.back());
    todo.pop_back();
    for (BlockId s : {b.fall, b.jump})
      if (s.valid()) ++edges_in_[s.n];
    reach(b.fall);
    reach(b.jump);
    reach(b.handler.block);
  }
}

const Instruction* PatternReader::at(const Place& p) const {
  const auto& code = block(p.block).code;
  return p.at < code.size() ? &code[p.at] : nullptr;
}

// Never over a whole block that other handlers protect than what follows it: the body of `try: pass; finally: ...`.
Place PatternReader::settle(Place p) const {
  Place first = p;  // in its block
  for (std::size_t i = 0; i < cfg_.blocks.size() + 1;) {
    const auto* insn = at(p);
    if (insn != nullptr && insn->op == Op::NOP) {
      ++p.at;
      continue;
    }
    const auto& b = block(p.block);
    if (insn != nullptr || !b.fall.valid() || b.jump.valid()) return p;
    const Place next{b.fall.n, 0};
    if (!(b.handler == block(next.block).handler)) return first.at == 0 ? first : next;
    p = first = next;
    ++i;
  }
  return p;
}

std::uint32_t PatternReader::node() {
  nodes_.emplace_back();
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

std::optional<ReadCase> PatternReader::read(Place start, bool keeps_subject, bool drop_follows) {
  nodes_.clear();
  merged_.clear();
  blocks_ = {start.block};
  nesting_ = 0;
  steps_ = 0;
  const auto* first = at(start);
  if (first == nullptr) return std::nullopt;
  origin_ = {ast::Origin{}.code, first->offset};
  Thread t;
  t.at = start;
  Slot root;
  root.node = node();
  if (keeps_subject) {
    if (first->op != Op::COPY || first->arg != 1) return std::nullopt;
    Slot subject;
    subject.kind = Slot::Kind::kSubject;
    t.stack.push_back(subject);
    ++t.at.at;
  }
  t.stack.push_back(root);
  const std::size_t base = keeps_subject ? 1 : 0;
  if (run(t, false, base) != Stop::kDone) return std::nullopt;
  ReadCase out;
  out.keeps_subject = keeps_subject;
  out.body = t.at;
  out.refutable = !t.failures.empty();
  if (out.refutable) {
    if (!meet(t.failures, base, out.failed)) return std::nullopt;
    const auto* next = at(settle(out.failed));
    if (keeps_subject && !drop_follows && next != nullptr && next->op == Op::POP_TOP) return std::nullopt;
  }
  const auto pattern = build(root.node, 0);
  if (!pattern) return std::nullopt;
  out.pattern = *pattern;
  out.blocks = std::move(blocks_);
  return out;
}

// ---------------------------------------------------------------- execution
PatternReader::Stop PatternReader::run(Thread& t, bool alternative, std::size_t base) {
  for (;;) {
    if (++steps_ > 200000) return Stop::kBroken;
    if (!alternative && t.stack.size() <= base) return Stop::kDone;
    if (t.left) return Stop::kBroken;
    if (alternative && edges_in_[t.at.block] > 1 && t.at.at == 0 && t.at != t.joined) return Stop::kJoin;
    if (alternative && exits(t.at.block)) return Stop::kExit;
    const auto& b = block(t.at.block);
    if (t.at.at >= b.code.size()) {
      if (b.jump.valid() || !b.fall.valid()) return Stop::kBroken;
      if (!enter(t, b.fall)) return Stop::kBroken;
      if (edges_in_[t.at.block] > 1 && !alternative) return Stop::kBroken;
      continue;
    }
    const bool jumps = is_jump(b.code[t.at.at].op);
    if (!step(t)) return Stop::kBroken;
    if (jumps && !alternative && t.stack.size() > base && edges_in_[t.at.block] > 1) return Stop::kBroken;
  }
}

bool PatternReader::run_to(Thread& t, Place end) {
  while (t.at != end)
    if (++steps_ > 200000 || !step(t)) return false;
  return true;
}

bool PatternReader::enter(Thread& t, BlockId to) {
  t.left = !(block(to.n).handler == block(t.at.block).handler);
  t.at = {to.n, 0};
  blocks_.push_back(to.n);
  return true;
}

bool PatternReader::step(Thread& t) {
  const Instruction insn = *at(t.at);
  switch (insn.op) {
    case Op::NOP: ++t.at.at; return true;
    case Op::COPY: return copy(t, insn);
    case Op::POP_JUMP_IF_FALSE:
    case Op::POP_JUMP_IF_TRUE:
    case Op::POP_JUMP_IF_NONE:
    case Op::POP_JUMP_IF_NOT_NONE: return branch(t, insn);
    default: break;
  }
  // variables that were added to the program's own are no pattern's
  if (arg_kind(insn.op) == ArgKind::Local && insn.arg >= local_names(lifter_.co).size()) return false;
  using Family = bool (PatternReader::*)(Thread&, const Instruction&);
  static constexpr Family kFamilies[] = {&PatternReader::stack_step, &PatternReader::test_step,
                                         &PatternReader::pick_step,  &PatternReader::mapping_step,
                                         &PatternReader::class_step, &PatternReader::operand_step};
  for (auto family : kFamilies)
    if ((this->*family)(t, insn)) {
      ++t.at.at;
      return true;
    }
  return false;
}

// ---------------------------------------------------------------- or-patterns
// The copy at t.at is an alternative's: where it fails, the value is still there and copied again.
bool PatternReader::is_alternative(const Thread& t) const {
  Place p = t.at;
  std::size_t depth = t.stack.size();
  const std::size_t own = depth;
  for (std::size_t guard = 0; guard < 64; ++guard) {
    if (!first_failure(p, depth, own)) return false;
    for (std::size_t i = 0; i < 4096; ++i) {
      p = settle(p);
      const auto* insn = at(p);
      if (insn == nullptr) return false;
      if (insn->op != Op::POP_TOP || depth <= own) break;
      --depth;
      ++p.at;
    }
    const auto* insn = at(p);
    const bool again = insn->op == Op::COPY && insn->arg == 1;
    if (depth <= own) return depth == own && again;
    if (!again) return false;
  }
  return false;
}

// Moves p to where the first test from there on fails to. Up to it, the `own` entries of the stack stay there: no
// more of a function is looked at than one pattern.
bool PatternReader::first_failure(Place& p, std::size_t& depth, std::size_t own) const {
  for (std::size_t i = 0; i < 4096; ++i) {
    const auto& b = block(p.block);
    if (p.at >= b.code.size()) {
      if (!b.fall.valid() || b.jump.valid()) return false;
      p = {b.fall.n, 0};
      continue;
    }
    const auto& insn = b.code[p.at];
    const Effect e = effect(unit_.dialect.version, insn, false);
    if (static_cast<std::int64_t>(depth) < e.pops) return false;
    depth = static_cast<std::size_t>(static_cast<std::int64_t>(depth) - e.pops + e.pushes);
    if (depth < own) return false;
    if (b.jump.valid() && p.at + 1 == b.code.size()) {
      // MATCH_CLASS or MATCH_KEYS; COPY 1; a jump: None says that it does not match. Else `case None`.
      const auto before = p.at > 1 && b.code[p.at - 1].op == Op::COPY ? b.code[p.at - 2].op : Op::NOP;
      const bool matches = before == Op::MATCH_CLASS || before == Op::MATCH_KEYS;
      bool falls = insn.op == Op::POP_JUMP_IF_TRUE;
      if (insn.op == Op::POP_JUMP_IF_NONE) falls = !matches;
      if (insn.op == Op::POP_JUMP_IF_NOT_NONE) falls = matches;
      p = {falls ? b.fall.n : b.jump.n, 0};
      return true;
    }
    ++p.at;
  }
  return false;
}

bool PatternReader::alternatives(Thread& t) {
  if (++nesting_ > 60) return false;
  const auto depth = t.stack.size();
  const auto id = t.stack.back().node;
  nodes_[id].kind = Node::Kind::kOr;
  std::vector<Thread> ends;
  std::vector<Stop> how;
  for (Place start = t.at;;) {
    Thread a;
    a.stack = t.stack;
    Slot item;
    item.node = node();
    nodes_[id].items.push_back(item.node);
    a.stack.push_back(item);
    a.at = {start.block, start.at + 1};
    const Stop stop = run(a, true, depth);
    if (stop != Stop::kJoin && stop != Stop::kExit) return false;
    auto failures = std::move(a.failures);
    a.failures.clear();
    ends.push_back(std::move(a));
    how.push_back(stop);
    if (failures.empty()) break;
    Place next;
    if (!meet(failures, depth, next)) return false;
    next = settle(next);
    const auto* insn = at(next);
    if (insn == nullptr || insn->op != Op::COPY || insn->arg != 1) {
      t.failures.push_back({next, depth});
      break;
    }
    start = next;
    blocks_.push_back(start.block);
  }
  --nesting_;
  return ends.size() >= 2 && join(t, ends, how);
}

// Equal instructions at the end of blocks that end the function.
std::size_t PatternReader::common_suffix(const std::vector<Thread>& ends) const {
  static constexpr std::size_t kMost =
      6;  // MAX_COPY_SIZE in Python/flowgraph.c, and what one of its instructions may be
  std::size_t n = 0;
  for (; n < kMost; ++n) {
    const auto& first = block(ends[0].at.block).code;
    for (const auto& e : ends) {
      const auto& code = block(e.at.block).code;
      if (code.size() - e.at.at <= n) return n;
      const auto &x = code[code.size() - 1 - n], &y = first[first.size() - 1 - n];
      if (x.op != y.op || x.arg != y.arg || x.flags != y.flags) return n;
    }
  }
  return n;
}

bool PatternReader::join(Thread& t, std::vector<Thread>& ends, const std::vector<Stop>& how) {
  for (auto stop : how)
    if (stop != how[0]) return false;
  if (how[0] == Stop::kJoin) {
    for (const auto& e : ends)
      if (e.at != ends[0].at) return false;
    if (edges_in_[ends[0].at.block] != ends.size()) return false;
  } else {
    const auto suffix = common_suffix(ends);
    for (auto& e : ends) {
      const auto size = block(e.at.block).code.size();
      if (!run_to(e, {e.at.block, static_cast<std::uint32_t>(size - suffix)})) return false;
    }
  }
  const auto depth = t.stack.size();
  std::vector<Slot> stack(ends[0].stack.begin(),
                          ends[0].stack.begin() + static_cast<std::ptrdiff_t>(std::min(depth, ends[0].stack.size())));
  for (const auto& e : ends) {
    if (e.stack.size() != ends[0].stack.size() || e.stack.size() < depth) return false;
    for (std::size_t i = 0; i < depth; ++i)
      if (e.stack[i].kind != t.stack[i].kind || e.stack[i].node != t.stack[i].node) return false;
  }
  for (std::size_t i = depth; i < ends[0].stack.size(); ++i) {
    Slot merged;
    merged.kind = Slot::Kind::kMerged;
    merged.node = static_cast<std::uint32_t>(merged_.size());
    std::vector<Slot> each;
    for (const auto& e : ends) each.push_back(e.stack[i]);
    merged_.push_back(std::move(each));
    stack.push_back(merged);
  }
  t.stack = std::move(stack);
  t.at = t.joined = ends[0].at;
  return true;
}

// ---------------------------------------------------------------- failures
Place PatternReader::after_pops(Place p, std::size_t from, std::size_t to) const {
  while (from > to) {
    p = settle(p);
    const auto* insn = at(p);
    if (insn == nullptr || insn->op != Op::POP_TOP) return {};
    ++p.at;
    --from;
  }
  return settle(p);
}

// One place, or equal copies of a short end of the function.
bool PatternReader::same(const Place& a, const Place& b) const {
  if (a == b) return true;
  if (!exits(a.block) || !exits(b.block)) return false;
  const auto &x = block(a.block).code, &y = block(b.block).code;
  if (!(block(a.block).handler == block(b.block).handler) || x.size() - a.at != y.size() - b.at) return false;
  for (std::size_t i = 0; i + a.at < x.size(); ++i)
    if (x[a.at + i].op != y[b.at + i].op || x[a.at + i].arg != y[b.at + i].arg ||
        x[a.at + i].flags != y[b.at + i].flags)
      return false;
  return true;
}

bool PatternReader::meet(const std::vector<Failure>& failures, std::size_t depth, Place& out) const {
  out = {};
  for (const auto& f : failures) {
    if (f.depth < depth) return false;
    const Place p = after_pops(f.to, f.depth, depth);
    if (p.block == kNone) return false;
    if (out.block == kNone)
      out = p;
    else if (!same(out, p))
      return false;
  }
  return out.block != kNone;
}

}  // namespace depyf::structure
