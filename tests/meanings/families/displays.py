# SPDX-License-Identifier: MIT
"""Displays and strings: order, arity, and the stack entry that an item is added to."""

from table import Case

NAMES = "abcds"
CASES = []
for _n in range(4):
    _some = "".join("-%s; " % name for name in NAMES[:_n])
    for _kind in ("TUPLE", "LIST", "SET"):
        CASES.append(Case("%s-%d" % (_kind.lower(), _n), _some + "BUILD_%s %d; ret" % (_kind, _n)))
        CASES.append(
            Case(
                "%s-%d-over-one" % (_kind.lower(), _n), "-r; " + _some + "BUILD_%s %d; BUILD_TUPLE 2; ret" % (_kind, _n)
            )
        )
for _n in range(3):
    _pairs = "".join("-%s; " % name for name in "abcd"[: 2 * _n])
    CASES.append(Case("map-%d" % _n, _pairs + "BUILD_MAP %d; ret" % _n))
    _values, _keys = "".join("-%s; " % name for name in NAMES[:_n]), repr(("k", "l")[:_n])
    if _n:
        CASES.append(
            Case("const-map-%d" % _n, _values + "LOAD_CONST %s; BUILD_CONST_KEY_MAP %d; ret" % (_keys, _n), until=13)
        )
for _n in range(1, 4):
    _deep = "".join("-%s; " % name for name in NAMES[: _n - 1])
    _tuple = "BUILD_TUPLE %d; ret" % _n
    for _name, _start, _item, _since in (
        ("LIST_APPEND", "BUILD_LIST", "-r; ", 8),
        ("SET_ADD", "BUILD_SET", "-r; ", 8),
        ("LIST_EXTEND", "BUILD_LIST", "-r; ", 9),
        ("SET_UPDATE", "BUILD_SET", "-r; ", 9),
        ("DICT_UPDATE", "BUILD_MAP", "-w; ", 9),
    ):
        CASES.append(
            Case(
                "%s-%d" % (_name.lower(), _n), "%s 0; %s%s%s %d; %s" % (_start, _deep, _item, _name, _n, _tuple), _since
            )
        )
        CASES.append(
            Case(
                "%s-%d-twice" % (_name.lower(), _n),
                "%s 0; %s%s%s %d; %s%s %d; %s"
                % (_start, _deep, _item, _name, _n, "-s; " if _start != "BUILD_MAP" else "-q; ", _name, _n, _tuple),
                _since,
            )
        )
    CASES.append(Case("map_add-%d" % _n, "BUILD_MAP 0; %s-r; -q; MAP_ADD %d; %s" % (_deep, _n, _tuple)))
CASES += [
    Case(
        "dict_merge", "fn a; BUILD_TUPLE 0; BUILD_MAP 0; -w; DICT_MERGE 1; CALL_FUNCTION_EX 1; ret", since=9, until=12
    ),
    Case("dict_merge", "a; PUSH_NULL; BUILD_TUPLE 0; BUILD_MAP 0; -w; DICT_MERGE 1; CALL_FUNCTION_EX 1; ret", since=13),
    Case(
        "dict_merge-twice",
        "fn a; BUILD_TUPLE 0; BUILD_MAP 0; -w; DICT_MERGE 1; -b; DICT_MERGE 1; CALL_FUNCTION_EX 1; ret",
        since=9,
        until=12,
    ),
    Case(
        "dict_merge-twice",
        "a; PUSH_NULL; BUILD_TUPLE 0; BUILD_MAP 0; -w; DICT_MERGE 1; -b; DICT_MERGE 1; CALL_FUNCTION_EX 1; ret",
        since=13,
    ),
    Case(
        "dict_merge-same-key",
        "fn a; BUILD_TUPLE 0; BUILD_MAP 0; -w; DICT_MERGE 1; -w; DICT_MERGE 1; CALL_FUNCTION_EX 1; ret",
        since=9,
        until=12,
    ),
    Case(
        "dict_merge-same-key",
        "a; PUSH_NULL; BUILD_TUPLE 0; BUILD_MAP 0; -w; DICT_MERGE 1; -w; DICT_MERGE 1; CALL_FUNCTION_EX 1; ret",
        since=13,
    ),
    Case("dict_update-then-pair", "BUILD_MAP 0; -w; DICT_UPDATE 1; -a; -b; MAP_ADD 1; ret", since=9),
    Case(
        "pair-then-dict_update",
        "-a; -b; BUILD_MAP 1; -w; DICT_UPDATE 1; -c; -d; BUILD_MAP 1; DICT_UPDATE 1; ret",
        since=9,
    ),
    Case("extend-then-append", "-a; BUILD_LIST 1; -s; LIST_EXTEND 1; -b; LIST_APPEND 1; ret", since=9),
    Case("list-to-tuple", "-a; BUILD_LIST 1; -s; LIST_EXTEND 1; LIST_TO_TUPLE; ret", since=9, until=11),
    Case(
        "list-to-tuple", "-a; BUILD_LIST 1; -s; LIST_EXTEND 1; CALL_INTRINSIC_1 INTRINSIC_LIST_TO_TUPLE; ret", since=12
    ),
    Case("bare-list-to-tuple", "-a; BUILD_LIST 1; LIST_TO_TUPLE; ret", since=9, until=11),
    Case("bare-list-to-tuple", "-a; BUILD_LIST 1; CALL_INTRINSIC_1 INTRINSIC_LIST_TO_TUPLE; ret", since=12),
    Case("extend-constant", "BUILD_LIST 0; LOAD_CONST (1, 2, 3); LIST_EXTEND 1; ret", since=9),
    Case("update-constant", "BUILD_SET 0; LOAD_CONST frozenset({1, 2, 3}); SET_UPDATE 1; ret", since=9),
    Case("format-two", "-a; FORMAT_VALUE 0; -b; FORMAT_VALUE 2; BUILD_STRING 2; ret", until=12),
    Case("format-and-text", "LOAD_CONST '{x'; -a; FORMAT_VALUE 0; LOAD_CONST '%}'; BUILD_STRING 3; ret", until=12),
    Case("format-nested-spec", "-a; -b; FORMAT_VALUE 1; LOAD_CONST '>'; BUILD_STRING 2; FORMAT_VALUE 4; ret", until=12),
    Case("format-two", "-a; FORMAT_SIMPLE; -b; CONVERT_VALUE 2; FORMAT_SIMPLE; BUILD_STRING 2; ret", since=13),
    Case("format-and-text", "LOAD_CONST '{x'; -a; FORMAT_SIMPLE; LOAD_CONST '%}'; BUILD_STRING 3; ret", since=13),
    Case(
        "format-nested-spec",
        "-a; -b; CONVERT_VALUE 1; FORMAT_SIMPLE; LOAD_CONST '>'; BUILD_STRING 2; FORMAT_WITH_SPEC; ret",
        since=13,
    ),
    Case("format-alone", "-a; FORMAT_SIMPLE; ret", since=13),
    Case("format-spec", "-a; LOAD_CONST '>'; FORMAT_WITH_SPEC; ret", since=13),
    Case("format-empty-spec", "-a; LOAD_CONST ''; FORMAT_WITH_SPEC; ret", since=13),
    Case("build-string-0", "BUILD_STRING 0; ret"),
    Case(
        "build-string-order",
        "-a; FORMAT_VALUE 0; -b; FORMAT_VALUE 0; -c; FORMAT_VALUE 0; BUILD_STRING 3; ret",
        until=12,
    ),
    Case(
        "build-string-order", "-a; FORMAT_SIMPLE; -b; FORMAT_SIMPLE; -c; FORMAT_SIMPLE; BUILD_STRING 3; ret", since=13
    ),
    Case("convert-alone", "-a; CONVERT_VALUE 2; ret", since=13),
    Case(
        "template",
        "LOAD_CONST ('x', 'y'); -a; LOAD_CONST 'a'; BUILD_INTERPOLATION 2; BUILD_TUPLE 1; BUILD_TEMPLATE; ret",
        since=14,
    ),
    Case("template-empty", "LOAD_CONST ('x',); LOAD_CONST (); BUILD_TEMPLATE; ret", since=14),
]
for _conversion in range(4):
    CASES.append(Case("format-%d" % _conversion, "-a; FORMAT_VALUE %d; ret" % _conversion, until=12))
    CASES.append(
        Case("format-spec-%d" % _conversion, "-a; LOAD_CONST '>3'; FORMAT_VALUE %d; ret" % (4 + _conversion), until=12)
    )
    if _conversion:
        CASES.append(
            Case("format-%d" % _conversion, "-a; CONVERT_VALUE %d; FORMAT_SIMPLE; ret" % _conversion, since=13)
        )
        CASES.append(
            Case(
                "format-spec-%d" % _conversion,
                "-a; CONVERT_VALUE %d; LOAD_CONST '>3'; FORMAT_WITH_SPEC; ret" % _conversion,
                since=13,
            )
        )
    _arg = _conversion << 2 | 2
    CASES.append(
        Case(
            "template-%d" % _conversion,
            "LOAD_CONST ('', ''); -a; LOAD_CONST '-a'; BUILD_INTERPOLATION %d; BUILD_TUPLE 1; BUILD_TEMPLATE; ret"
            % _arg,
            since=14,
        )
    )
    CASES.append(
        Case(
            "template-spec-%d" % _conversion,
            "LOAD_CONST ('', ''); -a; LOAD_CONST '-a'; LOAD_CONST '>2'; BUILD_INTERPOLATION %d; "
            "BUILD_TUPLE 1; BUILD_TEMPLATE; ret" % (_arg | 1),
            since=14,
        )
    )
for _n in range(1, 4):
    _some = "".join("-%s; " % name for name in "asb"[:_n])
    for _kind in ("LIST", "TUPLE", "SET"):
        CASES.append(
            Case("%s-unpack-%d" % (_kind.lower(), _n), _some + "BUILD_%s_UNPACK %d; ret" % (_kind, _n), until=8)
        )
    CASES.append(
        Case(
            "map-unpack-%d" % _n,
            "".join("-%s; " % name for name in "wab"[:_n]) + "BUILD_MAP_UNPACK %d; ret" % _n,
            until=8,
        )
    )
CASES += [
    Case("tuple-unpack-with-call", "a; -s; -b; BUILD_TUPLE_UNPACK_WITH_CALL 2; CALL_FUNCTION_EX 0; ret", until=8),
    Case(
        "map-unpack-with-call",
        "a; BUILD_TUPLE 0; -w; -b; BUILD_MAP_UNPACK_WITH_CALL 2; CALL_FUNCTION_EX 1; ret",
        until=8,
    ),
    Case(
        "map-unpack-same-key",
        "a; BUILD_TUPLE 0; -w; -w; BUILD_MAP_UNPACK_WITH_CALL 2; CALL_FUNCTION_EX 1; ret",
        until=8,
    ),
]
