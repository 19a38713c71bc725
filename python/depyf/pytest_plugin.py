# SPDX-License-Identifier: MIT
"""pytest: budgets for torch.compile as a marker and a fixture.

`@pytest.mark.torch_compile(breaks=0, recompiles=0)` holds a whole test to a budget; the fixture `torch_compile_budget`
is `depyf.expect` for a part of one, with the file of approved breaks beside the test module. Both begin with
`torch.compiler.reset()`, so that a test is held to what it needs itself, whichever tests ran before it: a marked test
once its fixtures are set up, a test with the fixture when that is. `--approve-graph-breaks` writes that file anew at
the end of the run, with what broke in any of its tests, whichever process ran them, and what is approved for tests
that did not run. Invariant: imports no torch before a test asks for a budget, and changes
nothing of torch's but by that reset.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
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
    if marker is None:
        return
    unknown = [*map(repr, marker.args), *(name for name in marker.kwargs if name not in _BUDGETS)]
    if unknown or not marker.kwargs:
        wanted = ", ".join(f"{name}=N" for name in _BUDGETS)
        pytest.fail(f"{_MARKER}: wanted some of {wanted}; found {', '.join(unknown) or 'none'}", pytrace=False)
    from depyf.torch.expect import wrong_limits

    if wrong := wrong_limits(marker.kwargs):
        pytest.fail(f"{_MARKER}: {wrong}", pytrace=False)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Runs a marked test within its budget, from a torch that has compiled nothing."""
    __tracebackhide__ = True
    marker = item.get_closest_marker(_MARKER)
    if marker is None:
        yield
        return
    _forget_compiled()
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
    """`depyf.expect` with the approved breaks of the test module's folder, from a torch that has compiled nothing.

    What the test itself compiles before such a block does not count in it, as in any block of `depyf.expect`.

    Examples:
        def test_one_graph(torch_compile_budget):
            with torch_compile_budget(graphs=1, breaks=0):
                compiled(x)

    """
    _forget_compiled()

    def budget(**limits: Any) -> contextlib.AbstractContextManager[Any]:
        return _budget(request.node, limits)

    return budget


def _forget_compiled() -> None:
    """Drops what other tests had compiled: calls that an entry of theirs takes would compile nothing, and pass."""
    import torch

    torch.compiler.reset()


def _budget(item: pytest.Item, limits: Mapping[str, Any]) -> contextlib.AbstractContextManager[Any]:
    """`depyf.expect`; where breaks are approved, they go with the test's report to the process that writes the file."""
    __tracebackhide__ = True
    import depyf

    approved = Path(limits.get("approved") or item.path.with_name(APPROVED))
    if not item.config.getoption(_OPTION):
        return depyf.expect(**{**limits, "approved": approved})
    return _Approving(depyf.expect(**{**limits, "approved": None, "breaks": None}), item, approved)


class _Approving(contextlib.AbstractContextManager[Any]):
    """A budget whose breaks are approved at the end of the run, if it is kept otherwise."""

    def __init__(self, budget: contextlib.AbstractContextManager[Any], item: pytest.Item, approved: Path) -> None:
        self._budget = budget
        self._item = item
        self._approved = approved

    def __enter__(self) -> Any:
        self._seen = self._budget.__enter__()
        return self._seen

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        __tracebackhide__ = True
        from depyf.torch.expect import key_of

        self._budget.__exit__(kind, error, trace)
        if error is None:
            keys = [key_of(found) for found in self._seen.breaks]
            self._item.user_properties.append((_OPTION, [os.path.abspath(self._approved), keys]))


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
