# SPDX-License-Identifier: MIT
"""Checks, construct by construct, that the decompiler's time is proportional to a function's length.

For each construct and version, a function with 1,000 and one with 8,000 of it are compiled and then decompiled in
process, several times each; the least CPU time counts. Printed are the ratio of the time for 8,000 to that for 1,000,
and the ratio of the time for 8,000 to that of CPython's own compile() for the same text. The exit status is 1 if a
first ratio is over 10 or a second one over 2. "-" means that the version's compiler rejects the text (`match` before
3.10, too many nested blocks).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tools import roundtrip, speed

FEW, MANY = 1000, 8000
STEEP, SLOW = 10.0, 2.0

# Each function returns the lines of a function's body with `n` of the construct.
CONSTRUCTS = {
    "or": lambda n: ["return " + " or ".join(f"f({i})" for i in range(n))],
    "or in a list": lambda n: ["return [" + ", ".join(f"a or b{i % 9}" for i in range(n)) + "]"],
    "and, or in turns": lambda n: ["return " + " ".join(f"f({i}) {('and', 'or')[i % 2]}" for i in range(n)) + " g()"],
    "conditional arguments": lambda n: [f"f({i} if a else {i + 1})" for i in range(n)],
    "conditional expressions in a list": lambda n: ["return [" + ", ".join(f"{i} if a else f" for i in range(n)) + "]"],
    "chained comparisons": lambda n: [f"f({i} < a < b)" for i in range(n)],
    "chained comparisons as conditions": lambda n: [f"if {i} < a < b: f({i})" for i in range(n)],
    "elif": lambda n: ["if f(0): g(0)", *[f"elif f({i}): g({i})" for i in range(1, n)]],
    "elif that return": lambda n: ["if f(0): return 0", *[f"elif f({i}): return {i}" for i in range(1, n)]],
    "elif, mixed": lambda n: ["if f(0): g(0)", *[f"elif f({i}): {('g', 'return ')[i % 2]}({i})" for i in range(1, n)]],
    "continue": lambda n: ["for x in a:", *[f" if f({i}): continue" for i in range(n)]],
    "break": lambda n: ["for x in a:", *[f" if f({i}): break" for i in range(n)]],
    "match": lambda n: ["match a:", *[f" case {i}: f({i})" for i in range(n)]],
    "match of patterns": lambda n: ["match a:", *[f" case [{i}, x] | (x, {i}): f(x)" for i in range(n)]],
    "except as": lambda n: [f"try: f({i})\n except E as e: g(e)" for i in range(n)],
    "except handlers": lambda n: ["try: f()", *[f"except E{i}: g({i})" for i in range(n)]],
    "with": lambda n: [f"with f({i}) as x: g(x)" for i in range(n)],
    "finally": lambda n: [f"try: f({i})\n finally: g({i})" for i in range(n)],
    "calls in one finally": lambda n: ["try: f()", "finally:", *[f" g({i})" for i in range(n)]],
    "returns in a finally": lambda n: ["try:", *[f" if f({i}): return g({i})" for i in range(n)], "finally: b()"],
    "comprehensions": lambda n: [f"f([x for x in a if x > {i}])" for i in range(n)],
    "lambdas": lambda n: [f"f(lambda x: x + {i})" for i in range(n)],
    "calls three deep": lambda n: [f"f(g(b({i}, a), a), b=g({i}))" for i in range(n)],
    "subscripts stored": lambda n: [f"a[f({i})], b.c = g({i})" for i in range(n)],
    "string formatting": lambda n: [f"f(f'{{a}}{i}{{b!r}}')" for i in range(n)],
    "if": lambda n: [f"if f({i}): g({i})" for i in range(n)],
    "while": lambda n: [f"while f({i}): g({i})" for i in range(n)],
    "for": lambda n: [f"for x in f({i}): g(x)" for i in range(n)],
}

COMPILER = """
import json, marshal, importlib.util, os, sys, time
sys.setrecursionlimit(100000)
rounds, folder = int(sys.argv[1]), sys.argv[2]
seconds = {}
for name, text in json.load(sys.stdin).items():
    least = float("inf")
    try:
        for _ in range(rounds):
            begin = time.process_time()
            code = compile(text, name, "exec", dont_inherit=True)
            least = min(least, time.process_time() - begin)
    except (SyntaxError, RecursionError, MemoryError):
        continue
    with open(os.path.join(folder, name + ".pyc"), "wb") as out:
        out.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
    seconds[name] = least
print(json.dumps(seconds))
"""


def source(construct: str, count: int) -> str:
    """Returns the text of a function with `count` of the construct."""
    return "def h(f, g, a, b):\n" + "".join(f" {line}\n" for line in CONSTRUCTS[construct](count))


def measure(version: str, bench: Path, constructs: list[str], rounds: int) -> dict[str, tuple[float, float] | None]:
    """Returns the two ratios for each construct; None if the compiler rejects the text."""
    with tempfile.TemporaryDirectory(prefix="depyf-scaling-") as name:
        texts = {f"{k}-{count}": source(c, count) for k, c in enumerate(constructs) for count in (FEW, MANY)}
        compiler = [*roundtrip.interpreter(version), "-c", COMPILER, str(rounds), name]
        done = subprocess.run(compiler, input=json.dumps(texts), capture_output=True, text=True, check=True)
        compile_seconds = json.loads(done.stdout)
        pycs = [str(Path(name) / f"{which}.pyc") for which in compile_seconds]
        done = subprocess.run([str(bench), str(rounds), *pycs], capture_output=True, text=True, check=True)
        decompile_seconds = dict(zip(compile_seconds, (float(line) for line in done.stdout.split()), strict=True))
    ratios_of: dict[str, tuple[float, float] | None] = {}
    for k, construct in enumerate(constructs):
        few, many = f"{k}-{FEW}", f"{k}-{MANY}"
        ratios_of[construct] = (
            (decompile_seconds[many] / decompile_seconds[few], decompile_seconds[many] / compile_seconds[many])
            if few in decompile_seconds and many in decompile_seconds
            else None
        )
    return ratios_of


def main() -> int:
    """Parses the command line, measures and returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", metavar="X.Y", default="all", help="versions, separated by commas, or all")
    parser.add_argument("--only", metavar="TEXT", default="", help="only constructs whose name contains this text")
    parser.add_argument("--rounds", type=int, default=3, help="repetitions of each measurement (3)")
    parser.add_argument("--bench", type=Path, metavar="PATH", help="a bench_decompile that is already built")
    options = parser.parse_args()
    constructs = [name for name in CONSTRUCTS if options.only in name]
    if not constructs:
        parser.error(f"no construct contains {options.only!r}; there are: {', '.join(CONSTRUCTS)}")
    bench = options.bench or speed.build()
    failures = 0
    for version in roundtrip.versions(options.python):
        print(f"{version:36} {MANY} / {FEW}   / compile()")
        for construct, ratios in measure(version, bench, constructs, options.rounds).items():
            if ratios is None:
                print(f"  {construct:34}           -")
                continue
            is_over = ratios[0] > STEEP or ratios[1] > SLOW
            failures += is_over
            print(f"  {construct:34} {ratios[0]:11.1f} {ratios[1]:13.2f}{'   is_over' if is_over else ''}", flush=True)
    print(f"{failures} constructs over {STEEP:g} times as long, or over {SLOW:g} of compile()")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
