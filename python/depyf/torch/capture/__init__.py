# SPDX-License-Identifier: MIT
"""Sources of facts: hooks in torch, its structured trace, its caches."""
