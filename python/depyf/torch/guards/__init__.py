# SPDX-License-Identifier: MIT
"""Guards: read from torch's printed tree, rendered as Python, evaluated, and what to do about one that fails."""
