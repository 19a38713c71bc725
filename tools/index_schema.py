# SPDX-License-Identifier: MIT
"""Writes the JSON Schema of `index.json` next to the classes that it describes; a test compares the two.

It writes into this checkout: an installed depyf has a copy of the file elsewhere.
"""

import json
from pathlib import Path

from depyf.torch.model import facts

SOURCES = Path(__file__).resolve().parent.parent / "python" / "depyf" / "torch" / "model"

if __name__ == "__main__":
    text = json.dumps(facts.schema(), indent=1, ensure_ascii=False)
    (SOURCES / facts.SCHEMA_FILE.name).write_text(f"{text}\n", "utf-8")
