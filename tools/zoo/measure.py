# SPDX-License-Identifier: MIT
"""One model of the zoo under depyf, in a process of its own: what was compiled, and whether all of it is right.

Prints one JSON object a scenario (inference or training, as it is or with a graph break in a nested module). Reference
is the same module without torch.compile, on the same state, inputs and random numbers.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import io
import json
import resource
import runpy
import sys
import tempfile
import time
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import depyf
import torch
from torch.utils import _pytree as pytree

from tools.zoo import every_model

_TOLERANCE = {"rtol": 1e-3, "atol": 1e-3}  # Inductor sums in another order than eager kernels


@dataclass
class Outcome:
    """What one scenario gave. `problems` is empty when everything is as it should be."""

    model: str
    suite: str
    stands_for: str
    successor: bool
    backend: str
    train: bool
    broken: str  # the module with the forced graph break, "" if none
    frames: int = 0
    graphs: int = 0
    breaks: int = 0
    verdicts: dict[str, int] = field(default_factory=dict)
    files: int = 0
    scripts: int = 0
    seconds_without: float = 0.0
    seconds_with: float = 0.0
    peak_mib: int = 0
    problems: list[str] = field(default_factory=list)


class Subject:
    """A module, its inputs and its first state."""

    def __init__(self, build: Callable[[], tuple[torch.nn.Module, dict[str, Any]]], train: bool) -> None:
        torch.manual_seed(0)
        self.module, self.inputs = build()
        self.train = train
        self.module.train(train)
        self.state = copy.deepcopy(self.module.state_dict())

    def run(self, function: Callable[..., Any]) -> list[Any]:
        """Outputs (and gradients, when training) of one call from the first state, as a flat list."""
        self.module.load_state_dict(self.state)
        self.module.zero_grad()
        torch.manual_seed(1)
        inputs = copy.deepcopy(self.inputs)
        if not self.train:
            with torch.no_grad():
                return _values(function(**inputs))
        outputs = _values(function(**inputs))
        losses = [v.float().pow(2).mean() for v in outputs if isinstance(v, torch.Tensor) and v.requires_grad]
        torch.stack(losses).sum().backward()
        return outputs + [p.grad for p in self.module.parameters() if p.grad is not None]

    def called_modules(self) -> list[str]:
        """Names of the nested modules in the order of their calls."""
        names: list[str] = []
        with contextlib.ExitStack() as hooks:
            for name, module in self.module.named_modules():
                handle = module.register_forward_pre_hook(lambda *_, name=name: names.append(name))
                hooks.callback(handle.remove)
            self.run(self.module)
        return [name for name in dict.fromkeys(names) if name]

    def break_inside(self) -> str:
        """Forces a graph break in a module in the middle, the more deeply nested the better; its name."""
        names = self.called_modules()
        deep = [n for n in names if n.count(".") >= 2] or [n for n in names if "." in n] or names
        name = deep[len(deep) // 2]
        module = self.module.get_submodule(name)
        forward = module.forward

        def broken(_: torch.nn.Module, *args: Any, **kwargs: Any) -> Any:
            torch._dynamo.graph_break()
            return forward(*args, **kwargs)

        module.forward = types.MethodType(broken, module)
        return name


def _values(output: Any) -> list[Any]:
    """The leaves of an output; of a model's output object, its fields in order."""
    if hasattr(output, "to_tuple"):
        output = output.to_tuple()
    leaves = pytree.tree_leaves(output)
    flat: list[Any] = []
    for leaf in leaves:
        flat += _values(leaf) if hasattr(leaf, "to_tuple") else [leaf]
    return [v for v in flat if isinstance(v, torch.Tensor | int | float | bool)]


def different(a: list[Any], b: list[Any]) -> str | None:
    """How two lists of results differ, or None."""
    if len(a) != len(b):
        return f"{len(a)} values, not {len(b)}"
    for i, (x, y) in enumerate(zip(a, b, strict=True)):
        if isinstance(x, torch.Tensor) and isinstance(y, torch.Tensor):
            if x.shape != y.shape or x.dtype != y.dtype:
                return f"value {i}: {x.dtype} {tuple(x.shape)}, not {y.dtype} {tuple(y.shape)}"
            if not torch.allclose(
                x.detach().to(torch.float64), y.detach().to(torch.float64), equal_nan=True, **_TOLERANCE
            ):
                return f"value {i} differs by up to {(x.detach().double() - y.detach().double()).abs().max():.3g}"
        elif x != y:
            return f"value {i}: {x!r}, not {y!r}"
    return None


@contextlib.contextmanager
def _fresh_dynamo() -> Iterator[None]:
    torch._dynamo.reset()
    with torch._dynamo.config.patch(recompile_limit=64, accumulated_recompile_limit=1024):
        yield
    torch._dynamo.reset()


def _timed(subject: Subject, backend: str) -> tuple[list[Any], float]:
    start = time.perf_counter()
    results = subject.run(torch.compile(subject.module, backend=backend))
    return results, time.perf_counter() - start


def _recompiled_in_place(subject: Subject, backend: str) -> tuple[list[Any], list[str]]:
    """Results with every frame replaced by its recompiled text, proved or not, and what could not be."""
    problems: list[str] = []

    def replace(code: types.CodeType, new_code: types.CodeType) -> types.CodeType | None:
        try:
            return depyf.decompile(new_code).recompile().replace(co_name=new_code.co_name)
        except Exception as error:
            problems.append(f"{code.co_name} does not recompile: {type(error).__name__}: {error}")
            return None

    handle = torch._dynamo.convert_frame.register_bytecode_hook(replace)
    try:
        return subject.run(torch.compile(subject.module, backend=backend)), problems
    finally:
        handle.remove()


def check_files(folder: Path, outcome: Outcome) -> None:
    """Every Python file compiles."""
    for file in sorted(folder.glob("*.py")):
        outcome.files += 1
        try:
            compile(file.read_text("utf-8"), str(file), "exec", dont_inherit=True)
        except SyntaxError as error:
            outcome.problems.append(f"{file.name} does not compile: {error}")


def check_scripts(graphs: list[Any], outcome: Outcome) -> None:
    """Every graph file runs as a script and gives outputs of the recorded layout."""
    for graph in graphs:
        if graph.plan is None:
            continue
        outcome.scripts += 1
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said):
                runpy.run_path(str(graph.path), run_name="__main__")
        except SystemExit as stopped:
            if stopped.code != 0:
                outcome.problems.append(f"{graph.path.name} as a script: {stopped.code} {said.getvalue()[-300:]}")
        except Exception as error:
            outcome.problems.append(f"{graph.path.name} as a script: {type(error).__name__}: {error}")


def scenario(name: str, backend: str, train: bool, broken: bool, folder: Path, scripts: bool) -> Outcome:
    """Runs one scenario; never raises for what torch or depyf do."""
    model = every_model()[name]
    outcome = Outcome(name, model.suite, model.stands_for, model.successor, backend, train, "")
    try:
        _scenario(model.build, outcome, broken, folder, scripts)
    except Exception as error:
        outcome.problems.append(f"{type(error).__name__}: {' '.join(str(error).split())[:300]}")
    outcome.peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return outcome


def _scenario(
    build: Callable[[], tuple[torch.nn.Module, dict[str, Any]]],
    outcome: Outcome,
    broken: bool,
    folder: Path,
    scripts: bool,
) -> None:
    subject = Subject(build, outcome.train)
    if broken:
        outcome.broken = subject.break_inside()
    expected = subject.run(subject.module)
    with _fresh_dynamo():
        plain, outcome.seconds_without = _timed(subject, outcome.backend)
    wrong = different(plain, expected)
    if wrong is not None:
        outcome.problems.append(f"torch.compile itself, without depyf: {wrong}")
        expected = plain
    with _fresh_dynamo():
        session = depyf.prepare_debug(folder, hijack="recompile")
        start = time.perf_counter()
        with session:
            found = subject.run(torch.compile(subject.module, backend=outcome.backend))
        outcome.seconds_with = time.perf_counter() - start
        wrong = different(found, expected)
        if wrong is not None:
            outcome.problems.append(f"with recompiled text in place: {wrong}")
    record = session.record
    outcome.frames = len(record.entries)
    outcome.graphs = sum(g.kind == "Captured_Graph" for g in record.graphs)
    outcome.breaks = len(record.graph_breaks)
    for entry in record.entries:
        kind = entry.verdict.partition(" ")[0]
        outcome.verdicts[kind] = outcome.verdicts.get(kind, 0) + 1
        if kind not in ("exact", "proved"):
            outcome.problems.append(f"{entry.name} [{entry.compile_id}]: {entry.verdict}")
    outcome.problems += [f"{p.what}: {p.error}" for p in record.problems]
    if any(kind not in ("exact", "proved") for kind in outcome.verdicts):
        with _fresh_dynamo():
            found, problems = _recompiled_in_place(subject, outcome.backend)
            wrong = different(found, expected)
            outcome.problems += problems + ([f"unproved text in place: {wrong}"] if wrong is not None else [])
    check_files(folder, outcome)
    if scripts:
        check_scripts(record.graphs, outcome)


def main() -> int:
    """Measures one model; a line of JSON for each scenario."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("--backend", default="eager")
    parser.add_argument("--scripts", action="store_true", help="run every dumped graph file as a script")
    parser.add_argument("--keep", type=Path, help="keep the dumps below this folder")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch._inductor.config.fallback_random = True
    with tempfile.TemporaryDirectory() as temporary:
        base = options.keep or Path(temporary)
        for train in (False, True):
            for broken in (False, True):
                name = f"{'training' if train else 'inference'}{'_broken' if broken else ''}"
                folder = base / options.model / name
                done = scenario(options.model, options.backend, train, broken, folder, options.scripts)
                print("ZOO " + json.dumps(asdict(done)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
