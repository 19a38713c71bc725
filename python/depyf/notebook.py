# SPDX-License-Identifier: MIT
"""`%load_ext depyf`, in IPython and Jupyter: the cell magic `%%depyf` runs a cell and shows what torch.compile did.

Invariant: the cell runs as it would without the magic, its output, its error and its names included. Loads torch when
the first cell is run, and IPython not at all: the shell is handed over by it.
"""

from __future__ import annotations

import ast
import html
import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path
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

    def __call__(self, line: str, cell: str) -> Shown | None:
        """Run a cell under `depyf.prepare_debug` and show what torch.compile did: `%%depyf [-o FOLDER] [--no-report]`.

        -o FOLDER      where the files are written; else a folder for temporary files, which stays
        --no-report    text alone, without the page
        """
        options = _options(line)
        if isinstance(options, str):
            print(f"%%depyf: {options}; wanted {USAGE}")
            return None
        import depyf

        folder = Path(options["folder"] or tempfile.mkdtemp(prefix="depyf_cell_"))
        with depyf.prepare_debug(folder, report=options["report"]) as session:
            self._shell.run_cell(cell)  # shows the cell's output, and its error
        page = folder / "report.html"
        lines = [*self._story(session.run, cell), f"files: {folder / 'index.md'}"]
        self._ran.add(cell)
        return Shown(lines, page.read_text("utf-8") if options["report"] and page.exists() else None)

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
    shell.register_magic_function(CellMagic(shell).__call__, "cell", "depyf")


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
