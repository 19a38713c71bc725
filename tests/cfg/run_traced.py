# SPDX-License-Identifier: MIT
"""Runs programs of cfg_programs.py with random decisions, and records the instructions that each frame executed.

Runs under the interpreter under test (3.8-3.15, so it keeps to the syntax of 3.8). Standard input: a JSON list of
module texts; argument: a folder for NUMBER.pyc. Standard output: JSON, for each text null (it does not compile) or a
list of [name, first line, {offset: instruction}, traces]. A trace is a list of [offset, raised], where `raised` tells
that the instruction raised an exception. test_cfg.py judges the traces.
"""

import dis
import importlib._bootstrap_external as external
import json
import random
import sys
from pathlib import Path

RUNS = 40
NAME = "<program>"


class E1(Exception):
    pass


class E2(Exception):
    pass


class Spent(BaseException):
    """The run has taken enough steps."""


class Oracle:
    """Decides what happens next; there is no other source of decisions."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.left = 60
        self.raising = self.rng.choice((0.02, 0.08, 0.2))

    def c(self):
        self.left -= 1
        if self.left < 0:
            raise Spent
        if self.rng.random() < self.raising:
            raise self.rng.choice((E1, E2, KeyError, StopIteration))
        return self.rng.random() < 0.5

    def it(self):
        self.c()
        for _ in range(self.rng.randint(0, 3)):
            self.c()
            yield self.rng.choice(((1, 2), (3, 4), (5, 6), 7))

    async def ait(self):
        self.c()
        for _ in range(self.rng.randint(0, 3)):
            await self.aw()
            yield self.rng.choice((1, 2))

    def aw(self):
        return Await(self)

    def cm(self):
        self.c()
        return Manager(self)

    def acm(self):
        self.c()
        return AsyncManager(self)

    def swallows(self, kind):
        self.c()
        return kind is not Spent and kind is not GeneratorExit and self.rng.random() < 0.5


class Await:
    def __init__(self, oracle):
        self.oracle = oracle

    def __await__(self):
        for _ in range(self.oracle.rng.randint(0, 2)):
            self.oracle.c()
            yield
        return self.oracle.c()


class Manager:
    def __init__(self, oracle):
        self.oracle = oracle

    def __enter__(self):
        return self.oracle.c()

    def __exit__(self, kind, value, traceback):
        return self.oracle.swallows(kind)


class AsyncManager:
    def __init__(self, oracle):
        self.oracle = oracle

    async def __aenter__(self):
        return await self.oracle.aw()

    async def __aexit__(self, kind, value, traceback):
        await self.oracle.aw()
        return self.oracle.swallows(kind)


class Recorder:
    """Records traces with a trace function: one list per frame."""

    def __init__(self):
        self.traces = []  # (code, events, frame); the reference to the frame keeps its id unique
        self.by_frame = {}

    def start(self):
        sys.settrace(self.global_)

    def stop(self):
        sys.settrace(None)

    def global_(self, frame, event, arg):
        if frame.f_code.co_filename != NAME or frame.f_code.co_name == "<module>":
            return None
        frame.f_trace_opcodes = True
        frame.f_trace_lines = False
        if id(frame) not in self.by_frame:
            events = []
            self.by_frame[id(frame)] = events
            self.traces.append((frame.f_code, events, frame))
        return self.local

    def local(self, frame, event, arg):
        events = self.by_frame[id(frame)]
        if event == "opcode":
            events.append([frame.f_lasti, 0])
        elif event == "exception" and events:
            events[-1][1] = 1
        return self.local


class Monitor(Recorder):
    """Records traces with sys.monitoring (3.12+), where a trace function misses instructions."""

    TOOL = 3

    def events_of(self, code):
        if code.co_filename != NAME or code.co_name == "<module>":
            return None
        frame = sys._getframe(2)
        if id(frame) not in self.by_frame:
            self.by_frame[id(frame)] = events = []
            self.traces.append((code, events, frame))
        return self.by_frame[id(frame)]

    def instruction(self, code, offset):
        events = self.events_of(code)
        if events is not None:
            events.append([offset, 0])

    def raised(self, code, offset, exception):
        events = self.events_of(code)
        if events:
            events[-1][1] = 1

    def start(self):
        monitoring = sys.monitoring
        events = monitoring.events
        monitoring.use_tool_id(self.TOOL, "run_traced")
        monitoring.register_callback(self.TOOL, events.INSTRUCTION, self.instruction)
        monitoring.register_callback(self.TOOL, events.RAISE, self.raised)
        monitoring.register_callback(self.TOOL, events.PY_THROW, self.raised)
        monitoring.set_events(self.TOOL, events.INSTRUCTION | events.RAISE | events.PY_THROW)

    def stop(self):
        sys.monitoring.set_events(self.TOOL, 0)
        sys.monitoring.free_tool_id(self.TOOL)


def drive(function, oracle):
    """Calls a function; if the result is a generator or coroutine, runs it and sends values and exceptions."""
    result = function()
    if hasattr(result, "__anext__"):
        for _ in range(8):
            step = result.asend(None) if oracle.rng.random() < 0.8 else result.athrow(E1())
            try:
                drive_steps(step, oracle, (None,))
            except StopIteration:
                continue
    elif hasattr(result, "send"):
        drive_steps(result, oracle, (None, 1) if hasattr(result, "gi_frame") else (None,))


def drive_steps(steps, oracle, values):
    value = None
    for _ in range(30):
        roll = oracle.rng.random()
        if roll < 0.9:
            steps.send(value)
        elif roll < 0.97:
            steps.throw(oracle.rng.choice((E1, E2))())
        else:
            steps.close()
            return
        value = oracle.rng.choice(values)


def run(function, seed, module):
    oracle = Oracle(seed)
    for name in ("c", "it", "cm", "ait", "acm", "aw"):
        module[name] = getattr(oracle, name)
    recorder = Monitor() if sys.version_info >= (3, 12) else Recorder()
    recorder.start()
    try:
        drive(function, oracle)
    except (Exception, Spent, GeneratorExit):
        pass
    finally:
        recorder.stop()
    return [(code, events) for code, events, frame in recorder.traces]


def trace_program(text, path):
    try:
        code = compile(text, NAME, "exec", dont_inherit=True)
    except SyntaxError:
        return None
    path.write_bytes(external._code_to_timestamp_pyc(code))
    module = {"E1": E1, "E2": E2}
    exec(code, module)
    found = {}
    for name in sorted(n for n in module if n.startswith("f")):
        for seed in range(RUNS):
            for traced, events in run(module[name], seed, module):
                traces = found.setdefault(traced, {})
                traces[json.dumps(events)] = events
    return [describe(code, traces) for code, traces in found.items()]


def describe(code, traces):
    names = {ins.offset: ins.opname for ins in dis.get_instructions(code)}
    return [code.co_name, code.co_firstlineno, names, list(traces.values())]


def main():
    folder = Path(sys.argv[1])
    programs = json.load(sys.stdin)
    results = [trace_program(text, folder / (str(number) + ".pyc")) for number, text in enumerate(programs)]
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
