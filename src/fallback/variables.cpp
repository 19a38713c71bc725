// SPDX-License-Identifier: MIT
// Variables that the lifter refuses: variables and cells of inlined comprehensions, class namespaces, cells as values.
#include <algorithm>

#include "fallback/families.h"

namespace depyf::fallback {

namespace {

// Fast locals of class bodies and modules, and those named like a global of their function: 3.12+ inlined comprehensions
constexpr std::string_view kHidden = "h_";

NameId local(Machine& m, std::uint32_t index) {
  return is_own(m, index) ? m.unmangle(local_names(m.co)[index]) : hidden_name(m, index);
}

// What an inlined comprehension put away of a local, while its own variable is in that place.
const Entry* cleared(const Machine& m, std::uint32_t index) {
  for (std::size_t i = m.size(); i-- > 0;)
    if (m.state.stack[i].kind == Kind::kCleared && m.state.stack[i].a / 2 == index) return &m.state.stack[i];
  return nullptr;
}

NameId deref(Machine& m, std::uint32_t index) {
  const std::string spelt(deref_name(m, index));
  if (m.shared.hidden.contains(spelt)) m.shared.outside.insert(spelt);
  return m.unmangle(spelt);
}

std::optional<NameId> store_target(Machine& m, const Instruction& insn) {
  switch (insn.op) {
    case Op::STORE_FAST: return local(m, insn.arg);
    case Op::STORE_NAME:
    case Op::STORE_GLOBAL: return m.unmangle(m.co.names[insn.arg]);
    case Op::STORE_DEREF: return is_hidden_cell(m, insn.arg) ? std::nullopt : std::optional(deref(m, insn.arg));
    default: return std::nullopt;
  }
}

// A cell as a value, which no name denotes: what a function that closes over the variable holds.
ExprId cell(Machine& m, NameId of) {
  const ExprId closure = m.attribute(m.make(ast::Lambda{{}, m.name(of)}), "__closure__");
  return m.subscript(closure, m.number(0));
}

ExprId fresh_cell(Machine& m) {
  ast::Arguments one;
  const NameId held = m.ours("cell");
  one.args.push_back({held, {}, {}});
  return m.call(m.make(ast::Lambda{std::move(one), cell(m, held)}), {m.none()});
}

// An inlined comprehension of a class body does not see the names of the class, as a function there does not.
ExprId past_class(Machine& m, std::string_view spelt) {
  const ExprId value = m.name(m.unmangle(spelt));
  return m.shared.kept.contains(std::string(spelt)) ? m.call(m.make(ast::Lambda{{}, value}), {}) : value;
}

// Outside functions the variable of a comprehension is a name in a namespace, which raises NameError where it has no value:
// a local of that name raises what the comprehension does.
void read_early(Machine& m, const Instruction& insn) {
  m.flush();
  const NameId kept = m.slot(m.size()), id = hidden_name(m, insn.arg);
  const bool is_cell = insn.op == Op::LOAD_DEREF;
  ast::Try t;
  t.body = {m.set(kept, is_cell ? m.attribute(m.name(id), "cell_contents") : m.name(id))};
  t.handlers.push_back({m.builtin(is_cell ? "ValueError" : "NameError"), {}, {m.set(kept, m.var("end"))}});
  m.emit_raw(std::move(t));
  const NameId spelt = m.unmangle(m.co.localsplus[insn.arg]);
  ast::Comprehension local{ast::ComprehensionKind::kList, m.none(), {}, {}};
  local.generators.push_back({m.var("i"), m.make(ast::Tuple{{m.none()}}), {m.name(spelt)}, false});
  local.generators.push_back({m.name(spelt), m.make(ast::Tuple{}), {}, false});
  m.add(m.when(m.is(m.name(kept), m.var("end")), {m.evaluate(m.make(std::move(local)))}));
  m.push_var();
}

void load_from_namespace(Machine& m, const Instruction& insn) {
  const std::string& spelt =
      insn.op == Op::LOAD_FROM_DICT_OR_GLOBALS ? m.co.names[insn.arg] : m.co.localsplus[insn.arg];
  const NameId id = m.unmangle(spelt);
  if (m.top().kind == Kind::kLocals) {
    m.state.stack.pop_back();
    return m.push(m.name(id));
  }
  m.flush();
  Entry e = m.pop();
  const ExprId test = m.make(ast::Compare{m.text(spelt), {ast::CompareOperator::kIn}, {e.expr}});
  m.push(m.select(test, m.subscript(e.expr, m.text(spelt)), m.name(id)), {e});
}

// The text's annotated statements have the dictionary made, where this version's compiler does that for any.
void setup_annotations(Machine& m) {
  if (m.unit.dialect.evaluates_annotations(m.co.flags)) {
    m.shared.wants_annotations = true;
    return;
  }
  const ExprId missing =
      m.make(ast::Compare{m.text("__annotations__"), {ast::CompareOperator::kNotIn}, {m.builtin_call("locals", {})}});
  m.emit(ast::If{missing, {m.set(m.name(m.intern("__annotations__")), m.make(ast::Dict{}))}, {}});
}

void clear_variable(Machine& m, const Instruction& insn) {
  const std::uint32_t index = insn.arg;
  for (std::size_t i = 0; i < m.size(); ++i) {  // functions over the variable that is put away
    const Entry& e = m.state.stack[i];
    if (e.kind != Kind::kFunction || m.unit.code.codes[CodeId{e.a}].name != "<lambda>") continue;
    const auto& free = m.unit.code.codes[CodeId{e.a}].freevars;
    if (std::find(free.begin(), free.end(), m.co.localsplus[index]) != free.end()) m.materialise(i);
  }
  m.flush();
  const bool hides = !m.is_function() || m.shared.hidden.contains(m.co.localsplus[index]);
  const NameId id = hides && m.is_function() ? hidden_name(m, index) : local(m, index), kept = m.slot(m.size());
  ast::Try t;
  t.body = {m.set(kept, m.name(id)), m.stmt(ast::Delete{{m.name(id)}})};
  t.handlers.push_back({m.builtin("NameError"), {}, {m.set(kept, m.var("end"))}});
  m.emit_raw(std::move(t));
  m.push_kind(Kind::kCleared, 2 * index + ((insn.flags & kMakesCell) != 0 ? 1 : 0));
  const auto early = m.shared.early_reads.find(insn.offset);
  const bool is_early = early != m.shared.early_reads.end();
  if (!is_hidden_cell(m, index) || (is_early && early->second == Op::LOAD_FAST)) return;
  m.assign(id, fresh_cell(m));
  if (is_early) m.emit_raw(ast::Delete{{m.attribute(m.name(id), "cell_contents")}});
}

void restore_cleared(Machine& m, NameId target) {
  const NameId kept = m.slot(m.size() - 1);
  const auto index = m.top().a / 2;
  const bool hides = is_hidden(m, index);
  m.state.stack.pop_back();
  Entry used;
  used.uses = {kept};
  // A cell that functions made by the comprehension hold: without a value to go back to, it keeps its last one.
  const bool is_cell =
      m.is_function() && !hides && index < m.co.localspluskinds.size() && (m.co.localspluskinds[index] & 0x40U) != 0;
  if (is_cell) {
    m.emit(ast::If{m.is_not(m.name(kept), m.var("end")), {m.set(target, m.name(kept))}, {}});
    return m.clear({used});
  }
  m.emit(ast::Assign{{m.name(target)}, m.name(kept)});
  m.add(m.when(m.is(m.name(kept), m.var("end")), {m.stmt(ast::Delete{{m.name(target)}})}));
  m.clear({used});
}

void store_name(Machine& m, NameId target) {
  if (m.top().kind == Kind::kCleared) return restore_cleared(m, target);
  const auto spelt = m.unit.ast.text(target);
  const bool in_class = !m.is_function() && m.co.parent.valid();
  // what the compiler adds to a class body by itself
  const bool made = (m.top().kind == Kind::kCell && spelt.starts_with("__class")) ||
                    (m.top().kind == Kind::kLocals && spelt == "__classdict__") ||
                    (in_class && m.unit.dialect.static_attributes && spelt == "__static_attributes__");
  if (made) {
    m.state.stack.pop_back();
    return;
  }
  Entry e = m.pop();
  m.emit(ast::Assign{{m.name(target)}, e.expr}, {e});
}

}  // namespace

NameId hidden_name(Machine& m, std::uint32_t index) {
  const std::string& name = local_names(m.co)[index];
  return m.temp(std::string(kHidden) + (name.starts_with('.') ? "arg" + name.substr(1) : name));
}

// Whether a slot holds the variable of an inlined comprehension where the function, or one in it, has another of that
// name.
bool is_hidden(const Machine& m, std::uint32_t index) {
  return m.unit.dialect.inlines_comprehensions && m.shared.hidden.contains(m.co.localsplus[index]) &&
         cleared(m, index) != nullptr;
}

std::string_view deref_name(const Machine& m, std::uint32_t index) {
  if (m.unit.dialect.exception_table) return m.co.localsplus[index];
  const auto cells = m.co.cellvars.size();
  return index < cells ? m.co.cellvars[index] : m.co.freevars[index - cells];
}

// 3.12+: a cell of a comprehension alone, as the name is another variable in the body around it. The slot's variable
// holds it as a value.
bool is_hidden_cell(const Machine& m, std::uint32_t index) {
  if (!m.unit.dialect.inlines_comprehensions || index >= m.co.localspluskinds.size()) return false;
  const auto kind = m.co.localspluskinds[index];
  if (!m.is_function()) return (kind & 0x50U) == 0x50U;
  return is_hidden(m, index) && cleared(m, index)->a % 2 != 0;
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
    case Op::LOAD_FAST: m.push(m.name(local(m, insn.arg))); return true;
    case Op::LOAD_GLOBAL: m.push(past_class(m, m.co.names[insn.arg])); return true;
    case Op::LOAD_DEREF:
      if (is_hidden_cell(m, insn.arg))
        m.push(m.attribute(m.name(hidden_name(m, insn.arg)), "cell_contents"));
      else
        m.push(m.is_function() ? m.name(deref(m, insn.arg)) : past_class(m, deref_name(m, insn.arg)));
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
    case Op::DELETE_FAST: m.emit(ast::Delete{{m.name(local(m, insn.arg))}}); return true;
    case Op::DELETE_DEREF: m.emit(ast::Delete{{m.name(deref(m, insn.arg))}}); return true;
    default: return false;
  }
}

}  // namespace depyf::fallback
