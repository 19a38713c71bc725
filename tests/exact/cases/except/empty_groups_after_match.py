# SPDX-License-Identifier: MIT
# A `try` without code leaves NOPs between the cases before it and what follows.
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
    except* E:
        pass
    with o():
        pass


try:
    if a:
        pass
except* E:
    pass
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
except* E:
    pass
a and b
