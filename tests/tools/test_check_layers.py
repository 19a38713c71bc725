# SPDX-License-Identifier: MIT
"""The rules that tools/check_layers.py adds to ruff's."""

from __future__ import annotations

import pytest

from tools import check_layers


def test_the_judges_of_this_tree_are_independent():
    assert list((check_layers.ROOT / "tools" / "judges").glob("*.py"))
    assert check_layers.check_judges(check_layers.ROOT) == []


@pytest.mark.parametrize(
    "text",
    [
        "import depyf\n",
        "from depyf.torch import caches\n",
        "def f():\n    import depyf.torch.replay.bound_full_code\n",
        "from . import other\n",
        "from tools.zoo import agreement\n",
        "import importlib\nlive = importlib.import_module('depyf.torch.replay.bound_full_code')\n",
    ],
)
def test_a_judge_that_imports_what_it_judges_is_found(tmp_path, text):
    folder = tmp_path / "tools" / "judges"
    folder.mkdir(parents=True)
    (folder / "judge.py").write_text("import torch\n")
    assert check_layers.check_judges(tmp_path) == []
    (folder / "judge.py").write_text(text)
    assert len(check_layers.check_judges(tmp_path)) == 1
