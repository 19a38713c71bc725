# SPDX-License-Identifier: MIT
"""Frozen facts about what torch.compile did in one run. `index.json` is a serialized `Run`. Does not need torch."""

from depyf.decompilation.result import VerdictKind
from depyf.torch.model.caches import CacheEvent, CudaGraphRecording, CudaGraphSkip, KeyChange, KeyPart
from depyf.torch.model.compilations import Compilation, EagerFrame, TransformedCode
from depyf.torch.model.enums import CacheOutcome, Execution, FailureEffect, FrameStatus, Source, Stage
from depyf.torch.model.facts import (
    SCHEMA_VERSION,
    CacheEntry,
    Failure,
    Frame,
    Function,
    Graph,
    GraphBreak,
    Guard,
    GuardFailure,
    Problem,
    Process,
    Recompile,
    Run,
)
from depyf.torch.model.location import Location
from depyf.torch.model.phases import Phase
from depyf.torch.model.status import StatusReport
from depyf.torch.model.symbols import Specialization, Symbol

__all__ = [
    "SCHEMA_VERSION",
    "CacheEntry",
    "CacheEvent",
    "CacheOutcome",
    "Compilation",
    "CudaGraphRecording",
    "CudaGraphSkip",
    "EagerFrame",
    "Execution",
    "Failure",
    "FailureEffect",
    "Frame",
    "FrameStatus",
    "Function",
    "Graph",
    "GraphBreak",
    "Guard",
    "GuardFailure",
    "KeyChange",
    "KeyPart",
    "Location",
    "Phase",
    "Problem",
    "Process",
    "Recompile",
    "Run",
    "Source",
    "Specialization",
    "Stage",
    "StatusReport",
    "Symbol",
    "TransformedCode",
    "VerdictKind",
]
