# SPDX-License-Identifier: MIT
"""`./dev ratchet OLD NEW`: compares the texts of two builds of depyfc, and reports whether a verdict became worse.

Both tools decompile the same files of each version's library and of its tests. Texts that are equal, byte for byte,
need no verdict. Where they differ, both tools are asked for the verdict of each code object (a CPython of that version
recompiles the text), and each verdict that changed is printed. A text that does not compile ranks below any verdict.

The exit status is 1 if a verdict is lower than before. Use this for a refactoring of the core: build depyfc before it,
keep the file, and compare after each step. The compiled files are kept in build/ratchet/; --fresh compiles them again.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools import optimized, roundtrip

ROOT = Path(__file__).resolve().parent.parent
RANK = {"exact": 3, "proved": 2, "unproved": 1, "unchecked": 0}  # a line that is no verdict also ranks 0


@dataclass
class Count:
    """The totals of a comparison."""

    files: int = 0
    texts: int = 0  # number of texts that differ
    higher: int = 0  # number of code objects with a higher verdict
    lower: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(
            self.files + other.files, self.texts + other.texts, self.higher + other.higher, self.lower + other.lower
        )

    def __str__(self) -> str:
        return f"{self.files} files, {self.texts} texts differ; code objects: {self.higher} higher, {self.lower} lower"


def compiled(version: str, group: str, every: int, fresh: bool) -> dict[Path, str]:
    """Returns the .pyc files of every n-th file of a group, with their sources; compiles the group if necessary."""
    folder = ROOT / "build" / "ratchet" / f"{version}-{group}"
    names = folder / "sources.json"
    if fresh or not names.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as temporary:
            sources = [str(path) for path in roundtrip.corpus(version, group, 0, 0, Path(temporary))]
        compiler = [*roundtrip.interpreter(version), "-W", "ignore", "-c", optimized.COMPILER, str(folder)]
        subprocess.run(compiler, input=json.dumps(sources), text=True, check=True, capture_output=True)
        names.write_text(json.dumps(sources))
    sources = json.loads(names.read_text())
    found = {folder / f"{k}.pyc": source for k, source in enumerate(sources) if k % every == 0}
    return {pyc: source for pyc, source in found.items() if pyc.exists()}


def texts(tool: str, pycs: list[Path], folder: Path, jobs: int) -> list[Path]:
    """Decompiles the files and returns the paths of the texts; the file of a text that was not written is missing."""
    folder.mkdir()
    paths = [folder / f"{k}.py" for k in range(len(pycs))]
    lines = "".join(f"{pyc}\t{path}\n" for pyc, path in zip(pycs, paths, strict=True))
    command = [tool, "--list", "-", "-j", str(jobs)]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 2) or not any(path.exists() for path in paths):
        raise SystemExit(f"ratchet: {tool} ended with {done.returncode}: {done.stderr[-500:]}")
    return paths


def content(path: Path) -> bytes | None:
    """Returns the content of a file, or None if it does not exist."""
    return path.read_bytes() if path.exists() else None


def verdicts(tool: str, pyc: Path, command: list[str]) -> dict[tuple[str, int], str]:
    """Returns the verdict of each code object, by its name and the number of earlier code objects of that name."""
    arguments = [tool, "--verdict", "--python", shlex.join(command), str(pyc)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    found: dict[tuple[str, int], str] = {}
    for line in done.stderr.splitlines():
        kind, _, rest = line.removeprefix(f"{pyc}: ").partition(" ")
        name = rest.partition(" at bytecode offset ")[0].partition(": ")[0] if kind in RANK else ""
        found[name, sum(name == other for other, _ in found)] = f"{kind} {rest}" if kind in RANK else line
    return found


def changes(old: str, new: str, pyc: Path, command: list[str]) -> Iterator[tuple[int, str, str]]:
    """Yields, for each code object whose rank changed, the change of the rank and both verdicts."""
    before, after = verdicts(old, pyc, command), verdicts(new, pyc, command)
    for key in [*before, *(key for key in after if key not in before)]:
        first, second = before.get(key, f"no verdict {key[0]}"), after.get(key, f"no verdict {key[0]}")
        if rise := rank(second) - rank(first):
            yield rise, first, second


def rank(verdict: str) -> int:
    """Returns the rank of a verdict; higher is better."""
    return RANK.get(verdict.partition(" ")[0], 0)


def compare(options: argparse.Namespace, version: str, group: str) -> Count:
    """Compares one version's library or tests, and prints what changed."""
    pycs = compiled(version, group, options.every, options.fresh)
    count = Count(files=len(pycs))
    with tempfile.TemporaryDirectory(prefix="depyf-ratchet-") as name:
        old = texts(options.old, list(pycs), Path(name) / "old", options.jobs)
        new = texts(options.new, list(pycs), Path(name) / "new", options.jobs)
        differing = [pyc for pyc, a, b in zip(pycs, old, new, strict=True) if content(a) != content(b)]
    count.texts = len(differing)
    for pyc in differing:
        print(f"{version} {pycs[pyc]}  ({pyc.relative_to(ROOT)})", flush=True)
        for rise, first, second in changes(options.old, options.new, pyc, roundtrip.interpreter(version)):
            count.lower += rise < 0
            count.higher += rise > 0
            print(f"    {'LOWER ' if rise < 0 else 'higher'}: {first} -> {second}", flush=True)
    return count


def main() -> int:
    """Parses the command line, compares and returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", help="the depyfc to compare with")
    parser.add_argument("new", nargs="?", default=str(Path(sys.executable).with_name("depyfc")), help="the new depyfc")
    parser.add_argument("--python", default="all", metavar="X.Y", help="versions, separated by commas, or all")
    parser.add_argument("--group", default="lib,test", help="lib, test or both (lib,test)")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th file")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--fresh", action="store_true", help="compile the files again")
    options = parser.parse_args()
    total = Count()
    for version in roundtrip.versions(options.python):
        for group in options.group.split(","):
            count = compare(options, version, group)
            print(f"{version} {group}: {count}", flush=True)
            total += count
    print(f"all: {total}")
    if not total.files:
        raise SystemExit("ratchet: nothing was compared")
    return 1 if total.lower else 0


if __name__ == "__main__":
    sys.exit(main())
