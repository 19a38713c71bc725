# SPDX-License-Identifier: MIT
"""`./dev matrix`: PyTorch's tests on other releases of torch and other Pythons, each in an environment of its own.

One test file at a time, its output shown as it comes; then a table of what passed, failed and was skipped, with the
reasons. The environments stay in build/matrix, several GB each, and with them what each file gave: `--resume` leaves
out the files that already passed with the very sources that lie here. Says plainly what it could not cover; exit 1 when
something failed or could not be covered. A file that wrote no results counts as failed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tools import interpreters

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "matrix"
# The release that is developed against, the newest on each Python that it supports, and the oldest that is promised.
PAIRS = (
    ("3.11", "torch==2.13.0"),
    ("3.11", "torch==2.15.0"),
    ("3.13", "torch==2.15.0"),
    ("3.14", "torch==2.15.0"),
    ("3.11", "torch==2.6.0"),
)
_TOOLS = (
    "debugpy>=1.8",
    "dill",
    "numpy",
    "pydantic>=2.7",
    "pytest>=8",
    "pytest-xdist>=3.5",
    "scikit-build-core>=0.10",
    "nanobind>=2.4",
    "cmake>=3.26",
    "ninja>=1.11",
)
_PACKAGE = ("CMakeLists.txt", "cmake", "pyproject.toml", "README.md", "LICENSE", "include", "src", "bindings", "python")
_OF_TESTS = ("tests", "examples", "tools")


@dataclass
class Given:
    """What one test file gave in one environment."""

    passed: int = 0
    seconds: float = 0.0
    failed: list[str] = field(default_factory=list)  # names of tests, or what became of the whole file
    skipped: list[str] = field(default_factory=list)  # reasons
    sources: str = ""

    @property
    def good(self) -> bool:
        """Whether something ran and nothing failed."""
        return not self.failed and self.passed + len(self.skipped) > 0


def fingerprint(parts: tuple[str, ...]) -> str:
    """A digest of the files that git knows, or would take, below these paths."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *parts],
        cwd=ROOT, capture_output=True, check=True,
    )  # fmt: skip
    digest = hashlib.sha256()
    for name in sorted(set(listed.stdout.split(b"\0")) - {b""}):
        path = ROOT / os.fsdecode(name)
        digest.update(name + b"\0" + (path.read_bytes() if path.is_file() else b"") + b"\0")
    return digest.hexdigest()


def environment(version: str, torch: str, package: str) -> Path | str:
    """The Python of an environment with torch and the package (of this fingerprint) in it, or why there is none."""
    command = interpreters.find(version)
    if command is None:
        return f"no CPython {version} here"
    folder = FOLDER / f"{version}-{torch.replace('==', '-')}"
    python, stamp = folder / "bin" / "python", folder / "depyf-built"
    if python.exists() and stamp.exists() and stamp.read_text() == f"{torch} {package}":
        return python
    steps: list[list[str]] = []
    if not python.exists():
        steps.append([*command, "-m", "venv", str(folder)])
    pip = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    steps += [[*pip, torch, *_TOOLS], [*pip, "--no-deps", "--no-build-isolation", "--force-reinstall", str(ROOT)]]
    # cmake and ninja as they lie in this environment
    path = {**os.environ, "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"}
    for step in steps:
        print(f"   {' '.join(step[1:5])} …", flush=True)
        done = subprocess.run(step, cwd=ROOT, env=path, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            said = (done.stderr or done.stdout).strip().splitlines() or ["no word"]
            return f"{' '.join(step[:4])} … failed: {said[-1]}"
    stamp.write_text(f"{torch} {package}")
    return python


def read_results(report: Path) -> Given:
    """What pytest wrote of its tests."""
    given = Given()
    for case in ET.parse(report).iter("testcase"):
        name = f"{case.get('classname', '').split('.')[-1]}::{case.get('name', '')}"
        kinds = {child.tag: child for child in case}
        if "failure" in kinds or "error" in kinds:
            said = (kinds["failure" if "failure" in kinds else "error"].get("message") or "").strip()
            given.failed.append(f"{name}: {said.splitlines()[0][:160] if said else 'no word'}")
        elif "skipped" in kinds:
            given.skipped.append((kinds["skipped"].get("message") or "no reason").strip())
        else:
            given.passed += 1
    return given


def run_file(python: Path, test: Path, options: argparse.Namespace) -> Given:
    """One test file in one environment."""
    report = python.parent.parent / "results" / f"{test.stem}.xml"
    report.parent.mkdir(exist_ok=True)
    report.unlink(missing_ok=True)
    command = [str(python), "-m", "pytest", "-q", "--tb=short", f"--junitxml={report}", str(test)]
    if options.jobs != "1":
        command[4:4] = ["-n", options.jobs, "--dist", "worksteal"]
    started, end = time.monotonic(), ""
    try:
        done = subprocess.run(command, cwd=ROOT, check=False, timeout=options.limit)
        # pytest's own words: 0 all passed, 1 some failed, 5 none collected
        end = "" if done.returncode in (0, 1) else f"pytest ended with {done.returncode}"
    except subprocess.TimeoutExpired:
        end = f"took longer than {options.limit} s"
    given = Given()
    try:
        given = read_results(report)
    except (OSError, ET.ParseError):
        end = end or "no results were written"
    if end:
        given.failed.append(f"{test.name}: {end}")
    given.seconds = round(time.monotonic() - started, 1)
    return given


def run_pair(version: str, torch: str, options: argparse.Namespace, package: str) -> dict[str, Given] | str:
    """All test files in the environment of one pair, or why they could not run there."""
    python = environment(version, torch, package)
    if isinstance(python, str):
        return python
    kept = python.parent.parent / "results.json"
    before: dict[str, Given] = {}
    if options.resume and kept.exists():
        before = {name: Given(**given) for name, given in json.loads(kept.read_text()).items()}
    sources = fingerprint((*_PACKAGE, *_OF_TESTS))
    found: dict[str, Given] = {}
    for i, test in enumerate(options.files, start=1):
        name = str(test.relative_to(ROOT))
        print(f"-- CPython {version}, {torch}: {name} ({i} of {len(options.files)})", flush=True)
        earlier = before.get(name)
        if earlier is not None and earlier.good and earlier.sources == sources:
            print(f"   as before: {earlier.passed} passed, {len(earlier.skipped)} skipped", flush=True)
            found[name] = earlier
            continue
        found[name] = run_file(python, test, options)
        found[name].sources = sources
        kept.write_text(json.dumps({k: asdict(v) for k, v in {**before, **found}.items()}, indent=1))
    return found


def table(results: dict[tuple[str, str], dict[str, Given] | str]) -> tuple[str, bool]:
    """The table of all environments, what failed and why tests were skipped; and whether all is well."""
    lines = [f"{'CPython':8} {'torch':16} {'passed':>7} {'failed':>7} {'skipped':>8} {'minutes':>8}"]
    notes: list[str] = []
    good = True
    for (version, torch), given in results.items():
        if isinstance(given, str):
            lines.append(f"{version:8} {torch:16} not covered: {given}")
            good = False
            continue
        failed = [name for one in given.values() for name in one.failed]
        skipped = Counter(reason for one in given.values() for reason in one.skipped)
        minutes = sum(one.seconds for one in given.values()) / 60
        lines.append(
            f"{version:8} {torch:16} {sum(one.passed for one in given.values()):7} {len(failed):7} "
            f"{skipped.total():8} {minutes:8.1f}"
        )
        notes += [f"failed   {version} {torch}: {name}" for name in failed]
        notes += [f"skipped  {version} {torch}: {count} x {reason}" for reason, count in skipped.most_common()]
        good &= bool(given) and all(one.good for one in given.values())
    return "\n".join([*lines, *([""] if notes else []), *notes]), good


def test_files(paths: list[str]) -> list[Path]:
    """The test files at or below these paths."""
    found: list[Path] = []
    for path in (Path(p).resolve() for p in paths):
        found += sorted(path.rglob("test_*.py")) if path.is_dir() else [path]
    return found


def main() -> int:
    """Runs the pairs."""
    parser = argparse.ArgumentParser(prog="./dev matrix", description=__doc__)
    parser.add_argument("--only", default="", metavar="REGEX", help='pairs such as "3.13 torch==2.15.0" that match')
    parser.add_argument("--resume", action="store_true", help="leave out files that passed with these very sources")
    parser.add_argument("--limit", type=int, default=3600, metavar="SECONDS", help="for one test file (3600)")
    parser.add_argument("--jobs", default=os.environ.get("DEPYF_JOBS", "2"))
    parser.add_argument("tests", nargs="*", default=["tests/torch"], help="files or folders (default: tests/torch)")
    options = parser.parse_args()
    pairs = [(v, t) for v, t in PAIRS if re.search(options.only, f"{v} {t}")]
    options.files = test_files(options.tests)
    if not pairs or not options.files or not all(file.is_file() for file in options.files):
        print(f"matrix: no pair matches {options.only!r}" if not pairs else "matrix: no such tests", file=sys.stderr)
        return 2
    package = fingerprint(_PACKAGE)
    results: dict[tuple[str, str], dict[str, Given] | str] = {}
    for version, torch in pairs:
        print(f"== CPython {version}, {torch}", flush=True)
        results[version, torch] = run_pair(version, torch, options, package)
    text, good = table(results)
    print(f"\n{text}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
