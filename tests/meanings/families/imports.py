# SPDX-License-Identifier: MIT
"""Imports, through an __import__ that logs."""

from table import MODULE, Case, compiled

CASES = [
    Case("import", "LOAD_CONST 0; none; IMPORT_NAME u; = x; x; ret"),
    Case("import-dotted", "LOAD_CONST 0; none; IMPORT_NAME u.v; = u; u; ret", template="def f(ARGS):\n    u = 0\n"),
    Case("import-as", "LOAD_CONST 0; none; IMPORT_NAME u; = x; x; ret"),
    Case(
        "import-dotted-as",
        "LOAD_CONST 0; none; IMPORT_NAME u.v; IMPORT_FROM v; ROT_TWO; POP_TOP; = x; x; ret",
        until=10,
    ),
    Case(
        "import-dotted-as", "LOAD_CONST 0; none; IMPORT_NAME u.v; IMPORT_FROM v; SWAP 2; POP_TOP; = x; x; ret", since=11
    ),
    Case("from", "LOAD_CONST 0; LOAD_CONST ('p',); IMPORT_NAME u; IMPORT_FROM p; = x; POP_TOP; x; ret"),
    Case(
        "from-two",
        "LOAD_CONST 0; LOAD_CONST ('p', 'q'); IMPORT_NAME u; IMPORT_FROM p; = x; IMPORT_FROM q; "
        "= y; POP_TOP; x; y; BUILD_TUPLE 2; ret",
    ),
    Case("from-relative", "LOAD_CONST 2; LOAD_CONST ('p',); IMPORT_NAME u; IMPORT_FROM p; = x; POP_TOP; x; ret"),
    Case("star", "LOAD_CONST 0; LOAD_CONST ('*',); IMPORT_NAME u; IMPORT_STAR; none; ret", until=11, template=MODULE),
    Case(
        "star",
        "LOAD_CONST 0; LOAD_CONST ('*',); IMPORT_NAME u; CALL_INTRINSIC_1 INTRINSIC_IMPORT_STAR; pop; none; ret",
        since=12,
        template=MODULE,
    ),
    # forms that no compiler generates
    Case("import-for-a-use", "LOAD_CONST 0; none; IMPORT_NAME u; UNARY_NEGATIVE; ret"),
    Case("import-level-none", "LOAD_CONST 0; LOAD_CONST (); IMPORT_NAME u; = x; x; ret"),
    Case("from-not-listed", "LOAD_CONST 0; LOAD_CONST ('p',); IMPORT_NAME u; IMPORT_FROM q; = x; POP_TOP; x; ret"),
    Case("from-a-value", "-a; IMPORT_FROM p; BUILD_TUPLE 2; ret"),
    Case(
        "from-over-effects",
        "-a; LOAD_CONST 0; LOAD_CONST ('p',); IMPORT_NAME u; IMPORT_FROM p; = x; POP_TOP; x; BUILD_TUPLE 2; ret",
    ),
    Case("import-computed-level", "LOAD_CONST 0; -a; IMPORT_NAME u; = x; x; ret"),
    Case("eager", "LOAD_CONST 0; LOAD_CONST None; IMPORT_NAME u+EAGER; = x; x; ret", since=15),
    compiled("many", "import u, u.v, v as x\nfrom .. import p as y, q\nfrom .u.v import p\nreturn u, x, y, p, q"),
    Case(
        "lazy",
        None,
        since=15,
        template="lazy import u\nlazy import u.v as x\nlazy from u import p\ndef f(ARGS):\n    return u.o, x, p\n",
    ),
    Case("module", None, template="import json.decoder as x\nimport json\ndef f(ARGS):\n    return x, json\n"),
]
