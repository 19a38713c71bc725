# SPDX-License-Identifier: MIT
# Cases that do nothing, before code that the compiler has copied to each of them.
def before_with():
    try:
        match 0:
            case 0:
                pass
            case _:
                pass
    except:
        pass
    try:
        pass
    except E:
        pass
    with o():
        pass


def inverted_bool():
    try:
        match 0:
            case 0:
                pass
            case _:
                pass
    except:
        pass
    return ~False


def negative_none():
    match 0:
        case 0:
            pass
        case _:
            pass
    return -None


def negative_text():
    match 0:
        case 0:
            pass
        case _:
            pass
    return -"x"
