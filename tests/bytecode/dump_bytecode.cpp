// SPDX-License-Identifier: MIT
// Prints the instructions that src/bytecode decodes from .pyc files in the format of tests/bytecode/listing.py.
//
// Each instruction is a line with its jump target, position and net stack effect after decoding, and so is each
// exception handler. With --canonical, the canonical instructions are printed instead, and with --dialect 3.X the
// fields of its Dialect. test_listing.py compares the output with that of dis.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "bytecode/dialect.h"
#include "bytecode/positions.h"
#include "bytecode/raw.h"
#include "depyf/decompile.h"

namespace depyf {
namespace {

// Net stack effects of the canonical instructions at the offset of each raw instruction.
struct Net {
  int fall = 0;
  int jump = 0;
  bool jumps = false;
};

Net net_effect(Version version, const Bytecode& bytecode, std::size_t& at, std::uint32_t start) {
  Net net;
  for (; at < bytecode.code.size() && bytecode.code[at].offset == start; ++at) {
    const Instruction& insn = bytecode.code[at];
    const Effect fall = effect(version, insn, false);
    const Effect jump = effect(version, insn, true);
    net.jump = net.fall + jump.pushes - jump.pops;
    net.fall += fall.pushes - fall.pops;
    net.jumps = is_jump(insn.op);
  }
  return net;
}

void print_raw(Version version, const CodeObject& code, const InstructionSet& set,
               const std::vector<RawInstruction>& raw, const Bytecode& bytecode) {
  SourcePositions positions;
  positions.begin(version, code, bytecode.code);
  std::size_t at = 0;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const RawInstruction& r = raw[i];
    const std::size_t first = at;
    const Net net = net_effect(version, bytecode, at, r.start);
    std::printf("%u %u ", r.offset, r.opcode);
    set.opcodes[r.opcode].has_arg ? std::printf("%u", r.arg) : std::printf("-");
    r.target == kNoTarget ? std::printf(" -") : std::printf(" %u", r.target);
    if (first < at) {  // a dropped instruction has no position of its own
      const SourcePosition* known = positions.at(r.start);
      const SourcePosition p = known != nullptr ? *known : SourcePosition{};
      std::printf(" %d,%d,%d,%d %d", p.line, p.end_line, p.column, p.end_column, net.fall);
    } else {
      std::printf(" dropped 0");
    }
    net.jumps ? std::printf(" %d\n", net.jump) : std::printf(" -\n");
  }
  if (version.minor < 11) return;
  const auto entries = read_exception_table(code.exceptiontable);
  for (const ExceptionEntry& e : entries.value()) {
    std::printf("handler %u %u %u %u %d\n", e.start, e.end, e.target, e.depth, e.lasti ? 1 : 0);
  }
}

void print_canonical(const Bytecode& bytecode) {
  for (std::size_t i = 0; i < bytecode.code.size(); ++i) {
    const Instruction& insn = bytecode.code[i];
    std::printf("%zu %u %s %u", i, insn.offset, std::string(op_name(insn.op)).c_str(), insn.arg);
    if (insn.flags != 0) std::printf(" flags=%u", insn.flags);
    if (insn.target != kNoTarget) std::printf(" -> %u", insn.target);
    std::printf("\n");
  }
  for (const ExceptionEntry& e : bytecode.handlers) {
    std::printf("handler %u %u %u %u %d\n", e.start, e.end, e.target, e.depth, e.lasti ? 1 : 0);
  }
}

// Returns all code objects, each before those among its constants.
std::vector<CodeId> preorder(const CodeTree& tree) {
  std::vector<CodeId> result;
  std::vector<CodeId> open{tree.root()};
  while (!open.empty()) {
    const CodeId id = open.back();
    open.pop_back();
    result.push_back(id);
    const auto& consts = tree.codes[id].consts;
    for (auto it = consts.rbegin(); it != consts.rend(); ++it) {
      if (const auto* nested = std::get_if<ConstCode>(&tree.consts[*it])) open.push_back(nested->code);
    }
  }
  return result;
}

int fail(const std::string& path, const Error& error) {
  std::printf("error %s: %s (at %zd)\n", path.c_str(), error.what.c_str(), static_cast<std::ptrdiff_t>(error.at));
  return 1;
}

int dump(const std::string& path, bool canonical) {
  std::ifstream in(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  const auto tree = read_pyc(std::as_bytes(std::span(bytes)), Limits{});
  if (!tree.ok()) return fail(path, tree.error());
  const InstructionSet* set = instruction_set(tree->version);
  for (const CodeId id : preorder(*tree)) {
    const CodeObject& code = tree->codes[id];
    std::printf("code %s\n", code.name.c_str());
    const auto raw = read_raw(*set, code.code, Limits{});
    if (!raw.ok()) return fail(path, raw.error());
    const auto bytecode = decode(*tree, id, Limits{});
    if (!bytecode.ok()) return fail(path, bytecode.error());
    if (canonical) {
      print_canonical(*bytecode);
    } else {
      print_raw(tree->version, code, *set, *raw, *bytecode);
    }
  }
  return 0;
}

// Prints the dialect of a version "3.X" as "name value" lines for tests/dialect.
void print_dialect(const std::string& version) {
  const Dialect d = dialect_of({3, static_cast<std::uint8_t>(std::stoul(version.substr(2)))});
#define DEPYF_FIELD(name) std::printf(#name " %u\n", static_cast<unsigned>(d.name))
  DEPYF_FIELD(parenthesised_with);
  DEPYF_FIELD(any_decorator);
  DEPYF_FIELD(unparenthesised_star_subscript);
  DEPYF_FIELD(walrus_in_subscript);
  DEPYF_FIELD(fstring_nests_quotes);
  DEPYF_FIELD(template_strings);
  DEPYF_FIELD(match_statement);
  DEPYF_FIELD(builtin_anext);
  DEPYF_FIELD(drops_unused_copies);
  DEPYF_FIELD(except_star);
  DEPYF_FIELD(type_parameters);
  DEPYF_FIELD(type_parameter_defaults);
  DEPYF_FIELD(leaves_class_name);
  DEPYF_FIELD(except_without_parentheses);
  DEPYF_FIELD(lazy_imports);
  DEPYF_FIELD(comprehension_unpacking);
  DEPYF_FIELD(return_star_unparenthesised);
  DEPYF_FIELD(docstring_cleaned);
  DEPYF_FIELD(mixed_complex_arithmetic);
  DEPYF_FIELD(max_nested_parentheses);
  DEPYF_FIELD(max_static_blocks);
  DEPYF_FIELD(blocks_of_clause);
  DEPYF_FIELD(generator_is_block);
  DEPYF_FIELD(max_indents);
  DEPYF_FIELD(max_integer_digits);
  DEPYF_FIELD(block_stack);
  DEPYF_FIELD(call_finally);
  DEPYF_FIELD(assert_loads_global);
  DEPYF_FIELD(annotations_by_repr);
  DEPYF_FIELD(inverts_back_jumps);
  DEPYF_FIELD(exception_table);
  DEPYF_FIELD(jumps_on_none);
  DEPYF_FIELD(leaves_long_lines);
  DEPYF_FIELD(handler_pushes_six);
  DEPYF_FIELD(qualname_operand);
  DEPYF_FIELD(null_below_callable);
  DEPYF_FIELD(inlines_comprehensions);
  DEPYF_FIELD(inlines_any_all);
  DEPYF_FIELD(loop_test_duplicated);
  DEPYF_FIELD(exits_duplicated);
  DEPYF_FIELD(percent_is_fstring);
  DEPYF_FIELD(folds_not_contains);
  DEPYF_FIELD(folds_constant_tests);
  DEPYF_FIELD(drops_constant_fstrings);
  DEPYF_FIELD(folds_arithmetic_after_tests);
  DEPYF_FIELD(static_attributes);
  DEPYF_FIELD(constant_keys);
  DEPYF_FIELD(constant_slices);
  DEPYF_FIELD(annotations_tuple);
  DEPYF_FIELD(deferred_annotations);
  DEPYF_FIELD(docstring_flag);
  DEPYF_FIELD(class_firstlineno);
  DEPYF_FIELD(superinstructions);
  DEPYF_FIELD(drops_overwritten_stores);
  DEPYF_FIELD(match_pushes_bool);
  DEPYF_FIELD(copies_tested_value);
  DEPYF_FIELD(inverted_jumps_unprotected);
  DEPYF_FIELD(generator_calls_iter);
  DEPYF_FIELD(iterator_null);
  DEPYF_FIELD(future_annotations_flag);
#undef DEPYF_FIELD
}

}  // namespace
}  // namespace depyf

int main(int argc, char** argv) {
  bool canonical = false;
  int status = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--canonical") {
      canonical = true;
      continue;
    }
    if (argument == "--dialect") {
      if (++i < argc) depyf::print_dialect(argv[i]);
      continue;
    }
    std::printf("file\n");
    status |= depyf::dump(argument, canonical);
  }
  return status;
}
