# From 3.13 on the compiler strips the indentation of a docstring, not that of what is assigned to __doc__.
class A:
    __doc__ = """    Of four.

    This
    """


class B:
    """    Of none.

    This
      is
    """


class C:
    __doc__ = "a\tb"


class D:
    __doc__ = "a\n  b\n c"


class E:
    __doc__ = "a\n  b\nc"


class F:
    __doc__ = "a\n   \n   "
