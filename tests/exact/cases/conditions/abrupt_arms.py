# SPDX-License-Identifier: MIT
# `else: break` and the like in with statements and loops: what follows is no part of the first arm.


def arms_0(a, m, y, f):
    for x in y:
        with m:
            if a:
                x = 1
            else:
                break
            with m:
                f()
    f()


def arms_1(a, m, y, f):
    for x in y:
        with m:
            if a:
                break
            with m:
                f()
    else:
        f(2)
    f()


def arms_2(a, m, y, f):
    for x in y:
        with m:
            if a:
                x = 1
            else:
                break
            with m:
                f()
    else:
        f(2)
    f()


def arms_3(a, m, y, f):
    for x in y:
        with m:
            if a:
                break
            with m:
                f()
    f()


def arms_4(a, m, y, f):
    for x in y:
        with m:
            if a:
                break
            f()
    else:
        f(2)
    f()


def arms_5(a, m, y, f, E):
    for x in y:
        with m:
            if a:
                break
            try:
                f()
            except E:
                f(3)
    else:
        f(2)
    f()


def arms_6(a, m, y, f, E):
    for x in y:
        try:
            if a:
                break
            with m:
                f()
        except E:
            f(3)
    else:
        f(2)
    f()


def arms_7(a, m, y, f):
    while y:
        with m:
            if a:
                break
            with m:
                f()
    else:
        f(2)
    f()


def arms_8(a, m, y, f):
    while y:
        with m:
            if a:
                x = 1
            else:
                break
            with m:
                f()
    else:
        f(2)
    f()


def arms_9(a, m, y, f):
    for x in y:
        if a:
            x = 1
        else:
            f(3)
            break
        with m:
            f()
    f()


def arms_10(a, m, f, E):
    if a:
        x = 1
    else:
        raise E(a)
    with m:
        f()
    f()


def arms_11(a, m, w, y, f):
    for x in y:
        with m:
            if a:
                x = 1
            else:
                break
            if w:
                f()
    f()


def arms_12(a, m, y, f):
    for x in y:
        with m:
            if a:
                x = 1
            else:
                break
            for z in x:
                f()
    f()


def arms_13(a, m, y, f):
    for x in y:
        if a:
            x = 1
        else:
            break
        with m:
            f()
    f()


def arms_14(a, m, y, f):
    for x in y:
        with m:
            if a:
                x = 1
            else:
                continue
            with m:
                f()
    f()


def arms_15(a, m, y, f):
    for x in y:
        with m:
            if a:
                x = 1
            else:
                return 5
            with m:
                f()
    f()


def arms_16(a, m, w, f):
    with w:
        if a:
            x = 1
        else:
            return f
        with m:
            f()
    f()


def arms_17(a, m, y, f, E):
    for x in y:
        with m:
            if a:
                x = 1
            else:
                f(4)
                break
            try:
                f()
            except E:
                pass
    f()


def arms_18(a, m, y, f):
    for x in y:
        try:
            if a:
                x = 1
            else:
                break
            with m:
                f()
        finally:
            f(9)
    f()


def arms_19(a, m, w, y, f, E):
    for x in y:
        with m:
            if a:
                x = 1
            else:
                break
            w += 1
            with m:
                f()
    else:
        raise E
    f()


def arms_20(a, m, y, f, E):
    for x in y:
        with m:
            if a:
                x = 1
            else:
                break
            with m:
                f()
    else:
        raise E
    f()


def arms_21(a, m, y, f, E):
    for x in y:
        with m:
            if a:
                break
            with m:
                f()
    else:
        raise E
    f()


def arms_22(a, m, y, f, E):
    for x in y:
        if a:
            x = 1
        else:
            break
        with m:
            f()
    else:
        raise E
    f()


def arms_23(a, y, f, E):
    for x in y:
        if a:
            x = 1
        else:
            break
        f()
    else:
        raise E
    f()


def arms_24(a, m, n, y, f):
    for x in y:
        with m, n:
            if a:
                x = 1
            else:
                break
            with m:
                f()
    f()


def arms_25(a, m, n, w, y, E):
    for x in y:
        with m, n:
            if a:
                x = 1
            else:
                break
            w += 1
            with m:
                yield
    else:
        raise E
    while a:
        return None


def arms_26(a, m, w, y, E):
    for x in y:
        with m:
            if a:
                x = 1
            else:
                break
            w += 1
    else:
        raise E
    while a:
        return None


def arms_27(a, m, w, y, f, E):
    for x in y:
        with m:
            if a:
                x = 1
            else:
                break
            w += 1
    else:
        raise E
    f()


def arms_28(a, m, n, w, y, f):
    for x in y:
        with m, n:
            if a:
                break
            w += 1
            with m:
                w = 3
    f()


def arms_29(a, m, w, y, f, E):
    for x in y:
        with m:
            if a:
                x = 1
            else:
                break
            w += 1
            with m:
                yield
    else:
        raise E
    f()


def arms_30(a, m, n, w, y, f, E):
    for x in y:
        with m, n:
            if a:
                x = 1
            else:
                break
            w += 1
            with m:
                f()
    else:
        raise E
    f()


def arms_31(a, b, c, m, n, w, y, f, E):
    for x in y:
        with m, n:
            if a:
                x = a < b < c
            else:
                break
            w += 1
    else:
        raise E
    f()
