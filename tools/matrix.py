# SPDX-License-Identifier: MIT
"""`./dev matrix`: runs a fixed slice of the PyTorch tests on each minor release of torch from 2.6 on.

Each release has one row, on the newest CPython that its torch.compile supports (the first and the last release also
have one on the oldest). For each row an environment is made, the tests run one file at a time, and the environment is
deleted: it takes 1.5 GB, without NVIDIA's packages (tools/slim_torch.py). The package is built once per CPython. The
results of each test file are written to docs/torch-releases.json as soon as they are known, with a digest of the
sources that were tested, so that a run may be stopped and continued at any time: `--resume` skips files that passed
with the current sources, `--measured` skips all files that have results.

`--vllm` runs vLLM's own modules that use depyf; its wheel requires one release of torch (2.14 in vLLM 0.33).

Prints the table and writes it to docs/torch-releases.md, with the names of failed tests and the reasons of skipped
ones. The exit status is 1 if a test failed or a selected row has no results, and 2 for bad input. A test file that
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
    """A minor release of torch (pip installs its latest patch release) and a CPython."""

    torch: str
    python: str

    def __str__(self) -> str:
        return f"torch {self.torch}, CPython {self.python}"


# Newest first. torch.compile supports CPython 3.13 from torch 2.6 and 3.14 from 2.10; 2.15 has no wheels for 3.10.
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
# A release before the first supported one: programs must run unchanged, and depyf must report what is lost.
TOO_OLD = (Row("2.5", "3.11"),)


@dataclass(frozen=True)
class Part:
    """A test file of the slice; every n-th parametrization of each test runs, starting with the first."""

    path: str
    every: int = 1
    too_old: bool = False  # also runs on releases that are not supported


# A row takes about five minutes on a machine with two cores: slow tests are sampled more sparsely, but each kind of
# question keeps a case. The strides let backends and modes alternate ("[eager-inference]", "[inductor-training]" …).
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
# vLLM's own modules, extracted from its wheel, on the release of torch that the wheel requires.
VLLM = Part("tests/torch/vllm_modules.py")
VLLM_MODULES = ("monitor", "wrapper", "counter")
_TOOLS = ("debugpy>=1.8", "dill>=0.3.8", "numpy", "pydantic>=2.7", "pytest>=8", "pytest-xdist>=3.5", "setuptools")
_PACKAGE = ("CMakeLists.txt", "cmake", "pyproject.toml", "include", "src", "bindings", "cli", "python")
_CORE = ("CMakeLists.txt", "cmake", "include", "src", "cli")
_TESTS = ("tests/torch", "examples", "tools/zoo")


@dataclass
class FileResults:
    """The results of one test file on one row."""

    passed: int = 0
    seconds: float = 0.0
    failed: list[str] = field(default_factory=list)  # names of tests, or what happened to the whole file
    skipped: list[str] = field(default_factory=list)  # reasons
    sources: str = ""

    @property
    def good(self) -> bool:
        """Returns whether at least one test ran and none failed."""
        return not self.failed and self.passed + len(self.skipped) > 0


@dataclass
class RowResults:
    """The results of one row."""

    torch: str = ""  # as installed: "2.13.0+cpu"
    python: str = ""
    missing: str = ""  # why there is no environment
    vllm: str = ""  # the release of vLLM whose modules ran as well
    lost: list[str] = field(default_factory=list)  # parts of torch that depyf does not find in this release
    files: dict[str, FileResults] = field(default_factory=dict)


def load() -> dict[Row, RowResults]:
    """Returns the stored results."""
    if not DATA.exists():
        return {}
    rows = {}
    for name, row in json.loads(DATA.read_text("utf-8")).items():
        row["files"] = {path: FileResults(**results) for path, results in row["files"].items()}
        rows[Row(*name.split(" "))] = RowResults(**row)
    return rows


def save(row: Row, measured: RowResults) -> None:
    """Stores the results of a row, keeping what other runs have stored about other rows in the meantime."""
    rows = {**load(), row: measured}
    ordered = {f"{row.torch} {row.python}": asdict(rows[row]) for row in (*ROWS, *TOO_OLD) if row in rows}
    fresh = DATA.with_suffix(".new")
    fresh.write_text(json.dumps(ordered, indent=1) + "\n", "utf-8")
    fresh.replace(DATA)


def fingerprint(parts: tuple[str, ...]) -> str:
    """Returns a digest of the files below these paths that git tracks or would add."""
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
    """A row has no environment; the message is the reason, in one line."""


def step(command: list[str], env: dict[str, str] | None = None) -> str:
    """Runs a command in the root and returns its output; raises NoEnvironment with its last line if it fails."""
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = [line for line in (done.stderr or done.stdout).strip().splitlines() if line.strip()] or ["no output"]
        raise NoEnvironment(f"{' '.join(command[1:4])} … failed: {lines[-1].strip()}")
    return done.stdout


def wheel(python: Path, version: str, package: str) -> Path:
    """Returns the package built for this CPython from the current sources; one build serves all releases of torch.

    From CPython 3.12 on, all use one wheel (of the stable ABI). The core is compiled once, for the first of them.
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
    """Makes a fresh environment with torch and the package, yields its Python, and deletes it at the end."""
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
                    f"torch {row.torch}: {(error.stderr or 'no output').strip().splitlines()[-1]}"
                ) from error
        step([*pip, *_TOOLS])
        step([*pip, "--no-deps", str(built)])
        yield python
    finally:
        if not options.keep_environments:
            shutil.rmtree(folder, ignore_errors=True)


# depyf looks up parts of torch when it uses them: which are missing is known only after a compilation.
_ABOUT = """
import json, platform, tempfile, depyf, torch
from depyf.torch.internals import names
with tempfile.TemporaryDirectory() as folder, depyf.prepare_debug(folder):
    torch.compile(lambda x: x + 1, backend="aot_eager")(torch.ones(2, requires_grad=True)).sum().backward()
lost = sorted(names.missing().values())
print(json.dumps({"torch": torch.__version__, "python": platform.python_version(), "lost": lost}))
"""


def about(python: Path) -> dict[str, Any]:
    """Returns the installed releases, and which parts of torch depyf does not find."""
    facts: dict[str, Any] = json.loads(step([str(python), "-W", "ignore", "-c", _ABOUT]).strip().splitlines()[-1])
    return facts


def read_results(report: Path) -> FileResults:
    """Reads the JUnit file that pytest wrote."""
    results = FileResults()
    for case in ET.parse(report).iter("testcase"):
        name = f"{case.get('classname', '').split('.')[-1]}::{case.get('name', '')}"
        kinds = {child.tag: child for child in case}
        if "failure" in kinds or "error" in kinds:
            message = (kinds["failure" if "failure" in kinds else "error"].get("message") or "").strip()
            results.failed.append(f"{name}: {message.splitlines()[0][:160] if message else 'no message'}")
        elif "skipped" in kinds:
            results.skipped.append((kinds["skipped"].get("message") or "no reason").strip())
        else:
            results.passed += 1
    return results


def vllm_modules(python: Path) -> str:
    """Extracts vLLM's modules that use depyf from its newest wheel into a folder; returns the release of vLLM."""
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


def run_file(python: Path, part: Part, options: argparse.Namespace) -> FileResults:
    """Runs one test file in one environment."""
    report = python.parent.parent / f"{Path(part.path).stem}.xml"
    command = [str(python), "-m", "pytest", "-q", "--tb=short", f"--junitxml={report}", part.path]
    if options.jobs != "1":
        command[4:4] = ["-n", options.jobs, "--dist", "worksteal"]
    started, end = time.monotonic(), ""
    try:
        environ = {**os.environ, "DEPYF_EVERY": str(part.every), "DEPYF_VLLM": str(FOLDER / "vllm")}
        done = subprocess.run(command, cwd=ROOT, env=environ, check=False, timeout=options.limit)
        # Exit statuses of pytest: 0 all passed, 1 some failed, 5 none collected.
        end = "" if done.returncode in (0, 1) else f"pytest ended with {done.returncode}"
    except subprocess.TimeoutExpired:
        end = f"took longer than {options.limit} s"
    results = FileResults()
    try:
        results = read_results(report)
    except (OSError, ET.ParseError):
        end = end or "no results were written"
    if end:
        results.failed.append(f"{Path(part.path).name}: {end}")
    results.seconds = round(time.monotonic() - started, 1)
    return results


def parts_of(row: Row, vllm: bool = False) -> list[Part]:
    """Returns the test files that run on a row."""
    return [VLLM] if vllm else [part for part in SLICE if part.too_old or row not in TOO_OLD]


def run_row(row: Row, rows: dict[Row, RowResults], options: argparse.Namespace) -> None:
    """Runs the selected test files of a row, storing each file's results as they come."""
    sources = fingerprint((*_PACKAGE, *_TESTS))
    known = rows.get(row, RowResults())
    before = known.files

    def wanted(part: Part) -> bool:
        results = before.get(part.path)
        if results is None or not (options.resume or options.measured):
            return True
        return not options.measured and not (results.good and results.sources == sources)

    parts = [part for part in parts_of(row, options.vllm) if re.search(options.files, part.path) and wanted(part)]
    if not parts:
        print("   nothing to measure", flush=True)
        return
    try:
        with environment(row, fingerprint(_PACKAGE), options) as python:
            facts: dict[str, Any] = about(python)
            kept = {part.path: before[part.path] for part in (*parts_of(row), VLLM) if part.path in before}
            rows[row] = RowResults(**facts, vllm=known.vllm, files=kept)
            if options.vllm:
                rows[row].vllm = vllm_modules(python)
            for i, part in enumerate(parts, start=1):
                print(f"-- {row}: {part.path} ({i} of {len(parts)})", flush=True)
                results = run_file(python, part, options)
                results.sources = sources
                rows[row].files[part.path] = results
                save(row, rows[row])
    except NoEnvironment as error:
        print(f"   {error}", flush=True)
        rows[row] = RowResults(missing=str(error), files=before)
        save(row, rows[row])


def line(row: Row, measured: RowResults | None, sources: str) -> list[str]:
    """Returns the cells of a row of the table."""
    if measured is None or not measured.files:
        return [row.torch, row.python, "", "", "", "", f"not run{': ' + measured.missing if measured else ''}"]
    files = measured.files
    done = [part for part in parts_of(row) if part.path in files]
    note = [f"{len(done)} of {len(parts_of(row))} files"] if len(done) < len(parts_of(row)) else []
    digests = {results.sources for results in files.values()}
    note.append(f"sources {', '.join(sorted(d[:7] for d in digests))}" if digests != {sources} else "these sources")
    if measured.vllm:
        note.append(f"with modules of vLLM {measured.vllm}")
    if row in TOO_OLD:
        note.append("not supported: that nothing breaks")
    return [
        measured.torch,
        measured.python,
        str(sum(results.passed for results in files.values())),
        str(sum(len(results.failed) for results in files.values())),
        str(sum(len(results.skipped) for results in files.values())),
        f"{sum(results.seconds for results in files.values()) / 60:.1f}",
        "; ".join(note),
    ]


def notes(row: Row, measured: RowResults) -> list[str]:
    """Returns what failed on a row, what was skipped and why, and what depyf does not find in this torch."""
    failed = [name for results in measured.files.values() for name in results.failed]
    skipped = Counter(reason for results in measured.files.values() for reason in results.skipped)
    found = [f"- Failed: `{name}`" for name in failed]
    found += [f"- Not in this torch: {name}" for name in measured.lost]
    return found + [f"- Skipped, {count} times: {reason}" for reason, count in skipped.most_common()]


def table(rows: dict[Row, RowResults], only: tuple[Row, ...]) -> list[str]:
    """Returns the table in Markdown, with aligned columns so that it is readable in a terminal, too."""
    sources = fingerprint((*_PACKAGE, *_TESTS))
    cells = [["torch", "CPython", "passed", "failed", "skipped", "minutes", "measured"]]
    cells += [line(row, rows.get(row), sources) for row in only]
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    cells.insert(1, ["-" * width for width in widths])
    return [f"| {' | '.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))} |" for row in cells]


def page(rows: dict[Row, RowResults]) -> str:
    """Returns the text of docs/torch-releases.md."""
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
        if row in rows and (bullets := notes(row, rows[row])):
            text += [
                "",
                f"## torch {rows[row].torch or row.torch}, CPython {rows[row].python or row.python}",
                "",
                *bullets,
            ]
    return "\n".join(text) + "\n"


def main() -> int:
    """Runs the selected rows."""
    parser = argparse.ArgumentParser(
        prog="./dev matrix", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", metavar="REGEX", help='only rows that match, such as "2.13 3.14"')
    parser.add_argument("--files", default="", metavar="REGEX", help="only test files that match")
    parser.add_argument("--resume", action="store_true", help="skip files that passed with the current sources")
    parser.add_argument("--measured", action="store_true", help="skip files that have results, of any sources")
    parser.add_argument("--table", action="store_true", help="run nothing: print and write the stored results")
    parser.add_argument("--vllm", action="store_true", help="run vLLM's own modules instead, from its newest wheel")
    parser.add_argument("--full", action="store_true", help="torch with NVIDIA's packages, as pip installs it (5 GB)")
    parser.add_argument("--keep-environments", action="store_true", help="keep them in build/matrix")
    parser.add_argument("--limit", type=int, default=1200, metavar="SECONDS", help="time for one test file (1200)")
    parser.add_argument("--jobs", default=os.environ.get("DEPYF_JOBS", "2"), help="parallel tests ($DEPYF_JOBS or 2)")
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
    failures = [f"{row}: {note[2:]}" for row in only if row in rows for note in notes(row, rows[row])]
    print("", *table(rows, only), *failures, sep="\n", flush=True)
    results = [rows.get(row, RowResults()).files.values() for row in only]
    good = all(files and all(file.good for file in files) for files in results)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
