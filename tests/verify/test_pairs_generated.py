# SPDX-License-Identifier: MIT
"""Programs that differ in a single aspect, as running them shows, are not judged equal."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tools import roundtrip

# The caveat of pairs of kind `constant_or_made`, which are proved: only identity shows the difference.
CAVEAT = "a tuple or slice that one makes at each run is a constant of the other: `is` and id() tell"


def test_no_pair_is_judged_equal(python: list[str], tmp_path: Path) -> None:
    core = Path(__file__).with_name("pairs_generated.py")
    command = [*python, "-W", "ignore", str(core), str(tmp_path), "48", "sample"]
    rows = [json.loads(line) for line in subprocess.run(command, capture_output=True, check=True).stdout.splitlines()]
    assert len(rows) == 48 and len({row["kind"] for row in rows}) >= 20
    judge = roundtrip.find_judge()
    pairs = [(tmp_path / f"{row['number']}.a.pyc", tmp_path / f"{row['number']}.b.pyc") for row in rows]
    lines = "".join(f"{first}\t{second}\n" for first, second in pairs)
    done = subprocess.run([judge, "--prove"], input=lines, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(rows)
    accepted = []
    for row, answer in zip(rows, answers, strict=True):
        assert answer.get("items"), answer
        caveats = {item[3] for item in answer["items"]} - {""}
        if all(item[0] for item in answer["items"]) and not (row["kind"] == "constant_or_made" and caveats == {CAVEAT}):
            accepted.append((row, caveats))
    assert accepted == []
