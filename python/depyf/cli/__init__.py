# SPDX-License-Identifier: MIT
"""The command `depyf`. One module a family of commands; each is imported when its command runs."""
