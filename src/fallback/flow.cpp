// SPDX-License-Identifier: MIT
// Iteration, awaiting, branches, and the ends of arms; see translate.h.
#include <algorithm>

#include "ast/walk.h"
#include "fallback/translate.h"

namespace depyf::fallback::dispatch {

Translator::Translator(lift::Unit& unit, CodeId code, const Cfg& cfg, Shared& shared)
    : Stack(unit, code, shared.temps, shared.builtins), cfg_(cfg), shared_(shared), lifter_(unit, code) {}

// The asynchronous iterator of a value up to 3.9, with the interpreter's own checks and errors: an asynchronous generator
// expression takes it when it is made, and keeps it in the first local of a frame that never runs.
ExprId Translator::async_iterator(ExprId iterable) {
  bool walrus = false;  // which the iterable of a comprehension must not hold: it is passed as an argument then
  ast::Visitor look;
  look.expr = [&](ExprId e) {
    walrus = walrus || std::holds_alternative<ast::NamedExpr>(unit_.ast.exprs[e].node);
    return !walrus;
  };
  ast::walk(unit_.ast, iterable, look);
  const NameId passed = intern(unit_.options.temp_prefix + "i");
  const ExprId item = name(temp("item"));
  ast::Comprehension made{ast::ComprehensionKind::kGenerator, item, {}, {}};
  made.generators.push_back({item, walrus ? name(passed) : iterable, {}, true});
  const ExprId frame = attribute(make(std::move(made)), "ag_frame");
  const ExprId iterator = make(ast::Subscript{attribute(frame, "f_locals"), text(".0")});
  if (!walrus) return iterator;
  ast::Arguments one;
  one.args.push_back({passed, {}, {}});
  return call(make(ast::Lambda{std::move(one), iterator}), {iterable});
}

bool Translator::iterate_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::GET_ANEXT: {
      flush();
      const ExprId it = name(slot(size() - 1));
      push(call(attribute(builtin_call("type", {it}), "__anext__"), {it}), {}, Form::kAwaitable);
      return true;
    }
    case Op::FOR_ITER: {
      settle_all(1);
      const NameId it = slot(size() - 1), item = slot(size());
      assign(item, builtin_call("next", {name(it), name(sentinel())}));
      Edge done{true, state, {item}, {}}, more{false, state, {}, {}};
      if ((insn.flags & kIterKept) != 0) {
        done.state.stack.push_back(Entry{});
        done.state.stack.back().kind = Kind::kNull;
      } else {
        done.state.stack.pop_back();
        done.clear.push_back(it);
      }
      more.state.stack.push_back(Entry{});
      more.state.stack.back().kind = Kind::kVar;
      result_.condition = is_not(name(item), name(sentinel()), false);
      result_.edges = {done, more};
      ended_ = true;
      return true;
    }
    default: return false;
  }
}

// Nothing is pending where control continues elsewhere: paths that meet there need not agree. The last `operands` are
// variables.
void Translator::settle_all(std::size_t operands) {
  for (std::size_t i = 0; i < size(); ++i) {
    Entry& e = state.stack[i];
    const auto* c = e.kind == Kind::kPending && e.form == Form::kConstant && i + operands < size()
                        ? std::get_if<ast::ConstantExpr>(&unit_.ast.exprs[e.expr].node)
                        : nullptr;
    if (c != nullptr) {
      const std::uint32_t id = c->value.n;
      e = Entry{};
      e.kind = Kind::kConstant;
      e.a = id;
    } else if (e.kind == Kind::kPending ||
               (e.kind == Kind::kFunction && unit_.code.codes[CodeId{e.a}].name == "<lambda>")) {
      materialise(i);
    }
  }
}

void Translator::yielded(Entry receiver) {
  const bool awaits = receiver.form == Form::kAwaitable ||
                      (receiver.form != Form::kDelegate && (co_.flags & (kCoCoroutine | kCoAsyncGenerator)) != 0);
  if (receiver.form == Form::kAwaited)
    push(receiver.expr, {receiver});
  else if (awaits)
    push(make(ast::Await{receiver.expr}), {receiver});
  else
    push(make(ast::YieldFrom{receiver.expr}), {receiver});
}

bool Translator::await_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::YIELD_FROM: {
      Entry sent = pop();
      yielded(pop());
      return true;
    }
    case Op::SEND: send(); return true;
    case Op::END_SEND: {
      flush();
      Entry result = pop();
      Entry receiver = pop();
      assign(slot(size()), result.expr);
      push_var();
      clear({result});
      return true;
    }
    default: return false;
  }
}

// A SEND that is no await: [receiver, value]; StopIteration's value ends the loop around it.
void Translator::send() {
  settle_all(2);
  const ExprId receiver = name(slot(size() - 2)), sent = name(slot(size() - 1));
  const NameId stop = intern(unit_.options.temp_prefix + "stop"), done = temp("done");
  const ExprId next = builtin_call("next", {receiver});
  ast::Try t;
  assign(done, boolean(false));
  t.body = {stmt(ast::Assign{
      {sent}, make(ast::IfExp{is_not(sent, none(), false), next, call(attribute(receiver, "send"), {sent})})})};
  t.handlers.push_back(
      {builtin("StopIteration"),
       stop,
       {stmt(ast::Assign{{sent}, attribute(name(stop), "value")}), stmt(ast::Assign{{name(done)}, boolean(true)})}});
  emit_raw(std::move(t));
  Edge exit{true, state, {}, {}}, again{false, state, {}, {}};
  if (!unit_.dialect.inlines_comprehensions) {  // 3.11 pops the receiver
    exit.state.stack.erase(exit.state.stack.end() - 2);
    assign(slot(size() - 2), make(ast::IfExp{name(done), sent, receiver}));
  }
  result_.condition = name(done);
  result_.edges = {exit, again};
  ended_ = true;
}

bool Translator::branch_op(const Instruction& insn) {
  bool keeps = false, negate = false, on_none = false;
  switch (insn.op) {
    case Op::POP_JUMP_IF_TRUE: break;
    case Op::POP_JUMP_IF_FALSE: negate = true; break;
    case Op::POP_JUMP_IF_NONE: on_none = true; break;
    case Op::POP_JUMP_IF_NOT_NONE: on_none = negate = true; break;
    case Op::JUMP_IF_TRUE_OR_POP: keeps = true; break;
    case Op::JUMP_IF_FALSE_OR_POP: keeps = negate = true; break;
    default: return false;
  }
  if (keeps) flush();
  Entry e = pop();
  settle_all();
  const auto gone = unused({e});
  Edge taken{true, state, gone, {}}, fallen{false, state, gone, {}};
  if (on_none && group_matched_ && size() > 0) {  // what matched is handled from here on
    Edge& match = negate ? taken : fallen;
    match.enters = slot(size() - 1);
    match.state.leave_to(clause_level());
    ++match.state.level;
    if (match.state.level <= shared_.group_levels)
      match.state.groups.push_back({match.state.level, static_cast<std::uint32_t>(size() - 1)});
  }
  if (keeps) {
    taken.state.stack.push_back(Entry{});
    taken.state.stack.back().kind = Kind::kVar;
    taken.clear.clear();
  }
  result_.condition = on_none ? is_not(e.expr, none(), negate) : e.expr;
  if (negate && !on_none)
    result_.edges = {fallen, taken};
  else
    result_.edges = {taken, fallen};
  ended_ = true;
  return true;
}

bool Translator::leave_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::RETURN_VALUE: {
      refused = refused || !state.withs.empty();  // __exit__ is not called here
      const bool nothing = top().kind != Kind::kPending && top().kind != Kind::kVar && top().kind != Kind::kFunction;
      if (!is_function()) {
        Entry e = state.stack.back();
        state.stack.pop_back();
        drop(e, size());
        result_.leaves = true;
      } else {
        Entry e = pop();
        const bool bare = nothing || (co_.flags & kCoAsyncGenerator) != 0;
        const bool value_known = e.kind != Kind::kExc && bare;
        emit(ast::Return{value_known ? ExprId{} : e.expr});
      }
      ended_ = true;
      return true;
    }
    case Op::RAISE_VARARGS: {
      auto e = pop(insn.arg);
      emit(ast::Raise{insn.arg > 0 ? e[0].expr : ExprId{}, insn.arg > 1 ? e[1].expr : ExprId{}});
      ended_ = true;
      return true;
    }
    case Op::RERAISE: {
      Entry e;
      if (unit_.dialect.handler_pushes_six) state.stack.pop_back();
      if (top().kind == Kind::kPending) flush();
      e = state.stack.back();
      e = pop();
      raise_again(e);
      ended_ = true;
      return true;
    }
    case Op::POP_EXCEPT: {
      const auto n = effect(unit_.dialect.version, insn, false).pops;
      std::uint32_t level = state.level;
      if (top().kind == Kind::kPrevious) level = top().a;
      for (std::int32_t i = 0; i < n; ++i) state.stack.pop_back();
      state.leave_to(level > 0 ? level - 1 : 0);
      refused = refused || (!state.withs.empty() && state.withs.back().level > state.level);
      return true;
    }
    case Op::END_ASYNC_FOR: {
      const auto n = effect(unit_.dialect.version, insn, false).pops;
      for (std::size_t i = 0; i + static_cast<std::size_t>(n) < size(); ++i)
        if (state.stack[i].kind == Kind::kPending) materialise(i);
      ast::Try t;
      t.body = {stmt(ast::Raise{})};
      t.handlers.push_back({builtin("StopAsyncIteration"), {}, {stmt(ast::Pass{})}});
      emit_raw(std::move(t));
      for (std::int32_t i = 0; i < n; ++i) {
        Entry e = state.stack.back();
        state.stack.pop_back();
        drop(e, size());
      }
      state.leave_to(state.level > 0 ? state.level - 1 : 0);
      return true;
    }
    default: return false;
  }
}

namespace {

// What operations work on that the interpreter alone makes (an exception that was raised, a code object, a function under
// construction), or nothing: where that is missing, no compiler has written the code.
std::string_view needed_object(Op op) {
  if (op == Op::MAKE_FUNCTION) return "a code object";
  const bool needs = op == Op::PUSH_EXC_INFO || op == Op::CLEANUP_THROW || op == Op::SET_FUNCTION_ATTRIBUTE;
  return needs ? "what it works on" : "";
}

// A call of NULL: a callable, or a method and its object, is never two of them.
bool calls_null(const std::vector<Entry>& stack, const Instruction& insn) {
  if (insn.op != Op::CALL && insn.op != Op::CALL_KW) return false;
  const std::size_t used = std::size_t{insn.arg} + (insn.op == Op::CALL_KW ? 3 : 2);
  if (stack.size() < used) return false;
  const auto* callee = &stack[stack.size() - used];
  return callee[0].kind == Kind::kNull && callee[1].kind == Kind::kNull;
}

}  // namespace

Result<Translated> Translator::run(const Arm& arm, State entry) {
  const BasicBlock& block = cfg_.blocks[arm.block];
  state = std::move(entry);
  for (auto& e : state.stack)
    if (e.kind == Kind::kConstant) {
      const ExprId known = constant(ConstId{e.a});
      e = Entry{};
      e.form = Form::kConstant;
      e.expr = known;
    }
  out.clear();
  result_ = {};
  ended_ = group_matched_ = false;
  stream_ = &block.code;
  last_ = arm.last;
  refused = false;
  for (at_ = arm.first; at_ < last_ && !ended_; ++at_) {
    DEPYF_TRY(done_so_far, lift_line());
    if (done_so_far && at_ >= last_) break;
    const Instruction& insn = block.code[at_];
    origin_ = {code_, insn.offset};
    const Effect e = effect(unit_.dialect.version, insn, false);
    if (size() < static_cast<std::size_t>(e.pops)) return Error{Errc::kMalformed, insn.offset, "stack underflow"};
    if (calls_null(state.stack, insn)) return Error{Errc::kMalformed, insn.offset, "a call of NULL"};
    bool done = real_with_op(insn) || stack_op(insn) || load_op(insn) || store_op(insn) || value_op(insn) ||
                call_op(insn) || function_op(insn) || import_op(insn) || iterate_op(insn) || await_op(insn) ||
                branch_op(insn) || leave_op(insn) || context_op(insn) || exception_op(insn) || group_op(insn) ||
                pattern_op(insn) || intrinsic_op(insn);
    if (!done) {
      DEPYF_TRY(as_values, lift_plainly(static_cast<std::size_t>(e.pops)));
      done = as_values;
    }
    if (const auto needed = needed_object(insn.op); !done && !needed.empty())
      return Error{Errc::kMalformed, insn.offset, std::string(op_name(insn.op)) + " without " + std::string(needed)};
    if (!done) return Error{Errc::kInternal, insn.offset, "no translation of " + std::string(op_name(insn.op))};
  }
  if (!ended_) {
    settle_all();
    result_.edges = {Edge{false, state, {}, {}}};
  }
  result_.end = std::min(at_, last_);
  if (result_.statements.empty()) result_.statements = std::move(out);
  return std::move(result_);
}

}  // namespace depyf::fallback::dispatch
