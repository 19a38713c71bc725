# SPDX-License-Identifier: MIT
"""`python -m tools.kernel_lines MODEL...`: are the kernels of real models tied to their lines, as torch logs them?

Each model of the zoo is compiled with Inductor under `depyf run`, in a process and with a cache of its own, forward and
backward; then `tools/judges/kernel_lines.py` reads torch's own log and compares. Prints a line a model and the sums.
Resumable: what the JSON file holds is not run again (--fresh starts over). Exit status 1 where anything differs, where
a generated kernel is tied to no line, or where nothing was compared.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Collection
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tools.judges import kernel_lines

ROOT = Path(__file__).resolve().parent.parent
_COUNTS = ("launches", "generated", "tied", "lines")
# The smallest of each kind in the zoo; the libraries that some need lie in .venv/zoo.
MODELS = (
    "vLLM_decode", "dcgan", "LearningToPaint", "BERT_pytorch", "DiT", "nvidia_deeprecommender", "Llama3",
    "GPT2ForSequenceClassification", "DistilBertForMaskedLM", "BertForMaskedLM", "OPTForCausalLM", "Phi3", "Qwen3",
    "alexnet", "vgg16", "resnet18", "squeezenet1_1", "mixer_b16_224", "pytorch_unet", "T5Small",
)  # fmt: skip


def judge(name: str, folder: Path, dump: Path, timeout: int) -> dict[str, Any]:
    """Runs a model and compares; the counts of one line."""
    trace = folder / "trace"
    command = [sys.executable, "-m", "depyf", "run", "-o", str(dump), "-m", "tools.zoo.program"]
    environment = {"TORCH_TRACE": str(trace), "TORCHINDUCTOR_CACHE_DIR": str(folder / "cache"), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [*command, name], env={**os.environ, **environment}, capture_output=True, text=True,
        timeout=timeout, check=False,
    )  # fmt: skip
    if done.returncode != 0:
        return {"problems": [f"exit status {done.returncode}: {done.stderr[-300:]}"]}
    told = kernel_lines.read(trace)
    index = json.loads((dump / "index.json").read_text("utf-8"))
    generated = [k for k in index["kernels"] if not k["name"].startswith("extern_kernels")]
    untied = [f"{k['name']}: tied to no line" for k in generated if not k["source_lines"]]
    return {
        "launches": len(told),
        "generated": len(generated),
        "tied": len(generated) - len(untied),
        "lines": len(told.nodes_of),
        "problems": kernel_lines.differences(told, index)
        + kernel_lines.where_differences(told, lambda path, line: where(dump, path, line))
        + untied,
    }


def where(dump: Path, path: str, line: int) -> dict[str, Any]:
    """What `depyf where --json` says of a line."""
    from depyf.cli import app

    with contextlib.redirect_stdout(io.StringIO()) as said:
        app.main(["where", f"{path}:{line}", str(dump), "--json"])
    found: dict[str, Any] = json.loads(said.getvalue())
    return found


def save(path: Path, rows: dict[str, dict[str, Any]]) -> None:
    """The results so far, whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".tmp")
    temporary.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
    os.replace(temporary, path)


def summary(rows: Collection[dict[str, Any]]) -> str:
    """One sentence of sums."""
    launches, fused, tied, lines = (sum(row.get(key, 0) for row in rows) for key in _COUNTS)
    good = sum(not row["problems"] for row in rows)
    return (
        f"{good} of {len(rows)} models without a difference: {launches} launches of kernels; {tied} of {fused} of "
        f"generated kernels tied to source lines; {lines} source lines asked about"
    )


def table(rows: Collection[dict[str, Any]]) -> str:
    """The page."""
    torch = " and ".join(sorted({row["torch"] for row in rows}))
    lines = [
        "# Kernels and the lines that they come from",
        "",
        f"Made by `python -m tools.kernel_lines --markdown docs/kernel-lines.md`, Inductor, torch {torch}. "
        f"{summary(rows)}. Each model runs forward and backward under `depyf run`. The judge is torch's structured "
        "log: the debug handles in its output code, its node mappings, its kernels' stack traces and the comments of "
        "its captured graphs. A difference is a launch that one of the two does not know, or that has other lines, "
        "callers or nodes; or a line of which `depyf where` names other nodes or kernels.",
        "",
        "| model | launches | of generated kernels | tied to lines | lines asked about | differences |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for row in rows:
        counts = " | ".join(str(row.get(key, "-")) for key in _COUNTS)
        lines.append(f"| {row['model']} | {counts} | {len(row['problems'])} |")
    told = [f"- {row['model']}: {problem}" for row in rows for problem in row["problems"]]
    return "\n".join([*lines, *(["", "## Differences", "", *told] if told else [])]) + "\n"


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.kernel_lines", description=__doc__)
    parser.add_argument("models", nargs="*", metavar="MODEL", help="of the zoo (the twenty of MODELS)")
    parser.add_argument(
        "--json", type=Path, default=ROOT / "build" / "kernel-lines.json", help="results, to resume from"
    )
    parser.add_argument("--markdown", type=Path, help="also write the table of all results here")
    parser.add_argument("--fresh", action="store_true", help="run also what the JSON file holds")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="leave the dumps there, a folder a model")
    parser.add_argument("--timeout", type=int, default=1800, help="seconds a model may take")
    return parser.parse_args()


def main() -> int:
    """Judges the models of the command line that have no result yet."""
    options = parse()
    held = json.loads(options.json.read_text("utf-8")) if options.json.exists() else {}
    chosen = options.models or MODELS
    for name in chosen:
        if name in held and not options.fresh:
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                found = judge(name, Path(folder), (options.keep or Path(folder)) / name, options.timeout)
            except subprocess.TimeoutExpired:
                found = {"problems": [f"no end after {options.timeout} s"]}
        held[name] = {"model": name, "torch": version("torch"), **found}
        print(json.dumps(held[name]), flush=True)
        save(options.json, held)
    if options.markdown:
        options.markdown.write_text(table(list(held.values())), "utf-8")
    rows = [held[name] for name in chosen]
    print(summary(rows))
    return int(any(row["problems"] for row in rows) or not sum(row.get("launches", 0) for row in rows))


if __name__ == "__main__":
    sys.exit(main())
