# SPDX-License-Identifier: MIT
"""Does decompiled text behave? CPython's own tests, run from decompiled text alone, must come out as from source.

For each version and each of its test modules: the module is run as it is; each source of the library that it loaded is
compiled to a .pyc file, which depyfc turns into text; then the module is run again with these texts in place of the
sources (served.py). The tests must have the same ids and the same outcomes.

With --package, the tests of packages (packages.txt) instead, by pytest: see packages.py. With --imports, each module of
packages (imports.txt) is imported from its source and from its text, and must come out with the same names.

differences.txt names the tests that differ because they look at the source itself. One that is named there and does
not differ is a failure, too.
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
    """The tests that differ in a version, and why. Lines: versions with commas or *, test id, reason."""
    found = {}
    for line in (HERE / "differences.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            versions, test, reason = line.split(None, 2)
            if versions == "*" or version in versions.split(","):
                found[test] = reason
    return found


@dataclass
class Comparison:
    """What came of one module under one version."""

    module: str
    tests: int = 0  # of the run from sources
    ok: int = 0  # of these
    served: int = 0  # modules that came from texts
    named: int = 0  # differences that differences.txt names
    wrong: list[str] = field(default_factory=list)  # everything else that is not as it must be

    def compare(self, before: dict[str, str], after: dict[str, str], named: dict[str, str]) -> None:
        """The outcomes from sources and from texts."""
        for test in sorted(before.keys() | after.keys()):
            differs = before.get(test) != after.get(test)
            if differs and test in named:
                self.named += 1
            elif differs:
                self.wrong.append(f"{test}: from source {before.get(test)}, from text {after.get(test)}")
            elif test in named:
                self.wrong.append(f"{test}: does not differ; take it off differences.txt")


class Version:
    """One interpreter, and the texts of its library made so far."""

    def __init__(self, version: str, command: list[str], depyfc: str, folder: Path) -> None:
        self.version = version
        self.command = command
        self.depyfc = depyfc
        self.folder = folder
        self.texts: dict[str, str] = {}  # source path: text path
        self.named = named_differences(version)
        folder.mkdir(parents=True, exist_ok=True)

    def has(self, module: str) -> bool:
        """Whether the version has this test module."""
        code = f"import importlib.util, sys; sys.exit(importlib.util.find_spec('test.{module}') is None)"
        return subprocess.run([*self.command, "-c", code], check=False).returncode == 0

    def run(self, module: str, texts: dict[str, str] | None) -> dict[str, Any]:
        """One run of a module in an empty folder: what served.py writes, or {"died": how}."""
        with tempfile.TemporaryDirectory(dir=self.folder) as scratch:
            job, out, log = (Path(scratch) / name for name in ("job", "out", "log"))
            job.write_text(repr({"module": "test." + module, "out": str(out), "texts": texts}))
            work = Path(scratch) / "work"
            work.mkdir()
            kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
            environment = dict(kept, PYTHONHASHSEED="0", PYTHONDONTWRITEBYTECODE="1")
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
        """Makes the texts that are not there yet, from .pyc files and nothing else."""
        new = [source for source in sources if source not in self.texts]
        stems = [str(self.folder / f"{len(self.texts) + i:04}") for i in range(len(new))]
        pairs = json.dumps([[source, stem + ".pyc"] for source, stem in zip(new, stems)])
        subprocess.run([*self.command, "-c", packages.COMPILE], input=pairs, text=True, check=True)
        listed = "".join(f"{stem}.pyc\t{stem}.py\n" for stem in stems)
        subprocess.run(
            [self.depyfc, "--list", "-"], input=listed, text=True, check=False
        )  # it says what it could not do
        self.texts.update((source, stem + ".py") for source, stem in zip(new, stems) if Path(stem + ".py").exists())

    def compare(self, module: str, plain: dict[str, Any]) -> Comparison:
        """Runs a module from texts and compares that with its run from sources."""
        made = Comparison(module)
        if "died" in plain:
            made.wrong.append(f"from sources: {plain['died']}")
            return made
        before = plain["outcomes"]
        made.tests = len(before)
        made.ok = sum(outcome == "ok" for outcome in before.values())
        if not made.ok:
            made.wrong.append(f"from sources: no test passes: {before}")
        served = self.run(module, {source: self.texts.get(source, "") for source in plain["modules"]})
        if "died" in served:
            made.wrong.append(f"from texts: {served['died']}")
            return made
        made.served = len(served["modules"])
        made.wrong += [
            f"not from its text: {source}" for source in sorted(set(plain["modules"]) - set(served["modules"]))
        ]
        made.compare(before, served["outcomes"], self.named)
        return made

    def play(self, modules: list[str], jobs: int) -> list[Comparison]:
        """All of these modules."""
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            plain = list(pool.map(lambda module: self.run(module, None), modules))
            self.decompile(sorted({source for run in plain for source in run.get("modules", ())}))
            return list(pool.map(self.compare, modules, plain))


def behaves(
    version: str, command: list[str], modules: list[str], depyfc: str, folder: Path, jobs: int
) -> list[Comparison]:
    """Compares test modules of one version; those that it does not have are left out."""
    there = Version(version, command, depyfc, folder)
    return there.play([module for module in modules if there.has(module)], jobs)


def behaves_package(version: str, command: list[str], name: str, depyfc: str, folder: Path) -> Comparison:
    """Compares the tests of a package under one version."""
    made = Comparison(name)
    before, after, made.served = packages.play(packages.packages()[name], command, depyfc, folder / name)
    for run, where in ((before, "sources"), (after, "texts")):
        if "died" in run:
            made.wrong.append(f"from {where}: {run['died']}")
            return made
    made.tests = len(before["outcomes"])
    made.ok = sum(outcome == "passed" for outcome in before["outcomes"].values())
    if not made.ok:
        made.wrong.append(f"from sources: no test passes: {before['outcomes']}")
    made.wrong += [f"no text: {module}" for module in sorted(set(before["modules"]) - set(after["modules"]))]
    made.compare(before["outcomes"], after["outcomes"], named_differences(version))
    return made


def behaves_imports(version: str, command: list[str], name: str, depyfc: str, folder: Path) -> Comparison:
    """Compares the imports of a package's modules under one version."""
    made = Comparison(name)
    wanted = packages.imported_packages()[name]
    before, after, made.served = packages.play_imports(wanted, version, command, depyfc, folder / "imports" / name)
    for run, where in ((before, "sources"), (after, "texts")):
        if "died" in run:
            made.wrong.append(f"from {where}: {run['died']}")
            return made
    valid = {path: outcome for path, outcome in before.items() if outcome != "does not compile"}
    made.tests = len(valid)
    made.ok = sum(":" in outcome for outcome in valid.values())
    if not made.ok:
        made.wrong.append(f"from sources: nothing is imported: {before}")
    for path, outcome in valid.items():
        came = after.get(path, "no text")
        if came != outcome:
            one, two = set(outcome.split()), set(came.split())
            made.wrong.append(f"{path}: {' '.join(sorted(one - two))[:200]} | {' '.join(sorted(two - one))[:200]}")
    return made


def main() -> int:
    """Plays the versions one after the other; the exit status is 1 if anything is not as it must be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "modules", nargs="*", default=MODULES, metavar="MODULE", help="test modules (default: modules.txt)"
    )
    parser.add_argument(
        "--package", action="append", default=[], choices=packages.packages(), help="a package's tests instead"
    )
    parser.add_argument(
        "--imports", action="append", default=[], choices=packages.imported_packages(), help="imports of its modules"
    )
    parser.add_argument("--python", default="all", metavar="X.Y", help="versions, separated by commas, or all")
    parser.add_argument(
        "--tool", default=str(Path(sys.executable).with_name("depyfc")), metavar="PATH", help="another depyfc"
    )
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("DEPYF_JOBS", "2")))
    parser.add_argument("--work", metavar="DIR", help="keep .pyc files and texts here")
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
                print(f"{version:7} not on this machine (./dev interpreters --install)")
                continue
            folder = Path(options.work or temporary).resolve() / version
            if options.package or options.imports:
                played = [behaves_package(version, list(command), name, tool, folder) for name in options.package]
                played += [behaves_imports(version, list(command), name, tool, folder) for name in options.imports]
            else:
                played = behaves(version, list(command), list(options.modules), tool, folder, options.jobs)
            for made in played:
                row = (made.tests, made.ok, made.served, made.named, len(made.wrong))
                print(f"{version:7} {made.module:24} " + " ".join(f"{number:6}" for number in row))
                for line in made.wrong:
                    print("   ", line)
                failed |= bool(made.wrong)
            sys.stdout.flush()
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
