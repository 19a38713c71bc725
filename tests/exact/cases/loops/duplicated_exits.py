# SPDX-License-Identifier: MIT
# Arms that continue a loop before what follows, an exit within a loop's body, ends of bodies that stand once for each way.


def arms_0(a, b, f, x, y):
    for x in y:
        if not a:
            f(-x)
        else:
            f(a and b)
            continue
        if a < b:
            f(1)
        elif x in y:
            continue
        f(2)
    return f(a)


def arms_1(a, b, f, x, y):
    for x in y:
        if a:
            f(-x)
        else:
            f(b)
            continue
        if a < b:
            f(1)
        elif x in y:
            continue
        f(2)
    return f(a)


def arms_2(a, b, f, x, y):
    for x in y:
        if a:
            f(-x)
        else:
            f(b)
            continue
        if b:
            f(1)
        f(2)
    return f(a)


def arms_3(a, b, f, x, y):
    for x in y:
        if a:
            f(-x)
        else:
            f(b)
            continue
        if b:
            continue
        f(2)
    return f(a)


def arms_4(a, b, c, f, x, y):
    for x in y:
        if c:
            f(3)
        else:
            if a:
                f(-x)
            else:
                f(b)
                continue
            if b:
                f(1)
            f(2)
    return f(a)


def arms_5(a, b, c, f, x, y):
    for x in y:
        if c:
            f(3)
        elif b:
            if a:
                f(-x)
            else:
                f(b)
                continue
            f(2)
    return f(a)


def arms_6(a, b, c, f, x, y):
    for x in y:
        if b:
            if a:
                f(-x)
            else:
                f(b)
                continue
            if c:
                f(2)
            elif x:
                continue
            f(4)


def arms_7(a, b, c, f, x, y):
    for x in y:
        if b:
            if a:
                f(-x)
            else:
                f(b)
                continue
            if c:
                continue
            f(4)


def arms_8(a, b, c, f, x, y):
    while y:
        if b:
            if a:
                f(-x)
            else:
                f(b)
                break
            if c:
                break
            f(4)


def arms_9(a, b, c, f, x, y):
    while y:
        if a:
            f(-x)
        else:
            f(b)
            break
        if c:
            f(2)
        elif b:
            break
        f(4)


def arms_10(a, b, c, f, x):
    if a:
        f(-x)
    else:
        f(b)
        return
    if c:
        f(2)
    elif b:
        return
    f(4)


def arms_11(a, b, f, x):
    while True:
        if a is None:
            try:
                a += 1
            except E:
                x = 1
                f(a and b)
        else:
            raise
        x.z = 1


def arms_12(a, b, c, f, x, y):
    try:
        if a:
            f(c)
        else:
            for x in y:
                f(a if b else c)
            b = True
        a = a if b else c
    except E:
        del y[0]
    else:
        raise
    return y


def arms_13(a, b, c, f, x, y):
    for x in y:
        if x in y:
            f((a, b))
        elif x in y:
            if not a:
                f(-x)
            else:
                f(a and b)
                continue
            if a < b:
                f(a if b else c)
            elif x in y:
                continue
            f(f(*a, **b))
    return f(a)


def arms_14(a, b, c, f, x):
    with f(a) as n:
        try:
            raise ValueError(a)
        except E:
            x.z = lambda q: q + a
            b = a if b else c


def arms_15(a, b, c, f, x, y):
    for x in y:
        try:
            c = {**a}
            for x in f(x):
                y[a] = a and b
                f([i for i in y])
        except E as e:
            if a is not None:
                b = {"k": a}
                c += 1
            for a, b in f(x):
                f(1)


def arms_16(a, b, c, f, y):
    try:
        return y
    finally:
        while a or b and c:
            f(3)


def arms_17(a, b, c, f, y):
    try:
        if a:
            f(c)
        else:
            b = True
        a = a if b else c
    except E:
        del y[0]
    else:
        raise
    return y


def arms_18(f, y):
    try:
        f(3)
    except E:
        del y[0]
    else:
        raise
    return y


def arms_19(a, b, c, y):
    try:
        a = a if b else c
    except E:
        del y[0]
    else:
        raise
    return y


def arms_20(a, b, c, f, y):
    try:
        if a:
            f(c)
        else:
            b = True
        f(a)
    except E:
        del y[0]
    else:
        raise
    return y


def arms_21(a, b, c, y):
    try:
        a = a if b else c
    except E:
        del y[0]
    else:
        raise ValueError
    return y


def arms_22(a, b, c, f, y):
    try:
        a = a if b else c
    except E:
        f(2)
    else:
        f(a)
        return 4
    return y


def arms_23(a, f):
    try:
        if a:
            f(1)
        else:
            f(2)
    except E:
        f(2)
    else:
        raise
    f(3)


def arms_24(a, b, f, y):
    try:
        return y
    finally:
        while a or b:
            f(3)


def arms_25(a, b, c, f):
    try:
        f(1)
    finally:
        while a or b and c:
            f(3)


def arms_26(a, b, c, f, y):
    with a:
        while a or b and c:
            f(3)
        return y


def arms_27(a, b, c, f, y):
    try:
        return y
    finally:
        while a and (b or c):
            f(3)


def arms_28(a, b, c, f, x, y):
    try:
        return y
    finally:
        for x in f:
            if a or b and c:
                f(3)
