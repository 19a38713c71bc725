# SPDX-License-Identifier: MIT
"""Tests the names and behaviour of depyf 0.20 that other tools use."""

from __future__ import annotations

import functools
import inspect
import os
import pickle
import types

import depyf
import pytest
from depyf import code_transform, utils
from depyf.decompiler import DecompilationError, Decompiler, decompile


def sample(a, b=2, *args, c=3, **kw):
    return lambda: a + b


def outer(q):
    def inner(x):
        nonlocal q
        q += x
        return x + q

    return inner


def test_names():
    assert decompile is depyf.decompile and Decompiler is depyf.Decompiler
    assert DecompilationError is depyf.DecompilationError and issubclass(DecompilationError, Exception)
    assert inspect.getfile(Decompiler).endswith("decompiler.py")
    signature = inspect.signature(Decompiler.decompile)
    assert list(signature.parameters) == ["self", "indentation", "temp_prefix", "overwite_fn_name"]
    assert signature.parameters["temp_prefix"].default == "__temp_"

    class Subclass(Decompiler):
        pass

    assert Subclass(outer).decompile() == Decompiler(outer.__code__).decompile()
    assert Subclass(sample).decompile().startswith("def sample(a, b=2, *args, c=3, **kw):")


def test_decompile_with_options():
    text = Decompiler(outer(1)).decompile(indentation=2, temp_prefix="__t", overwite_fn_name="zzz")
    assert text.startswith("def zzz(x):\n  nonlocal q\n")
    assert isinstance(text, str)


def test_decompile_and_compile_like_in_memory():
    code = outer(1).__code__
    compiled = Decompiler.decompile_and_compile_like(code, code)
    assert compiled.co_freevars == ("q",) and compiled.co_filename == "noname"
    function = types.FunctionType(compiled, {}, "inner", None, (types.CellType(5),))
    assert function(1) == 7


def test_decompile_and_compile_like_to_files(tmp_path):
    template = str(tmp_path / "code_%s.py")
    code = outer.__code__
    first = Decompiler.decompile_and_compile_like(code, code, filepath_template=template)
    second = Decompiler.decompile_and_compile_like(code, code, filepath_template=template)
    assert [os.path.basename(c.co_filename) for c in (first, second)] == ["code_0.py", "code_1.py"]
    text = (tmp_path / "code_1.py").read_text()
    assert text.startswith("def code_1(q):")
    compile(text, "<text>", "exec")


def test_decompile_and_compile_like_requires_the_same_free_variables(tmp_path):
    with pytest.raises(DecompilationError, match="free variables"):
        Decompiler.decompile_and_compile_like(
            outer.__code__, outer(1).__code__, filepath_template=str(tmp_path / "code_%s.py")
        )
    assert not list(tmp_path.iterdir())


def test_supported_opnames():
    names = Decompiler.supported_opnames()
    assert isinstance(names, list) and "RETURN_VALUE" in names and "POP_TOP" in names
    assert not any(name.startswith("<") for name in names)


def test_decompilation_error_can_be_made_from_a_message():
    error = DecompilationError("no such thing")
    assert (str(error), error.message, error.code, error.offset) == ("no such thing", "no such thing", None, None)
    assert str(DecompilationError()) == ""
    for same_error in (error, DecompilationError(message="no such thing")):  # attributes as depyf 0.20 had them
        assert (same_error.args, same_error.message, str(same_error)) == (
            ("no such thing",),
            "no such thing",
            "no such thing",
        )
        again = pickle.loads(pickle.dumps(same_error))
        assert (type(again), again.args, again.message) == (
            DecompilationError,
            same_error.args,
            same_error.message,
        )
    assert (DecompilationError().args, DecompilationError().message) == (("",), "")
    lines = "two\n  lines"
    assert (DecompilationError(lines).message, DecompilationError(lines).what) == (lines, "two lines")
    assert DecompilationError(None, 3, "bad").args == (None, 3, "bad")
    copied = pickle.loads(pickle.dumps(DecompilationError(None, 3, "bad")))
    assert (str(copied), copied.message, copied.offset) == ("offset 3: bad", "bad", 3)


def test_indentation():
    text = 'if b:\n  c = """\n    q\n"""\n\nd()\n'
    indented = code_transform.add_indentation(text)
    assert indented == '    if b:\n      c = """\n    q\n"""\n\n    d()\n'
    assert code_transform.remove_indentation(indented) == text
    assert code_transform.add_indentation("a\nb", 2) == "  a\n  b\n"
    assert code_transform.remove_indentation("  a\n  b", 2) == "a\nb\n"
    assert code_transform.remove_indentation("a\n") == "a\n" and code_transform.add_indentation("") == ""


def test_get_function_signature():
    assert utils.get_function_signature(sample.__code__) == "def sample(a, b, *args, c, **kw):\n"
    assert utils.get_function_signature(sample.__code__, overwite_fn_name="zz") == "def zz(a, b, *args, c, **kw):\n"
    positional = compile("def f(a, /, b, *, c): pass", "", "exec").co_consts[0]
    assert utils.get_function_signature(positional) == "def f(a, /, b, *, c):\n"


def test_collect_all_code_objects():
    assert [c.co_name for c in utils.collect_all_code_objects(sample.__code__)] == ["sample", "<lambda>"]
    module = compile("def a():\n  def b(): pass\ndef c(): pass", "", "exec")
    assert [c.co_name for c in utils.collect_all_code_objects(module)] == ["<module>", "a", "b", "c"]


def test_safe_create_directory(tmp_path):
    utils.safe_create_directory(tmp_path / "a" / "b")
    utils.safe_create_directory(str(tmp_path / "a" / "b"))
    assert (tmp_path / "a" / "b").is_dir()
    (tmp_path / "file").write_text("")
    with pytest.raises(FileExistsError):
        utils.safe_create_directory(tmp_path / "file")


def test_get_code_owner():
    class Thing:
        def method(self):
            return 1

        def __call__(self):
            return 2

    assert utils.get_code_owner(sample) is sample
    assert utils.get_code_owner(sample.__code__) is sample.__code__
    assert utils.get_code_owner(Thing().method) is Thing.method
    assert utils.get_code_owner(Thing()) is Thing.__call__
    assert utils.get_code_owner(functools.partial(sample)) is sample
    assert utils.get_code_owner(functools.wraps(sample)(lambda: 1)) is sample
    for other in (Thing, print, 3):
        assert utils.get_code_owner(other) is other


def test_decompile_ensure(monkeypatch):
    assert utils.decompile_ensure(outer.__code__, "other").startswith("def other(q):")

    def fail(*args, **kwargs):
        raise DecompilationError(outer.__code__, 4, "on purpose")

    monkeypatch.setattr(Decompiler, "decompile", fail)
    text = utils.decompile_ensure(outer.__code__)
    assert text.startswith("def outer(q):\n    'Failed to decompile: ") and "on purpose" in text
    compile(text, "<text>", "exec")
    with pytest.raises(DecompilationError):
        utils.decompile_ensure(3)


def test_prepare_freevars_for_compile():
    inner = outer(1).__code__
    source = 'def inner(x):\n    """doc\n  at two\n    """\n    return q\n'
    text = code_transform.prepare_freevars_for_compile(inner, source)
    namespace: dict = {}
    exec(text, namespace)
    found = [c for c in utils.collect_all_code_objects(compile(text, "", "exec")) if c.co_name == "inner"]
    assert found[0].co_freevars == ("q",)
    assert found[0].co_consts[0] == compile(source, "", "exec").co_consts[0].co_consts[0]
    assert code_transform.prepare_freevars_for_compile(outer.__code__, source) == source


def test_fix_irregular_code():
    source = "def inner(x):\n    'doc'\n    nonlocal q\n    return x + q\n"
    text = code_transform.fix_irregular_code(outer(1).__code__, source, add_local_variables=["zz"], add_cellvars=["cc"])
    found = {c.co_name: c for c in utils.collect_all_code_objects(compile(text, "", "exec"))}["inner"]
    assert "zz" in found.co_varnames and found.co_cellvars == ("cc",) and found.co_freevars == ("q",)
    assert code_transform.fix_irregular_code(outer.__code__, source) == source
