# SPDX-License-Identifier: MIT
"""The command `depyf`. Each family of commands is a module, which is imported when one of its commands runs."""
