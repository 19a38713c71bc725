// SPDX-License-Identifier: MIT
// The functions that lift each family of operations, and those that the families share, grouped by the file that
// defines them. Comments that are longer than a line are at the definitions.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "lift/machine.h"

namespace depyf::lift {

// ---- the families: each lifts one instruction, which is the machine's current one or one after it
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
// Returns whether a pending value may move past any statement: none changes it, and evaluating it has no effect.
[[nodiscard]] bool is_fixed(const Machine& m, const Value& v);
void spill_value(Machine& m, Value& v);
// Emits a statement that leaves a protected range. Unlike emit(), it spills nothing: the value that a `return` takes
// may stay pending. If something has to be spilled later, its assignment goes before this statement (State::leave_at).
void emit_leave(Machine& m, LStmt s);
void spill_misordered(Machine& m, const Instruction& insn);
void spill_unpackings(Machine& m, std::uint32_t before = kNever);
[[nodiscard]] bool has_pending_after(const Machine& m, std::uint32_t seq, const Value* end);

// ---- names.cpp
void to_lambda_expr(Machine& m, Value& v);
[[nodiscard]] std::uint32_t parallel_items(const Machine& m, const Value& value, const Value* end);
void fill_unpack(Machine& m, std::uint32_t group, std::uint32_t item, ExprId target);
void store(Machine& m, ExprId target, Value value);

// ---- operators.cpp
ExprId pop_key(Machine& m);
ExprId pop_slice(Machine& m, ExprId step = {});
// Returns the items of a tuple, be it a display or a constant; nullopt if the expression is no such tuple.
[[nodiscard]] std::optional<ExprIds> tuple_items(const Machine& m, ExprId e);
[[nodiscard]] bool is_name(const Machine& m, ExprId e, std::string_view text);

// ---- percent.cpp, texts.cpp
ExprId unoptimized_format(Machine& m, ast::BinaryOperator op, ExprId left, ExprId right);
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
// Returns whether an expression is a dict display all of whose keys can be names of keyword arguments.
[[nodiscard]] bool has_keyword_keys(const Machine& m, ExprId e);

// ---- functions.cpp
[[nodiscard]] const std::string& name_of(const Machine& m, const FunctionValue& f);
[[nodiscard]] bool has_effects(const Machine& m, const FunctionValue& f);
// Returns whether the function is a class body that no call of __build_class__ has made a class of yet.
[[nodiscard]] bool is_unmade_class(const Machine& m, const FunctionValue& f);
ExprId function_expr(Machine& m, FunctionValue& f);
StmtId function_stmt(Machine& m, FunctionValue& f, NameId name);
void rename(Machine& m, const FunctionValue& f, NameId id);
void set_text(Machine& m, NameId function, std::string_view attribute, std::string_view text);
[[nodiscard]] bool has_default_qualname(const Machine& m, const FunctionValue& f);
void push_function(Machine& m, FunctionValue f);
void set_attribute(Machine& m, FunctionValue& f, std::uint32_t bit, Value v);
[[nodiscard]] bool is_plain_decorator(const Machine& m, ExprId e);
bool decorate(Machine& m, Value& callee, Value& arg);
bool comprehension_call(Machine& m, const Value& callee, Value& iter);
void pass_iterator(Machine& m, const Value& callee, Value& arg);

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
// Returns the items of the list or tuple that collects the arguments of a class statement (see starred_class()); empty
// for any other value.
[[nodiscard]] ExprIds class_arguments(const Machine& m, const Value& v);
[[nodiscard]] bool is_lambda(const Machine& m, const Value& v);
[[nodiscard]] bool has_plain_stack(const Machine& m);
[[nodiscard]] bool mentions(const Machine& m, const Value& v, NameId name);
void spill_function(Machine& m);
ExprId class_value(Machine& m, FunctionValue& f);
bool defer_attribute(Machine& m, FunctionValue& f, std::uint32_t bit, const Value& v);
void set_extra_attributes(Machine& m, const FunctionValue& f, NameId function);
void set_attributes_by_decorator(Machine& m, FunctionValue& f);
ExprId as_object(Machine& m, ExprId e);
void finish_line(Machine& m);
ExprId pairs(Machine& m, ExprId keys, ExprId values);
void split_named_arguments(Machine& m, std::uint32_t argc);
ExprId super_of(Machine& m, ExprId function, ExprId cls, ExprId self);
ExprId interpolation(Machine& m, const ExprIds& value_and_text, char conversion, ExprId spec);
ExprId template_of(Machine& m, ExprId strings, ExprId interpolations);
NameId literal_temp(Machine& m, const Value& v);
NameId item_temp(Machine& m, const Value& item);

}  // namespace depyf::lift
