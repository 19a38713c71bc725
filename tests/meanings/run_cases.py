# SPDX-License-Identifier: MIT
"""Assembles and runs the sequences, writes them as .pyc files, and runs their decompiled text.

Runs under each interpreter 3.8-3.15 and needs nothing but it. ``make DIR`` writes DIR/pyc/FAMILY-NAME.pyc and
DIR/made.json; ``check DIR MODE`` runs DIR/MODE/FAMILY-NAME.py, compares, and writes DIR/MODE.json.
"""

import faulthandler
import functools
import importlib
import importlib.util
import json
import marshal
import opcode
import os
import re
import signal
import sys
import types
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE]

import recorders  # noqa: E402 (the folder must be on the path first)
from assembler import MINOR, Unknown, assemble  # noqa: E402
from recorders import R, TooLong, begin, log, show  # noqa: E402

SECONDS = 2.0  # a run that takes longer loops without using a recorder
STEPS = 6


class Stuck(BaseException):
    """Raised by the timer's signal."""


def families():
    folder = os.path.join(HERE, "families")
    for name in sorted(os.listdir(folder)):
        if name.endswith(".py"):
            yield name[:-3], importlib.import_module("families." + name[:-3]).CASES


def cases():
    """Yields the sequences of this version."""
    for family, table in families():
        for case in table:
            if case.is_for(MINOR):
                yield "%s-%s" % (family, case.name), case


def with_assembled(code, target, text):
    """Returns the template in which the code object called `target` is assembled from the text."""
    if text is None:
        return code
    if code.co_name == target:
        return assemble(text, code)
    inner = tuple(with_assembled(c, target, text) if isinstance(c, types.CodeType) else c for c in code.co_consts)
    return code.replace(co_consts=inner)


def build(case):
    """Returns the module of a sequence."""
    return with_assembled(
        compile(case.template, "<template>", "exec", dont_inherit=True, optimize=0), case.target, case.text
    )


def log_step(step):
    """Makes one step of a generator or coroutine and logs it; returns whether it can continue."""
    try:
        log("yields " + show(step()))
    except StopIteration as stop:
        log("returns " + show(stop.value))
        return False
    return True


def drive(coroutine):
    """Drives a coroutine or generator depending on the run: sends, throws or closes."""
    can_continue = log_step(lambda: coroutine.send(None))
    for step in range(STEPS):
        if not can_continue:
            return
        if recorders.State.run == 1 and step == 0:
            can_continue = log_step(lambda: coroutine.throw(recorders.Boom("thrown")))
        elif recorders.State.run == 2 and step == 1:
            coroutine.close()
            log("closed")
            return
        else:
            can_continue = log_step(functools.partial(coroutine.send, R("sent%d" % step)))
    coroutine.close()


def drive_async(generator):
    for step in range(3):
        log("asend")
        drive(generator.asend(R("asent%d" % step) if step else None))


def outcome(result):
    """Uses a function's result until its end."""
    if isinstance(result, (types.GeneratorType, types.CoroutineType)):
        log("a %s" % type(result).__name__)
        drive(result)
    elif isinstance(result, types.AsyncGeneratorType):
        log("an async generator")
        drive_async(result)
    else:
        log("result " + show(result))


def perform(code, is_module):
    space = recorders.new_globals()
    sys.displayhook = lambda value: log("display " + show(value))
    if is_module:
        exec(code, space, recorders.Namespace({name: R(name) for name in "abcd"}))
    else:
        exec(code, space)
        recorders.State.log.clear()
        outcome(space.get("f")(**recorders.arguments()))
    log("globals " + show([space.get(name) for name in "ghi"]))


def alarm(number, frame):
    raise Stuck


def trace(code, run, is_module):
    """Returns the log of one run; its last entry is how the run ended."""
    begin(run)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        perform(code, is_module)
    except TooLong:
        pass
    except Stuck:
        recorders.State.log.append("stuck")
    except BaseException as error:
        recorders.State.log.append("raises " + show(error))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return [re.sub(r"0x[0-9a-f]+", "0x", entry) for entry in recorders.State.log]


def traces(code, case):
    recorders.State.globals_seen = case.target in ("f", "inner")
    return [trace(code, run, case.target == "<module>") for run in range(recorders.RUNS)]


def opcodes(code):
    """Yields the names of the opcodes in a code object and the nested ones; caches are zero, which is CACHE."""
    yield from (opcode.opname[byte] for byte in code.co_code[::2])
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from opcodes(inner)


def make(folder):
    """Assembles, runs and writes all sequences."""
    made, seen = {}, set()
    os.makedirs(os.path.join(folder, "pyc"))
    for name, case in cases():
        if os.environ.get("MEANINGS_TRACE"):  # shows which sequence crashes the interpreter
            print(name, file=sys.stderr, flush=True)
        try:
            code = build(case)
        except (Unknown, ValueError, KeyError, IndexError) as error:
            raise SystemExit("%s: cannot assemble: %r" % (name, error)) from error
        assert name not in made, name
        with open(os.path.join(folder, "pyc", name + ".pyc"), "wb") as stream:
            stream.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
        seen.update(opcodes(code))
        made[name] = {"text": case.text or case.template, "traces": traces(code, case)}
    with open(os.path.join(folder, "made.json"), "w") as stream:
        json.dump({"cases": made, "opcodes": sorted(seen)}, stream)


def judge(path, case, wanted):
    """Compares what a text and its sequence do; returns (status, text, difference)."""
    if not os.path.exists(path):
        return "refused", "", "no text"
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    try:
        mode = "single" if text.startswith("# mode: single\n") else "exec"  # no case has the mode "eval"
        code = compile(text, "<text>", mode, dont_inherit=True, optimize=0)
    except (SyntaxError, ValueError) as error:
        return "refused", text, "does not compile: %s" % error
    seen = traces(code, case)
    for run, (left, right) in enumerate(zip(wanted, seen)):
        if left != right:
            return "wrong", text, "run %d\n  CPython: %s\n  text:    %s" % (run, left, right)
    return "same", text, ""


def check(folder, mode):
    """Judges all texts of a mode."""
    with open(os.path.join(folder, "made.json")) as stream:
        made = json.load(stream)["cases"]
    found = {}
    for name, case in cases():
        status, text, detail = judge(os.path.join(folder, mode, name + ".py"), case, made[name]["traces"])
        found[name] = {"status": status, "text": text, "detail": detail}
    with open(os.path.join(folder, mode + ".json"), "w") as stream:
        json.dump(found, stream)


def main():
    faulthandler.enable()
    warnings.simplefilter("ignore")
    sys.unraisablehook = lambda *_: None
    signal.signal(signal.SIGALRM, alarm)
    if sys.argv[1] == "make":
        make(sys.argv[2])
    else:
        check(sys.argv[2], sys.argv[3])


main()
