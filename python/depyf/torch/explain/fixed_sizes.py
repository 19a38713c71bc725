# SPDX-License-Identifier: MIT
"""Sizes of arguments that the program forces to a single value, so that marking them as dynamic is not a cure.

The facts come from the record of a session, or from Dynamo's metrics of its latest compilations. Invariant: a size is
reported only if it was a symbol in a compilation, but the entry still has a guard for one value. Without metrics,
nothing is known. Does not read values of a call.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from depyf.torch.guards.functions import friendly_text
from depyf.torch.internals import conversions
from depyf.torch.model.compile_ids import torchs_id
from depyf.torch.model.location import NOWHERE, Location
from depyf.torch.model.record import Entry, Record

_SIZES = re.compile(r"check_tensor\((?P<source>.+?), .*, size=\[(?P<sizes>[^\]]*)\], stride=", re.DOTALL)


def fixed_sizes(entries: Iterable[Entry], record: Record | None) -> dict[str, Location]:
    """Returns the sizes that the program fixes in some entry of a frame.

    Args:
        entries: The entries of one frame.
        record: The facts that a session collected about them.

    Returns:
        The line of the program that fixes each size, or NOWHERE if it is not known. Keys are the sizes as the user
        would write them: `x.size()[0]`.

    """
    in_order = sorted(entries, key=lambda entry: _number(entry.compile_id))
    lines: dict[str, Location] = {}
    if record is not None:
        recorded = {id(entry) for entry in record.entries}  # identity, because torch reuses compile ids after a reset
        ids = {entry.compile_id for entry in in_order if id(entry) in recorded}
        for specialization in record.specializations:
            if specialization.compile_id in ids:
                lines.update((friendly_text(source), specialization.where) for source in specialization.sources)
    of_frames = (m for m in conversions.measured() if m.get("is_forward") is not False and not m.get("is_runtime"))
    metrics_by_id = {str(metrics.get("compile_id")): metrics for metrics in of_frames}
    earlier_sizes: dict[str, list[list[int | None]]] = {}
    for entry in in_order:
        metrics = metrics_by_id.get(torchs_id(entry.compile_id), {})
        for source, sizes in _guarded(entry):
            for dim in _specialized_symbols(sizes, earlier_sizes.get(source, []), metrics):
                lines.setdefault(friendly_text(f"{source}.size()[{dim}]"), NOWHERE)
            earlier_sizes.setdefault(source, []).append(sizes)
    return lines


def _number(compile_id: str) -> int:
    number = torchs_id(compile_id).rpartition("/")[2]
    return int(number) if number.isdigit() else 0


def _guarded(entry: Entry) -> Iterator[tuple[str, list[int | None]]]:
    """Yields the tensors that an entry guards, with the size of each dimension; None if any size passes."""
    for guard in entry.guards:
        match = _SIZES.match(guard.text) if guard.kind == "TENSOR_MATCH" else None
        if match is not None:
            sizes = [size.strip() for size in match["sizes"].split(",") if size.strip()]
            yield match["source"], [int(size) if size.isdigit() else None for size in sizes]


def _specialized_symbols(
    sizes: list[int | None], earlier_sizes: list[list[int | None]], metrics: Mapping[str, Any]
) -> Iterator[int]:
    """Yields the dimensions that were symbols in a compilation, although its entry has a guard for a single size.

    Sizes of zero and one never become symbols. Automatic dynamic shapes turn a dimension into a symbol if its size
    differs from an earlier one, as long as the number of dimensions has not changed.
    """
    options = _options(metrics)
    if not metrics.get("shape_env_guard_count"):  # no guard on a symbol
        return
    for dim, size in enumerate(sizes):
        if size is None or size <= 1:
            continue
        automatic = options.get("automatic_dynamic_shapes") is True and all(len(s) == len(sizes) for s in earlier_sizes)
        if options.get("assume_static_by_default") is False or (
            automatic and any(s[dim] != size for s in earlier_sizes)
        ):
            yield dim


def _options(metrics: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns Dynamo's configuration in a compilation; empty if it is not known."""
    try:
        options = json.loads(metrics.get("dynamo_config") or "{}")
    except (TypeError, ValueError):
        return {}
    return options if isinstance(options, dict) else {}
