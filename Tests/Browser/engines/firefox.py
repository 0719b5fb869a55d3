"""Firefox, by WebDriver BiDi: https://www.w3.org/TR/webdriver-bidi/"""

import base64
import json
import re
import shutil
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from websockets.sync.client import connect

from engines.engine import FORGET, Engine
from engines.process import running, started

LIMIT = 90  # seconds to wait for an answer; BOUNDED ends before
# Wheel events go through the compositor, like wheel events of a user. Otherwise there is no scrollend event. All pages share one
# process: to start another, or one ahead, takes longer than most tests.
PREFERENCES = """user_pref("remote.events.async.wheel.enabled", true);
user_pref("dom.ipc.processPrelaunch.enabled", false);
user_pref("dom.ipc.processCount", 1);
user_pref("fission.webContentIsolationStrategy", 0);
user_pref("browser.sessionhistory.max_total_viewers", 0);
"""


class Firefox(Engine):
    name = "firefox"
    densities = (1.25, 2)
    scrolls_by_touch = False

    def __init__(self, socket):
        super().__init__()
        self.socket = socket
        self.asked = 0
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        self.context = None

    @classmethod
    @contextmanager
    def launched(cls):
        """Headless Firefox, with a temporary profile."""
        program = shutil.which("firefox-esr") or shutil.which("firefox")
        assert program, "Firefox is not installed: Scripts/install tests"
        with TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            Path(profile, "user.js").write_text(PREFERENCES)
            said = Path(profile, "said")
            command = [program, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"]
            with said.open("w") as log, running(command, stdout=log, stderr=log) as process:
                found = started(process, lambda: re.search(r"BiDi listening on (ws://\S+)\n", said.read_text()))
                with connect(f"{found[1]}/session", max_size=None) as socket:
                    yield cls(socket)

    def ask(self, method, **parameters):
        """Sends a command, and waits for its answer. Stores the errors and warnings that the page logs in between."""
        self.asked += 1
        self.socket.send(json.dumps({"id": self.asked, "method": method, "params": parameters}))
        while True:
            told = json.loads(self.socket.recv(timeout=LIMIT))
            if told["type"] == "event" and told["params"].get("level") in ("error", "warn"):
                self.complaints.append(told["params"]["text"])
            elif told.get("id") == self.asked:
                assert told["type"] == "success", told
                return told["result"]

    @contextmanager
    def show(self, width, height, density):
        """Shows a page of `width` x `height` px in the one tab, and removes what the page has stored."""
        if self.context is None:
            self.context = self.ask("browsingContext.create", type="tab")["context"]
        viewport = {"width": width, "height": height}
        self.ask("browsingContext.setViewport", context=self.context, viewport=viewport, devicePixelRatio=density)
        try:
            yield
        finally:
            self.ask("input.releaseActions", context=self.context)
            self.call(FORGET, None)
            self.ask("storage.deleteCookies")
            self.goto("about:blank")

    def goto(self, address):
        self.ask("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def reload(self):
        self.ask("browsingContext.reload", context=self.context, wait="complete")

    def call(self, function, argument):
        answer = self.ask(
            "script.callFunction",
            functionDeclaration=f"async (text) => JSON.stringify(await ({function})(JSON.parse(text)) ?? null)",
            arguments=[{"type": "string", "value": json.dumps(argument)}],
            target={"context": self.context},
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer["exceptionDetails"]["text"]
        return json.loads(answer["result"]["value"])

    def perform(self, actions):
        self.ask("input.performActions", context=self.context, actions=actions)

    def screenshot(self, path):
        answer = self.ask("browsingContext.captureScreenshot", context=self.context)
        Path(path).write_bytes(base64.b64decode(answer["data"]))
