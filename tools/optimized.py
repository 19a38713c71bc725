# SPDX-License-Identifier: MIT
"""Builds libdepyf as wheels ship it: with GCC's link-time and profile-guided optimisation.

The profile is recorded by an instrumented build that decompiles the training files: the cases of tests/exact and the
package's own modules, compiled by every available CPython. No measurement uses these files. The build folder keeps its
objects, so nothing is compiled again while the sources are the same. Ordinary builds (`./dev build`, CI) do none of
this.
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

Run = Callable[..., object]  # runs a command, with the keyword argument `env`


def checked(command: list[str], env: Mapping[str, str]) -> None:
    """Runs a command; if it fails, ends the program with the end of its output."""
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\n{(done.stdout + done.stderr)[-4000:]}")


def fingerprint(options: list[str]) -> str:
    """Returns a digest of the sources and the options."""
    sources = hashlib.sha256(" ".join(options).encode())
    for root in CORE:
        for path in [ROOT / root, *sorted((ROOT / root).rglob("*"))]:
            if path.is_file():
                sources.update(path.read_bytes())
    return sources.hexdigest()


def training(folder: Path) -> Iterator[Path]:
    """Compiles the training files into one folder per version, and yields the .pyc files."""
    sources = json.dumps([str(path) for root in TRAINING for path in sorted((ROOT / root).rglob("*.py"))])
    for version in interpreters.VERSIONS:
        command = interpreters.find(version)
        if command is None:
            continue
        version_folder = folder / version
        version_folder.mkdir()
        compiler = [*command, "-W", "ignore", "-c", COMPILER, str(version_folder)]
        subprocess.run(compiler, input=sources, text=True, check=True, capture_output=True)
        yield from sorted(version_folder.glob("*.pyc"))


def build(folder: Path, targets: list[str], options: list[str], run: Run = checked,
          env: Mapping[str, str] = os.environ, profile: bool = True) -> Path:  # fmt: skip
    """Builds the targets and returns `folder`; `profile` needs GCC and a processor that can run the result."""
    stamp, digest = folder / "optimized", fingerprint(options)
    built = stamp.exists() and stamp.read_text() == digest

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
        for counts in folder.rglob("*.gcda"):
            counts.unlink()
        compile_as("generate", ["bench_decompile"])
        with tempfile.TemporaryDirectory(prefix="depyf-training-") as name:
            files = [str(path) for path in training(Path(name))]
            run([str(folder / "bench" / "bench_decompile"), "1", *files], env=env)
    compile_as("use" if profile else "", targets)
    stamp.write_text(digest)
    return folder
