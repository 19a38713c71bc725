# SPDX-License-Identifier: MIT
"""Guards: parsed from the tree that torch prints, rendered as Python, evaluated; advice on those that fail."""
