# A display that is unpacked into the keywords of a call is one: the last of two equal keys wins in it.
def call(k, d, s, t, a, b):
    k(**d, **{s: a, t: b})
    k(**d, **{"%s_id" % s: a, "%s_id" % t: b})
    k(**d, **{s + "x": a[0], t + "y": b})
    k(x=1, **d, **{"a b": 1, "c": 2}, e=3, **{})
    k(x=1, **d, **{**t, "c": 2}, e=3, **b, z=3)
    k(*a, **{s: t, a: b}, **d)
    k(**{s: t, "a": b}, **{a: b})
    k(**{"s": t, "a": b}, **{a: b}, **{"r": 1})
    k(a, x=s, **d, **{s: t, a: b, "x": d})
    return {**{s: t, "a": b}, **{a: b}, **d, "x": 1, s: t, **{a: b}}


class C(A, x=1, **d, **{s: t, "a": b}, y=2):
    pass
