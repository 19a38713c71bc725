# SPDX-License-Identifier: MIT
"""Questions about a compiled function: which entries it has, which one a call would use, and why not another.

Works with or without a session. Invariant: each answer is computed from Dynamo's current entries and the values of the
call. Only facts about an entry are cached, as long as torch keeps the entry. No files are written, the function is not
run, and the values of the program are not copied.
"""

from __future__ import annotations

import types
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from depyf.torch.capture import caches, frame_names, frame_status, handed_on
from depyf.torch.capture.caches import Reader, functions_of
from depyf.torch.capture.open_sessions import latest_record
from depyf.torch.capture.route import NotCompiled, Target, target_of
from depyf.torch.explain.fixed_sizes import fixed_sizes
from depyf.torch.guards.advice import fixed_size, marked_sizes
from depyf.torch.guards.answers import Explanation, Failure, not_evaluated_note
from depyf.torch.guards.checks import Frame
from depyf.torch.guards.evaluate import evaluator_of
from depyf.torch.internals import cache_entries, conversions, dynamo, names
from depyf.torch.model.compile_ids import compile_id_in, frame_of, torchs_id
from depyf.torch.model.enums import FrameStatus
from depyf.torch.model.location import NOWHERE, calling_line
from depyf.torch.model.record import Entry, RecompileReason, Record, explain_with
from depyf.torch.model.status import StatusReport
from depyf.torch.model.table import html_table, rich_table
from depyf.torch.model.words import count

if TYPE_CHECKING:
    from rich.table import Table


@dataclass(frozen=True)
class Decision:
    """The entry that a call would use, or why there is none. As a condition, it is true if an entry matches.

    Attributes:
        name: The name of the function.
        entry: The first entry whose guards pass. If None, torch.compile would compile the call, unless `precompiled`,
            `status`, `eagerly`, `raises` or `undecided` says otherwise.
        would_compile: The compile id that a new entry would have.
        failures: The first failing guard of each entry that is tried before.
        status: The status of the frame.
        not_evaluated: The number of guards that depyf does not evaluate, and assumed true.
        undecided: Why the entry cannot be determined: code that runs before the frame may change the arguments, or
            torch does not evaluate all guards. "" if it can be determined.
        precompiled: Whether the call matches an entry that torch has loaded (`caching_precompile`). depyf knows only
            the guards of such an entry, so `entry` is None.
        eagerly: Why torch runs the call eagerly although it compiles the frame, for example the stance in force; else
            "".
        raises: Why torch would raise an exception instead of compiling; else "".
        of_others: The number of entries of the function, if all of them belong to other backends or isolated regions,
            so that none is tried.

    Examples:
        >>> import depyf, torch
        >>> scale = torch.compile(lambda x, k: x * k, backend="eager", dynamic=False)
        >>> result = scale(torch.ones(2), 2)
        >>> decision = depyf.which_entry(scale, torch.ones(2), 2)
        >>> (decision.hit, decision.compile_id)
        (True, '0/0')

    """

    name: str
    entry: Entry | None
    would_compile: str
    failures: tuple[Failure, ...]
    status: StatusReport = field(default_factory=lambda: StatusReport(FrameStatus.UNKNOWN))
    not_evaluated: int = 0
    undecided: str = ""
    precompiled: bool = False
    eagerly: str = ""
    raises: str = ""
    of_others: int = 0

    def __bool__(self) -> bool:
        return self.hit

    @property
    def hit(self) -> bool:
        """Whether an entry matches the call."""
        return self.entry is not None or self.precompiled

    @property
    def compile_id(self) -> str:
        """The compile id of the entry that matches the call, or of the one that would be compiled."""
        return self.entry.compile_id if self.entry is not None else self.would_compile

    @property
    def runs_eagerly(self) -> bool:
        """Whether torch runs the call eagerly, because of the frame's status or the stance in force."""
        is_skipped = self.status.status in (FrameStatus.SKIPPED, FrameStatus.RECOMPILE_LIMIT)
        return not self.hit and not self.raises and not self.undecided and (bool(self.eagerly) or is_skipped)

    @property
    def reason(self) -> str:
        """Why torch does not compile the call; "" if it does, or if torch gives no reason."""
        return "" if self.hit else self.undecided or self.raises or self.eagerly or self.status.reason

    def __str__(self) -> str:
        head = self._head() + not_evaluated_note(self.not_evaluated)
        return "\n".join([head, *(f"  {failure}" for failure in self.failures)])

    def _head(self) -> str:
        why = f" ({self.reason})" if self.reason else ""
        if self.precompiled:
            return "an entry that torch loaded precompiled, which has no compile id"
        if self.hit:
            return f"entry [{self.compile_id}]"
        if self.undecided:
            return f"undecided: {self.undecided}"
        if self.raises:
            return f"no entry: torch raises an exception ({self.raises})"
        if self.eagerly:
            return f"no entry: runs eagerly ({self.eagerly})"
        if self.runs_eagerly:
            return f"no entry: runs eagerly, {self.status.status.value}{why}"
        if self.status.status is FrameStatus.ERROR:
            return f"no entry: would compile again; the latest compilation failed{why}"
        if self.status.status is FrameStatus.UNKNOWN:
            return f"no entry: would compile or run eagerly; torch has no record which{why}"
        if self.status.status is FrameStatus.NOT_MET:
            return "no entry: not compiled yet"
        others = (
            f": {count(self.of_others, 'entry', 'entries')} of other backends or isolated regions"
            if self.of_others
            else ""
        )
        return f"no entry: would compile [{self.would_compile}]{others}"

    __repr__ = __str__

    def _rows(self) -> list[tuple[str, ...]]:
        """Returns the entries in the order in which they are tried, with the guard that fails."""
        rows: list[tuple[str, ...]] = [("entry", "guard on", "expected", "found", "what to do")]
        for f in self.failures:
            rows.append((f"[{f.entry}]", f.subject_text, f.expected, f.found, f.advice))
        return [*rows, (f"[{self.compile_id}]", "matches this call", "", "", "")] if self.hit else rows

    def _repr_html_(self) -> str:
        """Returns the answer as a table, for notebooks."""
        return html_table(self._rows(), self._head() + not_evaluated_note(self.not_evaluated))

    def __rich__(self) -> Table:
        """Returns the answer as a table, for rich."""
        return rich_table(self._rows(), self._head() + not_evaluated_note(self.not_evaluated))


_FORCED = "the stance is force_eager"


class Dispatch:
    """Answers questions about calls of a compiled function; `record` has the facts that a session collected."""

    def __init__(self, fn: Any, record: Record | None = None) -> None:
        self._target = target_of(fn)
        self._code = self._target.function.__code__
        self._reader = Reader(record)

    @property
    def name(self) -> str:
        """The name of the function."""
        return self._target.function.__name__

    def is_met(self) -> bool:
        """Returns whether Dynamo has an entry of the function, or has processed its code."""
        is_loaded = bool(cache_entries.precompiled_guards(self._code))
        return is_loaded or bool(self._reader.own_entries(self._target)) or conversions.was_seen(self._code)

    def check_met(self) -> None:
        """Raises `NotCompiled` if Dynamo has no entry of the function, and has not processed its code."""
        if not self._reader.own_entries(self._target) and not conversions.was_seen(self._code):
            if loaded := len(cache_entries.precompiled_guards(self._code)):
                raise NotCompiled(
                    f"{self._target.function.__qualname__} has only precompiled entries, which torch loaded "
                    f"(caching_precompile; {loaded} of them): depyf cannot read these"
                )
            raise NotCompiled(
                f"{self._target.function.__qualname__} has no compiled entry: it was not called through torch.compile, "
                "or torch.compiler.reset() dropped what was compiled"
            )

    def entries(self) -> list[Entry]:
        """Returns the function's entries in the order in which torch tries them."""
        return [self._explaining(entry) for entry in self._reader.own_entries(self._target)]

    def which(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Decision:
        """Determines which entry a call with these arguments would use."""
        with self._target.within_contexts():
            return self._which(args, kwargs)

    def _which(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Decision:
        """Returns the decision for a call; called within the contexts that torch's decorators enter."""
        if dynamo.stance() == "force_eager":
            return Decision(self._code.co_name, None, "?", (), eagerly=_FORCED)
        if self._target.changes_arguments:
            return Decision(self._code.co_name, None, "?", (), undecided=self._target.changes_arguments)
        frame = self._frame(args, kwargs)
        if self.takes_precompiled(args, kwargs):
            return Decision(self._code.co_name, None, "", (), precompiled=True)
        failed: list[Failure] = []
        unknown = 0
        skips_guards = dynamo.skips_guards()
        entries = self._reader.own_entries(self._target)
        for entry in entries:
            failure, not_evaluated = self._first_failure(entry, frame)
            unknown += not_evaluated
            if failure is None and failed and skips_guards:
                break
            if failure is None:
                return Decision(self._code.co_name, self._explaining(entry), "", tuple(failed), not_evaluated=unknown)
            failed.append(failure)
        if entries and skips_guards:
            reason = "with skip_guard_eval_unsafe, torch evaluates only guards that failed before"
            return Decision(self._code.co_name, None, "?", tuple(failed), undecided=reason)
        others = [] if entries else self._reader.own_entries(Target(self._target.function))
        following = _next_id([entry.compile_id for entry in entries or others])
        status = self._miss(frame.locals)
        eagerly, raises = self._instead_of_compiling(status, has_entries=bool(entries))
        return Decision(
            self._code.co_name,
            None,
            following,
            tuple(failed),
            status,
            unknown,
            eagerly=eagerly,
            raises=raises,
            of_others=len(others),
        )

    def takes_precompiled(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
        """Returns whether the call matches a precompiled entry that torch has loaded; torch tries these first."""
        loaded = cache_entries.precompiled_guards(self._code)
        if not loaded:
            return False
        local = self._frame(args, kwargs).locals
        with self._target.within_contexts():
            return any(guards.check(local) for guards in loaded)

    def not_met(self) -> Decision:
        """Returns the decision for the first call of a function."""
        status = StatusReport(FrameStatus.NOT_MET)
        with self._target.within_contexts():
            eagerly, raises = self._instead_of_compiling(status, has_entries=False)
            if dynamo.stance() == "force_eager":
                eagerly = _FORCED
        return Decision(self.name, None, "?", (), status, eagerly=eagerly, raises=raises)

    def failures(self, compile_id: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[Failure]:
        """Returns all guards of an entry that fail for these arguments; raises NotCompiled if it does not exist."""
        frame = self._frame(args, kwargs)
        for entry in self._reader.own_entries(self._target):
            if entry.compile_id == compile_id:
                with self._target.within_contexts():
                    failing = [self._placed(f, entry, frame) for f in evaluator_of(entry).failures(frame, compile_id)]
                    first = self._first_failure(entry, frame)[0] if not failing else None
                    return [first] if first is not None else failing
        raise NotCompiled(f"{self._code.co_name} has no entry [{compile_id}] now")

    def _frame(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Frame:
        return Frame(self._target.bind(args, dict(kwargs)), self._target.function.__globals__)

    def _first_failure(self, entry: Entry, frame: Frame) -> tuple[Failure | None, int]:
        """Returns the first failing guard of an entry, or None; and the number of guards that were not evaluated."""
        evaluator = evaluator_of(entry)
        failure, unknown = evaluator.first_failure(frame, entry.compile_id)
        if failure is None and unknown:  # depyf cannot evaluate all guards: ask torch
            part = self._reader.failing_part(self._target, entry, frame.locals)
            if part is not None:
                failure = evaluator.reported_failure(part, unknown, frame, entry.compile_id) if part else None
                unknown = []
        return self._placed(failure, entry, frame) if failure is not None else None, len(unknown)

    def _placed(self, failure: Failure, entry: Entry, frame: Frame) -> Failure:
        """Adds to a failure what the guard does not contain: sizes fixed by the program, and the calling line."""
        if sizes := marked_sizes(failure.advice):
            fixed = fixed_sizes(self._reader.own_entries(self._target), self._reader.record)
            if places := [str(where) if where else "" for size, where in fixed.items() if size in sizes]:
                failure = replace(failure, cure=fixed_size(max(places)))
        where, stack = failure.location, failure.guard.stack if failure.guard is not None else ()
        if where is not None and not stack and where.path != names.shortened(self._code.co_filename):
            stack = self._reader.failing_stack(self._target, entry, frame.locals)
            if stack and (names.shortened(stack[-1].path), stack[-1].line) != (where.path, where.line):
                stack = ()
        if stack:
            failure = replace(failure, caller=calling_line(stack[-1], stack))
        return failure

    def _miss(self, local: Mapping[str, Any]) -> StatusReport:
        """Returns the status of the frame for a call that matches no entry.

        A further entry may exceed the recompile limit.
        """
        status = frame_status.status_of(self._code, self._target.wrapper)
        if status.status is FrameStatus.SKIPPED:
            hooks = f"; hooks of {self._target.hooked} are frames of their own" if self._target.hooked else ""
            return replace(status, reason=(self._skipped_at(status.reason) or status.reason) + hooks)
        if status.status is not FrameStatus.COMPILED:
            return status
        region = cache_entries.region_of(self._target.wrapper)
        exceeded = conversions.exceeds_recompile_limit(self._code, -1 if region is None else region, local)
        return StatusReport(FrameStatus.RECOMPILE_LIMIT, exceeded) if exceeded else status

    def _skipped_at(self, reason: str) -> str:
        """Returns the graph break for which torch skips the frame, and why it cannot resume after it.

        Returns "" if not known.
        """
        record, start = self._reader.record, frame_names.start_of(self._code)
        for graph_break in record.graph_breaks if record is not None else ():
            for compile_id, explanation in graph_break.skips.items():
                if record is not None and record.starts.get(compile_id) == start and graph_break.reason in reason:
                    return f"{reason} at {graph_break.where}. {explanation}".rstrip(".")
        return ""

    def _instead_of_compiling(self, status: StatusReport, *, has_entries: bool) -> tuple[str, str]:
        """Returns why a stance or option makes torch run a call without entry eagerly, and why it raises.

        Returns "" if it does not.
        """
        current = frame_status.status_of(self._code, self._target.wrapper).status
        if current in (FrameStatus.SKIPPED, FrameStatus.RECOMPILE_LIMIT):
            return "", ""  # Dynamo is not called again for this frame
        if eagerly := dynamo.why_misses_run_eagerly(self._code):
            return eagerly, ""
        if dynamo.stance() == "fail_on_recompile":
            return "", "the stance is fail_on_recompile"
        if status.status is FrameStatus.RECOMPILE_LIMIT:
            cause = conversions.raises_at_limit(self._target.wrapper)
            return "", f"{status.reason} is reached, and {cause}" if cause else ""
        return "", "error_on_recompile = True" if has_entries and dynamo.fails_on_recompile() else ""

    def _explaining(self, entry: Entry) -> Entry:
        """Returns a copy of the entry whose method `explain` evaluates its guards for a call of this function."""

        def explain(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Explanation:
            if not any(held is entry for held in self._reader.own_entries(self._target)):
                raise _dropped(entry)
            with self._target.within_contexts():
                failure, unknown = self._first_failure(entry, self._frame(args, kwargs))
            return Explanation(entry.compile_id, failure, unknown)

        return replace(entry, explainer=explain)


def _next_id(ids: list[str]) -> str:
    """Returns the compile id of a frame's next compilation.

    Returns "?" if not known. Compilations without an entry count, too.
    """
    if not ids or not torchs_id(ids[0]).replace("/", "").isdigit():
        return "?"
    frame = frame_of(ids[0])
    started = conversions.compilations_of(torchs_id(frame))
    if started is None:
        started = 1 + max(int(torchs_id(i).rpartition("/")[2]) for i in ids)
    return compile_id_in(frame, started)


_functions: dict[int, weakref.ref[types.FunctionType]] = {}  # cache of `_function_of`, by id of the code object


def explainer_of(entry: Entry) -> Any:
    """Returns the explainer for an entry of a record, which needs the live function.

    Raises:
        NotCompiled: The function no longer exists, or torch has dropped the entry.

    """
    code = entry.original() if entry.original is not None else None
    function = _function_of(code) if code is not None else None
    if function is None:
        raise NotCompiled(f"the function of entry [{entry.compile_id}] no longer exists")
    for live in Dispatch(function, latest_record()[0]).entries():
        if live.compile_id == entry.compile_id:
            return live.explainer
    raise _dropped(entry)


def _dropped(entry: Entry) -> NotCompiled:
    return NotCompiled(f"torch has dropped entry [{entry.compile_id}]")


def _function_of(code: types.CodeType) -> types.FunctionType | None:
    """Returns a live function with this code object, or None.

    Cached, because the search visits all objects of the process.
    """
    cached = _functions[id(code)]() if id(code) in _functions else None
    if cached is not None and cached.__code__ is code:
        return cached
    function = functions_of([code]).get(id(code))
    if function is not None:
        _functions[id(code)] = weakref.ref(function)
    else:
        _functions.pop(id(code), None)
    return function


def reasons_of(entry: Entry, local: dict[str, Any], scope: dict[str, Any]) -> list[RecompileReason]:
    """Returns the guards of an entry that fail for a frame as reasons of a recompile; torch's reason is first."""
    reasons = []
    code = entry.original() if entry.original is not None else None
    for failure in evaluator_of(entry).independent_failures(Frame(local, scope), entry.compile_id):
        # The arguments of a resume function have no names that the user could use before the graph break.
        described = replace(failure, subject="") if entry.is_resume else failure
        reasons.append(
            RecompileReason(
                entry.compile_id,
                failure.source,
                handed_on.with_expression(code, failure.source, failure.what),
                failure.expected,
                failure.found,
                failure.location or NOWHERE,
                described.advice,
                stack=failure.guard.stack if failure.guard is not None else (),
            )
        )
    return reasons


def refusals(code: types.CodeType, local: dict[str, Any], scope: dict[str, Any]) -> list[RecompileReason]:
    """Returns why a frame that runs eagerly matches none of the entries of its code.

    Args:
        code: The code object of the frame.
        local: The local variables of the frame.
        scope: The global variables of the frame.

    Returns:
        One reason for each entry, in the order in which torch tries them; empty if there are no entries.

    """
    with dynamo.dynamo_disabled():
        entries = caches.entries_of_region(latest_record()[0] or Record(), code, scope, conversions.current_region())
        return [reason for entry in entries for reason in reasons_of(entry, local, scope)[:1]]


def which_entry(fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Decision:
    """Determine which entry a call would use, or why none matches and what to do about it.

    Args:
        fn: A compiled function or module, or the function, method or module that was compiled.
        *args: The arguments of the call. Only guards are evaluated; the function does not run. If hooks of a module or
            decorators run before the compiled frame, ask about `forward` or `__wrapped__` instead, with the arguments
            that these pass on.
        **kwargs: The keyword arguments of the call.

    Returns:
        The decision. As a condition, it is true if an entry matches the call.

    Raises:
        NotCompiled: `fn` is not a Python function, method or module (then it is also a `TypeError`), or it was compiled
            ahead of time.

    Examples:
        >>> import depyf, torch
        >>> scale = torch.compile(lambda x, k: x * k, backend="eager", dynamic=False)
        >>> result = scale(torch.ones(2), 2)
        >>> depyf.which_entry(scale, torch.ones(2), 2).hit
        True
        >>> miss = depyf.which_entry(scale, torch.ones(2), 3)
        >>> (miss.hit, miss.failures[0].source, miss.failures[0].expected, miss.failures[0].found)
        (False, 'k', '2', '3')

    """
    dispatch = Dispatch(fn, latest_record()[0])
    return dispatch.which(args, kwargs) if dispatch.is_met() else dispatch.not_met()


def entries(fn: Callable[..., Any]) -> list[Entry]:
    """List the compiled entries of a function in the order in which torch tries them.

    Args:
        fn: A compiled function or module, or the function, method or module that was compiled.

    Returns:
        The entries that a call tries; empty if torch skips the frame.

    Raises:
        NotCompiled: The function was not called through torch.compile, or `torch.compiler.reset()` dropped its entries,
            or it was compiled ahead of time. If it is not a Python function, method or module, also a `TypeError`.

    Examples:
        >>> import depyf, torch
        >>> double = torch.compile(lambda x: x * 2, backend="eager")
        >>> result = double(torch.ones(2))
        >>> [entry.backend for entry in depyf.entries(double)]
        ['eager']

    """
    dispatch = Dispatch(fn, latest_record()[0])
    dispatch.check_met()
    return dispatch.entries()


explain_with(explainer_of)
