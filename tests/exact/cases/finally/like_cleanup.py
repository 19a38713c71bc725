# SPDX-License-Identifier: MIT
# Finally bodies and statements that look like the cleaning up of `except E as e`, which is `e = None; del e`.


def finally_0(a, b, f, m, x, y):
    with m:
        for b in y:
            f(not a)
        else:
            try:
                f(True)
            except E:
                f(1)
            finally:
                f(2)
            f(a)
        if x:
            return 1
    return a


def finally_1(a, b, f, m, x):
    with m:
        try:
            f(True)
        except E:
            f(1)
        finally:
            f(2)
        f(3)
        if x:
            return (a, b)
    return a < b


def finally_2(a, b, f, m, x):
    with m:
        f(3)
        if x:
            return (a, b)
    return a < b


def finally_3(a, b, f, m, x, y):
    with m:
        try:
            f(True)
        except E:
            f(1)
        finally:
            x = f()
            del y[0]
        y = a
        if a:
            f(9)
        elif b:
            b = y[0]
        else:
            f(8)
        if x:
            return 5
    return a < b


def finally_4(a, f, x):
    try:
        f(1)
    except E as e:
        f(2)
    else:
        for a in f(x):
            if a:
                f(4)
                break
            try:
                f(3)
            finally:
                f(6)
        raise
    finally:
        f(5)


def finally_5(a, f, x):
    try:
        f(1)
    except E:
        f(2)
    else:
        for a in f(x):
            f(3)
        raise
    finally:
        f(5)


def finally_6(a, b, c, f):
    try:
        f(1)
    except E as e:
        f(2)
    else:
        raise
    finally:
        f(a if b else c)


def finally_7(a, b, c, f, m, x, y):
    with m, f(a) as n:
        for a, b in y.items():
            f(not a)
        else:
            try:
                b = None
            except E:
                f({"k": a})
            finally:
                del y[0]
            if a and (b or c):
                a, b = b, a
            elif a and (b or c):
                b = y[0]
            else:
                f("s")
        if x:
            return (a, b)
    return a < b


def finally_8(f, x):
    try:
        f(True)
    except E:
        f(1)
    x = None
    del x
    f(2)


def finally_9(f, x):
    try:
        f(True)
    except E as e:
        f(1)
    x = None
    del x
    f(2)


def finally_10(f, x):
    try:
        f(True)
    except E:
        return 1
    x = f()
    del x


def finally_11(f, x, y):
    try:
        f(True)
    finally:
        x = f()
        del y


def finally_12(m, x):
    with m:
        x = None
        del x


def finally_13(f, x):
    try:
        f(1)
    except E:
        f(2)
        x = None
        del x


def finally_14(f):
    try:
        f(1)
    except E as e:
        f(2)
        e = None
        del e


def finally_15(f, x, y):
    for x in y:
        try:
            f(1)
        except E:
            x = None
            del x
            continue
        finally:
            x = 3
            del y[0]
