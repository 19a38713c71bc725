# SPDX-License-Identifier: MIT
"""The fallback is total: text made with `--skip=structure` compiles in its version and behaves as the code."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
from pathlib import Path
from types import CodeType

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from counted import left_out  # noqa: E402

# Tests that depend on line numbers, source lines, file names or locals() of the served module itself.
LOOKS_AT_SOURCE = {
    "test.test_exceptions": ("PEP626Tests.test_lineno_", "ExceptionTests.test_unhandled"),
    "test.test_contextlib": ("test_exit_exception_traceback",),
    "test.test_heapq": ("merge",),  # a doctest of a module that is imported twice
}
LANGUAGE = ("test.test_grammar", "test.test_exceptions", "test.test_generators", "test.test_with")
LIBRARY = {
    "test.test_json": "json.decoder,json.encoder,json.scanner",
    "test.test_re": "re,re._parser,re._compiler",
    "test.test_textwrap": "textwrap",
    "test.test_heapq": "heapq",
    "test.test_contextlib": "contextlib",
    "test.test_functools": "functools",
    "test.test_collections": "collections",
    "test.test_difflib": "difflib",
    "test.test_configparser": "configparser",
    "test.test_csv": "csv",
    "test.test_shlex": "shlex",
    "test.test_fractions": "fractions",
    "test.test_statistics": "statistics",
    "test.test_dataclasses": "dataclasses",
    "test.test_argparse": "argparse",
}


def literal(command: list[str]):
    """Returns the literal in the last line of a command's output."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode == 0, done.stderr[-3000:]
    return ast.literal_eval(done.stdout.splitlines()[-1])


def differences(python: list[str], depyfc: str, served: str, tests: str, *options: str) -> dict[str, tuple]:
    """Returns the tests whose outcome differs between the original modules and their text."""
    script = [*python, str(HERE / "run_served.py"), depyfc]
    before = literal([*script, "original", served, tests])["outcomes"]
    run = literal([*script, "text", served, tests, *options])
    after = run["outcomes"]
    assert len(before) > 10
    if "--profile" in options:
        assert len(run["entered"]) > 10  # functions of the text that ran
    names = sorted(set(before) | set(after))
    return {n: (before.get(n), after.get(n)) for n in names if before.get(n) != after.get(n)}


def may_differ(tests: str, name: str) -> bool:
    """Returns whether a test may differ."""
    return any(part in name for part in LOOKS_AT_SOURCE.get(tests, ()))


@pytest.mark.slow
def test_texts_of_library_compile_and_lack_no_operation(python: list[str], depyfc: str, tmp_path: Path) -> None:
    """Checks a sample of each version's library: its text compiles, and has all operations of the code."""
    result = literal([*python, str(HERE / "walk_text.py"), depyfc, "40", "1", str(tmp_path)])
    assert result["wrong"] == []
    assert result["good"] >= 30
    assert result["counted"] >= 20_000


OMITTED = [
    ("x = a.b(c)\ny = a.b(d)", "x = a.b(c)\ny = a.b(c)", "module: read d, 0 of 1"),
    ("def f(x):\n g(x)\n g(x)", "def f(x):\n g(x)", ".f: call, 1 of 2"),
    ("class C:\n def f(s): s.a = 1", "class C:\n def f(s): s.b = 1", ".C.f: attribute set a, 0 of 1"),
    ("def f():\n try: g()\n except E: h()", "def f():\n g()", ".f: read h, 0 of 1"),
    ("def f(l):\n return [g(x) for x in l]", "def f(l):\n return [x for x in l]", ".f: read g, 0 of 1"),
]


@pytest.mark.parametrize("version", ["3.11"])
@pytest.mark.parametrize(("code", "text", "found"), OMITTED, ids=range(len(OMITTED)))
def test_missing_operation_is_found(code: str, text: str, found: str, version: str) -> None:
    """Tests the count of operations itself: each text lacks one."""

    def compiled(source: str) -> CodeType:
        return compile(source, "<test>", "exec", dont_inherit=True)

    assert found in left_out(compiled(code), compiled(text))
    assert left_out(compiled(code), compiled(code)) == []


@pytest.mark.parametrize("version", ["3.11"])
@pytest.mark.parametrize("tests", LANGUAGE)
def test_language_tests_pass_as_text(tests: str, python: list[str], depyfc: str) -> None:
    """CPython's own tests of the language are served as text."""
    assert [n for n in differences(python, depyfc, tests, tests) if not may_differ(tests, n)] == []


@pytest.mark.slow
@pytest.mark.parametrize("version", ["3.11"])
@pytest.mark.parametrize("tests", LIBRARY)
def test_library_modules_pass_their_tests_as_text(tests: str, python: list[str], depyfc: str) -> None:
    """Modules of the library are served as text for their own tests."""
    assert [
        n for n in differences(python, depyfc, LIBRARY[tests], tests, "--profile") if not may_differ(tests, n)
    ] == []


@pytest.mark.parametrize("source", ["raise KeyError('x')", "a = 1\nraise KeyError(a)", "class C:\n raise KeyError(1)"])
def test_code_that_ends_with_a_raise(python: list[str], depyfc: str, tmp_path: Path, source: str) -> None:
    """Such code is straight-line code whose last statement is not a step of the dispatch loop."""
    make = "import importlib.util, marshal, sys; c = compile(sys.argv[1], 'm', 'exec'); "
    make += "open(sys.argv[2], 'wb').write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(c))"
    subprocess.run([*python, "-c", make, source, str(tmp_path / "m.pyc")], check=True)
    text = subprocess.run([depyfc, "--skip=structure", str(tmp_path / "m.pyc")], capture_output=True, text=True)
    with pytest.raises(KeyError):
        exec(compile(text.stdout, "m", "exec"), {})


LAZY = """
import sys
for name in 'ab':
    print(name)
lazy import colorsys
lazy from sched import scheduler as made, Event
lazy import xml.dom as dom, xml.dom.minidom
if name: lazy import wave
print([m in sys.modules for m in ('colorsys', 'sched', 'xml.dom', 'wave')])
print(colorsys.rgb_to_hsv(0, 0, 0), made.__name__, dom.__name__, xml.dom.minidom.__name__, wave.__name__)
print([m in sys.modules for m in ('colorsys', 'sched', 'xml.dom', 'wave')])
print(sorted(n for n in globals() if not n.startswith(('__', 'tmp_'))))
"""


@pytest.mark.parametrize("version", ["3.15"])
@pytest.mark.parametrize("more", ["", "exec = None\n"], ids=["exec", "exec-hidden"])
def test_lazy_imports_stay_lazy(python: list[str], depyfc: str, tmp_path: Path, more: str) -> None:
    """A `try` statement may not contain lazy imports, and the dispatch loop of a module is in one."""
    make = "import sys, py_compile; py_compile.compile(sys.argv[1], sys.argv[2], doraise=True)"
    (tmp_path / "m.py").write_text(more + LAZY)
    subprocess.run([*python, "-c", make, str(tmp_path / "m.py"), str(tmp_path / "m.pyc")], check=True)
    text = subprocess.run([depyfc, "--skip=structure", str(tmp_path / "m.pyc")], capture_output=True, check=True).stdout
    (tmp_path / "text.py").write_bytes(text)
    before, after = (subprocess.check_output([*python, str(tmp_path / name)]) for name in ("m.py", "text.py"))
    assert before == after and b"False, False, False, False" in before and b"True, True, True, True" in before


def dispatch_loops_of(source: str, python: list[str], depyfc: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Decompiles a module to dispatch loops; the standard error has their verdicts."""
    make = "import sys, py_compile; py_compile.compile(sys.argv[1], sys.argv[2], doraise=True)"
    (folder / "m.py").write_text(source)
    subprocess.run([*python, "-c", make, str(folder / "m.py"), str(folder / "m.pyc")], check=True)
    command = [depyfc, "--skip=structure", "--verdict", "--python", shlex.join(python), str(folder / "m.pyc")]
    return subprocess.run(command, capture_output=True, text=True, check=False)


WITHS = """
def plain(a, b):
    with a as x:
        b(x)
        if x.y: return x.z
    with (a if a.q else b).m() as x:
        b(x)
    return b
def loops(xs, m, n):
    for x in xs:
        with m(x) as p, n(x):
            if p: continue
            p.go()
            if x: break
        p.after()
    return 2
def handled(m, n):
    try:
        with m: m.h()
    except KeyError:
        with n:
            n.k()
            raise
    return 3
"""


def test_with_statements_stay_with_statements(python: list[str], depyfc: str, tmp_path: Path) -> None:
    """Looking up the methods by name would differ from the statement; as a statement there is a proof."""
    done = dispatch_loops_of(WITHS, python, depyfc, tmp_path)
    assert "__enter__" not in done.stdout and done.stdout.count("with ") == 6
    assert re.findall(r"unproved (\w+)", done.stderr) == []


CASES = """
def kind(value):
    match value:
        case list():
            return 1
        case _:
            return 2
"""


@pytest.mark.parametrize("version", ["3.10", "3.11", "3.12", "3.13", "3.14", "3.15"])
def test_no_case_follows_an_irrefutable_one(python: list[str], depyfc: str, tmp_path: Path) -> None:
    """The position of `case _` in the source is after the last case with a pattern."""
    done = dispatch_loops_of(CASES, python, depyfc, tmp_path)
    assert "case _:" in done.stdout and "unproved" not in done.stderr


@pytest.mark.parametrize("sign", ["@", "a."])
@pytest.mark.parametrize("options", [[], ["--skip=structure"]], ids=["structured", "dispatch"])
def test_names_that_source_cannot_spell(
    python: list[str], depyfc: str, tmp_path: Path, options: list[str], sign: str
) -> None:
    """Tools that rewrite code (pytest's assertions) use such names for their variables to avoid conflicts."""
    before, after = literal([*python, str(HERE / "run_odd.py"), depyfc, str(tmp_path), sign, *options])
    assert before == after and len(before) > 60


@pytest.mark.parametrize("options", [[], ["--skip=structure"]], ids=["structured", "dispatch"])
def test_cells_that_are_values(python: list[str], depyfc: str, tmp_path: Path, options: list[str]) -> None:
    """The tuple of cells is used as a value, not to make a function."""
    before, after = literal([*python, str(HERE / "run_cells.py"), depyfc, str(tmp_path), *options])
    assert before == after == "[2]"


@pytest.mark.parametrize("options", [[], ["--skip=structure"]], ids=["structured", "dispatch"])
def test_handlers_that_are_also_reached_without_an_exception(
    version: str, python: list[str], depyfc: str, tmp_path: Path, options: list[str]
) -> None:
    """There the exception is an ordinary value, as after a `return` in an except clause."""
    if tuple(map(int, version.split("."))) < (3, 11):
        pytest.skip("no exception table")
    before, after = literal([*python, str(HERE / "run_shared_handler.py"), depyfc, str(tmp_path), *options])
    assert before == after and before.count("TypeError") == 4


@pytest.mark.parametrize("options", [[], ["--skip=structure"]], ids=["structured", "dispatch"])
def test_classes_whose_code_has_another_name(
    python: list[str], depyfc: str, tmp_path: Path, options: list[str]
) -> None:
    """The names of code objects do not affect what a program does."""
    before, after = literal([*python, str(HERE / "run_renamed.py"), depyfc, str(tmp_path), *options])
    assert before == after and len(before) > 200


@pytest.mark.parametrize("options", [[], ["--skip=structure"]], ids=["structured", "dispatch"])
def test_scopes_of_classes_and_type_parameters(
    python: list[str], depyfc: str, tmp_path: Path, options: list[str]
) -> None:
    """Comprehensions skip the names of a class; a generic function gets defaults that depend on the execution."""
    before, after = literal([*python, str(HERE / "run_scopes.py"), depyfc, str(tmp_path), *options])
    assert before == after and "global" in before


@pytest.mark.parametrize("levels", [60, 300])
def test_nesting_beyond_the_limits_of_source(python: list[str], depyfc: str, tmp_path: Path, levels: int) -> None:
    """The tokenizer allows 99 levels of indentation and 95 or 200 open brackets; bytecode has no such limits."""
    before, after = literal([*python, str(HERE / "run_nested.py"), depyfc, str(tmp_path), str(levels)])
    assert before == after and len(before) > 8
