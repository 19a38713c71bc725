# SPDX-License-Identifier: MIT
"""Random programs (`programs.py`) become texts that compile, and nearly all are exact or proved.

Unusual programs show what the rules of structuring do not cover. `LEAST` is the share of code objects that must be
exact or proved: a little less than the current share, to be raised with it. `pythonX.Y tests/exact/programs.py FOLDER
COUNT SEED` writes more programs. Some of the others have code after a statement that always raises, which a proof does
not reach.
"""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

LEAST = {"3.9": 0.99, "3.10": 0.99, "3.11": 0.99}
LEAST_ELSEWHERE = 0.975


def test_random_programs_are_exact_or_proved(version: str, python: list[str], depyfc: str, tmp_path: Path) -> None:
    programs, out = tmp_path / "made", tmp_path / "out"
    writer = Path(__file__).with_name("programs.py")
    subprocess.run([*python, str(writer), str(programs), "40", "5"], check=True)
    done = subprocess.run(
        [depyfc, "-o", str(out), "--verdict", "--python", shlex.join(python), str(programs)],
        check=True, capture_output=True, encoding="utf-8",
    )  # fmt: skip
    kinds = re.findall(r": (exact|proved|unproved|unchecked) ", done.stderr)
    assert "does not compile" not in done.stderr
    least = LEAST.get(version, LEAST_ELSEWHERE)
    assert sum(kind in ("exact", "proved") for kind in kinds) >= least * len(kinds), done.stderr
