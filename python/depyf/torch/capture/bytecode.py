# SPDX-License-Identifier: MIT
"""The bytecode hook: decompiles the code that Dynamo generated, writes it, and gives the running code its lines.

Invariant: Dynamo's own bytecode runs. Only file name, first line and line table change, so the worst effect of a wrong
decompilation is wrong lines. (With `execution="recompiled"`, exact or proved text runs instead.) The hook only records
facts; `session` catches its exceptions.
"""

from __future__ import annotations

import dis
import io
import linecache
import pickle
import sys
import types
import weakref
from collections.abc import Iterable, MutableMapping
from typing import Any

from torch.utils.weak import WeakIdKeyDictionary

from depyf.decompilation import api, closures, line_table, syntax
from depyf.decompilation.parameters import parameters_of
from depyf.decompilation.recompile import RECOMPILED
from depyf.decompilation.result import Decompiled
from depyf.torch.capture import frame_names, handed_on, snapshot
from depyf.torch.guards.functions import friendly_text
from depyf.torch.internals import cache_entries, dynamo, fx, texts
from depyf.torch.internals.stable_names import real_code, stable_code
from depyf.torch.model.compile_ids import OUTSIDE
from depyf.torch.model.enums import Execution
from depyf.torch.model.location import NOWHERE, Location
from depyf.torch.model.record import Entry, Record
from depyf.torch.write import graph_file, transformed
from depyf.torch.write.folder import DumpFolder, safe_name


class BytecodeHook:
    """Called by Dynamo with the original and the transformed code of each frame."""

    def __init__(self, folder: DumpFolder, record: Record, execution: Execution, log_bytecode: bool) -> None:
        self.folder = folder
        self.record = record
        self.execution = execution
        self.log_bytecode = log_bytecode
        self._keys: MutableMapping[types.CodeType, str] = WeakIdKeyDictionary()
        self.notes: list[str] = []  # files of `log_bytecode` that could not be written

    def on_code(self, code: types.CodeType, new_code: types.CodeType) -> types.CodeType | None:
        """Dumps a transformed frame; returns the code to run instead, or None."""
        compile_id = self.record.ids.name(dynamo.compile_id() or OUTSIDE)
        return self._on_frame(code, new_code, dynamo.frame_globals() or {}, compile_id)

    def on_function(self, code: types.CodeType, function: types.FunctionType, compile_id: str) -> Entry:
        """Dumps a function that was compiled ahead of time, for which Dynamo calls no bytecode hook."""
        replacement = self._on_frame(code, function.__code__, function.__globals__, compile_id)
        if replacement is not None:
            function.__code__ = replacement
        entry = self.record.entries[-1]
        entry.is_ahead_of_time = True
        return entry

    def _on_frame(
        self, code: types.CodeType, new_code: types.CodeType, scope: dict[str, Any], compile_id: str
    ) -> types.CodeType | None:
        entry = self._describe(code, new_code, scope, compile_id)
        self.record.entries.append(entry)
        replacement = self._write(entry, code, new_code, scope)
        entry.running = weakref.ref(new_code if replacement is None else replacement)
        return replacement

    def _write(
        self, entry: Entry, code: types.CodeType, new_code: types.CodeType, scope: dict[str, Any]
    ) -> types.CodeType | None:
        """Decompiles a transformed frame and writes its file; returns the code to run instead, or None."""
        decompiled = self._decompile(new_code, entry)
        template = f"__transformed_code_%s_for_{safe_name(code.co_name)}.py"
        points_here = self.execution is not Execution.ORIGINAL and not dynamo.packages_bytecode()
        entry.has_breakpoints = points_here and decompiled is not None and bool(decompiled.source_map)
        if decompiled is not None:
            entry.decompiled = str(decompiled)
            entry.text = transformed.with_comments(entry, self.record)
            if not decompiled.verdict.holds:  # otherwise the verification has compiled the text already
                reason = syntax.compiles(transformed.content(entry))
                entry.failure = f"the decompiled text does not compile ({reason})" if reason is not None else ""
        if entry.failure:
            entry.has_breakpoints, entry.bytecode = False, _listing(new_code)
        entry.path = self.folder.write_numbered(template, transformed.content(entry))
        if self.log_bytecode:
            self._dump_codes(entry, code, new_code, decompiled)
        self._mark_running_graph(entry, scope)
        unchanged = self.execution is Execution.ORIGINAL or dynamo.packages_bytecode()
        if decompiled is None or entry.failure or unchanged:
            return None
        return self._code_with_lines(new_code, entry, decompiled)

    def _describe(
        self, code: types.CodeType, new_code: types.CodeType, scope: dict[str, Any], compile_id: str
    ) -> Entry:
        """Returns an entry with the facts about a transformed frame that do not depend on its decompiled text."""
        names = new_code.co_names
        entry = Entry(
            compile_id,
            code.co_name,
            frame_names.start_of(code),
            cache_entries.backend_name(),
            order=len(self.record.entries),
        )
        entry.compiled_fn = next((n for n in names if texts.COMPILED_FN.match(n)), "")
        if entry.compiled_fn:
            self.record.compiled_fns[compile_id] = entry.compiled_fn
        entry.resume_fns = cache_entries.resume_names(new_code)
        entry.signature, entry.arguments = signature_of(code)
        entry.free_variables = code.co_freevars
        entry.module = str(scope.get("__name__", ""))
        entry.side_effects = tuple(map(friendly_text, cache_entries.side_effects(new_code)))
        entry.code_key = self.key_of(code)
        entry.original = weakref.ref(code)
        entry.on_stack = handed_on.expressions(code)
        entry.wraps = frame_names.wrapped_by(code, dynamo.frame_locals())
        live = []
        for name in names:
            if name not in scope:
                continue
            value = scope[name]
            if isinstance(value, types.ModuleType):
                entry.modules[name] = value.__name__
            elif name in entry.resume_fns:
                resume = cache_entries.resume_code(value)
                if resume is not None:
                    entry.resume_codes[name] = self.key_of(resume)
                    entry.continues[name] = frame_names.continues_at(resume)
                    handed_on.note(code, resume)
            elif name != entry.compiled_fn:
                live.append(name)
        entry.live_names = tuple(live)
        entry.eager_from = frame_names.eager_from(code, new_code) if not entry.resume_fns else NOWHERE
        return entry

    def key_of(self, code: types.CodeType) -> str:
        """Returns the key of a code object. Like Dynamo, it distinguishes code objects by identity."""
        if code not in self._keys:
            self._keys[code] = f"code{len(self._keys)}_{code.co_name}"
        return self._keys[code]

    def known_codes(self) -> list[tuple[types.CodeType, str]]:
        """Returns the code objects met so far that still exist, with their keys."""
        return list(self._keys.items())

    def _decompile(self, new_code: types.CodeType, entry: Entry) -> Decompiled | None:
        try:
            decompiled = api.decompile(stable_code(new_code))
        except Exception as error:
            entry.failure = f"{type(error).__name__}: {error}"
            entry.verdict = "not decompiled"
            return None
        entry.set_verification(decompiled)
        snapshot.of_text(entry, decompiled.context.opaque)
        return decompiled

    def _code_with_lines(self, new_code: types.CodeType, entry: Entry, decompiled: Decompiled) -> types.CodeType | None:
        """Returns code with the line numbers of the text, recompiled or line-mapped; None if there is none."""
        text, path = str(decompiled), str(entry.path)
        placed = transformed.placed(entry)
        places = [
            (offset, placed.moved(line_table.Location(line, column, end_line, end_column)))
            for index, offset, line, column, end_line, end_column in decompiled.source_map
            if index == 0 and line > 0
        ]
        first = placed.down + _definition_line(text)
        spans = line_table.spans_of_map(new_code, first, places, line_table.values_in(placed.content))
        code = None
        if self.execution is Execution.RECOMPILED and decompiled.verdict.holds:
            code = _recompiled(decompiled, new_code, path, placed)
        if code is None and decompiled.source_map:
            table = line_table.encode(spans, first)
            code = new_code.replace(co_filename=path, co_firstlineno=first, co_linetable=table)
        if code is not None:
            frame_names.program_lines[code] = _program_lines(new_code, spans)
            _read_lines(path)
        return code

    def _mark_running_graph(self, entry: Entry, scope: dict[str, Any]) -> None:
        """If the backend runs the captured graph as Python, gives the running code the lines of the dumped file."""
        graph = self.record.captured_graph(entry.compile_id)
        if graph is None or not entry.compiled_fn or entry.compiled_fn not in scope:
            return
        target = cache_entries.what_runs_graph(scope[entry.compiled_fn])
        owner = getattr(target, "__self__", target)
        if not hasattr(owner, "graph"):
            return
        function = getattr(target, "__func__", None) or getattr(type(owner), "forward", None)
        if isinstance(function, types.FunctionType) and not fx.is_lazy_forward(function):
            content = graph.path.read_text("utf-8")
            graph.runs = graph_file.point_at_file(function, content, graph.path)

    def _dump_codes(
        self, entry: Entry, code: types.CodeType, new_code: types.CodeType, decompiled: Decompiled | None
    ) -> None:
        """Writes the code objects of a frame for `log_bytecode`, each into a file next to the transformed code."""
        if entry.path is None:
            return
        codes = {"original_bytecode": code, "transformed_bytecode": new_code}
        if decompiled is not None and not entry.failure:
            codes["decompiled_and_compiled_back_bytecode"] = recompiled_code(decompiled, new_code)
        for suffix, value in codes.items():
            try:
                data = dump_code(value)
            except Exception as error:
                self.notes.append(f"{entry.path.name}.{suffix} not written: {error}")
                continue
            self.folder.replace(entry.path.with_name(f"{entry.path.stem}.{suffix}"), data)


def _read_lines(path: str) -> None:
    """Loads a file into linecache, because Dynamo would compile the code that reads it for a warning of the frame."""
    linecache.checkcache(path)
    linecache.getlines(path)


def signature_of(code: types.CodeType) -> tuple[str, tuple[str, ...]]:
    """Returns a parameter list without defaults, which a code object does not contain, and the names in it."""
    parameters = parameters_of(code)
    return ", ".join(parameters.listed()), parameters.names


def recompiled_code(decompiled: Decompiled, new_code: types.CodeType, filename: str = RECOMPILED) -> types.CodeType:
    """Returns the code object of the decompiled text, in a form that can replace `new_code`."""
    return real_code(decompiled.recompile(filename), new_code)


def dump_code(code: types.CodeType) -> bytes:
    """Returns a code object as bytes that `dill.loads` (or `pickle.loads`, if it has no opaque constants) reads.

    marshal cannot be used, because it rejects the modules, dtypes and functions that Dynamo stores as constants.
    """
    try:
        import dill
    except ImportError:
        raise RuntimeError("log_bytecode=True needs dill: pip install dill") from None
    buffer = io.BytesIO()
    dill.dump(code, buffer, protocol=pickle.DEFAULT_PROTOCOL)
    return buffer.getvalue()


def _recompiled(
    decompiled: Decompiled, new_code: types.CodeType, path: str, placed: closures.PlacedText
) -> types.CodeType | None:
    """Returns the code of the text with the lines of its file; None if its variables differ from `new_code`'s."""
    code = recompiled_code(decompiled, new_code, path)
    if (code.co_freevars, code.co_cellvars) != (new_code.co_freevars, new_code.co_cellvars):
        return None
    return _moved(code, placed)


def _moved(code: types.CodeType, placed: closures.PlacedText) -> types.CodeType:
    """Returns the code of a text, and the code objects nested in it, with the lines and columns of its file.

    The program's own code objects among its constants, those of functions that it creates, are not changed.
    """
    first = code.co_firstlineno + placed.down
    inner = tuple(
        _moved(c, placed) if isinstance(c, types.CodeType) and c.co_filename == code.co_filename else c
        for c in code.co_consts
    )
    if sys.version_info < (3, 11):  # no columns, and lines are relative to the first line
        return code.replace(co_firstlineno=first, co_consts=inner)
    spans = []
    for unit, (line, end_line, column, end_column) in enumerate(code.co_positions()):
        places = (line, -1 if column is None else column, end_line, -1 if end_column is None else end_column)
        place = line_table.Location(*(-1 if part is None else part for part in places))
        spans.append(line_table.Span(unit, unit + 1, placed.moved(place) if line is not None else None))
    return code.replace(co_firstlineno=first, co_linetable=line_table.encode(spans, first), co_consts=inner)


def _program_lines(code: types.CodeType, spans: Iterable[line_table.Span]) -> dict[int, Location]:
    """Returns the line of the program for each line of the text: the line of its last instruction.

    Dynamo keeps the line of an instruction that it copies. The instructions that it generates before it, to load its
    operands, have the line of an earlier statement.
    """
    of_unit = [line for begin, end, line in code.co_lines() for _ in range(begin, end, 2)]
    lines: dict[int, Location] = {}
    for start, end, place in spans:
        line = next((line for line in reversed(of_unit[start:end]) if line), None)
        if place is not None and line is not None:
            text = linecache.getline(code.co_filename, line).strip()
            lines[place.line] = Location(code.co_filename, line, code=text)
    return lines


def _definition_line(text: str) -> int:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith(("def ", "async def ", "@")):
            return number
    return 1


def _listing(code: types.CodeType) -> str:
    buffer = io.StringIO()
    dis.dis(code, file=buffer)
    return buffer.getvalue()
