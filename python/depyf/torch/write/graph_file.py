# SPDX-License-Identifier: MIT
"""Turns a graph that torch printed into a file that compiles, and gives the running code the lines of that file.

Invariant: `point_at_file` changes locations only. It rejects code whose instructions, constants or names differ from
those of the compiled file. Text that does not compile is kept in full as comments, and the file says so.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from types import CodeType, FunctionType
from typing import TYPE_CHECKING

from depyf.decompilation.syntax import compiles
from depyf.torch.internals import fx, texts
from depyf.torch.internals.stable_names import without_addresses
from depyf.torch.internals.vocabulary import GRAPH_CODE, NODE_ORIGIN
from depyf.torch.model.location import Location
from depyf.torch.model.printed_graphs import places

if TYPE_CHECKING:
    from torch.fx import Graph

_CLASS_NAME = re.compile(r"^(\s*class )([^\s(]*[^\w\s(][^\s(]*)\(", re.MULTILINE)  # "class <lambda>(": not a name
_IMPORT_LINE = re.compile(r"^(?:import|from) .*$", re.MULTILINE)
IMPORTED = frozenset(texts.GRAPH_IMPORTS)
_IMPORTED_NAME = re.compile(rf"\b(?:{'|'.join(n for n in IMPORTED if not n.startswith('math_'))}|math_\w+)\b")


def with_valid_class_names(text: str) -> str:
    """Returns a printed graph with class names that are valid in Python."""
    return _CLASS_NAME.sub(lambda m: f"{m.group(1)}{re.sub(r'[^0-9A-Za-z_]', '_', m.group(2))}(", text)


def graph_file(header: Iterable[str], text: str, tail: str = "", valid: bool = False) -> str:
    """Returns the content of a graph's file, which is always valid Python.

    Args:
        header: Lines of the comment at the top.
        text: The graph as torch printed it.
        tail: Code that runs the graph.
        valid: Whether text and tail are known to compile. Checking this takes longer than everything else.

    """
    lead = "".join(f"# {line}\n" if line else "#\n" for line in header)
    text = without_addresses(with_valid_class_names(text))
    words = {w for part in (text, tail) for w in _IMPORTED_NAME.findall(part)}
    statements = [s for name, s in texts.GRAPH_IMPORTS.items() if name in words]
    other_imports = [*texts.operator_imports(text), *fx.imports_of_functions(text).values()]
    lines = dict.fromkeys(
        "\n".join([*statements, *other_imports]).splitlines()
    )  # most are imports, but some define names
    imports = "".join(f"{line}\n" for line in sorted(lines, key=lambda line: not _IMPORT_LINE.match(line)))
    body = text.strip("\n") + "\n"
    content = f"{lead}{imports}\n\n{body}{tail}"
    reason = None if valid else compiles(content)
    if reason is None:
        return content
    commented = "".join(f"# {line}".rstrip() + "\n" for line in body.splitlines())
    return f"{lead}# Not valid Python as torch prints it ({reason}); kept as comments.\n\n{commented}"


def node_names(text: str) -> tuple[str, ...]:
    """Returns the names that the outermost `forward` of a printed graph assigns by calls or attribute reads."""
    try:
        tree = ast.parse(_CLASS_NAME.sub(r"\1graph(", text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    forward = next((n for n in _outer_functions(tree.body) if n.name == "forward"), None)
    names = []
    for statement in forward.body if forward is not None else ():
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target, value = statement.targets[0], statement.value
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            target, value = statement.target, statement.value
        else:
            continue
        if isinstance(target, ast.Name) and not isinstance(value, ast.Name | ast.Constant):
            names.append(target.id)
    return tuple(names)


def _outer_functions(body: list[ast.stmt]) -> Iterable[ast.FunctionDef]:
    for statement in body:
        if isinstance(statement, ast.FunctionDef):
            yield statement
        elif isinstance(statement, ast.ClassDef):
            yield from (s for s in statement.body if isinstance(s, ast.FunctionDef))


def same_nodes(text: str, graph: Graph) -> bool:
    """Returns whether a live FX graph has the same nodes as a printed one."""
    return node_names(text) == tuple(n.name for n in graph.nodes if n.op not in ("placeholder", "output"))


def named_lines(text: str) -> tuple[Location, ...]:
    """Returns the distinct lines of the program that a printed graph names, in order."""
    lines = dict.fromkeys(replace(place, code="") for place in places(text))
    return tuple(p for p in lines if not p.path.startswith(GRAPH_CODE) and p.function != NODE_ORIGIN)


def forward_code(content: str, path: Path) -> CodeType | None:
    """Returns the code of the outermost `forward` in a graph file, compiled without the imports, as FX compiles it.

    (Since CPython 3.11, an `import torch` in the module changes how `torch.f()` compiles: Python/compile.c,
    is_import_originated.)
    """
    try:
        module = compile(_IMPORT_LINE.sub("", content), str(path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for constant in module.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_name == "forward":
                return constant
            for inner in constant.co_consts:
                if isinstance(inner, CodeType) and inner.co_name == "forward":
                    return inner
    return None


def point_at_file(function: FunctionType, content: str, path: Path) -> bool:
    """Gives `function` the line numbers of its file; returns False, without a change, if the file has other code."""
    code, live = forward_code(content, path), function.__code__
    if code is None or not _same_instructions(live, code):
        return False
    table = "co_linetable"
    function.__code__ = live.replace(
        co_filename=code.co_filename, co_firstlineno=code.co_firstlineno, **{table: getattr(code, table)}
    )
    return True


# CPython 3.14 sets CO_METHOD on functions defined in a class body; FX defines `forward` outside of one.
_METHOD = getattr(inspect, "CO_METHOD", 0x8000000) if sys.version_info >= (3, 14) else 0


def _same_instructions(a: CodeType, b: CodeType) -> bool:
    return (
        a.co_code == b.co_code
        and a.co_names == b.co_names
        and a.co_varnames == b.co_varnames
        and a.co_flags & ~_METHOD == b.co_flags & ~_METHOD
        and [(type(c), repr(c)) for c in a.co_consts] == [(type(c), repr(c)) for c in b.co_consts]
    )
