# SPDX-License-Identifier: MIT
"""The objects with which random programs run: values that log each operation and raise at hashed places.

Runs under each interpreter 3.8-3.15, without other modules. The result of an operation (truth, size, an exception)
follows from the schedule, the number of log entries so far and the operation: two programs that do the same get the
same results.
"""

import builtins
import collections.abc
import sys
import types
import zlib

LIMIT = 300  # log entries of one run
RATES = (0, 3, 10, 25)  # percent of operations that raise, by schedule


class TooLong(BaseException):
    """The log is full: both sides are cut off at the same entry."""


class State:
    """The state of the current run."""

    schedule = 0
    depth = 0
    spare = 0
    log = None  # a list, from begin() on
    on_full = None


def begin(schedule, on_full):
    """Starts a run; `on_full` is called if a program keeps running although its log is full."""
    State.schedule, State.depth, State.spare, State.log, State.on_full = schedule, 0, 60, [], on_full


def note(entry):
    if len(State.log) >= LIMIT:
        State.spare -= 1
        if State.spare < 0:
            State.on_full()
        raise TooLong
    State.log.append(entry)


def drawn(text, share):
    """Returns a number below `share` that depends on the current place."""
    return zlib.crc32(("%d %d %s" % (State.schedule, len(State.log), text)).encode("utf-8", "replace")) // 7 % share


def act(text):
    """Logs an operation, which may raise."""
    note(text)
    if drawn(text, 100) < RATES[State.schedule % len(RATES)]:
        error = RAISED[drawn(text, 9973) % len(RAISED)]
        raise error(text[:20])


class E1(Exception):
    pass


class E2(E1):
    pass


class E3(Exception):
    pass


RAISED = [E1, E2, E3, KeyError, E1, E2]
if sys.version_info >= (3, 11):
    RAISED.append(lambda text: ExceptionGroup("group", [E1(text), E3(text), ExceptionGroup("in", [E2(text)])]))  # noqa: F821


def short(name):
    return name if len(name) <= 24 else "#%08x" % zlib.crc32(name.encode("utf-8", "replace"))


class V:
    """A value."""

    def __init__(self, name):
        self.__dict__["name_"] = short(name)

    def __getattr__(self, attribute):
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        act("%s.%s" % (self.name_, attribute))
        return V("%s.%s" % (self.name_, attribute))

    def __setattr__(self, attribute, value):
        act("%s.%s = %s" % (self.name_, attribute, show(value)))

    def __delattr__(self, attribute):
        act("del %s.%s" % (self.name_, attribute))

    def __getitem__(self, key):
        act("%s[%s]" % (self.name_, show(key)))
        return V("%s[%s]" % (self.name_, show(key)))

    def __setitem__(self, key, value):
        act("%s[%s] = %s" % (self.name_, show(key), show(value)))

    def __delitem__(self, key):
        act("del %s[%s]" % (self.name_, show(key)))

    def __call__(self, *args, **kwargs):
        shown = ", ".join([show(a) for a in args] + ["%s=%s" % (k, show(v)) for k, v in kwargs.items()])
        handled = sys.exc_info()[0]
        act("%s(%s)%s" % (self.name_, shown, "" if handled is None else " in " + handled.__name__))
        for value in (*args, *kwargs.values()):
            if type(value) is types.FunctionType and State.depth < 3 and drawn("call", 2):
                call(value)
        return V("%s(%s)" % (self.name_, shown))

    def __bool__(self):
        act("bool " + self.name_)
        return bool(drawn("bool", 2))

    def __contains__(self, item):
        act("%s in %s" % (show(item), self.name_))
        return bool(drawn("in", 2))

    def __hash__(self):
        act("hash " + self.name_)
        return zlib.crc32(self.name_.encode("utf-8", "replace"))

    def __len__(self):
        act("len " + self.name_)
        return drawn("len", 4)

    def __iter__(self):
        act("iter " + self.name_)
        return Items(self.name_, drawn("iter", 4))

    def __await__(self):
        act("await " + self.name_)
        return Items("await " + self.name_, drawn("await", 2))

    def __aiter__(self):
        act("aiter " + self.name_)
        return Items(self.name_, drawn("aiter", 4))

    def __enter__(self):
        act("enter " + self.name_)
        return V("in " + self.name_)

    def __exit__(self, *exception):
        act("exit %s%s" % (self.name_, show(exception[:2])))
        return bool(drawn("exit", 2))

    async def __aenter__(self):
        act("aenter " + self.name_)
        return await V("in " + self.name_)

    async def __aexit__(self, *exception):
        act("aexit %s%s" % (self.name_, show(exception[:2])))
        return await V("out") is None or bool(drawn("exit", 2))

    def __repr__(self):
        act("repr " + self.name_)
        return "<repr %s>" % self.name_

    def __str__(self):
        act("str " + self.name_)
        return "<str %s>" % self.name_

    def __format__(self, spec):
        act("format %s %r" % (self.name_, spec))
        return "<%s>" % self.name_

    def __mro_entries__(self, bases):
        act("base " + self.name_)
        return (Base,)

    def __index__(self):
        act("index " + self.name_)
        return drawn("index", 3)

    def keys(self):
        act("keys " + self.name_)
        return ["k%d" % drawn("keys", 3), "m"]


def _operation(symbol, swapped=False):
    def method(self, other, *modulus):
        left, right = (show(other), self.name_) if swapped else (self.name_, show(other))
        act("%s %s %s" % (left, symbol, right))
        return V("(%s %s %s)" % (left, symbol, right))

    return method


def _unary(symbol):
    def method(self):
        act(symbol + self.name_)
        return V(symbol + self.name_)

    return method


_BINARY = {
    "add": "+", "sub": "-", "mul": "*", "matmul": "@", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "lshift": "<<", "rshift": ">>", "and": "&", "or": "|", "xor": "^",
}  # fmt: skip
for _name, _symbol in _BINARY.items():
    setattr(V, "__%s__" % _name, _operation(_symbol))
    setattr(V, "__i%s__" % _name, _operation(_symbol + "="))
    setattr(V, "__r%s__" % _name, _operation(_symbol, swapped=True))
for _name, _symbol in {"lt": "<", "le": "<=", "eq": "==", "ne": "!=", "gt": ">", "ge": ">="}.items():
    setattr(V, "__%s__" % _name, _operation(_symbol))
for _name, _symbol in {"neg": "-", "pos": "+", "invert": "~"}.items():
    setattr(V, "__%s__" % _name, _unary(_symbol))


class Items:
    """An iterator, synchronous and asynchronous, and the result of __await__."""

    def __init__(self, name, size):
        self.name, self.size, self.turn = name, size, 0

    def __iter__(self):
        return self

    def step(self, ended):
        act("next " + self.name)
        if self.turn >= self.size:
            raise ended
        self.turn += 1
        return V("%s#%d" % (self.name, self.turn))

    def __next__(self):
        return self.step(StopIteration(V("end of " + self.name)))

    async def __anext__(self):
        found = self.step(StopAsyncIteration())
        return found if drawn("anext", 2) else await found

    def send(self, value):
        note("send %s %s" % (self.name, show(value)))
        return self.__next__()

    def throw(self, *exception):
        note("throw %s %s" % (self.name, show(exception[-1])))
        raise StopIteration(V("stopped")) if drawn("throw", 2) else exception[-1]

    def close(self):
        note("close " + self.name)


class Seq(V):
    """Matches a sequence pattern."""


class Map(V):
    """Matches a mapping pattern."""

    def get(self, key, default=None):
        act("get %s %s" % (self.name_, show(key)))
        return V("%s.get(%s)" % (self.name_, show(key))) if drawn("get", 3) else default


collections.abc.Sequence.register(Seq)
collections.abc.Mapping.register(Map)


class Base:
    """The class that replaces a value among the bases of a class."""

    def __init_subclass__(cls, **keywords):
        act("subclass %s %s" % (cls.__qualname__, show(keywords)))

    def __init__(self, *args):
        act("init %s" % show(args))

    def method(self, *args):
        act("Base.method %s" % show(args))
        return V("Base.method")


class P:
    """Matches class patterns."""

    __match_args__ = ("u", "v")

    def __init__(self, name):
        self.name = name

    def __getattr__(self, attribute):
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        act("%s.%s" % (self.name, attribute))
        return subject(attribute)


class Meta(type):
    """A metaclass that logs."""

    @classmethod
    def __prepare__(cls, name, bases, **keywords):
        act("prepare %s %s" % (name, show(keywords)))
        return {}

    def __new__(cls, name, bases, namespace, **keywords):
        return type.__new__(cls, name, bases, namespace)

    def __init__(cls, name, bases, namespace, **keywords):
        type.__init__(cls, name, bases, namespace)


def subject(name, *_):
    """Returns the subject of a match statement."""
    act("subject %s" % show(name))
    one, two = V("one"), V("two")
    made = [1, "s", None, [one], [one, 2], (1, one, two), {"k": one}, {"k": 1, "m": two}, P("p"), V("v"), True]
    made += [Seq("q"), Map("w"), [], {}, 2, b"x", -1.5, [[one, two], 1]]
    return made[drawn("subject", len(made))]


def decorate(*given):
    """Is a decorator, or returns one."""
    act("decorate %s" % show(given))
    if len(given) == 1 and isinstance(given[0], (types.FunctionType, type)):
        return given[0]
    return lambda made: (act("decorated " + show(made)), made)[1]


def imported(name, globals=None, locals=None, fromlist=(), level=0):
    if name in ("builtins", "string.templatelib", "sys", "typing", "types"):
        return __import__(name, globals, locals, fromlist, level)
    act("import %s %s %s" % (name, show(fromlist), level))
    return V(name)


NAMES = ("g0", "g1", "g2", "g3")  # values in the globals of modules


def new_globals():
    """Returns the globals of a run."""
    made = {name: V(name) for name in NAMES}
    made.update(V=V, E1=E1, E2=E2, E3=E3, P=P, Base=Base, Meta=Meta, subject=subject, decorate=decorate)
    made["__name__"] = "program"
    made["__builtins__"] = dict(vars(builtins), __import__=imported, print=lambda *a: act("print %s" % show(a)))
    return made


# ---- driving the objects that a program made
def call(function, *self):
    """Calls a function with arguments for its parameters, and uses its result until the end."""
    code = function.__code__
    count = code.co_argcount
    names = code.co_varnames[: count + code.co_kwonlyargcount]
    given = drawn("given", 3)  # decides which defaults are used
    least = count - len(function.__defaults__ or ())
    positional = names[len(self) : max(least, count - given)]
    keywords = [n for n in names[count:] if n not in (function.__kwdefaults__ or {}) or given == 0]
    State.depth += 1
    try:
        finish(function(*self, *[V("arg " + n) for n in positional], **{n: V("arg " + n) for n in keywords}))
    finally:
        State.depth -= 1


def finish(result):
    """Runs generators and coroutines to their end."""
    if isinstance(result, (types.GeneratorType, types.CoroutineType)):
        note("a " + type(result).__name__)
        steps(result)
    elif isinstance(result, types.AsyncGeneratorType):
        note("an async generator")
        for step in range(drawn("asteps", 4) + 1):
            if step == 2 and drawn("athrow", 3) == 0:
                steps(result.athrow(E1("thrown")))
            else:
                steps(result.asend(V("sent%d" % step) if step else None))
        steps(result.aclose())
    else:
        note("result " + show(result))


def steps(result):
    sent = None
    try:
        for step in range(12):
            kind = drawn("step", 12) if step else 1
            if kind == 0:
                note("close")
                result.close()
                return
            value = result.throw(E1("thrown")) if kind == 11 else result.send(sent)
            note("yields " + show(value))
            sent = V("sent%d" % step)
        result.close()
    except (StopIteration, StopAsyncIteration) as stop:
        note("ends " + show(stop))


def guarded(run):
    """Calls a function and logs the exception that it raises."""
    try:
        run()
    except TooLong:
        raise
    except BaseException as error:
        note("raises " + show(error))


def drive(code):
    """Executes a module's code, then calls each function and method that it defines.

    Names that begin with tmp_ are skipped: a decompiled module may have helpers for its functions under them.
    """
    space = new_globals()
    before = set(space)
    guarded(lambda: exec(code, space))
    made = [(name, value) for name, value in space.items() if name not in before or name in NAMES]
    made = [(name, value) for name, value in made if not name.startswith("tmp_")]
    for name, value in sorted(made, key=lambda pair: pair[0]):
        if name == "__annotate__":
            guarded(lambda: note("annotations %s" % show(space["__annotate__"](1))))
        else:
            note("global %s: %s" % (name, show(value)))
            drive_value(value)


def drive_value(value):
    if type(value) is types.FunctionType:
        guarded(lambda: call(value))
    elif isinstance(value, type) and value.__module__ == "program":
        guarded(lambda: note("annotations %s" % show(getattr(value, "__annotations__", None))))
        for name, inner in sorted(vars(value).items(), key=lambda pair: pair[0]):
            if name.startswith("__") and name not in ("__doc__", "__init__"):
                continue
            note("%s.%s: %s" % (value.__qualname__, name, show(inner)))
            if type(inner) is types.FunctionType:
                guarded(lambda: call(inner, *[V("self")][: inner.__code__.co_argcount]))  # noqa: B023


# ---- values as text; calls no method of a value
def show_error(error, depth):
    if isinstance(error, (E1, E3, KeyError, NameError)) and not isinstance(error, UnboundLocalError):
        shown = "%s%s" % (type(error).__name__, show(error.args, depth + 1))
    elif hasattr(error, "exceptions"):
        shown = "%s%s" % (type(error).__name__, show(tuple(error.exceptions), depth + 1))
    elif isinstance(error, StopIteration):
        shown = "%s%s" % (type(error).__name__, show(error.value, depth + 1))
    else:
        shown = type(error).__name__  # Python's own messages may have names of helpers
    if depth < 4:
        if error.__cause__ is not None:
            shown += " from " + show(error.__cause__, depth + 1)
        if error.__context__ is not None:
            shown += (" not during " if error.__suppress_context__ else " during ") + show(error.__context__, depth + 1)
    return shown


def show_function(function, depth):
    code = function.__code__
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
    parts = [function.__qualname__, function.__name__, function.__doc__, code.co_varnames[:count], code.co_argcount]
    parts += [code.co_posonlyargcount, code.co_flags & 0x2AC, show(function.__defaults__, depth + 1)]
    parts.append(show(function.__kwdefaults__, depth + 1))
    try:
        parts.append(show(function.__annotations__, depth + 1))
    except (Exception, TooLong) as error:
        parts.append("annotations raise " + type(error).__name__)
    parts.append(show(getattr(function, "__type_params__", ()), depth + 1))
    return "function %s" % parts


def show(value, depth=0):
    """Returns a value as text."""
    if depth > 5:
        return "..."
    kind = type(value)
    if issubclass(kind, type):
        return "class " + value.__qualname__
    if issubclass(kind, V):
        return value.name_
    if kind in (tuple, list):
        inner = ", ".join([show(v, depth + 1) for v in value])
        return "(%s)" % inner if kind is tuple else "[%s]" % inner
    if kind in (set, frozenset):
        return "%s{%s}" % (kind.__name__, ", ".join(sorted([show(v, depth + 1) for v in value])))
    if kind is dict:
        return "{%s}" % ", ".join(["%s: %s" % (show(k, depth + 1), show(v, depth + 1)) for k, v in value.items()])
    if kind is slice:
        return "slice" + show((value.start, value.stop, value.step), depth + 1)
    if kind is types.FunctionType:
        return show_function(value, depth)
    if issubclass(kind, BaseException):
        return show_error(value, depth)
    if kind is Items:
        return "items of " + value.name
    if kind.__name__ == "Template":
        return "template %s %s" % (value.strings, show(value.interpolations, depth + 1))
    if kind.__name__ == "Interpolation":
        return "interpolation" + show((value.value, value.expression, value.conversion, value.format_spec), depth + 1)
    if kind.__name__ in ("TypeVar", "ParamSpec", "TypeVarTuple", "TypeAliasType"):
        return "%s %s" % (kind.__name__, value.__name__)
    if isinstance(value, (int, float, complex, str, bytes)) or value is None or value is Ellipsis:
        return repr(value)
    return "a " + kind.__name__
