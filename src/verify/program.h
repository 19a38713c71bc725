// SPDX-License-Identifier: MIT
// One side of a validation, as far as it does not change: the graph, names and constants of one code object.
//
// Invariant: slots are the local variables (3.11+: localsplus; before: varnames, then cell and free variables). Liveness
// is of local variables only; slots of cells always live. It executes nothing.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cfg/cfg.h"
#include "dynamo/resume_arguments.h"
#include "verify/symbolic.h"

namespace depyf::proof {

using equivalence::ConstantKeys;

struct Slot {
  std::string name;
  std::size_t nth = 0;      // how many slots before it have its name
  bool is_cell = false;     // of a cell or free variable, or made one
  bool from_start = false;  // holds its cell from the start
};

struct Program {
  const CodeTree* tree = nullptr;
  CodeId code;
  std::uint32_t side = 0;
  Dialect dialect;
  Cfg cfg;
  std::vector<Slot> slots;
  std::vector<Key> names;   // of co_names
  std::vector<bool> joins;  // of blocks: entered from more than one place, or by an exception
  std::vector<bool>
      state_slots;  // compared with integers, and no variable of the other side: what steers a dispatch loop
  std::vector<std::vector<bool>> uncovered;   // of blocks: instructions that no row of the exception table covers
  std::vector<std::vector<bool>> live;        // of blocks: slots that are live on entry
  std::optional<std::uint32_t> reads_locals;  // offset of what shows the local variables
  bool shows_locals = false;                  // on either side: then no variable is dead
  std::set<std::uint32_t> new_cells;          // offsets: LOAD_FAST_AND_CLEAR followed by a MAKE_CELL of its slot
  std::set<std::uint32_t> compilers_stores;   // offsets: of line numbers and names of attributes, by no program
  std::vector<dynamo::ResumeArgument> resume_arguments;  // of variables: what a resume function is handed
  std::string root_prefix;                               // qualified names below it are compared
  bool short_qualnames = false;                          // <= 3.10, taken out of its module: only the last part
  bool has_class_cell = false;                           // __class__: super() looks at the first variable
  ConstantKeys* constants = nullptr;
  std::optional<Error> lenient;  // what is wrong with the exception table as it is written

  [[nodiscard]] const CodeObject& object() const { return tree->codes[code]; }
  [[nodiscard]] std::uint32_t deref(std::uint32_t arg) const {
    return dialect.block_stack ? arg + static_cast<std::uint32_t>(object().varnames.size()) : arg;
  }
  // Of a qualified name below the root's, what follows the root's, with its dot.
  [[nodiscard]] std::string inner_name(std::string_view qualname) const;
  // What is compared of a function's qualified name.
  [[nodiscard]] std::string compared_name(std::string_view qualname) const;
  // Slots that are live before the instruction `at` of a block.
  [[nodiscard]] std::vector<bool> live_at(BlockId block, std::size_t at) const;
};

struct ProgramOf {
  const CodeTree& tree;
  CodeId code, root;
  std::uint32_t side = 0;
  bool loose = false;
  ConstantKeys& constants;
  bool shows_locals = false;  // because the other side does
};
[[nodiscard]] Result<std::unique_ptr<Program>> load_program(const ProgramOf& of, Keys& keys, const Limits& limits);
// Finds each side's state_slots.
void find_state_slots(Program& a, Program& b);

// A constant of the program as a value; `tested`: a set of which only the members count.
[[nodiscard]] Result<ValueId> constant_value(const Program& program, ConstId id, Values& values, bool tested);

}  // namespace depyf::proof
