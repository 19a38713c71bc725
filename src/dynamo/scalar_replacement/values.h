// SPDX-License-Identifier: MIT
// The intermediate form of scalar replacement: values in SSA form, and for each block the operations that remain.
//
// Invariant: a value is identified by its id; the home of an operand (a local that holds the value) is valid from the
// operation to the next statement. The interpreter (interpret.cpp) produces the form, the Regenerator (regenerate.cpp)
// turns it into code again.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "cfg/cfg.h"
#include "dynamo/scalar_replacement/scalar_replacement.h"

namespace depyf::dynamo {

using Val = std::uint32_t;
using Site = std::uint64_t;  // where a value is defined: block, instruction and result; the same in every attempt
inline constexpr std::uint32_t kNone = 0xFFFFFFFF;
inline constexpr Val kUnbound = 0xFFFFFFFE;  // abstract value of a local that may be unbound
inline constexpr Val kVaries = 0xFFFFFFFD;   // abstract value of a local that is bound to an unknown value

enum class Kind : std::uint8_t {
  kPure,     // rematerialized by one instruction at each use: a constant, NULL, a cell
  kResult,   // result of an operation
  kPhi,      // joins different values of the predecessors
  kHeld,     // the value of a local at the block's entry (parameters too)
  kLeaf,     // pushed by an operation and stored from the stack: a loop's item, an unpacked item
  kPinned,   // stays in its stack slot: iterators, context managers, exceptions
  kVirtual,  // a container that is not materialized yet
  kLost,     // a stack entry at a handler's entry that the protected range changes: it must not be used
};
enum class Shape : std::uint8_t {
  kTuple,
  kList,
  kSlice,
  kDict,         // keyword arguments: keys and values alternate
  kConstKeyDict  // keyword arguments: the values, then the tuple of keys
};

struct Value {
  Kind kind = Kind::kResult;
  Site site = 0;
  std::uint32_t block = kNone;                 // where it is defined
  std::uint32_t local = kNone;                 // for kHeld
  Instruction load;                            // for kPure
  Shape shape = Shape::kTuple;                 // for kVirtual
  bool is_global = false;                      // a global or a module's attribute: the module keeps it alive
  bool is_attribute = false, is_exit = false;  // result of LOAD_ATTR; `__exit__` of a context manager
};

struct Operand {
  Val value = kNone;
  std::uint32_t home = kNone;  // a local that holds the value, or kNone
};

struct Operation {
  Instruction insn;
  std::vector<Operand> operands;
  std::vector<Val> results;
  bool pure = false;          // dropped if its result is unused
  bool calls = false;         // a call that may run a graph or a resume function
  bool cannot_raise = false;  // DELETE_FAST of a bound local
  std::set<Val> held;         // for calls: the values that the original code keeps alive during the call
};

struct Block {
  std::vector<Operation> operations;     // the last one may be a jump or a terminator
  std::vector<Val> entry;                // the operand stack at the entry
  std::vector<Operand> exit, jump_exit;  // the operand stack at the end, along the fall-through and the jump edge
  std::map<std::uint32_t, Val> phis;     // by stack depth at the entry
};

struct Form {
  std::vector<Value> values;
  std::vector<Block> blocks;                 // by BlockId
  std::map<Val, std::vector<Val>> contents;  // items of materialized immutable containers
  std::uint32_t locals = 0;                  // number of locals of the code object
};

// What the failed attempts learned: each failed attempt adds at least one demand, which the next one respects.
struct Demands {
  std::set<std::pair<std::uint32_t, std::uint32_t>> phis;     // (block, depth): needs a phi
  std::set<std::pair<std::uint32_t, std::uint32_t>> varying;  // (block, local): holds different values at the entry
  std::set<std::pair<std::uint32_t, std::uint32_t>> unbound;  // (block, local): may be unbound at the entry
  std::set<Site> eager;                                       // containers to materialize at their BUILD_ instruction
  std::set<Site> stored;           // values to store in a new variable where they are defined
  std::set<std::uint32_t> locals;  // Dynamo's temporaries that must stay local variables
  [[nodiscard]] std::size_t size() const {
    return phis.size() + varying.size() + unbound.size() + eager.size() + stored.size() + locals.size();
  }
};

enum class Outcome : std::uint8_t { kDone, kRetry, kGiveUp };

Outcome interpret(const CodeTree& tree, CodeId code, const Dialect& dialect, const Cfg& cfg, Containers containers,
                  Demands& demands, Form& form);
Outcome regenerate(const Cfg& cfg, Form& form, Demands& demands, Evaluated& out);

}  // namespace depyf::dynamo
