// SPDX-License-Identifier: MIT
// Test tool that compares pairs of .pyc files. It reads lines FIRST<TAB>SECOND on standard input and prints one line of
// JSON for each: {"items": [[equal, offset, name, reason], ...]} with one item for each code object of the first file,
// in the order of tests/oracle (parents first, children in code order), or {"error": what}.
//
// `equal` is the result of the canonical comparison. With --prove, the translation validator is asked if that finds a
// difference, and with --prove-all always, and `equal` is its result.
//
// The product does not contain this tool: depyfc and the bindings call depyf::verify(), which uses the same comparison.
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "depyf/decompile.h"
#include "verify/compare.h"

namespace {

using depyf::CodeTree;
using depyf::Result;

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (u >= 0x20 && u < 0x7F && c != '"' && c != '\\') {
      out += c;
    } else {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u00%02x", u);  // bytes, not characters: enough to compare and to read
      out += escape;
    }
  }
  return out + "\"";
}

Result<CodeTree> read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return depyf::Error{depyf::Errc::kMalformed, depyf::kNowhere, "cannot open " + path};
  const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
  return depyf::read_pyc(std::as_bytes(std::span(bytes)), depyf::Limits{});
}

Result<std::string> judge(const std::string& first, const std::string& second,
                          const depyf::equivalence::CompareOptions& options) {
  DEPYF_TRY(a, read(first));
  DEPYF_TRY(b, read(second));
  if (a.version != b.version) return depyf::Error{depyf::Errc::kMalformed, depyf::kNowhere, "different versions"};
  std::string out = "{\"items\": [";
  const char* between = "";
  depyf::equivalence::Comparer comparer(a, b, depyf::Limits{});
  for (const depyf::Verdict& verdict : comparer.compare_trees(a.root(), b.root(), options)) {
    const bool exact = verdict.kind != depyf::VerdictKind::kUnproved;
    out += between + std::string(exact ? "[true, " : "[false, ");
    out += verdict.offset == 0xFFFFFFFF ? "-1" : std::to_string(verdict.offset);
    out += ", " + quoted(a.codes[verdict.code].name) + ", " + quoted(verdict.reason) + "]";
    between = ", ";
  }
  return out + "]}";
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  depyf::equivalence::CompareOptions options;
  options.prove = mode == "--prove";
  options.prove_all = mode == "--prove-all";
  std::string line;
  while (std::getline(std::cin, line)) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) return 2;
    const Result<std::string> answer = judge(line.substr(0, tab), line.substr(tab + 1), options);
    std::cout << (answer.ok() ? answer.value() : "{\"error\": " + quoted(answer.error().what) + "}") << std::endl;
  }
  return 0;
}
