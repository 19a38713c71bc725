// SPDX-License-Identifier: MIT
// Where constructs end: follow nodes and the targets of `break`, computed from regions and the context of a block.
#pragma once

#include <algorithm>
#include <vector>

#include "structure/region/regions.h"

namespace depyf::structure {

// What is around the block that is being written.
struct Context {
  std::uint32_t follow = kNone;  // where falling off the end of the block leads
  std::uint32_t after = kNone;   // the same, that of a block around it if this one is not to come to its end
  const Loop* loop = nullptr;
  const Loop* loop_around_finally = nullptr;  // the loop around the innermost finally body being written
  std::size_t finally_depth = 0;              // entries on the stack where that body is entered by an exception
  std::size_t exceptions = 0;              // entries that exceptions have on the stack, those being handled and before
  const Loop* loop_around_star = nullptr;  // in_star: the loop around the clause, which nothing in it leaves
  std::uint32_t handler = kNone;           // node of the innermost enclosing try's handler
  std::uint32_t start = kNone;             // first node of a range or `while True`: not yet a way back to it
  std::uint32_t depth = 0;
  bool in_finally = false;  // the RERAISE at the end of a finally body makes no statement
  bool in_star = false;     // in a clause of `except*`, which has no `return`
  bool jumps = false;       // an arm that another one follows: its end has a jump of its own
  bool in_else = false;     // the block is the other arm of an `if`

  // That of a block in the statement being written, at whose end control continues at `to`.
  [[nodiscard]] Context inside(std::uint32_t to) const {
    Context inner = *this;
    ++inner.depth;
    inner.follow = to;
    if (to != kNone) inner.after = to;
    inner.in_else = false;
    return inner;
  }
  [[nodiscard]] bool is_loop_edge(std::uint32_t n) const { return loop != nullptr && loop->has_edge_to(n); }
  // Entries on the stack in the finally body being written.
  [[nodiscard]] std::size_t finally_entries(const LiftedCode& code) const {
    return finally_depth + (code.unit.dialect.handler_pushes_six ? 0 : 1);  // PUSH_EXC_INFO (3.11+) adds one
  }
  // Whether n, which raises an exception again, ends that body.
  [[nodiscard]] bool is_end(const LiftedCode& code, std::uint32_t n) const {
    return code.node(n).state.stack.size() == finally_entries(code);
  }
  // Only a statement that leaves that body leads to n.
  [[nodiscard]] bool is_left_for(const LiftedCode& code, std::uint32_t n) const {
    const auto to = in_finally ? skip_cleanup(code, n, loop) : kNone;
    return to != kNone && code.node(to).entry.size() < finally_entries(code);
  }
  [[nodiscard]] bool is_stop(std::uint32_t n) const { return n == follow || is_loop_edge(n); }
};

[[nodiscard]] inline bool has(const std::vector<std::uint32_t>& v, std::uint32_t x) {
  return std::find(v.begin(), v.end(), x) != v.end();
}

// Whether control leaves the code from n on by a way that nothing else leads to.
[[nodiscard]] bool exits_alone(const Regions& r, std::uint32_t n, const Context& ctx);
// The first node that paths from at least two of the groups lead to.
[[nodiscard]] std::uint32_t common_follow(const Regions& r, const std::vector<std::vector<std::uint32_t>>& groups,
                                          const Context& ctx);
// Follow of an `if` at n: kNone where no arm comes out, or only one does (the other arm is then what follows).
[[nodiscard]] std::uint32_t follow_of_if(const Regions& r, std::uint32_t n, const Context& ctx);
// Where `break` leads for a loop with the given nodes and normal exit (kNone for while True).
[[nodiscard]] std::uint32_t break_target(const Regions& r, const NodeSet& in, std::uint32_t header,
                                         std::uint32_t normal, const Context& ctx);

// Exits of a protected body, or of the except clauses after it. `required`: only the follow of the construct can lead
// there; `candidates`: a statement inside says it as well (break, continue, return of a constant).
struct RegionExits {
  std::vector<std::uint32_t> required, candidates;
};
[[nodiscard]] RegionExits region_exits(const Regions& r, const NodeSet& region, const Context& ctx);

struct TryFollow {
  bool found = false;
  std::uint32_t follow = kNone,
                normal = kNone;  // normal: where the body leads, through an else clause if it is not follow
  bool reached = true;           // the follow
};
// Of try / except, whose exits those of its body and of its clauses are.
[[nodiscard]] TryFollow follow_of_try(const Regions& r, std::uint32_t handler, const RegionExits& body,
                                      const RegionExits& clauses, const NodeSet& clause_nodes, const Context& ctx);
// Of try / finally with a protected body `in`.
[[nodiscard]] TryFollow follow_of_finally(const Regions& r, std::uint32_t handler, const NodeSet& in,
                                          const Context& ctx);

}  // namespace depyf::structure
