# SPDX-License-Identifier: MIT
"""Runs every check and test of the project, and ends with one line: ``N passed, N failed``.

``./dev test`` starts this inside .venv, after the build. A check counts as one; of ctest and pytest each test counts. A
step that cannot run counts as one failure, so that a missing tool never gives a green run. Nothing is installed here.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REPORTS = ROOT / ".cache" / "reports"
CPP_FOLDERS = ("include", "src", "cli", "bindings", "fuzz", "bench", "tests/cpp")
PYTHON_PATHS = ("python", "tools", "tests", "examples", "bench")
JOBS = os.environ.get("DEPYF_JOBS", "2")
PARTS = 3  # into which the slow tests and the models are divided; a run does one of them


@dataclass(frozen=True)
class Outcome:
    """The numbers of tests of a step that passed, failed and were skipped, in total and for each reason."""

    passed: int
    failed: int
    skipped: int = 0
    reasons: Counter[str] = field(default_factory=Counter)


def run(command: list[str], limit: float, quiet: bool = False) -> int:
    """Runs a command in the root and returns its exit status, 124 after a timeout; `quiet`: prints only if it fails."""
    stdout = subprocess.PIPE if quiet else None
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            timeout=limit,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.STDOUT if quiet else None,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        sys.stdout.buffer.write((error.output or b"")[-20000:])
        print(f"took longer than {limit:.0f} s: {' '.join(command)}", flush=True)
        return 124
    except OSError as error:
        print(f"{command[0]}: {error}", flush=True)
        return 127
    if quiet and done.returncode != 0:
        sys.stdout.buffer.write(done.stdout[-20000:])
        sys.stdout.flush()
    return done.returncode


def check(command: list[str], limit: float = 600) -> Outcome:
    """Runs a check, which passes with exit status 0."""
    return Outcome(1, 0) if run(command, limit, quiet=True) == 0 else Outcome(0, 1)


def tool(name: str) -> str:
    """Returns the path of a tool in .venv, or on the path."""
    in_venv = Path(sys.executable).with_name(name)
    return str(in_venv) if in_venv.exists() else (shutil.which(name) or name)


def cpp_files() -> list[str]:
    """Returns the C++ files whose layout is checked; generated tables are not."""
    found = (p for folder in CPP_FOLDERS for p in sorted((ROOT / folder).rglob("*")))
    return [str(p.relative_to(ROOT)) for p in found if p.suffix in {".h", ".cpp"}]


def python_paths() -> list[str]:
    """Returns the folders with Python files of the project."""
    return [p for p in PYTHON_PATHS if any((ROOT / p).rglob("*.py"))]


def junit(path: Path) -> Outcome | None:
    """Sums up a JUnit file; returns None if there is none."""
    try:
        suites = list(ElementTree.parse(path).getroot().iter("testsuite"))
    except (OSError, ElementTree.ParseError):
        return None

    def total(attribute: str) -> int:
        return sum(int(suite.get(attribute) or 0) for suite in suites)

    failed = total("failures") + total("errors")
    skipped = total("skipped") + total("disabled")
    reasons = Counter(str(test.get("message")) for suite in suites for test in suite.iter("skipped"))
    return Outcome(total("tests") - failed - skipped, failed, skipped, reasons)


def run_counted(command: list[str], report: Path, limit: float) -> Outcome:
    """Runs a test runner that writes a JUnit file; a bad exit status without a failed test counts as one failure."""
    report.unlink(missing_ok=True)
    status = run(command, limit)
    outcome = junit(report)
    if outcome is None:
        return Outcome(0, 1)
    if status != 0 and outcome.failed == 0:
        print(f"exit status {status}: {' '.join(command)}", flush=True)
        return Outcome(outcome.passed, 1, outcome.skipped)
    return outcome


def build_cpp() -> bool:
    """Builds the developer preset (warnings are errors, with assertions); returns whether that succeeded."""
    configure = [tool("cmake"), "--preset", "dev"]
    if os.environ.get("CI"):  # writing debug information takes more than half of the compiler's time
        configure.append("-DCMAKE_CXX_FLAGS_DEBUG=")
    if run(configure, 300, quiet=True) != 0:
        return False
    return (
        run([tool("cmake"), "--build", "--preset", "dev", "--parallel", JOBS, "--", "-k", "20"], 3000, quiet=True) == 0
    )


def test_cpp() -> Outcome:
    """Runs the C++ tests, which also replay the fuzz targets' regression files; a failed build is one failure."""
    if not build_cpp():
        return Outcome(0, 1)
    report = REPORTS / "ctest.xml"
    options = ["--test-dir", "build/dev", "--output-on-failure", "--parallel", JOBS, "--output-junit", str(report)]
    return run_counted([tool("ctest"), *options, "--no-tests=error"], report, 1800)


FUZZ_SECONDS = 60  # per target
FUZZ_TARGETS = ("fuzz_decompile", "fuzz_read_pyc")


def fuzz_targets() -> Outcome:
    """Builds the fuzz targets with clang's sanitizers, and runs each on the regression files and then for a minute."""
    build = [tool("cmake"), "--build", "--preset", "fuzz", "--parallel", JOBS, "--target", *FUZZ_TARGETS]
    if run([tool("cmake"), "--preset", "fuzz"], 300, quiet=True) != 0 or run(build, 1500, quiet=True) != 0:
        return Outcome(0, len(FUZZ_TARGETS))
    corpus = ROOT / "build" / "fuzz" / "corpus"
    corpus.mkdir(exist_ok=True)
    limits = [f"-max_total_time={FUZZ_SECONDS}", "-timeout=20", "-rss_limit_mb=4096", f"-artifact_prefix={REPORTS}/"]
    failed = 0
    for target in FUZZ_TARGETS:
        command = [str(ROOT / "build" / "fuzz" / "fuzz" / target), *limits, str(corpus), "tests/regress"]
        failed += run(command, FUZZ_SECONDS + 240, quiet=True) != 0
    return Outcome(len(FUZZ_TARGETS) - failed, failed)


def pytest(name: str, paths: list[str], options: list[str]) -> Outcome:
    """Runs pytest on some of the tests."""
    report = REPORTS / f"{name}.xml"
    command = [sys.executable, "-m", "pytest", "-q", f"--junitxml={report}", *options, *paths]
    return run_counted(command, report, 3000)


def hash_of_commit() -> int:
    """Returns the hash of the commit as a number: a clone without history has it, too. Without a repository, 0."""
    command = ["git", "rev-parse", "HEAD"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return int(done.stdout, 16) if done.returncode == 0 else 0


def part_of_commit() -> int:
    """Returns the part (from 1) of the slow tests that a run does: it changes from commit to commit."""
    return hash_of_commit() % PARTS + 1


def python_tests(quick: bool) -> Outcome:
    """Runs all Python tests except those of PyTorch, in parallel."""
    options = ["-m", "not slow and not torch" if quick else "not torch", "-n", JOBS, "--dist", "worksteal"]
    if (ROOT / "tests" / "torch").is_dir():
        options.append("--ignore=tests/torch")
    return pytest("python", ["tests"], options)


def torch_tests(quick: bool, whole: bool) -> Outcome:
    """Runs the tests that need PyTorch, in parallel, with a quarter of the catalogue or less unless `whole`."""
    os.environ["DEPYF_EVERY_OF_MANY"] = "1" if whole else "12" if quick else "4"
    os.environ["DEPYF_EVERY_FROM"] = str(hash_of_commit() % 1000)
    return pytest("torch", ["tests/torch"], ["-m", "not slow" if quick else "", "-n", JOBS, "--dist", "worksteal"])


def zoo(part: int | None) -> Outcome:
    """Runs a tenth of the models under depyf, or a part of that, in four scenarios each, with ./dev's libraries."""
    every, offset = (10, 5) if part is None else (10 * PARTS, 5 + 10 * (part - 1))
    report = REPORTS / "zoo.xml"
    libraries = f"PYTHONPATH={Path(sys.executable).parent.parent / 'zoo'}"
    options = ["--every", str(every), "--offset", str(offset)]
    options += ["--no-times", "--fresh", "--jobs", JOBS, "--junit", str(report)]
    command = ["env", libraries, sys.executable, "-W", "ignore", "-m", "tools.zoo", "--quiet", *options]
    return run_counted([*command, "--json", str(REPORTS / "zoo.json")], report, 1200)


def roundtrip(quick: bool) -> Outcome:
    """Decompiles, recompiles and compares a fixed sample of each version."""
    return check([sys.executable, "tools/roundtrip.py", "--sample", *(["--quick"] if quick else [])], 2400)


def lint_steps() -> Iterator[tuple[str, Callable[[], Outcome]]]:
    """Yields the checks that execute no code of the package."""
    yield "layers", lambda: check([sys.executable, "tools/check_layers.py"])
    yield "imports", lambda: check([sys.executable, "tools/check_imports.py"])
    contracts = ["env", "PYTHONPATH=python", tool("lint-imports"), "--no-cache"]
    yield "layers of the package", lambda: check(contracts)
    yield "words", lambda: check([sys.executable, "tools/check_words.py"])
    yield "ruff", lambda: check([tool("ruff"), "check", "--quiet", *python_paths()])
    yield "ruff format", lambda: check([tool("ruff"), "format", "--check", "--quiet", *python_paths()])
    yield "mypy", lambda: check([tool("mypy"), "--no-error-summary"])
    yield "documentation", lambda: check([tool("mkdocs"), "build", "--strict", "--quiet"])
    layout = ["--dry-run", "--Werror", "--ferror-limit=1"]
    yield "clang-format", lambda: check([tool("clang-format"), *layout, *cpp_files()])


def steps(quick: bool, fuzz: bool, part: int | None) -> Iterator[tuple[str, Callable[[], Outcome]]]:
    """Yields all steps, cheapest first; `part` of the slow tests, or all if it is None."""
    yield from lint_steps()
    yield "C++ tests", test_cpp
    if fuzz:
        yield "fuzz targets", fuzz_targets
    yield "Python tests", lambda: python_tests(quick)
    if (ROOT / "tests" / "torch").is_dir():
        yield "PyTorch tests", lambda: torch_tests(quick, part is None)
        if not quick:
            yield "zoo", lambda: zoo(part)
    if (ROOT / "tools" / "roundtrip.py").exists():
        yield "round trip", lambda: roundtrip(quick)


def format_files() -> int:
    """Formats all files with clang-format and ruff."""
    status = run([tool("clang-format"), "-i", *cpp_files()], 300)
    status |= run([tool("ruff"), "check", "--quiet", "--fix-only", *python_paths()], 300)
    return status | run([tool("ruff"), "format", "--quiet", *python_paths()], 300)


def main() -> int:
    """Runs the steps; returns exit status 1 if anything failed."""
    parser = argparse.ArgumentParser(description="Runs every check and test of the project.")
    parser.add_argument("--quick", action="store_true", help="skip slow tests")
    parser.add_argument("--fuzz", action="store_true", help="also build the fuzz targets with clang, and run each")
    parser.add_argument("--whole", action="store_true", help="all slow tests and all programs of the catalogue")
    parser.add_argument(
        "--part", type=int, choices=range(1, PARTS + 1), help="which part of the slow tests (the commit decides)"
    )
    parser.add_argument("--lint", action="store_true", help="only the checks")
    parser.add_argument("--format", action="store_true", help="format the files instead of checking them")
    arguments = parser.parse_args()
    if arguments.format:
        return format_files()
    REPORTS.mkdir(parents=True, exist_ok=True)
    part = None if arguments.whole else arguments.part or part_of_commit()
    if part is not None and not arguments.quick and not arguments.lint:
        print(f"part {part} of {PARTS} of the slow tests and the models (--part {part}; --whole runs all)", flush=True)
        os.environ["DEPYF_SLOW_PART"] = f"{part}/{PARTS}"
    results: list[tuple[str, Outcome, float]] = []
    for name, step in lint_steps() if arguments.lint else steps(arguments.quick, arguments.fuzz, part):
        print(f"== {name}", flush=True)
        start = time.monotonic()
        results.append((name, step(), time.monotonic() - start))
    print("\n== summary")
    for name, outcome, seconds in results:
        count = f"{outcome.passed} of {outcome.passed + outcome.failed} passed"
        skipped = f", {outcome.skipped} skipped" if outcome.skipped else ""
        print(f"{'FAIL' if outcome.failed else 'ok  '} {name:14} {count}{skipped}, {seconds:.0f} s")
    for reason, count_of_reason in sum((outcome.reasons for _, outcome, _ in results), Counter()).most_common():
        print(f"skipped {count_of_reason}: {reason}")
    failed = sum(outcome.failed for _, outcome, _ in results)
    print(f"\n{sum(outcome.passed for _, outcome, _ in results)} passed, {failed} failed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
