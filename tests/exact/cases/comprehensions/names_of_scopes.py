# SPDX-License-Identifier: MIT
# Names of comprehensions that annotations, type parameters and bases of classes mean otherwise.


def decorated():
    @[f for T in a]
    def g() -> T:
        pass

    return g


def bases(x):
    @{a: T for T in x}
    class A[*Ts](T):
        pass

    return A


def own_name():
    @[f for T in x]
    def f() -> T:
        pass


def local(x):
    [T for T in x]
    print(T)
    if 0:
        T = 1
