# SPDX-License-Identifier: MIT
"""Each file in cases/ is decompiled exactly, under every interpreter whose grammar it fits.

A case is one source file in the folder of its construct, in the grammar of the oldest version that it is for. It is
compiled, decompiled and recompiled with the same interpreter, and every code object is compared. known_failures.txt
lists the code objects that are not exact yet (lines "VERSION CASE NAME"); a code object that is listed but exact fails.
"""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
FOLDER = HERE / "cases"
CASES = sorted(path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.glob("*/*.py"))
LISTED = [line.split(" ", 2) for line in (HERE / "known_failures.txt").read_text().splitlines()]
VERDICT = re.compile(r"(?P<kind>\w+) (?P<name>.*?)(?: at bytecode offset \d+)?(?:: .*)?")
# Compiles pairs (source, target) in argv[1:]; prints {source: error or None}.
COMPILE = """
import importlib.util, json, marshal, os, sys, warnings
warnings.simplefilter("ignore")
errors = {}
for path, target in zip(sys.argv[1::2], sys.argv[2::2]):
    try:
        with open(path, "rb") as file:
            code = compile(file.read(), "case", "exec", dont_inherit=True)
    except SyntaxError as error:
        errors[path] = str(error)
        continue
    errors[path] = None
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "wb") as out:
        out.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
print(json.dumps(errors))
"""


@dataclass
class Outcome:
    """The outcome of one case: an error if there is no text that compiles, or the code objects that are not exact."""

    error: str = ""
    inexact: dict[str, str] = field(default_factory=dict)  # name -> line of the verdict


outcomes: dict[str, dict[str, Outcome]] = {}


def compile_cases(python: list[str], folder: Path, sources: Path, cases: list[str]) -> dict[str, str | None]:
    """Compiles the cases in a folder of sources; returns the error of each, or None."""
    pairs = {case: (f"{sources / case}.py", f"{folder / case}.pyc") for case in cases}
    command = [*python, "-c", COMPILE, *(path for pair in pairs.values() for path in pair)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    errors = json.loads(done.stdout)
    return {case: errors[source] for case, (source, _) in pairs.items()}


def compare(depyfc: str, first: Path, second: Path) -> Outcome:
    """Compares all code objects of two files."""
    done = subprocess.run([depyfc, "--verify", first, second], capture_output=True, text=True, check=False, timeout=120)
    outcome = Outcome("" if done.stdout else done.stderr or "nothing was compared")
    for line in done.stdout.splitlines():
        verdict = VERDICT.fullmatch(line)
        assert verdict is not None, line
        if verdict["kind"] != "exact":
            outcome.inexact[verdict["name"]] = line
    return outcome


def run_cases(python: list[str], depyfc: str, folder: Path) -> dict[str, Outcome]:
    """Returns the outcome of each case that the version's grammar allows."""
    first = compile_cases(python, folder / "first", FOLDER, CASES)
    cases = [case for case, error in first.items() if error is None]
    out = {}
    for case in cases:
        command = [depyfc, "--validate", str(folder / "first" / f"{case}.pyc")]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        out[case] = Outcome(done.stderr if done.returncode != 0 else "")
        text = folder / "text" / f"{case}.py"
        text.parent.mkdir(parents=True, exist_ok=True)
        text.write_text(done.stdout, encoding="utf-8", errors="surrogatepass")
    second = compile_cases(python, folder / "second", folder / "text", cases)
    for case in cases:
        if second[case] is not None:
            out[case].error = out[case].error or f"the text does not compile: {second[case]}"
        if not out[case].error:
            out[case] = compare(depyfc, folder / "first" / f"{case}.pyc", folder / "second" / f"{case}.pyc")
    return out


@pytest.fixture
def outcome(
    version: str, python: list[str], depyfc: str, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Outcome]:
    """All outcomes of the version, computed once per process."""
    if version not in outcomes:
        outcomes[version] = run_cases(python, depyfc, tmp_path_factory.mktemp(f"exact-{version}"))
    return outcomes[version]


@pytest.mark.parametrize("case", CASES)
def test_exact(case: str, version: str, outcome: dict[str, Outcome]) -> None:
    """One case under one version."""
    known = {name for v, c, name in LISTED if (v, c) == (version, case)}
    if case not in outcome:
        assert not known, "listed, but not in the grammar of this version"
        pytest.skip(f"not in the grammar of {version}")
    assert outcome[case].error == ""
    assert {name: line for name, line in outcome[case].inexact.items() if name not in known} == {}
    assert known - set(outcome[case].inexact) == set(), "exact now: remove them from known_failures.txt"


@pytest.mark.parametrize("version", ["3.15"])
def test_newest_grammar_has_all_cases(outcome: dict[str, Outcome]) -> None:
    """Every case fits the newest grammar, and every listed case exists."""
    assert sorted(outcome) == CASES
    assert {case for _, case, _ in LISTED} <= set(CASES)
