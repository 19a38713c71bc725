# SPDX-License-Identifier: MIT
"""Tests vLLM's own modules that use depyf; `./dev matrix --vllm` extracts them from the wheel on PyPI.

vllm/compilation/monitor.py, wrapper.py and counter.py run unchanged. The other modules of vLLM that they import
(configuration, logger, environment) have stand-ins here, with the values of a default configuration.
"""

from __future__ import annotations

import contextlib
import enum
import importlib
import logging
import os
import sys
import types
from pathlib import Path

import pytest
import torch

FOLDER = Path(os.environ["DEPYF_VLLM"])  # contains vllm/compilation
TOKENS = 5


class CompilationMode(enum.IntEnum):
    NONE = 0
    STOCK_TORCH_COMPILE = 1
    DYNAMO_TRACE_ONCE = 2
    VLLM_COMPILE = 3


class CUDAGraphMode(enum.Enum):
    NONE = 0
    PIECEWISE = 1


class DynamicShapesType(enum.Enum):
    BACKED = "backed"
    UNBACKED = "unbacked"


class Configuration:
    """The part of vLLM's VllmConfig that the modules read."""

    def __init__(self, path: Path | None, backend: str) -> None:
        self.path = path
        self.observability_config = types.SimpleNamespace(enable_layerwise_nvtx_tracing=False)
        self.compilation_config = types.SimpleNamespace(
            mode=CompilationMode.VLLM_COMPILE,
            cudagraph_mode=CUDAGraphMode.PIECEWISE,
            compilation_time=0.0,
            encoder_compilation_time=0.0,
            inductor_compile_config={},
            dynamic_shapes_config=types.SimpleNamespace(evaluate_guards=False, type=DynamicShapesType.BACKED),
            init_backend=lambda *args, **kwargs: backend,
        )

    def compile_debug_dump_path(self) -> Path | None:
        return self.path


@pytest.fixture
def vllm(monkeypatch):
    """Yields (wrapper, monitor, use): vLLM's modules, and a function that sets the current configuration."""
    current = []

    def module(name: str, **names: object) -> types.ModuleType:
        made = types.ModuleType(name)
        vars(made).update(names)
        monkeypatch.setitem(sys.modules, name, made)
        return made

    module("vllm", __path__=[])
    module("vllm.compilation", __path__=[str(FOLDER / "vllm" / "compilation")])
    environment = module("vllm.envs", VLLM_USE_BYTECODE_HOOK=True, VLLM_USE_AOT_COMPILE=False)
    sys.modules["vllm"].envs = environment
    modes = {"CompilationMode": CompilationMode, "CUDAGraphMode": CUDAGraphMode}
    config = {**modes, "VllmConfig": Configuration, "get_current_vllm_config": lambda: current[-1]}
    module("vllm.config", __path__=[], **config)
    module("vllm.config.compilation", DynamicShapesType=DynamicShapesType)
    module("vllm.logger", init_logger=logging.getLogger)
    module("vllm.env_override", _apply_constrain_to_fx_strides_patch=lambda: None)
    module("vllm.utils", __path__=[])
    module("vllm.utils.nvtx_pytorch_hooks", layerwise_nvtx_marker_context=contextlib.nullcontext)
    for name in ("wrapper", "monitor", "counter"):
        monkeypatch.delitem(sys.modules, f"vllm.compilation.{name}", raising=False)
    wrapper, monitor = (importlib.import_module(f"vllm.compilation.{name}") for name in ("wrapper", "monitor"))
    assert wrapper.__file__.startswith(str(FOLDER))
    yield wrapper, monitor, current.append
    for name in ("wrapper", "monitor", "counter"):
        sys.modules.pop(f"vllm.compilation.{name}", None)


def decoder(wrapper):
    """Returns a model that vLLM's wrapper compiles."""

    class Decoder(wrapper.TorchCompileWithNoGuardsWrapper, torch.nn.Module):
        def __init__(self) -> None:
            torch.nn.Module.__init__(self)
            torch.manual_seed(0)
            self.linear = torch.nn.Linear(4, 4)
            wrapper.TorchCompileWithNoGuardsWrapper.__init__(self)

        def forward(self, x):
            return self.linear(x).relu() + 1

        def __call__(self, *args):
            return wrapper.TorchCompileWithNoGuardsWrapper.__call__(self, *args)

    return Decoder


@pytest.mark.parametrize("backend", ["eager", "inductor"])
def test_model_compiled_once_with_a_dump(vllm, tmp_path, backend):
    wrapper, monitor, use = vllm
    use(configuration := Configuration(tmp_path / "dump", backend))
    made = decoder(wrapper)
    original = made.forward.__code__
    x = torch.ones(TOKENS, 4)
    with torch.no_grad():
        with monitor.monitor_torch_compile(configuration):
            model = made()
            first = model(x)
        assert model._compiled_bytecode is not None
        assert configuration.compilation_config.compilation_time > 0
        second = model(x)  # vLLM replaces the function's code by the one that its hook stored
        assert torch.equal(first, second)
        assert torch.allclose(first, model.linear(x).relu() + 1, atol=1e-6)
    assert made.forward.__code__ is original
    text = (tmp_path / "dump" / "transformed_code.py").read_text("utf-8")  # written by vLLM, from depyf.decompile
    assert "def forward(self, x)" in text and "__compiled_fn_" in text
    names = sorted(path.name for path in (tmp_path / "dump").iterdir())
    assert "__transformed_code_0_for_forward.py" in names and "index.md" in names
    assert any("Captured_Graph" in name for name in names)
    assert backend == "eager" or any("kernel" in name for name in names)
    model.cleanup()


def test_error_of_a_changed_buffer_has_its_source(vllm, tmp_path):
    wrapper, monitor, use = vllm
    use(configuration := Configuration(tmp_path, "eager"))

    class Changing(decoder(wrapper)):
        def forward(self, x):
            seen["x"] = x.shape[0]
            return x + 1

    seen: dict[str, int] = {}
    with monitor.monitor_torch_compile(configuration):
        model = Changing()
        with pytest.raises(Exception, match="Assigning / modifying buffers") as caught:
            model(torch.ones(TOKENS, 4))
    assert ".update" in str(caught.value) and "def forward(self, x)" in str(caught.value)
    model.cleanup()


def test_failed_compilation_leaves_nothing_behind(vllm, tmp_path):
    _, monitor, use = vllm
    use(configuration := Configuration(tmp_path, "eager"))

    def broken(gm, inputs):
        raise ValueError("no such device")

    hooks = dict(torch._dynamo.convert_frame._bytecode_hooks)
    with pytest.raises(Exception, match="no such device"), monitor.monitor_torch_compile(configuration):
        torch.compile(lambda x: x + 1, backend=broken)(torch.ones(2))
    assert torch._dynamo.convert_frame._bytecode_hooks == hooks
    assert (tmp_path / "index.md").exists()
