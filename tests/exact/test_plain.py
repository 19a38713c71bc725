# SPDX-License-Identifier: MIT
"""Texts have the layout and spelling of their sources: no variables of depyf, no empty arms, no loops without test."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
from pathlib import Path

import pytest

COMPILE = """
import importlib.util, marshal, sys
code = compile(sys.argv[1], "case", "exec", dont_inherit=True)
sys.stdout.buffer.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
"""
# Layouts that lines and jumps determine where there are no columns (up to 3.10).
BY_LINES = {
    "two with statements": """
def f(a):
    with a.x as b:
        with a.y:
            b()
    return 1
""",
    "one with statement": """
def f(a):
    with a.x as b, a.y:
        b()
    return 1
""",
    "elif that returns": """
def f(a, b):
    if a(0):
        b()
    elif a(1):
        return
    elif a(2):
        b()
    elif a(3):
        return
    elif a(4):
        b()
""",
    "guard clause in an else": """
def f(a, b):
    if a(0):
        b()
    else:
        if a(1):
            return
        if a(2):
            b()
""",
    "deletions on one line": """
def f(a, x, y):
    del a.b, a.c
    del a.d
    del x, y
""",
    "return after handlers": """
def f(p):
    try:
        stat(p)
    except OSError:
        return False
    return True
""",
    "blank line after handlers": """
def f(p):
    try:
        stat(p)
    except OSError:
        return False

    return p.a
""",
    "else of a try statement": """
def f(p):
    try:
        stat(p)
    except OSError:
        p.a()
    else:
        p.b()
""",
    "else of a try statement in a loop": """
def f(p):
    for x in p:
        try:
            stat(x)
        except OSError:
            p.a()
        else:
            p.b()
""",
    "handler that continues": """
def f(p):
    for x in p:
        try:
            stat(x)
        except OSError:
            continue
        p.b()
""",
    "long handler that continues": """
def f(p):
    for x in p:
        try:
            stat(x)
        except OSError:
            p.a()
            continue
        p.b()
""",
    "handler with pass": """
def f(p):
    for x in p:
        try:
            stat(x)
        except OSError:
            pass
        else:
            p.b()
""",
    "handler that returns": """
def f(p):
    try:
        stat(p)
    except OSError:
        p.a()
        return
    p.b()
""",
    "two guard clauses": """
def f(p):
    for x in p:
        if x.a == '':
            continue
        if x.b == 3:
            continue
        p.append(x)
""",
    "guard clause with two tests": """
def f(p):
    for x in p:
        if x.a == '' or x.b == 3:
            continue
        p.append(x)
""",
    "guard clause before a test": """
def f(p):
    for x in p:
        if x.a == '':
            continue
        if x.b is None:
            p.append(x)
""",
    "guard clause under a test": """
def f(p, last):
    for name in p:
        if name[:3] == 'do_':
            if name == last:
                continue
            last = name
            p.a()
""",
    "test before a break": """
def f(p):
    while p:
        if p.a():
            p.b()
            if p.c:
                p.d()
            break
        p.e()
    return p
""",
    "pass before an else": """
def f(x, y):
    if x == y:
        pass
    else:
        y.a()
    return x
""",
    "pass in an elif": """
def f(x, y):
    if x > y:
        x.a()
    elif x == y:
        pass
    else:
        y.a()
    return x
""",
    "guard clauses that return None": """
def f(p):
    for x in p:
        if x.a is None:
            continue
        if x.b is not None:
            continue
        if x.c is None or x.d is not None:
            continue
        if x.e is not None:
            p.append(x)
    return p
""",
    "loop under a test": """
def f(a, b):
    if a:
        while True:
            a = b()
            if not a or a == 3:
                break
    return b
""",
    "consecutive lines without room for an else": """
def f(r):
    for x in r:
        if not is_elf(x):
            continue
        return x.y
""",
    "negated comparisons": """
def f(a, b, c):
    if not (a == 1 and b):
        return c
    if not (a == 1 or b != 3):
        return b
    if a and not (b and b[:2] == c):
        c()
""",
}

STRIP = """
import importlib.util, marshal, sys, types
def strip(code):
    consts = tuple(strip(c) if isinstance(c, types.CodeType) else c for c in code.co_consts)
    return code.replace(co_linetable=b"", co_consts=consts)
code = strip(compile(sys.argv[1], "case", "exec", dont_inherit=True))
sys.stdout.buffer.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
"""
# Gives each instruction a random one of a few positions, with the columns and lengths that the layout depends on.
FALSIFY = """
import importlib.util, marshal, random, sys, types
def varint(n):
    return [0x40 | n & 63, *varint(n >> 6)] if n > 63 else [n]
def table(code, rng):
    firsts, lasts = [4, 7, 8, 11, 12, 15, 16, 19], [4, 5, 6, 11, 20]
    places = [(rng.randrange(12), rng.choice(firsts), rng.choice(lasts)) for _ in range(8)]
    left, at, out = len(code.co_code) // 2, 0, []
    while left:
        units = min(left, rng.choice([1, 1, 2, 3, 4, 8]))
        line, column, length = rng.choice(places)
        step = line - at
        out += [0xF0 | units - 1, *varint(-step << 1 | 1 if step < 0 else step << 1), 0]
        out += [*varint(column + 1), *varint(column + length + 1)]
        left, at = left - units, line
    return bytes(out)
def falsified(code, rng):
    consts = tuple(falsified(c, rng) if isinstance(c, types.CodeType) else c for c in code.co_consts)
    return code.replace(co_linetable=table(code, rng), co_consts=consts)
code = falsified(compile(sys.argv[1], 'case.py', 'exec'), random.Random(int(sys.argv[2])))
sys.stdout.buffer.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
"""

# Texts that must have no variable of depyf, no `pass` and no `while True`.
SOURCES = {
    "continue as guard clause": """
def loops(items, known):
    for item in items:
        if item in known:
            continue
        known.add(item)
    while items:
        item = items.pop()
        if item is known:
            continue
        print(item)
""",
    "return as guard clause": """
def end(item, known):
    if item in known:
        return
    known.add(item)
""",
    "return that equals the end of the function": """
def overloads(function, known):
    if function.name not in known:
        return []
    found = known[function.name]
    if function.key not in found:
        return []
    return list(found[function.key].values())


def ends(items, item, known, other):
    for other in items:
        if item in known:
            break
        if other:
            if item in other:
                return item, True
            known.add(item)
            known.add(other)
        else:
            known.add(None)
        return item, True
    raise KeyError(item)
""",
    "a loop on one line": """
def root(widget):
    top = widget
    while top.master is not None: top = top.master
    return top
""",
    "loop at the end of an arm in a loop in a try statement": """
def skip(items, end, index):
    try:
        for item in items:
            if item < end:
                index += 1
                while items[index] == item:
                    index += 1
            else:
                items.stop()
    except IndexError:
        items.clear()
""",
    "lambdas in or and conditional expressions": """
def choice(convert, callback, call):
    first = convert or (lambda item: item)
    call(first, None if callback is None else lambda item: callback(item))
""",
    "one lambda for several targets": """
def targets(self):
    first = second = third = lambda item: item
    self.a["x"] = self.a["y"] = self.a["z"] = lambda item: item
    return first, second, third
""",
    "a loop in a with statement": """
def join(self):
    with self.all_done:
        while self.unfinished:
            self.all_done.wait()
""",
    "chained comparison at the end": """
def end(self, x):
    self.check(0 <= x.a <= 255)
""",
    "conditional expression in the test of a loop": """
def wait(lock, timeout):
    while not lock.acquire(timeout=1 if timeout is None else min(timeout, 1)):
        lock.check()
""",
    "inner loop that ends in the outer one": """
def factors(n, primes):
    for prime in primes:
        while not n % prime:
            yield prime
            n //= prime
""",
    "return from a with statement": """
def start(self, refresh):
    with self.lock:
        if self.started:
            return
        self.started = True
        if refresh:
            self.refresh()
        self.show()
""",
    "returns from a try statement": """
def alive(pid):
    try:
        kill(pid)
    except OSError as error:
        if error.errno == 3:
            return False
        if error.errno == 1:
            return True
        raise
    return True


def read(self, path):
    try:
        if not self.regular(path):
            return b''
        parts = []
        while part := self.part(path):
            parts.append(part)
        return b''.join(parts)
    finally:
        self.close(path)
""",
    "test after a loop that a handler exits": """
def walk(stack, down, entries):
    while stack:
        top, failed = stack.pop(), False
        with entries:
            for entry in entries:
                try:
                    entry = next(entry)
                except OSError as error:
                    failed = True
                    break
                stack.extend(entry)
        if failed:
            continue
        if down:
            yield top
        else:
            stack.append(top)
""",
}
# Texts that must be equal to their sources.
SAME = {
    "assertions of modules": "assert a\nfor b in a:\n    assert b, c\n",
    "annotations that resemble repeated text": """
from __future__ import annotations


def visit(a: TypeType, b: aaaaaaaaaa) -> xyxyxyxy:
    return 'TypeType'
""",
    "annotations without a value in their order": """
first: int
second = 1
third: str


class Item:
    name: str
    count = 1
    price: float

    def total(self):
        return self.count * self.price

    size: int
    other: int = 3
    last: str
""",
    "only return, in an endless loop": """
def copy(source, target):
    while True:
        line = source.readline()
        if not line:
            return
        target.write(line)
""",
    "assertions under tests": """
def check(self, kind, value):
    self.check(kind)
    if kind == 1:
        assert value, 'one'
    elif kind == 2:
        assert value.a or value.b
    elif kind != 3:
        assert False
    if value and value.a:
        assert False, kind
    if value.c is None:
        self.c = value
    elif value.d in self:
        assert value.c not in self.c
    else:
        assert False, kind
""",
    "statements after an asynchronous loop": """
async def a(self):
    if self.a:
        async for p in self.s:
            async for q in p:
                if q:
                    continue
                x(q)
            y(p)
        if self.c:
            self.d = 1
    else:
        z()
    return self.b


async def b(self):
    if self.a:
        try:
            async for p in self.s:
                try:
                    x(p)
                except E:
                    y(p)
        except F:
            g()
        if self.c:
            self.d = 1
    return self.b


async def c(self):
    for i in self.x:
        if i:
            async with i as j:
                async for k in j:
                    if k:
                        break
                    if j:
                        return k
                else:
                    h()
            m()
        n()
    return self.b


async def d(self):
    while self.x:
        if self.y:
            async for k in self:
                while k:
                    k = f(k)
            self.x = 1
        elif self.z:
            self.l = [k async for k in self if k]
            self.m = {k: [j async for j in k] async for k in self if k}
        else:
            return 1
    return self.b


async def e(self):
    try:
        if self.y:
            async for k in self:
                yield k
            yield 1
        yield 2
    finally:
        self.w()
    return
""",
    "arm that reaches the end of the function": """
def refactor(self, *args):
    if self.queue is not None:
        self.queue.put(args)
    else:
        args = self.checked(args)
        return super().refactor(*args)
""",
    "an else that ends the function": """
def send(sock, data):
    sock.start()
    try:
        sock.send(data)
    except ValueError:
        sock.fail()
    except OSError as error:
        sock.close(error)
    else:
        sock.done()
        sock.close()


def load(sock, data):
    try:
        data.read()
    except ValueError:
        data.fail()
        return
    data.load(sock)
    data.close()
""",
    "exits on separate lines": """
def each(items, known):
    for item in items:
        if item in known:
            if item.done:
                known.add(item)
            else:
                item.end()
            continue
        item.start()
        item.close()
    for item in items:
        if item in known:
            known.add(item)
            continue
        item.start()
        item.close()


def once(item, known):
    if item in known:
        known.add(item)
        return
    item.start()
    item.close()
""",
    "else and no else after an arm that exits": """
def first(a):
    if a:
        return a.one
    else:
        return a.two


def second(a):
    if a:
        return a.one
    return a.two


def third(a, b):
    if a:
        return a.one
    elif b:
        return b.one
    else:
        raise a


def fourth(a, b):
    if a:
        a.one()
        if b:
            return a.two
        else:
            return a.three
    return b


def fifth(a):
    if a:
        return a.one
    return None
""",
    "conditional expressions that end a function": """
def given(a):
    return a.one if a.zero else a.two


def stored(self, a):
    self.one = a.one if a else a.two


def pair(self, a):
    a.one = (a, self) if a else (self,)
    return a
""",
    "nested tests and tests with and": """
def both(a, b):
    if a.one:
        if b:
            b.one()
    if a and b:
        b.two()
""",
    "else, or a statement in the body, before a finally": """
def one(a):
    try:
        g(a)
    except ValueError as e:
        return h(e)
    else:
        k()
    finally:
        z()
    return 3


def in_a_loop(a):
    for x in a:
        try:
            g(x)
        except (ValueError, KeyError):
            continue
        except OSError:
            break
        else:
            k()
        finally:
            z()
    return a


def three(a):
    for i in a:
        try:
            try:
                g(a)
            except E:
                return g(i)
            except F as y:
                h(y)
        except E as x:
            k(x)
        else:
            z()
        finally:
            g(i)
    z()


def two(a):
    try:
        try:
            g(a)
        except ValueError:
            return 1
        k()
    finally:
        z()
    return 3
""",
    "arms of a conditional expression": """
def named(name, known):
    print(name if name is not None else known, known if name is None else name)
    return [known.get(name) if not name.private else name, 1 if not name and not known else 2]
""",
    "conditions at the ends of arms": """
def f(m):
    if m.a:
        p()
        if h(m) and m.b is not None:
            z(m)
    elif m.b:
        p()
        if h(m) and m.b:
            z(m)
    elif m.c:
        q()
        if h(m) and m.c is not None:
            z(m)
        r()
        if h(m, 'b') and m.c.b is not None:
            z(m)
""",
    "guard clauses at the start of a function": """
def close(self, known):
    if self.closed:
        return
    self.flush()
    if known is None:
        return
    for item in known:
        item.close()
    if known:
        self.closed = True


def find(self, name):
    if not name:
        return None
    return self.known[name]
""",
    "assertions": """
def check(self, name):
    assert self.known
    assert not name.startswith('_'), name
    if name in self.known:
        raise KeyError(name)
""",
    "assertions of conditional expressions": """
def check(self, name, kind):
    for part in name:
        assert part if kind else self.c, 'one'
    assert part if kind else self.c
    self.check(name)
    try:
        self.start()
    finally:
        assert name if kind else self.d
    assert not (name if kind else self.e), kind
""",
    "chained comparison as test of a loop in a handler": """
def wait(self, low, high):
    try:
        self.start()
    except OSError:
        while low < self.at() <= high:
            self.step()
""",
    "guard clauses before the rest": """
def factors(n, primes):
    if n < 2:
        return []
    found = []
    for prime in primes:
        if prime == 2:
            continue
        for part in found:
            if part % prime == 0:
                break
        else:
            found.append(prime)
    return found
""",
    "an arm that raises": """
import sys
if sys.platform == 'win32':
    first = 1
else:
    raise ImportError('elsewhere')
import time
second = time.time()
if second < first:
    print(second)
for part in first:
    print(part)
""",
    "an arm that raises in a function": """
def arm(kind):
    if kind == 1:
        size = 2
    else:
        raise TypeError(kind)
    for part in range(size):
        print(part)
    return size
""",
    "tests with and and or": """
def tests(count, chunk):
    if count > 10 and not chunk.done or count == 3:
        print(chunk)
    if (count > 10 or not chunk.done) and count == 3:
        print(count)
    while count and not chunk.done or chunk.more:
        chunk.go()
    if not count and chunk.done or chunk.more:
        print(chunk)
    if (not count or chunk.done) and chunk.more:
        print(count)
    return chunk
""",
    "loops that a handler exits": """
def loops(source):
    while True:
        try:
            source.first()
        except KeyError:
            break
        source.go(1)
    while True:
        try:
            source.second()
        except KeyError:
            break
        source.go(2)
    return source
""",
    "comprehensions in the tests of loops": """
def alone(xs, go):
    while [x for x in xs if x.ready]:
        go(xs)
    return xs


def among_others(xs, go):
    while go(xs) and any([x.ready for x in xs]) and {x: y for x in xs for y in x}:
        for x in xs:
            go(x)
        if go.done:
            break
    for x in xs:
        while not {y for y in x} - go.known:
            go(x)
        go.next()


def twice(xs, go):
    if go.first:
        for x in xs:
            go(x)
    else:
        for x in xs:
            go(x)
    while go.last if {x for x in xs} == go.known else xs:
        go(xs)
""",
    "walrus in a generator expression, in defaults and in class keywords": """
def find(rows, limit):
    if any((hit := r) > limit for r in rows):
        return hit


def outer(x):
    class C(metaclass=(y := x.kind)):
        def m(self, a=(z := x.first)):
            return a

    return C
""",
    "a long tuple in parentheses": """
NAMES = (
    'a_name_that_is_long_enough_to_be_alone',
    'another_name_that_is_long_enough_as_well',
    'one_more_name_that_is_long_enough_for_a_line'
)
""",
    "tests that are conditional expressions": """
def one(a, s, e):
    if a() if s == 'w' else e.get(a) is not None:
        a.add(1)
    for d in e:
        try:
            if d.x and d.y:
                a.append(d)
        except KeyError:
            a.b()
    return a


def two(a, k, n):
    for x in k:
        yield a(x)
        if k.b or (x > n if n else k.c is not False):
            return
""",
    "equal ends of handlers": """
def check(self, p, x):
    try:
        self.a()
    except KeyError:
        self.warn(p)
        self.b(x)
        self.tell(p, Event(p, p.event))
    except:
        self.warn(p)
        self.c(x)
        self.tell(p, Event(p, p.event))
""",
}

# Layouts that the columns of the line table determine.
LAID_OUT = {
    "implicit continue": """
def one(code, found, unbound):
    for name in code:
        try:
            found[name] = code[name]
        except KeyError:
            try:
                found[name] = code.a[name]
            except KeyError:
                unbound.add(name)
    return unbound

def two(path, log):
    for info in path:
        if info.a:
            try:
                load(info.name)
            except ImportError:
                if log is not None:
                    log(info.name)
            except Exception:
                if log is not None:
                    log(info.name)
                else:
                    raise
            else:
                two(info.path, log)

def three(path, log):
    for info in path:
        try:
            load(info.name)
        except ImportError:
            log(info.name)
            continue
        except Exception:
            if log.a:
                log(info.name)
                continue
            raise
        info()
""",
    "arms of a test in a loop": """
def one(texts, node):
    while node is not None:
        if node.kind in (A, B):
            texts.insert(0, node.data)
            node = node.left
        else:
            break
    return texts

def two(node, seen):
    while node is not None:
        if node in seen:
            break
        seen.append(node)
        node = node.next
    return node

def three(self):
    while True:
        self.a()
        if self.b is not None:
            try:
                self.b()
            except E:
                self.c()
        else:
            break
    self.d()

def four(text, stop, end):
    while end < len(text):
        if text[end] in "#":
            end = text.find("\\n", end)
        elif not stop(text[end]):
            end = increment(end)
        else:
            break
    return end
""",
    "consecutive lines without room for another keyword": """
def one(paths):
    done = True
    for path in paths:
        if path.a:
            if not compiled(path, 1):
                done = False
        else:
            if not copied(path, 2):
                done = False
    return done

def two(f, m, end):
    while end < len(f):
        if not m or f.a:
            chunk = f.read()
            if chunk:
                end = 0
                continue
            if not m:
                break
        f(m)

def three(fields, kinds, put):
    for name in fields:
        if name.a:
            if kinds[name] is list:
                if not kinds:
                    put(repr(name))
                continue
            if not kinds:
                put()
        kinds(name)
""",
    "else of a body that a finally protects": """
def one(self):
    if self.error:
        try:
            raise self.error
        finally:
            self = None
    else:
        return self.result

def two(self):
    for x in self:
        if x:
            try:
                return x.a()
            except E:
                raise
            finally:
                x.b()
        elif self.a:
            return 1
        self.c(x)
""",
    "else after a test on several lines": """
def one(name, pattern):
    size = len(pattern)
    if (
            len(name) > size
            and name.startswith(pattern)
        ):
        return True
    else:
        return False

def two(self, base):
    self.a()
    if (
            self.a
            and self.b
        ):
        return base
    else:
        return self.c(base)
""",
    "break before handlers": """
def one(open):
    while True:
        try:
            f = open()
            break
        except E as e:
            if e.a:
                raise
            if e.b:
                raise
    return f

def two(open):
    while True:
        try:
            f = open()
        except E as e:
            if e.a:
                raise
        else:
            break
    f.a()
    return f

def three(names):
    for name in names:
        try:
            f = open(name)
            break
        except OSError:
            pass
    else:
        return None
    return f.read()
""",
    "operands below the first one, in parentheses": """
def one(f):
    while line := f.readline():
        rest = {}
        if (line.strip().startswith("#") or
            line.strip() == ""):
            continue
        f.a(line)
""",
    "elif after a guard clause with not": """
def one(ids, known):
    for x in known:
        if not (c := known.get(x)):
            # a comment
            continue
        elif x in ids:
            return False
        ids.add(c)
""",
    "break at the beginning of a loop": """
def one(f, name):
    level = 2
    while f := f.f_back:
        if f.f_code.co_filename != name:
            break
        level += 1
    return level

def two(text, n):
    i = 7
    while i < n:
        if not text[i].isdigit():
            break
        i += 1
    if i < 9:
        return i
    return text

def three(a, b, i, n):
    while i < n and a[i] == b[i]:
        if a[i].c:
            break
        i += 1
    while (i < n and
           a[i] is b[i]):
        i += 1
    while (
        i < n
        and a[i] in b
    ):
        i += 1
    return i
""",
    "exits after handlers, and strings with conversions": """
def first(paths, bucket, known):
    for path in paths:
        try:
            bucket.get(path)
        except KeyError as e:
            if e.args not in known:
                raise
        else:
            return True
    return f'{bucket!s}'


def valid(kinds, value):
    for kind in kinds:
        try:
            kind.check(value)
        except TypeError:
            continue
        return ''
    return f'{value!s} is none of {kinds!s:>9}'


def retry(take, wait):
    while True:
        try:
            take()
        except OSError as e:
            if wait.ended:
                raise
            wait('%s' % (e,), '%s of %s' % (take, wait.get(e)))
        else:
            break
    return wait


def tries(take):
    for each in take:
        try:
            each()
            return 1
        except OSError:
            take.next()
    return 0
""",
    "alternatives of the last case with copies of the body": """
def classes(self):
    match self:
        case int() | str() | float() | C(x=1):
            return True
        case _:
            return False


def several(self):
    match self:
        case C.A | C.B:
            return 1
        case C.D | C.E | C.F:
            return 2
        case C.G | C.H | C.I:
            return 3
        case _:
            return 4


def nothing(self):
    match self:
        case "a" | "b" | "c":
            pass
        case _:
            f()


def returned(self):
    match self:
        case "a" | "b" | "c":
            return
        case _:
            f()
    g()


def apart(self):
    match self:
        case C.A:
            return True
        case C.B | C.D:
            return True
        case _:
            return False


def nested(self):
    match self:
        case [1 | 2 | 3]:
            return True
        case [4] | [5] | [6, 7]:
            return False
        case _:
            return None


def guarded(self):
    match self:
        case 1 | 2 | 3 if f():
            return True
        case _:
            return False


def named(self):
    match self:
        case 1 | 2 | 3 as x:
            return x
        case _:
            return False


def without_default(self):
    match self:
        case C.A | C.B | C.D:
            return True
    return False
""",
    "indentation of two columns": """
def two(shape, t):
  x = 1
  y = shape.y
  if shape is None:
    raise ValueError
  if t.y:
    x = 2
  if t.z is not None:
    return shape
  if x:
    x = shape
    if x.a:
      return 2
  return t
""",
    "test within one that ends with not": """
def tested(self, router):
    self.x(router)
    if router.use and not self.other:
        if not self.gateway:
            self.y(router)
    for x in router:
        if x != '=' and not x.quoted:
            if not (x.space and x.alias):
                warn(1)
                continue
        if x.a and not x.b and not x.c:
            z()
        z()
""",
    "else after an arm without return in a function with bare returns": """
def suspend(self):
    if self.driver is None:
        return
    if self.driver.can_suspend:
        self.signal()
        self.refresh(layout=True)
    else:
        raise NotSupported(
            'not supported here'
        )


def returned(self, guild):
    if guild is not None:
        channel = self.a()
        self.d(channel)
    else:
        self.b()
        return
""",
    "else of a try statement that begins with a test": """
def raises(self):
    try:
        proto = self.f()
    except BaseException:
        self.x()
        raise
    else:
        if self._closed:
            proto.close()
            raise Closed('closed.')
    self.remove(proto)


def follows(self):
    try:
        proto = self.f()
    except BaseException:
        self.x()
        raise
    if self._closed:
        proto.close()
        raise Closed('closed.')
    self.remove(proto)


def tries(self):
    try:
        next(self)
    except StopIteration:
        return
    else:
        try:
            raise RuntimeError("it didn't stop")
        finally:
            self.close()
""",
    "the same constant returned by several arms": """
def point(number):
    if f(number):
        if g(number):
            return -1
        else:
            pos = h(number)
            if pos >= 0:
                return len(number) - pos - 1
            else:
                return -1
    else:
        return -1
""",
    "an exit of a loop that begins with a test": """
def pop(self):
    while True:
        value = self.next()
        if value in self._data:
            if not self._data:
                self.clear()
            return value
""",
    "parentheses at the end of a line": """
def one(key, first, kwargs):
    for key in a:
        if b:
            continue
        elif key in MANY and (
            not first and kwargs.get('u', True)
        ):
            continue
        elif key not in x:
            x()
    assert kwargs.x is None or (
        x < kwargs.x or x > kwargs.y
    ), (kwargs.x, x)


def two(a, b):
    if a:
        b()
    elif a.negative is not None and (
        not isinstance(a, str) and not isinstance(a, list)
    ):
        raise b
    if a is None and not (
        b.excluded or a.filtered.y
    ):
        return b
    if (
        a.x
        and b.y
        and a.y
    ):
        b()


def three(prompt, a):
    if a:
        raise a
    elif prompt is not None and (not isinstance(prompt, str) and not isinstance(prompt, list)):
        raise prompt
    elif (prompt is None) and not isinstance(a, str):
        a()
""",
    "returns in and after loops": """
def one(a):
    while True:
        if x():
            if not a:
                a = f(a)
            break
        g()
    return a


def two(a):
    while True:
        if x():
            return f(a)
        g()


def three(a, b):
    for c in a:
        if b in c:
            if c[b] is None:
                return NotImplemented
            break
    else:
        return NotImplemented
    return True


def four(a):
    if a:
        b = f(a)
    else:
        return None
    return g(b)


def five(a):
    for b in a:
        if f(b):
            return b
    else:
        a = g(a)
    for b in a:
        h(b)
    return a


def six(a):
    for b in a:
        if b:
            return f(b)
    else:
        return g(a)
""",
    "ends of a loop's body": """
def one(a, b, c):
    while c > b:
        d = c - 1
        if d < a:
            b[c] = d
            c = d
            continue
        break
    b[c] = a


def two(a, b):
    for c in a:
        if b is not None:
            if c in b and c not in a:
                raise RuntimeError(f'{c} {b}')
            break
        if c in b:
            b = c
    return b
""",
    "a return under two tests": """
def one(a):
    if a in ('a', 'b') or \\
       a.startswith(('a-', 'b-')):
        return 'c'
    return a
""",
    "breaks and else of a loop that end a function": """
def one(a):
    for x in a:
        if x.y:
            break
        f(x)
    else:
        g(a)
        return True


def two(a):
    for x in a:
        if x.y:
            return
        f(x)
    g(a)
    h(a)


def three(a):
    for x in a:
        for y in x:
            if y:
                break
        else:
            f(x)
""",
    "tests at the end of a protected body in a loop": """
def one(args):
    for arg in args:
        try:
            if arg:
                b()
        except ValueError:
            pass


def two(args):
    while args:
        try:
            a()
            if arg and c or not d:
                b()
            elif arg:
                d()
        except ValueError:
            d()
        except KeyError:
            if not args:
                e()


def three(args):
    try:
        for arg in args:
            try:
                if arg is None:
                    continue
                b()
                if arg:
                    c()
            except ValueError:
                d()
    except KeyError:
        e()


def four(args):
    for arg in args:
        with arg:
            if arg < 2:
                b()
                yield c
    for arg in args:
        try:
            if arg:
                b()
        finally:
            d()
""",
    "nested with statements": """
def one(a):
    with a.b():
        with a.c(1) as c:
            g()
    with a.b(), a.c():
        with c as d, e:
            g()
            g()
    with a:
        with b:
            with c:
                h()
    with (
        a.b(),
        c
    ):
        d()


async def two(a, b):
    async with a:
        async with b:
            await c
    with a:
        async with b:
            g()
""",
    "if after arms that exit": """
def has(current, level):
    while current:
        if any(handler.level <= level for handler in current.handlers):
            return True
        if not current.propagate:
            break
        current = current.parent
    return False
""",
    "elif that continues, before other arms": """
def first(of, items):
    for x in items:
        if of.a:
            use(x)
        elif of.b:
            continue
        elif of.c:
            break
        else:
            return 0
    return 1
""",
    "return that two breaks reach": """
def next_of(log):
    while True:
        x = log.read()
        if x is None:
            break
        if x.ok and log.has(x):
            break
        log.skip(x)
    return x
""",
    "conditional expressions that end in None": """
def f(x):
    return a() if x == 1 else b() if x == 2 else None
def g(x):
    return None if not x.a == 2 else b()
def h(x): pass
def abc(): pass
""",
    "a guard clause before an assertion": """
def find(want, got):
    if MARKER not in want:
        return want == got
    ws = want.split(MARKER)
    assert len(ws) >= 2
    if not got:
        for w in ws:
            got = got.find(w)
    return got
""",
    "guard clauses with a bare return": """
def update(state, n):
    if n is None:
        if state:
            state.x = []
        return
    for x in state:
        if x:
            if n:
                p(x)
            continue
        q(x)
        r(x)
    with state.lock:
        if state.y == -1:
            state.y = 3
            return
        state.z = 2


def check(x):
    try:
        import y
    except ImportError:
        log(x)
        return
    @w
    def g():
        pass
    if g:
        z = g()
        z()


def publish(x):
    if x:
        if not x.done():
            return
        x.y = None
        try:
            h(x)
        except E:
            k()
        for i in x:
            j(i)
    z(x)


def watch(x):
    for i in x:
        if not i.alive:
            continue
        while True:
            try:
                e = f(i)
            except E:
                break
            if e in x:
                g(e)
                break
""",
    "guard clauses of a try statement that ends the function": """
def update(state, n):
    try:
        if n is None:
            p(state)
            return
        if state.y == -1:
            state.y = 3
        state.z = 2
    finally:
        q()
""",
    "tests on several lines": """
def check(a, b):
    if a:
        if b:
            p(a)
            q(b)
    if (a and
            b):
        p(a)
    if a.x and b:
        if not a.y:
            if b.x or b.y:
                q()
    elif a:
        if b:
            q()
    else:
        q()
    for x in a:
        y = x
        if x < 3:
            tok = y
            if tok:
                q()
                if x:
                    p(x)
""",
    "negations of and and or": """
def check(a, b, c, d):
    if not a or not b.c(d):
        return 1
    if not (a and b.c(d)):
        return 2
    if not a and not b[1]:
        return 3
    if not (a.x or b):
        return 4
    if a > 1 and a is not None and b is not None:
        return 5
    if a > 1 and not (a is None or b is None):
        return 6
    if not (a or b or c.d):
        return 7
    while not a or not c:
        p()
    while not (a and c):
        p()
""",
    "returns of equal constants": """
def check(value, n):
    if value < 2:
        return False
    for base in n:
        if base % value == 0:
            return False
    return True
""",
    "return after several arms": """
def check(a, b, c):
    if a:
        b = 1
    elif b:
        c = 2
        if c:
            b = 5
        else:
            b = 6
    elif c.x:
        b = 3
    return (a, b)
""",
    "returns at the end of a function": """
def one(x):
    if x:
        return 1
    print(x)
    return None


def two(x):
    return None


def three(x):
    for y in x:
        y()
    return


def four(x):
    result = 5


async def five(x):
    async for a in x:
        a()
    return None


def six(x):
    f(None)
""",
    "exits of an asynchronous generator": """
async def f(x):
    async for y in x:
        if y.a:
            return
        if y.b:
            continue
        yield y
""",
    "arms that end in an assertion that always raises": """
def color(text):
    if text[0] == '#':
        if text == '#0':
            return 2
        assert False, 'format'
    elif text == '':
        return ''
    elif text.startswith('var') or text.startswith('calc'):
        return text
    assert False, text
""",
    "assertions under positive tests": """
def f(x, w):
    if CHECKING:
        assert x is not None
    if a and b:
        assert c, 'm'
    if a:
        assert not b
    for i in x:
        if w.is_fast:
            assert w.stride(-2) == 1, 'w'
        y(i)
""",
    "else of a guard clause, and the statements after both": """
def f(names, params):
    for n in names:
        for p in params:
            if p not in n:
                continue
            m = n.replace('a', 'b')
            if p == 'c' and m not in params:
                continue
            else:
                n = m
            if n.endswith('d') and n not in params:
                continue
            g(n)
            break
        else:
            if n:
                continue
            if n.endswith('e') and n not in params:
                continue
            h(n)
""",
    "statements after an inner guard clause in an else": """
def f(self, n):
    if self.mode != 'x':
        if self.more > 0:
            n += self.more
        return g(n)
    else:
        m = n + 1
        if m <= 2 and not self.old:
            self.add(n)
            return []
        else:
            k = len(m)
            if k:
                self.last[n] = k
            return self.rest[k:]
""",
    "guard clauses in arms of an elif chain": """
def f(items):
    for name, w in items:
        if is_first(name):
            if staged(name):
                continue
            first[name] = w
            load(name, w)
        elif is_second(name):
            if staged(w):
                continue
            second[name] = w
            load(name, w)
        else:
            yield name, w
""",
    "return and return None": """
def f(x):
    if x.a:
        return
    if x.b:
        return None
    try:
        y = g(x)
    except ValueError:
        return None
    except TypeError:
        h(x)
        return
    return y
""",
    "returns of None at the ends of a function": """
def f(x):
    if x.a:
        with x:
            g(x)
        return
    elif x.b:
        for y in x:
            h(y)
        return None
    else:
        try:
            k(x)
        except ValueError:
            return None
""",
    "return None that several arms reach": """
def f(x):
    try:
        y = g(x)
        if y:
            return y
    except ValueError:
        h(x)
    except TypeError as e:
        k(e)
    return None
""",
    "loops at the end of a function that end by break": """
def f(args):
    if args.quick:
        g()
        return
    while True:
        try:
            a = h()
        except EOFError:
            break
        if not a:
            break
        k(a)
""",
    "one break after two arms": """
def f(names):
    for n in names:
        for m in n:
            if m.found:
                if not m.shared:
                    n = m
                else:
                    add(m)
                break
        else:
            g(n)
        h(n)
""",
    "two returns of one value from a with statement": """
def f(self, key):
    with self.lock:
        old = self.all.get(key)
        if old is not None and old.done:
            return old, False
        if old is not None:
            if old.late:
                old.renew()
            return old, False
        new = self.make(key)
        return new, True
""",
    "try statement whose handlers exit, before other statements": """
def f(x):
    if x.done:
        return
    try:
        kernel = load('kernel')
    except Exception:
        log('none')
        return
    cls = getattr(kernel, 'K', None)
    if cls is None:
        log('no class')
        return
    cls.run = x
""",
    "else that exits the loop": """
def f(values, last):
    for v in values:
        if v >= last:
            last = v
        elif v.startswith('x'):
            print(v)
            last = None
        else:
            break
    return last
""",
    "guard clauses with and and or": """
def f(module, x):
    for child in module.modules():
        if not isinstance(child, K):
            continue
        if child.size != x:
            continue
        g(child)
        h(child)
    for child in module.children():
        if isinstance(child, K) or child.old:
            continue
        elif child.size:
            g(child)
            h(child)
    for child in x:
        if child is None:
            continue
        if not child.a:
            g(child)
        if (
            child.b
            and not child.c
        ):
            h(child)
""",
    "return of a constant at the end of a try statement": """
def f(x):
    if x:
        try:
            f(x)
        except ValueError:
            return None
        return True
    try:
        import y
        if y:
            return False
        return True
    except ImportError:
        return None
    except ValueError:
        raise
""",
    "else of a try statement": """
def f(x):
    try:
        import y
    except ImportError:
        return None
    else:
        c = y.g(x)
        return c
""",
    "targets of a tuple on separate lines": """
def f(self, layer):
    if not layer.weights:
        self.setup(layer)
        return
    a, b, c = layer.a, layer.b, layer.c
    (
        layer.x,
        layer.y,
    ) = convert(a, b, c)
    layer.z = c
""",
    "assertions and exits under separate tests": """
def check(x, y):
    if x is not None:
        assert y > 1, 'm'
    if not x:
        assert y
    assert not x or y, 'n'
    for z in x:
        if z in y:
            continue
        if z.a and z.b:
            continue
        if z or y:
            continue
        if z.b:
            break
        if z.c:
            break
        f(z)
    return 3
""",
    "conditional expressions that are stored or returned": """
def check(x, y):
    r = g(x) if y else x.mean(dim=0)
    return r


def one(x):
    self.q = x if x.a else None
    a, b = x.y if x else x.z
    return a


def two(x, y):
    if x:
        return f(x) if y else None
    return None if x else f(x)
""",
    "arm before one that raises": """
def check(x):
    if x:
        y()
    else:
        raise N(
            "Only attn"
        )
""",
    "test with an operand on the next line": """
def check(self, text, images):
    if text is not None:
        if not (
            isinstance(text, str) or (isinstance(text, list) and len(text))
        ):
            raise ValueError('a')
        if getattr(self, 'v', None) is not None:
            n = [s for s in text]
            if images is not None:
                images = m(images)
""",
    "handlers that exit": """
def a(x, y):
    if y:
        try:
            z = f(x)
        except E:
            g(x)
            return None
        w = g(z)
        if not w:
            return None
        return w.x if w.y else None
    return y


def b(x, y):
    for i in x:
        try:
            z = f(i)
        except E:
            g(i)
            continue
        except V as e:
            raise X(e)
        h(z)
        if z:
            if y:
                k()
            continue
        l()


def c(x, y):
    try:
        z = f(x)
    except E:
        z = 3
    else:
        h(z)
    return z


def g(x, y):
    if x:
        return 1
    try:
        return f(x)
    except E:
        pass
    if y:
        h(y)
        return None
    g(y)
    return 3


def h(x):
    if not isinstance(x, str):
        try:
            return int(x)
        except E as e:
            raise T() from e
    c = x.b()
    if not c:
        raise V()
    return c
""",
    "conditional expressions at the end": """
def one(self, parts):
    present = [p for p in parts]
    return ''.join(present) if present else None


def two(self, x):
    return None if x else self.f


def three(self, x):
    if x.a:
        return self.g(x) if x else None
    return x
""",
    "several targets of del": """
def check(x, y, z):
    del x[0], y.a, z
    del x, y
    del z


def several(p, q):
    if not p:
        del p, q
        return 1
    elif p or q:
        del p, q
        return 2
    return 3
""",
    "statements that begin with a negated test": """
def check(a, b):
    if not a:
        a = b.pop()
        b.close()
    if not (a and
            b):
        raise ValueError(a)
    if not 0 <= a < 10:
        raise IndexError(a)
    elif not 0 <= b < 10:
        raise IndexError(b)
    return a
""",
    "arms that return from a try with finally": """
def read(a, b):
    try:
        if a in b.read():
            return a, '%s' % b
        else:
            return b, '%s' % a
    finally:
        b.close()
""",
    "consecutive arms that exit": """
def f(a, b):
    if a:
        return b
    if b:
        return a
    return f(b, a)
""",
    "if and else that both exit": """
def f(a, b):
    if a:
        return b.one()
    elif b:
        return a.two()
    elif not a.b:
        return a
    else:
        a.go()
        return f(b, a)
""",
    "exits at the ends of handlers": """
def returned(a):
    try:
        return a.load()
    except ValueError as e:
        a.warn(e)
        return None


def fallen(a):
    try:
        return a.load()
    except ValueError as e:
        a.warn(e)


def bare(a):
    try:
        a.load()
    except ValueError as e:
        a.warn(e)
        return
    a.store()


def continued(a, b):
    for c in b:
        if c.d:
            continue
        try:
            a.load(c)
        except ValueError as e:
            a.warn(e)
            continue
        except KeyError:
            a.warn(c)
            continue
    for c in b:
        try:
            a.load(c)
        except ValueError as e:
            a.warn(e)
        except KeyError:
            log(e)
    return a


def armed(a, b):
    while True:
        try:
            a.load()
        except ValueError:
            if b:
                break
            continue
    for c in b:
        try:
            a.load(c)
        except ValueError as e:
            if e.args:
                a.warn(e)
                continue
            else:
                raise
    return a
""",
    "test at the end of a try body in a loop": """
def broken(a, b):
    for c in b:
        try:
            if a.find(c):
                a.append(c)
                break
        except ValueError:
            continue
    return a


def returned(a, b):
    for c in b:
        try:
            d = a.find(c)
            if d == 0:
                return c
        except ValueError:
            pass
    return None


def managed(a, b):
    for c in b:
        with a as d:
            if d.e:
                return c
    return None
""",
    "constant returned from two statements": """
def deleted(a, b):
    with a as c:
        try:
            c.delete(b)
            return True
        except ValueError as e:
            if e.x == 404:
                return False
            raise


def waited(a, b):
    with a as c:
        try:
            c.wait(b)
        except ValueError:
            raise
        return True
""",
    "continue after an arm that exits, in a coroutine": """
async def renew(a):
    while True:
        if a.lost:
            if a.late:
                a.lose()
                return
            if not await a.sleep():
                a.lose()
                return
            continue
        a.renew()
        if a.done:
            return
""",
    "one raise after several arms": """
def again(a, b):
    try:
        a.one()
    except KeyError:
        if a:
            b.one()
        else:
            b.two()
        raise
    return 1


def named(a, b):
    try:
        a.one()
    except KeyError as e:
        if a:
            b.one()
        elif b:
            b.two(e)
        raise TypeError(a) from None


def alone(a, b):
    if a:
        b.one()
    elif b:
        b.two()
    else:
        b.three()
    raise TypeError(a)


def within(a, b):
    with a as c:
        for d in c:
            if d:
                b.one()
            else:
                b.two()
            raise TypeError
        if c:
            b.three()
        else:
            b.four()
        raise ValueError(c)


def last(a, b):
    try:
        if a:
            b.one()
        else:
            b.two()
        raise b
    finally:
        b.three()
""",
    "else after a raise": """
def f(a):
    try:
        return a.one()
    except KeyError as e:
        if e.args:
            raise
        else:
            raise ValueError(a) from e
""",
    "returns of one constant": """
def f(a, b):
    if a is b:
        return True
    if isinstance(a, list):
        return True
    for c in b:
        if c not in a:
            return False
    return True
""",
    "returns of one constant after other statements": """
def f(a, b, log):
    if a.blocked(b):
        log('blocked')
        return False
    if a.unknown(b):
        log('unknown')
        return False
    log('known')
    return True
""",
    "else at the end of a function": """
def f(a, b):
    if a:
        b.one()
        b.two()
    else:
        b.three()
""",
    "continue, and a test around the rest": """
def f(items):
    for a in items:
        if not a.one():
            continue
        b = a.two()
        if not b.known(a):
            continue
        b.three(a)
        b.four()
    for a in items:
        b = a.two()
        if not b.skipped:
            b.three(a)
            b.four()
""",
    "nested test in a loop": """
def f(self, value):
    for m in self.known.values():
        if m.value == value:
            if m is not self:
                raise ValueError(value)
            return m.name
    raise KeyError(value)
""",
    "conditional expressions that are returned": """
def f(a, b):
    if a.one:
        return b.two() if a.two else a.three()
    if b:
        return a.four()
    else:
        return b.four()
""",
    "percent formats": """
def f(a, b):
    print('%s: 100%% of %-20s' % (a, b))
    print('%r, %a' % (a, b), '%r' % (a,), '%.3s' % (b,))
    print(f'{a}: {b!r} of {a:>20}', f'{a!r}')
    return '%10s%%' % (a.b,)
""",
    "two negated tests": """
def f(a, b, c):
    if a is not None or b is not None:
        print(a)
    if not a and b is not None:
        print(b)
    if not (a or b):
        print(c)
    return [d for d in c if d is not None or a is not None]
""",
    "test at the end of a handler": """
def ask(a, b, c, x):
    try:
        x()
    except KeyError:
        if a or (not b and c):
            x(1)
    except ValueError as e:
        x(e)
        if a and (b or c):
            x(1)
""",
    "end of a loop's body in a generator": """
def tell(a, b, c):
    while True:
        yield a
        if a:
            a()
        elif b:
            b()
def seek(a, b, c):
    while True:
        try:
            c = a()
        except IndexError:
            break
        yield a
        if b:
            if c:
                c()
def ask(a, b, c):
    while True:
        yield a
        if not a:
            continue
        if not b:
            continue
        if c:
            c()
def wait(a, b, c):
    for c in a:
        yield c
        if b:
            b()
        else:
            continue
        a()
        if c:
            c()
""",
    "end of a handler in a loop": """
def ask(a, b, c):
    while True:
        try:
            a()
        except KeyError:
            if b:
                continue
            c()
def tell(a, b, c):
    for a in b:
        try:
            a()
        except KeyError as e:
            if not e:
                continue
            b()
            c()
        with b:
            if c:
                continue
            a()
""",
    "bodies of a single keyword": """
def later(x):
    ...


def nothing(x):
    pass


def told(x):
    \'\'\'doc\'\'\'
    ...


class Protocol:
    \'\'\'doc\'\'\'
    ...


class Error(Exception):
    ...


class Other(Error):
    pass


def returns():
    return None


def arms(x, y):
    if x:
        ...
    try:
        x()
    except KeyError:
        ...
    except ValueError:
        pass
    else:
        y()
    with y:
        ...
    while x:
        ...
    x()


def loop(x):
    for y in x:
        try:
            y()
        except KeyError:
            continue
        except ValueError:
            pass
        except OSError:
            ...


def last(x):
    for y in x:
        try:
            y()
        except KeyError as e:
            pass
        except ValueError as e:
            continue
""",
    "empty arms in elif chains": """
def once(op, a, b):
    if op.is_view:
        pass
    elif op.name() in {'a', 'b'}:
        # what a comment says
        pass
    elif 'c' in op:
        a(op)
    elif 'd' in op:
        b(op)
    else:
        op(a)


def some(s, n, m):
    if s:
        n()
    elif s.size(0) == m and s.size(1) == n:
        pass
    elif s.size(1) == m and s.size(2) == n:
        pass
    elif s.size(1) == m and s.size(3) == n:
        ...
    else:
        raise ValueError(s, None, 1)


def each(nodes):
    for node in nodes:
        if node.op == 'placeholder':
            pass
        elif node.op in ('a', 'b'):
            node.use()
        elif node.op == 'c':
            node.use2()
    while nodes:
        if nodes.a == 1:
            pass
        elif nodes.b or nodes.c:
            continue
        else:
            nodes.w()
        nodes = nodes.next
    return nodes


def none(a, b):
    if a is None:
        pass
    elif b:
        return 1
    return 2


def several(self):
    if (
        self.a
        and not self.b
        and not self.needs()
    ):
        pass
    elif self.c and not self.d:
        self.use()
        done = True
    elif self.e and self.f != self.g:
        self.flat(self.h)
        done = True
    self.z(done)
    self.y(done)


def managed(a, b):
    with a:
        if a == 1:
            pass
        else:
            return b


def last(a):
    if a.b:
        pass
    elif a.c:
        if a.d:
            a()
    elif a.e:
        pass
""",
    "tests with and without parentheses": """
def nested(x):
    if (
        x.a is not None
        and x.b is not None
    ):
        if len(x.a) != len(x.b):
            raise ValueError('no')


def denied(x, y):
    x(y)
    if y is not None:
        if not (x.a == y.a and y == x.b):
            raise ValueError('no')
    return x


def several(self):
    if (
        not self.a
        and not self.b
        and not self.needs()
    ):
        self()
    if self.c and (
        self.d
        or self.e
    ):
        self.f()
    if (
        self.d
        and not self.e
        and not self.g
    ):
        self.f()
    if not (
        self.d
        or self.e
        or self.g
    ):
        self.f()
    return self


def chain(xs, dev):
    for x in xs:
        if x.a:
            dev(x)
        elif (
            dev is not None
            and dev.type in x.supported
        ):
            dev.a(x)
        else:
            dev.b(x)
    for x in xs:
        if x.a:
            dev(x)
        elif (
            dev is not None
            and dev.type in x.supported
        ):
            dev.c(x)


def last(xs, dev):
    if xs.a:
        dev(xs)
    elif (
        dev is not None
        and dev.type in xs.supported
    ):
        dev.a(xs)
    elif xs.b:
        dev.b(xs)


def assigns(self, attr, value):
    if attr in self.x:
        self.x[attr] = value
    elif self.c.has(attr):
        self.c.set(attr)
    elif (
        hasattr(self, 'd')
        and attr in self.d.get()
    ):
        raise AttributeError(attr)
    else:
        return super().__setattr__(attr)


def written(xs):
    for x in xs:
        if x.a:
            x()
            continue
        if (
            x.dev is not None
            and x.dev.type in x.supported
        ):
            x.a()


def returned(xs, dev):
    if dev.a:
        return 1
    elif (
        dev is not None
        and dev.type in xs.supported
    ):
        return 2
    elif dev.b:
        return 3
    return 4


def alone(xs, dev):
    if dev.a:
        return 1
    if (
        dev is not None
        and dev.type in xs.supported
    ):
        return 2
    if dev.b:
        return 3
    if (
        (dev.c)
        or len(xs) == 1
    ):
        return 5
    if not isinstance(xs, bool) and isinstance(
        xs, int
    ):
        if (
            xs < 1
            or xs > dev
        ):
            raise ValueError(xs)
        elif xs == 1:
            dev(xs)
    xs = None
    return xs
""",
    "nested if statements": """
def tree(get):
    if get('a') <= 1.5:
        if get('n') <= 3.4:
            if get('n') <= 18.0:
                if get('k') <= 312.0:
                    return [(0.1, 2)]
                elif get('k') <= 40.0:
                    return [(0.2, 3)]
                else:
                    return [(0.3, 3)]
            else:
                return [(0.4, 3)]
        elif get('k') <= 35.0:
            return [(0.4, 4)]
        else:
            return [(0.4, 5)]
    elif get('k') <= 36.0:
        return [(0.4, 6)]
    else:
        return [(0.4, 7)]
""",
    "try statements at the end of a loop and of a function": """
def each(xs):
    for x in xs:
        try:
            y = x()
        except KeyError as e:
            x.log(e)
            x.log2(e)
        except ValueError:
            pass
        else:
            x.go(y)


def skips(xs):
    for x in xs:
        try:
            y = x()
        except KeyError as e:
            x.log(e)
            if e.x:
                x.log2(e)
            continue
        x.go(y)


def last(x):
    try:
        y = x()
    except KeyError as e:
        x.log(e)
    except ValueError:
        pass
    else:
        x.go(y)
        x.go2(y)
""",
    "empty arms at the end": """
def each(self):
    a, b = self.args
    for c in a:
        if c.known:
            yield c
        else:
            continue


def both(self):
    for a in self:
        if a:
            self(a)
        else:
            pass
        self.x(a)
    if self:
        self.y()
    else:
        pass
    self.z()
    self.u()
""",
    "exits of endless loops": """
def first(self, name):
    existing = set(self.x)
    while True:
        var = f'{name}_{next(self.n)}'
        if var not in existing:
            self.opts['x'] += (var,)
            return var


def wait(time, get):
    start = time()
    while True:
        a, b = get()
        if a == 0 and b == 0:
            break
        time.sleep(0.1)
        if time() - start > 5:
            raise ValueError(f'x {a} {b}')
""",
    "guard clause within a test": """
def each(nodes, kinds):
    for node in nodes:
        if node.op == 'placeholder':
            if node.name not in kinds:
                continue
            kind = kinds[node.name]
            kind(node)
            node(kind)


def some(nodes):
    for node in nodes:
        if node.op == 'call':
            if not isinstance(node.target, str):
                continue
            if len(node.target) < 1:
                continue
            a = node.args[0]
            b = node.args[1]
            node(a, b)
""",
    "negated test after a loop": """
def reduce(nodes, seen):
    while True:
        new = {}
        for node in nodes:
            if node in seen:
                new[node] = seen[node]

        if not new:
            break
        for node in new:
            seen.pop(node)
""",
    "negations and parentheses among operators": """
def tests(a, b, c, d, k):
    if a and (not isinstance(b, str) and not isinstance(b, list)):
        k(1)
    if a is not None and (not isinstance(b, str)) and c:
        k(2)
    if a and not (b and c is not None):
        k(3)
    if not a and not (b and c):
        k(4)
    if (not a.x(b)) and (not b.x(c)):
        k(5)
    if not (a.x(b) or b.x(c)):
        k(6)
    if (
        not a.x(b)
        or not b.x(c)
        or d
    ):
        k(7)
    if not (a and b) or not (c and d):
        k(8)
    if not (k := a.b) or not (c := k.b):
        k(9)
    if not a or not (b.x or c.d):
        k(10)
    if a == 0 or (b <= c or b >= d):
        k(11)
    if a == 0 or b <= c or b >= d:
        k(12)
    if a or (b and c) or d or not (a is None or b is None):
        k(13)
    while a and (b == c):
        k(14)
    assert a is None or (b < c or c > d)
    if (a is None) and b and c:
        k(15)
    elif not (a and (b or not c)):
        k(16)


def values(a, b, c, d, k):
    if k:
        return a and (b is not None and c == d)
    z = a or (b.x or c == d or d)
    k(z, (a is None) and b, [b for b in c if not b.x(b) and not b.c(b)])
    return not a or (b != c or c.d is None)
""",
    "continue before an else": """
def each(xs, k):
    for x in xs:
        if x == "":
            continue
        else:
            x.y()
            k(x)
    for x in xs:
        if x.a or not x.b:
            continue

        k(x)
        if x:
            x.y()
    while xs:
        if not xs.x:
            k(1)
            if k and xs:
                continue
            else:
                xs.y()
        elif k:
            k(4)
""",
    "comparison at the end of a module": """
def a():
    return b


a() < b < c
pass
pass
pass
pass
""",
    "guards of irrefutable last cases": """
def f(x):
    match x:
        case 1:
            return 2
        case n if n > 0:
            return n
    for y in x:
        match y:
            case A():
                x()
            case n if not n.a:
                n.b()
    match x:
        case A(k):
            x(k)
        case n:
            if n.a or n.b:
                n()
    return 0
""",
    "empty cases, and case _": """
def left(value):
    match value:
        case "x" | "y":
            return 1
        case [a, *b]:
            return a
        case _:
            return b


def nothing(value, put):
    for v in value:
        match v:
            case {"x": put.all}:
                put(v)
            case int(n) if n:
                put(n)
            case _:
                continue
    match put:
        case 1:
            value()
        case _:
            pass
    match put:
        case 3:
            return value
        case _:
            pass
    return put


def some(value, put):
    match value:
        case "x":
            return 1
        case put.none:
            raise value
        case _:
            if put:
                return 2
            put(value)
    put(4)
""",
    "nested displays": """
def merged(a, b):
    a = {**a, **{"k": b}, "c": 1, **{"d": 3, "e": 2}}
    return {**a, "k": b}, a(**a, **{"k": b}), a(**b, k=a)
""",
    "pass next to other statements": """
def first(a):
    pass
    for b in a:
        pass
        a()
    for b in a:
        if b:
            a(b)
        pass
    pass
    try:
        a(1)
        pass
    except ValueError:
        pass
        b()
    else:
        a(2)
        pass
    return b


class Second:
    pass
    a = 1
    pass


def third(a):
    while a:
        if a.b:
            a()
            pass
        elif a.c:
            pass
        pass
        a.c()
    pass
    pass
""",
    "yield and yield None": """
def given(a):
    yield
    a = yield None
    yield (
        None
    )
    a = yield
""",
    "constants returned under a finally": """
def one(a):
    try:
        a.g()
        for i in a:
            if i >= 8:
                return True
    except KeyError:
        pass
    finally:
        a.h()
    return False


def two(a):
    try:
        if a.b:
            return True
        elif a.c:
            return 5
    except KeyError:
        pass
    finally:
        a.h()
    return False


def three(a):
    try:
        with a.b as f:
            f.c()
    except KeyError:
        return False
    finally:
        del a
    return True
""",
    "conditional items of returned tuples": """
def one(m):
    return m.g(1) if m else None, 0


def two(m):
    return None if m else m.g(1), 0
""",
    "breaks to one return": """
def tell(r, it):
    if r.a():
        for e in r:
            if not e:
                break
            it.append(e)
        else:
            return it
    elif r.b():
        for e in r:
            if not e:
                break
            it.append(e)
        else:
            if it:
                return it
    return 5
""",
    "indentation of two columns, in several functions": """
def divides(x, y, signed):
  assert x.type == y.type, x
  kind = x.kind
  if isinstance(kind, int):
    return x(y)
  if not isinstance(kind, float):
    raise TypeError(kind)
  if signed:
    return y(x)
  else:
    return y(kind)


def tells(x, n):
  if x.a:
    return 1
  elif x.b:
    return n.b
  elif not x.c:
    raise ValueError(n)
  if x.d:
    return 3
  for y in n:
    if y.a:
      n.a(y)
    elif y.b:
      n.b(y)
    if y.c:
      break
    if (y.d and
        y.e):
      n.c()
    if y.f:
      if y.g:
        n.d()
  return n


def last(x, n):
  if x.a:
    n.a()
    return n.b
  x.c()
  if x.d:
    return n
  return x


class C:
  def tells(self, x):
    if x.a:
      x.b = self
      return x
    if x.c:
      x.d = self
      return self
    else:
      x.e()
      return x.f
""",
    "pass before an elif with parentheses": """
def f(x, names):
    if callable(x):
        names.a(x)
    elif not x:
        pass
    elif (names.b != x and not names.c
            and names.d is False):
        names.e(x)
    else:
        names.f()
    return names
""",
}
# Spellings that these columns determine; texts must be equal to their sources.
SPELT = {
    "texts with repetitions": """
RULE = '-' * 70
LITERAL = '----------'
BLOCK = b'\\x00' * 1024


def one(a, b):
    print('.' * 30, 'ü' * 15, 'üüüüüüüüüü')
    print(f'{a}----------------------------------------------------------{b:--------------------------------->5}')
    return ('-' * 10).join(a), '-' * 9, b'ab' * 2000
""",
    "imports of several modules": """
import a, b
import c.d as e, f.g, h
import i


def one():
    import a, b as c
    import d
    return a, c
""",
    "strings": """
import re
SQL = \"\"\"
    select *
    from t
\"\"\"
RAW = r'\\d+\\s*'
ESCAPED = '\\\\d+\\\\s*'
PATH = 'c:\\\\temp'
BYTES = rb'\\d\\w'
LINES = re.compile(r\"\"\"
    \\d+   # it's
    \\s
\"\"\")


def strings(x):
    y = \"\"\"a
b\"\"\"
    x('a\\nb', y)
    return f'{x}\\\\d\\\\d'
""",
    "tuples": """
A = ('a', 'b')
B = 'a', 'b'


def tuples(x, y):
    first = (x, y)
    second = x, y
    third = x + 1, y
    fourth = (1, None)
    fifth = 1, None
    [sixth] = x()
    (seventh,) = x()
    for [z] in y:
        yield (z, x)
        yield z, x
    return (first, second.third())
""",
    "compared constants": """
def compared(k, n):
    a = k is not False and (n == True or k != None)
    return a if a is True else [n is False, -1 is n]
""",
}
# Each pair of bytes in such a table is a number of bytes and a number of lines.
FALSIFY_LINES = """
import importlib.util, marshal, random, sys, types
def falsified(code, rng):
    consts = tuple(falsified(c, rng) if isinstance(c, types.CodeType) else c for c in code.co_consts)
    pairs = bytes(x for _ in code.co_code[::2] for x in (2, rng.choice([0, 0, 0, 1, 1, 1, 2, 255, 254])))
    table = "co_linetable" if hasattr(code, "co_linetable") else "co_lnotab"
    return code.replace(co_consts=consts, **{table: pairs})
code = falsified(compile(sys.argv[1], 'case.py', 'exec'), random.Random(int(sys.argv[2])))
sys.stdout.buffer.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
"""
# Makes each `return` as wide as a `break`, and moves the statement after the loop to the right.
MOVED_COLUMNS = """
import ast, importlib.util, marshal, sys
tree = ast.parse(sys.argv[1])
loop, last = tree.body[0].body
for node in ast.walk(loop):
    if isinstance(node, ast.Return):
        node.end_col_offset = node.col_offset + 5
for node in ast.walk(last):
    if hasattr(node, "col_offset"):
        node.col_offset, node.end_col_offset = node.col_offset + 4, node.end_col_offset + 4
sys.stdout.buffer.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(compile(tree, "case", "exec")))
"""
WITH_COLUMNS = ["3.11", "3.12", "3.13", "3.14", "3.15"]
WITHOUT_COLUMNS = ["3.8", "3.9", "3.10"]


def text_of(source: str, python: list[str], depyfc: str, folder: Path) -> str:
    """Compiles a source and returns its decompiled text."""
    pyc = folder / "case.pyc"
    done = subprocess.run([*python, "-c", COMPILE, source], capture_output=True, check=True, timeout=120)
    pyc.write_bytes(done.stdout)
    return subprocess.run([depyfc, str(pyc)], capture_output=True, text=True, check=True, timeout=120).stdout


def all_exact(compiler: list[str], python: list[str], depyfc: str, folder: Path) -> None:
    """Checks that the text of the .pyc file that a command writes recompiles to the same bytecode."""
    pyc, text = folder / "case.pyc", folder / "case.py"
    pyc.write_bytes(subprocess.run(compiler, capture_output=True, check=True, timeout=120).stdout)
    command = [depyfc, "--python", shlex.join(python), "--verdict=lines", "-o", str(text), str(pyc)]
    verdicts = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stderr.splitlines()
    assert len(verdicts) > 1 and all(" exact " in line for line in verdicts), verdicts


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_text_has_no_temporaries_empty_arms_or_endless_loops(
    source: str, version: str, python: list[str], depyfc: str, tmp_path: Path
):
    text = text_of(source, python, depyfc, tmp_path)
    assert "tmp_" not in text
    assert "pass" not in text
    assert "while True" not in text


@pytest.mark.parametrize("version", ["3.8", "3.9", "3.10", "3.11"])
def test_continue_differs_from_a_negated_test(version: str, python: list[str], depyfc: str, tmp_path: Path):
    """Before 3.12, the compiler's jumps differ between a test around the rest of a loop's body and a `continue`."""
    source = """
def both(items, known):
    for item in items:
        if item in known:
            continue
        known.add(item)
        item.close()
    for item in items:
        if item not in known:
            known.add(item)
            item.close()
"""
    assert text_of(source, python, depyfc, tmp_path).strip() == source.strip()


def test_raw_strings_and_parentheses_follow_common_usage(version: str, python: list[str], depyfc: str, tmp_path: Path):
    """Strings with two backslashes or that look like regular expressions are raw.

    A module's tuples have parentheses.
    """
    source = r"""
x = [y, r'\d', 'c:\\temp', r'\d\w', '\\d\n\\w', 'a\\w\\', rb'\d\w']
z = (r'\d', 'c:\\temp')
"""
    assert text_of(source, python, depyfc, tmp_path).strip() == source.strip()


@pytest.mark.parametrize("version", WITH_COLUMNS)
def test_statements_after_a_loop_are_written_once(version: str, python: list[str], depyfc: str, tmp_path: Path):
    """The 3.12 compiler duplicates them at a `break`."""
    source = "def last(x, y):\n    while x:\n        if y:\n            break\n        a()\n    b()\n"
    assert text_of(source, python, depyfc, tmp_path).count("b()") == 1


@pytest.mark.parametrize("version", WITH_COLUMNS)
def test_long_with_statement_has_one_item_per_line(version: str, python: list[str], depyfc: str, tmp_path: Path):
    items = ",\n".join(f"        open('{letter * 40}') as {letter}" for letter in "abc")
    source = f"def read():\n    with (\n{items}\n    ):\n        return a + b + c\n"
    assert text_of(source, python, depyfc, tmp_path).strip() == source.strip()


@pytest.mark.parametrize("source", SAME.values(), ids=SAME)
def test_text_equals_source(source: str, version: str, python: list[str], depyfc: str, tmp_path: Path):
    assert text_of(source, python, depyfc, tmp_path).strip() == source.strip()


def test_assertion_on_several_lines_is_one_statement(version: str, python: list[str], depyfc: str, tmp_path: Path):
    source = """
def check(self, a, b):
    self.start()
    assert a == 0 or b == 1
    assert (a == 0
        or b[-1] == '.'
        or a), 'one'
    assert (a
        or b), 'two'
    assert a is not None or (
       b is None)
    assert a in b or (
       b in a)
    assert a < b < 3 or (
       b < a < 3)
    assert not a, (
        b)
    assert (
        a.b(
        3
        )), 'three'
    self.end()
"""
    text = text_of(source, python, depyfc, tmp_path)
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(source))


def test_long_chains_keep_their_form(version: str, python: list[str], depyfc: str, tmp_path: Path):
    """Chains of `elif` in a module and in a class, and of conditional expressions in a lambda."""
    tests = "".join(f"elif x == {i}:\n    a{i}()\n" for i in range(1, 220))
    chain = f"if x == 0:\n    a0()\n{tests}"
    within = chain.replace("\n", "\n    ").rstrip()
    values = " else ".join(f"a{i} if x == {i}" for i in range(220))
    source = f"{chain}class C:\n    {within}\nf = lambda x: {values} else None\n"
    text = text_of(source, python, depyfc, tmp_path)
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(source)), text


@pytest.mark.parametrize("version", ["3.10", "3.13", "3.15"])
def test_long_docstrings_and_patterns_stay_literals(version: str, python: list[str], depyfc: str, tmp_path: Path):
    """An expression like `'-' * 130` is not a docstring or pattern."""
    long = repr("-" * 130)
    cases = [long, f"{{{long}: y}}", f"C(z={long})"]
    arms = "".join(f"        case {case}:\n            print({long})\n" for case in cases)
    source = f"{long}\n\n\ndef f(x):\n    {long}\n    match x:\n{arms}"
    all_exact([*python, "-c", STRIP, source], python, depyfc, tmp_path)
    (text,) = tmp_path.rglob("*.py/*.py")
    assert "print('-' * 130)" in text.read_text()


@pytest.mark.parametrize("source", LAID_OUT.values(), ids=LAID_OUT)
@pytest.mark.parametrize("version", WITH_COLUMNS)
def test_layout_equals_source(source: str, version: str, python: list[str], depyfc: str, tmp_path: Path):
    text = text_of(source, python, depyfc, tmp_path)
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(source)), text


@pytest.mark.parametrize("source", SPELT.values(), ids=SPELT)
@pytest.mark.parametrize("version", WITH_COLUMNS)
def test_spelling_equals_source(source: str, version: str, python: list[str], depyfc: str, tmp_path: Path):
    assert text_of(source, python, depyfc, tmp_path).strip() == source.strip()


@pytest.mark.parametrize("source", [*LAID_OUT.values(), *SPELT.values()], ids=[*LAID_OUT, *SPELT])
@pytest.mark.parametrize("version", WITH_COLUMNS)
def test_text_is_exact_without_a_line_table(source: str, version: str, python: list[str], depyfc: str, tmp_path: Path):
    """Without line table the layout differs, but the bytecode is the same."""
    all_exact([*python, "-c", STRIP, source], python, depyfc, tmp_path)


@pytest.mark.parametrize("source", [*LAID_OUT.values(), *SPELT.values()], ids=[*LAID_OUT, *SPELT])
@pytest.mark.parametrize("version", WITH_COLUMNS)
def test_text_is_exact_with_a_false_line_table(
    source: str, version: str, python: list[str], depyfc: str, tmp_path: Path
):
    """A false line table changes the layout, but not the bytecode."""
    for seed in range(3):
        all_exact([*python, "-c", FALSIFY, source, str(seed)], python, depyfc, tmp_path)


@pytest.mark.parametrize("version", WITH_COLUMNS)
@pytest.mark.parametrize("exit", ["break", "h()"])
def test_text_is_exact_with_moved_columns(exit: str, version: str, python: list[str], depyfc: str, tmp_path: Path):
    """The statement after a loop stays after it, even if the `else` of an inner loop has a `break` of the outer one."""
    source = f"""
def f(a):
    for x in a:
        if x.y:
            return
        for z in x:
            if z:
                break
            p(z)
        else:
            {exit}
        h(x)
    return g(a)
"""
    all_exact([*python, "-c", MOVED_COLUMNS, source], python, depyfc, tmp_path)


@pytest.mark.parametrize("version", ["3.8", "3.10", "3.12", "3.14"])
def test_one_line_bodies_follow_common_usage(version: str, python: list[str], depyfc: str, tmp_path: Path):
    """`...` and `pass` compile to the same code up to 3.12.

    Functions with annotations are stubs of protocols and overloads.
    """
    source = """
class Readable(Protocol):
    def tell(self) -> int: ...
    def seek(self, to: int): ...
    async def read(self, size: int = -1) -> bytes: ...
    def close(self): pass
"""
    text = text_of(source, python, depyfc, tmp_path)
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(source)), text


@pytest.mark.parametrize("version", ["3.8", "3.10", "3.11", "3.13", "3.14"])
def test_equal_lines_after_two_statements_stay_two(version: str, python: list[str], depyfc: str, tmp_path: Path):
    """Equal statements after two `with` statements are not merged into one."""
    source = """
def f(kind, p):
    if kind == 1:
        p('[')
        with p.indent():
            p('a')
        p(']')
    elif kind == 2:
        p('(')
        with p.indent():
            p('b')
        p(']')
    elif p.name:
        p(p.name)
    else:
        fail('not supported')
"""
    assert text_of(source, python, depyfc, tmp_path).strip() == source.strip()


@pytest.mark.parametrize("version", ["3.10", "3.11", "3.12", "3.13", "3.14", "3.15"])
def test_code_reached_only_from_handlers_is_written_once(version: str, python: list[str], depyfc: str, tmp_path: Path):
    """From 3.12 on the compiler moves such code to the end, after the first of the handlers that reach it."""
    source = """
def f(a):
    try:
        if a:
            try:
                return x()
            except E:
                log(1)
        else:
            try:
                return y()
            except E:
                log(2)
        z()
        if u():
            z()
    except F:
        w()
    v()
    return u()


def g(items):
    for a in items:
        if a.b:
            with c():
                return x()
        elif a.d:
            try:
                return y()
            except E as e:
                log(e)
        else:
            try:
                return y()
            finally:
                b()
        z()
        if u():
            v()
    return v()
"""
    assert text_of(source, python, depyfc, tmp_path).strip() == source.strip()


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.14"])
def test_duplicated_end_of_a_function_is_written_once(version: str, python: list[str], depyfc: str, tmp_path: Path):
    """One arm jumps to the end, the other falls through to it, and so does the statement around both."""
    source = """
def f(self):
    if self.p:
        if self.q:
            self.r()
        else:
            self.t(b=M)
    self.g = False


def g(self, path):
    if path:
        if not path.ends():
            path = join(path)
        else:
            for x in self.all:
                if x.is_at(path):
                    path = x
                    break
        self.path = path
    else:
        self.path = self.first
"""
    assert text_of(source, python, depyfc, tmp_path).strip() == source.strip()


@pytest.mark.parametrize("source", BY_LINES.values(), ids=BY_LINES)
@pytest.mark.parametrize("version", WITHOUT_COLUMNS)
def test_lines_and_jumps_determine_the_layout(
    source: str, version: str, python: list[str], depyfc: str, tmp_path: Path
):
    assert re.sub(r"\n+", "\n", text_of(source, python, depyfc, tmp_path)) == re.sub(r"\n+", "\n", source).lstrip()


@pytest.mark.parametrize("source", [*(source for source in SAME.values() if "def " in source), *BY_LINES.values()])
@pytest.mark.parametrize("version", WITHOUT_COLUMNS)
def test_text_is_exact_with_false_lines(source: str, version: str, python: list[str], depyfc: str, tmp_path: Path):
    """Line numbers never change the bytecode of the text."""
    for seed in range(3):
        all_exact([*python, "-c", FALSIFY_LINES, source, str(seed)], python, depyfc, tmp_path)
