# SPDX-License-Identifier: MIT
"""For type checkers: the module is in compat/, which `depyf.__path__` contains."""

from depyf.compat.utils import *
