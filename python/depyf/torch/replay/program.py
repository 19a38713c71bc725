# SPDX-License-Identifier: MIT
"""Gives the scripts of a dump access to the names that the program's `__main__` file defines.

Invariant: of that file, only the statements that `Definitions` selects are run. In a process that runs the program
itself, `__main__` stays as it is.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from depyf.torch.model.facts import Run
from depyf.torch.replay.definitions import Definitions

WHERE = "DEPYF_PROGRAM"  # environment variable: where the program's file is now


class NotThere(LookupError):
    """The program's file, or a name in it, is not available; the message says why."""


def program(script: str) -> None:
    """Replaces `__main__` by the program's definitions if a script of a dump runs, and makes its modules importable.

    Args:
        script: The file of the script. The `index.json` next to it names the program's file.

    """
    main = sys.modules.get("__main__")
    if main is None or not _is_same(getattr(main, "__file__", None), script):
        return  # the script was imported, by the program itself or by another one
    file, package = _named_by(script)
    sys.modules["__main__"] = _Program(main, file, package)
    if file is not None:
        root = file.parents[package.count(".") + 1 if package else 0]
        sys.path.append(str(root))


def _is_same(file: Any, other: str) -> bool:
    return isinstance(file, str) and os.path.realpath(file) == os.path.realpath(other)


def _named_by(script: str) -> tuple[Path | None, str]:
    """Returns the program's file, or None if it is not known, and the package that it was run in."""
    package, file = "", os.environ.get(WHERE)
    with contextlib.suppress(OSError, ValueError):  # the index is missing, or was written by another version
        run = Run.load(Path(os.path.abspath(script)).with_name("index.json"))
        if run.program is not None:
            file, package = file or run.program.file, run.program.package
    return Path(os.path.abspath(file)) if file else None, package


class _Program(ModuleType):
    """A substitute for the program's `__main__`, which defines a name when it is looked up."""

    def __init__(self, script: ModuleType, file: Path | None, package: str) -> None:
        super().__init__("__main__")
        self.__file__ = str(file if file is not None else script.__file__)  # `inspect` needs one
        vars(self).update(_depyf_script=script, _depyf_file=file, _depyf_package=package)  # the script keeps its names

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        if name == "_depyf_names":
            self._depyf_names = value = self._read()
        else:
            try:
                value = self._depyf_names[name]
            except KeyError:
                raise NotThere(f"{self.__file__} defines no {name} at its top level") from None
            setattr(self, name, value)
        return value

    def _read(self) -> Definitions:
        if self._depyf_file is None:
            raise NotThere(f"the program's file is not known; {WHERE}=program.py tells which it is")
        try:
            return Definitions(self._depyf_file, self._depyf_package)
        except OSError:
            raise NotThere(f"{self.__file__} is not there; {WHERE}=program.py tells where it is now") from None
        except (SyntaxError, ValueError) as error:
            raise NotThere(f"{self.__file__} is no Python any more: {error}") from None
