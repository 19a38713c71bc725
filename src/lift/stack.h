// SPDX-License-Identifier: MIT
// The symbolic operand stack.
//
// What a block finds there (Entries) are variables of slots but for a few values that keep what they are along an edge;
// only these are listed, in lists that share what lies below. So blocks that find many entries cost no more than others.
// Invariant: what a line does not touch stays Entries; what it pushes or takes up are values of its own (Stack).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <forward_list>
#include <string>

#include "ast/ast.h"
#include "support/small_vector.h"

namespace depyf::lift {

using ast::ExprId;
using ast::ExprIds;
using ast::NameId;

// Those from kNull on have a role: what they are is kept along an edge.
enum class ValueKind : std::uint8_t {
  kExpr,        // an expression not yet used
  kFunction,    // a function object under construction; index a into State::functions
  kCell,        // a closure cell
  kClosure,     // a tuple of cells
  kModule,      // result of IMPORT_NAME; index a into State::imports
  kImportAttr,  // result of IMPORT_FROM on import a, attribute `name`
  kUnpack,      // item b of open unpacking a
  kExcMatch,    // outcome of matching the current exception against `expr`
  kNull,        // the empty call slot
  kIter,  // iterator of the expression `expr` (made by GET_ITER / GET_AITER at offset b, 0: by nothing here; a = 1: async)
  kForItem,     // what FOR_ITER / GET_ANEXT delivered
  kWithExit,    // bound __exit__ (and, 3.14+, its self slot)
  kWithEnter,   // 3.14+: __enter__ of `expr`, to be called
  kWithValue,   // what __enter__ returned
  kExitResult,  // what __exit__ returned
  kExc,         // any of the values the interpreter pushes for an exception
  kBuildClass,
  kCleared,      // saved value of local `name` (LOAD_FAST_AND_CLEAR); b = 1: in its place lies a new cell
  kSubject,      // of a match statement, kept for the next case
  kTypeParam,    // 3.12+: a type parameter; key a in Lifter::params_
  kTypeParams,   // the tuple of all of them
  kGenericBase,  // Generic[...] of a class with type parameters
  kKnown,        // literal mode: entry a of the caller's; b = 1: it must stay where it lies
};

struct Value {
  ValueKind kind = ValueKind::kExpr;
  ExprId expr{};
  std::uint32_t a = 0, b = 0;
  NameId name{};
  std::uint32_t seq = 0;  // moment of evaluation
  bool late = false;      // evaluated here but written where it is used: no effect may come between
};

// Whether a value keeps what it is along an edge (an iterator, a context manager, an exception ...); an expression crosses
// as the variable of its stack slot, and nothing else can cross.
[[nodiscard]] inline bool has_role(const Value& v) { return v.kind >= ValueKind::kNull; }

struct Role {  // an entry that has one
  std::uint32_t depth = 0;
  std::uint32_t count = 0;  // of it and those below
  Value value;
  const Role* below = nullptr;
  const Role* far = nullptr;  // one further below: a search takes O(log n) steps
};

// The variables of the slots of one code object, and the roles of all its Entries, which it must outlive.
class Slots {
 public:
  Slots(ast::Tree& tree, const std::string& prefix, CodeId code) : tree_(tree), prefix_(prefix + "s"), code_(code) {}
  ExprId operator[](std::uint32_t depth);
  [[nodiscard]] bool is(ExprId e, std::uint32_t depth) const {
    return depth < variables_.size() && variables_[depth] == e;
  }
  const Role* add(std::uint32_t depth, const Value& value, const Role* below);

 private:
  ast::Tree& tree_;
  std::string prefix_;
  CodeId code_;
  ExprIds variables_;
  std::forward_list<std::array<Role, 8>> roles_;
  std::size_t count_ = 0;  // of them
};

class Entries {
 public:
  Entries() = default;
  explicit Entries(Slots& slots) : slots_(&slots) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] Value operator[](std::size_t depth) const;
  [[nodiscard]] Value back() const { return (*this)[size_ - 1]; }
  [[nodiscard]] const Role* roles() const { return roles_; }  // from the top
  [[nodiscard]] std::size_t count(ValueKind kind) const;
  [[nodiscard]] bool has(ValueKind kind) const { return count(kind) != 0; }
  [[nodiscard]] bool meets(const Entries& other) const;  // as far as both reach, their roles are the same
  void push(const Value& v);
  void cut(std::size_t size);  // to the lowest entries

 private:
  Slots* slots_ = nullptr;
  std::uint32_t size_ = 0;
  const Role* roles_ = nullptr;
};

// Iterating visits what the line has put there or taken up.
class Stack {
 public:
  Stack() = default;
  Stack(const Entries& below)
      : below_(below) {}  // NOLINT(google-explicit-constructor): a line begins with what it finds

  [[nodiscard]] std::size_t size() const { return below_.size() + own_.size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] const Entries& below() const { return below_; }
  [[nodiscard]] Entries entries() const;  // as another block finds them
  [[nodiscard]] Value operator[](std::size_t depth) const {
    return depth < below_.size() ? below_[depth] : own_[depth - below_.size()];
  }
  [[nodiscard]] Value back() const { return (*this)[size() - 1]; }
  [[nodiscard]] bool has(ValueKind kind) const;
  // Whether some value is so; the variables of slots are not asked.
  template <class Test>
  [[nodiscard]] bool any_of(Test test) const {
    for (const Role* r = below_.roles(); r != nullptr; r = r->below)
      if (test(r->value)) return true;
    return std::any_of(own_.begin(), own_.end(), test);
  }

  // What is asked for is taken up, with all above it.
  Value& operator[](std::size_t depth) {
    if (depth < below_.size()) take_up(depth);
    return own_[depth - below_.size()];
  }
  Value& back() {
    if (own_.empty()) take_up(size() - 1);
    return own_.back();
  }
  void push_back(const Value& v) { own_.push_back(v); }
  void pop_back() {
    if (own_.empty())
      below_.cut(below_.size() - 1);
    else
      own_.pop_back();
  }
  Value* begin() { return own_.begin(); }
  Value* end() { return own_.end(); }
  [[nodiscard]] const Value* begin() const { return own_.begin(); }
  [[nodiscard]] const Value* end() const { return own_.end(); }

 private:
  void take_up(std::size_t depth);

  Entries below_;
  SmallVector<Value, 6> own_;
};

}  // namespace depyf::lift
