# SPDX-License-Identifier: MIT
"""The questions, and the steps by which each tool answers them.

A step is one action of a person: `$ COMMAND` is typed, `open FILE` is looked at (the first file that matches), and
`do TEXT` is work by hand. The answer is a pattern that must match the output of the last command, or the last file. If
a tool has no answer, the note says what is missing.
"""

from __future__ import annotations

from typing import NamedTuple


class Way(NamedTuple):
    """How a tool answers: its steps and a pattern for the answer; or no steps, and a note on the reason."""

    steps: tuple[str, ...]
    answer: str = ""
    note: str = ""


class Question(NamedTuple):
    """A question of users, and how each tool answers it."""

    text: str
    depyf: Way
    tlparse: Way
    logs: Way


def none(note: str) -> Way:
    """Returns the entry of a tool that does not answer."""
    return Way((), note=note)


_DUMP = "$ depyf run -o dump program.py"
_TRACE = (
    "$ mkdir -p trace; TORCH_TRACE=trace INDUCTOR_PROVENANCE=1 python program.py",
    "$ tlparse --no-browser --overwrite -o out trace/*.log",
    "open out/index.html",
)
_RANKS = "torchrun --standalone --nproc_per_node=2 program.py"
_ARGUMENT = r"'x' size mismatch.*expected 8, actual 9"


QUESTIONS = (
    Question(
        "Why did it recompile: which argument, what value then and now?",
        Way((_DUMP, "$ depyf why dump"), r"\[0/1\]: x: size was \(8, 16\), now \(9, 16\)"),
        Way((*_TRACE, "open out/*_0_1_0/recompile_reasons*"), _ARGUMENT),
        Way(("$ TORCH_LOGS=recompiles python program.py",), _ARGUMENT),
    ),
    Question(
        "Where does it break, and what is the cure?",
        Way((_DUMP, "$ depyf why dump"), r"program\.py:\d+: graph break(.|\n)*torch\.cond"),
        Way((*_TRACE, "open out/*_0_0_0/dynamo_graph_break_reason*"), r"Hint: .*torch\.cond"),
        Way(("$ TORCH_LOGS=graph_breaks python program.py",), r"program\.py:\d+(.|\n)*Hint: .*torch\.cond"),
    ),
    Question(
        "Where did compile time go, and which caches were missed?",
        Way((_DUMP, "open dump/index.md"), r"## Time\n(.|\n)*Inductor: code generation(.|\n)*fx_graph_cache"),
        Way(
            (*_TRACE, "open out/*_0_0_0/compilation_metrics*", "do load out/chromium_events.json into Perfetto"),
            r"fx_graph_cache(.|\n)*Compile Time(.|\n)*Backend",
        ),
        Way(
            ("$ TORCH_LOGS=dynamo,torch._inductor.codecache python program.py",),
            r"fx graph cache (hit|miss)(.|\n)*Runtimes \(s\)",
        ),
    ),
    Question(
        "Which kernel came from this line of mine?",
        Way((_DUMP, "$ depyf where program.py:{sin} dump"), r"fused_sin"),
        Way((*_TRACE, "open out/*_1_0_0/*kernel_stack_traces*.html"), r"fused_sin(.|\n)*line {sin},"),
        Way(
            (
                "$ TORCH_LOGS=output_code python program.py",
                "do find the kernel whose comment names the line's operation",
            ),
            r"Source Nodes: \[sin",
        ),
    ),
    Question(
        "A size was marked as dynamic: which line pinned it?",
        Way((_DUMP, "open dump/index.md"), r"x\.size\(\)\[0\]\) is fixed to 8 at program\.py:\d+"),
        Way(
            (*_TRACE, "open out/*_2_0_0/compilation_metrics*"),
            r"specializations(.|\n)*\.size\(\)\[0\](.|\n)*program\.py:\d+",
        ),
        Way(("$ TORCH_LOGS=dynamic python program.py",), r"eval Eq\(s\d+, 8\) \[guard added\].*program\.py:\d+"),
    ),
    Question(
        "Where do two ranks first differ?",
        Way(
            (
                f"$ depyf run -o ranks -m torch.distributed.run{_RANKS.removeprefix('torchrun')}",
                "open ranks/ranks.md",
            ),
            r"rank [01] has",
        ),
        Way(
            (
                f"$ mkdir -p ranktrace; TORCH_TRACE=ranktrace {_RANKS}",
                "$ tlparse --all-ranks-html --no-browser --overwrite -o rankout ranktrace",
                "open rankout/index.html",
            ),
            r"[Dd]iverg|[Dd]iffer",
        ),
        Way(
            (f"$ TORCH_LOGS=graph_breaks {_RANKS}", "do tell the ranks' lines apart", "do compare them"),
            r"Graph break in user code",
        ),
    ),
    Question(
        "What did another memory layout change?",
        Way((_DUMP, "$ depyf run -o other program.py --transposed", "$ depyf diff dump other"), r"\[1, 8\]"),
        Way(
            (
                "$ mkdir -p trace; TORCH_TRACE=trace INDUCTOR_PROVENANCE=1 python program.py",
                "$ tlparse --no-browser --overwrite --plain-text -o plain trace/*.log",
                "$ mkdir -p othertrace; TORCH_TRACE=othertrace INDUCTOR_PROVENANCE=1 python program.py --transposed",
                "$ tlparse --no-browser --overwrite --plain-text -o otherplain othertrace/*.log",
                "$ diff -r plain otherplain",
                "do leave out ids, times and paths",
            ),
            r"> .*\[1, 8\]",
        ),
        Way(
            (
                "$ TORCH_LOGS=aot_graphs python program.py > log 2>&1",
                "$ TORCH_LOGS=aot_graphs python program.py --transposed > otherlog 2>&1",
                "$ diff log otherlog",
                "do leave out times and processes",
            ),
            r"> .*\[1, 8\]",
        ),
    ),
    Question(
        "One page that can be mailed, with my source in it",
        Way((_DUMP, "open dump/report.html"), r"<html"),
        none("{tlparse_files} files; without my source"),
        none("text"),
    ),
    Question(
        "Make CI fail when a graph break appears",
        Way(("do write `with depyf.expect(breaks=0):`", "$ python budget.py"), r"AssertionError(.|\n)*program\.py:\d+"),
        none("a parser of its output"),
        none("a parser of its output"),
    ),
)
