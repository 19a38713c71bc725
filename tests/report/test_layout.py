# SPDX-License-Identifier: MIT
"""The layout of a report with long names, a failed compilation and much source: narrow, wide, dark and printed.

The positions come from the browser, and Python decides which names are identifiers.
"""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

import pytest
from depyf.torch.write.report import report_html

from tests.indexes import index_of
from tests.report import pages
from tools import gallery

LONG = "a_module_with_a_name_that_generated_code_does_have_and_that_is_wider_than_half_of_a_screen"
KERNEL = "cpp_fused__native_batch_norm_legit_functional_add_mean_mul_native_layer_norm_relu_threshold_backward_view_17"
FUNCTION = "étape_größe"
LINES = 2000


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of a synthetic dump."""
    folder = tmp_path_factory.mktemp("long")
    source, dump = folder / f"{LONG}.py", folder / "dump"
    dump.mkdir()
    first = [f"def {FUNCTION}(x):", f"    return x.{'sin().' * 40}sum()", "def éif(größe): return größe"]
    source.write_text("\n".join(first + [f"x_{i} = {i}" for i in range(len(first) + 1, LINES + 1)]) + "\n", "utf-8")
    here = {"path": str(source), "line": 1, "function": FUNCTION}
    guard = {"kind": "EQUALS_MATCH", "text": "t", "python": f"equals(L['{LONG}'].{LONG}, 3)", "location": here}
    graph = f"__compiled_fn_1.kernel_0.{KERNEL}.py"
    (dump / graph).write_text(
        f'class GraphModule:\n        # File: {source}:2 in f, code: x\n        y: "f32[3]" = x + 1\n', "utf-8"
    )
    index = {
        "torch": "2.13.0", "python": "3.11.7", "compile_seconds": 1.0,
        "entries": [{"compile_id": "1/0", "name": f"{LONG}.forward", "location": here, "verdict": "proved",
                     "transformed_code": graph, "checks": [guard] * 3}],
        "graphs": [{"compile_id": "1/0", "kind": "Captured_Graph", "file": graph, "kernels": [KERNEL],
                    "source_lines": [{"path": str(source), "line": 2}]}],
        "files": {graph: f"source of a kernel in {graph}"},
        "frames": [{"name": f"{LONG}.{status}", "status": status, "location": here, "reason": f"{LONG} in a loop"}
                   for status in ("skipped", "recompile limit")],
        "graph_breaks": [{"reason": LONG, "explanation": LONG, "hints": [LONG], "location": {**here, "line": 2}}],
        "recompiles": [{"compile_id": "1/1", "name": LONG, "reasons": [
            {"entry": "1/0", "what": "size", "source": LONG, "then": LONG, "now": LONG, "advice": LONG}]}],
        "failures": [{"compile_id": "0/0", "name": f"{LONG}.failed", "location": here, "reason": LONG}],
        "kernels": [{"compile_id": "1/0", "name": KERNEL, "handle": 1, "file": graph, "line": 3, "nodes": [LONG] * 3,
                     "source_lines": [here, {**here, "function": "<lambda>"}], "callers": [], "source_file": graph,
                     "graph": graph}],
        "cache_events": [{"compile_id": "1/0", "cache": "fx_graph_cache", "outcome": "miss",
                          "changed": [{"name": LONG, "then": LONG, "now": "x"}]}],
        "caches": {"fx_graph_cache_miss": 1},
        "phases": [{"compile_id": compile_id, "name": "a", "start": i, "seconds": 1.0}
                   for i, compile_id in enumerate(("0/0", "1/0", "-"))],
        "problems": [{"what": LONG, "error": LONG}],
    }  # fmt: skip
    (dump / "index.json").write_text(json.dumps(index_of(**index)), "utf-8")
    (dump / "report.html").write_text(report_html(dump), "utf-8")
    return dump / "report.html"


def open_report(browser, path: Path, width: int, theme: str = "light"):
    page = browser.open(path, theme, width, 844)
    page.until(pages.READY)
    return page


@pytest.mark.parametrize("width", [1280, 390])
def test_labels_of_the_summary_are_on_one_line_with_their_text(browser, report: Path, width: int) -> None:
    page = open_report(browser, report, width)
    rows = page.ask(
        "[...document.querySelectorAll('#story li')].map(li => [...li.children].map(e => {"
        " const lines = [...e.getClientRects()], range = document.createRange(); range.selectNodeContents(e);"
        " const first = [...range.getClientRects()][0] || lines[0];"
        " return [e.textContent, first.top, new Set([...range.getClientRects()].map(r => r.top)).size]; }))"
    )
    assert any(label == "recompile limit" for (label, *_), _ in rows)
    assert [label for (label, _, lines), _ in rows if lines > 1] == []
    assert [(label, top, other) for (label, top, _), (_, other, _) in rows if label and abs(top - other) > 4] == []


def test_kernel_names_each_line_once(browser, report: Path) -> None:
    page = open_report(browser, report, 1280)
    page.ask("[...document.querySelectorAll('#views button')].find(b => b.textContent.startsWith('Kernels')).click()")
    paragraphs = page.ask("[...document.querySelectorAll('.kernel p')].map(p => p.textContent)")
    assert [text for text in paragraphs if text.startswith("computes")] == [f"computes {LONG}.py:1"]
    page.close()


def test_equal_guards_of_a_line_share_a_row(browser, report: Path) -> None:
    page = open_report(browser, report, 1280)
    page.ask("document.querySelector('#source tr[data-line=\"1\"]').click()")
    rows = page.ask("[...document.querySelectorAll('#view table tr')].map(row => row.textContent)")
    assert [row for row in rows if "equals 3" in row] == [f"[1/0]{LONG}.{LONG} equals 3 (3 guards)"]
    page.close()


@pytest.mark.parametrize("width", [1280, 901, 390])
def test_nothing_overflows_the_page_or_its_panel(browser, report: Path, width: int) -> None:
    page = open_report(browser, report, width)
    for number in range(1, page.ask("document.querySelectorAll('#views button').length") + 1):
        page.ask(f"document.querySelector('#views button:nth-child({number})').click()")
        page.ask("document.querySelectorAll('#view details').forEach(d => { d.open = true; })")
        title, whole, view, heads = page.ask(
            "[document.querySelector('#views [aria-selected=\"true\"]').textContent,"
            " document.documentElement.scrollWidth,"
            " ...['#view', '#view h2, #view td'].map(s => [...document.querySelectorAll(s)]"
            ".filter(e => e.scrollWidth > e.clientWidth + 1).length)]"
        )
        assert (whole, view, heads) == (width, 0, 0), title
    right = page.ask(
        "Math.max(...[...document.querySelectorAll('#top > *')].map(e => e.getBoundingClientRect().right))"
    )
    assert right <= width
    pages.check_quiet(page)
    page.close()


def test_ids_and_positions_are_not_wrapped(browser, report: Path) -> None:
    page = open_report(browser, report, 1280)
    for view in ("Entries", "Caches", "Time"):
        page.ask(
            f"[...document.querySelectorAll('#views button')].find(b => b.textContent.startsWith('{view}')).click()"
        )
        page.ask("document.querySelectorAll('#view details').forEach(d => { d.open = true; })")
        broken = page.ask(
            "[...document.querySelectorAll('#view td')].filter(c => c.textContent && c.textContent.length <= 8"
            " && c.getBoundingClientRect().height > 0 && (() => { const r = document.createRange();"
            " r.selectNodeContents(c); return r.getClientRects().length > 1; })()).map(c => c.textContent)"
        )
        assert broken == [], view
    page.close()


def test_badges_do_not_cover_code(browser, report: Path) -> None:
    page = open_report(browser, report, 390)
    covered = page.ask(
        "[...document.querySelectorAll('#source tr.hot')].filter(row => { const range = document.createRange();"
        " range.selectNodeContents(row.querySelector('.text')); const text = range.getBoundingClientRect();"
        " return [...row.querySelectorAll('.badge')].some(b => { const r = b.getBoundingClientRect();"
        " return r.left < text.right && text.left < r.right"
        " && r.top < text.bottom - 1 && text.top < r.bottom - 1; }) })"
        ".map(row => row.dataset.line)"
    )
    shown = page.ask("[...document.querySelectorAll('#source .badge')].map(b => b.getBoundingClientRect().right)")
    assert covered == [] and shown and max(shown) <= 390
    page.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_print_is_complete_and_white(browser, report: Path, theme: str) -> None:
    page = open_report(browser, report, 1280, theme)
    printed = base64.b64decode(page.send("Page.printToPDF")["data"])
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) >= LINES // 200  # a page has at most 200 lines
    page.send("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": theme}])
    ground, cut, shown, last = page.ask(
        "[getComputedStyle(document.body).backgroundColor,"
        " ['#source', '#view', '#story'].filter(s => document.querySelector(s).scrollHeight >"
        " document.querySelector(s).clientHeight + 1), getComputedStyle(document.querySelector('#theme')).display,"
        " [...document.querySelectorAll('#source tr')].at(-1).textContent]"
    )
    assert (ground, cut, shown) == ("rgb(255, 255, 255)", [], "none")
    assert last.endswith(f"x_{LINES} = {LINES}")
    page.close()


def test_highlighting_knows_pythons_identifiers(browser, report: Path) -> None:
    page = open_report(browser, report, 1280)
    rows = page.ask(
        "[1, 3].map(n => [...document.querySelectorAll(`#source tr[data-line='${n}'] .text span`)]"
        ".map(s => [s.className, s.textContent]))"
    )
    assert FUNCTION.isidentifier() and "éif".isidentifier()
    assert rows[0] == [["k", "def"], ["d", FUNCTION]]
    assert rows[1] == [["k", "def"], ["d", "éif"], ["k", "return"]]
    page.close()


def test_timeline_shows_the_frame_of_a_failed_compilation(browser, report: Path) -> None:
    page = open_report(browser, report, 1280)
    page.ask("[...document.querySelectorAll('#views button')].find(b => b.textContent === 'Time').click()")
    shown = page.ask("[...document.querySelector('#view .times tbody').rows].map(r => r.cells[0].textContent)")
    assert shown == [f"[0/0] {LONG}.failed", f"[1/0] {LONG}.forward", "outside of a compilation"]
    page.close()


def test_no_view_is_selected_during_a_search(browser, report: Path) -> None:
    page = open_report(browser, report, 1280)
    marked = "[...document.querySelectorAll('#views [aria-selected=\"true\"]')].map(b => b.textContent)"
    assert page.ask(marked) == ["This line"]
    page.press("/")
    for letter in "return":
        page.press(letter)
    page.until("document.querySelector('#view h2').textContent.includes('return')")
    assert page.ask(marked) == []
    page.ask(
        "(() => { const s = document.querySelector('#search'); s.value = ''; s.dispatchEvent(new Event('input')); })()"
    )
    page.until(f"{marked}.length")
    assert page.ask(marked) == ["This line"]
    page.close()


@pytest.mark.parametrize(("theme", "ground"), [("light", "rgb(255, 255, 255)"), ("dark", "rgb(17, 22, 29)")])
def test_list_of_the_gallery_fits_the_width_and_the_theme(browser, theme: str, ground: str) -> None:
    page = browser.open(gallery.ROOT / "docs" / "gallery" / "index.html", theme, 390, 800)
    width, shown = page.ask("[document.documentElement.scrollWidth, getComputedStyle(document.body).backgroundColor]")
    assert (width, shown) == (390, ground)
    assert page.ask("document.querySelector('meta[name=viewport]').content").startswith("width=device-width")
    pages.check_quiet(page)
    page.close()
