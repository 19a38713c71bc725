// SPDX-License-Identifier: MIT
// Files as depyfc needs them: read whole, written whole or not at all.
//
// Invariant: a failed write leaves neither the file nor a temporary one. Texts for people are one line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "depyf/result.h"

namespace depyf::cli {

// Reads at most `most` bytes. The error tells a missing file, a folder and a file that is too large apart.
[[nodiscard]] Result<std::string> read_file(const std::string& path, std::size_t most);

// Writes through a temporary file beside `path` and renames it; makes missing folders.
[[nodiscard]] Status write_file(const std::string& path, std::string_view text);

[[nodiscard]] Status write_stdout(std::string_view text);

// Prints one whole line on standard error, in one piece.
void complain(std::string_view line);

// `text` with what would break a line, or the terminal, spelled as escapes.
[[nodiscard]] std::string one_line(std::string_view text);

[[nodiscard]] bool is_folder(const std::string& path);

}  // namespace depyf::cli
