# SPDX-License-Identifier: MIT
"""Measures how many functions of a library are decompiled to the syntax tree of their source.

    python -m tools.likeness --python 3.11,3.14 --sample 100 [--tool build/release/cli/depyfc] [--show 5]

A text may be exact and still read differently from its source: an `else` where the source has a guard clause, an
f-string where it has `%`. The statements of functions with the same qualified name are compared, without docstring,
decorators and annotations; nested functions and classes are compared by name only. Each version's own `ast` parses both
sides. The output is the number of functions that are alike, the number compared, and the share; with --show, also
where the first ones are that differ.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tools import roundtrip

JUDGE = '''
import ast, copy, json, py_compile, subprocess, sys, warnings

warnings.simplefilter("ignore")


class OwnStatements(ast.NodeTransformer):
    """Returns a function's own statements; nested functions and classes are replaced by their names."""

    def __init__(self):
        self.is_outermost = True

    def visit_FunctionDef(self, node):
        if not self.is_outermost:
            return ast.Expr(ast.Name(node.name, ast.Load()))
        self.is_outermost = False
        first = node.body[0]
        if isinstance(first, ast.Expr) and isinstance(getattr(first.value, "value", None), str):
            node.body = node.body[1:]
        return [self.visit(statement) for statement in node.body]

    visit_AsyncFunctionDef = visit_ClassDef = visit_FunctionDef

    def visit_AnnAssign(self, node):
        self.generic_visit(node)
        node.annotation = ast.Name("annotation", ast.Load())
        return node


def functions(path):
    with open(path, "rb") as source:
        tree = ast.parse(source.read())
    by_name, todo = {}, [(tree, "")]
    while todo:
        node, prefix = todo.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                name = prefix + child.name
                todo.append((child, name + "."))
                if not isinstance(child, ast.ClassDef):
                    by_name.setdefault(name, []).append(child)
            else:
                todo.append((child, prefix))
    return by_name


def statements(function):
    return [ast.dump(statement) for statement in OwnStatements().visit(copy.deepcopy(function))]


depyfc, folder, sources = sys.argv[1], sys.argv[2], json.load(sys.stdin)
work = []
with open(folder + "/list", "w") as out:
    for k, source in enumerate(sources):
        compiled, text = "%s/%d.pyc" % (folder, k), "%s/%d.py" % (folder, k)
        py_compile.compile(source, compiled, doraise=True)
        out.write(compiled + "\\t" + text + "\\n")
        work.append((source, text))
subprocess.run([depyfc, "--list", folder + "/list"], check=True)
alike, others = 0, []
for source, text in work:
    theirs, ours = functions(source), functions(text)
    for name, all_of_name in theirs.items():
        for k, function in enumerate(all_of_name):
            same = len(ours.get(name, [])) == len(all_of_name) and statements(function) == statements(ours[name][k])
            alike += same
            if not same:
                others.append("%s:%d %s" % (source, function.lineno, name))
print(json.dumps([alike, others]))
'''


def likeness(version: str, sample: int, seed: int, tool: Path) -> tuple[int, list[str]]:
    """Returns how many functions are alike and which are not, in a sample of a version's library."""
    with tempfile.TemporaryDirectory() as folder:
        files = roundtrip.corpus(version, "lib", sample, seed, Path(folder))
        command = [*roundtrip.interpreter(version), "-c", JUDGE, str(tool.resolve()), folder]
        done = subprocess.run(command, input=json.dumps([str(f) for f in files]), capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"likeness: {version}: {done.stderr[-500:]}")
    alike, others = json.loads(done.stdout)
    return alike, others


def main() -> None:
    """Prints a row for each version."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default="3.8,3.9,3.10,3.11,3.12,3.13,3.14,3.15", help="versions")
    parser.add_argument("--sample", type=int, default=100, help="number of files per library, drawn at random; 0: all")
    parser.add_argument("--seed", type=int, default=1, help="seed of the sample (1)")
    parser.add_argument("--tool", type=Path, default=Path(sys.executable).with_name("depyfc"), help="path of depyfc")
    parser.add_argument("--show", type=int, default=0, help="print this many of the functions that differ")
    options = parser.parse_args()
    print("version  alike  functions   share")
    for version in options.python.split(","):
        alike, others = likeness(version, options.sample, options.seed, options.tool)
        total = alike + len(others)
        if total == 0:
            sys.exit(f"likeness: {version}: no function was compared")
        print(f"{version:7} {alike:6} {total:10}  {100 * alike / total:.1f} %", flush=True)
        for place in others[: options.show]:
            print(f"        {place}")


if __name__ == "__main__":
    main()
