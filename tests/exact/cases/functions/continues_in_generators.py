# Where what is protected shows which tests lead back by a `continue` of their own (3.13+).


def either(items, known, other):
    for item in items:
        if item in known or item in other:
            continue
        if len(item) == 2:
            if item.first in known or item.second in other:
                continue
            if item not in other:
                yield item
                other.append(item)


def each(items, known, other):
    for item in items:
        if not item or item.name not in known and item.name not in other:
            continue
        if item.count > 2 and not item.last or item.count == 1:
            yield item
            break


async def awaited(items, known):
    async for item in items:
        if item.name == known.name or not item.name:
            continue
        await item.wait()
