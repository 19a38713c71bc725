# SPDX-License-Identifier: MIT
"""Extracts the code in an executable made by PyInstaller as `.pyc` files.

Such an executable ends with an archive in PyInstaller's own format (CArchive): the entries, their table, and a cookie
that gives the position of the table. Scripts are entries; modules are in an entry that is an archive itself (PYZ),
which may also be a separate file. See "Bootloader" and "PyInstaller Archives" in PyInstaller's documentation (Advanced
Topics).
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
_COOKIE_LENGTHS = (24, 88)  # up to PyInstaller 2.0 without the name of the library, later with it
_ENTRY = struct.Struct("!IIIIBc")  # length of this entry, offset, size, uncompressed size, is compressed, kind
_PYZ_MAGIC = b"PYZ\0"
_PYZ_KIND, _SCRIPT, _MODULE, _PACKAGE = b"z", b"s", b"m", b"M"  # kinds of entries; others are libraries and data
_IS_MODULE, _IS_PACKAGE = 0, 1  # kinds in the table of a PYZ archive
_END_OF_ZIP = b"PK\5\6"
_MOST_BYTES = 1 << 28  # limit for one code object: a larger one is an attempt to exhaust memory


@dataclass(frozen=True)
class _Entry:
    name: str
    kind: bytes
    data: bytes


def is_bundle(path: Path) -> bool:
    """Returns whether a file ends with an archive of PyInstaller, or is a PYZ archive.

    A zip archive may contain an executable, and an executable a zip archive: the end marker that comes last decides.
    """
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            if data[2:4] == b"\r\n":  # a .pyc file, whose constants may contain these markers
                return False
            return data[:4] == _PYZ_MAGIC or data.rfind(_COOKIE_MAGIC) > data.rfind(_END_OF_ZIP)
    except (OSError, ValueError):  # an empty file cannot be mapped; depyfc reports why others cannot be read
        return False


def unpack(target: str, folder: str) -> None:
    """Writes the code of an executable to a folder. Modules go to a subfolder with the name of their archive.

    Raises:
        BadInput: The file is damaged or encrypted, or has no code.

    """
    data = Path(target).read_bytes()
    try:
        entries = list(_entries(data)) if _COOKIE_MAGIC in data else [_Entry("", _PYZ_KIND, data)]
        archives = [entry for entry in entries if entry.kind == _PYZ_KIND]
        scripts = [entry for entry in entries if entry.kind != _PYZ_KIND]
        if scripts and not archives:
            raise ValueError("it has no archive of modules, which would give the CPython version of its scripts")
        for archive in archives:
            for name, code in _modules(archive.data):
                _write(folder, f"{archive.name}/{name}", archive.data[4:8], code)
        for script in scripts:
            _write(folder, f"{script.name}.pyc", archives[0].data[4:8], script.data)
    except (struct.error, zlib.error, TypeError, ValueError, IndexError, OverflowError, RecursionError) as error:
        raise BadInput(f"{target}: the PyInstaller archive in it is damaged or encrypted: {error}") from error
    if not any(Path(folder).iterdir()):
        raise BadInput(f"{target}: wanted code in the PyInstaller archive, found none")


def _entries(data: bytes) -> Iterator[_Entry]:
    """Yields the scripts and PYZ archives of a CArchive."""
    cookie = data.rfind(_COOKIE_MAGIC)
    _, length, table, size, _ = _COOKIE.unpack_from(data, cookie)
    for cookie_length in _COOKIE_LENGTHS:
        begin = cookie + cookie_length - length
        position, end = begin + table, begin + table + size
        if begin >= 0 and end == cookie:
            break
    else:
        raise ValueError("its table is not where the cookie says")
    while position < end:
        step, offset, packed, _, is_packed, kind = _ENTRY.unpack_from(data, position)
        if step <= _ENTRY.size:
            raise ValueError("an entry of its table has no name")
        name = data[position + _ENTRY.size : position + step].rstrip(b"\0").decode("utf-8", "replace")
        position += step
        if kind in (_PYZ_KIND, _SCRIPT, _MODULE, _PACKAGE):
            raw = data[begin + offset : begin + offset + packed]
            yield _Entry(name, kind, _unpacked(raw) if is_packed else raw)


def _modules(archive: bytes) -> Iterator[tuple[str, bytes]]:
    """Yields the paths and the marshalled code objects of a PYZ archive."""
    if archive[:4] != _PYZ_MAGIC:
        raise ValueError("its archive of modules has a wrong magic number")
    (table,) = struct.unpack_from("!I", archive, 8)
    listed: Any = _Table(archive, table).value()
    for name, (kind, offset, length) in listed.items() if isinstance(listed, dict) else listed:
        if kind not in (_IS_MODULE, _IS_PACKAGE):  # data and namespace packages have no code
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
    """Writes a `.pyc` file, always inside the folder, whatever its name contains."""
    parts = [part for part in PurePosixPath(name.replace("\\", "/")).parts if part not in ("/", "..")]
    path = Path(folder, *(part.replace(":", "_").replace("\0", "_") for part in parts))
    path.parent.mkdir(parents=True, exist_ok=True)
    has_header = code[2:4] == b"\r\n"  # modules that earlier releases store next to the scripts
    path.write_bytes(code if has_header else magic + bytes(12) + code)


class _Table:
    """Reader for the table of a PYZ archive: lists, dicts, tuples, strings and numbers in the format of `marshal`.

    The module `marshal` is not used, because it is not safe for untrusted files: a damaged file may crash Python.
    """

    def __init__(self, data: bytes, position: int) -> None:
        self._data, self._position = data, position
        self._shared: list[Any] = []

    def value(self) -> Any:
        """Reads one value. Raises ValueError if it is cut off or of an unexpected kind."""
        tag = self._take(1)[0]
        kind, is_shared, index = chr(tag & 0x7F), bool(tag & 0x80), len(self._shared)
        if is_shared:
            self._shared.append(None)
        value = self._value_of(kind)
        if is_shared:
            self._shared[index] = value
        return value

    def _value_of(self, kind: str) -> Any:
        """Reads the content of a value whose kind is known; the kinds are the type codes of `marshal`."""
        if kind == "r":
            return self._shared[self._size()]
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
            items: dict[Any, Any] = {}
            while self._data[self._position] != ord("0"):
                key = self.value()
                items[key] = self.value()
            self._take(1)
            return items
        raise ValueError(f"its table has a value of kind {kind!r}")

    def _size(self) -> int:
        return int.from_bytes(self._take(4), "little")

    def _take(self, size: int) -> bytes:
        data = self._data[self._position : self._position + size]
        if len(data) < size:
            raise ValueError("its table is cut off")
        self._position += size
        return data
