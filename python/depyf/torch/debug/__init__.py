# SPDX-License-Identifier: MIT
"""Stepping through dumped files, and the values that have no variable of the program's."""
