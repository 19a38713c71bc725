# SPDX-License-Identifier: MIT
"""The cell magic `%%depyf` for IPython and Jupyter, which runs a cell and shows what torch.compile did.

Invariant: the cell runs as it would without the magic. This includes its output, its names, `_` and `Out`, a trailing
semicolon and top-level `await`. If the cell raises an error, the error is shown as usual, but the cell with the magic
counts as executed. Imports torch when the first cell is run. Does not import IPython: `%load_ext depyf` passes the
shell to `load_ipython_extension`.
"""

from __future__ import annotations

import ast
import contextlib
import html
import shlex
import tempfile
from collections.abc import Iterator
from typing import Any

USAGE = "%%depyf [-o FOLDER] [--no-report]"
_HEIGHT = 640  # height of the report in a notebook, in pixels


class Shown:
    """The result that `%%depyf` displays: lines of text, followed by the report in a notebook."""

    def __init__(self, lines: list[str], page: str | None) -> None:
        self.lines = lines
        self.page = page

    def __repr__(self) -> str:
        return "\n".join(self.lines)

    def _repr_html_(self) -> str:
        text = f"<pre>{html.escape(repr(self))}</pre>"
        if self.page is None:
            return text
        frame = f'style="width:100%;height:{_HEIGHT}px;border:1px solid #8888" title="depyf: report of this cell"'
        return f'{text}<iframe {frame} srcdoc="{html.escape(self.page)}"></iframe>'


class CellMagic:
    """The magic `%%depyf` of one shell."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._ran: set[str] = set()  # texts of cells

    def __call__(self, line: str, cell: str) -> None:
        """Run a cell under `depyf.prepare_debug` and show what torch.compile did: `%%depyf [-o FOLDER] [--no-report]`.

        -o FOLDER      folder for the files (default: a new temporary folder, which is not deleted)
        --no-report    show only the text, without the report
        """
        with self._watched(line, cell) as is_wanted:
            if is_wanted:
                self._shell.run_cell(cell)  # shows the cell's output, and its error

    async def awaited(self, line: str, cell: str) -> None:
        """Run a cell with top-level `await`, which a magic cannot run in a kernel whose event loop is running."""
        with self._watched(line, cell) as is_wanted:
            if is_wanted:
                await self._shell.run_cell_async(cell, transformed_cell=self._shell.transform_cell(cell))

    def rewritten(self, lines: list[str]) -> list[str]:
        """Returns the lines that the shell runs: a cell with top-level `await` calls `awaited` instead of the magic."""
        if not lines or lines[0].split()[:1] != ["%%depyf"]:
            return lines
        line, cell = lines[0].partition("%%depyf")[2].strip(), "".join(lines[1:])
        try:
            transformed = self._shell.transform_cell(cell)
        except SyntaxError:
            return lines
        if not self._shell.should_run_async(cell, transformed_cell=transformed):
            return lines
        expanded = f"get_ipython().var_expand({line!r})"  # as the shell does for the line of a magic
        return [f"await get_ipython().find_cell_magic('depyf').__self__.awaited({expanded}, {cell!r})\n"]

    @contextlib.contextmanager
    def _watched(self, line: str, cell: str) -> Iterator[bool]:
        """Context manager around the execution of a cell, which displays the result afterwards.

        Yields whether the cell is to be run: False if the options are wrong.
        """
        options = _options(line)
        if isinstance(options, str):
            print(f"%%depyf: {options}; wanted {USAGE}")
            yield False
            return
        import depyf

        folder_name = options["folder"] or tempfile.mkdtemp(prefix="depyf_cell_")
        with depyf.prepare_debug(folder_name, report=options["report"]) as session, self._as_latest_input(cell):
            yield True
        lines, page = list(self._summary(session.run, cell)), None
        if session.run is not None and session.folder is not None:
            folder = session.folder.path  # a subfolder of `folder_name` if another process is using that
            lines.append(f"files: {folder / 'index.md'}")
            if options["report"] and (folder / "report.html").exists():
                page = (folder / "report.html").read_text("utf-8")
        self._ran.add(cell)
        self._display(Shown(lines, page))

    @contextlib.contextmanager
    def _as_latest_input(self, cell: str) -> Iterator[None]:
        """Makes the cell the latest input of the shell, which checks that for a trailing semicolon before display."""
        latest = self._shell.history_manager.input_hist_parsed
        outer = latest[-1:]
        latest[-1:] = [cell] if outer else []
        try:
            yield
        finally:
            latest[-1:] = outer

    def _display(self, shown: Shown) -> None:
        """Displays `shown` in addition to the cell's own result, which stays in `_` and `Out[n]`."""
        data, metadata = self._shell.display_formatter.format(shown)
        self._shell.display_pub.publish(data, metadata)

    def _summary(self, run: Any, cell: str) -> Iterator[str]:
        """Yields lines that tell what a cell compiled, or which entries its functions already have."""
        if run is None:
            yield "depyf could not observe this cell: see the warning above"
            return
        read, defined = _names(cell)
        if not run.frames and not run.graphs:
            yield "nothing was compiled"
            existing = list(self._existing_entries(read))
            yield from existing
            if existing:
                yield "a call runs an entry whose guards pass; if there is none, a new entry is compiled"
            return
        yield from (text.replace("**", "").replace("`", "") for text in run.summary)
        again = sorted({frame.name for frame in run.frames} & defined)
        if cell in self._ran and again:
            yield (
                f"recompiled although the cell has run before: it defines {', '.join(again)} again, and torch stores "
                "entries with the code object. Define the function in a cell of its own."
            )

    def _existing_entries(self, names: list[str]) -> Iterator[str]:
        """Yields a line with the entries of each compiled function or module among the names of a cell."""
        import depyf

        for name in names:
            value = self._shell.user_ns.get(name)
            if not callable(value) or isinstance(value, type):
                continue
            try:
                entries = depyf.entries(value)
            except (depyf.NotCompiled, TypeError):
                continue
            yield f"  {name}: {', '.join(f'[{e.compile_id}]' for e in entries)} compiled earlier"


def load_ipython_extension(shell: Any) -> None:
    """Registers the magic; `depyf.load_ipython_extension` calls this function."""
    magic = CellMagic(shell)
    shell.register_magic_function(magic.__call__, "cell", "depyf")
    transforms = shell.input_transformers_cleanup
    transforms[:] = [f for f in transforms if getattr(f, "__qualname__", "") != magic.rewritten.__qualname__]
    transforms.append(magic.rewritten)


def _options(line: str) -> dict[str, Any] | str:
    """Returns the options of a `%%depyf` line, or an error message."""
    words = iter(shlex.split(line))
    options: dict[str, Any] = {"folder": None, "report": True}
    for word in words:
        if word == "--no-report":
            options["report"] = False
        elif word == "-o":
            options["folder"] = next(words, None)
            if options["folder"] is None:
                return "-o without a folder"
        else:
            return f"unknown option {word}"
    return options


def _names(cell: str) -> tuple[list[str], set[str]]:
    """Returns the names that a cell reads, in order, and the names of the functions that it defines."""
    try:
        nodes = list(ast.walk(ast.parse(cell)))
    except SyntaxError:  # syntax of IPython: magics, `!ls`
        return [], set()
    read = [node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    functions = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    return list(dict.fromkeys(read)), functions
