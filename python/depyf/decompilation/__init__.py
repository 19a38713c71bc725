# SPDX-License-Identifier: MIT
"""Live code objects to text, and back: needs no torch."""
