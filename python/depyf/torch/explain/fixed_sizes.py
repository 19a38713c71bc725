# SPDX-License-Identifier: MIT
"""Sizes of arguments that the program forces to one value, so that marking them as dynamic is no cure.

Told by a session's record, or by what Dynamo measured of its latest compilations. Invariant: a size is named only where
it was a symbol in a compilation and the entry that came of it asks for one value all the same; where torch kept no
measurements nothing is known. Reads no values of a call.
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
    """Sizes that are fixed by the program in some entry of a frame.

    Args:
        entries: Of one frame.
        record: What a session knows of them.

    Returns:
        The program's line that fixes each, NOWHERE where that is not known, by the size as the user would write it:
        `x.size()[0]`.

    """
    listed = sorted(entries, key=lambda entry: _number(entry.compile_id))
    found: dict[str, Location] = {}
    if record is not None:
        its_own = {id(entry) for entry in record.entries}  # after a reset torch gives the ids of dropped ones again
        ids = {entry.compile_id for entry in listed if id(entry) in its_own}
        for known in record.specializations:
            if known.compile_id in ids:
                found.update((friendly_text(source), known.where) for source in known.sources)
    of_frames = (m for m in conversions.measured() if m.get("is_forward") is not False and not m.get("is_runtime"))
    measured = {str(made.get("compile_id")): made for made in of_frames}
    before: dict[str, list[list[int | None]]] = {}
    for entry in listed:
        made = measured.get(torchs_id(entry.compile_id), {})
        for source, sizes in _guarded(entry):
            for dim in _once_symbols(sizes, before.get(source, []), made):
                found.setdefault(friendly_text(f"{source}.size()[{dim}]"), NOWHERE)
            before.setdefault(source, []).append(sizes)
    return found


def _number(compile_id: str) -> int:
    number = torchs_id(compile_id).rpartition("/")[2]
    return int(number) if number.isdigit() else 0


def _guarded(entry: Entry) -> Iterator[tuple[str, list[int | None]]]:
    """The tensors that an entry asks for, with the size of each dimension; None: any."""
    for guard in entry.guards:
        match = _SIZES.match(guard.text) if guard.kind == "TENSOR_MATCH" else None
        if match is not None:
            sizes = [size.strip() for size in match["sizes"].split(",") if size.strip()]
            yield match["source"], [int(size) if size.isdigit() else None for size in sizes]


def _once_symbols(sizes: list[int | None], before: list[list[int | None]], made: Mapping[str, Any]) -> Iterator[int]:
    """The dimensions that a compilation made symbols of, and that its entry asks to be of one size all the same.

    Zero and one are no symbols. Automatic dynamic shapes make one of a dimension whose size had been another, as long
    as the number of dimensions never changes.
    """
    options = _options(made)
    if not made.get("shape_env_guard_count"):  # no guard on a symbol
        return
    for dim, size in enumerate(sizes):
        if size is None or size <= 1:
            continue
        automatic = options.get("automatic_dynamic_shapes") is True and all(len(s) == len(sizes) for s in before)
        if options.get("assume_static_by_default") is False or (automatic and any(s[dim] != size for s in before)):
            yield dim


def _options(made: Mapping[str, Any]) -> Mapping[str, Any]:
    """Dynamo's configuration in a compilation."""
    try:
        found = json.loads(made.get("dynamo_config") or "{}")
    except (TypeError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
