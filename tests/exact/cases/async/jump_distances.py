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
