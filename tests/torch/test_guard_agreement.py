# SPDX-License-Identifier: MIT
"""Tests depyf's guards against torch's guard manager: the same result and failing guard for each mutated call.

Only torch says which guard fails, and which guards its tree has in which order. DEPYF_MUTATIONS=N adds about N calls
with two mutations each.
"""

from __future__ import annotations

import dataclasses
import itertools
import os

import depyf
import mutations
import pytest
import torch
from depyf.torch.explain.dispatch import Dispatch
from depyf.torch.guards import evaluate

from tools.judges import torch_says

THOROUGH = int(os.environ.get("DEPYF_MUTATIONS", "0"))


@pytest.fixture(autouse=True)
def changes_seen():
    """Has torch look at attributes of modules where it would miss changes, which depyf.doctor() reports."""
    options = {"use_recursive_dict_tags_for_guards": False} if torch_says.trusts_unchanged_dictionaries() else {}
    with torch._dynamo.config.patch(options):
        yield


def leaf_of(failure, leaves):
    """Returns the place in torch's tree of a guard that depyf names."""
    named = failure.guard
    text = named.text.partition(", type=")[0]
    manages = {"DICT_MANAGER": torch_says.DICTIONARY, "ACCESS": "GuardManager"}.get(named.kind)
    for place, leaf in enumerate(leaves):
        if (leaf.kind == manages and leaf.source == named.source) if manages else leaf.is_called(text):
            return place
    raise AssertionError(f"torch's tree has no guard {named}")


def judge(subject, name, context, args, kwargs):
    """Returns the disagreements of one mutated call as text."""
    with context:
        frame = torch_says.called(subject.fn, args, kwargs)
        if not frame.fits or not frame.entries:  # another function is called instead
            return []
        known_entries = {entry.compile_id: entry for entry in depyf.entries(subject.fn)}
        cached = [e for e in frame.entries if str(e.compile_id) in known_entries]  # others belong to another wrapper
        assert len(cached) == len(known_entries) > 0
        problems = []
        for entry, torchs in zip(known_entries.values(), cached, strict=True):
            assert entry.compile_id == str(torchs.compile_id)
            torchs_failure = torch_says.failing(torchs.guard_manager, frame.local)
            depyfs_failure = entry.explain(*args, **kwargs).failure
            where = f"{subject.name} [{entry.compile_id}] {name}"
            if (depyfs_failure is None) != (torchs_failure is None):
                problems.append(f"{where}: torch {torchs_failure or 'hit'}; ours {depyfs_failure or 'hit'}")
            elif depyfs_failure is not None:
                leaves = torch_says.leaves(torchs.guard_manager)
                named = leaves[leaf_of(depyfs_failure, leaves)]
                if is_named(named, torchs_failure):
                    continue
                # torch moves guards that failed before to the front, so it may name another of several failing ones
                every = Dispatch(subject.fn).failures(entry.compile_id, args, kwargs)
                first = leaves[min(leaf_of(failure, leaves) for failure in every)]
                texts = [failure.guard.text for failure in every]  # only a session knows the lines of all guards
                if not is_named(first, torchs_failure) or depyfs_failure.guard.text not in texts:
                    problems.append(f"{where}: torch names {torchs_failure}; ours {depyfs_failure.guard}")
                elif named.holds(frame.function, frame.local):
                    problems.append(f"{where}: ours names {depyfs_failure.guard}, which holds by torch")
        return problems


def is_named(leaf, said):
    """Returns whether torch's verbose check names this guard of its tree."""
    return any(leaf.is_named_in(part) for part in said)


def run(subject, every=1, more=0):
    """Checks each EVERY-th mutation of a subject and MORE pairs; returns how many, and the disagreements."""
    frame = torch_says.called(subject.fn, subject.args, subject.kwargs)
    assert frame.fits and frame.entries
    function = frame.function
    chosen = itertools.islice(mutations.mutations(subject, function), 0, None, every)
    problems, count = [], 0
    for mutation in [*chosen, *mutations.pairs(subject, function, more, 1)]:
        problems += judge(subject, *mutation)
        count += 1
    return count, problems


@pytest.mark.slow
@pytest.mark.parametrize("watched", [False, True], ids=["attached late", "watched"])
def test_every_guard_agrees_with_torch(tmp_path, watched):
    session = depyf.prepare_debug(tmp_path)
    if watched:
        with session:
            made = mutations.subjects()
        assert not session.record.problems
    else:
        made = mutations.subjects()
    total, problems = 0, []
    for subject in made:
        count, found = run(subject, 3 if watched else 1, THOROUGH // len(made))
        total += count
        problems += found
    assert not problems, "\n".join([f"{len(problems)} of {total}", *problems[:40]])
    assert total >= (1000 if watched else 3000)
    for subject in made:  # mutations are undone
        with torch.compiler.set_stance("fail_on_recompile"):
            subject.fn(*subject.args, **subject.kwargs)


def test_wrong_guard_is_found(monkeypatch):
    """The comparison must fail if depyf names another guard than the one that fails."""
    first_failure = evaluate.Evaluator.first_failure

    def lie(self, frame, entry=""):
        found, unknown = first_failure(self, frame, entry)
        if found is not None:
            others = [guard for guard in self._guards if guard.source != found.guard.source]
            found = dataclasses.replace(found, guard=others[found.index % len(others)])
        return found, unknown

    monkeypatch.setattr(evaluate.Evaluator, "first_failure", lie)
    judged = [run(subject, every=5) for subject in mutations.subjects()[:4]]
    assert sum(len(problems) for _, problems in judged) > 50


def test_all_guards_are_evaluated():
    """These subjects have no guard that the file cannot evaluate."""
    for subject in mutations.subjects():
        assert "yield not_evaluated(" not in depyf.full_code(subject.fn).text, subject.name
