# SPDX-License-Identifier: MIT
# Parentheses among and and or where a whole function is protected, which the exception table tells (3.14+).


async def statements(a, b, c):
    (a or a) or b
    a or b or c
    (a and b) and c
    a and (b and c) and a
    return (a or await b) or c


def yields(a, b, c):
    (yield from a) and (b and c) and a
    x = yield a or b or c
    y = yield (a or b) or c
    return (a and b and x or c) or y


values = ((a or b) or c for a in x if (a or b) or c)
