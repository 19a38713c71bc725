# SPDX-License-Identifier: MIT
"""`payloads.json`: the texts that the files of a dump were made from, as torch and the decompiler gave them.

Graphs and Inductor's code as torch printed them, without addresses; decompiled code without header and comments.
Invariant: nothing that a writer has made is in it. With `index.json` it is all that `rewrite` reads of a dump.
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
    """Texts by what each is of.

    Attributes:
        graphs: File of a graph, or of Inductor's code, to torch's text of it.
        boxed: File of a graph to the text that runs, where that takes its inputs as one list.
        code: File of transformed code to the decompiled text.
        bytecode: File of transformed code without a usable text to the bytecode, as `dis` shows it.
        eager: Key of a frame that runs eagerly to the decompiled text of its own code.
        operators: The program's own operators, as `namespace::name`, to the module or script that registers each.

    """

    graphs: dict[str, str]
    boxed: dict[str, str]
    code: dict[str, str]
    bytecode: dict[str, str]
    eager: dict[str, str]
    operators: dict[str, str]

    @classmethod
    def of(cls, record: Record) -> Payloads:
        """The texts of a record."""
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
        """Whether there was nothing to write: then the dump is an index alone."""
        return not (self.graphs or self.code or self.bytecode)

    def as_json(self) -> str:
        """The text of `payloads.json`."""
        return json.dumps(encode(self), indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def load(cls, folder: Path, run: Run) -> Payloads:
        """The texts of a dump folder. `run`: the one of its index, which tells whether there are any.

        Raises:
            OSError: There is no such file.
            ValueError: It holds something else; the message names the place in it.

        """
        if not run.files and not (folder / PAYLOADS).exists():
            return cls({}, {}, {}, {}, {}, {})
        return decode(cls, json.loads((folder / PAYLOADS).read_text("utf-8")))
