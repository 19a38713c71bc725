// SPDX-License-Identifier: MIT
// The functions that print the nodes of a tree, one file per family. They write to a Printer.
//
// Invariant: functions for expressions, constants and patterns push Parts. They never call each other except through
// the Printer, which bounds the recursion.
#pragma once

#include "print/printer.h"

namespace depyf {

// expressions.cpp
void print_expr(Printer& p, ast::ExprId id, Level place, std::uint8_t flags);
[[nodiscard]] bool is_starred(const Input& in, ast::ExprId id);
[[nodiscard]] bool has_operators(const Input& in, ast::ExprId id);  // with break points before them

// signatures.cpp: parameters, keywords and type parameters, without the brackets
void print_arguments(Parts& parts, const ast::Arguments& arguments);
void print_keywords(Parts& parts, const ast::Keywords& keywords, bool first);
void print_type_params(Printer& p, Parts& parts, const std::vector<ast::TypeParam>& params);

// constants.cpp
[[nodiscard]] Level level_of(const Input& in, const Constant& constant);
void print_constant(Printer& p, ConstId id, Level place, std::uint8_t flags);
void put_constant(Printer& p, const Constant& constant, bool in_parentheses, std::uint8_t flags);
void put_str(Printer& p, std::string_view text);
void put_bytes(Printer& p, std::string_view data);
// Prints a string literal raw or triple-quoted if `spelling` is that and no f-string is around. Returns whether it did.
[[nodiscard]] bool put_spelled(Printer& p, const Constant& constant, ast::Spelling spelling);

// fstrings.cpp
void print_joined(Printer& p, const ast::ExprIds& values, bool is_template, Level place);

// patterns.cpp
void print_pattern(Printer& p, ast::PatternId id, PatternLevel place);

// statements.cpp
void print_module(Printer& p, const ast::Block& body);

}  // namespace depyf
