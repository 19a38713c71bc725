# SPDX-License-Identifier: MIT
"""Runs a module as compiled and from the decompiled text of its .pyc. Runs under each version's own interpreter."""

from __future__ import annotations

import importlib.util
import marshal
import subprocess
import sys
from collections.abc import Callable


def print_outcomes(code: object, outcome: Callable[[object], object], options: list[str]) -> None:
    """Prints both outcomes as a literal. The program's arguments begin with DEPYFC FOLDER."""
    depyfc, folder = sys.argv[1:3]
    path = folder + "/module.pyc"
    with open(path, "wb") as file:
        file.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
    text = subprocess.run([depyfc, *options, path], stdout=subprocess.PIPE, check=True).stdout
    print(repr((outcome(code), outcome(compile(text, "text.py", "exec", dont_inherit=True)))))
