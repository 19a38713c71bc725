# SPDX-License-Identifier: MIT
# Annotations of attributes and names in brackets that mention type parameters, or stand beside them (3.12+).


class Generic[T]:
    (a): T = 1


class TwoParameters[T, U]:
    if a:
        a.b: dict[T, U] = 1


class Method:
    (a): int = 1

    def f[T](self, x: T):
        return x
