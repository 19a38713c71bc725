# SPDX-License-Identifier: MIT
"""Observes each field of src/bytecode/dialect.h in the running interpreter; prints JSON {field: value}.

Runs under 3.8-3.15, so it keeps to the syntax of 3.8. A field is observed by compiling something, never by comparing
the version.
"""

import __future__

import builtins
import dis
import json
import sys
import warnings


def compiles(text):
    """Returns whether the interpreter accepts a text."""
    try:
        compile(text, "probe", "exec", dont_inherit=True)
    except (SyntaxError, MemoryError, RecursionError, ValueError, OverflowError):
        return False
    return True


def codes(text):
    """Returns all code objects of a text."""
    found = [compile(text, "probe", "exec", dont_inherit=True)]
    for code in found:
        found.extend(c for c in code.co_consts if hasattr(c, "co_code"))
    return found


def ops(text, which=0):
    """Returns the instructions of a code object of a text: 0 is the module, 1 the first nested one."""
    return list(dis.get_instructions(codes(text)[which]))


def names(text, which=0):
    """Returns the names of its opcodes, including superinstructions."""
    return [i.opname for i in ops(text, which)]


def stores(text, name, which=0):
    """Returns whether a code object stores a name."""
    return any(i.opname.startswith("STORE_") and i.argval == name for i in ops(text, which))


def largest(make, low=1, high=400):
    """Returns the largest n for which make(n) compiles; every smaller n must compile, too."""
    while low < high:
        middle = (low + high + 1) // 2
        if compiles(make(middle)):
            low = middle
        else:
            high = middle - 1
    return low


def nested(opening, count):
    """Returns a text with so many nested blocks."""
    return "".join("\t" * i + opening + "\n" for i in range(count)) + "\t" * count + "pass\n"


def loops_in(statement):
    """Returns how deep loops may nest in a function with this statement."""
    return largest(lambda n: "def f():\n\t%s\n\t" % statement + nested("for a in b:", n).replace("\n", "\n\t"), high=60)


def clauses_in_clauses():
    """Returns how deep handlers of try statements may nest."""
    return largest(lambda n: nested("try: pass\n%sexcept:", n) % tuple("\t" * i for i in range(n)), high=24)


def exists(name):
    """Returns whether an opcode exists that may occur in code objects."""
    return dis.opmap.get(name, 999) < 256


def precedes(text, first, second):
    """Returns whether one instruction precedes another one."""
    found = names(text)
    return first in found and second in found and found.index(first) < found.index(second)


def inverts_contains(text):
    """Returns whether the `not` of a test was folded into its CONTAINS_OP (COMPARE_OP 7 on 3.8)."""
    return any((i.opname, i.arg) in (("CONTAINS_OP", 1), ("COMPARE_OP", 7)) for i in ops(text))


def inverted_test_without_handler():
    """Returns whether a protected test that jumps back to its loop is outside the exception table's ranges."""
    text = "try:\n  for a in b:\n    if c: d\nexcept e: f"
    ranges = getattr(dis, "_parse_exception_table", lambda code: [])(codes(text)[0])
    tests = [i.offset for i in ops(text) if i.opname.startswith("POP_JUMP")]
    return bool(ranges) and not all(any(r.start <= at < r.end for r in ranges) for at in tests)


def docstring(text):
    """Returns the docstring of the first function of a text."""
    return codes(text)[1].co_consts[0]


def grammar():
    """Observes the fields about the grammar."""
    return {
        "parenthesised_with": compiles("with (a as b, c as d):\n  pass"),
        "any_decorator": compiles("@a[0].b\ndef f(): pass"),
        "unparenthesised_star_subscript": compiles("x[*a]"),
        "walrus_in_subscript": compiles("x[a:=1]"),
        "fstring_nests_quotes": compiles("f'{x['a']}'") and compiles("f'{\"\\n\"}'"),
        "template_strings": compiles("t'{a}'"),
        "match_statement": compiles("match a:\n  case 1: pass"),
        "builtin_anext": hasattr(builtins, "anext") and hasattr(builtins, "aiter"),
        "drops_unused_copies": compiles("match a:\n  case 1: pass")
        and "COPY" not in names("match a:\n  case _ if b: pass\n  case 1: pass")
        and "DUP_TOP" not in names("match a:\n  case _ if b: pass\n  case 1: pass"),
        "except_star": compiles("try: pass\nexcept* A: pass"),
        "type_parameters": compiles("def f[T](): pass"),
        # changed in 3.12.3, and a text must be right for each 3.12
        "leaves_class_name": any(i.argval == "_C__a" for i in ops("class C[T]: pass\nx.__a"))
        if compiles("def f[T](): pass") and sys.version_info[:2] != (3, 12)
        else sys.version_info[:2] == (3, 12),
        "type_parameter_defaults": compiles("def f[T = int](): pass"),
        "except_without_parentheses": compiles("try: pass\nexcept A, B: pass"),
        "lazy_imports": compiles("lazy import a"),
        "comprehension_unpacking": compiles("[*a for a in b]"),
        "return_star_unparenthesised": compiles("def f(): return *a, b"),
        "max_nested_parentheses": largest(lambda n: "(" * n + "a" + ")" * n),
        "max_static_blocks": loops_in("pass"),
        "blocks_of_clause": loops_in("pass") // clauses_in_clauses(),
        "generator_is_block": loops_in("yield") < loops_in("pass"),
        "max_indents": largest(lambda n: nested("if a:", n), high=300),
        "max_integer_digits": largest(lambda n: "9" * n, high=9000),
    }


def compiler():
    """Observes the fields about bytecode."""
    return {
        "docstring_cleaned": docstring("def f():\n  '''a\n    b'''") != "a\n    b",
        "mixed_complex_arithmetic": str(eval("0-0j")) == "-0j",
        "block_stack": exists("SETUP_FINALLY"),
        "call_finally": exists("CALL_FINALLY"),
        "assert_loads_global": "LOAD_GLOBAL" in names("assert a"),
        "annotations_by_repr": "Ellipsis"
        in repr(codes("from __future__ import annotations\nx: a[..., None]")[0].co_consts),
        "exception_table": hasattr(codes("")[0], "co_exceptiontable"),
        "jumps_on_none": any("IF_NOT_NONE" in n or "IF_NONE" in n for n in names("if a is None: b")),
        "leaves_long_lines": "BUILD_TUPLE" in names("x = [" + "a.b, " * 99 + "]\ndef f(a=1, b=2): pass"),
        "handler_pushes_six": exists("SETUP_FINALLY")
        and dis.stack_effect(dis.opmap["SETUP_FINALLY"], 0, jump=True) == 6,
        "qualname_operand": any(i.opname == "LOAD_CONST" and i.argval == "f" for i in ops("def f(): pass")),
        "null_below_callable": precedes("f()", "PUSH_NULL", "LOAD_NAME"),
        "inverts_back_jumps": names("for a in b:\n  if c: d").count("JUMP_BACKWARD") == 2,
        "inlines_comprehensions": len(codes("[a for a in b]")) == 1,
        "inlines_any_all": "FOR_ITER" in names("any(a for a in b)"),
        "exits_duplicated": sum("RETURN" in n for n in names("def f(a):\n if a: b\n else: c", 1)) == 2,
        "loop_test_duplicated": [i.argval for i in ops("while a: b")].count("a") == 2,
        "percent_is_fstring": "FORMAT_VALUE" in names("'%s' % (a,)") or "FORMAT_SIMPLE" in names("'%s' % (a,)"),
        "folds_not_contains": inverts_contains("if not (a in b): c"),
        "folds_constant_tests": not any("JUMP" in n for n in names("1 or a")) and "JUMP" in str(names("1 and 1 or a")),
        "drops_constant_fstrings": "POP_TOP" not in names("f'a'\nb = c"),
        "folds_arithmetic_after_tests": "JUMP" in str(names("a if +1 else b"))
        and "JUMP" not in str(names("a if 1 else b")),
        "static_attributes": stores("class C: pass", "__static_attributes__", 1),
        "constant_keys": "BUILD_CONST_KEY_MAP" in names("{'a': x, 'b': y}"),
        "constant_slices": any(isinstance(value, slice) for value in codes("x[1:2]")[0].co_consts),
        "annotations_tuple": "BUILD_TUPLE" in names("def f(a: b): pass"),
        "deferred_annotations": any(c.co_name == "__annotate__" for c in codes("a: int")),
        "docstring_flag": bool(codes("def f(): 'doc'")[1].co_flags & 0x4000000),
        "class_firstlineno": stores("class C: pass", "__firstlineno__", 1),
        "superinstructions": any(n.count("_FAST") > 1 for n in names("def f(a, b): return a + b", 1)),
        "drops_overwritten_stores": "POP_TOP" in names("def f(a): b, b = a", 1),
        "match_pushes_bool": exists("MATCH_CLASS") and dis.stack_effect(dis.opmap["MATCH_CLASS"], 0) == -1,
        "copies_tested_value": not exists("JUMP_IF_TRUE_OR_POP"),
        "inverted_jumps_unprotected": inverted_test_without_handler(),
        "generator_calls_iter": "GET_ITER" in names("(a for a in b)", 1),
        "future_annotations_flag": __future__.annotations.compiler_flag,
        "iterator_null": dis.stack_effect(dis.opmap["GET_ITER"], 0 if "GET_ITER" in HAS_ARG else None) == 1,
    }


HAS_ARG = {n for n, o in dis.opmap.items() if o in getattr(dis, "hasarg", ()) or o >= dis.HAVE_ARGUMENT}


def main():
    """Prints the observations."""
    warnings.simplefilter("ignore")
    observations = grammar()
    observations.update(compiler())
    json.dump(observations, sys.stdout)


if __name__ == "__main__":
    main()
