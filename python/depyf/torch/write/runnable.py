# SPDX-License-Identifier: MIT
"""Makes a printed graph a script, which creates inputs of the recorded layout, runs the graph and checks the outputs.

The layouts are read from the annotations that torch prints (`"f32[s77, 3][3, 1]cpu"`, `"Sym(s77)"`), the values of size
symbols from the trace. Invariant: code is only added below the graph's text. Values that text cannot express (modules,
opaque objects, symbols without a value) are named in an error message of the script, never invented.
"""

from __future__ import annotations

import ast
import builtins
import math
import re
import textwrap
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from depyf.torch.internals import fx, texts

_TENSOR = re.compile(r"^(\w+)\[([^\]]*)\](?:\[([^\]]*)\])?([a-z]+(?::\d+)?)?$")
_SYMBOLIC = re.compile(r"^Sym\((.+)\)$")
_COMMENT_LINE = re.compile(r"^[ \t]*#.*\n?", re.MULTILINE)
_OPERATOR = re.compile(r"\btorch\.ops\.(\w+)\.(\w+)")
# A call of the program's own Triton kernel, which is only in a table in torch's memory, under this number.
_TRITON_CALL = re.compile(r"\btriton_kernel_wrapper_(?:mutation|functional)\(kernel_idx = (\d+)")
# A body whose wrapper is a function of the program, which no text contains.
_WRAPPED_BODY = re.compile(r"\bdynamo_bypassing_wrapper\('\w+', (\w+)")
_RNG_STATE = re.compile(r"\brun_with_rng_state\((\w+)")
# Differentiation within a graph: its inputs must require gradients, which torch does not print.
_DIFFERENTIATES = re.compile(r"\btorch\.autograd\.grad\(|\.backward\(|\bregister_hook\(")
_GROUP = re.compile(r"\btorch\.ops\._c10d_functional\.\w+(?:\.default)?\([^;\n]*?'(\w+)'\)")
# Inductor replaces operators that return lists of new tensors by in-place ones, but keeps the uses of the results.
_IN_PLACE = re.compile(r"^\s*(\w+)(?:: [^=]+)? = (torch\.ops\.aten\._foreach_\w+_\.\w+)\(", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_]\w*")
# Functions in torch's size expressions, and their definitions in the script.
_SIZE_FUNCTIONS = {
    "Max": "Max = max",
    "Min": "Min = min",
    "FloorDiv": "FloorDiv = int.__floordiv__",
    "Mod": "Mod = int.__mod__",
    "PythonMod": "PythonMod = int.__mod__",
    "CeilToInt": "from math import ceil as CeilToInt",
    "IntTrueDiv": "IntTrueDiv = int.__truediv__",
}
_VIEWS = frozenset({"view", "reshape", "flatten", "unflatten"})
_SPECS = ("_in_spec", "_out_spec")
_FILL_NAME = "number"
_CPU_RNG_STATE = [5056]  # size in bytes; not all contents are a valid state of at::mt19937


@dataclass(frozen=True)
class Layout:
    """The layout of a value according to its annotation. `shape` and `stride` are expressions over size symbols."""

    text: str
    dtype: str = ""  # "torch.float32"; "" if it is not a tensor
    shape: tuple[str, ...] = ()
    stride: tuple[str, ...] | None = None
    device: str = "cpu"
    value: str = ""  # a number, as an expression over size symbols
    fill: int | str = 0  # value of the elements of an integer tensor, or the script's variable with the value
    constructor: str = ""  # the expression that creates it, if the layout alone does not give valid values

    @property
    def is_integer(self) -> bool:
        """Whether it is a tensor of integers or booleans, whose values may be indices."""
        return self.dtype.startswith(("torch.int", "torch.uint", "torch.bool"))

    @property
    def expressions(self) -> tuple[str, ...]:
        """Every expression over size symbols in it."""
        return (*self.shape, *(self.stride or ()), *((self.value,) if self.value else ()))


@dataclass
class Plan:
    """How to run one graph."""

    cls: str  # name of the outermost class
    inputs: list[tuple[str, Layout]] = field(default_factory=list)
    attributes: dict[str, Layout] = field(default_factory=dict)  # "true_graph_0._tensor_constant0" -> its layout
    # dotted path -> layouts of its inputs, None if not known; outer before inner
    submodules: dict[str, dict[str, Layout | None]] = field(default_factory=dict)
    outputs: list[Layout | None] = field(default_factory=list)
    symbols: dict[str, int | float | None] = field(default_factory=dict)  # None: the value is unknown
    missing: list[str] = field(default_factory=list)
    operators: dict[tuple[str, str], str] = field(default_factory=dict)  # the program's own -> module
    joint: bool = False  # a joint graph, which takes (primals, tangents) by a pytree spec
    tangents: int = 0
    gradients: bool = False  # floating-point inputs must require gradients
    views: bool = False  # convolutions choose their layout by strides of views along dimensions of one element


def layout_of(text: str) -> Layout | None:
    """Returns the layout for an annotation; None if torch does not print it for a tensor or number."""
    symbolic = _SYMBOLIC.match(text)
    match = _TENSOR.match(text)
    dtype = fx.dtype_names().get(match.group(1)) if match is not None else None
    if symbolic is not None:
        layout = Layout(text, value=symbolic.group(1))
    elif match is not None and dtype is not None:
        stride = _split(match.group(3)) if match.group(3) is not None else None
        layout = Layout(text, dtype, _split(match.group(2)), stride, match.group(4) or "cpu")
        if stride is not None and len(stride) != len(layout.shape):
            return None
    else:
        return None
    return layout if all(map(_is_expression, layout.expressions)) else None


def _is_expression(text: str) -> bool:
    if text.isdecimal() or text.isidentifier():
        return True
    try:
        ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _split(text: str) -> tuple[str, ...]:
    """Splits a text at top-level commas."""
    items, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            items.append(text[start:i])
            start = i + 1
    items.append(text[start:])
    return tuple(s.strip() for s in items if s.strip())


def plan(
    text: str,
    symbols: Mapping[str, int | float],
    known_names: frozenset[str],
    registering: Callable[[str, str], str | None],
) -> Plan | None:
    """Returns how to run a graph, or None if the text contains no graph.

    Args:
        text: The printed graph, as valid Python.
        symbols: Values of size symbols in the recorded call.
        known_names: Names that the file imports.
        registering: Returns the module that registers an operator of the program, or None for torch's operators.

    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    outer = next((s for s in tree.body if isinstance(s, ast.ClassDef)), None)
    forward = _forward(outer) if outer is not None else None
    if outer is None or forward is None:
        return None
    text = _COMMENT_LINE.sub("", text)  # they quote the program, which contains other names
    result = Plan(outer.name)
    annotated = _annotations(forward)
    names = [a.arg for a in forward.args.posonlyargs + forward.args.args][1:]
    if names == ["primals", "tangents"]:
        result.joint = True
        names = [s.target.id for s in forward.body if _declares(s)]  # type: ignore[attr-defined]
        result.tangents = sum(name.startswith("tangents") for name in names)
    middles, states = _window_middles(forward, text), set(_RNG_STATE.findall(text))
    for name in names:
        layout = layout_of(annotated.get(name, ""))
        if layout is None:
            result.missing.append(f"the input {name} ({annotated.get(name) or 'torch does not print its layout'})")
        elif name in states and _sizes(layout, symbols) == _CPU_RNG_STATE:
            result.inputs.append((name, replace(layout, constructor="torch.get_rng_state()")))
        else:
            result.inputs.append(
                (name, replace(layout, fill=middles.get(name, _FILL_NAME if layout.is_integer else 0)))
            )
    for prefix, cls in _classes(outer, ""):
        _attributes(result, cls, prefix, known_names)
    result.outputs = [_layout_of_output(e, annotated) for e in _returned_values(forward)]
    result.gradients = _DIFFERENTIATES.search(text) is not None
    result.views = "conv" in text and _views_for_convolutions(forward, annotated)
    _bind_symbols(result, symbols)
    result.missing += _not_in_torch(text)
    for operator in dict.fromkeys(_OPERATOR.findall(text)):
        module = registering(*operator)
        if module is not None:
            result.operators[operator] = module
    return result


def _not_in_torch(text: str) -> list[str]:
    """Returns what the script lacks: objects of the process that compiled the graph, and missing results."""
    kernels = dict.fromkeys(_TRITON_CALL.findall(text))
    missing = [f"the program's own Triton kernel (kernel_idx = {number})" for number in kernels]
    missing += [f"the wrapper of {body}, a function of the program's" for body in _WRAPPED_BODY.findall(text)]
    missing += [f"the process group {group} of torch.distributed" for group in dict.fromkeys(_GROUP.findall(text))]
    for name, operator in _IN_PLACE.findall(text):
        if re.search(rf"\b{name}\[\d+\]", text):
            missing.append(f"the result of {operator}, which returns none")
    return list(dict.fromkeys(missing))


def _sizes(layout: Layout, symbols: Mapping[str, int | float]) -> list[int | float | None]:
    """Returns the shape in the recorded call; None for sizes that are neither numbers nor known symbols."""
    return [int(size) if size.isdecimal() else symbols.get(size) for size in layout.shape]


def _window_middles(forward: ast.FunctionDef, text: str) -> dict[str, int]:
    """Returns values for the offsets that max-pooling saved: the middle of a window is always inside the image."""
    operators = tuple(f".{name}.default" for name in texts.POOLING_OFFSETS)
    middles: dict[str, int] = {}
    if not any(operator in text for operator in operators):  # the usual case, without the long walk
        return middles
    for node in ast.walk(forward):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(operators):
            offsets, window = node.args[0], _integers(node.args[1])
            if isinstance(window, int):  # only the width is known: as many rows down as the padding is inside
                middle = (_integers(node.args[-1]) or [0])[0] * window + window // 2
            else:
                middle = math.prod(window) // 2
            if isinstance(offsets, ast.Name):
                middles.setdefault(offsets.id, middle)
    return middles


def _views_for_convolutions(forward: ast.FunctionDef, annotated: Mapping[str, str]) -> bool:
    """Returns whether there are convolutions, and non-contiguous views with dimensions of size 1."""
    views = convolutions = False
    for statement in forward.body:
        call = getattr(statement, "value", None)
        if not isinstance(call, ast.Call) or not isinstance(statement, ast.AnnAssign):
            continue
        called = ast.unparse(call.func).split(".")
        convolutions |= any(name.startswith("conv") for name in called)
        if not _VIEWS.isdisjoint(called):
            layout = layout_of(annotated.get(ast.unparse(statement.target), ""))
            views |= layout is not None and "1" in layout.shape and layout.stride != _contiguous(layout.shape)
    return views and convolutions


def _integers(node: ast.expr) -> Any:
    """Returns the integer or the list of integers in an argument; an empty list for other arguments."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    items = node.elts if isinstance(node, ast.List) else []
    return [item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, int)]


def _forward(cls: ast.ClassDef) -> ast.FunctionDef | None:
    return next((s for s in cls.body if isinstance(s, ast.FunctionDef) and s.name == "forward"), None)


def _declares(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.AnnAssign) and statement.value is None and isinstance(statement.target, ast.Name)


def _annotations(forward: ast.FunctionDef) -> dict[str, str]:
    """Returns torch's annotation of each name in a graph."""
    annotations: dict[str, str] = {}
    pairs: list[tuple[str, ast.expr | None]] = [(a.arg, a.annotation) for a in forward.args.args]
    for statement in forward.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            pairs.append((statement.target.id, statement.annotation))
    for name, annotation in pairs:
        if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
            annotations[name] = annotation.value
    return {**_of_constants(forward, annotations), **annotations}


def _of_constants(forward: ast.FunctionDef, annotated: Mapping[str, str]) -> dict[str, str]:
    """Returns the layouts of constant tensors, taken from their copies, because some releases do not print them."""
    layouts: dict[str, str] = {}
    for statement in forward.body:
        match statement:
            case ast.AnnAssign(target=ast.Name(id=copy), value=ast.Call(func=function, args=[ast.Name(id=constant)])):
                if copy in annotated and ast.unparse(function).endswith(".lift_fresh_copy.default"):
                    layouts[constant] = annotated[copy]
    return layouts


def _classes(cls: ast.ClassDef, prefix: str) -> Iterator[tuple[str, ast.ClassDef]]:
    """Yields (dotted path, class) for a graph and the graphs nested in it, outer ones first."""
    yield prefix, cls
    for statement in cls.body:
        if isinstance(statement, ast.ClassDef):
            yield from _classes(statement, f"{prefix}{statement.name}.")


def _attributes(result: Plan, cls: ast.ClassDef, prefix: str, known_names: frozenset[str]) -> None:
    """Adds the attributes that a graph reads, and its undefined names."""
    nested = {s.name for s in cls.body if isinstance(s, ast.ClassDef)}
    forward = _forward(cls)
    annotated = _annotations(forward) if forward is not None else {}
    if prefix:
        parameters = forward.args.args[1:] if forward is not None else []
        result.submodules[prefix[:-1]] = {a.arg: layout_of(annotated.get(a.arg, "")) for a in parameters}
    if forward is None:
        return
    nodes = list(_walk(forward))
    assigned = {n.id for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    assigned |= {a.arg for a in forward.args.args}
    targets: dict[int, str] = {}
    for statement in forward.body:
        match statement:
            case (
                ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
                | ast.Assign(targets=[ast.Name(id=name)], value=value)
            ):
                targets[id(value)] = name
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
            layout = layout_of(annotated.get(targets.get(id(node), ""), ""))
            if node.attr in nested or (result.joint and node.attr in _SPECS):
                continue
            if layout is not None:
                result.attributes[prefix + node.attr] = layout
            else:
                result.missing.append(f"the attribute {prefix}{node.attr}")
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            if node.id not in assigned and node.id not in known_names and not hasattr(builtins, node.id):
                result.missing.append(f"the name {node.id}")
    result.missing = list(dict.fromkeys(result.missing))


def _walk(root: ast.AST) -> Iterator[ast.AST]:
    """`ast.walk` without leaf nodes, for speed: graphs are long."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        for name in node._fields:
            value = getattr(node, name, None)
            for child in value if isinstance(value, list) else (value,):
                if isinstance(child, ast.Name):
                    yield child
                elif isinstance(child, ast.AST) and not isinstance(child, _LEAVES):
                    waiting.append(child)


_LEAVES = (ast.Constant, ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop)


def _returned_values(forward: ast.FunctionDef) -> list[ast.expr]:
    last = forward.body[-1] if forward.body else None
    if not isinstance(last, ast.Return) or last.value is None:
        return []
    value = last.value
    if isinstance(value, ast.Call) and value.args and isinstance(value.args[0], ast.List):  # pytree.tree_unflatten
        value = value.args[0]
    return list(value.elts) if isinstance(value, ast.Tuple | ast.List) else [value]


def _layout_of_output(value: ast.expr, annotated: Mapping[str, str]) -> Layout | None:
    return layout_of(annotated.get(value.id, "")) if isinstance(value, ast.Name) else None


def _bind_symbols(result: Plan, symbols: Mapping[str, int | float]) -> None:
    """Finds values for the symbols; outputs that depend on an unknown symbol are not compared."""
    needed = [layout for _, layout in result.inputs] + list(result.attributes.values())
    for layout in needed:
        for word in (w for e in layout.expressions for w in _WORD.findall(e)):
            if word in symbols:
                result.symbols[word] = symbols[word]
            elif word not in _SIZE_FUNCTIONS and word not in ("True", "False"):
                result.missing.append(f"the value of {word} (in {layout.text})")
    known = {*result.symbols, *_SIZE_FUNCTIONS, "True", "False"}
    result.outputs = [output if _uses_only(known, output) else None for output in result.outputs]
    for parameters in result.submodules.values():
        for name, example in parameters.items():
            parameters[name] = example if _uses_only(known, example) else None
    result.missing = list(dict.fromkeys(result.missing))


def _uses_only(names: Container[str], layout: Layout | None) -> bool:
    return layout is None or all(word in names for e in layout.expressions for word in _WORD.findall(e))


_HELPERS = '''

def tensor(shape, stride, dtype, device, fill=0):
    """Returns a tensor of this layout: random numbers between 0 and 1 if floating point, otherwise `fill`."""
    size = 0 if 0 in shape else 1 + sum((n - 1) * s for n, s in zip(shape, stride))
    if dtype.is_floating_point or dtype.is_complex:
        flat = torch.rand(size, device=device).to(dtype)  # neither a probability nor a logarithm fails
    else:
        flat = torch.full((size,), fill, dtype=dtype, device=device)
    return flat.as_strided(shape, stride)


def layout(value):
    """Returns the layout of a value, in the form in which layouts are recorded."""
    if isinstance(value, torch.Tensor):
        strided = value.layout == torch.strided
        return tuple(value.shape), value.stride() if strided else None, value.dtype, str(value.device)
    return (value,)


def same(found, wanted):
    """Returns whether a layout is the recorded one, except for strides of dimensions of size 1.

    The device of a scalar is ignored, too: attention keeps random seeds on the CPU, and torch records the GPU.
    """
    if len(found) < 4 or len(wanted) < 4 or None in (found[1], wanted[1]):
        return found[: len(wanted)] == wanted
    steps = [[s for n, s in zip(shape, stride) if n > 1] for shape, stride, *_ in (found, wanted)]
    kinds = [kind[2:] if wanted[0] else kind[2] for kind in (found, wanted)]
    return found[0] == wanted[0] and (steps[0] == steps[1] or 0 in found[0]) and kinds[0] == kinds[1]
'''


def script(planned: Plan | None, boxed: bool) -> str:
    """Returns the tail of a graph's file, which makes the file a script. It is always valid Python."""
    if planned is None:
        return ""
    if planned.missing:
        reason = f"not in this file, so it cannot run: {'; '.join(_combined(planned.missing))}"
        return f'\n\nif __name__ == "__main__":\n    raise SystemExit({reason!r})\n'
    expressions = [e for layout in _layouts(planned) for e in layout.expressions]
    functions = sorted({w for e in expressions for w in _WORD.findall(e)} & _SIZE_FUNCTIONS.keys())
    lines = [_HELPERS]
    lines += [texts.AS_GRAPH_MODULE] if planned.submodules else []
    lines += [f"{_SIZE_FUNCTIONS[name]}\n" for name in functions]
    if planned.symbols:
        lines.append("\n# sizes and numbers of the recorded call\n")
        lines += [f"{name} = {value!r}\n" for name, value in planned.symbols.items()]
    fills = any(layout.fill == _FILL_NAME for _, layout in planned.inputs)
    parameter, note = (f"{_FILL_NAME}=0", f"; integers are `{_FILL_NAME}`") if fills else ("", "")
    lines.append(
        f'\n\ndef inputs({parameter}):\n    """Returns inputs of the recorded layout{note}."""\n    return [\n'
    )
    lines += [f"        {_input(layout, planned)},  # {name}\n" for name, layout in planned.inputs]
    lines += ["    ]\n\n\n", *_instance(planned), "\n\ndef main():\n    graph = instance()\n"]
    lines.append(_with_retry(_call(planned, boxed, _FILL_NAME)) if fills else _call(planned, boxed, ""))
    lines.append("    outputs = list(outputs) if isinstance(outputs, (tuple, list)) else [outputs]\n")
    lines.append("    recorded = [  # None: the layout of that output was not recorded\n")
    lines += [f"        {_expected(output)},\n" for output in planned.outputs]
    lines.append("    ]\n")
    lines.append("    different = len(outputs) != len(recorded)\n")
    lines.append("    for i, (output, wanted) in enumerate(zip(outputs, recorded)):\n")
    lines.append("        right = wanted is None or same(layout(output), wanted)\n")
    lines.append("        different = different or not right\n")
    lines.append("        print(f\"output {i}: {layout(output)}{'' if right else f', recorded: {wanted}'}\")\n")
    lines.append("    return int(different)\n")
    lines.append(texts.AS_RECORDED if planned.views else "")
    lines.append('\n\nif __name__ == "__main__":\n')
    if planned.views:
        lines.append("    with AsRecorded():\n        raise SystemExit(main())\n")
    else:
        lines.append("    raise SystemExit(main())\n")
    return "".join(lines)


_RUN = re.compile(
    r'(?P<head>\nif __name__ == "__main__":\n)'
    r"(?P<recorded>    with AsRecorded\(\):\n    )?    raise SystemExit\(main\(\)\)\n\Z"
)


def with_state(text: str, statements: list[str], contexts: list[str]) -> str:
    """Returns a graph's file that runs the graph after `statements` and within `contexts` (see `around_graph`).

    If the file does that already, it is returned unchanged.
    """

    def replacement(match: re.Match[str]) -> str:
        entered = [*(["AsRecorded()"] if match["recorded"] else []), *contexts]
        call = ["raise SystemExit(main())"]
        if entered:
            call = [f"with {', '.join(entered)}:", f"    {call[0]}"]
        return match["head"] + "".join(f"    {line}\n" for line in [*statements, *call])

    return _RUN.sub(replacement, text)


_MISSING_NAME = re.compile(
    r"the (?P<kind>input|name|attribute) (?P<name>\S+)(?P<why> \(torch does not print its layout\))?"
)


def _combined(missing: list[str]) -> Iterator[str]:
    """Yields what is missing, with several items of the same kind combined."""
    grouped: dict[tuple[str, str], list[str]] = {}
    for item in missing:
        match = _MISSING_NAME.fullmatch(item)
        key = (match["kind"], match["why"] or "") if match is not None else (item, "")
        grouped.setdefault(key, []).append(match["name"] if match is not None else "")
    for (kind, why), names in grouped.items():
        if len(names) > 1:
            yield f"the {kind}s {', '.join(names[:-1])} and {names[-1]}{why.replace('its layout', 'their layouts')}"
        else:
            yield f"the {kind} {names[0]}{why}" if names[0] else kind


def _instance(planned: Plan) -> list[str]:
    """Returns the lines of the function that creates the graph, which this script and full-code files call."""
    lines = ['def instance():\n    """Returns the graph with its subgraphs and constants."""\n']
    if planned.operators:
        lines.append("    for (namespace, name), module in {  # operators that are not part of torch\n")
        lines += [f"        {operator!r}: {module!r},\n" for operator, module in planned.operators.items()]
        lines.append("    }.items():\n        if not hasattr(getattr(torch.ops, namespace), name):\n")
        missing = "torch.ops.{namespace}.{name} is missing here: {module} registers it, so import that first"
        lines.append(f'            raise LookupError(f"{missing}")\n')
    lines.append(f"    graph = {planned.cls}()\n")
    owners = [f"graph.{path}".rpartition(".") for path in planned.submodules]
    lines += [
        f"    vars({owner})[{name!r}] = {planned.cls}.{path}()\n"
        for path, (owner, _, name) in zip(planned.submodules, owners, strict=True)
    ]
    lines += [f"    graph.{path} = {_expression(layout)}\n" for path, layout in planned.attributes.items()]
    for (owner, _, name), parameters in zip(reversed(owners), reversed(planned.submodules.values()), strict=True):
        lines.append(f"    as_graph_module({owner}, {name!r}, {{\n")
        recorded = ((key, layout) for key, layout in parameters.items() if layout is not None)
        lines += [f"        {key!r}: {_recorded(layout)},\n" for key, layout in recorded]
        lines.append("    })\n")
    return [*lines, "    return graph\n"]


def _layouts(planned: Plan) -> Iterator[Layout]:
    yield from (layout for _, layout in planned.inputs)
    yield from planned.attributes.values()
    examples = (layout for parameters in planned.submodules.values() for layout in parameters.values())
    yield from (layout for layout in (*planned.outputs, *examples) if layout is not None)


def _tuple(items: tuple[str, ...]) -> str:
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"


def _input(layout: Layout, planned: Plan) -> str:
    needs = planned.gradients and layout.dtype.startswith(("torch.float", "torch.bfloat", "torch.complex"))
    return _expression(layout) + (".requires_grad_()" if needs else "")


def _expression(layout: Layout) -> str:
    if layout.constructor or not layout.dtype:
        return layout.constructor or layout.value
    fill = f", {layout.fill}" if layout.fill else ""
    return f"tensor({_recorded(layout)[1:-1]}{fill})"


def _recorded(layout: Layout) -> str:
    """Returns a number, or the tuple of the first arguments of the script's `tensor`."""
    if not layout.dtype:
        return layout.value
    stride = layout.stride if layout.stride is not None else _contiguous(layout.shape)
    return f"({_tuple(layout.shape)}, {_tuple(stride)}, {layout.dtype}, {layout.device!r})"


def _contiguous(shape: tuple[str, ...]) -> tuple[str, ...]:
    strides: list[str] = []
    for i in range(len(shape)):
        sizes = shape[i + 1 :]
        are_numbers = all(size.isdecimal() for size in sizes)
        strides.append(str(math.prod(map(int, sizes))) if are_numbers else " * ".join(f"({n})" for n in sizes))
    return tuple(strides)


def _expected(output: Layout | None) -> str:
    if output is None or not output.dtype:
        return "None"
    stride = _tuple(output.stride) if output.stride is not None else "None"
    if output.stride is None:
        return f"({_tuple(output.shape)},)"
    return f"({_tuple(output.shape)}, {stride}, {output.dtype}, {output.device!r})"


def _call(planned: Plan, boxed: bool, fill: str) -> str:
    """Returns the statements that run the graph with its inputs and assign the outputs."""
    if boxed:
        return f"    outputs = graph.forward(inputs({fill}))\n"
    if not planned.joint:
        return f"    outputs = graph.forward(*inputs({fill}))\n"
    return (
        f"    values = inputs({fill})\n"
        f"    split = len(values) - {planned.tangents}\n"
        "    primals, tangents = values[:split], values[split:]\n"
        "    graph._in_spec = pytree.tree_flatten([primals, tangents])[1]\n"
        f"    graph._out_spec = pytree.tree_flatten([0] * {len(planned.outputs)})[1]\n"
        "    outputs = graph.forward(primals, tangents)\n"
    )


def _with_retry(call: str) -> str:
    """Returns a run with zeros, which are valid indices, and with ones in case something among zeros is missing."""
    return (
        f"    for {_FILL_NAME} in (0, 1):  # an index computed from zeros may be out of range\n"
        "        try:\n"
        f"{textwrap.indent(call, '        ')}"
        "            break\n"
        "        except (IndexError, RuntimeError):\n"
        f"            if {_FILL_NAME} == 1:\n"
        "                raise\n"
    )
