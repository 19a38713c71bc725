# SPDX-License-Identifier: MIT
# The namespace of a class has a cell (3.12+) because of code that is never reached, or (3.14+) of annotations without any.
class Attributes:
    (a): int


class Raises:
    raise a
    type b = c


class Empty:
    if 0:
        def method[T](self): pass
