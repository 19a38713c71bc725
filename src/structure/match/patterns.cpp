// SPDX-License-Identifier: MIT
// Symbolic execution of the tests of a pattern; see patterns.h.
//
// The symbolic stack mirrors CPython's: each entry (Slot) refers to a part of the pattern, so SWAP needs no meaning of
// its own. An or-pattern is recognized by the failure target of the first test in its first alternative: code that
// copies the same value again. Its alternatives end where they join, or in equal copies of a small exit block.
#include "structure/match/patterns.h"

#include <algorithm>

namespace depyf::structure {

std::optional<ReadCase> PatternReader::read(Place start, bool keeps_subject, bool may_drop_subject) {
  blocks_ = {start.block};
  nesting_ = 0;
  steps_ = 0;
  const auto* first = places_.at(start);
  if (first == nullptr) return std::nullopt;
  tree_.clear({lifter_.code, first->offset});
  Path t;
  t.at = start;
  Slot root;
  root.node = tree_.add();
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
    const auto failed = places_.join_of(t.failures, base);
    if (!failed) return std::nullopt;
    out.failed = *failed;
    const auto* next = places_.at(places_.skip_nops(out.failed));
    if (keeps_subject && !may_drop_subject && next != nullptr && next->op == Op::POP_TOP) return std::nullopt;
  }
  const auto pattern = tree_.build(root.node);
  if (!pattern) return std::nullopt;
  out.pattern = *pattern;
  out.blocks = std::move(blocks_);
  return out;
}

// ---------------------------------------------------------------- execution
PatternReader::Stop PatternReader::run(Path& t, bool in_alternative, std::size_t base) {
  for (;;) {
    if (++steps_ > 200000) return Stop::kBroken;
    if (!in_alternative && t.stack.size() <= base) return Stop::kDone;
    if (t.has_left_range) return Stop::kBroken;
    if (in_alternative && places_.edges_in(t.at.block) > 1 && t.at.at == 0 && t.at != t.joined) return Stop::kJoin;
    if (in_alternative && places_.exits(t.at.block)) return Stop::kExit;
    const auto& b = places_.block(t.at.block);
    if (t.at.at >= b.code.size()) {
      if (b.jump.valid() || !b.fall.valid()) return Stop::kBroken;
      if (!enter(t, b.fall)) return Stop::kBroken;
      if (places_.edges_in(t.at.block) > 1 && !in_alternative) return Stop::kBroken;
      continue;
    }
    const bool jumps = is_jump(b.code[t.at.at].op);
    if (!execute(t)) return Stop::kBroken;
    if (jumps && !in_alternative && t.stack.size() > base && places_.edges_in(t.at.block) > 1) return Stop::kBroken;
  }
}

bool PatternReader::run_to(Path& t, Place end) {
  while (t.at != end)
    if (++steps_ > 200000 || !execute(t)) return false;
  return true;
}

bool PatternReader::enter(Path& t, BlockId to) {
  t.has_left_range = !(places_.block(to.n).handler == places_.block(t.at.block).handler);
  t.at = {to.n, 0};
  blocks_.push_back(to.n);
  return true;
}

bool PatternReader::execute(Path& t) {
  const Instruction insn = *places_.at(t.at);
  switch (insn.op) {
    case Op::NOP: ++t.at.at; return true;
    case Op::COPY: return execute_copy(t, insn);
    case Op::POP_JUMP_IF_FALSE:
    case Op::POP_JUMP_IF_TRUE:
    case Op::POP_JUMP_IF_NONE:
    case Op::POP_JUMP_IF_NOT_NONE: return execute_branch(t, insn);
    default: break;
  }
  // A pattern uses no variables that depyf has added.
  if (arg_kind(insn.op) == ArgKind::Local && insn.arg >= local_names(lifter_.co).size()) return false;
  using Family = bool (PatternReader::*)(Path&, const Instruction&);
  static constexpr Family kFamilies[] = {&PatternReader::stack_step,  &PatternReader::test_step,
                                         &PatternReader::access_step, &PatternReader::mapping_step,
                                         &PatternReader::class_step,  &PatternReader::operand_step};
  for (auto family : kFamilies)
    if ((this->*family)(t, insn)) {
      ++t.at.at;
      return true;
    }
  return false;
}

// ---------------------------------------------------------------- or-patterns
bool PatternReader::read_alternatives(Path& t) {
  if (++nesting_ > 60) return false;
  const auto depth = t.stack.size();
  const auto id = t.stack.back().node;
  tree_[id].kind = Subpattern::Kind::kOr;
  std::vector<Path> ends;
  std::vector<Stop> stops;
  for (Place start = t.at;;) {
    Path a;
    a.stack = t.stack;
    Slot item;
    item.node = tree_.add();
    tree_[id].items.push_back(item.node);
    a.stack.push_back(item);
    a.at = {start.block, start.at + 1};
    const Stop stop = run(a, true, depth);
    if (stop != Stop::kJoin && stop != Stop::kExit) return false;
    auto failures = std::move(a.failures);
    a.failures.clear();
    ends.push_back(std::move(a));
    stops.push_back(stop);
    if (failures.empty()) break;
    const auto failed = places_.join_of(failures, depth);
    if (!failed) return false;
    const Place next = places_.skip_nops(*failed);
    const auto* insn = places_.at(next);
    if (insn == nullptr || insn->op != Op::COPY || insn->arg != 1) {
      const Place end = places_.skip_pops(ends.back().at, ends.back().stack.size(), depth);
      if (!unit_.dialect.drops_unused_copies || end.block == kNone || !places_.is_same_code(end, next)) {
        t.failures.push_back({next, depth});
        break;
      }
      const auto wildcard = tree_.add();  // a wildcard works on no copy of the value
      tree_[id].items.push_back(wildcard);
      const Place at = stop == Stop::kJoin ? ends.back().at : next;
      // Each failure that leaves nothing to pop has an edge of its own to the join.
      const auto is_direct = [&](const Failure& f) { return stop == Stop::kJoin && f.to == at; };
      const auto direct = static_cast<std::size_t>(std::count_if(failures.begin(), failures.end(), is_direct));
      const std::size_t edges = direct + (direct < failures.size() ? 1 : 0);
      ends.insert(ends.end(), edges, {at, {}, t.stack, {}});
      stops.insert(stops.end(), edges, stop);
      break;
    }
    start = next;
    blocks_.push_back(start.block);
  }
  --nesting_;
  return ends.size() >= 2 && join_alternatives(t, ends, stops);
}

bool PatternReader::join_alternatives(Path& t, std::vector<Path>& ends, const std::vector<Stop>& stops) {
  for (auto stop : stops)
    if (stop != stops[0]) return false;
  if (stops[0] == Stop::kJoin) {
    for (const auto& e : ends)
      if (e.at != ends[0].at) return false;
    if (places_.edges_in(ends[0].at.block) != ends.size()) return false;
  } else {
    std::vector<Place> exits;
    for (const auto& e : ends) exits.push_back(e.at);
    const auto suffix = places_.common_suffix(exits);
    for (auto& e : ends) {
      const auto size = places_.block(e.at.block).code.size();
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
    std::vector<Slot> each;
    for (const auto& e : ends) each.push_back(e.stack[i]);
    stack.push_back(tree_.merge(std::move(each)));
  }
  t.stack = std::move(stack);
  t.at = t.joined = ends[0].at;
  return true;
}

}  // namespace depyf::structure
