# SPDX-License-Identifier: MIT
"""Reads the data in the HTML of a report."""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import Any


def page_data(html: str) -> dict[str, Any]:
    """Returns the data that the report with this HTML displays."""
    packed = re.search(r'id="data"[^>]*>([^<]*)<', html)
    assert packed is not None
    data: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(packed[1])))
    return data
