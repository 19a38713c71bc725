# SPDX-License-Identifier: MIT
"""Tests that code written for depyf 0.20 runs unchanged, and vLLM's compatibility module in particular."""

from __future__ import annotations

import functools
import gc
import inspect
import os
import re
import subprocess
import sys
import threading
import time

import depyf
import pytest
import torch
import torch._inductor.codecache as codecache
from depyf.explain import enable_debugging, global_variables, utils
from torch._inductor.compile_fx import compile_fx

# The third argument of this torch's loader of kernels; earlier releases do not have `set_sys_modules`.
PARAMETERS = inspect.signature(codecache.PyCodeCache.load_by_key_path).parameters
KEYWORDS = {"set_sys_modules": False} if "set_sys_modules" in PARAMETERS else {"attrs": {"more": 1}}


def test_kernel_hook_accepts_and_forwards_every_keyword(tmp_path):
    with depyf.prepare_debug(str(tmp_path)):
        key, path = codecache.PyCodeCache.write("value = 2\n")
        module = codecache.PyCodeCache.load_by_key_path(key, path, **KEYWORDS)
        registered = module.__name__ in sys.modules
    assert module.value == 2 and (getattr(module, "more", 0) == 1 if "attrs" in KEYWORDS else not registered)
    kernels = list(tmp_path.glob("*.kernel_*.py"))
    assert [k.read_text() for k in kernels] == ["value = 2\n"]
    assert os.path.dirname(module.__file__) == str(tmp_path)


def test_kernel_hook_is_the_same_object_before_and_after(tmp_path):
    before = enable_debugging.patched_load_by_key_path
    with depyf.prepare_debug(str(tmp_path)):
        assert codecache.PyCodeCache.load_by_key_path is before
    assert enable_debugging.patched_load_by_key_path is before
    assert any(p.kind is p.VAR_KEYWORD for p in inspect.signature(before).parameters.values())


def test_kernels_compiled_outside_a_frame_are_dumped_once(tmp_path, monkeypatch):
    """A backend may compile when its result is first called, as vLLM's does for each piece of the graph."""
    loaded = []
    monkeypatch.setattr(codecache.PyCodeCache, "modules", loaded)

    def backend(graph, _):
        compiled = []

        def run(*args):
            if not compiled:
                compiled.append(compile_fx(graph, list(args)))
            return compiled[0](*args)

        return run

    with depyf.prepare_debug(tmp_path) as session, torch.no_grad():
        torch.compile(lambda x: x.sin() + 1, backend=backend)(torch.ones(3))
    assert loaded
    assert {module.__file__ for module in loaded} == {str(path) for path in tmp_path.glob("*.kernel_*.py")}
    assert {g.file for g in session.run.graphs if g.kind == "kernel"} == {
        p.name for p in tmp_path.glob("*.kernel_*.py")
    }
    assert session.run.other_files == ()


def test_assigned_kernel_hook_is_called(tmp_path, monkeypatch):
    used = []

    def replacement(key, path, linemap=None, attrs=None, **kwargs):
        used.append(path)
        with open(path) as file:
            source = file.read()
        template = os.path.join(
            global_variables.data["dump_src_dir"], utils.get_current_compiled_fn_name() + ".kernel_%s.py"
        )
        dumped = utils.write_code_to_file_template(source, template)
        return global_variables.data["unpatched_load_by_key_path"](key, dumped, linemap, attrs, **kwargs)

    monkeypatch.setattr(enable_debugging, "patched_load_by_key_path", replacement)
    with depyf.prepare_debug(str(tmp_path)):
        taken = inspect.signature(codecache.PyCodeCache.load).parameters
        module = codecache.PyCodeCache.load("value = 3\n", **{k: v for k, v in KEYWORDS.items() if k in taken})
    assert module.value == 3 and used
    assert (tmp_path / f"{utils.get_current_compiled_fn_name()}.kernel_0.py").exists()


def test_name_outside_a_compile_has_dynamos_latest_number(run_script):
    done = run_script(
        "import depyf.explain.utils as utils, torch\n"
        "print(utils.get_current_compiled_fn_name())\n"
        "def backend(gm, inputs):\n    print(utils.get_current_compiled_fn_name())\n    return gm\n"
        "for number in range(2):\n"
        "    torch.compile(lambda x: x + number, backend=backend)(torch.ones(2))\n"
        "    print(utils.get_current_compiled_fn_name())\n"
    )
    first, *others = done.stdout.split()
    assert first == "__compiled_fn_-1"
    graphs, after = others[::2], others[1::2]
    assert graphs == after and len(set(graphs)) == 2 and all(re.fullmatch(r"__compiled_fn_\d+", g) for g in graphs)


def test_names_of_modules():
    keys = {"dump_src_dir", "unpatched_load_by_key_path", "unpatched__exec_with_source", "optimized_functions"}
    assert keys <= global_variables.data.keys()
    assert {"lock_on_file", "DynamoOptimizationResult", "CacheResult", "CodeProxy"} <= set(dir(utils))
    for name in ("DebuggableHook", "enable_bytecode_hook", "patch", "prepare_debug", "debug"):
        assert hasattr(enable_debugging, name)
    from depyf.explain.enhance_logging import pytorch_bytecode_src_hook

    assert callable(pytorch_bytecode_src_hook)


def test_later_bytecode_hook_gets_code_that_can_be_decompiled(tmp_path):
    texts = []
    handle = torch._dynamo.convert_frame.register_bytecode_hook(
        lambda code, new_code: texts.append((new_code.co_filename, str(depyf.decompile(new_code))))
    )

    def add_one(x):
        return x + 1

    with depyf.prepare_debug(tmp_path):
        torch.compile(add_one, backend="eager")(torch.ones(3))
    handle.remove()
    (file, text), *_ = texts
    assert file.startswith(str(tmp_path)) and "__compiled_fn_" in text


def test_graphs_that_only_a_library_logs(tmp_path):
    from torch._dynamo.utils import lazy_format_graph_code

    graph = torch.fx.symbolic_trace(lambda x: x + 1)
    with depyf.prepare_debug(tmp_path):
        lazy = lazy_format_graph_code("before split", graph)
        assert "TRACED GRAPH" in str(lazy)
    assert list(tmp_path.glob("*.before_split.*.py"))
    assert "TRACED GRAPH" in str(lazy_format_graph_code("after", graph))


def test_custom_dispatcher(tmp_path):
    from depyf.optimization import TorchCompileWrapperWithCustomDispatcher

    class Wrapper(TorchCompileWrapperWithCustomDispatcher):
        def __init__(self):
            super().__init__(torch.compile(self.forward, backend="eager"))

        def forward(self, x, a: int):
            return (x + a) * 2

        def __call__(self, x, a: int):
            if len(self.compiled_codes) >= 2:
                with self.dispatch_to_code(0):
                    return self.forward(x, a)
            return self.compiled_callable(x, a)

    wrapper = Wrapper()
    original = Wrapper.forward.__code__
    x = torch.tensor([1.0])
    with depyf.prepare_debug(tmp_path):
        wrapper(x, 0)
        wrapper(x, 1)
        assert torch.equal(wrapper(x, 5), wrapper(x, 0))  # guards are skipped: the first entry runs
    assert Wrapper.forward.__code__ is original
    assert all(str(tmp_path) in c.co_filename for c in wrapper.compiled_codes)
    del wrapper
    gc.collect()  # frees its bytecode hook here, rather than in a test that checks the hooks


class Doubled(torch.nn.Module):
    def forward(self, x):
        return x * 2


def test_dump_src(toy):
    torch.compile(toy.toy_example, backend="eager")(torch.ones(10), torch.ones(10))
    from depyf.explain import dump_src

    assert "__compiled_fn_" in dump_src(toy.toy_example)
    assert dump_src(toy.toy_example.__code__) == dump_src(toy.toy_example)
    model = Doubled()
    torch.compile(model, backend="eager")(torch.ones(2))
    assert "__compiled_fn_" in dump_src(model) and dump_src(model) == dump_src(Doubled.forward)
    with pytest.raises(TypeError, match="no code"):
        dump_src(3)


@pytest.mark.parametrize("install", [True, False])
def test_install_adds_source_to_the_bytecode_log(install, caplog):
    import logging

    log = logging.getLogger("torch._dynamo.convert_frame.__bytecode")
    old = log.level, log.propagate
    torch._logging.set_logs(bytecode=True)
    handler = logging.Handler()
    lines = []
    handler.emit = lambda record: lines.append(record.getMessage())
    log.addHandler(handler)
    depyf.install()
    depyf.install()
    if not install:
        depyf.uninstall()
    try:
        torch.compile(lambda x: x + 1, backend="eager")(torch.ones(3))
    finally:
        depyf.uninstall()
        log.removeHandler(handler)
        log.setLevel(old[0])
        log.propagate = old[1]
        torch._logging.set_logs()
    found = [line for line in lines if "possible source code" in line]
    assert len(found) == (1 if install else 0)
    assert any("MODIFIED BYTECODE" in line for line in lines)


# ---- every public name of 0.20 that needs torch, as its documentation describes it


SIGNATURES = {
    "prepare_debug": {"dump_src_dir": inspect.Parameter.empty, "clean_wild_fx_code": True, "log_bytecode": False},
    "debug": {},
    "install": {},
    "uninstall": {},
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_signatures(name):
    function = getattr(depyf, name)
    parameters = [p for p in inspect.signature(function).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert {p.name: p.default for p in parameters} == SIGNATURES[name]
    assert name in depyf.__all__ and name in dir(depyf)


def test_arguments_by_position(toy, tmp_path):
    with depyf.prepare_debug(str(tmp_path), False, True):
        assert global_variables.data["is_inside_prepare_debug"] is True
        assert global_variables.data["log_bytecode"] is True
        assert global_variables.data["dump_src_dir"] == str(tmp_path)
        toy.run("eager")
    assert global_variables.data["is_inside_prepare_debug"] is False
    assert list(tmp_path.glob("*.transformed_bytecode"))
    with depyf.prepare_debug(dump_src_dir=str(tmp_path / "named"), clean_wild_fx_code=True, log_bytecode=False):
        pass


def test_debug_inside_prepare_debug_is_an_error(tmp_path):
    with depyf.prepare_debug(tmp_path), pytest.raises(RuntimeError, match="inside"):
        depyf.debug()


def test_as_decorators(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONBREAKPOINT", "0")

    @depyf.prepare_debug(str(tmp_path))
    def work():
        return torch.compile(lambda x: x + 1, backend="eager")(torch.ones(2))

    @depyf.debug()
    def again():
        return torch.ones(2) + 1

    assert torch.equal(work(), again())
    assert list(tmp_path.glob("__transformed_code_0_for_*lambda*.py"))


def wrapper(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        return function(*args, **kwargs) * 2

    return inner


@wrapper
def wrapped(x, y=1):
    """A decorated function."""
    return x + y


def test_wrapped_functions(tmp_path):
    with depyf.prepare_debug(tmp_path):
        result = torch.compile(wrapped, backend="eager")(torch.ones(2), y=3)
    assert torch.equal(result, torch.full((2,), 8.0))
    assert (tmp_path / "__transformed_code_0_for_inner.py").exists()  # the frame is the wrapper's
    assert depyf.utils.get_code_owner(wrapped).__name__ == "wrapped"
    assert "return x + y" in depyf.utils.decompile_ensure(wrapped)


def test_function_without_a_graph(tmp_path):
    def nothing(items):
        return [item * 2 for item in items]

    with depyf.prepare_debug(tmp_path):
        assert torch.compile(nothing, backend="eager")([1, 2]) == [2, 4]
    for file in tmp_path.glob("*.py"):
        compile(file.read_text("utf-8"), str(file), "exec")
        assert "__compiled_fn" not in file.name


def test_function_names_that_are_no_identifiers(tmp_path):
    functions = [lambda x: x + 1, type("Odd", (), {"__call__": lambda self, x: x * 2})()]
    with depyf.prepare_debug(tmp_path):
        for function in functions:
            torch.compile(function, backend="eager")(torch.ones(2))
    files = [p.name for p in tmp_path.glob("*.py")]
    assert len([n for n in files if n.startswith("__transformed_code_")]) == 2
    assert not [n for n in files if set(n) & set("<>:/\\ ")]
    for file in tmp_path.glob("full_code_for_*.py"):
        compile(file.read_text("utf-8"), str(file), "exec")


def test_cell_variables_and_free_variables(tmp_path):
    """Their order and number must not change, as the code goes into the same frame."""

    def outer(scale, shift):
        def body(x, y):
            inner = x * scale
            torch._dynamo.graph_break()

            def add(z):
                return z + inner + shift + y

            return add(x) + add(y)

        return body

    a, b = torch.arange(3.0), torch.ones(3)
    codes = []
    expected = outer(2, 3)(a, b)
    handle = torch._dynamo.convert_frame.register_bytecode_hook(lambda code, new_code: codes.append((code, new_code)))
    try:
        for execution in ("line-mapped", "recompiled"):
            torch._dynamo.reset()
            session = depyf.prepare_debug(tmp_path / execution, execution=execution)
            with session:
                result = torch.compile(outer(2, 3), backend="eager")(a, b)
            assert torch.equal(result, expected) and not session.record.problems
    finally:
        handle.remove()
    assert any(code.co_cellvars for code, _ in codes) and any(code.co_freevars for code, _ in codes)
    assert all(code.co_freevars == new_code.co_freevars for code, new_code in codes)
    assert all(set(code.co_cellvars) <= set(new_code.co_cellvars) for code, new_code in codes)


def test_export_inside_a_block(tmp_path):
    class Net(torch.nn.Module):
        def forward(self, x):
            return x.sin() + 1

    with depyf.prepare_debug(tmp_path):
        program = torch.export.export(Net(), (torch.ones(3),), strict=True)
    assert torch.equal(program.module()(torch.zeros(3)), torch.ones(3))
    assert any("sin" in p.read_text("utf-8") for p in tmp_path.glob("__compiled_fn*Captured_Graph*.py"))


def test_symbolic_shape_guards_are_in_the_full_code(tmp_path):
    with depyf.prepare_debug(tmp_path):
        torch.compile(lambda x: x * x.shape[0] if x.shape[0] > 3 else x, backend="eager", dynamic=True)(torch.ones(5))
    (file,) = tmp_path.glob("full_code_for_*.py")
    text = file.read_text("utf-8")
    assert "size()[0]" in text and ("4 <=" in text or "> 3" in text or ">= 4" in text or "3 <" in text)


def test_resume_functions_are_in_the_file_of_their_callers(toy, tmp_path):
    with depyf.prepare_debug(tmp_path):
        toy.run("eager")
    text = (tmp_path / "full_code_for_toy_example_0.py").read_text("utf-8")
    assert text.count("def guards_") == 3 and "__resume_at_" in text


def test_compiled_before_the_block(toy):
    """depyf 0.20 did not support this."""
    compiled = torch.compile(toy.toy_example, backend="eager")
    compiled(torch.ones(10), torch.ones(10))
    assert "__compiled_fn_" in depyf.full_code(compiled).text


def test_file_name_templates_are_numbered_and_equal_files_shared(tmp_path):
    template = str(tmp_path / "text_%s.py")
    first = utils.write_code_to_file_template("a = 1\n", template)
    with utils.lock_on_file(template):
        second = utils.write_code_to_file_template("a = 2\n", template)
    assert [os.path.basename(p) for p in (first, second)] == ["text_0.py", "text_1.py"]
    assert utils.write_code_to_file_template("a = 1\n", template) == first


def test_patch_and_hooks_are_undone_after_their_blocks(tmp_path):
    class Thing:
        value = 1

    with enable_debugging.patch(Thing, "value", 2):
        assert Thing.value == 2
    assert Thing.value == 1
    hooks = dict(torch._dynamo.convert_frame._bytecode_hooks)
    hook = enable_debugging.DebuggableHook(str(tmp_path), False)
    with enable_debugging.enable_bytecode_hook(hook):
        torch.compile(lambda x: x + 1, backend="eager")(torch.ones(2))
    assert dict(torch._dynamo.convert_frame._bytecode_hooks) == hooks
    assert len(hook.optimized_code_and_module) == 1
    assert list(tmp_path.glob("__transformed_code_0_for_*.py"))


def test_failing_hook_is_reported_and_the_program_continues(tmp_path, caplog):
    folder = tmp_path / "a file"
    hook = enable_debugging.DebuggableHook(str(folder), False)
    folder.rmdir()
    folder.write_text("where the folder was")
    with enable_debugging.enable_bytecode_hook(hook):
        result = torch.compile(lambda x: x + 1, backend="eager")(torch.ones(2))
    assert result.tolist() == [2, 2]
    assert "bytecode hook failed (the program goes on): " in caplog.text


def test_results_as_data(toy):
    from depyf.explain import _extract_artifacts, dump_src

    compiled = torch.compile(toy.toy_example, backend="eager")
    for n in (10, 11):
        compiled(torch.ones(n), torch.ones(n))
    result = _extract_artifacts(toy.toy_example.__code__, toy)
    assert isinstance(result, utils.DynamoOptimizationResult)
    data = result.to_data()
    assert data["name"] == "toy_example" and len(data["compiled_code_entries"]) == 2
    for entry in result.compiled_code_entries:
        assert isinstance(entry, utils.CacheResult) and "toy_example" in entry.to_data()["compiled_code"]
    assert dump_src(toy.toy_example.__code__, toy) == dump_src(toy.toy_example) == result.to_src()
    another_result = depyf.explain.DynamoOptimizationResult(toy.toy_example.__code__)
    assert (another_result.function_name, another_result.module) == (
        "toy_example",
        None,
    ) and another_result.to_src() == result.to_src()
    for made, parameters in (
        (utils.CacheResult, ["original_code", "module", "cache"]),
        (utils.DynamoOptimizationResult, ["original_code", "function_name", "module"]),
        (utils.CodeProxy.decompile_with_name, ["code", "name", "skip_decompile"]),
    ):
        assert list(inspect.signature(made).parameters) == parameters  # as in depyf 0.20


def test_code_proxies():
    proxy = utils.CodeProxy.consume_new_code("def f(): pass\n")
    assert utils.CodeProxy.instances[str(proxy)].raw_code == "def f(): pass\n"
    assert utils.CodeProxy.decompile_with_name(wrapped.__wrapped__, "other").startswith("def other(")


def test_former_names():
    from depyf import optimization

    assert optimization.TorchCompileWrapperWithCustomDispacther is optimization.TorchCompileWrapperWithCustomDispatcher


SUBMODULES = {
    "code_transform": ["fix_irregular_code", "prepare_freevars_for_compile"],
    "decompiler": ["DecompilationError", "Decompiler", "decompile"],
    "explain": ["_extract_artifacts", "dump_src"],
    "explain.enable_debugging": ["debug", "patched_load_by_key_path", "prepare_debug"],
    "explain.enhance_logging": ["install", "uninstall"],
    "explain.global_variables": ["data"],
    "explain.utils": ["get_current_compiled_fn_name", "write_code_to_file_template"],
    "optimization": ["TorchCompileWrapperWithCustomDispatcher"],
    "utils": ["collect_all_code_objects", "decompile_ensure", "get_code_owner", "get_function_signature"],
}


def test_submodules_are_imported_with_the_package(run_script):
    names = [f"depyf.{module}.{name}" for module, found in SUBMODULES.items() for name in found]
    done = run_script(f"import depyf\nfor name in {names!r}:\n    eval(name)\nprint('all')\n")
    assert done.stdout == "all\n", done.stderr


def test_without_torch(run_script):
    done = run_script(
        "import sys\n"
        "sys.modules['torch'] = None  # importing it fails\n"
        "import depyf\n"
        "from depyf import decompile, Decompiler\n"
        "assert 'return 1' in decompile(lambda: 1)\n"
        "assert not hasattr(depyf, 'prepare_debug') and not hasattr(depyf, 'install')\n"
    )
    assert done.returncode == 0, done.stderr


def test_former_option_for_temporaries_has_no_effect(monkeypatch):
    """The docstring of `Decompiler.decompile` says so: there are no temporaries to keep."""

    def some(a, b):
        pair = [a + b, (a, *b)]
        return {k: (a < k < b, f"{a!r:>{b}}") for k in pair if k or a}, [*pair, a if b else pair[-1]]

    assert "DEPYF_REMOVE_TEMP" in depyf.Decompiler.decompile.__doc__
    texts = set()
    for value in ("0", "1"):
        monkeypatch.setenv("DEPYF_REMOVE_TEMP", value)
        texts.add(str(depyf.Decompiler(some).decompile()))
    (text,) = texts
    assert "__temp_" not in text and "return {k: " in text


def test_names_of_torchs_functions(tmp_path):
    """Other code may call these functions, which depyf 0.20 replaced in torch, through its table of globals."""
    with depyf.prepare_debug(tmp_path):
        data = dict(global_variables.data)
    assert data["unpatched__exec_with_source"] is torch.fx.graph_module._exec_with_source
    assert data["unpatched___call__"] is torch._dynamo.eval_frame.OptimizeContext.__call__
    assert data["optimized_functions"] == set() and data["is_inside_prepare_debug"]
    assert not global_variables.data["is_inside_prepare_debug"]


LOCKER = """
import sys, time
from depyf.explain.utils import lock_on_file
with lock_on_file(sys.argv[1]), lock_on_file(sys.argv[1]):
    print("locked", flush=True)
    sys.stdin.read()
    print(time.monotonic(), flush=True)
"""


def test_lock_blocks_other_processes(tmp_path):
    template = str(tmp_path / "text_%s.py")
    path = os.pathsep.join(filter(None, sys.path))
    command = [sys.executable, "-c", LOCKER, template]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, env={**os.environ, "PYTHONPATH": path}, **pipes) as other:
        assert other.stdout.readline() == "locked\n"
        threading.Timer(0.5, other.stdin.close).start()
        with utils.lock_on_file(template):
            entered = time.monotonic()
        assert entered > float(other.stdout.readline())


def test_import_error_of_depyf_is_not_reported_as_missing_torch(monkeypatch):
    monkeypatch.delitem(vars(depyf), "values", raising=False)
    monkeypatch.setitem(sys.modules, "depyf.torch.debug.values", None)  # makes its import fail
    with pytest.raises(ImportError, match=r"depyf\.torch\.debug\.values"):
        _ = depyf.values


def test_name_attribute_of_public_functions():
    for name in ("debug", "decompile", "entries", "from_trace", "full_code", "prepare_debug", "values", "which_entry"):
        assert getattr(depyf, name).__name__ == name
