# SPDX-License-Identifier: MIT
"""Random programs do what their decompiled text does, on every schedule, as usual and all through the fallback.

A fixed sample of each version; programs.py runs thousands. mended.txt lists programs that failed once,
known_failures.txt what fails now (lines "VERSION PROGRAM FORM KIND"), strictly: what is listed and passes fails.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

HERE = Path(__file__).resolve().parent
COUNT, SEED = 50, 1
KNOWN = {line for line in (HERE / "known_failures.txt").read_text().splitlines() if line and not line.startswith("#")}


def load() -> ModuleType:
    """programs.py, which is no package."""
    spec = importlib.util.spec_from_file_location("depyf_running_programs", HERE / "programs.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


programs = load()
MENDED = [line.split() for line in (HERE / "mended.txt").read_text().splitlines() if not line.startswith("#")]


def test_sample(version: str, python: list[str], depyfc: str, tmp_path: Path) -> None:
    """All that differs is listed, and all that is listed differs."""
    outcomes = programs.run(depyfc, python, tmp_path, COUNT, SEED)
    assert len(outcomes) == 2 * COUNT
    assert sum(o.said == "same" for o in outcomes) >= COUNT
    failed = {f"{version} {o.program} {o.form} {o.kind}": o.said for o in outcomes if o.said not in programs.GOOD}
    sample = {o.program for o in outcomes}
    known = {line for line in KNOWN if line.split()[0] == version and line.split()[1] in sample}
    assert {line: said for line, said in failed.items() if line not in known} == {}
    assert known - set(failed) == set()


@pytest.mark.parametrize("version", sorted({of for of, _ in MENDED} | {line.split()[0] for line in KNOWN}))
def test_listed(version: str, python: list[str], depyfc: str, tmp_path: Path) -> None:
    """Programs that failed once do not again; of those that still do, no verdict promises that they do not."""
    known = {line for line in KNOWN if line.split()[0] == version}
    chosen = sorted(
        {int(program) for of, program in MENDED if of == version} | {int(line.split()[1]) for line in known}
    )
    files = []
    for program in chosen:
        files += programs.generated(python, tmp_path / str(program), 1, program - 1)
    assert [int(f.stem) for f in files] == chosen
    outcomes = programs.judged(depyfc, python, tmp_path, files, programs.FORMS)
    assert {f"{version} {o.program} {o.form} {o.kind}" for o in outcomes if o.said != "same"} == known


# What a class statement names lies in a variable, as the handler around the comprehension wants it there.
CLASS_OF_AN_INLINED_LIST = """
async def f1(a):
    class C8(P, k=[i async for i in a]):
        y = a.__c = g0
    return C8
"""


@pytest.mark.parametrize("version", ["3.12", "3.14"])
def test_class_whose_arguments_inline_a_comprehension(python: list[str], depyfc: str, tmp_path: Path) -> None:
    """Its body stays the body of a class, with private names of its own."""
    (tmp_path / "1.py").write_text(CLASS_OF_AN_INLINED_LIST)
    programs.subprocess.run([*python, "-c", programs.COMPILE, str(tmp_path / "1.py")], check=True)
    outcomes = programs.judged(depyfc, python, tmp_path, [tmp_path / "1.pyc"], programs.FORMS)
    assert {o.form: o.said for o in outcomes} == dict.fromkeys(programs.FORMS, "same")
    assert "class C8(" in (tmp_path / "fallback" / "1.py").read_text()


FUNCTION = """
def f%d(a, b):
    try:
        for x in a:
            b(x)
    except E1 as error:
        return error
    return [(i, b) for i in a if b]
"""
DIFFERENT = [
    ("b(x)", "b(a)"),
    ("except E1", "except E3"),
    ("return error", "return None"),
    ("if b]", "if not b]"),
    ("f1(a, b)", "f1(a, b=1)"),
    ("    return [", "    b.x = 1\n    return ["),
]
ORIGINAL = "".join(FUNCTION % number for number in range(8))


@pytest.mark.parametrize("version", ["3.8", "3.14"])
@pytest.mark.parametrize(("old", "new"), [("", ""), *DIFFERENT])
def test_differences_are_seen(python: list[str], tmp_path: Path, old: str, new: str) -> None:
    """The judge itself: one change each is told, and none is no difference."""
    (tmp_path / "one.py").write_text(ORIGINAL)
    (tmp_path / "two.py").write_text(ORIGINAL.replace(old, new) if old else ORIGINAL)
    answers = programs.played(python, tmp_path, [["one", str(tmp_path / "one.py"), [str(tmp_path / "two.py")]]])
    outcome = answers["one"]["outcomes"][0]
    assert outcome.startswith("differs") if old else outcome == "same"
