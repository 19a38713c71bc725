# SPDX-License-Identifier: MIT
"""Tests the comments at the ends of lines: they are correct, at the calls that they describe, and change no code."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import depyf
import torch
from depyf.torch.capture import frame_names
from depyf.torch.internals import cache_entries
from depyf.torch.model.location import NOWHERE, Location
from depyf.torch.write import trailing_comments


def branching(a, b):
    x = a / (torch.abs(a) + 1)
    if b.sum() < 0:
        b = b * -1
    return x * b


def line_of(text: str) -> int:
    """Returns the line of this file that contains TEXT."""
    return 1 + next(i for i, line in enumerate(Path(__file__).read_text("utf-8").splitlines()) if text in line)


def compiled_both_ways() -> None:
    torch._dynamo.reset()
    compiled = torch.compile(branching, backend="eager")
    compiled(torch.ones(3), torch.ones(3))
    compiled(torch.ones(3), -torch.ones(3))


def test_comment_on_where_a_resume_function_continues():
    compiled_both_ways()
    (entry,) = cache_entries.cache_entries(branching.__code__)
    codes = [cache_entries.resume_code(globals()[name]) for name in cache_entries.resume_names(entry.code)]
    taken, other = line_of("        b = b * -1"), line_of("    return x * b")
    assert {frame_names.continues_at(code) for code in codes} == {
        Location(__file__, taken),
        Location(__file__, other),
    }
    assert frame_names.continues_at((lambda: 0).__code__) == NOWHERE


def test_comments_in_a_dump(tmp_path):
    with depyf.prepare_debug(tmp_path):
        compiled_both_ways()
    file = Path(__file__).name
    first, last = line_of("x = a / (torch.abs(a) + 1)"), line_of("if b.sum() < 0:")
    assert last == first + 1
    for name in ("__transformed_code_0_for_branching.py", "full_code_for_branching_0.py"):
        lines = (tmp_path / name).read_text("utf-8").splitlines()
        calls = [line for line in lines if line.lstrip().startswith("return __resume_at_")]
        places = {line.rpartition("  # continues at ")[2] for line in calls}
        assert places == {f"{file}:{line_of('        b = b * -1')}", f"{file}:{line_of('    return x * b')}"}, name
        assert any(line.endswith(f".Captured_Graph.0.py: {file}:{first}-{last}") for line in lines), name
    index = (tmp_path / "index.md").read_text("utf-8")
    assert re.search(r" → `__resume_at_\w+` at \S+ \[2/0\] or `__resume_at_\w+` at \S+ \[1/0\]\n", index)
    assert f"at {file}:{last + 1} [" in index


def test_comments_in_entries_without_a_session():
    compiled_both_ways()
    assert f"# continues at {Path(__file__).name}:{line_of('    return x * b')}" in depyf.full_code(branching).text


TEXT = '''def f(x):
    """graph(x) in words
    __resume_at_2_1(x)"""
    graph = __compiled_fn_1
    y = graph(
        x,
    )
    if __resume_at_2_1(y):
        return """a
graph(x)"""
    for _ in y:
        return __resume_at_2_1([], [], y)
    return other(y)
'''


def test_only_the_calling_statement_has_a_comment():
    comments = {"__compiled_fn_1": "shown elsewhere", "__resume_at_2_1": "continues at a.py:3"}
    text = trailing_comments.annotate_calls(TEXT, comments)
    changed = [(old, new) for old, new in zip(TEXT.splitlines(), text.splitlines(), strict=True) if old != new]
    assert changed == [
        ("    )", "    )  # shown elsewhere"),
        (
            "        return __resume_at_2_1([], [], y)",
            "        return __resume_at_2_1([], [], y)  # continues at a.py:3",
        ),
    ]
    assert ast.dump(ast.parse(text), include_attributes=True) == ast.dump(ast.parse(TEXT), include_attributes=True)


def test_statements_without_comments():
    assert trailing_comments.annotate_calls(TEXT, {}) == TEXT
    assert trailing_comments.annotate_calls("def f(:\n", {"f": "no Python"}) == "def f(:\n"
    wide = f"f({'x' * (trailing_comments.MAX_COLUMNS - 10)})"
    assert trailing_comments.annotate_calls(wide, {"f": "g.py: a.py:4-6, b.py:1"}) == f"{wide}  # g.py"
    wide = f"f({'x' * trailing_comments.WIDEST})"
    assert trailing_comments.annotate_calls(wide, {"f": "too far right"}) == wide


def test_source_lines_of_a_graph_in_comments():
    places = [Location("/a.py", 4), Location("/a.py", 6), Location("/a.py", 5, "f"), Location("/b.py", 1)]
    assert trailing_comments.shows("g.py", places) == "g.py: a.py:4-6, b.py:1"
    assert (
        trailing_comments.shows("g.py", [Location("/x/a.py", 1), Location("/y/a.py", 1)]) == "g.py: x/a.py:1, y/a.py:1"
    )
    assert trailing_comments.shows("g.py", [Location("/a.py", n) for n in (1, 3, 5, 7)]) == "g.py"
    assert trailing_comments.shows("g.py", []) == "g.py"
