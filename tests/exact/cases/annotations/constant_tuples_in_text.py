# SPDX-License-Identifier: MIT
# Annotations kept as text, with constant tuples: 3.8 keeps what repr() says of them.
from __future__ import annotations

x: Callable[..., None]
y: (..., 1)
z: A[(..., 1), 2]
w: A[..., "a(Ellipsis)", B]
q: A[((..., 1), 2)]
r: Literal["Ellipsis", ...]
u: A[(..., -1)]
v: A[f(Ellipsis), f(Ellipsis, 1)]
s: A["it's", ...]


def f(x: Callable[..., None] = None, *a: Callable[..., Any], b: Optional[Callable[..., None]]) -> Tuple[int, ...]:
    pass


class K:
    x: Callable[..., None] = 1
