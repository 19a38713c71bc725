# SPDX-License-Identifier: MIT
"""Lookups in torch's caches with their keys, and recordings of CUDA graphs.

Invariant: parts of two keys are compared by digest, because their texts may be shortened. Does not need torch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from depyf.torch.model.enums import CacheOutcome
from depyf.torch.model.location import Location


@dataclass(frozen=True)
class KeyPart:
    """One part of a cache's key, as torch describes it.

    Attributes:
        digest: The first characters of torch's own digest of the part.
        text: Description of the part, shortened.

    """

    digest: str
    text: str


@dataclass(frozen=True)
class KeyChange:
    """A part of a key that differs from the previous run.

    Attributes:
        name: Torch's name of the part: `inductor_config[max_autotune]`, `example_inputs[0]`, `gm` (the graph).
        then: The old text, shortened; None if the key had no such part.
        now: The new text, shortened; None if the key has no such part any more.

    """

    name: str
    then: str | None
    now: str | None

    def __str__(self) -> str:
        """Returns the name, and both values if they are short enough to compare."""
        short = self.then != self.now and all(len(value or "") <= _SHORT for value in (self.then, self.now))
        return f"{self.name}: {self.then or 'absent'} → {self.now or 'absent'}" if short else self.name


_SHORT = 60  # columns


@dataclass(frozen=True)
class CacheEvent:
    """A lookup in one of torch's caches.

    Attributes:
        compile_id: Compile id of the compilation that looked the key up.
        frame: Name of the frame.
        cache: Name of the cache: fx_graph_cache, aotautograd_cache, ….
        outcome: Hit, miss or bypass.
        key: The key, None if torch does not report it.
        parts: Parts of the key by name. All parts for the first key of that cache in the run; for later keys only the
            parts that differ from the first key, None for parts that only the first key has.
        changed: Differences from the key of the same lookup in the previous run that was dumped into the folder.
        reason: Why the cache was bypassed, "" if it was not.

    """

    compile_id: str
    frame: str
    cache: str
    outcome: CacheOutcome
    key: str | None
    parts: dict[str, KeyPart | None]
    changed: tuple[KeyChange, ...]
    reason: str


@dataclass(frozen=True)
class CudaGraphSkip:
    """A compiled graph that runs without a CUDA graph, though the program asked for one.

    Attributes:
        compile_id: Compile id of the compilation.
        reason: The reason in torch's words.
        location: The user's line that torch names, or None.
        is_backward: Whether it is the backward graph.

    """

    compile_id: str
    reason: str
    location: Location | None
    is_backward: bool


@dataclass(frozen=True)
class CudaGraphRecording:
    """Recordings of a compiled graph as a CUDA graph: one for each size, state of memory and order of calls.

    Attributes:
        compile_id: Compile id of the compilation.
        is_backward: Whether it is the backward graph.
        times: Number of recordings; a replay does not count.
        seconds: Total time of the recordings.

    """

    compile_id: str
    is_backward: bool
    times: int
    seconds: float


class CacheKeys:
    """Creates the cache events of a run: stores parts of keys once, and compares keys with the previous run's."""

    def __init__(self, last_events: Iterable[CacheEvent] = ()) -> None:
        """`last_events` are the events of the last run that was dumped into the same folder."""
        self._first: dict[str, dict[str, KeyPart | None]] = {}  # cache -> parts of the run's first key
        self._lookups: dict[tuple[str, str], int] = {}  # (frame, cache) -> number of lookups
        self._last_parts: dict[tuple[str, str], list[dict[str, KeyPart | None]]] = {}
        for event, parts in _with_all_parts(last_events):
            self._last_parts.setdefault((event.frame, event.cache), []).append(parts)

    def event(
        self,
        compile_id: str,
        frame: str,
        cache: str,
        outcome: CacheOutcome,
        key: str,
        parts: dict[str, KeyPart],
        reason: str,
    ) -> CacheEvent:
        """Returns the event for one lookup."""
        lookups = self._lookups.get((frame, cache), 0)
        self._lookups[frame, cache] = lookups + 1
        earlier = self._last_parts.get((frame, cache), [])
        changed = _changes(earlier[lookups], parts) if lookups < len(earlier) and parts else ()
        first = self._first.get(cache)
        if first is None and parts:
            self._first[cache] = dict(parts)
        names = dict.fromkeys((*(first or ()), *parts)) if parts else {}
        packed = {n: parts.get(n) for n in names if first is None or parts.get(n) != first.get(n)}
        return CacheEvent(compile_id, frame, cache, outcome, key or None, packed, changed, reason)


def differing_keys(a: Iterable[CacheEvent], b: Iterable[CacheEvent]) -> list[tuple[CacheEvent, tuple[KeyChange, ...]]]:
    """Returns lookups of run `b` whose keys differ from those of the same lookups in run `a`, with the differences."""
    parts_before: dict[tuple[str, str], list[dict[str, KeyPart | None]]] = {}
    for event, parts in _with_all_parts(a):
        parts_before.setdefault((event.frame, event.cache), []).append(parts)
    differing = []
    for event, parts in _with_all_parts(b):
        earlier = parts_before.get((event.frame, event.cache))
        if earlier and parts and (changes := _changes(earlier.pop(0), parts)):
            differing.append((event, changes))
    return differing


def _with_all_parts(events: Iterable[CacheEvent]) -> Iterator[tuple[CacheEvent, dict[str, KeyPart | None]]]:
    """Yields each event of a run with all parts of its key, including those stored only with the first key."""
    first: dict[str, dict[str, KeyPart | None]] = {}
    for event in events:
        yield event, {**first.setdefault(event.cache, event.parts), **event.parts}


def _changes(then: Mapping[str, KeyPart | None], now: Mapping[str, KeyPart | None]) -> tuple[KeyChange, ...]:
    changes = []
    for name in dict.fromkeys((*then, *now)):
        old, new = then.get(name), now.get(name)
        if (old.digest if old else None) != (new.digest if new else None):
            changes.append(KeyChange(name, old.text if old else None, new.text if new else None))
    return tuple(changes)
