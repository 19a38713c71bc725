# SPDX-License-Identifier: MIT
"""Full code bound to the compiled functions of the running program.

Works with or without a session. Invariant: the file evaluates the guards and chooses the entry. The entry then runs as
decompiled text if that is exact or proved, otherwise as Dynamo's bytecode. The program is not changed, except that its
globals contain the bound resume functions, under unique names like Dynamo's, as long as a bound file exists, and
except for modules with hooks (see `capture.route`).
"""

from __future__ import annotations

import itertools
import linecache
import types
import weakref
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from depyf.decompilation import api
from depyf.decompilation.parameters import defined_name, with_header
from depyf.torch.capture import frame_status, open_sessions, snapshot
from depyf.torch.capture.caches import LiveEntry, LiveFrame, Reader, uncompiled_frame
from depyf.torch.capture.route import target_of
from depyf.torch.explain.dispatch import Decision, Dispatch
from depyf.torch.guards.answers import Failure
from depyf.torch.guards.checks import identities_of
from depyf.torch.internals import cache_entries, conversions, dynamo
from depyf.torch.internals.stable_names import real_code, stable_code
from depyf.torch.model.enums import FrameStatus
from depyf.torch.model.record import Entry, Record, UncompiledFrame
from depyf.torch.model.status import StatusReport
from depyf.torch.model.words import count
from depyf.torch.replay import known_guards, runtime
from depyf.torch.write import full_code

_serial = itertools.count()


class BoundFullCode:
    """The full code of a compiled function, bound to its live graphs; called like the function.

    `text` is the content of the file and `path` its name: the file in the dump folder if it exists there, otherwise a
    name that tracebacks and debuggers can resolve. Entries and their order are read again before each call. Functions
    that it calls and that torch compiled separately use torch's entries, as they do under torch.compile. Hooks of a
    module and decorators around the compiled function run as in the program. A call runs the code of an entry, or the
    original code if torch skips the frame or reached the recompile limit. If the function has no entry and torch is not
    known to skip it, only torch.compile can decide what happens, so the call is passed to torch.compile;
    `calls_handed_to_torch` counts these calls.

    Examples:
        >>> import depyf, torch
        >>> scale = torch.compile(lambda x, k: x * k, backend="eager", dynamic=False)
        >>> result = scale(torch.ones(2), 2)
        >>> full = depyf.full_code(scale)
        >>> full(torch.ones(2), 2)
        tensor([2., 2.])
        >>> full.calls_handed_to_torch
        0

    """

    def __init__(self, fn: Any, record: Record | None = None, paths: tuple[str, ...] = ()) -> None:
        self._fn = fn
        self._target = target_of(fn)
        self._reader = Reader(record)
        self._dispatch = Dispatch(fn, record)
        self._record = record
        self._paths = paths
        self._state: tuple[Any, ...] = ()
        self._eagerly: dict[str, str] = {}  # frame's key -> why the stance runs calls without an entry eagerly
        self._token = f"depyf{next(_serial)}"
        self._installed: dict[tuple[int, str], dict[str, Any]] = {}  # (id of globals, name) -> these globals
        self._frames: list[LiveFrame] = []
        self._namespace: dict[str, Any] = {}
        self._file_now: full_code.FullCode | None = None  # None: nothing to run
        self._text = ""
        self.path = ""
        self.calls_handed_to_torch = 0
        weakref.finalize(self, _remove, self._installed)
        self.refresh()
        self._dispatch.check_met()

    # ---- public interface

    @property
    def text(self) -> str:
        """The content of the file, for the entries that torch has now."""
        self.refresh()
        return self._text

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        self.refresh()
        if self._dispatch.takes_precompiled(args, kwargs):
            self.calls_handed_to_torch += 1
            return self._fn(*args, **kwargs)
        has_no_entry = self._target.wrapper is not None and not self._frames[0].entries and self._file_now is not None
        if has_no_entry and self._may_compile:
            self.calls_handed_to_torch += 1
            return self._fn(*args, **kwargs)
        self._bind()
        return self._target.calling(self._function)(*args, **kwargs)

    @property
    def status(self) -> StatusReport:
        """What torch does with a call of the function, and its reason."""
        self.refresh()
        return self._frames[0].status

    @property
    def _may_compile(self) -> bool:
        """Whether torch may recompile the function for a call that no entry accepts."""
        return self._frames[0].status.status not in (FrameStatus.SKIPPED, FrameStatus.RECOMPILE_LIMIT)

    @property
    def entries(self) -> list[Entry]:
        """The function's entries in the order in which torch tries them."""
        return self._dispatch.entries()

    def which(self, /, *args: Any, **kwargs: Any) -> Decision:
        """Returns which entry a call with these arguments would use."""
        return self._dispatch.which(args, kwargs)

    def failures(self, compile_id: str, /, *args: Any, **kwargs: Any) -> list[Failure]:
        """Returns every guard of an entry that does not hold for these arguments."""
        return self._dispatch.failures(compile_id, args, kwargs)

    def refresh(self) -> None:
        """Reads the entries and their order from torch, and renders the file again if they changed."""
        frames = self._reader.frames(self._target)
        with self._target.within_contexts():
            self._eagerly = {f.key: dynamo.why_misses_run_eagerly(f.code) for f in frames}
        state = (*self._eagerly.values(), *((f.key, f.status, tuple(id(e.code) for e in f.entries)) for f in frames))
        if state == self._state and self._file_now is not None:
            return
        frames_before = self._frames
        self._frames, self._state = frames, state
        self._name = frames[0].code.co_name
        file = self._file(frames)
        if frames[0].entries or "frame_0" in file.record.uncompiled:
            self._load(file)
        else:
            self._file_now, self._namespace, self._function = None, {}, self._nothing
            self._show_dropped(frames_before)

    def _file(self, frames: list[LiveFrame]) -> full_code.FullCode:
        record = Record(entries=[e.model for f in frames for e in f.entries])
        if self._record is not None:
            record.graphs = self._record.graphs
        for frame in frames:
            at_limit = frame.status.status is FrameStatus.RECOMPILE_LIMIT
            if frame.entries and not at_limit and self._eagerly.get(frame.key):
                status = replace(frame.status, reason=self._eagerly[frame.key])
                record.uncompiled[frame.key] = self._uncompiled_frame(frame, status)
            elif at_limit or (not frame.entries and frame_status.has_met(frame.code)):
                record.uncompiled[frame.key] = self._uncompiled_frame(frame, frame.status)
        return full_code.FullCode(record, "frame_0", {f.key: [e.model for e in f.entries] for f in frames})

    def _uncompiled_frame(self, frame: LiveFrame, status: StatusReport) -> UncompiledFrame:
        """Describes a frame that runs eagerly, with the default arguments, which its code object does not contain."""
        described, function = uncompiled_frame(frame.code, status), self._target.function
        defaults, keyword_defaults = function.__defaults__ or (), function.__kwdefaults__ or {}
        name = defined_name(described.text)
        if frame.code is not function.__code__ or name is None or not (defaults or keyword_defaults):
            return described
        keyword = "async def" if described.text.startswith("async ") else "def"
        header = f"{keyword} {name}({snapshot.parameters(frame.code, defaults, keyword_defaults)}):"
        return replace(described, text=with_header(described.text, header, ())[0])

    def _show_dropped(self, frames: list[LiveFrame]) -> None:
        """Shows the text of entries that torch has dropped, marked as dropped."""
        for entry in (e for frame in frames for e in frame.entries):
            entry.model = replace(entry.model, dropped=True)
        if frames and frames[0].entries:
            self._text = self._file(frames).render()
            self.path = self._path()

    def __repr__(self) -> str:
        frame = self._frames[0]
        entries = count(len(frame.entries), "entry", "entries")
        return f"<full code of {self._name}, {entries}, {frame.status.status.value}: {self.path}>"

    # ---- binding

    def _nothing(self, /, *args: Any, **kwargs: Any) -> Any:
        raise runtime.NoEntryFits(f"no entry of {self._name} fits: there is none now; torch.compile would compile one")

    def _load(self, file: full_code.FullCode) -> None:
        self._text = file.render()
        self.path = self._path()
        self._file_now, self._namespace = file, {}

    def _bind(self) -> None:
        """Executes the file with the program's own values, at the first call."""
        file = self._file_now
        if file is None or self._namespace:
            return
        namespace: dict[str, Any] = {"__name__": "depyf_full_code", "__file__": self.path}
        with runtime.without_stand_ins():  # the program's values replace them
            exec(compile(self._text, self.path, "exec", dont_inherit=True), namespace)
        namespace |= {file.scope(frame.key): frame.globals for frame in reversed(self._frames)}
        namespace[file.identity_name] = identities_of(file.identities)
        known_guards.note(self.path, file.guards)
        self._namespace = namespace
        for frame in self._frames[1:]:
            self._install_resume(file, frame)
        self._function = self._dispatcher(file, self._frames[0], dict(_cells(self._target.function)))

    def _path(self) -> str:
        """Returns the path of the dumped file with this text, else a name under which linecache has the text."""
        for path in self._paths:
            try:
                with open(path, encoding="utf-8") as stream:
                    if stream.read() == self._text:
                        return path
            except OSError:
                continue
        path = f"<full code of {self._name} {next(_serial)}>"
        # An entry without a time is never dropped: tracebacks and pdb show the text.
        linecache.cache[path] = (len(self._text), None, self._text.splitlines(keepends=True), path)
        weakref.finalize(self, linecache.cache.pop, path, None)
        weakref.finalize(self, known_guards.forget, path)
        return path

    def _dispatcher(self, file: full_code.FullCode, frame: LiveFrame, cells: dict[str, types.CellType]) -> Any:
        """Returns the file's function for a frame, with the code of its entries installed."""
        if not frame.entries:
            return self._uncompiled(frame, cells)
        runs = {
            f"transformed_{full_code.tag_of(e.model)}": self._runnable(file, frame, e, cells) for e in frame.entries
        }
        if frame.key in file.record.uncompiled:
            runs[file.eager_name(frame.key)] = _eagerly(frame, cells)
        function_or_factory = self._namespace[file.dispatcher(frame.key)]
        if frame.key in file.factories:
            return self._with_defaults(frame, runtime.instantiate(function_or_factory, cells, runs))
        self._namespace.update(runs)
        return self._with_defaults(frame, function_or_factory)

    def _with_defaults(self, frame: LiveFrame, function: types.FunctionType) -> types.FunctionType:
        """Gives the function that a call of the compiled function runs the same default arguments (by identity)."""
        original = self._target.function
        if frame.code is original.__code__:
            function.__defaults__, function.__kwdefaults__ = original.__defaults__, original.__kwdefaults__
        return function

    def _uncompiled(self, frame: LiveFrame, cells: dict[str, types.CellType]) -> Any:
        """Returns the function for a frame without entries.

        If torch skips the frame, it is the original code in a form that torch does not compile. Otherwise
        torch.compile's own callback decides, as in the program: it compiles, or raises the same exception again.
        """
        if frame.status.status in (FrameStatus.SKIPPED, FrameStatus.RECOMPILE_LIMIT):
            function = _eagerly(frame, cells)
        else:
            function = _original(frame, frame.code, cells)
        function = self._with_defaults(frame, function)
        callback = cache_entries.callback_in_force(self._target.wrapper)
        if callback is None:
            return function
        set_eval_frame = dynamo.eval_frame_setter()

        def resume(*args: Any, **kwargs: Any) -> Any:
            for functions in (a for a in args if type(a) is list):
                functions[:] = [f.original if isinstance(f, runtime.ResumeFunction) else f for f in functions]
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
        """Returns the recompiled text if it is exact or proved, otherwise the bytecode."""
        if entry.model.failure or not entry.model.is_verified:
            return entry.code
        try:
            entry.decompiled = entry.decompiled or api.decompile(stable_code(entry.code))
            if not entry.decompiled.verdict.holds or str(entry.decompiled) != entry.model.text:
                return entry.code
            code = real_code(entry.decompiled.recompile(self.path), entry.code)
        except Exception:  # the bytecode is always right
            return entry.code
        with_inner = _with_inner_codes(code, entry.code)
        if with_inner is None or (code.co_freevars, code.co_cellvars) != (
            entry.code.co_freevars,
            entry.code.co_cellvars,
        ):
            return entry.code
        code = with_inner
        line = _line_of(self._text, f"def transformed_{full_code.tag_of(entry.model)}(")
        return _shifted(code, line - code.co_firstlineno) if line else code

    def _installed_name(self, name: str) -> str:
        return f"{name}_{self._token}"

    def _install_resume(self, file: full_code.FullCode, frame: LiveFrame) -> None:
        """Stores the bound resume function in the globals where the transformed code of other frames looks it up."""
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
                    raise LookupError("this full code no longer exists")
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
        return runtime.ResumeFunction(run, frame.code, cells, original)


def _original(frame: LiveFrame, code: types.CodeType, cells: dict[str, types.CellType]) -> types.FunctionType:
    closure = tuple(cells[name] for name in frame.code.co_freevars)
    return types.FunctionType(code, frame.globals, frame.code.co_name, None, closure)


def _eagerly(frame: LiveFrame, cells: dict[str, types.CellType]) -> types.FunctionType:
    """Returns the original function of a frame, as a copy of the code object that Dynamo runs eagerly."""
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
    """Returns the code with the original's inner code objects, which guards compare by identity; None if it differs."""
    inner, original_inner = ([c for c in k.co_consts if isinstance(c, types.CodeType)] for k in (code, original))
    if [(c.co_name, c.co_freevars) for c in inner] != [(c.co_name, c.co_freevars) for c in original_inner]:
        return None
    exchange = {id(c): w for c, w in zip(inner, original_inner, strict=True)}
    return code.replace(co_consts=tuple(exchange.get(id(c), c) for c in code.co_consts))


def _shifted(code: types.CodeType, lines: int) -> types.CodeType:
    """Returns the code with its lines moved down (line tables are relative to the first line)."""
    return code.replace(co_firstlineno=code.co_firstlineno + lines)


def full_code_of(fn: Callable[..., Any]) -> BoundFullCode:
    """Returns everything that a call of a compiled function does, as Python bound to its live graphs.

    Args:
        fn: The result of `torch.compile`, or the function, method or module that was compiled.

    Returns:
        An object that is called like the function; its `text` is the Python file.

    Raises:
        NotCompiled: torch.compile has not met the function. If it is not a Python function, method or module, also a
            `TypeError`.

    Examples:
        >>> import depyf, torch
        >>> double = torch.compile(lambda x: x * 2, backend="eager")
        >>> result = double(torch.ones(2))
        >>> full = depyf.full_code(double)
        >>> full(torch.ones(2))
        tensor([2., 2.])

    """
    record, paths = open_sessions.latest_record()
    return BoundFullCode(fn, record, paths)


full_code_of.__name__ = full_code_of.__qualname__ = "full_code"  # the public name, here the name of a module
