# SPDX-License-Identifier: MIT
# The end of a finally body is where a `break` in it leads.
def endless(a, b):
    try:
        a()
    finally:
        while True:
            if b:
                break
            a.b()


def endless_in_a_clause(a, b):
    try:
        a()
    except KeyError as x:
        try:
            a.b()
        finally:
            while True:
                if b:
                    break
                a.c(x)
        a.d()
    a.e()


def loop_with_else(a, b):
    while a:
        try:
            a()
        finally:
            while b:
                if b.c:
                    break
            else:
                a.d()


def else_that_breaks(a, b):
    try:
        a()
    finally:
        for i in b:
            try:
                a.c(i)
            except KeyError:
                a.d()
            else:
                break


def else_of_a_while_that_breaks(a, b):
    try:
        a()
    finally:
        while b:
            try:
                a.c()
            except KeyError:
                a.d()
            else:
                break


def clause_that_returns(a, b, c):
    try:
        a()
    finally:
        if b or c:
            try:
                a.b()
            except KeyError as x:
                return 1
        else:
            a.c()
        a.d()
    a.e()


def clause_that_breaks(a, b, c):
    while c:
        try:
            a()
        finally:
            try:
                b()
            except:
                break
        c.x


def clause_that_returns_itself(a, b):
    try:
        a()
    finally:
        try:
            b()
        except:
            return
    a.x


def break_before_a_finally_body(a, b):
    if a:
        while True:
            try:
                b()
            except KeyError:
                break
            finally:
                a.x
            a.y
        a.z
    b.x


def waits_in_the_end(a, b):
    try:
        a()
    finally:
        while a() and b:
            pass


def tests_at_the_end_of_a_loop(a, b):
    try:
        b()
    finally:
        for c in b:
            if c:
                a(c)
            else:
                pass


def after_clauses_before_the_end(a, b):
    try:
        b()
    except A:
        pass
    else:
        for c in b:
            if c:
                a(c)
            else:
                pass
        while a() and b:
            pass
    finally:
        b()
