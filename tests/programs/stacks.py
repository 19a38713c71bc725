# SPDX-License-Identifier: MIT
"""Runs random programs of the stack machine that no compiler generates, as bytecode and as decompiled text.

    pythonX.Y tests/programs/stacks.py DEPYFC FOLDER SEED COUNT [OPTION ...]

Values are made, copied, swapped, unpacked, stored and dropped, also across branches; every operation is logged. A few
written programs come first. Prints a JSON list of the differences: [name, arguments, the original's outcome, the
text's, the program]. Runs under each interpreter 3.8-3.15, without other modules.
"""

import importlib.util
import json
import marshal
import random
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "meanings"))

import assembler

MINOR = sys.version_info[1]
BATCH = 100  # programs per file
ARGUMENTS = ((0, 0), (1, 0), (0, 1), (1, 1))


def call(name):
    return ["LOAD_GLOBAL %s+NULL" % name, "call 0"] if MINOR >= 11 else ["LOAD_GLOBAL " + name, "call 0"]


def branch(label):
    if MINOR == 11:
        return ["POP_JUMP_FORWARD_IF_FALSE " + label]
    return ["TO_BOOL"] * (MINOR >= 13) + ["POP_JUMP_IF_FALSE " + label]


NEGATE = ["TO_BOOL"] * (MINOR >= 13) + ["UNARY_NOT"]
COPY = ["COPY 1" if MINOR >= 11 else "DUP_TOP"]
SECOND = (["COPY 2"], 1) if MINOR >= 11 else (["DUP_TOP_TWO"], 2)
SWAP = ["SWAP 2" if MINOR >= 11 else "ROT_TWO"]
ROTATE = ["SWAP 3", "SWAP 2"] if MINOR >= 11 else ["ROT_THREE"]


# Programs that random ones hardly reach: repeated keys of a merge, deep unpacking, tests of copies from another block.
ODD = {
    "merges": [
        "LOAD_GLOBAL m; LOAD_CONST (); BUILD_MAP 0; LOAD_GLOBAL n; DICT_MERGE 1; LOAD_FAST c", *branch("L"),
        *call("f"), "POP_TOP; L:; LOAD_GLOBAL n; DICT_MERGE 1; BUILD_TUPLE 3; ret",
    ] if MINOR >= 9 else ["LOAD_CONST 1; ret"],
    "unpacks": ["LOAD_FAST c", *["UNPACK_SEQUENCE 1"] * 50, "ret"],
}  # fmt: skip
ODD["chain"] = [
    "LOAD_FAST c", *branch("A"), *call("g"), *COPY, "STORE_FAST c", *COPY, "UNPACK_SEQUENCE 2; STORE_FAST d",
    "JUMP_FORWARD B; A:; LOAD_CONST 1; LOAD_CONST 2; B:; STORE_FAST c; LOAD_GLOBAL o; STORE_ATTR a; LOAD_FAST c; ret",
]  # fmt: skip
ODD["tests"] = [
    *call("g"), *branch("X"), *call("h"), "T:", *branch("X"), *call("g"), *branch("X"), *call("h"),
    "JUMP_%s T; X:; LOAD_CONST 1; ret" % ("BACKWARD" if MINOR >= 11 else "ABSOLUTE"),
]  # fmt: skip
ADD_IN_PLACE = "BINARY_OP +=" if MINOR >= 11 else "INPLACE_ADD"  # other than `+`, it adds a tuple to a list
ODD["in_place"] = [
    "BUILD_LIST 0; STORE_FAST d; LOAD_FAST c", *branch("E"),
    "LOAD_FAST d; LOAD_CONST (1,)", ADD_IN_PLACE, "JUMP_FORWARD J; E:; LOAD_FAST d; LOAD_CONST (2,)", ADD_IN_PLACE,
    "J:; LOAD_FAST d; BUILD_TUPLE 2; ret",
]  # fmt: skip
if MINOR >= 12:
    ODD["copies"] = [
        "LOAD_FAST c; COPY 1; JUMP_FORWARD T; A:; POP_TOP", *call("f"), "JUMP_FORWARD M; C:; BUILD_TUPLE 2; ret",
        "T:", *branch("B"), "JUMP_FORWARD M; B:; JUMP_BACKWARD A; M:; LOAD_CONST 1; JUMP_BACKWARD C",
    ]  # fmt: skip


if MINOR >= 11:
    ODD["back"] = [
        *call("g"), "JUMP_FORWARD A; B:; NOP; C:; ret; A:; POP_TOP", *call("f"), "JUMP_BACKWARD B; JUMP_BACKWARD C",
    ]  # fmt: skip
if MINOR >= 10:  # tests that look like a case but are not: patterns compare None by identity, and names by value
    for name, other in (("same", "LOAD_GLOBAL xs; LOAD_ATTR a; IS_OP 0"), ("equal", "LOAD_CONST None; COMPARE_OP ==")):
        ODD[name] = [
            "LOAD_GLOBAL o", *COPY, "POP_TOP", other, *branch("L"), *call("f"), "ret; L:", *call("g"), "ret",
        ]  # fmt: skip
if MINOR >= 13:
    ODD["names"] = [
        "LOAD_GLOBAL dict+NULL; LOAD_FAST c; LOAD_CONST ('k',); BUILD_TUPLE 1; UNPACK_SEQUENCE 1; CALL_KW 1; ret"
    ]
if MINOR >= 14:
    ODD["no_keywords"] = [
        "LOAD_GLOBAL dict+NULL; LOAD_CONST (); BUILD_TUPLE 1; UNPACK_SEQUENCE 1; PUSH_NULL; CALL_FUNCTION_EX; ret"
    ]


class Generator:
    """Makes one program, determined by its number."""

    def __init__(self, number):
        self.random = random.Random(number)
        self.labels = 0

    def value(self):
        """Returns instructions that push values, and how many."""
        kind = self.random.randrange(7)
        if kind < 2:
            return call(self.random.choice("fgh")), 1
        if kind == 2:
            return ["LOAD_FAST " + self.random.choice("cd")], 1
        if kind == 3:
            return ["LOAD_CONST %d" % self.random.randrange(1, 4)], 1
        if kind == 4:
            return ["LOAD_GLOBAL xs", "UNPACK_SEQUENCE 2"], 2
        return (["LOAD_GLOBAL o", "LOAD_ATTR a"], 1) if kind == 5 else (["BUILD_LIST 0"], 1)

    def branch(self, depth, least):
        """Returns instructions that may be skipped, and leave the depth of the stack as it was."""
        self.labels += 1
        label = "L%d" % self.labels
        lines, end = self.lines(depth, self.random.randrange(1, 4), least if self.random.random() < 0.5 else depth)
        code = ["LOAD_FAST " + self.random.choice("cd"), *branch(label), *lines, *["POP_TOP"] * (end - depth)]
        for _ in range(depth - end):
            code += call(self.random.choice("fgh"))
        return [*code, label + ":"]

    def lines(self, depth, count, least):
        """Returns some operations and the depth after them; they do not touch entries below `least`."""
        lines = []
        for _ in range(count):
            drawn, own = self.random.random(), depth - least
            pushed = 0
            if drawn < 0.3 or own < 1:
                more, pushed = self.value()
            elif drawn < 0.4:
                more, pushed = COPY, 1
            elif drawn < 0.5 and own >= 2:
                more = SWAP
            elif drawn < 0.57 and own >= 3:
                more = ROTATE
            elif drawn < 0.65 and own >= 2:
                more, pushed = [self.random.choice(["BUILD_TUPLE 2", "BUILD_LIST 2"])], -1
            elif drawn < 0.7 and own >= 2:
                more, pushed = ["COMPARE_OP =="], -1
            elif drawn < 0.78:
                more, pushed = ["STORE_FAST " + self.random.choice("cd")], -1
            elif drawn < 0.84:
                more, pushed = ["POP_TOP"], -1
            elif drawn < 0.88:
                more, pushed = ["LOAD_GLOBAL o", "STORE_ATTR a"], -1
            elif drawn < 0.895:
                more = NEGATE
            elif drawn < 0.905 and own >= 2:
                more, pushed = SECOND
            elif drawn < 0.915 and own >= 1:
                more, pushed = ["UNPACK_SEQUENCE 2"], 1
            elif drawn < 0.925 and own >= 1:
                more = ["BUILD_LIST 1"]
            elif drawn < 0.935 and own >= 3:
                more, pushed = ["STORE_SUBSCR"], -3
            elif drawn < 0.945 and own >= 2:
                more, pushed = ["BINARY_OP []" if MINOR >= 14 else "BINARY_SUBSCR"], -1
            elif drawn < 0.955 and own >= 2:
                more, pushed = ["BINARY_OP +=" if MINOR >= 11 else "INPLACE_ADD"], -1
            elif count > 2:
                more = self.branch(depth, least)
            else:
                continue
            lines += more
            depth += pushed
        return lines, depth

    def program(self):
        lines, depth = self.lines(0, self.random.randrange(6, 18), 0)
        return "\n".join(lines + (["LOAD_CONST 1"] if depth == 0 else []) + ["BUILD_TUPLE %d" % max(depth, 1), "ret"])


class World:
    """Values that log the operations on them."""

    def __init__(self):
        self.log = []
        self.count = 0

    def value(self, name):
        self.count += 1
        return Value(self, "%s%d" % (name, self.count))

    def function(self, name):
        def called():
            made = self.value(name)
            self.log.append("call " + made.name)
            return made

        return called


class Value:
    def __init__(self, world, name):
        self.__dict__.update(world=world, name=name)

    def __repr__(self):
        return self.name

    def __eq__(self, other):
        self.world.log.append("%s == %s" % (self.name, other))
        return True

    def __getattr__(self, attribute):
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        self.world.log.append("get " + self.name)
        return self.world.value(attribute)

    def __setattr__(self, attribute, value):
        self.world.log.append("set %s" % (value,))

    def __getitem__(self, key):
        self.world.log.append("%s[%s]" % (self.name, key))
        return self.world.value("i")

    def __setitem__(self, key, value):
        self.world.log.append("%s[%s] = %s" % (self.name, key, value))

    def __iadd__(self, other):
        self.world.log.append("%s += %s" % (self.name, other))
        return self.world.value("p")

    def __bool__(self):
        self.world.log.append("bool " + self.name)
        return self.world.count % 3 != 0

    def __iter__(self):
        self.world.log.append("iter " + self.name)
        return iter([self.world.value("x"), self.world.value("y")])


def run(space, function, arguments):
    """Returns what a function of a module does."""
    world = World()
    space.update({name: world.function(name) for name in "fgh"}, xs=Value(world, "xs"), o=Value(world, "o"))
    space.update(m=1, n={"a": 1})
    try:
        result = repr(space[function](*arguments))
    except Exception as error:
        result = type(error).__name__
    return [result, world.log]


def write_module(path, programs):
    """Returns the module whose functions are the programs, by name; also writes it to a file."""
    module = compile("".join("def %s(c, d): return 1\n" % name for name in programs), "stacks.py", "exec")

    def replaced(value):
        return assembler.assemble(programs[value.co_name], value) if hasattr(value, "co_code") else value

    module = module.replace(co_consts=tuple(map(replaced, module.co_consts)))
    path.write_bytes(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(module))
    return module


def differences(depyfc, folder, programs, options):
    """Returns the programs that do not do the same as text."""
    module = write_module(folder / "stacks.pyc", programs)
    command = [depyfc, str(folder / "stacks.pyc"), "--validate", *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    before, after, found = {}, {}, []
    exec(module, before)
    exec(compile(done.stdout.decode("utf-8"), "text.py", "exec"), after)
    for name, program in programs.items():
        for arguments in ARGUMENTS:
            one, two = run(before, name, arguments), run(after, name, arguments)
            if one != two:
                found.append([name, arguments, one, two, program])
                break
    return found


def main(depyfc, folder, seed, count, *options):
    """Prints the differences."""
    found = differences(depyfc, Path(folder), {name: "\n".join(lines) for name, lines in ODD.items()}, options)
    last = int(seed) + int(count)
    for first in range(int(seed), last, BATCH):
        programs = {"k%d" % n: Generator(n).program() for n in range(first, min(first + BATCH, last))}
        found += differences(depyfc, Path(folder), programs, options)
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
