# SPDX-License-Identifier: MIT
"""Whether the decompiler's time is in proportion to a function's length, construct by construct.

For each construct and version: functions of 1,000 and of 8,000 of it are compiled, then read back in process, several
times each, the least processor time counts. Printed is the time of 8,000 over that of 1,000, and the time of 8,000 over
that of CPython's own compile() of the same text. Exit 1 where the first is over 10 or the second over 2. What a
version's compiler refuses (`match` before 3.10, more blocks than it nests) is "-".
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

# Each gives the lines of a function's body with so many of the construct.
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
taken = {}
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
    taken[name] = least
print(json.dumps(taken))
"""


def source(construct: str, count: int) -> str:
    """A function with so many of the construct."""
    return "def h(f, g, a, b):\n" + "".join(f" {line}\n" for line in CONSTRUCTS[construct](count))


def measure(version: str, bench: Path, constructs: list[str], rounds: int) -> dict[str, tuple[float, float] | None]:
    """For each construct: time of many over that of few, and over compile()'s; None where a compiler refuses."""
    with tempfile.TemporaryDirectory(prefix="depyf-scaling-") as name:
        texts = {f"{k}-{count}": source(c, count) for k, c in enumerate(constructs) for count in (FEW, MANY)}
        compiler = [*roundtrip.interpreter(version), "-c", COMPILER, str(rounds), name]
        done = subprocess.run(compiler, input=json.dumps(texts), capture_output=True, text=True, check=True)
        theirs = json.loads(done.stdout)
        pycs = [str(Path(name) / f"{which}.pyc") for which in theirs]
        done = subprocess.run([str(bench), str(rounds), *pycs], capture_output=True, text=True, check=True)
        ours = dict(zip(theirs, (float(line) for line in done.stdout.split()), strict=True))
    found: dict[str, tuple[float, float] | None] = {}
    for k, construct in enumerate(constructs):
        few, many = f"{k}-{FEW}", f"{k}-{MANY}"
        found[construct] = (ours[many] / ours[few], ours[many] / theirs[many]) if few in ours and many in ours else None
    return found


def main() -> int:
    """The command line; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", metavar="X.Y", default="all", help="versions, separated by commas, or all")
    parser.add_argument("--only", metavar="TEXT", default="", help="constructs whose name has this text")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--bench", type=Path, metavar="PATH", help="a bench_decompile that is built already")
    options = parser.parse_args()
    constructs = [name for name in CONSTRUCTS if options.only in name]
    if not constructs:
        parser.error(f"no construct is called {options.only!r}; there are: {', '.join(CONSTRUCTS)}")
    bench = options.bench or speed.build()
    steep = 0
    for version in roundtrip.versions(options.python):
        print(f"{version:36} {MANY} / {FEW}   / compile()")
        for construct, ratios in measure(version, bench, constructs, options.rounds).items():
            if ratios is None:
                print(f"  {construct:34}           -")
                continue
            over = ratios[0] > STEEP or ratios[1] > SLOW
            steep += over
            print(f"  {construct:34} {ratios[0]:11.1f} {ratios[1]:13.2f}{'   over' if over else ''}", flush=True)
    print(f"{steep} over {STEEP:g} times as long, or over {SLOW:g} of compile()")
    return 1 if steep else 0


if __name__ == "__main__":
    sys.exit(main())
