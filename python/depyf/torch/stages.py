# SPDX-License-Identifier: MIT
"""`stages`: the form of a program at each step of torch.compile, from its source to the kernels.

Observes one call with a `prepare_debug` session of its own, and returns the files that the session wrote. Invariant:
each text is exactly that of a dump, and calling a stage runs this text. It compiles nothing in addition, changes no
`.grad`, and leaves no files.
"""

from __future__ import annotations

import dataclasses
import html
import importlib.util
import inspect
import itertools
import linecache
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
from depyf.torch.model.location import Location
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
    """One frame at one step of the compilation. `str()` gives its text.

    Attributes:
        kind: The step.
        frame: The name of the frame's function; for a resume function, also the line at which it continues.
        compile_id: The compile id of the frame's cache entry, as torch prints it.
        text: The text of the dumped file. For the source, the result of `inspect.getsource`; if PyTorch compiles a
            wrapper of its own, as for partials and modules, the source of the function that the wrapper calls.
        verdict: The verdict of decompiled text; "" for text that torch printed.

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
        """Whether the stage can be called.

        The following cannot: joint graphs, graphs with values of symbolic sizes as inputs, graphs that text cannot
        represent, sources of resume functions, and transformed code whose verdict is neither `exact` nor `proved`.
        """
        return self._runner is not None

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Run the text.

        Args:
            *args: For source and transformed code, the arguments of the frame. For a graph or a file of kernels, the
                inputs in the order of its `forward` or `call`; parameters of modules are inputs, too.
            **kwargs: Keyword arguments of the frame.

        Returns:
            The result of the frame, graph or kernels.

        Raises:
            TypeError: The stage cannot be called; see `runs`.

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
        """Returns the text with a title, for notebooks."""
        return f"<h4>{html.escape(repr(self)[1:-1])}</h4><pre>{html.escape(self.text)}</pre>"

    def __rich__(self) -> Any:
        """Returns the text with syntax highlighting, for rich."""
        from rich.syntax import Syntax

        return Syntax(self.text, "python", line_numbers=True)


class Stages(Sequence[ProgramStage]):
    """All stages of one call, frame by frame, from source to kernels. `repr()` gives a table.

    The first stage of each kind is an attribute: `stages.captured`, `stages.post_grad`.

    Attributes:
        result: The return value of the call. Its backward pass has already been run.
        run: The facts about the call: guards, graph breaks, symbols, times.

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
        """Return the stages of one kind in order; there are several if the call has several frames or graphs.

        Args:
            kind: The kind, or its value as a string.

        Raises:
            ValueError: There is no such kind.

        """
        wanted = Stage(kind)
        return tuple(stage for stage in self._stages if stage.kind is wanted)

    def __getattr__(self, name: str) -> ProgramStage:
        """Returns the first stage of the kind that the attribute names."""
        try:
            kind = Stage(name.replace("_", "-"))
        except ValueError:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}") from None
        stages_of_kind = self.of(kind)
        if not stages_of_kind:
            kinds = ", ".join(dict.fromkeys(stage.kind.value for stage in self._stages))
            raise AttributeError(f"this call has no {kind.value} stage; it has {kinds}")
        return stages_of_kind[0]

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
        """Returns the table, for notebooks."""
        return html_table(self._rows())

    def __rich__(self) -> Table:
        """Returns the table, for rich."""
        return rich_table(self._rows())


def stages(fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Stages:
    """Call a function once, and return its form at each step of torch.compile.

    If the result requires a gradient, the backward pass is compiled, too, with `torch.autograd.grad` of the result, so
    that no `.grad` changes. Like `backward()`, this frees the autograd graph of the result; to train, call the function
    again.

    Args:
        fn: A function or module compiled with any backend; anything else is compiled with the default backend.
        *args: The arguments of the call.
        **kwargs: The keyword arguments of the call.

    Returns:
        The stages in order. For each compiled frame, these are the source, the transformed code, the captured graph,
        the joint graph, the forward and backward graphs, the graphs after Inductor's passes, and the kernels, as far
        as the backend produces them.

    Raises:
        NotCompiled: The call compiled nothing, because it used an existing entry (`torch.compiler.reset()` drops
            these), or because torch skips the frame.
        Exception: Whatever the function itself raises.

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
                f"the call of {getattr(fn, '__name__', fn)!s} compiled nothing: it used an existing entry "
                "(torch.compiler.reset() drops these), or torch runs it eagerly"
            )
        record = session.record
        all_stages = [
            replace(stage, frame=record.name_of(entry.compile_id)) if entry.is_resume else stage
            for entry in record.entries
            for stage in _of_entry(entry, record.graphs)
        ]
        return Stages(all_stages, result, session.run)


def _lines(text: str) -> int:
    return len(text.splitlines())


def _is_compiled(fn: Any) -> bool:
    called = fn.forward if isinstance(fn, torch.nn.Module) else fn
    return target_of(fn).wrapper is not None or cache_entries.is_compiled_wrapper(called)


def _compile_backward(result: Any, start: int) -> None:
    """Runs the backward pass of the call, with ones as gradients. Like `backward()`, this frees the autograd graph.

    With `retain_graph`, AOTAutograd would compile (and cache) a different backward graph than for `backward()`.
    """
    outputs = [tensor for tensor in _tensors(result) if autograd.is_made_since(start, tensor.grad_fn)]
    waiting = [tensor.grad_fn for tensor in outputs]
    seen: set[Any] = set()
    ends = []  # where the part of the graph that the call created ends: leaves, and the history of its arguments
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
    """Yields the tensors in a result, also inside tuples, lists, dictionaries and dataclasses."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, Mapping):
        yield from (tensor for item in value.values() for tensor in _tensors(item))
    elif isinstance(value, tuple | list):
        yield from (tensor for item in value for tensor in _tensors(item))
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield from _tensors([getattr(value, f.name) for f in dataclasses.fields(value)])


def _of_entry(entry: Entry, graphs: Sequence[Graph]) -> list[ProgramStage]:
    """Returns the stages of one entry, from its source to its kernels."""
    entry_stages = [stage for stage in (_source(entry), _transformed(entry)) if stage is not None]
    graphs_of_entry = [graph for graph in graphs if graph.compile_id == entry.compile_id and not graph.is_abandoned]
    steps = [(STAGE_OF[graph.kind], graph) for graph in graphs_of_entry if STAGE_OF.get(graph.kind) in _STEPS]
    for kind, graph in sorted(steps, key=lambda step: _STEPS.index(step[0])):
        text = graph.path.read_text("utf-8")
        runner = _module_call(text) if kind is Stage.KERNELS else _graph_call(text)
        entry_stages.append(
            ProgramStage(kind, entry.name, entry.compile_id, text, "", None if kind is Stage.JOINT else runner)
        )
    return entry_stages


def _source(entry: Entry) -> ProgramStage | None:
    """Returns the source of an entry's function, or of the one that PyTorch's wrapper calls; None if not available."""
    code = entry.original() if entry.original is not None else None
    if code is None:
        return None
    function = functions_of([code]).get(id(code))
    try:
        text = inspect.getsource(code) if not entry.wraps.function else _source_at(entry.wraps)
    except (OSError, TypeError):
        return None
    return ProgramStage(Stage.SOURCE, entry.name, entry.compile_id, text, "", None if entry.is_resume else function)


def _source_at(start: Location) -> str:
    """Returns the source of the function that begins at a line; raises OSError if it is not available."""
    lines = linecache.getlines(start.path)[start.line - 1 :] if start else []
    if not lines:
        raise OSError("source code not available")
    return "".join(inspect.getblock(lines))


def _transformed(entry: Entry) -> ProgramStage | None:
    """Returns the transformed code of an entry.

    Returns None if torch has dropped it. It runs only if its text is exact or proved.
    """
    code = entry.running() if entry.running is not None else None
    if code is None or not entry.text:
        return None
    runner = None
    original = entry.original() if entry.original is not None else None
    function = functions_of([original]).get(id(original)) if original is not None else None
    text = decompile(stable_code(code))
    if function is not None and text.verdict.holds:
        recompiled = recompiled_code(text, code)
        if recompiled is not None and recompiled.co_freevars == function.__code__.co_freevars:
            runner = types.FunctionType(
                recompiled, function.__globals__, function.__name__, function.__defaults__, function.__closure__
            )
            runner.__kwdefaults__ = function.__kwdefaults__
    return ProgramStage(Stage.TRANSFORMED, entry.name, entry.compile_id, entry.text, entry.verdict, runner)


def _loaded(text: str) -> dict[str, Any]:
    """Imports a dumped file under a unique module name, by which kernels find it, and returns its globals."""
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
    """Returns a function that runs the file of a graph; None if the file is not a script (text cannot represent it)."""
    if "\ndef instance():\n" not in text:
        return None
    boxed = "graph.forward(inputs(" in text  # `forward` takes one list of inputs

    def run(*inputs: Any) -> Any:
        graph = _loaded(text)["instance"]()
        return graph.forward(list(inputs)) if boxed else graph.forward(*inputs)

    return run


def _module_call(text: str) -> Callable[..., Any] | None:
    """Returns a function that runs a file of Inductor; None if the file has no `call`."""
    if "\ncall = " not in text and "\ndef call(" not in text:
        return None

    def run(*inputs: Any) -> Any:
        return _loaded(text)["call"](list(inputs))

    return run
