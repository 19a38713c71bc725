# SPDX-License-Identifier: MIT
"""Fixtures of all Python tests: the interpreters of other versions, and the installed native tool."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tests.native_tools import find_or_build

ROOT = Path(__file__).resolve().parent.parent


def load_tool(name: str) -> ModuleType:
    """Imports tools/NAME.py, which is not in a package here."""
    spec = importlib.util.spec_from_file_location(f"depyf_tools_{name}", ROOT / "tools" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Selects the part of the tests marked slow that $DEPYF_SLOW_PART names: "2/3" is the second of three parts."""
    part, _, parts = os.environ.get("DEPYF_SLOW_PART", "1/1").partition("/")
    slow = [item for item in items if item.get_closest_marker("slow")]
    deselected = {item for k, item in enumerate(slow) if k % int(parts) != int(part) - 1}
    if deselected:
        config.hook.pytest_deselected(items=list(deselected))
        items[:] = [item for item in items if item not in deselected]


interpreters = load_tool("interpreters")
_commands: dict[str, list[str] | None] = {}


def command_of(version: str) -> list[str] | None:
    """Returns the command of CPython `version`, or None; looks it up only once per process."""
    if version not in _commands:
        _commands[version] = interpreters.find(version)
    return _commands[version]


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
    """The path of the native tool that was installed with the package."""
    in_venv = Path(sys.executable).with_name("depyfc")
    path = str(in_venv) if in_venv.exists() else shutil.which("depyfc")
    if path is None:
        pytest.fail("depyfc is not installed: ./dev build")
    return path


@pytest.fixture(scope="session")
def dump_bytecode() -> str:
    """The path of depyf_dump_bytecode, the native program of tests/bytecode and tests/dialect."""
    return find_or_build("bytecode", "dump_bytecode")


@pytest.fixture(params=interpreters.VERSIONS)
def version(request: pytest.FixtureRequest) -> str:
    """Each version 3.8-3.15 in turn."""
    return request.param


@pytest.fixture(scope="session")
def command_for() -> Callable[[str], list[str]]:
    """A function that returns the command of a version's CPython; it skips the test if that is not installed."""

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
