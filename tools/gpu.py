# SPDX-License-Identifier: MIT
"""`python -m tools.gpu`: compares programs on this machine's GPU with and without depyf, and records logs as test data.

Each program of tests/torch/gpu/programs prints the bits of its results. It runs alone, under `depyf run`, again with
the caches that this run filled, and with recompiled text in place of Dynamo's code. The output must be the same each
time, the dump must agree with torch's structured log, and each graph file of the dump must run. `--record` keeps the
logs; from these the tests make dumps on machines without a GPU. The exit status is 1 if anything differs, or without a
GPU.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tools.judges import kernel_lines
from tools.kernel_lines import where

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = "/site-packages"  # the path of the folder with torch in recorded logs
PROGRAMS = ROOT / "tests" / "torch" / "gpu" / "programs"
RECORDED = ROOT / "tests" / "torch" / "gpu" / "recorded"
_SKIP = re.compile(r"\] (skipping cudagraph.*?)(?: Found from.*)?$", re.MULTILINE)
_RECOMPILED = (
    "import depyf, os, runpy, sys\n"
    "sys.path.insert(0, os.path.dirname(sys.argv[2]))\n"
    "with depyf.prepare_debug(sys.argv[1], execution='recompiled', report=False):\n"
    "    runpy.run_path(sys.argv[2], run_name='__main__')"
)


class Subject:
    """A program, and the folder for the output of its runs."""

    def __init__(self, program: Path, folder: Path, timeout: int) -> None:
        self.program, self.folder, self.timeout = program, folder, timeout
        self.problems: list[str] = []
        self.unrunnable: list[str] = []  # graph files that raise SystemExit with what they lack

    def run(self, what: str, *command: str, cache: str, **environment: str) -> str | None:
        """Runs Python with a command line and returns its output, or None if it fails."""
        environment |= {"TORCHINDUCTOR_CACHE_DIR": str(self.folder / cache), "PYTHONPATH": os.pathsep.join(sys.path)}
        environment |= {"TRITON_CACHE_DIR": str(self.folder / cache / "triton")}
        # Otherwise Inductor times several configurations of a kernel, and sums in the order of the fastest one.
        environment |= {"TORCHINDUCTOR_DETERMINISTIC": "1", "TORCHINDUCTOR_COMPILE_THREADS": "4"}
        try:
            done = subprocess.run(
                [sys.executable, *command], env={**os.environ, **environment}, capture_output=True, text=True,
                timeout=self.timeout, check=False, cwd=self.folder,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            self.problems.append(f"{what}: still running after {self.timeout} s")
            return None
        (self.folder / f"{what}.err").write_text(done.stderr, "utf-8")
        (self.folder / f"{what}.out").write_text(done.stdout, "utf-8")
        if done.returncode != 0:
            self.problems.append(f"{what}: exit status {done.returncode}: {done.stderr[-600:]}")
            return None
        return done.stdout

    def compare(self) -> None:
        """Runs the program in every way, and records the differences."""
        program, dump = str(self.program), self.folder / "dump"
        alone = self.run("alone", program, cache="cache_alone")
        depyf = ("-m", "depyf", "run", "-o")
        trace = {"TORCH_TRACE": str(self.folder / "trace")}
        runs = {
            "with depyf": self.run("dumped", *depyf, str(dump), program, cache="cache", **trace),
            "with depyf again": self.run("again", *depyf, str(self.folder / "again"), program, cache="cache"),
            "recompiled": self.run(
                "recompiled", "-c", _RECOMPILED, str(self.folder / "recompiled"), program, cache="cache_recompiled"
            ),
        }
        for what, printed in runs.items():
            if alone is not None and printed is not None and without_lines_of_depyf(printed) != alone:
                self.problems.append(f"{what}: printed {printed[-400:]!r}, not {alone[-400:]!r}")
        for name in ("dump", "again", "recompiled"):
            if (self.folder / name / "index.json").exists():
                self.problems += [f"{name}: {problem}" for problem in told_problems(self.folder / name)]
        if (dump / "index.json").exists():
            self.scripts(dump)

    def scripts(self, dump: Path) -> None:
        """Runs each graph file as a script, which checks the layout of its own results."""
        last = {file: file.read_text("utf-8").rstrip().rpartition("\n")[2] for file in sorted(dump.glob("*.py"))}
        files = [file for file, line in last.items() if line.endswith("SystemExit(main())")]
        self.unrunnable = [f"{file.name}: {line.strip()}" for file, line in last.items() if "SystemExit('not" in line]
        if not files and not self.unrunnable:
            self.problems.append("no file of the dump is a script")
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda file: self.run(f"script {file.name}", str(file), cache="cache"), files))


def without_lines_of_depyf(printed: str) -> str:
    """Returns the program's own output: each line of depyf's starts with its name."""
    return "".join(line for line in printed.splitlines(keepends=True) if not line.startswith("depyf"))


def told_problems(dump: Path) -> Iterator[str]:
    """Yields the problems in the index of a dump, and the frames whose text is neither exact nor proved."""
    index = json.loads((dump / "index.json").read_text("utf-8"))
    yield from (f"{problem['what']}: {problem['error']}" for problem in index["problems"])
    for entry in index["entries"]:
        if entry["verdict_kind"] not in ("exact", "proved"):
            yield f"{entry['name']} [{entry['compile_id']}]: {entry['verdict']}"


def agreement(trace: Path, dump: Path, torch_folder: str | None = None) -> Iterator[str]:
    """Yields the differences of kernels, nodes, lines and recordings from torch's log.

    `torch_folder` is the folder of torch on the machine that wrote the log, if it is not this one.
    """
    log = kernel_lines.read(trace, *([] if torch_folder is None else [torch_folder]))
    index: dict[str, Any] = json.loads((dump / "index.json").read_text("utf-8"))
    yield from kernel_lines.differences(log, index)
    yield from kernel_lines.where_differences(log, lambda path, line: where(dump, path, line))
    if not log:
        yield "torch's log has no kernel: nothing was compared"
    ours = {(r["compile_id"], r["is_backward"]): r["times"] for r in index["cuda_graph_recordings"]}
    if ours != (theirs := recordings(trace)):
        yield f"CUDA graphs recorded: {ours}; torch logs {theirs}"


def recordings(trace: Path) -> dict[tuple[str, bool], int]:
    """Counts the recordings of each graph as a CUDA graph in torch's log, by compile id and pass."""
    (log,) = trace.glob("*.log")
    found: Counter[tuple[str, bool]] = Counter()
    for metadata, payload in kernel_lines.records(log.read_text("utf-8", "surrogateescape")):
        event = json.loads(payload) if "chromium_event" in metadata else {}
        if event.get("name") == "CUDAGraphNode.record" and event["ph"] == "E":
            found[event["args"]["compile_id"], event["args"]["is_backward"]] += 1
    return dict(found)


def skips(stderr: str, index: dict[str, Any]) -> Iterator[str]:
    """Yields the difference if torch's warnings of graphs that run without a CUDA graph are not those in the index."""
    theirs = sorted(" ".join(reason.split()).rstrip(" .") for reason in _SKIP.findall(stderr))
    ours = sorted(skip["reason"] for skip in index["cuda_graph_skips"])
    if theirs != ours:
        yield f"without a CUDA graph: {ours}; torch warns of {theirs}"


def record(subject: Subject) -> None:
    """Keeps the log of a run, without paths of this machine."""
    import torch

    (log,) = (subject.folder / "trace").glob("*.log")
    text = log.read_text("utf-8")
    packages = Path(torch.__path__[0]).parent
    for folder, name in ((subject.folder, "/run"), (PROGRAMS, "/programs"), (packages, PACKAGES)):
        text = text.replace(str(folder), name)
    text = re.sub(r"(?:/[\w.-]+)+/g\+\+", "/usr/bin/g++", text)
    RECORDED.mkdir(exist_ok=True)
    (RECORDED / f"{subject.program.stem}.log.xz").write_bytes(lzma.compress(text.encode("utf-8"), preset=9))


def parse() -> argparse.Namespace:
    """Parses the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.gpu", description=__doc__)
    parser.add_argument("programs", nargs="*", metavar="NAME", help="names of programs (all)")
    parser.add_argument("--record", action="store_true", help="keep torch's logs as test data")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep the output of the runs in this folder")
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--timeout", type=int, default=300, help="seconds for one run (300)")
    return parser.parse_args()


def main() -> int:
    """Compares each program, and prints the problems of each."""
    import torch

    options = parse()
    if not torch.cuda.is_available():
        print("gpu: torch finds no GPU here", file=sys.stderr)
        return 1
    names = options.programs or sorted(path.stem for path in PROGRAMS.glob("*.py") if path.stem != "said")
    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(options.jobs) as pool:
        subjects = []
        for name in names:
            folder = (options.keep or Path(temporary)) / name
            folder.mkdir(parents=True)
            subjects.append(Subject(PROGRAMS / f"{name}.py", folder.resolve(), options.timeout))
        list(pool.map(Subject.compare, subjects))
        for subject in subjects:  # not in parallel, because the output of `depyf where` is captured process-wide
            if (subject.folder / "dump" / "index.json").exists():
                subject.problems += agreement(subject.folder / "trace", subject.folder / "dump")
                index = json.loads((subject.folder / "dump" / "index.json").read_text("utf-8"))
                subject.problems += skips((subject.folder / "dumped.err").read_text("utf-8"), index)
            print(f"{subject.program.stem}: {len(subject.problems)} problems")
            for line in (*subject.problems, *subject.unrunnable):
                print(f"  {line}")
            if options.record and (subject.folder / "trace").exists():
                record(subject)
    return int(any(subject.problems for subject in subjects))


if __name__ == "__main__":
    sys.exit(main())
