# SPDX-License-Identifier: MIT
"""Runs one model of the zoo under depyf: reports what was compiled, and whether all of it is right.

There is one outcome per scenario: inference or training, unchanged or with a graph break in a nested module. Results
with depyf are compared bit for bit with those of torch.compile without it, with the same backend, state, inputs and
random numbers. Where the latter differ from eager by more than a tolerance (kernels round differently, and training
amplifies that), the outcome says so. Entries and verdicts of guards are compared with torch's own (`tools.agreement`).
Each model needs its own process, which `tools.zoo.workers` forks. Times are CPU times, on which other load of the
machine has little influence.
"""

from __future__ import annotations

import contextlib
import copy
import enum
import gc
import io
import os
import runpy
import shutil
import tempfile
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import depyf
import torch
from torch.utils import _pytree as pytree

from tools.agreement import compare
from tools.judges import torch_says
from tools.zoo import every_model

_TOLERANCE = {"rtol": 1e-3, "atol": 1e-3}  # Inductor sums in another order than eager kernels


@dataclass
class Outcome:
    """The outcome of one scenario. `problems` is empty if everything is right."""

    model: str
    suite: str
    stands_for: str
    successor: bool
    backend: str
    train: bool
    broken: str  # the module with the forced graph break, or ""
    frames: int = 0
    graphs: int = 0
    breaks: int = 0
    verdicts: dict[str, int] = field(default_factory=dict)
    files: int = 0
    scripts: int = 0
    held: int = 0  # cache entries of all frames that torch holds
    seen: int = 0  # those of them that depyf recorded
    asked: int = 0  # calls that were asked about: the model's own, and those of the frames that it enters
    guards: int = 0  # verdicts of guards that were compared with torch's for these calls
    hits: int = 0  # those of these calls that use an entry
    skipped: list[str] = field(default_factory=list)  # frames that torch runs eagerly, with the reasons
    full_code: int = 0  # entries from which the bound full code chose
    seconds_without: float = 0.0  # time of the first call, which compiles
    seconds_with: float = 0.0
    again_without: float = 0.0  # time of the second call
    again_with: float = 0.0
    mib_without: int = 0  # rise of the memory in the first call
    mib_with: int = 0
    torch: str = torch.__version__.partition("+")[0]
    itself: str = ""  # how torch.compile without depyf differs from eager
    problems: list[str] = field(default_factory=list)


class Subject:
    """A module, its inputs and its initial state."""

    def __init__(
        self, build: Callable[[], tuple[torch.nn.Module, dict[str, Any]]], train: bool, device: str = "cpu"
    ) -> None:
        torch.manual_seed(0)
        module, inputs = build()
        self.module = module.to(device)
        self.inputs = pytree.tree_map_only(torch.Tensor, lambda tensor: tensor.to(device), inputs)
        self.train = train
        self.module.train(train)
        self.state = copy.deepcopy(self.module.state_dict())

    def run(self, function: Callable[..., Any]) -> list[Any]:
        """Returns the outputs (and gradients, when training) of a call from the initial state, as a flat list."""
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

    def ask(self, compiled: Any) -> compare.Agreement:
        """Compares what depyf and torch say of another call of the compiled module, and of the frames it enters."""
        self.module.load_state_dict(self.state)
        with contextlib.nullcontext() if self.train else torch.no_grad():
            return compare.compare_call(compiled, (), copy.deepcopy(self.inputs), lambda: self.run(compiled))

    def called_modules(self) -> list[str]:
        """Returns the names of the nested modules in the order of their calls."""
        names: list[str] = []
        with contextlib.ExitStack() as hooks:
            for name, module in self.module.named_modules():
                handle = module.register_forward_pre_hook(lambda *_, name=name: names.append(name))
                hooks.callback(handle.remove)
            self.run(self.module)
        return [name for name in dict.fromkeys(names) if name]

    def break_inside(self) -> str:
        """Forces a graph break in a module in the middle, preferably a deeply nested one; returns its name."""
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
    """Returns the leaves of an output; for a model's output object, its fields in order."""
    if hasattr(output, "to_tuple"):
        output = output.to_tuple()
    leaves = pytree.tree_leaves(output)
    flat: list[Any] = []
    for leaf in leaves:
        flat += _values(leaf) if hasattr(leaf, "to_tuple") else [leaf]
    return [v for v in flat if isinstance(v, torch.Tensor | int | float | bool)]


def different(a: list[Any], b: list[Any], exact: bool = False) -> str | None:
    """Returns how two lists of results differ, or None; `exact`: compares bit for bit (NaNs are equal)."""
    tolerance = {"rtol": 0.0, "atol": 0.0} if exact else _TOLERANCE
    if len(a) != len(b):
        return f"{len(a)} values, not {len(b)}"
    for i, (x, y) in enumerate(zip(a, b, strict=True)):
        if isinstance(x, torch.Tensor) and isinstance(y, torch.Tensor):
            if x.shape != y.shape or x.dtype != y.dtype:
                return f"value {i}: {x.dtype} {tuple(x.shape)}, not {y.dtype} {tuple(y.shape)}"
            if torch.equal(x, y):
                continue
            wide = torch.complex128 if x.is_complex() else torch.float64
            wide_x, wide_y = x.detach().to(wide), y.detach().to(wide)
            if not torch.allclose(wide_x, wide_y, equal_nan=True, **tolerance):
                return f"value {i} differs by up to {(wide_x - wide_y).abs().max():.3g}"
        elif x != y:
            return f"value {i}: {x!r}, not {y!r}"
    return None


@contextlib.contextmanager
def _fresh_dynamo() -> Iterator[None]:
    torch._dynamo.reset()
    with torch._dynamo.config.patch(recompile_limit=64, accumulated_recompile_limit=1024):
        yield
    torch._dynamo.reset()


@dataclass
class Cost:
    """The cost of a block."""

    seconds: float = 0.0
    mib: int = 0


@contextlib.contextmanager
def _measured() -> Iterator[Cost]:
    """Measures the CPU time of this process and its children, and how far the resident memory rises in the block."""
    cost = Cost()
    gc.collect()
    with contextlib.suppress(OSError), open("/proc/self/clear_refs", "w") as stream:
        stream.write("5")  # resets the peak (Linux)
    before, start = _memory("VmRSS"), os.times()
    yield cost
    end = os.times()
    cost.seconds = sum(end[:4]) - sum(start[:4])
    cost.mib = max(0, _memory("VmHWM") - before) // 1024


def _memory(which: str) -> int:
    """Returns a line of /proc/self/status in KiB, or 0 on systems without it."""
    with contextlib.suppress(OSError), open("/proc/self/status") as stream:
        return next((int(line.split()[1]) for line in stream if line.startswith(which + ":")), 0)
    return 0


def _recompiled_in_place(subject: Subject, backend: str) -> tuple[list[Any], list[str]]:
    """Replaces every frame by its recompiled text, proved or not.

    Returns the results and what could not be replaced.
    """
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
    """Checks that every Python file compiles."""
    for file in sorted(folder.glob("*.py")):
        outcome.files += 1
        try:
            compile(file.read_text("utf-8"), str(file), "exec", dont_inherit=True)
        except SyntaxError as error:
            outcome.problems.append(f"{file.name} does not compile: {error}")


def check_scripts(folder: Path, outcome: Outcome) -> None:
    """Runs every graph file as a script, which checks the layout of its own outputs."""
    for file in sorted(folder.glob("*.py")):
        text = file.read_text("utf-8")
        last = text.rstrip().rpartition("\n")[2].strip()
        if last.startswith(("raise SystemExit('not ", 'raise SystemExit("not ')):
            outcome.problems.append(f"{file.name} as a script: {last[len('raise SystemExit(') : -1]}")
        if last != "raise SystemExit(main())":
            if "\ndef main():\n" in text:
                outcome.problems.append(f"{file.name} as a script: it does not end with the check of its result")
            continue
        outcome.scripts += 1
        output = io.StringIO()
        try:
            with contextlib.redirect_stdout(output):
                runpy.run_path(str(file), run_name="__main__")
        except SystemExit as stopped:
            if stopped.code:
                wrong = [line for line in output.getvalue().splitlines() if ", recorded: " in line]
                outcome.problems.append(f"{file.name} as a script: {stopped.code} {'; '.join(wrong)[:300]}")
        except Exception as error:
            outcome.problems.append(f"{file.name} as a script: {type(error).__name__}: {error}")


@dataclass(frozen=True)
class How:
    """Options of a measurement."""

    backend: str = "eager"
    device: str = "cpu"
    scripts: bool = True  # run every dumped graph file as a script
    times: bool = True  # also measure torch.compile without depyf, in scenarios without a forced graph break
    keep: bool = False  # the dumps are kept: add what the gallery needs


class Call(enum.Enum):
    """The number of a call. The second call may run other kernels, because torch uses the most recent entry."""

    FIRST = 1
    AGAIN = 2


# The way in which the results were computed, the call, and the values.
Results = list[tuple[str, Call, list[Any]]]


def scenario(name: str, how: How, train: bool, broken: bool, folder: Path) -> Outcome:
    """Runs one scenario; errors of torch and depyf become problems of the outcome."""
    model = every_model()[name]
    outcome = Outcome(name, model.suite, model.stands_for, model.successor, how.backend, train, "")
    try:
        with contextlib.ExitStack() as settings:
            _scenario(Subject(model.build, train, how.device), outcome, broken, folder, how, settings)
    except Exception as error:
        outcome.problems.append(f"{type(error).__name__}: {' '.join(str(error).split())[:300]}")
    return outcome


def _compiled(
    subject: Subject, outcome: Outcome, broken: bool, folder: Path, how: How
) -> tuple[dict[Call, list[Any]], Results]:
    """Returns the results of torch.compile without depyf, and all results with it."""
    # The first run also pays for what torch loads and caches. In inference that is the one without depyf, in training
    # not.
    alone = _without(subject, outcome) if not outcome.train else None
    results = _with(subject, outcome, folder)
    if alone is None:
        alone = _without(subject, outcome)
    if broken or not how.times:  # with a forced break, the caches were warm
        outcome.seconds_without, outcome.again_without, outcome.mib_without = 0.0, 0.0, 0
    return alone, results


def _fails_alone(subject: Subject, outcome: Outcome) -> None:
    """Records what torch.compile without depyf raises, if it does."""
    try:
        _without(subject, outcome)
    except Exception as error:
        outcome.itself = f"raises {type(error).__name__}"


def _scenario(
    subject: Subject, outcome: Outcome, broken: bool, folder: Path, how: How, settings: contextlib.ExitStack
) -> None:
    if broken:
        outcome.broken = subject.break_inside()
    expected = subject.run(subject.module)
    try:
        alone, results = _compiled(subject, outcome, broken, folder, how)
    except Exception:
        _fails_alone(subject, outcome)
        if not outcome.itself:
            raise
        shutil.rmtree(folder, ignore_errors=True)
        settings.enter_context(torch._dynamo.config.patch(automatic_dynamic_shapes=False))
        alone, results = _compiled(subject, outcome, broken, folder, how)
        outcome.itself += "; not with automatic_dynamic_shapes=False, which is what ran here"
    itself = different(alone[Call.FIRST], expected) or different(alone[Call.AGAIN], expected)
    if itself:
        outcome.itself = "; ".join(filter(None, (outcome.itself, itself)))
    for way, call, values in results:
        wrong = different(values, alone[call], exact=True)
        if wrong is not None:
            outcome.problems.append(f"{way}: {wrong}")
    check_files(folder, outcome)
    if how.scripts:
        check_scripts(folder, outcome)


def _without(subject: Subject, outcome: Outcome) -> dict[Call, list[Any]]:
    """Runs torch.compile without depyf."""
    with _fresh_dynamo():
        compiled = torch.compile(subject.module, backend=outcome.backend)
        with _measured() as cost:
            first = subject.run(compiled)
        outcome.seconds_without, outcome.mib_without = cost.seconds, cost.mib
        with _measured() as cost:
            again = subject.run(compiled)
        outcome.again_without = cost.seconds
    return {Call.FIRST: first, Call.AGAIN: again}


def _with(subject: Subject, outcome: Outcome, folder: Path) -> Results:
    """Runs with depyf: dumping in the default mode, the bound full code, and recompiled text in place."""
    results: Results = []
    with _fresh_dynamo():
        compiled = torch.compile(subject.module, backend=outcome.backend)
        session = depyf.prepare_debug(folder)
        with session, torch_says.EagerReasons() as reasons:
            with _measured() as cost:
                results.append(("with depyf", Call.FIRST, subject.run(compiled)))
            outcome.seconds_with, outcome.mib_with = cost.seconds, cost.mib
            with _measured() as cost:
                results.append(("with depyf, second call", Call.AGAIN, subject.run(compiled)))
            outcome.again_with = cost.seconds
        _compare_entries(subject, outcome, compiled, session.record, reasons)
        full = depyf.full_code(compiled)  # bound to the live graphs; it chooses the entry whose guards accept the call
        results.append(("full code", Call.AGAIN, subject.run(full)))
        outcome.full_code = len(full.entries)
        if full.calls_handed_to_torch or bool(outcome.full_code) != bool(torch_says.called(compiled).ids):
            outcome.problems.append(f"full code did not choose an entry: {full!r}")
    _note(session.record, outcome)
    with _fresh_dynamo(), tempfile.TemporaryDirectory() as other:
        compiled = torch.compile(subject.module, backend=outcome.backend)
        with depyf.prepare_debug(other, execution="recompiled"):
            results.append(("with recompiled text in place", Call.FIRST, subject.run(compiled)))
        results.append(("with recompiled text in place, second call", Call.AGAIN, subject.run(compiled)))
    if any(kind not in ("exact", "proved") for kind in outcome.verdicts):
        with _fresh_dynamo():
            values, problems = _recompiled_in_place(subject, outcome.backend)
        outcome.problems += problems
        results.append(("with every frame recompiled, proved or not", Call.FIRST, values))
    return results


def _compare_entries(
    subject: Subject, outcome: Outcome, compiled: Any, record: Any, reasons: torch_says.EagerReasons
) -> None:
    """Compares entries and verdicts of guards with torch's; if there are none, torch must have given a reason."""
    agreement = compare.compare_record(record.entries)
    asked = subject.ask(compiled)
    agreement.add(asked)
    reports = record.statuses.items()
    outcome.skipped = [f"{key.partition('_')[2]}: {r.reason}" for key, r in reports if not r.uses_entries]
    outcome.held, outcome.seen, outcome.guards = agreement.entries, agreement.recorded, agreement.verdicts
    outcome.asked, outcome.hits = agreement.calls, agreement.hits
    outcome.problems += agreement.problems
    why = reasons.of(torch_says.called(compiled).code)
    if not (asked.hits or why):
        outcome.problems.append(f"no entry accepts the model's call, and torch gave no reason: {asked}")
    if not outcome.held and not why:
        outcome.problems.append("torch holds no entry, and gave no reason")


def _note(record: Any, outcome: Outcome) -> None:
    """Counts what a session recorded."""
    outcome.frames = len(record.entries)
    outcome.graphs = sum(g.kind == "Captured_Graph" for g in record.graphs)
    outcome.breaks = len(record.graph_breaks)
    for entry in record.entries:
        kind = entry.verdict_kind.value
        outcome.verdicts[kind] = outcome.verdicts.get(kind, 0) + 1
        if kind not in ("exact", "proved"):
            outcome.problems.append(f"{entry.name} [{entry.compile_id}]: {entry.verdict}")
    outcome.problems += [f"{p.what}: {p.error}" for p in record.problems]


def warm_up() -> None:
    """Makes torch import what any compilation needs, without computing anything, so that no thread is started."""
    with torch.device("meta"):
        module = torch.nn.Sequential(torch.nn.Linear(2, 2))
        torch.compile(module, backend="eager")(torch.empty(1, 2))
    torch._dynamo.reset()


def measure(name: str, how: How, base: Path) -> Iterator[Outcome]:
    """Runs all scenarios of a model in this process; the dumps are written to subfolders of `base`."""
    torch.set_num_threads(1)
    torch._inductor.config.fallback_random = True
    torch._inductor.config.compile_threads = 1
    if how.device != "cpu":  # sums in arbitrary order on the GPU would make results differ between runs
        os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8"
        torch.use_deterministic_algorithms(True, warn_only=True)
    for train in (False, True):
        for broken in (False, True):
            folder = base / name / f"{'training' if train else 'inference'}{'_broken' if broken else ''}"
            yield scenario(name, how, train, broken, folder)
