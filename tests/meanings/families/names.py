# SPDX-License-Identifier: MIT
"""Names: each kind of variable is loaded, stored and deleted as in CPython, even if it has no value."""

from table import MODULE, Case, function

CLOSURE = function("def inner():\n    return x")
FREE = (
    "def f(ARGS):\n    x = a\n    def inner():\n        nonlocal x\n        x = 0\n"
    "        return x\n    return inner(), x\n"
)
CLASS = "def f(ARGS):\n    x = b\n    class C(metaclass=M):\n        y = x\n    return C\n"
ANNOTATED = "def f(ARGS):\n    class C(metaclass=M):\n        y: int = 0\n    return C\n"
GLOBAL_CLASS = "def f(ARGS):\n    class C(metaclass=M):\n        y = 1\n    return C\n"
OUTER = "-a; STORE_DEREF x; "

CASES = [
    Case("load-constant", "LOAD_CONST (1, 'x', b'y', None, 2.5, ...); ret"),
    Case(
        "load-constants", "LOAD_CONST 7; LOAD_CONST 'k'; LOAD_CONST 2j; LOAD_CONST frozenset({1}); BUILD_TUPLE 4; ret"
    ),
    Case("load-small-int", "LOAD_SMALL_INT 200; LOAD_SMALL_INT 0; BUILD_TUPLE 2; ret", since=14),
    Case("return-constant", "-a; pop; RETURN_CONST 7", since=12, until=13),
    Case("assertion-error", "LOAD_ASSERTION_ERROR; ret", since=9, until=13),
    Case("fast", "-a; = x; -x; = y; x; y; BUILD_TUPLE 2; ret"),
    Case("fast-unbound", "-a; pop; x; ret", until=11),
    Case("fast-unbound", "-a; pop; LOAD_FAST_CHECK x; ret", since=12),
    Case("fast-deleted", "-a; = x; DELETE_FAST x; x; ret", until=11),
    Case("fast-deleted", "-a; = x; DELETE_FAST x; LOAD_FAST_CHECK x; ret", since=12),
    Case("fast-delete-unbound", "-a; pop; DELETE_FAST x; none; ret"),
    Case("fast-delete-argument", "DELETE_FAST a; -b; = a; a; ret"),
    Case("pair-load", "LOAD_FAST_LOAD_FAST a,b; BINARY_OP -; ret", since=13),
    Case("pair-borrow", "LOAD_FAST_BORROW_LOAD_FAST_BORROW a,b; BINARY_OP -; ret", since=14),
    Case("borrow", "LOAD_FAST_BORROW a; UNARY_NEGATIVE; ret", since=14),
    Case("pair-store", "-a; -b; STORE_FAST_STORE_FAST c,d; c; d; BUILD_TUPLE 2; ret", since=13),
    Case("pair-store-same", "-a; -b; STORE_FAST_STORE_FAST c,c; c; ret", since=13),
    Case("pair-store-load", "-a; STORE_FAST_LOAD_FAST b,b; -b; BUILD_TUPLE 2; ret", since=13),
    Case("pair-store-load-other", "-a; STORE_FAST_LOAD_FAST b,c; -b; BUILD_TUPLE 2; ret", since=13),
    Case("module-names", "-a; STORE_NAME v; LOAD_NAME v; UNARY_INVERT; STORE_NAME b; none; ret", template=MODULE),
    Case("module-delete", "-a; STORE_NAME v; DELETE_NAME v; DELETE_NAME b; none; ret", template=MODULE),
    Case("module-unbound", "-a; pop; LOAD_NAME nothing; pop; none; ret", template=MODULE),
    Case("module-delete-unbound", "-a; pop; DELETE_NAME nothing; none; ret", template=MODULE),
    Case("module-global", "-a; STORE_GLOBAL g; LOAD_GLOBAL g; pop; none; ret", template=MODULE),
    Case("module-global-delete", "DELETE_GLOBAL g; none; ret", template=MODULE),
    Case("global", "LOAD_GLOBAL g; UNARY_NEGATIVE; ret"),
    Case("global-twice", "LOAD_GLOBAL g; LOAD_GLOBAL h; LOAD_GLOBAL g; BUILD_TUPLE 3; ret"),
    Case("global-store", "-a; STORE_GLOBAL g; -b; STORE_GLOBAL i; LOAD_GLOBAL g; ret"),
    Case("global-delete", "DELETE_GLOBAL g; none; ret"),
    Case("global-unbound", "-a; pop; LOAD_GLOBAL nothing; ret"),
    Case("global-builtin", "LOAD_GLOBAL NotImplemented; ret"),
    Case("global-call", "LOAD_GLOBAL g+NULL; -a; call 1; ret", since=11),
    Case("global-before-argument", "LOAD_GLOBAL g; -a; LOAD_GLOBAL h; BUILD_TUPLE 3; ret"),
    Case("deref", OUTER + "LOAD_DEREF x; UNARY_NEGATIVE; ret", template=CLOSURE),
    Case("deref-delete", OUTER + "DELETE_DEREF x; LOAD_DEREF x; ret", template=CLOSURE),
    Case("deref-unbound", "-a; pop; LOAD_DEREF x; ret", template=CLOSURE),
    Case("deref-delete-unbound", "-a; pop; DELETE_DEREF x; none; ret", template=CLOSURE),
    Case("free", "LOAD_DEREF x; UNARY_NEGATIVE; STORE_DEREF x; LOAD_DEREF x; ret", template=FREE, target="inner"),
    Case("free-delete", "LOAD_DEREF x; DELETE_DEREF x; ret", template=FREE, target="inner"),
    Case(
        "class-names",
        "LOAD_NAME a; UNARY_NEGATIVE; STORE_NAME v; LOAD_NAME g; pop; none; ret",
        template=GLOBAL_CLASS,
        target="C",
    ),
    Case("class-delete", "DELETE_NAME a; none; ret", template=GLOBAL_CLASS, target="C"),
    Case("class-locals", "LOAD_LOCALS; STORE_NAME v; none; ret", template=GLOBAL_CLASS, target="C", since=12),
    Case("class-free", "LOAD_CLASSDEREF x; STORE_NAME v; none; ret", template=CLASS, target="C", until=11),
    Case(
        "class-free",
        "LOAD_LOCALS; LOAD_FROM_DICT_OR_DEREF x; STORE_NAME v; none; ret",
        template=CLASS,
        target="C",
        since=12,
    ),
    Case(
        "class-global",
        "LOAD_LOCALS; LOAD_FROM_DICT_OR_GLOBALS g; STORE_NAME v; none; ret",
        template=GLOBAL_CLASS,
        target="C",
        since=12,
    ),
    Case(
        "class-global-in-dict",
        "LOAD_LOCALS; LOAD_FROM_DICT_OR_GLOBALS a; STORE_NAME v; none; ret",
        template=GLOBAL_CLASS,
        target="C",
        since=12,
    ),
    Case("class-global-store", "LOAD_NAME a; STORE_GLOBAL g; none; ret", template=GLOBAL_CLASS, target="C"),
    Case(
        "class-annotations",
        "SETUP_ANNOTATIONS; LOAD_NAME a; UNARY_NEGATIVE; LOAD_NAME __annotations__; "
        "LOAD_CONST 'v'; STORE_SUBSCR; none; ret",
        template=ANNOTATED,
        target="C",
    ),
    Case(
        "module-annotations",
        "SETUP_ANNOTATIONS; -a; LOAD_NAME __annotations__; LOAD_CONST 'v'; STORE_SUBSCR; none; ret",
        template=MODULE,
    ),
    # an inlined comprehension preserves the function's variable of the same name
    Case("fast-and-clear", "-a; = x; LOAD_FAST_AND_CLEAR x; -b; = x; x; SWAP 2; = x; x; BUILD_TUPLE 2; ret", since=12),
    Case(
        "inlined-comprehension",
        """-s; GET_ITER; LOAD_FAST_AND_CLEAR x; SWAP 2; BUILD_LIST 0; SWAP 2
        again:; FOR_ITER end; = x; -x; LIST_APPEND 2; JUMP_BACKWARD again
        end:; END_FOR; POP_TOP; SWAP 2; = x; ret""",
        since=13,
        until=13,
    ),
    Case(
        "inlined-comprehension",
        """-s; GET_ITER; LOAD_FAST_AND_CLEAR x; SWAP 2; BUILD_LIST 0; SWAP 2
        again:; FOR_ITER end; = x; -x; LIST_APPEND 2; JUMP_BACKWARD again
        end:; END_FOR; SWAP 2; = x; ret""",
        since=12,
        until=12,
    ),
    Case(
        "inlined-comprehension",
        """-s; GET_ITER; LOAD_FAST_AND_CLEAR x; SWAP 2; BUILD_LIST 0; SWAP 2
        again:; FOR_ITER end; = x; -x; LIST_APPEND 2; JUMP_BACKWARD again
        end:; END_FOR; POP_ITER; SWAP 2; = x; ret""",
        since=14,
        until=14,
    ),
    Case(
        "inlined-comprehension",
        """-s; LOAD_FAST_AND_CLEAR x; SWAP 2; GET_ITER; BUILD_LIST 0; SWAP 3; SWAP 2
        again:; FOR_ITER end; = x; -x; LIST_APPEND 3; JUMP_BACKWARD again
        end:; END_FOR; POP_ITER; SWAP 2; = x; ret""",
        since=15,
    ),
]
for _number in range(12):
    CASES.append(
        Case("common-constant-%d" % _number, "LOAD_COMMON_CONSTANT %d; ret" % _number, since=15 if _number > 4 else 14)
    )
