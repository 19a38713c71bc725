# SPDX-License-Identifier: MIT
"""`./dev matrix`: a fixed slice of the PyTorch tests on each minor release of torch from 2.6 on.

One row for each release, on the newest CPython whose frames its torch.compile takes (and the oldest, for the first and
the last release). A row's environment is made, its tests run one file at a time, and the environment is deleted: 1.5 GB
each, without NVIDIA's packages (tools/slim_torch.py). The package is built once for each CPython. What a file gave is
kept in docs/torch-releases.json as soon as it is known, with a digest of the sources it was measured with, so that a
run may be ended and gone on with at any time: `--resume` leaves out what passed with the very sources that lie here,
`--measured` whatever was measured at all.

`--vllm` runs vLLM's own modules that use depyf; its wheel asks for one release of torch (2.14 in vLLM 0.33).

Prints the table and writes it to docs/torch-releases.md, with the names of failed tests and the reasons of skipped
ones. Exit status 1 when something failed, or a row that was asked for has no results; 2 for bad input. A file that
wrote no results counts as failed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tools import interpreters, slim_torch

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "matrix"
DATA = ROOT / "docs" / "torch-releases.json"
PAGE = ROOT / "docs" / "torch-releases.md"


@dataclass(frozen=True)
class Row:
    """A minor release of torch (pip takes its newest patch) and a CPython."""

    torch: str
    python: str

    def __str__(self) -> str:
        return f"torch {self.torch}, CPython {self.python}"


# Newest first. torch.compile takes CPython 3.13 from torch 2.6 on and 3.14 from 2.10 on; 2.15 has no wheels for 3.10.
ROWS = (
    Row("2.15", "3.14"),
    Row("2.15", "3.11"),
    Row("2.14", "3.14"),
    Row("2.13", "3.14"),
    Row("2.13", "3.11"),
    Row("2.12", "3.14"),
    Row("2.11", "3.14"),
    Row("2.10", "3.14"),
    Row("2.9", "3.13"),
    Row("2.8", "3.13"),
    Row("2.7", "3.13"),
    Row("2.6", "3.13"),
    Row("2.6", "3.10"),
)
# A release before the first that is supported: the program runs unchanged, and what is lost is said.
TOO_OLD = (Row("2.5", "3.11"),)


@dataclass(frozen=True)
class Part:
    """A test file of the slice; of each test's parameters every n-th, from the first on."""

    path: str
    every: int = 1
    too_old: bool = False  # runs on releases that are not supported as well


# A row takes about five minutes of a machine with two cores: what is slow is sampled harder, and each kind of question
# keeps a case. The numbers let backends and modes alternate ("[eager-inference]" and "[inductor-training]" of six).
SLICE = (
    Part("tests/torch/test_releases.py", every=5, too_old=True),
    Part("tests/torch/test_frame_status.py", every=4),  # status in training and after a reset, limits, failures
    Part("tests/torch/test_dump.py", every=8),
    Part("tests/torch/test_full_code.py", every=90),
    Part("tests/torch/test_guard_agreement.py", every=2),
    Part("tests/torch/test_catalogue.py", every=80),
    Part("tests/torch/test_reset.py"),
    Part("tests/torch/test_debug.py", every=3),
    Part("tests/torch/test_values.py"),
    Part("tests/torch/test_vllm.py", every=3),
    Part("tests/torch/test_drop_in.py"),
)
# vLLM's own modules, taken out of its wheel, on the release of torch that its wheel asks for.
VLLM = Part("tests/torch/vllm_modules.py")
VLLM_MODULES = ("monitor", "wrapper", "counter")
_TOOLS = ("debugpy>=1.8", "dill>=0.3.8", "numpy", "pydantic>=2.7", "pytest>=8", "pytest-xdist>=3.5", "setuptools")
_PACKAGE = ("CMakeLists.txt", "cmake", "pyproject.toml", "include", "src", "bindings", "cli", "python")
_CORE = ("CMakeLists.txt", "cmake", "include", "src", "cli")
_TESTS = ("tests/torch", "examples", "tools/zoo")


@dataclass
class Given:
    """What one test file gave on one row."""

    passed: int = 0
    seconds: float = 0.0
    failed: list[str] = field(default_factory=list)  # names of tests, or what became of the whole file
    skipped: list[str] = field(default_factory=list)  # reasons
    sources: str = ""

    @property
    def good(self) -> bool:
        """Whether something ran and nothing failed."""
        return not self.failed and self.passed + len(self.skipped) > 0


@dataclass
class Measured:
    """What is known of one row."""

    torch: str = ""  # as installed: "2.13.0+cpu"
    python: str = ""
    missing: str = ""  # why there is no environment
    vllm: str = ""  # the release of vLLM whose modules ran as well
    lost: list[str] = field(default_factory=list)  # parts of torch that depyf does without here
    files: dict[str, Given] = field(default_factory=dict)


def load() -> dict[Row, Measured]:
    """What was measured before."""
    if not DATA.exists():
        return {}
    rows = {}
    for name, row in json.loads(DATA.read_text("utf-8")).items():
        row["files"] = {path: Given(**given) for path, given in row["files"].items()}
        rows[Row(*name.split(" "))] = Measured(**row)
    return rows


def save(row: Row, measured: Measured) -> None:
    """Keeps what is known of a row, beside what other runs have kept of other rows in the meantime."""
    rows = {**load(), row: measured}
    ordered = {f"{row.torch} {row.python}": asdict(rows[row]) for row in (*ROWS, *TOO_OLD) if row in rows}
    fresh = DATA.with_suffix(".new")
    fresh.write_text(json.dumps(ordered, indent=1) + "\n", "utf-8")
    fresh.replace(DATA)


def fingerprint(parts: tuple[str, ...]) -> str:
    """A digest of the files that git knows, or would take, below these paths."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *parts],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    digest = hashlib.sha256()
    for name in sorted(set(listed.stdout.split(b"\0")) - {b""}):
        path = ROOT / os.fsdecode(name)
        digest.update(name + b"\0" + (path.read_bytes() if path.is_file() else b"") + b"\0")
    return digest.hexdigest()[:16]


class NoEnvironment(Exception):
    """Why a row has no environment, in one line."""


def step(command: list[str], env: dict[str, str] | None = None) -> str:
    """Runs a command in the root and gives its output; NoEnvironment with its last line when it fails."""
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = [line for line in (done.stderr or done.stdout).strip().splitlines() if line.strip()] or ["no word"]
        raise NoEnvironment(f"{' '.join(command[1:4])} … failed: {said[-1].strip()}")
    return done.stdout


def wheel(python: Path, version: str, package: str) -> Path:
    """The package built for this CPython, from these sources: made once for all releases of torch.

    From CPython 3.12 on all take one wheel (of the stable ABI). The core is compiled once, for the first of them.
    """
    kind = version if int(version.partition(".")[2]) < 12 else "abi3"
    folder, core = FOLDER / "wheels" / f"{kind}-{package}", FOLDER / f"core-{fingerprint(_CORE)}"
    if not (built := list(folder.glob("*.whl"))):
        print(f"   building the package for CPython {version}", flush=True)
        cores = [old for old in FOLDER.glob("core-*") if old != core]
        for stale in [*(FOLDER / "wheels").glob(f"{kind}-*"), *cores, FOLDER / "bindings"]:
            shutil.rmtree(stale, ignore_errors=True)
        settings = [f"--config-settings=build-dir={core}"]
        if (core / "cli" / "depyfc").exists():
            settings = [
                f"--config-settings=build-dir={FOLDER / 'bindings'}",
                f"--config-settings=cmake.define.DEPYF_PREBUILT={core}",
            ]
        pip = [str(python), "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder)]
        step([*pip, *settings, str(ROOT)])
        built = list(folder.glob("*.whl"))
    return built[0]


@contextmanager
def environment(row: Row, package: str, options: argparse.Namespace) -> Iterator[Path]:
    """The Python of a fresh environment with torch and the package in it, which goes when the block ends."""
    command = interpreters.find(row.python)
    if command is None:
        raise NoEnvironment(f"no CPython {row.python} here (./dev interpreters --install)")
    folder = FOLDER / f"{row.torch}-{row.python}"
    shutil.rmtree(folder, ignore_errors=True)
    python = folder / "bin" / "python"
    try:
        step([*command, "-m", "venv", str(folder)])
        built = wheel(python, row.python, package)
        print(f"   installing torch {row.torch}", flush=True)
        pip = [
            str(python),
            "-m",
            "pip",
            "install",
            "-q",
            "--no-cache-dir",
            "--no-compile",
            "--disable-pip-version-check",
        ]
        if options.full:
            step([*pip, f"torch=={row.torch}.*"])
        else:
            try:
                slim_torch.install(pip, python, f"torch=={row.torch}.*")
            except subprocess.CalledProcessError as error:
                raise NoEnvironment(
                    f"torch {row.torch}: {(error.stderr or 'no word').strip().splitlines()[-1]}"
                ) from error
        step([*pip, *_TOOLS])
        step([*pip, "--no-deps", str(built)])
        yield python
    finally:
        if not options.keep_environments:
            shutil.rmtree(folder, ignore_errors=True)


# Parts of torch are looked up when they are used: what is lost is known once something was compiled.
_ABOUT = """
import json, platform, tempfile, depyf, torch
from depyf.torch.internals import names
with tempfile.TemporaryDirectory() as folder, depyf.prepare_debug(folder):
    torch.compile(lambda x: x + 1, backend="aot_eager")(torch.ones(2, requires_grad=True)).sum().backward()
lost = sorted(names.missing().values())
print(json.dumps({"torch": torch.__version__, "python": platform.python_version(), "lost": lost}))
"""


def about(python: Path) -> dict[str, Any]:
    """The releases as installed, and which parts of torch depyf does not find there."""
    said: dict[str, Any] = json.loads(step([str(python), "-W", "ignore", "-c", _ABOUT]).strip().splitlines()[-1])
    return said


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


def vllm_modules(python: Path) -> str:
    """Puts vLLM's modules that use depyf into a folder, out of its newest wheel; the release of vLLM."""
    folder = FOLDER / "vllm"
    shutil.rmtree(folder, ignore_errors=True)
    pip = [str(python), "-m", "pip", "download", "-q", "--no-cache-dir", "--no-deps", "--only-binary", ":all:"]
    print("   fetching vLLM's wheel", flush=True)
    step([*pip, "-d", str(folder), "vllm"])
    (path,) = folder.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        for name in VLLM_MODULES:
            archive.extract(f"vllm/compilation/{name}.py", folder)
    path.unlink()
    return path.name.split("-")[1]


def run_file(python: Path, part: Part, options: argparse.Namespace) -> Given:
    """One test file in one environment."""
    report = python.parent.parent / f"{Path(part.path).stem}.xml"
    command = [str(python), "-m", "pytest", "-q", "--tb=short", f"--junitxml={report}", part.path]
    if options.jobs != "1":
        command[4:4] = ["-n", options.jobs, "--dist", "worksteal"]
    started, end = time.monotonic(), ""
    try:
        environ = {**os.environ, "DEPYF_EVERY": str(part.every), "DEPYF_VLLM": str(FOLDER / "vllm")}
        done = subprocess.run(command, cwd=ROOT, env=environ, check=False, timeout=options.limit)
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
        given.failed.append(f"{Path(part.path).name}: {end}")
    given.seconds = round(time.monotonic() - started, 1)
    return given


def parts_of(row: Row, vllm: bool = False) -> list[Part]:
    """What runs on a row."""
    return [VLLM] if vllm else [part for part in SLICE if part.too_old or row not in TOO_OLD]


def run_row(row: Row, rows: dict[Row, Measured], options: argparse.Namespace) -> None:
    """Measures what is to be measured of a row, keeping each file's results as they come."""
    sources = fingerprint((*_PACKAGE, *_TESTS))
    known = rows.get(row, Measured())
    before = known.files

    def wanted(part: Part) -> bool:
        given = before.get(part.path)
        if given is None or not (options.resume or options.measured):
            return True
        return not options.measured and not (given.good and given.sources == sources)

    parts = [part for part in parts_of(row, options.vllm) if re.search(options.files, part.path) and wanted(part)]
    if not parts:
        print("   nothing to measure", flush=True)
        return
    try:
        with environment(row, fingerprint(_PACKAGE), options) as python:
            facts: dict[str, Any] = about(python)
            kept = {part.path: before[part.path] for part in (*parts_of(row), VLLM) if part.path in before}
            rows[row] = Measured(**facts, vllm=known.vllm, files=kept)
            if options.vllm:
                rows[row].vllm = vllm_modules(python)
            for i, part in enumerate(parts, start=1):
                print(f"-- {row}: {part.path} ({i} of {len(parts)})", flush=True)
                given = run_file(python, part, options)
                given.sources = sources
                rows[row].files[part.path] = given
                save(row, rows[row])
    except NoEnvironment as error:
        print(f"   {error}", flush=True)
        rows[row] = Measured(missing=str(error), files=before)
        save(row, rows[row])


def line(row: Row, measured: Measured | None, sources: str) -> list[str]:
    """The cells of a row of the table."""
    if measured is None or not measured.files:
        return [row.torch, row.python, "", "", "", "", f"not run{': ' + measured.missing if measured else ''}"]
    files = measured.files
    done = [part for part in parts_of(row) if part.path in files]
    note = [f"{len(done)} of {len(parts_of(row))} files"] if len(done) < len(parts_of(row)) else []
    digests = {given.sources for given in files.values()}
    note.append(f"sources {', '.join(sorted(d[:7] for d in digests))}" if digests != {sources} else "these sources")
    if measured.vllm:
        note.append(f"with modules of vLLM {measured.vllm}")
    if row in TOO_OLD:
        note.append("not supported: that nothing breaks")
    return [
        measured.torch,
        measured.python,
        str(sum(given.passed for given in files.values())),
        str(sum(len(given.failed) for given in files.values())),
        str(sum(len(given.skipped) for given in files.values())),
        f"{sum(given.seconds for given in files.values()) / 60:.1f}",
        "; ".join(note),
    ]


def notes(row: Row, measured: Measured) -> list[str]:
    """What failed on a row, what was skipped and why, and what depyf does without."""
    failed = [name for given in measured.files.values() for name in given.failed]
    skipped = Counter(reason for given in measured.files.values() for reason in given.skipped)
    found = [f"- Failed: `{name}`" for name in failed]
    found += [f"- Not in this torch: {name}" for name in measured.lost]
    return found + [f"- Skipped, {count} times: {reason}" for reason, count in skipped.most_common()]


def table(rows: dict[Row, Measured], only: tuple[Row, ...]) -> list[str]:
    """The table in Markdown, its columns aligned so that it also reads in a terminal."""
    sources = fingerprint((*_PACKAGE, *_TESTS))
    cells = [["torch", "CPython", "passed", "failed", "skipped", "minutes", "measured"]]
    cells += [line(row, rows.get(row), sources) for row in only]
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    cells.insert(1, ["-" * width for width in widths])
    return [f"| {' | '.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))} |" for row in cells]


def page(rows: dict[Row, Measured]) -> str:
    """docs/torch-releases.md."""
    every = (*ROWS, *TOO_OLD)
    files = [f"- `{part.path}`" + (f", of each test's cases one in {part.every}" * (part.every > 1)) for part in SLICE]
    text = [
        "# Releases of PyTorch",
        "",
        "Made by `./dev matrix`, which runs this slice of the tests in a fresh environment for each row, on the CPU:",
        "",
        *files,
        "",
        "A row that says `sources …` was measured with other sources, and perhaps another slice, than those that this",
        "page was made with: its failures may be mended since. What follows the word begins a digest of the package's",
        "and the tests' files, which tells rows apart and is no commit.",
        "",
        *table(rows, every),
    ]
    for row in every:
        if row in rows and (said := notes(row, rows[row])):
            text += [
                "",
                f"## torch {rows[row].torch or row.torch}, CPython {rows[row].python or row.python}",
                "",
                *said,
            ]
    return "\n".join(text) + "\n"


def main() -> int:
    """Runs the rows that were asked for."""
    parser = argparse.ArgumentParser(
        prog="./dev matrix", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", metavar="REGEX", help='rows such as "2.13 3.14" that match')
    parser.add_argument("--files", default="", metavar="REGEX", help="test files of the slice that match")
    parser.add_argument("--resume", action="store_true", help="leave out files that passed with these very sources")
    parser.add_argument("--measured", action="store_true", help="leave out files that have results, of any sources")
    parser.add_argument("--table", action="store_true", help="run nothing: print and write what was measured")
    parser.add_argument("--vllm", action="store_true", help="run vLLM's own modules instead, from its newest wheel")
    parser.add_argument("--full", action="store_true", help="torch with NVIDIA's packages, as pip installs it (5 GB)")
    parser.add_argument("--keep-environments", action="store_true", help="leave them in build/matrix")
    parser.add_argument("--limit", type=int, default=1200, metavar="SECONDS", help="for one test file (1200)")
    parser.add_argument("--jobs", default=os.environ.get("DEPYF_JOBS", "2"), help="tests at a time ($DEPYF_JOBS, 2)")
    options = parser.parse_args()
    only = tuple(row for row in (*ROWS, *TOO_OLD) if re.search(options.only, f"{row.torch} {row.python}"))
    if not only or not any(re.search(options.files, part.path) for part in SLICE):
        print(f"matrix: nothing matches {options.files if only else options.only!r}", file=sys.stderr)
        return 2
    rows = load()
    for row in () if options.table else only:
        print(f"== {row}", flush=True)
        run_row(row, rows, options)
    rows = load()
    PAGE.write_text(page(rows), "utf-8")
    said = [f"{row}: {note[2:]}" for row in only if row in rows for note in notes(row, rows[row])]
    print("", *table(rows, only), *said, sep="\n", flush=True)
    given = [rows.get(row, Measured()).files.values() for row in only]
    good = all(files and all(file.good for file in files) for files in given)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
