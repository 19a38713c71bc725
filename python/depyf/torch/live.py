# SPDX-License-Identifier: MIT
"""Compiled functions of the running program: their entries read from Dynamo's caches, and full code bound to them.

Works with or without a session. Invariant: the guards and the choice among entries are the file's own; what an entry
then runs is the decompiled text where it is known to behave as the bytecode does, else Dynamo's bytecode itself.
Nothing of the program changes, except that its globals hold the bound resume functions (under names of their own, as
Dynamo's are) while a bound file lives.
"""

from __future__ import annotations

import gc
import inspect
import itertools
import linecache
import types
import weakref
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from depyf.torch import full_code, guards, replay, seams, snapshot
from depyf.torch.explain import Explanation, Failure, failures, first_failure
from depyf.torch.guard_checks import Frame
from depyf.torch.hijack import signature_of
from depyf.torch.model import Entry, Plain, RecompileReason, Record

_serial = itertools.count()


class NotCompiled(LookupError):
    """There is no compiled entry for this function."""


# ---- finding the function


@dataclass
class Target:
    """The Python function whose frame torch compiles in a call, and what the call puts before its arguments."""

    function: types.FunctionType
    before: tuple[Any, ...] = ()
    backend: Any = None
    region: int | None = None
    wrapper: Any = None  # what torch.compile made, when it was that which was asked about

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """The locals of a call's frame when it begins, free variables among them."""
        bound = inspect.signature(self.function, follow_wrapped=False).bind(*self.before, *args, **kwargs)
        bound.apply_defaults()
        return {**bound.arguments, **free_variables(self.function)}


def free_variables(function: types.FunctionType) -> dict[str, Any]:
    """The values of a function's cells; empty cells are left out."""
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:
            continue
    return found


def target_of(fn: Any) -> Target:
    """Where a call of a compiled function, method or module (or of what was compiled) goes."""
    wrapper = inner = fn.forward if isinstance(fn, torch.nn.Module) and seams.original_module(fn) is not fn else fn
    if not seams.is_compiled_wrapper(wrapper):
        wrapper = None
    backend = seams.backend_of(wrapper)
    region = seams.region_of(wrapper)
    candidates = list(_candidates(fn, seams.innermost_function(inner)))
    for function, before in candidates:
        if seams.cache_entries(function.__code__):
            return Target(function, before, backend, region, wrapper)
    if not candidates:
        raise NotCompiled(f"{fn!r} is no Python function, method or module")
    function, before = candidates[-1]
    return Target(function, before, backend, region, wrapper)


def _candidates(fn: Any, inner: Any) -> Any:
    """Functions whose frames a call enters, outermost first, each with the arguments that come first."""
    for value in (fn, inner):
        if isinstance(value, types.MethodType) and isinstance(value.__func__, types.FunctionType):
            owner = value.__self__
            yield value.__func__, (owner,)
            if isinstance(owner, torch.nn.Module) and isinstance(type(owner).forward, types.FunctionType):
                yield type(owner).forward, (owner,)
        elif isinstance(value, types.FunctionType):
            if not seams.is_compiled_wrapper(value):
                yield value, ()
        elif isinstance(value, torch.nn.Module):
            module = seams.original_module(value)
            forward = module.forward
            if isinstance(forward, types.MethodType) and isinstance(forward.__func__, types.FunctionType):
                yield forward.__func__, (module,)
        else:
            call = inspect.getattr_static(type(value), "__call__", None)
            if isinstance(call, types.FunctionType):
                yield call, (value,)


# ---- entries


@dataclass
class LiveEntry:
    """An entry of Dynamo's cache with what is known of it."""

    model: Entry
    code: types.CodeType  # what torch runs
    decompiled: Any = None  # made when it is first needed


@dataclass
class LiveFrame:
    """One frame: the original code, the globals it runs in, its entries as torch tries them."""

    key: str
    code: types.CodeType
    globals: dict[str, Any]
    entries: list[LiveEntry] = field(default_factory=list)


def torch_entries(target: Target, code: types.CodeType) -> list[Any]:
    """Dynamo's entries of a code object that a call of the target may take, most recently used first."""
    found = seams.cache_entries(code) if target.region is None else seams.region_entries(code, target.region)
    if target.backend is not None:
        found = [e for e in found if getattr(e, "backend", None) is target.backend or e.backend == target.backend]
    return [e for e in found if hasattr(e.guard_manager, "root")]  # others were invalidated


class Reader:
    """Reads frames from Dynamo's caches; remembers entries it has seen, and what a session knows of them."""

    def __init__(self, record: Record | None = None) -> None:
        self.record = record
        self._seen: dict[int, LiveEntry] = {}  # by id of the code, which the entry holds (constants may not hash)

    def frames(self, target: Target) -> list[LiveFrame]:
        """The function's frame and those of the resume functions it reaches."""
        function = target.function
        found = [LiveFrame("frame_0", function.__code__, function.__globals__)]
        keys = {id(function.__code__): "frame_0"}
        for frame in found:  # grows while it is walked
            for cached in torch_entries(target, frame.code):
                entry = self._entry(cached, frame, function)
                resumes: dict[str, str] = {}
                for name in entry.model.resume_fns:
                    code = seams.resume_code(frame.globals.get(name))
                    if code is None:
                        continue
                    if id(code) not in keys:
                        keys[id(code)] = f"frame_{len(found)}"
                        found.append(LiveFrame(keys[id(code)], code, frame.globals))
                    resumes[name] = keys[id(code)]
                entry.model = replace(entry.model, code_key=frame.key, resume_codes=resumes, order=0)
                frame.entries.append(entry)
        return found

    def _entry(self, cached: Any, frame: LiveFrame, function: types.FunctionType) -> LiveEntry:
        code = cached.code
        known = self._seen.get(id(code))
        if known is None:
            known = self._recorded(cached, frame) or self._read(cached, frame)
            if known.model.parameters in ("", known.model.signature) and frame.code is function.__code__:
                snapshot.of_function(known.model, function)
            self._seen[id(code)] = known
        return LiveEntry(known.model, known.code, known.decompiled)

    def _recorded(self, cached: Any, frame: LiveFrame) -> LiveEntry | None:
        """What a session noted when it saw this entry compiled."""
        for entry in self.record.entries if self.record is not None else ():
            same_code = entry.original is not None and entry.original() is frame.code
            if same_code and entry.compile_id == str(cached.compile_id) and entry.guards:
                names = set(cached.code.co_names)
                if {entry.compiled_fn, *entry.resume_fns} - {""} <= names:
                    return LiveEntry(replace(entry), cached.code)
        return None

    def _read(self, cached: Any, frame: LiveFrame) -> LiveEntry:
        """An entry compiled before anyone watched."""
        import depyf

        code = cached.code
        entry = Entry(str(cached.compile_id), frame.code.co_name, _origin(frame.code))
        entry.signature, entry.arguments = signature_of(frame.code)
        entry.free_variables = frame.code.co_freevars
        entry.compiled_fn = next((n for n in code.co_names if seams.COMPILED_FN.match(n)), "")
        entry.resume_fns = tuple(n for n in code.co_names if seams.RESUME_FN.match(n))
        entry.original = weakref.ref(frame.code)
        entry.guards = guards.parse_tree(str(cached.guard_manager))
        if seams.function_modes_fit(cached.guard_manager):
            guards.name_function_modes(entry.guards, seams.function_modes())
        modules, names = guards.find_public_names(entry.guards, frame.globals)
        entry.modules.update(modules)
        entry.live_names = tuple(sorted(names))
        snapshot.globals_read(entry, code, frame.globals)
        snapshot.of_globals(entry, frame.globals)
        decompiled: Any = None
        try:
            decompiled = depyf.decompile(code)
            entry.text, entry.verdict = str(decompiled), decompiled.verdict.describe()
            snapshot.of_text(entry, decompiled.context.opaque)
        except Exception as error:  # then Dynamo's own bytecode runs, and the file says why
            entry.failure, entry.verdict = f"{type(error).__name__}: {error}", "not decompiled"
        return LiveEntry(entry, code, decompiled)


def plain_frame(code: types.CodeType) -> Plain:
    """What is known of a frame that Dynamo left alone."""
    import depyf

    signature, _ = signature_of(code)
    try:
        decompiled = depyf.decompile(code)
        text, verdict = str(decompiled), decompiled.verdict.describe()
    except Exception as error:
        text, verdict = "", f"not decompiled: {type(error).__name__}: {error}"
    verdict, failure = " ".join(verdict.split()), seams.last_failure(code)
    return Plain(code.co_name, _origin(code), signature, text, verdict, code.co_freevars, failure)


def note_plain_frames(record: Record, codes: Iterable[tuple[types.CodeType, str]]) -> None:
    """Adds the frames that entries continue in but that Dynamo left alone. `codes`: (code, key) of what was met."""
    compiled = {e.code_key for e in record.entries}
    reached = {key for e in record.entries for key in e.resume_codes.values()} - compiled
    for code, key in codes:
        if key in reached and seams.was_seen(code):
            record.plain[key] = plain_frame(code)


def _origin(code: types.CodeType) -> str:
    return f"{code.co_filename.replace(chr(92), '/').rsplit('/', 1)[-1]}:{code.co_firstlineno}"


# ---- where a call goes


@dataclass(frozen=True)
class Decision:
    """Where a call goes, and why not elsewhere."""

    name: str
    entry: Entry | None  # the first entry that takes the call, or None: torch.compile would compile
    would_compile: str  # the compile id it would get then
    failures: tuple[Failure, ...]  # of the entries that were tried before, first failing guard of each
    left_alone: bool = False  # Dynamo met the frame and compiled nothing: it runs as it is, or torch raises
    reason: str = ""  # why Dynamo left it alone

    @property
    def hit(self) -> bool:
        """Whether some entry takes the call."""
        return self.entry is not None

    @property
    def compile_id(self) -> str:
        """Of the entry that takes the call, or of the one that would be compiled."""
        return self.entry.compile_id if self.entry is not None else self.would_compile

    def __str__(self) -> str:
        head = f"entry [{self.compile_id}]" if self.hit else f"no entry: would compile [{self.would_compile}]"
        if self.left_alone:
            why = f"; its latest attempt ended with {self.reason}" if self.reason else ""
            head = f"no entry: Dynamo compiled nothing of this frame{why}"
        return "\n".join([head, *(f"  {failure}" for failure in self.failures)])

    __repr__ = __str__


class BoundFullCode:
    """The full code of a compiled function, bound to its live graphs; called like the function.

    `text` is the file, `path` its name (in the dump folder when it is there already, else a name that tracebacks and
    debuggers resolve). Entries and their order are read anew before each call.
    """

    def __init__(self, fn: Any, record: Record | None = None, paths: tuple[str, ...] = ()) -> None:
        self._fn = fn
        self._target = target_of(fn)
        self._reader = Reader(record)
        self._record = record
        self._paths = paths
        self._state: tuple[Any, ...] = ()
        self._token = f"depyf{next(_serial)}"
        self._installed: set[str] = set()
        self._frames: list[LiveFrame] = []
        self._namespace: dict[str, Any] = {}
        self.text = ""
        self.path = ""
        weakref.finalize(self, _remove, self._target.function.__globals__, self._installed)
        self.refresh()
        if not self._frames[0].entries and not seams.was_seen(self._frames[0].code):
            raise NotCompiled(
                f"{self._target.function.__qualname__} has no compiled entry: it was not called through torch.compile, "
                "or torch.compiler.reset() dropped what was compiled"
            )

    # ---- the public side

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.refresh()
        if self._target.wrapper is not None and not self._frames[0].entries and self._namespace:
            return self._fn(*args, **kwargs)  # whether it runs as it is or raises, torch alone knows
        return self._function(*self._target.before, *args, **kwargs)

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
        reason = "" if ids else seams.last_failure(self._frames[0].code)
        return Decision(self._name, None, _next_id(ids), tuple(failed), not ids, reason)

    def failures(self, compile_id: str, *args: Any, **kwargs: Any) -> list[Failure]:
        """Every guard of an entry that does not hold for these arguments."""
        self.refresh()
        frame = Frame(self._target.bind(args, kwargs), self._target.function.__globals__)
        entry = next(e.model for e in self._frames[0].entries if e.model.compile_id == compile_id)
        return failures(self._guards(entry), frame, compile_id)

    def refresh(self) -> None:
        """Reads the entries and their order from torch, and writes the file anew if they changed."""
        frames = self._reader.frames(self._target)
        state = tuple((f.key, tuple(id(e.code) for e in f.entries)) for f in frames)
        if state == self._state and self._namespace:
            return
        self._frames, self._state = frames, state
        record = Record(entries=[e.model for f in frames for e in f.entries])
        if self._record is not None:
            record.graphs = self._record.graphs
        for frame in frames:
            if not frame.entries and seams.was_seen(frame.code):
                record.plain[frame.key] = plain_frame(frame.code)
        file = full_code.FullCode(record, "frame_0", {f.key: [e.model for e in f.entries] for f in frames})
        self._name = frames[0].code.co_name
        if frames[0].entries or "frame_0" in record.plain:
            self._load(file)
        else:
            self._namespace, self._function = {}, self._nothing

    def __repr__(self) -> str:
        return f"<full code of {self._name}, {len(self._frames[0].entries)} entries: {self.path}>"

    # ---- binding

    def _nothing(self, *args: Any, **kwargs: Any) -> Any:
        raise replay.NoEntryFits(f"no entry of {self._name} fits; torch.compile would compile one: there is none yet")

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
        namespace["program_globals"] = self._target.function.__globals__
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
            closure = tuple(cells[name] for name in frame.code.co_freevars)
            return self._left_alone(types.FunctionType(frame.code, frame.globals, frame.code.co_name, None, closure))
        runs = {
            f"transformed_{full_code.tag_of(e.model)}": self._runnable(file, frame, e, cells) for e in frame.entries
        }
        made = self._namespace[file.dispatcher(frame.key)]
        if frame.key in file.factories:
            return replay.instantiate(made, cells, runs)
        self._namespace.update(runs)
        return made

    def _left_alone(self, function: types.FunctionType) -> Any:
        """A frame of which Dynamo compiled nothing: torch lets it run as it is, or raises what it raised before."""
        callback = seams.callback_of(self._target.wrapper)
        if callback is None:
            return function
        set_eval_frame = seams.eval_frame_setter()

        def resume(*args: Any, **kwargs: Any) -> Any:
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
        names = {
            n for f in self._frames for e in f.entries for n, key in e.model.resume_codes.items() if key == frame.key
        }
        if not frame.entries and frame.key not in file.record.plain:
            function: Any = self._namespace[file.names[frame.key][0]]
        elif free:
            bound = weakref.ref(self)

            def function(cells: tuple[types.CellType, ...]) -> Any:
                owner = bound()
                if owner is None:
                    raise LookupError("this full code is gone")
                return owner._dispatcher(file, frame, dict(zip(free, cells, strict=True)))
        else:
            function = self._dispatcher(file, frame, {})
        for name in names:
            frame.globals[self._installed_name(name)] = function
            self._installed.add(self._installed_name(name))


def _remove(scope: dict[str, Any], names: set[str]) -> None:
    for name in names:
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


def functions_of(codes: Iterable[types.CodeType]) -> dict[int, types.FunctionType]:
    """A living function for each code object that has one, by the code's id; the newest, where there are several."""
    wanted = {id(code): code for code in codes}
    if not wanted:
        return {}
    found = gc.get_referrers(*wanted.values())
    return {id(f.__code__): f for f in found if isinstance(f, types.FunctionType) and id(f.__code__) in wanted}


def function_of_frame(
    code: types.CodeType, scope: Mapping[str, Any], local: Mapping[str, Any]
) -> types.FunctionType | None:
    """The function whose code a frame runs, where its globals or its first argument's class name it."""
    path = getattr(code, "co_qualname", code.co_name).split(".")
    found = scope.get(path[0])
    for name in path[1:]:
        found = inspect.getattr_static(found, name, None) if isinstance(found, type) else None
    owner = type(local.get(code.co_varnames[0])) if code.co_argcount else object
    for value in (found, inspect.getattr_static(owner, code.co_name, None)):
        while value is not None:
            value = getattr(value, "__func__", value) if isinstance(value, staticmethod | classmethod) else value
            if isinstance(value, types.FunctionType) and value.__code__ is code:
                return value
            value = vars(value).get("__wrapped__") if isinstance(value, types.FunctionType) else None
    return None


def note_defaults(entries: Iterable[Entry]) -> None:
    """Adds default arguments to entries whose functions were not at hand but still live; looks at every object."""
    wanted = (e for e in entries if e.arguments and not e.defaults_known and not e.is_resume)
    originals = [(e, e.original()) for e in wanted if e.original is not None]
    functions = functions_of(code for _, code in originals if code is not None)
    for entry, code in originals:
        if id(code) in functions:
            snapshot.of_function(entry, functions[id(code)])


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


def reason_of(entry: Entry, local: dict[str, Any], scope: dict[str, Any]) -> RecompileReason | None:
    """The first guard of an entry that a frame does not meet, as the reason of a recompile."""
    function = full_code.guard_function(entry)
    try:
        failure = _with_hint(first_failure(function, Frame(local, scope), entry.compile_id), entry)
    finally:
        linecache.cache.pop(function.__code__.co_filename, None)
    if failure is None:
        return None
    return RecompileReason(
        entry.compile_id,
        failure.source,
        failure.what,
        failure.expected,
        failure.found,
        failure.where,
        failure.advice,
    )


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
        return Decision(target_of(fn).function.__name__, None, "?", ())


def entries(fn: Callable[..., Any]) -> list[Entry]:
    """`depyf.entries(fn)`: the compiled entries of a function in the order in which torch tries them."""
    try:
        return full_code_of(fn).entries
    except NotCompiled:
        return []
