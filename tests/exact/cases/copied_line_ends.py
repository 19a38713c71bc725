# SPDX-License-Identifier: MIT
# Conditional values in lines whose end is short enough to be copied behind each of them.


def argument(self, state):
    object.__setattr__(self, "int", state["int"])
    object.__setattr__(self, "is_safe", Safe(state["is_safe"]) if "is_safe" in state else Safe.unknown)


def item(user, delim, passwd):
    return user, (passwd if delim else None)


def raised(self, msg=None):
    if not self.seekable():
        raise ValueError("not seekable" if msg is None else msg)


def operand(self):
    return ("Allow" if self.allowance else "Disallow") + ": " + self.path + ("$" if self.fullmatch else "")


def nested(a, b, c):
    return f(a, b if a else c if b else None)


def either(x, f):
    return f(x, x.a or x.b)


def both_items(x, y, c):
    return f((x, y) if c else (y, x))
