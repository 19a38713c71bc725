# SPDX-License-Identifier: MIT
"""The route of a call to the frame that torch compiles: modules, decorators and torch.compile's own wrapper.

Each step can run as in the program with a replacement for its callee, and says whether it may change the arguments.
Invariant: a step does not change the program, except that a module with hooks has a stand-in as an attribute while a
call is on its way to it.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import threading
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch

from depyf.torch.internals import cache_entries, dynamo, modules


class NotCompiled(LookupError):
    """There is no compiled entry for this function.

    Examples:
        >>> import depyf, torch
        >>> try:
        ...     depyf.entries(torch.compile(lambda x: x + 1))
        ... except depyf.NotCompiled as error:
        ...     print(str(error).split(":")[0])
        <lambda> has no compiled entry

    """


class NoFunctionError(NotCompiled, TypeError):
    """The object cannot have a compiled entry. Also a `TypeError`, as wrong arguments of other functions are."""


@dataclass(frozen=True)
class Bound:
    """Step: a method, or an object with `__call__`, calls a function with itself as the first argument."""

    owner: Any
    changes_arguments = ""

    def calling(self, inner: Callable[..., Any]) -> Callable[..., Any]:
        """Returns the step with `inner` in place of its callee."""
        return functools.partial(inner, self.owner)


@dataclass(frozen=True)
class Compiled:
    """Step: torch.compile's wrapper, or the compiled function, is called with Dynamo enabled."""

    called: Callable[..., Any]
    changes_arguments = ""

    def calling(self, inner: Callable[..., Any]) -> Callable[..., Any]:
        """Returns the step with `inner` in place of its callee; nothing is recompiled."""

        def run(*args: Any, **kwargs: Any) -> Any:
            if dynamo.stance() == "force_eager":  # read at the call, because decorators may set it
                return self.called(*args, **kwargs)
            with dynamo.compiled_frames_run():
                return inner(*args, **kwargs)

        return run


@dataclass(frozen=True)
class Decorated:
    """Step: a decorated function calls its `__wrapped__`, which it has in a cell."""

    function: types.FunctionType
    wrapped: Any

    @property
    def context(self) -> Callable[[], Any] | None:
        """The factory of the context manager in which the function runs, if the decorator does nothing else."""
        return modules.context_of(self.function)

    @property
    def changes_arguments(self) -> str:
        """Why the frame may receive other arguments than the call; "" if it does not."""
        if self.context is not None:
            return ""
        return f"{_place(self.function)} may call what it wraps with other arguments"

    def calling(self, inner: Callable[..., Any]) -> Callable[..., Any]:
        """Returns the step with `inner` in place of its callee."""
        original = self.function
        cells = tuple(types.CellType(inner) if _contents(c) is self.wrapped else c for c in original.__closure__ or ())
        copy = types.FunctionType(
            original.__code__, original.__globals__, original.__name__, original.__defaults__, cells
        )
        copy.__kwdefaults__ = original.__kwdefaults__
        return copy


@dataclass(frozen=True)
class ModuleCall:
    """Step: a call of a module, through `enter`, reaches its attribute `place`."""

    module: torch.nn.Module
    place: str
    enter: Callable[..., Any]

    @property
    def changes_arguments(self) -> str:
        """Why the frame may receive other arguments than the call; "" if it does not."""
        if self.place == "forward" and modules.runs_before_forward(self.module):
            return f"hooks of {type(self.module).__name__} run before its forward, and may give it other arguments"
        if self._has_own_call:
            return f"{type(self.module).__name__}.__call__ runs first, and may give the frame other arguments"
        return ""

    @property
    def _has_own_call(self) -> bool:
        called = getattr(type(self.module).__call__, "__code__", None)
        is_asked = self.enter is self.module and called is not None
        return is_asked and not modules.calls_forward(types.MethodType(type(self.module).__call__, self.module))

    def calling(self, inner: Callable[..., Any]) -> Callable[..., Any]:
        """Returns the step with `inner` in place of its callee."""

        def run(*args: Any, **kwargs: Any) -> Any:
            if self._has_own_call or (self.place == "forward" and modules.runs_hooks(self.module)):
                return self._enter_redirected(inner, args, kwargs)
            return inner(*args, **kwargs)

        return run

    def _enter_redirected(self, inner: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        with _StandIn.waiting_for(self.module, self.place, inner):
            return self.enter(*args, **kwargs)


class _StandIn:
    """Replaces an attribute of a module while calls are on their way to it, and redirects those; others are unaffected.

    All threads share one stand-in. Each waiting call is known by its thread; the last one to arrive restores the
    attribute.
    """

    _lock = threading.Lock()

    def __init__(self, module: torch.nn.Module, place: str) -> None:
        self._held, self._place = vars(module), place
        self._kept = [self._held[place]] if place in self._held else []
        self._original = getattr(module, place)
        self._waiting: list[tuple[int, Callable[..., Any]]] = []  # (thread, goal of its call), newest last
        self._held[place] = self

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        with self._lock:
            goals = [goal for thread, goal in self._waiting if thread == threading.get_ident()]
        if not goals:
            return self._original(*args, **kwargs)
        self._arrive(goals[-1])
        return goals[-1](*args, **kwargs)

    def _arrive(self, goal: Callable[..., Any]) -> None:
        with self._lock:
            waiting = (threading.get_ident(), goal)
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            if self._waiting or self._held.get(self._place) is not self:
                return
            if self._kept:
                self._held[self._place] = self._kept[0]
            else:
                del self._held[self._place]

    @classmethod
    @contextlib.contextmanager
    def waiting_for(cls, module: torch.nn.Module, place: str, goal: Callable[..., Any]) -> Iterator[None]:
        """Redirects a call of the module by this thread in the body to `goal` in place of the attribute."""
        with cls._lock:
            present = vars(module).get(place)
            stand_in = present if isinstance(present, cls) else cls(module, place)
            stand_in._waiting.append((threading.get_ident(), goal))
        try:
            yield
        finally:
            stand_in._arrive(goal)


Step = Bound | Compiled | Decorated | ModuleCall


def _place(function: types.FunctionType) -> str:
    """Returns name and location of a function from its code, because functools.wraps changes its name."""
    code = function.__code__
    return f"{getattr(code, 'co_qualname', code.co_name)} ({code.co_filename}:{code.co_firstlineno})"


def _contents(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # empty
        return None


@dataclass
class Target:
    """The Python function whose frame torch compiles in a call, and the route of the call to it."""

    function: types.FunctionType
    route: tuple[Step, ...] = ()
    wrapper: Any = None  # the result of torch.compile, if it is on the route

    @property
    def backend(self) -> Any:
        """The backend, as cache entries store it; None if it is unknown."""
        with self.within_contexts():
            return cache_entries.backend_of(self.wrapper)

    @property
    def region(self) -> int | None:
        """The isolated region of the caches; -1 without one, None if torch.compile is not on the route."""
        return cache_entries.region_of(self.wrapper)

    @property
    def changes_arguments(self) -> str:
        """Why the frame may receive other arguments than the call; "" if it does not."""
        return next((step.changes_arguments for step in self.route if step.changes_arguments), "")

    @property
    def hooked(self) -> str:
        """The class of a module on the route whose calls run hooks; "" if there is none."""
        calls = (step for step in self.route if isinstance(step, ModuleCall) and step.place == "forward")
        return next((type(step.module).__name__ for step in calls if modules.runs_hooks(step.module)), "")

    def calling(self, inner: Callable[..., Any]) -> Callable[..., Any]:
        """Returns the call, with `inner` in place of the function."""
        for step in reversed((*self.route, *([Compiled(self.function)] if self.wrapper is None else []))):
            inner = step.calling(inner)
        return inner

    @contextlib.contextmanager
    def within_contexts(self) -> Iterator[None]:
        """Runs the body within the contexts that torch's decorators enter around the frame."""
        with dynamo.dynamo_disabled(), contextlib.ExitStack() as stack:  # compiled frames cannot set a stance
            for step in self.route:
                if isinstance(step, Decorated) and step.context is not None:
                    stack.enter_context(step.context())
            yield

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """Returns the variables of a call's frame at its start, including free variables."""
        receivers = [step.owner for step in reversed(self.route) if isinstance(step, Bound)]
        bound = inspect.signature(self.function, follow_wrapped=False).bind(*receivers, *args, **kwargs)
        bound.apply_defaults()
        return {**bound.arguments, **_free_variables(self.function)}


def _free_variables(function: types.FunctionType) -> dict[str, Any]:
    """Returns the values of a function's free variables, without empty cells."""
    values = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            values[name] = cell.cell_contents
        except ValueError:
            continue
    return values


_MAX_STEPS = 100  # wrappers may form a cycle


def target_of(fn: Any) -> Target:
    """Returns the target of a call of a compiled function, method or module, or of the original of one."""
    route: list[Step] = []
    wrapper = None
    called = fn
    for _ in range(_MAX_STEPS):
        if isinstance(called, types.FunctionType) and cache_entries.is_compiled_wrapper(called):
            wrapper = called
            route.append(Compiled(called))
            called = cache_entries.innermost_function(called)
            continue
        step, called = _step(called, wrapper is None)
        if step is None:
            return Target(called, tuple(route), wrapper)
        route.append(step)
    raise NoFunctionError(f"{fn!r} is not a Python function, method or module")


def _step(called: Any, is_outside: bool) -> tuple[Step | None, Any]:
    """Returns the step from a callable to its callee, and the callee; (None, the function) at the end."""
    if isinstance(called, types.FunctionType):
        return _unwrapped(called) if is_outside else (None, called)
    if isinstance(called, types.MethodType):
        owner, function = called.__self__, called.__func__
        if isinstance(owner, torch.nn.Module) and called != owner.forward and modules.calls_forward(called):
            return ModuleCall(owner, "forward", called), owner.forward
        return Bound(owner), function
    if isinstance(called, torch.nn.Module):
        compiled = modules.compiled_call(called)
        original = cache_entries.original_module(called)
        if original is not called and not cache_entries.is_compiled_wrapper(called.forward):
            return ModuleCall(called, "forward", called), original  # a lazy module
        if compiled is None or original is not called:
            return ModuleCall(called, "forward", called), called.forward
        return ModuleCall(called, modules.COMPILED_CALL.rpartition(".")[2], called), compiled
    if cache_entries.is_compiled_ahead_of_time(called):
        hint = "; call its guard_check(...)" if hasattr(called, "guard_check") else ""
        raise NotCompiled(
            f"a function compiled ahead of time ({type(called).__name__}) is in none of Dynamo's caches, and depyf "
            f"does not inspect it{hint}"
        )
    call = inspect.getattr_static(type(called), "__call__", None)
    if not isinstance(call, types.FunctionType):
        raise NoFunctionError(f"{called!r} is not a Python function, method or module")
    return Bound(called), call


def _unwrapped(function: types.FunctionType) -> tuple[Step | None, Any]:
    """Returns the step from a decorated function to the function that it wraps, if that is compiled."""
    innermost: Any = function
    for _ in range(_MAX_STEPS):
        innermost = getattr(innermost, "__wrapped__", None)
        if cache_entries.is_compiled_wrapper(innermost):
            break
    else:
        return None, function
    wrapped = vars(function)["__wrapped__"]
    if all(_contents(cell) is not wrapped for cell in function.__closure__ or ()):
        raise NotCompiled(
            f"{_place(function)} wraps a compiled function in an unknown way: pass its __wrapped__ instead"
        )
    return Decorated(function, wrapped), wrapped
