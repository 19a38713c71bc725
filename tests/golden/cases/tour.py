"""A walk through the language, for the layout of the text."""
from __future__ import annotations
import os.path as path, sys
from collections import OrderedDict as Ordered, defaultdict

LIMIT: int = 10_000
table = {"a": 1, **{"b": 2}}
first, *rest = range(3)


@staticmethod
def signature(a, b=1, /, *args: int, key: str = "k", **kwargs) -> bool:
    """Says nothing.

    In two paragraphs.
    """
    return a < b <= len(args) and (not key or kwargs.get("x") is not None)


class Base(Ordered, metaclass=type):
    """A class."""
    __slots__ = ("_value",)

    def __init__(self, value=None):
        super().__init__()
        self.__value = value

    @property
    def value(self):
        return self.__value if self.__value is not None else -1


def loops(items, wanted):
    total = 0
    for index, (name, value) in enumerate(items):
        if not name:
            continue
        elif name == wanted:
            break
        total += value ** 2 // (index + 1)
    else:
        total = ~total
    while total > 0:
        total -= 1
        try:
            yield total
        finally:
            print(f"{total!r:>{index}} of {wanted}", end="")
    return [x for row in items if row for x in row if x]


def failures(name):
    try:
        with open(name, "rb") as stream, path as other:
            return stream.read()
    except (OSError, ValueError) as error:
        raise RuntimeError("unreadable") from error
    except KeyError:
        pass
    else:
        return None
    finally:
        del table[name]


def closures(n):
    count = 0

    def more(step=lambda x: x + n):
        nonlocal count
        count = step(count)
        return {k: v for k, v in sorted(table.items(), key=lambda kv: kv[1])}

    assert n, "a number is wanted"
    if (half := n // 2) > 10:
        return more, half
    global LIMIT
    LIMIT = max(LIMIT, *rest, key=None)


async def awaiting(sources):
    async for source in sources:
        async with source:
            await source
    return {s async for s in sources}


if __name__ == "__main__":
    sys.exit(1)
