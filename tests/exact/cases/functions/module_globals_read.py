# SPDX-License-Identifier: MIT
"""A module reads as globals what a function in it declares so, even where that function says no more of the name."""
print(unit(1))


def declares():
    global unit, total
    return 1


total = 2


class Holder:
    def declares(self):
        global size
        return self

    size = 3


assert size, total
