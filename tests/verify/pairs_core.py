# SPDX-License-Identifier: MIT
"""Sent to the worker behind tests/oracle/oracle_core.py (and mutate_core.py): pairs of .pyc files with their verdicts.

Runs inside the interpreter under test, 3.8-3.15, in the namespace of oracle_core: ``compare_tree``, ``to_pyc`` and the
others are the oracle's own. Answers hold the oracle's items and, as one blob, the two files.
"""

# ruff: noqa: F821
import ast
import collections
import random
import re
import time
import types

_oracle_compare_tree = compare_tree
_oracle_handle = handle
_last_pair = []


def compare_tree(a, b, loose=False):
    _last_pair[:] = [a, b]
    return _oracle_compare_tree(a, b, loose)


def relined(source, seed):
    """The syntax tree of a source with every line number drawn by lot: what must make no difference, or almost none."""
    rnd = random.Random(seed)
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if hasattr(node, "lineno"):
            node.lineno = node.end_lineno = rnd.randint(1, 2000)
            node.col_offset = node.end_col_offset = 0
    return tree


def without_lines(code):
    """The code object and those in it without line tables."""
    constants = tuple(without_lines(value) if type(value) is CodeType else value for value in code.co_consts)
    table = {"co_linetable": b""} if sys.version_info >= (3, 10) else {"co_lnotab": b""}
    return code.replace(co_consts=constants, co_firstlineno=1, **table)


def pair(a, b):
    """The oracle's items of two code objects as they come out of .pyc files, and those files."""
    first, second = to_pyc(a), to_pyc(b)
    items = _oracle_compare_tree(from_pyc(first), from_pyc(second))
    return {"ok": True, "items": items, "split": len(first)}, first + second


_OURS = re.compile(r"_*tmp_\w+\Z")  # names of our variables; a prefix that the program uses gets underscores


def plainness(text):
    """What a person writes seldom, by scope: {path: {"endless loop": number, ...}}, and all names of the text."""
    found, names, numbers = {}, set(), collections.Counter()
    todo = [(ast.parse(text), "")]
    while todo:
        node, path = todo.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            numbers[path, node.name] += 1
            path += ".%s#%d" % (node.name, numbers[path, node.name])
        counts = found.setdefault(path, collections.Counter())
        if isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and node.test.value:
            counts["endless loop"] += 1
        elif isinstance(node, ast.If) and node.orelse and all(isinstance(x, ast.Pass) for x in node.body):
            counts["empty arm"] += 1
        elif isinstance(node, ast.Name):
            names.add(node.id)
            if _OURS.match(node.id):
                counts["dispatch loop" if node.id.endswith("tmp_pc") else "temporary"] += 1
        todo.extend((child, path) for child in reversed(list(ast.iter_child_nodes(node))))
    return found, names


def less_plain(source, text):
    """[[kind, path], ...]: what the text has more of than its source, scope by scope."""
    (before, names), (after, _) = plainness(source), plainness(text)
    if any(_OURS.match(name) for name in names):  # the source's own
        return []
    out = []
    for path, counts in sorted(after.items()):
        more = counts - before.get(path, collections.Counter())
        if more["dispatch loop"]:
            more = {"dispatch loop"}
        out += [[kind, re.sub(r"#\d+", "", path).lstrip(".") or "<module>"] for kind in sorted(more)]
    return out


def recompile_of_package(names, sources):
    """What compiles a text alone in the package (python/depyf/decompilation/recompile.py): it needs no native core."""
    package = types.ModuleType("depyf")
    package.__path__ = []
    sys.modules["depyf"] = package
    for name, source in zip(names, sources):
        module = types.ModuleType("depyf." + name)
        sys.modules[module.__name__] = module
        module.__package__ = "depyf"
        exec(compile(source, name, "exec", dont_inherit=True), module.__dict__)
    return module


def handle(req, blobs):
    global compile_item
    op = req["op"]
    try:
        if op == "pair":
            return pair(compile_text(blobs[0]), compile_text(blobs[1]))
        if op == "unparsed":
            text = ast.unparse(ast.parse(blobs[0])).encode("utf-8", "surrogatepass")
            return pair(compile_text(blobs[0]), compile_text(text))
        if op == "relined":
            return pair(compile_text(blobs[0]), compile_text(relined(blobs[0], req["seed"])))
        if op == "mutant":
            found = mutate(blobs[0], req["seed"])
            return pair(*_last_pair) if found["ok"] else (found, b"")
        if op == "package":
            ours = recompile_of_package(req["names"], blobs)

            def compile_item(code, text, imports):
                return ours.recompile(text, ours.context_of(code), code)

            return {"ok": True}, b""
        if op == "units":  # each code object of a .pyc file as a file of its own
            parts = [to_pyc(code) for code in walk(from_pyc(blobs[0]))]
            return {"ok": True, "sizes": [len(part) for part in parts]}, b"".join(parts)
        if op == "plainness":
            return {"ok": True, "found": less_plain(*blobs)}, b""
        if op == "stripped":
            return {"ok": True}, to_pyc(without_lines(from_pyc(blobs[0])))
        if op == "seconds":
            before = time.perf_counter()
            compile_text(blobs[0])
            return {"ok": True, "seconds": time.perf_counter() - before}, b""
    except Exception as error:
        return {"ok": False, "error": _error(error)}, b""
    return _oracle_handle(req, blobs)
