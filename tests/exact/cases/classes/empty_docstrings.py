""" """
# SPDX-License-Identifier: MIT
# Docstrings of nothing but spaces, which are empty from CPython 3.13 on, and no constants of the code object from 3.15 on.
from __future__ import annotations


class Blank:
    """ """


class BlankAndMore:
    """ """

    value = ""

    def method(self):
        """ """

    def text(self):
        return ""


class NoDocstring:
    value = ""


def function():
    """ """
    return ""
