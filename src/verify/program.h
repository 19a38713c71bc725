// SPDX-License-Identifier: MIT
// The immutable part of one side of a validation: graph, variables, names and constants of one code object, with
// liveness and join points. The mutable part is the Frame (heap.h).
//
// Invariant: slots are local variables, cells and free variables, in the order of localsplus (up to 3.10: varnames,
// then cellvars, then freevars). Slots that hold cells count as live everywhere.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cfg/cfg.h"
#include "dynamo/resume_arguments.h"
#include "support/small_vector.h"
#include "verify/symbolic.h"

namespace depyf::proof {

using equivalence::ConstantKeys;

struct Slot {
  std::string name;
  std::size_t nth = 0;          // number of earlier slots with the same name
  bool is_cell = false;         // a cell or free variable, or the code turns it into a cell
  bool starts_as_cell = false;  // holds its cell when the frame starts
};

struct Program {
  const CodeTree* tree = nullptr;
  CodeId code;
  std::uint32_t side = 0;
  Dialect dialect;
  Cfg cfg;
  std::vector<Slot> slots;
  std::vector<Key> names;                      // the keys of co_names
  SmallVector<std::uint32_t, 32> position;     // by block: its position in reverse postorder
  std::vector<bool> is_join;                   // by block: has several predecessors or is entered by an exception
  std::vector<bool> state_slots;               // by slot: the state variable of a dispatch loop (find_state_slots())
  std::vector<std::vector<bool>> uncovered;    // by block and instruction: no row of the exception table covers it
  std::vector<std::vector<bool>> live;         // by block and slot: live on entry to the block
  std::optional<std::uint32_t> locals_reader;  // offset of the first load of a reader of the frame's locals (graph.h)
  bool locals_visible = false;                 // there is such a load on either side: all variables count as live
  std::set<std::uint32_t> new_cells;           // offsets of LOAD_FAST_AND_CLEAR followed by MAKE_CELL of the same slot
  std::set<std::uint32_t> compiler_stores;     // offsets of the stores that ClassStores (graph.h) lists
  std::vector<dynamo::ResumeArgument> resume_arguments;  // by slot: what Dynamo passes to a resume function
  std::string root_prefix;                               // qualified name of the root, which is not compared
  bool short_qualnames = false;  // compare only the last part of qualified names (<= 3.10, outside of its module)
  bool has_class_cell = false;   // has the cell `__class__`, so super() may read the first variable
  ConstantKeys* constants = nullptr;
  std::optional<Error> table_error;  // why build_lenient_cfg() was needed: the inconsistency of the exception table

  [[nodiscard]] const CodeObject& object() const { return tree->codes[code]; }
  [[nodiscard]] std::uint32_t deref(std::uint32_t arg) const {
    return dialect.block_stack ? arg + static_cast<std::uint32_t>(object().varnames.size()) : arg;
  }
  // Removes the root's qualified name and the dot after it from a qualified name below the root.
  [[nodiscard]] std::string inner_name(std::string_view qualname) const;
  // Returns the part of a function's qualified name that is compared.
  [[nodiscard]] std::string compared_name(std::string_view qualname) const;
  // Returns which slots are live before instruction `index` of a block.
  [[nodiscard]] std::vector<bool> live_at(BlockId block, std::size_t index) const;
};

struct ProgramSource {
  const CodeTree& tree;
  CodeId code, root;
  std::uint32_t side = 0;
  bool loose = false;
  ConstantKeys& constants;
  bool locals_visible = false;  // the other side has a reader of the frame's locals
};
[[nodiscard]] Result<std::unique_ptr<Program>> load_program(const ProgramSource& of, Keys& keys, const Limits& limits);
// Finds each side's state_slots: local variables that are compared with integer constants and whose name is no variable
// of the other side, as the state of a dispatch loop is. lockstep.cpp keeps states apart whose state slots differ.
void find_state_slots(Program& a, Program& b);

// Converts a constant to a value. `tested`: it is the right operand of `in`, so the order of a frozenset does not
// matter.
[[nodiscard]] Result<ValueId> constant_value(const Program& program, ConstId id, Values& values, bool tested);

}  // namespace depyf::proof
