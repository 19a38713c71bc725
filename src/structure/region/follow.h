// SPDX-License-Identifier: MIT
// Where constructs end: follow nodes and targets of `break`, computed from regions and the context of a block.
#pragma once

#include <algorithm>
#include <vector>

#include "structure/region/regions.h"

namespace depyf::structure {

// The surroundings of the block that is being written.
struct Context {
  std::uint32_t follow = kNone;  // the node after the end of the block
  std::uint32_t after = kNone;   // the same, or that of a block around it if this block never reaches its end
  const Loop* loop = nullptr;
  const Loop* loop_around_finally = nullptr;  // the loop around the innermost finally body being written
  std::size_t finally_depth = 0;              // depth of the stack where that body is entered by an exception
  std::size_t exceptions = 0;  // stack entries of exceptions: those being handled, and what was handled before
  const Loop* loop_around_star = nullptr;  // if in_star: the loop around the clause, which a clause cannot leave
  std::uint32_t handler = kNone;           // node of the innermost enclosing try's handler
  std::uint32_t start = kNone;  // first node of a range or `while True`; an edge to it is not yet a back edge
  std::uint32_t depth = 0;
  bool in_finally = false;      // the RERAISE at the end of a finally body is not a statement
  bool in_star = false;         // in a clause of `except*`, which cannot have a `return`
  bool ends_with_jump = false;  // an arm with another one after it: its end has a jump of its own
  bool in_else = false;         // the block is the other arm of an `if`

  // Returns the context of a block in the statement being written; after the block, control continues at `to`.
  [[nodiscard]] Context inside(std::uint32_t to) const {
    Context inner = *this;
    ++inner.depth;
    inner.follow = to;
    if (to != kNone) inner.after = to;
    inner.in_else = false;
    return inner;
  }
  [[nodiscard]] bool is_loop_edge(std::uint32_t n) const { return loop != nullptr && loop->has_edge_to(n); }
  // Returns the depth of the stack in the finally body being written.
  [[nodiscard]] std::size_t finally_entries(const LiftedCode& code) const {
    return finally_depth + (code.unit.dialect.handler_pushes_six ? 0 : 1);  // PUSH_EXC_INFO (3.11+) adds one
  }
  // Returns whether n, which reraises, is the end of that body.
  [[nodiscard]] bool is_end(const LiftedCode& code, std::uint32_t n) const {
    return code.node(n).state.stack.size() == finally_entries(code);
  }
  // Returns whether only a statement that leaves that body leads to n.
  [[nodiscard]] bool is_left_for(const LiftedCode& code, std::uint32_t n) const {
    const auto to = in_finally ? skip_cleanup(code, n, loop) : kNone;
    return to != kNone && code.node(to).entry.size() < finally_entries(code);
  }
  [[nodiscard]] bool is_stop(std::uint32_t n) const { return n == follow || is_loop_edge(n); }
};

[[nodiscard]] inline bool has(const std::vector<std::uint32_t>& v, std::uint32_t x) {
  return std::find(v.begin(), v.end(), x) != v.end();
}

// Returns whether the code from n on leaves by itself, on a path without other predecessors or branches.
[[nodiscard]] bool exits_alone(const Regions& r, std::uint32_t n, const Context& ctx);
// Returns the first node reachable from at least two of the groups, or kNone.
[[nodiscard]] std::uint32_t common_follow(const Regions& r, const std::vector<std::vector<std::uint32_t>>& groups,
                                          const Context& ctx);
// Returns the follow of an `if` at n; kNone if no arm continues, or only one does (the other arm is then the code after
// it).
[[nodiscard]] std::uint32_t follow_of_if(const Regions& r, std::uint32_t n, const Context& ctx);
// Returns the target of `break` of a loop with the given nodes and normal exit (kNone for `while True`).
[[nodiscard]] std::uint32_t break_target(const Regions& r, const NodeSet& in, std::uint32_t header,
                                         std::uint32_t normal, const Context& ctx);

// Exits of a protected body, or of the except clauses after it. `required`: only the follow of the construct can lead
// there. `candidates`: a statement inside could lead there, too (break, continue, return of a constant).
struct RegionExits {
  std::vector<std::uint32_t> required, candidates;
};
[[nodiscard]] RegionExits region_exits(const Regions& r, const NodeSet& region, const Context& ctx);

struct TryFollow {
  bool found = false;
  std::uint32_t follow = kNone,
                normal = kNone;  // where the body continues: at an else clause, or at `follow`
  bool is_reached = true;        // whether `follow` is reachable
};
// The follow of a try / except, given the exits of its body and of its clauses.
[[nodiscard]] TryFollow follow_of_try(const Regions& r, std::uint32_t handler, const RegionExits& body,
                                      const RegionExits& clauses, const NodeSet& clause_nodes, const Context& ctx);
// The follow of a try / finally with the protected body `in`.
[[nodiscard]] TryFollow follow_of_finally(const Regions& r, std::uint32_t handler, const NodeSet& in,
                                          const Context& ctx);

}  // namespace depyf::structure
