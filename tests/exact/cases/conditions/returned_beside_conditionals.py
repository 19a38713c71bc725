# A `return` of its own before a statement and a conditional expression that is returned, all of one value.
def in_a_protected_body(u, v):
    try:
        if u:
            return v
        size = v
        return v if v else 0
    except Exception:
        pass


async def of_a_coroutine(u, v, size):
    try:
        if size is not None:
            return int(size)
        size = await v(u)
        return int(size) if size else 0
    except Exception:
        u.warning()
    return -1


def in_loops(u, v):
    for x in u:
        try:
            if x:
                return v
            v()
            return v if x.y else None
        except E:
            v.x()
