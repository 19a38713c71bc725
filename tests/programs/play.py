# SPDX-License-Identifier: MIT
"""Runs programs and what they were decompiled to, on several schedules, and says where they differ.

    pythonX.Y tests/programs/play.py JOBS.json

JOBS is a list of [name, source, [text, ...]]. Prints a JSON object a line: {"name", "outcomes": [one a text]}; an
outcome is "same", "stuck" (the original does not finish), "refused LINE: MESSAGE" (the text does not compile), "died"
(its process does), or "differs" with the schedule and both entries. The runs of a program have
a process of their own.
"""

import functools
import json
import os
import resource
import sys
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import world

SCHEDULES = 6
SECONDS = 3  # of the processor, for the runs of one program


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


def run_from(first, code, writer):
    """Writes the logs of the schedules from the first on; fewer where a full log does not end a run."""

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


def run(code):
    """The logs of all schedules; None if one of them does not finish."""
    logs = []
    while len(logs) < SCHEDULES:
        data = apart(functools.partial(run_from, len(logs), code))
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


def main(path):
    """Plays all jobs."""
    sys.setrecursionlimit(400)
    warnings.simplefilter("ignore")
    with open(path) as stream:
        jobs = json.load(stream)
    for name, source, texts in jobs:
        code, problem = compiled(source)
        before = None if problem else run(code)
        if before is not None and run(code) != before:
            before = None  # not the same twice: nothing to compare with
        entries = sum(map(len, before or ()))
        outcomes = []
        for text in texts:
            if text is None:
                outcomes.append("no text")
                continue
            other, problem = compiled(text)
            outcomes.append(problem or ("stuck" if before is None else compared(before, run(other))))
        print(json.dumps({"name": name, "entries": entries, "outcomes": outcomes}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
