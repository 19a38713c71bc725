// SPDX-License-Identifier: MIT
// A CodeTree as plain text, for tests that compare what two producers made of the same code.
//
// Invariant: two trees that agree in everything the core may read have equal text. Not a listing for people.
#pragma once

#include <string>

#include "depyf/code.h"

namespace depyf::bind {

[[nodiscard]] std::string describe(const CodeTree& tree);

}  // namespace depyf::bind
