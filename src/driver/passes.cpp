// SPDX-License-Identifier: MIT
// THE table of passes, and the check of what a pass leaves.
#include "driver/passes.h"

#include <algorithm>
#include <string>

#include "cfg/dump.h"

namespace depyf::driver {

namespace {

using P = PassInfo::Prerequisite;
constexpr P kNothing{};

// clang-format off
constexpr std::array kPasses = {
    Pass{{"phantom-successors",
          "Keep what 3.8's END_FINALLY falls through to though nothing is raised, as a successor of its own",
          "END_FINALLY of compiler_try_finally (3.8)", {kNothing, kNothing}}},
    Pass{{"scalar-replacement",
          "Evaluate containers that never escape, as Dynamo's lists of values (escape analysis, scalar replacement)",
          "", {kNothing, kNothing}}},
    Pass{{"async-for", "Rewrite loops over asynchronous iterators as FOR_ITER loops",
          "codegen_async_for", {kNothing, kNothing}},
         [](CfgContext& c) { deopt::loop_over_async_iterators(c.cfg); }, nullptr,
         [](const Operations& has) { return has.any(Op::GET_ANEXT); }},
    Pass{{"except-star", "Rewrite the handlers of except* in the form of those of except",
          "codegen_try_star_except", {kNothing, kNothing}},
         [](CfgContext& c) { deopt::rewrite_group_handlers(c.cfg, c.unit.dialect); }, nullptr,
         [](const Operations& has) { return has.any(Op::CHECK_EG_MATCH, Op::PREP_RERAISE_STAR); }},
    Pass{{"jump-threading", "Protect a test that a jump was threaded through as the value that it tests",
          "jump_thread", {kNothing, kNothing}},
         [](CfgContext& c) {
           deopt::protect_threaded_tests(c.unit.code.codes[c.code], c.cfg, c.unit.dialect);
         }, nullptr,
         [](const Operations& has) { return has.any(Op::COPY); }},
    Pass{{"inlined-comprehensions", "Remove the clean-up handlers and guards of inlined comprehensions, any() and all()",
          "inline_comprehension, maybe_optimize_function_call", {P{"jump-threading",
          "that a threaded test has no handler shows only while the value has its clean-up handler"}, kNothing}},
         [](CfgContext& c) { deopt::undo_inlining(c.unit.code, c.code, c.cfg, c.unit.dialect); }},
    Pass{{"tail-duplication", "Merge the duplicates of code within an expression where its arms meet",
          "inline_small_or_no_lineno_blocks", {P{"jump-threading",
          "a threaded test has its value's handler only then"}, kNothing}},
         [](CfgContext& c) {
           c.returns = deopt::merge_duplicated_tails(c.unit.code, c.code, c.cfg, c.unit.dialect, c.unit.positions, c.facts);
         }},
    Pass{{"loop-tests", "Merge the duplicated tests of inverted loops",
          "codegen_while", {P{"tail-duplication",
          "both copies of a test must be whole expressions"}, kNothing}},
         [](CfgContext& c) { deopt::merge_loop_tests(c.cfg, c.unit.dialect, c.facts); }},
    Pass{{"finally-bodies", "Replace the duplicates of a finally body on its normal exits by a marker",
          "compiler_unwind_fblock", {P{"except-star",
          "duplicates are compared with a handler in its final form"}, P{"tail-duplication",
          "a duplicate must be as short as the handler's own body"}}},
         [](CfgContext& c) {
           if (deopt::collapse_finally_bodies(c.unit.code, c.code, c.cfg, c.unit.dialect)) c.facts.forget();
         }},
    Pass{{"match-patterns", "Replace the tests of each case of a match statement by one block with its pattern",
          "codegen_match_inner", {P{"finally-bodies",
          "a case that leaves a finally statement reads as one exit only then"}, kNothing}},
         [](CfgContext& c) {
           c.cases = structure::collapse_patterns(c.unit, c.code, c.cfg);
           if (!c.cases.empty()) c.facts.forget();
         }},
    Pass{{"range-exits", "Merge the duplicates of exits that leave a protected range or end a handler",
          "duplicate_exits_without_lineno", {P{"finally-bodies",
          "what leaves a finally statement is an exit of it only then"}, kNothing}},
         [](CfgContext& c) { deopt::merge_range_exits(c.unit.code, c.code, c.cfg, c.unit.dialect,
                                                        c.unit.positions, c.facts); }},
    Pass{{"fold-expressions", "Fold branches that only make a value into and, or, conditional and chained expressions",
          "codegen_boolop, codegen_ifexp, codegen_compare", {P{"tail-duplication",
          "a duplicated tail hides that both arms of a condition meet"}, kNothing}}, nullptr,
         [](LiftedContext& c) { return structure::fold_expressions(c.unit, c.lifter, c.graph); }},
    Pass{{"exit-blocks", "Merge exit blocks that were duplicated, where the merged form has a structure",
          "duplicate_exits_without_lineno", {P{"fold-expressions",
          "two exits are equal only as whole expressions"}, kNothing}}},
    Pass{{"structure", "Build statements by region; without it every function becomes a dispatch loop", "",
          {P{"fold-expressions", "conditions must be whole"}, kNothing}}},
    Pass{{"natural-order", "Retry what has no structured form in another block order, then with its values made anew", "",
          {P{"structure", "it is tried for what has no structured form"}, kNothing}}},
    Pass{{"bisimulation-quotient", "Retry with one copy of all positions of the graph that are bisimilar",
          "inline_small_or_no_lineno_blocks, duplicate_exits_without_lineno",
          {P{"natural-order", "it is a variant of that retry"}, kNothing}}},
    Pass{{"guard-clauses", "Write an arm that leaves the block as a guard clause instead of nesting what follows", "",
          {P{"structure", "it rewrites statements"}, kNothing}}},
    Pass{{"source-layout", "Lay out if statements, else arms and guard clauses as the columns of the source tell", "",
          {P{"guard-clauses", "it takes back those that the source has not"}, kNothing}}},
    Pass{{"readable-expressions", "Write % formats, negated tests, strings and tuples as the source may have had them",
          "optimize_format, codegen_jump_if", {P{"source-layout",
          "which arm a test leads to is settled then"}, kNothing}}},
    Pass{{"name-temporaries", "Name the variables of PyTorch's frames after the values that they hold", "",
          {P{"scalar-replacement", "its variables are what is named"},
           P{"source-layout", "names follow the final order of statements"}}}},
};
// clang-format on

}  // namespace

std::span<const Pass> pass_table() { return kPasses; }

}  // namespace depyf::driver

namespace depyf {

std::vector<PassInfo> passes() {
  std::vector<PassInfo> out;
  for (const auto& pass : driver::pass_table()) out.push_back(pass.info);
  return out;
}

Status check_pass_names(std::span<const std::string> names) {
  for (const auto& name : names) {
    const auto table = driver::pass_table();
    if (std::any_of(table.begin(), table.end(), [&](const auto& pass) { return pass.info.name == name; })) continue;
    std::string known;
    for (const auto& pass : table) known += (known.empty() ? "" : ", ") + std::string(pass.info.name);
    return Error{Errc::kMalformed, kNowhere, "no pass is named '" + name + "'; there are " + known};
  }
  return Unit{};
}

}  // namespace depyf
