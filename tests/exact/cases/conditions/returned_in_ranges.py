# SPDX-License-Identifier: MIT
# Conditional expressions that are returned out of a protected range or a handler, beside other returns.


def after_return(p, x):
    if p:
        return x
    try:
        return None if p else "t"
    except E:
        pass


def under_test(p, f):
    if f:
        try:
            return "u" if p else None
        except E:
            pass


def over_test(p, f, y):
    if f:
        pass
    else:
        try:
            return "t" if p else y
        except E:
            pass


def in_named_try(p, y):
    if p:
        try:
            return "t" if p else y
        except E as e:
            pass


def in_handler(p):
    try:
        f
    except E:
        return "t" if p else None


def in_handler_beside_other(p):
    try:
        x = f
    except E:
        return "u" if p else 1
    except G:
        return "u" if p else 1


def in_handler_before_statement(p):
    try:
        f()
    except E:
        return "t" if p else "u"
    g()


def test_in_named_handler(p):
    try:
        f
        return "u"
    except E as e:
        if p:
            return "u"
