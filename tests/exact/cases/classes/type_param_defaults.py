# SPDX-License-Identifier: MIT
# 3.13+: defaults of type parameters.
def f[*Ts, **P](*args: *Ts): return 1
def g[T: (int, str) = int, *Ts = *tuple[int, ...], **P = [int]](x: T): 
    def inner(): return T
    return inner
class C[T = int, *Ts = *U](B, *bases, metaclass=M, **kw):
    x: T
    type Q = T
    def m[U: T](self, x: T, y: U = 1) -> Q: return x
    type R[V] = dict[V, T]
@dec
class D[T]: pass
@dec(1)
async def h[T](): await T
