# SPDX-License-Identifier: MIT
"""Tests the index: what ran eagerly, which limits were reached, what failed and in which run, compared with torch."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import logging
import re
import runpy
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import depyf
import pytest
import releases
import torch
from depyf.cli.app import main
from depyf.torch import session
from depyf.torch.capture import events, frame_status, torch_prose, trace_decode
from depyf.torch.model import frames
from depyf.torch.model.compile_ids import CompileIds, frame_of
from depyf.torch.model.location import Location
from depyf.torch.model.record import GraphBreak, Record
from depyf.torch.write import index_data, summary
from torch._dynamo.eval_frame import _debug_get_cache_entry_list


def breaks_in_a_loop(x):
    x = x.sin()
    for i in range(2):
        x = x + i
        torch._dynamo.graph_break()
    return x


def goes_on_in_a_loop(x):
    x = x + 1
    torch._dynamo.graph_break()
    for _ in range(2):
        x = x * 2
        torch._dynamo.graph_break()
    return x


def nothing_to_compile(x):
    return x


def many_strings(x, name):
    return x + len(name)


def refused(x):
    return x + 1


@torch.no_grad()
def decorated(x):
    return x * 2


def refuse(graph, inputs):
    raise ValueError("this backend refuses\non purpose")


class Trace(logging.Handler):
    """Collects the records of torch's structured trace while it is active."""

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.breaks, self.metrics = [], []

    def emit(self, record):
        if record.metadata.get("artifact", {}).get("name") == "dynamo_graph_break_reason":
            self.breaks.append(record.payload)
        if "compilation_metrics" in record.metadata:
            self.metrics.append(record.metadata["compilation_metrics"])

    def __enter__(self):
        logging.getLogger("torch.__trace").addHandler(self)
        return self

    def __exit__(self, *error):
        logging.getLogger("torch.__trace").removeHandler(self)


def dump(folder):
    return (folder / "index.md").read_text("utf-8"), json.loads((folder / "index.json").read_text("utf-8"))


def torchs_entries(function):
    return len(_debug_get_cache_entry_list(function.__code__))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Frames of each kind in one run, with torch's records of it."""
    folder = tmp_path_factory.mktemp("dump")
    torch._dynamo.reset()
    x, raised = torch.ones(2), []
    with depyf.prepare_debug(folder), Trace() as trace:
        for function in (breaks_in_a_loop, goes_on_in_a_loop, nothing_to_compile, decorated):
            torch.compile(function, backend="eager")(x)
        limited = torch.compile(many_strings, backend="eager")
        for n in range(torch._dynamo.config.recompile_limit + 2):
            limited(x, "s" * n)
        try:
            torch.compile(refused, backend=refuse)(x)
        except Exception as error:
            raised.append(error)
        with torch._dynamo.config.patch(suppress_errors=True):
            torch.compile(lambda x: x + 3, backend=refuse)(x)
        torchs_entries_of = {f: torchs_entries(f) for f in (breaks_in_a_loop, goes_on_in_a_loop, many_strings, refused)}
    return *dump(folder), trace, raised, torchs_entries_of


def card(data, name):
    (found,) = (f for f in data["frames"] if f["name"] == name)
    return found


def section(text, title):
    return text.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]


@pytest.mark.slow
def test_index_starts_with_a_short_summary(run):
    text, data, *_ = run
    head = text.split("## Frames", 1)[0].splitlines()
    summary_lines = [line for line in head if line and not line.startswith("#")]
    assert len(summary_lines) <= 15 and [f"- {line}" for line in data["summary"]] == summary_lines[1:]
    assert any("**Runs eagerly:** `breaks_in_a_loop` (test_index.py:" in line for line in summary_lines)


def test_frames_skipped_after_a_break_have_torchs_reason(run):
    text, data, trace, _, held = run
    found = card(data, "breaks_in_a_loop")
    assert held[breaks_in_a_loop] == 0 == len(found["entries"]) and found["status"] == "skipped"
    skipping = [t for t in trace.breaks if re.search(r"[Ss]kip", t) and "in breaks_in_a_loop" in t]
    place, _, said = " ".join(found["reason"].split()).partition("). ")
    assert said and re.match(r"graph break at test_index\.py:\d+ \(", place)
    assert (
        any(said in " ".join(t.split()) for t in skipping)
        if releases.TELLS_WHAT_IT_SKIPS
        else (said == events.NOT_RESUMED and not skipping)
    )
    assert "test_index.py:" in found["origin"] and found["location"]["path"] == __file__
    assert re.search(r"^### \d+\. breaks_in_a_loop\n\ntest_index\.py:\d+: \*\*runs eagerly\*\*: ", text, re.MULTILINE)


def test_resume_function_that_runs_eagerly_was_called(run):
    text, data, _, _, held = run
    assert held[goes_on_in_a_loop] == 1 == len(card(data, "goes_on_in_a_loop")["entries"])
    assert "(runs eagerly)" in text and "not reached" not in text
    (resume,) = (f for f in data["frames"] if f["name"].startswith("resume in goes_on_in_a_loop"))
    assert resume["status"] == "skipped" and not resume["entries"]


def ends_in_a_break(x):
    x.add_(1)
    torch._dynamo.graph_break()


def goes_one_way(x, flag):
    torch._dynamo.graph_break()
    if x.sum() > 0:
        x = x + 1
    return x * 2


@pytest.mark.parametrize("program, arguments", [(ends_in_a_break, ()), (goes_one_way, (True,))])
def test_resume_function_is_listed_only_if_python_calls_it(tmp_path, program, arguments):
    called = set()

    def watch(frame, event, _):
        if event == "call":
            called.add(frame.f_code)

    compiled = torch.compile(program, backend="eager")
    with depyf.prepare_debug(tmp_path, report=False):
        compiled(torch.ones(2), *arguments)
        sys.setprofile(watch)
        compiled(torch.ones(2), *arguments)
        sys.setprofile(None)
    text = (tmp_path / "index.md").read_text("utf-8")
    resumes = dict(re.findall(r"`(__resume_at_\w+)` at test_index\.py:\d+ (\([^)]*\)|\[[\d/]+\])", text))
    assert resumes
    for name, said in resumes.items():
        (function,) = (f for n, f in program.__globals__.items() if n.startswith(name))
        runs = [function.__code__, *(entry.code for entry in _debug_get_cache_entry_list(function.__code__))]
        assert any(code in called for code in runs) == (said != "(not called)"), (name, said)


def test_frame_without_operations_runs_eagerly(run):
    _, data, trace, *_ = run
    (measured,) = (m for m in trace.metrics if m["co_name"] == "nothing_to_compile")
    assert measured["guard_count"] is None and measured["fail_type"] is None
    found = card(data, "nothing_to_compile")
    expected = frames.NO_OPERATIONS if releases.TELLS_WHAT_IT_SKIPS else frame_status.NO_REASON
    assert found["status"] == "skipped" and found["reason"] == expected


@pytest.mark.parametrize("name", ["nothing_to_compile", "many_strings"])
def test_status_of_a_frame_has_the_same_text_everywhere(run, tmp_path, capsys, name):
    text, data, *_ = run
    status = depyf.FrameStatus(card(data, name)["status"])
    assert f"**{status.label}**{status.words.removeprefix(status.label)}" in text
    (tmp_path / "index.json").write_text(json.dumps(data), "utf-8")
    main(["why", str(tmp_path)])
    assert f"{name}: {status.words}\n" in capsys.readouterr().out
    place = card(data, name)["location"]
    main(["where", f"{place['path']}:{place['line']}", str(tmp_path)])
    assert f"{name}: {status.words}: " in capsys.readouterr().out


def test_recompile_limit_is_listed_with_its_entries(run):
    text, data, _, _, held = run
    limit = torch._dynamo.config.recompile_limit
    found = card(data, "many_strings")
    assert held[many_strings] == len(found["entries"]) == limit and found["status"] == "recompile limit"
    assert f"**Recompile limit reached:** `many_strings` ({found['origin']}), {limit} entries" in text
    assert "run eagerly" in text.split("Recompile limit reached", 1)[1].splitlines()[0]
    over = next(r for r in data["recompiles"] if r["compile_id"] not in {e["compile_id"] for e in data["entries"]})
    assert over["name"] == "many_strings" and "which resulted in no entry" in section(text, "Recompiles")
    refused = sum(r["name"] == "many_strings" for r in data["recompiles"]) - (held[many_strings] - 1)
    assert refused > 0 and f" recompiles ({refused} without an entry)" in text.splitlines()[2]


def test_failed_compilation_has_the_exceptions_text(run):
    text, data, _, raised, held = run
    assert held[refused] == 0 and len(raised) == 1
    found = card(data, "refused")
    assert found["status"] == "error" and "this backend refuses on purpose" in found["reason"]
    (failure,) = (f for f in data["failures"] if f["name"] == "refused")
    assert failure["kind"] == type(raised[0]).__name__ and failure["text"] in str(raised[0])
    assert "**Failed to compile:** `refused`" in text and "this backend refuses on purpose" in section(
        text, "Failed compilations"
    )
    assert failure["backend"] == refuse.__name__ and refuse.__name__ in text.splitlines()[2]
    (suppressed,) = (f for f in data["frames"] if f["name"] == "<lambda>")
    assert suppressed["status"] == "skipped"


def test_frame_that_is_compiled_later_lists_each_failure(tmp_path):
    def doubled(x):
        return x * 2 if x.sum() > 0 else x

    raised = []
    with depyf.prepare_debug(tmp_path):
        for options in ({"backend": refuse}, {"backend": "eager", "fullgraph": True}):
            with pytest.raises(Exception) as caught:
                torch.compile(doubled, **options)(torch.ones(3))
            raised.append(type(caught.value).__name__)
        torch.compile(doubled, backend="eager")(torch.ones(3))
    text, data = dump(tmp_path)
    (line,) = [line for line in section(text, "Frames").splitlines() if ": compiled; " in line]
    ids = [f["compile_id"] for f in data["failures"]]
    assert len(ids) == len(raised) == 2
    assert all(f"[{compile_id}] failed: {kind}" in line for compile_id, kind in zip(ids, raised, strict=True))


def test_every_frame_has_a_name(run):
    text, data, *_ = run
    names = [f["name"] for f in data["frames"]]
    assert any(name.startswith("decorated, called by PyTorch's ") for name in names)
    assert not {"a frame", "None", "inner", ""} & {*names, *(e["title"] for e in data["entries"])}
    assert "a frame" not in text and "None" not in section(text, "Time") and "of no frame" not in text


def test_graphs_of_a_frame_without_an_entry_are_listed_with_it(run):
    text, data, *_ = run
    found = card(data, "refused")
    graphs = [g["file"] for g in data["graphs"] if g["compile_id"] in found["compile_ids"]]
    part = text.split(". refused\n", 1)[1].split("\n### ", 1)[0]
    assert graphs and all(name in part for name in graphs)


def test_each_file_is_linked_once(run):
    text, data, *_ = run
    links = re.findall(r"\]\((\S+?)\)", text)
    assert sorted(links) == sorted(set(links)) and {g["file"] for g in data["graphs"]} <= set(links)


def test_compilations_with_the_same_id_are_distinguished(tmp_path):
    """Reasons and times of a compilation are logged before its start, and torch reuses the ids after a reset."""

    def sine(x, k):
        return x.sin() + k

    def cosine(x, name):
        return x.cos() + len(name)

    x = torch.ones(2)
    calls = [("sine", sine, (1, 2)), ("cosine", cosine, ("a", "b"))]
    with depyf.prepare_debug(tmp_path), Trace() as trace:
        for _, function, values in calls:
            compiled = torch.compile(function, backend="eager")
            for value in values:
                compiled(x, value)
            torch._dynamo.reset()
    _, data = dump(tmp_path)
    assert [m["compile_id"] for m in trace.metrics] == ["0/0", "0/1", "0/0", "0/1"]
    ids = ["0/0", "0/1", "0/0 after reset 1", "0/1 after reset 1"]
    assert [e["compile_id"] for e in data["entries"]] == ids
    first, second = data["recompiles"]
    assert [(r["compile_id"], r["name"].rpartition(".")[2]) for r in (first, second)] == [
        ("0/1", "sine"),
        ("0/1 after reset 1", "cosine"),
    ]
    assert [r["source"] for r in first["reasons"]] == ["k"] and [r["source"] for r in second["reasons"]] == ["name"]
    assert {r["entry"] for r in second["reasons"]} == {"0/0 after reset 1"}
    listed = [
        p["seconds"] for i in ids for p in data["phases"] if (p["compile_id"], p["name"]) == (i, "entire_frame_compile")
    ]
    assert len(listed) == len(ids)
    for number, measured in enumerate(trace.metrics):
        assert listed[number] == pytest.approx(measured["entire_frame_compile_time_s"], abs=0.05)
    assert all(e["call"]["code"] == "compiled(x, value)" for e in data["entries"])


def test_ids_that_are_used_before_the_compilation_starts():
    ids = CompileIds()
    assert [ids.announce("0/0"), ids.begin("0/0"), ids.end("0/0"), ids.name("0/0")] == ["0/0"] * 4
    assert [ids.announce("0/1"), ids.announce("0/1"), ids.begin("0/1")] == ["0/1"] * 3
    assert ids.announce("0/0") == ids.begin("0/0") == "0/0 after reset 1"
    assert ids.name("0/1") == "0/1"
    assert ids.announce("0/1") == ids.announce("0/1") == ids.end("0/1") == "0/1 after reset 1"  # at the limit: no start
    assert ids.announce("0/1") == "0/1 after reset 2"
    third = "1/0 after reset 2"
    assert ids.begin("1/0") == ids.announce("1/0") == ids.end("1/0") == third  # torch 2.6 starts before the timing
    assert ids.announce("1/0") == "1/0 after reset 3"
    assert frame_of("0/1 after reset 2") == frame_of("0/7 after reset 2") == "0 after reset 2" != frame_of("0/1")


def test_new_entry_that_accepts_other_values(tmp_path):
    def scaled(x, k):
        return x * k

    graphs = []
    compiled = torch.compile(scaled, backend=lambda graph, inputs: graphs.append(graph) or graph.forward)
    x = torch.ones(3)
    with depyf.prepare_debug(tmp_path):
        compiled(x, 2)
        compiled(x, 3)
    text, _ = dump(tmp_path)
    assert "[0/1] is compiled for other values too: `k`" in text
    compiled(x, 17)
    assert len(graphs) == 2


def test_unbacked_symbols_have_the_assertions_of_the_graph(tmp_path):
    asserted = []

    def backend(graph, inputs):
        named = re.compile(r"expression (.+) on node")
        texts = [a for node in graph.graph.nodes if "assert_scalar" in str(node.target) for a in node.args]
        asserted.extend(named.search(text)[1] for text in texts if isinstance(text, str))
        return graph.forward

    def counted(x):
        n = x.sum().item()
        torch._check(n >= 0)
        torch._check(n < 100)
        return torch.zeros(n) + 1

    with torch._dynamo.config.patch(capture_scalar_outputs=True), depyf.prepare_debug(tmp_path):
        torch.compile(counted, backend=backend, fullgraph=True)(torch.tensor([1, 2]))
    text, index = dump(tmp_path)
    (symbol,) = index["symbols"]
    assert (symbol["name"], symbol["source"], symbol["location"]["code"]) == ("u0", "", "n = x.sum().item()")
    (line,) = [line for line in section(text, "Symbolic sizes and numbers").splitlines() if "`u0`" in line]
    assert "unbacked" in line and asserted and all(f"`{text}`" in line for text in asserted)
    assert line.startswith("- [0/0] `u0` = `sum_1.item()`, unbacked, is known at run time only, asserted:"), line


def test_unbacked_symbols_name_the_sizes_that_they_stand_for(tmp_path):
    def rows(x, y):
        return x.nonzero().sum() + y.sum()

    marked = torch.ones(4, 3)
    torch._dynamo.decorators.mark_unbacked(marked, 0)
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True), depyf.prepare_debug(tmp_path):
        torch.compile(rows, backend="eager", fullgraph=True)(torch.ones(3), marked)
    lines = section(dump(tmp_path)[0], "Symbolic sizes and numbers").splitlines()
    symbols = {match[2] for line in lines if (match := re.match(r"- \[0/0\] `(u\d)` = `(.*?)`, unbacked,", line))}
    assert symbols == {"x.nonzero().size()[0]", "y.size()[0]"}, lines


class TwoLineRepr:
    """An object whose repr() contains its address and a second line."""

    def __repr__(self):
        return f"{object.__repr__(self)}\n- and more"


def test_files_contain_no_addresses_and_ids_of_objects(tmp_path, capsys):
    """Only index.json, which programs read, has them; a text of several lines is still one item of the list."""

    def applied(x, function, told):
        return function(x) if told is None else x

    compiled, x = torch.compile(applied, backend="eager"), torch.ones(3)
    told = TwoLineRepr()
    with depyf.prepare_debug(tmp_path):
        compiled(x, torch.sin, None)
        compiled(x, torch.cos, None)
        compiled(x, torch.sin, told)
    text, index = dump(tmp_path)
    identities = re.compile(rf"0x[0-9a-f]{{6,}}|{id(torch.sin)}|{id(told)}")
    assert identities.search(json.dumps(index["recompiles"])) and " at 0x…>" in text
    assert not identities.search(text) and "\n- and more" not in text
    assert main(["why", str(tmp_path)]) == 0  # reads the texts that the report shows
    output = capsys.readouterr().out
    assert " at 0x…>" in output and not identities.search(output)


def test_ranges_of_symbols_agree_with_torch(tmp_path):
    """They are the bounds in torch's shape environment after the program has compared the size."""
    bounds = []

    def backend(graph, inputs):
        ranges = torch._guards.TracingContext.get().fake_mode.shape_env.var_to_range
        bounds.append({str(symbol): (str(r.lower), str(r.upper)) for symbol, r in ranges.items()})
        return graph.forward

    def compared(x):
        if x.shape[0] > 8:
            return x + 1
        return x * 2

    compiled = torch.compile(compared, backend=backend)
    with depyf.prepare_debug(tmp_path):
        for size in (9, 10, 5):
            compiled(torch.ones(size))
    text, index = dump(tmp_path)
    expected = [f"[{low}, {high}]" for found in bounds for low, high in found.values()]
    assert [s["range"] for s in index["symbols"]] == expected
    assert "[2, 8]" in expected and "[9, int_oo]" in expected
    assert "; range: 2 to 8)" in text and "; range: 9 or more)" in text and "int_oo" not in text


def test_limits_of_symbols_as_text(tmp_path):
    """Calls with other values use the entry or compile again, as the text says."""
    linear = torch.nn.Linear(8, 2)

    def scaled(x, n):
        return linear(x) * n

    compiled = torch.compile(scaled, backend="eager", dynamic=True)
    with depyf.prepare_debug(tmp_path):
        compiled(torch.ones(4, 8), 3)
    text, index = dump(tmp_path)
    names = {s["source"]: s["name"] for s in index["symbols"]}
    rows, fixed, any_number = (names[f"L['x'].size()[{n}]"] for n in (0, 1)), index["specializations"], names["L['n']"]
    first, second = rows
    assert [(s["name"], s["value"]) for s in fixed] == [(second, "8")]
    assert f"`{first}` = `x.size()[0]` (4 in this call; range: 2 or more)" in text
    assert f"`{second}` = `x.size()[1]` (8 in this call)" in text
    assert f"`{second}` (x.size()[1]) is fixed to 8 at" in text
    assert f"`{any_number}` = `n` (3 in this call; range: any integer)" in text and "int_oo" not in text
    with torch.compiler.set_stance("fail_on_recompile"):
        compiled(torch.ones(9, 8), -7)
        with pytest.raises(RuntimeError):
            compiled(torch.ones(1, 8), 3)


@dataclasses.dataclass
class Answer:
    logits: torch.Tensor
    loss: float = 0.0


def answers(x):
    for _ in range(1):
        torch._dynamo.graph_break()
        found = Answer(x + 1)
    return found.logits


def test_generated_method_of_a_dataclass_is_named_after_its_class(tmp_path):
    """Its code object is called `__create_fn__.<locals>.__init__` and is in a file `<string>`."""
    assert Answer.__init__.__code__.co_filename.startswith("<")
    with depyf.prepare_debug(tmp_path) as session:
        torch.compile(answers, backend="eager")(torch.ones(2))
    assert [frame.name for frame in session.run.frames] == ["answers", Answer.__init__.__qualname__]


def test_code_of_a_graph_module_is_named_after_its_class(tmp_path):
    """FX creates a class GraphModule.__new__.<locals>.GraphModuleImpl for each graph module and renames it."""
    graph = torch.fx.symbolic_trace(torch.nn.Sequential(torch.nn.ReLU()))
    assert type(graph).__name__ != type(graph).__qualname__
    with depyf.prepare_debug(tmp_path) as session:
        torch.compile(graph, backend="eager")(torch.ones(2))
    (frame,) = session.run.frames
    assert frame.name == f"{type(graph).__name__}.forward"


def test_graph_lines_of_the_program_with_pytorchs_transforms(tmp_path):
    """torch.func's own lines push and pop levels; the step of an optimizer has only lines of PyTorch."""
    said = []

    def backend(graph, inputs):
        stacks = (node.stack_trace or "" for node in graph.graph.nodes)
        said.append([(m[1], int(m[2])) for stack in stacks for m in re.finditer(r'File "(.+?)", line (\d+)', stack)])
        return graph.forward

    def gradients(x):
        return torch.func.vmap(torch.func.grad(lambda y: (y * 2).sin()))(x)

    weight = torch.nn.Parameter(torch.ones(2))
    weight.sum().backward()
    optimizer = torch.optim.SGD([weight])
    with depyf.prepare_debug(tmp_path):
        torch.compile(gradients, backend=backend)(torch.ones(3))
        torch.compile(optimizer.step, backend=backend)()
    text, index = dump(tmp_path)
    of_function, *of_steps = [
        {(place["path"], place["line"]) for place in graph["source_lines"]}
        for graph in index["graphs"]
        if graph["kind"] == "Captured_Graph"
    ]
    assert any(path.endswith("vmap.py") for path, _ in said[0])
    assert of_function and {path for path, _ in of_function} == {__file__} and of_function <= set(said[0])
    assert "vmap.py" not in text and of_steps and all(lines and lines <= set(said[-1]) for lines in of_steps[-1:])


@pytest.mark.slow
def test_source_lines_of_a_cached_graph_are_not_those_of_this_run(run_script, tmp_path):
    """Two versions of one program share a cache; the second shows its own lines or none."""
    program = """{blank}
import json, os, time, depyf, torch
def sine(x):
    y = x.sin()
    return (y * 2).sum()
session = depyf.prepare_debug(os.environ["DUMP"])
with session:
    torch.compile(sine)(torch.ones(8, requires_grad=True)).backward()
    until, told = time.monotonic() + 20, []
    while os.environ["DUMP"] == "warm" and not any(told) and time.monotonic() < until:  # the index as a kill leaves it
        time.sleep(0.05)
        with open("warm/index.json") as file:
            told = [g["is_cached"] for g in json.load(file)["graphs"]]
    print("marked while running:", any(told))
print([e.outcome.value for e in session.record.cache_events])
"""
    cache = str(tmp_path / "cache")
    for dumped, blank in (("cold", ""), ("warm", "\n" * 40)):
        done = run_script(program.format(blank=blank), DUMP=dumped, TORCHINDUCTOR_CACHE_DIR=cache)
        assert done.returncode == 0, done.stderr
    assert "'hit'" in done.stdout and "marked while running: True" in done.stdout
    text, data = dump(tmp_path / "warm")
    lines = {place["line"] for g in data["graphs"] for place in g["source_lines"]}
    assert lines == {44, 45}
    cached = [g for g in data["graphs"] if g["is_cached"]]
    assert {"AFTER_POST_GRAD"} <= {g["kind"] for g in cached} and not any(g["kind"] == "Captured_Graph" for g in cached)
    for graph in cached:
        if "# File: " in (shown := (tmp_path / "warm" / graph["file"]).read_text("utf-8")):
            assert "From one of torch's caches" in shown.splitlines()[0]
        compile(shown, graph["file"], "exec")
    assert "from one of torch's caches" in text
    _, before = dump(tmp_path / "cold")
    assert not any(g["is_cached"] for g in before["graphs"])


def tell(heard, compile_id, metadata, payload):
    heard.on_event(compile_id, trace_decode.decode(metadata, payload))


def test_summary_is_short_for_any_run():
    record = Record()
    for n in range(50):
        metadata = {"co_name": f"f{n}", "co_filename": f"/x/{n}/m.py", "co_firstlineno": n + 1, "is_forward": True}
        skipped = f"{n}/0"
        record.starts[skipped] = Location(f"/x/{n}/m.py", n + 1, f"f{n}")
        received = events.Events(record)
        reason = (
            f"Graph break in user code at /x/{n}/m.py:{n + 2}\nReason: no{n}\nSkipping the function and falling back"
        )
        tell(received, skipped, {"artifact": {"name": "dynamo_graph_break_reason"}}, reason)
        tell(
            received,
            skipped,
            {"compilation_metrics": metadata | {"fail_type": "Unsupported", "fail_reason": f"no{n}"}},
            None,
        )
        tell(received, f"{n + 100}/0", {"compilation_metrics": {"fail_type": "ValueError", "fail_reason": "x"}}, None)
        tell(received, f"{n}/1", {"artifact": {"name": "recompile_reasons"}}, f"{n}/0: k == {n}")
    found = summary.summary(record, frames.frames_of(record), record.paths)
    assert 5 < len(found) <= summary.LINES
    assert any("and 48 more: see Frames" in line for line in found)


def test_summary_of_a_small_run_omits_nothing(tmp_path):
    def breaks_three_times(x):
        for_each = x + 1
        torch._dynamo.graph_break()
        for_each = for_each * 2
        torch._dynamo.graph_break()
        for_each = for_each * 3
        torch._dynamo.graph_break()
        return for_each * 4

    torch._dynamo.reset()
    with depyf.prepare_debug(tmp_path) as session:
        torch.compile(breaks_three_times, backend="eager")(torch.ones(2))
    assert sum(line.startswith("**Graph break**") for line in session.run.summary) == 3
    assert not any("more: see" in line for line in session.run.summary)


def test_reasons_of_skipped_frames_are_parsed_from_torchs_texts():
    earlier = "Graph break in user code at /m.py:20\nReason: Unsupported: print\nUser code traceback:\n"
    assert torch_prose.graph_break("0/0", earlier).skips == {}
    text = (
        "Graph break: torch.compile cannot properly resume from this graph break, which results in a skip.\n"
        "torch.compile will skip tracing the frame f (/m.py line 1) and fall back to eager.\n"
    )
    (reason,) = torch_prose.graph_break("3/0", text).skips.values()
    assert reason.startswith("Graph break: torch.compile cannot properly resume")
    assert isinstance(torch_prose.graph_break("3/0", text), GraphBreak)


def test_dump_of_a_trace_lists_what_runs_eagerly(run, tmp_path):
    """The result is the same as in the process that was compiled."""
    _, _, trace, *_ = run
    record = Record()
    received = events.Events(record)
    text = next(t for t in trace.breaks if "in breaks_in_a_loop" in t)
    measured = next(m for m in trace.metrics if m["co_name"] == "breaks_in_a_loop")
    tell(received, "0/0", {"artifact": {"name": "dynamo_graph_break_reason"}}, text)
    tell(received, "0/0", {"compilation_metrics": measured}, None)
    if releases.TELLS_WHAT_IT_SKIPS:  # otherwise the metrics have no failure
        (frame,) = frames.frames_of(record)
        assert frame.status is frames.FrameStatus.SKIPPED and "Skipping" in frame.skip_reason
        assert frame.failures[0].origin.path == __file__
    with contextlib.suppress(StopIteration):
        limit = next(m for m in trace.metrics if "limit exceeded" in str(m.get("fail_reason")))
        tell(received, "7/8", {"compilation_metrics": limit}, None)
        frame = frames.frames_of(record)[-1]
        assert frame.status is frames.FrameStatus.RECOMPILE_LIMIT
        assert f"recompile_limit = {torch._dynamo.config.recompile_limit})" in frame.reason


def test_demo_fails_if_the_dump_is_wrong(tmp_path):
    """The demo compares with torch's caches; an index with one more entry, or a full code with one less, fails."""
    path = Path(__file__).resolve().parents[2] / "tools" / "demo.py"
    demo = SimpleNamespace(**runpy.run_path(str(path)))
    toy = demo.load_toy()
    with depyf.prepare_debug(tmp_path):
        toy.run("eager", train=True)
    _, data = dump(tmp_path)
    assert demo.wrong_entries(toy, tmp_path, data) == []
    assert sum(demo.entries_in_torch(toy).values()) == len(data["entries"]) == 3
    assert demo.wrong_entries(toy, tmp_path, {**data, "entries": data["entries"][1:]})
    skipped = [{**data["frames"][0], "status": "skipped"}]
    assert demo.wrong_entries(toy, tmp_path, {**data, "frames": skipped}) == [
        "the index says that toy_example is not compiled"
    ]
    full = tmp_path / data["entries"][0]["full_code"]
    full.write_text(full.read_text().replace("def guards_0_0", "def guardless_0_0"))
    assert demo.wrong_entries(toy, tmp_path, data) == [f"{full.name} has guards of 2 entries; torch holds 3"]


def test_demo_keeps_other_files_in_its_folder(tmp_path):
    (tmp_path / "kept" / "below").mkdir(parents=True)
    other_files = {"notes.py": "no Python (", "kept/below/data": "of the program"}
    for name, text in other_files.items():
        (tmp_path / name).write_text(text)
    path = Path(__file__).resolve().parents[2] / "tools" / "demo.py"
    for _ in range(2):  # the second run replaces the files of the first one
        done = subprocess.run(
            [sys.executable, str(path), "--backend", "eager", "--out", str(tmp_path)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        assert {name: (tmp_path / name).read_text() for name in other_files} == other_files
        assert "notes.py" not in done.stdout and "index.md" in done.stdout
        assert len(list(tmp_path.glob("__transformed_code_*"))) == 3


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(3, 3)

    def forward(self, x):
        return self.linear(x).relu()


@pytest.mark.skipif(not torch.distributed.is_available(), reason="this torch has no torch.distributed")
def test_backend_under_ddp_is_that_of_the_program(tmp_path):
    """Dynamo's optimizer of DistributedDataParallel wraps the backend, and compiles parts of the graph with it."""
    torch.compiler.reset()
    torch.distributed.init_process_group("gloo", store=torch.distributed.HashStore(), rank=0, world_size=1)
    called = []

    def own(gm, inputs):
        called.append(gm)
        return gm.forward

    try:
        model = torch.nn.parallel.DistributedDataParallel(Layer())
        with depyf.prepare_debug(tmp_path) as session:
            model.module.compile(backend=own)
            model(torch.ones(2, 3))
    finally:
        torch.distributed.destroy_process_group()
    assert called and {entry.backend for entry in session.run.entries} == {own.__name__}


def test_index_of_a_block_in_which_everything_was_compiled_before(tmp_path, capsys):
    torch._dynamo.reset()
    compiled = torch.compile(lambda x: x.sin(), backend="eager")
    compiled(torch.ones(2))
    for folder, is_reset in ((tmp_path / "late", False), (tmp_path / "reset", True)):
        if is_reset:
            torch._dynamo.reset()
        with depyf.prepare_debug(folder):
            torch._dynamo.utils.counters.clear()
            compiled(torch.ones(2))
        graphs = torch._dynamo.utils.counters["stats"]["unique_graphs"]
        assert graphs == is_reset  # torch's own count
        assert main(["why", str(folder)]) == 0
        texts = (folder / "index.md").read_text("utf-8"), capsys.readouterr().out
        assert all(("othing was compiled" in text and "torch.compiler.reset()" in text) != is_reset for text in texts)


@pytest.mark.parametrize("fails", [False, True], ids=["written", "failed"])
def test_facts_are_frozen_once_when_a_block_ends(fails, tmp_path, monkeypatch):
    """For the page and the index; if the page cannot be written, the index lists that, too."""
    frozen, as_run = [], index_data.as_run

    def counted(*args):
        frozen.append(args)
        return as_run(*args)

    with depyf.prepare_debug(tmp_path) as opened:
        torch.compile(lambda x: x + 1, backend="eager")(torch.ones(2))
        opened._running_index.close()  # it freezes the facts in another thread
        monkeypatch.setattr(index_data, "as_run", counted)
        if fails:
            monkeypatch.setattr(session, "report_html", lambda *args: 1 / 0)
    index = json.loads((tmp_path / "index.json").read_text("utf-8"))
    assert len(frozen) == 1 + fails and (tmp_path / "report.html").exists() != fails
    assert [p["what"] for p in index["problems"]] == ["report.html"] * fails and index["run"]["complete"]
