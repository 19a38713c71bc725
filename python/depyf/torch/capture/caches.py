# SPDX-License-Identifier: MIT
"""Reads what torch has compiled for functions of the running program from Dynamo's caches and from live objects.

Works with or without a session. Invariant: the program is not changed, and no object is kept alive.
"""

from __future__ import annotations

import functools
import gc
import inspect
import types
import weakref
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from depyf.decompilation import api
from depyf.torch.capture import frame_names, frame_status, snapshot
from depyf.torch.capture.bytecode import signature_of
from depyf.torch.capture.route import Target
from depyf.torch.guards import annotate, parse, render
from depyf.torch.guards.checks import Frame
from depyf.torch.guards.evaluate import Evaluator
from depyf.torch.guards.functions import friendly_text, roots_of
from depyf.torch.internals import cache_entries, guard_state, texts
from depyf.torch.internals.names import is_torchs
from depyf.torch.internals.stable_names import stable_code
from depyf.torch.model.enums import FrameStatus
from depyf.torch.model.location import NOWHERE, Location
from depyf.torch.model.record import Entry, Record, UncompiledFrame, in_order
from depyf.torch.model.status import StatusReport
from depyf.torch.model.words import one_line
from depyf.torch.write import trailing_comments

# ---- entries


@dataclass
class LiveEntry:
    """An entry of Dynamo's cache with the facts about it."""

    model: Entry
    code: types.CodeType  # what torch runs
    decompiled: Any = None  # created on first use


@dataclass
class LiveFrame:
    """A frame: the original code, its globals, and its entries in the order in which torch tries them."""

    key: str
    code: types.CodeType
    globals: dict[str, Any]
    entries: list[LiveEntry] = field(default_factory=list)
    status: StatusReport = field(default_factory=lambda: StatusReport(FrameStatus.UNKNOWN))


def torch_entries(target: Target, code: types.CodeType) -> list[Any]:
    """Returns Dynamo's entries of a code object that a call of the target may use, most recently used first.

    The list is empty if Dynamo skips the frame, even if torch still has entries, because they are not used.
    """
    entries = (
        cache_entries.cache_entries(code)
        if target.region is None
        else cache_entries.region_entries(code, target.region)
    )
    if target.backend is not None:
        entries = cache_entries.of_backend(entries, target.backend)
    valid = [entry for entry in entries if entry.code is not None]  # invalidated entries have no code
    return valid if valid and frame_status.status_of(code, target.wrapper).uses_entries else []


class Reader:
    """Reads frames from Dynamo's caches. Reuses facts about entries that were read before or recorded by a session."""

    def __init__(self, record: Record | None = None) -> None:
        self.record = record
        self._seen: dict[int, LiveEntry] = {}  # by id of the code, because it may not be hashable

    def frames(self, target: Target) -> list[LiveFrame]:
        """Returns the function's frame and those of the resume functions that it reaches."""
        function = target.function
        frames = [LiveFrame("frame_0", function.__code__, function.__globals__)]
        keys = {id(function.__code__): "frame_0"}
        for frame in frames:  # grows during the iteration
            frame.status = frame_status.status_of(frame.code, target.wrapper)
            for cached in torch_entries(target, frame.code):
                entry = self._entry(cached, frame, function)
                resumes: dict[str, str] = {}
                for name in entry.model.resume_fns:
                    resume = frame.globals.get(name)
                    code = cache_entries.resume_code(resume)
                    if code is None:
                        continue
                    if id(code) not in keys:
                        keys[id(code)] = f"frame_{len(frames)}"
                        frames.append(
                            LiveFrame(keys[id(code)], code, cache_entries.resume_globals(resume) or frame.globals)
                        )
                    resumes[name] = keys[id(code)]
                entry.model = replace(entry.model, code_key=frame.key, resume_codes=resumes, order=0)
                frame.entries.append(entry)
        current = {id(entry.code) for frame in frames for entry in frame.entries}
        self._seen = {key: entry for key, entry in self._seen.items() if key in current}  # the others may be freed
        return frames

    def own_entries(self, target: Target) -> list[Entry]:
        """Returns the function's own entries in torch's order; the same object each time for the same entry."""
        return [entry for _, entry in self._own_entries(target)]

    def failing_part(self, target: Target, entry: Entry, local: Mapping[str, Any]) -> str | None:
        """Returns torch's own report on the guards of one of these entries; see `guard_state.failing_part`."""
        manager = self._guard_manager(target, entry)
        return guard_state.failing_part(manager, local) if manager is not None else None

    def failing_stack(self, target: Target, entry: Entry, local: Mapping[str, Any]) -> tuple[Location, ...]:
        """Returns the stack of the program that introduced the failing guard, outermost first; () if unknown."""
        manager = self._guard_manager(target, entry)
        stack = guard_state.failing_stack(manager, local) if manager is not None else ()
        return tuple(Location(*place) for place in stack)

    def _own_entries(self, target: Target) -> Iterator[tuple[Any, Entry]]:
        """Yields Dynamo's entries of the function itself, in torch's order, with the facts about each."""
        function = target.function
        frame = LiveFrame("frame_0", function.__code__, function.__globals__)
        for cached in torch_entries(target, frame.code):
            yield cached, self._entry_with_defaults(cached, frame, function)

    def _guard_manager(self, target: Target, entry: Entry) -> Any:
        """Returns torch's guard manager of one of the function's own entries; None if it is not an entry any more."""
        return next((cached.guard_manager for cached, own in self._own_entries(target) if own is entry), None)

    def _entry_with_defaults(self, cached: Any, frame: LiveFrame, function: types.FunctionType) -> Entry:
        entry = self.entry(cached, frame)
        if entry.parameters in ("", entry.signature) and not entry.defaults_known and frame.code is function.__code__:
            snapshot.of_function(entry, function)
        return entry

    def entry(self, cached: Any, frame: LiveFrame) -> Entry:
        """Returns the facts about one of Dynamo's entries: those that a session recorded, or those read now."""
        code = cached.code
        entry = self._recorded(cached, frame)
        if entry is None:
            stored = _read_entries.get(id(code))
            entry = stored[1] if stored is not None and stored[0]() is code else None
        if entry is None:
            entry = self._read(cached, frame)
            key = id(code)  # the code object is not kept alive
            _read_entries[key] = (weakref.ref(code, lambda gone: _forget(key, gone)), entry)
        _note_state(entry, cached.guard_manager)
        return entry

    def _entry(self, cached: Any, frame: LiveFrame, function: types.FunctionType) -> LiveEntry:
        code = cached.code
        live = self._seen.get(id(code))
        if live is None:
            live = self._seen[id(code)] = LiveEntry(replace(self._entry_with_defaults(cached, frame, function)), code)
        return LiveEntry(live.model, live.code, live.decompiled)

    def _recorded(self, cached: Any, frame: LiveFrame) -> Entry | None:
        """Returns the facts that a session recorded when this entry was compiled, or None."""
        for entry in self.record.entries if self.record is not None else ():
            if entry.is_of(frame.code) and entry.runs(cached.code) and entry.guards_known:
                return entry
        return None

    def _read(self, cached: Any, frame: LiveFrame) -> Entry:
        """Reads an entry that was compiled while no session was open."""
        code = cached.code
        backend = cache_entries.backend_name(getattr(cached, "backend", None))
        entry = Entry(str(cached.compile_id), frame.code.co_name, frame_names.start_of(frame.code), backend)
        entry.signature, entry.arguments = signature_of(frame.code)
        entry.free_variables = frame.code.co_freevars
        entry.module = str(frame.globals.get("__name__", ""))
        entry.compiled_fn = next((n for n in code.co_names if texts.COMPILED_FN.match(n)), "")
        entry.resume_fns = cache_entries.resume_names(code)
        entry.side_effects = tuple(map(friendly_text, cache_entries.side_effects(code)))
        for name in entry.resume_fns:
            resume = cache_entries.resume_code(frame.globals.get(name))
            entry.continues[name] = frame_names.continues_at(resume) if resume is not None else NOWHERE
        entry.eager_from = frame_names.eager_from(frame.code, code) if not entry.resume_fns else NOWHERE
        entry.original = weakref.ref(frame.code)
        entry.guards, entry.guards_known = parse.parse_tree(str(cached.guard_manager)), True
        annotate.name_dictionary_classes(
            entry.guards, frame.globals, functools.partial(guard_state.is_for_class, cached.guard_manager)
        )
        modules, names = annotate.find_public_names(entry.guards, frame.globals)
        entry.modules.update(modules)
        entry.live_names = tuple(sorted(names))
        snapshot.globals_read(entry, code, frame.globals)
        snapshot.of_globals(entry, frame.globals)
        entry.wraps = _wrapped_by(entry, frame)
        try:
            decompiled = api.decompile(stable_code(code))
            resumes = trailing_comments.of_resumes(entry.continues)
            entry.text = trailing_comments.annotate_calls(str(decompiled), resumes)
            entry.set_verification(decompiled)
            snapshot.of_text(entry, decompiled.context.opaque)
        except Exception as error:  # the file shows the reason; Dynamo's own bytecode runs
            entry.failure, entry.verdict = f"{type(error).__name__}: {error}", "not decompiled"
        return entry


def _wrapped_by(entry: Entry, frame: LiveFrame) -> Location:
    """Returns the user's function that a wrapper of PyTorch called when an entry was compiled; NOWHERE if unknown.

    All such wrappers share one code object; the function that each calls is in a free variable.
    """
    names_free = frame.code.co_freevars
    if not is_torchs(frame.code.co_filename) or not names_free:
        return NOWHERE
    evaluator = Evaluator([g for g in entry.guards if roots_of(render.render(g)) & {*names_free}])
    functions = set()
    for function in gc.get_referrers(frame.code):
        if not isinstance(function, types.FunctionType) or function.__code__ is not frame.code:
            continue
        local = {
            name: frame_names.cell_value(c) for name, c in zip(names_free, function.__closure__ or (), strict=True)
        }
        if evaluator.first_failure(Frame(local, frame.globals))[0] is None:
            functions.add(frame_names.wrapped_by(frame.code, local))
    return functions.pop() if len(functions) == 1 else NOWHERE


_read_entries: dict[int, tuple[weakref.ref[types.CodeType], Entry]] = {}
"""Facts about entries that no session recorded, by the id of the code that torch runs for each."""


def _forget(key: int, gone: weakref.ref[types.CodeType]) -> None:
    stored = _read_entries.get(key)
    if stored is not None and stored[0] is gone:
        del _read_entries[key]


def _note_state(entry: Entry, guard_manager: Any) -> None:
    """Notes state that guards compare with but do not print, if it is the current state of the process."""
    kinds = {guard.kind for guard in entry.guards if annotate.compares_unknown_state(guard)}
    if "TORCH_FUNCTION_MODE_STACK" in kinds and guard_state.state_fits(guard_manager, "TORCH_FUNCTION_MODE_STACK"):
        annotate.name_function_modes(entry.guards, guard_state.function_modes())
    if "GLOBAL_STATE" in kinds and guard_state.state_fits(guard_manager, "GLOBAL_STATE"):
        annotate.note_global_state(entry.guards, guard_state.global_state())


def uncompiled_frame(code: types.CodeType, status: StatusReport) -> UncompiledFrame:
    """Describes a frame of which all calls, or those that match no entry, run eagerly."""
    signature, arguments = signature_of(code)
    try:
        decompiled = api.decompile(code)
        text, verdict = str(decompiled), decompiled.verdict.describe()
    except Exception as error:
        text, verdict = "", f"not decompiled: {type(error).__name__}: {error}"
    verdict = one_line(verdict)
    name = frame_names.name_of_frame(code, {})
    return UncompiledFrame(
        name, frame_names.start_of(code), signature, text, verdict, code.co_freevars, status, arguments
    )


def note_statuses(record: Record, codes: Iterable[tuple[types.CodeType, str]]) -> None:
    """Adds the status of each frame, and a description of those that run eagerly, to a record.

    Args:
        record: The record of a session.
        codes: The code objects that Dynamo met while the session was open, with their keys.

    """
    compiled = {entry.code_key for entry in record.entries}
    for code, key in codes:
        if not frame_status.has_met(code):  # after a reset, the recorded events are the best source
            record.forgotten.add(key)
            continue
        record.forgotten.discard(key)
        record.statuses[key] = status = frame_status.status_of(code)
        runs_eagerly = not status.uses_entries or status.status is FrameStatus.RECOMPILE_LIMIT
        if runs_eagerly if key in compiled else status.status is not FrameStatus.COMPILED:
            record.uncompiled[key] = uncompiled_frame(code, status)


def entries_of_region(record: Record, code: types.CodeType, scope: dict[str, Any], region: int) -> list[Entry]:
    """Returns the entries of a frame that a call in an isolated region (-1: none) may use, in torch's order.

    Invalidated entries are omitted: they have no code in torch's cache, even if the code that they ran still exists.
    """
    recorded = [entry for entry in record.entries if entry.is_of(code) and entry.guards_known]
    entries = []
    for cached in cache_entries.region_entries(code, region):
        if cached.code is None:
            continue
        matching = [entry for entry in recorded if entry.runs(cached.code)]
        if not matching:  # a later hook has replaced the code that was recorded
            name = record.ids.name(str(cached.compile_id))
            matching = [entry for entry in recorded if entry.compile_id == name]
        if not matching:  # compiled while no session was open
            matching = [Reader(record).entry(cached, LiveFrame("", code, scope))]
        entries += matching[-1:]
    return entries


def note_order(record: Record) -> None:
    """Notes the order in which torch tries the entries of each frame: recently used ones first, dropped ones last."""
    for function in record.functions:
        newest = in_order(function.entries)
        code = newest[0].original() if newest[0].original is not None else None
        running = [e.code for e in cache_entries.cache_entries(code)] if code is not None else []
        tried = sorted(newest, key=lambda e: next((i for i, r in enumerate(running) if e.runs(r)), len(running)))
        for entry, order in zip(tried, [e.order for e in newest], strict=True):
            entry.order = order


def note_dropped(entries: Iterable[Entry]) -> None:
    """Marks entries that torch has dropped although the code of their frames still exists: a call recompiles."""
    entries = list(entries)
    for entry in entries:
        code = entry.original() if entry.original is not None else None
        if code is None or entry.running is None or entry.is_ahead_of_time:  # the latter are never in Dynamo's cache
            continue
        # a later hook may have replaced the code that was recorded
        codes = [e.code for e in cache_entries.cache_entries(code) if e.code is not None]
        entry.dropped = all(any(e.runs(k) for e in entries if e is not entry) for k in codes)


# ---- functions of code objects


def functions_of(codes: Iterable[types.CodeType]) -> dict[int, types.FunctionType]:
    """Returns the newest existing function for each code object that has one, by the code's id."""
    code_of_id = {id(code): code for code in codes}
    if not code_of_id:
        return {}
    referrers = gc.get_referrers(*code_of_id.values())
    return {id(f.__code__): f for f in referrers if isinstance(f, types.FunctionType) and id(f.__code__) in code_of_id}


_MAX_WRAPPERS = 100  # they may form a ring


def function_of_frame(
    code: types.CodeType, scope: Mapping[str, Any], local: Mapping[str, Any]
) -> types.FunctionType | None:
    """Returns the function whose code a frame runs, if its globals or the class of its first argument contain it."""
    path = getattr(code, "co_qualname", code.co_name).split(".")
    member = scope.get(path[0])
    for name in path[1:]:
        member = inspect.getattr_static(member, name, None) if isinstance(member, type) else None
    owner = type(local.get(code.co_varnames[0])) if code.co_argcount else object
    for value in (member, inspect.getattr_static(owner, code.co_name, None)):
        for _ in range(_MAX_WRAPPERS):
            value = getattr(value, "__func__", value) if isinstance(value, staticmethod | classmethod) else value
            if isinstance(value, types.FunctionType) and value.__code__ is code:
                return value
            value = vars(value).get("__wrapped__") if isinstance(value, types.FunctionType) else None
    return None


def note_defaults(entries: Iterable[Entry]) -> None:
    """Adds default arguments to entries whose functions were not available but still exist; scans all objects."""
    wanted = (e for e in entries if e.arguments and not e.defaults_known and not e.is_resume)
    originals = [(e, e.original()) for e in wanted if e.original is not None]
    functions = functions_of(code for _, code in originals if code is not None)
    for entry, code in originals:
        if id(code) in functions:
            snapshot.of_function(entry, functions[id(code)])
