# SPDX-License-Identifier: MIT
"""The dump folder: files that are either complete or absent, shared safely by several processes.

Invariant: a file appears under its final name only with its full content (temporary file, then link or rename). An
existing file with different content is never overwritten, except through `replace` by the session that wrote it.
Apart from running numbers, the names of files are chosen elsewhere.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import re
import shutil
import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path

_UNSAFE = re.compile(r"[^A-Za-z0-9_.\-]+")
_temporary = itertools.count()
_digests: dict[str, dict[str, str]] = {}  # real path of a folder -> file -> digest, for files written by this process
if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_digests.clear)


def digest_of(data: bytes) -> str:
    """Returns the digest by which a file that depyf wrote is distinguished from one that was edited since."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def digests(folder: Path) -> dict[str, str]:
    """Returns the digests of all files that this process has written into a folder, through any `DumpFolder`."""
    return dict(_digests.get(os.path.realpath(folder), {}))


def safe_name(name: str) -> str:
    """Returns a recognizable form of a name that is valid in file names on every system."""
    return _UNSAFE.sub("_", name)[:120] or "_"


def _has_content(file: Path, data: bytes) -> bool:
    with contextlib.suppress(OSError):
        return file.stat().st_size == len(data) and file.read_bytes() == data
    return False


def _digest_in(file: Path) -> str:
    with contextlib.suppress(OSError):
        return digest_of(file.read_bytes())
    return ""


def write_whole(path: Path, text: str) -> None:
    """Writes a file that the user has named: it has the whole text, or is as before.

    Raises:
        OSError: The file cannot be written, for example because the disk is full; it names the file.

    """
    target, data = Path(os.path.realpath(path)), text.encode("utf-8", "surrogateescape")
    try:
        if path.exists() and not path.is_file():  # for example /dev/stdout
            path.write_bytes(data)
            return
        temporary = os.path.join(target.parent, _temporary_name())
        try:
            _write_new(temporary, data)
            if target.exists():
                shutil.copymode(target, temporary)
            os.replace(temporary, target)
        finally:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def _temporary_name() -> str:
    return f".{os.getpid()}-{threading.get_ident()}-{next(_temporary)}.tmp"


def _write_new(path: str, data: bytes) -> None:
    with open(path, "wb", buffering=0) as file:
        unwritten = memoryview(data)
        while unwritten:
            unwritten = unwritten[file.write(unwritten) :]


@dataclass
class _Numbered:
    """The files of one template. Numbers below `following` are in use."""

    following: int = 0
    holding: dict[str, Path] = field(default_factory=dict)  # digest -> file with that content


class DumpFolder:
    """One folder of dumped files. Paths are absolute with links unresolved, because debuggers compare them so."""

    def __init__(self, path: str | os.PathLike[str], when_used: Callable[[Path], object] | None = None) -> None:
        """`when_used` creates the folder when the first file is written; without it, the folder is created now."""
        self.path = Path(os.path.abspath(os.fspath(path)))
        self._make = when_used
        if when_used is None:
            self.path.mkdir(parents=True, exist_ok=True)
        self.written: set[Path] = set()
        self._lock = threading.Lock()
        self._numbered: dict[str, _Numbered] = {}  # by template
        self._template_of: dict[Path, _Numbered] = {}

    def write_numbered(self, template: str, content: str | bytes, of_others: Collection[Path] = ()) -> Path:
        """Writes to `template % i` for the first i that is free or whose file has this content.

        `of_others` are files that are never reused, even if they have this content.
        """
        data = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
        digest = digest_of(data)
        with self._lock:
            numbered = self._numbered.setdefault(template, _Numbered())
            same = numbered.holding.get(digest)
        if same is not None and same not in of_others and _has_content(same, data):
            return self._remember(same, data)
        if same is not None:
            numbered.holding.pop(digest, None)  # edited or rewritten since, or in `of_others`
        temporary = self._write_temporary(data)
        try:
            for i in itertools.count(numbered.following):
                target = self.path / (template % i)
                is_ours = self._publish(temporary, target)
                with self._lock:
                    numbered.following = max(numbered.following, i + 1)
                    self._template_of[target] = numbered
                    if target_digest := digest if is_ours else _digest_in(target):
                        numbered.holding.setdefault(target_digest, target)
                if target_digest == digest and target not in of_others:
                    return self._remember(target, data)
            raise AssertionError("unreachable")
        finally:
            with contextlib.suppress(OSError):
                os.unlink(temporary)

    def replace(self, target: Path, content: str | bytes) -> Path:
        """Writes `target`, replacing an existing file."""
        data = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
        temporary = self._write_temporary(data)
        try:
            os.replace(temporary, target)
        finally:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        return self._remember(target, data)

    def _remember(self, target: Path, data: bytes) -> Path:
        digest, folder = digest_of(data), os.path.realpath(self.path)
        with self._lock:
            self.written.add(target)
            _digests.setdefault(folder, {})[target.name] = digest
            if (numbered := self._template_of.get(target)) is not None:
                numbered.holding.setdefault(digest, target)
        return target

    @property
    def is_unused(self) -> bool:
        """Whether the folder is created on first use and no file was written yet."""
        return self._make is not None

    def _write_temporary(self, data: bytes) -> str:
        """Writes a new file with a temporary name in the folder, which is created if needed; returns its path."""
        if self._make is not None:
            self._make(self.path)
            self._make = None
        temporary = os.path.join(self.path, _temporary_name())
        try:
            try:
                _write_new(temporary, data)
            except FileNotFoundError:  # the folder does not exist yet, or was deleted
                self.path.mkdir(parents=True, exist_ok=True)
                _write_new(temporary, data)
        except BaseException:  # a full disk, ^C
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
        return temporary

    @staticmethod
    def _publish(temporary: str, target: Path) -> bool:
        """Gives the finished file its name; returns False if another file has it."""
        try:
            os.link(temporary, target)  # atomic and refuses an existing name, which rename does not
        except FileExistsError:
            return False
        except OSError:  # a file system without links
            if target.exists():
                return False
            os.replace(temporary, target)
        return True
