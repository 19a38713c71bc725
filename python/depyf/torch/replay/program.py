# SPDX-License-Identifier: MIT
"""The program of a dump, for the scripts in it: what the file that ran as `__main__` defines.

Invariant: of that file nothing runs but what `Definitions` says. A process that runs the program keeps its `__main__`.
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

WHERE = "DEPYF_PROGRAM"  # the environment variable that tells where the program's file is now


class NotThere(LookupError):
    """The program's file, or a name in it, cannot be had here; says why."""


def program(script: str) -> None:
    """Puts what the program defines in the place of `__main__`, where that is a script of a dump; finds its modules.

    Args:
        script: The script; `index.json` beside it names the program's file.

    """
    main = sys.modules.get("__main__")
    if main is None or not _is_same(getattr(main, "__file__", None), script):
        return  # the program itself, or another one, that imports the script
    file, package = _named_by(script)
    sys.modules["__main__"] = _Program(main, file, package)
    if file is not None:
        root = file.parents[package.count(".") + 1 if package else 0]
        sys.path.append(str(root))


def _is_same(file: Any, other: str) -> bool:
    return isinstance(file, str) and os.path.realpath(file) == os.path.realpath(other)


def _named_by(script: str) -> tuple[Path | None, str]:
    """The program's file and the package that it was run in."""
    package, given = "", os.environ.get(WHERE)
    with contextlib.suppress(OSError, ValueError):  # moved without the index, or written by another version
        run = Run.load(Path(os.path.abspath(script)).with_name("index.json"))
        if run.program is not None:
            given, package = given or run.program.file, run.program.package
    return Path(os.path.abspath(given)) if given else None, package


class _Program(ModuleType):
    """Stands for the program's `__main__`: has a name of it once that is asked for."""

    def __init__(self, script: ModuleType, file: Path | None, package: str) -> None:
        super().__init__("__main__")
        self.__file__ = str(file if file is not None else script.__file__)  # `inspect` asks for one
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
