# SPDX-License-Identifier: MIT
"""What ends a command with a message."""


class BadInput(Exception):
    """What was given cannot be worked on; the message names it and says what was wanted."""
