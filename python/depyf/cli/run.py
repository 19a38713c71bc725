# SPDX-License-Identifier: MIT
"""`depyf run`: runs a program in a process of its own, which is observed as soon as it imports Dynamo.

Invariant: the program has its own arguments, standard streams, signals and `sitecustomize`; the command has the exit
status of the program. Processes that it starts are also observed, if they inherit the environment.
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
    """Runs the program; returns its exit status, or 128 + N if signal N terminated it.

    Raises:
        BadInput: No program is given, the script does not exist, or the folder cannot be created.

    """
    words = list(program[1:] if program[:1] == ["--"] else program)
    if not words:
        raise BadInput("wanted a script, or -m and a module, found nothing")
    if not is_module and not Path(words[0]).is_file():
        raise BadInput(f"{words[0]}: wanted a script, found none")
    out = Path(folder).absolute()
    is_new = not out.exists()
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{folder}: cannot be the dump folder: {error.strerror}") from error
    last = None
    if ownership.rank() is None:  # otherwise other ranks may already write to the folder
        ownership.clear_processes(out)
        last = ownership.listing(out / "index.json")
    command = [sys.executable, *(["-m"] if is_module else []), *words]
    options = {"DEPYF_REPORT": str(int(report)), "DEPYF_PROVENANCE": str(int(provenance))}
    child = subprocess.Popen(command, env={**environment(out), **options})
    # Signals of the terminal reach the child, too. The child decides how to handle them.
    handlers_before = {number: signal.signal(number, _forward(child)) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        status = child.wait()
    finally:
        for number, handler in handlers_before.items():
            signal.signal(number, handler)
    if last is not None:
        ownership.clear_index(out, last)  # if the program has not written a dump
    _print_files(out, report)
    if is_new:
        with contextlib.suppress(OSError):  # it is not empty
            out.rmdir()
    return status if status >= 0 else 128 - status


def environment(folder: Path) -> dict[str, str]:
    """Returns the environment in which a Python process writes a dump to the folder."""
    ours = {name: value for name, value in os.environ.items() if name != "DEPYF_DUMP_PARENT"}  # from an outer dump
    return {**ours, "DEPYF_DUMP": str(folder), "PYTHONPATH": activate.python_path(os.environ)}


def _forward(child: subprocess.Popen[bytes]) -> signal._HANDLER:
    def handle(number: int, frame: object) -> None:
        if number != signal.SIGINT:  # the terminal sends SIGINT to the child, too
            child.send_signal(number)

    return handle


def _print_files(out: Path, report: bool) -> None:
    """Prints the files to read to standard error. Failures do not change the exit status."""
    if not (out / "index.json").exists():
        below = sorted(path for path in out.rglob("index.md") if (path.parent / "index.json").exists())
        if not below:
            print(f"depyf: torch.compile was not used; nothing was written to {out}", file=sys.stderr)
        if (out / "ranks.md").exists():
            below.insert(0, out / "ranks.md")
        for path in below:  # dumps of child processes that used torch.compile
            print(f"depyf: {path}", file=sys.stderr)
        return
    print(f"depyf: {out / 'index.md'}", file=sys.stderr)
    if not report:
        return
    from depyf.torch.write.folder import write_whole
    from depyf.torch.write.report import ReportError, report_html

    page = out / "report.html"
    try:
        if not page.exists():  # the program was terminated before it could write the page
            write_whole(page, report_html(out))
        print(f"depyf: {page}", file=sys.stderr)
    except (OSError, ReportError) as error:
        print(f"depyf: no report: {error}", file=sys.stderr)
