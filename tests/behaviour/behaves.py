# SPDX-License-Identifier: MIT
"""Runs CPython's own tests from decompiled text: they must have the same outcomes as from source.

For each version and each of its test modules, the module is run as it is; each source of the library that it loaded is
compiled to a .pyc file and decompiled by depyfc; then the module is run again with these texts in place of the sources
(served.py). The tests must have the same ids and the same outcomes.

With --package, the tests of packages (packages.txt) are run by pytest instead: see packages.py. With --imports, each
module of packages (imports.txt) is imported from its source and from its text, and must have the same names.

differences.txt lists the tests that differ because they depend on the source itself. A test that is listed and does not
differ is a failure, too.
"""

from __future__ import annotations

import argparse
import ast
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
sys.path.insert(0, str(HERE))
import interpreters  # noqa: E402
import packages  # noqa: E402

MODULES = tuple((HERE / "modules.txt").read_text().split())
LIMIT = 600.0  # seconds for one run of one module


def named_differences(version: str) -> dict[str, str]:
    """Returns the tests that differ in a version, with the reason.

    Lines: versions with commas or *, test id, reason.
    """
    reasons = {}
    for line in (HERE / "differences.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            versions, test, reason = line.split(None, 2)
            if versions == "*" or version in versions.split(","):
                reasons[test] = reason
    return reasons


@dataclass
class Comparison:
    """The results of one module under one version."""

    module: str
    tests: int = 0  # number of tests in the run from sources
    ok: int = 0  # number of those that passed
    served: int = 0  # number of modules that came from texts
    named: int = 0  # number of differences that differences.txt lists
    wrong: list[str] = field(default_factory=list)  # everything else that is wrong

    def compare(self, before: dict[str, str], after: dict[str, str], named: dict[str, str]) -> None:
        """Compares the outcomes from sources and from texts."""
        for test in sorted(before.keys() | after.keys()):
            differs = before.get(test) != after.get(test)
            if differs and test in named:
                self.named += 1
            elif differs:
                self.wrong.append(f"{test}: from source {before.get(test)}, from text {after.get(test)}")
            elif test in named:
                self.wrong.append(f"{test}: does not differ; remove it from differences.txt")


class Version:
    """One interpreter, and the texts of its library so far."""

    def __init__(self, version: str, command: list[str], depyfc: str, folder: Path) -> None:
        self.version = version
        self.command = command
        self.depyfc = depyfc
        self.folder = folder
        self.texts: dict[str, str] = {}  # path of the source -> path of the text
        self.named = named_differences(version)
        folder.mkdir(parents=True, exist_ok=True)

    def has(self, module: str) -> bool:
        """Returns whether the version has this test module."""
        code = f"import importlib.util, sys; sys.exit(importlib.util.find_spec('test.{module}') is None)"
        return subprocess.run([*self.command, "-c", code], check=False).returncode == 0

    def run(self, module: str, texts: dict[str, str] | None) -> dict[str, Any]:
        """Runs a module in an empty folder; returns what served.py writes, or {"died": reason}."""
        with tempfile.TemporaryDirectory(dir=self.folder) as scratch:
            job, out, log = (Path(scratch) / name for name in ("job", "out", "log"))
            job.write_text(repr({"module": "test." + module, "out": str(out), "texts": texts}))
            work = Path(scratch) / "work"
            work.mkdir()
            environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
            environment = dict(environ, PYTHONHASHSEED="0", PYTHONDONTWRITEBYTECODE="1")
            command = [*self.command, "-S", str(HERE / "served.py"), str(job)]
            with log.open("wb") as file:
                try:
                    status = subprocess.run(
                        command, cwd=work, env=environment, stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                        timeout=LIMIT, check=False,
                    ).returncode  # fmt: skip
                except subprocess.TimeoutExpired:
                    return {"died": f"took longer than {LIMIT:.0f} s"}
            if status != 0 or not out.exists():
                return {"died": f"status {status}: {log.read_text(errors='replace')[-1500:]}"}
            written: dict[str, Any] = ast.literal_eval(out.read_text())
            return written

    def decompile(self, sources: list[str]) -> None:
        """Makes the texts that do not exist yet, from .pyc files only."""
        new = [source for source in sources if source not in self.texts]
        stems = [str(self.folder / f"{len(self.texts) + i:04}") for i in range(len(new))]
        pairs = json.dumps([[source, stem + ".pyc"] for source, stem in zip(new, stems)])
        subprocess.run([*self.command, "-c", packages.COMPILE], input=pairs, text=True, check=True)
        pairs_of_texts = "".join(f"{stem}.pyc\t{stem}.py\n" for stem in stems)
        # depyfc prints what it could not decompile.
        subprocess.run([self.depyfc, "--list", "-"], input=pairs_of_texts, text=True, check=False)
        self.texts.update((source, stem + ".py") for source, stem in zip(new, stems) if Path(stem + ".py").exists())

    def compare(self, module: str, plain: dict[str, Any]) -> Comparison:
        """Runs a module from texts and compares the outcomes with those from sources."""
        comparison = Comparison(module)
        if "died" in plain:
            comparison.wrong.append(f"from sources: {plain['died']}")
            return comparison
        before = plain["outcomes"]
        comparison.tests = len(before)
        comparison.ok = sum(outcome == "ok" for outcome in before.values())
        if not comparison.ok:
            comparison.wrong.append(f"from sources: no test passes: {before}")
        served = self.run(module, {source: self.texts.get(source, "") for source in plain["modules"]})
        if "died" in served:
            comparison.wrong.append(f"from texts: {served['died']}")
            return comparison
        comparison.served = len(served["modules"])
        comparison.wrong += [
            f"not from its text: {source}" for source in sorted(set(plain["modules"]) - set(served["modules"]))
        ]
        comparison.compare(before, served["outcomes"], self.named)
        return comparison

    def compare_all(self, modules: list[str], jobs: int) -> list[Comparison]:
        """Compares all of these modules."""
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            plain = list(pool.map(lambda module: self.run(module, None), modules))
            self.decompile(sorted({source for run in plain for source in run.get("modules", ())}))
            return list(pool.map(self.compare, modules, plain))


def compare_modules(
    version: str, command: list[str], modules: list[str], depyfc: str, folder: Path, jobs: int
) -> list[Comparison]:
    """Compares test modules of one version; modules that it does not have are skipped."""
    interpreter = Version(version, command, depyfc, folder)
    return interpreter.compare_all([module for module in modules if interpreter.has(module)], jobs)


def compare_package(version: str, command: list[str], name: str, depyfc: str, folder: Path) -> Comparison:
    """Compares the tests of a package under one version."""
    comparison = Comparison(name)
    before, after, comparison.served = packages.run_package(packages.packages()[name], command, depyfc, folder / name)
    for run, where in ((before, "sources"), (after, "texts")):
        if "died" in run:
            comparison.wrong.append(f"from {where}: {run['died']}")
            return comparison
    comparison.tests = len(before["outcomes"])
    comparison.ok = sum(outcome == "passed" for outcome in before["outcomes"].values())
    if not comparison.ok:
        comparison.wrong.append(f"from sources: no test passes: {before['outcomes']}")
    comparison.wrong += [f"no text: {module}" for module in sorted(set(before["modules"]) - set(after["modules"]))]
    comparison.compare(before["outcomes"], after["outcomes"], named_differences(version))
    return comparison


def compare_imports(version: str, command: list[str], name: str, depyfc: str, folder: Path) -> Comparison:
    """Compares the imports of a package's modules under one version."""
    comparison = Comparison(name)
    requirements = packages.imported_packages()[name]
    before, after, comparison.served = packages.run_imports(
        requirements, version, command, depyfc, folder / "imports" / name
    )
    for run, where in ((before, "sources"), (after, "texts")):
        if "died" in run:
            comparison.wrong.append(f"from {where}: {run['died']}")
            return comparison
    valid = {path: outcome for path, outcome in before.items() if outcome != "does not compile"}
    comparison.tests = len(valid)
    comparison.ok = sum(":" in outcome for outcome in valid.values())
    if not comparison.ok:
        comparison.wrong.append(f"from sources: nothing is imported: {before}")
    for path, outcome in valid.items():
        new_outcome = after.get(path, "no text")
        if new_outcome != outcome:
            missing = set(outcome.split()) - set(new_outcome.split())
            added = set(new_outcome.split()) - set(outcome.split())
            comparison.wrong.append(f"{path}: {' '.join(sorted(missing))[:200]} | {' '.join(sorted(added))[:200]}")
    return comparison


def main() -> int:
    """Compares the versions one after the other; returns exit status 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "modules", nargs="*", default=MODULES, metavar="MODULE", help="test modules (default: modules.txt)"
    )
    parser.add_argument(
        "--package", action="append", default=[], choices=packages.packages(), help="run the tests of a package instead"
    )
    parser.add_argument(
        "--imports", action="append", default=[], choices=packages.imported_packages(), help="import modules instead"
    )
    parser.add_argument("--python", default="all", metavar="X.Y", help="versions, separated by commas, or all")
    parser.add_argument(
        "--tool", default=str(Path(sys.executable).with_name("depyfc")), metavar="PATH", help="path of another depyfc"
    )
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("DEPYF_JOBS", "2")))
    parser.add_argument("--work", metavar="DIR", help="keep .pyc files and texts in this folder")
    options = parser.parse_args()
    tool = shutil.which(options.tool)
    if tool is None:
        sys.exit(f"behaves: no such tool: {options.tool} (./dev build)")
    failed = False
    print(f"{'version':7} {'module':24} {'tests':>6} {'ok':>6} {'texts':>6} {'named':>6} {'wrong':>6}")
    with tempfile.TemporaryDirectory() as temporary:
        for version in interpreters.VERSIONS if options.python == "all" else options.python.split(","):
            command = interpreters.find(version)
            if command is None:
                print(f"{version:7} not installed (./dev interpreters --install)")
                continue
            folder = Path(options.work or temporary).resolve() / version
            if options.package or options.imports:
                comparisons = [compare_package(version, list(command), name, tool, folder) for name in options.package]
                comparisons += [compare_imports(version, list(command), name, tool, folder) for name in options.imports]
            else:
                comparisons = compare_modules(version, list(command), list(options.modules), tool, folder, options.jobs)
            for comparison in comparisons:
                row = (comparison.tests, comparison.ok, comparison.served, comparison.named, len(comparison.wrong))
                print(f"{version:7} {comparison.module:24} " + " ".join(f"{number:6}" for number in row))
                for line in comparison.wrong:
                    print("   ", line)
                failed |= bool(comparison.wrong)
            sys.stdout.flush()
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
