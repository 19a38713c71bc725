# SPDX-License-Identifier: MIT
# Finally bodies that do nothing but leave: 3.8 drops what they were entered with by POP_FINALLY.


def falls_into_it():
    try:
        f()
    finally:
        return


def with_a_value():
    try:
        f()
    finally:
        return 3


def something_behind(b):
    if b:
        try:
            f()
        finally:
            return
    g()


def goes_on(b):
    while b:
        try:
            f()
        finally:
            continue


def leaves_the_loop(b):
    for x in b:
        try:
            f()
        except A as e:
            g()
        finally:
            break


def in_a_named_clause(b):
    try:
        f()
    except A as e:
        try:
            g()
        finally:
            return


def in_a_named_clause_with_a_value(b):
    try:
        f()
    except A as e:
        try:
            g()
        finally:
            return b
