# SPDX-License-Identifier: MIT
# Chained comparisons that loops in clauses test: each copy of the test has its own copy of the way out.


def in_a_clause(b, c):
    try:
        f()
    except A:
        while c < b <= a:
            g()


def in_a_finally_body(b, c):
    try:
        f()
    finally:
        while c < b <= a:
            g()


def with_another_test(b, c):
    try:
        f()
    except A:
        while c < b <= a and x:
            g()
        h()


def raises_from(cause):
    if cause:
        raise AssertionError('no') from cause
    f()
