# SPDX-License-Identifier: MIT
"""What all Python tests share: the interpreters of other versions and the installed native tool."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent


def load_tool(name: str) -> ModuleType:
    """Imports tools/NAME.py, which is no package."""
    spec = importlib.util.spec_from_file_location(f"depyf_tools_{name}", ROOT / "tools" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of the tests marked slow, takes the part that $DEPYF_SLOW_PART names: "2/3" is the second of three."""
    part, _, parts = os.environ.get("DEPYF_SLOW_PART", "1/1").partition("/")
    slow = [item for item in items if item.get_closest_marker("slow")]
    left = {item for k, item in enumerate(slow) if k % int(parts) != int(part) - 1}
    if left:
        config.hook.pytest_deselected(items=list(left))
        items[:] = [item for item in items if item not in left]


interpreters = load_tool("interpreters")
_found: dict[str, list[str] | None] = {}


def command_of(version: str) -> list[str] | None:
    """The command of CPython `version`, looked up once a process."""
    if version not in _found:
        _found[version] = interpreters.find(version)
    return _found[version]


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the source tree."""
    return ROOT


@pytest.fixture(scope="session")
def tool_module():
    """A function that imports tools/NAME.py."""
    return load_tool


@pytest.fixture(scope="session")
def depyfc() -> str:
    """The native tool that was installed with the package."""
    beside = Path(sys.executable).with_name("depyfc")
    found = str(beside) if beside.exists() else shutil.which("depyfc")
    if found is None:
        pytest.fail("depyfc is not installed: ./dev build")
    return found


@pytest.fixture(params=interpreters.VERSIONS)
def version(request: pytest.FixtureRequest) -> str:
    """Each version 3.8-3.15 in turn."""
    return request.param


@pytest.fixture(scope="session")
def command_for() -> Callable[[str], list[str]]:
    """A function that gives the command of a version's CPython; the test is skipped, by name, where there is none."""

    def find(version: str) -> list[str]:
        command = command_of(version)
        if command is None:
            pytest.skip(f"no CPython {version} on this machine: ./dev interpreters --install")
        return command

    return find


@pytest.fixture
def python(version: str, command_for: Callable[[str], list[str]]) -> list[str]:
    """The command of the CPython of `version`."""
    return command_for(version)
