# SPDX-License-Identifier: MIT
# A name that only inlined comprehensions store (3.12+) is no variable of the function around them: what the function holds
# reads the global of that name, and says so nowhere.


def beside_function(G):
    def inner(p):
        return print(p)

    return [print for print in G], inner


def beside_class(G):
    class C:
        print(2)

        def k(self):
            print(1)

    return {print: 1 for print in G}, C


def beside_lambda(G):
    return {len for len in G}, lambda: len(G)


def nested(G):
    def inner():
        return [[len for len in G] for len in G], lambda p: len(p)

    return [lambda: len for len in G], inner


def beside_own(G):
    len = G

    def inner():
        global len
        return len(G)

    return [len for len in G], len, inner


def beside_parameter(len, G):
    def inner():
        global len
        return len(G)

    return [len for len in G], inner


def two_targets(G):
    result = [a + b for a, b in G if (lambda: a)()]

    def inner():
        return a, b, result

    return inner


def after_exception(G):
    try:
        return [open for open in G]
    except TypeError:
        found = [open for open in G if open]
        return found, lambda: open(found)
