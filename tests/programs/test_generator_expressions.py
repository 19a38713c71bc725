# SPDX-License-Identifier: MIT
"""Generator expressions that stay functions call iter() once, when they are made, as the original does."""

from __future__ import annotations

import subprocess
from pathlib import Path

SOURCE = """
def made(a, c):
    return (b if c else 1 for b in a)
async def made_later(a, c):
    return (b if c else 1 async for b in a)
"""
RUNS = """
import sys
class Items:
    def __init__(self, *names): self.names = names
    def __iter__(self): print("iter", *self.names); return Items(*self.names, "of it")
    def __next__(self): print("next"); return next(rest)
    def __aiter__(self): print("aiter", *self.names); return Items(*self.names, "of it")
    async def __anext__(self):
        print("anext")
        for item in rest: return item
        raise StopAsyncIteration
def run(coroutine):
    try: coroutine.send(None)
    except StopIteration as end: return end.value
async def all_of(items): return [i async for i in items]
for path in sys.argv[1:]:
    space = {}
    exec(compile(open(path).read(), path, "exec"), space)
    rest = iter([2, 3])
    items = space["made"](Items("first"), True)
    print("made", type(items).__name__, items.__name__)
    print(list(items))
    if sys.version_info >= (3, 10):
        rest = iter([4, 5])
        items = run(space["made_later"](Items("second"), True))
        print("made", type(items).__name__, items.__name__)
        print(run(all_of(items)))
    print("---")
"""


def test_iter_is_called_once(python: list[str], depyfc: str, tmp_path: Path) -> None:
    source, compiled, text = tmp_path / "text.py", tmp_path / "text.pyc", tmp_path / "again.py"
    source.write_text(SOURCE)
    compiling = f"import py_compile; py_compile.compile({str(source)!r}, {str(compiled)!r}, doraise=True)"
    subprocess.run([*python, "-c", compiling], check=True)
    command = [depyfc, "--skip", "fold-expressions", str(compiled)]  # elements then have no expression
    text.write_bytes(subprocess.run(command, capture_output=True, check=True).stdout)
    assert "yield" in text.read_text()
    done = subprocess.run([*python, "-c", RUNS, str(source), str(text)], capture_output=True, text=True, check=True)
    first, second, _ = done.stdout.split("---\n")
    assert first == second, text.read_text()


def test_iter_is_called_once_if_next_is_rebound(version: str, python: list[str], depyfc: str, tmp_path: Path) -> None:
    source, compiled, text = tmp_path / "text.py", tmp_path / "text.pyc", tmp_path / "again.py"
    source.write_text("next = anext = None\n" + SOURCE)
    compiling = f"import py_compile; py_compile.compile({str(source)!r}, {str(compiled)!r}, doraise=True)"
    subprocess.run([*python, "-c", compiling], check=True)
    command = [depyfc, "--skip", "fold-expressions", str(compiled)]
    text.write_bytes(subprocess.run(command, capture_output=True, check=True).stdout)
    runs = RUNS.replace("next(rest)", "rest.__next__()")
    done = subprocess.run([*python, "-c", runs, str(source), str(text)], capture_output=True, text=True, check=True)
    first, second, _ = done.stdout.split("---\n")
    iter_calls = [line for line in second.splitlines() if line.startswith(("iter", "aiter"))]
    if version == "3.15":  # in earlier versions the loop gets an iterator, and calls iter() on it again
        assert iter_calls == [line for line in first.splitlines() if line.startswith(("iter", "aiter"))], (
            text.read_text()
        )
    assert sorted(set(second.splitlines()) - set(iter_calls)) == sorted(
        {line for line in first.splitlines() if not line.startswith(("iter", "aiter"))}
    )
