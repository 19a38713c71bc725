// SPDX-License-Identifier: MIT
// Rewrites of the graph that a construct asks for while it is written. Each returns whether the graph has changed: then
// regions are computed again, and the walk starts again.
#pragma once

#include <vector>

#include "structure/region/follow.h"

namespace depyf::structure {

// Those exits become one that leave the same constructs towards the same place.
bool merge_tails(LiftedCode& code, std::vector<std::uint32_t> exits);
// The same for `exit`, which only leaves constructs, and all like it that `from` leads to.
bool merge_tails_with(LiftedCode& code, const Regions& r, std::uint32_t exit, std::uint32_t from);

struct WithParts {
  std::uint32_t enter, handler;  // nodes
  std::uint32_t swallowed;       // where it continues after an exception that was swallowed
};
// A with statement that continues at two places continues at a test of a variable instead.
bool join_with_exits(LiftedCode& code, const Regions& r, const WithParts& with, const Context& ctx);

// The statement at n, which continues at several places, becomes the body of a loop. `left`: its finally body, if that leads
// to one of them.
bool loop_once(LiftedCode& code, const Regions& r, std::uint32_t n, std::vector<std::uint32_t> exits,
               std::uint32_t left, const Context& ctx);

// The headers that two loops share become one for each.
bool split_headers(LiftedCode& code, const Regions& r);

}  // namespace depyf::structure
