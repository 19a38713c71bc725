# SPDX-License-Identifier: MIT
"""Writes functions that combine constructs: each expression in each place, and nested compound statements.

    pythonX.Y tests/exact/products/generate.py FOLDER EXPRESSIONS NESTINGS SEED

writes FOLDER/N.py and FOLDER/N.pyc, with a hundred functions each: EXPRESSIONS random pairs of an expression and a
place, and NESTINGS random triples of compound statements around a simple one, of all that this version compiles. The
same seed gives the same functions under the same version. A function is named after what it combines.
"""

import importlib.util
import itertools
import marshal
import os
import random
import sys
import warnings

VERSION = sys.version_info[:2]
PER_FILE = 100

EXPRESSIONS = {
    "name": "p",
    "constant": "1",
    "string": "'a'",
    "tuple": "(p, q)",
    "constants": "(1, 2)",
    "negative": "-p",
    "power": "p ** -q",
    "list": "[*p, q]",
    "dict": "{p: q, **r}",
    "item": "p[q][r]",
    "slice": "p[q:r]",
    "and": "p and q",
    "or": "p or q",
    "and_or": "p and q or r",
    "or_and": "(p or q) and r",
    "not": "not (p and q)",
    "and_not": "p and not q",
    "in": "p in (1, 2) or q",
    "not_in": "p not in q",
    "none": "p is None",
    "chain": "p < q < r",
    "long_chain": "p < q <= r != s",
    "chain_and": "p < q < r and s",
    "conditional": "p if q else r",
    "conditional_chain": "p if q < r < s else t",
    "else_conditional": "p if q else r if s else t",
    "conditional_test": "p if (q if r else s) else t",
    "conditional_none": "p if q is None else r",
    "conditional_all": "p if all(i for i in q) else r",
    "conditional_item": "p[q if r else s:t or u]",
    "conditional_items": "[p if q else r, s or t]",
    "conditional_callee": "(p if q else r)(s)",
    "attribute_of_or": "(p or q).a",
    "method_of_or": "(p or q).m(r and s)",
    "list_comprehension": "[i for i in p]",
    "filtered": "[i for i in p if i]",
    "set_comprehension": "{i for i in p}",
    "dict_comprehension": "{i: j for i, j in p}",
    "generator": "g(i for i in p)",
    "any": "any(i for i in p)",
    "nested_comprehension": "[[j for j in i] for i in p]",
    "two_loops": "[i for i in p for j in (i or q)]",
    "comprehension_of_conditional": "[i for i in (p if q else r)]",
    "conditional_element": "[i if p else j for i in q if i or r]",
    "lambda": "lambda: p",
    "lambda_conditional": "lambda x=p: q if x else r",
    "call": "g(p, *q, k=r, **s)",
    "walrus": "(w := p)",
    "walrus_conditional": "(w := p if q else r)",
    "walrus_chain": "(w := p) < q < (v := r)",
    "f_string": "f'{p}{q!r:>{r}}'",
    "f_string_conditional": "f'{p if q else r}'",
    "yield": "(yield p)",
    "yield_conditional": "(yield (p if q else r))",
    "yield_from": "(yield from p)",
    "await": "await p",
    "await_conditional": "(await p) if q else (await r)",
    "async_comprehension": "[i async for i in p]",
}
PLACES = {
    "statement": "{}",
    "value": "a = {}",
    "values": "a, b = {}, y",
    "attribute_target": "({}).a = z",
    "item_target": "a[{}] = z",
    "object_target": "({})[1] = z",
    "slice_target": "a[{}:] = z",
    "first_of_two": "a[{}], b = x, y",
    "last_of_two": "b, a[{}] = x, y",
    "two_of_three": "a[{0}], b[{0}], c = x, y, z",
    "first_of_four": "a[{}], b, c, d = x, y, z, t",
    "unpacked": "a[{}], b = x",
    "starred": "a[{0}], *b[{0}] = x",
    "nested_target": "(a[{}], b), c = x",
    "chained": "a = b[{}] = c = z",
    "chained_unpacking": "a[{}] = b, c = z",
    "augmented_item": "a[{}] += z",
    "augmented": "a += {}",
    "augmented_attribute": "({}).a += z",
    "augmented_slice": "a[{}:y] += z",
    "deleted": "del a, b[{}]",
    "annotated": "a: x = {}",
    "for": "for a in {}: b",
    "for_target": "for a[{}] in z: b",
    "for_targets": "for a[{}], b in z: c",
    "for_else": "for a in {}:\n  if b: break\n else: c",
    "while": "while {}: a",
    "while_not": "while not ({}): a",
    "while_else": "while {}:\n  if b: break\n else: c",
    "if": "if {}: a",
    "if_else": "if {}: a\n else: b",
    "if_not": "if not ({}): a\n else: b",
    "elif": "if a: b\n elif {}: c\n else: d",
    "if_and": "if a and ({}): b",
    "if_or": "if a or ({}): b\n else: c",
    "with": "with {}: a",
    "with_target": "with z as a[{}]: b",
    "with_targets": "with z as (a[{}], b): c",
    "two_withs": "with {0} as a, {0} as b: c",
    "return": "return {}",
    "return_tuple": "return a, {}",
    "return_in_try": "try: return {}\n finally: a",
    "except": "try: a\n except {}: b",
    "except_as": "try: a\n except {} as x: b\n else: c",
    "raise": "raise {}",
    "raise_from": "raise a from ({})",
    "assert": "assert {}",
    "message": "assert a, {}",
    "argument": "g(a, {}, b)",
    "keyword": "g(k={})",
    "starred_argument": "g(*({}))",
    "keywords": "g(**({}))",
    "method": "a.m({}, b)",
    "subscript": "a[{}]",
    "right": "a + ({})",
    "left": "({}) + a",
    "compared": "a < ({})",
    "in_chain": "a < ({}) < b",
    "negated": "not ({})",
    "in_list": "[a, {}, b]",
    "dict_value": "{{a: {}, **b}}",
    "dict_key": "{{({}): a}}",
    "in_tuple": "({}, a)",
    "in_f_string": "f'{{({})}}'",
    "in_slice": "a[{}:b]",
    "in_lambda": "lambda: ({})",
    "lambda_default": "lambda x=({}): x",
    "default": "def f(x={}): pass",
    "keyword_default": "def f(*, x={}): pass",
    "decorator": "@g({})\n def f(): pass",
    "annotation": "def f(x: ({})): pass",
    "base": "class C(g({})): pass",
    "class_keyword": "class C(a, k={}): pass",
    "class_body": "class C:\n  x = ({})",
    "true_arm": "({}) if a else b",
    "test": "a if ({}) else b",
    "false_arm": "a if b else ({})",
    "and_left": "({}) and a",
    "and_right": "a and ({})",
    "or_left": "({}) or a",
    "or_right": "a or ({})",
    "between": "a and ({}) or b",
    "iterable": "[i for i in ({})]",
    "element": "[({}) for i in z]",
    "filter": "[i for i in z if ({})]",
    "generated": "g(({}) for i in z)",
    "mapped": "{{i: ({}) for i in z}}",
    "named": "g(h := ({}))",
    "continues": "for a in z:\n  if {}: continue\n  b",
    "breaks": "for a in z:\n  if {}: break\n  b",
    "inner_while": "for a in z:\n  while {}:\n   b",
    "in_try": "try:\n  a = {}\n except b: c\n else: d\n finally: e",
    "in_with": "with a:\n  if {}: return b\n  c",
    "returns_in_loop": "for a in z:\n  return {}",
    "in_except": "try: a\n except b:\n  c = {}",
    "in_finally": "try: a\n finally:\n  b = {}",
    "global": "global G\n G = {}",
}
COMPOUNDS = {
    "for": "for i in p:\n  {}",
    "for_else": "for i in p:\n  {}\nelse:\n  e1",
    "while": "while c:\n  {}",
    "endless": "while True:\n  {}\n  y0",
    "while_else": "while c:\n  {}\nelse:\n  e2",
    "if": "if c:\n  {}",
    "if_else": "if c:\n  {}\nelse:\n  e3",
    "else": "if c:\n  e4\nelse:\n  {}",
    "elif": "if c:\n  e4\nelif d:\n  {}\nelse:\n  e5",
    "if_and": "if c and d:\n  {}",
    "if_or": "if c or d:\n  {}\nelse:\n  e6",
    "try": "try:\n  {}\nexcept E:\n  h1",
    "except": "try:\n  t1\nexcept E:\n  {}",
    "except_as": "try:\n  t1\nexcept E as x:\n  {}",
    "try_else": "try:\n  t2\nexcept E:\n  h2\nelse:\n  {}",
    "except_else": "try:\n  t2\nexcept E:\n  {}\nelse:\n  l2",
    "bare": "try:\n  t3\nexcept:\n  {}",
    "two_excepts": "try:\n  t2\nexcept E:\n  {}\nexcept F as y:\n  h3",
    "try_finally": "try:\n  {}\nfinally:\n  f1",
    "finally": "try:\n  t4\nfinally:\n  {}",
    "except_finally": "try:\n  t5\nexcept E:\n  {}\nfinally:\n  f2",
    "all": "try:\n  {}\nexcept E as x:\n  h4\nelse:\n  l4\nfinally:\n  f3",
    "else_finally": "try:\n  t2\nexcept E:\n  h2\nelse:\n  {}\nfinally:\n  f4",
    "with": "with m:\n  {}",
    "with_as": "with m as w:\n  {}",
    "two_withs": "with m as w, n:\n  {}",
    "while_chain": "while a < b < c:\n  {}",
    "while_or": "while (w := g()) or q:\n  {}",
    "for_filtered": "for i in [j for j in p if j or q]:\n  {}",
    "finally_returns": "try:\n  {}\nfinally:\n  return f5",
    "async_for": "async for i in p:\n  {}\nelse:\n  e7",
    "async_with": "async with m as w:\n  {}",
}
SIMPLE = {
    "call": "g()",
    "return": "return",
    "return_value": "return g(i)",
    "return_constant": "return 1",
    "break": "break",
    "continue": "continue",
    "raise": "raise Z",
    "assign": "x = 1",
    "if_return": "if q: return r",
    "if_break": "if q: break",
    "if_continue": "if q: continue",
    "pass": "pass",
    "yield": "yield i",
    "if_yield": "if (yield q): x = yield",
    "await": "await g(i)",
    "await_conditional": "x = await g() if q else await r",
    "delete": "del i, x",
    "function": "def f(a=i): return i, a",
    "comprehension": "[j for j in i if j or q]",
}
ENDS = {"end": "", "then": "\nz"}
if VERSION >= (3, 10):
    PLACES["subject"] = "match {}:\n  case 1: a\n  case _: b"
    PLACES["guard"] = "match a:\n  case [x, y] if {}: b\n  case _: c"
    COMPOUNDS["case"] = "match s:\n  case 1:\n    {}\n  case _:\n    k1"
    COMPOUNDS["captures"] = "match s:\n  case [a, *b] if a or b:\n    {}\n  case {'k': v} | v:\n    k3"
    COMPOUNDS["last_case"] = "match s:\n  case [a, b] if c:\n    k2\n  case _:\n    {}"
if VERSION >= (3, 11):
    PLACES["except_star"] = "try: a\n except* {}: b"
    COMPOUNDS["try_star"] = "try:\n  {}\nexcept* E:\n  h5"
    COMPOUNDS["except_star"] = "try:\n  t5\nexcept* E as x:\n  {}"
if VERSION >= (3, 12):
    PLACES["alias"] = "type T = {}"


def inside(compound, body, after):
    """Returns a compound statement with `body` in it, followed by `after`."""
    lines = []
    for line in compound.split("\n"):
        indent = line[: len(line) - len(line.lstrip())]
        lines += [indent + inner for inner in body.split("\n")] if "{}" in line else [line]
    return "\n".join(lines) + after


def head(name, text):
    """Returns the first line of a function."""
    return "%s %s():\n" % ("async def" if "await" in text or "async" in text else "def", name)


def expressions(seed):
    """Yields functions with each expression in each place, in random order."""
    everything = list(itertools.product(PLACES.items(), EXPRESSIONS.items()))
    random.Random(seed).shuffle(everything)
    for (place, text), (name, expression) in everything:
        yield head("%s__%s" % (place, name), expression) + " %s\n" % text.format(expression)


def nestings(seed):
    """Yields functions with three compound statements around a simple one, with and without a statement after each."""
    choice = random.Random(seed).choice
    parts = [list(names) for names in (COMPOUNDS, COMPOUNDS, COMPOUNDS, SIMPLE, ENDS)]
    seen = set()
    while True:
        a, b, c, simple, end = map(choice, parts)
        name = "__".join((a, b, c, simple, end))
        if name in seen:
            continue
        seen.add(name)
        body = inside(COMPOUNDS[b], inside(COMPOUNDS[c], SIMPLE[simple], ""), ENDS[end])
        lines = inside(COMPOUNDS[a], body, ENDS[end]).split("\n")
        yield head(name, "\n".join(lines)) + "".join(" %s\n" % line for line in lines)


def take_compilable(sources, count):
    """Returns the first `count` sources that compile."""
    result = []
    for source in sources:
        if len(result) == count:
            break
        try:
            compile(source, "product", "exec", dont_inherit=True)
        except SyntaxError:
            continue
        result.append(source)
    return result


def main(folder, expression_count, nesting_count, seed):
    """Writes the files and prints the number of functions."""
    warnings.simplefilter("ignore")
    os.makedirs(folder, exist_ok=True)
    functions = take_compilable(expressions(seed), expression_count) + take_compilable(nestings(seed), nesting_count)
    for number, first in enumerate(range(0, len(functions), PER_FILE)):
        text = "".join(functions[first : first + PER_FILE])
        with open(os.path.join(folder, "%d.py" % number), "w") as stream:
            stream.write(text)
        code = compile(text, "product", "exec", dont_inherit=True)
        with open(os.path.join(folder, "%d.pyc" % number), "wb") as stream:
            stream.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
    print(len(functions))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
