# SPDX-License-Identifier: MIT
# Loops of a module that a clause or a raise leaves: nothing returns there.

while a:
    try:
        b()
        continue
    except E:
        c()
    finally:
        d()
    e()
    raise F
print(1)

for i in range(5):
    try:
        b()
        break
    except E:
        c()
    finally:
        d()
    if x:
        raise F
else:
    raise G
print(1)
while True:
    try:
        b()
    except E as e:
        c()
        continue
    except G:
        break
    finally:
        d()
    raise X
z()

for i in range(5):
    try:
        b()
        break
    except E:
        c()
    finally:
        d()
    if x:
        raise F
print(1)

while a:
    try:
        b()
        continue
    except E:
        c()
    finally:
        d()
    raise F


class A:
    while a:
        try:
            b()
            continue
        except E:
            c()
        finally:
            d()
        e()
        raise F
    while True:
        try:
            b()
        except E as e:
            c()
            continue
        except G:
            break
        raise X
    z()


def alone():
    while True:
        try:
            b()
        except E as e:
            c()
            continue
        except G:
            break
        finally:
            d()
        raise X
    z()
