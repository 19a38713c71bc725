# SPDX-License-Identifier: MIT
"""Dumps from a TORCH_TRACE folder: the same files as from `prepare_debug`, made without the compiled process.

A trace contains graphs, guards, kernels, reasons and stacks, but no bytecode. Therefore the dump has no transformed
code and no full code, and the index says so. Invariant: all lines of torch's structured log can be read; damaged lines
are counted and reported, but are not an error.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from depyf.torch.capture.events import Events
from depyf.torch.capture.recorder import Recorder
from depyf.torch.capture.trace_decode import Measured
from depyf.torch.model.enums import Source
from depyf.torch.model.record import Problem, Record
from depyf.torch.write import index_data, ownership, ranks
from depyf.torch.write.folder import DumpFolder
from depyf.torch.write.payloads import Payloads
from depyf.torch.write.report import ReportError, report_html

_LINE = re.compile(r"^[VIWEC]\d{4} [\d:.]+ \d+ [^\]]*\] (?:\[rank\d+\]:? ?)?(\{.*\})\s*$")
_RANK = re.compile(r"rank_(\d+)")


def records(lines: Iterable[str]) -> Iterator[tuple[dict[str, Any] | None, str | None]]:
    """Yields metadata and payload of each record in a structured log; the metadata is None for an invalid line."""
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
            data = json.loads(match.group(1)) if match is not None else None
        except ValueError:
            data = None
        if isinstance(data, dict):
            metadata = data
        elif line.strip():
            yield None, None
    if metadata is not None:
        yield metadata, "".join(payload).removesuffix("\n") if payload else None


def from_trace(trace: str | os.PathLike[str], dump_src_dir: str | os.PathLike[str]) -> Path:
    """Write a dump from structured logs of torch, as `prepare_debug` would have written it.

    Args:
        trace: A log file, or the folder given as TORCH_TRACE.
        dump_src_dir: The folder to write to. If there are several logs, each rank or process has a subfolder.

    Returns:
        The folder. If there are logs of several ranks, `ranks.md` in it tells where the ranks diverge.

    Raises:
        FileNotFoundError: There is no log.
        ValueError: The logs are not empty, but have no line of a structured log of torch.

    Examples:
        >>> import depyf, pathlib
        >>> size = pathlib.Path("rank_0.log").write_text("")  # a run that compiled nothing
        >>> depyf.from_trace("rank_0.log", "dump").joinpath("index.md").exists()
        True

    """
    logs, base = _logs(Path(trace)), Path(dump_src_dir)
    for number, log in enumerate(logs):
        rank = _rank(log)
        name = f"rank_{rank}" if rank is not None else f"process_{number}"
        _dump(log, base if len(logs) == 1 else base / name, rank)
    ranks.write(base)
    return base


def page_of(trace: str | os.PathLike[str]) -> str:
    """Returns the report page of structured logs of torch; for several ranks that of the first, with the differences.

    Raises:
        FileNotFoundError: There is no log.
        ReportError: The logs belong to several processes that are not ranks of one program, or they have no line of a
            structured log of torch.

    """
    logs = _logs(Path(trace))
    if len(logs) > 1 and any(_rank(log) is None for log in logs):
        names = ", ".join([*(log.name for log in logs[:3]), *(["…"] if len(logs) > 3 else [])])
        raise ReportError(f"{trace}: wanted one log to show, found logs of {len(logs)} processes: {names}")
    with tempfile.TemporaryDirectory() as folder:
        return report_html(from_trace(trace, folder))


def _logs(source: Path) -> list[Path]:
    logs = sorted(source.glob("*.log")) if source.is_dir() else [source]
    if not logs or not all(log.is_file() for log in logs):
        raise FileNotFoundError(
            f"{source}: no structured log of torch (TORCH_TRACE writes *.log files into its folder)"
        )
    have_records = [has_record for log in logs if (has_record := _has_record(log)) is not None]
    if have_records and not any(have_records):
        raise ReportError(f"{source}: wanted a structured log of torch, as TORCH_TRACE writes it, found no line of one")
    return logs


def _has_record(log: Path) -> bool | None:
    """Returns whether a log has a record of torch; None for an empty log, of a program that compiles nothing."""
    is_empty = True
    with log.open(encoding="utf-8", errors="surrogateescape") as lines:
        for metadata, _ in records(lines):
            if metadata is not None:
                return True
            is_empty = False
    return None if is_empty else False


def _rank(log: Path) -> int | None:
    match = _RANK.search(log.name)
    return int(match[1]) if match is not None else None


def _dump(log: Path, path: Path, rank: int | None) -> None:
    """Writes the dump of one log."""
    folder, record = DumpFolder(ownership.claim(path)), Record(source=Source.TRACE)
    recorder = Recorder(folder, record, live=False)
    events = Events(record)
    damaged = 0
    with log.open(encoding="utf-8", errors="surrogateescape") as lines:
        for metadata, payload in records(lines):
            try:
                event = recorder.decoded(metadata, payload) if metadata is not None else None
                is_damaged = metadata is None
            except (ValueError, TypeError, KeyError, AttributeError):  # a process that was killed leaves half an event
                event, is_damaged = None, True
            damaged += is_damaged
            if isinstance(event, Measured):
                event = event.with_its_end
            if event is not None:
                recorder.on_event(event)
                events.on_event(record.ids.name(event.torch_id), event)
    if damaged:
        record.problems.append(Problem(log.name, f"{damaged} records or lines do not belong to torch's structured log"))
    recorder.complete()
    payloads = Payloads.of(record)
    if not payloads.is_empty:
        folder.replace(folder.path / ownership.PAYLOADS, payloads.as_json())
    run = index_data.as_run(record, {})
    ownership.write_index(folder, run, lambda run: index_data.as_markdown(record, run), complete=True, of_rank=rank)
