# SPDX-License-Identifier: MIT
# Annotations of modules, classes and functions; conditional, without values, with values across blocks.
x: int = 1
if a:
    y: str
    z: list[int] = []
    with q: w: A if B else C = 2
for i in j:
    k: i
class A:
    a: 1 if b else 2
    b: int
    if c:
        d: str = ''
    else:
        e: int
        f: x and y
def f(a: b if c else d, *, e: [x for x in y] = 1, f: lambda: 1 = 2) -> a or b: 
    q: int = 3
    (r): int = 4
    s.t: int = 5
    u: str
    return f
class B:
    __x: int
    def f(self, __y: __x): pass
    (z): int = 1
    self.q: str = 2
class C:
    "doc"
    a: int
    def f(self): pass
    b: str = 1
    c: "str"
    if a:
       for q in w:
          d: z
