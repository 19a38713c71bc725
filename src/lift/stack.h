// SPDX-License-Identifier: MIT
// The symbolic operand stack of the lifter.
//
// On entry to a block, a stack entry is either the variable of its stack slot (`__temp_s0` for depth 0, see Slots) or a
// value with a role: an iterator, a context manager, an exception, which keeps its kind across a block edge. `Entries`
// is the stack at a block boundary. It lists the values with roles only, in a persistent linked list whose tails are
// shared between blocks, so that a deep stack costs no more than a shallow one. `Stack` is the stack within a line.
// Invariant: an entry that the line has not touched stays in Entries; Stack owns the values that the line has pushed,
// and the entries that it has asked for by mutable reference.
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

// The kinds from kNull on have a role, i.e. keep their kind across a block edge; see has_role().
enum class ValueKind : std::uint8_t {
  kExpr,        // a pending expression: evaluated at this point, not yet used
  kFunction,    // a function object under construction; index a into PendingConstructs::functions
  kCell,        // a closure cell
  kClosure,     // a tuple of cells
  kModule,      // result of IMPORT_NAME; index a into PendingConstructs::imports
  kImportAttr,  // result of IMPORT_FROM on import a, attribute `name`
  kUnpack,      // item b of the unpacking PendingConstructs::groups[a], whose targets are not all known yet
  kExcMatch,    // result of matching the current exception against `expr`; a = 1: for except*
  kNull,        // the NULL that PUSH_NULL pushes below a callable
  kIter,        // iterator over `expr`, from GET_ITER or GET_AITER at offset b (0: from neither); a = 1: asynchronous
  kForItem,     // the item that FOR_ITER or GET_ANEXT pushed
  kWithExit,    // bound __exit__ (and, 3.14+, its self slot)
  kWithEnter,   // 3.14+: bound __enter__ of `expr`, not called yet
  kWithValue,   // the result of __enter__
  kExitResult,  // the result of __exit__
  kExc,         // any of the values that the interpreter pushes for an exception
  kBuildClass,
  kCleared,      // saved value of local `name` (LOAD_FAST_AND_CLEAR); b = 1: the local holds a new cell meanwhile
  kSubject,      // the subject of a match statement, kept for the next case
  kTypeParam,    // 3.12+: a type parameter; Lifter::params has it under key a
  kTypeParams,   // the tuple of all type parameters of a scope
  kGenericBase,  // Generic[...] of a class with type parameters
  kKnown,        // literal mode: entry a of the caller's stack; b = 1: it may not be moved or copied
};

struct Value {
  ValueKind kind = ValueKind::kExpr;
  ExprId expr{};
  std::uint32_t a = 0, b = 0;
  NameId name{};
  std::uint32_t seq = 0;  // sequence number of its evaluation: smaller ones were evaluated earlier
  bool deferred = false;  // takes effect here but is written where it is used: no statement may come between
};

// Returns whether a value keeps its kind across a block edge (an iterator, a context manager, an exception ...). An
// expression crosses an edge as the variable of its stack slot; no other value can cross one.
[[nodiscard]] inline bool has_role(const Value& v) { return v.kind >= ValueKind::kNull; }

struct Role {  // a list node: one stack entry with a role
  std::uint32_t depth = 0;
  std::uint32_t count = 0;  // length of the list from this node down
  Value value;
  const Role* below = nullptr;  // the next entry with a role towards the bottom of the stack
  const Role* skip = nullptr;   // a node further below, so that a search takes O(log n) steps
};

// Owns the variables of the stack slots of one code object and the list nodes of all its Entries. It must outlive them.
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
  std::size_t count_ = 0;  // of the nodes in roles_
};

class Entries {
 public:
  Entries() = default;
  explicit Entries(Slots& slots) : slots_(&slots) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] Value operator[](std::size_t depth) const;
  [[nodiscard]] Value back() const { return (*this)[size_ - 1]; }
  [[nodiscard]] const Role* roles() const { return roles_; }  // the list, from the top of the stack
  [[nodiscard]] std::size_t count(ValueKind kind) const;
  [[nodiscard]] bool has(ValueKind kind) const { return count(kind) != 0; }
  // Returns whether both have the same roles in the entries that exist in both.
  [[nodiscard]] bool agrees_with(const Entries& other) const;
  void push(const Value& v);
  void cut(std::size_t size);  // keeps the lowest `size` entries
  // Returns whether both are certainly equal: one list.
  friend bool operator==(const Entries&, const Entries&) = default;

 private:
  Slots* slots_ = nullptr;
  std::uint32_t size_ = 0;
  const Role* roles_ = nullptr;
};

// The stack within a line. Iteration visits only the values that the line has pushed or materialized.
class Stack {
 public:
  Stack() = default;
  Stack(const Entries& below)
      : below_(below) {}  // NOLINT(google-explicit-constructor): a line starts with the entries of its block

  void restart(const Entries& below) {
    below_ = below;
    own_.clear();
  }
  [[nodiscard]] std::size_t size() const { return below_.size() + own_.size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] const Entries& below() const { return below_; }
  [[nodiscard]] Entries entries() const;  // the stack as a successor block finds it
  [[nodiscard]] Value operator[](std::size_t depth) const {
    return depth < below_.size() ? below_[depth] : own_[depth - below_.size()];
  }
  [[nodiscard]] Value back() const { return (*this)[size() - 1]; }
  [[nodiscard]] bool has(ValueKind kind) const;
  // Returns whether `test` holds for some value of the stack. It is not called for variables of slots.
  template <class Test>
  [[nodiscard]] bool any_of(Test test) const {
    for (const Role* r = below_.roles(); r != nullptr; r = r->below)
      if (test(r->value)) return true;
    return std::any_of(own_.begin(), own_.end(), test);
  }

  // A mutable access materializes the entry, and all entries above it, as values of this line.
  Value& operator[](std::size_t depth) {
    if (depth < below_.size()) materialize(depth);
    return own_[depth - below_.size()];
  }
  Value& back() {
    if (own_.empty()) materialize(size() - 1);
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
  void materialize(std::size_t depth);

  Entries below_;
  SmallVector<Value, 2> own_;
};

}  // namespace depyf::lift
