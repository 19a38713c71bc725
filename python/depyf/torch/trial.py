# SPDX-License-Identifier: MIT
"""One run of a program with one change, for `depyf why --try`: applies the change, and saves results for comparison.

Saved are the return values of functions that were compiled in the first run, for outermost calls only. These calls
occur in the same order whether torch compiles the functions, breaks their graphs or runs them eagerly. Invariant: no
error reaches the program. Values that cannot be saved are counted.
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

_NUMBERS = 2_000_000  # limit for the elements of tensors saved in one run
_CALLS = 1_000  # limit for the calls saved in one run


def begin(file: Path) -> None:
    """Applies the change and starts to save results, as specified in a file that `depyf why --try` wrote."""
    spec = json.loads(file.read_text("utf-8"))
    results = Results([tuple(place) for place in spec["functions"]], file.with_suffix(".pt"))
    if spec["change"] is not None:
        try:
            changes.apply(changes.load(spec["change"]))
        except Exception as error:
            results.failure = f"{type(error).__name__}: {error}"
    results.start()


class Results:
    """The return values of given functions, collected until the process exits."""

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
        """Starts to collect return values, with a profile function."""
        atexit.register(self.write)
        if self._wanted:
            dynamo.keep_from_dynamo(Results._on_event)
            threading.setprofile(self._on_event)
            sys.setprofile(self._on_event)

    def _on_event(self, frame: FrameType, event: str, value: Any) -> None:
        """The profile function: saves what the outermost call of each of the functions returns."""
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
        """Saves a value, unless a limit is reached."""
        if len(self._calls) >= _CALLS or self._numbers >= _NUMBERS:
            self._left_out += 1
            return
        self._calls.append((name, self._flat(value)))

    def _flat(self, value: Any) -> Any:
        """Returns a copy of a value that `torch.load` can read with `weights_only`.

        Only the shape of a large tensor, and only the type's name of any other object, is saved and compared.
        """
        if isinstance(value, torch.Tensor):
            self._numbers += value.numel()
            if value.numel() <= _NUMBERS:
                return value.detach().cpu().clone()
            self._left_out += 1
            return f"tensor of {tuple(value.shape)}"
        if isinstance(value, list | tuple):
            return [self._flat(item) for item in value]
        if isinstance(value, dict):
            return [[str(key), self._flat(item)] for key, item in value.items()]
        if isinstance(value, int | float | str | bool | None):
            return value
        self._left_out += 1
        return type(value).__name__

    def write(self) -> None:
        """Writes the collected values to a file."""
        sys.setprofile(None)
        threading.setprofile(None)
        with contextlib.suppress(Exception):
            saved = {"calls": self._calls, "left_out": self._left_out, "failure": self.failure}
            torch.save(saved, self._path)


def compare(a: Path, b: Path) -> tuple[str, int, int]:
    """Compares the results of two runs.

    Returns:
        "the same", "the same to rounding", "not compared: REASON" or "differ: WHERE"; how many calls were compared; and
        how many values of these runs were not saved, and so not compared.

    """
    try:
        first, second = (torch.load(path, weights_only=True) for path in (a, b))
    except Exception as error:  # a run was terminated before it wrote its results
        return f"not compared: {type(error).__name__}", 0, 0
    if second["failure"]:
        return f"not compared: the change could not be applied: {second['failure']}", 0, 0
    left_out = max(first["left_out"], second["left_out"])
    calls, other_calls = first["calls"], second["calls"]
    if not calls:
        return "not compared: no compiled function returned", 0, left_out
    if len(calls) != len(other_calls):
        return f"differ: {len(calls)} calls of compiled functions, then {len(other_calls)}", 0, left_out
    worst = "the same"
    for number, ((name, value), (_, other)) in enumerate(zip(calls, other_calls, strict=True)):
        difference = _difference(value, other)
        if difference not in ("the same", "the same to rounding"):
            return f"differ: call {number} of {name}: {difference}", number, left_out
        worst = difference if difference != "the same" else worst
    return worst, len(calls), left_out


def _difference(a: Any, b: Any) -> str:
    """Returns how two values differ: "the same", "the same to rounding", or a description."""
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
        items = [_difference(x, y) for x, y in zip(a, b, strict=True)]
        return next((d for d in items if not d.startswith("the same")), max(items, key=len, default="the same"))
    if isinstance(a, float) and isinstance(b, float) and a != b:
        return "the same to rounding" if abs(a - b) <= 1e-5 * max(abs(a), abs(b)) else f"{a!r}, then {b!r}"
    return "the same" if type(a) is type(b) and (a == b or a != a) else f"{a!r}, then {b!r}"
