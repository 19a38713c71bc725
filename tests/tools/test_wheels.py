# SPDX-License-Identifier: MIT
"""Tests the sdist and its metadata, and tools/wheels.py and tools/smoke.py."""

from __future__ import annotations

import email
import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tools import wheels

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def sdist(tmp_path_factory):
    """Returns the sdist's files: name without the top folder -> content."""
    folder = tmp_path_factory.mktemp("sdist")
    make = f"import scikit_build_core.build as b; b.build_sdist({str(folder)!r})"
    subprocess.run([sys.executable, "-c", make], cwd=ROOT, check=True, capture_output=True, timeout=300)
    (path,) = folder.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        files = {m.name.partition("/")[2]: archive.extractfile(m).read() for m in archive if m.isfile()}
    assert len(files) > 200
    return files


def test_sdist_contains_all_sources_and_no_generated_pages(sdist):
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    built_from = re.compile(
        r"^(CMakeLists\.txt|pyproject\.toml|README\.md|LICENSE|(cmake|include|src|cli|bindings|python)/)"
    )
    sources = {name for name in listed.split("\0") if built_from.match(name)}
    assert len(sources) > 200 and not sources - sdist.keys()
    assert not [name for name in sdist if name.startswith(("docs/gallery/", "tests/oracle/", "build/", ".venv/"))]
    assert sum(map(len, sdist.values())) < 10e6


def test_sdist_metadata(sdist):
    metadata = email.message_from_bytes(sdist["PKG-INFO"])
    version = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)[1]
    assert (metadata["Name"], metadata["Version"], metadata["Requires-Python"]) == ("depyf", version, ">=3.10")
    assert metadata["License-Expression"] == "MIT" and metadata.get_payload().startswith("# depyf")
    urls = dict(u.split(", ") for u in metadata.get_all("Project-URL"))
    assert urls["Homepage"] == "https://github.com/thuml/depyf"
    minors = [c for c in metadata.get_all("Classifier") if re.search(r":: 3\.\d+$", c)]
    assert [c.rpartition(" ")[2] for c in minors] == ["3.10", "3.11", "3.12", "3.13", "3.14", "3.15"]


LINK = re.compile(r"(!?)\[[^\[\]]*\]\(([^)\s]+)\)")


def test_relative_links_of_the_readme_become_absolute(sdist):
    """A link leads to the page of the file on GitHub, an image to the file itself."""
    metadata = email.message_from_bytes(sdist["PKG-INFO"])
    assert metadata["Description-Content-Type"] == "text/markdown"
    given = LINK.findall((ROOT / "README.md").read_text("utf-8"))
    shown = LINK.findall(metadata.get_payload(decode=True).decode())
    assert len(given) == len(shown) > 10 and {mark for mark, _ in given} == {"", "!"}
    bases = {
        "": "https://github.com/thuml/depyf/blob/main/",
        "!": "https://raw.githubusercontent.com/thuml/depyf/main/",
    }
    for (mark, wanted), (_, link) in zip(given, shown, strict=True):
        if not wanted.startswith("https://"):
            assert (ROOT / wanted.partition("#")[0]).is_file() and link == bases[mark] + wanted
        else:
            assert link == wanted


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("depyf-0.30.0-cp310-cp310-manylinux_2_17_x86_64.whl", ["3.10"]),
        ("depyf-0.30.0-cp311-cp311-manylinux_2_17_x86_64.whl", ["3.11"]),
        ("depyf-0.30.0-cp312-abi3-manylinux_2_17_x86_64.whl", ["3.12", "3.13", "3.14", "3.15"]),
        ("depyf-0.30.0-cp313-cp313t-manylinux_2_17_x86_64.whl", ["3.13t"]),
        ("depyf-0.30.0-cp312-abi3-manylinux_2_17_aarch64.whl", ["3.12", "3.13", "3.14", "3.15"]),
    ],
)
def test_interpreters_that_a_wheel_supports(name, expected):
    wheel = wheels.Wheel(Path(name))
    assert [v for v in (*wheels.interpreters.VERSIONS, "3.13t") if wheel.supports(v)] == expected
    assert name.endswith(f"{wheel.arch}.whl")


def test_smoke_test_requires_depyfc_of_its_own_environment(tmp_path):
    command = [sys.executable, str(ROOT / "tools" / "smoke.py")]
    for path, status in ((Path(sys.executable).parent, 0), (tmp_path, 1)):
        environ = {"PATH": f"{path}{os.pathsep}/usr/bin"}
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environ)
        assert done.returncode == status, done.stderr
    assert "AssertionError" in done.stderr


def test_smoke_test_runs_the_given_command(tmp_path):
    """An emulator is passed in this way."""
    mark = tmp_path / "ran"
    tool = tmp_path / "runner"
    tool.write_text(f'#!/bin/sh\ntouch {mark}\nexec "$@"\n')
    tool.chmod(0o755)
    depyfc = Path(sys.executable).parent / "depyfc"
    command = [sys.executable, str(ROOT / "tools" / "smoke.py"), str(tool), str(depyfc)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={"PATH": "/usr/bin:/bin"})
    assert done.returncode == 0 and mark.exists(), done.stderr
