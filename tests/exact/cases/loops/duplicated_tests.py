# Tests that the compiler copies to the bottom of their loops, with values that are chosen inside them.


def chosen(lock, timeout, interval, check):
    while not lock.acquire(timeout=interval if timeout is None else min(interval, max(timeout - now(), 0))):
        if check() or (timeout is not None and now() >= timeout):
            return False
    return True


def either(queue, stop):
    while not queue.wait(stop or 1):
        queue.poke()
    while queue.take(stop and queue.first, block=not stop if queue else None):
        queue.poke()


def within(numbers, primes):
    for prime in primes:
        while not numbers % prime:
            yield prime
            numbers //= prime
    while numbers:
        while first(numbers if primes else 1):
            numbers = second(numbers)
        numbers -= 1


def protected(queue):
    try:
        while queue.take(1 if queue else 2):
            queue.poke()
    except ValueError:
        while queue.take(1 if queue else 2):
            queue.poke()
