# SPDX-License-Identifier: MIT
"""`depyf.decompile`: what it takes, what it gives, and how it refuses."""

from __future__ import annotations

import dis
import enum
import functools
import inspect
import pickle
import re
import subprocess
import sys
import types

import depyf
import pytest
from depyf import _core
from depyf.decompilation import names


def plain(a, b):
    total = a + b
    return total * 2


class Thing:
    def method(self, x):
        return x + 1

    @staticmethod
    def static(x):
        return x + 2

    @classmethod
    def of_class(cls, x):
        return x + 3

    @property
    def read(self):
        return 4

    @functools.cached_property
    def cached(self):
        return 5

    def __call__(self, x):
        return x + 6


@functools.wraps(plain)
def wrapper(*args):
    return plain(*args)


@functools.lru_cache
def remembered(x):
    return x + 7


def compiled_wrapper(*args):
    return None


compiled_wrapper._torchdynamo_orig_callable = plain


@pytest.mark.parametrize(
    ("subject", "line"),
    [
        (plain, "    return total * 2"),
        (plain.__code__, "    return total * 2"),
        (Thing.method, "    return x + 1"),
        (Thing().method, "    return x + 1"),
        (Thing.static, "    return x + 2"),
        (Thing.__dict__["static"], "    return x + 2"),
        (Thing.of_class, "    return x + 3"),
        (Thing.__dict__["of_class"], "    return x + 3"),
        (Thing.__dict__["read"], "    return 4"),
        (Thing.__dict__["cached"], "    return 5"),
        (Thing(), "    return x + 6"),
        (functools.partial(plain, 1), "    return total * 2"),
        (functools.partial(functools.partial(Thing().method)), "    return x + 1"),
        (wrapper, "    return total * 2"),
        (remembered, "    return x + 7"),
        (compiled_wrapper, "    return total * 2"),
    ],
)
def test_takes_everything_that_has_code(subject, line):
    text = depyf.decompile(subject)
    assert line in text.splitlines()
    assert text.verdict == "exact"
    compile(text, "<text>", "exec")


def test_takes_running_code():
    def numbers():
        yield 1

    assert "yield 1" in depyf.decompile(numbers())
    namespace: dict = {"sys": sys}
    exec("def f():\n    return sys._getframe()\n", namespace)
    assert "return sys._getframe()" in depyf.decompile(namespace["f"]())


@pytest.mark.parametrize(
    ("subject", "words"),
    [
        (3, "int 3"),
        (None, "NoneType None"),
        (len, "'len'"),
        (Thing, "class 'Thing'"),
        (sys, "module 'sys'"),
        (object(), "type 'object'"),
    ],
)
def test_refuses_what_has_no_code_by_name(subject, words):
    with pytest.raises(depyf.DecompilationError) as caught:
        depyf.decompile(subject)
    assert isinstance(caught.value, TypeError)  # what Python itself raises for an argument of a wrong kind
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.code is subject
    assert caught.value.offset is None


def test_malformed_code_says_where():
    code = plain.__code__.co_code
    broken = plain.__code__.replace(co_code=bytes([dis.opmap["JUMP_FORWARD"], 250]) + code[2:])
    with pytest.raises(depyf.DecompilationError) as caught:
        depyf.decompile(broken)
    assert caught.value.code is broken
    assert "plain" in str(caught.value) and __file__ in str(caught.value)


def test_an_object_that_answers_to_every_name_ends():
    class Endless:
        def __getattr__(self, name):
            return Endless()

    with pytest.raises(depyf.DecompilationError):
        depyf.decompile(Endless())


def test_the_text_is_a_str_that_knows_more():
    text = depyf.decompile(plain)
    assert isinstance(text, str) and isinstance(text, depyf.Decompiled)
    assert text == "def plain(a, b):\n    total = a + b\n    return total * 2\n"
    assert text.codes == (plain.__code__,)
    assert text.verdict.kind == text.verdict == "exact"
    assert text.verdict.compiler.startswith("CPython ")
    assert text.verdicts == (text.verdict,)
    assert pickle.loads(pickle.dumps(text)) == text
    assert pickle.loads(pickle.dumps(text.verdict)).compiler == text.verdict.compiler


def test_without_recompilation_nothing_is_claimed():
    text = depyf.decompile(plain, recompile=False)
    assert text.verdict == "unchecked"
    assert text.verdict.compiler == ""
    assert text == depyf.decompile(plain)


def test_the_worst_verdict_speaks_for_all():
    from depyf.decompilation.result import Decompiled, Verdict

    kinds = ["exact", "unchecked", "proved", "unproved", "exact"]
    assert Decompiled("", verdicts=[Verdict(k) for k in kinds]).verdict == "unproved"
    assert Decompiled("", verdicts=[Verdict(k) for k in kinds[:3]]).verdict == "unchecked"
    assert Decompiled("").verdict == "unchecked"


def test_source_map_points_at_the_text():
    text = depyf.decompile(plain)
    lines = text.splitlines()
    assert {e.code for e in text.source_map} == {0}
    for entry in text.source_map:
        assert 1 <= entry.line <= entry.end_line <= len(lines)
        assert 0 <= entry.column <= len(lines[entry.line - 1])
    assert {2, 3} <= set(text.lines_of().values())


def test_options_reach_the_core():
    assert "\n  total" in depyf.decompile(plain, indent=2)
    assert depyf.decompile(plain, function_name="other").startswith("def other(a, b):")


@pytest.mark.parametrize(
    "options",
    [{"indent": 0}, {"indent": -1}, {"indent": 2**40}, {"temp_prefix": "1"}, {"function_name": "a b"},
     {"function_name": "if"}, {"skip": "structure"}, {"skip": ["nonsense"]}],
)  # fmt: skip
def test_options_that_there_are_not_are_named(options):
    (name, value), *_ = options.items()
    with pytest.raises(ValueError, match="no pass is named" if value == ["nonsense"] else f"{name}: wanted .* found"):
        depyf.decompile(plain, **options)
    with pytest.raises(TypeError):
        depyf.decompile(plain, nonsense=1)


@pytest.mark.parametrize(("name", "shown"), [("<lambda>", "lambda_"), ("class", "class_"), ("a-b", "a_b"), ("", "_")])
def test_a_name_that_no_def_can_have_is_replaced(name, shown):
    code = plain.__code__.replace(co_name=name)
    text = depyf.decompile(code)
    assert text.startswith(f"def {shown}(a, b):")
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


def test_an_interrupt_while_compiling_is_raised():
    def interrupted(text, bindings):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _core.decompile(plain.__code__, compile=interrupted)


def test_a_compiler_that_fails_is_a_reason_not_an_error():
    def failing(text, bindings):
        raise RecursionError("too deep")

    result = _core.decompile(plain.__code__, compile=failing)
    assert [row[1] for row in result.verdicts] == ["unproved"]
    assert "RecursionError: too deep" in result.verdicts[0][2]


def test_import_brings_no_torch():
    code = "import sys, depyf; assert not any(m.split('.')[0] == 'torch' for m in sys.modules), 'torch'"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_without_torch_its_names_are_absent(monkeypatch):
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
        raise AssertionError("the program's own")


def test_combined_flags_are_named_without_running_code_of_the_program():
    cls = f"{__name__}.Access"
    assert names.public_name(Access(3)) == f"{cls}.READ | {cls}.WRITE"
    assert names.loaded(f"{cls}.READ | {cls}.WRITE") is Access(3)
    assert names.loaded(f"{cls}.READ | os.path") is None
    assert names.public_name(Access(0)) == f"{cls}(0)" and names.resolve(f"{cls}(0)") is Access(0)
    assert names.loaded("os.path(0)") is None
    both = re.IGNORECASE | re.MULTILINE
    assert names.resolve(names.public_name(both)) is both


def test_dump_stage_lists_and_refuses():
    assert "plain" in _core.dump_stage(plain.__code__, "bytecode")
    with pytest.raises(depyf.DecompilationError):
        _core.dump_stage(plain.__code__, "no such stage")
    with pytest.raises(TypeError):
        _core.decompile("not code")


def test_verify_tells_codes_apart():
    def other(a, b):
        total = a - b
        return total * 2

    same = plain.__code__.replace(co_filename="elsewhere")
    assert [row[1] for row in _core.verify(plain.__code__, same)] == ["exact"]
    assert [row[1] for row in _core.verify(plain.__code__, other.__code__.replace(co_name="plain"))] == ["unproved"]


def defines(a):
    class Held:
        def read(self):
            return a, [lambda: self]

    def inner(b):
        return a + b

    return Held, inner


def tells_its_name(a):
    def inner(b):
        return a + b

    return inner, "defines_too.Held"


def test_verify_does_not_ask_what_the_two_are_called():
    scope = {}
    exec(inspect.getsource(defines).replace("defines", "defines_too"), scope)
    assert {verdict.kind for verdict in depyf.verify(defines, scope["defines_too"]).verdicts} == {"exact"}
    assert depyf.verify(defines, test_verify_tells_codes_apart).verdict.kind == "unproved"


def test_verify_compares_strings_that_look_like_the_names_of_what_is_defined():
    scope = {}
    exec(inspect.getsource(tells_its_name).replace("tells_its_name", "defines_too"), scope)
    assert depyf.verify(tells_its_name, scope["defines_too"])
    exec(inspect.getsource(tells_its_name).replace("defines_too", "other").replace("tells_its_name", "defines"), scope)
    assert depyf.verify(tells_its_name, scope["defines"]).verdict.kind == "unproved"
