# SPDX-License-Identifier: MIT
"""Raising, handlers, finally and with: what is caught, where control continues, and what is left of the exception."""

from table import Case, compiled

CASES = [
    Case("raise-0", "-a; pop; RAISE_VARARGS 0"),
    Case("raise-1", "e; RAISE_VARARGS 1"),
    Case("raise-1-class", "E; RAISE_VARARGS 1"),
    Case("raise-2", "e; F; RAISE_VARARGS 2"),
    Case("raise-2-none", "e; none; RAISE_VARARGS 2"),
    Case("raise-not-exception", "-a; RAISE_VARARGS 1"),
    Case("raise-order", "fn E; -a; call 1; fn F; -b; call 1; RAISE_VARARGS 2"),
]
# 3.8-3.10: the block stack; an exception has six entries on the stack
OLD_CATCH = "SETUP_FINALLY H; fn r; -a; call 1; pop; POP_BLOCK; -b; ret; H:; %s"
MATCH = {
    8: "DUP_TOP; %s; COMPARE_OP exception match; POP_JUMP_IF_FALSE N; ",
    9: "DUP_TOP; %s; JUMP_IF_NOT_EXC_MATCH N; ",
}
MATCH[10] = MATCH[9]
AGAIN = {8: "END_FINALLY; ", 9: "RERAISE; ", 10: "RERAISE 0; "}
for _minor in (8, 9, 10):
    for _class in ("E", "F"):
        CASES.append(
            Case(
                "catch-" + _class,
                OLD_CATCH
                % (
                    MATCH[_minor] % _class
                    + "POP_TOP; = x; POP_TOP; POP_EXCEPT; x; ret; N:; "
                    + AGAIN[_minor]
                    + "none; ret"
                ),
                _minor,
                _minor,
            )
        )
    CASES += [
        Case("catch-all", OLD_CATCH % "POP_TOP; POP_TOP; POP_TOP; POP_EXCEPT; -c; ret", _minor, _minor),
        Case("catch-and-raise", OLD_CATCH % "POP_TOP; POP_TOP; POP_TOP; e; RAISE_VARARGS 1", _minor, _minor),
        Case("catch-and-reraise", OLD_CATCH % "POP_TOP; POP_TOP; POP_TOP; RAISE_VARARGS 0", _minor, _minor),
        Case("catch-match-value", OLD_CATCH % "POP_TOP; = x; POP_TOP; POP_EXCEPT; x; ret", _minor, _minor),
    ]
CASES += [
    Case(
        "finally",
        "SETUP_FINALLY H; fn r; call 0; pop; POP_BLOCK; BEGIN_FINALLY; H:; -b; pop; END_FINALLY; -c; ret",
        until=8,
    ),
    Case(
        "finally-called",
        "SETUP_FINALLY H; fn r; call 0; POP_BLOCK; CALL_FINALLY H; ret; H:; -b; pop; END_FINALLY; none; ret",
        until=8,
    ),
    Case("finally", "SETUP_FINALLY H; fn r; call 0; pop; POP_BLOCK; -b; pop; -c; ret; H:; -b; pop; RERAISE", 9, 9),
    Case("finally", "SETUP_FINALLY H; fn r; call 0; pop; POP_BLOCK; -b; pop; -c; ret; H:; -b; pop; RERAISE 0", 10, 10),
    Case(
        "finally-differs", "SETUP_FINALLY H; fn r; call 0; pop; POP_BLOCK; -b; pop; -c; ret; H:; -d; pop; RERAISE", 9, 9
    ),
    Case(
        "finally-differs",
        "SETUP_FINALLY H; fn r; call 0; pop; POP_BLOCK; -b; pop; -c; ret; H:; -d; pop; RERAISE 0",
        10,
        10,
    ),
    Case(
        "finally-swallows",
        "SETUP_FINALLY H; fn r; call 0; pop; POP_BLOCK; -b; ret; H:; POP_TOP; POP_TOP; POP_TOP; POP_EXCEPT; -d; ret",
        until=10,
    ),
]


# 3.11+: the exception table
def catch(body):
    """Returns a handler with this body; the clean-up handler covers what runs before POP_EXCEPT, and after label N."""
    table = ".try B T H 0; "
    table += ".try I P O 1 lasti; " if "POP_EXCEPT" in body else ".try I O O 1 lasti; "
    table += ".try N O O 1 lasti; " if "POP_EXCEPT" in body and "N:" in body else ""
    body = body.replace("POP_EXCEPT", "P:; POP_EXCEPT")
    start = "B:; fn r; -a; call 1; pop; T:; -b; ret; H:; PUSH_EXC_INFO; I:; "
    return start + body + " O:; COPY 3; POP_EXCEPT; RERAISE 1; " + table


for _class in ("E", "F"):
    for _jump, _since, _until in (("POP_JUMP_FORWARD_IF_FALSE", 11, 11), ("POP_JUMP_IF_FALSE", 12, 15)):
        CASES += [
            Case(
                "catch-" + _class,
                catch("%s; CHECK_EXC_MATCH; %s N; = x; POP_EXCEPT; x; ret; N:; RERAISE 0;" % (_class, _jump)),
                _since,
                _until,
            ),
            Case(
                "catch-dropped-" + _class,
                catch("%s; CHECK_EXC_MATCH; %s N; pop; -c; pop; POP_EXCEPT; -d; ret; N:; RERAISE 0;" % (_class, _jump)),
                _since,
                _until,
            ),
        ]
CASES += [
    Case("catch-all", catch("pop; POP_EXCEPT; -c; ret;"), since=11),
    Case("catch-and-raise", catch("pop; e; RAISE_VARARGS 1;"), since=11),
    Case("catch-and-reraise", catch("pop; RAISE_VARARGS 0;"), since=11),
    Case("catch-match-value", catch("= x; POP_EXCEPT; x; ret;"), since=11),
    Case("finally", catch("-b; pop; RERAISE 0;"), since=11),
    Case("finally-differs", catch("-d; pop; RERAISE 0;"), since=11),
    Case(
        "catch-over-value",
        "-d; B:; fn r; call 0; pop; T:; -b; BUILD_TUPLE 2; ret; H:; PUSH_EXC_INFO; pop; "
        "POP_EXCEPT; -c; BUILD_TUPLE 2; ret; .try B T H 1",
        since=11,
    ),
    Case("handler-without-push", "B:; fn r; call 0; ret; T:; NOP; H:; = x; x; ret; .try B T H 0", since=11),
    Case("reraise-value", "e; RERAISE 0", since=11),
]
_WITH_END = (
    "T:; none; none; none; call 2; pop; -c; ret; H:; PUSH_EXC_INFO; I:; WITH_EXCEPT_START; "
    "%s S; RERAISE 2; S:; POP_TOP; J:; POP_EXCEPT; POP_TOP; POP_TOP; %s-d; ret; O:; COPY 3; "
    "POP_EXCEPT; RERAISE 1; .try B T H %d lasti; .try I J O %d lasti"
)
CASES += [
    Case(
        "with",
        "-a; BEFORE_WITH; B:; pop; fn r; call 0; pop; " + _WITH_END % ("POP_JUMP_FORWARD_IF_TRUE", "", 1, 3),
        11,
        11,
    ),
    Case("with", "-a; BEFORE_WITH; B:; pop; fn r; call 0; pop; " + _WITH_END % ("POP_JUMP_IF_TRUE", "", 1, 3), 12, 12),
    Case(
        "with",
        "-a; BEFORE_WITH; B:; pop; fn r; call 0; pop; " + _WITH_END % ("TO_BOOL; POP_JUMP_IF_TRUE", "", 1, 3),
        13,
        13,
    ),
    Case(
        "with",
        "-a; COPY 1; LOAD_SPECIAL 1; SWAP 2; SWAP 3; LOAD_SPECIAL 0; CALL 0; B:; pop; fn r; "
        "call 0; pop; T:; none; none; none; CALL 3; pop; -c; ret; H:; PUSH_EXC_INFO; I:; "
        "WITH_EXCEPT_START; TO_BOOL; POP_JUMP_IF_TRUE S; RERAISE 2; S:; POP_TOP; J:; POP_EXCEPT; "
        "POP_TOP; POP_TOP; POP_TOP; -d; ret; O:; COPY 3; POP_EXCEPT; RERAISE 1; "
        ".try B T H 2 lasti; .try I J O 4 lasti",
        since=14,
    ),
    Case(
        "with",
        "-a; SETUP_WITH H; pop; fn r; call 0; pop; POP_BLOCK; BEGIN_FINALLY; H:; "
        "WITH_CLEANUP_START; WITH_CLEANUP_FINISH; END_FINALLY; -d; ret",
        until=8,
    ),
    Case(
        "with",
        "-a; SETUP_WITH H; pop; fn r; call 0; pop; POP_BLOCK; none; DUP_TOP; DUP_TOP; "
        "CALL_FUNCTION 3; pop; -c; ret; H:; WITH_EXCEPT_START; POP_JUMP_IF_TRUE S; RERAISE; S:; "
        "pop; pop; pop; POP_EXCEPT; pop; -d; ret",
        9,
        9,
    ),
    Case(
        "with",
        "-a; SETUP_WITH H; pop; fn r; call 0; pop; POP_BLOCK; none; DUP_TOP; DUP_TOP; "
        "CALL_FUNCTION 3; pop; -c; ret; H:; WITH_EXCEPT_START; POP_JUMP_IF_TRUE S; RERAISE 1; S:; "
        "pop; pop; pop; POP_EXCEPT; pop; -d; ret",
        10,
        10,
    ),
]
CASES += [
    compiled("try-else", "try:\n    r(-a)\nexcept E as x:\n    -b\nelse:\n    -c\nreturn -d"),
    compiled("try-two", "try:\n    r(-a)\nexcept F:\n    -b\nexcept (E, F) as y:\n    r(y)\nfinally:\n    -c"),
    compiled("try-name-deleted", "try:\n    r()\nexcept E as x:\n    pass\nreturn x"),
    compiled(
        "try-loop",
        "for x in s:\n    try:\n        r(x)\n    except E:\n        continue\n    finally:\n"
        "        -x\n    if a: break\nelse:\n    -b",
    ),
    compiled("finally-return", "try:\n    return r(-a)\nfinally:\n    -b"),
    compiled("finally-overrides", "try:\n    return r(-a)\nfinally:\n    return -b"),
    compiled(
        "finally-overrides-handler",
        "for x in s:\n    try:\n        return r(-a)\n    except E:\n        -c\n    finally:\n"
        "        if b: break\nreturn -d",
    ),
    compiled("with-as", "with -a as x, -b as y:\n    r(x)\nreturn -c"),
    compiled("with-return", "with -a as x:\n    return r(x)\nreturn -c"),
    compiled("with-loop", "for x in s:\n    with x:\n        r()\n        break\nreturn -c"),
    compiled("raise-in-handler", "try:\n    r()\nexcept E as x:\n    raise F from x"),
    compiled(
        "group",
        "try:\n    raise ExceptionGroup('g', [E(1), F(2)])\nexcept* E as x:\n    r(x.message)\n"
        "except* F as y:\n    -a\nreturn -b",
        since=11,
    ),
    compiled(
        "group-rest",
        "try:\n    r()\n    raise ExceptionGroup('g', [E(1), KeyError(2)])\nexcept* F:\n    -a\nfinally:\n    -b",
        since=11,
    ),
]
