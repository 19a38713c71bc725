# SPDX-License-Identifier: MIT
"""`./dev gallery`: writes a report page of each model of the zoo, and a page that lists them.

Each model runs under `depyf run` with Inductor, forward and backward; its page is the report of that dump, without
paths of this machine. Existing dumps are used again (--fresh runs all models). With --assets nothing runs: the existing
pages show the same runs, with the current style and script.
"""

from __future__ import annotations

import argparse
import html
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ("vLLM_decode", "BERT_pytorch", "nvidia_deeprecommender")  # those committed to docs/gallery
_LIBRARY = r"/(?:lib/python3\.\d+/(?:site|dist)-packages|(?:site|dist)-packages|lib/python3\.\d+)/"
_INSTALLED = re.compile(rf"(?<![\w.])/[^\s:'\"]*?{_LIBRARY}")
# Chooses the theme as the reports do (report.js); they share the stored choice with this page.
_THEME = """
let kept = null;
try { kept = localStorage.getItem("depyf-theme"); } catch { /* a page opened from a file may have no storage */ }
const preferred = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
document.documentElement.dataset.theme = kept || preferred;
"""
_STYLE = """body { padding: 20px; display: block; }
table.rows td:first-child { white-space: nowrap; }
@media (max-width: 600px) { body { padding: 12px; } table.rows { display: block; overflow-x: auto; } }
"""
_DATA = re.compile(r'(?<=id="data">)[^<]*(?=</script>)')  # in a report
_ROWS = re.compile(r"<tbody>\n(.*)</tbody>", re.DOTALL)  # in the list
_OWN_LIBRARIES = str(ROOT / ".venv" / "zoo") + "/"


def run(name: str, dump: Path, timeout: int) -> int:
    """Runs a model under `depyf run` and returns the exit status."""
    command = [sys.executable, "-W", "ignore", "-m", "depyf", "run", "-o", str(dump), "-m", "tools.zoo.program", name]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "TRANSFORMERS_VERBOSITY": "error"}
    return subprocess.run(command, cwd=ROOT, env=environment, timeout=timeout, check=False).returncode


def page(dump: Path) -> str:
    """Returns the report of a dump, without paths of this machine."""
    from depyf.torch.write import report  # not at the top: --help must work without a built package

    return report.page_of(without_folders(report.collect(dump), (f"{dump}/", _OWN_LIBRARIES, f"{ROOT}/")))


def without_folders(value: Any, folders: tuple[str, ...]) -> Any:
    """Returns the data without the given folders and without the paths of installed libraries."""
    if isinstance(value, str):
        for folder in folders:
            value = value.replace(folder, "")
        return _INSTALLED.sub("", value)
    if isinstance(value, dict):
        return {without_folders(key, folders): without_folders(item, folders) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [without_folders(item, folders) for item in value]
    return value


def row(name: str, dump: Path) -> str:
    """Returns a model's row in the list."""
    index = json.loads((dump / "index.json").read_text("utf-8"))
    graphs = sum(graph["kind"] == "Captured_Graph" for graph in index["graphs"])
    counts = (len(index["entries"]), graphs, len(index["graph_breaks"]), len(index["kernels"]))
    guards = sum(len(entry["checks"]) for entry in index["entries"])
    cells = "".join(f"<td>{count}</td>" for count in (*counts, guards))
    return f'<tr><td><a href="{html.escape(name)}.html">{html.escape(name)}</a></td>{cells}</tr>\n'


def write(out: Path, dumps: Path, names: list[str]) -> int:
    """Writes the pages and the list; returns the number of models that have a page."""
    out.mkdir(parents=True, exist_ok=True)
    rows = []
    for name in names:
        if (dumps / name / "index.json").exists():
            (out / f"{name}.html").write_text(page(dumps / name), "utf-8")
            rows.append(row(name, dumps / name))
    (out / "index.html").write_text(list_of("".join(rows)), "utf-8")
    return len(rows)


def list_of(rows: str) -> str:
    """Returns the page that lists the models."""
    from depyf.torch.write.report import asset

    headings = "".join(
        f"<th>{head}</th>" for head in ("model", "entries", "graphs", "graph breaks", "kernels", "guards")
    )
    style = asset("report.css")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>depyf: gallery</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>{style}{_STYLE}</style>\n<script>{_THEME}</script></head><body>\n"
        "<h1>What torch.compile does to real models</h1>\n"
        "<p>Small versions with random weights, forward and backward with Inductor, as reports of depyf. Quoted "
        "sources: transformers and timm (Apache License 2.0), torchvision and PyTorch (BSD 3-Clause License).</p>\n"
        f'<table class="rows"><thead><tr>{headings}</tr></thead><tbody>\n{rows}</tbody></table>\n</body></html>\n'
    )


def with_assets(text: str) -> str:
    """Returns a page of the gallery, a report or the list, with the same data and the current assets."""
    from depyf.torch.write.report import page_of

    if packed := _DATA.search(text):
        return _DATA.sub(lambda _: packed[0], page_of({}))
    return list_of(_ROWS.search(text)[1])  # type: ignore[index]  # the list, which has rows


def main() -> int:
    """Runs the models without a dump, writes the pages, and returns the exit status."""
    parser = argparse.ArgumentParser(prog="./dev gallery", description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "gallery", help="folder for the pages")
    parser.add_argument("--only", metavar="REGEX", help="only models whose name matches")
    parser.add_argument("--sample", action="store_true", help=f"only the models of docs/gallery: {', '.join(SAMPLE)}")
    parser.add_argument("--dumps", type=Path, default=ROOT / "build" / "gallery-dumps", help="folder for the dumps")
    parser.add_argument("--timeout", type=int, default=1800, help="seconds for one model (1800)")
    parser.add_argument("--fresh", action="store_true", help="run every model again")
    parser.add_argument("--assets", action="store_true", help="only update style and script of the pages in --out")
    options = parser.parse_args()
    if options.assets:
        for path in sorted(options.out.glob("*.html")):
            path.write_text(with_assets(path.read_text("utf-8")), "utf-8")
        return 0
    from tools.zoo import every_model

    candidates = list(SAMPLE) if options.sample else list(every_model())
    names = [name for name in candidates if re.search(options.only or "", name)]
    if not names:
        print("gallery: no model matches", file=sys.stderr)
        return 2
    failed = 0
    for name in names:
        dump = options.dumps / name
        if options.fresh:
            shutil.rmtree(dump, ignore_errors=True)
        if not (dump / "index.json").exists() and run(name, dump, options.timeout):
            print(f"gallery: {name} ended with an error", file=sys.stderr)
            failed = 1
    print(f"gallery: {write(options.out, options.dumps, names)} models in {options.out}/index.html")
    return failed


if __name__ == "__main__":
    sys.exit(main())
