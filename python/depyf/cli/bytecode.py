# SPDX-License-Identifier: MIT
"""`depyf decompile`, `depyf dis` and `depyf verify`: bytecode of files and of importable functions.

A target is a `.pyc` file, `module:qualname` (which imports the module), or `-` for standard input. For `decompile` it
may also be a folder, a zip archive (a wheel, an egg, a zipapp) or an executable made by PyInstaller; files may be of
any CPython 3.8-3.15. `decompile` runs depyfc for everything except functions, so that both commands give the same
result. Torch is not imported, unless the named module imports it.
"""

from __future__ import annotations

import collections
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
from depyf import _core
from depyf.cli import bundles, terminal
from depyf.cli.errors import BadInput
from depyf.decompilation.instructions import instructions_of
from depyf.decompilation.line_table import Location, spans_of_map
from depyf.decompilation.resolve import code_and_function, codes_of

_HEADER = 16  # size of the header of a .pyc file, in bytes
# Raised for archives that are damaged, encrypted, or compressed with a method that Python does not support.
_UNREADABLE = (OSError, EOFError, RuntimeError, NotImplementedError, zipfile.BadZipFile, zlib.error, lzma.LZMAError)
_WANTED = "wanted a .pyc file, a folder, module:qualname or -"


def decompile(target: str, out: str | None, literal: bool, verdict: bool, opcodes: str | None = None) -> int:
    """Prints the source of a target, or writes the sources of files to the folder `out`.

    Raises:
        BadInput: There is no such target, or it has no code.

    """
    if not _is_function(target):
        return _of_files(target, out, _options(literal, verdict, opcodes))
    for option, value in (("-o", out), ("--opcodes", opcodes)):
        if value is not None:
            raise BadInput(f"{target}: {option} requires a .pyc file, a folder or an archive")
    function = _function(target)
    with _named(target):
        text = depyf.decompile(function, readable=not literal)
    print(text, end="" if text.endswith("\n") else "\n")
    if verdict:
        for text_verdict in text.verdicts:
            print(f"{target}: {_verdict_line(text_verdict, text.codes)}", file=sys.stderr)
    return 0


def dis(target: str) -> int:
    """Prints each line of the source with its instructions.

    Raises:
        BadInput: There is no such target, or it has no code.

    """
    code = _code(target)
    with _named(target):
        text = depyf.decompile(code, recompile=False)
    _show(text)
    return 0


def verify(a: str, b: str, as_json: bool = False) -> int:
    """Prints whether two targets behave the same; returns 0 if this could be shown, else 1.

    Raises:
        BadInput: There is no such target, or it has no code.

    """
    if a == b == "-":
        raise BadInput("-: standard input can only be read once, wanted another target")
    left, right = _code(a), _code(b)
    with terminal.working(f"comparing {a} and {b}"), _named(f"{a} and {b}"):
        result = depyf.verify(left, right)
    codes = codes_of(code_and_function(left)[0])
    if as_json:
        verdicts = [
            {"code": _qualname(codes[v.code]), "line": codes[v.code].co_firstlineno, "holds": v.holds,
             "said": v.describe()}
            for v in result.verdicts
        ]  # fmt: skip
        print(json.dumps({"same": bool(result), "verdicts": verdicts}, indent=2))
        return 0 if result else 1
    print(result if result else result.verdict.kind)
    for verdict in result.verdicts:
        if not verdict.holds:
            print(f"  {_verdict_line(verdict, codes)}")
    return 0 if result else 1


def _verdict_line(verdict: depyf.Verdict, codes: Sequence[CodeType]) -> str:
    """Returns a verdict in the format of depyfc: kind, name, line of the source and bytecode offset, reason."""
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
    """Turns a DecompilationError in the block into BadInput that names the target."""
    try:
        yield
    except depyf.DecompilationError as error:
        raise BadInput(f"{target}: {error}") from error


def _options(literal: bool, verdict: bool, opcodes: str | None) -> list[str]:
    """Returns the options of depyfc."""
    options = ["--literal"] if literal else []
    options += ["--verdict", "--python", sys.executable] if verdict else []
    return options + ([] if opcodes is None else ["--opcodes", opcodes])


def _of_files(target: str, out: str | None, options: Sequence[str]) -> int:
    """Runs depyfc on a file, a folder, the unpacked files of an archive, or standard input; returns its exit status."""
    path = Path(target)
    if not target or (target != "-" and not path.exists()):
        raise BadInput(f"{target or 'empty name'}: {_WANTED}, found none")
    if path.is_dir():
        if out is None:
            raise BadInput(f"{target}: a folder; wanted -o DIR, to write the sources of its .pyc files to")
        if not any(path.rglob("*.pyc")):
            raise BadInput(f"{target}: wanted .pyc files in this folder, found none")
    elif target != "-" and ((is_bundle := bundles.is_bundle(path)) or _is_archive(path)):
        if out is None:
            raise BadInput(f"{target}: an archive; wanted -o DIR, to write the sources of its .pyc files to")
        with tempfile.TemporaryDirectory() as unpacked:
            (bundles.unpack if is_bundle else _unpack)(target, unpacked)
            return _run_depyfc(unpacked, target, out, options)
    return _run_depyfc("-" if target == "-" else os.path.join(path.parent, path.name), target, out, options)


def _run_depyfc(path: str, target: str, out: str | None, options: Sequence[str]) -> int:
    """Runs depyfc on a path, and prints its messages with the name of the target in place of the path."""
    command = [_depyfc(), "-j", str(os.cpu_count() or 1)]
    command += [*(["-o", out] if out is not None else []), *options, path]
    with terminal.working(f"decompiling {target}"):
        process = subprocess.run(command, capture_output=True, check=False)
    print(process.stdout.decode(), end="")
    for line in process.stderr.decode(errors="replace").splitlines():
        named = line.replace(path, target, 1) if path != "-" else line
        print(named.replace("depyfc: ", "depyf decompile: ", 1), file=sys.stderr)
    return process.returncode


def _is_archive(path: Path) -> bool:
    """Returns whether a file is a zip archive, possibly with other data before it."""
    with contextlib.suppress(OSError):  # depyfc reports why the file cannot be read
        with path.open("rb") as file:
            is_pyc = file.read(4)[2:] == b"\r\n"  # its constants may contain the end marker of an archive
        return not is_pyc and zipfile.is_zipfile(path)
    return False


def _unpack(target: str, folder: str) -> None:
    """Unpacks the `.pyc` files of an archive, always inside the folder, whatever their names contain."""
    try:
        with zipfile.ZipFile(target) as archive:
            names = [name for name in archive.namelist() if name.endswith(".pyc")]
            for name, times in collections.Counter(names).items():
                if times > 1:
                    used = "decompiling the last one, which Python imports"
                    print(f"depyf decompile: {target}: {times} files have the name {name}; {used}", file=sys.stderr)
                archive.extract(name, folder)
    except _UNREADABLE as error:
        raise BadInput(f"{target}: {error}") from error
    if not names:
        raise BadInput(f"{target}: wanted .pyc files in this archive, found none")


def _depyfc() -> str:
    """Returns the path of the native tool that was installed with this package."""
    for file in importlib.metadata.files("depyf") or ():
        if file.stem == "depyfc" and (tool := Path(file.locate())).exists():
            return str(tool)
    if (on_path := shutil.which("depyfc")) is not None:  # pip install --target does not record the right place
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
    """Returns the object that `module:qualname` names."""
    name, _, qualname = target.partition(":")
    if not qualname:
        raise BadInput(f"{target}: wanted a function after the colon")
    if not name or name.startswith(".") or "/" in name:
        raise BadInput(f"{target}: wanted the full name of a module before the colon, such as json.decoder")
    value = _module(target, name)
    for part in qualname.split("."):
        try:
            value = getattr(value, part)
        except AttributeError as error:
            raise BadInput(f"{target}: {error}") from error
    return value


def _module(target: str, name: str) -> Any:
    """Imports a module; the current folder is searched first, as with `python -m`."""
    if not getattr(sys.flags, "safe_path", False) and not {"", os.getcwd()} & set(sys.path):
        sys.path.insert(0, os.getcwd())
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as error:  # the code of the module may raise anything
        kind = "" if isinstance(error, ImportError) else f"{type(error).__name__}: "
        raise BadInput(f"{target}: cannot import {name}: {kind}{' '.join(str(error).split())}") from error


def _code(target: str) -> Any:
    """Returns the function that a target names, or the code object in a `.pyc` file of the running Python version."""
    if _is_function(target):
        function = _function(target)
        with _named(target):
            code_and_function(function)
        return function
    data = _read(target)
    if data[:4] != importlib.util.MAGIC_NUMBER:
        version = sys.version.split()[0]
        raise BadInput(
            f"{target}: wanted module:qualname or a .pyc file of this Python ({version}); depyfc reads those of others"
        )
    with _named(target):
        _core.describe_pyc(data)  # says what is wrong and where, and which data marshal would not survive
    try:
        code = marshal.loads(data[_HEADER:])
    except Exception as error:  # of any kind: CPython expects only what it has written
        raise BadInput(f"{target}: CPython does not accept its code: {' '.join(str(error).split())}") from error
    if not isinstance(code, CodeType):
        raise BadInput(f"{target}: wanted a code object, found {type(code).__name__}")
    return code


def _instructions(code: CodeType) -> list[tuple[int, str, str]]:
    """Returns the offset, the operation and the argument of each instruction; malformed arguments as numbers."""
    try:
        return [(i.offset, i.opname, i.argrepr) for i in std_dis.get_instructions(code)]
    except Exception:  # of any kind, because dis looks up names, constants and lines without a check
        return [(i.offset, i.name, str(i.argument)) for i in instructions_of(code)]


def _show(text: depyf.Decompiled) -> None:
    """Prints source lines, each followed by its instructions."""
    by_line: dict[int, list[str]] = {}
    for index, code in enumerate(text.codes):
        entries = [(e.offset, Location(*e[2:])) for e in text.source_map if e.code == index]
        first = min((location.line for _, location in entries), default=1)
        spans = iter(spans_of_map(code, first, entries))
        span = next(spans)
        for offset, name, argument in _instructions(code):
            while span.end * 2 <= offset:
                span = next(spans)
            shown = f"{offset:6} {name} {argument}".rstrip()
            by_line.setdefault(span.location.line if span.location else first, []).append(shown)
    for number, source in enumerate(text.splitlines(), 1):
        print(f"{number:4}  {source}")
        for shown in by_line.get(number, ()):
            print(f"      {shown}")
