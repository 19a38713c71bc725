// SPDX-License-Identifier: MIT
// Finishing one code object; see body.h.
#include "finish/finisher.h"

#include "ast/constants.h"
#include "ast/walk.h"
#include "finish/annotations.h"
#include "finish/epilogues.h"

#include <algorithm>

namespace depyf::finish {

using ast::ExprId;
using ast::ExprIds;

void Finisher::run(ast::Block block) {
  const bool function = (co_.flags & kCoOptimized) != 0;
  out_.is_async = (co_.flags & (kCoCoroutine | kCoAsyncGenerator)) != 0;
  arguments();
  assert_always(block);
  const bool comprehension = is_comprehension(co_.name);
  if (function && comprehension) make_comprehension(block);
  if (function && co_.name == "<lambda>")
    out_.expr = with_unused_free(returned_value(unit_, code_, block));
  else if (function && evaluates())
    out_.expr = evaluated(block);
  if (function && co_.name.starts_with("<generic parameters of ")) out_.generic = made(block);
  trim_return(block, function);
  if (!function)
    class_or_module(block);
  else
    docstring();
  scopes(block);
  if (function && block.empty() && !out_.docstring && (co_.flags & (kCoGenerator | kCoAsyncGenerator)) == 0)
    block.push_back(stmt(ast::Pass{}));
  generator_stub(block);
  if (function) bare_returns(block);
  if (!function && co_.parent.valid()) class_stub(block);
  if (!function) annotations_stub(block);
  if (!function) delete_temporaries(block);
  if (function && !comprehension && co_.name != "<lambda>") local_stub(block);
  out_.block = std::move(block);
  out_.ready = true;
}

ast::NameId Finisher::local(std::size_t i) const {
  const auto& names = local_names(co_);
  return unmangled(i < names.size() ? std::string_view(names[i]) : std::string_view("arg"));
}

void Finisher::arguments() {
  auto& a = out_.args;
  std::size_t i = 0;
  a.posonly.reserve(co_.posonlyargcount);
  a.args.reserve(co_.argcount - co_.posonlyargcount);
  a.kwonly.reserve(co_.kwonlyargcount);
  for (; i < co_.posonlyargcount; ++i) a.posonly.push_back({local(i), {}, {}});
  for (; i < co_.argcount; ++i) a.args.push_back({local(i), {}, {}});
  for (std::size_t k = 0; k < co_.kwonlyargcount; ++k, ++i) a.kwonly.push_back({local(i), {}, {}});
  if ((co_.flags & kCoVarArgs) != 0) a.vararg = ast::Parameter{local(i++), {}, {}};
  if ((co_.flags & kCoVarKeywords) != 0) a.kwarg = ast::Parameter{local(i++), {}, {}};
}

void Finisher::assert_always(const ast::Block& block) {
  const auto loads = [](const Instruction& i) { return i.op == Op::LOAD_COMMON_CONSTANT && i.arg == 0; };
  if (!has(Op::LOAD_COMMON_CONSTANT) || std::ranges::none_of(bytecode_.code, loads)) return;
  std::vector<ast::StmtId> raises;  // a statement that is written twice is listed twice
  ast::walk(unit_.ast, block, [&](ast::StmtId s) {
    if (ast::is<ast::Raise>(node(s))) raises.push_back(s);
    return !ast::is_scope(node(s));
  });
  for (const ast::StmtId s : raises) {
    const auto message = unit_.asserted(node(s));
    if (!message) continue;
    const auto never = unit_.ast.expr(ast::Verbatim{"False"}, unit_.ast.stmts[s].origin);
    unit_.ast.stmts[s].node = ast::Assert{never, *message};
  }
}

bool Finisher::is_none(ExprId e) const { return !e.valid() || ast::is_none(unit_.ast, unit_.code, e); }

void Finisher::trim_return(ast::Block& b, bool function, bool nested) {
  if (b.empty()) return;
  if (const auto* r = std::get_if<ast::Return>(&node(b.back()))) {
    if ((!is_none(r->value) && function) || (nested && r->is_observable)) return;
    b.pop_back();
    return trim_return(b, function, nested);
  }
  const auto trim = [&](ast::Block& x) {
    trim_return(x, function, true);
    if (x.empty()) x.push_back(stmt(ast::Pass{}));
  };
  auto last = node(b.back());  // a copy: a `pass` that is made moves statements
  if (auto* i = std::get_if<ast::If>(&last)) {
    trim(i->body);
    trim_return(i->orelse, function, true);
  } else if (auto* w = std::get_if<ast::With>(&last); w != nullptr && !unit_.dialect.call_finally) {  // there it shows
    trim(w->body);
  } else if (auto* m = std::get_if<ast::Match>(&last)) {
    for (auto& c : m->cases) trim(c.body);
  } else if (auto* t = std::get_if<ast::Try>(&last); t != nullptr && t->finalbody.empty()) {
    if (t->orelse.empty())
      trim(t->body);
    else
      trim_return(t->orelse, function, true);
    for (auto& h : t->handlers)
      if (!unit_.dialect.call_finally || !h.name.valid()) trim(h.body);  // else it shows
  }
  unit_.ast.stmts[b.back()].node = std::move(last);
}

bool Finisher::evaluates() const {
  if (!unit_.dialect.type_parameters || co_.argcount > 1) return false;
  return co_.argcount == 0 || (co_.posonlyargcount == 1 && co_.varnames[0] == ".format");
}

ExprId Finisher::evaluated(const ast::Block& b) const {
  if (co_.argcount == 0) return returned_value(unit_, code_, b);
  const auto* i = b.empty() ? nullptr : std::get_if<ast::If>(&node(b[0]));
  const auto* test = i != nullptr ? std::get_if<ast::Compare>(&node(i->test)) : nullptr;
  const auto* name = test != nullptr ? std::get_if<ast::Name>(&node(test->left)) : nullptr;
  if (name == nullptr || name->id != local(0) || test->ops[0] != ast::CompareOperator::kGt || i->body.size() != 1 ||
      !std::holds_alternative<ast::Raise>(node(i->body[0])))
    return {};
  const ast::Block rest = i->orelse.empty() ? ast::Block(b.begin() + 1, b.end()) : i->orelse;
  return i->orelse.empty() || b.size() == 1 ? returned_value(unit_, code_, rest) : ExprId{};
}

std::optional<lift::FunctionValue> Finisher::made(const ast::Block& b) const {
  const auto it = b.size() == 2 ? unit_.generics.find(b[0].n) : unit_.generics.end();
  if (it == unit_.generics.end() || !std::holds_alternative<ast::Return>(node(b[1]))) return std::nullopt;
  return it->second;
}

ExprId Finisher::unused_free() {
  ExprIds names;
  for (std::size_t k = 0; k < co_.freevars.size(); ++k)
    if (!uses_free(k)) names.push_back(unit_.ast.expr(ast::Name{unmangled(co_.freevars[k])}, {code_, 0}));
  if (names.empty()) return literal(0);
  return names.size() == 1 ? names[0] : unit_.ast.expr(ast::Tuple{std::move(names)}, {code_, 0});
}

ExprId Finisher::with_unused_free(ExprId value) {
  if (!value.valid()) return value;
  for (std::size_t k = 0; k < co_.freevars.size(); ++k)
    if (!uses_free(k)) return unit_.ast.expr(ast::IfExp{literal(1), value, unused_free()}, {code_, 0});
  return value;
}

namespace {

bool is_empty_display(const ast::ExprNode& n) {
  if (const auto* l = std::get_if<ast::List>(&n)) return l->elts.empty();
  if (const auto* s = std::get_if<ast::Set>(&n)) return s->elts.empty();
  const auto* d = std::get_if<ast::Dict>(&n);
  return d != nullptr && d->values.empty();
}

}  // namespace

void Finisher::make_comprehension(ast::Block block) {
  if (!block.empty())  // the result under construction, in its stack slot
    if (const auto* a = std::get_if<ast::Assign>(&node(block[0])); a != nullptr && is_empty_display(node(a->value)))
      block.erase(block.begin());
  if (block.empty()) return;
  ast::Comprehension c;
  c.kind = co_.name == "<listcomp>"   ? ast::ComprehensionKind::kList
           : co_.name == "<setcomp>"  ? ast::ComprehensionKind::kSet
           : co_.name == "<dictcomp>" ? ast::ComprehensionKind::kDict
                                      : ast::ComprehensionKind::kGenerator;
  std::size_t at = 0;
  ast::Block b = block;
  for (std::size_t depth = 0; depth < 200; ++depth) {
    // `for y in [e]` is an assignment (3.9+: codegen_comprehension_generator in Python/codegen.c)
    if (depth > 0 && b.size() >= 2)
      if (const auto* a = std::get_if<ast::Assign>(&node(b[0])); a != nullptr && a->targets.size() == 1) {
        const auto target = a->targets[0], value = a->value;
        c.generators.push_back({target, unit_.ast.expr(ast::List{{value}}, {code_, 0}), {}, false});
        b.erase(b.begin());
        continue;
      }
    if (const auto* i = b.empty() ? nullptr : std::get_if<ast::If>(&node(b[0]));
        depth > 0 && b.size() > 1 && i != nullptr && i->orelse.empty() && ast::is_pass(unit_.ast, i->body)) {
      // `if x or 1`: the test of x leads nowhere else
      c.generators.back().ifs.push_back(
          unit_.ast.expr(ast::BoolOp{ast::BoolOperator::kOr, {i->test, literal(1)}}, {code_, 0}));
      b.erase(b.begin());
      continue;
    }
    // `if 0`: nothing is left of the element either, but what it had free
    if (depth > 0 && ast::is_pass(unit_.ast, b)) {
      c.generators.back().ifs.push_back(literal(0));
      c.elt = unused_free();
      if (c.kind == ast::ComprehensionKind::kDict) c.value = literal(0);
      break;
    }
    if (b.empty() || (depth > 0 && b.size() != 1)) return;
    const auto& n = node(b[at]);
    if (const auto* f = std::get_if<ast::For>(&n); f != nullptr && f->orelse.empty()) {
      c.generators.push_back({f->target, f->iter, {}, f->is_async});
      b = ast::Block(f->body);
    } else if (const auto* i = std::get_if<ast::If>(&n); i != nullptr && i->orelse.empty() && !c.generators.empty()) {
      c.generators.back().ifs.push_back(i->test);
      b = ast::Block(i->body);
    } else if (const auto* e = std::get_if<ast::ExprStmt>(&n); e != nullptr && !c.generators.empty()) {
      const auto* y = std::get_if<ast::Yield>(&node(e->value));
      if (y == nullptr) return;
      c.elt = y->value.valid() ? y->value : unit_.ast.expr(ast::NoneLiteral{}, {code_, 0});
      const auto it = unit_.appends.find(b[at].n);
      if (c.kind != ast::ComprehensionKind::kGenerator && it == unit_.appends.end()) return;
      if (c.kind == ast::ComprehensionKind::kDict) {
        c.value = c.elt;
        c.elt = it->second.key;
      }
      break;
    } else {
      return;
    }
    at = 0;
  }
  if (!c.elt.valid()) return;
  if (const auto* item = std::get_if<ast::Name>(&node(c.elt)); item != nullptr && item->id == unit_.item_name()) {
    // (*x for ... in ...) yields from x in a loop of its own
    const auto inner = c.generators.back();
    const auto* target = std::get_if<ast::Name>(&node(inner.target));
    if (c.generators.size() < 2 || target == nullptr || target->id != item->id || !inner.ifs.empty()) return;
    c.elt = unit_.ast.expr(ast::Starred{inner.iter}, unit_.ast.exprs[inner.iter].origin);
    c.generators.pop_back();
  }
  const auto* first = std::get_if<ast::Name>(&node(c.generators[0].iter));
  if (first == nullptr || first->id != unit_.argument_name()) return;
  if (block.size() > 2 || (block.size() == 2 && !std::holds_alternative<ast::Return>(node(block[1])))) return;
  if (!ast::is_pass(unit_.ast, b) && !std::holds_alternative<ast::Starred>(node(c.elt)))
    c.elt = with_unused_free(c.elt);
  out_.comprehension = std::move(c);
}

void Finisher::docstring() {
  if (co_.name.starts_with("<") || co_.consts.empty()) return;
  if (unit_.dialect.docstring_flag && (co_.flags & kCoHasDocstring) == 0) return;
  if (std::holds_alternative<ConstStr>(unit_.code.consts[co_.consts[0]])) out_.docstring = co_.consts[0];
}

std::string_view Finisher::assigned_name(ast::StmtId s, ExprId& value) const {
  const auto* a = std::get_if<ast::Assign>(&node(s));
  if (a == nullptr || a->targets.size() != 1) return {};
  const auto* n = std::get_if<ast::Name>(&node(a->targets[0]));
  if (n == nullptr) return {};
  value = a->value;
  return unit_.ast.text(n->id);
}

void Finisher::trim_class_epilogue(ast::Block& b, std::size_t first) {
  ExprId value{};
  std::vector<std::string_view> seen;
  while (b.size() > first) {
    const auto name = assigned_name(b.back(), value);
    if (!is_class_epilogue(name) || std::find(seen.begin(), seen.end(), name) != seen.end()) break;
    seen.push_back(name);
    b.pop_back();
  }
}

void Finisher::class_or_module(ast::Block& b) {
  place_annotations(unit_, code_, b);
  std::size_t at = 0;
  ExprId value{};
  if (co_.parent.valid()) {
    for (std::string_view name : {"__module__", "__qualname__", "__firstlineno__", "__type_params__"})
      if (at < b.size() && assigned_name(b[at], value) == name) ++at;
    trim_class_epilogue(b, at);
  }
  b.erase(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(at));
  if (!b.empty() && assigned_name(b[0], value) == "__doc__") {
    if (ast::constant_of<ConstStr>(unit_.ast, unit_.code, value) != nullptr) {
      if (co_.parent.valid()) {
        out_.docstring = std::get<ast::ConstantExpr>(node(value)).value;
        b.erase(b.begin());
      } else {
        b[0] = stmt(ast::ExprStmt{value});
      }
    }
  }
  if (co_.parent.valid() && b.empty() && !out_.docstring) b.push_back(stmt(ast::Pass{}));
}

void Finisher::bare_returns(const ast::Block& b) {
  std::size_t returns = 0, values = 0;  // told from the instructions first, since most functions need no walk
  for (std::size_t i = 1; i < bytecode_.code.size(); ++i) {
    if (bytecode_.code[i].op != Op::RETURN_VALUE) continue;
    const Instruction& before = bytecode_.code[i - 1];
    ++returns;
    const bool none =
        before.op == Op::LOAD_CONST
            ? std::holds_alternative<ConstNone>(unit_.code.consts[co_.consts[before.arg]])
            : before.op == Op::LOAD_COMMON_CONSTANT && before.arg == static_cast<std::uint32_t>(CommonConstant::kNone);
    if (!none) ++values;
  }
  const bool must = (co_.flags & kCoAsyncGenerator) != 0;
  if (!must && (returns < 2 || values > 0)) return;
  std::vector<ast::StmtId> found;
  bool gives = false;
  ast::walk(unit_.ast, b, [&](ast::StmtId s) {
    if (const auto* r = std::get_if<ast::Return>(&node(s))) {
      if (is_none(r->value)) found.push_back(s);
      gives = gives || !is_none(r->value);
    }
    return !ast::is_scope(node(s));
  });
  if (gives && !must) return;
  for (const ast::StmtId s : found) {
    const bool is_observable = std::get<ast::Return>(unit_.ast.stmts[s].node).is_observable;
    unit_.ast.stmts[s].node = ast::Return{{}, is_observable};
  }
}

bool Finisher::is_comprehension(std::string_view name) {
  return name == "<listcomp>" || name == "<setcomp>" || name == "<dictcomp>" || name == "<genexpr>";
}

VariableAccesses variable_accesses(const Cfg& cfg) {
  VariableAccesses out;
  out.some_unreached = cfg.some_unreached;
  std::size_t most = 0;
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) most += cfg.blocks[BlockId{b}].code.size();
  out.code.reserve(most);
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b)
    for (const auto& i : cfg.blocks[BlockId{b}].code)
      if (const auto kind = arg_kind(i.op); kind == ArgKind::Local || kind == ArgKind::Deref || i.op == Op::LOAD_GLOBAL)
        out.code.push_back(i);
  return out;
}

void finish_body(lift::Unit& unit, CodeId code, const Bytecode& bytecode, const VariableAccesses& accesses,
                 ast::Block block) {
  Finisher(unit, code, bytecode, accesses).run(std::move(block));
}

}  // namespace depyf::finish
