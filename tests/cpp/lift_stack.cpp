// SPDX-License-Identifier: MIT
// The symbolic operand stack: entries that a straight line does not use are shared with its block's entry state;
// entries that it uses are copied to its own part of the stack.
#include <doctest/doctest.h>

#include "lift/stack.h"

using namespace depyf;
using lift::Entries;
using lift::Stack;
using lift::Value;
using lift::ValueKind;

namespace {

struct Fixture {
  ast::Tree tree;
  lift::Slots slots{tree, "__temp_", CodeId{0}};

  Entries entries(std::initializer_list<ValueKind> kinds) {
    Entries out(slots);
    for (const auto kind : kinds) out.push({.kind = kind});
    return out;
  }
};

}  // namespace

TEST_CASE("an entry without a role is the variable of its slot") {
  Fixture fixture;
  const auto e = fixture.entries({ValueKind::kExpr, ValueKind::kIter, ValueKind::kFunction, ValueKind::kExc});
  CHECK(e.size() == 4);
  CHECK(e[0].expr == fixture.slots[0]);
  CHECK(e[1].kind == ValueKind::kIter);
  CHECK(e[2].kind == ValueKind::kExpr);
  CHECK(fixture.slots.is(e[2].expr, 2));
  CHECK(e.back().kind == ValueKind::kExc);
  CHECK(e.count(ValueKind::kExpr) == 2);
  CHECK(e.has(ValueKind::kIter));
  CHECK_FALSE(e.has(ValueKind::kFunction));
}

TEST_CASE("entries agree if their roles are the same up to the smaller depth") {
  Fixture fixture;
  const auto a = fixture.entries({ValueKind::kIter, ValueKind::kExpr, ValueKind::kExc});
  auto b = fixture.entries({ValueKind::kIter, ValueKind::kExpr});
  CHECK(a.agrees_with(b));
  CHECK(b.agrees_with(a));
  b.push({.kind = ValueKind::kWithExit});
  CHECK_FALSE(a.agrees_with(b));
  b.cut(2);
  b.push({.kind = ValueKind::kExpr});
  CHECK_FALSE(a.agrees_with(b));
  CHECK(fixture.entries({}).agrees_with(a));
  auto other = fixture.entries({});
  other.push({.kind = ValueKind::kIter, .expr = fixture.slots[7]});  // another iterator
  CHECK_FALSE(other.agrees_with(a));
}

TEST_CASE("a straight line copies the entries that it changes and does not change those of its block") {
  Fixture fixture;
  const auto entry_state = fixture.entries({ValueKind::kExpr, ValueKind::kIter, ValueKind::kExpr});
  Stack stack = entry_state;
  CHECK(stack.begin() == stack.end());
  stack.push_back({.kind = ValueKind::kSubject});
  CHECK(stack.end() - stack.begin() == 1);
  stack[1].deferred = true;
  CHECK(stack.end() - stack.begin() == 3);
  CHECK(stack.below().size() == 1);
  CHECK(stack.any_of([](const Value& v) { return v.deferred; }));
  CHECK_FALSE(entry_state[1].deferred);
  CHECK(stack.entries().agrees_with(entry_state));
  for (int i = 0; i < 3; ++i) stack.pop_back();
  CHECK(stack.size() == 1);
  CHECK(stack.back().expr == fixture.slots[0]);
  stack.pop_back();
  CHECK(stack.empty());
  CHECK(entry_state.size() == 3);
}
