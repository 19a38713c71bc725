# SPDX-License-Identifier: MIT
# Loops within a loop, which clauses alone leave, and whose body raises at its end.


def of_items(b):
    for a in b:
        while True:
            try:
                p()
            except E:
                continue
            except G:
                break
            finally:
                q()
            raise X
        z()


def of_tests(a):
    while a:
        while True:
            try:
                p()
            except E:
                continue
            except G:
                break
            finally:
                q()
            y()
            raise X
        z()


def with_statements_in_clauses(b):
    for a in b:
        if c:
            while True:
                try:
                    p()
                except E:
                    continue
                except G:
                    z(0)
                    break
                except H:
                    z(1)
                raise X
            z(2)
        else:
            x()
    z(3)


for a in b:
    while True:
        try:
            p()
        except E:
            continue
        except G:
            break
        finally:
            q()
        raise X
    z()
for a in b:
    while True:
        try:
            p()
        except E:
            continue
        except G:
            break
        raise X
    z()
