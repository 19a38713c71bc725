# SPDX-License-Identifier: MIT
# Constants returned through a finally clause: one of them may be what stands behind the statement.


def other_arm_returns(f, x):
    try:
        if x > 2:
            f(1)
        else:
            return 1
    finally:
        f()


def something_follows(f, x):
    try:
        if x > 2:
            f(1)
        else:
            return 1
    finally:
        f()
    f(3)


def returns_at_end(f, x):
    try:
        if x > 2:
            return 1
    finally:
        f()


def call_at_end(f, x):
    try:
        if x > 2:
            return 1
        f(3)
    finally:
        f()


def value_returned(f, x):
    try:
        if x > 2:
            f(1)
        else:
            return x
    finally:
        f()


def constant_behind(f, x):
    try:
        if x > 2:
            return 2
        f(3)
    finally:
        f()
    return 1


def bool_behind(f, x):
    try:
        if x > 2:
            f(3)
        else:
            return True
    finally:
        f()
    return False


def none_or_one(f, x):
    try:
        if x > 2:
            return 1
        return None
    finally:
        f()


def one_or_none(f, x):
    try:
        if x > 2:
            return
        return 1
    finally:
        f()


def three_ways(f, x):
    try:
        if x > 2:
            f(4)
        elif x == 1:
            return None
        else:
            return False
    finally:
        f()


def returns_in_a_clause(xs):
    try:
        try:
            r = int(xs)
        except ValueError:
            return -1
        return r + 1
    finally:
        print("done")


def loop_that_returns(a, b):
    try:
        while a:
            if b:
                return
            a()
    finally:
        b()


def loop_with_clauses_that_returns(a, b):
    try:
        while a:
            try:
                a()
            except KeyError:
                if b:
                    return
                a.f()
            else:
                a.g()
    finally:
        b()
