# SPDX-License-Identifier: MIT
"""What `full_code_for_*.py` calls to be self-contained: captured graphs, made-up inputs, closures, the script's main.

Invariant: a thing that is not there is named in an error when it is used, never replaced by a guess.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import os
import re
import sys
import threading
import traceback
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import CellType, CodeType, FunctionType
from typing import Any, cast

import torch

from depyf.torch.guards import functions
from depyf.torch.guards.answers import Failure
from depyf.torch.guards.checks import Frame, named, short
from depyf.torch.guards.functions import Guards
from depyf.torch.internals.stable_names import StableGlobals, real_name
from depyf.torch.internals.vocabulary import RESUME_CODE
from depyf.torch.model.compile_ids import identifier_of
from depyf.torch.replay import known_guards
from depyf.torch.replay.file_globals import FileGlobals

__all__ = [
    "Frame",
    "NoEntryFits",
    "ResumeFunction",
    "StableGlobals",
    "bind",
    "bound",
    "captured_graph",
    "closure",
    "globals_of",
    "holds",
    "importable",
    "instantiate",
    "main",
    "missing",
    "no_entry_fits",
    "resume_closure",
    "tensor",
    "unseen_resume",
    "without_stand_ins",
]


class NoEntryFits(LookupError):
    """No compiled entry takes this call: torch.compile would compile a new one.

    Attributes:
        frame: What the guards looked at.
        failures: The first guard of each entry that does not hold.
        name: Of the function.

    """

    def __init__(
        self, message: str, frame: Frame | None = None, failures: Iterable[Failure] = (), name: str = ""
    ) -> None:
        super().__init__(message)
        self.frame = frame
        self.failures = tuple(failures)
        self.name = name


class Missing(LookupError):
    """The file lacks a live object that this call needs."""


def no_entry_fits(frame: Frame, name: str, entries: Iterable[tuple[str, Guards]]) -> NoEntryFits:
    """The exception for a call that no entry takes; says which guard of which entry failed, expected and found."""
    lines, failures = [], []
    for compile_id, guards in entries:
        failure = first_failure(guards, frame, compile_id)
        lines.append(str(failure) if failure is not None else f"[{compile_id}]  takes this call now")
        failures += [failure] if failure is not None else []
    listed = "".join(f"\n  {line}" for line in lines) or "\n  there is none yet"
    text = f"no entry of {name} fits; torch.compile would compile a new one:{listed}"
    return NoEntryFits(text, frame, failures, name)


def first_failure(guards: Guards, frame: Frame, compile_id: str) -> Failure | None:
    """The first guard of a file's entry that does not hold, or None."""
    file = str(getattr(guards, "__globals__", {}).get("__file__", ""))
    return functions.first_failure(guards, frame, compile_id, known_guards.of(file, compile_id) if file else ())


# ---- placeholders


def captured_graph(here: str, file: str) -> Callable[..., Any]:
    """The `forward` of a captured graph's file that lies beside the file `here`."""
    path = Path(os.path.abspath(here)).parent / file
    loaded: list[Callable[..., Any]] = []

    def run(*args: Any) -> Any:
        if not loaded:
            loaded.append(_load(path))
        return loaded[0](*args)

    return run


def _load(path: Path) -> Callable[..., Any]:
    spec = importlib.util.spec_from_file_location(f"depyf_graph_{abs(hash(path))}", path)
    if spec is None or spec.loader is None or not path.exists():
        raise Missing(f"the captured graph {path} is not there")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    make = vars(module).get("instance")
    if make is None:  # what the graph reads of itself is not all in the file, which says so when it is run
        make = next((v for v in vars(module).values() if isinstance(v, type) and v.__module__ == module.__name__), None)
    if make is None:
        raise Missing(f"{path} holds no graph module")
    try:
        forward: Callable[..., Any] = make().forward
    except LookupError as error:  # an operator of the program's
        raise Missing(str(error)) from None
    return forward


class Absent:
    """Stands for a live object that the file could not be given; says so when it is used."""

    def __init__(self, name: str, why: str) -> None:
        object.__setattr__(self, "_depyf_missing", f"{name}: {why}")

    def __call__(self, *_args: Any, **_kwargs: Any) -> Any:
        raise Missing(object.__getattribute__(self, "_depyf_missing"))

    def __getattr__(self, name: str) -> Any:
        raise Missing(object.__getattribute__(self, "_depyf_missing"))

    def __iter__(self) -> Any:
        raise Missing(object.__getattribute__(self, "_depyf_missing"))

    def __repr__(self) -> str:
        return f"<missing {object.__getattribute__(self, '_depyf_missing')}>"


def missing(name: str, why: str) -> Any:
    """A placeholder for something the file could not be given."""
    return Absent(name, why)


def importable(path: str) -> Any:
    """The object at a dotted path of the program's own modules, or a placeholder where they cannot be imported."""
    try:
        return named(path)
    except Exception as error:  # a module of the user's may raise anything when it is imported
        return Absent(path, f"not importable here ({type(error).__name__}: {error}); PYTHONPATH may tell where it is")


def globals_of(module: str, of_this_file: dict[str, Any]) -> Mapping[str, Any]:
    """What a function of another module finds: the names that this file defines for it, then the module's own."""
    try:
        return ChainMap(of_this_file, vars(importlib.import_module(module)))
    except Exception:  # a module of the user's may raise anything when it is imported; what is lacking is named in use
        return of_this_file


_binding = threading.local()


@contextlib.contextmanager
def without_stand_ins() -> Iterator[None]:
    """Makes no tensors in this thread, for the length of a block: what takes their place says so when it is used."""
    _binding.active = True
    try:
        yield
    finally:
        _binding.active = False


def tensor(
    size: tuple[int, ...],
    stride: tuple[int, ...],
    dtype: torch.dtype,
    device: str,
    *,
    requires_grad: bool = False,
    parameter: bool = False,
    conj: bool = False,
    neg: bool = False,
    inference: bool = False,
    grad: torch.Tensor | None = None,
    value: complex | None = None,
    same: int | None = None,
) -> torch.Tensor:
    """A tensor of recorded shape, strides, dtype, device, kind of view and gradient. Numbers are made up, or a `value`.

    `same`: the number of one that a call is given in several places.
    """
    if getattr(_binding, "active", False):
        return cast("torch.Tensor", Absent("a tensor", "the program's own takes its place"))
    if same in _of_call:
        return _of_call[same]
    with torch.inference_mode() if inference else contextlib.nullcontext():
        made = torch.empty_strided(size, stride, dtype=dtype, device=device)
        if neg:  # what `conj().imag` gives, without a copy
            reach = 1 + sum((n - 1) * step for n, step in zip(size, stride, strict=True)) if made.numel() else 0
            whole = torch.zeros(reach, dtype=dtype.to_complex(), device=device)
            made = whole.conj().imag.as_strided(size, stride)
        if conj:
            made = made.conj()
        if made.device.type != "meta" and made.numel():
            with torch.no_grad():
                if value is not None:
                    made.fill_(value)
                elif dtype.is_floating_point or dtype.is_complex:
                    made.copy_(torch.linspace(0.1, 1.0, made.numel()).reshape(size))
                else:
                    made.fill_(1)
        if parameter:
            made = torch.nn.Parameter(made, requires_grad=requires_grad)
        elif requires_grad:
            made.requires_grad_()
        made.grad = grad if grad is not None else made.grad
    if same is not None:
        _of_call[same] = made
    return made


_of_call: dict[int | None, torch.Tensor] = {}  # the tensors of one call's inputs that are in several places


# ---- closures


ITSELF = "the function itself"  # as the value of a free variable: that of a nested function that calls itself


def closure(factory: Callable[..., Any], **values: Any) -> Any:
    """The function that a factory of a full-code file makes, its free variables holding these values."""
    cells = {name: CellType(value) for name, value in values.items()}
    made = instantiate(factory, cells)
    for name, value in values.items():
        if value is ITSELF:
            cells[name].cell_contents = made
    return made


def bound(**variables: Callable[[], Any]) -> dict[str, Any]:
    """Free variables and their values, without those that are not bound yet: Dynamo's guards do not see those."""
    values: dict[str, Any] = {}
    for name, read in variables.items():
        with contextlib.suppress(NameError):
            values[name] = read()
    return values


def resume_closure(factory: Callable[..., Any], names: tuple[str, ...]) -> Callable[[tuple[CellType, ...]], Any]:
    """A resume function with free variables: Dynamo's code calls it with their cells first."""
    return lambda cells: instantiate(factory, dict(zip(names, cells, strict=True)))


class ResumeFunction:
    """A resume function that is handed over in a list, for the one that is called to continue with.

    So Dynamo leaves functions that it inlined. Guards look at the code and the cells, which are Dynamo's own.
    """

    def __init__(
        self,
        run: Callable[..., Any],
        code: CodeType,
        cells: tuple[CellType, ...] | None = None,
        original: FunctionType | None = None,
    ) -> None:
        self.run = run
        self.original = original  # what torch itself continues with
        self.__code__ = code
        self.__closure__ = cells

    def __call__(self, *args: Any) -> Any:
        return self.run(*args)


def unseen_resume(name: str, why: str) -> Callable[..., Any]:
    """Stands for a resume function that may be handed over, and given its cells, but not called."""
    absent = Absent(name, why)

    def resume(*args: Any) -> Any:
        if len(args) == 1 and isinstance(args[0], tuple) and any(isinstance(cell, CellType) for cell in args[0]):
            return ResumeFunction(absent, resume.__code__, args[0])
        return absent(*args)

    return resume


def instantiate(
    factory: Callable[..., Any], cells: dict[str, CellType], others: dict[str, Any] | None = None
) -> FunctionType:
    """Makes the functions inside a factory with the program's own cells; the last one defined is the answer.

    `others` replaces functions of the factory by name. What the program's cells hold is not touched.
    """
    inner = [c for c in factory.__code__.co_consts if isinstance(c, CodeType)]
    own = {code.co_name: CellType() for code in inner}
    known = {**own, **cells}
    made: Any = None
    for code in inner:
        made = (others or {}).get(code.co_name)
        if made is None:
            made = FunctionType(
                code, factory.__globals__, code.co_name, None, tuple(known[name] for name in code.co_freevars)
            )
        own[code.co_name].cell_contents = made
    if made is None:
        raise LookupError(f"{factory.__name__} makes no function")
    result: FunctionType = made
    return result


def bind(namespace: dict[str, Any], live: dict[str, Any], names: Iterable[str]) -> None:
    """Gives a full-code file the program's own objects: the globals it names, and compiled graphs where they live."""
    for name in names:
        real = real_name(name, live)
        if real is not None:
            namespace[name] = live[real]


# ---- run as a script


_taken: list[str] = []  # the first guard function whose guards held in a call of `main`: of the entry that takes it


def holds(guards: Guards, frame: Frame) -> bool:
    """Whether every guard holds. A guard whose expression raises does not hold, as in torch."""
    found = functions.holds(guards, frame)
    if found and not _taken:
        _taken.append(guards.__name__)
    return found


_MADE_UP = "\n  the inputs hold made-up numbers: what was compiled before may hand over other values than it did then"
_OPERATOR = re.compile(r"\bops\.(\w+)\.(\w+)")  # as a guard on one names it
_COMPARED = 60  # characters of a placeholder, which a failure shows shortened
# Positional, by name, globals of that time and, where they are others than the file's, free variables.
Inputs = tuple[Any, ...]


def main(function: Callable[..., Any], calls: Iterable[tuple[Any, ...]], scope: dict[str, Any]) -> None:
    """Calls the function once for each entry, on inputs made from what was recorded; exits 1 if one cannot run.

    Says so where another entry takes a call, as one that was compiled later and is tried before may.

    No call finds what another one has made of the file's globals, or of the function's free variables.

    Args:
        function: The file's.
        calls: Of each entry the compile id, what makes its inputs, and what enters the state of the process that it
            was compiled under: what of it is not torch's default, and the number of threads.
        scope: The file's globals.

    """
    failed = 0
    calls = [*calls]
    own_guards = {f"guards_{identifier_of(compile_id)}": compile_id for compile_id, *_ in calls}
    cells = _filled(function)
    free = {name: cell.cell_contents for name, cell in cells.items()}
    before = FileGlobals(scope), FileGlobals(free)
    for compile_id, make, *state in calls:
        try:
            for values in before:
                values.restore()
            args, kwargs, own = _inputs(make, scope)
            for name, value in (free | own).items():
                cells[name].cell_contents = function if value is ITSELF else value
            _taken.clear()
            with state[0] if state else contextlib.nullcontext():
                result = function(*args, **kwargs)
        except Missing as error:
            failed += 1
            print(f"[{compile_id}] cannot run here, it needs {error}")
        except NoEntryFits as error:
            failed += 1
            absent = _absent_in(error, scope)
            if needed := [*map(repr, _needed(error, compile_id, absent)), *_unregistered(error, compile_id)]:
                print(f"[{compile_id}] cannot run here, it needs {', '.join(needed)}")
            else:
                lacking = f"\n  not here: {', '.join(absent)}" if absent else ""
                print(f"[{compile_id}] {error}{lacking}{_MADE_UP if error.name.startswith(RESUME_CODE) else ''}")
        except Exception as error:
            failed += 1
            if absent_values := _absent_where(error):
                print(f"[{compile_id}] cannot run here, it needs {', '.join(map(repr, absent_values))}")
                continue
            print(f"[{compile_id}] raised:")
            traceback.print_exc(file=sys.stdout)
        else:
            taker = own_guards.get(_taken[0], compile_id) if _taken else compile_id
            by = f" taken by [{taker}]" if taker != compile_id else ""
            print(f"[{compile_id}]{by} -> {short(result) if not isinstance(result, tuple | list) else _listed(result)}")
    if failed:
        sys.exit(1)


def _filled(function: Callable[..., Any]) -> dict[str, CellType]:
    """The cells of a function's free variables that hold something."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return {name: cell for name, cell in cells if cell != CellType()}


def _inputs(
    make: Callable[[], Inputs], scope: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any], dict[str, Any]]:
    """Arguments, and the free variables that are others than the file's."""
    _of_call.clear()
    args, kwargs, then, *free = make()
    _of_call.clear()
    scope.update(then)
    lacking = [repr(v) for v in (*args, *kwargs.values()) if isinstance(v, Absent)]
    if lacking:
        raise Missing(", ".join(lacking))
    return args, kwargs, free[0] if free else {}


def _absent_in(error: NoEntryFits, scope: Mapping[str, Any]) -> dict[str, Absent]:
    """The placeholders that guards may have looked at: globals of the file, arguments and free variables."""
    found = {**scope, **(error.frame.locals if error.frame is not None else {})}
    return {name: value for name, value in sorted(found.items()) if isinstance(value, Absent)}


def _needed(error: NoEntryFits, compile_id: str, absent: Mapping[str, Absent]) -> list[Absent]:
    """The placeholders that the failing guard looked at, as far as it is known what that is."""
    failures = _failures_of(error, compile_id)
    read = {name for failure in failures for name in functions.roots_of(failure.check)}
    return [v for name, v in absent.items() if name in read or any(repr(v)[:_COMPARED] in str(f) for f in failures)]


def _failures_of(error: NoEntryFits, compile_id: str) -> list[Failure]:
    """The guard that does not hold of the entry that a call was made for; of all, where that one is not told."""
    return [f for f in error.failures if f.entry == compile_id] or [*error.failures]


def _unregistered(error: NoEntryFits, compile_id: str) -> list[str]:
    """The operators of the program's that the failing guard asks for, and this process has not registered."""
    found = {
        match.groups() for failure in _failures_of(error, compile_id) for match in _OPERATOR.finditer(failure.check)
    }
    return [
        f"torch.ops.{namespace}.{name}, which the program registers"
        for namespace, name in sorted(found)
        if not hasattr(getattr(torch.ops, namespace), name)
    ]


def _absent_where(error: Exception) -> list[Absent]:
    """The placeholders that the raising frame was given: what is written in C does not ask them who they are."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    return [value for value in frames[-1].f_locals.values() if isinstance(value, Absent)] if frames else []


def _listed(values: Iterable[Any]) -> str:
    return f"({', '.join(short(v) for v in values)})"
