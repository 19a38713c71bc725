// SPDX-License-Identifier: MIT
// The file operations of depyfc: files are read as a whole, and written as a whole or not at all.
//
// Invariant: after a failed write neither the file nor the temporary file exists. Messages for people have one line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "depyf/result.h"

namespace depyf::cli {

// Reads a file of at most `max_bytes`. The error distinguishes a missing file, a folder and a file that is too large.
[[nodiscard]] Result<std::string> read_file(const std::string& path, std::size_t max_bytes);

// Writes a temporary file next to `path`, then renames it. Creates missing folders.
[[nodiscard]] Status write_file(const std::string& path, std::string_view text);

[[nodiscard]] Status write_stdout(std::string_view text);

// Writes one line to standard error with a single call.
void complain(std::string_view line);

// Returns the text with escapes for control characters, such as those that would end the line.
[[nodiscard]] std::string one_line(std::string_view text);

[[nodiscard]] bool is_folder(const std::string& path);

}  // namespace depyf::cli
