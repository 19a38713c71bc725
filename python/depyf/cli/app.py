# SPDX-License-Identifier: MIT
"""The command line of `depyf`: what there is, its help, exit statuses.

Exit status: 0 done (for `diff` and `verify`: the same), 1 different or something that could not be done, 2 bad input,
told in one line that names it. `run` has the exit status of the program. Invariant: no command imports torch that does
not run a program or read torch's logs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from depyf.cli.errors import BadInput

Command = Callable[[argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; its exit status."""
    options = _parser().parse_args(arguments)
    command: Command = options.run
    try:
        return command(options)
    except BadInput as error:
        print(f"depyf {options.command}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader has seen enough
        sys.stderr.close()
        return 0


def _parser() -> argparse.ArgumentParser:
    import depyf

    parser = argparse.ArgumentParser(
        prog="depyf",
        description="See what torch.compile does to a program, and read CPython bytecode as source.",
        epilog="Begin with: depyf run script.py   (then open depyf_dump/report.html)",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"depyf {depyf.__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _programs(commands)
    _dumps(commands)
    _bytecode(commands)
    return parser


if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]


def _add(commands: Commands, name: str, help_: str, example: str, run: Command) -> argparse.ArgumentParser:
    made = commands.add_parser(
        name, help=help_, description=help_[0].upper() + help_[1:] + ".", epilog=f"Example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    made.set_defaults(run=run)
    return made


def _programs(commands: Commands) -> None:
    def run(options: argparse.Namespace) -> int:
        from depyf.cli import run as module

        return module.run(
            options.out, options.module, options.program,
            report=not options.no_report, provenance=not options.no_provenance,
        )  # fmt: skip

    made = _add(commands, "run", "run a program unchanged and dump what torch.compile does in it",
                "depyf run -o dump train.py --lr 1e-3", run)  # fmt: skip
    made.add_argument("-o", "--out", default="depyf_dump", metavar="DIR", help="the dump's folder (%(default)s)")
    made.add_argument("--no-report", action="store_true", help="write no report.html")
    made.add_argument("--no-provenance", action="store_true", help="do not have Inductor tell which lines its kernels "
                      "come from; then it uses what it cached in runs without depyf")  # fmt: skip
    made.add_argument("-m", dest="module", action="store_true", help="PROGRAM is a module, as for python -m")
    made.add_argument("program", nargs=argparse.REMAINDER, metavar="PROGRAM ARGS…", help="a script and its arguments")

    def trace(options: argparse.Namespace) -> int:
        import depyf

        try:
            written = depyf.from_trace(options.logs, options.folder)
        except OSError as error:
            raise BadInput(str(error)) from error
        print(f"{written}: start with index.md")
        return 0

    made = _add(commands, "trace", "write the dump of a program that ran with TORCH_TRACE=LOGS",
                "depyf trace logs dump", trace)  # fmt: skip
    made.add_argument("logs", help="the folder that TORCH_TRACE named, or one log file")
    made.add_argument("folder", help="where to write the dump")

    def doctor(_options: argparse.Namespace) -> int:
        try:
            from depyf.torch.doctor import doctor as examine
        except ImportError as error:
            raise BadInput(f"needs PyTorch: {error}") from error
        report = examine()
        print(report)
        return 0 if report.ok else 1

    _add(commands, "doctor", "compile a toy and list what of depyf works with the installed torch; exit status 1 if "
         "something is lost", "depyf doctor", doctor)  # fmt: skip


def _dumps(commands: Commands) -> None:
    def report(options: argparse.Namespace) -> int:
        from depyf.torch.write.report import ReportError, report_html

        out = Path(options.out) if options.out else Path(options.folder) / "report.html"
        try:
            text = report_html(Path(options.folder))
        except ReportError as error:
            raise BadInput(str(error)) from error
        try:
            out.write_text(text, "utf-8")
        except OSError as error:
            raise BadInput(f"{out}: {error.strerror}") from error
        print(out)
        return 0

    made = _add(commands, "report", "write a dump as one self-contained HTML page", "depyf report dump", report)
    made.add_argument("folder", nargs="?", default="depyf_dump", help="a dump (%(default)s)")
    made.add_argument("-o", "--out", metavar="FILE", help="instead of report.html in the dump")

    def why(options: argparse.Namespace) -> int:
        from depyf.cli import dumps

        return dumps.why(Path(options.folder), as_json=options.json)

    made = _add(commands, "why", "say what runs eagerly, breaks or recompiles, why, and what to do about it",
                "depyf why dump", why)  # fmt: skip
    made.add_argument("folder", nargs="?", default="depyf_dump", help="a dump (%(default)s)")
    made.add_argument("--json", action="store_true", help="as data")

    def where(options: argparse.Namespace) -> int:
        from depyf.cli import dumps

        return dumps.where(options.place, Path(options.folder), as_json=options.json)

    made = _add(commands, "where", "show what became of one line of the program: graph operations, guards, kernels",
                "depyf where model.py:42 dump", where)  # fmt: skip
    made.add_argument("place", metavar="FILE:LINE", help="a line of the program; FILE may be the end of its path")
    made.add_argument("folder", nargs="?", default="depyf_dump", help="a dump (%(default)s)")
    made.add_argument("--json", action="store_true", help="as data")

    def diff(options: argparse.Namespace) -> int:
        from depyf.cli import dumps

        return dumps.diff(Path(options.a), Path(options.b), as_json=options.json)

    made = _add(commands, "diff", "compare two dumps: frames, graphs, guards, kernels; exit status 1 if they differ",
                "depyf diff dump_before dump_after", diff)  # fmt: skip
    made.add_argument("a", help="a dump")
    made.add_argument("b", help="another one")
    made.add_argument("--json", action="store_true", help="as data")


def _bytecode(commands: Commands) -> None:
    def decompile(options: argparse.Namespace) -> int:
        from depyf.cli import bytecode

        return bytecode.decompile(options.target, options.out, literal=options.literal, verdict=options.verdict)

    made = _add(commands, "decompile", "read bytecode as source",
                "depyf decompile json.decoder:JSONDecoder.decode", decompile)  # fmt: skip
    made.add_argument("target", help=".pyc file, folder, module:qualname, or -")
    made.add_argument("-o", "--out", metavar="DIR", help="of a folder: where to write the sources")
    made.add_argument("--literal", action="store_true", help="evaluate nothing away")
    made.add_argument("--verdict", action="store_true", help="tell on standard error what is known of each text")

    def dis(options: argparse.Namespace) -> int:
        from depyf.cli import bytecode

        return bytecode.dis(options.target)

    made = _add(
        commands, "dis", "show the bytecode beside the source that it is read as", "depyf dis module:function", dis
    )
    made.add_argument("target", help="module:qualname, or a .pyc file of this Python")

    def verify(options: argparse.Namespace) -> int:
        from depyf.cli import bytecode

        return bytecode.verify(options.a, options.b)

    made = _add(commands, "verify", "tell whether two codes behave the same; exit status 1 if that is not shown",
                "depyf verify a.pyc b.pyc", verify)  # fmt: skip
    made.add_argument("a", help="module:qualname, or a .pyc file of this Python")
    made.add_argument("b", help="the same")


if __name__ == "__main__":
    sys.exit(main())
