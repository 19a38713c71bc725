# SPDX-License-Identifier: MIT
"""`./dev ablate`: measures what is lost without each pass, on each version.

The same sample of library files is decompiled with every pass, then once without each (`depyfc --skip=PASS`),
recompiled and judged as `./dev roundtrip` does. Each row has, per version, the number of code objects that are exact
with the pass and not without it, the number of dispatch loops that appear, and the ratio of the text sizes. A pass
whose row is all zeros on every version is a candidate for deletion: document its other purpose, or delete it.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tools import roundtrip


@dataclass(frozen=True)
class Loss:
    """The losses in the sample of one version without one pass."""

    exact: int  # code objects
    loops: int  # code objects that become dispatch loops
    size: float  # text size, as a ratio to the text with every pass

    def cell(self) -> str:
        """Returns the three figures as a cell of the table."""
        return f"{self.exact:5d} {self.loops:5d} {self.size:6.3f}"


def list_passes(depyfc: str) -> list[str]:
    """Returns the names of the passes, in order of execution, as the tool lists them."""
    listed = subprocess.run([depyfc, "--passes"], capture_output=True, text=True, check=True).stdout
    return [line.split()[0] for line in listed.splitlines()]


def score_of(options: argparse.Namespace, version: str, skip: str, work: Path, judge: str) -> roundtrip.Score:
    """Decompiles and judges a version's sample without the passes in `skip`, and returns the figures."""
    run = argparse.Namespace(
        files=None, group=options.group, whole=False, tool=options.tool, skip=skip, unit="file", jobs=options.jobs,
        optimize=0, strip_lines=False, timeout=60.0,
    )  # fmt: skip
    return roundtrip.run_version(
        run, version, work / (skip or "all") / version, options.sample, options.seed, judge
    ).score()


def loss(full: roundtrip.Score, without: roundtrip.Score) -> Loss:
    """Returns the loss of `without` compared with `full`."""
    kind = "dispatch loop"
    return Loss(
        full.perfect - without.perfect,
        without.less_plain.get(kind, 0) - full.less_plain.get(kind, 0),
        without.size / full.size if full.size else 0.0,
    )


def main() -> int:
    """Prints the table and returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--python", default="3.8,3.11,3.14", metavar="X.Y", help="versions, separated by commas, or all"
    )
    parser.add_argument("--only", default="", metavar="PASS[,PASS...]", help="only these passes")
    parser.add_argument(
        "--group", choices=tuple(roundtrip.GROUPS), default="lib", help="the library or its tests (lib)"
    )
    parser.add_argument("--sample", type=int, default=40, metavar="N", help="number of files per version (40)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the sample (1)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--tool", metavar="PATH", help="path of another depyfc")
    parser.add_argument("--judge", metavar="PATH", help=f"path of another {roundtrip.JUDGE}")
    options = parser.parse_args()
    depyfc = options.tool or str(Path(sys.executable).with_name("depyfc"))
    passes = list_passes(depyfc)
    selected = options.only.split(",") if options.only else passes
    if unknown := [name for name in selected if name not in passes]:
        print(f"ablate: no pass is named {', '.join(unknown)}; there are {', '.join(passes)}", file=sys.stderr)
        return 2
    judge = roundtrip.find_judge(options.judge)
    versions = roundtrip.versions(options.python)
    print("without                 " + "".join(f"{v:>20}" for v in versions))
    print("                        " + "  exact loops   size" * len(versions), flush=True)
    with tempfile.TemporaryDirectory() as temporary:
        full = {v: score_of(options, v, "", Path(temporary), judge) for v in versions}
        for name in selected:
            cells = [loss(full[v], score_of(options, v, name, Path(temporary), judge)).cell() for v in versions]
            print(f"{name:24}" + "".join(f"{cell:>20}" for cell in cells), flush=True)
    print("of                      " + "".join(f"{full[v].codes:>13} code objects"[-20:] for v in versions))
    return 0


if __name__ == "__main__":
    sys.exit(main())
