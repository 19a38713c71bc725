// SPDX-License-Identifier: MIT
// The stream of jobs; see jobs.h.
#include "jobs.h"

#include <algorithm>
#include <iostream>
#include <system_error>
#include <utility>

#include "files.h"

namespace depyf::cli {
namespace {

namespace fs = std::filesystem;

bool is_pyc(const fs::path& path) { return path.extension() == ".pyc"; }

fs::path output_name(const fs::path& input) {
  fs::path name = input.filename();
  if (is_pyc(name)) name.replace_extension();
  name += ".py";
  return name;
}

}  // namespace

JobStream::JobStream(const Options& options) : options_(options) {
  if (options_.mode != Mode::kList) return;
  if (options_.paths[0] == "-") {
    list_ = &std::cin;
  } else if (!is_folder(options_.paths[0])) {
    list_file_.open(options_.paths[0], std::ios::binary);
    list_ = &list_file_;
  }
}

std::optional<std::variant<Job, BadJob>> JobStream::next() {
  const std::lock_guard lock(mutex_);
  std::optional<Item> item = next_item();
  if (!item) return item;
  const Job* job = std::get_if<Job>(&*item);
  if (job == nullptr || job->output.empty()) return item;
  // If two inputs have the same output, the second would silently overwrite the first.
  if (!outputs_.insert(fs::path(job->output).lexically_normal().string()).second) {
    return BadJob{job->input, "wanted an output of its own, found " + job->output + " taken by an earlier file"};
  }
  return item;
}

std::optional<JobStream::Item> JobStream::next_item() {
  if (options_.mode == Mode::kList) return next_of_list();
  return next_of_paths();
}

std::optional<JobStream::Item> JobStream::next_of_paths() {
  for (;;) {
    if (!folders_.empty()) {
      if (std::optional<Item> item = next_of_folder()) return item;
      continue;
    }
    if (next_path_ == options_.paths.size()) return std::nullopt;
    const fs::path path = options_.paths[next_path_++];
    if (options_.mode == Mode::kPrint) return Job{path.string(), ""};
    if (!is_folder(path.string())) return Job{path.string(), (fs::path(options_.out_dir) / output_name(path)).string()};
    if (std::optional<Item> bad = open_folder(path, options_.out_dir)) return bad;
  }
}

// Returns nullopt if the innermost folder has no more entries, or if the entry was a subfolder, which is open now.
std::optional<JobStream::Item> JobStream::next_of_folder() {
  Folder& folder = folders_.back();
  if (folder.entries.empty()) {
    folders_.pop_back();
    return std::nullopt;
  }
  const fs::path path = std::move(folder.entries.back());
  folder.entries.pop_back();
  const fs::path out = folder.out;  // open_folder() may move `folder`
  std::error_code error;
  // Links to folders are not followed, since they could form a cycle.
  if (fs::is_directory(fs::symlink_status(path, error))) return open_folder(path, out / path.filename());
  if (!is_pyc(path) || !fs::is_regular_file(path, error)) return std::nullopt;
  return Job{path.string(), (out / output_name(path)).string()};
}

std::optional<JobStream::Item> JobStream::open_folder(const fs::path& path, fs::path out) {
  Folder folder;
  std::error_code error;
  for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
    folder.entries.push_back(it->path());
  }
  if (error) return BadJob{path.string(), "wanted a folder that can be read"};
  std::sort(folder.entries.begin(), folder.entries.end(), std::greater<>());
  folder.out = std::move(out);
  folders_.push_back(std::move(folder));
  return std::nullopt;
}

std::optional<JobStream::Item> JobStream::next_of_list() {
  if (list_ == nullptr) {
    if (std::exchange(list_line_, 1) != 0) return std::nullopt;
    return BadJob{options_.paths[0], "wanted a list of files, found a folder"};
  }
  if (list_line_ == 0 && !*list_) {
    ++list_line_;
    return BadJob{options_.paths[0], "wanted a list of files that can be read"};
  }
  std::string line;
  while (std::getline(*list_, line)) {
    ++list_line_;
    if (line.empty()) continue;
    const std::size_t tab = line.find('\t');
    if (tab == 0 || tab == std::string::npos || tab + 1 == line.size()) {
      return BadJob{options_.paths[0], "line " + std::to_string(list_line_) + ": wanted PYC<TAB>OUT"};
    }
    return Job{line.substr(0, tab), line.substr(tab + 1)};
  }
  return std::nullopt;
}

}  // namespace depyf::cli
