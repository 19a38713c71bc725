# SPDX-License-Identifier: MIT
"""`depyf.explain.enhance_logging` of depyf 0.20."""

from __future__ import annotations

from depyf.torch.capture.bytecode_log import install, uninstall
from depyf.torch.capture.bytecode_log import source_hook as pytorch_bytecode_src_hook

__all__ = ["install", "pytorch_bytecode_src_hook", "uninstall"]
