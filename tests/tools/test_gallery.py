# SPDX-License-Identifier: MIT
"""Tests tools/gallery.py, which writes reports of dumps without paths of the machine that made them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.indexes import index_of
from tests.page_data import page_data
from tools import gallery

COMMITTED = Path(__file__).resolve().parents[2] / "docs" / "gallery"
_MACHINE = re.compile(r"(?<![\w.:/])/(?:home|root|tmp|work|usr|opt|Users|builds?)/[\w.-]+")


def gallery_asset(name: str) -> str:
    return (gallery.ROOT / "python" / "depyf" / "torch" / "write" / "assets" / name).read_text("utf-8")


def test_paths_of_the_machine_are_removed(tmp_path):
    dump = tmp_path / "Some"
    dump.mkdir()
    library = "/opt/v/lib/python3.11/site-packages/timm/models/x.py"
    text = f"# File: {library}:3 in forward\nload('{dump}/kernel_0.py')\n"
    (dump / "g.py").write_text(text, "utf-8")
    graph = {
        "compile_id": "0/0",
        "kind": "Captured_Graph",
        "file": "g.py",
        "source_lines": [{"path": library, "line": 3}],
    }
    index = {"files": {"g.py": f"in {gallery.ROOT}/tools"}, "graphs": [graph], "entries": [], "graph_breaks": [],
             "kernels": []}  # fmt: skip
    (dump / "index.json").write_text(json.dumps(index_of(**index)), "utf-8")
    assert gallery.write(tmp_path / "out", tmp_path, ["Some", "Absent"]) == 1
    data = page_data((tmp_path / "out" / "Some.html").read_text("utf-8"))
    assert data["texts"][data["files"][0]["text"]] == "# File: timm/models/x.py:3 in forward\nload('kernel_0.py')\n"
    assert data["files"][0]["what"] == "in tools"
    assert '<a href="Some.html">' in (tmp_path / "out" / "index.html").read_text("utf-8")


@pytest.mark.parametrize("name", gallery.SAMPLE)
def test_committed_pages_show_complete_runs(name):
    data = page_data((COMMITTED / f"{name}.html").read_text("utf-8"))
    assert data["frames"] and all(frame["guards"] for frame in data["frames"])
    assert data["kernels"] and all(kernel["source_lines"] for kernel in data["kernels"])
    assert data["sources"] and data["problems"] == []
    assert not _MACHINE.findall(json.dumps({**data, "texts": []}))
    assert not [found for text in data["texts"] for found in _MACHINE.findall(text) if "/usr/" not in found]


def test_committed_pages_have_the_current_assets():
    """After a change of the assets, run `./dev gallery --assets --out docs/gallery` to update the pages."""
    paths = sorted(COMMITTED.glob("*.html"))
    assert [p.stem for p in paths] == sorted([*gallery.SAMPLE, "index"])
    style, script = (gallery_asset(name) for name in ("report.css", "report.js"))
    for path in paths:
        text = path.read_text("utf-8")
        assert style in text and (path.stem == "index" or script in text), path
        assert gallery.with_assets(text) == text, path


def test_updating_assets_keeps_the_data():
    for path in COMMITTED.glob("*.html"):
        text = path.read_text("utf-8")
        outdated = text.replace("<style>", "<style>/* of an earlier release */")
        assert outdated != text and gallery.with_assets(outdated) == text
        if path.stem != "index":
            assert page_data(gallery.with_assets(outdated)) == page_data(text)
