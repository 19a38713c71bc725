// SPDX-License-Identifier: MIT
// Translates loads and stores of variables that the lifter refuses: variables and cells of inlined comprehensions
// (3.12+), the namespaces of class bodies, cells as values.
//
// A variable of an inlined comprehension that cannot have its own name is `h_<name>` in the text. If it is a cell that
// functions made by the comprehension close over, that variable holds the cell, which is read through `cell_contents`.
#include <algorithm>

#include "code/fast_locals.h"
#include "fallback/families.h"

namespace depyf::fallback {

namespace {

// Prefix for variables of inlined comprehensions, in class bodies and modules, and where another variable has the name.
constexpr std::string_view kHidden = "h_";

NameId local_name(Machine& m, std::uint32_t index) {
  return has_own_name(m, index) ? m.unmangle(local_names(m.co)[index]) : hidden_name(m, index);
}

// Returns the entry with the value that LOAD_FAST_AND_CLEAR saved of a local, null if there is none on the stack.
const Entry* saved_local(const Machine& m, std::uint32_t index) {
  for (std::size_t i = m.size(); i-- > 0;)
    if (m.state.stack[i].kind == Kind::kCleared && m.state.stack[i].a / 2 == index) return &m.state.stack[i];
  return nullptr;
}

NameId deref(Machine& m, std::uint32_t index) {
  const std::string text(deref_name(m, index));
  if (m.shared.hidden.contains(text)) m.shared.used_outside.insert(text);
  return m.unmangle(text);
}

// Returns the name that a store assigns to; nullopt for a hidden cell, whose contents are assigned.
std::optional<NameId> store_target(Machine& m, const Instruction& insn) {
  switch (insn.op) {
    case Op::STORE_FAST: return local_name(m, insn.arg);
    case Op::STORE_NAME:
    case Op::STORE_GLOBAL: return m.unmangle(m.co.names[insn.arg]);
    case Op::STORE_DEREF: return is_hidden_cell(m, insn.arg) ? std::nullopt : std::optional(deref(m, insn.arg));
    default: return std::nullopt;
  }
}

// Makes an expression of the cell of a variable: `(lambda: x).__closure__[0]`.
ExprId cell(Machine& m, NameId of) {
  const ExprId closure = m.attribute(m.make(ast::Lambda{{}, m.name(of)}), "__closure__");
  return m.subscript(closure, m.number(0));
}

// Makes an expression of a new cell that contains None.
ExprId fresh_cell(Machine& m) {
  ast::Arguments args;
  const NameId param = m.gen_name("cell");
  args.args.push_back({param, {}, {}});
  return m.call(m.make(ast::Lambda{std::move(args), cell(m, param)}), {m.none()});
}

// Makes an expression of a global or free variable that is read by an inlined comprehension of a class body. If the
// class has that name, too, reads it in a lambda, whose scope does not see the names of the class.
ExprId skip_class_scope(Machine& m, std::string_view text) {
  const ExprId value = m.name(m.unmangle(text));
  return m.shared.class_names.contains(std::string(text)) ? m.call(m.make(ast::Lambda{{}, value}), {}) : value;
}

// Translates an early read (see find_early_reads()). In modules and classes the variable is a name of the namespace,
// which raises NameError if unbound; a comprehension with an unbound local of that name raises what the original does.
void read_early(Machine& m, const Instruction& insn) {
  m.flush();
  const NameId saved = m.slot(m.size()), id = hidden_name(m, insn.arg);
  const bool is_cell = insn.op == Op::LOAD_DEREF;
  ast::Try t;
  t.body = {m.set(saved, is_cell ? m.attribute(m.name(id), "cell_contents") : m.name(id))};
  t.handlers.push_back({m.builtin(is_cell ? "ValueError" : "NameError"), {}, {m.set(saved, m.var("end"))}});
  m.emit_raw(std::move(t));
  const NameId text = m.unmangle(m.co.localsplus[insn.arg]);
  ast::Comprehension local_name{ast::ComprehensionKind::kList, m.none(), {}, {}};
  local_name.generators.push_back({m.var("i"), m.make(ast::Tuple{{m.none()}}), {m.name(text)}, false});
  local_name.generators.push_back({m.name(text), m.make(ast::Tuple{}), {}, false});
  m.add(m.when(m.is(m.name(saved), m.var("end")), {m.evaluate(m.make(std::move(local_name)))}));
  m.push_var();
}

void load_from_namespace(Machine& m, const Instruction& insn) {
  const std::string& text = insn.op == Op::LOAD_FROM_DICT_OR_GLOBALS ? m.co.names[insn.arg] : m.co.localsplus[insn.arg];
  const NameId id = m.unmangle(text);
  if (m.top().kind == Kind::kLocals) {
    m.state.stack.pop_back();
    return m.push(m.name(id));
  }
  m.flush();
  Entry e = m.pop();
  const ExprId test = m.make(ast::Compare{m.text(text), {ast::CompareOperator::kIn}, {e.expr}});
  m.push(m.select(test, m.subscript(e.expr, m.text(text)), m.name(id)), {e});
}

// Translates SETUP_ANNOTATIONS: by annotated statements where these imply it (add_prologue()), else by making the dict.
void setup_annotations(Machine& m) {
  if (m.unit.dialect.evaluates_annotations(m.co.flags)) {
    m.shared.wants_annotations = true;
    return;
  }
  const ExprId missing =
      m.make(ast::Compare{m.text("__annotations__"), {ast::CompareOperator::kNotIn}, {m.builtin_call("locals", {})}});
  m.emit(ast::If{missing, {m.set(m.name(m.intern("__annotations__")), m.make(ast::Dict{}))}, {}});
}

// Translates LOAD_FAST_AND_CLEAR: moves the value of a local, or the sentinel `end` if it is unbound, to a stack slot.
void clear_variable(Machine& m, const Instruction& insn) {
  const std::uint32_t index = insn.arg;
  for (std::size_t i = 0; i < m.size(); ++i) {  // lambdas that close over the variable must be made before
    const Entry& e = m.state.stack[i];
    if (e.kind != Kind::kFunction || m.unit.code.codes[CodeId{e.a}].name != "<lambda>") continue;
    const auto& free = m.unit.code.codes[CodeId{e.a}].freevars;
    if (std::find(free.begin(), free.end(), m.co.localsplus[index]) != free.end()) m.materialise(i);
  }
  m.flush();
  const bool hides = !m.is_function() || m.shared.hidden.contains(m.co.localsplus[index]);
  const NameId id = hides && m.is_function() ? hidden_name(m, index) : local_name(m, index), saved = m.slot(m.size());
  ast::Try t;
  t.body = {m.set(saved, m.name(id)), m.stmt(ast::Delete{{m.name(id)}})};
  t.handlers.push_back({m.builtin("NameError"), {}, {m.set(saved, m.var("end"))}});
  m.emit_raw(std::move(t));
  m.push_kind(Kind::kCleared, 2 * index + ((insn.flags & kMakesCell) != 0 ? 1 : 0));
  const auto early = m.shared.early_reads.find(insn.offset);
  const bool is_early = early != m.shared.early_reads.end();
  if (!is_hidden_cell(m, index) || (is_early && early->second == Op::LOAD_FAST)) return;
  m.assign(id, fresh_cell(m));
  if (is_early) m.emit_raw(ast::Delete{{m.attribute(m.name(id), "cell_contents")}});
}

// Translates the store that restores a local saved by LOAD_FAST_AND_CLEAR; deletes it if it was unbound.
void restore_cleared(Machine& m, NameId target) {
  const NameId saved = m.slot(m.size() - 1);
  const auto index = m.top().a / 2;
  const bool hides = is_hidden(m, index);
  m.state.stack.pop_back();
  Entry used;
  used.uses = {saved};
  // In the text, functions made by the comprehension share this cell with it, so a cell that was unbound stays bound.
  const bool is_cell = m.is_function() && !hides && is_of_kind(m.co, index, kFastCell);
  if (is_cell) {
    m.emit(ast::If{m.is_not(m.name(saved), m.var("end")), {m.set(target, m.name(saved))}, {}});
    return m.clear({used});
  }
  m.emit(ast::Assign{{m.name(target)}, m.name(saved)});
  m.add(m.when(m.is(m.name(saved), m.var("end")), {m.stmt(ast::Delete{{m.name(target)}})}));
  m.clear({used});
}

void store_name(Machine& m, NameId target) {
  if (m.top().kind == Kind::kCleared) return restore_cleared(m, target);
  const auto text = m.unit.ast.text(target);
  const bool in_class = !m.is_function() && m.co.parent.valid();
  // The stores of __class__, __classcell__, __classdict__ and __static_attributes__ are implicit in a class body.
  const bool is_implicit = (m.top().kind == Kind::kCell && text.starts_with("__class")) ||
                           (m.top().kind == Kind::kLocals && text == "__classdict__") ||
                           (in_class && m.unit.dialect.static_attributes && text == "__static_attributes__");
  if (is_implicit) {
    m.state.stack.pop_back();
    return;
  }
  Entry e = m.pop();
  m.emit(ast::Assign{{m.name(target)}, e.expr}, {e});
}

}  // namespace

// Returns the generated name of a local that cannot have its own.
NameId hidden_name(Machine& m, std::uint32_t index) {
  const std::string& name = local_names(m.co)[index];
  return m.temp(std::string(kHidden) + (name.starts_with('.') ? "arg" + name.substr(1) : name));
}

// Returns whether a local is now a variable of an inlined comprehension that needs another name (Shared::hidden).
bool is_hidden(const Machine& m, std::uint32_t index) {
  return m.unit.dialect.inlines_comprehensions && m.shared.hidden.contains(m.co.localsplus[index]) &&
         saved_local(m, index) != nullptr;
}

// Returns the name that the argument of LOAD_DEREF refers to.
std::string_view deref_name(const Machine& m, std::uint32_t index) {
  if (m.unit.dialect.exception_table) return m.co.localsplus[index];
  const auto cells = m.co.cellvars.size();
  return index < cells ? m.co.cellvars[index] : m.co.freevars[index - cells];
}

// Returns whether a local is at present a cell that belongs to an inlined comprehension alone (3.12+), because its name
// denotes another variable in the code around it. The generated variable of the local holds the cell object.
bool is_hidden_cell(const Machine& m, std::uint32_t index) {
  if (!m.unit.dialect.inlines_comprehensions || index >= m.co.localspluskinds.size()) return false;
  if (!m.is_function()) return is_of_kind(m.co, index, kFastCell) && is_of_kind(m.co, index, kFastHidden);
  return is_hidden(m, index) && saved_local(m, index)->a % 2 != 0;
}

bool load_op(Machine& m, const Instruction& insn) {
  const bool reads = insn.op == Op::LOAD_FAST || (insn.op == Op::LOAD_DEREF && is_hidden_cell(m, insn.arg));
  if (reads && !m.is_function() && m.shared.early_reads.contains(insn.offset)) {
    read_early(m, insn);
    return true;
  }
  switch (insn.op) {
    case Op::LOAD_CONST:
      if (const auto* c = std::get_if<ConstCode>(&m.unit.code.consts[m.co.consts[insn.arg]])) {
        m.push_kind(Kind::kCode, c->code.n);
        return true;
      }
      return false;
    case Op::LOAD_FAST: m.push(m.name(local_name(m, insn.arg))); return true;
    case Op::LOAD_GLOBAL: m.push(skip_class_scope(m, m.co.names[insn.arg])); return true;
    case Op::LOAD_DEREF:
      if (is_hidden_cell(m, insn.arg))
        m.push(m.attribute(m.name(hidden_name(m, insn.arg)), "cell_contents"));
      else
        m.push(m.is_function() ? m.name(deref(m, insn.arg)) : skip_class_scope(m, deref_name(m, insn.arg)));
      return true;
    case Op::LOAD_FROM_DICT_OR_DEREF:
    case Op::LOAD_FROM_DICT_OR_GLOBALS: load_from_namespace(m, insn); return true;
    case Op::LOAD_LOCALS: m.push_kind(Kind::kLocals); return true;
    case Op::LOAD_CLOSURE:
      m.push_kind(Kind::kCell, insn.arg);
      m.top().expr = m.is_function() && !is_hidden_cell(m, insn.arg) ? cell(m, deref(m, insn.arg)) : m.none();
      return true;
    case Op::SETUP_ANNOTATIONS: setup_annotations(m); return true;
    case Op::LOAD_FAST_AND_CLEAR: clear_variable(m, insn); return true;
    default: return false;
  }
}

bool store_op(Machine& m, const Instruction& insn) {
  switch (insn.op) {
    case Op::STORE_FAST:
    case Op::STORE_NAME:
    case Op::STORE_GLOBAL:
    case Op::STORE_DEREF:
      if (const auto target = store_target(m, insn)) {
        store_name(m, *target);
      } else {
        Entry e = m.pop();
        m.emit(ast::Assign{{m.attribute(m.name(hidden_name(m, insn.arg)), "cell_contents")}, e.expr}, {e});
      }
      return true;
    case Op::DELETE_FAST: m.emit(ast::Delete{{m.name(local_name(m, insn.arg))}}); return true;
    case Op::DELETE_DEREF: m.emit(ast::Delete{{m.name(deref(m, insn.arg))}}); return true;
    default: return false;
  }
}

}  // namespace depyf::fallback
