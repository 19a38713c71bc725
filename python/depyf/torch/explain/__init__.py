# SPDX-License-Identifier: MIT
"""Answers about a call: which entry it takes, and why."""
