# SPDX-License-Identifier: MIT
"""The catalogue's programs, run under a backend while depyf and torch are asked the same questions.

Modes: "inference" (a session is open), "training" (arguments require gradients, and a backward follows each call), and
"late" (no session: depyf reads torch's caches alone). Belongs into a process whose path has tests/torch.
"""

from __future__ import annotations

import contextlib
import random
import tempfile
from dataclasses import asdict
from typing import Any

import depyf
import torch
from catalogue import Case, cases, restore
from torch.utils import _pytree as pytree

from tools.agreement import compare
from tools.agreement.compare import Agreement
from tools.judges import torch_says

MODES = ("inference", "training", "late")


def catalogue() -> list[Case]:
    """The programs that the torch at hand can run, PyTorch's toy example among them."""
    return [case for case in cases() if not case.lacking]


def run(case: Case, backend: str, mode: str) -> dict[str, Any]:
    """Asks before each call; then makes all calls again, compares what ran, and asks about the frames inside."""
    torch._dynamo.reset()
    random.seed(0)
    torch.manual_seed(0)
    found = Agreement()
    compiled = torch.compile(case.program, backend=backend, **case.options)
    with (
        torch._dynamo.config.patch(**case.config),
        tempfile.TemporaryDirectory() as folder,
        torch_says.EagerReasons() as reasons,
    ):
        session = depyf.prepare_debug(folder) if mode != "late" else contextlib.nullcontext()
        try:
            with session as opened:
                raised = _ask_and_call(case, compiled, mode, found)
            found.without_entry = _why_without_entry(compiled, reasons, raised)
            if opened is not None:
                found.add(compare.of_record(opened.record.entries))
        except Exception as error:
            found.problems.append(f"{type(error).__name__}: {' '.join(str(error).split())[:300]}")
        finally:
            restore()
    if found.is_vacuous:
        found.problems.append("nothing was compared, and torch gave no reason")
    return asdict(found)


def _why_without_entry(compiled: Any, reasons: torch_says.EagerReasons, raised: str) -> list[str]:
    """Of a function that torch holds no entry of: why, as torch says it, or what its calls raise. [] if it has one."""
    frame = torch_says.called(compiled)
    if frame.ids:
        return []
    reason = reasons.of(frame.code) or (f"the call raises {raised}" if raised else "")
    return [f"{frame.code.co_name}: {reason}"] if reason else []


def _ask_and_call(case: Case, compiled: Any, mode: str, found: Agreement) -> str:
    """The name of the exception that the latest call raised, or ""."""
    training, raised = mode == "training", ""
    for arguments in case.calls():
        arguments = _with_gradients(arguments) if training else arguments
        found.add(compare.of_call(compiled, arguments))
        try:
            found.backwards += _backward(compiled(*arguments), training)
        except Exception as error:  # an outcome like any other
            raised = type(error).__name__
    for arguments in case.calls():
        arguments = _with_gradients(arguments) if training else arguments
        found.add(compare.of_run(compiled, arguments))
    found.add(compare.of_text(compiled))
    return raised


def _with_gradients(arguments: Any) -> Any:
    """The arguments, with tensors that require gradients; they are no leaves, so that programs may change them."""

    def make(value: Any) -> Any:
        is_plain = type(value) is torch.Tensor and value.layout is torch.strided
        if is_plain and value.is_leaf and (value.is_floating_point() or value.is_complex()):
            return value.detach().requires_grad_().clone()
        return value

    return pytree.tree_map(make, arguments)


def _backward(result: Any, training: bool) -> bool:
    """Runs the backward of what a call returned, and tells whether there was one."""
    tensors = [v for v in pytree.tree_leaves(result) if isinstance(v, torch.Tensor) and v.requires_grad]
    if not training or not tensors:
        return False
    torch.autograd.backward([v.abs().sum() for v in tensors])
    return True
