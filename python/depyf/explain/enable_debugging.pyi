# SPDX-License-Identifier: MIT
"""For type checkers: the module is in compat/, which `depyf.__path__` contains."""

from depyf.compat.explain.enable_debugging import *
from depyf.torch.session import debug as debug
from depyf.torch.session import prepare_debug as prepare_debug
