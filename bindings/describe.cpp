// SPDX-License-Identifier: MIT
// Describes a CodeTree: code objects in id order, constants in full where a code object refers to them; see describe.h.
//
// Invariant: the only ids are those of code objects. The items of a frozenset, which have no order, are sorted.
#include "describe.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace depyf::bind {
namespace {

std::string hex(const std::string& data) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (char c : data) {
    const auto u = static_cast<unsigned char>(c);
    out.push_back(kDigits[u >> 4]);
    out.push_back(kDigits[u & 15]);
  }
  return out;
}

std::string bits_of(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return std::to_string(bits);
}

std::string describe_constant(const CodeTree& tree, ConstId id);

// Recursion is at most Limits::max_depth deep, which every producer of a tree ensures.
std::string items_of(const CodeTree& tree, const char* what, const std::vector<ConstId>& items, bool ordered = true) {
  std::vector<std::string> texts;
  for (ConstId item : items) texts.push_back(describe_constant(tree, item));
  if (!ordered) std::sort(texts.begin(), texts.end());
  std::string out = std::string(" ") + what + "(";
  for (const std::string& text : texts) out += text;
  return out + ")";
}

std::string describe_constant(const CodeTree& tree, ConstId id) {
  return match(
      tree.consts[id], [](const ConstNone&) { return std::string(" None"); },
      [](const ConstEllipsis&) { return std::string(" ..."); },
      [](const ConstBool& c) { return std::string(c.value ? " True" : " False"); },
      [](const ConstInt& c) {
        std::string out = c.negative ? " -" : " ";
        for (std::uint32_t digit : c.digits) out += std::to_string(digit) + "_";
        return out + "i";
      },
      [](const ConstFloat& c) { return " float:" + bits_of(c.value); },
      [](const ConstComplex& c) { return " complex:" + bits_of(c.real) + ":" + bits_of(c.imag); },
      [](const ConstStr& c) { return " str:" + hex(c.text); },
      [](const ConstBytes& c) { return " bytes:" + hex(c.data); },
      [&](const ConstTuple& c) { return items_of(tree, "tuple", c.items); },
      [&](const ConstFrozenSet& c) { return items_of(tree, "frozenset", c.items, false); },
      [&](const ConstSlice& c) { return items_of(tree, "slice", {c.start, c.stop, c.step}); },
      [](const ConstCode& c) { return " code:" + std::to_string(c.code.n); },
      [](const ConstOpaque& c) {
        return " opaque:" + std::to_string(c.handle) + ":" + c.display + (c.is_expression ? ":expression" : "");
      });
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += " " + name;
  return out;
}

}  // namespace

std::string describe(const CodeTree& tree) {
  std::string out = "version " + std::to_string(tree.version.major) + "." + std::to_string(tree.version.minor) + "\n";
  for (std::uint32_t i = 0; i < tree.codes.size(); ++i) {
    const CodeObject& code = tree.codes[CodeId{i}];
    out +=
        "code " + std::to_string(i) + " in " + (code.parent.valid() ? std::to_string(code.parent.n) : "nothing") + "\n";
    out += " name " + code.name + " qualname " + code.qualname + " file " + code.filename + "\n counts";
    for (std::uint32_t n : {code.argcount, code.posonlyargcount, code.kwonlyargcount, code.stacksize, code.flags}) {
      out += " " + std::to_string(n);
    }
    out += " line " + std::to_string(code.firstlineno) + "\n code " + hex(code.code) + "\n names" + joined(code.names);
    out += "\n varnames" + joined(code.varnames) + "\n cellvars" + joined(code.cellvars) + "\n freevars" +
           joined(code.freevars) + "\n localsplus" + joined(code.localsplus) + "\n kinds";
    for (std::uint8_t kind : code.localspluskinds) out += " " + std::to_string(kind);
    out += "\n lines " + hex(code.linetable) + "\n exceptions " + hex(code.exceptiontable) + "\n consts";
    for (ConstId id : code.consts) out += describe_constant(tree, id);
    out += "\n";
  }
  return out;
}

}  // namespace depyf::bind
