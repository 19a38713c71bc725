// SPDX-License-Identifier: MIT
// The pattern of a `case` as the tests read so far describe it, and the entries of the stack, each of which refers to a
// part of it.
//
// Invariant: the pattern that is built compiles to the tests that were read. Where a wildcard may be in several places,
// the bytecode is the same for all of them.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "structure/graph.h"

namespace depyf::structure {

struct Slot {  // an entry of the stack
  enum class Kind : std::uint8_t {
    kSubject,  // the subject of the statement, kept for the next case
    kNode,     // a value under test
    kExpr,     // an operand: constant or dotted name
    kLen,      // len(node)
    kFromEnd,  // len(node) - `number`
    kTest,     // outcome of a test
    kAttrs,    // the attributes of a class pattern
    kKeys,     // the keys of a mapping pattern
    kKey,
    kValues,  // the values of a mapping pattern
    kRest,    // the rest of a mapping
    kMerged,  // what each alternative of an or-pattern left here; `node` indexes PatternTree::merged_
  } kind = Kind::kNode;
  std::uint32_t node = kNone;
  std::uint32_t level = 0;  // 0 for the value itself, one more for each copy
  std::int64_t number = 0;
  ExprId expr{};
  bool has_copy = false;      // there is a copy above it; `as` binds this one
  bool is_inspected = false;  // a copy from which items are read
};

struct Subpattern {  // what is known of a value under test
  enum class Kind : std::uint8_t { kAny, kValue, kSingleton, kSequence, kMapping, kClass, kOr } kind = Kind::kAny;
  std::uint32_t copies = 0;  // number of copies that `as` needs
  ExprId expr{};
  std::vector<std::uint32_t> items;
  bool unpacked = false, has_len = false, at_least = false;
  std::int64_t len = 0;
  std::uint32_t star = kNone;
  std::vector<std::pair<std::int64_t, std::uint32_t>> picked;  // by index; negative: from the end
  ExprIds keys;
  ast::NameId rest{};
  std::uint32_t positional = 0;
  std::vector<ast::NameId> attributes;
  std::vector<std::pair<std::uint32_t, ast::NameId>> names;  // by level
};

class PatternTree {
 public:
  explicit PatternTree(lift::Unit& unit) : unit_(unit) {}

  void clear(ast::Origin origin);
  std::uint32_t add();  // adds a value of which nothing is known
  Subpattern& operator[](std::uint32_t id) { return nodes_[id]; }
  Slot merge(std::vector<Slot> each);  // merges what the alternatives of an or-pattern left in one entry
  [[nodiscard]] bool may_drop(const Slot& s) const;
  bool bind(const Slot& s, ast::NameId name);
  // Unpacks an entry into `count` items, lowest first. Item `star` takes the rest (kNone: there is none).
  bool unpack(Slot from, std::size_t count, std::size_t star, std::vector<Slot>& out);
  std::optional<ast::PatternId> build(std::uint32_t id, std::uint32_t depth = 0);
  [[nodiscard]] std::optional<std::int64_t> number(const Slot& s) const;
  [[nodiscard]] ExprIds tuple_items(ExprId e) const;
  ExprId none() { return unit_.ast.expr(ast::NoneLiteral{}, origin_); }

 private:
  std::optional<ast::PatternNode> build_node(std::uint32_t id, std::uint32_t depth);
  std::optional<ast::PatternNode> build_sequence(std::uint32_t id, std::uint32_t depth);
  [[nodiscard]] bool is_singleton(ExprId e) const;
  [[nodiscard]] bool is_value(ExprId e) const;
  [[nodiscard]] bool is_dotted_name(ExprId e) const;

  lift::Unit& unit_;
  std::vector<Subpattern> nodes_;
  std::vector<std::vector<Slot>> merged_;
  ast::Origin origin_;
};

}  // namespace depyf::structure
