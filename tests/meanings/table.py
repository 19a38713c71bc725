# SPDX-License-Identifier: MIT
"""A row of the tables in families/: a sequence of instructions and the function that contains it.

Runs under each interpreter 3.8-3.15 and needs nothing but it.
"""

from recorders import PARAMETERS

ARGUMENTS = ", ".join(PARAMETERS)
FUNCTION = "def f(ARGS):\n    x = y = 0\n"
MODULE = ""


class Case:
    """A sequence: name, text, first and last minor version, template, and the name of the code object it replaces."""

    def __init__(self, name, text, since=8, until=15, template=FUNCTION, target="f"):
        self.name, self.text, self.since, self.until = name, text, since, until
        self.template = template.replace("ARGS", ARGUMENTS)
        self.target = "<module>" if template == MODULE else target

    def is_for(self, minor):
        return self.since <= minor <= self.until


def function(body, head="def"):
    """Returns a template: f with a body that gives it variables, flags or inner code."""
    return "%s f(ARGS):\n    x = y = 0\n%s" % (head, "".join("    %s\n" % line for line in body.splitlines()))


def compiled(name, body, since=8, until=15, head="def"):
    """Returns a sequence that CPython's own compiler makes from a body of f, because it would be long to write."""
    return Case(name, None, since, until, function(body, head))
