# SPDX-License-Identifier: MIT
"""Tests scripts of a dump that need objects of the program's classes: they create them or name what is missing."""

from __future__ import annotations

import ast
import collections
import functools
import os
import runpy
import subprocess
import sys
import threading
import weakref
from typing import NamedTuple

import pytest
import torch
from depyf.torch.capture import stored_values
from depyf.torch.replay import v1
from depyf.torch.replay.definitions import Definitions
from depyf.torch.write.expressions import over_lines

PROGRAM = """
import dataclasses, enum, sys, threading
from typing import NamedTuple
import depyf, torch

print("the program runs")

class Mode(enum.Enum):
    FAST = 1

RATE = 2.0

@dataclasses.dataclass(frozen=True)
class Config:
    mode: Mode = Mode.FAST
    rate: float = RATE

class Pair(NamedTuple):
    left: torch.Tensor
    right: int

class Slotted:
    __slots__ = ("offset",)

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(3, 3)
        self.steps = [1, 2]
        self.also = self.steps

    def shifted(self, x):
        torch._dynamo.graph_break()
        return x + len(self.steps)

    def forward(self, x, config, pair, slotted):
        y = self.shifted(self.linear(x)) * SETTINGS.rate
        self.also.append(3)
        return y * (config.rate if config.mode is Mode.FAST else 1) + pair.left * pair.right + slotted.offset

class Guarded:
    def __init__(self):
        self.lock = threading.Lock()
        self.rate = iter([1.0])

    def scaled(self, x):
        return x * next(self.rate)

SETTINGS = Config(rate=5.0)
slotted = Slotted()
slotted.offset = 1
with depyf.prepare_debug("dump", report=False):
    torch.compile(Model(), backend="eager")(torch.ones(3), Config(), Pair(torch.ones(3), 2), slotted)
    torch.compile(Guarded().scaled, backend="eager")(torch.ones(3))
"""


RESULT = ("[0/0] -> Tensor (3,) float32 on cpu\n", 0)


@pytest.fixture
def run_dumped(tmp_path, capsys, monkeypatch):
    """Runs a full-code file of a dump in this process, from an unrelated folder."""

    def run(name):
        (file,) = (tmp_path / "dump").glob(f"full_code_for_{name}_*.py")
        monkeypatch.chdir("/")
        monkeypatch.setattr(sys, "path", [*sys.path])
        capsys.readouterr()
        try:
            runpy.run_path(str(file), run_name="__main__")
            status = 0
        except SystemExit as stopped:
            status = stopped.code
        return capsys.readouterr().out, status

    return run


@pytest.mark.slow
def test_scripts_create_objects_of_the_programs_classes(run_script, run_dumped, tmp_path, monkeypatch):
    made = run_script(PROGRAM)
    assert made.returncode == 0, made.stderr
    assert run_dumped("forward") == RESULT
    printed, status = run_dumped("scaled")
    bound = "in the program, depyf.full_code(scaled) runs this on the program's own objects\n"
    assert (printed, status) == (
        f"[4/0] cannot run here, it needs <missing self.rate: a live list_iterator>\n{bound}",
        1,
    )
    (tmp_path / "program.py").rename(tmp_path / "moved.py")
    printed, status = run_dumped("forward")
    assert status == 1 and "program.py is not there; DEPYF_PROGRAM=program.py tells where it is now" in printed
    monkeypatch.setenv("DEPYF_PROGRAM", str(tmp_path / "moved.py"))
    assert run_dumped("forward") == RESULT


DECORATED = """
import depyf, torch

def twice(function):
    def inner(x):
        return function(x) * 2
    return inner

@twice
def sine(x):
    return x.sin()

def call(x):
    return sine(x) + 1

with depyf.prepare_debug("dump", report=False):
    torch.compile(call, backend="eager")(torch.ones(3))
"""


def test_scripts_import_decorated_functions_by_the_name_of_the_global(run_script, run_dumped):
    made = run_script(DECORATED)
    assert made.returncode == 0, made.stderr
    assert run_dumped("call") == RESULT


OPTIMIZERS = """
import depyf, torch

model = torch.nn.Linear(3, 1)
adam = torch.optim.Adam(model.parameters(), lr=0.01)
sgd = torch.optim.SGD(model.parameters(), lr=torch.tensor(0.1), momentum=0.9)

def both_steps():
    adam.step()

steps = [torch.compile(step, backend="eager") for step in (both_steps, adam.step, sgd.step)]
with depyf.prepare_debug("dump", report=False):
    for _ in range(3):
        model(torch.ones(2, 3)).sum().backward()
        for step in steps:
            step()
"""


@pytest.mark.slow
def test_scripts_run_steps_of_optimizers(run_script, tmp_path):
    """An optimizer keeps its state in a defaultdict with parameters as keys, and torch decorates `step` at run time."""
    made = run_script(OPTIMIZERS)
    assert made.returncode == 0, made.stderr
    scripts = sorted(tmp_path.glob("dump/full_code_for_*.py"))
    assert {script.name.split("_")[3] for script in scripts} == {"both", "step", "wrapper"}
    runs = [f"runpy.run_path({str(script)!r}, run_name='__main__')" for script in scripts]
    done = run_script("\n".join(["import runpy", *runs]))
    printed = done.stdout.splitlines()  # a script that fails ends the process
    assert done.returncode == 0 and len(printed) > len(scripts), (done.stdout, done.stderr)
    assert all(line.endswith("] -> None") for line in printed), printed


IN_A_PACKAGE = """
import dataclasses
import depyf, torch
from .rates import RATE

@dataclasses.dataclass
class Config:
    rate: float = RATE

def scaled(x, config):
    return x * config.rate

if __name__ == "__main__":
    with depyf.prepare_debug("dump", report=False):
        torch.compile(scaled, backend="eager")(torch.ones(3), Config())
"""


@pytest.mark.slow
def test_program_that_is_a_module_of_a_package(run_dumped, tmp_path):
    package = tmp_path / "package"
    package.mkdir()
    (package / "rates.py").write_text("RATE = 3.0\n")
    (package / "program.py").write_text(IN_A_PACKAGE)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    command = [sys.executable, "-W", "ignore", "-m", "package.program"]
    made = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert made.returncode == 0, made.stderr
    assert run_dumped("scaled") == RESULT


# ---- definitions in a file

FILE = """
from __future__ import annotations
import enum
from os.path import *
try:
    import nothing_of_this_name
except ImportError:
    nothing_of_this_name = None
print("runs")
COUNT = 3
BAD = 1 / 0
TABLE = {}
TABLE["a"] = COUNT
def kept(cls):
    cls.kept = COUNT
    return cls
@kept
class Mode(enum.IntEnum):
    FAST = COUNT
    def path(self) -> Unknown:
        return join("a", str(later())), TABLE
    def bad(self):
        return BAD
def later():
    return LATER + 1
LATER = 4
LATER += 1
if __name__ == "__main__":
    LATER = 100
for LATER in range(10):
    pass
"""


def test_definitions_only_execute_statements_that_bind_names(tmp_path, capsys):
    file = tmp_path / "file.py"
    file.write_text(FILE)
    names = Definitions(file)
    mode = names["Mode"].FAST
    assert (mode.path(), names["Mode"].kept, names["nothing_of_this_name"]) == ((f"a{os.sep}6", {"a": 3}), 3, None)
    with pytest.raises(ZeroDivisionError):
        mode.bad()
    with pytest.raises(KeyError):
        names["unknown"]
    assert capsys.readouterr().out == ""


# ---- values as text


class Point(NamedTuple):
    x: int
    y: object


class Holder:
    __slots__ = ("__dict__", "slot")


class Dying(Holder):
    def __del__(self):
        pass


class Loud(Holder):
    def __init__(self):
        raise AssertionError("code of the class ran")

    def __getattr__(self, name):
        raise AssertionError("code of the class ran")

    def __setattr__(self, name, value):
        raise AssertionError("code of the class ran")


def held(cls=Holder, **values):
    made = object.__new__(cls)
    for name, value in values.items():
        object.__setattr__(made, name, value)
    return made


def again(text):
    return eval(text, {"replay": v1, "named": v1.named, "torch": torch})


def test_objects_as_text():
    shared = {"a": [1, 2]}
    inner = held(slot=3, own=shared)
    value = held(slot=inner, inner=inner, shared=shared, order=collections.OrderedDict(a=1), point=Point(1, inner))
    value.__dict__["no name"] = (1.5, {2, 3})
    text = stored_values.expression(value)
    made = again(text)
    assert type(made) is Holder and made.slot is made.inner and made.point == (1, made.inner)
    assert type(made.point) is Point and made.shared is made.inner.own == shared and made.inner.slot == 3
    assert made.order == value.order and type(made.order) is collections.OrderedDict
    assert made.__dict__["no name"] == (1.5, {2, 3}) and made.__dict__.keys() == value.__dict__.keys()
    assert type(again(stored_values.expression(held(Loud, n=2)))) is Loud


def test_ordered_dictionaries_are_shared_only_where_the_program_shares_them():
    one = collections.OrderedDict(a=1)
    orders = {f"o{number}": collections.OrderedDict(a=number) for number in range(50)}
    orders["own"] = one
    value = held(inner=held(order=one), **orders, **{f"d{number}": {} for number in range(50)})
    text = stored_values.expression(value)
    made = again(text)
    assert made.inner.order is made.own and text.count("replay.again") == 1
    assert {name: getattr(made, name) for name in orders} == orders


def test_default_dictionaries_and_weak_references_as_text():
    key = torch.nn.Parameter(torch.ones(2))
    value = held(state=collections.defaultdict(dict, {key: {"n": 1}}), params=[key], ref=weakref.ref(key))
    made = again(stored_values.spelled({"": value}, stored_values.CALL_LIMIT)[""])
    assert type(made.state) is collections.defaultdict and made.state.default_factory is dict
    assert [*made.state] == [*made.params] and made.state[made.params[0]] == {"n": 1} and made.ref() is made.params[0]
    unnamed = again(stored_values.expression(collections.defaultdict(lambda: 0, a=1)))
    assert unnamed == {"a": 1} and "missing .default_factory" in repr(unnamed.default_factory)
    dead = weakref.ref(torch.ones(1))
    assert again(stored_values.expression(dead))() is None


def decorated_twice(function):
    @functools.wraps(function)
    def twice(x):
        return function(function(x))

    return twice


@decorated_twice
@decorated_twice
def plus_two(x):
    return x + 2


def test_functions_inside_decorators_as_text():
    for function in (plus_two, plus_two.__wrapped__.__wrapped__):
        assert again(stored_values.expression(function)) is function
    assert stored_values.expression(plus_two.__wrapped__) is None  # its code has the name of the outer decorator's


def test_objects_without_a_source_are_named_in_their_place():
    value = held(lock=threading.Lock(), items={"a": [iter(())]}, n=2)
    value.me = value
    value.items["b"] = value.items
    made = again(stored_values.source_or_placeholder("self", value))
    placeholders = [repr(made.lock), repr(made.items["a"][0]), repr(made.me), repr(made.items["b"]), made.n]
    assert placeholders == [
        "<missing self.lock: a live _thread.lock>",
        "<missing self.items['a']: a live tuple_iterator>",
        f"<missing self.me: a live {__name__}.Holder>",
        "<missing self.items['b']: a live dict>",
        2,
    ]


def test_objects_with_state_outside_their_attributes_have_no_source():
    for value in (
        threading.Lock(),
        type("Local", (), {})(),
        Dying(),
        collections.Counter(a=1),
        threading.Thread(),
        object(),
    ):
        assert stored_values.expression(value) is None, value


def test_object_that_is_too_large():
    text = stored_values.source_or_placeholder("self", held(numbers=list(range(100_000))))
    assert text.endswith("Holder, too large for this file')")


def test_expressions_with_line_breaks():
    long = ", ".join(f"x{i}=replay.tensor((3, {i}), (1, 1), torch.float32, 'cpu')" for i in range(3))
    made = f"replay.made('a.B, (', {long}, s='it\\'s, [', t=(replay.missing('a', \"b'\"),))"
    text = f"('0/0', lambda: (({made},), {{}}, {{}}))"
    lines = over_lines(text, 8)
    assert ast.dump(ast.parse(lines)) == ast.dump(ast.parse(text))
    assert max(map(len, lines.split("\n"))) <= 120 and len(lines.split("\n")) > 5
    assert over_lines("(1, 2)", 0) == "(1, 2)"
