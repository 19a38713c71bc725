# SPDX-License-Identifier: MIT
"""Runs the tests of packages (packages.txt) from their sources and then from decompiled text; see behaves.py.

Or imports each module of packages (imports.txt) from both, without tests: see imports.py.

A package and its tests are installed in a folder, where pytest runs them. What was imported from there is compiled to
.pyc files and decompiled by depyfc; a second folder has these texts instead of the sources, and nothing else that
Python could import. pytest itself comes from its sources.
"""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
JUDGE = ["pytest==8.3.3", "pluggy==1.5.0", "iniconfig==2.0.0", "packaging==24.1"]
JUDGE += ["hypothesis==6.112.1", "sortedcontainers==2.4.0", "attrs==24.2.0"]  # the tests of sympy need it
LIMIT = 1800.0  # seconds for one run
COMPILE = """
import importlib.util, json, marshal, sys, warnings
warnings.simplefilter("ignore")
for source, pyc in json.load(sys.stdin):
    with open(source, "rb") as file:
        code = compile(file.read(), "<source>", "exec", dont_inherit=True)
    with open(pyc, "wb") as out:
        out.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
"""


@dataclass
class Package:
    """One line of packages.txt."""

    name: str
    requirements: list[str]
    tests: list[str]


def packages() -> dict[str, Package]:
    """Returns the packages in packages.txt."""
    rows = [line.split() for line in (HERE / "packages.txt").read_text().splitlines() if line[:1] not in ("", "#")]
    return {name: Package(name, requirements.split(","), tests.split(",")) for name, requirements, tests in rows}


def imported_packages() -> dict[str, list[str]]:
    """Returns the packages in imports.txt, with their requirements."""
    rows = [line.split() for line in (HERE / "imports.txt").read_text().splitlines() if line[:1] not in ("", "#")]
    return {name: requirements.split(",") for name, requirements in rows}


def pip(*arguments: str) -> None:
    """Runs pip, which prints only errors."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"behaves: {' '.join(command)}\n{done.stderr}")


def install(requirements: list[str], folder: Path) -> None:
    """Installs wheels into a folder, without dependencies."""
    pip("install", "--quiet", "--no-deps", "--no-compile", "--target", str(folder), *requirements)


def fetch(package: Package, folder: Path) -> list[str]:
    """Installs a package and its tests into a folder; returns the paths for pytest."""
    install(package.requirements, folder)
    run = []
    for test in package.tests:
        kind, _, path = test.rpartition(":")
        run.append(path)
        if kind != "sdist":
            continue
        archives = folder.parent / "sdist"
        pip("download", "--quiet", "--no-deps", "--no-binary=:all:", "--dest", str(archives), package.requirements[0])
        (archive,) = archives.glob("*.tar.gz")
        with tarfile.open(archive) as tar:
            for member in tar.getmembers():
                member.name = member.name.partition("/")[2]
                if member.isfile() and member.name.startswith(path + "/"):
                    tar.extract(member, folder, filter="data")
    return run


def run_below(folder: Path, command: list[str], environment: dict[str, str], out: Path) -> str | None:
    """Runs a command of Python in a folder; returns None if it wrote `out`, otherwise how it ended."""
    log = folder.with_suffix(".log")
    out.unlink(missing_ok=True)
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment = dict(environ, PYTHONHASHSEED="0", PYTHONDONTWRITEBYTECODE="1", **environment)
    with log.open("wb") as file:
        try:
            subprocess.run(
                command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                timeout=LIMIT, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return f"took longer than {LIMIT:.0f} s"
    return None if out.exists() else log.read_text(errors="replace")[-1500:]


def outcomes(python: list[str], folder: Path, judge: Path, tests: list[str]) -> dict[str, Any]:
    """Runs pytest once; returns what outcomes.py writes, or {"died": reason}."""
    out = folder.with_suffix(".outcomes")
    environment = {"DEPYF_OUTCOMES": str(out), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    environment["PYTHONPATH"] = os.pathsep.join(map(str, (folder, judge, HERE)))
    options = ["-q", "-c", os.devnull, "--rootdir", ".", "-p", "outcomes", "-p", "no:cacheprovider", "-W", "ignore"]
    died = run_below(folder, [*python, "-m", "pytest", *options, *tests], environment, out)
    if died is not None:
        return {"died": died}
    written: dict[str, Any] = ast.literal_eval(out.read_text())
    return written


def write_texts(python: list[str], depyfc: str, sources: Path, folder: Path, modules: list[str]) -> None:
    """Makes the folder of texts: everything except Python's files, and depyfc's text for each of these modules."""
    shutil.copytree(sources, folder, ignore=shutil.ignore_patterns("*.py", "*.pyc", "*.so"))
    pairs = [[str(sources / module), str(folder / module) + "c"] for module in modules]
    subprocess.run([*python, "-c", COMPILE], input=json.dumps(pairs), text=True, check=True)
    pairs_of_texts = "".join(f"{pyc}\t{pyc[:-1]}\n" for _, pyc in pairs)
    subprocess.run([depyfc, "--list", "-"], input=pairs_of_texts, text=True, check=False)  # it prints its errors
    for _, pyc in pairs:
        os.unlink(pyc)


def run_package(
    package: Package, python: list[str], depyfc: str, folder: Path
) -> tuple[dict[str, Any], dict[str, Any], int]:
    """Returns the outcomes from sources, those from texts, and the number of files with a text."""
    judge, sources, text = folder / "judge", folder / "sources", folder / "texts"
    install(JUDGE, judge)
    tests = fetch(package, sources)
    before = outcomes(python, sources, judge, tests)
    if "died" in before:
        return before, {}, 0
    write_texts(python, depyfc, sources, text, before["modules"])
    count = sum((text / module).exists() for module in before["modules"])
    return before, outcomes(python, text, judge, tests), count


def run_imports_py(python: list[str], folder: Path) -> dict[str, Any]:
    """Returns what imports.py writes about a folder, or {"died": reason}."""
    out = folder.with_suffix(".imported")
    died = run_below(folder, [*python, str(HERE / "imports.py"), str(folder), str(out)], {}, out)
    if died is not None:
        return {"died": died}
    written: dict[str, Any] = json.loads(out.read_text())
    return written


def run_imports(
    requirements: list[str], version: str, python: list[str], depyfc: str, folder: Path
) -> tuple[dict[str, Any], dict[str, Any], int]:
    """Returns the outcomes from sources, those from texts, and the number of files with a text."""
    sources, text = folder / "sources", folder / "texts"
    wheels = ["--only-binary=:all:", "--implementation", "py", "--abi", "none", "--platform", "any"]
    pip(
        "install",
        "--quiet",
        "--no-compile",
        "--target",
        str(sources),
        *wheels,
        "--python-version",
        version,
        *requirements,
    )
    before = run_imports_py(python, sources)
    if "died" in before:
        return before, {}, 0
    modules = [path for path, outcome in before.items() if outcome != "does not compile"]
    write_texts(python, depyfc, sources, text, modules)
    return before, run_imports_py(python, text), sum((text / module).exists() for module in modules)
