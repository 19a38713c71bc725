# SPDX-License-Identifier: MIT
"""`depyf decompile`, `depyf dis` and `depyf verify`: bytecode of files and of importable functions.

A target is a `.pyc` file of any CPython 3.8-3.15, `module:qualname` (which imports the module), `-`, or for `decompile`
a folder. No torch is imported unless the named module does it.
"""

from __future__ import annotations

import dis as std_dis
import importlib
import importlib.util
import json
import marshal
import sys
from pathlib import Path
from types import CodeType
from typing import Any

import depyf
from depyf import _core
from depyf.cli import terminal
from depyf.cli.errors import BadInput

_HEADER = 16  # bytes of a .pyc before the marshalled code object


def decompile(target: str, out: str | None, literal: bool, verdict: bool) -> int:
    """Prints the source of a target, or writes that of a folder.

    Raises:
        BadInput: There is no such target, or it is no bytecode.

    """
    path = Path(target)
    if path.is_dir():
        if out is None:
            raise BadInput(f"{target}: a folder is written elsewhere: wanted -o DIR")
        return _folder(path, Path(out), literal, verdict)
    if out is not None:
        raise BadInput(f"{target}: -o goes with a folder")
    if ":" in target and not path.exists():
        text = depyf.decompile(_function(target), readable=not literal)
        found: list[tuple[str, str]] = [(v.kind, v.why) for v in text.verdicts]
        print(text, end="" if text.endswith("\n") else "\n")
    else:
        shown, found = _of_pyc(target, _read(target), literal)
        print(shown, end="")
    if verdict:
        _print_verdicts(target, found)
    return 0


def dis(target: str) -> int:
    """Prints each line of the source with the instructions that it represents.

    Raises:
        BadInput: There is no such target.

    """
    _show(depyf.decompile(_code(target), recompile=False))
    return 0


def verify(a: str, b: str, as_json: bool = False) -> int:
    """Prints what is known of two targets; 0 where they are shown to behave the same.

    Raises:
        BadInput: There is no such target.

    """
    with terminal.working(f"comparing {a} and {b}"):
        found = depyf.verify(_code(a), _code(b))
    if as_json:
        told = [{"code": v.code, "holds": v.holds, "said": v.describe()} for v in found.verdicts]
        print(json.dumps({"same": bool(found), "verdicts": told}, indent=2))
        return 0 if found else 1
    print(found)
    for each in found.verdicts:
        if not each.holds:
            print(f"  code object {each.code}: {each.describe()}")
    return 0 if found else 1


def _folder(folder: Path, out: Path, literal: bool, verdict: bool) -> int:
    failed = 0
    files = sorted(folder.rglob("*.pyc"))
    if not files:
        raise BadInput(f"{folder}: wanted .pyc files below it, found none")
    for number, path in enumerate(files, 1):
        terminal.note(f"{number}/{len(files)} {path}")
        try:
            text, found = _of_pyc(str(path), path.read_bytes(), literal)
        except (BadInput, OSError) as error:
            print(f"depyf decompile: {error}", file=sys.stderr)
            failed = 1
            continue
        target = out / path.relative_to(folder).with_suffix(".py")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8", errors="surrogatepass")
        if verdict:
            _print_verdicts(str(path), found)
    terminal.note("")
    return failed


def _of_pyc(name: str, data: bytes, literal: bool) -> tuple[str, list[tuple[str, str]]]:
    try:
        result = _core.decompile_pyc(data, readable=not literal)
    except depyf.DecompilationError as error:
        raise BadInput(f"{name}: {error}") from error
    return result.text, [(kind, reason) for _, kind, reason, _ in result.verdicts]


def _print_verdicts(name: str, verdicts: list[tuple[str, str]]) -> None:
    for number, (kind, why) in enumerate(verdicts):
        print(f"{name}: code object {number}: {kind}{f' ({why})' if why else ''}", file=sys.stderr)


def _read(target: str) -> bytes:
    if target == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(target).read_bytes()
    except OSError as error:
        raise BadInput(
            f"{target}: wanted a .pyc file, a folder, module:qualname or -; {(error.strerror or '').lower()}"
        ) from error


def _function(target: str) -> Any:
    """What `module:qualname` names."""
    name, _, qualname = target.partition(":")
    try:
        found: Any = importlib.import_module(name)
    except ImportError as error:
        raise BadInput(f"{target}: cannot import {name}: {error}") from error
    for part in filter(None, qualname.split(".")):
        try:
            found = getattr(found, part)
        except AttributeError as error:
            raise BadInput(f"{target}: {error}") from error
    if not qualname:
        raise BadInput(f"{target}: wanted a function after the colon")
    return found


def _code(target: str) -> Any:
    """A function, or the code object in a .pyc of this very Python."""
    if ":" in target and not Path(target).exists():
        return _function(target)
    data = _read(target)
    if data[:4] != importlib.util.MAGIC_NUMBER:
        raise BadInput(f"{target}: wanted a .pyc of this Python ({sys.version.split()[0]}); depyfc reads the others")
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
        lines = text.lines_of(index)
        for instruction in std_dis.get_instructions(code):
            if (line := lines.get(instruction.offset)) is not None:
                shown = f"{instruction.offset:6} {instruction.opname} {instruction.argrepr}".rstrip()
                by_line.setdefault(line, []).append(shown)
    for number, source in enumerate(text.splitlines(), 1):
        print(f"{number:4}  {source}")
        for shown in by_line.get(number, ()):
            print(f"      {shown}")
