# SPDX-License-Identifier: MIT
"""pytest: budgets for torch.compile as a marker and a fixture.

`@pytest.mark.torch_compile(breaks=0, recompiles=0)` holds a whole test to a budget; the fixture `torch_compile_budget`
is `depyf.expect` for a part of one, with the file of approved breaks beside the test module. `--approve-graph-breaks`
writes that file anew. Invariant: imports no torch before a test asks for a budget.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

_MARKER = "torch_compile"
_BUDGETS = ("graphs", "breaks", "recompiles", "eager_frames", "guards_below")
_OPTION = "--approve-graph-breaks"
APPROVED = "approved_graph_breaks.json"
"""The file of approved breaks beside a test module."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option that approves what breaks now."""
    group = parser.getgroup("depyf", "budgets for torch.compile")
    group.addoption(_OPTION, action="store_true", help="approve the graph breaks of tests that hold a budget")


def pytest_configure(config: pytest.Config) -> None:
    """Declares the marker."""
    config.addinivalue_line("markers", f"{_MARKER}({', '.join(_BUDGETS)}): hold torch.compile to a budget in this test")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Fails a test whose marker names no budget."""
    marker = item.get_closest_marker(_MARKER)
    unknown = [*map(repr, marker.args), *(set(marker.kwargs) - set(_BUDGETS))] if marker is not None else []
    if unknown:
        wanted = ", ".join(f"{name}=N" for name in _BUDGETS)
        pytest.fail(f"{_MARKER}: wanted some of {wanted}; found {', '.join(unknown)}", pytrace=False)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Runs a marked test within its budget."""
    marker = item.get_closest_marker(_MARKER)
    if marker is None:
        yield
        return
    import depyf

    budget = depyf.expect(**{**_approval(item.config, item.path), **marker.kwargs})
    budget.__enter__()
    outcome: Any = yield
    error = outcome.excinfo
    try:
        budget.__exit__(*(error if error is not None else (None, None, None)))
    except BaseException as raised:
        if error is None or raised is not error[1]:
            outcome.force_exception(raised)


@pytest.fixture
def torch_compile_budget(request: pytest.FixtureRequest) -> Callable[..., contextlib.AbstractContextManager[Any]]:
    """`depyf.expect` with the approved breaks of the test module's folder.

    Examples:
        def test_one_graph(torch_compile_budget):
            with torch_compile_budget(graphs=1, breaks=0):
                compiled(x)

    """
    import depyf

    def budget(**limits: Any) -> contextlib.AbstractContextManager[Any]:
        return depyf.expect(**{**_approval(request.config, request.path), **limits})

    return budget


def _approval(config: pytest.Config, path: Path) -> dict[str, Any]:
    return {"approved": path.with_name(APPROVED), "update": config.getoption(_OPTION)}
