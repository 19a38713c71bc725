# SPDX-License-Identifier: MIT
"""Decompiles a sample of this interpreter's library without structuring, compiles the text, and compares operations.

Usage: walk_text.py DEPYFC COUNT SEED FOLDER. Prints counts as a literal. Runs under each version's own interpreter (3.8
on).
"""

from __future__ import annotations

import glob
import importlib.util
import marshal
import os
import random
import subprocess
import sys
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from counted import counts, left_out


def library(count: int, seed: int) -> list[str]:
    """Returns some files of Lib, including test files, without those that are invalid on purpose."""
    root = os.path.dirname(os.__file__)
    files = sorted(glob.glob(root + "/**/*.py", recursive=True))
    excluded = ("lib2to3/tests/data", "bad", "site-packages", "dist-packages", "sitecustomize")  # last: a broken link
    files = [f for f in files if not any(part in f for part in excluded)]
    random.Random(seed).shuffle(files)
    return files[:count]


def main() -> int:
    """Prints one line of figures."""
    depyfc, count, seed, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    warnings.simplefilter("ignore")
    good = counted = 0
    wrong = []
    for path in library(count, seed):
        with open(path, "rb") as file:
            source = file.read()
        try:
            code = compile(source, path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            continue
        pyc = os.path.join(folder, "sample.pyc")
        with open(pyc, "wb") as file:
            file.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
        done = subprocess.run([depyfc, "--skip=structure", pyc], capture_output=True, check=False)
        if done.returncode != 0:
            wrong.append((path, done.stderr.decode("utf-8", "replace")[-200:]))
            continue
        try:
            text = compile(done.stdout, path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            wrong.append((path, str(error)))
            continue
        good += 1
        counted += sum(sum(own.values()) for own in counts(code).values())
        wrong += [(path, line) for line in left_out(code, text)]
    print(repr({"good": good, "counted": counted, "wrong": wrong}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
