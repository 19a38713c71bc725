# SPDX-License-Identifier: MIT
"""Tests that the decompiled text gives the same results as Dynamo's bytecode when it is recompiled in its place.

Only tests do that; in a program, Dynamo's own bytecode runs.
"""

from __future__ import annotations

import dis
import importlib.util
import sys

import depyf
import pytest
import torch
from depyf.torch.internals import vocabulary

BACKENDS = ("eager", "aot_eager", "inductor")


@pytest.mark.parametrize("readable", [True, False])
@pytest.mark.parametrize("train", [False, True])
@pytest.mark.parametrize("backend", BACKENDS)
def test_recompiled_text_in_place_of_dynamos_bytecode(toy, backend, train, readable):
    expected = toy.run(backend, train)
    torch._dynamo.reset()
    replaced = []

    def replace(code, new_code):
        text = depyf.decompile(new_code, readable=readable)
        recompiled = text.recompile()
        replaced.append((code.co_name, text.verdict))
        return recompiled.replace(co_name=new_code.co_name)

    handle = torch._dynamo.convert_frame.register_bytecode_hook(replace)
    try:
        results = toy.run(backend, train)
    finally:
        handle.remove()
    assert len(replaced) == 3
    assert all(torch.equal(a, b) for a, b in zip(expected, results, strict=True))


@torch._dynamo.disable
def left(value):
    return value


def words(x, n):
    return f"{n}|{left(n):>3}|{x.shape[0]}", x * 2


def test_function_that_resumes_within_an_f_string_is_proved():
    """The formatted parts are on the stack, and nothing in the code says that they are strings."""
    originals = []
    handle = torch._dynamo.convert_frame.register_bytecode_hook(lambda code, new_code: originals.append(code))
    try:
        torch.compile(words, backend="eager")(torch.ones(2), 1)
    finally:
        handle.remove()
    texts = [depyf.decompile(code) for code in originals if vocabulary.RESUME_CODE in code.co_name]
    assert texts and any("''.join((" in text for text in texts)
    assert all(text.verdict.holds for text in texts)


def test_full_code_replays_the_call(toy, tmp_path):
    compiled = torch.compile(toy.toy_example, backend="eager")
    a = torch.linspace(-1, 1, 10)
    with depyf.prepare_debug(tmp_path):
        for sign in (1, -1):
            compiled(a, sign * torch.ones(10))
    path = tmp_path / "full_code_for_toy_example_0.py"
    for bind in (False, True):
        spec = importlib.util.spec_from_file_location(f"full_code_replayed_{bind}", path)
        file = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(file)
        if bind:
            file.bind(vars(toy))
        for sign in (1, -1):
            b = sign * torch.ones(10)
            assert torch.equal(file.toy_example(a, b), toy.toy_example(a, b))
        with pytest.raises(LookupError, match="size"):
            file.toy_example(torch.ones(7), torch.ones(7))


def matches(x, n):
    x = x + 1
    with torch.no_grad():
        torch._dynamo.graph_break()
        match n:
            case 1 | 2:
                y = torch.sin(x)
            case int() if n > 4:
                y = torch.cos(x)
            case {"a": inner, **rest}:
                y = inner + len(rest)
            case [first, *_]:
                y = first
            case None:
                y = x
    return y


def rows_disagree(code):
    """Returns whether a handler is entered with several depths of the stack.

    It would then not find the right `__exit__`, or not restore the exception. No compiler generates such a table.
    """
    depths = {}
    for row in dis._parse_exception_table(code):
        depths.setdefault(row.target, set()).add(row.depth)
    return any(len(found) > 1 for found in depths.values())


@pytest.mark.skipif(
    not hasattr(torch._dynamo.config, "nested_graph_breaks"), reason="Dynamo resumes in no `with` block"
)
def test_match_statements_of_functions_that_resume():
    """Their code is CPython's with POP_JUMP_IF_NONE split up, behind a jump into the `with` block."""
    resumed = []

    def collect(code, new_code):
        if code.co_name.startswith("torch_dynamo_resume"):
            resumed.append((code, depyf.decompile(code)))

    handle = torch._dynamo.convert_frame.register_bytecode_hook(collect)
    try:
        torch.compile(matches, backend="eager")(torch.ones(3), 5)
    finally:
        handle.remove()
    assert resumed
    for code, text in resumed:
        assert text.verdict in ("exact", "proved"), text.verdict.describe()
        # Dynamo's tables for 3.14 keep more of the stack than there is, which is reported
        disagrees = sys.version_info >= (3, 14) and rows_disagree(code)
        assert ("exception table taken as it is meant" in text.verdict.describe()) == disagrees
    for pattern in ("case int() if n > 4:", "case {'a': inner, **rest}:", "case [first, *_]:", "case None:"):
        assert pattern in str(resumed[0][1]), resumed[0][1]
