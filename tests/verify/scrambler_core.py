# SPDX-License-Identifier: MIT
"""Makes unusual bytecode: CPython's compiler does not generate it, but it does the same as the original.

Changes the order of blocks, inverts tests, sends jumps through other jumps, duplicates tails (so that there are jumps
into loops and `with` bodies), and shuffles the stack. ``scrambler_core.py OUT COUNT SEED FILE...`` takes functions of
the files, writes OUT/N.a.pyc and OUT/N.b.pyc, and prints one line of JSON for each pair: whether both did the same on
recording objects, and the share of the original's blocks that these runs executed.
``scrambler_core.py --texts OUT N...`` compares OUT/N.a.pyc with the compiled text OUT/N.b.py in the same way.
"""

import ast
import json
import marshal
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from mutants_core import compiled, functions, write
from observe import executed, observed
from units import ENDS, PLAIN_JUMPS, VERSION, Row, Unit, covering, depths, put_together, take_apart

SEEDS = tuple(range(8))
FORWARD_ONLY = {"FOR_ITER", "JUMP_IF_TRUE_OR_POP", "JUMP_IF_FALSE_OR_POP"}
FORWARD_ONLY |= {"SETUP_FINALLY", "SETUP_WITH", "SETUP_ASYNC_WITH", "CALL_FINALLY"}
if VERSION < (3, 11):
    FORWARD_ONLY -= {"JUMP_IF_TRUE_OR_POP", "JUMP_IF_FALSE_OR_POP"}
if VERSION >= (3, 12):
    FORWARD_ONLY |= {"POP_JUMP_IF_" + kind for kind in ("TRUE", "FALSE", "NONE", "NOT_NONE")}
# A FOR_ITER that is exhausted skips this many instructions from its target on (END_FOR ...).
SKIPS = 0 if VERSION < (3, 12) else 2 if VERSION == (3, 13) else 1
OPPOSITE = (("IF_NOT_NONE", "IF_NONE"), ("IF_NONE", "IF_NOT_NONE"), ("IF_TRUE", "IF_FALSE"), ("IF_FALSE", "IF_TRUE"))
PUSHES = """
    LOAD_FAST LOAD_FAST_BORROW LOAD_CONST LOAD_SMALL_INT LOAD_ATTR BINARY_OP BINARY_SUBSCR COMPARE_OP CALL LOAD_DEREF
    CALL_FUNCTION CALL_METHOD BINARY_ADD
""".split()


# Operations that take NULL, or a constant that is not a value of the program, from the stack.
TAKE_CONSTANTS = ("CALL", "PRECALL", "KW_NAMES", "CALL_FUNCTION_KW", "MAKE_FUNCTION", "BUILD_CONST_KEY_MAP")


class Block:
    """A basic block; control falls through to `next`, which is None if it does not."""

    def __init__(self, units):
        self.units, self.next = units, None


def swap():
    return [Unit("SWAP", 2) if VERSION >= (3, 11) else Unit("ROT_TWO")]


def copy():
    return Unit("COPY", 1) if VERSION >= (3, 11) else Unit("DUP_TOP")


class Scrambler:
    def __init__(self, code, draw):
        self.code, self.draw = code, draw
        units, rows = take_apart(code)
        self.rows = covering(units, rows)
        depth = depths(units, rows)
        self.added = list(units)  # keeps every instruction alive, because rows refer to ids
        units = [u for u, d in zip(units, depth) if d is not None]
        starts = {id(u.target) for u in units if u.target is not None} | {id(r.target) for r in rows}
        self.blocks, self.block_of = [], {}
        ended = False
        prologue = max((i for i, u in enumerate(units[:12]) if u.name in ("RESUME", "RETURN_GENERATOR")), default=0)
        for i, u in enumerate(units):
            is_random_cut = i > prologue and draw.random() < 0.04 and self.may_split(units, i)
            skipped = 0 < SKIPS <= i and units[i - SKIPS].name == "END_FOR"
            if i == 0 or id(u) in starts or is_random_cut or skipped or (i > prologue and ended):
                block = Block([])
                if self.blocks and self.blocks[-1].units[-1].name not in ENDS:
                    self.blocks[-1].next = block
                self.blocks.append(block)
            self.blocks[-1].units.append(u)
            self.block_of[id(u)] = self.blocks[-1]
            ended = u.target is not None or u.name in ENDS
        for block in self.blocks:  # replaces an unconditional jump at the end by `next`
            last = block.units[-1]
            if last.name in PLAIN_JUMPS:
                block.next = self.block_of[id(last.target)]
                block.units.pop()

    @staticmethod
    def may_split(units, i):
        return units[i].name not in ("CALL", "PRECALL") and units[i - 1].name not in ("KW_NAMES", "END_FOR")

    def shuffle_stack(self):
        """Inserts operations that leave the stack as it was."""
        for block in self.blocks[1:]:
            i = 0
            while i < len(block.units):
                u = block.units[i]
                i += 1
                if u.name not in PUSHES or self.draw.random() > 0.06:
                    continue
                if u.name == "LOAD_ATTR" and u.arg & 1 and VERSION >= (3, 12):
                    continue  # NULL or the method's object is on top of the stack
                if u.name == "LOAD_CONST" and hasattr(self.code.co_consts[u.arg], "co_code"):
                    continue  # the code of a function is not a value of the program
                if i < len(block.units) and block.units[i].name in TAKE_CONSTANTS:
                    continue
                made = self.draw.choice(
                    (
                        [copy(), Unit("POP_TOP")],
                        [copy(), *swap(), Unit("POP_TOP")],
                        [Unit("LOAD_CONST", 0), *swap(), *swap(), Unit("POP_TOP")],
                        [Unit("BUILD_TUPLE", 1), Unit("UNPACK_SEQUENCE", 1)],
                        [
                            Unit("BUILD_LIST", 1),
                            Unit("LOAD_CONST", 0),
                            *swap(),
                            Unit("UNPACK_SEQUENCE", 1),
                            *swap(),
                            Unit("POP_TOP"),
                        ],
                    )
                )
                for other in made:
                    if id(u) in self.rows:
                        self.rows[id(other)] = self.rows[id(u)]
                block.units[i:i] = made
                self.added.extend(made)
                i += len(made)

    def copy_block(self, block):
        duplicate = Block([u.copy() for u in block.units])
        for old, new in zip(block.units, duplicate.units):
            self.block_of[id(new)] = duplicate
            if id(old) in self.rows:
                self.rows[id(new)] = self.rows[id(old)]
        duplicate.next = block.next
        self.blocks.append(duplicate)
        self.added.extend(duplicate.units)
        return duplicate

    def copy_tails(self):
        for block in list(self.blocks):
            if block.next is not None and block.next is not self.blocks[0] and self.draw.random() < 0.12:
                block.next = self.copy_block(block.next)
            last = block.units[-1] if block.units else None
            if last is not None and last.target is not None and self.draw.random() < 0.08:
                target = self.block_of.get(id(last.target))
                if target is not None and target.units and target.units[0] is last.target:
                    copy = self.copy_block(target)
                    last.target = copy.units[0]

    def invert_tests(self):
        """Inverts tests: exchanges the jump's target and the next block."""
        for block in self.blocks:
            last = block.units[-1] if block.units else None
            if last is None or not last.name.startswith("POP_JUMP") or block.next is None or self.draw.random() > 0.4:
                continue
            target = self.block_of.get(id(last.target))
            if target is None or not target.units or target.units[0] is not last.target or not block.next.units:
                continue
            for old, new in OPPOSITE:
                if old in last.name:
                    last.name = last.name.replace(old, new)
                    break
            last.target, block.next = block.next.units[0], target

    def jump_to(self, unit):
        made = Unit("JUMP_FORWARD", 0, unit)
        self.added.append(made)
        return made

    def lay_out(self):
        order = self.blocks[1:]
        self.draw.shuffle(order)
        order = [self.blocks[0], *order]
        out, late = [], []
        for k, block in enumerate(order):
            for u in block.units:
                if u.name in FORWARD_ONLY or (u.target is not None and self.draw.random() < 0.1):
                    hop = self.hop(u)
                    late += hop
                    u.target = hop[0]
                out.append(u)
            following = order[k + 1] if k + 1 < len(order) else None
            if block.next is None:
                continue
            if following is not block.next or self.draw.random() < 0.1:
                out.append(self.jump_to(self.first(block.next)))
            elif not following.units:
                out.append(self.jump_to(self.first(following)))
        return out + late

    def hop(self, unit):
        """Returns a jump to the target for the end of the code, with a copy of what FOR_ITER skips."""
        target = unit.target
        if target.name != "END_FOR":
            return [self.jump_to(target)]
        home = self.block_of[id(target)]
        made = [u.copy() for u in home.units]
        self.added += made
        return [*made, self.jump_to(self.first(home.next))]

    def first(self, block):
        """Returns the first instruction of a block, or of the next one if it is empty."""
        for _ in range(1000):
            if block.units:
                return block.units[0]
            block = block.next
        raise ValueError("an empty loop")

    def run(self):
        for block in self.blocks:  # blocks that only had a jump, and may be targets
            if not block.units:
                block.units.append(self.nop())
        for block in self.blocks:
            for u in block.units:
                if u.target is not None and all(u.target is not v for v in self.block_of[id(u.target)].units):
                    u.target = self.first(self.block_of[id(u.target)])
        self.begin_protected()
        self.shuffle_stack()
        self.copy_tails()
        self.invert_tests()
        units = self.lay_out()
        rows = {}
        for u in units:
            row = self.rows.get(id(u))
            if row is not None:
                rows[id(u)] = Row(None, None, row.target, row.depth, row.lasti)
        same = {}
        for key, row in rows.items():  # shares one object among equal rows
            rows[key] = same.setdefault((id(row.target), row.depth, row.lasti), row)
        return put_together(self.code, units, rows, co_stacksize=self.code.co_stacksize + 4)

    def begin_protected(self):
        """Puts a NOP before protected ranges: the handler of a call is looked up one code unit before its end."""
        firsts = {}
        for block in self.blocks[1:]:
            old = block.units[0]
            if id(old) not in self.rows or old.name in ("PUSH_EXC_INFO", "END_FOR"):
                continue
            made = self.nop()
            self.rows[id(made)], self.block_of[id(made)] = self.rows[id(old)], block
            block.units.insert(0, made)
            firsts[id(old)] = made
        for block in self.blocks:
            for u in block.units:
                u.target = firsts.get(id(u.target), u.target)

    def nop(self):
        made = Unit("NOP")
        self.added.append(made)
        return made


def scrambled(code, draw):
    """Returns the code object in another form, or None if that is not possible."""
    if any(u.name == "SEND" for u in take_apart(code)[0]):
        return None
    try:
        return Scrambler(code, draw).run()
    except ValueError:
        return None


def covered(code):
    """Returns the share of the blocks that the runs execute."""
    units, rows = take_apart(code)
    reachable = depths(units, rows)
    starts = {id(u.target) for u in units if u.target is not None} | {id(r.target) for r in rows}
    offsets = executed(code, SEEDS)
    blocks, ended = [], True
    for u, depth in zip(units, reachable):
        if depth is None:
            continue
        if ended or id(u) in starts:
            blocks.append(False)
        blocks[-1] = blocks[-1] or u.at in offsets
        ended = u.target is not None or u.name in ENDS
    return sum(blocks) / len(blocks)


def renamed(code, old, new):
    """Returns the code object with another prefix of all qualified names; up to 3.10 these are constants."""
    if VERSION < (3, 11):
        inner = old + ".<locals>."
        consts = [new + c[len(old) :] if isinstance(c, str) and c.startswith(inner) else c for c in code.co_consts]
        return code.replace(co_consts=tuple(renamed(c, old, new) if hasattr(c, "co_code") else c for c in consts))
    consts = tuple(renamed(c, old, new) if hasattr(c, "co_code") else c for c in code.co_consts)
    return code.replace(co_qualname=new + code.co_qualname.removeprefix(old), co_consts=consts)


def function_of(text, original):
    """Returns the code of the function that a text defines, compiled with the original's free variables."""
    tree, free = ast.parse(text), original.co_freevars
    if free:
        outer = ast.parse("def outer():\n " + " = ".join(free) + " = None").body[0]
        outer.body += tree.body
        tree.body = [outer]
    module = compile(ast.fix_missing_locations(tree), "text", "exec", dont_inherit=True)
    inner = [c for c in module.co_consts if hasattr(c, "co_code")]
    if free:
        inner = [c for c in inner[0].co_consts if hasattr(c, "co_code")]
    return renamed(inner[-1], qualified_name(inner[-1]), qualified_name(original))


def qualified_name(code):
    """Returns the qualified name; up to 3.10, as far as nested functions have it as a constant."""
    if VERSION >= (3, 11):
        return code.co_qualname
    end = code.co_name + ".<locals>."
    found = [c[: c.index(end)] for c in code.co_consts if isinstance(c, str) and end in c]
    return (found[0] if found else "") + code.co_name


def compare_texts(out, numbers):
    for number in numbers:
        with open("%s/%s.a.pyc" % (out, number), "rb") as source:
            code = marshal.loads(source.read()[16:])
        with open("%s/%s.b.py" % (out, number), encoding="utf-8", errors="surrogatepass") as source:
            text = source.read()
        same = observed(code, SEEDS) == observed(function_of(text, code), SEEDS)
        print(json.dumps({"number": int(number), "same": same}), flush=True)


def main(out, count, seed, files):
    draw = random.Random(seed)
    made = 0
    for path in files:
        module = compiled(path)
        if module is None:
            continue
        every = [code for _, code in functions(module)]
        for code in draw.sample(every, min(len(every), 20)):
            other = scrambled(code, draw)
            if other is None:
                continue
            before = observed(code, SEEDS)
            row = {"number": made, "function": qualified_name(code), "file": path}
            row["steady"] = before is not None and before == observed(code, SEEDS)
            row["same"] = before == observed(other, SEEDS)
            row["covered"] = covered(code) if row["steady"] else 0
            write("%s/%d.a.pyc" % (out, made), code)
            write("%s/%d.b.pyc" % (out, made), other)
            print(json.dumps(row), flush=True)
            made += 1
            if made >= count:
                return


if __name__ == "__main__" and sys.argv[1] == "--texts":
    compare_texts(sys.argv[2], sys.argv[3:])
elif __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
