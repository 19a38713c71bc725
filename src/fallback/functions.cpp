// SPDX-License-Identifier: MIT
// Makes functions that the lifter does not make: those on the stack between arms, those whose code is no constant, and
// those that close over a cell that is a value in the text (3.12+, inlined comprehensions).
#include <algorithm>

#include "fallback/families.h"

namespace depyf::fallback {

namespace {

// Makes a function that closes over hidden cells (see is_hidden_cell()): defines it in a function whose parameters have
// their names, then makes a copy with the cells themselves by `type(f)(code, globals, name, None, closure)`.
void bind_hidden_cells(Machine& m, CodeId code, ast::FunctionDef def) {
  const NameId into = def.name, maker = m.temp("make");
  ast::FunctionDef around;
  around.name = maker;
  ExprIds closure, nothing;
  const auto& free = m.unit.code.codes[code].freevars;
  for (std::uint32_t k = 0; k < free.size(); ++k) {
    const auto at = std::find(m.co.localsplus.begin(), m.co.localsplus.end(), free[k]) - m.co.localsplus.begin();
    const auto index = static_cast<std::uint32_t>(at);
    if (is_hidden_cell(m, index)) {
      around.args->args.push_back({m.unmangle(free[k]), {}, {}});
      nothing.push_back(m.none());
      closure.push_back(m.name(hidden_name(m, index)));
    } else {
      closure.push_back(m.subscript(m.attribute(m.name(into), "__closure__"), m.number(k)));
    }
  }
  around.body = {m.stmt(std::move(def)), m.stmt(ast::Return{m.name(into)})};
  m.emit_raw(std::move(around));
  m.assign(into, m.call(m.name(maker), nothing));
  const ExprId function_type = m.builtin_call("type", {m.name(into)});
  m.assign(into, m.call(function_type, {m.attribute(m.name(into), "__code__"), m.builtin_call("globals", {}),
                                        m.attribute(m.name(into), "__name__"), m.none(), m.make(ast::Tuple{closure})}));
}

// Makes a function of a code object that only run time tells, by `type(lambda: None)(code, globals(), ..., closure)`.
void make_function(Machine& m, ExprId code, ExprId closure, NameId into) {
  ExprIds args{code, m.builtin_call("globals", {})};
  if (closure.valid())
    for (const ExprId e : {m.none(), m.none(), closure}) args.push_back(e);
  m.assign(into, m.call(m.builtin_call("type", {m.make(ast::Lambda{{}, m.none()})}), std::move(args)));
}

}  // namespace

// Returns whether a function closes over a hidden cell of this code object.
bool takes_hidden_cell(const Machine& m, CodeId code) {
  const auto& free = m.unit.code.codes[code].freevars;
  for (std::uint32_t i = 0; i < m.co.localsplus.size(); ++i)
    if (is_hidden_cell(m, i) && std::find(free.begin(), free.end(), m.co.localsplus[i]) != free.end()) return true;
  return false;
}

// Emits the statements that make a function of code and closure only and assign it to `into`.
void define_as(Machine& m, const lift::FunctionValue& f, NameId into, bool renames) {
  if (lift::takes_namespace(m.unit.code.codes[f.code])) {
    if (lift::has_no_cells(m.unit.code, f.code))
      return make_function(m, lift::code_expr(m.unit, f.code, m.origin), {}, into);
    const auto why = m.make(ast::StrLiteral{"depyf: not decompiled: the body of a class that no class statement has"});
    return m.emit_raw(ast::Raise{m.builtin_call("SystemError", {why}), {}});
  }
  lift::State line;
  m.lifter.define(line, f, into, renames);
  const auto statement = line.stmts[0].stmt;
  auto& def = std::get<ast::FunctionDef>(m.unit.ast.stmts[statement].node);
  constexpr std::string_view kConditional = "__conditional_annotations__";
  const auto& free = m.unit.code.codes[f.code].freevars;
  if (!m.is_function() && m.co.parent.valid() && std::find(free.begin(), free.end(), kConditional) != free.end()) {
    // A cell of the class body that a function within it does not see by name; it is passed as a default value.
    const NameId cell_name = m.intern(kConditional);
    def.args->args.push_back({cell_name, {}, m.name(cell_name)});
    if (std::find(m.shared.temps.begin(), m.shared.temps.end(), cell_name) == m.shared.temps.end())
      m.shared.temps.push_back(cell_name);
  }
  if (takes_hidden_cell(m, f.code))
    bind_hidden_cells(m, f.code, def);
  else
    m.out.push_back(statement);
  for (std::size_t i = 1; i < line.stmts.size(); ++i) m.out.push_back(line.stmts[i].stmt);
}

void define(Machine& m, std::uint32_t code, NameId into) { define_as(m, function_of(m, code), into, true); }

// Returns the function as a lambda expression; an invalid id if it has to be a def statement.
ExprId function_value(Machine& m, std::uint32_t code) {
  const lift::Body& body = m.unit.bodies[code];
  const bool lambda = body.expr.valid() && m.unit.code.codes[CodeId{code}].name == "<lambda>";
  if (!lambda || takes_hidden_cell(m, CodeId{code})) return {};
  return m.make(ast::Lambda{body.args, body.expr});
}

// Translates MAKE_FUNCTION and SET_FUNCTION_ATTRIBUTE; the attributes are assigned after the function has been made.
bool function_op(Machine& m, const Instruction& insn) {
  if (insn.op != Op::MAKE_FUNCTION && insn.op != Op::SET_FUNCTION_ATTRIBUTE) return false;
  const bool makes = insn.op == Op::MAKE_FUNCTION;
  const bool has_qualname = m.unit.dialect.qualname_operand;
  const Entry& code_entry = m.top(makes && has_qualname ? 2 : 1);
  const bool is_known = code_entry.kind == Kind::kCode;
  const bool may_be_code = is_known || code_entry.kind == Kind::kVar ||
                           (code_entry.kind == Kind::kPending && code_entry.form == Form::kPlain);
  if (makes && !may_be_code) return false;
  m.flush();
  if (!makes) {  // [attribute, function]
    Entry function = m.pop(), value = m.pop();
    if (insn.arg != 8) m.add(m.set(m.attribute(function.expr, lift::Lifter::attribute_of(insn.arg)), value.expr));
    const NameId into = m.slot(m.size());
    m.assign(into, function.expr);
    m.push_var();
    return m.clear({function, value}), true;
  }
  std::vector<Entry> used;
  if (has_qualname) used.push_back(m.pop());
  const Entry code = m.pop();
  std::vector<std::pair<std::uint32_t, Entry>> attributes;
  for (std::uint32_t bit = 8; bit >= 1; bit /= 2)
    if ((insn.arg & bit) != 0) attributes.emplace_back(bit, m.pop());
  while (!is_known && m.size() > 0 && m.peek() != nullptr && m.peek()->op == Op::SET_FUNCTION_ATTRIBUTE)
    attributes.emplace_back(m.stream[++m.at].arg, m.pop());  // the closure is needed to make the function
  const NameId into = attributes.empty() ? m.slot(m.size()) : m.temp("f");
  if (is_known) {
    used.clear();
    define_as(m, function_of(m, code.a), into, true);
  } else {
    ExprId closure;
    for (const auto& [bit, e] : attributes)
      if (bit == 8) closure = e.expr;
    make_function(m, code.expr, closure, into);
    if (has_qualname) m.add(m.set(m.attribute(m.name(into), "__qualname__"), used[0].expr));
    used.push_back(code);
  }
  for (auto& [bit, e] : attributes) {
    if (bit == 4 && m.unit.dialect.annotations_tuple) {  // dict(zip(*[iter(x)] * 2)) of a flat tuple
      const ExprId iterators = m.make(ast::List{{m.builtin_call("iter", {e.expr})}});
      const ExprId both = m.make(ast::BinOp{iterators, ast::BinaryOperator::kMultiply, m.number(2)});
      e.expr = m.builtin_call("dict", {m.builtin_call("zip", {m.starred(both)})});
    }
    if (bit != 8) m.add(m.set(m.attribute(m.name(into), lift::Lifter::attribute_of(bit)), e.expr));
    used.push_back(e);
  }
  if (into != m.slot(m.size())) {
    m.assign(m.slot(m.size()), m.name(into));
    m.assign(into, m.none());
  }
  m.push_var();
  m.clear(used);
  return true;
}

// Returns the statements that assign a statically known entry to the variable of its slot; for edges.
Block store_known(Machine& m, Entry entry, std::size_t depth) {
  m.state = {};
  m.out.clear();
  if (entry.kind == Kind::kFunction && !function_value(m, entry.a).valid())
    define(m, entry.a, m.slot(depth));
  else
    m.assign(m.slot(depth), m.value(entry, depth));
  return std::move(m.out);
}

}  // namespace depyf::fallback
