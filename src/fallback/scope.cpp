// SPDX-License-Identifier: MIT
// Collects facts about the names of the code object before its arms are translated, and adds the statements before and
// after the arms that make each name local, free or global as it was, and that delete generated names from namespaces.
#include <algorithm>

#include "code/fast_locals.h"
#include "code/nested_codes.h"
#include "fallback/dispatcher.h"

namespace depyf::fallback {

namespace {

// Finds variables of inlined comprehensions whose name denotes another variable in the function or in one within it.
void hide_variables(Dispatcher& d) {
  if (!d.unit.dialect.inlines_comprehensions || !d.is_function()) return;
  std::set<std::uint32_t> cleared;
  for (std::uint32_t b = 0; b < d.cfg.blocks.size(); ++b)
    for (const auto& insn : d.cfg.blocks[BlockId{b}].code)
      if (insn.op == Op::LOAD_FAST_AND_CLEAR) cleared.insert(insn.arg);
  if (cleared.empty()) return;
  std::set<std::string> inner;  // names that functions and classes within this one look up
  for (const CodeId code : nested_codes(d.unit.code, d.code, [](CodeId) { return true; })) {
    const auto& names = d.unit.code.codes[code].names;
    inner.insert(names.begin(), names.end());
  }
  for (const auto index : cleared) {
    const auto& name = d.co.localsplus[index];
    const bool is_cell = is_of_kind(d.co, index, kFastCell | kFastFree);
    const bool twice = std::count(d.co.localsplus.begin(), d.co.localsplus.end(), name) > 1;
    if (is_cell || twice || d.shared.globals.contains(name) || inner.contains(name)) d.shared.hidden.insert(name);
  }
}

// In modules and classes: finds reads of inlined comprehensions' variables before their first store, in code order.
void find_early_reads(Dispatcher& d) {
  if (!d.unit.dialect.inlines_comprehensions || d.is_function()) return;
  std::vector<Instruction> all;
  for (std::uint32_t b = 0; b < d.cfg.blocks.size(); ++b) {
    const auto& code = d.cfg.blocks[BlockId{b}].code;
    all.insert(all.end(), code.begin(), code.end());
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.offset < b.offset; });
  std::map<std::uint32_t, std::uint32_t> unbound;  // by local: the offset of its LOAD_FAST_AND_CLEAR
  for (const auto& insn : all) {
    if (insn.op == Op::LOAD_FAST_AND_CLEAR) unbound[insn.arg] = insn.offset;
    if (insn.op == Op::STORE_FAST || insn.op == Op::STORE_DEREF) unbound.erase(insn.arg);
    if (insn.op != Op::LOAD_FAST && insn.op != Op::LOAD_DEREF) continue;
    if (const auto it = unbound.find(insn.arg); it != unbound.end())
      d.shared.early_reads.insert({{insn.offset, insn.op}, {it->second, insn.op}});
  }
}

// Adds `if 0: x = None` for locals and `if 0: yield` for generators that only unreachable code stores to, or yields in.
void bind_names(Dispatcher& d, Block& head) {
  std::vector<std::string> bound;
  std::set<std::string> read;  // only locals that are read have to be bound
  bool yields = false;
  const auto add = [&](const std::vector<std::string>& names, std::uint32_t i) {
    if (i < names.size() && !d.shared.hidden.contains(names[i])) bound.push_back(names[i]);
  };
  for (const auto& info : d.arms) {
    if (!info.entry) continue;
    const auto& code = d.cfg.blocks[info.arm.block].code;
    for (std::size_t i = info.arm.first; i < info.arm.last; ++i) {
      const bool plus = d.unit.dialect.exception_table;
      const Op op = code[i].op;
      yields = yields || op == Op::YIELD_VALUE || op == Op::YIELD_FROM;
      const auto& locals = plus ? d.co.localsplus : d.co.varnames;
      if (op == Op::LOAD_FAST && code[i].arg < locals.size()) read.insert(locals[code[i].arg]);
      if (op == Op::STORE_FAST || op == Op::DELETE_FAST) add(locals, code[i].arg);
      if (op == Op::STORE_DEREF || op == Op::DELETE_DEREF) add(plus ? d.co.localsplus : d.co.cellvars, code[i].arg);
    }
  }
  const std::size_t parameters = parameter_count(d.co);
  Block body;
  const auto bind = [&](const std::string& name) {
    const auto first = d.co.varnames.begin();
    const auto last = first + static_cast<std::ptrdiff_t>(std::min(parameters, d.co.varnames.size()));
    if (name.starts_with('.') || std::find(first, last, name) != last ||
        std::find(bound.begin(), bound.end(), name) != bound.end() || d.shared.globals.contains(name))
      return;
    if (d.shared.hidden.contains(name) && !d.shared.used_outside.contains(name)) return;  // has a generated name only
    bound.push_back(name);
    body.push_back(d.set(d.name(d.intern(name)), d.none()));
  };
  const auto& free = d.co.freevars;  // Dynamo may leave a name in varnames that it has made a free variable
  for (const auto& name : d.co.varnames)
    if (std::find(free.begin(), free.end(), name) == free.end() && read.contains(name)) bind(name);
  for (const auto& name : d.co.cellvars) bind(name);
  if (!yields && (d.co.flags & (kCoGenerator | kCoAsyncGenerator)) != 0)
    body.push_back(d.evaluate(d.make(ast::Yield{})));
  if (!body.empty()) head.push_back(d.when(d.number(0), body));
}

}  // namespace

void collect_names(Dispatcher& d) {
  const bool in_class = !d.is_function() && d.co.parent.valid();
  for (std::uint32_t b = 0; b < d.cfg.blocks.size(); ++b)
    for (const auto& insn : d.cfg.blocks[BlockId{b}].code)
      if (insn.op == Op::LOAD_GLOBAL || insn.op == Op::STORE_GLOBAL || insn.op == Op::DELETE_GLOBAL)
        d.shared.globals.insert(d.co.names[insn.arg]);
      else if (insn.op == Op::CHECK_EG_MATCH)
        d.shared.matches_groups = true;
      else if (in_class && (insn.op == Op::LOAD_NAME || insn.op == Op::STORE_NAME || insn.op == Op::DELETE_NAME))
        d.shared.class_names.insert(d.co.names[insn.arg]);
  hide_variables(d);
  find_early_reads(d);
}

// Inserts the definitions that the arms rely on before the code, after a module's or class's implicit stores such as
// __doc__. In modules and classes, whose names are visible from outside, deletes the generated variables at the end.
void add_prologue(Dispatcher& d, Block& block) {
  d.origin = {d.code, 0};
  const auto used = [&](std::string_view s) {
    const auto id = d.gen_name(s);
    return std::find(d.shared.temps.begin(), d.shared.temps.end(), id) != d.shared.temps.end();
  };
  Block head;
  if (d.is_function()) bind_names(d, head);
  Block check;
  if (used("star")) check.push_back(d.stmt(group_type_check(d.machine)));
  if (used("builtins")) head.push_back(d.stmt(ast::Import{{{"builtins", d.temp("builtins")}}, false}));
  head.insert(head.end(), check.begin(), check.end());
  if (used("end")) head.push_back(d.set(d.var("end"), d.make(ast::List{})));
  if (d.shared.wants_annotations && !d.shared.annotates) {
    const auto zero = d.number(0);
    head.push_back(d.when(zero, {d.stmt(ast::AnnAssign{d.var("a"), zero, {}, true})}));
  }
  std::size_t at = 0;
  const auto from_future = [&](StmtId s) {
    const auto* from = std::get_if<ast::ImportFrom>(&d.unit.ast.stmts[s].node);
    return from != nullptr && from->module == "__future__";
  };
  if (!d.co.parent) std::stable_partition(block.begin(), block.end(), from_future);  // these must come first
  for (; at < block.size(); ++at) {
    if (from_future(block[at])) continue;
    const auto* n = ast::sole_target<ast::Name>(d.unit.ast, block[at]);
    const auto name = n != nullptr ? d.unit.ast.text(n->id) : std::string_view{};
    if (name != "__doc__" && name != "__module__" && name != "__qualname__" && name != "__firstlineno__" &&
        name != "__type_params__")
      break;
  }
  if (d.is_function()) at = 0;
  block.insert(block.begin() + static_cast<std::ptrdiff_t>(at), head.begin(), head.end());
  if (d.is_function() || d.shared.temps.empty()) return;
  at += head.size();
  ExprIds targets, deleted;
  for (const auto id : d.shared.temps) {
    targets.push_back(d.name(id));
    deleted.push_back(d.name(id));
  }
  Block last{d.stmt(ast::Assign{targets, d.none()}), d.stmt(ast::Delete{deleted})};
  const auto is_helper = [&](NameId id) {
    const auto text = d.unit.ast.text(id).substr(d.unit.options.temp_prefix.size());
    return text == "pc" || text == "end" || text == "builtins";
  };
  if (!std::all_of(d.shared.temps.begin(), d.shared.temps.end(), is_helper)) {  // `finally`: they may hold objects
    ast::Try attempt;
    attempt.body.assign(block.begin() + static_cast<std::ptrdiff_t>(at), block.end());
    attempt.finalbody = std::move(last);
    block.resize(at);
    last = {d.stmt(std::move(attempt))};
  }
  block.insert(block.end(), last.begin(), last.end());
}

}  // namespace depyf::fallback
