# SPDX-License-Identifier: MIT
"""The first lines of an index: what runs eagerly and why, what broke, recompiled or failed, and where time went.

Invariant: at most `LINES` lines for any run; facts that do not fit are counted. Only the record is read.
"""

from __future__ import annotations

import collections
import re
import textwrap
from collections.abc import Iterable, Iterator

from depyf.torch.internals.texts import can_follow
from depyf.torch.model.enums import CacheOutcome, FailureEffect, FrameStatus, Source
from depyf.torch.model.frames import LOADED, NO_OPERATIONS, Frame
from depyf.torch.model.location import Paths, calling_line
from depyf.torch.model.phases import seconds_outside
from depyf.torch.model.record import GraphBreak, Recompile, RecompileReason, Record
from depyf.torch.model.titles import WHOLE_FRAME
from depyf.torch.model.words import and_so_for, count

LINES = 15
_WIDTH = 320  # maximum number of columns of a line
_SHOWN_SECONDS = 0.05  # shorter times, which would read 0.0 s, are omitted


def summary(record: Record, frames: list[Frame], paths: Paths) -> list[str]:
    """Returns the lines, each one a Markdown list item."""
    lines: list[str] = []
    if record.entries and not record.graph_count:
        lines.append("**No graph was captured:** everything that the compiled frames compute runs eagerly")
    rest = [*_absences(record, frames), *_caches(record), *_time(record), *_problems(record)]
    groups = (
        (3, "Frames", list(_eager(frames, paths))),
        (2, "Frames", list(_limits(frames, paths))),
        (2, "Frames", list(_loaded(frames, paths))),
        (2, "Failed compilations", list(_failures(record, frames, paths))),
        (2, "Graph breaks", [_break(b, paths) for b in record.graph_breaks]),
        (2, "Recompiles", list(_recompiles(record, frames, paths))),
        (1, "Frames", list(_captured_again(record))),
        (2, "CUDA graphs", list(dict.fromkeys(_cuda_graphs(record, paths)))),
    )
    spare = LINES - len(lines) - len(rest) - sum(min(limit, len(items)) for limit, _, items in groups)
    for limit, section, items in groups:
        hidden = len(items) - limit
        if 0 < hidden <= spare:  # lines that other groups do not need
            spare, hidden = spare - hidden, 0
        lines += items if hidden <= 0 else [*items[: limit - 1], f"… and {hidden + 1} more: see {section} below"]
    lines += rest
    return [f"- {textwrap.shorten(line, _WIDTH, placeholder=' …')}" for line in lines]


def _named(frame: Frame, paths: Paths) -> str:
    place = paths.show(frame.origin)
    note = ", before torch.compiler.reset()" if frame.is_forgotten else ""
    return f"`{frame.name}`" + (f" ({place})" if place else "") + note


def _eager(frames: list[Frame], paths: Paths) -> Iterator[str]:
    by_reason: dict[str, list[str]] = {}  # reason -> names of frames
    for frame in frames:
        if frame.status is FrameStatus.SKIPPED:
            reason = NO_OPERATIONS if frame.has_no_operations else why_skipped(frame, paths)
            by_reason.setdefault(reason, []).append(_named(frame, paths))
    rests: dict[str, None] = {}
    for frame in frames:
        for entry in frame.entries:
            if entry.eager_from:
                broken = next((b for b in frame.breaks if entry.compile_id in b.compile_ids), None)
                why = f": {no_resume_after(paths.show(broken.where), broken.reason)}" if broken is not None else ""
                rests[f"**Runs eagerly** from {paths.show(entry.eager_from)} on: `{frame.name}`{why}"] = None
    skipped = [(reason, f"**Runs eagerly:** {', '.join(names)}: {reason}") for reason, names in by_reason.items()]
    yield from (line for reason, line in skipped if reason != NO_OPERATIONS)
    yield from rests
    yield from (line for reason, line in skipped if reason == NO_OPERATIONS)


def no_resume_after(place: str, reason: str) -> str:
    """Returns why the rest of a frame runs eagerly after a graph break."""
    return f"Dynamo creates no resume function for the graph break at {place} ({reason})"


def why_skipped(frame: Frame, paths: Paths) -> str:
    """Returns why Dynamo skips a frame, in torch's words, after the graph break that is the cause, if there is one."""
    graph_break = frame.skipping_break
    if graph_break is None:
        return frame.skip_reason
    return f"graph break at {paths.show(graph_break.where)} ({graph_break.reason}). {frame.skip_reason}"


def _limits(frames: list[Frame], paths: Paths) -> Iterator[str]:
    for frame in frames:
        reached = f"**Recompile limit reached:** {_named(frame, paths)}"
        if frame.status is FrameStatus.RECOMPILE_LIMIT and frame.is_forgotten:
            yield f"{reached}: calls that matched no entry ran eagerly ({frame.reason})"
        elif frame.status is FrameStatus.RECOMPILE_LIMIT:
            entries = count(len(frame.entries), "entry", "entries")
            yield f"{reached}, {entries}: calls that match none of them run eagerly ({frame.reason})"
        elif frame.failures and frame.failures[-1].effect is FailureEffect.HITS_LIMIT:
            failure = frame.failures[-1]
            yield f"{reached} at [{failure.compile_id}], recompiled since then ({failure.reason})"


def _failures(record: Record, frames: list[Frame], paths: Paths) -> Iterator[str]:
    """Yields the failures of each frame, the latest one for each reason, and the failures without a frame."""
    of_id = {compile_id: frame for frame in frames for compile_id in frame.ids}
    listed_above = (FrameStatus.SKIPPED, FrameStatus.RECOMPILE_LIMIT)
    for failure in record.failures:
        frame = of_id.get(failure.compile_id)
        same_reason = [f for f in frame.failures if f.reason == failure.reason] if frame is not None else [failure]
        if failure.effect is FailureEffect.HITS_LIMIT or failure is not same_reason[-1]:
            continue
        if frame is not None and frame.status in listed_above and failure.reason == frame.failures[-1].reason:
            continue
        subject = _named(frame, paths) if frame is not None else f"`{failure.name}`"
        subject = f"backward of {subject}" if record.entry(failure.compile_id) is not None else subject
        place = f" at {paths.show(failure.where)}" if failure.where else ""
        more = f" → {failure.hints[0]}" if failure.hints else f". {failure.explanation}"
        text = f"{failure.reason}{more}".removesuffix(". ")
        yield f"**Failed to compile:** {subject} [{failure.compile_id}]{place}: {text}"


def _break(graph_break: GraphBreak, paths: Paths) -> str:
    place = paths.show(graph_break.where)
    times = f", met {graph_break.times} times" if graph_break.times > 1 else ""
    cures = [hint for hint in graph_break.hints if can_follow(hint, is_pytorchs_line=bool(graph_break.inner))]
    cure = f" → {cures[0]}" if cures else f". {graph_break.explanation}" if graph_break.explanation else ""
    function = f" in `{graph_break.where.function}`" if graph_break.where.function else ""
    where = f"{place}{function}{called_from(graph_break, paths)}{_pytorch_line(graph_break)}"
    return f"**Graph break** at {where}{times}: {graph_break.reason}{cure}"


def called_from(fact: GraphBreak | RecompileReason, paths: Paths) -> str:
    """Returns a clause with the program's line that leads to a line in a library; "" for a line of the program."""
    caller = calling_line(fact.where, fact.stack)
    return f", called from {paths.show(caller)}" if caller else ""


def _pytorch_line(graph_break: GraphBreak) -> str:
    """Returns a clause with the line of PyTorch's own code that breaks; "" if the user's line does."""
    return f", in PyTorch's {graph_break.inner}" if graph_break.inner else ""


def _recompiles(record: Record, frames: list[Frame], paths: Paths) -> Iterator[str]:
    """Yields a line for each frame that recompiled, with the first reason for which there is advice, if any."""
    compiled = [r for r in record.recompiles if record.entry(r.compile_id) is not None]
    keys = {compile_id: frame.key for frame in frames for compile_id in frame.ids}
    of_frame: dict[str | None, list[Recompile]] = {}
    for recompile in compiled:
        of_frame.setdefault(keys.get(recompile.compile_id), []).append(recompile)
    for frame in frames:
        recompiles = of_frame.get(frame.key, [])
        if not recompiles:
            continue
        shown, reason = _main_reason(recompiles)
        which = "the first" if shown is recompiles[0] else "one"
        times = f"{len(recompiles)} times; {which}" if len(recompiles) > 1 else "once"
        more = f", and {len(shown.reasons) - 1} more" if len(shown.reasons) > 1 else ""
        cure = f" → {reason.advice}{and_so_for(_same_advice(reason, shown))}" if reason and reason.advice else ""
        called = f" ({paths.show(reason.where)}{caller})" if reason and (caller := called_from(reason, paths)) else ""
        why = f": {reason.difference}{called}{more}{cure}" if reason else ""
        name = f"`{record.name_of(shown.compile_id)}` ({paths.show(frame.origin)})"
        yield f"**Recompiled:** {name} {times} [{shown.compile_id}]{why}"


def _main_reason(recompiles: list[Recompile]) -> tuple[Recompile, RecompileReason | None]:
    """Returns the reason to show for the recompiles of a frame, with its first recompile.

    A reason with advice is preferred, and among these the one to which most recompiles are due: without it, the call
    would have matched the entry that lacked least.
    """
    due = [(recompile, reason) for recompile in recompiles for reason in decisive_reasons(recompile)]
    times = collections.Counter((reason.source, reason.what) for _, reason in due)
    best = max(due, key=lambda pair: (bool(pair[1].advice), times[pair[1].source, pair[1].what]), default=None)
    return best if best is not None else (recompiles[0], None)


def decisive_reasons(recompile: Recompile) -> list[RecompileReason]:
    """Returns why the entry did not accept the call that has the fewest reasons not to."""
    by_entry: dict[str, list[RecompileReason]] = {}
    for reason in recompile.reasons:
        by_entry.setdefault(reason.entry, []).append(reason)
    return min(by_entry.values(), key=len, default=[])


def _loaded(frames: list[Frame], paths: Paths) -> Iterator[str]:
    """Yields a line on the frames whose code torch loaded from the results of another process."""
    names = [_named(frame, paths) for frame in frames if frame.is_loaded]
    if names:
        yield f"**Loaded:** {', '.join(names)}: {LOADED}"


def _captured_again(record: Record) -> Iterator[str]:
    """Yields a line on the backward passes that compiled autograd captured although it had captured others before."""
    again = [(name, why) for name, reasons in record.captures.items() if (why := why_captured(reasons))]
    if again:
        name, why = again[0]
        times = "once" if len(again) == 1 else f"{len(again)} times; the first"
        yield f"**Captured again by compiled autograd:** the backward pass, {times} [{name}]: {why}"


def why_captured(torch_reasons: Iterable[str]) -> str:
    """Returns why compiled autograd captured a backward pass, in torch's words; "" for the first capture."""
    reasons = [_MISS.sub("", reason) for reason in torch_reasons]
    return "; ".join(reason for reason in reasons if not (_FIRST_NODE in reason and reason.endswith(_NONE_BEFORE)))


# torch/csrc/dynamo/python_compiled_autograd.cpp: the root of every graph is a node of its cache, found by its key
_MISS = re.compile(r"^(?:!\d+: )?Cache miss due to ")
_FIRST_NODE, _NONE_BEFORE = "GraphRoot (NodeCall 0)", "previous key sizes=[]"


def _same_advice(reason: RecompileReason, recompile: Recompile) -> list[str]:
    """Returns other values that need the same advice: a marked size is specialized if an equal one is unmarked."""
    own_size = f"({reason.source}, "
    if not reason.source or own_size not in reason.advice:
        return []
    names = [r.source for r in recompile.reasons if r.advice == reason.advice.replace(own_size, f"({r.source}, ")]
    return [name for name in dict.fromkeys(names) if name != reason.source]


def _absences(record: Record, frames: list[Frame]) -> Iterator[str]:
    """Yields lines about what did not happen, if that is known."""
    if not frames and not record.graphs and not record.failures and record.source is Source.PROCESS:
        yield (
            "Nothing was compiled while depyf watched. Calls use entries that were compiled before, if there are any: "
            "`depyf.full_code(f)` shows them, `torch.compiler.reset()` drops them"
        )
    traced = [frame for frame in frames if not frame.is_loaded]
    if traced and all(f.status is FrameStatus.COMPILED and not f.failures for f in traced):
        parts = [] if record.graph_breaks else ["no graph break"]
        parts += [] if record.recompiles else ["no recompile"]
        yield f"Every frame that Dynamo traced is compiled{''.join(f', {part}' for part in parts)}"


def _caches(record: Record) -> Iterator[str]:
    counts: dict[str, dict[CacheOutcome, int]] = {}
    for event in record.cache_events:
        outcomes = counts.setdefault(event.cache, {})
        outcomes[event.outcome] = outcomes.get(event.outcome, 0) + 1
    if counts:
        plural = {CacheOutcome.HIT: "hits", CacheOutcome.MISS: "misses", CacheOutcome.BYPASS: "bypasses"}
        parts = [
            f"{cache} {', '.join(f'{n} {o.value if n == 1 else plural[o]}' for o, n in outcomes.items())}"
            for cache, outcomes in counts.items()
        ]
        yield f"**Caches:** {'; '.join(parts)}"
    changes = dict.fromkeys(str(c) for e in record.cache_events if e.outcome is CacheOutcome.MISS for c in e.changed)
    if changes:
        more = f" and {len(changes) - 1} more" if len(changes) > 1 else ""
        yield f"**Cache key:** results of the last run into this folder are not used: {next(iter(changes))}{more}"


def _cuda_graphs(record: Record, paths: Paths) -> Iterator[str]:
    for skip in record.cuda_graph_skips:
        where = f" at {paths.show(skip.location)}" if skip.location is not None else ""
        yield f"**No CUDA graph:** `{record.name_of(skip.compile_id)}` [{skip.compile_id}]{where}: {skip.reason}"
    for recording in record.cuda_graph_recordings:
        if recording.times > 1:
            graph = "backward graph" if recording.is_backward else "graph"
            subject = f"the {graph} of `{record.name_of(recording.compile_id)}` [{recording.compile_id}]"
            times = f"{recording.times} times, {recording.seconds:.3f} s"
            yield f"**Recorded again:** {subject} was recorded as a CUDA graph {times}"


def _time(record: Record) -> Iterator[str]:
    totals: dict[str, float] = {}
    for phase in record.phases:
        totals[phase.name] = totals.get(phase.name, 0.0) + phase.seconds
    parts = {"bytecode_tracing": "tracing", "backend_compile": "backend", "build_guards": "guards"}
    shares = [f"{text} {totals[name]:.1f} s" for name, text in parts.items() if name in totals]
    later = record.measured_seconds - totals.get(WHOLE_FRAME, 0.0)
    shares += [f"backward graphs {later:.1f} s"] if WHOLE_FRAME in totals and later >= _SHOWN_SECONDS else []
    for text, seconds in zip(("ahead of time", "outside any frame"), seconds_outside(record.phases), strict=True):
        shares += [f"{text} {seconds:.1f} s"] if seconds >= _SHOWN_SECONDS else []
    if shares or record.compile_seconds:
        share = f", of which {', '.join(shares)}" if shares else ""
        yield f"**Compile time:** {record.compile_seconds:.1f} s{share}"


def _problems(record: Record) -> Iterator[str]:
    if record.problems:
        yield f"**Problems in depyf:** {len(record.problems)}, see Problems below; the program was not affected"
