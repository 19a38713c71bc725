// SPDX-License-Identifier: MIT
// The marshal reader, byte by byte: layouts of each version, references, numbers, and malformed input.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <span>
#include <string>

#include "depyf/decompile.h"

using namespace depyf;

namespace {

std::string le32(std::int64_t value) {
  std::string out;
  for (unsigned shift = 0; shift < 32; shift += 8) out += static_cast<char>(static_cast<std::uint64_t>(value) >> shift);
  return out;
}
std::string bytes_object(const std::string& data) { return "s" + le32(static_cast<std::int64_t>(data.size())) + data; }
std::string text(const std::string& data) { return std::string("z") + static_cast<char>(data.size()) + data; }
std::string tuple(const std::vector<std::string>& items) {
  std::string out = std::string(")") + static_cast<char>(items.size());
  for (const std::string& item : items) out += item;
  return out;
}

struct CodeBytes {
  int argcount = 0, posonly = 0, kwonly = 0, nlocals = 0, flags = 0;
  std::string code = bytes_object(std::string("d\0S\0", 4));
  std::string consts = tuple({"N"});
  std::string names = tuple({});
  std::string locals = tuple({});  // co_localsplusnames, or co_varnames before 3.11
  std::string kinds = bytes_object("");
  std::string free = tuple({}), cells = tuple({});
  char type = 'c';

  [[nodiscard]] std::string in(Version version) const {
    const bool has_localsplus = version >= Version{3, 11};
    std::string out = type + le32(argcount) + le32(posonly) + le32(kwonly);
    if (!has_localsplus) out += le32(nlocals);
    out += le32(1) + le32(flags) + code + consts + names + locals;
    out += has_localsplus ? kinds : free + cells;
    out += text("f.py") + text("name");
    if (has_localsplus) out += text("qual.name");
    out += le32(7) + bytes_object("L");
    if (has_localsplus) out += bytes_object("X");
    return out;
  }
};

constexpr Version kOld{3, 8}, kNew{3, 15};

Result<CodeTree> read(const std::string& data, Version version, const Limits& limits = {}) {
  return read_marshal(std::as_bytes(std::span(data)), version, limits);
}

CodeTree read_constants(const std::vector<std::string>& constants, Version version = kNew) {
  CodeBytes code;
  code.consts = tuple(constants);
  Result<CodeTree> tree = read(code.in(version), version);
  REQUIRE_MESSAGE(tree.ok(), (tree.ok() ? "" : tree.error().what));
  REQUIRE(validate(*tree).ok());
  return *std::move(tree);
}

std::string error_of(const std::vector<std::string>& constants, Version version = kNew) {
  CodeBytes code;
  code.consts = tuple(constants);
  const Result<CodeTree> tree = read(code.in(version), version);
  REQUIRE_FALSE(tree.ok());
  CHECK(tree.error().at != kNowhere);
  return tree.error().what;
}

template <class T>
const T& constant(const CodeTree& tree, std::size_t i) {
  const T* value = std::get_if<T>(&tree.consts[tree.codes[tree.root()].consts[i]]);
  REQUIRE(value != nullptr);
  return *value;
}

bool same(const CodeTree& tree, std::size_t i, std::size_t j) {
  const std::vector<ConstId>& consts = tree.codes[tree.root()].consts;
  const bool forward = same_constant(tree, consts[i], tree, consts[j]);
  CHECK(forward == same_constant(tree, consts[j], tree, consts[i]));
  return forward;
}

std::string binary_float(double value) {
  std::string out(9, 'g');
  std::memcpy(out.data() + 1, &value, sizeof value);
  return out;
}

}  // namespace

TEST_CASE("pyc: both layouts of a code object") {
  CodeBytes code;
  code.argcount = 1;
  code.locals = tuple({text("a"), text("b")});
  code.nlocals = 2;
  code.free = tuple({text("fr")});
  code.cells = tuple({text("ce"), text("a")});
  const Result<CodeTree> old = read(code.in(kOld), kOld);
  REQUIRE(old.ok());
  const CodeObject& o = old->codes[old->root()];
  CHECK(o.varnames == std::vector<std::string>{"a", "b"});
  CHECK(o.freevars == std::vector<std::string>{"fr"});
  CHECK(o.cellvars == std::vector<std::string>{"ce", "a"});
  CHECK((o.name == "name" && o.filename == "f.py" && o.qualname.empty() && o.firstlineno == 7 && o.linetable == "L"));

  code.locals = tuple({text("a"), text("b"), text("ce"), text("fr")});
  code.kinds = bytes_object("\x66\x20\x40\x80");  // a parameter that is a cell, a local, a cell, a free variable
  const Result<CodeTree> modern = read(code.in(kNew), kNew);
  REQUIRE(modern.ok());
  const CodeObject& m = modern->codes[modern->root()];
  CHECK(m.varnames == std::vector<std::string>{"a", "b"});
  CHECK(m.cellvars == std::vector<std::string>{"a", "ce"});
  CHECK(m.freevars == std::vector<std::string>{"fr"});
  CHECK((m.qualname == "qual.name" && m.exceptiontable == "X"));
}

TEST_CASE("pyc: integers of every form") {
  const std::string million = "l" + le32(2) + std::string("\x40\x42\x1e\x00", 4);  // 0x4240 + (0x1e << 15)
  const CodeTree tree =
      read_constants({"i" + le32(0), "i" + le32(-1), "i" + le32(-2147483648LL), million,
                      "l" + le32(-3) + std::string("\0\0\0\0\x04\0", 6), "I" + le32(0) + le32(-2147483648LL)});
  CHECK(constant<ConstInt>(tree, 0).digits.empty());
  CHECK((constant<ConstInt>(tree, 1).negative && constant<ConstInt>(tree, 1).digits == std::vector<std::uint32_t>{1}));
  CHECK(constant<ConstInt>(tree, 2).digits == std::vector<std::uint32_t>{0x80000000});
  CHECK(constant<ConstInt>(tree, 3).digits == std::vector<std::uint32_t>{1'000'000});
  CHECK(
      (constant<ConstInt>(tree, 4).negative && constant<ConstInt>(tree, 4).digits == std::vector<std::uint32_t>{0, 1}));
  CHECK(constant<ConstInt>(tree, 5).digits == std::vector<std::uint32_t>{0, 0x80000000});
  CHECK(error_of({"l" + le32(1) + std::string("\0\0", 2)}).find("leading zero") != std::string::npos);
  CHECK(error_of({"l" + le32(1) + std::string("\0\x80", 2)}).find("15 bits") != std::string::npos);
}

TEST_CASE("pyc: floats in text and in bits") {
  const CodeTree tree = read_constants({std::string("f\x03") + "0.5", std::string("f\x04") + "-inf", binary_float(-0.0),
                                        std::string("x\x01") + "1\x05" + "1e-05", std::string("f\x03") + "nan"});
  CHECK(constant<ConstFloat>(tree, 0).value == 0.5);
  CHECK(constant<ConstFloat>(tree, 1).value == -INFINITY);
  CHECK(std::signbit(constant<ConstFloat>(tree, 2).value));
  CHECK((constant<ConstComplex>(tree, 3).real == 1 && constant<ConstComplex>(tree, 3).imag == 1e-05));
  CHECK(std::isnan(constant<ConstFloat>(tree, 4).value));
  for (const char* bad : {"", "1x", "-+1", " 1", "0x1p3"}) {
    CHECK(error_of({std::string("f") + static_cast<char>(std::strlen(bad)) + bad}).find("float in text") !=
          std::string::npos);
  }
}

TEST_CASE("pyc: text is UTF-8 with lone surrogates") {
  const CodeTree tree = read_constants({"u" + le32(3) + "\xed\xa0\x80", "z\x01\xe9", "A" + le32(1) + "a"});
  CHECK(constant<ConstStr>(tree, 0).text == "\xed\xa0\x80");
  CHECK(constant<ConstStr>(tree, 1).text == "\xc3\xa9");  // the "ascii" types hold Latin-1
  CHECK(constant<ConstStr>(tree, 2).text == "a");
  for (const std::string bad :
       {"\xc0\x80", "\x80", "\xe0\x80\x80", "\xf4\x90\x80\x80", "\xf0\x80\x80\x80", "\xe2\x82"}) {
    CHECK(error_of({"u" + le32(static_cast<std::int64_t>(bad.size())) + bad}).find("UTF-8") != std::string::npos);
  }
}

TEST_CASE("pyc: types that a version added") {
  CHECK(read_constants({":NNN"}, {3, 14}).codes.size() == 1);
  CHECK(error_of({":NNN"}, {3, 13}).find("unknown type code ':'") != std::string::npos);
  CHECK(constant<ConstOpaque>(read_constants({"}NN0"}, {3, 15}), 0).display == "<frozendict of 1 items>");
  CHECK(error_of({"}NN0"}, {3, 14}).find("unknown type code '}'") != std::string::npos);
  CHECK(error_of({"?"}).find("unknown type code '?'") != std::string::npos);
  CHECK(constant<ConstOpaque>(read_constants({"S"}), 0).is_expression);
}

TEST_CASE("pyc: references") {
  const std::string shared = std::string("\xa9\x01") + "i" + le32(5);  // a shared tuple
  const CodeTree tree = read_constants({shared, "r" + le32(0), tuple({"r" + le32(0)})});
  const CodeObject& root = tree.codes[tree.root()];
  CHECK(root.consts[0] == root.consts[1]);
  CHECK(constant<ConstTuple>(tree, 2).items[0] == root.consts[0]);
  CHECK(error_of({"r" + le32(0)}).find("shared objects") != std::string::npos);
  CHECK(error_of({"r" + le32(-1)}).find("shared objects") != std::string::npos);
  CHECK(error_of({std::string("\xa9\x01r") + le32(0)}).find("contains it") != std::string::npos);
  CHECK(error_of({std::string("\xce"), "r" + le32(0)}).find("of 0 shared") !=
        std::string::npos);  // None is never shared
}

TEST_CASE("pyc: a shared code object is read once, and its parent is the first one that refers to it") {
  CodeBytes inner;
  inner.type = static_cast<char>('c' | 0x80);
  CodeBytes holder;
  holder.consts = tuple({inner.in(kNew)});
  const CodeTree tree = read_constants({holder.in(kNew), "r" + le32(0)});
  REQUIRE(tree.codes.size() == 3);
  CHECK(tree.codes[CodeId{1}].parent == tree.root());
  CHECK(tree.codes[CodeId{2}].parent == CodeId{1});
  CHECK(constant<ConstCode>(tree, 1).code == CodeId{2});
}

TEST_CASE("pyc: inconsistent code objects") {
  const auto outcome = [](const CodeBytes& code, Version version) {
    const Result<CodeTree> tree = read(code.in(version), version);
    return tree.ok() ? std::string("fine") : tree.error().what;
  };
  CodeBytes code;
  CHECK(outcome(code, kOld) == "fine");
  CHECK(outcome(code, kNew) == "fine");
  code.code = bytes_object("abc");
  CHECK(outcome(code, kNew).find("two-byte units") != std::string::npos);
  code = {};
  code.argcount = 1;
  CHECK(outcome(code, kNew).find("names of parameters") != std::string::npos);
  CHECK(outcome(code, kOld).find("names of parameters") != std::string::npos);
  code = {};
  code.argcount = -1;
  CHECK(outcome(code, kNew).find("co_argcount") != std::string::npos);
  code = {};
  code.nlocals = 1;
  CHECK(outcome(code, kOld).find("co_nlocals") != std::string::npos);
  code = {};
  code.posonly = 1;
  CHECK(outcome(code, kOld).find("co_posonlyargcount") != std::string::npos);
  code = {};
  code.locals = tuple({text("a")});
  CHECK(outcome(code, kNew).find("local kinds") != std::string::npos);
  code.kinds = bytes_object("\x10");
  CHECK(outcome(code, kNew).find("slot 0") != std::string::npos);
  code.kinds = bytes_object("\xc0");
  CHECK(outcome(code, kNew).find("slot 0") != std::string::npos);
  code.locals = tuple({text("a"), text("b")});
  code.kinds = bytes_object("\x80\x20");
  CHECK(outcome(code, kNew).find("slot 1") != std::string::npos);
  code = {};
  code.names = tuple({"N"});
  CHECK(outcome(code, kNew).find("co_names, found None") != std::string::npos);
}

TEST_CASE("pyc: limits") {
  CodeBytes code;
  std::string deep = ")";
  for (int i = 0; i < 50; ++i) deep += "\x01)";
  code.consts = tuple({deep + std::string(1, '\0')});
  Limits limits;
  CHECK(read(code.in(kNew), kNew, limits).ok());
  limits.max_depth = 40;
  CHECK(read(code.in(kNew), kNew, limits).error().code == Errc::kLimitExceeded);
  limits = {};
  limits.max_items = 20;
  CHECK(read(code.in(kNew), kNew, limits).error().code == Errc::kLimitExceeded);
  limits = {};
  limits.max_instructions = 1;
  CHECK(read(code.in(kNew), kNew, limits).error().code == Errc::kLimitExceeded);
  limits = {};
  limits.max_bytes = 10;
  CHECK(read(code.in(kNew), kNew, limits).error().code == Errc::kLimitExceeded);
}

TEST_CASE("constants are the same if type and value are equal") {
  const std::string one = "i" + le32(1);
  const CodeTree tree = read_constants({one,
                                        "T",
                                        binary_float(1),
                                        text("1"),
                                        bytes_object("1"),
                                        tuple({one}),
                                        ">" + le32(1) + one,  // 0-6
                                        binary_float(0.0),
                                        binary_float(-0.0),
                                        binary_float(NAN),
                                        binary_float(NAN),  // 7-10
                                        ">" + le32(2) + one + "N",
                                        ">" + le32(2) + "N" + one,
                                        tuple({one, "N"}),
                                        tuple({"N", one}),  // 11-14
                                        tuple({tuple({one}), "N"}),
                                        tuple({tuple({one, "N"})}),
                                        ":" + one + "NN",
                                        "i" + le32(-1),  // 15-18
                                        tuple({}),
                                        ">" + le32(0),
                                        text(""),
                                        bytes_object(""),
                                        tuple({text("a"), text("bc")}),  // 19-23
                                        tuple({text("ab"), text("c")})});
  const std::size_t n = tree.codes[tree.root()].consts.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      CAPTURE(i);
      CAPTURE(j);
      const bool expected =
          i == j || (i == 9 && j == 10) || (i == 10 && j == 9) || (i == 11 && j == 12) || (i == 12 && j == 11);
      CHECK(same(tree, i, j) == expected);
    }
  }
}
