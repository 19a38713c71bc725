# SPDX-License-Identifier: MIT
"""The module that full-code files import (`v1`), and full code bound to functions of the running program."""
