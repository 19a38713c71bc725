# SPDX-License-Identifier: MIT
"""Questions about torch.compile, answered step by step with depyf, tlparse and TORCH_LOGS."""
