// SPDX-License-Identifier: MIT
// Implementation of describe.h: code objects in id order, constants spelled in full where a code object refers to them.
//
// Invariant: ids do not appear, but those of code objects; a constant that nests is walked with an explicit stack.
#include "describe.h"

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

// One constant's own text; its items are pushed on `todo` behind the closing bracket.
struct Piece {
  ConstId id;        // invalid: `text` alone
  std::string text;
};

std::string open_items(const char* what, const std::vector<ConstId>& items, std::vector<Piece>& todo) {
  todo.push_back(Piece{ConstId{}, ")"});
  for (auto it = items.rbegin(); it != items.rend(); ++it) todo.push_back(Piece{*it, {}});
  return std::string(" ") + what + "(";
}

std::string spell(const Constant& constant, std::vector<Piece>& todo) {
  return match(
      constant, [](const ConstNone&) { return std::string(" None"); },
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
      [&](const ConstTuple& c) { return open_items("tuple", c.items, todo); },
      [&](const ConstFrozenSet& c) { return open_items("frozenset", c.items, todo); },
      [&](const ConstSlice& c) { return open_items("slice", {c.start, c.stop, c.step}, todo); },
      [](const ConstCode& c) { return " code:" + std::to_string(c.code.n); },
      [](const ConstOpaque& c) {
        return " opaque:" + std::to_string(c.handle) + ":" + c.display + (c.is_expression ? ":expression" : "");
      });
}

std::string describe_constant(const CodeTree& tree, ConstId root) {
  std::string out;
  std::vector<Piece> todo{Piece{root, {}}};
  while (!todo.empty()) {
    const Piece piece = std::move(todo.back());
    todo.pop_back();
    out += piece.id.valid() ? spell(tree.consts[piece.id], todo) : piece.text;
  }
  return out;
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
    out += "code " + std::to_string(i) + " in " + (code.parent.valid() ? std::to_string(code.parent.n) : "nothing") + "\n";
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
