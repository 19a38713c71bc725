// SPDX-License-Identifier: MIT
// validate() on trees that no reader returns, and the text of integers.
#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "code/int_text.h"
#include "depyf/code.h"

using namespace depyf;

namespace {

// Returns a valid tree: a root with one child, which has the constant None.
CodeTree small_tree() {
  CodeTree tree;
  tree.version = {3, 11};
  CodeObject code;
  code.code = std::string(4, '\0');
  const CodeId root = tree.codes.add(code);
  code.parent = root;
  const CodeId child = tree.codes.add(code);
  const ConstId none = tree.consts.add(ConstNone{});
  const ConstId code_const = tree.consts.add(ConstCode{child});
  tree.codes[child].consts = {none};
  tree.codes[root].consts = {none, tree.consts.add(ConstTuple{{code_const}})};
  return tree;
}

std::string fault_after(const std::function<void(CodeTree&)>& change) {
  CodeTree tree = small_tree();
  change(tree);
  const Status status = validate(tree);
  return status.ok() ? "" : status.error().what;
}

ConstInt power_of_two(std::size_t words) {
  ConstInt out;
  out.digits.assign(words, 0);
  out.digits.push_back(1);
  return out;
}

}  // namespace

TEST_CASE("validate: invariants of a tree") {
  constexpr CodeId kRoot{0}, kChild{1};
  CHECK(fault_after([](CodeTree&) {}).empty());
  CHECK(!fault_after([](CodeTree& t) { t.version = {3, 7}; }).empty());
  CHECK(!fault_after([](CodeTree& t) { t = CodeTree{}; }).empty());
  CHECK(!fault_after([&](CodeTree& t) { t.codes[kRoot].parent = kChild; }).empty());
  CHECK(!fault_after([&](CodeTree& t) { t.codes[kChild].parent = kChild; }).empty());
  CHECK(!fault_after([&](CodeTree& t) { t.codes[kChild].parent = CodeId{}; }).empty());
  CHECK(!fault_after([&](CodeTree& t) { t.codes[kChild].parent = CodeId{9}; }).empty());
  CHECK(!fault_after([&](CodeTree& t) { t.codes[kRoot].consts.clear(); }).empty());
  CHECK(!fault_after([&](CodeTree& t) { t.codes[kRoot].consts.push_back(ConstId{99}); }).empty());
  CHECK(!fault_after([&](CodeTree& t) { t.codes[kChild].consts.push_back(t.consts.add(ConstCode{kRoot})); }).empty());
  CHECK(!fault_after([&](CodeTree& t) { t.consts.add(ConstCode{CodeId{7}}); }).empty());
  CHECK(!fault_after([&](CodeTree& t) { t.consts.add(ConstTuple{{ConstId{77}}}); }).empty());
  CHECK(!fault_after([&](CodeTree& t) { t.consts.add(ConstTuple{{ConstId{3}}}); }).empty());
  CHECK(!fault_after([&](CodeTree& t) { t.consts.add(ConstStr{"\xff"}); }).empty());
  CHECK(!fault_after([&](CodeTree& t) { t.consts.add(ConstInt{true, {}}); }).empty());
  CHECK(!fault_after([&](CodeTree& t) { t.consts.add(ConstInt{false, {1, 0}}); }).empty());
  CHECK(!fault_after([&](CodeTree& t) { t.codes[kChild].code = "abc"; }).empty());
  CHECK(!fault_after([&](CodeTree& t) { t.codes[kChild].argcount = 1; }).empty());
  CHECK(!fault_after([&](CodeTree& t) { t.codes[kChild].names = {"\xff"}; }).empty());
  CHECK(!fault_after([&](CodeTree& t) { t.codes[kChild].localsplus = {"a"}; }).empty());
  CHECK(!fault_after([&](CodeTree& t) { t.codes[kChild].varnames = {"a"}; }).empty());
}

TEST_CASE("validate: two code objects may share a third, but may not be parents of each other") {
  CHECK(fault_after([](CodeTree& t) {
          const CodeObject copy = t.codes[CodeId{1}];
          const CodeId third = t.codes.add(copy);
          const ConstId code_const = t.consts.add(ConstCode{third});
          t.codes[CodeId{0}].consts.push_back(code_const);
          t.codes[CodeId{1}].consts.push_back(code_const);
        }).empty());
  CHECK(fault_after([](CodeTree& t) {
          CodeObject code = t.codes[CodeId{1}];
          const CodeId first = t.codes.add(code);
          code.parent = first;
          const CodeId second = t.codes.add(code);
          t.codes[first].parent = second;
          t.codes[first].consts.push_back(t.consts.add(ConstCode{second}));
          t.codes[second].consts.push_back(t.consts.add(ConstCode{first}));
        }).find("lead to the root") != std::string::npos);
}

TEST_CASE("validate: deep sharing takes linear time") {
  CHECK(fault_after([](CodeTree& t) {
          ConstId last = t.consts.add(ConstTuple{});
          for (int i = 0; i < 100'000; ++i) last = t.consts.add(ConstTuple{{last, last}});
          t.codes[CodeId{0}].consts.push_back(last);
        }).empty());
}

TEST_CASE("integers: decimal and hexadecimal text") {
  CHECK(decimal_text({}) == "0");
  CHECK(hex_text({}) == "0x0");
  CHECK(decimal_text({true, {1}}) == "-1");
  CHECK(decimal_text({false, {1'000'000'000}}) == "1000000000");
  CHECK(decimal_text(power_of_two(1)) == "4294967296");
  CHECK(decimal_text(power_of_two(4)) == "340282366920938463463374607431768211456");
  CHECK(hex_text({true, {0x0000000A, 0xB}}) == "-0xb0000000a");
  CHECK(literal_text(power_of_two(440)).size() == 4239);
  CHECK(literal_text(power_of_two(447)).starts_with("0x1"));  // 4306 digits
  CHECK(literal_text(power_of_two(100'000)).size() == 3 + 8 * 100'000);
}
