// SPDX-License-Identifier: MIT
// The functions that translate each family of operations that the lifter does not take, and those that the families
// share, grouped by the file that defines them. Comments that are longer than a line are at the definitions.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "fallback/machine.h"

namespace depyf::fallback {

// ---- the families: each returns false if the operation is none of its own
bool value_op(Machine& m, const Instruction& insn);
bool load_op(Machine& m, const Instruction& insn);
bool store_op(Machine& m, const Instruction& insn);
bool function_op(Machine& m, const Instruction& insn);
bool iterate_op(Machine& m, const Instruction& insn);
bool branch_op(Machine& m, const Instruction& insn);
bool leave_op(Machine& m, const Instruction& insn);
bool real_with_op(Machine& m, const Instruction& insn);
bool context_op(Machine& m, const Instruction& insn);
bool exception_op(Machine& m, const Instruction& insn);
bool pattern_op(Machine& m, const Instruction& insn);
bool intrinsic_op(Machine& m, const Instruction& insn);

// ---- straight.cpp
[[nodiscard]] bool has_own_name(Machine& m, std::uint32_t index);
[[nodiscard]] bool can_lift(Machine& m, const Instruction& insn);
Result<bool> lift_line(Machine& m);
Result<bool> lift_with_variables(Machine& m, std::size_t operands);
[[nodiscard]] lift::FunctionValue function_of(const Machine& m, std::uint32_t code);

// ---- variables.cpp
NameId hidden_name(Machine& m, std::uint32_t index);
[[nodiscard]] bool is_hidden(const Machine& m, std::uint32_t index);
[[nodiscard]] bool is_hidden_cell(const Machine& m, std::uint32_t index);
[[nodiscard]] std::string_view deref_name(const Machine& m, std::uint32_t index);

// ---- functions.cpp
[[nodiscard]] bool takes_hidden_cell(const Machine& m, CodeId code);
void define(Machine& m, std::uint32_t code, NameId into);
void define_as(Machine& m, const lift::FunctionValue& f, NameId into, bool renames);
ExprId function_value(Machine& m, std::uint32_t code);
Block store_known(Machine& m, Entry entry, std::size_t depth);

// ---- flow.cpp
ExprId async_iterator(Machine& m, ExprId iterable);
void materialise_all(Machine& m, std::size_t operands = 0);

// ---- exceptions.cpp, groups.cpp
void reraise(Machine& m, const Entry& exc);
NameId matched_group(Machine& m);
[[nodiscard]] std::uint32_t clause_level(const Machine& m);
ast::FunctionDef group_type_check(Machine& m);
void match_group(Machine& m);
void prepare_reraise(Machine& m);

}  // namespace depyf::fallback
