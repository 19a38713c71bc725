# SPDX-License-Identifier: MIT
"""Lists the system calls of a command that name a file, start a program or open a socket, using ptrace(2).

``system_calls.py COMMAND...`` prints them as JSON: [exit status, [[call, path], ...]], in order, for the command and
every thread and process that it starts. The command's output goes to standard error. Works on Linux on x86-64 and
AArch64; the exit status is 77 elsewhere.
"""

from __future__ import annotations

import ctypes
import json
import os
import platform
import signal
import struct
import sys

_TRACEME, _CONT_TO_CALL, _GETREGSET, _SETOPTIONS, _GETEVENTMSG = 0, 24, 0x4204, 0x4200, 0x4201
_SYSGOOD, _FORK, _VFORK, _CLONE, _EXITKILL = 1, 2, 4, 8, 1 << 20
_WALL = 0x40000000
_NT_PRSTATUS = 1
# Number of the call -> name, and index of the argument that is a path (None: no path).
_CALLS: dict[str, dict[int, tuple[str, int | None]]] = {
    "x86_64": {
        2: ("open", 0), 4: ("stat", 0), 6: ("lstat", 0), 21: ("access", 0), 41: ("socket", None), 59: ("execve", 0),
        85: ("creat", 0), 89: ("readlink", 0), 257: ("openat", 1), 262: ("newfstatat", 1), 267: ("readlinkat", 1),
        269: ("faccessat", 1), 322: ("execveat", 1), 332: ("statx", 1), 437: ("openat2", 1), 439: ("faccessat2", 1),
    },
    "aarch64": {
        48: ("faccessat", 1), 56: ("openat", 1), 78: ("readlinkat", 1), 79: ("newfstatat", 1), 198: ("socket", None),
        221: ("execve", 0), 281: ("execveat", 1), 291: ("statx", 1), 437: ("openat2", 1), 439: ("faccessat2", 1),
    },
}  # fmt: skip
# Positions of the call's number and of its arguments in user_regs_struct.
_REGISTERS = {"x86_64": (15, (14, 13)), "aarch64": (8, (0, 1))}

_libc = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.restype = ctypes.c_long
_libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]


class _Vector(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("size", ctypes.c_size_t))


def _ptrace(request: int, pid: int, address: int = 0, data: int = 0) -> None:
    if _libc.ptrace(request, pid, address, data) == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"ptrace {request}: {os.strerror(number)}")


def _registers(pid: int) -> tuple[int, ...]:
    room = ctypes.create_string_buffer(1024)
    vector = _Vector(ctypes.addressof(room), len(room))
    _ptrace(_GETREGSET, pid, _NT_PRSTATUS, ctypes.addressof(vector))
    return struct.unpack_from(f"={vector.size // 8}Q", room.raw)


def _text(pid: int, address: int) -> str:
    """Reads the string at an address of the process; pages end at multiples of 4096."""
    out = b""
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        while b"\0" not in out:
            memory.seek(address + len(out))
            out += memory.read(4096 - (address + len(out)) % 4096)
    return os.fsdecode(out.partition(b"\0")[0])


def calls_of(command: list[str]) -> tuple[int, list[tuple[str, str]]]:
    """Runs a command; returns its exit status, and (call, path) in order. Waits for every child of this process."""
    child = os.fork()
    if child == 0:
        try:
            os.dup2(2, 1)
            _libc.ptrace(_TRACEME, 0, 0, 0)
            os.execv(command[0], command)  # stops with SIGTRAP
        finally:
            os._exit(127)
    os.waitpid(child, 0)
    _ptrace(_SETOPTIONS, child, 0, _SYSGOOD | _FORK | _VFORK | _CLONE | _EXITKILL)
    _ptrace(_CONT_TO_CALL, child)
    number_at, arguments_at = _REGISTERS[platform.machine()]
    named_calls = _CALLS[platform.machine()]
    calls: list[tuple[str, str]] = []
    entering: set[int] = set()
    status = 0
    while True:
        try:
            pid, state = os.waitpid(-1, _WALL)
        except ChildProcessError:
            return status, calls
        if os.WIFEXITED(state) or os.WIFSIGNALED(state):
            if pid == child:
                status = os.waitstatus_to_exitcode(state)
            continue
        stop = os.WSTOPSIG(state)
        signal_to_pass = 0
        if stop == signal.SIGTRAP | 0x80:
            if pid in entering:
                entering.discard(pid)
            else:
                entering.add(pid)
                registers = _registers(pid)
                call = named_calls.get(registers[number_at])
                if call is not None:
                    name, at = call
                    calls.append((name, "" if at is None else _text(pid, registers[arguments_at[at]])))
        elif stop not in (signal.SIGTRAP, signal.SIGSTOP):
            signal_to_pass = stop
        _ptrace(_CONT_TO_CALL, pid, 0, signal_to_pass)


if __name__ == "__main__":
    if platform.system() != "Linux" or platform.machine() not in _CALLS:
        sys.exit(77)
    print(json.dumps(calls_of(sys.argv[1:])))
