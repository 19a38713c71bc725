# SPDX-License-Identifier: MIT
"""Fixtures of the PyTorch tests: the toy example, a reset Dynamo for each test, and a private cache of Inductor."""

from __future__ import annotations

import collections
import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

_CACHE = tempfile.TemporaryDirectory(prefix="depyf-inductor-")
os.environ["TORCHINDUCTOR_CACHE_DIR"] = _CACHE.name
sys.path.insert(0, str(Path(__file__).resolve().parent))  # `catalogue` is imported as a package
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def pytest_collection_modifyitems(config, items):
    for item in items:
        if Path(item.fspath).parent == Path(__file__).parent:
            item.add_marker(pytest.mark.torch)
    every = int(os.environ.get("DEPYF_EVERY", "1"))  # of the parameters of a test, run the first and each EVERY-th
    of_many = int(os.environ.get("DEPYF_EVERY_OF_MANY", "1"))  # the same for tests with at least 100 parameters
    start = int(os.environ.get("DEPYF_EVERY_FROM", "0"))  # which EVERY-th: another one in each run of a series
    parameters = collections.Counter(item.nodeid.partition("[")[0] for item in items)
    met = collections.Counter()
    chosen, left = [], []
    for item in items:
        name = item.nodeid.partition("[")[0]
        step = max(every, of_many if parameters[name] >= 100 else 1)
        (left if met[name] and (met[name] - start) % step else chosen).append(item)
        met[name] += 1
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = chosen


@pytest.fixture(autouse=True)
def clean_dynamo():
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


@pytest.fixture(scope="session")
def toy():
    """Returns the module examples/toy.py."""
    spec = importlib.util.spec_from_file_location("depyf_toy", EXAMPLES / "toy.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def run_script(tmp_path):
    """Returns a function that runs a program in a new interpreter; FEED is its standard input."""

    def run(source: str, feed: str | None = None, **env: str) -> subprocess.CompletedProcess:
        script = tmp_path / "program.py"
        script.write_text(source)
        stdin = {"input": feed} if feed is not None else {"stdin": subprocess.DEVNULL}
        return subprocess.run(
            [sys.executable, "-W", "ignore", str(script)],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(EXAMPLES), *sys.path]), **env},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
            **stdin,
        )

    return run
