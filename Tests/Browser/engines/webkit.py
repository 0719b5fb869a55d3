"""WebKitGTK, by WebDriver: https://www.w3.org/TR/webdriver2/"""

import base64
import json
import os
import re
import shutil
import socket
import subprocess
from contextlib import contextmanager
from glob import glob
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from engines.engine import FORGET, Engine
from engines.process import running, started

LIMIT = 90  # seconds to wait for an answer; BOUNDED ends before
# Records the errors and warnings of the page from now on. The driver does not report them, and cannot record earlier ones.
LISTEN = """() => {
  window.complaints = [];
  for (const level of ["error", "warn"]) {
    const original = console[level];
    console[level] = (...said) => { window.complaints.push(said.join(" ")); original(...said); };
  }
  addEventListener("error", ({ message }) => window.complaints.push(message));
  addEventListener("unhandledrejection", ({ reason }) => window.complaints.push(String(reason)));
}"""


class WebKit(Engine):
    name = "webkit"
    tells_touches = False

    def __init__(self, address, browser):
        super().__init__()
        self.address = address
        self.browser = browser
        self.session = None
        self.size = None

    @classmethod
    @contextmanager
    def launched(cls):
        """The driver of WebKitGTK, on a virtual display."""
        assert shutil.which("WebKitWebDriver"), "WebKit's driver is not installed: Scripts/install tests"
        browser = next(iter(glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser")), None)
        assert browser, "WebKit's MiniBrowser is not installed: Scripts/install tests"
        with TemporaryDirectory(ignore_cleanup_errors=True) as directory, a_display() as display:
            port = a_free_port()
            more = {"DISPLAY": display, "HOME": directory, "NO_AT_BRIDGE": "1", "LIBGL_ALWAYS_SOFTWARE": "1"}
            with running(["WebKitWebDriver", f"--port={port}"], env={**os.environ, **more}) as process:
                engine = cls(f"http://127.0.0.1:{port}", browser)
                started(process, engine.is_ready)
                engine.open()
                try:
                    yield engine
                finally:
                    if engine.is_open():
                        engine.ask("DELETE", engine.session)

    def is_ready(self):
        try:
            return self.ask("GET", "/status")["ready"]
        except URLError:
            return False

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        try:
            with urlopen(Request(self.address + path, data=data, method=method), timeout=LIMIT) as answer:
                return json.load(answer)["value"]
        except HTTPError as error:
            raise AssertionError(error.read().decode()) from error

    def open(self):
        """Opens a window for all pages, since opening one takes seconds. `show` removes what a page has stored."""
        options = {"binary": self.browser, "args": ["--automation"]}
        limits = {"script": LIMIT * 1000}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options, "timeouts": limits}}
        self.session = f"/session/{self.ask('POST', '/session', {'capabilities': wanted})['sessionId']}"
        self.size = None

    def is_open(self):
        """Whether the window is open. The session ends if the browser crashes."""
        try:
            return self.ask("GET", f"{self.session}/window") is not None
        except AssertionError:
            return False

    @contextmanager
    def show(self, width, height, density):
        """Shows a page of `width` x `height` px."""
        assert density in self.densities
        if not self.is_open():
            self.open()
        if self.size != (width, height):
            self.resize(width, height)
            self.size = (width, height)
        try:
            yield
            self.complaints += self.evaluate("() => window.complaints")
        finally:
            if self.is_open():
                self.call(FORGET, None)
                self.ask("DELETE", f"{self.session}/cookie")
                self.ask("POST", f"{self.session}/url", {"url": "about:blank"})

    def resize(self, width, height):
        """Resizes the page. The window is higher than the page by its toolbars."""
        until = "async (_, [name, px]) => { while (window[name] !== px) await new Promise(requestAnimationFrame); return outerHeight - innerHeight; }"
        self.ask("POST", f"{self.session}/window/rect", {"width": width, "height": height})
        bars = self.evaluate(until, ["innerWidth", width])
        self.ask("POST", f"{self.session}/window/rect", {"width": width, "height": height + bars})
        self.evaluate(until, ["innerHeight", height])

    def goto(self, address):
        self.ask("POST", f"{self.session}/url", {"url": address})
        self.evaluate(LISTEN)

    def reload(self):
        self.complaints += self.evaluate("() => window.complaints")
        self.ask("POST", f"{self.session}/refresh", {})
        self.evaluate(LISTEN)

    def call(self, function, argument):
        answer = "(value) => done({ value: value ?? null }), (error) => done({ error: String(error) })"
        script = f"const [argument, done] = arguments; ({function})(argument).then({answer});"
        answer = self.ask("POST", f"{self.session}/execute/async", {"script": script, "args": [argument]})
        assert "error" not in answer, answer["error"]
        return answer["value"]

    def perform(self, actions):
        """Performs actions, and releases the input devices. Otherwise the next wheel action would first undo this one."""
        self.ask("POST", f"{self.session}/actions", {"actions": actions})
        self.lift()

    def touch(self, points):
        """The driver has no touch pointer, so this is the mouse."""
        mouse = {"type": "pointer", "id": "mouse", "actions": self.press_and_move(points)}
        self.ask("POST", f"{self.session}/actions", {"actions": [mouse]})

    def lift(self):
        self.ask("DELETE", f"{self.session}/actions")

    def screenshot(self, path):
        Path(path).write_bytes(base64.b64decode(self.ask("GET", f"{self.session}/screenshot")))


@contextmanager
def a_display():
    """Starts a virtual X server, and yields its name."""
    with NamedTemporaryFile("w+") as told:
        command = ["Xvfb", "-displayfd", told.fileno(), "-screen", "0", "2600x1600x24", "-nolisten", "tcp"]
        with running(command, pass_fds=[told.fileno()], stderr=subprocess.DEVNULL) as process:
            number = started(process, lambda: re.fullmatch(r"(\d+)\n", Path(told.name).read_text()))
            yield f":{number[1]}"


def a_free_port():
    """A free port: the driver cannot choose one itself."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]
