# SPDX-License-Identifier: MIT
"""Tests the writer of location tables: CPython's own tables are decoded, encoded and decoded again."""

from __future__ import annotations

import dis
import re
import sys
import traceback
import types
from pathlib import Path

import depyf
import pytest
import torch
from depyf.decompilation.line_table import Location, Span, encode, spans_of_map


def codes_of(code):
    todo = [code]
    for current in todo:
        todo += [c for c in current.co_consts if isinstance(c, types.CodeType)]
    return todo


def locations(code):
    if hasattr(code, "co_positions"):
        return [p if p[0] is not None else None for p in code.co_positions()]
    return [line for start, end, line in code.co_lines() for _ in range(start, end, 2)]


def spans(code):
    if not hasattr(code, "co_positions"):
        return [Span(s // 2, e // 2, None if n is None else Location(n)) for s, e, n in code.co_lines()]
    found = []
    for i, (line, end_line, column, end_column) in enumerate(code.co_positions()):
        place = None
        if line is not None:
            place = Location(line, *(-1 if v is None else v for v in (column, end_line, end_column)))
        found.append(Span(i, i + 1, place))
    return found


@pytest.mark.parametrize("module", ["argparse", "dataclasses", "inspect", "pdb", "tarfile"])
def test_round_trip(module):
    file = Path(__import__(module).__file__)
    for code in codes_of(compile(file.read_text("utf-8"), str(file), "exec")):
        table = encode(spans(code), code.co_firstlineno)
        assert locations(code.replace(co_linetable=table)) == locations(code), code.co_name


def test_large_steps():
    code = compile("x = 1\n" * 5, "f", "exec")
    for lines in ([1, 1000, 2, 70000, 3], [5, 5, 5, 5, 5], [300, 1, 127, 128, 255]):
        size = len(code.co_code) // 2
        cut = [i * size // 5 for i in range(6)]
        made = [Span(a, b, Location(n)) for a, b, n in zip(cut, cut[1:], lines, strict=False)]
        new = code.replace(co_linetable=encode(made, 7), co_firstlineno=7)
        got = [n for s, e, n in new.co_lines() for _ in range(s, e, 2)]
        assert got == [n for span in made for n in [span.location.line] * (span.end - span.start)]


def test_long_runs_without_a_line():
    code = compile("\n".join(f"x{i} = {i}" for i in range(300)), "f", "exec")
    size = len(code.co_code) // 2
    made = [Span(0, size // 2, None), Span(size // 2, size, Location(9, 1, 9, 4))]
    new = code.replace(co_linetable=encode(made, 1), co_firstlineno=1)
    got = [n for s, e, n in new.co_lines() for _ in range(s, e, 2)]
    assert got == [None] * (size // 2) + [9] * (size - size // 2)


def test_unmapped_instruction_has_the_location_of_its_predecessor():
    """An instruction without a predecessor has the first location of all."""
    code = compile("a = 1\nb = 2\nc = 3\n", "f", "exec")
    got = spans_of_map(code, 4, [(4, Location(10)), (8, Location(11)), (10**6, Location(99)), (6, Location(0))])
    lines = [span.location.line for span in got for _ in range(span.start, span.end)]
    prologue = sum(i.opname == "RESUME" for i in dis.get_instructions(code))
    assert lines[:5] == [4] * prologue + [10] * (4 - prologue) + [11]
    assert set(lines[4:]) == {11} and got[-1].end == len(code.co_code) // 2


def broken(x, index):
    y = x * 2
    torch._dynamo.graph_break()
    z = y + 1
    return inner(z, index)


def spread(x, index):
    options = {"index": index}
    print("a very long line " * 2, x.sum().item(), index, "and so on", "and so on", "and so on", "and so on", "and on")
    return inner(x + 1, **options)


def made():
    count = 0

    def counts(x, index):
        nonlocal count
        count += 1
        torch._dynamo.graph_break()
        return inner(x + count, index)

    return counts


counts = made()


@torch._dynamo.disable
def inner(z, index):
    return z[index]


def test_recompiled_text_has_its_source_in_tracebacks(tmp_path):
    torch._dynamo.reset()
    with depyf.prepare_debug(tmp_path, execution="recompiled", report=False):
        compiled = torch.compile(broken, backend="eager")
        compiled(torch.ones(3), 1)
        with pytest.raises(IndexError) as raised:
            compiled(torch.ones(3), 7)
    frames = [f for f in traceback.extract_tb(raised.value.__traceback__) if str(tmp_path) in f.filename]
    assert [frame.name for frame in frames][:1] == ["broken"] and len(frames) > 1
    for frame in frames:
        lines = Path(frame.filename).read_text("utf-8").splitlines()
        assert frame.line and frame.line == lines[frame.lineno - 1].strip()


kept = []


@torch._dynamo.disable
def keeps_and_calls(function, z):
    kept.append(function)
    return function(z)


def nests(x):
    y = x + 1

    def nested(z):
        raise ValueError("boom")
        return z + y

    return keeps_and_calls(nested, y) * 2


@pytest.mark.parametrize("execution", ["line-mapped", "recompiled"])
def test_nested_function_of_the_program_keeps_its_code_object_and_lines(execution, tmp_path):
    """Its code object is the one that Python's compiler created, among the program's constants."""

    def raised(function):
        torch._dynamo.reset()
        with pytest.raises(ValueError, match="boom") as caught:
            function(torch.ones(3))
        frame = traceback.extract_tb(caught.value.__traceback__)[-1]
        return frame.filename, frame.lineno, frame.name, frame.line

    plain = raised(nests)
    assert raised(torch.compile(nests, backend="eager")) == plain
    kept.clear()
    with depyf.prepare_debug(tmp_path, execution=execution, report=False) as session:
        assert raised(torch.compile(nests, backend="eager")) == plain
    assert any(kept[0].__code__ is constant for constant in nests.__code__.co_consts)
    assert any(entry.running().co_filename == str(entry.path) for entry in session.record.entries)


@torch._dynamo.disable
def called(x):
    return x + 1


def either(x):
    if x.sum() > 0:
        return called(x) + 1
    return called(x) - 1


def protected(x):
    with torch.no_grad():
        y = called(x * 2)
    return y + 1


def called_at_once(x):
    return called(x)


@pytest.mark.parametrize(
    ("function", "sign"), [(either, 1), (either, -1), (protected, 1), (called_at_once, 1), (broken, 1)]
)
def test_traced_lines_are_those_of_code_compiled_from_the_text(function, sign, tmp_path):
    """The lines are those that a trace function gets. A line without an instruction of Dynamo is not reached."""
    arguments = (sign * torch.ones(3), 1)[: function.__code__.co_argcount]

    def reached(execution):
        torch._dynamo.reset()
        folder, lines = tmp_path / execution, {}

        def trace(frame, event, arg):
            file = Path(frame.f_code.co_filename)
            if not file.name.startswith("__transformed_code_") or file.parent != folder:
                return None
            if event == "line":
                lines.setdefault(file.name, set()).add(frame.f_lineno)
            return trace

        compiled = torch.compile(function, backend="eager")
        with depyf.prepare_debug(folder, execution=execution, report=False):
            compiled(*arguments)
        before = sys.gettrace()
        sys.settrace(trace)
        try:
            compiled(*arguments)
        finally:
            sys.settrace(before)
        found = set()
        for name, numbers in lines.items():
            text = (folder / name).read_text("utf-8").splitlines()
            head = next(n for n, line in enumerate(text, start=1) if line.startswith("def "))
            found |= {(name, n - head, re.sub(r"_?\d+", "", text[n - 1].partition("  # ")[0].strip())) for n in numbers}
        return found

    shown, wanted = reached("line-mapped"), reached("recompiled")
    assert wanted and shown <= wanted, sorted(shown - wanted)
    without = re.compile(r"del |try:|\w+ = \w+$" + (r"|.*\.__exit__\(" if sys.version_info < (3, 11) else ""))
    assert all(without.match(line) for *_, line in wanted - shown), sorted(wanted - shown)


_UNCAUGHT = """
import depyf, torch

def f(x):
    y = x + 1
    torch._dynamo.graph_break()
    return fails(
        y)

@torch._dynamo.disable
def fails(y):
    raise ValueError("boom")

with depyf.prepare_debug("dump", execution="EXECUTION", report=False):
    torch.compile(f, backend="eager")(torch.ones(2))
"""


@pytest.mark.parametrize("execution", ["line-mapped", "recompiled"])
def test_traceback_of_an_uncaught_exception_has_the_lines_of_the_text(run_script, tmp_path, execution):
    done = run_script(_UNCAUGHT.replace("EXECUTION", execution))
    assert done.returncode == 1 and "ValueError: boom" in done.stderr
    printed = done.stderr.splitlines()
    place = re.compile(rf'  File "({re.escape(str(tmp_path / "dump"))}.+)", line (\d+), in ')
    of_dump = [(*match.groups(), printed[at + 1]) for at, line in enumerate(printed) if (match := place.match(line))]
    assert len(of_dump) >= 2, done.stderr
    for file, number, after in of_dump:
        assert after.strip() == Path(file).read_text("utf-8").splitlines()[int(number) - 1].strip(), done.stderr


@pytest.mark.skipif(not hasattr(types.CodeType, "co_positions"), reason="this Python has no columns")
@pytest.mark.parametrize("execution", ["line-mapped", "recompiled"])
@pytest.mark.parametrize("function", [broken, spread, counts])
def test_columns_of_calls_are_those_of_code_compiled_from_the_text(function, execution, tmp_path):
    """A traceback marks the same columns in Dynamo's bytecode as in code compiled from the text."""
    torch._dynamo.reset()
    with depyf.prepare_debug(tmp_path, execution=execution, report=False) as session:
        torch.compile(function, backend="eager")(torch.ones(3), 1)

    def calls(code):
        positions = list(code.co_positions())  # one for each code unit
        of_calls = (i for i in dis.get_instructions(code) if i.opname in ("CALL", "CALL_FUNCTION_EX"))
        return {positions[i.offset // 2] for i in of_calls}

    for entry in session.record.entries:
        running, text = entry.running(), entry.path.read_text("utf-8")
        compiled = codes_of(compile(text, str(entry.path), "exec"))
        assert running.co_filename == str(entry.path)
        assert calls(running) and calls(running) <= set().union(*map(calls, compiled)), entry.name
