# SPDX-License-Identifier: MIT
"""One Python file of everything a compiler did to a model: sources, transformed code, guards, graphs that run, kernels.

Needs torch alone. Invariant: the file compiles, and run as a script it runs every graph that its dump could run.
"""

from __future__ import annotations

import ast
import re
import textwrap
from typing import Any

_RULE = "# " + "=" * 98
_BETWEEN = ("BEFORE_PRE_GRAD", "Joint_graph")  # say again what the graphs before and after them say
_MADE = ("inputs", "main")
_OWN = ("instance", "main")  # of one graph: what makes it, and what runs it


def render(page: dict[str, Any]) -> str:
    """The script of a model's page: inference and training as they are."""
    texts: list[str] = page["texts"]
    parts: list[str] = []
    runs: list[str] = []
    helpers, imports = "", ["import torch"]
    for scenario in page["scenarios"]:
        if scenario["name"].endswith("_broken"):
            continue
        parts.append(f"{_RULE}\n# {scenario['title']}\n{_RULE}\n")
        for frame in scenario["frames"]:
            tag = f"{scenario['name']}_{re.sub(r'[^0-9]+', '_', frame['id'])}"
            parts += _code(frame, tag, texts)
            for graph in (g for g in frame["graphs"] if g["kind"] not in _BETWEEN):
                run = _unused(f"{tag}_{graph['kind'].lower()}", runs)
                made = _graph(texts[graph["text"]], run)
                title = f"# ---- {scenario['title']}, {frame['name']} [{frame['id']}]: {graph['title']}\n"
                if made is None:
                    parts.append(title + _commented(texts[graph["text"]]))
                    continue
                helpers = helpers or made[1]
                imports += (line for line in made[2] if line not in imports)
                parts.append(title + made[0])
                runs.append(run)
            for kernel in frame["kernels"]:
                title = f"# ---- {scenario['title']}, [{frame['id']}]: Inductor's code, which runs\n"
                parts.append(title + _commented(texts[kernel["text"]]))
    text = "\n\n".join(part.strip("\n") for part in [_head(page, imports), helpers, *parts, _main(runs)] if part) + "\n"
    compile(text, "<script>", "exec", dont_inherit=True)
    return text


def _unused(name: str, taken: list[str]) -> str:
    found = name
    while found in taken:
        found = f"{name}_{taken.count(name) + sum(t.startswith(name + '_') for t in taken)}"
    return found


def _head(page: dict[str, Any], imports: list[str]) -> str:
    return (
        f'"""{page["model"]} ({page["stands_for"]}) as torch.compile sees it, in one file.\n\n'
        f"Made by depyf; torch {page['torch']}, backend {page['backend']}. For inference and training: the model's\n"
        "own source, what Dynamo made of it, the guards, each graph with the shape of every tensor (forward and\n"
        "backward), and the generated kernels. Run as a script it runs every graph on tensors of the recorded layout.\n"
        '"""\n\n'
    ) + "\n".join(imports)


def _code(frame: dict[str, Any], tag: str, texts: list[str]) -> list[str]:
    parts = []
    original = frame["original"]
    if original:
        place = f"{original['file']}:{original['line']}"
        parts.append(f"# ---- {frame['name']} as it is written, {place}\n{_commented(texts[original['text']])}")
    if frame["transformed"] is not None:
        text = texts[frame["transformed"]]
        renamed = re.sub(r"^def \w+\(", f"def transformed_{tag}(", text, count=1, flags=re.MULTILINE)
        ok = renamed != text and _compiles(renamed)
        parts.append(f"# ---- what Dynamo made of it, decompiled\n{renamed if ok else _commented(text)}")
    if frame["guards"]:
        checks = [(" ".join(check.splitlines()), where) for check, _, where, _ in frame["guards"]]
        lines = [f"#   {check}" + (f"   # {where}" if where else "") for check, where in checks]
        parts.append(
            f"# ---- it is taken when all {len(lines)} guards hold (L: locals, G: globals)\n" + "\n".join(lines)
        )
    return parts


def _commented(text: str) -> str:
    return textwrap.indent(text.rstrip("\n"), "# ", lambda _: True) + "\n"


def _compiles(text: str) -> bool:
    try:
        compile(text, "<part>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _graph(text: str, tag: str) -> tuple[str, str, list[str]] | None:
    """(the graph under names of its own, helpers that all graphs share, imports) of a file that runs as a script."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    functions = {s.name: s for s in tree.body if isinstance(s, ast.FunctionDef)}
    classes = [s for s in tree.body if isinstance(s, ast.ClassDef)]
    if len(classes) != 1 or not set(_MADE) <= functions.keys():
        return None
    name = f"Graph_{tag}"
    body = _renamed(_source(text, classes[0]), {classes[0].name: name})
    settings = [_source(text, s) for s in tree.body if isinstance(s, ast.Assign)]
    made = _renamed(_source(text, functions["inputs"]), {"inputs": f"inputs_of_{tag}"})
    names = {
        "main": f"run_{tag}", "inputs": f"inputs_of_{tag}", "instance": f"instance_of_{tag}", classes[0].name: name,
    }  # fmt: skip
    own = [_with_settings(_renamed(_source(text, functions[n]), names), settings) for n in _OWN if n in functions]
    parts = [body, _with_settings(made, settings), *own]
    helpers = [_source(text, s) for key, s in functions.items() if key not in (*_MADE, *_OWN)]
    imports = [_source(text, s) for s in tree.body if isinstance(s, ast.Import | ast.ImportFrom)]
    return "\n\n\n".join(parts) + "\n", "\n\n\n".join(helpers) + "\n", imports


def _source(text: str, node: ast.stmt) -> str:
    return "\n".join(text.splitlines()[node.lineno - 1 : node.end_lineno])


def _renamed(text: str, names: dict[str, str]) -> str:
    return re.sub(rf"(?<![\w.'\"])(?:{'|'.join(names)})(?=[(.])", lambda m: names[m[0]], text)


def _with_settings(function: str, settings: list[str]) -> str:
    """Sizes and numbers of the recorded call become the function's own."""
    if not settings:
        return function
    head, _, rest = function.partition("\n")
    return head + "\n" + textwrap.indent("\n".join(settings), "    ") + "\n" + rest


def _main(runs: list[str]) -> str:
    return (
        'if __name__ == "__main__":\n'
        "    different = 0\n"
        f"    for run in ({''.join(f'run_{run}, ' for run in runs)}):\n"
        "        print(run.__name__)\n"
        "        try:\n"
        "            different += run()\n"
        "        except (IndexError, RuntimeError) as error:  # made-up numbers may be no valid indices\n"
        '            print("needs real values:", error)\n'
        "    raise SystemExit(different)"
    )
