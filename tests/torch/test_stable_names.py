# SPDX-License-Identifier: MIT
"""Tests that equal runs give equal files: names have no uuids or addresses; index.json has the original names."""

from __future__ import annotations

import importlib.util
import json
import re
import uuid

import depyf
import pytest
import torch
from depyf.cli.app import main
from depyf.torch.guards import checks, stable_text
from depyf.torch.internals import stable_names
from depyf.torch.model.guard import Guard

from tools import check_words

ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b|\b[1-9]\d{12,14}\b|_[0-9a-f]{8}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{4}_")
TOY = """
import depyf
from toy import run
with depyf.prepare_debug("dump"):
    run("inductor", train=True)
"""
MODEL = """
import depyf, torch
class Config:
    def __init__(self): self.act, self.scale = torch.nn.functional.silu, 2.0
class Block(torch.nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config, self.linear = config, torch.nn.Linear(4, 4)
    def forward(self, x, mask=None):
        y = self.config.act(self.linear(x)) * self.config.scale
        torch._dynamo.graph_break()
        return y + x if mask is None else y * mask
torch.manual_seed(0)
model = torch.nn.Sequential(Block(Config()), Block(Config()))
optimizer = torch.optim.Adam(model.parameters(), foreach=True)
@torch.compile(backend="aot_eager")
def step():
    optimizer.step()
def sort_key(x):
    return -x
@torch.compile(backend="aot_eager")
def closes_over(x, items):
    return x * sorted(items, key=sort_key)[0] + vars(Config).get("missing", 1)
with depyf.prepare_debug("dump"):
    compiled = torch.compile(model, backend="aot_eager")
    block = torch.compile(model[0], backend="aot_eager")
    for mask in (None, torch.ones(4)):
        block(torch.ones(2, 4), mask)
        compiled(torch.ones(2, 4)).sum().backward()
        step()
    closes_over(torch.ones(2), [1, 2])
"""
MODELS = """
import depyf, torch
torch.manual_seed(0)
class Recurrent(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.steps = torch.nn.GRUCell(4, 4), {"long": 3, "short": 2}
    def forward(self, x, kind):
        state = x
        for _ in range(self.steps[kind]):
            state = self.cell(x, state)
            if kind == "long": print("step")
        return state
models = {
    "attention": (torch.nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True), (torch.ones(2, 3, 8),)),
    "convolution": (
        torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.BatchNorm2d(4), torch.nn.ReLU(), torch.nn.Flatten()),
        (torch.ones(2, 3, 6, 6),),
    ),
    "recurrent": (Recurrent(), (torch.ones(2, 4), "long")),
}
with depyf.prepare_debug("dump"):
    for name, (model, arguments) in models.items():
        compiled = torch.compile(model, backend="aot_eager")
        compiled(*arguments).sum().backward()
        compiled(*(torch.cat([a, a]) if isinstance(a, torch.Tensor) else "short" for a in arguments))
"""


TANGENTS = """
import depyf, torch
@torch.compile(backend="eager")
def tangents(x):
    return torch.func.jvp(lambda v: v.sin(), (x,), (x,))
with depyf.prepare_debug("dump"):
    tangents(torch.ones(3))
"""


def files_of(folder):
    return {f.name: f.read_bytes() for f in folder.iterdir() if f.name != ".depyf.lock"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "at_least"),
    [(TOY, 30), (MODEL, 20), (MODELS, 20), (TANGENTS, 7)],
    ids=["toy", "model", "models", "tangents"],
)
def test_two_equal_runs_give_equal_files(run_script, tmp_path, program, at_least):
    runs = []
    for number in range(2):
        done = run_script(program, TORCHINDUCTOR_CACHE_DIR=str(tmp_path / f"cache{number}"), PYTHONHASHSEED=str(number))
        assert done.returncode == 0, done.stderr
        runs.append(files_of((tmp_path / "dump").rename(tmp_path / f"run{number}")))
    first, second = runs
    assert first.keys() == second.keys() and len(first) >= at_least
    compared = [name for name in first if not name.startswith(("index.", "report."))]  # these contain times
    assert len(compared) == len(first) - 3
    assert [name for name in compared if first[name] != second[name]] == []
    for name in [*compared, "index.md"]:
        assert not ADDRESS.search(first[name].decode()), name
        assert not list(check_words.private_words(first[name].decode())), name
    index, other = (json.loads(run["index.json"]) for run in runs)
    assert main(["diff", str(tmp_path / "run0"), str(tmp_path / "run1")]) == 0
    graphs = {e["compiled_fn"] for e in index["entries"]} - {None}
    assert index["globals"].keys() == other["globals"].keys() >= graphs != set()
    assert all(re.fullmatch(r"__compiled_fn_\d+", name) for name in graphs)
    for name, real in index["globals"].items():
        assert name != real and real != other["globals"][name]


def test_script_has_the_globals_in_its_guards(run_script, tmp_path):
    """torch adds globals of `UnpackedDualTensor.__new__` to the program's, with an address in their names."""
    done = run_script(TANGENTS)
    assert done.returncode == 0, done.stderr
    (path,) = (tmp_path / "dump").glob("full_code_for_*.py")
    done = run_script(f"import runpy; runpy.run_path({str(path)!r}, run_name='__main__')")
    assert done.returncode == 0 and "[0/0] -> (Tensor (3,)" in done.stdout, done.stdout


def scaled(x, items):
    return torch.abs(x) * len(items)


def test_index_has_the_original_names_of_globals(tmp_path):
    compiled = torch.compile(scaled, backend="eager")
    with depyf.prepare_debug(tmp_path) as run:
        compiled(torch.ones(2), [1])
    data = json.loads((tmp_path / "index.json").read_text("utf-8"))
    ((name, real),) = data["globals"].items()
    assert real in globals() and real in [e.compiled_fn for e in run.record.entries]
    text = (tmp_path / data["entries"][0]["transformed_code"]).read_text("utf-8")
    assert re.search(rf"\b{name}\b", text) and real not in text


def test_file_is_bound_to_globals_and_has_its_objects(tmp_path):
    compiled = torch.compile(scaled, backend="eager")
    x = -torch.ones(2)
    with depyf.prepare_debug(tmp_path):
        expected = compiled(x, [1, 2])
    (path,) = tmp_path.glob("full_code_for_scaled_*.py")
    spec = importlib.util.spec_from_file_location("depyf_bound_by_name", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (name,) = (n for n in vars(module) if n.startswith("__compiled_fn_"))
    module.bind(globals())
    real = json.loads((tmp_path / "index.json").read_text("utf-8"))["globals"][name]
    assert getattr(module, name) is globals()[real]
    assert torch.equal(module.scaled(x, [1, 2]), expected)
    assert {module.same_process_id(n) for n in range(2)} == {id(torch), id(torch.abs)} and module.same_process_id(
        99
    ) is None
    moved = tmp_path / "elsewhere.py"
    moved.write_bytes(path.read_bytes())
    assert checks.identities(str(moved))(0) is None


def test_numbers_of_a_deleted_file_are_dropped(tmp_path):
    files = [tmp_path / "first.py", tmp_path / "second.py"]
    for file in files:
        file.touch()
        checks.note_identities(str(file), [id(torch)])
    files[0].unlink()
    checks.note_identities(str(files[1]), [id(torch)])
    files[0].touch()
    assert [checks.identities(str(file))(0) for file in files] == [None, id(torch)]


def test_numbers_in_checks_stand_for_addresses():
    numbers = stable_text.Numbers()
    address = id(object)
    identity_guard = Guard("ID_MATCH", f"___check_obj_id(L['f'], {address}), type=<class 'type'>")
    assert numbers.check(identity_guard) == "object_is(L['f'], same_process_id(0), 'type')"
    assert numbers.torchs_text(identity_guard) == "___check_obj_id(L['f'], <id 0>), type=<class 'type'>"
    hooks_guard = Guard("LAMBDA_GUARD", f"torch.x.top_saved_tensors_hooks ids == ({address}, 7)")
    assert numbers.check(hooks_guard) == "saved_tensors_hooks_are(same_process_id((0, 1)))"
    same_process_id = checks.identities_of(tuple(numbers.known))
    assert same_process_id((0, 1)) == (address, 7) and same_process_id((0, 2)) is None
    text = Guard("EQUALS_MATCH", "L['s'] == 'same_process_id(12345678901234) at 0x7f0000000000'")
    assert (
        numbers.check(text) == "equals(L['s'], 'same_process_id(12345678901234) at 0x7f0000000000')"
    )  # a string of the program
    equality_guard = Guard("EQUALS_MATCH", "L['c'] == <Thing at 0x7f00000000aa>")
    assert numbers.check(equality_guard) == "shown_as(L['c'], same_process_id('<Thing at 0x#2>'))"
    assert checks.identities_of(tuple(numbers.known))("<Thing at 0x#2>") == "<Thing at 0x7f00000000aa>"
    assert checks.shown_as(1, None)  # assumed to be true, and counted


def test_names_that_torch_did_not_generate_are_kept():
    for name in ("x", "weights_20240101123456", "__compiled_fn_3", "my__compiled_fn", "__resume_at_102_2", "e_1_c0"):
        assert stable_names.stable(name) == name
    real = f"__compiled_fn_99000990_{uuid.UUID(int=5)}".replace("-", "_")
    later = f"__compiled_fn_99000990_{uuid.UUID(int=6)}".replace("-", "_")
    assert [stable_names.stable(n) for n in (real, later, real)] == [
        "__compiled_fn_99000990",
        "__compiled_fn_99000990_2",
        "__compiled_fn_99000990",
    ]
    by_address = stable_names.stable("__optimizer_140234567890123")
    assert re.fullmatch(r"__optimizer_\d{1,8}", by_address) and stable_names.stable("__optimizer_140234567890125")
    assert re.fullmatch(r"__o_\d{1,8}_\d{1,8}_c12", stable_names.stable("__o_140234567890123_140234567890999_c12"))
    scope = {"__optimizer_140234567890123": 1, real: 2}
    found = stable_names.StableGlobals(scope)
    assert (found[by_address], found["__compiled_fn_99000990"], "__compiled_fn_99000991" in found) == (1, 2, False)
    other_run = {f"__compiled_fn_99000990_{uuid.UUID(int=9)}".replace("-", "_"): 3}
    assert stable_names.StableGlobals(other_run)["__compiled_fn_99000990"] == 3


def test_names_in_code_are_replaced_and_restored():
    real = f"__compiled_fn_99000991_{uuid.UUID(int=5)}".replace("-", "_")
    code = compile(f"def f(x):\n    return {real}(x), y\n", "f.py", "exec").co_consts[0]
    renamed = stable_names.stable_code(code)
    assert renamed.co_names == ("__compiled_fn_99000991", "y") and renamed.co_code == code.co_code
    assert stable_names.real_code(renamed, code) == code
    assert (
        stable_names.stable_code(test_names_in_code_are_replaced_and_restored.__code__)
        is test_names_in_code_are_replaced_and_restored.__code__
    )
