# SPDX-License-Identifier: MIT
"""Facts that only the writers of files need: about compilations, transformed code and frames that run eagerly.

The invariant of `facts` holds here, too. `write.rewrite` writes a dump again from them and from torch's texts in
`payloads.json`.
"""

from __future__ import annotations

from dataclasses import dataclass

from depyf.torch.model.location import Location
from depyf.torch.model.status import StatusReport


@dataclass(frozen=True)
class Compilation:
    """One compilation of a frame, successful or not.

    Attributes:
        compile_id: Torch's compile id; "0/1 after reset 1" if torch has started to count from zero again.
        name: The frame's name as the user knows it, None if its start was not seen.
        key: Identifies the frame's code object within the run, None if unknown.
        start: The first line of the frame, None if its start was not seen.
        stack: The user's frames at the call, outermost first; None if the start was not seen.
        caller: The user's line that made the call, None if unknown.
        compiled_fn: The global variable that holds the compiled graph, None if there is no graph.
        sizes: Values of the symbols (sizes and numbers) in the call that was compiled.

    """

    compile_id: str
    name: str | None
    key: str | None
    start: Location | None
    stack: tuple[Location, ...] | None
    caller: Location | None
    compiled_fn: str | None
    sizes: dict[str, int | float]


@dataclass(frozen=True)
class TransformedCode:
    """Facts about the code that Dynamo generated for a frame, in addition to its text. Values are Python expressions.

    Attributes:
        key: Identifies the frame's original code object within the run.
        rank: Position among the frame's entries in the order in which torch tries them, from 0.
        module: Name of the module whose globals the frame has, "" if unknown.
        signature: The parameters, without defaults.
        parameters: The parameters with their defaults.
        arguments: Names of the parameters.
        free_variables: Names of the free variables.
        compiled_fn: The global variable that holds the compiled graph, "" if there is none.
        resume_codes: Keys of the code objects of resume functions, by name.
        continues: Lines at which resume functions continue, by name, if known.
        modules: Modules to which global variables refer, by variable.
        live_names: Other global variables that the text or the guards read.
        values: Values of global variables during the compilation.
        free_values: Values of free variables during the compilation.
        opaque: Values that placeholders in the text stand for.
        on_stack: For a resume function, the expressions that produced values on the evaluation stack (`___stack0`).
        has_breakpoints: Whether the running code has the line numbers of the file, so that breakpoints in it are hit.
        wraps: Name and first line of the user's function, if the frame is a wrapper of PyTorch's that calls it.
        failure: Why there is no usable text, "" if there is one.

    """

    key: str
    rank: int
    module: str
    signature: str
    parameters: str
    arguments: tuple[str, ...]
    free_variables: tuple[str, ...]
    compiled_fn: str
    resume_codes: dict[str, str]
    continues: dict[str, Location]
    modules: dict[str, str]
    live_names: tuple[str, ...]
    values: dict[str, str]
    free_values: dict[str, str]
    opaque: dict[str, str]
    on_stack: dict[str, str]
    has_breakpoints: bool
    wraps: Location | None
    failure: str


@dataclass(frozen=True)
class EagerFrame:
    """A frame whose calls run eagerly: all of them, or (recompile limit) those that no entry accepts.

    Attributes:
        name: Qualified name in the program: `Model.forward`.
        location: First line of the frame.
        signature: The parameters, without defaults.
        arguments: Names of the parameters.
        free_variables: Names of the free variables.
        verdict: The verdict on the text of its own code.
        status: What happens to calls, and torch's reason.

    """

    name: str
    location: Location
    signature: str
    arguments: tuple[str, ...]
    free_variables: tuple[str, ...]
    verdict: str
    status: StatusReport
