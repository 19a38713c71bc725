// SPDX-License-Identifier: MIT
// One code object: the table of passes (driver/passes.cpp) over its graph, the forms that are tried in turn, and the
// dispatch loop for what has none.
#include <algorithm>
#include <iterator>
#include "ast/walk.h"
#include "cfg/analysis.h"
#include "cfg/cleared_cells.h"
#include "cfg/dump.h"
#include "cfg/lenient.h"
#include "deopt/deopt.h"
#include "driver/graph_text.h"
#include "driver/passes.h"
#include "driver/work.h"
#include "dynamo/names.h"
#include "dynamo/resume_arguments.h"
#include "dynamo/scalar_replacement/scalar_replacement.h"
#include "fallback/dispatch.h"
#include "finish/body.h"
#include "finish/epilogues.h"
#include "finish/nesting.h"
#include "idiom/guard_clauses.h"
#include "idiom/source_layout.h"
#include "idiom/temporaries.h"
#include "lift/annotations.h"
#include "print/print.h"
#include "structure/graph.h"
#include "support/small_vector.h"

namespace depyf::driver {

Status check_interrupted(const Work& w) {
  if (w.options.interrupted && w.options.interrupted()) return Error{Errc::kInterrupted, kNowhere, "interrupted"};
  return Unit{};
}

namespace {

// Whether the lines, with what they share written wherever it is used, are larger than the code object's text may be.
bool outgrown(Work& w, lift::Lifter& lifter, const structure::Graph& graph) {
  if (lifter.shared.copies.empty()) return false;
  std::uint64_t nodes = 0;
  for (const auto& node : graph.nodes) {
    if (!node.alive) continue;
    for (const auto& s : node.state.stmts)
      if (s.stmt.valid()) nodes += w.unit.sizes.of(w.ast, s.stmt);
    for (const auto& v : node.state.stack)
      if (v.kind == lift::ValueKind::kExpr) nodes += w.unit.sizes.of(w.ast, v.expr);
    if (nodes > w.unit.max_nodes) break;
  }
  if (nodes <= w.unit.max_nodes) return false;
  w.unit.refusal = "lift: values that are used several times";
  return lifter.outgrown = true;
}

// The graph that statements are read from; nothing if a line cannot be said, and `refusal` tells why.
std::optional<structure::Graph> lifted(Work& w, lift::Lifter& lifter, const Cfg& cfg, const driver::CfgContext& found) {
  auto graph = structure::build_graph(w.unit, lifter, cfg, found.cases, found.returns);
  if (!graph) {
    w.unit.refusal = "lift: " + graph.error().what;
    return std::nullopt;
  }
  if (outgrown(w, lifter, *graph)) return std::nullopt;
  driver::LiftedContext context{w.unit, lifter, *graph};
  for (const auto& pass : driver::pass_table()) {
    if (pass.on_lifted == nullptr || w.skips(pass.info.name)) continue;
    if (auto done = pass.on_lifted(context); !done) {
      w.unit.refusal = std::string(pass.info.name) + ": " + done.error().what;
      return std::nullopt;
    }
  }
  if (auto stored = structure::store_slots(w.unit, lifter, *graph); !stored) {
    w.unit.refusal = "slots: " + stored.error().what;
    return std::nullopt;
  }
  if (outgrown(w, lifter, *graph)) return std::nullopt;
  structure::thread_empty(*graph);
  if (auto checked = structure::check_lines(w.unit, *graph); !checked) {
    w.unit.refusal = "lift: " + checked.error().what;
    return std::nullopt;
  }
  return std::move(graph).value();
}

// Equal exits that the line table does not tell apart may be duplicates of one: as one where that has a form, since it
// says less. Where no compiler duplicates any, as they are comes first.
enum class Exits : std::uint8_t { kMerged, kMergedCleanups, kKept };

// What may be a form of a graph. Guard clauses that no jump tells are for what nests deeper than source may without them.
struct Form {
  Exits exits;
  structure::Guards guards;
};
SmallVector<Form, 6> forms(const Work& w) {
  SmallVector<Exits, 3> exits{Exits::kMerged, Exits::kMergedCleanups, Exits::kKept};
  if (w.skips("exit-blocks"))
    exits = {Exits::kKept};
  else if (!w.dialect.exits_duplicated)
    exits = {Exits::kKept, Exits::kMerged, Exits::kMergedCleanups};
  SmallVector<Form, 6> out;
  for (const auto guards : {structure::Guards::kOfJumps, structure::Guards::kEverywhere})
    for (const auto e : exits) out.push_back({e, guards});
  return out;
}

// What has no form in source as it is, is tried again: its blocks in another order and some of its code duplicated; then
// its values made anew, too; at last with loops that never come round.
enum class Retry : std::uint8_t { kFirstTry, kNaturalOrder, kNewValues, kLoops };

// Whether a pass left a graph that is one, in the developer's build and where it is asked for; else `broken` tells which.
bool is_valid(Work& w, const Cfg& cfg, std::string_view pass) {
#ifdef NDEBUG
  if (!w.options.validate_passes) return true;
#endif
  const auto valid = validate_rewritten(cfg, w.dialect);
  if (valid) return true;
  w.broken = valid.error();
  w.broken->what = "after " + std::string(pass) + ": " + w.broken->what;
  return false;
}

// Whether a block nests deeper than source may.
bool too_deep(const Work& w, CodeId code, const ast::Block& block) {
  const auto depth = finish::nesting(w.ast, w.dialect, block);
  std::uint32_t around = 0;  // levels that the functions and classes around it take
  for (CodeId p = w.tree.codes[code].parent; p.valid(); p = w.tree.codes[p].parent) ++around;
  const bool generator = (w.tree.codes[code].flags & (kCoGenerator | kCoCoroutine | kCoAsyncGenerator)) != 0;
  const std::uint32_t whole = generator && w.dialect.generator_is_block ? 1 : 0;
  return depth.indents + around > w.dialect.max_indents || depth.blocks + whole > w.dialect.max_static_blocks ||
         (w.checks_nesting && !print(w.tree, w.ast, block, w.dialect, PrintOptions{}));
}

std::optional<ast::Block> structured(Work& w, CodeId code, Cfg cfg, Retry retry) {
  std::optional<std::uint32_t> variables;  // of a graph whose values were made anew
  const bool reorders = retry == Retry::kNaturalOrder || retry == Retry::kNewValues;
  if (reorders) {
    cfg = in_natural_order(cfg);
    drop_unused_constants(cfg);
    if (!is_valid(w, cfg, "natural-order")) return std::nullopt;
  }
  // A person's containers are kept as they were written, wherever they can be.
  if (!w.skips("scalar-replacement") && (retry == Retry::kNewValues || dynamo::made_by_dynamo(w.tree.codes[code]))) {
    const auto containers = w.options.readable ? dynamo::Containers::kEvaluated : dynamo::Containers::kKept;
    if (auto evaluated = dynamo::replace_scalars(w.tree, code, w.dialect, cfg, containers)) {
      cfg = std::move(evaluated->cfg);
      variables = evaluated->variables;
      if (!is_valid(w, cfg, "scalar-replacement")) return std::nullopt;
    }
  }
  Operations operations;  // no pass adds one that a later pass looks for
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) operations.add(cfg.blocks[BlockId{b}].code);
  driver::CfgContext context{w.unit, code, cfg, {}, {}};
  for (const auto& pass : driver::pass_table()) {
    if (pass.on_cfg == nullptr || w.skips(pass.info.name) || (pass.applies && !pass.applies(operations))) continue;
    pass.on_cfg(context);
    if (!is_valid(w, cfg, pass.info.name)) return std::nullopt;
  }
  if (w.dumped == "deopt") w.graph_dump = dump(cfg);
  const auto duplication = reorders ? structure::TailDuplication::kAll : structure::TailDuplication::kShortExits;
  std::set<std::uint32_t> spill;
  bool spill_all = false;
  const auto temps = w.unit.temps;
  for (int attempt = 0; attempt < 4; ++attempt) {
    if (!check_interrupted(w)) return std::nullopt;
    std::optional<lift::Lifter> lifter;
    std::optional<ast::Block> block;
    w.unit.too_deep = false;
    for (const auto [exits, guards] : forms(w)) {
      if (guards == structure::Guards::kEverywhere && !w.unit.too_deep) break;
      w.unit.temps = temps;
      lifter.emplace(w.unit, code);
      lifter->spill = spill;
      lifter->spill_all = spill_all;
      lifter->is_evaluated = variables.has_value();
      lifter->add_variables(variables.value_or(0));
      auto graph = lifted(w, *lifter, cfg, context);
      if (!graph && (spill_all || !lifter->outgrown)) return std::nullopt;
      if (!graph) break;
      if (exits != Exits::kKept) structure::merge_exits(w.unit, *graph, exits == Exits::kMergedCleanups);
      if (w.dumped == "lift") w.graph_dump = graph_text(w.unit, *graph);
      block = structure::structure_statements(
          w.unit, *lifter, *graph, duplication,
          retry == Retry::kLoops ? structure::Loops::kAny : structure::Loops::kThatComeRound, guards);
      if (block && too_deep(w, code, *block)) {
        w.unit.refusal = "nested deeper than source may be";
        w.unit.too_deep = true;
        block.reset();
      }
      if (!block) continue;
      w.unit.refusal.clear();
      break;
    }
    if (lifter->outgrown) {
      spill_all = true;
      continue;
    }
    if (block && lifter->splits_display(*block)) {
      w.unit.refusal = "lift: a display that was built item by item";
      return std::nullopt;
    }
    const auto twice = lifter->violations(block);
    if (twice.empty()) return block;
    const auto before = spill.size();
    spill.insert(twice.begin(), twice.end());
    if (spill.size() == before) {
      w.unit.refusal = "lift: a shared value would be evaluated twice";
      return std::nullopt;
    }
  }
  return std::nullopt;
}

// The body without a dispatch loop, where it has such a form and the form says all; else `refusal` tells why not.
std::optional<ast::Block> body_of(Work& w, CodeId code, Cfg cfg, Retry retry) {
  w.unit.refusal.clear();
  auto block = structured(w, code, std::move(cfg), retry);
  const bool function = (w.tree.codes[code].flags & kCoOptimized) != 0;
  if (block && finish::is_eval_mode(w.unit, code, *block)) {
    w.mode = "eval";
    if (!finish::convert_to_expression(w.unit, code, *block)) {
      w.unit.refusal = "ends: a value that is no expression";
      block.reset();
    }
  } else if (block && !function && !finish::drop_returns(w.unit, code, *block)) {
    w.unit.refusal = "ends: a return outside a function";
    block.reset();
  }
  return block;
}

// Whether a code object is part of a statement or an expression of the one around it: a lambda, a comprehension, a scope
// of type parameters, what evaluates a bound, a default value or annotations. A dispatch loop makes a function of it,
// which has another qualified name, and so have those in it: it is left for what has no other form.
bool is_part_of_another(const Work& w, CodeId code) {
  const auto& co = w.tree.codes[code];
  if ((co.flags & kCoOptimized) == 0 || !co.parent.valid()) return false;
  if (co.name.starts_with('<') || lift::is_annotate(w.unit, code)) return true;
  constexpr std::string_view kScope = "<generic parameters of ";
  const std::string_view around = w.tree.codes[co.parent].name;
  return around.starts_with(kScope) && around != std::string(kScope) + co.name + ">";
}

std::size_t statements(const Work& w, const ast::Block& block) {
  std::size_t count = 0;
  ast::walk(w.ast, block, [&](ast::StmtId) { return ++count != 0; });
  return count;
}

// What a code object's text may hold, in nodes or instructions: a multiple of the code it is made from.
std::uint64_t most_text(const Work& w, CodeId code) { return 65536 + 16 * w.bytes_below[code.n]; }

// A code object that is made into a function in several places is written as often, with all it contains.
Status check_text_size(Work& w, CodeId code, const Bytecode& bytecode) {
  auto size = std::uint64_t{bytecode.code.size()};
  for (const auto& i : bytecode.code) {
    if (i.op != Op::LOAD_CONST || i.arg >= w.tree.codes[code].consts.size()) continue;
    const auto* inner = std::get_if<ConstCode>(&w.tree.consts[w.tree.codes[code].consts[i.arg]]);
    if (inner == nullptr) continue;
    size += w.text_size[inner->code.n];
    if (size > most_text(w, code))
      return Error{Errc::kLimitExceeded, i.offset, "code that is used several times makes the text too large"};
  }
  w.text_size[code.n] = size;
  return Unit{};
}

// The dispatch loop, of the first form of the graph that has one.
Result<ast::Block> dispatch_loop(Work& w, CodeId code, Cfg anew) {
  if (code == w.tree.root()) w.mode = "exec";  // it calls sys.displayhook() itself
  std::vector<Cfg> forms;
  if (!w.skips("structure") && !w.skips("natural-order")) {
    auto merged = deopt::bisimulation_quotient(anew, w.tree, code);
    forms.push_back(merged ? in_natural_order(*merged) : anew);
    drop_unused_constants(forms.back());
  }
  forms.push_back(std::move(anew));
  for (const Cfg& form : forms) {  // handlers that became one belong to no with statement alone
    auto loop = fallback::dispatch_loop_with_statements(w.unit, code, form);
    if (loop && *loop) return std::move(**loop);
    if (!loop && (loop.error().code != Errc::kInternal || &form == &forms.back())) return loop.error();
  }
  // Where equal operations became one, what a type alias is called may depend on the way there: so the other form, too.
  auto loop = fallback::dispatch_loop(w.unit, code, forms.front());
  if (loop || loop.error().code != Errc::kInternal || forms.size() == 1) return loop;
  return fallback::dispatch_loop(w.unit, code, forms.back());
}

// Whether the tuple that an instruction builds is one of constants: up to 3.9 the optimizer, which makes it one constant,
// leaves code alone of which one line has 255 bytes or more (PyCode_Optimize in Python/peephole.c).
bool builds_constant(const Bytecode& bytecode, const Instruction& build) {
  if (build.op != Op::BUILD_TUPLE || build.arg == 0) return false;
  const auto at = static_cast<std::size_t>(&build - bytecode.code.data());
  const auto is_constant = [](const Instruction& i) { return i.op == Op::LOAD_CONST; };
  if (build.arg > at) return false;
  const std::reverse_iterator last(&build);
  return std::all_of(last, last + build.arg, is_constant);
}

// Lines of the source tell in the code where the text must break. Where the operand of END_ASYNC_FOR is a distance in code
// units, it tells how many pairs of instructions became one, as those on one line do (make_super_instruction in
// Python/flowgraph.c).
void keep_lines(Work& w, CodeId code, const Bytecode& bytecode) {
  const auto tells = [&](const Instruction& i) {
    return (i.op == Op::END_ASYNC_FOR && i.arg != 0) || (w.dialect.leaves_long_lines && builds_constant(bytecode, i));
  };
  if (std::ranges::none_of(bytecode.code, tells)) return;
  auto& lines = w.lines[code];
  lines.assign(w.tree.codes[code].code.size() / 2, -1);
  for (const auto& i : bytecode.code)
    if (const auto* place = w.unit.positions.at(i.offset)) lines[i.offset / 2] = place->line;
}

// The text of a code object, in the layout that its line table tells or in one that says the same.
Status decompile_code(Work& w, CodeId code, bool lays_out) {
  DEPYF_CHECK(check_interrupted(w));
  w.broken.reset();
  DEPYF_TRY(bytecode, decode(w.tree, code, w.options.limits));
  w.unit.positions.begin(w.tree.version, w.tree.codes[code], bytecode.code);
  DEPYF_CHECK(check_text_size(w, code, bytecode));
  keep_lines(w, code, bytecode);
  w.unit.max_nodes = most_text(w, code);
  const auto graph = [&](PhantomSuccessors which = PhantomSuccessors::kDropped) -> Result<Cfg> {
    DEPYF_TRY(built, build_lenient_cfg(w.tree, code, bytecode, w.dialect, w.options.limits, which));
    load_cleared_cells(built, w.tree.codes[code], bytecode, w.dialect);
    return built;
  };
  DEPYF_TRY(cfg, graph(w.skips("phantom-successors") ? PhantomSuccessors::kDropped : PhantomSuccessors::kKept));
  auto accesses = finish::variable_accesses(cfg);
  w.unit.resume_arguments = dynamo::resume_arguments(w.tree, code, bytecode, w.dialect, w.options.limits);
  if (code == w.tree.root()) {
    const auto is_print = [](const Instruction& i) { return i.op == Op::PRINT_EXPR; };
    w.mode = std::ranges::any_of(bytecode.code, is_print) ? "single" : "exec";
  }
  const bool by_dynamo = dynamo::made_by_dynamo(w.tree.codes[code]) || dynamo::resumes_by_dynamo(w.tree.codes[code]);
  const auto body = [&w, code, temps = w.unit.temps](Cfg from, Retry retry) {
    w.unit.temps = temps;  // what another try has numbered is gone
    return body_of(w, code, std::move(from), retry);
  };
  std::optional<ast::Block> block;
  if (w.skips("structure")) {
    if (is_part_of_another(w, code)) block = body(std::move(cfg), Retry::kFirstTry);
  } else {
    block = body(std::move(cfg), Retry::kFirstTry);
    if (!block && w.dialect.call_finally) {
      DEPYF_TRY(reached, graph());
      accesses = finish::variable_accesses(reached);
      block = body(std::move(reached), Retry::kFirstTry);
    }
    if (!block && !w.skips("natural-order")) {
      DEPYF_TRY(anew, graph());  // few are tried again: less than to keep a copy of each
      auto merged = w.skips("bisimulation-quotient") ? std::nullopt : deopt::bisimulation_quotient(anew, w.tree, code);
      for (const auto retry : {Retry::kNaturalOrder, Retry::kNewValues}) {
        if (block) break;
        if (retry == Retry::kNaturalOrder && by_dynamo) continue;  // whose values are made anew at once
        block = body(anew, retry);
        if (!merged) continue;  // one copy of each is taken where it leaves much less to read
        const auto size = block ? statements(w, *block) : 0;
        auto once = body(*merged, retry);
        if (block && (!once || 3 * statements(w, *once) > 2 * size)) once = body(anew, retry);
        block = std::move(once);
      }
      if (!block) block = body(std::move(anew), Retry::kLoops);
    }
  }
  DEPYF_CHECK(check_interrupted(w));
  if (w.broken) return *w.broken;
  if (!block) {
    DEPYF_TRY(anew, graph());
    DEPYF_TRY(loop, dispatch_loop(w, code, std::move(anew)));
    block = std::move(loop);
  }
  finish::finish_body(w.unit, code, bytecode, accesses, std::move(*block));
  if (!w.skips("guard-clauses"))
    idiom::write_guard_clauses(w.ast, w.dialect, w.unit.bodies[code.n].block, w.tree.codes[code].flags);
  if (lays_out)
    idiom::follow_source_layout(w.tree, w.ast, w.dialect, w.unit.positions, code, w.unit.bodies[code.n].block);
  if (!w.skips("readable-expressions")) w.expressions.write(w.unit.bodies[code.n].block, code, w.unit.positions);
  if (w.options.readable && by_dynamo && !w.skips("name-temporaries"))
    idiom::name_temporaries(w.tree, w.ast, w.unit.bodies[code.n].block,
                            {w.options.temp_prefix, std::string(w.ast.text(w.unit.argument_name())),
                             dynamo::temporaries_of_dynamo(w.tree.codes[code])},
                            w.names());
  if (w.checks_text) DEPYF_CHECK(print(w.tree, w.ast, w.unit.bodies[code.n].block, w.dialect, PrintOptions{}));
  return Unit{};
}

}  // namespace

Status decompile_code(Work& w, CodeId code) {
  const bool lays_out = !w.skips("source-layout");
  DEPYF_CHECK(decompile_code(w, code, lays_out));
  // Lines may put all that follows a statement into its `else`, level by level.
  if (lays_out && too_deep(w, code, w.unit.bodies[code.n].block)) return decompile_code(w, code, false);
  return Unit{};
}

// Children before parents, siblings in code order.
std::vector<CodeId> bottom_up(const CodeTree& tree) {
  std::vector<CodeId> order;
  for (std::uint32_t i = static_cast<std::uint32_t>(tree.codes.size()); i-- > 0;) order.push_back(CodeId{i});
  std::vector<std::uint32_t> depth(tree.codes.size(), 0);
  // A resume function that its original holds has functions of it, too: the deepest place of each counts.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t i = 0; i < depth.size(); ++i)
      for (const ConstId constant : tree.codes[CodeId{i}].consts) {
        const auto* held = std::get_if<ConstCode>(&tree.consts[constant]);
        if (held == nullptr || depth[held->code.n] > depth[i] || depth[i] >= depth.size()) continue;
        depth[held->code.n] = depth[i] + 1;
        changed = true;
      }
  }
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return depth[a.n] > depth[b.n]; });
  return order;
}

// The class whose body encloses a code object, as name mangling sees it: leading underscores are dropped. A class's type
// parameters are mangled as what is inside it (symtable_visit_stmt in Python/symtable.c).
std::vector<std::string> mangling_classes(const CodeTree& tree) {
  std::vector<std::string> out(tree.codes.size());
  std::vector<CodeId> holds(tree.codes.size());  // of a scope of type parameters: its class
  for (std::uint32_t i = 0; i < out.size(); ++i) {
    const auto& c = tree.codes[CodeId{i}];
    if ((c.flags & kCoOptimized) == 0 && c.parent.valid() &&
        tree.codes[c.parent].name.starts_with("<generic parameters of "))
      holds[c.parent.n] = CodeId{i};
  }
  for (std::uint32_t i = 0; i < out.size(); ++i)
    for (CodeId p{i}; p.valid(); p = tree.codes[p].parent) {
      const auto& c = tree.codes[holds[p.n].valid() ? holds[p.n] : p];
      if ((c.flags & kCoOptimized) != 0 || !finish::is_class_body(c)) continue;
      auto name = c.name.substr(std::min(c.name.find_first_not_of('_'), c.name.size()));
      out[i] = name;
      break;
    }
  return out;
}

}  // namespace depyf::driver
