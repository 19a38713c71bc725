# SPDX-License-Identifier: MIT
"""Objects that log every operation on them, and the text that describes a value without touching it.

Runs under each interpreter 3.8-3.15 and needs nothing but it. Each operation is one entry of the log and returns a new
recorder named after the operation, so that a trace shows operands, arities and order. What a recorder cannot choose
(truth, whether a call raises) follows from the number of the run: each sequence runs several times.
"""

import builtins
import collections.abc
import types
import zlib

LIMIT = 250
BUILTINS = frozenset(vars(builtins))
RUNS = 4
BINARY = {
    "add": "+", "sub": "-", "mul": "*", "matmul": "@", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "lshift": "<<", "rshift": ">>", "and": "&", "or": "|", "xor": "^",
}  # fmt: skip
COMPARE = {"lt": "<", "le": "<=", "eq": "==", "ne": "!=", "gt": ">", "ge": ">="}
UNARY = {"neg": "-", "pos": "+", "invert": "~"}


class TooLong(BaseException):
    """The log is full: endless code is cut off at the same entry on both sides."""


class State:
    """The state of the current run."""

    run = 0
    asked = 0
    log = None  # a list, from begin() on
    globals_seen = True  # LOAD_NAME looks up globals in a way that no namespace can log


def log(entry):
    if len(State.log) >= LIMIT:
        raise TooLong
    State.log.append(entry)


def begin(run):
    State.run, State.asked, State.log = run, 0, []


def truth():
    """Returns True, False, or both in turn, depending on the run."""
    State.asked += 1
    return (True, False, State.asked % 2 == 1, State.asked % 2 == 0)[State.run]


class Boom(Exception):
    """Sequences raise and catch this."""


class Other(Exception):
    """Sequences do not catch this."""


class R:
    """A recorder."""

    def __init__(self, name, size=2):
        self.__dict__.update(name=name, size=size, turns=0)

    def __getattr__(self, attribute):
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        log("%s.%s" % (self.name, attribute))
        return R("%s.%s" % (self.name, attribute))

    def __setattr__(self, attribute, value):
        log("%s.%s = %s" % (self.name, attribute, show(value)))

    def __delattr__(self, attribute):
        log("del %s.%s" % (self.name, attribute))

    def __getitem__(self, key):
        log("%s[%s]" % (self.name, show(key)))
        return R("%s[%s]" % (self.name, show(key)))

    def __setitem__(self, key, value):
        log("%s[%s] = %s" % (self.name, show(key), show(value)))

    def __delitem__(self, key):
        log("del %s[%s]" % (self.name, show(key)))

    def __call__(self, *args, **kwargs):
        shown = ", ".join([show(a) for a in args] + ["%s=%s" % (k, show(v)) for k, v in kwargs.items()])
        log("%s(%s)" % (self.name, shown))
        if self.name == "r" and truth():
            raise Boom(self.name)
        return R("%s(%s)" % (self.name, shown))

    def __bool__(self):
        answer = truth()
        log("bool %s: %s" % (self.name, answer))
        return answer

    def __contains__(self, item):
        log("%s in %s" % (show(item), self.name))
        return R("%s in %s" % (show(item), self.name))

    def __hash__(self):
        log("hash %s" % self.name)
        return zlib.crc32(self.name.encode())

    def __len__(self):
        log("len %s" % self.name)
        return self.size

    def __iter__(self):
        log("iter %s" % self.name)
        return Items(self.name, self.size)

    def __await__(self):
        log("await %s" % self.name)
        return Items("await " + self.name, 1)

    def __aiter__(self):
        log("aiter %s" % self.name)
        return self

    def __anext__(self):
        log("anext %s" % self.name)
        self.__dict__["turns"] += 1
        if self.turns > self.size:
            raise StopAsyncIteration
        return R("%s#%d" % (self.name, self.turns))

    def __enter__(self):
        log("enter %s" % self.name)
        return R("enter " + self.name)

    def __exit__(self, *exception):
        log("exit %s%s" % (self.name, show(exception[:2])))
        return R("exit " + self.name)

    def __aenter__(self):
        log("aenter %s" % self.name)
        return R("aenter " + self.name)

    def __aexit__(self, *exception):
        log("aexit %s%s" % (self.name, show(exception[:2])))
        return R("aexit " + self.name)

    def __repr__(self):
        log("repr %s" % self.name)
        return "\xabrepr %s\xbb" % self.name

    def __str__(self):
        log("str %s" % self.name)
        return "\xabstr %s\xbb" % self.name

    def __format__(self, spec):
        log("format %s %r" % (self.name, spec))
        return "\xabformat %s %s\xbb" % (self.name, spec)

    def keys(self):
        log("%s.keys()" % self.name)
        return [self.name + "1", self.name + "2"]

    def get(self, key, default=None):
        log("%s.get(%s)" % (self.name, show(key)))
        return R("%s.get(%s)" % (self.name, show(key))) if truth() else default


def operation(symbol, swapped=False):
    def method(self, other, *modulus):
        left, right = (show(other), self.name) if swapped else (self.name, show(other))
        log("%s %s %s" % (left, symbol, right))
        return R("(%s %s %s)" % (left, symbol, right))

    return method


def unary(symbol):
    def method(self):
        log(symbol + self.name)
        return R(symbol + self.name)

    return method


for _name, _symbol in BINARY.items():
    setattr(R, "__%s__" % _name, operation(_symbol))
    setattr(R, "__i%s__" % _name, operation(_symbol + "="))
    setattr(R, "__r%s__" % _name, operation(_symbol, swapped=True))
for _name, _symbol in COMPARE.items():
    setattr(R, "__%s__" % _name, operation(_symbol))
for _name, _symbol in UNARY.items():
    setattr(R, "__%s__" % _name, unary(_symbol))


class Items:
    """An iterator of recorders that logs; it supports send, throw and close, and returns a value at its end."""

    def __init__(self, name, size):
        self.name, self.size, self.turn = name, size, 0

    def __iter__(self):
        log("iter of %s again" % self.name)
        return self

    def __next__(self):
        log("next %s" % self.name)
        if self.turn == self.size:
            raise StopIteration(R("end of " + self.name))
        self.turn += 1
        return R("%s#%d" % (self.name, self.turn))

    def send(self, value):
        log("send %s %s" % (self.name, show(value)))
        return self.__next__()

    def throw(self, *exception):
        log("throw %s %s" % (self.name, show(exception[-1])))
        raise StopIteration(R("%s stopped" % self.name)) if truth() else exception[-1]

    def close(self):
        log("close %s" % self.name)


class Sequence(R):
    """Matches a sequence pattern."""


class Mapping(R):
    """Matches a mapping pattern."""


collections.abc.Sequence.register(Sequence)
collections.abc.Mapping.register(Mapping)


class Class(type):
    """The metaclass of classes that log operations of patterns and class statements."""

    def __instancecheck__(cls, instance):
        log("isinstance %s" % show(instance))
        return truth()

    @classmethod
    def __prepare__(cls, name, bases, **keywords):
        log("prepare %s %s" % (name, show(keywords)))
        return Namespace(a=R("class a"))

    def __new__(cls, name, bases, namespace, **keywords):
        hidden = ("__module__", "__qualname__", "__firstlineno__", "__static_attributes__", "__classcell__")
        log("class %s%s %s" % (name, show(bases), show({k: v for k, v in namespace.items() if k not in hidden})))
        return R("class " + name)


class Namespace(dict):
    """A namespace of a module or a class that logs."""

    def __getitem__(self, key):
        if not key.startswith("__") and key not in BUILTINS:
            log("name %s" % key)
        return dict.__getitem__(self, key)

    def __setitem__(self, key, value):
        if not key.startswith("__") or key == "__annotations__":
            log("name %s = %s" % (key, show(value)))
        dict.__setitem__(self, key, value)

    def __delitem__(self, key):
        log("del name %s" % key)
        dict.__delitem__(self, key)


class Globals(dict):
    """Globals that log when the names `g` and `h` are looked up."""

    def __getitem__(self, key):
        if key in ("g", "h") and State.globals_seen:
            log("global %s" % key)
        return dict.__getitem__(self, key)


# Modules that a text may import for code that has no form as a statement.
REAL_MODULES = ("builtins", "string.templatelib", "sys", "typing", "types")


class Module(R):
    """The result of an import."""

    __all__ = ("p", "q")


def fake_import(name, globals=None, locals=None, fromlist=(), level=0):
    if name in REAL_MODULES:
        return __import__(name, globals, locals, fromlist, level)
    log("import %s %s %s" % (name, show(fromlist), level))
    return Module(name)


def arguments():
    """Returns the arguments for the functions under test, by parameter name."""
    pattern = type.__new__(Class, "K", (), {"__match_args__": ("u", "v")})
    named = {name: R(name) for name in "abcdr"}
    named.update(m=None if State.run % 2 else R("m"), e=Boom("e"), s=R("s", 3), q=Sequence("q"), w=Mapping("w"))
    named.update(k=pattern, E=Boom, F=Other)
    return named


PARAMETERS = ("a", "b", "c", "d", "m", "e", "r", "s", "q", "w", "k", "E", "F")


def new_globals():
    """Returns the globals of a run."""
    space = Globals(g=R("g"), h=R("h"), M=Class, __name__="tested")
    names = dict(vars(builtins), __import__=fake_import)
    dict.__setitem__(space, "__builtins__", names)
    return space


def show_exception(error, depth):
    arguments = error.exceptions if hasattr(error, "exceptions") else error.args
    shown = "%s%s" % (type(error).__name__, show(tuple(arguments), depth + 1))
    if depth < 3:
        if error.__cause__ is not None:
            shown += " from " + show(error.__cause__, depth + 1)
        if error.__context__ is not None:
            shown += (" not during " if error.__suppress_context__ else " during ") + show(error.__context__, depth + 1)
    return shown


SHOWN_FLAGS = 0x4 | 0x8 | 0x20 | 0x80 | 0x100 | 0x200  # flags for star parameters, and for kinds of generators


def show_function(function, depth):
    code = function.__code__
    counts = code.co_posonlyargcount, code.co_argcount, code.co_kwonlyargcount, code.co_flags & SHOWN_FLAGS
    parts = [function.__qualname__, counts, show(function.__defaults__, depth + 1)]
    parts.append(show(function.__kwdefaults__, depth + 1))
    parts.append(show(getattr(function, "__annotations__", None), depth + 1))
    cells = function.__closure__ or ()
    parts.append([name + "=" + show(cell, depth + 1) for name, cell in sorted(zip(code.co_freevars, cells))])
    parts.append(show(getattr(function, "__type_params__", ()), depth + 1))
    return "function %s" % parts


def show_cell(cell, depth):
    try:
        return "cell " + show(cell.cell_contents, depth + 1)
    except ValueError:
        return "empty cell"


def show(value, depth=0):
    """Returns a value as text; calls no method of a recorder."""
    if depth > 6:
        return "..."
    if isinstance(value, type):
        return "class " + value.__name__
    kind = type(value)
    if issubclass(kind, R):
        return value.name
    if kind in (tuple, list):
        inner = ", ".join(show(v, depth + 1) for v in value)
        return "(%s)" % inner if kind is tuple else "[%s]" % inner
    if kind in (set, frozenset):
        return "%s{%s}" % (kind.__name__, ", ".join(sorted(show(v, depth + 1) for v in value)))
    if kind is Namespace:
        return "namespace"
    if issubclass(kind, dict):
        return "{%s}" % ", ".join("%s: %s" % (show(k, depth + 1), show(v, depth + 1)) for k, v in value.items())
    if kind is slice:
        return "slice" + show((value.start, value.stop, value.step), depth + 1)
    if kind is types.FunctionType:
        return show_function(value, depth)
    if kind is types.CellType:
        return show_cell(value, depth)
    if issubclass(kind, BaseException):
        return show_exception(value, depth)
    if kind is Items:
        return "items of " + value.name
    if kind.__name__ == "Template":
        return "template %s %s" % (value.strings, show(value.interpolations, depth + 1))
    if kind.__name__ == "Interpolation":
        return "interpolation" + show((value.value, value.expression, value.conversion, value.format_spec), depth + 1)
    if kind.__module__ == "typing":
        fields = ("__bound__", "__constraints__", "__default__", "__value__", "__type_params__")
        inner = [show(getattr(value, field, None), depth + 1) for field in fields]
        return "%s %s %s" % (kind.__name__, value.__name__, inner)
    if isinstance(value, (int, float, complex, str, bytes)) or value is None or value is Ellipsis:
        return repr(value)
    if value is NotImplemented:
        return "NotImplemented"
    return "a " + kind.__name__
