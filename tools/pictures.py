# SPDX-License-Identifier: MIT
"""`./dev docs --pictures`: takes the documentation's pictures of the toy's report again.

Runs examples/toy.py in training under `depyf run`, opens the report in headless Chromium and takes screenshots with the
light theme.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.browser import Browser

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "docs" / "site" / "pictures"
WIDTH, HEIGHT = 1280, 760


def take(report: Path, out: Path = OUT) -> None:
    """Takes screenshots of a report's first screen, and of a graph that one of its lines links to."""
    out.mkdir(parents=True, exist_ok=True)
    with Browser() as browser:
        page = browser.open(report, width=WIDTH, height=HEIGHT)
        page.until("document.documentElement.dataset.ready")
        page.photograph(out / "report.png")
        page.click("#source tr.compiled td.text")
        page.ask("document.querySelector('#view button[data-file][data-at]').click()")
        page.photograph(out / "graph.png")


def main() -> int:
    """Runs the toy and takes the pictures; returns the exit status of the toy."""
    with tempfile.TemporaryDirectory() as folder:
        dump = Path(folder) / "dump"
        program = shutil.copy(ROOT / "examples" / "toy.py", folder)  # the pictures then show no path of this checkout
        command = [sys.executable, "-m", "depyf", "run", "-o", str(dump), program, "--train"]
        environment = {**os.environ, "TORCHINDUCTOR_CACHE_DIR": str(Path(folder) / "cache")}  # nothing is cached
        status = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
        if status == 0:
            take(dump / "report.html")
    return status


if __name__ == "__main__":
    sys.exit(main())
