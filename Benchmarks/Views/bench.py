#!/usr/bin/env python3
"""Measures views of a long strip, over HTTP: make bench-views.

    Benchmarks/Views/bench.py [--items 10000000] [--rounds 9] [--processor] [--store sqlite|postgres]

Items have an artist (100,000 values, Zipf), a year (100 values), a price, a kind, and a title of four words
out of 50,000. Each filter is used only once, so a figure is the time of a view's first window. Figures are
medians over the rounds. Figures without a bar explain the others.

With --processor, figures are CPU times of the server's threads, for a machine with other load. They do not
contain the time of the client or of waiting.

With --store postgres, the strip is in the PostgreSQL database $POSTGRES, or in a new server that is deleted
at the end. gin_words_ms is PostgreSQL's own search for the same words with a GIN index of text vectors. It
counts the results and reads the 20 items in the middle. Its time is that of a client, also with --processor.
"""

import argparse
import http.client
import json
import os
import random
import sqlite3
import statistics
import subprocess
import sys
import time
from array import array
from pathlib import Path
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Benchmarks"))

from serving import serving_port  # noqa: E402

OUT = ROOT / ".build/bench"
CAROUSEL = Path(os.environ.get("CAROUSEL", ROOT / ".build/release/carousel"))
STRIP = "long"
DECLARED = ["--filterable", "artist,year,price", "--searchable", "title"]
KINDS = ("artwork", "print", "drawing")
ASPECTS = (0.75, 1, 1.333, 1.5, 0.66)

#: Name: unit, bar, which is better, and the floor measured with loops in C.
BARS = {
    "one_percent_ms": ("ms", 20, "lower", "7 + 4.5"),
    "half_ms": ("ms", 80, "lower", "8 + 5.4 + 18"),
    "three_terms_ms": ("ms", 45, "lower", "24"),
    "sqlite_one_percent_x": ("x", 5, "higher", ""),
    "sqlite_half_x": ("x", 20, "higher", ""),
    "sort_ms": ("ms", 60, "lower", "8 + 17"),
    "sort_again_ms": ("ms", 30, "lower", "8 + 17"),
    "sort_all_ms": ("ms", 2500, "lower", ""),
    "words_ms": ("ms", 50, "lower", ""),
    "corrected_x": ("x", 3, "lower", ""),
    "later_x": ("x", 1.5, "lower", ""),
    "facets_ms": ("ms", 20, "lower", "8"),
    "facets_all_ms": ("ms", 90, "lower", "27"),
    "edit_us_per_view": ("us", 10, "lower", ""),
    "bytes_per_item": ("B", 40, "lower", ""),
    "ready_x": ("x", 2, "lower", ""),
}


class Rows:
    """The items, always the same."""

    def __init__(self, count: int):
        self.count = count
        dice = random.Random(1)
        weights, total = array("d"), 0.0
        for rank in range(1, 100_001):
            total += 1 / rank
            weights.append(total)
        self.artists = dice.choices(range(100_000), cum_weights=weights, k=1 << 20)
        self.words = [f"w{number * 7919 % 50_000:05d}" for number in range(50_000)]

    def __iter__(self):
        """Number, artist, year, price, kind, aspect and title of each item."""
        artists, words, mask = self.artists, self.words, (1 << 20) - 1
        state = 12345
        for number in range(self.count):
            state = state * 6364136223846793005 + 1442695040888963407 & 0xFFFFFFFFFFFFFFFF
            low, high = state >> 33 & 0x7FFFFFFF, state >> 17 & 0x7FFFFFFF
            title = (
                f"{words[low % 50_000]} {words[high % 50_000]} "
                f"{words[(low ^ high) % 50_000]} {words[(low + 77 * high) % 50_000]}"
            )
            yield (
                number, artists[(low * 31 + number) & mask], 1800 + high % 100, low % 10_000,
                low % 3, ASPECTS[high % 5], title,
            )  # fmt: skip


def database(rows: Rows, address: str | None) -> str:
    """The path of the database with the strip. The strip is imported once."""
    path = address or str(OUT / f"views-{rows.count}.db")
    if address or not Path(path).exists():
        print(f"importing {rows.count} items", flush=True)
        command = [CAROUSEL, "import", "-", "--database", path, "--strip", STRIP]
        command += ["--format", "jsonl", "--replace", *DECLARED]
        with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
            lines = []
            for number, artist, year, price, kind, aspect, title in rows:
                lines.append(
                    f'{{"id":"r{number:08}","kind":"{KINDS[kind]}","aspect":{aspect},"fields":'
                    f'{{"title":"{title}","artist":"a{artist}","year":{year},"price":{price}}}}}\n'
                )
                if len(lines) == 10_000:
                    process.stdin.write("".join(lines).encode())
                    lines = []
            process.stdin.write("".join(lines).encode())
        if process.returncode:
            sys.exit("the import failed")
    return path


class Serving:
    """A server of the database."""

    #: Whether figures are CPU times.
    counts_processor = False

    def __init__(self, path: str):
        begin = time.monotonic()
        command = [CAROUSEL, "serve", "--database", path, "--port", "0", "--view-memory", "1024"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, cwd=ROOT)
        self.port = serving_port(self.process)
        self.http = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        while self.ask("/readyz")[0] != 200:
            time.sleep(0.002)
        self.ready = time.monotonic() - begin

    def ask(self, target: str, method="GET", body=None, fields=None):
        self.http.request(method, target, body, fields or {})
        reply = self.http.getresponse()
        return reply.status, reply.read()

    def answer(self, target: str):
        """Repeats the request after a 503: the server sends it after ten seconds while columns are
        built."""
        while (reply := self.ask(target))[0] == 503:
            time.sleep(0.01)
        return reply

    def window(self, **asked) -> float:
        """The milliseconds of a window."""
        target = "/window?" + urlencode({"strip": STRIP, "width": 1024, **asked})
        begin = self.clock()
        status, body = self.answer(target)
        took = (self.clock() - begin) * 1000
        if status != 200:
            sys.exit(f"{target}: {status} {body[:300]}")
        self.last = body
        return took

    def facets(self, **asked) -> float:
        target = f"/strips/{STRIP}/facets?" + urlencode(asked)
        begin = self.clock()
        status, body = self.answer(target)
        took = (self.clock() - begin) * 1000
        if status != 200:
            sys.exit(f"{target}: {status} {body[:300]}")
        return took

    def clock(self) -> float:
        """Seconds."""
        return self.processor() if self.counts_processor else time.perf_counter()

    def processor(self) -> float:
        """The CPU seconds that the server's threads have used."""
        tasks = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9

    def settle(self):
        """Waits until no thread works: a thread stores the columns after the first view."""
        before, now = -1.0, 0.0
        while now - before > 0.005:
            before = self.processor()
            time.sleep(1)
            now = self.processor()

    @property
    def resident(self) -> int:
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) * 1024
        return 0

    def stop(self):
        self.process.terminate()
        self.process.wait()


def median(ask, rounds: int) -> float:
    return statistics.median(ask(turn) for turn in range(rounds))


def measure(path: str, rows: Rows, rounds: int) -> dict[str, float]:
    figures = {}
    declared = statistics.median(ready(path) for _ in range(5))
    declare(path, [], [])
    bare = statistics.median(ready(path) for _ in range(5))
    without = Serving(path)
    without.window()
    before = without.resident
    without.stop()
    declare(path, *(names.split(",") for names in DECLARED[1::2]))
    server = Serving(path)
    figures["ready_x"] = declared / bare
    figures["ready_s"] = declared
    server.window()
    # The server builds columns as soon as it is ready. The first view waits for them.
    begin = time.perf_counter()
    server.window(where="year = 1700")
    figures["first_view_s"] = time.perf_counter() - begin
    server.settle()
    figures["bytes_per_item"] = (server.resident - before) / rows.count
    years = iter(range(1800, 1900))
    year = lambda: next(years)  # noqa: E731
    figures["one_percent_ms"] = median(lambda _: server.window(where=f"year = {year()}"), rounds)
    figures["half_ms"] = median(lambda n: server.window(where=f"price < {4990 + n}"), rounds)
    figures["three_terms_ms"] = median(
        lambda n: server.window(
            where=f"kind = print AND price < {300 + n} OR year = {1810 + n} AND price > 100"
        ),
        rounds,
    )
    figures["sort_ms"] = server.window(where=f"year = {year()}", sort="artist,price")
    figures["sort_again_ms"] = median(
        lambda _: server.window(where=f"year = {year()}", sort="artist,price"), rounds
    )
    words = rows.words
    figures["words_ms"] = median(
        lambda n: server.window(q=f"{words[n * 13 + 7]} {words[n * 17 + 3][:3]}"), rounds
    )
    exact = median(lambda n: server.window(q=words[n * 19 + 5]), rounds)
    # No word begins with a v, so the nearest word has a w instead.
    figures["corrected_ms"] = median(lambda n: server.window(q="v" + words[n * 23 + 5][1:]), rounds)
    figures["corrected_x"] = figures["corrected_ms"] / exact
    figures["facets_ms"] = median(
        lambda _: server.facets(field="artist,year,kind", limit=20, where=f"year = {year()}"), rounds
    )
    figures["facets_all_ms"] = median(
        lambda n: server.facets(field="artist,year,kind", limit=20 + n), rounds
    )
    later = f"year = {year()}"
    server.window(where=later)
    extent = json.loads(server.last)["extent"]
    dice = random.Random(3)
    whole = 100 * extent
    view_ms = median(lambda _: server.window(where=later, offset=int(dice.random() * extent)), 300)
    strip_ms = median(lambda _: server.window(offset=int(dice.random() * whole)), 300)
    figures["later_x"] = view_ms / strip_ms
    figures |= edits(server, path, rounds)
    figures["sort_all_ms"] = server.window(sort="price")
    figures["resident_mb"] = server.resident / (1 << 20)
    server.stop()
    return figures


def ready(path: str) -> float:
    """The seconds until the server is ready, without a view."""
    server = Serving(path)
    server.stop()
    return server.ready


def write_headers(path: str) -> dict[str, str]:
    run = [CAROUSEL, "token", "create", "--database", path, "--strip", STRIP]
    token = subprocess.run(run, check=True, capture_output=True, text=True).stdout.splitlines()[-1]
    return {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}


def declare(path: str, filterable: list[str], searchable: list[str]):
    """Changes the settings of the strip."""
    server = Serving(path)
    body = json.dumps({"filterable": filterable, "searchable": searchable})
    status, reply = server.ask(f"/strips/{STRIP}", "PUT", body, write_headers(path))
    if status != 200:
        sys.exit(f"settings: {status} {reply}")
    server.stop()


def edits(server: Serving, path: str, rounds: int) -> dict[str, float]:
    fields = write_headers(path)
    views = [f"artist = a{number}" for number in range(5000, 6000)]

    widths = iter(range(64, 1000))

    def seconds(views: list[str], width: int, **asked) -> float:
        """The CPU seconds of a window of each view."""
        begin = server.processor()
        for view in views:
            server.window(where=view, width=width, **asked)
        return server.processor() - begin

    def edit(n: int):
        body = json.dumps([{"op": "update", "id": f"r{n:08}", "set": {"fields": {"year": 1850}}}])
        status, reply = server.ask(f"/strips/{STRIP}/edits", "POST", body, fields)
        if status != 200:
            sys.exit(f"edit: {status} {reply}")

    seconds(views, next(widths))
    costs, windows = [], []
    for n in range(rounds):
        server.window(where=views[0])
        revision = json.loads(server.last)["revision"]
        edit(1000 + n)
        # Each pass requests different windows.
        passes = [next(widths) for _ in range(3)]
        first = second = 0.0
        # Few views at a time, so that all passes have the same load and the same pages in memory.
        for start in range(0, len(views), 50):
            part = views[start : start + 50]
            # After a commit, SQLite reads its pages again for any window. This is not a cost of views,
            # so the first
            # pass is not counted.
            seconds(part, passes[0], revision=revision)
            first += seconds(part, passes[1])
            second += seconds(part, passes[2])
        windows.append(second * 1e6 / len(views))
        costs.append((first - second) * 1e6 / len(views))
    return {
        "edit_us_per_view": statistics.median(costs),
        "view_window_us": statistics.median(windows),
    }


def sqlite(rows: Rows, rounds: int) -> dict[str, float]:
    """The same queries in SQLite, with covering indexes."""
    path = OUT / f"views-{rows.count}-sqlite.db"
    is_new = not path.exists()
    db = sqlite3.connect(path)
    if is_new:
        print("filling SQLite", flush=True)
        db.execute("PRAGMA journal_mode = off")
        db.execute("PRAGMA synchronous = off")
        db.execute(
            "CREATE TABLE t (position INTEGER PRIMARY KEY, year, price, kind, aspect, title)"
        )
        db.executemany(
            "INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)",
            ((n, y, p, k, int(a * 65536 + 0.5), t) for n, _, y, p, k, a, t in rows),
        )
        db.execute("CREATE INDEX by_year ON t (year, position, aspect)")
        db.execute("CREATE INDEX by_price ON t (price, position, aspect)")
        db.commit()
    db.execute("PRAGMA cache_size = -2000000")

    clock = time.process_time if Serving.counts_processor else time.perf_counter

    def ask(condition: str) -> float:
        begin = clock()
        count, _ = db.execute(f"SELECT count(*), sum(aspect) FROM t WHERE {condition}").fetchone()
        db.execute(
            f"SELECT * FROM t WHERE position IN (SELECT position FROM t WHERE {condition} "
            f"ORDER BY position LIMIT 20 OFFSET {count // 2})"
        ).fetchall()
        return (clock() - begin) * 1000

    ask("year = 1899")
    return {
        "sqlite_one_percent_ms": median(lambda n: ask(f"year = {1850 + n}"), rounds),
        "sqlite_half_ms": median(lambda n: ask(f"price < {4990 + n}"), min(3, rounds)),
    }


def gin(rows: Rows, address: str, rounds: int) -> dict[str, float]:
    """The same searches in PostgreSQL, with a GIN index."""
    name = f"views_words_{rows.count}"

    def psql(*commands: str, given: bytes | None = None) -> str:
        command = ["psql", "--quiet", "--no-psqlrc", "--tuples-only", "--set=ON_ERROR_STOP=1", address]
        for text in commands:
            command += ["--command", text]
        return subprocess.run(command, check=True, capture_output=True, input=given).stdout.decode()

    print("filling PostgreSQL's own index", flush=True)
    psql(
        f"DROP TABLE IF EXISTS {name}",
        f"CREATE TABLE {name} (position bigint PRIMARY KEY, aspect bigint, title text)",
    )
    titles = "".join(f"{n}\t{int(a * 65536 + 0.5)}\t{t}\n" for n, _, _, _, _, a, t in rows)
    psql(f"COPY {name} FROM STDIN", given=titles.encode())
    begin = time.perf_counter()
    psql(f"CREATE INDEX ON {name} USING gin (to_tsvector('simple', title))", f"ANALYZE {name}")
    figures = {"gin_build_s": time.perf_counter() - begin}
    words = rows.words

    def ask(n: int) -> float:
        wanted = f"{words[n * 13 + 7]} & {words[n * 17 + 3][:3]}:*"
        found = f"FROM {name} WHERE to_tsvector('simple', title) @@ to_tsquery('simple', '{wanted}')"
        reply = psql(
            "\\timing on",
            f"WITH found AS MATERIALIZED (SELECT position, aspect {found}), "
            "sums AS (SELECT count(*) AS n, sum(aspect) FROM found) "
            "SELECT * FROM sums, (SELECT * FROM found ORDER BY position "
            "LIMIT 20 OFFSET (SELECT n / 2 FROM sums)) AS middle",
        )
        return float(reply.rsplit("Time: ", 1)[1].split(" ")[0])

    ask(0)
    figures["gin_words_ms"] = median(ask, rounds)
    return figures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--items", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--store", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--processor", action="store_true")
    options = parser.parse_args()
    address = None
    if options.store == "postgres":
        if "POSTGRES" not in os.environ:
            os.execv(str(ROOT / "Scripts/with-postgres"), ["with-postgres", *sys.argv])
        address = os.environ["POSTGRES"]
    OUT.mkdir(parents=True, exist_ok=True)
    Serving.counts_processor = options.processor
    rows = Rows(options.items)
    figures = measure(database(rows, address), rows, options.rounds)
    if address:
        figures |= gin(rows, address, options.rounds)
    else:
        figures |= sqlite(rows, options.rounds)
        for share in ("one_percent", "half"):
            figures[f"sqlite_{share}_x"] = figures[f"sqlite_{share}_ms"] / figures[f"{share}_ms"]
    name = "bench-views-postgres" if address else "bench-views"
    report(figures, name, has_bars=options.items >= 10_000_000 and not options.processor)


def report(figures: dict[str, float], name: str, has_bars: bool):
    """Prints the figures and writes them. The bars are for ten million items, over HTTP."""
    entries = []
    print(f"{'figure':24}{'measured':>12}  {'bar':>8}  floor in C")
    for figure, value in figures.items():
        unit, bar, better, floor = BARS.get(figure, (figure.rsplit("_", 1)[-1], None, "lower", ""))
        bar = bar if has_bars else None
        entry = {"name": figure, "value": round(value, 3), "unit": unit, "better": better}
        if bar is not None:
            met = value <= bar if better == "lower" else value >= bar
            entry |= {"bar": bar, "met": met}
        entries.append(entry)
        shown = "" if bar is None else f"{bar} {'met' if entry['met'] else 'MISSED'}"
        print(f"{figure:24}{value:12.2f}  {shown:>12}  {floor}")
    (OUT / f"{name}.json").write_text(json.dumps({"figures": entries}, indent=1) + "\n")


if __name__ == "__main__":
    main()
