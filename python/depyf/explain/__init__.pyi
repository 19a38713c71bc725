# SPDX-License-Identifier: MIT
"""For type checkers: the package lies in compat/, where `depyf.__path__` finds it."""

from depyf.compat.explain import *
