# SPDX-License-Identifier: MIT
"""Tests tools/check_words.py: which words it rejects and which files it reads."""

from __future__ import annotations

import pytest

from tools import check_words


def test_repository_has_no_private_words():
    assert check_words.check(check_words.ROOT) == []


@pytest.mark.parametrize(
    "text", ["# x holds more\n", '"""Left to Python."""\n', "a\nGoes on to b\n", "taken to hold\n"]
)
def test_private_word_is_found(tmp_path, text):
    file = tmp_path / "python" / "depyf" / "a.py"
    file.parent.mkdir(parents=True)
    file.write_text("# what follows is threaded\n")
    assert check_words.check(tmp_path) == []
    file.write_text(text)
    (problem,) = check_words.check(tmp_path)
    assert problem.startswith("python/depyf/a.py:") and ": say " in problem


@pytest.mark.parametrize(
    "text", ["bool unite_with(int a);\n", "// too many ways out\n", "if (x.shows_behind) return;\n"]
)
def test_private_cpp_identifier_is_found(tmp_path, text):
    file = tmp_path / "src" / "cfg" / "a.cpp"
    file.parent.mkdir(parents=True)
    file.write_text("bool merge_tails(int always); // no phantom\n")
    assert check_words.check(tmp_path) == []
    file.write_text(text)
    (problem,) = check_words.check(tmp_path)
    assert problem.startswith("src/cfg/a.cpp:1: ") and ": say " in problem


def test_tree_without_files_does_not_pass(tmp_path):
    assert check_words.check(tmp_path)
