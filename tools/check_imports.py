# SPDX-License-Identifier: MIT
"""Checks the imports within the package: no cycle of modules, and no import of a module that is kept for depyf 0.20.

Which package may import which is a contract of import-linter, in pyproject.toml.

Imports inside functions count like those at the top of a module; those under TYPE_CHECKING do not. The check reads the
text, so it does not see a module that is imported by a computed name (the public names of depyf/__init__.py, the tables
of the commands).
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMPAT = "depyf.compat"  # its modules can be imported as depyf's own: `depyf.utils` is depyf.compat.utils
LONGEST = 600  # lines per file


def modules(folder: Path) -> dict[str, Path]:
    """Returns the modules of a source folder by their dotted names; an extension module is found by its stub.

    Leaves out the stubs that describe the modules of depyf 0.20 to type checkers: no code imports them.
    """
    package = folder / "depyf"
    compat = {package / p.relative_to(package / "compat") for p in (package / "compat").rglob("*.py")}
    result = {}
    for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.pyi")]):
        if path.suffix == ".pyi" and path.with_suffix(".py") in compat:
            continue
        name = ".".join(path.relative_to(folder).with_suffix("").parts)
        result[name.removesuffix(".__init__")] = path
    return result


def imports_of(name: str, path: Path, known: Mapping[str, Path]) -> set[str]:
    """Returns the modules in `known` that a module imports anywhere in its text."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    result: set[str] = set()
    for node in _at_run_time(ast.parse(path.read_text("utf-8"), filename=str(path))):
        if isinstance(node, ast.Import):
            result |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            base = ".".join(parts[: len(parts) - node.level + 1] if node.level else [])
            base = ".".join(filter(None, [base, node.module]))
            below = {a.name: _known(f"{base}.{a.name}", known) for a in node.names}
            result |= {full or base for full in below.values()}
    return {full for other in result if (full := _known(other, known)) and full != name}


def _known(name: str, known: Mapping[str, Path]) -> str:
    """Returns the name under which a module is known, or ""; one of depyf 0.20 is known by its name in compat."""
    return next((n for n in (name, f"{COMPAT}{name.removeprefix('depyf')}") if n in known), "")


def _at_run_time(tree: ast.AST) -> Iterator[ast.AST]:
    worklist = [tree]
    while worklist:
        node = worklist.pop()
        yield node
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            worklist += node.orelse
        else:
            worklist += ast.iter_child_nodes(node)


def cycle_in(graph: Mapping[str, set[str]]) -> list[str]:
    """Returns the modules on cycles or on paths between cycles; empty if the graph has a topological order."""
    remaining = {name: set(others) for name, others in graph.items()}
    while True:
        done = [n for n, others in remaining.items() if not others or not any(n in o for o in remaining.values())]
        if not done:
            return sorted(remaining)
        for name in done:
            del remaining[name]
        for others in remaining.values():
            others.difference_update(done)


def _is_compat(name: str) -> bool:
    return name == COMPAT or name.startswith(f"{COMPAT}.")


def check(root: Path) -> list[str]:
    """Returns all problems of a tree, one per line."""
    known = modules(root / "python")
    graph = {name: imports_of(name, path, known) for name, path in known.items()}
    problems = [f"{name}: on an import cycle, or between two of them" for name in cycle_in(graph)]
    for name, others in graph.items():
        if not _is_compat(name):
            problems += [f"{name}: imports {o}, which is kept for depyf 0.20" for o in sorted(others) if _is_compat(o)]
    for path in known.values():
        lines = path.read_text("utf-8").count("\n")
        if lines > LONGEST:
            problems.append(f"{path.relative_to(root)}: {lines} lines; more than {LONGEST} are two jobs")
    if len(known) < 2 or not any(graph.values()):
        problems.append("no imports were found: is this the root of depyf?")
    return problems


def main() -> int:
    """Prints the problems; the exit status is 1 if there are any."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    problems = check(root)
    print("\n".join(problems) if problems else f"imports: no cycle among {len(modules(root / 'python'))} modules")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
