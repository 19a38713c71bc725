# SPDX-License-Identifier: MIT
"""One model of the zoo under depyf: what was compiled, and whether all of it is right.

One outcome a scenario (inference or training, as it is or with a graph break in a nested module). Results with depyf
are compared bit for bit with those of torch.compile without it, on the same backend, state, inputs and random numbers;
where these differ from eager by more than a tolerance (kernels round in another way, and training amplifies that), the
outcome says so. Entries and verdicts of guards are compared with torch's own (`tools.agreement`). Belongs into a
process of its own, which `tools.zoo.workers` forks; seconds are CPU seconds, so that what else the machine does counts
little.
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
    held: int = 0  # cache entries that torch holds of all frames
    seen: int = 0  # those of them that depyf recorded
    asked: int = 0  # calls asked about: the model's own, and those of the frames that it enters
    guards: int = 0  # verdicts of entries' guards compared with torch's for these calls
    hits: int = 0  # how many of these calls an entry takes
    skipped: list[str] = field(default_factory=list)  # frames that torch runs eagerly, each with its reason
    full_code: int = 0  # entries that the bound full code chose among
    seconds_without: float = 0.0  # of the first call, which compiles
    seconds_with: float = 0.0
    again_without: float = 0.0  # of the second call
    again_with: float = 0.0
    mib_without: int = 0  # how far memory rose in the first call
    mib_with: int = 0
    torch: str = torch.__version__.partition("+")[0]
    itself: str = ""  # what torch.compile without depyf does in another way than eager
    problems: list[str] = field(default_factory=list)


class Subject:
    """A module, its inputs and its first state."""

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

    def ask(self, compiled: Any) -> compare.Agreement:
        """What depyf and torch say of one more call of the compiled module, and of the frames that it enters."""
        self.module.load_state_dict(self.state)
        with contextlib.nullcontext() if self.train else torch.no_grad():
            return compare.of_run(compiled, (), copy.deepcopy(self.inputs), lambda: self.run(compiled))

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


def different(a: list[Any], b: list[Any], exact: bool = False) -> str | None:
    """How two lists of results differ, or None; `exact`: bit for bit (any NaN is equal to any other)."""
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
            found, wanted = x.detach().to(wide), y.detach().to(wide)
            if not torch.allclose(found, wanted, equal_nan=True, **tolerance):
                return f"value {i} differs by up to {(found - wanted).abs().max():.3g}"
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
    """What a block took."""

    seconds: float = 0.0
    mib: int = 0


@contextlib.contextmanager
def _measured() -> Iterator[Cost]:
    """CPU time of this process and its children, and how far resident memory rose above where it began."""
    cost = Cost()
    gc.collect()
    with contextlib.suppress(OSError), open("/proc/self/clear_refs", "w") as stream:
        stream.write("5")  # the peak starts anew (Linux)
    before, start = _memory("VmRSS"), os.times()
    yield cost
    end = os.times()
    cost.seconds = sum(end[:4]) - sum(start[:4])
    cost.mib = max(0, _memory("VmHWM") - before) // 1024


def _memory(which: str) -> int:
    """KiB, or 0 where the system does not say."""
    with contextlib.suppress(OSError), open("/proc/self/status") as stream:
        return next((int(line.split()[1]) for line in stream if line.startswith(which + ":")), 0)
    return 0


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


def check_scripts(folder: Path, outcome: Outcome) -> None:
    """Every graph file runs as a script and gives outputs of the recorded layout, which the script itself checks."""
    for file in sorted(folder.glob("*.py")):
        text = file.read_text("utf-8")
        last = text.rstrip().rpartition("\n")[2].strip()
        if last.startswith(("raise SystemExit('not ", 'raise SystemExit("not ')):
            outcome.problems.append(f"{file.name} as a script: {last[len('raise SystemExit(') : -1]}")
        if last != "raise SystemExit(main())":
            if "\ndef main():\n" in text:
                outcome.problems.append(f"{file.name} as a script: it does not end in its own result")
            continue
        outcome.scripts += 1
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said):
                runpy.run_path(str(file), run_name="__main__")
        except SystemExit as stopped:
            if stopped.code:
                wrong = [line for line in said.getvalue().splitlines() if ", recorded: " in line]
                outcome.problems.append(f"{file.name} as a script: {stopped.code} {'; '.join(wrong)[:300]}")
        except Exception as error:
            outcome.problems.append(f"{file.name} as a script: {type(error).__name__}: {error}")


@dataclass(frozen=True)
class How:
    """What to do beyond what is always done."""

    backend: str = "eager"
    device: str = "cpu"
    scripts: bool = True  # run every dumped graph file as a script
    times: bool = True  # also run torch.compile without depyf, for the comparison, where no graph break is forced
    keep: bool = False  # the dumps stay: add to them what the gallery needs


class Call(enum.Enum):
    """Which call of a compiled model. What runs again may run other kernels: torch takes the entry it used last."""

    FIRST = 1
    AGAIN = 2


# What gave them, the call and the values.
Results = list[tuple[str, Call, list[Any]]]


def scenario(name: str, how: How, train: bool, broken: bool, folder: Path) -> Outcome:
    """Runs one scenario; never raises for what torch or depyf do."""
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
    """Results of torch.compile alone; and all results with it, by name."""
    # What comes first also pays for what torch loads and remembers: inference has it alone first, training last.
    alone = _without(subject, outcome) if not outcome.train else None
    results = _with(subject, outcome, folder)
    if alone is None:
        alone = _without(subject, outcome)
    if broken or not how.times:  # its caches were warm, or nobody asks
        outcome.seconds_without, outcome.again_without, outcome.mib_without = 0.0, 0.0, 0
    return alone, results


def _fails_alone(subject: Subject, outcome: Outcome) -> None:
    """Notes what torch.compile alone raises, if it does."""
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
    for what, call, found in results:
        wrong = different(found, alone[call], exact=True)
        if wrong is not None:
            outcome.problems.append(f"{what}: {wrong}")
    check_files(folder, outcome)
    if how.scripts:
        check_scripts(folder, outcome)


def _without(subject: Subject, outcome: Outcome) -> dict[Call, list[Any]]:
    """Results of torch.compile alone."""
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
    """With depyf: dumped in the default mode; the bound full code; recompiled text in place. Record and results."""
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
        full = depyf.full_code(compiled)  # bound to the live graphs, it takes the entry that fits
        results.append(("full code", Call.AGAIN, subject.run(full)))
        outcome.full_code = len(full.entries)
        if full.calls_handed_to_torch or bool(outcome.full_code) != bool(torch_says.called(compiled).ids):
            outcome.problems.append(f"full code compared nothing: {full!r}")
    _note(session.record, outcome)
    with _fresh_dynamo(), tempfile.TemporaryDirectory() as other:
        compiled = torch.compile(subject.module, backend=outcome.backend)
        with depyf.prepare_debug(other, execution="recompiled"):
            results.append(("with recompiled text in place", Call.FIRST, subject.run(compiled)))
        results.append(("with recompiled text in place, second call", Call.AGAIN, subject.run(compiled)))
    if any(kind not in ("exact", "proved") for kind in outcome.verdicts):
        with _fresh_dynamo():
            found, problems = _recompiled_in_place(subject, outcome.backend)
        outcome.problems += problems
        results.append(("with every frame recompiled, proved or not", Call.FIRST, found))
    return results


def _compare_entries(
    subject: Subject, outcome: Outcome, compiled: Any, record: Any, reasons: torch_says.EagerReasons
) -> None:
    """Compares entries and verdicts of guards with torch's own; where there are none, torch must have said why."""
    found = compare.of_record(record.entries)
    asked = subject.ask(compiled)
    found.add(asked)
    reports = record.statuses.items()
    outcome.skipped = [f"{key.partition('_')[2]}: {r.reason}" for key, r in reports if not r.uses_entries]
    outcome.held, outcome.seen, outcome.guards = found.entries, found.recorded, found.verdicts
    outcome.asked, outcome.hits = found.calls, found.hits
    outcome.problems += found.problems
    why = reasons.of(torch_says.called(compiled).code)
    if not (asked.hits or why):
        outcome.problems.append(f"no entry takes the model's call, and torch gave no reason: {asked}")
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
    """Has torch import what any compilation needs. Computes nothing, no gradients either: no thread is started."""
    with torch.device("meta"):
        module = torch.nn.Sequential(torch.nn.Linear(2, 2))
        torch.compile(module, backend="eager")(torch.empty(1, 2))
    torch._dynamo.reset()


def measure(name: str, how: How, base: Path) -> Iterator[Outcome]:
    """All scenarios of one model, in this process; dumps go below `base`."""
    torch.set_num_threads(1)
    torch._inductor.config.fallback_random = True
    torch._inductor.config.compile_threads = 1
    if how.device != "cpu":  # where a sum's order is left to the GPU, no two runs agree bit for bit
        os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8"
        torch.use_deterministic_algorithms(True, warn_only=True)
    for train in (False, True):
        for broken in (False, True):
            folder = base / name / f"{'training' if train else 'inference'}{'_broken' if broken else ''}"
            yield scenario(name, how, train, broken, folder)
