# SPDX-License-Identifier: MIT
"""`__transformed_code_*.py`: the code that Dynamo generated for a frame, decompiled, with a header of facts.

Pure functions of an entry's facts and its decompiled text, called by capture and by `rewrite` for a loaded run.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator

from depyf.decompilation import closures
from depyf.torch.internals.stable_names import stable
from depyf.torch.model.record import Entry, Record
from depyf.torch.model.words import one_line
from depyf.torch.write import trailing_comments
from depyf.torch.write.full_code import imported


def with_comments(entry: Entry, record: Record) -> str:
    """Returns the decompiled text with comments: the file of the graph that it calls, the lines where it continues."""
    comments = trailing_comments.of_resumes(entry.continues)
    graph = record.captured_graph(entry.compile_id)
    if graph is not None and entry.compiled_fn:
        comments[stable(entry.compiled_fn)] = trailing_comments.shows(graph.path.name, graph.source_lines)
    return trailing_comments.annotate_calls(entry.decompiled, comments)


def placed(entry: Entry) -> closures.PlacedText:
    """Returns the file of an entry with a usable text, and how far the lines of the text are moved in it."""
    return closures.wrap_in_closure(_header(entry), entry.text, entry.free_variables)


def content(entry: Entry) -> str:
    """Returns the file of an entry; without a usable text it consists of comments: the reason and the bytecode."""
    if not entry.failure:
        return placed(entry).content
    shown = f"{entry.decompiled}\n\n{entry.bytecode}" if entry.decompiled else entry.bytecode
    body = "".join(f"# {line}".rstrip() + "\n" for line in shown.splitlines())
    return (
        f"{_header(entry)}# Not decompiled: {one_line(entry.failure)}\n"
        f"# The program is not affected. Dynamo's bytecode:\n#\n{body}"
    )


def _header(entry: Entry) -> str:
    """Returns the comment at the top of a file: facts about the entry, one in each line."""
    around = f", around {entry.wraps}" if entry.wraps else ""
    lines = [f"{entry.title}, entry [{entry.compile_id}] · {entry.verdict} · from {entry.origin}{around}"]
    if not entry.has_breakpoints:
        lines[0] += " · no breakpoint in this file is hit"
    if entry.compiled_fn:
        lines.append(f"Calls graph {stable(entry.compiled_fn)}.")
    if entry.resume_fns:
        lines.append(f"Continues in {', '.join(entry.resume_fns)}.")
    if entry.eager_from:
        lines.append(f"From {entry.eager_from} on, this is the program's own code, which runs eagerly.")
    if entry.side_effects:
        lines.append(f"Replays side effects on {', '.join(entry.side_effects)}.")
    if entry.free_variables:
        lines.append(f"Free variables: {', '.join(entry.free_variables)}.")
    if entry.on_stack:
        values = (f"{name} is {expression}" for name, expression in entry.on_stack.items())
        lines.append(f"From the evaluation stack at the graph break: {', '.join(values)}.")
    if constants := list(_constants(entry)):
        lines.append(f"Constants of the bytecode: {', '.join(constants)}.")
    if entry.lifetime_note:
        lines.append(f"Lifetime difference, if this text were executed: {entry.lifetime_note}.")
    if entry.has_breakpoints:
        lines.append(
            "The running code has the line numbers of this file: breakpoints set here are hit, except some on `try:` "
            "and `del`."
        )
    return "".join(f"# {one_line(line)}\n" for line in lines)


def _constants(entry: Entry) -> Iterator[str]:
    """Yields the meanings of names in the text that stand for constants without a literal in Python."""
    for name, value in entry.opaque.items():
        if value == imported(name) or not re.search(rf"\b{re.escape(name)}\b", entry.text):
            continue
        node = ast.parse(value, mode="eval").body
        match node:
            case ast.Call(func=ast.Attribute(attr="missing"), args=[_, ast.Constant(value=str(what))]):
                yield f"{name} is {what}"
            case _:
                yield f"{name} is {textwrap.shorten(value, _LONGEST, placeholder=' …')}"


_LONGEST = 80  # maximum number of characters of a value
