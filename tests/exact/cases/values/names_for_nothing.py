# SPDX-License-Identifier: MIT
# Several items to one name: on one line the compiler drops all but the last store (CPython 3.13 on), not on several.
def on_one_line(f):
    _, _, a = f()
    b, _, _ = f()
    _, _ = f()
    (_, _), _ = f()
    _, *_ = f()
    return a, b


def on_several(f):
    (
        _,
        _,
        a,
    ) = f()
    (
        b,
        _,
        _,
        _,
    ) = f()
    (_, _,
     _, _) = f()
    (_,
     *_) = f()
    ((_, a),
     a) = f()
    return a, b


def in_loops(f):
    for (
        _,
        _,
        a,
    ) in f:
        print(a)
    for a, (_,
            _) in f:
        print(a)
    with f as (_,
               _):
        print(a)
    return [
        a
        for (
            _,
            _,
            a,
        ) in f
    ]
