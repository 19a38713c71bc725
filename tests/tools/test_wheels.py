# SPDX-License-Identifier: MIT
"""What goes to PyPI: the sdist holds what a wheel is built from, and says of the project what is true of it."""

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
    """The sdist's files, without its folder: name -> bytes."""
    folder = tmp_path_factory.mktemp("sdist")
    make = f"import scikit_build_core.build as b; b.build_sdist({str(folder)!r})"
    subprocess.run([sys.executable, "-c", make], cwd=ROOT, check=True, capture_output=True, timeout=300)
    (path,) = folder.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        files = {m.name.partition("/")[2]: archive.extractfile(m).read() for m in archive if m.isfile()}
    assert len(files) > 200
    return files


def test_the_sdist_holds_all_sources_and_no_generated_pages(sdist):
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    built_from = re.compile(
        r"^(CMakeLists\.txt|pyproject\.toml|README\.md|LICENSE|(cmake|include|src|cli|bindings|python)/)"
    )
    sources = {name for name in listed.split("\0") if built_from.match(name)}
    assert len(sources) > 200 and not sources - sdist.keys()
    assert not [name for name in sdist if name.startswith(("docs/gallery/", "tests/oracle/", "build/", ".venv/"))]
    assert sum(map(len, sdist.values())) < 10e6


def test_its_metadata(sdist):
    said = email.message_from_bytes(sdist["PKG-INFO"])
    version = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)[1]
    assert (said["Name"], said["Version"], said["Requires-Python"]) == ("depyf", version, ">=3.10")
    assert said["License-Expression"] == "MIT" and said.get_payload().startswith("# depyf")
    urls = dict(u.split(", ") for u in said.get_all("Project-URL"))
    assert urls["Homepage"] == "https://github.com/thuml/depyf"
    minors = [c for c in said.get_all("Classifier") if re.search(r":: 3\.\d+$", c)]
    assert [c.rpartition(" ")[2] for c in minors] == ["3.10", "3.11", "3.12", "3.13", "3.14", "3.15"]


LINK = re.compile(r"(!?)\[[^\[\]]*\]\(([^)\s]+)\)")


def test_links_of_its_readme_lead_somewhere_on_pypi(sdist):
    """Each names the file that the README names in the repository: as a page of it, as a picture itself."""
    said = email.message_from_bytes(sdist["PKG-INFO"])
    assert said["Description-Content-Type"] == "text/markdown"
    given = LINK.findall((ROOT / "README.md").read_text("utf-8"))
    shown = LINK.findall(said.get_payload(decode=True).decode())
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
    ("name", "taken"),
    [
        ("depyf-0.30.0-cp310-cp310-manylinux_2_17_x86_64.whl", ["3.10"]),
        ("depyf-0.30.0-cp311-cp311-manylinux_2_17_x86_64.whl", ["3.11"]),
        ("depyf-0.30.0-cp312-abi3-manylinux_2_17_x86_64.whl", ["3.12", "3.13", "3.14", "3.15"]),
        ("depyf-0.30.0-cp313-cp313t-manylinux_2_17_x86_64.whl", ["3.13t"]),
        ("depyf-0.30.0-cp312-abi3-manylinux_2_17_aarch64.whl", ["3.12", "3.13", "3.14", "3.15"]),
    ],
)
def test_which_interpreters_a_wheel_is_tried_on(name, taken):
    wheel = wheels.Wheel(Path(name))
    assert [v for v in (*wheels.interpreters.VERSIONS, "3.13t") if wheel.supports(v)] == taken
    assert name.endswith(f"{wheel.arch}.whl")


def test_the_smoke_test_wants_the_tool_of_its_own_environment(tmp_path):
    command = [sys.executable, str(ROOT / "tools" / "smoke.py")]
    for path, status in ((Path(sys.executable).parent, 0), (tmp_path, 1)):
        environ = {"PATH": f"{path}{os.pathsep}/usr/bin"}
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environ)
        assert done.returncode == status, done.stderr
    assert "AssertionError" in done.stderr


def test_the_smoke_test_runs_the_tool_that_it_is_given(tmp_path):
    """As it is where an emulator runs it."""
    mark = tmp_path / "ran"
    tool = tmp_path / "runner"
    tool.write_text(f'#!/bin/sh\ntouch {mark}\nexec "$@"\n')
    tool.chmod(0o755)
    depyfc = Path(sys.executable).parent / "depyfc"
    command = [sys.executable, str(ROOT / "tools" / "smoke.py"), str(tool), str(depyfc)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={"PATH": "/usr/bin:/bin"})
    assert done.returncode == 0 and mark.exists(), done.stderr
