# SPDX-License-Identifier: MIT
# What a lambda or a comprehension reads as a global is declared by the function around it.


def f(x, y):
    def h():
        global x
        return lambda: x + [x for i in y]

    def g():
        global x
        return lambda: [x for i in y if (x := 3)]

    class C:
        global y

        def m(self):
            global x
            return (x for j in y)

    return lambda: x + y
