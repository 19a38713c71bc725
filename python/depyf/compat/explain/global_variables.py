# SPDX-License-Identifier: MIT
"""State that code written against depyf 0.20 reads: the latest session's folder, torch's unpatched functions.

Within `prepare_debug`, `unpatched_load_by_key_path` is torch's own loader of kernels, which depyf replaces.
`unpatched__exec_with_source` and `unpatched___call__` are torch's functions too, which depyf 0.20 replaced, or meant
to, and this one leaves alone; `optimized_functions` stays empty, as it did in depyf 0.20.
"""

from __future__ import annotations

from depyf.torch.capture.legacy_state import data

__all__ = ["data"]
