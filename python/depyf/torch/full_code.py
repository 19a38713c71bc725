# SPDX-License-Identifier: MIT
"""Writes `full_code_for_*.py`: what a call of a compiled function does, as plain Python.

Guards as functions, entries in torch's order, transformed code, resume functions dispatched by the file itself.
Invariant: the file compiles; what it cannot replay stands in it as `not_replayed(...)` or `missing(...)` with a reason.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable

from depyf.torch import guard_checks, guards, seams
from depyf.torch.model import Entry, Guard, Record

_RULE = 120
_WORD = re.compile(r"[A-Za-z_]\w*")
_DEF = re.compile(r"^(async )?def [^\W\d]\w*\(", re.MULTILINE)


class FullCode:
    """The text for one function and the resume functions it reaches."""

    def __init__(self, record: Record, root: str) -> None:
        self.record = record
        self.root = root
        self.frames = self._reachable(root)
        self.entries = {key: _in_torch_order(self._of(key)) for key in self.frames}
        self.names = self._names()

    def render(self) -> str:
        """The whole file."""
        parts = [self._bindings()]
        for key in reversed(self.frames):  # resume functions first: they are what the function above them calls
            parts += [self._entry(entry) for entry in self.entries[key]]
            parts.append(self._dispatcher(key))
        body = "\n\n\n".join(part.strip("\n") for part in parts if part) + "\n"
        return self._head(set(_WORD.findall(body))) + body

    def _of(self, key: str) -> list[Entry]:
        return [e for e in self.record.entries if e.code_key == key]

    def _reachable(self, root: str) -> list[str]:
        found = [root]
        for key in found:  # grows while it is walked
            for entry in self._of(key):
                found += [k for k in dict.fromkeys(entry.resume_codes.values()) if k not in found]
        return found

    def _names(self) -> dict[str, list[str]]:
        """Names under which each frame is called: its own, or those its resume function has among the globals."""
        names: dict[str, list[str]] = {key: [] for key in self.frames}
        for entries in self.entries.values():
            for entry in entries:
                for name, key in entry.resume_codes.items():
                    if name not in names[key]:
                        names[key].append(name)
        own = self.entries[self.root][0].name
        names[self.root].insert(0, own if own.isidentifier() and not keyword.iskeyword(own) else "compiled_function")
        return names

    def _head(self, words: set[str]) -> str:
        first = self.entries[self.root][0]
        helpers = [n for n in (*guard_checks.PRIVATE_NAMES, *guard_checks.PUBLIC_NAMES) if n in words | {"identities"}]
        name = self.names[self.root][0]
        return (
            f'"""What a call of {name} ({first.origin}) does, as Python.\n\n'
            "A snapshot: entries stand most recently used first, as torch tries them. Captured graphs stand in for\n"
            "compiled ones; bind(globals_of_your_program) gives this file the program's own objects.\n"
            '"""\n'
            "import math\n\n"
            "import torch\n\n"
            + "from depyf.torch import replay\n"
            + _wrapped_import("depyf.torch.guard_checks", helpers)
            + "\n\n"
            f"here = identities({guard_checks.PROCESS!r})  # object ids below mean something in that process only\n"
            "inf, nan, device = math.inf, math.nan, torch.device\n"
        )

    def _bindings(self) -> str:
        entries = [e for group in self.entries.values() for e in group]
        modules = {name: module for e in entries for name, module in e.modules.items() if name.isidentifier()}
        lines = [f"{name} = named({module!r})" for name, module in sorted(modules.items()) if name != "torch"]
        defined = {n for names in self.names.values() for n in names}
        compiled = []
        for entry in entries:
            if entry.compiled_fn and entry.compiled_fn not in compiled:
                compiled.append(entry.compiled_fn)
                lines.append(f"{entry.compiled_fn} = {self._graph(entry)}")
        live = sorted({n for e in entries for n in e.live_names} - defined - modules.keys())
        lines += [
            f"LIVE = {(*compiled, *live)!r}  # names that only the running program has",
            "program_globals = globals()",
            "",
            "",
            "def bind(live):",
            '    """Runs this file on the program\'s own globals (and so on its compiled graphs)."""',
            "    replay.bind(program_globals, live, LIVE)",
        ]
        return "\n".join(lines)

    def _graph(self, entry: Entry) -> str:
        graph = next(
            (g for g in self.record.graphs if g.kind == "Captured_Graph" and g.compile_id == entry.compile_id), None
        )
        if graph is None:
            return f"replay.missing({entry.compiled_fn!r}, 'its graph was not captured')"
        return f"replay.captured_graph(__file__, {graph.path.name!r})"

    def _entry(self, entry: Entry) -> str:
        tag = _tag(entry)
        title = f"# {entry.name}, entry [{entry.compile_id}] "
        lines = [
            title + "-" * max(0, _RULE - len(title)),
            f"def guards_{tag}(frame):",
            "    L, G = frame.locals, frame.globals",
        ]
        lines += [line for g in entry.guards for line in _guard_lines(g, entry)]
        if not entry.guards:
            lines.append("    yield not_replayed('guards', 'the guards of this entry were not seen')")
        return "\n".join(lines) + "\n\n\n" + self._transformed(entry, tag)

    def _transformed(self, entry: Entry, tag: str) -> str:
        file = entry.path.name if entry.path is not None else "not written"
        note = f"# {file}: {entry.verdict}\n"
        if entry.free_variables:
            note += f"# free variables of the function, not bound here: {', '.join(entry.free_variables)}\n"
        if not entry.text or entry.failure:
            reason = entry.failure or "no text"
            return f"{note}transformed_{tag} = replay.missing('transformed_{tag}', {reason!r})"
        return note + _DEF.sub(lambda m: f"{m.group(1) or ''}def transformed_{tag}(", entry.text, count=1).rstrip()

    def _dispatcher(self, key: str) -> str:
        entries = self.entries[key]
        name, *aliases = self.names[key]
        if not entries:
            why = "was not called while watched; torch.compile would compile it"
            return "\n".join([f"{name} = replay.missing({name!r}, {why!r})", *[f"{a} = {name}" for a in aliases]])
        first = entries[0]
        arguments = ", ".join(f"{a!r}: {a}" for a in first.arguments)
        lines = [f"def {name}({first.signature}):"]
        if first.is_resume:
            lines.append(f'    """{first.name}: continues after a graph break."""')
        lines.append(f"    frame = Frame(locals={{{arguments}}}, globals=program_globals)")
        call = _call_arguments(first.signature)
        for entry in entries:
            tag = _tag(entry)
            lines += [f"    if holds(guards_{tag}, frame):", f"        return transformed_{tag}({call})"]
        listed = ", ".join(f"({e.compile_id!r}, guards_{_tag(e)})" for e in entries)
        lines.append(f"    raise no_entry_fits(frame, [{listed}])")
        lines += ["", *[f"{alias} = {name}" for alias in aliases]]
        return "\n".join(lines)


def _in_torch_order(entries: list[Entry]) -> list[Entry]:
    """Most recently used first, as torch's cache lists them; entries torch no longer has come last, newest first."""
    newest = sorted(entries, key=lambda e: -e.order)
    code = entries[0].original() if entries and entries[0].original is not None else None
    order = [str(e.compile_id) for e in seams.cache_entries(code)] if code is not None else []
    return sorted(newest, key=lambda e: order.index(e.compile_id) if e.compile_id in order else len(order))


def _check(guard: Guard, entry: Entry) -> str:
    if guard.kind == "TORCH_FUNCTION_MODE_STACK":
        return f"function_modes_are({', '.join(map(repr, entry.function_modes))})"
    return guards.render(guard)


def _guard_lines(guard: Guard, entry: Entry) -> list[str]:
    """The check beside torch's own text of it and the user's line; on a line of its own above when it is long."""
    check = _check(guard, entry)
    text = " ".join(guard.text.split())
    remarks = [t for t in ("" if text == check else text, guard.where) if t]
    line = f"    yield {check}"
    if not remarks:
        return [line]
    comment = "# " + "   ".join(remarks)
    if len(line) + 2 + len(comment) <= _RULE:
        return [f"{line}  {comment}"]
    return [f"    {comment}", line]


def _tag(entry: Entry) -> str:
    return re.sub(r"\W", "_", entry.compile_id.replace("!", "autograd"))


def _call_arguments(signature: str) -> str:
    parts = [p.strip() for p in signature.split(",") if p.strip() and p.strip() != "/"]
    keyword_only = False
    out = []
    for part in parts:
        if part == "*":
            keyword_only = True
        elif part.startswith("*"):
            keyword_only = keyword_only or not part.startswith("**")
            out.append(part)
        else:
            out.append(f"{part}={part}" if keyword_only else part)
    return ", ".join(out)


def _wrapped_import(module: str, names: list[str]) -> str:
    return f"from {module} import (\n" + "".join(f"    {n},\n" for n in names) + ")"


def roots(record: Record) -> Iterable[tuple[str, Entry]]:
    """Frames that start a call (not resume functions), each once, with one of its entries."""
    seen: set[str] = set()
    resumed = {key for e in record.entries for key in e.resume_codes.values()}
    for entry in record.entries:
        if entry.code_key not in seen and entry.code_key not in resumed and not entry.is_resume:
            seen.add(entry.code_key)
            yield entry.code_key, entry
