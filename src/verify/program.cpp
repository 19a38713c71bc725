// SPDX-License-Identifier: MIT
// Loading a code object for validation: slots, joins, liveness; see program.h.
#include "verify/program.h"

#include <algorithm>
#include <map>
#include <set>

#include "bytecode/contract.h"
#include "cfg/analysis.h"
#include "cfg/lenient.h"
#include "dynamo/names.h"
#include "verify/graph.h"

namespace depyf::proof {
namespace {

constexpr std::uint32_t kMaxTupleDepth = 100;
constexpr std::uint8_t kCellOrFree = 0x40 | 0x80;  // CO_FAST_CELL, CO_FAST_FREE

void add_slots(Program& p, const Bytecode& bytecode) {
  const CodeObject& co = p.object();
  if (p.dialect.block_stack) {
    const std::vector<std::size_t> nth = equivalence::repetitions(co.varnames);
    for (std::size_t i = 0; i < nth.size(); ++i) p.slots.push_back({co.varnames[i], nth[i], false, false});
    std::vector<std::string> cells = co.cellvars;
    cells.insert(cells.end(), co.freevars.begin(), co.freevars.end());
    const std::vector<std::size_t> among = equivalence::repetitions(cells);
    for (std::size_t i = 0; i < among.size(); ++i) p.slots.push_back({cells[i], among[i], true, true});
  } else {
    const std::size_t setup = equivalence::frame_setup(co, bytecode);
    // Functions that Dynamo resumes have parameters of the names of free variables: cells are told apart among cells.
    std::map<std::pair<bool, std::string_view>, std::size_t> seen;
    for (std::size_t i = 0; i < co.localsplus.size(); ++i) {
      const std::uint8_t kind = i < co.localspluskinds.size() ? co.localspluskinds[i] : 0;
      const bool cell = (kind & kCellOrFree) != 0;
      p.slots.push_back({co.localsplus[i], seen[{cell, co.localsplus[i]}]++, cell, cell && setup > 0});
    }
    for (const Instruction& insn : bytecode.code)
      if (arg_kind(insn.op) == ArgKind::Deref && insn.arg < p.slots.size()) p.slots[insn.arg].is_cell = true;
  }
  for (const Slot& slot : p.slots) p.has_class_cell = p.has_class_cell || (slot.is_cell && slot.name == "__class__");
}

void transfer(std::vector<bool>& live, const Instruction& insn) {
  if (insn.op == Op::STORE_FAST) live[insn.arg] = false;
  if (insn.op == Op::LOAD_FAST || insn.op == Op::DELETE_FAST || insn.op == Op::LOAD_FAST_AND_CLEAR)
    live[insn.arg] = true;
}

// Backwards to a fixpoint; an exception may leave a block before each of its instructions.
void find_live(Program& p) {
  const std::uint32_t n = static_cast<std::uint32_t>(p.cfg.blocks.size());
  p.live.assign(n, std::vector<bool>(p.slots.size(), false));
  const Predecessors before = predecessors(p.cfg);
  std::vector<bool> queued(n, true);
  std::vector<std::uint32_t> todo(n);
  for (std::uint32_t i = 0; i < n; ++i) todo[i] = i;
  while (!todo.empty()) {
    const BlockId b{todo.back()};
    todo.pop_back();
    queued[b.n] = false;
    std::vector<bool> live = p.live_at(b, 0);
    if (live == p.live[b.n]) continue;
    p.live[b.n] = std::move(live);
    for (const auto* list : {&before.normal[b.n], &before.raising[b.n]}) {
      for (const BlockId from : *list) {
        if (queued[from.n]) continue;
        queued[from.n] = true;
        todo.push_back(from.n);
      }
    }
  }
}

void find_joins(Program& p) {
  const Predecessors before = predecessors(p.cfg);
  p.joins.assign(p.cfg.blocks.size(), false);
  for (std::uint32_t i = 0; i < p.joins.size(); ++i)
    p.joins[i] = before.normal[i].size() + (i == 0 ? 1 : 0) > 1 || p.cfg.blocks[BlockId{i}].is_handler;
}

// The graph leaves out the row around a generator's body that turns StopIteration into a RuntimeError (3.12+).
void find_uncovered(Program& p, const Bytecode& bytecode) {
  std::set<std::uint32_t> covered;  // offsets
  for (const ExceptionEntry& row : bytecode.handlers)
    for (std::size_t i = row.start; i < std::min<std::size_t>(row.end, bytecode.code.size()); ++i)
      covered.insert(bytecode.code[i].offset);
  for (std::uint32_t b = 0; b < p.cfg.blocks.size(); ++b) {
    std::vector<bool> out;
    for (const Instruction& insn : p.cfg.blocks[BlockId{b}].code) out.push_back(!covered.contains(insn.offset));
    p.uncovered.push_back(std::move(out));
  }
}

// Instructions that may run: what a resume function jumps over of the original's code stays in it, until torch 2.12.
std::vector<bool> find_reachable(const Bytecode& bytecode) {
  std::vector<bool> found(bytecode.code.size(), false);
  std::vector<std::size_t> todo{0};
  while (!todo.empty()) {
    const std::size_t i = todo.back();
    todo.pop_back();
    if (i >= found.size() || found[i]) continue;
    found[i] = true;
    const Instruction& insn = bytecode.code[i];
    if (!is_terminator(insn.op)) todo.push_back(i + 1);
    todo.push_back(insn.target);
    for (const ExceptionEntry& row : bytecode.handlers)
      if (row.start <= i && i < row.end) todo.push_back(row.target);
  }
  return found;
}

// The graph shows no MAKE_CELL. Compilers have it where the frame begins and where an inlined comprehension lays away a
// variable that has the name of a cell of its own (3.12+); anywhere else it puts a cell into a cell.
Status find_new_cells(Program& p, const Bytecode& bytecode) {
  const std::size_t setup = equivalence::frame_setup(p.object(), bytecode);
  const auto& code = bytecode.code;
  std::vector<bool> reachable;
  for (std::size_t i = setup; i < code.size(); ++i) {
    if (code[i].op == Op::COPY_FREE_VARS || code[i].op == Op::MAKE_CELL) {
      if (reachable.empty()) reachable = find_reachable(bytecode);
      if (!reachable[i]) continue;
    }
    const bool first = i == 0 || code[i - 1].op != Op::LOAD_FAST_AND_CLEAR || code[i - 1].arg != code[i].arg;
    if (code[i].op == Op::COPY_FREE_VARS || (code[i].op == Op::MAKE_CELL && first))
      return Error{Errc::kMalformed, code[i].offset, "cells that are made in the middle of the code"};
    if (code[i].op == Op::MAKE_CELL) p.new_cells.insert(code[i - 1].offset);
    if (code[i].target < code.size() && code[code[i].target].op == Op::MAKE_CELL)
      return Error{Errc::kMalformed, code[i].offset, "a jump to where a cell is made"};
  }
  return Unit{};
}

// Compilers let close() pass over no handler.
Status check_closing(const Cfg& cfg, const Bytecode& bytecode) {
  std::set<std::uint32_t> offsets;
  for (std::size_t i = 0; i < bytecode.code.size(); ++i)
    if (equivalence::closes_at_once(bytecode.code, i)) offsets.insert(bytecode.code[i].offset);
  for (std::uint32_t b = 0; b < cfg.blocks.size() && !offsets.empty(); ++b) {
    const BasicBlock& block = cfg.blocks[BlockId{b}];
    for (const Instruction& insn : block.code)
      if (insn.op == Op::YIELD_VALUE && !block.handler.block.valid()) offsets.erase(insn.offset);
  }
  if (offsets.empty()) return Unit{};
  return Error{Errc::kMalformed, *offsets.begin(), "close() passes over a handler"};
}

// The graph shows no clean-up of an await: it must be there.
Status check_awaits(const Bytecode& bytecode, Version version) {
  if (!awaits_need_cleanup(version)) return Unit{};
  const auto& code = bytecode.code;
  for (std::uint32_t i = 0; i + 2 < code.size(); ++i) {
    const Instruction& back = code[code[i + 1].op == Op::RESUME ? i + 2 : i + 1];
    const bool waits = code[i].op == Op::YIELD_VALUE && back.op == Op::JUMP && code[back.target].op == Op::SEND;
    const bool cleaned =
        std::any_of(bytecode.handlers.begin(), bytecode.handlers.end(), [&](const ExceptionEntry& row) {
          return row.start <= i && i < row.end && code[row.target].op == Op::CLEANUP_THROW;
        });
    if (waits && !cleaned) return Error{Errc::kMalformed, code[i].offset, "an await without its clean-up"};
  }
  return Unit{};
}

ConstFacts facts_of(const Constant& c) {
  ConstFacts f;
  f.hashable = true;
  const auto set = [&](bool truth) { f.truth = truth ? Truth::kTrue : Truth::kFalse; };
  match(
      c, [&](const ConstNone&) { f.is_singleton = true, set(false); },
      [&](const ConstEllipsis&) { f.is_singleton = true, set(true); },
      [&](const ConstBool& b) { f.is_singleton = f.is_bool = true, f.value = b.value ? 1 : 0, set(b.value); },
      [&](const ConstInt& i) {
        set(!i.digits.empty());
        f.is_int = i.digits.size() < 2;
        if (f.is_int && !i.digits.empty()) f.value = i.negative ? -std::int64_t{i.digits[0]} : i.digits[0];
      },
      [&](const ConstFloat& x) { set(x.value != 0), f.hashable = x.value == x.value; },
      [&](const ConstComplex& x) { set(x.real != 0 || x.imag != 0), f.hashable = false; },
      [&](const ConstStr& s) { set(!s.text.empty()); }, [&](const ConstBytes& b) { set(!b.data.empty()); },
      [&](const ConstTuple&) { f.hashable = false; }, [&](const ConstFrozenSet& s) { set(!s.items.empty()); },
      [&](const ConstSlice&) { f.hashable = false; }, [&](const ConstCode&) { f.hashable = false; },
      [&](const ConstOpaque&) { f.hashable = false; });
  return f;
}

Result<ValueId> convert(const Program& p, ConstId id, Values& values, std::uint32_t depth) {
  if (depth > kMaxTupleDepth) return Error{Errc::kLimitExceeded, kNowhere, "constants nest too deeply"};
  const Constant& c = p.tree->consts[id];
  if (const auto* code = std::get_if<ConstCode>(&c)) return values.intern(ValueKind::kCode, code->code.n, p.side, {});
  std::vector<ConstId> parts;
  if (const auto* t = std::get_if<ConstTuple>(&c)) parts = t->items;
  const auto* slice = std::get_if<ConstSlice>(&c);
  if (slice != nullptr) parts = {slice->start, slice->stop, slice->step};
  if (slice != nullptr || std::holds_alternative<ConstTuple>(c)) {
    std::vector<ValueId> items;
    for (const ConstId part : parts) {
      DEPYF_TRY(item, convert(p, part, values, depth + 1));
      items.push_back(item);
    }
    return slice != nullptr ? values.pure(Pure::kSlice, items) : values.tuple(items);
  }
  DEPYF_TRY(key, p.constants->key(id));
  return values.constant(key, facts_of(c));
}

}  // namespace

std::string Program::inner_name(std::string_view qualname) const {
  if (!root_prefix.empty() && qualname.starts_with(root_prefix + ".")) qualname.remove_prefix(root_prefix.size());
  return std::string(qualname);
}

std::string Program::compared_name(std::string_view qualname) const {
  if (short_qualnames) qualname.remove_prefix(qualname.rfind('.') + 1);
  return inner_name(qualname);
}

std::vector<bool> Program::live_at(BlockId block, std::size_t at) const {
  if (shows_locals) return std::vector<bool>(slots.size(), true);
  const BasicBlock& b = cfg.blocks[block];
  std::vector<bool> out(slots.size(), false);
  const auto merge = [&](BlockId other) {
    if (!other.valid()) return;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = out[i] || live[other.n][i];
  };
  merge(b.fall);
  merge(b.jump);
  for (std::size_t i = b.code.size(); i-- > at;) transfer(out, b.code[i]);
  merge(b.handler.block);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = out[i] || slots[i].is_cell;
  if (has_class_cell && !out.empty()) out[0] = true;
  return out;
}

Result<std::unique_ptr<Program>> load_program(const ProgramOf& of, Keys& keys, const Limits& limits) {
  auto p = std::make_unique<Program>();
  p->tree = &of.tree;
  p->code = of.code;
  p->side = of.side;
  p->dialect = dialect_of(of.tree.version);
  p->constants = &of.constants;
  DEPYF_TRY(bytecode, decode(of.tree, of.code, limits));
  auto graph = build_cfg(of.tree, of.code, bytecode, p->dialect, limits);
  if (!graph && graph.error().code == Errc::kMalformed && of.side == 0 && dynamo::resumes_by_dynamo(p->object())) {
    p->lenient = graph.error();
    graph = build_lenient_cfg(of.tree, of.code, bytecode, p->dialect, limits);
  }
  DEPYF_TRY(cfg, std::move(graph));
  DEPYF_CHECK(check_closing(cfg, bytecode));
  DEPYF_CHECK(check_awaits(bytecode, of.tree.version));
  DEPYF_CHECK(find_new_cells(*p, bytecode));
  p->cfg = std::move(cfg);
  for (const auto& name : p->object().names) p->names.push_back(keys.name(name));
  p->root_prefix = of.tree.codes[of.root].qualname;
  p->short_qualnames = of.loose && p->dialect.qualname_operand;
  find_uncovered(*p, bytecode);
  p->resume_arguments = dynamo::resume_arguments(of.tree, of.code, bytecode, p->dialect, limits);
  const auto stores = equivalence::compilers_stores(of.tree, p->object(), bytecode, p->dialect);
  for (const auto* list : {&stores.first_line, &stores.static_attributes})
    for (const std::size_t i : *list) p->compilers_stores.insert(bytecode.code[i].offset);
  if (const auto at = equivalence::reads_locals(p->object(), bytecode)) p->reads_locals = bytecode.code[*at].offset;
  p->shows_locals = of.shows_locals || p->reads_locals;
  add_slots(*p, bytecode);
  find_live(*p);
  find_joins(*p);
  return p;
}

void find_state_slots(Program& a, Program& b) {
  for (auto [mine, theirs] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
    std::set<std::string> known;
    for (const Slot& slot : theirs->slots) known.insert(slot.name);
    mine->state_slots.assign(mine->slots.size(), false);
    for (std::uint32_t i = 0; i < mine->cfg.blocks.size(); ++i) {
      const auto& code = mine->cfg.blocks[BlockId{i}].code;
      for (std::size_t k = 0; k + 2 < code.size(); ++k) {
        const bool constant = code[k + 1].op == Op::LOAD_CONST || code[k + 1].op == Op::LOAD_SMALL_INT;
        if (code[k].op == Op::LOAD_FAST && constant && code[k + 2].op == Op::COMPARE_OP)
          mine->state_slots[code[k].arg] = !known.contains(mine->slots[code[k].arg].name);
      }
    }
  }
}

Result<ValueId> constant_value(const Program& program, ConstId id, Values& values, bool tested) {
  const Constant& c = program.tree->consts[id];
  if (!tested || !std::holds_alternative<ConstFrozenSet>(c)) return convert(program, id, values, 0);
  DEPYF_TRY(key, program.constants->unordered(id));
  return values.constant(key, facts_of(c));
}

}  // namespace depyf::proof
