# SPDX-License-Identifier: MIT
"""Drives headless Chromium over a pipe: opens pages, evaluates JavaScript, clicks and takes screenshots.

Speaks the DevTools protocol on two file descriptors (`--remote-debugging-pipe`), so it needs only Chromium and the
standard library. Each page records its console messages, its uncaught exceptions and the addresses that it requests, so
that a caller can check that there were none. This is not a test: tests/report, tests/torch and `./dev docs` use it.
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
_TIMEOUT = 60.0  # seconds for one command; for the first one this includes the start of Chromium

# Chromium reads commands from descriptor 3 and answers on 4. The pipes may have these numbers themselves, so they are
# first duplicated to higher ones.
_START = """import os, sys
high = [os.dup(os.dup(os.dup(int(n)))) for n in sys.argv[1:3]]
for n, descriptor in enumerate(high, 3):
    os.dup2(descriptor, n)
os.execv(sys.argv[3], sys.argv[3:])
"""


class BrowserError(RuntimeError):
    """Chromium is not installed, has ended, or refused a command; the message says which."""


def find() -> str | None:
    """Returns the path of Chromium: $DEPYF_CHROMIUM if set, otherwise the first of NAMES on the path, or None."""
    named = os.environ.get("DEPYF_CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """A running Chromium, used as a context manager that ends it.

    Raises:
        BrowserError: Chromium was not found, or does not start.

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
        self._unparsed = b""
        self._last_id = 0
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
        """Opens a file in a new page and waits until it is loaded.

        Args:
            path: Path of an HTML file, or an address.
            theme: The preferred color scheme that the page sees: light or dark.
            width: Width of the page in pixels.
            height: Height of the page in pixels.

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
        """Sends a command of the protocol and returns its result; raises BrowserError if Chromium refuses it."""
        self._last_id += 1
        number = self._last_id
        command = {"id": number, "method": method, "params": parameters}
        if session is not None:
            command["sessionId"] = session
        os.write(self._to, json.dumps(command).encode() + b"\0")
        self.wait(lambda: number in self._answers, method)
        answer = self._answers.pop(number)
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error'].get('message', answer['error'])}")
        return dict(answer["result"])

    def wait(self, done: Any, description: str) -> None:
        """Processes messages of Chromium until `done()` is true; raises BrowserError on a timeout or if it ended."""
        until = time.monotonic() + _TIMEOUT
        while not done():
            ready, _, _ = select.select([self._from], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                raise BrowserError(f"{description}: no answer in {_TIMEOUT:.0f} s")
            data = os.read(self._from, 1 << 20)
            if not data:
                raise BrowserError(f"{description}: Chromium ended")
            *messages, self._unparsed = (self._unparsed + data).split(b"\0")
            for message in messages:
                self._dispatch(json.loads(message))

    def _dispatch(self, message: dict[str, Any]) -> None:
        if "id" in message:
            self._answers[message["id"]] = message
        elif (page := self._pages.get(message.get("sessionId", ""))) is not None:
            page.events(message["method"], message["params"])


class Page:
    """One page.

    Attributes:
        complaints: Messages on the console, and uncaught exceptions.
        requests: Addresses that the page requested, except its own.

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
        """Sends a command of the protocol to this page."""
        return self.browser.send(method, self._session, **parameters)

    def events(self, method: str, parameters: dict[str, Any]) -> None:
        """Records an event that Chromium reports of the page."""
        if method == "Page.loadEventFired":
            self._loaded = True
        elif method == "Runtime.consoleAPICalled":
            self.complaints.append(" ".join(str(a.get("value", a.get("description"))) for a in parameters["args"]))
        elif method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded":
            self.complaints.append(parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            address = parameters["request"]["url"]
            if address.partition("#")[0] != self._address and not address.startswith("data:"):
                self.requests.append(address)

    def navigate(self, address: str) -> None:
        """Navigates to an address and waits until it is loaded."""
        self._loaded = False
        self._address = address.partition("#")[0]
        result = self.send("Page.navigate", url=address)
        if result.get("errorText"):
            raise BrowserError(f"{address}: {result['errorText']}")
        self.browser.wait(lambda: self._loaded, f"loading {address}")

    def ask(self, expression: str) -> Any:
        """Evaluates a JavaScript expression, awaiting a promise; raises BrowserError if it throws."""
        result = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise BrowserError(f"{expression}: {details.get('exception', {}).get('description', details['text'])}")
        return result["result"].get("value")

    def until(self, expression: str, seconds: float = 20.0) -> None:
        """Waits until a JavaScript expression is true; raises BrowserError if it is not in time."""
        end = time.monotonic() + seconds
        while not self.ask(f"Boolean({expression})"):
            if time.monotonic() > end:
                raise BrowserError(f"not in {seconds} s: {expression}")
            time.sleep(0.02)

    def click(self, selector: str) -> None:
        """Scrolls the first element that matches a selector into view, and clicks its center with the mouse."""
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
        """Writes a screenshot of the viewport as a PNG."""
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"]))

    def close(self) -> None:
        """Closes the page."""
        self.browser.send("Target.closeTarget", targetId=self._target)


def main() -> int:
    """`python -m tools.browser FILE.html OUT.png [light|dark]`: takes a screenshot and prints the complaints."""
    with Browser() as browser:
        page = browser.open(Path(sys.argv[1]), sys.argv[3] if len(sys.argv) > 3 else "light")
        time.sleep(0.5)
        page.photograph(Path(sys.argv[2]))
        print("\n".join(page.complaints))
    return 1 if page.complaints else 0


if __name__ == "__main__":
    sys.exit(main())
