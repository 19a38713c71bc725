# SPDX-License-Identifier: MIT
"""`depyf run`: a program in a process of its own, watched from the moment it imports Dynamo.

Invariant: the program sees its own arguments, standard streams, signals and `sitecustomize`; its exit status is ours.
The processes that it starts are watched too, as long as they inherit the environment.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from depyf.cli import activate
from depyf.cli.errors import BadInput
from depyf.torch.write import ownership


def run(folder: str, is_module: bool, program: Sequence[str], report: bool = True, provenance: bool = True) -> int:
    """Runs the program; its exit status, 128 + N where signal N ended it.

    Raises:
        BadInput: There is no program, or the script is not there.

    """
    words = list(program[1:] if program[:1] == ["--"] else program)
    if not words:
        raise BadInput("wanted a script, or -m and a module, found nothing")
    if not is_module and not Path(words[0]).is_file():
        raise BadInput(f"{words[0]}: wanted a script, found none")
    out = Path(folder).absolute()
    made = not out.exists()
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{folder}: no folder to dump into: {error.strerror}") from error
    last = None
    if ownership.rank() is None:  # else other ranks may dump there already
        ownership.clear_processes(out)
        last = ownership.listing(out / "index.json")
    command = [sys.executable, *(["-m"] if is_module else []), *words]
    options = {"DEPYF_REPORT": str(int(report)), "DEPYF_PROVENANCE": str(int(provenance))}
    child = subprocess.Popen(command, env={**environment(out), **options})
    # What the terminal sends reaches the child as well, which decides what becomes of it.
    before = {number: signal.signal(number, _forward(child)) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        status = child.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if last is not None:
        ownership.clear_index(out, last)  # if the program took no folder
    _say(out, report)
    if made:
        with contextlib.suppress(OSError):  # it holds something
            out.rmdir()
    return status if status >= 0 else 128 - status


def environment(folder: Path) -> dict[str, str]:
    """What makes a Python process dump into the folder."""
    ours = {name: value for name, value in os.environ.items() if name != "DEPYF_DUMP_PARENT"}  # of an outer dump
    return {**ours, "DEPYF_DUMP": str(folder), "PYTHONPATH": activate.python_path(os.environ)}


def _forward(child: subprocess.Popen[bytes]) -> signal._HANDLER:
    def handle(number: int, frame: object) -> None:
        if number != signal.SIGINT:  # the terminal has sent it to the child already
            child.send_signal(number)

    return handle


def _say(out: Path, report: bool) -> None:
    """One line on standard error: where to look. Nothing of it changes the program's exit status."""
    if not (out / "index.json").exists():
        below = sorted(path for path in out.rglob("index.md") if (path.parent / "index.json").exists())
        if not below:
            print(f"depyf: torch.compile was not used; nothing was written to {out}", file=sys.stderr)
        if (out / "ranks.md").exists():
            below.insert(0, out / "ranks.md")
        for path in below:  # of other processes that the program started, and used torch.compile in
            print(f"depyf: {path}", file=sys.stderr)
        return
    print(f"depyf: {out / 'index.md'}", file=sys.stderr)
    if not report:
        return
    from depyf.torch.write.report import ReportError, report_html

    page = out / "report.html"
    try:
        if not page.exists():  # the program was ended before it could write it
            page.write_text(report_html(out), "utf-8")
        print(f"depyf: {page}", file=sys.stderr)
    except (OSError, ReportError) as error:
        print(f"depyf: no report: {error}", file=sys.stderr)
