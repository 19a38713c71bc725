# SPDX-License-Identifier: MIT
"""Tests _core.stack_origins, which tells which instruction pushed each value on the evaluation stack."""

from __future__ import annotations

import ast
import asyncio
import dis
import inspect
import itertools
import json
import sys
import types
from collections.abc import Iterator

import depyf
import pytest
from depyf import _core


def codes_of(module: types.ModuleType) -> Iterator[types.CodeType]:
    pending = [compile(inspect.getsource(module), module.__name__, "exec")]
    while pending:
        code = pending.pop()
        yield code
        pending += [c for c in code.co_consts if isinstance(c, types.CodeType)]


def instructions(code: types.CodeType) -> Iterator[dis.Instruction]:
    return (i for i in dis.get_instructions(code) if i.opname != "EXTENDED_ARG")


@pytest.mark.parametrize("module", [ast, asyncio.base_events, dis, inspect, json.decoder])
def test_stack_depth_agrees_with_dis(module):
    """From each instruction that falls through to the next, the depth changes by dis.stack_effect."""
    compared = 0
    for code in codes_of(module):
        depths = {}
        for i in instructions(code):
            try:
                stack, _, _ = _core.stack_origins(code, i.offset, begun=False)
            except depyf.DecompilationError:  # unreachable
                continue
            assert len(stack) <= code.co_stacksize
            depths[i.offset] = len(stack)
        order = list(instructions(code))
        for i, following in itertools.pairwise(order):
            ends = i.opname.startswith(("RETURN_", "RAISE", "RERAISE", "JUMP_", "PRECALL", "CALL", "SEND", "END_FOR"))
            if ends or "GEN_START" in i.opname or {i.offset, following.offset} - depths.keys():
                continue
            effect = dis.stack_effect(i.opcode, i.arg, jump=False)
            assert depths[following.offset] - depths[i.offset] == effect, (code.co_name, i)
            compared += 1
    assert compared > 500


def test_values_and_items_are_named_by_their_instructions():
    def example():
        return f([a, [b, c]], g(d), [a, b][1], h([a, b][i]))  # noqa: F821

    code = example.__code__
    inner, outer, _, indexed = (i.offset for i in instructions(code) if i.opname == "BUILD_LIST")
    first, second, last = (i.offset for i in instructions(code) if i.opname in ("CALL", "CALL_FUNCTION"))
    loads = {i.offset: i.argval for i in instructions(code) if i.opname == "LOAD_GLOBAL"}

    def names_of(origins):
        return [loads.get(o[0], o[1]) if o is not None else None for o in origins]

    stack, lists, _ = _core.stack_origins(code, first, begun=False)
    assert names_of(stack)[-2:] == ["g", "d"]  # the same instruction pushes the function and a NULL
    assert names_of(lists[outer, "BUILD_LIST"]) == ["a", "BUILD_LIST"] and names_of(lists[inner, "BUILD_LIST"]) == [
        "b",
        "c",
    ]
    stack, lists, _ = _core.stack_origins(code, first, begun=True)  # the call has popped its arguments
    assert "d" not in names_of(stack) and (outer, "BUILD_LIST") in lists
    stack, lists, _ = _core.stack_origins(code, second, begun=True)
    assert "b" in names_of(stack)  # of `[a, b][1]`
    assert (indexed, "BUILD_LIST") not in lists  # the item that was taken is unknown
    _, lists, _ = _core.stack_origins(code, last, begun=True)
    assert not lists.keys() & {(outer, "BUILD_LIST"), (inner, "BUILD_LIST")}  # both were passed to a call


def test_items_of_extended_and_sliced_lists():
    def example():
        return [*[a, b], c][1:], f()  # noqa: F821

    code = example.__code__
    loads = {i.offset: i.argval for i in instructions(code) if i.opname == "LOAD_GLOBAL"}
    call = next(i.offset for i in instructions(code) if i.opname in ("CALL", "CALL_FUNCTION"))
    stack, lists, _ = _core.stack_origins(code, call, begun=True)
    (items,) = [lists[o] for o in stack if o in lists]
    assert [loads[offset] for offset, _ in items] == ["b", "c"]


def test_values_that_differ_between_paths_are_unknown():
    def example(a, b):
        x = 1
        y = 2
        for i in a:
            f([a, b], i if b else a)  # noqa: F821
            x = i
        try:
            y = g()  # noqa: F821
        except ValueError:
            pass
        return h(x, y)  # noqa: F821

    code = example.__code__
    inside, _, after = (i.offset for i in instructions(code) if i.opname in ("CALL", "CALL_FUNCTION"))
    stack, lists, _ = _core.stack_origins(code, inside, begun=False)
    assert stack[-1] is None
    assert not lists  # the list may be the one of the previous iteration
    _, _, variables = _core.stack_origins(code, after, begun=False)
    assert not {"x", "y"} & variables.keys()  # the loop may not run, and the call may raise


def test_offset_outside_the_code_is_an_error():
    with pytest.raises(depyf.DecompilationError, match="not in the code object"):
        _core.stack_origins(codes_of.__code__, 100_000, begun=False)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="no exception table")
def test_first_matching_entry_of_an_exception_table_handles_an_exception():
    """CPython uses the first of overlapping entries too; no compiler writes such a table."""

    def example():
        try:
            f()  # noqa: F821
        except ValueError:
            g()  # noqa: F821

    def row(start: int, end: int, target: int, depth: int, *, lasti: bool) -> bytes:
        first, *rest = (start, end - start, target, depth << 1 | lasti)
        assert max(first, *rest) < 64  # each fits one byte
        return bytes([first | 0x80, *rest])

    code = example.__code__
    entries = [
        (e.start // 2, (e.end + 1) // 2, e.target // 2, e.depth, e.lasti) for e in dis._parse_exception_table(code)
    ]
    start, end, *_ = entries[0]
    overlapping = (start, end, 0, 0, False)  # a handler that is also reached with another stack
    table = b"".join(row(*e[:4], lasti=e[4]) for e in [entries[0], overlapping, *entries[1:]])
    changed = code.replace(co_exceptiontable=table)
    call = next(i.offset for i in instructions(code) if i.opname == "CALL")
    assert _core.stack_origins(changed, call, begun=False) == _core.stack_origins(code, call, begun=False)
