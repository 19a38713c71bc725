# SPDX-License-Identifier: MIT
"""Writes a dump again from its facts (`index.json`) and the texts from which it was made (`payloads.json`).

Invariant: only these two files of each process are read, so that each file is as the writers of this version of depyf
produce it, and identical if the version is the one that wrote the dump. For ranks, the name of their launch is read
from `ranks.json`, and the report in that folder shows all of them, like that of `depyf report`. Code objects that
`log_bytecode` dumped are not written, because they are not text.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from depyf.torch.internals import stable_names
from depyf.torch.model import facts
from depyf.torch.model.compilations import EagerFrame
from depyf.torch.model.facts import Run
from depyf.torch.model.folders import dumps_in
from depyf.torch.model.guard import guards_of
from depyf.torch.model.location import NOWHERE, Location
from depyf.torch.model.phases import seconds_outside
from depyf.torch.model.record import (
    Entry,
    FailedCompilation,
    Graph,
    GraphBreak,
    Problem,
    Recompile,
    RecompileReason,
    Record,
    Specialization,
    Symbol,
    UncompiledFrame,
)
from depyf.torch.model.titles import INDUCTOR_WRAPPERS
from depyf.torch.write import full_code, graph_texts, index_data, ownership, ranks, transformed
from depyf.torch.write.folder import DumpFolder
from depyf.torch.write.payloads import Payloads
from depyf.torch.write.provenance_comments import commented
from depyf.torch.write.report import report_html, sources_shown


def rewrite(dump: str | os.PathLike[str], folder: str | os.PathLike[str]) -> list[Path]:
    """Writes the files of a dump again, into another folder, including the dumps of ranks and processes in subfolders.

    Args:
        dump: A folder that `prepare_debug`, `depyf run` or `from_trace` has completely written.
        folder: The folder to write to; created if it does not exist. Files with the same names are replaced.

    Returns:
        The files written.

    Raises:
        OSError: The dump has no `index.json` or `payloads.json`, or the folder cannot be written.
        ValueError: One of the two has other content, or is from another version.

    Examples:
        >>> import depyf, torch
        >>> from depyf.torch.write.rewrite import rewrite
        >>> with depyf.prepare_debug("dump"):
        ...     result = torch.compile(lambda x: x + 1, backend="eager")(torch.ones(2))
        >>> written = rewrite("dump", "again")
        >>> all(file.read_text() == open(f"dump/{file.name}").read() for file in written)
        True

    """
    source, target = Path(dump), Path(os.path.abspath(os.fspath(folder)))
    runs = {path: Run.load(path) for path in dumps_in(source) or [source]}
    payloads_of = {path: Payloads.load(path, run) for path, run in runs.items()}  # before anything is written
    folders = {path: DumpFolder(target / path.relative_to(source)) for path in runs}
    for path, run in runs.items():
        dump_folder, payloads = folders[path], payloads_of[path]
        with stable_names.as_written(run.globals):
            record = restored(run, payloads, dump_folder.path)
            for name, content in texts(record, run, payloads):
                dump_folder.replace(dump_folder.path / name, content)
            if ownership.REPORT in (run.digests or {}):
                page = report_html(dump_folder.path, run.as_data(), sources_shown(path))
                dump_folder.replace(dump_folder.path / ownership.REPORT, page)
    comparison = ownership.listing(source / "ranks.json")
    written = ranks.write(target, comparison["run"]) if comparison is not None else set()
    return sorted(written.union(*(dump_folder.written for dump_folder in folders.values())))


def texts(record: Record, run: Run, payloads: Payloads) -> Iterator[tuple[str, str]]:
    """Yields name and content of each file except the report, which shows these files."""
    files: dict[str, str] = {}
    for graph in record.graphs:
        files[graph.path.name] = graph_texts.content(graph)
        files.update(zip(graph.native, (kernel.text for kernel in graph_texts.kernel_sources(graph.text)), strict=True))
    files.update(commented(record.graphs, lambda name: files[name]))
    for graph in record.graphs:
        files[graph.path.name] = graph_texts.completed(graph, record, files[graph.path.name])
    yield from files.items()
    for entry in (*record.entries, *record.failed_entries):
        if entry.path is not None:
            yield entry.path.name, transformed.content(entry)
    for key, name in index_data.full_code_files(run).items():
        yield name, full_code.FullCode(record, key).content()[0]
    yield "index.md", index_data.as_markdown(record, run)
    yield "index.json", run.as_json()
    if not payloads.is_empty:
        yield ownership.PAYLOADS, payloads.as_json()


def restored(run: Run, payloads: Payloads, folder: Path) -> Record:
    """Returns the record from which a run was made, with files in `folder`."""
    measured = round(run.compile_seconds - sum(seconds_outside(run.phases)), 6)
    record = Record(source=run.source, caches=dict(run.caches), measured_seconds=measured, program=run.program)
    _add_compilations(record, run)
    for graph in run.graphs:
        launches = tuple(kernel for kernel in run.kernels if kernel.file == graph.file)
        record.graphs.append(_graph(graph, launches, record, payloads, folder))
    record.entries = [_entry(e, payloads, folder) for e in run.entries]
    record.failed_entries = [_entry(e, payloads, folder) for e in run.failed_entries]
    for entry in (*record.entries, *record.failed_entries):
        entry.text = transformed.with_comments(entry, record) if entry.decompiled else ""
    record.statuses = dict(run.statuses)
    record.forgotten = {frame.key for frame in run.frames if frame.forgotten}
    record.uncompiled = {key: _eager(f, payloads.eager.get(key, "")) for key, f in run.eager_frames.items()}
    record.graph_breaks = [_break(b) for b in run.graph_breaks]
    record.recompiles = [Recompile(r.compile_id, [_reason(reason) for reason in r.reasons]) for r in run.recompiles]
    record.failures = [
        FailedCompilation(
            f.compile_id, f.name, _place(f.origin), f.kind, f.text, _place(f.location), f.effect, f.backend or ""
        )
        for f in run.failures
    ]
    record.symbolic_sizes = [
        Symbol(s.compile_id, s.name, s.source, s.value, s.range, _place(s.location)) for s in run.symbols
    ]
    record.specializations = [
        Specialization(s.compile_id, s.name, s.sources, s.value, s.reason, _place(s.location))
        for s in run.specializations
    ]
    record.cache_events, record.cuda_graph_skips = list(run.cache_events), list(run.cuda_graph_skips)
    record.cuda_graph_recordings = list(run.cuda_graph_recordings)
    record.problems = [Problem(p.what, p.error) for p in run.problems]
    record.phases, record.metrics = list(run.phases), dict(run.metrics)
    record.captures = dict(run.captures)
    return record


def _place(location: Location | None) -> Location:
    return location or NOWHERE


def _add_compilations(record: Record, run: Run) -> None:
    """Restores the tables of a record that have one value for each compilation."""
    for compilation in run.compilations:
        compile_id = compilation.compile_id
        tables: list[tuple[dict[str, Any], Any]] = [
            (record.starts, compilation.start),
            (record.names, compilation.name),
            (record.keys, compilation.key),
            (record.calls, compilation.stack),
            (record.callers, compilation.caller),
            (record.compiled_fns, compilation.compiled_fn),
        ]
        for table, value in tables:
            if value is not None:
                table[compile_id] = value
        if compilation.sizes:
            record.symbols[compile_id] = dict(compilation.sizes)


def _graph(
    fact: facts.Graph, launches: tuple[facts.Kernel, ...], record: Record, payloads: Payloads, folder: Path
) -> Graph:
    text = payloads.graphs.get(fact.file)
    if text is None:
        raise ValueError(f"{ownership.PAYLOADS} lacks the text of {fact.file}, which index.json lists")
    has_plan = fact.kind not in ("kernel", INDUCTOR_WRAPPERS)

    def registering(namespace: str, name: str) -> str | None:
        return payloads.operators.get(f"{namespace}::{name}")

    return Graph(
        fact.kind,
        fact.compile_id,
        folder / fact.file,
        runs=fact.is_what_runs,
        kernels=fact.kernels,
        native=fact.native_files,
        launches=launches,
        source_lines=fact.source_lines,
        text=text,
        boxed=payloads.boxed.get(fact.file, ""),
        frame=_place(fact.frame),
        called_as=fact.called_as or "",
        plan=graph_texts.planned(text, record.symbols.get(fact.compile_id, {}), registering) if has_plan else None,
        is_cached=fact.is_cached,
        is_abandoned=fact.is_abandoned,
    )


def _entry(fact: facts.CacheEntry, payloads: Payloads, folder: Path) -> Entry:
    code = fact.code
    return Entry(
        fact.compile_id,
        fact.name,
        fact.location,
        fact.backend or "",
        path=folder / fact.transformed_code if fact.transformed_code is not None else None,
        module=code.module,
        decompiled=payloads.code.get(fact.transformed_code or "", ""),
        has_breakpoints=code.has_breakpoints,
        bytecode=payloads.bytecode.get(fact.transformed_code or "", ""),
        verdict=fact.verdict,
        verdict_kind=fact.verdict_kind,
        lifetime_note=fact.lifetime_note or "",
        signature=code.signature,
        parameters=code.parameters,
        arguments=code.arguments,
        free_variables=code.free_variables,
        compiled_fn=code.compiled_fn,
        resume_fns=fact.resume_functions,
        resume_codes=dict(code.resume_codes),
        continues=dict(code.continues),
        eager_from=fact.eager_from or NOWHERE,
        modules=dict(code.modules),
        live_names=code.live_names,
        inputs=dict(fact.inputs),
        values=dict(code.values),
        free_values=dict(code.free_values),
        opaque=dict(code.opaque),
        on_stack=dict(code.on_stack),
        side_effects=fact.side_effects,
        guards=guards_of(fact),
        guards_known=fact.guards_known,
        failure=code.failure,
        code_key=code.key,
        dropped=fact.dropped,
        order=-code.rank,
        wraps=code.wraps if code.wraps is not None else NOWHERE,  # for a built-in function, only the name is known
    )


def _eager(frame: EagerFrame, text: str) -> UncompiledFrame:
    return UncompiledFrame(
        frame.name,
        frame.location,
        frame.signature,
        text,
        frame.verdict,
        frame.free_variables,
        frame.status,
        frame.arguments,
    )


def _break(graph_break: facts.GraphBreak) -> GraphBreak:
    return GraphBreak(
        list(graph_break.compile_ids),
        _place(graph_break.location),
        graph_break.reason,
        graph_break.explanation,
        graph_break.hints,
        graph_break.stack,
        graph_break.context,
        graph_break.page,
        graph_break.times,
        dict(graph_break.skips),
        _place(graph_break.inner),
    )


def _reason(failure: facts.GuardFailure) -> RecompileReason:
    return RecompileReason(
        failure.entry,
        failure.source,
        failure.what,
        failure.then,
        failure.now,
        _place(failure.location),
        failure.advice,
        failure.torch_text,
        failure.stack,
    )
