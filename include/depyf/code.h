// SPDX-License-Identifier: MIT
// A plain model of a CPython code object of any version 3.8-3.15, and of its constants.
//
// Invariant: every id points into the CodeTree that contains it; codes[0] is the root. A code object's children are the
// code constants that its constants contain, at any depth; each child has exactly one parent. Text is UTF-8, with lone
// surrogates in their three-byte form (CPython's "surrogatepass"). The .pyc reader (src/pyc) and the live-object reader
// (bindings) make CodeTrees; nothing downstream knows which one did. Bytecode is not decoded here.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "depyf/ids.h"
#include "depyf/result.h"

namespace depyf {

// A CPython feature release, 3.8 to 3.15.
struct Version {
  std::uint8_t major = 3;
  std::uint8_t minor = 0;
  friend bool operator==(Version, Version) = default;
  friend auto operator<=>(Version, Version) = default;
};
inline constexpr Version kFirstVersion{3, 8};
inline constexpr Version kLastVersion{3, 15};

struct ConstTag;
using ConstId = Id<ConstTag>;
struct CodeTag;
using CodeId = Id<CodeTag>;

struct ConstNone {};
struct ConstEllipsis {};
struct ConstBool {
  bool value = false;
};
struct ConstInt {
  bool negative = false;
  std::vector<std::uint32_t> digits;  // magnitude, little endian, base 2**32, no leading zeros; empty is 0
};
struct ConstFloat {
  double value = 0;
};
struct ConstComplex {
  double real = 0;
  double imag = 0;
};
struct ConstStr {
  std::string text;
};
struct ConstBytes {
  std::string data;
};
struct ConstTuple {
  std::vector<ConstId> items;
};
struct ConstFrozenSet {
  std::vector<ConstId> items;
};
struct ConstSlice {  // 3.14+
  ConstId start, stop, step;
};
struct ConstCode {
  CodeId code;
};
// A live object that source cannot spell. `handle` is its index in the list of the producer; `display` is a readable
// name such as "torch.float32" or "tensor_0". If `is_expression`, evaluating `display` after importing its first dotted
// part gives the object. Containers that marshal can store but no compiler makes constants have their items here:
// source creates an equal container in each evaluation.
struct ConstOpaque {
  enum class Container : std::uint8_t { kNone, kList, kSet, kDict, kFrozenDict };

  std::uint32_t handle = 0;
  std::string display;
  bool is_expression = false;
  Container container = Container::kNone;
  ConstId items{};  // a tuple of the items; for a dict, keys and values alternate; invalid if this is no container
};

using Constant = std::variant<ConstNone, ConstEllipsis, ConstBool, ConstInt, ConstFloat, ConstComplex, ConstStr,
                              ConstBytes, ConstTuple, ConstFrozenSet, ConstSlice, ConstCode, ConstOpaque>;

// Calls `f` with a reference to each constant that `value` contains directly.
template <class AnyConstant, class F>
void for_each_item(AnyConstant& value, F f) {
  if (auto* tuple = std::get_if<ConstTuple>(&value)) {
    for (auto& item : tuple->items) f(item);
  } else if (auto* set = std::get_if<ConstFrozenSet>(&value)) {
    for (auto& item : set->items) f(item);
  } else if (auto* opaque = std::get_if<ConstOpaque>(&value)) {
    if (opaque->items.valid()) f(opaque->items);
  } else if (auto* slice = std::get_if<ConstSlice>(&value)) {
    f(slice->start);
    f(slice->stop);
    f(slice->step);
  }
}

// The bits of co_flags that depyf uses (Include/cpython/code.h).
enum CodeFlag : std::uint32_t {
  kCoOptimized = 0x1,
  kCoNewLocals = 0x2,
  kCoVarArgs = 0x4,
  kCoVarKeywords = 0x8,
  kCoNested = 0x10,
  kCoGenerator = 0x20,
  kCoNoFree = 0x40,
  kCoCoroutine = 0x80,
  kCoIterableCoroutine = 0x100,
  kCoAsyncGenerator = 0x200,
  kCoFutureFlags = 0x1FFE000,   // of `from __future__`; one bit higher since 3.9 (Include/cpython/code.h)
  kCoHasDocstring = 0x4000000,  // 3.14+
  kCoMethod = 0x8000000,        // 3.14+
};

struct CodeObject {
  std::string name;
  std::string qualname;  // 3.11+, else empty
  std::string filename;
  std::uint32_t argcount = 0;  // positional parameters, positional-only ones included
  std::uint32_t posonlyargcount = 0;
  std::uint32_t kwonlyargcount = 0;
  std::uint32_t stacksize = 0;
  std::uint32_t flags = 0;
  std::int32_t firstlineno = 0;
  std::string code;  // co_code: raw bytes with original opcodes, not specialized ones; caches may have any contents
  std::vector<ConstId> consts;
  std::vector<std::string> names;
  std::vector<std::string> varnames;  // locals that are not cells only; parameters first
  std::vector<std::string> cellvars;  // in CPython's co_cellvars order
  std::vector<std::string> freevars;
  // 3.11+: the "fast locals" array that LOAD_FAST, LOAD_DEREF and MAKE_CELL index; empty before 3.11.
  std::vector<std::string> localsplus;
  std::vector<std::uint8_t> localspluskinds;  // CO_FAST_LOCAL 0x20, CO_FAST_CELL 0x40, CO_FAST_FREE 0x80, HIDDEN 0x10
  std::string linetable;                      // co_lnotab (<= 3.9) or co_linetable (3.10+)
  std::string exceptiontable;                 // 3.11+
  CodeId parent;                              // the code object that has this one as a constant; invalid for the root
};

// Returns the number of parameters of all kinds. These are the first local variables.
[[nodiscard]] inline std::uint64_t parameter_count(const CodeObject& code) {
  return std::uint64_t{code.argcount} + code.kwonlyargcount + ((code.flags & kCoVarArgs) != 0 ? 1 : 0) +
         ((code.flags & kCoVarKeywords) != 0 ? 1 : 0);
}

// Returns the names of the variables that LOAD_FAST indexes.
[[nodiscard]] inline const std::vector<std::string>& local_names(const CodeObject& code) {
  return code.localsplus.empty() ? code.varnames : code.localsplus;
}

struct CodeTree {
  Version version;
  Arena<ConstTag, Constant> consts;
  Arena<CodeTag, CodeObject> codes;
  std::vector<std::string> hidden_builtins;  // names of builtins that the globals of live code rebind
  [[nodiscard]] CodeId root() const { return CodeId{0}; }
};

// Deep equality as CPython's compiler distinguishes constants: by type and value (0.0 and -0.0 differ, and 1, True and
// 1.0), with frozensets compared as sets. Code constants are equal if they have the same CodeId.
[[nodiscard]] bool same_constant(const CodeTree& a, ConstId x, const CodeTree& b, ConstId y);

// Returns the items of a frozenset in the order in which a text lists them: integers and strings by value, so that the
// text does not depend on hash values; other items in their stored order.
[[nodiscard]] std::vector<ConstId> listed(const CodeTree& tree, const ConstFrozenSet& set);

// Checks what all later stages rely on: ids in range, even sizes, argument counts within varnames, and so on.
[[nodiscard]] Status validate(const CodeTree& tree);

}  // namespace depyf
