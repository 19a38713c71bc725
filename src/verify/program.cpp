// SPDX-License-Identifier: MIT
// Loads a code object for validation: builds its graph, slots, joins and liveness, and rejects bytecode with effects
// that the graph does not show and no compiler emits (cells made in the middle, awaits without clean-up); see
// program.h.
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
    const std::vector<std::size_t> nth = equivalence::earlier_occurrences(co.varnames);
    for (std::size_t i = 0; i < nth.size(); ++i) p.slots.push_back({co.varnames[i], nth[i], false, false});
    std::vector<std::string> cells = co.cellvars;
    cells.insert(cells.end(), co.freevars.begin(), co.freevars.end());
    const std::vector<std::size_t> among = equivalence::earlier_occurrences(cells);
    for (std::size_t i = 0; i < among.size(); ++i) p.slots.push_back({cells[i], among[i], true, true});
  } else {
    const std::size_t setup = equivalence::frame_setup_length(co, bytecode);
    // Dynamo's resume functions have parameters named as free variables, so cells are numbered separately.
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

// Computes liveness on entry to each block: a backward data-flow analysis to a fixpoint. What is live on entry to a
// handler is live throughout the blocks that it protects, since each instruction may raise.
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
  p.position = reverse_postorder(p.cfg, EdgeKinds::kAll).position;
  p.is_join.assign(p.cfg.blocks.size(), false);
  for (std::uint32_t i = 0; i < p.is_join.size(); ++i)
    p.is_join[i] = before.normal[i].size() + (i == 0 ? 1 : 0) > 1 || p.cfg.blocks[BlockId{i}].is_handler;
}

// Finds instructions outside of all rows of the exception table. The graph does not tell, because it omits the row that
// covers a generator's body and turns StopIteration into RuntimeError (3.12+).
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

// Returns which instructions are reachable. Before torch 2.12 a resume function contains the whole code of the original
// and jumps over the part before the graph break.
std::vector<bool> find_reachable(const Bytecode& bytecode) {
  std::vector<bool> reachable(bytecode.code.size(), false);
  std::vector<std::size_t> todo{0};
  while (!todo.empty()) {
    const std::size_t i = todo.back();
    todo.pop_back();
    if (i >= reachable.size() || reachable[i]) continue;
    reachable[i] = true;
    const Instruction& insn = bytecode.code[i];
    if (!is_terminator(insn.op)) todo.push_back(i + 1);
    todo.push_back(insn.target);
    for (const ExceptionEntry& row : bytecode.handlers)
      if (row.start <= i && i < row.end) todo.push_back(row.target);
  }
  return reachable;
}

// Collects new_cells, as the graph contains no MAKE_CELL. Compilers emit MAKE_CELL at the start of the frame and, from
// 3.12 on, after the LOAD_FAST_AND_CLEAR that saves a variable for an inlined comprehension with a cell of that name.
// Fails on any other, which would put a cell into a cell.
Status find_new_cells(Program& p, const Bytecode& bytecode) {
  const std::size_t setup = equivalence::frame_setup_length(p.object(), bytecode);
  const auto& code = bytecode.code;
  std::vector<bool> reachable;
  for (std::size_t i = setup; i < code.size(); ++i) {
    if (code[i].op == Op::COPY_FREE_VARS || code[i].op == Op::MAKE_CELL) {
      if (reachable.empty()) reachable = find_reachable(bytecode);
      if (!reachable[i]) continue;
    }
    const bool unsaved = i == 0 || code[i - 1].op != Op::LOAD_FAST_AND_CLEAR || code[i - 1].arg != code[i].arg;
    if (code[i].op == Op::COPY_FREE_VARS || (code[i].op == Op::MAKE_CELL && unsaved))
      return Error{Errc::kMalformed, code[i].offset, "cells that are made in the middle of the code"};
    if (code[i].op == Op::MAKE_CELL) p.new_cells.insert(code[i - 1].offset);
    if (code[i].target < code.size() && code[code[i].target].op == Op::MAKE_CELL)
      return Error{Errc::kMalformed, code[i].offset, "a jump to where a cell is made"};
  }
  return Unit{};
}

// Fails if close() would skip a handler of the graph (closes_without_handlers() in graph.h), which compilers never
// cause. The graph has all code that can run, so a yield that it lacks is never closed.
Status check_closing(const Cfg& cfg, const Bytecode& bytecode) {
  std::set<std::uint32_t> offsets;
  for (std::size_t i = 0; i < bytecode.code.size(); ++i)
    if (equivalence::closes_without_handlers(bytecode.code, i)) offsets.insert(bytecode.code[i].offset);
  for (std::uint32_t b = 0; b < cfg.blocks.size() && !offsets.empty(); ++b) {
    const BasicBlock& block = cfg.blocks[BlockId{b}];
    for (const Instruction& insn : block.code)
      if (insn.op == Op::YIELD_VALUE && block.handler.block.valid() && offsets.contains(insn.offset))
        return Error{Errc::kMalformed, insn.offset, "close() passes over a handler"};
  }
  return Unit{};
}

// Fails on an await without the CLEANUP_THROW that versions from 3.12 on need: the graph omits it, so it must be there.
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

Result<ValueId> constant_to_value(const Program& p, ConstId id, Values& values, std::uint32_t depth) {
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
      DEPYF_TRY(item, constant_to_value(p, part, values, depth + 1));
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

std::vector<bool> Program::live_at(BlockId block, std::size_t index) const {
  if (locals_visible) return std::vector<bool>(slots.size(), true);
  const BasicBlock& b = cfg.blocks[block];
  std::vector<bool> out(slots.size(), false);
  const auto merge = [&](BlockId successor) {
    if (!successor.valid()) return;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = out[i] || live[successor.n][i];
  };
  merge(b.fall);
  merge(b.jump);
  for (std::size_t i = b.code.size(); i-- > index;) transfer(out, b.code[i]);
  merge(b.handler.block);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = out[i] || slots[i].is_cell;
  if (has_class_cell && !out.empty()) out[0] = true;
  return out;
}

Result<std::unique_ptr<Program>> load_program(const ProgramSource& of, Keys& keys, const Limits& limits) {
  auto p = std::make_unique<Program>();
  p->tree = &of.tree;
  p->code = of.code;
  p->side = of.side;
  p->dialect = dialect_of(of.tree.version);
  p->constants = &of.constants;
  DEPYF_TRY(bytecode, decode(of.tree, of.code, limits));
  auto graph = build_cfg(of.tree, of.code, bytecode, p->dialect, limits);
  if (!graph && graph.error().code == Errc::kMalformed && of.side == 0 && dynamo::resumes_by_dynamo(p->object())) {
    p->table_error = graph.error();
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
  const auto stores = equivalence::find_compiler_stores(of.tree, p->object(), bytecode, p->dialect);
  for (const auto* list : {&stores.first_line, &stores.static_attributes})
    for (const std::size_t i : *list) p->compiler_stores.insert(bytecode.code[i].offset);
  if (const auto i = equivalence::find_locals_reader(p->object(), bytecode))
    p->locals_reader = bytecode.code[*i].offset;
  p->locals_visible = of.locals_visible || p->locals_reader;
  add_slots(*p, bytecode);
  find_live(*p);
  find_joins(*p);
  return p;
}

void find_state_slots(Program& a, Program& b) {
  for (auto [program, other] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
    std::set<std::string> other_names;
    for (const Slot& slot : other->slots) other_names.insert(slot.name);
    program->state_slots.assign(program->slots.size(), false);
    for (std::uint32_t i = 0; i < program->cfg.blocks.size(); ++i) {
      const auto& code = program->cfg.blocks[BlockId{i}].code;
      for (std::size_t k = 0; k + 2 < code.size(); ++k) {
        const bool constant = code[k + 1].op == Op::LOAD_CONST || code[k + 1].op == Op::LOAD_SMALL_INT;
        if (code[k].op == Op::LOAD_FAST && constant && code[k + 2].op == Op::COMPARE_OP)
          program->state_slots[code[k].arg] = !other_names.contains(program->slots[code[k].arg].name);
      }
    }
  }
}

Result<ValueId> constant_value(const Program& program, ConstId id, Values& values, bool tested) {
  const Constant& c = program.tree->consts[id];
  if (!tested || !std::holds_alternative<ConstFrozenSet>(c)) return constant_to_value(program, id, values, 0);
  DEPYF_TRY(key, program.constants->unordered(id));
  return values.constant(key, facts_of(c));
}

}  // namespace depyf::proof
