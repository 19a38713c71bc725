# SPDX-License-Identifier: MIT
"""Round trips of code that is not a plain module: modes "eval" and "single", files made with -O and -OO, and hash-based
files. Each line of modes/eval.txt and modes/single.txt is one code object, in every grammar."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
MODES = HERE / "modes"
# Reads [[path, mode, optimize, hashed, text]...] and writes each as a .pyc file.
COMPILE = """
import importlib.util, json, marshal, sys, warnings
warnings.simplefilter("ignore")
for path, mode, optimize, hashed, text in json.load(sys.stdin):
    code = compile(text, "case", mode, dont_inherit=True, optimize=optimize)
    rest = (1).to_bytes(4, "little") + importlib.util.source_hash(text.encode()) if hashed else bytes(12)
    with open(path, "wb") as out:
        out.write(importlib.util.MAGIC_NUMBER + rest + marshal.dumps(code))
"""
Job = tuple[str, int, bool, str]  # mode, optimize, whether hash-based, text


def jobs() -> list[Job]:
    """Returns all jobs."""
    result: list[Job] = [
        (mode, -1, False, text + "\n")
        for mode in ("eval", "single")
        for text in (MODES / f"{mode}.txt").read_text().splitlines()
    ]
    optimised = (MODES / "optimised.txt").read_text()
    result += [("exec", level, False, optimised) for level in (0, 1, 2)]
    return [*result, ("exec", -1, True, optimised)]


def compile_jobs(python: list[str], folder: Path, selected: list[Job]) -> list[Path]:
    """Compiles the jobs and returns the paths of the .pyc files."""
    folder.mkdir()
    paths = [folder / f"{i}.pyc" for i in range(len(selected))]
    request = json.dumps([[str(path), *job] for path, job in zip(paths, selected, strict=True)])
    subprocess.run([*python, "-c", COMPILE], input=request, text=True, check=True, timeout=120)
    return paths


def test_round_trip_in_each_mode(python: list[str], depyfc: str, tmp_path: Path) -> None:
    """The text, compiled in the same mode, gives the same code."""
    first = jobs()
    before = compile_jobs(python, tmp_path / "first", first)
    texts = []
    for path in before:
        done = subprocess.run([depyfc, str(path)], capture_output=True, text=True, check=True, timeout=60)
        texts.append(done.stdout)
    second = [(*job[:3], text) for job, text in zip(first, texts, strict=True)]
    wrong = []
    for a, b, job in zip(before, compile_jobs(python, tmp_path / "second", second), second, strict=True):
        done = subprocess.run(
            [depyfc, "--verify", str(a), str(b)], capture_output=True, text=True, timeout=60, check=True
        )
        verdicts = done.stdout.splitlines()
        if not verdicts or not all(line.startswith("exact ") for line in verdicts):
            wrong.append((job, done.stdout))
    assert wrong == []


@pytest.mark.parametrize("version", ["3.8", "3.15"])
def test_optimised_code_has_no_assertions_and_docstrings(python: list[str], depyfc: str, tmp_path: Path) -> None:
    """-OO removes docstrings and assertions, so the cases above test something."""
    [path] = compile_jobs(python, tmp_path / "only", [("exec", 2, False, (MODES / "optimised.txt").read_text())])
    text = subprocess.run([depyfc, str(path)], capture_output=True, text=True, check=True, timeout=60).stdout
    assert "assert" not in text
    assert "doc" not in text


def test_text_of_mode_eval_is_marked_and_verified(python: list[str], depyfc: str, tmp_path: Path) -> None:
    """The first line of the text names the mode, and the text is compiled in that mode for its verdict."""
    [path] = compile_jobs(python, tmp_path / "only", [("eval", -1, False, "[a for b in c] if d else e\n")])
    command = [depyfc, "--verdict", "--python", shlex.join(python), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines() == ["# mode: eval", "[a for b in c] if d else e"]
    assert {line.split()[1] for line in done.stderr.splitlines()} == {"exact"}


def test_text_of_mode_single_is_marked_and_verified(python: list[str], depyfc: str, tmp_path: Path) -> None:
    """The first line of the text names the mode, and the text is compiled in that mode for its verdict."""
    [path] = compile_jobs(python, tmp_path / "only", [("single", -1, False, "a = 1; a; b\n")])
    command = [depyfc, "--verdict", "--python", shlex.join(python), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines() == ["# mode: single", "a = 1; a; b"]
    assert done.stderr.splitlines() == [f"{path}: exact <module>"]
    again = subprocess.run([*command, "--skip", "structure"], capture_output=True, text=True, check=True, timeout=60)
    assert "sys" in again.stdout
    assert not again.stdout.startswith("# mode")
