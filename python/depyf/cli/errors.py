# SPDX-License-Identifier: MIT
"""Errors that end a command with a message."""


class BadInput(Exception):
    """The input of a command is unusable; the message names it and says what was expected."""


def message_of(error: Exception) -> str:
    """Returns the message of an error in one line; for an error about a file, without the error number."""
    if isinstance(error, OSError) and error.strerror and error.filename:
        return f"{error.filename}: {error.strerror}"
    return " ".join(str(error).split())
