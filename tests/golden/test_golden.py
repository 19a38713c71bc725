# SPDX-License-Identifier: MIT
"""Texts as they were looked at: text, source map and verdicts of recorded bytecode, in full.

A case is one dropped file: `cases/NAME.X.Y.pyc`. Beside it lies `NAME.X.Y.golden`, what `depyfc --map
--verdict=comments` said of it; `pytest tests/golden --update-golden` writes it anew, but never with a worse verdict.
`toy_*` are frames of PyTorch's toy example as Dynamo made them (`record.py`), `tour.*` are compiled from `tour.py`.
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
    """The kinds, one a code object, in their order."""
    return [line.split()[2] for line in text.splitlines() if line.startswith("# depyf: ")]


def worse(old: str, new: str) -> bool:
    """Whether a code object lost its verdict, or is told of no more."""
    before, after = verdicts(old), verdicts(new)
    return len(after) < len(before) or any(RANKS.index(b) < RANKS.index(a) for b, a in zip(before, after, strict=False))


def update(golden: Path, text: str) -> None:
    """Writes a golden text; ValueError when a verdict of the old one would get worse."""
    if golden.exists() and worse(golden.read_text("utf-8"), text):
        raise ValueError(f"{golden.name}: the new text has worse verdicts; the old one stays")
    golden.write_text(text, "utf-8")


@pytest.mark.parametrize("name", sorted(p.stem for p in CASES.glob("*.pyc")))
def test_golden(
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
    assert golden.exists(), "a new case: look at its text, then keep it with --update-golden"
    assert done.stdout == golden.read_text("utf-8")


def test_an_update_keeps_verdicts(tmp_path: Path) -> None:
    golden = tmp_path / "case.golden"
    update(golden, "pass\n# depyf: proved <module>\n")
    update(golden, "pass\n# depyf: exact <module>\n")
    for text in ("pass\n# depyf: proved <module>\n", "pass\n"):
        with pytest.raises(ValueError, match="worse verdicts"):
            update(golden, text)
    assert golden.read_text("utf-8") == "pass\n# depyf: exact <module>\n"
