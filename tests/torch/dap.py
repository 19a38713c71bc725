# SPDX-License-Identifier: MIT
"""A client of the Debug Adapter Protocol, which drives debugpy through a socket as an editor does.

It implements what the tests need (breakpoints, steps, the stack, variables) and does not use depyf.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

_TIMEOUT = 240.0  # seconds; the program may compile while the client waits


class Place(NamedTuple):
    """A place where a thread stopped: the thread, the frame, the file's name without its folder, line, function."""

    thread: int
    frame: int
    file: str
    line: int
    function: str


class Client:
    """A program that runs under debugpy, and the connection to it."""

    def __init__(self, program: Path, env: dict[str, str], just_my_code: bool) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.output = program.with_suffix(".output")
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [
                    *[sys.executable, "-W", "ignore", "-Xfrozen_modules=off", "-m", "debugpy"],
                    # as "subProcess": false: otherwise debugpy attaches to the child processes by which Inductor finds
                    # out what the processor supports, and each waits a minute for an editor that does not answer
                    *["--configure-subProcess", "False"],
                    *["--listen", f"127.0.0.1:{port}", "--wait-for-client", str(program)],
                ],
                cwd=program.parent,
                env={**os.environ, **env},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        self._number = 0
        self._events: list[dict[str, Any]] = []
        self._socket = self._connect(port)
        self._stream = self._socket.makefile("rb")
        self.ask("initialize", adapterID="test", linesStartAt1=True, columnsStartAt1=True, pathFormat="path")
        attach = self._send("attach", {"justMyCode": just_my_code, "subProcess": False})
        self.event("initialized")
        self.ask("configurationDone")
        self._answer(attach)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def _connect(self, port: int) -> socket.socket:
        deadline = time.monotonic() + _TIMEOUT
        while True:
            try:
                return socket.create_connection(("127.0.0.1", port), timeout=_TIMEOUT)
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(f"debugpy did not start: {self.text()}") from None
                time.sleep(0.1)

    # ---- the protocol

    def _send(self, command: str, arguments: dict[str, Any]) -> int:
        self._number += 1
        body = json.dumps({"seq": self._number, "type": "request", "command": command, "arguments": arguments})
        data = body.encode()
        self._write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        return self._number

    def _write(self, data: bytes) -> None:
        self._socket.sendall(data)

    def _serve(self, request: dict[str, Any]) -> None:
        """Answers a request of the adapter to the editor."""
        raise AssertionError(request)

    def _receive(self) -> dict[str, Any]:
        size = 0
        while line := self._stream.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                size = int(value)
        if not size:
            raise ConnectionError(f"debugpy is gone: {self.text()}")
        found: dict[str, Any] = json.loads(self._stream.read(size))
        return found

    def _answer(self, number: int) -> dict[str, Any]:
        while True:
            message = self._receive()
            if message["type"] == "event":
                self._events.append(message)
            elif message["type"] == "request":
                self._serve(message)
            elif message["type"] == "response" and message["request_seq"] == number:
                assert message["success"], message
                body: dict[str, Any] = message.get("body") or {}
                return body

    def ask(self, command: str, **arguments: Any) -> dict[str, Any]:
        """Sends a request and returns the body of its response."""
        return self._answer(self._send(command, arguments))

    def event(self, *names: str) -> dict[str, Any]:
        """Returns the next event with one of the NAMES; other events are skipped."""
        while True:
            message = self._events.pop(0) if self._events else self._receive()
            if message["type"] == "event" and message["event"] in names:
                return message
            if message["type"] == "request":
                self._serve(message)

    # ---- what a user of an editor does

    def set_breakpoints(self, file: Path, *lines: int) -> None:
        """Sets the breakpoints of a file; each must be accepted at its own line."""
        wanted = [{"line": line} for line in lines]
        made = self.ask("setBreakpoints", source={"path": str(file)}, breakpoints=wanted)["breakpoints"]
        assert [(b["verified"], b["line"]) for b in made] == [(True, line) for line in lines], made

    def stopped(self) -> Place | None:
        """Returns where the program stops next, or None when it ends."""
        message = self.event("stopped", "terminated")
        if message["event"] == "terminated":
            return None
        thread = message["body"]["threadId"]
        top = self.ask("stackTrace", threadId=thread, startFrame=0, levels=1)["stackFrames"][0]
        return Place(thread, top["id"], Path(top["source"]["path"]).name, top["line"], top["name"])

    def go_on(self, place: Place, how: str = "continue") -> Place | None:
        """Sends `continue`, `next`, `stepIn` or `stepOut`, and returns where the program stops then."""
        self.ask(how, threadId=place.thread)
        return self.stopped()

    def locals_of(self, place: Place) -> dict[str, str]:
        """Returns the local variables that the editor would display."""
        scopes = self.ask("scopes", frameId=place.frame)["scopes"]
        reference = next(s["variablesReference"] for s in scopes if s["name"] == "Locals")
        shown = self.ask("variables", variablesReference=reference)["variables"]
        return {v["name"]: v["value"] for v in shown}

    def evaluate(self, place: Place, text: str) -> str:
        """Returns the value of a watch expression."""
        return str(self.ask("evaluate", frameId=place.frame, expression=text, context="watch")["result"])

    def stack(self, place: Place) -> list[str]:
        """Returns the files of the whole stack, innermost first."""
        frames = self.ask("stackTrace", threadId=place.thread)["stackFrames"]
        return [Path(f["source"].get("path") or "?").name for f in frames]

    def text(self) -> str:
        """Returns what the program printed."""
        return self.output.read_text("utf-8", "replace")


class Editor(Client):
    """An editor that starts a program by a configuration of launch.json, through debugpy's adapter like VS Code."""

    def __init__(self, configuration: dict[str, Any], folder: Path, breakpoints: dict[Path, int]) -> None:
        self._folder = folder
        self.output = folder / "terminal"
        self._terminals: list[subprocess.Popen[bytes]] = []
        command = [sys.executable, "-m", "debugpy.adapter"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.stdin is not None and self.process.stdout is not None
        self._pipe, self._stream = self.process.stdin, self.process.stdout
        self._number = 0
        self._events = []
        self.ask("initialize", adapterID="debugpy", clientID="test", linesStartAt1=True, columnsStartAt1=True,
                 pathFormat="path", supportsRunInTerminalRequest=True)  # fmt: skip
        # what VS Code's extension adds to a configuration
        launch = self._send("launch", {"cwd": str(folder), "python": [sys.executable], **configuration})
        self.event("initialized")
        for file, line in breakpoints.items():
            self.set_breakpoints(file, line)
        self.ask("configurationDone")
        self._answer(launch)

    def __exit__(self, *_: object) -> None:
        self._pipe.close()
        for process in [*self._terminals, self.process]:
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()

    def _write(self, data: bytes) -> None:
        self._pipe.write(data)
        self._pipe.flush()

    def _serve(self, request: dict[str, Any]) -> None:
        assert request["command"] == "runInTerminal", request
        wanted = request["arguments"]
        given = {**os.environ, **{k: v for k, v in (wanted.get("env") or {}).items() if v is not None}}
        with self.output.open("wb") as output:
            terminal = subprocess.Popen(
                wanted["args"], cwd=wanted.get("cwd"), env=given, stdin=subprocess.DEVNULL, stdout=output, stderr=output
            )
        self._terminals.append(terminal)
        answer = {"type": "response", "request_seq": request["seq"], "success": True, "command": request["command"]}
        data = json.dumps({"seq": 0, **answer, "body": {"processId": terminal.pid}}).encode()
        self._write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
