# SPDX-License-Identifier: MIT
"""Each file in cases/ survives the round trip exactly, under every interpreter whose grammar it fits.

A case is one dropped source file in the folder of its construct, in the grammar of the oldest version that it means.
It is compiled, decompiled, recompiled with the same interpreter, and every code object compared. known_failures.txt
lists the code objects that are not exact yet (lines "VERSION CASE NAME"); one that is listed and passes fails.
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
# Compiles each second of argv[1:] from the first before it; prints {source: error or None}.
COMPILE = """
import importlib.util, json, marshal, os, sys, warnings
warnings.simplefilter("ignore")
said = {}
for path, target in zip(sys.argv[1::2], sys.argv[2::2]):
    try:
        with open(path, "rb") as file:
            code = compile(file.read(), "case", "exec", dont_inherit=True)
    except SyntaxError as error:
        said[path] = str(error)
        continue
    said[path] = None
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "wb") as out:
        out.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
print(json.dumps(said))
"""


@dataclass
class Outcome:
    """What came of one case: an error instead of a text that compiles, or the code objects that are not exact."""

    error: str = ""
    inexact: dict[str, str] = field(default_factory=dict)  # by name: what was said


outcomes: dict[str, dict[str, Outcome]] = {}


def compiled(python: list[str], folder: Path, sources: Path, cases: list[str]) -> dict[str, str | None]:
    """What the interpreter says of each case in a folder of sources."""
    pairs = {case: (f"{sources / case}.py", f"{folder / case}.pyc") for case in cases}
    command = [*python, "-c", COMPILE, *(path for pair in pairs.values() for path in pair)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    said = json.loads(done.stdout)
    return {case: said[source] for case, (source, _) in pairs.items()}


def judged(depyfc: str, first: Path, second: Path) -> Outcome:
    """Each code object of two files."""
    done = subprocess.run([depyfc, "--verify", first, second], capture_output=True, text=True, check=False, timeout=120)
    found = Outcome("" if done.stdout else done.stderr or "nothing was compared")
    for line in done.stdout.splitlines():
        verdict = VERDICT.fullmatch(line)
        assert verdict is not None, line
        if verdict["kind"] != "exact":
            found.inexact[verdict["name"]] = line
    return found


def played(python: list[str], depyfc: str, folder: Path) -> dict[str, Outcome]:
    """The outcome of each case that the version has a grammar for."""
    first = compiled(python, folder / "first", FOLDER, CASES)
    cases = [case for case, error in first.items() if error is None]
    out = {}
    for case in cases:
        command = [depyfc, "--validate", str(folder / "first" / f"{case}.pyc")]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        out[case] = Outcome(done.stderr if done.returncode != 0 else "")
        text = folder / "text" / f"{case}.py"
        text.parent.mkdir(parents=True, exist_ok=True)
        text.write_text(done.stdout, encoding="utf-8", errors="surrogatepass")
    second = compiled(python, folder / "second", folder / "text", cases)
    for case in cases:
        if second[case] is not None:
            out[case].error = out[case].error or f"the text does not compile: {second[case]}"
        if not out[case].error:
            out[case] = judged(depyfc, folder / "first" / f"{case}.pyc", folder / "second" / f"{case}.pyc")
    return out


@pytest.fixture
def outcome(
    version: str, python: list[str], depyfc: str, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Outcome]:
    """All outcomes of the version, played once a process."""
    if version not in outcomes:
        outcomes[version] = played(python, depyfc, tmp_path_factory.mktemp(f"exact-{version}"))
    return outcomes[version]


@pytest.mark.parametrize("case", CASES)
def test_exact(case: str, version: str, outcome: dict[str, Outcome]) -> None:
    """One case under one version."""
    known = {name for of, where, name in LISTED if (of, where) == (version, case)}
    if case not in outcome:
        assert not known, "listed, and not in the grammar of this version"
        pytest.skip(f"not in the grammar of {version}")
    assert outcome[case].error == ""
    assert {name: line for name, line in outcome[case].inexact.items() if name not in known} == {}
    assert known - set(outcome[case].inexact) == set(), "exact: take them off known_failures.txt"


@pytest.mark.parametrize("version", ["3.15"])
def test_all_fit(outcome: dict[str, Outcome]) -> None:
    """No case is beyond the newest grammar, and none is listed that is not there."""
    assert sorted(outcome) == CASES
    assert {case for _, case, _ in LISTED} <= set(CASES)
