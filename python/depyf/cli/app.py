# SPDX-License-Identifier: MIT
"""The command line of `depyf`: commands, help, exit statuses.

Exit statuses: 0 success (for `diff` and `verify`: no difference), 1 a difference or a failure, 2 bad input, reported
in one line that names it. `run` has the exit status of the program. An interrupted command (SIGINT) terminates with
that signal. Invariant: only commands that run a program, read torch's logs or rewrite a dump import torch.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from depyf.cli import terminal
from depyf.cli.errors import BadInput, message_of

Command = Callable[[argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit status."""
    terminal.prepare()
    name = "depyf"
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        try:
            options = _options(words)
            name = f"depyf {options.command}"
            command: Command = options.run
            status = command(options)
        finally:
            sys.stdout.flush()
        return status
    except BadInput as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader has closed the pipe, as `head` does
        terminal.abandon_output()
        return 0
    except OSError as error:  # for example a full disk
        terminal.abandon_output()
        print(f"{name}: {message_of(error) if error.filename else error.strerror or error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        # Python prints the message after its cleanup, and terminates with the signal.
        sys.excepthook = lambda kind, error, trace: print(f"{name}: interrupted", file=sys.stderr)
        raise


def _options(words: list[str]) -> argparse.Namespace:
    program: list[str] = []
    if words[:1] == ["why"] and "--" in words:
        words, program = words[: words.index("--")], words[words.index("--") + 1 :]
    options, unknown = _parser().parse_known_args(words)
    if unknown:
        options.parser.error(f"unknown argument: {' '.join(unknown)}")
    if program:
        options.program = program
    return options


@contextlib.contextmanager
def _importing_torch() -> Iterator[None]:
    """Turns an ImportError in the block into a message that the command needs PyTorch."""
    try:
        yield
    except ImportError as error:
        raise BadInput(f"needs PyTorch: {error}") from error


class _Parser(argparse.ArgumentParser):
    """Reports bad input in one line, and raises an error if help cannot be written.

    Does not accept abbreviated options, which could be options of the program that `depyf run` starts.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings, allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter)

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message.replace(_REQUIRED, 'wanted ')}; see {self.prog} --help\n")

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        (file or sys.stderr).write(message)  # the method of argparse ignores errors such as a full disk


_REQUIRED = "the following arguments are required: "  # the beginning of a message of argparse


def _parser() -> argparse.ArgumentParser:
    import depyf

    parser = _Parser(
        prog="depyf",
        description="See what torch.compile does to a program, and read CPython bytecode as source.",
        epilog="Start with: depyf run script.py   (then open depyf_dump/report.html)",
    )
    parser.add_argument("--version", action="version", version=f"depyf {depyf.__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _programs(commands)
    _dumps(commands)
    _questions(commands)
    _bytecode(commands)
    _completion(parser, commands)
    return parser


if TYPE_CHECKING:
    from _typeshed import SupportsWrite

    Commands = argparse._SubParsersAction[_Parser]


def _add(commands: Commands, name: str, help_: str, example: str, run: Command) -> argparse.ArgumentParser:
    sub = commands.add_parser(
        name, help=help_, description=help_[0].upper() + help_[1:] + ".", epilog=f"Example:\n  {example}"
    )
    sub.set_defaults(run=run, parser=sub)
    return sub


def _run_command(options: argparse.Namespace) -> int:
    from depyf.cli import run as module

    return module.run(
        options.out, options.module, options.program,
        report=not options.no_report, provenance=not options.no_provenance,
    )  # fmt: skip


def _trace_command(options: argparse.Namespace) -> int:
    with _importing_torch():
        from depyf.torch import trace_folder
    from depyf.torch.write.report import ReportError

    try:
        with terminal.working(f"reading {options.logs}"):
            written = trace_folder.from_trace(options.logs, options.folder)
    except (OSError, ReportError) as error:
        raise BadInput(message_of(error)) from error
    print(f"{written}: start with {_first_file(written)}")
    return 0


def _doctor_command(options: argparse.Namespace) -> int:
    with _importing_torch():
        from depyf.torch.doctor import doctor as examine
    with terminal.working("compiling a test function"):
        report = examine()
    if options.json:
        print(json.dumps([dataclasses.asdict(row) for row in report.rows], indent=2))
    else:
        print(report)
    return 0 if report.ok else 1


def _programs(commands: Commands) -> None:
    sub = _add(commands, "run", "run a program unchanged and dump what torch.compile does in it",
                "depyf run -o dump train.py --lr 1e-3", _run_command)  # fmt: skip
    sub.add_argument("-o", "--out", default="depyf_dump", metavar="DIR", help="the dump folder (%(default)s)")
    sub.add_argument("--no-report", action="store_true", help="do not write report.html")
    sub.add_argument("--no-provenance", action="store_true", help="do not ask Inductor which lines its kernels come "
                      "from; it then uses the cache of runs without depyf")  # fmt: skip
    sub.add_argument("-m", dest="module", action="store_true", help="PROGRAM is a module, as for python -m")
    sub.add_argument("program", nargs=argparse.REMAINDER, metavar="PROGRAM ARGS…", help="a script and its arguments")

    sub = _add(commands, "trace", "write the dump of a program that ran with TORCH_TRACE=LOGS",
                "depyf trace logs dump", _trace_command)  # fmt: skip
    sub.add_argument("logs", help="the folder given as TORCH_TRACE, or a single log file")
    sub.add_argument("folder", help="the folder to write the dump to")

    sub = _add(commands, "doctor", "compile a test function and list which features of depyf work with the installed "
                "torch; exit status 1 if one does not", "depyf doctor", _doctor_command)  # fmt: skip
    sub.add_argument("--json", action="store_true", help="print JSON")


def _first_file(folder: Path) -> str:
    """Returns the file of a dump to read first."""
    files = (file for name in ("index.md", "ranks.md", "*_*/index.md") for file in sorted(folder.glob(name)))
    return next((file.relative_to(folder).as_posix() for file in files), "index.md")


def _report_command(options: argparse.Namespace) -> int:
    from depyf.torch.write.folder import write_whole
    from depyf.torch.write.report import ReportError, report_html

    folder = Path(options.folder)
    is_trace = folder.is_file() or (any(folder.glob("*.log")) and not any(folder.glob("**/index.json")))
    out = Path(options.out) if options.out else (folder.parent if folder.is_file() else folder) / "report.html"
    try:
        with terminal.working(f"reading {folder}"):
            if is_trace:
                with _importing_torch():
                    from depyf.torch import trace_folder
                text = trace_folder.page_of(folder)
            else:
                text = report_html(folder)
    except (ReportError, OSError) as error:
        raise BadInput(message_of(error)) from error
    write_whole(out, text)
    print(out)
    return 0


def _rewrite_command(options: argparse.Namespace) -> int:
    with _importing_torch():
        from depyf.torch.write import rewrite as module
    try:
        written = module.rewrite(options.dump, options.folder)
    except (OSError, ValueError) as error:
        message = message_of(error)
        raise BadInput(message if message.startswith(options.dump) else f"{options.dump}: {message}") from error
    print(f"{options.folder}: {len(written)} files; start with {_first_file(Path(options.folder))}")
    return 0


def _dumps(commands: Commands) -> None:
    sub = _add(commands, "report", "write a dump, or the logs of TORCH_TRACE, as one self-contained HTML page",
                "depyf report dump\n  depyf report logs -o page.html", _report_command)  # fmt: skip
    sub.add_argument("folder", nargs="?", default="depyf_dump", help="a dump (%(default)s), or the log folder or a "
                      "log file of TORCH_TRACE")  # fmt: skip
    sub.add_argument("-o", "--out", metavar="FILE", help="the file to write (report.html in the folder)")

    sub = _add(commands, "rewrite", "write the files of a dump again, with this version of depyf, from its "
                "index.json and payloads.json", "depyf rewrite dump again", _rewrite_command)  # fmt: skip
    sub.add_argument("dump", help="a complete dump")
    sub.add_argument("folder", help="the folder to write to; files with the same names are replaced")


def _seconds(text: str) -> float:
    with contextlib.suppress(ValueError):
        if 0 < (number := float(text)) < float("inf"):
            return number
    raise argparse.ArgumentTypeError(f"wanted a number of seconds above 0, found {text}")


def _why_command(options: argparse.Namespace) -> int:
    from depyf.cli import cures, dumps

    if options.try_:
        timeout = options.timeout or cures.TIMEOUT
        return cures.try_cures(options.program, options.module, options.out, timeout, as_json=options.json)
    if options.program:
        raise BadInput(f"{options.program[0]}: a program requires --try")
    for value, option in ((options.module, "-m"), (options.out, "-o"), (options.timeout, "--timeout")):
        if value:
            raise BadInput(f"{option} requires --try")
    return dumps.why(Path(options.folder), as_json=options.json)


def _where_command(options: argparse.Namespace) -> int:
    from depyf.cli import dumps

    return dumps.where(options.place, Path(options.folder), as_json=options.json)


def _diff_command(options: argparse.Namespace) -> int:
    from depyf.cli import dumps

    return dumps.diff(Path(options.a), Path(options.b), as_json=options.json)


def _questions(commands: Commands) -> None:
    sub = _add(commands, "why", "show what runs eagerly, breaks or recompiles, why, and what to do about it",
                "depyf why dump\n  depyf why --try -- train.py --lr 1e-3", _why_command)  # fmt: skip
    sub.add_argument("folder", nargs="?", default="depyf_dump", help="a dump (%(default)s)")
    sub.add_argument("--json", action="store_true", help="print JSON")
    sub.add_argument("--try", dest="try_", action="store_true", help="run the program given after -- once for each "
                      "change that may remove a graph break or a recompile, and report what the change removes and "
                      "whether the results stay the same")  # fmt: skip
    sub.add_argument("-m", dest="module", action="store_true", help="with --try: the program is a module")
    sub.add_argument(
        "-o", "--out", metavar="DIR", help="with --try: write a dump to DIR, whose report shows what was tried"
    )
    sub.add_argument("--timeout", type=_seconds, metavar="S", help="with --try: time limit of each run, in seconds "
                      "(600)")  # fmt: skip
    sub.set_defaults(program=[])

    sub = _add(commands, "where", "show what became of one line of the program: graph operations, guards, kernels",
                "depyf where model.py:42 dump", _where_command)  # fmt: skip
    sub.add_argument("place", metavar="FILE:LINE", help="a line of the program; FILE may be the end of the path")
    sub.add_argument("folder", nargs="?", default="depyf_dump", help="a dump (%(default)s)")
    sub.add_argument("--json", action="store_true", help="print JSON")

    sub = _add(commands, "diff", "compare two dumps: frames, graphs, guards, kernels; exit status 1 if they differ",
                "depyf diff dump_before dump_after", _diff_command)  # fmt: skip
    sub.add_argument("a", help="a dump")
    sub.add_argument("b", help="another dump")
    sub.add_argument("--json", action="store_true", help="print JSON")


def _decompile_command(options: argparse.Namespace) -> int:
    from depyf.cli import bytecode

    return bytecode.decompile(options.target, options.out, options.literal, options.verdict, options.opcodes)


def _dis_command(options: argparse.Namespace) -> int:
    from depyf.cli import bytecode

    return bytecode.dis(options.target)


def _verify_command(options: argparse.Namespace) -> int:
    from depyf.cli import bytecode

    return bytecode.verify(options.a, options.b, as_json=options.json)


def _bytecode(commands: Commands) -> None:
    sub = _add(commands, "decompile", "decompile bytecode to source",
                "depyf decompile json.decoder:JSONDecoder.decode", _decompile_command)  # fmt: skip
    sub.add_argument(
        "target",
        help=".pyc file, folder, archive (.zip, .whl, .egg, .pyz), executable made by PyInstaller, module:qualname, "
        "or - for standard input",
    )
    sub.add_argument("-o", "--out", metavar="DIR", help="write the sources of files, folders and archives to DIR")
    sub.add_argument("--literal", action="store_true", help="the literal form, which keeps containers that compilers "
                      "of frameworks fill and empty again")  # fmt: skip
    sub.add_argument("--verdict", action="store_true", help="print the verdict of each code object to standard error")
    sub.add_argument("--opcodes", metavar="FILE", help="the bytecode is of a modified CPython that numbers its "
                      "opcodes differently; FILE has the numbers as JSON, from json.dumps(opcode.opmap) in that "
                      "CPython, or from depyfc --infer-opcodes")  # fmt: skip

    sub = _add(
        commands,
        "dis",
        "show each line of the decompiled source with its bytecode",
        "depyf dis module:function",
        _dis_command,
    )
    sub.add_argument("target", help="module:qualname, a .pyc file of this Python, or - for standard input")

    sub = _add(commands, "verify", "check whether two codes behave the same; exit status 1 if this cannot be shown",
                "depyf verify a.pyc b.pyc", _verify_command)  # fmt: skip
    sub.description = (
        f"{sub.description} At the first difference, the output has the operation of a to the left of |, and that of "
        "b to the right. v1, v2 and so on are values that are the same on both sides."
    )
    sub.add_argument("a", help="module:qualname, a .pyc file of this Python, or - for standard input")
    sub.add_argument("b", help="the same as for a")
    sub.add_argument("--json", action="store_true", help="print JSON")


def _completion(parser: argparse.ArgumentParser, commands: Commands) -> None:
    def completion(options: argparse.Namespace) -> int:
        from depyf.cli import completion as module

        print(module.script(parser, options.shell), end="")
        return 0

    sub = _add(commands, "completion", "print a script that lets a shell complete depyf's commands and options",
                'source <(depyf completion bash)', completion)  # fmt: skip
    sub.add_argument("shell", choices=("bash", "zsh", "fish"), help="bash, zsh or fish")


if __name__ == "__main__":
    sys.exit(main())
