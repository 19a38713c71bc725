# SPDX-License-Identifier: MIT
"""Operations that move stack entries: depth and direction are right, and nothing is evaluated twice."""

from table import Case

FIVE = "-a; -b; -c; -d; -s; "
CASES = []
for _n in range(1, 6):
    CASES += [
        Case("copy-%d" % _n, FIVE + "COPY %d; BUILD_TUPLE 6; ret" % _n, since=11),
        Case("swap-%d" % _n, FIVE + "SWAP %d; BUILD_TUPLE 5; ret" % _n, since=11),
        Case("copy-after-swap-%d" % _n, FIVE + "SWAP 4; COPY %d; SWAP 3; BUILD_TUPLE 6; ret" % _n, since=11),
        Case(
            "swap-locals-%d" % _n,
            "a; b; c; d; s; SWAP %d; = a; = b; = c; = d; = s; " % _n + FIVE + "BUILD_TUPLE 5; ret",
            since=11,
        ),
    ]
for _name in ("ROT_TWO", "ROT_THREE", "ROT_FOUR", "DUP_TOP", "DUP_TOP_TWO"):
    _size = {"DUP_TOP": 6, "DUP_TOP_TWO": 7}.get(_name, 5)
    CASES += [
        Case(_name.lower(), FIVE + "%s; BUILD_TUPLE %d; ret" % (_name, _size), until=10),
        Case(_name.lower() + "-twice", FIVE + "%s; %s; BUILD_TUPLE %d; ret" % (_name, _name, 2 * _size - 5), until=10),
        Case(
            _name.lower() + "-locals",
            "a; b; c; d; %s; = a; = b; = c; = d; " % _name + FIVE + "BUILD_TUPLE 5; ret",
            until=10,
        ),
    ]
for _n in range(1, 6):
    CASES.append(Case("rot_n-%d" % _n, FIVE + "ROT_N %d; BUILD_TUPLE 5; ret" % _n, since=10, until=10))
CASES += [
    Case("nop", "NOP; -a; NOP; ret"),
    Case("not-taken", "NOT_TAKEN; -a; NOT_TAKEN; ret", since=14),
    Case("pop-top", "-a; -b; POP_TOP; ret"),
    Case("pop-middle", "-a; -b; -c; ROT_TWO; POP_TOP; BUILD_TUPLE 2; ret", until=10),
    Case("pop-middle", "-a; -b; -c; SWAP 2; POP_TOP; BUILD_TUPLE 2; ret", since=11),
    Case("operands-swapped", "-a; -b; ROT_TWO; BINARY_SUBTRACT; ret", until=10),
    Case("operands-swapped", "-a; -b; SWAP 2; BINARY_OP -; ret", since=11),
    Case("iterator-swapped", "-a; GET_ITER; -b; -c; ROT_THREE; BUILD_TUPLE 3; ret", until=10),
    Case("iterator-swapped", "-a; GET_ITER; -b; -c; SWAP 3; SWAP 2; BUILD_TUPLE 3; ret", since=11, until=14),
    Case("value-before-load", "-a; b; -c; = b; b; BUILD_TUPLE 3; ret"),
    Case("load-then-store", "a; -b; = a; a; BUILD_TUPLE 2; ret"),
    Case("load-then-delete", "a; DELETE_FAST a; ret"),
    Case("effect-under-store", "-a; -b; = x; x; BUILD_TUPLE 2; ret"),
    Case("wide-argument", "".join("-a; " for _ in range(20)) + "BUILD_TUPLE 20; ret"),
]
