"""Readers of one strip. They send the page's requests (Public/js/windows/window-cache.js and live-updates.js).

A reader first requests a window of the newest revision. At this revision it then requests the aligned
cells that it lacks, in view and ahead on both sides. A `live` reader receives new revisions on `/events`,
from the moment at which the page would open this stream. After a pause of up to a second it requests the
new position of the first item in view, and scrolls to this position.
"""

import asyncio
import json
import math
import re
import time
from dataclasses import dataclass, field
from urllib.parse import quote

MARGIN = 128  # px of overscan, as in geometry.js
REST = 3.0  # seconds between two flings, on average
FLINGS = 4  # for each reader, on average
SPREAD = 1.0  # seconds within which readers request a new revision
ANSWER_SECONDS = 20


def rung_above(px: float) -> int:
    """The least of 8, 10, 12, 14, 16, 20, ... that is at least `px`."""
    step = 2 ** max(1, math.floor(math.log2(px)) - 2)
    return max(8, math.ceil(px / step) * step)


@dataclass
class Tally:
    """The requests of all readers, their errors and their durations."""

    requests: int = 0
    streams: int = 0
    revisions: int = 0
    errors: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


class Connection:
    """A persistent HTTP/1.1 connection."""

    def __init__(self, port: int):
        self.port, self.reader, self.writer = port, None, None

    async def get(self, target: str) -> tuple[int, bytes]:
        for attempt in (1, 2):
            kept = self.writer is not None
            if not kept:
                opened = asyncio.open_connection("127.0.0.1", self.port)
                self.reader, self.writer = await opened
            try:
                self.writer.write(f"GET {target} HTTP/1.1\r\nHost: carousel\r\n\r\n".encode())
                head = await self.reader.readuntil(b"\r\n\r\n")
                break
            except (OSError, asyncio.IncompleteReadError):
                self.close()
                # The server may have closed a persistent connection. A browser sends the request again,
                # too.
                if not kept or attempt == 2:
                    raise
        length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
        body = await (self.reader.readexactly(int(length[1])) if length else self.chunks())
        return int(head[9:12]), body

    async def chunks(self) -> bytes:
        """A chunked body: Varnish forwards a body before it has received all of it."""
        body = b""
        while size := int(await self.reader.readline(), 16):
            body += (await self.reader.readexactly(size + 2))[:-2]
        await self.reader.readline()
        return body

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()
        self.writer = None


class Reader:
    """A reader who scrolls a strip in a viewport of `width` px from `offset` on, and then leaves."""

    def __init__(self, port: int, strip: str, width: int, offset: int, tally: Tally, dice):
        self.port, self.strip, self.width, self.offset = port, strip, width, offset
        self.tally, self.dice = tally, dice
        self.cell = rung_above((width + 2 * MARGIN) / 3)
        self.connection = Connection(port)
        self.cells: set[int] = set()
        self.items: list[dict] = []
        self.revision = 0
        self.notified = asyncio.Event()
        self.newest = 0

    async def window(self, revision: int | None, **more) -> dict | None:
        """The answer of `/window`. None if the item or the revision no longer exists, or after an
        error."""
        query = {"strip": self.strip, "revision": revision, "v": "bench", **more}
        query["pool"] = 4 * self.cell
        words = "&".join(f"{k}={quote(str(v))}" for k, v in query.items() if v is not None)
        began = time.monotonic()
        self.tally.requests += 1
        try:
            asked = self.connection.get(f"/window?{words}")
            status, body = await asyncio.wait_for(asked, ANSWER_SECONDS)
        except (OSError, EOFError, TimeoutError) as error:
            self.connection.close()
            self.tally.errors.append(f"{words}: {error!r}")
            return None
        self.tally.seconds.append(time.monotonic() - began)
        if status == 200:
            return json.loads(body)
        if status not in (404, 410) or "item" not in more and status == 404:
            self.tally.errors.append(f"{words}: {status}")
        return None

    async def land(self) -> None:
        """Requests the newest revision at the first item in view that still exists, and scrolls to
        this item."""
        self.cells = set()
        end = self.offset + self.width
        in_view = [
            item
            for item in self.items
            if item["start"] + item["size"] > self.offset and item["start"] < end
        ]
        in_view.sort(key=lambda item: item["start"])
        window = None
        for item in in_view:
            at = {"item": item["id"], "width": 1, "overscan": MARGIN}
            window = await self.window(self.newest or None, **at)
            if window is not None:
                now = next(one for one in window["items"] if one["id"] == item["id"])
                self.offset = max(0, self.offset + now["start"] - item["start"])
                break
        if window is None:
            first = max(0, self.offset - MARGIN) // self.cell
            window = await self.cells_from(None, int(first), 4)
        if window is not None:
            self.revision, self.items = window["revision"], window["items"]

    async def cells_from(self, revision: int | None, first: int, count: int) -> dict | None:
        window = await self.window(revision, offset=first * self.cell, width=count * self.cell)
        if window is not None:
            self.cells.update(range(first, first + count))
            self.items = (self.items + window["items"])[-400:]
        return window

    def missing(self, start: float, end: float) -> list[int]:
        """The cells between `start` and `end` px that the reader lacks."""
        first, last = int(max(0, start) // self.cell), math.ceil(end / self.cell)
        return [k for k in range(first, last) if k not in self.cells]

    async def look(self) -> None:
        """Requests the missing cells of the viewport, then those of a pool's stretch on both sides.

        A request is for one cell, or for four if more than two are missing.
        """
        near = (self.offset - MARGIN, self.offset + self.width + MARGIN)
        lead = 4 * self.cell
        if len(self.missing(*near)) > 1:
            if await self.cells_from(self.revision, int(max(0, near[0]) // self.cell), 4) is None:
                return await self.land()
        missing = self.missing(near[0] + MARGIN - lead, near[1] - MARGIN + lead)
        size = 4 if len(missing) > 2 else 1
        for k in missing:
            if k in self.cells:
                continue
            if await self.cells_from(self.revision, k // size * size, size) is None:
                # The server no longer holds this revision. The page then requests the newest one.
                return await self.land()

    async def read(self, until: float) -> None:
        """Scrolls and rests in turn. After each round, one of `FLINGS` readers leaves."""
        await self.land()
        while time.monotonic() < until:
            await self.look()
            for _ in range(self.dice.randint(1, 4)):
                self.offset = max(0, self.offset + self.dice.randint(self.width // 4, self.width))
                await self.look()
                await asyncio.sleep(0.25)
            if self.dice.random() < 0.2:
                self.offset = max(0, self.offset - self.dice.randint(0, 3 * self.width))
            try:
                rest = min(self.dice.expovariate(1 / REST), 4 * REST)
                await asyncio.wait_for(self.notified.wait(), rest)
                await asyncio.sleep(self.dice.random() * SPREAD)
            except TimeoutError:
                pass
            if self.newest > self.revision:
                self.notified.clear()
                self.tally.revisions += 1
                await self.land()
            if self.dice.random() < 1 / FLINGS:
                break
        self.connection.close()

    async def listen(self, after: float, until: float) -> None:
        """Receives new revisions on an event stream, which it opens `after` seconds from now."""
        await asyncio.sleep(after)
        self.tally.requests += 1
        self.tally.streams += 1
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(
            f"GET /events?strips={self.strip} HTTP/1.1\r\nHost: carousel\r\n\r\n".encode()
        )
        try:
            while True:
                left = until - time.monotonic()
                line = await asyncio.wait_for(reader.readline(), max(left, 0))
                if not line:
                    self.tally.errors.append("an event stream ended")
                    return
                if line.startswith(b"HTTP/1.1 ") and line[9:12] != b"200":
                    self.tally.errors.append(f"events: {line!r}")
                if found := re.search(rb'"revision":(\d+)', line):
                    self.newest = int(found[1])
                    if self.newest > self.revision:
                        self.notified.set()
        except TimeoutError:
            pass
        finally:
            writer.close()
