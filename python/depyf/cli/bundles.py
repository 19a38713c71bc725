# SPDX-License-Identifier: MIT
"""The code in an executable that PyInstaller made, as `.pyc` files.

Such an executable ends in an archive of PyInstaller's own (CArchive): entries, their table, and a cookie that says
where the table is. Scripts are entries; modules are in one that is an archive itself (PYZ, also a file of its own where
it is taken out). See "Bootloader" and "PyInstaller Archives" in PyInstaller's documentation (Advanced Topics).
"""

from __future__ import annotations

import mmap
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from depyf.cli.errors import BadInput

_COOKIE_MAGIC = b"MEI\014\013\012\013\016"
_COOKIE = struct.Struct("!8sIIII")  # magic, length of the archive, offset and length of the table, version; then a name
_COOKIE_LENGTHS = (24, 88)  # without the library's name, up to PyInstaller 2.0, and with it
_ENTRY = struct.Struct("!IIIIBc")  # length of this entry, offset, length, length when unpacked, whether packed, kind
_PYZ_MAGIC = b"PYZ\0"
_PYZ_KIND, _SCRIPT, _MODULE, _PACKAGE = b"z", b"s", b"m", b"M"  # of entries; others are libraries and data
_IS_MODULE, _IS_PACKAGE = 0, 1  # in an archive of modules
_END_OF_ZIP = b"PK\5\6"
_MOST_BYTES = 1 << 28  # of one code object; more is no program but an attack on memory


@dataclass(frozen=True)
class _Entry:
    name: str
    kind: bytes
    data: bytes


def is_bundle(path: Path) -> bool:
    """Whether a file ends in an archive of PyInstaller's, or is one of its archives of modules.

    A zip archive may hold an executable, and an executable a zip archive: what ends last tells which it is.
    """
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            if data[2:4] == b"\r\n":  # a .pyc may hold what an archive begins or ends with
                return False
            return data[:4] == _PYZ_MAGIC or data.rfind(_COOKIE_MAGIC) > data.rfind(_END_OF_ZIP)
    except (OSError, ValueError):  # an empty file cannot be mapped; depyfc says why another cannot be read
        return False


def unpack(target: str, folder: str) -> None:
    """Writes the code of an executable below a folder: scripts, and in one named after the archive of modules, these.

    Raises:
        BadInput: It is damaged or encrypted, or has no code.

    """
    data = Path(target).read_bytes()
    try:
        entries = list(_entries(data)) if _COOKIE_MAGIC in data else [_Entry("", _PYZ_KIND, data)]
        archives = [entry for entry in entries if entry.kind == _PYZ_KIND]
        scripts = [entry for entry in entries if entry.kind != _PYZ_KIND]
        if scripts and not archives:
            raise ValueError("it has no archive of modules, which would tell of what CPython its scripts are")
        for archive in archives:
            for name, code in _modules(archive.data):
                _write(folder, f"{archive.name}/{name}", archive.data[4:8], code)
        for script in scripts:
            _write(folder, f"{script.name}.pyc", archives[0].data[4:8], script.data)
    except (struct.error, zlib.error, TypeError, ValueError, IndexError, OverflowError, RecursionError) as error:
        raise BadInput(f"{target}: PyInstaller's archive in it is damaged or encrypted: {error}") from error
    if not any(Path(folder).iterdir()):
        raise BadInput(f"{target}: wanted code in PyInstaller's archive, found none")


def _entries(data: bytes) -> Iterator[_Entry]:
    cookie = data.rfind(_COOKIE_MAGIC)
    _, length, table, size, _ = _COOKIE.unpack_from(data, cookie)
    for own in _COOKIE_LENGTHS:
        begin = cookie + own - length
        at, end = begin + table, begin + table + size
        if begin >= 0 and end == cookie:
            break
    else:
        raise ValueError("its table is not where the cookie says")
    while at < end:
        step, offset, packed, _, is_packed, kind = _ENTRY.unpack_from(data, at)
        if step <= _ENTRY.size:
            raise ValueError("an entry of its table has no name")
        name = data[at + _ENTRY.size : at + step].rstrip(b"\0").decode("utf-8", "replace")
        at += step
        if kind in (_PYZ_KIND, _SCRIPT, _MODULE, _PACKAGE):
            raw = data[begin + offset : begin + offset + packed]
            yield _Entry(name, kind, _unpacked(raw) if is_packed else raw)


def _modules(archive: bytes) -> Iterator[tuple[str, bytes]]:
    """Paths and marshalled code objects of an archive of modules."""
    if archive[:4] != _PYZ_MAGIC:
        raise ValueError("its archive of modules does not begin as one does")
    (table,) = struct.unpack_from("!I", archive, 8)
    listed: Any = _Table(archive, table).value()
    for name, (kind, offset, length) in listed.items() if isinstance(listed, dict) else listed:
        if kind not in (_IS_MODULE, _IS_PACKAGE):  # data, and namespace packages, which have no code
            continue
        path = str(name).replace(".", "/")
        ending = "/__init__.pyc" if kind == _IS_PACKAGE else ".pyc"
        yield path + ending, _unpacked(archive[offset : offset + length])


def _unpacked(data: bytes) -> bytes:
    stream = zlib.decompressobj()
    out = stream.decompress(data, _MOST_BYTES)
    if not stream.eof:
        raise ValueError("an entry is cut off, or too large")
    return out


def _write(folder: str, name: str, magic: bytes, code: bytes) -> None:
    """Writes a `.pyc` file; what its name says, it lies below the folder."""
    parts = [part for part in PurePosixPath(name.replace("\\", "/")).parts if part not in ("/", "..")]
    path = Path(folder, *(part.replace(":", "_").replace("\0", "_") for part in parts))
    path.parent.mkdir(parents=True, exist_ok=True)
    has_header = code[2:4] == b"\r\n"  # modules beside the scripts, of earlier releases
    path.write_bytes(code if has_header else magic + bytes(12) + code)


class _Table:
    """The table of an archive of modules: lists, dicts, tuples, strings and numbers in `marshal`'s format.

    `marshal` itself is no reader for files that somebody else made: a damaged one may crash Python.
    """

    def __init__(self, data: bytes, at: int) -> None:
        self._data, self._at = data, at
        self._seen: list[Any] = []

    def value(self) -> Any:
        tag = self._take(1)[0]
        kind, is_shared, own = chr(tag & 0x7F), bool(tag & 0x80), len(self._seen)
        if is_shared:
            self._seen.append(None)
        made = self._value_of(kind)
        if is_shared:
            self._seen[own] = made
        return made

    def _value_of(self, kind: str) -> Any:
        if kind == "r":
            return self._seen[self._size()]
        if kind == "i":
            return int.from_bytes(self._take(4), "little", signed=True)
        if kind in "zZ":
            return self._take(self._take(1)[0]).decode("ascii")
        if kind in "aAut":
            return self._take(self._size()).decode("utf-8", "surrogatepass")
        if kind in ")([":
            size = self._take(1)[0] if kind == ")" else self._size()
            return [self.value() for _ in range(size)]
        if kind == "{":
            made: dict[Any, Any] = {}
            while self._data[self._at] != ord("0"):
                key = self.value()
                made[key] = self.value()
            self._take(1)
            return made
        raise ValueError(f"its table has a value of kind {kind!r}")

    def _size(self) -> int:
        return int.from_bytes(self._take(4), "little")

    def _take(self, size: int) -> bytes:
        taken = self._data[self._at : self._at + size]
        if len(taken) < size:
            raise ValueError("its table is cut off")
        self._at += size
        return taken
