# SPDX-License-Identifier: MIT
"""Extends the oracle's worker by pairs of .pyc files with their verdicts.

This is sent to the worker after tests/oracle/oracle_core.py (and mutate_core.py). It runs inside the interpreter under
test, 3.8-3.15, in the namespace of oracle_core: ``compare_tree``, ``to_pyc`` and so on are the oracle's. Answers
contain the oracle's items and, as one blob, the two files.
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
    """Returns the syntax tree of a source with random line numbers, which should make almost no difference."""
    rnd = random.Random(seed)
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if hasattr(node, "lineno"):
            node.lineno = node.end_lineno = rnd.randint(1, 2000)
            node.col_offset = node.end_col_offset = 0
    return tree


def without_lines(code):
    """Returns the code object and its nested ones without line tables."""
    constants = tuple(without_lines(value) if type(value) is CodeType else value for value in code.co_consts)
    table = {"co_linetable": b""} if sys.version_info >= (3, 10) else {"co_lnotab": b""}
    return code.replace(co_consts=constants, co_firstlineno=1, **table)


def pair(a, b):
    """Returns the oracle's items for two code objects after a round trip through .pyc files, and those files."""
    first, second = to_pyc(a), to_pyc(b)
    items = _oracle_compare_tree(from_pyc(first), from_pyc(second))
    return {"ok": True, "items": items, "split": len(first)}, first + second


# Names of depyf's variables; underscores precede them if the program has such names.
_TEMPORARY = re.compile(r"_*tmp_\w+\Z")


def plainness(text):
    """Counts what people seldom write, by scope: {path: {"endless loop": number, ...}}; also returns all names."""
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
            if _TEMPORARY.match(node.id):
                counts["dispatch loop" if node.id.endswith("tmp_pc") else "temporary"] += 1
        todo.extend((child, path) for child in reversed(list(ast.iter_child_nodes(node))))
    return found, names


def less_plain(source, text):
    """Returns [[kind, path], ...]: what the text has more of than its source, scope by scope."""
    (before, names), (after, _) = plainness(source), plainness(text)
    if any(_TEMPORARY.match(name) for name in names):  # the source has such names itself
        return []
    out = []
    for path, counts in sorted(after.items()):
        more = counts - before.get(path, collections.Counter())
        if more["dispatch loop"]:
            more = {"dispatch loop"}
        out += [[kind, re.sub(r"#\d+", "", path).lstrip(".") or "<module>"] for kind in sorted(more)]
    return out


def recompile_of_package(names, sources):
    """Loads the module that recompiles single code objects (python/depyf/decompilation/recompile.py).

    It needs no native core.
    """
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
            recompile_module = recompile_of_package(req["names"], blobs)

            def compile_item(code, text, imports):
                return recompile_module.recompile(text, recompile_module.context_of(code), code)

            return {"ok": True}, b""
        if op == "units":  # each code object of a .pyc file as a separate file
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
