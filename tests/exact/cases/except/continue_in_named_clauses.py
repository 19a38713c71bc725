# SPDX-License-Identifier: MIT
# A clause that names its exception and continues the loop that what follows the statement leaves: 3.8 keeps where the
# clause would lead.
def after_it(self, items):
    for n in items:
        try:
            h = self(n)
        except E as e:
            if not e.x:
                raise
            continue
        break
    else:
        self.skip()
    return h


def in_its_else(self, items):
    for n in items:
        try:
            h = self(n)
        except E as e:
            if not e.x:
                raise
        else:
            break
    else:
        self.skip()
    return h


# In a clause of another statement, with an `else`: 3.8 keeps the code after the `continue`, which nothing reaches.
def nested_with_else(args, c):
    for conv in args:
        try:
            value = run(c)
        except KeyError:
            try:
                value = act(c)
            except C as exc:
                errors.append(exc)
                continue
            else:
                args[conv] = value
        if value == conv:
            return value
    raise Bad(2)


def nested_with_tests_after(args, c):
    for conv in args:
        try:
            value = run(c)
        except KeyError:
            try:
                value = act(c)
            except C as exc:
                continue
            else:
                x()
        if value:
            y()
        z()
