# SPDX-License-Identifier: MIT
"""Compares the verdicts of verify() with the oracle's, for every code object of many pairs of compiled programs.

For each version the pairs are: files of the standard library and themselves, their unparsed text (3.9+), the same
program with random line numbers, and random semantic mutants; and the pairs of the oracle's self-test. The interpreter
of that version compiles them and runs the oracle; the native judge (verify_pairs.cpp) reads the .pyc files. The exit
status is 1 if one verdict differs.
"""

from __future__ import annotations

import argparse
import ast
import collections
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import roundtrip  # noqa: E402

# Programs on other lines (only line numbers make a difference), and similar programs that differ.
LAID_OUT = [
    ("x = a and b or c", "x = (a and\n b or\n c)"),
    ("x = a or b and c or d", "x = (a or\n b and\n c or\n d)"),
    ("x = (a or b) and (c or d)", "x = ((a or\n b)\n and (c\n or d))"),
    ("x = a and b or c", "x = (a and (b or c))"),
    ("x = (a and b) and c", "x = (a and\n b\n and c)"),
    ("if (a and b or c) and d: x", "if ((a\n and b\n or c)\n and d): x"),
    ("x = not (a and b or c)", "x = not (a\n and b\n or c)"),
    ("def f(a, b, c):\n a, b, c = c, a, b", "def f(a, b, c):\n (a,\n b,\n c) = (c,\n a,\n b)"),
    ("def f(a, b, c):\n a, a, c = c, a, b", "def f(a, b, c):\n (a,\n a,\n c) = (c,\n a,\n b)"),
    ("def f(a, b, c):\n a, b, c = c, a, b", "def f(a, b, c):\n a, b, c = c, b, a"),
    ("async def f(a):\n async for x in a: y(x)", "async def f(a):\n async for x in a:\n  y(\n   x\n  )"),
    ("async def f(a):\n async for x in a: y(x)", "async def f(a):\n async for x in a: y(x); z"),
    ("for a in b:\n try: c()\n finally: d()", "for a in b:\n try:\n  c()\n  continue\n finally:\n  d()"),
    ("with a as b, c: d()", "with a as b:\n with c:\n  d()"),
]

KINDS = ("pair", "unparsed", "relined", "mutant")


def written_pairs() -> list[tuple[bytes, bytes]]:
    """Returns these pairs and those of tests/oracle/selftest_pairs.py, read from its text (an import would run it)."""
    tree = ast.parse((ROOT / "tests" / "oracle" / "selftest_pairs.py").read_text())
    lists = [n.value for n in tree.body if isinstance(n, ast.Assign) and isinstance(n.value, ast.List)]
    pairs = [pair for pairs_list in lists for pair in ast.literal_eval(pairs_list)] + LAID_OUT
    return [(a.encode(), b.encode()) for a, b in pairs]


class Agreement:
    """One version: its worker, the judge, and the counts."""

    def __init__(self, version: str, judge: str, folder: Path) -> None:
        self.version = version
        self.worker = roundtrip.worker(roundtrip.interpreter(version))
        self.judge = roundtrip.Judge([judge])
        self.folder = folder
        self.codes: collections.Counter[str] = collections.Counter()
        self.exact: collections.Counter[str] = collections.Counter()
        self.same_place: collections.Counter[str] = collections.Counter()
        self.pairs: collections.Counter[str] = collections.Counter()
        self.disagreements: list[str] = []

    def ask(self, kind: str, where: str, *texts: bytes, **arguments: Any) -> bool:
        """Compares the verdicts on one pair; returns whether the interpreter could make it."""
        answer, blob = self.worker.ask(kind, *texts, **arguments)
        if not answer["ok"]:
            return False
        paths = [self.folder / "a.pyc", self.folder / "b.pyc"]
        paths[0].write_bytes(blob[: answer["split"]])
        paths[1].write_bytes(blob[answer["split"] :])
        ours = self.judge.ask(paths[0], paths[1])
        kind = "hand-made" if where == "hand-made" else kind
        self.pairs[kind] += 1
        if "error" in ours or len(ours["items"]) != len(answer["items"]):
            message = ours.get("error") or f"{len(ours['items'])} code objects; the oracle has {len(answer['items'])}"
            self.disagree(kind, where, message, paths)
            return True
        for theirs, (equal, offset, name, reason) in zip(answer["items"], ours["items"], strict=True):
            self.codes[kind] += 1
            self.exact[kind] += equal
            self.same_place[kind] += not equal and offset == theirs["offset"]
            if equal != theirs["ok"]:
                oracle_verdict = (
                    f"{theirs['path']}: oracle {theirs['kind'] or 'ok'} {theirs['detail']} at {theirs['offset']}"
                )
                self.disagree(kind, where, f"{oracle_verdict}; verify {reason or 'exact'} ({name})", paths)
        return True

    def disagree(self, kind: str, where: str, message: str, paths: list[Path]) -> None:
        """Records a disagreement, and keeps the files of the first few."""
        number = len(self.disagreements)
        if number < 5:
            for path in paths:
                path.with_name(f"{self.version}-{number}-{path.name}").write_bytes(path.read_bytes())
        self.disagreements.append(f"{self.version} {kind} {where}: {message}")

    def run(self, files: list[Path], mutants: int, seed: int) -> None:
        """Compares all pairs of this version."""
        rnd = random.Random(seed)
        for first, second in written_pairs():
            self.ask("pair", "hand-made", first, second)
        for path in files:
            source = path.read_bytes()
            if self.ask("pair", str(path), source, source):
                if self.version != "3.8":
                    self.ask("unparsed", str(path), source)
                self.ask("relined", str(path), source, seed=rnd.randrange(1 << 30))
        succeeded = tried = 0
        while succeeded < mutants and tried < 10 * mutants:
            tried += 1
            path = rnd.choice(files)
            succeeded += self.ask("mutant", str(path), path.read_bytes(), seed=rnd.randrange(1 << 30))
        self.worker.close()
        self.judge.close()

    def lines(self) -> Iterator[str]:
        """Yields the figures as lines."""
        for kind in ("hand-made", *KINDS):
            if self.pairs[kind]:
                different = self.codes[kind] - self.exact[kind]
                yield (
                    f"{self.version:5} {kind:10} pairs {self.pairs[kind]:5}  code objects {self.codes[kind]:7}  "
                    f"exact {self.exact[kind]:7}  different {different:5} (same offset {self.same_place[kind]:5})"
                )
        yield f"{self.version:5} disagreements {len(self.disagreements)}"


def compare(version: str, judge: str, folder: Path, group: str, sample: int, mutants: int, seed: int) -> Agreement:
    """Compares one version."""
    agreement = Agreement(version, judge, folder)
    agreement.run(roundtrip.corpus(version, group, sample, seed, folder), mutants, seed)
    return agreement


def main() -> int:
    """Parses the command line, compares, and returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--python", default="all", metavar="X.Y", help="versions, separated by commas, or all")
    parser.add_argument("--sample", type=int, default=10, metavar="N", help="number of files per version (10)")
    parser.add_argument("--mutants", type=int, default=50, metavar="N", help="number of mutants per version (50)")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--group", choices=("lib", "test"), default="lib")
    parser.add_argument("--judge", metavar="PATH")
    parser.add_argument("--keep", metavar="DIR", help="keep pairs that disagree in this folder")
    options = parser.parse_args()
    judge = roundtrip.find_judge(options.judge)
    bad = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(options.keep or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for version in roundtrip.versions(options.python):
            agreement = compare(version, judge, folder, options.group, options.sample, options.mutants, options.seed)
            print("\n".join(agreement.lines()), flush=True)
            for line in agreement.disagreements[:8]:
                print("   ", line[:400])
            bad += len(agreement.disagreements)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
