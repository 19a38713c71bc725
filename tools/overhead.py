# SPDX-License-Identifier: MIT
"""`python -m tools.overhead`: measures what depyf adds to compile time and to calls afterwards.

Runs with and without depyf alternate in one process, after one run of each that is not counted; a ratio is the median
over pairs. Times are CPU times of this process and of the compilers that it starts, which other programs on the machine
disturb less than wall-clock time. The first ratio is that of compiling; the second includes what depyf does at the end
of its block. The exit status is 1 if a first ratio is above its limit.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import sys
import tempfile
import time
import types
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")  # compilers then run as children that are waited for

import depyf
import torch

from tools.demo import load_toy
from tools.zoo import plain_models
from tools.zoo.spec import Zoo

MODELS = ("BERT_pytorch", "DiT", "LearningToPaint", "dcgan", "pytorch_unet")
LIMITS = {("toy", "cold"): 1.05, ("model", "cold"): 1.10, ("toy", "warm"): 1.25, ("model", "warm"): 1.25}
LIMITS |= {("toy", "eager"): 1.25, ("model", "eager"): 1.25}


def processor_time() -> float:
    """Returns the CPU seconds of this process and of its children that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)  # os.times() only has a resolution of 10 ms
    return time.process_time() + children.ru_utime + children.ru_stime


@contextmanager
def _cache(folder: str | None) -> Iterator[None]:
    """Uses `folder`, or a new folder, as Inductor's cache; its in-memory caches are cleared either way."""
    from torch._inductor import utils

    fresh = getattr(utils, "fresh_cache", None) or utils.fresh_inductor_cache
    with fresh(), tempfile.TemporaryDirectory() as new:
        before = os.environ["TORCHINDUCTOR_CACHE_DIR"]
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder or new
        try:
            yield
        finally:
            os.environ["TORCHINDUCTOR_CACHE_DIR"] = before


class Subject:
    """A program to compile and call."""

    def __init__(self, name: str, kind: str, compile_and_call: Callable[[str], None]) -> None:
        self.name = name
        self.kind = kind
        self._run = compile_and_call
        self.provenance = False

    def seconds(self, mode: str, watched: bool, cache: str | None) -> tuple[float, float]:
        """Returns the CPU time of one compilation with its first calls, without and with the end of the block."""
        torch._dynamo.reset()
        backend = "eager" if mode == "eager" else "inductor"
        with _cache(cache), tempfile.TemporaryDirectory() as dump:
            start = processor_time()
            with depyf.prepare_debug(dump, provenance=self.provenance) if watched else nullcontext():
                self._run(backend)
                compiled = processor_time() - start
            return compiled, processor_time() - start


def subjects(names: list[str]) -> Iterator[Subject]:
    """Yields the toy example and models of the zoo."""
    toy, zoo = load_toy(), Zoo()
    plain_models.add_to(zoo)
    if not names or "toy" in names:
        yield Subject("toy", "toy", lambda backend: toy.run(backend, True) and None)
    for name in names or MODELS:
        if name == "toy":
            continue
        torch.manual_seed(0)
        module, inputs = zoo.models[name].build()

        def run(backend: str, module: torch.nn.Module = module, inputs: dict[str, Any] = inputs) -> None:
            with torch.no_grad():
                torch.compile(module.eval(), backend=backend)(**inputs)

        yield Subject(name, "model", run)


def compile_ratios(subject: Subject, mode: str, pairs: int) -> tuple[float, float, float, float]:
    """Returns the median ratios of compiling and of the whole block, and median seconds without and with depyf."""
    with tempfile.TemporaryDirectory() as kept:
        cache = kept if mode == "warm" else None
        for w in (True, False):
            subject.seconds(mode, w, cache)
        spent: dict[bool, list[tuple[float, float]]] = {False: [], True: []}
        for i in range(pairs):
            for w in (False, True) if i % 2 else (True, False):
                spent[w].append(subject.seconds(mode, w, cache))
    both = list(zip(spent[False], spent[True], strict=True))
    without, watched = (statistics.median(first for first, _ in spent[w]) for w in (False, True))
    return (
        statistics.median(b[0] / a[0] for a, b in both),
        statistics.median(b[1] / a[1] for a, b in both),
        without,
        watched,
    )


def steady_state(pairs: int, calls: int) -> tuple[list[float], list[float]]:
    """Returns ratios of the time of calls that hit: without depyf twice (A/A), and with over without (A/B)."""
    toy = load_toy().toy_example
    a, b = torch.linspace(-1, 1, 10), torch.ones(10)

    def compile_copy(watched: bool) -> Callable[..., Any]:
        copy = types.FunctionType(toy.__code__.replace(co_firstlineno=len(copies) + 1), toy.__globals__, "toy")
        compiled: Callable[..., Any] = torch.compile(copy, backend="eager")
        with tempfile.TemporaryDirectory() as dump, depyf.prepare_debug(dump) if watched else nullcontext():
            compiled(a, b)
        copies.append(compiled)
        return compiled

    def measure(function: Callable[..., Any]) -> float:
        start = time.process_time()
        for _ in range(calls):
            function(a, b)
        return time.process_time() - start

    copies: list[Any] = []
    first, second, watched = compile_copy(False), compile_copy(False), compile_copy(True)
    for function in (first, second, watched):
        measure(function)
    without_depyf, with_depyf = [], []
    for i in range(pairs):
        order = (first, second, watched) if i % 2 else (watched, second, first)
        spent = {id(f): measure(f) for f in order}
        without_depyf.append(spent[id(second)] / spent[id(first)])
        with_depyf.append(spent[id(watched)] / spent[id(first)])
    return without_depyf, with_depyf


def main() -> int:
    """Prints a table and returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=7, help="number of pairs of compilations per line (7)")
    parser.add_argument("--calls", type=int, default=200, help="calls in one steady-state sample (200)")
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="toy, or plain models of the zoo")
    parser.add_argument("--modes", nargs="*", default=["cold", "warm", "eager"], help="cold, warm and eager (all)")
    parser.add_argument(
        "--provenance", action="store_true", help="enable Inductor's provenance tracking; there is no limit then"
    )
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    status = 0
    print(f"torch {torch.__version__}, median of {options.pairs} pairs, seconds of processor time", flush=True)
    for subject in subjects(options.only):
        subject.provenance = options.provenance
        for mode in options.modes:
            ratio, whole, without, watched = compile_ratios(subject, mode, options.pairs)
            limit = LIMITS[subject.kind, mode] if not options.provenance else float("inf")
            status |= ratio > limit
            print(
                f"{subject.name:26} {mode:6} {without:7.2f} -> {watched:7.2f}  "
                f"ratio {ratio:.3f}, with the end of the block {whole:.3f}  "
                f"{'ok' if ratio <= limit else 'ABOVE'} (limit {limit})",
                flush=True,
            )
    without_depyf, with_depyf = steady_state(51, options.calls)
    low, high, median = min(without_depyf), max(without_depyf), statistics.median(with_depyf)
    status |= not low <= median <= high
    print(f"steady state: A/B median {median:.3f} of 51 pairs; A/A median {statistics.median(without_depyf):.3f}, "
          f"from {low:.3f} to {high:.3f}")  # fmt: skip
    return int(status)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    sys.exit(main())
