# SPDX-License-Identifier: MIT
"""`./dev ablate`: what is lost when a pass is left out, for each pass and version.

The same sample of library files is decompiled with every pass, then once without each (`depyfc --skip=PASS`),
recompiled and judged as `./dev roundtrip` does. One line a pass: code objects that are exact with it and not without
it, dispatch loops that appear, and how much longer the text becomes. A pass whose line is all zeros on every version is
a candidate for deletion; say what else it is for, or delete it.
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
    """What the sample of one version loses without one pass."""

    exact: int  # code objects
    loops: int  # code objects that become dispatch loops
    size: float  # text size, as a ratio to the text with every pass

    def cell(self) -> str:
        """Three figures for the table."""
        return f"{self.exact:5d} {self.loops:5d} {self.size:6.3f}"


def pass_names(depyfc: str) -> list[str]:
    """The passes, in order of execution, as the tool lists them."""
    listed = subprocess.run([depyfc, "--passes"], capture_output=True, text=True, check=True).stdout
    return [line.split()[0] for line in listed.splitlines()]


def played(options: argparse.Namespace, version: str, skip: str, work: Path, judge: str) -> roundtrip.Score:
    """The figures of a version's sample without the passes of `skip`."""
    run = argparse.Namespace(
        files=None, group=options.group, whole=False, tool=options.tool, skip=skip, unit="file", jobs=options.jobs,
        optimize=0, strip_lines=False, timeout=60.0,
    )  # fmt: skip
    return roundtrip.play(run, version, work / (skip or "all") / version, options.sample, options.seed, judge).score()


def loss(full: roundtrip.Score, without: roundtrip.Score) -> Loss:
    """What the second lacks."""
    kind = "dispatch loop"
    return Loss(
        full.perfect - without.perfect,
        without.less_plain.get(kind, 0) - full.less_plain.get(kind, 0),
        without.size / full.size if full.size else 0.0,
    )


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--python", default="3.8,3.11,3.14", metavar="X.Y", help="versions, separated by commas, or all"
    )
    parser.add_argument("--only", default="", metavar="PASS[,PASS...]", help="these passes alone")
    parser.add_argument("--group", choices=tuple(roundtrip.GROUPS), default="lib", help="the library, or its tests")
    parser.add_argument("--sample", type=int, default=40, metavar="N", help="files a version")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--tool", metavar="PATH", help="another depyfc")
    parser.add_argument("--judge", metavar="PATH", help="another judge of pairs")
    options = parser.parse_args()
    depyfc = options.tool or str(Path(sys.executable).with_name("depyfc"))
    names = pass_names(depyfc)
    wanted = options.only.split(",") if options.only else names
    if unknown := [name for name in wanted if name not in names]:
        print(f"ablate: no pass is named {', '.join(unknown)}; there are {', '.join(names)}", file=sys.stderr)
        return 2
    judge = roundtrip.find_judge(options.judge)
    versions = roundtrip.versions(options.python)
    print("without                 " + "".join(f"{v:>20}" for v in versions))
    print("                        " + "  exact loops   size" * len(versions), flush=True)
    with tempfile.TemporaryDirectory() as temporary:
        full = {v: played(options, v, "", Path(temporary), judge) for v in versions}
        for name in wanted:
            cells = [loss(full[v], played(options, v, name, Path(temporary), judge)).cell() for v in versions]
            print(f"{name:24}" + "".join(f"{cell:>20}" for cell in cells), flush=True)
    print("of                      " + "".join(f"{full[v].codes:>13} code objects"[-20:] for v in versions))
    return 0


if __name__ == "__main__":
    sys.exit(main())
