# SPDX-License-Identifier: MIT
"""Why things happened: graph breaks, recompiles, symbols, caches and time, out of torch's structured trace.

Invariant: keeps text and numbers only. Works on a trace of this process, where a recompile's guards are asked again
while the frame is at hand, and on one from elsewhere, where torch's own text is all there is.
"""

from __future__ import annotations

import json
import linecache
import os
import re
from collections.abc import Callable
from typing import Any

import torch

from depyf.torch.internals import dynamo
from depyf.torch.internals.vocabulary import GENERAL_HINTS
from depyf.torch.model.compile_ids import OUTSIDE
from depyf.torch.model.location import NOWHERE, Location
from depyf.torch.model.record import (
    HITS_LIMIT,
    RAISES,
    SKIPS,
    CacheEvent,
    FailedCompilation,
    GraphBreak,
    Recompile,
    RecompileReason,
    Record,
    Specialization,
    Symbol,
)
from depyf.torch.model.titles import PHASES, WHOLE_FRAME

_WHERE = re.compile(r"Graph break in user code at (.+):(\d+)")
_REASON = re.compile(r"^(?:Graph Break )?Reason: (.+)$", re.MULTILINE)  # the short form until torch 2.7
_EXPLANATION = re.compile(
    r"^  Explanation: (.*?)(?=^  Hint: |^  Developer debug context: |\Z)", re.MULTILINE | re.DOTALL
)
_HINT = re.compile(r"^  Hint: (.*?)(?=^  Hint: |^  Developer debug context: |^\s*$|\Z)", re.MULTILINE | re.DOTALL)
_CONTEXT = re.compile(r"^  Developer debug context: (.*)$", re.MULTILINE)
_SECOND = "*** While handling this graph break, another graph break occurred: ***"
_SKIPS = re.compile(r"[Ss]kip(?:ping)? (?:tracing )?the (?:frame|function)|which results in a skip")
_LIMIT = re.compile(r"Dynamo (?:recompile|cache) limit exceeded")
_PAGE = re.compile(r"please visit: (\S+)")
_STACK_LINE = re.compile(r'^  File "(.+?)", line (\d+), in (.+)\n(?:    (.*))?', re.MULTILINE)
_ENTRY = re.compile(r"^(!?[\d/!]+/\d+): (.*)$", re.DOTALL)
_TORCHS_OWN = re.compile(r"-packages/torch/|/torch/_(?:dynamo|inductor|functorch|higher_order_ops)/")
_CHECK_END = re.compile(r"\s+# [^\n]*?# \S+:\d+ in [\w<>.]+(?:; |$)")  # torch's comment on a check
_CACHES = re.compile(r"^(?P<cache>\w+?)_(?P<outcome>hit|miss|bypass)(?:_|$)")
_QUOTED_PHASES = tuple(f'"{name}"' for name in PHASES)
# Asks the guards of known entries of the frame being recompiled: which fail, what they expected and found.
Ask = Callable[[], list[RecompileReason]]


class Events:
    """Files the trace's reasons under a record."""

    def __init__(self, record: Record, file_name: Callable[[Any], str], ask: Ask | None = None) -> None:
        self._record = record
        self._file_name = file_name
        self._ask = ask
        self._open: dict[tuple[str, str], float] = {}

    def on_trace(self, compile_id: str, metadata: dict[str, Any], payload: str | None) -> None:
        """One event of the trace."""
        text = payload or ""
        if "artifact" in metadata:
            self._on_artifact(compile_id, str(metadata["artifact"].get("name", "")), text)
        elif "dynamo_start" in metadata:
            self._record.calls[compile_id] = self._stack(metadata["dynamo_start"].get("stack"))
            if self._ask is not None:  # in this process
                self._record.callers[compile_id] = _caller()
        elif "chromium_event" in metadata and is_phase(text):
            self.on_span(json.loads(text))
        elif "create_symbol" in metadata:
            self._on_symbol(compile_id, metadata["create_symbol"])
        elif "symbolic_shape_specialization" in metadata:
            self._on_specialization(compile_id, metadata["symbolic_shape_specialization"])
        elif "compilation_metrics" in metadata:
            self._on_metrics(compile_id, metadata["compilation_metrics"])

    # ---- graph breaks and recompiles

    def _on_artifact(self, compile_id: str, name: str, text: str) -> None:
        if name == "dynamo_graph_break_reason":
            self._add_break(graph_break(compile_id, text))
        elif name == "recompile_reasons":
            self._record.recompiles.append(self._recompile(compile_id, text))
        elif match := _CACHES.match(name):
            self._record.cache_events.append(CacheEvent(compile_id, match["cache"], match["outcome"]))

    def _add_break(self, found: GraphBreak) -> None:
        """The same break met again (from a caller's frame, or in a second entry) is one, with more compile ids."""
        for known in self._record.graph_breaks:
            if (known.where, known.reason) == (found.where, found.reason):
                known.compile_ids += [i for i in found.compile_ids if i not in known.compile_ids]
                known.skips.update(found.skips)
                known.times += 1
                return
        self._record.graph_breaks.append(found)

    def _recompile(self, compile_id: str, text: str) -> Recompile:
        torchs = torch_reasons(text)
        for reason in torchs:
            reason.entry = self._record.ids.name(reason.entry) if reason.entry else ""
        asked = self._ask() if self._ask is not None else []
        for reason in asked:
            reason.where = self._located(reason.where)
        for torchs_own in torchs:
            of_entry = [r for r in asked if r.entry == torchs_own.entry and not r.torch_text]
            same = next((r for r in of_entry if speaks_of(torchs_own.torch_text, r.source)), None)
            same = same or next(iter(of_entry), None)
            if same is not None:
                same.torch_text, same.where = torchs_own.torch_text, torchs_own.where or same.where
        return Recompile(compile_id, [*asked, *(r for r in torchs if r.entry not in {a.entry for a in asked})])

    def _located(self, where: Location) -> Location:
        """The whole path of a place that torch prints shortened, if just one of the frames seen has that file."""
        known = {start.path for start in self._record.starts.values()}
        found = [path for path in known if path.endswith(where.path)] if where else []
        return Location(found[0], where.line, where.function, where.code) if len(found) == 1 else where

    # ---- symbols

    def _on_symbol(self, compile_id: str, event: dict[str, Any]) -> None:
        symbol = Symbol(
            compile_id,
            str(event.get("symbol", "")),
            str(event.get("source", "")),
            str(event.get("val", "")),
            str(event.get("vr", "")),
            self._last(event.get("user_stack")),
        )
        seen = {(s.compile_id, s.name, s.source) for s in self._record.open_symbols}
        if (symbol.compile_id, symbol.name, symbol.source) not in seen:  # an attempt made anew names them again
            self._record.open_symbols.append(symbol)

    def _on_specialization(self, compile_id: str, event: dict[str, Any]) -> None:
        found = Specialization(
            compile_id,
            str(event.get("symbol", "")),
            tuple(map(str, event.get("sources") or ())),
            str(event.get("value", "")),
            str(event.get("reason", "")),
            self._last(event.get("user_stack")),
        )
        if found not in self._record.specializations:
            self._record.specializations.append(found)

    # ---- time

    def on_span(self, event: dict[str, Any]) -> None:
        """The beginning or the end of a span of the timeline."""
        name, phase = event.get("name"), event.get("ph")
        if name not in PHASES or phase not in ("B", "E"):
            return
        given, ids = str((event.get("args") or {}).get("compile_id") or OUTSIDE), self._record.ids
        whole = name == WHOLE_FRAME and phase == "B"  # it opens before anything else is told of the compilation
        compile_id = ids.announce(given) if whole else ids.name(given)
        key = (name, compile_id)
        if phase == "B":
            self._open.setdefault(key, float(event["ts"]))
        elif key in self._open:
            seconds = (float(event["ts"]) - self._open.pop(key)) / 1e6
            spent = self._record.phases.setdefault(compile_id, {})
            spent[name] = spent.get(name, 0.0) + seconds

    def _on_metrics(self, compile_id: str, event: dict[str, Any]) -> None:
        kept = {
            key: event.get(key) for key in ("co_name", "guard_count", "graph_op_count", "cache_size", "fail_reason")
        }
        if event.get("is_forward", True) is False:  # a backward's numbers say nothing of its frame
            return
        self._record.metrics[compile_id] = {key: value for key, value in kept.items() if value is not None}
        if event.get("fail_type"):
            self._record.failures.append(self._failure(compile_id, event))

    def _failure(self, compile_id: str, event: dict[str, Any]) -> FailedCompilation:
        name, path = event.get("co_name"), str(event.get("co_filename") or "")
        place = str(event.get("fail_user_frame_filename") or "")
        broken = next((b for b in self._record.graph_breaks if compile_id in b.compile_ids), None)
        where = Location(place, int(event.get("fail_user_frame_lineno") or 0)) if is_users(place) and place else NOWHERE
        return FailedCompilation(
            compile_id,
            self._record.names.get(compile_id) or str(name or self._record.name_of(compile_id)),
            Location(path, int(event.get("co_firstlineno") or 0), str(name))
            if name
            else self._record.origin_of(compile_id),
            str(event["fail_type"]),
            str(event.get("fail_reason") or ""),
            where or (broken.where if broken is not None else NOWHERE),
            self._effect(compile_id, event),
        )

    def _effect(self, compile_id: str, event: dict[str, Any]) -> str:
        """What becomes of the frame, as far as the trace tells: torch announces it when it skips one."""
        if _LIMIT.match(str(event.get("fail_reason") or "")):
            return HITS_LIMIT
        if event.get("config_suppress_errors"):
            return SKIPS
        skipped = any(compile_id in b.skips for b in self._record.graph_breaks)
        return SKIPS if skipped else "" if event["fail_type"] in ("Unsupported", "UserError") else RAISES

    # ---- stacks

    def _stack(self, frames: Any) -> tuple[Location, ...]:
        """The user's frames, outermost first."""
        found = [
            Location(
                self._file_name(frame.get("filename")),
                int(frame.get("line") or 0),
                str(frame.get("name") or ""),
                str(frame.get("loc") or "").strip(),
            )
            for frame in (frames if isinstance(frames, list) else ())
        ]
        return tuple(place for place in found if is_users(place.path))

    def _last(self, frames: Any) -> Location:
        stack = self._stack(frames)
        return stack[-1] if stack else NOWHERE


def _caller() -> Location:
    frame = dynamo.calling_frame()
    if frame is None:
        return NOWHERE
    code, line = frame.f_code, frame.f_lineno
    return Location(code.co_filename, line, code.co_name, linecache.getline(code.co_filename, line).strip())


def speaks_of(text: str, source: str) -> bool:
    """Whether torch's text of a failing guard is about what another guard of the entry looks at."""
    return bool(source) and re.search(rf"(?<![\w.]){re.escape(source)}(?!\w)", text) is not None


def is_users(path: str) -> bool:
    """Whether a file is the user's: neither PyTorch's own nor generated code."""
    generated = path.startswith("<") and not path.startswith("<ipython-input-")
    return not (generated or path.startswith(_TORCH_FOLDER) or _TORCHS_OWN.search(path.replace("\\", "/")))


_TORCH_FOLDER = os.path.join(torch.__path__[0], "")


def is_cache_event(artifact: str) -> bool:
    """Whether an artifact tells by its name what a cache did."""
    return "_cache_" in artifact or _CACHES.match(artifact) is not None


def is_phase(text: str) -> bool:
    """Whether an event of the timeline may tell of a phase: most are of no interest, and there are very many."""
    return text.startswith("{") and any(name in text for name in _QUOTED_PHASES)


def graph_break(compile_id: str, text: str) -> GraphBreak:
    """A graph break out of torch's own words."""
    where = _WHERE.search(text)
    user = text.split("User code traceback:", 1)[-1].split("\nTraceback (most recent call last):", 1)[0]
    stack = _printed_stack(user if "User code traceback:" in text else "")
    text = text.split("User code traceback:", 1)[0]  # what follows says it all again
    text, _, second = text.partition(_SECOND)  # why Dynamo cannot continue after the break
    head = _REASON.search(text)
    title = text[head.end() :].strip("\n").split("\n", 1)[0].strip() if head else ""
    explanation, context, page = _EXPLANATION.search(text), _CONTEXT.search(text), _PAGE.search(text)
    return GraphBreak(
        [compile_id],
        _broken_line(where, stack),
        title if title and not title.startswith("Explanation") else (head[1].strip() if head else text.strip()[:200]),
        _joined(explanation[1]) if explanation else "",
        tuple(hint for m in _HINT.finditer(text) if not (hint := _joined(m[1])).startswith(GENERAL_HINTS)),
        stack,
        context[1].strip() if context else "",
        page[1] if page else "",
        skips={compile_id: skips} if (skips := _skip_reason(text, second)) else {},
    )


def _skip_reason(text: str, second: str) -> str:
    """Why Dynamo skips the whole frame for a break, in its words; "" where it does not say that it skips it."""
    if not _SKIPS.search(text) and not _SKIPS.search(second):
        return ""
    explanation = _EXPLANATION.search(second)
    if explanation is not None:
        return _joined(explanation[1])
    sentence = next((s for s in re.split(r"(?<=[.!])\s|\n", text) if _SKIPS.search(s)), "")
    return _joined(sentence) or "Dynamo skips the frame"


def _joined(text: str) -> str:
    return " ".join(text.split())


def _printed_stack(text: str) -> tuple[Location, ...]:
    """The user's frames of a traceback that torch prints, outermost first."""
    found = (Location(m[1], int(m[2]), m[3].strip(), (m[4] or "").strip()) for m in _STACK_LINE.finditer(text))
    return tuple(place for place in found if is_users(place.path))


def _broken_line(where: re.Match[str] | None, stack: tuple[Location, ...]) -> Location:
    """The user's line of a graph break: the innermost one, where torch names a line of its own."""
    if where is None:
        return stack[-1] if stack else NOWHERE
    path, line = where[1], int(where[2])
    if not is_users(path):
        return stack[-1] if stack else Location(path, line)
    return next((place for place in reversed(stack) if (place.path, place.line) == (path, line)), Location(path, line))


def torch_reasons(text: str) -> list[RecompileReason]:
    """Reads torch's reasons of a recompile: a JSON list of texts, or the one text itself, of any number of lines."""
    try:
        found = json.loads(text)
    except ValueError:
        found = text
    return [r for reason in (found if isinstance(found, list) else [found]) for r in _torch_reasons_of(str(reason))]


def _torch_reasons_of(text: str) -> list[RecompileReason]:
    """One entry's reasons in torch's words: several with `TORCH_LOGS=recompiles_verbose`."""
    match = _ENTRY.match(text.strip())
    entry, rest = (match[1], match[2]) if match else ("", text.strip())
    said, _, trace = rest.partition("\nUser stack trace:\n")
    checks = [" ".join(check.split()) for check in _CHECK_END.split(said)]
    where = next(iter(reversed(_printed_stack(trace))), NOWHERE)
    return [RecompileReason(entry, torch_text=check, what=check, where=where) for check in checks if check]


def frame_of_recompile() -> tuple[dict[str, Any], dict[str, Any]]:
    """Locals (cells opened) and globals of the frame that Dynamo is compiling."""
    local = {}
    for name, value in dynamo.frame_locals().items():
        try:
            local[name] = value.cell_contents if type(value).__name__ == "cell" else value
        except ValueError:  # an empty cell
            continue
    return local, dynamo.frame_globals() or {}
