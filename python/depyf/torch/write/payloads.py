# SPDX-License-Identifier: MIT
"""`payloads.json`: the texts from which the files of a dump are made, as torch and the decompiler provided them.

Graphs and Inductor's code are as torch printed them, without addresses; decompiled code is without header and comments.
Invariant: it contains no text produced by a writer. `rewrite` reads only this file and `index.json`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from depyf.torch.model.facts import Run
from depyf.torch.model.record import Record
from depyf.torch.model.serialization import decode, encode
from depyf.torch.write.ownership import PAYLOADS


@dataclass(frozen=True)
class Payloads:
    """The texts of a dump.

    Attributes:
        graphs: Torch's text of each graph and of Inductor's code, by file.
        boxed: The executed text of each graph that takes its inputs as one list, by file.
        code: The decompiled text of each transformed code, by file.
        bytecode: The bytecode, as `dis` shows it, of transformed code without a usable text, by file.
        eager: The decompiled text of the code of each frame that runs eagerly, by the frame's key.
        operators: The module or script that registers each of the program's own operators, by `namespace::name`.

    """

    graphs: dict[str, str]
    boxed: dict[str, str]
    code: dict[str, str]
    bytecode: dict[str, str]
    eager: dict[str, str]
    operators: dict[str, str]

    @classmethod
    def of(cls, record: Record) -> Payloads:
        """Returns the texts of a record."""
        entries = (*record.entries, *record.failed_entries)
        return cls(
            {g.path.name: g.text for g in record.graphs},
            {g.path.name: g.boxed for g in record.graphs if g.boxed},
            {e.path.name: e.decompiled for e in entries if e.path is not None and e.decompiled},
            {e.path.name: e.bytecode for e in entries if e.path is not None and e.bytecode},
            {key: frame.text for key, frame in record.uncompiled.items()},
            {
                f"{namespace}::{name}": module
                for graph in record.graphs
                for (namespace, name), module in (graph.plan.operators if graph.plan is not None else {}).items()
            },
        )

    @property
    def is_empty(self) -> bool:
        """Whether there are no texts; the dump is then only an index."""
        return not (self.graphs or self.code or self.bytecode)

    def as_json(self) -> str:
        """Returns the text of `payloads.json`."""
        return json.dumps(encode(self), indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def load(cls, folder: Path, run: Run) -> Payloads:
        """Loads the texts of a dump folder. `run` is the content of its index, which tells whether there are any.

        Raises:
            OSError: There is no such file.
            ValueError: The file has different content; the message contains the path to the mismatch.

        """
        if not run.files and not (folder / PAYLOADS).exists():
            return cls({}, {}, {}, {}, {}, {})
        return decode(cls, json.loads((folder / PAYLOADS).read_text("utf-8")))
