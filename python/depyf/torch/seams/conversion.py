# SPDX-License-Identifier: MIT
"""What Dynamo is doing and did: hooks into it, the frame being converted, what came of attempts, how to keep it out."""

from __future__ import annotations

import contextlib
import re
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from depyf.torch.seams.entries import cache_entries, callback_of
from depyf.torch.seams.names import COMPILED_FN
from depyf.torch.seams.probe import probe


def register_bytecode_hook(
    hook: Callable[[types.CodeType, types.CodeType], types.CodeType | None], first: bool = False
) -> Any:
    """Registers a bytecode hook, ahead of all others if asked (others may keep the code they see); None if missing."""
    register = probe("torch._dynamo.convert_frame.register_bytecode_hook", "transformed code")
    if register is None:
        return None
    handle = register(hook)
    hooks = probe("torch._dynamo.convert_frame._bytecode_hooks", "running first among bytecode hooks")
    if first and hooks is not None and hasattr(hooks, "move_to_end"):
        with contextlib.suppress(KeyError):
            hooks.move_to_end(handle.id, last=False)
    return handle


def compile_id() -> str | None:
    """The id of the compilation in progress ("0/1", "!0/2/0"), or None."""
    context = probe("torch._guards.CompileContext", "compile ids")
    current = context.current_compile_id() if context is not None else None
    return str(current) if current is not None else None


def conversion() -> Mapping[str, Any] | None:
    """The locals of Dynamo's conversion in progress. They hold the user's frame: not to be kept."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_name == "_compile" and frame.f_code.co_filename.endswith("convert_frame.py"):
            return frame.f_locals
        frame = frame.f_back
    return None


def converts_frame() -> bool:
    """Whether Dynamo is converting a frame that runs (else a graph is captured for torch.export, say)."""
    return conversion() is not None


def frame_globals() -> dict[str, Any] | None:
    """The globals of the user's frame that Dynamo is converting. Only for use during the hook: do not keep them."""
    found = (conversion() or {}).get("globals")
    return found if isinstance(found, dict) else None


def frame_locals() -> dict[str, Any]:
    """The locals of the user's frame that Dynamo is converting. Only for use during the hook: do not keep them."""
    found = (conversion() or {}).get("locals")
    return found if isinstance(found, dict) else {}


def frame_code() -> types.CodeType | None:
    """The original code of the frame that Dynamo is converting."""
    found = (conversion() or {}).get("code")
    return found if isinstance(found, types.CodeType) else None


def calling_frame() -> types.FrameType | None:
    """The frame whose call Dynamo is converting (torch's own frames passed over). Not to be kept."""
    import torch

    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_name != "_compile":
        frame = frame.f_back
    root = torch.__path__[0]
    while frame is not None and frame.f_code.co_filename.startswith(root):
        frame = frame.f_back
    return frame


def compiled_fn_name() -> str | None:
    """The name (`__compiled_fn_N_<uuid>`) of the graph being handed to the backend, from the frame that chose it."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_name == "compile_and_call_fx_graph":
            name = frame.f_locals.get("name")
            return name if isinstance(name, str) and COMPILED_FN.match(name) else None
        frame = frame.f_back
    return None


def current_compiled_fn_name() -> str:
    """depyf 0.20's guess at the current `__compiled_fn_N`: Dynamo's counter less one (-1 outside a compile)."""
    counter = probe("torch._dynamo.bytecode_transformation._unique_id_counter", "names of compiled functions")
    # An itertools.count shows its next number in its repr alone; it cannot be copied from CPython 3.14 on.
    match = re.fullmatch(r"count\((-?\d+)\)", repr(counter))
    return f"__compiled_fn_{int(match.group(1)) - 1 if match is not None else -1}"


def eval_frame_setter() -> Callable[[Any], Any]:
    """Takes what Dynamo calls for each new frame of this thread (None: nothing) and gives back what stood there."""
    setter = probe("torch._C._dynamo.eval_frame.set_eval_frame", "keeping Dynamo out of depyf's hooks")
    return cast("Callable[[Any], Any]", setter) if setter is not None else lambda callback: callback


def keep_from_dynamo(*functions: types.FunctionType | Callable[..., Any]) -> None:
    """Dynamo never compiles these functions themselves; what they call is another matter."""
    skip = probe("torch._dynamo.eval_frame.skip_code", "keeping Dynamo out of depyf's hooks")
    for function in functions if skip is not None else ():
        skip(cast("types.FunctionType", function).__code__)


@contextlib.contextmanager
def dynamo_disabled() -> Iterator[None]:
    """Runs the body without Dynamo: no frame entered in it is compiled."""
    set_eval_frame = eval_frame_setter()
    prior = set_eval_frame(None)
    try:
        yield
    finally:
        set_eval_frame(prior)


def packages_bytecode() -> bool:
    """Whether Dynamo stores the hooked code in packages; then paths of this machine must not enter it."""
    config = probe("torch._dynamo.config", "knowing whether code is stored for other processes")
    return bool(getattr(config, "caching_precompile", False))


def was_seen(code: types.CodeType) -> bool:
    """Whether Dynamo has met this code object (with no entry for it, it then runs as it is)."""
    seen = probe("torch._dynamo.convert_frame.input_codes", "frames that Dynamo met and left alone")
    return seen is not None and code in seen


def stance() -> str | None:
    """The stance in force ("default", "eager_on_recompile", …); None when this torch does not tell."""
    module = probe("torch._dynamo.eval_frame", "torch.compile's stance")
    return getattr(getattr(module, "_stance", None), "stance", None)


def fails_on_recompile() -> bool:
    """Whether the user asked that recompilation be an error."""
    return bool(getattr(probe("torch._dynamo.config", "error_on_recompile"), "error_on_recompile", False))


@dataclass(frozen=True)
class Attempt:
    """What came of one of Dynamo's attempts to convert a frame."""

    began: Any  # when
    outcome: str  # "compiled"; "left": the frame is never looked at again; "full": no entry is added; "raised"
    reason: str  # in Dynamo's own words

    @property
    def failure(self) -> str:
        """Why nothing was compiled."""
        return self.reason if self.outcome != "compiled" else ""


def attempt(measured: Mapping[str, Any], raised: bool) -> Attempt:
    """What Dynamo measured of an attempt, read. `raised`: what it cannot trace was raised to the caller.

    What Dynamo does with the frame from then on is in no measurement: `ConvertFrame.__call__`
    (torch/_dynamo/convert_frame.py) decides it by the exception's class.
    """
    began = measured.get("start_time_us")
    kind, said = measured.get("fail_type"), (measured.get("fail_reason") or "").strip().split("\n", 1)[0]
    if not kind:
        compiled = measured.get("guard_count") is not None  # a frame without operations is left without an error
        return Attempt(began, "compiled" if compiled else "left", "")
    errors = probe("torch._dynamo.exc", "what becomes of frames that cannot be traced")
    soft = tuple(c for c in (getattr(errors, n, None) for n in ("Unsupported", "UserError")) if c is not None)
    known = getattr(errors, kind, None)
    if kind == "RecompileLimitExceeded" or _LIMIT.match(said):
        outcome = "full"
    elif raised or not (
        measured.get("config_suppress_errors") or (isinstance(known, type) and issubclass(known, soft))
    ):
        outcome = "raised"
    else:
        outcome = "left"
    return Attempt(began, outcome, f"{kind}: {said}")


def frame_of(compile_id: Any) -> str:
    """The part of a compile id that all attempts at a frame share."""
    return str(compile_id).rpartition("/")[0]


_LIMIT = re.compile(r"Dynamo (recompile|cache) limit exceeded")


def attempt_in_progress(measured: Mapping[str, Any]) -> tuple[types.CodeType, Attempt] | None:
    """The code that Dynamo is converting and what came of it, while it tells what it measured."""
    local = conversion() or {}
    code = local.get("code")
    if not isinstance(code, types.CodeType):
        return None
    raised = local.get("one_graph") or getattr(local.get("convert_frame_box"), "error_on_graph_break", None)
    return code, attempt(measured, bool(raised))


def latest_attempt(code: types.CodeType, wrapper: Any) -> Attempt | None:
    """The latest attempt at a code object that Dynamo tells of: it keeps its last few only, under names and lines."""
    metrics = probe("torch._dynamo.utils.get_compilation_metrics", "why frames are left alone")
    where = (code.co_name, code.co_filename, code.co_firstlineno)
    frames = {frame_of(entry.compile_id) for entry in cache_entries(code)}
    raised = bool(getattr(callback_of(wrapper), "_one_graph", False))
    for made in reversed(metrics() if metrics is not None else ()):
        # an attempt that the limit of recompiles ends at once bears no name
        if (made.co_name, made.co_filename, made.co_firstlineno) == where or frame_of(made.compile_id) in frames:
            return attempt(vars(made), raised)
    return None


def entries_of_attempt(code: types.CodeType) -> list[Any]:
    """The cache entries that run no more when Dynamo leaves the frame that it is converting."""
    isolated = probe("torch._C._dynamo.eval_frame.get_eval_frame_isolate_recompiles_id", "regions of their own")
    get = probe("torch._dynamo.eval_frame._get_cache_entries_for_region", "regions with caches of their own")
    region = isolated() if isolated is not None else -1
    return list(get(code, region)) if get is not None and region != -1 else cache_entries(code)


def aot_compile_module() -> Any:
    """The module behind `torch.compile(f).aot_compile(...)`, or None."""
    wanted = ("aot_compile_fullgraph", "AOTCompiledFunction")
    found = [probe(f"torch._dynamo.aot_compile.{name}", "functions compiled ahead of time") for name in wanted]
    return None if None in found else probe("torch._dynamo.aot_compile", "functions compiled ahead of time")


def export_module() -> Any:
    """The module behind `torch.export.export`, or None."""
    module = probe("torch.export._trace", "programs that torch.export gives")
    return module if module is not None and hasattr(module, "_export") else None


def aot_parts(compiled: Any) -> tuple[types.CodeType, types.FunctionType, str] | None:
    """(original code, function that runs, guards as torch prints them) of an `AOTCompiledFunction`."""
    artifacts = getattr(compiled, "_artifacts", None)
    original = getattr(artifacts, "original_code", None)
    function = getattr(compiled, "fn", None)
    if not isinstance(original, types.CodeType) or not isinstance(function, types.FunctionType):
        return None
    return original, function, str(getattr(artifacts, "guard_manager", None) or "")
