# SPDX-License-Identifier: MIT
"""Round trips of what is no plain module: code of modes "eval" and "single", files made with -O and -OO, and hash-based
ones. Each line of modes/eval.txt and modes/single.txt is one code object, in every grammar."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
MODES = HERE / "modes"
# Reads [[path, mode, optimize, hashed, text]...]; writes each as a .pyc file.
COMPILE = """
import importlib.util, json, marshal, sys, warnings
warnings.simplefilter("ignore")
for path, mode, optimize, hashed, text in json.load(sys.stdin):
    code = compile(text, "case", mode, dont_inherit=True, optimize=optimize)
    rest = (1).to_bytes(4, "little") + importlib.util.source_hash(text.encode()) if hashed else bytes(12)
    with open(path, "wb") as out:
        out.write(importlib.util.MAGIC_NUMBER + rest + marshal.dumps(code))
"""
Job = tuple[str, int, bool, str]  # mode, optimize, hash-based, text


def jobs() -> list[Job]:
    """All that is tried."""
    found: list[Job] = [
        (mode, -1, False, text + "\n")
        for mode in ("eval", "single")
        for text in (MODES / f"{mode}.txt").read_text().splitlines()
    ]
    optimised = (MODES / "optimised.txt").read_text()
    found += [("exec", level, False, optimised) for level in (0, 1, 2)]
    return [*found, ("exec", -1, True, optimised)]


def compiled(python: list[str], folder: Path, wanted: list[Job]) -> list[Path]:
    """The .pyc files."""
    folder.mkdir()
    paths = [folder / f"{i}.pyc" for i in range(len(wanted))]
    asked = json.dumps([[str(path), *job] for path, job in zip(paths, wanted, strict=True)])
    subprocess.run([*python, "-c", COMPILE], input=asked, text=True, check=True, timeout=120)
    return paths


def test_modes(python: list[str], depyfc: str, tmp_path: Path) -> None:
    """The text, compiled in the same way, is the same code."""
    first = jobs()
    before = compiled(python, tmp_path / "first", first)
    texts = []
    for path in before:
        done = subprocess.run([depyfc, str(path)], capture_output=True, text=True, check=True, timeout=60)
        texts.append(done.stdout)
    second = [(*job[:3], text) for job, text in zip(first, texts, strict=True)]
    wrong = []
    for a, b, job in zip(before, compiled(python, tmp_path / "second", second), second, strict=True):
        done = subprocess.run(
            [depyfc, "--verify", str(a), str(b)], capture_output=True, text=True, timeout=60, check=True
        )
        verdicts = done.stdout.splitlines()
        if not verdicts or not all(line.startswith("exact ") for line in verdicts):
            wrong.append((job, done.stdout))
    assert wrong == []


@pytest.mark.parametrize("version", ["3.8", "3.15"])
def test_optimised_away(python: list[str], depyfc: str, tmp_path: Path) -> None:
    """-OO leaves no docstring and no assertion: the cases above are not empty."""
    [path] = compiled(python, tmp_path / "only", [("exec", 2, False, (MODES / "optimised.txt").read_text())])
    text = subprocess.run([depyfc, str(path)], capture_output=True, text=True, check=True, timeout=60).stdout
    assert "assert" not in text
    assert "doc" not in text


def test_verdict_of_eval(python: list[str], depyfc: str, tmp_path: Path) -> None:
    """The text of an expression says that it is one, and is compiled as one for its verdict."""
    [path] = compiled(python, tmp_path / "only", [("eval", -1, False, "[a for b in c] if d else e\n")])
    command = [depyfc, "--verdict", "--python", shlex.join(python), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines() == ["# mode: eval", "[a for b in c] if d else e"]
    assert {line.split()[1] for line in done.stderr.splitlines()} == {"exact"}


def test_verdict_of_single(python: list[str], depyfc: str, tmp_path: Path) -> None:
    """Text of mode "single" says so in its first line, and is compiled in that mode for its verdict."""
    [path] = compiled(python, tmp_path / "only", [("single", -1, False, "a = 1; a; b\n")])
    command = [depyfc, "--verdict", "--python", shlex.join(python), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines() == ["# mode: single", "a = 1; a; b"]
    assert done.stderr.splitlines() == [f"{path}: exact <module>"]
    again = subprocess.run([*command, "--skip", "structure"], capture_output=True, text=True, check=True, timeout=60)
    assert "sys" in again.stdout
    assert not again.stdout.startswith("# mode")
