// SPDX-License-Identifier: MIT
// Turns handlers of `except*` (3.11+) into the form of `except` handlers.
//
// compiler_try_star_except (Python/compile.c, later codegen.c; codegen_try_star_except) keeps three entries on the
// stack above the exception that was handled before: the group, a list of the exceptions that clauses raised, and the
// rest of the group that no clause has matched.
//   PUSH_EXC_INFO; COPY 1; BUILD_LIST 0; SWAP 2 (3.12+: BUILD_LIST 0; COPY 2);
//   each clause: type; CHECK_EG_MATCH; COPY 1; POP_JUMP_IF_NONE other; name or POP_TOP; [E] body [/E];
//     (name = None; del name;) JUMP next;  E: (name = None; del name;) LIST_APPEND 3; POP_TOP; JUMP next;
//     other: POP_TOP; next: ...
//   at the end: LIST_APPEND 1; PREP_RERAISE_STAR; COPY 1; POP_JUMP_IF_NOT_NONE R; POP_TOP; POP_EXCEPT; ...
//     R: SWAP 2; POP_EXCEPT; RERAISE
// Afterwards each body leaves the statement as the body of an `except` does, its test is marked (kMatchesGroup), and
// the stack in the bodies is three entries lower. A handler that does not match the whole shape is kept, except that
// the copies of LIST_APPEND 1 (3.13+) are merged in any handler.
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

  // Reads the handler and all its clauses. Returns false if it does not have the shape.
  bool match_shape() {
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
      if (is_end_of_clauses(at)) {
        end_ = at;
        return true;
      }
      if (!read_clause(at)) return false;
      at = clauses_.back().next;
    }
    return false;
  }

  void rewrite() {
    const BlockId exit = exit_block();
    cfg_.blocks[exit].code[0].flags = kFallThroughExit;  // the end of a clause is a fall-through exit
    BlockId follow;
    for (const auto& c : clauses_) {
      rewrite_test(c);
      for (auto b : c.body) {
        auto& x = cfg_.blocks[b];
        x.entry_depth -= 3;
        if (c.error.valid() && !c.has_name && x.handler.block == c.error)
          x.handler = block(handler_).handler;
        else if (x.handler.block.valid() && x.handler.block != cleanup_)
          x.handler.depth -= 3;
      }
      if (c.has_name && !c.ends.empty()) {
        if (!follow.valid()) follow = block_after_exit(exit);
        const BlockId cleared = clearing_block(c.ends.back(), exit, follow);
        for (auto b : c.ends) redirect_end(b, c, exit, cleared);
      } else {
        for (auto b : c.ends) redirect_end(b, c, exit, exit);
      }
      if (c.error.valid() && c.has_name) rewrite_error_handler(c.error);
    }
    auto& last = cfg_.blocks[end_];
    last.entry_depth -= 2;
    last.code.resize(1);
    last.code[0].op = Op::RERAISE;
    last.code[0].arg = 0;
    last.fall = last.jump = BlockId{};
    if (!std::ranges::all_of(clauses_, [](const Clause& c) { return c.ends.empty(); })) return;
    // No clause reaches its end, so only a phantom edge leads to the code after the statement.
    last.has_phantom = cfg_.keeps_phantoms = true;
    last.phantom = exit;
  }

 private:
  struct Clause {
    BlockId test, next, error;
    bool has_name = false;
    std::vector<BlockId> type;  // all blocks that compute the type, with the test
    std::vector<BlockId> body;  // all blocks of the body, with its handlers
    std::vector<BlockId> ends;  // blocks of the body with an edge to `next`
  };

  BasicBlock& block(std::uint32_t n) { return cfg_.blocks[BlockId{n}]; }

  bool is_end_of_clauses(BlockId at) {
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

  // Returns whether the block ends with the test of a clause.
  static bool tests_group(const BasicBlock& b) {
    const auto n = b.code.size();
    return n >= 3 && b.code[n - 1].op == Op::POP_JUMP_IF_NONE && b.code[n - 2].op == Op::COPY &&
           b.code[n - 3].op == Op::CHECK_EG_MATCH;
  }

  // Collects the blocks from `at` to the one test, since the type may be a conditional expression or an inlined
  // comprehension. Returns false if there is not exactly one test.
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

  // Reads one clause whose type is computed from block `at` on. Returns false if it does not have the shape.
  bool read_clause(BlockId at) {
    Clause c;
    if (!find_test(at, c)) return false;
    const auto& b = cfg_.blocks[c.test];
    const auto& other = cfg_.blocks[b.jump];
    if (other.code.empty() || other.code[0].op != Op::POP_TOP) return false;
    c.next = other.code.size() == 1 ? other.fall : b.jump;
    const auto& match = cfg_.blocks[b.fall].code;
    if (!c.next.valid() || match.empty()) return false;
    c.has_name = match[0].op != Op::POP_TOP;
    if (!walk_body(b.fall, c)) return false;
    clauses_.push_back(std::move(c));
    return true;
  }

  // Returns whether the block is the handler that adds an exception raised in the body to the list of results: it clears
  // the name, if there is one, and continues with LIST_APPEND 3; POP_TOP.
  static bool collects_error(const BasicBlock& b, const Clause& c) {
    const auto size = b.code.size();
    return b.is_handler && b.fall == c.next && size >= 2 && b.code[size - 2].op == Op::LIST_APPEND &&
           b.code[size - 2].arg == 3 && b.code[size - 1].op == Op::POP_TOP;
  }

  // Returns whether an end of the body, which leads to the next clause, clears the name before.
  static bool clears_name_at_end(const BasicBlock& b) {
    return !b.jump.valid() && b.code.size() >= 3 && clears_name(b.code, b.code.size() - 3);
  }

  // Collects the blocks of the clause's body. Returns false if it is entered or left in another way.
  bool walk_body(BlockId from, Clause& c) {
    std::set<std::uint32_t> seen{from.n};
    std::vector<BlockId> todo{from};
    while (!todo.empty()) {
      const auto at = todo.back();
      todo.pop_back();
      const auto& b = cfg_.blocks[at];
      if (at.n == handler_ || b.entry_depth < depth_) return false;
      c.body.push_back(at);
      if (collects_error(b, c)) {
        if (c.error.valid() || b.code.size() != (c.has_name ? 5U : 2U)) return false;
        if (c.has_name && !clears_name(b.code, 0)) return false;
        c.error = at;
        continue;
      }
      if (b.fall == c.next || b.jump == c.next) {
        if (c.has_name && !clears_name_at_end(b)) return false;
        c.ends.push_back(at);
      }
      if (b.handler.block.valid() && b.handler.block != cleanup_ && b.handler.depth < depth_) return false;
      for (const BlockId s : {b.fall, b.jump, b.handler.block})
        if (s.valid() && s != c.next && s != cleanup_ && seen.insert(s.n).second) todo.push_back(s);
    }
    return true;
  }

  static void erase(BasicBlock& b, std::size_t from, std::size_t count) {
    const auto at = static_cast<std::ptrdiff_t>(from), n = static_cast<std::ptrdiff_t>(count);
    b.code.erase(b.code.begin() + at, b.code.begin() + at + n);
  }

  // Returns the block that begins with POP_EXCEPT.
  BlockId exit_block() {
    const auto none = cfg_.blocks[end_].fall;
    return cfg_.blocks[none].code.size() == 1 ? cfg_.blocks[none].fall : without_first(none);
  }

  // Returns a copy of a block without its first instruction, which pops one entry. The block itself may have other
  // predecessors.
  BlockId without_first(BlockId of) {
    BasicBlock rest = cfg_.blocks[of];
    erase(rest, 0, 1);
    rest.entry_depth -= 1;
    ++rest.first_index;
    return cfg_.blocks.add(std::move(rest));
  }

  BlockId block_after_exit(BlockId exit) {
    const auto& b = cfg_.blocks[exit];
    return b.code.size() == 1 && b.fall.valid() ? b.fall : without_first(exit);
  }

  void rewrite_test(const Clause& c) {
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
    if (b.jump == c.next) {  // POP_TOP and the next clause are one block
      erase(other, 0, 1);
      other.entry_depth -= 1;
    } else {
      other.fall = BlockId{};
    }
    b.jump = c.next;
  }

  // Redirects the edges from the end of a body to the next clause to `to`. In a clause with a name, also removes the
  // code that clears the name, which `to` contains.
  void redirect_end(BlockId at, const Clause& c, BlockId exit, BlockId to) {
    auto& b = cfg_.blocks[at];
    if (b.fall == c.next) b.fall = to;
    if (b.jump == c.next) b.jump = to;
    if (!c.has_name) return;
    b.code.resize(b.code.size() - 3);
    if (!b.code.empty()) return;
    b.handler = cfg_.blocks[exit].handler;
    b.entry_depth = cfg_.blocks[exit].entry_depth;
  }

  // Returns a block that clears the name after POP_EXCEPT, outside every range of this statement, then continues at
  // `follow`. One block serves all ends of a clause, which are duplicates of each other (3.13+).
  BlockId clearing_block(BlockId end, BlockId exit, BlockId follow) {
    const auto& b = cfg_.blocks[end];
    BasicBlock made;
    made.code.push_back(cfg_.blocks[exit].code[0]);
    made.code.insert(made.code.end(), b.code.end() - 3, b.code.end());
    made.handler = cfg_.blocks[exit].handler;
    made.fall = follow;
    made.entry_depth = cfg_.blocks[exit].entry_depth;
    made.first_index = b.first_index + static_cast<std::uint32_t>(b.code.size()) - 3;
    return cfg_.blocks.add(std::move(made));
  }

  // Turns the handler of a body into `name = None; del name; RERAISE 1`.
  void rewrite_error_handler(BlockId at) {
    auto& b = cfg_.blocks[at];
    erase(b, 4, 1);
    b.code[3].op = Op::RERAISE;
    b.code[3].arg = 1;
    b.fall = BlockId{};
  }

  Cfg& cfg_;
  std::uint32_t handler_;
  BlockId cleanup_, end_;
  std::size_t prefix_ = 0;   // number of instructions that create the list
  std::uint32_t depth_ = 0;  // depth of the operand stack in the bodies
  std::vector<Clause> clauses_;
};

// Merges the copies of LIST_APPEND 1 that 3.13+ have at the end of each path from the last clause, where it is a small
// block without a line (basicblock_inline_small_or_no_lineno_blocks in Python/flowgraph.c): moves it to the block where
// the paths join.
void merge_list_appends(Cfg& cfg, const Predecessors& before, std::uint32_t at) {
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

// Inverts the test of 3.11.0 to 3.11.3, which jumps to the body over the POP_TOP of the other path; later versions jump
// to that path.
void normalize_none_test(BasicBlock& b) {
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
    normalize_none_test(cfg.blocks[BlockId{i}]);
    merge_list_appends(cfg, edges, i);
  }
  std::optional<Cfg> before;
  for (std::uint32_t i = 0; i < n; ++i) {
    GroupHandler handler(cfg, i);
    if (!handler.match_shape()) continue;
    if (!before) before = cfg;
    handler.rewrite();
  }
  if (!before) return;
  // Bodies that are entered or left as no compiler does it give a graph with inconsistent depths; then nothing is
  // changed.
  if (validate_rewritten(cfg, dialect))
    unlink_unreachable(cfg);
  else
    cfg = std::move(*before);
}

}  // namespace depyf::deopt
