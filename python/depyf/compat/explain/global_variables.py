# SPDX-License-Identifier: MIT
"""`depyf.explain.global_variables` of depyf 0.20: the folder of the latest session, and torch's unpatched functions.

Inside `prepare_debug`, `unpatched_load_by_key_path` is torch's own loader of kernels, which depyf replaces.
`unpatched__exec_with_source` and `unpatched___call__` are functions of torch that depyf 0.20 replaced (or intended to),
and that this version does not change. `optimized_functions` is always empty, as in depyf 0.20.
"""

from __future__ import annotations

from depyf.torch.capture.legacy_state import data

__all__ = ["data"]
