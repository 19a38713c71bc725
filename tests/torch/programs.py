# SPDX-License-Identifier: MIT
"""Random programs for torch.compile: statements that break the graph, nested in each other at random.

    python tests/torch/programs.py COUNT SEED

runs COUNT programs eagerly and compiled, and prints a line for each with a frame that is not exact or proved, or whose
results change when recompiled text runs in place of Dynamo's bytecode. The same SEED gives the same programs.
"""

from __future__ import annotations

import contextlib
import dataclasses
import linecache
import random
import sys
import tempfile
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import depyf
import torch

LIMITS = {
    "recompile_limit": 64, "accumulated_recompile_limit": 1024,
    "cache_size_limit": 64, "accumulated_cache_size_limit": 1024,  # the names in torch 2.6
}  # fmt: skip
"""Settings of Dynamo: no program is left alone because it was compiled often."""

EVENTS: list[Any] = []
"""What a program did that others can see, in order."""


def note(value: Any) -> Any:
    """Records VALUE, with tensors as numbers, as a visible effect, and returns it."""
    EVENTS.append([v.tolist() if isinstance(v, torch.Tensor) else v for v in (value, torch.is_grad_enabled())])
    return value


@torch._dynamo.disable
def off(*values: Any, **named: Any) -> Any:
    """A call that Dynamo does not trace."""
    for value in (*values, *named.values()):
        note(value)
    return values[0] * 2 if values else torch.ones(4)


def inside(x: Any) -> Any:
    """Breaks the graph when inlined."""
    y = x + 1
    torch._dynamo.graph_break()
    return y * 2


def produce(values: Any) -> Any:
    """A generator with a finally body."""
    for value in values:
        yield value + 1
    EVENTS.append("produced")


class Scope:
    """A context manager that records its calls and may suppress exceptions."""

    def __init__(self, name: str, swallow: bool = False) -> None:
        self.name, self.swallow = name, swallow

    def __enter__(self) -> Scope:
        EVENTS.append(("enter", self.name))
        return self

    def __exit__(self, kind: Any, *_: Any) -> bool:
        EVENTS.append(("exit", self.name, kind and kind.__name__))
        return self.swallow


@dataclasses.dataclass
class Box:
    """An object with attributes."""

    value: Any = 1
    other: Any = None


PRELUDE = """
def program(a, b, n, xs, d, o):
    c, k, z = a, n, b
"""


class Writer:
    """Writes a program that uses tensors `a b c z`, numbers `n k`, a list `xs`, a dict `d` and an object `o`."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.fresh = 0

    def pick(self, *choices: Any) -> Any:
        return self.random.choice(choices)

    def tensor(self, depth: int = 2) -> str:
        """Returns an expression for a tensor of four numbers."""
        if depth <= 0:
            return self.pick("a", "b", "c", "z", "a", "b", "xs[0]", "d['u']", "o.value")
        t = lambda: self.tensor(depth - 1)  # noqa: E731
        return self.pick(
            lambda: f"({t()} {self.pick('+', '-', '*')} {t()})",
            lambda: f"torch.{self.pick('sin', 'cos', 'tanh', 'neg')}({t()})",
            lambda: f"off({t()})",
            lambda: f"off({t()}, {t()}, w={self.number()})",
            lambda: f"inside({t()})",
            lambda: f"({t()} if {self.test()} else {t()})",
            lambda: f"({t()} * {self.number()})",
            lambda: f"torch.stack([{t()}, {t()}]).sum(0)",
            lambda: f"sum([off(v) for v in xs], {t()})" if self.random.random() < 0.3 else t(),
            lambda: f"sum([v + {t()} for v in xs])",
            lambda: f"(lambda v: v + {t()})({t()})",
            lambda: f"{{'p': {t()}, 'q': off({t()})}}['{self.pick('p', 'q')}']",
            lambda: f"max(({self.number()}, {self.number()})) * {t()}",
            lambda: f"(c := {t()})",
            lambda: t(),
        )()

    def number(self, depth: int = 1) -> str:
        """Returns an expression for a Python number."""
        if depth <= 0 or self.random.random() < 0.5:
            return self.pick("n", "k", "1", "2", "len(xs)", "3")
        return self.pick(
            lambda: f"({self.number(0)} + {self.number(0)})",
            lambda: f"off({self.number(0)})",
            lambda: f"({self.number(0)} if {self.test()} else {self.number(0)})",
            lambda: f"int({self.tensor(0)}.sum().item() > 0)",
        )()

    def test(self) -> str:
        """Returns a condition on numbers or on data."""
        return self.pick(
            lambda: f"{self.tensor(0)}.sum() > 0",
            lambda: f"{self.tensor(1)}.sum() > {self.tensor(0)}.sum()",
            lambda: f"{self.number(0)} > 1",
            lambda: f"'u' in d and {self.number(0)} > 0",
            lambda: f"({self.tensor(0)}.sum() > 0 or {self.number(0)} < 2)",
            lambda: f"not ({self.tensor(0)}.mean() > 0)",
            lambda: f"0 < {self.number(0)} < {self.number(0)}",
        )()

    # ---- statements; each method adds lines at an indentation
    def put(self, indent: int, line: str) -> None:
        self.lines.append("    " * indent + line)

    def block(self, indent: int, depth: int, loop: bool, least: int = 1) -> None:
        for _ in range(self.random.randint(least, 3)):
            self.statement(indent, depth, loop)

    def statement(self, indent: int, depth: int, loop: bool) -> None:
        simple, nested = self.simple, self.nested
        (nested if depth > 0 and self.random.random() < 0.45 else simple)(indent, depth, loop)

    def name(self) -> str:
        self.fresh += 1
        return f"v{self.fresh}"

    def simple(self, indent: int, depth: int, loop: bool) -> None:
        target = self.pick("a", "b", "c", "z")
        choices: list[Callable[[], str]] = [
            lambda: f"{target} = {self.tensor()}",
            lambda: f"{target} = {self.tensor()}",
            lambda: f"{target} {self.pick('+', '-', '*')}= {self.tensor()}",
            lambda: "torch._dynamo.graph_break()",
            lambda: f"off({self.tensor()})",
            lambda: f"{self.pick('k', 'n')} = {self.number()}",
            lambda: f"xs.append({self.tensor()})",
            lambda: f"xs[0] = {self.tensor()}",
            lambda: f"d['u'] = {self.tensor()}",
            lambda: f"d.setdefault('{self.pick('r', 's')}', {self.tensor()})",
            lambda: f"o.value = {self.tensor()}",
            lambda: f"o.other = {self.number()}",
            lambda: f"{target}, {self.pick('k', 'n')} = {self.tensor()}, {self.number()}",
            lambda: f"a, b = b, {self.tensor(1)}",
            lambda: f"{target}, *xs = [{self.tensor(1)}, *xs[:2], {self.tensor(0)}]",
            lambda: f'note(f"{{{self.number()}:>3}}|{{off({self.number(0)})}}")',
            lambda: f"EVENTS.append({self.number()})",
            lambda: f"{target} = sum(produce(xs), {self.tensor(0)})",
            lambda: f"assert {self.number(0)} < 1000, off({self.tensor(0)})",
            lambda: f"{target} = off(*xs[:2], **{{'w': {self.number(0)}}})",
            lambda: f"return {self.tensor()}, k" if self.random.random() < 0.3 else f"{target} = {self.tensor(1)}",
            lambda: (
                f"if {self.test()}: raise ValueError({self.number(0)})"
                if self.random.random() < 0.4
                else f"o.other = off({self.number()})"
            ),
        ]
        if loop:
            choices += [lambda: f"if {self.test()}: {self.pick('break', 'continue')}"] * 2
        self.put(indent, self.random.choice(choices)())

    def nested(self, indent: int, depth: int, loop: bool) -> None:
        d = depth - 1

        def branch() -> None:
            self.put(indent, f"if {self.test()}:")
            self.block(indent + 1, d, loop)
            if self.random.random() < 0.3:
                self.put(indent, f"elif {self.test()}:")
                self.block(indent + 1, d, loop)
            if self.random.random() < 0.6:
                self.put(indent, "else:")
                self.block(indent + 1, d, loop)

        def count() -> None:
            self.put(indent, f"for {self.pick('k', 'i')} in range({self.pick('2', '3', 'n')}):")
            self.block(indent + 1, d, True)
            if self.random.random() < 0.2:
                self.put(indent, "else:")
                self.block(indent + 1, d, loop)

        def each() -> None:
            source = self.pick("xs[:2]", "produce(xs[:2])", "zip(xs[:2], (a, b))", "enumerate(xs[:2])", "list(d)")
            pair = source.startswith(("zip", "enum"))
            self.put(indent, f"for {'i, v' if pair else 'v'} in {source}:")
            if "list(d)" not in source:
                self.put(indent + 1, f"{self.pick('a', 'z')} = v + {self.tensor(1)}")
            self.block(indent + 1, d, True)

        def loop_while() -> None:
            name = self.name()
            self.put(indent, f"{name} = 0")
            self.put(indent, f"while {name} < 2 and {self.test()}:")
            self.put(indent + 1, f"{name} += 1")
            self.block(indent + 1, d, True)

        def scope() -> None:
            manager = self.pick(
                "torch.no_grad()", "Scope('s')", "Scope('w', True)", "Scope('s') as s", "torch.enable_grad()",
                "torch.autocast('cpu', dtype=torch.bfloat16, enabled=False)", "Scope('p'), torch.no_grad()",
                "contextlib.suppress(ValueError)", "contextlib.nullcontext(off(1)) as k",
            )  # fmt: skip
            self.put(indent, f"with {manager}:")
            self.block(indent + 1, d, loop)

        def protect() -> None:
            self.put(indent, "try:")
            self.block(indent + 1, d, loop)
            if self.random.random() < 0.6:
                kind = self.pick("ValueError", "(ValueError, KeyError)", "Exception", "ValueError as e", "KeyError")
                if self.random.random() < 0.5:
                    self.put(
                        indent + 1, f"if {self.test()}: raise {self.pick('ValueError', 'KeyError')}({self.number(0)})"
                    )
                self.put(indent, f"except {kind}:")
                if self.random.random() < 0.4 and "as e" in kind:
                    self.put(indent + 1, "note(str(e))")
                self.block(indent + 1, d, loop)
                if self.random.random() < 0.15:
                    self.put(indent + 1, "raise")
                if self.random.random() < 0.2:
                    self.put(indent, "else:")
                    self.block(indent + 1, d, loop)
                if self.random.random() < 0.3:
                    self.put(indent, "finally:")
                    self.block(indent + 1, d, False)
            else:
                self.put(indent, "finally:")
                self.block(indent + 1, d, False)

        def closure() -> None:
            name = self.name()
            self.put(indent, f"def {name}(p, q={self.number(0)}):")
            if self.random.random() < 0.3:
                self.put(indent + 1, "nonlocal k")
                self.put(indent + 1, "k = q + 1")
            self.put(indent + 1, f"return {self.pick('p + z', 'off(p) + z', 'inside(p) * q', 'p * q + c')}")
            self.block(indent, 0, loop)
            self.put(indent, f"{self.pick('a', 'b', 'z')} = {name}({self.tensor(1)})")

        def match() -> None:
            subject = self.pick("n", "(n, k)", "[k, n, 1]", "{'t': n, 'u': k}", "Box(n, k)")
            patterns = {
                "n": ("1 | 2", "int()", "_"),
                "(n, k)": ("(1, q)", "(p, 2 | 3)", "_"),
                "[k, n, 1]": ("[2, *rest]", "[p, q, 1]", "_"),
                "{'t': n, 'u': k}": ("{'t': 1}", "{'u': p, **rest}", "_"),
                "Box(n, k)": ("Box(value=1)", "Box(other=p)", "_"),
            }[subject]
            self.put(indent, f"match {subject}:")
            for pattern in patterns:
                guard = f" if {self.test()}" if self.random.random() < 0.3 and pattern != "_" else ""
                self.put(indent + 1, f"case {pattern}{guard}:")
                self.block(indent + 2, d, loop)

        self.pick(branch, branch, branch, count, each, loop_while, scope, scope, protect, protect, closure, match)()

    def program(self, depth: int = 3) -> str:
        """Returns the source of `program`."""
        self.block(1, depth, False, least=3)
        return PRELUDE + "\n".join(self.lines) + "\n    return a, b, c, z, k, n\n"


def load(source: str, file: str) -> Callable[..., Any]:
    """Returns the function `program` of SOURCE, whose lines are in linecache."""
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    names = {
        "torch": torch, "off": off, "inside": inside, "produce": produce, "Scope": Scope, "note": note, "Box": Box,
        "EVENTS": EVENTS, "contextlib": contextlib,
    }  # fmt: skip
    exec(compile(source, file, "exec"), names)
    return names["program"]  # type: ignore[return-value]


def plain(value: Any) -> Any:
    """Returns VALUE with tensors as numbers."""
    if isinstance(value, torch.Tensor):
        return ["tensor", [round(v, 3) for v in value.detach().double().flatten().tolist()], value.requires_grad]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *map(plain, value)]
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, Box):
        return ["Box", plain(value.value), plain(value.other)]
    return value


def run(function: Callable[..., Any]) -> list[Any]:
    """Returns the results, changed arguments and effects of three calls: plain, with other numbers, with gradients."""
    calls = []
    for sign, n, grad in ((1.0, 1, False), (-1.0, 2, False), (0.5, 3, True)):
        a = torch.linspace(-1, 2, 4) * sign
        if grad:
            a.requires_grad_()
        arguments = (
            a,
            torch.ones(4) * sign,
            n,
            [torch.ones(4), torch.zeros(4)],
            {"u": torch.ones(4)},
            Box(torch.ones(4)),
        )
        EVENTS.clear()  # before each call, as Dynamo guards on its length
        try:
            result = function(*arguments)
        except Exception as error:
            result = [type(error).__name__, str(error).splitlines()[:1]]
        calls.append([plain(result), plain(arguments), [plain(event) for event in EVENTS]])
    return calls


@dataclasses.dataclass
class Report:
    """The problems of one program, and its number of frames."""

    frames: int = 0
    problems: list[str] = dataclasses.field(default_factory=list)
    unproved: list[str] = dataclasses.field(default_factory=list)

    def compare(self, what: str, found: list[Any], expected: list[Any]) -> None:
        """Records the first call whose outcome differs."""
        for number, (one, other) in enumerate(zip(found, expected, strict=True)):
            if one != other:
                self.problems.append(f"{what}, call {number}: {one} instead of {other}")
                return


def check(seed: int) -> Report:
    """Runs one program in all ways and compares the outcomes."""
    report = Report()
    function = load(Writer(seed).program(), f"<program {seed}>")
    for name, limit in LIMITS.items():
        if hasattr(torch._dynamo.config, name):
            setattr(torch._dynamo.config, name, limit)
    torch._dynamo.reset()
    expected = run(torch.compile(function, backend="eager"))  # torch.compile itself may differ from eager execution

    def replace(code: types.CodeType, new_code: types.CodeType) -> types.CodeType | None:
        report.frames += 1
        try:
            text = depyf.decompile(new_code)
            if text.verdict.kind not in ("exact", "proved"):
                report.unproved.append(f"{code.co_name}: {text.verdict.describe()}")
            return text.recompile().replace(co_name=new_code.co_name)
        except Exception as error:
            report.problems.append(f"{code.co_name}: {type(error).__name__}: {error}")
            return None

    torch._dynamo.reset()
    handle = torch._dynamo.convert_frame.register_bytecode_hook(replace)
    try:
        report.compare("recompiled text in place", run(torch.compile(function, backend="eager")), expected)
    finally:
        handle.remove()
    torch._dynamo.reset()
    with tempfile.TemporaryDirectory() as folder:
        dumped(function, expected, folder, report)
    torch._dynamo.reset()
    return report


def dumped(function: Callable[..., Any], expected: list[Any], folder: str, report: Report) -> None:
    """Runs the program under `prepare_debug`: results, files that compile, and entries that the full code chooses."""
    with depyf.prepare_debug(folder):
        compiled = torch.compile(function, backend="eager")
        report.compare("dumped", run(compiled), expected)
        again = run(compiled)
        full = depyf.full_code(compiled)
    with torch.compiler.set_stance("fail_on_recompile"):
        hits = run(compiled)
    for number, (by_us, once_more, hit) in enumerate(zip(run(full), again, hits, strict=True)):
        missed = hit[0][:2] == ["list", "RuntimeError"] and "recompile" in str(hit[0])
        if by_us != once_more and not (missed and by_us[0][:2] == ["list", "NoEntryFits"]):
            report.problems.append(f"full code, call {number}: {by_us} instead of {once_more}")
    for file in sorted(Path(folder).glob("*.py")):
        try:
            compile(file.read_text("utf-8"), file.name, "exec", dont_inherit=True)
        except SyntaxError as error:
            report.problems.append(f"{file.name}: {error}")


def main() -> int:
    """Runs the command."""
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    frames = unproved = bad = 0
    for number in range(seed, seed + count):
        report = check(number)
        frames, unproved, bad = frames + report.frames, unproved + len(report.unproved), bad + bool(report.problems)
        for line in report.unproved + report.problems:
            print(f"{number}: {line}"[:400], flush=True)
    print(f"{count} programs, {frames} frames, {unproved} unproved, {bad} programs with problems")
    return int(bool(bad or unproved))


if __name__ == "__main__":
    raise SystemExit(main())
