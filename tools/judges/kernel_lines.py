# SPDX-License-Identifier: MIT
"""What torch's structured log (TORCH_TRACE) says of kernels, nodes and source lines, and how depyf differs from it.

Reads torch's own artifacts: Inductor's output code with its debug handles, the node mappings, the kernels' stack
traces, and the comments of captured graphs. Along with a graph's kernels, torch lists those of earlier backward graphs;
they are told apart by the debug handles in the code.
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
_POST_GRAD = ("after_post_grad_graph", "inductor_post_grad_graph")  # names of the artifact; torch 2.9 writes both
_HANDLE = re.compile(r"\[Provenance debug handles\] (\S+):(\d+)$", re.MULTILINE)
_FRAME = re.compile(r'^  File "(.+)", line (\d+), in .*(?:\n    (\w*))?', re.MULTILINE)
_COMMENT = r"\s*# (?:(?:Annotation|ac_graph_id|recompute): .*? )?File: "  # torch/fx/graph.py
_HEADER = re.compile(rf"^{_COMMENT}(.+?):(\d+) in ")
_NODE = re.compile(r'^\s+(\w+)(?:: "[^"]*")? = ')

Place = tuple[str, int]


@dataclass(frozen=True)
class Launch:
    """A launch of a kernel, as torch logs it. `nodes` is None if torch logs none, as for backward graphs.

    If torch logs no stack because all nodes are inputs, `lines` are the lines of the nodes that read the inputs.
    """

    compile_id: str
    name: str
    handle: int
    lines: frozenset[Place]
    stack: frozenset[Place]  # all lines of the stacks, including callers
    nodes: frozenset[str] | None


@dataclass
class Log:
    """The contents of a log: its kernel launches, and the nodes of captured graphs by source line."""

    launches: list[Launch] = field(default_factory=list)
    nodes_of: dict[Place, set[str]] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Launch]:
        return iter(self.launches)

    def __len__(self) -> int:
        return len(self.launches)


def read(trace: Path, torch_folder: str = _TORCH) -> Log:
    """Reads the only log of a folder of TORCH_TRACE. `torch_folder` is the folder of the torch that wrote it."""
    (file,) = trace.glob("*.log")
    log = Log()
    code: dict[str, str] = {}
    mappings: dict[str, Any] = {}
    graphs: dict[str, str] = {}
    places: dict[str, dict[str, Place]] = {}  # by compile id and node of the captured graph
    for metadata, payload in records(file.read_text("utf-8", "surrogateescape")):
        compile_id = _compile_id(metadata)
        artifact = metadata.get("artifact", {}).get("name")
        if "inductor_output_code" in metadata:
            code[compile_id] = payload
        elif "dynamo_output_graph" in metadata:
            of_graph: dict[Place, set[str]] = {}
            _note_nodes(payload, of_graph)
            places[compile_id] = {node: place for place, nodes in of_graph.items() for node in nodes}
            for place, nodes in of_graph.items():
                log.nodes_of.setdefault(place, set()).update(nodes)
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
                log.launches.append(launch)
    return log


def records(text: str) -> Iterator[tuple[dict[str, Any], str]]:
    """Yields the metadata and the payload of each record of a structured log."""
    for record in re.split(r"\n(?=[VIWEC]\d{4} )", text):
        head, _, rest = record.partition("\n")
        start = head.find("] {")
        if start >= 0:
            yield json.loads(head[start + 2 :]), "\n".join(line.removeprefix("\t") for line in rest.split("\n"))


def _compile_id(metadata: dict[str, Any]) -> str:
    """Returns the compile id in torch's notation (torch/_guards.py, CompileId.__str__)."""
    autograd = metadata.get("compiled_autograd_id")
    frame = f"{metadata.get('frame_id')}/{metadata.get('frame_compile_id')}"
    return frame if autograd is None else f"!{autograd}/{frame}"


def _launch(
    compile_id: str, name: str, number: int, stacks: Any, nodes: Any, torch_folder: str, of_node: dict[str, Place]
) -> Launch:
    key = f"{name}:{number}"
    stack_places = [
        [
            place
            for path, line, code in _FRAME.findall(stack)
            if (place := of_node.get(code) if path.startswith("<") else (path, int(line)))  # "<": code of a graph
            and not place[0].startswith((torch_folder, "<"))
        ]
        for stack in stacks.get(key, [])
    ]
    return Launch(
        compile_id, name, number,
        frozenset(stack[-1] for stack in stack_places if stack),
        frozenset(place for stack in stack_places for place in stack),
        None if nodes is None else frozenset(nodes.get(key, [])),
    )  # fmt: skip


def _readers(graph: str, inputs: frozenset[str]) -> Iterator[Place]:
    """Yields the lines of those nodes of a printed graph that read one of the inputs."""
    for part in re.split(rf"\n(?={_COMMENT})", graph):
        first, _, rest = part.partition("\n")
        if (header := _HEADER.match(first)) is not None:
            block = rest.split("\n\n", 1)[0]
            arguments = " ".join(re.findall(r" = (.*?)(?:;  |$)", block, re.MULTILINE))
            if inputs & set(re.findall(r"\w+", arguments)):
                yield header[1], int(header[2])


def _note_nodes(graph: str, nodes_of: dict[Place, set[str]]) -> None:
    place: Place | None = None
    for line in graph.split("\n"):
        if header := _HEADER.match(line):
            is_node_name = line.startswith("set_node_origin,", header.end())  # compiled autograd: not a source line
            place = None if is_node_name else (header[1], int(header[2]))
        elif not line.strip() or line.lstrip().startswith("return "):
            place = None
        elif place is not None and (node := _NODE.match(line)):
            nodes_of.setdefault(place, set()).add(node[1])


def differences(log: Log, index: dict[str, Any]) -> list[str]:
    """Returns how the kernels of an `index.json` differ from torch's, and from their lines and nodes."""

    def places(kernel: dict[str, Any], *names: str) -> frozenset[Place]:
        return frozenset((place["path"], place["line"]) for name in names for place in kernel[name])

    found = []
    theirs: dict[tuple[str, str, int], list[Launch]] = {}
    for launch in log:
        theirs.setdefault((launch.compile_id, launch.name, launch.handle), []).append(launch)
    ours: dict[tuple[str, str, int], list[dict[str, Any]]] = {}
    for kernel in index["kernels"]:
        ours.setdefault((kernel["compile_id"], kernel["name"], kernel["handle"]), []).append(kernel)
    for key in dict.fromkeys([*theirs, *ours]):
        depyf_kernels, torch_launches = ours.get(key, []), theirs.get(key, [])
        if len(depyf_kernels) != len(torch_launches):
            found.append(f"{key}: {len(depyf_kernels)} launches; torch logs {len(torch_launches)}")
            continue
        for kernel, launch in zip(depyf_kernels, torch_launches, strict=True):
            if places(kernel, "source_lines") != launch.lines:
                found.append(f"{key}: lines {sorted(places(kernel, 'source_lines') ^ launch.lines)}")
            if places(kernel, "source_lines", "callers") != launch.stack:
                found.append(f"{key}: stack {sorted(places(kernel, 'source_lines', 'callers') ^ launch.stack)}")
            if launch.nodes is not None and frozenset(kernel["nodes"]) != launch.nodes:
                found.append(f"{key}: nodes {sorted(frozenset(kernel['nodes']) ^ launch.nodes)}")
    return found


def where_differences(log: Log, where: Callable[[str, int], dict[str, Any]]) -> list[str]:
    """Compares, for each line with nodes in torch's captured graphs, the output of `depyf where --json`."""
    found = []
    for path, line in sorted(log.nodes_of):
        answer = where(path, line)
        captured = {o["text"].split(":")[0].split(" ")[0] for o in answer["operations"] if "captured" in o["stage"]}
        if captured != log.nodes_of[path, line]:
            found.append(f"{path}:{line}: nodes {sorted(captured ^ log.nodes_of[path, line])}")
        kernels = sorted((k["entry"], k["kernel"]) for k in answer["kernels"])
        wanted = sorted((k.compile_id, f"{k.name}:{k.handle}") for k in log if (path, line) in k.stack)
        if kernels != wanted:
            found.append(f"{path}:{line}: kernels {kernels}; torch logs {wanted}")
    return found
