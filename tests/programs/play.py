# SPDX-License-Identifier: MIT
"""Runs programs and what they were decompiled to, on several schedules, and says where they differ.

    pythonX.Y tests/programs/play.py JOBS.json

JOBS is a list of [name, source, [text, ...]]. Prints a JSON object a line: {"name", "outcomes": [one a text]}; an
outcome is "same", "stuck" (the original does not finish, or does something else where memory is laid out otherwise),
"refused LINE: MESSAGE" (the text does not compile), "died"
(its process does), or "differs" with the schedule and both entries. The runs of a program have
a process of their own.
"""

import functools
import json
import os
import random
import resource
import sys
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import world

SCHEDULES = 6
SECONDS = 3  # of the processor, for the runs of one program
LAYOUTS = 8  # of memory, in which an original is run before a difference counts


def apart(task):
    """What a function writes to its argument in a process of its own; None if that does not end well."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        status = 3
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            with open(os.devnull, "w") as null:  # "Exception ignored in"
                os.dup2(null.fileno(), 2)
                task(writer)
            status = 0
        finally:
            os._exit(status)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        data = stream.read()
    return data if os.waitpid(child, 0)[1] == 0 else None


def layout(number):
    """Objects that leave memory with holes: what is made next lies elsewhere, in another order; kept while they are."""
    chosen = random.Random(number)
    made = [(lambda: None, (n for n in ()), {n}) for n in range(400 * number)]
    return [kept for several in made for kept in several if chosen.random() < 0.5]


def run_from(first, code, number, writer):
    """Writes the logs of the schedules from the first on; fewer where a full log does not end a run."""
    kept = layout(number)

    def answer():
        os.write(writer, json.dumps(world.State.log).encode("ascii") + b"\n")

    def full():
        answer()
        os._exit(0)

    for schedule in range(first, SCHEDULES):
        world.begin(schedule, full)
        try:
            world.drive(code)
        except world.TooLong:
            pass
        answer()
    del kept


def run(code, number=0):
    """The logs of all schedules, in one layout of memory; None if one of them does not finish."""
    logs = []
    while len(logs) < SCHEDULES:
        data = apart(functools.partial(run_from, len(logs), code, number))
        if data is None:
            return None
        logs += map(json.loads, data.decode("ascii").splitlines())
    return logs


def compiled(path):
    """A file's code, or what the compiler says."""
    with open(path, "rb") as stream:
        source = stream.read()
    try:
        return compile(source, "program.py", "exec", dont_inherit=True), None
    except (SyntaxError, ValueError, RecursionError) as error:
        return None, "refused %s: %s" % (getattr(error, "lineno", 0), getattr(error, "msg", error))


def compared(before, after):
    if after is None:
        return "died"
    for schedule, (one, two) in enumerate(zip(before, after)):
        if one != two:
            at = next((n for n, (a, b) in enumerate(zip(one, two)) if a != b), min(len(one), len(two)))
            shown = [" ".join(log[at : at + 1])[:200] or "the end" for log in (one, two)]
            return "differs on schedule %d at %d: %s | %s" % (schedule, at, *shown)
    return "same"


def judged(code, before, text):
    """What a text does beside its original. What depends on addresses differs between two runs of the original."""
    other, problem = compiled(text)
    if problem or before is None:
        return problem or "stuck"
    said = compared(before, run(other))
    if said != "same" and any(run(code, number) != before for number in range(2, LAYOUTS)):
        return "stuck"
    return said


def main(path):
    """Plays all jobs."""
    sys.setrecursionlimit(400)
    warnings.simplefilter("ignore")
    with open(path) as stream:
        jobs = json.load(stream)
    for name, source, texts in jobs:
        code, problem = compiled(source)
        before = None if problem else run(code)
        if before is not None and run(code, 1) != before:
            before = None  # not the same twice: nothing to compare with
        entries = sum(map(len, before or ()))
        outcomes = []
        for text in texts:
            if text is None:
                outcomes.append("no text")
                continue
            outcomes.append(judged(code, before, text))
        print(json.dumps({"name": name, "entries": entries, "outcomes": outcomes}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
