// SPDX-License-Identifier: MIT
// Measures the whole pipeline in process: from .pyc bytes in memory to text with source map, without a compiler.
//
// `bench_decompile ROUNDS FILE.pyc...` prints one line for each file: the least seconds of ROUNDS rounds.
// tools/speed.py compares them with CPython's compile(). Seconds are processor time, so that other processes do not
// count. A file that cannot be decompiled is an error.
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
      const bool is_decompiled = tree && depyf::decompile(*tree, {});
      const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
      if (!is_decompiled) {
        std::fprintf(stderr, "%s: cannot be decompiled\n", path.c_str());
        return 1;
      }
      least = std::min(least, seconds);
    }
    std::printf("%.9f\n", least);
  }
  return 0;
}
