# SPDX-License-Identifier: MIT
"""Jumps: when they jump, what they leave on the stack, and how loops end."""

from table import Case, compiled

CASES = []
for _answer in ("TRUE", "FALSE", "NONE", "NOT_NONE"):
    _test = "to_bool; " if _answer in ("TRUE", "FALSE") else ""
    _tail = "-b; ret; L:; -c; ret"
    _operand = "m" if "NONE" in _answer else "-a"
    _none = "NONE" in _answer
    CASES += [
        Case(
            "jump-%s" % _answer.lower(),
            "%s; POP_JUMP_IF_%s L; %s" % (_operand, _answer, _tail),
            12 if _none else 8,
            10 if not _none else 15,
        ),
        Case("jump-%s" % _answer.lower(), "%s; POP_JUMP_FORWARD_IF_%s L; %s" % (_operand, _answer, _tail), 11, 11),
        # backwards: the code above runs again
        Case(
            "back-%s" % _answer.lower(),
            "again:; -d; pop; %s; POP_JUMP_BACKWARD_IF_%s again; -b; ret" % (_operand, _answer),
            11,
            11,
        ),
    ]
    if not _none:
        CASES += [
            Case("jump-%s" % _answer.lower(), "-a; POP_JUMP_IF_%s L; %s" % (_answer, _tail), 12, 12),
            Case("jump-%s" % _answer.lower(), "-a; TO_BOOL; POP_JUMP_IF_%s L; %s" % (_answer, _tail), 13),
            Case(
                "jump-%s-compare" % _answer.lower(),
                "-a; -b; COMPARE_OP <+BOOL; POP_JUMP_IF_%s L; %s" % (_answer, _tail),
                13,
            ),
            Case("jump-%s-is" % _answer.lower(), "-a; m; IS_OP 1; POP_JUMP_IF_%s L; %s" % (_answer, _tail), 12),
            Case("jump-%s-in" % _answer.lower(), "-a; -m; CONTAINS_OP 1; POP_JUMP_IF_%s L; %s" % (_answer, _tail), 12),
            Case("back-%s" % _answer.lower(), "again:; -d; pop; -a; POP_JUMP_IF_%s again; -b; ret" % _answer, 8, 10),
            Case("or-pop-%s" % _answer.lower(), "-a; JUMP_IF_%s_OR_POP L; -b; L:; ret" % _answer, until=11),
            Case(
                "or-pop-%s-used" % _answer.lower(),
                "-c; -a; JUMP_IF_%s_OR_POP L; -b; L:; BUILD_TUPLE 2; ret" % _answer,
                until=11,
            ),
            Case(
                "or-pop-%s-mixed" % _answer.lower(),
                "-a; JUMP_IF_%s_OR_POP L; -b; JUMP_IF_%s_OR_POP L; -c; L:; ret"
                % (_answer, "FALSE" if _answer == "TRUE" else "TRUE"),
                until=11,
            ),
            Case("copy-%s" % _answer.lower(), "-a; COPY 1; POP_JUMP_IF_%s L; pop; -b; L:; ret" % _answer, 12, 12),
            Case("copy-%s" % _answer.lower(), "-a; COPY 1; TO_BOOL; POP_JUMP_IF_%s L; pop; -b; L:; ret" % _answer, 13),
            Case(
                "value-%s" % _answer.lower(),
                "-d; -a; TO_BOOL; POP_JUMP_IF_%s L; -b; JUMP_FORWARD M; L:; -c; M:; BUILD_TUPLE 2; ret" % _answer,
                13,
            ),
            Case(
                "value-%s" % _answer.lower(),
                "-d; -a; POP_JUMP_IF_%s L; -b; JUMP_FORWARD M; L:; -c; M:; BUILD_TUPLE 2; ret" % _answer,
                8,
                10,
            ),
        ]
for _since, _until, _end in (
    (8, 11, ""),
    (12, 12, "END_FOR; "),
    (13, 13, "END_FOR; POP_TOP; "),
    (14, 15, "END_FOR; POP_ITER; "),
):
    for _back, _first, _last in (("JUMP_ABSOLUTE", 8, 10), ("JUMP_BACKWARD", 11, 15)):
        _range = (max(_since, _first), min(_until, _last))
        CASES += [
            Case(
                "for",
                "-s; GET_ITER; again:; FOR_ITER end; = x; -x; pop; %s again; end:; %s-b; ret" % (_back, _end),
                *_range,
            ),
            Case(
                "for-kept-value",
                "-d; -s; GET_ITER; again:; FOR_ITER end; = x; -x; pop; %s again; end:; %s-b; BUILD_TUPLE 2; ret"
                % (_back, _end),
                *_range,
            ),
            Case("for-return", "-s; GET_ITER; again:; FOR_ITER end; = x; -x; ret; end:; %s-b; ret" % _end, *_range),
            Case(
                "for-dropped-item",
                "-s; GET_ITER; again:; FOR_ITER end; pop; -c; pop; %s again; end:; %s-b; ret" % (_back, _end),
                *_range,
            ),
            Case(
                "for-unpack",
                "-s; GET_ITER; again:; FOR_ITER end; UNPACK_SEQUENCE 2; = x; = y; -x; pop; %s again; end:; %s-b; ret"
                % (_back, _end),
                *_range,
            ),
            Case(
                "for-collects",
                "BUILD_LIST 0; -s; GET_ITER; again:; FOR_ITER end; LIST_APPEND 2; %s again; end:; %sret"
                % (_back, _end),
                _range[0],
                min(_range[1], 14),
            ),
        ]
CASES += [
    Case(
        "for-collects",
        "BUILD_LIST 0; -s; GET_ITER; again:; FOR_ITER end; LIST_APPEND 3; JUMP_BACKWARD again; "
        "end:; END_FOR; POP_ITER; ret",
        since=15,
    ),
    Case("jump-forward", "-a; pop; JUMP_FORWARD L; -b; ret; L:; -c; ret"),
    Case(
        "no-interrupt",
        "again:; -a; TO_BOOL; POP_JUMP_IF_FALSE L; JUMP_BACKWARD_NO_INTERRUPT again; L:; -b; ret",
        since=13,
    ),
    Case(
        "no-interrupt", "again:; -a; POP_JUMP_FORWARD_IF_FALSE L; JUMP_BACKWARD_NO_INTERRUPT again; L:; -b; ret", 11, 11
    ),
    Case("no-interrupt", "again:; -a; POP_JUMP_IF_FALSE L; JUMP_BACKWARD_NO_INTERRUPT again; L:; -b; ret", 12, 12),
    Case("bare-iterator", "-s; GET_ITER; ret", until=14),
    Case("fall-into-end", "-a; POP_JUMP_IF_FALSE L; -b; pop; L:; none; ret", 8, 10),
    compiled("while-else", "while a:\n    -b\n    if c: break\nelse:\n    -d\nreturn -s"),
    compiled("continue", "for x in s:\n    if a: continue\n    -x\nelse:\n    -b"),
    compiled("chain", "return -a < -b <= -c != -d"),
    compiled("conditional", "return (-a if b else -c) if not d else -s"),
    compiled("and-or", "return a and -b or c and not d"),
    compiled("assert", "assert a, -b\nreturn -c"),
    compiled(
        "any-all",
        "return any(-x for x in s), all(-x for x in s), tuple(-x for x in s), list(-x for x in s), set(-x for x in s)",
    ),
    compiled("list-comprehension", "return [-x for x in -s if x], x"),
    compiled("set-comprehension", "return {-x for x in -s}, {-x: ~x for x in -q}"),
]
CASES = [case for case in CASES if case.since <= case.until]
