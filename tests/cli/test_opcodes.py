# SPDX-License-Identifier: MIT
"""Files of a modified CPython, whose opcodes have other numbers: `--opcodes` and `--infer-opcodes`."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]
Refused = Callable[..., str]
SOURCE = """
class A:
    def f(self, xs):
        with self.lock as a:
            for x in xs:
                if x > a and x not in self.seen:
                    yield [y * 2 for y in x], {"k": x[1:]}
                else:
                    try:
                        self.g(*x, k=a)
                    except (KeyError, ValueError) as e:
                        raise TypeError(f"{x!r}: {e}") from e


print(A, sum(i for i in range(300)))
"""
# Writes the .pyc file of a source, the same with changed opcode numbers, and these numbers.
ALTER = """
import importlib.util, json, marshal, opcode, random, sys
source, folder = sys.argv[1:]
code = compile(source, "a.py", "exec", dont_inherit=True)
numbers = {name: number for name, number in opcode.opmap.items() if number < 256}
free = [n for n in numbers.values() if n]
moved = dict(zip(free, random.Random(7).sample(free, len(free))))
plain = data = marshal.dumps(code)
todo = [code]
for code in todo:
    todo += [c for c in code.co_consts if isinstance(c, type(code))]
    units = bytearray(code.co_code)
    units[::2] = bytes(moved.get(b, b) for b in units[::2])
    data = data.replace(code.co_code, bytes(units))
header = importlib.util.MAGIC_NUMBER + bytes(12)
foreign = b"\\x01\\x02\\r\\n" + bytes(12)
for name, head, body in (("known", header, plain), ("altered", header, data), ("foreign", foreign, data)):
    with open(f"{folder}/{name}.pyc", "wb") as file:
        file.write(head + body)
with open(f"{folder}/opmap.json", "w") as file:
    json.dump({name: moved.get(number, number) for name, number in opcode.opmap.items()}, file)
"""


@dataclass(frozen=True)
class Files:
    known: Path
    altered: Path
    foreign: Path
    opmap: Path


def write_files(source: str, python: list[str], folder: Path) -> Files:
    folder.mkdir()
    subprocess.run([*python, "-c", ALTER, source, str(folder)], check=True, timeout=60)
    return Files(*(folder / name for name in ("known.pyc", "altered.pyc", "foreign.pyc", "opmap.json")))


@pytest.fixture
def files(python: list[str], tmp_path: Path) -> Files:
    return write_files(SOURCE, python, tmp_path / "made")


def test_opcodes_of_a_modified_cpython(files: Files, version: str, python: list[str], run: Run) -> None:
    plain = run(files.known).stdout
    assert "yield" in plain
    assert run(files.altered).stdout != plain
    command = ["--python", " ".join(python), "--verdict", "--opcodes", files.opmap]
    done = run(*command, files.altered)
    assert done.stdout == plain and done.returncode == 0
    verdicts = done.stderr.splitlines()
    assert len(verdicts) >= 4 and all(" exact " in line for line in verdicts)
    assert run("--opcodes", files.opmap, "--verify", files.altered, files.altered).returncode == 0
    done = run(*command, "--marshal", version, files.foreign)
    assert (done.stdout, done.returncode) == (plain, 0)


def test_numbers_are_inferred_from_a_known_source(files: Files, python: list[str], run: Run, tmp_path: Path) -> None:
    (inferred := tmp_path / "inferred.json").write_text(
        run("--infer-opcodes", files.known, files.altered).stdout, "utf-8"
    )
    numbers, all_of_them = json.loads(inferred.read_text()), json.loads(files.opmap.read_text())
    assert len(numbers) > 25 and numbers.items() <= all_of_them.items()
    other = write_files(SOURCE.rpartition("print")[0], python, tmp_path / "other")
    assert run("--opcodes", inferred, other.altered).stdout == run(other.known).stdout != ""


def test_opcode_that_is_not_listed(files: Files, python: list[str], run: Run, tmp_path: Path) -> None:
    """Its number keeps its meaning, unless the opcode of that meaning has another number: then it is illegal."""
    command = [*python, "-c", "import opcode; print(opcode.opmap['LOAD_CONST'])"]
    number = int(subprocess.run(command, capture_output=True, check=True).stdout)
    (tmp_path / "part.json").write_text(json.dumps({"POP_TOP": number}))
    before = run("--stop-after", "bytecode", files.known).stdout.split()
    after = run("--stop-after", "bytecode", "--opcodes", tmp_path / "part.json", files.known).stdout.split()
    from_returns = after.count("LOAD_CONST")  # RETURN_CONST is read as two operations
    assert after.count("POP_TOP") + from_returns == before.count("LOAD_CONST") > from_returns + 3
    assert after.count("ILLEGAL") == before.count("POP_TOP") > 1
    assert after.count("RETURN_VALUE") == before.count("RETURN_VALUE") > 1


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", "byte 0: wanted '{'"),
        ("[]", "byte 0: wanted '{'"),
        ('{"NOP"}', "byte 6: wanted ':'"),
        ('{"NOP": "x"}', "byte 8: wanted the number of NOP"),
        ('{"NOP": 9 "POP_TOP": 1}', "byte 10: wanted ',' or '}'"),
        ('{"NOP": 9, 3: 1}', "byte 11: wanted a name in quotes"),
        ('{"NOP": 9} 1', "byte 11: wanted nothing after the object"),
    ],
)
def test_bad_opcode_file(text: str, wanted: str, refused: Refused, small_pyc: bytes, tmp_path: Path) -> None:
    (pyc := tmp_path / "a.pyc").write_bytes(small_pyc)
    (file := tmp_path / "map.json").write_text(text)
    assert refused("--opcodes", file, pyc).startswith(f"depyfc: {file}: {wanted} of a JSON object of names and numbers")


def test_opcodes_are_not_inferred_from_other_sources(
    files: Files, python: list[str], refused: Refused, tmp_path: Path
) -> None:
    other = write_files(SOURCE.replace("x > a", "x >= a"), python, tmp_path / "other")
    assert "differs in more than opcodes" in refused("--infer-opcodes", files.known, other.altered)
    other = write_files("x = 1\n", python, tmp_path / "short")
    assert "differs in the number of code objects" in refused("--infer-opcodes", files.known, other.altered)
    assert "wanted two .pyc files, found 1" in refused("--infer-opcodes", files.known)
