"""Clients that ask a server all the time, and keep count of what they got."""

import http.client
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field

ANSWER_SECONDS = 15


@dataclass
class Tally:
    """What clients got, and how long they waited for it."""

    seconds: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    statuses: dict[int, int] = field(default_factory=dict)

    @property
    def whole(self) -> int:
        return len(self.seconds)

    def quantile(self, share: float) -> float:
        """The seconds within which this share of the answers came."""
        ordered = sorted(self.seconds)
        return ordered[min(int(len(ordered) * share), len(ordered) - 1)]


class Clients:
    """Threads that each ask for `targets` in turn, until they are told to end.

    An answer that is cut short is a failure, and so is a request on a connection that has answered
    before and then does not. A connection that cannot be made is one only where `always` is set.
    """

    def __init__(self, port: int, targets: list[str], count: int, always=False, pause=0.0):
        self.port, self.targets, self.always, self.pause = port, targets, always, pause
        self.tally = Tally()
        self.lock = threading.Lock()
        self.ended = threading.Event()
        self.progress = threading.Condition(self.lock)
        self.threads = [threading.Thread(target=self.ask, args=(n,)) for n in range(count)]

    def ask(self, number: int) -> None:
        link, answered, turn = None, 0, number
        while not self.ended.is_set():
            began = time.monotonic()
            try:
                if link is None:
                    answered = 0
                    link = self.connection()
                link.request("GET", self.targets[turn % len(self.targets)])
                answer = link.getresponse()
                answer.read()
                self.note(time.monotonic() - began, answer.status)
                answered += 1
                # Some connections are kept, and some are made anew.
                if answer.will_close or answered > 20 * (number % 3):
                    link.close()
                    link = None
            except http.client.IncompleteRead as error:
                self.fail(f"cut short: {error!r}")
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
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_SECONDS)
        link.connect()
        return link

    def note(self, seconds: float, status: int) -> None:
        with self.progress:
            self.tally.seconds.append(seconds)
            self.tally.statuses[status] = self.tally.statuses.get(status, 0) + 1
            self.progress.notify_all()

    def fail(self, why: str) -> None:
        with self.lock:
            self.tally.failures.append(why)

    def wait_for(self, more: int) -> None:
        """Waits until so many more answers have come."""
        with self.progress:
            goal = self.tally.whole + more
            came = self.progress.wait_for(lambda: self.tally.whole >= goal, timeout=60)
        assert came, f"{self.tally.whole} of {goal} answers came; {self.tally.failures[:3]}"

    def end(self) -> None:
        """Lets each have its last answer."""
        self.ended.set()
        for thread in self.threads:
            thread.join()

    @contextmanager
    def asking(self):
        """Asks while the block runs; the tally, to be looked at once it has ended."""
        for thread in self.threads:
            thread.start()
        try:
            yield self.tally
        finally:
            self.end()
