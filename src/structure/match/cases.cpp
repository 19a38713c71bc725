// SPDX-License-Identifier: MIT
// Finds match statements: runs of cases, each of which begins where the one before it fails.
//
// Shape (codegen_match_inner in Python/codegen.c): subject; for each case but the last: COPY 1; pattern; guard;
// POP_TOP; body. The last case works on the subject itself; its failure leads to `case _` or to the code after the
// statement. Invariant: the graph is changed only for a whole run of cases whose tests are all read as patterns.
#include <algorithm>
#include <set>

#include "cfg/cut.h"
#include "structure/match/patterns.h"

namespace depyf::structure {

namespace {

// Returns whether a case may begin with the instruction (or with the operands of MATCH_CLASS).
bool may_begin_case(const Instruction& insn) {
  return (insn.op == Op::COPY && insn.arg == 1) || insn.op == Op::MATCH_CLASS || insn.op == Op::MATCH_SEQUENCE ||
         insn.op == Op::MATCH_MAPPING;
}

bool is_none_test(Op op) { return op == Op::POP_JUMP_IF_NONE || op == Op::POP_JUMP_IF_NOT_NONE; }

// Returns whether a block begins with POP_TOP, or leads to such a block by at most `max_tests` tests.
bool leads_to_drop(const Cfg& cfg, BlockId id, int max_tests) {
  const auto& b = cfg.blocks[id];
  if (!b.code.empty() && b.code[0].op == Op::POP_TOP) return true;
  return max_tests > 0 && b.fall.valid() && b.jump.valid() && !b.is_handler &&
         (leads_to_drop(cfg, b.fall, max_tests - 1) || leads_to_drop(cfg, b.jump, max_tests - 1));
}

// Finds what may be the guard of `case _ if guard`: returns the index after the last instruction that leaves its value
// on the stack at the end of the block (the subject), if a path from the block's test begins with POP_TOP.
std::optional<std::uint32_t> guard_start(const Dialect& dialect, const Cfg& cfg, BlockId id) {
  const auto& b = cfg.blocks[id];
  if (!b.fall.valid() || !b.jump.valid() || b.is_handler) return std::nullopt;
  if (!leads_to_drop(cfg, b.fall, 4) && !leads_to_drop(cfg, b.jump, 4)) return std::nullopt;
  std::int64_t depth = cfg.blocks[b.fall].entry_depth;
  const auto left = depth;
  for (auto i = static_cast<std::uint32_t>(b.code.size()); i > 0; --i) {
    const Effect e = effect(dialect.version, b.code[i - 1], false);
    depth += e.pops - e.pushes;
    if (depth - e.pops < left) return i < b.code.size() ? std::optional(i) : std::nullopt;
  }
  return std::nullopt;
}

// Returns where the pattern of a single case begins that tests a value, before `case _`. An `if` with a comparison has
// the same code, except for a NOP with the position of `_` (codegen_match_inner), which is below the pattern.
std::optional<std::uint32_t> single_case_start(lift::Unit& unit, const BasicBlock& b) {
  const auto size = static_cast<std::uint32_t>(b.code.size());
  if (b.jump_nop == 0 || size < 2) return std::nullopt;
  auto start = size - 1;
  if (const Op test = b.code[size - 2].op; b.code.back().op == Op::POP_JUMP_IF_FALSE) {
    if (test != Op::COMPARE_OP && test != Op::IS_OP) return std::nullopt;
    std::int64_t depth = 0;  // of the entries below the operand
    for (--start; depth != 1; --start) {
      if (start == 0) return std::nullopt;
      const Effect e = effect(unit.dialect.version, b.code[start - 1], false);
      depth += e.pushes - e.pops;
    }
  } else if (b.code.back().op != Op::POP_JUMP_IF_NOT_NONE) {
    return std::nullopt;
  }
  const SourcePosition* wildcard = unit.positions.at(b.jump_nop);
  const SourcePosition* pattern = unit.positions.at(b.code[start].offset);
  const bool is_wildcard = wildcard != nullptr && pattern != nullptr && wildcard->end_line == wildcard->line &&
                           wildcard->end_column == wildcard->column + 1 && wildcard->column >= 0 &&
                           wildcard->column == pattern->column && wildcard->line > pattern->line;
  return is_wildcard ? std::optional(start) : std::nullopt;
}

class CaseFinder {
 public:
  CaseFinder(lift::Unit& unit, CodeId code, Cfg& cfg)
      : unit_(unit), cfg_(cfg), lifter_(unit, code), places_(unit.dialect, cfg), reader_(unit, lifter_, places_) {}

  CasePatterns run() {
    // In code order: otherwise the second part of a split block could be read as a match statement of its own.
    std::set<std::pair<std::uint32_t, std::uint32_t>> todo;
    for (std::uint32_t known = 0;;) {
      for (; known < cfg_.blocks.size(); ++known) todo.emplace(block(known).first_index, known);
      if (todo.empty()) break;
      const auto b = todo.begin()->second;
      todo.erase(todo.begin());
      if (!used_.contains(b) && places_.is_reached(b)) scan(b);
    }
    return std::move(patterns_);
  }

 private:
  struct Case {
    Place start;
    ReadCase read;
  };

  BasicBlock& block(std::uint32_t i) { return cfg_.blocks[BlockId{i}]; }

  // Looks for a match statement in the block, and replaces the tests of its cases.
  void scan(std::uint32_t b) {
    const auto guarded =
        unit_.dialect.drops_unused_copies ? guard_start(unit_.dialect, cfg_, BlockId{b}) : std::nullopt;
    const auto only = single_case_start(unit_, block(b));
    for (std::uint32_t i = 0; i < block(b).code.size(); ++i) {
      Place start{b, i};
      const auto& insn = block(b).code[i];
      if (!may_begin_case(insn) && i != guarded && i != only) continue;
      if (insn.op == Op::MATCH_CLASS) {
        const auto first = class_start(b, i);
        if (!first) continue;
        start.at = *first;
      }
      std::vector<Case> cases;
      may_drop_subject_ = false;
      if (!read_cases(start, i == guarded, cases)) {
        cases.clear();
        may_drop_subject_ = true;
        if (!read_cases(start, i == guarded, cases)) continue;
      }
      places_.update(apply(cases));
      return;
    }
  }

  // Returns where the operands of a MATCH_CLASS begin: dotted name, tuple of attribute names.
  std::optional<std::uint32_t> class_start(std::uint32_t b, std::uint32_t i) {
    const auto& code = block(b).code;
    std::uint32_t at = i;
    if (at < 2 || code[--at].op != Op::LOAD_CONST) return std::nullopt;
    for (--at; at > 0 && code[at].op == Op::LOAD_ATTR; --at) continue;
    if (at > 0 && (code[at].op == Op::LOAD_FROM_DICT_OR_DEREF || code[at].op == Op::LOAD_FROM_DICT_OR_GLOBALS)) --at;
    return at;
  }

  // Reads a run of cases from `place` on. `guarded`: it may begin with the guard of `case _ if guard`.
  bool read_cases(Place place, bool guarded, std::vector<Case>& cases) {
    std::set<Place> seen;
    for (;;) {
      if (!seen.insert(place).second) return false;  // the tests lead in a circle
      auto read = reader_.read(place, true, may_drop_subject_);
      if (read && !read->refutable) {
        const auto next = guard_failure(read->body);
        // A capture pattern alone stores the subject, but so does `(x := subject) == y`: it needs a guard or a case
        // before it.
        read->never_holds = !next && !cases.empty() && is_name(read->pattern);
        read->failed = next.value_or(places_.skip_nops(read->body));
        if (!next && !read->never_holds) read.reset();
      } else if (read) {
        read->never_holds = guard_never_holds(*read);
      }
      if (!read && (guarded || !cases.empty())) read = read_guarded_wildcard(place);
      if (!read) return last_case(place, cases);
      if (used_.contains(place.block)) return false;
      cases.push_back({place, *read});
      place = read->failed;
    }
  }

  bool is_name(ast::PatternId id) const {
    const auto* as = std::get_if<ast::MatchAs>(&unit_.ast.patterns[id].node);
    return as != nullptr && !as->pattern.valid() && as->name.valid();
  }

  // Returns whether a match leads to the next case, too: the guard never holds.
  bool guard_never_holds(const ReadCase& read) {
    const Place to = places_.skip_nops(read.body);
    const auto* insn = places_.at(to);
    return to == read.failed && insn != nullptr && insn->op != Op::POP_TOP;
  }

  // Reads `case _ if guard`, for which the compiler has dropped COPY 1; POP_TOP.
  std::optional<ReadCase> read_guarded_wildcard(const Place& place) {
    const auto* insn = places_.at(place);
    if (insn == nullptr || insn->op == Op::COPY || insn->op == Op::POP_TOP) return std::nullopt;
    const auto failed = guard_failure(place);
    if (!failed) return std::nullopt;
    ReadCase out;
    out.pattern = unit_.ast.pattern(ast::MatchAs{});
    out.keeps_subject = true;
    out.body = place;
    out.failed = *failed;
    return out;
  }

  // Returns whether a pattern generates tests. An irrefutable pattern does if it has alternatives: `[x] | x`.
  bool has_tests(ast::PatternId id) const {
    const auto* as = std::get_if<ast::MatchAs>(&unit_.ast.patterns[id].node);
    return as == nullptr || (as->pattern.valid() && has_tests(as->pattern));
  }

  // Reads the last case. Its tests may be those of an or-pattern, whose alternatives begin with a copy like cases, and
  // then have been read as cases. So cases are taken back until the rest reads as a last case, and earlier ones are
  // merged with it while they have copies of its body.
  bool last_case(Place place, std::vector<Case>& cases) {
    for (;;) {
      auto read = reader_.read(place, false);
      if (read && !used_.contains(place.block) && (!cases.empty() || read->refutable || has_tests(read->pattern))) {
        auto first = cases.size();
        while (first > 0 && have_same_body(cases[first - 1].read.body, read->body)) --first;
        if (first < cases.size() && read->refutable)
          if (const auto all = reader_.read(cases[first].start, false);
              all && all->refutable && places_.is_same_code(all->failed, read->failed)) {
            place = cases[first].start;
            read = all;
            cases.resize(first);
          }
        cases.push_back({place, *read});
        return true;
      }
      if (cases.empty()) return false;
      place = cases.back().start;
      cases.pop_back();
    }
  }

  // Returns whether both bodies have one source position.
  bool have_same_body(Place a, Place b) {
    const auto* first_position = position_of_body(a);
    const auto* other = position_of_body(b);
    return first_position != nullptr && other != nullptr && first_position->column >= 0 && *first_position == *other;
  }
  const SourcePosition* position_of_body(Place p) {
    for (;; ++p.at) {
      p = places_.skip_nops(p);
      const auto* insn = places_.at(p);
      if (insn == nullptr || insn->op != Op::POP_TOP)
        return insn != nullptr ? unit_.positions.at(insn->offset) : nullptr;
    }
  }

  // Returns where the guard of an irrefutable case fails, or nullopt if it has no guard. The guard does not use the
  // subject, and the body after it begins with the POP_TOP of the subject.
  std::optional<Place> guard_failure(Place from) {
    struct Visit {
      std::uint32_t order;
      Place place;
      std::int64_t depth;
    };
    std::vector<Visit> todo{{0, from, 1}};
    std::set<std::uint32_t> seen;
    for (std::size_t steps = 0; !todo.empty() && steps < 20000;) {
      const auto least = std::min_element(todo.begin(), todo.end(), [](auto& x, auto& y) { return x.order < y.order; });
      Visit visit = *least;
      todo.erase(least);
      for (;; ++steps) {
        const auto& b = block(visit.place.block);
        if (visit.place.at >= b.code.size()) break;
        const auto& insn = b.code[visit.place.at];
        // The body begins; the places still to visit are reached by a failure of the guard.
        if (insn.op == Op::POP_TOP && visit.depth == 1) {
          if (todo.empty()) return std::nullopt;
          std::optional<Place> failed;
          for (const auto& w : todo) {  // a chained comparison first drops an operand
            if (w.depth < 1 || w.depth > 64) return std::nullopt;
            const auto place = places_.skip_pops(w.place, static_cast<std::size_t>(w.depth), 1);
            if (place.block == kNone || (failed && *failed != place)) return std::nullopt;
            failed = place;
          }
          return failed;
        }
        const Effect e = effect(unit_.dialect.version, insn, false);
        if (visit.depth - e.pops < 1) return std::nullopt;
        visit.depth += e.pushes - e.pops;
        ++visit.place.at;
      }
      const auto& b = block(visit.place.block);
      if (b.code.empty() && b.jump.valid()) return std::nullopt;  // a case of another statement
      std::int64_t on_jump = visit.depth;
      if (b.jump.valid()) {
        const Effect fall = effect(unit_.dialect.version, b.code.back(), false);
        const Effect jump = effect(unit_.dialect.version, b.code.back(), true);
        on_jump += (jump.pushes - jump.pops) - (fall.pushes - fall.pops);
      }
      for (const auto& [to, depth] : {std::pair{b.fall, visit.depth}, std::pair{b.jump, on_jump}})
        if (to.valid() && seen.insert(to.n).second) todo.push_back({block(to.n).first_index, {to.n, 0}, depth});
    }
    return std::nullopt;
  }

  // Returns the block that starts at a place, or at NOPs before it, split if necessary.
  std::uint32_t block_at(Place p) {
    while (p.at > 0 && block(p.block).code[p.at - 1].op == Op::NOP) --p.at;
    if (p.at == 0) return p.block;
    if (auto it = split_blocks_.find(p); it != split_blocks_.end()) return it->second;
    const auto id = cfg_.blocks.add(tail(p));
    split_blocks_[p] = id.n;
    return id.n;
  }
  BasicBlock tail(const Place& p) const { return tail_at(cfg_, unit_.dialect.version, {BlockId{p.block}, p.at}); }

  // Finds the copies of small cases that end the function, which the compiler has made where the guard before them
  // fails (inline_small_or_no_lineno_blocks in Python/flowgraph.c). Returns the index of the copied case by block.
  std::map<std::uint32_t, std::size_t> copies_of_cases(const std::vector<Case>& cases) {
    std::map<std::uint32_t, std::size_t> out;
    for (std::size_t i = 1; i < cases.size(); ++i) {
      if (!places_.exits(cases[i].start.block)) continue;
      const auto failed = guard_failure(cases[i - 1].read.body);
      if (failed && failed->at == 0 && *failed != cases[i].start && places_.is_same_code(*failed, cases[i].start))
        out.emplace(failed->block, i);
    }
    return out;
  }

  // Replaces the tests of the cases by blocks without code. Returns the blocks whose edges have changed.
  std::vector<std::uint32_t> apply(std::vector<Case>& cases) {
    const auto copies = copies_of_cases(cases);
    for (std::size_t i = 1; i < cases.size(); ++i) {
      if (!cases[i - 1].read.never_holds || cases[i].start.at == 0) continue;
      const Place start{block_at(cases[i].start), 0};  // both cases have tests in one block
      if (cases[i].read.body == cases[i].start) cases[i].read.body = start;
      cases[i].start = start;
    }
    std::vector<std::uint32_t> bodies, case_blocks;
    for (const auto& c : cases) {
      if (c.read.never_holds)
        bodies.push_back(kNone);
      else if (c.read.body == c.start)
        bodies.push_back(cfg_.blocks.add(tail(c.start)).n);
      else
        bodies.push_back(block_at(c.read.body));
    }
    const auto& last = cases.back().read;
    const auto rest = last.refutable ? block_at(last.failed) : kNone;
    const Handler handler = block(cases[0].start.block).handler;
    for (std::size_t i = 0; i < cases.size(); ++i) case_blocks.push_back(case_block(cases[i].start, i == 0, handler));
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const auto& c = cases[i].read;
      auto& b = block(case_blocks[i]);
      b.fall = BlockId{c.never_holds ? case_blocks[i + 1] : bodies[i]};
      b.jump = BlockId{};
      if (c.refutable) b.jump = BlockId{c.keeps_subject ? case_blocks[i + 1] : rest};
      patterns_[case_blocks[i]] = {c.pattern, c.keeps_subject};
      used_.insert(c.blocks.begin(), c.blocks.end());
      used_.insert(case_blocks[i]);
    }
    auto changed = case_blocks;
    changed.push_back(cases[0].start.block);
    for (std::uint32_t i = 0; !copies.empty() && i < cfg_.blocks.size(); ++i)
      for (BlockId* to : {&block(i).fall, &block(i).jump})
        if (const auto it = copies.find(to->n); it != copies.end()) {
          *to = BlockId{case_blocks[it->second]};
          changed.push_back(i);
        }
    for (auto id : bodies) used_.erase(id);
    if (rest != kNone) used_.erase(rest);
    return changed;
  }

  // Returns the block that represents the case. Edges to the start of its tests lead to it. `handler` is that of the
  // statement.
  std::uint32_t case_block(const Place& start, bool head, const Handler& handler) {
    if (start.at == 0) {
      auto& b = block(start.block);
      // The test of a last `case None` cannot raise, so no handler protects it (3.11+).
      if (b.code.size() == 1 && is_none_test(b.code[0].op)) b.handler = handler;
      b.code.clear();
      return start.block;
    }
    BasicBlock fresh = tail(start);
    fresh.code.clear();
    const auto id = cfg_.blocks.add(std::move(fresh));
    if (head) {
      auto& b = block(start.block);
      b.code.resize(start.at);
      b.fall = id;
      b.jump = BlockId{};
    }
    return id.n;
  }

  lift::Unit& unit_;
  Cfg& cfg_;
  lift::Lifter lifter_;
  Places places_;
  PatternReader reader_;
  CasePatterns patterns_;
  std::map<Place, std::uint32_t> split_blocks_;
  bool may_drop_subject_ = false;
  std::set<std::uint32_t> used_;  // blocks of patterns that were read, and blocks of cases
};

bool may_match(lift::Unit& unit, const Cfg& cfg) {
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    const auto& code = cfg.blocks[BlockId{b}].code;
    if (std::any_of(code.begin(), code.end(), may_begin_case)) return true;
    if (unit.dialect.drops_unused_copies && guard_start(unit.dialect, cfg, BlockId{b})) return true;
    if (single_case_start(unit, cfg.blocks[BlockId{b}])) return true;
  }
  return false;
}

}  // namespace

CasePatterns collapse_patterns(lift::Unit& unit, CodeId code, Cfg& cfg) {
  if (!unit.dialect.match_statement || !may_match(unit, cfg)) return {};
  return CaseFinder(unit, code, cfg).run();
}

}  // namespace depyf::structure
