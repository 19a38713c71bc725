# SPDX-License-Identifier: MIT
"""Sources of facts: hooks in torch, torch's structured trace, and torch's caches."""
