# SPDX-License-Identifier: MIT
"""Tests `depyf.decompile`: its arguments, its result and its errors."""

from __future__ import annotations

import copy
import dis
import enum
import functools
import inspect
import pickle
import re
import subprocess
import sys
import types
from pathlib import Path
from unittest.mock import MagicMock

import depyf
import pytest
from depyf import _core
from depyf.decompilation import names


def add_and_double(a, b):
    total = a + b
    return total * 2


class Methods:
    def method(self, x):
        return x + 1

    @staticmethod
    def static(x):
        return x + 2

    @classmethod
    def of_class(cls, x):
        return x + 3

    @property
    def read_property(self):
        return 4

    @functools.cached_property
    def cached(self):
        return 5

    def __call__(self, x):
        return x + 6


@functools.wraps(add_and_double)
def wrapper(*args):
    return add_and_double(*args)


@functools.lru_cache
def cached_function(x):
    return x + 7


def compiled_wrapper(*args):
    return None


compiled_wrapper._torchdynamo_orig_callable = add_and_double


@pytest.mark.parametrize(
    ("subject", "line"),
    [
        (add_and_double, "    return total * 2"),
        (add_and_double.__code__, "    return total * 2"),
        (Methods.method, "    return x + 1"),
        (Methods().method, "    return x + 1"),
        (Methods.static, "    return x + 2"),
        (Methods.__dict__["static"], "    return x + 2"),
        (Methods.of_class, "    return x + 3"),
        (Methods.__dict__["of_class"], "    return x + 3"),
        (Methods.__dict__["read_property"], "    return 4"),
        (Methods.__dict__["cached"], "    return 5"),
        (Methods(), "    return x + 6"),
        (functools.partial(add_and_double, 1), "    return total * 2"),
        (functools.partial(functools.partial(Methods().method)), "    return x + 1"),
        (wrapper, "    return total * 2"),
        (cached_function, "    return x + 7"),
        (compiled_wrapper, "    return total * 2"),
    ],
)
def test_accepts_everything_that_has_code(subject, line):
    text = depyf.decompile(subject)
    assert line in text.splitlines()
    assert text.verdict == "exact"
    compile(text, "<text>", "exec")


def test_accepts_generators_and_frames():
    def numbers():
        yield 1

    assert "yield 1" in depyf.decompile(numbers())
    namespace: dict = {"sys": sys}
    exec("def f():\n    return sys._getframe()\n", namespace)
    assert "return sys._getframe()" in depyf.decompile(namespace["f"]())


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        (3, "int 3"),
        (None, "NoneType None"),
        (len, "'len'"),
        (Methods, "class 'Methods'"),
        (sys, "module 'sys'"),
        (object(), "type 'object'"),
    ],
)
def test_error_names_an_object_without_code(subject, expected):
    with pytest.raises(depyf.DecompilationError) as caught:
        depyf.decompile(subject)
    assert isinstance(caught.value, TypeError)  # as Python raises for an argument of a wrong type
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.code is subject
    assert caught.value.offset is None


def test_error_of_malformed_code_names_the_code_and_file():
    code = add_and_double.__code__.co_code
    broken = add_and_double.__code__.replace(co_code=bytes([dis.opmap["JUMP_FORWARD"], 250]) + code[2:])
    with pytest.raises(depyf.DecompilationError) as caught:
        depyf.decompile(broken)
    assert caught.value.code is broken
    assert "add_and_double" in str(caught.value) and __file__ in str(caught.value)


def test_object_with_every_attribute_is_an_error():
    class Endless:
        def __getattr__(self, name):
            return Endless()

    with pytest.raises(depyf.DecompilationError):
        depyf.decompile(Endless())


def test_result_is_a_str_with_codes_and_verdicts():
    text = depyf.decompile(add_and_double)
    assert isinstance(text, str) and isinstance(text, depyf.Decompiled)
    assert text == "def add_and_double(a, b):\n    total = a + b\n    return total * 2\n"
    assert text.codes == (add_and_double.__code__,)
    assert text.verdict.kind == text.verdict == "exact"
    assert text.verdict.compiler.startswith("CPython ")
    assert text.verdicts == (text.verdict,)
    assert copy.copy(text) is copy.deepcopy(text) is text
    restored = pickle.loads(pickle.dumps(text))
    assert (restored, restored.verdicts, restored.source_map) == (text, text.verdicts, text.source_map)
    assert isinstance(restored, depyf.Decompiled) and restored.codes == ()
    assert pickle.loads(pickle.dumps(text.verdict)).compiler == text.verdict.compiler


def test_verdict_without_recompilation_is_unchecked():
    text = depyf.decompile(add_and_double, recompile=False)
    assert text.verdict == "unchecked"
    assert text.verdict.compiler == ""
    assert text == depyf.decompile(add_and_double)


def test_verdict_of_a_result_is_the_worst_of_all():
    from depyf.decompilation.result import Decompiled, Verdict

    kinds = ["exact", "unchecked", "proved", "unproved", "exact"]
    assert Decompiled("", verdicts=[Verdict(k) for k in kinds]).verdict == "unproved"
    assert Decompiled("", verdicts=[Verdict(k) for k in kinds[:3]]).verdict == "unchecked"
    assert Decompiled("").verdict == "unchecked"


def test_source_map_contains_positions_in_the_text():
    text = depyf.decompile(add_and_double)
    lines = text.splitlines()
    assert {e.code for e in text.source_map} == {0}
    for entry in text.source_map:
        assert 1 <= entry.line <= entry.end_line <= len(lines)
        assert 0 <= entry.column <= len(lines[entry.line - 1])
    assert {2, 3} <= set(text.lines_of().values())


def test_options_are_passed_to_the_core():
    assert "\n  total" in depyf.decompile(add_and_double, indent=2)
    assert depyf.decompile(add_and_double, function_name="other").startswith("def other(a, b):")


@pytest.mark.parametrize(
    "options",
    [{"indent": 0}, {"indent": -1}, {"indent": 2**40}, {"temp_prefix": "1"}, {"function_name": "a b"},
     {"function_name": "if"}, {"skip": "structure"}, {"skip": ["nonsense"]}],
)  # fmt: skip
def test_invalid_options_are_named_in_the_error(options):
    (name, value), *_ = options.items()
    with pytest.raises(ValueError, match="no pass is named" if value == ["nonsense"] else f"{name}: wanted .* found"):
        depyf.decompile(add_and_double, **options)
    with pytest.raises(TypeError):
        depyf.decompile(add_and_double, nonsense=1)


@pytest.mark.parametrize(
    "options",
    [{"readable": "x"}, {"recompile": 1}, {"indent": 2.5}, {"temp_prefix": 3}, {"function_name": None}, {"skip": 3},
     {"skip": [3]}],
)  # fmt: skip
def test_options_of_a_wrong_type_are_named_in_the_error(options):
    (name, value), *_ = options.items()
    with pytest.raises(TypeError, match=rf"^{name}: wanted [a-z ]+, found {re.escape(repr(value))}$"):
        depyf.decompile(add_and_double, **options)


def test_only_paths_and_texts_are_advised_to_be_read():
    for given, reads in ((Path("m.pyc"), True), (b"m", True), (MagicMock(), False), (3, False)):
        with pytest.raises(depyf.DecompilationError) as raised:
            depyf.decompile(given)
        assert ("decompile_pyc reads files" in str(raised.value)) is reads


@pytest.mark.parametrize(
    ("name", "expected"), [("<lambda>", "lambda_"), ("class", "class_"), ("a-b", "a_b"), ("", "_")]
)
def test_name_that_is_no_identifier_is_replaced(name, expected):
    code = add_and_double.__code__.replace(co_name=name)
    text = depyf.decompile(code)
    assert text.startswith(f"def {expected}(a, b):")
    assert text.verdict == "exact"
    assert text.recompile().co_name == name


def test_modules():
    code = compile("import os\nx = os.getcwd()\n", "m.py", "exec")
    text = depyf.decompile(code)
    assert text == "import os\nx = os.getcwd()\n"
    assert text.verdict == "exact"
    assert text.recompile().co_code == code.co_code


def test_nested_code_objects_are_listed_in_order():
    def outer():
        def inner():
            return 1

        return inner

    text = depyf.decompile(outer)
    assert [c.co_name for c in text.codes] == ["outer", "inner"]
    assert [v.code for v in text.verdicts] == [0, 1]


def test_interrupt_while_compiling_is_raised():
    def interrupted(text, bindings):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _core.decompile(add_and_double.__code__, compile=interrupted)


def test_failing_compiler_makes_the_verdict_unproved():
    def failing(text, bindings):
        raise RecursionError("too deep")

    result = _core.decompile(add_and_double.__code__, compile=failing)
    assert [row[1] for row in result.verdicts] == ["unproved"]
    assert "RecursionError: too deep" in result.verdicts[0][2]


def test_import_does_not_import_torch():
    code = "import sys, depyf; assert not any(m.split('.')[0] == 'torch' for m in sys.modules), 'torch'"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_names_that_need_torch_are_absent_without_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    for name in [n for n in sys.modules if n.startswith("depyf.torch")]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("prepare_debug", "debug", "install", "uninstall"):
        monkeypatch.delitem(vars(depyf), name, raising=False)
    monkeypatch.delitem(vars(depyf), "torch", raising=False)
    assert not hasattr(depyf, "prepare_debug")
    with pytest.raises(AttributeError, match="needs PyTorch"):
        depyf.install  # noqa: B018


def test_public_names():
    assert isinstance(depyf.__version__, str)
    for name in depyf.__all__:
        assert name in dir(depyf)
    assert isinstance(depyf, types.ModuleType)


class Access(enum.Flag):
    READ = 1
    WRITE = 2

    def __or__(self, other):
        raise AssertionError("code of the program ran")


def test_combined_flags_are_named_without_running_code_of_the_program():
    cls = f"{__name__}.Access"
    assert names.public_name(Access(3)) == f"{cls}.READ | {cls}.WRITE"
    assert names.loaded(f"{cls}.READ | {cls}.WRITE") is Access(3)
    assert names.loaded(f"{cls}.READ | os.path") is None
    assert names.public_name(Access(0)) == f"{cls}(0)" and names.resolve(f"{cls}(0)") is Access(0)
    assert names.loaded("os.path(0)") is None
    both = re.IGNORECASE | re.MULTILINE
    assert names.resolve(names.public_name(both)) is both


def test_dump_stage_output_and_errors():
    assert "add_and_double" in _core.dump_stage(add_and_double.__code__, "bytecode")
    with pytest.raises(depyf.DecompilationError):
        _core.dump_stage(add_and_double.__code__, "no such stage")
    with pytest.raises(TypeError):
        _core.decompile("not code")


def test_verify_of_equal_and_different_code():
    def other(a, b):
        total = a - b
        return total * 2

    same = add_and_double.__code__.replace(co_filename="elsewhere")
    assert [row[1] for row in _core.verify(add_and_double.__code__, same)] == ["exact"]
    assert [
        row[1] for row in _core.verify(add_and_double.__code__, other.__code__.replace(co_name="add_and_double"))
    ] == ["unproved"]


def defines(a):
    class Inner:
        def read_property(self):
            return a, [lambda: self]

    def inner(b):
        return a + b

    return Inner, inner


def returns_qualified_name(a):
    def inner(b):
        return a + b

    return inner, "defines_too.Inner"


def test_verify_ignores_the_names_of_the_two_functions():
    scope = {}
    exec(inspect.getsource(defines).replace("defines", "defines_too"), scope)
    assert {verdict.kind for verdict in depyf.verify(defines, scope["defines_too"]).verdicts} == {"exact"}
    assert depyf.verify(defines, test_verify_of_equal_and_different_code).verdict.kind == "unproved"


def test_verify_compares_strings_that_look_like_qualified_names():
    scope = {}
    exec(inspect.getsource(returns_qualified_name).replace("returns_qualified_name", "defines_too"), scope)
    assert depyf.verify(returns_qualified_name, scope["defines_too"])
    exec(
        inspect.getsource(returns_qualified_name)
        .replace("defines_too", "other")
        .replace("returns_qualified_name", "defines"),
        scope,
    )
    assert depyf.verify(returns_qualified_name, scope["defines"]).verdict.kind == "unproved"
