# SPDX-License-Identifier: MIT
"""Enumerations of the facts of a run. Their values are written to `index.json`. Imports nothing from depyf."""

from __future__ import annotations

import enum


class Execution(enum.Enum):
    """The code that runs when a compiled frame is called inside a `prepare_debug` block.

    Examples:
        >>> import depyf
        >>> depyf.Execution("recompiled") is depyf.Execution.RECOMPILED  # prepare_debug accepts both
        True

    """

    LINE_MAPPED = "line-mapped"
    """Dynamo's bytecode with a line table that refers to the dumped files, so that debuggers step through them."""
    RECOMPILED = "recompiled"
    """The recompiled text if it is exact or proved; otherwise Dynamo's bytecode, line-mapped."""
    ORIGINAL = "original"
    """Dynamo's bytecode, unchanged."""


class Source(enum.Enum):
    """Origin of the facts of a run."""

    PROCESS = "process"
    """The process itself, while it ran."""
    TRACE = "trace"
    """Logs written by TORCH_TRACE, which contain no bytecode."""


class FrameStatus(enum.Enum):
    """What happens to a call that enters the frame.

    Examples:
        >>> import depyf, torch
        >>> scale = torch.compile(lambda x, k: x * k, backend="eager")
        >>> depyf.which_entry(scale, torch.ones(2), 2).status.status is depyf.FrameStatus.NOT_MET
        True

    """

    COMPILED = "compiled"
    """The first cache entry whose guards hold runs; if there is none, torch compiles another one."""
    SKIPPED = "skipped"
    """The frame runs eagerly from now on; cache entries that torch still holds are not used."""
    RECOMPILE_LIMIT = "recompile limit"
    """The first cache entry whose guards hold runs; if there is none, the frame runs eagerly."""
    ERROR = "error"
    """There is no entry: the latest compilation raised an exception, and the next call compiles again."""
    NOT_MET = "not met"
    """Dynamo has not met the frame since the start, or since the latest torch.compiler.reset()."""
    UNKNOWN = "unknown"
    """torch has no entry, or may have skipped the frame since; it keeps no state that tells which."""

    @property
    def words(self) -> str:
        """The text shown for such a frame: its `label`, and for most also the consequence for calls."""
        return _WORDS[self]

    @property
    def label(self) -> str:
        """The part of `words` before the colon."""
        return self.words.partition(":")[0]


_WORDS = {
    FrameStatus.COMPILED: "compiled",
    FrameStatus.SKIPPED: "runs eagerly",
    FrameStatus.RECOMPILE_LIMIT: "recompile limit reached: calls that match none of its entries run eagerly",
    FrameStatus.ERROR: "failed to compile: the next call tries again",
    FrameStatus.NOT_MET: "not met: Dynamo has not been asked to compile it",
    FrameStatus.UNKNOWN: "not known: torch has no entry for it and keeps no state that tells why",
}


class FailureEffect(enum.Enum):
    """What happens to a frame whose compilation failed with an exception."""

    SKIPS = "runs eagerly"
    """Dynamo skips the frame from now on."""
    HITS_LIMIT = "recompile limit"
    """Calls that match none of its entries run eagerly."""
    RAISES = "raised"
    """The program sees the exception; the next call compiles again."""


class CacheOutcome(enum.Enum):
    """The result of a lookup in one of torch's caches."""

    HIT = "hit"
    MISS = "miss"
    BYPASS = "bypass"
    """There was no lookup, because the result cannot be cached."""


class Stage(enum.Enum):
    """A stage of torch.compile that produces a text, a graph or a file of code.

    The members are in the order of the pipeline, from the program to its kernels, followed by stages outside of it.

    Examples:
        >>> import depyf
        >>> depyf.Stage("post-grad")
        <Stage.POST_GRAD: 'post-grad'>

    """

    SOURCE = "source"
    """The source code of the frame in the program."""
    TRANSFORMED = "transformed"
    """The bytecode that Dynamo generated for the frame, decompiled."""
    CAPTURED = "captured"
    """The graph that Dynamo captured and passed to the backend."""
    PRE_GRAD = "pre-grad"
    """The graph as Inductor received it."""
    JOINT = "joint"
    """AOTAutograd's joint graph of the forward and backward pass; only in training."""
    FORWARD = "forward"
    """AOTAutograd's forward graph; the only one in inference."""
    BACKWARD = "backward"
    """AOTAutograd's backward graph."""
    POST_GRAD = "post-grad"
    """A graph after Inductor's passes, from which kernels are generated; the forward graph first."""
    KERNELS = "kernels"
    """A Python file of Inductor that defines and launches kernels; that of the forward graph first."""
    EXPORTED = "exported"
    """The graph of a program exported with torch.export."""
    COMPILED_AUTOGRAD = "compiled autograd"
    """The backward pass as compiled autograd captured it."""
    RUNTIME_WRAPPERS = "runtime wrappers"
    """Python code that AOTAutograd runs around compiled graphs."""
    OTHER = "other"
