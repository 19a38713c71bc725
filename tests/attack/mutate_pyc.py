# SPDX-License-Identifier: MIT
"""Passes mutated .pyc files of 3.8-3.15 to depyfc: it must not crash, and need at most 5 s and 1 GB per file.

    python tests/attack/mutate_pyc.py --count 6250 --seed 1

A file may be refused, decompiled, or decompiled except for some code objects. It must not end the process by a signal,
exceed that CPU time or memory, or cause an internal error. depyfc gets the files in batches; a batch with a fault is
halved until the file is found. Each such file is copied to --keep.
"""

from __future__ import annotations

import argparse
import collections
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import interpreters  # noqa: E402

SECONDS = 5
BYTES = 1 << 30
BATCH = 100
# Code that is dense in loops, `with` and `try` statements.
SOURCES = (
    "async/statements", "except/breaks_in_handlers", "conditions/chained_comparisons",
    "except/exits_of_named_handlers", "comprehensions/comprehensions", "except/except_star", "finally/nested",
    "finally/returns", "loops/exits", "loops/with_handlers", "match/statements", "except/named_handlers",
    "except/nested_handlers", "loops/abrupt_nestings", "values/parallel_targets", "except/try_except",
    "finally/try_finally", "with/empty", "finally/yields_in_finally",
)  # fmt: skip
MODES = ((), ("--skip", "structure"))  # normally, and with the fallback only


@dataclass
class Report:
    """The results of the files of a version."""

    files: int = 0
    refusals: int = 0
    bad: list[tuple[Path, str]] = field(default_factory=list)
    messages: collections.Counter[str] = field(default_factory=collections.Counter)


def run(depyfc: str, mode: tuple[str, ...], batch: list[Path]) -> tuple[int, float, int, str]:
    """Returns exit status, CPU seconds, bytes of memory and messages of a process that gets some files."""

    def limits() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS + 1 + len(batch), SECONDS + 2 + len(batch)))
        resource.setrlimit(resource.RLIMIT_AS, (2 * BYTES, 2 * BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    listing = "".join(f"{path}\t{path.with_suffix('.py')}\n" for path in batch)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as given:
        given.write(listing.encode())
        given.seek(0)
        command = [depyfc, *mode, "--list", "-"]
        child = subprocess.Popen(command, stdin=given, stdout=subprocess.DEVNULL, stderr=out, preexec_fn=limits)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read().decode("utf-8", "replace")
    return child.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, text


def fault(status: int, seconds: float, memory: int, text: str) -> str:
    """Returns a description of the fault of a run, or ""."""
    if status < 0 or status > 2:
        return f"ended with status {status}"
    if seconds > SECONDS:
        return f"took {seconds:.1f} s"
    if memory > BYTES or "wanted more memory" in text:
        return f"took {memory >> 20} MB"
    if "internal error" in text:
        return "internal error: " + next(line for line in text.splitlines() if "internal error" in line)
    return ""


def examine(depyfc: str, mode: tuple[str, ...], batch: list[Path], report: Report) -> None:
    """Runs files together, and halves of them if there is a fault."""
    todo = [batch]
    while todo:
        now = todo.pop()
        outcome = run(depyfc, mode, now)
        wrong = fault(*outcome)
        if wrong and len(now) > 1:
            half = len(now) // 2
            todo += [now[half:], now[:half]]
        elif wrong:
            report.bad.append((now[0], f"{' '.join(mode)} {wrong}".strip()))
        else:
            for line in outcome[3].splitlines():
                message = line.split(".pyc: ", 1)[-1]
                report.refusals += 1
                report.messages[re.sub(r"[0-9]+", "N", message)[:90]] += 1


def batches(folder: Path, command: list[str], count: int, seed: str, sources: list[str]) -> Iterator[list[Path]]:
    """Makes the files and yields them in batches."""
    maker = str(Path(__file__).with_name("make_mutants.py"))
    for first in range(0, count, BATCH):
        here = folder / str(first)
        here.mkdir(parents=True)
        size = min(BATCH, count - first)
        subprocess.run([*command, maker, str(here), str(first), str(size), seed, *sources], check=True)
        yield sorted(here.glob("*.pyc"))


def attack(version: str, depyfc: str, count: int, seed: str, keep: Path | None = None) -> Report:
    """Makes `count` mutants of a version and decompiles them."""
    command = interpreters.find(version)
    if command is None:
        raise LookupError(f"no CPython {version}")
    sources = [str(ROOT / "tests" / "exact" / "cases" / f"{name}.py") for name in SOURCES]
    report = Report()
    with tempfile.TemporaryDirectory(prefix=f"depyf-mutants-{version}-") as folder:
        for batch in batches(Path(folder), command, count, seed, sources):
            for mode in MODES:
                examine(depyfc, mode, batch, report)
            report.files += len(batch)
            for path, _ in report.bad:
                if keep is not None and path.exists():
                    keep.mkdir(parents=True, exist_ok=True)
                    shutil.copy(path, keep / f"{version}-{seed}-{path.name}")
            shutil.rmtree(batch[0].parent)
    return report


def main() -> int:
    """Attacks versions and prints the faults; returns exit status 1 if there are any."""
    parser = argparse.ArgumentParser(description="Passes mutated .pyc files to depyfc.")
    parser.add_argument("--count", type=int, default=500, help="number of files per version (500)")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--versions", default=",".join(interpreters.VERSIONS))
    parser.add_argument("--depyfc", default=str(Path(sys.executable).with_name("depyfc")))
    parser.add_argument("--keep", type=Path, help="folder for copies of the files with faults")
    parser.add_argument("--messages", action="store_true", help="print why files were refused, with counts")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    bad = 0
    with ThreadPoolExecutor(arguments.jobs) as pool:

        def attack_version(version: str) -> tuple[str, Report, float]:
            start = time.monotonic()
            done = attack(version, arguments.depyfc, arguments.count, arguments.seed, arguments.keep)
            return version, done, time.monotonic() - start

        for version, report, seconds in pool.map(attack_version, arguments.versions.split(",")):
            print(
                f"{version}: {report.files} files, {len(MODES) * report.files} runs,"
                f" {report.refusals} files and code objects refused, {len(report.bad)} bad, {seconds:.0f} s",
                flush=True,
            )
            for path, wrong in report.bad:
                print(f"  {path.name}: {wrong}")
            if arguments.messages:
                for message, times in report.messages.most_common(25):
                    print(f"  {times:6} {message}")
            bad += len(report.bad)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
