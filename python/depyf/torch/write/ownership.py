# SPDX-License-Identifier: MIT
"""Decides which folder a process dumps into, and which files in it may be removed.

Files are written directly into the folder that the user named. Invariants: a folder belongs to one process at a time,
from its first dump there to the end of the process, because code that it runs after the block has the line numbers of
the files (an operating-system lock, which is released however the process ends); a new run removes the files that the
index of the last run lists and that are unchanged since, and no others; nothing is removed if the folder cannot be
locked. Chooses no file names and writes no file of a dump except the index.
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
_LISTINGS = ("ranks.json", "index.json")  # files that list other files with digests
REPORT = "report.html"
PAYLOADS = "payloads.json"
_BEGAN = time.time()
_STAGGERED = 600.0  # seconds between the starts of ranks of one run, including differences between clocks


# ---- rank and launch of this process


_rank_of_group: int | None = None  # kept after the process has left its group, because the index is written later


def rank() -> int | None:
    """Returns the rank of this process, or None outside of a distributed run.

    It is read from the environment, which torchrun and similar launchers set, otherwise from the process group. For
    processes that a program spawns itself (`torch.multiprocessing.spawn`), it is known once they have joined a group.
    """
    global _rank_of_group
    number, size = os.environ.get("RANK", ""), os.environ.get("WORLD_SIZE", "1")
    if number.isdigit() and size.isdigit() and int(size) > 1:
        return int(number)
    group = sys.modules.get("torch.distributed")  # a program with a group has imported it
    is_initialized = getattr(group, "is_initialized", None)  # not in builds without it
    if group is not None and is_initialized is not None and is_initialized() and group.get_world_size() > 1:
        _rank_of_group = group.get_rank()
    return _rank_of_group


def launch() -> str:
    """Returns an id that all ranks of one run share: torchrun's run id, otherwise host and parent process."""
    torchrun_id = os.environ.get("TORCHELASTIC_RUN_ID", "none")
    return torchrun_id if torchrun_id != "none" else f"{socket.gethostname()}:{os.getppid()}"


def _may_be_of_this_run(run: dict[str, Any]) -> bool:
    """Returns whether an index may be from another rank of this run; true if that is unknown.

    Only torchrun gives all ranks of a run the same id (or, on a single node, the same parent). Other launchers start
    each rank from a shell of its own, or on several nodes. For those, an index written long before this process started
    is from an earlier run.
    """
    if run.get("launch") == launch():
        return True
    torchrun_id = os.environ.get("TORCHELASTIC_RUN_ID")
    is_one_node = os.environ.get("LOCAL_WORLD_SIZE") == os.environ.get("WORLD_SIZE")
    if torchrun_id is not None and (torchrun_id != "none" or is_one_node):
        return False
    try:
        return datetime.datetime.fromisoformat(run["written"]).timestamp() > _BEGAN - _STAGGERED
    except (KeyError, TypeError, ValueError):
        return True


def process_folder() -> str:
    """Returns the name of this process's subfolder in a folder that another process owns."""
    return f"process_{os.getpid()}" if rank() is None else f"rank_{rank()}"


# ---- holding a folder


_last_cache_events: dict[str, tuple[CacheEvent, ...]] = {}  # folder -> cache events of the previous run in it
_locks: dict[str, BaseFileLock | None] = {}  # real path of an owned folder -> lock; None: it cannot be locked
_state = threading.RLock()


def claim(path: str | os.PathLike[str]) -> Path:
    """Returns the folder to dump into: `path`, or a subfolder if another running process or rank owns `path`.

    Files of the previous run are removed, once in a process. Raises OSError if the folder cannot be created.
    """
    base = Path(os.path.abspath(os.fspath(path)))
    candidates = list(dict.fromkeys([base, base / process_folder(), base / f"process_{os.getpid()}"]))
    with _state:
        for folder in candidates:
            if _key(folder) in _locks:
                return folder
        for folder in candidates:
            if hold(folder):
                return folder
    return candidates[-1]


def hold(folder: Path) -> bool:
    """Makes this process own a folder, and removes the previous run's files; returns False if another one owns it."""
    rank()  # noted while the process group exists
    with _state:
        if _key(folder) in _locks:
            return True
        folder.mkdir(parents=True, exist_ok=True)
        try:
            lock = _lock(folder)
        except (OSError, NotImplementedError, ImportError):  # locks are not available, so nothing is removed
            _locks[_key(folder)] = None
            return True
        if lock is None:
            return False
        if _is_of_another_rank(folder):
            _release(folder, lock)
            return False
        _locks[_key(folder)] = lock
        _last_cache_events[_key(folder)] = _cache_events_of(folder)
        _remove_last_run(folder)
        return True


def clear_processes(base: Path) -> None:
    """Removes the subfolders of processes of earlier runs, unless a process owns the folder.

    The folder's own files stay until a process claims it, because it compares its cache events with that run's.
    """
    with _locked_if_free(base) as is_free:
        if is_free:
            _remove_listed(base, "ranks.json")
            _remove_processes(base)


def clear_index(base: Path, last: dict[str, Any]) -> None:
    """Removes the folder's own files if its index is still this one, of an earlier run, and no process owns it."""
    with _locked_if_free(base) as is_free:
        if is_free and listing(base / "index.json") == last:
            _remove_listed(base, "index.json")


def remove_ranks_of_earlier_runs(base: Path) -> None:
    """Removes dumps of ranks of earlier runs: this run may have fewer ranks, and none of them may own `base`."""
    for folder in rank_folders(base):
        _remove_process_folder(folder)
    comparison = listing(base / "ranks.json")
    if comparison is not None and not _may_be_of_this_run(comparison["run"]):
        _remove_listed(base, "ranks.json")


def _key(folder: Path) -> str:
    return os.path.realpath(folder)


def _lock(folder: Path) -> BaseFileLock | None:
    """Acquires and returns the folder's lock; None if another process has it."""
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
    """Keeps filelock's messages about depyf's locks in this thread out of the program's log."""
    thread, logger = threading.get_ident(), logging.getLogger("filelock")

    def is_of_others(record: logging.LogRecord) -> bool:
        return record.thread != thread

    logger.addFilter(is_of_others)
    try:
        yield
    finally:
        logger.removeFilter(is_of_others)


@contextlib.contextmanager
def _locked_if_free(folder: Path) -> Iterator[bool]:
    """Yields whether the folder exists and has no owner; no process can claim it within the block."""
    lock = None
    with contextlib.suppress(OSError, NotImplementedError, ImportError):  # locks are not available
        lock = _lock(folder) if folder.is_dir() and _key(folder) not in _locks else None
    try:
        yield lock is not None
    finally:
        if lock is not None:
            _release(folder, lock)


def _release(folder: Path, lock: BaseFileLock) -> None:
    """Releases a folder. The lock's file is removed first, so that no process acquires the lock of a removed file."""
    _unlink(folder / LOCK)
    with contextlib.suppress(Exception), _unlogged():  # another thread may fork or end at this moment
        lock.release()


def _release_all() -> None:
    with _state:
        for folder, lock in _locks.items():
            if lock is not None:
                _release(Path(folder), lock)
        _locks.clear()


atexit.register(_release_all)  # registered before any session is, so sessions end first


def _after_fork() -> None:
    global _state, _rank_of_group
    _rank_of_group = None  # a forked child is not a member of the group
    _state = threading.RLock()
    _locks.clear()  # the parent owns them; filelock closes the child's copies


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_after_fork)


@contextlib.contextmanager
def locked(file: Path) -> Iterator[None]:
    """Locks a file against other processes during a block; does nothing if locks are not available."""
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
    """Returns an index that depyf wrote, as data; None if the file does not exist or has other content."""
    try:
        data = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    is_ours = isinstance(data, dict) and isinstance(data.get("digests"), dict) and isinstance(data.get("run"), dict)
    return data if is_ours else None


def last_answers(folder: Path) -> tuple[CacheEvent, ...]:
    """Returns the cache events of the previous run in the folder, before this process claimed it."""
    return _last_cache_events.get(_key(folder), ())


def _cache_events_of(folder: Path) -> tuple[CacheEvent, ...]:
    last = listing(folder / "index.json")
    try:
        return decode(tuple[CacheEvent, ...], (last or {}).get("cache_events", []))
    except ValueError:  # written by another release of depyf
        return ()


def _is_of_another_rank(folder: Path) -> bool:
    """Returns whether another rank of this run has dumped there; it may have ended since."""
    last = listing(folder / "index.json")
    if last is None or rank() is None:
        return False
    run = last["run"]
    return run.get("rank") not in (None, rank()) and _may_be_of_this_run(run)


def _remove_last_run(folder: Path) -> None:
    """Removes unchanged files that the folder's index lists; renames other files whose names depyf needs."""
    for name in _LISTINGS:
        _remove_listed(folder, name)
    for name in ("index.md", "index.json", "ranks.md", "ranks.json", REPORT, PAYLOADS):
        _set_aside(folder / name)
    _remove_processes(folder)


def _remove_processes(base: Path) -> None:
    for folder in process_folders(base):
        _remove_process_folder(folder)


def _remove_listed(folder: Path, name: str) -> None:
    """Removes the unchanged files that a listing of the folder lists, and the listing itself."""
    last = listing(folder / name)
    for file, digest in (last["digests"] if last is not None else {}).items():
        if Path(file).name == file and _is_unchanged(folder / file, digest):
            _unlink(folder / file)
    if last is not None:  # at the end: if this is interrupted, the next run resumes it
        _unlink(folder / name)


def _unlink(file: Path) -> None:
    with contextlib.suppress(OSError):  # not ours, or open in another process: it stays
        file.unlink()


def _is_unchanged(file: Path, digest: object) -> bool:
    try:
        return digest_of(file.read_bytes()) == digest
    except OSError:
        return False


def _set_aside(file: Path) -> None:
    """Renames a file that depyf did not write, or that was edited, and whose name depyf needs."""
    if not file.exists():
        return
    names = (file.with_name(f"{file.stem}_kept_{i}{file.suffix}") for i in itertools.count())
    with contextlib.suppress(OSError):
        os.rename(file, next(k for k in names if not k.exists()))


def _remove_process_folder(folder: Path) -> None:
    """Removes the dump of another process of an earlier run, if it has ended."""
    last = listing(folder / "index.json")
    if last is None or (rank() is not None and _may_be_of_this_run(last["run"])):
        return
    with _locked_if_free(folder) as is_free:
        if not is_free:
            return
        _remove_last_run(folder)
    with contextlib.suppress(OSError):  # it contains other files
        folder.rmdir()


# ---- the index


def write_index(
    folder: DumpFolder, run: Run, markdown: Callable[[Run], str], complete: bool, of_rank: int | None = None
) -> Run:
    """Writes `index.md` and `index.json`, which lists the files of this process, so that a new run can replace them.

    Args:
        folder: The dump folder.
        run: The facts of the run.
        markdown: Returns the content of `index.md` for a run.
        complete: Whether the block has ended. An index that is written before that is marked as incomplete.
        of_rank: The rank of the run, if it is not that of this process.

    Returns:
        The run with the facts that are known when it is written, as in `index.json`.

    """
    files = digests(folder.path).keys() - {"index.md", "index.json", "ranks.md", "ranks.json", REPORT, PAYLOADS}
    other_files = sorted(files - {file.name for file in folder.written})
    run = run.written(_process(complete, of_rank), tuple(other_files), {})
    folder.replace(folder.path / "index.md", markdown(run))
    listed = {name: digest for name, digest in digests(folder.path).items() if name not in _LISTINGS}
    run = replace(run, digests=listed)
    folder.replace(folder.path / "index.json", run.as_json())
    return run


def _process(complete: bool, of_rank: int | None) -> Process:
    """Returns the facts about this process for the index."""
    return Process(
        pid=os.getpid(),
        rank=rank() if of_rank is None else of_rank,
        launch=launch(),
        complete=complete,
        written=now(),
    )


def now() -> str:
    """Returns the current time in the form of the index."""
    return datetime.datetime.now().astimezone().isoformat(timespec="seconds")
