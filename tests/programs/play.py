# SPDX-License-Identifier: MIT
"""Runs programs and their decompiled texts on several schedules, and reports where they differ.

    pythonX.Y tests/programs/play.py JOBS.json

JOBS is a list of [name, source, [text, ...]]. Prints a JSON object per line: {"name", "entries", "outcomes": [one per
text]}. An outcome is "same", "stuck" (the original does not finish, or depends on the layout of memory), "refused LINE:
MESSAGE" (the text does not compile), "died" (its process does), or "differs" with the schedule and both entries. The
runs of a program have their own process.
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
SECONDS = 3  # CPU time for the runs of one program
LAYOUTS = 8  # number of memory layouts in which an original is run before a difference counts


def in_child(task):
    """Returns what a function writes to its argument in a child process; None if that does not end well."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        status = 3
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            with open(os.devnull, "w") as null:  # for "Exception ignored in"
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
    """Returns objects that fragment memory: while they exist, new objects have other addresses, in another order."""
    chosen = random.Random(number)
    made = [(lambda: None, (n for n in ()), {n}) for n in range(400 * number)]
    return [fragments for several in made for fragments in several if chosen.random() < 0.5]


def run_from(first, code, number, writer):
    """Writes the logs of the schedules from `first` on; fewer if a run does not end when its log is full."""
    fragments = layout(number)

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
    del fragments


def run(code, number=0):
    """Returns the logs of all schedules in one layout of memory, or None if one of them does not finish."""
    logs = []
    while len(logs) < SCHEDULES:
        data = in_child(functools.partial(run_from, len(logs), code, number))
        if data is None:
            return None
        logs += map(json.loads, data.decode("ascii").splitlines())
    return logs


def compile_file(path):
    """Returns (code, None) for a file, or (None, error message) if it does not compile."""
    with open(path, "rb") as stream:
        source = stream.read()
    try:
        return compile(source, "program.py", "exec", dont_inherit=True), None
    except (SyntaxError, ValueError, RecursionError) as error:
        return None, "refused %s: %s" % (getattr(error, "lineno", 0), getattr(error, "msg", error))


def compare_logs(before, after):
    if after is None:
        return "died"
    for schedule, (one, two) in enumerate(zip(before, after)):
        if one != two:
            at = next((n for n, (a, b) in enumerate(zip(one, two)) if a != b), min(len(one), len(two)))
            shown = [" ".join(log[at : at + 1])[:200] or "the end" for log in (one, two)]
            return "differs on schedule %d at %d: %s | %s" % (schedule, at, *shown)
    return "same"


def judge_text(code, before, text):
    """Compares a text with its original. An original that depends on addresses differs between two of its own runs."""
    other, problem = compile_file(text)
    if problem or before is None:
        return problem or "stuck"
    outcome = compare_logs(before, run(other))
    if outcome != "same" and any(run(code, number) != before for number in range(2, LAYOUTS)):
        return "stuck"
    return outcome


def main(path):
    """Runs all jobs."""
    sys.setrecursionlimit(400)
    warnings.simplefilter("ignore")
    with open(path) as stream:
        jobs = json.load(stream)
    for name, source, texts in jobs:
        code, problem = compile_file(source)
        before = None if problem else run(code)
        if before is not None and run(code, 1) != before:
            before = None  # two runs differ: nothing to compare with
        entries = sum(map(len, before or ()))
        outcomes = []
        for text in texts:
            if text is None:
                outcomes.append("no text")
                continue
            outcomes.append(judge_text(code, before, text))
        print(json.dumps({"name": name, "entries": entries, "outcomes": outcomes}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
