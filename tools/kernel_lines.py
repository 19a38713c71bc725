# SPDX-License-Identifier: MIT
"""`python -m tools.kernel_lines MODEL...`: checks the source lines that depyf gives for the kernels of real models.

Each model of the zoo is compiled with Inductor under `depyf run`, in its own process and with its own cache, forward
and backward; then `tools/judges/kernel_lines.py` reads torch's own log and compares. Prints a line per model and a
summary. Resumable: models with results in the JSON file are not run again (--fresh starts over). The exit status is 1
if anything differs, if a generated kernel has no source line, or if nothing was compared.
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
# The smallest models of each kind in the zoo; the libraries that some need are in .venv/zoo.
MODELS = (
    "vLLM_decode", "dcgan", "LearningToPaint", "BERT_pytorch", "DiT", "nvidia_deeprecommender", "Llama3",
    "GPT2ForSequenceClassification", "DistilBertForMaskedLM", "BertForMaskedLM", "OPTForCausalLM", "Phi3", "Qwen3",
    "alexnet", "vgg16", "resnet18", "squeezenet1_1", "mixer_b16_224", "pytorch_unet", "T5Small",
)  # fmt: skip


def judge(name: str, folder: Path, dump: Path, timeout: int) -> dict[str, Any]:
    """Runs a model and compares the kernels; returns the counts and problems of one row."""
    trace = folder / "trace"
    command = [sys.executable, "-m", "depyf", "run", "-o", str(dump), "-m", "tools.zoo.program"]
    environment = {"TORCH_TRACE": str(trace), "TORCHINDUCTOR_CACHE_DIR": str(folder / "cache"), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [*command, name], env={**os.environ, **environment}, capture_output=True, text=True,
        timeout=timeout, check=False,
    )  # fmt: skip
    if done.returncode != 0:
        return {"problems": [f"exit status {done.returncode}: {done.stderr[-300:]}"]}
    log = kernel_lines.read(trace)
    index = json.loads((dump / "index.json").read_text("utf-8"))
    generated = [k for k in index["kernels"] if not k["name"].startswith("extern_kernels")]
    untied = [f"{k['name']}: tied to no line" for k in generated if not k["source_lines"]]
    return {
        "launches": len(log),
        "generated": len(generated),
        "tied": len(generated) - len(untied),
        "lines": len(log.nodes_of),
        "problems": kernel_lines.differences(log, index)
        + kernel_lines.where_differences(log, lambda path, line: where(dump, path, line))
        + untied,
    }


def where(dump: Path, path: str, line: int) -> dict[str, Any]:
    """Returns the output of `depyf where --json` for a line."""
    from depyf.cli import app

    with contextlib.redirect_stdout(io.StringIO()) as output:
        app.main(["where", f"{path}:{line}", str(dump), "--json"])
    answer: dict[str, Any] = json.loads(output.getvalue())
    return answer


def save(path: Path, rows: dict[str, dict[str, Any]]) -> None:
    """Writes the results so far, atomically."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".tmp")
    temporary.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
    os.replace(temporary, path)


def summary(rows: Collection[dict[str, Any]]) -> str:
    """Returns the totals as a sentence."""
    launches, fused, tied, lines = (sum(row.get(key, 0) for row in rows) for key in _COUNTS)
    good = sum(not row["problems"] for row in rows)
    return (
        f"{good} of {len(rows)} models without a difference: {launches} launches of kernels; {tied} of {fused} of "
        f"generated kernels tied to source lines; {lines} source lines asked about"
    )


def table(rows: Collection[dict[str, Any]]) -> str:
    """Returns the page with the results."""
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
    differences = [f"- {row['model']}: {problem}" for row in rows for problem in row["problems"]]
    return "\n".join([*lines, *(["", "## Differences", "", *differences] if differences else [])]) + "\n"


def parse() -> argparse.Namespace:
    """Parses the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.kernel_lines", description=__doc__)
    parser.add_argument("models", nargs="*", metavar="MODEL", help="models of the zoo (the twenty in MODELS)")
    parser.add_argument(
        "--json", type=Path, default=ROOT / "build" / "kernel-lines.json", help="file of results, to resume from"
    )
    parser.add_argument("--markdown", type=Path, help="also write the table of all results to this file")
    parser.add_argument("--fresh", action="store_true", help="also run models with results in the JSON file")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep the dumps here, one folder per model")
    parser.add_argument("--timeout", type=int, default=1800, help="seconds for one model (1800)")
    return parser.parse_args()


def main() -> int:
    """Judges those of the selected models that have no result yet."""
    options = parse()
    results = json.loads(options.json.read_text("utf-8")) if options.json.exists() else {}
    chosen = options.models or MODELS
    for name in chosen:
        if name in results and not options.fresh:
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                result = judge(name, Path(folder), (options.keep or Path(folder)) / name, options.timeout)
            except subprocess.TimeoutExpired:
                result = {"problems": [f"still running after {options.timeout} s"]}
        results[name] = {"model": name, "torch": version("torch"), **result}
        print(json.dumps(results[name]), flush=True)
        save(options.json, results)
    if options.markdown:
        options.markdown.write_text(table(list(results.values())), "utf-8")
    rows = [results[name] for name in chosen]
    print(summary(rows))
    return int(any(row["problems"] for row in rows) or not sum(row.get("launches", 0) for row in rows))


if __name__ == "__main__":
    sys.exit(main())
