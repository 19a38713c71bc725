// SPDX-License-Identifier: MIT
// Describes a CodeTree as plain text, for tests that compare the trees of two producers.
//
// Invariant: trees that agree in everything that the core may read have equal texts. The text is not meant for people.
#pragma once

#include <string>

#include "depyf/code.h"

namespace depyf::bind {

[[nodiscard]] std::string describe(const CodeTree& tree);

}  // namespace depyf::bind
