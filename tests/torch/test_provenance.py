# SPDX-License-Identifier: MIT
"""Tests that the index, `depyf where` and the dumped files agree with torch's provenance of kernels and nodes.

They are compared with torch's structured log of the same run (TORCH_TRACE), which is read here without depyf.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import sys

import pytest
import torch
from depyf.cli import app
from depyf.torch.capture import provenance

from tests.report import pages
from tools.browser import Browser
from tools.judges import kernel_lines

PROGRAM = """import torch


def gated(x):
    return torch.sin(x) * 2


@torch.compile
def first(x, w):
    y = x @ w
    return (gated(y) + 1).sum()


@torch.compile
def second(x, w):
    y = x @ w
    return torch.exp(y).sum()


for function in (first, second):
    x, w = (torch.arange(16.0).reshape(4, 4).requires_grad_() for _ in range(2))
    function(x, w).backward()
"""


def run(folder, *options, cache, text=PROGRAM):
    program = folder / "program.py"
    program.write_text(text, "utf-8")
    trace = folder / "trace"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "TORCH_TRACE": str(trace)}
    done = subprocess.run(
        [sys.executable, "-m", "depyf", "run", "-o", str(folder / "dump"), *options, str(program)],
        env={**environment, "TORCHINDUCTOR_CACHE_DIR": str(cache)}, capture_output=True, text=True,
        timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    index = json.loads((folder / "dump" / "index.json").read_text("utf-8"))
    assert index["problems"] == [] and index["missing_capabilities"] == {}
    return index, trace


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def cold(tmp_path_factory, cache):
    if not hasattr(torch._inductor.config.trace, "provenance_tracking_level"):
        pytest.skip("this torch keeps no provenance of kernels")
    folder = tmp_path_factory.mktemp("cold")
    return folder, *run(folder, cache=cache)


@pytest.mark.slow
def test_each_kernel_has_torchs_lines_and_nodes(cold):
    _, index, trace = cold
    logged = kernel_lines.read(trace)
    assert {k.compile_id for k in logged} == {"0/0", "1/0"} and len(logged) >= 10
    assert any(k.nodes for k in logged) and kernel_lines.differences(logged, index) == []
    # torch logs no nodes of a backward graph, and lists the kernels of the first graph again with those of the second.
    assert all(k["nodes"] and k["source_lines"] for k in index["kernels"])
    assert {line["line"] for k in index["kernels"] if k["compile_id"] == "1/0" for line in k["source_lines"]} == {
        16,
        17,
    }


@pytest.mark.slow
@pytest.mark.skipif(
    not hasattr(torch._inductor.config.trace, "provenance_tracking_level"), reason="this torch keeps no provenance"
)
def test_wrapper_in_cpp_has_comments_on_kernels_and_compiles(cache, tmp_path):
    wrapped = f"import torch._inductor.config\ntorch._inductor.config.cpp_wrapper = True\n{PROGRAM}"
    index, _ = run(tmp_path, cache=cache, text=wrapped)
    files = [graph for graph in index["graphs"] if graph["kind"] == "kernel"]
    for graph in files:
        text = (tmp_path / "dump" / graph["file"]).read_text("utf-8")
        assert set(graph["kernels"]) == set(re.findall(r"void +(cpp_fused_\w+)\(", text)) != set()
        assert len(graph["native_files"]) == len(graph["kernels"]) and "//" in text and "  // program.py:" in text
    assert {k["source_file"] for k in index["kernels"] if k["name"].startswith("cpp_")} == {
        name for graph in files for name in graph["native_files"]
    }
    done = subprocess.run(
        [sys.executable, str(tmp_path / "dump" / files[0]["file"])], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_where_lists_the_nodes_and_kernels_of_each_line(cold):
    folder, _, trace = cold
    logged = kernel_lines.read(trace)

    def where(path, line):
        with contextlib.redirect_stdout(io.StringIO()) as said:
            assert app.main(["where", f"{path}:{line}", str(folder / "dump"), "--json"]) == 0
        return json.loads(said.getvalue())

    assert kernel_lines.where_differences(logged, where) == []
    kernel = json.loads((folder / "dump" / "index.json").read_text("utf-8"))["kernels"][0]
    with contextlib.redirect_stdout(io.StringIO()) as said:
        place = kernel["source_lines"][0]
        assert app.main(["where", f"{place['path']}:{place['line']}", str(folder / "dump")]) == 0
    launch = f"launched at {kernel['file']}:{kernel['line']} (launch {kernel['handle']} in profiles)"
    assert f"  [{kernel['compile_id']}] kernel {kernel['name']}, {launch}\n" in said.getvalue()
    assert {line for _, line in logged.nodes_of} == {5, 10, 11, 16, 17}


def test_comments_name_source_lines_and_shift_no_line(cold):
    folder, index, _ = cold
    for kernel in index["kernels"]:
        lines = (folder / "dump" / kernel["file"]).read_text("utf-8").split("\n")
        numbers = set(re.findall(r"program\.py:(\d+)", lines[kernel["line"] - 1].partition("  # ")[2]))
        assert numbers <= {str(p["line"]) for p in kernel["source_lines"]} and numbers
        assert kernel["name"].rpartition(".")[2] in lines[kernel["line"] - 1]
        graph = (folder / "dump" / kernel["graph"]).read_text("utf-8")
        for node in kernel["nodes"]:
            (found,) = re.findall(rf"^ +{node}(?:: .*)? = .*$", graph, re.MULTILINE)
            assert f"{kernel['file']}:{kernel['line']}" in found
    done = subprocess.run([sys.executable, "-m", "compileall", "-q", str(folder / "dump")], check=False)
    assert done.returncode == 0


@pytest.mark.slow
def test_warm_cache_is_hit_without_provenance(cold, cache, tmp_path):
    plain, warm, tied = tmp_path / "plain", tmp_path / "warm", tmp_path / "tied"
    for folder in (plain, warm, tied):
        folder.mkdir()
    index, _ = run(plain, "--no-provenance", cache=cache)  # its key differs from the one with provenance
    assert index["caches"].get("fx_graph_cache_miss") and "fx_graph_cache_hit" not in index["caches"]
    assert index["kernels"] == []
    index, _ = run(warm, "--no-provenance", cache=cache)  # as prepare_debug does by default
    assert "fx_graph_cache_miss" not in index["caches"] and index["caches"]["fx_graph_cache_hit"] == 4
    index, trace = run(tied, cache=cache)
    assert "fx_graph_cache_miss" not in index["caches"]
    # The cache has the lines of all kernels and the nodes of forward graphs, as torch stores no others.
    assert all(k["source_lines"] for k in index["kernels"])
    path_in_cache = str(cold[0] / "program.py")  # the program that filled the cache, which torch names
    assert path_in_cache in json.dumps(kernel_lines.read(trace), default=str) and path_in_cache not in json.dumps(index)
    as_then = json.loads(json.dumps(index).replace(str(tied / "program.py"), path_in_cache))
    assert kernel_lines.differences(kernel_lines.read(trace), as_then) == []


@pytest.mark.slow
@pytest.mark.parametrize("above", ["# a line above\n", "x = 1\n\n\n"])
def test_lines_of_cached_kernels_are_those_of_this_program(cold, cache, tmp_path, above):
    index, _ = run(tmp_path, cache=cache, text=above + PROGRAM)
    assert "fx_graph_cache_miss" not in index["caches"]
    paths = {place["path"] for k in index["kernels"] for what in ("source_lines", "callers") for place in k[what]}
    assert paths == {str(tmp_path / "program.py")}
    assert lines_of(index) == lines_of(cold[1], moved=above.count("\n"))


def lines_of(index, moved=0):
    """Returns the lines of each kernel, by compilation, name and handle."""
    return {
        (k["compile_id"], k["name"], k["handle"]): sorted(place["line"] + moved for place in k["source_lines"])
        for k in index["kernels"]
    }


TRITON = """
# kernel path: /tmp/torchinductor/ab/cab2.py
# Topologically Sorted Source Nodes: [y, mul], Original ATen: [aten.sin, aten.mul]
# Source node to ATen node mapping:
#   y => sin
triton_poi_fused_mul_sin_0 = async_compile.triton('triton_poi_fused_mul_sin_0', '''
import triton
''', device_str='cuda')


def call(args):
    # [Provenance debug handles] triton_poi_fused_mul_sin_0:1
    stream0 = get_raw_stream(0)
    triton_poi_fused_mul_sin_0.run(arg0_1, buf0, 16, stream=stream0)
"""


def test_key_of_a_kernel_is_in_the_name_of_its_triton_file():
    assert provenance.triton_files(TRITON) == {"triton_poi_fused_mul_sin_0": "/tmp/torchinductor/ab/cab2.py"}
    ((key, line),) = provenance.launches(TRITON)
    assert key == "triton_poi_fused_mul_sin_0:1" and "triton_poi_fused_mul_sin_0.run" in TRITON.split("\n")[line - 1]


def test_report_links_lines_and_kernels_in_both_directions(cold):
    folder, _, trace = cold
    logged = kernel_lines.read(trace)
    with Browser() as browser:
        page = pages.open_report(browser, folder / "dump" / "report.html")
        for path, line in sorted({place for launch in logged for place in launch.stack}):
            shown = page.ask(
                f"showLine({path!r}, {line}), [...document.querySelectorAll('#view .kernel .mono')]"
                ".map(e => e.textContent)"
            )
            assert sorted(shown) == sorted(f"{k.name}:{k.handle}" for k in logged if (path, line) in k.stack)
            places = page.ask(
                "(document.querySelector('#view .kernel button[data-launch]').click(),"
                " [...document.querySelectorAll('#view tr.mark button[data-source]')].map(b => Number(b.dataset.at)))"
            )
            expected = {place[1] for k in logged for place in k.lines if f"{k.name}:{k.handle}" == shown[0]}
            assert places and set(places) <= expected
        pages.check_quiet(page)
        page.close()
