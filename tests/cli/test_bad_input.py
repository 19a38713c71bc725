# SPDX-License-Identifier: MIT
"""Bad input gives one line that names the file, the place and what was wanted.

The exit status is 2, nothing is written.
"""

from __future__ import annotations

import ast
import dis
import marshal
import os
import random
import resource
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

Refused = Callable[..., str]
Write = Callable[[str, bytes], Path]
MEMORY = 512 << 20


def limit_memory() -> None:
    """Limits the memory of the process to far less than bad lengths claim."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def files_below(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_missing_file(refused: Refused, tmp_path: Path) -> None:
    assert refused(tmp_path / "none.pyc") == f"depyfc: {tmp_path}/none.pyc: wanted a file, found none"


def test_folder_without_output_folder(refused: Refused, tmp_path: Path) -> None:
    assert "-o DIR" in refused(tmp_path)


def test_empty_file(refused: Refused, write: Write) -> None:
    assert "byte 0: wanted the magic number" in refused(write("a.pyc", b""))


def test_recognized_file_types_are_named(refused: Refused, write: Write, small_pyc: bytes) -> None:
    with zipfile.ZipFile(archive := write("a.zip", b""), "w") as archive_file:
        archive_file.writestr("a.pyc", small_pyc)
    assert "found a zip archive" in refused(archive)
    assert "found marshalled code without the header" in refused(write("a.pyc", marshal.dumps(compile("", "", "exec"))))
    assert "byte 2: wanted a .pyc file" in refused(write("a.pyc", b"class A: pass\n"))


@pytest.mark.parametrize("version", ["3.7", "3.16", "3", "311", "3.x", "4.8"])
def test_marshal_with_unsupported_version(refused: Refused, write: Write, version: str) -> None:
    line = refused("--marshal", version, write("a.pyc", b""))
    assert line.startswith(f"depyfc: --marshal: wanted a version of CPython, 3.8 to 3.15, found '{version}'")


def test_standard_input_cannot_be_written_to_a_folder(refused: Refused, tmp_path: Path) -> None:
    assert "standard input, which has no name" in refused("-o", tmp_path, "-")


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (3394, "older than 3.8"),
        (3401, "alpha or beta of CPython 3.8"),
        (3414, "magic number 3414"),
        (3620, "alpha or beta of CPython 3.14"),
        (3667, "magic number 3667"),
        (3700, "newer than 3.15"),
        (62211, "magic number 62211"),
    ],
)
def test_wrong_magic_number(refused: Refused, write: Write, small_pyc: bytes, number: int, expected: str) -> None:
    line = refused(write("a.pyc", struct.pack("<H", number) + small_pyc[2:]))
    assert "byte 0: wanted the magic number of CPython 3.8 to 3.15" in line
    assert expected in line


def test_source_is_not_a_pyc(refused: Refused, write: Write) -> None:
    assert "byte 2: wanted a .pyc file" in refused(write("a.pyc", b"print('hello')\n"))


def test_unknown_header_flags(refused: Refused, write: Write, small_pyc: bytes) -> None:
    assert "byte 4: wanted header flags" in refused(write("a.pyc", small_pyc[:4] + b"\x04" + small_pyc[5:]))


def test_every_truncation(run, write: Write, small_pyc: bytes, tmp_path: Path) -> None:
    """Each prefix of a file is refused with its own line, and a batch of prefixes writes nothing."""
    for n in range(len(small_pyc)):
        write(f"in/{n:05}.pyc", small_pyc[:n])
    done = run("-o", tmp_path / "out", tmp_path / "in")
    assert done.returncode == 2
    lines = done.stderr.splitlines()
    for n, line in enumerate(lines):
        assert line.startswith(f"depyfc: {tmp_path}/in/{n:05}.pyc: byte ") and "wanted " in line, line
        assert int(line.split(": byte ")[1].split(":")[0]) <= n
    assert len(lines) == len(small_pyc)
    assert not files_below(tmp_path / "out")


@pytest.mark.parametrize("stage", ["--stop-after=code", "--literal"])
def test_bit_flips(run, write: Write, small_pyc: bytes, tmp_path: Path, stage: str) -> None:
    """A flipped bit gives a text (it was still a code object), one line, or both: a text that lacks a code object, and
    a line about that. It never gives a crash."""
    rng = random.Random(5)
    count = 600
    for i in range(count):
        data = bytearray(small_pyc)
        for _ in range(rng.choice((1, 1, 1, 2, 8))):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        write(f"in/{i:05}.pyc", bytes(data))
    done = run(stage, "-o", tmp_path / "out", tmp_path / "in", preexec_fn=limit_memory)
    written = {path.stem for path in files_below(tmp_path / "out")}
    with_message = {Path(line.split(": ")[1]).stem for line in done.stderr.splitlines()}
    incomplete = {path.stem for path in files_below(tmp_path / "out") if "depyf: not decompiled" in path.read_text()}
    assert written & with_message == incomplete
    assert len(written | with_message) == count
    assert done.returncode == (2 if with_message else 0)


BROKEN = """
class C:
    def good(self):
        return self.x

    def bad(self):
        return [self.y for self.y in self]


def other(a, *b):
    while a:
        a = b.pop()
"""


def test_bad_code_object_does_not_affect_the_others(run, write: Write, header: bytes, tmp_path: Path) -> None:
    """A contradictory code object becomes an error in its place; everything else is decompiled."""
    module = compile(BROKEN, "broken.py", "exec", dont_inherit=True)
    (class_code,) = (c for c in module.co_consts if getattr(c, "co_name", "") == "C")
    (bad_code,) = (c for c in class_code.co_consts if getattr(c, "co_name", "") == "bad")
    data = marshal.dumps(module)
    # the last instruction then pops a value from an empty stack
    place = data.index(bad_code.co_code)
    broken = bytes(bad_code.co_code[:-2]) + bytes([dis.opmap["POP_TOP"], 0])
    path = write("broken.pyc", header + data[:place] + broken + data[place + len(broken) :])
    done = run(path)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert f"{path}: C.bad: bytecode offset " in line
    tree = ast.parse(done.stdout)
    names = [n.name for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.ClassDef))]
    assert names == ["C", "other", "good", "bad"]
    bodies = {n.name: ast.unparse(n) for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
    assert "raise SystemError('depyf: not decompiled: bytecode offset " in bodies["bad"]
    assert bodies["good"] == "def good(self):\n    return self.x"
    assert "a = b.pop()" in bodies["other"]


CODE_HEAD = b"c" + struct.pack("<iiiii", 0, 0, 0, 1, 0)  # the fields before co_code in 3.11+


def nested(opening: bytes, times: int) -> bytes:
    return CODE_HEAD + b"s\x02\x00\x00\x00\x80\x00" + opening * times


BOMBS = {
    "bytes": b"s" + struct.pack("<i", 2**31 - 1),
    "text": b"u" + struct.pack("<i", 2**31 - 1),
    "integer": b"l" + struct.pack("<i", 2**31 - 1),
    "negative integer": b"l" + struct.pack("<i", -(2**31)),
    "tuple": b"(" + struct.pack("<i", 2**31 - 1),
    "negative tuple": b"(" + struct.pack("<i", -1),
    "frozenset": b">" + struct.pack("<i", 2**31 - 1),
    "code": CODE_HEAD + b"s" + struct.pack("<i", 2**31 - 1),
    "deep tuples": nested(b")\x01", 1_000_000),
    "deep wide tuples": nested(b"(\x00\x00\x10\x00", 1_000_000),
    "deep code": CODE_HEAD * 100_000,
    "deep dicts": nested(b"{", 1_000_000),
    "no object": b"r" + struct.pack("<i", 0),
    "itself": nested(b"\xa9\x01r" + struct.pack("<i", 0), 1),
    "no code": b"N",
    "null": b"0",
}


@pytest.mark.parametrize("name", BOMBS)
def test_claimed_sizes_allocate_nothing(refused: Refused, write: Write, header: bytes, name: str) -> None:
    """Wrong lengths, depths and references are found before memory is allocated for them."""
    status = 1 if name.startswith("deep ") else 2
    line = refused(write("a.pyc", header + BOMBS[name]), status=status, preexec_fn=limit_memory)
    assert ": byte " in line and "wanted " in line


def test_shared_parts_count_at_each_reference(refused: Refused, write: Write, header: bytes) -> None:
    levels = 60
    # Item n + 1 of the outer tuple refers to item n twice: 2**60 items in a few bytes.
    items = [b"\xa9\x00"] + [b"\xa9\x02" + 2 * (b"r" + struct.pack("<i", n)) for n in range(levels)]
    body = b")" + bytes([len(items)]) + b"".join(items)
    path = write("a.pyc", header + CODE_HEAD + b"s\x02\x00\x00\x00\x80\x00" + body)
    line = refused(path, status=1, preexec_fn=limit_memory)
    assert "shared parts counted each time" in line


def test_nesting_through_references_is_limited(refused: Refused, write: Write, header: bytes) -> None:
    levels = 100_000
    items = [b"\xa9\x00"] + [b"\xa9\x01r" + struct.pack("<i", n) for n in range(levels)]
    body = b"(" + struct.pack("<i", len(items)) + b"".join(items)
    path = write("a.pyc", header + CODE_HEAD + b"s\x02\x00\x00\x00\x80\x00" + body)
    line = refused(path, status=1, preexec_fn=limit_memory)
    assert "nested at most" in line


def test_copies_of_a_shared_name_are_limited(refused: Refused, write: Write, header: bytes) -> None:
    name = b"\xe1" + struct.pack("<i", 1_000_000) + b"x" * 1_000_000
    count = 200_000
    names = b"(" + struct.pack("<i", count) + name + (count - 1) * (b"r" + struct.pack("<i", 0))
    data = header + CODE_HEAD + b"s\x02\x00\x00\x00\x80\x00" + b")\x00" + names
    line = refused(write("a.pyc", data), status=1, preexec_fn=limit_memory)
    assert "shared ones counted each time" in line


def test_code_object_in_the_wrong_place(refused: Refused, write: Write, header: bytes) -> None:
    inner = marshal.dumps(compile("1", "", "exec", dont_inherit=True))
    data = header + CODE_HEAD + inner
    assert "wanted a bytes object for co_code, found a code object" in refused(write("a.pyc", data))


def test_batch_with_bad_files_writes_the_good_ones(run, write: Write, small_pyc: bytes, tmp_path: Path) -> None:
    good = write("in/good.pyc", small_pyc)
    bad_code = write("in/bad.pyc", small_pyc[:40])
    done = run("--stop-after=code", "-o", tmp_path / "out", tmp_path / "none.pyc", bad_code, good, tmp_path)
    assert done.returncode == 2
    assert (tmp_path / "out/good.py").read_text().startswith("version 3.")
    assert not (tmp_path / "out/bad.py").exists()
    assert "none.pyc: wanted a file, found none" in done.stderr


def test_control_characters_in_names_are_escaped(refused: Refused, write: Write) -> None:
    line = refused(write("a\nb\x1b[31m.pyc", b"\x00\x01\x02\x03"))
    assert "a\\x0ab\\x1b[31m.pyc" in line


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--nonsense"],
        ["-o"],
        ["-o", "out"],
        ["-o", "", "a.pyc"],
        ["a.pyc", "b.pyc"],
        ["--list", "l", "a.pyc"],
        ["--verify", "a.pyc"],
        ["-j", "0", "a.pyc"],
        ["-j", "x", "a.pyc"],
        ["--stop-after=nothing", "a.pyc"],
        ["--python", "'", "a.pyc"],
        ["--list", "l", "-o", "out"],
    ],
)
def test_bad_command_line(refused: Refused, arguments: list[str]) -> None:
    assert "--help" in refused(*arguments)


def test_bad_list(run, write: Write, small_pyc: bytes, tmp_path: Path) -> None:
    good = write("good.pyc", small_pyc)
    listing = write("list", f"no tab\n{good}\t{tmp_path}/out/a.py\n\t{tmp_path}/b.py\n{good}\t\n".encode())
    done = run("--stop-after=code", "--list", listing)
    assert done.returncode == 2
    assert [line.split(": wanted")[0] for line in done.stderr.splitlines()] == [
        f"depyfc: {listing}: line {n}" for n in (1, 3, 4)
    ]
    assert (tmp_path / "out/a.py").exists()


def test_missing_list_and_folder_as_list(refused: Refused, tmp_path: Path) -> None:
    assert "wanted a list of files" in refused("--list", tmp_path / "none")
    assert "wanted a list of files, found a folder" in refused("--list", tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root can read everything")
def test_unreadable_file(refused: Refused, write: Write, small_pyc: bytes) -> None:
    path = write("a.pyc", small_pyc)
    path.chmod(0)
    assert "permission denied" in refused(path)
