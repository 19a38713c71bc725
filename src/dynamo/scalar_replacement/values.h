// SPDX-License-Identifier: MIT
// The evaluator's intermediate form: values with one definition each, and per block the operations that are left.
//
// Invariant: a value is known by its id alone; a home of an operand (a local that holds the value) is true from the
// operation to the next statement. Plain data, made by interpret.cpp, read by regenerate.cpp.
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
using Site = std::uint64_t;  // where a value comes to be; the same in every attempt
inline constexpr std::uint32_t kNone = 0xFFFFFFFF;
inline constexpr Val kUnbound = 0xFFFFFFFE;  // state of a local: not known to be bound
inline constexpr Val kVaries = 0xFFFFFFFD;   // state of a local: bound to something

enum class Kind : std::uint8_t {
  kPure,     // one instruction makes it wherever it is wanted: a constant, NULL, a cell
  kResult,   // of an operation
  kPhi,      // another value on each way in
  kHeld,     // whatever a local holds on entry to a block (parameters too)
  kLeaf,     // of an operation that leaves it on the stack: a loop's item, an unpacked item
  kPinned,   // stays where it lies on the stack: iterators, context managers, exceptions
  kVirtual,  // a container not built yet
  kLost,     // lies below an exception, but not the same wherever one may come from: nobody may use it
};
enum class Shape : std::uint8_t {
  kTuple,
  kList,
  kSlice,
  kDict,         // keyword arguments: keys and values by turns
  kConstKeyDict  // the same as values, then the tuple of keys
};

struct Value {
  Kind kind = Kind::kResult;
  Site site = 0;
  std::uint32_t block = kNone;                 // where it comes to be
  std::uint32_t local = kNone;                 // kHeld
  Instruction load;                            // kPure
  Shape shape = Shape::kTuple;                 // kVirtual
  bool is_global = false;                      // its module holds it as well
  bool is_attribute = false, is_exit = false;  // a method; `__exit__`
};

struct Operand {
  Val value = kNone;
  std::uint32_t home = kNone;  // a local that holds it
};

struct Operation {
  Instruction insn;
  std::vector<Operand> operands;
  std::vector<Val> results;
  bool pure = false;   // vanishes when nobody wants its result
  bool calls = false;  // a graph, a resume function, any call
  bool quiet = false;  // DELETE_FAST of a local that is bound: nothing to see
  std::set<Val> held;  // calls: what the original held meanwhile
};

struct Block {
  std::vector<Operation> operations;     // the last may be a jump or a terminator
  std::vector<Val> entry;                // the stack
  std::vector<Operand> exit, jump_exit;  // the same at its end, along either edge
  std::map<std::uint32_t, Val> phis;     // by depth of the entry stack
};

struct Form {
  std::vector<Value> values;
  std::vector<Block> blocks;                 // by BlockId
  std::map<Val, std::vector<Val>> contents;  // of tuples that were built
  std::uint32_t locals = 0;                  // of the code object
};

// What earlier attempts found out must be so. Each attempt that fails adds to it.
struct Demands {
  std::set<std::pair<std::uint32_t, std::uint32_t>> phis;     // block, depth
  std::set<std::pair<std::uint32_t, std::uint32_t>> varying;  // block, local: holds different values there
  std::set<std::pair<std::uint32_t, std::uint32_t>> unbound;  // block, local
  std::set<Site> eager;                                       // containers that are built where the code builds them
  std::set<Site> stored;                                      // values that get a variable where they come to be
  std::set<std::uint32_t> locals;                             // Dynamo's temporaries that stay local variables
  [[nodiscard]] std::size_t size() const {
    return phis.size() + varying.size() + unbound.size() + eager.size() + stored.size() + locals.size();
  }
};

enum class Outcome : std::uint8_t { kDone, kAgain, kGiveUp };

Outcome interpret(const CodeTree& tree, CodeId code, const Dialect& dialect, const Cfg& cfg, Containers containers,
                  Demands& demands, Form& form);
Outcome regenerate(const Cfg& cfg, Form& form, Demands& demands, Evaluated& out);

}  // namespace depyf::dynamo
