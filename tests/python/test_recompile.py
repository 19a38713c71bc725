# SPDX-License-Identifier: MIT
"""Tests `Decompiled.recompile()`, which compiles the text in its context to the code that it was made from."""

from __future__ import annotations

import ast
import dis
import os
import sys
import types
import warnings

import depyf
import pytest
from depyf import _core


def closure():
    first = 1
    second = 2

    def inner(x):
        nonlocal second
        second += x
        return first + second

    return inner


class Base:
    __hidden = 3

    def __init__(self, x):
        super().__init__()
        self.__x = x

    def mangled(self):
        return self.__x + self.__hidden

    def own_class(self):
        return __class__


def with_children(n):
    def child(k):
        return k + n

    return [child(i) for i in range(n)], (lambda q: q)


def documented():
    """First line.

    Indented line, which must stay where it is.
    """
    return """
text at the margin
"""


def imported_module(path):
    return os.getcwd() + path


@types.coroutine
def awaitable(x):
    y = yield x
    return y


def assert_same_code(a: types.CodeType, b: types.CodeType) -> None:
    verdicts = _core.verify(a, b)
    assert [row[1] for row in verdicts] == ["exact"] * len(verdicts), verdicts
    for name in ("co_name", "co_freevars", "co_cellvars", "co_varnames", "co_argcount", "co_flags", "co_qualname"):
        assert getattr(a, name, None) == getattr(b, name, None)


@pytest.mark.parametrize(
    "function",
    [
        closure,
        closure(),
        Base.__init__,
        Base.mangled,
        Base.own_class,
        with_children,
        documented,
        imported_module,
        awaitable,
    ],
    ids=lambda f: f.__qualname__,
)
def test_recompiled_code_is_the_same(function):
    text = depyf.decompile(function)
    assert text.verdict == "exact", text.verdict.describe()
    assert_same_code(function.__code__, text.recompile())


def test_recompiled_code_can_replace_the_original():
    function = closure()
    before = function(1)
    code = depyf.decompile(closure).recompile()
    recompiled = types.FunctionType(code, {})()
    assert recompiled(1) == before
    inner = closure()
    inner.__code__ = depyf.decompile(inner).recompile()
    assert inner(5) == 8


def test_nested_qualified_names_are_those_of_the_original():
    code = depyf.decompile(with_children).recompile()
    namespace = {}
    created = types.FunctionType(code, namespace)(1)
    assert created[1].__qualname__ == "with_children.<locals>.<lambda>"
    created = types.FunctionType(depyf.decompile(closure).recompile(), namespace)()
    assert created.__qualname__ == "closure.<locals>.inner"


def test_context_of_a_method_has_the_class():
    context = depyf.decompile(Base.__init__).context
    assert context.free_variables == ("__class__",)
    assert context.class_name == ("Base")


def test_future_flags():
    source = "from __future__ import annotations\ndef f():\n    def g(x: int) -> str: pass\n    return g\n"
    namespace: dict = {}
    exec(compile(source, "<source>", "exec", dont_inherit=True), namespace)
    text = depyf.decompile(namespace["f"])
    assert text.context.future_flags == 0x1000000
    assert text.verdict == "exact", text.verdict.describe()
    assert_same_code(namespace["f"].__code__, text.recompile())


@pytest.mark.skipif(sys.version_info < (3, 11), reason="imports do not matter before 3.11")
def test_imports_of_the_module_are_detected():
    assert depyf.decompile(imported_module).context.imports == ("os",)
    module = compile("import os\ndef f():\n    return os.getcwd()\ndef g(os):\n    return os.getcwd()\n", "m", "exec")
    functions = {c.co_name: c for c in module.co_consts if isinstance(c, types.CodeType)}
    assert depyf.decompile(functions["f"]).context.imports == ("os",)
    assert depyf.decompile(functions["g"]).context.imports == ("os",)  # the compiler only compares the name
    plain = compile("def f():\n    return os.getcwd()\n", "m", "exec").co_consts[0]
    assert depyf.decompile(plain).context.imports == ()


def test_recompiled_code_has_the_given_file_name_and_lines_of_the_text():
    text = depyf.decompile(documented)
    code = text.recompile("file.py")
    assert code.co_filename == "file.py"
    assert code.co_firstlineno == 1


def test_recompile_shows_no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        namespace: dict = {}
        exec("def f(x):\n    return x is 1\n", namespace)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        text = depyf.decompile(namespace["f"])
        assert text.verdict == "exact"
        text.recompile()


def test_text_without_code_objects_cannot_be_recompiled():
    with pytest.raises(depyf.DecompilationError):
        depyf.Decompiled("x = 1\n").recompile()


def test_names_that_only_look_private_are_not_mangled():
    # Dynamo adds globals such as __compiled_fn_0 to the code of methods.
    class Model:
        def forward(self, x):
            self.__private = x
            return compiled_function(x)  # noqa: F821

    code = Model.forward.__code__
    code = code.replace(co_names=tuple(n.replace("compiled_function", "__compiled_fn_0") for n in code.co_names))
    decompiled = depyf.decompile(code)
    assert decompiled.verdict.kind == "exact"
    assert decompiled.recompile().co_names == code.co_names


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="assembles instructions of 3.11")
def test_variables_that_no_instruction_uses_stay_free_or_cells():
    # Dynamo's code keeps the free and cell variables of the original, whether used or not.
    def outer(used, unused):
        def inner(x, y):
            def innermost():
                return x, y, used, unused

            return innermost

        return inner

    code = outer(1, 2).__code__
    plain = (lambda: 3).__code__.co_code
    code_without_uses = code.replace(co_code=bytes([dis.opmap["COPY_FREE_VARS"], 2]) + plain, co_consts=(None, 3))
    code_without_uses = code_without_uses.replace(co_exceptiontable=b"", co_stacksize=4)
    recompiled = depyf.decompile(code_without_uses).recompile()
    assert (recompiled.co_freevars, set(recompiled.co_cellvars)) == (
        code_without_uses.co_freevars,
        set(code_without_uses.co_cellvars),
    )


@pytest.mark.skipif(sys.version_info < (3, 11), reason="no COPY_FREE_VARS")
def test_unreachable_copy_free_vars_of_other_code():
    # Resume functions start with the first instructions of the original code, which are jumped over.
    def outer(x):
        return lambda: x

    code = outer(1).__code__
    copy_free_vars = bytes([dis.opmap["COPY_FREE_VARS"], 5])
    text = depyf.decompile(code.replace(co_code=code.co_code + copy_free_vars + code.co_code))
    assert text.verdict.holds
    with pytest.raises(depyf.DecompilationError, match="COPY_FREE_VARS"):
        depyf.decompile(code.replace(co_code=copy_free_vars + code.co_code[2:]))


def reads_twice(x):
    def inner():
        x  # noqa: B018
        x  # noqa: B018
        return 1

    return inner


def jump_over_second_read(inner, name):
    """Returns INNER, which loads NAME twice, with a jump from the first load over the second."""
    read = [i for i in dis.get_instructions(inner) if i.argval == name and i.opname.startswith("LOAD")]
    first, last = read[0].offset, next(i.offset for i in dis.get_instructions(inner) if i.offset > read[1].offset)
    jump = bytes([dis.opmap["JUMP_FORWARD"], (last - first) // 2])
    return inner.replace(co_code=inner.co_code[:first] + jump + inner.co_code[first + 2 :])


def inner_of(code):
    (inner,) = (c for c in code.co_consts if isinstance(c, types.CodeType))
    return inner


def with_inner(code, inner):
    """Returns CODE with INNER in place of its nested code object."""
    return code.replace(co_consts=tuple(inner if isinstance(c, types.CodeType) else c for c in code.co_consts))


def test_free_variable_of_unreachable_code_is_kept():
    """Dynamo's resume functions keep all code of the original, jump over most of it, and have its free variables."""
    code = reads_twice.__code__
    code = with_inner(code, jump_over_second_read(inner_of(code), "x"))
    text = depyf.decompile(code)
    assert text.verdict in ("exact", "proved")
    assert inner_of(text.recompile()).co_freevars == ("x",)


def outer_of_nested(x):
    def between():
        def inner():
            x  # noqa: B018
            x  # noqa: B018
            return 1

        return inner

    return between


class WithMethod:
    def method(self):
        def inner():
            __class__  # noqa: B018
            __class__  # noqa: B018
            return 1

        return inner


@pytest.mark.parametrize(
    ("code", "name"),
    [(inner_of(outer_of_nested.__code__), "x"), (WithMethod.method.__code__, "__class__")],
    ids=["x", "__class__"],
)
def test_free_variable_of_unreachable_code_is_kept_if_the_enclosing_function_does_not_bind_it(code, name):
    code = with_inner(code, jump_over_second_read(inner_of(code), name))
    text = depyf.decompile(code)
    assert text.verdict in ("exact", "proved")
    assert inner_of(text.recompile()).co_freevars == (name,)


def returns_function():
    def created():
        return 1

    return created


@pytest.mark.skipif(sys.version_info < (3, 11), reason="code objects hold no qualified name")
def test_nested_function_keeps_its_qualified_name():
    """Functions that a resume function defines have the qualified name of the original function."""
    code = returns_function.__code__
    code = with_inner(code, inner_of(code).replace(co_qualname="elsewhere.<locals>.created"))
    text = depyf.decompile(code)
    assert text.verdict in ("exact", "proved")
    assert types.FunctionType(text.recompile(), {})().__qualname__ == "elsewhere.<locals>.created"
    assert "__qualname__" not in depyf.decompile(returns_function)


def creates_lambdas(call, count):
    while count:
        count -= call(lambda: call)
    return lambda: call


@pytest.mark.skipif(sys.version_info < (3, 11), reason="code objects hold no qualified name")
def test_lambda_keeps_its_qualified_name():
    """Lambdas in a resume function's part of a loop have the qualified name of the original function."""
    code = creates_lambdas.__code__
    name = "elsewhere.<locals>.<lambda>"
    constants = [c.replace(co_qualname=name) if isinstance(c, types.CodeType) else c for c in code.co_consts]
    text = depyf.decompile(code.replace(co_consts=tuple(constants)))
    assert text.verdict in ("exact", "proved")
    names = []
    last = types.FunctionType(text.recompile(), {})(lambda f: names.append(f.__qualname__) or 1, 2)
    assert {*names, last.__qualname__} == {name} and len(names) == 2
    assert "__qualname__" not in depyf.decompile(creates_lambdas)


def calls_lambda_and_generator(x):
    return (lambda v: v + x)(1), sum(v for v in (x, x))


@pytest.mark.skipif(sys.version_info < (3, 11), reason="code objects hold no qualified name")
def test_anonymous_functions_keep_their_qualified_names():
    def with_new_name(value):
        inner = isinstance(value, types.CodeType)
        return (
            value.replace(co_qualname=value.co_qualname.replace("calls_lambda_and_generator", "elsewhere"))
            if inner
            else value
        )

    code = calls_lambda_and_generator.__code__
    code = code.replace(co_consts=tuple(map(with_new_name, code.co_consts)))
    text = depyf.decompile(code)
    assert text.verdict in ("exact", "proved"), text.verdict.describe()
    names = {c.co_qualname for c in text.recompile().co_consts if isinstance(c, types.CodeType)}
    assert names == {"elsewhere.<locals>.<lambda>", "elsewhere.<locals>.<genexpr>"}


def calls_resume_function(x):
    def resumed(y):
        return (lambda v: v + y)(x)

    return resumed(x)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="code objects hold no qualified name")
def test_lambda_in_a_function_that_is_called_at_once_keeps_its_qualified_name():
    """Older releases of Dynamo define and call a closure's resume function at once; the text gives it a new name."""
    code, name = calls_resume_function.__code__, "elsewhere.<locals>.<lambda>"
    resumed = inner_of(code)
    resumed = with_inner(resumed, inner_of(resumed).replace(co_qualname=name))
    created = "torch_dynamo_resume_in_elsewhere_at_3"
    code = with_inner(code, resumed.replace(co_name=created, co_qualname=created))
    unused = calls_lambda_and_generator.__code__  # unused constants of the original code remain
    code = code.replace(co_consts=(*code.co_consts, unused))
    text = depyf.decompile(code)
    assert text.verdict in ("exact", "proved"), text.verdict.describe()
    (recompiled,) = (
        c
        for c in text.recompile().co_consts
        if isinstance(c, types.CodeType) and c.co_name != "calls_lambda_and_generator"
    )
    assert inner_of(recompiled).co_qualname == name


@pytest.mark.parametrize("text", ["a = 1; a; b\n", "if a: b\n"])
def test_interactive_mode(text: str) -> None:
    """Code of mode "single" displays the values of expressions, and so does the recompiled code."""
    code = compile(text, "<stdin>", "single", dont_inherit=True)
    found = depyf.decompile(code)
    assert found.splitlines()[0] == "# mode: single"
    assert found.verdict == "exact"
    assert found.recompile().co_code == code.co_code


@pytest.mark.parametrize("source", ["", "pass", "1", "if 0: x"])
def test_module_without_statements(source):
    text = depyf.decompile(compile(source, "s", "exec"))
    assert text.verdict == "exact"
    assert text.recompile().co_code == compile("", "s", "exec").co_code


def test_module_with_top_level_await():
    """IPython compiles cells in this way."""
    source = "x = await f()\nasync with x as b:\n    print(b)\nprint([i async for i in x])\n"
    code = compile(source, "cell", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    text = depyf.decompile(code)
    assert text.verdict == "exact"
    assert text.recompile().co_flags == code.co_flags
