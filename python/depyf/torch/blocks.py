# SPDX-License-Identifier: MIT
"""Blocks (`with` statements) that also decorate coroutine functions and generator functions.

A call of such a function only creates an object, and its body runs later. `contextlib.ContextDecorator` ends the block
when the call returns, before the body begins. Here the block begins with the body and ends with it.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AbstractContextManager
from typing import Any, TypeVar, cast

_Function = TypeVar("_Function", bound=Callable[..., Any])


class Block(contextlib.ContextDecorator):
    """Base of context managers; a decorated function runs in a block of its own, which `_recreate_cm` creates."""

    def __call__(self, func: _Function) -> _Function:
        """Returns a function of the same kind, whose body runs in a block."""
        new_block = cast("Callable[[], AbstractContextManager[Any]]", self._recreate_cm)
        if inspect.isasyncgenfunction(func):
            inner = _of_async_generator(new_block, func)
        elif inspect.iscoroutinefunction(func):
            inner = _of_coroutine(new_block, func)
        elif inspect.isgeneratorfunction(func):
            inner = _of_generator(new_block, func)
        else:
            return super().__call__(func)
        return cast("_Function", functools.wraps(func)(inner))


def _of_coroutine(new_block: Callable[[], AbstractContextManager[Any]], func: Callable[..., Any]) -> Any:
    async def inner(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        with new_block():
            return await func(*args, **kwargs)

    return inner


def _of_generator(new_block: Callable[[], AbstractContextManager[Any]], func: Callable[..., Any]) -> Any:
    def inner(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
        __tracebackhide__ = True
        with new_block():
            return (yield from func(*args, **kwargs))

    return inner


def _of_async_generator(new_block: Callable[[], AbstractContextManager[Any]], func: Callable[..., Any]) -> Any:
    async def inner(*args: Any, **kwargs: Any) -> AsyncGenerator[Any, Any]:
        __tracebackhide__ = True
        with new_block():
            generator = func(*args, **kwargs)
            resume = generator.__anext__()
            try:
                while True:  # `yield from` for asynchronous generators, which Python lacks
                    value = await resume
                    try:
                        sent = yield value
                    except GeneratorExit:
                        await generator.aclose()
                        raise
                    except BaseException as error:
                        resume = generator.athrow(error)
                    else:
                        resume = generator.asend(sent)
            except StopAsyncIteration:
                return

    return inner
