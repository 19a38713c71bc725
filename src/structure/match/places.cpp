// SPDX-License-Identifier: MIT
// Where the tests of a `case` lead; see places.h.
#include "structure/match/places.h"

namespace depyf::structure {

void Places::update(std::span<const std::uint32_t> changed) {
  std::vector<std::uint32_t> gained, lost;  // blocks whose reachability may have changed
  const bool begins = known_.empty();
  known_.resize(cfg_.blocks.size());
  if (begins) {
    known_[0].entries = 1;
    gained.push_back(0);
  }
  const auto read = [&](std::uint32_t b) {
    const BasicBlock& now = block(b);
    known_[b].fall = now.fall;
    known_[b].jump = now.jump;
    known_[b].handler = now.handler.block;
  };
  const auto lead = [&](Known from, bool is_there) {
    const auto count = [is_there](std::uint32_t& n) { is_there ? ++n : --n; };
    for (const BlockId s : {from.fall, from.jump})
      if (s.valid()) count(known_[s.n].edges_in);
    for (const BlockId s : {from.fall, from.jump, from.handler}) {
      if (!s.valid()) continue;
      count(known_[s.n].entries);
      if (known_[s.n].entries > 0 && !known_[s.n].is_reached) gained.push_back(s.n);
      if (known_[s.n].entries == 0 && known_[s.n].is_reached) lost.push_back(s.n);
    }
  };
  for (const std::uint32_t b : changed) {
    if (!known_[b].is_reached) continue;
    const Known before = known_[b];
    read(b);
    lead(known_[b], true);
    lead(before, false);
  }
  // New ways in come first: otherwise all that follows a case would be lost and gained again for each case.
  while (!gained.empty() || !lost.empty()) {
    auto& todo = gained.empty() ? lost : gained;
    const std::uint32_t b = todo.back();
    todo.pop_back();
    Known& known = known_[b];
    if (known.is_reached == (known.entries > 0)) continue;
    known.is_reached = !known.is_reached;
    if (known.is_reached) read(b);
    lead(known, known.is_reached);
  }
}

const Instruction* Places::at(const Place& p) const {
  const auto& code = block(p.block).code;
  return p.at < code.size() ? &code[p.at] : nullptr;
}

// Does not skip a whole block whose handler differs from that of the next block: the body of `try: pass; finally: ...`.
Place Places::skip_nops(Place p) const {
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

bool Places::is_alternative(Place p, std::size_t depth) const {
  const std::size_t own = depth;
  if (dialect_.drops_unused_copies && is_before_wildcard(p, depth, own)) return true;
  for (std::uint32_t tests = 0; tests < cfg_.blocks.size(); ++tests) {
    Place passed = p;
    if (!next_test(passed, depth, own, p)) return false;
    for (std::size_t i = 0; i < 4096; ++i) {
      p = skip_nops(p);
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
    if (dialect_.drops_unused_copies && is_before_wildcard(p, depth, own)) return true;  // alternatives within it
  }
  return false;
}

// Returns whether the COPY at `p` belongs to the alternative before a last alternative `_`, which works on no copy:
// then all tests continue at one place, with `own` entries on the stack, whether they succeed or fail. `depth`: the size
// of the stack at `p`.
bool Places::is_before_wildcard(Place p, std::size_t depth, std::size_t own) const {
  std::optional<Place> failed;
  for (std::uint32_t tests = 0; tests < cfg_.blocks.size(); ++tests) {
    Place to;
    if (!next_test(p, depth, own + 1, to))
      return failed && depth == own && is_same_code(skip_nops({p.block, p.at + 1}), *failed);
    to = skip_pops(to, depth, own);
    if (to.block == kNone || (failed && !is_same_code(*failed, to))) return false;
    if (depth <= own) return depth == own && is_same_code(skip_nops(p), to);
    failed = to;
  }
  return false;
}

// Moves `p` past the next test, to its success target; sets `failed` to its failure target. Fails if one of the lowest
// `own` entries of the stack is popped before the test, so that at most one pattern is scanned.
bool Places::next_test(Place& p, std::size_t& depth, std::size_t own, Place& failed) const {
  for (std::size_t i = 0; i < 4096; ++i) {
    const auto& b = block(p.block);
    if (p.at >= b.code.size()) {
      if (!b.fall.valid() || b.jump.valid()) return false;
      p = {b.fall.n, 0};
      continue;
    }
    const auto& insn = b.code[p.at];
    if (stores_name(insn.op)) return false;  // names are stored after the whole pattern has matched
    const Effect e = effect(dialect_.version, insn, false);
    if (static_cast<std::int64_t>(depth) < e.pops) return false;
    depth = static_cast<std::size_t>(static_cast<std::int64_t>(depth) - e.pops + e.pushes);
    if (b.jump.valid() && p.at + 1 == b.code.size()) {
      // MATCH_CLASS or MATCH_KEYS; COPY 1; jump: None means failure. Otherwise the test is `case None`.
      const auto before = p.at > 1 && b.code[p.at - 1].op == Op::COPY ? b.code[p.at - 2].op : Op::NOP;
      const bool matches = before == Op::MATCH_CLASS || before == Op::MATCH_KEYS;
      bool falls = insn.op == Op::POP_JUMP_IF_TRUE;
      if (insn.op == Op::POP_JUMP_IF_NONE) falls = !matches;
      if (insn.op == Op::POP_JUMP_IF_NOT_NONE) falls = matches;
      failed = {falls ? b.fall.n : b.jump.n, 0};
      p = {falls ? b.jump.n : b.fall.n, 0};
      return true;
    }
    if (depth < own) return false;
    ++p.at;
  }
  return false;
}

std::size_t Places::common_suffix(const std::vector<Place>& ends) const {
  // MAX_COPY_SIZE in Python/flowgraph.c, with room for canonical instructions that are parts of one of CPython's.
  constexpr std::size_t kMost = 6;
  std::size_t n = 0;
  for (; n < kMost; ++n) {
    const auto& first = block(ends[0].block).code;
    for (const auto& e : ends) {
      const auto& code = block(e.block).code;
      if (code.size() - e.at <= n) return n;
      const auto &x = code[code.size() - 1 - n], &y = first[first.size() - 1 - n];
      if (x.op != y.op || x.arg != y.arg || x.flags != y.flags) return n;
    }
  }
  return n;
}

Place Places::skip_pops(Place p, std::size_t from, std::size_t to) const {
  while (from > to) {
    p = skip_nops(p);
    const auto* insn = at(p);
    if (insn == nullptr || insn->op != Op::POP_TOP) return {};
    ++p.at;
    --from;
  }
  return skip_nops(p);
}

bool Places::is_same_code(const Place& a, const Place& b) const {
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

std::optional<Place> Places::join_of(const std::vector<Failure>& failures, std::size_t depth) const {
  std::optional<Place> out;
  for (const auto& f : failures) {
    if (f.depth < depth) return std::nullopt;
    const Place p = skip_pops(f.to, f.depth, depth);
    if (p.block == kNone || (out && !is_same_code(*out, p))) return std::nullopt;
    if (!out) out = p;
  }
  return out;
}

}  // namespace depyf::structure
