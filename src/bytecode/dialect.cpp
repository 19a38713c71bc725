// SPDX-License-Identifier: MIT
// dialect_of(): the features of each version, as tests/dialect observes them in the interpreters.
//
// Invariant: this file and the decoder are the only places where a version number decides anything.
#include "bytecode/dialect.h"

namespace depyf {

Dialect dialect_of(Version version) {
  const unsigned v = version.minor;
  Dialect d;
  d.version = version;
  d.parenthesised_with = v >= 9;
  d.any_decorator = v >= 9;
  d.unparenthesised_star_subscript = v >= 11;
  d.walrus_in_subscript = v >= 10;
  d.fstring_nests_quotes = v >= 12;
  d.template_strings = v >= 14;
  d.match_statement = v >= 10;
  d.builtin_anext = v >= 10;
  d.drops_unused_copies = v >= 12;
  d.except_star = v >= 11;
  d.type_parameters = v >= 12;
  d.leaves_class_name = v == 12;
  d.type_parameter_defaults = v >= 13;
  d.except_without_parentheses = v >= 14;
  d.lazy_imports = v >= 15;
  d.comprehension_unpacking = v >= 15;
  d.return_star_unparenthesised = true;
  d.docstring_cleaned = v >= 13;
  d.mixed_complex_arithmetic = v >= 14;
  d.max_nested_parentheses = v == 8 ? 95 : 200;
  d.max_static_blocks = v >= 13 ? 21 : 20;
  d.blocks_of_clause = v == 8 ? 1 : 2;
  d.generator_is_block = v >= 13;
  d.max_indents = 99;
  d.max_integer_digits = 4300;
  d.block_stack = v <= 10;
  d.call_finally = v == 8;
  d.assert_loads_global = v == 8;
  d.annotations_by_repr = v == 8;
  d.exception_table = v >= 11;
  d.jumps_on_none = v >= 11;
  d.leaves_long_lines = v <= 9;
  d.handler_pushes_six = v <= 10;
  d.qualname_operand = v <= 10;
  d.null_below_callable = v == 11 || v == 12;
  d.inlines_comprehensions = v >= 12;
  d.inlines_any_all = v >= 14;
  d.exits_duplicated = v >= 10;
  d.loop_test_duplicated = v >= 10 && v <= 13;
  d.percent_is_fstring = v >= 11;
  d.folds_not_contains = v <= 13;
  d.folds_constant_tests = v >= 10;
  d.drops_constant_fstrings = v >= 12;
  d.folds_arithmetic_after_tests = v >= 14;
  d.static_attributes = v >= 13;
  d.constant_keys = v <= 13;
  d.constant_slices = v >= 14;
  d.annotations_tuple = v >= 10 && v <= 13;
  d.deferred_annotations = v >= 14;
  d.docstring_flag = v >= 14;
  d.class_firstlineno = v >= 13;
  d.superinstructions = v >= 13;
  d.drops_overwritten_stores = v >= 13;
  d.match_pushes_bool = v == 10;
  d.copies_tested_value = v >= 12;
  d.inverts_back_jumps = v >= 12;
  d.inverted_jumps_unprotected = v >= 13;
  d.generator_calls_iter = v >= 14;
  d.iterator_null = v >= 15;
  d.future_annotations_flag = 0x1000000;
  return d;
}

}  // namespace depyf
