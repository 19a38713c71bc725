# SPDX-License-Identifier: MIT
# What END_ASYNC_FOR of 3.14 and later tells and nothing else does: its argument is the distance to the SEND that it ends,
# for those who watch a program run. A needless `continue` leaves a NOP there; so does the choice of `break` or `return`.


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
