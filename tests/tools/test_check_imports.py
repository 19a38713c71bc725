# SPDX-License-Identifier: MIT
"""The rules on imports within the package."""

from __future__ import annotations

import pytest

from tools import check_imports


def tree(folder, **files):
    for name, text in files.items():
        path = folder / "python" / "depyf" / name.replace("__", "/").replace("init.py", "__init__.py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_this_tree_has_no_cycle():
    assert len(check_imports.modules(check_imports.ROOT / "python")) > 60
    assert check_imports.check(check_imports.ROOT) == []


@pytest.mark.parametrize(
    "text",
    [
        "from depyf import a\n",
        "def f():\n    from . import a\n",
        "import depyf.c\n",  # through a third one
        "from depyf import explain\n",
        "from depyf.compat import explain\n",
        "def f():\n    from depyf.explain import utils\n",
        "\n" * 601,
    ],
)
def test_what_breaks_a_rule_is_found(tmp_path, text):
    files = {"a.py": "from depyf import b\n", "b.py": "", "c.py": "import depyf.a\n"}
    tree(
        tmp_path, **{"init.py": "", "compat__init.py": "", "compat__explain__init.py": "from . import utils\n"}, **files
    )
    tree(tmp_path, **{"compat__explain__utils.py": "import depyf.a\n"})
    assert check_imports.check(tmp_path) == []
    tree(tmp_path, **{"b.py": text})
    assert check_imports.check(tmp_path)


def test_imports_for_type_checkers_do_not_run(tmp_path):
    text = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from depyf import a\n"
    tree(tmp_path, **{"init.py": "", "a.py": "from depyf import b\n", "b.py": text})
    assert check_imports.check(tmp_path) == []


def test_a_tree_without_modules_does_not_pass(tmp_path):
    assert check_imports.check(tmp_path)
