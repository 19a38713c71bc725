# SPDX-License-Identifier: MIT
"""`depyf decompile`, `depyf dis` and `depyf verify`: bytecode of files and of importable functions.

A target is a `.pyc` file of any CPython 3.8-3.15, `module:qualname` (which imports the module), `-`, or for `decompile`
a folder, a zip archive (a wheel, an egg, a zipapp) or an executable made by PyInstaller. What is no function goes
through depyfc: both commands say the same of a file. No torch is imported unless the named module does it.
"""

from __future__ import annotations

import contextlib
import dis as std_dis
import importlib
import importlib.metadata
import importlib.util
import json
import lzma
import marshal
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType
from typing import Any

import depyf
from depyf.cli import bundles, terminal
from depyf.cli.errors import BadInput
from depyf.decompilation.line_table import Location, spans_of_map
from depyf.decompilation.resolve import code_and_function, codes_of

_HEADER = 16  # bytes of a .pyc before the marshalled code object
# What a damaged archive raises, one that is encrypted, or compressed as Python does not know it.
_UNREADABLE = (OSError, EOFError, RuntimeError, NotImplementedError, zipfile.BadZipFile, zlib.error, lzma.LZMAError)
_WANTED = "wanted a .pyc file, a folder, module:qualname or -"


def decompile(target: str, out: str | None, literal: bool, verdict: bool, opcodes: str | None = None) -> int:
    """Prints the source of a target, or writes that of files below a folder.

    Raises:
        BadInput: There is no such target, or it has no code.

    """
    if not _is_function(target):
        return _of_files(target, out, _options(literal, verdict, opcodes))
    for option, value in (("-o", out), ("--opcodes", opcodes)):
        if value is not None:
            raise BadInput(f"{target}: {option} goes with a .pyc file or a folder")
    function = _function(target)
    with _named(target):
        text = depyf.decompile(function, readable=not literal)
    print(text, end="" if text.endswith("\n") else "\n")
    if verdict:
        for each in text.verdicts:
            print(f"{target}: {_told(each, text.codes)}", file=sys.stderr)
    return 0


def dis(target: str) -> int:
    """Prints each line of the source with the instructions that it represents.

    Raises:
        BadInput: There is no such target, or it has no code.

    """
    code = _code(target)
    with _named(target):
        text = depyf.decompile(code, recompile=False)
    _show(text)
    return 0


def verify(a: str, b: str, as_json: bool = False) -> int:
    """Prints what is known of two targets; 0 where they are shown to behave the same.

    Raises:
        BadInput: There is no such target, or it has no code.

    """
    left, right = _code(a), _code(b)
    with terminal.working(f"comparing {a} and {b}"), _named(f"{a} and {b}"):
        found = depyf.verify(left, right)
    codes = codes_of(code_and_function(left)[0])
    if as_json:
        told = [
            {"code": _qualname(codes[v.code]), "line": codes[v.code].co_firstlineno, "holds": v.holds,
             "said": v.describe()}
            for v in found.verdicts
        ]  # fmt: skip
        print(json.dumps({"same": bool(found), "verdicts": told}, indent=2))
        return 0 if found else 1
    print(found if found else found.verdict.kind)
    for each in found.verdicts:
        if not each.holds:
            print(f"  {_told(each, codes)}")
    return 0 if found else 1


def _told(verdict: depyf.Verdict, codes: Sequence[CodeType]) -> str:
    """A verdict in depyfc's words: what is known, of what, where, and why; with the line of the source."""
    code = codes[verdict.code]
    place = ""
    if verdict.reason and verdict.offset is not None:
        lines = (line for begin, end, line in code.co_lines() if begin <= verdict.offset < end and line)
        place = "".join(f", line {line}," for line in lines) + f" at bytecode offset {verdict.offset}"
    return f"{verdict.kind} {_qualname(code)}{place}{f': {verdict.reason}' if verdict.reason else ''}"


def _qualname(code: CodeType) -> str:
    return getattr(code, "co_qualname", code.co_name)  # 3.11 on


def _is_function(target: str) -> bool:
    return ":" in target and not Path(target).exists()


@contextlib.contextmanager
def _named(target: str) -> Iterator[None]:
    try:
        yield
    except depyf.DecompilationError as error:
        raise BadInput(f"{target}: {error}") from error


def _options(literal: bool, verdict: bool, opcodes: str | None) -> list[str]:
    """Those of depyfc."""
    options = ["--literal"] if literal else []
    options += ["--verdict", "--python", sys.executable] if verdict else []
    return options + ([] if opcodes is None else ["--opcodes", opcodes])


def _of_files(target: str, out: str | None, options: Sequence[str]) -> int:
    """What depyfc says of a file, of the files in a folder or an archive or of standard input; its exit status."""
    path = Path(target)
    if not target or (target != "-" and not path.exists()):
        raise BadInput(f"{target or 'an empty name'}: {_WANTED}, found none")
    if path.is_dir():
        if out is None:
            raise BadInput(f"{target}: a folder; wanted -o DIR, where to write the sources of its .pyc files")
        if not any(path.rglob("*.pyc")):
            raise BadInput(f"{target}: wanted .pyc files below it, found none")
    elif target != "-" and ((is_bundle := bundles.is_bundle(path)) or _is_archive(path)):
        if out is None:
            raise BadInput(f"{target}: an archive; wanted -o DIR, where to write the sources of its .pyc files")
        with tempfile.TemporaryDirectory() as unpacked:
            (bundles.unpack if is_bundle else _unpack)(target, unpacked)
            return _run_depyfc(unpacked, target, out, options)
    return _run_depyfc("-" if target == "-" else os.path.join(path.parent, path.name), target, out, options)


def _run_depyfc(path: str, target: str, out: str | None, options: Sequence[str]) -> int:
    """Runs depyfc on a path that stands for the target, and says what it says of that."""
    command = [_depyfc(), "-j", str(os.cpu_count() or 1)]
    command += [*(["-o", out] if out is not None else []), *options, path]
    with terminal.working(f"decompiling {target}"):
        done = subprocess.run(command, capture_output=True, check=False)
    print(done.stdout.decode(), end="")
    for line in done.stderr.decode(errors="replace").splitlines():
        named = line.replace(path, target, 1) if path != "-" else line
        print(named.replace("depyfc: ", "depyf decompile: ", 1), file=sys.stderr)
    return done.returncode


def _is_archive(path: Path) -> bool:
    """Whether it is a zip archive, whatever is before it in the file; a `.pyc` may hold what ends one."""
    with contextlib.suppress(OSError):  # depyfc says why it cannot be read
        with path.open("rb") as file:
            is_pyc = file.read(4)[2:] == b"\r\n"
        return not is_pyc and zipfile.is_zipfile(path)
    return False


def _unpack(target: str, folder: str) -> None:
    """Unpacks the `.pyc` files of an archive; what its names say, they lie below the folder."""
    try:
        with zipfile.ZipFile(target) as archive:
            found = [name for name in archive.namelist() if name.endswith(".pyc")]
            for name in found:
                archive.extract(name, folder)
    except _UNREADABLE as error:
        raise BadInput(f"{target}: {error}") from error
    if not found:
        raise BadInput(f"{target}: wanted .pyc files in it, found none")


def _depyfc() -> str:
    """The native tool that was installed with this package, wherever pip put it."""
    for file in importlib.metadata.files("depyf") or ():
        if file.stem == "depyfc" and (found := Path(file.locate())).exists():
            return str(found)
    if (on_path := shutil.which("depyfc")) is not None:  # pip install --target does not tell where it put it
        return on_path
    raise BadInput("wanted depyfc, which is installed with depyf, found none")


def _read(target: str) -> bytes:
    if target == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(target).read_bytes()
    except OSError as error:
        raise BadInput(
            f"{target}: wanted a .pyc file, module:qualname or -; {(error.strerror or '').lower()}"
        ) from error


def _function(target: str) -> Any:
    """What `module:qualname` names."""
    name, _, qualname = target.partition(":")
    if not qualname:
        raise BadInput(f"{target}: wanted a function after the colon")
    if not name or name.startswith(".") or "/" in name:
        raise BadInput(f"{target}: wanted a module's full name before the colon, as json.decoder")
    found = _module(target, name)
    for part in qualname.split("."):
        try:
            found = getattr(found, part)
        except AttributeError as error:
            raise BadInput(f"{target}: {error}") from error
    return found


def _module(target: str, name: str) -> Any:
    """Imports a module, looking into the current folder first, as `python -m` does."""
    if not getattr(sys.flags, "safe_path", False) and not {"", os.getcwd()} & set(sys.path):
        sys.path.insert(0, os.getcwd())
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as error:  # whatever the module does when it is imported
        kind = "" if isinstance(error, ImportError) else f"{type(error).__name__}: "
        raise BadInput(f"{target}: cannot import {name}: {kind}{' '.join(str(error).split())}") from error


def _code(target: str) -> Any:
    """A function, or the code object in a .pyc of this very Python."""
    if _is_function(target):
        function = _function(target)
        with _named(target):
            code_and_function(function)
        return function
    data = _read(target)
    if data[:4] != importlib.util.MAGIC_NUMBER:
        version = sys.version.split()[0]
        raise BadInput(
            f"{target}: wanted module:qualname or a .pyc of this Python ({version}); depyfc reads those of others"
        )
    try:
        found = marshal.loads(data[_HEADER:])
    except (EOFError, ValueError, TypeError) as error:
        raise BadInput(f"{target}: {error}") from error
    if not isinstance(found, CodeType):
        raise BadInput(f"{target}: wanted a code object, found {type(found).__name__}")
    return found


def _show(text: depyf.Decompiled) -> None:
    """Source lines, each followed by the instructions of that line."""
    by_line: dict[int, list[str]] = {}
    for index, code in enumerate(text.codes):
        entries = [(e.offset, Location(*e[2:])) for e in text.source_map if e.code == index]
        first = min((location.line for _, location in entries), default=1)
        spans = iter(spans_of_map(code, first, entries))
        span = next(spans)
        for instruction in std_dis.get_instructions(code):
            while span.end * 2 <= instruction.offset:
                span = next(spans)
            shown = f"{instruction.offset:6} {instruction.opname} {instruction.argrepr}".rstrip()
            by_line.setdefault(span.location.line if span.location else first, []).append(shown)
    for number, source in enumerate(text.splitlines(), 1):
        print(f"{number:4}  {source}")
        for shown in by_line.get(number, ()):
            print(f"      {shown}")
