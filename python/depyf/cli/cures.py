# SPDX-License-Identifier: MIT
"""`depyf why --try`: runs a program again for each change that may remove its graph breaks and recompiles.

Each run is a process of its own, with a time limit, the same seeds and one change. Told is what it removed, what it
cost, and whether exit status, output and the results of compiled functions stayed. Invariant: what is not the same is
said; nothing is called a cure that was not run.
"""

from __future__ import annotations

import json
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
TIMEOUT = 600.0  # seconds of each run
_WIDTH = 200  # characters of what a program says last


@dataclass
class Outcome:
    """One run."""

    index: dict[str, Any]
    status: int | None  # None: it did not end in time
    output: bytes
    seconds: float
    results: Path
    last_words: str = ""  # the last line that it wrote to standard error
    breaks: dict[tuple[str, int, str], dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for found in self.index.get("graph_breaks", ()):
            place = found.get("location") or {"path": found["where"], "line": 0}
            self.breaks[place["path"], place["line"], found["reason"]] = found

    @property
    def end(self) -> str:
        """How it ended; of a failure, with what it said last."""
        said = f": {self.last_words}" if self.status and self.last_words else ""
        return f"ended with exit status {self.status}{said}"

    @property
    def recompiles(self) -> int:
        """How often a call was compiled anew."""
        return len(self.index.get("recompiles", ()))

    @property
    def recompile_keys(self) -> dict[str, str]:
        """What each recompile is called whatever its compile id, to its title."""
        return {_key_of(r): _title_of(r) for r in self.index.get("recompiles", ())}

    @property
    def entries(self) -> int:
        """How many entries there are."""
        return len(self.index.get("entries", ()))

    @property
    def compiling(self) -> float:
        """Seconds in torch.compile."""
        return float(self.index.get("compile_seconds", 0.0))


def try_cures(program: Sequence[str], is_module: bool, out: str | None, timeout: float, as_json: bool) -> int:
    """Tries the changes for a program and prints what came of them; 0, or 1 where something stays without a cure.

    Raises:
        BadInput: There is no program, it used no torch.compile, or it does not end in time.

    """
    words = list(program)
    if not words:
        raise BadInput("--try: wanted -- and a program, found nothing")
    if not is_module and not Path(words[0]).is_file():
        raise BadInput(f"{words[0]}: wanted a script, found none")
    command = [sys.executable, *(["-m"] if is_module else []), *words]
    with tempfile.TemporaryDirectory(prefix="depyf-try-") as scratch:
        work = _Work(command, Path(scratch), timeout)
        told = work.told(Path(out).absolute() if out is not None else None)
    if out is not None:
        _write(Path(out), told)
    if as_json:
        print(json.dumps(told, indent=2))
    else:
        for line in lines(told):
            terminal.say(line)
    return 1 if told["without"] else 0


class _Work:
    """The runs of one program."""

    def __init__(self, command: list[str], folder: Path, timeout: float) -> None:
        self._command = command
        self._folder = folder
        self._timeout = timeout
        self._count = 0

    def told(self, out: Path | None) -> dict[str, Any]:
        """Everything that came of it, as JSON has it."""
        terminal.note("the program as it is")
        first = self._run([], None, out)
        if first.status is None:
            raise BadInput(f"{self._command[-1]}: did not end within {self._timeout:g} s (--timeout)")
        if not first.index:
            ended = f"; it {first.end}" if first.status else ""
            raise BadInput(f"{' '.join(self._command[1:])}: used no torch.compile{ended}")
        proposed = list(proposals(first.index))
        functions = [] if not proposed else _functions(first.index)
        base = self._run(functions, None, None) if proposed else first
        steady = base.output == first.output
        tried = []
        for number, (change, wanted) in enumerate(proposed, 1):
            terminal.note(f"{number}/{len(proposed)}: {change.text}")
            tried.append(self._told_of(change, wanted, base, self._run(functions, change, None), steady))
        terminal.note("")
        removed = {tuple(each) for t in tried if t["confirmed"] for each in t["breaks_removed"]}
        spared = {each for t in tried if t["confirmed"] for each in t["recompiles_removed"]}
        left = [list(key) for key in base.breaks if key not in removed]
        again = [title for title in base.recompile_keys.values() if title not in spared]
        return {
            "command": self._command[1:], "status": base.status, "end": base.end, "seconds": round(base.seconds, 1),
            "breaks": len(base.breaks), "recompiles": base.recompiles, "tried": tried,
            "without": [*(f"{path}:{line}: graph break: {reason}" for path, line, reason in left), *again],
        }  # fmt: skip

    def _run(self, functions: list[Place], change: changes.Change | None, out: Path | None) -> Outcome:
        self._count += 1
        spec = self._folder / f"trial_{self._count}.json"
        spec.write_text(json.dumps({"functions": functions, "change": change.dump() if change else None}), "utf-8")
        dump = out if out is not None else self._folder / f"dump_{self._count}"
        environment = {
            **runner.environment(dump), "DEPYF_REPORT": "0", "DEPYF_PROVENANCE": "0", "DEPYF_TRIAL": str(spec),
        }  # fmt: skip
        began = time.monotonic()
        try:
            done = subprocess.run(
                self._command, env=environment, capture_output=True, stdin=subprocess.DEVNULL,
                timeout=self._timeout, check=False,
            )  # fmt: skip
            status, output, errors = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired as error:
            status, output, errors = None, error.stdout or b"", error.stderr or b""
        try:
            index = json.loads((dump / "index.json").read_text("utf-8"))
        except (OSError, ValueError):
            index = {}
        lines = errors.decode("utf-8", "replace").split("\n")
        said = next((line.strip() for line in reversed(lines) if line.strip()), "")[:_WIDTH]
        return Outcome(index, status, output, time.monotonic() - began, spec.with_suffix(".pt"), said)

    @staticmethod
    def _told_of(
        change: changes.Change, wanted: list[str], base: Outcome, now: Outcome, steady: bool
    ) -> dict[str, Any]:
        from depyf.torch.trial import compare

        results, compared = compare(base.results, now.results)
        removed = [list(key) for key in base.breaks if key not in now.breaks] if now.index else []
        added = [list(key) for key in now.breaks if key not in base.breaks]
        output = (
            "the same"
            if now.output == base.output
            else "differs"
            if steady
            else "not compared: differs from run to run"
        )
        same = now.status == base.status and output != "differs" and results.startswith("the same")
        fewer = len(now.breaks) < len(base.breaks) or (
            now.recompiles < base.recompiles and len(now.breaks) <= len(base.breaks)
        )
        return {
            "change": change.text, "for": wanted, "breaks": len(now.breaks), "breaks_removed": removed,
            "breaks_added": added, "recompiles": now.recompiles,
            "recompiles_removed": [t for key, t in base.recompile_keys.items() if key not in now.recompile_keys],
            "entries": [base.entries, now.entries],
            "compile_seconds": [base.compiling, now.compiling], "status": now.status, "output": output,
            "results": results, "compared": compared, "confirmed": bool(same and fewer and now.index),
            "summary": _summary(base, now, removed, same, output, results),
        }  # fmt: skip


def _summary(base: Outcome, now: Outcome, removed: list[Any], same: bool, output: str, results: str) -> str:
    """`removes 3 of 4 breaks, same results`."""
    if now.status is None:
        return "did not end in time"
    said = []
    if removed:
        said.append(f"removes {len(removed)} of {count(len(base.breaks), 'graph break')}")
    if len(now.breaks) > len(base.breaks) - len(removed):
        said.append(f"brings {count(len(now.breaks) - len(base.breaks) + len(removed), 'other graph break')}")
    if now.recompiles != base.recompiles:
        fewer = base.recompiles - now.recompiles
        of = f" of {count(base.recompiles, 'recompile')}"
        said.append(f"removes {fewer}{of}" if fewer > 0 else f"brings {count(-fewer, 'more recompile')}")
    said = said or ["removes nothing"]
    if now.status != base.status:
        said.append(f"{now.end} instead of {base.status}" if not now.status else now.end)
    elif output == "differs":
        said.append("other output")
    else:
        said.append(
            {"the same": "same results", "the same to rounding": "same results to rounding"}.get(
                results, f"results {results}"
            )
        )
    return ", ".join(said)


def proposals(index: dict[str, Any]) -> Iterator[tuple[changes.Change, list[str]]]:
    """Each change to try, once, with what of the run it is proposed for."""
    found: dict[changes.Change, list[str]] = {}
    frames = {i: frame for frame in index.get("frames", ()) for i in frame["compile_ids"]}
    for each in index.get("graph_breaks", ()):
        for change in changes.for_break(each):
            _add(found.setdefault(change, []), f"{each['where']}: {each['reason']}")
    for each in index.get("recompiles", ()):
        its: dict[changes.Change, str] = {}  # with the first of its reasons that a change is proposed for
        for reason in each["reasons"]:
            for change in changes.for_reason(reason, frames.get(each["compile_id"])):
                its.setdefault(change, f"{_name_of(each)}: [{reason['entry']}] {difference(reason)}")
        for change, text in its.items():
            _add(found.setdefault(change, []), text)
    yield from found.items()


def _add(known: list[str], text: str) -> None:
    if text not in known:
        known.append(text)


def _key_of(recompile: dict[str, Any]) -> str:
    """The frame and what its guards failed for."""
    reasons = sorted({f"{r['source']} {r['what']} {r['then']} {r['now']}" for r in recompile["reasons"]})
    return f"{recompile['name']}: {'; '.join(reasons)}"


def _title_of(recompile: dict[str, Any]) -> str:
    return f"{_name_of(recompile)}: {recompile['reason']}"


def _name_of(recompile: dict[str, Any]) -> str:
    return f"recompile [{recompile['compile_id']}] {recompile['name']}"


def _functions(index: dict[str, Any]) -> list[Place]:
    """The functions whose results are compared: those that Dynamo met, without what it continues in after a break."""
    places = [frame["location"] for frame in index.get("frames", ()) if frame.get("location")]
    return sorted({(p["path"], p["line"], p["function"]) for p in places if not p["function"].startswith(RESUME_CODE)})


def _write(folder: Path, told: dict[str, Any]) -> None:
    from depyf.torch.write.report import TRIED, ReportError, report_html

    try:
        (folder / TRIED).write_text(json.dumps(told, indent=1) + "\n", "utf-8")
        (folder / "report.html").write_text(report_html(folder), "utf-8")
    except (OSError, ReportError) as error:
        raise BadInput(f"{folder}: {error}") from error


def lines(told: dict[str, Any]) -> Iterator[str]:
    """What was tried, for a terminal."""
    met = f"{count(told['breaks'], 'graph break')}, {count(told['recompiles'], 'recompile')}"
    yield f"{' '.join(told['command'])}: {met}; {told['end']}, {told['seconds']} s"
    for each in sorted(told["tried"], key=lambda t: not t["confirmed"]):
        yield f"{each['change']}: {each['summary']}"
        for wanted in each["for"]:
            yield f"    for {wanted}"
        (before, after), (slow, fast) = each["entries"], each["compile_seconds"]
        yield f"    {after} entries instead of {before}, compiling {fast:.1f} s instead of {slow:.1f} s"
    for each in told["without"]:
        yield f"{each}: nothing that was tried cures it"
