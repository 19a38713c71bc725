# SPDX-License-Identifier: MIT
"""Compares what depyf and torch say of one compiled function: its cache entries, and which of them a call uses.

Torch is asked through `tools.judges`, which does not use depyf: its caches, its guard managers, and the code that calls
really run.
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
    """The results of comparisons. `problems` is empty if depyf and torch agree."""

    calls: int = 0  # calls that both were asked about, of any frame
    frames: int = 0  # those of them that were calls of inner frames, such as resume functions
    entries: int = 0  # entries of all frames that torch holds at the end
    recorded: int = 0  # entries that depyf's session recorded
    verdicts: int = 0  # compared verdicts of guards: one for each entry and call
    hits: int = 0  # calls that use an entry
    choices: int = 0  # calls for which the entry that ran was compared with the predicted one
    eager: int = 0  # calls of frames that torch skips, according to depyf
    backwards: int = 0  # calls after which a backward ran
    skipped: list[str] = field(default_factory=list)  # reasons of skipped frames, according to depyf
    without_entry: list[str] = field(default_factory=list)  # torch's reasons why the called frame has no entry
    problems: list[str] = field(default_factory=list)

    @property
    def is_vacuous(self) -> bool:
        """Returns whether no guard was compared and torch gave no reason for that."""
        return not self.verdicts and not self.without_entry

    def add(self, other: Agreement) -> None:
        """Adds the results of another comparison."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


def id_in_torch(compile_id: str) -> str:
    """Returns a compile id as torch counts it: torch starts again after each reset."""
    return compile_id.partition(" after reset")[0]


def compare_decision(
    compiled: Callable[..., Any], args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
) -> Agreement:
    """Asks depyf and torch about one call, without making it."""
    kwargs = dict(kwargs or {})
    frame = torch_says.called(compiled, args, kwargs)
    agreement = Agreement(calls=1)
    try:
        ours = depyf.entries(compiled)
    except depyf.NotCompiled:
        if frame.ids:
            agreement.problems.append(f"torch holds {', '.join(frame.ids)}; depyf says not compiled")
        return agreement
    decision = depyf.which_entry(compiled, *args, **kwargs)
    if decision.status.status is FrameStatus.SKIPPED:  # compare_call checks it against the code that runs
        agreement.eager += 1
        agreement.skipped.append(f"{decision.name}: {decision.status.reason or 'no reason given'}")
        return agreement
    verdicts = {id_in_torch(entry.compile_id): bool(entry.explain(*args, **kwargs)) for entry in ours}
    expected = frame.verdicts()
    if list(verdicts) != list(expected):
        agreement.problems.append(
            f"entries {', '.join(verdicts) or 'none'}; torch holds {', '.join(expected) or 'none'}"
        )
    agreement.verdicts, agreement.hits = len(expected), int(decision.hit)
    wrong = [
        f"[{i}] {'holds' if verdicts[i] else 'fails'}" for i in verdicts if i in expected and verdicts[i] != expected[i]
    ]
    if wrong:
        agreement.problems.append(f"{decision.name}: guards with another verdict from torch: {', '.join(wrong)}")
    chosen = id_in_torch(decision.compile_id) if decision.hit else None
    if chosen != frame.choice():
        agreement.problems.append(f"{decision.name}: depyf predicts {chosen}; torch's guards accept {frame.choice()}")
    if not expected and decision.status.status is not FrameStatus.COMPILED:
        agreement.skipped.append(f"{decision.name}: {decision.status}")
    return agreement


def compare_call(
    compiled: Callable[..., Any],
    args: tuple[Any, ...] = (),
    kwargs: Mapping[str, Any] | None = None,
    call: Callable[[], Any] | None = None,
) -> Agreement:
    """Asks about one call, makes it, compares what torch ran, and then asks about the frames that the call entered.

    `call` makes the call if it is more than calling `compiled` with the arguments.
    """
    kwargs = dict(kwargs or {})
    agreement = compare_decision(compiled, args, kwargs)
    frame = torch_says.called(compiled, args, kwargs)
    before, decision = set(frame.ids), depyf.which_entry(compiled, *args, **kwargs)
    runs = torch_says.frames_run(call or (lambda: compiled(*args, **kwargs)))
    ran = next((run.compile_id for run in runs if run.code is frame.code), None)
    compiled_ids = [i for i in frame.ids if i not in before]
    predicted = id_in_torch(decision.compile_id) if decision.hit else None
    if ran != predicted:
        agreement.problems.append(f"{decision}; torch ran {ran}")
    if compiled_ids and (decision.hit or decision.runs_eagerly):
        agreement.problems.append(f"{decision}; torch compiled {', '.join(compiled_ids)}")
    agreement.choices += 1
    seen = [frame.code]
    for run in runs:
        if all(run.code is not code for code in seen):
            seen.append(run.code)
            agreement.add(_compare_inner(run))
    return agreement


def _compare_inner(run: torch_says.FrameRun) -> Agreement:
    """Asks about the call of a frame that another frame entered."""
    function = run.function()
    if function is None:
        return Agreement()
    args, kwargs = run.arguments()
    agreement = compare_decision(function, args, kwargs)
    agreement.frames = 1
    return agreement


def compare_full_code(compiled: Callable[..., Any]) -> Agreement:
    """Compares the entries in the full-code text with those that torch holds for the called frame."""
    agreement, ids = Agreement(), torch_says.called(compiled).ids
    try:
        full = depyf.full_code(compiled)
    except depyf.NotCompiled as error:
        agreement.problems += [f"torch holds {', '.join(ids)}; full code: {error}"] if ids else []
        return agreement
    ids_in_text = [id_in_torch(entry.compile_id) for entry in full.entries]
    if full.status.uses_entries and (ids_in_text != ids or full.text.count("def guards_") < len(ids)):
        agreement.problems.append(
            f"full code has {', '.join(ids_in_text) or 'nothing'}; torch holds {', '.join(ids) or 'nothing'}"
        )
    return agreement


def compare_record(entries: Iterable[Any]) -> Agreement:
    """Compares a closed session's entries of frames that are still alive with the entries that torch holds."""
    held = torch_says.all_ids()
    recorded = sorted(id_in_torch(e.compile_id) for e in entries if not e.dropped and e.original() is not None)
    agreement = Agreement(entries=len(held), recorded=len(recorded))
    if recorded != held:
        lacking, extra = sorted(set(held) - set(recorded)), sorted(set(recorded) - set(held))
        agreement.problems.append(f"recorded entries lack {lacking}, and include {extra}, which torch does not hold")
    return agreement
