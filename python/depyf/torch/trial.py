# SPDX-License-Identifier: MIT
"""One run of a program with one change, for `depyf why --try`: the change is made, and results are kept to compare.

Kept are the values that functions return that were compiled in the first run, where no other of them is being called:
whether torch compiles them, breaks them or leaves them to Python, the same calls come in the same order. Invariant:
nothing raises into the program; what cannot be kept is counted, and then the comparison says so.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any

import torch

from depyf.torch.internals import changes, dynamo

_NUMBERS = 2_000_000  # of tensors, kept in one run
_CALLS = 1_000  # kept in one run


def begin(file: Path) -> None:
    """Begins as a file says that `depyf why --try` wrote: the change, what to keep."""
    spec = json.loads(file.read_text("utf-8"))
    kept = Results([tuple(place) for place in spec["functions"]], file.with_suffix(".pt"))
    if spec["change"] is not None:
        try:
            changes.apply(changes.load(spec["change"]))
        except Exception as error:
            kept.failure = f"{type(error).__name__}: {error}"
    kept.start()


class Results:
    """Values that some functions return, kept until the process ends."""

    def __init__(self, functions: list[Any], path: Path) -> None:
        self.failure = ""
        self._wanted = frozenset(functions)
        self._path = path
        self._local = threading.local()
        self._calls: list[tuple[Any, Any]] = []
        self._numbers = 0
        self._left_out = 0
        self._set_eval_frame = dynamo.eval_frame_setter()

    def start(self) -> None:
        """Begins to keep them."""
        atexit.register(self.write)
        if self._wanted:
            dynamo.keep_from_dynamo(Results._on_event)
            threading.setprofile(self._on_event)
            sys.setprofile(self._on_event)

    def _on_event(self, frame: FrameType, event: str, value: Any) -> None:
        code = frame.f_code
        if event not in ("call", "return") or (code.co_filename, code.co_firstlineno, code.co_name) not in self._wanted:
            return
        prior = self._set_eval_frame(None)
        try:
            depth = getattr(self._local, "depth", 0)
            if event == "call":
                self._local.depth = depth + 1
            elif depth:
                self._local.depth = depth - 1
                if depth == 1:
                    self.keep(code.co_name, value)
        except Exception:
            self._left_out += 1
        finally:
            self._set_eval_frame(prior)

    def keep(self, name: str, value: Any) -> None:
        """Keeps a value, unless enough are kept."""
        if len(self._calls) >= _CALLS or self._numbers >= _NUMBERS:
            self._left_out += 1
            return
        self._calls.append((name, self._flat(value)))

    def _flat(self, value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            self._numbers += value.numel()
            return value.detach().cpu().clone() if value.numel() <= _NUMBERS else f"tensor of {tuple(value.shape)}"
        if isinstance(value, list | tuple):
            return [self._flat(item) for item in value]
        if isinstance(value, dict):
            return [[str(key), self._flat(item)] for key, item in value.items()]
        return value if isinstance(value, int | float | str | bool | None) else type(value).__name__

    def write(self) -> None:
        """Writes what was kept."""
        sys.setprofile(None)
        threading.setprofile(None)
        with contextlib.suppress(Exception):
            kept = {"calls": self._calls, "left_out": self._left_out, "failure": self.failure}
            torch.save(kept, self._path)


def compare(a: Path, b: Path) -> tuple[str, int]:
    """How the results of two runs compare, and how many were compared.

    Returns:
        "the same", "the same to rounding", "not compared: why" or "differ: where", and the number.

    """
    try:
        first, second = (torch.load(path, weights_only=True) for path in (a, b))
    except Exception as error:  # a run was ended before it wrote them
        return f"not compared: {type(error).__name__}", 0
    if second["failure"]:
        return f"not compared: the change was not made: {second['failure']}", 0
    mine, others = first["calls"], second["calls"]
    if not mine:
        return "not compared: no compiled function returned", 0
    if len(mine) != len(others):
        return f"differ: {len(mine)} calls of compiled functions, then {len(others)}", 0
    worst = "the same"
    for number, ((name, one), (_, other)) in enumerate(zip(mine, others, strict=True)):
        found = _difference(one, other)
        if found not in ("the same", "the same to rounding"):
            return f"differ: call {number} of {name}: {found}", number
        worst = found if found != "the same" else worst
    return worst, len(mine)


def _difference(a: Any, b: Any) -> str:
    if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor):
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"{a.dtype} {tuple(a.shape)}, then {b.dtype} {tuple(b.shape)}"
        if torch.equal(a, b):
            return "the same"
        try:
            torch.testing.assert_close(a, b, equal_nan=True)
        except AssertionError as error:
            return str(error).split("\n", 1)[0]
        return "the same to rounding"
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        found = [_difference(x, y) for x, y in zip(a, b, strict=True)]
        return next((f for f in found if not f.startswith("the same")), max(found, key=len, default="the same"))
    if isinstance(a, float) and isinstance(b, float) and a != b:
        return "the same to rounding" if abs(a - b) <= 1e-5 * max(abs(a), abs(b)) else f"{a!r}, then {b!r}"
    return "the same" if type(a) is type(b) and (a == b or a != a) else f"{a!r}, then {b!r}"
