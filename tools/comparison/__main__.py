# SPDX-License-Identifier: MIT
"""`python -m tools.comparison`: the table of docs/site/coming-from.md, with each step taken and each answer looked for.

Works in a folder (`--folder`) with one program (program.py) and one cache of Inductor. A command that several
questions begin with is run once and counted each time. tlparse must be on the path. Exit status 1 where an answer was
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
    """A folder in which commands run and files are opened; what each command printed is kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._said: dict[str, str] = {}
        folder.mkdir(parents=True, exist_ok=True)
        program = Path(__file__).with_name("program.py")
        shutil.copy(program, folder / "program.py")
        (folder / "budget.py").write_text(_BUDGET)
        lines = program.read_text("utf-8").splitlines()
        self.values = {"sin": str(next(n for n, line in enumerate(lines, 1) if ".sin()" in line))}

    def take(self, step: str, before: str) -> str:
        """What is seen after a step; a step by hand shows what was seen before it."""
        kind, _, rest = step.partition(" ")
        if kind == "$":
            return self._run(rest)
        if kind == "open":
            return self._open(rest)
        return before

    def _run(self, command: str) -> str:
        if command not in self._said:
            path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
            environ = {**os.environ, "PATH": path, "TORCHINDUCTOR_CACHE_DIR": str(self.folder / "inductor")}
            begin = time.monotonic()
            shell = {"shell": True, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
            done = subprocess.run(command, cwd=self.folder, env=environ, check=False, **shell)  # type: ignore[call-overload]
            print(f"comparison: {time.monotonic() - begin:6.1f} s  {command}", file=sys.stderr, flush=True)
            self._said[command] = str(done.stdout)
        return self._said[command]

    def _open(self, pattern: str) -> str:
        found = sorted(path for path in self.folder.glob(pattern) if path.is_file())
        if not found:
            return ""
        text = found[0].read_text("utf-8", "replace")
        # a page is looked at, not its markup; the report is one file, which is all that is asked of it
        seen = re.sub(r"<(?!html)[^>]*>", "", text) if found[0].suffix == ".html" else text
        return html.unescape(seen)

    def answer(self, way: Way) -> bool:
        """Takes the steps; whether the last thing seen has the answer."""
        seen = ""
        for step in way.steps:
            seen = self.take(step.format(**self.values), seen)
        return re.search(way.answer.replace("{sin}", self.values["sin"]), seen) is not None


def cell(way: Way, found: bool, values: dict[str, str]) -> str:
    """A cell of the table."""
    if not way.steps:
        return f"– ({way.note.format(**values)})"
    by_hand = sum(step.startswith("do ") for step in way.steps)
    return f"{len(way.steps)}{f', {by_hand} by hand' if by_hand else ''}" if found else "– (not found)"


def row(place: Workplace, question: Question) -> tuple[str, list[str]]:
    """A line of the table, and the tools whose answer was looked for in vain."""
    ways = (question.depyf, question.tlparse, question.logs)
    found = [not way.steps or place.answer(way) for way in ways]
    place.values["tlparse_files"] = str(sum(path.is_file() for path in place.folder.glob("out/**/*")))
    cells = [cell(way, yes, place.values) for way, yes in zip(ways, found, strict=True)]
    missing = [tool for tool, yes in zip(TOOLS, found, strict=True) if not yes]
    return f"| {question.text} | {' | '.join(cells)} |", missing


def main() -> int:
    """Prints the table, then the steps."""
    parser = argparse.ArgumentParser(prog="python -m tools.comparison", description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("build/comparison"), help="(build/comparison)")
    parser.add_argument("--only", default="", help="questions that match this pattern")
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
    for each in missed:
        print(f"comparison: no answer found for {each}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
