"""Writers and readers that keep on, whatever becomes of the servers; what they saw is kept."""

import http.client
import json
import random
import threading
import time
from collections import defaultdict
from urllib.parse import urlencode

from model.strips import Item, Strip

#: Items of 10 px that nobody touches: what is written goes between them.
STRIPS = tuple(
    Strip(name, tuple(Item(f"i{n}", width="10") for n in range(50))) for name in ("left", "right")
)
#: How long anybody tries again before it counts as refused.
PATIENCE_SECONDS = 20
#: What a proxy or a server says when it cannot answer now.
FOR_NOW = (502, 503, 504)


class Refused(AssertionError):
    """Somebody was told no, or nothing, for too long."""


class Link:
    """A kept connection to one port, made anew when it is lost."""

    def __init__(self, port: int):
        self.port = port
        self.connection: http.client.HTTPConnection | None = None

    def ask(self, method: str, target: str, body=None, fields=None) -> tuple[int, bytes] | None:
        """The answer; None where there is none, or half of one."""
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=15)
            self.connection.request(method, target, body=body, headers=fields or {})
            answer = self.connection.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            if self.connection is not None:
                self.connection.close()
            self.connection = None
            return None


class Crowd:
    """Threads that end when they are told to; a failure in one of them is the test's."""

    def __init__(self):
        self.over = threading.Event()
        self.lock = threading.Lock()
        self.failures: list[str] = []
        self.threads: list[threading.Thread] = []
        #: How often somebody had to ask again, and how often somebody was answered.
        self.again = 0
        self.answers: dict[str, int] = defaultdict(int)
        #: What was answered at a pinned revision, by target.
        self.pinned: dict[str, bytes] = {}

    def start(self, work, *arguments) -> None:
        def run():
            try:
                while not self.over.is_set():
                    work(*arguments)
            except AssertionError as error:
                self.failures.append(f"{error}")

        self.threads.append(threading.Thread(target=run))
        self.threads[-1].start()

    def end(self) -> None:
        self.over.set()
        for thread in self.threads:
            thread.join()

    def insist(self, link: Link, method: str, target: str, body=None, fields=None) -> bytes:
        """The answer to a request that is made again as long as it is refused for now."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            answer = link.ask(method, target, body, fields)
            if answer is not None and answer[0] not in FOR_NOW:
                break
            with self.lock:
                self.again += 1
            if time.monotonic() > deadline:
                raise Refused(f"{method} {target}: {answer}")
        status, content = answer
        if status != 200:
            raise Refused(f"{method} {target} -> {status} {content[:300]!r}")
        with self.lock:
            self.answers[method] += 1
        return content

    def same(self, target: str, content: bytes) -> None:
        """Claims that `target`, which names its revision, was never answered otherwise."""
        with self.lock:
            known = self.pinned.setdefault(target, content)
        if known != content:
            raise AssertionError(f"{target}: {known[:400]!r} and {content[:400]!r}")


class Writer:
    """Puts items into a strip by threes, and moves and removes them by threes; its answers are
    what there must be.
    """

    def __init__(self, crowd: Crowd, port: int, strip: str, bearer: str, name: str):
        self.crowd, self.link, self.strip, self.name = crowd, Link(port), strip, name
        self.fields = {"Authorization": f"Bearer {bearer}", "Content-Type": "application/json"}
        self.rng = random.Random(name)
        self.turn = 0
        #: The threes that it knows to be there.
        self.there: list[str] = []
        self.revisions: list[int] = []

    def write(self) -> None:
        self.turn += 1
        anchor = f"i{self.rng.randrange(50)}"
        kind = self.rng.random()
        if self.there and (kind < 0.3 or len(self.there) > 60):
            batch = [{"op": "remove", "ids": three(self.there.pop(0))}]
        elif self.there and kind < 0.5:
            batch = [{"op": "move", "ids": three(self.rng.choice(self.there)), "after": anchor}]
        else:
            self.there.append(f"{self.name}.{self.turn}")
            items = [{"id": id, "width": 10} for id in three(self.there[-1])]
            batch = [{"op": "insert", "after": anchor, "items": items}]
        # With a key of its own a change is made once, however often it is sent.
        fields = {**self.fields, "Idempotency-Key": f"{self.name}-{self.turn}"}
        body = json.dumps(batch).encode()
        answer = self.crowd.insist(
            self.link, "POST", f"/strips/{self.strip}/edits", body, fields
        )
        self.revisions.append(json.loads(answer)["revision"])
        if self.turn % 4 == 0:
            self.look(self.revisions[-1])

    def look(self, revision: int) -> None:
        """Claims that any server shows at a revision what this writer knows to be there."""
        target = window(self.strip, width=60000, revision=revision)
        items = json.loads(self.crowd.insist(self.link, "GET", target))["items"]
        shown = whole([item["id"] for item in items], target)
        mine = {name for name in shown if name.startswith(f"{self.name}.")}
        if mine != set(self.there):
            raise AssertionError(f"{target}: {mine ^ set(self.there)} is lost, or came back")


class Reader:
    """Reads the newest revision through the proxy, and then that same one from every server."""

    def __init__(self, crowd: Crowd, proxy: int, servers: list[int], strips: list[str], seed: int):
        self.crowd, self.rng, self.strips = crowd, random.Random(seed), strips
        self.proxy = Link(proxy)
        self.servers = [Link(port) for port in servers]

    def read(self) -> None:
        strip = self.rng.choice(self.strips)
        newest = self.crowd.insist(self.proxy, "GET", window(strip, width=1))
        revision = json.loads(newest)["revision"]
        width, offset = self.rng.choice([(300, 0), (300, 250), (700, 400), (60000, 0)])
        target = window(strip, width=width, offset=offset, revision=revision)
        content = self.crowd.insist(self.proxy, "GET", target)
        if width == 60000:
            whole([item["id"] for item in json.loads(content)["items"]], target)
        self.crowd.same(target, content)
        for link in self.servers:
            answer = link.ask("GET", target)
            # One that is down, or has no way to the database, may say so.
            if answer is not None and answer[0] not in FOR_NOW:
                self.crowd.same(target, answer[1])
                with self.crowd.lock:
                    self.crowd.answers[f"from {link.port}"] += 1


def three(name: str) -> list[str]:
    return [f"{name}.{part}" for part in "abc"]


def window(strip: str, **asked) -> str:
    return "/window?" + urlencode({"strip": strip, "wrap": "false", **asked})


def whole(ids: list[str], where: str) -> set[str]:
    """The threes among `ids`; claims that there are no halves, and nothing came between."""
    names = {id[:-2] for id in ids if "." in id}
    for name in names:
        at = ids.index(f"{name}.a") if f"{name}.a" in ids else len(ids)
        if ids[at : at + 3] != three(name):
            raise AssertionError(f"{where}: half of {name}: {ids}")
    if len(ids) != 50 + 3 * len(names):
        raise AssertionError(f"{where}: {len(ids)} items, {len(names)} threes")
    return names
