// SPDX-License-Identifier: MIT
// Containers of src/support: their elements survive growing, copying and moving.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "support/boxed.h"
#include "support/lazy.h"
#include "support/small_vector.h"

using namespace depyf;

namespace {

using Numbers = SmallVector<int, 2>;

std::vector<int> items(const Numbers& v) { return {v.begin(), v.end()}; }

}  // namespace

TEST_CASE("a small vector grows, shrinks, and elements can be inserted anywhere") {
  Numbers v{1, 2};
  v.push_back(v.front());  // one of its own elements, while these move to the heap
  CHECK(items(v) == std::vector{1, 2, 1});
  v.insert(v.begin() + 1, v.back());
  CHECK(items(v) == std::vector{1, 1, 2, 1});
  const std::vector<int> more{7, 8, 9};
  v.insert(v.begin(), more.begin(), more.end());
  CHECK(items(v) == std::vector{7, 8, 9, 1, 1, 2, 1});
  v.erase(v.begin() + 1);
  v.pop_back();
  CHECK(items(v) == std::vector{7, 9, 1, 1, 2});
  CHECK(std::vector<int>(v.rbegin(), v.rend()) == std::vector{2, 1, 1, 9, 7});
  v.resize(1);
  v.resize(3);
  CHECK(items(v) == std::vector{7, 0, 0});
  v.clear();
  CHECK(v.empty());
  CHECK(items(Numbers(std::size_t{3})) == std::vector{0, 0, 0});
}

TEST_CASE("a small vector is copied and moved with its elements, inside it or on the heap") {
  for (const auto& list : {std::vector<int>{}, std::vector{1}, std::vector{1, 2}, std::vector{1, 2, 3, 4, 5}}) {
    Numbers v(list.begin(), list.end());
    Numbers copy = v;
    copy.push_back(6);
    CHECK(items(v) == list);
    Numbers moved = std::move(v);
    CHECK(items(moved) == list);
    for (const auto& before : {std::vector{9}, std::vector{9, 8, 7}}) {
      Numbers other(before.begin(), before.end());
      other = moved;
      CHECK(items(other) == list);
      Numbers target(before.begin(), before.end());
      target = std::move(other);
      CHECK(items(target) == list);
      other.push_back(3);  // a moved-from vector can be used again
      CHECK(items(other) == std::vector{3});
    }
    const Numbers& same = moved;
    moved = same;
    CHECK(items(moved) == list);
  }
}

TEST_CASE("a copy of a boxed value is independent") {
  Boxed<std::string> a(std::string("a"));
  Boxed<std::string> b = a;
  *b += "b";
  CHECK(*a == "a");
  a = b;
  b->clear();
  CHECK(*a == "ab");
  CHECK(Boxed<std::string>()->empty());
}

TEST_CASE("a lazy value reads as empty until it is written, and its copies are independent") {
  using Names = std::vector<std::string>;
  Lazy<Names> names;
  CHECK(std::as_const(names)->empty());
  const Lazy<Names> unwritten = names;
  names->push_back("a");
  CHECK(unwritten->empty());
  Lazy<Names> copy = names;
  copy->push_back("b");
  CHECK(*std::as_const(names).operator->() == Names{"a"});
  names = copy;
  copy.reset();
  CHECK(std::as_const(copy)->empty());
  CHECK(std::as_const(names)->size() == 2);
}
