# SPDX-License-Identifier: MIT
"""Tests that index.json is a `Run`: it conforms to the published schema and is loaded as it was written."""

from __future__ import annotations

import copy
import dataclasses
import json
import subprocess
import sys

import depyf
import jsonschema
import pytest
import torch
from depyf.torch.model import facts
from depyf.torch.model import serialization as as_data
from depyf.torch.model.facts import FrameStatus, Run, Stage, VerdictKind


def breaks(x):
    y = x.sin()
    torch._dynamo.graph_break()
    return y.cos()


def many_lengths(x, name):
    return x + len(name)


def refuse(graph, inputs):
    raise ValueError("this backend refuses")


def eager(toy):
    toy.run("eager")


def training(toy):
    toy.run("inductor", train=True)


def breaks_and_recompiles(toy):
    x = torch.ones(3)
    torch.compile(breaks, backend="eager")(x)
    limited = torch.compile(many_lengths, backend="eager")
    for n in range(torch._dynamo.config.recompile_limit + 2):
        limited(x, "s" * n)
    scaled = torch.compile(lambda x, k: x * k, backend="aot_eager", dynamic=True)
    for k in (2, 3, 17):
        scaled(torch.ones(k), k)
    with torch._dynamo.config.patch(suppress_errors=True):
        torch.compile(lambda x: x + 3, backend=refuse)(x)


@pytest.fixture(scope="module")
def schema():
    return json.loads(facts.SCHEMA_FILE.read_text("utf-8"))


@pytest.fixture(scope="module", params=[eager, training, breaks_and_recompiles], ids=lambda p: p.__name__)
def dumped(request, tmp_path_factory, toy):
    folder = tmp_path_factory.mktemp("dump")
    torch._dynamo.reset()
    with depyf.prepare_debug(folder) as session:
        request.param(toy)
    return request.param, folder, session


def test_index_conforms_to_the_schema(dumped, schema):
    _, folder, _ = dumped
    data = json.loads((folder / "index.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(data)
    assert data["schema_version"] == facts.SCHEMA_VERSION
    assert len(data) == len(schema["properties"]) > 20


def test_index_is_loaded_as_it_was_written(dumped):
    make, folder, session = dumped
    run = Run.load(folder)
    assert run == session.run == Run.load(folder / "index.json") == depyf.Run.load(str(folder))
    assert run.as_data() == json.loads((folder / "index.json").read_text("utf-8"))
    assert run.frames and run.entries and run.graphs and run.run.complete
    if make is breaks_and_recompiles:
        assert run.graph_breaks and run.recompiles and run.failures and run.symbols
        assert {FrameStatus.COMPILED, FrameStatus.RECOMPILE_LIMIT} <= {f.status for f in run.frames}
        assert all(b.location.path == __file__ for b in run.graph_breaks)
        assert run.recompiles[0].reasons and len(run.recompiles) >= torch._dynamo.config.recompile_limit
    if make is training:
        stages = {g.stage for g in run.graphs}
        assert stages >= {Stage.CAPTURED, Stage.JOINT, Stage.FORWARD, Stage.BACKWARD, Stage.POST_GRAD, Stage.KERNELS}
        assert Stage.OTHER not in stages
    assert {e.verdict_kind for e in run.entries} <= {VerdictKind.EXACT, VerdictKind.PROVED}


def test_table_of_a_run_is_short(dumped):
    _, _, session = dumped
    text = repr(session.run)
    assert repr(session) == text and len(text) < 8000 and len(text.splitlines()) <= 31
    assert all(frame.name in text and frame.status.value in text for frame in session.run.frames)


def test_schema_describes_the_classes(schema):
    assert facts.schema() == schema, "python tools/index_schema.py writes it anew"
    described = {name: attributes for name, attributes in schema["$defs"].items() if "properties" in attributes}
    assert len(described) >= 14
    for name, found in {**described, "Run": schema}.items():
        lacking = [field for field, told in found["properties"].items() if "description" not in told]
        assert not lacking, (name, lacking)


@pytest.mark.parametrize(
    ("damage", "place"),
    [
        (lambda data: data.update(schema_version=0), "schema_version"),
        (lambda data: data.pop("frames"), "frames"),
        (lambda data: data["frames"][0].update(status="compiled?"), "frames[0].status"),
        (lambda data: data["frames"][0].update(extra=1), "frames[0]"),
        (lambda data: data["graphs"][0].update(file=3), "graphs[0].file"),
        (lambda data: data["entries"][0]["location"].pop("line"), "entries[0].location"),
    ],
)
def test_error_of_an_invalid_index_names_the_place(dumped, schema, damage, place):
    _, _, session = dumped
    data = session.run.as_data()
    Run.from_data(copy.deepcopy(data))
    damage(data)
    with pytest.raises(ValueError, match=r"^.*" + place.replace("[", r"\[").replace("]", r"\]")):
        Run.from_data(data)
    if place != "schema_version":
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(data, schema)


def test_other_file_is_not_an_index(tmp_path):
    (tmp_path / "program.py").write_text("import this\n")
    with pytest.raises(ValueError, match=r"program\.py: no index of a dump: "):
        Run.load(tmp_path / "program.py")


def test_repr_of_a_session_has_its_folder(tmp_path):
    session = depyf.prepare_debug(str(tmp_path))
    assert repr(session) == f"<depyf.Session of {tmp_path}, not entered>"


def test_types_without_a_schema_are_errors():
    made = dataclasses.make_dataclass("Odd", [("value", bytes)])
    with pytest.raises(TypeError, match="bytes"):
        as_data.schema_of(made, "", "")


def test_index_is_read_without_torch(tmp_path):
    with depyf.prepare_debug(tmp_path):
        torch.compile(breaks, backend="eager")(torch.ones(2))
    code = (
        f"import sys, depyf; run = depyf.Run.load({str(tmp_path)!r}); "
        "print(len(run.frames), run.graph_breaks[0].times); assert 'torch' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "2 1\n"


def test_side_effects_without_a_name(tmp_path):
    """torch replays the assignment to a variable of a closure, but does not name it."""

    def kept(x):
        found = {}

        def put(key, value):
            nonlocal x
            x = x + value
            found[key] = x

        put("a", 1)
        torch._dynamo.graph_break()
        put("b", 2)
        return found

    with depyf.prepare_debug(tmp_path, report=False) as session:
        assert torch.compile(kept, backend="eager")(torch.ones(3)).keys() == {"a", "b"}
    effects = [name for entry in session.run.entries for name in entry.side_effects]
    assert any("found" in name for name in effects) and not any(name.startswith("<") for name in effects)


def test_side_effects_on_variables_of_closures(tmp_path):
    """torch calls them unknown, and makes the number of calls dynamic, so it does not recompile in each call."""

    def make(calls, total):
        def counts(x):
            nonlocal calls, total
            calls += 1
            total += x.shape[0]
            return x * calls

        return counts

    torch._dynamo.reset()
    compiled = torch.compile(make(0, 0), backend="eager")
    with depyf.prepare_debug(tmp_path) as session:
        for _ in range(4):
            compiled(torch.ones(3))
    if session.run.entries[0].side_effects:
        assert {effect for entry in session.run.entries for effect in entry.side_effects} == {"calls", "total"}
    assert len(session.run.entries) == 2
    reasons = [reason for recompile in session.run.recompiles for reason in recompile.reasons]
    assert reasons and not any("each call recompiles" in reason.advice for reason in reasons)


class Counted:
    def __init__(self):
        self.seen = [1, 2]


def test_side_effects_have_the_programs_names(tmp_path):
    def counts(x, counted):
        counted.seen.append(3)
        return x + 1

    counted = Counted()
    with depyf.prepare_debug(tmp_path, report=False) as session:
        torch.compile(counts, backend="eager")(torch.ones(3), counted)
    (entry,) = session.run.entries
    assert [eval(name, {"counted": counted}) for name in entry.side_effects] == [[1, 2, 3]]
    assert "# Replays side effects on counted.seen." in (tmp_path / "__transformed_code_0_for_counts.py").read_text()


def test_symbols_of_internal_tensors_are_not_listed(tmp_path):
    """Checkpointing saves the random number generator's state, a tensor that torch creates while tracing."""
    drops = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Dropout(0.5))
    checkpoint = torch.utils.checkpoint.checkpoint
    compiled = torch.compile(lambda x: checkpoint(drops, x, use_reentrant=False), backend="aot_eager", dynamic=True)
    with depyf.prepare_debug(tmp_path, report=False) as session:
        compiled(torch.ones(3, 4)).sum().backward()
    sources = [symbol.source for symbol in session.run.symbols]
    assert sources and not any("__meta_utils" in source or source.startswith("<") for source in sources), sources
