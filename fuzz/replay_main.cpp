// SPDX-License-Identifier: MIT
// Runs a fuzz target without libFuzzer: once on no input, and once on every file of the arguments and their folders.
//
// Invariant: the exit status is 0 if the target returns for every file; a failure is a crash, as under libFuzzer. A
// path that does not exist is skipped, so that a target without regression files passes.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::vector<std::filesystem::path> files_of(const std::filesystem::path& path) {
  if (std::filesystem::is_regular_file(path)) return {path};
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(path)) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void replay(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string data{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  std::printf("replay %s\n", path.c_str());
  std::fflush(stdout);  // so that the name is printed if the target crashes
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(data.data()), data.size());
}

}  // namespace

int main(int argc, char** argv) {
  LLVMFuzzerTestOneInput(nullptr, 0);
  std::size_t count = 0;
  for (int i = 1; i < argc; ++i) {
    for (const auto& path : files_of(argv[i])) {
      replay(path);
      ++count;
    }
  }
  std::printf("%zu files replayed\n", count);
  return 0;
}
