# SPDX-License-Identifier: MIT
"""Tests that compilations before and after a reset, when Dynamo counts frames from zero again, are distinguished."""

from __future__ import annotations

import gc
import json
import re
import weakref

import depyf
import pytest
import torch
from depyf.cli.app import main
from depyf.torch.model.compile_ids import CompileIds
from releases import LIMIT


def sine(x):
    return x.sin() + 1


def cosine(x):
    return x.cos() * 2, x + 3


def two_compilations(folder):
    """Compiles two functions, the second of which has the first one's id after a reset."""
    with depyf.prepare_debug(folder):
        torch.compile(sine, backend="eager")(torch.ones(2))
        torch._dynamo.reset()
        given = torch.compile(cosine, backend="eager")(torch.ones(3))
    return given


def test_names():
    ids = CompileIds()
    assert [ids.begin("0/0"), ids.begin("1/0"), ids.name("0/0"), ids.name("7/0")] == ["0/0", "1/0", "0/0", "7/0"]
    assert ids.begin("0/0") == "0/0 after reset 1"
    assert ids.name("1/0") == "1/0"  # a backward graph of an earlier frame may still be compiled
    assert ids.begin("1/0") == ids.name("1/0") == "1/0 after reset 1"
    assert ids.begin("0/0") == "0/0 after reset 2"


def test_each_graph_belongs_to_its_function(tmp_path):
    two_compilations(tmp_path)
    index = json.loads((tmp_path / "index.json").read_text("utf-8"))
    entries = {entry["name"]: entry for entry in index["entries"]}
    assert entries["sine"]["compile_id"] == "0/0"
    assert entries["cosine"]["compile_id"] == "0/0 after reset 1"
    (of_sine,), (of_cosine,) = entries["sine"]["graphs"], entries["cosine"]["graphs"]
    assert "cos" not in (tmp_path / of_sine).read_text("utf-8").replace("cosine", "")
    assert "torch.cos" in (tmp_path / of_cosine).read_text("utf-8") or ".cos()" in (tmp_path / of_cosine).read_text()
    assert entries["sine"]["call"] != entries["cosine"]["call"]
    assert entries["sine"]["dropped"] and not entries["cosine"]["dropped"]
    assert f"# {of_cosine}: " in (tmp_path / "__transformed_code_0_for_cosine.py").read_text("utf-8")


def test_each_kernel_belongs_to_its_function(tmp_path):
    """This includes kernels that Inductor only loads from its cache."""
    with depyf.prepare_debug(tmp_path):
        torch.compile(sine, backend="inductor")(torch.ones(2))
        torch._dynamo.reset()
        torch.compile(cosine, backend="inductor")(torch.ones(3))
    index = json.loads((tmp_path / "index.json").read_text("utf-8"))
    for name, function in (("sine", "sin"), ("cosine", "cos")):
        (entry,) = (e for e in index["entries"] if e["name"] == name)
        (kernel,) = (graph for graph in entry["graphs"] if ".kernel_" in graph)
        assert re.search(rf"\b{function}\(", (tmp_path / kernel).read_text("utf-8"))
        (graph,) = (g for g in index["graphs"] if g["file"] == kernel)
        assert graph["compile_id"] == entry["compile_id"]
    assert len(list(tmp_path.glob("*.kernel_*.py"))) == 2


def test_full_code_calls_the_right_graph(tmp_path):
    results = two_compilations(tmp_path)
    scope = {"__file__": str(tmp_path / "full_code_for_cosine_0.py"), "__name__": "full_code"}
    text = (tmp_path / "full_code_for_cosine_0.py").read_text("utf-8")
    exec(compile(text, scope["__file__"], "exec"), scope)
    for result, expected in zip(scope["cosine"](torch.ones(3)), results, strict=True):
        assert torch.equal(result, expected)


def test_one_function_before_and_after(tmp_path):
    with depyf.prepare_debug(tmp_path):
        for size in (2, 3):
            torch.compile(sine, backend="eager", dynamic=False)(torch.ones(size))
            torch._dynamo.reset()
        compiled = torch.compile(sine, backend="eager", dynamic=False)
        compiled(torch.ones(4))
        assert depyf.which_entry(compiled, torch.ones(4)).hit
        assert not depyf.which_entry(compiled, torch.ones(3)).hit
    text = (tmp_path / "full_code_for_sine_0.py").read_text("utf-8")
    names = [line.split("(")[0] for line in text.splitlines() if line.startswith("def guards_")]
    assert names == ["def guards_0_0_after_reset_2", "def guards_0_0_after_reset_1", "def guards_0_0"]
    marked = [line.split(" -")[0] for line in text.splitlines() if line.startswith("# sine, entry [")]
    entries = ["[0/0 after reset 2]", "[0/0 after reset 1], dropped", "[0/0], dropped"]
    assert marked == [f"# sine, entry {entry}" for entry in entries]
    assert 'Entries marked "dropped" are dropped by torch' in " ".join(text.split('"""')[1].split())
    (order,) = (line for line in text.splitlines() if "no_entry_fits(frame, " in line)
    assert order.index("after_reset_2") < order.index("after_reset_1") < order.index("guards_0_0)")


def test_entries_that_a_reset_dropped_are_described_in_the_past_tense(tmp_path, capsys):
    def looping(x):
        for _ in range(2):
            torch._dynamo.graph_break()
        return x + 1

    with depyf.prepare_debug(tmp_path):
        for function in (looping, sine):
            torch.compile(function, backend="eager")(torch.ones(2))
        assert "torch has forgotten it" not in (tmp_path / "index.md").read_text("utf-8")
        torch._dynamo.reset()
        torch.compile(sine, backend="eager")(torch.ones(2))
    text = (tmp_path / "index.md").read_text("utf-8")
    (summary,) = (line for line in text.splitlines() if line.startswith("- **Runs eagerly:**"))
    assert "before torch.compiler.reset()" in summary
    (card,) = (line for line in text.splitlines() if ": **runs eagerly**" in line)
    assert card.endswith("before torch.compiler.reset(): torch has forgotten it, and compiles at the next call.")
    assert text.count("torch has forgotten it") == 1  # `sine` was compiled again
    run = depyf.Run.load(tmp_path)
    assert {frame.name: frame.forgotten for frame in run.frames} == {"looping": True, "sine": False}
    assert main(["why", str(tmp_path)]) == 0
    (line,) = (line for line in capsys.readouterr().out.splitlines() if "looping: runs eagerly" in line)
    assert line.endswith("torch has forgotten it since (torch.compiler.reset())")


def test_full_code_says_that_entries_were_dropped():
    compiled = torch.compile(sine, backend="eager")
    compiled(torch.ones(2))
    full = depyf.full_code(compiled)
    assert "dropped" not in full.text
    torch._dynamo.reset()
    decision = full.which(torch.ones(2))
    assert not decision.hit and not decision.runs_eagerly and decision.failures == ()
    assert full.entries == []
    assert "Its entries are dropped by torch" in full.text and ":  # dropped: torch.compile would" in full.text
    with pytest.raises(LookupError):
        full(torch.ones(2))
    with pytest.raises(LookupError):
        full.failures("0/0", torch.ones(2))
    compiled(torch.ones(2))
    assert full.which(torch.ones(2)).hit and "dropped" not in full.text
    assert torch.equal(full(torch.ones(2)), sine(torch.ones(2)))


def breaks_once(x):
    x = x.sin()
    torch._dynamo.graph_break()
    return x + 1


def test_full_code_of_dropped_entries_does_not_keep_their_code_alive():
    torch._dynamo.reset()
    compiled = torch.compile(breaks_once, backend="eager")
    compiled(torch.ones(3))
    full = depyf.full_code(compiled)
    assert torch.equal(full(torch.ones(3)), torch.ones(3).sin() + 1)
    resume = next(value for name, value in globals().items() if name.startswith("__resume_at_"))
    (entry,) = torch._dynamo.eval_frame._debug_get_cache_entry_list(resume)
    code = weakref.ref(entry.code)
    del entry
    torch._dynamo.reset()
    assert "dropped" in full.text
    gc.collect()
    assert code() is None
    with pytest.raises(LookupError):
        full(torch.ones(3))


@pytest.mark.parametrize("is_recorded", [False, True])
def test_dropped_entries_explain_nothing(is_recorded, tmp_path):
    function = torch.compile(lambda x: x + 1, backend="eager")
    with depyf.prepare_debug(tmp_path) as session:
        function(torch.ones(2))
    (entry,) = session.record.entries if is_recorded else depyf.entries(function)
    assert entry.explain(torch.ones(2))
    torch.compiler.reset()
    with pytest.raises(depyf.NotCompiled, match=r"torch has dropped entry \[0/0\]"):
        entry.explain(torch.ones(2))


def test_knowledge_of_a_closed_session_ends_with_a_reset(tmp_path):
    def factor(k):
        @torch.no_grad()
        def scaled(x):
            return x * k

        return scaled

    x = torch.ones(2, requires_grad=True)
    with depyf.prepare_debug(tmp_path):
        torch.compile(factor(2), backend="eager")(x)
    torch._dynamo.reset()
    compiled = torch.compile(factor(3), backend="eager")
    compiled(x)
    assert depyf.which_entry(compiled, x).hit
    assert torch.equal(depyf.full_code(compiled)(x), compiled(x))


def strung(x, name):
    return x + len(name)


def test_limit_before_a_reset_is_reported_and_entries_since_are_counted(tmp_path, capsys):
    """torch's counter gives the id of the next compilation, and its log of metrics the limit."""
    compiled, x = torch.compile(strung, backend="eager"), torch.ones(3)
    torch._dynamo.utils.clear_compilation_metrics()
    with torch._dynamo.config.patch({LIMIT: 2}), depyf.prepare_debug(tmp_path):
        for i in range(4):
            compiled(x, "s" * i)
        torch._dynamo.reset()
        for i in range(2):
            compiled(x, "t" * i)
    failures = (m.fail_reason for m in torch._dynamo.utils.get_compilation_metrics() if m.fail_type)
    (reached,) = (reason for reason in failures if re.search("limit (exceeded|reached)", reason))
    torch._dynamo.utils.clear_compilation_metrics()
    missed = depyf.which_entry(compiled, x, "what no entry takes")
    compiled(x, "what no entry takes")
    (measured,) = torch._dynamo.utils.get_compilation_metrics()
    assert missed.would_compile == f"{measured.compile_id} after reset 1"
    text = (tmp_path / "index.md").read_text("utf-8")
    (limit,) = re.findall(r"^- \*\*Recompile limit reached:.*$", text, re.MULTILINE)
    assert "at [0/2], recompiled since then" in limit and "Failed to compile" not in text
    assert "`strung` (test_reset.py:" in text and "2 times; the first [0/1]" in text
    assert re.search(rf": compiled; \[0/2\] failed: .*{re.escape(reached.splitlines()[0])}", text)
    assert main(["why", str(tmp_path)]) == 0
    why = capsys.readouterr().out
    assert "strung: recompile limit reached at [0/2], recompiled since then" in why
    assert "strung recompiled as [0/1]: " in why and "strung recompiled as [0/1 after reset 1]: " in why
    assert "strung has no entry from the recompile [0/2]: " in why


def prints(x):
    print("traced nowhere")
    return x + 1


@pytest.mark.parametrize("is_reset", [False, True])
def test_failed_full_graph_is_reported_after_a_reset(is_reset, tmp_path):
    with depyf.prepare_debug(tmp_path) as session:
        with pytest.raises(torch._dynamo.exc.Unsupported):
            torch.compile(prints, backend="eager", fullgraph=True)(torch.ones(2))
        if is_reset:
            torch._dynamo.reset()
    (frame,), (failure,) = session.run.frames, session.run.failures
    assert (frame.status.value, frame.forgotten, failure.effect.value) == ("error", is_reset, "raised")


def test_break_with_a_resume_function_is_not_an_error(tmp_path):
    with depyf.prepare_debug(tmp_path) as session:
        torch.compile(prints, backend="eager")(torch.ones(2))
    assert all(frame.status.value != "error" for frame in session.run.frames)
    assert all(failure.effect is None or failure.effect.value != "raised" for failure in session.run.failures)
