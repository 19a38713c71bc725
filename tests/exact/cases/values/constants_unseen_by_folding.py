# SPDX-License-Identifier: MIT
# Displays, slices and operations whose constants the compiler did not see as such: it compiles those in another way.
x = not (() and a)
y = {f"": a, 1: b}
y = {f"": a}
z = a[f"":]


class Derived(not (() and a)):
    pass


def keywords():
    f({f"": a, "b": b}, **{f"": a, "b": b})
