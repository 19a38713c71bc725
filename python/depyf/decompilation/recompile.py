# SPDX-License-Identifier: MIT
"""Compiles decompiled text with the compiler of the running interpreter to the code object it was decompiled from.

Invariant: nothing is executed. Changes are made to the syntax tree, never to the text, so that lines and columns are
those of the text. A live object that the text names becomes a constant again: a unique bytes literal takes its place
during compilation and is replaced afterwards. If the compiler folds the literal into another constant, this is an
error.
"""

from __future__ import annotations

import ast
import contextlib
import dis
import os
import re
import sys
import threading
import warnings
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from types import CodeType
from typing import TYPE_CHECKING, Any

from .annotation_scopes import statements_with
from .context import RecompileContext
from .errors import DecompilationError
from .unspellable_names import odd_names, with_odd_globals, with_odd_variables

if TYPE_CHECKING:
    from typing_extensions import TypeIs

__all__ = ["context_of", "is_function", "recompile"]

_CO_OPTIMIZED, _CO_NEWLOCALS, _CO_NESTED, _CO_ITERABLE_COROUTINE = 0x1, 0x2, 0x10, 0x100
# Flags that the text of a function does not determine: types.coroutine sets CO_ITERABLE_COROUTINE at run time.
_FLAGS_NOT_IN_TEXT = _CO_NESTED | _CO_ITERABLE_COROUTINE
_COROUTINES = 0x80 | 0x200  # Include/cpython/code.h: CO_COROUTINE, CO_ASYNC_GENERATOR
_FUTURE_MASK = 0x1FE0000  # Include/cpython/code.h: CO_FUTURE_DIVISION ... CO_FUTURE_ANNOTATIONS
_OUTER = "__depyf_outer"
COMPREHENSIONS: Mapping[str, type[ast.expr]] = {  # names of their code objects
    "<listcomp>": ast.ListComp,
    "<setcomp>": ast.SetComp,
    "<dictcomp>": ast.DictComp,
    "<genexpr>": ast.GeneratorExp,
}
# The names that codegen_class_body (Python/codegen.c) assigns first in a class body.
_CLASS_BEGINS = ("__module__", "__qualname__", "__firstlineno__")
_SOME_CLASS = "_"  # private names are not mangled in a class whose name consists of underscores
# The warning filters are process-wide: two of our own changes must not interleave.
_warnings_lock = threading.Lock()


def _after_fork() -> None:
    global _warnings_lock
    _warnings_lock = threading.Lock()  # another thread of the parent may have held it


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_after_fork)


def is_function(code: CodeType) -> bool:
    """Returns whether the code is that of a function, lambda, comprehension or generator, not of a module or class."""
    return code.co_flags & (_CO_OPTIMIZED | _CO_NEWLOCALS) == _CO_OPTIMIZED | _CO_NEWLOCALS


def _is_class_body(code: CodeType) -> bool:
    return not is_function(code) and code.co_name.isidentifier()


def context_of(code: CodeType, qualname: str = "") -> RecompileContext:
    """Derives the surroundings of a code object from the code object and the qualified name of its function."""
    return RecompileContext(
        free_variables=code.co_freevars,
        class_name=_class_name(code, qualname),
        imports=tuple(sorted(_module_imports(code))),
        future_flags=code.co_flags & _FUTURE_MASK,
    )


def _class_name(code: CodeType, qualname: str) -> str:
    """Returns the class in which a function was defined: the last but one part of its qualified name.

    Returns "" if there is none.
    """
    qualname = getattr(code, "co_qualname", "") or qualname
    parts = qualname.split(".")
    in_class = is_function(code) and len(parts) > 1 and parts[-2].isidentifier()
    if code.co_name == "__annotate__":  # from 3.15 on, its qualified name contains that of the function
        in_class = "__classdict__" in code.co_freevars
    if in_class:
        return parts[-2] if len(parts) > 1 else _SOME_CLASS
    # A function that has free variables but is not nested must be in a class body, whose name does not matter.
    return _SOME_CLASS if is_function(code) and code.co_freevars and not code.co_flags & _CO_NESTED else ""


def _module_imports(root: CodeType) -> set[str]:
    """Returns the names that the module imports, as far as the bytecode shows it (3.11 and later).

    If the module imports `name`, the compiler translates `name.f()` to an attribute access and a call instead of a
    method call (`is_import_originated` in Python/compile.c).
    """
    imported: set[str] = set()
    not_imported: set[str] = set()
    todo = [root] if sys.version_info >= (3, 11) else []
    while todo:
        code = todo.pop()
        todo.extend(const for const in code.co_consts if _is_code(const))
        rows = [("", 0), *_operations(code), ("", 0), ("", 0)]
        for (previous, _), (operation, argument), (access, kind), (following, _) in zip(
            rows, rows[1:], rows[2:], rows[3:]
        ):
            name = _loaded(code, operation, argument)
            if not name:
                continue
            has_null = previous == "PUSH_NULL" or (operation == "LOAD_GLOBAL" and bool(argument & 1))
            if access == "LOAD_METHOD" or (access == "LOAD_ATTR" and sys.version_info >= (3, 12) and kind & 1):
                not_imported.add(name)
            elif access == "LOAD_ATTR" and (following == "PUSH_NULL" if sys.version_info >= (3, 13) else has_null):
                imported.add(name)
    return imported - not_imported


def _loaded(code: CodeType, operation: str, argument: int) -> str:
    """Returns the name of the variable that an operation loads, or loads last, in any scope; "" if it loads none."""
    if operation == "LOAD_GLOBAL":
        return _item_at(code.co_names, argument >> 1) or ""  # the lowest bit tells whether a NULL is pushed, too
    if operation == "LOAD_NAME":
        return _item_at(code.co_names, argument) or ""
    if "LOAD_FAST" in operation:  # the argument of a superinstruction contains two indices
        argument = argument & 15 if operation.count("_FAST") > 1 else argument
    elif operation != "LOAD_DEREF":
        return ""
    cells = tuple(name for name in code.co_cellvars if name not in code.co_varnames)
    slots = (*code.co_varnames, *cells, *code.co_freevars)
    return _item_at(slots, argument) or ""


def _item_at(items: tuple[Any, ...], index: int) -> Any:
    """Returns the item at an index, or None: hand-made bytecode may refer to items that do not exist."""
    return items[index] if index < len(items) else None


def _operations(code: CodeType) -> Iterator[tuple[str, int]]:
    """Yields names and arguments of instructions. `dis` would call `repr` on every constant, also on live objects."""
    extended = 0
    units = code.co_code
    for offset in range(0, len(units), 2):
        operation, argument = dis.opname[units[offset]], units[offset + 1] | extended
        extended = argument << 8 if operation == "EXTENDED_ARG" else 0
        if operation not in ("CACHE", "EXTENDED_ARG"):
            yield operation, argument


RECOMPILED = "<depyf>"
"""The `co_filename` of code objects whose text is not in a file."""


def recompile(text: str, context: RecompileContext, original: CodeType, filename: str = RECOMPILED) -> CodeType:
    """Compile `text` in the surroundings given by `context`, and return the code object that corresponds to `original`.

    Raises:
        DecompilationError: The text has no function or class body that corresponds to `original`.
        ValueError: The compiler folded the literal of a live object into another constant.
        SyntaxError: The text does not compile.

    """
    stubs = _import_stubs(context)
    if _is_class_body(original):
        return _renamed(_compiled_class_body(text, context, original, filename, stubs), original)
    if not is_function(original):  # the text of a module has its own imports
        module = _compile(text, context, original, filename, lambda body: body)
        return _renamed(module, original)

    code, is_enclosing = _compiled_function(text, context, original, filename, stubs)
    if code is not None and is_enclosing:
        code = next((c for c in reversed(code.co_consts) if _is_code(c) and c.co_name == original.co_name), None)
    if code is None:
        raise DecompilationError(original, None, "the text contains no function of its own")
    unused = [] if is_enclosing else _unused_variables(original, code)
    if unused:
        code = _compiled_function(text, context, original, filename, stubs, unused)[0] or code
    return _renamed(code, original)


def _compiled_function(
    text: str,
    context: RecompileContext,
    original: CodeType,
    filename: str,
    stubs: list[ast.stmt],
    added: Sequence[ast.stmt] = (),
) -> tuple[CodeType | None, bool]:
    """Compiles the last function in `text`, with the statements `added` at the end of its body.

    Returns:
        The code of the function, None if there is none; and whether the function only contains the text of `original`.

    """
    name, is_enclosing = "", False

    def wrap(body: list[ast.stmt]) -> list[ast.stmt]:
        nonlocal name, is_enclosing
        functions = [s for s in body if isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef))]
        if not functions:
            return body
        last = functions[-1]
        name, is_enclosing = last.name, _encloses(last, original)
        last.body.extend(added)
        scope = statements_with(last, original)
        inner: list[ast.stmt] = [*functions[:-1], *([last] if scope is None else scope)]
        return [*stubs, *(s for s in body if s not in functions), *_in_surroundings(inner, context, original)]

    module = _compile(text, context, original, filename, wrap)
    return _find(module, name), is_enclosing


def _encloses(function: ast.FunctionDef | ast.AsyncFunctionDef, original: CodeType) -> bool:
    """Returns whether `original` is a comprehension or type parameter scope that the function in the text contains."""
    last = function.body[-1]
    kind = COMPREHENSIONS.get(original.co_name)
    if kind is not None:
        return isinstance(last, ast.Return) and isinstance(last.value, kind)
    return original.co_name.startswith("<generic parameters of ")


def _is_code(value: object) -> TypeIs[CodeType]:
    """Returns whether a constant is a code object.

    Not `isinstance`: the `__class__` of a live object may lie or raise.
    """
    return type(value) is CodeType


def _compiled_class_body(
    text: str, context: RecompileContext, original: CodeType, filename: str, stubs: list[ast.stmt]
) -> CodeType:
    """Compiles a class with the body `text`, minus the assignments that the compiler adds at its beginning and end."""

    def wrap(body: list[ast.stmt]) -> list[ast.stmt]:
        statements = list(body)
        while statements and _stored_name(statements[0]) in _CLASS_BEGINS:
            del statements[0]
        while statements and _stored_name(statements[-1]) == "__static_attributes__":
            del statements[-1]
        outer, _, path = _class_qualname(original).rpartition(".<locals>.")
        inner: list[ast.stmt] = [_class_of(original.co_name, statements or ast.parse("pass").body)]
        for name in reversed(path.split(".")[:-1]):
            inner = [_class_of(name, inner)]
        return [*stubs, *([_outer_function(context.free_variables, inner)] if outer else inner)]

    module = _compile(text, context, original, filename, wrap)
    class_body = _find(module, original.co_name, _is_class_body)
    if class_body is None:
        raise DecompilationError(original, None, "the text is not a class body")
    return class_body


def _class_qualname(code: CodeType) -> str:
    """Returns the constant that a class body stores as `__qualname__`; "" if there is none."""
    loaded: Any = ""
    for operation, argument in _operations(code):
        if operation == "STORE_NAME" and _item_at(code.co_names, argument) == "__qualname__":
            return loaded if type(loaded) is str else ""
        loaded = _item_at(code.co_consts, argument) if operation == "LOAD_CONST" else ""
    return ""


def _stored_name(statement: ast.stmt) -> str:
    """Returns the variable that a statement assigns to; "" if it is not an assignment to one variable."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
        return target.id if isinstance(target, ast.Name) else ""
    return ""


def _unused_variables(original: CodeType, code: CodeType) -> list[ast.stmt]:
    """Dead code that adds the free and cell variables of `original` that `code` lacks.

    Dynamo keeps such variables in its code even if nothing uses them.
    """
    free = [name for name in original.co_freevars if name not in code.co_freevars]
    cells = [name for name in original.co_cellvars if name not in code.co_cellvars]
    lines = [*free, *(f"lambda: {name}" for name in cells)]
    return ast.parse("if 0:\n" + "".join(f"    {line}\n" for line in lines)).body if lines else []


def _compile(
    text: str,
    context: RecompileContext,
    original: CodeType,
    filename: str,
    wrap: Callable[[list[ast.stmt]], list[ast.stmt]],
) -> CodeType:
    """Compiles `text`, whose statements `wrap` surrounds, to the code object of a module."""
    flags = context.future_flags & _FUTURE_MASK
    if original.co_flags & _COROUTINES and not original.co_flags & _CO_NEWLOCALS:  # an IPython cell that awaits
        flags |= ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    named = re.match(r"# mode: (single|eval)\n", text)  # include/depyf/mode.h
    mode = named[1] if named else "exec"
    with _without_warnings(filename):  # the author of the original source has already seen them
        tree = with_odd_globals(ast.parse(text, filename), odd_names(original))
        tokens = _Tokens(context.opaque, tree)
        tree = tokens.visit(tree)
        tree.body = wrap(tree.body)
        ast.fix_missing_locations(tree)
        # optimize=0 even under -O: text from optimized code has no asserts or docstrings that could be removed.
        program: ast.Module | ast.Interactive | ast.Expression = tree
        if mode == "single":
            program = ast.Interactive(tree.body)
        elif mode == "eval" and isinstance(value := tree.body[0], ast.Expr):
            program = ast.Expression(value.value)
        code = compile(program, filename, mode, flags, True, optimize=0)
    return tokens.exchange(code) if tokens.used else code


@contextlib.contextmanager
def _without_warnings(filename: str) -> Iterator[None]:
    """Suppresses warnings of the compiler about one file inside the block.

    `warnings.catch_warnings` would change the version of the filters, so that warnings that are shown once would be
    shown again. It would also silence other threads.
    """
    if getattr(sys.flags, "context_aware_warnings", False):  # then catch_warnings affects this thread only
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
        return
    module = re.compile(re.escape(filename[:-3] if filename.endswith(".py") else filename))
    ours = ("ignore", None, Warning, module, 0)
    with _warnings_lock:
        filters: Any = warnings.filters
        changed: Any = [ours, *filters]
        warnings.filters = changed
        try:
            yield
        finally:
            changed.remove(ours)  # code that saved this list meanwhile may install it again
            if warnings.filters is changed:
                if changed != filters:  # another thread added a filter
                    filters[:] = changed
                warnings.filters = filters


class _Tokens(ast.NodeTransformer):
    """Replaces each name that represents a live object by a unique bytes literal, its token."""

    def __init__(self, names: Mapping[str, Any], tree: ast.AST) -> None:
        self.names = names
        self.prefix = b"\0depyf"
        self.used: dict[bytes, Any] = {}
        existing = (
            [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, bytes)]
            if names
            else []
        )
        while any(self.prefix in value for value in existing):
            self.prefix += b"\0"

    def visit(self, node: ast.AST) -> Any:
        return super().visit(node) if self.names else node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._exchange(node, node.id)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        dotted = _dotted(node)
        if dotted is not None and dotted in self.names:
            return self._exchange(node, dotted)
        return self.generic_visit(node)  # type: ignore[return-value]

    def _exchange(self, node: ast.Name | ast.Attribute, name: str) -> ast.expr:
        if name not in self.names or not isinstance(node.ctx, ast.Load):
            return node
        token = self.prefix + b" " + name.encode()
        self.used[token] = self.names[name]
        return ast.copy_location(ast.Constant(token), node)

    def exchange(self, code: CodeType) -> CodeType:
        """Returns the code with the live objects in place of their tokens."""
        missing = set(self.used)
        exchanged = self._in_code(code, missing)
        if missing:
            raise ValueError("a live constant was folded away by the compiler")
        return exchanged

    def _in_code(self, code: CodeType, missing: set[bytes]) -> CodeType:
        return code.replace(co_consts=tuple(self._in_constant(value, missing) for value in code.co_consts))

    def _in_constant(self, value: Any, missing: set[bytes]) -> Any:
        if _is_code(value):
            return self._in_code(value, missing)
        if type(value) is bytes and self.prefix in value:
            missing.discard(value)
            return self.used[value]  # KeyError: the token was folded into another constant
        if type(value) in (tuple, frozenset):
            return type(value)(self._in_constant(item, missing) for item in value)
        return value


def _dotted(node: ast.expr) -> str | None:
    """Returns the dotted name that an expression consists of; None for other expressions."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return ".".join([node.id, *reversed(parts)])


def _import_stubs(context: RecompileContext) -> list[ast.stmt]:
    # From 3.11 on, a module-level import, even in dead code, changes how `mod.f()` is compiled in the whole module.
    written = [s for s in context.imports if s.startswith(("import ", "from "))]
    stubs: list[ast.stmt] = [
        ast.Import([ast.alias(s)]) for s in context.imports if s not in written
    ]  # any name will do
    stubs += ast.parse("\n".join(written)).body
    return [ast.If(ast.Constant(0), stubs, [])] if stubs else []


def _in_surroundings(body: list[ast.stmt], context: RecompileContext, original: CodeType) -> list[ast.stmt]:
    """Places the definitions of `body` in a class and in a function with the free variables, as in the original.

    CO_NESTED tells whether there was an enclosing function: the `__class__` of a method needs only the class. The
    class has a name that does not mangle, because the text of a single function has private names in mangled form,
    and Dynamo adds names such as `__compiled_fn_0`, which are not mangled.
    """
    if body and context.class_name:
        body = [_class_of(_SOME_CLASS, body)]
    outer = [name for name in context.free_variables if name != "__class__"]
    if body and (original.co_flags & _CO_NESTED or outer):
        body = [_outer_function(context.free_variables, body)]
    return body


def _class_of(name: str, body: list[ast.stmt]) -> ast.stmt:
    holder = ast.parse("class X: pass").body[0]
    assert isinstance(holder, ast.ClassDef)
    holder.name, holder.body = name, body
    return holder


def _outer_function(free_variables: Iterable[str], body: list[ast.stmt]) -> ast.stmt:
    holder = ast.parse(f"def {_OUTER}(): pass").body[0]
    assert isinstance(holder, ast.FunctionDef)
    holder.args.args = [ast.arg(arg=name) for name in free_variables]
    holder.body = body
    return holder


def _find(module: CodeType, name: str, kind: Callable[[CodeType], bool] = is_function) -> CodeType | None:
    """Returns the last code object with this kind and name, in the outermost scope that has one.

    Returns None if there is none.
    """
    level = [module]
    while level:
        children = [c for code in level for c in code.co_consts if _is_code(c)]
        named: list[CodeType] = [c for c in children if c.co_name == name and kind(c)]
        if named:
            return named[-1]
        level = children
    return None


def _renamed(code: CodeType, original: CodeType) -> CodeType:
    """Returns `code` with the name and the qualified names of `original`, nested code objects included."""
    flags = code.co_flags & ~_FLAGS_NOT_IN_TEXT | original.co_flags & _FLAGS_NOT_IN_TEXT
    code = with_odd_variables(code, original)
    code = code.replace(co_name=original.co_name, co_flags=flags)
    if sys.version_info >= (3, 11):
        live = {id(value) for value in original.co_consts if _is_code(value)}
        return _inner_requalified(_requalified(code, code.co_qualname, original.co_qualname, live), original, live)
    if _is_class_body(code):
        return _requalified_constants(code, _class_qualname(code), _class_qualname(original))
    ours, theirs = _prefix_below(code), _prefix_below(original)
    ours, theirs = ours and ours + ".<locals>", theirs and theirs + ".<locals>"
    return _requalified_constants(code, ours, theirs) if ours and theirs else code


def _inner_requalified(code: CodeType, original: CodeType, live: Container[int]) -> CodeType:
    """Gives the code objects nested in `code` the qualified names of those with the same name in `original`.

    Code nested in a resume function is named after the function that it resumes. If Dynamo's code creates a resume
    function itself, the text defines it under a name that the decompiler chose; such functions are paired by order.
    Names that are ambiguous in `original` are not changed.
    """
    names: dict[str, set[str]] = {}
    for value in original.co_consts:
        if _is_code(value):
            names.setdefault(value.co_name, set()).add(value.co_qualname)  # type: ignore[attr-defined, unused-ignore]
    functions = _codes_made(code)
    ours = [c for c in functions if c.co_name.isidentifier() and c.co_name not in names]
    own_names = {c.co_name for c in functions}
    theirs = [c for c in _codes_made(original) if c.co_name not in own_names]
    renamed = (
        {id(code_of_text): code_of_original for code_of_text, code_of_original in zip(ours, theirs)}
        if len(ours) == len(theirs)
        else {}
    )

    def with_new_name(value: Any) -> Any:
        if id(value) in renamed:
            return _inner_requalified(value, renamed[id(value)], live)
        if not _is_code(value) or id(value) in live or len(names.get(value.co_name, ())) != 1:
            return value
        (qualname,) = names[value.co_name]
        return _requalified(value, value.co_qualname, qualname)  # type: ignore[attr-defined, unused-ignore]

    return code.replace(co_consts=tuple(map(with_new_name, code.co_consts)))


def _codes_made(code: CodeType) -> list[CodeType]:
    """Returns the code objects from which `code` creates functions, in the order of its instructions."""
    constants, previous = [], ("", 0)
    for operation in _operations(code):
        if (previous[0], operation[0]) == ("LOAD_CONST", "MAKE_FUNCTION"):
            constants.append(code.co_consts[previous[1]])
        previous = operation
    return [value for value in constants if _is_code(value)]


def _requalified(code: CodeType, old: str, new: str, live: Container[int] = ()) -> CodeType:
    """Replaces the qualified name `old` by `new` in `code` and in what it nests, except the code objects in `live`."""
    qualname: str = code.co_qualname  # type: ignore[attr-defined, unused-ignore]
    inside = qualname == old or qualname.startswith(old + ".")
    requalified = new + qualname[len(old) :] if inside else qualname

    def with_new_name(value: Any) -> Any:  # a live code object that the text names stays the same object
        if _is_code(value) and id(value) not in live:
            return _requalified(value, old, new)
        return requalified if value is qualname_constant else value

    strings = (c for c in code.co_consts if type(c) is str and c == qualname) if _is_class_body(code) else ()
    qualname_constant = next(
        iter(strings), code
    )  # a class body stores it as `__qualname__`; else no constant is `code`
    changes: dict[str, Any] = {"co_qualname": requalified}
    return code.replace(co_consts=tuple(map(with_new_name, code.co_consts)), **changes)


_LOCALS = re.compile(r"\A(.*)\.<locals>\.[^.]*\Z", re.DOTALL)


def _prefix_below(code: CodeType) -> str:
    """Returns what precedes `.<locals>.` in a nested qualified name, up to 3.10 a constant after the code object."""
    for child, name in zip(code.co_consts, code.co_consts[1:]):
        if _is_code(child) and isinstance(name, str) and (match := _LOCALS.match(name)):
            return match[1]
    return ""


def _requalified_constants(code: CodeType, old: str, new: str) -> CodeType:
    """Replaces the qualified name `old` by `new` in all string constants (3.10)."""

    def with_new_name(value: Any) -> Any:
        if _is_code(value):
            return _requalified_constants(value, old, new)
        if isinstance(value, str) and (value == old or value.startswith(old + ".")):
            return new + value[len(old) :]
        return value

    return code.replace(co_consts=tuple(map(with_new_name, code.co_consts)))
