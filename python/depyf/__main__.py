# SPDX-License-Identifier: MIT
"""`python -m depyf`: the command `depyf` (see depyf.cli)."""

from __future__ import annotations

import sys

from depyf.cli.app import main

if __name__ == "__main__":
    sys.exit(main())
