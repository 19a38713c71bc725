# SPDX-License-Identifier: MIT
"""Measures whether the translation validator refuses wrong translations and proves right ones, on library functions.

``validation.py mutants --count 20000`` makes wrong translations (mutants_core.py) of the functions' own bytecode and of
their dispatch-loop form; if one is accepted, the exit status is 1. ``identity`` proves files against themselves,
``dispatch`` against their dispatch-loop form. ``scrambled`` proves functions against their scrambled form
(scrambler_core.py), and some of the latter against their decompiled text. Mutants and scrambled functions are those of
``--python X.Y``. ``--keep FOLDER`` keeps the files of a run; ``again --keep FOLDER`` judges the mutants in such a
folder again, with another build.
"""

from __future__ import annotations

import argparse
import collections
import json
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import interpreters  # noqa: E402
import roundtrip  # noqa: E402

VERSION = "3.11"
COMPILE = """
import py_compile, sys
for line in sys.stdin:
    first, second = line.rstrip("\\n").split("\\t")
    try:
        py_compile.compile(first, second, doraise=True)
    except (py_compile.PyCompileError, RecursionError, ValueError):
        print(first)
"""


@dataclass
class Verdicts:
    """The validator's verdicts on many pairs."""

    accepted: list[Any] = field(default_factory=list)
    refused: list[tuple[Any, str]] = field(default_factory=list)
    codes: int = 0
    proved: int = 0

    def reasons(self) -> list[tuple[str, int]]:
        """Returns the reasons of refused pairs, most frequent first."""
        kinds = collections.Counter(re.sub(r"\(.*", "", reason)[:60] for _, reason in self.refused)
        return kinds.most_common(15)


def python(version: str) -> list[str]:
    """Returns the command of a version's interpreter, or exits if it is not installed."""
    command = interpreters.find(version)
    if command is None:
        sys.exit(f"no CPython {version}: ./dev interpreters --install")
    return command


def library(version: str, count: int, seed: int) -> list[Path]:
    """Returns random files of the version's standard library."""
    where = [*python(version), "-c", "import sysconfig; print(sysconfig.get_paths()['stdlib'])"]
    folder = Path(subprocess.run(where, capture_output=True, text=True, check=True).stdout.strip())
    files = sorted(folder.glob("*.py")) + sorted(folder.glob("[a-ko-s]*/*.py"))
    found = [
        path for path in files if path.is_file() and "site-packages" not in path.parts and "lib2to3" not in path.parts
    ]
    return random.Random(seed).sample(found, min(count, len(found)))


def compile_files(version: str, pairs: list[tuple[Path, Path]]) -> None:
    """Compiles the first file of each pair to the second; files that do not compile are skipped."""
    lines = "".join(f"{first}\t{second}\n" for first, second in pairs)
    subprocess.run([*python(version), "-c", COMPILE], input=lines, text=True, capture_output=True, check=True)


def judge_pairs(judge: str, mode: str, pairs: list[tuple[Any, Path, Path]]) -> Verdicts:
    """Returns the validator's verdicts: a pair is accepted if all of its code objects are."""
    lines = "".join(f"{first}\t{second}\n" for _, first, second in pairs)
    done = subprocess.run([judge, mode], input=lines, text=True, capture_output=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(pairs)
    out = Verdicts()
    for (what, _, _), answer in zip(pairs, answers, strict=True):
        items = answer.get("items", [])
        out.codes += len(items)
        out.proved += sum(item[0] for item in items)
        wrong = [item[3] for item in items if not item[0]]
        if items and not wrong:
            out.accepted.append(what)
        else:
            out.refused.append((what, answer.get("error") or wrong[0]))
    return out


def recompile_through_text(version: str, depyfc: str, options: list[str], sources: list[Path], folder: Path) -> None:
    """Decompiles each NAME.pyc with the options, and compiles the text to folder/NAME.pyc."""
    folder.mkdir(exist_ok=True)
    pairs = []
    for path in sources:
        done = subprocess.run([depyfc, *options, str(path)], capture_output=True, timeout=120, check=False)
        text = folder / path.with_suffix(".py").name
        text.write_bytes(done.stdout)
        if done.returncode == 0:
            pairs.append((text, folder / path.name))
    compile_files(version, pairs)


def core(version: str, name: str, *arguments: Any, limit: float) -> list[dict[str, Any]]:
    """Runs one of the cores under the interpreter; returns its lines of JSON, even after a timeout."""
    command = [*python(version), "-W", "ignore", str(HERE / name), *map(str, arguments)]
    with tempfile.TemporaryFile() as out:
        try:
            subprocess.run(command, stdout=out, timeout=limit, check=True)
        except subprocess.TimeoutExpired:
            pass
        out.seek(0)
        lines = out.read().decode().splitlines()
    return [json.loads(line) for line in lines if line.endswith("}")]


def mutants(
    depyfc: str, judge: str, folder: Path, count: int, seed: int, limit: float, version: str = VERSION
) -> Verdicts:
    """Judges wrong translations: two thirds of the functions' own bytecode, the others of their dispatch-loop form.

    A few more are of functions of kinds that are rare in libraries.
    """
    library_files = library(version, max(60, count // 10), seed)
    total = Verdicts()
    for name, share in (("own", count - count // 3), ("dispatch", count // 3), ("rare", count // 10)):
        out, base, files = folder / name, Path("-"), [HERE / "rare_functions.py"] if name == "rare" else library_files
        out.mkdir()
        if name == "dispatch":
            base, originals = folder / "base", folder / "originals"
            originals.mkdir()
            files = files[: max(12, len(files) // 4)]
            compile_files(version, [(path, originals / (path.stem + ".pyc")) for path in files])
            recompile_through_text(version, depyfc, ["--skip", "structure"], sorted(originals.glob("*.pyc")), base)
            files = [path for path in files if (base / (path.stem + ".pyc")).exists()]
        rows = core(version, "mutants_core.py", out, share, seed, base, *files, limit=limit)
        pairs = [(row, out / f"{row['number']}.a.pyc", out / f"{row['number']}.b.pyc") for row in rows]
        (folder / f"{name}.json").write_text(json.dumps(rows))
        part = judge_pairs(judge, "--prove", pairs)
        total.accepted += part.accepted
        total.refused += part.refused
    return total


def judge_again(judge: str, folder: Path) -> Verdicts:
    """Judges the mutants of an earlier run."""
    pairs = []
    for file_list in sorted(folder.glob("*.json")):
        out = folder / file_list.stem
        for row in json.loads(file_list.read_text()):
            pairs.append((row, out / f"{row['number']}.a.pyc", out / f"{row['number']}.b.pyc"))
    return judge_pairs(judge, "--prove", pairs)


def identity(judge: str, folder: Path, files: int, seed: int) -> Verdicts:
    """Proves files against themselves, with the validator only."""
    sources = library(VERSION, files, seed)
    pairs = [(path, folder / f"{k}.pyc") for k, path in enumerate(sources)]
    compile_files(VERSION, pairs)
    return judge_pairs(judge, "--prove-all", [(str(path), pyc, pyc) for path, pyc in pairs if pyc.exists()])


def through_dispatch(depyfc: str, judge: str, folder: Path, files: int, seed: int) -> Verdicts:
    """Proves files against their dispatch-loop form."""
    sources = folder / "sources"
    sources.mkdir()
    compile_files(VERSION, [(path, sources / f"{k}.pyc") for k, path in enumerate(library(VERSION, files, seed))])
    originals = sorted(sources.glob("*.pyc"))
    recompile_through_text(VERSION, depyfc, ["--skip", "structure"], originals, folder / "again")
    pairs = [(path.name, path, folder / "again" / path.name) for path in originals]
    return judge_pairs(judge, "--prove-all", [pair for pair in pairs if pair[2].exists()])


@dataclass
class Scrambled:
    """Results for scrambled functions: numbers of functions, of those that did the same, and the validator's verdicts.

    `covered` counts those that did the same in runs through at least 70 % of the original's blocks. `texts` counts the
    verdicts of decompiled texts; `run` counts the texts of covered functions that ran, `wrong` lists those that did not
    do the same as the original.
    """

    functions: int
    steady: int
    same: int
    different: list[str]
    covered: int
    pairs: Verdicts
    texts: collections.Counter[str] = field(default_factory=collections.Counter)
    run: int = 0
    wrong: list[str] = field(default_factory=list)
    unproved: list[str] = field(default_factory=list)


def scrambled(
    depyfc: str, judge: str, folder: Path, count: int, seed: int, texts: int, limit: float, version: str = VERSION
) -> Scrambled:
    """Proves functions against their scrambled form, and the first `texts` of these against their recompiled text."""
    files = library(version, max(40, count // 8), seed)
    rows = core(version, "scrambler_core.py", folder, count, seed, *files, limit=limit)
    pairs = [(row, folder / f"{row['number']}.a.pyc", folder / f"{row['number']}.b.pyc") for row in rows]
    steady = [row for row in rows if row["steady"]]
    same = [row for row in steady if row["same"]]
    covered = sum(row["covered"] >= 0.7 for row in same)
    names = {row["number"]: f"{row['number']} {row['file']} {row['function']}" for row in rows}
    different = [names[row["number"]] for row in steady if not row["same"]]
    out = Scrambled(len(rows), len(steady), len(same), different, covered, judge_pairs(judge, "--prove", pairs))
    with_text = rows[:texts]
    pairs_of_texts = "".join(
        f"{folder / str(row['number'])}.b.pyc\t{folder / str(row['number'])}.b.py\n" for row in with_text
    )
    command = [depyfc, "--verdict", "--python", shlex.join(python(version)), "--list", "-"]
    done = subprocess.run(command, input=pairs_of_texts, capture_output=True, text=True, check=False)
    kinds: dict[int, list[str]] = collections.defaultdict(list)
    for number, kind, rest in re.findall(r"/(\d+)\.b\.pyc: (exact|proved|unproved)\b(.*)", done.stderr):
        kinds[int(number)].append(kind)
        if kind == "unproved":
            out.unproved.append(f"{number}{rest}")
    written = {row["number"] for row in with_text if (folder / f"{row['number']}.b.py").exists()}
    out.unproved += [line for line in done.stderr.splitlines() if "error:" in line]
    for row in with_text:
        worst = max(kinds[row["number"]], key=("exact", "proved", "unproved").index, default="none")
        out.texts[worst if row["number"] in written else "none"] += 1
    runnable = [r for r in with_text if r["number"] in written and r["steady"] and r["same"] and r["covered"] >= 0.7]
    ran = core(version, "scrambler_core.py", "--texts", folder, *[row["number"] for row in runnable], limit=limit)
    out.run = len(ran)
    out.wrong = [names[answer["number"]] for answer in ran if not answer["same"]]
    return out


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("mutants", "again", "identity", "dispatch", "scrambled"))
    parser.add_argument("--count", type=int, default=1000, help="number of mutants, files or functions (1000)")
    parser.add_argument("--texts", type=int, default=100, help="number of scrambled functions with judged text (100)")
    parser.add_argument("--python", metavar="X.Y", default=VERSION, help="version for mutants and scrambled")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=3600, help="seconds for making them (3600)")
    parser.add_argument("--keep", metavar="FOLDER", type=Path, help="keep the files of this run in this folder")
    parser.add_argument("--tool", help="path of depyfc")
    parser.add_argument("--judge", help="path of the judge of pairs")
    options = parser.parse_args()
    judge = str(roundtrip.find_judge(options.judge))
    tool = options.tool or shutil.which("depyfc", path=str(Path(sys.executable).parent)) or "depyfc"
    with tempfile.TemporaryDirectory(prefix="depyf-validation-") as name:
        folder = options.keep or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        if options.what in ("mutants", "again"):
            if options.what == "again":
                found = judge_again(judge, folder)
            else:
                found = mutants(tool, judge, folder, options.count, options.seed, options.limit, options.python)
            kinds = collections.Counter(row["kind"] for row in found.accepted + [r for r, _ in found.refused])
            print(len(found.accepted) + len(found.refused), "wrong translations,", len(found.accepted), "accepted")
            print(dict(kinds.most_common()))
            for row in found.accepted:
                print("accepted:", row)
            return 1 if found.accepted else 0
        if options.what == "scrambled":
            result = scrambled(
                tool, judge, folder, options.count, options.seed, options.texts, options.limit, options.python
            )
            print(
                result.functions, "functions,", result.same, "of", result.steady, "did the same on recording objects,"
            )
            for line in result.different:
                print("scrambling changed", line)
            print(result.covered, "of them in runs through at least 70 % of the blocks")
            print(len(result.pairs.accepted), "proved against the original;", "texts:", dict(result.texts))
            print(result.run, "texts ran,", len(result.wrong), "of them did not do the same")
            for line in (*result.wrong, *result.unproved):
                print(line)
            for reason, number in result.pairs.reasons():
                print(number, reason)
            return 0 if result.same == result.steady and not result.wrong else 1
        if options.what == "identity":
            found = identity(judge, folder, options.count, options.seed)
        else:
            found = through_dispatch(tool, judge, folder, options.count, options.seed)
        print(f"{found.proved} of {found.codes} code objects proved ({100 * found.proved / found.codes:.2f} %)")
        for reason, number in found.reasons():
            print(number, reason)
    return 0


if __name__ == "__main__":
    sys.exit(main())
