# SPDX-License-Identifier: MIT
"""Tables of words as text, as HTML and for rich, and the table that a `Run` prints.

Invariant: the first row contains the names of the columns. rich is imported only if rich itself asks for a table.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from depyf.torch.model.enums import FailureEffect, Stage

if TYPE_CHECKING:
    from rich.table import Table

    from depyf.torch.model import record
    from depyf.torch.model.facts import Failure, GraphBreak, Run

_Failed = TypeVar("_Failed", "Failure", "record.FailedCompilation")
Rows = Sequence[Sequence[str]]
_MAX_ROWS = 30  # maximum number of rows of a run's table
_MAX_LISTED = 6  # maximum number of compile ids in a cell


def aligned(rows: Rows) -> list[str]:
    """Returns the rows as lines with aligned columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]


def html_table(rows: Rows, caption: str = "") -> str:
    """Returns the rows as HTML for a notebook, with a caption."""
    head, *body = rows
    lines = ["".join(f"<th>{html.escape(cell)}</th>" for cell in head)]
    lines += ["".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in body]
    title = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    return f"<table>{title}{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def rich_table(rows: Rows, caption: str = "") -> Table:
    """Returns the rows as a rich table. Raises ModuleNotFoundError if rich is not installed."""
    from rich.table import Table
    from rich.text import Text

    head, *body = rows
    table = Table(*head, title=Text(caption) if caption else None, title_justify="left")
    for row in body:
        table.add_row(*map(Text, row))  # Text, because brackets in a str are markup
    return table


def rows_of(run: Run) -> list[Sequence[str]]:
    """Returns one row for each frame; if there are many, the last ones are omitted."""
    rows: list[Sequence[str]] = [("frame", "status", "entries", "guards", "graphs")]
    for frame in run.frames:
        entries = [e for e in run.entries if e.compile_id in frame.entries]
        captured = [g for g in run.graphs if g.stage is Stage.CAPTURED and not g.is_abandoned]
        graphs = [g for g in captured if g.compile_id in frame.compile_ids]
        guards = str(sum(len(e.checks) for e in entries))
        rows.append((frame.name, frame.status.value, _listed(frame.entries), guards, str(len(graphs))))
    if len(rows) >= _MAX_ROWS:
        rows[_MAX_ROWS - 2 :] = [(f"… {len(rows) - _MAX_ROWS + 2} more", "", "", "", "")]
    return rows


def _listed(compile_ids: Sequence[str]) -> str:
    """Returns compile ids in one cell; of many only the first ones and their number."""
    more = len(compile_ids) - _MAX_LISTED
    return " ".join(compile_ids) if more <= 1 else f"{' '.join(compile_ids[:_MAX_LISTED])} … {more} more"


def failures_of_their_own(
    failures: Sequence[_Failed], breaks: Sequence[GraphBreak] | Sequence[record.GraphBreak]
) -> list[_Failed]:
    """Returns the failed compilations that are not reported as graph breaks or as a recompile limit."""
    by_break = {compile_id for graph_break in breaks for compile_id in graph_break.skips}
    return [f for f in failures if f.compile_id not in by_break and f.effect is not FailureEffect.HITS_LIMIT]


def counts_of(run: Run) -> str:
    """Returns the numbers of graph breaks, recompiles and failures, in one line."""
    compiled = {entry.compile_id for entry in run.entries}
    refused = sum(recompile.compile_id not in compiled for recompile in run.recompiles)
    counts = (
        (len(run.graph_breaks), "graph break", ""),
        (len(run.recompiles), "recompile", f" ({refused} without an entry)" if refused else ""),
        (len(failures_of_their_own(run.failures, run.graph_breaks)), "failure", ""),
    )
    return ", ".join(f"{n} {noun}{'' if n == 1 else 's'}{note}" for n, noun, note in counts)
