# SPDX-License-Identifier: MIT
"""Names that no source can spell: pytest rewrites the assertions of this very file with such names."""

from __future__ import annotations

import depyf


def compared(a, b):
    assert a == b, "they differ"
    assert a.real in [b, 1] and a < 3 < b
    return a


def shown(a, b):
    """A variable's name can be seen."""
    assert a(b) is b
    return locals()


def nested(a):
    def inner():
        assert a
        return a

    return inner


def spelt(a):
    """The program's own: the name in brackets is a name of the code too, but for the first."""
    import os.path

    return globals()["a-b"], globals()["os.path"], os.path.join(a)


def test_rewritten_assertions_are_exact():
    for function in (compared, shown, nested):
        code = nested(1).__code__ if function is nested else function.__code__
        odd = {name for name in (*code.co_varnames, *code.co_names) if not name.isidentifier()}
        assert any(name.startswith("@py") for name in odd)  # else nothing was rewritten
        text = depyf.decompile(function)
        assert {verdict.kind for verdict in text.verdicts} == {"exact"}
        assert "@py" in text and not any(f"{name} =" in text for name in odd)
        back = text.recompile()
        assert (back.co_code, back.co_varnames) == (function.__code__.co_code, function.__code__.co_varnames)


def test_what_the_program_spells_stays():
    text = depyf.decompile(spelt)
    assert "globals()['a-b'], globals()['os.path']" in text and text.verdict == "exact"
