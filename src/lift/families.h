// SPDX-License-Identifier: MIT
// What lifts each family of operations, and what the families ask of each other. By the file that has it.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "lift/machine.h"

namespace depyf::lift {

// ---- the families: what one instruction does, `insn` being that of the machine or one that follows
void stack_op(Machine& m, const Instruction& insn);
void name_op(Machine& m, const Instruction& insn);
void store_op(Machine& m, const Instruction& insn);
void operator_op(Machine& m, const Instruction& insn);
void item_op(Machine& m, const Instruction& insn);
void display_op(Machine& m, const Instruction& insn);
void unpack_op(Machine& m, const Instruction& insn);
void grow_op(Machine& m, const Instruction& insn);
void text_op(Machine& m, const Instruction& insn);
void call_op(Machine& m, const Instruction& insn);
void type_op(Machine& m, const Instruction& insn);
void flow_op(Machine& m, const Instruction& insn);
void iterate_op(Machine& m, const Instruction& insn);
void generator_op(Machine& m, const Instruction& insn);
void context_op(Machine& m, const Instruction& insn);
void import_op(Machine& m, const Instruction& insn);

// ---- machine.cpp
[[nodiscard]] inline bool is_none(const Machine& m, const Value& v) {
  return v.kind == ValueKind::kExpr && ast::is_none(m.unit.ast, m.unit.code, v.expr);
}

// ---- spilling.cpp, besides what machine.h has
// Whether nothing that a statement does can change what the pending value will be, and nothing of it happens late.
[[nodiscard]] bool stable(const Machine& m, const Value& v);
void spill_value(Machine& m, Value& v);
// An exit from a protected range: a value about to be returned may stay pending, everything else is stored before it.
void emit_leave(Machine& m, LStmt s);
void settle_order(Machine& m, const Instruction& insn);
void settle_unpackings(Machine& m, std::uint32_t before = kNever);
[[nodiscard]] bool overtakes(const Machine& m, std::uint32_t moment, const Value* end);

// ---- names.cpp
void settle_lambda(Machine& m, Value& v);
[[nodiscard]] std::uint32_t parallel_items(const Machine& m, const Value& value, const Value* end);
void fill_unpack(Machine& m, std::uint32_t group, std::uint32_t item, ExprId target);
void store(Machine& m, ExprId target, Value value);

// ---- operators.cpp
ExprId pop_key(Machine& m);
ExprId pop_slice(Machine& m, ExprId step = {});
// The items of a tuple, of a display or a constant.
[[nodiscard]] std::optional<ExprIds> tuple_items(const Machine& m, ExprId e);
[[nodiscard]] bool is_name(const Machine& m, ExprId e, std::string_view text);

// ---- percent.cpp, texts.cpp
ExprId format_as_kept(Machine& m, ast::BinaryOperator op, ExprId left, ExprId right);
ExprId build_string(Machine& m, const Values& parts);

// ---- flow.cpp
void leave_loop(Machine& m);
void store_import(Machine& m, const Value& value, NameId name);
void drop_import(Machine& m, const Value& v);
bool annotation_store(Machine& m, ExprId object, ExprId key);

// ---- calls.cpp
ExprId builtin(Machine& m, std::string_view name);
ExprId as_expr(Machine& m, Value& v);
void starred_class(Machine& m, std::uint32_t n);
// Whether an expression is a display whose items may be keyword arguments: their names are keys of it.
[[nodiscard]] bool are_keywords(const Machine& m, ExprId e);

// ---- functions.cpp
[[nodiscard]] const std::string& name_of(const Machine& m, const FunctionValue& f);
[[nodiscard]] bool has_effects(const Machine& m, const FunctionValue& f);
// Of a class that no call of __build_class__ has made yet.
[[nodiscard]] bool is_unmade_class(const Machine& m, const FunctionValue& f);
ExprId function_expr(Machine& m, FunctionValue& f);
StmtId function_stmt(Machine& m, FunctionValue& f, NameId name);
void rename(Machine& m, const FunctionValue& f, NameId id);
void set_text(Machine& m, NameId function, std::string_view attribute, std::string_view text);
[[nodiscard]] bool is_named_by_place(const Machine& m, const FunctionValue& f);
void push_function(Machine& m, FunctionValue f);
void set_attribute(Machine& m, FunctionValue& f, std::uint32_t bit, Value v);
[[nodiscard]] bool is_plain_decorator(const Machine& m, ExprId e);
bool decorate(Machine& m, Value& callee, Value& arg);
bool comprehension_call(Machine& m, const Value& callee, Value& iter);
void hand_iterator(Machine& m, const Value& callee, Value& arg);

// ---- annotations.cpp
void annotate(Machine& m, FunctionValue& f, const FunctionValue& by);
bool annotations_map(Machine& m);
bool stores_annotate(Machine& m, ExprId target, const FunctionValue& f);
bool annotation_mark(Machine& m, NameId name);

// ---- type_params.cpp
[[nodiscard]] inline bool is_generic_scope(const Machine& m) {
  return m.co.name.starts_with("<generic parameters of ");
}
[[nodiscard]] bool is_hidden(const Machine& m, NameId name, std::string_view hidden);
bool load_hidden(Machine& m, NameId name);
bool store_hidden(Machine& m, NameId name, const Value& value);
bool starred_annotation(Machine& m, const Instruction& insn);
bool params_tuple(Machine& m, std::uint32_t n);
[[nodiscard]] std::vector<ast::TypeParam> all_params(const Machine& m);
bool type_alias(Machine& m);
bool generic_call(Machine& m, const Value& callee, const Values& args);

// ---- literal.cpp
[[nodiscard]] bool can_spill(const Machine& m, const Value& v);
[[nodiscard]] bool is_bare(const Machine& m, const Value& v);
// The list of a class statement's arguments, as a list or a tuple (see starred_class()); of any other value nothing.
[[nodiscard]] ExprIds class_display(const Machine& m, const Value& v);
[[nodiscard]] bool is_lambda(const Machine& m, const Value& v);
[[nodiscard]] bool is_settled(const Machine& m);
[[nodiscard]] bool mentions(const Machine& m, const Value& v, NameId name);
void settle_function(Machine& m);
ExprId class_value(Machine& m, FunctionValue& f);
bool leave_unsaid(Machine& m, FunctionValue& f, std::uint32_t bit, const Value& v);
void set_unsaid(Machine& m, const FunctionValue& f, NameId function);
void decorate_unsaid(Machine& m, FunctionValue& f);
ExprId as_object(Machine& m, ExprId e);
void settle_line(Machine& m);
ExprId pairs(Machine& m, ExprId keys, ExprId values);
void gather_named(Machine& m, std::uint32_t argc);
ExprId super_of(Machine& m, ExprId function, ExprId cls, ExprId self);
ExprId interpolation(Machine& m, const ExprIds& value_and_text, char conversion, ExprId spec);
ExprId template_of(Machine& m, ExprId strings, ExprId interpolations);
NameId literal_temp(Machine& m, const Value& v);
NameId unpacked_name(Machine& m, const Value& item);

}  // namespace depyf::lift
