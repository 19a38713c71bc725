# SPDX-License-Identifier: MIT
"""Tests the tools of this repository and rules on the source code, such as the layers and the size of functions."""

from __future__ import annotations

import ast
import re
import subprocess
from collections import Counter
from pathlib import Path
from types import ModuleType, SimpleNamespace
from xml.etree import ElementTree

import depyf
import pytest

LICENCE = "// SPDX-License-Identifier: MIT\n"
PY_LICENCE = "# SPDX-License-Identifier: MIT\n"


@pytest.fixture(scope="session")
def layers(tool_module) -> ModuleType:
    return tool_module("check_layers")


def check_files(layers: ModuleType, tmp_path: Path, files: dict[str, str]) -> list[str]:
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text((PY_LICENCE if name.endswith(".py") else LICENCE) + text)
    return layers.check(tmp_path)


def test_repository_follows_the_rules(layers, root):
    assert layers.check(root) == []


def test_tree_that_follows_the_rules_has_no_problem(layers, tmp_path):
    files = {
        "include/depyf/code.h": "",
        "src/bytecode/dialect.h": '#include "depyf/code.h"\n',
        "src/print/print.cpp": '#include "bytecode/dialect.h"\n// version < 3 throws\n',
        "src/bytecode/dialect.cpp": '#include "bytecode/dialect.h"\nbool f(Version version) { return version < g; }\n',
        "cli/main.cpp": '#include "depyf/code.h"\n',
        "python/depyf/torch/internals/dynamo.py": "import torch._dynamo\n",
        "python/depyf/lazy.py": "def f():\n    import torch\n    return torch.ones\n",
    }
    assert check_files(layers, tmp_path, files) == []


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"src/cfg/x.h": "", "src/pyc/a.cpp": '#include "cfg/x.h"\n'}, "pyc may not include cfg"),
        (  # through a header that may itself be included
            {"src/verify/v.h": "", "src/driver/d.h": '#include "verify/v.h"\n', "cli/m.cpp": '#include "driver/d.h"\n'},
            "cli may not include driver",
        ),
        (
            {"src/lift/l.h": "", "src/ast/a.h": '#include "lift/l.h"\n', "src/print/p.cpp": '#include "ast/a.h"\n'},
            "print may not include lift: src/print/p.cpp -> src/ast/a.h -> src/lift/l.h",
        ),
        (
            {"src/bytecode/decode.h": "", "src/idiom/i.cpp": '#include "bytecode/decode.h"\n'},
            "idiom may not include bytecode",
        ),
        ({"src/misc/m.cpp": ""}, "misc is no layer"),
        ({"src/code/c.cpp": '#include "code/gone.h"\n'}, "no such header of ours: code/gone.h"),
        ({"src/code/c.cpp": "#include <Python.h>\n"}, "Python.h outside bindings/"),
        ({"src/lift/c.cpp": "bool b = version >= Version{3, 11};\n"}, "src/lift/c.cpp:2: a version test"),
        ({"src/lift/c.cpp": "bool b = v.minor == 8;\n"}, "a version test"),
        ({"src/lift/c.cpp": "void f() { throw 1; }\n"}, "the core throws"),
        ({"src/lift/c.cpp": 'void f() { std::printf("x"); }\n'}, "the core prints"),
        ({"src/lift/c.cpp": 'auto x = std::getenv("X");\n'}, "the core reads the environment"),
        ({"src/lift/c.cpp": "static int count = 0;\n"}, "the core has a mutable static"),
        ({"python/depyf/a.py": "import torch\n"}, "torch imported by a module"),
        ({"python/depyf/torch/a.py": "from torch._dynamo import eval_frame\n"}, "private torch name torch._dynamo"),
        (
            {"python/depyf/torch/a.py": "import torch\nx = torch._C.f\n"},
            "a.py:3: private torch name _C",
        ),
        ({"python/depyf/torch/a.py": "x = 'torch._inductor.config'\n"}, "private torch name 'torch._inductor.config'"),
    ],
)
def test_broken_rule_is_found(layers, tmp_path, files, expected):
    found = check_files(layers, tmp_path, files)
    assert any(expected in problem for problem in found), found


def test_missing_licence_line_is_found(layers, tmp_path):
    path = tmp_path / "src" / "code" / "c.cpp"
    path.parent.mkdir(parents=True)
    path.write_text("int x;\n")
    assert layers.check(tmp_path) == ["src/code/c.cpp:1: no licence line"]


def test_interpreter_has_its_version(python, version):
    program = "import sys; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([*python, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == version


def test_interpreter_can_be_set_by_a_variable(tool_module, tmp_path, monkeypatch):
    interpreters = tool_module("interpreters")
    fake = tmp_path / "fake python"
    fake.write_text("#!/bin/sh\necho cpython 3.12\n")
    fake.chmod(0o755)
    monkeypatch.setenv("DEPYF_PYTHON_3_12", f"'{fake}' -I")
    assert interpreters.find("3.12") == [str(fake), "-I"]
    monkeypatch.setenv("DEPYF_PYTHON_3_13", f"'{fake}'")  # its version is not 3.13
    assert interpreters.find("3.13") != [str(fake)]


def test_no_test_is_in_a_folder_that_pytest_skips(request: pytest.FixtureRequest, root: Path) -> None:
    """Folders of data are skipped by their names, and so would be a test in one of them."""
    skipped = set(request.config.getini("norecursedirs"))
    files = list((root / "tests").rglob("test_*.py"))
    assert len(files) > 100
    assert not [path for path in files if skipped & set(path.relative_to(root).parts)]


def test_parts_of_the_slow_tests_are_complete_and_disjoint(tool_module, monkeypatch) -> None:
    run_tests, conftest = tool_module("run_tests"), tool_module("../tests/conftest")
    assert run_tests.part_of_commit() in range(1, run_tests.PARTS + 1)

    class Item(str):
        def get_closest_marker(self, name: str) -> bool:
            return self.startswith(name)

    config = SimpleNamespace(hook=SimpleNamespace(pytest_deselected=lambda items: None))
    tests = [Item(f"{kind} {k}") for k in range(8) for kind in ("slow", "quick")]
    selected = []
    for part in range(1, run_tests.PARTS + 1):
        monkeypatch.setenv("DEPYF_SLOW_PART", f"{part}/{run_tests.PARTS}")
        chosen = list(tests)
        conftest.pytest_collection_modifyitems(config, chosen)
        assert [t for t in chosen if t.startswith("quick")] == [t for t in tests if t.startswith("quick")]
        selected += [t for t in chosen if t.startswith("slow")]
    assert sorted(selected) == sorted(t for t in tests if t.startswith("slow"))


def test_junit_results_are_counted(tool_module, tmp_path):
    run_tests = tool_module("run_tests")
    suite = ElementTree.Element("testsuites")
    tests = ElementTree.SubElement(suite, "testsuite", tests="7", failures="1", errors="1", skipped="2")
    for _ in range(2):
        ElementTree.SubElement(ElementTree.SubElement(tests, "testcase"), "skipped", message="no GPU")
    ElementTree.ElementTree(suite).write(tmp_path / "report.xml")
    wanted = run_tests.Outcome(passed=3, failed=2, skipped=2, reasons=Counter({"no GPU": 2}))
    assert run_tests.junit(tmp_path / "report.xml") == wanted
    assert run_tests.junit(tmp_path / "missing.xml") is None


def test_failing_or_missing_command_is_a_failure(tool_module, tmp_path):
    run_tests = tool_module("run_tests")
    assert run_tests.run_counted(["false"], tmp_path / "none.xml", 10) == run_tests.Outcome(0, 1)
    assert run_tests.check(["no-such-program-of-depyf"]) == run_tests.Outcome(0, 1)
    assert run_tests.check(["sleep", "5"], limit=0.1) == run_tests.Outcome(0, 1)


def test_depyfc_has_the_version_of_the_package(depyfc, root):
    expected = re.search(r'^version = "(.*)"$', (root / "pyproject.toml").read_text(), re.MULTILINE)[1]
    done = subprocess.run([depyfc, "--version"], capture_output=True, text=True, check=True)
    assert expected in done.stdout


def functions(text: str) -> list[tuple[str, int]]:
    """Returns the first line and the number of lines of each function of a file formatted by clang-format."""
    lines, found, at = text.split("\n"), [], 0
    while at < len(lines):
        line, indent = lines[at], len(lines[at]) - len(lines[at].lstrip())
        opens = line.endswith("{") and indent in (0, 2) and ")" in line + lines[at - 1]
        if opens and not re.match(
            r"\s*(namespace|class|struct|enum|union|switch|if|for|while|else|\}|const\w* .*=)", line
        ):
            end = next(i for i in range(at + 1, len(lines)) if lines[i].startswith(" " * indent + "}"))
            found.append((line.strip(), end - at + 1))
            at = end
        at += 1
    return found


def block_end(text: str, at: int) -> int:
    """Returns the position of the brace that closes the one at AT."""
    depth = 0
    for end in range(at, len(text)):
        depth += (text[end] == "{") - (text[end] == "}")
        if depth == 0:
            return end
    return len(text)


def declarations(body: str) -> list[str]:
    """Returns the texts of the members of a class BODY without the bodies of functions and nested types."""
    found, at, head = [], 0, ""
    while at < len(body):
        if body[at] == "{":
            at = block_end(body, at)
            if re.match(r"\s*[;,]", body[at + 1 :]):  # of an initializer or a nested type
                at += 1
                continue
        if body[at] in ";}":
            found.append(re.sub(r"\b(public|private|protected)\s*:", "", head))
            head = ""
        else:
            head += body[at]
        at += 1
    return found


def methods(text: str) -> list[tuple[str, list[str]]]:
    """Returns the name of each class of a file formatted by clang-format and the names of its member functions.

    Each overload and constructor counts; friends, nested classes and data members that are functions do not.
    """
    text = re.sub(r'//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', " ", text)
    found = []
    for head in re.finditer(r"^\s*(?:class|struct)\s+(\w+)[^;{}()=]*\{", text, re.MULTILINE):
        names = []
        for member in declarations(text[head.end() : block_end(text, head.end() - 1)]):
            while (without_arguments := re.sub(r"<[^<>]*>", "", member)) != member:  # arguments of templates
                member = without_arguments
            function = re.search(r"(operator[^\s\w(]+|~?\w+)\s*\(", member)
            is_other = re.search(r"\b(friend|using|static_assert)\b", member)
            if function and not is_other and "=" not in member[: function.start()]:
                names.append(function[1])
        found.append((head[1], names))
    return found


def test_member_functions_are_counted():
    text = """
template <class T>
class Many : public Base<T> {
 public:
  explicit Many(int a) : a_(a), b_{a} {}
  ~Many();
  [[nodiscard]] bool empty() const { return [] { f(); return true; }(); }  // not_me(
  void f(std::function<int(int)> g = {});
  template <class... Ts>
  void f(Ts... all);
  bool operator==(const Many&) const = default;
  friend void g(Many&);
  struct Inner {
    int inner() const;
    int x = h(3);
  };
  std::function<bool(int)> held;
  static constexpr int kFew = most(3);
  std::vector<int> list{1, 2}, other;

 private:
  int a_, b_ = size();
};
enum class Kind { kA };
"""
    assert methods(text) == [("Many", ["Many", "~Many", "empty", "f", "f", "operator=="]), ("Inner", ["inner"])]


MOST_METHODS = 25
# The classes with more, and how many they have. The numbers must not grow. SmallVector has the members of std::vector.
LARGE_CLASSES = {"src/support/small_vector.h: SmallVector": 36}


def test_classes_have_few_member_functions(root):
    paths = [p for folder in ("src", "include", "cli", "bindings") for p in (root / folder).rglob("*")]
    counts = {
        f"{path.relative_to(root)}: {name}": len(names)
        for path in paths
        if path.suffix in (".h", ".cpp")
        for name, names in methods(path.read_text(encoding="utf-8"))
    }
    assert len(counts) > 250
    assert {name: count for name, count in counts.items() if count > MOST_METHODS} == LARGE_CLASSES


def test_core_does_not_use_std_views(root):
    """clang 14, which builds the fuzz targets on Debian 12, cannot compile the views of libstdc++ 12."""
    paths = [p for folder in ("src", "include", "cli", "fuzz") for p in (root / folder).rglob("*")]
    texts = {p.name: p.read_text(encoding="utf-8") for p in paths if p.suffix in (".h", ".cpp")}
    assert len(texts) > 200
    assert [name for name, text in texts.items() if re.search(r"std::(ranges::)?views|#include <ranges>", text)] == []


def test_functions_and_files_are_short(root):
    paths = [
        p for folder in ("src", "cli", "bindings") for p in (root / folder).rglob("*") if p.suffix in (".h", ".cpp")
    ]
    paths = [p for p in paths if "tables" not in p.parts]
    assert len(paths) > 150
    function_count, check_files = 0, []
    for path in paths:
        text = path.read_text(encoding="utf-8")
        if (count := text.count("\n")) > 600:
            check_files.append(f"{path.name}: {count} lines")
        for name, length in functions(text):
            function_count += 1
            if length > 80:
                check_files.append(f"{path.name}: {length} lines: {name}")
    assert function_count > 1500
    assert not check_files, "\n".join(check_files)


def test_api_page_has_every_public_name(root: Path) -> None:
    (members,) = re.findall(r"members: \[(.*)\]", (root / "docs" / "site" / "api.md").read_text())
    assert sorted(members.split(", ")) == sorted(set(depyf.__all__) - {"__version__"})


def test_every_public_name_is_imported_statically(root: Path) -> None:
    package = ast.parse((root / "python" / "depyf" / "__init__.py").read_text())
    imports = [node for node in ast.walk(package) if isinstance(node, ast.ImportFrom)]
    imported = {alias.asname or alias.name for node in imports for alias in node.names}
    assert set(depyf.__all__) - {"__version__"} <= imported
