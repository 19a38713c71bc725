# SPDX-License-Identifier: MIT
"""`python -m depyf trace LOGS FOLDER`: a dump from a TORCH_TRACE folder."""

from __future__ import annotations

import argparse
import sys


def main(arguments: list[str] | None = None) -> int:
    """Runs one command; 0, or 2 for bad input."""
    parser = argparse.ArgumentParser(prog="python -m depyf", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    trace = commands.add_parser("trace", help="write the dump of a program that ran with TORCH_TRACE=LOGS")
    trace.add_argument("logs", help="the folder that TORCH_TRACE named, or one log file")
    trace.add_argument("folder", help="where to write the dump")
    options = parser.parse_args(arguments)

    import depyf

    try:
        written = depyf.from_trace(options.logs, options.folder)
    except OSError as error:
        print(f"depyf: {error}", file=sys.stderr)
        return 2
    print(f"{written}: start with index.md")
    return 0


if __name__ == "__main__":
    sys.exit(main())
