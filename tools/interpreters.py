# SPDX-License-Identifier: MIT
"""Finds a CPython of each version 3.8-3.15, and installs missing ones where that is possible.

Prints JSON, ``{"3.8": ["/path/to/python3.8"], ...}``: each command is a list of arguments. They are looked for in this
order:

1. the environment variable ``DEPYF_PYTHON_X_Y`` (a command line);
2. this interpreter, pyenv's versions, ``pythonX.Y`` on the path;
3. a Debian tree in the cache folder (``DEPYF_CACHE``, or ``~/.cache/depyf``), which ``--install`` makes with mmdebstrap
   from the Debian release that has the version. Such a Python is started by the tree's own dynamic loader, without
   chroot, so that it sees the files of this machine; a small script in the cache folder hides that.

What could not be installed is reported on standard error. Nothing outside the cache folder is changed, except that
``--install`` installs the Debian package mmdebstrap if it is missing and the user is root.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

VERSIONS = tuple(f"3.{minor}" for minor in range(8, 16))
# The Debian release that has each version. No release had 3.8, 3.10 or 3.12.
RELEASES = {"3.9": "bullseye", "3.11": "bookworm", "3.13": "trixie", "3.14": "forky", "3.15": "forky"}
TEST_SUITES = ("3.14", "3.15")  # versions of which the standard library's tests are installed too
LIBRARY_FOLDERS = ("usr/lib/*-linux-gnu", "lib/*-linux-gnu")  # before Debian 12, the second is a folder of its own
LOADER = "ld-linux*.so.*"


def cache_folder() -> Path:
    """Returns the folder of the Debian trees and the starting scripts."""
    return Path(os.environ.get("DEPYF_CACHE") or Path.home() / ".cache" / "depyf").expanduser().resolve()


def say(message: str) -> None:
    """Prints a line about the progress on standard error."""
    print(f"interpreters: {message}", file=sys.stderr, flush=True)


def is_cpython(command: list[str], version: str) -> bool:
    """Returns whether a command is a CPython of that version that can import zlib and marshal."""
    probe = "import sys, zlib, marshal; print(sys.implementation.name, '%d.%d' % sys.version_info[:2])"
    try:
        done = subprocess.run([*command, "-c", probe], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0 and done.stdout.split() == ["cpython", version]


def pyenv_roots() -> Iterator[Path]:
    """Yields folders that may hold pyenv's versions."""
    if root := os.environ.get("PYENV_ROOT"):
        yield Path(root)
    if tool := shutil.which("pyenv"):
        done = subprocess.run([tool, "root"], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            yield Path(done.stdout.strip())
    yield Path.home() / ".pyenv"


def release_number(path: Path) -> tuple[int, ...]:
    """Returns the version in a folder's name as a sort key: 3.12.10 is after 3.12.9."""
    return tuple(int(part) for part in path.name.split(".") if part.isdigit())


def candidates(version: str) -> Iterator[list[str]]:
    """Yields commands that may be a CPython of that version, preferred ones first."""
    if command_line := os.environ.get("DEPYF_PYTHON_" + version.replace(".", "_")):
        yield shlex.split(command_line)
    if version == f"{sys.version_info[0]}.{sys.version_info[1]}":
        yield [str(Path(sys._base_executable).resolve() if hasattr(sys, "_base_executable") else sys.executable)]
    for root in pyenv_roots():
        for folder in sorted((root / "versions").glob(f"{version}.*"), key=release_number, reverse=True):
            if (folder / "bin" / "python").exists():
                yield [str(folder / "bin" / "python")]
    for name in (f"python{version}", f"/usr/local/bin/python{version}", f"/usr/bin/python{version}"):
        if found := shutil.which(name):
            yield [found]
    starter = cache_folder() / "bin" / f"python{version}"
    if starter.exists():
        yield [str(starter)]


def has_tests(command: list[str]) -> bool:
    """Returns whether the standard library's tests are installed; Debian has a separate package for them."""
    probe = [*command, "-c", "import test.test_grammar"]
    return subprocess.run(probe, capture_output=True, timeout=60, check=False).returncode == 0


def find(version: str) -> list[str] | None:
    """Returns the command of a CPython of that version, preferably one with the library's tests; None if none works."""
    working = [c for c in candidates(version) if is_cpython(c, version)]
    return next(filter(has_tests, working), working[0] if working else None)


def find_all() -> dict[str, list[str]]:
    """Returns the commands of all versions that are installed."""
    return {v: command for v in VERSIONS if (command := find(v)) is not None}


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Holds a lock, so that only one installer runs at a time."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def have_mmdebstrap() -> bool:
    """Returns whether mmdebstrap is available; as root, installs it first if it is missing."""
    if shutil.which("mmdebstrap"):
        return True
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return False
    say("installing mmdebstrap")
    no_streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "stdin": subprocess.DEVNULL}
    subprocess.run(["apt-get", "update"], check=False, **no_streams)  # type: ignore[call-overload]
    subprocess.run(["apt-get", "install", "-y", "mmdebstrap"], check=False, **no_streams)  # type: ignore[call-overload]
    return shutil.which("mmdebstrap") is not None


def make_tree(release: str, versions: list[str]) -> Path | None:
    """Makes a Debian tree of a release with these versions; returns None if that fails."""
    tree = cache_folder() / f"debian-{release}"
    if tree.exists():
        return tree
    if not have_mmdebstrap():
        say("mmdebstrap is missing: install the Debian package of that name, or set DEPYF_PYTHON_X_Y")
        return None
    packages = ["g++"]
    for version in versions:
        packages += [f"python{version}-venv", f"python{version}-dev"]
        if version in TEST_SUITES:
            packages.append(f"libpython{version}-testsuite")
    partial = tree.with_name(tree.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    say(f"making a Debian {release} tree for CPython {', '.join(versions)} (about 800 MB, some minutes)")
    mode = "root" if os.geteuid() == 0 else "unshare"
    command = ["mmdebstrap", f"--mode={mode}", "--variant=apt", '--aptopt=Acquire::Check-Valid-Until "false"']
    log = cache_folder() / f"debian-{release}.log"
    with open(log, "w") as handle:
        done = subprocess.run(
            [*command, f"--include={','.join(packages)}", release, str(partial)],
            stdout=handle,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    if done.returncode != 0:
        lines = log.read_text(errors="replace").strip().splitlines()
        say(f"mmdebstrap could not make Debian {release} ({lines[-1] if lines else 'no message'}); see {log}")
        shutil.rmtree(partial, ignore_errors=True)
        return None
    shutil.rmtree(tree, ignore_errors=True)
    partial.rename(tree)
    return tree


def starting_script(tree: Path, version: str) -> Path | None:
    """Writes the script that starts a tree's Python with the tree's own loader and libraries.

    It is next to that Python, which finds its library relative to it; so do virtual environments made with it. Returns
    the command in the cache folder that runs the script, or None if the tree lacks the version.
    """
    python = tree / "usr" / "bin" / f"python{version}"
    folders = [folder for pattern in LIBRARY_FOLDERS for folder in sorted(tree.glob(pattern))]
    loader = next((found for folder in folders for found in sorted(folder.glob(LOADER))), None)
    libraries = ":".join(map(str, folders))
    if not python.exists() or loader is None:
        return None
    start = shlex.quote(str(loader))
    # With --argv0, sys.executable is this script, so that child processes start as well; glibc before 2.33 lacks it.
    usage = subprocess.run([str(loader), "--help"], capture_output=True, text=True, check=False)
    if "--argv0" in usage.stdout + usage.stderr:
        start += ' --argv0 "$0"'
    script = python.with_name(f"start-python{version}")
    start += f" --library-path {shlex.quote(libraries)} {shlex.quote(str(python))}"
    script.write_text(f'#!/bin/sh\nexec {start} "$@"\n')
    script.chmod(0o755)
    use_wheels_of(tree, version)
    link_headers(tree, version)
    command = cache_folder() / "bin" / f"python{version}"
    command.parent.mkdir(parents=True, exist_ok=True)
    fresh = command.with_name(f"{command.name}.{os.getpid()}")
    fresh.write_text(f'#!/bin/sh\nexec {shlex.quote(str(script))} "$@"\n')  # `venv` would resolve a link
    fresh.chmod(0o755)
    fresh.replace(command)
    return command


def use_wheels_of(tree: Path, version: str) -> None:
    """Makes ensurepip use the tree's wheels: Debian's version looks for them in this machine's /usr/share."""
    for settings in (tree / "usr" / "lib" / f"python{version}").glob("_sysconfigdata_*.py"):
        text = settings.read_text()
        settings.write_text(text.replace("'/usr/share/python-wheels", f"'{tree}/usr/share/python-wheels"))


def link_headers(tree: Path, version: str) -> None:
    """Links the architecture-specific folder that pyconfig.h includes into the version's folder of headers.

    Extensions are built with this machine's compiler, which would look for that folder in its own /usr/include.
    """
    headers = tree / "usr" / "include"
    for other in headers.glob(f"*/python{version}/pyconfig.h"):
        link = headers / f"python{version}" / other.parent.parent.name
        if not link.exists():
            link.symlink_to(Path("..") / link.name)


def install(wanted: list[str]) -> None:
    """Installs those of the versions that are missing, one Debian release after the other."""
    missing = [v for v in wanted if find(v) is None]
    if not missing:
        return
    with locked(cache_folder()):
        for release in dict.fromkeys(RELEASES[v] for v in missing if v in RELEASES):
            # All versions that come from the release, so that one tree serves them all.
            versions = [v for v in VERSIONS if RELEASES.get(v) == release]
            tree = make_tree(release, versions)
            if tree is not None:
                for version in versions:
                    starting_script(tree, version)


def main() -> int:
    """Prints the commands as JSON; with --strict, returns exit status 1 if a version is missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--install", action="store_true", help="install missing versions where that is possible")
    parser.add_argument("--only", metavar="X.Y,...", help="only these versions")
    parser.add_argument("--strict", action="store_true", help="exit status 1 if a version is missing")
    arguments = parser.parse_args()
    wanted = arguments.only.split(",") if arguments.only else list(VERSIONS)
    if unknown := [v for v in wanted if v not in VERSIONS]:
        parser.error(f"no such version: {', '.join(unknown)}")
    if arguments.install:
        install(wanted)
    found = {v: command for v in wanted if (command := find(v)) is not None}
    print(json.dumps(found, indent=1))
    missing = [v for v in wanted if v not in found]
    if missing:
        say(f"CPython {', '.join(missing)} not found; install with pyenv, or set DEPYF_PYTHON_X_Y=COMMAND")
    return 1 if missing and arguments.strict else 0


if __name__ == "__main__":
    sys.exit(main())
