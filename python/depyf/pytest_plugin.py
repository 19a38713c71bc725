# SPDX-License-Identifier: MIT
"""Plugin for pytest: budgets for torch.compile, as a marker and as a fixture.

`@pytest.mark.torch_compile(breaks=0, recompiles=0)` sets a budget for a whole test. The fixture `torch_compile_budget`
is `depyf.expect` for a part of a test, with the file of approved breaks next to the test module. Both call
`torch.compiler.reset()` first, so that the result does not depend on the tests that ran before: the marker does so
after the fixtures of the test are set up, the fixture when it is set up. `--approve-graph-breaks` rewrites the file at
the end of the run. It then contains the breaks of all tests that ran, in whichever process, and the breaks approved
earlier for tests that did not run.

Invariant: torch is not imported before a test uses a budget, and nothing in torch is changed except by the reset.
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
"""Name of the file of approved breaks, which is in the folder of the test module."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option that approves the graph breaks of this run."""
    group = parser.getgroup("depyf", "budgets for torch.compile")
    group.addoption(_OPTION, action="store_true", help="approve the graph breaks of tests that have a budget")


def pytest_configure(config: pytest.Config) -> None:
    """Declares the marker."""
    if config.getoption(_OPTION) and not hasattr(
        config, "workerinput"
    ):  # workers of pytest-xdist do not write the file
        config.pluginmanager.register(_Approvals())
    config.addinivalue_line("markers", f"{_MARKER}({', '.join(_BUDGETS)}): set a budget for torch.compile in this test")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Fails a test whose marker has no budget, or a wrong one."""
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
    """Runs a marked test within its budget, after a reset of torch.compile."""
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
    """`depyf.expect` with the approved breaks in the test module's folder, after a reset of torch.compile.

    As with `depyf.expect` itself, only what is compiled inside the block counts, not what the test compiled before.

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
    """Drops the entries that other tests compiled: a call that uses one compiles nothing, so the test would pass."""
    import torch

    torch.compiler.reset()


def _budget(item: pytest.Item, limits: Mapping[str, Any]) -> contextlib.AbstractContextManager[Any]:
    """`depyf.expect`; with `--approve-graph-breaks`, a block that adds its breaks to the test's report instead."""
    __tracebackhide__ = True
    import depyf

    approved = Path(limits.get("approved") or item.path.with_name(APPROVED))
    if not item.config.getoption(_OPTION):
        return depyf.expect(**{**limits, "approved": approved})
    return _Approving(depyf.expect(**{**limits, "approved": None, "breaks": None}), item, approved)


class _Approving(contextlib.AbstractContextManager[Any]):
    """A budget without a limit on breaks, which adds the breaks to the test's report if the budget is met."""

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
            keys = [key_of(graph_break) for graph_break in self._seen.breaks]
            self._item.user_properties.append((_OPTION, [os.path.abspath(self._approved), keys]))


class _Approvals:
    """Collects the graph breaks of a run from the reports of tests, by file of approved breaks and by test."""

    def __init__(self) -> None:
        self._seen: dict[str, dict[str, list[Any]]] = {}
        self._passed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Records the breaks of a test that has run, in this process or in a worker of pytest-xdist."""
        if report.when == "call" and report.passed:
            self._passed.add(report.nodeid)
        breaks: dict[str, list[Any]] = {}
        for name, value in report.user_properties:
            if name == _OPTION:
                file, keys = cast("tuple[str, list[list[str]]]", value)
                breaks.setdefault(file, []).extend(map(tuple, keys))
        for file, keys in breaks.items():
            self._seen.setdefault(file, {})[report.nodeid] = keys

    def pytest_sessionfinish(self) -> None:
        """Writes the files of approved breaks at the end of the run."""
        from depyf.torch.expect import approve

        for file, breaks_of_tests in self._seen.items():
            approve(Path(file), breaks_of_tests, self._passed)
