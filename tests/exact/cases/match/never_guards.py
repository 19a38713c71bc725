# SPDX-License-Identifier: MIT
# Guards that never hold: of such a case the compiler leaves its tests, which lead to the next one.
def values(a):
    match a:
        case 19 if ():
            pass
        case {}:
            return 1
    match a:
        case [1, b] if f'':
            a
        case a.b if None:
            a
        case _:
            return 2
    return 3


def names(a):
    match a:
        case {} if a:
            pass
        case b if ():
            return b
        case 'c':
            return 1


match a:
    case a.b | c.d if a:
        for c in b:
            pass
    case [] if f'':
        pass
    case d:
        for e in b:
            pass
{a for b in c}
