# SPDX-License-Identifier: MIT
"""`%load_ext depyf`, in IPython and Jupyter: the cell magic `%%depyf` runs a cell and shows what torch.compile did.

Invariant: the cell runs as it would without the magic: its output, its names, `_` and `Out`, a semicolon at its end and
`await` outside of functions included. An error of it is shown, and is none of the cell with the magic. Loads torch when
the first cell is run, and IPython not at all: the shell is handed over by it.
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
_HEIGHT = 640  # pixels of the report in a notebook


class Shown:
    """What a cell with `%%depyf` shows: lines of text in a terminal, the report below them in a notebook."""

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
    """`%%depyf`, of one shell."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._ran: set[str] = set()  # texts of cells

    def __call__(self, line: str, cell: str) -> None:
        """Run a cell under `depyf.prepare_debug` and show what torch.compile did: `%%depyf [-o FOLDER] [--no-report]`.

        -o FOLDER      where the files are written; else a folder for temporary files, which stays
        --no-report    text alone, without the page
        """
        with self._watched(line, cell) as is_wanted:
            if is_wanted:
                self._shell.run_cell(cell)  # shows the cell's output, and its error

    async def awaited(self, line: str, cell: str) -> None:
        """The same for a cell that awaits: a magic cannot, in a kernel whose event loop runs."""
        with self._watched(line, cell) as is_wanted:
            if is_wanted:
                await self._shell.run_cell_async(cell, transformed_cell=self._shell.transform_cell(cell))

    def rewritten(self, lines: list[str]) -> list[str]:
        """A cell's lines as the shell is to run them: one that awaits calls `awaited` in the magic's place."""
        if not lines or lines[0].split()[:1] != ["%%depyf"]:
            return lines
        line, cell = lines[0].partition("%%depyf")[2].strip(), "".join(lines[1:])
        try:
            transformed = self._shell.transform_cell(cell)
        except SyntaxError:
            return lines
        if not self._shell.should_run_async(cell, transformed_cell=transformed):
            return lines
        expanded = f"get_ipython().var_expand({line!r})"  # as the shell does for a magic, with the cell's own names
        return [f"await get_ipython().find_cell_magic('depyf').__self__.awaited({expanded}, {cell!r})\n"]

    @contextlib.contextmanager
    def _watched(self, line: str, cell: str) -> Iterator[bool]:
        """The block that runs a cell, and what is shown after it; false where its options are wrong."""
        options = _options(line)
        if isinstance(options, str):
            print(f"%%depyf: {options}; wanted {USAGE}")
            yield False
            return
        import depyf

        wanted = options["folder"] or tempfile.mkdtemp(prefix="depyf_cell_")
        with depyf.prepare_debug(wanted, report=options["report"]) as session, self._as_latest_input(cell):
            yield True
        lines, page = list(self._story(session.run, cell)), None
        if session.run is not None and session.folder is not None:
            folder = session.folder.path  # below the one that was wanted, where another process has that
            lines.append(f"files: {folder / 'index.md'}")
            if options["report"] and (folder / "report.html").exists():
                page = (folder / "report.html").read_text("utf-8")
        self._ran.add(cell)
        self._display(Shown(lines, page))

    @contextlib.contextmanager
    def _as_latest_input(self, cell: str) -> Iterator[None]:
        """Has the shell take the cell for its latest input: whether a semicolon ends that, it asks before it shows."""
        latest = self._shell.history_manager.input_hist_parsed
        outer = latest[-1:]
        latest[-1:] = [cell] if outer else []
        try:
            yield
        finally:
            latest[-1:] = outer

    def _display(self, shown: Shown) -> None:
        """Shows it beside the cell's own result, which stays `_` and `Out[n]`."""
        data, metadata = self._shell.display_formatter.format(shown)
        self._shell.display_pub.publish(data, metadata)

    def _story(self, run: Any, cell: str) -> Iterator[str]:
        if run is None:
            yield "depyf could not watch: see the warning above"
            return
        named, defined = _names(cell)
        if not run.frames and not run.graphs:
            yield "nothing was compiled anew"
            held = list(self._held(named))
            yield from held
            if held:
                yield "a call that passes an entry's guards runs that entry; a new one is compiled when none takes it"
            return
        yield from (text.replace("**", "").replace("`", "") for text in run.summary)
        again = sorted({frame.name for frame in run.frames} & defined)
        if cell in self._ran and again:
            yield (
                f"compiled anew although the cell ran before: it defines {', '.join(again)} again, and torch keeps "
                "entries with the code object. Define what is compiled in a cell of its own."
            )

    def _held(self, names: list[str]) -> Iterator[str]:
        """What torch holds for the compiled functions and modules that a cell names."""
        import depyf

        for name in names:
            value = self._shell.user_ns.get(name)
            if not callable(value) or isinstance(value, type):
                continue
            try:
                entries = depyf.entries(value)
            except (depyf.NotCompiled, TypeError):
                continue
            yield f"  {name}: {', '.join(f'[{e.compile_id}]' for e in entries)} compiled before"


def load_ipython_extension(shell: Any) -> None:
    """What `%load_ext depyf` calls."""
    magic = CellMagic(shell)
    shell.register_magic_function(magic.__call__, "cell", "depyf")
    transforms = shell.input_transformers_cleanup
    transforms[:] = [each for each in transforms if getattr(each, "__qualname__", "") != magic.rewritten.__qualname__]
    transforms.append(magic.rewritten)


def _options(line: str) -> dict[str, Any] | str:
    """The options of a `%%depyf` line, or what is wrong with it."""
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
            return f"{word} is no option"
    return options


def _names(cell: str) -> tuple[list[str], set[str]]:
    """The names that a cell reads, in order, and those of the functions that it defines."""
    try:
        nodes = list(ast.walk(ast.parse(cell)))
    except SyntaxError:  # the shell's own syntax: magics, `!ls`
        return [], set()
    read = [node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    functions = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    return list(dict.fromkeys(read)), functions
