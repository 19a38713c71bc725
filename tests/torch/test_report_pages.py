# SPDX-License-Identifier: MIT
"""Tests reports of real runs in a browser: the toy, a model with breaks, recompiles and training, and two ranks."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import depyf
import pytest
import torch
from depyf.cli.app import main
from torch._guards import CompileId

from tests.report import pages
from tools.browser import Browser

TOY = Path(__file__).resolve().parents[2] / "examples" / "toy.py"
MODEL = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(8, 16)
        self.head = nn.Linear(16, 4)
        self.tag = "</script><img src=x onerror=alert(1)>"

    def forward(self, x, scale):
        x = torch.nn.functional.gelu(self.up(x))
        if x.mean() > 0:  # a branch on data: </script><b>bold</b>
            x = x * scale
        print(self.tag if scale > 99 else "", end="")
        return self.head(x)


net = Net()
compiled = torch.compile(net, backend="aot_eager")
for size, scale in ((4, 2), (6, 2), (6, 3)):
    compiled(torch.randn(size, 8), scale).square().mean().backward()
"""
RANKED = """import os
import torch


def work(x):
    if os.environ["RANK"] == "1":
        torch._dynamo.graph_break()
    return x.sin() + 1


torch.compile(work, backend="eager")(torch.ones(3))
"""


def run(folder: Path, program: Path, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    """Starts a program under `depyf run`, which writes the report to FOLDER."""
    command = [sys.executable, "-m", "depyf", "run", "-o", str(folder), str(program), *arguments]
    paths = os.pathsep.join(filter(None, sys.path))
    return subprocess.Popen(
        command, env={**os.environ, "PYTHONPATH": paths, **environment}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def wait_for(started: subprocess.Popen[str]) -> str:
    said, _ = started.communicate(timeout=300)
    assert started.returncode == 0, said
    return said


def dump_program(folder: Path, name: str, source: str) -> tuple[Path, Path, dict[str, Any]]:
    """Runs a program and returns its path, the folder of its dump and the index."""
    program, dump = folder / name, folder / "dump"
    program.write_text(source, "utf-8")
    wait_for(run(dump, program))
    return program, dump, json.loads((dump / "index.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as started:
        yield started


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_toy(browser, toy_dump, theme):
    page = pages.open_report(browser, toy_dump / "report.html", theme)
    pages.check_first_screen(page, TOY)
    assert page.ask("document.documentElement.dataset.theme") == theme
    assert pages.check_views(page)[:4] == ["This line", "Entries", "Breaks", "Recompiles"]
    story = pages.check_story(page)
    assert story[0] == "compiled 3 frames: 3 entries, 3 graphs"  # the function and its two resume functions
    assert "graph break toy.py:11: Data-dependent branching" in story
    assert pages.check_links(page, toy_dump, TOY) > 0
    assert pages.check_timeline(page, toy_dump) >= 4  # forward and backward graphs of a frame and of a resume function
    pages.check_quiet(page)
    page.close()


@pytest.fixture(scope="module")
def toy_dump(tmp_path_factory):
    folder = tmp_path_factory.mktemp("toy") / "dump"
    wait_for(run(folder, TOY, "--train", TORCHINDUCTOR_CACHE_DIR=str(folder.parent / "cache")))
    return folder


def test_keys_move_between_lines(browser, toy_dump):
    page = pages.open_report(browser, toy_dump / "report.html")
    hot = page.ask("[...document.querySelectorAll('#source tr.hot')].map(r => Number(r.dataset.line))")
    chosen = page.ask("Number(document.querySelector('#source tr.chosen').dataset.line)")
    page.ask("document.querySelector('#source').focus()")
    page.press("ArrowDown")
    after = page.ask("Number(document.querySelector('#source tr.chosen').dataset.line)")
    assert after == min(n for n in hot if n > chosen)
    page.press("/")
    assert page.ask("document.activeElement.id") == "search"
    for letter in "randn":
        page.press(letter)
    page.until("document.querySelector('#view h2').textContent.includes('randn')")
    page.click("#view .rows button")
    displayed = page.ask("document.querySelector('#source tr[data-line=\"22\"]').textContent")
    assert "randn" in displayed
    pages.check_quiet(page)
    page.close()


SKIPPED = """
import torch

@torch.compile(backend="eager")
def f(x):
    for _ in range(2):
        torch._dynamo.graph_break()
        x = x + 1
    return x

f(torch.ones(3))
"""


BACKWARD = """import torch

torch._dynamo.config.compiled_autograd = True


@torch.compile(backend="eager")
def train(x, w):
    (x @ w).relu().sum().backward()


train(torch.ones(2, 4), torch.ones(4, 4, requires_grad=True))
"""


@pytest.mark.slow
@pytest.mark.skipif(
    "compiled_autograd_id" not in CompileId.__annotations__,
    reason="this torch does not number the passes of compiled autograd",
)
def test_entry_of_compiled_autograd_links_to_its_graph(browser, tmp_path):
    _, folder, index = dump_program(tmp_path, "backward.py", BACKWARD)
    assert any(graph["compile_id"] == "!0" for graph in index["graphs"])
    page = pages.open_report(browser, folder / "report.html")
    page.click("#views button:nth-child(2)")
    entries = page.ask("document.querySelector('#view').innerText")
    assert "full code · Compiled autograd graph · captured by Dynamo" in entries
    assert "set_node_origin" not in page.ask("document.querySelector('#source').innerText")
    pages.check_quiet(page)
    page.close()


@pytest.mark.slow
def test_exception_that_ended_a_compilation_is_shown_once(browser, tmp_path, capsys):
    _, folder, index = dump_program(tmp_path, "loop.py", SKIPPED)
    assert index["failures"]
    page = pages.open_report(browser, folder / "report.html")
    labels = [line.split(" ")[0] for line in pages.check_story(page)]
    assert labels.count("runs") == labels.count("graph") == 1 and "failed" not in labels
    line = next(n for n, text in enumerate(SKIPPED.splitlines(), 1) if "graph_break" in text)
    page.click(f"#source tr[data-line='{line}'] td")
    displayed = page.ask("document.querySelector('#view').textContent")
    assert (
        displayed.count("Call to torch._dynamo.graph_break()") == 1 and "`" not in displayed
    )  # quoted code is shown as code
    assert "failed" not in page.ask(f"document.querySelector(\"#source tr[data-line='{line}']\").textContent")
    assert main(["where", f"loop.py:{line}", str(folder)]) == 0 and "failed" not in capsys.readouterr().out
    pages.check_quiet(page)
    page.close()


FAILED = """
import torch

@torch.compile(fullgraph=True)
def f(x):
    return x + 1 if x.sum() > 0 else x

try:
    f(torch.ones(3))
except torch._dynamo.exc.Unsupported as error:
    open("error.txt", "w").write(str(error))
"""


@pytest.mark.slow
def test_failed_compilation_has_torchs_explanation_and_hints(browser, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _, folder, index = dump_program(tmp_path, "failed.py", FAILED)
    error = (tmp_path / "error.txt").read_text()
    page = pages.open_report(browser, folder / "report.html")
    page.click("#views button:nth-child(2)")
    displayed = page.ask("document.querySelector('#view').innerText")
    (failure,), (explanation,) = index["failures"], re.findall("Explanation: (.+)", error)
    assert explanation.replace("`", "") in displayed and failure["hints"]  # quoted code is shown as code
    for hint in failure["hints"]:  # torch's hints without the general ones
        quoted = hint.replace("`", "")
        assert f"Hint: {hint}" in error and f"What to do: {quoted}" in displayed
    page.close()


@pytest.mark.slow
def test_model_with_breaks_recompiles_and_training(browser, tmp_path):
    program, folder, index = dump_program(tmp_path, "model.py", MODEL)
    assert len(index["graph_breaks"]) >= 2 and index["recompiles"]
    assert any(g["kind"] == "Backward_graph" for g in index["graphs"])
    page = pages.open_report(browser, folder / "report.html")
    pages.check_first_screen(page, program)
    assert "Time" in pages.check_views(page)
    story = pages.check_story(page)
    assert sum(line.startswith("graph break") for line in story) == 2
    assert sum(line.startswith("recompile") for line in story) == min(2, len(index["recompiles"]))
    assert pages.check_links(page, folder, program) > 0
    page.click("#views button:nth-child(2)")
    displayed = page.ask("document.querySelector('#view').textContent")
    assert "x is a float32 tensor of size [4, 8], strides [8, 1]" in displayed
    assert "self is of type __main__.Net" in displayed and "torch is the same object (torch)" in displayed
    guard_text = "(check) => guardText(check).textContent"
    assert page.ask(f"""({guard_text})("equals(L['d'][(1, 2)], 3)")""") == "d[(1, 2)] equals 3"
    act = "type_is(L['self']._modules['act'], 'SiLU', same_process_id(1))"
    assert page.ask(f"""({guard_text})("{act}")""") == "self.act is of type SiLU"
    assert page.ask(f"""({guard_text})("L['cache'].k[1] is None")""") == "cache.k[1] is None"
    of_any = "tensor_matches(L['x'], 'Tensor', torch.float32, device=None, requires_grad=False, size=[1, None], stride="
    assert (
        page.ask(f"""({guard_text})("{of_any}[None, 1])")""")
        == "x is a float32 tensor of size [1, any], strides [any, 1]"
    )
    # The program's text is displayed as it is and creates no elements.
    assert page.ask("document.querySelectorAll('img, b b, #source b').length") == 0
    assert page.ask("document.querySelector('#source').textContent.includes('</script><img src=x')")
    pages.check_quiet(page)
    page.close()


LIBRARY = """def scaled(x, factor):
    return x * factor


def shouted(x):
    print(end="")
    return x + 1
"""
OF_LIBRARY = """import os, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "site-packages"))
import library, torch


@torch.compile(backend="eager", dynamic=False)
def step(x, settings):
    x = library.scaled(x, settings["factor"])
    return library.shouted(x)


for factor in (2, 3):
    step(torch.ones(2), {"factor": factor})
"""


def test_line_of_the_program_that_calls_into_a_library_is_marked(browser, tmp_path):
    """It has the break and the recompile of a guard in the library, as `depyf why` reports them."""
    (tmp_path / "site-packages").mkdir()
    (tmp_path / "site-packages" / "library.py").write_text(LIBRARY, "utf-8")
    _, dump, index = dump_program(tmp_path, "of_library.py", OF_LIBRARY)
    (met,) = index["graph_breaks"]
    page = pages.open_report(browser, dump / "report.html")
    called = next(n for n, line in enumerate(OF_LIBRARY.splitlines(), 1) if "library.shouted" in line)
    assert f"library.py:6, called from of_library.py:{called}: {met['reason']}" in page.ask(
        "document.querySelector('#story').textContent"
    )
    view_text = "document.querySelector('#view').textContent"
    assert page.ask(view_text).startswith(f"of_library.py:{called}Graph break library.py:6")  # the first visible item
    badges = "[...document.querySelectorAll('#source tr.hot')].map(r => [Number(r.dataset.line), r.textContent])"
    marked = dict(page.ask(badges))
    assert "break" in marked[called]
    (last,) = (n for n, line in enumerate(OF_LIBRARY.splitlines(), 1) if line.startswith("    step("))
    page.click(f"#source tr[data-line='{last}'] td")
    assert f"Graph break in a function called here, library.py:6: {met['reason']}" in page.ask(view_text)
    if hasattr(torch._dynamo.guards, "format_user_stack_trace"):  # torch logs the stack of the guard
        assert "recompile" in marked[called - 1]
        page.click(f"#source tr[data-line='{called - 1}'] td")
        origin = f"introduced at library.py:2, called from of_library.py:{called - 1}"
        assert f"Recompiled as [0/1]: settings['factor']: value was 2, now 3, {origin}" in page.ask(view_text)
        page.ask("choose('recompiles') || 1")
        assert origin in page.ask(view_text)
    pages.check_quiet(page)


OF_MANY_ENTRIES = """import torch


@torch.compile(backend="eager", dynamic=False)
def added(x, y, k):
    return x + y + k


for n in (2, 3, 4):
    added(torch.ones(n), torch.ones(n), 1)
with torch.no_grad():
    added(torch.ones(5, 5), torch.ones(5, 5), 1)
"""


def test_equal_reasons_of_a_recompile_are_one_card(browser, tmp_path):
    """Equal for several entries, or for several values."""
    _, dump, index = dump_program(tmp_path, "of_many_entries.py", OF_MANY_ENTRIES)
    reasons = index["recompiles"][-1]["reasons"]
    whats = [reason["what"] for reason in reasons]
    assert (whats.count("grad_mode"), whats.count("rank")) == (3, 6), reasons
    page = pages.open_report(browser, dump / "report.html")
    page.ask("choose('recompiles') || 1")
    last = "[...document.querySelectorAll('#view section')].at(-1)"
    cards = page.ask(f"[...{last}.querySelectorAll('.card')].map(card => card.textContent)")
    assert len(cards) == 2 and all(card.startswith("[0/2], [0/1], [0/0] did not accept the call: ") for card in cards)
    assert ": grad_mode" in cards[0] and "The same for" not in cards[0]
    assert ": x: rank" in cards[1] and "The same for 1 more: y" in cards[1], cards
    pages.check_quiet(page)
    page.close()


@pytest.mark.slow
def test_two_ranks_side_by_side(browser, tmp_path):
    program, folder = tmp_path / "ranked.py", tmp_path / "dump"
    program.write_text(RANKED, "utf-8")
    common = {"WORLD_SIZE": "2", "TORCHELASTIC_RUN_ID": "a_run"}
    for started in [run(folder, program, RANK=str(rank), **common) for rank in (0, 1)]:
        wait_for(started)
    reports = [folder / "report.html", *folder.glob("rank_*/report.html")]
    assert len(reports) == 2
    done = subprocess.run([sys.executable, "-m", "depyf", "report", str(folder)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for report in reports:
        page = pages.open_report(browser, report)
        pages.check_first_screen(page, program)
        titles = pages.check_views(page)
        assert pages.check_links(page, report.parent, program) > 0
        if report.parent == folder:
            assert "Ranks" in titles
            page.ask(
                "[...document.querySelectorAll('#views button')].find(b => b.textContent.startsWith('Ranks')).click()"
            )
            cells = page.ask(
                "[...document.querySelectorAll('#view tbody tr')].map(r => [...r.cells].map(c => c.textContent))"
            )
            assert [(c[0], c[2], c[4]) for c in cells] == [("0", "1", "0"), ("1", "2", "1")]
            assert "rank 0 has" in page.ask("document.querySelector('#view').textContent")
        pages.check_quiet(page)
        page.close()


def test_code_of_a_graph_is_named_after_its_function(browser, tmp_path):
    with depyf.prepare_debug(tmp_path):
        torch.compile(torch.fx.symbolic_trace(torch.nn.Sequential(torch.nn.ReLU())), backend="eager")(torch.ones(2))
    page = pages.open_report(browser, tmp_path / "report.html")
    tabs = page.ask("[...document.querySelectorAll('#sources button')].map(b => b.textContent)")
    assert [tab.partition(" [")[0] for tab in tabs if "eval_with_key" in tab or "code of" in tab] == [
        "code of Sequential.forward"
    ]
    page.close()
