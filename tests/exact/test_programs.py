# SPDX-License-Identifier: MIT
"""Random programs (`programs.py`) become texts that compile, nearly all exactly or provably the same.

What no library has shows what the rules of structuring do not know: `LEAST` is the share of code objects that is exact
or proved now, a little less than reached, to be raised; `pythonX.Y tests/exact/programs.py FOLDER COUNT SEED` writes
more programs to work on. Part of the rest is code behind what always raises, which a proof does not reach.
"""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

LEAST = {"3.9": 0.99, "3.10": 0.99, "3.11": 0.99}
LEAST_ELSEWHERE = 0.975


def test_random_programs(version: str, python: list[str], depyfc: str, tmp_path: Path) -> None:
    made, out = tmp_path / "made", tmp_path / "out"
    writer = Path(__file__).with_name("programs.py")
    subprocess.run([*python, str(writer), str(made), "40", "5"], check=True)
    done = subprocess.run(
        [depyfc, "-o", str(out), "--verdict", "--python", shlex.join(python), str(made)],
        check=True, capture_output=True, encoding="utf-8",
    )  # fmt: skip
    kinds = re.findall(r": (exact|proved|unproved|unchecked) ", done.stderr)
    assert "does not compile" not in done.stderr
    least = LEAST.get(version, LEAST_ELSEWHERE)
    assert sum(kind in ("exact", "proved") for kind in kinds) >= least * len(kinds), done.stderr
