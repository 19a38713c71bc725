# SPDX-License-Identifier: MIT
"""`depyf why --try`: runs a program once for each change that may remove its graph breaks and recompiles.

Each run is a separate process, with a time limit, the same random seeds and one change. The results are what the change
removes, what it costs, and whether exit status, output and the results of compiled functions stay the same. Invariant:
every difference is reported, and a change is called a cure only if it was tried.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from depyf.cli import run as runner
from depyf.cli import terminal
from depyf.cli.errors import BadInput
from depyf.torch.internals import changes
from depyf.torch.internals.vocabulary import RESUME_CODE
from depyf.torch.model.words import count
from depyf.torch.write.report import difference

Place = tuple[str, int, str]
TIMEOUT = 600.0  # time limit of each run, in seconds
_WIDTH = 200  # characters shown of the last line that a program prints


@dataclass
class Outcome:
    """The outcome of one run."""

    index: dict[str, Any]
    status: int | None  # None: it exceeded the time limit
    output: bytes
    seconds: float
    results: Path
    last_words: str = ""  # the last line of its standard error
    breaks: dict[tuple[str, int, str], dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for graph_break in self.index.get("graph_breaks", ()):
            place = graph_break.get("location") or {"path": graph_break["where"], "line": 0}
            self.breaks[place["path"], place["line"], graph_break["reason"]] = graph_break

    @property
    def end(self) -> str:
        """The exit status as text; for a failure, with the last line of standard error."""
        last_words = f": {self.last_words}" if self.status and self.last_words else ""
        return f"ended with exit status {self.status}{last_words}"

    @property
    def recompiles(self) -> int:
        """The number of recompiles."""
        return len(self.index.get("recompiles", ()))

    @property
    def recompile_keys(self) -> dict[str, str]:
        """The title of each recompile, by a key that does not depend on the compile id."""
        return {_key_of(r): _title_of(r) for r in self.index.get("recompiles", ())}

    @property
    def entries(self) -> int:
        """The number of entries."""
        return len(self.index.get("entries", ()))

    @property
    def compiling(self) -> float:
        """Seconds spent in torch.compile."""
        return float(self.index.get("compile_seconds", 0.0))


def try_cures(program: Sequence[str], is_module: bool, out: str | None, timeout: float, as_json: bool) -> int:
    """Tries the changes for a program and prints the results; returns 0, or 1 if something remains without a cure.

    Raises:
        BadInput: No program is given, it does not use torch.compile, or it exceeds the time limit.

    """
    words = list(program)
    if not words:
        raise BadInput("--try: wanted -- followed by a program, found nothing")
    if not is_module and not Path(words[0]).is_file():
        raise BadInput(f"{words[0]}: wanted a script, found none")
    command = [sys.executable, *(["-m"] if is_module else []), *words]
    with tempfile.TemporaryDirectory(prefix="depyf-try-") as scratch:
        trials = _Trials(command, Path(scratch), timeout)
        report = trials.report(Path(out).absolute() if out is not None else None)
    if out is not None:
        _write(Path(out), report)
    if as_json:
        print(json.dumps(report, indent=2))
    else:
        for line in lines(report):
            terminal.say(line)
    return 1 if report["without"] else 0


class _Trials:
    """The runs of one program."""

    def __init__(self, command: list[str], folder: Path, timeout: float) -> None:
        self._command = command
        self._folder = folder
        self._timeout = timeout
        self._count = 0

    def report(self, out: Path | None) -> dict[str, Any]:
        """Runs the program without and with each change; returns the results as data for JSON."""
        terminal.note("running the unchanged program")
        first = self._run([], None, out)
        if first.status is None:
            raise BadInput(f"{' '.join(self._command[1:])}: did not end within {self._timeout:g} s (--timeout)")
        if not first.index:
            ended = f"; it {first.end}" if first.status else ""
            raise BadInput(f"{' '.join(self._command[1:])}: did not use torch.compile{ended}")
        proposed = list(proposals(first.index))
        functions = [] if not proposed else _functions(first.index)
        base = self._run(functions, None, None) if proposed else first
        is_deterministic = base.output == first.output
        tried = []
        for number, (change, purposes) in enumerate(proposed, 1):
            terminal.note(f"{number}/{len(proposed)}: {change.text}")
            outcome = self._run(functions, change, None)
            tried.append(self._trial_report(change, purposes, base, outcome, is_deterministic))
        terminal.note("")
        removed = {tuple(key) for t in tried if t["confirmed"] for key in t["breaks_removed"]}
        avoided = {title for t in tried if t["confirmed"] for title in t["recompiles_removed"]}
        breaks = [list(key) for key in base.breaks if key not in removed]
        recompiles = [title for title in base.recompile_keys.values() if title not in avoided]
        return {
            "command": self._command[1:], "status": base.status, "end": base.end, "seconds": round(base.seconds, 1),
            "breaks": len(base.breaks), "recompiles": base.recompiles, "tried": tried,
            "without": [*(f"{path}:{line}: graph break: {reason}" for path, line, reason in breaks), *recompiles],
        }  # fmt: skip

    def _run(self, functions: list[Place], change: changes.Change | None, out: Path | None) -> Outcome:
        """Runs the program once, with a change or without, and with a dump in `out` or in the scratch folder."""
        self._count += 1
        spec = self._folder / f"trial_{self._count}.json"
        spec.write_text(json.dumps({"functions": functions, "change": change.dump() if change else None}), "utf-8")
        dump = out if out is not None else self._folder / f"dump_{self._count}"
        environment = {
            **runner.environment(dump), "DEPYF_REPORT": "0", "DEPYF_PROVENANCE": "0", "DEPYF_TRIAL": str(spec),
        }  # fmt: skip
        began = time.monotonic()
        status, output, errors = _run_program(self._command, environment, self._timeout)
        try:
            index = json.loads((dump / "index.json").read_text("utf-8"))
        except (OSError, ValueError):
            index = {}
        lines = errors.decode("utf-8", "replace").split("\n")
        last_line = next((line.strip() for line in reversed(lines) if line.strip()), "")[:_WIDTH]
        return Outcome(index, status, output, time.monotonic() - began, spec.with_suffix(".pt"), last_line)

    @staticmethod
    def _trial_report(
        change: changes.Change, purposes: list[str], base: Outcome, now: Outcome, is_deterministic: bool
    ) -> dict[str, Any]:
        """Compares the outcomes of the runs with the change (`now`) and without (`base`); returns data for JSON."""
        from depyf.torch.trial import compare

        results, compared, left_out = compare(base.results, now.results)
        removed = [list(key) for key in base.breaks if key not in now.breaks] if now.index else []
        added = [list(key) for key in now.breaks if key not in base.breaks]
        output = (
            "the same"
            if now.output == base.output
            else "differs"
            if is_deterministic
            else "not compared: differs from run to run"
        )
        same = now.status == base.status and output != "differs" and results.startswith("the same")
        fewer = len(now.breaks) < len(base.breaks) or (
            now.recompiles < base.recompiles and len(now.breaks) <= len(base.breaks)
        )
        return {
            "change": change.text, "for": purposes, "breaks": len(now.breaks), "breaks_removed": removed,
            "breaks_added": added, "recompiles": now.recompiles,
            "recompiles_removed": [t for key, t in base.recompile_keys.items() if key not in now.recompile_keys],
            "entries": [base.entries, now.entries],
            "compile_seconds": [base.compiling, now.compiling], "status": now.status, "output": output,
            "results": results, "compared": compared, "not_compared": left_out,
            "confirmed": bool(same and fewer and now.index),
            "summary": _summary(base, now, removed, output, results, left_out),
        }  # fmt: skip


def _run_program(
    command: Sequence[str], environment: dict[str, str], timeout: float
) -> tuple[int | None, bytes, bytes]:
    """Runs a program; returns its exit status and what it has printed by then. The status is None after a timeout.

    The outputs are files, because a pipe ends only when all processes that inherited it have. After a timeout, the
    processes that the program has started end with it; they are in a session of their own (not on Windows).
    """
    has_sessions = hasattr(os, "killpg")
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=errors,
            start_new_session=has_sessions,
        )  # fmt: skip
        status = None
        try:
            with contextlib.suppress(subprocess.TimeoutExpired):
                status = process.wait(timeout)
        finally:
            if status is None:  # after an interruption, too
                if has_sessions:
                    os.killpg(process.pid, signal.SIGKILL)
                process.kill()
                process.wait()
        output.seek(0)
        errors.seek(0)
        return status, output.read(), errors.read()


def _summary(base: Outcome, now: Outcome, removed: list[Any], output: str, results: str, left_out: int) -> str:
    """Returns the result of a trial in one line, for example `removes 3 of 4 graph breaks, same results`."""
    if now.status is None:
        return "did not end in time"
    parts = []
    if removed:
        parts.append(f"removes {len(removed)} of {count(len(base.breaks), 'graph break')}")
    if len(now.breaks) > len(base.breaks) - len(removed):
        parts.append(f"adds {count(len(now.breaks) - len(base.breaks) + len(removed), 'other graph break')}")
    if now.recompiles != base.recompiles:
        fewer = base.recompiles - now.recompiles
        of_all = f" of {count(base.recompiles, 'recompile')}"
        parts.append(f"removes {fewer}{of_all}" if fewer > 0 else f"adds {count(-fewer, 'recompile')}")
    parts = parts or ["removes nothing"]
    if now.status != base.status:
        parts.append(f"{now.end} instead of {base.status}" if not now.status else now.end)
    elif output == "differs":
        parts.append("different output")
    else:
        parts.append(
            {"the same": "same results", "the same to rounding": "same results to rounding"}.get(
                results, f"results {results}"
            )
        )
        if left_out and results.startswith("the same"):
            parts.append(f"{count(left_out, 'value')} not compared")
    return ", ".join(parts)


def proposals(index: dict[str, Any]) -> Iterator[tuple[changes.Change, list[str]]]:
    """Yields each change to try, with the graph breaks and recompiles of the run for which it is proposed."""
    purposes: dict[changes.Change, list[str]] = {}
    frames = {i: frame for frame in index.get("frames", ()) for i in frame["compile_ids"]}
    for graph_break in index.get("graph_breaks", ()):
        for change in changes.for_break(graph_break):
            _add(purposes.setdefault(change, []), f"{graph_break['where']}: {graph_break['reason']}")
    for recompile in index.get("recompiles", ()):
        first_reasons: dict[changes.Change, str] = {}  # a change may be proposed for several reasons of a recompile
        for reason in recompile["reasons"]:
            for change in changes.for_reason(reason, frames.get(recompile["compile_id"])):
                text = f"{_name_of(recompile)}: [{reason['entry']}] {difference(reason)}"
                first_reasons.setdefault(change, text)
        for change, text in first_reasons.items():
            _add(purposes.setdefault(change, []), text)
    yield from purposes.items()


def _add(texts: list[str], text: str) -> None:
    if text not in texts:
        texts.append(text)


def _key_of(recompile: dict[str, Any]) -> str:
    """Returns a key of a recompile without its compile id: the frame, and the values for which guards failed."""
    reasons = sorted({f"{r['source']} {r['what']} {r['then']} {r['now']}" for r in recompile["reasons"]})
    return f"{recompile['name']}: {'; '.join(reasons)}"


def _title_of(recompile: dict[str, Any]) -> str:
    return f"{_name_of(recompile)}: {recompile['reason']}"


def _name_of(recompile: dict[str, Any]) -> str:
    return f"recompile [{recompile['compile_id']}] {recompile['name']}"


def _functions(index: dict[str, Any]) -> list[Place]:
    """Returns the functions whose results are compared: all that Dynamo compiled, except resume functions."""
    places = [frame["location"] for frame in index.get("frames", ()) if frame.get("location")]
    return sorted({(p["path"], p["line"], p["function"]) for p in places if not p["function"].startswith(RESUME_CODE)})


def _write(folder: Path, report: dict[str, Any]) -> None:
    """Writes the results of the trials to a dump, and its report page again, which shows them."""
    from depyf.torch.write.folder import write_whole
    from depyf.torch.write.report import TRIED, ReportError, report_html

    try:
        write_whole(folder / TRIED, json.dumps(report, indent=1) + "\n")
        write_whole(folder / "report.html", report_html(folder))
    except ReportError as error:
        raise BadInput(f"{folder}: {error}") from error


def lines(report: dict[str, Any]) -> Iterator[str]:
    """Yields the results of the trials as lines for a terminal."""
    counts = f"{count(report['breaks'], 'graph break')}, {count(report['recompiles'], 'recompile')}"
    yield f"{' '.join(report['command'])}: {counts}; {report['end']}, {report['seconds']} s"
    for trial in sorted(report["tried"], key=lambda t: not t["confirmed"]):
        yield f"{trial['change']}: {trial['summary']}"
        for purpose in trial["for"]:
            yield f"    for {purpose}"
        (old_entries, entries), (old_seconds, seconds) = trial["entries"], trial["compile_seconds"]
        time = f"{seconds:.1f} s of compilation instead of {old_seconds:.1f} s"
        yield f"    {count(entries, 'entry', 'entries')} instead of {old_entries}, {time}"
    for title in report["without"]:
        yield f"{title}: no change that was tried cures it"
