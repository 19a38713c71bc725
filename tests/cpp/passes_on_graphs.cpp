// SPDX-License-Identifier: MIT
// Runs single passes over the control-flow graph on graphs written as text. Each test shows a graph that the pass
// rewrites, and similar graphs that it must not change. All passes together are tested on real code elsewhere.
#include <doctest/doctest.h>

#include <string>

#include "cfg/dump.h"
#include "cfg_text.h"
#include "driver/passes.h"
#include "driver/work.h"

using namespace depyf;

namespace {

// A function with a few locals, names and the constants None, 1, "a".
CodeTree tree_of(std::uint8_t minor) {
  CodeTree tree;
  tree.version = {3, minor};
  CodeObject object;
  object.name = "f";
  object.flags = kCoOptimized | kCoNewLocals;
  object.names = {"f0", "f1", "f2", "f3"};
  object.varnames = {"v0", "v1", "v2", "v3"};
  if (minor >= 11) {
    object.localsplus = object.varnames;
    object.localspluskinds.assign(object.varnames.size(), 0x20);
  }
  for (const Constant& value : {Constant{ConstNone{}}, Constant{ConstInt{false, {1}}}, Constant{ConstStr{"a"}}})
    object.consts.push_back(tree.consts.add(value));
  tree.codes.add(object);
  return tree;
}

// Returns the reachable blocks as text.
std::string reachable_blocks(const Cfg& cfg) {
  std::vector<bool> seen(cfg.blocks.size(), false);
  std::vector<BlockId> work{BlockId{0}};
  while (!work.empty()) {
    const BlockId id = work.back();
    work.pop_back();
    if (!id.valid() || seen[id.n]) continue;
    seen[id.n] = true;
    const BasicBlock& b = cfg.blocks[id];
    work.insert(work.end(), {b.fall, b.jump, b.handler.block});
  }
  const std::string text = dump(cfg);
  std::string out;
  for (std::uint32_t i = 0; i < seen.size(); ++i) {
    const auto begin = text.find("B" + std::to_string(i) + ":");
    const auto end = text.find("\nB" + std::to_string(i + 1) + ":");
    if (seen[i]) out += text.substr(begin, end == std::string::npos ? end : end + 1 - begin);
  }
  return out;
}

// Returns the reachable blocks of a graph after one pass, or an error.
std::string run_pass(std::string_view name, std::uint8_t minor, std::string_view text) {
  const CodeTree tree = tree_of(minor);
  driver::Work work(tree, {});
  work.unit.bodies.resize(1);
  work.unit.class_names.resize(1);
  auto cfg = testing::parse_cfg(text);
  if (!cfg) return "in line " + std::to_string(cfg.error().at) + ": " + cfg.error().what;
  if (const auto valid = validate_rewritten(*cfg, work.dialect); !valid) return "before: " + valid.error().what;
  driver::CfgContext context{work.unit, CodeId{0}, *cfg, {}, {}};
  for (const auto& pass : driver::pass_table())
    if (pass.info.name == name) pass.on_cfg(context);
  if (const auto valid = validate_rewritten(*cfg, work.dialect); !valid) return "after: " + valid.error().what;
  return reachable_blocks(*cfg);
}

// Returns the text without offsets and indentation, which these tests do not compare.
std::string plain(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    line.remove_prefix(std::min(line.find_first_not_of(" 0123456789"), line.size()));
    if (!line.empty()) out += std::string(line) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

void rewrites(std::string_view pass, std::uint8_t minor, std::string_view from, std::string_view to) {
  CHECK(plain(run_pass(pass, minor, from)) == plain(to));
}

void keeps(std::string_view pass, std::uint8_t minor, std::string_view graph) { rewrites(pass, minor, graph, graph); }

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("neutral-stack-code: what leaves the stack as it was is removed if no compiler emits it") {
  const std::string block = R"(
    B0: depth 0
      LOAD_FAST
      LOAD_FAST 1
      LOAD_FAST 2
      HERE
      BUILD_TUPLE 3
      RETURN_VALUE
  )";
  const auto with = [&](std::string_view code) { return replaced(block, "HERE", code); };
  const auto without = replaced(block, "      HERE\n", "");
  for (const auto* code :
       {"COPY 1\n SWAP 2\n POP_TOP", "LOAD_CONST\n SWAP 2\n SWAP 2\n POP_TOP", "BUILD_TUPLE 1\n UNPACK_SEQUENCE 1",
        "BUILD_LIST 1\n LOAD_CONST\n SWAP 2\n UNPACK_SEQUENCE 1\n SWAP 2\n POP_TOP"})
    rewrites("neutral-stack-code", 12, with(code), without);
  SUBCASE("so is a constant whose swaps were removed first") {
    rewrites("neutral-stack-code", 12, with("SWAP 2\n LOAD_CONST\n SWAP 2\n SWAP 2\n POP_TOP"), with("SWAP 2"));
  }
  SUBCASE("what can be source is kept") {
    for (const auto* code : {"BUILD_LIST 1\n UNPACK_SEQUENCE 1", "LOAD_CONST\n POP_TOP", "COPY 1\n POP_TOP",
                             "SWAP 2\n SWAP 2", "LOAD_CONST\n BUILD_LIST 1\n BUILD_TUPLE 1\n POP_TOP"})
      keeps("neutral-stack-code", 12, with(code));
  }
  SUBCASE("what has another effect is kept") {
    for (const auto* code :
         {"COPY 1\n SWAP 3\n POP_TOP", "SWAP 2\n UNARY_NEGATIVE\n SWAP 2", "SWAP 2\n BUILD_LIST 1\n SWAP 2",
          "LOAD_CONST\n SWAP 2\n POP_TOP", "SWAP 2\n UNPACK_SEQUENCE 1"})
      keeps("neutral-stack-code", 12, with(code));
  }
}

TEST_CASE("async-for: GET_ANEXT, YIELD_FROM and END_ASYNC_FOR become FOR_ITER") {
  const std::string loop = R"(
    B0: depth 0
      LOAD_FAST
      GET_AITER
      fall B1
    B1: depth 1, raises to B3 [1]
      GET_ANEXT
      LOAD_CONST
      YIELD_FROM
      fall B2
    B2: depth 2
      STORE_FAST 1
      fall B1
    B3: depth 2, handler
      END_ASYNC_FOR
      LOAD_CONST
      RETURN_VALUE
  )";
  rewrites("async-for", 11, loop, R"(
    B0: depth 0
      LOAD_FAST
      GET_AITER
      fall B1
    B1: depth 1
      FOR_ITER flags 4
      jump B3
      fall B2
    B2: depth 2
      STORE_FAST 1
      fall B1
    B3: depth 0
      LOAD_CONST
      RETURN_VALUE
  )");
  SUBCASE("a handler that covers the body, too, belongs to no loop") {
    keeps("async-for", 11, replaced(loop, "B2: depth 2", "B2: depth 2, raises to B3 [1]"));
  }
  SUBCASE("a handler that does something else belongs to no loop") {
    keeps("async-for", 11, replaced(loop, "END_ASYNC_FOR\n", "POP_TOP\n POP_TOP\n"));
  }
}

TEST_CASE("inlined-comprehensions: a handler that only restores the saved local is removed") {
  const std::string comprehension = R"(
    B0: depth 0
      LOAD_FAST
      GET_ITER
      LOAD_FAST_AND_CLEAR 1
      SWAP 2
      fall B1
    B1: depth 2, raises to B5 [2]
      BUILD_LIST
      SWAP 2
      fall B2
    B2: depth 3, raises to B5 [2]
      FOR_ITER flags 1
      jump B4
      fall B3
    B3: depth 4, raises to B5 [2]
      STORE_FAST 1
      LOAD_FAST 1
      LIST_APPEND 2
      fall B2
    B4: depth 4
      END_FOR
      SWAP 2
      STORE_FAST 1
      RETURN_VALUE
    B5: depth 3, handler
      SWAP 2
      POP_TOP
      SWAP 2
      STORE_FAST 1
      RERAISE
  )";
  std::string without = comprehension;
  for (int i = 0; i < 3; ++i) without = replaced(without, ", raises to B5 [2]", "");
  rewrites("inlined-comprehensions", 12, comprehension, without.substr(0, without.find("B5: depth 3, handler")));
  SUBCASE("a handler that does more is kept") {
    keeps("inlined-comprehensions", 12, replaced(comprehension, "B5: depth 3, handler", "B5: depth 3, handler\n NOP"));
  }
}

TEST_CASE("jump-threading: the threaded test moves to the value that it tests") {
  const std::string test_outside = R"(
    B0: depth 0, raises to B4 [0]
      LOAD_FAST
      fall B1
    B1: depth 1
      COPY 1
      TO_BOOL
      POP_JUMP_IF_TRUE
      jump B3
      fall B2
    B2: depth 1
      POP_TOP
      LOAD_FAST 1
      fall B3
    B3: depth 1
      RETURN_VALUE
    B4: depth 1, handler
      RERAISE
  )";
  rewrites("jump-threading", 14, test_outside, R"(
    B0: depth 0, raises to B4 [0]
      LOAD_FAST
      COPY 1
      TO_BOOL
      POP_JUMP_IF_TRUE flags 1
      jump B3
      fall B2
    B2: depth 1
      POP_TOP
      LOAD_FAST 1
      fall B3
    B3: depth 1
      RETURN_VALUE
    B4: depth 1, handler
      RERAISE
  )");
  SUBCASE("a test in the protected range was not moved out of it") {
    keeps("jump-threading", 14, replaced(test_outside, "B1: depth 1", "B1: depth 1, raises to B4 [0]"));
  }
  SUBCASE("a test of the value of a conditional expression stays at the join of its arms") {
    const std::string two_arms =
        replaced(replaced(test_outside, "B2: depth 1", "B2: depth 1, raises to B4 [0]"), "fall B3", "fall B1");
    rewrites("jump-threading", 14, two_arms,
             replaced(replaced(two_arms, "B1: depth 1", "B1: depth 1, raises to B4 [0]"), "POP_JUMP_IF_TRUE",
                      "POP_JUMP_IF_TRUE flags 1"));
  }
  SUBCASE("a test with another predecessor does not belong to the protected value") {
    keeps("jump-threading", 14, replaced(test_outside, "fall B3", "fall B1"));
  }
}

TEST_CASE("tail-duplication: both paths of `a or b` pop their value in one block") {
  const std::string duplicated = R"(
    B0: depth 0
      LOAD_FAST
      JUMP_IF_TRUE_OR_POP
      jump B2
      fall B1
    B1: depth 0
      LOAD_FAST 1
      POP_TOP
      LOAD_CONST
      RETURN_VALUE
    B2: depth 1
      POP_TOP
      LOAD_CONST
      RETURN_VALUE
  )";
  rewrites("tail-duplication", 11, duplicated, R"(
    B0: depth 0
      LOAD_FAST
      JUMP_IF_TRUE_OR_POP
      jump B2
      fall B1
    B1: depth 0
      LOAD_FAST 1
      fall B2
    B2: depth 1
      POP_TOP
      LOAD_CONST
      RETURN_VALUE
  )");
  SUBCASE("an exit that returns another value belongs to another statement") {
    keeps("tail-duplication", 11, replaced(duplicated, "POP_TOP\n      LOAD_CONST", "POP_TOP\n      LOAD_CONST 1"));
  }
  SUBCASE("an exit with another handler is not equal") {
    keeps("tail-duplication", 11,
          replaced(duplicated, "B1: depth 0", "B1: depth 0, raises to B3 [0]") + "B3: depth 1, handler\n RERAISE\n");
  }
}

TEST_CASE("finally-bodies: the duplicate on the normal exit becomes a marker") {
  const std::string body = R"(
    B0: depth 0, raises to B2 [0]
      LOAD_FAST
      POP_TOP
      fall B1
    B1: depth 0
      PUSH_NULL
      LOAD_FAST 1
      CALL
      POP_TOP
      fall B4
    B2: depth 1, handler, raises to B3 [1] lasti
      PUSH_EXC_INFO
      PUSH_NULL
      LOAD_FAST 1
      CALL
      POP_TOP
      RERAISE
    B3: depth 3, handler
      COPY 3
      POP_EXCEPT
      RERAISE 1
    B4: depth 0
      LOAD_CONST 1
      RETURN_VALUE
  )";
  rewrites("finally-bodies", 11, body, R"(
    B0: depth 0, raises to B2 [0]
      LOAD_FAST
      POP_TOP
      fall B5
    B2: depth 1, handler, raises to B3 [1] lasti
      PUSH_EXC_INFO
      PUSH_NULL
      LOAD_FAST 1
      CALL
      POP_TOP
      RERAISE
    B3: depth 3, handler
      COPY 3
      POP_EXCEPT
      RERAISE 1
    B4: depth 0
      LOAD_CONST 1
      RETURN_VALUE
    B5: depth 0
      POP_BLOCK 2
      fall B4
  )");
  SUBCASE("an exit that calls something else is no duplicate") {
    keeps("finally-bodies", 11,
          replaced(body, "B1: depth 0\n      PUSH_NULL\n      LOAD_FAST 1",
                   "B1: depth 0\n      PUSH_NULL\n      LOAD_FAST 2"));
  }
}

TEST_CASE("except-star: each body continues after the statement, and the test gets a flag") {
  const std::string handler = R"(
    B0: depth 0, raises to B2 [0]
      LOAD_FAST
      POP_TOP
      fall B1
    B1: depth 0
      LOAD_CONST
      RETURN_VALUE
    B2: depth 1, handler, raises to B12 [1] lasti
      PUSH_EXC_INFO
      BUILD_LIST
      COPY 2
      LOAD_GLOBAL
      CHECK_EG_MATCH
      COPY 1
      POP_JUMP_IF_NONE
      jump B7
      fall B3
    B3: depth 5, raises to B12 [1] lasti
      POP_TOP
      fall B4
    B4: depth 4, raises to B6 [4] lasti
      LOAD_FAST 1
      POP_TOP
      fall B5
    B5: depth 4, raises to B12 [1] lasti
      LIST_APPEND 1
      fall B8
    B6: depth 6, handler, raises to B12 [1] lasti
      LIST_APPEND 3
      POP_TOP
      LIST_APPEND 1
      fall B8
    B7: depth 5, raises to B12 [1] lasti
      POP_TOP
      LIST_APPEND 1
      fall B8
    B8: depth 3, raises to B12 [1] lasti
      PREP_RERAISE_STAR
      COPY 1
      POP_JUMP_IF_NOT_NONE
      jump B11
      fall B9
    B9: depth 2, raises to B12 [1] lasti
      POP_TOP
      fall B10
    B10: depth 1
      POP_EXCEPT
      LOAD_CONST 1
      RETURN_VALUE
    B11: depth 2
      SWAP 2
      POP_EXCEPT
      RERAISE
    B12: depth 3, handler
      COPY 3
      POP_EXCEPT
      RERAISE 1
  )";
  rewrites("except-star", 13, handler, R"(
    B0: depth 0, raises to B2 [0]
      LOAD_FAST
      POP_TOP
      fall B1
    B1: depth 0
      LOAD_CONST
      RETURN_VALUE
    B2: depth 1, handler, raises to B12 [1] lasti
      PUSH_EXC_INFO
      LOAD_GLOBAL
      CHECK_EXC_MATCH flags 1
      POP_JUMP_IF_FALSE
      jump B8
      fall B3
    B3: depth 2, raises to B12 [1] lasti
      POP_TOP
      fall B4
    B4: depth 1, raises to B12 [1] lasti
      LOAD_FAST 1
      POP_TOP
      fall B10
    B8: depth 2, raises to B12 [1] lasti
      RERAISE
    B10: depth 1
      POP_EXCEPT flags 1
      LOAD_CONST 1
      RETURN_VALUE
    B12: depth 3, handler
      COPY 3
      POP_EXCEPT
      RERAISE 1
  )");
  SUBCASE("a handler that does not keep the group below the list has another meaning: only LIST_APPEND is merged") {
    const std::string other = run_pass("except-star", 13, replaced(handler, "COPY 2", "COPY 1"));
    CHECK(other.find("CHECK_EG_MATCH") != std::string::npos);
    CHECK(other.find("LIST_APPEND 1") == other.rfind("LIST_APPEND 1"));
  }
}

TEST_CASE("match-patterns: the tests of a case become one block without instructions") {
  const std::string match = R"(
    B0: depth 0
      LOAD_FAST
      LOAD_CONST 1
      COMPARE_OP 2
      POP_JUMP_IF_FALSE
      jump B2
      fall B1
    B1: depth 0
      LOAD_CONST 1
      RETURN_VALUE
    B2: depth 0
      LOAD_CONST
      RETURN_VALUE
  )";
  SUBCASE("a comparison alone is no match statement") { keeps("match-patterns", 11, match); }
  rewrites("match-patterns", 11, R"(
    B0: depth 0
      LOAD_FAST
      MATCH_SEQUENCE
      POP_JUMP_IF_FALSE
      jump B3
      fall B1
    B1: depth 1
      GET_LEN
      LOAD_CONST 1
      COMPARE_OP 2
      POP_JUMP_IF_FALSE
      jump B3
      fall B2
    B2: depth 1
      UNPACK_SEQUENCE 1
      STORE_FAST 1
      LOAD_FAST 1
      RETURN_VALUE
    B3: depth 1
      POP_TOP
      LOAD_CONST
      RETURN_VALUE
  )",
           R"(
    B0: depth 0
      LOAD_FAST
      fall B6
    B4: depth 0
      LOAD_FAST 1
      RETURN_VALUE
    B5: depth 0
      LOAD_CONST
      RETURN_VALUE
    B6: depth 1
      jump B5
      fall B4
  )");
}
