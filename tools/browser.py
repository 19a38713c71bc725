# SPDX-License-Identifier: MIT
"""Headless Chromium, driven over a pipe: pages are opened, asked, clicked and photographed.

Speaks the DevTools protocol on two file descriptors (`--remote-debugging-pipe`), so that it needs Chromium and the
standard library. Invariant: what a page prints to its console, each exception in it and each address that it asks for
are kept, so that a caller can show that there were none. It is no test itself: tests/browser and ./dev docs use it.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_TIMEOUT = 60.0  # seconds that one command may take, starting included

# Chromium reads commands from its descriptor 3 and answers on 4; both may be taken by what is to become them.
_START = """import os, sys
high = [os.dup(os.dup(os.dup(int(n)))) for n in sys.argv[1:3]]
for n, descriptor in enumerate(high, 3):
    os.dup2(descriptor, n)
os.execv(sys.argv[3], sys.argv[3:])
"""


class BrowserError(RuntimeError):
    """There is no Chromium, it ended, or it refused a command; the message says which."""


def find() -> str | None:
    """The path of a Chromium: that of DEPYF_CHROMIUM, else the first on the path."""
    named = os.environ.get("DEPYF_CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """A running Chromium; used as a context manager, it ends with the block.

    Raises:
        BrowserError: No Chromium was found, or it does not start.

    """

    def __init__(self, width: int = 1440, height: int = 900) -> None:
        path = find()
        if path is None:
            raise BrowserError(f"no Chromium: looked for {', '.join(NAMES)}; on Debian, apt-get install chromium")
        self._profile = tempfile.TemporaryDirectory(prefix="depyf-browser-", ignore_cleanup_errors=True)
        options = [
            "--headless=new", "--remote-debugging-pipe", "--no-first-run", "--no-default-browser-check",
            "--disable-background-networking", "--disable-component-update", "--disable-extensions", "--disable-sync",
            "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars", "--mute-audio",
            f"--window-size={width},{height}", f"--user-data-dir={self._profile.name}",
        ]  # fmt: skip
        if os.geteuid() == 0:  # Chromium refuses its sandbox to root
            options.append("--no-sandbox")
        to_read, self._to = os.pipe()
        self._from, to_write = os.pipe()
        command = [sys.executable, "-c", _START, str(to_read), str(to_write), path, *options, "about:blank"]
        self._process = subprocess.Popen(
            command, pass_fds=(to_read, to_write), start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(to_read)
        os.close(to_write)
        self._rest = b""
        self._number = 0
        self._answers: dict[int, dict[str, Any]] = {}
        self._pages: dict[str, Page] = {}
        self.version = str(self.send("Browser.getVersion")["product"])

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends Chromium and removes its profile."""
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait()
        os.close(self._to)
        os.close(self._from)
        self._profile.cleanup()

    def open(self, path: Path | str, theme: str = "light", width: int = 1440, height: int = 900) -> Page:
        """Opens a file in a page of its own, and waits until it is loaded.

        Args:
            path: Of an HTML file, or an address.
            theme: What the page is told that its reader prefers: light or dark.
            width: Of the page, in pixels.
            height: The same.

        """
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self._pages[session] = Page(self, session, target)
        for domain in ("Page", "Runtime", "Network", "Log"):
            page.send(f"{domain}.enable")
        page.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        page.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
        page.navigate(path.resolve().as_uri() if isinstance(path, Path) else path)
        return page

    def send(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """One command of the protocol; its result. Raises BrowserError where Chromium refuses it."""
        self._number += 1
        number = self._number
        command = {"id": number, "method": method, "params": parameters}
        if session is not None:
            command["sessionId"] = session
        os.write(self._to, json.dumps(command).encode() + b"\0")
        self.wait(lambda: number in self._answers, method)
        answer = self._answers.pop(number)
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error'].get('message', answer['error'])}")
        return dict(answer["result"])

    def wait(self, done: Any, what: str) -> None:
        """Reads what Chromium says until something holds. Raises BrowserError after a minute, or when it ended."""
        until = time.monotonic() + _TIMEOUT
        while not done():
            ready, _, _ = select.select([self._from], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                raise BrowserError(f"{what}: no answer in {_TIMEOUT:.0f} s")
            data = os.read(self._from, 1 << 20)
            if not data:
                raise BrowserError(f"{what}: Chromium ended")
            *messages, self._rest = (self._rest + data).split(b"\0")
            for message in messages:
                self._take(json.loads(message))

    def _take(self, message: dict[str, Any]) -> None:
        if "id" in message:
            self._answers[message["id"]] = message
        elif (page := self._pages.get(message.get("sessionId", ""))) is not None:
            page.events(message["method"], message["params"])


class Page:
    """One page.

    Attributes:
        complaints: What went to the console, and exceptions that nobody caught.
        requests: Addresses that the page asked for, its own excepted.

    """

    def __init__(self, browser: Browser, session: str, target: str) -> None:
        self.browser = browser
        self._session = session
        self._target = target
        self._loaded = False
        self._address = ""
        self.complaints: list[str] = []
        self.requests: list[str] = []

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One command of the protocol to this page."""
        return self.browser.send(method, self._session, **parameters)

    def events(self, method: str, said: dict[str, Any]) -> None:
        """Keeps what Chromium tells of the page."""
        if method == "Page.loadEventFired":
            self._loaded = True
        elif method == "Runtime.consoleAPICalled":
            self.complaints.append(" ".join(str(a.get("value", a.get("description"))) for a in said["args"]))
        elif method == "Runtime.exceptionThrown":
            details = said["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded":
            self.complaints.append(said["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            address = said["request"]["url"]
            if address.partition("#")[0] != self._address and not address.startswith("data:"):
                self.requests.append(address)

    def navigate(self, address: str) -> None:
        """Goes to an address, and waits until it is loaded."""
        self._loaded = False
        self._address = address.partition("#")[0]
        said = self.send("Page.navigate", url=address)
        if said.get("errorText"):
            raise BrowserError(f"{address}: {said['errorText']}")
        self.browser.wait(lambda: self._loaded, f"loading {address}")

    def ask(self, expression: str) -> Any:
        """The value of a JavaScript expression, awaited if it is a promise. Raises BrowserError if it throws."""
        said = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in said:
            details = said["exceptionDetails"]
            raise BrowserError(f"{expression}: {details.get('exception', {}).get('description', details['text'])}")
        return said["result"].get("value")

    def until(self, expression: str, seconds: float = 20.0) -> None:
        """Waits until an expression is true. Raises BrowserError where it does not become so in time."""
        end = time.monotonic() + seconds
        while not self.ask(f"Boolean({expression})"):
            if time.monotonic() > end:
                raise BrowserError(f"not in {seconds} s: {expression}")
            time.sleep(0.02)

    def click(self, selector: str) -> None:
        """Clicks with the mouse in the middle of the first element that a selector finds, scrolled into view."""
        box = self.ask(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); if (!e) return null;"
            " e.scrollIntoView({block: 'nearest'}); const r = e.getBoundingClientRect();"
            " return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        if box is None:
            raise BrowserError(f"nothing to click: {selector}")
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def press(self, key: str) -> None:
        """Presses a key, named as in JavaScript (`ArrowDown`, `/`)."""
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=key, **(text if kind == "keyDown" else {}))

    def photograph(self, path: Path) -> None:
        """Writes what is in view as a PNG."""
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"]))

    def close(self) -> None:
        """Closes the page."""
        self.browser.send("Target.closeTarget", targetId=self._target)


def main() -> int:
    """`python -m tools.browser FILE.html OUT.png [light|dark]`: a picture of a page, and what it complained of."""
    with Browser() as browser:
        page = browser.open(Path(sys.argv[1]), sys.argv[3] if len(sys.argv) > 3 else "light")
        time.sleep(0.5)
        page.photograph(Path(sys.argv[2]))
        print("\n".join(page.complaints))
    return 1 if page.complaints else 0


if __name__ == "__main__":
    sys.exit(main())
