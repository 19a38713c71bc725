# SPDX-License-Identifier: MIT
# The argument of END_ASYNC_FOR of 3.14 and later names the SEND that it ends, for sys.monitoring. The distance also
# depends on NOPs, which a needless `continue` leaves, on handlers in between, and on the choice of `break` or `return`.


async def loop_nested(a):
    async for x in a:
        async for y in x:
            if y:
                break
            for z in y:
                await z
                continue
            print(x)
        else:
            continue
        break


def long_line(aa_long_name, bb_long_name, cc_long_name):
    return (aa_long_name.some_attribute(bb_long_name, cc_long_name) async for bb_long_name in aa_long_name.items(cc_long_name) if bb_long_name(cc_long_name, bb_long_name))


async def on_lines_of_its_own(a, b, c):
    async for x in a:
        print(
            x,
            b)
        c = [
            x + b
            + c, x]
        x = a + b + \
            c
    return [i + c async for x in a(b)
            for i in x if i(
                c)]


async def after_empty_try(a):
    try:
        pass
    except E:
        pass
    async for x in a:
        pass


async def empty_arms(a):
    async for x in a:
        if x:
            pass
        else:
            pass
