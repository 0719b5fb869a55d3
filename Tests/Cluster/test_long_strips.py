"""A long strip is read before a server says that it is ready; a short one when it is asked for."""

import time

from command import import_lines, told
from crowd import STRIPS
from model.strips import Item, Strip
from wire import Wire

LONG = Strip("long", tuple(Item(f"i{n}", width=str(n % 90)) for n in range(60_000)))
READY_SECONDS = 60


def test_what_takes_long_to_read_is_at_hand_when_the_server_is_ready(database, serving, tmp_path):
    run = import_lines(database, LONG)
    assert run.returncode == 0, told(run)
    folder = tmp_path / "wire"
    folder.mkdir()
    with Wire(str(database), folder) as wire:
        revision = serving(database).revision("long")
        server = serving(wire.address)
        deadline = time.monotonic() + READY_SECONDS
        while server.get("/readyz").status != 200:
            assert time.monotonic() < deadline, "it does not become ready"
        wire.cut()
        # What the client has already is not looked up: the layout says the rest.
        asked = {"width": "300", "have": "0..40", "revision": str(revision)}
        reply = server.window(asked, strip="long")
        assert reply.json()["count"] == len(LONG.items)
        server.window(strip=STRIPS[0].name, width="300").refused(503)


def test_the_list_of_strips_says_what_each_holds(database, serving):
    server = serving(database)
    listed = {one["strip"]: one for one in server.get("/strips").json()["strips"]}
    for strip in STRIPS:
        window = server.window(strip=strip.name, width="1", wrap="false").json()
        shown = listed[strip.name]
        assert (shown["count"], shown["extent"]) == (window["count"], window["extent"])
        assert shown["revision"] == window["revision"]
