# SPDX-License-Identifier: MIT
"""Writes the JSON Schema of `index.json` beside the classes that it describes, as a test wants it.

In this checkout: where depyf is installed, its own copy of the file lies elsewhere.
"""

import json
from pathlib import Path

from depyf.torch.model import facts

SOURCES = Path(__file__).resolve().parent.parent / "python" / "depyf" / "torch" / "model"

if __name__ == "__main__":
    text = json.dumps(facts.schema(), indent=1, ensure_ascii=False)
    (SOURCES / facts.SCHEMA_FILE.name).write_text(f"{text}\n", "utf-8")
