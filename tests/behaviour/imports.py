# SPDX-License-Identifier: MIT
"""Imports each module in a folder, and writes the outcomes.

Runs inside the interpreter under test, 3.8-3.15, as ``python imports.py FOLDER OUT``. OUT becomes a JSON object with,
for each file, "does not compile", "compiles" (programs, and files that no import statement can name), the kind of the
exception, or the module's names with the kinds of their values.
"""

import importlib
import json
import os
import sys
import warnings


def outcome(folder, path):
    with open(os.path.join(folder, path), "rb") as stream:
        source = stream.read()
    try:
        compile(source, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError):
        return "does not compile"
    parts = path[: -len(".py")].split(os.sep)
    if parts[-1] == "__init__":
        parts.pop()
    if not parts or parts[-1] == "__main__" or not all(part.isidentifier() for part in parts):
        return "compiles"
    try:
        module = importlib.import_module(".".join(parts))
    except BaseException as error:  # SystemExit, too
        return type(error).__name__
    return " ".join(sorted("%s:%s" % (name, type(value).__name__) for name, value in vars(module).items()))


def main(folder, out):
    warnings.simplefilter("ignore")
    sys.path.insert(0, folder)
    found = {}
    for where, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if name.endswith(".py"):
                path = os.path.relpath(os.path.join(where, name), folder)
                found[path] = outcome(folder, path)
    with open(out, "w") as stream:
        json.dump(found, stream)


if __name__ == "__main__":
    main(*sys.argv[1:])
