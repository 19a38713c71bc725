# SPDX-License-Identifier: MIT
"""Text, source map and verdicts of recorded bytecode are those that were reviewed, in full.

A case is a file `cases/NAME.X.Y.pyc`. Next to it is `NAME.X.Y.golden`, the output of `depyfc --map --verdict=comments`
for it. `pytest tests/golden --update-golden` writes it again, but never with a worse verdict. `toy_*` are frames of
PyTorch's toy example as Dynamo compiled them (`record.py`), `tour.*` are compiled from `tour.py`.
"""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

CASES = Path(__file__).parent / "cases"
RANKS = ("exact", "proved", "unproved", "unchecked")


def verdicts(text: str) -> list[str]:
    """Returns the kinds of verdicts, one per code object, in their order."""
    return [line.split()[2] for line in text.splitlines() if line.startswith("# depyf: ")]


def is_worse(old: str, new: str) -> bool:
    """Returns whether a verdict became worse or is missing."""
    before, after = verdicts(old), verdicts(new)
    return len(after) < len(before) or any(RANKS.index(b) < RANKS.index(a) for b, a in zip(before, after, strict=False))


def update(golden: Path, text: str) -> None:
    """Writes a golden text; raises ValueError if a verdict of the old one would become worse."""
    if golden.exists() and is_worse(golden.read_text("utf-8"), text):
        raise ValueError(f"{golden.name}: the new text has worse verdicts; the old one is kept")
    golden.write_text(text, "utf-8")


@pytest.mark.parametrize("name", sorted(p.stem for p in CASES.glob("*.pyc")))
def test_text_equals_golden_text(
    name: str, depyfc: str, command_for: Callable[[str], list[str]], request: pytest.FixtureRequest
) -> None:
    python = command_for(".".join(name.split(".")[-2:]))
    done = subprocess.run(
        [depyfc, "--map", "--verdict=comments", "--python", shlex.join(python), str(CASES / f"{name}.pyc")],
        check=True, capture_output=True, encoding="utf-8",
    )  # fmt: skip
    golden = CASES / f"{name}.golden"
    if request.config.getoption("--update-golden"):
        update(golden, done.stdout)
    assert golden.exists(), "a new case: review its text, then keep it with --update-golden"
    assert done.stdout == golden.read_text("utf-8")


def test_update_refuses_worse_verdicts(tmp_path: Path) -> None:
    golden = tmp_path / "case.golden"
    update(golden, "pass\n# depyf: proved <module>\n")
    update(golden, "pass\n# depyf: exact <module>\n")
    for text in ("pass\n# depyf: proved <module>\n", "pass\n"):
        with pytest.raises(ValueError, match="worse verdicts"):
            update(golden, text)
    assert golden.read_text("utf-8") == "pass\n# depyf: exact <module>\n"
