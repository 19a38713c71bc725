# SPDX-License-Identifier: MIT
# Bodies of modules and classes, which cannot return: equal statements in arms of different tests, and exits of one test
# that is a conditional expression.
if a:
    if b:
        f()
elif not c:
    f()
g()
if a:
    assert not b
else:
    assert c
assert not b if a else c
if b if a else not c:
    raise E
if a:
    if b:
        raise E
elif not c:
    raise E
while b if a else not c:
    f()
for x in y:
    if b if a else not c:
        continue
    if a:
        if b:
            continue
    elif not c:
        continue
    f()
    if a:
        if b:
            break
    elif c:
        break
try:
    if b if a else not c:
        raise E
    if a:
        if b:
            f()
    elif not c:
        f()
finally:
    if not b if a else c:
        f()
    if a:
        if b:
            g(a)
    elif c:
        g(a)


class Ends:
    while not b if a else c:
        if not b if a else c:
            break
    x = p if (q if r else not s) else t
    if a:
        if b:
            f()
        else:
            h()
    elif c:
        f()
    else:
        h()


class EndsInExpression:
    if not b if a else c:
        x = 2
    else:
        y = 3


assert not b if a else c
