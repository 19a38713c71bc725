# SPDX-License-Identifier: MIT
"""Tests that _core.pyi matches the signatures that nanobind generates, and that a type checker finds the package.

mypy's stubtest cannot be used: it does not recognize nanobind's functions.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import depyf
import pytest
from depyf import _core
from nanobind.stubgen import StubGen

STUB = Path(depyf.__file__).with_name("_core.pyi")


def members(text: str) -> dict[str, ast.FunctionDef]:
    """Returns the functions, and the methods and properties of classes, by name."""
    found = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = node
        elif isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{f.name}": f for f in node.body if isinstance(f, ast.FunctionDef)}
    return found


def parameters(function: ast.FunctionDef) -> list[tuple[str, str, bool]]:
    """Returns the name, the kind and whether there is a default of each parameter."""
    a = function.args
    plain = [*a.posonlyargs, *a.args]
    required = len(plain) - len(a.defaults)
    rows = [(p.arg, "positional", i >= required) for i, p in enumerate(plain)]
    rows += [(p.arg, "keyword", d is not None) for p, d in zip(a.kwonlyargs, a.kw_defaults, strict=True)]
    return rows


def annotations(function: ast.FunctionDef) -> dict[str, str]:
    arguments = [*function.args.args, *function.args.kwonlyargs]
    found = {a.arg: ast.unparse(a.annotation) for a in arguments if a.annotation is not None}
    return {**found, "return": ast.unparse(function.returns)} if function.returns is not None else found


def test_stub_matches_the_module():
    generator = StubGen(_core)
    generator.put(_core)
    runtime, stub = members(generator.get()), members(STUB.read_text("utf-8"))
    assert runtime.keys() == stub.keys() and len(stub) > 10
    for name, function in runtime.items():
        assert parameters(stub[name]) == parameters(function), name
        stub_annotations = annotations(stub[name])
        for argument, type_name in annotations(function).items():
            if "object" not in type_name:  # nanobind has no more precise type for these
                assert stub_annotations[argument] == type_name, f"{name}: {argument}"


PROGRAM = """
import depyf
import depyf.utils
from depyf.decompiler import Decompiler
from depyf.explain.enable_debugging import prepare_debug

def f(x: int) -> int:
    return x + 1

text: str = depyf.decompile(f)
kind: str = depyf.decompile(f).verdict.kind
signature: str = depyf.utils.get_function_signature(f.__code__)
again: depyf.Decompiled = Decompiler(f).decompile(overwite_fn_name="g")
session: depyf.Session = depyf.prepare_debug("dump", execution=depyf.Execution.ORIGINAL)
wrong: int = depyf.utils.get_function_signature(f.__code__)
"""


@pytest.mark.slow
@pytest.mark.parametrize("strict", [[], ["--strict"]])
def test_type_checker_finds_the_imports_of_a_user(strict, tmp_path):
    """This includes the modules of 0.20, whose code is in another folder than their names suggest."""
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    command = [sys.executable, "-m", "mypy", "--no-incremental", "--follow-imports=silent", *strict, str(program)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    errors = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert len(errors) == 1 and f":{len(PROGRAM.splitlines())}:" in errors[0], done.stdout  # the last line
