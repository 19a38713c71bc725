// SPDX-License-Identifier: MIT
// Translates the straight lines of an arm by the lifter, in its literal mode.
//
// Stack entries are converted to values of the lifter, and the values that it leaves back to entries: one that it
// spilled to the variable of its slot becomes kVar, any other stays pending. A line ends before an instruction that
// only this folder translates, or that the lifter refuses. Each generated variable is assigned None after the last
// statement that uses it, so that objects live no longer than in the original.
#include <algorithm>
#include <utility>

#include "ast/constants.h"
#include "ast/walk.h"
#include "code/fast_locals.h"
#include "fallback/families.h"

namespace depyf::fallback {

namespace {

// Returns whether the lifter can make a function: all variables that it closes over have a name in the text.
bool lifts_function(const Machine& m, CodeId code) {
  const auto& free = m.unit.code.codes[code].freevars;
  const bool in_class = !m.is_function() && m.co.parent.valid();
  return !takes_hidden_cell(m, code) &&
         (!in_class || std::find(free.begin(), free.end(), "__conditional_annotations__") == free.end());
}

// Returns the name of a class as a constant of this code object; None if there is no such constant.
ExprId class_name(Machine& m, std::uint32_t body) {
  for (const ConstId id : m.co.consts)
    if (const auto* s = std::get_if<ConstStr>(&m.unit.code.consts[id]);
        s != nullptr && s->text == m.unit.code.codes[CodeId{body}].name)
      return m.constant(id);
  return m.none();
}

// Converts entry `index` of the operand stack to a lift::Value; to a kKnown if the lifter has no kind for it.
lift::Value to_value(Machine& m, std::size_t index) {
  Entry& e = m.state.stack[index];
  lift::Value v;
  switch (e.kind) {
    case Kind::kPending:
      v.expr = e.expr;
      if (e.form == Form::kIter || e.form == Form::kAiter) {
        v.kind = lift::ValueKind::kIter;
        v.expr = e.raw;
        v.a = e.form == Form::kAiter ? 1 : 0;
      }
      v.a = e.form == Form::kAwaitable ? 1 : e.form == Form::kAwaited ? 2 : e.form == Form::kDelegate ? 3 : v.a;
      // Copy a display: the lifter lets it grow in place, and a line may be lifted more than once.
      if (const auto* node = &m.unit.ast.exprs[v.expr].node; std::holds_alternative<ast::List>(*node) ||
                                                             std::holds_alternative<ast::Set>(*node) ||
                                                             std::holds_alternative<ast::Dict>(*node))
        v.expr = m.unit.ast.expr(ast::ExprNode(*node), m.unit.ast.exprs[v.expr].origin);
      return v;
    case Kind::kVar: v.expr = m.name(m.slot(index)); return v;
    case Kind::kClassArguments:
      v.expr = m.make(ast::List{{m.none(), class_name(m, e.a - 1), m.starred(m.name(m.slot(index)))}});
      return v;
    case Kind::kNull: v.kind = lift::ValueKind::kNull; return v;
    case Kind::kBuildClass: v.kind = lift::ValueKind::kBuildClass; return v;
    case Kind::kCell:
      v.kind = lift::ValueKind::kCell;
      v.expr = m.value(e, index);
      return v;
    default: break;
  }
  v = {};
  v.kind = lift::ValueKind::kKnown;
  v.a = static_cast<std::uint32_t>(index);
  v.b = e.kind == Kind::kExc || e.kind == Kind::kExcType || e.kind == Kind::kExcTrace || e.kind == Kind::kPrevious ||
                e.kind == Kind::kLocals || e.kind == Kind::kCode
            ? 0
            : 1;
  return v;
}

// Returns the expression of a kIter or kKnown (lift::Literal::express); an invalid id if it has none.
ExprId express(Machine& m, const lift::Value& v) {
  if (v.kind == lift::ValueKind::kIter) {
    if (v.a == 0) return m.builtin_call("iter", {v.expr});
    return m.unit.dialect.builtin_anext ? m.builtin_call("aiter", {v.expr}) : async_iterator(m, v.expr);
  }
  Entry e = m.state.stack[v.a];
  return v.b == 0 ? m.value(e, v.a) : ExprId{};
}

// Returns the variables of slots (`s<n>`) and of the lifter (`t<n>`) in an expression.
std::vector<NameId> mentioned_vars(const Machine& m, ExprId expr) {
  std::vector<NameId> all;
  const auto& prefix = m.unit.options.temp_prefix;
  ast::Visitor look;
  look.expr = [&](ExprId e) {
    const auto* n = std::get_if<ast::Name>(&m.unit.ast.exprs[e].node);
    if (n == nullptr) return true;
    const auto text = m.unit.ast.text(n->id);
    const auto at = prefix.size();
    if (text.size() > at + 1 && text.starts_with(prefix) && (text[at] == 's' || text[at] == 't') &&
        text.find_first_not_of("0123456789", at + 1) == std::string_view::npos)
      all.push_back(n->id);
    return true;
  };
  ast::walk(m.unit.ast, expr, look);
  return all;
}

// Converts a value that the lifter left at stack depth `depth` to an entry.
Entry to_entry(Machine& m, lift::State& from, lift::Literal& literal, lift::Value& v, std::size_t depth) {
  const Instruction& last = m.stream[from.plain_end - 1];
  switch (v.kind) {
    case lift::ValueKind::kNull: return {.kind = Kind::kNull};
    case lift::ValueKind::kBuildClass: return {.kind = Kind::kBuildClass};
    case lift::ValueKind::kKnown: return m.state.stack[v.a];
    case lift::ValueKind::kFunction:
      if (m.unit.code.codes[from.pending->functions[v.a].code].name == "<lambda>") {
        v.expr = m.lifter.expression(from, v, last, literal);
        v.kind = lift::ValueKind::kExpr;
        break;
      }
      if (m.unit.dialect.qualname_operand)
        m.shared.qualnames.emplace_back(from.pending->functions[v.a].code.n, from.pending->functions[v.a].qualname);
      return {.kind = Kind::kFunction, .a = from.pending->functions[v.a].code.n};
    case lift::ValueKind::kCell:
    case lift::ValueKind::kClosure: return {.kind = Kind::kCell, .expr = m.lifter.expression(from, v, last, literal)};
    default: break;
  }
  const auto* n = std::get_if<ast::Name>(&m.unit.ast.exprs[v.expr].node);
  if (v.kind == lift::ValueKind::kExpr && n != nullptr && n->id == m.slot_name(depth) && v.a == 0)
    return {.kind = Kind::kVar};
  const auto* code = ast::constant_of<ConstCode>(m.unit.ast, m.unit.code, v.expr);
  if (code != nullptr && v.kind == lift::ValueKind::kExpr) return {.kind = Kind::kCode, .a = code->code.n};
  Entry e;
  e.expr = m.lifter.expression(from, v, last, literal);
  e.height = m.unit.sizes.height(m.unit.ast, e.expr);
  e.uses = mentioned_vars(m, e.expr);
  if (v.kind == lift::ValueKind::kIter) {
    e.form = v.a != 0 ? Form::kAiter : Form::kIter;
    e.raw = v.expr;
  } else if (ast::is_constant(m.unit.ast, e.expr)) {
    e.form = Form::kConstant;
  } else if (v.a == 2 || m.lifter.coroutines.contains(v.expr.n)) {
    e.form = Form::kAwaited;
  } else if (v.a != 0) {
    e.form = v.a == 1 ? Form::kAwaitable : Form::kDelegate;
  }
  return e;
}

// Emits the statements of a line. After each one, assigns None to the variables that it is the last one to use. `live`:
// the variables that the stack uses after the line.
void clear_unused(Machine& m, const std::vector<ast::StmtId>& line, const lift::Literal& literal,
                  std::set<std::uint32_t> live) {
  std::vector<Block> after(line.size());
  std::set<std::uint32_t> done = std::move(live);
  for (std::size_t i = line.size(); i-- > 0;) {
    std::vector<NameId> dead;
    const auto use = [&](NameId id) {
      if (!m.is_function()) m.temp(m.unit.ast.text(id).substr(m.unit.options.temp_prefix.size()));
      if (literal.used_names.contains(id.n) && done.insert(id.n).second) dead.push_back(id);
    };
    ast::Visitor look;
    look.stmt = [&](ast::StmtId s) { return s == line[i]; };
    look.expr = [&](ExprId e) {
      for (const NameId id : mentioned_vars(m, e)) use(id);
      return false;
    };
    ast::walk(m.unit.ast, Block{line[i]}, look);
    if (const auto* d = std::get_if<ast::FunctionDef>(&m.unit.ast.stmts[line[i]].node))
      if (literal.used_names.contains(d->name.n)) use(d->name);
    const auto* a = std::get_if<ast::Assign>(&m.unit.ast.stmts[line[i]].node);
    const bool clears = a != nullptr && std::holds_alternative<ast::NoneLiteral>(m.unit.ast.exprs[a->value].node);
    if (clears) continue;
    if (const auto* stored = ast::sole_target<ast::Name>(m.unit.ast, line[i])) {
      const auto read = mentioned_vars(m, a->value);  // the variable is dead before the statement unless that reads it
      if (std::find(read.begin(), read.end(), stored->id) == read.end()) done.erase(stored->id.n);
    }
    ExprIds targets;
    for (const NameId id : dead) targets.push_back(m.name(id));
    if (!targets.empty()) after[i].push_back(m.stmt(ast::Assign{std::move(targets), m.none()}));
  }
  for (std::size_t i = 0; i < line.size(); ++i) {
    m.out.push_back(line[i]);
    m.out.insert(m.out.end(), after[i].begin(), after[i].end());
  }
}

bool is_pending_value(const Entry& e) { return e.kind == Kind::kPending && e.form != Form::kConstant; }

// Returns whether a pending entry reads the variable of a lower slot, which is assigned first when the stack is flushed.
bool reads_lower_slot(Machine& m, const std::vector<Entry>& stack) {
  for (std::size_t d = 0; d < stack.size(); ++d)
    if (stack[d].kind == Kind::kPending)
      for (std::size_t at = 0; at < d; ++at)
        if (is_pending_value(stack[at]) && std::ranges::find(stack[d].uses, m.slot_name(at)) != stack[d].uses.end())
          return true;
  return false;
}

// Marks the list of class arguments, the entry after __build_class__ and NULL. Returns false if it is not pending.
bool mark_class_arguments(std::vector<Entry>& stack, CodeId body) {
  auto at = stack.size();
  while (at > 0 && stack[at - 1].kind != Kind::kBuildClass) --at;
  while (at < stack.size() && stack[at].kind == Kind::kNull) ++at;
  if (at == stack.size() || stack[at].kind != Kind::kPending) return false;
  stack[at].a = body.n + 1;
  return true;
}

// Materialises the topmost pending entry that shares a variable with an entry above it, and those below: an entry is
// used before those below it and clears its variables then.
void materialise_shared(Machine& m) {
  for (std::size_t d = m.size(); d-- > 0;) {
    const auto is_used_above = [&](NameId id) {
      for (std::size_t above = d + 1; above < m.size(); ++above) {
        const Entry& e = m.state.stack[above];
        if (std::ranges::find(e.uses, id) != e.uses.end()) return true;
        if (in_variable(e.kind) && m.slot_name(above) == id) return true;
      }
      return false;
    };
    const auto& e = m.state.stack[d];
    if (e.kind == Kind::kPending && std::ranges::any_of(e.uses, is_used_above)) return m.materialise(d);
  }
}

// Applies the result of a lifted line: emits its statements and replaces the stack. Returns false, with nothing
// changed, if pending values are on the stack in another order than they were evaluated in.
bool apply_line(Machine& m, lift::State& from, lift::Literal& literal) {
  std::vector<Entry> stack;
  std::set<std::uint32_t> live;
  std::uint32_t last = 0;
  bool is_ordered = true;
  for (std::size_t d = 0; d < from.stack.size(); ++d) {
    lift::Value& v = from.stack[d];
    const std::uint32_t seq = v.seq;
    stack.push_back(to_entry(m, from, literal, v, d));
    const Entry& e = stack.back();
    if (e.kind == Kind::kVar) live.insert(m.slot_name(d).n);
    if (!is_pending_value(e)) continue;
    for (const NameId id : e.uses) live.insert(id.n);
    if (m.unit.is_temp(e.expr)) continue;  // spilled, so evaluated already
    is_ordered = is_ordered && seq >= last;
    last = seq;
  }
  if (!is_ordered || reads_lower_slot(m, stack)) return false;
  if (from.class_function() && !mark_class_arguments(stack, from.pending->functions[*from.class_function()].code))
    return false;
  std::vector<ast::StmtId> line;
  for (const auto& s : from.stmts) {
    line.push_back(s.stmt);
    m.shared.annotates = m.shared.annotates || ast::is<ast::AnnAssign>(m.unit.ast.stmts[s.stmt].node);
  }
  m.state.stack = std::move(stack);
  clear_unused(m, line, literal, std::move(live));
  materialise_shared(m);
  return true;
}

lift::Literal literal_mode(Machine& m) {
  return {{},
          [&m](const lift::Value& v) { return express(m, v); },
          [&m](std::string_view function) { return m.builtin(function); },
          [&m](std::string_view function) { return m.from_builtins(function); },
          m.shared.wants_annotations};
}

// Converts the whole operand stack to the stack of a lift::State.
lift::State line_state(Machine& m) {
  lift::State line;
  for (std::size_t i = 0; i < m.size(); ++i) {
    const Entry& e = m.state.stack[i];
    lift::Value v;
    const auto number = static_cast<std::uint32_t>(line.pending->functions.size());
    if (e.kind == Kind::kFunction) {
      v.expr = function_value(m, e.a);
      if (!v.expr.valid()) {
        line.pending->functions.push_back(function_of(m, e.a));
        v.kind = lift::ValueKind::kFunction;
        v.a = number;
      }
    } else {
      v = to_value(m, i);
      if (e.form == Form::kAwaited) m.lifter.coroutines.insert(v.expr.n);
      if ((e.kind == Kind::kPending && e.a != 0) || e.kind == Kind::kClassArguments) {
        line.pending->functions.push_back(function_of(m, e.a - 1));
        line.pending->class_function = number;
      }
    }
    v.seq = m.lifter.next_seq();
    line.stack.push_back(v);
  }
  return line;
}

}  // namespace

// Returns whether a local has its own name in the text: not if it is hidden (is_hidden()), or outside functions.
bool has_own_name(Machine& m, std::uint32_t index) {
  const auto& names = local_names(m.co);
  if (m.shared.hidden.contains(names[index])) {
    if (is_hidden(m, index)) return false;
    m.shared.used_outside.insert(names[index]);
  }
  const bool global = m.shared.globals.contains(names[index]) && index >= parameter_count(m.co);
  return m.is_function() ? !global : is_of_kind(m.co, index, kFastFree);
}

// Returns whether an instruction may be part of a line for the lifter.
bool can_lift(Machine& m, const Instruction& insn) {
  const auto is_nameable = [&](std::uint32_t index) {
    if (is_hidden_cell(m, index)) return false;
    const std::string text(deref_name(m, index));
    if (m.shared.hidden.contains(text)) m.shared.used_outside.insert(text);
    return true;
  };
  const auto is_class_name = [&](std::string_view text) { return m.shared.class_names.contains(std::string(text)); };
  const auto is_implicit = [&](std::string_view text) {
    return !m.is_function() && text != "__class__" && (text.starts_with("__class") || text == "__static_attributes__");
  };
  switch (insn.op) {
    case Op::LOAD_FAST:
    case Op::STORE_FAST:
    case Op::DELETE_FAST: return has_own_name(m, insn.arg);
    case Op::LOAD_DEREF: return is_nameable(insn.arg) && (m.is_function() || !is_class_name(deref_name(m, insn.arg)));
    case Op::STORE_DEREF: return is_nameable(insn.arg) && !is_implicit(deref_name(m, insn.arg));
    case Op::DELETE_DEREF:
    case Op::LOAD_CLASSDEREF: return is_nameable(insn.arg);
    case Op::LOAD_CLOSURE: return m.is_function() && is_nameable(insn.arg);
    case Op::LOAD_GLOBAL: return !is_class_name(m.co.names[insn.arg]);
    case Op::STORE_NAME: return !is_implicit(m.co.names[insn.arg]);
    case Op::LOAD_CONST: {
      const auto* c = std::get_if<ConstCode>(&m.unit.code.consts[m.co.consts[insn.arg]]);
      return c == nullptr || lifts_function(m, c->code);
    }
    default:
      return (insn.op < Op::JUMP &&
              !is_one_of<Op::LOAD_LOCALS, Op::LOAD_FROM_DICT_OR_DEREF, Op::LOAD_FROM_DICT_OR_GLOBALS,
                         Op::LOAD_FAST_AND_CLEAR, Op::SETUP_ANNOTATIONS, Op::LOAD_SPECIAL, Op::PRINT_EXPR>(insn.op)) ||
             is_one_of<Op::GET_ITER, Op::GET_AITER, Op::GET_YIELD_FROM_ITER, Op::GET_AWAITABLE, Op::YIELD_FROM,
                       Op::YIELD_VALUE, Op::RESUME, Op::RETURN_GENERATOR>(insn.op);
  }
}

lift::FunctionValue function_of(const Machine& m, std::uint32_t code) {
  lift::FunctionValue f;
  f.code = CodeId{code};
  f.qualname = m.unit.code.codes[f.code].qualname;
  for (const auto& [which, qualname] : m.shared.qualnames)
    if (which == code) f.qualname = qualname;
  f.offset = m.origin.offset;
  return f;
}

// Translates the longest straight line from the current instruction on that the lifter accepts, and moves past it;
// false if there is none. Lifts again, from the same stack, if the line must be shorter or a COPY needs a temporary.
Result<bool> lift_line(Machine& m) {
  std::size_t stop = m.at;
  const auto enters = [&](std::size_t i) {  // whether a `with` statement begins here (3.14)
    return m.stream[i].op == Op::COPY && i + 1 < m.last && m.stream[i + 1].op == Op::LOAD_SPECIAL;
  };
  while (stop < m.last && can_lift(m, m.stream[stop]) && !enters(stop)) ++stop;
  while (stop > m.at) {
    lift::Literal literal = literal_mode(m);
    for (std::size_t i = 0; i < m.size(); ++i) {
      if (in_variable(m.state.stack[i].kind)) literal.used_names.insert(m.slot_name(i).n);
      for (const NameId id : m.state.stack[i].uses) literal.used_names.insert(id.n);
    }
    lift::State line = line_state(m);
    const auto status = m.lifter.run(line, m.stream, m.at, stop, literal);
    if (std::exchange(m.lifter.outgrown, false) && !std::exchange(m.lifter.spill_all, true)) continue;
    if (!status && status.error().code == Errc::kLimitExceeded) return status.error();
    if (!status || !line.refusal.empty() || line.plain_end < stop) {
      stop = std::min(stop - 1, line.plain_end);
      continue;
    }
    for (const auto& v : line.stack)
      if (v.kind == lift::ValueKind::kExpr) m.lifter.shared.note_use(v.expr);
    const auto before = m.lifter.spill.size();
    m.lifter.spill.merge(m.lifter.violations(std::nullopt));
    if (m.lifter.spill.size() > before) continue;
    if (apply_line(m, line, literal)) {
      m.at = line.plain_end;
      return true;
    }
    --stop;
  }
  return false;
}

// Lifts one instruction alone, after storing operands to variables that the lifter has no values for.
Result<bool> lift_with_variables(Machine& m, std::size_t operands) {
  if (!can_lift(m, m.stream[m.at])) return false;
  const bool calls = is_one_of<Op::CALL, Op::CALL_KW, Op::CALL_FUNCTION_EX>(m.stream[m.at].op);
  for (std::size_t i = m.size() - operands; i < m.size(); ++i) {
    Entry& e = m.state.stack[i];
    m.refused = m.refused || e.kind == Kind::kRealExit || e.kind == Kind::kExitResult;
    if (e.kind == Kind::kPending || e.kind == Kind::kBuildClass || e.kind == Kind::kCode) continue;
    if (e.kind == Kind::kNull && calls) continue;
    if (in_variable(e.kind))
      e = {.kind = Kind::kVar};
    else
      m.store(i);
  }
  const std::size_t last = std::exchange(m.last, m.at + 1), at = m.at;
  DEPYF_TRY(done, lift_line(m));
  m.last = last;
  m.at = at;  // Machine::run() advances by itself
  return done;
}

}  // namespace depyf::fallback
