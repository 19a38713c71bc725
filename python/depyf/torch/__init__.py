# SPDX-License-Identifier: MIT
"""Everything about PyTorch's compiler. Importing this package does not import torch; `depyf` loads it on first use."""
