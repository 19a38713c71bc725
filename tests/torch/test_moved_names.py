# SPDX-License-Identifier: MIT
"""Tests that a missing private name of torch costs one feature and one line of the index, and never the program."""

from __future__ import annotations

import ast
import json
import logging
import os
import subprocess
import sys
import threading
from pathlib import Path

import depyf
import moved_names
import pytest
import torch
from depyf.torch.capture.hooks import HOOKS
from depyf.torch.guards import parse, render
from depyf.torch.internals import capabilities, changes, dynamo, fx, guard_state, names, trace_log
from depyf.torch.model.guard import Guard

HERE = Path(__file__).resolve().parent


def table():
    """Returns the names of the table that this release of torch has."""
    return [n for c in capabilities.CAPABILITIES if names.release() >= c.since for n in c.needs]


def outcomes(folder, kind, wanted):
    """Returns the outcome of each name from separate processes: (name, outcome) in order."""
    path = os.pathsep.join([str(HERE), *sys.path])
    run = subprocess.run(
        [sys.executable, "-W", "ignore", str(HERE / "moved_names.py"), str(folder), kind, *wanted],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    found = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    assert [o["name"] for o in found] == list(wanted), run.stderr[-3000:]
    return found


def problems(outcome, needle):
    """Returns why an outcome is wrong."""
    if "raised" in outcome:
        return [f"{outcome['name']}: raised {outcome['raised']}"]
    if not outcome["equal"]:
        return [f"{outcome['name']}: the program computes something else"]
    if not any(needle in text for text in outcome["said"]):
        return [f"{outcome['name']}: the index does not name it: {outcome['said']}"]
    return []


TRIED = {  # names that only `depyf why --try` uses, in a separate process
    "torch._dynamo.nonstrict_trace": changes.Change("nonstrict_trace", "", {"module": "json", "name": "loads"}),
    "torch._dynamo.convert_frame.CatchErrorsWrapper": changes.Change("mark_dynamic", "", {}),
    "torch._dynamo.maybe_mark_dynamic": changes.Change("mark_dynamic", "", {}),
}


@pytest.mark.parametrize("name", TRIED)
def test_change_that_this_torch_cannot_try_is_reported(monkeypatch, name):
    probe = names.probe
    monkeypatch.setattr(names, "probe", lambda asked, lost="": None if asked == name else probe(asked, lost))
    with pytest.raises(LookupError, match=r"no torch\._dynamo\.nonstrict_trace|cannot mark dimensions"):
        changes.apply(TRIED[name])


@pytest.mark.slow
@pytest.mark.parametrize("part", range(2))
def test_each_name_hidden_from_depyfs_lookup(tmp_path, part):
    asked_until_2_6 = "RootGuardManager.clone_manager"  # later releases have the information in their text of guards
    unasked = {*capabilities.LOGGERS, *TRIED, *([asked_until_2_6] if names.release() > (2, 6) else [])}
    tested_names = [n for n in table() if n not in unasked][part::2]
    found = outcomes(tmp_path, "hidden", tested_names)
    wrong = [line for o in found for line in problems(o, o["name"])]
    assert not wrong, "\n".join(wrong)
    assert len(found) >= 30


@pytest.mark.slow
def test_each_name_deleted_where_torch_runs_without_it(tmp_path):
    names = [n for n in table() if n.startswith("torch.") and "(" not in n and n not in {*capabilities.LOGGERS, *TRIED}]
    found = outcomes(tmp_path, "deleted", names)
    wrong = [line for o in found if o["runs"] for line in problems(o, o["name"])]
    assert not wrong, "\n".join(wrong)
    assert sum(o["runs"] for o in found) >= 15, [o["name"] for o in found if o["runs"]]


@pytest.mark.slow
def test_each_event_renamed(tmp_path):
    names = [event for group in moved_names.EVENTS.values() for event in group]
    found = outcomes(tmp_path, "renamed", names)
    wrong = [line for o in found for line in problems(o, o["name"])]
    assert not wrong, "\n".join(wrong)


def test_trace_under_another_logger_is_reported_missing(tmp_path, monkeypatch):
    monkeypatch.setattr(trace_log, "trace_logger", lambda: logging.getLogger("torch.__elsewhere"))
    results, said = moved_names.watched(tmp_path)
    assert moved_names.equal(results, moved_names.program()[1])
    assert any("torch's trace contains no event" in text for text in said)


def test_missing_frame_of_conversion_is_a_problem(tmp_path, monkeypatch):
    monkeypatch.setattr(names, "running", lambda path: None)
    _, said = moved_names.watched(tmp_path)
    assert any("no frame of torch._dynamo.convert_frame._compile on the stack" in text for text in said)


def lookups():
    """Returns (file, name) for each name that is looked up by a literal."""
    functions = {"probe", "setting", "attribute", "optional", "variable", "running"}
    folder = Path(dynamo.__file__).parent
    for path in sorted(folder.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = getattr(node.func, "attr", getattr(node.func, "id", "")) if isinstance(node, ast.Call) else ""
            if called in functions:
                literals = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
                yield from ((path.name, name) for name in literals if "." in name)


def test_every_lookup_of_a_name_is_in_the_table():
    listed = {name for capability in capabilities.CAPABILITIES for name in capability.needs}
    found = list(lookups())
    assert len(found) > 50
    assert [f"{file}: {name}" for file, name in found if name not in listed] == []


# ---- hooks


@pytest.mark.parametrize("broken", range(len(HOOKS)))
def test_hook_that_cannot_be_installed_does_not_affect_the_others(tmp_path, monkeypatch, broken):
    class Broken(HOOKS[broken]):
        def install(self, tell, undo):
            super().install(tell, undo)
            raise AttributeError("moved")

    names._missing.clear()
    monkeypatch.setattr("depyf.torch.capture.hooks.HOOKS", (*HOOKS[:broken], Broken, *HOOKS[broken + 1 :]))
    before = vars(torch.fx.GraphModule)["recompile"]
    logger, programs = trace_log.trace_logger(), logging.NullHandler()  # removes torch's own handler if tracing is off
    logger.addHandler(programs)
    with depyf.prepare_debug(tmp_path):
        results = moved_names.program()[1]
    assert moved_names.equal(results, moved_names.program()[1])
    assert vars(torch.fx.GraphModule)["recompile"] is before
    assert not [h for h in logger.handlers if type(h).__module__.startswith("depyf")]
    assert programs in logger.handlers
    logger.removeHandler(programs)
    assert any("(AttributeError: moved)" in text for text in names.missing().values())
    names._missing.clear()


@pytest.mark.slow
def test_inductor_is_hooked_when_it_is_imported(run_script, tmp_path):
    (tmp_path / "kernel.py").write_text("answer = 42\n")
    run = run_script(
        "import sys, torch, torch._dynamo, depyf\n"
        "from pathlib import Path\n"
        "assert 'torch._inductor.codecache' not in sys.modules\n"
        "paths = list(sys.meta_path)\n"
        "with depyf.prepare_debug('dump'):\n"
        "    assert 'torch._inductor.codecache' not in sys.modules\n"
        "    assert 'torch.export._trace' not in sys.modules\n"
        "    from torch._inductor.codecache import PyCodeCache\n"
        "    import depyf.explain.enable_debugging as old\n"
        "    assert vars(PyCodeCache)['load_by_key_path'] is old.patched_load_by_key_path\n"
        "    loaded = PyCodeCache.load_by_key_path('key', 'kernel.py')\n"
        "    assert Path(loaded.__file__).parent == Path('dump').resolve(), loaded.__file__\n"
        "    import torch.export._trace\n"
        "    assert hasattr(torch.export._trace._export, '__wrapped__')\n"
        "assert vars(PyCodeCache)['load_by_key_path'] is not old.patched_load_by_key_path\n"
        "assert sys.meta_path == paths\n"
        "with depyf.prepare_debug('second'):\n"
        "    assert vars(PyCodeCache)['load_by_key_path'] is old.patched_load_by_key_path\n"
        "assert sys.meta_path == paths\n"
        "print(loaded.answer)\n"
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == "42"


def test_formatting_in_another_thread_while_it_is_patched_and_restored():
    formatter = torch._dynamo.utils.lazy_format_graph_code
    graph = torch.fx.symbolic_trace(torch.nn.Identity())
    errors, stop = [], threading.Event()

    def format_on():
        while not stop.is_set():
            try:
                formatter("name", graph)
            except Exception as error:
                errors.append(error)
                return

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    thread = threading.Thread(target=format_on)
    thread.start()
    try:
        for _ in range(3000):
            fx.patch_graph_formatter(lambda name, gm: None)()
    finally:
        stop.set()
        thread.join()
        sys.setswitchinterval(interval)
    assert not errors


# ---- guards that depyf does not know


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("LAMBDA_GUARD", "___check_new_thing(L['x'], 3)"),
        ("NEW_MATCH", "L['x'] == 3"),
        ("LAMBDA_GUARD", "torch._new.is_so(L['x'])"),
        ("LAMBDA_GUARD", "[new_helper(y) for y in L['x']]"),
    ],
)
def test_unknown_guard_is_not_evaluated(kind, text):
    assert render.render(Guard(kind, text)) == f"not_evaluated({kind!r}, {text!r})"


def test_known_guard_is_evaluated(monkeypatch):
    guard = Guard("LAMBDA_GUARD", "all(___dict_contains(y, L['d']) for y in L['x'])")
    assert render.is_evaluated(guard)
    monkeypatch.setattr(guard_state, "guard_helper", lambda name: None)
    assert not render.is_evaluated(Guard(guard.kind, guard.text))


def test_unknown_guards_are_counted_in_the_index(tmp_path, monkeypatch):
    original = parse.parse_tree
    monkeypatch.setattr(
        parse, "parse_tree", lambda text: [Guard("NEW_MATCH", "L['x'] == 3", source="L['x']"), *original(text)]
    )
    with depyf.prepare_debug(tmp_path) as _:
        function = torch.compile(lambda x: x + 1, backend="eager")
        function(torch.ones(2))
        function(torch.ones(3, dtype=torch.float64))
    index = json.loads((tmp_path / "index.json").read_text())
    assert [p for p in index["problems"] if "not evaluated" in p["error"] and "NEW_MATCH" in p["error"]]
    reasons = [r["what"] for recompile in index["recompiles"] for r in recompile["reasons"]]
    assert reasons and "access" not in reasons  # the unknown guard does not appear in a reason


def test_release_that_is_too_old_causes_one_message(run_script):
    done = run_script(
        "import depyf, torch\n"
        "from depyf.torch.internals import names\n"
        "names.release = lambda: (2, 5)\n"
        "for _ in range(2):\n"
        "    with depyf.prepare_debug('dump', report=False):\n"
        "        print(torch.compile(lambda x: x + 1, backend='eager')(torch.ones(2)).tolist())\n"
    )
    assert done.returncode == 0 and done.stdout == "[2.0, 2.0]\n" * 2
    (line,) = (line for line in done.stderr.splitlines() if "depyf" in line)
    assert line.startswith("depyf needs torch 2.6 or later: ")
