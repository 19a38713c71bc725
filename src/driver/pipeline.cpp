// SPDX-License-Identifier: MIT
// Decompiles one code object: runs the table of passes (driver/passes.cpp) on its graph, tries several forms of the
// graph in turn until one can be structured, and otherwise writes a dispatch loop.
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

// Returns whether the statements, with shared values repeated at each use, exceed the limit on the code object's text.
// Then sets `refusal` and tells the lifter.
bool exceeds_text_limit(Work& w, lift::Lifter& lifter, const structure::Graph& graph) {
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

// Lifts the graph and runs the passes on lifted graphs. Returns nullopt, with the reason in `refusal`, if that fails.
std::optional<structure::Graph> lift_graph(Work& w, lift::Lifter& lifter, const Cfg& cfg,
                                           const driver::CfgContext& facts) {
  auto graph = structure::build_graph(w.unit, lifter, cfg, facts.cases, facts.returns);
  if (!graph) {
    w.unit.refusal = "lift: " + graph.error().what;
    return std::nullopt;
  }
  if (exceeds_text_limit(w, lifter, *graph)) return std::nullopt;
  driver::LiftedContext context{w.unit, lifter, *graph};
  for (const auto& pass : driver::pass_table()) {
    if (pass.on_lifted == nullptr || w.skips(pass.info.name)) continue;
    if (auto status = pass.on_lifted(context); !status) {
      w.unit.refusal = std::string(pass.info.name) + ": " + status.error().what;
      return std::nullopt;
    }
  }
  if (auto stored = structure::store_slots(w.unit, lifter, *graph); !stored) {
    w.unit.refusal = "slots: " + stored.error().what;
    return std::nullopt;
  }
  if (exceeds_text_limit(w, lifter, *graph)) return std::nullopt;
  structure::thread_empty(*graph);
  if (auto checked = structure::check_lines(w.unit, *graph); !checked) {
    w.unit.refusal = "lift: " + checked.error().what;
    return std::nullopt;
  }
  return std::move(graph).value();
}

// A form of the graph to try. Equal exits without line numbers may be duplicates of one exit, so the merged form is
// tried first: it is shorter. For compilers that duplicate no exits, the unmerged form is tried first. Guard clauses
// that no jump indicates are only for code that nests too deep otherwise.
struct Form {
  structure::Exits exits;
  structure::Guards guards;
};
SmallVector<Form, 8> forms_to_try(const Work& w) {
  using structure::Exits;
  SmallVector<Exits, 4> exits{Exits::kMerged, Exits::kMergedCleanups, Exits::kMergedRaises, Exits::kKept};
  if (w.skips("exit-blocks"))
    exits = {Exits::kKept};
  else if (!w.dialect.exits_duplicated)
    exits = {Exits::kKept, Exits::kMerged, Exits::kMergedCleanups, Exits::kMergedRaises};
  SmallVector<Form, 8> out;
  for (const auto e : exits)
    for (const auto guards : {structure::Guards::kOfJumps, structure::Guards::kEverywhere}) out.push_back({e, guards});
  return out;
}

// What to do with a graph that has no structured form: reorder blocks and duplicate tails; also run scalar replacement
// on code that is not Dynamo's; finally allow loops without a back edge.
enum class Retry : std::uint8_t { kFirstTry, kNaturalOrder, kNewValues, kLoops };

// Checks the graph after a pass, in developer builds or with validate_passes. Sets w.broken if it is not valid.
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

// Returns whether the block nests deeper than CPython allows in source.
bool nests_too_deep(const Work& w, CodeId code, const ast::Block& block) {
  const auto depth = finish::nesting(w.ast, w.dialect, block);
  std::uint32_t levels = 0;  // of the enclosing functions and classes
  for (CodeId p = w.tree.codes[code].parent; p.valid(); p = w.tree.codes[p].parent) ++levels;
  const bool is_generator = (w.tree.codes[code].flags & (kCoGenerator | kCoCoroutine | kCoAsyncGenerator)) != 0;
  const std::uint32_t own_blocks = is_generator && w.dialect.generator_is_block ? 1 : 0;
  return depth.indents + levels > w.dialect.max_indents || depth.blocks + own_blocks > w.dialect.max_static_blocks ||
         (w.checks_nesting && !print(w.tree, w.ast, block, w.dialect, PrintOptions{}));
}

bool reorders(Retry retry) { return retry == Retry::kNaturalOrder || retry == Retry::kNewValues; }

// Reorders the blocks and evaluates containers, if this attempt is to. Sets the number of variables that scalar
// replacement added, if it ran. Returns false if the graph is broken.
bool prepare_graph(Work& w, CodeId code, Cfg& cfg, Retry retry, std::optional<std::uint32_t>& variables) {
  if (reorders(retry)) {
    cfg = in_natural_order(cfg);
    drop_neutral_stack_code(cfg, NeutralCode::kAll);
    if (!is_valid(w, cfg, "natural-order")) return false;
  }
  // Containers in code that a person wrote are kept as they are, unless all else fails.
  if (w.skips("scalar-replacement") || (retry != Retry::kNewValues && !dynamo::made_by_dynamo(w.tree.codes[code])))
    return true;
  const auto containers = w.options.readable ? dynamo::Containers::kEvaluated : dynamo::Containers::kKept;
  auto evaluated = dynamo::replace_scalars(w.tree, code, w.dialect, cfg, containers);
  if (!evaluated) return true;
  cfg = std::move(evaluated->cfg);
  variables = evaluated->variables;
  return is_valid(w, cfg, "scalar-replacement");
}

// Runs the passes on the graph. Returns false if it is broken.
bool run_graph_passes(Work& w, driver::CfgContext& context) {
  Operations operations;  // no pass adds an operation that a later pass looks for
  for (std::uint32_t b = 0; b < context.cfg.blocks.size(); ++b) operations.add(context.cfg.blocks[BlockId{b}].code);
  for (const auto& pass : driver::pass_table()) {
    if (pass.on_cfg == nullptr || w.skips(pass.info.name) || (pass.applies && !pass.applies(operations))) continue;
    pass.on_cfg(context);
    if (!is_valid(w, context.cfg, pass.info.name)) return false;
  }
  return true;
}

// Returns the statements of a lifted graph in the given form, or nullopt with the reason in `refusal`.
std::optional<ast::Block> structure_form(Work& w, CodeId code, lift::Lifter& lifter, structure::Graph& graph,
                                         const Form& form, Retry retry) {
  structure::merge_exits(w.unit, graph, form.exits);
  if (w.dumped_stage == "lift") w.graph_dump = graph_text(w.unit, graph);
  const auto duplication = reorders(retry) ? structure::TailDuplication::kAll : structure::TailDuplication::kShortExits;
  const auto loops = retry == Retry::kLoops ? structure::Loops::kAny : structure::Loops::kWithBackEdge;
  auto block = structure::structure_statements(w.unit, lifter, graph, duplication, loops, form.guards);
  if (block && nests_too_deep(w, code, *block)) {
    w.unit.refusal = "nested deeper than source may be";
    w.unit.too_deep = true;
    block.reset();
  }
  return block;
}

// Returns the structured statements, or nullopt with the reason in `refusal`. If a form of the graph would evaluate a
// shared value twice, the next attempt spills it to a variable; if shared values make the text too large, all are
// spilled.
std::optional<ast::Block> structure_code(Work& w, CodeId code, Cfg cfg, Retry retry) {
  std::optional<std::uint32_t> variables;
  if (!prepare_graph(w, code, cfg, retry, variables)) return std::nullopt;
  driver::CfgContext context{w.unit, code, cfg, {}, {}};
  if (!run_graph_passes(w, context)) return std::nullopt;
  if (w.dumped_stage == "deopt") w.graph_dump = dump(cfg);
  std::set<std::uint32_t> spill;
  bool spill_all = false;
  const auto temps = w.unit.temps;
  for (int attempt = 0; attempt < 4; ++attempt) {
    if (!check_interrupted(w)) return std::nullopt;
    std::optional<lift::Lifter> lifter;
    std::optional<ast::Block> block;
    for (const auto& form : forms_to_try(w)) {
      if (form.guards == structure::Guards::kEverywhere && !w.unit.too_deep) continue;
      w.unit.too_deep = false;
      w.unit.temps = temps;
      lifter.emplace(w.unit, code);
      lifter->spill = spill;
      lifter->spill_all = spill_all;
      lifter->is_evaluated = variables.has_value();
      lifter->add_variables(variables.value_or(0));
      auto graph = lift_graph(w, *lifter, cfg, context);
      if (!graph && !lifter->outgrown) return std::nullopt;
      if (!graph) break;
      block = structure_form(w, code, *lifter, *graph, form, retry);
      if (block) break;
    }
    if (lifter->outgrown) {
      if (spill_all) return std::nullopt;
      spill_all = true;
      continue;
    }
    if (block) w.unit.refusal.clear();
    if (block && lifter->splits_display(*block)) {
      w.unit.refusal = "lift: a display that was built item by item";
      return std::nullopt;
    }
    const auto evaluated_twice = lifter->violations(block);
    if (evaluated_twice.empty()) return block;
    const auto before = spill.size();
    spill.insert(evaluated_twice.begin(), evaluated_twice.end());
    if (spill.size() == before) {
      w.unit.refusal = "lift: a shared value would be evaluated twice";
      return std::nullopt;
    }
  }
  return std::nullopt;
}

// Returns the body without a dispatch loop, or nullopt with the reason in `refusal`.
std::optional<ast::Block> build_body(Work& w, CodeId code, Cfg cfg, Retry retry) {
  w.unit.refusal.clear();
  auto block = structure_code(w, code, std::move(cfg), retry);
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

// Returns whether the code object is part of a statement or expression of its parent: a lambda, a comprehension, a
// scope of type parameters, an evaluator of a bound, default or annotation. A dispatch loop turns it into a function,
// which changes its qualified name and those of its children, so that is the last resort.
bool is_part_of_another(const Work& w, CodeId code) {
  const auto& co = w.tree.codes[code];
  if ((co.flags & kCoOptimized) == 0 || !co.parent.valid()) return false;
  if (co.name.starts_with('<') || lift::is_annotate(w.unit, code)) return true;
  constexpr std::string_view kScope = "<generic parameters of ";
  const std::string_view parent_name = w.tree.codes[co.parent].name;
  return parent_name.starts_with(kScope) && parent_name != std::string(kScope) + co.name + ">";
}

std::size_t count_statements(const Work& w, const ast::Block& block) {
  std::size_t count = 0;
  ast::walk(w.ast, block, [&](ast::StmtId) { return ++count != 0; });
  return count;
}

// Returns the limit on the text of a code object, in nodes or instructions: proportional to the code it is made from.
std::uint64_t max_text_size(const Work& w, CodeId code) { return 65536 + 16 * w.code_bytes[code.n]; }

// Fails if the text gets too large: the code object of several MAKE_FUNCTIONs is printed several times.
Status check_text_size(Work& w, CodeId code, const Bytecode& bytecode) {
  auto size = std::uint64_t{bytecode.code.size()};
  for (const auto& i : bytecode.code) {
    if (i.op != Op::LOAD_CONST || i.arg >= w.tree.codes[code].consts.size()) continue;
    const auto* inner = std::get_if<ConstCode>(&w.tree.consts[w.tree.codes[code].consts[i.arg]]);
    if (inner == nullptr) continue;
    size += w.text_size[inner->code.n];
    if (size > max_text_size(w, code))
      return Error{Errc::kLimitExceeded, i.offset, "code that is used several times makes the text too large"};
  }
  w.text_size[code.n] = size;
  return Unit{};
}

// Returns the dispatch loop of the first form of the graph that has one.
Result<ast::Block> dispatch_loop(Work& w, CodeId code, Cfg rebuilt) {
  if (code == w.tree.root()) w.mode = "exec";  // the dispatch loop calls sys.displayhook() itself
  std::vector<Cfg> forms;
  if (!w.skips("structure") && !w.skips("natural-order")) {
    auto merged = deopt::bisimulation_quotient(rebuilt, w.tree, code, deopt::Merged::kStatements);
    forms.push_back(merged ? in_natural_order(*merged) : rebuilt);
    drop_neutral_stack_code(forms.back(), NeutralCode::kAll);
  }
  forms.push_back(std::move(rebuilt));
  for (const Cfg& form : forms) {  // merged handlers may belong to several with statements
    auto loop = fallback::dispatch_loop_with_statements(w.unit, code, form);
    if (loop && *loop) return std::move(**loop);
    if (!loop && (loop.error().code != Errc::kInternal || &form == &forms.back())) return loop.error();
  }
  // If equal operations were merged, a type alias's name may depend on the path, so the unmerged form is tried too.
  auto loop = fallback::dispatch_loop(w.unit, code, forms.front());
  if (loop || loop.error().code != Errc::kInternal || forms.size() == 1) return loop;
  return fallback::dispatch_loop(w.unit, code, forms.back());
}

// Returns whether BUILD_TUPLE builds a tuple of constants. Up to 3.9 the optimizer folds such a tuple, except in code
// with a line of 255 bytes or more (PyCode_Optimize in Python/peephole.c).
bool builds_constant(const Bytecode& bytecode, const Instruction& build) {
  if (build.op != Op::BUILD_TUPLE || build.arg == 0) return false;
  const auto at = static_cast<std::size_t>(&build - bytecode.code.data());
  const auto is_constant = [](const Instruction& i) { return i.op == Op::LOAD_CONST; };
  if (build.arg > at) return false;
  const std::reverse_iterator last(&build);
  return std::all_of(last, last + build.arg, is_constant);
}

// Keeps the source lines of code that depends on line breaks. END_ASYNC_FOR's operand can be a distance in code units,
// which depends on how many pairs of instructions on the same line were combined (make_super_instruction in
// Python/flowgraph.c).
void keep_lines(Work& w, CodeId code, const Bytecode& bytecode) {
  const auto needs_lines = [&](const Instruction& i) {
    return (i.op == Op::END_ASYNC_FOR && i.arg != 0) || (w.dialect.leaves_long_lines && builds_constant(bytecode, i));
  };
  if (std::ranges::none_of(bytecode.code, needs_lines)) return;
  auto& lines = w.lines[code];
  lines.assign(w.tree.codes[code].code.size() / 2, -1);
  for (const auto& i : bytecode.code)
    if (const auto* position = w.unit.positions.at(i.offset)) lines[i.offset / 2] = position->line;
}

// The code object being decompiled. Its graph is built again for each attempt instead of copied: retries are rare.
struct Source {
  Work& w;
  CodeId code;
  const Bytecode& bytecode;
  bool by_dynamo;
  std::uint32_t temps;  // the numbers of a failed attempt are free again

  [[nodiscard]] Result<Cfg> graph(PhantomSuccessors which = PhantomSuccessors::kDropped) const {
    DEPYF_TRY(built, build_lenient_cfg(w.tree, code, bytecode, w.dialect, w.options.limits, which));
    load_cleared_cells(built, w.tree.codes[code], bytecode, w.dialect);
    return built;
  }
  [[nodiscard]] std::optional<ast::Block> body(Cfg cfg, Retry retry) const {
    w.unit.temps = temps;
    return build_body(w, code, std::move(cfg), retry);
  }
};

// Returns the body from a graph whose blocks are reordered, and merged where they do the same; at last with loops that
// have no back edge. nullopt with the reason in `refusal` if all of these fail.
Result<std::optional<ast::Block>> retry_body(const Source& source) {
  Work& w = source.w;
  DEPYF_TRY(rebuilt, source.graph());
  std::vector<Cfg> merged;
  for (const auto which : {deopt::Merged::kStatements, deopt::Merged::kPositions}) {
    if (w.skips("bisimulation-quotient")) break;
    if (auto graph = deopt::bisimulation_quotient(rebuilt, w.tree, source.code, which))
      merged.push_back(std::move(*graph));
  }
  std::optional<ast::Block> block;
  for (const auto retry : {Retry::kNaturalOrder, Retry::kNewValues}) {
    if (block) break;
    if (retry == Retry::kNaturalOrder && source.by_dynamo) continue;  // was part of the first attempt
    block = source.body(rebuilt, retry);
    for (const Cfg& graph : merged) {  // the first is used if its text is much shorter, the second if there is no text
      if (block && &graph != &merged.front()) continue;
      const auto size = block ? count_statements(w, *block) : 0;
      auto from_merged = source.body(graph, retry);
      if (block && (!from_merged || 3 * count_statements(w, *from_merged) > 2 * size))
        from_merged = source.body(rebuilt, retry);
      block = std::move(from_merged);
    }
  }
  if (!block) block = source.body(std::move(rebuilt), Retry::kLoops);
  return block;
}

// Returns the body, as a dispatch loop if nothing else succeeds. Sets how the code accesses its variables.
Result<ast::Block> decompile_body(const Source& source, finish::VariableAccesses& accesses) {
  Work& w = source.w;
  DEPYF_TRY(cfg, source.graph(w.skips("phantom-successors") ? PhantomSuccessors::kDropped : PhantomSuccessors::kKept));
  accesses = finish::variable_accesses(cfg);
  std::optional<ast::Block> block;
  const bool skipped = w.skips("structure") && !is_part_of_another(w, source.code);
  if (!skipped) block = source.body(std::move(cfg), Retry::kFirstTry);
  if (!block && w.dialect.call_finally && !w.skips("structure")) {
    DEPYF_TRY(reached, source.graph());
    accesses = finish::variable_accesses(reached);
    block = source.body(std::move(reached), Retry::kFirstTry);
  }
  if (!block && !w.skips("structure") && !w.skips("natural-order")) {
    DEPYF_TRY(retried, retry_body(source));
    block = std::move(retried);
  }
  DEPYF_CHECK(check_interrupted(w));
  if (w.broken) return *w.broken;
  if (block) return std::move(*block);
  DEPYF_TRY(rebuilt, source.graph());
  return dispatch_loop(w, source.code, std::move(rebuilt));
}

// Gives the statements the layout that the line table indicates if `lays_out`, and expressions and names their form.
void lay_out(Work& w, CodeId code, bool lays_out, bool by_dynamo) {
  auto& block = w.unit.bodies[code.n].block;
  if (lays_out && !w.skips("guard-clauses"))
    idiom::write_guard_clauses(w.ast, w.dialect, block, w.tree.codes[code].flags);
  if (lays_out && !w.skips("source-layout"))
    idiom::follow_source_layout(w.tree, w.ast, w.dialect, w.unit.positions, code, block);
  if (!w.skips("readable-expressions")) w.expressions.write(block, code, w.unit.positions);
  if (w.options.readable && by_dynamo && !w.skips("name-temporaries"))
    idiom::name_temporaries(w.tree, w.ast, block,
                            {w.options.temp_prefix, std::string(w.ast.text(w.unit.argument_name())),
                             dynamo::temporaries_of_dynamo(w.tree.codes[code])},
                            w.names());
}

// Decompiles the code object, with guard clauses and the layout that its line table indicates if `lays_out`.
Status decompile_code(Work& w, CodeId code, bool lays_out) {
  DEPYF_CHECK(check_interrupted(w));
  w.broken.reset();
  DEPYF_TRY(bytecode, decode(w.tree, code, w.options.limits));
  w.unit.positions.begin(w.tree.version, w.tree.codes[code], bytecode.code);
  DEPYF_CHECK(check_text_size(w, code, bytecode));
  keep_lines(w, code, bytecode);
  w.unit.max_nodes = max_text_size(w, code);
  w.unit.resume_arguments = dynamo::resume_arguments(w.tree, code, bytecode, w.dialect, w.options.limits);
  if (code == w.tree.root()) {
    const auto is_print = [](const Instruction& i) { return i.op == Op::PRINT_EXPR; };
    w.mode = std::ranges::any_of(bytecode.code, is_print) ? "single" : "exec";
  }
  const bool by_dynamo = dynamo::made_by_dynamo(w.tree.codes[code]) || dynamo::resumes_by_dynamo(w.tree.codes[code]);
  finish::VariableAccesses accesses;
  DEPYF_TRY(block, decompile_body({w, code, bytecode, by_dynamo, w.unit.temps}, accesses));
  finish::finish_body(w.unit, code, bytecode, accesses, std::move(block));
  lay_out(w, code, lays_out, by_dynamo);
  if (w.checks_text) DEPYF_CHECK(print(w.tree, w.ast, w.unit.bodies[code.n].block, w.dialect, PrintOptions{}));
  return Unit{};
}

}  // namespace

Status decompile_code(Work& w, CodeId code) {
  DEPYF_CHECK(decompile_code(w, code, true));
  // Both may nest the rest of the block in an `else` at each level, which can get too deep.
  if (nests_too_deep(w, code, w.unit.bodies[code.n].block)) return decompile_code(w, code, false);
  return Unit{};
}

// Returns the code objects, children before parents, siblings in code order.
std::vector<CodeId> bottom_up(const CodeTree& tree) {
  std::vector<CodeId> order;
  for (std::uint32_t i = static_cast<std::uint32_t>(tree.codes.size()); i-- > 0;) order.push_back(CodeId{i});
  std::vector<std::uint32_t> depth(tree.codes.size(), 0);
  // A resume function that its original contains can contain functions of the original, so the greatest depth counts.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t i = 0; i < depth.size(); ++i)
      for (const ConstId constant : tree.codes[CodeId{i}].consts) {
        const auto* child = std::get_if<ConstCode>(&tree.consts[constant]);
        if (child == nullptr || depth[child->code.n] > depth[i] || depth[i] >= depth.size()) continue;
        depth[child->code.n] = depth[i] + 1;
        changed = true;
      }
  }
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return depth[a.n] > depth[b.n]; });
  return order;
}

// Returns, by CodeId, the class whose body encloses the code object, as name mangling sees it: without leading
// underscores. The type parameters of a class are mangled like its body (symtable_visit_stmt in Python/symtable.c).
std::vector<std::string> mangling_classes(const CodeTree& tree) {
  std::vector<std::string> out(tree.codes.size());
  std::vector<CodeId> class_of_scope(tree.codes.size());  // by CodeId of a scope of type parameters: its class
  for (std::uint32_t i = 0; i < out.size(); ++i) {
    const auto& c = tree.codes[CodeId{i}];
    if ((c.flags & kCoOptimized) == 0 && c.parent.valid() &&
        tree.codes[c.parent].name.starts_with("<generic parameters of "))
      class_of_scope[c.parent.n] = CodeId{i};
  }
  for (std::uint32_t i = 0; i < out.size(); ++i)
    for (CodeId p{i}; p.valid(); p = tree.codes[p].parent) {
      const auto& c = tree.codes[class_of_scope[p.n].valid() ? class_of_scope[p.n] : p];
      if ((c.flags & kCoOptimized) != 0 || !finish::is_class_body(c)) continue;
      auto name = c.name.substr(std::min(c.name.find_first_not_of('_'), c.name.size()));
      out[i] = name;
      break;
    }
  return out;
}

}  // namespace depyf::driver
