# SPDX-License-Identifier: MIT
"""Reads the graphs that depyf_dump_graphs prints, and follows traces of real runs through them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

HEAD = re.compile(
    r"B(?P<id>\d+): depth (?P<depth>\d+)(?P<handler>, handler)?"
    r"(?:, raises to B(?P<to>\d+) \[(?P<cut>\d+)\](?P<lasti> lasti)?)?$"
)
INSTRUCTION = re.compile(r" *(?P<offset>\d+)  (?P<op>[A-Z_0-9]+)(?P<rest>.*)$")
EDGE = re.compile(r" +(?P<kind>jump|fall) B(?P<to>\d+)$")

# Instructions of CPython that a graph may omit.
VANISH = {
    "NOP", "RESUME", "CACHE", "NOT_TAKEN", "EXTENDED_ARG", "MAKE_CELL", "COPY_FREE_VARS", "RETURN_GENERATOR",
    "GEN_START", "JUMP_FORWARD", "JUMP_ABSOLUTE", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT", "PRECALL", "KW_NAMES",
    "SETUP_FINALLY", "SETUP_ASYNC_WITH", "POP_BLOCK", "BEGIN_FINALLY", "CALL_FINALLY", "POP_FINALLY", "END_FINALLY",
}  # fmt: skip
AWAIT = {"SEND", "YIELD_VALUE", "END_SEND", "CLEANUP_THROW"}  # the parts of YIELD_FROM, 3.11+
# Operations on 3.15's NULLs above iterators and 3.8's placeholders of return values.
SLOTS = {"PUSH_NULL", "POP_TOP", "SWAP", "COPY", "ROT_TWO", "ROT_THREE", "ROT_FOUR"}
# These may raise, or meet a StopIteration that they handle, without an event in the trace.
SOFT = {"FOR_ITER", "YIELD_FROM", "END_ASYNC_FOR", "RERAISE", "RAISE_VARARGS"}


@dataclass
class Block:
    depth: int
    is_handler: bool
    handler: int | None
    cut: int = 0
    lasti: bool = False
    code: list[tuple[int, str, str]] = field(default_factory=list)  # offset, operation, arguments
    fall: int | None = None
    jump: int | None = None


Graph = list[Block]
Place = tuple[int, int]  # block, index of the next instruction in it


def read_graphs(text: str) -> dict[tuple[str, int], list[Graph]]:
    """Returns the graphs by name and first line of their code objects."""
    graphs: dict[tuple[str, int], list[Graph]] = {}
    graph: Graph = []
    for line in text.splitlines():
        if line.startswith("== "):
            _, name, first = line.split(" ")
            graph = []
            graphs.setdefault((name, int(first)), []).append(graph)
        elif head := HEAD.match(line):
            target = int(head["to"]) if head["to"] else None
            graph.append(
                Block(int(head["depth"]), bool(head["handler"]), target, int(head["cut"] or 0), bool(head["lasti"]))
            )
        elif edge := EDGE.match(line):
            setattr(graph[-1], edge["kind"], int(edge["to"]))
        elif instruction := INSTRUCTION.match(line):
            graph[-1].code.append((int(instruction["offset"]), instruction["op"], instruction["rest"].strip()))
        else:
            raise ValueError(f"not a line of a graph: {line}")
    return graphs


class Follower:
    """Follows one trace at a time; `places` are the positions where control may be before the next instruction."""

    def __init__(self, graph: Graph, names: dict[str, str]) -> None:
        self.graph = graph
        self.names = {int(offset): name for offset, name in names.items()}
        self.prologue = {offset + 2 for offset, name in self.names.items() if name == "RETURN_GENERATOR"}
        self.offsets = {offset for block in graph for offset, _, _ in block.code}

    def instructions(self, trace: list[list[int]]) -> list[tuple[int, str, bool]]:
        """Returns the offset with prefixes, name and `raised` of each instruction.

        Traces may have prefixes, or only them.
        """
        found: list[tuple[int, str, bool]] = []
        last = -1
        for traced, raised in trace:
            offset = end = traced
            while self.names.get(offset - 2) == "EXTENDED_ARG":
                offset -= 2
            while self.names[end] == "EXTENDED_ARG":
                end += 2
            if found and found[-1][0] == offset and traced > last:
                found[-1] = (offset, self.names[end], bool(raised) or found[-1][2])
            else:
                found.append((offset, self.names[end], bool(raised)))
            last = traced
        return found

    def settle(self, block: int) -> Place:
        while not self.graph[block].code and self.graph[block].fall not in (None, block):
            block = self.graph[block].fall  # type: ignore[assignment]
        return block, 0

    def at(self, place: Place) -> tuple[int, str]:
        code = self.graph[place[0]].code
        return code[place[1]][:2] if code else (-1, "")

    def normal(self, place: Place) -> set[Place]:
        """Returns where control may be after the instruction if it does not raise."""
        block, index = place
        here = self.graph[block]
        if index + 1 < len(here.code):
            after = {(block, index + 1)}
        else:
            after = {self.settle(to) for to in (here.fall, here.jump) if to is not None}
        if self.at(place)[1] == "FOR_ITER" and here.jump is not None:
            after |= self.skipped(self.settle(here.jump))
        if self.at(place)[1] == "YIELD_FROM":
            after.add(place)
        return after

    def skipped(self, place: Place) -> set[Place]:
        """Returns the places after END_FOR, which FOR_ITER of 3.12+ skips, and after the iterator's drop (3.13+)."""
        if self.at(place)[1] != "END_FOR":
            return set()
        after = self.normal(place)
        for drop in list(after):
            if self.at(drop)[1] in ("POP_TOP", "POP_ITER"):
                after |= self.normal(drop)
        return after

    def raising(self, place: Place) -> set[Place]:
        handler = self.graph[place[0]].handler
        return set() if handler is None else {self.settle(handler)}

    def executing(self, offset: int, places: set[Place]) -> set[Place]:
        """Returns the instructions of the graph for the one at `offset`, if they are reachable from `places`."""
        found: set[Place] = set()
        work = [p for p in places if self.at(p)[0] == offset]
        while work:
            place = work.pop()
            if place in found:
                continue
            found.add(place)
            work += [p for p in self.normal(place) if self.at(p)[0] == offset]
        return found

    def may_vanish(self, offset: int, name: str, now: set[Place]) -> bool:
        if name in VANISH or name in SLOTS or offset in self.prologue:
            return True
        if name == "LOAD_CONST":  # 3.8: placeholder of a return value
            following = offset + 2
            while self.names.get(following) == "EXTENDED_ARG":
                following += 2
            return self.names.get(following) == "SETUP_FINALLY"
        if name == "POP_EXCEPT":  # 3.8: moved before the deletion of the exception's name
            return self.names.get(offset - 2) == "END_FINALLY"
        if name in ("CALL_INTRINSIC_1", "RERAISE"):  # the implicit StopIteration handler
            return offset not in self.offsets
        return name in AWAIT and any(self.at(p)[1] == "YIELD_FROM" for p in now)

    def follow(self, trace: list[list[int]]) -> str | None:
        """Returns what contradicts the graph in this trace, or None if it fits."""
        places: set[Place] = {self.settle(0)}
        now: set[Place] = set()
        raised = False
        for offset, name, flag in self.instructions(trace):
            found = self.executing(offset, places)
            if not found:
                if not self.may_vanish(offset, name, now):
                    return f"{name} at {offset} cannot follow {sorted(map(self.at, now))}"
                if flag and now and not any(self.at(p)[1] == "YIELD_FROM" for p in now):
                    return f"{name} at {offset} raised, but is not in the graph"
                continue
            others = places - found if name in VANISH else set()  # 3.8: only some paths execute END_FINALLY
            now, raised = found, flag
            handled = {q for p in now for q in self.raising(p)}
            places = {q for p in now for q in self.normal(p)}
            if any(self.at(p)[1] in SOFT for p in now):
                places |= handled
            elif raised:
                places = handled
            places |= others
        return self.check_end(now, raised)

    def check_end(self, now: set[Place], raised: bool) -> str | None:
        names = {self.at(p)[1] for p in now}
        if names & {"RETURN_VALUE", "YIELD_VALUE", "YIELD_FROM"} or not now:
            return None
        if any(not self.raising(p) for p in now) and (raised or names & SOFT):
            return None
        return f"the run ended at {sorted(map(self.at, now))}"


def difference(first: Graph, second: Graph) -> str | None:
    """Returns where two graphs differ in operations, counts, handlers or edges; None if they agree.

    Names and constants are ignored, because their indices differ between versions. So are differences in two constants:
    AssertionError is a global in 3.8, and in the exit of a with statement 3.9 loads None once and copies it.
    """
    graphs = first, second
    seen: set[tuple[Place, Place]] = set()
    work = [(settled(first, (0, 0)), settled(second, (0, 0)))]
    while work:
        pair = work.pop()
        if pair in seen:
            continue
        seen.add(pair)
        keys = [comparison_key(graph, place) for graph, place in zip(graphs, pair)]
        if keys[0] != keys[1]:
            return f"{keys[0]} at {pair[0]}, {keys[1]} at {pair[1]}"
        next_places = [successors(graph, place) for graph, place in zip(graphs, pair)]
        for one, other in zip(*next_places):
            if (one is None) != (other is None):
                return f"successors of {keys[0]} at {pair[0]}, {keys[1]} at {pair[1]}"
            if one is not None and other is not None:
                work.append((one, other))
    return None


def settled(graph: Graph, place: Place) -> Place:
    block, index = place
    while index >= len(graph[block].code) and graph[block].fall not in (None, block):
        block, index = graph[block].fall, 0  # type: ignore[assignment]
    return block, index


def successors(graph: Graph, place: Place) -> list[Place | None]:
    """Returns fall-through, jump and handler."""
    block, index = place
    here = graph[block]
    if index + 1 < len(here.code):
        after: list[Place | None] = [(block, index + 1), None]
    else:
        after = [None if to is None else settled(graph, (to, 0)) for to in (here.fall, here.jump)]
    return [*after, None if here.handler is None else settled(graph, (here.handler, 0))]


def comparison_key(graph: Graph, place: Place) -> tuple[str, str, int, bool]:
    """Returns operation, count, and the depth and lasti of the handler."""
    block, index = place
    here = graph[block]
    if not here.code:
        return "", "", here.cut, here.lasti
    _, op, rest = here.code[index]
    before = here.code[index - 1][1] if index else ""
    after = here.code[index + 1][1] if index + 1 < len(here.code) else ""
    counted = op.startswith(("BUILD_", "CALL", "COPY", "SWAP", "UNPACK_"))
    is_copied_constant = (
        op == "COPY" and rest == "1" and before in ("LOAD_CONST", "COPY") and copies_constant(here, index)
    )
    if op == "LOAD_COMMON_CONSTANT" or is_copied_constant or (op == "LOAD_GLOBAL" and after == "RAISE_VARARGS"):
        op, counted = "LOAD_CONST", False
    return op, rest if counted else "", here.cut, here.lasti


def copies_constant(block: Block, index: int) -> bool:
    """Returns whether the COPY at `index` copies a constant that was just loaded, possibly after other such copies."""
    while index and block.code[index][1:] == ("COPY", "1"):
        index -= 1
    return block.code[index][1] == "LOAD_CONST"
