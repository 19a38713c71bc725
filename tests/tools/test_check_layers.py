# SPDX-License-Identifier: MIT
"""Tests the rules that tools/check_layers.py adds to ruff's."""

from __future__ import annotations

import pytest

from tools import check_layers


def test_judges_of_the_repository_are_independent():
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
def test_judge_that_imports_the_package_is_found(tmp_path, text):
    folder = tmp_path / "tools" / "judges"
    folder.mkdir(parents=True)
    (folder / "judge.py").write_text("import torch\n")
    assert check_layers.check_judges(tmp_path) == []
    (folder / "judge.py").write_text(text)
    assert len(check_layers.check_judges(tmp_path)) == 1


def test_test_that_imports_internals_is_found(tmp_path):
    folder = tmp_path / "tests" / "torch"
    folder.mkdir(parents=True)
    test = folder / "test_trace.py"
    test.write_text("import depyf\nfrom depyf.torch import trace_folder\nfrom depyf.torch.internals import names\n")
    assert check_layers.check_judges(tmp_path) == []
    for text in ("from depyf.torch.capture import caches\n", "import depyf.torch.session\n"):
        test.write_text(text)
        assert len(check_layers.check_judges(tmp_path)) == 1
    agreement = tmp_path / "tools" / "agreement"
    agreement.mkdir(parents=True)
    test.unlink()
    (agreement / "compare.py").write_text("from depyf.torch.model import facts\n")
    assert len(check_layers.check_judges(tmp_path)) == 1
