// SPDX-License-Identifier: MIT
// Handlers of `except*` (3.11+) in the form of those of `except`.
//
// compiler_try_star_except (Python/compile.c, later codegen.c) keeps, above the exception handled before, the group, a
// list of what clauses raised, and what no clause took yet:
//   PUSH_EXC_INFO; COPY 1; BUILD_LIST 0; SWAP 2 (3.12+: BUILD_LIST 0; COPY 2);  then a clause: type; CHECK_EG_MATCH; COPY 1; POP_JUMP_IF_NONE other;
//   name or POP_TOP; [E] body [/E]; (name = None; del name;) JUMP next;  E: (name = None; del name;) LIST_APPEND 3;
//   POP_TOP; JUMP next;  other: POP_TOP; next: ... at last LIST_APPEND 1; PREP_RERAISE_STAR; COPY 1;
//   POP_JUMP_IF_NOT_NONE R; POP_TOP; POP_EXCEPT; ...  R: SWAP 2; POP_EXCEPT; RERAISE
// Here each body continues after the statement as that of `except` does, and the test is marked (kMatchesGroup).
// Nothing else is changed unless the whole handler has this shape; only LIST_APPEND 1, which 3.13+ duplicate, is merged in
// any. Stack depths in a body are reduced by the three entries.
#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "cfg/analysis.h"
#include "cfg/dump.h"
#include "cfg/shapes.h"
#include "cfg/tidy.h"
#include "deopt/deopt.h"

namespace depyf::deopt {

namespace {

class GroupHandler {
 public:
  GroupHandler(Cfg& cfg, std::uint32_t handler) : cfg_(cfg), handler_(handler) {}

  bool find() {
    const auto& code = block(handler_).code;
    if (!block(handler_).is_handler || code.size() < 4 || code[0].op != Op::PUSH_EXC_INFO) return false;
    if (code[1].op == Op::COPY && code[2].op == Op::BUILD_LIST && code[2].arg == 0 && code[3].op == Op::SWAP)
      prefix_ = 3;
    else if (code[1].op == Op::BUILD_LIST && code[1].arg == 0 && code[2].op == Op::COPY && code[2].arg == 2)
      prefix_ = 2;
    else
      return false;
    cleanup_ = block(handler_).handler.block;
    if (!cleanup_.valid()) return false;
    depth_ = block(handler_).entry_depth + 3;
    BlockId at{handler_};
    while (clauses_.size() < cfg_.blocks.size()) {
      if (is_last(at)) {
        last_ = at;
        return true;
      }
      if (!clause(at)) return false;
      at = clauses_.back().next;
    }
    return false;
  }

  void rewrite() {
    const BlockId leave = leaving();
    cfg_.blocks[leave].code[0].flags = kFallThroughExit;  // each clause comes to its end
    BlockId follow;
    for (const auto& c : clauses_) {
      test(c);
      for (auto b : c.body) {
        auto& x = cfg_.blocks[b];
        x.entry_depth -= 3;
        if (c.error.valid() && !c.named && x.handler.block == c.error)
          x.handler = block(handler_).handler;
        else if (x.handler.block.valid() && x.handler.block != cleanup_)
          x.handler.depth -= 3;
      }
      if (c.named && !c.ends.empty()) {
        if (!follow.valid()) follow = after_leaving(leave);
        const BlockId cleared = clearing(c.ends.back(), leave, follow);
        for (auto b : c.ends) end(b, c, leave, cleared);
      } else {
        for (auto b : c.ends) end(b, c, leave, leave);
      }
      if (c.error.valid() && c.named) error(c.error);
    }
    auto& last = cfg_.blocks[last_];
    last.entry_depth -= 2;
    last.code.resize(1);
    last.code[0].op = Op::RERAISE;
    last.code[0].arg = 0;
    last.fall = last.jump = BlockId{};
    if (!std::ranges::all_of(clauses_, [](const Clause& c) { return c.ends.empty(); })) return;
    last.has_phantom = cfg_.keeps_phantoms = true;  // no clause comes to its end; what follows the statement is there
    last.phantom = leave;
  }

 private:
  struct Clause {
    BlockId test, next, error;
    bool named = false;
    std::vector<BlockId> type;  // all blocks that compute what is matched, the test too
    std::vector<BlockId> body;  // all blocks of the body, its handlers too
    std::vector<BlockId> ends;  // those of them that lead to `next`
  };

  BasicBlock& block(std::uint32_t n) { return cfg_.blocks[BlockId{n}]; }

  bool is_last(BlockId at) {
    const auto& b = cfg_.blocks[at];
    const auto& c = b.code;
    if (c.size() != 4 || c[0].op != Op::LIST_APPEND || c[1].op != Op::PREP_RERAISE_STAR || c[2].op != Op::COPY ||
        c[3].op != Op::POP_JUMP_IF_NOT_NONE || !b.fall.valid())
      return false;
    const auto& none = cfg_.blocks[b.fall].code;
    if (none.empty() || none[0].op != Op::POP_TOP) return false;
    if (none.size() > 1) return none[1].op == Op::POP_EXCEPT;
    const auto next = cfg_.blocks[b.fall].fall;
    return next.valid() && !cfg_.blocks[next].code.empty() && cfg_.blocks[next].code[0].op == Op::POP_EXCEPT;
  }

  static bool tests_group(const BasicBlock& b) {
    const auto n = b.code.size();
    return n >= 3 && b.code[n - 1].op == Op::POP_JUMP_IF_NONE && b.code[n - 2].op == Op::COPY &&
           b.code[n - 3].op == Op::CHECK_EG_MATCH;
  }

  // All that leads from block `at` to one test: the type may be a conditional expression or an inlined comprehension.
  bool find_test(BlockId at, Clause& c) {
    c.type = {at};
    const auto reach = [&](BlockId to) {
      if (to.valid() && to != cleanup_ && std::ranges::find(c.type, to) == c.type.end()) c.type.push_back(to);
    };
    for (std::size_t i = 0; i < c.type.size(); ++i) {
      const BlockId id = c.type[i];
      const auto& b = cfg_.blocks[id];
      if (i > 0 && (b.entry_depth < depth_ || id.n == handler_)) return false;
      const bool tests = tests_group(b);
      if (tests && c.test.valid()) return false;
      if (tests) c.test = id;
      for (const BlockId to : {tests ? BlockId{} : b.fall, tests ? BlockId{} : b.jump, b.handler.block}) reach(to);
    }
    return c.test.valid();
  }

  // One clause whose type is computed from block `at` on.
  bool clause(BlockId at) {
    Clause c;
    if (!find_test(at, c)) return false;
    const auto& b = cfg_.blocks[c.test];
    const auto& other = cfg_.blocks[b.jump];
    if (other.code.empty() || other.code[0].op != Op::POP_TOP) return false;
    c.next = other.code.size() == 1 ? other.fall : b.jump;
    const auto& match = cfg_.blocks[b.fall].code;
    if (!c.next.valid() || match.empty()) return false;
    c.named = match[0].op != Op::POP_TOP;
    if (!walk_body(b.fall, c)) return false;
    clauses_.push_back(std::move(c));
    return true;
  }

  bool walk_body(BlockId from, Clause& c) {
    std::set<std::uint32_t> seen{from.n};
    std::vector<BlockId> todo{from};
    const auto reach = [&](BlockId s) {
      if (s.valid() && s != c.next && s != cleanup_ && seen.insert(s.n).second) todo.push_back(s);
    };
    while (!todo.empty()) {
      const auto at = todo.back();
      todo.pop_back();
      const auto& b = cfg_.blocks[at];
      if (at.n == handler_ || b.entry_depth < depth_) return false;
      c.body.push_back(at);
      const auto size = b.code.size();
      if (b.is_handler && b.fall == c.next && size >= 2 && b.code[size - 2].op == Op::LIST_APPEND &&
          b.code[size - 2].arg == 3 && b.code[size - 1].op == Op::POP_TOP) {
        if (c.error.valid() || size != (c.named ? 5U : 2U) || (c.named && !clears_name(b.code, 0))) return false;
        c.error = at;
        continue;
      }
      if (b.fall == c.next || (b.jump.valid() && b.jump == c.next)) {
        if (c.named && (b.jump.valid() || size < 3 || !clears_name(b.code, size - 3))) return false;
        c.ends.push_back(at);
      }
      reach(b.fall);
      reach(b.jump);
      if (b.handler.block.valid() && b.handler.block != cleanup_ && b.handler.depth < depth_) return false;
      reach(b.handler.block);
    }
    return true;
  }

  static void erase(BasicBlock& b, std::size_t from, std::size_t count) {
    const auto at = static_cast<std::ptrdiff_t>(from), n = static_cast<std::ptrdiff_t>(count);
    b.code.erase(b.code.begin() + at, b.code.begin() + at + n);
  }

  // The block that begins with POP_EXCEPT.
  BlockId leaving() {
    const auto none = cfg_.blocks[last_].fall;
    return cfg_.blocks[none].code.size() == 1 ? cfg_.blocks[none].fall : without_first(none);
  }

  // A block without its first instruction, which pops one entry. Something else may lead to the block itself.
  BlockId without_first(BlockId of) {
    BasicBlock rest = cfg_.blocks[of];
    erase(rest, 0, 1);
    rest.entry_depth -= 1;
    ++rest.first_index;
    return cfg_.blocks.add(std::move(rest));
  }

  BlockId after_leaving(BlockId leave) {
    const auto& b = cfg_.blocks[leave];
    return b.code.size() == 1 && b.fall.valid() ? b.fall : without_first(leave);
  }

  void test(const Clause& c) {
    auto& b = cfg_.blocks[c.test];
    const auto n = b.code.size();
    b.code[n - 3].op = Op::CHECK_EXC_MATCH;
    b.code[n - 3].flags = kMatchesGroup;
    b.code[n - 1].op = Op::POP_JUMP_IF_FALSE;
    erase(b, n - 2, 1);
    for (const BlockId id : c.type) {
      auto& x = cfg_.blocks[id];
      if (id.n == handler_)
        erase(x, 1, prefix_);
      else
        x.entry_depth -= 2;
      if (x.handler.block.valid() && x.handler.block != cleanup_) x.handler.depth -= 2;
    }
    auto& other = cfg_.blocks[b.jump];
    if (b.jump == c.next) {  // POP_TOP and the next clause in one block
      erase(other, 0, 1);
      other.entry_depth -= 1;
    } else {
      other.fall = BlockId{};
    }
    b.jump = c.next;
  }

  // Redirects the edge from a body to the next clause to what follows the statement.
  void end(BlockId at, const Clause& c, BlockId leave, BlockId to) {
    auto& b = cfg_.blocks[at];
    if (b.fall == c.next) b.fall = to;
    if (b.jump == c.next) b.jump = to;
    if (!c.named) return;
    b.code.resize(b.code.size() - 3);
    if (!b.code.empty()) return;
    b.handler = cfg_.blocks[leave].handler;
    b.entry_depth = cfg_.blocks[leave].entry_depth;
  }

  // The name is cleared after POP_EXCEPT, which nothing of this statement protects. Ends of a clause are duplicates (3.13+).
  BlockId clearing(BlockId end, BlockId leave, BlockId follow) {
    const auto& b = cfg_.blocks[end];
    BasicBlock made;
    made.code.push_back(cfg_.blocks[leave].code[0]);
    made.code.insert(made.code.end(), b.code.end() - 3, b.code.end());
    made.handler = cfg_.blocks[leave].handler;
    made.fall = follow;
    made.entry_depth = cfg_.blocks[leave].entry_depth;
    made.first_index = b.first_index + static_cast<std::uint32_t>(b.code.size()) - 3;
    return cfg_.blocks.add(std::move(made));
  }

  // name = None; del name; RERAISE 1
  void error(BlockId at) {
    auto& b = cfg_.blocks[at];
    erase(b, 4, 1);
    b.code[3].op = Op::RERAISE;
    b.code[3].arg = 1;
    b.fall = BlockId{};
  }

  Cfg& cfg_;
  std::uint32_t handler_;
  BlockId cleanup_, last_;
  std::size_t prefix_ = 0;   // instructions that make the list
  std::uint32_t depth_ = 0;  // operand stack in the clauses' bodies
  std::vector<Clause> clauses_;
};

// From 3.13 the LIST_APPEND 1 after the last clause is duplicated at the end of each path there (a small block without
// a line: basicblock_inline_small_or_no_lineno_blocks in Python/flowgraph.c). It goes back to where the paths meet.
void append_once(Cfg& cfg, const Predecessors& before, std::uint32_t at) {
  const auto meet = BlockId{at};
  if (cfg.blocks[meet].code.empty() || cfg.blocks[meet].code[0].op != Op::PREP_RERAISE_STAR) return;
  std::vector<BlockId> exits;
  if (!before.raising[at].empty()) return;
  for (const BlockId i : before.normal[at]) {
    const auto& b = cfg.blocks[i];
    if (b.jump == meet) return;
    if (b.code.empty() || b.code.back().op != Op::LIST_APPEND || b.code.back().arg != 1) return;
    exits.push_back(i);
  }
  if (exits.empty()) return;
  auto& b = cfg.blocks[meet];
  const auto& first = cfg.blocks[exits[0]];
  b.code.insert(b.code.begin(), first.code.back());
  ++b.entry_depth;
  for (auto i : exits) {
    auto& exit = cfg.blocks[i];
    exit.code.pop_back();
    if (!exit.code.empty() || exit.is_handler || i.n == 0) continue;
    for (const BlockId j : before.normal[i.n]) {
      auto& from = cfg.blocks[j];
      if (from.fall == i) from.fall = meet;
      if (from.jump == i) from.jump = meet;
    }
    exit.fall = BlockId{};
    exit.handler = Handler{};
  }
}

// 3.11.0 to 3.11.3 jump to the clause's body, over the POP_TOP of the other way; since then to that other way.
void test_for_none(BasicBlock& b) {
  const auto n = b.code.size();
  if (n < 3 || b.code[n - 1].op != Op::POP_JUMP_IF_NOT_NONE || b.code[n - 2].op != Op::COPY ||
      b.code[n - 3].op != Op::CHECK_EG_MATCH)
    return;
  b.code[n - 1].op = Op::POP_JUMP_IF_NONE;
  std::swap(b.jump, b.fall);
}

}  // namespace

void rewrite_group_handlers(Cfg& cfg, const Dialect& dialect) {
  if (!dialect.except_star) return;
  const auto n = static_cast<std::uint32_t>(cfg.blocks.size());
  const Predecessors edges = predecessors(cfg);
  for (std::uint32_t i = 0; i < n; ++i) {
    test_for_none(cfg.blocks[BlockId{i}]);
    append_once(cfg, edges, i);
  }
  std::optional<Cfg> before;
  for (std::uint32_t i = 0; i < n; ++i) {
    GroupHandler handler(cfg, i);
    if (!handler.find()) continue;
    if (!before) before = cfg;
    handler.rewrite();
  }
  if (!before) return;
  // Where a body is entered or left as no compiler does it, its blocks do not fit together afterwards.
  if (validate_rewritten(cfg, dialect))
    unlink_unreachable(cfg);
  else
    cfg = std::move(*before);
}

}  // namespace depyf::deopt
