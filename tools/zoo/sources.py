# SPDX-License-Identifier: MIT
"""The program's own text of each frame that Dynamo compiled: the whole function around the frame's first line.

Read while the program runs, because a dump names files by their last part only. Paths are shortened to where the file
lies in its package: nothing of the machine is kept.
"""

from __future__ import annotations

import ast
import functools
import linecache
import re
import types
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
_LIBRARY = r"/(?:lib/python3\.\d+/(?:site|dist)-packages|(?:site|dist)-packages|lib/python3\.\d+)/"
_INSTALLED = re.compile(rf"^.*?{_LIBRARY}")
_INSTALLED_IN_TEXT = re.compile(rf"(?<![\w.])/[^\s:'\"]*?{_LIBRARY}")

_DEEP_PATH = re.compile(r"(?<![\w./:)\]}])(?:/[\w.+-]+){2,}/(?=[\w.+-])")  # /a/b/ of /a/b/name


@dataclass(frozen=True)
class Original:
    """A frame's source. `line` is that of the first line of `text`; `at` is where the frame begins."""

    compile_id: str
    file: str
    line: int
    at: int
    text: str


def originals(record: Any) -> list[Original]:
    """The sources of a session's entries, where there are any."""
    found = []
    for entry in record.entries:
        code = entry.original() if entry.original is not None else None
        if code is None:
            continue
        line, text = function_at(code)
        if text:
            found.append(Original(entry.compile_id, short_path(code.co_filename), line, entry.origin.line, text))
    return found


def function_at(code: types.CodeType) -> tuple[int, str]:
    """(first line, text) of the innermost function around a code object's first line; of generated code, nothing."""
    lines = linecache.getlines(code.co_filename)
    around = [
        (node.end_lineno - start, start, node.end_lineno)
        for node in _functions(code.co_filename)
        for start in [min([node.lineno, *(d.lineno for d in node.decorator_list)])]
        if node.end_lineno is not None and start <= code.co_firstlineno <= node.end_lineno
    ]
    if not around:
        return 0, ""
    _, start, end = min(around)
    return start, "".join(lines[start - 1 : end])


@functools.lru_cache(maxsize=64)
def _functions(file: str) -> tuple[ast.FunctionDef | ast.AsyncFunctionDef, ...]:
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError, RecursionError):
        return ()
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def short_path(path: str) -> str:
    """`transformers/models/bert/modeling_bert.py`, `tools/zoo/plain_models.py`; else the file's own name."""
    if path.startswith(f"{ROOT}/"):
        return path[len(str(ROOT)) + 1 :]
    short, cuts = _INSTALLED.subn("", path)
    return short if cuts else Path(path).name


def without_places(text: str, folders: Iterable[str] = ()) -> str:
    """A dumped text without the paths of the machine it was made on."""
    text = text.replace(f"{ROOT}/", "")
    for folder in folders:
        text = text.replace(folder, "")
    return _DEEP_PATH.sub("", _INSTALLED_IN_TEXT.sub("", text))
