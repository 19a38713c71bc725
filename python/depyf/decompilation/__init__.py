# SPDX-License-Identifier: MIT
"""Decompiles live code objects to source text, and recompiles the text. Does not need torch."""
