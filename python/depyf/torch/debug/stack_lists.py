# SPDX-License-Identifier: MIT
"""Lists that lie on a frame's evaluation stack and nowhere else, and what each of their items is.

Dynamo hands pending values over in lists that it builds, slices, extends and empties on the stack alone. Invariant: a
list is followed from the instruction that made it for as long as nothing but these operations can have touched it; one
that goes anywhere else (a variable, a call, another container) is unknown from then on, with all that it holds.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterator
from typing import Any

Origins = tuple[int | None, ...]  # of values: the offset of the instruction that made each, if it is certain
Lists = dict[int, Origins | None]  # offset of the instruction that made a list -> its items, if they are certain
_MOVES = ("COPY", "SWAP", "ROT_", "DUP_TOP", "POP_TOP", "NOP", "EXTENDED_ARG", "CACHE")


def joined(a: Lists, b: Lists, unsure: Origins) -> Lists:
    """What is certain of the lists where two ways meet, with values that may be either way's."""
    both: Lists = {}
    gone = list(unsure)
    for made in {**a, **b}:
        x, y = a.get(made) or (), b.get(made) or ()
        certain = made in a and made in b and a[made] is not None and b[made] is not None and len(x) == len(y)
        both[made] = tuple(p if p == q else None for p, q in zip(x, y)) if certain else None
        gone += [origin for origin in (*x, *y) if not certain or origin not in (both[made] or ())]
    return escaped(both, tuple(gone))


def escaped(lists: Lists, gone: Origins) -> Lists:
    """The lists once these values are where others can change them."""
    after, waiting = dict(lists), list(gone)
    while waiting:
        made = waiting.pop()
        if made is not None and (items := after.get(made)) is not None:
            after[made] = None
            waiting += items
    return after


def evaluated(
    instruction: dis.Instruction, origins: Origins, lists: Lists, taken: int, constant: Callable[[int | None], Any]
) -> tuple[Lists, int | None]:
    """The lists after an instruction that takes so many values, and the origin of the value that it leaves.

    `constant`: of an origin; an ellipsis for what is none.
    """
    name, n, made = instruction.opname, instruction.arg or 0, instruction.offset
    if name.startswith(_MOVES):
        return lists, made
    if name == "BUILD_LIST":
        held = origins[len(origins) - n :]
        return _lost(lists, made, held) if made in lists else ({**lists, made: held}, made)  # one of several, perhaps
    if name in ("LIST_EXTEND", "LIST_APPEND") and n < len(origins):
        into, value = origins[-1 - n], origins[-1]
        items = _known(lists, into)
        more = (value,) if name == "LIST_APPEND" else _known(lists, value)
        if into is not None and items is not None and more is not None:
            return {**lists, into: items + more}, made
        return _lost(lists, made, (into, value))
    key = constant(origins[-1]) if origins else ...
    if name in ("BINARY_SLICE", "STORE_SLICE"):  # 3.12 on: both bounds are on the stack
        key = slice_of([constant(bound) for bound in origins[-2:]])
        name, origins, taken = name.replace("SLICE", "SUBSCR"), origins[:-1], taken - 1
    subscript = name == "BINARY_SUBSCR" or (name == "BINARY_OP" and instruction.argrepr == "[]")
    if subscript and len(origins) >= 2 and (items := _known(lists, origins[-2])) is not None:
        if type(key) is int and -len(items) <= key < len(items):
            return lists, items[key]
        if type(key) is slice and made not in lists:
            return {**lists, made: items[key]}, made
    if name in ("STORE_SUBSCR", "DELETE_SUBSCR") and len(origins) >= 2:
        changed = _with_items_set(name, origins, lists, key)
        if changed is not None:
            return changed, made
    return _lost(lists, made, origins[len(origins) - taken :] if taken > 0 else ())


def _known(lists: Lists, made: int | None) -> Origins | None:
    return lists.get(made) if made is not None else None


def _lost(lists: Lists, made: int, gone: Origins) -> tuple[Lists, int]:
    """An instruction that is not followed: what it takes is unknown, and so is what it made before, if anything."""
    return escaped(lists, (*gone, made)), made


def slice_of(bounds: list[Any]) -> Any:
    """The slice with these constants as its bounds, if they are; else an ellipsis."""
    return slice(*bounds) if all(bound is None or type(bound) is int for bound in bounds) else ...


def _with_items_set(name: str, origins: Origins, lists: Lists, key: Any) -> Lists | None:
    """The lists with some items of one stored or deleted; None if that cannot be told."""
    into = origins[-2]
    items = _known(lists, into)
    if into is None or items is None or type(key) not in (int, slice):
        return None
    after: list[int | None] = list(items)
    try:
        if name == "DELETE_SUBSCR":
            del after[key]
        elif type(key) is int:
            after[key] = origins[-3]
        elif (value := _known(lists, origins[-3])) is not None:
            after[key] = value
        else:
            return None
    except (LookupError, ValueError, TypeError):
        return None
    return {**lists, into: tuple(after)}


def values_in(origins: Origins, found: list[Any], lists: Lists) -> Iterator[tuple[int, Any]]:
    """Each value found on the stack, and in the lists there, with its origin."""
    waiting = list(zip(origins, found))
    while waiting:
        origin, value = waiting.pop()
        if origin is None:
            continue
        yield origin, value
        items = lists.get(origin)
        if items and type(value) is list and len(value) == len(items):
            waiting += zip(items, value)
