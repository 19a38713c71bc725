# SPDX-License-Identifier: MIT
"""What Dynamo is doing: hooks into it, the frame that is converted, how to keep it out, its options.

Invariant: no module outside `internals` names a private part of torch. What this torch lacks is recorded in
`names.missing()` with what is lost; the function then answers "nothing" and the rest keeps working. Nothing here keeps
a reference to an object of the user's program. Importing this module does not import torch.
"""

from __future__ import annotations

import contextlib
import functools
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
    """What is asked where torch has nothing to ask."""
    return None


def frame_stack(frame: types.FrameType, depth: int) -> list[Any]:
    """The lowest `depth` values on a running frame's evaluation stack: it must hold so many."""
    read = probe("torch._C._dynamo.eval_frame._get_frame_value_stack_with_depth")
    return list(read(frame, depth)) if read is not None else []


def register_bytecode_hook(
    hook: Callable[[types.CodeType, types.CodeType], types.CodeType | None], first: bool = False
) -> Any:
    """Registers a bytecode hook, ahead of all others if asked (others may keep the code they see); None if missing."""
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
    """The id of the compilation in progress ("0/1", "!0/2/0"), or None."""
    context = probe("torch._guards.CompileContext")
    current = attribute(context, "CompileContext.current_compile_id", nothing)() if context is not None else None
    return str(current) if current is not None else None


def failing_stack() -> list[tuple[str, int]]:
    """The lines traced when the exception came up that ends the compilation in progress, outermost first."""
    stack = getattr(sys.exc_info()[1], "real_stack", None)  # of a TorchDynamoException
    return [(frame.filename, frame.lineno or 0) for frame in stack or ()]


def narrowing_lines() -> set[tuple[str, int]]:
    """The lines that compare a size marked dynamic with less than its range, where that ends the compilation.

    Paths are as torch prints them. Its text names size and guard, not the line, which stands with the guard in the
    shape environment that raises.
    """
    error = sys.exc_info()[1]
    shape_env = probe("torch.fx.experimental.symbolic_shapes.ShapeEnv")
    raising = (frame.f_locals.get("self") for frame, _ in traceback.walk_tb(error.__traceback__ if error else None))
    found = next((each for each in raising if shape_env is not None and isinstance(each, shape_env)), None)
    if found is None:
        return set()
    sources = attribute(found, "ShapeEnv.source_to_var", {})
    symbols = {symbol for source, symbol in sources.items() if source in str(error)}
    guards = (g for g in attribute(found, "ShapeEnv.guards", ()) if g.expr.free_symbols & symbols)
    of_guards = (attribute(guard, "ShapeGuard.sloc") for guard in guards)
    printed = (attribute(each, "SLoc.maybe_user_loc") for each in of_guards if each is not None)
    frames = (PRINTED_FRAME.findall(str(text)) for text in printed)
    return {(path, int(line)) for *_, (path, line, _) in filter(None, frames)}


CONVERSION = "torch._dynamo.convert_frame._compile"


def conversion() -> Mapping[str, Any] | None:
    """The locals of Dynamo's conversion in progress. They hold the user's frame: not to be kept."""
    frame = names.running(CONVERSION)
    return frame.f_locals if frame is not None else None


def converted(name: str) -> Any:
    """A variable of Dynamo's conversion in progress."""
    local = conversion()
    return names.variable(local, f"{CONVERSION}({name})") if local is not None else None


def converts_frame() -> bool:
    """Whether Dynamo is converting a frame that runs (else a graph is captured for torch.export, say)."""
    return conversion() is not None


def frame_globals() -> dict[str, Any] | None:
    """The globals of the user's frame that Dynamo is converting. Only for use during the hook: do not keep them."""
    found = converted("globals")
    return found if isinstance(found, dict) else None


def frame_locals() -> dict[str, Any]:
    """The locals of the user's frame that Dynamo is converting. Only for use during the hook: do not keep them."""
    found = converted("locals")
    return found if isinstance(found, dict) else {}


def frame_code() -> types.CodeType | None:
    """The original code of the frame that Dynamo is converting."""
    found = converted("code")
    return found if isinstance(found, types.CodeType) else None


def calling_frames() -> Iterator[types.FrameType]:
    """The frames that called the one that Dynamo is converting, innermost first, or all where it converts none.

    Among them are those of code that Dynamo made. torch's trace leaves the innermost ones out. Not to be kept.
    """
    frame: types.FrameType | None = names.running(CONVERSION) or sys._getframe(1)
    while frame is not None:
        yield frame
        frame = frame.f_back


def compiled_fn_name() -> str | None:
    """The name (`__compiled_fn_N_<uuid>`) of the graph being handed to the backend, from the frame that chose it."""
    frame = names.running(_GRAPH_CALL)
    name = names.variable(frame.f_locals, f"{_GRAPH_CALL}(name)") if frame is not None else None
    return name if isinstance(name, str) and COMPILED_FN.match(name) else None


_GRAPH_CALL = "torch._dynamo.output_graph.OutputGraph.compile_and_call_fx_graph"


def current_compiled_fn_name() -> str:
    """depyf 0.20's guess at the current `__compiled_fn_N`: Dynamo's counter less one (-1 outside a compile)."""
    counter = probe("torch._dynamo.bytecode_transformation._unique_id_counter")
    # An itertools.count shows its next number in its repr alone; it cannot be copied from CPython 3.14 on.
    match = re.fullmatch(r"count\((-?\d+)\)", repr(counter))
    return f"__compiled_fn_{int(match.group(1)) - 1 if match is not None else -1}"


def eval_frame_setter() -> Callable[[Any], Any]:
    """Takes what Dynamo calls for each new frame of this thread (None: nothing) and gives back what stood there."""
    setter = probe("torch._C._dynamo.eval_frame.set_eval_frame")
    return cast("Callable[[Any], Any]", setter) if setter is not None else lambda callback: callback


def keep_from_dynamo(*functions: types.FunctionType | Callable[..., Any]) -> None:
    """Dynamo never compiles these functions themselves; what they call is another matter."""
    skip = probe("torch._dynamo.eval_frame.skip_code")
    for function in functions if skip is not None else ():
        skip(cast("types.FunctionType", function).__code__)


def calls_kept_from_dynamo(function: Any) -> tuple[Callable[[], None], Callable[[], None]]:
    """Two ways: to have Dynamo compile neither the function nor anything it calls, and to undo the latter.

    The first holds until `torch.compiler.reset()`, which forgets it of a function that Dynamo has met.
    """
    skip, put = probe("torch._dynamo.eval_frame.skip_code"), probe("torch._C._dynamo.eval_frame.set_code_exec_strategy")
    kinds, actions = probe("torch._dynamo.types.FrameExecStrategy"), probe("torch._dynamo.types.FrameAction")
    if None in (function, skip, put, kinds, actions):
        return nothing, nothing
    code, strategy = function.__code__, kinds(actions.SKIP, actions.SKIP)
    return functools.partial(put, code, strategy), functools.partial(skip, code)  # which have no frame for Dynamo


@contextlib.contextmanager
def dynamo_disabled() -> Iterator[None]:
    """Runs the body without Dynamo: no frame entered in it is compiled."""
    set_eval_frame = eval_frame_setter()
    prior = set_eval_frame(None)
    try:
        yield
    finally:
        set_eval_frame(prior)


@contextlib.contextmanager
def compiled_frames_run() -> Iterator[None]:
    """Runs the body as `torch.compile` runs a function: a frame that fits an entry takes it; none is compiled."""
    set_eval_frame = eval_frame_setter()
    prior = set_eval_frame(None if stance() == "force_eager" else False)
    try:
        yield
    finally:
        set_eval_frame(prior)


def runs_compiled_frames() -> bool:
    """Whether torch looks for entries of each frame that is called now, and compiles none."""
    set_eval_frame = eval_frame_setter()
    prior = set_eval_frame(None)
    set_eval_frame(prior)
    return prior is False


def has_looked_for_entries(frame: types.FrameType) -> bool:
    """Whether torch has looked for an entry that takes the call of a frame which begins now, and compiles none.

    torch 2.6 looks for none from there on while the call runs eagerly: then the way to the frame tells.
    """
    if runs_compiled_frames():
        return True
    if stance() != "eager_on_recompile" or frame.f_back is None:
        return False
    is_called_through_dynamo = frame.f_back.f_globals.get("__name__") == "torch._dynamo.eval_frame"
    return is_called_through_dynamo or frame.f_code.co_name.startswith(RESUME_CODE)


def packages_bytecode() -> bool:
    """Whether Dynamo stores the hooked code in packages; then paths of this machine must not enter it."""
    return bool(setting("torch._dynamo.config.caching_precompile", False))


@contextlib.contextmanager
def without_packages() -> Iterator[None]:
    """Within the block torch.compile looks for no stored package of a function, and counts nothing of the kind."""
    with (
        probe("torch._dynamo.config").patch(caching_precompile=False)
        if packages_bytecode()
        else contextlib.nullcontext()
    ):
        yield


def is_set(statement: str) -> bool:
    """Whether an option is what an assignment of a constant would make it; true where this torch lacks the option."""
    path, _, value = statement.partition(" = ")
    owner, _, name = path.rpartition(".")
    config = probe(owner, "advice on options")
    return config is None or str(getattr(config, name, value)) == value


def stance() -> str | None:
    """The stance in force ("default", "eager_on_recompile", …); None when this torch does not tell."""
    in_force = setting("torch._dynamo.eval_frame._stance")
    return attribute(in_force, "Stance.stance") if in_force is not None else None


def why_misses_run_eagerly(code: types.CodeType) -> str:
    """Why the stance in force has torch run the next call of a frame that no entry takes eagerly; "" where not so."""
    in_force = stance()
    if in_force == "eager_on_recompile":
        return "the stance is eager_on_recompile"
    if in_force == "eager_then_compile":
        seen = setting("torch._dynamo.eval_frame._EXAMPLE_INPUTS") or {}  # get_example_inputs() would note the frame
        if not seen.get(f"{code.co_filename}{code.co_firstlineno}"):
            return "the stance is eager_then_compile, and this is the first call of the frame that no entry takes"
    return ""


def skips_guards() -> bool:
    """Whether torch asks those guards alone that failed before, under the stance in force."""
    in_force = setting("torch._dynamo.eval_frame._stance")
    return bool(in_force is not None and attribute(in_force, "Stance.skip_guard_eval_unsafe", False))


def fails_on_recompile() -> bool:
    """Whether the user asked that recompilation be an error."""
    return bool(setting("torch._dynamo.config.error_on_recompile", False))


def unpatched() -> dict[str, Any]:
    """Functions of torch that depyf 0.20 gave other code access to, by the names that it had for them."""
    context = probe("torch._dynamo.eval_frame.OptimizeContext")
    return {
        "unpatched__exec_with_source": probe("torch.fx.graph_module._exec_with_source"),
        "unpatched___call__": context.__call__ if context is not None else None,
    }
