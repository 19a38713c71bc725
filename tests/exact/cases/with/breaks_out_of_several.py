# SPDX-License-Identifier: MIT
# A `break` that leaves several statements of a loop, to what the compiler copies to it.
def statements(lock, inner, step):
    while True:
        with lock as is_open:
            if is_open:
                with inner as is_empty:
                    if is_empty:
                        break
                    step(1)
            try:
                step(2)
            except ValueError:
                step(3)
    lock.active = False


async def asynchronous(lock, inner, step):
    while True:
        async with lock as is_open:
            if is_open:
                async with inner as is_empty:
                    if is_empty:
                        break
                    step(1)
            try:
                step(2)
            except ValueError:
                step(3)
    lock.active = False


def finally_bodies(lock, step):
    while True:
        with lock as is_open:
            try:
                if is_open:
                    break
                step(1)
            finally:
                step(2)
            try:
                step(3)
            except ValueError:
                step(4)
    lock.active = False
