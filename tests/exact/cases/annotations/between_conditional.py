# Annotations without a value between those in conditions: their order is that of __annotate__ (3.14 on).
class A:
    a: int
    if x:
        b: int
    c: int
    if y:
        d: int = 2
    e: int = 3
    f: int
    while z:
        g: int
        if h:
            i: str
    j: k
    if l:
        m: n
