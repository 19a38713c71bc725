# SPDX-License-Identifier: MIT
"""Functions that `full_code_for_*.py` calls: captured graphs, generated inputs, closures, the script's `main`.

Invariant: an object that is not available raises an error with its name when it is used; it is never replaced by a
guess.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib
import importlib.util
import inspect
import os
import re
import sys
import threading
import traceback
import weakref
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import CellType, CodeType, FunctionType, MemberDescriptorType
from typing import Any, cast

import torch

from depyf.decompilation import names
from depyf.torch.guards import functions
from depyf.torch.guards.answers import Failure
from depyf.torch.guards.checks import Frame, named, short
from depyf.torch.guards.functions import Guards
from depyf.torch.internals.stable_names import StableGlobals, real_name
from depyf.torch.internals.vocabulary import RESUME_CODE
from depyf.torch.model.compile_ids import identifier_of
from depyf.torch.replay import known_guards
from depyf.torch.replay.file_globals import FileGlobals
from depyf.torch.replay.program import NotThere, program

__all__ = [
    "Frame",
    "NoEntryFits",
    "ResumeFunction",
    "StableGlobals",
    "again",
    "bind",
    "bound",
    "captured_graph",
    "closure",
    "globals_of",
    "holds",
    "importable",
    "instantiate",
    "made",
    "main",
    "missing",
    "no_entry_fits",
    "program",
    "reference",
    "resume_closure",
    "shared",
    "tensor",
    "tuple_of",
    "undecorated",
    "unseen_resume",
    "without_stand_ins",
]


class NoEntryFits(LookupError):
    """No compiled entry accepts this call: torch.compile would compile a new one.

    Attributes:
        frame: The variables that the guards read.
        failures: For each entry, the first guard that does not hold.
        name: Name of the function.

    """

    def __init__(
        self, message: str, frame: Frame | None = None, failures: Iterable[Failure] = (), name: str = ""
    ) -> None:
        super().__init__(message)
        self.frame = frame
        self.failures = tuple(failures)
        self.name = name


class Missing(LookupError):
    """A call needs an object that the file does not contain."""


def no_entry_fits(frame: Frame, name: str, entries: Iterable[tuple[str, Guards]]) -> NoEntryFits:
    """Returns the exception for a call that no entry accepts; its message lists the failed guard of each entry."""
    lines, failures = [], []
    for compile_id, guards in entries:
        failure = first_failure(guards, frame, compile_id)
        lines.append(str(failure) if failure is not None else f"[{compile_id}]  takes this call now")
        failures += [failure] if failure is not None else []
    listed = "".join(f"\n  {line}" for line in lines) or "\n  there is none yet"
    text = f"no entry of {name} fits; torch.compile would compile a new one:{listed}"
    return NoEntryFits(text, frame, failures, name)


def first_failure(guards: Guards, frame: Frame, compile_id: str) -> Failure | None:
    """Returns the first guard of an entry in a file that does not hold, or None."""
    file = str(getattr(guards, "__globals__", {}).get("__file__", ""))
    facts = known_guards.guards_in(file, compile_id) if file else ()
    return functions.first_failure(guards, frame, compile_id, facts, functools.partial(_check_at, guards))


def _check_at(guards: Guards, index: int) -> str:
    """Returns the check that a function in a file yields at a position, from its source; "" if that is not there."""
    try:
        (function,) = ast.parse(inspect.getsource(guards)).body
    except (OSError, TypeError, SyntaxError, ValueError):
        return ""
    statements = function.body if isinstance(function, ast.FunctionDef) else []
    values = [s.value.value for s in statements if isinstance(s, ast.Expr) and isinstance(s.value, ast.Yield)]
    check = values[index] if index < len(values) else None
    return ast.unparse(check) if check is not None else ""


# ---- graphs and placeholders


def captured_graph(script: str, file: str) -> Callable[..., Any]:
    """Returns the `forward` of a captured graph, loaded at the first call from a file in the folder of `script`."""
    path = Path(os.path.abspath(script)).parent / file
    loaded: list[Callable[..., Any]] = []

    def run(*args: Any) -> Any:
        if not loaded:
            loaded.append(_load(path))
        return loaded[0](*args)

    return run


def _load(path: Path) -> Callable[..., Any]:
    """Imports the file of a graph, and returns the bound `forward` of an instance."""
    spec = importlib.util.spec_from_file_location(f"depyf_graph_{abs(hash(path))}", path)
    if spec is None or spec.loader is None or not path.exists():
        raise Missing(f"the captured graph {path} does not exist")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    make = vars(module).get("instance")
    if make is None:  # attributes of the graph are missing, which the file reports when it runs
        make = next((v for v in vars(module).values() if isinstance(v, type) and v.__module__ == module.__name__), None)
    if make is None:
        raise Missing(f"{path} contains no graph module")
    try:
        forward: Callable[..., Any] = make().forward
    except LookupError as error:  # an operator of the program is not registered
        raise Missing(str(error)) from None
    return forward


_within_objects: weakref.WeakSet[Absent] = weakref.WeakSet()  # those whose name is a path, such as `self.rate`


class Absent:
    """Stands for an object that the file does not contain; every use raises `Missing`."""

    def __init__(self, name: str, why: str) -> None:
        object.__setattr__(self, "_depyf_missing", f"{name}: {why}")
        object.__setattr__(self, "_depyf_name", name)
        if not name.isidentifier():
            _within_objects.add(self)

    def is_read_in(self, check: str) -> bool:
        """Returns whether a check of a guard, with variables as themselves, reads it."""
        name = re.escape(object.__getattribute__(self, "_depyf_name"))
        return re.search(rf"(?<![\w.]){name}(?!\w)", check) is not None

    def __call__(self, *_args: Any, **_kwargs: Any) -> Any:
        raise Missing(object.__getattribute__(self, "_depyf_missing"))

    def __getattr__(self, name: str) -> Any:
        raise Missing(object.__getattribute__(self, "_depyf_missing"))

    def __iter__(self) -> Any:
        raise Missing(object.__getattribute__(self, "_depyf_missing"))

    def __getitem__(self, key: Any) -> Any:
        raise Missing(object.__getattribute__(self, "_depyf_missing"))

    def __repr__(self) -> str:
        return f"<missing {object.__getattribute__(self, '_depyf_missing')}>"


def missing(name: str, why: str) -> Any:
    """Returns a placeholder for an object that the file does not contain."""
    return Absent(name, why)


def importable(path: str) -> Any:
    """Returns the object at a dotted path of the program's modules, or a placeholder if they cannot be imported."""
    try:
        return named(path)
    except NotThere as error:
        return Absent(path, str(error))
    except Exception as error:  # a module of the user's may raise anything when it is imported
        return Absent(path, f"not importable here ({type(error).__name__}: {error}); set PYTHONPATH if it is elsewhere")


def globals_of(module: str, of_this_file: dict[str, Any]) -> Mapping[str, Any]:
    """Returns globals for a function of another module: the names that this file defines, then the module's own."""
    try:
        return ChainMap(of_this_file, vars(importlib.import_module(module)))
    except Exception:  # importing a module of the user may raise anything; missing names raise when they are used
        return of_this_file


_binding = threading.local()


@contextlib.contextmanager
def without_stand_ins() -> Iterator[None]:
    """Makes `tensor` return placeholders in this thread during a block, because the program's values replace them."""
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
    view_of: tuple[tuple[int, ...], tuple[int, ...], int] | None = None,
    grad: torch.Tensor | None = None,
    value: complex | None = None,
    same: int | None = None,
) -> torch.Tensor:
    """Returns a tensor with the recorded shape, strides, dtype, device, kind of view and gradient.

    Its elements are `value`, or arbitrary numbers. `view_of` are shape and strides of the tensor of which it is a view,
    and the offset in it. Tensors with the same number `same` in one call are one object.
    """
    if getattr(_binding, "active", False):
        return cast("torch.Tensor", Absent("a tensor", "the program's own replaces it"))
    if same in _tensors_of_call:
        return _tensors_of_call[same]
    with torch.inference_mode() if inference else contextlib.nullcontext():
        if view_of is not None:
            base = torch.empty_strided(*view_of[:2], dtype=dtype, device=device)
            result = base.as_strided(size, stride, view_of[2])
        else:
            result = torch.empty_strided(size, stride, dtype=dtype, device=device)
        if neg:  # a view with the negative bit, as `conj().imag` returns
            extent = 1 + sum((n - 1) * step for n, step in zip(size, stride, strict=True)) if result.numel() else 0
            complex_zeros = torch.zeros(extent, dtype=dtype.to_complex(), device=device)
            result = complex_zeros.conj().imag.as_strided(size, stride)
        if conj:
            result = result.conj()
        if result.device.type != "meta" and result.numel():
            with torch.no_grad():
                if value is not None:
                    result.fill_(value)
                elif dtype.is_floating_point or dtype.is_complex:
                    result.copy_(torch.linspace(0.1, 1.0, result.numel()).reshape(size))
                else:
                    result.fill_(1)
        if parameter:
            result = torch.nn.Parameter(result, requires_grad=requires_grad)
        elif requires_grad:
            result.requires_grad_()
        result.grad = grad if grad is not None else result.grad
    if same is not None:
        _tensors_of_call[same] = result
    return result


_tensors_of_call: dict[int | None, torch.Tensor] = {}  # tensors that occur several times in the inputs of one call
_objects: dict[int, Any] = {}  # objects that occur several times in one text, by number


def made(path: str, number: int | None = None, /, **attributes: Any) -> Any:
    """Returns an object of a class of the program with the recorded attributes; no code of the class runs.

    Args:
        path: The dotted path of the class.
        number: The number under which `again` finds the object; None if it occurs once.
        attributes: The attributes. For a module of torch, those that a new module does not have.

    """
    if getattr(_binding, "active", False):
        return Absent("an object", "the program's own takes its place")
    cls = importable(path)
    if not isinstance(cls, type):
        return cls
    value: Any = object.__new__(cls)
    if isinstance(value, torch.nn.Module):
        torch.nn.Module.__init__(value)
    for name, item in attributes.items():
        if isinstance(inspect.getattr_static(cls, name, None), MemberDescriptorType):
            object.__setattr__(value, name, item)
        else:
            value.__dict__[name] = item
    if number is not None:
        _objects[number] = value
    return value


def tuple_of(path: str, /, *items: Any) -> Any:
    """Returns a named tuple of a class of the program."""
    cls = importable(path)
    return tuple.__new__(cls, items) if isinstance(cls, type) else cls


def shared(number: int, value: Any) -> Any:
    """Returns a container that occurs in several places, and notes it under its number for `again`."""
    _objects[number] = value
    return value


def again(number: int) -> Any:
    """Returns the object with this number, which the same text has created before."""
    return _objects.get(number, Absent("an object", "the program's own takes its place"))


def reference(value: Any) -> Callable[[], Any]:
    """Returns a function that returns the object: a weak reference to it would be dead at once."""
    return lambda: value


def undecorated(function: Any, name: str) -> Any:
    """Returns the function whose code has this name, among a function and those that its decorators wrap."""
    if isinstance(function, Absent):
        return function
    found = names.undecorated(function, name)
    return found if found is not None else Absent(name, "no decorated function of this name is there")


# ---- closures


ITSELF = "the function itself"  # value of the free variable with which a nested function calls itself


def closure(factory: Callable[..., Any], **values: Any) -> Any:
    """Returns the function that a factory of a full-code file creates, with these values of its free variables."""
    cells = {name: CellType(value) for name, value in values.items()}
    function = instantiate(factory, cells)
    for name, value in values.items():
        if value is ITSELF:
            cells[name].cell_contents = function
    return function


def bound(**variables: Callable[[], Any]) -> dict[str, Any]:
    """Returns the values of free variables, without unbound ones, which Dynamo's guards do not see."""
    values: dict[str, Any] = {}
    for name, read in variables.items():
        with contextlib.suppress(NameError):
            values[name] = read()
    return values


def resume_closure(factory: Callable[..., Any], names: tuple[str, ...]) -> Callable[[tuple[CellType, ...]], Any]:
    """Returns a resume function with free variables, which Dynamo's code first calls with their cells."""
    return lambda cells: instantiate(factory, dict(zip(names, cells, strict=True)))


class ResumeFunction:
    """A resume function that is passed in a list to another one, which calls it when it returns.

    Dynamo uses such lists for functions that it inlined. Guards read the code and the cells, which are Dynamo's own.
    """

    def __init__(
        self,
        run: Callable[..., Any],
        code: CodeType,
        cells: tuple[CellType, ...] | None = None,
        original: FunctionType | None = None,
    ) -> None:
        self.run = run
        self.original = original  # the function that torch itself calls
        self.__code__ = code
        self.__closure__ = cells

    def __call__(self, *args: Any) -> Any:
        return self.run(*args)


def unseen_resume(name: str, reason: str) -> Callable[..., Any]:
    """Returns a placeholder for a resume function that can be passed on and given its cells, but not called."""
    absent = Absent(name, reason)

    def resume(*args: Any) -> Any:
        if len(args) == 1 and isinstance(args[0], tuple) and any(isinstance(cell, CellType) for cell in args[0]):
            return ResumeFunction(absent, resume.__code__, args[0])
        return absent(*args)

    return resume


def instantiate(
    factory: Callable[..., Any], cells: dict[str, CellType], replacements: dict[str, Any] | None = None
) -> FunctionType:
    """Creates the functions inside a factory with the program's own cells, and returns the one defined last.

    `replacements` are functions to use instead of those of the factory, by name. The contents of the program's cells
    are not changed.
    """
    codes = [c for c in factory.__code__.co_consts if isinstance(c, CodeType)]
    own_cells = {code.co_name: CellType() for code in codes}
    all_cells = {**own_cells, **cells}
    function: Any = None
    for code in codes:
        function = (replacements or {}).get(code.co_name)
        if function is None:
            function = FunctionType(
                code, factory.__globals__, code.co_name, None, tuple(all_cells[name] for name in code.co_freevars)
            )
        own_cells[code.co_name].cell_contents = function
    if function is None:
        raise LookupError(f"{factory.__name__} defines no function")
    result: FunctionType = function
    return result


def bind(namespace: dict[str, Any], live: dict[str, Any], names: Iterable[str]) -> None:
    """Replaces names in a full-code file by the program's own objects: global variables and compiled graphs."""
    for name in names:
        real = real_name(name, live)
        if real is not None:
            namespace[name] = live[real]


# ---- run as a script


_accepting: list[str] = []  # the first guard function whose guards held in a call of `main`


def holds(guards: Guards, frame: Frame) -> bool:
    """Returns whether every guard holds. A guard whose expression raises an exception does not hold, as in torch."""
    result = functions.holds(guards, frame)
    if result and not _accepting:
        _accepting.append(guards.__name__)
    return result


_MADE_UP = "\n  the inputs contain made-up numbers, so the code before this call may have computed other values"
_OPERATOR = re.compile(r"\bops\.(\w+)\.(\w+)")  # an operator in the text of a guard
_VARIABLE = re.compile(r"\b[LG]\[(['\"])(\w+)\1\]")  # a variable in the text of a guard
_COMPARED = 60  # characters of a placeholder's repr, because a failure shows it shortened
# Positional arguments, keyword arguments, changed globals and, if they differ from the file's, free variables.
Inputs = tuple[Any, ...]


def main(function: Callable[..., Any], calls: Iterable[tuple[Any, ...]], scope: dict[str, Any]) -> None:
    """Calls the function of a full-code file once for each entry, with recorded inputs; exits with 1 if a call fails.

    A call that another entry accepts is reported: an entry that was compiled later may be tried first. The file's
    globals and the function's free variables are restored before each call.

    Args:
        function: The function.
        calls: For each entry its compile id, a function that creates the inputs, and, if the guards compare global
            state, a context manager that sets this state (see `state`).
        scope: The file's globals.

    """
    failed, lacking = 0, 0
    calls = [*calls]
    own_guards = {f"guards_{identifier_of(compile_id)}": compile_id for compile_id, *_ in calls}
    cells = _nonempty_cells(function)
    free = {name: cell.cell_contents for name, cell in cells.items()}
    saved = FileGlobals(scope), FileGlobals(free)
    for compile_id, make, *state in calls:
        try:
            for values in saved:
                values.restore()
            args, kwargs, changed_free = _inputs(make, scope)
            for name, value in (free | changed_free).items():
                cells[name].cell_contents = function if value is ITSELF else value
            _accepting.clear()
            with state[0] if state else contextlib.nullcontext():
                result = function(*args, **kwargs)
        except Missing as error:
            failed, lacking = failed + 1, lacking + 1
            print(f"[{compile_id}] cannot run here, it needs {error}")
        except NoEntryFits as error:
            failed += 1
            absent = _absent_in(error, scope)
            if needed := [*map(repr, _needed(error, compile_id, absent)), *_unregistered(error, compile_id)]:
                lacking += 1
                print(f"[{compile_id}] cannot run here, it needs {', '.join(needed)}")
            else:
                not_here = f"\n  not here: {', '.join(absent)}" if absent else ""
                print(f"[{compile_id}] {error}{not_here}{_MADE_UP if error.name.startswith(RESUME_CODE) else ''}")
        except Exception as error:
            failed += 1
            if absent_values := _absent_where(error):
                lacking += 1
                print(f"[{compile_id}] cannot run here, it needs {', '.join(map(repr, absent_values))}")
                continue
            print(f"[{compile_id}] raised:")
            traceback.print_exc(file=sys.stdout)
        else:
            used_entry = own_guards.get(_accepting[0], compile_id) if _accepting else compile_id
            note = f" taken by [{used_entry}]" if used_entry != compile_id else ""
            shown = _listed(result) if isinstance(result, tuple | list) else short(result)
            print(f"[{compile_id}]{note} -> {shown}")
    if lacking:
        print(f"in the program, depyf.full_code({function.__name__}) runs this on the program's own objects")
    if failed:
        sys.exit(1)


def _nonempty_cells(function: Callable[..., Any]) -> dict[str, CellType]:
    """Returns the non-empty cells of a function's free variables."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return {name: cell for name, cell in cells if cell != CellType()}


def _inputs(
    make: Callable[[], Inputs], scope: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any], dict[str, Any]]:
    """Returns positional and named arguments, and the free variables that differ from the file's."""
    _tensors_of_call.clear()
    args, kwargs, changed_globals, *free = make()
    _tensors_of_call.clear()
    scope.update(changed_globals)
    lacking = [repr(v) for v in (*args, *kwargs.values()) if isinstance(v, Absent)]
    if lacking:
        raise Missing(", ".join(lacking))
    return args, kwargs, free[0] if free else {}


def _absent_in(error: NoEntryFits, scope: Mapping[str, Any]) -> dict[str, Absent]:
    """Returns the placeholders that guards may have read: globals of the file, arguments and free variables."""
    variables = {**scope, **(error.frame.locals if error.frame is not None else {})}
    return {name: value for name, value in sorted(variables.items()) if isinstance(value, Absent)}


def _needed(error: NoEntryFits, compile_id: str, absent: Mapping[str, Absent]) -> list[Absent]:
    """Returns the placeholders that the failing guard read, as far as they are known."""
    failures = _failures_of(error, compile_id)
    read = {name for failure in failures for name in functions.roots_of(failure.check)}
    variables = [
        v for name, v in absent.items() if name in read or any(repr(v)[:_COMPARED] in str(f) for f in failures)
    ]
    checks = [_VARIABLE.sub(r"\2", failure.check) for failure in failures]
    return variables + sorted((v for v in _within_objects if any(v.is_read_in(check) for check in checks)), key=repr)


def _failures_of(error: NoEntryFits, compile_id: str) -> list[Failure]:
    """Returns the failure of the entry for which the call was made, or those of all entries if that is not known."""
    return [f for f in error.failures if f.entry == compile_id] or [*error.failures]


def _unregistered(error: NoEntryFits, compile_id: str) -> list[str]:
    """Returns the program's operators that the failing guard reads and that are not registered in this process."""
    operators = {
        match.groups() for failure in _failures_of(error, compile_id) for match in _OPERATOR.finditer(failure.check)
    }
    return [
        f"torch.ops.{namespace}.{name}, which the program registers"
        for namespace, name in sorted(operators)
        if not hasattr(getattr(torch.ops, namespace), name)
    ]


def _absent_where(error: Exception) -> list[Absent]:
    """Returns placeholders among the variables of the frame that raised: functions in C do not raise `Missing`."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    return [value for value in frames[-1].f_locals.values() if isinstance(value, Absent)] if frames else []


def _listed(values: Iterable[Any]) -> str:
    return f"({', '.join(short(v) for v in values)})"
