# SPDX-License-Identifier: MIT
"""The gallery from a small made-up dump: what a page holds, that its script compiles, that no machine's path stays."""

from __future__ import annotations

import ast
import base64
import functools
import json
import re
import zlib

import pytest

from tools.gallery import collect, script, site, tidy
from tools.zoo import sources

GRAPH = '''# Captured Graph of forward [0/0]: graph captured by Dynamo.
import torch
from torch import device


class GraphModule(torch.nn.Module):
    def forward(self, L_self_modules_head_parameters_weight_: "f32[3, 4][4, 1]cpu", L_x_: "f32[2, 4]cpu", s: "Sym(2)"):
        l_self_modules_head_parameters_weight_ = L_self_modules_head_parameters_weight_
        l_x_ = L_x_

        # File: /some/where/lib/python3.11/site-packages/library/model.py:7 in forward, code: return self.head(x)
        y: "f32[2, 3][3, 1]cpu" = torch.nn.functional.linear(l_x_, l_self_modules_head_parameters_weight_);  l_x_ = None
        return (y,)


def layout(value):
    """What is recorded of a value."""
    return tuple(value.shape)


s77 = 2


def inputs():
    """Inputs of the recorded layout."""
    return [torch.ones(3, 4), torch.ones(s77, 4), s77]


def main():
    graph = GraphModule()
    outputs = graph.forward(*inputs())
    return int(layout(outputs[0]) != (2, 3))


if __name__ == "__main__":
    raise SystemExit(main())
'''
SOURCE = "def forward(self, x):\n    return self.head(x)\n"
UNIQUE = "__compiled_fn_3_0a7d8013_eaea_4d38_ba21_3ceea378f208"


@pytest.fixture
def dumps(tmp_path):
    """A model's dump, one scenario, one frame."""
    folder = tmp_path / "dumps" / "Tiny" / "training"
    folder.mkdir(parents=True)
    entry = {
        "compile_id": "0/0", "name": "forward", "origin": "model.py:6", "verdict": "proved (kept longer)",
        "transformed_code": "code.py", "full_code": "full.py", "compiled_fn": UNIQUE, "resume_functions": [],
        "side_effects": [], "call": "", "graphs": ["graph.py"],
        "checks": [
            {"kind": "TENSOR_MATCH", "text": "", "source": "L['x']", "where": "model.py:7", "python": "ok(L['x'])"}
        ],
    }  # fmt: skip
    graph = {"compile_id": "0/0", "kind": "Captured_Graph", "file": "graph.py", "is_what_runs": True, "kernels": []}
    kernel = {**graph, "kind": "kernel", "file": "kernel.py", "kernels": ["cpp_fused_add_0"]}
    found = {"compile_ids": ["0/0"], "where": "model.py:7", "reason": "Why <not>", "explanation": "", "page": ""}
    index = {
        "torch": "2.13.0", "python": "3.11.7", "entries": [entry], "graphs": [kernel, graph],
        "graph_breaks": [{**found, "hints": [], "times": 1}],
    }  # fmt: skip
    original = {"compile_id": "0/0", "file": "library/model.py", "line": 6, "at": 6, "text": SOURCE}
    (folder / "index.json").write_text(json.dumps(index))
    (folder / "originals.json").write_text(json.dumps([original]))
    (folder / "graph.py").write_text(GRAPH)
    (folder / "kernel.py").write_text("# kernel path: /some/where/cache/ab/kernel.cpp\ncall = 1\n")
    (folder / "code.py").write_text(f"# Calls graph {UNIQUE}.\ndef forward(self, x):\n    return {UNIQUE}(x)[0]\n")
    (folder / "full.py").write_text("pass\n")
    return tmp_path / "dumps"


def data_of(page):
    """What a page's program reads."""
    packed = re.search(r'<script id="data"[^>]*>([^<]*)</script>', page.read_text("utf-8"))
    return json.loads(zlib.decompress(base64.b64decode(packed[1])))


def test_site(dumps, tmp_path):
    row = {
        "model": "Tiny",
        "suite": "plain",
        "stands_for": "a <small> model",
        "backend": "eager",
        "train": True,
        "broken": "",
    }
    site.write(tmp_path / "out", dumps, {"Tiny": [{**row, "problems": []}]}, ["Tiny", "Absent"], "Tiny")
    page = tmp_path / "out" / "models" / "Tiny.html"
    data = data_of(page)
    frame = data["scenarios"][0]["frames"][0]
    assert [g["kind"] for g in frame["graphs"]] == ["Captured_Graph"]
    assert frame["kernels"][0]["kernels"] == ["cpp_fused_add_0"]
    assert data["texts"][frame["original"]["text"]] == SOURCE
    assert (
        data["texts"][frame["transformed"]]
        == "# Calls graph __compiled_fn_3.\ndef forward(self, x):\n    return __compiled_fn_3(x)[0]\n"
    )
    assert data["scenarios"][0]["breaks"][0]["reason"] == "Why <not>"
    assert data_of(tmp_path / "out" / "index.html")["models"][0] == {
        "model": "Tiny", "suite": "plain", "stands_for": "a <small> model", "frames": 1, "graphs": 1, "breaks": 1,
        "ops": 1, "guards": 1, "kernels": 1, "sure": 1,
    }  # fmt: skip
    assert data_of(tmp_path / "out" / "tour.html")["frame"]["id"] == "0/0"
    for file in (tmp_path / "out").rglob("*.*"):
        text = file.read_text("utf-8")
        assert "/some/where" not in text
        assert not re.search(r'(?:src|href)="(?:https?:)?//', text), "a page must not need a network"
        for place in re.findall(r'(?:src|href)="([^"#]+)"', text if file.suffix == ".html" else ""):
            assert (file.parent / place).is_file(), f"{file.name} asks for {place}"
    assert "a &lt;small&gt; model" in page.read_text("utf-8")


def test_script(dumps):
    text = script.render(collect.model(dumps / "Tiny", []))
    tree = ast.parse(text)
    names = {n.name for n in tree.body if isinstance(n, ast.ClassDef | ast.FunctionDef)}
    tag = "training_0_0_captured_graph"
    assert {f"Graph_{tag}", f"run_{tag}", f"inputs_of_{tag}", "transformed_training_0_0", "layout"} <= names
    assert f"for run in (run_{tag}, ):" in text
    assert "#   ok(L['x'])   # model.py:7" in text


def test_a_graph_keeps_its_meaning_under_shorter_names():
    text = tidy.graph_of(GRAPH)
    ast.parse(text)
    assert 'head_weight: "f32[3, 4][4, 1]cpu",\n' in text
    assert "linear(x, head_weight);  x = None" in text
    assert "L_" not in text
    assert tidy.graph_of(text) == text


def test_a_name_that_is_taken_is_not_given():
    clash = GRAPH.replace("y: ", "head_weight: ").replace("(y,)", "(head_weight,)")
    text = tidy.graph_of(clash)
    ast.parse(text)
    assert 'L_self_modules_head_parameters_weight_: "f32' in text


def test_paths_of_the_machine_are_cut():
    assert sources.short_path("/a/lib/python3.11/site-packages/timm/models/x.py") == "timm/models/x.py"
    assert sources.short_path("/a/lib/python3.11/typing.py") == "typing.py"
    assert sources.short_path("/a/b/c.py") == "c.py"
    assert sources.short_path(f"{sources.ROOT}/tools/zoo/spec.py") == "tools/zoo/spec.py"
    assert sources.without_places('path = "/x/y/z/k.cpp"; a = b / c / d') == 'path = "k.cpp"; a = b / c / d'
    assert sources.without_places("# File: /v/dist-packages/torch/nn/f.py:3 in f") == "# File: torch/nn/f.py:3 in f"


def test_the_function_around_a_line():
    line, text = sources.function_at(test_paths_of_the_machine_are_cut.__code__)
    assert line == test_paths_of_the_machine_are_cut.__code__.co_firstlineno
    assert text.startswith("def test_paths_of_the_machine_are_cut")
    _, text = sources.function_at(decorated_inside().__code__)
    assert text == "    @functools.cache\n    def deep():\n        return 1\n"


def decorated_inside():
    """The function below a decorator."""

    @functools.cache
    def deep():
        return 1

    return deep.__wrapped__
