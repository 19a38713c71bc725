# SPDX-License-Identifier: MIT
# A module reads names as globals because of `global` statements and named expressions in code that is never reached.
if 0:

    def f():
        global x
        x = 1


print(x)


def g():
    return x


try:
    raise y

    class C(len([(y := z) for z in x])):
        pass
finally:
    y.close()
