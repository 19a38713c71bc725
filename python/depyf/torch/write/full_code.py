# SPDX-License-Identifier: MIT
"""Writes `full_code_for_*.py`: everything that a call of a compiled function does, as plain Python.

The file contains guards as functions, entries in torch's order, transformed code, and resume functions with their own
choice of entries. Invariant: the file compiles. Guards that it cannot evaluate and objects that it cannot create are
`not_evaluated(...)` and `missing(...)`, with a reason.
"""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Iterable, Mapping

from depyf.decompilation import syntax
from depyf.decompilation.closures import factory_name
from depyf.decompilation.indentation import indented
from depyf.torch.guards import allowed, render
from depyf.torch.guards.stable_text import Numbers
from depyf.torch.internals.stable_names import stable, stable_text
from depyf.torch.internals.vocabulary import NESTED_RESUMES
from depyf.torch.model.compile_ids import identifier_of
from depyf.torch.model.enums import FrameStatus
from depyf.torch.model.frames import inlining_resume
from depyf.torch.model.guard import Guard
from depyf.torch.model.location import NOWHERE
from depyf.torch.model.record import DROPPED, Entry, Record, UncompiledFrame, in_order
from depyf.torch.model.status import StatusReport
from depyf.torch.model.words import one_line
from depyf.torch.write import graph_file, state_texts
from depyf.torch.write.expressions import over_lines

_RULE = 120
_WORD = re.compile(r"[A-Za-z_]\w*")
_DEF = re.compile(r"^(async )?def [^\W\d]\w*\(", re.MULTILINE)
_PROGRAM_OBJECT = re.compile(r"\breplay\.(importable|made|tuple_of)\(")
_FILE_VARIABLES = ("__file__", "__name__")  # the file needs its own values of these, not those of the program's module
_REPLAY_NAMES = ("holds", "no_entry_fits")


def imported(path: str) -> str:
    """Returns an expression for the object at a dotted path; the program's modules may be missing where it runs."""
    module = path.partition(".")[0]
    is_installed = module == "torch" or module in sys.stdlib_module_names
    return f"named({path!r})" if is_installed else f"replay.importable({path!r})"


class FullCode:
    """The full code of a function and of the resume functions that it reaches.

    `entries` are the entries of each frame in the order in which torch tries them; by default, the order in the record.
    """

    def __init__(self, record: Record, root: str, entries: Mapping[str, list[Entry]] | None = None) -> None:
        self.record = record
        self.root = root
        self.frames = self._reachable(root)
        if entries is None:
            entries = {key: in_order(self._entries_of(key)) for key in self.frames}
        self.entries = {key: list(entries.get(key, ())) for key in self.frames}
        self.names = self._names()
        self.module = next((e.module for e in self.entries[root]), "")
        self._numbers = Numbers()
        self.factories = {key: factory_name(names[0]) for key, names in self.names.items() if self._free_variables(key)}

    def render(self) -> str:
        """Returns the content of the file."""
        self._numbers = Numbers()
        code = []
        for key in reversed(self.frames):  # callees, the resume functions, come first
            code += [self._guards(entry) for entry in self.entries[key]]
            code.append(self._frame(key))
        body = self._renamed("\n\n\n".join(part.strip("\n") for part in code if part))
        parts = [self._bindings(), body, self._main()]
        text = "\n\n\n".join(part.strip("\n") for part in parts if part) + "\n"
        return self._head(set(_WORD.findall(text))) + self._program(text) + text

    def content(self) -> tuple[str, str]:
        """Returns the file and ""; if its text does not compile, the text as comments and the reason."""
        text = self.render()
        reason = syntax.compiles(text)
        if reason is None:
            return text, ""
        return graph_file.graph_file([f"Full code of {self.names[self.root][0]}."], text), reason

    @property
    def identities(self) -> tuple[int, ...]:
        """The object ids that the numbers in the text stand for in this process; known after `render`."""
        return tuple(self._numbers.known)

    @property
    def guards(self) -> dict[str, list[Guard]]:
        """The guards of each entry in the file, by compile id."""
        return {entry.compile_id: entry.guards for entries in self.entries.values() for entry in entries}

    @property
    def identity_name(self) -> str:
        """The name of the function `same_process_id` in the text."""
        return "depyf_same_process_id" if "same_process_id" in self._clashes() else "same_process_id"

    def dispatcher(self, key: str) -> str:
        """Returns the name of a frame's function, or of its factory if the frame has free variables."""
        return self.factories.get(key) or self.names[key][0]

    @property
    def hands_over_functions(self) -> bool:
        """Whether guards read resume functions that are passed as an argument (nested graph breaks)."""
        return any(
            f"['{NESTED_RESUMES}'][" in g.text for group in self.entries.values() for e in group for g in e.guards
        )

    def scope(self, key: str) -> str:
        """Returns the name of a frame's globals in the file; a resume function may be from another module."""
        module = next((e.module for e in self.entries[key]), "")
        if module in ("", self.module) or not self.module:
            return "program_globals"
        return "globals_of_" + re.sub(r"\W", "_", module)

    # ---- frames and their names

    def _entries_of(self, key: str) -> list[Entry]:
        """Returns the entries of a frame; none if Dynamo skips the frame, because then it ignores them."""
        frame = self.record.uncompiled.get(key)
        if frame is not None and not frame.status.uses_entries:
            return []
        return [e for e in self.record.entries if e.code_key == key]

    def _reachable(self, root: str) -> list[str]:
        reachable = [root]
        for key in reachable:  # grows during the iteration
            for entry in self._entries_of(key):
                reachable += [k for k in dict.fromkeys(entry.resume_codes.values()) if k not in reachable]
        return reachable

    def _free_variables(self, key: str) -> tuple[str, ...]:
        if key in self.record.uncompiled:
            return self.record.uncompiled[key].free_variables
        return next((e.free_variables for e in self._entries_of(key)), ())

    def _names(self) -> dict[str, list[str]]:
        """Returns the names of each frame's function: its own name, or the global names of a resume function."""
        names: dict[str, list[str]] = {key: [] for key in self.frames}
        for key in self.frames:
            for entry in self._entries_of(key):
                for name, resumed in entry.resume_codes.items():
                    if name not in names[resumed]:
                        names[resumed].append(name)
        eager = self.record.uncompiled.get(self.root)
        unknown = eager.origin.function if eager is not None else self.root
        own_name = next((e.name for e in self._entries_of(self.root)), unknown)
        is_usable = own_name.isidentifier() and not keyword.iskeyword(own_name)
        names[self.root].insert(0, own_name if is_usable else "compiled_function")
        return names

    # ---- the parts of the file

    def _clashes(self) -> set[str]:
        """Returns names of helpers that the program uses for other objects."""
        helpers = {*allowed.PUBLIC_NAMES, *_REPLAY_NAMES, "replay", "same_process_id", "bind", "math"}
        return helpers & {n for group in self.entries.values() for e in group for n in (*e.live_names, *e.modules)}

    def _renamed(self, text: str) -> str:
        for name in self._clashes():
            text = re.sub(rf"(?<![\w.'\"]){name}\(", f"depyf_{name}(", text)
        return text

    def _head(self, words: set[str]) -> str:
        """Returns the docstring and the imports of the file."""
        name = self.names[self.root][0]
        eager = self.record.uncompiled.get(self.root)
        origin = next((e.origin for e in self._entries_of(self.root)), eager.origin if eager is not None else NOWHERE)
        wrapped = dict.fromkeys(f"{e.title} ({e.start})" for e in self._entries_of(self.root) if e.wraps.function)
        subject = " / ".join(wrapped) or f"{name} ({origin})"
        clashes = self._clashes()
        wanted = [*allowed.PRIVATE_NAMES, *allowed.PUBLIC_NAMES]
        unchanged = [n for n in wanted if n in words | {"identities", "named", "Frame"} and n not in clashes]
        renamed = [f"{n} as depyf_{n}" for n in wanted if n in clashes]
        replays = [f"{n} as depyf_{n}" if n in clashes else n for n in _REPLAY_NAMES]
        description = self._description("f" if wrapped else name)
        return (
            f'"""Everything that a call of {subject} does, as Python.\n\n{description}"""\n'
            "import math\n\n"
            "import torch\n\n"
            "from depyf.torch.replay import v1 as replay\n"
            + _wrapped_import("depyf.torch.replay.v1", [*unchanged, *renamed, *replays])
            + "\n\n"
            f"{self.identity_name} = identities(__file__)  # (n): the n-th object id, in the process that wrote this\n"
            "inf, nan, device = math.inf, math.nan, torch.device\n"
        )

    def _program(self, text: str) -> str:
        """Returns the statement that makes the program's modules and definitions available, if they are used."""
        names_it = self.record.program is not None and _PROGRAM_OBJECT.search(text) is not None
        return (
            "replay.program(__file__)  # index.json names the program: its modules, classes and functions\n" * names_it
        )

    def _description(self, name: str) -> str:
        """Returns what the file contains, and what it does as a script. `name` is the reader's name of the function."""
        if not self._entries_of(self.root):
            return "Snapshot: no call uses an entry. Below is the original code; as a script this file calls nothing.\n"
        return (
            "Snapshot: entries are in the order in which torch tries them, most recently used first. Captured graphs\n"
            f"replace compiled ones, and made-up values the program's own; depyf.full_code({name}) binds this file to\n"
            f"the live graphs. As a script this file calls the function once for each entry.\n{self._dropped()}"
        )

    def _dropped(self) -> str:
        """Returns the sentence about dropped entries in the head of the file; "" if there are none."""
        entries = [e for group in self.entries.values() for e in group]
        if not any(e.dropped for e in entries):
            return ""
        subject = "Its entries are" if all(e.dropped for e in entries) else 'Entries marked "dropped" are'
        return f"{subject} {DROPPED}.\n"

    def _bindings(self) -> str:
        """Returns the assignments of the global variables that the code reads, and the function `bind`."""
        entries = [e for group in self.entries.values() for e in group]
        modules = {name: module for e in entries for name, module in e.modules.items() if name.isidentifier()}
        lines = [f"{name} = {imported(module)}" for name, module in sorted(modules.items()) if name != "torch"]
        defined = {n for names in self.names.values() for n in names}
        compiled: dict[str, str] = {}
        for entry in entries:
            if entry.compiled_fn:
                compiled.setdefault(stable(entry.compiled_fn), self._graph(entry))
        lines += [f"{name} = {graph}" for name, graph in compiled.items()]
        bound = {*defined, *modules, *compiled, *_FILE_VARIABLES}
        live = sorted({stable(n) for e in entries for n in e.live_names} - bound)
        values = self._values()
        lines += [
            f"{name} = {over_lines(values.get(name) or f'replay.missing({name!r}, {NOT_SEEN!r})', 0, len(name) + 3)}"
            for name in dict.fromkeys([*live, *(n for e in entries for n in e.opaque)])
            if name.isidentifier() and name not in {*defined, *_FILE_VARIABLES}
        ]
        lines += [
            f"LIVE = {(*compiled, *live)!r}  # names of objects of the running program",
            "program_globals = globals()",
            *(f"{name} = replay.globals_of({module!r}, program_globals)" for name, module in self._scopes().items()),
            "",
            "",
            "def bind(live):",
            '    """Makes this file use the program\'s own global variables, and so its compiled graphs."""',
            "    replay.bind(program_globals, live, LIVE)",
        ]
        return "\n".join(lines)

    def _scopes(self) -> dict[str, str]:
        """Returns the names of the globals of other modules that frames run in, with the modules."""
        scopes = {self.scope(key): group[0].module for key, group in self.entries.items() if group}
        return {name: module for name, module in sorted(scopes.items()) if name != "program_globals"}

    def _values(self) -> dict[str, str]:
        """Returns an expression for each global variable, with its value when the first entry was compiled."""
        values: dict[str, str] = {}
        for key in self.frames:
            for entry in sorted(self.entries[key], key=lambda e: e.compile_id):
                values = entry.opaque | {stable(n): text for n, text in entry.values.items()} | values
        return values

    def _graph(self, entry: Entry) -> str:
        graph = self.record.captured_graph(entry.compile_id)
        if graph is None:
            return f"replay.missing({stable(entry.compiled_fn)!r}, 'its graph was not captured')"
        return f"replay.captured_graph(__file__, {graph.path.name!r})"

    def _guards(self, entry: Entry) -> str:
        """Returns the text of the generator function that yields the outcome of each guard of an entry."""
        title = f"# {entry.title}, entry [{entry.compile_id}]{', dropped' if entry.dropped else ''} "
        checks = [line for guard in entry.guards for line in self._guard_lines(guard)]
        renamed = any(stable_text(g.text) != g.text for g in entry.guards)
        lines = [
            title + "-" * max(0, _RULE - len(title)),
            f"def guards_{tag_of(entry)}(frame):",
            f"    L, G = frame.locals, {'replay.StableGlobals(frame.globals)' if renamed else 'frame.globals'}",
            *checks,
        ]
        if not entry.guards:
            lines.append(render.without_guards(entry.guards_known))
        return "\n".join(lines)

    def _guard_lines(self, guard: Guard) -> list[str]:
        """Returns a check with torch's text and the user's line as a comment, above it if the line is too long."""
        check = self._numbers.check(guard)
        text = self._numbers.torchs_text(guard)
        notes = [t for t in ("" if text == check else text, guard.where) if t]
        line = f"    yield {check}"
        if not notes:
            return [line]
        comment = "# " + "   ".join(notes)
        if len(line) + 2 + len(comment) <= _RULE:
            return [f"{line}  {comment}"]
        return [f"    {comment}", line]

    def _transformed(self, entry: Entry) -> str:
        tag = tag_of(entry)
        file = entry.path.name if entry.path is not None else "not written to a file"
        note = f"# {file}: {' '.join(entry.verdict.split())}\n"
        if not usable(entry):
            reason = entry.failure or "no text"
            return f"{note}transformed_{tag} = replay.missing('transformed_{tag}', {reason!r})"
        return note + _DEF.sub(lambda m: f"{m.group(1) or ''}def transformed_{tag}(", entry.text, count=1).rstrip()

    def _frame(self, key: str) -> str:
        """Returns the transformed code of a frame's entries and the function that chooses among them."""
        entries = self.entries[key]
        name, *aliases = self.names[key]
        eager = self.record.uncompiled.get(key)
        if not entries and eager is not None:
            body = _eager(eager, self._def_name(key))
        elif not entries:
            reason = self._why_unseen(name)
            body = f"{name} = replay.unseen_resume({name!r}, {reason!r})"
            return "\n".join([body, *[f"{a} = {name}" for a in aliases]])
        else:
            gap = "\n\n" if key in self.factories else "\n\n\n"
            above = [_eager(eager, self.eager_name(key))] if eager is not None else []
            body = gap.join([*[self._transformed(e) for e in entries], *above, self._choice(key)])
        if key in self.factories:
            body = self._in_factory(key, body)
        return "\n".join([body, *([""] if aliases else []), *[f"{alias} = {name}" for alias in aliases]])

    def _why_unseen(self, name: str) -> str:
        """Returns why a resume function has neither entries nor a text."""
        callers = (e for entries in self.entries.values() for e in entries if name in e.resume_codes)
        inlining = next(filter(None, (inlining_resume(self.record, e, name) for e in callers)), "")
        reason = (
            f"was inlined into {inlining} and not called itself" if inlining else "was not called while depyf watched"
        )
        return f"{reason}; torch.compile would compile it"

    def _in_factory(self, key: str, body: str) -> str:
        """Wraps the frame's functions in a factory, whose parameters are the free variables."""
        entries, name, free = self.entries[key], self.names[key][0], self._free_variables(key)
        lines = [f"def {self.factories[key]}({', '.join(free)}):  # its free variables", indented(body)]
        lines.append(f"    return {self._def_name(key)}")
        if key != self.root:
            closure = f"replay.resume_closure({self.factories[key]}, {free!r})"
        else:
            free_values = entries[0].free_values if entries else {}
            values = [f"{n}={free_values.get(n) or f'replay.missing({n!r}, {NOT_SEEN!r})'}" for n in free]
            closure = over_lines(f"replay.closure({self.factories[key]}, {', '.join(values)})", 0, len(name) + 3)
        return "\n".join([*lines, "", "", f"{name} = {closure}"])

    def eager_name(self, key: str) -> str:
        """Returns the name of the original function of a frame, which runs calls that no entry accepts."""
        return f"eager_{self._def_name(key)}"

    def _def_name(self, key: str) -> str:
        """Returns the name in the frame's `def`; in a factory, it differs from the names of free variables."""
        name = self.names[key][0]
        while key in self.factories and name in self._free_variables(key):
            name += "_"
        return name

    def _choice(self, key: str) -> str:
        """Returns the text of the function that tries the entries of a frame in order, as torch does."""
        entries = self.entries[key]
        first = entries[0]
        variables = [f"{name!r}: {name}" for name in dict.fromkeys(first.arguments)]
        free = [f"{name}=lambda: {name}" for name in first.free_variables if name not in first.arguments]
        variables += [f"**replay.bound({', '.join(free)})"] if free else []
        arguments = ", ".join(variables)
        lines = [f"def {self._def_name(key)}({first.parameters or first.signature}):"]
        if first.is_resume:
            lines.append(f'    """{first.name}: continues after a graph break."""')
        lines.append(f"    frame = Frame(locals={{{arguments}}}, globals={self.scope(key)})")
        call = _call_arguments(first.signature)
        for entry in entries:
            mark = "  # dropped: torch.compile would recompile" if entry.dropped else ""
            lines.append(f"    if holds(guards_{tag_of(entry)}, frame):{mark}")
            lines.append(f"        return transformed_{tag_of(entry)}({call})")
        eager = self.record.uncompiled.get(key)
        if eager is not None:
            is_compiled = eager.status.status is FrameStatus.COMPILED
            cause = one_line(eager.status.reason) if is_compiled else eager.status.status.value
            note = f"  # {cause}: torch runs this call eagerly"
            return "\n".join([*lines, f"    return {self.eager_name(key)}({call}){note}"])
        failing_entries = ", ".join(f"({e.compile_id!r}, guards_{tag_of(e)})" for e in entries)
        lines.append(
            f"    raise no_entry_fits(frame, {first.name!r}, [{failing_entries}])  # torch.compile would compile"
        )
        return "\n".join(lines)

    def _main(self) -> str:
        """Returns the part that runs as a script: a call of `replay.main` with the recorded inputs of each entry."""
        name = self.names[self.root][0]
        if not self.entries[self.root]:
            return ""
        calls, values, first = [], self._values(), self.entries[self.root][0]
        for entry in self.entries[self.root]:
            positional, named = _as_call(entry)
            changed = {stable(n): text for n, text in entry.values.items() if values.get(stable(n)) != text}
            scope = ", ".join(f"{n!r}: {text}" for n, text in changed.items())
            free = [f"{n!r}: {text}" for n, text in entry.free_values.items() if first.free_values.get(n) != text]
            closure = f", {{{', '.join(free)}}}" if free else ""
            inputs = f"lambda: (({positional}), {{{named}}}, {{{scope}}}{closure})"
            state = state_texts.around_call(entry)
            call = f"({entry.compile_id!r}, {inputs}{', ' if state else ''}{state})"
            calls.append(f"        {over_lines(call, 8)},")
        head = ['if __name__ == "__main__":', f"    replay.main({name}, [  # inputs as recorded"]
        return "\n".join([*head, *calls, "    ], program_globals)"])


NOT_SEEN = "its value was not seen"


def meaning(status: StatusReport) -> str:
    """Returns a sentence about the status of a frame, with torch's reason."""
    reason = f" Reason: {one_line(status.reason)}" if status.reason else ""
    return f"Status: {status.status.words}.{reason}"


def _eager(frame: UncompiledFrame, name: str) -> str:
    """Returns the original function of a frame, with another name, below a comment on its status."""
    note = f"# {frame.name} ({frame.origin}), original code, {frame.verdict}\n# {meaning(frame.status)}\n"
    if not _compiles(frame.text, frame.free_variables):
        return f"{note}{name} = replay.missing({name!r}, 'its code was not decompiled')"
    return note + _DEF.sub(lambda m: f"{m.group(1) or ''}def {name}(", frame.text, count=1).rstrip()


def tag_of(entry: Entry) -> str:
    """Returns the entry's compile id in a form that can be part of an identifier: `0_1`."""
    return identifier_of(entry.compile_id)


def usable(entry: Entry) -> bool:
    """Returns whether the decompiled text can be a function in the file."""
    return _compiles(entry.text, entry.free_variables)


def _compiles(text: str, free_variables: tuple[str, ...]) -> bool:
    if not _DEF.search(text):
        return False
    try:
        inside = f"def outer({', '.join(free_variables)}):\n{indented(text)}" if free_variables else text
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return syntax.compiles(inside) is None


def _call_arguments(signature: str) -> str:
    """Returns the arguments with which a function passes all its parameters on."""
    parts = [p.strip() for p in signature.split(",") if p.strip() and p.strip() != "/"]
    keyword_only = False
    arguments = []
    for part in parts:
        if part == "*":
            keyword_only = True
        elif part.startswith("*"):
            keyword_only = keyword_only or not part.startswith("**")
            arguments.append(part)
        else:
            arguments.append(f"{part}={part}" if keyword_only else part)
    return ", ".join(arguments)


def _as_call(entry: Entry) -> tuple[str, str]:
    """Returns the recorded inputs as text: items of a tuple and items of a dictionary."""
    positional: list[str] = []
    named: list[str] = []
    keyword_only = False
    for part in (p.strip() for p in entry.signature.split(",")):
        name = part.lstrip("*")
        value = entry.inputs.get(name) or f"replay.missing({name!r}, {NOT_SEEN!r})"
        if part in ("", "/"):
            continue
        if part == "*":
            keyword_only = True
        elif part.startswith("**"):
            named.append(f"**{value}")
        elif part.startswith("*"):
            keyword_only = True
            positional.append(f"*{value}")
        elif keyword_only:
            named.append(f"{name!r}: {value}")
        else:
            positional.append(value)
    return "".join(f"{p}, " for p in positional), ", ".join(named)


def _wrapped_import(module: str, names: list[str]) -> str:
    return f"from {module} import (\n" + "".join(f"    {n},\n" for n in names) + ")"


def roots(record: Record) -> Iterable[tuple[str, Entry]]:
    """Yields frames that the program calls (not resume functions or comprehensions), with one of their entries."""
    seen: set[str] = set()
    resumed = {key for e in record.entries for key in e.resume_codes.values()}
    for entry in record.entries:
        is_callable = not entry.is_resume and all(name.isidentifier() for name in entry.arguments)
        if entry.code_key not in seen and entry.code_key not in resumed and is_callable:
            seen.add(entry.code_key)
            yield entry.code_key, entry
