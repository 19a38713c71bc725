# SPDX-License-Identifier: MIT
"""`python -m tools.overhead`: what watching costs: compile time with depyf over without, and calls afterwards.

Pairs alternate in one process after a first run that counts for nothing; a ratio is the median over pairs. Time is the
processor's, of this process and the compilers that it starts: other programs on the machine disturb that less than the
clock on the wall. The first ratio is that of compiling, the second one counts what depyf does when its block ends as
well. Exit 1 when a first ratio is above its bar.
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

os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")  # compilers are then children that are waited for

import depyf
import torch

from tools.demo import load_toy
from tools.zoo import plain_models
from tools.zoo.spec import Zoo

MODELS = ("BERT_pytorch", "DiT", "LearningToPaint", "dcgan", "pytorch_unet")
BARS = {("toy", "cold"): 1.05, ("model", "cold"): 1.10, ("toy", "warm"): 1.25, ("model", "warm"): 1.25}
BARS |= {("toy", "eager"): 1.25, ("model", "eager"): 1.25}


def processor_time() -> float:
    """Seconds of this process and of its children that ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)  # os.times() counts in hundredths of a second
    return time.process_time() + children.ru_utime + children.ru_stime


@contextmanager
def _cache(folder: str | None) -> Iterator[None]:
    """Inductor's cache in `folder`, or in a new one; what it keeps in memory is dropped either way."""
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
    """Something to compile and call."""

    def __init__(self, name: str, kind: str, compile_and_call: Callable[[str], None]) -> None:
        self.name = name
        self.kind = kind
        self._run = compile_and_call
        self.provenance = False

    def seconds(self, mode: str, watched: bool, cache: str | None) -> tuple[float, float]:
        """Processor time of one compilation with its first calls, without and with the end of the block."""
        torch._dynamo.reset()
        backend = "eager" if mode == "eager" else "inductor"
        with _cache(cache), tempfile.TemporaryDirectory() as dump:
            start = processor_time()
            with depyf.prepare_debug(dump, provenance=self.provenance) if watched else nullcontext():
                self._run(backend)
                compiled = processor_time() - start
            return compiled, processor_time() - start


def subjects(names: list[str]) -> Iterator[Subject]:
    """The toy example and models of the zoo."""
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
    """Median ratios of compiling and of the whole block; median seconds of compiling without and with depyf."""
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
    """Ratios of the time of calls that hit: unwatched over unwatched (A/A), watched over unwatched (A/B)."""
    toy = load_toy().toy_example
    a, b = torch.linspace(-1, 1, 10), torch.ones(10)

    def made(watched: bool) -> Callable[..., Any]:
        copy = types.FunctionType(toy.__code__.replace(co_firstlineno=len(made_ones) + 1), toy.__globals__, "toy")
        compiled: Callable[..., Any] = torch.compile(copy, backend="eager")
        with tempfile.TemporaryDirectory() as dump, depyf.prepare_debug(dump) if watched else nullcontext():
            compiled(a, b)
        made_ones.append(compiled)
        return compiled

    def measure(function: Callable[..., Any]) -> float:
        start = time.process_time()
        for _ in range(calls):
            function(a, b)
        return time.process_time() - start

    made_ones: list[Any] = []
    first, second, watched = made(False), made(False), made(True)
    for function in (first, second, watched):
        measure(function)
    same, other = [], []
    for i in range(pairs):
        order = (first, second, watched) if i % 2 else (watched, second, first)
        spent = {id(f): measure(f) for f in order}
        same.append(spent[id(second)] / spent[id(first)])
        other.append(spent[id(watched)] / spent[id(first)])
    return same, other


def main() -> int:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=7, help="of compilations, for each line (default 7)")
    parser.add_argument("--calls", type=int, default=200, help="in one steady-state sample (default 200)")
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="toy or models of the zoo's plain ones")
    parser.add_argument("--modes", nargs="*", default=["cold", "warm", "eager"])
    parser.add_argument(
        "--provenance", action="store_true", help="have Inductor tell of its kernels; no bar holds then"
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
            bar = BARS[subject.kind, mode] if not options.provenance else float("inf")
            status |= ratio > bar
            print(
                f"{subject.name:26} {mode:6} {without:7.2f} -> {watched:7.2f}  "
                f"ratio {ratio:.3f}, with its end {whole:.3f}  "
                f"{'ok' if ratio <= bar else 'ABOVE'} (bar {bar})",
                flush=True,
            )
    same, other = steady_state(51, options.calls)
    low, high, median = min(same), max(same), statistics.median(other)
    status |= not low <= median <= high
    print(f"steady state: A/B median {median:.3f} of 51 pairs; A/A median {statistics.median(same):.3f}, "
          f"from {low:.3f} to {high:.3f}")  # fmt: skip
    return int(status)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    sys.exit(main())
