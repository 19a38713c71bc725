# SPDX-License-Identifier: MIT
"""Tests that a resume function is named by the line where it resumes, in all parts of the dump.

The lines are those of this file: both sides of an `if`, several breaks on one line, and a side that runs eagerly.
"""

from __future__ import annotations

import base64
import json
import logging
import re
import subprocess
import sys
import zlib
from pathlib import Path

import depyf
import pytest
import torch


def branching(x):
    if x.sum() > 0:
        x = x * 2  # the side taken
    return x + 1  # the other side


class Model(torch.nn.Module):
    def forward(self, x):
        torch._dynamo.graph_break()  # goes on here: the call's result is still to be dropped
        for _ in range(2):
            x = x * 2
            torch._dynamo.graph_break()
        return x


@torch.compiler.disable
def opaque(x):
    return x + 1


def in_one_line(x):
    return opaque(opaque(x) * 2) * 3  # one line


def place(text: str) -> str:
    """Returns `file.py:12` for the line of this file that contains TEXT."""
    lines = Path(__file__).read_text("utf-8").splitlines()
    return f"{Path(__file__).name}:{1 + next(i for i, line in enumerate(lines) if text in line)}"


@pytest.fixture(scope="module")
def dump(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dump")
    torch._dynamo.reset()
    with depyf.prepare_debug(folder):
        compiled = torch.compile(branching, backend="eager")
        compiled(torch.ones(2))
        compiled(-torch.ones(2))
        torch.compile(Model(), backend="eager")(torch.ones(2))
        torch.compile(in_one_line, backend="eager")(torch.ones(2))
    return folder


def titles(dump: Path) -> dict[str, dict]:
    frames = json.loads((dump / "index.json").read_text("utf-8"))["frames"]
    found = {frame["name"]: frame for frame in frames if "resume" in frame["name"]}
    assert len(found) == sum("resume" in frame["name"] for frame in frames), "two frames of one name"
    return found


def test_each_resume_function_is_named_by_its_line(dump):
    owner = "Model.forward" if sys.version_info >= (3, 11) else "forward"  # qualified names: 3.11
    both = {place("# the side taken"), place("# the other side")}
    goes_on, one_line = place("# goes on here"), place("# one line")
    found = titles(dump)
    assert set(found) == {
        *(f"resume in branching at {line}" for line in both),
        f"resume in {owner} at {goes_on}",
        f"resume in in_one_line at {one_line}",
        f"resume in in_one_line at {one_line} (2)",
    }
    assert {frame["origin"] for name, frame in found.items() if "branching" in name} == both


def test_names_in_every_part_of_the_dump(dump):
    index = (dump / "index.md").read_text("utf-8")
    page = (dump / "report.html").read_text("utf-8")
    report = zlib.decompress(base64.b64decode(max(re.findall(r"[\w+/=]+", page), key=len))).decode()
    for name in titles(dump):
        assert re.search(rf"^### \d+\. {re.escape(name)}( \[|$)", index, re.MULTILINE)
        assert re.search(rf"^\| \d+/\d+ \| {re.escape(name)} \|", index, re.MULTILINE)
        assert name in report
    assert "at line" not in index
    files = json.loads((dump / "index.json").read_text("utf-8"))["files"]
    made = [what for file, what in files.items() if file.startswith("__transformed_code_") and "_resume_in_" in file]
    of = {re.match(r"transformed code of (resume in .+?) \[", what)[1] for what in made}
    assert of and of <= set(titles(dump))
    for text, side in (
        (path.read_text("utf-8"), path) for path in dump.glob("__transformed_code_*resume_in_branching*")
    ):
        assert re.match(rf"# .* · from ({place('# the side taken')}|{place('# the other side')})\n", text), side


def test_names_in_depyf_why(dump):
    command = [sys.executable, "-m", "depyf", "why", str(dump)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    line = re.escape(place("# goes on here"))
    assert re.search(rf"^.*{line}: resume in \S*forward at {line}: runs eagerly$", output, re.MULTILINE)


def test_dump_of_a_trace_names_the_break(tmp_path, run_script):
    script = "import test_resume_names as t, torch\ntorch.compile(t.branching, backend='eager')(torch.ones(2))\n"
    assert run_script(script, TORCH_TRACE=str(tmp_path / "trace")).returncode == 0
    depyf.from_trace(tmp_path / "trace", tmp_path / "dump")
    assert list(titles(tmp_path / "dump")) == [f"resume in branching after {place('if x.sum() > 0:')}"]


GIVEN: dict[str, list[str]] = {}


def drawn(of):
    GIVEN.setdefault(f"drawn({of!r})", []).append(of + "!" * len(GIVEN.get(f"drawn({of!r})", ())))
    return GIVEN[f"drawn({of!r})"][-1]


def lengths(x, *names):
    for name in names:
        x = x + len(name)
    return x


def draws(x):
    return lengths(
        x,
        drawn("f"), drawn(
            "g"
        ), drawn("h"),
    )  # fmt: skip


def test_reasons_name_values_on_the_stack_at_a_break(tmp_path, monkeypatch):
    """Each value is the result of a call that returns another text the next time."""
    GIVEN.clear()
    monkeypatch.setitem(globals(), "drawn", torch.compiler.disable(drawn))
    with depyf.prepare_debug(tmp_path, report=False) as session:
        compiled = torch.compile(draws, backend="eager")
        compiled(torch.ones(2))
        compiled(torch.ones(2))
    reasons = [r for each in session.run.recompiles for r in each.reasons]
    assert reasons and all(r.source.startswith("___stack") for r in reasons)
    if sys.version_info < (3, 11):  # its line table has no columns
        assert {r.what for r in reasons} == {"value of an operand on the evaluation stack at the graph break"}
        return
    for entry in session.run.entries:
        text = (tmp_path / entry.transformed_code).read_text("utf-8")
        header = "".join(re.findall(r"^# From the evaluation stack at the graph break: (.*)\.$", text, re.MULTILINE))
        named = re.findall(r'drawn\( ?"(\w)" ?\)', header)
        handed = set(re.findall(r"___stack\d+", text.partition("def ")[2].partition("):")[0]))
        assert named == list("fgh")[: len(named)] and len(named) == max(0, len(handed) - 2)  # without `lengths` and x
    reported = {
        r.what.removeprefix("value of ").replace("( ", "(").replace(" )", ")"): (r.then, r.now) for r in reasons
    }
    assert reported == {name.replace("'", '"'): tuple(map(repr, values)) for name, values in GIVEN.items()}


def asks_first(x, n):
    if n is not None:  # Dynamo generates three instructions for this one jump
        n = n + 1
    y = opaque(n)
    return x + y


@pytest.mark.skipif(sys.version_info < (3, 11), reason="the line table has no columns")
def test_values_on_the_stack_are_named_after_tests_for_none(tmp_path):
    with depyf.prepare_debug(tmp_path, report=False) as session:
        torch.compile(asks_first, backend="eager")(torch.ones(2), 3)
    texts = [(tmp_path / entry.transformed_code).read_text("utf-8") for entry in session.run.entries]
    found = [re.findall(r"___stack\d+ is ([^,]+?)(?:, |\.$)", text, re.MULTILINE) for text in texts]
    assert found == [[], ["opaque(n)"]]


def breaks_and_goes_on(x, name):
    y = x + 1
    torch._dynamo.graph_break()
    return y * len(name)


def looped(x):
    for name in ("a", "bb", "ccc"):
        x = breaks_and_goes_on(x, name)  # the loop's call
    return x


def test_recompiles_of_a_resume_function_in_a_skipped_loop_agree_with_torchs_log(tmp_path):
    logged = []

    class Recompiles(logging.Handler):
        def emit(self, record):
            if match := re.match(r"Recompiling function (\w+) .*failure\(s\):\n(.*)", record.getMessage(), re.DOTALL):
                logged.append((match[1], re.findall(r"- (\d+/\d+): (.*?)(?:  +#.*)?\n", match[2] + "\n")))

    judge, log = Recompiles(), logging.getLogger("torch._dynamo.guards.__recompiles")
    torch._logging.set_logs(recompiles=True)
    log.addHandler(judge)
    try:
        with depyf.prepare_debug(tmp_path, report=False) as session:
            torch.compile(looped, backend="eager")(torch.ones(2))
    finally:
        log.removeHandler(judge)
        torch._logging.set_logs()
    run = session.run
    assert [frame.name for frame in run.frames if frame.status.value == "skipped"] == ["looped"]
    assert len(logged) == len(run.recompiles) == 2
    for (name, reasons), told in zip(logged, run.recompiles, strict=True):
        assert name.startswith("torch_dynamo_resume_in_breaks_and_goes_on") and "in breaks_and_goes_on" in told.name
        assert reasons[0] in [(r.entry, r.torch_text) for r in told.reasons]
        assert {entry for entry, _ in reasons} == {r.entry for r in told.reasons}
        assert told.call[-2].line == int(place("# the loop's call").rpartition(":")[2])
