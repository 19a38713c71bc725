# SPDX-License-Identifier: MIT
"""Checks for all reports: they compare the page in a browser with the dump's files, not with the page's data."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tools.browser import Browser, Page

READY = "document.documentElement.dataset.ready"
_FROM = re.compile(r"\s*# (?:(?:Annotation|ac_graph_id|recompute): .*? )?File: (.+?):(\d+) in ")

# Clicks each marked line of the visible source, and each link that the line shows to a line of another file.
_WALK = """(() => {
  const out = [];
  const hot = () => [...document.querySelectorAll("#source tr.hot")];
  for (let i = 0; i < hot().length; i++) {
    hot()[i].querySelector("td").click();
    const line = Number(document.querySelector("#source tr.chosen").dataset.line);
    const count = document.querySelectorAll("#view button[data-file][data-at]").length;
    for (let k = 0; k < count; k++) {
      hot()[i].querySelector("td").click();
      const link = document.querySelectorAll("#view button[data-file][data-at]")[k];
      const wanted = [link.dataset.file, Number(link.dataset.at)];
      link.click();
      const mark = document.querySelector("#view tr.mark");
      const back = mark && mark.querySelector("button[data-source]");
      const found = {line, wanted, file: document.querySelector("#view h2").textContent,
        at: mark && Number(mark.dataset.line), text: mark && mark.querySelector("td.text").textContent,
        back: back && back.dataset.source};
      if (back) {
        back.click();
        found.landed = Number(document.querySelector("#source tr.chosen").dataset.line);
        found.source = document.querySelector('#sources [aria-selected="true"]').title;
      }
      out.push(found);
    }
  }
  return out;
})()"""


def open_report(browser: Browser, path: Path, theme: str = "light") -> Page:
    """Opens a report and waits until it is ready."""
    page = browser.open(path, theme)
    page.until(READY)
    return page


def check_views(page: Page) -> list[str]:
    """Opens every view and checks that it is not empty; returns the titles."""
    titles = []
    for number in range(1, page.ask("document.querySelectorAll('#views button').length") + 1):
        page.click(f"#views button:nth-child({number})")
        title, chosen, text = page.ask(
            "[document.querySelector('#views [aria-selected=\"true\"]').textContent,"
            " [...document.querySelectorAll('#views button')].findIndex(b => b.ariaSelected === 'true'),"
            " document.querySelector('#view').textContent]"
        )
        assert chosen == number - 1 and text.strip(), title
        titles.append(title.rstrip(" 0123456789"))
    return titles


def check_story(page: Page) -> list[str]:
    """Clicks each line of the summary, which must change the view or show the line that it names; returns the texts."""
    texts = []
    for number in range(1, page.ask("document.querySelectorAll('#story li').length") + 1):
        page.click("#views button:nth-child(5)")
        page.click(f"#story li:nth-child({number}) button")
        label, text, view = page.ask(
            f"[...document.querySelectorAll('#story li:nth-child({number}) > *')].map(e => e.textContent)"
            ".concat([document.querySelector('#views [aria-selected=\"true\"]').textContent])"
        )
        assert not view.startswith("Files"), text
        if (place := re.match(r"\S+:(\d+): ", text)) and view == "This line":
            assert page.ask("Number(document.querySelector('#source tr.chosen').dataset.line)") == int(place[1])
        texts.append(f"{label} {text}".strip())
    return texts


def check_links(page: Page, dump: Path, source: Path) -> int:
    """Follows every link from a line of the source to a graph and back; returns the number of links.

    The expected links come from the comments that torch writes above the operations of a line in the dumped files: each
    such line of each graph must be linked, and no other.
    """
    found: list[dict[str, Any]] = page.ask(_WALK)
    followed = set()
    for link in found:
        assert [link["file"], link["at"]] == link["wanted"], link
        lines = (dump / link["file"]).read_text("utf-8").split("\n")
        assert lines[link["at"] - 1] == link["text"], link
        above = next(m for n in range(link["at"] - 1, -1, -1) if (m := _FROM.match(lines[n])))
        assert (above[1], int(above[2])) == (str(source), link["line"]), link
        assert (link["back"], link["landed"], link["source"]) == (str(source), link["line"], str(source)), link
        followed.add((link["file"], link["line"]))
    assert followed == _expected(dump, source)
    return len(followed)


def _expected(dump: Path, source: Path) -> set[tuple[str, int]]:
    """Returns (graph, line of the program) of all operations below torch's comments, without cached graphs."""
    found = set()
    for graph in json.loads((dump / "index.json").read_text("utf-8"))["graphs"]:
        if graph["is_cached"]:
            continue
        text = (dump / graph["file"]).read_text("utf-8")
        for path, line, below in re.findall(
            r"# (?:(?:Annotation|ac_graph_id|recompute): .*? )?File: (.+?):(\d+) in .*\n((?:\s*[^\s#].*\n)*)", text
        ):
            if path == str(source) and re.search(r"^ +\w+(: .*)? = ", below, re.MULTILINE):
                found.add((graph["file"], int(line)))
    return found


def check_quiet(page: Page) -> None:
    """Checks that there were no console messages, exceptions or requests."""
    assert page.complaints == [] and page.requests == []


def check_first_screen(page: Page, source: Path) -> None:
    """Checks the first screen: the user's source with its lines unchanged, and one of them selected."""
    shown = page.ask(
        "[...document.querySelectorAll('#source tr[data-line]')].map(r => [Number(r.dataset.line),"
        " r.querySelector('td.text').textContent])"
    )
    lines = source.read_text("utf-8").split("\n")
    assert shown and all(text.strip() == lines[number - 1].strip() for number, text in shown)
    assert page.ask("document.querySelectorAll('#source tr.chosen').length") == 1
    top, bottom = page.ask(
        "(() => { const r = document.querySelector('#source tr.chosen').getBoundingClientRect();"
        " const b = document.querySelector('#source').getBoundingClientRect();"
        " return [r.top - b.top, b.bottom - r.bottom]; })()"
    )
    assert top >= 0 and bottom >= 0
    # the badges of the selected line are visible, too
    assert page.ask(
        "(() => { const b = document.querySelector('#source').getBoundingClientRect();"
        " return [...document.querySelectorAll('#source tr.chosen .badge')]"
        ".every(e => e.getBoundingClientRect().right <= b.right); })()"
    )


def check_timeline(page: Page, folder: Path) -> int:
    """Checks that each compilation has a row in the timeline with a bar for each outermost span.

    Returns their number.
    """
    page.ask("[...document.querySelectorAll('#views button')].find(b => b.textContent.startsWith('Time')).click()")
    shown = page.ask(
        "[...document.querySelector('#view .times tbody').rows].map(row => {"
        " const bars = [...row.querySelectorAll('.bar')], whole = row.querySelector('.track').getBoundingClientRect();"
        " const places = bars.map(b => b.getBoundingClientRect())"
        ".map(b => [(b.left - whole.left) / whole.width, b.width / whole.width]);"
        " return [row.cells[0].textContent, Number(row.cells[1].textContent), places] })"
    )
    spans: dict[str, list[tuple[float, float]]] = {}
    for phase in json.loads((folder / "index.json").read_text("utf-8"))["phases"]:
        spans.setdefault(phase["compile_id"], []).append((phase["start"], phase["start"] + phase["seconds"]))
    end = max(stop for found in spans.values() for _, stop in found)
    assert [row[0].partition("]")[0].lstrip("[") for row in shown] == [
        "outside of a compilation" if compile_id == "-" else compile_id for compile_id in spans
    ]
    for (_, start, bars), found in zip(shown, spans.values(), strict=True):
        assert abs(start - min(found)[0]) < 0.001
        outer = [s for s in set(found) if not any(t != s and t[0] <= s[0] and s[1] <= t[1] for t in found)]
        assert len(bars) == len(outer)
        for (left, width), (begin, stop) in zip(sorted(bars), sorted(outer), strict=True):
            assert abs(left - begin / end) < 0.01 and abs(width - (stop - begin) / end) < 0.01
    return sum(len(bars) for *_, bars in shown)
