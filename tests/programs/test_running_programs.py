# SPDX-License-Identifier: MIT
"""Random programs do the same as their decompiled text, on every schedule, normally and with the fallback only.

There is a fixed sample for each version; programs.py can run thousands. mended.txt lists programs that failed once,
known_failures.txt those that fail now (lines "VERSION PROGRAM FORM KIND"); one that is listed and passes fails.
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
    """Imports programs.py, which is not in a package."""
    spec = importlib.util.spec_from_file_location("depyf_running_programs", HERE / "programs.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


programs = load()
MENDED = [line.split() for line in (HERE / "mended.txt").read_text().splitlines() if not line.startswith("#")]


def test_sample_has_only_known_failures(version: str, python: list[str], depyfc: str, tmp_path: Path) -> None:
    """All failures are listed, and all listed programs fail."""
    outcomes = programs.run(depyfc, python, tmp_path, COUNT, SEED)
    assert len(outcomes) == 2 * COUNT
    assert sum(o.result == "same" for o in outcomes) >= COUNT
    failed = {f"{version} {o.program} {o.form} {o.kind}": o.result for o in outcomes if o.result not in programs.GOOD}
    sample = {o.program for o in outcomes}
    known = {line for line in KNOWN if line.split()[0] == version and line.split()[1] in sample}
    assert {line: result for line, result in failed.items() if line not in known} == {}
    assert known - set(failed) == set()


@pytest.mark.parametrize("version", sorted({v for v, _ in MENDED} | {line.split()[0] for line in KNOWN}))
def test_mended_programs_pass(version: str, python: list[str], depyfc: str, tmp_path: Path) -> None:
    """Programs that failed once pass now, and those that still fail are the listed ones."""
    known = {line for line in KNOWN if line.split()[0] == version}
    chosen = sorted({int(program) for v, program in MENDED if v == version} | {int(line.split()[1]) for line in known})
    files = []
    for program in chosen:
        files += programs.generate_programs(python, tmp_path / str(program), 1, program - 1)
    assert [int(f.stem) for f in files] == chosen
    outcomes = programs.judge_files(depyfc, python, tmp_path, files, programs.FORMS)
    assert {f"{version} {o.program} {o.form} {o.kind}" for o in outcomes if o.result != "same"} == known


# The bases of the class are in a variable, because the handler around the comprehension needs them there.
CLASS_OF_AN_INLINED_LIST = """
async def f1(a):
    class C8(P, k=[i async for i in a]):
        y = a.__c = g0
    return C8
"""


@pytest.mark.parametrize("version", ["3.12", "3.14"])
def test_class_whose_arguments_inline_a_comprehension(python: list[str], depyfc: str, tmp_path: Path) -> None:
    """Its body stays the body of a class, with mangled private names."""
    (tmp_path / "1.py").write_text(CLASS_OF_AN_INLINED_LIST)
    programs.subprocess.run([*python, "-c", programs.COMPILE, str(tmp_path / "1.py")], check=True)
    outcomes = programs.judge_files(depyfc, python, tmp_path, [tmp_path / "1.pyc"], programs.FORMS)
    assert {o.form: o.result for o in outcomes} == dict.fromkeys(programs.FORMS, "same")
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
def test_judge_finds_differences(python: list[str], tmp_path: Path, old: str, new: str) -> None:
    """Tests the judge itself: it finds each single change, and no difference without a change."""
    (tmp_path / "one.py").write_text(ORIGINAL)
    (tmp_path / "two.py").write_text(ORIGINAL.replace(old, new) if old else ORIGINAL)
    answers = programs.run_texts(python, tmp_path, [["one", str(tmp_path / "one.py"), [str(tmp_path / "two.py")]]])
    outcome = answers["one"]["outcomes"][0]
    assert outcome.startswith("differs") if old else outcome == "same"
