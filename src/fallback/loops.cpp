// SPDX-License-Identifier: MIT
// The dispatch loop as text: bodies of arms, the tree of tests over the state, a loop for each scope; see dispatcher.h.
#include <algorithm>

#include "fallback/dispatcher.h"

namespace depyf::fallback::dispatch {

namespace {

constexpr std::size_t kLeafArms = 8;  // tested one after the other

}  // namespace

bool Dispatcher::inlines(std::uint32_t from, std::uint32_t to, std::uint32_t depth) const {
  const auto &a = arms_[from], &b = arms_[to];
  return b.preds == 1 && to != 0 && !b.by_exception && level(from) == level(to) && a.entry->withs == b.entry->withs &&
         a.handling == b.handling && depth <= kMaxInline;
}

std::uint32_t Dispatcher::scope_of(const State& state) {
  std::uint32_t scope = 0;
  for (std::uint32_t level = 1; level <= state.level; ++level) {
    std::uint32_t with = kNoArm;
    for (const With& w : state.withs)
      if (w.level == level) with = w.arm;
    const auto [it, fresh] = scope_by_place_.try_emplace({scope, with}, static_cast<std::uint32_t>(scopes_.size()));
    if (fresh) {
      scopes_[scope].inner.push_back(it->second);
      scopes_.push_back({scope, level, with, {}, {}, 0});
    }
    scope = it->second;
  }
  return scope;
}

std::uint32_t Dispatcher::head_of(std::uint32_t arm) {
  const auto [it, fresh] = head_by_arm_.try_emplace(arm, static_cast<std::uint32_t>(heads_.size()));
  if (fresh) {
    heads_.push_back({arm, kNoArm, scope_of(*arms_[arm].entry), arms_[arm].handling, {}, 0});
    work_.push_back(it->second);
  }
  return it->second;
}

// The state that holds the with statement whose body begins with `arm`.
std::uint32_t Dispatcher::head_of_with(std::uint32_t arm) {
  const auto [it, fresh] = head_by_with_.try_emplace(arm, static_cast<std::uint32_t>(heads_.size()));
  if (fresh) {
    const RealWith& with = withs_.at(arm);
    heads_.push_back({kNoArm, arm, scopes_[scope_of(*arms_[arm].entry)].parent, with.handling, {}, 0});
    head_of(arm);
    head_of(with.swallow_target);
  }
  return it->second;
}

std::uint32_t Dispatcher::landing_for(const Handling& handling) {
  for (std::uint32_t h = 0; h < heads_.size(); ++h)
    if (heads_[h].arm == kNoArm && heads_[h].with == kNoArm && heads_[h].handling == handling) return h;
  ast::Block body{stmt(ast::Raise{var("x"), {}})};
  const auto scope = scopes_[scope_of(*arms_[handling.arm].entry)].parent;
  heads_.push_back({kNoArm, kNoArm, scope, handling, std::move(body), 0});
  return static_cast<std::uint32_t>(heads_.size() - 1);
}

ast::ExprId Dispatcher::state_number(std::uint32_t head) {
  const auto e = expr(ast::IntLiteral{0});
  numbers_.emplace_back(e, head);
  return e;
}

// What the target wants in a variable and this side knows; what this side is done with.
ast::Block Dispatcher::edge_code(Translator& t, std::uint32_t from, std::size_t edge) {
  ast::Block out;
  const Edge& e = arms_[from].code.edges[edge];
  const auto& wanted = arms_[arms_[from].targets[edge]].entry->stack;
  ast::ExprIds cleared;
  for (const auto id : e.clear) cleared.push_back(expr(ast::Name{id}));
  for (std::size_t d = 0; d < std::min(wanted.size(), e.state.stack.size()); ++d) {
    const Entry& have = e.state.stack[d];
    if (wanted[d].kind != Kind::kVar || in_variable(have.kind)) continue;
    const ast::Block stored = t.known_stored(have, d);
    out.insert(out.end(), stored.begin(), stored.end());
  }
  if (!cleared.empty()) out.push_back(stmt(ast::Assign{cleared, none()}));
  return out;
}

// Going on in another state; where an exception becomes the one that is handled, by raising it.
ast::Block Dispatcher::leave_to(std::uint32_t from, std::size_t edge) {
  const std::uint32_t to = arms_[from].targets[edge];
  const auto crossing = arms_[from].code.edges[edge].crossing;
  if (crossing == Crossing::kEntersWith) return {set(var("pc"), state_number(head_of_with(to)))};
  if (crossing == Crossing::kLeavesWith) {
    const With with = arms_[from].entry->withs.back();
    return {set(var("w" + std::to_string(with.level)), state_number(head_of(to))),
            set(var("pc"), state_number(head_of_with(with.arm)))};
  }
  const auto enters = arms_[from].code.edges[edge].enters;
  if (!enters.valid() || level(to) <= level(from)) return {go_to(to)};
  head_of(to);
  const auto which = [&] { return expr(ast::Name{enters}); };
  return {set(var("x"), which()), set(var("c"), attribute(which(), "__context__")),
          set(var("t"), attribute(which(), "__traceback__")),
          set(var("pc"), state_number(landing_for({to, level(to)})))};
}

ast::Block Dispatcher::arm_code(Translator& t, std::uint32_t arm, std::uint32_t depth) {
  ast::Block out;
  for (;;) {
    const auto& info = arms_[arm];
    const auto& block = cfg_.blocks[info.arm.block];
    origin_ = {code_, block.code.empty() ? 0 : block.code[std::min(info.arm.last, block.code.size()) - 1].offset};
    out.insert(out.end(), info.code.statements.begin(), info.code.statements.end());
    if (info.code.leaves)
      out.push_back(set(var("pc"), expr(ast::UnaryOp{ast::UnaryOperator::kUSub, expr(ast::IntLiteral{1})})));
    if (info.targets.empty()) return out;
    const auto edges = info.targets.size();
    const ast::Block first = edge_code(t, arm, 0);
    if (edges == 1) {
      out.insert(out.end(), first.begin(), first.end());
      if (!inlines(arm, info.targets[0], 0)) {
        const ast::Block leave = leave_to(arm, 0);
        out.insert(out.end(), leave.begin(), leave.end());
        return out;
      }
      arm = info.targets[0];
      continue;
    }
    const ast::Block second = edge_code(t, arm, 1);
    const auto yes = info.targets[0], no = info.targets[1];
    const auto origin = origin_;
    const bool in_yes = inlines(arm, yes, depth + 1), in_no = inlines(arm, no, depth + 1);
    const auto& ends = arms_[arm].code.edges;
    const bool enters = ends[0].enters.valid() || ends[1].enters.valid();
    if (!in_yes && !in_no && !enters && first.empty() && second.empty()) {
      const auto a = state_number(head_of(yes)), b = state_number(head_of(no));
      out.push_back(set(var("pc"), expr(ast::IfExp{info.code.condition, a, b})));
      return out;
    }
    const auto side = [&](const ast::Block& moves, std::size_t edge, bool in) {
      ast::Block body = moves;
      const ast::Block rest = in ? arm_code(t, arms_[arm].targets[edge], depth + 1) : leave_to(arm, edge);
      body.insert(body.end(), rest.begin(), rest.end());
      origin_ = origin;
      return body;
    };
    ast::If branch;
    branch.test = arms_[arm].code.condition;
    branch.body = side(first, 0, in_yes);
    branch.orelse = side(second, 1, in_no);
    out.push_back(stmt(std::move(branch)));
    return out;
  }
}

// Outer ones before inner ones, each directly followed by its inner ones.
std::vector<std::uint32_t> Dispatcher::order_scopes() {
  std::vector<std::uint32_t> order, todo{0};
  while (!todo.empty()) {
    const std::uint32_t scope = todo.back();
    todo.pop_back();
    order.push_back(scope);
    const auto& inner = scopes_[scope].inner;
    todo.insert(todo.end(), inner.rbegin(), inner.rend());
  }
  return order;
}

void Dispatcher::number_heads() {
  for (std::uint32_t h = 0; h < heads_.size(); ++h) scopes_[heads_[h].scope].heads.push_back(h);
  const auto place = [&](std::uint32_t h) { return std::min(heads_[h].arm, heads_[h].with); };
  std::uint32_t n = 0;
  for (const std::uint32_t s : order_scopes()) {
    Scope& scope = scopes_[s];
    scope.first = n;
    std::stable_sort(scope.heads.begin(), scope.heads.end(), [&](auto a, auto b) { return place(a) < place(b); });
    for (const std::uint32_t h : scope.heads) heads_[h].number = n++;
  }
  for (const auto& [e, head] : numbers_) unit_.ast.exprs[e].node = ast::IntLiteral{heads_[head].number};
}

// Tests of the state: halves, then a chain. `exact`: each item is one state; else all from its state on.
ast::Block Dispatcher::tree(const std::vector<std::pair<std::uint32_t, ast::Block>>& items, std::size_t first,
                            std::size_t last, bool exact) {
  const auto test = [&](ast::CompareOperator op, std::uint32_t n) {
    return expr(ast::Compare{var("pc"), {op}, {expr(ast::IntLiteral{n})}});
  };
  if (last - first == 1) return items[first].second;
  if (last - first <= kLeafArms) {
    ast::Block rest = items[last - 1].second;
    for (std::size_t i = last - 1; i-- > first;) {
      const auto e =
          exact ? test(ast::CompareOperator::kEq, items[i].first) : test(ast::CompareOperator::kLt, items[i + 1].first);
      rest = {stmt(ast::If{e, items[i].second, rest})};
    }
    return rest;
  }
  const std::size_t middle = first + (last - first) / 2;
  const auto low = tree(items, first, middle, exact), high = tree(items, middle, last, exact);
  return {stmt(ast::If{test(ast::CompareOperator::kLt, items[middle].first), low, high})};
}

// An exception raised in a state of `level`, as the variable of clause level + 1.
ast::Block Dispatcher::exception_leaf(std::uint32_t level, const Head& head) {
  const Handling h = head.handling;
  if (h.arm == kNoArm) return {stmt(ast::Raise{})};
  ast::Block out;
  const bool landed = head.arm == kNoArm && head.with == kNoArm;
  if (landed) {
    out.push_back(set(attribute(exception(h.level), "__context__"), var("c")));
    if (!unit_.dialect.handler_pushes_six) out.push_back(set(attribute(exception(h.level), "__traceback__"), var("t")));
    out.push_back(stmt(ast::Assign{{var("x"), var("c"), var("t")}, none()}));
  }
  if (h.level == level + 1) {
    out.push_back(set(var("pc"), expr(ast::IntLiteral{heads_[head_by_arm_.at(h.arm)].number})));
  } else {
    const auto landing = landing_for(h);
    out.push_back(set(var("x"), exception(level + 1)));
    out.push_back(set(var("c"), attribute(exception(level + 1), "__context__")));
    out.push_back(set(var("t"), attribute(exception(level + 1), "__traceback__")));
    out.push_back(set(var("pc"), expr(ast::IntLiteral{heads_[landing].number})));
  }
  const ast::Block cleared = clear_all(held_in(head), arms_[h.arm].held);
  out.insert(out.end(), cleared.begin(), cleared.end());
  return out;
}

ast::Block Dispatcher::clear_all(const std::vector<NameId>& held, const std::vector<NameId>& kept) {
  ast::ExprIds cleared;
  for (const auto id : held)
    if (std::find(kept.begin(), kept.end(), id) == kept.end()) cleared.push_back(expr(ast::Name{id}));
  if (cleared.empty()) return {};
  return {stmt(ast::Assign{cleared, none()})};
}

// Variables that may be live when something is raised in a state; none where it was raised elsewhere.
const std::vector<NameId>& Dispatcher::held_in(const Head& head) const {
  static const std::vector<NameId> nothing;
  if (head.with != kNoArm) return withs_.at(head.with).held;
  return head.arm != kNoArm ? arms_[head.arm].held : nothing;
}

ast::Block Dispatcher::exception_map(const Scope& scope) {
  std::vector<std::pair<std::uint32_t, ast::Block>> items;
  const auto alike = [&](const Head& a, const Head& b) {
    if (!(a.handling == b.handling)) return false;
    const auto landed = [](const Head& h) { return h.arm == kNoArm && h.with == kNoArm; };
    if (landed(a) != landed(b)) return false;
    return a.handling.arm == kNoArm || held_in(a) == held_in(b);
  };
  const Head* previous = nullptr;
  const auto add = [&](std::uint32_t from, const Head& head) {
    if (previous == nullptr || !alike(*previous, head)) items.emplace_back(from, exception_leaf(scope.level, head));
    previous = &head;
  };
  for (const auto h : scope.heads) add(heads_[h].number, heads_[h]);
  for (const auto inner : scope.inner)  // what a with statement lets out was raised in one of its states
    if (scopes_[inner].with != kNoArm) add(scopes_[inner].first, heads_[head_by_with_.at(scopes_[inner].with)]);
  return tree(items, 0, items.size(), false);
}

// The loop over the states of one scope; `loops` has those of inner ones.
ast::Block Dispatcher::scope_loop(Translator& t, const Scope& scope, const std::vector<ast::Block>& loops) {
  ast::Block handled_here;
  std::map<std::uint32_t, std::uint32_t> bodies;  // of with statements
  for (const auto inner : scope.inner) {
    if (scopes_[inner].with == kNoArm)
      handled_here = loops[inner];
    else
      bodies[scopes_[inner].with] = inner;
  }
  if (scope.heads.empty()) return handled_here;
  std::vector<std::pair<std::uint32_t, ast::Block>> items;
  bool handled = false;
  for (const auto h : scope.heads) {
    const auto with = heads_[h].with;
    items.emplace_back(heads_[h].number, with == kNoArm ? heads_[h].body : with_statement(h, loops[bodies.at(with)]));
    handled = handled || heads_[h].handling.arm != kNoArm;
  }
  ast::Block body = tree(items, 0, items.size(), true);
  if (handled) {
    ast::Try attempt;
    attempt.body = std::move(body);
    ast::ExceptHandler clause;
    clause.type = t.base_exception();
    clause.name = unit_.ast.intern(unit_.options.temp_prefix + "e" + std::to_string(scope.level + 1));
    clause.body = exception_map(scope);
    clause.body.insert(clause.body.end(), handled_here.begin(), handled_here.end());
    attempt.handlers.push_back(std::move(clause));
    body = {stmt(std::move(attempt))};
  }
  ast::While loop;
  const bool forever = scope.level == 0 && (co_.flags & kCoOptimized) != 0;
  loop.test = forever
                  ? t.truth()
                  : expr(ast::Compare{var("pc"), {ast::CompareOperator::kGtE}, {expr(ast::IntLiteral{scope.first})}});
  loop.body = std::move(body);
  return {stmt(std::move(loop))};
}

ast::Block Dispatcher::loops(Translator& t) {
  std::vector<ast::Block> made(scopes_.size());
  const auto order = order_scopes();
  for (auto s = order.rbegin(); s != order.rend(); ++s) made[*s] = scope_loop(t, scopes_[*s], made);
  return made[0];
}

// Which variables of inlined comprehensions cannot have their own name: it denotes another variable, in the function or
// in one that it holds.
void Dispatcher::hide_variables() {
  if (!unit_.dialect.inlines_comprehensions || (co_.flags & kCoOptimized) == 0) return;
  std::set<std::uint32_t> cleared;
  for (std::uint32_t b = 0; b < cfg_.blocks.size(); ++b)
    for (const auto& insn : cfg_.blocks[BlockId{b}].code)
      if (insn.op == Op::LOAD_FAST_AND_CLEAR) cleared.insert(insn.arg);
  if (cleared.empty()) return;
  if (const auto bytecode = decode(unit_.code, code_, unit_.options.limits); bytecode.ok()) {
    const auto& all = bytecode->code;
    for (std::size_t i = 1; i < all.size(); ++i)
      if (all[i].op == Op::MAKE_CELL && all[i - 1].op == Op::LOAD_FAST_AND_CLEAR && all[i - 1].arg == all[i].arg)
        shared_.made_cells.insert(all[i - 1].offset);
  }
  std::set<std::string> inside;  // names that functions and classes in this one look up
  std::vector<CodeId> todo{code_};
  while (!todo.empty()) {
    const auto& co = unit_.code.codes[todo.back()];
    if (todo.back() != code_) inside.insert(co.names.begin(), co.names.end());
    todo.pop_back();
    for (const ConstId k : co.consts)
      if (const auto* child = std::get_if<ConstCode>(&unit_.code.consts[k])) todo.push_back(child->code);
  }
  for (const auto index : cleared) {
    const auto& name = co_.localsplus[index];
    const bool is_cell = (co_.localspluskinds[index] & 0xC0U) != 0;
    const bool twice = std::count(co_.localsplus.begin(), co_.localsplus.end(), name) > 1;
    if (is_cell || twice || shared_.globals.contains(name) || inside.contains(name)) shared_.hidden.insert(name);
  }
}

// In modules and classes: reads of a comprehension's variable before its target is stored, in the order of the code, and
// where its slot was cleared.
void Dispatcher::find_early_reads() {
  if (!unit_.dialect.inlines_comprehensions || (co_.flags & kCoOptimized) != 0) return;
  std::vector<Instruction> all;
  for (std::uint32_t b = 0; b < cfg_.blocks.size(); ++b) {
    const auto& code = cfg_.blocks[BlockId{b}].code;
    all.insert(all.end(), code.begin(), code.end());
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.offset < b.offset; });
  std::map<std::uint32_t, std::uint32_t> unbound;  // slots, and where they were cleared
  for (const auto& insn : all) {
    if (insn.op == Op::LOAD_FAST_AND_CLEAR) unbound[insn.arg] = insn.offset;
    if (insn.op == Op::STORE_FAST || insn.op == Op::STORE_DEREF) unbound.erase(insn.arg);
    if (insn.op != Op::LOAD_FAST && insn.op != Op::LOAD_DEREF) continue;
    if (const auto it = unbound.find(insn.arg); it != unbound.end())
      shared_.early_reads.insert({{insn.offset, insn.op}, {it->second, insn.op}});
  }
}

// What makes a name local, or the function a generator, may occur in code that is never reached.
void Dispatcher::bind_names(ast::Block& head) {
  std::vector<std::string> bound;
  std::set<std::string> read;  // a local that nothing reads need not be one
  bool yields = false;
  const auto add = [&](const std::vector<std::string>& names, std::uint32_t i) {
    if (i < names.size() && !shared_.hidden.contains(names[i])) bound.push_back(names[i]);
  };
  for (const auto& info : arms_) {
    if (!info.entry) continue;
    const auto& code = cfg_.blocks[info.arm.block].code;
    for (std::size_t i = info.arm.first; i < info.arm.last; ++i) {
      const bool plus = unit_.dialect.exception_table;
      const Op op = code[i].op;
      yields = yields || op == Op::YIELD_VALUE || op == Op::YIELD_FROM;
      const auto& locals = plus ? co_.localsplus : co_.varnames;
      if (op == Op::LOAD_FAST && code[i].arg < locals.size()) read.insert(locals[code[i].arg]);
      if (op == Op::STORE_FAST || op == Op::DELETE_FAST) add(locals, code[i].arg);
      if (op == Op::STORE_DEREF || op == Op::DELETE_DEREF) add(plus ? co_.localsplus : co_.cellvars, code[i].arg);
    }
  }
  const std::size_t parameters = parameter_count(co_);
  ast::Block body;
  const auto bind = [&](const std::string& name) {
    const auto first = co_.varnames.begin();
    const auto last = first + static_cast<std::ptrdiff_t>(std::min(parameters, co_.varnames.size()));
    if (name.starts_with('.') || std::find(first, last, name) != last ||
        std::find(bound.begin(), bound.end(), name) != bound.end() || shared_.globals.contains(name))
      return;
    if (shared_.hidden.contains(name) && !shared_.outside.contains(name)) return;  // a comprehension's alone
    bound.push_back(name);
    body.push_back(set(expr(ast::Name{unit_.ast.intern(name)}), none()));
  };
  const auto& free = co_.freevars;  // Dynamo leaves a name among the variables that it has made a free one
  for (const auto& name : co_.varnames)
    if (std::find(free.begin(), free.end(), name) == free.end() && read.contains(name)) bind(name);
  for (const auto& name : co_.cellvars) bind(name);
  if (!yields && (co_.flags & (kCoGenerator | kCoAsyncGenerator)) != 0)
    body.push_back(stmt(ast::ExprStmt{expr(ast::Yield{})}));
  if (!body.empty()) head.push_back(stmt(ast::If{expr(ast::IntLiteral{0}), body, {}}));
}

// Before all: what the arms rely on. After all, where names are seen from outside: no variable of ours stays.
void Dispatcher::surround(Translator& t, ast::Block& block) {
  origin_ = {code_, 0};
  const auto used = [&](std::string_view s) {
    const auto id = unit_.ast.intern(unit_.options.temp_prefix + std::string(s));
    return std::find(shared_.temps.begin(), shared_.temps.end(), id) != shared_.temps.end();
  };
  ast::Block head;
  if ((co_.flags & kCoOptimized) != 0) bind_names(head);
  ast::Block check;
  if (used("star")) check.push_back(stmt(t.group_type_check()));
  if (used("builtins")) head.push_back(stmt(ast::Import{{{"builtins", temp("builtins")}}, false}));
  head.insert(head.end(), check.begin(), check.end());
  if (used("end")) head.push_back(set(var("end"), expr(ast::List{})));
  if (shared_.wants_annotations && !shared_.annotates) {
    const auto zero = expr(ast::IntLiteral{0});
    head.push_back(stmt(ast::If{zero, {stmt(ast::AnnAssign{var("a"), zero, {}, true})}, {}}));
  }
  std::size_t at = 0;
  const auto from_future = [&](ast::StmtId s) {
    const auto* from = std::get_if<ast::ImportFrom>(&unit_.ast.stmts[s].node);
    return from != nullptr && from->module == "__future__";
  };
  if (!co_.parent) std::stable_partition(block.begin(), block.end(), from_future);  // nothing may come before them
  for (; at < block.size(); ++at) {
    const auto& node = unit_.ast.stmts[block[at]].node;
    if (from_future(block[at])) continue;
    const auto* a = std::get_if<ast::Assign>(&node);
    const auto* n =
        a != nullptr && a->targets.size() == 1 ? std::get_if<ast::Name>(&unit_.ast.exprs[a->targets[0]].node) : nullptr;
    const auto name = n != nullptr ? unit_.ast.text(n->id) : std::string_view{};
    if (name != "__doc__" && name != "__module__" && name != "__qualname__" && name != "__firstlineno__" &&
        name != "__type_params__")
      break;
  }
  if ((co_.flags & kCoOptimized) != 0) at = 0;
  block.insert(block.begin() + static_cast<std::ptrdiff_t>(at), head.begin(), head.end());
  if ((co_.flags & kCoOptimized) != 0 || shared_.temps.empty()) return;
  at += head.size();
  ast::ExprIds targets, gone;
  for (const auto id : shared_.temps) {
    targets.push_back(expr(ast::Name{id}));
    gone.push_back(expr(ast::Name{id}));
  }
  ast::Block last{stmt(ast::Assign{targets, none()}), stmt(ast::Delete{gone})};
  const auto holds_nothing = [&](ast::NameId id) {
    const auto text = unit_.ast.text(id).substr(unit_.options.temp_prefix.size());
    return text == "pc" || text == "end" || text == "builtins";
  };
  if (!std::all_of(shared_.temps.begin(), shared_.temps.end(), holds_nothing)) {  // neither when an exception ends it
    ast::Try attempt;
    attempt.body.assign(block.begin() + static_cast<std::ptrdiff_t>(at), block.end());
    attempt.finalbody = std::move(last);
    block.resize(at);
    last = {stmt(std::move(attempt))};
  }
  block.insert(block.end(), last.begin(), last.end());
}

}  // namespace depyf::fallback::dispatch
