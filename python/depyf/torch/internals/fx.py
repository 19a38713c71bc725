# SPDX-License-Identifier: MIT
"""FX graphs and operators, as torch prints and registers them.

Invariant: a name that this torch lacks is recorded in `names.missing()`; the function then returns an empty result.
"""

from __future__ import annotations

import functools
import operator
import re
import sys
import types
from collections.abc import Callable
from typing import Any

from depyf.torch.internals import names
from depyf.torch.internals.dynamo import keep_from_dynamo
from depyf.torch.internals.names import attribute, probe


@functools.cache
def dtype_names() -> dict[str, str]:
    """Returns the names of dtypes ("torch.float32") by their abbreviations in printed graphs ("f32")."""
    abbreviations = probe("torch.fx.graph.dtype_abbrs") or {}
    return {abbreviation: str(dtype) for dtype, abbreviation in abbreviations.items()}


def is_lazy_forward(function: Any) -> bool:
    """Returns whether `function` is torch's placeholder for graph modules that are not compiled yet.

    All such modules share it, so it must not be modified.
    """
    shared = probe("torch.fx._lazy_graph_module._LazyGraphModule._lazy_forward")
    return shared is None or function is shared or getattr(function, "__code__", None) is shared.__code__


def is_boxed(graph: Any) -> bool:
    """Returns whether the code of an FX graph takes its arguments as one list, for backends that run it as Python."""
    return "Boxed" in type(attribute(graph, "FxGraph._codegen")).__name__


def patch_graph_formatter(observe: Callable[[str, Any], None]) -> Callable[[], None] | None:
    """Calls `observe(name, graph_module)` for graphs that are only passed to torch's formatter, not to its trace.

    Libraries have references to the formatter (vLLM imports it by name), so its code is replaced, not the attribute.
    Another thread may be running the replaced code when this is undone, so what that code calls is never removed.

    Returns:
        A function that undoes the change; None if this torch has no such formatter.

    """
    formatter = probe(_FORMATTER)
    if formatter is None:
        return None
    if not isinstance(formatter, types.FunctionType) or formatter.__code__.co_freevars:
        names.record_missing(_FORMATTER)
        return None
    original_code, original_defaults = formatter.__code__, formatter.__defaults__
    unpatched = types.FunctionType(original_code, formatter.__globals__, formatter.__name__, original_defaults)
    unpatched.__kwdefaults__ = formatter.__kwdefaults__
    observers = [observe]

    def observed(caller: str, name: str, gm: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        # Nearly all graphs that torch itself formats are also in its trace, with more facts.
        if not caller.startswith("torch.") or _ONLY_FORMATTED.search(name):
            for observer in tuple(observers):
                observer(name, gm)
        return unpatched(name, gm, *args, **kwargs)

    def template(name, gm, *args, **kwargs):  # type: ignore[no-untyped-def]

        from depyf.torch.internals.fx import _formatter_target

        return _formatter_target[0](sys._getframe(1).f_globals.get("__name__", ""), name, gm, args, kwargs)

    keep_from_dynamo(template, observed, observe)
    _formatter_target[:1] = [observed]
    formatter.__code__ = template.__code__
    formatter.__defaults__ = None

    def undo() -> None:
        formatter.__code__ = original_code
        formatter.__defaults__ = original_defaults
        observers.clear()  # the target stays, because another thread may be about to call it

    return undo


_OVERRIDE = re.compile(r'\s*File "(?P<path>[^"\n]+)", line \d+, in __torch_function__')


def without_overrides(stack: str) -> str:
    """Returns the stack of a node without the innermost frames in torch's own implementations of `__torch_function__`.

    All operations on tensor subclasses, or under a default device, have the same line there.
    """
    lines = stack.rstrip().split("\n")
    starts = [number for number, line in enumerate(lines) if line.lstrip().startswith('File "')]
    while len(starts) > 1 and (frame := _OVERRIDE.fullmatch(lines[starts[-1]])) and names.is_torchs(frame["path"]):
        del lines[starts.pop() :]
    return "\n".join(lines)


_FORMATTER = "torch._dynamo.utils.lazy_format_graph_code"


_ONLY_FORMATTED = re.compile(r"frozen|ddp", re.IGNORECASE)


_formatter_target: list[Callable[[str, str, Any, tuple[Any, ...], dict[str, Any]], Any]] = []


_FUNCTION = re.compile(r"(?<![\w.])torch_\w+(?=\()")


def imports_of_functions(text: str) -> dict[str, str]:
    """Returns imports for functions of torch in a printed graph whose names are module and name, joined by underscores.

    FX (add_global in torch/fx/graph.py) uses such names for functions of torch._dynamo and of other packages.
    """
    called = dict.fromkeys(_FUNCTION.findall(text))
    if any(name.startswith(_UTILITIES.replace(".", "_")) for name in called):
        probe(_UTILITIES)  # imports it, also when a dump is rewritten
    of_numpy = {name: f"import {_UTILITIES}\n{lines}" for name in called if (lines := _numpy_wrapper(name))}
    candidates: dict[str, set[str]] = {name: set() for name in called if name not in of_numpy}
    for module, contents in tuple(sys.modules.items()) if candidates else ():
        prefix = module.replace(".", "_") + "_"
        for name in candidates if module.startswith("torch.") else ():
            function = vars(contents).get(name.removeprefix(prefix)) if name.startswith(prefix) else None
            if getattr(function, "__module__", None) == module:
                candidates[name].add(f"from {module} import {name.removeprefix(prefix)} as {name}")
    return of_numpy | {name: next(iter(imports)) for name, imports in candidates.items() if len(imports) == 1}


_UTILITIES = "torch._dynamo.utils"
_NUMPY = f"{_UTILITIES.replace('.', '_')}_wrapped_"


def _numpy_wrapper(called: str) -> str:
    """Returns the statements that define a wrapper through which a graph calls NumPy; "" for other functions.

    It wraps a function, an operator or a method. Dynamo creates a new one for each call, and FX adds numbers to equal
    names, so a function and a method with this name must be equivalent.
    """
    if not called.startswith(_NUMPY):
        return ""
    torchs, whole = probe("torch._numpy"), called.removeprefix(_NUMPY)
    for name in (whole, re.sub(r"_\d+$", "", whole)):
        for part in ("", ".linalg", ".fft", ".random"):
            if callable(getattr(getattr(torchs, part[1:], None) if part else torchs, name, None)):
                module = f"torch._numpy{part}"
                return f"import {module}\n{called} = {_UTILITIES}.numpy_to_tensor_wrapper({module}.{name})"
        if callable(getattr(operator, name, None)):
            return f"import operator\n{called} = {_UTILITIES}.numpy_operator_wrapper(operator.{name})"
        if hasattr(getattr(torchs, "ndarray", None), name):
            return f"{called} = {_UTILITIES}.numpy_method_wrapper({name!r})"
    return ""


# multiprocessing uses the second name for the script in a child process.
_MAIN = ("__main__", "__mp_main__")


def registering_module(namespace: str, name: str) -> str | None:
    """Returns the module or script that registers the operator `torch.ops.namespace.name`.

    An operator of `torch.library.custom_op` has a reference to its function; others are found by the file in which they
    are registered. An operator that this process lacks belongs to a program that ran elsewhere, and whose trace is
    read.

    Returns:
        The module or the path of the script; None for operators of torch, or if it is not known.

    """
    import torch

    if not hasattr(getattr(torch.ops, namespace), name):
        return "the program, or what it imports,"
    definition = (probe("torch._library.custom_ops.OPDEFS") or {}).get(f"{namespace}::{name}")
    module = str(getattr(getattr(definition, "_init_fn", None), "__module__", ""))
    dump = probe("torch._C._dispatch_dump")
    if not module and dump is not None:
        match = re.search(r"^debug: registered at (.+\.py):\d+", dump(f"{namespace}::{name}"), re.MULTILINE)
        files = {getattr(m, "__file__", None): n for n, m in tuple(sys.modules.items())} if match is not None else {}
        module = files.get(match.group(1), match.group(1)) if match is not None else ""
    if not module or f"{module}.".startswith("torch.") or names.is_torchs(module):
        return None
    return str(getattr(sys.modules[module], "__file__", module)) if module in _MAIN else module
