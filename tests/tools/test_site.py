# SPDX-License-Identifier: MIT
"""Tests the documentation site: its links to sources, and the list of the API."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import depyf
import pytest

ROOT = Path(__file__).resolve().parents[2]
EDIT = "https://github.com/thuml/depyf/edit/main/"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Builds the site as ./dev docs does and returns its folder."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, timeout=300)
    return folder


def test_edit_link_of_each_page_names_its_source(site):
    found = {}
    for page in site.rglob("index.html"):
        (link,) = re.findall(r'href="([^"]*/edit/[^"]*)"', page.read_text("utf-8"))
        assert link.startswith(EDIT) and (ROOT / link.removeprefix(EDIT)).is_file(), link
        found[link] = page
    assert len(found) == len(list((ROOT / "docs" / "site").glob("*.md")))


def test_api_page_lists_all_public_names(site):
    text = (site / "api" / "index.html").read_text("utf-8")
    contents = text[text.index('id="toc-collapse"') : text.index('role="main"')]
    listed = re.findall(r'href="#depyf\.(\w+)"', contents)
    assert sorted(listed) == sorted(name for name in depyf.__all__ if name != "__version__")
    members = re.search(r"members: \[(.*)\]", (ROOT / "docs" / "site" / "api.md").read_text("utf-8"))[1]
    assert listed == members.split(", ")
