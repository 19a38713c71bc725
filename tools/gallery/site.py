# SPDX-License-Identifier: MIT
"""Writes the gallery: an index, a tour, a page and a script for each model, and once what all pages share.

Invariant: what the pages show comes from `collect`; here is only HTML, and data packed so that the site stays small.
The folder can be moved anywhere and opened from there: no page needs a network or a server.
"""

from __future__ import annotations

import base64
import html
import json
import shutil
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tools.gallery import collect, script

ASSETS = Path(__file__).resolve().parent / "assets"
# Where the sources that pages quote come from.
_LICENSES = {
    "transformers": "transformers (Apache License 2.0)",
    "timm": "timm (Apache License 2.0)",
    "torchvision": "torchvision (BSD 3-Clause License)",
    "torch": "PyTorch (BSD 3-Clause License)",
}


class Site:
    """A folder that the gallery is written to, a model at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.rows: list[dict[str, Any]] = []
        (folder / "models").mkdir(parents=True, exist_ok=True)
        (folder / "assets").mkdir(exist_ok=True)
        for file in (*ASSETS.glob("*.css"), *ASSETS.glob("*.js")):
            shutil.copyfile(file, folder / "assets" / file.name)

    def add(self, page: dict[str, Any]) -> None:
        """Writes a model's page and script."""
        name = page["model"]
        text = script.render(page)
        (self.folder / "models" / f"{name}.py").write_text(text, "utf-8")
        head = (
            f'<h1>{html.escape(name)}</h1>\n<p class="lead">{_lead(page)}</p>\n<div class="cards">{_cards(page)}</div>'
        )
        body = f'<main class="page">{head}\n<div id="model">Reading …</div>\n{_foot(page)}</main>'
        document = _document(f"{name} · depyf gallery", body, page, "model.js", up="../")
        (self.folder / "models" / f"{name}.html").write_text(document, "utf-8")
        self.rows.append(_row(page))

    def finish(self, tour: dict[str, Any] | None) -> None:
        """Writes the index, and the tour on a page's data."""
        head = (
            "<h1>What torch.compile does to real models</h1>\n"
            '<p class="lead">Small versions of well-known architectures, opened by depyf: the source of each compiled '
            "frame beside the code that runs instead, the graphs with the shape of every tensor through forward and "
            'backward, the kernels, and the guards. New here? <a href="tour.html">How to read this</a>.</p>'
        )
        controls = (
            '<div class="controls"><input class="find" id="find" type="search" placeholder="Find a model" '
            'aria-label="Find a model"><select id="suite" class="find" style="width:auto" aria-label="Suite">'
            '<option value="">all suites</option></select><span class="count" id="count"></span></div>'
        )
        table = '<div class="index-box"><table class="index" id="models"></table></div>'
        links = "".join(f'<li><a href="models/{r["model"]}.html">{html.escape(r["model"])}</a></li>' for r in self.rows)
        plain = f"<noscript><p>The pages need JavaScript.</p><ul>{links}</ul></noscript>"
        body = f'<main class="page">{head}{controls}{table}{plain}</main>'
        document = _document("depyf gallery", body, {"models": self.rows}, "index.js")
        (self.folder / "index.html").write_text(document, "utf-8")
        if tour is not None:
            self._tour(tour)

    def _tour(self, page: dict[str, Any]) -> None:
        scenario = next((s for s in page["scenarios"] if s["name"] == "training"), page["scenarios"][0])
        frame = max(scenario["frames"], key=lambda f: len(f["graphs"]))
        broken = [f for s in page["scenarios"] if s["name"].endswith("_broken") for f in s["frames"] if f["resumes"]]
        data = _only({"frame": frame, "broken": broken[0] if broken else None}, page["texts"])
        words = (ASSETS / "tour.html").read_text("utf-8")
        words = words.replace("{model}", html.escape(page["model"])).replace("{scenario}", scenario["title"].lower())
        body = f'<main class="page tour">{words}{_foot(page)}</main>'
        document = _document("How to read this · depyf gallery", body, data, "tour.js")
        (self.folder / "tour.html").write_text(document, "utf-8")


def _only(data: dict[str, Any], texts: list[str]) -> dict[str, Any]:
    """Frames with the texts that they use, numbered anew."""
    kept: list[str] = []

    def moved(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {k: moved(v, k) for k, v in value.items()}
        if isinstance(value, list):
            return [moved(v) for v in value]
        if key in ("text", "transformed", "full_code") and isinstance(value, int):
            kept.append(texts[value])
            return len(kept) - 1
        return value

    return {**moved(data), "texts": kept}


def _row(page: dict[str, Any]) -> dict[str, Any]:
    frames = [f for s in page["scenarios"] for f in s["frames"]]
    captured = [g for f in frames for g in f["graphs"] if g["kind"] == "Captured_Graph"]
    return {
        "model": page["model"],
        "suite": page["suite"],
        "stands_for": page["stands_for"],
        "frames": len(frames),
        "graphs": len(captured),
        "breaks": sum(len(s["breaks"]) for s in page["scenarios"]),
        "ops": sum(operations(page["texts"][g["text"]]) for g in captured),
        "guards": sum(len(f["guards"]) for f in frames),
        "kernels": sum(len(k["kernels"]) for f in frames for k in f["kernels"]),
        "sure": sum(f["verdict"] in ("exact", "proved") for f in frames),
    }


def operations(text: str) -> int:
    """How many values a graph's text computes."""
    return sum(': "' in line and '" = ' in line for line in text.splitlines())


def _lead(page: dict[str, Any]) -> str:
    stands = f"Stands for {html.escape(page['stands_for'])}. " if page["stands_for"] else ""
    return (
        f"{stands}torch {html.escape(page['torch'])}, Python "
        f"{html.escape(page['python'])}, backend {html.escape(page['backend'])}, CPU. Everything about inference and "
        f'training in one file that runs: <a href="{page["model"]}.py">{page["model"]}.py</a>.'
    )


def _cards(page: dict[str, Any]) -> str:
    row = _row(page)
    shown = [
        ("frames", row["frames"]),
        ("graphs", row["graphs"]),
        ("graph breaks", row["breaks"]),
        ("operations", row["ops"]),
        ("kernels", row["kernels"]),
        ("guards", row["guards"]),
        ("exact or proved", f"{row['sure']} of {row['frames']}"),
    ]
    return "".join(f'<div class="card"><b>{value}</b><span>{title}</span></div>' for title, value in shown)


def _foot(page: dict[str, Any]) -> str:
    files = {f["original"]["file"] for s in page["scenarios"] for f in s["frames"] if f["original"]}
    owners = [_LICENSES[root] for root in sorted({file.split("/", 1)[0] for file in files}) if root in _LICENSES]
    quoted = f" Quoted sources are excerpts of {', '.join(owners)}." if owners else ""
    return (
        '<p class="foot">Made by depyf. The model has random weights and is smaller than the original; sizes are small '
        f"so that every shape can be read.{quoted}</p>"
    )


def _document(title: str, body: str, data: dict[str, Any], program: str, up: str = "") -> str:
    """One page with its own data; style and programs lie beside the pages (no modules: a file may not import one)."""
    packed = base64.b64encode(zlib.compress(json.dumps(data, separators=(",", ":")).encode(), 9)).decode()
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<title>{html.escape(title)}</title>\n<link rel="stylesheet" href="{up}assets/gallery.css">\n</head>\n<body>\n'
        f'<header class="bar"><a class="brand" href="{up}index.html">depyf <span>gallery</span></a><nav>'
        f'<a href="{up}index.html">Models</a><a href="{up}tour.html">How to read this</a>'
        '<button id="theme" type="button">Dark</button></nav></header>\n'
        f'{body}\n<script id="data" type="application/octet-stream">{packed}</script>\n'
        f'<script src="{up}assets/common.js"></script>\n<script src="{up}assets/{program}"></script>\n'
        "</body>\n</html>\n"
    )


def write(folder: Path, dumps: Path, results: dict[str, list[dict[str, Any]]], names: Iterable[str], tour: str) -> Site:
    """The site of these models; a model without dumps is left out."""
    site = Site(folder)
    toured: dict[str, Any] | None = None
    for name in names:
        page = collect.model(dumps / name, results.get(name, []))
        if page is None:
            continue
        site.add(page)
        if toured is None or name == tour:
            toured = page
    site.finish(toured)
    return site
