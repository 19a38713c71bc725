# SPDX-License-Identifier: MIT
# 3.12+: type parameters of functions, classes and aliases: bounds, constraints, mangled names, nested scopes.
def f[T: int](x: T = 1, *, k=2) -> T: return x
class C[T](B): pass
type A[T] = list[T]
type S = int
def f2[*Ts, **P](*args: int): return 1
def g[T: (int, str), *Ts, **P](x: T, y=1, *, z: T = 2) -> T:
    def inner(): return T
    return inner
class C[T, *Ts](B, *bases, metaclass=M, **kw):
    x: T
    type Q = T
    def m[U: T](self, x: T, y: U = 1) -> Q: return x
    type R[V] = dict[V, T]
@dec
class D[T]: pass
@dec(1)
async def h[T](): await T
class E(B, *bases): pass
def k[T: (A if B else C)](x=A if B else C, *, y=A or B): pass
class G:
    def a[__T](self, x: __T): return __T
    type __A[__T] = list[__T]
    class H[__T]: y: __T
type L[*Ts] = lambda: [x for x in Ts]
def outer():
    def l[T](x: T): 
        nonlocal v
        v = T
    v = 1
    class M[T](V): y: T = v; z = T
    type N = v
    return l


class NotNonlocal:
    def m(self):
        def F[T: [lambda: T for T in (T, [1])[1]]]():
            return [lambda: T for T in T.__name__]

        (func,) = F()
        return func


class unreachable_in_body[T, *Ts, **P]:
    raise T
    Ts, P
