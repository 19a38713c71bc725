// SPDX-License-Identifier: MIT
// Validation of one code object against another: headers, trusted names, then the lockstep; see validate.h.
#include "verify/validate.h"

#include <algorithm>

#include "code/docstring.h"
#include "verify/graph.h"
#include "verify/lockstep.h"

namespace depyf::proof {
namespace {

// What dispatch loops call; a translation asks for these by name where the original had an operation of its own.
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
// What they take from the module of builtins, which they import.
constexpr std::string_view kAttributes[] = {"__import__", "any",  "all",   "tuple", "list",
                                            "set",        "repr", "ascii", "format"};

constexpr std::uint32_t kComparedFlags = kCoOptimized | kCoNewLocals | kCoVarArgs | kCoVarKeywords | kCoGenerator |
                                         kCoCoroutine | kCoIterableCoroutine | kCoAsyncGenerator |
                                         kCoFutureFlags;  // compile(), eval(), exec() inherit those
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

// Names that a tree or its globals bind, of those that would be trusted; a star import may bind any. Of the attributes
// those that it binds in any object.
Status distrust(const CodeTree& tree, Trust& trust, Keys& keys, const Limits& limits) {
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

// What a call does before it gives a generator or coroutine, where it gives one: from 3.11 on the code says so, whatever
// the flags say. Compilers have nothing there but, from 3.15 on, the iter() of a generator expression.
using Prologue = std::optional<std::vector<Op>>;
Result<Prologue> before_generator(const CodeTree& tree, CodeId code, const Limits& limits) {
  DEPYF_TRY(bytecode, decode(tree, code, limits));
  std::vector<Op> out;
  for (const Instruction& insn : bytecode.code) {
    if (insn.op == Op::RETURN_GENERATOR) return Prologue(std::move(out));
    const bool nothing =
        insn.op == Op::NOP || insn.op == Op::RESUME || insn.op == Op::MAKE_CELL || insn.op == Op::COPY_FREE_VARS;
    if (!nothing) out.push_back(insn.op);
  }
  return Prologue();
}

std::optional<std::string> header(const CodeTree& first_tree, const CodeObject& a, const CodeTree& second_tree,
                                  const CodeObject& b, bool cells_by_name) {
  const Dialect dialect = dialect_of(first_tree.version);
  if (a.argcount != b.argcount || a.kwonlyargcount != b.kwonlyargcount || a.posonlyargcount != b.posonlyargcount)
    return "the numbers of parameters differ";
  if ((a.flags & kComparedFlags) != (b.flags & kComparedFlags)) return "the flags differ";
  const auto alike = [](const std::string& p, const std::string& q) { return p == q || p.starts_with('.'); };
  const auto passed = parameters(a), taken = parameters(b);  // `.0` is no name to pass it by
  if (!std::equal(passed.begin(), passed.end(), taken.begin(), taken.end(), alike))
    return "the names of parameters differ";
  auto first = a.freevars, second = b.freevars;
  if (cells_by_name) {
    std::sort(first.begin(), first.end());
    std::sort(second.begin(), second.end());
  }
  if (first != second) return "the free variables differ";
  const auto *doc = docstring(first_tree, a, dialect.docstring_flag),
             *other = docstring(second_tree, b, dialect.docstring_flag);
  if ((doc == nullptr) != (other == nullptr) || (doc != nullptr && *doc != *other)) return "the docstrings differ";
  return std::nullopt;
}

}  // namespace

Validator::Validator(const CodeTree& a, const CodeTree& b, Keys& keys, ConstantKeys& first, ConstantKeys& second,
                     const Limits& limits)
    : a_(a), b_(b), keys_(keys), first_(first), second_(second), limits_(limits), trust_(keys) {}

Status Validator::find_trusted() {
  if (has_trust_) return Unit{};
  has_trust_ = true;
  for (const std::string_view name : kHelpers) trust_.builtins.insert(keys_.name(name));
  trust_.attributes = trust_.builtins;
  for (const std::string_view name : kAttributes) trust_.attributes.insert(keys_.name(name));
  DEPYF_CHECK(distrust(a_, trust_, keys_, limits_));
  return distrust(b_, trust_, keys_, limits_);
}

Result<Proof> Validator::prove(CodeId x, CodeId y, bool loose, bool cells_by_name) {
  Proof out;
  if (auto reason = header(a_, a_.codes[x], b_, b_.codes[y], cells_by_name)) {
    out.failure = Failure{0xFFFFFFFF, std::move(*reason)};
    return out;
  }
  DEPYF_TRY(first, before_generator(a_, x, limits_));
  DEPYF_TRY(second, before_generator(b_, y, limits_));
  if (first != second) {
    const bool both = first && second;
    out.failure = Failure{0xFFFFFFFF, both ? "what runs before there is a generator differs" : "one makes a generator"};
    return out;
  }
  DEPYF_CHECK(find_trusted());
  DEPYF_TRY(a, load_program({a_, x, roots_[0], 0, loose, first_}, keys_, limits_));
  DEPYF_TRY(b, load_program({b_, y, roots_[1], 1, loose, second_}, keys_, limits_));
  if (a->shows_locals && !b->shows_locals) {
    DEPYF_TRY(again, load_program({b_, y, roots_[1], 1, loose, second_, true}, keys_, limits_));
    b = std::move(again);
  } else if (b->shows_locals && !a->shows_locals) {
    DEPYF_TRY(again, load_program({a_, x, roots_[0], 0, loose, first_, true}, keys_, limits_));
    a = std::move(again);
  }
  const CodeObject &mine = a_.codes[x], &theirs = b_.codes[y];
  const bool same_variables =
      equivalence::variables(mine) == equivalence::variables(theirs) && mine.localspluskinds == theirs.localspluskinds;
  if (a->shows_locals && !same_variables) {
    out.failure =
        Failure{a->reads_locals.value_or(0xFFFFFFFF), "what shows the local variables is loaded, and they differ"};
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
  out.kept = lockstep.kept();
  out.constant = lockstep.constant();
  out.codes = lockstep.codes();
  if (a->lenient)
    out.lenient = {static_cast<std::uint32_t>(a->lenient->at),
                   "exception table taken as it is meant: " + a->lenient->what};
  return out;
}

}  // namespace depyf::proof
