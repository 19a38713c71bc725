# SPDX-License-Identifier: MIT
"""What torch's structured log (TORCH_TRACE) says of kernels, nodes and source lines, and where depyf says otherwise.

Reads torch's own artifacts: the code of Inductor with its debug handles, the node mappings, the kernels' stack traces,
and the comments of captured graphs. What torch lists beside a graph's kernels that are of earlier backward graphs is
told apart by the handles that stand in the code.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch

_TORCH = os.path.join(os.path.dirname(torch.__file__), "")
_POST_GRAD = ("after_post_grad_graph", "inductor_post_grad_graph")  # names of the artifact; torch 2.9 has both
_HANDLE = re.compile(r"\[Provenance debug handles\] (\S+):(\d+)$", re.MULTILINE)
_FRAME = re.compile(r'^  File "(.+)", line (\d+), in .*(?:\n    (\w*))?', re.MULTILINE)
_COMMENT = r"\s*# (?:(?:Annotation|ac_graph_id|recompute): .*? )?File: "  # torch/fx/graph.py
_ABOVE = re.compile(rf"^{_COMMENT}(.+?):(\d+) in ")
_NODE = re.compile(r'^\s+(\w+)(?:: "[^"]*")? = ')

Place = tuple[str, int]


@dataclass(frozen=True)
class Launch:
    """A launch of a kernel, in torch's words. `nodes`: None where torch logs none, as for backward graphs.

    Where torch logs no stack, since all nodes are inputs, which have none: `lines` are those that read the inputs.
    """

    compile_id: str
    name: str
    handle: int
    lines: frozenset[Place]
    stack: frozenset[Place]  # all lines of the stacks, callers included
    nodes: frozenset[str] | None


@dataclass
class Told:
    """A log: its kernels, and the nodes of captured graphs by the line that they come from."""

    launches: list[Launch] = field(default_factory=list)
    nodes_of: dict[Place, set[str]] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Launch]:
        return iter(self.launches)

    def __len__(self) -> int:
        return len(self.launches)


def read(trace: Path, torch_folder: str = _TORCH) -> Told:
    """The one log of a folder that TORCH_TRACE named. `torch_folder`: where torch lay, which wrote it."""
    (log,) = trace.glob("*.log")
    told = Told()
    code: dict[str, str] = {}
    mappings: dict[str, Any] = {}
    graphs: dict[str, str] = {}
    places: dict[str, dict[str, Place]] = {}  # by compile id and node of the captured graph
    for metadata, payload in records(log.read_text("utf-8", "surrogateescape")):
        compile_id = _compile_id(metadata)
        artifact = metadata.get("artifact", {}).get("name")
        if "inductor_output_code" in metadata:
            code[compile_id] = payload
        elif "dynamo_output_graph" in metadata:
            of_graph: dict[Place, set[str]] = {}
            _note_nodes(payload, of_graph)
            places[compile_id] = {node: place for place, nodes in of_graph.items() for node in nodes}
            for place, nodes in of_graph.items():
                told.nodes_of.setdefault(place, set()).update(nodes)
        elif artifact in _POST_GRAD or "inductor_post_grad_graph" in metadata:
            graphs[compile_id] = payload
        elif artifact == "inductor_provenance_tracking_node_mappings":
            mappings[compile_id] = json.loads(payload or "{}")
        elif artifact == "inductor_provenance_tracking_kernel_stack_traces":
            stacks = json.loads(payload or "{}")
            nodes = mappings.get(compile_id, {}).get("cppCodeToPost")
            for name, number in _HANDLE.findall(code.get(compile_id, "")):
                of_node = places.get(compile_id, {})
                launch = _launch(compile_id, name, int(number), stacks, nodes, torch_folder, of_node)
                if not stacks.get(f"{name}:{number}"):
                    read_by = frozenset(_readers(graphs.get(compile_id, ""), launch.nodes or frozenset()))
                    launch = replace(launch, lines=read_by, stack=read_by)
                told.launches.append(launch)
    return told


def records(text: str) -> Iterator[tuple[dict[str, Any], str]]:
    """The metadata and the payload of each record of a structured log."""
    for record in re.split(r"\n(?=[VIWEC]\d{4} )", text):
        head, _, rest = record.partition("\n")
        start = head.find("] {")
        if start >= 0:
            yield json.loads(head[start + 2 :]), "\n".join(line.removeprefix("\t") for line in rest.split("\n"))


def _compile_id(metadata: dict[str, Any]) -> str:
    """Torch's words for a compilation (torch/_guards.py, CompileId.__str__)."""
    autograd = metadata.get("compiled_autograd_id")
    frame = f"{metadata.get('frame_id')}/{metadata.get('frame_compile_id')}"
    return frame if autograd is None else f"!{autograd}/{frame}"


def _launch(
    compile_id: str, name: str, number: int, stacks: Any, nodes: Any, torch_folder: str, of_node: dict[str, Place]
) -> Launch:
    key = f"{name}:{number}"
    read_ = [
        [
            place
            for path, line, code in _FRAME.findall(stack)
            if (place := of_node.get(code) if path.startswith("<") else (path, int(line)))  # "<": a graph's code
            and not place[0].startswith((torch_folder, "<"))
        ]
        for stack in stacks.get(key, [])
    ]
    return Launch(
        compile_id, name, number,
        frozenset(stack[-1] for stack in read_ if stack),
        frozenset(place for stack in read_ for place in stack),
        None if nodes is None else frozenset(nodes.get(key, [])),
    )  # fmt: skip


def _readers(graph: str, inputs: frozenset[str]) -> Iterator[Place]:
    """The lines of the nodes of a printed graph that take one of the inputs."""
    for part in re.split(rf"\n(?={_COMMENT})", graph):
        first, _, rest = part.partition("\n")
        if (found := _ABOVE.match(first)) is not None:
            block = rest.split("\n\n", 1)[0]
            arguments = " ".join(re.findall(r" = (.*?)(?:;  |$)", block, re.MULTILINE))
            if inputs & set(re.findall(r"\w+", arguments)):
                yield found[1], int(found[2])


def _note_nodes(graph: str, nodes_of: dict[Place, set[str]]) -> None:
    place: Place | None = None
    for line in graph.split("\n"):
        if found := _ABOVE.match(line):
            is_nodes_name = line.startswith("set_node_origin,", found.end())  # by compiled autograd: no line of code
            place = None if is_nodes_name else (found[1], int(found[2]))
        elif not line.strip() or line.lstrip().startswith("return "):
            place = None
        elif place is not None and (node := _NODE.match(line)):
            nodes_of.setdefault(place, set()).add(node[1])


def differences(told: Told, index: dict[str, Any]) -> list[str]:
    """Where the kernels of an `index.json` are others than torch's, or have other lines or nodes."""

    def places(kernel: dict[str, Any], *names: str) -> frozenset[Place]:
        return frozenset((place["path"], place["line"]) for name in names for place in kernel[name])

    found = []
    theirs: dict[tuple[str, str, int], list[Launch]] = {}
    for launch in told:
        theirs.setdefault((launch.compile_id, launch.name, launch.handle), []).append(launch)
    ours: dict[tuple[str, str, int], list[dict[str, Any]]] = {}
    for kernel in index["kernels"]:
        ours.setdefault((kernel["compile_id"], kernel["name"], kernel["handle"]), []).append(kernel)
    for key in dict.fromkeys([*theirs, *ours]):
        mine, others = ours.get(key, []), theirs.get(key, [])
        if len(mine) != len(others):
            found.append(f"{key}: {len(mine)} launches, torch logs {len(others)}")
            continue
        for kernel, launch in zip(mine, others, strict=True):
            if places(kernel, "source_lines") != launch.lines:
                found.append(f"{key}: lines {sorted(places(kernel, 'source_lines') ^ launch.lines)}")
            if places(kernel, "source_lines", "callers") != launch.stack:
                found.append(f"{key}: stack {sorted(places(kernel, 'source_lines', 'callers') ^ launch.stack)}")
            if launch.nodes is not None and frozenset(kernel["nodes"]) != launch.nodes:
                found.append(f"{key}: nodes {sorted(frozenset(kernel['nodes']) ^ launch.nodes)}")
    return found


def where_differences(told: Told, where: Callable[[str, int], dict[str, Any]]) -> list[str]:
    """For each line that computes, in torch's captured graphs, what `depyf where --json` leaves out or adds."""
    found = []
    for path, line in sorted(told.nodes_of):
        said = where(path, line)
        captured = {o["text"].split(":")[0].split(" ")[0] for o in said["operations"] if "captured" in o["stage"]}
        if captured != told.nodes_of[path, line]:
            found.append(f"{path}:{line}: nodes {sorted(captured ^ told.nodes_of[path, line])}")
        kernels = sorted((k["entry"], k["kernel"]) for k in said["kernels"])
        wanted = sorted((k.compile_id, f"{k.name}:{k.handle}") for k in told if (path, line) in k.stack)
        if kernels != wanted:
            found.append(f"{path}:{line}: kernels {kernels}, torch logs {wanted}")
    return found
