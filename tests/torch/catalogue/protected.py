# SPDX-License-Identifier: MIT
"""Graph breaks in nested `try`, `with` and loops.

Many releases skip a frame with a break in `try` or a loop. If another break precedes it, the frame is that of a resume
function.
"""

from __future__ import annotations

import contextlib

import torch

from . import case, disabled, ones

TRACE: list[object] = []


def traced():
    return list(TRACE)


@torch.compiler.disable
def note(*values):
    TRACE.extend(v if isinstance(v, (int, str)) else type(v).__name__ for v in values)
    return values[0]


@torch.compiler.disable
def fail(kind, *values):
    raise kind(*values)


class Scope:
    """A context manager that Dynamo traces."""

    def __init__(self, value):
        self.value = value

    def __enter__(self):
        return self.value

    def __exit__(self, *_):
        return False


def signs():
    a, b = ones()[0]
    return [(a, b), (a, -b)]


@case(observe=traced)
def except_by_kind(a, b):
    a = a + b
    torch._dynamo.graph_break()
    try:
        a = fail(KeyError, "k")
    except ValueError:
        a = a + 1
    except (TypeError, KeyError):
        a = note(a) + 2
    return a + b


@case(observe=traced)
def except_with_a_name(a, b):
    a = a + b
    torch._dynamo.graph_break()
    try:
        fail(ValueError, 3)
    except ValueError as error:
        a = a + error.args[0]
        note("caught", str(error))
    return a + b


@case(observe=traced)
def except_else_finally(a, b):
    a = a + b
    torch._dynamo.graph_break()
    try:
        x = note(a) + 1
    except ValueError:
        x = b
    else:
        x = note(x) * 2
    finally:
        b = note(b) + 1
    return x, b


@case(observe=traced)
def reraised(a, b):
    a = a + b
    torch._dynamo.graph_break()
    try:
        try:
            fail(ValueError, "inner")
        except ValueError:
            note("seen")
            raise
        finally:
            note("left")
    except ValueError as error:
        a = a + len(str(error))
    return a + b


@case(observe=traced)
def raised_from(a, b):
    a = a + b
    torch._dynamo.graph_break()
    try:
        try:
            fail(KeyError, "first")
        except KeyError as error:
            raise ValueError("second") from error
    except ValueError as error:
        note(type(error.__cause__).__name__, str(error))
    return note(a) + b


@case(observe=traced)
def raised_while_handling(a, b):
    a = a + b
    torch._dynamo.graph_break()
    try:
        try:
            fail(KeyError, 1)
        except KeyError:
            fail(TypeError, 2)
    except TypeError as error:
        note(type(error.__context__).__name__)
    return a + b


@case(observe=traced)
def leaves_with_an_exception(a, b):
    a = a + b
    torch._dynamo.graph_break()
    try:
        a = note(a) + b
        fail(LookupError, "gone")
    finally:
        note("finally")
    return a


@case(observe=traced)
def return_through_finally(a, b):
    a = a + b
    torch._dynamo.graph_break()
    try:
        x = note(a) + b
        return note(x)
    finally:
        note("after")


@case(observe=traced)
def return_that_finally_overrides(a, b):
    a = a + b
    torch._dynamo.graph_break()
    try:
        fail(ValueError, 1)
    except ValueError:
        a = note(a)
    try:
        b = note(b) * 2
    finally:
        a = a + b
    return note(a)


@case(observe=traced)
def loop_with_try_and_exits(a, b):
    a = a + b
    torch._dynamo.graph_break()
    for i in range(5):
        try:
            if i == 1:
                continue
            if i == 3:
                break
            a = note(a) + i
        finally:
            note(i)
    return a + b


@case(observe=traced)
def loop_until_no_error(a, b):
    a = a + b
    torch._dynamo.graph_break()
    n = 0
    while True:
        try:
            if n < 2:
                fail(ValueError, n)
            break
        except ValueError:
            n += 1
            a = a + n
    return note(a) + b


@case(observe=traced)
def try_in_each_round(a, b):
    a = a + b
    torch._dynamo.graph_break()
    for kind in (ValueError, KeyError):
        try:
            fail(kind, 1)
        except ValueError:
            a = a + 1
        except KeyError:
            a = a * 2
        torch._dynamo.graph_break()
    return a + b


@case(observe=traced)
def handler_with_a_loop(a, b):
    a = a + b
    torch._dynamo.graph_break()
    try:
        fail(ValueError, [1, 2])
    except ValueError as error:
        for n in error.args[0]:
            a = a + n
        torch._dynamo.graph_break()
        a = note(a)
    return a + b


@case(signs, observe=traced)
def branch_in_try(a, b):
    a = a + b
    torch._dynamo.graph_break()
    try:
        if b.sum() > 0:
            a = a + 1
        else:
            a = fail(ValueError, "negative")
    except ValueError:
        a = a - 1
    return a * b


@case(signs, observe=traced)
def branch_in_finally(a, b):
    a = a + b
    torch._dynamo.graph_break()
    try:
        a = note(a) * 2
    finally:
        if b.sum() > 0:
            a = a + 1
        note("end")
    return a


@case(signs, observe=traced)
def branch_in_with(a, b):
    with torch.no_grad():
        a = a * 2
        if b.sum() > 0:
            a = note(a) + 1
        else:
            a = a - 1
    return a + b


@case(observe=traced)
def return_in_with(a, b):
    with torch.no_grad():
        x = a + b
        return note(x), torch.is_grad_enabled()


@case(observe=traced)
def break_out_of_with(a, b):
    a = a + b
    torch._dynamo.graph_break()
    for i in range(3):
        with torch.no_grad():
            a = note(a) + i
            if i == 1:
                break
    return a + b, torch.is_grad_enabled()


@case(observe=traced)
def continue_out_of_with(a, b):
    a = a + b
    torch._dynamo.graph_break()
    for i in range(3):
        with torch.no_grad():
            a = a + i
            torch._dynamo.graph_break()
            if i == 1:
                continue
            a = a * b
    return a


@case(observe=traced)
def with_around_try(a, b):
    a = a + b
    torch._dynamo.graph_break()
    with torch.no_grad():
        try:
            a = note(a) + 1
            fail(ValueError, "x")
        except ValueError:
            a = a * 2
        b = note(b)
    return a + b


@case(observe=traced)
def try_around_with(a, b):
    a = a + b
    torch._dynamo.graph_break()
    try:
        with torch.no_grad():
            a = note(a) + 1
            fail(ValueError, "x")
    except ValueError:
        b = b + torch.is_grad_enabled()
    return a + b


@case(observe=traced)
def with_in_a_handler(a, b):
    a = a + b
    torch._dynamo.graph_break()
    try:
        fail(KeyError, "k")
    except KeyError:
        with torch.no_grad():
            a = note(a) * 2
    return a + b


@case(observe=traced)
def with_in_finally(a, b):
    a = a + b
    torch._dynamo.graph_break()
    try:
        a = note(a) + 1
    finally:
        with torch.no_grad():
            b = note(b) * 2
    return a + b


@case()
def three_managers(a, b):
    with torch.no_grad(), torch.enable_grad(), torch.no_grad():
        x = a + 1
        torch._dynamo.graph_break()
        y = x * b
    return y, torch.is_grad_enabled()


@case()
def same_manager_twice(a, b):
    guard = torch.no_grad()
    with guard:
        a = disabled(a) + 1
    with guard:
        b = disabled(b) + 1
    return a + b


@case()
def manager_with_a_value(a, b):
    with Scope(3) as n:
        a = a + n
    with Scope((1, 2)) as (p, q):
        a = a * p + q
    a = disabled(a)
    with contextlib.nullcontext(b) as x:
        a = a + x
    return disabled(a)


@case()
def break_inside_a_traced_manager(a, b):
    a = a + b
    torch._dynamo.graph_break()
    with Scope(2) as n:
        a = a + n
        torch._dynamo.graph_break()
        a = a * n
    return a + b


@case(observe=traced)
def suppressed(a, b):
    a = a + b
    torch._dynamo.graph_break()
    with contextlib.suppress(ValueError):
        a = a + 1
        fail(ValueError, "quiet")
        a = a + 100
    return note(a) + b


@case()
def exit_stack(a, b):
    a = a + b
    torch._dynamo.graph_break()
    with contextlib.ExitStack() as stack:
        stack.enter_context(torch.no_grad())
        a = disabled(a) * 2
    return a + b, torch.is_grad_enabled()


@case()
def grad_mode_switched(a, b):
    torch.set_grad_enabled(False)
    x = disabled(a) + 1
    torch.set_grad_enabled(True)
    y = disabled(x) + b
    with torch.set_grad_enabled(False):
        z = disabled(y) * 2
    return z, torch.is_grad_enabled()


@case()
def managers_in_turns(a, b):
    with torch.no_grad():
        x = disabled(a)
    with torch.enable_grad():
        y = disabled(b)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        z = x.view(2, 2) @ y.view(2, 2)
        torch._dynamo.graph_break()
        w = z @ z
    return x + y, w.float()


@torch.no_grad()
def quiet(x):
    return x * 2, torch.is_grad_enabled()


@case()
def decorated_with_no_grad(a, b):
    x, was = quiet(a)
    torch._dynamo.graph_break()
    y, _ = quiet(b)
    return x + y, was


@case(observe=traced)
def values_kept_over_a_handler(a, b):
    return (a + 1, note(b), [a * 2, protected(a), note(a)])


def protected(x):
    try:
        return fail(ValueError, 1)
    except ValueError:
        return x * 3


@case(observe=traced)
def break_in_an_inlined_try(a, b):
    def careful(x):
        try:
            y = note(x) + 1
        finally:
            note("careful")
        return y * 2

    return careful(a) + careful(b)


@case(observe=traced)
def break_in_an_inlined_with(a, b):
    def quiet(x):
        with torch.no_grad():
            y = note(x) + 1
        return y * 2

    return quiet(a) + quiet(b)


@case(observe=traced)
def exception_group_of_values(a, b):
    a = a + b
    torch._dynamo.graph_break()
    problems = []
    for kind in (ValueError, TypeError):
        try:
            fail(kind, "p")
        except Exception as error:
            problems.append(type(error).__name__)
    return note(a) + len(problems), problems
