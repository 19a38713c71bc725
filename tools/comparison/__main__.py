# SPDX-License-Identifier: MIT
"""`python -m tools.comparison`: makes the table of docs/site/coming-from.md; takes each step and checks each answer.

Works in a folder (`--folder`) with one program (program.py) and one Inductor cache. A command with which several
questions start is run once and counted each time. tlparse must be on the path. The exit status is 1 if an answer was
not found.
"""

from __future__ import annotations

import argparse
import html
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from tools.comparison.questions import QUESTIONS, Question, Way

TOOLS = ("depyf", "tlparse", "TORCH_LOGS")
_BUDGET = """import depyf, torch
with depyf.expect(breaks=0):
    import program
    program.step(torch.rand(8, 16))
"""


class Workplace:
    """A folder in which commands run and files are opened; keeps the output of each command."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._output_of: dict[str, str] = {}
        folder.mkdir(parents=True, exist_ok=True)
        program = Path(__file__).with_name("program.py")
        shutil.copy(program, folder / "program.py")
        (folder / "budget.py").write_text(_BUDGET)
        lines = program.read_text("utf-8").splitlines()
        self.values = {"sin": str(next(n for n, line in enumerate(lines, 1) if ".sin()" in line))}

    def output_after(self, step: str, before: str) -> str:
        """Takes a step and returns what is then visible; a step by hand changes nothing."""
        kind, _, rest = step.partition(" ")
        if kind == "$":
            return self._run(rest)
        if kind == "open":
            return self._open(rest)
        return before

    def _run(self, command: str) -> str:
        if command not in self._output_of:
            path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
            environ = {**os.environ, "PATH": path, "TORCHINDUCTOR_CACHE_DIR": str(self.folder / "inductor")}
            begin = time.monotonic()
            shell = {"shell": True, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
            done = subprocess.run(command, cwd=self.folder, env=environ, check=False, **shell)  # type: ignore[call-overload]
            print(f"comparison: {time.monotonic() - begin:6.1f} s  {command}", file=sys.stderr, flush=True)
            self._output_of[command] = str(done.stdout)
        return self._output_of[command]

    def _open(self, pattern: str) -> str:
        files = sorted(path for path in self.folder.glob(pattern) if path.is_file())
        if not files:
            return ""
        text = files[0].read_text("utf-8", "replace")
        # Readers see a page without its markup. The report is one file whose existence is the answer: `<html` is kept.
        shown = re.sub(r"<(?!html)[^>]*>", "", text) if files[0].suffix == ".html" else text
        return html.unescape(shown)

    def answer(self, way: Way) -> bool:
        """Takes the steps; returns whether the output of the last one contains the answer."""
        shown = ""
        for step in way.steps:
            shown = self.output_after(step.format(**self.values), shown)
        return re.search(way.answer.replace("{sin}", self.values["sin"]), shown) is not None


def cell(way: Way, found: bool, values: dict[str, str]) -> str:
    """Returns a cell of the table."""
    if not way.steps:
        return f"– ({way.note.format(**values)})"
    by_hand = sum(step.startswith("do ") for step in way.steps)
    return f"{len(way.steps)}{f', {by_hand} by hand' if by_hand else ''}" if found else "– (not found)"


def row(place: Workplace, question: Question) -> tuple[str, list[str]]:
    """Returns a row of the table, and the tools whose answer was not found."""
    ways = (question.depyf, question.tlparse, question.logs)
    found = [not way.steps or place.answer(way) for way in ways]
    place.values["tlparse_files"] = str(sum(path.is_file() for path in place.folder.glob("out/**/*")))
    cells = [cell(way, is_found, place.values) for way, is_found in zip(ways, found, strict=True)]
    missing = [tool for tool, is_found in zip(TOOLS, found, strict=True) if not is_found]
    return f"| {question.text} | {' | '.join(cells)} |", missing


def main() -> int:
    """Prints the table, then the steps."""
    parser = argparse.ArgumentParser(prog="python -m tools.comparison", description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("build/comparison"), help="working folder")
    parser.add_argument("--only", default="", metavar="REGEX", help="only questions that match")
    options = parser.parse_args()
    place = Workplace(options.folder.resolve())
    missed = []
    print(f"| question | {' | '.join(TOOLS)} |\n| --- | --- | --- | --- |", flush=True)
    chosen = [question for question in QUESTIONS if re.search(options.only, question.text)]
    for question in chosen:
        line, missing = row(place, question)
        print(line, flush=True)
        missed += [f"{question.text}: {tool}" for tool in missing]
    for question in chosen:
        print(f"\n**{question.text}**\n")
        for tool, way in zip(TOOLS, (question.depyf, question.tlparse, question.logs), strict=True):
            steps = "; ".join(f"`{s.removeprefix('$ ').format(**place.values)}`" for s in way.steps)
            print(f"- {tool}: {steps or 'no answer'}")
    for description in missed:
        print(f"comparison: no answer found for {description}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
