// SPDX-License-Identifier: MIT
// Functions that the lifter does not make: those that lie on the stack between arms, and those over cells that are values.
#include <algorithm>

#include "fallback/translate.h"

namespace depyf::fallback::dispatch {

bool Translator::takes_hidden_cell(CodeId code) const {
  const auto& free = unit_.code.codes[code].freevars;
  for (std::uint32_t i = 0; i < co_.localsplus.size(); ++i)
    if (is_hidden_cell(i) && std::find(free.begin(), free.end(), co_.localsplus[i]) != free.end()) return true;
  return false;
}

// A function made over cells that are values: made in a function of those names, then with the cells in their places.
void Translator::bind_hidden_cells(CodeId code, ast::FunctionDef def) {
  const NameId into = def.name, maker = temp("make");
  ast::FunctionDef around;
  around.name = maker;
  ExprIds closure, nothing;
  const auto& free = unit_.code.codes[code].freevars;
  for (std::uint32_t k = 0; k < free.size(); ++k) {
    const auto at = std::find(co_.localsplus.begin(), co_.localsplus.end(), free[k]) - co_.localsplus.begin();
    const auto index = static_cast<std::uint32_t>(at);
    if (is_hidden_cell(index)) {
      around.args.args.push_back({unmangle(free[k]), {}, {}});
      nothing.push_back(none());
      closure.push_back(name(hidden_name(index)));
    } else {
      closure.push_back(make(ast::Subscript{attribute(name(into), "__closure__"), number(k)}));
    }
  }
  around.body = {stmt(std::move(def)), stmt(ast::Return{name(into)})};
  emit_raw(std::move(around));
  assign(into, call(name(maker), nothing));
  const ExprId made = builtin_call("type", {name(into)});
  assign(into, call(made, {attribute(name(into), "__code__"), builtin_call("globals", {}),
                           attribute(name(into), "__name__"), none(), make(ast::Tuple{closure})}));
}

// The statement of a function that takes nothing but cells.
void Translator::define_as(const lift::FunctionValue& f, NameId into, bool renames) {
  lift::State line;
  lifter_.define(line, f, into, renames);
  const auto statement = line.stmts[0].stmt;
  auto& def = std::get<ast::FunctionDef>(unit_.ast.stmts[statement].node);
  constexpr std::string_view kConditional = "__conditional_annotations__";
  const auto& free = unit_.code.codes[f.code].freevars;
  if (!is_function() && co_.parent.valid() && std::find(free.begin(), free.end(), kConditional) != free.end()) {
    // a cell of the class body alone, which no function sees by its name
    const NameId which = intern(kConditional);
    def.args.args.push_back({which, {}, name(which)});
    if (std::find(temps_.begin(), temps_.end(), which) == temps_.end()) temps_.push_back(which);
  }
  if (takes_hidden_cell(f.code))
    bind_hidden_cells(f.code, def);
  else
    out.push_back(statement);
  for (std::size_t i = 1; i < line.stmts.size(); ++i) out.push_back(line.stmts[i].stmt);
}

void Translator::define(std::uint32_t code, NameId into) { define_as(function_of(code), into, true); }

// A lambda.
ExprId Translator::function_value(std::uint32_t code) {
  const lift::Body& body = unit_.bodies[code];
  const bool lambda = body.expr.valid() && unit_.code.codes[CodeId{code}].name == "<lambda>";
  if (!lambda || takes_hidden_cell(CodeId{code})) return {};
  return make(ast::Lambda{body.args, body.expr});
}

// A function of a code object that only running tells, as types.FunctionType makes it.
void Translator::make_function(ExprId code, ExprId closure, NameId into) {
  ExprIds args{code, builtin_call("globals", {})};
  if (closure.valid())
    for (const ExprId e : {none(), none(), closure}) args.push_back(e);
  assign(into, call(builtin_call("type", {make(ast::Lambda{{}, none()})}), std::move(args)));
}

// A function that lifts_function() has left, or one whose code is no constant: its attributes are set when it is there.
bool Translator::function_op(const Instruction& insn) {
  if (insn.op != Op::MAKE_FUNCTION && insn.op != Op::SET_FUNCTION_ATTRIBUTE) return false;
  const bool makes = insn.op == Op::MAKE_FUNCTION;
  const bool has_qualname = unit_.dialect.qualname_operand;
  const Entry& made_of = top(makes && has_qualname ? 2 : 1);
  const bool is_known = made_of.kind == Kind::kCode;
  const bool may_be_code =
      is_known || made_of.kind == Kind::kVar || (made_of.kind == Kind::kPending && made_of.form == Form::kPlain);
  if (makes && !may_be_code) return false;
  flush();
  if (!makes) {  // [attribute, function]
    Entry function = pop(), value = pop();
    if (insn.arg != 8)
      emit_raw(ast::Assign{{attribute(function.expr, lift::Lifter::attribute_of(insn.arg))}, value.expr});
    const NameId into = slot(size());
    assign(into, function.expr);
    push_var();
    return clear({function, value}), true;
  }
  std::vector<Entry> used;
  if (has_qualname) used.push_back(pop());
  const Entry code = pop();
  std::vector<std::pair<std::uint32_t, Entry>> attributes;
  for (std::uint32_t bit = 8; bit >= 1; bit /= 2)
    if ((insn.arg & bit) != 0) attributes.emplace_back(bit, pop());
  while (!is_known && size() > 0 && peek() != nullptr && peek()->op == Op::SET_FUNCTION_ATTRIBUTE)
    attributes.emplace_back((*stream_)[++at_].arg, pop());  // the closure must be there when it is made
  const NameId into = attributes.empty() ? slot(size()) : temp("f");
  if (is_known) {
    used.clear();
    define_as(function_of(code.a), into, true);
  } else {
    ExprId closure;
    for (const auto& [bit, e] : attributes)
      if (bit == 8) closure = e.expr;
    make_function(code.expr, closure, into);
    if (has_qualname) emit_raw(ast::Assign{{attribute(name(into), "__qualname__")}, used[0].expr});
    used.push_back(code);
  }
  for (auto& [bit, e] : attributes) {
    if (bit == 4 && unit_.dialect.annotations_tuple) {  // zip(*[iter(all)] * 2): pairs
      const ExprId one = make(ast::List{{builtin_call("iter", {e.expr})}});
      const ExprId both = make(ast::BinOp{one, ast::BinaryOperator::kMultiply, number(2)});
      e.expr = builtin_call("dict", {builtin_call("zip", {make(ast::Starred{both})})});
    }
    if (bit != 8) emit_raw(ast::Assign{{attribute(name(into), lift::Lifter::attribute_of(bit))}, e.expr});
    used.push_back(e);
  }
  if (into != slot(size())) {
    assign(slot(size()), name(into));
    emit_raw(ast::Assign{{name(into)}, none()});
  }
  push_var();
  clear(used);
  return true;
}

ast::Block Translator::known_stored(Entry entry, std::size_t depth) {
  state = {};
  out.clear();
  if (entry.kind == Kind::kFunction && !function_value(entry.a).valid())
    define(entry.a, slot(depth));
  else
    assign(slot(depth), value(entry, depth));
  return std::move(out);
}

}  // namespace depyf::fallback::dispatch
