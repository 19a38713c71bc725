# SPDX-License-Identifier: MIT
"""Tests unusual environments: paths with spaces, incomplete traces, forks, threads, and cycles of wrappers."""

from __future__ import annotations

import collections
import dataclasses
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import depyf
import pytest
import torch
from depyf.cli import dumps
from depyf.decompilation import recompile
from depyf.torch.capture import caches, snapshot, torch_prose
from depyf.torch.capture.frame_names import name_of_frame
from depyf.torch.capture.recorder import Recorder
from depyf.torch.guards import annotate, checks, parse, render
from depyf.torch.internals import guard_state, names, provenance, stable_names
from depyf.torch.model.guard import Guard
from depyf.torch.model.location import Location
from depyf.torch.model.record import Entry, Graph, GraphBreak, Record
from depyf.torch.replay import known_guards
from depyf.torch.write import index_data
from depyf.torch.write.folder import DumpFolder
from depyf.torch.write.schedule import RunningIndex


@pytest.fixture(autouse=True)
def fresh():
    torch.compiler.reset()
    yield
    torch.compiler.reset()


def plain(x, k):
    return torch.sin(x) * k


def function_in(path, source):
    """Returns the function that SOURCE defines, compiled as the file PATH."""
    scope = {"torch": torch}
    exec(compile(source, str(path), "exec"), scope)
    return scope["f"]


# ---- folders and traces


def test_dump_is_written_if_its_lock_cannot_be_opened(tmp_path):
    left = tmp_path / "rank_0"
    (left / ".depyf.lock").mkdir(parents=True)
    (left / "index.json").write_text(json.dumps({"digests": {}, "run": {}}))
    with depyf.prepare_debug(tmp_path) as session:
        torch.compile(plain, backend="eager")(torch.ones(3), 2)
    assert session.run is not None and (tmp_path / "index.json").exists()
    assert (left / "index.json").exists()


@pytest.fixture(scope="module")
def trace(tmp_path_factory):
    """Returns torch's own log of a program with a break and a recompile."""
    folder = tmp_path_factory.mktemp("trace")
    program = (
        "import torch\n"
        "def f(x):\n    x = x + 1\n    torch._dynamo.graph_break()\n    return x * 2\n"
        "c = torch.compile(f, backend='aot_eager', dynamic=False)\nc(torch.ones(2)), c(torch.ones(3))\n"
    )
    environment = {**os.environ, "TORCH_TRACE": str(folder)}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment)
    (log,) = folder.glob("*.log")
    return log.read_text()


def test_truncated_trace_is_read(trace, tmp_path):
    lines = trace.split("\n")
    payloads = [i for i, line in enumerate(lines) if line.startswith('\t"') or line.startswith("\t{")]
    assert len(payloads) > 10
    expected = len(depyf.Run.load(depyf.from_trace(write_log(tmp_path, trace), tmp_path / "whole")).graph_breaks)
    for number, last in enumerate(payloads[:: max(1, len(payloads) // 12)]):
        cut = "\n".join([*lines[:last], lines[last][: len(lines[last]) // 2]])
        run = depyf.Run.load(depyf.from_trace(write_log(tmp_path, cut), tmp_path / str(number)))
        assert len(run.graph_breaks) <= expected


def test_incomplete_payload_is_counted(tmp_path):
    head = 'V0101 00:00:00.000000 1 torch/_x.py:1] {"artifact": {"name": "fx_graph_cache_miss", "encoding": "json"}}'
    run = depyf.Run.load(depyf.from_trace(write_log(tmp_path, f'{head}\n\t{{"key": "a", "comp'), tmp_path / "dump"))
    assert [p.error for p in run.problems] == ["1 records or lines do not belong to torch's structured log"]


def write_log(folder, text):
    (folder / "rank_0.log").write_text(text)
    return folder / "rank_0.log"


@pytest.mark.slow
def test_relative_dump_folder_refers_to_the_initial_working_folder(tmp_path):
    program = (
        "import depyf, os\nos.mkdir('other'), os.chdir('other')\nimport torch\n"
        "torch.compile(lambda x: x + 1, backend='eager')(torch.ones(2))\n"
    )
    environment = {**os.environ, "DEPYF_DUMP": "dump"}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment, cwd=tmp_path)
    assert (tmp_path / "dump" / "index.json").exists() and not (tmp_path / "other" / "dump").exists()


# ---- paths


def test_package_whose_name_begins_with_torch_belongs_to_the_program():
    root = torch.__path__[0]
    assert names.is_torchs(torch.nn.functional.__file__) and not names.is_torchs(f"{root}vision/models.py")
    assert torch_prose.is_users(f"{root}vision/models.py") and not torch_prose.is_users(f"{root}/nn/functional.py")
    call = function_in(f"{root}vision/models.py", "def f(fn, x):\n    return fn(x)\n")
    assert name_of_frame(call.__code__, {"fn": plain}) == "f"


def test_guards_of_a_file_in_a_folder_with_a_space_have_lines(tmp_path):
    def located(folder):
        folder.mkdir()
        path = folder / "my model.py"
        path.write_text("def f(x, k):\n    return torch.sin(x) * k\n")
        torch.compiler.reset()
        with depyf.prepare_debug(tmp_path / "dump", report=False) as session:
            compiled = torch.compile(function_in(path, path.read_text()), backend="eager", dynamic=False)
            compiled(torch.ones(3), 2), compiled(torch.ones(3), 3)
        (recompile,) = session.run.recompiles
        (entry, _) = session.run.entries
        lines = [check.location for check in entry.checks if check.location]
        assert all(place.path.endswith("my model.py") for place in lines)
        texts = [reason.torch_text for reason in recompile.reasons if reason.torch_text]
        assert not any("my model.py" in text for text in texts), texts
        return [place.line for place in lines]

    assert located(tmp_path / "a b") == located(tmp_path / "ab") != []


def test_comment_in_the_code_of_a_guard_is_not_taken_for_a_location():
    (guard,) = parse.parse_tree(
        "TREE_GUARD_MANAGER:\n+- RootGuardManager\n"
        "| +- EQUALS_MATCH: L['k'] == 3  # y = k  # see 1:2 in it  # /a b/c d.py:12 in f"
    )
    assert (guard.location.path, guard.location.line, guard.location.function) == ("/a b/c d.py", 12, "f")


def test_torchs_comments_on_several_checks_are_removed():
    first = "0/0: L['k'] == 3  # return x * k  # a b/my model.py:12 in f (HINT: guard on \"x (y)\")"
    text = f"{first}; L['j'] == 4  # j  # c d.py:3 in g"
    assert [reason.torch_text for reason in torch_prose.torch_reasons(text)] == ["L['k'] == 3", "L['j'] == 4"]


def test_diff_of_programs_in_folders_with_spaces():
    here, there = (dumps._neutral(f"# File: {folder}/my model.py:3 in f, code: a / b") for folder in ("/a b", "/c"))
    assert here == there == "# File: my model.py:3 in f, code: a / b"
    assert dumps._code_lines("x = 1  # my model.py:6-8, other.py:3") == ["x = 1"]


# ---- many files, many frames


def test_many_files_with_one_name_are_written_without_reading_all(tmp_path, monkeypatch):
    read, read_bytes = [], Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read.append(path) or read_bytes(path))
    folder = DumpFolder(tmp_path)
    paths = [folder.write_numbered("file_%s.py", f"x = {i:04d}\n") for i in range(200)]
    assert [path.name for path in paths] == [f"file_{i}.py" for i in range(200)] and not read
    assert DumpFolder(tmp_path).write_numbered("file_%s.py", "x = 0150\n") == paths[150]
    assert folder.write_numbered("file_%s.py", "x = 0007\n") == paths[7]
    folder.replace(paths[7], "y = 1\n")
    assert folder.write_numbered("file_%s.py", "y = 1\n") == paths[7]
    assert folder.write_numbered("file_%s.py", "x = 0007\n").name == "file_200.py"
    paths[8].write_text("edited")
    assert folder.write_numbered("file_%s.py", "x = 0008\n").name == "file_201.py"
    assert len(read) < 200 and paths[8].read_text() == "edited"


def record_of(count):
    """Returns what a session would record of COUNT compilations, each of its own frame."""
    record = Record()
    for i in range(count):
        place = Location(f"/m{i % 50}.py", i + 1, "forward")
        entry = Entry(f"{i}/0", "forward", place, "eager", path=Path(f"/d/t{i}.py"), code_key=f"code{i}")
        record.entries.append(entry)
        record.starts[entry.compile_id], record.names[entry.compile_id] = place, f"forward {i}"
        record.graphs.append(Graph("Captured_Graph", entry.compile_id, Path(f"/d/g{i}.py"), frame=place))
        record.graph_breaks.append(GraphBreak([entry.compile_id], place, "reason"))
    return record


def test_time_to_write_an_index_is_linear(monkeypatch):
    def calls(count):
        found, of = [], record_of(count)
        sys.setprofile(lambda frame, event, _: found.append(1) if event == "call" else None)
        try:
            index_data.as_markdown(of, index_data.as_run(of, {}))
        finally:
            sys.setprofile(None)
        return len(found)

    assert calls(200) < 2.5 * calls(100)


def test_index_can_be_written_while_another_thread_compiles():
    record, ended = record_of(200), threading.Event()

    def compile_more():
        i = 10**6
        while not ended.is_set():
            record.starts[f"{i}/0"] = Location("x", 1)
            record.names.pop(f"{i - 50}/0", None)
            record.names[f"{i}/0"] = "f"
            if (i := i + 1) % 500 == 0:
                record.starts.clear()

    thread, interval = threading.Thread(target=compile_more), sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    thread.start()
    try:
        for _ in range(20):
            assert len(index_data.as_run(record, {}).entries) == 200
    finally:
        sys.setswitchinterval(interval)
        ended.set()
        thread.join()


def test_compilation_does_not_wait_for_an_index_written_by_another_thread():
    begun, go_on, write_log = threading.Event(), threading.Event(), []

    def write():
        write_log.append(threading.get_ident())
        begun.set()
        assert go_on.wait(60)

    index = RunningIndex(write)
    thread = threading.Thread(target=index.changed)
    thread.start()
    assert begun.wait(60)
    index.changed()  # returns at once and delays the writing
    assert len(write_log) == 1
    go_on.set()
    deadline = time.monotonic() + 60
    while len(write_log) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    thread.join()
    index.close()
    assert len(write_log) == 2


def test_guards_are_rendered_once_however_many_there_are(monkeypatch):
    guards = [Guard("EQUALS_MATCH", f"L['a{i}'] == {i}", source=f"L['a{i}']") for i in range(5000)]
    first = [render.render(guard) for guard in guards]
    rendered, again = render._rendered, []
    monkeypatch.setattr(render, "_rendered", lambda *of: again.append(of) or rendered(*of))
    assert [render.render(guard) for guard in guards] == first and not again
    guards[0].text = "L['a0'] == 1"  # the text of a guard may change later
    assert render.render(guards[0]) == first[0].replace("0)", "1)") and len(again) == 1


def test_time_to_find_the_origins_of_guards_is_linear():
    """Each layer of a model has the same guards from the same line."""

    def calls(count):
        names = [f"L['self'].layers[{i}].weight" for i in range(count)]
        guards = [
            Guard("TENSOR_MATCH", f"check_tensor({n})", "# x * w  # /b/c/d/m.py:3 in scale", source=n) for n in names
        ]
        stacks = [(("/main.py", 10 + i, "main"), ("/a/b/c/d/m.py", 3, "scale")) for i in range(count)]
        origins = [guard_state.Origin(name, (), stack) for name, stack in zip(names, stacks, strict=True)]
        found = []
        sys.setprofile(lambda frame, event, _: found.append(1) if event in ("call", "c_call") else None)
        try:
            annotate.note_callers(guards, origins)
        finally:
            sys.setprofile(None)
        assert [guard.stack[0].line for guard in guards] == [10 + i for i in range(count)]
        return len(found)

    assert calls(400) < 2.5 * calls(200)


# ---- threads, forks and patches by other code


def test_compilation_in_another_thread_is_not_part_of_an_export(tmp_path):
    recorder, seen = Recorder(DumpFolder(tmp_path), Record()), []
    with recorder.ahead_of_time("export"):
        thread = threading.Thread(target=lambda: seen.append(recorder.aot_compile_id))
        thread.start()
        thread.join()
        assert recorder.aot_compile_id == "export0"
    assert seen == [""] and recorder.aot_compile_id == ""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_lock_held_by_another_thread_is_free_in_a_forked_child():
    held, done = threading.Event(), threading.Event()

    def hold():
        with stable_names._of_this_process._lock, recompile._warnings_lock, provenance._lock:
            held.set()
            done.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    child = os.fork()
    if not child:
        signal.alarm(20)
        for lock in (stable_names._of_this_process._lock, recompile._warnings_lock, provenance._lock):
            with lock:
                pass
        os._exit(0)
    done.set()
    thread.join()
    assert os.waitpid(child, 0)[1] == 0


def test_patch_over_depyfs_is_kept_and_depyfs_becomes_inactive(tmp_path, monkeypatch):
    original = torch.fx.GraphModule.recompile
    monkeypatch.setattr(torch.fx.GraphModule, "recompile", original)  # restored at the end
    with depyf.prepare_debug(tmp_path) as session:
        patched = torch.fx.GraphModule.recompile

        def theirs(gm):
            return patched(gm)

        torch.fx.GraphModule.recompile = theirs
    assert torch.fx.GraphModule.recompile is theirs
    monkeypatch.setattr(type(session), "on_recompile", lambda *_: calls.append(1))
    calls = []
    with depyf.prepare_debug(tmp_path):
        torch.fx.symbolic_trace(torch.nn.ReLU())
    assert len(calls) == 1  # by the patch of the active block, not also by the earlier one below it


# ---- values, and what is kept alive


def test_long_value_is_not_written_as_source(tmp_path):
    for value in ("a" * 5_000_000, b"a" * 5_000_000, 1 << 5_000_000):
        assert snapshot.expression([value]) is None
    assert snapshot.expression(["a" * 1000, 1 << 100]) == repr(["a" * 1000])[:-1] + f", {hex(1 << 100)}]"


def test_cycle_of_wrappers_ends():
    def wrapper(x):
        return x

    wrapper.__wrapped__ = wrapper
    assert caches.function_of_frame(plain.__code__, {"plain": wrapper}, {}) is None


@dataclasses.dataclass
class Pair:
    first: object
    second: object = 1


Point = collections.namedtuple("Point", "x y")


def test_values_are_shown_without_reading_data_of_tensors(monkeypatch):
    def refused(self, **_):
        raise AssertionError("the data of a tensor was read")

    monkeypatch.setattr(torch.Tensor, "__repr__", refused)
    x = torch.arange(3.0)
    expected = "Tensor (3,) float32 on cpu"
    assert checks.short([x]) == f"[{expected}]"
    assert checks.short(((x,), {"a": x})) == f"(({expected},), {{'a': {expected}}})"
    assert checks.short(Pair(x)) == f"Pair(first={expected}, second=1)"
    assert checks.short(collections.OrderedDict(a=x)) == f"OrderedDict('a': {expected})"
    assert checks.short(Point(1, 2)) == repr(Point(1, 2)) and checks.short([1, "a"]) == repr([1, "a"])
    deep = x
    for _ in range(50):
        deep = [deep]
    assert "list of length 1" in checks.short(deep)


def test_a_session_keeps_no_guards(tmp_path):
    with depyf.prepare_debug(tmp_path):
        torch.compile(plain, backend="eager")(torch.ones(3), 2)
    (file,) = Path(tmp_path).glob("full_code_for_*.py")
    assert str(file) not in known_guards._of_this_process
    assert len(known_guards.guards_in(str(file), "0/0")) > 3  # those in index.json
