// SPDX-License-Identifier: MIT
// verify() on small hand-made programs of CPython 3.11: differences that must count, differences that must not, and
// input that must neither hang nor crash. tests/verify/agreement.py compares it with the oracle on real programs of
// every version.
#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

#include "depyf/decompile.h"
#include "verify/compare.h"
#include "verify/keys.h"

namespace {

using namespace depyf;

// Opcodes of CPython 3.11.
enum : unsigned char {
  kPopTop = 1,
  kNop = 9,
  kReturn = 83,
  kStoreName = 90,
  kSwap = 99,
  kLoadConst = 100,
  kLoadName = 101,
  kJumpForward = 110,
  kStoreFast = 125,
  kJumpBack = 140,
  kExtended = 144
};

CodeTree module_of(const std::string& code, std::vector<Constant> consts = {ConstNone{}}) {
  CodeTree tree;
  tree.version = {3, 11};
  CodeObject object;
  object.name = object.qualname = "<module>";
  object.stacksize = 8;
  object.code = code;
  object.names = {"x", "y", "__static_attributes__", "__firstlineno__"};
  object.varnames = object.localsplus = {"a", "b"};
  object.localspluskinds = {0x20, 0x20};
  for (Constant& constant : consts) object.consts.push_back(tree.consts.add(std::move(constant)));
  tree.codes.add(std::move(object));
  return tree;
}

std::string bytes(std::initializer_list<int> list) {
  std::string out;
  for (const int b : list) out += static_cast<char>(b);
  return out;
}

Verdict root_verdict(const CodeTree& a, const CodeTree& b) {
  const auto verdicts = verify(a, b, Limits{});
  REQUIRE(verdicts.ok());
  REQUIRE(!verdicts->empty());
  return verdicts->front();
}

bool exact(const CodeTree& a, const CodeTree& b) { return root_verdict(a, b).kind == VerdictKind::kExact; }

// Returns an endless loop with a body of `length` times "load x, pop it".
CodeTree loop_of(std::size_t length) {
  std::string code;
  for (std::size_t i = 0; i < length; ++i) code += bytes({kLoadName, 0, kPopTop, 0});
  const std::size_t back = 2 * length + 2;  // with one prefix
  return module_of(code + bytes({kExtended, static_cast<int>(back >> 8U), kJumpBack, static_cast<int>(back & 0xFFU)}));
}

const std::string kLeave = bytes({kLoadConst, 0, kReturn, 0});

TEST_CASE("verify: NOPs, jumps and unreachable code make no difference, operands do") {
  const CodeTree plain = module_of(bytes({kLoadName, 0, kPopTop, 0}) + kLeave);
  CHECK(exact(plain, plain));
  CHECK(exact(plain, module_of(bytes({kNop, 0, kLoadName, 0, kNop, 0, kPopTop, 0}) + kLeave)));
  CHECK(exact(plain, module_of(bytes({kLoadName, 0, kJumpForward, 1, kReturn, 0, kPopTop, 0}) + kLeave)));
  const Verdict other = root_verdict(plain, module_of(bytes({kLoadName, 1, kPopTop, 0}) + kLeave));
  CHECK(other.kind == VerdictKind::kUnproved);
  CHECK(other.offset == 0);
  CHECK(other.reason == "LOAD_NAME x | LOAD_NAME y");
  CHECK_FALSE(exact(plain, module_of(bytes({kLoadName, 0}) + kLeave)));
}

TEST_CASE("verify: SWAP before stores to different locals is applied, not before stores to the same one") {
  const std::string loads = bytes({kLoadName, 0, kLoadName, 1});
  const CodeTree swapped = module_of(loads + bytes({kSwap, 2, kStoreFast, 0, kStoreFast, 1}) + kLeave);
  CHECK(exact(swapped, module_of(loads + bytes({kStoreFast, 1, kStoreFast, 0}) + kLeave)));
  CHECK_FALSE(exact(swapped, module_of(loads + bytes({kStoreFast, 0, kStoreFast, 1}) + kLeave)));
  const CodeTree same = module_of(loads + bytes({kSwap, 2, kStoreFast, 0, kStoreFast, 0}) + kLeave);
  CHECK_FALSE(exact(same, module_of(loads + bytes({kStoreFast, 0, kStoreFast, 0}) + kLeave)));
}

TEST_CASE("verify: constants count by type and value, also those stored under names of the compiler") {
  const std::string store_y = bytes({kLoadConst, 0, kStoreName, 1}) + kLeave;
  const auto with = [&](Constant value, const std::string& code) { return module_of(code, {std::move(value)}); };
  CHECK(exact(with(ConstInt{false, {1}}, store_y), with(ConstInt{false, {1}}, store_y)));
  CHECK_FALSE(exact(with(ConstInt{false, {1}}, store_y), with(ConstBool{true}, store_y)));
  CHECK_FALSE(exact(with(ConstInt{false, {1}}, store_y), with(ConstInt{true, {1}}, store_y)));
  CHECK_FALSE(exact(with(ConstInt{false, {1}}, store_y), with(ConstFloat{1.0}, store_y)));
  CHECK_FALSE(exact(with(ConstFloat{0.0}, store_y), with(ConstFloat{-0.0}, store_y)));
  CHECK_FALSE(exact(with(ConstStr{"a"}, store_y), with(ConstBytes{"a"}, store_y)));
  CHECK_FALSE(exact(with(ConstTuple{}, store_y), with(ConstFrozenSet{}, store_y)));
  const std::string store_line = bytes({kLoadConst, 0, kStoreName, 3, kLoadConst, 1, kReturn, 0});
  const auto on_line = [&](std::uint32_t n) { return module_of(store_line, {ConstInt{false, {n}}, ConstNone{}}); };
  CHECK_FALSE(exact(on_line(3), on_line(7)));  // in a module, __firstlineno__ is an ordinary name
  const auto attributes = [&](const char* first, const char* second, int name) {
    CodeTree tree = module_of(bytes({kLoadConst, 0, kStoreName, name, kLoadConst, 1, kReturn, 0}), {});
    const ConstId one = tree.consts.add(ConstStr{first});
    const ConstId two = tree.consts.add(ConstStr{second});
    tree.codes[tree.root()].consts = {tree.consts.add(ConstTuple{{one, two}}), tree.consts.add(ConstNone{})};
    return tree;
  };
  CHECK_FALSE(exact(attributes("p", "q", 2), attributes("q", "p", 2)));
  CHECK_FALSE(exact(attributes("p", "q", 2), attributes("q", "r", 2)));
  CHECK_FALSE(exact(attributes("p", "q", 1), attributes("q", "p", 1)));
}

TEST_CASE("verify: unrolled loops of different lengths are equal, in time linear in their lengths") {
  const auto start = std::chrono::steady_clock::now();
  CHECK(exact(loop_of(9973), loop_of(10007)));  // in lockstep: two hundred million steps
  CHECK_FALSE(exact(loop_of(100), module_of(bytes({kLoadName, 0, kPopTop, 0}) + kLeave)));
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
}

TEST_CASE("verify: exception handlers count by range, target, depth and lasti") {
  const std::string code = bytes({kLoadName, 0, kPopTop, 0}) + kLeave + bytes({kPopTop, 0}) + kLeave;
  // One entry: start (with the bit of a first byte), length and target in code units, depth << 1 | lasti.
  const auto guarded = [&](int start, int length, int target, int depth_lasti) {
    CodeTree tree = module_of(code);
    tree.codes[tree.root()].exceptiontable = bytes({start | 0x80, length, target, depth_lasti});
    return tree;
  };
  CHECK(exact(guarded(0, 2, 4, 0), guarded(0, 2, 4, 0)));
  CHECK_FALSE(exact(guarded(0, 2, 4, 0), module_of(code)));
  CHECK_FALSE(exact(guarded(0, 2, 4, 0), guarded(0, 1, 4, 0)));
  CHECK_FALSE(exact(guarded(0, 2, 4, 0), guarded(0, 2, 5, 0)));
  CHECK_FALSE(exact(guarded(0, 2, 4, 0), guarded(0, 2, 4, 1)));
  CHECK_FALSE(exact(guarded(0, 2, 4, 0), guarded(0, 2, 4, 2)));
}

TEST_CASE("verify: an empty endless loop is not the end of the code") {
  const CodeTree endless = module_of(bytes({kNop, 0, kJumpBack, 2}));
  CHECK(exact(endless, module_of(bytes({kJumpBack, 1}))));
  CHECK_FALSE(exact(endless, module_of(kLeave)));
}

TEST_CASE("verify: code that cannot be decoded is unproved and trees of two versions are an error") {
  const CodeTree good = module_of(kLeave);
  const CodeTree bad = module_of(bytes({kLoadName, 77}) + kLeave);
  CHECK(root_verdict(good, bad).reason.starts_with("recompiled code: "));
  CHECK(root_verdict(bad, good).kind == VerdictKind::kUnproved);
  CHECK_FALSE(exact(bad, bad));  // its behaviour is unknown
  CHECK_FALSE(exact(bad, module_of(bytes({kLoadName, 78}) + kLeave)));
  const CodeTree jumps = module_of(bytes({kJumpForward, 1, kLoadName, 77}) + kLeave);  // over it
  CHECK(exact(jumps, good));
  CodeTree other = good;
  other.version = {3, 12};
  CHECK_FALSE(verify(good, other, Limits{}).ok());
}

TEST_CASE("verify: keys of nested constants, and of a constant that contains itself") {
  CodeTree tree;
  const ConstId one = tree.consts.add(ConstInt{false, {1}});
  const ConstId truth = tree.consts.add(ConstBool{true});
  const ConstId set = tree.consts.add(ConstFrozenSet{{one, truth}});
  const ConstId reordered = tree.consts.add(ConstFrozenSet{{truth, one}});
  const ConstId a = tree.consts.add(ConstStr{"a"}), b = tree.consts.add(ConstStr{"b"});
  const ConstId words = tree.consts.add(ConstFrozenSet{{a, b}});
  const ConstId words_reordered = tree.consts.add(ConstFrozenSet{{b, a}});
  const ConstId pair = tree.consts.add(ConstTuple{{one, truth}});
  const ConstId other_pair = tree.consts.add(ConstTuple{{truth, one}});
  const ConstId ring = tree.consts.add(ConstTuple{{one}});
  std::get<ConstTuple>(tree.consts[ring]).items.push_back(ring);
  ConstId deep = one;
  for (int i = 0; i < 200000; ++i) deep = tree.consts.add(ConstTuple{{deep}});
  equivalence::Keys keys;
  equivalence::ConstantKeys constants(tree, keys);
  CHECK(constants.key(set).value() != constants.key(reordered).value());  // numbers have the same order in every run
  CHECK(constants.unordered(set).value() == constants.unordered(reordered).value());
  CHECK(constants.key(words).value() ==
        constants.key(words_reordered).value());  // strings have other hashes in every run
  CHECK(constants.key(pair).value() != constants.key(other_pair).value());
  CHECK(constants.unordered(pair).value() == constants.unordered(other_pair).value());
  CHECK(keys.show(constants.key(pair).value()) == "(1, True)");
  CHECK_FALSE(constants.key(ring).ok());
  CHECK_FALSE(constants.key(ring).ok());
  CHECK(keys.show(constants.key(deep).value()).size() < 100);
}

}  // namespace
