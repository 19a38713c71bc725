# SPDX-License-Identifier: MIT
"""Rejects private words where the literature or PyTorch has a term, in Python, C++ and documents.

There are no exceptions for lines that match because of a name of PyTorch or CPython: a pattern must be chosen so that
no such name matches. The tests check dumped files with `private_words`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACES = ("python/**/*.py", "python/**/assets/*", "tools/**/*.py", "docs/*.md", "*.md")
WORDS = {
    r"left to python|plain frame|frames? given up|left alone": "skipped frame, recompile limit",
    r"holds more|holds? what the original": "lifetime difference; stays alive",
    r"go(es)? on (to|with) ": "continues with; resume function",
    r"stands? behind|ways out of": "dominator, post-dominator; region exit",
    r"laid (away|open)|folds late|copied ends|ends alike": "scalar replacement, constant folding, tail duplication",
    r"the way to the graph": "the code before the graph",
    r"hijack\w*": "execution: line-mapped, recompiled, original",
    r"runs? as it stands": "executed as is",
    r"leaves? open\b|open_symbols?|open symbols?": "symbolic",
    r"entries stand\b": "are in the order",
    r"\bseams?\b": "capability, private name",
    r"closuretext|held_lists?|attempts\.py": "the module's name of today",
    r"not_replayed": "not evaluated",
    r"_quietly\b": "isolated, without Dynamo",
    r"\bvery texts?\b": "this text itself; executed",
    r"graphs of no frame": "graphs not attributed to a frame",
    r"taken to hold": "assumed true",
    r"held lists?\b": "lists on the stack",
    r"early ways": "early return, guard clause",
    r"_?remark(ed|s)?\b": "comment, annotated",
}
CPP_SUFFIXES = {".h", ".cpp", ".def", ".inc"}
CPP = ("src/**/*", "cli/*", "bindings/*", "include/**/*.h")
# Whole C++ identifiers, in code and comments.
IDENTIFIERS = {
    r"\w*behind\w*": "follow, successor, phantom successor; after",
    r"unite\w*|\w*united_?|cut_way|same_way": "merge, merge tails, split a tail",
    r"says_\w+": "is_marker, is_complete, is_observable",
    r"ways?_out|Ways|\w+_ways?(_\w+)?|\w+Ways\w*|ways? out": "region exit, edge, predecessor",
    r"kOwnEnd|kLeft|ClauseEnd|clause_end": "fall-through exit, abrupt exit, exit kind",
    r"made_late|laid_open|folds_\w+_late": "the inverse of constant folding",
    r"without_copies|CopiedEnds|copied_(ends|drops)|ends_alike": "bisimulation quotient, tail duplication",
    r"end_copies|finally_copies": "tail duplication",
    r"goes_on\w*|goes on (to|with)|go_on_alike|stands_\w+|stood_": "successor, follow, representative",
    r"Turned|turned_\w*|is_turned": "jump inversion",
    r"silent|kSilent|past_silent|quiet_exit|small_exit|constant_exit": "clean-up only, trivial return, constant return",
    r"handed_over|Handed|as_meant|\w+_as_meant": "arguments of a resume function; lenient exception table",
    r"early_ways_out|EarlyWaysOut|leave_early|leave_at_ends": "guard clause; epilogue",
    r"gave_up": "refusal",
}
_ANY = [(re.compile(rf"(?<!\w){pattern}", re.IGNORECASE), instead) for pattern, instead in WORDS.items()]
_CODE = [(re.compile(rf"(?<!\w)(?:{pattern})(?!\w)"), instead) for pattern, instead in IDENTIFIERS.items()]


def private_words(text: str, *, is_cpp: bool = False) -> Iterator[tuple[int, str, str]]:
    """Yields each private word of a text, including C++ identifiers: line, word, and the term to use instead."""
    for number, line in enumerate(text.splitlines(), start=1):
        for pattern, instead in _ANY + _CODE if is_cpp else _ANY:
            if match := pattern.search(line):
                yield number, match[0], instead


def check(root: Path) -> list[str]:
    """Returns all problems of a tree, one per line."""
    problems: list[str] = []
    read = 0
    cpp = {p for place in CPP for p in root.glob(place) if p.suffix in CPP_SUFFIXES}
    for path in sorted({p for place in PLACES for p in root.glob(place) if p.is_file()} | cpp):
        if path.name == Path(__file__).name:
            continue
        read += 1
        for number, word, instead in private_words(path.read_text("utf-8"), is_cpp=path in cpp):
            problems.append(f"{path.relative_to(root)}:{number}: {word!r}: say {instead}")
    return problems if read else ["nothing was read: is this the root of depyf?"]


def main() -> int:
    """Prints the problems; the exit status is 1 if there are any."""
    problems = check(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT)
    print("\n".join(problems) if problems else f"words: none of {len(WORDS)} groups of private words")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
