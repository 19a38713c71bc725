# SPDX-License-Identifier: MIT
"""FX graphs and Inductor's files."""

from __future__ import annotations

import functools
import re
import sys
import types
from collections.abc import Callable
from typing import Any

from depyf.torch.seams.conversion import keep_from_dynamo
from depyf.torch.seams.probe import probe


@functools.cache
def dtype_names() -> dict[str, str]:
    """What torch prints for a dtype in graphs ("f32") -> the dtype's name ("torch.float32")."""
    names = probe("torch.fx.graph.dtype_abbrs", "inputs made for dumped graphs")
    return {abbreviation: str(dtype) for dtype, abbreviation in names.items()} if names is not None else {}


def is_lazy_forward(function: Any) -> bool:
    """Whether `function` is torch's shared stand-in of graph modules not compiled yet: it must never be edited."""
    return getattr(function, "__name__", "") == "_lazy_forward"


def is_boxed(graph: Any) -> bool:
    """Whether an FX graph is compiled to take its arguments as one list: so do backends that run it as Python."""
    return "Boxed" in type(getattr(graph, "_codegen", None)).__name__


def patch_graph_formatter(observe: Callable[[str, Any], None]) -> Callable[[], None] | None:
    """Calls `observe(name, graph_module)` for graphs that only torch's formatter sees; returns the way to undo it.

    Others hold the function itself (vLLM imports it by name), so its code is replaced, not the name.
    """
    formatter = probe("torch._dynamo.utils.lazy_format_graph_code", "graphs that libraries print (vLLM's splits)")
    if formatter is None or formatter.__code__.co_freevars:
        return None
    original_code, original_defaults = formatter.__code__, formatter.__defaults__
    unpatched = types.FunctionType(original_code, formatter.__globals__, formatter.__name__, original_defaults)
    unpatched.__kwdefaults__ = formatter.__kwdefaults__

    def observed(caller: str, name: str, gm: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        # Nearly all that torch itself formats is in the trace as well, and better there.
        if not caller.startswith("torch.") or _ONLY_FORMATTED.search(name):
            observe(name, gm)
        return unpatched(name, gm, *args, **kwargs)

    def template(name, gm, *args, **kwargs):  # type: ignore[no-untyped-def]

        from depyf.torch.seams.graphs import _formatter_target

        return _formatter_target[0](sys._getframe(1).f_globals.get("__name__", ""), name, gm, args, kwargs)

    keep_from_dynamo(template, observed, observe)
    _formatter_target[:] = [observed]
    formatter.__code__ = template.__code__
    formatter.__defaults__ = None

    def undo() -> None:
        formatter.__code__ = original_code
        formatter.__defaults__ = original_defaults
        _formatter_target.clear()

    return undo


_ONLY_FORMATTED = re.compile(r"frozen|ddp", re.IGNORECASE)
_formatter_target: list[Callable[[str, str, Any, tuple[Any, ...], dict[str, Any]], Any]] = []


def inductor_module_cache() -> Any:
    """Inductor's class of loaded Python files (`PyCodeCache`), or None."""
    return probe("torch._inductor.codecache.PyCodeCache", "Inductor's Python files under stable names")
