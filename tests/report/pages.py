# SPDX-License-Identifier: MIT
"""What each report must do, asked of the page in a browser and of the dump's files, not of the page's data."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tools.browser import Browser, Page

READY = "document.documentElement.dataset.ready"
_FROM = re.compile(r"\s*# (?:(?:Annotation|ac_graph_id|recompute): .*? )?File: (.+?):(\d+) in ")

# Clicks each marked line of the source in view, and each link to a line of a file that is shown for it.
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


def opened(browser: Browser, path: Path, theme: str = "light") -> Page:
    """A report, ready."""
    page = browser.open(path, theme)
    page.until(READY)
    return page


def check_views(page: Page) -> list[str]:
    """Opens every view; their titles. None is empty."""
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
    """Clicks each line of the summary; each shows something that it did not before, or the line that it names."""
    said = []
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
        said.append(f"{label} {text}".strip())
    return said


def check_links(page: Page, dump: Path, source: Path) -> int:
    """Follows every link from a line of the source to a graph and back; how many there were.

    The judge is the comment that torch writes above the operations of a line, read in the dumped files: each such line
    of each graph is linked, and nothing else.
    """
    found: list[dict[str, Any]] = page.ask(_WALK)
    followed = set()
    for each in found:
        assert [each["file"], each["at"]] == each["wanted"], each
        lines = (dump / each["file"]).read_text("utf-8").split("\n")
        assert lines[each["at"] - 1] == each["text"], each
        above = next(m for n in range(each["at"] - 1, -1, -1) if (m := _FROM.match(lines[n])))
        assert (above[1], int(above[2])) == (str(source), each["line"]), each
        assert (each["back"], each["landed"], each["source"]) == (str(source), each["line"], str(source)), each
        followed.add((each["file"], each["line"]))
    assert followed == _expected(dump, source)
    return len(followed)


def _expected(dump: Path, source: Path) -> set[tuple[str, int]]:
    """Graph and line of the program, of all operations below torch's comments; comments out of a cache excepted."""
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
    """Nothing on the console, no exception, no request."""
    assert page.complaints == [] and page.requests == []


def check_first_screen(page: Page, source: Path) -> None:
    """What is seen without a click: the user's source, with its lines as they are, and one of them chosen."""
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
    # what hangs on the chosen line is in view, too
    assert page.ask(
        "(() => { const b = document.querySelector('#source').getBoundingClientRect();"
        " return [...document.querySelectorAll('#source tr.chosen .badge')]"
        ".every(e => e.getBoundingClientRect().right <= b.right); })()"
    )


def check_timeline(page: Page, folder: Path) -> int:
    """Each compilation has a row in the timeline, whose bars lie where its outermost spans do; how many bars."""
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
