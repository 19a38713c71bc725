# SPDX-License-Identifier: MIT
"""One row of the tables in families/: a sequence of instructions and the function it stands in.

Runs under each interpreter 3.8-3.15 and needs nothing but it.
"""

from recorders import PARAMETERS

ARGUMENTS = ", ".join(PARAMETERS)
FUNCTION = "def f(ARGS):\n    x = y = 0\n"
MODULE = ""


class Case:
    """A sequence: its name, its text, its first and last minor version, its template and the code it replaces."""

    def __init__(self, name, text, since=8, until=15, template=FUNCTION, target="f"):
        self.name, self.text, self.since, self.until = name, text, since, until
        self.template = template.replace("ARGS", ARGUMENTS)
        self.target = "<module>" if template == MODULE else target

    def is_for(self, minor):
        return self.since <= minor <= self.until


def function(body, head="def"):
    """A template: f with a body that gives it variables, flags or inner code."""
    return "%s f(ARGS):\n    x = y = 0\n%s" % (head, "".join("    %s\n" % line for line in body.splitlines()))


def compiled(name, body, since=8, until=15, head="def"):
    """A sequence that is long enough to be left to CPython's own compiler: the body of f, as it compiles it."""
    return Case(name, None, since, until, function(body, head))
