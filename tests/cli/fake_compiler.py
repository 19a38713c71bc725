# SPDX-License-Identifier: MIT
"""A compiler for ``depyfc --python`` that misbehaves. Arguments: behaviour, a log file; the others are ignored.

It appends its process id to the log at each start, and greets like the interpreter that runs it, unless the behaviour
is about the greeting.
"""

import os
import struct
import subprocess
import sys
import time

behaviour, log = sys.argv[1:3]
with open(log, "a") as stream:
    stream.write("%d\n" % os.getpid())


def put(status, data, claimed=None):
    head = struct.pack("<BI", status, len(data) if claimed is None else claimed)
    sys.stdout.buffer.write(head + data)
    sys.stdout.buffer.flush()


if behaviour == "mute":
    time.sleep(1000)
version = (3, 7) if behaviour == "old" else sys.version_info[:2]
name = "pypy" if behaviour == "pypy" else "cpython"
put(2, b"%s %d %d %s" % (name.encode(), version[0], version[1], sys.version.split()[0].encode()))
while True:
    head = sys.stdin.buffer.read(16)
    if len(head) < 16:
        break
    text = sys.stdin.buffer.read(struct.unpack("<II8s", head)[0])
    if behaviour == "crash":
        os.abort()
    if behaviour == "exit":
        sys.exit(7)
    if behaviour == "hang":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
        with open(log, "a") as stream:
            stream.write("%d\n" % child.pid)
        time.sleep(1000)
    if behaviour == "garbage":
        put(0, b"\xe3garbage")
    if behaviour == "liar":
        put(0, b"\xe3", 0xFFFFFFFF)
        sys.exit(0)
    if behaviour == "refuse":
        put(1, b"SyntaxError: no\nlines \x1b[31m")
