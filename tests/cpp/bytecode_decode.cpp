// SPDX-License-Identifier: MIT
// decode(): the result of each rule of meaning.def, jumps to instructions that are split, tables, and malformed input.
// The code objects are small and assembled from names, with the numbers and caches of each version. tests/bytecode
// compares real libraries with dis.
#include <doctest/doctest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "bytecode/dialect.h"
#include "bytecode/positions.h"
#include "bytecode/raw.h"

namespace {

using namespace depyf;

struct Line {
  std::string_view name;
  std::uint32_t arg = 0;
};

// Returns the bytes of a program for a version, with the prefixes of arguments over 255 and the caches of instructions.
std::string assemble(unsigned minor, const std::vector<Line>& lines) {
  const InstructionSet& set = *instruction_set({3, static_cast<std::uint8_t>(minor)});
  std::string code;
  const auto put = [&code](std::uint32_t opcode, std::uint32_t arg) {
    code += static_cast<char>(opcode);
    code += static_cast<char>(arg & 0xFFU);
  };
  const auto number = [&set](std::string_view name) {
    for (std::uint32_t i = 0; i < set.opcodes.size(); ++i)
      if (set.opcodes[i].known && raw_name(set.opcodes[i].raw) == name) return i;
    FAIL("no such opcode: ", std::string(name));
    return 0U;
  };
  for (const Line& line : lines) {
    const std::uint32_t opcode = number(line.name);
    for (unsigned shift = 24; shift > 0; shift -= 8)
      if ((line.arg >> shift) != 0) put(number("EXTENDED_ARG"), line.arg >> shift);
    put(opcode, line.arg);
    code.append(2U * set.opcodes[opcode].caches, '\0');
  }
  return code;
}

CodeTree tree_of(unsigned minor, std::string bytes, std::string handlers = {}) {
  CodeTree tree;
  tree.version = {3, static_cast<std::uint8_t>(minor)};
  CodeObject code;
  code.name = "f";
  code.code = std::move(bytes);
  code.stacksize = 20;
  code.firstlineno = 1;
  code.names = {"n0", "n1"};
  code.varnames = {"v0", "v1", "v2"};
  code.cellvars = {"c"};
  code.exceptiontable = std::move(handlers);
  if (minor >= 11) {
    code.localsplus = {"v0", "v1", "v2", "c"};
    code.localspluskinds = {0x20, 0x20, 0x20, 0x40};
  }
  for (int i = 0; i < 3; ++i) code.consts.push_back(tree.consts.add(ConstNone{}));
  tree.codes.add(std::move(code));
  return tree;
}

Result<Bytecode> decode_lines(unsigned minor, const std::vector<Line>& lines, std::string handlers = {}) {
  return decode(tree_of(minor, assemble(minor, lines), std::move(handlers)), CodeId{0}, Limits{});
}

// Returns the error, or that of the first illegal instruction; null if there is none.
const Error* fault_of(const Result<Bytecode>& result) {
  if (!result.ok()) return &result.error();
  return result->illegal.empty() ? nullptr : result->illegal.data();
}

// Returns "OP arg/flags>target; ..." without the RETURN_VALUE at the end of each program.
std::string text(unsigned minor, std::vector<Line> lines, std::string handlers = {}) {
  lines.push_back({"RETURN_VALUE"});
  const auto bytecode = decode_lines(minor, lines, std::move(handlers));
  if (const Error* fault = fault_of(bytecode)) return "error: " + fault->what;
  std::string out;
  for (std::size_t i = 0; i + 1 < bytecode->code.size(); ++i) {
    const Instruction& insn = bytecode->code[i];
    if (!out.empty()) out += "; ";
    out += op_name(insn.op);
    if (arg_kind(insn.op) != ArgKind::None && !is_jump(insn.op)) out += " " + std::to_string(insn.arg);
    if (insn.flags != 0) out += "/" + std::to_string(insn.flags);
    if (insn.target != kNoTarget) out += ">" + std::to_string(insn.target);
  }
  return out;
}

}  // namespace

TEST_CASE("bytecode: ROT and DUP instructions become SWAP and COPY") {
  CHECK(text(10, {{"ROT_TWO"}}) == "SWAP 2");
  CHECK(text(10, {{"ROT_THREE"}}) == "SWAP 3; SWAP 2");
  CHECK(text(8, {{"ROT_FOUR"}}) == "SWAP 4; SWAP 3; SWAP 2");
  CHECK(text(10, {{"ROT_N", 5}}) == "SWAP 5; SWAP 4; SWAP 3; SWAP 2");
  CHECK(text(10, {{"ROT_N", 1}}) == "NOP");
  CHECK(text(10, {{"ROT_N", 300}}) == "error: ROT_N: rotates more than the stack holds");
  CHECK(text(9, {{"DUP_TOP"}, {"DUP_TOP_TWO"}}) == "COPY 1; COPY 2; COPY 2");
  CHECK(text(11, {{"SWAP", 1}, {"SWAP", 3}}) == "NOP; SWAP 3");
  CHECK(text(11, {{"COPY", 0}}) == "error: COPY: argument out of range");
}

TEST_CASE("bytecode: operators and comparisons have one encoding") {
  CHECK(text(10, {{"BINARY_MODULO"}, {"INPLACE_XOR"}}) == "BINARY_OP 6; BINARY_OP 12/1");
  CHECK(text(11, {{"BINARY_OP", 6}, {"BINARY_OP", 25}}) == "BINARY_OP 6; BINARY_OP 12/1");
  CHECK(text(14, {{"BINARY_OP", 26}}) == "BINARY_SUBSCR");
  CHECK(text(13, {{"BINARY_OP", 26}}) == "error: BINARY_OP: no such operator");
  CHECK(text(8, {{"COMPARE_OP", 6}, {"COMPARE_OP", 7}, {"COMPARE_OP", 8}, {"COMPARE_OP", 9}, {"COMPARE_OP", 10}}) ==
        "CONTAINS_OP 0; CONTAINS_OP 1; IS_OP 0; IS_OP 1; EXC_MATCH");
  CHECK(text(8, {{"COMPARE_OP", 11}}) == "error: COMPARE_OP: no such comparison");
  CHECK(text(9, {{"COMPARE_OP", 6}}) == "error: COMPARE_OP: no such comparison");
  CHECK(text(12, {{"COMPARE_OP", (5U << 4U) | 12U}}) == "COMPARE_OP 5");
  CHECK(text(13, {{"COMPARE_OP", (2U << 5U) | 8U}, {"COMPARE_OP", (2U << 5U) | 24U}}) ==
        "COMPARE_OP 2; COMPARE_OP 2/1");
}

TEST_CASE("bytecode: loads, superinstructions and cells") {
  CHECK(text(13, {{"LOAD_FAST_LOAD_FAST", 0x12}}) == "LOAD_FAST 1; LOAD_FAST 2");
  CHECK(text(14, {{"LOAD_FAST_BORROW_LOAD_FAST_BORROW", 0x31}}) == "LOAD_CLOSURE 3; LOAD_FAST 1");
  CHECK(text(13, {{"STORE_FAST_LOAD_FAST", 0x12}}) == "STORE_FAST 1; LOAD_FAST 2");
  CHECK(text(13, {{"STORE_FAST_STORE_FAST", 0x12}}) == "STORE_FAST 1; STORE_FAST 2");
  CHECK(text(13, {{"LOAD_FAST_LOAD_FAST", 0x14}}) == "error: LOAD_FAST_LOAD_FAST: no such local variable");
  CHECK(text(12, {{"LOAD_FAST_CHECK", 1}, {"LOAD_CLOSURE", 3}}) == "LOAD_FAST 1; LOAD_CLOSURE 3");
  CHECK(text(12, {{"LOAD_DEREF", 1}}) == "error: LOAD_DEREF: not a cell variable");
  CHECK(text(10, {{"LOAD_DEREF", 0}, {"LOAD_GLOBAL", 1}}) == "LOAD_DEREF 0; LOAD_GLOBAL 1");
  CHECK(text(12, {{"LOAD_GLOBAL", 3}, {"LOAD_GLOBAL", 2}}) == "PUSH_NULL; LOAD_GLOBAL 1; LOAD_GLOBAL 1");
  CHECK(text(13, {{"LOAD_GLOBAL", 3}}) == "LOAD_GLOBAL 1; PUSH_NULL");
  CHECK(text(11, {{"LOAD_ATTR", 1}, {"LOAD_METHOD", 1}}) == "LOAD_ATTR 1; LOAD_METHOD 1");
  CHECK(text(12, {{"LOAD_ATTR", 2}, {"LOAD_ATTR", 3}}) == "LOAD_ATTR 1; LOAD_METHOD 1");
  CHECK(text(12, {{"LOAD_SUPER_ATTR", 4}, {"LOAD_SUPER_ATTR", 7}}) == "LOAD_SUPER_ATTR 1; LOAD_SUPER_METHOD 1/1");
  CHECK(text(9, {{"LOAD_ASSERTION_ERROR"}}) == "LOAD_COMMON_CONSTANT 0");
  CHECK(text(15, {{"LOAD_COMMON_CONSTANT", 11}}) == "LOAD_COMMON_CONSTANT 11");
  CHECK(text(14, {{"LOAD_COMMON_CONSTANT", 5}}) == "error: LOAD_COMMON_CONSTANT: no such constant");
  CHECK(text(12, {{"RETURN_CONST", 2}}) == "LOAD_CONST 2; RETURN_VALUE");
  CHECK(text(12, {{"LOAD_CONST", 3}}) == "error: LOAD_CONST: no such constant");
}

TEST_CASE("bytecode: calls") {
  CHECK(text(10, {{"CALL_METHOD", 2}, {"CALL_FUNCTION", 2}}) == "CALL 2; CALL_FUNCTION 2");
  CHECK(text(11, {{"PRECALL", 2}, {"CALL", 2}}) == "CALL 2");
  CHECK(text(11, {{"KW_NAMES", 1}, {"PRECALL", 2}, {"CALL", 2}, {"CALL", 1}}) == "LOAD_CONST 1; CALL_KW 2; CALL 1");
  CHECK(text(12, {{"KW_NAMES", 1}, {"CALL", 2}}) == "LOAD_CONST 1; CALL_KW 2");
  CHECK(text(13, {{"CALL_KW", 2}}) == "CALL_KW 2");
  CHECK(text(12, {{"KW_NAMES", 1}}) == "error: RETURN_VALUE: KW_NAMES without a CALL");
  CHECK(text(10, {{"CALL_FUNCTION_EX", 1}}) == "CALL_FUNCTION_EX 1");
  CHECK(text(13, {{"CALL_FUNCTION_EX", 0}}) == "CALL_FUNCTION_EX 2");
  CHECK(text(14, {{"CALL_FUNCTION_EX", 0}}) == "CALL_FUNCTION_EX 3");
  CHECK(text(12, {{"CALL_INTRINSIC_1", 1}, {"CALL_INTRINSIC_1", 2}}) ==
        "PRINT_EXPR; LOAD_COMMON_CONSTANT 7; IMPORT_STAR; LOAD_COMMON_CONSTANT 7");
  CHECK(
      text(12, {{"CALL_INTRINSIC_1", 3}, {"CALL_INTRINSIC_1", 4}, {"CALL_INTRINSIC_1", 5}, {"CALL_INTRINSIC_1", 6}}) ==
      "STOPITERATION_ERROR; ASYNC_GEN_WRAP; UNARY_POSITIVE; LIST_TO_TUPLE");
  CHECK(text(12, {{"CALL_INTRINSIC_1", 11}, {"CALL_INTRINSIC_2", 1}, {"CALL_INTRINSIC_2", 4}}) ==
        "CALL_INTRINSIC_1 11; PREP_RERAISE_STAR; CALL_INTRINSIC_2 4");
  CHECK(text(12, {{"CALL_INTRINSIC_1", 0}}) == "error: CALL_INTRINSIC_1: the invalid intrinsic");
  CHECK(text(12, {{"CALL_INTRINSIC_2", 5}}) == "error: CALL_INTRINSIC_2: no such intrinsic");
}

TEST_CASE("bytecode: an iterator of 3.15 is two entries of the stack") {
  CHECK(text(14, {{"GET_ITER"}, {"POP_ITER"}}) == "GET_ITER; POP_ITER");
  CHECK(text(15, {{"GET_ITER", 0}, {"POP_ITER"}}) == "GET_ITER; PUSH_NULL; POP_ITER/2");
  CHECK(text(15, {{"GET_ITER", 3}, {"END_SEND"}}) == "GET_YIELD_FROM_ITER 3; PUSH_NULL; END_SEND/2");
  CHECK(text(15, {{"IMPORT_NAME", 5}, {"IMPORT_NAME", 2}}) == "IMPORT_NAME 1/1; IMPORT_NAME 0/2");
}

TEST_CASE("bytecode: jumps count bytes or code units, caches included, and lead to the first part of an instruction") {
  CHECK(text(9, {{"JUMP_FORWARD", 2}, {"NOP"}, {"ROT_THREE"}}) == "JUMP>2; NOP; SWAP 3; SWAP 2");
  CHECK(text(9, {{"JUMP_ABSOLUTE", 4}, {"ROT_THREE"}, {"NOP"}}) == "JUMP>3; SWAP 3; SWAP 2; NOP");
  CHECK(text(10, {{"JUMP_FORWARD", 1}, {"NOP"}, {"ROT_THREE"}}) == "JUMP>2; NOP; SWAP 3; SWAP 2");
  CHECK(text(11, {{"NOP"}, {"POP_JUMP_BACKWARD_IF_NONE", 2}}) == "NOP; POP_JUMP_IF_NONE>0");
  CHECK(text(13, {{"NOP"}, {"JUMP_BACKWARD", 3}}) == "NOP; JUMP>0");  // one word of cache
  CHECK(text(13, {{"POP_JUMP_IF_TRUE", 1}, {"NOP"}, {"NOP"}}) == "POP_JUMP_IF_TRUE>2; NOP; NOP");
  CHECK(text(10, {{"JUMP_IF_NOT_EXC_MATCH", 0}}) == "EXC_MATCH; POP_JUMP_IF_FALSE>0");
  CHECK(text(14, {{"POP_JUMP_IF_NONE", 0}, {"NOT_TAKEN"}, {"NOP"}}) == "POP_JUMP_IF_NONE>1; NOP");
  CHECK(text(11, {{"FOR_ITER", 0}}) == "FOR_ITER>1");
  CHECK(text(12, {{"FOR_ITER", 0}, {"END_FOR"}}) == "FOR_ITER/1>1; END_FOR");
  CHECK(text(12, {{"FOR_ITER", 0}}) == "error: FOR_ITER jumps to something else than END_FOR");
  CHECK(text(11, {{"KW_NAMES", 0}, {"CALL", 0}, {"JUMP_BACKWARD", 6}}) ==
        "error: CALL: jump between KW_NAMES and its CALL");
}

TEST_CASE("bytecode: prefixes") {
  const auto bytecode = decode_lines(11, {{"NOP"}, {"UNPACK_SEQUENCE", 0x10203}, {"JUMP_BACKWARD", 5}});
  REQUIRE(bytecode.ok());
  CHECK(bytecode->code[1].arg == 0x10203);
  CHECK(bytecode->code[1].offset == 2);  // that of its first prefix
  CHECK(bytecode->code[2].target == 1);
  const auto middle = decode_lines(11, {{"NOP"}, {"UNPACK_SEQUENCE", 0x10203}, {"JUMP_BACKWARD", 3}});
  REQUIRE(fault_of(middle) != nullptr);
  CHECK(fault_of(middle)->what == "jump into the middle of an instruction");
  CHECK(fault_of(middle)->at == 10);
}

TEST_CASE("bytecode: a jump over prefixes of 0 leads to the instruction") {
  const auto over = [](const std::string& prefix) {
    const std::string nop = assemble(11, {{"JUMP_FORWARD", 1}}), load = assemble(11, {{"LOAD_FAST", 1}});
    return decode(tree_of(11, nop + prefix + load), CodeId{0}, Limits{});
  };
  const auto zero = over(assemble(11, {{"EXTENDED_ARG", 0}}));
  REQUIRE(fault_of(zero) == nullptr);
  CHECK(zero->code[0].target == 1);
  CHECK(fault_of(over(assemble(11, {{"EXTENDED_ARG", 3}}))) != nullptr);
}

TEST_CASE("bytecode: unreachable code may be illegal") {
  const std::string jump = assemble(11, {{"JUMP_FORWARD", 3}}), load = assemble(11, {{"LOAD_CONST", 99}});
  const std::string unknown("\xFF\0", 2), end = assemble(11, {{"LOAD_FAST", 0}, {"RETURN_VALUE"}});
  const auto bytecode = decode(tree_of(11, jump + load + unknown + unknown + end), CodeId{0}, Limits{});
  REQUIRE(bytecode.ok());
  REQUIRE(bytecode->code.size() == 6);
  CHECK(bytecode->code[0].target == 4);
  CHECK(bytecode->illegal.size() == 3);
  for (std::uint32_t i = 0; i < 3; ++i) {
    CHECK(bytecode->code[i + 1].op == Op::ILLEGAL);
    CHECK(bytecode->code[i + 1].arg == i);
    CHECK(bytecode->code[i + 1].offset == 2 * (i + 1));
  }
}

TEST_CASE("bytecode: entries of exception tables refer to instructions") {
  // start 1, length 1, target 3, depth 2 with lasti
  const auto bytecode =
      decode_lines(13, {{"NOP"}, {"LOAD_FAST_LOAD_FAST", 1}, {"POP_TOP"}, {"RETURN_VALUE"}}, "\x81\x01\x03\x05");
  REQUIRE(bytecode.ok());
  REQUIRE(bytecode->handlers.size() == 1);
  const ExceptionEntry& entry = bytecode->handlers[0];
  CHECK(entry.start == 1);
  CHECK(entry.end == 3);
  CHECK(entry.target == 4);
  CHECK(entry.depth == 2);
  CHECK(entry.lasti);
  const std::vector<Line> two{{"NOP"}, {"RETURN_VALUE"}};
  CHECK_FALSE(decode_lines(13, two, "\x80\x02").ok());                        // ends inside an entry
  CHECK_FALSE(decode_lines(13, two, std::string("\x80\x03\0\0", 4)).ok());    // ends after the code
  CHECK_FALSE(decode_lines(13, two, std::string("\x80\x01\x02\0", 4)).ok());  // no such target
  CHECK_FALSE(decode_lines(13, two, "\x80\x7F\x7F\x7F\x7F\x7F\x7F\x7F\x3F").ok());
}

TEST_CASE("bytecode: positions, and a damaged line table") {
  CodeTree tree = tree_of(11, assemble(11, {{"NOP"}, {"LOAD_GLOBAL", 0}, {"RETURN_VALUE"}}));
  CodeObject& code = tree.codes[CodeId{0}];
  // one unit at line 1 columns 2-3; six units of line +1 columns 4-9; one without a position
  code.linetable = std::string("\x80\x21", 2) + std::string("\xDD\x04\x09", 3) + "\xF8";
  SourcePositions positions;
  positions.begin(tree.version, code, {});
  REQUIRE(positions.at(0) != nullptr);
  CHECK(positions.at(0)->column == 2);
  CHECK(positions.at(0)->end_column == 3);
  REQUIRE(positions.at(2) != nullptr);
  CHECK(positions.at(2)->line == 2);
  CHECK(positions.at(2)->end_column == 9);
  REQUIRE(positions.at(12) != nullptr);
  CHECK(*positions.at(12) == *positions.at(2));
  CHECK(positions.at(14) == nullptr);  // an entry without a position
  CHECK(positions.at(16) == nullptr);
  code.linetable = "\x80";
  positions.begin(tree.version, code, {});
  CHECK(positions.at(0) == nullptr);
  // Columns that overflow.
  code.linetable = std::string("\xF0\0\0", 3) + "\x7F\x7F\x7F\x7F\x7F\x01" + "\x7F\x7F\x7F\x7F\x7F\x01";
  positions.begin(tree.version, code, {});
  CHECK(positions.at(0) == nullptr);
}

TEST_CASE("bytecode: the position of a return of None shows how it is written") {
  CodeTree tree = tree_of(11, assemble(11, {{"NOP"}, {"LOAD_CONST", 0}, {"RETURN_VALUE"}, {"NOP"}}));
  CodeObject& code = tree.codes[CodeId{0}];
  // Returns the column of the return, plus 100 for `return None`. `position`: the line table entry of its two
  // instructions, which are between NOPs at columns 0-6.
  const auto column = [&](const std::string& position) {
    code.linetable = std::string("\x80\x06", 2) + position + std::string("\x80\x06", 2);
    const auto bytecode = decode(tree, CodeId{0}, {});
    REQUIRE(bytecode.ok());
    SourcePositions positions;
    positions.begin(tree.version, code, bytecode->code);
    const auto written = positions.written_return(4);
    return written ? written->column + (written->has_none ? 100 : 0) : -1;
  };
  CHECK(column(std::string("\xD9\x04\x0A", 3)) == 4);    // on the next line, columns 4-10: the length of `return`
  CHECK(column(std::string("\xD9\x0B\x0F", 3)) == 104);  // 11-15: the None of `return None`
  CHECK(column(std::string("\xD9\x05\x0B", 3)) == -1);   // 5-11: at no level of indentation
  CHECK(column(std::string("\xD9\x04\x0B", 3)) == -1);   // 4-11: another statement
  CHECK(column(std::string("\xD1\x00\x06", 3)) == -1);   // 0-6: the position of the NOP
}

TEST_CASE("bytecode: errors of malformed code have an offset") {
  const auto error = [](std::string bytes, unsigned minor = 11) {
    const auto result = decode(tree_of(minor, std::move(bytes)), CodeId{0}, Limits{});
    const Error* fault = fault_of(result);
    REQUIRE(fault != nullptr);
    return std::to_string(fault->at) + " " + fault->what;
  };
  const std::string nop = assemble(11, {{"NOP"}});
  CHECK(error("") == "0 empty co_code");
  CHECK(error("\x09") == "1 co_code of odd length");
  CHECK(error(nop + std::string("\xFF\0", 2)) == "2 unknown opcode 255");
  CHECK(error(nop + assemble(11, {{"EXTENDED_ARG", 1}})) == "2 code ends after EXTENDED_ARG");
  CHECK(error(nop + assemble(11, {{"LOAD_GLOBAL", 0}}).substr(0, 4)) == "2 code ends inside an instruction's cache");
  CHECK(error(assemble(11, {{"JUMP_BACKWARD", 9}})) == "0 jump to before the code");
  CHECK(error(assemble(11, {{"JUMP_FORWARD", 9}})) == "0 jump to after the code");
  CHECK(error(assemble(9, {{"JUMP_ABSOLUTE", 1}}), 9) == "0 jump into the middle of an instruction");
  CHECK(error(assemble(11, {{"CACHE"}})) == "0 opcode that compiled code never has: CACHE");
  std::string prefixes;
  for (int i = 0; i < 4; ++i) prefixes += assemble(11, {{"EXTENDED_ARG", 255}});
  CHECK(error(prefixes + nop) == "6 argument of more than 32 bits");
  Limits small;
  small.max_instructions = 3;
  CHECK(decode(tree_of(11, nop + nop + nop + nop), CodeId{0}, small).error().code == Errc::kLimitExceeded);
  CHECK(decode(tree_of(13, assemble(13, {{"BUILD_LIST", 1U << 21U}})), CodeId{0}, Limits{}).error().code ==
        Errc::kLimitExceeded);
}

TEST_CASE("bytecode: any bytes give an error or a consistent result") {
  std::mt19937 random(11);
  for (int round = 0; round < 20000; ++round) {
    const unsigned minor = 8 + random() % 8;
    std::string bytes(2 * (1 + random() % 12), '\0');
    for (char& c : bytes) c = static_cast<char>(random() % (random() % 4 == 0 ? 256 : 6));
    const InstructionSet& set = *instruction_set({3, static_cast<std::uint8_t>(minor)});
    for (std::size_t i = 0; i < bytes.size(); i += 2) {  // only opcodes that exist
      while (!set.opcodes[static_cast<std::uint8_t>(bytes[i])].known) bytes[i] = static_cast<char>(random() % 256);
    }
    std::string handlers(random() % 9, '\0');
    for (char& c : handlers) c = static_cast<char>(random() % 8);
    CodeTree tree = tree_of(minor, bytes, handlers);
    tree.codes[CodeId{0}].linetable = handlers + bytes;
    const auto result = decode(tree, CodeId{0}, Limits::fuzzing());
    if (!result.ok()) {
      CHECK_FALSE(result.error().what.empty());
      continue;
    }
    SourcePositions positions;
    positions.begin(tree.version, tree.codes[CodeId{0}], result->code);
    for (const Instruction& insn : result->code) {
      const auto* position = positions.at(insn.offset);
      CHECK((position == nullptr || position->line >= 0));
      CHECK(is_jump(insn.op) == (insn.target != kNoTarget));
      CHECK((insn.target == kNoTarget || insn.target < result->code.size()));
      const Effect e = effect(tree.version, insn, false);
      CHECK(e.pops >= 0);
      CHECK(e.pushes >= 0);
    }
    for (const ExceptionEntry& e : result->handlers) CHECK((e.start < e.end && e.end <= result->code.size()));
  }
}
