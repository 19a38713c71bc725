# SPDX-License-Identifier: MIT
"""Each file in cases/ survives the round trip exactly, under every interpreter whose grammar it fits.

A case is one dropped source file, in the grammar of the oldest version that it means. It is compiled, decompiled,
recompiled with the same interpreter, and every code object compared. known_failures.txt lists what does not pass yet
(lines "VERSION CASE"); what is listed and passes fails.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
CASES = sorted(path.stem for path in (HERE / "cases").glob("*.py"))
KNOWN = set((HERE / "known_failures.txt").read_text().splitlines()) - {""}
# Compiles argv[2:] into folder argv[1]; prints {case: error or None}.
COMPILE = """
import importlib.util, json, marshal, os, sys, warnings
warnings.simplefilter("ignore")
said = {}
for path in sys.argv[2:]:
    case = os.path.splitext(os.path.basename(path))[0]
    try:
        with open(path, "rb") as file:
            code = compile(file.read(), "case", "exec", dont_inherit=True)
    except SyntaxError as error:
        said[case] = str(error)
        continue
    said[case] = None
    with open(os.path.join(sys.argv[1], case + ".pyc"), "wb") as out:
        out.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
print(json.dumps(said))
"""
outcomes: dict[str, dict[str, str]] = {}


def compiled(python: list[str], folder: Path, sources: list[Path]) -> dict[str, str | None]:
    """What the interpreter says of each source."""
    folder.mkdir(exist_ok=True)
    command = [*python, "-c", COMPILE, str(folder), *map(str, sources)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    return json.loads(done.stdout)


def played(python: list[str], depyfc: str, folder: Path) -> dict[str, str]:
    """The outcome of each case that the version has a grammar for: "exact", or what is wrong."""
    first = compiled(python, folder / "first", [HERE / "cases" / f"{case}.py" for case in CASES])
    cases = [case for case, error in first.items() if error is None]
    out = {}
    for case in cases:
        command = [depyfc, "--validate", str(folder / "first" / f"{case}.pyc")]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        out[case] = done.stderr if done.returncode != 0 else ""
        (folder / f"{case}.py").write_text(done.stdout, encoding="utf-8", errors="surrogatepass")
    second = compiled(python, folder / "second", [folder / f"{case}.py" for case in cases])
    for case in cases:
        pair = [str(folder / which / f"{case}.pyc") for which in ("first", "second")]
        if out[case] or second[case] is not None:
            out[case] = out[case] or f"the text does not compile: {second[case]}"
            continue
        done = subprocess.run([depyfc, "--verify", *pair], capture_output=True, text=True, check=False, timeout=120)
        verdicts = done.stdout.splitlines()
        exact = bool(verdicts) and all(line.startswith("exact ") for line in verdicts)
        out[case] = "exact" if exact else done.stdout[-3000:] + done.stderr
    return out


@pytest.fixture
def outcome(version: str, python: list[str], depyfc: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """All outcomes of the version, played once a process."""
    if version not in outcomes:
        outcomes[version] = played(python, depyfc, tmp_path_factory.mktemp(f"exact-{version}"))
    return outcomes[version]


@pytest.mark.parametrize("case", CASES)
def test_exact(case: str, version: str, outcome: dict[str, str]) -> None:
    """One case under one version."""
    if case not in outcome:
        assert f"{version} {case}" not in KNOWN, "not in the grammar of this version"
        return
    if f"{version} {case}" in KNOWN:
        assert outcome[case] != "exact", "passes: take it off known_failures.txt"
    else:
        assert outcome[case] == "exact"


@pytest.mark.parametrize("version", ["3.15"])
def test_all_fit(outcome: dict[str, str]) -> None:
    """No case is beyond the newest grammar."""
    assert sorted(outcome) == CASES
