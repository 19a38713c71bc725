# SPDX-License-Identifier: MIT
"""Runs a program under depyf with one private name of torch removed, or one event of its trace renamed.

``moved_names.py FOLDER KIND NAME...`` prints one line of JSON per name. KIND is `hidden` (depyf's lookup of the name
fails), `deleted` (the name is removed from torch itself, if torch runs without it) or `renamed` (an event is renamed).
"""

from __future__ import annotations

import contextlib
import json
import logging
import sys
import types
from pathlib import Path

import depyf
import torch
import torch._inductor.compile_fx
import torch._inductor.config
import torch._inductor.debug  # a problem with its names is reported where it is imported
from depyf.torch.internals import fx, names

EVENTS = {  # the events that this program causes and depyf reads
    "eager": ("dynamo_start", "dynamo_output_graph", "dynamo_cpp_guards_str", "compilation_metrics", "create_symbol",
              "chromium_event", "artifact", "artifact dynamo_graph_break_reason", "artifact recompile_reasons", "str"),
    "aot_eager": ("aot_joint_graph", "aot_forward_graph", "aot_backward_graph"),
    "inductor": ("inductor_output_code", "artifact inductor_post_grad_graph", "artifact before_pre_grad_graph"),
    "ddp": ("optimize_ddp_split_graph", "optimize_ddp_split_child"),
}  # fmt: skip


def program(backend="eager"):
    """Runs functions with a graph break, a recompile and a backward pass, and returns their results."""
    torch._dynamo.reset()
    scale = torch.arange(1.0, 4.0, requires_grad=True)

    def broken(x):
        y = torch.sin(x) * scale
        torch._dynamo.graph_break()
        return (y + x).sum(0)

    if backend == "ddp":
        return split()
    function = torch.compile(broken, backend=backend)
    results = [function(torch.full((n, 3), 0.5)).detach() for n in (2, 4)]
    loss = function(torch.ones(2, 3)).sum()
    loss.backward()
    return function, [*results, loss.detach(), scale.grad]


def split():
    """Returns the results of a graph that DistributedDataParallel splits into the buckets reduced together."""
    from torch._dynamo.backends.distributed import DDPOptimizer

    torch.manual_seed(0)
    layers = torch.nn.Sequential(*(torch.nn.Linear(512, 512) for _ in range(3)))
    optimizer = DDPOptimizer(bucket_bytes_cap=2 << 20, backend_compile_fn=lambda graph, _: graph.forward)
    function = torch.compile(lambda x: layers(x).sum(0), backend=optimizer.compile_fn)
    return function, [function(torch.ones(2, 512)).detach()]


def ask(function):
    """Asks all questions about FUNCTION; they may find no entry."""
    answers = []
    for question in (
        lambda: depyf.which_entry(function, torch.ones(2, 3)),
        lambda: depyf.entries(function),
        lambda: depyf.full_code(function)(torch.ones(2, 3)).sum(),
    ):
        try:
            answers.append(question())
        except LookupError as error:  # NotCompiled, NoEntryFits
            answers.append(error)
    return answers


def compile_ahead():
    """Returns a function that was compiled ahead of time."""
    function = torch.compile(torch.sin, fullgraph=True, backend="eager")
    return function.aot_compile(((torch.ones(2),), {}))(torch.ones(2))


def violate():
    """Fails to compile: a size is compared with less than the range that it is marked with."""
    marked = torch.ones(6)
    torch._dynamo.mark_dynamic(marked, 0, min=2, max=32)
    with contextlib.suppress(Exception):
        torch.compile(lambda x: x + 1 if x.shape[0] > 8 else x, backend="eager")(marked)


def watched(folder, backend="eager", ahead=False):
    """Runs the program under depyf, and returns its results and what the index says is missing.

    Functions that were compiled before the block are asked about too. If AHEAD, one is compiled ahead of time.
    """
    torch._dynamo.reset()
    early = torch.compile(lambda x: x + 1, backend="eager" if backend == "ddp" else backend)
    early(torch.ones(2, 3))
    names._missing.clear()
    names._looked_up.clear()
    fx.dtype_names.cache_clear()
    with depyf.prepare_debug(folder, provenance=True):
        assert not ahead or torch.equal(compile_ahead(), torch.ones(2).sin())
        with torch.device("cpu"), contextlib.suppress(LookupError):  # a function mode whose entry nobody saw compiled
            depyf.which_entry(early, torch.ones(2, 3))
        ask(early)
        violate()
        function, results = program(backend)
        ask(function)
    ask(function)
    index = json.loads((folder / "index.json").read_text())
    markdown = (folder / "index.md").read_text()
    said = [f"{p['what']}: {p['error']}" for p in index["problems"]] + list(index["missing_capabilities"].values())
    assert all(line in markdown for line in said)
    return results, said


@contextlib.contextmanager
def hidden(name):
    """Makes depyf's lookups of NAME fail."""
    lookups = ("_at_path", "_attribute", "_variable", "_has_variable")
    originals = {lookup: getattr(names, lookup) for lookup in lookups}

    def at_path(path):
        if path == name:
            raise AttributeError(path)
        return originals["_at_path"](path)

    def attribute(value, asked):
        if asked == name:
            raise AttributeError(asked)
        return originals["_attribute"](value, asked)

    def variable(local, asked):
        if asked == name:
            raise KeyError(asked)
        return originals["_variable"](local, asked)

    def has_variable(function, asked):
        return asked != name and originals["_has_variable"](function, asked)

    for lookup, replacement in zip(lookups, (at_path, attribute, variable, has_variable), strict=True):
        setattr(names, lookup, replacement)
    try:
        yield
    finally:
        for lookup, original in originals.items():
            setattr(names, lookup, original)


@contextlib.contextmanager
def deleted(name):
    """Deletes an attribute of torch."""
    holder, _, last = name.rpartition(".")
    owner = names._at_path(holder) if holder != "torch" else torch
    original = vars(owner).get(last)
    if original is None or isinstance(original, types.ModuleType):  # a module can still be imported
        raise AttributeError(name)
    delattr(owner, last)
    try:
        yield
    finally:
        setattr(owner, last, original)


@contextlib.contextmanager
def renamed(name):
    """Makes torch log an event under another name."""
    function = sys.modules["torch._logging._internal"].trace_structured
    code, keywords, defaults = function.__code__, function.__kwdefaults__, function.__defaults__
    unpatched = types.FunctionType(code, function.__globals__, code.co_name, defaults)
    unpatched.__kwdefaults__ = keywords
    event, _, artifact = name.partition(" ")

    def tell(given, metadata, payload, others):
        def told():
            found = dict(metadata())
            return {**found, "name": found["name"] + "_moved"} if found["name"] == artifact else found

        moved = given + "_moved" if given == event and not artifact else given
        return unpatched(moved, told if artifact and given == event else metadata, payload_fn=payload, **others)

    def template(name, metadata_fn=dict, *, payload_fn=lambda: None, **others):
        return __import__("sys").modules["moved_names_target"].tell(name, metadata_fn, payload_fn, others)

    target = types.ModuleType("moved_names_target")
    target.tell = tell
    sys.modules[target.__name__] = target
    function.__code__, function.__kwdefaults__, function.__defaults__ = (
        template.__code__,
        template.__kwdefaults__,
        template.__defaults__,
    )
    try:
        yield
    finally:
        function.__code__, function.__kwdefaults__, function.__defaults__ = code, keywords, defaults


def equal(one, other):
    return len(one) == len(other) and all(map(torch.equal, one, other))


def main(folder, kind, *wanted):
    taken = {"hidden": hidden, "deleted": deleted, "renamed": renamed}[kind]
    torch._inductor.config.force_disable_caches = kind == "renamed"  # torch logs fewer events of a cached graph
    known = {}  # backend -> the results without depyf, and what the index says is missing without a change
    for number, name in enumerate(wanted):
        backend = next((b for b, events in EVENTS.items() if name in events), "eager")
        if backend not in known:
            results, said = watched(folder / backend, backend)
            known[backend] = program(backend)[1], said
            assert equal(results, known[backend][0]), "depyf changes the program"
        expected, before = known[backend]
        line = {"name": name, "runs": True}
        if kind == "deleted":
            logger, handler = logging.getLogger("torch.__trace"), logging.NullHandler()
            logger.addHandler(handler)  # makes torch build the records of its trace, which may fail as well
            try:
                with taken(name):
                    line["runs"] = equal(program(backend)[1], expected)
            except BaseException as error:  # torch cannot run without the name
                line["runs"] = False
                line["error"] = repr(error)[:200]
            finally:
                logger.removeHandler(handler)
        if line["runs"]:
            try:
                with taken(name):
                    ahead = name.startswith(("AOTCompiledFunction.", "CompileArtifacts."))
                    results, said = watched(folder / str(number), backend, ahead)
                line["equal"] = equal(results, expected)
                line["said"] = [text for text in said if text not in before]
            except BaseException as error:
                import traceback

                line["raised"] = repr(error) + traceback.format_exc()[-1500:]
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
