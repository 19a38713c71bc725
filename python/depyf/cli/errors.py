# SPDX-License-Identifier: MIT
"""What ends a command with a message."""


class BadInput(Exception):
    """What was given cannot be worked on; the message names it and says what was wanted."""


def said(error: Exception) -> str:
    """What an error says, in a line; of a file's without its number."""
    if isinstance(error, OSError) and error.strerror and error.filename:
        return f"{error.filename}: {error.strerror}"
    return " ".join(str(error).split())
