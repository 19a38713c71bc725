# SPDX-License-Identifier: MIT
"""`./dev matrix`: PyTorch's tests on other releases of torch and other Pythons, each in an environment of its own.

The environments stay in build/matrix, several GB each. Says plainly what it could not cover; exit 1 when something
failed or could not be covered.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

from tools import interpreters

ROOT = Path(__file__).resolve().parent.parent
# The release that is developed against, the newest on each Python that it supports, and the oldest that is promised.
PAIRS = (
    ("3.11", "torch==2.13.0"),
    ("3.11", "torch==2.15.0"),
    ("3.13", "torch==2.15.0"),
    ("3.14", "torch==2.15.0"),
    ("3.11", "torch==2.6.0"),
)
_TOOLS = (
    "debugpy>=1.8",
    "dill",
    "pytest>=8",
    "pytest-xdist>=3.5",
    "scikit-build-core>=0.10",
    "nanobind>=2.4",
    "cmake>=3.26",
    "ninja>=1.11",
)


def environment(version: str, torch: str) -> Path | str:
    """The Python of an environment with torch and the package in it, or why there is none."""
    command = interpreters.find(version)
    if command is None:
        return f"no CPython {version} here"
    folder = ROOT / "build" / "matrix" / f"{version}-{torch.replace('==', '-')}"
    python = folder / "bin" / "python"
    steps: list[list[str]] = []
    if not python.exists():
        steps.append([*command, "-m", "venv", str(folder)])
    pip = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    steps += [[*pip, torch, *_TOOLS], [*pip, "--no-deps", "--no-build-isolation", "--force-reinstall", str(ROOT)]]
    for step in steps:
        done = subprocess.run(step, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            said = (done.stderr or done.stdout).strip().splitlines() or ["no word"]
            return f"{' '.join(step[:4])} … failed: {said[-1]}"
    return python


def main() -> int:
    """Runs the pairs."""
    parser = argparse.ArgumentParser(prog="./dev matrix", description=__doc__)
    parser.add_argument("--only", default="", metavar="REGEX", help='pairs such as "3.13 torch==2.15.0" that match')
    parser.add_argument("--jobs", default=os.environ.get("DEPYF_JOBS", "2"))
    parser.add_argument("tests", nargs="*", default=["tests/torch"], help="what pytest runs (default: tests/torch)")
    options = parser.parse_args()
    pairs = [(v, t) for v, t in PAIRS if re.search(options.only, f"{v} {t}")]
    if not pairs:
        print(f"matrix: no pair matches {options.only!r}", file=sys.stderr)
        return 2
    lines, status = [], 0
    for version, torch in pairs:
        print(f"== CPython {version}, {torch}", flush=True)
        python = environment(version, torch)
        if isinstance(python, str):
            lines.append(f"not covered  CPython {version}, {torch}: {python}")
            status = 1
            continue
        command = [str(python), "-m", "pytest", "-q", "-n", options.jobs, "--dist", "worksteal", *options.tests]
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
        print(done.stdout[-4000:])
        lines.append(f"{'ok         ' if done.returncode == 0 else 'FAILED     '}  CPython {version}, {torch}: "
                     f"{done.stdout.strip().splitlines()[-1]}")  # fmt: skip
        status |= done.returncode != 0
    print("\n".join(lines))
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
