// SPDX-License-Identifier: MIT
// The stream of jobs: pairs of an input and an output file, produced one at a time.
//
// Invariant: memory use depends on the number of open folders and output names, not on the contents of files. next() is
// thread-safe. The files of a folder are in order of their names. No .pyc file is opened here.
#pragma once

#include <filesystem>
#include <fstream>
#include <istream>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_set>
#include <variant>
#include <vector>

#include "options.h"

namespace depyf::cli {

struct Job {
  std::string input;
  std::string output;  // empty: standard output
};
// An input that gives no job, with the reason.
struct BadJob {
  std::string where;
  std::string what;
};

class JobStream {
 public:
  explicit JobStream(const Options& options);
  [[nodiscard]] std::optional<std::variant<Job, BadJob>> next();

 private:
  using Item = std::variant<Job, BadJob>;
  struct Folder {
    std::vector<std::filesystem::path> entries;  // in descending order, so that the next one is last
    std::filesystem::path out;
  };

  std::optional<Item> next_item();
  std::optional<Item> next_of_paths();
  std::optional<Item> next_of_list();
  std::optional<Item> next_of_folder();
  std::optional<Item> open_folder(const std::filesystem::path& path, std::filesystem::path out);

  const Options& options_;
  std::mutex mutex_;
  std::size_t next_path_ = 0;
  std::vector<Folder> folders_;
  std::ifstream list_file_;
  std::istream* list_ = nullptr;
  std::size_t list_line_ = 0;
  std::unordered_set<std::string> outputs_;
};

}  // namespace depyf::cli
