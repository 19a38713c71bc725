# SPDX-License-Identifier: MIT
"""Decompiles whole libraries, recompiles the texts with the same CPython, and compares: the scoreboard.

For each version, files of its standard library (``--group lib``) or of its tests (``--group test``) are compiled by
that interpreter, decompiled by ``depyfc --list``, recompiled, and judged twice: by the oracle (tests/oracle, which runs
in the interpreter) and by depyf's own verify() (in a native program). The two must agree on every code object.

Each version has one line: the number of files, of files with a text, of texts that compile, of perfect code objects
(oracle), of exact code objects (verify), of disagreements, of perfect files; the size (syntax-tree nodes of the text
relative to the source, over the perfect files); and the decompiler's time relative to CPython's compile() of the same
files. A second line has the number of code objects per 1,000 whose text contains something that the source does not (a
dispatch loop, a temporary variable, an endless loop, an empty arm).

``--unit code`` takes each code object alone and recompiles it in its context, as depyf.decompile() does; the lines then
count code objects by kind. ``--optimize`` and ``--strip-lines`` change the .pyc files.

With ``--sample`` without a number, the sample and the minimum shares come from tests/roundtrip_floors.json; the exit
status is 1 if a share is below its minimum. This is what ``./dev test`` runs.
"""

from __future__ import annotations

import argparse
import collections
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
ORACLE = ROOT / "tests" / "oracle"
FLOORS = ROOT / "tests" / "roundtrip_floors.json"
GROUPS = {"lib": "stdlib", "test": "test"}  # name here -> name in make_corpus.py
JUDGE = "depyf_verify_pairs"
PAIRS = ROOT / "tests" / "verify" / "pairs_core.py"
# The modules that recompile a single code object, in the order of their imports.
PACKAGE = [
    ROOT / "python" / "depyf" / "decompilation" / f"{name}.py"
    for name in ("errors", "context", "annotation_scopes", "unspellable_names", "recompile")
]


def load(path: Path, name: str) -> ModuleType:
    """Imports a file that belongs to no package."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


oracle: Any = load(ORACLE / "oracle.py", "depyf_oracle")
interpreters: Any = load(ROOT / "tools" / "interpreters.py", "depyf_interpreters")


# -- interpreters and files
def versions(wanted: str) -> list[str]:
    """Returns the requested versions that are installed, and reports those that are not."""
    names = list(interpreters.VERSIONS) if wanted == "all" else wanted.split(",")
    for name in names:
        if name not in interpreters.VERSIONS:
            sys.exit(f"roundtrip: no such version: {name}")
    missing = [name for name in names if interpreters.find(name) is None]
    if missing:
        print(f"roundtrip: no CPython {', '.join(missing)} here (./dev interpreters --install)", file=sys.stderr)
    return [name for name in names if name not in missing]


def interpreter(version: str) -> list[str]:
    """Returns the command of a version, or exits if it is not installed."""
    command = interpreters.find(version)
    if command is None:
        sys.exit(f"roundtrip: no CPython {version} here")
    return list(command)


def corpus(version: str, group: str, sample: int, seed: int, folder: Path) -> list[Path]:
    """Returns files that the version can compile, sorted: `sample` of them drawn at random, or all if it is 0."""
    command = interpreter(version)
    code = "import sysconfig; print(sysconfig.get_paths()['stdlib'])"
    library = subprocess.run([*command, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    chosen = [str(folder), version, GROUPS[group], library, str(sample or 10**9), "--python", *command]
    environment = dict(os.environ, SEED=str(seed), PYTHONDONTWRITEBYTECODE="1")
    maker = [sys.executable, str(ORACLE / "make_corpus.py"), *chosen]
    done = subprocess.run(maker, capture_output=True, text=True, env=environment, check=False)
    if done.returncode != 0:
        sys.exit(f"roundtrip: no corpus for {version}: {done.stderr[-500:]}")
    return [Path(line) for line in (folder / f"{GROUPS[group]}-{version}.txt").read_text().splitlines()]


# -- the two judges
def worker(command: list[str]) -> Any:
    """Returns the oracle in an interpreter, extended by the requests in tests/verify/pairs_core.py."""
    return oracle.Worker(command, extra=["mutate_core.py", str(PAIRS)])


def find_judge(path: str | None = None) -> str:
    """Returns the path of the native judge of pairs of .pyc files; builds it if necessary."""
    if path:
        return path
    places = [Path(sys.executable).with_name(JUDGE), *sorted((ROOT / "build").glob(f"*/tests/verify/{JUDGE}"))]
    built = [place for place in places if place.exists()]
    if built:
        return str(max(built, key=lambda place: place.stat().st_mtime))
    cmake = shutil.which("cmake", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    if cmake is None:
        sys.exit(f"roundtrip: no {JUDGE} and no cmake to build it; give --judge")
    for command in ([cmake, "--preset", "dev"], [cmake, "--build", "--preset", "dev", "--target", JUDGE]):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"roundtrip: could not build {JUDGE}:\n{(done.stdout + done.stderr)[-2000:]}")
    return str(ROOT / "build" / "dev" / "tests" / "verify" / JUDGE)


class Judge:
    """verify() in a process: takes two .pyc files, returns verdicts in the oracle's order."""

    def __init__(self, command: list[str]) -> None:
        self.command = command
        self.process: subprocess.Popen[bytes] | None = None

    def ask(self, first: Path | str, second: Path | str) -> dict[str, Any]:
        """Returns ``{"items": [[equal, offset, name, reason], ...]}`` or ``{"error": message}``."""
        if self.process is None:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            self.process.stdin.write(f"{first}\t{second}\n".encode())
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = b""
        if not line:
            status = self.process.wait()
            self.process = None
            return {"error": f"the judge ended with {status}"}
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """Ends the process."""
        if self.process is not None and self.process.stdin is not None:
            self.process.stdin.close()
            self.process.wait()
            self.process = None


# -- one version
@dataclass
class Score:
    """The figures of one version."""

    version: str
    files: int = 0
    decompiled: int = 0
    compiles: int = 0
    codes: int = 0
    perfect: int = 0
    exact: int = 0
    disagreements: int = 0
    perfect_files: int = 0
    size: float = 0.0
    size_max: float = 0.0
    tool_seconds: float = 0.0
    compile_seconds: float = 0.0
    less_plain: dict[str, int] = field(default_factory=dict)  # number of code objects, by what only their text contains
    failures: list[str] = field(default_factory=list)  # minimums that were not reached

    def share(self, count: int, total: int) -> float:
        """Returns a percentage."""
        return 100.0 * count / total if total else 0.0

    def row(self) -> str:
        """Returns the version's line of the table."""
        ratio = (
            f"{self.tool_seconds / self.compile_seconds:6.2f}"
            if self.tool_seconds and self.compile_seconds
            else "     -"
        )
        return (
            f"{self.version:7} {self.files:6} {self.decompiled:6} {self.share(self.compiles, self.files):8.2f}% "
            f"{self.codes:7} {self.share(self.perfect, self.codes):8.2f}% {self.share(self.exact, self.codes):8.2f}% "
            f"{self.disagreements:8} {self.share(self.perfect_files, self.files):8.2f}% "
            f"{self.size:6.3f} {self.size_max:6.2f} {ratio}"
        )

    def plainness(self) -> str:
        """Returns the second line, on what only the texts contain."""
        shares = ", ".join(f"{what} {1000 * self.less_plain.get(what, 0) / max(1, self.codes):.2f}" for what in UNPLAIN)
        return f"{'':7} of 1,000 code objects: {shares}"


UNPLAIN = ("dispatch loop", "temporary", "endless loop", "empty arm")
HEADER = (
    f"{'version':7} {'files':>6} {'texts':>6} {'compiles':>9} {'codes':>7} {'perfect':>9} {'exact':>9} {'disagree':>8} "
    f"{'files p.':>9} {'size':>6} {'max':>6} {'time x':>6}"
)


def unit_file(f: dict[str, Any], index: int, suffix: str) -> Path:
    """Returns the path of one code object of a file, or of its text."""
    return Path(f"{f['pyc']}.{index}.{suffix}")


KINDS = ("function", "comprehension", "class", "module")
UNIT_HEADER = f"{'version':7} {'files':>6} {'kind':13} {'codes':>7} {'texts':>9} {'compiles':>9} {'own':>9} {'tree':>9}"


class Scoreboard(oracle.Run):  # type: ignore[misc]  # the oracle is loaded by path
    """The oracle's run over one corpus, with verify() in addition."""

    def __init__(self, options: argparse.Namespace, judge: str) -> None:
        self.judge_command = [judge]
        self.local = threading.local()
        self.judges: list[Judge] = []
        self.total: dict[str, Any] | None = None
        super().__init__(options)

    def each(self, job: Any, workers: bool = True) -> None:
        """Runs the oracle's `each` with workers that also know the requests of tests/verify/pairs_core.py."""
        plain = oracle.Worker
        oracle.Worker = lambda command: plain(command, ["mutate_core.py", str(PAIRS)])
        try:
            super().each(job, workers)
        finally:
            oracle.Worker = plain

    def judge(self) -> Judge:
        """Returns the judge of this thread."""
        if not hasattr(self.local, "judge"):
            self.local.judge = Judge(self.judge_command)
            with self.lock:
                self.judges.append(self.local.judge)
        found: Judge = self.local.judge
        return found

    def compile(self, w: Any, f: dict[str, Any]) -> None:
        """Compiles with the oracle and measures CPython's time; strips lines or splits into code objects on request."""
        super().compile(w, f)
        if f.get("compiled"):
            answer, _ = w.ask("seconds", Path(f["source"]).read_bytes())
            f["compile_seconds"] = answer.get("seconds", 0.0)
        pyc = Path(f["pyc"])
        if f.get("compiled") and self.o.strip_lines:
            pyc.write_bytes(w.ask("stripped", pyc.read_bytes())[1])
        if f.get("compiled") and self.o.unit == "code":
            answer, parts = w.ask("units", pyc.read_bytes())
            for i, size in enumerate(answer["sizes"]):
                unit_file(f, i, "pyc").write_bytes(parts[:size])
                parts = parts[size:]
            f["units"] = len(answer["sizes"])

    def batch(self) -> None:
        """Decompiles in the oracle's batch mode; with `--unit code`, each code object from a file of its own."""
        if self.o.unit == "file":
            super().batch()
            return
        files, live = self.files, [f for f in self.files if f.get("units")]
        self.files: list[dict[str, Any]] = [
            {"compiled": True, "pyc": str(unit_file(f, i, "pyc")), "text": str(unit_file(f, i, "py"))}
            for f in live
            for i in range(f["units"])
        ]
        super().batch()
        parts, self.files = iter(self.files), files
        for f in live:
            found = []
            for i in range(f["units"]):
                part = next(parts)
                text = Path(part["text"])
                said = text.read_bytes().decode("utf-8", "surrogatepass") if text.exists() else None
                found.append({"i": i, "text": said, "error": part.get("stderr", "")})
            f["status"] = 0
            Path(f["text"]).write_text(json.dumps(found))

    def check(self, w: Any, f: dict[str, Any]) -> None:
        """Gets the oracle's verdicts, then those of verify() on the same text."""
        if self.o.unit == "code" and getattr(w, "packaged", None) is not (w.proc or w):
            loaded, *_ = w.ask(
                "package", *(path.read_bytes() for path in PACKAGE), names=[path.stem for path in PACKAGE]
            )
            if not loaded.get("ok"):  # otherwise each text would be compiled without its context
                raise RuntimeError(f"Python {self.o.python} cannot load {', '.join(map(str, PACKAGE))}: {loaded}")
            w.packaged = w.proc
        super().check(w, f)
        if self.o.unit == "code":
            return
        text_path = Path(f["text"])
        if not text_path.exists():  # the oracle treats a missing text as an empty one, which compiles
            f.update(syntax=False, perfect=False, good=0)
        if not f.get("syntax"):
            return
        text = text_path.read_bytes()
        if not self.o.optimize:  # otherwise the source has more than the text can have
            f["less_plain"] = w.ask("plainness", Path(f["source"]).read_bytes(), text)[0].get("found", [])
        answer, recompiled = w.ask("compile", text)
        if not answer["ok"]:  # the oracle has just compiled it
            f["disagreements"] = [f"recompiling: {answer['error']}"]
            return
        second = Path(f["pyc"] + ".again")
        second.write_bytes(recompiled)
        ours = self.judge().ask(f["pyc"], second)
        second.unlink()
        self.compare_verdicts(f, ours)

    def compare_verdicts(self, f: dict[str, Any], ours: dict[str, Any]) -> None:
        """Counts the exact code objects, and records where the two judges differ."""
        theirs = f["items"]
        if "error" in ours or len(ours["items"]) != len(theirs):
            f["disagreements"] = [ours.get("error") or f"{len(theirs)} code objects, verify {len(ours['items'])}"]
            return
        f["exact"] = sum(equal for equal, *_ in ours["items"])
        f["disagreements"] = [
            f"{x['path']}: oracle {x['kind'] or 'ok'} {x['detail']} at {x['offset']}; verify {reason or 'exact'}"
            for x, (equal, _, _, reason) in zip(theirs, ours["items"], strict=True)
            if equal != x["ok"]
        ]

    def run_all(self) -> None:
        """Does everything except the printing."""
        self.each(self.compile)
        if self.o.batch:
            self.batch()
        else:
            self.each(self.decompile, workers=self.o.decompiler.startswith("@"))
        self.each(self.check)
        for judge in self.judges:
            judge.close()

    def score(self) -> Score:
        """Returns the figures."""
        live = [f for f in self.files if f.get("compiled")]
        report = self.report()
        figures = list(report.values())[-1]
        score = Score(self.o.python, files=len(live))
        score.decompiled = sum(f.get("status") == 0 and f.get("text_bytes", 0) > 0 for f in live)
        score.compiles = sum(f.get("syntax", False) for f in live)
        score.codes = sum(f["codes"] for f in live)
        score.perfect = sum(f.get("good", 0) for f in live)
        score.exact = sum(f.get("exact", 0) for f in live)
        score.disagreements = sum(len(f.get("disagreements", ())) for f in live)
        score.perfect_files = sum(f.get("perfect", False) for f in live)
        score.size, score.size_max = figures["size"], figures["size_max"]
        score.tool_seconds = (self.total or {}).get("cpu", 0.0)
        score.compile_seconds = sum(f.get("compile_seconds", 0.0) for f in live)
        score.less_plain = dict(collections.Counter(kind for f in live for kind, _ in f.get("less_plain", ())))
        return score

    def unit_rows(self) -> list[str]:
        """Returns the table of single code objects: those that match, and those that match with all nested ones."""
        live = [f for f in self.files if f.get("compiled")]
        out = []
        for kind in (*KINDS, "all"):
            items = [x for f in live for x in f.get("items", ()) if kind in (x["type"], "all")]
            shares = [
                f"{100.0 * sum(x[what] for x in items) / max(1, len(items)):8.2f}%"
                for what in ("returned", "syntax", "own", "tree")
            ]
            out.append(f"{self.o.python:7} {len(live):6} {kind:13} {len(items):7} {' '.join(shares)}")
        return out

    def write(self, path: Path) -> None:
        """Writes the result in the form that tests/oracle/causes.py reads."""
        slim = [dict(f, items=[x for x in f.get("items", ()) if not x.get("ok", x.get("own"))]) for f in self.files]
        content = {"python": self.o.python, "tool": self.o.tool, "total": self.total, "files": slim}
        path.write_text(json.dumps(content, indent=1))


def unit_causes(board: Scoreboard, count: int) -> None:
    """Prints the most common causes among single code objects, with an example of each."""
    kinds: collections.Counter[str] = collections.Counter()
    places: dict[str, str] = {}
    for f in board.files:
        for i, x in enumerate(f.get("items", ())):
            if x["own"]:
                continue
            why = f"{x['type']}: {x['kind'] or oracle.normal(x['error'])}"
            kinds[why] += 1
            name = "/".join(Path(f["source"]).parts[-2:])
            places.setdefault(why, f"{name} {x['path']} ({i}): {x['detail'][:100]}{x['error'][:100]}")
    for why, number in kinds.most_common(count):
        print(f"  {number:6}  {why}   e.g. {places[why]}")


def causes(board: Scoreboard, result: Path, count: int) -> None:
    """Prints the most common causes of imperfect files (by the oracle) and code objects, with an example of each."""
    if board.o.unit == "code":
        unit_causes(board, count)
        return
    command = [sys.executable, str(ORACLE / "causes.py"), str(result), str(count)]
    print(subprocess.run(command, capture_output=True, text=True, check=False).stdout.rstrip())
    kinds: collections.Counter[str] = collections.Counter()
    places: dict[str, str] = {}
    for f in board.files:
        for item in f.get("items", ()):
            if item["ok"]:
                continue
            kind = item["kind"]
            kinds[kind] += 1
            name = "/".join(Path(f["source"]).parts[-2:])
            places.setdefault(kind, f"{name} {item['path']} offset {item['offset']}: {item['detail'][:100]}")
    print("  code objects that differ:")
    for kind, number in kinds.most_common(count):
        print(f"  {number:6}  {kind}   e.g. {places[kind]}")
    for what in UNPLAIN:
        held = [(f, path) for f in board.files for kind, path in f.get("less_plain", ()) if kind == what]
        for f, path in held[:count]:
            print(f"  {what}: {'/'.join(Path(f['source']).parts[-2:])} {path}")
    without = [f for f in board.files if f.get("compiled") and not f.get("syntax")]
    for f in without[:count]:
        said = (f.get("error") or f.get("stderr") or "").strip().splitlines()
        why = said[-1][:160] if said else "no text"
        print(f"  no valid text: {'/'.join(Path(f['source']).parts[-2:])}: status {f.get('status')}, {why}")
    if len(without) > count:
        print(f"  no valid text: {len(without) - count} more")


# -- floors
def missed_floors(score: Score, floors: dict[str, Any]) -> list[str]:
    """Returns the minimums of a version that are not reached."""
    wanted = floors.get(score.version)
    if wanted is None:
        return []
    reached = {
        "compiles": score.share(score.compiles, score.files),
        "perfect": score.share(score.perfect, score.codes),
        "files_perfect": score.share(score.perfect_files, score.files),
    }
    out = [
        f"{score.version}: {name} {reached[name]:.2f} %, must be {least} %"
        for name, least in wanted.items()
        if name in reached and reached[name] < least
    ]
    if "size" in wanted and score.size > wanted["size"]:
        out.append(f"{score.version}: size {score.size:.3f}, must be at most {wanted['size']}")
    if score.disagreements:
        out.append(f"{score.version}: verify() and the oracle disagree on {score.disagreements} code objects")
    if not score.files:
        out.append(f"{score.version}: no files")
    return out


# -- command line
def find_tool(path: str | None, skip: str = "") -> str:
    """Returns the decompiler's command for the oracle's batch mode, or a built-in one (@identity, @unparse).

    `skip` names passes that depyfc leaves out, in the form of its option of that name.
    """
    if path and path.startswith("@"):
        return path
    tool = path or str(Path(sys.executable).with_name("depyfc"))
    if shutil.which(tool) is None:
        tool = str(ROOT / ".venv" / "bin" / "depyfc") if path is None else tool
    if shutil.which(tool) is None:
        sys.exit(f"roundtrip: no such tool: {tool} (./dev build)")
    return f"{tool} {f'--skip={skip} ' if skip else ''}--list {{list}}"


def arguments() -> argparse.Namespace:
    """Parses the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default="all", metavar="X.Y", help="versions, separated by commas, or all")
    parser.add_argument("--whole", action="store_true", help="every file, not a sample")
    parser.add_argument(
        "--sample",
        type=int,
        nargs="?",
        const=0,
        default=None,
        metavar="N",
        help="number of files per version (without N: that of the floors)",
    )
    parser.add_argument("--seed", type=int, help="seed of the sample (default: that of the floors)")
    parser.add_argument("--group", choices=tuple(GROUPS), default="lib", help="the library, or its tests (lib)")
    parser.add_argument("--files", metavar="LIST", help="a text file with source paths, instead of a group")
    parser.add_argument("--unit", choices=("file", "code"), default="file", help="code: each code object alone")
    parser.add_argument("--optimize", type=int, choices=(0, 1, 2), default=0, help="level of the .pyc files (-O, -OO)")
    parser.add_argument("--strip-lines", action="store_true", help="remove the line tables from the .pyc files")
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("DEPYF_JOBS", "2")))
    parser.add_argument("--tool", metavar="PATH", help="path of another depyfc, or @identity, @unparse")
    parser.add_argument("--skip", default="", metavar="PASS[,PASS...]", help="passes that depyfc leaves out")
    parser.add_argument("--judge", metavar="PATH", help=f"path of another {JUDGE}")
    parser.add_argument("--timeout", type=float, default=20, metavar="S", help="seconds for one file (20)")
    parser.add_argument("--causes", type=int, default=0, metavar="N", help="print the N most common causes")
    parser.add_argument("--json", metavar="FILE", help="write all figures to this file")
    parser.add_argument("--work", metavar="DIR", help="keep .pyc files, texts and results in this folder")
    parser.add_argument("--quick", action="store_true", help="a third of the sample; only check that texts compile")
    return parser.parse_args()


def run_version(
    options: argparse.Namespace, version: str, folder: Path, sample: int, seed: int, judge: str
) -> Scoreboard:
    """Runs one version."""
    folder.mkdir(parents=True, exist_ok=True)
    if options.files:
        listed = Path(options.files)
    else:
        corpus(version, options.group, 0 if options.whole else sample, seed, folder)
        listed = folder / f"{GROUPS[options.group]}-{version}.txt"
    tool = find_tool(options.tool, getattr(options, "skip", ""))
    run = argparse.Namespace(
        python=version, interp=None, corpus=[str(listed)], limit=0, work=str(folder), texts=None, recheck=False,
        tool="depyf", unit=options.unit, jobs=options.jobs, optimize=options.optimize, decompiler=tool,
        batch=not tool.startswith("@"), timeout=options.timeout, memory=4096, strip_lines=options.strip_lines,
    )  # fmt: skip
    board = Scoreboard(run, judge)
    board.command = interpreter(version)
    board.run_all()
    return board


def main() -> int:
    """Runs the versions one after the other, prints the table and returns the exit status."""
    options = arguments()
    settings = json.loads(FLOORS.read_text())
    plain = options.unit == "file" and not options.optimize and not options.strip_lines
    guarded = options.sample == 0 and not options.whole and not options.files and plain
    sample = options.sample or settings["sample"]
    seed = settings["seed"] if options.seed is None else options.seed
    floors: dict[str, Any] = settings["versions"] if guarded else {}
    if options.quick:
        sample = max(1, sample // 3)
        floors = {version: {"compiles": wanted["compiles"]} for version, wanted in floors.items()}
    judge = find_judge(options.judge)
    scores: list[Score] = []
    print(HEADER if options.unit == "file" else UNIT_HEADER, flush=True)
    with tempfile.TemporaryDirectory() as temporary:
        for version in versions(options.python):
            folder = Path(options.work or temporary) / version
            board = run_version(options, version, folder, sample, seed, judge)
            if options.unit == "code":
                print("\n".join(board.unit_rows()), flush=True)
            else:
                score = board.score()
                score.failures = missed_floors(score, floors)
                scores.append(score)
                print(score.row(), flush=True)
                print(score.plainness(), flush=True)
            board.write(folder / "result.json")
            for f in board.files:
                for line in f.get("disagreements", ())[:3]:
                    print(f"  disagreement in {f['source']}: {line}")
            if options.causes:
                causes(board, folder / "result.json", options.causes)
    if options.json:
        Path(options.json).write_text(json.dumps([vars(score) for score in scores], indent=1))
    failures = [line for score in scores for line in score.failures]
    for line in failures:
        print("below the floor:", line)
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
