// SPDX-License-Identifier: MIT
// The C++ API on one file: prints the source that a .pyc was compiled from. How to build it: CMakeLists.txt.
#include <depyf/decompile.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

int main(int argc, char** argv) {
  std::ifstream file(argc > 1 ? argv[1] : "", std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  const auto tree = depyf::read_pyc(std::as_bytes(std::span(bytes)), depyf::Limits{});
  if (!tree) return std::cerr << tree.error().what << "\n", 2;
  const auto source = depyf::decompile(*tree, depyf::DecompileOptions{});
  if (!source) return std::cerr << source.error().what << "\n", 1;
  std::cout << source->text;
}
