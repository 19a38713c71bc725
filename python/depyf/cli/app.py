# SPDX-License-Identifier: MIT
"""The command line of `depyf`: what there is, its help, exit statuses.

Exit status: 0 done (for `diff` and `verify`: the same), 1 different or something that could not be done, 2 bad input,
told in one line that names it. `run` has the exit status of the program. What is interrupted (SIGINT) ends by that
signal. Invariant: no command imports torch that does not run a program, read torch's logs or write a dump again.
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
from depyf.cli.errors import BadInput, said

Command = Callable[[argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; its exit status."""
    terminal.prepare()
    name = "depyf"
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        try:
            options = _options(given)
            name = f"depyf {options.command}"
            command: Command = options.run
            status = command(options)
        finally:
            sys.stdout.flush()
        return status
    except BadInput as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader has seen enough
        terminal.abandon_output()
        return 0
    except OSError as error:  # a full disk
        terminal.abandon_output()
        print(f"{name}: {said(error) if error.filename else error.strerror or error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        # Python says so at its end, when it has cleaned up, and ends by the signal.
        sys.excepthook = lambda kind, error, trace: print(f"{name}: interrupted", file=sys.stderr)
        raise


def _options(given: list[str]) -> argparse.Namespace:
    program: list[str] = []
    if given[:1] == ["why"] and "--" in given:
        given, program = given[: given.index("--")], given[given.index("--") + 1 :]
    options, unknown = _parser().parse_known_args(given)
    if unknown:
        options.parser.error(f"no such argument: {' '.join(unknown)}")
    if program:
        options.program = program
    return options


@contextlib.contextmanager
def _importing_torch() -> Iterator[None]:
    """Tells that a command needs PyTorch, which was not to be imported."""
    try:
        yield
    except ImportError as error:
        raise BadInput(f"needs PyTorch: {error}") from error


class _Parser(argparse.ArgumentParser):
    """Tells of bad input in one line, and of help that cannot be written.

    Takes no option by its beginning, which may be one of the program that runs.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings, allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter)

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message.replace(_REQUIRED, 'wanted ')}; see {self.prog} --help\n")

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        (file or sys.stderr).write(message)  # argparse's own ignores a full disk


_REQUIRED = "the following arguments are required: "  # argparse's words


def _parser() -> argparse.ArgumentParser:
    import depyf

    parser = _Parser(
        prog="depyf",
        description="See what torch.compile does to a program, and read CPython bytecode as source.",
        epilog="Begin with: depyf run script.py   (then open depyf_dump/report.html)",
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
    made = commands.add_parser(
        name, help=help_, description=help_[0].upper() + help_[1:] + ".", epilog=f"Example:\n  {example}"
    )
    made.set_defaults(run=run, parser=made)
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
        with _importing_torch():
            from depyf.torch import trace_folder
        from depyf.torch.write.report import ReportError

        try:
            with terminal.working(f"reading {options.logs}"):
                written = trace_folder.from_trace(options.logs, options.folder)
        except (OSError, ReportError) as error:
            raise BadInput(said(error)) from error
        print(f"{written}: start with {_beginning(written)}")
        return 0

    made = _add(commands, "trace", "write the dump of a program that ran with TORCH_TRACE=LOGS",
                "depyf trace logs dump", trace)  # fmt: skip
    made.add_argument("logs", help="the folder that TORCH_TRACE named, or one log file")
    made.add_argument("folder", help="where to write the dump")

    def doctor(options: argparse.Namespace) -> int:
        with _importing_torch():
            from depyf.torch.doctor import doctor as examine
        with terminal.working("compiling a toy"):
            report = examine()
        if options.json:
            print(json.dumps([dataclasses.asdict(row) for row in report.rows], indent=2))
        else:
            print(report)
        return 0 if report.ok else 1

    made = _add(commands, "doctor", "compile a toy and list what of depyf works with the installed torch; "
                "exit status 1 if something is lost", "depyf doctor", doctor)  # fmt: skip
    made.add_argument("--json", action="store_true", help="as data")


def _beginning(folder: Path) -> str:
    """The file of a dump to read first."""
    files = (file for name in ("index.md", "ranks.md", "*_*/index.md") for file in sorted(folder.glob(name)))
    return next((file.relative_to(folder).as_posix() for file in files), "index.md")


def _dumps(commands: Commands) -> None:
    def report(options: argparse.Namespace) -> int:
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
            raise BadInput(said(error)) from error
        try:
            out.write_text(text, "utf-8")
        except OSError as error:
            raise BadInput(f"{out}: {error.strerror}") from error
        print(out)
        return 0

    made = _add(commands, "report", "write a dump, or what TORCH_TRACE left, as one self-contained HTML page",
                "depyf report dump\n  depyf report logs -o page.html", report)  # fmt: skip
    made.add_argument("folder", nargs="?", default="depyf_dump", help="a dump (%(default)s), or the folder or a log "
                      "file of TORCH_TRACE")  # fmt: skip
    made.add_argument("-o", "--out", metavar="FILE", help="instead of report.html in the folder")

    def rewrite(options: argparse.Namespace) -> int:
        with _importing_torch():
            from depyf.torch.write import rewrite as module
        try:
            written = module.rewrite(options.dump, options.folder)
        except (OSError, ValueError) as error:
            words = said(error)
            raise BadInput(words if words.startswith(options.dump) else f"{options.dump}: {words}") from error
        print(f"{options.folder}: {len(written)} files; start with {_beginning(Path(options.folder))}")
        return 0

    made = _add(commands, "rewrite", "write a dump again, by this depyf, from its index.json and payloads.json",
                "depyf rewrite dump again", rewrite)  # fmt: skip
    made.add_argument("dump", help="a dump that was written to its end")
    made.add_argument("folder", help="where to write; files of the same names are replaced")


def _seconds(text: str) -> float:
    with contextlib.suppress(ValueError):
        if 0 < (number := float(text)) < float("inf"):
            return number
    raise argparse.ArgumentTypeError(f"wanted a number of seconds above 0, found {text}")


def _questions(commands: Commands) -> None:
    def why(options: argparse.Namespace) -> int:
        from depyf.cli import cures, dumps

        if options.try_:
            timeout = options.timeout or cures.TIMEOUT
            return cures.try_cures(options.program, options.module, options.out, timeout, as_json=options.json)
        if options.program:
            raise BadInput(f"{options.program[0]}: a program goes with --try")
        for given, what in ((options.module, "-m"), (options.out, "-o"), (options.timeout, "--timeout")):
            if given:
                raise BadInput(f"{what} goes with --try")
        return dumps.why(Path(options.folder), as_json=options.json)

    made = _add(commands, "why", "say what runs eagerly, breaks or recompiles, why, and what to do about it",
                "depyf why dump\n  depyf why --try -- train.py --lr 1e-3", why)  # fmt: skip
    made.add_argument("folder", nargs="?", default="depyf_dump", help="a dump (%(default)s)")
    made.add_argument("--json", action="store_true", help="as data")
    made.add_argument("--try", dest="try_", action="store_true", help="run the program after -- again for each change "
                      "that may remove a break or a recompile: what it removes, and whether results stay")  # fmt: skip
    made.add_argument("-m", dest="module", action="store_true", help="with --try: the program is a module")
    made.add_argument(
        "-o", "--out", metavar="DIR", help="with --try: leave a dump there, with what was tried in its report"
    )
    made.add_argument("--timeout", type=_seconds, metavar="S", help="with --try: seconds of each run (600)")
    made.set_defaults(program=[])

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

        return bytecode.decompile(options.target, options.out, options.literal, options.verdict, options.opcodes)

    made = _add(commands, "decompile", "read bytecode as source",
                "depyf decompile json.decoder:JSONDecoder.decode", decompile)  # fmt: skip
    made.add_argument(
        "target",
        help=".pyc file, folder, archive (.zip, .whl, .egg, .pyz), executable of PyInstaller's, module:qualname, or -",
    )
    made.add_argument("-o", "--out", metavar="DIR", help="where to write the sources of files, folders and archives")
    made.add_argument("--literal", action="store_true", help="the literal form: containers that compilers of "
                      "frameworks fill and empty again are not evaluated away")  # fmt: skip
    made.add_argument("--verdict", action="store_true", help="tell on standard error what is known of each text")
    made.add_argument("--opcodes", metavar="FILE", help="the files are of an altered CPython, whose opcodes have the "
                      "numbers in FILE: JSON as its json.dumps(opcode.opmap) makes it, or depyfc --infer-opcodes from "
                      "two files of one source")  # fmt: skip

    def dis(options: argparse.Namespace) -> int:
        from depyf.cli import bytecode

        return bytecode.dis(options.target)

    made = _add(
        commands, "dis", "show the bytecode beside the source that it is read as", "depyf dis module:function", dis
    )
    made.add_argument("target", help="module:qualname, a .pyc file of this Python, or - for one on standard input")

    def verify(options: argparse.Namespace) -> int:
        from depyf.cli import bytecode

        return bytecode.verify(options.a, options.b, as_json=options.json)

    made = _add(commands, "verify", "tell whether two codes behave the same; exit status 1 if that is not shown",
                "depyf verify a.pyc b.pyc", verify)  # fmt: skip
    made.description = (
        f"{made.description} Where they part, the operation of a stands left of |, that of b right of it, with v1, v2 "
        "and so on for the same values on both sides."
    )
    made.add_argument("a", help="module:qualname, a .pyc file of this Python, or - for one on standard input")
    made.add_argument("b", help="the same")
    made.add_argument("--json", action="store_true", help="as data")


def _completion(parser: argparse.ArgumentParser, commands: Commands) -> None:
    def completion(options: argparse.Namespace) -> int:
        from depyf.cli import completion as module

        print(module.script(parser, options.shell), end="")
        return 0

    made = _add(commands, "completion", "print what makes a shell complete depyf's commands and options",
                'source <(depyf completion bash)', completion)  # fmt: skip
    made.add_argument("shell", choices=("bash", "zsh", "fish"), help="bash, zsh or fish")


if __name__ == "__main__":
    sys.exit(main())
