# SPDX-License-Identifier: MIT
"""Compares random programs with their decompiled text: the same effects on every schedule, in every form.

    .venv/bin/python tests/programs/programs.py --count 2500 --seed 1 [--version 3.12 ...] [--keep FOLDER] [--reduce]

The version's own interpreter writes and runs each program (generate.py, play.py). It is decompiled normally and with
the fallback only, and both texts are run like the original. Prints a table and each failure; with --reduce, also the
smallest program that fails in the same way. Programs that do not finish do not count.
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
SECONDS = 5  # CPU time for each program, after which a signal ends depyfc
GOOD = ("same", "stuck")
VERDICT = re.compile(r"^(?P<file>.*)\.pyc: (?P<kind>exact|proved|unproved|unchecked) (?P<rest>.*)$", re.MULTILINE)


def _has_caveat(verdict: tuple[str, str]) -> bool:
    kind, rest = verdict
    return kind not in ("exact", "proved") or ": " in rest


@dataclass
class Outcome:
    """The outcome of one program in one form."""

    program: str
    form: str
    result: str
    verdicts: list[tuple[str, str]] = field(default_factory=list)

    @property
    def is_sure(self) -> bool:
        """Returns whether every code object is exact or proved, without a caveat."""
        return bool(self.verdicts) and not any(map(_has_caveat, self.verdicts))

    @property
    def kind(self) -> str:
        """Returns a short description of the failure, which a reduced program must share."""
        word = self.result.split()[0]
        return word + (f" {self.result.split(': ', 1)[-1][:30]}" if word == "refused" else "") + (
            " though proved" if word in ("differs", "died") and self.is_sure else ""
        )  # fmt: skip


def decompile_files(depyfc: str, python: list[str], files: list[Path], out: Path, form: str) -> dict[str, Outcome]:
    """Decompiles files together; after a crash, decompiles those without a text one by one."""
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
                outcomes[f.stem].result = f"crash by signal {-alone.returncode}"
            elif not (out / (f.stem + ".py")).exists():
                outcomes[f.stem].result = "no text: " + alone.stderr.strip()[-300:]
    return outcomes


def run_texts(python: list[str], folder: Path, jobs: list[list[object]]) -> dict[str, dict]:
    """Runs texts and their originals; returns the outcomes by program."""
    (folder / "jobs.json").write_text(json.dumps(jobs))
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    command = [*python, str(HERE / "play.py"), str(folder / "jobs.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return {answer["name"]: answer for answer in map(json.loads, done.stdout.splitlines())}


def judge_files(depyfc: str, python: list[str], folder: Path, files: list[Path], forms: Iterable[str]) -> list[Outcome]:
    """Judges each program in each form."""
    found = [decompile_files(depyfc, python, files, folder / form, form) for form in forms]
    jobs: list[list[object]] = []
    for f in files:
        texts = [folder / form / (f.stem + ".py") for form in forms]
        jobs.append([f.stem, str(f.with_suffix(".py")), [str(t) if t.exists() else None for t in texts]])
    answers = run_texts(python, folder, jobs)
    if set(answers) != {f.stem for f in files} or not any(a["entries"] for a in answers.values()):
        raise RuntimeError("programs were not run, or did nothing")
    outcomes = []
    for number, by_name in enumerate(found):
        for name, outcome in by_name.items():
            outcome.result = outcome.result or answers[name]["outcomes"][number]
            outcomes.append(outcome)
    return outcomes


def generate_programs(python: list[str], folder: Path, count: int, seed: int) -> list[Path]:
    """Writes programs; returns their compiled files."""
    command = [*python, str(HERE / "generate.py"), str(folder), str(count), str(seed)]
    subprocess.run(command, check=True, capture_output=True)
    return sorted(folder.glob("*.pyc"), key=lambda path: int(path.stem))


def run(depyfc: str, python: list[str], folder: Path, count: int, seed: int) -> list[Outcome]:
    """Writes, decompiles and runs programs."""
    return judge_files(depyfc, python, folder, generate_programs(python, folder / "programs", count, seed), FORMS)


# ---- reducing failing programs
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
    """Yields slightly smaller programs: without a statement, with its body only, with an expression replaced."""

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


def reduce_program(depyfc: str, python: list[str], source: str, outcome: Outcome) -> str:
    """Returns the smallest program found that fails in the same way."""
    lines = source.rstrip("\n").split("\n")
    for _ in range(60):
        candidates = list(smaller(lines))
        candidates = sorted(candidates, key=lambda lines: sum(map(len, lines)))
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
    """Returns the first of some programs that fails in the same way, or None."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = [folder / f"{number}.py" for number in range(len(candidates))]
        for path, lines in zip(paths, candidates, strict=True):
            path.write_text("\n".join(lines) + "\n")
        subprocess.run([*python, "-c", COMPILE, *map(str, paths)], check=True, capture_output=True)
        files = [path.with_suffix(".pyc") for path in paths if path.with_suffix(".pyc").exists()]
        try:
            outcomes = judge_files(depyfc, python, folder, files, [outcome.form]) if files else []
        except RuntimeError:
            return None
        found = [int(o.program) for o in outcomes if o.kind == outcome.kind]
        return candidates[min(found)] if found else None


# ---- the command
def summary(version: str, outcomes: list[Outcome]) -> str:
    """Returns a line of the table."""
    kinds = Counter(o.result.split()[0] for o in outcomes)
    objects = [kind for o in outcomes if o.form == "normal" for kind, _ in o.verdicts]
    good = sum(kind in ("exact", "proved") for kind in objects)
    share = f"{good / len(objects):.2%} of {len(objects)} code objects exact or proved" if objects else "no verdicts"
    wrong_proofs = sum(o.kind.endswith("though proved") for o in outcomes)
    counts = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
    return f"{version}: {counts}; {wrong_proofs} differ though proved; {share}"


def main() -> int:
    """Runs the selected versions."""
    sys.path.insert(0, str(HERE.parent.parent / "tools"))
    import interpreters

    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--version", action="append", choices=interpreters.VERSIONS)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--depyfc", default=str(Path(sys.executable).with_name("depyfc")))
    parser.add_argument("--keep", type=Path, help="keep programs and texts in this folder")
    parser.add_argument("--reduce", action="store_true", help="reduce each failing program")
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
                if outcome.result in GOOD:
                    continue
                bad += 1
                reasons = [rest for kind, rest in filter(_has_caveat, outcome.verdicts)]
                why = next(iter(reasons), "all exact or proved")
                print(f"{version} {outcome.program} {outcome.form} {outcome.result} [{why}]", flush=True)
                if options.reduce:
                    source = (folder / "programs" / f"{outcome.program}.py").read_text()
                    print(reduce_program(options.depyfc, python, source, outcome), flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
