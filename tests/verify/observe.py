# SPDX-License-Identifier: MIT
"""Runs a function several times on objects that log what is done to them; each run gives a list of log lines.

Runs under the interpreter whose code it is, and needs nothing but it and tests/meanings/recorders.py. Globals are
recorders, except for exceptions and the few builtins whose meaning depyf relies on. Truth values, sizes and exceptions
of calls follow from a seed.
"""

import builtins
import json
import os
import random
import resource
import signal
import sys
import types

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "meanings"))

import recorders
from recorders import log, show

TRUSTED = ("iter", "next", "type", "len", "slice", "getattr", "dict", "zip", "globals")
IMPORTED = (*TRUSTED, "any", "all", "tuple", "list", "set", "repr", "ascii", "format")
REAL = {name: getattr(builtins, name) for name in TRUSTED}
REAL.update({n: v for n, v in vars(builtins).items() if isinstance(v, type) and issubclass(v, BaseException)})
RAISED = (ValueError, KeyError, OSError, AttributeError, TypeError, StopIteration, recorders.Boom)
SECONDS = 0.3  # CPU time, so that other load on the machine makes no difference


class Stuck(BaseException):
    """Raised by the timer's signal."""


class Chance:
    """The random decisions of a run."""

    draw = None
    raises = 0.05


class RandomRecorder(recorders.R):
    """A recorder with random answers; everything that it returns is one, too."""

    def __getattr__(self, attribute):
        if attribute.startswith("__") and attribute.endswith("__"):
            raise AttributeError(attribute)
        log("%s.%s" % (self.name, attribute))
        return recorder("%s.%s" % (self.name, attribute))

    def __call__(self, *args, **kwargs):
        shown = ", ".join([show(a) for a in args] + ["%s=%s" % (k, show(v)) for k, v in kwargs.items()])
        handled = sys.exc_info()[1]
        log("%s(%s)%s" % (self.name, shown, "" if handled is None else " while " + type(handled).__name__))
        if Chance.draw.random() < Chance.raises:
            raise Chance.draw.choice(RAISED)(self.name)
        for a in args:
            if type(a) is types.FunctionType and Chance.draw.random() < 0.5:
                call(a)
        return recorder("%s()" % self.name[:60])

    def __bool__(self):
        answer = Chance.draw.random() < 0.5
        log("bool %s: %s" % (self.name, answer))
        return answer

    def __exit__(self, *exception):
        log("exit %s%s" % (self.name, show(exception[:2])))
        return recorder("exit " + self.name)

    def __enter__(self):
        log("enter %s" % self.name)
        return recorder("enter " + self.name)

    def __getitem__(self, key):
        log("%s[%s]" % (self.name, show(key)))
        if Chance.draw.random() < 0.05:
            raise KeyError(self.name)
        return recorder("%s[]" % self.name[:60])


def recorder(name):
    return RandomRecorder(name, Chance.draw.choice((0, 1, 2, 2, 3)))


class Globals(dict):
    """Globals in which every name exists."""

    def __getitem__(self, key):
        if key in REAL:
            return REAL[key]
        if key == "__import__":
            return imported
        if dict.__contains__(self, key):
            return dict.__getitem__(self, key)
        log("global " + key)
        dict.__setitem__(self, key, recorder(key))
        return dict.__getitem__(self, key)

    def __setitem__(self, key, value):
        log("global %s = %s" % (key, show(value)))
        dict.__setitem__(self, key, value)


class Builtins:
    """The module `builtins`: the attributes that dispatch loops use are the real ones."""

    def __getattr__(self, attribute):
        return getattr(builtins, attribute) if attribute in IMPORTED else recorder("builtins." + attribute)


def call(function):
    """Calls a function with recorders as arguments, and uses its result until the end."""
    code = function.__code__
    count = code.co_argcount + code.co_kwonlyargcount
    names = code.co_varnames[:count]
    args = [recorder("arg " + n) for n in names[: code.co_argcount]]
    named = {n: recorder("arg " + n) for n in names[code.co_argcount :]}
    finish(function(*args, **named))


def finish(result):
    if isinstance(result, (types.GeneratorType, types.CoroutineType)):
        log("a " + type(result).__name__)
        send = None
        for step in range(5):
            if step and Chance.draw.random() < 0.2:
                break
            if step == 3 and Chance.draw.random() < 0.5:
                value = result.throw(recorders.Boom("thrown"))
            else:
                value = result.send(send)
            log("yields " + show(value))
            send = recorder("sent%d" % step)
        log("close")
        result.close()
    elif isinstance(result, types.AsyncGeneratorType):
        log("an async generator")
        finish(result.asend(None))
    else:
        log("result " + show(result))


def imported(name, globals=None, locals=None, fromlist=(), level=0):
    if name == "builtins" and not fromlist:
        return Builtins()
    log("import %s %s %s" % (name, show(fromlist), level))
    return recorder(name)


def raise_stuck(signum, frame):
    raise Stuck


def observe(code, seed):
    """Returns the log of one run of a function's code."""
    Chance.draw = random.Random(seed)
    Chance.raises = (0.0, 0.05, 0.15, 0.3)[seed % 4]
    recorders.begin(0)
    names = dict(REAL, __import__=imported)
    names["__build_class__"] = builtins.__build_class__
    space = Globals()
    dict.__setitem__(space, "__builtins__", names)
    dict.__setitem__(space, "__name__", "tested")
    cells = tuple(types.CellType(recorder("cell " + n)) for n in code.co_freevars)
    signal.signal(signal.SIGPROF, raise_stuck)
    signal.setitimer(signal.ITIMER_PROF, SECONDS, 0.05)  # repeatedly, because the code may swallow the exception
    try:
        call(types.FunctionType(code, space, code.co_name, None, cells))
    except recorders.TooLong:
        pass
    except Stuck:
        recorders.State.log.append("stuck")
    except BaseException as error:
        recorders.State.log.append("raises " + show(error))
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    for name, cell in zip(code.co_freevars, cells):
        recorders.State.log.append("cell %s: %s" % (name, recorders.show_cell(cell, 0)))
    return list(recorders.State.log)


def observed(code, seeds):
    """Returns the logs of all runs, one text per run; None if the code kills the separate process they run in."""
    data = in_child(lambda: [observe(code, seed) for seed in seeds])
    return None if data is None else data.splitlines()


def differs(code, expected, other, seeds):
    """Returns whether a run shows a difference between the codes, and both do the same when run again.

    `expected` are the logs of the runs of `code`. Code that kills its process differs, too.
    """

    def runs():
        for seed, before in zip(seeds, expected):
            log_text = text(observe(other, seed))
            if log_text != before:
                return [[log_text == text(observe(other, seed)) and before == text(observe(code, seed))]]
        return [[False]]

    data = in_child(runs)
    if data is None:
        return in_child(runs) is None and observed(code, seeds) == expected
    return data == text([True])


def executed(code, seeds):
    """Returns the offsets in bytes of the instructions that the runs execute."""

    def entered(frame, event, arg):
        if frame.f_code is not code:
            return None
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        return step

    def step(frame, event, arg):
        if event == "opcode":
            offsets.add(frame.f_lasti)
        return step

    def runs():
        for seed in seeds:
            sys.settrace(entered)
            observe(code, seed)
        return sorted(offsets)

    offsets = set()
    data = in_child(lambda: [runs()])
    return set() if data is None else set(json.loads(data))


def text(answer):
    return repr(answer).encode("utf-8", "backslashreplace")


def in_child(runs):
    """Returns a function's results, one per line, from a separate process with a time limit; None if that dies."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            sys.setrecursionlimit(2000)
            resource.setrlimit(resource.RLIMIT_CPU, (4, 4))
            results = runs()
            sys.settrace(None)
            with os.fdopen(writer, "wb") as out:
                out.write(b"\n".join(map(text, results)))
        except BaseException:
            os._exit(3)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as source:
        data = source.read()
    _, status = os.waitpid(child, 0)
    return data if status == 0 else None
