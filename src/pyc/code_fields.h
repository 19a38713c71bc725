// SPDX-License-Identifier: MIT
// The fields of a marshalled code object in their order, which changed in 3.11, and names for errors.
//
// Invariant: fields_of() lists the fields after the leading integers of TYPE_CODE. Nothing is read here.
#pragma once

#include <span>
#include <string_view>

#include "code/check.h"
#include "depyf/code.h"
#include "pyc/marshal_reader.h"

namespace depyf {

[[nodiscard]] std::span<const CodeField> fields_of(Version version);
[[nodiscard]] std::string_view field_name(CodeField field);
[[nodiscard]] std::string_view type_name(const Constant& value);

}  // namespace depyf
