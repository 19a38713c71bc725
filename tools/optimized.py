# SPDX-License-Identifier: MIT
"""libdepyf as wheels ship it: from GCC with link-time optimisation, and guided by a profile.

A profile is what an instrumented build counts while it decompiles the training files: the cases of tests/exact and the
package's own modules, compiled by every CPython at hand. No measurement uses them. The build folder keeps its objects,
so that nothing is compiled again while the sources are the same. Ordinary builds (`./dev build`, CI) do none of this.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from tools import interpreters

ROOT = Path(__file__).resolve().parent.parent
CORE = ("CMakeLists.txt", "bench", "cli", "cmake", "include", "src")  # what the result depends on
TRAINING = ("tests/exact/cases", "python/depyf")

COMPILER = """
import json, py_compile, sys
for k, path in enumerate(json.load(sys.stdin)):
    try:
        py_compile.compile(path, "%s/%d.pyc" % (sys.argv[1], k), doraise=True)
    except py_compile.PyCompileError:
        pass  # syntax of another version
"""

Run = Callable[..., object]  # of a command and `env`


def checked(command: list[str], env: Mapping[str, str]) -> None:
    """Runs a command; a failure ends the program with the end of what was printed."""
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\n{(done.stdout + done.stderr)[-4000:]}")


def fingerprint(options: list[str]) -> str:
    """Of the sources and the options."""
    digest = hashlib.sha256(" ".join(options).encode())
    for top in CORE:
        for path in [ROOT / top, *sorted((ROOT / top).rglob("*"))]:
            if path.is_file():
                digest.update(path.read_bytes())
    return digest.hexdigest()


def training(folder: Path) -> Iterator[Path]:
    """The training files, one folder a version."""
    sources = json.dumps([str(path) for top in TRAINING for path in sorted((ROOT / top).rglob("*.py"))])
    for version in interpreters.VERSIONS:
        command = interpreters.find(version)
        if command is None:
            continue
        place = folder / version
        place.mkdir()
        compiler = [*command, "-W", "ignore", "-c", COMPILER, str(place)]
        subprocess.run(compiler, input=sources, text=True, check=True, capture_output=True)
        yield from sorted(place.glob("*.pyc"))


def build(folder: Path, targets: list[str], options: list[str], run: Run = checked,
          env: Mapping[str, str] = os.environ, profile: bool = True) -> Path:  # fmt: skip
    """Builds the targets; with `profile`, which needs GCC and a processor that runs the result, guided by one."""
    stamp, wanted = folder / "optimized", fingerprint(options)
    built = stamp.exists() and stamp.read_text() == wanted

    def compile_as(stage: str, names: list[str]) -> None:
        settings = [
            "-DCMAKE_BUILD_TYPE=Release",
            f"-DDEPYF_LTO={'ON' if profile else 'OFF'}",
            f"-DDEPYF_PROFILE={stage}",
            *options,
        ]
        run(["cmake", "-S", str(ROOT), "-B", str(folder), "-G", "Ninja", *settings], env=env)
        run(["cmake", "--build", str(folder), "--target", *names], env=env)

    if profile and not built:
        for old in folder.rglob("*.gcda"):
            old.unlink()
        compile_as("generate", ["bench_decompile"])
        with tempfile.TemporaryDirectory(prefix="depyf-training-") as name:
            files = [str(path) for path in training(Path(name))]
            run([str(folder / "bench" / "bench_decompile"), "1", *files], env=env)
    compile_as("use" if profile else "", targets)
    stamp.write_text(wanted)
    return folder
