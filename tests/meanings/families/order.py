# SPDX-License-Identifier: MIT
"""Values that are loaded before an effect changes the object or variable that they came from."""

from table import Case, compiled, function

NONLOCAL = function("def inner():\n    nonlocal x\n    x = 5\n    return x")
CASES = [
    Case("global", "LOAD_GLOBAL g; -b; STORE_GLOBAL g; LOAD_GLOBAL g; BUILD_TUPLE 2; ret"),
    Case("global-deleted", "LOAD_GLOBAL g; DELETE_GLOBAL g; UNARY_NEGATIVE; ret"),
    Case("local-in-binary", "a; -b; = a; a; BINARY_SUBTRACT; ret", until=10),
    Case("local-in-binary", "a; -b; = a; a; BINARY_OP -; ret", since=11),
    Case("local-under-two-stores", "a; b; = a; = b; a; b; BUILD_TUPLE 2; ret"),
    Case("local-three", "a; b; c; = a; = b; = c; a; b; c; BUILD_TUPLE 3; ret"),
    Case("attribute", "a; LOAD_ATTR u; -b; a; STORE_ATTR u; a; LOAD_ATTR u; BUILD_TUPLE 2; ret"),
    Case("call-result-kept", "fn a; call 0; fn b; call 0; pop; ret"),
    Case("call-result-dropped", "fn a; call 0; pop; fn b; call 0; ret"),
    Case("callee-under-store", "fn a; -b; = c; c; call 1; ret"),
    Case("value-over-branch", "-a; -b; POP_JUMP_IF_FALSE L; -c; pop; L:; ret", until=10),
    Case("value-over-branch", "-a; -b; POP_JUMP_FORWARD_IF_FALSE L; -c; pop; L:; ret", 11, 11),
    Case("value-over-branch", "-a; -b; TO_BOOL; POP_JUMP_IF_FALSE L; -c; pop; L:; ret", since=13),
    Case("local-over-branch", "a; -b; POP_JUMP_IF_FALSE L; -c; = a; L:; a; BUILD_TUPLE 2; ret", until=10),
    Case("local-over-branch", "a; -b; POP_JUMP_FORWARD_IF_FALSE L; -c; = a; L:; a; BUILD_TUPLE 2; ret", 11, 11),
    Case("local-over-branch", "a; -b; TO_BOOL; POP_JUMP_IF_FALSE L; -c; = a; L:; a; BUILD_TUPLE 2; ret", since=13),
    Case(
        "values-chosen-twice",
        "-b; POP_JUMP_IF_FALSE L; a; c; JUMP_FORWARD M; L:; c; a; M:; BUILD_TUPLE 2; ret",
        until=10,
    ),
    Case(
        "values-chosen-twice",
        "-b; TO_BOOL; POP_JUMP_IF_FALSE L; a; c; JUMP_FORWARD M; L:; c; a; M:; BUILD_TUPLE 2; ret",
        since=13,
    ),
    Case(
        "effects-chosen-twice",
        "-b; POP_JUMP_IF_FALSE L; -a; -c; JUMP_FORWARD M; L:; -d; -s; M:; BUILD_TUPLE 2; ret",
        until=10,
    ),
    Case(
        "effects-chosen-twice",
        "-b; TO_BOOL; POP_JUMP_IF_FALSE L; -a; -c; JUMP_FORWARD M; L:; -d; -s; M:; BUILD_TUPLE 2; ret",
        since=13,
    ),
    Case("list-shared", "BUILD_LIST 0; = x; x; -a; LIST_APPEND 1; pop; x; ret"),
    Case("list-shared-copy", "BUILD_LIST 0; DUP_TOP; = x; -a; LIST_APPEND 1; x; BUILD_TUPLE 2; ret", until=10),
    Case("list-shared-copy", "BUILD_LIST 0; COPY 1; = x; -a; LIST_APPEND 1; x; BUILD_TUPLE 2; ret", since=11),
    Case("list-kept-then-changed", "-a; BUILD_LIST 1; = x; x; x; -b; LIST_APPEND 1; BUILD_TUPLE 2; ret"),
    Case("constants", "LOAD_CONST 'a'; LOAD_CONST 1; BINARY_MODULO; ret", until=10),
    Case("constants", "LOAD_CONST 'a'; LOAD_CONST 1; BINARY_OP %; ret", since=11),
    Case(
        "deref-then-call",
        "-a; STORE_DEREF x; LOAD_CLOSURE x; BUILD_TUPLE 1; LOAD_CONST code('inner'); "
        "LOAD_CONST 'inner'; MAKE_FUNCTION 8; = y; LOAD_DEREF x; fn y; call 0; LOAD_DEREF x; "
        "BUILD_TUPLE 3; ret",
        until=10,
        template=NONLOCAL,
    ),
    Case(
        "deref-then-call",
        "-a; STORE_DEREF x; LOAD_CLOSURE x; BUILD_TUPLE 1; LOAD_CONST code('inner'); "
        "MAKE_FUNCTION 8; = y; LOAD_DEREF x; fn y; call 0; LOAD_DEREF x; BUILD_TUPLE 3; ret",
        11,
        12,
        NONLOCAL,
    ),
    Case(
        "deref-then-call",
        "-a; STORE_DEREF x; LOAD_FAST x; BUILD_TUPLE 1; LOAD_CONST code('inner'); MAKE_FUNCTION; "
        "SET_FUNCTION_ATTRIBUTE 8; = y; LOAD_DEREF x; fn y; call 0; LOAD_DEREF x; BUILD_TUPLE 3; "
        "ret",
        since=13,
        template=NONLOCAL,
    ),
    compiled("assignment-expression", "return [x := -a, x, (y := -x), y]"),
    compiled("chained-targets", "x = a.u = b[c] = -d\nreturn x"),
    compiled("swap", "a, b = b, a\nx, (y, *c), d = -a, s, b\nreturn a, b, x, y, c, d"),
    compiled("augmented", "a.u += -b\na[-c] -= -d\nx = a\nx **= b\nreturn x"),
    compiled("display-order", "return {-a: -b, **-w, -c: -d}, [-a, *-s, -b], {-c, *-q}, -r"),
    compiled("call-order", "return (-a)(-b, *-s, -c, k=-d, **-w)"),
    compiled("never-stored", "if 0: x = a\nelse: del x\nreturn x"),
    compiled("dead-local", "return z\nz = 1"),
    compiled("dead-local-if-0", "if 0: z = 1\nreturn z"),
]
