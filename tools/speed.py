# SPDX-License-Identifier: MIT
"""Measures the decompiler's speed in process, compared with CPython's own compile() of the same files.

For each version, a sample of its standard library is compiled and decompiled, each file several times on both sides;
the least CPU time counts. Printed are the ratio for the whole sample, the median of the files' ratios, and the slowest
file's. Machines are noisy: only ratios of one run are comparable. ``./dev build`` does not build the benchmark; it is
built here as wheels are (tools/optimized.py), which takes minutes after a change of the sources.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tools import optimized, roundtrip

COMPILER = """
import json, py_compile, sys, time
rounds, out = int(sys.argv[1]), sys.argv[2]
seconds = []
for k, path in enumerate(json.load(sys.stdin)):
    with open(path, "rb") as source:
        text = source.read()
    least = float("inf")
    for _ in range(rounds):
        begin = time.process_time()
        compile(text, path, "exec", dont_inherit=True)
        least = min(least, time.process_time() - begin)
    py_compile.compile(path, "%s/%d.pyc" % (out, k), doraise=True)
    seconds.append(least)
print(json.dumps(seconds))
"""


def build() -> Path:
    """Builds the benchmark and returns its path."""
    folder = optimized.ROOT / "build" / "optimized"
    return optimized.build(folder, ["bench_decompile"], []) / "bench" / "bench_decompile"


def measure(version: str, bench: Path, sample: int, seed: int, rounds: int) -> str:
    """Measures a version and returns its line of the table."""
    with tempfile.TemporaryDirectory(prefix="depyf-speed-") as name:
        folder = Path(name)
        files = [str(path) for path in roundtrip.corpus(version, "lib", sample, seed, folder)]
        compiler = [*roundtrip.interpreter(version), "-c", COMPILER, str(rounds), name]
        done = subprocess.run(compiler, input=json.dumps(files), capture_output=True, text=True, check=True)
        compiling = [float(seconds) for seconds in json.loads(done.stdout)]
        pycs = [str(folder / f"{k}.pyc") for k in range(len(files))]
        done = subprocess.run([str(bench), str(rounds), *pycs], capture_output=True, text=True, check=True)
        decompiling = [float(line) for line in done.stdout.split()]
    ratios = [a / b for a, b in zip(decompiling, compiling, strict=True)]
    worst = max(range(len(files)), key=ratios.__getitem__)
    return (
        f"{version:7} {len(files):6} {sum(decompiling) / sum(compiling):8.2f} {statistics.median(ratios):8.2f} "
        f"{ratios[worst]:8.2f}  {Path(files[worst]).name}"
    )


def main() -> int:
    """Parses the command line, measures and returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", metavar="X.Y", default="all", help="versions, separated by commas, or all")
    parser.add_argument("--sample", type=int, default=60, metavar="N", help="number of files per version (60); 0: all")
    parser.add_argument("--seed", type=int, default=1, help="seed of the sample (1)")
    parser.add_argument("--rounds", type=int, default=5, help="repetitions of each measurement (5)")
    parser.add_argument("--bench", type=Path, metavar="PATH", help="a bench_decompile that is already built")
    options = parser.parse_args()
    bench = options.bench or build()
    print(f"{'version':7} {'files':>6} {'whole x':>8} {'median x':>8} {'worst x':>8}")
    for version in roundtrip.versions(options.python):
        print(measure(version, bench, options.sample, options.seed, options.rounds), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
