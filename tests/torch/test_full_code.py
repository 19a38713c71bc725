# SPDX-License-Identifier: MIT
"""Tests full_code: it chooses torch's entry and gives equal results, bound to live graphs and run as a script."""

from __future__ import annotations

import ast
import collections
import contextlib
import dataclasses
import gc
import inspect
import logging
import math
import random
import re
import runpy
import sys
from typing import NamedTuple

import depyf
import pytest
import torch
from catalogue import restore
from depyf import FrameStatus
from depyf.torch.internals import names
from depyf.torch.replay import v1
from releases import POPS_NULL_BY_CALLING, RESUMES_BY_NAME
from test_catalogue import CASES, skip_if_unsupported, snapshot

from tools.judges import torch_says
from tools.zoo import measure, plain_models
from tools.zoo.spec import Zoo

SCALE = 2
COUNTER = 0


def check_against_torch(full, compiled, args=(), kwargs=None):
    """Checks that depyf lists torch's entries and chooses the one that torch's guards accept; returns it or None."""
    frame = torch_says.called(compiled, args, kwargs)
    chosen = full.which(*args, **(kwargs or {}))
    if full.status.uses_entries:
        assert [e.compile_id for e in full.entries] == frame.ids
        assert (chosen.compile_id if chosen.hit else None) == frame.choice()
    else:  # compared with what torch runs in test_frame_status.py
        assert not chosen.hit and full.entries == []
    return chosen.entry


def outcomes(case, call, check=lambda arguments: None):
    """Returns the results and final arguments of all calls of a program."""
    random.seed(0)
    torch.manual_seed(0)
    outcomes_of_calls = []
    for arguments in case.calls():
        check(arguments)
        try:
            result = call(*arguments)
        except v1.NoEntryFits:
            raise
        except Exception as error:  # an expected outcome
            result = error
        outcomes_of_calls.append((snapshot(result), snapshot(arguments)))
    return outcomes_of_calls


def size_of(full):
    """Returns how many entries the function and its resume functions have."""
    full.refresh()
    return sum(len(f.entries) for f in full._frames)


@pytest.fixture
def nothing_collected(monkeypatch):
    """Keeps classes of earlier calls alive: torch drops entries whose guards refer to a class that is collected.

    A class is in a reference cycle, so only the garbage collector frees it; torch runs it after each compilation.
    """
    monkeypatch.setattr(gc, "collect", lambda *generation: 0)
    enabled = gc.isenabled()
    gc.disable()
    yield
    if enabled:
        gc.enable()


@pytest.mark.usefixtures("nothing_collected")
@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_catalogue(case):
    skip_if_unsupported(case)
    compiled = torch.compile(case.program, backend="eager", **case.options)
    outcomes(case, compiled)
    restore()
    full = depyf.full_code(compiled)
    size = size_of(full)
    expected = outcomes(case, compiled)
    effects = snapshot(case.observe())
    restore()
    taken = []

    def same_entry(arguments):
        taken.append(check_against_torch(full, compiled, arguments))

    if size_of(full) > size:  # torch compiled calls again, for example because the body creates a class
        try:
            outcomes(case, full, same_entry)
            assert None not in taken
        except v1.NoEntryFits as error:
            assert "would compile" in str(error)
        assert taken and full.entries
        restore()
        return

    assert outcomes(case, full, same_entry) == expected
    assert snapshot(case.observe()) == effects
    restore()
    compile(full.text, full.path, "exec")
    assert any(taken) != (full.status.status is not FrameStatus.COMPILED)


def small_models():
    """Yields models that need only torch: those of the zoo, and modules of torch.nn."""
    zoo, nn = Zoo(), torch.nn
    plain_models.add_to(zoo)
    layer = {"d_model": 8, "nhead": 2, "dim_feedforward": 16, "batch_first": True}
    own = {
        "LSTM": lambda: (nn.LSTM(4, 8, 2), {"input": torch.randn(5, 2, 4)}),
        "GRU": lambda: (nn.GRU(4, 8, bidirectional=True), {"input": torch.randn(5, 2, 4)}),
        "RNNCell": lambda: (nn.RNNCell(4, 8), {"input": torch.randn(2, 4), "hx": torch.randn(2, 8)}),
        "Attention": lambda: (
            nn.MultiheadAttention(8, 2),
            dict.fromkeys(("query", "key", "value"), torch.ones(3, 2, 8)),
        ),
        "Encoder": lambda: (
            nn.TransformerEncoder(nn.TransformerEncoderLayer(**layer), 2),
            {"src": torch.randn(2, 5, 8)},
        ),
        "Decoder": lambda: (
            nn.TransformerDecoderLayer(**layer),
            {"tgt": torch.randn(2, 5, 8), "memory": torch.ones(2, 3, 8)},
        ),
        "Transformer": lambda: (
            nn.Transformer(8, 2, 1, 1, 16, batch_first=True),
            {"src": torch.randn(2, 5, 8), "tgt": torch.randn(2, 4, 8)},
        ),
        "Bag": lambda: (nn.EmbeddingBag(9, 4), {"input": torch.randint(9, (2, 3))}),
        "Classifier": lambda: (
            nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten()),
            {"input": torch.randn(2, 3, 8, 8)},
        ),
        "Autoencoder": lambda: (
            nn.Sequential(nn.Linear(8, 3), nn.Tanh(), nn.Dropout(0.5), nn.Linear(3, 8), nn.Sigmoid()),
            {"input": torch.randn(4, 8)},
        ),
        "Volume": lambda: (
            nn.Sequential(nn.Conv3d(1, 2, 3), nn.InstanceNorm3d(2), nn.GELU()),
            {"input": torch.randn(1, 1, 5, 5, 5)},
        ),
        "Shuffler": lambda: (
            nn.Sequential(nn.Conv2d(2, 8, 3), nn.PixelShuffle(2), nn.PReLU(), nn.Softmax2d()),
            {"input": torch.randn(1, 2, 5, 5)},
        ),
        "Upsampler": lambda: (
            nn.Sequential(nn.ConvTranspose2d(2, 2, 2), nn.Upsample(scale_factor=2), nn.GroupNorm(2, 2)),
            {"input": torch.randn(1, 2, 4, 4)},
        ),
    }
    return {name: model.build for name, model in zoo.models.items()} | own


MODELS = small_models()


SKIPPED_MODELS = {"LSTM", "GRU"}  # up to torch 2.14, Dynamo skips frames that call torch's recurrent modules


@pytest.mark.slow
@pytest.mark.parametrize("train", [False, True], ids=["inference", "training"])
@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
@pytest.mark.parametrize("name", MODELS)
def test_models(name, backend, train):
    subject = measure.Subject(MODELS[name], train)
    compiled = torch.compile(subject.module, backend=backend)
    with torch_says.EagerReasons() as reasons:
        expected = subject.run(compiled)
    full = depyf.full_code(compiled)
    taken = []

    def call(**inputs):
        taken.append(check_against_torch(full, compiled, (), inputs))
        return full(**inputs)

    subject.run(compiled)  # may compile again, if the first call changed state that guards check
    assert measure.different(subject.run(call), expected, exact=True) is None
    frame = torch_says.called(compiled)
    if frame.ids:
        assert taken and None not in taken and full.calls_handed_to_torch == 0
    else:  # torch agrees
        assert name in SKIPPED_MODELS and reasons.of(frame.code) and full.entries == []


def accumulate(n):
    """Returns a function that changes a variable of its closure."""
    total = torch.zeros(3)
    calls = 0

    def add(x, times=n, *more, twice=False, **named):
        nonlocal total, calls
        calls = calls + 1
        total = total + x * times * SCALE
        torch._dynamo.graph_break()
        for m in (*more, *named.values()):
            total = total + m
        return (total * 2 if twice else total), calls

    return add


def test_closures_share_their_variables_with_the_program():
    plain, compiled_one, full_one = accumulate(3), accumulate(3), accumulate(3)
    compiled = torch.compile(compiled_one, backend="eager")
    calls = [((torch.ones(3),), {}), ((torch.ones(3), 2, torch.ones(3)), {"twice": True, "m": torch.ones(3)})]
    expected = [snapshot(plain(*a, **k)) for a, k in calls * 2]
    assert [snapshot(compiled(*a, **k)) for a, k in calls * 2] == expected
    for call in calls * 2:  # so that there are entries for this closure's state
        torch.compile(full_one, backend="eager")(*call[0], **call[1])
    full_one.__closure__[full_one.__code__.co_freevars.index("calls")].cell_contents = 0
    full_one.__closure__[full_one.__code__.co_freevars.index("total")].cell_contents = torch.zeros(3)
    full = depyf.full_code(full_one)
    assert [snapshot(full(*a, **k)) for a, k in calls * 2] == expected
    assert full_one.__closure__[full_one.__code__.co_freevars.index("calls")].cell_contents == 4


def calls_itself():
    def down(x, n=3):
        if n == 0:
            return x
        torch._dynamo.graph_break()
        return down(x + n, n - 1) * 2

    return down


@pytest.mark.parametrize("wrapped", [False, True])
def test_recursive_function_calls_the_function_of_the_program(wrapped, tmp_path):
    function = calls_itself()
    (cell,) = function.__closure__
    compiled = torch.compile(function, backend="eager")
    if wrapped:
        cell.cell_contents = compiled
    held, expected = cell.cell_contents, calls_itself()(torch.ones(3))
    with depyf.prepare_debug(str(tmp_path)):
        assert torch.equal(compiled(torch.ones(3)), expected)
    assert torch.equal(depyf.full_code(compiled)(torch.ones(3)), expected)
    assert cell.cell_contents is held
    assert torch.equal(compiled(torch.ones(3)), expected)
    (written,) = tmp_path.glob("full_code_for_down_0.py")
    assert "down=replay.ITSELF" in written.read_text()


def optional(x, shift=None, *, factor=None):
    return x if factor is None else x * factor


def returns_as_given(x):
    return x


def test_text_of_a_file_without_entries():
    compiled = torch.compile(returns_as_given, backend="eager")
    compiled(torch.ones(2))
    full = depyf.full_code(compiled)
    docstring = ast.get_docstring(ast.parse(full.text))
    assert not full.entries and "replay.main(" not in full.text
    assert "calls nothing" in docstring and "once for each entry" not in docstring


def test_skipped_frame_keeps_its_default_arguments(tmp_path):
    """torch skips the frame in its first call, as there is nothing to compile."""
    x, marker = torch.ones(2), object()

    def by_object(x, factor=marker):
        return x, factor

    compiled = torch.compile(optional, backend="eager")
    compiled_by_object = torch.compile(by_object, backend="eager")
    with depyf.prepare_debug(tmp_path):
        compiled(x)
        compiled_by_object(x)
    full = depyf.full_code(compiled)
    assert full.status.status is FrameStatus.SKIPPED
    assert torch.equal(full(x), compiled(x)) and torch.equal(full(x, 1, factor=3), compiled(x, 1, factor=3))
    scope = {}
    exec("".join(line for line in full.text.splitlines() if line.startswith("def optional(")) + " pass", scope)
    assert inspect.signature(scope["optional"]) == inspect.signature(optional)
    assert depyf.full_code(compiled_by_object)(x)[1] is marker


@dataclasses.dataclass
class Parameters:
    scale: int
    x: torch.Tensor


def replaced(x):
    parameters = Parameters(2, x)
    torch._dynamo.graph_break()
    return dataclasses.replace(parameters, x=x * 2).x * parameters.scale


def test_guards_on_attributes_of_a_class():
    compiled = torch.compile(replaced, backend="eager")
    expected = compiled(torch.ones(3))
    full = depyf.full_code(compiled)
    assert torch.equal(full(torch.ones(3)), expected)
    (check,) = re.findall(r"dict_is\(type\(L\['parameters'\]\)\.__dataclass_fields__, '(?:dict)?', (\w+)\)", full.text)
    assert check == "None"  # for any length


def count(x):
    global COUNTER
    COUNTER = COUNTER + 1
    torch._dynamo.graph_break()
    return x * COUNTER


def test_globals_are_those_of_the_program():
    global COUNTER
    compiled = torch.compile(count, backend="eager")
    COUNTER = 0
    expected = compiled(torch.ones(2))
    COUNTER = 0
    full = depyf.full_code(count)
    assert torch.equal(full(torch.ones(2)), expected) and COUNTER == 1
    assert any("_depyf" in name for name in globals())
    del full
    gc.collect()
    assert not any("_depyf" in name for name in globals())  # no name is left behind


def sized(x):
    return x.sum() * x.shape[0]


def test_entries_are_in_torchs_order_and_read_again_for_each_question():
    compiled = torch.compile(sized, backend="eager", dynamic=False)
    compiled(torch.ones(2))
    full = depyf.full_code(compiled)
    assert [e.compile_id for e in full.entries] == ["0/0"]
    with pytest.raises(v1.NoEntryFits, match=r"x: size expected \(2,\), found \(3,\)"):
        full(torch.ones(3))
    compiled(torch.ones(3))
    assert torch.equal(full(torch.ones(3)), torch.tensor(9.0))
    compiled(torch.ones(2))
    newest = [str(e.compile_id) for e in torch._dynamo.eval_frame._debug_get_cache_entry_list(sized.__code__)]
    assert [e.compile_id for e in full.entries] == newest and sorted(newest) == ["0/0", "0/1"]
    torch._dynamo.reset()
    with pytest.raises(v1.NoEntryFits):
        full(torch.ones(3))


def test_repr_of_full_code_has_the_number_of_entries():
    compiled = torch.compile(lambda x: x * 2, backend="eager", dynamic=False)
    for size, told in ((2, "1 entry"), (3, "2 entries")):
        compiled(torch.ones(size))
        assert f", {told}, compiled: " in repr(depyf.full_code(compiled))


@pytest.mark.parametrize("watched", [False, True])
def test_invalidated_entry_is_not_listed(watched, tmp_path):
    """When an object of a guard is gone, Dynamo keeps the entry's place, but not its code."""

    def double(x):
        return x * 2

    with depyf.prepare_debug(tmp_path) if watched else contextlib.nullcontext():
        compiled = torch.compile(double, backend="eager")
        compiled(torch.ones(2))
        manager = torch._dynamo.eval_frame._debug_get_cache_entry_list(double.__code__)[0].guard_manager
        deleted_manager = torch._dynamo.guards.DeletedGuardManagerWrapper("as CheckFunctionManager.invalidate does")
        manager.extra_state.invalidate(manager.cache_entry, deleted_manager)
        assert [e.code for e in torch._dynamo.eval_frame._debug_get_cache_entry_list(double.__code__)] == [None]
        assert not depyf.entries(compiled)
        assert not depyf.which_entry(compiled, torch.ones(2)).hit
    if watched:  # the dump still has it
        assert "def guards_0_0(" in (tmp_path / "full_code_for_double_0.py").read_text("utf-8")
    compiled(torch.ones(3))
    assert len(depyf.entries(compiled)) == 1
    assert torch.equal(depyf.full_code(compiled)(torch.ones(3)), torch.full((3,), 2.0))


def test_which_entry_and_explain_give_the_reason():
    compiled = torch.compile(sized, backend="eager")
    compiled(torch.ones(4))
    hit = depyf.which_entry(compiled, torch.zeros(4))
    assert hit.hit and hit.compile_id == "0/0" and str(hit) == "entry [0/0]"
    miss = depyf.which_entry(sized, torch.ones(7))
    assert not miss.hit and miss.would_compile == "0/1"
    assert str(miss).startswith("no entry: would compile [0/1]\n  [0/0]  x: size expected (4,), found (7,)   ")
    (cached,) = torch._dynamo.eval_frame._debug_get_cache_entry_list(sized.__code__)
    assert ("found (7,)   test_full_code.py:" in str(miss)) == ("test_full_code.py:" in str(cached.guard_manager))
    assert "mark_dynamic(x, 0)" in str(miss)
    (entry,) = depyf.entries(compiled)
    assert entry.explain(torch.ones(4)) and entry.explain(torch.ones(4)).failure is None
    assert entry.explain(None).failure.found == "NoneType"


@pytest.mark.parametrize("name", ["fn", "self", "args", "compile_id", "code"])
def test_keyword_arguments_may_have_any_name(name):
    """Arguments are passed as Python does, whatever the names of the program's parameters."""
    namespace = {}
    exec(f"def apply(x, {name}=0): return x + {name}", namespace)
    compiled = torch.compile(namespace["apply"], backend="eager", dynamic=False)
    x, named = torch.ones(2), {name: 3}
    expected = compiled(x, **named)
    assert depyf.which_entry(compiled, x, **named).hit and not depyf.which_entry(compiled, x).hit
    (entry,) = depyf.entries(compiled)
    assert entry.explain(x, **named)
    full = depyf.full_code(compiled)
    assert torch.equal(full(x, **named), expected)
    assert full.which(x, **named).hit and not full.failures("0/0", x, **named)
    torch.compiler.reset()
    steps = depyf.stages(compiled, x, **named)
    assert torch.equal(steps.result, expected)


def test_explain_of_entries_of_a_session(tmp_path):
    session = depyf.prepare_debug(tmp_path)
    with session:
        torch.compile(sized, backend="eager")(torch.ones(4))
    (entry,) = session.record.entries
    assert entry.explain(torch.ones(4)).hit
    assert entry.explain(torch.ones(4).double()).failure.what == "dtype"
    assert depyf.full_code(sized).path == str(tmp_path / "full_code_for_sized_0.py")


def test_entries_of_different_backends_are_distinguished():
    one, two = torch.compile(sized, backend="eager"), torch.compile(sized, backend="aot_eager")
    one(torch.ones(4))
    two(torch.ones(4))
    ids = [[e.compile_id for e in depyf.entries(f)] for f in (one, two, sized)]
    if "CacheEntry.backend" in names.missing():  # then all entries are listed, with a note
        assert len(ids[0]) == 2 and ids[0] == ids[1] == ids[2]
        return
    assert len(ids[0]) == len(ids[1]) == 1 and ids[0] != ids[1] and sorted(ids[2]) == sorted(ids[0] + ids[1])


class Decorated(torch.nn.Module):
    @torch.compile(backend="eager")
    def forward(self, x):
        torch._dynamo.graph_break()
        return x * 2

    @torch.compile(backend="eager")
    def other(self, x):
        torch._dynamo.graph_break()
        return x * 3


class Replaced(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.forward = torch.compile(self.forward, backend="eager")

    def forward(self, x):
        return x * 4


@pytest.mark.parametrize(
    "make",
    [Decorated, lambda: Decorated().forward, lambda: Decorated().other, Replaced, lambda: Replaced().forward],
    ids=["module", "its forward", "its method", "forward replaced", "replaced"],
)
def test_compiled_methods_of_modules(make):
    called = make()
    expected = called(torch.ones(3))
    assert torch.equal(depyf.full_code(called)(torch.ones(3)), expected)
    assert depyf.which_entry(called, torch.ones(3)).entry == depyf.entries(called)[0]


@pytest.mark.parametrize("ask", [depyf.entries, depyf.which_entry, depyf.full_code], ids=lambda ask: ask.__name__)
@pytest.mark.parametrize("given", [3, None, len, torch.nn.Linear], ids=str)
def test_error_of_what_is_no_function_is_a_type_error(ask, given):
    with pytest.raises(TypeError, match="is not a Python function, method or module") as raised:
        ask(given)
    assert isinstance(raised.value, depyf.NotCompiled)


def test_error_of_a_function_that_was_not_compiled():
    def never(x):
        return x

    with pytest.raises(depyf.NotCompiled, match="no compiled entry"):
        depyf.full_code(never)
    with pytest.raises(depyf.NotCompiled):
        depyf.entries(never)
    assert not depyf.which_entry(never, 1).hit


class Scaled(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(3, 3)
        self.calls = 0

    def forward(self, x, *, scale=1):
        y = self.linear(x)
        self.calls += 1
        torch._dynamo.graph_break()
        return torch.relu(y) * scale


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_modules_and_gradients(backend):
    model = Scaled()
    compiled = torch.compile(model, backend=backend)
    x = torch.randn(2, 3)
    compiled(x, scale=2)
    model.calls = 0
    full = depyf.full_code(compiled)
    full(x, scale=2).sum().backward()
    gradient = model.linear.weight.grad.clone()
    assert model.calls == 1
    model.calls, model.linear.weight.grad = 0, None
    compiled(x, scale=2).sum().backward()
    assert torch.equal(gradient, model.linear.weight.grad)


def test_module_of_torch():
    linear = torch.nn.Linear(3, 3)
    compiled = torch.compile(linear, backend="eager")
    x = torch.randn(2, 3)
    expected = compiled(x)
    assert torch.equal(depyf.full_code(compiled)(x), expected)


PROGRAM = """
import sys, torch, depyf
sys.path.insert(0, {folder!r})
import program_parts as parts

session = depyf.prepare_debug("dump")
with session:
    torch.compile(parts.defaults, backend="eager")(torch.ones(3), 2, 5, flag=False, m=torch.ones(3))
    torch.compile(parts.closed, backend="eager")(torch.ones(3))
    torch.compile(parts.method, backend="eager")(torch.ones(3))
    torch.compile(parts.down, backend="eager")(torch.ones(3))
assert not session.record.problems, session.record.problems
"""
PARTS = """
import torch

def defaults(x, n=2, *more, flag=True, **named):
    y = x * n
    torch._dynamo.graph_break()
    for m in (*more, *named.values()):
        y = y + m
    return y if flag else -y

def make():
    scale, shift = 2, torch.ones(3)
    def closed(x):
        y = x * scale
        torch._dynamo.graph_break()
        return y + shift
    return closed

class Thing:
    def method(self, x):
        return x + 1

def make_recursive():
    def down(x, n=2):
        if n == 0:
            return x
        torch._dynamo.graph_break()
        return down(x * 2, n - 1)
    return down

closed, method, down = make(), Thing().method, make_recursive()
"""


def test_called_functions_with_entries_of_their_own():
    ran = []

    def backend(graph, _inputs):
        def run(*args):
            ran.append(len(list(graph.graph.nodes)))
            return graph(*args)

        return run

    def scaled(x):
        return x.sin() * 2

    def broken(x):
        torch._dynamo.graph_break()
        return scaled(x) + 1

    class Holder:
        def __call__(self, x):
            for _ in range(2):  # because of a break in a loop, the whole frame is skipped
                x = broken(x)
            return x

    compiled = torch.compile(Holder().__call__, backend=backend)
    expected = compiled(torch.ones(3))
    assert len(ran) > 1
    full = depyf.full_code(compiled)
    with torch.compiler.set_stance("fail_on_recompile"):
        ran.clear()
        compiled(torch.ones(3))
        as_compiled = list(ran)
        ran.clear()
        assert torch.equal(full(torch.ones(3)), expected)
        assert ran == as_compiled
    with torch.compiler.set_stance("force_eager"):
        ran.clear()
        full(torch.ones(3))
        assert ran == []


WITH_AN_OPERATOR = """
import torch, depyf, operators_of_mine

def f(x):
    y = operators_of_mine.scale(x, 2.0)
    torch._dynamo.graph_break()
    return y + operators_of_mine.SHIFT

with depyf.prepare_debug("dump", report=False):
    torch.compile(f, backend="eager")(torch.ones(3))
"""
OPERATORS = """
import torch
SHIFT = 3
@torch.library.custom_op("of_mine::scale", mutates_args=())
def scale(x: torch.Tensor, k: float) -> torch.Tensor:
    return x * k
@scale.register_fake
def _(x, k):
    return torch.empty_like(x)
"""


WITH_ITS_OWN_OPERATOR = (
    OPERATORS
    + """
import depyf

with depyf.prepare_debug("dump", report=False):
    torch.compile(lambda x: torch.ops.of_mine.scale(x, 2.0), backend="eager")(torch.ones(3))
"""
)


@pytest.mark.slow
def test_script_names_a_missing_operator_of_the_program(run_script):
    made = run_script(WITH_ITS_OWN_OPERATOR)
    assert made.returncode == 0, made.stderr
    done = run_script("import runpy; runpy.run_path('dump/full_code_for__lambda__0.py', run_name='__main__')")
    needed = "[0/0] cannot run here, it needs torch.ops.of_mine.scale, which the program registers\n"
    needed += "in the program, depyf.full_code(compiled_function) runs this on the program's own objects\n"
    assert (done.returncode, done.stdout) == (1, needed), (done.stdout, done.stderr)


@pytest.mark.slow
@pytest.mark.parametrize("found", [True, False])
def test_script_that_needs_a_module_of_the_program(run_script, tmp_path, found):
    """The script names the module if it cannot be imported."""
    (tmp_path / "operators_of_mine.py").write_text(OPERATORS)
    made = run_script(WITH_AN_OPERATOR)
    assert made.returncode == 0, made.stderr
    if not found:
        (tmp_path / "operators_of_mine.py").rename(tmp_path / "moved.py")
    done = run_script("import runpy; runpy.run_path('dump/full_code_for_f_0.py', run_name='__main__')")
    assert "Traceback" not in done.stderr
    if found:
        assert done.returncode == 0 and "[0/0] -> Tensor (3,) float32 on cpu" in done.stdout, done.stdout
    else:
        needed = "[0/0] cannot run here, it needs <missing operators_of_mine: not importable here"
        assert done.returncode == 1 and done.stdout.startswith(needed), done.stdout


WITH_A_CLOSURE = """
import depyf, torch
def f(x):
    kept = {}
    def put(key, value):
        nonlocal x
        x = x + value
        kept[key] = x
        return lambda: kept[key] * 2
    read = put("a", 1)
    torch._dynamo.graph_break()
    return read() + put("b", 2)()
with depyf.prepare_debug("dump"):
    torch.compile(f, backend="eager")(torch.ones(3))
"""


@pytest.mark.slow
def test_script_that_needs_the_code_of_a_closure(run_script):
    """Python's constructor of functions gets a placeholder, so its error message alone would not help."""
    made = run_script(WITH_A_CLOSURE)
    assert made.returncode == 0, made.stderr
    done = run_script("import runpy; runpy.run_path('dump/full_code_for_f_0.py', run_name='__main__')")
    assert done.returncode == 1 and "Traceback" not in done.stdout + done.stderr, (done.stdout, done.stderr)
    assert "[0/0] cannot run here, it needs <missing " in done.stdout and "a live code object>" in done.stdout


@pytest.mark.slow
def test_run_as_a_script(run_script, tmp_path):
    (tmp_path / "program_parts.py").write_text(PARTS)
    made = run_script(PROGRAM.format(folder=str(tmp_path)))
    assert made.returncode == 0, made.stderr
    results = {"defaults": "[0/0] -> Tensor (3,) float32 on cpu", "closed": "-> Tensor (3,) float32"}
    results["down"] = results["closed"]
    for name, said in results.items():
        done = run_script(f"import runpy; runpy.run_path('dump/full_code_for_{name}_0.py', run_name='__main__')")
        if name == "down" and not RESUMES_BY_NAME:  # the last call uses a resume function's entry, which is in no file
            assert done.returncode == 1 and "no entry of down fits" in done.stdout, (done.stdout, done.stderr)
            continue
        assert done.returncode == 0 and said in done.stdout, (name, done.stdout, done.stderr)
    done = run_script("import runpy; runpy.run_path('dump/full_code_for_method_0.py', run_name='__main__')")
    assert (done.returncode, done.stdout) == (0, "[4/0] -> Tensor (3,) float32 on cpu\n"), (done.stdout, done.stderr)


def run_script_of(name, folder, capsys):
    """Runs a function's full-code file in this process; returns what it prints and its exit status."""
    (path,) = folder.glob(f"full_code_for_{name}_*.py")
    capsys.readouterr()
    try:
        runpy.run_path(str(path), run_name="__main__")
        status = 0
    except SystemExit as stopped:
        status = stopped.code
    return capsys.readouterr().out, status


def test_script_calls_each_entry_with_its_own_free_variables(tmp_path, capsys):
    def make(scale, seen):
        def counted(x):
            nonlocal scale
            scale = scale + 1
            seen.append(len(seen))
            return x * scale

        return torch.compile(counted, backend="eager")

    with depyf.prepare_debug(tmp_path, report=False) as session:
        one = make(1, [])
        one(torch.ones(3)), one(torch.ones(3))
        make(torch.ones(3, 3), [])(torch.ones(3))
    assert len(session.run.entries) == 3
    printed, status = run_script_of("counted", tmp_path, capsys)
    assert status == 0 and [line.rpartition("Tensor ")[2] for line in printed.splitlines()] == [
        "(3, 3) float32 on cpu",
        "(3,) float32 on cpu",
        "(3,) float32 on cpu",
    ], printed


def descend(parameter, rate):
    with torch.no_grad():
        return parameter - rate * parameter.grad


def test_script_computes_the_gradients_of_its_call(tmp_path, capsys):
    parameter = torch.nn.Parameter(torch.ones(2, 3))
    (parameter * 2).sum().backward()
    with depyf.prepare_debug(tmp_path):
        torch.compile(descend, backend="eager")(parameter, 0.5)
    printed, status = run_script_of("descend", tmp_path, capsys)
    assert (printed, status) == ("[0/0] -> Tensor (2, 3) float32 on cpu\n", 0)


def refused(x, n):
    if n == 2:
        for _ in range(2):
            torch._dynamo.graph_break()
    return x + n


def test_text_of_a_function_that_runs_eagerly_despite_its_entries(tmp_path):
    compiled = torch.compile(refused, backend="eager")
    with depyf.prepare_debug(tmp_path, report=False):
        compiled(torch.ones(3), 1), compiled(torch.ones(3), 2)
    text = (tmp_path / "full_code_for_refused_0.py").read_text("utf-8")
    assert "Snapshot: no call uses an entry. Below is the original code" in text and "# Status: runs eagerly" in text


def mixed(x):
    return x @ torch.ones(3, 3), torch.arange(3) / 2


@contextlib.contextmanager
def switched(switch, on, off):
    switch(on)
    try:
        yield
    finally:
        switch(off)


STATES = {
    "no_grad": torch.no_grad,
    "inference_mode": torch.inference_mode,
    "autocast": lambda: torch.autocast("cpu", dtype=torch.bfloat16, cache_enabled=False),
    "default dtype": lambda: switched(torch.set_default_dtype, torch.float64, torch.float32),
    "default device": lambda: switched(torch.set_default_device, "cpu", None),
    "device": lambda: torch.device("meta"),
    "deterministic": lambda: switched(torch.use_deterministic_algorithms, True, False),
    "threads": lambda: switched(torch.set_num_threads, torch.get_num_threads() + 1, torch.get_num_threads()),
}


@pytest.mark.parametrize("beside", [False, True], ids=["alone", "beside the defaults"])
@pytest.mark.parametrize("name", STATES)
def test_script_runs_with_the_global_state_of_its_call(name, beside, tmp_path, capsys):
    """This includes entries beside others with torch's default state; the script restores the state."""
    compiled = torch.compile(mixed, backend="eager")
    with depyf.prepare_debug(tmp_path):
        with STATES[name]():
            argument = torch.ones(2, 3, dtype=torch.get_default_dtype())
            dtypes = [str(o.dtype).removeprefix("torch.") for o in compiled(argument)]
        if beside:
            compiled(torch.ones(2, 3))
    before = torch._C._dynamo.guards.GlobalStateGuard()
    printed, status = run_script_of("mixed", tmp_path, capsys)
    assert before.check() and not torch.is_inference_mode_enabled()
    lines = dict(line.split(" -> ") for line in printed.splitlines())
    assert status == 0 and len(lines) == 1 + beside, printed
    (of_state,) = (v for k, v in lines.items() if k.endswith("/0]"))
    assert re.findall(r"\) (\w+) on", of_state) == dtypes


INPUTS = {
    "conj": lambda: torch.ones(2, 3, dtype=torch.complex64).conj(),
    "neg": lambda: torch.ones(2, 3, dtype=torch.complex64).conj().imag,
    "inference": lambda: torch.inference_mode()(torch.ones)(2, 3),
}


def scaled_by_two(x):
    return x * 2


@pytest.mark.parametrize("name", INPUTS)
def test_script_makes_inputs_that_its_entry_accepts(name, tmp_path, capsys):
    compiled = torch.compile(scaled_by_two, backend="eager")
    with depyf.prepare_debug(tmp_path):
        compiled(INPUTS[name]())
    printed, status = run_script_of("scaled_by_two", tmp_path, capsys)
    assert status == 0 and "-> Tensor (2, 3)" in printed, printed


def as_long_as(x, n):
    return x.sum() + torch.zeros(int(n.item()))


NUMBERS = {
    "int64": torch.tensor(7),
    "uint8": torch.tensor(7, dtype=torch.uint8),
    "bool": torch.tensor(True),
    "negative view": torch.tensor(-2j).conj().imag,
    "infinite": torch.tensor(-math.inf),
    "float8": torch.tensor(2.0).to(torch.float8_e4m3fn),
}


@pytest.mark.parametrize("captured", [False, True], ids=["graph break", "captured"])
@pytest.mark.parametrize("name", ["int64", "uint8", "bool"])
def test_script_has_the_number_that_is_a_size_in_its_entry(name, captured, tmp_path, capsys):
    with depyf.prepare_debug(tmp_path), torch._dynamo.config.patch(capture_scalar_outputs=captured):
        compiled = torch.compile(as_long_as, backend="eager")
        size = tuple(compiled(torch.ones(2), NUMBERS[name]).shape)
    printed, status = run_script_of("as_long_as", tmp_path, capsys)
    if POPS_NULL_BY_CALLING and not captured:
        assert status == 1 and "it needs lambda_0: a live function PyCodegen.pop_null" in printed, printed
        return
    assert status == 0 and f"-> Tensor {size} float32 on cpu" in printed, printed


def nested(x, pair, *rest, flag):
    (a, b), last = pair
    return x.conj() * a + b * last["k"][0] + sum(rest) + flag


def test_script_passes_the_same_tensor_where_the_call_did(tmp_path, capsys):
    """The entry may have a guard on that; a tensor that occurs only once has no number."""
    compiled = torch.compile(nested, backend="eager")
    z, k = torch.ones(3, dtype=torch.complex64), torch.ones(3)
    calls = [
        ((z, ((z, z), {"k": [k]}), k), z),
        ((z.conj(), ((z, z.clone()), {"k": [k, k]}), z), z),
        ((z, ((z.conj(), z.clone()), {"k": [k]}), k.clone()), k.clone()),
    ]
    with depyf.prepare_debug(tmp_path) as session:
        for given, flag in calls:
            compiled(*given, flag=flag)
    assert len(session.run.entries) == len(calls)
    assert "same=" not in str(session.run.entries[-1].inputs)
    printed, status = run_script_of("nested", tmp_path, capsys)
    assert status == 0 and printed.count("-> Tensor (3,) complex64") == len(calls), printed


def test_script_makes_views_whose_tensor_entries_guard_on(tmp_path, capsys):
    """With a dynamic size, the entry checks the layout of the tensor of which an argument is a view."""
    compiled = torch.compile(scaled_by_two, backend="eager")
    with depyf.prepare_debug(tmp_path) as session:
        for length in (6, 5):
            compiled(torch.randint(0, 9, (4, length))[:, 1:])
    dynamic = session.run.entries[-1]
    if not any("._base" in guard for guard in dynamic.guards):
        pytest.skip("this torch does not guard on the tensor of which an argument is a view")
    assert "view_of=((4, 5), (5, 1), 1)" in str(dynamic.inputs)
    printed, status = run_script_of("scaled_by_two", tmp_path, capsys)
    assert status == 0 and printed.count("-> Tensor (4, ") == 2, printed


LOG = logging.getLogger("depyf_test.training")


class Halves(NamedTuple):
    first: torch.Tensor
    second: torch.Tensor


def logs_and_splits(x):
    LOG.info("splits")
    return Halves(x[:2] + 1, x[2:])


def test_script_finds_loggers_and_named_tuples(tmp_path, capsys, caplog):
    compiled = torch.compile(logs_and_splits, backend="eager")
    with depyf.prepare_debug(tmp_path):
        compiled(torch.ones(4))
    caplog.clear()
    with caplog.at_level(logging.INFO, LOG.name):
        printed, status = run_script_of("logs_and_splits", tmp_path, capsys)
    assert status == 0, printed
    assert [record.message for record in caplog.records if record.name == LOG.name] == ["splits"]


def test_view_of_a_large_tensor_is_made_alone(tmp_path):
    whole = torch.zeros(1 << 23)
    with depyf.prepare_debug(tmp_path) as session:
        torch.compile(scaled_by_two, backend="eager")(whole[:3])
    assert session.run.entries[0].inputs == {"x": "replay.tensor((3,), (1,), torch.float32, 'cpu')"}


def sets_what_is_default(x):
    torch.set_default_dtype(torch.float64)
    torch.set_grad_enabled(False)
    return x + torch.ones(2)


def test_script_restores_the_state_of_the_process(capsys):
    state = v1.state(num_threads=torch.get_num_threads())
    try:
        v1.main(sets_what_is_default, [("0/0", lambda: ((torch.ones(2),), {}, {}), state)], {})
        after = torch.get_default_dtype(), torch.is_grad_enabled()
    finally:
        torch.set_default_dtype(torch.float32)
        torch.set_grad_enabled(True)
    assert capsys.readouterr().out == "[0/0] -> Tensor (2,) float64 on cpu\n"
    assert after == (torch.float32, True)


TIMES, SEEN, BY_NAME = 0, [1, 2], {"last": [0]}


def counts(x):
    global TIMES
    TIMES += 1
    SEEN.append(TIMES)
    BY_NAME["last"][0] = TIMES
    return x + TIMES + len(SEEN)


def test_each_call_of_a_script_has_the_globals_of_its_entry(tmp_path, capsys, monkeypatch):
    """The entries of later calls come first, and each call changes the globals."""
    for name, value in (("TIMES", 0), ("SEEN", [1, 2]), ("BY_NAME", {"last": [0]})):
        monkeypatch.setitem(globals(), name, value)
    with depyf.prepare_debug(tmp_path), torch._dynamo.config.patch(assume_static_by_default=True):
        for _ in range(3):
            torch.compile(counts, backend="eager", dynamic=False)(torch.ones(2))
    printed, status = run_script_of("counts", tmp_path, capsys)
    assert status == 0 and printed.count("-> Tensor (2,)") == TIMES == 3, printed


def picks(x):
    return x[x > 1] * 2  # the size of the result depends on data: a graph break


def test_script_says_that_its_numbers_are_made_up_if_a_resume_function_has_no_entry(tmp_path, capsys):
    with depyf.prepare_debug(tmp_path), torch._dynamo.config.patch(assume_static_by_default=True):
        torch.compile(picks, backend="eager", dynamic=False)(torch.tensor([1, 2, 3]))
    printed, status = run_script_of("picks", tmp_path, capsys)
    assert status == 1 and "no entry of torch_dynamo_resume_in_picks" in printed, printed
    assert "size expected (2,), found (0,)" in printed and "the inputs contain made-up numbers" in printed, printed


@pytest.mark.parametrize("name", NUMBERS)
def test_script_has_the_recorded_values_of_scalar_tensors(name, tmp_path):
    value = NUMBERS[name]
    with depyf.prepare_debug(tmp_path) as session:
        torch.compile(lambda x: x.to(torch.float32) + 1, backend="eager")(value)
    made = eval(session.run.entries[0].inputs["x"], {"torch": torch, "replay": v1})
    assert (made.shape, made.dtype, made.is_neg()) == (value.shape, value.dtype, value.is_neg())
    if "view" not in name and "8_" not in str(value.dtype):
        assert made.item() == value.item()


MODES = {"grad": torch.enable_grad, "no_grad": torch.no_grad, "inference_mode": torch.inference_mode}


def added(*tensors):
    return sum(tensors)


@pytest.mark.parametrize("made_in", [("grad",), ("inference_mode",), ("grad", "inference_mode")], ids="+".join)
@pytest.mark.parametrize("name", MODES)
def test_script_enters_inference_mode_where_the_call_was_made_in_it(name, made_in, tmp_path, capsys):
    """No guard on global state says so."""
    arguments = [MODES[mode]()(torch.ones)(2, 3) for mode in made_in]
    with depyf.prepare_debug(tmp_path), MODES[name]():
        torch.compile(added, backend="eager")(*arguments)
    (path,) = tmp_path.glob("full_code_for_*.py")
    assert ("inference_mode=True" in path.read_text("utf-8")) == (name == "inference_mode")
    printed, status = run_script_of("added", tmp_path, capsys)
    assert status == 0 and "-> Tensor (2, 3)" in printed, printed


def test_script_calls_the_function_once_per_entry(capsys):
    calls = []

    def function():
        calls.append(torch.is_grad_enabled())
        raise v1.NoEntryFits("none")

    with pytest.raises(SystemExit):
        v1.main(function, [("0/0", lambda: ((), {}, {}), v1.state(grad_mode=False))], {})
    assert calls == [False] and "[0/0] none" in capsys.readouterr().out


def test_file_away_from_its_index_names_what_fails(tmp_path):
    """Such a file knows neither torch's texts nor lines of the program, but its own checks."""
    with depyf.prepare_debug(tmp_path / "dump", report=False):
        compiled = torch.compile(nested, backend="eager", dynamic=False)
        z, k = torch.ones(3, dtype=torch.complex64), torch.ones(3)
        compiled(z, ((z, z), {"k": [k]}), flag=1)
    (path,) = tmp_path.glob("dump/full_code_for_nested_*.py")
    with pytest.raises(v1.NoEntryFits, match=re.escape("mark_dynamic(pair[1]['k'][0], 0) before the first call")):
        runpy.run_path(str(path))["nested"](z, ((z, z), {"k": [torch.ones(4)]}), flag=1)
    moved = path.rename(tmp_path / path.name)
    function = runpy.run_path(str(moved))["nested"]
    with pytest.raises(v1.NoEntryFits, match=re.escape("[0/0]  flag: value expected 1, found 2")):
        function(z, ((z, z), {"k": [k]}), flag=2)
    with pytest.raises(v1.NoEntryFits, match=re.escape("pair[1]['k'][0]: size expected (3,), found (4,)")):
        function(z, ((z, z), {"k": [torch.ones(4)]}), flag=1)


def test_script_says_which_other_entry_accepts_a_call(tmp_path, capsys):
    with depyf.prepare_debug(tmp_path):
        compiled = torch.compile(scaled_by_two, backend="eager")
        compiled(torch.ones(3)), compiled(torch.ones(4))
    assert str(depyf.which_entry(compiled, torch.ones(3))).startswith("entry [0/1]")  # dynamic, and tried first
    printed, status = run_script_of("scaled_by_two", tmp_path, capsys)
    expected = ["[0/1] -> Tensor (4,) float32 on cpu", "[0/0] taken by [0/1] -> Tensor (3,) float32 on cpu"]
    assert (printed.splitlines(), status) == (expected, 0)


def test_script_does_not_set_the_number_of_threads_if_it_is_the_recorded_one(tmp_path, capsys, monkeypatch):
    with depyf.prepare_debug(tmp_path):
        torch.compile(scaled_by_two, backend="eager")(torch.ones(2, 3))
    monkeypatch.setattr(torch, "set_num_threads", pytest.fail)
    assert run_script_of("scaled_by_two", tmp_path, capsys)[1] == 0


def grouped(items):
    groups = collections.defaultdict(list)
    for key, value in items.items():
        groups[key].append(value * 2)
    return groups


def test_script_imports_the_modules_that_its_constants_name(tmp_path, capsys):
    """Dynamo creates the dictionary by `dict.__new__`, with `dict` as a constant."""
    compiled = torch.compile(grouped, backend="eager")
    with depyf.prepare_debug(tmp_path):
        expected = compiled({"a": torch.ones(2)})
    if not isinstance(expected, collections.defaultdict):
        pytest.skip("this torch makes a plain dictionary of it")
    printed, status = run_script_of("grouped", tmp_path, capsys)
    assert status == 0 and "-> defaultdict(" in printed, printed


def test_script_has_free_variables_that_are_modules(tmp_path, capsys):
    layer = torch.nn.Linear(3, 3)

    def projected(x):
        return layer(x)

    with depyf.prepare_debug(tmp_path):
        torch.compile(projected, backend="eager")(torch.ones(2, 3))
        torch.compile(torch.nn.Sequential(layer), backend="eager")(torch.ones(2, 3))
    assert run_script_of("projected", tmp_path, capsys) == ("[0/0] -> Tensor (2, 3) float32 on cpu\n", 0)
    assert run_script_of("inner", tmp_path, capsys) == ("[1/0] -> Tensor (2, 3) float32 on cpu\n", 0)


def test_script_names_a_missing_free_variable(tmp_path, capsys):
    numbers = iter([2])

    def scaled_once(x):
        return x * next(numbers)

    with depyf.prepare_debug(tmp_path):
        torch.compile(scaled_once, backend="eager")(torch.ones(2, 3))
    printed, status = run_script_of("scaled_once", tmp_path, capsys)
    message = "[0/0] cannot run here, it needs <missing numbers: a live list_iterator>\n"
    message += "in the program, depyf.full_code(scaled_once) runs this on the program's own objects\n"
    assert (printed, status) == (message, 1)


COMPREHENSION = """
import contextlib, pathlib, depyf, torch

@contextlib.contextmanager
def scaled(x):
    yield x * 2

def f(x, n):
    for _ in range(1):
        torch._dynamo.graph_break()
    return [g(x) for g in (torch.sin, lambda t: t + n)]

def within(x):
    with scaled(x) as y:
        return y + 1

with depyf.prepare_debug("dump") as session:
    for n in (2, 3):
        torch.compile(f, backend="eager", dynamic=False)(torch.ones(3), n)
        torch.compile(within, backend="eager", dynamic=False)(torch.ones(n))
run = session.run
print([p.error for p in run.problems])
places = [r.location for r in run.recompiles[-1].reasons]
print(*{f"{pathlib.Path(place.path).name}:{place.line} in {place.function}" for place in places})
print([r.source for r in run.recompiles[0].reasons])
"""


def test_comprehension_is_not_listed_as_a_function(run_script):
    """Up to CPython 3.11 it has its own frame, which Dynamo compiles if it skips the enclosing one."""
    run = run_script(COMPREHENSION)
    problems, located, sources = run.stdout.splitlines()
    assert problems == "[]", run.stdout
    log_lines = run_script(
        COMPREHENSION, TORCH_LOGS="guards"
    ).stderr.splitlines()  # some releases log a line of contextlib
    assert any("TENSOR_MATCH: check_tensor(L['x']" in line and line.endswith(f"/{located}") for line in log_lines), (
        located
    )
    if sys.version_info < (3, 12):  # PEP 709
        assert sources == "['___tuple_iterator_getitem(.0, 1).__closure__[0].cell_contents']"


def test_attribute_with_the_name_of_the_file_is_not_a_value_of_the_program(run_script, tmp_path):
    (tmp_path / "kinds.py").write_text(
        "import torch\n\n"
        "def kind(x):\n    y = x + 1\n    torch._dynamo.graph_break()\n    return y + 1, torch.ones.__name__\n"
    )
    made = run_script(
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\nimport depyf, torch, kinds\n"
        "with depyf.prepare_debug('dump'):\n    torch.compile(kinds.kind, backend='eager')(torch.ones(3))\n"
    )
    assert made.returncode == 0, made.stderr
    done = run_script("import runpy; runpy.run_path('dump/full_code_for_kind_0.py', run_name='__main__')")
    assert "[0/0] -> " in done.stdout, (done.stdout, done.stderr)
