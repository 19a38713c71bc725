# SPDX-License-Identifier: MIT
"""Parses torch's prose (graph breaks, reasons of a recompile, tracebacks) into the classes of the record.

Invariant: pure functions that accept any text; facts that the text lacks stay empty.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from depyf.torch.internals.names import is_torchs
from depyf.torch.internals.texts import explanation_in, hints_in
from depyf.torch.internals.vocabulary import GRAPH_CODE
from depyf.torch.model.location import NOWHERE, Location, is_pythons_library
from depyf.torch.model.record import GraphBreak, RecompileReason
from depyf.torch.model.words import one_line

Own = Mapping[tuple[str, int], Location]  # file and line of transformed code -> the program's own line

_BREAK_LINE = re.compile(r"Graph break in user code at (.+):(\d+)")
_REASON = re.compile(r"^(?:Graph Break )?Reason: (.+)$", re.MULTILINE)  # the short form until torch 2.7
_CONTEXT = re.compile(r"^  Developer debug context: (.*)$", re.MULTILINE)
_SECOND = "*** While handling this graph break, another graph break occurred: ***"
_SKIPS = re.compile(r"[Ss]kip(?:ping)? (?:tracing )?the (?:frame|function)|which results in a skip")
_PAGE = re.compile(r"please visit: (\S+)")
_STACK_LINE = re.compile(r'^  File "(.+?)", line (\d+), in (.+)\n(?:    (.*))?', re.MULTILINE)
_ENTRY = re.compile(r"^(!?[\d/!]+/\d+): (.*)$", re.DOTALL)
_DYNAMOS = re.compile(r"/torch/_dynamo/")
_TORCHS_OWN = re.compile(r"-packages/torch/|/torch/_(?:dynamo|inductor|functorch|higher_order_ops)/")
# torch's comment on a check
_CHECK_END = re.compile(r"\s+# [^\n]*?# [^\n]+?:\d+ in [\w<>.]+(?: \(HINT: [^\n]*?\))?(?:; |$)")


def is_users(path: str) -> bool:
    """Returns whether a file is the user's: neither PyTorch's own nor generated code."""
    generated = path.startswith("<") and not path.startswith("<ipython-input-")
    return not (generated or is_torchs_own(path))


def is_torchs_own(path: str) -> bool:
    """Returns whether a file is PyTorch's own, or the code of a graph."""
    has_torchs_path = path.startswith(GRAPH_CODE) or is_torchs(path)
    return has_torchs_path or _TORCHS_OWN.search(path.replace("\\", "/")) is not None


def graph_break(compile_id: str, text: str, program_lines: Own = MappingProxyType({})) -> GraphBreak:
    """Returns the graph break that a text of torch describes."""
    where = _BREAK_LINE.search(text)
    user = text.split("User code traceback:", 1)[-1].split("\nTraceback (most recent call last):", 1)[0]
    traceback = printed_stack(user if "User code traceback:" in text else "", program_lines, lambda path: False)
    caller = _within_pytorch(traceback)  # PyTorch's line that calls Python's library, which breaks
    stack = tuple(p for p in (traceback if caller is None else traceback[:caller]) if not is_torchs_own(p.path))
    inner = NOWHERE if caller is None else traceback[caller]
    if caller is None and where is not None and stack and is_torchs_own(where[1]):
        inner = Location(where[1], int(where[2]))
    text = text.split("User code traceback:", 1)[0]  # the rest repeats the description
    text, _, second = text.partition(_SECOND)  # why Dynamo cannot continue after the break
    head = _REASON.search(text)
    title = text[head.end() :].strip("\n").split("\n", 1)[0].strip() if head else ""
    page = _PAGE.search(text)
    context = match[1].strip() if (match := _CONTEXT.search(text)) else ""
    return GraphBreak(
        [compile_id],
        _broken_line(where, stack) if caller is None else stack[-1],
        title if title and not title.startswith("Explanation") else (head[1].strip() if head else text.strip()[:200]),
        explanation_in(text) or context,  # for an exception, the context is the only explanation
        tuple(dict.fromkeys((*hints_in(text), *hints_in(second)))),
        stack,
        context,
        page[1] if page else "",
        skips={compile_id: skips} if (skips := _skip_reason(text, second)) else {},
        inner=inner,
    )


def _skip_reason(text: str, second: str) -> str:
    """Returns why Dynamo skips the whole frame for a break, in its words; "" if it does not say that it skips it."""
    if not _SKIPS.search(text) and not _SKIPS.search(second):
        return ""
    if explanation := explanation_in(second):
        return one_line(explanation)
    sentence = next((s for s in re.split(r"(?<=[.!])\s|\n", text) if _SKIPS.search(s)), "")
    return one_line(sentence) or "Dynamo skips the frame"


def is_outside_program(path: str) -> bool:
    """Returns whether a file is neither the user's nor the code of an FX graph."""
    return not is_users(path) and not path.startswith(GRAPH_CODE)


def printed_stack(
    text: str,
    program_lines: Own = MappingProxyType({}),
    is_omitted: Callable[[str], bool] = lambda path: not is_users(path),
) -> tuple[Location, ...]:
    """Returns the frames of a traceback that torch prints, outermost first, unless `is_omitted` accepts their file."""
    printed = (Location(m[1], int(m[2]), m[3].strip(), (m[4] or "").strip()) for m in _STACK_LINE.finditer(text))
    lines = ((place, program_lines.get((place.path, place.line), place)) for place in printed)
    places = (replace(place, path=line.path, line=line.line, code=line.code) for place, line in lines)
    return tuple(place for place in places if not is_omitted(place.path))


def _within_pytorch(stack: tuple[Location, ...]) -> int | None:
    """Returns the index of PyTorch's own line that calls the innermost lines, if these are in Python's library.

    Returns None otherwise. Dynamo's own frames between the compiled and the traced code are ignored.
    """
    for index in range(len(stack) - 1, 0, -1):
        path = stack[index].path
        if _DYNAMOS.search(path.replace("\\", "/")) is None and not is_pythons_library(path):
            calls_library = is_torchs_own(path) and index + 1 < len(stack) and is_users(stack[-1].path)
            return index if calls_library and any(is_users(p.path) for p in stack[:index]) else None
    return None


def _broken_line(where: re.Match[str] | None, stack: tuple[Location, ...]) -> Location:
    """Returns the user's line of a graph break; if torch names a line of its own, the user's innermost line.

    Code created by `exec` belongs to the program, as for torch, even if only its callers have lines in a file.
    """
    if where is None:
        return stack[-1] if stack else NOWHERE
    path, line = where[1], int(where[2])
    if is_torchs_own(path):
        return stack[-1] if stack else Location(path, line)
    return next((place for place in reversed(stack) if (place.path, place.line) == (path, line)), Location(path, line))


def failing_line(path: str, line: int, text: str) -> Location:
    """Returns the user's line at which a compilation failed, which some exceptions have only in their text."""
    if path and is_users(path):
        return Location(path, line)
    return next(iter(reversed(printed_stack(text.partition("User stack:")[2]))), NOWHERE)


def torch_reasons(text: str) -> list[RecompileReason]:
    """Parses torch's reasons for a recompile: a JSON list of texts, or a single text of any number of lines."""
    try:
        texts = json.loads(text)
    except ValueError:
        texts = text
    return [r for reason in (texts if isinstance(texts, list) else [texts]) for r in _torch_reasons_of(str(reason))]


def _torch_reasons_of(text: str) -> list[RecompileReason]:
    """Parses the reasons of one entry; there are several with `TORCH_LOGS=recompiles_verbose`."""
    match = _ENTRY.match(text.strip())
    entry, rest = (match[1], match[2]) if match else ("", text.strip())
    checks_text, _, trace = rest.partition("\nUser stack trace:\n")
    checks = [one_line(check) for check in _CHECK_END.split(checks_text)]
    stack = printed_stack(trace)
    place: dict[str, Any] = {"where": stack[-1] if stack else NOWHERE, "stack": stack}
    return [RecompileReason(entry, torch_text=check, what=check, **place) for check in checks if check]
