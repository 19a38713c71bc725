# SPDX-License-Identifier: MIT
"""What writers need beyond what a reader asks for: of compilations, transformed code and frames that run eagerly.

Invariant: as `facts`, of which these are parts. With them and torch's own texts in `payloads.json` a dump is written
again (`write.rewrite`).
"""

from __future__ import annotations

from dataclasses import dataclass

from depyf.torch.model.location import Location
from depyf.torch.model.status import StatusReport


@dataclass(frozen=True)
class Compilation:
    """One compilation of a frame, whatever came of it.

    Attributes:
        compile_id: As torch prints it; "0/1 after reset 1" where torch counted from zero again.
        name: The frame's name as the user knows it, None where its start was not seen.
        key: Names the frame's code object within the run, None where that is not known.
        start: Where the frame begins, None where its start was not seen.
        stack: The user's frames at the call, outermost first; None where the start was not seen.
        caller: The user's line that made the call, None where it is not known.
        compiled_fn: The global of the program that holds the compiled graph, None where there is none.
        sizes: Symbol of a size or number to its value in the call compiled for.

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
    """What Dynamo made of a frame, besides the text: what it takes and reads. Values are Python, as text.

    Attributes:
        key: Names the frame's original code object within the run.
        rank: Position among the frame's entries as torch tries them, from 0.
        module: Whose globals the frame has, "" where that is not known.
        signature: The parameters, without defaults.
        parameters: The parameters with their defaults.
        arguments: Names of the parameters.
        free_variables: Names of the free variables.
        compiled_fn: The program's global that holds the compiled graph, "" where there is none.
        resume_codes: Resume function to the key of its code.
        continues: Resume function to where it continues, where that is known.
        modules: Global to the module that it refers to.
        live_names: Other globals that the text or the guards read.
        values: Global to its value when it was compiled.
        free_values: Free variable to its value when it was compiled.
        opaque: Placeholder in the text to what it represents.
        on_stack: Of a resume function: what lay on the evaluation stack (`___stack0`) to the expression that left it.
        has_breakpoints: Whether what runs names lines of the file, so that breakpoints in it are hit.
        wraps: What a function of PyTorch's calls for the user: its name, and where it begins.
        failure: Why there is no usable text, "" where there is one.

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
    """A frame whose calls run eagerly: all of them, or (recompile limit) those that no entry takes.

    Attributes:
        name: As the program's text has it: `Model.forward`.
        location: Where it begins.
        signature: The parameters, without defaults.
        arguments: Names of the parameters.
        free_variables: Names of the free variables.
        verdict: How sure the text of its own code is.
        status: What becomes of a call, and torch's reason.

    """

    name: str
    location: Location
    signature: str
    arguments: tuple[str, ...]
    free_variables: tuple[str, ...]
    verdict: str
    status: StatusReport
