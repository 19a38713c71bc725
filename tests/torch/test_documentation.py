# SPDX-License-Identifier: MIT
"""Tests that the Python code blocks of each page of the documentation and of the README run."""

from __future__ import annotations

import platform
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import torch

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "site").glob("*.md"))]
# On a page: a print() with its output as a comment.
OUTPUT_COMMENT = re.compile(r"^ *print\(.*\)  # (.+)$", re.MULTILINE)
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
WITH_BLOCKS = [page for page in PAGES if BLOCK.search(page.read_text("utf-8"))]


def test_there_are_pages():
    assert len(PAGES) >= 7 and len(WITH_BLOCKS) >= 4


@pytest.mark.slow
@pytest.mark.parametrize("page", WITH_BLOCKS, ids=lambda p: p.stem)
def test_blocks_of_a_page_run(page, tmp_path):
    text = page.read_text("utf-8")
    # Each line keeps its number on the page, so that tracebacks show it.
    lines = [""] * (text.count("\n") + 1)
    for block in BLOCK.finditer(text):
        first = text.count("\n", 0, block.start(1))
        for number, line in enumerate(block[1].split("\n")[:-1], first):
            lines[number] = line
    program = tmp_path / f"{page.stem}.py"
    program.write_text("\n".join(lines), "utf-8")
    debugger_input = "continue\n" * 50  # for pages that pause in the debugger
    command = [sys.executable, str(program)]
    done = subprocess.run(command, cwd=tmp_path, input=debugger_input, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    if page.name != "README.md":
        assert set(OUTPUT_COMMENT.findall(program.read_text("utf-8"))) <= set(done.stdout.splitlines())


README = PAGES[0].read_text("utf-8")
SHOWN = re.compile(r"\(PyTorch ([\d.]+), CPython ([\d.]+)\).*?\n```py\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.slow
def test_readme_shows_the_current_output(tmp_path):
    """The output must be the same except for CPython's patch version, on the versions that the README names."""
    of_torch, of_python, text = SHOWN.search(README).groups()
    if not torch.__version__.startswith(f"{of_torch}.") or not platform.python_version().startswith(f"{of_python}."):
        pytest.skip(f"the README shows what torch {of_torch} gives on CPython {of_python}")
    toy = [sys.executable, str(ROOT / "examples" / "toy.py"), "--backend", "eager", "--dump", str(tmp_path)]
    subprocess.run(toy, check=True, capture_output=True, timeout=300)
    written = (tmp_path / "__transformed_code_0_for_toy_example.py").read_text("utf-8")
    assert written == re.sub(rf"(?<=CPython ){of_python}\.\d+", platform.python_version(), text)


@pytest.mark.slow
def test_readme_shows_the_current_answer_of_a_miss(tmp_path):
    """The README shortens the answer at "…"."""
    program, asked = (block for block in BLOCK.findall(README) if "toy_example" in block and "stages" not in block)
    (question,) = (line for line in asked.splitlines() if line.startswith("depyf.which_entry("))
    answer = "\n".join(line[2:] for line in asked.splitlines() if line.startswith("# ")).removesuffix("…")
    script = tmp_path / "toy.py"
    script.write_text(f"{program}\nprint({question})\n", "utf-8")
    command, debugger_input = [sys.executable, str(script)], "continue\n" * 50
    done = subprocess.run(
        command, cwd=tmp_path, input=debugger_input, capture_output=True, text=True, timeout=300, check=True
    )
    assert answer.startswith("no entry: ") and answer in done.stdout


def test_commands_that_pages_name_exist():
    from depyf.cli.app import _parser

    commands = next(a for a in _parser()._actions if a.dest == "command").choices
    named = {
        m[1]
        for page in PAGES
        for m in re.finditer(r"`?\bdepyf ([a-z]+) [a-zA-Z.]", page.read_text("utf-8"))
        if m[0].startswith("`")
    }
    assert named and named <= set(commands)


COMMANDS = [
    line
    for page in PAGES
    for block in re.findall(r"^```(?:sh|console)?\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
    if line.startswith("depyf ")
]


def test_commands_in_blocks_of_pages_are_accepted():
    from depyf.cli.app import _options

    assert len(COMMANDS) >= 10
    for line in COMMANDS:
        _, *words = shlex.split(line, comments=True)
        assert _options(words).command == words[0]


@pytest.mark.slow
def test_decode_loop_example_prints_the_documented_figures():
    quick = ["--backend", "eager", "--layers", "2", "--rounds", "3"]
    command = [sys.executable, str(ROOT / "examples" / "decode.py"), *quick]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^4 entries, .*: (\d{3}), \1, \1, \1$", done.stdout, re.MULTILINE), done.stdout
    assert "[0/1] because [0/0] cache: size was (2, 2, 16, 16), now (2, 2, 32, 16)" in done.stdout
    assert re.search(r"torch\.compile: +[\d.]+ us\n.*dispatcher: +[\d.]+ us, the same results\n", done.stdout)
