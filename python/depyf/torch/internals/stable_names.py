# SPDX-License-Identifier: MIT
"""Stable names for torch's globals in dumped files: the same in each run, without uuids and addresses.

torch adds globals such as `__compiled_fn_1_<uuid>` and `__optimizer_<address>_c0/0` to a program. Invariant: names that
torch did not generate are not changed; in one process, two names of torch never get the same stable name.
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
SHORTEST = 1 << 32  # a decimal number must be at least this large to be recognized as an address


class _Table:
    """The stable names assigned so far, so that each name of torch keeps its own."""

    def __init__(self, names: Mapping[str, str] | None = None) -> None:
        """`names` has the names of torch by the stable names in dumped files."""
        self._lock = threading.Lock()
        self._real: dict[str, str] = dict(names or {})
        self._stable: dict[str, str] = {real: name for name, real in self._real.items()}  # by names of torch
        self._numbers: dict[str, int] = {}  # the number of each address, in order of first use

    def unlock(self) -> None:
        """Replaces the lock in the child process of a fork, because another thread of the parent may have held it."""
        self._lock = threading.Lock()

    def stable(self, name: str) -> str:
        with self._lock:
            stable = self._stable.get(name)
            if stable is None:
                stable = self._free(_NAME.sub(self._shortened, name))
                self._stable[name], self._real[stable] = stable, name
            return stable

    def _shortened(self, match: re.Match[str]) -> str:
        if match["compiled"]:
            return match["compiled"]
        addresses = match["addresses"].split("_")[1:]
        numbers = (str(self._numbers.setdefault(a, len(self._numbers))) for a in addresses)
        return "_".join([match["prefix"], *numbers]) + match["compilation"]

    def _free(self, name: str) -> str:
        """Returns a stable name that is not in use. Functions compiled by another process may have the same numbers."""
        free, number = name, 2
        while free in self._real:
            free, number = f"{name}_{number}", number + 1
        return free

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
    """Uses the names of another process inside the block; `names` has the names of torch there by stable name."""
    token = _chosen.set(_Table(names))
    try:
        yield
    finally:
        _chosen.reset(token)


def stable(name: str) -> str:
    """Returns the stable name of a global; the same name if torch did not generate it."""
    return _table().stable(name) if _NAME.search(name) else name


def stable_text(text: str) -> str:
    """Replaces the names of torch in a text by stable names."""
    return _NAME.sub(lambda match: _table().stable(match[0]), text)


def without_addresses(text: str) -> str:
    """Returns a text of torch for users, without uuids, addresses and graph ids."""
    return stable_text(_HEXADECIMAL.sub("0x…", _GRAPH_ID.sub("", text)))


def without_identities(text: str) -> str:
    """Returns a text of torch or the `repr` of an object for users, without uuids, addresses and ids of objects."""
    return without_addresses(_CHECKED_ID.sub(r"\1<id>", text))


def real_name(name: str, scope: Mapping[str, Any]) -> str | None:
    """Returns the name in `scope`, the globals of a program, of a global that has a name in a dumped file.

    Returns None if missing.
    """
    if name in scope:
        return name
    real = _table().real(name)
    if real is not None and real in scope:
        return real
    # The dump may come from an earlier run of the program, in which the uuid was different.
    matching = [key for key in scope if isinstance(key, str) and (m := _NAME.fullmatch(key)) and m["compiled"] == name]
    return matching[0] if len(matching) == 1 else None


class StableGlobals(Mapping[str, Any]):
    """The globals of a program, which can also be accessed by the names in dumped files."""

    def __init__(self, scope: Mapping[str, Any]) -> None:
        self._scope = scope

    def __getitem__(self, name: str) -> Any:
        key = real_name(name, self._scope)
        if key is None:
            raise KeyError(name)
        return self._scope[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._scope)

    def __len__(self) -> int:
        return len(self._scope)


def stable_code(code: CodeType) -> CodeType:
    """Returns the code with stable names for globals; the same object if torch generated none of the names."""
    names = {name: stable(name) for name in code.co_names}
    used = {*code.co_names, *code.co_varnames, *code.co_freevars, *code.co_cellvars}
    renamed = {name: new for name, new in names.items() if new != name and new not in used}
    return _with_names(code, renamed) if renamed else code


def real_code(code: CodeType, like: CodeType) -> CodeType:
    """Returns the inverse of `stable_code`: returns the code with the names of globals that `like` has.

    `code` is `stable_code(like)`, or was compiled from its text.
    """
    names = {new: name for name in like.co_names if (new := stable(name)) != name}
    return _with_names(code, names) if any(name in names for name in code.co_names) else code


def _with_names(code: CodeType, names: Mapping[str, str]) -> CodeType:
    return code.replace(co_names=tuple(names.get(name, name) for name in code.co_names))
