# SPDX-License-Identifier: MIT
"""Answers questions about calls: which entry a call uses, and why not another."""
