# SPDX-License-Identifier: MIT
"""`stages`: what a program is at each step of torch.compile, from its source to the kernels.

Watches one call with a `prepare_debug` session of its own and hands over what it wrote. Invariant: a text is the one
that a dump has, to the letter; a stage that runs runs that text alone. It compiles nothing itself, changes no
`.grad`, and leaves no file.
"""

from __future__ import annotations

import dataclasses
import html
import importlib.util
import inspect
import itertools
import sys
import tempfile
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import torch

from depyf.decompilation.api import decompile
from depyf.torch.capture.bytecode import recompiled_code
from depyf.torch.capture.caches import functions_of
from depyf.torch.capture.route import NotCompiled, target_of
from depyf.torch.internals import autograd, cache_entries
from depyf.torch.internals.stable_names import stable_code
from depyf.torch.model import Execution, Run, Stage
from depyf.torch.model.record import Entry, Graph
from depyf.torch.model.table import aligned, html_table, rich_table
from depyf.torch.model.titles import STAGE_OF
from depyf.torch.session import Session

if TYPE_CHECKING:
    from rich.table import Table


_STEPS = [*Stage][: [*Stage].index(Stage.KERNELS) + 1]
_numbers = itertools.count()


@dataclass(frozen=True, repr=False)
class ProgramStage:
    """One frame at one step. Prints as its text.

    Attributes:
        kind: The step.
        frame: Name of the frame's function; of what continues after a graph break, with the line where it does.
        compile_id: Of the frame's cache entry, as torch prints it.
        text: Python, or for the source what `inspect.getsource` gives; as in the dump's file.
        verdict: Of decompiled text how sure it is; "" for what torch printed itself.

    Examples:
        >>> import depyf, torch
        >>> steps = depyf.stages(torch.compile(lambda x: x.sin() + 1, backend="eager"), torch.ones(2))
        >>> steps.captured.kind
        <Stage.CAPTURED: 'captured'>
        >>> [round(value.item(), 3) for value in steps.captured(torch.zeros(1))]
        [1.0]

    """

    kind: Stage
    frame: str
    compile_id: str
    text: str
    verdict: str = ""
    _runner: Callable[..., Any] | None = field(default=None, compare=False)

    @property
    def runs(self) -> bool:
        """Whether the stage may be called: what takes the values of a symbolic size or a joint graph does not."""
        return self._runner is not None

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Run the text.

        Source and transformed code take the arguments of the frame; a graph and a file of kernels take the graph's
        inputs in order, as its `forward` or `call` lists them (parameters are inputs from Dynamo on).

        Raises:
            TypeError: The stage does not run; see `runs`.

        """
        if self._runner is None:
            raise TypeError(f"the {self.kind.value} stage of {self.frame} [{self.compile_id}] does not run")
        return self._runner(*args, **kwargs)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        runs = "runs" if self.runs else "does not run"
        return f"<{self.kind.value} of {self.frame} [{self.compile_id}]: {_lines(self.text)} lines, {runs}>"

    def _repr_html_(self) -> str:
        """The text under its title, for notebooks."""
        return f"<h4>{html.escape(repr(self)[1:-1])}</h4><pre>{html.escape(self.text)}</pre>"

    def __rich__(self) -> Any:
        """The text with colours, for rich's terminals."""
        from rich.syntax import Syntax

        return Syntax(self.text, "python", line_numbers=True)


class Stages(Sequence[ProgramStage]):
    """All stages of one call, frame by frame, each frame's from source to kernels. Prints as a table.

    Attributes:
        result: What the call returned. Its backward pass has been run.
        run: The facts of the call: guards, graph breaks, symbols, times.

    Examples:
        >>> import depyf, torch
        >>> steps = depyf.stages(torch.compile(lambda x: x.sin() + 1, backend="eager"), torch.ones(2))
        >>> [stage.kind.value for stage in steps]
        ['source', 'transformed', 'captured']
        >>> steps.of(depyf.Stage.KERNELS)
        ()

    """

    def __init__(self, stages: Sequence[ProgramStage], result: Any, run: Run) -> None:
        self._stages = tuple(stages)
        self.result = result
        self.run = run

    @overload
    def __getitem__(self, index: int) -> ProgramStage: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[ProgramStage, ...]: ...
    def __getitem__(self, index: int | slice) -> ProgramStage | tuple[ProgramStage, ...]:
        return self._stages[index]

    def __len__(self) -> int:
        return len(self._stages)

    def __iter__(self) -> Iterator[ProgramStage]:
        return iter(self._stages)

    def of(self, kind: Stage | str) -> tuple[ProgramStage, ...]:
        """The stages of one kind, in order: several where there are several frames or graphs."""
        wanted = Stage(kind)
        return tuple(stage for stage in self._stages if stage.kind is wanted)

    def __getattr__(self, name: str) -> ProgramStage:
        """`stages.captured`, `stages.post_grad`: the first stage of that kind."""
        try:
            kind = Stage(name.replace("_", "-"))
        except ValueError:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}") from None
        found = self.of(kind)
        if not found:
            there = ", ".join(dict.fromkeys(stage.kind.value for stage in self._stages))
            raise AttributeError(f"this call has no {kind.value} stage; it has {there}")
        return found[0]

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *(stage.kind.value.replace("-", "_") for stage in self._stages)})

    def _rows(self) -> list[tuple[str, ...]]:
        head = ("", "stage", "frame", "lines", "runs", "verdict")
        return [
            head,
            *(
                (
                    str(number),
                    stage.kind.value,
                    f"{stage.frame} [{stage.compile_id}]",
                    str(_lines(stage.text)),
                    "yes" if stage.runs else "no",
                    stage.verdict,
                )
                for number, stage in enumerate(self._stages)
            ),
        ]

    def __repr__(self) -> str:
        return "\n".join(aligned(self._rows()))

    def _repr_html_(self) -> str:
        """The table, for notebooks."""
        return html_table(self._rows())

    def __rich__(self) -> Table:
        """The table, for rich's terminals."""
        return rich_table(self._rows())


def stages(fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Stages:
    """Call a function once and give what it is at each step of torch.compile.

    Where the result requires a gradient, the backward pass is compiled too, by `torch.autograd.grad` of the result: no
    `.grad` changes. The result's graph is used up by that, as by `backward()`: to train, call the function again.

    Args:
        fn: What `torch.compile` made, with any backend; anything else is compiled with the default backend.
        *args: The arguments of the call.
        **kwargs: Its named arguments.

    Returns:
        The stages in order: for each frame that was compiled source, transformed code, captured graph, joint graph,
        forward and backward graph, graphs after Inductor's passes and kernels, those of them that the backend makes.

    Raises:
        NotCompiled: The call compiled nothing: an earlier entry takes it (`torch.compiler.reset()` drops those), or
            torch skips the frame. What the function itself raises is raised.

    Examples:
        >>> import depyf, torch
        >>> double = torch.compile(lambda x: x * 2, backend="aot_eager")
        >>> steps = depyf.stages(double, torch.ones(2, requires_grad=True))
        >>> [stage.kind.value for stage in steps]
        ['source', 'transformed', 'captured', 'joint', 'forward', 'backward']
        >>> steps.source(3)
        6

    """
    compiled = fn if _is_compiled(fn) else torch.compile(fn)
    with tempfile.TemporaryDirectory(prefix="depyf-stages-", ignore_cleanup_errors=True) as folder:
        session = Session(folder, Execution.ORIGINAL, False, report=False)
        with session:
            start = autograd.latest_number()
            result = compiled(*args, **kwargs)
            _compile_backward(result, start)
        if not session.record.entries or session.run is None:
            raise NotCompiled(
                f"the call of {getattr(fn, '__name__', fn)!s} compiled nothing: an earlier entry takes it "
                "(torch.compiler.reset() drops those), or torch runs it eagerly"
            )
        record = session.record
        found = [
            replace(stage, frame=record.name_of(entry.compile_id)) if entry.is_resume else stage
            for entry in record.entries
            for stage in _of_entry(entry, record.graphs)
        ]
        return Stages(found, result, session.run)


def _lines(text: str) -> int:
    return len(text.splitlines())


def _is_compiled(fn: Any) -> bool:
    called = fn.forward if isinstance(fn, torch.nn.Module) else fn
    return target_of(fn).wrapper is not None or cache_entries.is_compiled_wrapper(called)


def _compile_backward(result: Any, start: int) -> None:
    """Runs the backward pass of what the call did, from ones, as `backward()` does: the graph is used up.

    With `retain_graph` AOTAutograd would compile another backward graph than for `backward()`, and cache it.
    """
    outputs = [tensor for tensor in _tensors(result) if autograd.is_made_since(start, tensor.grad_fn)]
    waiting = [tensor.grad_fn for tensor in outputs]
    seen: set[Any] = set()
    ends = []  # where the call's own part of the graph ends: at leaves, and at what its arguments come from
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        for following, output in node.next_functions:
            if autograd.is_made_since(start, following):
                waiting.append(following)
            elif following is not None:
                ends.append(torch.autograd.graph.GradientEdge(following, output))
    if ends:
        torch.autograd.grad(outputs, [*dict.fromkeys(ends)], [torch.ones_like(o) for o in outputs], allow_unused=True)


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    """The tensors of a result: of tuples, lists, dictionaries and dataclasses in it too."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, Mapping):
        yield from (tensor for item in value.values() for tensor in _tensors(item))
    elif isinstance(value, tuple | list):
        yield from (tensor for item in value for tensor in _tensors(item))
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield from _tensors([getattr(value, f.name) for f in dataclasses.fields(value)])


def _of_entry(entry: Entry, graphs: Sequence[Graph]) -> list[ProgramStage]:
    found = [stage for stage in (_source(entry), _transformed(entry)) if stage is not None]
    own = [graph for graph in graphs if graph.compile_id == entry.compile_id and not graph.is_abandoned]
    steps = [(STAGE_OF[graph.kind], graph) for graph in own if STAGE_OF.get(graph.kind) in _STEPS]
    for kind, graph in sorted(steps, key=lambda step: _STEPS.index(step[0])):
        text = graph.path.read_text("utf-8")
        runner = _module_call(text) if kind is Stage.KERNELS else _graph_call(text)
        found.append(
            ProgramStage(kind, entry.name, entry.compile_id, text, "", None if kind is Stage.JOINT else runner)
        )
    return found


def _source(entry: Entry) -> ProgramStage | None:
    code = entry.original() if entry.original is not None else None
    if code is None:
        return None
    function = functions_of([code]).get(id(code))
    try:
        text = inspect.getsource(code)
    except (OSError, TypeError):
        return None
    return ProgramStage(Stage.SOURCE, entry.name, entry.compile_id, text, "", None if entry.is_resume else function)


def _transformed(entry: Entry) -> ProgramStage | None:
    code = entry.running() if entry.running is not None else None
    if code is None or not entry.text:
        return None
    runner = None
    original = entry.original() if entry.original is not None else None
    function = functions_of([original]).get(id(original)) if original is not None else None
    text = decompile(stable_code(code))
    if function is not None and text.verdict.holds:
        again = recompiled_code(text, code)
        if again is not None and again.co_freevars == function.__code__.co_freevars:
            runner = types.FunctionType(
                again, function.__globals__, function.__name__, function.__defaults__, function.__closure__
            )
            runner.__kwdefaults__ = function.__kwdefaults__
    return ProgramStage(Stage.TRANSFORMED, entry.name, entry.compile_id, entry.text, entry.verdict, runner)


def _loaded(text: str) -> dict[str, Any]:
    """The names of a dumped file, which is imported under a name of its own: kernels find their module by it."""
    name = f"depyf_stage_{next(_numbers)}"
    with tempfile.TemporaryDirectory(prefix="depyf-stage-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / f"{name}.py"
        path.write_text(text, "utf-8")
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
        finally:
            sys.modules.pop(name, None)
    return vars(module)


def _graph_call(text: str) -> Callable[..., Any] | None:
    """Runs a graph's file on inputs; None where the file has no script (a graph that text cannot hold)."""
    if "\ndef instance():\n" not in text:
        return None
    boxed = "graph.forward(inputs(" in text  # it takes them as one list

    def run(*inputs: Any) -> Any:
        graph = _loaded(text)["instance"]()
        return graph.forward(list(inputs)) if boxed else graph.forward(*inputs)

    return run


def _module_call(text: str) -> Callable[..., Any] | None:
    """Runs a file of Inductor's on inputs."""
    if "\ncall = " not in text and "\ndef call(" not in text:
        return None

    def run(*inputs: Any) -> Any:
        return _loaded(text)["call"](list(inputs))

    return run
