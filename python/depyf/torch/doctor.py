# SPDX-License-Identifier: MIT
"""`depyf.doctor()`: which features of depyf work with the installed torch, tried with a small test program.

Invariant: the answers come from the private names found in torch and from the run of the test program, never from
version numbers alone.
"""

from __future__ import annotations

import platform
import tempfile
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from depyf.torch.internals import capabilities, names, texts

WORKS, LOST, NOT_IN_TORCH = "works", "LOST", "not in this torch"


@dataclass(frozen=True)
class Row:
    """The state of one capability with this torch."""

    name: str
    state: str  # "works", "LOST", or "not in this torch" (the release is too old to have what the capability uses)
    missing: tuple[str, ...] = ()  # the private names that this torch lacks
    lost: str = ""  # the features that are lost


@dataclass(frozen=True)
class Report:
    """The result of `depyf.doctor()`. `str()` gives a table."""

    torch: str  # version
    python: str  # version
    rows: tuple[Row, ...]
    problems: tuple[str, ...]  # failures in the run of the test program

    @property
    def ok(self) -> bool:
        """Whether nothing is lost and the test program ran without problems."""
        return not self.problems and all(row.state != LOST for row in self.rows)

    def __str__(self) -> str:
        return "\n".join(self._lines())

    __repr__ = __str__

    def _lines(self) -> Iterator[str]:
        working = sum(row.state == WORKS for row in self.rows)
        yield f"depyf with torch {self.torch} on Python {self.python}: {working} of {len(self.rows)} capabilities work"
        width = max(len(row.name) for row in self.rows)
        for row in self.rows:
            yield f"  {row.name:<{width}}  {row.state}" + (f": no {', '.join(row.missing)}" if row.missing else "")
            if row.lost:
                yield f"  {'':<{width}}  {row.lost}"
        for problem in self.problems:
            yield textwrap.fill(f"problem: {problem}", 118, initial_indent="  ", subsequent_indent="    ")


def doctor() -> Report:
    """Check which features of depyf work with the installed torch.

    Compiles a few functions of its own with the backends eager and aot_eager, one of them ahead of time, and exports a
    module. The compiled functions of the program are not affected.

    Returns:
        A report with one row for each capability. `str()` gives a table; `ok` is true if nothing is lost.

    Examples:
        >>> import depyf
        >>> "guards" in str(depyf.doctor())
        True

    """
    with tempfile.TemporaryDirectory(prefix="depyf-doctor-") as folder:
        problems = tuple(_try_toy(Path(folder)))
    names.check(loaded_only=False)
    missing = names.missing()
    rows = tuple(_row(capability, missing) for capability in capabilities.CAPABILITIES)
    return Report(torch.__version__, platform.python_version(), rows, problems)


def _row(capability: capabilities.Capability, missing: dict[str, str]) -> Row:
    """Returns the state of a capability, given the private names that this torch lacks."""
    if names.release() < capability.since:
        return Row(capability.name, NOT_IN_TORCH)
    lacking = tuple(name for name in capability.needs if name in missing)
    return Row(capability.name, LOST if lacking else WORKS, lacking, capability.lost if lacking else "")


def _try_toy(folder: Path) -> Iterator[str]:
    """Runs the test program under depyf and yields descriptions of what failed."""
    from depyf.torch import session
    from depyf.torch.explain import dispatch

    early = torch.compile(_toy, backend="eager")
    expected = _toy(torch.ones(2, 3))
    early(torch.ones(2, 3))
    block = session.prepare_debug(folder)
    with block:
        watched = torch.compile(_watched, backend="aot_eager")
        results = [watched(torch.ones(rows, 3, requires_grad=True)) for rows in (2, 3)]
        results[0].sum().backward()
        for what, attempt in (("compilation ahead of time", _ahead), ("torch.export", _export)):
            try:
                attempt()
            except Exception as error:  # not supported by this torch, or not on this platform
                yield f"{what} of the test program failed: {type(error).__name__}: {error}"
    if (called := _after_eval()) is not None:
        yield called
    yield from (f"{p.what}: {p.error}" for p in block.record.problems)
    if not torch.equal(results[0], expected):
        yield "the test program has different results under depyf"
    compiled = {entry.name for entry in block.record.entries}
    if _watched.__name__ not in compiled:
        yield "the transformed code of the test program was not recorded"
    for function, argument in ((early, torch.ones(2, 3)), (watched, torch.ones(2, 3, requires_grad=True))):
        try:
            decision = dispatch.which_entry(function, argument)
        except Exception as error:
            yield f"which_entry failed: {type(error).__name__}: {error}"
            continue
        if not decision.hit:
            yield f"which_entry finds no entry for a call for which torch.compile uses one: {decision}"


def _toy(x: Any) -> Any:
    y = torch.sin(x) * 2
    torch.compiler.disable(abs)(1)
    return y + x


def _watched(x: Any) -> Any:  # the same text in another code object, so that it has no entries of `_toy`
    y = torch.sin(x) * 2
    torch.compiler.disable(abs)(1)
    return y + x


class _Doubling(torch.nn.Module):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()
        self.inner = torch.nn.Linear(1, 1)

    def forward(self, x: Any) -> Any:
        y = self.inner(x)
        return y if self.training else y * 2


def _after_eval() -> str | None:
    """Returns what is wrong if torch calls an entry for the training mode of a module in its evaluation mode.

    The recursive dictionary tags of torch 2.9 rely on versions of dictionaries, which CPython 3.13.0 does not change
    if an attribute is set (python/cpython#125608).
    """
    module, argument = _Doubling(), torch.ones(2, 1)
    compiled = torch.compile(module, backend="eager")
    for _ in range(3):  # torch first learns the versions
        compiled(argument)
    module.eval()
    if torch.equal(compiled(argument), module(argument)):
        return None
    return (
        "not depyf's: after an attribute of a module changes (for example by module.eval()), this torch on this Python "
        "may call an entry whose guard fails, and which_entry tells what the guards say; CPython 3.13.1 mends it, or "
        f"{texts.EVERY_DICTIONARY_READ}"
    )


def _ahead() -> None:
    compiled = torch.compile(_straight, fullgraph=True, backend="eager")
    if hasattr(compiled, "aot_compile"):
        compiled.aot_compile(((torch.ones(2),), {}))(torch.ones(2))


def _straight(x: Any) -> Any:
    return x + 1


def _export() -> None:
    torch.export.export(torch.nn.ReLU(), (torch.ones(2),))
