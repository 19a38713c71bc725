# SPDX-License-Identifier: MIT
"""depyfc reads only the named file: no source next to it, no locale, no configuration, no network."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

# Accesses of the dynamic loader before main(): shared libraries and the cache of their paths.
LIBRARY = re.compile(r"/(.*/)?[^/]+\.so(\.[0-9.]+)?\Z|/etc/ld\.so\.(cache|preload)\Z|/.*/glibc-hwcaps(/.*)?\Z")
Calls = list[tuple[str, str]]


def calls_of(command: list[str]) -> Calls:
    """Returns the calls that name a file, start a program or open a socket."""
    tracer = str(Path(__file__).with_name("system_calls.py"))
    done = subprocess.run([sys.executable, tracer, *command], capture_output=True, text=True, timeout=120)
    if done.returncode == 77:
        pytest.skip("system calls are read on Linux, x86-64 and AArch64")
    assert done.returncode == 0, done.stderr
    status, calls = json.loads(done.stdout)
    assert status == 0, done.stderr
    opened = [(call, path) for call, path in calls if path or call == "socket"]  # the others use open files
    return [(call, path) for call, path in opened if not LIBRARY.match(path)]


@pytest.mark.parametrize("arguments", [[], ["-j4", "-o", "{out}"], ["--stop-after=cfg"]])
def test_only_the_named_file_is_read(depyfc: str, small_pyc: bytes, tmp_path: Path, arguments: list[str]) -> None:
    """A source, a cached file and a configuration are next to it, as in a project."""
    pyc = tmp_path / "module.pyc"
    pyc.write_bytes(small_pyc)
    for name in ("module.py", "__pycache__/module.cpython-311.pyc", "setup.cfg", "pyproject.toml", "<source>"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"not to be read")
    out = str(tmp_path / "out")
    calls = calls_of([depyfc, *(argument.replace("{out}", out) for argument in arguments), str(pyc)])
    assert {call for call, path in calls if path == str(pyc)} & {"open", "openat"}
    expected = {str(pyc), out, str(tmp_path)}  # the folder is checked before one is made in it
    assert [(c, p) for c, p in calls if p not in expected and not p.startswith(out + "/")] == []


def test_tracer_sees_all_kinds_of_calls(tmp_path: Path) -> None:
    """Files that are read or looked up, programs and sockets."""
    (tmp_path / "read").write_text("")
    code = (
        f"import os, socket, subprocess; open({str(tmp_path / 'read')!r}); "
        f"os.path.exists({str(tmp_path / 'sought')!r}); socket.socket(); subprocess.run(['/bin/true'])"
    )
    calls = calls_of([sys.executable, "-c", code])
    assert {("openat", str(tmp_path / "read")), ("execve", "/bin/true"), ("socket", "")} <= set(calls)
    assert any(path == str(tmp_path / "sought") for _, path in calls)


def test_standard_input_and_code_without_a_header(depyfc: str, small_pyc: bytes, tmp_path: Path) -> None:
    pyc = tmp_path / "module.pyc"
    pyc.write_bytes(small_pyc)
    wanted = subprocess.run([depyfc, str(pyc)], capture_output=True, check=True).stdout
    assert wanted
    from_stdin = subprocess.run([depyfc, "-"], input=small_pyc, capture_output=True, check=True)
    assert from_stdin.stdout == wanted
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    bare = subprocess.run([depyfc, "--marshal", version, "-"], input=small_pyc[16:], capture_output=True, check=True)
    assert bare.stdout == wanted
