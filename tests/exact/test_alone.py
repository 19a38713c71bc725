# SPDX-License-Identifier: MIT
"""Each code object of the files in alone/, taken alone, has a text that recompiles to itself in its context.

The context is that of depyf.decompile() (python/depyf/decompilation/context.py), here under every interpreter.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "tools"))
import roundtrip  # noqa: E402


def run_on_code_objects(version: str, depyfc: str, source_list: Path, work: Path) -> roundtrip.Scoreboard:
    options = argparse.Namespace(
        files=str(source_list), group="lib", whole=False, tool=depyfc, unit="code", jobs=1, optimize=0, timeout=60.0,
        strip_lines=False,
    )  # fmt: skip
    return roundtrip.run_version(options, version, work, 0, 0, "")


def test_every_code_object_recompiles_alone(version: str, depyfc: str, tmp_path: Path):
    source_list = tmp_path / "list.txt"
    sources = sorted((HERE / "alone").glob("*.py"))
    source_list.write_text("".join(f"{path}\n" for path in sources))
    board = run_on_code_objects(version, depyfc, source_list, tmp_path / "work")
    items = [(Path(f["source"]).name, x) for f in board.files if f.get("compiled") for x in f["items"]]
    assert len(items) > 20
    wrong = [(name, x["path"], x["kind"], x["detail"], x["error"]) for name, x in items if not x["own"]]
    assert not wrong


def test_comprehension_is_wrapped_in_a_function_with_its_free_variables(depyfc: str, tmp_path: Path):
    source_list = tmp_path / "list.txt"
    source = tmp_path / "source.py"
    source.write_text("def f(a):\n    return (x + a for x in b())\n")
    source_list.write_text(f"{source}\n")
    run_on_code_objects(roundtrip.versions("all")[0], depyfc, source_list, tmp_path / "work")
    text = (tmp_path / "work" / "00000.pyc.2.py").read_text()
    assert text == "def __outer__(a, iterable):\n    return (x + a for x in iterable)\n"


DUMP = """
import importlib.util, marshal, sys
def documented(a):
    "What it is."
    return a
code = documented.__code__.replace(co_name="<of a tool>")
sys.stdout.buffer.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
"""


def test_docstring_is_kept_with_any_code_name(python: list[str], depyfc: str, tmp_path: Path):
    pyc = tmp_path / "case.pyc"
    pyc.write_bytes(subprocess.run([*python, "-c", DUMP], capture_output=True, check=True, timeout=120).stdout)
    command = [depyfc, "--python", shlex.join(python), "--verdict", str(pyc)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert '"""What it is."""' in done.stdout and " exact " in done.stderr
