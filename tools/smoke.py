# SPDX-License-Identifier: MIT
"""Smoke test of an installed wheel: imports depyf, decompiles a function, and runs `depyfc` of the same environment.

`./dev wheels` and cibuildwheel run it with the interpreter of an environment that has nothing else of the project.
Arguments on the command line are the command that runs `depyfc`, if it is not on the path (with an emulator, say).
"""

import py_compile
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import depyf

MODULE = "def f(a, b=1):\n    while a > b:\n        a -= b\n    return a\n"


def sample(n, *, scale=2):
    """Yields multiples of even numbers."""
    try:
        for i in range(n):
            if i % 2:
                continue
            yield i * scale
    finally:
        n = 0


def run(text: str, name: str):
    """Executes a text and returns the object that it binds to `name`."""
    namespace: dict[str, object] = {}
    exec(text, namespace)
    return namespace[name]


def main() -> None:
    """Prints one line if all is well; raises AssertionError or CalledProcessError otherwise."""
    text = depyf.decompile(sample)
    assert list(run(str(text), "sample")(5, scale=3)) == list(sample(5, scale=3)) == [0, 6, 12], text
    tool = sys.argv[1:] or [shutil.which("depyfc") or ""]
    assert sys.argv[1:] or Path(tool[0]).resolve().parent.samefile(Path(sys.executable).parent), tool
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "module.py")
        source.write_text(MODULE)
        pyc = py_compile.compile(str(source), cfile=str(source.with_suffix(".pyc")), doraise=True)
        done = subprocess.run([*tool, str(pyc)], capture_output=True, text=True, check=True)
    assert run(done.stdout, "f")(7, 3) == 1, done.stdout
    print("{}.{}.{}".format(*sys.version_info[:3]), "depyf", depyf.__version__, text.verdict)


if __name__ == "__main__":
    main()
