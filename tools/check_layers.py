# SPDX-License-Identifier: MIT
"""Checks the rules of ARCHITECTURE.md that a compiler does not check.

- A file includes, directly or transitively, only files of the layers that table ALLOWED lists for its layer.
- Python.h and nanobind are included only in bindings/. Private torch names are used only in
  python/depyf/torch/internals. torch is imported only inside python/depyf/torch, so that ``import depyf`` stays light.
- Versions are compared only where CPython's own formats are read: src/bytecode, and before it src/pyc and src/code.
- The core neither throws, prints, exits nor reads the environment, and has no mutable globals of the usual spelling.
- The modules that tell what torch says (tools/judges) import nothing of depyf, or of the tools and tests around it.
- A test in tests/torch imports only those modules of depyf.torch that it tests (table SUBJECTS). Otherwise it uses
  depyf as users do, and asks torch through tools/judges. Tools that judge depyf import no module of depyf.torch.
- Every source file starts with its licence line.

The check reads text, so it does not see a rule that is broken by a macro or by getattr() with a computed name.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUFFIXES = {".h", ".cpp", ".inc", ".def"}

# The layers of public headers.
PUBLIC = {
    "depyf/result.h": "support",
    "depyf/ids.h": "support",
    "depyf/limits.h": "support",
    "depyf/code.h": "code",
    "depyf/opcodes.h": "code",  # plain values
    "depyf/stack.h": "code",  # plain values
    "depyf/decompile.h": "api",  # plain values that the later stages take and return; includes only code and support
}
# What the syntax tree and the printer share with the decoder: operators, operation names, features.
WORDS = {"bytecode/instruction.h", "bytecode/ops.def", "bytecode/dialect.h", "bytecode/positions.h"}

# What `verify` uses of Dynamo as well: its names, and the arguments of its resume functions.
DYNAMO_FACTS = {"dynamo/names.h", "dynamo/resume_arguments.h"}

# The layers that a layer may include, directly or transitively; each set is transitively closed.
BASE = {"support"}
CODE = BASE | {"code"}
WORD = CODE | {"words"}
BYTECODE = WORD | {"bytecode"}
AST = WORD | {"ast"}
CFG = BYTECODE | {"cfg"}
LIFT = CFG | {"dynamo facts", "ast", "lift", "api"}
STRUCTURE = LIFT | {"deopt", "structure"}
EVERY_LAYER = STRUCTURE | {"dynamo", "fallback", "finish", "pyc", "idiom", "print", "verify", "driver"}
ALLOWED: dict[str, set[str]] = {
    "support": BASE,
    "code": CODE,
    "api": CODE | {"api"},
    "words": WORD,
    "pyc": CODE | {"pyc", "api"},
    "bytecode": BYTECODE,
    "ast": AST,
    "cfg": CFG,
    "deopt": CFG | {"deopt"},
    "dynamo facts": CFG | {"dynamo facts"},
    "dynamo": CFG | {"dynamo facts", "dynamo"},
    "lift": LIFT,
    "structure": STRUCTURE,
    "fallback": LIFT | {"fallback"},
    "finish": LIFT | {"finish"},
    "idiom": AST | {"idiom", "api"},
    "print": AST | {"print", "api"},
    "verify": CFG | {"dynamo facts", "verify", "api"},
    "driver": EVERY_LAYER,
    "cli": CODE | {"cli", "api"},
    "bindings": CODE | {"bindings", "api"},
    "fuzz": CODE | {"fuzz", "api"},
    "bench": CODE | {"bench", "api"},
}

FREE = {"internals.capabilities", "internals.names"}  # with which tests ask what the installed torch has

# The modules of depyf.torch that a test in tests/torch may import besides those: the ones that it tests.
SUBJECTS = {
    "moved_names.py": {"internals.fx"},
    "test_advice.py": {"guards.advice", "guards.parse"},
    "test_agreement.py": {
        "explain.dispatch",
        "guards.checks",
        "guards.evaluate",
        "guards.functions",
    },  # it patches these
    "test_blocks.py": {"blocks"},
    "test_caches.py": {"model.caches"},
    "test_calls.py": {"capture.route"},
    "test_cures.py": {"internals.changes", "trial"},
    "test_debug.py": {"debug.stepping"},
    "test_doctor.py": {"doctor", "internals.dynamo"},
    "test_drop_in.py": {"debug.values"},
    "test_dump.py": {"internals.dynamo", "model.record"},
    "test_expect.py": {"expect", "internals.trace_log"},
    "test_folders.py": {"write.ownership", "write.schedule"},
    "test_frame_status.py": {"capture.frame_status", "capture.trace_decode", "internals.conversions", "model.status"},
    "test_full_code.py": {"replay.v1"},
    "test_graph_scripts.py": {"guards.checks", "write.rewrite", "write.runnable"},
    "test_guard_agreement.py": {"explain.dispatch", "guards.evaluate"},
    "test_guards.py": {"guards", "model.guard", "model.record", "replay.runtime"},
    "test_index.py": {
        "capture.events",
        "capture.frame_status",
        "capture.torch_prose",
        "capture.trace_decode",
        "model",
        "session",
        "write.index_data",
        "write.summary",
    },
    "test_isolation.py": {"capture.bytecode", "capture.recorder"},
    "test_trailing_comments.py": {
        "capture.frame_names",
        "internals.cache_entries",
        "model.location",
        "write.trailing_comments",
    },
    "test_moved_names.py": {"capture.hooks", "guards", "internals", "model.guard", "model.record"},
    "test_pieces.py": {"model.pieces", "model.record"},
    "test_program_objects.py": {"capture.stored_values", "replay.definitions", "replay.v1", "write.expressions"},
    "test_provenance.py": {"capture.provenance"},
    "test_questions.py": {"guards", "internals.guard_state", "replay.v1"},
    "test_reasons.py": {"capture.events", "capture.torch_prose", "capture.trace_decode", "model"},
    "test_recompiled.py": {"internals.vocabulary"},
    "test_reset.py": {"model.compile_ids"},
    "test_rewrite.py": {"write.report", "write.rewrite"},
    "test_special_graphs.py": {"write.report"},
    "test_run_facts.py": {"model"},
    "test_robustness.py": {"capture", "guards", "internals", "model", "replay.known_guards", "write"},
    "test_stable_names.py": {"guards", "internals.stable_names", "model.guard", "model.record"},
    "test_trace.py": {"trace_folder"},
    "test_trace_decode.py": {"capture.canaries", "capture.trace_decode", "model.location", "trace_folder"},
    "test_values.py": {"debug"},
    "test_zoo_measure.py": {"write.graph_file"},
}

INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.MULTILINE)
THIRD_PARTY = re.compile(r"^(Python\.h|structmember\.h|frameobject\.h|internal/|nanobind/|pybind11/|fmt/|boost/|absl/)")
COMMENT_OR_STRING = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-zA-Z_])\'(?:\\.|[^\'\\\n])*\'', re.DOTALL
)
VERSION_TEST = re.compile(
    r"\b(?:minor|[vV]ersion)\s*(?:[<>](?![<>])=?)\s*(?=[\w{(])|\bminor\s*[!=]="
    r"|(?:[!=]=|[<>]=?)\s*(?:depyf::)?(?:Version\s*[{(]|kFirstVersion|kLastVersion)"
    r"|switch\s*\([^)]*\bminor\b"
)
CORE_BANS = {
    "throws": re.compile(r"\bthrow\b"),
    "prints": re.compile(r"\bstd::(?:cout|cerr|clog)\b|\b(?:std::)?(?:printf|fprintf|puts|perror)\s*\("),
    "exits": re.compile(r"\b(?:std::)?(?:exit|abort|_Exit|quick_exit|terminate)\s*\("),
    "reads the environment": re.compile(r"\bgetenv\s*\("),
    "has a mutable static": re.compile(
        r"^[ \t]*(?:inline\s+)?(?:static|thread_local)\s+(?!const\b|constexpr\b|constinit const\b|inline\s+const)"
        r"(?:[\w:<>,*& ]+?)\s+\w+\s*(?:=|\{|;)",
        re.MULTILINE,
    ),
}
VERSION_READERS = {"bytecode", "words", "pyc", "code"}
TORCH_NAME = re.compile(r"\btorch(?:\.\w+)*\._[a-zA-Z][\w.]*")


def blank(text: str) -> str:
    """Replaces comments and literals by spaces; line numbers stay the same."""
    return COMMENT_OR_STRING.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def line_of(text: str, position: int) -> int:
    """Returns the line number (from 1) of a position in a text."""
    return text.count("\n", 0, position) + 1


class Cpp:
    """The include graph of the C++ files, and the checks of their text."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.problems: list[str] = []
        self.files: dict[str, str] = {}  # path below root -> text
        for folder in ("include", "src", "cli", "bindings", "fuzz", "bench"):
            for path in sorted((root / folder).rglob("*")):
                if path.suffix in SUFFIXES:
                    self.files[path.relative_to(root).as_posix()] = path.read_text(encoding="utf-8")
        self.edges = {name: list(self._includes(name)) for name in self.files}

    def layer(self, name: str) -> str:
        """Returns the layer that a file belongs to."""
        top, _, rest = name.partition("/")
        if top == "include":
            return PUBLIC.get(rest, "api")
        if top == "src":
            if rest in DYNAMO_FACTS:
                return "dynamo facts"
            return "words" if rest in WORDS else rest.partition("/")[0]
        return top

    def _includes(self, name: str) -> Iterator[str]:
        for match in INCLUDE.finditer(self.files[name]):
            target = match[2]
            if THIRD_PARTY.match(target) and not name.startswith("bindings/"):
                self.problems.append(f"{name}:{line_of(self.files[name], match.start())}: {target} outside bindings/")
            if match[1] != '"':
                continue
            here = (Path(name).parent / target).as_posix()
            header = next((p for p in (f"include/{target}", f"src/{target}", here) if p in self.files), None)
            if header is not None:
                yield header
            elif not THIRD_PARTY.match(target):
                self.problems.append(
                    f"{name}:{line_of(self.files[name], match.start())}: no such header of ours: {target}"
                )

    def check_includes(self) -> None:
        """Reports each file that includes a layer that it may not include, with the chain of includes."""
        for name in self.files:
            layer = self.layer(name)
            allowed = ALLOWED.get(layer)
            if allowed is None:
                self.problems.append(f"{name}: {layer} is no layer of ARCHITECTURE.md")
                continue
            included_by: dict[str, str] = {name: ""}
            worklist = [name]
            while worklist:
                current = worklist.pop()
                for target in self.edges[current]:
                    if target in included_by:
                        continue
                    included_by[target] = current
                    if self.layer(target) in allowed:
                        worklist.append(target)
                        continue
                    chain = [target]
                    while included_by[chain[-1]]:
                        chain.append(included_by[chain[-1]])
                    path = " -> ".join(reversed(chain))
                    self.problems.append(f"{name}: {layer} may not include {self.layer(target)}: {path}")

    def check_text(self) -> None:
        """Reports a missing licence line, and what the core may not contain."""
        for name, text in self.files.items():
            if name.endswith((".h", ".cpp")) and not text.startswith("// SPDX-License-Identifier: MIT\n"):
                self.problems.append(f"{name}:1: no licence line")
            if not name.startswith(("src/", "include/")):
                continue
            bare = blank(text)
            for what, pattern in CORE_BANS.items():
                for match in pattern.finditer(bare):
                    self.problems.append(f"{name}:{line_of(bare, match.start())}: the core {what}")
            if self.layer(name) not in VERSION_READERS:
                for match in VERSION_TEST.finditer(bare):
                    self.problems.append(
                        f"{name}:{line_of(bare, match.start())}: a version test; ask the dialect for a feature"
                    )


class Private(ast.NodeVisitor):
    """Finds private torch names, and imports of torch at module level."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.problems: list[str] = []
        self.depth = 0

    def _add(self, node: ast.AST, what: str) -> None:
        self.problems.append(f"{self.name}:{getattr(node, 'lineno', 1)}: {what}")

    def _module(self, node: ast.AST, module: str, names: list[str]) -> None:
        parts = module.split(".")
        if parts[0] != "torch":
            return
        if any(p.startswith("_") and not p.startswith("__") for p in parts + names):
            self._add(node, f"private torch name {module}; it belongs in python/depyf/torch/internals")
        if self.depth == 0 and not self.name.startswith("python/depyf/torch/"):
            self._add(node, "torch imported by a module that `import depyf` may load")

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._module(node, alias.name, [])

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.level == 0 and node.module:
            self._module(node, node.module, [a.name for a in node.names])

    def visit_Attribute(self, node: ast.Attribute) -> None:
        chain = [node.attr]
        value: ast.expr = node.value
        while isinstance(value, ast.Attribute):
            chain.append(value.attr)
            value = value.value
        if isinstance(value, ast.Name) and value.id == "torch":
            private = [n for n in chain if n.startswith("_") and not n.startswith("__")]
            if private:
                self._add(node, f"private torch name {private[-1]}; it belongs in python/depyf/torch/internals")
            return
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str) and (match := TORCH_NAME.search(node.value)):
            self._add(node, f"private torch name {match.group()!r}; it belongs in python/depyf/torch/internals")

    def _function(self, node: ast.AST) -> None:
        self.depth += 1
        self.generic_visit(node)
        self.depth -= 1

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = _function

    def visit_If(self, node: ast.If) -> None:
        typing_only = isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        self.depth += typing_only
        self.generic_visit(node)
        self.depth -= typing_only


def check_python(root: Path) -> list[str]:
    """Returns the problems of the package's Python files."""
    problems: list[str] = []
    for path in sorted((root / "python" / "depyf").rglob("*.py")):
        name = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8")
        if not text.startswith("# SPDX-License-Identifier: MIT\n"):
            problems.append(f"{name}:1: no licence line")
        if name.startswith("python/depyf/torch/internals/"):
            continue
        visitor = Private(name)
        visitor.visit(ast.parse(text, filename=name))
        problems += visitor.problems
    return problems


def imported(path: Path, root: Path) -> Iterator[tuple[str, str]]:
    """Yields what a Python file imports, or names in a string as for importlib: (file and line, dotted name)."""
    name = path.relative_to(root).as_posix()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), filename=name)):
        if isinstance(node, ast.ImportFrom):
            modules = [f"{node.module}.{a.name}" for a in node.names] if not node.level else ["."]
        elif isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("depyf."):
            modules = [node.value]
        else:
            continue
        yield from ((f"{name}:{node.lineno}", module) for module in modules)


def check_judges(root: Path) -> list[str]:
    """Checks that judges share no code with what they judge, and that tests import only what they test."""
    problems: list[str] = []
    for path in sorted((root / "tools" / "judges").rglob("*.py")):
        for place, module in imported(path, root):
            if module.partition(".")[0] in ("", "depyf", "tools", "tests"):
                problems.append(f"{place}: a judge imports {module}")
    judging = [path for folder in ("agreement", "zoo") for path in sorted((root / "tools" / folder).rglob("*.py"))]
    for path in [*judging, *sorted((root / "tests" / "torch").glob("*.py"))]:
        subjects = SUBJECTS.get(path.name, set()) | FREE if path not in judging else set()
        for place, module in imported(path, root):
            inner = module.removeprefix("depyf.torch").lstrip(".")
            is_subject = any(f"{inner}.".startswith(f"{subject}.") for subject in subjects)
            if module.startswith("depyf.torch") and re.fullmatch(r"[\w.]+", module) and not is_subject:
                problems.append(f"{place}: imports {module}, which is none of its subjects (table SUBJECTS)")
    return problems


def check(root: Path) -> list[str]:
    """Returns all problems of a tree, one per line."""
    cpp = Cpp(root)
    cpp.check_includes()
    cpp.check_text()
    return cpp.problems + check_python(root) + check_judges(root)


def main() -> int:
    """Prints the problems; the exit status is 1 if there are any."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    problems = check(root)
    for problem in problems:
        print(problem)
    print(f"layers: {len(problems)} problems" if problems else "layers: all rules hold")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
