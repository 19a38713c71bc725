# SPDX-License-Identifier: MIT
"""The guards of one entry as a function: rendered and compiled once, evaluated with the values of each call.

Invariant: only the compiled guards are cached, no result and no object of the program. Evaluates only the guards
themselves, in torch's order, and writes no text.
"""

from __future__ import annotations

import bisect
import builtins
import functools
import itertools
import re
import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from types import CodeType, FunctionType, TracebackType
from typing import Any

from depyf.torch.guards import advice, render
from depyf.torch.guards.answers import Failure
from depyf.torch.guards.checks import Frame, Mismatch, NotEvaluated, global_state_unlike
from depyf.torch.guards.functions import failure_of, helpers, raised, raw_source, read_first
from depyf.torch.internals import cache_entries, callables, guard_state
from depyf.torch.model.guard import Guard
from depyf.torch.model.record import Entry
from depyf.torch.model.words import one_line

_KEYWORDS = re.compile(r"\*\*(\w+)")
_WRONG_FUNCTION = (advice.FUNCTION, advice.WRAPPED)
_COMPARES_CODE = re.compile(r"object_is\(L\['(\w+)'\](?:\.__func__)?\.__code__,")


class Evaluator:
    """Evaluates the guards of an entry.

    `checks` are the guards as Python expressions over `L`, `G` and the helpers of the module `checks`.
    """

    def __init__(self, guards: Sequence[Guard], *, are_known: bool = True, entry: Entry | None = None) -> None:
        self._function = entry.wraps.function if entry is not None else ""  # if PyTorch wraps it
        self._free = entry.free_variables if entry is not None else ()
        keywords = _KEYWORDS.search(entry.signature) if entry is not None else None
        self._keywords = keywords[1] if keywords is not None else ""  # the name of `**kwargs`
        self._changed = entry.side_effects if entry is not None else ()
        self._set = (
            {f"{owner}.{name}" for owner, name in _SET.findall(entry.decompiled or entry.text)} if entry else set()
        )
        self._evaluated = are_known, _fingerprint(guards)
        self._guards = tuple(guards)
        self.checks = tuple(map(render.render, guards))
        self._is_closure = any(self._closed_over(index) for index in range(len(self.checks)))
        body = [f"    yield {check}" for check in self.checks] or [render.without_guards(are_known)]
        lines = itertools.accumulate((text.count("\n") + 1 for text in body), initial=2)
        self._lines = list(lines)[:-1]  # first line of each guard: finds the one that raised
        code = compile("\n".join(["def ask(L, G):", *body]), "<guards>", "exec", dont_inherit=True)
        # C code that imports a module looks for builtins in the globals of the running function.
        self._namespace = {**helpers(), "__builtins__": builtins}
        self._compiled: dict[int, CodeType] = {}
        self._ask = FunctionType(next(c for c in code.co_consts if isinstance(c, CodeType)), self._namespace)

    def evaluates(self, guards: Sequence[Guard], *, are_known: bool) -> bool:
        """Returns whether these are the guards that it evaluates, and no facts have been added to them since."""
        return self._evaluated == (are_known, _fingerprint(guards))

    @guard_state.without_torch_function()
    def first_failure(self, frame: Frame, entry: str = "") -> tuple[Failure | None, list[int]]:
        """Returns the first guard that does not hold, or None, and the positions of those before it not evaluated."""
        unknown: list[int] = []
        index = -1
        try:
            for index, outcome in enumerate(self._ask(frame.locals, frame.globals)):
                if isinstance(outcome, NotEvaluated):
                    unknown.append(index)
                elif not outcome:
                    return self._of_function(self._failure(index, outcome, frame, entry), frame), unknown
        except Exception as error:  # whatever the user's objects raise: the guard does not hold, as in torch
            line = _line_in(error.__traceback__, self._ask.__code__)
            index = bisect.bisect_right(self._lines, line) - 1 if line else index + 1
            return self._of_function(self._failure(index, raised(error), frame, entry), frame), unknown
        return None, unknown

    def _of_function(self, failure: Failure, frame: Frame) -> Failure:
        """Returns the failure, or the one that says that the wrapper calls a different function, if there is one.

        If the wrapped function differs, failures of its arguments explain nothing.
        """
        if not (self._is_closure or callables.is_frame_around_compiled(frame.globals)):
            return failure
        failures = self.independent_failures(frame, failure.entry)
        return next((other for other in failures if other.what in _WRONG_FUNCTION), failure)

    def _closed_over(self, index: int) -> str:
        """Returns the free variable whose function a guard compares; "" for other guards."""
        match = _COMPARES_CODE.match(self.checks[index])
        return match[1] if match is not None and match[1] in self._free else ""

    def reported_failure(self, report: str, unknown: Sequence[int], frame: Frame, entry: str = "") -> Failure:
        """Returns the failure of a guard that depyf does not evaluate but torch reported.

        Args:
            report: Torch's text of the failed guard.
            unknown: Positions of the guards that were not evaluated. The failing one is found by its text, or because
                there is only one.
            frame: The values of the call.
            entry: Compile id of the entry.

        """
        report = one_line(report.partition("  # ")[0])
        named = [i for i in unknown if one_line(self._guards[i].text) in report] or list(unknown)
        if len(named) != 1:
            return Failure(entry, unknown[0], None, "", "", "torch's own check", "to hold", report)
        outcome = Mismatch("torch's own check", "to hold", report)
        if self._guards[named[0]].kind == "TORCH_FUNCTION_MODE_STACK":
            modes = str(tuple(guard_state.function_modes() or ()))
            outcome = Mismatch("torch function modes", "those during its compilation, which were not recorded", modes)
        elif parts := _CHANGED_STATE.match(report):
            outcome = global_state_unlike(parts[1].split())
        return self._failure(named[0], outcome, frame, entry)

    @guard_state.without_torch_function()
    def failures(self, frame: Frame, entry: str = "") -> list[Failure]:
        """Returns every guard that does not hold, each evaluated alone: some fail only because an earlier one does."""
        failures = []
        for index, outcome in self._outcomes(frame):
            if not outcome:
                failures.append(self._failure(index, outcome, frame, entry))
        return failures

    @guard_state.without_torch_function()
    def independent_failures(self, frame: Frame, entry: str = "") -> list[Failure]:
        """Returns the guards that do not hold, except those that read from a value whose own guard failed.

        Therefore nothing is read that torch would not read for a call that the entry accepts, and each value is
        reported once.
        """
        failed: list[str] = []

        def depends_on_failed(check: str) -> bool:
            return any(_reads(source).search(check) for source in failed)

        failures = []
        for index, outcome in self._outcomes(frame, depends_on_failed):
            if not outcome:
                failures.append(self._failure(index, outcome, frame, entry))
                if failures[-1].what in _WRONG_FUNCTION:  # the entry accepts no call of this function
                    return failures[-1:]
                source = raw_source(self.checks[index])
                if isinstance(outcome, Mismatch) and outcome.what == "access" and "." in source:
                    source = source.rpartition(".")[0]  # its owner is a different object
                if source:
                    failed.append(read_first(source))
        return failures

    def _outcomes(
        self, frame: Frame, is_skipped: Callable[[str], bool] = lambda check: False
    ) -> Iterator[tuple[int, Any]]:
        """Yields position and outcome of each guard, evaluated alone, except those whose check is to be skipped."""
        scope = {"L": frame.locals, "G": frame.globals}
        for index, check in enumerate(self.checks):
            if is_skipped(check):
                continue
            try:
                yield index, eval(self._compiled_guard(index), self._namespace, scope)
            except Exception as error:
                yield index, raised(error)

    def _compiled_guard(self, index: int) -> CodeType:
        """Returns the compiled expression of one guard."""
        if index not in self._compiled:
            self._compiled[index] = compile(self.checks[index], "<guard>", "eval", dont_inherit=True)
        return self._compiled[index]

    def _failure(self, index: int, outcome: Any, frame: Frame, entry: str) -> Failure:
        """Returns the failure of a guard, with what only the entry shows: the wrapped function, and better advice."""
        failure = failure_of(self._guards[index], self.checks[index], index, outcome, frame, entry)
        if failure.what == advice.FUNCTION and self._function:
            return replace(failure, expected=self._function)
        if (name := self._closed_over(index)) and (called := callables.called(frame.locals.get(name))) is not None:
            expected = self._guards[index].public.removesuffix(".__code__") or "another one"
            cure = advice.COMPILE_CLOSURES_SEPARATELY if cache_entries.has_regions() else ""
            failure = replace(failure, source=name, argument=name, what=advice.WRAPPED, cure=cure)
            return replace(failure, expected=expected, found=called.name)
        becomes_dynamic = failure.what == "value" and failure.source in self._free  # a number in a closure
        if failure.what in ("length", "value") and failure.source in self._changed and not becomes_dynamic:
            return replace(failure, cure=advice.CHANGES_VALUE)
        if failure.what == "value" and failure.source in self._set and failure.expected.lstrip("-").isdigit():
            return replace(failure, cure=advice.changes_attribute(failure.subject))
        if failure.advice == advice.FIXED_KEYS and failure.source in self._changed:
            return replace(failure, cure=advice.CHANGES_KEYS)
        if failure.advice == advice.FIXED_KEYS and failure.source == self._keywords:
            more = self._differing(frame, failure.expected) if failure.what == "number of items" else ""
            return replace(failure, found=failure.found + more, cure=advice.FIXED_NAMES)
        if failure.what == "size" and self._marked_static(failure):
            return replace(failure, cure=advice.MARKED_STATIC)
        return failure

    def _differing(self, frame: Frame, expected: str) -> str:
        """Returns which named arguments are new in this call and which are missing, as far as the guards show."""
        read = re.compile(rf"L\['{self._keywords}'\]\['(\w+)'\]")
        guarded = dict.fromkeys(name for check in self.checks for name in read.findall(check))
        passed = frame.locals[self._keywords]
        are_all_guarded = str(len(guarded)) == expected  # otherwise the guards do not name all
        new = [n for n in passed if n not in guarded] if are_all_guarded else []
        differing = {"new": new, "missing": [n for n in guarded if n not in passed]}
        note = "; ".join(f"{kind}: {', '.join(names)}" for kind, names in differing.items() if names)
        return f" ({note})" if note else ""

    def _marked_static(self, failure: Failure) -> bool:
        """Returns whether the advice is to mark a size dynamic that is marked static in the tensor of the entry."""
        sizes = advice.marked_sizes(failure.advice)
        source = failure.guard.source if failure.guard is not None else ""
        marks = (_STATIC.search(guard.text) for guard in self._guards if sizes and guard.source == source)
        dims = {dim for match in marks if match is not None for dim in match[1].split(", ")}
        return any(size.endswith(f"[{dim}]") for size in sizes for dim in dims)


_STATIC = re.compile(r"'_dynamo_static_indices', set\(\)\)\.issubset\(\{([\d, ]+)\}\)")

_evaluators: dict[int, tuple[weakref.ref[Entry], Evaluator]] = {}


def evaluator_of(entry: Entry) -> Evaluator:
    """Returns the evaluator of an entry's guards; it is created on first use and lives as long as the entry."""
    cached = _evaluators.get(id(entry))
    if cached is not None and cached[0]() is entry and cached[1].evaluates(entry.guards, are_known=entry.guards_known):
        return cached[1]
    key = id(entry)
    evaluator = Evaluator(entry.guards, are_known=entry.guards_known, entry=entry)

    def forget(reference: weakref.ref[Entry]) -> None:
        if (latest := _evaluators.get(key)) is not None and latest[0] is reference:
            del _evaluators[key]

    _evaluators[key] = (weakref.ref(entry, forget), evaluator)
    return evaluator


# Transformed code that sets an attribute of an object of the program; up to torch 2.9 by object.__setattr__.
_SET = re.compile(r"(?:object_setattr_ignore_descriptor|object\.__setattr__)\((\w+), '(\w+)', ")
_CHANGED_STATE = re.compile(r"GLOBAL_STATE changed: (\w+(?: \w+)*)$")


@functools.lru_cache(maxsize=1024)
def _reads(source: str) -> re.Pattern[str]:
    """Returns a pattern that finds a source, or a longer one that starts with it, in a check."""
    return re.compile(re.escape(source) + r"(?!\w)")


def _fingerprint(guards: Sequence[Guard]) -> list[tuple[str, str]]:
    return [(guard.text, guard.public) for guard in guards]


def _line_in(trace: TracebackType | None, code: CodeType) -> int:
    """Returns the line at which an exception left a code object; 0 if the traceback does not contain it."""
    line = 0
    while trace is not None:
        if trace.tb_frame.f_code is code:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
