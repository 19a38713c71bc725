# SPDX-License-Identifier: MIT
"""Tests the blocks of depyf as decorators of functions whose body runs after the call that creates it has returned."""

from __future__ import annotations

import asyncio
import inspect

import depyf
import pytest
import torch
from depyf.torch.blocks import Block


def compiles():
    torch.compiler.reset()
    torch.compile(lambda x: torch._dynamo.graph_break() or x + 1, backend="eager")(torch.ones(2))


async def coroutine():
    await asyncio.sleep(0)
    compiles()


def generator():
    yield
    compiles()


async def async_generator():
    yield
    compiles()


def run(function):
    """Runs the body of a function of any kind to its end."""

    async def run_all():
        async for _ in function():
            pass

    if inspect.isasyncgenfunction(function):
        asyncio.run(run_all())
    elif inspect.iscoroutinefunction(function):
        asyncio.run(function())
    else:
        assert inspect.isgeneratorfunction(function)
        assert list(function()) == [None]


@pytest.fixture(params=[coroutine, generator, async_generator], ids=lambda function: function.__name__)
def body(request):
    return request.param


def test_prepare_debug_watches_the_body(body, tmp_path):
    run(depyf.prepare_debug(tmp_path)(body))
    assert len(depyf.Run.load(tmp_path).graph_breaks) == 1


def test_expect_judges_the_body(body):
    run(depyf.expect(breaks=1)(body))
    with pytest.raises(AssertionError, match="expected at most 0 graph breaks, found 1"):
        run(depyf.expect(breaks=0)(body))


class Noted(Block):
    """A block that appends its beginning and its end to a list."""

    def __init__(self, events):
        self.events = events

    def _recreate_cm(self):
        return Noted(self.events)

    def __enter__(self):
        self.events.append("begin")

    def __exit__(self, kind, error, trace):
        self.events.append(kind.__name__ if kind is not None else "end")


def test_generators_are_resumed_closed_and_finished_in_the_block():
    events = []

    @Noted(events)
    def echo(first):
        """Yields what it receives."""
        try:
            first = yield first
        except ValueError as error:
            first = yield str(error)
        events.append("body")
        return first

    assert echo.__doc__ == "Yields what it receives." and events == []
    running = echo(1)
    assert next(running) == 1 and events == ["begin"]
    assert running.throw(ValueError("two")) == "two"
    with pytest.raises(StopIteration) as raised:
        running.send(3)
    assert raised.value.value == 3 and events == ["begin", "body", "end"]
    running = echo(1)
    next(running)
    running.close()
    assert events[3:] == ["begin", "GeneratorExit"]


def test_asynchronous_generators_are_resumed_closed_and_finished_in_the_block():
    events = []

    @Noted(events)
    async def echo(first):
        try:
            received = yield first
            while True:
                try:
                    received = yield received
                except ValueError as error:
                    received = yield str(error)
        finally:
            events.append("body")

    async def use():
        running = echo(1)
        assert await running.__anext__() == 1 and await running.asend(2) == 2
        assert await running.athrow(ValueError("three")) == "three"
        await running.aclose()
        assert events == ["begin", "body", "GeneratorExit"]
        running = echo(1)
        await running.__anext__()
        with pytest.raises(KeyError):
            await running.athrow(KeyError("four"))
        assert events[3:] == ["begin", "body", "KeyError"]

    asyncio.run(use())


def test_debug_pauses_where_a_coroutine_runs(monkeypatch):
    paused = []
    monkeypatch.setattr("sys.breakpointhook", lambda *, frame: paused.append(frame.f_code.co_name))

    @depyf.debug()
    async def body():
        assert paused == ["user"]
        return torch.compiler.is_compiling()

    async def user():
        return await body()

    assert asyncio.run(user()) is False and paused == ["user"]
