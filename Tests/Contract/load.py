"""Clients that send requests without a pause, and count the answers."""

import http.client
import threading
import time
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field

from waiting import TIMEOUT_SECONDS

#: A request on a connection that was idle for longer opens a new one: a server may close idle connections.
IDLE_SECONDS = 0.5


@dataclass
class Tally:
    """The answers that clients received.

    `overtaken` has a number for each answer: the answers that the clients `beside` received during the request.
    """

    failures: list[str] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    overtaken: list[int] = field(default_factory=list)


class Clients:
    """`count` threads that each request `targets` in turn until `end` is called.

    A truncated answer is a failure. So is a request without an answer on a connection that had
    answers before. A connection that is not accepted is a failure only if `always` is set.
    """

    def __init__(self, port: int, targets: list[str], count: int, always=False, pause=0.0, beside=None):
        self.port, self.targets, self.always, self.pause = port, targets, always, pause
        self.beside: Clients | None = beside
        self.tally = Tally()
        self.lock = threading.Lock()
        self.ended = threading.Event()
        self.progress = threading.Condition(self.lock)
        self.threads = [threading.Thread(target=self.ask, args=(n,)) for n in range(count)]

    def ask(self, number: int) -> None:
        link, answered, turn, used = None, 0, number, 0.0
        while not self.ended.is_set():
            before = self.beside.tally.statuses.total() if self.beside else 0
            try:
                if link is not None and time.monotonic() - used > IDLE_SECONDS:
                    link.close()
                    link = None
                if link is None:
                    answered = 0
                    link = self.connection()
                link.request("GET", self.targets[turn % len(self.targets)])
                answer = link.getresponse()
                answer.read()
                self.record(answer.status, before)
                answered += 1
                used = time.monotonic()
                # Clients close a connection after 1, 21 or 41 answers.
                if answer.will_close or answered > 20 * (number % 3):
                    link.close()
                    link = None
            except http.client.IncompleteRead as error:
                self.fail(f"a truncated answer: {error!r}")
                link = None
            except (OSError, http.client.HTTPException) as error:
                if self.always or answered > 0:
                    self.fail(f"after {answered} answers: {error!r}")
                elif isinstance(error, ConnectionRefusedError):
                    return
                link = None
            turn += 1
            if self.pause:
                self.ended.wait(self.pause)
        if link is not None:
            link.close()

    def connection(self) -> http.client.HTTPConnection:
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT_SECONDS)
        link.connect()
        return link

    def record(self, status: int, before: int) -> None:
        with self.progress:
            if self.beside:
                self.tally.overtaken.append(self.beside.tally.statuses.total() - before)
            self.tally.statuses[status] += 1
            self.progress.notify_all()

    def fail(self, why: str) -> None:
        with self.lock:
            self.tally.failures.append(why)

    def wait_for(self, more: int) -> None:
        """Waits for `more` answers from now on."""
        with self.progress:
            count = self.tally.statuses.total
            goal = count() + more
            came = self.progress.wait_for(lambda: count() >= goal, 2 * TIMEOUT_SECONDS)
        assert came, f"{count()} of {goal} answers came; {self.tally.failures[:3]}"

    def end(self) -> None:
        """Waits for the last answer of each thread."""
        self.ended.set()
        for thread in self.threads:
            thread.join()

    @contextmanager
    def asking(self):
        """Sends requests while the block runs. Read the tally after the block."""
        for thread in self.threads:
            thread.start()
        try:
            yield self.tally
        finally:
            self.end()
