# SPDX-License-Identifier: MIT
"""`./dev demo`: PyTorch's toy example under depyf: the dump as a tree, the decompiled code, how to step through it.

Exits with 1, and says why, when something of the dump is missing, when a result differs from the uncompiled function's,
or when what the dump says of entries is not what torch's own caches hold: it doubles as a check. Of what lies in the
dump's folder it replaces its last run's files alone, as every dump does.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
OWN = {
    "index.md": "start here",
    "index.json": "the same as data",
    "payloads.json": "the texts that the files were made from: `depyf rewrite` makes them again",
    "report.html": "the same as one page, for a browser",
    ".depyf.lock": "whose folder it is, while a process has it",
}
GRAPHS = ("Captured_Graph", "Joint_graph", "Forward_graph", "Backward_graph", "AFTER_POST_GRAD", "kernel")


def load_toy() -> Any:
    """The module examples/toy.py."""
    spec = importlib.util.spec_from_file_location("toy", ROOT / "examples" / "toy.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(ROOT / "examples" / "toy.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["toy"] = module
    spec.loader.exec_module(module)
    return module


def tree(folder: Path, lines: dict[str, str]) -> Iterator[str]:
    """The dump's files, each with what it is."""
    own = sorted(p.name for p in folder.iterdir() if p.name in OWN)
    names = list(dict.fromkeys(["index.md", *lines, *own]))
    width = max(len(n) for n in names)
    yield f"{folder}/"
    for name in names:
        what = lines.get(name) or OWN.get(name)
        branch = "└──" if name == names[-1] else "├──"
        yield f"{branch} {name:{width}}  {what or ''}".rstrip()


def show(path: Path) -> None:
    """A file with line numbers, as a debugger counts them."""
    print(f"\n{path.name}:")
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        print(f"{number:4}  {line}")


def problems_of(folder: Path, index: dict[str, Any]) -> list[str]:
    """What a complete dump of the toy example would have besides."""
    found = [f"{p['what']}: {p['error']}" for p in index["problems"]]
    kinds = {g["kind"] for g in index["graphs"]}
    found += [f"no {kind}" for kind in GRAPHS if kind not in kinds]
    if len(index["entries"]) < 3:
        found.append("fewer than three transformed frames")
    for file in (folder / name for name in index["files"] if name.endswith(".py")):
        try:
            compile(file.read_text("utf-8"), str(file), "exec")
        except SyntaxError as error:
            found.append(f"{file.name} does not compile: {error}")
    return found


def torchs_entries(toy: Any) -> dict[str, int]:
    """How many entries torch's caches hold of the toy and its resume functions, by name: both arms' have the same."""
    import torch
    from torch._dynamo.eval_frame import _debug_get_cache_entry_list

    held: dict[str, int] = {}
    waiting = [toy.toy_example.__code__]
    for code in waiting:  # grows while it is walked
        entries = _debug_get_cache_entry_list(code)
        held[code.co_name] = held.get(code.co_name, 0) + len(entries)
        for name in (n for entry in entries for n in entry.code.co_names if n.startswith("__resume_at_")):
            function = torch._dynamo.eval_frame.innermost_fn(vars(toy)[name])
            waiting += [c for c in (function.__code__,) if not any(c is known for known in waiting)]
    return held


def untruths(toy: Any, folder: Path, index: dict[str, Any]) -> list[str]:
    """What the dump says of entries that torch's caches do not."""
    held = torchs_entries(toy)
    told: dict[str, int] = {}
    for entry in index["entries"]:
        told[entry["name"]] = told.get(entry["name"], 0) + 1
    found = [] if told == held else [f"the index tells of entries {told}, torch holds {held}"]
    for entry in index["entries"]:
        name = entry["full_code"]
        if name is None:
            continue
        guards = sum(line.startswith("def guards_") for line in (folder / name).read_text("utf-8").splitlines())
        if guards != sum(held.values()):
            found.append(f"{name} has guards of {guards} entries, torch holds {sum(held.values())}")
    eager = [frame["name"] for frame in index["frames"] if frame["status"] != "compiled"]
    return found + [f"the index says that {name} is not compiled" for name in eager]


def main() -> int:
    """Runs the demo."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--backend", default="inductor", help="eager, aot_eager or inductor")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "demo", help="folder for the dump")
    options = parser.parse_args()

    import depyf
    import torch

    toy = load_toy()
    print(f"torch {torch.__version__}, backend {options.backend}: compiling examples/toy.py, forward and backward …")
    with torch.compiler.set_stance("force_eager"):
        expected = toy.run(options.backend, train=True)
    torch.compiler.reset()
    with depyf.prepare_debug(options.out) as session:
        results = toy.run(options.backend, train=True)
    if session.folder is None:  # depyf has said why
        return 1
    out = session.folder.path  # below the one that was wanted, where another process has that
    index = json.loads((out / "index.json").read_text("utf-8"))

    print("\nWhat index.md begins with:\n")
    print("\n".join(f"- {line}" for line in index["summary"]))
    print()
    print("\n".join(tree(out, index["files"])))
    for entry in index["entries"]:
        show(out / entry["transformed_code"])
    first = out / index["entries"][0]["transformed_code"]
    call = next((i for i, t in enumerate(first.read_text("utf-8").splitlines(), 1) if "(a, b)" in t and t[0] == " "), 1)
    print(
        "\nWhat executes is Dynamo's own bytecode; its line numbers are those of these files, so a debugger steps\n"
        "through them. To step through a run with backend eager, where the captured graph is Python too:\n"
        f"    {sys.executable} examples/toy.py --backend eager --dump {out}-step --debug\n"
        f"    (Pdb) b {out}-step/{first.name}:{call}      the call of the captured graph\n"
        "    (Pdb) c\n"
        "    (Pdb) s                     into the captured graph; n, s, u, p as ever; torch's wrappers are skipped"
    )
    problems = problems_of(out, index) if options.backend == "inductor" else []
    problems += untruths(toy, out, index)
    if not all(torch.allclose(a, b) for a, b in zip(expected, results, strict=True)):
        problems.append("results differ from those of the function that is not compiled")
    for problem in problems:
        print(f"demo: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
