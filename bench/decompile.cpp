// SPDX-License-Identifier: MIT
// How long the whole pipeline takes in process: .pyc bytes in memory to text with source map, without a compiler.
//
// bench_decompile ROUNDS FILE.pyc... prints the least seconds of ROUNDS for each file, one line each; tools/speed.py puts
// CPython's own compile() beside them. Seconds are of processor time: what else the machine does is not counted. A file
// that cannot be done is an error: its figure would mean nothing.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "depyf/decompile.h"

int main(int count, char** arguments) {
  if (count < 3) {
    std::fprintf(stderr, "usage: bench_decompile ROUNDS FILE.pyc...\n");
    return 2;
  }
  const int rounds = std::atoi(arguments[1]);
  for (const std::string path : std::span(arguments + 2, arguments + count)) {
    std::ifstream in(path, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < rounds; ++i) {
      const std::clock_t begin = std::clock();
      const auto tree = depyf::read_pyc(std::as_bytes(std::span(bytes)), {});
      const bool done = tree && depyf::decompile(*tree, {});
      const double taken = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
      if (!done) {
        std::fprintf(stderr, "%s: cannot be decompiled\n", path.c_str());
        return 1;
      }
      least = std::min(least, taken);
    }
    std::printf("%.9f\n", least);
  }
  return 0;
}
