// SPDX-License-Identifier: MIT
// What lies on a frame's evaluation stack, by the instruction that left each value there.
//
// Found by abstract interpretation of the bytecode alone. A value is an instruction's when it is that on every path to the
// place asked for; lists that lie on the stack and nowhere else are followed with their items.
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
    std::uint32_t offset = 0;    // byte offset of the instruction in its co_code
    std::string_view operation;  // what left the value, by CPython's name ("LOAD_ATTR"), the same in all versions
  };
  struct List {
    std::uint32_t list = 0;            // its origin
    std::vector<std::uint32_t> items;  // their origins
  };
  struct Variable {
    std::string name;
    std::uint32_t value = 0;  // the origin of what it was assigned
  };
  std::vector<Origin> origins;       // of the values below, which name them by index; kUnknown: of none that is certain
  std::vector<std::uint32_t> stack;  // from the bottom
  std::vector<List> lists;
  std::vector<Variable> variables;
};

enum class Moment : std::uint8_t {
  kBefore,  // the instruction has not begun
  kDuring,  // it is being executed: what it takes is not told, for a callee may own that by now
};

// What lies on the stack at the instruction whose bytes `offset` is among (its caches included). kMalformed: control never
// reaches it, or with stacks of different depths.
[[nodiscard]] Result<StackOrigins> stack_origins(const CodeTree& tree, CodeId code, std::uint32_t offset, Moment moment,
                                                 const Limits& limits);

}  // namespace depyf
