# SPDX-License-Identifier: MIT
"""Tests `%%depyf` in a real kernel, driven like a notebook: the output of each cell."""

from __future__ import annotations

import html
import os
import re
import subprocess
import sys

import nbformat
import pytest
from jupyter_client import KernelManager
from nbclient import NotebookClient

from tests.page_data import page_data

DEFINE = """%%depyf
@torch.compile(backend="eager")
def toy(a, b):
    x = a / (torch.abs(a) + 1)
    if b.sum() < 0:
        b = b * -1
    return x * b
toy(torch.ones(10), torch.ones(10)).sum()"""
CALL = "%%depyf --no-report\ntoy(torch.ones(10), torch.ones(10)).shape"
CELLS = {
    "load": "import torch, depyf\nfolder = 'in_a_variable'\n%load_ext depyf",
    "define": DEFINE,
    "call": CALL,
    "define again": DEFINE,
    "other size": "%%depyf --no-report\nmade = toy(torch.ones(11), torch.ones(11))",
    "folder": "%%depyf -o here --no-report\nmade = torch.compile(lambda x: x + 1, backend='eager')(torch.ones(3))",
    "error": "%%depyf --no-report\nlater = 1\nprint('before the error')\nraise KeyError('of the cell')",
    "after": "print(later)",
    "bad option": "%%depyf --page\n1",
    "plain value": "20 + 2",
    "value": "%%depyf --no-report\n40 + 2",
    "value kept": "_, [Out[n] for n in sorted(Out)][-1]",
    "plain semicolon": "1 + 1;",
    "semicolon": "%%depyf --no-report\n1 + 1;",
    "await": "%%depyf --no-report\nimport asyncio\nawait asyncio.sleep(0)\nawaited = 7\nawaited + 1",
    "after await": "print(awaited, _)",
    "await and fail": "%%depyf --no-report\nimport asyncio\nawait asyncio.sleep(0)\nraise KeyError('awaited')",
    "await and compile": "%%depyf --no-report\nawait asyncio.sleep(0)\n"
    "made = torch.compile(lambda x: x + 3, backend='eager')(torch.ones(3))",
    "await, and a name": "%%depyf -o {folder} --no-report\nawait asyncio.sleep(0)",
    "no such folder": "%%depyf -o /proc/x/y\n6 * 7",
    "decompiled": "depyf.decompile(lambda x: x + 1)",
    "debugged": "with depyf.debug():\n    made = toy(torch.ones(10), torch.ones(10))\nprint('went on')",
}


@pytest.fixture(scope="module")
def outputs_of_cells(tmp_path_factory):
    """Returns the outputs of each cell: its stream, the texts of results and their HTML."""
    folder = tmp_path_factory.mktemp("notebook")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in CELLS.values()])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    # The kernel is this interpreter, whatever kernels are installed.
    share = folder / "share" / "jupyter" / "kernels" / "python3"
    share.mkdir(parents=True)
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (share / "kernel.json").write_text(
        f'{{"argv": {command!r}, "display_name": "p", "language": "python"}}'.replace("'", '"')
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_PATH", str(folder / "share" / "jupyter"))
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
        client = NotebookClient(notebook, timeout=300, allow_errors=True, resources={"metadata": {"path": str(folder)}})
        client.execute()
    found = {}
    for name, cell in zip(CELLS, notebook.cells, strict=True):
        streams = "".join(o.text for o in cell.outputs if o.output_type == "stream")
        data = [o.data for o in cell.outputs if o.output_type in ("execute_result", "display_data")]
        errors = [f"{o.ename}: {o.evalue}" for o in cell.outputs if o.output_type == "error"]
        texts = "\n".join(d.get("text/plain", "") for d in data)
        found[name] = (streams, texts, "".join(d.get("text/html", "") for d in data), errors)
    found["path"] = folder
    return found


@pytest.mark.slow
def test_cell_displays_its_result_the_summary_and_the_report(outputs_of_cells):
    _, texts, page, errors = outputs_of_cells["define"]
    assert not errors
    assert "tensor(5.)" in texts and "Graph break at" in texts and "Data-dependent branching" in texts
    assert re.search(r"^files: .*index\.md", texts, re.MULTILINE)
    assert "<iframe" in page and "&lt;!doctype html&gt;" in page[:2000].lower()
    data = page_data(html.unescape(page))
    source = data["sources"][0]  # the text of the cell, which is in no file
    assert data["texts"][source["text"]].startswith("@torch.compile(backend=") and not source["numbers"]


def test_cell_that_compiles_nothing_displays_the_reason(outputs_of_cells):
    _, texts, page, _ = outputs_of_cells["call"]
    assert "torch.Size([10])" in texts
    assert "nothing was compiled" in texts and "toy: [0/0] compiled earlier" in texts and "<iframe" not in page


def test_cell_that_defines_its_function_again_displays_why_it_is_recompiled(outputs_of_cells):
    assert "defines toy again" in outputs_of_cells["define again"][1] and "defines" not in outputs_of_cells["define"][1]


def test_recompile_is_displayed_with_its_values(outputs_of_cells):
    texts = outputs_of_cells["other size"][1]
    assert re.search(r"Recompiled: toy .*\[\d+/1\]: .*\b10\b.*\b11\b", texts), texts


def test_files_are_in_the_given_folder(outputs_of_cells):
    assert (outputs_of_cells["path"] / "here" / "index.md").exists() and not (
        outputs_of_cells["path"] / "here" / "report.html"
    ).exists()


def test_exception_of_a_cell_is_displayed_as_without_the_magic(outputs_of_cells):
    streams, texts, _, errors = outputs_of_cells["error"]
    told = streams + texts + "".join(errors)
    assert "before the error" in streams and "KeyError" in told and "of the cell" in told
    assert outputs_of_cells["after"][0] == "1\n"  # the cell's variables are the notebook's


def test_invalid_option_is_named(outputs_of_cells):
    assert "unknown option --page; wanted %%depyf" in outputs_of_cells["bad option"][0]


def test_value_of_a_cell_is_displayed_and_stored_as_without_the_magic(outputs_of_cells):
    assert outputs_of_cells["plain value"][1] == "22"
    assert outputs_of_cells["value"][1].splitlines()[0] == "42" and outputs_of_cells["value kept"][1] == "(42, 42)"


def test_semicolon_hides_the_value_of_a_cell(outputs_of_cells):
    assert outputs_of_cells["plain semicolon"][1] == ""
    assert outputs_of_cells["semicolon"][1].startswith("nothing was compiled")


def test_cell_may_await(outputs_of_cells):
    streams, texts, _, errors = outputs_of_cells["await"]
    assert not errors and "Error" not in streams and texts.splitlines()[0] == "8"
    assert outputs_of_cells["after await"][0] == "7 8\n"
    streams, texts, _, errors = outputs_of_cells["await and fail"]
    told = streams + texts + "".join(errors)
    assert "KeyError" in told and "awaited" in told and "RuntimeError" not in told
    assert (
        "nothing was compiled" not in outputs_of_cells["await and compile"][1]
        and "is compiled" in outputs_of_cells["await and compile"][1]
    )


def test_variables_in_the_options_of_a_cell_that_awaits(outputs_of_cells):
    assert "in_a_variable" in outputs_of_cells["await, and a name"][1]


def test_only_files_that_were_written_are_named(outputs_of_cells):
    _, texts, _, errors = outputs_of_cells["no such folder"]
    assert not errors and "42" in texts and "could not observe" in texts and "files:" not in texts


def test_decompiled_text_is_displayed(outputs_of_cells):
    assert "x + 1" in re.sub(r"<[^>]*>", "", outputs_of_cells["decompiled"][2])


TERMINAL = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_cell("import torch")
shell.run_line_magic("load_ext", "depyf")
shell.run_cell({cell!r})
"""


SESSION = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "depyf")
shell.run_line_magic("reload_ext", "depyf")
for cell in {cells!r}:
    shell.run_cell(cell, store_history=True)
"""


def test_terminal_runs_a_cell_as_without_the_magic(tmp_path):
    cells = ["40 + 2", "1 + 1;", "import asyncio\nawait asyncio.sleep(0)\nprint(sorted(Out.items()), _)\n_ + 1"]
    environment = {**os.environ, "IPYTHONDIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    outputs = []
    for magic in ("", "%%depyf --no-report\n"):
        command = [sys.executable, "-c", SESSION.format(cells=[magic + cell for cell in cells])]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
        outputs.append(
            [line for line in done.stdout.splitlines() if line and not line.startswith(("nothing was", "files:"))]
        )
    assert outputs[0] == outputs[1] == ["Out[1]: 42", "[(1, 42)] 42", "Out[3]: 43"]


def test_terminal_displays_text(tmp_path):
    environment = {**os.environ, "IPYTHONDIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", TERMINAL.format(cell=DEFINE)]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    assert "Graph break at <ipython-input-" in done.stdout and "iframe" not in done.stdout, done.stdout + done.stderr


def test_debug_in_a_notebook_without_a_reader_says_that_it_does_not_pause(outputs_of_cells):
    streams, _, _, errors = outputs_of_cells["debugged"]
    assert not errors and "does not pause" in streams and "paused before" not in streams
    assert streams.rstrip().endswith("went on")


@pytest.mark.slow
def test_debug_pauses_in_an_interactive_notebook(tmp_path, monkeypatch):
    """This works although each of Jupyter's kernels replaces Python's breakpoint hook by debugpy's."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    manager = KernelManager()
    manager.kernel_spec.argv[:1] = [sys.executable]
    manager.start_kernel(cwd=str(tmp_path))
    client = manager.client()
    client.start_channels()
    outputs = []
    try:
        client.wait_for_ready(timeout=120)
        answers = iter(["p 40 + 2", "c"])
        client.execute_interactive(
            "import depyf\nwith depyf.debug():\n    x = 1\nprint('went on')",
            allow_stdin=True,
            stdin_hook=lambda message: client.input(next(answers)),
            output_hook=lambda message: outputs.append(message["content"].get("text", "")),
            timeout=240,
        )
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    text = "".join(outputs)
    assert not list(answers) and "42" in text and text.rstrip().endswith("went on"), text
