# SPDX-License-Identifier: MIT
# A try statement at the end of a finally body, with a clause that has a name and an else.


def at_the_end():
    try:
        f()
    finally:
        try:
            g()
        except B as e:
            pass
        else:
            h()


def something_behind():
    try:
        f()
    finally:
        try:
            y = g()
        except B as e:
            print(e)
        else:
            h()
    i()


def nothing_but_an_exception():
    try:
        raise f()
    finally:
        try:
            y = f()
        except B as e:
            pass
        else:
            h()
