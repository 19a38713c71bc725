# SPDX-License-Identifier: MIT
"""What a question costs: memory on a function that reads 200 MB, and time per 100 guards when asked again.

Usage: python tools/question_cost.py. Prints one line a figure; the times are of this process's CPU.
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
    """Some hundreds of guards."""
    return LAYERS(x).relu() * SCALE


def mebibytes(what: str) -> float:
    """A line of /proc/self/status."""
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(what)) / 1024


def memory() -> None:
    """Prints the peak above what the program had before it asked, imports of depyf included."""
    compiled = torch.compile(reading, backend="eager")
    compiled(torch.ones(3))
    gc.collect()
    with open("/proc/self/clear_refs", "w", encoding="ascii") as refs:
        refs.write("5")  # the peak begins anew
    before = mebibytes("VmRSS")
    import depyf

    assert depyf.which_entry(compiled, torch.ones(3)).hit
    assert depyf.entries(compiled)[0].explain(torch.ones(3)).hit
    print(f"memory: {mebibytes('VmHWM') - before:.1f} MiB more")


def times() -> None:
    """Prints the time per 100 guards: asked first, with fresh arguments, after a guarded value changed."""
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
    timed("fresh arguments, no entry takes the call", 9, False)
    timed("fresh arguments, the last entry takes the call", 2, True)
    SCALE = 3
    timed("a guarded value changed", 2, False)
    timed("the same again", 2, False)


if __name__ == "__main__":
    memory()
    times()
