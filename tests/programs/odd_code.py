# SPDX-License-Identifier: MIT
"""Code objects that obfuscators and loaders make, but no compiler: pythonX.Y odd_code.py make|run FOLDER.

``make`` writes each case as NAME.pyc; ``run`` runs it and its text NAME.py, and prints the differences as JSON.
"""

import builtins
import contextlib
import dis
import importlib.util
import io
import json
import marshal
import os
import sys
import types

VERSION = sys.version_info[:2]


def function_in(code):
    """Returns the code object of the last function that the code makes."""
    return [k for k in code.co_consts if isinstance(k, types.CodeType)][-1]


def function(source):
    return function_in(compile(source, "inner", "exec"))


# ---- constants that no compiler stores: (source, values in place of its constant "HERE")
MODULE = 'import os\nprint("payload", os.sep)\ndef deep(x):\n    "doc"\n    return x * 2\nprint(deep(3), __name__)\n'
CLOSED = "def around(a, b):\n    def closed(c): return a, b, c\n"
VALUES = {
    "executed": ('exec("HERE")', compile(MODULE, "inner", "exec")),
    "executed_twice": ('exec("HERE")\nexec("HERE", {})', compile(MODULE, "inner", "exec")),
    "in_a_function": (
        'def f():\n    exec("HERE", {})\n    return f.__name__\nprint(f())',
        compile(MODULE, "inner", "exec"),
    ),
    "after_a_docstring": (
        '"A docstring."\nexec("HERE")\nprint(__doc__)',
        compile('x = """a\n\'b\' \\\\ """\nprint(x)', "inner", "exec"),
    ),
    "under_a_future": (
        'from __future__ import annotations\nexec("HERE")',
        compile("def f(x: 1): pass\nprint(f.__annotations__)", "i", "exec", 0, True),
    ),
    "with_a_future": (
        'exec("HERE")',
        compile("from __future__ import annotations\ndef f(x: 1): pass\nprint(f.__annotations__)", "i", "exec"),
    ),
    "evaluated": ('print(eval("HERE", {"a": 1}))', compile("[a, a + 1][1] if a else 0", "inner", "eval")),
    "name_and_file": ('print("HERE".co_name, "HERE".co_filename)', compile("pass", "some file", "exec")),
    "nested": (
        'exec("HERE")',
        compile('"outer"\nexec("HERE")\nprint("outer")', "inner", "exec"),
        compile(MODULE, "i", "exec"),
    ),
    "nested_twice": (
        'exec("HERE")\nexec("HERE")',
        compile('exec("HERE")\nprint("outer")', "inner", "exec"),
        compile(MODULE, "i", "exec"),
    ),
    "made_a_function": (
        'import types\nf = types.FunctionType("HERE", globals())\nprint(f(6), f.__name__)',
        function("def k(a):\n    return a * 7"),
    ),
    "in_its_place": (
        'def f(a): return a\nf.__code__ = "HERE"\nprint(f(6))',
        function("def k(a, b=1):\n    'doc'\n    return a * 7, k.__doc__ if 0 else 1"),
    ),
    "lambda": (
        'import types\nprint(types.FunctionType("HERE", globals())(1), "HERE".co_name)',
        function("f = lambda a: [a, 2]"),
    ),
    "generator": (
        'import types\nprint(list(types.FunctionType("HERE", globals())(3)))',
        function("def g(n):\n    while n:\n        yield n\n        n -= 1"),
    ),
    "closure": (
        "from types import CellType, FunctionType\ncells = CellType(1), CellType(2)\n"
        'print(FunctionType("HERE", globals(), "f", None, cells)(3))',
        function_in(function(CLOSED)),
    ),
    "function_in_function": (
        'import types\ntypes.FunctionType("HERE", globals())()',
        function('def k():\n    exec("HERE")\n    return 1'),
        compile(MODULE, "i", "exec"),
    ),
    "list": ('x = "HERE"\nprint(x, type(x))', [1, {"a": (2,)}, {4}, [], set(), {}]),
    "dict": ('x = "HERE"\nprint(x, type(x), x["a"])', {"a": [None, True, 1.5], 2: b"x"}),
    "in_a_tuple": ('for x in "HERE": print(x)', (1, [2, (3, [4])], {5: {6}})),
}


# ---- classes with instructions between making the body's function and loading its name: (source, instructions)
CLASS = "class S(dict):\n    a = 1\n    def m(self): return self.a\nprint(S().m(), S.__name__, S.__mro__[1:])\n"
CLASS_WITH_CELL = "class S:\n    def m(self): return __class__.__name__\nprint(S().m())\n"
JUNK = {
    "junk_name": [("LOAD_NAME", "print"), ("POP_TOP", None)],
    "junk_constant": [("LOAD_CONST", "S"), ("POP_TOP", None)],
    "junk_twice": [("LOAD_NAME", "S"), ("POP_TOP", None), ("LOAD_NAME", "print"), ("POP_TOP", None)],
    "stored": [("STORE_NAME", "body"), ("LOAD_NAME", "body")],
    "stored_under_its_name": [("STORE_NAME", "S"), ("LOAD_NAME", "S")],
}


def with_junk(code, junk):
    """Returns a module with more instructions between a class's function and its name."""
    code = code.replace(co_names=(*code.co_names, "body"))
    at = next(i.offset for i in dis.get_instructions(code) if i.opname == "MAKE_FUNCTION") + 2
    more = b""
    for name, arg in junk:
        where = code.co_consts if name == "LOAD_CONST" else code.co_names
        more += bytes([dis.opmap[name], where.index(arg) if name != "POP_TOP" else 0])
    return code.replace(co_code=code.co_code[:at] + more + code.co_code[at:])


if VERSION >= (3, 11):
    STARRED = "def f(a, *HERE: *[int]): pass\nprint(f.__annotations__)"
    VALUES["starred_annotation_of_a_plain_parameter"] = (STARRED, "a")


def put(code, values):
    """Replaces "HERE" in the code by the first of the values, in which the next value replaces "HERE"."""
    if isinstance(code, types.CodeType):
        return code.replace(co_consts=tuple(put(k, values) for k in code.co_consts))
    if isinstance(code, str) and code == "HERE":
        return put(values[0], values[1:]) if isinstance(values[0], types.CodeType) else values[0]
    return code


# ---- names: (name, source in which QQ stands for it)
NAMES = {
    "dotted_global": (
        ".x",
        "QQ = 1\nprint(QQ)\ndef f(): return QQ\nprint(f(), sorted(n for n in globals() if 'x' in n))",
    ),
    "dotted_attribute": (".x", "class C: pass\nC.QQ = 1\nprint(C.QQ, '.x' in vars(C))"),
    "dotted_local": (".x", "def f(QQ):\n    QQ += 1\n    return QQ\nprint(f(1))"),
    "dotted_keyword_only": (".x", "def f(*, QQ=1): return QQ\nprint(f())"),
    "dots": ("...", "QQ = 1\nprint(QQ, '...' in globals())"),
    "function": ("a b", "def QQ(): pass\nprint(QQ.__name__, QQ.__qualname__, 'a b' in globals(), 'ab' in globals())"),
    "class": ("a b", "class QQ:\n    def m(self): pass\nprint(QQ.__name__, QQ.__qualname__)"),
    "method": ("a b", "class C:\n    def QQ(self): pass\nprint(C.QQ.__name__, C.QQ.__qualname__, 'ab' in vars(C))"),
    "inner_function": ("a b", "def f():\n    def QQ(): pass\n    return QQ\nprint(f().__name__, f().__qualname__)"),
    "decorator": ("a b", "def QQ(f): return 3\n@QQ\ndef f(): pass\nprint(f, 'decorator' in globals())"),
    "called_decorator": ("a b", "def QQ(n): return lambda f: n\n@QQ(1)\n@QQ(2)\nclass f: pass\nprint(f)"),
    "attribute_as_decorator": ("a b", "class a:\n    def QQ(n): return lambda f: n\n@a.QQ(1)\ndef f(): pass\nprint(f)"),
    "debug_stored": ("__debug__", "QQ = 1\nprint(globals()['__debug__'])"),
    "debug_attribute": ("__debug__", "class C: pass\nC.QQ = 1\nprint(C.QQ)"),
    "debug_parameter": ("__debug__", "def f(QQ): return QQ\nprint(f(1))"),
    "debug_function": ("__debug__", "def QQ(): pass\nprint(globals()['__debug__'].__name__)"),
    "debug_keyword": ("__debug__", "def f(**k): return k\nprint(f(QQ=1))"),
    "debug_import": ("__debug__", "import os as QQ\nprint(globals()['__debug__'].__name__)"),
    "debug_read": ("__debug__", "print(QQ)\ndef f(): return [QQ for x in 'ab']\nprint(f())"),
    "debug_read_where_stored": ("__debug__", "def f():\n    global QQ\n    QQ = 5\nf()\nprint(QQ)"),
    "debug_read_before_stored": (
        "__debug__",
        "print(QQ)\ndef f():\n    global QQ\n    QQ = 5\nprint(QQ)\nf()\nprint(QQ)\ndel QQ\nprint(QQ)",
    ),
    "constant_read_before_stored": ("True", "class C:\n    x = QQ\n    QQ = 3\n    y = QQ\nprint(C.x, C.y)"),
    "constant_read": ("None", "print(QQ)\nclass C: x = QQ, QQ\nprint(C.x)"),
    "constant_read_where_stored": ("True", "QQ = 5\nprint(QQ)\ndel QQ\nclass C: QQ = 3; x = QQ\nprint(C.x)"),
    "empty_import": ("", "try:\n    import QQ\nexcept ValueError as e: print(e)"),
    "empty_module": ("", "try:\n    from QQ import x\nexcept (ValueError, KeyError, ImportError) as e: print(type(e))"),
    "empty_submodule": ("", "try:\n    from os import QQ\nexcept (ImportError, AttributeError) as e: print(1)"),
    "star_module": ("*", "try:\n    import QQ\nexcept ImportError as e: print(e)"),
    "star_from": ("*", "try:\n    from QQ import x\nexcept ImportError as e: print(e)"),
    "dotted_from": ("a.b", "try:\n    from os import QQ\nexcept (ImportError, AttributeError) as e: print(1)"),
    "dotted_from_as": ("a.b", "try:\n    from os import QQ as b\nexcept (ImportError, AttributeError) as e: print(1)"),
}
if VERSION >= (3, 10):
    NAMES["capture"] = ("_", "match [5, 1]:\n    case [QQ, 1]: print(QQ)")
    NAMES["star_capture"] = ("_", "match [5, 1]:\n    case [1, *QQ] | [*QQ, 1]: print(QQ)")
    NAMES["whole_capture"] = ("_", "match [5, 1]:\n    case [_, 1] as QQ: print(QQ)")
    NAMES["rest_capture"] = ("_", "match {1: 2, 3: 4}:\n    case {1: 2, **QQ}: print(QQ)")
    NAMES["class_of_a_pattern"] = ("_", "class QQ: a = 1\nmatch QQ():\n    case QQ(a=1): print(2)")
    NAMES["odd_class_of_a_pattern"] = ("a b", "class QQ: a = 1\nmatch QQ():\n    case QQ(a=1): print(2)")
    NAMES["odd_value_of_a_pattern"] = ("a b", "class C: QQ = 1\nmatch 1:\n    case C.QQ: print(2)")
if VERSION >= (3, 11):
    NAMES["handler"] = ("a.b", "try: 1 / 0\nexcept* ZeroDivisionError as QQ: print(QQ)\nprint('a.b' in globals())")
NAMES["plain_handler"] = ("a.b", "try: 1 / 0\nexcept ZeroDivisionError as QQ: print(QQ)\nprint('a.b' in globals())")
if VERSION >= (3, 14):
    SHOWN = "QQ = 1\nt = t'<{QQ}>'\nprint(t.interpolations[0].expression, t.values)"
    NAMES["template"] = ("a b", SHOWN)
    NAMES["empty_text_of_a_template"] = ("", SHOWN)
    NAMES["brace_of_a_template"] = ("{", SHOWN)


def renamed(value, name):
    """Returns the code with a name in place of QQ."""

    def new(x):
        if isinstance(x, types.CodeType):
            return renamed(x, name)
        if isinstance(x, str):
            return x.replace("QQ", name)
        return tuple(map(new, x)) if isinstance(x, tuple) else x

    fields = ["co_consts", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_name"]
    fields += ["co_qualname"] if VERSION >= (3, 11) else []
    return value.replace(**{field: new(getattr(value, field)) for field in fields})


def lone_interpolation():
    """Returns code that stores the interpolation of a template instead of the template."""
    source = "a = 1\nt = t'<{a!r:>{3}}>'\nprint(t.value, t.expression, t.conversion, t.format_spec)"
    code = compile(source, "interpolation", "exec", 0, True)
    rows = list(dis.get_instructions(code))
    at = next(i for i, row in enumerate(rows) if row.opname == "BUILD_TEMPLATE")
    made = bytearray(code.co_code)
    for row, operation in zip(rows[at - 1 : at + 2], (rows[at + 1].opname, "POP_TOP", "NOP")):
        made[row.offset : row.offset + 2] = dis.opmap[operation], rows[at + 1].arg if row is rows[at - 1] else 0
    return code.replace(co_code=bytes(made))


def starred_default():
    """Returns the code of a type variable whose default has a star, which only a TypeVarTuple may have."""
    source = "D = (int,)\ndef f[*T = *D](): pass\nprint(f.__type_params__[0].__default__)"
    code = compile(source, "starred", "exec", 0, True)
    scope = next(k for k in code.co_consts if isinstance(k, types.CodeType))
    made = bytearray(scope.co_code)
    make = next(row for row in dis.get_instructions(scope) if row.argrepr == "INTRINSIC_TYPEVARTUPLE")
    made[make.offset + 1] = 7  # INTRINSIC_TYPEVAR
    return code.replace(
        co_consts=tuple(scope.replace(co_code=bytes(made)) if k is scope else k for k in code.co_consts)
    )


def arguments_of_exit():
    """Returns the code of a with statement that calls __exit__ with text instead of None."""
    source = "class A:\n def __enter__(self): print('in')\n def __exit__(self, *x): print(x)\nwith A(): print('body')\n"
    code = compile(source, "exit", "exec", 0, True)
    made = bytearray(code.co_code)
    rows = [row for row in dis.get_instructions(code) if row.opname != "CACHE"]
    is_none = [row.opname in ("LOAD_CONST", "LOAD_COMMON_CONSTANT") and row.argval is None for row in rows]
    first = next(
        i for i, row in enumerate(rows) if is_none[i] and (is_none[i + 1] or rows[i + 1].opname in ("DUP_TOP", "COPY"))
    )
    for row, none in zip(rows[first : first + 3], is_none[first:]):
        if none:
            made[row.offset : row.offset + 2] = dis.opmap["LOAD_CONST"], code.co_consts.index("body")
    return code.replace(co_code=bytes(made))


def cases():
    for name, (source, *values) in VALUES.items():
        yield "value_" + name, put(compile(source, name, "exec", 0, True), values)
    for name, junk in JUNK.items():
        yield "class_" + name, with_junk(compile("S = 0\n" + CLASS, name, "exec", 0, True), junk)
        if name.startswith("junk"):
            yield "cell_" + name, with_junk(compile("S = 0\n" + CLASS_WITH_CELL, name, "exec", 0, True), junk)
    for name, (odd, source) in NAMES.items():
        yield "name_" + name, renamed(compile(source, name, "exec", 0, True), odd)
    if VERSION >= (3, 9):
        yield "arguments_of_exit", arguments_of_exit()
    if VERSION >= (3, 13):
        yield "starred_default", starred_default()
    if VERSION >= (3, 14):
        yield "lone_interpolation", lone_interpolation()


def outcome(code):
    """Returns what the code prints, how it ends, and which globals it leaves."""
    out, space = io.StringIO(), {"__name__": "case", "__builtins__": builtins}
    end = None
    with contextlib.redirect_stdout(out):
        try:
            exec(code, space)
        except Exception as error:
            end = repr(error)
    return [out.getvalue(), end, sorted(n for n in space if not n.startswith("tmp_code_"))]


def main(what, folder):
    different = {}
    for name, code in cases():
        path = os.path.join(folder, name)
        if what == "make":
            with open(path + ".pyc", "wb") as file:
                file.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
            continue
        try:
            with open(path + ".py", encoding="utf-8") as file:
                text = compile(file.read(), "text", "exec", 0, True)
        except (OSError, SyntaxError, ValueError) as error:
            different[name] = repr(error)
            continue
        found, wanted = outcome(text), outcome(code)
        if found != wanted:
            different[name] = [found, wanted]
    print(json.dumps(different))


main(*sys.argv[1:])
