# SPDX-License-Identifier: MIT
"""Stores arguments, defaults and global variables as source text, so that full-code files can run on their own.

Invariant: no value is kept alive, and no code of the user's classes is executed.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

from depyf.decompilation.parameters import parameters_of
from depyf.torch.capture import stored_values
from depyf.torch.capture.stored_values import expression, missing, module_of, source_or_placeholder
from depyf.torch.internals import cache_entries, texts
from depyf.torch.model.record import Entry
from depyf.torch.write.full_code import imported


def of_frame(entry: Entry, scope: Mapping[str, Any], local: Mapping[str, Any]) -> None:
    """Adds the arguments, free variables and globals that its frame had when it was compiled to an entry, as text."""
    in_order = [part.strip().lstrip("*") for part in entry.signature.split(",")]
    arguments = {
        name: local[name] for name in (*in_order, *entry.arguments) if name in local and name in entry.arguments
    }
    # Scripts do not call resume functions themselves, and the arguments of these are often the whole model.
    spelled = stored_values.spelled(arguments, 0 if entry.is_resume else stored_values.CALL_LIMIT)
    entry.inputs.update((name, text or missing(name, local[name])) for name, text in spelled.items())
    for name in entry.free_variables:
        if name in local:
            value = local[name].cell_contents if isinstance(local[name], CellType) else local[name]
            entry.free_values[name] = (
                "replay.ITSELF" if _is_function_of(entry, value) else source_or_placeholder(name, value)
            )
    of_globals(entry, scope)
    entry.parameters = entry.parameters or entry.signature


def _is_function_of(entry: Entry, value: Any) -> bool:
    """Returns whether a value is the entry's own function, or torch.compile's wrapper of it."""
    if not isinstance(value, FunctionType) or entry.original is None:
        return False
    return getattr(cache_entries.innermost_function(value), "__code__", None) is entry.original()


def of_globals(entry: Entry, scope: Mapping[str, Any]) -> None:
    """Adds the values of the global variables that the text and the guards read to an entry."""
    for name in entry.live_names:
        if name in scope and name not in entry.values:
            entry.values[name] = _global(name, scope)


def _global(name: str, scope: Mapping[str, Any]) -> str:
    """Returns an expression for a global; one for a decorated function if its own name is not that of the global."""
    value = scope[name]
    text = source_or_placeholder(name, value)
    if isinstance(value, FunctionType) and text == missing(name, value) and (module := module_of(scope)):
        return imported(f"{module}.{name}")
    return text


def of_text(entry: Entry, opaque: Mapping[str, Any]) -> None:
    """Adds the values of placeholders in the decompiled text, and the modules in its dotted names, to an entry."""
    for name, value in opaque.items():
        module, _, rest = name.partition(".")
        if not rest:
            entry.opaque[name] = source_or_placeholder(name, value)
        elif module not in ("torch", *entry.modules, *entry.live_names):
            entry.opaque[module] = imported(module)


def of_function(entry: Entry, function: FunctionType) -> None:
    """Adds the function's default arguments, which its code object does not contain, to an entry."""
    entry.parameters = parameters(function.__code__, function.__defaults__ or (), function.__kwdefaults__ or {})
    entry.defaults_known = True


def parameters(code: CodeType, defaults: tuple[Any, ...], keyword_defaults: Mapping[str, Any]) -> str:
    """Returns a parameter list as source, with defaults."""
    declared = parameters_of(code)
    plain = (*declared.positional_only, *declared.positional)
    default_of = {**dict(zip(plain[len(plain) - len(defaults) :], defaults, strict=True)), **keyword_defaults}

    def declaration(name: str) -> str:
        if name not in default_of:
            return name
        return f"{name}={expression(default_of[name]) or missing(f'default of {name}', default_of[name])}"

    return ", ".join(declared.listed(declaration))


def globals_read(entry: Entry, new_code: CodeType, scope: Mapping[str, Any]) -> None:
    """Adds the modules and the names of other globals that transformed code reads to an entry."""
    live = set(entry.live_names)
    for name in new_code.co_names:
        value = scope.get(name)
        if name not in scope or texts.COMPILED_FN.match(name):
            continue
        if isinstance(value, ModuleType):
            entry.modules[name] = value.__name__
        elif not texts.RESUME_FN.match(name):
            live.add(name)
    entry.live_names = tuple(sorted(live))
