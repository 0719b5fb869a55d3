"""Writers and readers that run while servers fail, and check every answer."""

import http.client
import json
import random
import threading
import time
from collections import defaultdict
from urllib.parse import urlencode

from model.strips import Item, Strip

#: Strips of items of 10 px that no writer changes. Writers insert between them.
STRIPS = tuple(Strip(name, tuple(Item(f"i{n}", width="10") for n in range(50))) for name in ("left", "right"))
#: The seconds for which a failed request is repeated.
RETRY_SECONDS = 30
#: The statuses after which a request is repeated.
TEMPORARY = (502, 503, 504)


class Failed(AssertionError):
    """A request failed for good, or for longer than RETRY_SECONDS."""


class Link:
    """A connection to a port, which is opened again after an error."""

    def __init__(self, port: int):
        self.port = port
        self.connection: http.client.HTTPConnection | None = None

    def ask(self, method: str, target: str, body=None, fields=None) -> tuple[int, bytes] | None:
        """The status and body of an answer; None if there is none, or if it is truncated."""
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


class Workload:
    """Threads that run until `end`. `failures` has their failed assertions."""

    def __init__(self):
        self.over = threading.Event()
        self.lock = threading.Lock()
        self.failures: list[str] = []
        self.threads: list[threading.Thread] = []
        #: The number of repeated requests, and of answers by method or port.
        self.retries = 0
        self.answers: dict[str, int] = defaultdict(int)
        #: The answers to targets with a revision, by target.
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

    def request(self, link: Link, method: str, target: str, body=None, fields=None) -> bytes:
        """The answer to a request. Repeats the request after a temporary error."""
        deadline = time.monotonic() + RETRY_SECONDS
        while True:
            answer = link.ask(method, target, body, fields)
            if answer is not None and answer[0] not in TEMPORARY:
                break
            with self.lock:
                self.retries += 1
            if time.monotonic() > deadline:
                raise Failed(f"{method} {target}: {answer}")
        status, content = answer
        if status != 200:
            raise Failed(f"{method} {target} -> {status} {content[:300]!r}")
        with self.lock:
            self.answers[method] += 1
        return content

    def compare(self, target: str, content: bytes) -> None:
        """Asserts that all answers to `target`, which has a revision, are equal."""
        with self.lock:
            known = self.pinned.setdefault(target, content)
        if known != content:
            raise AssertionError(f"{target}: {known[:400]!r} and {content[:400]!r}")


class Writer:
    """Inserts, moves and removes three neighbours in each edit, and keeps a list of all of them."""

    def __init__(self, workload: Workload, port: int, strip: str, bearer: str, name: str):
        self.workload, self.link, self.strip, self.name = workload, Link(port), strip, name
        self.fields = {"Authorization": f"Bearer {bearer}", "Content-Type": "application/json"}
        self.rng = random.Random(name)
        self.turn = 0
        #: The triples that are in the strip.
        self.triples: list[str] = []
        #: The revisions of its insertions and removals. A move may leave a triple where it stands.
        self.revisions: list[int] = []
        self.newest = 0

    def write(self) -> None:
        self.turn += 1
        anchor = f"i{self.rng.randrange(50)}"
        kind = self.rng.random()
        if self.triples and (kind < 0.3 or len(self.triples) > 60):
            batch = [{"op": "remove", "ids": triple(self.triples.pop(0))}]
        elif self.triples and kind < 0.5:
            batch = [{"op": "move", "ids": triple(self.rng.choice(self.triples)), "after": anchor}]
        else:
            self.triples.append(f"{self.name}.{self.turn}")
            items = [{"id": id, "width": 10} for id in triple(self.triples[-1])]
            batch = [{"op": "insert", "after": anchor, "items": items}]
        # With an idempotency key, the server applies an edit once, even if it receives the edit twice.
        fields = {**self.fields, "Idempotency-Key": f"{self.name}-{self.turn}"}
        body = json.dumps(batch).encode()
        answer = self.workload.request(self.link, "POST", f"/strips/{self.strip}/edits", body, fields)
        self.newest = json.loads(answer)["revision"]
        if batch[0]["op"] != "move":
            self.revisions.append(self.newest)
        if self.turn % 4 == 0:
            self.check(self.newest)

    def check(self, revision: int) -> None:
        """Asserts that a server shows the triples of this writer at a revision."""
        target = window(self.strip, width=60000, revision=revision)
        items = json.loads(self.workload.request(self.link, "GET", target))["items"]
        shown = complete([item["id"] for item in items], target)
        mine = {name for name in shown if name.startswith(f"{self.name}.")}
        if mine != set(self.triples):
            raise AssertionError(f"{target}: {mine ^ set(self.triples)} was lost, or was inserted again")


class Reader:
    """Reads the newest revision through the proxy, and then the same revision from every server."""

    def __init__(self, workload: Workload, proxy: int, servers: list[int], strips: list[str], seed: int):
        self.workload, self.rng, self.strips = workload, random.Random(seed), strips
        self.proxy = Link(proxy)
        self.servers = [Link(port) for port in servers]

    def read(self) -> None:
        strip = self.rng.choice(self.strips)
        newest = self.workload.request(self.proxy, "GET", window(strip, width=1))
        revision = json.loads(newest)["revision"]
        width, offset = self.rng.choice([(300, 0), (300, 250), (700, 400), (60000, 0)])
        target = window(strip, width=width, offset=offset, revision=revision)
        content = self.workload.request(self.proxy, "GET", target)
        if width == 60000:
            complete([item["id"] for item in json.loads(content)["items"]], target)
        self.workload.compare(target, content)
        for link in self.servers:
            answer = link.ask("GET", target)
            # A server without a process or a database has no answer to compare.
            if answer is not None and answer[0] not in TEMPORARY:
                self.workload.compare(target, answer[1])
                with self.workload.lock:
                    self.workload.answers[f"from {link.port}"] += 1


def triple(name: str) -> list[str]:
    """The ids of a triple."""
    return [f"{name}.{part}" for part in "abc"]


def window(strip: str, **asked) -> str:
    """The target of a window."""
    return "/window?" + urlencode({"strip": strip, "wrap": "false", **asked})


def complete(ids: list[str], where: str) -> set[str]:
    """The triples among `ids`. Asserts that each has three neighbours, and that no item is missing."""
    names = {id[:-2] for id in ids if "." in id}
    for name in names:
        at = ids.index(f"{name}.a") if f"{name}.a" in ids else len(ids)
        if ids[at : at + 3] != triple(name):
            raise AssertionError(f"{where}: an incomplete triple {name}: {ids}")
    if len(ids) != 50 + 3 * len(names):
        raise AssertionError(f"{where}: {len(ids)} items, {len(names)} triples")
    return names
