# SPDX-License-Identifier: MIT
"""Tests dumps of logs of programs that ran on a GPU (`python -m tools.gpu --record`): Triton, CUDA graphs, NCCL.

Kernels, lines and recordings are compared with torch's log, which is read here without depyf.
"""

from __future__ import annotations

import contextlib
import json
import lzma
import re
import sys
from pathlib import Path
from unittest.mock import MagicMock

import depyf
import pytest
from torch._inductor.codecache import PyCodeCache

from tools import gpu
from tools.judges import kernel_lines

LOGS = sorted(gpu.RECORDED.glob("*.log.xz"))
NAMES = [path.name.partition(".")[0] for path in LOGS]


@pytest.fixture(scope="module")
def dumps(tmp_path_factory):
    """Returns a function that gives the folder of a program's log and of the dump made from it."""
    made = {}

    def dump(name):
        if name not in made:
            folder = tmp_path_factory.mktemp(name)
            (folder / "trace").mkdir()
            text = lzma.decompress((gpu.RECORDED / f"{name}.log.xz").read_bytes())
            (folder / "trace" / "torch.log").write_bytes(text)
            made[name] = folder / "trace", depyf.from_trace(folder / "trace", folder / "dump")
        return made[name]

    return dump


def index_of(dump):
    return json.loads((dump / "index.json").read_text("utf-8"))


def test_each_program_has_a_log():
    assert NAMES == sorted(path.stem for path in gpu.PROGRAMS.glob("*.py") if path.stem != "said")


@pytest.mark.parametrize("name", NAMES)
def test_kernels_lines_and_recordings_are_those_of_torchs_log(dumps, name):
    trace, dump = dumps(name)
    index = index_of(dump)
    assert index["problems"] == []
    assert list(gpu.agreement(trace, dump, f"{gpu.PACKAGES}/torch/")) == []
    assert index["kernels"]


@pytest.mark.parametrize("name", NAMES)
def test_triton_kernel_has_its_source_and_the_compiled_file(dumps, name):
    _, dump = dumps(name)
    kernels = [k for k in index_of(dump)["kernels"] if k["name"].startswith("triton_")]
    if name == "wrapped_in_cpp":  # there, the sources are strings in C++
        kernels = [k for k in kernels if k["source_file"]]
    else:
        assert kernels
    for kernel in kernels:
        source = (dump / kernel["source_file"]).read_text("utf-8")
        assert re.search(rf"^def {kernel['name']}\(", source, re.MULTILINE), kernel
        assert kernel["triton_file"].endswith(".py")


def logged_code(trace):
    """Returns Inductor's code of each graph and the kernels in its strings, from torch's log."""
    (log,) = trace.glob("*.log")
    found = kernel_lines.records(log.read_text("utf-8"))
    code = [payload for metadata, payload in found if "inductor_output_code" in metadata]
    return code, re.findall(r"async_compile\.triton\('\w+', \'\'\'(.*?)\'\'\'", "\n".join(code), re.DOTALL)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "wrapped_in_cpp"])
def test_kernels_run_from_inductors_cache_and_code_of_graphs_from_the_dump(dumps, tmp_path, monkeypatch, name):
    # Inductor loads both as Python files, and stores measurements beside the kernel's.
    for module in ("triton", "triton.language", "torch._inductor.runtime", "torch._inductor.async_compile"):
        monkeypatch.setitem(sys.modules, module, MagicMock())
    for module in ("triton_helpers", "hints"):
        monkeypatch.setitem(sys.modules, f"torch._inductor.runtime.{module}", MagicMock())
    code, kernels = logged_code(dumps(name)[0])
    assert code and kernels
    with depyf.prepare_debug(tmp_path / "dump", report=False):
        for text in kernels:
            key, path = PyCodeCache.write(text)
            assert PyCodeCache.load_by_key_path(key, path).__file__ == path
        assert not list((tmp_path / "dump").glob("*.kernel_*"))
        written = [PyCodeCache.write(text) for text in code]
        for key, path in written:
            with contextlib.suppress(Exception):  # needs a GPU
                PyCodeCache.load_by_key_path(key, path)
    copies = {file.read_text("utf-8") for file in (tmp_path / "dump").glob("*.kernel_*.py")}
    assert copies == {Path(path).read_text("utf-8") for _, path in written}


def test_which_graphs_have_a_cuda_graph(dumps):
    _, dump = dumps("cuda_graphs")
    recorded = {(r["compile_id"], r["is_backward"]): r["times"] for r in index_of(dump)["cuda_graph_recordings"]}
    assert recorded == {("0/0", False): 1, ("0/0", True): 1, ("2/0", False): 1}
    text = (dump / "index.md").read_text("utf-8")
    assert re.search(r"^- \[0/0\] backward: recorded once, 0\.\d{3} s$", text, re.MULTILINE)


@pytest.mark.parametrize(
    "name, kind, missing",
    [
        ("own_kernel", "Captured_Graph", "the program's own Triton kernel (kernel_idx = 0)"),
        ("parallel", "Captured_Graph", "the process group 0 of torch.distributed"),
        ("training", "AFTER_POST_GRAD", "the result of torch.ops.aten._foreach_add_.Scalar, which returns none"),
    ],
)
def test_graph_file_names_objects_of_the_process_that_made_it(dumps, name, kind, missing):
    _, dump = dumps(name)
    graphs = [graph["file"] for graph in index_of(dump)["graphs"] if graph["kind"] == kind]
    last = [(dump / file).read_text("utf-8").rstrip().rpartition("\n")[2].strip() for file in graphs]
    assert any(line.startswith("raise SystemExit") and missing in line for line in last), last
