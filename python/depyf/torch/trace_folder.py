# SPDX-License-Identifier: MIT
"""Dumps from a TORCH_TRACE folder: the same files, without the process that was compiled.

A trace holds graphs, guards, kernels, reasons and stacks, but no bytecode: transformed code and full code are not to be
had from it, and the index says so. Invariant: reads any line that torch's structured log writes; a damaged line is
counted and told, never fatal.
"""

from __future__ import annotations

import itertools
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
        The folder written. Where several ranks have logs, `ranks.md` in it tells where they did not do the same.

    Raises:
        FileNotFoundError: There is no log.
        ValueError: The logs hold something, and no line of torch's structured log.

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
    """The report of a structured log of torch.compile: of several ranks, the first, with what the others did.

    Raises:
        FileNotFoundError: There is no log.
        ReportError: There are logs of several processes that are not ranks of one program, or there is no line of
            torch's structured log in them.

    """
    logs = _logs(Path(trace))
    if len(logs) > 1 and any(_rank(log) is None for log in logs):
        names = ", ".join([*(log.name for log in logs[:3]), *(["…"] if len(logs) > 3 else [])])
        raise ReportError(f"{trace}: logs of {len(logs)} processes, wanted the one to show: {names}")
    with tempfile.TemporaryDirectory() as folder:
        return report_html(from_trace(trace, folder))


def _logs(source: Path) -> list[Path]:
    logs = sorted(source.glob("*.log")) if source.is_dir() else [source]
    if not logs or not all(log.is_file() for log in logs):
        raise FileNotFoundError(
            f"{source}: no structured log of torch (TORCH_TRACE writes *.log files into its folder)"
        )
    found = list(itertools.chain.from_iterable(map(_first_record, logs)))
    if found and not any(found):
        raise ReportError(f"{source}: wanted a structured log of torch, as TORCH_TRACE writes it, found no line of one")
    return logs


def _first_record(log: Path) -> list[bool]:
    """Whether a log holds a record of torch's; nothing of an empty one, left by a program that compiles nothing."""
    is_empty = True
    with log.open(encoding="utf-8", errors="surrogateescape") as lines:
        for metadata, _ in records(lines):
            if metadata is not None:
                return [True]
            is_empty = False
    return [] if is_empty else [False]


def _rank(log: Path) -> int | None:
    found = _RANK.search(log.name)
    return int(found[1]) if found is not None else None


def _dump(log: Path, path: Path, rank: int | None) -> None:
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
                events.on_event(record.ids.name(event.given), event)
    if damaged:
        record.problems.append(Problem(log.name, f"{damaged} records or lines are none of torch's structured log"))
    recorder.complete()
    payloads = Payloads.of(record)
    if not payloads.is_empty:
        folder.replace(folder.path / ownership.PAYLOADS, payloads.as_json())
    run = index_data.as_run(record, {})
    ownership.write_index(folder, run, lambda run: index_data.as_markdown(record, run), complete=True, of_rank=rank)
