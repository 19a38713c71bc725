# SPDX-License-Identifier: MIT
"""Runs models in forked processes: torch and the model libraries are imported once, and a crash costs only one model.

Invariant: this process stays single-threaded and computes nothing; otherwise its children could hang.
"""

from __future__ import annotations

import gc
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any


@dataclass(frozen=True)
class Job:
    """Options for all models."""

    backend: str = "eager"
    device: str = "cpu"
    scripts: bool = True
    times: bool = True
    keep: Path | None = None
    jobs: int = 2
    timeout: float = 900


@dataclass
class _Child:
    name: str
    output: IO[bytes]
    until: float


def prepare(device: str) -> None:
    """Imports what the models need, so that the child processes do not have to."""
    os.environ |= {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_VERBOSITY": "error", "TOKENIZERS_PARALLELISM": "false"}
    warnings.simplefilter("ignore")
    import torch._dynamo
    import torch._inductor.config

    from tools.zoo import measure, spec

    torch.set_num_threads(1)
    spec.define_missing_operators()
    for library in ("timm", "torchvision", "transformers.modeling_utils", "transformers.loss.loss_utils"):
        spec.import_if_there(library)
    if device == "cpu":  # Dynamo would initialize CUDA's random numbers, and CUDA does not survive a fork
        measure.warm_up()
    gc.collect()
    gc.freeze()  # the children's garbage collector then ignores what is imported


def run(names: list[str], job: Job) -> Iterator[tuple[str, list[dict[str, Any]], str]]:
    """Yields (model, outcomes, error message or "") as the processes end."""
    waiting = list(reversed(names))
    running: dict[int, _Child] = {}
    while waiting or running:
        while waiting and len(running) < job.jobs:
            name = waiting.pop()
            output = tempfile.TemporaryFile()
            sys.stdout.flush()
            sys.stderr.flush()
            pid = os.fork()
            if pid == 0:
                _child(name, job, output.fileno())
            running[pid] = _Child(name, output, time.monotonic() + job.timeout)
        pid, status, used = os.wait4(-1, os.WNOHANG)
        if pid in running:
            seconds = used.ru_utime + used.ru_stime
            yield _result(running.pop(pid), os.waitstatus_to_exitcode(status), seconds)
            continue
        time.sleep(0.05)
        for late in [p for p, child in running.items() if time.monotonic() > child.until]:
            os.killpg(late, signal.SIGKILL)
            os.waitpid(late, 0)
            yield _result(running.pop(late), None)


def _result(child: _Child, code: int | None, seconds: float = 0.0) -> tuple[str, list[dict[str, Any]], str]:
    child.output.seek(0)
    lines = child.output.read().decode("utf-8", "replace").splitlines()
    child.output.close()
    rows = [json.loads(line[4:]) for line in lines if line.startswith("ZOO ")]
    if rows:
        rows[0]["cpu_seconds"] = round(seconds, 2)  # time of all scenarios
    if code == 0:
        return child.name, rows, ""
    output = " ".join(line for line in lines[-6:] if not line.startswith("ZOO "))[-300:]
    return child.name, rows, "took too long" if code is None else f"exit status {code}: {output}"


def _child(name: str, job: Job, output: int) -> None:
    """Measures one model; never returns."""
    code = 1
    try:
        os.setpgid(0, 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        with tempfile.TemporaryDirectory() as temporary:
            base = job.keep.absolute() if job.keep is not None else Path(temporary)
            shutil.rmtree(base / name, ignore_errors=True)
            from tools.zoo.measure import How, measure

            how = How(job.backend, job.device, job.scripts, job.times, job.keep is not None)
            for outcome in measure(name, how, base):
                os.write(1, f"\nZOO {json.dumps(asdict(outcome))}\n".encode())
        code = 0
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)
