# SPDX-License-Identifier: MIT
"""Generators, coroutines and asynchronous statements, driven by sending, throwing and closing."""

from table import Case, compiled, function

YIELD = function("yield 0")
AWAIT = function("await a", head="async def")
CASES = [
    Case("yield", "-a; YIELD_VALUE; = x; -b; YIELD_VALUE; pop; x; ret", until=10, template=YIELD),
    Case("yield-used", "-b; -a; YIELD_VALUE; BUILD_TUPLE 2; ret", until=10, template=YIELD),
    Case("yield-from", "-s; GET_YIELD_FROM_ITER; none; YIELD_FROM; ret", until=10, template=YIELD),
    Case(
        "yield-from-effects",
        "-b; -s; GET_YIELD_FROM_ITER; none; YIELD_FROM; BUILD_TUPLE 2; ret",
        until=10,
        template=YIELD,
    ),
    Case(
        "yield-from-unpacked",
        "-s; BUILD_TUPLE 1; UNPACK_SEQUENCE 1; GET_YIELD_FROM_ITER; none; YIELD_FROM; pop; none; ret",
        until=10,
        template=YIELD,
    ),
    Case(
        "await-unpacked",
        "-a; BUILD_TUPLE 1; UNPACK_SEQUENCE 1; GET_AWAITABLE; none; YIELD_FROM; pop; none; ret",
        until=10,
        template=AWAIT,
    ),
    Case("yield", "-a; YIELD_VALUE; RESUME 1; = x; -b; YIELD_VALUE; RESUME 1; pop; x; ret", 11, 11, YIELD),
    Case("yield-used", "-b; -a; YIELD_VALUE; RESUME 1; BUILD_TUPLE 2; ret", 11, 11, YIELD),
    Case(
        "yield-from",
        "-s; GET_YIELD_FROM_ITER; none; L:; SEND M; YIELD_VALUE; RESUME 2; JUMP_BACKWARD_NO_INTERRUPT L; M:; ret",
        11,
        11,
        YIELD,
    ),
    Case(
        "yield-from-unpacked",
        "-s; BUILD_TUPLE 1; UNPACK_SEQUENCE 1; GET_YIELD_FROM_ITER; none; "
        "L:; SEND M; YIELD_VALUE; RESUME 2; JUMP_BACKWARD_NO_INTERRUPT L; M:; pop; none; ret",
        11,
        11,
        YIELD,
    ),
    Case(
        "await-unpacked",
        "-a; BUILD_TUPLE 1; UNPACK_SEQUENCE 1; GET_AWAITABLE 0; none; "
        "L:; SEND M; YIELD_VALUE; RESUME 3; JUMP_BACKWARD_NO_INTERRUPT L; M:; pop; none; ret",
        11,
        11,
        AWAIT,
    ),
    compiled("yields", "x = yield -a\ny = yield x\nreturn x, y"),
    compiled("yield-nothing", "yield\nreturn -a"),
    compiled("yield-from-compiled", "x = yield from -s\nreturn -b, x"),
    compiled("yield-in-try", "try:\n    x = yield -a\n    r(x)\nexcept E as y:\n    yield -b\nfinally:\n    -c"),
    compiled("yield-in-loop", "for x in s:\n    y = yield x\n    if y: break\nreturn -a"),
    compiled("yield-in-with", "with -a as x:\n    yield x\nreturn -b"),
    compiled("stop-iteration", "yield -a\nraise StopIteration"),
    compiled("generator-expression", "for x in (-y for y in -s if a): -x"),
    compiled("await", "x = await (-a)\nreturn -x", head="async def"),
    compiled("await-nested", "return (await (-a)) + (await (-b))", head="async def"),
    compiled("async-for", "async for x in -s:\n    -x\nelse:\n    -b\nreturn -c", head="async def"),
    compiled("async-for-break", "async for x in -s:\n    if a: break\n    r(x)\nreturn -c", head="async def"),
    compiled("async-with", "async with -a as x:\n    r(x)\nreturn -b", head="async def"),
    compiled("async-with-return", "async with -a as x:\n    return r(x)\nreturn -b", head="async def"),
    compiled("async-comprehension", "return [-x async for x in -s]", head="async def"),
    compiled("async-generator", "x = yield -a\nyield x\nawait (-b)", head="async def"),
    compiled("async-generator-loop", "async for x in -s:\n    yield -x", head="async def"),
]
