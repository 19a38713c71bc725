// SPDX-License-Identifier: MIT
// Decompiles a tree: each code object in turn, then prints one text with its source map and verdicts.
//
// Children are finished before their parents. A code object that fails does not affect the others.
#include <stdexcept>
#include <unordered_map>
#include <variant>
#include "driver/code_values.h"
#include "driver/context.h"
#include "driver/work.h"
#include "finish/body.h"
#include "finish/epilogues.h"
#include "idiom/odd_names.h"
#include "print/print.h"
#include "support/unicode.h"

namespace depyf {

namespace {

using namespace driver;

constexpr std::string_view kOuterFunction = "__outer__";  // the function that encloses a root compiled alone

// Returns whether the program has names that source cannot contain. Variables of the compiler begin with a dot; `from .
// import x` imports from an empty name. The printer reports other empty names.
bool has_odd_names(const CodeTree& tree) {
  for (std::uint32_t i = 0; i < tree.codes.size(); ++i) {
    const auto& c = tree.codes[CodeId{i}];
    for (const auto* names : {&c.names, &c.varnames, &c.cellvars, &c.freevars})
      for (const auto& n : *names)
        if (!n.empty() && (names == &c.names || !n.starts_with('.')) && !is_dotted_identifier(n)) return true;
  }
  return false;
}

// 3.12.0-3.12.3: the name of a generic class keeps mangling names in the scope after it. Returns the code objects
// affected, with the class that mangles their names.
idiom::ClassesInDoubt classes_in_doubt(const Work& w) {
  idiom::ClassesInDoubt out;
  if (!w.dialect.leaves_class_name) return out;
  const auto count = static_cast<std::uint32_t>(w.tree.codes.size());
  std::set<CodeId> scopes;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto& c = w.tree.codes[CodeId{i}];
    if (finish::is_class_body(c) && c.parent.valid() &&
        w.tree.codes[c.parent].name.starts_with("<generic parameters of "))
      scopes.insert(w.tree.codes[c.parent].parent);
  }
  for (std::uint32_t i = 0; i < count && !scopes.empty(); ++i) {
    CodeId p{i};
    while (p.valid() && !scopes.contains(p))
      p = finish::is_class_body(w.tree.codes[p]) ? CodeId{} : w.tree.codes[p].parent;
    if (p.valid()) out.emplace(CodeId{i}, w.unit.class_names[i]);
  }
  return out;
}

// Wraps a root comprehension in a function whose parameters are its outermost iterable and its free variables.
ast::StmtId wrap_comprehension(Work& w) {
  const CodeId root = w.tree.root();
  const auto& co = w.tree.codes[root];
  const auto& body = w.unit.bodies[root.n];
  const ast::Origin origin{root, 0};
  ast::FunctionDef def;
  def.name = w.ast.intern(w.options.function_name.empty() ? kOuterFunction : std::string_view(w.options.function_name));
  for (const auto& name : co.freevars) def.args->args.push_back({w.ast.intern(name), {}, {}});
  std::string iterable = "iterable";
  while (w.names().contains(iterable)) iterable += '_';
  def.args->args.push_back({w.ast.intern(iterable), {}, {}});
  for (const auto s : body.block)  // declarations for names that the comprehension stores
    if (std::holds_alternative<ast::Global>(w.ast.stmts[s].node)) def.body.push_back(s);
  ast::Comprehension comprehension = *body.comprehension;
  comprehension.generators[0].iter = w.ast.expr(ast::Name{w.ast.intern(iterable)}, origin);
  def.body.push_back(w.ast.stmt(ast::Return{w.ast.expr(std::move(comprehension), origin)}, origin));
  def.is_async = (co.flags & kCoCoroutine) != 0;
  return w.ast.stmt(std::move(def), origin);
}

std::string message_with_offset(const Error& error) {
  return error.at == kNowhere ? error.what : "bytecode offset " + std::to_string(error.at) + ": " + error.what;
}

// Sets the body of a code object that failed: a `raise` with the reason. The definitions of its children follow, unless
// their body is an expression, so that an error in a module or class does not lose its functions.
void fail_code(Work& w, CodeId code, const Error& error) {
  const ast::Origin origin{code, 0};
  const auto name = [&](std::string_view text) { return w.ast.expr(ast::Name{w.ast.intern(text)}, origin); };
  const auto why = w.ast.expr(ast::StrLiteral{"depyf: not decompiled: " + message_with_offset(error)}, origin);
  const auto raised = w.ast.expr(ast::Call{name("SystemError"), {why}, {}}, origin);
  ast::Block block{w.ast.stmt(ast::Raise{raised, {}}, origin)};
  w.text_size[code.n] = 1;
  std::set<CodeId> defined;  // a code object can be in several constants
  for (const ConstId constant : w.tree.codes[code].consts) {
    const auto* child = std::get_if<ConstCode>(&w.tree.consts[constant]);
    if (child == nullptr || !defined.insert(child->code).second) continue;
    const auto& inner = w.tree.codes[child->code];
    const auto& body = w.unit.bodies[child->code.n];
    if (!is_plain_identifier(inner.name) || body.block.empty()) continue;
    w.text_size[code.n] += w.text_size[child->code.n];
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
  finish::finish_body(w.unit, code, Bytecode{}, {}, std::move(block));
  w.failures.push_back({code, error});
}

// Inserts definitions where they precede all uses: after a module's docstring and imports from __future__.
void insert_definitions(Work& w, ast::Block& top, const ast::Block& definitions) {
  const bool is_function = (w.tree.codes[w.tree.root()].flags & kCoOptimized) != 0;
  auto* def = is_function ? std::get_if<ast::FunctionDef>(&w.ast.stmts[top.back()].node) : nullptr;
  ast::Block& block = def != nullptr ? def->body : top;
  const auto is_prologue = [&](ast::StmtId s) {
    const auto& node = w.ast.stmts[s].node;
    const auto* from = std::get_if<ast::ImportFrom>(&node);
    const auto* e = std::get_if<ast::ExprStmt>(&node);
    return (from != nullptr && from->module == "__future__") ||
           (e != nullptr && ast::is<ast::ConstantExpr, ast::StrLiteral>(w.ast.exprs[e->value].node));
  };
  auto at = block.begin();
  while (def == nullptr && at != block.end() && is_prologue(*at)) ++at;
  block.insert(at, definitions.begin(), definitions.end());
}

// Returns the result of a step. A defect that throws in one code object must not affect the other ones or the process.
template <class Step>
auto contained(Step&& step) -> decltype(step()) {
  try {
    return step();
  } catch (const std::bad_variant_access& error) {
    return Error{Errc::kInternal, kNowhere, error.what()};
  } catch (const std::logic_error& error) {
    return Error{Errc::kInternal, kNowhere, error.what()};
  }
}

// Prints the tree. The text of a value is enclosed as needed to compile to the same code object.
Result<Rooted> print_tree(Work& w, const Embedding& embedding) {
  const CodeId root = w.tree.root();
  const auto& co = w.tree.codes[root];
  const auto& body = w.unit.bodies[root.n];
  ast::Block top;
  if (body.comprehension) {
    top.push_back(wrap_comprehension(w));
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
  const auto spell_odd_names = [&](const idiom::ClassesInDoubt& in_doubt) {
    idiom::spell_odd_names(w.tree, w.ast, top, in_doubt, is_plain_identifier, w.dialect.any_decorator, w.names());
  };
  if (const auto in_doubt = classes_in_doubt(w); !in_doubt.empty()) spell_odd_names(in_doubt);
  PrintOptions print_options;
  print_options.indent = w.options.indent;
  print_options.code_names = w.options.code_names;
  for (auto i = print_options.code_names.size(); i < w.tree.codes.size(); ++i)
    print_options.code_names.push_back(w.options.temp_prefix + "code_" +
                                       std::to_string(embedding.numbers.empty() ? i : embedding.numbers[i]));
  print_options.mode = w.mode;
  print_options.spellings = &w.expressions.spellings();
  if (!w.lines.empty()) print_options.lines = &w.lines;
  if (has_odd_names(w.tree)) spell_odd_names({});
  auto printed = print(w.tree, w.ast, top, w.dialect, print_options);
  if (!printed && printed.error().code == Errc::kInternal) {  // keywords of calls are constants
    spell_odd_names({});
    printed = print(w.tree, w.ast, top, w.dialect, print_options);
  }
  if (!printed) return printed.error();
  std::set<CodeId> values = printed->codes;
  std::erase_if(values, [&](CodeId used) { return used.n < w.options.code_names.size(); });
  if (!values.empty()) {
    DEPYF_TRY(definitions, code_definitions(w, values, print_options.code_names, embedding));
    insert_definitions(w, top, definitions);
    printed = print(w.tree, w.ast, top, w.dialect, print_options);
    if (!printed) return printed.error();
  }
  if (!body.comprehension &&
      (needs_outer_function(w.tree, w.options) || (embedding.depth > 0 && is_nested_function(co)))) {
    ast::FunctionDef outer;
    outer.name = w.ast.intern(kOuterFunction);
    const ast::Origin origin{root, 0};
    for (const auto& v : co.freevars) {
      const auto name = w.ast.expr(ast::Name{w.ast.intern(v)}, origin);
      outer.body.push_back(w.ast.stmt(ast::Assign{{name}, w.ast.expr(ast::NoneLiteral{}, origin)}, origin));
    }
    outer.body.insert(outer.body.end(), top.begin(), top.end());
    DEPYF_TRY(enclosed, print(w.tree, w.ast, {w.ast.stmt(std::move(outer), origin)}, w.dialect, print_options));
    w.enclosed_text = std::move(enclosed.text);
  }
  Rooted rooted;
  Decompiled& out = rooted.out;
  out.text = std::move(printed->text);
  out.map = std::move(printed->map);
  out.context = context_of(w.tree);
  out.failures = w.failures;
  for (CodeId used : printed->codes)
    if (!values.contains(used)) out.context.opaque.push_back({print_options.code_names[used.n], 0, used});
  rooted.full_text = w.enclosed_text.empty() ? out.text : w.enclosed_text;
  rooted.mode = w.mode;
  rooted.root_name = w.root_name;
  if ((co.flags & kCoOptimized) != 0) rooted.root_depth = body.comprehension || !w.enclosed_text.empty() ? 2 : 1;
  return rooted;
}

Result<Rooted> decompile_codes(Work& w, const Embedding& embedding) {
  w.unit.bodies.resize(w.tree.codes.size());
  w.unit.class_names = mangling_classes(w.tree);
  for (CodeId code : bottom_up(w.tree)) {
    const Status status = contained([&] { return decompile_code(w, code); });
    if (status) continue;
    // If the tree has just one code object, its failure is the result.
    if (status.error().code == Errc::kInterrupted || w.tree.codes.size() == 1) return status.error();
    fail_code(w, code, status.error());
  }
  if (w.failures.size() == w.tree.codes.size()) return w.failures.back().error;
  return contained([&] { return print_tree(w, embedding); });
}

// Recompiles the text and fills the verdicts of `out`.
Status add_verdicts(Work& w, const DecompileOptions& options, Decompiled& out) {
  DEPYF_CHECK(check_interrupted(w));
  DEPYF_CHECK(judge(w.tree, options, {w.enclosed_text, w.root_name}, out));
  // For code objects used as values: the text that creates the value proves more about it than the text that uses it.
  std::unordered_map<std::uint32_t, Verdict*> of_values;
  for (Verdict& verdict : w.value_verdicts) of_values.emplace(verdict.code.n, &verdict);
  std::unordered_map<std::uint32_t, const Error*> failed;
  for (const Failure& failure : out.failures) failed.emplace(failure.code.n, &failure.error);
  for (Verdict& verdict : out.verdicts) {
    const auto of_value = of_values.find(verdict.code.n);
    if (of_value != of_values.end() && verdict.kind == VerdictKind::kUnproved) verdict = std::move(*of_value->second);
    const auto it = failed.find(verdict.code.n);
    if (it == failed.end()) continue;
    const auto at = it->second->at == kNowhere ? 0xFFFFFFFFU : static_cast<std::uint32_t>(it->second->at);
    verdict = {verdict.code, VerdictKind::kUnproved, "not decompiled: " + it->second->what, at};
  }
  return Unit{};
}

}  // namespace

Result<Rooted> driver::decompile_root(const CodeTree& tree, const DecompileOptions& options,
                                      const Embedding& embedding) {
  DEPYF_CHECK(validate(tree));
  std::optional<Work> w;
  w.emplace(tree, options);
  auto rooted = decompile_codes(*w, embedding);
  if (!rooted && (rooted.error().code == Errc::kLimitExceeded || rooted.error().code == Errc::kInternal)) {
    // Only the printer finds out what nests too deep for source, and that is rare. So on failure all is done again, and
    // each code object is printed by itself: those at fault get a dispatch loop, or an error of their own.
    w.emplace(tree, options);
    w->checks_nesting = true;
    w->checks_text = !has_odd_names(tree);
    rooted = decompile_codes(*w, embedding);
  }
  if (rooted) DEPYF_CHECK(contained([&] { return add_verdicts(*w, options, rooted->out); }));
  return rooted;
}

Result<Decompiled> decompile(const CodeTree& tree, const DecompileOptions& options) {
  DEPYF_CHECK(check_pass_names(options.skip));
  DEPYF_TRY(rooted, decompile_root(tree, options, Embedding{}));
  return std::move(rooted.out);
}

}  // namespace depyf
