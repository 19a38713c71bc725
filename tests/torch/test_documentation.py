# SPDX-License-Identifier: MIT
"""Every python block of the documentation runs, page by page, and so does every one of the README."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "site").glob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
WITH_BLOCKS = [page for page in PAGES if BLOCK.search(page.read_text("utf-8"))]


def test_there_are_pages():
    assert len(PAGES) >= 7 and len(WITH_BLOCKS) >= 4


@pytest.mark.parametrize("page", WITH_BLOCKS, ids=lambda p: p.stem)
def test_the_blocks_of_a_page_run(page, tmp_path):
    text = page.read_text("utf-8")
    # each line stands where it does on the page, so that a traceback names it
    lines = [""] * (text.count("\n") + 1)
    for block in BLOCK.finditer(text):
        first = text.count("\n", 0, block.start(1))
        for number, line in enumerate(block[1].split("\n")[:-1], first):
            lines[number] = line
    program = tmp_path / f"{page.stem}.py"
    program.write_text("\n".join(lines), "utf-8")
    go_on = "continue\n" * 50  # wherever a page pauses in the debugger
    command = [sys.executable, str(program)]
    done = subprocess.run(command, cwd=tmp_path, input=go_on, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


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


def test_the_decode_loop_prints_its_figures_and_keeps_its_results():
    quick = ["--backend", "eager", "--layers", "2", "--rounds", "3"]
    command = [sys.executable, str(ROOT / "examples" / "decode.py"), *quick]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^4 entries, .*: (\d{3}), \1, \1, \1$", done.stdout, re.MULTILINE), done.stdout
    assert "[0/1] because [0/0] cache: size was (2, 2, 16, 16), now (2, 2, 32, 16)" in done.stdout
    assert re.search(r"torch\.compile: +[\d.]+ us\n.*dispatcher: +[\d.]+ us, the same results\n", done.stdout)
