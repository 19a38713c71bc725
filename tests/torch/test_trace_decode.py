# SPDX-License-Identifier: MIT
"""Tests that records of a live process and lines of a TORCH_TRACE folder are decoded to equal events."""

from __future__ import annotations

import ast
import logging
from collections import Counter
from pathlib import Path

import pytest
import torch
from depyf.torch.capture import canaries, trace_decode
from depyf.torch.capture.trace_decode import (
    BreakMet,
    CacheAnswer,
    FrameStart,
    GraphPrinted,
    GuardTree,
    InductorCode,
    Interned,
    Measured,
    NoEntryFits,
    Span,
    Specialized,
    SymbolMade,
    Wrapper,
)
from depyf.torch.internals import capabilities
from depyf.torch.model.location import Location
from depyf.torch.trace_folder import records
from torch._logging._internal import TorchLogsFormatter


def works(x, k):
    y = x * k
    torch._dynamo.graph_break()
    if y.shape[0] == 6:
        return y.sin()
    return y.cos()


class RecordsAndLines(logging.Handler):
    """Collects the records of a live process and the lines that torch writes for them to a TORCH_TRACE folder."""

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.setFormatter(TorchLogsFormatter(trace=True))
        self.live, self.lines = [], []

    def emit(self, record):
        self.live.append((record.metadata, record.payload))
        self.lines += self.format(record).splitlines(keepends=True)
        self.lines[-1] = self.lines[-1].rstrip("\n") + "\n"


@pytest.fixture(scope="module")
def records_and_lines():
    torch._dynamo.reset()
    handler, logger = RecordsAndLines(), logging.getLogger(capabilities.TRACE_LOGGER)
    logger.addHandler(handler)
    try:
        with torch._inductor.config.patch(fx_graph_cache=True, force_disable_caches=False):
            compiled = torch.compile(works, backend="inductor")
            for size, k in ((4, 2), (6, 2), (8, 3)):
                compiled(torch.ones(size, requires_grad=True), k).sum().backward()
    finally:
        logger.removeHandler(handler)
    return handler


def decode_all(given):
    strings = {}
    for metadata, payload in given:
        event = trace_decode.decode(metadata, payload, lambda number: strings.get(number, str(number)))
        if isinstance(event, Interned):
            strings[event.number] = event.text
        yield event


@pytest.mark.slow
def test_process_and_folder_give_equal_events(records_and_lines):
    live, read = list(decode_all(records_and_lines.live)), list(decode_all(records(records_and_lines.lines)))
    assert len(live) == len(read) > 100
    assert [(a, b) for a, b in zip(live, read, strict=True) if a != b] == []
    kinds = Counter(type(event) for event in live if event is not None)
    expected = {
        BreakMet,
        CacheAnswer,
        FrameStart,
        GraphPrinted,
        GuardTree,
        InductorCode,
        Interned,
        Measured,
        NoEntryFits,
    }
    assert kinds.keys() >= expected | {Span, SymbolMade, Wrapper}


def test_events_contain_what_torch_logs(records_and_lines):
    events = [event for event in decode_all(records_and_lines.live) if event is not None]
    starts = [e for e in events if isinstance(e, FrameStart)]
    assert starts[0].start.path == __file__ and starts[0].start.function == "works" and starts[0].torch_id == "0/0"
    stages = {e.kind for e in events if isinstance(e, GraphPrinted)}
    assert stages >= {"Captured_Graph", "Joint_graph", "Forward_graph", "Backward_graph", "AFTER_POST_GRAD"}
    symbols = [e for e in events if isinstance(e, SymbolMade)]
    assert {e.number for e in symbols} >= {6} and all(e.where.path in (__file__, "") for e in symbols)
    measured = [e for e in events if isinstance(e, Measured)]
    assert sum(e.is_of_a_frame for e in measured) == len(starts) and all(e.failure is None for e in measured)
    assert sum(e.seconds for e in measured) > 0


def test_unused_record_gives_no_event():
    for metadata in ({}, {"describe_tensor": {"id": 1}}, {"artifact": {"name": "cudagraph_x"}}, {"str": "odd"},
                     {"dynamo_start": "odd"}, {"frame_id": 0}, {"chromium_event": {}}):  # fmt: skip
        assert trace_decode.decode(metadata, "text") is None, metadata


def artifacts_of(path):
    """Returns the artifacts whose names occur in a file of torch, and whether they are wrappers."""
    text = path.read_text("utf-8")
    if "trace_structured" not in text and "_compile_and_exec_source" not in text:
        return
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Call(func=ast.Name("_compile_and_exec_source"), args=[_, _, _, ast.Constant(name), *_]):
                yield name, True
            case ast.Call(func=ast.Name("trace_structured_artifact"), args=[ast.Constant(name), *_]):
                yield name, False
            case ast.Call(args=[ast.Constant("artifact"), *_]) if ast.unparse(node.func).endswith("trace_structured"):
                pairs = (
                    p for d in ast.walk(node) if isinstance(d, ast.Dict) for p in zip(d.keys, d.values, strict=True)
                )
                names_ = (
                    v.value
                    for k, v in pairs
                    if isinstance(k, ast.Constant) and k.value == "name" and hasattr(v, "value")
                )
                yield from ((name, False) for name in names_ if isinstance(name, str))


def test_all_artifacts_in_torchs_sources_are_known():
    found = {pair for path in Path(torch.__path__[0]).rglob("*.py") for pair in artifacts_of(path)}
    assert len(found) > 30
    assert [name for name, _ in found if not canaries.is_known(f"artifact {name}")] == []
    assert [name for name, wraps in found if wraps and not trace_decode.is_wrapper(name)] == []
    assert [name for name, wraps in found if not wraps and trace_decode.is_wrapper(name)] == []


def test_failed_compilation_and_specialization():
    payload = {"fail_type": "RecompileLimitExceeded", "fail_reason": "Dynamo recompile limit exceeded with reason: x",
            "co_name": "f", "co_filename": "/m.py", "co_firstlineno": 3, "is_forward": True}  # fmt: skip
    event = trace_decode.decode({"compilation_metrics": payload, "frame_id": 1, "frame_compile_id": 8}, None)
    assert event.torch_id == "1/8" and event.failure.is_limit and event.failure.origin == Location("/m.py", 3, "f")
    early = {"fail_type": "RecompileLimitExceeded", "fail_reason": "cache_size_limit reached", "is_forward": None}
    event = trace_decode.decode({"bwd_compilation_metrics": early, "frame_id": 1, "frame_compile_id": 8}, None)
    assert isinstance(event, Measured) and event.is_of_a_frame and event.failure.is_limit  # the name in torch 2.6
    payload = {"symbol": "s0", "sources": ["L['x'].size()[0]"], "value": "4", "reason": "why", "user_stack": [
        {"filename": 7, "line": 2, "name": "f", "loc": "if x:"}]}  # fmt: skip
    event = trace_decode.decode({"symbolic_shape_specialization": payload}, None, {7: "/m.py"}.get)
    where = Location("/m.py", 2, "f")
    assert event == Specialized("-", "s0", ("L['x'].size()[0]",), "4", "why", where) and event.where.code == "if x:"


def test_trailing_zeros_of_numbers_from_sympy_are_removed():
    for printed, told in (
        ("3.00000000000000", "3.0"),
        ("1.50000000000000e-5", "1.5e-5"),
        ("100", "100"),
        ("0.5", "0.5"),
    ):
        values = {"symbol": "zf0", "sources": ["L['k']"], "value": printed, "reason": "", "user_stack": []}
        event = trace_decode.decode({"symbolic_shape_specialization": values}, None)
        assert event.value == told and float(told) == float(printed)
