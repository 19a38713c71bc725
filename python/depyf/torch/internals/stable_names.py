# SPDX-License-Identifier: MIT
"""Names of torch's globals as dumped files spell them: the same in each run, without uuids and addresses of objects.

torch names what it adds to a program's globals `__compiled_fn_1_<uuid>` and `__optimizer_<address>_c0/0`. Invariant: a
name that torch did not make stays as it is; in one process two names of torch's never become one.
"""

from __future__ import annotations

import contextlib
import os
import re
import threading
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from types import CodeType
from typing import Any

_COMPILED = r"(?P<compiled>__compiled_fn_-?\d+)_[0-9a-f]{8}(?:_[0-9a-f]{4}){3}_[0-9a-f]{12}"
_BY_ADDRESS = (
    r"(?P<prefix>__optimizer|torch_obj|__dtensor_spec|___check_metadata|___check_opaque_guard_fn|"
    r"[^\W\d]\w*?(?=(?:_\d{9,})+_c!?\d))(?P<addresses>(?:_\d{9,})+)(?P<compilation>(?:_c!?\d+(?:/\d+)*)?)"
)
_NAME = re.compile(rf"(?<!\w)(?:{_COMPILED}|{_BY_ADDRESS})(?![0-9a-f])")
_HEXADECIMAL = re.compile(r"\b0x[0-9a-f]{6,}\b")
_CHECKED_ID = re.compile(r"(\b___check_\w+\(.*?, )\d{9,}(?=[,)])")
_GRAPH_ID = re.compile(r"[ \t]*# graph id: \d+[ \t]*\n?")
SHORTEST = 1 << 32  # what is printed of an object's address is at least that large, where it is not in hexadecimal


class _Table:
    """What the names of this process were called, so that each keeps its own."""

    def __init__(self, known: Mapping[str, str] | None = None) -> None:
        """`known`: names of dumped files, and what torch called these."""
        self._lock = threading.Lock()
        self._real: dict[str, str] = dict(known or {})
        self._stable: dict[str, str] = {real: name for name, real in self._real.items()}  # torch's name -> ours
        self._numbers: dict[str, int] = {}  # an address in a name -> in which order it was met

    def unlock(self) -> None:
        """In the child of a fork: another thread of the parent may have held the lock."""
        self._lock = threading.Lock()

    def stable(self, name: str) -> str:
        with self._lock:
            known = self._stable.get(name)
            if known is None:
                known = self._free(_NAME.sub(self._shortened, name))
                self._stable[name], self._real[known] = known, name
            return known

    def _shortened(self, match: re.Match[str]) -> str:
        if match["compiled"]:
            return match["compiled"]
        addresses = match["addresses"].split("_")[1:]
        numbers = (str(self._numbers.setdefault(a, len(self._numbers))) for a in addresses)
        return "_".join([match["prefix"], *numbers]) + match["compilation"]

    def _free(self, name: str) -> str:
        """torch counts its names up in one process; a function that another process compiled may bring one again."""
        found, number = name, 2
        while found in self._real:
            found, number = f"{name}_{number}", number + 1
        return found

    def real(self, name: str) -> str | None:
        with self._lock:
            return self._real.get(name)


_of_this_process = _Table()
if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_of_this_process.unlock)
_chosen: ContextVar[_Table | None] = ContextVar("names of torch's globals", default=None)


def _table() -> _Table:
    return _chosen.get() or _of_this_process


@contextlib.contextmanager
def as_written(names: Mapping[str, str]) -> Iterator[None]:
    """Has names mean what they meant to another process, for a block: name in a dump -> its name there."""
    before = _chosen.set(_Table(names))
    try:
        yield
    finally:
        _chosen.reset(before)


def stable(name: str) -> str:
    """The name that dumped files have for a global; the same name if torch did not make it."""
    return _table().stable(name) if _NAME.search(name) else name


def stable_text(text: str) -> str:
    """A text with torch's names in it as dumped files spell them."""
    return _NAME.sub(lambda match: _table().stable(match[0]), text)


def without_addresses(text: str) -> str:
    """A text of torch's without its uuids, addresses and ids of graphs, for a reader."""
    return stable_text(_HEXADECIMAL.sub("0x…", _GRAPH_ID.sub("", text)))


def without_identities(text: str) -> str:
    """What torch or an object says of itself, for a reader: without addresses and ids of objects, too."""
    return without_addresses(_CHECKED_ID.sub(r"\1<id>", text))


def real_name(name: str, scope: Mapping[str, Any]) -> str | None:
    """What `scope`, the globals of a program, has under the name that a dumped file uses; None if it has nothing."""
    if name in scope:
        return name
    known = _table().real(name)
    if known is not None and known in scope:
        return known
    found = [key for key in scope if isinstance(key, str) and (m := _NAME.fullmatch(key)) and m["compiled"] == name]
    return found[0] if len(found) == 1 else None  # of a program that is run again


class StableGlobals(Mapping[str, Any]):
    """A program's globals, found under the names of dumped files too."""

    def __init__(self, scope: Mapping[str, Any]) -> None:
        self._scope = scope

    def __getitem__(self, name: str) -> Any:
        found = real_name(name, self._scope)
        if found is None:
            raise KeyError(name)
        return self._scope[found]

    def __iter__(self) -> Iterator[str]:
        return iter(self._scope)

    def __len__(self) -> int:
        return len(self._scope)


def stable_code(code: CodeType) -> CodeType:
    """A code object that names globals as dumped files do; the same one if none is torch's."""
    names = {name: stable(name) for name in code.co_names}
    taken = {*code.co_names, *code.co_varnames, *code.co_freevars, *code.co_cellvars}
    renamed = {name: new for name, new in names.items() if new != name and new not in taken}
    return _with_names(code, renamed) if renamed else code


def real_code(code: CodeType, like: CodeType) -> CodeType:
    """Turns `stable_code(like)`, or what a compiler made of its text, back: it names the globals that `like` does."""
    names = {new: name for name in like.co_names if (new := stable(name)) != name}
    return _with_names(code, names) if any(name in names for name in code.co_names) else code


def _with_names(code: CodeType, names: Mapping[str, str]) -> CodeType:
    return code.replace(co_names=tuple(names.get(name, name) for name in code.co_names))
