# SPDX-License-Identifier: MIT
"""Texts of guards for dumped files: equal in each run, with a number in place of each object id and address.

Invariant: in the process that wrote the file, the check decides the same as the one from `guards.render`. No text
contains an address.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from depyf.torch.guards import render
from depyf.torch.internals.stable_names import SHORTEST, stable_text, without_addresses
from depyf.torch.model.guard import Guard

_ADDRESS = re.compile(r"\b0x([0-9a-f]{6,})\b")
_NUMBER = re.compile(r"(?<![\w.])\d{5,}(?![\w.])")


@dataclass
class Numbers:
    """Numbers the object ids, addresses and versions in one file, in order of appearance."""

    known: dict[int, int] = field(default_factory=dict)

    def number_of(self, identity: int) -> int:
        """Returns the number that stands for an id in the file."""
        return self.known.setdefault(identity, len(self.known))

    def check(self, guard: Guard) -> str:
        """Returns the guard as a Python expression over `L`, `G` and the helpers of `checks`."""
        text = render.render(guard)
        if render.is_evaluated(guard) and (
            "same_process_id(" in text or guard.kind == "DATA_PTR_MATCH" or _ADDRESS.search(text)
        ):
            text = self._numbered(text, guard.kind == "DATA_PTR_MATCH")
        elif not render.is_evaluated(guard):
            text = self._shown(text)
        return stable_text(text)

    def torchs_text(self, guard: Guard) -> str:
        """Returns torch's own text of the guard, in one line."""
        return self._shown(render.shown(guard))

    def _numbered(self, text: str, pointers: bool) -> str:
        """Returns the check with numbers in place of ids, as arguments of `same_process_id`."""
        encoded = text.encode()  # the parser counts columns in bytes
        edits: list[tuple[ast.Constant, str]] = []
        tree = ast.parse(text, mode="eval")
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                if node.func.id == "same_process_id":
                    edits += [(n, repr(self.number_of(value))) for n, value in _numbers_in(node)]
                elif node.func.id == "shown_as" and isinstance(last := node.args[-1], ast.Constant):
                    shown = _ADDRESS.sub(lambda m: f"0x#{self.number_of(int(m[1], 16))}", str(last.value))
                    edits += [(last, f"same_process_id({shown!r})")] if shown != last.value else []
        if pointers:
            edits += [
                (n, f"same_process_id({self.number_of(value)})") for n, value in _numbers_in(tree) if value >= SHORTEST
            ]
        for node, new in sorted(edits, key=lambda edit: edit[0].col_offset, reverse=True):
            encoded = encoded[: node.col_offset] + new.encode() + encoded[node.end_col_offset :]
        return encoded.decode()

    def _shown(self, text: str) -> str:
        def number(match: re.Match[str]) -> str:
            identity = int(match[0])
            return (
                f"<id {self.known[identity]}>"
                if identity in self.known
                else "<id>"
                if identity >= SHORTEST
                else match[0]
            )

        return without_addresses(_NUMBER.sub(number, text))


def _numbers_in(tree: ast.AST) -> Iterator[tuple[ast.Constant, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, int) and not isinstance(node.value, bool):
            yield node, node.value
