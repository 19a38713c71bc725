# SPDX-License-Identifier: MIT
"""Facts about the conversion of frames: torch's metrics, the results of its frame callback, its rules and limits.

`frame_status` draws conclusions from these facts. Invariant: no function raises an error because of a name that torch
lacks (it is recorded in `names.missing()`), and no reference to an object of the program is kept.
"""

from __future__ import annotations

import functools
import inspect
import sys
import traceback
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from depyf.torch.internals import cache_entries, dynamo, names
from depyf.torch.internals.names import probe
from depyf.torch.internals.texts import explanation_in

_CONVERT = "torch._dynamo.convert_frame"
_WRAPPERS = {("torch._dynamo.eval_frame", "compile_wrapper"), ("torch._dynamo.external_utils", "inner")}

# ---- records of compilations


def is_soft(kind: str) -> bool:
    """Returns whether `ConvertFrame.__call__` (torch/_dynamo/convert_frame.py) skips the frame after this exception."""
    errors = probe("torch._dynamo.exc")
    soft = tuple(c for c in (getattr(errors, n, None) for n in ("Unsupported", "UserError")) if c is not None)
    hard = getattr(errors, "UncapturedHigherOrderOpError", ())
    error = getattr(errors, kind, None)
    return isinstance(error, type) and issubclass(error, soft) and not issubclass(error, hard)


def measured() -> list[Mapping[str, Any]]:
    """Returns Dynamo's metrics of its latest compilations, oldest first. Dynamo keeps about 64 of them."""
    metrics = probe("torch._dynamo.utils.get_compilation_metrics")
    return [vars(compilation) for compilation in (metrics() if metrics is not None else ())]


# ---- the conversion in progress, and the result of torch's frame callback


def converted_code() -> tuple[types.CodeType, bool, int] | None:
    """Returns the code that Dynamo is converting, whether failures reach the caller, and the isolated region."""
    local = dynamo.conversion()
    code = names.variable(local, f"{_CONVERT}._compile(code)") if local is not None else None
    if local is None or not isinstance(code, types.CodeType):
        return None
    box = names.variable(local, f"{_CONVERT}._compile(convert_frame_box)")
    raised = names.variable(local, f"{_CONVERT}._compile(one_graph)") or getattr(box, "error_on_graph_break", None)
    return code, bool(raised), current_region()


def interruption() -> BaseException | None:
    """Returns the BaseException, such as KeyboardInterrupt, that ends the conversion in progress.

    Torch has no metrics then.
    """
    error, converting = sys.exc_info()[1], names.running(dynamo.CONVERSION)
    if error is None or isinstance(error, Exception):
        return None
    return error if any(frame is converting for frame, _ in traceback.walk_tb(error.__traceback__)) else None


def current_region() -> int:
    """Returns the isolated region of the compiled function that is being called; -1 if it has none."""
    isolated = probe("torch._C._dynamo.eval_frame.get_eval_frame_isolate_recompiles_id")
    return int(isolated()) if isolated is not None else -1


def is_skipped_in_all_regions() -> bool:
    """Returns whether a frame skipped outside of regions is skipped in all regions, even those that have compiled it.

    This depends on C++ code: `extra_state_get_region_exec_strategy` in torch/csrc/dynamo/extra_state.h.
    """
    return names.release() >= (2, 15)


def asks_for_full_graph(wrapper: Any) -> bool:
    """Returns whether a function was compiled with `fullgraph=True`, so that a graph break raises an error."""
    return bool(getattr(cache_entries.callback_of(wrapper), "_one_graph", False))


@dataclass(frozen=True)
class Conversion:
    """The result of Dynamo's frame callback for a frame (torch's `ConvertFrameReturn`)."""

    action: str  # for later calls: "default" (look up, else compile), "skip" (eager), "run_only" (look up, else eager)
    is_for_code: bool  # whether the action applies to later frames of the same code object, too
    has_code: bool
    reason: str  # torch's reason; "" if it gives none
    is_asked_for: bool = False  # whether the program asked to compile the frame; see `_is_asked_for`


def observing(
    original: Any, observe: Callable[[types.CodeType, int, Conversion], None], fail: Callable[[Exception], None]
) -> Any:
    """Returns a replacement for `HANDLE_SKIP`, which calls `observe(code, region, result)` afterwards, or `fail`."""
    note_untraceable()

    @functools.wraps(original)
    def handle_skip(callback: Any, result: Any, frame: Any) -> Any:
        outcome = original(callback, result, frame)
        try:
            converted, region = _conversion_of(result, frame, sys._getframe(1).f_back), current_region()
        except Exception as error:
            fail(error)
            return outcome
        if converted is not None:
            observe(frame.f_code, region, converted)
        return outcome

    dynamo.keep_from_dynamo(handle_skip, observe, fail)
    return handle_skip


def _conversion_of(result: Any, frame: Any, caller: types.FrameType | None) -> Conversion | None:
    """Reads torch's result of the frame callback; None if it has no action."""
    strategy = names.attribute(result, "ConvertFrameReturn.frame_exec_strategy")
    action = str(getattr(getattr(strategy, "cur_action", None), "name", "")).lower()
    if not action or not isinstance(frame.f_code, types.CodeType):
        return None
    reason = str(names.attribute(result, "ConvertFrameReturn.skip_reason") or "").strip()
    is_for_code = bool(names.attribute(result, "ConvertFrameReturn.apply_to_code", True))
    counted_before = dict(_untraceable_counts)
    note_untraceable()
    if reason == _SUPPRESSED:
        new = [text for text, times in _untraceable_counts.items() if counted_before.get(text) != times]
        if len(new) == 1:
            reason = f"{new[0].partition(chr(10))[0]}: {explanation_in(new[0]).partition(chr(10))[0]}"
    has_code = names.attribute(result, "ConvertFrameReturn.guarded_code") is not None
    module = _module_of(frame) if is_skipped(frame.f_code) else None
    if module is not None and names.optional(module, "Module._compiled_call_impl") is not None:
        reason = f"{reason}; {_COMPILED_IN_PLACE}"
    return Conversion(action, is_for_code, has_code, reason, not has_code and _is_asked_for(frame, caller))


_SUPPRESSED = "an error was suppressed during compilation"  # torch's reason for an exception that it does not describe


_untraceable_counts: dict[
    str, int
] = {}  # torch's counters of what Dynamo could not trace, before the conversion in progress


def note_untraceable() -> None:
    """Saves torch's counters of what Dynamo could not trace, so that later additions belong to another conversion.

    Called at the end of a conversion: with the result of the callback, or after an exception, which has no result.
    """
    counters = probe("torch._dynamo.utils.counters")  # use `get`: indexing would create missing keys
    current = dict(counters.get("unimplemented", ())) if counters is not None else {}  # copied, as other threads count
    _untraceable_counts.clear()
    _untraceable_counts.update(current)


def _is_asked_for(frame: Any, caller: types.FrameType | None) -> bool:
    """Returns whether the program asked to compile a frame that Dynamo skips.

    This is the case if it is a compiled function, the forward of a module, or a generator of the program with tensors,
    which Dynamo would compile if it were not a generator.
    """
    if is_skipped(frame.f_code):
        return _module_of(frame) is not None
    if caller is not None and (caller.f_globals.get("__name__"), caller.f_code.co_name) in _WRAPPERS:
        return True
    has_tensors = probe(f"{_CONVERT}.has_tensor_in_frame")
    is_generator = frame.f_code.co_flags & inspect.CO_GENERATOR and not names.is_torchs(frame.f_code.co_filename)
    return bool(is_generator and has_tensors is not None and has_tensors(frame))


def _module_of(frame: Any) -> Any:
    """Returns the module, if a frame is the call of a module's forward; else None."""
    code = frame.f_code
    receiver = frame.f_locals.get(code.co_varnames[0]) if code.co_name == "forward" and code.co_varnames else None
    is_module = issubclass(type(receiver), sys.modules["torch"].nn.Module)  # `isinstance` could run code of the program
    return receiver if is_module else None


_COMPILED_IN_PLACE = "module.compile() compiles no forward of PyTorch's own, torch.compile(module) does"


# ---- how the frames of a code object are run


def was_seen(code: types.CodeType) -> bool:
    """Returns whether Dynamo has processed this code object. If it has no entry, it then runs eagerly."""
    processed = probe("torch._dynamo.convert_frame.input_codes")
    return processed is not None and code in processed


def met_codes() -> list[types.CodeType]:
    """Returns the live code objects that Dynamo has processed since the latest reset, in this order."""
    processed = probe("torch._dynamo.convert_frame.input_codes")
    return [code for reference in getattr(processed, "seen", ()) if (code := reference()) not in (None, _reset_mark)]


def is_skipped(code: types.CodeType) -> bool:
    """Returns whether Dynamo skips frames of this code because of a rule, such as those for torch's own code."""
    return bool(skip_rule(code))


def skip_rule(code: types.CodeType) -> str:
    """Returns torch's text of the rule by which Dynamo skips all frames of this code; "" if there is none."""
    check = probe("torch._dynamo.trace_rules.check")
    if check is None or not check(code):
        return ""
    verbose = probe("torch._dynamo.trace_rules.check_verbose")
    reason = str(getattr(verbose(code), "reason", "") or "") if verbose is not None else ""
    return f"frame is in the Dynamo skipfiles list{f' ({reason})' if reason else ''}"


def skipped_copy(code: types.CodeType) -> types.CodeType:
    """Returns a copy of a code object that Dynamo never compiles, and that has no entries of the original."""
    copy = code.replace()
    skip = probe("torch._dynamo.eval_frame.skip_code")
    if skip is not None:
        skip(copy)
    return copy


HANDLE_SKIP = f"{_CONVERT}.CatchErrorsWrapper._handle_skip"


def tells_why_it_skips() -> bool:
    """Returns whether torch records the graph break for which it skips a frame.

    A frame without a record then has no graph.
    """
    return probe(HANDLE_SKIP) is not None


_reset_mark = (lambda: None).__code__
_epochs = [object()]


def reset_epoch() -> object:
    """Returns an object that identifies the time since the latest torch.compiler.reset(): a new one after each reset.

    To notice a reset, a code object of depyf is added to those that Dynamo has processed; a reset removes it.
    """
    processed = probe("torch._dynamo.convert_frame.input_codes")
    if processed is not None and _reset_mark not in processed:
        processed.add(_reset_mark)
        _epochs[:] = [object()]
    return _epochs[0]


def compilations_of(frame_id: str) -> int | None:
    """Returns how often torch has started to compile the frame with this number in its compile ids.

    Returns None if not known.
    """
    counted = probe(f"{_CONVERT}.FRAME_COMPILE_COUNTER")
    return int(counted[int(frame_id)]) if counted is not None and frame_id.isdigit() else None


_LIMITS = "torch._dynamo.cache_size"


def exceeds_recompile_limit(code: types.CodeType, region: int, local: Mapping[str, Any]) -> str:
    """Returns the limit that a further entry for a frame with these locals would exceed, computed by torch.

    Returns "" if there is none.
    """
    compute = probe(f"{_LIMITS}.compute_cache_size")
    config = probe("torch._dynamo.config")
    if compute is None or config is None:
        return ""
    total = probe("torch._dynamo.eval_frame._get_total_cache_entry_count")
    get = probe("torch._dynamo.eval_frame._get_cache_entries_for_region")
    frame = types.SimpleNamespace(f_locals=dict(local))
    try:
        if get is not None and total is not None:
            size = compute(frame, list(get(code, region)), total(code))
        else:
            raw = probe("torch._dynamo.eval_frame._debug_get_cache_entry_list")
            size = compute(frame, next(iter(raw(code)), None))  # earlier releases use a linked list
        if size.will_compilation_exceed_accumulated_limit():
            options = ("accumulated_recompile_limit", "accumulated_cache_size_limit")
        elif size.will_compilation_exceed_specific_limit(_first_of(config, "recompile_limit", "cache_size_limit")):
            options = ("recompile_limit", "cache_size_limit")
        else:
            return ""
    except (AttributeError, TypeError):
        names.record_missing(f"{_LIMITS}.compute_cache_size")
        return ""
    name = next(n for n in options if hasattr(config, n))
    return f"{name} = {getattr(config, name)}"


def raises_at_limit(wrapper: Any) -> str:
    """Returns why a call that would exceed the limit raises an error instead of running eagerly; "" if it does not."""
    config = probe("torch._dynamo.config")
    if getattr(config, "fail_on_recompile_limit_hit", False):
        return "fail_on_recompile_limit_hit = True"
    return "fullgraph=True" if asks_for_full_graph(wrapper) else ""


def _first_of(owner: Any, *options: str) -> Any:
    return next(getattr(owner, option) for option in options if hasattr(owner, option))
