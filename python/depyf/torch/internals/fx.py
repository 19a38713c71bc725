# SPDX-License-Identifier: MIT
"""FX graphs and operators, as torch prints and registers them.

Invariant: what this torch lacks is recorded in `names.missing()`; the function then answers "nothing".
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
    """What torch prints for a dtype in graphs ("f32") -> the dtype's name ("torch.float32")."""
    found = probe("torch.fx.graph.dtype_abbrs")
    return {abbreviation: str(dtype) for dtype, abbreviation in found.items()} if found is not None else {}


def is_lazy_forward(function: Any) -> bool:
    """Whether `function` is torch's shared placeholder of graph modules not compiled yet: it must never be edited."""
    shared = probe("torch.fx._lazy_graph_module._LazyGraphModule._lazy_forward")
    return shared is None or function is shared or getattr(function, "__code__", None) is shared.__code__


def is_boxed(graph: Any) -> bool:
    """Whether an FX graph is compiled to take its arguments as one list: so do backends that run it as Python."""
    return "Boxed" in type(attribute(graph, "FxGraph._codegen")).__name__


def patch_graph_formatter(observe: Callable[[str, Any], None]) -> Callable[[], None] | None:
    """Calls `observe(name, graph_module)` for graphs that only torch's formatter sees; returns the way to undo it.

    Others hold the function itself (vLLM imports it by name), so its code is replaced, not the name. A thread may be
    inside of the replaced code when it is undone: what that code calls is there for good.
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
        # Nearly all that torch itself formats is in the trace as well, and better there.
        if not caller.startswith("torch.") or _ONLY_FORMATTED.search(name):
            for tell in tuple(observers):
                tell(name, gm)
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
        observers.clear()  # the target stays: another thread may be about to call it

    return undo


_FORMATTER = "torch._dynamo.utils.lazy_format_graph_code"


_ONLY_FORMATTED = re.compile(r"frozen|ddp", re.IGNORECASE)


_formatter_target: list[Callable[[str, str, Any, tuple[Any, ...], dict[str, Any]], Any]] = []


_FUNCTION = re.compile(r"(?<![\w.])torch_\w+(?=\()")


def imports_of_functions(text: str) -> dict[str, str]:
    """Functions of torch's that a printed graph calls by module and name, joined by underscores, with their imports.

    FX (torch/fx/graph.py, add_global) names those of torch._dynamo so, beside functions of other packages.
    """
    called = dict.fromkeys(_FUNCTION.findall(text))
    if any(name.startswith(_UTILITIES.replace(".", "_")) for name in called):
        probe(_UTILITIES)  # so that it is there when a dump is written again
    of_numpy = {name: f"import {_UTILITIES}\n{lines}" for name in called if (lines := _numpy_wrapper(name))}
    found: dict[str, set[str]] = {name: set() for name in called if name not in of_numpy}
    for module, contents in tuple(sys.modules.items()) if found else ():
        prefix = module.replace(".", "_") + "_"
        for name in found if module.startswith("torch.") else ():
            function = vars(contents).get(name.removeprefix(prefix)) if name.startswith(prefix) else None
            if getattr(function, "__module__", None) == module:
                found[name].add(f"from {module} import {name.removeprefix(prefix)} as {name}")
    return of_numpy | {name: next(iter(imports)) for name, imports in found.items() if len(imports) == 1}


_UTILITIES = "torch._dynamo.utils"
_NUMPY = f"{_UTILITIES.replace('.', '_')}_wrapped_"


def _numpy_wrapper(called: str) -> str:
    """What makes the function by which a graph calls NumPy (a function, an operator, a method); "" for others.

    Dynamo makes it anew for each call, and FX numbers those of one name: a function and a method of it do the same.
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


# The second, as multiprocessing calls a script elsewhere, may be a name of the first.
_MAIN = ("__main__", "__mp_main__")


def registering_module(namespace: str, name: str) -> str | None:
    """The module, or the script, that registers `torch.ops.namespace.name`; None for torch's own, or if none is known.

    An operator of `torch.library.custom_op` knows its function; others are looked for by the file they come from. One
    that this process lacks is of a program that ran elsewhere, whose trace is read.
    """
    import torch

    if not hasattr(getattr(torch.ops, namespace), name):
        return "the program, or what it imports,"
    definition = (probe("torch._library.custom_ops.OPDEFS") or {}).get(f"{namespace}::{name}")
    module = str(getattr(getattr(definition, "_init_fn", None), "__module__", ""))
    dump = probe("torch._C._dispatch_dump")
    if not module and dump is not None:
        found = re.search(r"^debug: registered at (.+\.py):\d+", dump(f"{namespace}::{name}"), re.MULTILINE)
        files = {getattr(m, "__file__", None): n for n, m in tuple(sys.modules.items())} if found is not None else {}
        module = files.get(found.group(1), found.group(1)) if found is not None else ""
    if not module or f"{module}.".startswith("torch.") or names.is_torchs(module):
        return None
    return str(getattr(sys.modules[module], "__file__", module)) if module in _MAIN else module
