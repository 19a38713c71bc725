# SPDX-License-Identifier: MIT
"""Runs unittest modules with some modules replaced by their decompiled text; prints the outcomes as a literal.

Usage: run_served.py DEPYFC MODE SERVED TESTS, where SERVED and TESTS are comma-separated module names and MODE is
`original` or `text`. A served module is compiled from its source, written as a .pyc file, decompiled with
`--skip=structure` and executed from that text.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import io
import marshal
import os
import subprocess
import sys
import tempfile
import unittest
from types import CodeType, FrameType, ModuleType
from typing import Any

entered: set[str] = set()


def text_of(depyfc: str, code: CodeType) -> bytes:
    """Returns depyfc's text for a module's code object, without structuring."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "module.pyc")
        with open(path, "wb") as file:
            file.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
        done = subprocess.run([depyfc, "--skip=structure", path], capture_output=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.decode())
    keep = os.environ.get("DEPYF_KEEP")
    if keep:
        with open(os.path.join(keep, os.path.basename(code.co_filename)), "wb") as file:
            file.write(done.stdout)
    return done.stdout


class Loader(importlib.machinery.SourceFileLoader):
    """Executes a module from its decompiled text."""

    depyfc = ""

    def get_code(self, fullname: str) -> CodeType:
        """Returns the code object of the text."""
        path = self.get_filename(fullname)
        original = compile(self.get_data(path), path, "exec", dont_inherit=True)
        code = compile(text_of(self.depyfc, original), "served:" + path, "exec", dont_inherit=True)
        return code


class Finder(importlib.abc.MetaPathFinder):
    """Finds the served modules only."""

    def __init__(self, served: set[str]) -> None:
        self.served = served

    def find_spec(self, fullname: str, path: Any, target: ModuleType | None = None) -> Any:
        """Returns the usual spec with this file's loader."""
        if fullname not in self.served:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec is None or not isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            return spec
        spec.loader = Loader(fullname, spec.origin)
        return spec


def profile(frame: FrameType, event: str, _: Any) -> None:
    """Records each function of served text that is entered."""
    if event == "call" and frame.f_code.co_filename.startswith("served:"):
        code = frame.f_code
        entered.add(f"{code.co_filename}:{code.co_qualname}:{code.co_firstlineno}")


class Result(unittest.TestResult):
    """Records the outcome of each test by its id."""

    def __init__(self) -> None:
        super().__init__()
        self.outcomes: dict[str, str] = {}

    def startTest(self, test: unittest.TestCase) -> None:
        """Records "ok", until another outcome is reported."""
        super().startTest(test)
        self.outcomes[test.id()] = "ok"

    def note(self, test: unittest.TestCase, outcome: str, error: Any = None) -> None:
        """Records another outcome."""
        self.outcomes[test.id().split(" ")[0]] = outcome
        if error is not None and os.environ.get("DEPYF_TRACE"):
            sys.stderr.write(self._exc_info_to_string(error, test) + "\n")

    def addError(self, test: unittest.TestCase, err: Any) -> None:
        """Records an error."""
        self.note(test, "error", err)

    def addFailure(self, test: unittest.TestCase, err: Any) -> None:
        """Records a failure."""
        self.note(test, "failure", err)

    def addSubTest(self, test: unittest.TestCase, subtest: Any, err: Any) -> None:
        """Records a failure of a subtest."""
        if err is not None:
            self.note(test, "failure", err)

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        """Records a skipped test."""
        self.note(test, "skipped")


def main() -> int:
    """Runs the tests and prints the outcomes."""
    depyfc, mode, served, tests = sys.argv[1:5]
    names = set(served.split(","))
    if mode == "text":
        Loader.depyfc = depyfc
        for name in names:
            sys.modules.pop(name, None)
        sys.meta_path.insert(0, Finder(names))
    result = Result()
    real, sys.stdout = sys.stdout, io.StringIO()
    if "--profile" in sys.argv:
        sys.setprofile(profile)
    try:
        for name in tests.split(","):
            unittest.defaultTestLoader.loadTestsFromName(name).run(result)
    finally:
        sys.setprofile(None)
        sys.stdout = real
    print(repr({"outcomes": result.outcomes, "entered": sorted(entered)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
