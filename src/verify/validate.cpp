// SPDX-License-Identifier: MIT
// Validates one code object against another: compares headers, collects the trusted names of both trees, then runs the
// lockstep walk (lockstep.h); see validate.h.
#include "verify/validate.h"

#include <algorithm>

#include "code/docstring.h"
#include "verify/graph.h"
#include "verify/lockstep.h"

namespace depyf::proof {
namespace {

// Builtins that dispatch loops (src/fallback) call by name where the original has an operation for the purpose.
constexpr std::string_view kHelpers[] = {"iter",
                                         "next",
                                         "type",
                                         "len",
                                         "slice",
                                         "BaseException",
                                         "AssertionError",
                                         "StopIteration",
                                         "NameError",
                                         "StopAsyncIteration",
                                         "NotImplementedError"};
// Attributes that dispatch loops load from the `builtins` module, which they import.
constexpr std::string_view kAttributes[] = {"__import__", "any",  "all",   "tuple", "list",
                                            "set",        "repr", "ascii", "format"};

constexpr std::uint32_t kComparedFlags = kCoOptimized | kCoNewLocals | kCoVarArgs | kCoVarKeywords | kCoGenerator |
                                         kCoCoroutine | kCoIterableCoroutine | kCoAsyncGenerator |
                                         kCoFutureFlags;  // compile(), eval() and exec() inherit them
constexpr std::uint64_t kStepsAtLeast = 200000;
constexpr std::uint64_t kStepsPerInstruction = 2000;

bool binds(Op op) {
  switch (op) {
    case Op::STORE_NAME:
    case Op::DELETE_NAME:
    case Op::STORE_GLOBAL:
    case Op::DELETE_GLOBAL: return true;
    default: return false;
  }
}

// Removes from `trust` the names that the tree or its globals bind (all of them if there is a star import, which may
// bind any name), and the attributes that it stores to or deletes from any object.
Status remove_bound_names(const CodeTree& tree, Trust& trust, Keys& keys, const Limits& limits) {
  for (const auto& name : tree.hidden_builtins) trust.builtins.erase(keys.name(name));
  for (std::uint32_t i = 0; i < tree.codes.size(); ++i) {
    const CodeObject& co = tree.codes[CodeId{i}];
    DEPYF_TRY(bytecode, decode(tree, CodeId{i}, limits));
    for (const Instruction& insn : bytecode.code) {
      if (insn.op == Op::IMPORT_STAR) trust.builtins.clear();
      if (binds(insn.op)) trust.builtins.erase(keys.name(co.names[insn.arg]));
      const bool attribute = insn.op == Op::STORE_ATTR || insn.op == Op::DELETE_ATTR;
      if (attribute) trust.attributes.erase(keys.name(co.names[insn.arg]));
    }
  }
  return Unit{};
}

std::vector<std::string> parameters(const CodeObject& co) {
  const std::size_t count = parameter_count(co);
  const std::size_t kept = std::min(count, co.varnames.size());
  return {co.varnames.begin(), co.varnames.begin() + static_cast<std::ptrdiff_t>(kept)};
}

// Returns whether two bytes of co_localspluskinds tell the same storage of a variable: local, cell, free or hidden. The
// other bits, CO_FAST_ARG_* (3.14+), tell parameters, of which header_difference() compares the numbers; the frame does
// not read them, and code that was not compiled (CodeType.replace()) lacks them.
bool same_storage(std::uint8_t a, std::uint8_t b) {
  constexpr unsigned kStorage = 0x10 | 0x20 | 0x40 | 0x80;  // CO_FAST_HIDDEN, _LOCAL, _CELL, _FREE
  return (a & kStorage) == (b & kStorage);
}

// Returns the operations with an effect before RETURN_GENERATOR, which a call runs before it returns the generator or
// coroutine; nullopt if there is none. From 3.11 on this operation makes the generator, whatever the flags are.
// Compilers put nothing before it except, from 3.15 on, the GET_ITER of a generator expression.
using Prologue = std::optional<std::vector<Op>>;
Result<Prologue> generator_prologue(const CodeTree& tree, CodeId code, const Limits& limits) {
  DEPYF_TRY(bytecode, decode(tree, code, limits));
  std::vector<Op> out;
  for (const Instruction& insn : bytecode.code) {
    if (insn.op == Op::RETURN_GENERATOR) return Prologue(std::move(out));
    const bool has_no_effect =
        insn.op == Op::NOP || insn.op == Op::RESUME || insn.op == Op::MAKE_CELL || insn.op == Op::COPY_FREE_VARS;
    if (!has_no_effect) out.push_back(insn.op);
  }
  return Prologue();
}

// Returns how the headers of two code objects differ, or nullopt if they agree.
std::optional<std::string> header_difference(const CodeTree& first_tree, const CodeObject& a,
                                             const CodeTree& second_tree, const CodeObject& b, bool cells_by_name) {
  const Dialect dialect = dialect_of(first_tree.version);
  if (a.argcount != b.argcount || a.kwonlyargcount != b.kwonlyargcount || a.posonlyargcount != b.posonlyargcount)
    return "the numbers of parameters differ";
  if ((a.flags & kComparedFlags) != (b.flags & kComparedFlags)) return "the flags differ";
  // A caller cannot pass `.0`, the iterator of a comprehension, by keyword.
  const auto alike = [](const std::string& p, const std::string& q) { return p == q || p.starts_with('.'); };
  const auto names_a = parameters(a), names_b = parameters(b);
  if (!std::equal(names_a.begin(), names_a.end(), names_b.begin(), names_b.end(), alike))
    return "the names of parameters differ";
  auto first = a.freevars, second = b.freevars;
  if (cells_by_name) {
    std::sort(first.begin(), first.end());
    std::sort(second.begin(), second.end());
  }
  if (first != second) return "the free variables differ";
  const auto *doc_a = docstring(first_tree, a, dialect.docstring_flag),
             *doc_b = docstring(second_tree, b, dialect.docstring_flag);
  if ((doc_a == nullptr) != (doc_b == nullptr) || (doc_a != nullptr && *doc_a != *doc_b))
    return "the docstrings differ";
  return std::nullopt;
}

}  // namespace

Validator::Validator(const CodeTree& a, const CodeTree& b, Keys& keys, ConstantKeys& first, ConstantKeys& second,
                     const Limits& limits)
    : a_(a), b_(b), keys_(keys), first_(first), second_(second), limits_(limits), trust_(keys) {}

Status Validator::collect_trusted_names() {
  if (has_trust_) return Unit{};
  has_trust_ = true;
  for (const std::string_view name : kHelpers) trust_.builtins.insert(keys_.name(name));
  trust_.attributes = trust_.builtins;
  for (const std::string_view name : kAttributes) trust_.attributes.insert(keys_.name(name));
  DEPYF_CHECK(remove_bound_names(a_, trust_, keys_, limits_));
  return remove_bound_names(b_, trust_, keys_, limits_);
}

Result<Proof> Validator::prove(CodeId x, CodeId y, bool loose, bool cells_by_name) {
  Proof out;
  if (auto reason = header_difference(a_, a_.codes[x], b_, b_.codes[y], cells_by_name)) {
    out.failure = Failure{0xFFFFFFFF, std::move(*reason)};
    return out;
  }
  DEPYF_TRY(first, generator_prologue(a_, x, limits_));
  DEPYF_TRY(second, generator_prologue(b_, y, limits_));
  if (first != second) {
    const bool both = first && second;
    out.failure = Failure{0xFFFFFFFF, both ? "what runs before there is a generator differs" : "one makes a generator"};
    return out;
  }
  DEPYF_CHECK(collect_trusted_names());
  DEPYF_TRY(a, load_program({a_, x, roots_[0], 0, loose, first_}, keys_, limits_));
  DEPYF_TRY(b, load_program({b_, y, roots_[1], 1, loose, second_}, keys_, limits_));
  // If one side shows its local variables, no variable of the other side may be treated as dead either.
  if (a->locals_visible && !b->locals_visible) {
    DEPYF_TRY(reloaded, load_program({b_, y, roots_[1], 1, loose, second_, true}, keys_, limits_));
    b = std::move(reloaded);
  } else if (b->locals_visible && !a->locals_visible) {
    DEPYF_TRY(reloaded, load_program({a_, x, roots_[0], 0, loose, first_, true}, keys_, limits_));
    a = std::move(reloaded);
  }
  const CodeObject &code_a = a_.codes[x], &code_b = b_.codes[y];
  const bool same_variables = equivalence::variable_names(code_a) == equivalence::variable_names(code_b) &&
                              std::equal(code_a.localspluskinds.begin(), code_a.localspluskinds.end(),
                                         code_b.localspluskinds.begin(), code_b.localspluskinds.end(), same_storage);
  if (a->locals_visible && !same_variables) {
    out.failure =
        Failure{a->locals_reader.value_or(0xFFFFFFFF), "what shows the local variables is loaded, and they differ"};
    return out;
  }
  find_state_slots(*a, *b);
  std::uint64_t instructions = 0;
  for (const Program* p : {a.get(), b.get()})
    for (std::uint32_t i = 0; i < p->cfg.blocks.size(); ++i) instructions += p->cfg.blocks[BlockId{i}].code.size() + 1;
  Values values(keys_);
  Lockstep lockstep(*a, *b, values, trust_,
                    std::min(limits_.max_steps, kStepsAtLeast + kStepsPerInstruction * instructions));
  out.failure = lockstep.run();
  out.lifetime = lockstep.lifetime();
  out.constant_identity = lockstep.constant_identity();
  out.codes = lockstep.codes();
  if (a->table_error)
    out.lenient_table = {static_cast<std::uint32_t>(a->table_error->at),
                         "exception table taken as it is meant: " + a->table_error->what};
  return out;
}

}  // namespace depyf::proof
