# SPDX-License-Identifier: MIT
"""Code written against depyf 0.20 runs unchanged; vLLM's compatibility module in particular."""

from __future__ import annotations

import inspect
import os
import sys

import depyf
import pytest
import torch
import torch._inductor.codecache as codecache
from depyf.explain import enable_debugging, global_variables, utils


def test_kernel_hook_takes_and_forwards_every_keyword(tmp_path):
    with depyf.prepare_debug(str(tmp_path)):
        key, path = codecache.PyCodeCache.write("value = 2\n")
        module = codecache.PyCodeCache.load_by_key_path(key, path, set_sys_modules=False)
        registered = module.__name__ in sys.modules
    assert module.value == 2 and not registered
    kernels = list(tmp_path.glob("*.kernel_*.py"))
    assert [k.read_text() for k in kernels] == ["value = 2\n"]
    assert os.path.dirname(module.__file__) == str(tmp_path)


def test_kernel_hook_is_the_same_object_before_and_after(tmp_path):
    before = enable_debugging.patched_load_by_key_path
    with depyf.prepare_debug(str(tmp_path)):
        assert codecache.PyCodeCache.load_by_key_path is before
    assert enable_debugging.patched_load_by_key_path is before
    assert any(p.kind is p.VAR_KEYWORD for p in inspect.signature(before).parameters.values())


def test_an_assigned_kernel_hook_is_used(tmp_path, monkeypatch):
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
        module = codecache.PyCodeCache.load("value = 3\n", set_sys_modules=False)
    assert module.value == 3 and used
    assert (tmp_path / "__compiled_fn_-1.kernel_0.py").exists() or list(tmp_path.glob("*.kernel_0.py"))


def test_names_outside_a_compile():
    assert utils.get_current_compiled_fn_name().startswith("__compiled_fn_")
    keys = {"dump_src_dir", "unpatched_load_by_key_path", "unpatched__exec_with_source", "optimized_functions"}
    assert keys <= global_variables.data.keys()
    assert {"lock_on_file", "DynamoOptimizationResult", "CacheResult", "CodeProxy"} <= set(dir(utils))
    for name in ("DebuggableHook", "enable_bytecode_hook", "patch", "prepare_debug", "debug"):
        assert hasattr(enable_debugging, name)
    from depyf.explain.enhance_logging import pytorch_bytecode_src_hook

    assert callable(pytorch_bytecode_src_hook)


def test_a_later_bytecode_hook_decompiles_what_ours_returns(tmp_path):
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


def test_graphs_that_only_a_library_announces(tmp_path):
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
        assert torch.equal(wrapper(x, 5), wrapper(x, 0))  # guards are skipped: the first entry answers
    assert Wrapper.forward.__code__ is original
    assert all(str(tmp_path) in c.co_filename for c in wrapper.compiled_codes)


def test_dump_src(toy):
    torch.compile(toy.toy_example, backend="eager")(torch.ones(10), torch.ones(10))
    from depyf.explain import dump_src

    assert "__compiled_fn_" in dump_src(toy.toy_example)


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
