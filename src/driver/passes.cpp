// SPDX-License-Identifier: MIT
// The table of passes.
#include "driver/passes.h"

#include <algorithm>
#include <string>

#include "cfg/analysis.h"
#include "cfg/dump.h"

namespace depyf::driver {

namespace {

using P = PassInfo::Prerequisite;
constexpr P kNothing{};

// clang-format off
constexpr std::array kPasses = {
    Pass{{"phantom-successors",
          "Keep the instruction after 3.8's END_FINALLY as a phantom successor where it always raises",
          "END_FINALLY of compiler_try_finally (3.8)", {kNothing, kNothing}}},
    Pass{{"scalar-replacement",
          "Evaluate containers that never escape, such as Dynamo's lists (escape analysis, scalar replacement)",
          "", {kNothing, kNothing}}},
    Pass{{"neutral-stack-code", "Remove stack operations of edited code that together leave the stack as it was",
          "", {kNothing, kNothing}},
         [](CfgContext& c) { drop_neutral_stack_code(c.cfg, NeutralCode::kOfNoCompiler); }, nullptr,
         [](const Operations& has) { return has.any(Op::SWAP, Op::BUILD_TUPLE); }},
    Pass{{"async-for", "Rewrite loops over asynchronous iterators as FOR_ITER loops",
          "codegen_async_for", {kNothing, kNothing}},
         [](CfgContext& c) { deopt::loop_over_async_iterators(c.cfg); }, nullptr,
         [](const Operations& has) { return has.any(Op::GET_ANEXT); }},
    Pass{{"except-star", "Rewrite the handlers of except* in the form of those of except",
          "codegen_try_star_except", {kNothing, kNothing}},
         [](CfgContext& c) { deopt::rewrite_group_handlers(c.cfg, c.unit.dialect); }, nullptr,
         [](const Operations& has) { return has.any(Op::CHECK_EG_MATCH, Op::PREP_RERAISE_STAR); }},
    Pass{{"jump-threading", "Restore the exception handler of the value in tests that a jump was threaded through",
          "jump_thread", {kNothing, kNothing}},
         [](CfgContext& c) {
           deopt::protect_threaded_tests(c.unit.code.codes[c.code], c.cfg, c.unit.dialect);
         }, nullptr,
         [](const Operations& has) { return has.any(Op::COPY); }},
    Pass{{"inlined-comprehensions", "Remove the clean-up handlers and guards of inlined comprehensions, any() and all()",
          "inline_comprehension, maybe_optimize_function_call", {P{"jump-threading",
          "a threaded test is found by its missing handler while its value has a clean-up handler"}, kNothing}},
         [](CfgContext& c) { deopt::undo_inlining(c.unit.code, c.code, c.cfg, c.unit.dialect); }},
    Pass{{"tail-duplication", "Merge the duplicates of code within an expression where its arms meet",
          "inline_small_or_no_lineno_blocks", {P{"jump-threading",
          "it gives a threaded test the handler of its value"}, kNothing}},
         [](CfgContext& c) {
           c.returns =
               deopt::merge_duplicated_tails(c.unit.code, c.code, c.cfg, c.unit.dialect, c.unit.positions, c.facts);
         }},
    Pass{{"loop-tests", "Merge the duplicated tests of inverted loops",
          "codegen_while", {P{"tail-duplication",
          "both copies of a test must be complete expressions"}, kNothing}},
         [](CfgContext& c) { deopt::merge_loop_tests(c.cfg, c.unit.dialect, c.facts); }},
    Pass{{"finally-bodies", "Replace the duplicates of a finally body on its normal exits by a marker",
          "compiler_unwind_fblock", {P{"except-star",
          "duplicates are compared with handlers in their final form"}, P{"tail-duplication",
          "a duplicate must be as short as the handler's own body"}}},
         [](CfgContext& c) {
           if (deopt::collapse_finally_bodies(c.unit.code, c.code, c.cfg, c.unit.dialect)) c.facts.forget();
         }},
    Pass{{"match-patterns", "Replace the tests of each case of a match statement by one block with its pattern",
          "codegen_match_inner", {P{"finally-bodies",
          "it reduces a case that leaves a finally statement to one exit"}, kNothing}},
         [](CfgContext& c) {
           c.cases = structure::collapse_patterns(c.unit, c.code, c.cfg);
           if (!c.cases.empty()) c.facts.forget();
         }},
    Pass{{"range-exits", "Merge the duplicates of exits that leave a protected range or end a handler",
          "duplicate_exits_without_lineno", {P{"finally-bodies",
          "it finds the exits of finally statements"}, kNothing}},
         [](CfgContext& c) { deopt::merge_range_exits(c.unit.code, c.code, c.cfg, c.unit.dialect,
                                                        c.unit.positions, c.facts); }},
    Pass{{"fold-expressions",
          "Fold branches that only compute a value into and, or, conditional or chained expressions",
          "codegen_boolop, codegen_ifexp, codegen_compare", {P{"tail-duplication",
          "a duplicated tail hides where the arms of a condition join"}, kNothing}}, nullptr,
         [](LiftedContext& c) { return structure::fold_expressions(c.unit, c.lifter, c.graph); }},
    Pass{{"exit-blocks", "Merge exit blocks that were duplicated, where the merged form has a structure",
          "duplicate_exits_without_lineno", {P{"fold-expressions",
          "exits are compared as complete expressions"}, kNothing}}},
    Pass{{"structure", "Build statements by region; without it every function becomes a dispatch loop", "",
          {P{"fold-expressions", "conditions must be complete expressions"}, kNothing}}},
    Pass{{"natural-order", "Retry code without a structured form in another block order, then with scalar replacement",
          "", {P{"structure", "it is for code that has no structured form"}, kNothing}}},
    Pass{{"bisimulation-quotient", "Retry with one copy of all positions of the graph that are bisimilar",
          "inline_small_or_no_lineno_blocks, duplicate_exits_without_lineno",
          {P{"natural-order", "it is a variant of that retry"}, kNothing}}},
    Pass{{"guard-clauses", "Write an arm that leaves the block as a guard clause instead of nesting what follows", "",
          {P{"structure", "it rewrites statements"}, kNothing}}},
    Pass{{"source-layout", "Choose between else arms and guard clauses by the columns of the line table", "",
          {P{"guard-clauses", "it removes guard clauses that the source does not have"}, kNothing}}},
    Pass{{"readable-expressions", "Restore the likely source form of % formats, negated tests, strings and tuples",
          "optimize_format, codegen_jump_if", {P{"source-layout",
          "it decides to which arm a test leads"}, kNothing}}},
    Pass{{"name-temporaries", "Name the variables of PyTorch's frames after the values that they hold", "",
          {P{"scalar-replacement", "the variables are made by it"},
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
