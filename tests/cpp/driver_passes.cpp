// SPDX-License-Identifier: MIT
// The table of passes against what its rows declare.
#include <doctest/doctest.h>

#include <set>
#include <string>

#include "driver/passes.h"

using namespace depyf;

TEST_CASE("each pass runs after those that it needs") {
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
