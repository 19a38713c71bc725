# SPDX-License-Identifier: MIT
"""Tests that depyf raises nothing into the program, restores everything, and keeps none of its objects alive."""

from __future__ import annotations

import collections
import concurrent.futures
import contextlib
import gc
import logging
import os
import random
import subprocess
import sys
import threading
import typing
import weakref

import depyf
import pytest
import torch


def state_of_torch():
    from torch._inductor.codecache import PyCodeCache

    formatter = torch._dynamo.utils.lazy_format_graph_code
    return (
        type(logging.getLogger("torch.__trace").handlers),
        list(logging.getLogger("torch.__trace").handlers),
        dict(torch._dynamo.convert_frame._bytecode_hooks),
        vars(torch.fx.GraphModule)["recompile"],
        vars(PyCodeCache)["load_by_key_path"],
        formatter.__code__,
        formatter.__defaults__,
        torch._dynamo.eval_frame._stance,
    )


def compiled_sin():
    return torch.compile(lambda x: torch.sin(x) + 1, backend="eager")


def test_everything_is_restored(toy, tmp_path):
    logging.getLogger("torch.__trace").debug("", extra={"metadata": {}, "payload": None})  # removes torch's own handler
    before = state_of_torch()
    with depyf.prepare_debug(tmp_path):
        assert state_of_torch() != before
        toy.run("eager")
    assert state_of_torch() == before


def test_everything_is_restored_after_an_exception(tmp_path):
    before = state_of_torch()
    with pytest.raises(ZeroDivisionError), depyf.prepare_debug(tmp_path):
        compiled_sin()(torch.ones(3))
        raise ZeroDivisionError
    assert state_of_torch() == before
    assert (tmp_path / "index.json").exists()


def test_manual_enter_and_exit(tmp_path):
    before = state_of_torch()
    block = depyf.prepare_debug(tmp_path.as_posix())
    block.__enter__()
    try:
        with pytest.raises(ValueError):
            raise ValueError
        assert torch.equal(compiled_sin()(torch.zeros(3)), torch.ones(3))
    finally:
        block.__exit__(None, None, None)
    assert state_of_torch() == before
    assert list(tmp_path.glob("__transformed_code_*"))


@pytest.mark.parametrize("inner_first", [True, False])
def test_blocks_may_overlap(tmp_path, toy, inner_first):
    before = state_of_torch()
    outer, inner = depyf.prepare_debug(tmp_path / "outer"), depyf.prepare_debug(tmp_path / "inner")
    outer.__enter__()
    inner.__enter__()
    toy.run("eager")
    for block in (inner, outer) if inner_first else (outer, inner):
        assert state_of_torch() != before
        block.__exit__(None, None, None)
    assert state_of_torch() == before
    names = [{p.name for p in (tmp_path / name).iterdir()} for name in ("outer", "inner")]
    assert names[0] == names[1]
    assert not outer.record.problems and not inner.record.problems


def test_block_that_is_active_cannot_be_entered_again(tmp_path):
    block = depyf.prepare_debug(tmp_path)
    with block, pytest.raises(RuntimeError, match="already open"):
        block.__enter__()


def test_name_of_the_folder(tmp_path):
    with depyf.prepare_debug(os.fsencode(tmp_path / "dump")):
        torch.compile(lambda x: x + 1, backend="eager")(torch.ones(3))
    assert len(depyf.Run.load(tmp_path / "dump").entries) == 1
    with pytest.raises(ValueError, match=r"dump_src_dir: wanted a path, found 'a\\x00b'"):
        depyf.prepare_debug("a\0b")
    with pytest.raises(TypeError):
        depyf.prepare_debug(3)


def test_block_that_is_entered_again_starts_empty(tmp_path):
    block = depyf.prepare_debug(tmp_path)
    for source in ("x + 1", "x * 2"):
        scope = {}
        exec(f"def forward(x):\n    return {source}\n", scope)  # another function with the same name and file
        with block:
            compiled = torch.compile(scope["forward"], backend="eager")
            compiled(torch.ones(3))
        assert [entry.compile_id for entry in block.run.entries] == [e.compile_id for e in depyf.entries(compiled)]
        assert len(block.run.frames) == 1


def test_decorated_function_may_be_recursive_and_run_in_threads(tmp_path):
    both = threading.Barrier(2)

    @depyf.prepare_debug(tmp_path)
    def factorial(n, wait=None):
        if wait is not None:
            wait.wait()
        return n * factorial(n - 1) if n else 1

    assert factorial(3) == 6
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        assert list(pool.map(factorial, (4, 5), (both, both))) == [24, 120]


def test_failing_decompiler_does_not_change_results(toy, tmp_path, monkeypatch):
    def fail(code, **_):
        raise RuntimeError("no luck")

    expected = toy.run("eager")
    torch._dynamo.reset()
    monkeypatch.setattr(depyf.decompilation.api, "decompile", fail)
    with depyf.prepare_debug(tmp_path):
        results = toy.run("eager")
    assert all(torch.equal(a, b) for a, b in zip(expected, results, strict=True))
    text = (tmp_path / "__transformed_code_0_for_toy_example.py").read_text("utf-8")
    assert "no luck" in text and "RETURN_VALUE" in text
    for file in tmp_path.glob("*.py"):
        compile(file.read_text("utf-8"), str(file), "exec")


@pytest.mark.parametrize("seam", ["decoded", "on_event", "write_graph"])
def test_failing_hook_is_recorded_and_reported_once(toy, tmp_path, monkeypatch, caplog, seam):
    from depyf.torch.capture.recorder import Recorder

    def fail(*_):
        raise RuntimeError("broken hook")

    monkeypatch.setattr(Recorder, seam, fail)
    session = depyf.prepare_debug(tmp_path)
    with session, caplog.at_level(logging.WARNING, logger="depyf"):
        results = toy.run("eager")
    assert len(results) == 4
    assert session.record.problems
    assert len([r for r in caplog.records if "structured trace" in r.getMessage()]) == 1


def test_exception_in_the_bytecode_hook_does_not_reach_the_program(tmp_path, monkeypatch):
    from depyf.torch.capture.bytecode import BytecodeHook

    def fail(*_):
        raise RuntimeError("broken hook")

    monkeypatch.setattr(BytecodeHook, "on_code", fail)
    with depyf.prepare_debug(tmp_path):
        assert torch.equal(compiled_sin()(torch.zeros(3)), torch.ones(3))


class RaisesOnClass:
    @property
    def __class__(self):
        raise RuntimeError("asked for the class")


def test_class_attribute_of_an_object_is_not_read(tmp_path):
    from torch.nn.parallel._functions import Broadcast  # Dynamo skips its frame `forward` without reading the object

    def function(x):
        for _ in range(2):
            torch._dynamo.graph_break()
        return x + 1, Broadcast.forward(RaisesOnClass(), [])

    def run():
        return torch.compile(function, backend="eager")(torch.ones(2))[1]

    expected = run()
    torch._dynamo.reset()
    with depyf.prepare_debug(tmp_path, report=False):
        assert run() == expected


def test_keyboard_interrupt_is_propagated(tmp_path, monkeypatch):
    def interrupt(code, **_):
        raise KeyboardInterrupt

    before = state_of_torch()
    monkeypatch.setattr(depyf.decompilation.api, "decompile", interrupt)
    with pytest.raises(KeyboardInterrupt), depyf.prepare_debug(tmp_path):
        compiled_sin()(torch.zeros(3))
    assert state_of_torch() == before


def test_path_that_is_a_file_causes_a_warning(tmp_path, caplog):
    taken = tmp_path / "taken"
    taken.write_text("mine")
    with caplog.at_level(logging.WARNING, logger="depyf"), depyf.prepare_debug(taken):
        assert torch.equal(compiled_sin()(torch.zeros(3)), torch.ones(3))
    assert taken.read_text() == "mine"
    assert any("dump folder" in r.getMessage() for r in caplog.records)


def test_random_state_is_unchanged(toy, tmp_path):
    def states(watch):
        torch._dynamo.reset()
        torch.manual_seed(7)
        random.seed(7)
        if watch:
            with depyf.prepare_debug(tmp_path):
                torch.compile(toy.toy_example, backend="aot_eager")(torch.ones(10), torch.ones(10))
        else:
            torch.compile(toy.toy_example, backend="aot_eager")(torch.ones(10), torch.ones(10))
        return torch.get_rng_state(), random.getstate()

    (a, b), (c, d) = states(False), states(True)
    assert torch.equal(a, c) and b == d


class Listening(torch.overrides.TorchFunctionMode):
    def __init__(self, heard):
        self.heard = heard
        super().__init__()

    def __torch_function__(self, function, types, args=(), kwargs=None):
        self.heard.append(getattr(function, "__name__", str(function)))
        return function(*args, **(kwargs or {}))


class Told(torch.Tensor):
    heard: typing.ClassVar = []

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        cls.heard.append(getattr(function, "__name__", str(function)))
        return super().__torch_function__(function, types, args, kwargs or {})


def scaled(x, k):
    return torch.add(x * k, 1)


@pytest.mark.skipif(not hasattr(torch._C, "DisableTorchFunction"), reason="reads cannot be hidden")
@pytest.mark.parametrize("of", ["mode", "class"])
def test_reading_tensors_does_not_call_function_modes_and_subclasses(tmp_path, of):
    """Evaluating guards and recording inputs reads tensors, which a mode or a subclass could intercept."""

    def heard(watch):
        torch._dynamo.reset()
        listening = Listening([])
        Told.heard.clear()
        compiled = torch.compile(scaled, backend="eager", dynamic=False)
        x = torch.ones(2) if of == "mode" else torch.ones(2).as_subclass(Told)
        with depyf.prepare_debug(tmp_path) if watch else contextlib.nullcontext():
            compiled(x, 2)
            with listening if of == "mode" else contextlib.nullcontext():
                for k in (2, 3, torch.tensor(3), 3.5):
                    compiled(x, k)
                doubled = x.double()
                if watch:
                    assert len(depyf.which_entry(compiled, doubled, 3).failures) == 5
                    assert not any(entry.explain(doubled, 3) for entry in depyf.entries(compiled))
        return listening.heard if of == "mode" else list(Told.heard)

    alone = heard(False)
    assert alone and heard(True) == alone


def test_objects_of_the_program_are_not_kept_alive(tmp_path):
    class Block(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(4, 4)

        def forward(self, x):
            y = self.linear(x)
            print("a graph break")
            return y * 2

    session = depyf.prepare_debug(tmp_path)
    with session:
        block = Block()
        example = torch.ones(2, 4)
        torch.compile(block, backend="eager")(example)
    dead = [weakref.ref(block), weakref.ref(block.linear.weight), weakref.ref(example)]
    del block, example
    torch._dynamo.reset()
    gc.collect()
    assert [r() for r in dead] == [None] * 3
    assert session.record.entries


def test_hooks_do_not_run_on_a_cache_hit(tmp_path, toy):
    compiled = torch.compile(toy.toy_example, backend="eager")
    a, b = torch.ones(10), torch.ones(10)
    with depyf.prepare_debug(tmp_path):
        compiled(a, b)
    ours = []

    def profile(frame, event, _arg):
        if event == "call" and frame.f_globals.get("__name__", "").split(".")[0] == "depyf":
            ours.append(frame.f_code.co_name)

    sys.setprofile(profile)
    try:
        compiled(a, b)
    finally:
        sys.setprofile(None)
    assert ours == []


@pytest.mark.skipif(not hasattr(torch._dynamo.config, "caching_precompile"), reason="this torch stores no packages")
def test_torchs_counters_only_count_the_program(tmp_path):
    def counted(block):
        torch.compiler.reset()
        torch._dynamo.utils.counters.clear()
        with torch._dynamo.config.patch(caching_precompile=True), block:
            compiled_sin()
        return {kind: dict(counts) for kind, counts in torch._dynamo.utils.counters.items()}

    plain = counted(contextlib.nullcontext())
    assert plain["dynamo_cache"] and counted(depyf.prepare_debug(tmp_path)) == plain


def test_torchs_counters_for_a_function_are_unchanged(tmp_path):
    def counted(block):
        torch.compiler.reset()
        torch._dynamo.utils.counters.clear()
        with block:
            compiled_sin()(torch.ones(3))
        return {kind: dict(counts) for kind, counts in torch._dynamo.utils.counters.items()}

    counted(contextlib.nullcontext())
    plain = counted(contextlib.nullcontext())
    assert plain and counted(depyf.prepare_debug(tmp_path)) == plain


_WARNS = """
import contextlib, warnings
import depyf, torch
from torch._dynamo.utils import counters

warnings.simplefilter("always")

def warns(x):
    warnings.warn("careful")
    return x + 1

with {block}:
    torch.compile(warns, backend="eager")(torch.ones(2))
print(sorted(counters["frames"].items()))
"""


def test_torch_does_not_compile_depyfs_file_reads_if_a_compiled_function_warns(run_script):
    """A displayed warning quotes its line; the file is read in frames that Dynamo could compile."""
    plain = run_script(_WARNS.format(block="contextlib.nullcontext()"))
    watched = run_script(_WARNS.format(block="depyf.prepare_debug('dump')"))
    assert "careful" in plain.stderr and "careful" in watched.stderr
    assert "total" in plain.stdout and watched.stdout == plain.stdout, watched.stderr


_IMPORTS_WITHIN = """
import sys
import depyf, torch

folder, dump = sys.argv[1:]
sys.path.insert(0, folder)

def imports_anew(x, name):
    x = x + 1
    print(end="")  # a graph break: what follows runs while Dynamo is on
    return x * imported(name)

def imported(name):
    return __import__(name).NUMBER

def counted(name):
    with open(f"{folder}/{name}.py", "w") as file:
        file.write("NUMBER = 1")
    torch.compiler.reset()
    torch._dynamo.utils.counters.clear()
    torch.compile(imports_anew, backend="eager")(torch.ones(3), name)
    return dict(torch._dynamo.utils.counters["frames"])

counted("first")  # what torch does once in a process
plain = counted("alone")
with depyf.prepare_debug(dump):
    assert any(type(finder).__module__.startswith("depyf.") for finder in sys.meta_path), sys.meta_path
    watched = counted("watched")
assert plain["total"] > 2 and watched == plain, (watched, plain)
"""


def test_torch_does_not_compile_depyfs_finder_if_a_compiled_function_imports(tmp_path):
    """depyf puts finders on the meta path for modules of torch that the program has not imported yet."""
    command = [sys.executable, "-c", _IMPORTS_WITHIN, str(tmp_path), str(tmp_path / "dump")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


class _Counting(collections.Counter):
    """Counters that another thread changes whenever they are iterated."""

    def __iter__(self):
        raise RuntimeError("dictionary changed size during iteration")

    keys = items = __iter__


def test_counters_that_cannot_be_read_do_not_end_a_compilation(tmp_path, monkeypatch):
    monkeypatch.setattr("depyf.torch.internals.names._missing", {})  # missing names are recorded for the process
    monkeypatch.setitem(torch._dynamo.utils.counters, "unimplemented", collections.Counter())
    with depyf.prepare_debug(tmp_path) as session:
        monkeypatch.setitem(torch._dynamo.utils.counters, "unimplemented", _Counting())
        assert torch.equal(compiled_sin()(torch.ones(3)), torch.sin(torch.ones(3)) + 1)
    assert [entry.name for entry in session.run.entries] == ["<lambda>"]
    assert any("changed size" in problem.error for problem in session.run.problems)


_BACKWARD_WITHIN = """
import contextlib, sys
import depyf, torch

layer = torch.nn.Linear(4, 4)

def step(x):
    loss = layer(x).pow(2).mean()
    loss.backward()  # a graph break: AOTAutograd compiles the backward graph while Dynamo is on
    return loss.detach()

def counted(block, resets_within=False):
    with block if resets_within else contextlib.nullcontext():
        torch.compiler.reset()
        torch._dynamo.utils.counters.clear()
        with contextlib.nullcontext() if resets_within else block:
            torch.compile(step, backend="aot_eager")(torch.ones(3, 4))
    return {kind: dict(counts) for kind, counts in torch._dynamo.utils.counters.items()}

counted(contextlib.nullcontext())  # what torch does once in a process
plain = counted(contextlib.nullcontext())
assert plain["frames"]["total"] > 2, plain
watched = counted(depyf.prepare_debug(sys.argv[1]), sys.argv[2] == "True")
assert watched == plain, (watched, plain)
assert counted(contextlib.nullcontext()) == plain
"""


@pytest.mark.parametrize("resets_within", [False, True])
def test_torch_compiles_nothing_else_if_a_backward_pass_runs_in_a_compiled_function(resets_within, tmp_path):
    """Runs in its own process, as pytest's log handlers receive the trace too, and Dynamo would compile them."""
    command = [sys.executable, "-c", _BACKWARD_WITHIN, str(tmp_path), str(resets_within)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
