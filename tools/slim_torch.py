# SPDX-License-Identifier: MIT
"""Installs PyTorch without NVIDIA's packages: 1.5 GB instead of the 5 GB that pip installs, for work on the CPU.

PyPI's wheels of torch are linked with CUDA's libraries and cannot be loaded without them, but on a machine without a
GPU nothing in them is called. So libraries of the same names are made that define the symbols, in the versions, that
torch's own libraries refer to; each is a function that returns an error, or an error text. torch's other dependencies
are installed as its metadata says.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections import defaultdict
from pathlib import Path

_NVIDIA = re.compile(r"^(nvidia|cuda|triton|pytorch-triton)\b", re.IGNORECASE)
# Prefixes of the names in NVIDIA's C interfaces.
_SYMBOL = re.compile(r"^(cu|nccl|nv|cupti)[A-Za-z_0-9]+$")
_RETURNS_TEXT = re.compile(r"String|ErrorName")
_DRIVER = "libcuda.so.1"  # installed with a GPU and not with torch, which loads it only then
_WHERE = """
import importlib.metadata as m, json
d = m.distribution("torch")
print(json.dumps([str(d.locate_file("torch/lib")), d.requires or []]))
"""


def output(command: list[str]) -> str:
    """Runs a command and returns its output; raises CalledProcessError if it fails."""
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def needed(library: Path) -> list[str]:
    """Returns the names of the libraries that a library is linked with."""
    return re.findall(r"\(NEEDED\).*\[(.+)\]", output(["readelf", "-dW", str(library)]))


def undefined(library: Path) -> set[tuple[str, str]]:
    """Returns the undefined symbols of a library that belong to CUDA, as (name, version or "")."""
    found = set()
    for line in output(["readelf", "--dyn-syms", "-W", str(library)]).splitlines():
        fields = line.split()
        if len(fields) >= 8 and fields[6] == "UND":
            name, _, version = fields[7].partition("@")
            if _SYMBOL.match(name) or version.startswith("lib"):
                found.add((name, version.strip("@")))
    return found


def versions(library: Path) -> dict[str, str]:
    """Returns the library that each symbol version comes from, as the linker recorded it: version -> library."""
    found, file = {}, ""
    for line in output(["readelf", "-VW", str(library)]).splitlines():
        if match := re.search(r"File: (\S+)", line):
            file = match[1]
        elif file and (match := re.search(r"Name: (\S+)\s+Flags", line)):
            found[match[1]] = file
    return found


def make_library(path: Path, symbols: set[tuple[str, str]]) -> None:
    """Makes a library that defines these symbols as functions that return 100 (cudaErrorNoDevice), or a text."""
    by_version: dict[str, list[str]] = defaultdict(list)
    for name, version in sorted(symbols):
        by_version[version].append(name)
    source, script = path.with_suffix(".c"), path.with_suffix(".map")
    names = sorted({name for name, _ in symbols})
    source.write_text(
        "".join(
            f'const char *{name}(void) {{ return "no GPU"; }}\n'
            if _RETURNS_TEXT.search(name)
            else f"int {name}(void) {{ return 100; }}\n"
            for name in names
        )
    )
    script.write_text("".join(f"{v} {{ global: {'; '.join([*n, ''])}}};\n" for v, n in by_version.items() if v))
    command = [
        "gcc",
        "-shared",
        "-fPIC",
        "-fno-builtin",
        "-w",
        f"-Wl,-soname,{path.name}",
        "-o",
        str(path),
        str(source),
    ]
    output([*command, *([f"-Wl,--version-script={script}"] if any(by_version) else [])])
    source.unlink()
    script.unlink()


def stand_ins(folder: Path) -> list[str]:
    """Makes the missing libraries next to torch's own, and returns their names."""
    own = sorted(folder.glob("*.so*"))
    required = {name for library in own for name in needed(library)}
    absent = required - {path.name for path in own} - {_DRIVER}
    missing = sorted(name for name in absent if name.startswith(("libcu", "libnccl", "libnv")))
    symbols: dict[str, set[tuple[str, str]]] = {name: set() for name in missing}
    for library in own if missing else []:
        belongs = versions(library)
        for name, version in undefined(library):
            target = belongs.get(version, missing[0] if not version else "")
            if target in symbols:
                symbols[target].add((name, version))
    for name in missing:
        make_library(folder / name, symbols[name])
    return missing


def install(pip: list[str], python: Path, requirement: str) -> None:
    """Installs torch and its dependencies except NVIDIA's packages; raises CalledProcessError if a step fails."""
    output([*pip, "--no-deps", requirement])
    folder, requires = json.loads(output([str(python), "-c", _WHERE]))
    output([*pip, *(r for r in requires if not _NVIDIA.match(r) and "extra ==" not in r)])
    stand_ins(Path(folder))
