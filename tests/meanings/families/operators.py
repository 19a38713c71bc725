# SPDX-License-Identifier: MIT
"""Operators: which one, whether in place, and which operand is on top."""

from recorders import BINARY
from table import Case

OLD_NAMES = {
    "+": "ADD", "-": "SUBTRACT", "*": "MULTIPLY", "@": "MATRIX_MULTIPLY", "/": "TRUE_DIVIDE", "//": "FLOOR_DIVIDE",
    "%": "MODULO", "**": "POWER", "<<": "LSHIFT", ">>": "RSHIFT", "&": "AND", "|": "OR", "^": "XOR",
}  # fmt: skip

CASES = []
for _name, _symbol in BINARY.items():
    CASES += [
        Case(_name, "-a; -b; BINARY_%s; ret" % OLD_NAMES[_symbol], until=10),
        Case("i" + _name, "-a; -b; INPLACE_%s; ret" % OLD_NAMES[_symbol], until=10),
        # in place, and the result is stored to the operand's variable
        Case("store-i" + _name, "a; -b; INPLACE_%s; = a; a; ret" % OLD_NAMES[_symbol], until=10),
        Case(_name, "-a; -b; BINARY_OP %s; ret" % _symbol, since=11),
        Case("i" + _name, "-a; -b; BINARY_OP %s=; ret" % _symbol, since=11),
        Case("store-i" + _name, "a; -b; BINARY_OP %s=; = a; a; ret" % _symbol, since=11),
    ]
for _number, _symbol in enumerate(("<", "<=", "==", "!=", ">", ">=")):
    CASES += [
        Case("compare-%d" % _number, "-a; -b; COMPARE_OP %s; ret" % _symbol),
        Case("compare-bool-%d" % _number, "-a; -b; COMPARE_OP %s+BOOL; ret" % _symbol, since=13),
        Case("compare-none-%d" % _number, "-a; none; COMPARE_OP %s; ret" % _symbol),
    ]
for _name in ("NEGATIVE", "INVERT", "NOT"):
    CASES.append(Case("unary-" + _name.lower(), "-a; UNARY_%s; ret" % _name, until=12 if _name == "NOT" else 15))
CASES += [
    Case("unary-positive", "-a; UNARY_POSITIVE; ret", until=11),
    Case("unary-positive", "-a; CALL_INTRINSIC_1 INTRINSIC_UNARY_POSITIVE; ret", since=12),
    Case("to-bool", "-a; TO_BOOL; ret", since=13),
    Case("to-bool-not", "-a; TO_BOOL; UNARY_NOT; ret", since=13),
    Case("to-bool-twice", "-a; TO_BOOL; TO_BOOL; ret", since=13),
    Case("is", "-a; -b; COMPARE_OP is; ret", until=8),
    Case("is-not", "-a; -b; COMPARE_OP is not; ret", until=8),
    Case("is-not-same", "a; a; COMPARE_OP is not; ret", until=8),
    Case("in", "-a; -b; COMPARE_OP in; ret", until=8),
    Case("not-in", "-a; -b; COMPARE_OP not in; ret", until=8),
    Case("is", "-a; -b; IS_OP 0; ret", since=9),
    Case("is-not", "-a; -b; IS_OP 1; ret", since=9),
    Case("is-same", "a; a; IS_OP 0; ret", since=9),
    Case("is-not-same", "a; a; IS_OP 1; ret", since=9),
    Case("in", "-a; -b; CONTAINS_OP 0; ret", since=9),
    Case("not-in", "-a; -b; CONTAINS_OP 1; ret", since=9),
]
for _new, _since, _until in (("BINARY_SUBSCR", 8, 13), ("BINARY_OP []", 14, 15)):
    CASES += [
        Case("subscript", "-a; -b; %s; ret" % _new, _since, _until),
        Case("subscript-nested", "-a; -b; -c; %s; %s; ret" % (_new, _new), _since, _until),
        Case("slice-2", "-a; -b; -c; BUILD_SLICE 2; %s; ret" % _new, _since, _until),
        Case("slice-3", "-a; -b; -c; -d; BUILD_SLICE 3; %s; ret" % _new, _since, _until),
        Case("slice-none", "-a; none; -c; none; BUILD_SLICE 3; %s; ret" % _new, _since, _until),
        Case("slice-none-none", "-a; none; none; BUILD_SLICE 2; %s; ret" % _new, _since, _until),
        Case("slice-in-tuple", "-a; -b; -c; BUILD_SLICE 2; -d; BUILD_TUPLE 2; %s; ret" % _new, _since, _until),
        Case(
            "in-place-item",
            "-a; -b; COPY 2; COPY 2; %s; -c; BINARY_OP +=; SWAP 3; SWAP 2; STORE_SUBSCR; none; ret" % _new,
            max(11, _since),
            _until,
        ),
    ]
CASES += [
    Case(
        "in-place-item",
        "-a; -b; DUP_TOP_TWO; BINARY_SUBSCR; -c; INPLACE_ADD; ROT_THREE; STORE_SUBSCR; none; ret",
        until=10,
    ),
    Case("store-subscript", "-a; -b; -c; STORE_SUBSCR; none; ret"),
    Case("delete-subscript", "-a; -b; DELETE_SUBSCR; none; ret"),
    Case("bare-slice-2", "-b; -c; BUILD_SLICE 2; ret"),
    Case("bare-slice-3", "-b; -c; -d; BUILD_SLICE 3; ret"),
    Case("store-slice-object", "-a; -b; -c; -d; BUILD_SLICE 2; STORE_SUBSCR; none; ret"),
    Case("delete-slice-object", "-b; -c; -d; BUILD_SLICE 2; DELETE_SUBSCR; none; ret"),
    Case("slice", "-a; -b; -c; BINARY_SLICE; ret", since=12),
    Case("slice-from-none", "-a; none; -c; BINARY_SLICE; ret", since=12),
    Case("slice-to-none", "-a; -b; none; BINARY_SLICE; ret", since=12),
    Case("store-slice", "-a; -b; -c; -d; STORE_SLICE; none; ret", since=12),
    Case("store-slice-none", "-a; -b; none; none; STORE_SLICE; none; ret", since=12),
    Case("load-attribute", "-a; LOAD_ATTR u; ret"),
    Case("store-attribute", "-a; -b; STORE_ATTR u; none; ret"),
    Case("delete-attribute", "-a; DELETE_ATTR u; none; ret"),
    Case(
        "in-place-attribute",
        "-a; DUP_TOP; LOAD_ATTR u; -b; INPLACE_SUBTRACT; ROT_TWO; STORE_ATTR u; none; ret",
        until=10,
    ),
    Case("in-place-attribute", "-a; COPY 1; LOAD_ATTR u; -b; BINARY_OP -=; SWAP 2; STORE_ATTR u; none; ret", since=11),
    # constants that folding could confuse
    Case("negative-constant", "LOAD_CONST 5; UNARY_NEGATIVE; ret"),
    Case("power-of-negative", "LOAD_CONST -2; a; BINARY_POWER; ret", until=10),
    Case("power-of-negative", "LOAD_CONST -2; a; BINARY_OP **; ret", since=11),
    Case("compare-chain-by-hand", "-a; -b; COMPARE_OP <; -c; COMPARE_OP <; ret"),
    Case("compare-right", "-a; -b; -c; COMPARE_OP <; COMPARE_OP >; ret"),
    Case("not-of-compare", "-a; -b; COMPARE_OP ==; UNARY_NOT; ret", until=12),
    Case("not-of-in", "-a; -b; CONTAINS_OP 0; UNARY_NOT; ret", since=9, until=12),
    Case("not-of-is", "-a; -b; IS_OP 1; UNARY_NOT; ret", since=9, until=12),
]
