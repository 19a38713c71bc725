// SPDX-License-Identifier: MIT
// Dumps code objects; see code_dump.h. The reader limits the nesting of constants, so show() may recurse.
#include "code_dump.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace depyf::cli {
namespace {

std::string hex_of(std::uint64_t value, unsigned digits) {
  std::string out;
  while (digits-- > 0) out += "0123456789abcdef"[(value >> (4 * digits)) & 0xFU];
  return out;
}

std::string hex_of_bytes(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) out += hex_of(static_cast<std::uint8_t>(c), 2);
  return out;
}

std::string quoted(std::string_view bytes) {
  std::string out = "\"";
  for (const char c : bytes) {
    if (c >= ' ' && c <= '~' && c != '"' && c != '\\') {
      out += c;
    } else {
      out += "\\x" + hex_of(static_cast<std::uint8_t>(c), 2);
    }
  }
  return out + "\"";
}

std::string show_int(const ConstInt& value) {
  std::string out = value.negative ? "int -0x" : "int 0x";
  if (value.digits.empty()) return out + "0";
  std::string hex;
  for (std::size_t i = value.digits.size(); i-- > 0;) hex += hex_of(value.digits[i], 8);
  return out + hex.substr(hex.find_first_not_of('0'));
}

std::string float_bits(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return hex_of(bits, 16);
}

std::string show(const CodeTree& tree, ConstId id);

std::string show_items(const CodeTree& tree, const std::vector<ConstId>& items, bool sorted) {
  std::vector<std::string> shown;
  for (const ConstId item : items) shown.push_back(show(tree, item));
  if (sorted) std::sort(shown.begin(), shown.end());
  std::string out;
  for (const std::string& item : shown) out += (out.empty() ? "" : ", ") + item;
  return out;
}

std::string show(const CodeTree& tree, ConstId id) {
  return match(
      tree.consts[id], [](const ConstNone&) -> std::string { return "None"; },
      [](const ConstEllipsis&) -> std::string { return "Ellipsis"; },
      [](const ConstBool& value) -> std::string { return value.value ? "True" : "False"; },
      [](const ConstInt& value) -> std::string { return show_int(value); },
      [](const ConstFloat& value) -> std::string { return "float " + float_bits(value.value); },
      [](const ConstComplex& value) -> std::string {
        return "complex " + float_bits(value.real) + " " + float_bits(value.imag);
      },
      [](const ConstStr& value) -> std::string { return "str " + quoted(value.text); },
      [](const ConstBytes& value) -> std::string { return "bytes " + quoted(value.data); },
      [&](const ConstTuple& value) -> std::string { return "tuple (" + show_items(tree, value.items, false) + ")"; },
      [&](const ConstFrozenSet& value) -> std::string {
        return "frozenset {" + show_items(tree, value.items, true) + "}";
      },
      [&](const ConstSlice& value) -> std::string {
        return "slice (" + show_items(tree, {value.start, value.stop, value.step}, false) + ")";
      },
      [](const ConstCode& value) -> std::string { return "code " + std::to_string(value.code.n); },
      [](const ConstOpaque& value) -> std::string { return "opaque " + quoted(value.display); });
}

std::string show_names(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += " " + quoted(item);
  return out;
}

std::string show_code(const CodeTree& tree, CodeId id) {
  const CodeObject& code = tree.codes[id];
  std::string out = "code " + std::to_string(id.n) + " " + quoted(code.name) + "\n";
  const auto line = [&](std::string_view field, const std::string& value) {
    out += "  " + std::string(field) + value + "\n";
  };
  line("parent", code.parent ? " " + std::to_string(code.parent.n) : " -");
  line("qualname ", quoted(code.qualname));
  line("filename ", quoted(code.filename));
  line("argcount ", std::to_string(code.argcount));
  line("posonlyargcount ", std::to_string(code.posonlyargcount));
  line("kwonlyargcount ", std::to_string(code.kwonlyargcount));
  line("stacksize ", std::to_string(code.stacksize));
  line("flags ", "0x" + hex_of(code.flags, 8));
  line("firstlineno ", std::to_string(code.firstlineno));
  line("code ", hex_of_bytes(code.code));
  line("names", show_names(code.names));
  line("varnames", show_names(code.varnames));
  line("cellvars", show_names(code.cellvars));
  line("freevars", show_names(code.freevars));
  line("linetable ", hex_of_bytes(code.linetable));
  line("exceptiontable ", hex_of_bytes(code.exceptiontable));
  for (std::size_t i = 0; i < code.consts.size(); ++i) {
    line("const ", std::to_string(i) + " " + show(tree, code.consts[i]));
  }
  return out;
}

}  // namespace

std::string dump_code(const CodeTree& tree) {
  std::string out = "version " + std::to_string(tree.version.major) + "." + std::to_string(tree.version.minor) + "\n";
  for (std::uint32_t c = 0; c < tree.codes.size(); ++c) out += show_code(tree, CodeId{c});
  return out;
}

}  // namespace depyf::cli
