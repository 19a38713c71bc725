# SPDX-License-Identifier: MIT
"""Tests tools/check_imports.py, which checks the imports within the package."""

from __future__ import annotations

import pytest

from tools import check_imports


def write_tree(folder, **files):
    """Writes FILES below FOLDER/python/depyf; in a name, __ stands for / and init.py for __init__.py."""
    for name, text in files.items():
        path = folder / "python" / "depyf" / name.replace("__", "/").replace("init.py", "__init__.py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_repository_has_no_cycle():
    assert len(check_imports.modules(check_imports.ROOT / "python")) > 60
    assert check_imports.check(check_imports.ROOT) == []


@pytest.mark.parametrize(
    "text",
    [
        "from depyf import a\n",
        "def f():\n    from . import a\n",
        "import depyf.c\n",  # a cycle through c
        "from depyf import explain\n",
        "from depyf.compat import explain\n",
        "def f():\n    from depyf.explain import utils\n",
        "\n" * 601,
    ],
)
def test_forbidden_import_or_long_module_is_found(tmp_path, text):
    files = {"a.py": "from depyf import b\n", "b.py": "", "c.py": "import depyf.a\n"}
    write_tree(
        tmp_path, **{"init.py": "", "compat__init.py": "", "compat__explain__init.py": "from . import utils\n"}, **files
    )
    write_tree(tmp_path, **{"compat__explain__utils.py": "import depyf.a\n"})
    assert check_imports.check(tmp_path) == []
    write_tree(tmp_path, **{"b.py": text})
    assert check_imports.check(tmp_path)


def test_imports_for_type_checkers_do_not_run(tmp_path):
    text = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from depyf import a\n"
    write_tree(tmp_path, **{"init.py": "", "a.py": "from depyf import b\n", "b.py": text})
    assert check_imports.check(tmp_path) == []


def test_tree_without_modules_does_not_pass(tmp_path):
    assert check_imports.check(tmp_path)
