# SPDX-License-Identifier: MIT
"""Runs all sequences of a version: its interpreter assembles and traces them, and traces their decompiled text.

As a program it rewrites known_failures.txt with the current results (``meanings_core.py DEPYFC``) and prints what it
added; each addition needs a reason.
"""

from __future__ import annotations

import functools
import importlib.util
import json
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
KNOWN = HERE / "known_failures.txt"
MODES = {"plain": [], "dispatch": ["--skip", "structure"]}
HEADING = """\
# Sequences that depyf is known to translate wrongly or not at all: mode, sequence, `wrong` (the text behaves
# differently) or `refused` (there is no text, or it does not compile), versions. A line that is no longer true fails
# the run. Written by meanings_core.py.
"""


@dataclass
class Results:
    """The results of one version's sequences."""

    cases: dict[str, str] = field(default_factory=dict)  # name -> text of the sequence
    opcodes: set[str] = field(default_factory=set)
    operations: set[str] = field(default_factory=set)
    found: dict[str, dict[str, dict[str, str]]] = field(default_factory=dict)  # mode -> name -> result


def call(command: list[str], limit: float = 120) -> str:
    """Returns the standard output of a command; fails if the command does."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)
    assert done.returncode == 0, f"{command}: {done.returncode}\n{done.stderr[-3000:]}"
    return done.stdout


def decompile(depyfc: str, folder: Path, mode: str) -> dict[str, str]:
    """Decompiles all sequences into folder/MODE, and returns the messages about refused ones by name."""
    command = [depyfc, *MODES[mode], "-o", str(folder / mode), str(folder / "pyc")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode in (0, 1, 2), f"{command}: {done.returncode}\n{done.stderr[-3000:]}"
    found = re.findall(r"([^/]+)\.pyc: (.*)", done.stderr)
    return dict(found)


def run_version(python: list[str], depyfc: str) -> Results:
    """Runs all sequences of a version in every mode."""
    runner = [*python, "-B", str(HERE / "run_cases.py")]
    results = Results()
    with tempfile.TemporaryDirectory(prefix="depyf-meanings-") as name:
        folder = Path(name)
        call([*runner, "make", name])
        made = json.loads((folder / "made.json").read_text(encoding="utf-8"))
        results.cases = {case: entry["text"] for case, entry in made["cases"].items()}
        results.opcodes = set(made["opcodes"])
        call([depyfc, "--stop-after", "bytecode", "-o", str(folder / "listing"), str(folder / "pyc")])
        for listing in (folder / "listing").iterdir():
            lines = listing.read_text(encoding="utf-8").splitlines()
            results.operations |= {line.split()[1] for line in lines if line[:1].isdigit()}
        for mode in MODES:
            messages = decompile(depyfc, folder, mode)
            call([*runner, "check", name, mode])
            results.found[mode] = json.loads((folder / f"{mode}.json").read_text(encoding="utf-8"))
            for case, message in messages.items():
                results.found[mode][case]["detail"] += f" ({message})"
    return results


@functools.cache
def attempt(python: tuple[str, ...], depyfc: str) -> Results | Exception:
    """Calls run_version() once per session; returns the error if it fails."""
    try:
        return run_version(list(python), depyfc)
    except (AssertionError, OSError, subprocess.SubprocessError) as error:
        return error


def results_of(python: tuple[str, ...], depyfc: str) -> Results:
    """Returns the results of a version; raises the error if there are none."""
    results = attempt(python, depyfc)
    if isinstance(results, Exception):
        raise results
    return results


def read_known() -> dict[tuple[str, str, str], str]:
    """Returns the known failures: (mode, version, name) -> status."""
    known = {}
    for line in KNOWN.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            mode, name, status, *versions = line.split()
            known.update({(mode, version, name): status for version in versions})
    return known


def write_known(known: dict[tuple[str, str, str], str]) -> None:
    """Writes the known failures, sorted."""
    lines: dict[tuple[str, str, str], list[str]] = {}
    for (mode, version, name), status in known.items():
        lines.setdefault((mode, name, status), []).append(version)
    text = "".join(f"{' '.join(key)} {' '.join(lines[key])}\n" for key in sorted(lines))
    KNOWN.write_text(HEADING + text, encoding="utf-8")


def load_interpreters() -> ModuleType:
    spec = importlib.util.spec_from_file_location("depyf_tools_interpreters", ROOT / "tools" / "interpreters.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def main(depyfc: str) -> None:
    """Rewrites the list of known failures."""
    old = read_known() if KNOWN.exists() else {}
    new = {}
    for version, python in load_interpreters().find_all().items():
        results = run_version(python, depyfc)
        found = {(m, version, n): e["status"] for m in MODES for n, e in results.found[m].items()}
        new.update({key: status for key, status in found.items() if status != "same"})
        print(version, len(results.cases), {s: list(found.values()).count(s) for s in sorted(set(found.values()))})
    write_known(new)
    for key, status in new.items():
        if old.get(key) != status:
            print("added:", *key, status)


if __name__ == "__main__":
    main(sys.argv[1])
