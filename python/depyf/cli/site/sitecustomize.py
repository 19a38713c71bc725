# SPDX-License-Identifier: MIT
"""Starts to observe torch.compile in a process that `depyf run` started, or in a child process of one.

The folder of this file is the first entry of PYTHONPATH. Invariant: the environment's own `sitecustomize` runs first,
as if this file did not exist; a missing depyf is not an error.
"""

import importlib.machinery
import importlib.util
import os
import sys


def _run_the_environments_own() -> None:
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != here]
    ours = sys.modules.pop("sitecustomize", None)
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize")
    if spec is None or spec.loader is None:
        if ours is not None:
            sys.modules["sitecustomize"] = ours
        return
    module = importlib.util.module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


try:
    _run_the_environments_own()
finally:
    try:
        import depyf  # noqa: F401  # observes the process because DEPYF_DUMP is set
    except ImportError:  # a Python of another environment, without depyf
        pass
