# SPDX-License-Identifier: MIT
"""Full code bound to the compiled functions of the running program: where a call goes, and the call itself.

Works with or without a session. Invariant: the guards and the choice among entries are the file's own; what an entry
then runs is the decompiled text where it is known to behave as the bytecode does, else Dynamo's bytecode itself.
Nothing of the program changes, except that its globals hold the bound resume functions (under names of their own, as
Dynamo's are) while a bound file lives.
"""

from __future__ import annotations

import itertools
import linecache
import types
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from depyf.torch import frame_status, full_code, replay, seams
from depyf.torch.caches import LiveEntry, LiveFrame, NotCompiled, Reader, functions_of, target_of, uncompiled_frame
from depyf.torch.explain import Explanation, Failure, failures, first_failure, independent_failures
from depyf.torch.frame_status import FrameStatus, StatusReport
from depyf.torch.guard_checks import Frame
from depyf.torch.internals import conversions
from depyf.torch.location import NOWHERE
from depyf.torch.model import Entry, RecompileReason, Record

_serial = itertools.count()


# ---- where a call goes


@dataclass(frozen=True)
class Decision:
    """Where a call goes, and why not elsewhere."""

    name: str
    entry: Entry | None  # the first entry that takes the call, or None: torch.compile would compile
    would_compile: str  # the compile id it would get then
    failures: tuple[Failure, ...]  # of the entries that were tried before, first failing guard of each
    status: StatusReport = field(default_factory=lambda: StatusReport(FrameStatus.UNKNOWN))  # of the frame

    @property
    def hit(self) -> bool:
        """Whether some entry takes the call."""
        return self.entry is not None

    @property
    def compile_id(self) -> str:
        """Of the entry that takes the call, or of the one that would be compiled."""
        return self.entry.compile_id if self.entry is not None else self.would_compile

    @property
    def runs_eagerly(self) -> bool:
        """Whether torch runs the call eagerly: it skips the frame, or the recompile limit is reached."""
        return not self.hit and self.status.status in (FrameStatus.SKIPPED, FrameStatus.RECOMPILE_LIMIT)

    @property
    def reason(self) -> str:
        """Torch's reason for not compiling the call, "" where it gave none."""
        return "" if self.hit else self.status.reason

    def __str__(self) -> str:
        return "\n".join([self._head(), *(f"  {failure}" for failure in self.failures)])

    def _head(self) -> str:
        why = f" ({self.reason})" if self.reason else ""
        if self.hit:
            return f"entry [{self.compile_id}]"
        if self.runs_eagerly:
            return f"no entry: runs eagerly, {self.status.status.value}{why}"
        if self.status.status is FrameStatus.ERROR:
            return f"no entry: would compile again; the latest compilation failed{why}"
        if self.status.status is FrameStatus.UNKNOWN:
            return f"no entry: would compile or run eagerly, torch kept no record which{why}"
        return f"no entry: would compile [{self.would_compile}]"

    __repr__ = __str__


class BoundFullCode:
    """The full code of a compiled function, bound to its live graphs; called like the function.

    `text` is the file, `path` its name (in the dump folder when it is there already, else a name that tracebacks and
    debuggers resolve). Entries and their order are read anew before each call. Functions that it calls and that torch
    compiled on their own take torch's entries, as they do under torch.compile. A call runs the entries' code, or the
    original code where torch skips the frame or reached the recompile limit. Where the function has no entry and torch
    is not known to skip it, torch.compile alone knows what becomes of a call: it is handed the call, and
    `calls_handed_to_torch` counts these.
    """

    def __init__(self, fn: Any, record: Record | None = None, paths: tuple[str, ...] = ()) -> None:
        self._fn = fn
        self._target = target_of(fn)
        self._reader = Reader(record)
        self._record = record
        self._paths = paths
        self._state: tuple[Any, ...] = ()
        self._token = f"depyf{next(_serial)}"
        self._installed: dict[tuple[int, str], dict[str, Any]] = {}  # name in globals of that id -> these globals
        self._frames: list[LiveFrame] = []
        self._namespace: dict[str, Any] = {}
        self.text = ""
        self.path = ""
        self.calls_handed_to_torch = 0
        weakref.finalize(self, _remove, self._installed)
        self.refresh()
        if not self._frames[0].entries and not conversions.was_seen(self._frames[0].code):
            raise NotCompiled(
                f"{self._target.function.__qualname__} has no compiled entry: it was not called through torch.compile, "
                "or torch.compiler.reset() dropped what was compiled"
            )

    # ---- the public side

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.refresh()
        if self._target.wrapper is not None and not self._frames[0].entries and self._namespace and self._may_compile:
            self.calls_handed_to_torch += 1
            return self._fn(*args, **kwargs)
        with seams.compiled_frames_run():  # of other functions, that this one calls
            return self._function(*self._target.before, *args, **kwargs)

    @property
    def status(self) -> StatusReport:
        """What torch does with a call of the function, and its reason."""
        self.refresh()
        return self._frames[0].status

    @property
    def _may_compile(self) -> bool:
        """Whether torch may compile the function anew for a call that no entry takes."""
        return self._frames[0].status.status not in (FrameStatus.SKIPPED, FrameStatus.RECOMPILE_LIMIT)

    @property
    def entries(self) -> list[Entry]:
        """The function's entries in the order in which torch tries them."""
        self.refresh()
        return [self._explaining(e.model) for e in self._frames[0].entries]

    def which(self, *args: Any, **kwargs: Any) -> Decision:
        """Which entry a call with these arguments would take, by the file's own guards."""
        self.refresh()
        frame = Frame(self._target.bind(args, kwargs), self._target.function.__globals__)
        failed: list[Failure] = []
        for entry in self._frames[0].entries:
            failure = self._failure(entry.model, frame)
            if failure is None:
                return Decision(self._name, self._explaining(entry.model), "", tuple(failed))
            failed.append(failure)
        ids = [e.model.compile_id for e in self._frames[0].entries]
        return Decision(self._name, None, _next_id(ids), tuple(failed), self._miss(frame.locals))

    def _miss(self, local: Mapping[str, Any]) -> StatusReport:
        """The status of the function for a call that no entry takes: one more entry may exceed the recompile limit."""
        status = self._frames[0].status
        if status.status is not FrameStatus.COMPILED:
            return status
        region = seams.region_of(self._target.wrapper)
        exceeded = conversions.exceeds_recompile_limit(self._frames[0].code, -1 if region is None else region, local)
        if not exceeded or conversions.asks_for_full_graph(self._target.wrapper):
            return status
        return StatusReport(FrameStatus.RECOMPILE_LIMIT, exceeded)

    def failures(self, compile_id: str, *args: Any, **kwargs: Any) -> list[Failure]:
        """Every guard of an entry that does not hold for these arguments."""
        self.refresh()
        frame = Frame(self._target.bind(args, kwargs), self._target.function.__globals__)
        entry = next((e.model for e in self._frames[0].entries if e.model.compile_id == compile_id), None)
        if entry is None:
            raise NotCompiled(f"{self._name} has no entry [{compile_id}] now")
        return failures(self._guards(entry), frame, compile_id)

    def refresh(self) -> None:
        """Reads the entries and their order from torch, and writes the file anew if they changed."""
        frames = self._reader.frames(self._target)
        state = tuple((f.key, f.status, tuple(id(e.code) for e in f.entries)) for f in frames)
        if state == self._state and self._namespace:
            return
        before = self._frames
        self._frames, self._state = frames, state
        self._name = frames[0].code.co_name
        file = self._file(frames)
        if frames[0].entries or "frame_0" in file.record.uncompiled:
            self._load(file)
        else:
            self._namespace, self._function = {}, self._nothing
            self._show_dropped(before)

    def _file(self, frames: list[LiveFrame]) -> full_code.FullCode:
        record = Record(entries=[e.model for f in frames for e in f.entries])
        if self._record is not None:
            record.graphs = self._record.graphs
        for frame in frames:
            at_limit = frame.status.status is FrameStatus.RECOMPILE_LIMIT
            if at_limit or (not frame.entries and frame_status.has_met(frame.code)):
                record.uncompiled[frame.key] = uncompiled_frame(frame.code, frame.status)
        return full_code.FullCode(record, "frame_0", {f.key: [e.model for e in f.entries] for f in frames})

    def _show_dropped(self, frames: list[LiveFrame]) -> None:
        """The text of what torch had compiled, marked so."""
        for entry in (e for frame in frames for e in frame.entries):
            entry.model = replace(entry.model, dropped=True)
        if frames and frames[0].entries:
            self.text = self._file(frames).render()
            self.path = self._path()

    def __repr__(self) -> str:
        frame = self._frames[0]
        return f"<full code of {self._name}, {len(frame.entries)} entries, {frame.status.status.value}: {self.path}>"

    # ---- binding

    def _nothing(self, *args: Any, **kwargs: Any) -> Any:
        raise replay.NoEntryFits(f"no entry of {self._name} fits; torch.compile would compile one: there is none now")

    def _guards(self, entry: Entry) -> Any:
        return self._namespace[f"guards_{full_code.tag_of(entry)}"]

    def _failure(self, entry: Entry, frame: Frame) -> Failure | None:
        return _with_hint(first_failure(self._guards(entry), frame, entry.compile_id), entry)

    def _explaining(self, entry: Entry) -> Entry:
        def explain(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Explanation:
            frame = Frame(self._target.bind(args, kwargs), self._target.function.__globals__)
            return Explanation(entry.compile_id, self._failure(entry, frame))

        return replace(entry, explainer=explain)

    def _load(self, file: full_code.FullCode) -> None:
        self.text = file.render()
        self.path = self._path()
        namespace: dict[str, Any] = {"__name__": "depyf_full_code", "__file__": self.path}
        exec(compile(self.text, self.path, "exec", dont_inherit=True), namespace)
        namespace |= {file.scope(frame.key): frame.globals for frame in reversed(self._frames)}
        self._namespace = namespace
        for frame in self._frames[1:]:
            self._install_resume(file, frame)
        function = self._target.function
        self._function = self._dispatcher(file, self._frames[0], dict(_cells(function)))
        self._function.__defaults__, self._function.__kwdefaults__ = function.__defaults__, function.__kwdefaults__

    def _path(self) -> str:
        for path in self._paths:
            try:
                with open(path, encoding="utf-8") as stream:
                    if stream.read() == self.text:
                        return path
            except OSError:
                continue
        path = f"<full code of {self._name} {next(_serial)}>"
        # An entry without a time is never dropped: tracebacks and pdb show the text.
        linecache.cache[path] = (len(self.text), None, self.text.splitlines(keepends=True), path)
        weakref.finalize(self, linecache.cache.pop, path, None)
        return path

    def _dispatcher(self, file: full_code.FullCode, frame: LiveFrame, cells: dict[str, types.CellType]) -> Any:
        """The file's function for a frame, with what its entries run put in place."""
        if not frame.entries:
            return self._uncompiled(frame, cells)
        runs = {
            f"transformed_{full_code.tag_of(e.model)}": self._runnable(file, frame, e, cells) for e in frame.entries
        }
        if frame.key in file.record.uncompiled:
            runs[file.eager_name(frame.key)] = _eagerly(frame, cells)
        made = self._namespace[file.dispatcher(frame.key)]
        if frame.key in file.factories:
            return replay.instantiate(made, cells, runs)
        self._namespace.update(runs)
        return made

    def _uncompiled(self, frame: LiveFrame, cells: dict[str, types.CellType]) -> Any:
        """A frame without entries: its original code, where torch skips it in a way that torch cannot replace it.

        Else torch.compile's own callback decides, as it does in the program: it compiles, or raises what it raised.
        """
        if frame.status.status in (FrameStatus.SKIPPED, FrameStatus.RECOMPILE_LIMIT):
            function = _eagerly(frame, cells)
        else:
            function = _original(frame, frame.code, cells)
        callback = seams.callback_of(self._target.wrapper)
        if callback is None:
            return function
        set_eval_frame = seams.eval_frame_setter()

        def resume(*args: Any, **kwargs: Any) -> Any:
            for handed_over in (a for a in args if type(a) is list):
                handed_over[:] = [f.original if isinstance(f, replay.ResumeFunction) else f for f in handed_over]
            prior = set_eval_frame(callback)
            try:
                return function(*args, **kwargs)
            finally:
                set_eval_frame(prior)

        return resume

    def _runnable(
        self, file: full_code.FullCode, frame: LiveFrame, entry: LiveEntry, cells: dict[str, types.CellType]
    ) -> types.FunctionType:
        code = self._code(entry)
        renamed = {name: self._installed_name(name) for name in entry.model.resume_codes}
        code = code.replace(co_names=tuple(renamed.get(name, name) for name in code.co_names))
        closure = tuple(cells[name] for name in code.co_freevars)
        return types.FunctionType(code, frame.globals, code.co_name, None, closure)

    def _code(self, entry: LiveEntry) -> types.CodeType:
        """The decompiled text as code, where it is known to behave as the bytecode; else the bytecode."""
        import depyf

        if entry.model.failure or not entry.model.verdict.startswith(("exact", "proved")):
            return entry.code
        try:
            entry.decompiled = entry.decompiled or depyf.decompile(entry.code)
            if not entry.decompiled.verdict.holds or str(entry.decompiled) != entry.model.text:
                return entry.code
            code = entry.decompiled.recompile(self.path)
        except Exception:  # the bytecode is always right
            return entry.code
        whole = _with_inner_codes(code, entry.code)
        if whole is None or (code.co_freevars, code.co_cellvars) != (entry.code.co_freevars, entry.code.co_cellvars):
            return entry.code
        code = whole
        line = _line_of(self.text, f"def transformed_{full_code.tag_of(entry.model)}(")
        return _shifted(code, line - code.co_firstlineno) if line else code

    def _installed_name(self, name: str) -> str:
        return f"{name}_{self._token}"

    def _install_resume(self, file: full_code.FullCode, frame: LiveFrame) -> None:
        """Puts the bound resume function where the transformed code of other frames finds it."""
        free = frame.code.co_freevars
        callers = [
            (self._installed_name(name), f.globals)
            for f in self._frames
            for e in f.entries
            for name, key in e.model.resume_codes.items()
            if key == frame.key
        ]
        function: Any
        if free:
            bound = weakref.ref(self)

            def function(cells: tuple[types.CellType, ...]) -> Any:
                owner = bound()
                if owner is None:
                    raise LookupError("this full code is gone")
                return owner._resume_function(file, frame, cells)
        else:
            function = self._resume_function(file, frame, None)
        for name, scope in callers:
            scope[name] = function
            self._installed[id(scope), name] = scope

    def _resume_function(
        self, file: full_code.FullCode, frame: LiveFrame, cells: tuple[types.CellType, ...] | None
    ) -> Any:
        if frame.entries or frame.key in file.record.uncompiled:
            run = self._dispatcher(file, frame, dict(zip(frame.code.co_freevars, cells or (), strict=True)))
        else:
            run = self._namespace[file.names[frame.key][0]]
        if not file.hands_over_functions:
            return run
        original = types.FunctionType(frame.code, frame.globals, frame.code.co_name, None, cells)
        return replay.ResumeFunction(run, frame.code, cells, original)


def _original(frame: LiveFrame, code: types.CodeType, cells: dict[str, types.CellType]) -> types.FunctionType:
    closure = tuple(cells[name] for name in frame.code.co_freevars)
    return types.FunctionType(code, frame.globals, frame.code.co_name, None, closure)


def _eagerly(frame: LiveFrame, cells: dict[str, types.CellType]) -> types.FunctionType:
    """The original function of a frame, as a code object of its own that Dynamo runs eagerly."""
    return _original(frame, conversions.skipped_copy(frame.code), cells)


def _remove(installed: dict[tuple[int, str], dict[str, Any]]) -> None:
    for (_, name), scope in installed.items():
        scope.pop(name, None)


def _cells(function: types.FunctionType) -> Any:
    return zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)


def _line_of(text: str, start: str) -> int:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip().startswith((start, f"async {start}")):
            return number
    return 0


def _with_inner_codes(code: types.CodeType, original: types.CodeType) -> types.CodeType | None:
    """The code with the original's inner functions in it: guards ask for their code objects by identity."""
    own, wanted = ([c for c in k.co_consts if isinstance(c, types.CodeType)] for k in (code, original))
    if [(c.co_name, c.co_freevars) for c in own] != [(c.co_name, c.co_freevars) for c in wanted]:
        return None
    exchange = {id(c): w for c, w in zip(own, wanted, strict=True)}
    return code.replace(co_consts=tuple(exchange.get(id(c), c) for c in code.co_consts))


def _shifted(code: types.CodeType, by: int) -> types.CodeType:
    """The code with its lines moved down (line tables are relative to the first line)."""
    return code.replace(co_firstlineno=code.co_firstlineno + by)


def _next_id(ids: list[str]) -> str:
    frame = ids[0].rpartition("/")[0] if ids else "?"
    numbers = [int(i.rpartition("/")[2]) for i in ids if i.rpartition("/")[2].isdigit()]
    return f"{frame}/{max(numbers, default=-1) + 1}"


def explainer_of(entry: Entry) -> Any:
    """What `explain` needs for an entry of a record: the function it was compiled for, while that lives."""
    code = entry.original() if entry.original is not None else None
    function = functions_of([code]).get(id(code)) if code is not None else None
    if function is None:
        raise NotCompiled(f"the function of entry [{entry.compile_id}] is gone")
    for live in full_code_of(function).entries:
        if live.compile_id == entry.compile_id:
            return live.explainer
    raise NotCompiled(f"torch has dropped entry [{entry.compile_id}]")


def _with_hint(failure: Failure | None, entry: Entry) -> Failure | None:
    """The failure with what torch itself says about that guard."""
    if failure is None or failure.index >= len(entry.guards):
        return failure
    return replace(failure, hint=entry.guards[failure.index].hint)


def reasons_of(entry: Entry, local: dict[str, Any], scope: dict[str, Any]) -> list[RecompileReason]:
    """The guards of an entry that a frame does not meet, as reasons of a recompile; torch's own comes first."""
    function = full_code.guard_function(entry)
    try:
        found = independent_failures(function, Frame(local, scope), entry.compile_id)
    finally:
        linecache.cache.pop(function.__code__.co_filename, None)
    reasons = []
    for failure in (f for failed in found if (f := _with_hint(failed, entry)) is not None):
        # what a frame that continues after a graph break is given has no name that the user could use before
        named = replace(failure, subject="") if entry.is_resume else failure
        reasons.append(
            RecompileReason(
                entry.compile_id,
                failure.source,
                failure.what,
                failure.expected,
                failure.found,
                entry.guards[failure.index].location if failure.index < len(entry.guards) else NOWHERE,
                named.advice,
            )
        )
    return reasons


def full_code_of(fn: Callable[..., Any]) -> BoundFullCode:
    """`depyf.full_code(fn)`: what a call of a compiled function does, as Python bound to its live graphs."""
    from depyf.torch import session

    record, paths = session.latest_record()
    return BoundFullCode(fn, record, paths)


def which_entry(fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Decision:
    """`depyf.which_entry(fn, *args)`: the entry that a call would take, or why none does and what to do about it."""
    try:
        return full_code_of(fn).which(*args, **kwargs)
    except NotCompiled:
        return Decision(target_of(fn).function.__name__, None, "?", (), StatusReport(FrameStatus.NOT_MET))


def entries(fn: Callable[..., Any]) -> list[Entry]:
    """Lists the compiled entries of a function in the order in which torch tries them.

    Args:
        fn: What `torch.compile` made, or the function, method or module that was compiled.

    Returns:
        The entries that calls look at: none where torch skips the frame.

    Raises:
        NotCompiled: torch.compile has not met the function, or `torch.compiler.reset()` dropped what it compiled.

    """
    return full_code_of(fn).entries
