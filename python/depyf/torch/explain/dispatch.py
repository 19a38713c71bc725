# SPDX-License-Identifier: MIT
"""Questions about a compiled function: which entry a call would take, which there are, why one does not take it.

Works with or without a session. Invariant: an answer is made anew each time, from Dynamo's entries as they are and from
the values of the call; only what is known of an entry is kept, as long as torch keeps the entry. Nothing is written,
run in the program's place, or allocated for the program's values.
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
    """Where a call goes, and why not elsewhere; true where an entry takes it.

    Attributes:
        name: Of the function.
        entry: The first entry that takes the call, or None: torch.compile would compile, unless what follows says
            otherwise.
        would_compile: The compile id it would get then.
        failures: Of the entries that were tried before, first failing guard of each.
        status: Of the frame.
        not_evaluated: How many guards depyf does not evaluate, and assumed true.
        undecided: Why it cannot be told where the call goes, "" where it can: what runs before the frame may give it
            other arguments, or torch asks not all guards.
        precompiled: Whether an entry takes the call that torch loaded (`caching_precompile`), of which depyf knows
            the guards alone: `entry` is None.
        eagerly: Why torch runs the call eagerly though it compiles the frame: the stance in force; else "".
        raises: Why torch raises an exception in the place of compiling: what was asked of it; else "".
        of_others: How many entries the function has where all are of other backends or isolated regions, and so none
            is tried.

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
        """Whether some entry takes the call."""
        return self.entry is not None or self.precompiled

    @property
    def compile_id(self) -> str:
        """Of the entry that takes the call, or of the one that would be compiled."""
        return self.entry.compile_id if self.entry is not None else self.would_compile

    @property
    def runs_eagerly(self) -> bool:
        """Whether torch runs the call eagerly: for the frame's status, or for the stance in force."""
        is_skipped = self.status.status in (FrameStatus.SKIPPED, FrameStatus.RECOMPILE_LIMIT)
        return not self.hit and not self.raises and not self.undecided and (bool(self.eagerly) or is_skipped)

    @property
    def reason(self) -> str:
        """Torch's reason for not compiling the call, "" where it gave none."""
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
            return f"not told: {self.undecided}"
        if self.raises:
            return f"no entry: torch raises an exception ({self.raises})"
        if self.eagerly:
            return f"no entry: runs eagerly ({self.eagerly})"
        if self.runs_eagerly:
            return f"no entry: runs eagerly, {self.status.status.value}{why}"
        if self.status.status is FrameStatus.ERROR:
            return f"no entry: would compile again; the latest compilation failed{why}"
        if self.status.status is FrameStatus.UNKNOWN:
            return f"no entry: would compile or run eagerly, torch kept no record which{why}"
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
        """The entries in the order in which the call is tried on them."""
        rows: list[tuple[str, ...]] = [("entry", "guard on", "expected", "found", "what to do")]
        for f in self.failures:
            rows.append((f"[{f.entry}]", f.subject_text, f.expected, f.found, f.advice))
        return [*rows, (f"[{self.compile_id}]", "takes this call", "", "", "")] if self.hit else rows

    def _repr_html_(self) -> str:
        """The answer as a table, for notebooks."""
        return html_table(self._rows(), self._head() + not_evaluated_note(self.not_evaluated))

    def __rich__(self) -> Table:
        """The answer as a table, for rich's terminals."""
        return rich_table(self._rows(), self._head() + not_evaluated_note(self.not_evaluated))


_FORCED = "the stance is force_eager"


class Dispatch:
    """Where calls of a compiled function go. `record`: what a session knows of its entries."""

    def __init__(self, fn: Any, record: Record | None = None) -> None:
        self._target = target_of(fn)
        self._code = self._target.function.__code__
        self._reader = Reader(record)

    @property
    def name(self) -> str:
        """Of the function."""
        return self._target.function.__name__

    def is_met(self) -> bool:
        """Whether Dynamo has an entry of the function or has met it."""
        is_loaded = bool(cache_entries.precompiled_guards(self._code))
        return is_loaded or bool(self._reader.known(self._target)) or conversions.was_seen(self._code)

    def check_met(self) -> None:
        """Raises `NotCompiled` where Dynamo has neither an entry of the function nor met it."""
        if not self._reader.known(self._target) and not conversions.was_seen(self._code):
            if loaded := len(cache_entries.precompiled_guards(self._code)):
                raise NotCompiled(
                    f"{self._target.function.__qualname__} has precompiled entries alone, which torch loaded "
                    f"(caching_precompile; {loaded} of them): depyf does not read these"
                )
            raise NotCompiled(
                f"{self._target.function.__qualname__} has no compiled entry: it was not called through torch.compile, "
                "or torch.compiler.reset() dropped what was compiled"
            )

    def entries(self) -> list[Entry]:
        """The function's entries in the order in which torch tries them."""
        return [self._explaining(entry) for entry in self._reader.known(self._target)]

    def which(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Decision:
        """Which entry a call with these arguments would take."""
        with self._target.within_contexts():
            return self._which(args, kwargs)

    def _which(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Decision:
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
        known = self._reader.known(self._target)
        for entry in known:
            failure, not_evaluated = self._first_failure(entry, frame)
            unknown += not_evaluated
            if failure is None and failed and skips_guards:
                break
            if failure is None:
                return Decision(self._code.co_name, self._explaining(entry), "", tuple(failed), not_evaluated=unknown)
            failed.append(failure)
        if known and skips_guards:
            reason = "skip_guard_eval_unsafe has torch ask those guards alone that failed before"
            return Decision(self._code.co_name, None, "?", tuple(failed), undecided=reason)
        others = [] if known else self._reader.known(Target(self._target.function))
        following = _next_id([entry.compile_id for entry in known or others])
        status = self._miss(frame.locals)
        eagerly, raises = self._instead_of_compiling(status, has_entries=bool(known))
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
        """Whether an entry that torch loaded precompiled takes the call: torch tries these first."""
        loaded = cache_entries.precompiled_guards(self._code)
        if not loaded:
            return False
        local = self._frame(args, kwargs).locals
        with self._target.within_contexts():
            return any(guards.check(local) for guards in loaded)

    def not_met(self) -> Decision:
        """What becomes of a call that is the first of the function."""
        status = StatusReport(FrameStatus.NOT_MET)
        with self._target.within_contexts():
            eagerly, raises = self._instead_of_compiling(status, has_entries=False)
            if dynamo.stance() == "force_eager":
                eagerly = _FORCED
        return Decision(self.name, None, "?", (), status, eagerly=eagerly, raises=raises)

    def failures(self, compile_id: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[Failure]:
        """Every guard of an entry that does not hold for these arguments."""
        frame = self._frame(args, kwargs)
        for entry in self._reader.known(self._target):
            if entry.compile_id == compile_id:
                with self._target.within_contexts():
                    found = [self._placed(f, entry, frame) for f in evaluator_of(entry).failures(frame, compile_id)]
                    told = self._first_failure(entry, frame)[0] if not found else None
                    return [told] if told is not None else found
        raise NotCompiled(f"{self._code.co_name} has no entry [{compile_id}] now")

    def _frame(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Frame:
        return Frame(self._target.bind(args, dict(kwargs)), self._target.function.__globals__)

    def _first_failure(self, entry: Entry, frame: Frame) -> tuple[Failure | None, int]:
        evaluator = evaluator_of(entry)
        failure, unknown = evaluator.first_failure(frame, entry.compile_id)
        if failure is None and unknown:  # then torch is asked
            said = self._reader.failing_part(self._target, entry, frame.locals)
            if said is not None:
                failure, unknown = evaluator.failure_told(said, unknown, frame, entry.compile_id) if said else None, []
        return self._placed(failure, entry, frame) if failure is not None else None, len(unknown)

    def _placed(self, failure: Failure, entry: Entry, frame: Frame) -> Failure:
        """The failure with what the guard alone does not tell: the program's fixed sizes, and its line."""
        if sizes := marked_sizes(failure.advice):
            fixed = fixed_sizes(self._reader.known(self._target), self._reader.record)
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
        """The status of the function for a call that no entry takes: one more entry may exceed the recompile limit."""
        status = frame_status.status_of(self._code, self._target.wrapper)
        if status.status is FrameStatus.SKIPPED:
            return replace(status, reason=self._skipped_at(status.reason) or status.reason)
        if status.status is not FrameStatus.COMPILED:
            return status
        region = cache_entries.region_of(self._target.wrapper)
        exceeded = conversions.exceeds_recompile_limit(self._code, -1 if region is None else region, local)
        return StatusReport(FrameStatus.RECOMPILE_LIMIT, exceeded) if exceeded else status

    def _skipped_at(self, reason: str) -> str:
        """The break for which torch skips the frame, and why it cannot go on after it; "" if that is not known."""
        record, start = self._reader.record, frame_names.start_of(self._code)
        for found in record.graph_breaks if record is not None else ():
            for compile_id, said in found.skips.items():
                if record is not None and record.starts.get(compile_id) == start and found.reason in reason:
                    return f"{reason} at {found.where}. {said}".rstrip(".")
        return ""

    def _instead_of_compiling(self, status: StatusReport, *, has_entries: bool) -> tuple[str, str]:
        """Why the stance or an option has torch run a call that no entry takes eagerly, or raise; "" where not so."""
        known = frame_status.status_of(self._code, self._target.wrapper).status
        if known in (FrameStatus.SKIPPED, FrameStatus.RECOMPILE_LIMIT):
            return "", ""  # Dynamo is not asked again
        if eagerly := dynamo.why_misses_run_eagerly(self._code):
            return eagerly, ""
        if dynamo.stance() == "fail_on_recompile":
            return "", "the stance is fail_on_recompile"
        if status.status is FrameStatus.RECOMPILE_LIMIT:
            cause = conversions.raises_at_limit(self._target.wrapper)
            return "", f"{status.reason} is reached, and {cause}" if cause else ""
        return "", "error_on_recompile = True" if has_entries and dynamo.fails_on_recompile() else ""

    def _explaining(self, entry: Entry) -> Entry:
        """The entry for its user: `explain` asks its guards about a call of this function."""

        def explain(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Explanation:
            with self._target.within_contexts():
                failure, unknown = self._first_failure(entry, self._frame(args, kwargs))
            return Explanation(entry.compile_id, failure, unknown)

        return replace(entry, explainer=explain)


def _next_id(ids: list[str]) -> str:
    """The id of a frame's next compilation: torch counts those that left no entry, too; "?" where it tells none."""
    if not ids or not torchs_id(ids[0]).replace("/", "").isdigit():
        return "?"
    frame = frame_of(ids[0])
    done = conversions.compilations_of(torchs_id(frame))
    if done is None:
        done = 1 + max(int(torchs_id(i).rpartition("/")[2]) for i in ids)
    return compile_id_in(frame, done)


_functions: dict[int, weakref.ref[types.FunctionType]] = {}  # by id of the code, as found before


def explainer_of(entry: Entry) -> Any:
    """What `explain` needs for an entry of a record: the function it was compiled for, while that lives."""
    code = entry.original() if entry.original is not None else None
    function = _function_of(code) if code is not None else None
    if function is None:
        raise NotCompiled(f"the function of entry [{entry.compile_id}] is gone")
    for live in Dispatch(function, latest_record()[0]).entries():
        if live.compile_id == entry.compile_id:
            return live.explainer
    raise NotCompiled(f"torch has dropped entry [{entry.compile_id}]")


def _function_of(code: types.CodeType) -> types.FunctionType | None:
    """A living function of a code object; the search goes through all objects, so the last one found is remembered."""
    known = _functions[id(code)]() if id(code) in _functions else None
    if known is not None and known.__code__ is code:
        return known
    function = functions_of([code]).get(id(code))
    if function is not None:
        _functions[id(code)] = weakref.ref(function)
    else:
        _functions.pop(id(code), None)
    return function


def reasons_of(entry: Entry, local: dict[str, Any], scope: dict[str, Any]) -> list[RecompileReason]:
    """The guards of an entry that a frame does not meet, as reasons of a recompile; torch's own comes first."""
    reasons = []
    code = entry.original() if entry.original is not None else None
    for failure in evaluator_of(entry).independent_failures(Frame(local, scope), entry.compile_id):
        # what a frame that continues after a graph break is given has no name that the user could use before
        named = replace(failure, subject="") if entry.is_resume else failure
        reasons.append(
            RecompileReason(
                entry.compile_id,
                failure.source,
                handed_on.told(code, failure.source, failure.what),
                failure.expected,
                failure.found,
                failure.location or NOWHERE,
                named.advice,
                stack=failure.guard.stack if failure.guard is not None else (),
            )
        )
    return reasons


def refusals(code: types.CodeType, local: dict[str, Any], scope: dict[str, Any]) -> list[RecompileReason]:
    """Why none of torch's entries of a code takes a call that ran it as it is, as of the frame's variables; [] without.

    One reason for each entry, in the order in which torch tries them.
    """
    with dynamo.dynamo_disabled():
        known = caches.held(latest_record()[0] or Record(), code, scope, conversions.current_region())
        return [reason for entry in known for reason in reasons_of(entry, local, scope)[:1]]


def which_entry(fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Decision:
    """Tell which entry a call would take, or why none does and what to do about it.

    Args:
        fn: What `torch.compile` made, or the function, method or module that was compiled.
        *args: The arguments of the call. They are looked at; nothing runs but the guards. Where hooks of a module or
            decorators run before the frame, ask about its `forward` or `__wrapped__`, with what they give that.
        **kwargs: Its named arguments.

    Returns:
        The decision; true where an entry takes the call.

    Raises:
        NotCompiled: It is no function, method or module of Python's, or was compiled ahead of time.

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
    """Lists the compiled entries of a function in the order in which torch tries them.

    Args:
        fn: What `torch.compile` made, or the function, method or module that was compiled.

    Returns:
        The entries that calls look at: none where torch skips the frame.

    Raises:
        NotCompiled: torch.compile has not met the function, or `torch.compiler.reset()` dropped what it compiled; or it
            was compiled ahead of time.

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
