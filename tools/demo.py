# SPDX-License-Identifier: MIT
"""`./dev demo`: dumps PyTorch's toy example; shows the dump as a tree, the decompiled code and how to step through it.

This is also a check: it exits with 1 and prints why if a part of the dump is missing, if a result differs from that of
the uncompiled function, or if the dump's entries differ from those in torch's own caches. Like every dump, it replaces
only the files of its previous run in the folder.
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
DESCRIPTIONS = {
    "index.md": "start here",
    "index.json": "the same as data",
    "payloads.json": "the texts that the files were made from, for `depyf rewrite`",
    "report.html": "the same as one page, for a browser",
    ".depyf.lock": "the process that writes to this folder",
}
GRAPHS = ("Captured_Graph", "Joint_graph", "Forward_graph", "Backward_graph", "AFTER_POST_GRAD", "kernel")


def load_toy() -> Any:
    """Imports examples/toy.py."""
    spec = importlib.util.spec_from_file_location("toy", ROOT / "examples" / "toy.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(ROOT / "examples" / "toy.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["toy"] = module
    spec.loader.exec_module(module)
    return module


def tree(folder: Path, lines: dict[str, str]) -> Iterator[str]:
    """Yields the lines of a tree of the dump's files, each with its description."""
    described = sorted(p.name for p in folder.iterdir() if p.name in DESCRIPTIONS)
    names = list(dict.fromkeys(["index.md", *lines, *described]))
    width = max(len(n) for n in names)
    yield f"{folder}/"
    for name in names:
        description = lines.get(name) or DESCRIPTIONS.get(name)
        branch = "└──" if name == names[-1] else "├──"
        yield f"{branch} {name:{width}}  {description or ''}".rstrip()


def show(path: Path) -> None:
    """Prints a file with line numbers, as a debugger counts them."""
    print(f"\n{path.name}:")
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        print(f"{number:4}  {line}")


def problems_of(folder: Path, index: dict[str, Any]) -> list[str]:
    """Returns the problems that the dump records, and what a complete dump of the toy example would have besides."""
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


def entries_in_torch(toy: Any) -> dict[str, int]:
    """Returns the number of entries in torch's caches by function name: the toy and its resume functions.

    The resume functions of both arms have the same name, and are counted together.
    """
    import torch
    from torch._dynamo.eval_frame import _debug_get_cache_entry_list

    held: dict[str, int] = {}
    waiting = [toy.toy_example.__code__]
    for code in waiting:  # grows during the iteration
        entries = _debug_get_cache_entry_list(code)
        held[code.co_name] = held.get(code.co_name, 0) + len(entries)
        for name in (n for entry in entries for n in entry.code.co_names if n.startswith("__resume_at_")):
            function = torch._dynamo.eval_frame.innermost_fn(vars(toy)[name])
            waiting += [c for c in (function.__code__,) if not any(c is known for known in waiting)]
    return held


def wrong_entries(toy: Any, folder: Path, index: dict[str, Any]) -> list[str]:
    """Returns the differences between the dump's entries and those in torch's caches."""
    held = entries_in_torch(toy)
    recorded: dict[str, int] = {}
    for entry in index["entries"]:
        recorded[entry["name"]] = recorded.get(entry["name"], 0) + 1
    found = [] if recorded == held else [f"the index lists entries {recorded}; torch holds {held}"]
    for entry in index["entries"]:
        name = entry["full_code"]
        if name is None:
            continue
        guards = sum(line.startswith("def guards_") for line in (folder / name).read_text("utf-8").splitlines())
        if guards != sum(held.values()):
            found.append(f"{name} has guards of {guards} entries; torch holds {sum(held.values())}")
    eager = [frame["name"] for frame in index["frames"] if frame["status"] != "compiled"]
    return found + [f"the index says that {name} is not compiled" for name in eager]


def main() -> int:
    """Runs the demo and returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--backend", default="inductor", help="eager, aot_eager or inductor")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "demo", help="folder for the dump (build/demo)")
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
    if session.folder is None:  # depyf has printed why
        return 1
    out = session.folder.path  # a subfolder of the requested one, if another process is writing there
    index = json.loads((out / "index.json").read_text("utf-8"))

    print("\nThe summary of index.md:\n")
    print("\n".join(f"- {line}" for line in index["summary"]))
    print()
    print("\n".join(tree(out, index["files"])))
    for entry in index["entries"]:
        show(out / entry["transformed_code"])
    first = out / index["entries"][0]["transformed_code"]
    call = next((i for i, t in enumerate(first.read_text("utf-8").splitlines(), 1) if "(a, b)" in t and t[0] == " "), 1)
    print(
        "\nDynamo's own bytecode is what runs; its line numbers are those of these files, so a debugger steps through\n"
        "them. To step through a run with the eager backend, where the captured graph is Python too:\n"
        f"    {sys.executable} examples/toy.py --backend eager --dump {out}-step --debug\n"
        f"    (Pdb) b {out}-step/{first.name}:{call}      the call of the captured graph\n"
        "    (Pdb) c\n"
        "    (Pdb) s                     into the captured graph (torch's wrappers are skipped); n, s, u and p as usual"
    )
    problems = problems_of(out, index) if options.backend == "inductor" else []
    problems += wrong_entries(toy, out, index)
    if not all(torch.allclose(a, b) for a, b in zip(expected, results, strict=True)):
        problems.append("results differ from those of the uncompiled function")
    for problem in problems:
        print(f"demo: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
