# SPDX-License-Identifier: MIT
# Assertions: of modules and classes, those that always fail.
assert x
a = 1
if y:
    assert z, 'm'
class A:
    assert q
    b = 1
    assert r
assert w
def f(x):
    if x: return 1
    assert False, 'no'
def g(x):
    for y in x:
        assert 0
    else:
        assert False
def h():
    assert False
    return 1
def i(x):
    if x:
        assert False, x
    elif y:
        assert False
    else: return 2
    z()
def j(x):
    with a: assert 0, 'x'


def chained_last(s, proto):
    assert isinstance(s, int) and 0 <= s < 24 * 3600
    assert isinstance(proto, int) and 0 <= proto <= s.highest
    return s
