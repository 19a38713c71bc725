# SPDX-License-Identifier: MIT
"""Tests that prepare_debug changes no results and writes the documented files, all of which compile."""

from __future__ import annotations

import json
import re
import traceback

import depyf
import dill
import pytest
import torch
from depyf.decompilation.result import Decompiled, MapEntry, Verdict
from depyf.torch.model.record import Entry
from releases import CACHES_POST_GRAD, needs_running_aot_graphs

from tools.judges import torch_says

CACHE_HIT = "cache hit (torch does not log it then)"
BACKENDS = ("eager", "aot_eager", "inductor")
GRAPHS = {
    ("eager", False): {"Captured_Graph"},
    ("eager", True): {"Captured_Graph"},
    ("aot_eager", False): {"Captured_Graph", "Forward_graph"},
    ("aot_eager", True): {"Captured_Graph", "Joint_graph", "Forward_graph", "Backward_graph"},
    ("inductor", False): {"Captured_Graph", "Forward_graph", "AFTER_POST_GRAD", "kernel"},
    ("inductor", True): {
        "Captured_Graph",
        "Joint_graph",
        "Forward_graph",
        "Backward_graph",
        "AFTER_POST_GRAD",
        "kernel",
    },
}


@pytest.mark.parametrize("train", [False, True])
@pytest.mark.parametrize("backend", BACKENDS)
def test_same_results_and_complete_dump(toy, tmp_path, backend, train):
    expected = toy.run(backend, train)
    torch._dynamo.reset()
    session = depyf.prepare_debug(tmp_path)
    with session:
        results = toy.run(backend, train)
    assert all(torch.equal(a, b) for a, b in zip(expected, results, strict=True))
    assert not session.record.problems

    names = {p.name for p in tmp_path.iterdir()}
    for file in tmp_path.glob("*.py"):
        compile(file.read_text("utf-8"), str(file), "exec")
    kinds = {m.group(1) for n in names if (m := re.match(r"__compiled_fn_\d+\.([A-Za-z_]+?)(?:_?\.?\d+)\.py", n))}
    expected_kinds = GRAPHS[backend, train]
    not_produced = json.loads((tmp_path / "index.json").read_text("utf-8"))["not_produced"]
    others = [line for line in not_produced if CACHE_HIT not in line]
    without_gradients = ["Joint_graph, Backward_graph: no call needed gradients"]
    assert others[: -1 if backend != "inductor" else None] == ([] if train or backend == "eager" else without_gradients)
    assert backend == "inductor" or others[-1].endswith(f": torch produced none with the backend {backend}")
    if not CACHES_POST_GRAD and backend == "inductor":  # the previous run filled the cache
        expected_kinds = expected_kinds - {"AFTER_POST_GRAD"}
        absent_kinds = json.loads((tmp_path / "index.json").read_text("utf-8"))["not_produced"]
        assert f"AFTER_POST_GRAD: {CACHE_HIT}: [0/0], [1/0], [2/0]" in absent_kinds
    assert expected_kinds <= kinds
    assert {k for k in kinds - expected_kinds if not k.startswith("AOT_")} <= {"BEFORE_PRE_GRAD"}
    for n in {g.compile_id for g in session.record.graphs}:
        assert expected_kinds <= {g.kind for g in session.record.graphs if g.compile_id == n}
    check_full_code(tmp_path / "full_code_for_toy_example_0.py", toy, train)
    assert "__transformed_code_0_for_toy_example.py" in names
    assert len([n for n in names if n.startswith("__transformed_code_") and "resume_in_toy_example" in n]) == 2
    if backend == "inductor":
        assert any(n.endswith(".cpp") for n in names)
    assert not [n for n in names if n.endswith(".tmp") or "<" in n]


def check_full_code(file, toy, train):
    """Checks that a full-code file of the toy example has torch's entries and behaves as the function does."""
    resumed = [made.__code__ for name, made in vars(toy).items() if name.startswith("__resume_at_")]
    codes = (toy.toy_example.__code__, *resumed)
    torchs_entries = [(code.co_name, str(entry.compile_id)) for code in codes for entry in torch_says.entries_of(code)]
    assert len(torchs_entries) == 3
    text = file.read_text("utf-8")
    assert sorted(re.findall(r"^# (\w+), entry \[(.+?)\] -", text, re.MULTILINE)) == sorted(torchs_entries)
    assert len(re.findall(r"^def guards_\w+\(frame\):\n(?:    .*\n)*?    yield ", text, re.MULTILINE)) == 3
    assert not re.search(r"compiled nothing|runs eagerly|dropped|no entry fits: ", text)

    scope = {"__file__": str(file), "__name__": "full_code"}
    exec(compile(text, str(file), "exec"), scope)
    a = torch.randn(10, requires_grad=train)
    for b in (torch.rand(10), -torch.rand(10)):  # both branches after the graph break
        assert torch.allclose(scope["toy_example"](a, b), toy.toy_example(a, b))
    with pytest.raises(LookupError, match="no entry of toy_example fits"):
        scope["toy_example"](torch.randn(3), torch.rand(3))


def test_index_names_every_file(toy, tmp_path):
    with depyf.prepare_debug(str(tmp_path)):
        toy.run("aot_eager", True)
    index = json.loads((tmp_path / "index.json").read_text("utf-8"))
    assert next(e["name"] for e in index["entries"]) == "toy_example"
    assert len(index["entries"]) == 3 and len(index["graph_breaks"]) == 1
    assert [(e["backend"], e["dropped"]) for e in index["entries"]] == [("aot_eager", False)] * 3
    named = {g["file"] for g in index["graphs"]} | {e["transformed_code"] for e in index["entries"]}
    named |= {e["full_code"] for e in index["entries"] if e["full_code"]}
    assert named == {p.name for p in tmp_path.glob("*.py")}
    text = (tmp_path / "index.md").read_text("utf-8")
    assert all(n in text for n in named)
    assert " · backend aot_eager · " in text.splitlines()[2]
    reason = index["graph_breaks"][0]["reason"]
    assert "toy.py" in text and reason.startswith("Data-dependent ") and reason in text


@pytest.mark.parametrize("backend", ["inductor", "a function", "an object"])
def test_index_names_the_backend(backend, tmp_path):
    class Compiler:
        def __call__(self, gm, inputs):
            return gm.forward

    def compiler(gm, inputs):
        return gm.forward

    names = {"inductor": "inductor", "a function": "compiler", "an object": Compiler.__qualname__}
    compiled = torch.compile(
        lambda x: x + 1, backend={"a function": compiler, "an object": Compiler()}.get(backend, backend)
    )
    with depyf.prepare_debug(tmp_path):
        compiled(torch.ones(3))
    (entry,) = json.loads((tmp_path / "index.json").read_text("utf-8"))["entries"]
    assert entry["backend"] == names[backend]
    assert [e.backend for e in depyf.entries(compiled)] == [names[backend]]


def test_verdict_reason_names_the_line():
    """This includes nested code objects, and offsets whose text has no line or no line with a call."""
    released = "x stays alive, which the original has released"
    reason = f"during the call, {released}"
    text = Decompiled(
        "def f(x):\n    y = g(x)\n    del (y, x)\n",
        verdicts=[Verdict("proved"), *(Verdict("proved", reason, offset, code=1) for offset in (6, 8, 10))],
        source_map=[
            MapEntry(0, 6, 1, 0, 1, 3),
            MapEntry(1, 6, 2, 4, 2, 12),
            MapEntry(1, 6, 3, 4, 3, 14),
            MapEntry(1, 10, 3, 4, 3, 14),
        ],
    )
    entry = Entry("0/0", "f", "toy.py:1")
    entry.set_verification(text)
    assert entry.verdict == "proved"
    calls = ("`y = g(x)`", "a call", "a call")
    assert entry.lifetime_note == "; ".join(f"while {call} runs, {released}" for call in calls)


@pytest.mark.parametrize(
    ("backend", "kinds"),
    [
        ("eager", {"Captured_Graph"}),
        pytest.param("aot_eager", {"Forward_graph"}, marks=needs_running_aot_graphs),
    ],
)
def test_dumped_graph_is_the_text_that_runs(toy, tmp_path, backend, kinds):
    session = depyf.prepare_debug(tmp_path)
    with session:
        toy.run(backend)
    assert all(g.runs for g in session.record.graphs if g.kind in kinds)


def test_dynamos_bytecode_runs_with_lines_of_the_dump(toy, tmp_path):
    original_codes = {}

    def remember(code, new_code):
        original_codes.setdefault("after" if "__transformed_code_" in new_code.co_filename else "before", new_code)

    from depyf.torch.internals import dynamo

    compiled = torch.compile(toy.toy_example, backend="eager")
    with depyf.prepare_debug(tmp_path):
        first = dynamo.register_bytecode_hook(remember, first=True)
        last = dynamo.register_bytecode_hook(remember)
        compiled(torch.ones(10), torch.ones(10))
        first.remove()
        last.remove()
    before, after = original_codes["before"], original_codes["after"]
    assert before.co_code == after.co_code and before.co_consts == after.co_consts
    assert before.co_names == after.co_names and before.co_varnames == after.co_varnames
    text = (tmp_path / "__transformed_code_0_for_toy_example.py").read_text("utf-8").splitlines()
    assert text[after.co_firstlineno - 1].startswith("def toy_example(")
    lines = {line for _, _, line in after.co_lines() if line is not None}
    assert lines <= set(range(1, len(text) + 1)) and len(lines) > 3
    call = next(i for i, line in enumerate(text, 1) if "__compiled_fn_" in line and not line.startswith("#"))
    assert call in lines


def test_function_with_nonlocal_is_nested_in_a_function_that_binds_the_variable(tmp_path):
    """`nonlocal` requires an enclosing function; the lines of the running code must match the text inside it."""

    @torch._dynamo.disable
    def refuse(value):
        raise ValueError("here")

    def program(x):
        shared = x + 1
        torch._dynamo.graph_break()
        shared = shared * 2
        read = lambda: shared  # noqa: E731
        refuse(read())

    with depyf.prepare_debug(tmp_path), pytest.raises(ValueError, match="here") as raised:
        torch.compile(program, backend="eager")(torch.ones(2))
    texts = {p: p.read_text("utf-8") for p in tmp_path.glob("__transformed_code_*_for_torch_dynamo_resume_*.py")}
    rebinding = {path: text for path, text in texts.items() if "nonlocal shared" in text}
    assert rebinding
    for path, text in rebinding.items():
        compile(text, str(path), "exec")
        assert re.search(r"^def with_free_variables_of_torch_dynamo_resume\w*\(refuse, shared\):$", text, re.MULTILINE)
    stood = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(raised.tb)]
    lines = [text.splitlines()[line - 1] for p, text in rebinding.items() for file, line in stood if file == str(p)]
    assert any(re.search(r"refuse|_fn\(|__resume", line) for line in lines), (stood, rebinding)


def test_original_execution_does_not_change_the_code(toy, tmp_path):
    codes = []
    handle = torch._dynamo.convert_frame.register_bytecode_hook(lambda code, new_code: codes.append(new_code))
    with depyf.prepare_debug(tmp_path, execution="original"):
        torch.compile(toy.toy_example, backend="eager")(torch.ones(10), torch.ones(10))
    handle.remove()
    assert codes and not any(str(tmp_path) in c.co_filename for c in codes)


def test_second_run_into_the_same_folder_keeps_the_first(toy, tmp_path):
    with depyf.prepare_debug(tmp_path):
        toy.run("eager")
    before = {p: p.read_bytes() for p in tmp_path.glob("*.py")}
    torch._dynamo.reset()
    with depyf.prepare_debug(tmp_path):
        toy.run("eager")
    assert all(p.read_bytes() == data for p, data in before.items())


def test_log_bytecode(toy, tmp_path):
    with depyf.prepare_debug(tmp_path, log_bytecode=True):
        torch.compile(toy.toy_example, backend="eager")(torch.ones(10), torch.ones(10))
    stem = "__transformed_code_0_for_toy_example"
    original = dill.loads((tmp_path / f"{stem}.original_bytecode").read_bytes())
    transformed = dill.loads((tmp_path / f"{stem}.transformed_bytecode").read_bytes())
    assert original.co_code == toy.toy_example.__code__.co_code
    assert any(n.startswith("__compiled_fn_") for n in transformed.co_names)
    assert (tmp_path / f"{stem}.decompiled_and_compiled_back_bytecode").exists()


@pytest.mark.slow
def test_inductors_files_are_marked_as_forward_or_backward(toy, tmp_path, monkeypatch):
    from torch._inductor.graph import GraphLowering
    from torch._inductor.utils import fresh_inductor_cache

    lowered = []  # torch's own record, in order
    codegen = GraphLowering.codegen
    monkeypatch.setattr(GraphLowering, "codegen", lambda graph: lowered.append(graph.is_backward) or codegen(graph))
    with fresh_inductor_cache(), depyf.prepare_debug(tmp_path) as session:
        toy.run("inductor", train=True)
        torch._dynamo.reset()
        toy.run("inductor", train=False)
    for kind in ("AFTER_POST_GRAD", "kernel"):
        directions = [graph.is_backward for graph in session.run.graphs if graph.kind == kind]
        assert len(directions) == len(lowered) > 6
        assert [bool(backward) for backward in directions] == lowered
        assert None in directions  # for inference
    index = (tmp_path / "index.md").read_text("utf-8")
    assert index.count("forward: Inductor's") == index.count("backward: Inductor's") == sum(lowered)
    assert all(f"| {cell} |" not in index for cell in ("None", "frame "))


@pytest.mark.slow
def test_graphs_are_the_same_with_warm_caches(run_script, tmp_path):
    source = """
import json, os, depyf
from toy import run
session = depyf.prepare_debug(os.environ["DUMP"])
with session:
    run("inductor", True)
print(json.dumps(sorted((g.compile_id, g.kind) for g in session.record.graphs if g.kind != "BEFORE_PRE_GRAD")))
print(json.dumps(session.record.caches))
"""
    cache = str(tmp_path / "cache")
    cold = run_script(source, DUMP="cold", TORCHINDUCTOR_CACHE_DIR=cache)
    warm = run_script(source, DUMP="warm", TORCHINDUCTOR_CACHE_DIR=cache, TORCH_TRACE=str(tmp_path / "trace"))
    assert cold.returncode == 0, cold.stderr
    assert warm.returncode == 0, warm.stderr
    cold_graphs, cold_caches = map(json.loads, cold.stdout.splitlines())
    warm_graphs, warm_caches = map(json.loads, warm.stdout.splitlines())
    index = (tmp_path / "warm" / "index.md").read_text("utf-8")
    (log,) = (tmp_path / "trace").glob("*.log")  # some releases run the first passes before the cache lookup
    assert (f"BEFORE_PRE_GRAD: {CACHE_HIT}" in index) != ('"before_pre_grad_graph"' in log.read_text("utf-8"))
    assert (f"AFTER_POST_GRAD: {CACHE_HIT}" in index) != CACHES_POST_GRAD
    cached_graphs = [graph for graph in cold_graphs if CACHES_POST_GRAD or graph[1] != "AFTER_POST_GRAD"]
    assert cached_graphs == warm_graphs
    assert not any("hit" in name for name in cold_caches)
    # Earlier releases do not cache results of AOTAutograd by default.
    cached = torch._functorch.config.enable_autograd_cache
    assert warm_caches.get("aotautograd_cache_hit" if cached else "fx_graph_cache_hit") == (3 if cached else 6)


def test_frame_with_a_graph_break_before_any_operation(tmp_path):
    """Dynamo evaluates the values it fetched but does not need there, too."""

    @torch.no_grad()
    def decorated(x):
        torch._dynamo.graph_break()
        return x * 2

    with depyf.prepare_debug(tmp_path):
        torch.compile(decorated, backend="eager")(torch.ones(2))
    text = (tmp_path / "__transformed_code_0_for_inner.py").read_text("utf-8")
    code = [line for line in text.splitlines() if not line.startswith("#")]
    assert code == ["def inner(*args, **kwargs):", "    return fn(*args, **{})"]
