class C:
    a: b
    c: list[int]
    if a:
        d: str = ""

    def m(self, x: a, *y: b, **z: c) -> None:
        pass


if C:
    e: str


def outer(v):
    def inner(a: v, *, k: int = 1) -> v:
        pass

    return inner
