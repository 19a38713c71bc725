# SPDX-License-Identifier: MIT
"""Tests that the text of every frame of the catalogue, recompiled in place of Dynamo's bytecode, behaves the same.

Results, side effects and exceptions are compared. Only tests run recompiled text; programs run Dynamo's bytecode.
"""

from __future__ import annotations

import ast
import contextlib
import json
import random
import re
import statistics
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import depyf
import numpy as np
import pytest
import torch
from catalogue import Case, cases, restore
from releases import UNPROVED

CASES = cases()
TORCH = tuple(map(int, torch.__version__.split(".")[:2]))
# Whether Dynamo marks calls of graphs for the profiler, and passes frames in lists; earlier releases do not.
MARKED = hasattr(torch._dynamo.config, "record_runtime_overhead")
IN_LISTS = hasattr(torch._dynamo.config, "nested_graph_breaks")
REGISTRY_OF = (2, 13)  # the release whose registry of graph breaks the catalogue covers
# From CPython 3.12 on a comprehension is part of its function, and a break in it skips the whole frame; with
# CPython 3.14, so does a `while` on a tensor.
LEFT_TO_PYTHON = {"branches-branch_in_a_comprehension"} if sys.version_info >= (3, 12) else set()
LEFT_TO_PYTHON |= {"branches-while_on_a_tensor"} if sys.version_info >= (3, 14) else set()


def snapshot_of_tensor(value: torch.Tensor) -> tuple[Any, ...]:
    """Returns a tensor's type and contents."""
    kind = (str(value.dtype), str(value.layout), value.requires_grad)
    inner = value.detach()
    if inner.is_nested:
        return (*kind, [part.double().tolist() for part in inner.unbind()])
    return (
        *kind,
        tuple(value.shape),
        inner.to_dense().double().tolist() if inner.is_sparse else inner.double().tolist(),
    )


def snapshot(value: Any, depth: int = 0) -> Any:
    """Returns a value in a form that can be compared, with tensors as their contents."""
    if depth > 6:
        return "..."
    if isinstance(value, torch.Tensor):
        with torch._C.DisableTorchFunctionSubclass():
            return snapshot_of_tensor(value)
    if isinstance(value, (np.ndarray, np.generic)):
        return type(value).__name__, str(value.dtype), value.tolist()
    if isinstance(value, dict):
        return type(value).__name__, [(snapshot(k, depth + 1), snapshot(v, depth + 1)) for k, v in value.items()]
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [snapshot(v, depth + 1) for v in value]
    if isinstance(value, (set, frozenset)):
        return type(value).__name__, sorted(map(repr, value))
    if isinstance(value, BaseException):
        first = (str(value).splitlines() or [""])[0]
        return type(value).__name__, re.sub(r"0x[0-9a-f]+|__compiled_fn_\w+", "", first)
    if isinstance(value, (types.SimpleNamespace, torch.nn.Module)):
        return type(value).__name__, snapshot(vars(value), depth + 1)
    if isinstance(value, (int, float, complex, str, bytes, type(None), torch.dtype)):
        return value
    return type(value).__name__


@contextlib.contextmanager
def breaks_seen() -> Iterator[set[str]]:
    """Collects the registry entries of the graph breaks in the block; the set stays empty if torch has no registry."""
    seen: set[str] = set()
    errors = torch._dynamo.exc
    if not hasattr(errors, "_load_gb_type_to_gb_id_map"):
        yield seen
        return
    entries, say = errors._load_gb_type_to_gb_id_map(), errors.format_graph_break_message

    def note(gb_type: str, *more: Any) -> str:
        seen.add(entries.get(gb_type, ""))
        return say(gb_type, *more)

    errors.format_graph_break_message = note
    try:
        yield seen
    finally:
        errors.format_graph_break_message = say


def outcome(case: Case) -> list[Any]:
    """Returns the results, final arguments and effects of all calls of a compiled program."""
    torch._dynamo.reset()
    random.seed(0)
    torch.manual_seed(0)
    compiled = torch.compile(case.program, backend="eager", **case.options)
    seen: list[Any] = []
    with torch._dynamo.config.patch(**case.config):
        for arguments in case.calls():
            try:
                result = compiled(*arguments)
            except Exception as error:  # an expected outcome
                result = error
            seen.append((snapshot(result), snapshot(arguments)))
    after = case.observe()
    restore()
    return [*seen, snapshot(after)]


def skip_if_unsupported(case: Case) -> None:
    """Skips the test if this torch lacks a feature that the program needs."""
    if case.lacking:
        pytest.skip(f"torch has no {', '.join(case.lacking)}")


def recompiled(case: Case, readable: bool) -> tuple[list[Any], list[tuple[str, depyf.Decompiled]], list[str]]:
    """Returns the outcome with recompiled text in place of Dynamo's bytecode, the texts, and what failed."""
    frames: list[tuple[str, depyf.Decompiled]] = []
    failures: list[str] = []

    def replace(code, new_code):
        try:
            text = depyf.decompile(new_code, readable=readable)
            frames.append((code.co_name, text))
            recompiled_code = text.recompile()
        except Exception as error:  # must not leave the hook
            failures.append(f"{code.co_name}: {type(error).__name__}: {error}")
            return None
        return recompiled_code.replace(co_name=new_code.co_name)

    handle = torch._dynamo.convert_frame.register_bytecode_hook(replace)
    try:
        found = outcome(case)
    finally:
        handle.remove()
    return found, frames, failures


@pytest.mark.parametrize("readable", [True, False], ids=["readable", "literal"])
@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_catalogue(case, readable, record_property):
    skip_if_unsupported(case)
    with breaks_seen() as seen:
        expected = outcome(case)
    found, frames, failures = recompiled(case, readable)
    for name, text in frames:
        record_property(name, str(text.verdict))
    assert not failures
    unproved = [(name, text.verdict) for name, text in frames if text.verdict not in ("exact", "proved")]
    assert [(name, verdict.reason) for name, verdict in unproved] == [] or case.name in UNPROVED
    assert found == expected
    if TORCH == REGISTRY_OF:  # releases differ in what breaks a graph
        assert set(case.breaks) <= seen
        assert bool(frames) != (case.skipped or case.name in LEFT_TO_PYTHON)


def test_text_of_the_toy_example():
    (case,) = (c for c in CASES if c.name == "branches-toy")
    _, frames, _ = recompiled(case, readable=True)
    text = frames[0][1]
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    assert len(lines) <= 15
    assert max(map(len, text.splitlines())) <= 130
    nodes = list(ast.walk(ast.parse(text)))
    assert all(not node.elts for node in nodes if isinstance(node, ast.List))
    assert not any(isinstance(node, ast.Slice) for node in nodes)
    assert text.verdict == "proved"
    assert "if branch:" in text
    assert "__compiled_fn_" in text and ("graph = __compiled_fn_" in text) == MARKED
    assert ("# profiler marker" in text) == MARKED


def test_collected_keyword_arguments_are_written_in_the_call():
    (case,) = (c for c in CASES if c.name == "calls-keywords_in_a_dict")
    _, frames, _ = recompiled(case, readable=True)
    calls = [node for node in ast.walk(ast.parse(frames[0][1])) if isinstance(node, ast.Call) and node.keywords]
    assert [[k.arg for k in call.keywords] for call in calls] == [["first", "second"]]
    assert not any(isinstance(a, ast.Starred) for call in calls for a in call.args)


def test_non_readable_text_keeps_all_containers():
    (case,) = (c for c in CASES if c.name == "branches-toy")
    _, frames, _ = recompiled(case, readable=False)
    text = frames[0][1]
    assert any(isinstance(node, ast.Slice) for node in ast.walk(ast.parse(text))) == IN_LISTS
    assert text.source_map


def untriggered() -> dict[str, str]:
    """Returns the registry's entries that no program triggers, with the reasons."""
    found: dict[str, str] = {}
    reason = ""
    for line in (Path(__file__).parent / "catalogue" / "untriggered.txt").read_text().splitlines():
        if line.startswith("#"):
            reason = line[2:]
        for entry in line.split() if line.startswith("GB") else ():
            assert entry not in found
            found[entry] = reason
    return found


@pytest.mark.skipif(TORCH != REGISTRY_OF, reason="another release's registry")
def test_every_entry_of_the_registry_is_triggered_or_has_a_reason():
    folder = Path(torch.__file__).parent
    registry = json.loads((folder / "_dynamo" / "graph_break_registry.json").read_text())
    triggered = {entry for case in CASES for entry in case.breaks}
    reasons = untriggered()
    assert not triggered & set(reasons)
    assert triggered | set(reasons) == set(registry)
    sources = [
        re.sub(r'"\s*\n\s*f?"', "", path.read_text()) for path in folder.rglob("*.py") if "test" not in path.parts
    ]
    sources = [text for text in sources if "gb_type" in text]
    without_call_site = [entry for entry, reason in reasons.items() if reason.startswith("No call site")]
    kinds = [registry[entry][0]["Gb_type"] for entry in without_call_site]
    assert [kind for kind in kinds if any(f'gb_type="{kind}"' in text for text in sources)] == []


def lines_and_effects(text: str) -> tuple[int, int]:
    """Returns the number of statements, and of those with a visible effect: calls, branches, stores and exits."""
    nodes = list(ast.walk(ast.parse(text)))
    lines = sum(isinstance(n, ast.stmt) and not isinstance(n, ast.FunctionDef) for n in nodes)
    ends_or_branches = (ast.Return, ast.Raise, ast.If, ast.IfExp, ast.While, ast.For, ast.With, ast.Try, ast.Global)
    effects = sum(isinstance(n, (ast.Call, *ends_or_branches)) for n in nodes)
    places = [n for n in nodes if isinstance(n, (ast.Attribute, ast.Subscript))]
    return lines, effects + sum(isinstance(n.ctx, (ast.Store, ast.Del)) for n in places)


@pytest.mark.slow
def test_texts_have_few_statements_without_effects():
    texts = [text for case in CASES[::12] if not case.lacking for _, text in recompiled(case, readable=True)[1]]
    counts = [lines_and_effects(text) for text in texts]
    assert len(counts) >= 40
    assert statistics.median(lines / shown for lines, shown in counts) <= 1.5


def test_names_of_programs_are_unique():
    assert len({case.name for case in CASES}) == len(CASES)
