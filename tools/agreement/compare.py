# SPDX-License-Identifier: MIT
"""Compares what depyf and torch say of one compiled function: the entries held, and which of them takes a call.

Torch is asked through `tools.judges`, which knows nothing of depyf: its caches, its guard managers, and the code that
calls really run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import depyf
from depyf import FrameStatus

from tools.judges import torch_says


@dataclass
class Agreement:
    """What was compared. `problems` is empty where both say the same."""

    calls: int = 0  # asked about, of whatever frame
    frames: int = 0  # calls of frames inside asked about, resume functions among them
    entries: int = 0  # that torch holds of all frames at the end
    recorded: int = 0  # by depyf's session
    verdicts: int = 0  # verdicts of guards compared: one for each entry and call
    hits: int = 0  # calls that an entry takes
    choices: int = 0  # calls of which the entry that ran was compared with the one foretold
    eager: int = 0  # calls of frames that torch skips, as depyf says
    backwards: int = 0  # that ran
    skipped: list[str] = field(default_factory=list)  # why torch runs frames eagerly, as depyf says
    without_entry: list[str] = field(default_factory=list)  # why torch holds none of the called frame, as torch says
    problems: list[str] = field(default_factory=list)

    @property
    def is_vacuous(self) -> bool:
        """Whether no guard was compared and torch gave no reason for that."""
        return not self.verdicts and not self.without_entry

    def add(self, other: Agreement) -> None:
        """Adds what another comparison gave."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


def torchs_id(compile_id: str) -> str:
    """A compile id as torch counts it: it begins again after each reset."""
    return compile_id.partition(" after reset")[0]


def of_call(
    compiled: Callable[..., Any], args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
) -> Agreement:
    """Asks depyf and torch about one call, without making it."""
    kwargs = dict(kwargs or {})
    frame = torch_says.called(compiled, args, kwargs)
    found = Agreement(calls=1)
    try:
        ours = depyf.entries(compiled)
    except depyf.NotCompiled:
        if frame.ids:
            found.problems.append(f"torch holds {', '.join(frame.ids)}; depyf says not compiled")
        return found
    decision = depyf.which_entry(compiled, *args, **kwargs)
    if decision.status.status is FrameStatus.SKIPPED:  # whether torch skips it the code that runs tells
        found.eager += 1
        found.skipped.append(f"{decision.name}: {decision.status.reason or 'no reason given'}")
        return found
    said = {torchs_id(entry.compile_id): bool(entry.explain(*args, **kwargs)) for entry in ours}
    expected = frame.verdicts()
    if list(said) != list(expected):
        found.problems.append(f"entries {', '.join(said) or 'none'}; torch holds {', '.join(expected) or 'none'}")
    found.verdicts, found.hits = len(expected), int(decision.hit)
    wrong = [f"[{i}] {'holds' if said[i] else 'fails'}" for i in said if i in expected and said[i] != expected[i]]
    if wrong:
        found.problems.append(f"{decision.name}: guards that torch judges otherwise: {', '.join(wrong)}")
    chosen = torchs_id(decision.compile_id) if decision.hit else None
    if chosen != frame.choice():
        found.problems.append(f"{decision.name}: a call takes {chosen}; torch's guards let {frame.choice()} take it")
    if not expected and decision.status.status is not FrameStatus.COMPILED:
        found.skipped.append(f"{decision.name}: {decision.status}")
    return found


def of_run(
    compiled: Callable[..., Any],
    args: tuple[Any, ...] = (),
    kwargs: Mapping[str, Any] | None = None,
    call: Callable[[], Any] | None = None,
) -> Agreement:
    """Asks about one call, makes it, and compares what torch ran; then asks about the frames that it entered.

    `call` makes the call where more belongs to it than the arguments.
    """
    kwargs = dict(kwargs or {})
    found = of_call(compiled, args, kwargs)
    frame = torch_says.called(compiled, args, kwargs)
    before, decision = set(frame.ids), depyf.which_entry(compiled, *args, **kwargs)
    runs = torch_says.frames_run(call or (lambda: compiled(*args, **kwargs)))
    ran = next((run.compile_id for run in runs if run.code is frame.code), None)
    made = [i for i in frame.ids if i not in before]
    foretold = torchs_id(decision.compile_id) if decision.hit else None
    if ran != foretold:
        found.problems.append(f"{decision}; torch ran {ran}")
    if made and (decision.hit or decision.runs_eagerly):
        found.problems.append(f"{decision}; torch compiled {', '.join(made)}")
    found.choices += 1
    seen = [frame.code]
    for run in runs:
        if all(run.code is not code for code in seen):
            seen.append(run.code)
            found.add(_of_inner(run))
    return found


def _of_inner(run: torch_says.FrameRun) -> Agreement:
    """Asks about the call of a frame that another one entered."""
    function = run.function()
    if function is None:
        return Agreement()
    args, kwargs = run.arguments()
    found = of_call(function, args, kwargs)
    found.frames = 1
    return found


def of_text(compiled: Callable[..., Any]) -> Agreement:
    """Compares what the full-code text says with the entries that torch holds of the called frame."""
    found, ids = Agreement(), torch_says.called(compiled).ids
    try:
        full = depyf.full_code(compiled)
    except depyf.NotCompiled as error:
        found.problems += [f"torch holds {', '.join(ids)}; full code: {error}"] if ids else []
        return found
    told = [torchs_id(entry.compile_id) for entry in full.entries]
    if full.status.uses_entries and (told != ids or full.text.count("def guards_") < len(ids)):
        found.problems.append(
            f"full code has {', '.join(told) or 'nothing'}; torch holds {', '.join(ids) or 'nothing'}"
        )
    return found


def of_record(entries: Iterable[Any]) -> Agreement:
    """Compares what a closed session says is compiled, of frames that still live, with what torch holds."""
    held = torch_says.all_ids()
    recorded = sorted(torchs_id(e.compile_id) for e in entries if not e.dropped and e.original() is not None)
    found = Agreement(entries=len(held), recorded=len(recorded))
    if recorded != held:
        lacking, extra = sorted(set(held) - set(recorded)), sorted(set(recorded) - set(held))
        found.problems.append(f"recorded entries lack {lacking}, and have {extra} that torch does not hold")
    return found
