# SPDX-License-Identifier: MIT
# 3.11+: starred annotations.
def f(*args: *Ts) -> int: pass
def g(*args: *tuple[int, ...], k: int = 1): pass
(x,) = f()
(x.a,) = f()

(lambda *n: m).x, = a
for (lambda n: m)[1], in a:
    pass
