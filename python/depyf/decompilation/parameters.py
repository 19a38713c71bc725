# SPDX-License-Identifier: MIT
"""The header of a live function (`def name(...) -> ...:`), with its defaults and annotations.

Invariant: the header compiles and has the parameters of the code object. A value that cannot be written as source
becomes a placeholder listed in `RecompileContext.opaque`; it is never dropped. No user-defined `__repr__` is called.
The source map is shifted with the text; the text below the header is not changed.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
import types
import typing
from collections.abc import Callable, Sequence
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from depyf import _core

from .errors import DecompilationError
from .literals import NoSource, Speller
from .names import attribute_of, is_dotted_name, loaded, paths_of
from .result import MapEntry

__all__ = ["defined_name", "header_of", "parameters_of", "with_header"]

_CO_VARARGS, _CO_VARKEYWORDS = 0x4, 0x8
_CO_COROUTINE, _CO_ASYNC_GENERATOR = 0x80, 0x200
_CO_FUTURE_ANNOTATIONS = 0x1000000
_LONGEST_LINE = 100
_DEEPEST_VALUE = 20


class Parameters(NamedTuple):
    """Parameter names by kind."""

    positional_only: tuple[str, ...]
    positional: tuple[str, ...]
    var_positional: str | None
    keyword_only: tuple[str, ...]
    var_keyword: str | None

    @property
    def names(self) -> tuple[str, ...]:
        """All names; those of `*args` and `**kwargs` are last."""
        ends = (name for name in (self.var_positional, self.var_keyword) if name is not None)
        return (*self.positional_only, *self.positional, *self.keyword_only, *ends)

    def listed(self, spell: Callable[[str], str] = str) -> list[str]:
        """Returns the items between the parentheses of a `def`; `spell` adds annotation and default to a name."""
        positional_only = [*map(spell, self.positional_only), "/"] if self.positional_only else []
        args = [f"*{spell(self.var_positional)}"] if self.var_positional is not None else []
        args = ["*"] if self.keyword_only and not args else args
        kwargs = [f"**{spell(self.var_keyword)}"] if self.var_keyword is not None else []
        return [*positional_only, *map(spell, self.positional), *args, *map(spell, self.keyword_only), *kwargs]


def parameters_of(code: CodeType) -> Parameters:
    """Returns the parameters of a code object, which are the first of its `co_varnames`."""
    names, positional = code.co_varnames, code.co_argcount
    index = positional + code.co_kwonlyargcount
    args = names[index] if code.co_flags & _CO_VARARGS else None
    kwargs = names[index + (args is not None)] if code.co_flags & _CO_VARKEYWORDS else None
    return Parameters(
        positional_only=names[: code.co_posonlyargcount],
        positional=names[code.co_posonlyargcount : positional],
        var_positional=args,
        keyword_only=names[positional:index],
        var_keyword=kwargs,
    )


class _LiveValues(Speller):
    """Converts live values to source with names that the function's module knows; collects the placeholders."""

    def __init__(self, function: FunctionType) -> None:
        self.globals = function.__globals__
        self.taken = set(function.__code__.co_names) | set(function.__code__.co_varnames)
        self.placeholders: dict[str, Any] = {}

    def spell(self, value: Any, stem: str) -> str:
        try:
            return self.source(value)
        except NoSource:
            return self._placeholder(value, stem)

    def _placeholder(self, value: Any, stem: str) -> str:
        name, n = stem, 0
        while name in self.taken or name in self.placeholders or name in self.globals:
            n += 1
            name = f"{stem}_{n}"
        self.placeholders[name] = value
        return name

    def other(self, value: Any, depth: int) -> str:
        return self._named(value)

    def _named(self, value: Any) -> str:
        """Returns a name of this object in the function's globals, builtins or a loaded module, or raises NoSource."""
        name = attribute_of(value, "__name__")
        if isinstance(name, str) and is_dotted_name(name) and self.globals.get(name) is value:
            return name
        for dotted in paths_of(value):
            head, _, rest = dotted.partition(".")
            if head == "builtins" and rest not in self.globals:
                return rest
            if self.globals.get(head, sys.modules.get(head)) is sys.modules.get(head):
                return dotted
        raise NoSource

    def annotation(self, value: Any, stem: str, deferred: bool) -> str:
        """Returns an annotation as source: its own text if it was never evaluated (`deferred`), else the value."""
        if isinstance(value, str):
            return value if deferred and _is_expression(value) else repr(value)
        if value is None or value is type(None):
            return "None"
        try:
            return self._generic(value, 0)
        except NoSource:
            return self._placeholder(value, stem)

    def _generic(self, value: Any, depth: int) -> str:
        """Returns a type composed of named types (`list[int]`, `Optional[T]`, `int | None`), or raises NoSource."""
        if depth > _DEEPEST_VALUE:
            raise NoSource
        if value is type(None):
            return "None"
        if type(value) is list:  # the parameters of Callable[[...], R]
            return "[" + ", ".join(self._generic(item, depth + 1) for item in value) + "]"
        if isinstance(value, typing.ForwardRef):
            return repr(value.__forward_arg__)
        origin, arguments = typing.get_origin(value), typing.get_args(value)
        if origin is None:
            return self.source(value, depth)
        if origin in (typing.Union, types.UnionType):
            return " | ".join(self._generic(item, depth + 1) for item in arguments)
        if isinstance(value, types.GenericAlias):
            head = self._named(origin)
        else:
            head = f"typing.{attribute_of(value, '__name__')}"
            if loaded(head) is None or self.globals.get("typing", typing) is not typing:
                raise NoSource
        literal = origin is typing.Literal
        inner = [self.source(a, depth + 1) if literal else self._generic(a, depth + 1) for a in arguments]
        return f"{head}[{', '.join(inner) or '()'}]"


def _is_expression(text: str) -> bool:
    try:
        ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return "\n" not in text


def _annotations_of(function: FunctionType) -> tuple[dict[str, Any], bool]:
    """Returns the annotations, and whether strings among them are source text that was not evaluated."""
    annotate = attribute_of(function, "__annotate__")
    if isinstance(annotate, FunctionType):
        return _annotation_texts(annotate), True
    deferred = bool(function.__code__.co_flags & _CO_FUTURE_ANNOTATIONS)
    return dict(attribute_of(function, "__annotations__") or {}), deferred


def _annotation_texts(annotate: FunctionType) -> dict[str, Any]:
    """Returns lazy annotations (3.14+) as text, by decompiling the `__annotate__` function that would evaluate them.

    Its body is `if format > 2: raise NotImplementedError`, then `return {"name": annotation, ...}` (Python/codegen.c).
    """
    try:
        text = _core.decompile(annotate.__code__, recompile=False).text
        nodes = ast.walk(ast.parse(text))
        (annotations,) = [n.value for n in nodes if isinstance(n, ast.Return) and isinstance(n.value, ast.Dict)]
        rows = [
            (ast.literal_eval(key), value)
            for key, value in zip(annotations.keys, annotations.values)
            if key is not None
        ]
        return {name: _annotation_text(value, annotate) for name, value in rows}
    except (DecompilationError, SyntaxError, ValueError):
        return {"return": annotate}  # not created by the compiler: shown by its name, not dropped


def _annotation_text(value: ast.expr, annotate: FunctionType) -> str:
    # With `from __future__ import annotations`, the function returns the source texts.
    if annotate.__code__.co_flags & _CO_FUTURE_ANNOTATIONS and isinstance(value, ast.Constant):
        return str(value.value)
    return ast.unparse(value)


def header_of(function: FunctionType, name: str) -> tuple[str, dict[str, Any]]:
    """Returns the header `def name(...) -> ...:` of a live function, and the objects of its placeholders."""
    code, live_values = function.__code__, _LiveValues(function)
    parameters = parameters_of(code)
    annotations, deferred = _annotations_of(function)
    plain = [*parameters.positional_only, *parameters.positional]
    values = function.__defaults__ or ()
    defaults: dict[str, Any] = dict(zip(plain[len(plain) - len(values) :], values))
    defaults.update(function.__kwdefaults__ or {})

    def declaration(parameter: str) -> str:
        text = parameter
        has_type = parameter in annotations
        if has_type:
            text += ": " + live_values.annotation(annotations[parameter], f"type_of_{parameter}", deferred)
        if parameter in defaults:
            text += (" = " if has_type else "=") + live_values.spell(defaults[parameter], f"default_{parameter}")
        return text

    items = parameters.listed(declaration)
    result = (
        f" -> {live_values.annotation(annotations['return'], 'type_of_return', deferred)}"
        if "return" in annotations
        else ""
    )
    return _joined(_keyword(code), name, items, result), live_values.placeholders


def _keyword(code: CodeType) -> str:
    return "async def " if code.co_flags & (_CO_COROUTINE | _CO_ASYNC_GENERATOR) else "def "


def _joined(start: str, name: str, parameters: Sequence[str], result: str) -> str:
    line = f"{start}{name}({', '.join(parameters)}){result}:"
    if len(line) <= _LONGEST_LINE:
        return line
    return f"{start}{name}(\n" + "".join(f"    {p},\n" for p in parameters) + f"){result}:"


_DEF = re.compile(r"^(?:async[ ]+)?def[ ]+(\w+)", re.MULTILINE)


def defined_name(text: str) -> str | None:
    """Returns the name of the first function that `text` defines at its outermost level; None if there is none."""
    match = _DEF.search(text)
    return match[1] if match else None


def with_header(text: str, header: str, source_map: Sequence[MapEntry]) -> tuple[str, list[MapEntry]]:
    """Replaces the header of the outermost function in `text`, and shifts the source map accordingly."""
    span = _header_span(text)
    if span is None:
        return text, list(source_map)
    (line, column), (end_line, end_column) = span
    lines = text.encode("utf-8", "surrogatepass").split(b"\n")
    new = lines[line - 1][:column] + header.encode("utf-8", "surrogatepass")
    encoded = b"\n".join([*lines[: line - 1], new + lines[end_line - 1][end_column:], *lines[end_line:]])
    last = new.rsplit(b"\n", 1)[-1]
    down = line + header.count("\n") - end_line
    right = len(last) - end_column

    def moved(at_line: int, at_column: int) -> tuple[int, int]:
        if (at_line, at_column) < (end_line, end_column):
            return at_line, at_column
        return at_line + down, at_column + (right if at_line == end_line else 0)

    entries = [
        MapEntry(e.code, e.offset, *moved(e.line, e.column), *moved(e.end_line, e.end_column)) for e in source_map
    ]
    return encoded.decode("utf-8", "surrogatepass"), entries


def _header_span(text: str) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Returns the range of the first outermost function's header, from `def` or `async` to after the colon.

    Columns are in UTF-8 bytes. None if the text has no such header or cannot be tokenized.
    """
    start: tuple[int, int] | None = None
    depth = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if start is None:
                if token.string in ("def", "async") and token.type == tokenize.NAME and token.start[1] == 0:
                    start = token.start
            elif token.type == tokenize.OP:
                depth += (token.string in "([{") - (token.string in ")]}")
                if token.string == ":" and depth == 0:
                    row, column = token.end
                    return start, (row, len(token.line[:column].encode("utf-8", "surrogatepass")))
    except (tokenize.TokenError, SyntaxError):
        return None
    return None
