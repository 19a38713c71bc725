# SPDX-License-Identifier: MIT
"""Functions, classes and type parameters: what is evaluated when, and where its value goes."""

from table import MODULE, Case, compiled, function

PLAIN = function("def inner(p, u=0, *, o=0, v=0): return p")
CLOSED = function("def inner(p, u=0, *, o=0, v=0): return x, y")


def old_parts(flags, minor):
    text = ""
    if flags & 1:
        text += "-a; BUILD_TUPLE 1; "
    if flags & 2:
        text += "-b; LOAD_CONST ('v',); BUILD_CONST_KEY_MAP 1; "
    if flags & 4 and minor < 10:
        text += "-c; LOAD_CONST ('p',); BUILD_CONST_KEY_MAP 1; "
    if flags & 4 and minor >= 10:
        text += "LOAD_CONST 'p'; -c; BUILD_TUPLE 2; "
    if flags & 8:
        text += "LOAD_CLOSURE x; LOAD_CLOSURE y; BUILD_TUPLE 2; "
    return text


def new_parts(flags):
    """From 3.13 on, each attribute is pushed first and set after the function is made."""
    before, after = "", ""
    for bit, text in (
        (8, "LOAD_FAST x; LOAD_FAST y; BUILD_TUPLE 2; "),
        (4, "LOAD_CONST 'p'; -c; BUILD_TUPLE 2; "),
        (2, "LOAD_CONST 'v'; -b; BUILD_MAP 1; "),
        (1, "-a; BUILD_TUPLE 1; "),
    ):
        if flags & bit:
            before = text + before
            after += "SET_FUNCTION_ATTRIBUTE %d; " % bit
    return before, after


CASES = []
for _flags in range(16):
    _template = CLOSED if _flags & 8 else PLAIN
    for _since, _until, _name in (
        (8, 9, "LOAD_CONST 'f.<locals>.inner'; "),
        (10, 10, "LOAD_CONST 'f.<locals>.inner'; "),
        (11, 12, ""),
    ):
        _cells = "-d; STORE_DEREF x; -s; STORE_DEREF y; " if _flags & 8 else ""
        CASES.append(
            Case(
                "make-%d" % _flags,
                _cells
                + old_parts(_flags, _since)
                + "LOAD_CONST code('inner'); %sMAKE_FUNCTION %d; ret" % (_name, _flags),
                _since,
                _until,
                _template,
            )
        )
    _before, _after = new_parts(_flags)
    CASES.append(
        Case(
            "make-%d" % _flags,
            _cells + _before + "LOAD_CONST code('inner'); MAKE_FUNCTION; " + _after + "ret",
            13,
            15,
            _template,
        )
    )
CASES += [
    Case(
        "build-class",
        "LOAD_BUILD_CLASS; LOAD_CONST code('C'); LOAD_CONST 'C'; MAKE_FUNCTION 0; LOAD_CONST 'C'; "
        "-a; LOAD_GLOBAL M; LOAD_CONST ('metaclass',); CALL_FUNCTION_KW 4; ret",
        until=10,
        template=function("class C: pass"),
    ),
    compiled("class", "class C(a, metaclass=M):\n    y = a\n    @b\n    def g(self): return x\nreturn C"),
    compiled("class-cell", "class C(metaclass=M):\n    def g(self): return __class__\nreturn C"),
    compiled("decorated", "@a\n@b\ndef g(p=c, *, o=d): return p\nreturn g"),
    compiled("lambda", "return lambda p, *u, o=-a, **v: p"),
    compiled("closure", "def g():\n    nonlocal x\n    x = -a\n    return x\nreturn g(), x"),
    compiled("annotate", "def g(p: -a) -> -b: pass\nreturn g.__annotations__", since=14),
    compiled("type-variables", "def g[T, *U, **V](p: T): pass\nreturn g.__type_params__", since=12),
    compiled("type-bound", "def g[T: -a](): pass\nreturn g.__type_params__[0].__bound__", since=12),
    compiled("type-constraints", "def g[T: (-a, -b)](): pass\nreturn g.__type_params__[0].__constraints__", since=12),
    compiled(
        "type-default",
        "def g[T = -a, *U = -b, **V = -c](): pass\nreturn [p.__default__ for p in g.__type_params__]",
        since=13,
    ),
    compiled("type-alias", "type X = -a\nreturn X.__value__", since=12),
    compiled("type-alias-parameters", "type X[T] = (a, T)\nreturn X.__value__, X.__type_params__", since=12),
    compiled("generic-class", "class C[T](a, metaclass=M): pass\nreturn C", since=12),
    Case("print", "-a; PRINT_EXPR; none; ret", until=11, template=MODULE),
    Case("print", "-a; CALL_INTRINSIC_1 INTRINSIC_PRINT; pop; none; ret", since=12, template=MODULE),
]
