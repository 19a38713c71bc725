# SPDX-License-Identifier: MIT
"""Tests vLLM's use of depyf: a block entered and exited in different functions, its bytecode hook, its files.

The code follows vllm/compilation/monitor.py, wrapper.py, depyf_compat.py and the tests that read the dump.
"""

from __future__ import annotations

import inspect
import logging
import os
import re
import sys

import depyf
import pytest
import torch
from test_isolation import state_of_torch
from torch._inductor.codecache import PyCodeCache

TOKENS = 5


class Model(torch.nn.Module):
    """A model in place of a decoder: `forward` is compiled once, for any number of tokens."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.linear = torch.nn.Linear(4, 4)
        self.buffer: torch.Tensor | None = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x).relu() + 1


class Monitor:
    """Like vllm/compilation/monitor.py: the block is entered in one function and exited in another."""

    def __init__(self, path) -> None:
        self.path = path
        self.block = None

    def start(self) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        self.block = depyf.prepare_debug(self.path.as_posix())
        self.block.__enter__()

    def end(self) -> None:
        if self.block is not None:
            self.block.__exit__(None, None, None)
            self.block = None


class Wrapper:
    """Like vllm/compilation/wrapper.py: compiles `forward`, stores the code, and then calls it without guards."""

    def __init__(self, model: Model, backend: str) -> None:
        self.model = model
        self.original = type(model).forward.__code__
        self.compiled_codes: list = []
        self.texts: list[str] = []
        self.compiled = torch.compile(model.forward, fullgraph=True, backend=backend)
        self.handle = torch._dynamo.convert_frame.register_bytecode_hook(self.bytecode_hook)

    def bytecode_hook(self, old_code, new_code) -> None:
        if old_code is not self.original:
            return
        frame = sys._getframe()
        while frame is not None:  # vLLM looks for the frame that is compiled
            frame = frame.f_back
            if frame is None or (
                frame.f_code.co_name == "_compile" and frame.f_code.co_filename.endswith("convert_frame.py")
            ):
                break
        assert frame is not None
        if frame.f_locals["frame"].f_locals["self"] is not self.model:
            return
        self.compiled_codes.append(new_code)
        self.texts.append(depyf.decompile(new_code))
        if "update" in new_code.co_names:
            raise RuntimeError(f"the model changes state in its forward pass:\n{depyf.decompile(new_code)}")

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        if not self.compiled_codes:
            return self.compiled(x)
        type(self.model).forward.__code__ = self.compiled_codes[0]
        try:
            return self.model.forward(x)
        finally:
            type(self.model).forward.__code__ = self.original


@pytest.fixture(autouse=True)
def no_hooks_left():
    before = dict(torch._dynamo.convert_frame._bytecode_hooks)
    logging.getLogger("torch.__trace").debug("", extra={"metadata": {}, "payload": None})  # removes torch's own handler
    yield
    torch._dynamo.convert_frame._bytecode_hooks.clear()
    torch._dynamo.convert_frame._bytecode_hooks.update(before)


@pytest.mark.parametrize("backend", ["eager", "inductor"])
@pytest.mark.parametrize("registered", ["before", "inside"])
def test_block_around_the_first_call_and_calls_without_guards(tmp_path, backend, registered):
    before = state_of_torch()
    model, monitor = Model(), Monitor(tmp_path / "depyf")
    if registered == "before":
        wrapper = Wrapper(model, backend)
        monitor.start()
    else:
        monitor.start()
        wrapper = Wrapper(model, backend)
    with torch.no_grad():
        first = wrapper(torch.ones(TOKENS, 4))
        monitor.end()
        second = wrapper(torch.ones(TOKENS, 4))
        assert torch.allclose(first, model(torch.ones(TOKENS, 4)), atol=1e-6)
    assert torch.equal(first, second)
    # Whenever vLLM's hook was registered, depyf's ran first: the stored code has the lines of the dumped file.
    (file,) = monitor.path.glob("__transformed_code*for_forward.py")
    assert [c.co_filename for c in wrapper.compiled_codes] == [str(file)]
    text = re.sub(r"(__compiled_fn_\d+)_[0-9a-f_]{36}", r"\1", wrapper.texts[0])  # names in files have no uuids
    (graph,) = (name for name in wrapper.compiled_codes[0].co_names if name.startswith("__compiled_fn_"))
    assert (text != wrapper.texts[0]) is (not re.fullmatch(r"__compiled_fn_\d+", graph))  # torch 2.6 adds no uuid
    assert text in re.sub(r"(?<=\S)  # .*", "", file.read_text("utf-8"))  # the file has trailing comments
    assert "__compiled_fn_" in wrapper.texts[0]
    wrapper.handle.remove()
    assert state_of_torch() == before


def test_files_that_vllms_tests_read(tmp_path):
    with depyf.prepare_debug(tmp_path.as_posix()), torch.no_grad():
        torch.compile(Model().forward, backend="inductor", fullgraph=True)(torch.ones(TOKENS, 4))
    transformed = sorted(tmp_path.glob("__transformed_code*for_forward.py"))
    graphs = sorted(tmp_path.glob("__compiled_fn*Forward_graph*.py"))
    kernels = sorted(tmp_path.glob("__compiled_fn*kernel*.py"))
    assert [p.name for p in transformed] == ["__transformed_code_0_for_forward.py"]
    assert len(graphs) == 1 and len(kernels) == 1
    assert "def forward(self" in transformed[0].read_text("utf-8")
    text = graphs[0].read_text("utf-8")
    assert "def forward(" in text and "aten." in text
    assert (tmp_path / "full_code_for_forward_0.py").exists()


SEEN: dict[str, int] = {}


def test_error_of_code_that_changes_state_has_its_source(tmp_path):
    class Changing(Model):
        """Its forward pass changes a dict, which Dynamo replays by `update`."""

        def forward(self, x):
            SEEN["x"] = x.shape[0]
            return x + 1

    model, monitor = Changing(), Monitor(tmp_path)
    monitor.start()
    wrapper = Wrapper(model, "eager")
    try:
        with pytest.raises(Exception, match="the model changes state") as caught:
            wrapper(torch.ones(TOKENS, 4))
    finally:
        monitor.end()
        wrapper.handle.remove()
    assert ".update" in str(caught.value) and "def forward(self, x)" in str(caught.value)


def test_exceptions_between_start_and_end(tmp_path):
    before = state_of_torch()
    monitor = Monitor(tmp_path)
    monitor.start()

    def broken_backend(gm, inputs):
        raise ValueError("no such device")

    with pytest.raises(Exception, match="no such device"):
        torch.compile(Model().forward, backend=broken_backend)(torch.ones(2, 4))
    torch._dynamo.reset()
    with pytest.raises(torch._dynamo.exc.Unsupported):
        torch.compile(lambda x: torch._dynamo.graph_break() or x + 1, fullgraph=True, backend="eager")(torch.ones(2))
    torch._dynamo.reset()
    with torch.no_grad():
        torch.compile(Model().forward, backend="eager")(torch.ones(2, 4))
    monitor.end()
    assert state_of_torch() == before
    assert list(tmp_path.glob("__transformed_code*for_forward.py"))
    assert list(tmp_path.glob("__compiled_fn*Captured_Graph*.py"))
    monitor.end()  # vLLM may call it again


@pytest.mark.skipif(not hasattr(torch.compile(len), "aot_compile"), reason="torch.compile(f) has no aot_compile")
def test_compiled_ahead_of_time(tmp_path):
    monitor = Monitor(tmp_path)
    monitor.start()
    model = Model()
    with torch.no_grad():
        x = torch.ones(TOKENS, 4)
        compiled = torch.compile(model.forward, fullgraph=True, backend="inductor").aot_compile(((x,), {}))
        result = compiled(model, x)
    monitor.end()
    with torch.no_grad():
        assert torch.allclose(result, model(x), atol=1e-6)
    (file,) = tmp_path.glob("__transformed_code*for_forward.py")
    assert "__compiled_fn_" in file.read_text("utf-8")
    assert list(tmp_path.glob("__compiled_fn*Forward_graph*.py"))


# ---- vllm/compilation/depyf_compat.py: Inductor's loader has keywords that depyf 0.20 did not accept


def accepts_set_sys_modules(function) -> bool:
    parameters = inspect.signature(function).parameters
    return "set_sys_modules" in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())


def test_compatibility_module_has_nothing_to_do():
    from depyf.explain import enable_debugging

    assert accepts_set_sys_modules(enable_debugging.patched_load_by_key_path)


@pytest.mark.skipif(not accepts_set_sys_modules(PyCodeCache.load_by_key_path), reason="torch's loader has no keywords")
def test_direct_calls_of_the_hooked_loader(tmp_path, monkeypatch):
    from depyf.explain import enable_debugging, global_variables, utils

    def patched_load_by_key_path(key, path, linemap=None, attrs=None, *, set_sys_modules=True):
        with open(path, encoding="utf-8") as file:
            source = file.read()
        folder = global_variables.data["dump_src_dir"]
        template = os.path.join(folder, utils.get_current_compiled_fn_name() + ".kernel_%s.py")
        copy = utils.write_code_to_file_template(source, template)
        return global_variables.data["unpatched_load_by_key_path"](
            key, copy, linemap, attrs, set_sys_modules=set_sys_modules
        )

    hooked = enable_debugging.patched_load_by_key_path
    monkeypatch.setattr(enable_debugging, "patched_load_by_key_path", patched_load_by_key_path)
    source = tmp_path / "source.py"
    source.write_text("value = 42\n")
    loader = vars(PyCodeCache)["load_by_key_path"]
    for name, hook in (("theirs", patched_load_by_key_path), ("ours", hooked)):
        monkeypatch.setattr(enable_debugging, "patched_load_by_key_path", hook)
        with depyf.prepare_debug((tmp_path / name).as_posix()):
            module = PyCodeCache.load_by_key_path(f"key_{name}", str(source), set_sys_modules=False)
            assert module.value == 42 and module.__name__ not in sys.modules
            another_module = enable_debugging.patched_load_by_key_path(
                f"again_{name}", str(source), set_sys_modules=False
            )
            assert another_module.value == 42
        (kernel,) = (tmp_path / name).glob("*.kernel_*.py")
        assert kernel.read_text() == "value = 42\n"
    assert vars(PyCodeCache)["load_by_key_path"] is loader
