# SPDX-License-Identifier: MIT
"""`depyf.explain.utils` of depyf 0.20: helpers for files, and classes that describe the cache entries of a function."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from types import CodeType
from typing import Any, ClassVar


@contextlib.contextmanager
def lock_on_file(path_template: str) -> Iterator[None]:
    """Hold a lock for a template, for which other threads and processes wait.

    The lock is the file `path_template + ".lock"`. A thread may lock a template again that it has already locked.
    """
    import filelock

    with filelock.FileLock(f"{path_template}.lock", is_singleton=True):  # a singleton counts the locks of a thread
        yield


def write_code_to_file_template(src: str, path_template: str) -> str:
    """Write `src` to `path_template % i` with the first i whose file is missing or has this text; return the path."""
    from depyf.torch.write.folder import DumpFolder

    directory, name = os.path.split(path_template)
    return str(DumpFolder(directory or ".").write_numbered(name, src))


def get_current_compiled_fn_name() -> str:
    """Return the name `__compiled_fn_N` of the compilation in progress.

    Outside of one, N is the latest number that Dynamo has used, -1 before the first, as in depyf 0.20.
    """
    from depyf.torch.capture import kernel_files

    return kernel_files.current_compiled_fn_name()


class CodeProxy:
    """A readable placeholder for a long text inside another text; `instances` has the texts by name."""

    instances: ClassVar[dict[str, CodeProxy]] = {}

    def __init__(self, code: str) -> None:
        self.raw_code = code
        self.code = f"CodeProxy_{len(CodeProxy.instances)}"
        CodeProxy.instances[self.code] = self

    def __str__(self) -> str:
        return self.code

    @staticmethod
    def consume_new_code(code: str) -> CodeProxy:
        """Create a placeholder with a new name for `code`."""
        return CodeProxy(code)

    @staticmethod
    def decompile_with_name(code: Any, name: str, skip_decompile: bool = False) -> str:
        """Return the source of a code object or function under the given name; "" if `skip_decompile`."""
        from ..decompiler import Decompiler

        return "" if skip_decompile else str(Decompiler(code).decompile(overwite_fn_name=name))


class CacheResult:
    """One cache entry: its transformed code, and its guards as torch prints them."""

    def __init__(self, original_code: CodeType, module: Any, cache: Any) -> None:
        self.original_code = original_code
        self.cache = cache
        self.module = module
        self.guard = str(cache.guard_manager)
        self.code = cache.code

    def to_data(self) -> dict[str, Any]:
        """Return guards, decompiled code and compile id."""
        from ..decompiler import decompile

        return {
            "guard": self.guard.splitlines(),
            "compiled_code": str(decompile(self.code)),
            "compile_id": str(getattr(self.cache, "compile_id", "")),
        }


class DynamoOptimizationResult:
    """All cache entries of one code object."""

    def __init__(self, original_code: CodeType, function_name: str | None = None, module: Any = None) -> None:
        from depyf.torch.internals import cache_entries

        self.function_name = function_name or original_code.co_name
        self.code = original_code
        self.module = module
        self.compiled_code_entries = [
            CacheResult(original_code, module, e) for e in cache_entries.cache_entries(original_code)
        ]

    def to_data(self) -> dict[str, Any]:
        """Return the name of the function and its entries."""
        return {
            "name": self.function_name,
            "compiled_code_entries": [entry.to_data() for entry in self.compiled_code_entries],
        }

    def to_src(self) -> str:
        """Return the entries as text: guards as torch prints them, then the code. `depyf.full_code` has more."""
        parts = []
        for number, entry in enumerate(self.compiled_code_entries):
            data = entry.to_data()
            guards = "".join(f"# {line}".rstrip() + "\n" for line in data["guard"])
            parts.append(
                f"# entry {number} of {self.function_name} [{data['compile_id']}]\n{guards}{data['compiled_code']}"
            )
        return "\n\n".join(parts) or f"# {self.function_name}: nothing compiled\n"


__all__ = [
    "CacheResult",
    "CodeProxy",
    "DynamoOptimizationResult",
    "get_current_compiled_fn_name",
    "lock_on_file",
    "write_code_to_file_template",
]
