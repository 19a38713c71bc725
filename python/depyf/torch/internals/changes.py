# SPDX-License-Identifier: MIT
"""Changes to how torch.compile runs a program: proposes them for graph breaks and recompiles, and applies them.

A change is proposed if torch names it (a setting, a function that it does not trace), if it is depyf's advice, or if it
is known to avoid the kind of break. Whether a change removes anything is not known here; `depyf why --try` tries it.
Invariant: proposals depend only on `index.json`, and making them does not import torch.
"""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from depyf.torch.internals import names

_CONFIG = "torch._dynamo.config"
_SETTING = re.compile(r"torch\._dynamo\.config\.(?P<name>[a-z]\w*)`?\s*(?:=|to)?\s*`?(?P<value>True|False)?")
_SETS = ("reorderable_logging_functions", "ignore_logging_functions")
_ADVICE = re.compile(r"maybe_mark_dynamic\((?P<argument>\w+), (?P<dims>\d+|\[[\d, ]+\])\)")
_FUNCTION = re.compile(r"module: (?P<module>[\w.]+), qualname: (?P<name>[\w.]+)")
_BUILTIN = re.compile(r"builtin (?P<name>print|input|open)\b")
_LOGGER = re.compile(r"method: <[^>]*>\.(?P<name>\w+), args")
_EXPLICIT = re.compile(r"torch\._dynamo\.(?P<name>graph_break|skip_frame|step_unsupported)\(\)")
_SWITCH = re.compile(r"turn `(?P<name>\w+)` (?P<value>on|off)\b")
_VARIABLE = re.compile(r"\bTORCHDYNAMO_(?P<name>[A-Z\d_]+)=1\b")
_ITEM = re.compile(r"\.item\(\)|Tensor\.item|data.dependent|Data.dependent|symbolic (?:int|float|bool)", re.IGNORECASE)
_SHAPES = re.compile(r"dynamic shape operator|data.dependent (?:operator|output)|nonzero|masked_select", re.IGNORECASE)


@dataclass(frozen=True)
class Change:
    """One change.

    Attributes:
        kind: setting, add, remove, nonstrict_trace or mark_dynamic.
        text: The change as it is written in a program.
        arguments: The arguments for `apply`.

    """

    kind: str
    text: str
    arguments: dict[str, Any] = field(default_factory=dict, hash=False, compare=False)

    def dump(self) -> str:
        """Returns the change as JSON, for another process."""
        return json.dumps(asdict(self))


def load(text: str) -> Change:
    """Restores a change from the result of `dump`."""
    return Change(**json.loads(text))


def _setting(name: str, value: Any) -> Change:
    return Change("setting", f"{_CONFIG}.{name} = {value!r}", {"name": name, "value": value})


def _added(setting: str, module: str, name: str) -> Change:
    function = name if module == "builtins" else f"{module}.{name}"
    arguments = {"setting": setting, "module": module, "name": name}
    return Change("add", f"{_CONFIG}.{setting}.add({function})", arguments)


def _nonstrict(module: str, name: str) -> Change:
    return Change(
        "nonstrict_trace", f"torch._dynamo.nonstrict_trace({module}.{name})", {"module": module, "name": name}
    )


def _removed(function: str, text: str) -> Change:
    return Change("remove", text, {"function": function})


def for_break(graph_break: Mapping[str, Any]) -> Iterator[Change]:
    """Yields changes that may remove a graph break of an index."""
    torch_text = " ".join([graph_break["reason"], graph_break.get("explanation", ""), *graph_break.get("hints", ())])
    context = f"{graph_break.get('context', '')} {graph_break['reason']}"
    if (explicit := _EXPLICIT.search(graph_break["reason"])) is not None:
        yield _removed(explicit["name"], f"no torch._dynamo.{explicit['name']}()")
    if "torch.compiler.disable()" in graph_break["reason"]:
        yield _removed("disable", "no torch.compiler.disable()")
    function = _FUNCTION.search(context)
    if (builtin := _BUILTIN.search(context)) is not None:
        yield _added("reorderable_logging_functions", "builtins", builtin["name"])
    elif function is not None and "reorderable_logging_functions" in torch_text:
        yield _added("reorderable_logging_functions", function["module"], function["name"])
    if "ignore_logging_functions" in torch_text and (logger := _LOGGER.search(context)) is not None:
        yield _added("ignore_logging_functions", "logging", f"Logger.{logger['name']}")
    for match in _SETTING.finditer(torch_text):
        if match["name"] not in _SETS:
            yield _setting(match["name"], match["value"] != "False")
    for match in _SWITCH.finditer(torch_text):
        yield _setting(match["name"], match["value"] == "on")
    for match in _VARIABLE.finditer(torch_text):  # the settings have the names of these variables
        yield _setting(match["name"].lower(), True)
    if "@torch._dynamo.dont_skip_tracing" in torch_text:
        yield _setting("dont_skip_tracing", True)
    if _ITEM.search(f"{torch_text} {context}"):
        yield _setting("capture_scalar_outputs", True)
    if _SHAPES.search(f"{torch_text} {context}"):
        yield _setting("capture_dynamic_output_shape_ops", True)
    if function is not None:
        yield _nonstrict(function["module"], function["name"])


def for_reason(reason: Mapping[str, Any], frame: Mapping[str, Any] | None) -> Iterator[Change]:
    """Yields changes that may avoid a recompile; `frame` is the recompiled frame in the index."""
    advice = reason.get("advice", "")
    place = (frame or {}).get("location")
    if (marked := _ADVICE.search(advice)) is not None and place and not names.is_torchs(place["path"]):
        dims = [int(n) for n in re.findall(r"\d+", marked["dims"])]
        yield Change(
            "mark_dynamic",
            f"torch._dynamo.mark_dynamic({marked['argument']}, {marked['dims']}) before calls of {place['function']}",
            {"path": place["path"], "line": place["line"], "function": place["function"],
             "argument": marked["argument"], "dims": dims},
        )  # fmt: skip
    for match in _SETTING.finditer(advice):
        yield _setting(match["name"], match["value"] != "False")
    is_number = reason.get("what") == "value" and str(reason.get("then", "")).lstrip("-").isdigit()
    if reason.get("what") in ("size", "stride") or is_number:
        yield _setting("assume_static_by_default", False)
    if is_number and "." in reason.get("source", ""):  # it may be an attribute of a module
        yield _setting("allow_unspec_int_on_nn_module", True)


def apply(change: Change) -> None:
    """Applies a change in this process, which has imported Dynamo.

    Raises:
        LookupError: This torch has no such setting, or the function does not exist.

    """
    arguments = change.arguments
    settings = names.probe(_CONFIG)
    if change.kind == "setting":
        _assign(settings, arguments["name"], arguments["value"])
    elif change.kind == "add":
        if not hasattr(settings, arguments["setting"]):
            raise LookupError(f"no {_CONFIG}.{arguments['setting']}")
        owner, attribute = _owner(arguments["module"], arguments["name"])
        getattr(settings, arguments["setting"]).add(getattr(owner, attribute))
    elif change.kind == "remove":
        _remove(arguments["function"])
    elif change.kind == "nonstrict_trace":
        _replace(arguments["module"], arguments["name"])
    elif change.kind == "mark_dynamic":
        _mark(arguments)
    else:
        raise LookupError(f"no change of kind {change.kind!r}")


def _assign(settings: Any, name: str, value: Any) -> None:
    if not hasattr(settings, name):
        raise LookupError(f"no {_CONFIG}.{name}")
    setattr(settings, name, value)


def _remove(function: str) -> None:
    """Replaces a function of Dynamo that causes graph breaks by one that does nothing."""
    module = importlib.import_module("torch._dynamo")
    if not hasattr(module, function):
        raise LookupError(f"no torch._dynamo.{function}")

    def nothing(wrapped: Any = None, *_: Any, **__: Any) -> Any:
        return wrapped if callable(wrapped) else (lambda argument: argument) if function == "disable" else None

    setattr(module, function, nothing)


def _replace(module: str, qualname: str) -> None:
    """Replaces a function by one that Dynamo traces with `nonstrict_trace`."""
    wrap = names.probe("torch._dynamo.nonstrict_trace", "calls are not traced nonstrictly")
    if wrap is None:
        raise LookupError("no torch._dynamo.nonstrict_trace")
    owner, attribute = _owner(module, qualname)
    setattr(owner, attribute, wrap(getattr(owner, attribute)))


def _owner(module: str, qualname: str) -> tuple[Any, str]:
    """Returns the object that has a function as an attribute, and the name of the attribute."""
    owner: Any = importlib.import_module(module)
    *path, attribute = qualname.split(".")
    for part in path:
        owner = getattr(owner, part, None)
    if not hasattr(owner, attribute):
        raise LookupError(f"no {module}.{qualname}")
    return owner, attribute


def _mark(arguments: Mapping[str, Any]) -> None:
    """Marks an argument's dimensions before Dynamo compiles a call of the function."""
    wrapper = names.probe("torch._dynamo.convert_frame.CatchErrorsWrapper", "dimensions are not marked")
    mark = names.probe("torch._dynamo.maybe_mark_dynamic", "dimensions are not marked")
    if wrapper is None or mark is None:
        raise LookupError("this torch cannot mark dimensions")
    original = wrapper.__call__
    marked_function = (arguments["path"], arguments["line"], arguments["function"])

    def call(self: Any, frame: Any, *rest: Any) -> Any:
        code = frame.f_code
        if (code.co_filename, code.co_firstlineno, code.co_name) == marked_function:
            value = frame.f_locals.get(arguments["argument"])
            for dim in arguments["dims"]:
                if hasattr(value, "dim") and dim < value.dim():
                    mark(value, dim)
        return original(self, frame, *rest)

    wrapper.__call__ = call
