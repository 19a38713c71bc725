# SPDX-License-Identifier: MIT
# A `break` directly after a loop within the loop that it leaves.
def in_its_else(p, s):
    while True:
        for i in s:
            for j in i:
                if j:
                    break
            else:
                break
        else:
            return p


def after_it(p, s):
    while True:
        for i in s:
            for j in i:
                pass
            break
        else:
            return p


def before_more(p, s):
    for i in s:
        for j in i:
            p(j)
        break
    else:
        p(2)
    for i in s:
        p(i)


# One return of a constant tuple, to which several loops lead.
def one_return_of_several(r):
    if a(r):
        it = []
        for e in r:
            if not e:
                break
            it.append(e)
        else:
            return it, True
    elif b(r):
        it = []
        for e in r:
            if not e:
                break
            it.append(e)
        else:
            if it:
                return it, True
    return "...", False
