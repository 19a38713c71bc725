# SPDX-License-Identifier: MIT
"""For type checkers: the module lies in compat/, where `depyf.__path__` finds it."""

from depyf.compat.code_transform import *
