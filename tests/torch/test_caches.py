# SPDX-License-Identifier: MIT
"""Tests which part of a cache key is reported as new and which graphs run without a CUDA graph, against torch's log."""

from __future__ import annotations

import json
import re
import shutil

import depyf
import pytest
import torch
from depyf.cli.app import main
from depyf.torch.model.caches import CacheKeys, KeyPart

from tests.report import pages
from tools.browser import Browser

PROGRAM = """
import torch, depyf, torch._inductor.config as config
config.max_autotune_pointwise = CHANGED
with depyf.prepare_debug("FOLDER/dump", report=False):
    torch.compile(lambda x: x.relu() + 1)(torch.ones(SIZE))
"""
_MISS = re.compile(r'\{"artifact": \{"name": "fx_graph_cache_miss".*\n\t(\{.*)')


def missed_key_parts(folder):
    """Returns the parts of the keys that missed Inductor's cache, according to torch's trace."""
    (log,) = folder.glob("*.log")
    found = []
    for payload in _MISS.findall(log.read_text("utf-8")):
        parts = (re.match(r"\[(\w+)\] ([^:]+):", line) for line in json.loads(payload)["components"])
        found.append({m[2]: m[1] for m in parts if m})
    return found


@pytest.fixture
def run_with_changed_argument(run_script, tmp_path):
    """Runs the program with one of its arguments changed, and returns its dump and the keys in torch's trace.

    Each run writes to the dump folder of the first one, and misses the caches, as these keep only compiled headers.
    """
    cache = tmp_path / "cache"

    def run(name, changed):
        for graphs in ("fxgraph", "aotautograd"):
            shutil.rmtree(cache / graphs, ignore_errors=True)
        if (tmp_path / "first").exists():
            shutil.copytree(tmp_path / "first" / "dump", tmp_path / name / "dump")
        source = PROGRAM.replace("FOLDER", name).replace("CHANGED", str(changed == "config"))
        source = source.replace("SIZE", "5" if changed == "shape" else "4")
        folders = {"TORCH_TRACE": str(tmp_path / name / "trace"), "TORCHINDUCTOR_CACHE_DIR": str(cache)}
        done = run_script(source, **folders)
        assert done.returncode == 0, done.stderr
        (keys,) = missed_key_parts(tmp_path / name / "trace")
        return tmp_path / name / "dump", keys

    return run


@pytest.mark.slow
def test_changed_part_of_a_key_is_named(run_with_changed_argument, capsys):
    before, first = run_with_changed_argument("first", "nothing")
    for changed in ("config", "shape", "nothing"):
        folder, second = run_with_changed_argument(changed, changed)
        changed_parts = {name for name in first.keys() | second.keys() if first.get(name) != second.get(name)}
        assert bool(changed_parts) == (changed != "nothing")
        run = depyf.Run.load(folder)
        (event,) = (e for e in run.cache_events if e.cache == "fx_graph_cache")
        assert {change.name for change in event.changed} == changed_parts
        assert {name: part.digest for name, part in event.parts.items()} == {n: d[:12] for n, d in second.items()}
        main(["diff", str(before), str(folder), "--json"])
        reported = [line for line in json.loads(capsys.readouterr().out)["cache_keys"] if " fx_graph_cache: " in line]
        assert len(reported) == bool(changed_parts) and all(name in line for line in reported for name in changed_parts)
        index = (folder / "index.md").read_text("utf-8")
        assert ("**Cache key:**" in index) == bool(changed_parts)
        if changed == "config":
            assert "`inductor_config[max_autotune_pointwise]: False → True`" in index


def test_pickled_keys_are_compared_as_a_whole():
    first = {"a": KeyPart("1", "one"), "b": KeyPart("2", "two")}
    second = {"a": KeyPart("1", "one"), "c": KeyPart("3", "three")}
    run = CacheKeys()
    events = [run.event("0/0", "f", "fx_graph_cache", "miss", "k", parts, "") for parts in (first, second)]
    assert events[0].parts == first
    assert events[1].parts == {"b": None, "c": KeyPart("3", "three")}
    keys_again = CacheKeys(events)
    for parts in (first, second):
        assert keys_again.event("0/0", "f", "fx_graph_cache", "miss", "k", parts, "").changed == ()
    swapped = CacheKeys(events)
    changed = swapped.event("0/0", "f", "fx_graph_cache", "miss", "k", second, "").changed
    assert [(c.name, c.then, c.now) for c in changed] == [("b", "two", None), ("c", None, "three")]
    assert swapped.event("0/0", "g", "fx_graph_cache", "miss", "k", second, "").changed == ()  # no earlier key


def test_reason_for_a_missing_cuda_graph(tmp_path):
    cudagraph_utils = pytest.importorskip("torch._inductor.cudagraph_utils")
    reason = "skipping cudagraphs due to cpu device (add). Found from : \n"
    here = f'   File "{__file__}", line 12, in f\n    return x + 1\n'

    def backend(graph, inputs):
        # On a machine with a GPU, Inductor calls this; torch adds the reason to the metrics of the compilation.
        cudagraph_utils.log_cudagraph_skip_and_bump_counter(reason + here)
        return graph

    with depyf.prepare_debug(tmp_path) as session:
        torch.compile(lambda x: x + 1, backend=backend)(torch.ones(2))
    (skip,) = session.run.cuda_graph_skips
    assert (skip.compile_id, skip.is_backward) == ("0/0", False)
    assert skip.reason == "skipping cudagraphs due to cpu device (add)"
    assert (skip.location.path, skip.location.line) == (__file__, 12)
    index = (tmp_path / "index.md").read_text("utf-8")
    assert "**No CUDA graph:** `<lambda>` [0/0] at test_caches.py:12: skipping cudagraphs due to cpu device" in index
    assert "- [0/0] forward: skipping cudagraphs due to cpu device (add) (test_caches.py:12)" in index
    with Browser() as browser:
        page = pages.open_report(browser, tmp_path / "report.html")
        assert "0 graphs recorded, 1 given up: skipping cudagraphs due to cpu device (add)" in page.ask(
            "document.querySelector('ol').innerText"
        )
        shown = page.ask(f"showLine({__file__!r}, 12), document.querySelector('#view').innerText")
        assert "Without a CUDA graph, [0/0] forward: skipping cudagraphs due to cpu device (add)" in shown
        pages.check_quiet(page)
        page.close()


def test_reason_for_skipping_a_cuda_graph_at_run_time(tmp_path):
    cudagraph_utils = pytest.importorskip("torch._inductor.cudagraph_utils")
    reason = "skipping cudagraphs due to mutated inputs (1 instances). Found from : \n"
    here = f'   File "{__file__}", line 12, in f\n    return x + 1\n'

    class Manager:
        """Has the attributes of torch's manager of CUDA graphs that are read from the stack."""

        id_to_compile_id, id_to_mode = {3: "0/0"}, {}

        def run(self, function_id):
            cudagraph_utils.log_cudagraph_skip_and_bump_counter(reason + here)

    with depyf.prepare_debug(tmp_path) as session:
        torch.compile(lambda x: x + 1, backend="eager")(torch.ones(2))
        cudagraph_utils.log_cudagraph_skip_and_bump_counter("skipping cudagraphs due to nothing")  # outside any graph
        Manager().run(3)
    (skip,) = session.run.cuda_graph_skips
    assert (skip.compile_id, skip.reason) == ("0/0", "skipping cudagraphs due to mutated inputs (1 instances)")
    assert (skip.location.path, skip.location.line) == (__file__, 12)
