# SPDX-License-Identifier: MIT
"""The state that depyf 0.20 exposed as `depyf.explain.global_variables.data`. Imports nothing."""

from __future__ import annotations

from typing import Any

data: dict[str, Any] = {
    "dump_src_dir": None,
    "log_bytecode": False,
    "unpatched__exec_with_source": None,
    "unpatched_load_by_key_path": None,
    "unpatched___call__": None,
    "optimized_functions": set(),
    "is_inside_prepare_debug": False,
}
