# SPDX-License-Identifier: MIT
"""Tests the tables in ARCHITECTURE.md of which file undoes what CPython's compiler does or builds which construct."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HEADING = "## Which file undoes which transformation, and which builds which construct\n"
FOLDERS = ("deopt", "structure", "lift")  # the tables must name every file of these
VARIANTS = ("ExprNode", "PatternNode", "StmtNode")
PREFIX = re.compile(r"^(?:compiler|codegen)_")
FUNCTION = re.compile(r"\b(?:compiler|codegen|inline|duplicate|maybe|jump|push|normalize)_[a-z_]+[a-z]\b")
LITERAL = re.compile(r'"[^"\n]*"')


@pytest.fixture(scope="module")
def chapter(root: Path) -> str:
    """Returns the chapter with the tables."""
    text = (root / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert text.count(HEADING) == 1
    return text.split(HEADING)[1].split("\n## ")[0]


def rows(chapter: str, columns: int) -> list[list[str]]:
    """Returns the rows of the table with this number of COLUMNS, without its header."""
    lines = [line.strip("| ").split(" | ") for line in chapter.splitlines() if line.startswith("| ")]
    found = [cells for cells in lines if len(cells) == columns and not cells[0].startswith("---")]
    assert len(found) > 10
    return found[1:]


def code(text: str) -> list[str]:
    """Returns the texts in backquotes."""
    return re.findall(r"`([^`]+)`", text)


def test_each_file_names_the_function_that_it_undoes(chapter, root):
    for name, _, place in rows(chapter, 3):
        (function,), (file,) = code(name), code(place)
        path = root / "src" / file
        text = path.read_text(encoding="utf-8")
        header = path.with_suffix(".h")
        text += header.read_text(encoding="utf-8") if header.exists() else ""
        assert PREFIX.sub("", function) in text, f"{file} does not say that it undoes {function}"


def test_each_compiler_function_that_a_pass_names_is_in_the_tables(chapter, root):
    passes = (root / "src" / "driver" / "passes.cpp").read_text(encoding="utf-8")
    undone = {PREFIX.sub("", f) for literal in LITERAL.findall(passes) for f in FUNCTION.findall(literal)}
    assert len(undone) > 10
    assert undone <= {PREFIX.sub("", f) for name, _, _ in rows(chapter, 3) for f in code(name)}


def test_each_file_of_the_folders_is_in_the_tables(chapter, root):
    named = {word for word in code(chapter) if word.endswith((".cpp", ".h"))}
    assert all((root / "src" / file).is_file() for file in named)
    files = {p.relative_to(root / "src").as_posix() for f in FOLDERS for p in (root / "src" / f).rglob("*.cpp")}
    assert len(files) > 30
    assert files <= named, f"not in the map: {sorted(files - named)}"


def test_each_construct_has_one_file_that_builds_it(chapter, root):
    tree = (root / "src" / "ast" / "ast.h").read_text(encoding="utf-8")
    nodes = []
    for variant in VARIANTS:
        found = re.search(rf"using {variant} =\s*std::variant<([^>]+)>", tree)
        assert found is not None
        nodes += re.findall(r"\w+", found[1])
    built: dict[str, str] = {}
    for names, place in rows(chapter, 2):
        (file,) = code(place)
        for name in code(names):
            if not name[0].isupper():
                continue
            assert name not in built, f"{name} stands in two rows"
            built[name] = file
    assert set(built) == set(nodes)
    for name, file in built.items():
        text = (root / "src" / file).read_text(encoding="utf-8")
        assert re.search(rf"\bast::{name}\b", text), f"{file} builds no {name}"
