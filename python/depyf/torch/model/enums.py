# SPDX-License-Identifier: MIT
"""What the facts of a run choose among. The values are what `index.json` has. Imports nothing of depyf's."""

from __future__ import annotations

import enum


class Execution(enum.Enum):
    """What runs when a compiled frame is called while `prepare_debug` watches.

    Examples:
        >>> import depyf
        >>> depyf.Execution("recompiled") is depyf.Execution.RECOMPILED  # prepare_debug takes either
        True

    """

    LINE_MAPPED = "line-mapped"
    """Dynamo's bytecode, whose line table names the dumped files: debuggers step through them."""
    RECOMPILED = "recompiled"
    """The decompiled text, compiled again, where it is proved equal; else Dynamo's bytecode, line-mapped."""
    ORIGINAL = "original"
    """Dynamo's bytecode, untouched."""


class Source(enum.Enum):
    """Where the facts of a run come from."""

    PROCESS = "process"
    """The process that was compiled, while it ran."""
    TRACE = "trace"
    """A folder that TORCH_TRACE named: no bytecode is known."""


class FrameStatus(enum.Enum):
    """What becomes of a call that enters the frame.

    Examples:
        >>> import depyf, torch
        >>> scale = torch.compile(lambda x, k: x * k, backend="eager")
        >>> depyf.which_entry(scale, torch.ones(2), 2).status.status is depyf.FrameStatus.NOT_MET
        True

    """

    COMPILED = "compiled"
    """The first cache entry whose guards hold runs; where none holds, torch compiles one more."""
    SKIPPED = "skipped"
    """The frame runs eagerly from now on; cache entries that torch still holds are not used."""
    RECOMPILE_LIMIT = "recompile limit"
    """The first cache entry whose guards hold runs; where none holds, the frame runs eagerly."""
    ERROR = "error"
    """No entry: its latest compilation raised an exception, and the next call compiles again."""
    NOT_MET = "not met"
    """Dynamo has not met the frame since the start, or since the latest torch.compiler.reset()."""
    UNKNOWN = "unknown"
    """torch holds no entry, or may have skipped the frame since, and kept no fact that tells which."""


class FailureEffect(enum.Enum):
    """What becomes of a frame whose compilation an exception ended."""

    SKIPS = "runs eagerly"
    """Dynamo skips the frame from now on."""
    HITS_LIMIT = "recompile limit"
    """Calls that take none of its entries run eagerly."""
    RAISES = "raised"
    """The program sees the exception; the next call compiles again."""


class CacheOutcome(enum.Enum):
    """What one of torch's caches answered."""

    HIT = "hit"
    MISS = "miss"
    BYPASS = "bypass"
    """It was not asked: what is compiled cannot be cached."""


class Stage(enum.Enum):
    """Where in the compiler a graph or a file of code comes from."""

    CAPTURED = "captured"
    JOINT = "joint"
    FORWARD = "forward"
    BACKWARD = "backward"
    PRE_GRAD = "pre-grad"
    POST_GRAD = "post-grad"
    KERNELS = "kernels"
    EXPORTED = "exported"
    COMPILED_AUTOGRAD = "compiled autograd"
    RUNTIME_WRAPPERS = "runtime wrappers"
    OTHER = "other"
