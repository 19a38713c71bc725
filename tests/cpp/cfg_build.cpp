// SPDX-License-Identifier: MIT
// Builds graphs of hand-made instructions: shapes and errors that tests/cfg does not test one by one.
#include <doctest/doctest.h>

#include <string>

#include "cfg/dump.h"
#include "cfg/lenient.h"

using namespace depyf;

namespace {

Instruction insn(Op op, std::uint32_t arg = 0) {
  Instruction i;
  i.op = op;
  i.arg = arg;
  return i;
}

Instruction jump(Op op, std::uint32_t target) {
  Instruction i = insn(op);
  i.target = target;
  return i;
}

struct Outcome {
  std::string text;  // of the graph or of the error
  Errc error = Errc::kInternal;
  std::size_t at = kNowhere;
  bool ok = false;
};

Outcome build(std::uint8_t minor, std::vector<Instruction> code, std::vector<ExceptionEntry> handlers = {},
              std::uint32_t flags = 0, const Limits& limits = {}, bool lenient = false) {
  CodeTree tree;
  tree.version = {3, minor};
  CodeObject object;
  object.flags = flags;
  tree.codes.add(object);
  Bytecode bytecode;
  bytecode.code = std::move(code);
  bytecode.handlers = std::move(handlers);
  for (std::uint32_t i = 0; i < bytecode.code.size(); ++i) bytecode.code[i].offset = 2 * i;
  const Dialect dialect = dialect_of(tree.version);
  const auto cfg = lenient ? build_lenient_cfg(tree, CodeId{0}, bytecode, dialect, limits)
                           : build_cfg(tree, CodeId{0}, bytecode, dialect, limits);
  if (!cfg) return {cfg.error().what, cfg.error().code, cfg.error().at, false};
  const auto valid = validate(*cfg, dialect);
  if (!valid) return {valid.error().what, valid.error().code, valid.error().at, false};
  return {dump(*cfg), Errc::kInternal, 0, true};
}

void check_malformed(const Outcome& outcome, std::size_t at, const std::string& what) {
  CHECK_FALSE(outcome.ok);
  CHECK(outcome.error == Errc::kMalformed);
  CHECK(outcome.at == at);
  CHECK(outcome.text == what);
}

}  // namespace

TEST_CASE("cfg: straight lines merge across instructions that are removed") {
  const Outcome outcome =
      build(11, {insn(Op::RESUME), insn(Op::NOP), insn(Op::LOAD_CONST), jump(Op::JUMP, 4), insn(Op::RETURN_VALUE)});
  CHECK(outcome.text == "B0: depth 0\n      4  LOAD_CONST\n      8  RETURN_VALUE\n");
}

TEST_CASE("cfg: a loop that does nothing is an empty block that keeps its handler") {
  const std::vector<Instruction> code = {insn(Op::NOP), jump(Op::JUMP, 0), insn(Op::POP_TOP), insn(Op::LOAD_CONST),
                                         insn(Op::RETURN_VALUE)};
  const Outcome outcome = build(11, code, {{0, 2, 2, 0, false}});
  CHECK(outcome.text ==
        "B0: depth 0, raises to B1 [0]\n         fall B0\n"
        "B1: depth 1, handler\n      4  POP_TOP\n      6  LOAD_CONST\n      8  RETURN_VALUE\n");
}

TEST_CASE("cfg: of overlapping entries of the exception table, the first one counts") {
  const std::vector<Instruction> code = {insn(Op::LOAD_NAME), insn(Op::RETURN_VALUE), insn(Op::RERAISE), insn(Op::NOP),
                                         insn(Op::RERAISE)};
  const Outcome outcome = build(11, code, {{0, 1, 2, 0, false}, {0, 2, 4, 0, false}});
  CHECK(outcome.text ==
        "B0: depth 0, raises to B2 [0]\n      0  LOAD_NAME\n         fall B1\n"
        "B1: depth 1, raises to B3 [0]\n      2  RETURN_VALUE\n"
        "B2: depth 1, handler\n      4  RERAISE\n"
        "B3: depth 1, handler\n      8  RERAISE\n");
}

TEST_CASE("cfg: the finally body of 3.8 is duplicated as in 3.9") {
  // try: A  finally: B  return None
  const Outcome outcome =
      build(8, {jump(Op::SETUP_FINALLY, 5), insn(Op::LOAD_NAME, 0), insn(Op::POP_TOP), insn(Op::POP_BLOCK),
                insn(Op::BEGIN_FINALLY), insn(Op::LOAD_NAME, 1), insn(Op::POP_TOP), insn(Op::END_FINALLY),
                insn(Op::LOAD_CONST), insn(Op::RETURN_VALUE)});
  CHECK(outcome.text ==
        "B0: depth 0, raises to B1 [0]\n      2  LOAD_NAME\n      4  POP_TOP\n         fall B2\n"
        "B1: depth 6, handler\n     10  LOAD_NAME 1\n     12  POP_TOP\n     14  RERAISE\n"
        "B2: depth 0\n     10  LOAD_NAME 1\n     12  POP_TOP\n         fall B3\n"
        "B3: depth 0\n     16  LOAD_CONST\n     18  RETURN_VALUE\n");
}

TEST_CASE("cfg: a with statement of 3.8 gets the exits of 3.9") {
  const Outcome outcome =
      build(8, {insn(Op::LOAD_NAME), jump(Op::SETUP_WITH, 5), insn(Op::POP_TOP), insn(Op::POP_BLOCK),
                insn(Op::BEGIN_FINALLY), insn(Op::WITH_CLEANUP_START), insn(Op::WITH_CLEANUP_FINISH),
                insn(Op::END_FINALLY), insn(Op::LOAD_CONST), insn(Op::RETURN_VALUE)});
  CHECK(outcome.text ==
        "B0: depth 0\n      0  LOAD_NAME\n      2  SETUP_WITH\n         fall B1\n"
        "B1: depth 2, raises to B2 [1]\n      4  POP_TOP\n         fall B3\n"
        "B2: depth 7, handler\n     10  WITH_EXCEPT_START\n     12  POP_JUMP_IF_TRUE\n"
        "         jump B4\n         fall B5\n"
        "B3: depth 1\n     10  LOAD_COMMON_CONSTANT 7\n     10  LOAD_COMMON_CONSTANT 7\n"
        "     10  LOAD_COMMON_CONSTANT 7\n     10  CALL_FUNCTION 3\n     12  POP_TOP flags 1\n         fall B6\n"
        "B4: depth 7\n     12  POP_TOP\n     12  POP_TOP\n     12  POP_TOP\n     12  POP_EXCEPT\n     12  POP_TOP\n"
        "         fall B6\n"
        "B5: depth 7\n     14  RERAISE\n"
        "B6: depth 0\n     16  LOAD_CONST\n     18  RETURN_VALUE\n");
}

TEST_CASE("cfg: a None before SETUP_FINALLY that is used as a value is kept (3.8)") {
  const Outcome outcome = build(8, {insn(Op::LOAD_CONST), jump(Op::SETUP_FINALLY, 4), insn(Op::POP_BLOCK),
                                    insn(Op::RETURN_VALUE), insn(Op::END_FINALLY)});
  CHECK(outcome.ok);
  CHECK(outcome.text.find("      0  LOAD_CONST\n") != std::string::npos);
}

TEST_CASE("cfg: code reached with two block stacks is split") {
  // If A, a try is entered; then B is executed, within it or not.
  const Outcome outcome = build(10, {insn(Op::LOAD_NAME), jump(Op::POP_JUMP_IF_FALSE, 3), jump(Op::SETUP_FINALLY, 6),
                                     insn(Op::LOAD_NAME, 1), insn(Op::RETURN_VALUE), insn(Op::NOP), insn(Op::RERAISE)});
  CHECK(outcome.text ==
        "B0: depth 0\n      0  LOAD_NAME\n      2  POP_JUMP_IF_FALSE\n         jump B1\n         fall B2\n"
        "B1: depth 0\n      6  LOAD_NAME 1\n      8  RETURN_VALUE\n"
        "B2: depth 0, raises to B3 [0]\n      6  LOAD_NAME 1\n      8  RETURN_VALUE\n"
        "B3: depth 6, handler\n     12  RERAISE\n");
}

TEST_CASE("cfg: an await loop of 3.12 becomes YIELD_FROM, without its clean-up and the implicit handler") {
  const std::vector<Instruction> code = {insn(Op::RETURN_GENERATOR), insn(Op::POP_TOP),
                                         insn(Op::RESUME),           insn(Op::LOAD_NAME),
                                         insn(Op::LOAD_CONST),       jump(Op::SEND, 9),
                                         insn(Op::YIELD_VALUE),      insn(Op::RESUME, 3),
                                         jump(Op::JUMP, 5),          insn(Op::END_SEND),
                                         insn(Op::RETURN_VALUE),     insn(Op::CLEANUP_THROW),
                                         jump(Op::JUMP, 9),          insn(Op::STOPITERATION_ERROR),
                                         insn(Op::RERAISE, 1)};
  const std::vector<ExceptionEntry> handlers = {{2, 6, 13, 0, true}, {6, 7, 11, 2, false}, {7, 13, 13, 0, true}};
  const Outcome outcome = build(12, code, handlers, kCoGenerator);
  CHECK(outcome.text ==
        "B0: depth 0\n      6  LOAD_NAME\n      8  LOAD_CONST\n     10  YIELD_FROM\n     20  RETURN_VALUE\n");
}

TEST_CASE("cfg: a shared end of await loops keeps END_SEND for its other predecessors") {
  const std::vector<Instruction> shared = {
      insn(Op::LOAD_NAME),    jump(Op::POP_JUMP_IF_TRUE, 9), insn(Op::LOAD_NAME), insn(Op::LOAD_CONST),
      jump(Op::SEND, 7),      insn(Op::YIELD_VALUE),         jump(Op::JUMP, 4),   insn(Op::END_SEND),
      insn(Op::RETURN_VALUE), insn(Op::LOAD_NAME),           insn(Op::LOAD_NAME), jump(Op::JUMP, 7)};
  const Outcome outcome = build(12, shared, {}, kCoGenerator);
  REQUIRE(outcome.ok);
  CHECK(outcome.text.find("YIELD_FROM") != std::string::npos);
  CHECK(outcome.text.find("END_SEND") != std::string::npos);
  CHECK(outcome.text.find("  SEND") == std::string::npos);
}

TEST_CASE("cfg: 3.15's NULL above an iterator is not on the stack") {
  Instruction next = jump(Op::FOR_ITER, 7);
  next.flags = kIterKept | kIterNull;
  Instruction drop = insn(Op::POP_ITER);
  drop.flags = kIterNull;
  std::vector<Instruction> code = {insn(Op::LOAD_NAME),
                                   insn(Op::BUILD_LIST),
                                   insn(Op::LOAD_NAME),
                                   insn(Op::PUSH_NULL),
                                   next,
                                   insn(Op::LIST_APPEND, 3),
                                   jump(Op::JUMP, 4),
                                   insn(Op::END_FOR),
                                   drop,
                                   insn(Op::RETURN_VALUE)};
  const Outcome outcome = build(15, code);
  CHECK(outcome.text ==
        "B0: depth 0\n      0  LOAD_NAME\n      2  BUILD_LIST\n      4  LOAD_NAME\n         fall B1\n"
        "B1: depth 3\n      8  FOR_ITER flags 1\n         jump B3\n         fall B2\n"
        "B2: depth 4\n     10  LIST_APPEND 2\n         fall B1\n"
        "B3: depth 4\n     14  END_FOR\n     16  POP_ITER\n     18  RETURN_VALUE\n");
}

TEST_CASE("cfg: a return in a 3.15 loop pops the iterator and the NULL below its value") {
  Instruction next = jump(Op::FOR_ITER, 8);
  next.flags = kIterKept | kIterNull;
  Instruction drop = insn(Op::POP_ITER);
  drop.flags = kIterNull;
  // for x in A: return x   --   [iterator, NULL, x]: SWAP 3, POP_TOP, POP_TOP, RETURN_VALUE
  const Outcome outcome = build(15, {insn(Op::LOAD_NAME), insn(Op::PUSH_NULL), next, insn(Op::SWAP, 3),
                                     insn(Op::POP_TOP), insn(Op::POP_TOP), insn(Op::RETURN_VALUE), insn(Op::NOP),
                                     insn(Op::END_FOR), drop, insn(Op::LOAD_CONST), insn(Op::RETURN_VALUE)});
  REQUIRE(outcome.ok);
  CHECK(outcome.text.find("      6  SWAP 2\n      8  POP_TOP\n     12  RETURN_VALUE\n") != std::string::npos);
}

// Some code generators write such a table for a `with` of 3.14, which has one entry more on the stack than in 3.13.
TEST_CASE("cfg: the lenient graph lowers the depth of an exception table entry to that of the stack") {
  const std::vector<Instruction> code{insn(Op::LOAD_CONST), insn(Op::LOAD_CONST),   insn(Op::POP_TOP),   insn(Op::NOP),
                                      insn(Op::LOAD_NAME),  insn(Op::RETURN_VALUE), insn(Op::RERAISE, 1)};
  const std::vector<ExceptionEntry> rows{{2, 4, 6, 2, true}, {4, 5, 6, 1, true}};
  check_malformed(build(14, code, rows), 6, "stack lower than its exception handler expects");
  const Outcome lenient = build(14, code, rows, 0, {}, true);
  REQUIRE(lenient.ok);
  const std::string body = "B1: depth 2, raises to B3 [1] lasti\n      4  POP_TOP\n      8  LOAD_NAME";
  CHECK(lenient.text.find(body) != std::string::npos);
  // A handler that is entered at two depths for another reason.
  const std::vector<Instruction> two{insn(Op::LOAD_CONST), insn(Op::LOAD_NAME),    insn(Op::LOAD_NAME),
                                     insn(Op::POP_TOP),    insn(Op::RETURN_VALUE), insn(Op::RERAISE, 1)};
  check_malformed(build(14, two, {{1, 2, 5, 1, true}, {2, 3, 5, 2, true}}, 0, {}, true), 10,
                  "unequal stack depths where control flow joins");
}

TEST_CASE("cfg: errors of malformed code have an offset") {
  check_malformed(build(11, {}), 0, "no instructions");
  check_malformed(build(11, {insn(Op::LOAD_CONST)}), 0, "control leaves the code");
  check_malformed(build(11, {insn(Op::NOP), jump(Op::JUMP, 9)}), 2, "control leaves the code");
  check_malformed(build(11, {insn(Op::NOP), insn(Op::POP_TOP)}), 2, "operand stack underflow");
  check_malformed(build(11, {insn(Op::LOAD_CONST), insn(Op::COPY, 2), insn(Op::RETURN_VALUE)}), 2,
                  "operand stack underflow");
  check_malformed(build(11, {insn(Op::LOAD_CONST), jump(Op::JUMP, 0)}), 0,
                  "unequal stack depths where control flow joins");
  check_malformed(build(11, {insn(Op::LOAD_CONST), insn(Op::RETURN_VALUE), insn(Op::RERAISE)}, {{0, 1, 2, 1, false}}),
                  0, "stack lower than its exception handler expects");
  check_malformed(build(10, {insn(Op::POP_BLOCK)}), 0, "POP_BLOCK without a block");
  check_malformed(build(10, {insn(Op::POP_EXCEPT)}), 0, "no exception is being handled");
  check_malformed(build(10, {jump(Op::SETUP_FINALLY, 2), jump(Op::JUMP, 0), insn(Op::RERAISE)}), 0,
                  "block stack overflow");
  check_malformed(build(8, {insn(Op::END_FINALLY)}), 0, "END_FINALLY without a finally body");
  check_malformed(build(8, {insn(Op::LOAD_CONST), insn(Op::BEGIN_FINALLY), insn(Op::STORE_SUBSCR)}), 4,
                  "operand stack underflow");
  check_malformed(build(8, {insn(Op::LOAD_CONST), insn(Op::BEGIN_FINALLY), insn(Op::POP_TOP), insn(Op::RETURN_VALUE)}),
                  4, "a marker is used as a value");
}

TEST_CASE("cfg: the number of copied blocks is limited") {
  // Each try may be entered or not: 2 ** n block stacks reach the end.
  std::vector<Instruction> code;
  for (std::uint32_t i = 0; i < 18; ++i) {
    code.push_back(insn(Op::LOAD_NAME));
    code.push_back(jump(Op::POP_JUMP_IF_FALSE, 3 * i + 3));
    code.push_back(jump(Op::SETUP_FINALLY, 18 * 3 + 2 + i));
  }
  for (const Op op : {Op::LOAD_CONST, Op::RETURN_VALUE}) code.push_back(insn(op));
  code.insert(code.end(), 18, insn(Op::RERAISE));
  const Outcome outcome = build(10, code, {}, 0, Limits::fuzzing());
  CHECK_FALSE(outcome.ok);
  CHECK(outcome.error == Errc::kLimitExceeded);
}

TEST_CASE("cfg: a million instructions take linear time") {
  std::vector<Instruction> code;
  constexpr std::uint32_t kTests = 330'000;
  for (std::uint32_t i = 0; i < kTests; ++i) {
    code.push_back(insn(Op::LOAD_NAME));
    code.push_back(jump(Op::POP_JUMP_IF_FALSE, 3 * i + 3));
    code.push_back(insn(Op::NOP));
  }
  code.push_back(insn(Op::LOAD_CONST));
  code.push_back(insn(Op::RETURN_VALUE));
  for (const std::uint8_t minor : std::initializer_list<std::uint8_t>{8, 10, 11, 14}) {
    CodeTree tree;
    tree.version = {3, minor};
    tree.codes.add();
    Bytecode bytecode;
    bytecode.code = code;
    const auto cfg = build_cfg(tree, CodeId{0}, bytecode, dialect_of(tree.version), Limits{});
    REQUIRE(cfg.ok());
    CHECK(cfg->blocks.size() == kTests + 1);
    CHECK(validate(*cfg, dialect_of(tree.version)).ok());
  }
}
