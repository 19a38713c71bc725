# SPDX-License-Identifier: MIT
"""What the committed gallery says, decoded: no page says of a frame that has an entry that nothing was compiled."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest

GALLERY = Path(__file__).resolve().parent.parent.parent / "docs" / "gallery"
PAGES = [*sorted((GALLERY / "models").glob("*.html")), GALLERY / "tour.html"]
FALSE_OF_A_FRAME_WITH_AN_ENTRY = re.compile("compiled nothing|has no entry|runs as it is")


def data_of(page: Path) -> dict[str, Any]:
    packed = re.search(r'id="data"[^>]*>([^<]*)<', page.read_text("utf-8"))
    assert packed is not None
    found: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(packed[1].strip())))
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_frames_with_entries_are_not_said_to_have_none(page: Path) -> None:
    data = data_of(page)
    frames = [frame for scenario in data.get("scenarios", ()) for frame in scenario["frames"]]
    frames += [data["frame"]] if "frame" in data else []
    assert frames and all(frame["guards"] for frame in frames)  # a frame of the gallery is an entry, with its guards
    shown = [data["texts"][frame["full_code"]] for frame in frames if frame["full_code"] is not None]
    assert not [text for text in shown if FALSE_OF_A_FRAME_WITH_AN_ENTRY.search(text)]
