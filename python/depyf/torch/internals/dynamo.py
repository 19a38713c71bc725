# SPDX-License-Identifier: MIT
"""Access to Dynamo: hooks, the frame being converted, code that Dynamo must not compile, options.

Invariant: no module outside `internals` uses private names of torch. If this torch lacks a name, it is recorded in
`names.missing()` with what is lost; the function then returns an empty result, and everything else keeps working. No
reference to an object of the program is kept. Importing this module does not import torch.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import sys
import traceback
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from depyf.torch.internals import names
from depyf.torch.internals.names import attribute, probe, setting
from depyf.torch.internals.texts import COMPILED_FN, PRINTED_FRAME
from depyf.torch.internals.vocabulary import RESUME_CODE


def nothing() -> None:
    """The replacement for a function that torch lacks."""
    return None


def frame_stack(frame: types.FrameType, depth: int) -> list[Any]:
    """Returns the lowest `depth` values on the evaluation stack of a running frame; it must have at least as many."""
    read = probe("torch._C._dynamo.eval_frame._get_frame_value_stack_with_depth")
    return list(read(frame, depth)) if read is not None else []


def register_bytecode_hook(
    hook: Callable[[types.CodeType, types.CodeType], types.CodeType | None], first: bool = False
) -> Any:
    """Registers a bytecode hook, and returns its handle; None if this torch has no such hooks.

    If `first`, the hook runs before all others, which may store the code that they receive.
    """
    register = probe("torch._dynamo.convert_frame.register_bytecode_hook")
    if register is None:
        return None
    handle = register(hook)
    hooks = probe("torch._dynamo.convert_frame._bytecode_hooks")
    if first and hooks is not None and hasattr(hooks, "move_to_end"):
        with contextlib.suppress(KeyError):
            hooks.move_to_end(handle.id, last=False)
    return handle


def compile_id() -> str | None:
    """Returns the compile id of the compilation in progress ("0/1", "!0/2/0"), or None."""
    context = probe("torch._guards.CompileContext")
    current = attribute(context, "CompileContext.current_compile_id", nothing)() if context is not None else None
    return str(current) if current is not None else None


def failing_stack() -> list[tuple[str, int]]:
    """Returns the lines being traced when the exception that ends the compilation occurred, outermost first."""
    stack = getattr(sys.exc_info()[1], "real_stack", None)  # of a TorchDynamoException
    return [(frame.filename, frame.lineno or 0) for frame in stack or ()]


def narrowing_lines() -> set[tuple[str, int]]:
    """Returns the lines that narrow the range of a size marked dynamic, if this error ends the current compilation.

    Paths are as torch prints them. The error message has the size and the guard, but not the line, which the shape
    environment that raises the error stores with the guard.
    """
    error = sys.exc_info()[1]
    shape_env = probe("torch.fx.experimental.symbolic_shapes.ShapeEnv")
    raising = (frame.f_locals.get("self") for frame, _ in traceback.walk_tb(error.__traceback__ if error else None))
    environment = next((owner for owner in raising if shape_env is not None and isinstance(owner, shape_env)), None)
    if environment is None:
        return set()
    sources = attribute(environment, "ShapeEnv.source_to_var", {})
    symbols = {symbol for source, symbol in sources.items() if source in str(error)}
    guards = (g for g in attribute(environment, "ShapeEnv.guards", ()) if g.expr.free_symbols & symbols)
    locations = (attribute(guard, "ShapeGuard.sloc") for guard in guards)
    printed = (attribute(location, "SLoc.maybe_user_loc") for location in locations if location is not None)
    frames = (PRINTED_FRAME.findall(str(text)) for text in printed)
    return {(path, int(line)) for *_, (path, line, _) in filter(None, frames)}


CONVERSION = "torch._dynamo.convert_frame._compile"


def conversion() -> Mapping[str, Any] | None:
    """Returns the local variables of Dynamo's conversion in progress, or None.

    Do not keep them: they refer to user objects.
    """
    frame = names.running(CONVERSION)
    return frame.f_locals if frame is not None else None


def converted(name: str) -> Any:
    """Returns a local variable of Dynamo's conversion in progress; None if there is none."""
    local = conversion()
    return names.variable(local, f"{CONVERSION}({name})") if local is not None else None


def converts_frame() -> bool:
    """Returns whether Dynamo is converting a running frame, not capturing a graph, for example for torch.export."""
    return conversion() is not None


def frame_globals() -> dict[str, Any] | None:
    """Returns the globals of the user's frame that Dynamo is converting.

    Only for use inside a hook: do not keep them.
    """
    scope = converted("globals")
    return scope if isinstance(scope, dict) else None


def frame_locals() -> dict[str, Any]:
    """Returns the locals of the user's frame that Dynamo is converting.

    Only for use inside a hook: do not keep them.
    """
    local = converted("locals")
    return local if isinstance(local, dict) else {}


def frame_code() -> types.CodeType | None:
    """Returns the original code of the frame that Dynamo is converting, or None."""
    code = converted("code")
    return code if isinstance(code, types.CodeType) else None


def calling_frames() -> Iterator[types.FrameType]:
    """Yields the callers of the frame that Dynamo is converting, innermost first; all frames if it is not converting.

    They include frames of code that Dynamo generated, which torch's trace omits if they are innermost. Do not keep
    them.
    """
    frame: types.FrameType | None = names.running(CONVERSION) or sys._getframe(1)
    while frame is not None:
        yield frame
        frame = frame.f_back


def compiled_fn_name() -> str | None:
    """Returns the name (`__compiled_fn_N_<uuid>`) of the graph that is being passed to the backend, or None."""
    frame = names.running(_GRAPH_CALL)
    name = names.variable(frame.f_locals, f"{_GRAPH_CALL}(name)") if frame is not None else None
    return name if isinstance(name, str) and COMPILED_FN.match(name) else None


_GRAPH_CALL = "torch._dynamo.output_graph.OutputGraph.compile_and_call_fx_graph"


def current_compiled_fn_name() -> str:
    """Returns the current `__compiled_fn_N` as in depyf 0.20: Dynamo's latest number (-1 before the first)."""
    counter = probe("torch._dynamo.bytecode_transformation._unique_id_counter")
    # The next number of an itertools.count is only in its repr; from CPython 3.14 on, it cannot be copied.
    match = re.fullmatch(r"count\((-?\d+)\)", repr(counter))
    return f"__compiled_fn_{int(match.group(1)) - 1 if match is not None else -1}"


def eval_frame_setter() -> Callable[[Any], Any]:
    """Returns a function that sets Dynamo's frame callback for this thread (None: none) and returns the old one."""
    setter = probe("torch._C._dynamo.eval_frame.set_eval_frame")
    return cast("Callable[[Any], Any]", setter) if setter is not None else lambda callback: callback


def keep_from_dynamo(*functions: types.FunctionType | Callable[..., Any]) -> None:
    """Makes Dynamo never compile these functions. Functions that they call may still be compiled."""
    skip = probe("torch._dynamo.eval_frame.skip_code")
    for function in functions if skip is not None else ():
        skip(cast("types.FunctionType", function).__code__)


def calls_kept_from_dynamo(function: Any) -> tuple[Callable[[], None], Callable[[], None]]:
    """Returns two functions: one makes Dynamo compile neither the function nor anything it calls, one undoes this.

    Torch forgets the setting at `torch.compiler.reset()` for a function that Dynamo has processed. After undoing it,
    Dynamo still does not compile the function itself.
    """
    skip = probe("torch._dynamo.eval_frame.skip_code")
    set_strategy = probe("torch._C._dynamo.eval_frame.set_code_exec_strategy")
    kinds, actions = probe("torch._dynamo.types.FrameExecStrategy"), probe("torch._dynamo.types.FrameAction")
    if None in (function, skip, set_strategy, kinds, actions):
        return nothing, nothing
    code, strategy = function.__code__, kinds(actions.SKIP, actions.SKIP)
    return functools.partial(set_strategy, code, strategy), functools.partial(
        skip, code
    )  # partials have no Python frame


@contextlib.contextmanager
def dynamo_disabled() -> Iterator[None]:
    """Runs the block without Dynamo: no frame entered in it is compiled, or uses an entry."""
    set_eval_frame = eval_frame_setter()
    prior = set_eval_frame(None)
    try:
        yield
    finally:
        set_eval_frame(prior)


@contextlib.contextmanager
def compiled_frames_run() -> Iterator[None]:
    """Runs the block like a compiled function, so that frames use matching entries, but nothing is compiled."""
    set_eval_frame = eval_frame_setter()
    prior = set_eval_frame(None if stance() == "force_eager" else False)
    try:
        yield
    finally:
        set_eval_frame(prior)


def runs_compiled_frames() -> bool:
    """Returns whether torch currently uses entries for called frames, but does not compile any."""
    set_eval_frame = eval_frame_setter()
    prior = set_eval_frame(None)
    set_eval_frame(prior)
    return prior is False


def has_looked_for_entries(frame: types.FrameType) -> bool:
    """Returns whether torch has looked for an entry for a frame that begins now, and does not compile it.

    After it has found none, torch 2.6 does not look for entries inside the eager call; this is recognized by the
    caller of the frame.
    """
    if runs_compiled_frames():
        return True
    if stance() != "eager_on_recompile" or frame.f_back is None:
        return False
    is_called_through_dynamo = frame.f_back.f_globals.get("__name__") == "torch._dynamo.eval_frame"
    return is_called_through_dynamo or frame.f_code.co_name.startswith(RESUME_CODE)


def packages_bytecode() -> bool:
    """Returns whether Dynamo stores the code returned by hooks in packages, so that it must not contain local paths."""
    return bool(setting("torch._dynamo.config.caching_precompile", False))


def loads_package() -> bool:
    """Returns whether torch is loading code that another process has compiled and stored (`caching_precompile`)."""
    return names.running("torch._dynamo.package.CompilePackage.install") is not None


@contextlib.contextmanager
def without_packages() -> Iterator[None]:
    """Inside the block, torch.compile does not look for stored packages of functions."""
    with (
        probe("torch._dynamo.config").patch(caching_precompile=False)
        if packages_bytecode()
        else contextlib.nullcontext()
    ):
        yield


def is_set(statement: str) -> bool:
    """Returns whether an option has the value of an assignment `path = constant`, or does not exist in this torch."""
    path, _, value = statement.partition(" = ")
    owner, _, name = path.rpartition(".")
    config = probe(owner, "advice on options")
    return config is None or str(getattr(config, name, value)) == value


def stance() -> str | None:
    """Returns the stance in force ("default", "eager_on_recompile", …); None if it is not known."""
    in_force = setting("torch._dynamo.eval_frame._stance")
    return attribute(in_force, "Stance.stance") if in_force is not None else None


def why_nothing_compiles() -> str:
    """Returns the setting because of which torch neither compiles nor runs compiled code; "" if there is none."""
    if stance() == "force_eager":
        return "the stance is force_eager"
    if getattr(probe("torch._dynamo.config"), "disable", False):
        return "torch._dynamo.config.disable is True (TORCH_COMPILE_DISABLE=1)"
    return "TORCHDYNAMO_DISABLE=1" if os.environ.get("TORCHDYNAMO_DISABLE") == "1" else ""


def why_misses_run_eagerly(code: types.CodeType) -> str:
    """Returns why the stance in force makes torch run the next call without matching entry eagerly.

    Returns "" if it does not.
    """
    in_force = stance()
    if in_force == "eager_on_recompile":
        return "the stance is eager_on_recompile"
    if in_force == "eager_then_compile":
        examples = setting("torch._dynamo.eval_frame._EXAMPLE_INPUTS") or {}  # get_example_inputs() would add the frame
        if not examples.get(f"{code.co_filename}{code.co_firstlineno}"):
            return "the stance is eager_then_compile, and this is the first call of the frame that matches no entry"
    return ""


def skips_guards() -> bool:
    """Returns whether torch evaluates only guards that failed before, because of the stance in force."""
    in_force = setting("torch._dynamo.eval_frame._stance")
    return bool(in_force is not None and attribute(in_force, "Stance.skip_guard_eval_unsafe", False))


def fails_on_recompile() -> bool:
    """Returns whether the user has set `error_on_recompile`."""
    return bool(setting("torch._dynamo.config.error_on_recompile", False))


def unpatched() -> dict[str, Any]:
    """Returns the functions of torch to which depyf 0.20 gave access, by its names for them."""
    context = probe("torch._dynamo.eval_frame.OptimizeContext")
    return {
        "unpatched__exec_with_source": probe("torch.fx.graph_module._exec_with_source"),
        "unpatched___call__": context.__call__ if context is not None else None,
    }
