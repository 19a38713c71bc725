# SPDX-License-Identifier: MIT
"""What torch.compile did in one run, as frozen facts: `index.json` is a `Run`, serialised. Needs no torch."""

from depyf.torch.model.facts import (
    SCHEMA_VERSION,
    CacheEntry,
    CacheEvent,
    Failure,
    Frame,
    FrameStatus,
    Function,
    Graph,
    GraphBreak,
    Guard,
    GuardFailure,
    Problem,
    Process,
    Recompile,
    Run,
    Specialization,
    Stage,
    Symbol,
    VerdictKind,
)
from depyf.torch.model.location import Location

__all__ = [
    "SCHEMA_VERSION",
    "CacheEntry",
    "CacheEvent",
    "Failure",
    "Frame",
    "FrameStatus",
    "Function",
    "Graph",
    "GraphBreak",
    "Guard",
    "GuardFailure",
    "Location",
    "Problem",
    "Process",
    "Recompile",
    "Run",
    "Specialization",
    "Stage",
    "Symbol",
    "VerdictKind",
]
