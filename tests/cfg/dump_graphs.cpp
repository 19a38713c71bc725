// SPDX-License-Identifier: MIT
// Prints the graph of every code object of .pyc files, and checks that it is built and valid and fits co_stacksize.
//
// Each code object begins with "== NAME FIRSTLINE", and each problem with "!! ". With --check, only problems and a
// summary are printed. The exit status is 0 if there are no problems. test_cfg.py compares the output.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "cfg/dump.h"
#include "depyf/decompile.h"

namespace depyf {
namespace {

struct Tally {
  std::size_t codes = 0, blocks = 0, instructions = 0, wrong = 0;
};

bool complain(Tally& tally, const char* file, const CodeObject& code, const std::string& what) {
  std::printf("!! %s %s %d: %s\n", file, code.name.c_str(), code.firstlineno, what.c_str());
  ++tally.wrong;
  return false;
}

std::uint32_t greatest_depth(const Cfg& cfg, Version version) {
  std::int64_t greatest = 0;
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    std::int64_t depth = cfg.blocks[BlockId{b}].entry_depth;
    greatest = std::max(greatest, depth);
    for (const Instruction& insn : cfg.blocks[BlockId{b}].code) {
      const Effect e = effect(version, insn, false);
      depth += e.pushes - e.pops;
      greatest = std::max(greatest, depth);
    }
  }
  return static_cast<std::uint32_t>(greatest);
}

// KW_NAMES (3.11, 3.12) and RETURN_CONST (3.12, 3.13) use no stack entry, but the LOAD_CONST in their place does.
std::uint32_t extra_entries(const Bytecode& bytecode, Version version) {
  if (version.minor < 11 || version.minor > 13) return 0;
  for (std::size_t i = 1; i < bytecode.code.size(); ++i) {
    const Instruction& insn = bytecode.code[i];
    const bool shares = insn.offset == bytecode.code[i - 1].offset;
    if (insn.op == Op::CALL_KW || (shares && insn.op == Op::RETURN_VALUE)) return 1;
  }
  return 0;
}

bool leftovers(const Cfg& cfg) {
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    for (const Instruction& insn : cfg.blocks[BlockId{b}].code) {
      const bool awaits = insn.op == Op::SEND || insn.op == Op::END_SEND || insn.op == Op::CLEANUP_THROW;
      const bool iterates = insn.op == Op::FOR_ITER || insn.op == Op::POP_ITER;
      if (awaits || insn.op == Op::STOPITERATION_ERROR || (iterates && (insn.flags & kIterNull) != 0)) return true;
    }
  }
  return false;
}

bool check_code(Tally& tally, const char* file, const CodeTree& tree, CodeId id, bool print) {
  const CodeObject& code = tree.codes[id];
  const Dialect dialect = dialect_of(tree.version);
  const Limits limits;
  const auto bytecode = decode(tree, id, limits);
  if (!bytecode) return complain(tally, file, code, "decode: " + bytecode.error().what);
  const auto cfg = build_cfg(tree, id, *bytecode, dialect, limits);
  if (!cfg) {
    return complain(tally, file, code, cfg.error().what + " at " + std::to_string(cfg.error().at));
  }
  if (print) std::printf("== %s %d\n%s", code.name.c_str(), code.firstlineno, dump(*cfg).c_str());
  ++tally.codes;
  tally.blocks += cfg->blocks.size();
  tally.instructions += bytecode->code.size();
  if (const auto valid = validate(*cfg, dialect); !valid) return complain(tally, file, code, valid.error().what);
  if (greatest_depth(*cfg, tree.version) > code.stacksize + extra_entries(*bytecode, tree.version)) {
    return complain(tally, file, code, "deeper than co_stacksize");
  }
  if (leftovers(*cfg)) return complain(tally, file, code, "an instruction of one version is left");
  return true;
}

int run(int argc, char** argv) {
  Tally tally;
  bool print = true;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--check") == 0) {
      print = false;
      continue;
    }
    std::ifstream in(argv[i], std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    const auto tree = read_pyc({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()}, Limits{});
    if (!tree) {
      std::printf("!! %s: %s\n", argv[i], tree.error().what.c_str());
      ++tally.wrong;
      continue;
    }
    for (std::uint32_t c = 0; c < tree->codes.size(); ++c) check_code(tally, argv[i], *tree, CodeId{c}, print);
  }
  if (!print) {
    std::printf("%zu code objects, %zu blocks, %zu instructions, %zu wrong\n", tally.codes, tally.blocks,
                tally.instructions, tally.wrong);
  }
  return tally.wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace depyf

int main(int argc, char** argv) { return depyf::run(argc, argv); }
