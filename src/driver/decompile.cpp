// SPDX-License-Identifier: MIT
// The pipeline: runs the table of passes (driver/passes.cpp) over each code object, and retries what has no structured
// form.
//
// Nested code objects are finished before the code object that holds them. A code object whose flow has no structured
// form goes through the dispatch loop instead.
#include <algorithm>
#include <functional>
#include <unordered_map>

#include "ast/walk.h"
#include "bytecode/dialect.h"
#include "cfg/analysis.h"
#include "cfg/dump.h"
#include "cfg/handed.h"
#include "cfg/meant.h"
#include "depyf/decompile.h"
#include "driver/context.h"
#include "driver/graph_text.h"
#include "driver/passes.h"
#include "idiom/early_ways_out.h"
#include "idiom/odd_names.h"
#include "idiom/temporaries.h"
#include "lift/annotations.h"
#include "lift/fresh/fresh.h"
#include "print/print.h"
#include "structure/body.h"
#include "structure/dispatch.h"
#include "structure/ends.h"
#include "structure/graph.h"
#include "structure/nesting.h"
#include "support/unicode.h"
#include "verify/compare.h"

namespace depyf {

namespace {

constexpr std::string_view kAround = "__outer__";  // a function that stands around code taken alone

struct Work {
  const CodeTree& tree;
  DecompileOptions options;
  Dialect dialect;
  ast::Tree ast;
  lift::Unit unit;
  bool prints_values = false;   // mode "single"
  bool checks_nesting = false;  // whether what has been written can be printed, of each code object
  bool checks_text = false;     // whether it can be printed at all; names that source cannot say are spelt later
  bool dump_graph = false;      // what structuring starts from goes to `graph_dump`
  std::string graph_dump;
  std::optional<Error> broken;  // what a pass left that no graph may be
  std::string surrounded;       // the text as the recompiler needs it; empty: as it is
  std::string root_name;        // of a root that is a function: what the compiler calls it in the text
  std::set<std::string> in_use;
  std::vector<Failure> failures;
  std::vector<std::uint64_t> bytes_below;  // by CodeId: of code, its own and that of what it holds
  std::vector<std::uint64_t>
      text_size;  // by CodeId: instructions that its text says, repeated as often as it repeats them

  Work(const CodeTree& t, const DecompileOptions& o)
      : tree(t), options(o), dialect(dialect_of(t.version)), unit{t, dialect, ast, options, {}, {}, 0, {}, {}, {}} {
    while (taken(options.temp_prefix)) options.temp_prefix.insert(0, "_");
    std::size_t bytes =
        0;  // an expression takes about eight of them, caches counted; a statement takes several times that
    bytes_below.resize(tree.codes.size());
    text_size.resize(tree.codes.size());
    for (std::uint32_t i = 0; i < tree.codes.size(); ++i) {
      const auto own = tree.codes[CodeId{i}].code.size();
      bytes += own;
      for (CodeId p{i}; p.valid(); p = tree.codes[p].parent) bytes_below[p.n] += own;
    }
    ast.exprs.reserve(bytes / 8);
    ast.stmts.reserve(bytes / 32);
  }

  // Our variables must not meet the program's: no name of any code object may start like them.
  [[nodiscard]] bool taken(std::string_view prefix) const {
    for (std::uint32_t i = 0; i < tree.codes.size(); ++i) {
      const auto& c = tree.codes[CodeId{i}];
      for (const auto* names : {&c.names, &c.varnames, &c.cellvars, &c.freevars})
        for (const auto& n : *names)
          if (n.starts_with(prefix)) return true;
    }
    return false;
  }

  // Names in use, by the program or already given to variables of ours; built when first asked for.
  std::set<std::string>& names() {
    for (std::uint32_t i = 0; in_use.empty() && i < tree.codes.size(); ++i) {
      const auto& c = tree.codes[CodeId{i}];
      for (const auto* list : {&c.names, &c.varnames, &c.cellvars, &c.freevars})
        in_use.insert(list->begin(), list->end());
    }
    in_use.insert(options.code_names.begin(), options.code_names.end());
    for (std::uint32_t i = 0; i < tree.consts.size(); ++i)
      if (const auto* o = std::get_if<ConstOpaque>(&tree.consts[ConstId{i}]))
        in_use.insert(o->display.substr(0, o->display.find('.')));
    return in_use;
  }

  [[nodiscard]] bool skips(std::string_view pass) const {
    return std::find(options.skip.begin(), options.skip.end(), pass) != options.skip.end();
  }
};

Status check_interrupted(const Work& w) {
  if (w.options.interrupted && w.options.interrupted()) return Error{Errc::kInterrupted, kNowhere, "interrupted"};
  return Unit{};
}

// Whether the lines, with what they share written wherever it is used, are larger than the code object's text may be.
bool outgrown(Work& w, lift::Lifter& lifter, const structure::Graph& graph) {
  if (!lifter.shares()) return false;
  std::uint64_t nodes = 0;
  for (const auto& node : graph.nodes) {
    if (!node.alive) continue;
    for (const auto& s : node.state.stmts)
      if (s.stmt.valid()) nodes += w.unit.sizes.of(w.ast, s.stmt);
    for (const auto& v : node.state.stack)
      if (v.kind == lift::ValueKind::kExpr) nodes += w.unit.sizes.of(w.ast, v.expr);
    if (nodes > w.unit.most_nodes) break;
  }
  if (nodes <= w.unit.most_nodes) return false;
  w.unit.gave_up = "lift: values that are used several times";
  return lifter.outgrown = true;
}

// The graph that statements are read from; nothing if a line cannot be said, and `gave_up` tells why.
std::optional<structure::Graph> lifted(Work& w, lift::Lifter& lifter, const Cfg& cfg,
                                       const structure::CasePatterns& cases, const structure::ThreadedTests& threaded) {
  auto graph = structure::build_graph(w.unit, lifter, cfg, cases, threaded);
  if (!graph) {
    w.unit.gave_up = "lift: " + graph.error().what;
    return std::nullopt;
  }
  if (outgrown(w, lifter, *graph)) return std::nullopt;
  driver::LiftedContext context{w.unit, lifter, *graph};
  for (const auto& pass : driver::pass_table()) {
    if (pass.on_lifted == nullptr || w.skips(pass.info.name)) continue;
    if (auto done = pass.on_lifted(context); !done) {
      w.unit.gave_up = std::string(pass.info.name) + ": " + done.error().what;
      return std::nullopt;
    }
  }
  if (auto stored = structure::store_slots(w.unit, lifter, *graph); !stored) {
    w.unit.gave_up = "slots: " + stored.error().what;
    return std::nullopt;
  }
  if (outgrown(w, lifter, *graph)) return std::nullopt;
  structure::thread_empty(*graph);
  if (auto checked = structure::check_lines(w.unit, *graph); !checked) {
    w.unit.gave_up = "lift: " + checked.error().what;
    return std::nullopt;
  }
  return std::move(graph).value();
}

// Equal exits may be copies of one or may be several: as one where that has a form, since it says less. 3.8 copies
// nothing.
enum class Exits : std::uint8_t { kMerged, kMergedWays, kKept };
std::vector<Exits> forms_of_exits(const Work& w) {
  if (w.skips("exit-blocks")) return {Exits::kKept};
  if (w.dialect.call_finally) return {Exits::kKept, Exits::kMerged, Exits::kMergedWays};
  return {Exits::kMerged, Exits::kMergedWays, Exits::kKept};
}

// What has no form in source as it stands is tried again: its blocks in another order, its values made anew, some of its
// code written several times.
enum class Effort : bool { kAsItStands, kAny };

std::optional<ast::Block> structured(Work& w, CodeId code, Cfg cfg, Effort effort) {
  std::optional<std::uint32_t> variables;  // of a graph whose values were made anew
  if (effort == Effort::kAny) {
    cfg = in_natural_order(cfg);
    structure::undo_shuffles(cfg);
  }
  // A person's containers stand as they were written, wherever they can.
  if (!w.skips("scalar-replacement") && (effort == Effort::kAny || lift::made_by_dynamo(w.tree.codes[code]))) {
    const auto containers = w.options.readable ? lift::Containers::kEvaluated : lift::Containers::kKept;
    if (auto evaluated = lift::evaluate_fresh(w.unit, code, cfg, containers)) {
      cfg = std::move(evaluated->cfg);
      variables = evaluated->variables;
    }
  }
  driver::CfgContext context{w.unit, code, cfg, {}, {}};
  for (const auto& pass : driver::pass_table()) {
    if (pass.on_cfg == nullptr || w.skips(pass.info.name)) continue;
    pass.on_cfg(context);
    if (!w.options.validate_passes) continue;
    if (auto valid = validate_rewritten(cfg, w.dialect); !valid) {
      w.broken = valid.error();
      w.broken->what = "after " + std::string(pass.info.name) + ": " + w.broken->what;
      return std::nullopt;
    }
  }
  const auto copies = effort == Effort::kAny ? structure::Copies::kAll : structure::Copies::kShortExits;
  std::set<std::uint32_t> spill;
  bool spill_all = false;
  for (int attempt = 0; attempt < 4; ++attempt) {
    if (!check_interrupted(w)) return std::nullopt;
    std::optional<lift::Lifter> lifter;
    std::optional<ast::Block> block;
    const auto temps = w.unit.temps;
    for (const auto exits : forms_of_exits(w)) {
      w.unit.temps = temps;
      lifter.emplace(w.unit, code);
      lifter->spill = spill;
      lifter->spill_all = spill_all;
      lifter->made_anew = variables.has_value();
      lifter->add_variables(variables.value_or(0));
      auto graph = lifted(w, *lifter, cfg, context.cases, context.threaded);
      if (!graph && (spill_all || !lifter->outgrown)) return std::nullopt;
      if (!graph) break;
      if (exits != Exits::kKept) structure::merge_exits(w.unit, *lifter, *graph, exits == Exits::kMergedWays);
      if (w.dump_graph) w.graph_dump = graph_text(w.unit, *graph);
      block = structure::structure_statements(w.unit, *lifter, *graph, copies);
      if (!block) continue;
      w.unit.gave_up.clear();
      break;
    }
    if (lifter->outgrown) {
      spill_all = true;
      continue;
    }
    if (lifter->splits_display()) {
      w.unit.gave_up = "lift: a display that was built item by item";
      return std::nullopt;
    }
    const auto twice = lifter->violations(block);
    if (twice.empty()) return block;
    const auto before = spill.size();
    spill.insert(twice.begin(), twice.end());
    if (spill.size() == before) {
      w.unit.gave_up = "lift: a shared value would be evaluated twice";
      return std::nullopt;
    }
  }
  return std::nullopt;
}

// Whether a function stands in the text without all that belongs to it.
bool incomplete(const Work& w, const ast::Block& block) {
  if (w.unit.incomplete_exprs.empty() && w.unit.incomplete_stmts.empty()) return false;
  bool found = false;
  ast::Visitor visitor;
  visitor.expr = [&](ast::ExprId e) { return !(found = found || w.unit.incomplete_exprs.contains(e.n)); };
  visitor.stmt = [&](ast::StmtId s) { return !(found = found || w.unit.incomplete_stmts.contains(s.n)); };
  ast::walk(w.ast, block, visitor);
  return found;
}

// What a comprehension's function adds to stands for nothing where it has not become an expression.
bool adds_to_nothing(const Work& w, CodeId code) {
  const auto& name = w.tree.codes[code].name;
  return w.unit.gave_up.empty() && !w.unit.bodies[code.n].comprehension &&
         (name == "<listcomp>" || name == "<setcomp>" || name == "<dictcomp>");
}

// Whether a block nests deeper than source may.
bool too_deep(const Work& w, CodeId code, const ast::Block& block) {
  const auto depth = structure::nesting(w.ast, w.dialect, block);
  std::uint32_t around = 0;  // levels that the functions and classes around it take
  for (CodeId p = w.tree.codes[code].parent; p.valid(); p = w.tree.codes[p].parent) ++around;
  const bool generator = (w.tree.codes[code].flags & (kCoGenerator | kCoCoroutine | kCoAsyncGenerator)) != 0;
  const std::uint32_t whole = generator && w.dialect.generator_is_block ? 1 : 0;
  return depth.indents + around > w.dialect.max_indents || depth.blocks + whole > w.dialect.max_static_blocks ||
         (w.checks_nesting && !print(w.tree, w.ast, block, w.dialect, PrintOptions{}));
}

// The body without a dispatch loop, where it has such a form and the form says all; else `gave_up` tells why not.
std::optional<ast::Block> body_of(Work& w, CodeId code, Cfg cfg, Effort effort) {
  w.unit.gave_up.clear();
  w.unit.incomplete_exprs.clear();
  w.unit.incomplete_stmts.clear();
  auto block = structured(w, code, std::move(cfg), effort);
  if (block && incomplete(w, *block)) {
    w.unit.gave_up = "lift: attributes of a function that are not spelt out";
    block.reset();
  }
  if (block && too_deep(w, code, *block)) {
    w.unit.gave_up = "nested deeper than source may be";
    block.reset();
  }
  const bool function = (w.tree.codes[code].flags & kCoOptimized) != 0;
  if (block && structure::gives_value(w.unit, code, *block)) {
    if (!structure::become_value(w.unit, code, *block)) {
      w.unit.gave_up = "ends: a value that is no expression";
      block.reset();
    }
  } else if (block && !function && !structure::leave_at_ends(w.unit, code, *block)) {
    w.unit.gave_up = "ends: a return outside a function";
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
  ast::Visitor visitor;
  visitor.expr = [](ast::ExprId) { return false; };
  visitor.stmt = [&](ast::StmtId) { return ++count != 0; };
  ast::walk(w.ast, block, visitor);
  return count;
}

// What a code object's text may hold, in nodes or instructions: a multiple of the code it is made from.
std::uint64_t most_text(const Work& w, CodeId code) { return 65536 + 16 * w.bytes_below[code.n]; }

// A code object that is made into a function in several places stands in the text as often, with all it holds.
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

Status decompile_code(Work& w, CodeId code) {
  DEPYF_CHECK(check_interrupted(w));
  w.broken.reset();
  DEPYF_TRY(bytecode, decode(w.tree, code, w.options.limits));
  DEPYF_CHECK(check_text_size(w, code, bytecode));
  w.unit.most_nodes = most_text(w, code);
  const auto graph = [&](Behind which = Behind::kReached) {
    return build_cfg_as_meant(w.tree, code, bytecode, w.dialect, w.options.limits, which);
  };
  DEPYF_TRY(cfg, graph(w.skips("phantom-successors") ? Behind::kReached : Behind::kKept));
  auto accesses = structure::variable_accesses(cfg);
  w.unit.handed = handed_over(w.tree, code, bytecode, w.dialect, w.options.limits);
  for (const auto& i : bytecode.code) w.prints_values = w.prints_values || i.op == Op::PRINT_EXPR;
  std::optional<ast::Block> block;
  if (w.skips("structure")) {
    if (is_part_of_another(w, code)) block = body_of(w, code, std::move(cfg), Effort::kAsItStands);
  } else {
    block = body_of(w, code, std::move(cfg), Effort::kAsItStands);
    if (!block && w.dialect.call_finally) {
      DEPYF_TRY(reached, graph());
      accesses = structure::variable_accesses(reached);
      block = body_of(w, code, std::move(reached), Effort::kAsItStands);
    }
    if (!block && !w.skips("natural-order")) {
      DEPYF_TRY(anew, graph());  // few are tried again: less than to keep a copy of each
      auto merged = w.skips("bisimulation-quotient") ? std::nullopt : without_copies(anew, w.tree, code);
      block = body_of(w, code, anew, Effort::kAny);
      if (merged) {  // one copy of each is taken where it leaves much less to read
        const auto size = block ? statements(w, *block) : 0;
        auto once = body_of(w, code, std::move(*merged), Effort::kAny);
        if (block && (!once || 3 * statements(w, *once) > 2 * size))
          once = body_of(w, code, std::move(anew), Effort::kAny);
        block = std::move(once);
      }
    }
  }
  DEPYF_CHECK(check_interrupted(w));
  const auto dispatch_loop = [&]() -> Result<ast::Block> {
    DEPYF_TRY(anew, graph());
    std::vector<Cfg> forms;
    if (!w.skips("structure") && !w.skips("natural-order")) {
      auto merged = without_copies(anew, w.tree, code);
      forms.push_back(merged ? in_natural_order(*merged) : anew);
      structure::undo_shuffles(forms.back());
    }
    forms.push_back(std::move(anew));
    for (const Cfg& form : forms) {  // handlers that became one belong to no with statement alone
      DEPYF_TRY(loop, structure::dispatch_loop_with_statements(w.unit, code, form));
      if (loop) return std::move(*loop);
    }
    return structure::dispatch_loop(w.unit, code, forms.front());
  };
  if (w.broken) return *w.broken;
  if (!block) {
    DEPYF_TRY(loop, dispatch_loop());
    block = std::move(loop);
  }
  structure::finish_body(w.unit, code, bytecode, accesses, std::move(*block));
  if (adds_to_nothing(w, code)) {
    w.unit.gave_up = "a comprehension's function that is none";
    w.unit.bodies[code.n] = {};
    DEPYF_TRY(loop, dispatch_loop());
    structure::finish_body(w.unit, code, bytecode, accesses, std::move(loop));
  }
  if (!w.skips("guard-clauses"))
    idiom::leave_early(w.ast, w.dialect, w.unit.bodies[code.n].block, w.tree.codes[code].flags);
  const bool by_dynamo = lift::made_by_dynamo(w.tree.codes[code]) || resumes_by_dynamo(w.tree.codes[code]);
  if (w.options.readable && by_dynamo && !w.skips("name-temporaries"))
    idiom::name_temporaries(w.tree, w.ast, w.unit.bodies[code.n].block, w.options.temp_prefix, w.names());
  if (w.checks_text) DEPYF_CHECK(print(w.tree, w.ast, w.unit.bodies[code.n].block, w.dialect, PrintOptions{}));
  return Unit{};
}

// Children before parents, siblings in code order.
std::vector<CodeId> bottom_up(const CodeTree& tree) {
  std::vector<CodeId> order;
  for (std::uint32_t i = static_cast<std::uint32_t>(tree.codes.size()); i-- > 0;) order.push_back(CodeId{i});
  std::vector<std::uint32_t> depth(tree.codes.size(), 0);
  for (std::uint32_t i = 0; i < depth.size(); ++i)
    for (CodeId p = tree.codes[CodeId{i}].parent; p.valid(); p = tree.codes[p].parent) ++depth[i];
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
      if ((c.flags & kCoOptimized) != 0 || !structure::is_class_body(c)) continue;
      auto name = c.name.substr(std::min(c.name.find_first_not_of('_'), c.name.size()));
      out[i] = name;
      break;
    }
  return out;
}

// Whether a name of the program is one that source cannot say; those of the compiler's own begin with a dot.
bool has_odd_names(const CodeTree& tree) {
  for (std::uint32_t i = 0; i < tree.codes.size(); ++i) {
    const auto& c = tree.codes[CodeId{i}];
    for (const auto* names : {&c.names, &c.varnames, &c.cellvars, &c.freevars})
      for (const auto& n : *names)
        if (!n.starts_with('.') && !is_dotted_identifier(n)) return true;
  }
  return false;
}

// A comprehension alone stands in a function that gives it what it takes from outside: its iterable, as its own function
// does, and its free variables.
ast::StmtId around_comprehension(Work& w) {
  const CodeId root = w.tree.root();
  const auto& co = w.tree.codes[root];
  const auto& body = w.unit.bodies[root.n];
  const ast::Origin origin{root, 0};
  ast::FunctionDef def;
  def.name = w.ast.intern(w.options.function_name.empty() ? kAround : std::string_view(w.options.function_name));
  for (const auto& name : co.freevars) def.args.args.push_back({w.ast.intern(name), {}, {}});
  std::string iterable = "iterable";
  while (w.names().contains(iterable)) iterable += '_';
  def.args.args.push_back({w.ast.intern(iterable), {}, {}});
  for (const auto s : body.block)  // the scope of what it stores
    if (std::holds_alternative<ast::Global>(w.ast.stmts[s].node)) def.body.push_back(s);
  ast::Comprehension made = *body.comprehension;
  made.generators[0].iter = w.ast.expr(ast::Name{w.ast.intern(iterable)}, origin);
  def.body.push_back(w.ast.stmt(ast::Return{w.ast.expr(std::move(made), origin)}, origin));
  def.is_async = (co.flags & kCoCoroutine) != 0;
  return w.ast.stmt(std::move(def), origin);
}

std::string placed(const Error& error) {
  return error.at == kNowhere ? error.what : "bytecode offset " + std::to_string(error.at) + ": " + error.what;
}

// A body that says why it is none. What the code object holds follows, unless it is one whose body is an expression, so
// that an error in a module or class does not cost its functions.
void fail_code(Work& w, CodeId code, const Error& error) {
  const ast::Origin origin{code, 0};
  const auto name = [&](std::string_view text) { return w.ast.expr(ast::Name{w.ast.intern(text)}, origin); };
  const auto why = w.ast.expr(ast::StrLiteral{"depyf: not decompiled: " + placed(error)}, origin);
  const auto raised = w.ast.expr(ast::Call{name("SystemError"), {why}, {}}, origin);
  ast::Block block{w.ast.stmt(ast::Raise{raised, {}}, origin)};
  w.text_size[code.n] = 1;
  std::set<CodeId> written;  // constants may hold one code object several times
  for (const ConstId constant : w.tree.codes[code].consts) {
    const auto* held = std::get_if<ConstCode>(&w.tree.consts[constant]);
    if (held == nullptr || !written.insert(held->code).second) continue;
    const auto& inner = w.tree.codes[held->code];
    const auto& body = w.unit.bodies[held->code.n];
    if (!is_plain_identifier(inner.name) || body.block.empty()) continue;
    w.text_size[code.n] += w.text_size[held->code.n];
    if ((inner.flags & kCoOptimized) == 0) {
      ast::ClassDef def;
      def.name = w.ast.intern(inner.name);
      def.body = body.block;
      def.docstring = body.docstring;
      block.push_back(w.ast.stmt(std::move(def), origin));
    } else {
      ast::FunctionDef def;
      def.name = w.ast.intern(inner.name);
      def.args = body.args;
      def.body = body.block;
      def.is_async = body.is_async;
      def.docstring = body.docstring;
      block.push_back(w.ast.stmt(std::move(def), origin));
    }
  }
  w.unit.bodies[code.n] = {};
  structure::finish_body(w.unit, code, Bytecode{}, {}, std::move(block));
  w.failures.push_back({code, error});
}

Result<Decompiled> text_of(Work& w) {
  const CodeId root = w.tree.root();
  const auto& co = w.tree.codes[root];
  const auto& body = w.unit.bodies[root.n];
  ast::Block top;
  if (body.comprehension) {
    top.push_back(around_comprehension(w));
    w.root_name = co.name;
  } else if ((co.flags & kCoOptimized) != 0) {
    ast::FunctionDef def;
    std::string name = w.options.function_name.empty() ? co.name : w.options.function_name;
    if (name.empty() || name.front() == '<') name = name.substr(name.empty() ? 0 : 1, name.find('>') - 1);
    if (name == "lambda") name += '_';
    if (!is_plain_identifier(name)) name = w.options.temp_prefix + "function";
    def.name = w.ast.intern(name);
    def.args = body.args;
    def.body = body.block;
    def.is_async = body.is_async;
    def.docstring = body.docstring;
    top.push_back(w.ast.stmt(std::move(def), {root, 0}));
    w.root_name = name;
  } else {
    top = body.block;
  }
  if (has_odd_names(w.tree)) idiom::spell_odd_names(w.tree, w.ast, top, is_plain_identifier, w.names());
  PrintOptions print_options;
  print_options.indent = w.options.indent;
  print_options.code_names = w.options.code_names;
  for (auto i = print_options.code_names.size(); i < w.tree.codes.size(); ++i)
    print_options.code_names.push_back(w.options.temp_prefix + "code_" + std::to_string(i));
  print_options.one_line = w.prints_values;
  DEPYF_TRY(printed, print(w.tree, w.ast, top, w.dialect, print_options));
  if (!body.comprehension && needs_surroundings(w.tree, w.options)) {
    ast::FunctionDef outer;
    outer.name = w.ast.intern(kAround);
    const ast::Origin origin{root, 0};
    for (const auto& v : co.freevars) {
      const auto name = w.ast.expr(ast::Name{w.ast.intern(v)}, origin);
      outer.body.push_back(w.ast.stmt(ast::Assign{{name}, w.ast.expr(ast::NoneLiteral{}, origin)}, origin));
    }
    outer.body.insert(outer.body.end(), top.begin(), top.end());
    DEPYF_TRY(around, print(w.tree, w.ast, {w.ast.stmt(std::move(outer), origin)}, w.dialect, print_options));
    w.surrounded = std::move(around.text);
  }
  Decompiled out;
  out.text = std::move(printed.text);
  out.map = std::move(printed.map);
  out.context = context_of(w.tree);
  out.failures = w.failures;
  for (CodeId used : printed.codes) out.context.opaque.push_back({print_options.code_names[used.n], 0, used});
  return out;
}

Result<Decompiled> written(Work& w) {
  w.unit.bodies.resize(w.tree.codes.size());
  w.unit.class_names = mangling_classes(w.tree);
  for (CodeId code : bottom_up(w.tree)) {
    const Status done = decompile_code(w, code);
    if (done) continue;
    // Of a single code object nothing is left to say.
    if (done.error().code == Errc::kInterrupted || w.tree.codes.size() == 1) return done.error();
    fail_code(w, code, done.error());
  }
  if (w.failures.size() == w.tree.codes.size()) return w.failures.back().error;
  return text_of(w);
}

}  // namespace

Result<Decompiled> decompile(const CodeTree& tree, const DecompileOptions& options) {
  DEPYF_CHECK(check_pass_names(options.skip));
  DEPYF_CHECK(validate(tree));
  std::optional<Work> w;
  w.emplace(tree, options);
  auto out = written(*w);
  if (!out && (out.error().code == Errc::kLimitExceeded || out.error().code == Errc::kInternal)) {
    // The printer alone knows what nests too deep for source, and hardly anything does: what it refuses is done again,
    // with each code object printed by itself, so that those at fault are written flat, or are errors of their own.
    w.emplace(tree, options);
    w->checks_nesting = true;
    w->checks_text = !has_odd_names(tree);
    out = written(*w);
  }
  if (!out) return out;
  DEPYF_CHECK(check_interrupted(*w));
  DEPYF_CHECK(judge(tree, options, {w->surrounded, w->root_name}, *out));
  std::unordered_map<std::uint32_t, const Error*> failed;
  for (const Failure& failure : out->failures) failed.emplace(failure.code.n, &failure.error);
  for (Verdict& verdict : out->verdicts) {
    const auto it = failed.find(verdict.code.n);
    if (it == failed.end()) continue;
    const auto at = it->second->at == kNowhere ? 0xFFFFFFFFU : static_cast<std::uint32_t>(it->second->at);
    verdict = {verdict.code, VerdictKind::kUnproved, "not decompiled: " + it->second->what, at};
  }
  return out;
}

namespace {

// "C.f" for the method f of a class C of the module.
std::string path_of(const CodeTree& tree, CodeId code) {
  std::string path = tree.codes[code].name;
  for (CodeId p = tree.codes[code].parent; p.valid() && tree.codes[p].parent.valid(); p = tree.codes[p].parent)
    path = tree.codes[p].name + "." + path;
  return path;
}

}  // namespace

Result<std::string> dump_stage(const CodeTree& tree, std::string_view stage, const DecompileOptions& options) {
  DEPYF_CHECK(check_pass_names(options.skip));
  DEPYF_CHECK(validate(tree));
  const Dialect dialect = dialect_of(tree.version);
  std::string out;
  if (stage == "structure" || stage == "lift") {  // structure: one line a code object, its form or which rule gave up
    Work w(tree, options);
    w.dump_graph = stage == "lift";
    w.unit.bodies.resize(tree.codes.size());
    w.unit.class_names = mangling_classes(tree);
    for (CodeId code : bottom_up(tree)) {
      DEPYF_CHECK(decompile_code(w, code));
      const auto& why = w.unit.gave_up;
      if (w.dump_graph) out += w.graph_dump;
      w.graph_dump.clear();
      out += path_of(tree, code) + ": " + (why.empty() ? "structured" : "dispatch loop (" + why + ")") + "\n";
    }
    return out;
  }
  for (std::uint32_t i = 0; i < tree.codes.size(); ++i) {
    const CodeId code{i};
    DEPYF_TRY(bytecode, decode(tree, code, options.limits));
    out += "== " + tree.codes[code].name + "\n";
    if (stage == "bytecode") {
      for (const auto& insn : bytecode.code) {
        out += std::to_string(insn.offset) + " " + std::string(op_name(insn.op)) + " " + std::to_string(insn.arg);
        if (insn.target != kNoTarget) out += " -> " + std::to_string(bytecode.code[insn.target].offset);
        out += "\n";
      }
      continue;
    }
    DEPYF_TRY(cfg, build_cfg_as_meant(tree, code, bytecode, dialect, options.limits));
    if (stage == "cfg") {
      out += dump(cfg);
      continue;
    }
    if (stage == "fresh") {  // the graph without its fresh containers
      Work w(tree, options);
      const auto evaluated = lift::evaluate_fresh(w.unit, code, cfg);
      out += evaluated ? dump(evaluated->cfg) : "nothing evaluated\n";
      continue;
    }
    return Error{Errc::kMalformed, kNowhere,
                 "no stage named " + std::string(stage) + "; there are bytecode, cfg, fresh, lift, structure"};
  }
  return out;
}

}  // namespace depyf
