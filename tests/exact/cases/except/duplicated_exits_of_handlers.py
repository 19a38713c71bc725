# SPDX-License-Identifier: MIT
# Short ends behind protected bodies and clauses, and those of finally bodies, which 3.10+ copies.


def end_0(a, b, c, f, y):
    try:
        if a is None:
            f(a)
            for i in y:
                f(3)
    except E:
        return a < b
    c = 1


def end_1(a, b, c, f):
    try:
        f()
    finally:
        if a < b < c:
            f(None)


def end_2(a, b, c, f):
    try:
        f()
    finally:
        while a < b < c:
            f(None)


def end_3(a, b, c, f):
    try:
        return f()
    finally:
        if a < b < c:
            f(None)


def end_4(a, b, c, f, y):
    try:
        while True:
            f(3)
    finally:
        if a < b < c:
            y = 3


def end_5(a, b, f, x, y):
    while True:
        for i in f(x):
            if not a:
                raise
            else:
                a += 1
            if not (a and b):
                return y[0]
        f(4)


def end_6(a, b, f, x, y):
    while a:
        if b:
            x = 3
            raise
        else:
            x.z = {**a}
        try:
            x.z = 1
        finally:
            f(x)
        while x in y:
            b += 1
    return f(a)


def end_7(a, b, c, f, x, y):
    while a:
        if c:
            if b:
                x = 3
                raise
            else:
                x.z = {**a}
            try:
                x.z = 1
            finally:
                f(x)
            while x in y:
                b += 1
    return f(a)


def end_8(a, b, f, x, y):
    if x:
        try:
            if a:
                return
        except E:
            if y:
                y = "s"
            else:
                y[a] = a or b
    else:
        f(3)
    return not a


def end_9(a, b, c, f, x, y):
    try:
        y = a
    except E:
        if a:
            f(2)
            if a < b < c:
                f(1)
                return
            elif a is None:
                x = 3
            a += 1
    return a


def end_10(a, b, c, f, m, x):
    try:
        x.z = 3
    except (E, F):
        if x:
            if a:
                x = -x
            else:
                f(a if b else c)
        with m:
            a = "s"
    return f(a)


def end_11(a, b, c, f, m, x, y):
    try:
        f(3)
    except E:
        if a:
            with m:
                f(-x)
        elif x in y:
            return a and b
        else:
            y = 4
        with m:
            if a < b < c:
                f(3)
    a = "s"
