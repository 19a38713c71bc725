# SPDX-License-Identifier: MIT
"""Our guards against torch's guard manager: the same answer for every mutated call, and the same guard named.

DEPYF_MUTATIONS=N adds about N calls with two mutations at once.
"""

from __future__ import annotations

import itertools
import os
import re

import depyf
import mutations
import pytest
import torch
from depyf.torch.capture import caches
from depyf.torch.guards import checks, evaluate, parse
from depyf.torch.replay import bound_full_code

from tools.judges import torch_says

THOROUGH = int(os.environ.get("DEPYF_MUTATIONS", "0"))
_NAMED = re.compile(r"^(?:tensor|expected type of) '(.*?)'(?: |$)")


def torch_names(manager, local):
    """What torch says fails first (its text of it), or nothing when the call hits."""
    hits = manager.check(local)  # moves what failed often to the front of the tree; the verbose check moves nothing
    info = manager.check_verbose(local)
    assert bool(info.result) == hits
    return None if info.result else list(info.verbose_code_parts)


def is_named(guard, parts):
    """Whether a guard of ours is the one that torch's text speaks of."""
    for part in parts:
        if match := _NAMED.match(part):
            return guard.kind == "TENSOR_MATCH" and guard.text.startswith(f"check_tensor({match.group(1)}, ")
        if part.startswith("GLOBAL_STATE changed"):
            return guard.kind == "GLOBAL_STATE"
        if "_dynamo" in part and "present on runtime tensor" in part:
            return guard.kind == "DIMENSION_DYNAMIC_MARKING_GUARD"
        if part.startswith("Duplicate tensor found"):
            return guard.kind == "NO_TENSOR_ALIASING"
        if part.startswith(("len(", "TYPE_MISMATCH(")) and guard.kind == parse.DICT_MANAGER:
            return f"({guard.source})" in part
        if parse.split_comment(part)[0].split(" (HINT")[0] == guard.text:
            return True
        if " on " in part or "failed" in part or "rror" in part:  # an attribute or item is not there
            return part.rsplit(" ", 1)[-1] in guard.text + guard.source
    return False


def first_by_now(manager, failing):
    """Of the guards that fail, the one that stands first in torch's tree as it is now."""

    def identity(guard):
        return guard.kind, guard.text.split(", type=")[0]  # the class may be known from elsewhere

    order = [identity(guard) for guard in parse.parse_tree(str(manager))]
    return min(failing, key=lambda guard: order.index(identity(guard)))


def judge(subject, bound, target, name, context, args, kwargs):
    """One mutated call: disagreements as text."""
    with context:
        try:
            local = target.bind(args, kwargs)
        except TypeError:  # no call of this function
            return []
        entries = bound._frames[0].entries
        ids = {entry.model.compile_id for entry in entries}  # torch holds other torch.compile() of this code too
        cached = [e for e in torch_says.entries_of(target.function.__code__) if str(e.compile_id) in ids]
        assert entries
        frame = checks.Frame(local, target.function.__globals__)
        problems = []
        for entry, torchs in zip(entries, cached, strict=True):
            parts = torch_names(torchs.guard_manager, local)
            asked = evaluate.evaluator_of(entry.model)
            ours, _ = asked.first_failure(frame, entry.model.compile_id)
            where = f"{subject.name} [{entry.model.compile_id}] {name}"
            if (ours is None) != (parts is None):
                problems.append(f"{where}: torch {parts or 'hit'}; ours {ours or 'hit'}")
            elif ours is not None and not is_named(entry.model.guards[ours.index], parts):
                # torch moves guards that failed before to the front: where several fail it may name another of them
                every = [entry.model.guards[f.index] for f in asked.failures(frame)]
                if not is_named(first_by_now(torchs.guard_manager, every), parts):
                    problems.append(f"{where}: torch names {parts}; ours {entry.model.guards[ours.index]}")
        return problems


def run(subject, every=1, more=0, watched=None):
    """Judges each `every`-th mutation of a subject, and `more` pairs of mutations: (how many, disagreements)."""
    bound = bound_full_code.BoundFullCode(subject.fn, watched)
    target = caches.target_of(subject.fn)
    chosen = itertools.islice(mutations.mutations(subject, target.function), 0, None, every)
    problems, count = [], 0
    for mutation in [*chosen, *mutations.pairs(subject, target.function, more, 1)]:
        problems += judge(subject, bound, target, *mutation)
        count += 1
    return count, problems


@pytest.mark.parametrize("watched", [False, True], ids=["attached late", "watched"])
def test_every_guard_answers_as_torch(tmp_path, watched):
    session = depyf.prepare_debug(tmp_path)
    if watched:
        with session:
            made = mutations.subjects()
        assert not session.record.problems
    else:
        made = mutations.subjects()
    total, problems = 0, []
    for subject in made:
        count, found = run(subject, 3 if watched else 1, THOROUGH // len(made), session.record if watched else None)
        total += count
        problems += found
    assert not problems, "\n".join([f"{len(problems)} of {total}", *problems[:40]])
    assert total >= (1000 if watched else 3000)
    for subject in made:  # mutations put everything back
        with torch.compiler.set_stance("fail_on_recompile"):
            subject.fn(*subject.args, **subject.kwargs)


def test_nothing_is_taken_on_trust():
    """No guard of these subjects is one that the file cannot check."""
    for subject in mutations.subjects():
        assert "yield not_evaluated(" not in bound_full_code.BoundFullCode(subject.fn).text, subject.name
