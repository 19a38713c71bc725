# SPDX-License-Identifier: MIT
# `except E as x` that comes to its end, and that is left by a statement.
def a(x):
    for i in x:
        try:
            y()
        except E as e:
            z(e)
            continue
        k()


def b(x):
    for i in x:
        try:
            y()
        except E as e:
            z(e)
        else:
            k()


def c(x):
    if x:
        try:
            y()
        except E as e:
            z(e)
            return
    else:
        foo()


def handler_of_four(self):
    if not self.closed:
        try:
            self.skip()
        finally:
            self.closed = True
