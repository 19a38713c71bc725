# SPDX-License-Identifier: MIT
"""Every frame that Dynamo makes for the catalogue decompiles; its text, compiled again and run in the place of Dynamo's
bytecode, gives equal results, side effects and exceptions.

Only tests run recompiled text; in a user's program Dynamo's own bytecode runs.
"""

from __future__ import annotations

import ast
import random
import sys
import types
from typing import Any

import depyf
import pytest
import torch
from catalogue import Case, cases

CASES = cases()
TORCH = tuple(map(int, torch.__version__.split(".")[:2]))
# From CPython 3.12 a comprehension is part of its function: a break in it leaves the whole frame to Python.
INLINED_COMPREHENSIONS = {"branches-branch_in_a_comprehension"} if sys.version_info >= (3, 12) else set()


def snapshot(value: Any, depth: int = 0) -> Any:
    """What can be compared of a value, with tensors as their contents."""
    if depth > 6:
        return "..."
    if isinstance(value, torch.Tensor):
        inner = value.detach()
        return ("tensor", str(value.dtype), tuple(value.shape), value.requires_grad, inner.double().tolist())
    if isinstance(value, dict):
        return type(value).__name__, [(snapshot(k, depth + 1), snapshot(v, depth + 1)) for k, v in value.items()]
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [snapshot(v, depth + 1) for v in value]
    if isinstance(value, (set, frozenset)):
        return type(value).__name__, sorted(map(repr, value))
    if isinstance(value, BaseException):
        return type(value).__name__, str(value).splitlines()[:1]
    if isinstance(value, (types.SimpleNamespace, torch.nn.Module)):
        return type(value).__name__, snapshot(vars(value), depth + 1)
    if isinstance(value, (int, float, complex, str, bytes, type(None), torch.dtype)):
        return value
    return type(value).__name__


def outcome(case: Case) -> list[Any]:
    """Results, arguments afterwards and observed changes of all calls of a program, compiled."""
    torch._dynamo.reset()
    random.seed(0)
    torch.manual_seed(0)
    before = case.observe()
    compiled = torch.compile(case.program, backend="eager", **case.options)
    seen: list[Any] = []
    for arguments in case.calls():
        try:
            result = compiled(*arguments)
        except Exception as error:  # an exception is an outcome like any other
            result = error
        seen.append((snapshot(result), snapshot(arguments)))
    after = case.observe()
    restore(before)
    return [*seen, snapshot(after)]


def restore(before: Any) -> None:
    """Puts the catalogue's own globals back, so that a second run starts where the first did."""
    from catalogue import contexts, effects, memory

    contexts.EVENTS.clear()
    memory.REFERENCES.clear()
    memory.ALIVE.clear()
    effects.LOG.clear()
    effects.TABLE.clear()
    effects.COUNT = 0
    torch.set_grad_enabled(True)


def recompiled(case: Case, readable: bool) -> tuple[list[Any], list[tuple[str, depyf.Decompiled]], list[str]]:
    """The outcome with recompiled text in place of Dynamo's bytecode; the texts; what failed."""
    frames: list[tuple[str, depyf.Decompiled]] = []
    failures: list[str] = []

    def replace(code, new_code):
        try:
            text = depyf.decompile(new_code, readable=readable)
            frames.append((code.co_name, text))
            again = text.recompile()
        except Exception as error:  # a hook must not raise
            failures.append(f"{code.co_name}: {type(error).__name__}: {error}")
            return None
        return again.replace(co_name=new_code.co_name)

    handle = torch._dynamo.convert_frame.register_bytecode_hook(replace)
    try:
        found = outcome(case)
    finally:
        handle.remove()
    return found, frames, failures


@pytest.mark.parametrize("readable", [True, False], ids=["readable", "literal"])
@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_catalogue(case, readable, record_property):
    expected = outcome(case)
    found, frames, failures = recompiled(case, readable)
    for name, text in frames:
        record_property(name, str(text.verdict))
    assert not failures
    assert [(name, text.verdict.reason) for name, text in frames if text.verdict not in ("exact", "proved")] == []
    assert found == expected
    assert bool(frames) != (case.skipped or case.name in INLINED_COMPREHENSIONS)


def test_the_toy_reads_as_one_would_explain_it():
    (case,) = (c for c in CASES if c.name == "branches-toy")
    _, frames, _ = recompiled(case, readable=True)
    text = frames[0][1]
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    assert len(lines) <= (15 if TORCH < (2, 15) else 19)  # 2.15 asks the profiler before and after the marker
    assert max(map(len, text.splitlines())) <= 130
    nodes = list(ast.walk(ast.parse(text)))
    assert all(not node.elts for node in nodes if isinstance(node, ast.List))
    assert not any(isinstance(node, ast.Slice) for node in nodes)
    assert text.verdict == "proved"
    assert "graph = __compiled_fn_" in text
    assert "if branch:" in text
    assert "# profiler marker" in text


def test_the_literal_form_keeps_every_container():
    (case,) = (c for c in CASES if c.name == "branches-toy")
    _, frames, _ = recompiled(case, readable=False)
    text = frames[0][1]
    assert any(isinstance(node, ast.Slice) for node in ast.walk(ast.parse(text)))
    assert text.source_map
