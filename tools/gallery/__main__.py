# SPDX-License-Identifier: MIT
"""`./dev gallery`: builds the site. Models whose dumps are missing are run first, as `./dev zoo` does.

Resumable like the zoo: what is dumped is not run again (--fresh starts over).
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

from tools.gallery import site

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ("vLLM_decode", "resnet18", "Llama3")  # what is committed under docs/gallery
TOUR = "vLLM_decode"


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="./dev gallery", description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "gallery", help="where the site goes")
    parser.add_argument("--only", metavar="REGEX", help="models whose name matches")
    parser.add_argument("--sample", action="store_true", help=f"the models of docs/gallery: {', '.join(SAMPLE)}")
    parser.add_argument("--backend", default="inductor", help="inductor (default), aot_eager or eager")
    parser.add_argument("--dumps", type=Path, help="where dumps are kept (default: build/gallery-dumps/BACKEND)")
    parser.add_argument("--no-run", action="store_true", help="take the dumps that are there; needs no model library")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=int, default=1800, help="seconds a model may take")
    parser.add_argument("--fresh", action="store_true", help="run every model again")
    return parser.parse_args()


def measured(names: list[str], options: argparse.Namespace, dumps: Path) -> dict[str, list[dict[str, Any]]]:
    """The zoo's rows of these models, run as far as they were not."""
    from tools.zoo.__main__ import run_missing

    return run_missing(
        names, dumps / "results.json", options.fresh, backend=options.backend, keep=dumps, jobs=options.jobs,
        timeout=options.timeout, times=False, scripts=False,
    )  # fmt: skip


def main() -> int:
    """Builds the site."""
    options = parse()
    dumps = (options.dumps or ROOT / "build" / "gallery-dumps" / options.backend).absolute()
    results: dict[str, list[dict[str, Any]]] = {}
    held = dumps / "results.json"
    if options.no_run:
        results = json.loads(held.read_text("utf-8"))[options.backend] if held.exists() else {}
        names = sorted(results or (p.name for p in dumps.iterdir() if p.is_dir()))
    else:
        from tools.zoo import every_model

        names = list(every_model())
    if options.sample:
        names = [name for name in SAMPLE if name in names]
    if options.only:
        names = [name for name in names if re.search(options.only, name)]
    if not names:
        print("gallery: no model has such a name", file=sys.stderr)
        return 2
    if not options.no_run:
        results = measured(names, options, dumps)
    made = site.write(options.out, dumps, results, names, TOUR)
    size = sum(p.stat().st_size for p in options.out.rglob("*") if p.is_file())
    print(f"gallery: {len(made.rows)} models, {size / 2**20:.1f} MiB in {options.out}/index.html")
    return 0 if made.rows else 1


if __name__ == "__main__":
    sys.exit(main())
