# SPDX-License-Identifier: MIT
# Loops of a test and no more, in loops that a try statement protects.


def in_a_loop(x, a):
    try:
        for i in x:
            while a():
                pass
    except A:
        pass


def with_an_assertion(x, a):
    try:
        for i in x:
            while True:
                assert a()
    except A:
        pass


def with_a_break(x, a):
    try:
        while True:
            if a():
                break
    except A:
        pass


def in_an_endless_loop(x, a):
    try:
        while True:
            while not a():
                pass
    except A:
        pass
    try:
        while not a():
            pass
    except A:
        pass
