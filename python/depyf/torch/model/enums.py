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

    @property
    def words(self) -> str:
        """What is said of such a frame, wherever it is shown: its `label`, and for most what that means for a call."""
        return _WORDS[self]

    @property
    def label(self) -> str:
        """The first of the `words`, which say by themselves what became of the frame."""
        return self.words.partition(":")[0]


_WORDS = {
    FrameStatus.COMPILED: "compiled",
    FrameStatus.SKIPPED: "runs eagerly",
    FrameStatus.RECOMPILE_LIMIT: "recompile limit reached: calls that take none of its entries run eagerly",
    FrameStatus.ERROR: "failed to compile: the next call tries again",
    FrameStatus.NOT_MET: "not met: Dynamo has not been asked to compile it",
    FrameStatus.UNKNOWN: "not known: torch holds no entry of it, and kept no fact that tells why",
}


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
    """A step of torch.compile: where in the compiler a text, a graph or a file of code comes from.

    In the order in which a program goes through them, to its kernels; then what is beside that way.

    Examples:
        >>> import depyf
        >>> depyf.Stage("post-grad")
        <Stage.POST_GRAD: 'post-grad'>

    """

    SOURCE = "source"
    """The program's own text of the frame."""
    TRANSFORMED = "transformed"
    """The bytecode that Dynamo made of the frame, decompiled."""
    CAPTURED = "captured"
    """The graph that Dynamo captured and hands to the backend."""
    PRE_GRAD = "pre-grad"
    """The graph as Inductor received it."""
    JOINT = "joint"
    """AOTAutograd's graph of forward and backward pass in one; of training only."""
    FORWARD = "forward"
    """AOTAutograd's forward graph; in inference the only one."""
    BACKWARD = "backward"
    """AOTAutograd's backward graph."""
    POST_GRAD = "post-grad"
    """A graph after Inductor's passes, from which kernels are made: the forward one first."""
    KERNELS = "kernels"
    """A Python file of Inductor with kernels and the calls of them: the forward one first."""
    EXPORTED = "exported"
    """The graph of a program of torch.export."""
    COMPILED_AUTOGRAD = "compiled autograd"
    """The backward pass as compiled autograd captured it."""
    RUNTIME_WRAPPERS = "runtime wrappers"
    """What AOTAutograd runs around compiled graphs."""
    OTHER = "other"
