# SPDX-License-Identifier: MIT
"""Which folder a process dumps into, and whose files in it may go.

Files lie in the very folder that was passed. Invariants: a folder belongs to one process at a time, from its first dump
there to the end of the process (an operating-system lock: it goes with the process, however that ends); a new run
removes what the last run's index lists and is unchanged since, and nothing else; nothing is removed where the folder
cannot be locked. It decides no file names and writes no file of a dump but the index.
"""

from __future__ import annotations

import atexit
import contextlib
import datetime
import itertools
import json
import logging
import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from depyf.torch.model.caches import CacheEvent
from depyf.torch.model.facts import Process, Run
from depyf.torch.model.folders import process_folders, rank_folders
from depyf.torch.model.serialization import decode
from depyf.torch.write.folder import DumpFolder, digest_of, digests

if TYPE_CHECKING:
    from filelock import BaseFileLock

LOCK = ".depyf.lock"
_LISTINGS = ("ranks.json", "index.json")  # files that list others, with digests
REPORT = "report.html"
PAYLOADS = "payloads.json"
_BEGAN = time.time()
_STAGGERED = 600.0  # seconds: ranks begin one after the other, on nodes whose clocks differ


# ---- this process among others


_rank_of_group: int | None = None  # kept when the process leaves its group: the index is written later


def rank() -> int | None:
    """The rank of this process as torchrun and its like tell it, else in its process group, or None outside of both.

    Of those that a program spawns itself (`torch.multiprocessing.spawn`), their group alone tells, once they join it.
    """
    global _rank_of_group
    number, size = os.environ.get("RANK", ""), os.environ.get("WORLD_SIZE", "1")
    if number.isdigit() and size.isdigit() and int(size) > 1:
        return int(number)
    group = sys.modules.get("torch.distributed")  # a program that has a group has imported it
    is_initialized = getattr(group, "is_initialized", None)  # not in builds without it
    if group is not None and is_initialized is not None and is_initialized() and group.get_world_size() > 1:
        _rank_of_group = group.get_rank()
    return _rank_of_group


def launch() -> str:
    """What the ranks of one run have in common: torchrun's id of it, else the process that started them."""
    given = os.environ.get("TORCHELASTIC_RUN_ID", "none")
    return given if given != "none" else f"{socket.gethostname()}:{os.getppid()}"


def _may_be_of_this_run(run: dict[str, Any]) -> bool:
    """Whether the dump of an index may be another rank's of this very run; where that is not known, it may.

    Only torchrun tells all ranks of a run the same (its id, or one parent on one node): other launchers start them from
    a shell each, and on several nodes. Of those, what was written long before this process began is of an earlier run.
    """
    if run.get("launch") == launch():
        return True
    given = os.environ.get("TORCHELASTIC_RUN_ID")
    is_one_node = os.environ.get("LOCAL_WORLD_SIZE") == os.environ.get("WORLD_SIZE")
    if given is not None and (given != "none" or is_one_node):
        return False
    try:
        return datetime.datetime.fromisoformat(run["written"]).timestamp() > _BEGAN - _STAGGERED
    except (KeyError, TypeError, ValueError):
        return True


def process_folder() -> str:
    """The name of the folder below a held one that is this process's own."""
    return f"process_{os.getpid()}" if rank() is None else f"rank_{rank()}"


# ---- holding a folder


_last_answers: dict[str, tuple[CacheEvent, ...]] = {}  # folder -> of caches, in the run whose files it held before
_held: dict[str, BaseFileLock | None] = {}  # folders of this process, links resolved; None: it cannot be locked
_state = threading.RLock()


def claim(path: str | os.PathLike[str]) -> Path:
    """The folder to dump into: `path`, or one below it where another live process or rank has that.

    The last run's files are removed, once in a process. Raises OSError if the folder cannot be made.
    """
    base = Path(os.path.abspath(os.fspath(path)))
    candidates = list(dict.fromkeys([base, base / process_folder(), base / f"process_{os.getpid()}"]))
    with _state:
        for folder in candidates:
            if _key(folder) in _held:
                return folder
        for folder in candidates:
            if hold(folder):
                return folder
    return candidates[-1]


def hold(folder: Path) -> bool:
    """Takes a folder for this process unless another one has it; then it is free of the last run's files."""
    rank()  # while there is a group that tells
    with _state:
        if _key(folder) in _held:
            return True
        folder.mkdir(parents=True, exist_ok=True)
        try:
            lock = _lock(folder)
        except (OSError, NotImplementedError, ImportError):  # no locks here: then nothing is removed either
            _held[_key(folder)] = None
            return True
        if lock is None:
            return False
        if _is_of_another_rank(folder):
            _release(folder, lock)
            return False
        _held[_key(folder)] = lock
        _last_answers[_key(folder)] = _answers_of(folder)
        _remove_last_run(folder)
        return True


def clear_processes(base: Path) -> None:
    """Removes what processes left below a folder in earlier runs, unless a process has the folder.

    The folder's own files stay until a process takes it, which compares the answers of caches with those of that run.
    """
    with _free(base) as is_free:
        if is_free:
            _remove_listed(base, "ranks.json")
            _remove_processes(base)


def clear_index(base: Path, last: dict[str, Any]) -> None:
    """Removes the folder's own files where its index is still this one, of an earlier run, and no process has it."""
    with _free(base) as is_free:
        if is_free and listing(base / "index.json") == last:
            _remove_listed(base, "index.json")


def remove_ranks_of_earlier_runs(base: Path) -> None:
    """Removes what ranks left in earlier runs: the ranks of this one may be fewer, and none may have `base` itself."""
    for below in rank_folders(base):
        _remove_process_folder(below)
    compared = listing(base / "ranks.json")
    if compared is not None and not _may_be_of_this_run(compared["run"]):
        _remove_listed(base, "ranks.json")


def _key(folder: Path) -> str:
    return os.path.realpath(folder)


def _lock(folder: Path) -> BaseFileLock | None:
    """The folder's lock, taken; None where another process has it."""
    from filelock import FileLock, Timeout

    lock = FileLock(folder / LOCK, thread_local=False)
    with _unlogged():
        try:
            lock.acquire(timeout=0)
        except Timeout:
            return None
    return lock


@contextlib.contextmanager
def _unlogged() -> Iterator[None]:
    """Keeps what filelock logs of this thread's locks out of the program's log: they are not the program's."""
    here, logger = threading.get_ident(), logging.getLogger("filelock")

    def is_of_others(record: logging.LogRecord) -> bool:
        return record.thread != here

    logger.addFilter(is_of_others)
    try:
        yield
    finally:
        logger.removeFilter(is_of_others)


@contextlib.contextmanager
def _free(folder: Path) -> Iterator[bool]:
    """Whether the folder is there and no process has it, or can take it within the block."""
    lock = None
    with contextlib.suppress(OSError, NotImplementedError, ImportError):  # no locks here
        lock = _lock(folder) if folder.is_dir() and _key(folder) not in _held else None
    try:
        yield lock is not None
    finally:
        if lock is not None:
            _release(folder, lock)


def _release(folder: Path, lock: BaseFileLock) -> None:
    """Gives a folder back; the lock's file goes first, so that nobody takes the lock of a file that is gone."""
    _unlink(folder / LOCK)
    with contextlib.suppress(Exception), _unlogged():  # another thread may fork or end at this moment
        lock.release()


def _release_all() -> None:
    with _state:
        for folder, lock in _held.items():
            if lock is not None:
                _release(Path(folder), lock)
        _held.clear()


atexit.register(_release_all)  # registered before any session is: they end first


def _after_fork() -> None:
    global _state, _rank_of_group
    _rank_of_group = None  # a group has no forks of its processes
    _state = threading.RLock()
    _held.clear()  # the parent has them; filelock closes the child's copies


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_after_fork)


@contextlib.contextmanager
def locked(file: Path) -> Iterator[None]:
    """Keeps other processes (of the same block) waiting; where there are no locks, nobody is kept."""
    try:
        from filelock import FileLock

        lock = FileLock(file, timeout=10)
        with _unlogged():
            lock.acquire()
    except (OSError, NotImplementedError, ImportError):  # a Timeout is an OSError
        yield
        return
    try:
        yield
    finally:
        with _unlogged():
            lock.release()


# ---- the last run's files


def listing(file: Path) -> dict[str, Any] | None:
    """An index that depyf has written, as data; None if it is not there or something else."""
    try:
        data = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    is_ours = isinstance(data, dict) and isinstance(data.get("digests"), dict) and isinstance(data.get("run"), dict)
    return data if is_ours else None


def last_answers(folder: Path) -> tuple[CacheEvent, ...]:
    """What torch's caches answered in the run whose files the folder held before this process took it."""
    return _last_answers.get(_key(folder), ())


def _answers_of(folder: Path) -> tuple[CacheEvent, ...]:
    last = listing(folder / "index.json")
    try:
        return decode(tuple[CacheEvent, ...], (last or {}).get("cache_events", []))
    except ValueError:  # of another release of depyf
        return ()


def _is_of_another_rank(folder: Path) -> bool:
    """Whether another rank of this very run has dumped there; it may have ended since."""
    last = listing(folder / "index.json")
    if last is None or rank() is None:
        return False
    run = last["run"]
    return run.get("rank") not in (None, rank()) and _may_be_of_this_run(run)


def _remove_last_run(folder: Path) -> None:
    """Removes what the folder's index lists and nobody has edited; what has the index's names and is not it is kept."""
    for name in _LISTINGS:
        _remove_listed(folder, name)
    for name in ("index.md", "index.json", "ranks.md", "ranks.json", REPORT, PAYLOADS):
        _set_aside(folder / name)
    _remove_processes(folder)


def _remove_processes(base: Path) -> None:
    for below in process_folders(base):
        _remove_process_folder(below)


def _remove_listed(folder: Path, name: str) -> None:
    """Removes what a listing of the folder lists and nobody has edited, and the listing."""
    last = listing(folder / name)
    for file, digest in (last["digests"] if last is not None else {}).items():
        if Path(file).name == file and _is_unchanged(folder / file, digest):
            _unlink(folder / file)
    if last is not None:  # last of all: if this is interrupted, the next run resumes it
        _unlink(folder / name)


def _unlink(file: Path) -> None:
    with contextlib.suppress(OSError):  # somebody else's, or open elsewhere: then it stays
        file.unlink()


def _is_unchanged(file: Path, digest: object) -> bool:
    try:
        return digest_of(file.read_bytes()) == digest
    except OSError:
        return False


def _set_aside(file: Path) -> None:
    """Renames a file that somebody else has written, or edited, under a name that depyf needs."""
    if not file.exists():
        return
    kept = (file.with_name(f"{file.stem}_kept_{i}{file.suffix}") for i in itertools.count())
    with contextlib.suppress(OSError):
        os.rename(file, next(k for k in kept if not k.exists()))


def _remove_process_folder(folder: Path) -> None:
    """Removes the dump of another process of an earlier run, if it has ended."""
    last = listing(folder / "index.json")
    if last is None or (rank() is not None and _may_be_of_this_run(last["run"])):
        return
    with _free(folder) as is_free:
        if not is_free:
            return
        _remove_last_run(folder)
    with contextlib.suppress(OSError):  # something else lies there
        folder.rmdir()


# ---- the index


def write_index(
    folder: DumpFolder, run: Run, markdown: Callable[[Run], str], complete: bool, of_rank: int | None = None
) -> Run:
    """Writes `index.md` and `index.json`, which lists the files of this process, so that a new run can replace them.

    `markdown`: index.md of a run. `complete`: the block has ended; an index that is written as it goes says that it is
    not. `of_rank`: the rank whose run it is, where that is not this process.

    Returns:
        The run with what is known when it is written, as `index.json` has it.

    """
    known = digests(folder.path).keys() - {"index.md", "index.json", "ranks.md", "ranks.json", REPORT, PAYLOADS}
    others = sorted(known - {file.name for file in folder.written})
    run = run.written(_process(complete, of_rank), tuple(others), {})
    folder.replace(folder.path / "index.md", markdown(run))
    listed = {name: digest for name, digest in digests(folder.path).items() if name not in _LISTINGS}
    run = replace(run, digests=listed)
    folder.replace(folder.path / "index.json", run.as_json())
    return run


def _process(complete: bool, of_rank: int | None) -> Process:
    """What an index says of the process that wrote it."""
    return Process(
        pid=os.getpid(),
        rank=rank() if of_rank is None else of_rank,
        launch=launch(),
        complete=complete,
        written=now(),
    )


def now() -> str:
    """When an index is written, as it says it."""
    return datetime.datetime.now().astimezone().isoformat(timespec="seconds")
