# SPDX-License-Identifier: MIT
"""A plugin of pytest: writes what came of each test, and which files of the working folder were executed.

DEPYF_OUTCOMES names the file; runs inside the interpreter under test.
"""

import os
import sys

found = {}
executed = set()


def hook(event, arguments):
    if event == "exec":
        executed.add(getattr(arguments[0], "co_filename", ""))


sys.addaudithook(hook)


def pytest_runtest_logreport(report):
    outcome = report.outcome
    if outcome == "failed":
        outcome = "%s in %s" % (outcome, report.when)
        crash = getattr(report.longrepr, "reprcrash", None)
        if crash is not None:
            outcome += " " + crash.message.partition(":")[0].partition("\n")[0]
    elif hasattr(report, "wasxfail"):
        outcome = "x" + outcome
    if report.when == "call" or report.outcome != "passed":
        found[report.nodeid] = outcome


def pytest_collectreport(report):
    if report.failed:
        found[report.nodeid] = "not collected"


def pytest_sessionfinish(session):
    here = os.getcwd() + os.sep
    imported = sorted(f[len(here) :] for f in executed if f.startswith(here) and f.endswith(".py"))
    with open(os.environ["DEPYF_OUTCOMES"], "w") as out:
        out.write(repr({"outcomes": found, "modules": imported}))
