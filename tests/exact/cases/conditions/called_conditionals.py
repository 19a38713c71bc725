# What is called is a conditional expression of attributes, or each arm calls one.
import module


def of_attributes(self, x):
    return (self.a if x else self.b.c)(x)


def tested(self, x):
    return (self.a if self.a is not None else self.f().b)(x)


def with_keywords(a, b, x):
    return (a.f if x else b.g)(k=x)


def methods(a, b, x):
    return a.f(x) if x else b.g(x)


def of_modules(a, x):
    return module.f(x) if x else module.g(x)


def of_one_module(a, x):
    return a.f(x) if x else module.g(x)


def unpacked(a, x):
    return a.f(*x) if x else a.g(*x)


def of_a_local_named_as_a_module(self, x):
    module = self.module
    if module:
        module.f(x)
    else:
        x(x)
    return module.f(x) if x else self(x)
