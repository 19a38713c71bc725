# SPDX-License-Identifier: MIT
"""Random programs against their decompiled text: the same effects on every schedule, in every form.

    .venv/bin/python tests/programs/programs.py --count 2500 --seed 1 [--version 3.12 ...] [--keep FOLDER] [--reduce]

Each program is written and run by the version's own interpreter (generate.py, play.py), decompiled as usual and with
everything through the fallback, and both texts run as the original did. Printed are a table and each failure; with
--reduce, the smallest program that still fails the same way. What the original does not finish alone does not count.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
FORMS = {"normal": [], "fallback": ["--skip", "structure"]}
SECONDS = 5  # of the processor for each program: depyfc ends by a signal after that
GOOD = ("same", "stuck")
VERDICT = re.compile(r"^(?P<file>.*)\.pyc: (?P<kind>exact|proved|unproved|unchecked) (?P<rest>.*)$", re.MULTILINE)


def _says_what_differs(verdict: tuple[str, str]) -> bool:
    kind, rest = verdict
    return kind not in ("exact", "proved") or ": " in rest


@dataclass
class Outcome:
    """What came of one program in one form."""

    program: str
    form: str
    said: str
    verdicts: list[tuple[str, str]] = field(default_factory=list)

    @property
    def sure(self) -> bool:
        """Whether every code object is called exact or proved, without a word of what may still differ."""
        return bool(self.verdicts) and not any(map(_says_what_differs, self.verdicts))

    @property
    def kind(self) -> str:
        """What went wrong, in a word: what a reduced program must share."""
        word = self.said.split()[0]
        return word + (f" {self.said.split(': ', 1)[-1][:30]}" if word == "refused" else "") + (
            " though proved" if word in ("differs", "died") and self.sure else ""
        )  # fmt: skip


def decompiled(depyfc: str, python: list[str], files: list[Path], out: Path, form: str) -> dict[str, Outcome]:
    """Decompiles files together; after a crash, what has no text yet one by one."""
    out.mkdir(parents=True, exist_ok=True)
    outcomes = {f.stem: Outcome(f.stem, form, "") for f in files}

    def call(chosen: list[Path]) -> subprocess.CompletedProcess[str]:
        listing = "".join(f"{f}\t{out / (f.stem + '.py')}\n" for f in chosen)
        command = [depyfc, *FORMS[form], "--verdict", "--python", shlex.join(python), "--list", "-"]
        limit = SECONDS * len(chosen)
        done = subprocess.run(
            command,
            input=listing,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)),
        )
        for match in VERDICT.finditer(done.stderr):
            outcomes[Path(match["file"]).name].verdicts.append((match["kind"], match["rest"]))
        return done

    done = call(files)
    if done.returncode == 0:
        return outcomes
    for f in files:
        if not (out / (f.stem + ".py")).exists():
            outcomes[f.stem].verdicts = []
            alone = call([f])
            if alone.returncode < 0:
                outcomes[f.stem].said = f"crash by signal {-alone.returncode}"
            elif not (out / (f.stem + ".py")).exists():
                outcomes[f.stem].said = "no text: " + alone.stderr.strip()[-300:]
    return outcomes


def played(python: list[str], folder: Path, jobs: list[list[object]]) -> dict[str, dict]:
    """The outcomes of texts, by program."""
    (folder / "jobs.json").write_text(json.dumps(jobs))
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    command = [*python, str(HERE / "play.py"), str(folder / "jobs.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return {answer["name"]: answer for answer in map(json.loads, done.stdout.splitlines())}


def judged(depyfc: str, python: list[str], folder: Path, files: list[Path], forms: Iterable[str]) -> list[Outcome]:
    """Each program in each form."""
    found = [decompiled(depyfc, python, files, folder / form, form) for form in forms]
    jobs: list[list[object]] = []
    for f in files:
        texts = [folder / form / (f.stem + ".py") for form in forms]
        jobs.append([f.stem, str(f.with_suffix(".py")), [str(t) if t.exists() else None for t in texts]])
    answers = played(python, folder, jobs)
    if set(answers) != {f.stem for f in files} or not any(a["entries"] for a in answers.values()):
        raise RuntimeError("programs were not played, or did nothing")
    outcomes = []
    for number, by_name in enumerate(found):
        for name, outcome in by_name.items():
            outcome.said = outcome.said or answers[name]["outcomes"][number]
            outcomes.append(outcome)
    return outcomes


def generated(python: list[str], folder: Path, count: int, seed: int) -> list[Path]:
    """Writes programs; their compiled files."""
    command = [*python, str(HERE / "generate.py"), str(folder), str(count), str(seed)]
    subprocess.run(command, check=True, capture_output=True)
    return sorted(folder.glob("*.pyc"), key=lambda path: int(path.stem))


def run(depyfc: str, python: list[str], folder: Path, count: int, seed: int) -> list[Outcome]:
    """Writes, decompiles and plays programs."""
    return judged(depyfc, python, folder, generated(python, folder / "programs", count, seed), FORMS)


# ---- making failing programs small
COMPILE = """
import importlib.util, marshal, sys, warnings
warnings.simplefilter("ignore")
for path in sys.argv[1:]:
    try:
        with open(path, "rb") as stream:
            code = compile(stream.read(), "program.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError):
        continue
    with open(path + "c", "wb") as stream:
        stream.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
"""


def smaller(lines: list[str]) -> Iterable[list[str]]:
    """Programs a step smaller: without a statement, its body alone, an expression in brackets replaced."""

    def depth(line: str) -> int:
        return len(line) - len(line.lstrip())

    for i, line in enumerate(lines):
        end = i + 1
        while end < len(lines) and depth(lines[end]) > depth(line):
            end += 1
        yield lines[:i] + lines[end:]
        if end - i > 1:
            yield [*lines[:i], line, " " * depth(line) + "    pass", *lines[end:]]
            shift = depth(lines[i + 1]) - depth(line)
            yield lines[:i] + [inner[shift:] for inner in lines[i + 1 : end]] + lines[end:]
        elif line.strip() != "pass":
            yield [*lines[:i], " " * depth(line) + "pass", *lines[end:]]
    for i, line in enumerate(lines):
        opened = []
        for at, sign in enumerate(line):
            if sign in "([{":
                opened.append(at)
            elif sign in ")]}" and opened:
                start = opened.pop()
                for new in ("g0", "()", line[start + 1 : at]):
                    if len(new) < at + 1 - start:
                        yield [*lines[:i], line[:start] + new + line[at + 1 :], *lines[i + 1 :]]
        for part in re.finditer(
            r", [^,()\[\]{}:]*|\*[^,()]*, | as \w+| if [^()]*(?=[)\]}])| (or|and|=|[^\w\s]+) \w+", line
        ):
            yield [*lines[:i], line[: part.start()] + line[part.end() :], *lines[i + 1 :]]


def reduced(depyfc: str, python: list[str], source: str, outcome: Outcome) -> str:
    """The smallest program found that fails in the same way."""
    lines = source.rstrip("\n").split("\n")
    for _ in range(60):
        candidates = list(smaller(lines))
        candidates = sorted(candidates, key=lambda made: sum(map(len, made)))
        better = None
        for first in range(0, len(candidates), 40):
            better = first_failing(depyfc, python, candidates[first : first + 40], outcome)
            if better is not None:
                break
        if better is None:
            break
        lines = better
    return "\n".join(lines) + "\n"


def first_failing(depyfc: str, python: list[str], candidates: list[list[str]], outcome: Outcome) -> list[str] | None:
    """The first of some programs that fails like the given one."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = [folder / f"{number}.py" for number in range(len(candidates))]
        for path, made in zip(paths, candidates, strict=True):
            path.write_text("\n".join(made) + "\n")
        subprocess.run([*python, "-c", COMPILE, *map(str, paths)], check=True, capture_output=True)
        files = [path.with_suffix(".pyc") for path in paths if path.with_suffix(".pyc").exists()]
        try:
            outcomes = judged(depyfc, python, folder, files, [outcome.form]) if files else []
        except RuntimeError:
            return None
        found = [int(o.program) for o in outcomes if o.kind == outcome.kind]
        return candidates[min(found)] if found else None


# ---- the command
def summary(version: str, outcomes: list[Outcome]) -> str:
    """One line of the table."""
    kinds = Counter(o.said.split()[0] for o in outcomes)
    objects = [kind for o in outcomes if o.form == "normal" for kind, _ in o.verdicts]
    good = sum(kind in ("exact", "proved") for kind in objects)
    share = f"{good / len(objects):.2%} of {len(objects)} code objects exact or proved" if objects else "no verdicts"
    untrue = sum(o.kind.endswith("though proved") for o in outcomes)
    counts = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
    return f"{version}: {counts}; {untrue} differ though proved; {share}"


def main() -> int:
    """Runs the versions asked for."""
    sys.path.insert(0, str(HERE.parent.parent / "tools"))
    import interpreters

    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--version", action="append", choices=interpreters.VERSIONS)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--depyfc", default=str(Path(sys.executable).with_name("depyfc")))
    parser.add_argument("--keep", type=Path, help="keep programs and texts in this folder")
    parser.add_argument("--reduce", action="store_true", help="make each failing program small")
    options = parser.parse_args()
    bad = 0
    for version in options.version or interpreters.VERSIONS:
        python = interpreters.find(version)
        if python is None:
            print(f"{version}: no interpreter", flush=True)
            bad += 1
            continue
        with tempfile.TemporaryDirectory() as name:
            folder = (options.keep or Path(name)) / version
            outcomes = run(options.depyfc, python, folder, options.count, options.seed)
            print(summary(version, outcomes), flush=True)
            for outcome in outcomes:
                if outcome.said in GOOD:
                    continue
                bad += 1
                reasons = [rest for kind, rest in filter(_says_what_differs, outcome.verdicts)]
                why = next(iter(reasons), "all exact or proved")
                print(f"{version} {outcome.program} {outcome.form} {outcome.said} [{why}]", flush=True)
                if options.reduce:
                    source = (folder / "programs" / f"{outcome.program}.py").read_text()
                    print(reduced(options.depyfc, python, source, outcome), flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
