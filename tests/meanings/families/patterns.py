# SPDX-License-Identifier: MIT
"""Unpacking and pattern matching: where each item goes, and which operations the subject sees."""

from table import Case, compiled

CASES = []
for _n in range(4):
    _stores = "".join("= %s; " % name for name in "abc"[:_n])
    _loads = "".join("%s; " % name for name in "abc"[:_n])
    CASES += [
        Case("unpack-%d" % _n, "-s; UNPACK_SEQUENCE %d; %s%sBUILD_TUPLE %d; ret" % (_n, _stores, _loads, _n)),
        Case("unpack-%d-on-stack" % _n, "-s; UNPACK_SEQUENCE %d; BUILD_TUPLE %d; ret" % (_n, _n)),
        Case("unpack-attribute-%d" % _n, "-s; UNPACK_SEQUENCE %d; %snone; ret" % (_n, "-d; STORE_ATTR u; " * _n)),
    ]
for _before in range(3):
    for _after in range(3):
        _n = _before + _after + 1
        _names = ("a", "b", "c", "d", "x")[:_n]
        CASES.append(
            Case(
                "unpack-star-%d-%d" % (_before, _after),
                "-s; UNPACK_EX %d; %s%sBUILD_TUPLE %d; ret"
                % (
                    _before | _after << 8,
                    "".join("= %s; " % n for n in _names),
                    "".join("%s; " % n for n in _names),
                    _n,
                ),
            )
        )
CASES += [
    Case("unpack-nested", "-s; UNPACK_SEQUENCE 2; UNPACK_SEQUENCE 2; = a; = b; = c; a; b; c; BUILD_TUPLE 3; ret"),
    Case("get-len", "-q; GET_LEN; BUILD_TUPLE 2; ret", since=10),
    Case("get-len-compare", "-q; GET_LEN; LOAD_CONST 2; COMPARE_OP ==; BUILD_TUPLE 2; ret", since=10),
    Case("match-mapping", "w; MATCH_MAPPING; BUILD_TUPLE 2; ret", since=10),
    Case("match-mapping-not", "-a; MATCH_MAPPING; BUILD_TUPLE 2; ret", since=10),
    Case("match-sequence", "q; MATCH_SEQUENCE; BUILD_TUPLE 2; ret", since=10),
    Case("match-sequence-not", "-a; MATCH_SEQUENCE; BUILD_TUPLE 2; ret", since=10),
    Case("match-keys", "w; LOAD_CONST ('u', 'v'); MATCH_KEYS; BUILD_TUPLE 4; ret", 10, 10),
    Case("match-keys", "w; LOAD_CONST ('u', 'v'); MATCH_KEYS; BUILD_TUPLE 3; ret", since=11),
    Case("match-keys-effects", "-w; -a; BUILD_TUPLE 1; MATCH_KEYS; BUILD_TUPLE 3; ret", since=11),
    Case("match-class", "-a; k; LOAD_CONST (); MATCH_CLASS 2; BUILD_TUPLE 2; ret", 10, 10),
    Case("match-class", "-a; k; LOAD_CONST ('o',); MATCH_CLASS 2; ret", since=11),
    Case(
        "match-keys-twice", "w; LOAD_CONST 'u'; LOAD_CONST 'u'; BUILD_TUPLE 2; MATCH_KEYS; BUILD_TUPLE 3; ret", since=11
    ),
    Case("match-class-names", "-a; k; LOAD_CONST 'o'; BUILD_TUPLE 1; MATCH_CLASS 0; BUILD_TUPLE 2; ret", 10, 10),
    Case("match-class-names", "-a; k; LOAD_CONST 'o'; BUILD_TUPLE 1; MATCH_CLASS 0; ret", since=11),
    Case("match-class-all-names", "-a; k; LOAD_CONST 'o'; BUILD_TUPLE 1; MATCH_CLASS 2; BUILD_TUPLE 2; ret", 10, 10),
    Case("match-class-all-names", "-a; k; LOAD_CONST 'o'; BUILD_TUPLE 1; MATCH_CLASS 2; ret", since=11),
    Case("match-class-name-missing", "-a; k; LOAD_CONST '__o__'; BUILD_TUPLE 1; MATCH_CLASS 1; ret", since=11),
    Case(
        "match-class-name-twice", "-a; k; LOAD_CONST 'u'; LOAD_CONST 'o'; BUILD_TUPLE 2; MATCH_CLASS 2; ret", since=11
    ),
    Case("copy-without-keys", "w; LOAD_CONST ('u',); COPY_DICT_WITHOUT_KEYS; BUILD_TUPLE 2; ret", 10, 10),
]
SUBJECTS = (
    ("value", "case b.u: return -a\ncase 1 | 'x' | None: return -b\ncase _: return -c"),
    ("capture", "case x if -b: return x\ncase y: return -y"),
    ("sequence", "case [x, y]: return -x\ncase [x, *y, 5]: return y\ncase []: return -b"),
    ("mapping", "case {'u': x, 'v': 5}: return -x\ncase {'u': x, **y}: return x"),
    ("class", "case k(x, y, o=5): return -x\ncase k(u=x): return -x\ncase k(): return -c"),
    ("or", "case [x, 1] | {'u': x}: return -x"),
    ("as", "case [1 as x, [_, *_] as y]: return x, y"),
)
for _name, _body in SUBJECTS:
    for _subject in ("q", "w", "a"):
        _text = "match %s:\n%s\nreturn -d" % (_subject, "\n".join("    " + line for line in _body.split("\n")))
        CASES.append(compiled("%s-%s" % (_name, _subject), _text, since=10))
