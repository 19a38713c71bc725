# SPDX-License-Identifier: MIT
"""Tests tools/zoo/report.py, which writes the results of a run of the zoo."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from tools.zoo import report


def row(**changes):
    """Returns the outcome of a scenario without problems, with CHANGES."""
    good = {
        "model": "A", "suite": "plain", "stands_for": "a model", "successor": False, "backend": "eager", "train": False,
        "broken": "", "frames": 2, "graphs": 1, "breaks": 0, "verdicts": {"exact": 1, "proved": 1}, "files": 5,
        "scripts": 1, "full_code": 1, "held": 2, "seen": 2, "guards": 3, "hits": 1, "skipped": [],
        "seconds_without": 2.0, "seconds_with": 3.0, "again_without": 0.5,
        "again_with": 0.5, "mib_without": 10, "mib_with": 14, "problems": [],
    }  # fmt: skip
    return {**good, **changes}


def scenarios(**changes):
    """Returns the outcomes of the four scenarios of one model."""
    return [row(train=t, broken=b, **changes) for t in (False, True) for b in ("", "m.0")]


def test_table():
    crashed = {
        "model": "B",
        "suite": "plain",
        "stands_for": "b",
        "successor": True,
        "backend": "eager",
        "problems": ["x"],
    }
    text = report.table([*scenarios(), *scenarios(model="B")[:3], crashed])
    assert "backend eager. 1 of 2 models without a problem" in text
    assert "| A | a model | 8 | 4 | 0 | 8 of 8 | 8 of 8 | 12 | 20 | 4 | 1.50 |" in text
    assert "| B ✗ |" in text
    assert "- B (process): x" in text
    assert "median: 4 MiB" in text


def test_frames_that_torch_skips_are_listed_with_the_reason():
    text = report.table(scenarios(skipped=["forward: Unsupported: no"]))
    assert "\n- A (training): forward: Unsupported: no\n" in text
    assert "16 cache entries" not in text and "- 8 cache entries recorded of 8 that torch holds; 12 verdicts" in text
    assert "eagerly" not in report.table(scenarios())


def test_report_of_a_part_of_the_zoo_gives_both_counts():
    assert "The zoo has 154 models; this run, 1." in report.table(scenarios(), 154)
    assert "The zoo has" not in report.table(scenarios(), 1)


def test_model_with_a_problem_is_not_counted_as_passed():
    rows = scenarios()
    rows[1]["problems"] = ["wrong"]
    assert " 0 of 1 models" in report.table(rows)
    assert report.problems(rows) == ["- A (inference, break in m.0): wrong"]


def test_difference_that_torch_causes_is_listed_and_not_a_problem():
    rows = scenarios(torch="2.13.0")
    rows[2]["itself"] = "value 1 differs by up to 0.1"
    text = report.table([*rows, *scenarios(model="B")])
    assert "backend eager, torch 2.13.0. 2 of 2 models without a problem" in text
    assert "\n- A (training): value 1 differs by up to 0.1\n" in text


def test_model_without_all_scenarios_has_not_passed():
    assert not report.passed(scenarios()[:3])


def test_times_include_only_scenarios_measured_with_and_without_depyf():
    unmeasured = row(seconds_without=0.0, seconds_with=100.0)
    assert report.times([*scenarios(), unmeasured], "seconds") == "1.50"
    assert report.times([unmeasured], "seconds") == "-"


def test_junit(tmp_path):
    rows = scenarios()
    rows[2]["problems"] = ["wrong", "also"]
    report.write_junit(tmp_path / "r" / "zoo.xml", rows)
    suite = ElementTree.parse(tmp_path / "r" / "zoo.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("4", "1")
    assert [c.get("name") for c in suite if len(c)] == ["training"]
    assert suite.find(".//failure").get("message") == "wrong; also"
