# SPDX-License-Identifier: MIT
"""Runs the catalogue's programs with a backend while depyf and torch are asked the same questions.

Modes: "inference" (a session is open), "training" (arguments require gradients, and a backward follows each call), and
"late" (no session: depyf only reads torch's caches). tests/torch must be on the path of the process.
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
    """Returns the programs that the installed torch can run, including PyTorch's toy example."""
    return [case for case in cases() if not case.lacking]


def run(case: Case, backend: str, mode: str) -> dict[str, Any]:
    """Asks before each call; then makes all calls again, compares what ran, and asks about the inner frames."""
    torch._dynamo.reset()
    random.seed(0)
    torch.manual_seed(0)
    agreement = Agreement()
    compiled = torch.compile(case.program, backend=backend, **case.options)
    with (
        torch._dynamo.config.patch(**case.config),
        tempfile.TemporaryDirectory() as folder,
        torch_says.EagerReasons() as reasons,
    ):
        session = depyf.prepare_debug(folder) if mode != "late" else contextlib.nullcontext()
        try:
            with session as opened:
                raised = _ask_and_call(case, compiled, mode, agreement)
            agreement.without_entry = _why_without_entry(compiled, reasons, raised)
            if opened is not None:
                agreement.add(compare.compare_record(opened.record.entries))
        except Exception as error:
            agreement.problems.append(f"{type(error).__name__}: {' '.join(str(error).split())[:300]}")
        finally:
            restore()
    if agreement.is_vacuous:
        agreement.problems.append("nothing was compared, and torch gave no reason")
    return asdict(agreement)


def _why_without_entry(compiled: Any, reasons: torch_says.EagerReasons, raised: str) -> list[str]:
    """Returns why torch holds no entry for a function: torch's reason, or what its calls raise; [] if it has one."""
    frame = torch_says.called(compiled)
    if frame.ids:
        return []
    reason = reasons.of(frame.code) or (f"the call raises {raised}" if raised else "")
    return [f"{frame.code.co_name}: {reason}"] if reason else []


def _ask_and_call(case: Case, compiled: Any, mode: str, agreement: Agreement) -> str:
    """Asks and calls; returns the name of the exception that the latest call raised, or ""."""
    training, raised = mode == "training", ""
    for arguments in case.calls():
        arguments = _with_gradients(arguments) if training else arguments
        agreement.add(compare.compare_decision(compiled, arguments))
        try:
            agreement.backwards += _backward(compiled(*arguments), training)
        except Exception as error:  # a program may raise
            raised = type(error).__name__
    for arguments in case.calls():
        arguments = _with_gradients(arguments) if training else arguments
        agreement.add(compare.compare_call(compiled, arguments))
    agreement.add(compare.compare_full_code(compiled))
    return raised


def _with_gradients(arguments: Any) -> Any:
    """Makes the tensors among the arguments require gradients; they are not leaves, so programs may modify them."""

    def make(value: Any) -> Any:
        is_plain = type(value) is torch.Tensor and value.layout is torch.strided
        if is_plain and value.is_leaf and (value.is_floating_point() or value.is_complex()):
            return value.detach().requires_grad_().clone()
        return value

    return pytree.tree_map(make, arguments)


def _backward(result: Any, training: bool) -> bool:
    """Runs the backward of a call's result; returns whether there was one."""
    tensors = [v for v in pytree.tree_leaves(result) if isinstance(v, torch.Tensor) and v.requires_grad]
    if not training or not tensors:
        return False
    torch.autograd.backward([v.abs().sum() for v in tensors])
    return True
