# SPDX-License-Identifier: MIT
"""Tests graphs that a backend splits: the index says which piece a file belongs to."""

from __future__ import annotations

import re

import depyf
import pytest
import torch
from depyf.torch.model.pieces import pieces_of
from depyf.torch.model.record import Graph
from torch._dynamo.backends.registry import lookup_backend
from torch.fx.passes.split_module import split_module


def split(graph, inputs):
    """Compiles what is before a softmax, the softmax, and what is after it separately, as vLLM does."""
    distributed = pytest.importorskip("torch._dynamo.backends.distributed")
    number, parts = 0, {}
    for node in graph.graph.nodes:
        number += node.target is torch.softmax
        parts[node] = number
        number += node.target is torch.softmax
    whole = split_module(graph, None, lambda node: parts[node], keep_original_order=True)
    mode = torch._guards.detect_fake_mode(inputs) or torch._subclasses.FakeTensorMode()
    distributed.SubmodCompiler(whole, lookup_backend("aot_eager"), mode).run(*inputs)
    whole.recompile()
    return whole


def attention(x, y):
    x = x + y
    x = torch.softmax(x, -1)
    return torch.sin(x) * y


def test_index_numbers_the_pieces(tmp_path):
    with depyf.prepare_debug(tmp_path, report=False) as session:
        torch.compile(attention, backend=split)(torch.ones(4, 8), torch.ones(4, 8))
    index = (tmp_path / "index.md").read_text("utf-8")
    pieces = re.findall(
        r"forward graph.*\((piece \d of \d), test_pieces\.py:(\d+)\): \[__compiled_fn_\d+\.(.*?)\]", index
    )
    first = attention.__code__.co_firstlineno
    expected = [(f"piece {n + 1} of 3", str(first + n + 1), f"Forward_graph.{n}.py") for n in range(3)]
    assert pieces == expected, index
    files = {name.partition(".")[2]: said for name, said in session.run.files.items()}
    assert files["Forward_graph.1.py"].endswith(", piece 2 of 3") and "piece" not in files["Captured_Graph.0.py"]
    heads = {
        path.name.partition(".")[2]: path.read_text("utf-8").splitlines()[0]
        for path in tmp_path.glob("__compiled_fn*.py")
    }
    what, _, _ = heads["Forward_graph.1.py"].partition(";")  # whether it is executed depends on the release of torch
    assert what == "# Forward graph of attention [0/0]: forward graph, piece 2 of 3"
    assert "piece" not in heads["Captured_Graph.0.py"]


def record_graphs(tmp_path, *kinds):
    """Records graphs of one compilation, each given as (kind, text) and optionally "cached"."""
    return [Graph(k, "0/0", tmp_path / f"{k}.{n}", text=t, is_cached=bool(c)) for n, (k, t, *c) in enumerate(kinds)]


FORWARD = "def forward(self, primals_1):\n"
BACKWARD = "def forward(self, primals_1, tangents_1):\n"


def code(name, aot_id):
    return f"# AOT ID: ['{aot_id}']\n    {name}_1, = args\n"


def test_inductors_files_belong_to_their_pieces(tmp_path):
    forward = [("Forward_graph", FORWARD)] * 2
    inductors = [("AFTER_POST_GRAD", FORWARD), ("kernel", code("primals", "4_forward"))] * 2
    backward = [
        ("AFTER_POST_GRAD", BACKWARD),
        ("kernel", code("tangents", "5_backward")),
        ("AFTER_POST_GRAD", BACKWARD),
        ("kernel", code("tangents", "4_backward")),
    ]
    graphs = record_graphs(tmp_path, *forward, *inductors, *backward)
    assert [*map(pieces_of(graphs).get, (g.path for g in graphs))] == [
        f"piece {n} of 2" for n in (1, 2, 1, 1, 2, 2, 2, 2, 1, 1)
    ]
    cached = record_graphs(tmp_path, *forward, *inductors, ("AFTER_POST_GRAD", BACKWARD, "cached"), *backward[1:])
    assert {pieces_of(cached)[g.path] for g in cached[6:]} == {"one of 2 pieces"}
    shared = record_graphs(tmp_path, *forward, *inductors[:2])
    assert {pieces_of(shared)[g.path] for g in shared[2:]} == {"one of 2 pieces"}
    assert pieces_of(record_graphs(tmp_path, *forward[:1], *inductors[:2])) == {}
