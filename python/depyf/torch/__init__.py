# SPDX-License-Identifier: MIT
"""All features for PyTorch. Importing this package does not import torch; `depyf` imports its modules on first use."""
