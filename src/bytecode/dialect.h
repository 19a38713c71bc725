// SPDX-License-Identifier: MIT
// Dialect: named features of one version's compiler and grammar. Later stages test features, never version numbers.
//
// Invariant: tests/dialect observes each field in the interpreters.
#pragma once

#include "depyf/code.h"

namespace depyf {

struct Dialect {
  Version version;  // for the printer's header and for verdicts; only src/bytecode may compare it
  // -- grammar and limits of the parser
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
  bool leaves_class_name = false;               // 3.12.0-3.12.3: a generic class's name mangles names after the class
  bool type_parameter_defaults = false;         // 3.13+
  bool except_without_parentheses = false;      // 3.14+
  bool lazy_imports = false;                    // 3.15+
  bool comprehension_unpacking = false;         // 3.15+
  bool return_star_unparenthesised = true;      // 3.8+: return *a, b
  bool docstring_cleaned = false;               // 3.13+: the compiler strips a docstring's indentation
  bool mixed_complex_arithmetic = false;        // 3.14+: 0 - 0j is -0j; before, 0 is converted to complex first
  std::uint32_t max_nested_parentheses = 200;   // 3.8: 98 at the start of a statement, fewer inside: 95
  std::uint32_t max_static_blocks = 20;         // nesting of statically nested blocks; 3.13+: 21
  std::uint32_t blocks_of_clause = 2;           // how many of these a clause of a `try` statement counts as; 3.8: 1
  bool generator_is_block = false;              // 3.13+: the body of a generator or coroutine counts as one
  std::uint32_t max_indents = 99;
  std::uint32_t max_integer_digits = 4300;  // longer integer literals must be hexadecimal
  // -- compiler: the form of bytecode
  bool block_stack = false;             // <= 3.10
  bool call_finally = false;            // 3.8
  bool assert_loads_global = false;     // 3.8: `assert` loads AssertionError by name
  bool annotations_by_repr = false;     // 3.8: in an annotation that is kept as text, a constant tuple is its repr()
  bool exception_table = false;         // 3.11+
  bool jumps_on_none = false;           // 3.11+: POP_JUMP_IF_NONE
  bool leaves_long_lines = false;       // <= 3.9: code with a line of 255 bytes or more is not optimized
  bool handler_pushes_six = false;      // <= 3.10: traceback, value and type of the old and the new exception
  bool qualname_operand = false;        // <= 3.10: MAKE_FUNCTION pops a qualified name
  bool null_below_callable = false;     // 3.11-3.12: the order is NULL, callable, arguments
  bool inlines_comprehensions = false;  // 3.12+
  bool inlines_any_all = false;         // 3.14+
  bool loop_test_duplicated = false;    // 3.10-3.13
  bool exits_duplicated = false;        // 3.10+: small exit blocks that are jump targets, and exits without a line
  bool percent_is_fstring = false;      // 3.11+
  bool folds_not_contains = true;  // <= 3.13: `not a in b` becomes `a not in b` in tests too (3.14+: only as a value)
  bool folds_constant_tests = false;     // 3.10+: `1 or a` is folded to 1; in `1 and 1 or a` the constant is tested
  bool drops_constant_fstrings = false;  // 3.12+: the statement f'a' compiles to nothing
  bool folds_arithmetic_after_tests = false;  // 3.14+: +1 is folded after constant tests are, so a test of it remains
  bool static_attributes = false;             // 3.13+
  bool constant_keys = false;                 // <= 3.13: the keys of a display with several items are a tuple
  bool constant_slices = false;               // 3.14+: the slice of x[1:2] is a constant
  bool annotations_tuple = false;     // 3.10-3.13: MAKE_FUNCTION takes a tuple of names and annotations, not a dict
  bool deferred_annotations = false;  // 3.14+
  bool docstring_flag = false;        // 3.14+
  bool class_firstlineno = false;     // 3.13+
  bool superinstructions = false;     // 3.13+
  bool drops_overwritten_stores =
      false;                         // 3.13+: a store to a local that the next store on its line overwrites is dropped
  bool match_pushes_bool = false;    // 3.10
  bool copies_tested_value = false;  // 3.12+: JUMP_IF_x_OR_POP is COPY 1, POP_JUMP_IF_x, POP_TOP
  bool inverts_back_jumps = false;   // 3.12+: a backward conditional jump becomes one over a backward JUMP
  bool inverted_jumps_unprotected = false;  // 3.13+: no row of the exception table covers an inverted jump
  bool generator_calls_iter = false;  // 3.15, some 3.14.x: a generator expression's code calls iter() on its argument
  bool iterator_null = false;         // 3.15: an iterator has two stack entries, the upper one a NULL
  std::uint32_t future_annotations_flag = 0x1000000;  // CO_FUTURE_ANNOTATIONS

  // Returns whether code with these flags evaluates annotations of statements where they are written, after
  // SETUP_ANNOTATIONS; from 3.14 on only under `from __future__ import annotations`.
  [[nodiscard]] bool evaluates_annotations(std::uint32_t flags) const {
    return !deferred_annotations || (flags & future_annotations_flag) != 0;
  }
};

[[nodiscard]] Dialect dialect_of(Version version);

}  // namespace depyf
