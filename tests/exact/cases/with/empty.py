# SPDX-License-Identifier: MIT
# Bodies of with statements that do nothing.
def plain(manager):
    with manager():
        pass


def then(manager):
    with manager():
        pass
    return 3


def twice(manager, other):
    for _ in other:
        with manager() as a, other:
            pass
        with a:
            pass


def within(manager, x):
    try:
        with manager:
            pass
    except ValueError:
        with x:
            pass


def at_last(manager, x):
    try:
        x()
    finally:
        with manager(x):
            pass


async def waits(manager):
    async with manager():
        pass


with open(__file__):
    pass
