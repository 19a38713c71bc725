# SPDX-License-Identifier: MIT
"""pytest: budgets for torch.compile as a marker and a fixture.

`@pytest.mark.torch_compile(breaks=0, recompiles=0)` holds a whole test to a budget; the fixture `torch_compile_budget`
is `depyf.expect` for a part of one, with the file of approved breaks beside the test module. `--approve-graph-breaks`
writes that file anew at the end of the run, with what broke in any of its tests, whichever process ran them, and what
is approved for tests that did not run. Invariant: imports no torch before a test asks for a budget.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

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
    if config.getoption(_OPTION) and not hasattr(config, "workerinput"):  # pytest-xdist's workers report to another one
        config.pluginmanager.register(_Approvals())
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
    budget = _budget(item, marker.kwargs)
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

    def budget(**limits: Any) -> contextlib.AbstractContextManager[Any]:
        return _budget(request.node, limits)

    return budget


@contextlib.contextmanager
def _budget(item: pytest.Item, limits: Mapping[str, Any]) -> Iterator[Any]:
    """`depyf.expect`; where breaks are approved, they go with the test's report to the process that writes the file."""
    import depyf
    from depyf.torch.expect import key_of

    approving = item.config.getoption(_OPTION)
    approved = Path(limits.get("approved") or item.path.with_name(APPROVED))
    asked = {**limits, "approved": None, "breaks": None} if approving else {**limits, "approved": approved}
    with depyf.expect(**asked) as seen:
        yield seen
    if approving:
        item.user_properties.append((_OPTION, [os.path.abspath(approved), [key_of(b) for b in seen.breaks]]))


class _Approvals:
    """Gathers what broke in the tests of a run, by the file of approved breaks and the test."""

    def __init__(self) -> None:
        self._seen: dict[str, dict[str, list[Any]]] = {}
        self._passed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test has run, here or in a worker process."""
        if report.when == "call" and report.passed:
            self._passed.add(report.nodeid)
        found: dict[str, list[Any]] = {}
        for name, value in report.user_properties:
            if name == _OPTION:
                file, keys = cast("tuple[str, list[list[str]]]", value)
                found.setdefault(file, []).extend(map(tuple, keys))
        for file, keys in found.items():
            self._seen.setdefault(file, {})[report.nodeid] = keys

    def pytest_sessionfinish(self) -> None:
        """The run has ended."""
        from depyf.torch.expect import approve

        for file, found in self._seen.items():
            approve(Path(file), found, self._passed)
