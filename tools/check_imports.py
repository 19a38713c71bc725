# SPDX-License-Identifier: MIT
"""Checks the imports within the package: no cycle of modules, and nobody imports what is kept for depyf 0.20.

Which package may import which is a contract of import-linter's, in pyproject.toml.

Imports inside functions count as those of a module's head do; those for type checkers alone do not. It reads text: a
module that is imported by a computed name (the public names of depyf/__init__.py, the tables of its commands) is not
seen.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMPAT = "depyf.compat"  # its modules are found as depyf's own: `depyf.utils` is depyf.compat.utils
LONGEST = 600  # lines of a file


def modules(folder: Path) -> dict[str, Path]:
    """The modules of a source folder by their dotted names; extension modules by their stubs.

    Without the stubs by which type checkers find the modules of depyf 0.20: they are imported by nothing that runs.
    """
    package = folder / "depyf"
    compat = {package / p.relative_to(package / "compat") for p in (package / "compat").rglob("*.py")}
    found = {}
    for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.pyi")]):
        if path.suffix == ".pyi" and path.with_suffix(".py") in compat:
            continue
        name = ".".join(path.relative_to(folder).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path
    return found


def imports_of(name: str, path: Path, known: Mapping[str, Path]) -> set[str]:
    """The modules among the known ones that a module imports anywhere in its text."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    found: set[str] = set()
    for node in _at_run_time(ast.parse(path.read_text("utf-8"), filename=str(path))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            base = ".".join(parts[: len(parts) - node.level + 1] if node.level else [])
            base = ".".join(filter(None, [base, node.module]))
            below = {a.name: _known(f"{base}.{a.name}", known) for a in node.names}
            found |= {full or base for full in below.values()}
    return {full for other in found if (full := _known(other, known)) and full != name}


def _known(name: str, known: Mapping[str, Path]) -> str:
    """The module's own name, "" if there is none; modules of depyf 0.20 are imported by another."""
    return next((n for n in (name, f"{COMPAT}{name.removeprefix('depyf')}") if n in known), "")


def _at_run_time(tree: ast.AST) -> Iterator[ast.AST]:
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            waiting += node.orelse
        else:
            waiting += ast.iter_child_nodes(node)


def cycle_in(graph: Mapping[str, set[str]]) -> list[str]:
    """The modules that lie on cycles or between them; none where the graph can be put in an order."""
    left = {name: set(others) for name, others in graph.items()}
    while True:
        done = [n for n, others in left.items() if not others or not any(n in o for o in left.values())]
        if not done:
            return sorted(left)
        for name in done:
            del left[name]
        for others in left.values():
            others.difference_update(done)


def _is_compat(name: str) -> bool:
    return name == COMPAT or name.startswith(f"{COMPAT}.")


def check(root: Path) -> list[str]:
    """All problems of a tree, one a line."""
    known = modules(root / "python")
    graph = {name: imports_of(name, path, known) for name, path in known.items()}
    problems = [f"{name}: on an import cycle, or between two" for name in cycle_in(graph)]
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
