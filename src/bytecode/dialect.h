// SPDX-License-Identifier: MIT
// Dialect: named features of one version's compiler and grammar. Later stages ask for a feature, never for a version.
//
// Invariant: each field is observed in the interpreters by tests/dialect. Plain data; made by dialect_of().
#pragma once

#include "depyf/code.h"

namespace depyf {

struct Dialect {
  Version version;  // for the printer's header and for verdicts; no test on it outside src/bytecode
  // -- grammar (what text may say)
  bool parenthesised_with = false;              // 3.9+
  bool any_decorator = false;                   // 3.9+: @a[0].b
  bool unparenthesised_star_subscript = false;  // 3.11+: x[*a]
  bool walrus_in_subscript = false;             // 3.10+: x[a:=1] unparenthesised
  bool fstring_nests_quotes = false;            // 3.12+
  bool template_strings = false;                // 3.14+
  bool match_statement = false;                 // 3.10+
  bool builtin_anext = false;                   // 3.10+: aiter() and anext() are builtins
  bool drops_unused_copies = false;             // 3.12+: no COPY 1; POP_TOP before the guard of `case _ if guard`
  bool except_star = false;                     // 3.11+
  bool type_parameters = false;                 // 3.12+
  bool leaves_class_name = false;               // 3.12.0-3.12.3: a generic class's name mangles what comes after it
  bool type_parameter_defaults = false;         // 3.13+
  bool except_without_parentheses = false;      // 3.14+
  bool lazy_imports = false;                    // 3.15+
  bool comprehension_unpacking = false;         // 3.15+
  bool return_star_unparenthesised = true;      // 3.8+: return *a, b
  bool docstring_cleaned = false;               // 3.13+: the compiler strips a docstring's indentation
  bool mixed_complex_arithmetic = false;        // 3.14+: 0 - 0j is -0j; before, the 0 is made complex first
  std::uint32_t max_nested_parentheses = 200;   // 3.8: 98 as a statement, fewer further in: 95
  std::uint32_t max_static_blocks = 20;         // 21 from 3.13
  std::uint32_t blocks_of_clause = 2;           // 3.8: 1. Of them, a clause of a try statement counts as
  bool generator_is_block = false;              // 3.13+: and a whole generator or coroutine as one
  std::uint32_t max_indents = 99;
  std::uint32_t max_integer_digits = 4300;  // decimal literals longer than this must be hexadecimal
  // -- compiler (what bytecode looks like)
  bool block_stack = false;              // <= 3.10
  bool call_finally = false;             // 3.8
  bool assert_loads_global = false;      // 3.8: what an assert raises is looked up by name
  bool annotations_by_repr = false;      // 3.8: in an annotation kept as text, a constant tuple is what repr() says
  bool exception_table = false;          // 3.11+
  bool jumps_on_none = false;            // 3.11+: POP_JUMP_IF_NONE
  bool leaves_long_lines = false;        // <= 3.9: code with a line of 255 bytes or more is not optimized
  bool handler_pushes_six = false;       // <= 3.10: tb, value, type of old and new exception
  bool qualname_operand = false;         // <= 3.10: MAKE_FUNCTION takes a qualname
  bool null_below_callable = false;      // 3.11-3.12: NULL, callable, args
  bool inlines_comprehensions = false;   // 3.12+
  bool inlines_any_all = false;          // 3.14+
  bool loop_test_duplicated = false;     // 3.10-3.13
  bool exits_duplicated = false;         // 3.10+: a `return` without a line, and a short one that is jumped to
  bool percent_is_fstring = false;       // 3.11+
  bool folds_not_contains = true;        // <= 3.13: `not a in b` is `a not in b` in a test too (3.14+: only as a value)
  bool folds_constant_tests = false;     // 3.10+: `1 or a` is 1; as `1 and 1 or a` it is tested
  bool drops_constant_fstrings = false;  // 3.12+: f'a' as a statement is no code
  bool folds_arithmetic_after_tests = false;  // 3.14+: +1 is a constant, but where one is tested it is not yet
  bool static_attributes = false;             // 3.13+
  bool constant_slices = false;               // 3.14+: x[1:2] takes a constant
  bool annotations_tuple = false;           // 3.10-3.13: MAKE_FUNCTION takes names and annotations in turn, not a dict
  bool deferred_annotations = false;        // 3.14+
  bool docstring_flag = false;              // 3.14+
  bool class_firstlineno = false;           // 3.13+
  bool superinstructions = false;           // 3.13+
  bool drops_overwritten_stores = false;    // 3.13+: of two stores to one local on one line, only the second is left
  bool match_pushes_bool = false;           // 3.10
  bool copies_tested_value = false;         // 3.12+: JUMP_IF_x_OR_POP is COPY 1, POP_JUMP_IF_x, POP_TOP
  bool inverts_back_jumps = false;          // 3.12+: a conditional jump back is one over a jump back
  bool inverted_jumps_unprotected = false;  // 3.13+: a conditional jump back that the compiler turns has no handler
  bool generator_calls_iter =
      false;                   // 3.15, some 3.14.x: a generator expression's own code calls iter() on its argument
  bool iterator_null = false;  // 3.15: an iterator takes two entries of CPython's stack, the upper one a NULL
  std::uint32_t future_annotations_flag = 0x1000000;  // CO_FUTURE_ANNOTATIONS

  // Whether SETUP_ANNOTATIONS of a code object with these flags serves annotated statements: from 3.14 on only under
  // `from __future__ import annotations`.
  [[nodiscard]] bool evaluates_annotations(std::uint32_t flags) const {
    return !deferred_annotations || (flags & future_annotations_flag) != 0;
  }
};

[[nodiscard]] Dialect dialect_of(Version version);

}  // namespace depyf
