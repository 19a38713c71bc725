# SPDX-License-Identifier: MIT
"""What torch's caches answered, by which key, and which graphs run without CUDA graphs.

Invariant: of two keys, parts are equal where their digests are: a text may be shortened. Needs no torch.
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
        digest: The beginning of torch's own digest of it.
        text: What it is, shortened.

    """

    digest: str
    text: str


@dataclass(frozen=True)
class KeyChange:
    """A part of a key that is another one than in the run before.

    Attributes:
        name: As torch names it: `inductor_config[max_autotune]`, `example_inputs[0]`, `gm` (the graph).
        then: What it was, shortened; None where the key had no such part.
        now: What it is.

    """

    name: str
    then: str | None
    now: str | None

    def __str__(self) -> str:
        """The name, with both values where they are short enough to compare."""
        short = self.then != self.now and all(len(value or "") <= _SHORT for value in (self.then, self.now))
        return f"{self.name}: {self.then or 'absent'} → {self.now or 'absent'}" if short else self.name


_SHORT = 60  # columns


@dataclass(frozen=True)
class CacheEvent:
    """What one of torch's caches answered.

    Attributes:
        compile_id: Of the compilation that asked.
        frame: Name of its frame.
        cache: fx_graph_cache, aotautograd_cache, ….
        outcome: What came of it.
        key: Under which it was looked up; None where torch does not tell.
        parts: Name to part of the key: all of them for the run's first key of that cache, then those that are other
            ones than in that first key; None for one that is in the first key alone.
        changed: What is other than in the key of the same look-up in the run whose dump lay in the folder before.
        reason: Why the cache was bypassed.

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
        compile_id: Of the compilation.
        reason: In torch's words.
        location: The user's line that torch names; None where it names none.
        is_backward: Whether it is the backward graph.

    """

    compile_id: str
    reason: str
    location: Location | None
    is_backward: bool


@dataclass(frozen=True)
class CudaGraphRecording:
    """How often a compiled graph was recorded as a CUDA graph: once for each size, state of memory and order of calls.

    Attributes:
        compile_id: Of the compilation.
        is_backward: Whether it is the backward graph.
        times: How often; while a CUDA graph is replayed nothing is recorded.
        seconds: What recording took in all.

    """

    compile_id: str
    is_backward: bool
    times: int
    seconds: float


class CacheKeys:
    """Files the answers of one run: packs the parts of their keys, and compares them with those of the run before."""

    def __init__(self, before: Iterable[CacheEvent] = ()) -> None:
        """`before`: the events of the last run into the same folder."""
        self._first: dict[str, dict[str, KeyPart | None]] = {}  # cache -> parts of the run's first key
        self._asked: dict[tuple[str, str], int] = {}  # frame and cache -> how many look-ups there were
        self._before: dict[tuple[str, str], list[dict[str, KeyPart | None]]] = {}
        for event, parts in _with_all_parts(before):
            self._before.setdefault((event.frame, event.cache), []).append(parts)

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
        """The event of one answer."""
        asked = self._asked.get((frame, cache), 0)
        self._asked[frame, cache] = asked + 1
        earlier = self._before.get((frame, cache), [])
        changed = _changes(earlier[asked], parts) if asked < len(earlier) and parts else ()
        first = self._first.get(cache)
        if first is None and parts:
            self._first[cache] = dict(parts)
        names = dict.fromkeys((*(first or ()), *parts)) if parts else {}
        packed = {n: parts.get(n) for n in names if first is None or parts.get(n) != first.get(n)}
        return CacheEvent(compile_id, frame, cache, outcome, key or None, packed, changed, reason)


def differing_keys(a: Iterable[CacheEvent], b: Iterable[CacheEvent]) -> list[tuple[CacheEvent, tuple[KeyChange, ...]]]:
    """Look-ups of run `b` whose keys are others than those of the same look-ups in run `a`, with what differs."""
    then: dict[tuple[str, str], list[dict[str, KeyPart | None]]] = {}
    for event, parts in _with_all_parts(a):
        then.setdefault((event.frame, event.cache), []).append(parts)
    found = []
    for event, parts in _with_all_parts(b):
        earlier = then.get((event.frame, event.cache))
        if earlier and parts and (changes := _changes(earlier.pop(0), parts)):
            found.append((event, changes))
    return found


def _with_all_parts(events: Iterable[CacheEvent]) -> Iterator[tuple[CacheEvent, dict[str, KeyPart | None]]]:
    """Each event of a run with all parts of its key: those that are as in the first key of that cache, too."""
    first: dict[str, dict[str, KeyPart | None]] = {}
    for event in events:
        yield event, {**first.setdefault(event.cache, event.parts), **event.parts}


def _changes(then: Mapping[str, KeyPart | None], now: Mapping[str, KeyPart | None]) -> tuple[KeyChange, ...]:
    found = []
    for name in dict.fromkeys((*then, *now)):
        before, after = then.get(name), now.get(name)
        if (before.digest if before else None) != (after.digest if after else None):
            found.append(KeyChange(name, before.text if before else None, after.text if after else None))
    return tuple(found)
