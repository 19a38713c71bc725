# SPDX-License-Identifier: MIT
"""Stepping through dumped files, and the values of names in them that are not local variables."""
