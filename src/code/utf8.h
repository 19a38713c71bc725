// SPDX-License-Identifier: MIT
// UTF-8 as CPython's "surrogatepass" error handler understands it: lone surrogates are their three-byte form.
//
// Invariant: what is_text() accepts is what str.encode("utf-8", "surrogatepass") can produce.
// This file does not decode into code points; it only checks and converts whole texts.
#pragma once

#include <string>
#include <string_view>

namespace depyf {

// True for well-formed UTF-8, surrogates allowed; overlong forms and values over U+10FFFF are not.
[[nodiscard]] bool is_text(std::string_view bytes);

// One byte a character (Latin-1) to UTF-8.
[[nodiscard]] std::string latin1_to_text(std::string_view bytes);

}  // namespace depyf
