// SPDX-License-Identifier: MIT
// Tells which instruction pushed each value on a frame's evaluation stack.
//
// Abstract interpretation of the bytecode finds this out. A value has an origin only if it is the same on every path.
// Lists that only the stack refers to are tracked with their items.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "depyf/code.h"
#include "depyf/limits.h"
#include "depyf/result.h"

namespace depyf {

struct StackOrigins {
  static constexpr std::uint32_t kUnknown = 0xFFFFFFFF;
  struct Origin {
    std::uint32_t offset = 0;    // byte offset of the instruction in co_code
    std::string_view operation;  // CPython's name of the operation ("LOAD_ATTR"), the same in all versions
  };
  struct List {
    std::uint32_t list = 0;            // its origin
    std::vector<std::uint32_t> items;  // their origins
  };
  struct Variable {
    std::string name;
    std::uint32_t value = 0;  // the origin of the value that was assigned
  };
  std::vector<Origin> origins;       // the fields below contain indices into this, or kUnknown
  std::vector<std::uint32_t> stack;  // from the bottom
  std::vector<List> lists;
  std::vector<Variable> variables;
};

enum class Moment : std::uint8_t {
  kBefore,  // the instruction has not started
  kDuring,  // it is being executed; its operands are left out, since a callee may own them by now
};

// Returns the stack at the instruction that contains the byte `offset` (its caches included). Fails with kMalformed if
// control never reaches the instruction, or reaches it with different stack depths.
[[nodiscard]] Result<StackOrigins> stack_origins(const CodeTree& tree, CodeId code, std::uint32_t offset, Moment moment,
                                                 const Limits& limits);

}  // namespace depyf
