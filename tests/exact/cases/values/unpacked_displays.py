def f(a, b, g):
    g(*(a, b))
    g(*[a, b])
    g(**{'x': a})
    x = [*[1, 2], 3]
    y = {**{'a': b}, 'c': 1}
    z = [a, b][0]
    w = (a, b)[1]
    u = {'a': a}['a']
    v = {*{a}, b}
    t = [a, b][:]
    g(*[a], *[b])
    g(**{'x': a}, **{'y': b})
    a, b = [b, a]
    for i in [a, *[b]]:
        g(i)
    return x, y, z, w, u, v, t
def h(a, b, g, kw):
    g(*())
    g(*(1, 2))
    g(*(a, b), x=a)
    g(a, *(b, 1), **kw)
    g(**{'x': a, 'y': b})
    g(1, **{'x': a})
    g(*(), x=a)
    g(*a, **{'x': a})
    g(*(a,), *(b,))
    g(*(a, b), **kw)
    x = (*(a, b), 1)
    x = [1, *(a, b), a]
    x = {1, *{a, b}, a}
    x = {1: 2, **{a: 1}, **{b: 2}, 3: 4}
    x = {**{a: 1}, **{b: 2}, 3: 4}
    x = {**kw, 'a': a, **{'b': b}}
    x = {a: 1, a: 2, a: 3, a: 4, a: 5, a: 6, a: 7, a: 8, a: 9, a: 10, a: 11, a: 12, a: 13, a: 14, a: 15, a: 16, a: 17, a: 18, a: 19}
    x = {'a': 1, 'a2': 2, 'a3': 3, 'a4': 4, 'a5': 5, 'a6': 6, 'a7': 7, 'a8': 8, 'a9': 9, 'a10': 10, 'a11': 11, 'a12': 12, 'a13': 13, 'a14': 14, 'a15': 15, 'a16': 16, 'a17': 17, 'a18': 18, 'a19': 19, **{'b': b}}
    g(a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a)
    g(a1=a, a2=a, a3=a, a4=a, a5=a, a6=a, a7=a, a8=a, a9=a, a10=a, a11=a, a12=a, a13=a, a14=a, a15=a, a16=a, a17=a, a18=a, a19=a)
    class A(*(a, b), **kw):
        pass
    class B(*(a, b)):
        pass
    return g(**{})
def classes(a, b, kw):
    class A(*a):
        pass
    class B(a, *b, **kw):
        pass
    class C(*(a, b)):
        x = 1


def displays_joined(call, first, rest, names):
    call(*(first, *rest), **names)
    call(first, *rest, **names)
    call(*rest, **{"a": 1, **names})
    return call(*rest, a=1, **names)


def displays_in_displays(it, last):
    return {*{*it()}, last()}, [*[*it()], last()], (*(*it(),), last()), {**{**it()}, "k": last()}
