# SPDX-License-Identifier: MIT
# f-strings that stand alone, where a docstring would; functions without names, assigned side by side.
def no_docstring():
    f"""Not a docstring"""


def joined():
    """Not a docstring""" f""


def documented():
    """A docstring."""
    f"alone"


class Owner:
    f"no docstring"

    f = 1


def functions():
    a, b = lambda: ..., lambda: ...
    a, b, c = lambda: 1, lambda: 2, lambda: 3
    return a, b, c
