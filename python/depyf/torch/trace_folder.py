# SPDX-License-Identifier: MIT
"""Dumps from a TORCH_TRACE folder: the same files, without the process that was compiled.

A trace holds graphs, guards, kernels, reasons and stacks, but no bytecode: transformed code and full code are not to be
had from it, and the index says so. Invariant: reads any line that torch's structured log writes; a damaged line is
counted and told, never fatal.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from depyf.torch.capture.events import Events
from depyf.torch.capture.recorder import Recorder
from depyf.torch.model.enums import Source
from depyf.torch.model.record import Problem, Record
from depyf.torch.write import index_data, ownership
from depyf.torch.write.folder import DumpFolder
from depyf.torch.write.payloads import Payloads

_LINE = re.compile(r"^[VIWEC]\d{4} [\d:.]+ \d+ [^\]]*\] (?:\[rank\d+\]:? ?)?(\{.*\})\s*$")
_RANK = re.compile(r"rank_(\d+)")


def records(lines: Iterable[str]) -> Iterator[tuple[dict[str, Any] | None, str | None]]:
    """(metadata, payload) of each record of a structured log; metadata is None for a line that is none."""
    metadata: dict[str, Any] | None = None
    payload: list[str] = []
    for line in lines:
        if line.startswith("\t"):
            payload.append(line[1:])
            continue
        if metadata is not None:
            yield metadata, "".join(payload).removesuffix("\n") if payload else None
            metadata, payload = None, []
        match = _LINE.match(line)
        try:
            found = json.loads(match.group(1)) if match is not None else None
        except ValueError:
            found = None
        if isinstance(found, dict):
            metadata = found
        elif line.strip():
            yield None, None
    if metadata is not None:
        yield metadata, "".join(payload).removesuffix("\n") if payload else None


def from_trace(trace: str | os.PathLike[str], dump_src_dir: str | os.PathLike[str]) -> Path:
    """Write what a structured log of torch.compile tells, as `prepare_debug` would have.

    Args:
        trace: A log file, or the folder that TORCH_TRACE named.
        dump_src_dir: Where to write; each rank or process has a folder below it where there are several logs.

    Returns:
        The folder written.

    Raises:
        FileNotFoundError: There is no log.

    Examples:
        >>> import depyf, pathlib
        >>> size = pathlib.Path("rank_0.log").write_text("")  # a run that compiled nothing
        >>> depyf.from_trace("rank_0.log", "dump").joinpath("index.md").exists()
        True

    """
    source = Path(trace)
    logs = sorted(source.glob("*.log")) if source.is_dir() else [source]
    if not logs or not all(log.is_file() for log in logs):
        raise FileNotFoundError(
            f"{source}: no structured log of torch (TORCH_TRACE writes *.log files into its folder)"
        )
    base = Path(dump_src_dir)
    for number, log in enumerate(logs):
        rank = _RANK.search(log.name)
        name = f"rank_{rank.group(1)}" if rank is not None else f"process_{number}"
        _dump(log, base if len(logs) == 1 else base / name)
    return base


def _dump(log: Path, path: Path) -> None:
    folder, record = DumpFolder(ownership.claim(path)), Record(source=Source.TRACE)
    recorder = Recorder(folder, record, live=False)
    events = Events(record)
    damaged = 0
    with log.open(encoding="utf-8", errors="surrogateescape") as lines:
        for metadata, payload in records(lines):
            if metadata is None:
                damaged += 1
            elif (event := recorder.decoded(metadata, payload)) is not None:
                recorder.on_event(event)
                events.on_event(record.ids.name(event.given), event)
    if damaged:
        record.problems.append(Problem(log.name, f"{damaged} lines are no records of torch's structured log"))
    recorder.complete()
    payloads = Payloads.of(record)
    if not payloads.is_empty:
        folder.replace(folder.path / ownership.PAYLOADS, payloads.as_json())
    run = index_data.as_run(record, {})
    ownership.write_index(folder, run, lambda run: index_data.as_markdown(record, run), complete=True)
