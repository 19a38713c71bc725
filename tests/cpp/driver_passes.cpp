// SPDX-License-Identifier: MIT
// The table of passes: the order of its rows fits the dependencies that they declare.
#include <doctest/doctest.h>

#include <set>
#include <stdexcept>
#include <string>

#include "depyf/decompile.h"
#include "driver/passes.h"

using namespace depyf;

TEST_CASE("each pass runs after the passes that it needs") {
  std::set<std::string_view> seen;
  for (const auto& pass : driver::pass_table()) {
    for (const auto& need : pass.info.needs_before) {
      if (need.pass.empty()) continue;
      const std::string pair = std::string(pass.info.name) + " needs " + std::string(need.pass);
      CHECK_MESSAGE(seen.contains(need.pass), pair);
      CHECK_MESSAGE(!need.why.empty(), pair);
    }
    const std::string name(pass.info.name);
    CHECK_MESSAGE(seen.insert(pass.info.name).second, name);
    CHECK_FALSE(pass.info.sentence.empty());
  }
}

TEST_CASE("names of passes are checked") {
  const std::string good[] = {"structure", "finally-bodies"};
  CHECK(check_pass_names(good).ok());
  const std::string bad[] = {"structure", "nonsense"};
  const Status status = check_pass_names(bad);
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().what.find("'nonsense'") != std::string::npos);
}

namespace {

// Returns a module with two functions.
CodeTree two_functions() {
  CodeTree tree;
  tree.version = {3, 11};
  const auto none = tree.consts.add(ConstNone{});
  for (const char* name : {"<module>", "first", "second"}) {
    CodeObject object;
    object.name = object.qualname = name;
    object.stacksize = 1;
    object.consts = {none};
    if (tree.codes.size() == 0) {
      object.names = {"first", "second"};
      // LOAD_CONST; MAKE_FUNCTION; STORE_NAME for each of the two
      object.code = {100, 1, '\x84', 0, 90, 0, 100, 2, '\x84', 0, 90, 1};
    } else {
      object.parent = tree.root();
      object.flags = kCoOptimized;
    }
    object.code += {100, 0, 83, 0};  // LOAD_CONST None; RETURN_VALUE
    tree.codes.add(std::move(object));
  }
  for (std::uint32_t inner : {1U, 2U})
    tree.codes[tree.root()].consts.push_back(tree.consts.add(ConstCode{CodeId{inner}}));
  return tree;
}

}  // namespace

TEST_CASE("a defect never throws out of the library") {
  const CodeTree tree = two_functions();
  for (int throwing = 1, calls = throwing; calls >= throwing; ++throwing) {
    calls = 0;
    DecompileOptions options;
    options.interrupted = [&]() -> bool {
      if (++calls == throwing) throw std::logic_error("a defect");
      return false;
    };
    CHECK_NOTHROW(static_cast<void>(decompile(tree, options)));
  }
}

TEST_CASE("an internal error in one code object does not affect the others") {
  const CodeTree tree = two_functions();
  int calls = 0;
  DecompileOptions options;
  options.interrupted = [&]() -> bool {
    if (++calls == 1) throw std::logic_error("a defect");
    return false;
  };
  const auto out = decompile(tree, options);
  REQUIRE(out.ok());
  REQUIRE(out->failures.size() == 1);
  CHECK(out->failures[0].error.code == Errc::kInternal);
  CHECK(out->failures[0].error.what == "a defect");
  CHECK(out->text.find("SystemError") != std::string::npos);
}
