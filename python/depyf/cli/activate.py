# SPDX-License-Identifier: MIT
"""`DEPYF_DUMP=folder`: opens a `prepare_debug` block for the whole process when Dynamo is first imported.

`import depyf` calls `watch` if the variable is set. In processes started by `depyf run`, and in child processes of any
observed process, the `sitecustomize` in the folder SITE imports depyf at interpreter start. Invariant: until Dynamo is
imported, the only cost is one entry in `sys.meta_path`; torch is not imported; a failure is a warning.
"""

from __future__ import annotations

import contextlib
import functools
import os
import random
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path

from depyf.torch.internals import texts
from depyf.torch.internals.imports import when_imported

SITE = Path(__file__).resolve().parent / "site"
"""The folder of the `sitecustomize` that imports depyf at interpreter start."""


@functools.cache  # once per process
def watch() -> None:
    """Observes this process, and the Python processes that it starts, as DEPYF_DUMP requests."""
    os.environ["DEPYF_DUMP"] = os.path.abspath(os.environ["DEPYF_DUMP"])  # the working directory may change
    os.environ["PYTHONPATH"] = python_path(os.environ)
    folder, process = _folder_of_this_process(), os.getpid()

    def open_block() -> None:  # may run in a fork of this process
        _open(folder if os.getpid() == process else _below(os.environ["DEPYF_DUMP"]))

    if os.environ.get("DEPYF_TRIAL") and folder == os.environ["DEPYF_DUMP"]:
        _seed()
    if texts.DYNAMO in sys.modules:  # depyf was imported after Dynamo: only later compilations are observed
        open_block()
    else:
        when_imported(texts.DYNAMO, open_block, importers=[texts.EXPORTER])


def _seed() -> None:
    """Seeds the random number generators, so that all runs of `depyf why --try` draw the same numbers."""
    random.seed(0)

    def seed_torch() -> None:
        with contextlib.suppress(Exception):
            sys.modules["torch"].manual_seed(0)

    def seed_numpy() -> None:
        with contextlib.suppress(Exception):
            sys.modules["numpy"].random.seed(0)

    for name, seed in (("torch", seed_torch), ("numpy", seed_numpy)):
        if name in sys.modules:
            seed()
        else:
            when_imported(name, seed)


def python_path(environment: Mapping[str, str]) -> str:
    """Returns the PYTHONPATH of an environment with SITE as its first entry."""
    entries = [entry for entry in environment.get("PYTHONPATH", "").split(os.pathsep) if entry and entry != str(SITE)]
    return os.pathsep.join([str(SITE), *entries])


def _folder_of_this_process() -> str:
    """Returns the dump folder of this process: DEPYF_DUMP for the first process, a subfolder for those it starts.

    This is decided at interpreter start, so that a launcher counts as the first process even if it never imports torch.
    """
    base, rank = os.environ["DEPYF_DUMP"], os.environ.get("RANK", "")
    first, first_rank, below = (os.environ.get("DEPYF_DUMP_PARENT", "").split(":", 2) + ["", ""])[:3]
    if first == str(os.getpid()):  # this process has replaced its program with exec
        return os.path.join(base, below) if below else base
    if first and first_rank == rank:
        return _below(base)
    below = f"rank_{rank}" if first and rank.isdigit() else ""
    os.environ["DEPYF_DUMP_PARENT"] = f"{os.getpid()}:{rank}:{below}"
    return os.path.join(base, below) if below else base


def _below(base: str) -> str:
    return os.path.join(base, f"process_{os.getpid()}")


def _open(path: str) -> None:
    """Opens a session that dumps this process to a folder; a failure becomes a warning, not an error of the program."""
    try:
        from depyf.torch.model import Execution
        from depyf.torch.session import Session

        base = os.environ["DEPYF_DUMP"]
        report = os.environ.get("DEPYF_REPORT") != "0"
        provenance = os.environ.get("DEPYF_PROVENANCE") == "1"
        trial = os.environ.get("DEPYF_TRIAL")  # of `depyf why --try`
        execution = Execution.ORIGINAL if trial else Execution.LINE_MAPPED
        block = Session(
            path, execution, log_bytecode=False, when_used=path != base, ranks_in=base,
            report=report, provenance=provenance,
        )  # fmt: skip
        block.__enter__()  # the session exits when the interpreter does
        if trial and path == base:
            from depyf.torch.trial import begin

            begin(Path(trial))
    except Exception as error:
        warnings.warn(f"depyf: DEPYF_DUMP has no effect: {type(error).__name__}: {error}", stacklevel=2)
