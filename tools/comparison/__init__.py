# SPDX-License-Identifier: MIT
"""Compares depyf, tlparse and TORCH_LOGS: the steps with which each answers questions about torch.compile."""
