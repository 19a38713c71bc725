# SPDX-License-Identifier: MIT
"""Measures the cost of a question: memory for a function that reads 200 MB, and time per 100 guards for repeated ones.

Usage: python tools/question_cost.py. Prints one figure per line; times are CPU times of this process.
"""

from __future__ import annotations

import gc
import time

import torch

WEIGHT = torch.ones(50_000_000)
SCALE = 2


def reading(x: torch.Tensor) -> torch.Tensor:
    """Reads a tensor of 200 MB."""
    return x + WEIGHT[:3].sum()


LAYERS = torch.nn.Sequential(*(torch.nn.Linear(4, 4) for _ in range(20)))


def stacked(x: torch.Tensor) -> torch.Tensor:
    """Has some hundreds of guards."""
    return LAYERS(x).relu() * SCALE


def mebibytes(what: str) -> float:
    """Returns the value of a line of /proc/self/status in MiB."""
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(what)) / 1024


def memory() -> None:
    """Prints how far a question raises the peak of memory, including the import of depyf."""
    compiled = torch.compile(reading, backend="eager")
    compiled(torch.ones(3))
    gc.collect()
    with open("/proc/self/clear_refs", "w", encoding="ascii") as refs:
        refs.write("5")  # resets the peak (VmHWM)
    before = mebibytes("VmRSS")
    import depyf

    assert depyf.which_entry(compiled, torch.ones(3)).hit
    assert depyf.entries(compiled)[0].explain(torch.ones(3)).hit
    print(f"memory: {mebibytes('VmHWM') - before:.1f} MiB more")


def times() -> None:
    """Prints times per 100 guards: the first question, with fresh arguments, and after a guarded value changed."""
    global SCALE
    import depyf

    compiled = torch.compile(stacked, backend="eager", dynamic=False)
    for rows in (2, 3, 4):
        compiled(torch.ones(rows, 4))
    guards = sum(len(entry.guards) for entry in depyf.entries(compiled))

    def timed(what: str, rows: int, hit: bool) -> None:
        began = time.process_time()
        decision = depyf.which_entry(compiled, torch.ones(rows, 4))
        spent = time.process_time() - began
        assert decision.hit == hit
        print(f"{what}: {1e3 * spent / guards * 100:.2f} ms per 100 guards ({guards} guards, 3 entries)")

    timed("first question", 9, False)
    timed("fresh arguments, no entry accepts the call", 9, False)
    timed("fresh arguments, the last entry accepts the call", 2, True)
    SCALE = 3
    timed("a guarded value changed", 2, False)
    timed("the same again", 2, False)


if __name__ == "__main__":
    memory()
    times()
