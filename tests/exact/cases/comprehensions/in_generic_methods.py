# SPDX-License-Identifier: MIT
# 3.13+: comprehensions with functions of their own, as their scope sees the names of a class.
def f(g):
    class C[T]([x for x in g]):
        def one[T](self, a: [i for i in g], b: {i for i, *j in g if j}, c: {i: T for i in g for j in i}): pass
        def two[T: [i for i in g]](self) -> [[j for j in i] for i in g]: return T
        type A = [x for x in g]
        type B[T] = {x: T for x in g}
        type D[T = [lambda: x for x in g]] = T
    return C
