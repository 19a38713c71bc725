# SPDX-License-Identifier: MIT
"""`python -m tools.kernel_lines MODEL...`: are the kernels of real models tied to their lines, as torch logs them?

Each model of the zoo is compiled with Inductor under `depyf run`, in a process and with a cache of its own, forward and
backward; then `tools/judges/kernel_lines.py` reads torch's own log and compares. Prints a line a model and the sums;
exit status 1 where anything differs, or where nothing was compared.
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
from pathlib import Path
from typing import Any

from tools.judges import kernel_lines

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
        return {"model": name, "problems": [f"exit status {done.returncode}: {done.stderr[-300:]}"]}
    told = kernel_lines.read(trace)
    index = json.loads((dump / "index.json").read_text("utf-8"))
    fused = [k for k in index["kernels"] if not k["name"].startswith("extern_kernels")]
    untied = [f"{k['name']}: tied to no line" for k in index["kernels"] if not k["source_lines"]]
    return {
        "model": name,
        "launches": len(told),
        "fused": len(fused),
        "fused_tied": sum(bool(k["source_lines"]) for k in fused),
        "tied": sum(bool(k["source_lines"]) for k in index["kernels"]),
        "with_nodes": sum(bool(k["nodes"]) for k in index["kernels"]),
        "lines": len(told.nodes_of),
        "problems": kernel_lines.differences(told, index)
        + kernel_lines.where_differences(told, lambda path, line: _where(dump, path, line)),
        "untied": untied,
    }


def _where(dump: Path, path: str, line: int) -> dict[str, Any]:
    from depyf.cli import app

    with contextlib.redirect_stdout(io.StringIO()) as said:
        app.main(["where", f"{path}:{line}", str(dump), "--json"])
    found: dict[str, Any] = json.loads(said.getvalue())
    return found


def main() -> int:
    """Judges the models of the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.kernel_lines", description=__doc__)
    parser.add_argument("models", nargs="*", metavar="MODEL", help="of the zoo (the twenty of MODELS)")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="leave the dumps there, a folder a model")
    parser.add_argument("--timeout", type=int, default=1800, help="seconds a model may take")
    options = parser.parse_args()
    rows = []
    for name in options.models or MODELS:
        with tempfile.TemporaryDirectory() as folder:
            try:
                row = judge(name, Path(folder), (options.keep or Path(folder)) / name, options.timeout)
            except subprocess.TimeoutExpired:
                row = {"model": name, "problems": [f"no end after {options.timeout} s"]}
        rows.append(row)
        print(json.dumps(row), flush=True)
    names = ("launches", "fused", "fused_tied", "tied", "with_nodes", "lines")
    sums = {key: sum(row.get(key, 0) for row in rows) for key in names}
    print(f"{len(rows)} models, {sum(not row['problems'] for row in rows)} without a difference: {sums}")
    return int(any(row["problems"] for row in rows) or not sums["launches"])


if __name__ == "__main__":
    sys.exit(main())
