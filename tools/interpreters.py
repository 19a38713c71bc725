# SPDX-License-Identifier: MIT
"""Finds a CPython of each version 3.8-3.15, and makes those that are missing where that is possible.

Prints JSON, ``{"3.8": ["/path/to/python3.8"], ...}``: a command each, to be run as a list. Looked for, in this order:

1. the environment variable ``DEPYF_PYTHON_X_Y`` (a command line);
2. this interpreter, pyenv's versions, ``pythonX.Y`` on the path;
3. a Debian tree in the cache folder (``DEPYF_CACHE``, else ``~/.cache/depyf``), which ``--install`` makes with
   mmdebstrap from the release that has the version. Such a Python is started by the tree's own dynamic loader, without
   chroot, so that it sees the files of this machine; a small script in the cache folder hides that.

What could not be had is said on standard error. Nothing outside the cache folder is changed, but for the Debian package
mmdebstrap itself, which ``--install`` installs when it is missing and the user is root.
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
# The Debian releases that have a version; the first one that works is taken. 3.8, 3.10 and 3.12 were in none.
RELEASES = {"3.9": "bullseye", "3.11": "bookworm", "3.13": "trixie", "3.14": "forky", "3.15": "forky"}
TEST_SUITES = ("3.14", "3.15")  # where the standard library's tests are wanted too
LIBRARY_FOLDERS = ("usr/lib/*-linux-gnu", "lib/*-linux-gnu")  # the second one is of its own before Debian 12
LOADER = "ld-linux*.so.*"


def cache_folder() -> Path:
    """Where the Debian trees and the starting scripts are kept."""
    return Path(os.environ.get("DEPYF_CACHE") or Path.home() / ".cache" / "depyf").expanduser().resolve()


def say(message: str) -> None:
    """One line for the person who waits."""
    print(f"interpreters: {message}", file=sys.stderr, flush=True)


def answers(command: list[str], version: str) -> bool:
    """Whether a command is a CPython of that version that can also compile and import."""
    probe = "import sys, zlib, marshal; print(sys.implementation.name, '%d.%d' % sys.version_info[:2])"
    try:
        done = subprocess.run([*command, "-c", probe], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0 and done.stdout.split() == ["cpython", version]


def pyenv_roots() -> Iterator[Path]:
    """Folders that hold pyenv's versions."""
    if root := os.environ.get("PYENV_ROOT"):
        yield Path(root)
    if tool := shutil.which("pyenv"):
        done = subprocess.run([tool, "root"], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            yield Path(done.stdout.strip())
    yield Path.home() / ".pyenv"


def release_number(path: Path) -> tuple[int, ...]:
    """Sorts 3.12.10 after 3.12.9."""
    return tuple(int(part) for part in path.name.split(".") if part.isdigit())


def candidates(version: str) -> Iterator[list[str]]:
    """Commands that may be a CPython of that version, best first."""
    if given := os.environ.get("DEPYF_PYTHON_" + version.replace(".", "_")):
        yield shlex.split(given)
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
    """Whether the standard library's own tests are there; Debian packages them apart."""
    probe = [*command, "-c", "import test.test_grammar"]
    return subprocess.run(probe, capture_output=True, timeout=60, check=False).returncode == 0


def find(version: str) -> list[str] | None:
    """The command of a CPython of that version, one with its tests before one without; or None."""
    given = [c for c in candidates(version) if answers(c, version)]
    return next(filter(has_tests, given), given[0] if given else None)


def find_all() -> dict[str, list[str]]:
    """The commands of all versions that are there."""
    return {v: command for v in VERSIONS if (command := find(v)) is not None}


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """One installer at a time."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def have_mmdebstrap() -> bool:
    """Whether mmdebstrap is there; installs it when that is a matter of one command."""
    if shutil.which("mmdebstrap"):
        return True
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return False
    say("installing mmdebstrap")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "stdin": subprocess.DEVNULL}
    subprocess.run(["apt-get", "update"], check=False, **quiet)  # type: ignore[call-overload]
    subprocess.run(["apt-get", "install", "-y", "mmdebstrap"], check=False, **quiet)  # type: ignore[call-overload]
    return shutil.which("mmdebstrap") is not None


def make_tree(release: str, versions: list[str]) -> Path | None:
    """A Debian tree of a release with these versions in it; None if that failed."""
    tree = cache_folder() / f"debian-{release}"
    if tree.exists():
        return tree
    if not have_mmdebstrap():
        say("no mmdebstrap: install the Debian package of that name, or give DEPYF_PYTHON_X_Y")
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

    It lies beside that Python, which finds its library from there, as do virtual environments made with it.
    """
    python = tree / "usr" / "bin" / f"python{version}"
    folders = [folder for pattern in LIBRARY_FOLDERS for folder in sorted(tree.glob(pattern))]
    loader = next((found for folder in folders for found in sorted(folder.glob(LOADER))), None)
    libraries = ":".join(map(str, folders))
    if not python.exists() or loader is None:
        return None
    start = shlex.quote(str(loader))
    # --argv0 makes sys.executable this script, so that a child process starts as well; glibc before 2.33 has none.
    usage = subprocess.run([str(loader), "--help"], capture_output=True, text=True, check=False)
    if "--argv0" in usage.stdout + usage.stderr:
        start += ' --argv0 "$0"'
    script = python.with_name(f"start-python{version}")
    start += f" --library-path {shlex.quote(libraries)} {shlex.quote(str(python))}"
    script.write_text(f'#!/bin/sh\nexec {start} "$@"\n')
    script.chmod(0o755)
    take_wheels_from(tree, version)
    put_headers_together(tree, version)
    command = cache_folder() / "bin" / f"python{version}"
    command.parent.mkdir(parents=True, exist_ok=True)
    fresh = command.with_name(f"{command.name}.{os.getpid()}")
    fresh.write_text(f'#!/bin/sh\nexec {shlex.quote(str(script))} "$@"\n')  # no link: `venv` would take its folder
    fresh.chmod(0o755)
    fresh.replace(command)
    return command


def take_wheels_from(tree: Path, version: str) -> None:
    """Points ensurepip at the tree's wheels: Debian's looks for them in this machine's /usr/share."""
    for settings in (tree / "usr" / "lib" / f"python{version}").glob("_sysconfigdata_*.py"):
        text = settings.read_text()
        settings.write_text(text.replace("'/usr/share/python-wheels", f"'{tree}/usr/share/python-wheels"))


def put_headers_together(tree: Path, version: str) -> None:
    """Debian's pyconfig.h includes another one by the machine's name, which a compiler would look for in its own
    /usr/include: extensions are built with this machine's compiler and its headers.
    """
    headers = tree / "usr" / "include"
    for other in headers.glob(f"*/python{version}/pyconfig.h"):
        link = headers / f"python{version}" / other.parent.parent.name
        if not link.exists():
            link.symlink_to(Path("..") / link.name)


def install(wanted: list[str]) -> None:
    """Makes what is missing of the wanted versions, one Debian release after the other."""
    missing = [v for v in wanted if find(v) is None]
    if not missing:
        return
    with locked(cache_folder()):
        for release in dict.fromkeys(RELEASES[v] for v in missing if v in RELEASES):
            # Every version that the release is for, so that one tree serves them all.
            versions = [v for v in VERSIONS if RELEASES.get(v) == release]
            tree = make_tree(release, versions)
            if tree is not None:
                for version in versions:
                    starting_script(tree, version)


def main() -> int:
    """Prints the commands as JSON; with --strict, a missing version is exit status 1."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--install", action="store_true", help="make what is missing, where that is possible")
    parser.add_argument("--only", metavar="X.Y,...", help="these versions only")
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
        say(f"could not get CPython {', '.join(missing)}; pyenv, or DEPYF_PYTHON_X_Y=COMMAND, can provide them")
    return 1 if missing and arguments.strict else 0


if __name__ == "__main__":
    sys.exit(main())
