# SPDX-License-Identifier: MIT
# Loops whose body is left on every way through it: nothing jumps back to their begin.
def returns_at_the_end(x, p):
    while True:
        try:
            if x:
                f
            elif h:
                break
        except E:
            break
        else:
            x = p
            return
    h = j


def breaks_at_the_end(output):
    while True:
        try:
            output.append(5)
            if not output:
                break
            output.append(8)
        finally:
            output.append(10)
        output.append(11)
        break
    output.append(13)


def in_a_loop(x, q):
    for i in q:
        while True:
            try:
                x()
            except E:
                break
            except F:
                continue
            return 3
        h
    return 4


def in_an_endless_loop(x, q):
    while True:
        while True:
            try:
                x()
            except E:
                break
            return 3
        h
    return 4


def raises_at_the_end(z, x, E, p):
    while z:
        try:
            x()
        except E:
            if p:
                break
        raise
    g(z)
    return 3


def break_out_of_with(m, x, y):
    while any:
        with m:
            x()
            if y:
                break
    else:
        g
    try:
        return f
    except E as e:
        pass


def leaves_a_finally_body(p, x):
    while True:
        try:
            a, b = x()
        finally:
            if p:
                break
            x.y = 3
            break
    x.y = p
