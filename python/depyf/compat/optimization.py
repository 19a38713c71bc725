# SPDX-License-Identifier: MIT
"""`TorchCompileWrapperWithCustomDispatcher` of depyf 0.20: calls a selected compiled entry without evaluating guards.

Invariant: when a `dispatch_to_code` block ends, `forward` has its own code again, even after an error. The caller is
responsible for the guards that are skipped.
"""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

from depyf.torch.internals import dynamo


class TorchCompileWrapperWithCustomDispatcher:
    """Collects the code objects of the compiled entries of `forward`; `dispatch_to_code(i)` selects the i-th.

    A subclass defines `forward` and `__call__`, and calls `super().__init__(torch.compile(self.forward))`.

    Args:
        compiled_callable: The compiled `forward`; by default `torch.compile(self.forward)`.
        use_custom_dispatcher: Stored for subclasses, which may evaluate it in `__call__`.

    """

    def __init__(self, compiled_callable: Callable[..., Any] | None = None, use_custom_dispatcher: bool = True) -> None:
        if compiled_callable is None:
            import torch

            compiled_callable = torch.compile(self.forward)
        self.compiled_callable = compiled_callable
        self.use_custom_dispatcher = use_custom_dispatcher
        self.original_code_object: CodeType = type(self).forward.__code__
        self.compiled_codes: list[CodeType] = []
        reference = weakref.ref(self)

        def hook(old_code: CodeType, new_code: CodeType) -> None:
            wrapper = reference()
            if wrapper is not None:
                wrapper.bytecode_hook(old_code, new_code)

        handle = dynamo.register_bytecode_hook(hook)
        if handle is not None:
            weakref.finalize(self, handle.remove)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call `self.compiled_callable`. Subclasses override this to select a compiled entry."""
        return self.compiled_callable(*args, **kwargs)

    def forward(self, /, *args: Any, **kwargs: Any) -> Any:
        """The function to compile, which a subclass defines."""
        raise NotImplementedError("a subclass must define forward")

    def bytecode_hook(self, old_code: CodeType, new_code: CodeType) -> None:
        """Collect the transformed code of this object's `forward`."""
        if old_code is self.original_code_object and dynamo.frame_locals().get("self") is self:
            self.compiled_codes.append(new_code)

    @contextlib.contextmanager
    def dispatch_to_code(self, index: int) -> Iterator[None]:
        """Make `self.forward` run a compiled entry inside the block, without evaluating its guards.

        Args:
            index: The index of the entry in `compiled_codes`.

        """
        forward: Any = type(self).forward
        forward.__code__ = self.compiled_codes[index]
        try:
            yield
        finally:
            forward.__code__ = self.original_code_object


TorchCompileWrapperWithCustomDispacther = TorchCompileWrapperWithCustomDispatcher  # the older spelling
