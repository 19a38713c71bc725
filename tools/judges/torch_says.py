# SPDX-License-Identifier: MIT
"""What torch says: its cache entries, which of them its guard managers accept for a call, and what a call runs."""

from __future__ import annotations

import contextlib
import gc
import inspect
import logging
import re
import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
import torch._dynamo

HAS_REGIONS = hasattr(torch._dynamo.eval_frame, "_get_cache_entries_for_region")  # isolate_recompiles=True


def entries_of(code: types.CodeType) -> list[Any]:
    """Returns torch's cache entries of a code object that were not invalidated, most recently used first."""
    return [e for e in torch._dynamo.eval_frame._debug_get_cache_entry_list(code) if e.code is not None]


def codes_met() -> list[types.CodeType]:
    """Returns the code objects that Dynamo has seen since the latest reset and that are still alive."""
    met = (reference() for reference in torch._dynamo.convert_frame.input_codes.seen)
    return [code for code in met if code is not None]


def all_ids() -> list[str]:
    """Returns the compile ids of all entries that torch holds, of all frames."""
    return sorted(str(entry.compile_id) for code in codes_met() for entry in entries_of(code))


@dataclass
class Called:
    """The Python function whose frame a call of a compiled object enters, and the call's local variables there."""

    function: types.FunctionType
    local: dict[str, Any]
    fits: bool = True  # False if the arguments are not for this function

    @property
    def code(self) -> types.CodeType:
        """The function's code object."""
        return self.function.__code__

    @property
    def entries(self) -> list[Any]:
        """Torch's entries, most recently used first."""
        return entries_of(self.code)

    @property
    def ids(self) -> list[str]:
        """The compile ids of torch's entries, most recently used first."""
        return [str(e.compile_id) for e in self.entries]

    def verdicts(self) -> dict[str, bool]:
        """Returns whether each entry's guard manager accepts the call, by compile id, in torch's order."""
        return {str(e.compile_id): bool(e.guard_manager.check(self.local)) for e in self.entries}

    def choice(self) -> str | None:
        """Returns the entry that torch uses if it uses this frame's entries: the first that accepts the call."""
        return next((compile_id for compile_id, holds in self.verdicts().items() if holds), None)


def called(compiled: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None) -> Called:
    """Returns the frame that a call enters: the outermost one for which torch holds entries, or the innermost one."""
    found = [
        Called(function, *_bind(function, (*before, *args), kwargs or {})) for function, before in _functions(compiled)
    ]
    return next((frame for frame in found if entries_of(frame.code)), found[-1])


def _functions(compiled: Any) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """Yields the functions that a call enters, outermost first, with the arguments that precede the call's own."""
    if isinstance(compiled, torch._dynamo.eval_frame.OptimizedModule):
        wrapper, module = compiled.forward, compiled._orig_mod
    else:
        wrapper = module = compiled
    inner = torch._dynamo.eval_frame.innermost_fn(wrapper)
    if isinstance(inner, types.FunctionType):
        yield inner, ()
    elif isinstance(inner, types.MethodType):
        yield inner.__func__, (inner.__self__,)
        module = inner.__self__
    if isinstance(module, torch.nn.Module):
        forward = module.forward
        if isinstance(forward, types.MethodType):
            yield forward.__func__, (forward.__self__,)
        elif isinstance(forward, types.FunctionType) and torch._dynamo.eval_frame.innermost_fn(forward) is forward:
            yield forward, ()  # the program replaced the method by it
        else:
            yield type(module).forward, (module,)


def _bind(function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    try:
        bound = inspect.signature(function, follow_wrapped=False).bind(*args, **kwargs)
    except TypeError:  # a function that only passes the call on, or a call that does not fit this one
        return {}, False
    bound.apply_defaults()
    local = dict(bound.arguments)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with contextlib.suppress(ValueError):  # an empty cell
            local[name] = cell.cell_contents
    return local, True


@dataclass(frozen=True)
class Leaf:
    """A check of torch's guard tree, or a guard manager.

    The manager of a dictionary checks class and length itself; any manager checks that its value can be read. `kind` is
    the name of torch's class; `parts` are torch's texts: the expression, then spaces and a comment.
    """

    kind: str
    source: str
    parts: tuple[str, ...]
    check: Any = None  # torch's own object, None for a manager

    def holds(self, function: types.FunctionType, local: dict[str, Any]) -> bool | None:
        """Returns whether this check alone accepts a call of the function, or None if it cannot be evaluated alone.

        A check of several values is not evaluated, because it remembers the values that it was given.
        """
        if self.check is None or self.kind in _WITH_SEVERAL_VALUES or not self.source.startswith(("L[", "G[")):
            return None
        try:
            value = eval(self.source, {"L": local, "G": function.__globals__})
        except NameError:  # the source is not a Python expression
            return None
        except Exception:  # the value does not exist
            return False
        return bool(self.check(value))

    def is_called(self, text: str) -> bool:
        """Returns whether a text, without torch's comment, is one of this check's texts."""
        rests = [part[len(text) :] for part in self.parts if part.startswith(text)]
        return any(re.match(r"$|, type=|\s+(#|\(HINT|$)", rest) for rest in rests)

    def is_named_in(self, said: str) -> bool:
        """Returns whether this is the guard that a text of torch's verbose check is about."""
        if match := re.match(r"(?:tensor|expected type of) '(.*?)'(?: |$)", said):
            return self.kind == "TENSOR_MATCH" and self.is_check_of_tensor(match[1])
        for begin, kind in (("GLOBAL_STATE changed", "GLOBAL_STATE"), ("Duplicate tensor", "NO_TENSOR_ALIASING")):
            if said.startswith(begin):
                return self.kind == kind
        if "_dynamo" in said and "present on runtime tensor" in said:
            return self.kind in ("DIMENSION_DYNAMIC_MARKING_GUARD", "DYNAMIC_INDICES")
        if said.startswith(("len(", "TYPE_MISMATCH(")) and self.kind == DICTIONARY:
            return f"({self.source})" in said
        if said in self.parts:
            return True
        if " on " in said or "failed" in said or "rror" in said:  # an attribute or item does not exist
            missing = said.rpartition(" ")[2]
            return missing in self.source or any(missing in part for part in self.parts)
        return False

    def is_check_of_tensor(self, source: str) -> bool:
        """Returns whether it checks the tensor at this source."""
        return self.parts[0].startswith(f"check_tensor({source}, ")


DICTIONARY = "DictGuardManager"
_WITH_SEVERAL_VALUES = (
    "NO_TENSOR_ALIASING",
    "OBJECT_ALIASING",
    "STORAGE_OVERLAPPING",
    "SYMBOLIC_SHAPE_GUARD",
    "LAMBDA_GUARD",
)


def leaves(manager: Any) -> list[Leaf]:
    """Returns the checks of an entry's guard manager, in the current order of its tree."""
    root = manager.root
    epilogue = (Leaf(type(g).__name__, "", tuple(g.verbose_code_parts())) for g in root.get_epilogue_lambda_guards())
    return [*_leaves(root), *epilogue]


def _leaves(node: Any) -> Iterator[Leaf]:
    source = node.get_source()
    yield Leaf(type(node).__name__, source, ())
    for guard in node.get_leaf_guards():
        yield Leaf(type(guard).__name__, source, tuple(guard.verbose_code_parts()), guard)
    if hasattr(node, "get_key_value_managers"):
        for pair in node.get_key_value_managers().values():
            for child in pair:
                if child is not None:
                    yield from _leaves(child)
    else:
        for child in node.get_child_managers():
            yield from _leaves(child)


def trusts_unchanged_dictionaries() -> bool:
    """Returns whether torch takes a module whose attribute was set for unchanged.

    It does if it compares the versions of dictionaries recursively and this CPython does not change them
    (python/cpython#125608).
    """
    config, version = torch._dynamo.config, torch._C._dynamo.guards.dict_version
    module = torch.nn.Module()
    before = version(vars(module))
    module.training = False
    return getattr(config, "use_recursive_dict_tags_for_guards", False) and version(vars(module)) == before


def failing(manager: Any, local: dict[str, Any]) -> list[str] | None:
    """Returns the texts of torch's verbose check on the first guard that fails; None if all accept the call."""
    holds = manager.check(local)  # this may move guards that fail often to the front; the verbose check moves nothing
    said = manager.check_verbose(local)
    if bool(said.result) != bool(holds):
        raise AssertionError("torch's two checks differ")
    return None if said.result else [str(part) for part in said.verbose_code_parts]


@dataclass
class FrameRun:
    """A frame that ran an entry's code: the original code, the entry, and the locals at its start."""

    code: types.CodeType
    compile_id: str
    local: dict[str, Any]

    def function(self) -> types.FunctionType | None:
        """Returns a living function with the frame's code and free variables, or None."""
        for function in gc.get_referrers(self.code):
            if (
                isinstance(function, types.FunctionType)
                and function.__code__ is self.code
                and self._is_closure_of(function)
            ):
                return function
        return None

    def _is_closure_of(self, function: types.FunctionType) -> bool:
        names = self.code.co_freevars
        for name, cell in zip(names, function.__closure__ or (), strict=True):
            with contextlib.suppress(ValueError):  # an empty cell
                if self.local.get(name) is not cell.cell_contents:
                    return False
        return True

    def arguments(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Returns the call's positional and keyword arguments."""
        code, local = self.code, self.local
        names = iter(code.co_varnames)
        args = tuple(local[next(names)] for _ in range(code.co_argcount))
        kwargs = {name: local[name] for name in (next(names) for _ in range(code.co_kwonlyargcount))}
        if code.co_flags & inspect.CO_VARARGS:
            args += local[next(names)]
        if code.co_flags & inspect.CO_VARKEYWORDS:
            kwargs |= local[next(names)]
        return args, kwargs


def frames_run(call: Callable[[], Any]) -> list[FrameRun]:
    """Returns the frames that a call runs with entries that torch already held, in order; the call may raise."""
    held = {id(e.code): (code, e) for code in codes_met() for e in entries_of(code)}
    found: list[FrameRun] = []

    def note(frame: types.FrameType, event: str, _: Any) -> None:
        if event == "call" and id(frame.f_code) in held:
            code, entry = held[id(frame.f_code)]
            found.append(FrameRun(code, str(entry.compile_id), dict(frame.f_locals)))

    sys.setprofile(note)
    try:
        with contextlib.suppress(Exception):
            call()
    finally:
        sys.setprofile(None)
    return found


class EagerReasons(logging.Handler):
    """Records why frames run eagerly, in torch's words, within a `with` block.

    The reasons are the answers of torch's frame callback, which it logs, and the failures of forward compilations among
    its latest metrics. In the block, the callback's logger has the level DEBUG and passes nothing on.
    """

    def __init__(self) -> None:
        super().__init__()
        self._skipped: dict[tuple[str, str], str] = {}  # (function, file) -> reason
        self._logger = logging.getLogger("torch._dynamo.convert_frame")

    def emit(self, record: logging.LogRecord) -> None:
        """Records the reason of a log message about a skipped frame."""
        if str(record.msg).startswith("skipping: ") and isinstance(record.args, tuple) and len(record.args) == 3:
            name, reason, file = map(str, record.args)
            self._skipped[name, file] = reason.partition("\n")[0]

    def __enter__(self) -> EagerReasons:
        self._before = self._logger.level, self._logger.propagate
        torch._dynamo.utils.clear_compilation_metrics()
        self._logger.addHandler(self)
        self._logger.setLevel(logging.DEBUG)
        self._logger.propagate = False
        return self

    def __exit__(self, *_: object) -> None:
        self._logger.removeHandler(self)
        level, self._logger.propagate = self._before
        self._logger.setLevel(level)

    def of(self, code: types.CodeType) -> str | None:
        """Returns the reason for the frames of a code object, or None if torch gave none."""
        for measured in reversed(torch._dynamo.utils.get_compilation_metrics()):
            place = measured.co_name, measured.co_filename, measured.co_firstlineno
            if place == (code.co_name, code.co_filename, code.co_firstlineno) and measured.fail_type:
                return f"{measured.fail_type}: {str(measured.fail_reason).splitlines()[0]}"
        return self._skipped.get((code.co_name, code.co_filename))


class CountingBackend:
    """A backend that runs captured graphs as they are and counts the runs.

    It fails for inputs where `fails` is true.
    """

    def __init__(self, fails: Callable[[list[Any]], bool] = lambda inputs: False) -> None:
        self.graphs_run = 0
        self.compiled = 0
        self._fails = fails

    def __call__(self, graph: torch.fx.GraphModule, inputs: list[Any]) -> Callable[..., Any]:
        if self._fails(inputs):
            raise ValueError("this backend fails on purpose")
        self.compiled += 1

        def run(*args: Any) -> Any:
            self.graphs_run += 1
            return graph.forward(*args)

        return run

    def graphs_in(self, call: Callable[[], Any]) -> int:
        """Returns how many compiled graphs a call runs; raises AssertionError if it compiles one."""
        before, compiled = self.graphs_run, self.compiled
        call()
        if self.compiled != compiled:
            raise AssertionError("the call compiled a graph")
        return self.graphs_run - before
