# SPDX-License-Identifier: MIT
# A protected return after a try statement with an else clause, to which the except clause leads as well.


def returns_constant(p):
    try:
        f
    except E:
        pass
    else:
        f
    try:
        return -1
    finally:
        g


def returns_and_calls(p):
    try:
        f
    except E:
        pass
    else:
        f
    try:
        return -1
    finally:
        g()
