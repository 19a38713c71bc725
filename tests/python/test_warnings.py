# SPDX-License-Identifier: MIT
"""Tests that recompiling a text leaves the warning filters of the process as they are."""

import sys
import threading
import types
import warnings

import depyf
import pytest

pytestmark = pytest.mark.skipif(
    getattr(sys.flags, "context_aware_warnings", False), reason="each thread has its own filters"
)
WARNS = "def f(x):\n    assert (x, 'always true')\n    return x is 1\n"


def function_that_warned():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        namespace = {}
        exec(compile(WARNS, "warns.py", "exec"), namespace)
    return namespace["f"]


def test_no_warning_is_shown_and_filters_are_unchanged(capfd):
    function = function_that_warned()
    filters, before = warnings.filters, list(warnings.filters)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a warning would raise
        text = depyf.decompile(function)
        assert text.verdict.holds, text.verdict.why
        text.recompile("elsewhere.py")
    assert warnings.filters is filters and warnings.filters == before
    assert capfd.readouterr().err == ""


def test_registry_of_shown_warnings_is_unchanged():
    shown = []
    module = types.ModuleType("warner")
    exec("import warnings\ndef warn():\n    warnings.warn('once', UserWarning)\n", vars(module))
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.showwarning = lambda message, *_: shown.append(str(message))
        for _ in range(3):
            module.warn()
            depyf.decompile(function_of_this_test).recompile()
    assert shown == ["once"]


def function_of_this_test(x):
    return x + 1


def test_filter_that_another_thread_adds_is_kept():
    from depyf.decompilation import recompile

    before = list(warnings.filters)
    with warnings.catch_warnings():
        with recompile._without_warnings("file.py"):
            adding = threading.Thread(target=lambda: warnings.filterwarnings("ignore", message="of the other thread"))
            adding.start()
            adding.join()
        added = [f for f in warnings.filters if f not in before]
    assert len(added) == 1 and added[0][1].pattern == "of the other thread"
    assert warnings.filters == before
