# SPDX-License-Identifier: MIT
"""Tests the advice on recompiles: a recompile is gone once its advice is followed, and useless advice is not given."""

from __future__ import annotations

import contextlib
import dataclasses
import enum
import functools
import importlib
import inspect
import itertools
import json
import math
import re
from pathlib import Path
from typing import NamedTuple

import depyf
import pytest
import torch
import torch._dynamo.testing
from depyf.cli import app
from depyf.torch.guards import advice
from depyf.torch.guards.parse import DICT_MANAGER

from tools.judges import torch_says

MEASURED = getattr(getattr(torch._dynamo.utils, "CompilationMetrics", None), "__dataclass_fields__", {})
DO = re.compile(r"torch\.\w[\w.]*(?:\(.*?\)| = \w+)")


def sine(x):
    return x.sin()


def scaled_by_two(x):
    return x * 2


def fixed_size(x):
    return x.sin() if x.shape[0] == 4 else x.cos()


def items(pair):
    return pair[0].sin() + pair[1].sum()


def scaled(x, k):
    return x * k


def named(x, name):
    return x + len(name)


def broken(x):
    y = x[:2] + 1 if x.sum() > 0 else x
    return y * 2


class Scaled(torch.nn.Module):
    """A module with an int, a buffer and a parameter that change between calls."""

    def __init__(self):
        super().__init__()
        self.k = 2
        self.register_buffer("held", torch.ones(4))
        self.weight = torch.nn.Parameter(torch.ones(4))

    def forward(self, x):
        return x * self.k + self.held.sum() + self.weight.sum()


def compilations(function, calls, follow=()):
    """Returns how often torch compiles a graph; FOLLOW are statements executed with the first arguments as names."""
    torch._dynamo.reset()
    graphs = []

    def backend(graph, inputs):
        graphs.append(graph)
        return graph.forward

    compiled = torch.compile(function, backend=backend)
    for number, (arguments, prepare) in enumerate(calls()):
        prepare()
        if number == 0:
            for statement in follow:
                exec(statement, {"torch": torch, **arguments})
        compiled(**arguments)
    return len(graphs)


def advice_of(function, calls, folder):
    torch._dynamo.reset()
    compiled = torch.compile(function, backend="eager")
    with depyf.prepare_debug(folder) as _:
        for arguments, prepare in calls():
            prepare()
            compiled(**arguments)
    data = json.loads((folder / "index.json").read_text("utf-8"))
    return [reason["advice"] for recompile in data["recompiles"] for reason in recompile["reasons"]]


def nothing():
    pass


def sizes(*numbers):
    return lambda: (({"x": torch.ones(n)}, nothing) for n in numbers)


@pytest.fixture
def options():
    """Restores the options that the advice sets, and has torch look at modules where it would miss changes."""
    config = torch._dynamo.config
    looks = {"use_recursive_dict_tags_for_guards": False} if torch_says.trusts_unchanged_dictionaries() else {}
    with config.patch(allow_unspec_int_on_nn_module=config.allow_unspec_int_on_nn_module, **looks):
        yield


@pytest.mark.parametrize(
    ("function", "calls"),
    [
        (sine, sizes(4, 5)),
        (items, lambda: (({"pair": (torch.ones(n), torch.ones(3))}, nothing) for n in (4, 5))),
    ],
    ids=["an argument", "an item of one"],
)
def test_following_the_advice_avoids_the_recompile(function, calls, tmp_path, options):
    advice = advice_of(function, calls, tmp_path)
    statements = [found for text in advice for found in DO.findall(text)]
    assert advice and statements
    assert compilations(function, calls) == 2
    assert compilations(function, calls, statements) == 1


@pytest.mark.parametrize(("kind", "name"), [("conj", "resolve_conj"), ("neg", "resolve_neg")])
def test_advice_to_resolve_conjugate_and_negative_views(kind, name, tmp_path):
    plain = torch.ones(3, dtype=torch.complex64)
    x, view = (plain, plain.conj()) if kind == "conj" else (torch.ones(6)[::2], plain.conj().imag)
    assert (view.is_conj(), view.is_neg()) == (kind == "conj", kind == "neg")
    calls = lambda: (({"x": tensor}, nothing) for tensor in (x, view))  # noqa: E731
    assert compilations(scaled_by_two, calls) == 2
    assert advice_of(scaled_by_two, calls, tmp_path) == [f"pass x.{name}() in every call"]
    resolved = lambda: (({"x": getattr(t, name)().contiguous()}, nothing) for t in (x, view))  # noqa: E731
    assert compilations(scaled_by_two, resolved) == 1


def test_advice_against_inference_tensors(tmp_path):
    inside = torch.inference_mode()(torch.ones)(3)
    calls = lambda: (({"x": x}, nothing) for x in (torch.ones(3), inside))  # noqa: E731
    (advice_or_reason,) = advice_of(scaled_by_two, calls, tmp_path)
    assert "inference_mode" in advice_or_reason and "device" not in advice_or_reason
    assert compilations(scaled_by_two, lambda: (({"x": inside}, nothing) for _ in range(2))) == 1


class Times:
    """An object that is called."""

    def __init__(self):
        self.factor = 2.0

    def __call__(self, given):
        return given * self.factor


class OfClass:
    @classmethod
    def __call__(cls, given):
        return given * 2


class Static:
    @staticmethod
    def __call__(given):
        return given * 2


class Encoder(torch.nn.Module):
    @torch.no_grad()
    def forward(self, tokens):
        return tokens * 2

    @torch.no_grad()
    def encode(self, left, right):
        return left + right


def scaled_without_gradients(given):
    return given * 2


WRAPPED = {
    "object": Times,
    "class method": OfClass,
    "static method": Static,
    "Sequential": lambda: torch.nn.Sequential(torch.nn.ReLU()),
    "no_grad": lambda: torch.no_grad()(scaled_without_gradients),
    "forward": Encoder,
    "method of a module": lambda: Encoder().encode,
}


@pytest.mark.parametrize("make", WRAPPED.values(), ids=WRAPPED)
def test_advice_uses_the_programs_names_of_arguments_of_wrapped_callables(make, tmp_path):
    """torch.compile wraps each of these in `inner(*args, **kwargs)`."""
    called = make()
    run = called.forward if isinstance(called, torch.nn.Module) else called
    run = run if hasattr(run, "__qualname__") else run.__call__
    parameters = list(inspect.signature(run).parameters)
    compiled = torch.compile(called, backend="eager")
    with depyf.prepare_debug(tmp_path):
        for n in (4, 5):
            compiled(*(torch.ones(n) for _ in parameters))
    data = json.loads((tmp_path / "index.json").read_text("utf-8"))
    assert data["recompiles"][0]["name"].startswith(f"{run.__qualname__}, called by PyTorch's ")
    statements = [found for r in data["recompiles"][0]["reasons"] for found in DO.findall(r["advice"])]
    assert statements == [f"torch._dynamo.maybe_mark_dynamic({parameter}, 0)" for parameter in parameters]
    (first,) = (entry for entry in depyf.entries(compiled) if entry.compile_id == "0/0")
    text = str(first.explain(*(torch.ones(6) for _ in parameters)))
    assert f"{parameters[0]} (args[0]): size expected (4,), found (6,)" in text
    torch._dynamo.reset()
    counted = torch._dynamo.testing.CompileCounter()
    compiled = torch.compile(called, backend=counted)
    for n in (4, 5):
        arguments = {parameter: torch.ones(n) for parameter in parameters}
        exec("\n".join(statements), {"torch": torch, **arguments})
        compiled(*arguments.values())
    assert counted.frame_count == 1


def test_setting_the_advised_option_avoids_recompiles(tmp_path, options):
    model = Scaled()
    calls = lambda: (({"x": torch.ones(3)}, lambda k=k: setattr(model, "k", k)) for k in (2, 3, 4, 5))  # noqa: E731
    statements = {found for text in advice_of(model, calls, tmp_path) for found in DO.findall(text)}
    assert len(statements) == 1
    assert compilations(model, calls) == 4
    assert compilations(model, calls, statements) == 2


def test_advice_on_a_size_that_the_code_fixes_raises_no_exception(tmp_path):
    statements = [found for text in advice_of(fixed_size, sizes(4, 5), tmp_path) for found in DO.findall(text)]
    assert statements
    compilations(fixed_size, sizes(4, 5), statements)
    with pytest.raises(Exception, match=r"marked .* as dynamic but your code specialized"):
        compilations(fixed_size, sizes(4, 5), ["torch._dynamo.mark_dynamic(x, 0)"])


def in_pairs(x):
    total = 0
    for start in range(0, x.shape[0], 2):
        total = total + x[start : start + 2].sum()
    return total


def added(x, numbers):
    for number in range(numbers):
        x = x + number
    return x


def test_advice_names_the_line_that_fixes_a_number(tmp_path):
    calls = lambda: (({"x": torch.ones(3), "numbers": n}, nothing) for n in (2, 3, 4))  # noqa: E731
    assert compilations(added, calls) == 3
    line = f"{__file__.rpartition('/')[2]}:{added.__code__.co_firstlineno + 1} fixes this value"
    assert any(text.startswith(line) for text in advice_of(added, calls, tmp_path))


def rounds_an_item(x):
    print("mean", round(x.mean().item(), 1))
    return x + 1


def test_a_number_that_torch_fixes_is_said_to_be_fixed_by_torch(tmp_path):
    """AOTAutograd cannot turn round() of a number into operations on tensors, so Dynamo specializes it."""
    torch._dynamo.reset()
    compiled = torch.compile(rounds_an_item, backend="aot_eager")
    with depyf.prepare_debug(tmp_path, report=False) as session:
        for number in (2.0, 3.0, 4.0):
            compiled(torch.ones(3) * number)
    fixed = [found.compile_id for found in session.run.specializations]
    reasons = [reason for r in session.run.recompiles if r.compile_id in fixed for reason in r.reasons]
    assert len(fixed) == len(reasons[1:]) == 2
    assert {reason.advice for reason in reasons} == {"torch fixes this value: each value has an entry of its own"}


def pairs_above(x, limit):
    return in_pairs(x) if limit > 0 else x.sum()


def test_no_advice_to_mark_a_size_that_the_program_fixes(tmp_path):
    """A loop over the range of a size fixes it, both in the new entry and in one that exists already."""
    advice = advice_of(in_pairs, sizes(4, 6, 8), tmp_path)
    (line,) = {text.partition(" fixes this size")[0] for text in advice}
    assert line == f"{__file__.rpartition('/')[2]}:{in_pairs.__code__.co_firstlineno + 2}"
    marked = ["torch._dynamo.maybe_mark_dynamic(x, 0)"]
    assert compilations(in_pairs, sizes(4, 6, 8)) == compilations(in_pairs, sizes(4, 6, 8), marked) == 3


@pytest.mark.skipif("dynamo_config" not in MEASURED, reason="this torch does not say how it was set for a compilation")
@pytest.mark.parametrize("settings", [{}, {"dynamic": True}], ids=["automatic", "dynamic"])
def test_no_advice_to_mark_a_size_that_the_program_fixes_without_a_session(settings):
    compiled = torch.compile(in_pairs, backend="eager", **settings)
    for n in (4,) if settings else (4, 6, 8):
        compiled(torch.ones(n))
    advice = [failure.advice for failure in depyf.which_entry(compiled, torch.ones(10)).failures]
    advice += [entry.explain(torch.ones(10)).failure.advice for entry in depyf.entries(compiled)]
    assert {text.partition(" fixes this size")[0] for text in advice} == {"the program"}


def test_advice_to_mark_a_size_that_only_lacks_a_mark():
    compiled = torch.compile(scaled_by_two, backend="eager", dynamic=False)
    for n in (4, 6):
        compiled(torch.ones(n))
    failures = depyf.which_entry(compiled, torch.ones(8)).failures
    assert [failure.advice for failure in failures] == [
        "torch._dynamo.maybe_mark_dynamic(x, 0) before the first call with it"
    ] * 2


def test_answers_name_the_line_that_fixes_a_size(tmp_path):
    compiled = torch.compile(in_pairs, backend="eager")
    with depyf.prepare_debug(tmp_path):
        for n in (4, 6, 8):
            compiled(torch.ones(n))
    line = f"{__file__.rpartition('/')[2]}:{in_pairs.__code__.co_firstlineno + 2} fixes this size"
    failures = depyf.which_entry(compiled, torch.ones(10)).failures
    assert len(failures) == 3 and all(failure.advice.startswith(line) for failure in failures)


@pytest.mark.parametrize("prepare", [lambda t: t, lambda t: t[::2]], ids=["stride one", "strides that are dynamic"])
def test_dynamic_stride_is_not_called_a_size(prepare):
    compiled = torch.compile(scaled_by_two, backend="eager", dynamic=True)
    compiled(torch.ones(24)[::3])
    for failure in depyf.which_entry(compiled, prepare(torch.ones(8))).failures:
        assert failure.advice == "pass tensors of one memory layout"


def test_reason_if_two_arguments_are_the_same_object_in_only_one_call(tmp_path):
    compiled = torch.compile(items, backend="eager")
    x = torch.ones(3)
    with depyf.prepare_debug(tmp_path) as session:
        for pair in ((x, x), (x, x.clone())):
            compiled(pair)
    reason = session.run.recompiles[0].reasons[0]
    assert (reason.source, reason.what, reason.then, reason.now) == (
        "pair[0]", "identity", "pair[1]", "another object"
    )  # fmt: skip
    assert reason.advice == "pass the same object for both in every call, or two different ones in every call"
    assert compilations(items, lambda: (({"pair": (x.clone(), x.clone())}, nothing) for _ in range(2))) == 1


def test_reason_for_a_nan():
    compiled = torch.compile(scaled, backend="eager")
    for k in (0.5, 0.7, math.nan):
        compiled(torch.ones(2), k)
    reasons = [
        str(entry.explain(torch.ones(2), k).failure)
        for entry in depyf.entries(compiled)
        for k in (0.9, math.nan)
        if not entry.explain(torch.ones(2), k)
    ]
    assert not any("isnan" in text for text in reasons)
    assert any("k: value expected nan, found 0.9" in text for text in reasons)
    if any(g.kind == "LAMBDA_GUARD" and "isnan" in g.text for e in depyf.entries(compiled)[1:] for g in e.guards):
        assert any("k: value expected a number, found nan" in text for text in reasons)


def test_reason_of_a_frame_without_operations_is_short(tmp_path):
    compiled = torch.compile(applied, backend="eager")
    with depyf.prepare_debug(tmp_path):
        compiled(torch.ones(2), lambda x: x)
    advice_or_reason = str(depyf.which_entry(compiled, torch.ones(2), torch.sin))
    assert advice_or_reason == "no entry: runs eagerly, skipped (Dynamo traced no operations)"


LIBRARY = """
FACTOR = 2

def scale(x):
    return x * FACTOR

def call(function, x):
    return function(x)
"""


def test_guard_of_a_library_names_the_programs_line(tmp_path, monkeypatch):
    """This includes a value of a module that Dynamo imports again under its own name."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    (folder / "scaling_library.py").write_text(LIBRARY)
    monkeypatch.syspath_prepend(folder)
    library = importlib.import_module("scaling_library")

    def through_a_library(x):
        return library.scale(x)

    compiled = torch.compile(through_a_library, backend="eager")
    compiled(torch.ones(3))
    monkeypatch.setattr(library, "FACTOR", 3)
    (failure,) = depyf.which_entry(compiled, torch.ones(3)).failures
    assert (failure.source, failure.where) == ("scaling_library.FACTOR", "scaling_library.py:5")
    if hasattr(torch._dynamo.guards, "format_user_stack_trace"):
        place = through_a_library.__code__
        assert (failure.caller.path, failure.caller.line) == (place.co_filename, place.co_firstlineno + 1)
        assert f"scaling_library.py:5, called from {failure.caller}" in str(failure)
    with depyf.prepare_debug(tmp_path / "dump"):
        library.call(compiled, torch.ones(2, 3))
    line = inspect.currentframe().f_lineno - 1
    text = (tmp_path / "dump" / "index.md").read_text("utf-8")
    call = f"`scaling_library.py:8 in call: return function(x)`, called from {Path(__file__).name}:{line}"
    assert (
        f"compiled for the call at {call}\n" in text and f"for the call at {call}\n" in text.split("## Recompiles")[1]
    )


@dataclasses.dataclass
class Batch:
    x: torch.Tensor


class Pair(NamedTuple):
    x: torch.Tensor
    factor: int


@pytest.mark.parametrize("make", [Batch, lambda x: Pair(x, 3)])
def test_advice_to_mark_a_size_in_a_field_of_an_argument(make, tmp_path):
    def field(batch):
        return batch.x.sin()

    compiled = torch.compile(field, backend="eager")
    with depyf.prepare_debug(tmp_path) as session:
        for size in (4, 5):
            compiled(make(torch.ones(size)))
    (recompile,) = session.run.recompiles
    (advice,) = (DO.search(reason.advice)[0] for reason in recompile.reasons)
    torch.compiler.reset()
    counter = torch._dynamo.testing.CompileCounter()
    followed = torch.compile(field, backend=counter)
    for size in (4, 5):
        batch = make(torch.ones(size))
        exec(advice, {"torch": torch, "batch": batch})
        followed(batch)
    assert counter.frame_count == 1


def test_no_advice_to_mark_sizes_zero_and_one(tmp_path):
    advice = advice_of(sine, sizes(4, 1), tmp_path)
    assert advice and all("0/1 specialization" in text and not DO.findall(text) for text in advice)
    assert compilations(sine, sizes(4, 1), ["torch._dynamo.maybe_mark_dynamic(x, 0)"]) == 2


@pytest.mark.parametrize("kind", [int, float])
def test_default_behaviour_is_not_advised(kind, tmp_path):
    """When a number changes for the first time, torch compiles for any number by itself."""
    calls = lambda: (({"x": torch.ones(3), "k": kind(k)}, nothing) for k in (2, 3, 4, 5))  # noqa: E731
    assert compilations(scaled, calls) == 2
    assert advice_of(scaled, calls, tmp_path) == [""]
    (folder,) = [tmp_path]
    assert "k: value was" in (folder / "index.md").read_text("utf-8")


def test_no_advice_to_mark_tensors_of_modules(tmp_path):
    """torch compiles for their current sizes, whether they are marked or not."""
    model = Scaled()

    def other(n):
        model.held, model.weight = torch.ones(n), torch.nn.Parameter(torch.ones(n))
        torch._dynamo.maybe_mark_dynamic(model.held, 0)
        torch._dynamo.maybe_mark_dynamic(model.weight, 0)

    calls = lambda: (({"x": torch.ones(3)}, lambda n=n: other(n)) for n in (4, 5, 6))  # noqa: E731
    assert compilations(model, calls) == 3
    assert not any(DO.findall(text) for text in advice_of(model, calls, tmp_path))


def test_advice_to_freeze_parameters_before_the_first_call(tmp_path):
    def entries(is_frozen_first):
        torch.compiler.reset()
        model, x = Scaled(), torch.ones(4)
        counter = torch._dynamo.testing.CompileCounter()
        compiled = torch.compile(model, backend=counter)
        if not is_frozen_first:
            compiled(x)
        model.requires_grad_(requires_grad=False)
        compiled(x)
        return counter.frame_count

    with depyf.prepare_debug(tmp_path) as session:
        assert entries(is_frozen_first=False) == 2
    (recompile,) = session.run.recompiles
    (reason_of_weight,) = (reason for reason in recompile.reasons if reason.source == "self.weight")
    assert reason_of_weight.what == "requires_grad" and reason_of_weight.advice.startswith(
        "freeze parameters before the first call"
    )
    assert entries(is_frozen_first=True) == 1


def test_advice_names_no_value_that_exists_only_during_the_call(tmp_path):
    calls = sizes(4, 5)
    with torch._dynamo.config.patch(automatic_dynamic_shapes=False):
        advice = advice_of(broken, lambda: (({"x": torch.ones(n)}, nothing) for n in (1, 2)), tmp_path)
    data = json.loads((tmp_path / "index.json").read_text("utf-8"))
    of_resumes = [r for r in data["recompiles"] if r["name"].startswith("resume in broken")]
    assert of_resumes and not any(DO.findall(reason["advice"]) for r in of_resumes for reason in r["reasons"])
    assert advice and compilations(broken, calls)


def test_all_failing_guards_are_shown(tmp_path):
    """torch reports the first one; after mending that, the program would meet the next."""
    calls = lambda: (  # noqa: E731
        ({"x": torch.ones(*shape, dtype=dtype), "name": name}, nothing)
        for shape, dtype, name in (((4,), torch.float32, "a"), ((4,), torch.float64, "b"))
    )
    advice_of(named, calls, tmp_path)
    data = json.loads((tmp_path / "index.json").read_text("utf-8"))
    (recompile,) = data["recompiles"]
    shown = {(r["source"], r["then"], r["now"]) for r in recompile["reasons"]}
    assert {("name", "'a'", "'b'"), ("x", "torch.float32", "torch.float64")} <= shown
    assert sum(bool(r["torch_text"]) for r in recompile["reasons"]) == 1


def applied(x, function):
    return function(x)


def contained(x, options):
    return x + 1 if "a" in options else x - 1


def test_object_that_stays_alive_is_not_called_new_in_each_call(tmp_path):
    functions = (torch.sin, torch.cos, torch.sin, torch.cos)
    calls = lambda: (({"x": torch.ones(3), "function": f}, nothing) for f in functions)  # noqa: E731
    assert compilations(applied, calls) == 2  # one for each distinct object
    found = advice_of(applied, calls, tmp_path)
    assert found == ["this object is compiled in: keep the number of distinct objects small"]
    made = lambda: (({"x": torch.ones(3), "function": eval("lambda x: x + 1")}, nothing) for _ in range(2))  # noqa: E731
    assert any("for each call never matches" in text for text in advice_of(applied, made, tmp_path / "made"))


class Activation(enum.Enum):
    SINE = 1
    COSINE = 2


class Passes(enum.Flag):
    SINE = 1
    COSINE = 2
    TWICE = 4


def passed(x, flags):
    return x.sin() if flags is Passes.SINE | Passes.TWICE else x.cos()


def activated(x, function):
    return x.sin() if function is Activation.SINE else x.cos()


@pytest.mark.parametrize(
    ("function", "values", "names"),
    [
        (applied, (torch.sin, torch.cos), ("torch.sin", "torch.cos")),
        (applied, (sine, scaled_by_two), (f"{__name__}.sine", "scaled_by_two")),
        (activated, tuple(Activation), (f"{__name__}.Activation.SINE", f"{__name__}.Activation.COSINE")),
        (
            passed,
            (Passes.SINE | Passes.TWICE, Passes.COSINE),
            (f"{__name__}.Passes.SINE | {__name__}.Passes.TWICE", f"{__name__}.Passes.COSINE"),
        ),
        (passed, (Passes(0), Passes.COSINE | Passes.TWICE), (f"{__name__}.Passes(0)", f"{__name__}.Passes.TWICE")),
        (lambda x, function: function()(x), (torch.nn.ReLU, torch.nn.GELU), ("ReLU", "GELU")),
    ],
    ids=["builtin functions", "functions", "members of an enum", "flags", "no flag", "classes"],
)
def test_objects_of_entries_are_named_without_a_session(function, values, names):
    graphs = torch._dynamo.testing.CompileCounter()
    torch._dynamo.reset()
    compiled = torch.compile(function, backend=graphs)
    compiled(torch.ones(3), values[0])
    (failure,) = depyf.which_entry(compiled, torch.ones(3), values[1]).failures
    assert names[0] in failure.expected and names[1] in failure.found
    assert failure.advice == "this object is compiled in: keep the number of distinct objects small"
    for value in (*values, *values):
        compiled(torch.ones(3), value)
    assert graphs.frame_count == len(values)  # one for each distinct object


def scaled_and_moved(x, bias=None, scale=None):
    x = x if scale is None else x * scale
    return x if bias is None else x + bias


def passes_on(x, **options):
    return scaled_and_moved(x, **options)


def test_added_and_removed_keyword_arguments_are_named(tmp_path):
    one = torch.ones(3)
    compiled = torch.compile(passes_on, backend="eager")
    with depyf.prepare_debug(tmp_path) as session:
        compiled(one, bias=one)
        compiled(one, bias=one, scale=one)
        missing = depyf.which_entry(compiled, one)
    (reason,) = session.run.recompiles[0].reasons
    assert (reason.source, reason.then, reason.now) == ("options", "1", "2 (new: scale)")
    assert [failure.found for failure in missing.failures] == ["0 (missing: bias, scale)", "0 (missing: bias)"]
    assert {reason.advice, *(f.advice for f in missing.failures)} == {"pass the same named arguments in every call"}


def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


class Decorated(torch.nn.Module):
    @logged
    def forward(self, x):
        return x + 1

    @logged
    def backwards(self, x):
        return x - 1


@logged
def doubled(x):
    return x * 2


def test_functions_with_the_same_decorator_are_distinguished(tmp_path):
    module = Decorated()
    called = (module, module.backwards, doubled)
    with depyf.prepare_debug(tmp_path) as session:
        for function in called:
            torch.compile(function, backend="eager")(torch.ones(3))
    names = ["Decorated.forward, wrapped in wrapper", "Decorated.backwards, wrapped in wrapper", "wrapper"]
    assert session.run.frames[0].name == " / ".join(names)
    assert "Decorated.forward, wrapped in wrapper; " in (tmp_path / "index.md").read_text("utf-8")
    reasons = [(r.source, r.what, r.now) for found in session.run.recompiles for r in found.reasons]
    assert reasons == [("function", "function", "Decorated.backwards"), *[("function", "function", "doubled")] * 2]
    decision = depyf.which_entry(torch.compile(logged(sine), backend="eager"), torch.ones(3))
    assert {(f.source, f.found) for f in decision.failures} == {("function", "sine")}
    if "isolate_recompiles" not in inspect.signature(torch.compile).parameters:
        return
    assert all("isolate_recompiles=True" in r.advice for found in session.run.recompiles for r in found.reasons)
    torch.compiler.reset()
    with depyf.prepare_debug(tmp_path) as session:
        for function in called:
            torch.compile(function, backend="eager", isolate_recompiles=True)(torch.ones(3))
    assert len(session.run.entries) == 3 and not session.run.recompiles


def test_advice_against_values_of_another_type(tmp_path):
    """This includes values for which torch's guard raises."""
    calls = lambda: (({"x": torch.ones(3), "options": options}, nothing) for options in ({"a"}, ["a"]))  # noqa: E731
    assert compilations(contained, calls) == 2
    found = advice_of(contained, calls, tmp_path)
    assert found and all("one type" in text for text in found)


def test_advice_is_chosen_by_existing_kinds_of_guards():
    """Advice for a kind that torch never prints would never be given."""
    unknown = advice._BY_KIND.keys() - vars(torch._C._dynamo.guards).keys() - {DICT_MANAGER}
    assert unknown <= {"DYNAMIC_INDICES", "DIMENSION_DYNAMIC_MARKING_GUARD"}  # exist only in some releases
    assert len(unknown) < 2 and len(advice._BY_KIND) > 10


def optional(x, mask=None, *, scale=None):
    x = x if mask is None else x.masked_fill(mask, 0.0)
    return x.sin() if scale is None else x * scale


@pytest.mark.parametrize("given", [{"mask": torch.zeros(3, dtype=torch.bool)}, {"scale": 2.5}, {"scale": 2}], ids=str)
@pytest.mark.parametrize("given_first", [True, False])
def test_reason_if_a_value_is_none_in_only_one_call(given, given_first):
    counter = torch._dynamo.testing.CompileCounter()
    compiled = torch.compile(optional, backend=counter, dynamic=False)
    first, second = (given, {}) if given_first else ({}, given)
    compiled(torch.ones(3), **first)
    (failure,) = depyf.which_entry(compiled, torch.ones(3), **second).failures
    assert failure.advice == "always pass a value, or never: None and a value are two entries"
    compiled(torch.ones(3), **first)  # as advised
    assert counter.frame_count == 1
    compiled(torch.ones(3), **second)
    assert counter.frame_count == 2


def constant_above(x):
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=x.shape[0] > 4):
        return x * 2


def test_no_advice_to_mark_what_makes_the_first_compilation_fail(tmp_path):
    """torch cannot use a symbol there: with the mark, the first call would raise where the second did."""
    with depyf.prepare_debug(tmp_path) as session:
        compiled = torch.compile(constant_above, backend="eager")
        compiled(torch.ones(4))
        with pytest.raises(Exception, match="is not a constant"):
            compiled(torch.ones(5))
    (recompile,) = session.run.recompiles
    assert [(r.source, r.what, r.advice) for r in recompile.reasons] == [("x", "size", "")]
    torch._dynamo.reset()
    x = torch.ones(4)
    torch._dynamo.maybe_mark_dynamic(x, 0)
    with pytest.raises(Exception, match="is not a constant"):
        torch.compile(constant_above, backend="eager")(x)


def test_advice_on_a_dynamic_size_that_is_zero_or_one(tmp_path):
    graphs = torch._dynamo.testing.CompileCounter()
    compiled = torch.compile(sine, backend=graphs, dynamic=True)
    compiled(torch.ones(4))
    (failure,) = depyf.which_entry(compiled, torch.ones(1)).failures
    assert (failure.source, failure.found) == ("x", "x.size()[0] = 1")
    assert failure.advice == "sizes 0 and 1 are compiled separately from all others (0/1 specialization)"
    assert depyf.which_entry(compiled, torch.ones(2)).hit
    compiled(torch.ones(2))
    assert graphs.frame_count == 1
    torch.compiler.reset()
    x = torch.ones(4)
    torch._dynamo.decorators.mark_unbacked(x, 0)  # an unbacked size has no entry of its own for zero and one
    compiled(x), compiled(torch.ones(1))
    assert graphs.frame_count == 2
    compiled(torch.ones(1))
    assert graphs.frame_count == 2


def test_advice_against_a_number_of_another_type(tmp_path):
    mixed, floats = (
        [{"x": torch.ones(3), "k": k} for k in numbers] for numbers in ((2, 2.5, 3, 3.5), (2.0, 2.5, 3.0, 3.5))
    )
    calls = lambda: ((each, nothing) for each in mixed[:2])  # noqa: E731
    assert advice_of(scaled, calls, tmp_path) == ["pass values of one type, or accept one entry for each type"]
    assert compilations(scaled, lambda: ((e, nothing) for e in floats)) < compilations(
        scaled, lambda: ((e, nothing) for e in mixed)
    )


@pytest.mark.parametrize(
    "made", [[torch.nn.ReLU, torch.nn.Tanh], [lambda: torch.nn.Linear(3, 2), lambda: torch.nn.Linear(3, 4)]]
)
def test_advice_to_isolate_modules_of_torch_that_are_compiled_separately(made, tmp_path):
    modules = [make() for make in made]
    with depyf.prepare_debug(tmp_path) as session:
        for module in modules:
            torch.compile(module, backend="eager")(torch.ones(2, 3))
    (recompile,) = session.run.recompiles
    about = [r for r in recompile.reasons if r.what == "compiled function" or r.source.startswith("fn.")]
    if "isolate_recompiles" not in inspect.signature(torch.compile).parameters:
        assert about and not any(reason.advice for reason in about)
        return
    assert about and all("isolate_recompiles=True" in reason.advice for reason in about)
    torch._dynamo.reset()
    with torch._dynamo.config.patch(error_on_recompile=True):
        for module in modules:
            torch.compile(module, backend="eager", isolate_recompiles=True)(torch.ones(2, 3))


def chosen(x, k):
    return x + k if k == 3 else x - k if k == 5 else x * k


def test_reason_of_a_number_that_the_code_compares(tmp_path):
    calls = lambda: (({"x": torch.ones(3), "k": k}, nothing) for k in (3, 5, 3, 7, 8, 9))  # noqa: E731
    assert compilations(chosen, calls) == 3  # for 3 and 5, which are compared, and for any other number
    torch._dynamo.reset()
    with depyf.prepare_debug(tmp_path) as session:
        compiled = torch.compile(chosen, backend="eager")
        for arguments, _ in calls():
            compiled(**arguments)
    reasons = [(r.entry, r.then, "pins the value" in r.advice) for each in session.run.recompiles for r in each.reasons]
    assert set(reasons) == {("0/0", "3", False), ("0/1", "5", True)}


def step(kind, lr, backend="eager", **options):
    """Compiles and calls an optimizer step four times with a schedule; returns the advice on each recompile."""
    torch._dynamo.reset()
    weight = torch.nn.Parameter(torch.ones(3))
    optimizer = kind([weight], lr=lr, **options)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 0.5**epoch)
    compiled = torch.compile(optimizer.step, backend=backend)
    for _ in range(4):
        weight.grad = torch.ones(3)
        compiled()
        schedule.step()
    return float(weight.detach().sum())


def recompiles_of_steps(folder, *arguments, **options):
    with depyf.prepare_debug(folder) as session:
        result = step(*arguments, **options)
    return [reason for r in session.run.recompiles for reason in r.reasons], result


def test_advice_to_make_the_learning_rate_a_tensor(tmp_path):
    reasons, result = recompiles_of_steps(tmp_path, torch.optim.Adam, 0.25)
    (about,) = (reason for reason in reasons if "lr" in reason.source)
    (tensor,) = re.findall(r"lr=(torch\.tensor\(0\.25\))", about.advice)
    reasons, same = recompiles_of_steps(tmp_path, torch.optim.Adam, eval(tensor))
    assert not reasons and same == pytest.approx(result)


def test_advice_to_make_each_learning_rate_a_tensor(tmp_path):
    """Dynamo makes the second learning rate dynamic, but the lowering of the graph fixes it."""
    reasons, result = recompiles_of_steps(tmp_path, torch.optim.SGD, 0.25, "aot_eager")
    advised = {reason.then: reason.advice for reason in reasons if "lr" in reason.source}
    assert advised.pop("0.25").startswith("create the optimizer with lr=torch.tensor(0.25), ")
    assert all("lr=torch.tensor(…), which schedulers change in place" in advice for advice in advised.values())
    reasons, same = recompiles_of_steps(tmp_path, torch.optim.SGD, torch.tensor(0.25), "aot_eager")
    assert not reasons and same == pytest.approx(result)


def test_no_advice_to_use_a_tensor_where_the_optimizer_rejects_it(tmp_path):
    reasons, _ = recompiles_of_steps(tmp_path, torch.optim.Adam, 0.25, foreach=True)
    assert [reason.advice for reason in reasons if "lr" in reason.source] == [""]
    with pytest.raises(ValueError, match="lr as a Tensor is not supported"):
        torch.optim.Adam([torch.nn.Parameter(torch.ones(3))], lr=torch.tensor(0.25), foreach=True)


def test_reason_names_state_created_by_an_optimizers_first_step(tmp_path):
    reasons, _ = recompiles_of_steps(tmp_path, torch.optim.SGD, torch.tensor(0.25), momentum=0.9)
    assert reasons and all("in the first step" in reason.advice for reason in reasons)


def test_function_that_exceeds_the_limit_is_named(tmp_path, capsys):
    """The name must not be that of the function compiled first, where PyTorch calls both through one wrapper."""
    with depyf.prepare_debug(tmp_path), torch._dynamo.config.patch(recompile_limit=1):
        for module in (torch.nn.ReLU(), torch.nn.Tanh()):
            torch.compile(module, backend="eager")(torch.ones(2, 3))
    assert app.main(["why", str(tmp_path)]) == 0
    advice_or_reason = capsys.readouterr().out
    assert "Tanh.forward, called by PyTorch's inner has no entry from the recompile [0/1]" in advice_or_reason
    assert "ReLU.forward, called by PyTorch's inner has no entry" not in advice_or_reason


@pytest.mark.parametrize("is_watched", [False, True], ids=["unwatched", "watched"])
@pytest.mark.parametrize("make", WRAPPED.values(), ids=WRAPPED)
def test_entry_of_a_wrapped_callable_is_named_after_it(make, is_watched, tmp_path):
    called = make()
    run = called.forward if isinstance(called, torch.nn.Module) else called
    run = run if hasattr(run, "__qualname__") else run.__call__
    function = inspect.unwrap(getattr(run, "__func__", run))
    count = len(inspect.signature(run).parameters)
    compiled = torch.compile(called, backend="eager")
    tanh = torch.compile(torch.nn.Tanh(), backend="eager")
    tanh(torch.ones(4))  # another entry of the same code object of PyTorch
    with depyf.prepare_debug(tmp_path) if is_watched else contextlib.nullcontext():
        compiled(*(torch.ones(4) for _ in range(count)))
    own, other = depyf.entries(compiled)
    name = run.__qualname__.rpartition("<locals>.")[2]
    place = f"{Path(function.__code__.co_filename).name}:{function.__code__.co_firstlineno}"
    assert f" of {name}, called by PyTorch's inner ({place}):" in repr(own)
    assert " of Tanh.forward, called by PyTorch's inner (activation.py:" in repr(other)
    if is_watched:
        header = next(tmp_path.glob("__transformed_code_*")).read_text("utf-8").splitlines()[0]
        assert header.startswith(f"# {name}, called by PyTorch's inner, entry [0/1] · ") and header.endswith(place)
        assert re.search(r" · from external_utils\.py:\d+, around \w+\.py:\d+$", header), (
            header
        )  # the text is the wrapper's
        subject = f"{name}, called by PyTorch's inner ({place})"
        assert f"Everything that a call of {subject}" in depyf.full_code(compiled).text


steps_taken = 0


def logs(x, seen, parts):
    global steps_taken
    steps_taken += 1
    seen.append(len(parts))
    return x + sum(parts)


def test_advice_to_change_state_outside_the_compiled_code(tmp_path):
    """A list whose length depends on the caller gets other advice."""
    seen: list[int] = []
    compiled = torch.compile(logs, backend="eager")
    with depyf.prepare_debug(tmp_path) as session:
        for count in (1, 2):
            compiled(torch.ones(2), seen, [torch.ones(2)] * count)
    advised = {r.source: r.advice for found in session.run.recompiles for r in found.reasons}
    assert "outside of the compiled code" in advised["seen"]
    assert "outside of the compiled code" in advised["steps_taken"]
    assert "outside of the compiled code" not in advised["parts"] and "stack the items" in advised["parts"]
    seen.append(0)
    for_seen = [str(e.explain(torch.ones(2), seen, [torch.ones(2)])) for e in depyf.entries(compiled)]
    assert any(
        "seen: length expected 0, found 3" in text and "outside of the compiled code" in text for text in for_seen
    )
    torch._dynamo.reset()
    counted = torch._dynamo.testing.CompileCounter()
    outside = torch.compile(lambda x, parts: x + sum(parts), backend=counted)
    for _ in range(3):
        seen.append(1)
        outside(torch.ones(2), [torch.ones(2)])
    assert counted.frame_count == 1


def test_no_advice_to_mark_a_static_size_as_dynamic(tmp_path):
    compiled = torch.compile(sine, backend="eager")
    with depyf.prepare_debug(tmp_path) as session:
        for size in (4, 5):
            x = torch.ones(size)
            torch._dynamo.mark_static(x, 0)
            compiled(x)
    ((reason,),) = (found.reasons for found in session.run.recompiles)
    guarded = [g.text for e in session.run.entries for g in e.checks if "_dynamo_static_indices" in g.text]
    if guarded:  # earlier releases have no guards on marks
        assert "marks this size static" in reason.advice
        assert "marks this size static" in str(depyf.which_entry(compiled, torch.ones(6)))


class Cache:
    """Like a decoder's cache: tensors in a list and a dictionary of an object."""

    def __init__(self, size):
        self.keys = [torch.zeros(size, 2) for _ in range(3)]
        self.rest = {"values": torch.zeros(size, 2)}


def decoded(x, cache):
    for key in cache.keys:
        key.copy_(x)
    return x + cache.rest["values"]


def test_advice_to_mark_sizes_that_must_be_equal_together(tmp_path, capsys):
    """Dynamo fixes a marked size if another size that must be equal to it is not marked."""
    calls = lambda: (({"x": torch.ones(n, 2), "cache": Cache(n)}, nothing) for n in (4, 5))  # noqa: E731
    statements = [found for text in advice_of(decoded, calls, tmp_path) for found in DO.findall(text)]
    first = "torch._dynamo.maybe_mark_dynamic(cache.keys[0], 0)"
    assert len(statements) == 5 and first in statements
    assert compilations(decoded, calls) == 2
    assert compilations(decoded, calls, [text for text in statements if "(x, " in text]) == 2
    assert compilations(decoded, calls, statements) == 1
    text = (tmp_path / "index.md").read_text("utf-8")
    named = re.search(r"maybe_mark_dynamic\((.+?), 0\) before the first call with it, and so for (.+)", text)
    assert {named[1], *named[2].split(", ")} == {"x", *(f"cache.keys[{n}]" for n in range(3)), "cache.rest['values']"}
    assert app.main(["why", str(tmp_path)]) == 0
    assert named[0] in capsys.readouterr().out


class Decoder(torch.nn.Module):
    """A module with a tensor, an object with tensors, and optionally a buffer, whose size Dynamo always fixes."""

    def __init__(self, has_buffer):
        super().__init__()
        self.has_buffer = has_buffer
        self.register_buffer("table", torch.zeros(4, 2))

    def reset(self, size):
        self.cache, self.bias, self.table = Cache(size), torch.zeros(size, 2), torch.zeros(size, 2)

    def forward(self, x):
        x = decoded(x, self.cache) + self.bias
        return x + self.table if self.has_buffer else x


@pytest.mark.parametrize("has_buffer", [False, True])
def test_advice_to_mark_tensors_of_a_module_unless_a_buffer_must_have_the_same_size(has_buffer, tmp_path):
    decoder = Decoder(has_buffer)
    calls = lambda: (({"x": torch.ones(n, 2)}, lambda n=n: decoder.reset(n)) for n in (4, 5))  # noqa: E731
    advised = [text for text in advice_of(decoder, calls, tmp_path) if "maybe_mark_dynamic(" in text]
    statements = [found.replace("self.", "decoder.") for text in advised for found in DO.findall(text)]
    assert len(statements) == (0 if has_buffer else 6)
    statements = statements or ["torch._dynamo.maybe_mark_dynamic(x, 0)"]
    marked = lambda: (({**given, "decoder": decoder}, prepare) for given, prepare in calls())  # noqa: E731
    assert compilations(lambda x, decoder: decoder(x), marked) == 2
    assert compilations(lambda x, decoder: decoder(x), marked, statements) == 1 + has_buffer


class Recurrent(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.state = None

    def forward(self, x):
        self.state = x.detach() if self.state is None else self.state + x.detach()
        return x + self.state


def test_advice_to_set_an_attribute_that_is_none_at_first(tmp_path):
    module = Recurrent()
    compiled = torch.compile(module, backend="eager")
    with depyf.prepare_debug(tmp_path) as session:
        for _ in range(2):
            compiled(torch.ones(2))
    advised = {r.source: r.advice for found in session.run.recompiles for r in found.reasons}
    assert advised["self.state"].startswith("set this attribute before the first call")
    torch._dynamo.reset()
    module.state = torch.zeros(2)
    counted = torch._dynamo.testing.CompileCounter()
    compiled = torch.compile(module, backend=counted)
    for _ in range(3):
        compiled(torch.ones(2))
    assert counted.frame_count == 1


@torch.no_grad()
def adds_one(x):
    return x + 1


@torch.no_grad()
def adds_two(x):
    return x + 2


def test_reason_if_the_entry_is_for_another_function(tmp_path):
    with depyf.prepare_debug(tmp_path) as session:
        first, second = (torch.compile(f, backend="eager") for f in (adds_one, adds_two))
        first(torch.ones(2))
        second(torch.ones(3, 3))
    (recompile,) = session.run.recompiles
    ((what, then, now, advice),) = ((r.what, r.then, r.now, r.advice) for r in recompile.reasons)
    assert (what, then, now) == ("compiled function", "adds_one", "adds_two")
    assert not advice or "isolate_recompiles=True" in advice
    assert "compiled function was adds_one, now adds_two" in (tmp_path / "index.md").read_text("utf-8")
    advice_or_reason = str(depyf.which_entry(second, torch.ones(4, 4, 4)))
    assert "[0/0]  compiled function expected adds_one, found adds_two" in advice_or_reason
    assert "[0/1]  x (args[0]): rank expected 2, found 3" in advice_or_reason


def read_field(x, holder):
    return x + holder.n


def test_reason_if_another_class_has_the_same_name(tmp_path):
    """Running a notebook's cell again creates such a class."""
    kinds = [type("Options", (), {"n": 1}) for _ in range(2)]
    compiled = torch.compile(read_field, backend="eager")
    with depyf.prepare_debug(tmp_path) as session:
        for kind in kinds:
            compiled(torch.ones(3), kind())
    reasons = [recompile.reason for recompile in session.run.recompiles]
    assert reasons == [f"[0/0] holder: type was {__name__}.Options, now another class of that name"]
    assert depyf.which_entry(compiled, torch.ones(3), kinds[0]()).hit


def counted(x, state):
    state["n"] = state.get("n", 0)
    return x + len(state)


class Holder:
    pass


def held(x, state):
    return x + 1 if hasattr(state, "n") else x - 1


@pytest.mark.parametrize(("function", "what"), [(counted, "key 'n'"), (held, "attribute n")])
def test_reasons_of_missing_keys_and_attributes(function, what, tmp_path):
    """The second call has the key or attribute that the first one lacked."""

    def made(has_it):
        if function is counted:
            return {"n": 0} if has_it else {}
        holder = Holder()
        vars(holder).update({"n": 0} if has_it else {})
        return holder

    def given(*has_it):
        return lambda: (({"x": torch.ones(2), "state": made(each)}, nothing) for each in has_it)

    assert compilations(function, given(False, True)) == 2
    advice_of(function, given(False, True), tmp_path)
    (recompile,) = json.loads((tmp_path / "index.json").read_text("utf-8"))["recompiles"]
    (reason,) = (r for r in recompile["reasons"] if r["what"] == what)
    assert (reason["source"], reason["then"], reason["now"]) == ("state", "absent", "present")
    expected = "keep the dictionary's keys fixed" if function is counted else "set attributes before the first call"
    assert reason["advice"].startswith(expected)
    assert compilations(function, given(True, True)) == 1


def test_gradient_that_is_none_is_not_called_an_argument():
    weights = torch.nn.Parameter(torch.ones(2))
    compiled = torch.compile(lambda x: x * 2 if weights.grad is None else x + weights.grad, backend="eager")
    compiled(torch.ones(2))
    weights.sum().backward()
    (failure,) = depyf.which_entry(compiled, torch.ones(2)).failures
    assert failure.source.endswith("weights.grad") and failure.advice.startswith("have a value there in every call")


def test_advice_to_convert_or_extend_a_module_before_the_first_call(tmp_path):
    module = torch.nn.Sequential(torch.nn.Linear(2, 2))
    module.register_buffer("mask", torch.ones(2))
    compiled = torch.compile(lambda x: module(x) * module.mask, backend="eager")
    with depyf.prepare_debug(tmp_path) as session:
        compiled(torch.ones(1, 2))
        module.double()
        compiled(torch.ones(1, 2).double())
        module.append(torch.nn.ReLU())
        compiled(torch.ones(1, 2).double())
    converted, grown = session.run.recompiles
    advised = {reason.source: reason.advice for reason in converted.reasons if reason.what == "dtype"}
    assert advised.pop("x") == "pass tensors of one dtype" and len(advised) == 3
    assert all(advice.startswith("convert the module before the first call") for advice in advised.values())
    assert "add submodules before the first call" in {reason.advice.partition(",")[0] for reason in grown.reasons}


class CountsCalls(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return x + 1


def test_counter_that_the_compiled_code_itself_changes(tmp_path, options):
    calls = lambda: (({"x": torch.ones(3)}, nothing) for _ in range(4))  # noqa: E731
    (text,) = set(advice_of(CountsCalls(), calls, tmp_path))
    assert text == f"{advice.CHANGES_VALUE}, or set torch._dynamo.config.allow_unspec_int_on_nn_module = True"
    assert text in (tmp_path / "index.md").read_text("utf-8")
    assert compilations(CountsCalls(), calls) == 4
    assert compilations(CountsCalls(), calls, DO.findall(text)) == 2  # 0 and 1 are compiled in


def test_integer_of_a_module_that_the_program_changes(tmp_path, options):
    module = Scaled()

    def calls():
        for number in (2, 3):
            yield {"x": torch.ones(4)}, lambda number=number: setattr(module, "k", number)

    (text,) = advice_of(module, calls, tmp_path)
    assert text == advice.INTEGER_OF_MODULE


def attends(x, position):
    global attended
    attended += 1
    SEEN["last"] = position
    return x + position


attended, SEEN = 0, {}


def test_summary_and_why_show_the_reason_of_most_recompiles(tmp_path, capsys):
    """Without it, the call would match the latest entry; other entries refuse the call for other reasons, too."""
    torch._dynamo.reset()
    compiled = torch.compile(attends, backend="eager")
    with depyf.prepare_debug(tmp_path):
        for position in range(2, 6):
            compiled(torch.ones(2), position)
    text = (tmp_path / "index.md").read_text("utf-8")
    (line,) = [line for line in text.splitlines() if line.startswith("- **Recompiled:**")]
    if hasattr(torch._dynamo.convert_frame, "get_compiled_code_side_effects"):  # else there is no advice on it
        assert "attended: value was 0, now 1" in line
    capsys.readouterr()
    assert app.main(["why", str(tmp_path)]) == 0
    printed = capsys.readouterr().out.splitlines()
    again = {a.partition("]: ")[2].partition(":")[0]: b.strip() for a, b in itertools.pairwise(printed) if "]: " in a}
    assert again["attended"] == "again: [0/2], [0/3]"
    assert not again["position"].startswith("again") and not again["SEEN"].startswith("again")


def test_advice_is_written_once_for_each_recompile(tmp_path):
    torch._dynamo.reset()
    compiled = torch.compile(named, backend="eager")
    with depyf.prepare_debug(tmp_path):
        for name in ("one", "two", "three"):
            compiled(torch.ones(3), name)
    section = (tmp_path / "index.md").read_text("utf-8").partition("## Recompiles")[2].partition("\n## ")[0]
    of_recompiles = section.split("\n- ")[1:]
    assert len(of_recompiles) == 2 and "[0/0]" in of_recompiles[1] and "[0/1]" in of_recompiles[1]
    assert [part.count("what to do") for part in of_recompiles] == [1, 1]


class CountsCallsOfLayers(CountsCalls):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Dropout(0.5)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return super().forward(x)


def test_members_of_modules_have_the_names_of_the_program(tmp_path, options):
    module = CountsCallsOfLayers()
    torch._dynamo.reset()
    compiled = torch.compile(module, backend="eager")
    with depyf.prepare_debug(tmp_path) as session:
        compiled(torch.ones(3))
        module.eval()
        compiled(torch.ones(3))
    (recompile,) = session.run.recompiles
    assert "self.layers[0].training" in [reason.source for reason in recompile.reasons]
    assert not any("__dict__" in reason.source for reason in recompile.reasons)
