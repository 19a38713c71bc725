// SPDX-License-Identifier: MIT
// UTF-8 with CPython's "surrogatepass" error handler: lone surrogates have their three-byte form.
//
// Invariant: is_text() accepts exactly the results of str.encode("utf-8", "surrogatepass"). Texts are checked and
// converted as a whole; nothing is decoded to code points here.
#pragma once

#include <string>
#include <string_view>

namespace depyf {

// Returns whether the bytes are well-formed UTF-8, surrogates allowed, but no overlong forms or values over U+10FFFF.
[[nodiscard]] bool is_text(std::string_view bytes);

// Converts Latin-1, one byte per character, to UTF-8.
[[nodiscard]] std::string latin1_to_text(std::string_view bytes);

}  // namespace depyf
