# SPDX-License-Identifier: MIT
"""Calls: slots, arity, keywords, unpacking, methods and super()."""

from table import Case

ARGS = "abcd"
CASES = []
for _n in range(4):
    _some = "".join("-%s; " % name for name in ARGS[1 : _n + 1])
    CASES += [
        Case("call-%d" % _n, "fn a; %scall %d; ret" % (_some, _n)),
        Case("call-result-%d" % _n, "-a; %sCALL_FUNCTION %d; ret" % (_some, _n), until=10),
        Case("call-result-%d" % _n, "PUSH_NULL; -a; %scall %d; ret" % (_some, _n), since=11, until=12),
        Case("call-result-%d" % _n, "-a; PUSH_NULL; %scall %d; ret" % (_some, _n), since=13),
        Case("method-%d" % _n, "-a; LOAD_METHOD u; %sCALL_METHOD %d; ret" % (_some, _n), until=10),
        Case("method-%d" % _n, "-a; LOAD_METHOD u; %scall %d; ret" % (_some, _n), since=11, until=11),
        Case("method-%d" % _n, "-a; LOAD_ATTR u+METHOD; %scall %d; ret" % (_some, _n), since=12),
        # both slots full: the second one is the first argument
        Case("self-%d" % _n, "-s; -a; %scall %d; ret" % (_some, _n), since=11),
        Case("self-effects-%d" % _n, "s; -a; %scall %d; ret" % (_some, _n), since=11),
    ]
for _n, _names in ((1, ("k",)), (2, ("k",)), (2, ("k", "l")), (3, ("k", "l"))):
    _some = "".join("-%s; " % name for name in ARGS[1 : _n + 1])
    _tag = "%d-%d" % (_n, len(_names))
    CASES += [
        Case("keywords-" + _tag, "a; %sLOAD_CONST %r; CALL_FUNCTION_KW %d; ret" % (_some, _names, _n), until=10),
        Case(
            "keywords-" + _tag,
            "fn a; %sKW_NAMES %r; PRECALL %d; CALL %d; ret" % (_some, _names, _n, _n),
            since=11,
            until=11,
        ),
        Case("keywords-" + _tag, "fn a; %sKW_NAMES %r; CALL %d; ret" % (_some, _names, _n), since=12, until=12),
        Case("keywords-" + _tag, "fn a; %sLOAD_CONST %r; CALL_KW %d; ret" % (_some, _names, _n), since=13),
        Case(
            "method-keywords-" + _tag,
            "-a; LOAD_METHOD u; %sKW_NAMES %r; PRECALL %d; CALL %d; ret" % (_some, _names, _n, _n),
            since=11,
            until=11,
        ),
        Case(
            "method-keywords-" + _tag,
            "-a; LOAD_ATTR u+METHOD; %sKW_NAMES %r; CALL %d; ret" % (_some, _names, _n),
            since=12,
            until=12,
        ),
        Case(
            "method-keywords-" + _tag,
            "-a; LOAD_ATTR u+METHOD; %sLOAD_CONST %r; CALL_KW %d; ret" % (_some, _names, _n),
            since=13,
        ),
        Case(
            "self-keywords-" + _tag,
            "-s; -a; %sKW_NAMES %r; PRECALL %d; CALL %d; ret" % (_some, _names, _n, _n),
            since=11,
            until=11,
        ),
        Case("self-keywords-" + _tag, "-s; -a; %sKW_NAMES %r; CALL %d; ret" % (_some, _names, _n), since=12, until=12),
        Case("self-keywords-" + _tag, "-s; -a; %sLOAD_CONST %r; CALL_KW %d; ret" % (_some, _names, _n), since=13),
    ]
for _name, _positional in (
    ("tuple", "-b; -c; BUILD_TUPLE 2; "),
    ("iterable", "-s; "),
    ("constant", "LOAD_CONST (1, 2); "),
):
    for _start, _since, _until in (("a; ", 8, 10), ("fn a; ", 11, 13)):
        CASES += [
            Case("ex-%s" % _name, _start + _positional + "CALL_FUNCTION_EX 0; ret", _since, _until),
            Case("ex-%s-map" % _name, _start + _positional + "-w; CALL_FUNCTION_EX 1; ret", _since, min(_until, 11)),
            Case(
                "ex-%s-dict" % _name,
                _start + _positional + "LOAD_CONST 'k'; -d; BUILD_MAP 1; CALL_FUNCTION_EX 1; ret",
                _since,
                _until,
            ),
        ]
    CASES += [
        Case("ex-%s" % _name, "fn a; " + _positional + "PUSH_NULL; CALL_FUNCTION_EX 0; ret", since=14),
        Case(
            "ex-%s-dict" % _name,
            "fn a; " + _positional + "LOAD_CONST 'k'; -d; BUILD_MAP 1; CALL_FUNCTION_EX 0; ret",
            since=14,
        ),
    ]
# (from 3.12 on the keywords must be a real dictionary: CALL_FUNCTION_EX only asserts it)
CASES = [case for case in CASES if case.since <= case.until]
CASES += [
    Case("ex-effects", "-a; -s; -w; CALL_FUNCTION_EX 1; ret", until=10),
    Case("ex-effects", "PUSH_NULL; -a; -s; -w; CALL_FUNCTION_EX 1; ret", since=11, until=11),
    Case(
        "ex-effects", "PUSH_NULL; -a; -s; LOAD_CONST 'k'; -d; BUILD_MAP 1; CALL_FUNCTION_EX 1; ret", since=12, until=12
    ),
    Case("ex-effects", "-a; PUSH_NULL; -s; LOAD_CONST 'k'; -d; BUILD_MAP 1; CALL_FUNCTION_EX 1; ret", since=13),
    Case("ex-not-iterable", "a; none; CALL_FUNCTION_EX 0; ret", until=10),
    Case(
        "ex-extended",
        "a; -b; BUILD_LIST 1; -s; LIST_EXTEND 1; LIST_TO_TUPLE; CALL_FUNCTION_EX 0; ret",
        since=9,
        until=10,
    ),
    Case(
        "ex-extended-twice",
        "a; -b; BUILD_LIST 1; -s; LIST_EXTEND 1; -c; LIST_APPEND 1; -q; LIST_EXTEND 1; "
        "LIST_TO_TUPLE; CALL_FUNCTION_EX 0; ret",
        since=9,
        until=10,
    ),
    Case("method-raises", "a; = x; fn r; call 0; pop; x; ret"),
    Case("nested", "fn a; fn b; -c; call 1; fn d; call 0; call 2; ret"),
    Case("callee-before-arguments", "-a; LOAD_ATTR u; PUSH_NULL; -b; call 1; ret", since=13),
    Case("callee-before-arguments", "PUSH_NULL; -a; LOAD_ATTR u; -b; call 1; ret", since=11, until=12),
    Case("callee-before-arguments", "-a; LOAD_ATTR u; -b; CALL_FUNCTION 1; ret", until=10),
    Case("callee-replaced", "fn a; -b; = a; -c; call 1; ret"),
]
for _bits in ("", "+METHOD", "+TWO", "+METHOD+TWO"):
    _after = "-d; call 1; ret" if "METHOD" in _bits else "ret"
    CASES.append(
        Case("super" + _bits.lower().replace("+", "-"), "a; b; c; LOAD_SUPER_ATTR u%s; %s" % (_bits, _after), since=12)
    )
    CASES.append(
        Case(
            "super-effects" + _bits.lower().replace("+", "-"),
            "-a; -b; -c; LOAD_SUPER_ATTR u%s; %s" % (_bits, _after),
            since=12,
        )
    )
