# SPDX-License-Identifier: MIT
# `%` with a format that is no plain literal when the compiler looks for one (optimize_format): it stays an operation.


def placeholders_in_an_fstring(a, b):
    return f"%s.%r" % (a, b)


def padded(a, b):
    return f"{a}%%" if b else f"%-5s|%.3a%%" % (a, b)


def no_fields_at_all(a, b):
    return "%d.%s" % (a, b)


def one_value(a):
    return "%s" % a


def empty_specification(a):
    return f"{a!r:}", f"{a:}b"


def lambdas_in_fields(x):
    return f"{(lambda: x)=}", f"lambda: 0={(lambda: 0)!r}", f"{(lambda: x)!r}", f"{[lambda: x]=}"
