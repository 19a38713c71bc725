// SPDX-License-Identifier: MIT
// Rewrites of the graph that a construct requests while it is written. Each returns whether the graph has changed; then
// regions are computed again, and the walk restarts.
#pragma once

#include <vector>

#include "structure/region/follow.h"

namespace depyf::structure {

// Merges exits that leave the same constructs and continue at the same place.
bool merge_tails(LiftedCode& code, std::vector<std::uint32_t> exits);
// Merges `exit`, which only leaves constructs, with all equal exits reachable from `from`.
bool merge_tails_with(LiftedCode& code, const Regions& r, std::uint32_t exit, std::uint32_t from);

struct WithParts {
  std::uint32_t enter, handler;  // nodes
  std::uint32_t swallowed;       // where control continues after a suppressed exception
};
// Makes a with statement that continues at two places continue at the test of a variable instead.
bool join_with_exits(LiftedCode& code, const Regions& r, const WithParts& with, const Context& ctx);

// Makes the statement at n, which continues at several places, the body of a loop. `left`: the finally body of the
// statement, if that leads to one of these places.
bool loop_once(LiftedCode& code, const Regions& r, std::uint32_t n, std::vector<std::uint32_t> exits,
               std::uint32_t left, const Context& ctx);

// Gives each of two loops that share a header a header of its own.
bool split_headers(LiftedCode& code, const Regions& r);

}  // namespace depyf::structure
