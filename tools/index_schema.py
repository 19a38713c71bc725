# SPDX-License-Identifier: MIT
"""Writes the JSON Schema of `index.json` beside the classes that it describes, as a test wants it."""

import json

from depyf.torch.model import facts

if __name__ == "__main__":
    facts.SCHEMA_FILE.write_text(json.dumps(facts.schema(), indent=1, ensure_ascii=False) + "\n", "utf-8")
