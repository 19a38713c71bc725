# SPDX-License-Identifier: MIT
# A `return` that leaves a `with` statement whose item is on several lines, at the column of the loop in it.
def connect():
    with (
        a
        if b
        else c
    ):
        for x in d:
            if a:
                b
                continue
            else:
                x.start()
                return x
        else:
            raise KeyError
