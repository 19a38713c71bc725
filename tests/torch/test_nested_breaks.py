# SPDX-License-Identifier: MIT
"""Tests breaks in inlined functions, with a resume function for each frame (`config.nested_graph_breaks`).

The innermost resume function gets the others in a list, which its guards check; each runs in the globals of the
function that it continues.
"""

from __future__ import annotations

import contextlib
import functools
import re
import sys

import depyf
import pytest
import torch
from test_catalogue import CASES, outcome, recompiled, skip_if_unsupported
from test_full_code import test_catalogue as full_code_agrees
from torch._dynamo.eval_frame import _debug_get_cache_entry_list

pytestmark = pytest.mark.skipif(
    not hasattr(torch._dynamo.config, "nested_graph_breaks"), reason="each inlined function is run whole or not at all"
)

NAMES = {
    "functions-decorated",
    "functions-recursive",
    "objects-abstract_and_overridden",
    "objects-dataclass_with_methods",
    "objects-module_that_breaks",
    "objects-operators_that_break",
    "protected-break_in_an_inlined_with",
}
NESTED = [case for case in CASES if case.name in NAMES]


@pytest.fixture(autouse=True)
def nested_breaks():
    with torch._dynamo.config.patch(nested_graph_breaks=True):
        yield


def test_programs_of_the_catalogue_exist():
    assert {case.name for case in NESTED} == NAMES


@pytest.mark.parametrize("readable", [True, False], ids=["readable", "literal"])
@pytest.mark.parametrize("case", NESTED, ids=lambda c: c.name)
def test_recompiled_text_behaves_the_same(case, readable):
    skip_if_unsupported(case)
    expected = outcome(case)
    found, frames, failures = recompiled(case, readable)
    assert not failures
    assert [(name, text.verdict.reason) for name, text in frames if not text.verdict.holds] == []
    assert found == expected


@pytest.mark.parametrize("case", NESTED, ids=lambda c: c.name)
def test_full_code_chooses_the_same_entries(case):
    full_code_agrees(case)


def scaled(*values, **options):
    torch._dynamo.graph_break()
    return sum(values) * options["scale"]


def gathers(x, parts):
    return scaled(x, *parts, scale=2) + 1


@functools.lru_cache
def table(n):
    return tuple(range(n))


@torch.no_grad()
def in_another_module(x):
    with contextlib.ExitStack():
        torch._dynamo.graph_break()
    return x.cos() + len(table(3))


def without_gradients(x):
    return in_another_module(x) * 2


@torch.no_grad()
def without_gradients_itself(x):
    return gathers(x, (1, 2)) * 2


class Noted(torch.Tensor):
    """A subclass: torch's own __torch_function__ is inlined, and the break happens in it."""

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        torch._dynamo.graph_break()
        return super().__torch_function__(function, types, args, kwargs or {})


def of_a_subclass(x):
    return (x.as_subclass(Noted) * 2 + 1).as_subclass(torch.Tensor)


@pytest.mark.parametrize(
    "function, arguments",
    [
        (gathers, (torch.ones(2), (1, 2))),
        (without_gradients, (torch.ones(2),)),
        (without_gradients_itself, (torch.ones(2),)),
        (of_a_subclass, (torch.ones(2),)),
    ],
    ids=lambda v: getattr(v, "__name__", ""),
)
@pytest.mark.parametrize("watched", [False, True])
def test_resume_functions_run_in_the_globals_of_the_functions_they_continue(function, arguments, watched, tmp_path):
    compiled = torch.compile(function, backend="eager")
    with depyf.prepare_debug(tmp_path) if watched else contextlib.nullcontext():
        expected = compiled(*arguments)
    full = depyf.full_code(compiled)
    assert torch.equal(full(*arguments), expected)
    assert torch.equal(compiled(*arguments), expected)


def continued(x):
    x = x.sin()
    torch._dynamo.graph_break()
    return x + 1


def breaks_again(x):
    x = continued(x)
    torch._dynamo.graph_break()
    return x * 2


def three_deep(x):
    return breaks_again(x) * 3


@pytest.mark.parametrize("function", [breaks_again, three_deep, gathers])
def test_index_says_that_a_resume_function_is_inlined_into_another(function, tmp_path):
    """torch runs it as a part of the other's graph and does not start a compilation of it."""
    torch._dynamo.utils.counters.clear()
    graphs, called = [], []

    def keeping(gm, inputs):
        graphs.append(gm.print_readable(print_output=False))
        return gm

    arguments = (torch.ones(2), (1, 2)) if function is gathers else (torch.ones(2),)
    with depyf.prepare_debug(tmp_path, report=False):
        compiled = torch.compile(function, backend=keeping)
        compiled(*arguments)
        sys.setprofile(lambda frame, event, arg: called.append(frame.f_code) if event == "call" else None)
        compiled(*arguments)
        sys.setprofile(None)
    text = (tmp_path / "index.md").read_text("utf-8")
    resumes = dict(re.findall(r"`(__resume_at_\w+)` at \S+:\d+ (\([^)]*\)|\[[\d/]+\])", text))
    inlined = [name for name, said in resumes.items() if said.startswith("(inlined into ")]
    assert inlined and "(not called)" not in text
    for name, said in resumes.items():
        (code,) = (f.__code__ for n, f in globals().items() if n.startswith(name))
        entries = _debug_get_cache_entry_list(code)
        assert any(each in called for each in (code, *(e.code for e in entries))) == (name not in inlined), (name, said)
        assert bool(entries) == (name not in inlined)
    files = "".join(file.read_text("utf-8") for file in tmp_path.glob("full_code_for_*.py"))
    assert "was not called" not in files and all(f"was inlined into {resumes[n][15:-2]}" in files for n in inlined)
    assert len(graphs) == torch._dynamo.utils.counters["stats"]["unique_graphs"]


def test_file_names_the_module_whose_globals_a_frame_has(tmp_path):
    with depyf.prepare_debug(tmp_path):  # the first compiled frame is a wrapper by Dynamo
        torch.compile(without_gradients_itself, backend="eager")(torch.ones(2))
    (file,) = tmp_path.glob("full_code_for_*.py")
    text = file.read_text("utf-8")
    globals_name = f"globals_of_{__name__}".replace(".", "_")
    assert f"{globals_name} = replay.globals_of({__name__!r}, program_globals)" in text
    scope = {"__name__": "full_code", "__file__": str(file)}
    exec(compile(text, str(file), "exec"), scope)
    assert scope[globals_name]["gathers"] is gathers
