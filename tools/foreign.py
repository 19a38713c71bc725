# SPDX-License-Identifier: MIT
"""Interpreters on which only wheels are tested: a free-threaded CPython, and one for another processor.

Both come from Debian and are kept in the cache folder of `./dev interpreters`. The first is compiled from its source
without optimisations. The second is unpacked and run by qemu's user mode, which is part of each command line, so that
binfmt is not needed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tools.interpreters import cache_folder, say

RELEASE = "trixie"  # its CPython is 3.13
FREE_THREADED = "3.13t"
_MIRROR = "http://deb.debian.org/debian"
_DEBIAN = {"aarch64": "arm64"}


class Emulated(NamedTuple):
    """A CPython for another processor: `runner` precedes the path of any program for it, `command` starts Python."""

    version: str
    runner: list[str]
    command: list[str]


def free_threaded() -> list[str] | None:
    """Returns the command of a free-threaded CPython: $DEPYF_PYTHON_3_13T or the one in the cache folder.

    None if none.
    """
    given = os.environ.get("DEPYF_PYTHON_3_13T")
    python = Path(given) if given else cache_folder() / f"python{FREE_THREADED}" / "bin" / f"python{FREE_THREADED}"
    return [str(python)] if python.exists() else None


def emulated(arch: str) -> Emulated | None:
    """Returns the CPython for another processor, or None if it or qemu is missing."""
    root, qemu = cache_folder() / f"debian-{RELEASE}-{arch}", shutil.which(f"qemu-{arch}-static")
    python = root / "usr" / "bin" / "python3.13"
    if qemu is None or not python.exists():
        return None
    runner = [qemu, "-L", str(root)]
    return Emulated("3.13", runner, [*runner, str(python)])


def install(architectures: Iterable[str]) -> None:
    """Installs the interpreters that are missing; raises subprocess.CalledProcessError if that fails."""
    if free_threaded() is None:
        _compile_free_threaded()
    for arch in architectures:
        if arch != os.uname().machine and emulated(arch) is None:
            _unpack(arch)


def _run(command: list[str], cwd: Path | None = None) -> None:
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        say(done.stdout[-2000:])
        raise subprocess.CalledProcessError(done.returncode, command)


def _compile_free_threaded() -> None:
    say(f"compiling CPython {FREE_THREADED} from Debian's source")
    prefix = cache_folder() / f"python{FREE_THREADED}"
    build = cache_folder() / "build" / FREE_THREADED  # kept until it is done, so that another call continues with it
    if not (build / "source" / "configure").exists():
        shutil.rmtree(build, ignore_errors=True)
        for part in ("lists/partial", "cache/archives/partial", "source"):
            (build / part).mkdir(parents=True)
        (build / "sources.list").write_text(f"deb-src {_MIRROR} {RELEASE} main\n")
        apt = ["apt-get", f"-oDir::Etc::sourcelist={build}/sources.list", "-oDir::Etc::sourceparts=/dev/null"]
        apt += [f"-oDir::State::lists={build}/lists", f"-oDir::Cache={build}/cache"]
        _run([*apt, "update"])
        _run([*apt, "source", "--tar-only", "python3.13"], build)
        (archive,) = build.glob("python3.13_*.orig.tar.*")
        _run(["tar", "-x", "--strip-components=1", "-C", str(build / "source"), "-f", str(archive)])
    source = build / "source"
    if not (source / "Makefile").exists():
        quick_build = ["--disable-test-modules", "OPT=-DNDEBUG -O1"]
        _run(["./configure", "--disable-gil", f"--prefix={prefix}", *quick_build], source)
    _run(["make", f"-j{os.environ.get('CMAKE_BUILD_PARALLEL_LEVEL', '2')}"], source)
    _run(["make", "install"], source)
    shutil.rmtree(build)


def _unpack(arch: str) -> None:
    if shutil.which(f"qemu-{arch}-static") is None:
        _run(["apt-get", "install", "-y", "--no-install-recommends", "qemu-user-static"])
    say(f"unpacking CPython 3.13 for {arch}")
    root = cache_folder() / f"debian-{RELEASE}-{arch}"
    packages = "--include=python3.13,libc6,libstdc++6"
    with tempfile.TemporaryDirectory(dir=cache_folder()) as folder:
        partial = Path(folder, "root")
        options = [f"--architectures={_DEBIAN[arch]}", "--variant=extract", packages]
        _run(["mmdebstrap", *options, RELEASE, str(partial), _MIRROR])
        if not (partial / "lib").exists():  # the base system's package would make these links
            (partial / "lib").symlink_to("usr/lib")
        shutil.rmtree(root, ignore_errors=True)
        partial.rename(root)
