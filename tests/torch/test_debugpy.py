# SPDX-License-Identifier: MIT
"""Tests breakpoints, steps and locals in compiled code with debugpy, driven through a socket as by an editor."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from conftest import EXAMPLES
from dap import Client, Editor, Place
from releases import SHOWS_VALUES_BETWEEN_BREAKPOINTS, needs_running_aot_graphs

PROGRAM = """
import debugpy, torch, depyf
from toy import toy_example
torch.set_num_threads(1)
compiled = torch.compile(toy_example, backend={backend!r})
def call(sign):
    a = torch.linspace(-1, 1, 10, requires_grad={train})
    result = compiled(a, sign * torch.linspace(1, 2, 10))
    if {train}:
        result.sum().backward()
        return a.grad
    return result
with depyf.prepare_debug("dump"):
    for sign in (1, -1):
        call(sign)
debugpy.breakpoint()
for sign in (1, -1):
    call(sign)
print("done")
"""


@pytest.fixture
def debug(tmp_path):
    """Returns a function that starts the toy program and stops when its dump is complete."""
    clients = []

    def start(backend: str, train: bool = False, just_my_code: bool = True) -> tuple[Client, Place, Path]:
        program = tmp_path / "program.py"
        program.write_text(PROGRAM.format(backend=backend, train=train))
        path = os.pathsep.join([str(EXAMPLES), *sys.path])
        client = Client(program, {"PYTHONPATH": path}, just_my_code)
        clients.append(client)
        place = client.stopped()
        assert place is not None and place.file == "program.py", client.text()
        return client, place, tmp_path / "dump"

    yield start
    for client in clients:
        client.__exit__()


def line_in(file: Path, pattern: str) -> int:
    """Returns the number of the first line of code in FILE that matches."""
    for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1):
        if re.search(pattern, line) and not line.lstrip().startswith(("#", "def ", "class ")):
            return number
    raise AssertionError(f"{pattern} is in no line of {file.name}:\n{file.read_text('utf-8')}")


def one(folder: Path, pattern: str) -> Path:
    """Returns the first file whose name matches."""
    return sorted(folder.glob(pattern))[0]


def finish(client: Client, place: Place | None) -> None:
    """Removes all breakpoints and lets the program end."""
    while place is not None:
        place = client.go_on(place)
    client.process.wait(60)
    assert client.process.returncode == 0 and "done" in client.text(), client.text()


# Where to stop: the file, the line, a local variable there and the start of its value.
TRANSFORMED = ("__transformed_code_0_for_toy_example.py", r"__compiled_fn_\d+\w*\(|graph\(", "a", "tensor(")
RESUMED = ("__transformed_code_*_for_torch_dynamo_resume_in_*.py", TRANSFORMED[1], "b", "tensor(")
CAPTURED = ("__compiled_fn_1.Captured_Graph.0.py", r"\babs", "l_a_", "tensor(")
FORWARD = ("__compiled_fn_1.Forward_graph.0.py", r"aten\.abs", "primals_1", "tensor(")
BACKWARD = ("__compiled_fn_*.Backward_graph.0.py", r"aten\.mul", "tangents_1", "tensor(")
KERNEL = ("__compiled_fn_1.kernel_0.py", r"assert_size_stride\(", "primals_1", "tensor(")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("backend", "train", "just_my_code", "wanted"),
    [
        ("eager", False, False, [TRANSFORMED, CAPTURED, RESUMED]),
        pytest.param(
            "aot_eager", True, True, [TRANSFORMED, FORWARD, RESUMED, BACKWARD], marks=needs_running_aot_graphs
        ),
        ("inductor", True, True, [TRANSFORMED, KERNEL, RESUMED]),
    ],
    ids=["eager", "aot_eager", "inductor"],
)
def test_breakpoints_are_hit_in_every_file_that_runs(debug, backend, train, just_my_code, wanted):
    client, place, folder = debug(backend, train, just_my_code)
    expected = {}
    for glob, pattern, local, value in wanted:
        file = one(folder, glob)
        line = line_in(file, pattern)
        client.set_breakpoints(file, line)
        expected[file.name] = (line, local, value)
    met: dict[str, tuple[int, dict[str, str]]] = {}
    place = client.go_on(place)
    while place is not None:
        assert place.file in expected, place
        met[place.file] = (place.line, client.locals_of(place) if SHOWS_VALUES_BETWEEN_BREAKPOINTS else {})
        place = client.go_on(place)
    finish(client, place)
    assert {file: line for file, (line, _) in met.items()} == {file: line for file, (line, *_) in expected.items()}
    for file, (_, local, value) in expected.items() if SHOWS_VALUES_BETWEEN_BREAKPOINTS else ():
        assert met[file][1].get(local, "").startswith(value), (file, local, met[file][1])


PAGE = Path(__file__).resolve().parents[2] / "docs" / "site" / "debugging.md"


def test_documented_launch_configuration_stops_in_compiled_code(tmp_path, monkeypatch):
    page = PAGE.read_text("utf-8")
    program = tmp_path / "program.py"
    program.write_text(re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[0] + "print('done')\n")
    (text,) = re.findall(r"^```json\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    text = text.replace("${file}", str(program))
    assert "${" not in text
    (configuration,) = json.loads(text)["configurations"]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    subprocess.run([sys.executable, str(program)], cwd=tmp_path, check=True)  # the first run makes the dump
    files = [one(tmp_path / "dump", "__transformed_code_0_for_step.py"), one(tmp_path / "dump", CAPTURED[0])]
    breakpoints = {files[0]: line_in(files[0], TRANSFORMED[1]), files[1]: line_in(files[1], r"\bsin\b")}
    with Editor(configuration, tmp_path, breakpoints) as client:
        met = []
        place = client.stopped()
        while place is not None:
            met.append((place.file, place.line))
            assert any(value.startswith("tensor(") for value in client.locals_of(place).values()), place
            place = client.go_on(place)
    assert met == [(file.name, line) for file, line in breakpoints.items()], client.text()
    assert "done" in client.text()


@pytest.mark.slow
@pytest.mark.parametrize("just_my_code", [True, False])
def test_debug_pauses_in_the_callers_frame(tmp_path, just_my_code):
    """A pause in a frame of depyf would be skipped by justMyCode, and the program would continue."""
    program = tmp_path / "program.py"
    program.write_text(
        "import depyf\n\n\ndef work(x):\n    with depyf.debug():\n        y = x + 1\n    return y\n\n\n"
        "print('done', work(1))\n"
    )
    with Client(program, {"PYTHONPATH": os.pathsep.join(sys.path)}, just_my_code) as client:
        place = client.stopped()
        assert place is not None and (place.file, place.function) == ("program.py", "work"), (place, client.text())
        assert place.line in (5, 6) and client.locals_of(place)["x"] == "1"
        assert client.go_on(place) is None
        client.process.wait(60)
        assert client.process.returncode == 0 and "done 2" in client.text()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("backend", "graph"),
    [("eager", CAPTURED[0]), pytest.param("aot_eager", FORWARD[0], marks=needs_running_aot_graphs)],
)
def test_steps_go_through_all_generated_files(debug, backend, graph):
    client, place, folder = debug(backend)
    transformed = one(folder, TRANSFORMED[0])
    client.set_breakpoints(transformed, line_in(transformed, TRANSFORMED[1]))
    place = client.go_on(place)
    client.set_breakpoints(transformed)
    files = [place.file]
    while len(files) < 60 and files[-1] != "program.py":  # step in wherever possible
        place = client.go_on(place, "stepIn")
        files.append(place.file)
    assert set(files[:-1]) <= {p.name for p in folder.iterdir()}, files  # the debugger does not stop in torch's files
    assert files.index(graph) <= 3, files
    assert any("torch_dynamo_resume_in_toy_example" in name for name in files), files
    changes = [b for a, b in pairwise(files) if a != b]
    assert changes[1] == transformed.name, files  # from the graph back to the code that called it
    finish(client, place)
