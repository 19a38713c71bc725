# SPDX-License-Identifier: MIT
"""A plugin of pytest that writes the outcome of each test and the executed files of the working folder.

It runs in the tested interpreter and writes to the file DEPYF_OUTCOMES.
"""

import os
import sys

outcomes = {}
executed = set()


def record_executed_file(event, arguments):
    if event == "exec":
        executed.add(getattr(arguments[0], "co_filename", ""))


sys.addaudithook(record_executed_file)


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
        outcomes[report.nodeid] = outcome


def pytest_collectreport(report):
    if report.failed:
        outcomes[report.nodeid] = "not collected"


def pytest_sessionfinish(session):
    folder = os.getcwd() + os.sep
    imported = sorted(f[len(folder) :] for f in executed if f.startswith(folder) and f.endswith(".py"))
    with open(os.environ["DEPYF_OUTCOMES"], "w") as out:
        out.write(repr({"outcomes": outcomes, "modules": imported}))
